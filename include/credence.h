/* credence.h - the whole public interface of libcredence.
 *
 * Credence classifies the nodes of a graph and says which of its answers not to trust.
 * The road through this header is the road of the data:
 *
 *     crd_dataset_open  ->  crd_train  ->  crd_predict / crd_evaluate / crd_explain
 *
 * Conventions
 *   - Every call that can fail returns a crd_status and takes a crd_error as its last argument (NULL is
 *     fine). When it fails, the error holds one sentence for a person: what, where, what was expected.
 *     Outputs are then left NULL (handles) or untouched (structures).
 *   - Handles are opaque. What a call creates, the matching _free releases; it takes the handle's address,
 *     sets the handle to NULL, and does nothing to a handle that is NULL already.
 *   - The library never exits, aborts or prints, and keeps no mutable state between calls: any number of
 *     handles may be used in different threads at once, each handle by one thread at a time. A dataset or a
 *     model that nobody is changing may be read by many threads.
 *   - Strings returned as `const char *` belong to the handle they come from. Strings returned through
 *     `char **` belong to the caller: crd_string_free.
 *   - The same seed gives the same bytes, whatever the number of threads.
 *   - Nodes are numbered from 0. Matrices are row-major. Uncertainties grow with doubt.
 */
#ifndef CREDENCE_H
#define CREDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CRD_API __attribute__((visibility("default")))
#define CRD_MUST_CHECK __attribute__((warn_unused_result))
#else
#define CRD_API
#define CRD_MUST_CHECK
#endif

/* ------------------------------------------------------------------------------------------------------
 * Version, status, errors
 * ---------------------------------------------------------------------------------------------------- */

#define CRD_VERSION "0.1.0"

/* The version of the library that is running, as opposed to CRD_VERSION, the one compiled against. */
CRD_API const char *crd_version(void);

typedef enum crd_status {
    CRD_OK = 0,
    CRD_ERROR_MEMORY,   /* an allocation failed */
    CRD_ERROR_IO,       /* a file could not be opened, read or written */
    CRD_ERROR_FORMAT,   /* a file's content is not what its format promises */
    CRD_ERROR_ARGUMENT, /* an option or argument is wrong */
    CRD_ERROR_MISMATCH, /* two things do not fit: model and data, split and data, ... */
    CRD_ERROR_NUMERIC   /* a value that should be a number is none */
} crd_status;

#define CRD_MESSAGE_SIZE 640

typedef struct crd_error {
    crd_status status;
    char about[48];                 /* the parameter or option that is wrong ("reg-weight"); "": none */
    char message[CRD_MESSAGE_SIZE]; /* one sentence, without dashes: "reg-weight is -1, expected 0 or more" */
} crd_error;

/* Releases a string that the library returned through a `char **`. */
CRD_API void crd_string_free(char **string);

/* ------------------------------------------------------------------------------------------------------
 * Data: a graph, its features, its labels
 * ---------------------------------------------------------------------------------------------------- */

typedef struct crd_dataset crd_dataset;

/* What to read beside the graph itself. Zero-initialise for the defaults. */
typedef struct crd_open_options {
    const char *features; /* node features for a bare edge list or matrix: .npy, .csv, .tsv, .svm, .mtx */
    const char *labels;   /* classes: .csv, .tsv (node,label or one label a line) or .npy */
} crd_open_options;

/* Opens a graph, whatever it is stored as: .npz (CSR or dense layout), a folder (of .npy, of text files,
 * or OGB's raw/ and split/), an edge list (.csv, .tsv, .txt, optionally .gz), Matrix Market (.mtx), or
 * "-" for any of the single files on standard input. The content decides, not the name. */
CRD_API CRD_MUST_CHECK crd_status crd_dataset_open(const char *path, const crd_open_options *options,
                                                   crd_dataset **dataset, crd_error *error);

/* The same from bytes in memory, for a single file; `name` is used in messages only. */
CRD_API CRD_MUST_CHECK crd_status crd_dataset_open_memory(const void *bytes, size_t size, const char *name,
                                                          crd_dataset **dataset, crd_error *error);

/* A graph that the program already holds. Everything is copied. Zero what does not apply. */
typedef struct crd_arrays {
    int64_t nodes;
    int64_t edges;         /* entries of source and target */
    const int64_t *source; /* directed or not, sorted or not, repeated or not: as crd_dataset_open */
    const int64_t *target;
    int64_t features;            /* columns */
    const float *dense;          /* nodes x features, or */
    const int64_t *row_start;    /* nodes + 1, with */
    const int32_t *column;       /* the columns of each row's non-zeros, and */
    const float *value;          /* their values (NULL: all 1) */
    const int32_t *labels;       /* one a node, -1 where unknown; NULL: none known */
    int32_t classes;             /* 0: one more than the largest label */
    const char *const *class_names; /* classes, or NULL */
    const char *const *node_names;  /* nodes, or NULL */
} crd_arrays;

CRD_API CRD_MUST_CHECK crd_status crd_dataset_from_arrays(const crd_arrays *arrays, crd_dataset **dataset,
                                                          crd_error *error);

typedef enum crd_format {
    CRD_FORMAT_AUTO, /* by the path: .npz, or a folder of .npy */
    CRD_FORMAT_NPZ,  /* one .npz, CSR layout */
    CRD_FORMAT_NPY,  /* a folder of .npy arrays */
    CRD_FORMAT_CSV,  /* a folder: edges.csv, features.svm or features.csv, labels.csv */
    CRD_FORMAT_MTX,  /* a folder: graph.mtx, features.mtx, labels.csv */
    CRD_FORMAT_OGB   /* a folder as OGB ships them: raw/ of .csv.gz, split/ */
} crd_format;

/* Reads a format's name ("npz", "npy", "csv", "mtx", "ogb", "auto"). */
CRD_API CRD_MUST_CHECK crd_status crd_format_parse(const char *name, crd_format *format, crd_error *error);

/* Writes beside the target and renames: an existing target is replaced whole or not at all. A folder must
 * not exist yet, or must be empty. */
CRD_API CRD_MUST_CHECK crd_status crd_dataset_save(const crd_dataset *dataset, const char *path,
                                                   crd_format format, crd_error *error);

CRD_API void crd_dataset_free(crd_dataset **dataset);

CRD_API int64_t crd_dataset_nodes(const crd_dataset *dataset);
CRD_API int64_t crd_dataset_features(const crd_dataset *dataset);
CRD_API int32_t crd_dataset_classes(const crd_dataset *dataset);
/* The class of a node, -1 where it is unknown or the node does not exist. */
CRD_API int32_t crd_dataset_label(const crd_dataset *dataset, int64_t node);
/* NULL where the input had no names. */
CRD_API const char *crd_dataset_node_name(const crd_dataset *dataset, int64_t node);
/* Never NULL for an existing class: the number itself where the input had no names. */
CRD_API const char *crd_dataset_class_name(const crd_dataset *dataset, int32_t class_index);
/* Finds a node by its number, or else by its name; -1 if there is none. Where the input itself speaks of nodes
 * by name (an edge list of names, or of numbers from 1), names go first; if these are all numbers, a number is
 * always a name. */
CRD_API int64_t crd_dataset_find_node(const crd_dataset *dataset, const char *name_or_number);
/* A hash of graph, features and labels that does not depend on how they were stored, as 16 hex digits. */
CRD_API const char *crd_dataset_fingerprint(const crd_dataset *dataset);
/* What was unusual about the input, one sentence each ("3 self-loops were dropped"). */
CRD_API int crd_dataset_note_count(const crd_dataset *dataset);
CRD_API const char *crd_dataset_note(const crd_dataset *dataset, int index);

typedef struct crd_info {
    int64_t nodes;
    int64_t input_edges;      /* distinct entries of the input, self-loops included */
    int64_t edges;            /* undirected edges that models see */
    bool directed;            /* some input edge has no counterpart */
    int64_t self_loops;       /* dropped */
    int64_t duplicates;       /* repeated entries, dropped */
    int64_t isolated;         /* nodes without any edge */
    int64_t components;
    int64_t largest_component; /* its nodes */
    int64_t degree_min, degree_max;
    double degree_mean, degree_median;
    int64_t features;
    bool features_sparse;        /* how they are held */
    int64_t features_nonzero;
    double feature_density;      /* fraction of non-zero entries */
    float feature_min, feature_max;
    int64_t featureless;         /* nodes whose features are all zero */
    int32_t classes;
    int64_t labelled;
    double edge_homophily;       /* of edges between labelled nodes, the fraction inside a class; -1: none */
    int splits;                  /* how many splits the input carries */
} crd_info;

CRD_API CRD_MUST_CHECK crd_status crd_dataset_info(const crd_dataset *dataset, crd_info *info,
                                                   crd_error *error);
/* The number of nodes of every class, into an array of crd_dataset_classes entries. */
CRD_API void crd_dataset_class_counts(const crd_dataset *dataset, int64_t *counts);
/* The same facts, the class counts and the notes as a JSON object. */
CRD_API CRD_MUST_CHECK crd_status crd_dataset_info_json(const crd_dataset *dataset, char **json,
                                                        crd_error *error);

/* Synthetic graphs. crd_generate_defaults gives the graph of `credence demo`. */
typedef struct crd_generate_options {
    char kind[16];     /* "blocks": degree-corrected blocks with bags of words; "toy": the paper's example */
    int64_t nodes;
    int32_t classes;
    int64_t features;      /* vocabulary */
    double degree;         /* mean number of neighbours */
    double homophily;      /* probability that an edge stays inside its class */
    double words;          /* mean number of words a node has */
    double strength;       /* probability that a word comes from the class, not from the background */
    double overlap;        /* how much of a look-alike class's topic comes from its sibling class */
    int32_t lookalikes;    /* the last classes that imitate an earlier one: hard to tell by probability */
    uint64_t seed;
} crd_generate_options;

CRD_API void crd_generate_defaults(crd_generate_options *options);
CRD_API CRD_MUST_CHECK crd_status crd_generate(const crd_generate_options *options, crd_dataset **dataset,
                                               crd_error *error);

/* ------------------------------------------------------------------------------------------------------
 * Splits: which nodes teach, which validate, which test
 * ---------------------------------------------------------------------------------------------------- */

typedef enum crd_role { CRD_ROLE_NONE = 0, CRD_ROLE_TRAIN, CRD_ROLE_VALIDATION, CRD_ROLE_TEST } crd_role;

typedef struct crd_split crd_split;

/* Makes a split.
 *   spec NULL or "auto": the data's own split if it has one; three quarters of the labelled nodes to train
 *   and a quarter to validate if some nodes are unlabelled; else 5/15/80.
 *   spec "5/15/80": percentages, stratified by class, or fractions if they add up to 1 or less; numbers with
 *   an "n" suffix ("20n/30n/rest") count nodes per class, "rest" takes what is left.
 * `index` picks one of the data's own splits. The split says in one line how it was made. */
CRD_API CRD_MUST_CHECK crd_status crd_split_make(const crd_dataset *dataset, const char *spec, int index,
                                                 uint64_t seed, crd_split **split, crd_error *error);
/* Reads .npz (arrays train, val, test of node numbers) or CSV (node,split). */
CRD_API CRD_MUST_CHECK crd_status crd_split_read(const crd_dataset *dataset, const char *path,
                                                 crd_split **split, crd_error *error);
/* From one crd_role a node. */
CRD_API CRD_MUST_CHECK crd_status crd_split_from_roles(const uint8_t *roles, int64_t nodes,
                                                       crd_split **split, crd_error *error);
CRD_API void crd_split_free(crd_split **split);
CRD_API crd_role crd_split_role(const crd_split *split, int64_t node);
CRD_API int64_t crd_split_count(const crd_split *split, crd_role role);
CRD_API const char *crd_split_description(const crd_split *split);

/* ------------------------------------------------------------------------------------------------------
 * Distribution shifts: test nodes that are not like those of training
 * ---------------------------------------------------------------------------------------------------- */

/* Only test nodes of classes that the model knows are shifted, after training. Noise replaces what the model
 * sees, the prepared features: preparation cannot undo it. Edges change where both ends are such nodes, and a
 * node is shifted if one of its own edges is removed or added. */
typedef enum crd_shift_kind {
    CRD_SHIFT_BERNOULLI, /* features become 0 or 1, each with probability 0.5 */
    CRD_SHIFT_NORMAL,    /* features become standard normal */
    CRD_SHIFT_REWIRE,    /* edges get a random new end */
    CRD_SHIFT_DICE       /* half of the budget deletes edges inside a class, half connects across classes;
                            at least one of each */
} crd_shift_kind;

typedef struct crd_shift {
    crd_shift_kind kind;
    double amount;      /* above 0, to 1: of the test nodes whose features change, or of the edges between
                           them; at least one */
    bool isolated;      /* each node is shifted alone, in a graph that is clean otherwise: an amount of edges
                           is then one of its own edges */
    int64_t most_nodes; /* isolated: no more than so many nodes, as each may take a prediction of its own */
    uint64_t seed;
} crd_shift;

/* bernoulli, 0.1, all at once, 100, seed 1. */
CRD_API void crd_shift_defaults(crd_shift *shift);
/* Reads "KIND:AMOUNT" or "KIND:AMOUNT:MODE", with the kinds "bernoulli", "normal", "rewire", "dice" and the
 * modes "all" and "isolated". What is not said stays as it is. */
CRD_API CRD_MUST_CHECK crd_status crd_shift_parse(const char *text, crd_shift *shift, crd_error *error);
/* NULL for any other number. */
CRD_API const char *crd_shift_kind_name(crd_shift_kind kind);

/* ------------------------------------------------------------------------------------------------------
 * Configuration: every choice that training makes
 * ---------------------------------------------------------------------------------------------------- */

typedef enum crd_activation {
    CRD_ACT_RELU,
    CRD_ACT_GELU,
    CRD_ACT_LOGSIGMOID,
    CRD_ACT_HARDTANH,
    CRD_ACT_SIGMOID,
    CRD_ACT_LINEAR /* no activation: for the theory's examples */
} crd_activation;

typedef enum crd_regulariser { CRD_REG_NONE, CRD_REG_DISTANCE, CRD_REG_EVIDENCE } crd_regulariser;

typedef enum crd_preprocessing {
    CRD_FEATURES_AUTO,
    CRD_FEATURES_NONE,
    CRD_FEATURES_ROWNORM,        /* each row divided by its sum */
    CRD_FEATURES_BINARY_ROWNORM, /* a positive entry becomes 1, then rownorm: the paper's */
    CRD_FEATURES_STANDARD        /* zero mean, unit variance */
} crd_preprocessing;

/* The kinds of model: "gpn", "appnp", "vgcn", "gkde-gcn", "lp", "gkde". NULL for any other index. */
CRD_API int crd_kind_count(void);
CRD_API const char *crd_kind_name(int index);
/* Whether the kind of that name is trained, on features; others come from the graph and its labels alone. */
CRD_API bool crd_kind_trained(const char *name);

/* Initialise with crd_config_defaults, then change fields or call crd_config_set. What a kind of model does
 * not have is 0. */
typedef struct crd_config {
    char model[16]; /* a kind; change it by crd_config_set, which sets that kind's values too */
    crd_preprocessing features;
    int64_t left_out;    /* the last classes, kept from training: out of distribution */
    bool inductive;      /* their nodes are not even in the graph of training; they are back to predict */
    int64_t hidden;
    int64_t latent;
    int64_t flow_layers;
    double teleport;
    int64_t steps;
    bool class_scale;    /* + log K in the evidence */
    bool rounded_alpha;  /* lp and gkde: 1 + evidence in single precision */
    double dropout;
    crd_activation activation;
    crd_regulariser reg;
    double reg_strength; /* weight of the regulariser as a mean: times training nodes / edges, both directions
                            of an edge counted; or */
    double reg_weight;   /* weight of the regulariser as a sum over the edges: the paper's lambda 2 */
    double entropy_weight;
    double share_weight; /* of -log of the true class's share of the evidence */
    double lr;
    double weight_decay; /* of a gpn: encoder only */
    int64_t warmup;
    int64_t patience;
    int64_t max_epochs;  /* of the main phase; -1: until patience ends it, or 200 without validation */
    uint64_t seed;
    int64_t threads;     /* 0: all cores */
} crd_config;

CRD_API void crd_config_defaults(crd_config *config);
/* Sets one option by its name on the command line, without the dashes ("reg-weight", "1e-4"). Setting "model"
 * to another kind gives every hyper-parameter that kind's value, so it goes first; another "reg" brings its
 * usual strength; of "reg-strength" and "reg-weight" the one set takes the other's place. An option that the
 * kind does not have is an error. */
CRD_API CRD_MUST_CHECK crd_status crd_config_set(crd_config *config, const char *name, const char *value,
                                                 crd_error *error);
/* The value of an option as it would be typed ("1e-4", "on", "relu"). An option that the kind does not have is an
 * error. */
CRD_API CRD_MUST_CHECK crd_status crd_config_get(const crd_config *config, const char *name, char **value,
                                                 crd_error *error);
/* Applies a preset's values, which are a gpn's: see crd_preset_name. */
CRD_API CRD_MUST_CHECK crd_status crd_config_preset(crd_config *config, const char *preset,
                                                    crd_error *error);
/* Applies a JSON object file with the same names; "preset" may be one of them and is applied first. */
CRD_API CRD_MUST_CHECK crd_status crd_config_read(crd_config *config, const char *path, crd_error *error);
CRD_API CRD_MUST_CHECK crd_status crd_config_json(const crd_config *config, char **json, crd_error *error);
/* Checks all values together; crd_train does so too, before any work. */
CRD_API CRD_MUST_CHECK crd_status crd_config_check(const crd_config *config, crd_error *error);

/* The options crd_config_set knows, for help texts and bindings. */
typedef struct crd_option {
    const char *name;          /* "reg-weight" */
    const char *argument;      /* "X", or NULL for a switch */
    const char *default_value; /* as text */
    const char *help;
} crd_option;

CRD_API int crd_option_count(void);
CRD_API const crd_option *crd_option_at(int index);
CRD_API int crd_preset_count(void);
CRD_API const char *crd_preset_name(int index);

/* ------------------------------------------------------------------------------------------------------
 * Training and model files
 * ---------------------------------------------------------------------------------------------------- */

typedef struct crd_model crd_model;

#define CRD_MAX_TERMS 4

/* Without validation nodes nothing says when to stop: so many epochs, unless max_epochs says otherwise. */
#define CRD_EPOCHS_WITHOUT_VALIDATION 200

typedef struct crd_epoch {
    bool warmup;        /* or, for gkde-gcn, an epoch of its teacher */
    int64_t epoch;      /* from 1, within its phase */
    double loss;        /* the weighted sum of the terms */
    int terms;
    const char *term_name[CRD_MAX_TERMS]; /* "uce", "entropy", "distance", "cross_entropy", ... */
    double term[CRD_MAX_TERMS];           /* weighted, as they enter the loss */
    double validation_cross_entropy;      /* NaN without validation nodes */
    double validation_accuracy;
    bool best;          /* a new best: these parameters are the ones kept so far */
    int64_t best_epoch; /* so far; 0 before the first */
    double seconds;     /* of this epoch */
} crd_epoch;

/* Called after every epoch. Return false to stop: training then ends with the best model so far, in
 * the warm-up with what it has made of the weights. */
typedef bool (*crd_progress)(const crd_epoch *epoch, void *user);

typedef struct crd_train_options {
    const crd_model *init; /* start from these weights; NULL: random ones */
    crd_progress progress;
    void *user;
} crd_train_options;

/* Trains on the split's training nodes; its left-out and test nodes are never looked at, but for their
 * features and edges. The kinds "lp" and "gkde" remember these nodes and need neither features nor epochs. */
CRD_API CRD_MUST_CHECK crd_status crd_train(const crd_dataset *dataset, const crd_split *split,
                                            const crd_config *config, const crd_train_options *options,
                                            crd_model **model, crd_error *error);
/* The bytes that crd_train would allocate at the same time, at most, beside the dataset: a sum over its plan, found
 * without training. */
CRD_API CRD_MUST_CHECK crd_status crd_train_memory(const crd_dataset *dataset, const crd_split *split,
                                                   const crd_config *config, int64_t *bytes, crd_error *error);

typedef enum crd_stop {
    CRD_STOP_PATIENCE,  /* no new best for so long */
    CRD_STOP_EPOCHS,    /* the largest number of epochs, so that more might give another model; also where it
                         * ended only the teacher of a gkde-gcn, which is trained first */
    CRD_STOP_REQUESTED, /* the call-back said so */
    CRD_STOP_UNTRAINED, /* the model was not trained here: loaded weights only */
    CRD_STOP_DIVERGED,  /* the loss stopped being a number; the best model before that was kept */
    CRD_STOP_NOTHING    /* there is nothing to train: the model remembers its training nodes */
} crd_stop;

typedef struct crd_model_facts {
    const char *kind;          /* "gpn" */
    int64_t features;          /* 0 for a kind that does not look at them */
    int32_t classes;           /* in distribution */
    int32_t left_out;
    int64_t parameters;        /* numbers trained */
    int64_t graph_nodes;       /* of the graph it was trained on */
    int64_t training_nodes;    /* of these, the ones that taught it */
    int64_t epochs;            /* of the main phase */
    int64_t best_epoch;        /* 0: no validation, the last one was kept */
    double best_cross_entropy; /* NaN without validation */
    double best_accuracy;
    double seconds;            /* of training; not stored in the file */
    crd_stop stop;
    const char *fingerprint;   /* of the data */
    const char *split;         /* its description */
    const char *version;       /* of the library that trained it */
} crd_model_facts;

CRD_API void crd_model_get_facts(const crd_model *model, crd_model_facts *facts);
/* The same facts and the configuration as a JSON object. */
CRD_API CRD_MUST_CHECK crd_status crd_model_facts_json(const crd_model *model, char **json,
                                                       crd_error *error);
/* How training ended, in one word: "patience", "epochs", "requested", "untrained", "diverged",
 * "nothing". */
CRD_API const char *crd_stop_name(crd_stop stop);
CRD_API const crd_config *crd_model_config(const crd_model *model);
CRD_API const char *crd_model_class_name(const crd_model *model, int32_t class_index);
/* The split that training used; belongs to the model. NULL for weights without our metadata. */
CRD_API const crd_split *crd_model_split(const crd_model *model);

/* The epochs of its training, those of the warm-up first: of a long training every second one, every fourth, ...,
 * so that there are never more than 5,000. Numbers are of single precision, `seconds` is 0. None for a model that
 * was not trained, or whose file does not tell. The terms' names belong to the model. */
CRD_API int64_t crd_model_history_count(const crd_model *model);
/* False for an index that is none. */
CRD_API bool crd_model_history_at(const crd_model *model, int64_t index, crd_epoch *epoch);

/* Model files are safetensors: weights under PyTorch's names and shapes, the rest as metadata. */
CRD_API CRD_MUST_CHECK crd_status crd_model_save(const crd_model *model, const char *path,
                                                 crd_error *error);
CRD_API CRD_MUST_CHECK crd_status crd_model_load(const char *path, crd_model **model, crd_error *error);
CRD_API CRD_MUST_CHECK crd_status crd_model_load_memory(const void *bytes, size_t size, const char *name,
                                                        crd_model **model, crd_error *error);
CRD_API void crd_model_free(crd_model **model);

/* ------------------------------------------------------------------------------------------------------
 * Answers
 * ---------------------------------------------------------------------------------------------------- */

typedef struct crd_prediction crd_prediction;

/* Classifies every node of a graph: the one of training, a grown one, or another with the same features (not
 * for the kinds that remember their training nodes, which must be there). */
CRD_API CRD_MUST_CHECK crd_status crd_predict(const crd_model *model, const crd_dataset *dataset,
                                              int threads, crd_prediction **prediction, crd_error *error);
CRD_API void crd_prediction_free(crd_prediction **prediction);

/* The rows: as many as nodes, unless crd_prediction_keep took some away. */
CRD_API int64_t crd_prediction_nodes(const crd_prediction *prediction);
CRD_API int32_t crd_prediction_classes(const crd_prediction *prediction);
/* The most probable class of every node. */
CRD_API const int32_t *crd_prediction_class(const crd_prediction *prediction);
/* nodes x classes */
CRD_API const float *crd_prediction_probability(const crd_prediction *prediction);
/* The same after and before the graph; NULL if the model has no such thing. */
CRD_API const float *crd_prediction_alpha(const crd_prediction *prediction);
CRD_API const float *crd_prediction_alpha_features(const crd_prediction *prediction);
/* Where a node lies before its class is decided, rows x dims: a gpn's latent space, of other trained kinds the
 * hidden layer. NULL and 0 if the model has no such thing. */
CRD_API const float *crd_prediction_latent(const crd_prediction *prediction);
CRD_API int64_t crd_prediction_latent_dims(const crd_prediction *prediction);

typedef enum crd_score {
    CRD_SCORE_EPISTEMIC,          /* -alpha0, of a vgcn the energy: the node is unlike the training nodes */
    CRD_SCORE_ALEATORIC,          /* -max p: the answer is ambiguous */
    CRD_SCORE_EPISTEMIC_FEATURES, /* -alpha0 before the graph: "without network" */
    CRD_SCORE_EPISTEMIC_CLASS     /* -max alpha: the epistemic score for misclassification */
} crd_score;

/* "epistemic", "aleatoric", "epistemic_features", "epistemic_class"; NULL for any other number. */
CRD_API const char *crd_score_name(crd_score score);
/* One uncertainty a row; NULL if the model has none of this kind. */
CRD_API const double *crd_prediction_score(const crd_prediction *prediction, crd_score score);

/* Which nodes to send to a person. Zero-initialise for none. */
typedef struct crd_rejection {
    bool by_threshold;
    double above;      /* flags nodes whose uncertainty is above this, or */
    bool by_coverage;
    double coverage;   /* flags the most uncertain ones so that this fraction is answered */
    crd_score score;   /* which uncertainty decides */
} crd_rejection;

/* Marks nodes; the files that crd_prediction_write writes then have a column for it. */
CRD_API CRD_MUST_CHECK crd_status crd_prediction_reject(crd_prediction *prediction,
                                                        const crd_rejection *rejection, int64_t *rejected,
                                                        crd_error *error);

/* 1 where crd_prediction_reject marked a row, one a row; NULL before it. */
CRD_API const uint8_t *crd_prediction_rejected(const crd_prediction *prediction);

/* Keeps some rows only, those with keep[row] set: of the nodes that are unlabelled, or rejected, say. Rows
 * are nodes until this is called, and stay in the nodes' order. */
CRD_API CRD_MUST_CHECK crd_status crd_prediction_keep(crd_prediction *prediction, const bool *keep,
                                                      crd_error *error);
/* The node of a row. */
CRD_API int64_t crd_prediction_node(const crd_prediction *prediction, int64_t row);

typedef enum crd_table_format {
    CRD_TABLE_AUTO, /* by the path's ending (.csv, .npz, .jsonl, .ndjson); CSV for "-" */
    CRD_TABLE_CSV,
    CRD_TABLE_NPZ,
    CRD_TABLE_JSONL
} crd_table_format;

/* Writes one row a node to a file, or to standard output for "-". `full` adds every alpha and
 * probability, and to NPZ the latent positions. Names come from the dataset, which may be NULL. */
CRD_API CRD_MUST_CHECK crd_status crd_prediction_write(const crd_prediction *prediction,
                                                       const crd_dataset *dataset, const char *path,
                                                       crd_table_format format, bool full,
                                                       crd_error *error);

/* Metrics that do not apply are NaN here and null in JSON. Fractions, not percent. */
typedef struct crd_detection {
    double auroc;
    double aupr;  /* trapezoidal; positives: the out-of-distribution nodes */
    double ap;    /* average precision */
    double fpr95; /* false-positive rate where 95 % of the positives are found */
} crd_detection;

typedef struct crd_failure {
    double auroc;
    double aupr_error;   /* positives: wrong answers */
    double aupr_success; /* positives: right answers */
    double aurc;         /* area under the risk-coverage curve */
} crd_failure;

typedef enum crd_task {
    CRD_TASK_OOD,
    CRD_TASK_MISCLASSIFICATION,
    CRD_TASK_SHIFT /* crd_evaluate_shift */
} crd_task;

typedef struct crd_evaluation {
    crd_task task;
    int64_t nodes;      /* evaluated */
    int64_t positives;  /* out-of-distribution nodes, wrong answers, or shifted nodes */
    double accuracy;    /* on the in-distribution nodes evaluated; those that were not shifted */
    double prevalence;  /* positives / nodes */
    crd_detection ood_aleatoric, ood_epistemic, ood_epistemic_features; /* finding the positives, shift too */
    crd_failure failure_aleatoric, failure_epistemic;
    double ece, brier, nll; /* misclassification task; ECE with 15 equal-width bins */
    crd_shift shift;                          /* of the shift task, with */
    double accuracy_shifted, accuracy_before; /* that of the shifted nodes, and theirs on clean data */
    int64_t edges_removed, edges_added;       /* of all nodes together */
} crd_evaluation;

/* Evaluates on the test nodes of a split; NULL: the split stored in the model, which must then have been
 * trained on this very dataset. */
CRD_API CRD_MUST_CHECK crd_status crd_evaluate(const crd_model *model, const crd_dataset *dataset,
                                               const crd_split *split, crd_task task, int threads,
                                               crd_evaluation *evaluation, crd_error *error);
/* Shifts test nodes and looks whether the model notices: positives are the shifted nodes, the others are the
 * test nodes of the model's classes that were not. Detection is NaN where nothing is left to compare with. */
CRD_API CRD_MUST_CHECK crd_status crd_evaluate_shift(const crd_model *model, const crd_dataset *dataset,
                                                     const crd_split *split, const crd_shift *shift,
                                                     int threads, crd_evaluation *evaluation,
                                                     crd_error *error);
CRD_API CRD_MUST_CHECK crd_status crd_evaluation_json(const crd_evaluation *evaluation, char **json,
                                                      crd_error *error);

/* Where a node's evidence comes from. Diffusion is linear, so alpha - 1 is an exact sum over nodes. This
 * holds for the kinds "gpn", "lp" and "gkde"; for others crd_explain says that it does not. */
typedef struct crd_contribution {
    int64_t node;
    int32_t hops;           /* distance to the explained node; -1: there is no path */
    const double *evidence; /* per class */
    double total;           /* over the classes */
} crd_contribution;

typedef struct crd_explanation crd_explanation;

/* `most` limits the contributions listed; what they leave out is the rest. */
CRD_API CRD_MUST_CHECK crd_status crd_explain(const crd_model *model, const crd_dataset *dataset,
                                              int64_t node, int64_t most, int threads,
                                              crd_explanation **explanation, crd_error *error);
CRD_API void crd_explanation_free(crd_explanation **explanation);
CRD_API int32_t crd_explanation_classes(const crd_explanation *explanation);
CRD_API const double *crd_explanation_alpha(const crd_explanation *explanation);
CRD_API int64_t crd_explanation_count(const crd_explanation *explanation);
CRD_API const crd_contribution *crd_explanation_at(const crd_explanation *explanation, int64_t index);
CRD_API const double *crd_explanation_rest(const crd_explanation *explanation);
CRD_API CRD_MUST_CHECK crd_status crd_explanation_json(const crd_explanation *explanation, char **json,
                                                       crd_error *error);

/* ------------------------------------------------------------------------------------------------------
 * Metrics on plain arrays, for scores that come from elsewhere. NaN where undefined (a class is empty).
 * ---------------------------------------------------------------------------------------------------- */

CRD_API CRD_MUST_CHECK crd_status crd_detection_metrics(const double *score, const bool *positive,
                                                        int64_t count, crd_detection *metrics,
                                                        crd_error *error);
CRD_API CRD_MUST_CHECK crd_status crd_failure_metrics(const double *uncertainty, const bool *wrong,
                                                      int64_t count, crd_failure *metrics,
                                                      crd_error *error);

/* ------------------------------------------------------------------------------------------------------
 * Maps: points of many dimensions in two, so that neighbours stay neighbours (t-SNE)
 * ---------------------------------------------------------------------------------------------------- */

typedef struct crd_tsne_state {
    int64_t iteration;  /* that has just been made; 0 while neighbours are still searched */
    int64_t iterations; /* in all */
    double divergence;  /* of the map before this iteration; NaN but in every fiftieth */
} crd_tsne_state;

/* Called after every iteration, and now and then before the first. Return false to stop: the map is then what it has
 * become so far. */
typedef bool (*crd_tsne_progress)(const crd_tsne_state *state, void *user);

/* Begin with crd_tsne_defaults. */
typedef struct crd_tsne_options {
    double perplexity;    /* 30: about how many neighbours a point has; lowered to a third of the other points where
                           * there are too few */
    int64_t iterations;   /* 1000 in all, of which the first */
    int64_t early;        /* 250 are exaggerated by */
    double exaggeration;  /* 12 */
    double learning_rate; /* 0: count / exaggeration / 4, at least 50 */
    const float *start;   /* count x 2; NULL: the first two principal components, scaled so that the first has a
                           * standard deviation of 1e-4 */
    uint64_t seed;        /* moves every point of the start by some ten-thousandth of its extent, so that points
                           * that are the same can part */
    int threads;          /* 0: all cores */
    crd_tsne_progress progress;
    void *user;
} crd_tsne_options;

CRD_API void crd_tsne_defaults(crd_tsne_options *options);
/* Maps count points of `dims` coordinates each; options NULL: the defaults. map is count x 2, and is left alone if the
 * call fails. Up to 1024 points all pairs count; beyond, each point's nearest 3 * perplexity + 1 do, and the forces
 * between all points are interpolated on a grid. The divergence reached (Kullback and Leibler's, may be NULL) is NaN
 * where the call-back stopped before the first iteration. */
CRD_API CRD_MUST_CHECK crd_status crd_tsne(const float *points, int64_t count, int64_t dims,
                                           const crd_tsne_options *options, float *map, double *divergence,
                                           crd_error *error);

/* ------------------------------------------------------------------------------------------------------
 * Reports: an HTML page in one file that needs no network
 * ---------------------------------------------------------------------------------------------------- */

typedef struct crd_report crd_report;

/* An empty page. What it holds is kept packed, so it takes about as much memory as the file will. */
CRD_API CRD_MUST_CHECK crd_status crd_report_new(const char *title, crd_report **report, crd_error *error);
/* What to show of a model. Initialise with crd_report_defaults. */
typedef struct crd_report_options {
    const char *title;      /* of the part; NULL: "gpn on DATA" */
    const char *data;       /* how the data are called; NULL: not said */
    const char *command;    /* that makes the report; NULL: not said */
    const crd_split *split; /* whose test nodes are evaluated; NULL: the model's own, if it was trained on these
                             * very data, else none */
    const float *map;       /* nodes x 2; NULL: by t-SNE of the latent positions, of a model without any of the
                             * probabilities, */
    crd_tsne_options tsne;  /* with these options, but for its threads, which are */
    int threads;            /* these; 0: all cores */
} crd_report_options;

CRD_API void crd_report_defaults(crd_report_options *options);
/* Adds a part of the kind "model": the map of its latent space, its answers and doubts, where evidence comes from,
 * curves, training. What there is none of (labels, test nodes, evidence, ...) the page goes without. Options of
 * NULL are the defaults. If it fails, the report is as it was. */
CRD_API CRD_MUST_CHECK crd_status crd_report_add_model(crd_report *report, const crd_model *model,
                                                       const crd_dataset *dataset,
                                                       const crd_report_options *options, crd_error *error);
/* Writes beside the target and renames; "-" is standard output. The same report has the same bytes. */
CRD_API CRD_MUST_CHECK crd_status crd_report_save(const crd_report *report, const char *path, crd_error *error);
CRD_API void crd_report_free(crd_report **report);

#ifdef __cplusplus
}
#endif

#endif
