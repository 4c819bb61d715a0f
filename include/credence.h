/* SPDX-License-Identifier: MIT */
/* credence.h - the whole public interface of libcredence.
 *
 * Credence classifies the nodes of a graph and says which of its answers not to trust. The usual way:
 *
 *     crd_dataset_open  ->  crd_split_make  ->  crd_train  ->  crd_predict / crd_evaluate / crd_explain
 *
 * Conventions
 *   - Every call that can fail returns a crd_status and takes a crd_error as its last argument, which may be
 *     NULL. A failing call writes one sentence for a person into it: what is wrong, where, and what was
 *     expected. Handles are then NULL and other outputs are unchanged.
 *   - Pointers must not be NULL unless a comment says that they may be; an array of no items may be. Every call
 *     looks: those that return a crd_status fail ("crd_predict: model is NULL"), others return 0, NULL, NaN, false
 *     or -1, whichever says that there is nothing. (No attribute marks these arguments: with one, compilers take
 *     the checks away.)
 *   - Handles are opaque. What a call creates, the matching _free function releases. It takes the address of
 *     the handle and sets the handle to NULL; if the handle is NULL already, it does nothing.
 *   - The library never exits, aborts or prints. Between calls it keeps no state but the allocator and the log
 *     that you may choose (crd_set_allocator, crd_set_log). You may use any number of handles in different threads
 *     at once, but change a handle from one thread only.
 *   - A `const char *` or array that a call returns belongs to the handle it came from. A string that a call
 *     returns through `char **` is yours: release it with crd_string_free. For `uint8_t **` that is crd_bytes_free.
 *   - The same seed gives the same bytes with any number of threads. 0 threads means as many as the process may use:
 *     the cores in its affinity mask, or fewer if its control groups (of either version) have a CPU quota, rounded up,
 *     or if the environment variable OMP_NUM_THREADS is a smaller number above 0 or a list that begins with one. Any
 *     other number is taken as it is.
 *   - Nodes are numbered from 0. Matrices are row-major. Uncertainties grow with doubt.
 *   - Structures of options begin with their size, so that a program that was compiled with an older header
 *     works with a newer library. Fill them with the matching _defaults function; if there is none, with zeros
 *     and their size: crd_open_options options = {sizeof options}. Then change what you want. NULL instead of
 *     options means the defaults. The macros behind some calls pass the size of structures that a call fills.
 *   - Calls that take long have a crd_control: threads, progress, and a flag that stops them.
 */
#ifndef CREDENCE_H
#define CREDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Define CRD_STATIC if you link libcredence.a (the CMake target Credence::static and pkg-config --static do so):
 * nothing is exported then, and a plugin that has Credence inside does not show its functions to others. */
#if defined(__GNUC__) && !defined(CRD_STATIC)
#define CRD_API __attribute__((visibility("default")))
#else
#define CRD_API
#endif
#if defined(__GNUC__)
#define CRD_MUST_CHECK __attribute__((warn_unused_result))
#else
#define CRD_MUST_CHECK
#endif
/* In front of every call that can fail: it is exported, and the caller must check its status. */
#define CRD_CALL CRD_API CRD_MUST_CHECK crd_status

/* ---- Version, status, errors ------------------------------------------------------------------------- */

/* The version that your program is compiled with, as numbers for #if and as text ("0.1.0"). */
#define CRD_VERSION_MAJOR 0
#define CRD_VERSION_MINOR 1
#define CRD_VERSION_PATCH 0
#define CRD_VERSION CRD_TEXT_OF(CRD_VERSION_MAJOR) "." CRD_TEXT_OF(CRD_VERSION_MINOR) "." CRD_TEXT_OF(CRD_VERSION_PATCH)
#define CRD_TEXT_OF(macro) CRD_TEXT_AS_IT_IS(macro)
#define CRD_TEXT_AS_IT_IS(words) #words

/* The version of the running library. */
CRD_API const char *crd_version(void);

typedef enum crd_status {
    CRD_OK = 0,
    CRD_ERROR_MEMORY,   /* an allocation failed */
    CRD_ERROR_IO,       /* a file could not be opened, read or written */
    CRD_ERROR_FORMAT,   /* the content of a file is not what its format promises */
    CRD_ERROR_ARGUMENT, /* an option or argument is wrong */
    CRD_ERROR_MISMATCH, /* two things do not fit together: model and data, split and data, ... */
    CRD_ERROR_NUMERIC,  /* training or a computation left the range of numbers */
    CRD_ERROR_STOPPED   /* somebody asked to stop: see crd_control */
} crd_status;

#define CRD_MESSAGE_SIZE 640

typedef struct crd_error {
    crd_status status;
    char about[48];                 /* the option or parameter that is wrong, for example "lr"; or empty */
    char message[CRD_MESSAGE_SIZE]; /* "lr is -1, expected a number from 1e-12 to 1000000" */
} crd_error;

/* ---- Limits ---- */

#define CRD_MAX_NODES 2147483647    /* of a graph; there is no limit to its edges but memory */
#define CRD_MAX_FEATURES 2147483647 /* columns */
#define CRD_MAX_CLASSES 4096        /* that a model knows; data may have more */
#define CRD_MAX_HIDDEN 65536        /* the option "hidden" */
#define CRD_MAX_LATENT 512          /* the option "latent" */
#define CRD_MAX_THREADS 1024        /* of one call; a larger number is taken for this one */
/* Bytes of stack that a thread needs to call any function here, whatever the data are. The library's own threads have
 * the stacks that the system gives to new threads. */
#define CRD_STACK_SIZE 131072

/* ---- Memory ---- */

/* Where the library gets its memory, for a program that counts or limits it. The functions are like those of the C
 * library, with `user` at the end; NULL from them is CRD_ERROR_MEMORY. Blocks must be aligned for any type. Several
 * threads may call them at once. */
typedef struct crd_allocator {
    size_t size; /* sizeof this structure */
    void *(*allocate)(size_t bytes, void *user);
    void *(*allocate_zero)(size_t bytes, void *user); /* the same, filled with zeros; NULL: allocate is used */
    void *(*reallocate)(void *block, size_t bytes,
                        void *user);          /* block is never NULL; NULL: allocate and release are used */
    void (*release)(void *block, void *user); /* block is never NULL */
    void *user;
} crd_allocator;

/* Chooses the allocator of the whole process; NULL: the C library's, as at the start. Call it before any other
 * function, or when everything that the library made has been released: a block goes back to the allocator that is
 * chosen then. What other libraries take for themselves does not come from it: the C library's files and threads, and
 * jansson, which reads the JSON of models and configurations (its json_set_alloc_funcs is for the whole process, so it
 * is yours). */
CRD_CALL crd_set_allocator(const crd_allocator *allocator, crd_error *error);

/* ---- Log ---- */

typedef enum crd_log_level {
    CRD_LOG_DETAIL, /* what was chosen and why: threads, instruction set; several lines per call */
    CRD_LOG_INFO,   /* a model was loaded or trained; the memory that a training takes */
    CRD_LOG_WARNING /* it goes on, but not as it should: threads could not be started, a training diverged */
} crd_log_level;

/* Gets one line, without its end, that is valid until it returns; the words may change with any version. It runs on the
 * thread that called the library, on several at once if several call it. It must return: it must neither throw nor
 * longjmp. */
typedef void (*crd_log_function)(int level, const char *message, void *user);

/* Chooses who gets the lines of the whole process; NULL: nobody, as at the start. A thread that is inside the function
 * before may still be there when this call returns. */
CRD_API void crd_set_log(crd_log_function log, void *user);

/* Releases a string that a call returned through `char **`. */
CRD_API void crd_string_free(char **string);
/* Releases what a call returned through `uint8_t **`. */
CRD_API void crd_bytes_free(uint8_t **bytes);

/* Takes what would otherwise go to a file: the _write functions call it one or more times, in order, on the calling
 * thread, with the very bytes that the file would have. Return false to stop: the call then fails with CRD_ERROR_IO,
 * and the writer is not called again. It must neither throw nor longjmp. */
typedef bool (*crd_writer)(const void *bytes, size_t size, void *user);

typedef struct crd_dataset crd_dataset;
typedef struct crd_split crd_split;
typedef struct crd_config crd_config;
typedef struct crd_model crd_model;
typedef struct crd_prediction crd_prediction;
typedef struct crd_explanation crd_explanation;
typedef struct crd_report crd_report;
typedef struct crd_serving crd_serving;

/* ---- Long calls: threads, progress, stopping ---------------------------------------------------------- */

typedef struct crd_epoch crd_epoch;           /* of training; see below */
typedef struct crd_tsne_state crd_tsne_state; /* of a map; see below */

/* How far a call is. It may grow at its end. */
typedef struct crd_progress {
    const char *phase;         /* "reading", "training", "predicting", "evaluating", "mapping", ... */
    double done;               /* how much of a map is done, 0 to 1; NaN in other phases */
    const crd_epoch *epoch;    /* training, right after an epoch; else NULL */
    const crd_tsne_state *map; /* mapping, right after an iteration; else NULL */
} crd_progress;

/* Every call that may take long takes one of these, alone or in its options. (Those that write take a crd_writer, which
 * may refuse.) NULL means: 0 threads, no progress, no stopping.
 *   - `stop`: make *stop something other than 0, from any thread or a signal handler, and the call returns soon, with
 *     CRD_ERROR_STOPPED and nothing made: for a million nodes and ten million edges within 200 ms, on a machine that
 *     has cores to spare. crd_train returns the best model so far, if it has finished an epoch, with CRD_OK; that model
 *     is not calibrated, and promises nothing. The library reads *stop while you write it, so write it atomically: an
 *     atomic_int in C, or a std::atomic<int> in C++, whose address you cast, or a volatile sig_atomic_t in a signal
 *     handler.
 *   - `progress` is called in the thread that made the call, after every epoch or iteration, and in between every 20 ms
 *     or so. Return false to stop. This is as with the flag, but once crd_train has begun its epochs, it only ends
 *     them, and still calibrates the model, as after any training. The function must return: it must not throw an
 *     exception or call longjmp. It may read the handles that the call was given, and change none of them. */
typedef struct crd_control {
    size_t size;     /* sizeof this structure */
    int threads;     /* 0: as many as the process may use */
    const int *stop; /* or NULL */
    bool (*progress)(const crd_progress *progress, void *user);
    void *user; /* handed to progress */
} crd_control;

/* ---- Data: a graph, its features, its labels --------------------------------------------------------- */

/* Whether the first row of a text table names its columns. */
typedef enum crd_header { CRD_HEADER_AUTO, CRD_HEADER_YES, CRD_HEADER_NO } crd_header;
/* The first node number in edges and labels that are text. */
typedef enum crd_first_id { CRD_FIRST_ID_AUTO, CRD_FIRST_ID_0, CRD_FIRST_ID_1 } crd_first_id;
/* What to do with weights of edges. Every edge that stays counts the same. An edge of weight 0 is none. */
typedef enum crd_edge_weights {
    CRD_WEIGHTS_AUTO,   /* weights other than 1 are not used, and a note says so */
    CRD_WEIGHTS_IGNORE, /* they are not used */
    CRD_WEIGHTS_REFUSE  /* they are an error */
} crd_edge_weights;

/* What to read in addition to the graph itself, and how to read text if the guess is wrong. Zero is the default. */
typedef struct crd_open_options {
    size_t size;          /* sizeof this structure */
    const char *features; /* node features for an edge list or matrix: .csv, .tsv, .npy, .npz, .svm, .mtx, .json */
    const char *labels;   /* classes: .csv, .tsv (node,label or one label per line) or .npy */
    crd_header header;    /* of every table of text: edges, features, labels, names */
    crd_first_id first_id;
    crd_edge_weights edge_weights;
    double min_edge_weight; /* leaves out edges of a smaller weight; 0: none */
    const crd_control *control;
    /* Columns of tables, by their name or their number from 1. NULL: those that can be told by their place. */
    const char *label_column;     /* of the labels; it is never a feature */
    const char *id_column;        /* of the nodes, in labels and features; "none": rows are in the order of the nodes */
    const char *category_columns; /* of features, separated by commas: their values are categories, even numbers */
    const char *ignore_columns;   /* likewise: they are no features */
} crd_open_options;

/* Opens a graph: .npz (CSR or dense arrays), a folder (of .npy arrays, of text files, or OGB's), an edge list
 * (.csv, .tsv, .txt, also .gz), Matrix Market (.mtx), or "-" for one such file on standard input. The content
 * decides, not the name. */
CRD_CALL crd_dataset_open(const char *path, const crd_open_options *options, crd_dataset **dataset, crd_error *error);
/* The same for the bytes of a single file; `name` is for messages, NULL: "memory". */
CRD_CALL crd_dataset_open_memory(const void *bytes, size_t size, const char *name, crd_dataset **dataset,
                                 crd_error *error);

/* The types of an array's items. */
typedef enum crd_type { CRD_INT32 = 1, CRD_INT64, CRD_FLOAT32, CRD_FLOAT64 } crd_type;

/* An array that your program holds: {from, CRD_INT64}. This structure will never grow. */
typedef struct crd_numbers {
    const void *data; /* aligned for its type; NULL: there is none */
    crd_type type;
} crd_numbers;

/* A graph that your program already holds. The arrays are only read, never written to. Leave at zero what does not
 * apply.
 *
 * Everything is copied, unless you set `release`: then the dataset *borrows* the arrays. Those that already are what
 * the library holds become part of it as they are, and must stay there unchanged until `release` is called:
 *   - int64 starts, and int32 neighbours whose rows ascend without repetitions;
 *   - float32 dense features whose stride is the number of features, at least half of them other than 0;
 *   - int64 row starts, int32 columns and float32 values of sparse features, less than half of all, whose rows ascend
 *     without repetitions and zeros.
 * Of the other arrays, those that need it are converted. If every edge has its reverse and none is a self-loop, your
 * arrays are also the graph that models see; else that is made beside them. Labels and names are always copied. */
typedef struct crd_arrays {
    size_t size; /* sizeof this structure */
    int64_t nodes;
    /* Edges, in one direction or both; repeated ones are dropped. Either pairs in any order (int32 or int64): */
    int64_t edges; /* entries of source and target, or of neighbour */
    crd_numbers source;
    crd_numbers target;
    /* or compressed rows, as SciPy's CSR has them in indptr and indices (each int32 or int64): */
    crd_numbers start;     /* nodes + 1 entries, from 0 to `edges` */
    crd_numbers neighbour; /* those of node i are neighbour[start[i]] .. neighbour[start[i + 1] - 1], in any order */
    crd_numbers weight;    /* of each edge, of any type; NULL: all 1. What it is for: see crd_edge_weights */
    crd_edge_weights edge_weights;
    double min_edge_weight; /* leaves out edges of a smaller weight; 0: none */
    /* Features, float32 or float64, held as float32: */
    int64_t features;     /* columns */
    crd_numbers dense;    /* nodes x features, */
    int64_t dense_stride; /* items, not bytes, from one row to the next; 0: as many as features */
    /* or in sparse form (row_start and column each int32 or int64): */
    int64_t entries;       /* of column and value */
    crd_numbers row_start; /* nodes + 1 entries, from 0 to `entries` */
    crd_numbers column;    /* in any order within a row; the values of a repeated column add up, as SciPy means it */
    crd_numbers value;     /* NULL: all 1 */
    const int32_t *labels; /* one per node, -1 if unknown; NULL: none is known */
    int32_t classes;       /* 0: one more than the largest label; a class without nodes is dropped, with a note */
    const char *const *class_names;   /* one per class, or NULL */
    const char *const *node_names;    /* one per node, or NULL */
    const char *const *feature_names; /* one per feature, or NULL */
    /* Called exactly once, when none of the arrays is needed any longer: before the call returns if it fails or keeps
     * none of them, else by crd_dataset_free. It runs on the thread of that call and must not throw or longjmp. If
     * `size` was not set, nothing else is read or called. */
    void (*release)(void *user);
    void *user; /* handed to release */
    const crd_control *control;
} crd_arrays;
CRD_CALL crd_dataset_from_arrays(const crd_arrays *arrays, crd_dataset **dataset, crd_error *error);

/* Synthetic graphs; the defaults give the graph of `credence demo`. */
typedef struct crd_generate_options {
    size_t size; /* sizeof this structure */
    int64_t nodes;
    int32_t classes;
    int64_t features;   /* different words */
    double degree;      /* mean number of neighbours */
    double homophily;   /* probability that an edge stays inside its class */
    double words;       /* mean number of words per node */
    double strength;    /* probability that a word comes from the class rather than from the background */
    double overlap;     /* how many words of a look-alike class come from the class it imitates, 0 to 1 */
    int32_t lookalikes; /* how many classes, the last ones, imitate an earlier class */
    uint64_t seed;
    const crd_control *control;
} crd_generate_options;
CRD_API void crd_generate_defaults_sized(crd_generate_options *options, size_t size);
#define crd_generate_defaults(options) crd_generate_defaults_sized(options, sizeof *(options))
CRD_CALL crd_generate(const crd_generate_options *options, crd_dataset **dataset, crd_error *error);

typedef enum crd_format {
    CRD_FORMAT_AUTO, /* by the path: .npz, else a folder of .npy */
    CRD_FORMAT_NPZ,  /* one .npz file, CSR arrays */
    CRD_FORMAT_NPY,  /* a folder of .npy arrays */
    CRD_FORMAT_CSV,  /* a folder: edges.csv, features.svm or features.csv, labels.csv */
    CRD_FORMAT_MTX,  /* a folder: graph.mtx, features.mtx, labels.csv */
    CRD_FORMAT_OGB   /* a folder in OGB's layout: raw/ with .csv.gz, split/ */
} crd_format;

/* The file or folder appears whole or not at all. A file is replaced; a folder must be new or empty. */
CRD_CALL crd_dataset_save(const crd_dataset *dataset, const char *path, crd_format format, crd_error *error);
/* The dataset as an .npz file, to a writer. */
CRD_CALL crd_dataset_write(const crd_dataset *dataset, crd_writer writer, void *user, crd_error *error);
CRD_API void crd_dataset_free(crd_dataset **dataset);

CRD_API int64_t crd_dataset_nodes(const crd_dataset *dataset);
CRD_API int64_t crd_dataset_features(const crd_dataset *dataset);
CRD_API int32_t crd_dataset_classes(const crd_dataset *dataset);
/* The class of a node; -1 if it is unknown or there is no such node. */
CRD_API int32_t crd_dataset_label(const crd_dataset *dataset, int64_t node);
/* NULL if the input had no names. */
CRD_API const char *crd_dataset_node_name(const crd_dataset *dataset, int64_t node);
/* NULL if the input had no names. */
CRD_API const char *crd_dataset_feature_name(const crd_dataset *dataset, int64_t feature);
/* The number itself if the input had no names; NULL if there is no such class. */
CRD_API const char *crd_dataset_class_name(const crd_dataset *dataset, int32_t class_index);
/* Finds a node by number or else by name; -1: there is none. Names come first if the input itself names its nodes, as
 * an edge list of names or of numbers from 1 does. */
CRD_API int64_t crd_dataset_find_node(const crd_dataset *dataset, const char *name_or_number);

/* The dataset's own arrays: nothing is copied, and nothing may be written to. They live as long as the dataset. The
 * pointers that calls fill may be NULL if you do not need them. */

/* The class of each node; -1: unknown. */
CRD_API const int32_t *crd_dataset_labels(const crd_dataset *dataset);
/* The graph that models see, as compressed rows: both directions of every edge, no self-loop. `start` has nodes + 1
 * entries, rows ascend. Returns the number of neighbours. */
CRD_API int64_t crd_dataset_adjacency(const crd_dataset *dataset, const int64_t **start, const int32_t **neighbour);
/* The same for the graph as it was given, without repetitions. These are the arrays of crd_dataset_adjacency if both
 * directions of every edge were given, and no self-loop. */
CRD_API int64_t crd_dataset_input(const crd_dataset *dataset, const int64_t **start, const int32_t **neighbour);
/* Features are held in one of two forms, whatever form they had: sparse if fewer than half are other than 0. */
/* nodes x features; NULL if they are sparse, or there are none. */
CRD_API const float *crd_dataset_dense(const crd_dataset *dataset);
/* Compressed rows that ascend, without zeros. Returns the number of values; 0, and NULL pointers, if features are dense
 * or there are none. */
CRD_API int64_t crd_dataset_sparse(const crd_dataset *dataset, const int64_t **row_start, const int32_t **column,
                                   const float **value);
/* All names; NULL if the input had none, or if there are no classes. */
CRD_API const char *const *crd_dataset_node_names(const crd_dataset *dataset);
CRD_API const char *const *crd_dataset_feature_names(const crd_dataset *dataset);
CRD_API const char *const *crd_dataset_class_names(const crd_dataset *dataset);

/* A hash of graph, features and labels, in 16 hex digits. It does not depend on the format they came from. */
CRD_API const char *crd_dataset_fingerprint(const crd_dataset *dataset);
/* Notes about what was unusual in the input, one sentence each ("3 self-loops were dropped"). */
CRD_API int crd_dataset_note_count(const crd_dataset *dataset);
CRD_API const char *crd_dataset_note(const crd_dataset *dataset, int index);

typedef struct crd_info {
    int64_t nodes;
    int64_t input_edges; /* different entries of the input, with self-loops */
    int64_t edges;       /* undirected edges that models see */
    bool directed;       /* some edges of the input have their reverse and others do not; an input that has each
                          * edge once says nothing about directions */
    int64_t self_loops;  /* dropped */
    int64_t duplicates;  /* repeated entries, dropped */
    int64_t isolated;    /* nodes without any edge */
    int64_t components;
    int64_t largest_component; /* its nodes */
    int64_t degree_min, degree_max;
    double degree_mean, degree_median;
    int64_t features;
    bool features_sparse; /* how they are held in memory */
    int64_t features_nonzero;
    double feature_density; /* fraction of non-zero entries */
    float feature_min, feature_max;
    int64_t featureless; /* nodes whose features are all zero */
    int32_t classes;
    int64_t labelled;
    double edge_homophily;        /* fraction of the edges between labelled nodes that stay in a class; -1: none */
    double edge_homophily_chance; /* the same if edges joined their ends at random; -1: none */
    bool edges_mislead;           /* the first is hardly above the second: edges do not join like nodes */
    int splits;                   /* how many splits the input has */
} crd_info;
CRD_CALL crd_dataset_info_sized(const crd_dataset *dataset, crd_info *info, size_t size, crd_error *error);
#define crd_dataset_info(dataset, info, error) crd_dataset_info_sized(dataset, info, sizeof *(info), error)
/* The number of nodes of every class, into an array of crd_dataset_classes entries. */
CRD_API void crd_dataset_class_counts(const crd_dataset *dataset, int64_t *counts);
/* These facts, the class counts and the notes as a JSON object. */
CRD_CALL crd_dataset_info_json(const crd_dataset *dataset, char **json, crd_error *error);

/* ---- Splits: which nodes train, which validate, which test ------------------------------------------- */

typedef enum crd_role {
    CRD_ROLE_NONE = 0,
    CRD_ROLE_TRAIN,
    CRD_ROLE_VALIDATION,
    CRD_ROLE_TEST,
    CRD_ROLE_CALIBRATION /* kept from training: promises about answers rest on these nodes */
} crd_role;

/* Makes a split. The spec is one of
 *   NULL or "auto": the data's own split, `index` says which. If there is none but some nodes are unlabelled,
 *       three quarters of the labelled nodes train and one quarter validates. Else 5/15/80.
 *   "5/15/80": percentages of each class, or fractions if they add up to 1 or less.
 *   "20n/30n/rest": numbers of nodes per class; "rest" takes what is left.
 *   "5/10/5/80": four parts, for training, validation, calibration and test. */
CRD_CALL crd_split_make(const crd_dataset *dataset, const char *spec, int index, uint64_t seed, crd_split **split,
                        crd_error *error);
/* Reads .npz (arrays train, val, test, perhaps calibration, of node numbers) or CSV (node,split). */
CRD_CALL crd_split_read(const crd_dataset *dataset, const char *path, crd_split **split, crd_error *error);
/* From an array with one crd_role per node. */
CRD_CALL crd_split_from_roles(const uint8_t *roles, int64_t nodes, crd_split **split, crd_error *error);
CRD_API void crd_split_free(crd_split **split);
CRD_API crd_role crd_split_role(const crd_split *split, int64_t node);
/* The crd_role of each node. The array belongs to the split. */
CRD_API const uint8_t *crd_split_roles(const crd_split *split);
CRD_API int64_t crd_split_count(const crd_split *split, crd_role role);
/* One line: how the split was made. */
CRD_API const char *crd_split_description(const crd_split *split);

/* ---- Configuration: every choice that training makes ------------------------------------------------- */

/* You set and read options by name, as text. Names and values are those of the command line, without dashes. */
CRD_CALL crd_config_new(crd_config **config, crd_error *error);
CRD_API void crd_config_free(crd_config **config);

/* Sets one option: crd_config_set(config, "lr", "0.02", &error). Three options change others too:
 *   "model" gives every hyper-parameter the value of that kind of model, so set it first;
 *   "reg" gives its weights the usual values of that regulariser;
 *   "reg-strength" and "reg-weight" are two units of the same weight: setting one makes the other 0.
 * A kind of model has only some of the options; setting or getting another one is an error. */
CRD_CALL crd_config_set(crd_config *config, const char *name, const char *value, crd_error *error);
/* The value as you would type it: "0.02", "on", "relu". */
CRD_CALL crd_config_get(const crd_config *config, const char *name, char **value, crd_error *error);
/* Sets the options of a preset: "gpn"; a paper's choice ("coraml") or a tuned one for a graph
 * ("coraml-best"). */
CRD_CALL crd_config_preset(crd_config *config, const char *preset, crd_error *error);
/* Sets the options in a file's JSON object. "preset" may be among them and is applied first. */
CRD_CALL crd_config_read(crd_config *config, const char *path, crd_error *error);
/* The same for a string that holds the JSON object. */
CRD_CALL crd_config_parse(crd_config *config, const char *json, crd_error *error);
/* All options that the kind of model has, as a JSON object. */
CRD_CALL crd_config_json(const crd_config *config, char **json, crd_error *error);

/* The options, for help texts and bindings. NULL for an index past the end. */
typedef struct crd_option {
    const char *name;          /* "reg-weight" */
    const char *argument;      /* the form of its value: "X", "N", "NAME"; NULL: "on" or "off" */
    const char *default_value; /* as text; that of the kind "committee", or of "gpn" if a committee lacks the option */
    const char *help;
} crd_option;

CRD_API const crd_option *crd_option_at(int index);
/* The kinds of model ("committee", "gpn", "vgcn", "lp", ...) and the presets. */
CRD_API const char *crd_kind_name(int index);
CRD_API const char *crd_preset_name(int index);

/* ---- Training and model files ------------------------------------------------------------------------ */

#define CRD_MAX_TERMS 4

struct crd_epoch {
    bool warmup;   /* an epoch of the warm-up; for a gkde-gcn, of its teacher */
    int64_t epoch; /* from 1, within its phase; in a committee, through all networks. crd_model_history_at counts each
                    * network's epochs from 1. */
    double loss;   /* the sum of the terms */
    int terms;
    const char *term_name[CRD_MAX_TERMS]; /* "uce", "entropy", "distance", "cross_entropy", ... */
    double term[CRD_MAX_TERMS];           /* weighted, as they enter the loss */
    double validation_cross_entropy;      /* NaN without validation nodes */
    double validation_accuracy;
    bool best;          /* a new best: these weights are the ones kept so far */
    int64_t best_epoch; /* so far (in a committee, of this network); 0 before the first */
    double seconds;     /* the time of this epoch */
    int32_t network;    /* of a committee, from 1; 0: of no committee, or from crd_model_history_at */
};

typedef struct crd_train_options {
    size_t size;                /* sizeof this structure */
    const crd_model *init;      /* start from its weights; NULL: random weights */
    const crd_control *control; /* its `threads`, if not 0, overrule those of the configuration */
    /* A file that lets a training be killed: what was learnt so far is written to it now and then, and if it is there
     * when a training begins, that training goes on from it and ends in the same bytes as if nothing had happened, with
     * any number of threads. Data, split, configuration, version and instruction set must be the same. crd_train does
     * not delete it: do that once the model is saved. If it can be written at first and no more later, for lack of
     * disk space, training goes on, and the log says so. NULL: none. */
    const char *checkpoint;
    double checkpoint_seconds; /* between two writes; 0: 60 */
} crd_train_options;

/* Trains on the training nodes of the split; without a configuration (NULL), as a new one says. It does not see the
 * labels of test nodes and left-out classes, only their features and edges (with `inductive`, of left-out classes
 * nothing at all). The kinds "lp" and "gkde" remember the training nodes; they need neither features nor epochs. */
CRD_CALL crd_train(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                   const crd_train_options *options, crd_model **model, crd_error *error);
/* The peak memory of crd_train in bytes, besides the dataset. Computed without training. */
CRD_CALL crd_train_memory(const crd_dataset *dataset, const crd_split *split, const crd_config *config, int64_t *bytes,
                          crd_error *error);

typedef enum crd_stop {
    CRD_STOP_PATIENCE,  /* no new best for `patience` epochs */
    CRD_STOP_EPOCHS,    /* max-epochs was reached, perhaps only by the teacher of a gkde-gcn */
    CRD_STOP_REQUESTED, /* by its crd_control */
    CRD_STOP_UNTRAINED, /* the model was not trained here: loaded weights only */
    CRD_STOP_DIVERGED,  /* the loss stopped being a number; the best model before that was kept */
    CRD_STOP_NOTHING    /* there is nothing to train: the model remembers its training nodes */
} crd_stop;

/* "patience", "epochs", "requested", "untrained", "diverged", "nothing". */
CRD_API const char *crd_stop_name(crd_stop stop);

typedef struct crd_model_facts {
    const char *kind; /* "committee" */
    int64_t features; /* 0 for a kind that does not use them */
    int32_t classes;  /* classes that the model knows */
    int32_t left_out;
    int64_t parameters;        /* numbers that were trained */
    int64_t graph_nodes;       /* of the graph it was trained on */
    int64_t training_nodes;    /* how many of these nodes it learned from */
    int64_t epochs;            /* after the warm-up */
    int64_t best_epoch;        /* 0: there was no validation, the last one was kept; in a committee, of its last
                                * network */
    double best_cross_entropy; /* of validation nodes; in a committee, of its answers for nodes that were held out from
                                * the network that answers; NaN without any */
    double best_accuracy;
    const char *calibration;   /* "temperature", ...; "none" also if there was no validation node */
    double temperature;        /* NaN unless it is one temperature */
    int64_t calibration_nodes; /* on which promises rest */
    double seconds;            /* the time of training; not stored in the file */
    crd_stop stop;
    const char *fingerprint; /* of the data */
    const char *split;       /* the description of the split */
    const char *version;     /* of the library that trained it */
    int32_t networks;        /* of a committee; else 0 */
    double view[3];          /* how much its answers rest on nodes alone, near and far: from 0 to 1, their sum is 1 */
    const char *id;          /* a hash of what the model is, in 64 hex digits. It does not depend on metadata of your
                              * own, and stays the same when the model is loaded and saved */
} crd_model_facts;
CRD_API void crd_model_get_facts_sized(const crd_model *model, crd_model_facts *facts, size_t size);
#define crd_model_get_facts(model, facts) crd_model_get_facts_sized(model, facts, sizeof *(facts))
/* These facts and the configuration as a JSON object. */
CRD_CALL crd_model_facts_json(const crd_model *model, char **json, crd_error *error);
CRD_API const crd_config *crd_model_config(const crd_model *model);
CRD_API const char *crd_model_class_name(const crd_model *model, int32_t class_index);
/* The split that training used. NULL if the model file holds only weights. */
CRD_API const crd_split *crd_model_split(const crd_model *model);

/* The epochs of its training, the warm-up first: at most 5,000, so a long training keeps every second one, or every
 * fourth, ... Numbers are in single precision, `seconds` is 0. _at returns false if there is no such index. */
CRD_API int64_t crd_model_history_count(const crd_model *model);
CRD_API bool crd_model_history_at_sized(const crd_model *model, int64_t index, crd_epoch *epoch, size_t size);
#define crd_model_history_at(model, index, epoch) crd_model_history_at_sized(model, index, epoch, sizeof *(epoch))

/* Metadata of your own: text by name, UTF-8, which is saved with the model. A key has 1 to 200 bytes, all together have
 * at most a million. The value NULL removes the key. */
CRD_CALL crd_model_set_metadata(crd_model *model, const char *key, const char *value, crd_error *error);
/* The value; NULL: there is no such key. It stays valid until the next change of the metadata, like keys. */
CRD_API const char *crd_model_metadata(const crd_model *model, const char *key);
/* The keys, sorted; NULL for an index past the end. */
CRD_API const char *crd_model_metadata_key(const crd_model *model, int index);

/* Model files are safetensors: weights with PyTorch's names and shapes, a few other arrays, the rest as metadata. What
 * other tools have added to the metadata is kept. A library reads the files of every version since 0.1, and refuses
 * newer formats than its own. Loading checks a checksum: a damaged file is refused. No time is stored, so the same
 * training gives the same bytes; store one as metadata of your own if you want it. */
CRD_CALL crd_model_save(const crd_model *model, const char *path, crd_error *error);
/* To a writer, or to memory, which crd_bytes_free releases. */
CRD_CALL crd_model_write(const crd_model *model, crd_writer writer, void *user, crd_error *error);
CRD_CALL crd_model_save_memory(const crd_model *model, uint8_t **bytes, size_t *size, crd_error *error);
CRD_CALL crd_model_load(const char *path, crd_model **model, crd_error *error);
/* The same from bytes; `name` is for messages, NULL: "memory". */
CRD_CALL crd_model_load_memory(const void *bytes, size_t size, const char *name, crd_model **model, crd_error *error);
CRD_API void crd_model_free(crd_model **model);

/* A model knows its features by their order, and by their names if the data had any. If data have the same names in
 * another order, predictions and evaluations fail. This call puts the columns into the model's order; *moved says
 * whether it had to. It fails if a name is missing. */
CRD_CALL crd_model_align(const crd_model *model, crd_dataset *dataset, bool *moved, crd_error *error);
/* A sentence about data that look unlike those of training, as after a change of the order of columns without names;
 * NULL if there is nothing to say. */
CRD_CALL crd_model_notes(const crd_model *model, const crd_dataset *dataset, char **notes, crd_error *error);

/* ---- Predictions ------------------------------------------------------------------------------------- */

/* Classifies every node of a graph: the graph of training, a grown one, or another one with the same
 * features. The kinds "lp" and "gkde" need the nodes they were trained on.
 * Do not cut out the surroundings of a node to save time: nodes at the border of such a subgraph lose neighbours, those
 * that are left count for more, and doubtful nodes look trustworthy (with 1, 2 and 3 hops around a node, a gpn gave it
 * 2.1, 1.8 and 1.3 times its evidence). For a few nodes of a graph there are crd_predict_nodes and crd_serving_open,
 * and for a subgraph whose surroundings you know, crd_predict_part. */
CRD_CALL crd_predict(const crd_model *model, const crd_dataset *dataset, const crd_control *control,
                     crd_prediction **prediction, crd_error *error);
/* The same for some of the nodes: row i is nodes[i]. It takes as long as crd_predict, except for the kinds "vgcn",
 * "gkde-gcn" and "egcn" with score=own, which look at two hops alone. For many calls see crd_serving_open. */
CRD_CALL crd_predict_nodes(const crd_model *model, const crd_dataset *dataset, const int64_t *nodes, int64_t count,
                           const crd_control *control, crd_prediction **prediction, crd_error *error);
/* The same for a part of a larger graph, for instance all nodes that are at most k edges away from a node. `degrees`
 * has, for every node of the part, its number of different neighbours in the whole graph. So no edge counts for more
 * than it does there, and all that is missing is what comes from outside: evidence is never too large, and the more
 * hops the part has, the less is missing. NULL instead of nodes: all of them. It needs a trained kind with its own
 * epistemic score, and a calibration other than "gats". */
CRD_CALL crd_predict_part(const crd_model *model, const crd_dataset *part, const int64_t *degrees, const int64_t *nodes,
                          int64_t count, const crd_control *control, crd_prediction **prediction, crd_error *error);
CRD_API void crd_prediction_free(crd_prediction **prediction);

/* The number of rows: one per node that was asked for, until crd_prediction_keep removes some. */
CRD_API int64_t crd_prediction_nodes(const crd_prediction *prediction);
CRD_API int64_t crd_prediction_node(const crd_prediction *prediction, int64_t row);
CRD_API int32_t crd_prediction_classes(const crd_prediction *prediction);
/* The most probable class of every row; the probability of each class, rows x classes. */
CRD_API const int32_t *crd_prediction_class(const crd_prediction *prediction);
CRD_API const float *crd_prediction_probability(const crd_prediction *prediction);
/* Dirichlet parameters, rows x classes, after and before the graph diffuses them. NULL if there are none. */
CRD_API const float *crd_prediction_alpha(const crd_prediction *prediction);
CRD_API const float *crd_prediction_alpha_features(const crd_prediction *prediction);
/* Positions, rows x dims: the logits of a committee's views, a gpn's latent space, the hidden layer of other trained
 * kinds; NULL and 0: none. */
CRD_API const float *crd_prediction_latent(const crd_prediction *prediction);
CRD_API int64_t crd_prediction_latent_dims(const crd_prediction *prediction);

typedef enum crd_score {
    CRD_SCORE_EPISTEMIC,          /* unlike the training nodes: the log-odds of that in a committee; else -sum alpha, a
                                   * vgcn's energy, or the option "score" */
    CRD_SCORE_ALEATORIC,          /* -max p: the answer is ambiguous */
    CRD_SCORE_EPISTEMIC_FEATURES, /* by its own features alone: -sum alpha before the graph; in a committee a part of
                                   * its score, on another scale */
    CRD_SCORE_EPISTEMIC_CLASS     /* -max alpha: the epistemic score for wrong answers */
} crd_score;

/* One uncertainty per row; NULL if the model has none of this kind. */
CRD_API const double *crd_prediction_score(const crd_prediction *prediction, crd_score score);

/* Which rows to send to a person: set by_threshold or by_coverage. */
typedef struct crd_rejection {
    size_t size; /* sizeof this structure */
    bool by_threshold;
    double above; /* flags rows whose uncertainty is above this, or */
    bool by_coverage;
    double coverage; /* flags the most uncertain rows, so that this fraction is answered */
    crd_score score; /* which uncertainty decides */
} crd_rejection;

/* Flags rows; crd_prediction_write then adds a column for the flags. *rejected (may be NULL) is their number. */
CRD_CALL crd_prediction_reject(crd_prediction *prediction, const crd_rejection *rejection, int64_t *rejected,
                               crd_error *error);
/* One per row, 1 if crd_prediction_reject flagged it; NULL before that call. */
CRD_API const uint8_t *crd_prediction_rejected(const crd_prediction *prediction);
/* Promises. They rest on the model's calibration nodes (the option "hold-out", or a split with such nodes), and hold
 * for nodes of known classes that were drawn as they were. A split with as many nodes of each class ("20n/30n/rest")
 * draws rare classes more often than the graph has them: its promises are about nodes in such a mix. Nodes of classes
 * that the model does not know are in no promise. Each call fails with one sentence if there are too few calibration
 * nodes. */

/* Per row: the share of known-class nodes that look less strange, 0 to 1; NULL without calibration nodes. */
CRD_API const double *crd_prediction_doubt(const crd_prediction *prediction);
/* Flags rows that look like no known class: of nodes of known classes, at most this fraction. *flagged (may be NULL) is
 * their number. */
CRD_CALL crd_prediction_flag_unknown(crd_prediction *prediction, double false_alarms, int64_t *flagged,
                                     crd_error *error);
/* Answers as many rows as it can while at most this fraction of the answers is wrong, at this confidence (0.9). A
 * larger fraction never answers fewer rows, but choose it before you look: whoever tries several and keeps the best has
 * less confidence. If it fails, the message has the least fraction that can be promised. *answered (may be NULL) is the
 * number of answers. */
CRD_CALL crd_prediction_answer(crd_prediction *prediction, double max_error, double confidence, int64_t *answered,
                               crd_error *error);

typedef enum crd_set_method {
    CRD_SETS_DAPS, /* APS scores, mixed with the mean of the neighbours' */
    CRD_SETS_APS,
    CRD_SETS_RAPS /* APS scores that also grow with a class's rank */
} crd_set_method;

/* Gives every row a set of known classes that holds the right one with this probability, on average over nodes, and no
 * more often than that: so some sets of sure nodes are drawn empty. `lambda` weighs the neighbours (0.5 is usual) or
 * the rank (0.1). It comes before crd_prediction_keep; the dataset is the one of the prediction. */
CRD_CALL crd_prediction_sets(crd_prediction *prediction, const crd_dataset *dataset, double coverage,
                             crd_set_method method, double lambda, crd_error *error);
/* One per row, or rows x classes, 1 if the row is flagged or answered, or the class is in its set; NULL before the
 * calls above. crd_prediction_write adds columns for them. */
CRD_API const uint8_t *crd_prediction_unknown(const crd_prediction *prediction);
CRD_API const uint8_t *crd_prediction_answered(const crd_prediction *prediction);
CRD_API const uint8_t *crd_prediction_set(const crd_prediction *prediction);

/* Keeps the rows with keep[row] set, in their order. */
CRD_CALL crd_prediction_keep(crd_prediction *prediction, const bool *keep, crd_error *error);

typedef enum crd_table_format {
    CRD_TABLE_AUTO, /* by the path's ending (.csv, .npz, .jsonl, .ndjson); CSV for "-" */
    CRD_TABLE_CSV,
    CRD_TABLE_NPZ,
    CRD_TABLE_JSONL
} crd_table_format;

/* Writes one line per row; "-" is standard output. `full` adds every alpha and probability, and to NPZ the
 * latent positions. Node names come from the dataset, which may be NULL. */
CRD_CALL crd_prediction_write(const crd_prediction *prediction, const crd_dataset *dataset, const char *path,
                              crd_table_format format, bool full, crd_error *error);
/* The same to a writer; CRD_TABLE_AUTO is CSV. */
CRD_CALL crd_prediction_write_to(const crd_prediction *prediction, const crd_dataset *dataset, crd_writer writer,
                                 void *user, crd_table_format format, bool full, crd_error *error);

/* ---- Serving: new nodes as they arrive ------------------------------------------------------------------ */

/* A model, a graph that grows, and what was computed for them: the answers are those of crd_predict for the grown graph
 * (probabilities, scores and alpha to about five digits), but a small addition costs only what it touches. That is so
 * for the kinds "committee", "gpn" and "appnp" with score=own, of which it keeps all steps of the diffusion: about
 * nodes x (steps + 2) x (classes + 1) x networks x 4 bytes. The kinds "vgcn", "gkde-gcn" and "egcn" with score=own look
 * at two hops around the nodes that are asked for. All others, those with another score (so an "egcn" as it comes), and
 * models with the calibration "gats" take as long as crd_predict, for every call of crd_serving_predict. */

/* The model and the dataset are not copied: they must outlive the handle, and must not change. */
CRD_CALL crd_serving_open(const crd_model *model, const crd_dataset *dataset, const crd_control *control,
                          crd_serving **serving, crd_error *error);
CRD_API void crd_serving_free(crd_serving **serving);
/* What crd_serving_add and crd_serving_predict look at from now on, as other calls look at the control that they are
 * given; NULL: nothing. What it points to must stay valid. */
CRD_CALL crd_serving_watch(crd_serving *serving, const crd_control *control, crd_error *error);
/* The nodes of the graph, with those that were added. */
CRD_API int64_t crd_serving_nodes(const crd_serving *serving);

/* New nodes and edges. Leave at zero what does not apply. */
typedef struct crd_addition {
    size_t size;              /* sizeof this structure */
    int64_t nodes;            /* new ones; they get the next numbers, from crd_serving_nodes on */
    const float *dense;       /* their features, nodes x crd_dataset_features, or in sparse form: */
    const int64_t *row_start; /* nodes + 1 entries, */
    const int32_t *column;    /* the columns of the non-zeros of each row, */
    const float *value;       /* and their values (NULL: all 1) */
    int64_t edges;         /* entries of source and target: between any nodes, old or new, in one direction or both; */
    const int64_t *source; /* repeated edges, those that the graph has already, and self-loops are dropped. */
    const int64_t *target; /* A new node may have no edge. */
} crd_addition;

/* Everything is copied. *first_node (may be NULL) becomes the number of the first new node. If it fails, nothing was
 * added. */
CRD_CALL crd_serving_add(crd_serving *serving, const crd_addition *addition, int64_t *first_node, crd_error *error);
/* The answers for some nodes, old or new: row i is nodes[i], as crd_prediction_node says. One call in several takes
 * longer, up to the time of crd_predict: it computes everything again, because the answer could be wrong in the fifth
 * digit, or because there were many additions. Answers depend on earlier additions and calls in their last digits only,
 * and not on the number of threads. It changes the handle: like crd_serving_add, call it from one thread at a time. */
CRD_CALL crd_serving_predict(crd_serving *serving, const int64_t *nodes, int64_t count, crd_prediction **prediction,
                             crd_error *error);
/* The answers for new nodes that are not kept, each as if it alone had been added: row i is that of new node i, and
 * crd_prediction_node gives every row the number crd_serving_nodes. So an answer does not depend on the other new
 * nodes, not even in its last digit. Edges join a new node and one of the graph. Afterwards the graph, and what was
 * computed for it, are as before. It changes the handle while it lasts: call it from one thread at a time. Models that
 * take as long as crd_predict do so for every new node. */
CRD_CALL crd_serving_predict_new(crd_serving *serving, const crd_addition *addition, const crd_control *control,
                                 crd_prediction **prediction, crd_error *error);

/* ---- Evaluation -------------------------------------------------------------------------------------- */

/* Metrics are fractions, not percent. Those that do not apply are NaN here and null in JSON. */
typedef struct crd_detection {
    double auroc;
    double aupr;  /* by trapezoids */
    double ap;    /* average precision */
    double fpr95; /* false-positive rate when 95 % of the positives are found */
} crd_detection;

typedef struct crd_failure {
    double auroc;
    double aupr_error;   /* positives: wrong answers */
    double aupr_success; /* positives: right answers */
    double aurc;         /* area under the risk-coverage curve */
} crd_failure;

/* The same metrics for scores of your own; `score` and `uncertainty` grow with doubt. */
CRD_CALL crd_detection_metrics(const double *score, const bool *positive, int64_t count, crd_detection *metrics,
                               crd_error *error);
CRD_CALL crd_failure_metrics(const double *uncertainty, const bool *wrong, int64_t count, crd_failure *metrics,
                             crd_error *error);

/* The curves behind the metrics. Equal scores are one step, as in the metrics. NaN is an error; infinities are
 * ordered like other numbers. */
typedef struct crd_point {
    double x, y;
} crd_point;

typedef enum crd_curve {
    CRD_CURVE_ROC, /* x: false-positive rate, y: true-positive rate, from (0, 0) to (1, 1); its area by trapezoids is
                    * auroc. No points if there are no positives or no negatives. */
    CRD_CURVE_PR,  /* x: recall, y: precision, from (0, 1) to (1, positives / count); its area by trapezoids is aupr.
                    * No points without positives. */
    CRD_CURVE_RISK /* x: coverage, y: risk, the error rate among the covered (least uncertain) answers: `score` is the
                    * uncertainty, `positive` a wrong answer. One point per answer, from 1 / count to 1; the mean of
                    * their y is aurc. Inside a tie it is the expected rate. No points if count is 0. */
} crd_curve;

/* At most `most` points (2 or more) in the order of x: the whole curve if it fits, else some of its points, with the
 * first and the last. No other point is farther from them than L / (most - 1), where L is the curve's length (at most 2
 * for a ROC curve). *found is the number of points. */
CRD_CALL crd_curve_points(crd_curve kind, const double *score, const bool *positive, int64_t count, crd_point *points,
                          int64_t most, int64_t *found, crd_error *error);

#define CRD_ECE_BINS 15

typedef struct crd_reliability_bin {
    double low, high; /* low < confidence <= high; the first bin holds 0 too */
    int64_t count;
    double confidence, accuracy; /* means; NaN if count is 0 */
} crd_reliability_bin;

/* How often answers of some confidence (the probability of the answer) are right, into CRD_ECE_BINS bins. `ece` is as
 * in crd_evaluation; NaN if there are no answers. NaN as a confidence is an error; one outside 0 to 1 goes to the
 * nearest bin. */
CRD_CALL crd_reliability(const double *confidence, const bool *wrong, int64_t count, crd_reliability_bin *bins,
                         double *ece, crd_error *error);

/* Two models measured on the same splits: is one better, or was it luck? Without pairs, everything but the counts is
 * NaN. Numbers that agree to twelve digits are equal. */
typedef struct crd_comparison {
    int64_t pairs;
    double mean_a, mean_b;
    double difference;          /* mean of a - b */
    double low, high;           /* 95 % bootstrap interval of that mean (BCa, 10,000 resamples); NaN for fewer than
                                 * three pairs; the difference itself if it is the same for all pairs */
    double wilcoxon_p;          /* two-sided signed-rank test without the pairs that do not differ: exact, ties
                                 * included, for up to 50 pairs (1 for none); beyond that the normal
                                 * approximation, corrected for ties */
    double sign_p;              /* two-sided sign test, exact; 1 if no pair differs */
    int64_t wins, ties, losses; /* of a */
} crd_comparison;

/* a[i] and b[i] belong to the same split; pairs with a number that is not finite are left out. The same seed gives
 * the same interval. */
CRD_CALL crd_compare(const double *a, const double *b, int64_t count, uint64_t seed, crd_comparison *comparison,
                     crd_error *error);

/* Changes test nodes of the model's classes after training, to see whether the model notices. Noise replaces
 * the prepared features. Edges change between such nodes only: a node that loses or gains one is shifted. */
typedef enum crd_shift_kind {
    CRD_SHIFT_BERNOULLI, /* features become 0 or 1, each with probability 0.5 */
    CRD_SHIFT_NORMAL,    /* features become standard normal */
    CRD_SHIFT_REWIRE,    /* edges get a random new end */
    CRD_SHIFT_DICE       /* half of the amount removes edges inside classes, half adds edges between them */
} crd_shift_kind;

typedef struct crd_shift {
    size_t size; /* sizeof this structure */
    crd_shift_kind kind;
    double amount;      /* above 0 to 1: the fraction of these nodes, or of the edges between them */
    bool isolated;      /* shift one node at a time, by noise or by one of its own edges */
    int64_t most_nodes; /* isolated: at most this many nodes, because each may need its own prediction */
    uint64_t seed;
} crd_shift;

/* Bernoulli, 0.1, all nodes at once, 100, seed 1. */
CRD_API void crd_shift_defaults_sized(crd_shift *shift, size_t size);
#define crd_shift_defaults(shift) crd_shift_defaults_sized(shift, sizeof *(shift))

typedef enum crd_task {
    CRD_TASK_OOD,               /* find test nodes of classes that the model does not know */
    CRD_TASK_MISCLASSIFICATION, /* find wrong answers */
    CRD_TASK_SHIFT              /* find shifted nodes: crd_evaluate_shift */
} crd_task;

/* What the promises of crd_prediction_flag_unknown, _answer and _sets came to on the evaluated nodes; NaN where nothing
 * could be promised. */
typedef struct crd_promises {
    int64_t calibration_nodes;     /* of the model; 0: it promises nothing */
    double false_alarms[3];        /* among nodes of known classes, when 0.01, 0.05 and 0.1 are promised */
    double detected[3];            /* among the other nodes, at the same levels */
    double answered[3];            /* known-class nodes that get an answer if 0.01, 0.02 and 0.05 may be wrong, */
    double wrong[3];               /* and how many of these answers are wrong */
    double set_coverage, set_size; /* of sets that promise 0.9 */
    double set_coverage_degree[3]; /* of nodes with at most one, two to four, and more neighbours */
    double aps_coverage, aps_size; /* of such sets by APS, which does not look at neighbours */
} crd_promises;

typedef struct crd_evaluation {
    size_t size; /* sizeof this structure; the calls set it */
    crd_task task;
    int64_t nodes;            /* evaluated */
    int64_t positives;        /* the nodes to find */
    int64_t trained;          /* evaluated nodes whose labels the training used: they flatter it */
    double accuracy;          /* on the evaluated nodes of the model's classes; without the shifted ones */
    double balanced_accuracy; /* on the same nodes: the mean recall of the classes that they have */
    double prevalence;        /* positives / nodes */
    crd_detection ood_aleatoric, ood_epistemic, ood_epistemic_features; /* OOD and shift */
    crd_failure failure_aleatoric, failure_epistemic;                   /* misclassification, */
    double ece, brier, nll;                      /* like these; ECE with 15 bins of equal width */
    double ece_before, brier_before, nll_before; /* before calibration */
    const char *calibration;                     /* "none", "temperature", ... */
    crd_promises promises;                       /* OOD and misclassification */
    crd_shift shift;                             /* shift, like all that follows */
    double accuracy_shifted, accuracy_before;    /* of the shifted nodes, and of the same nodes before */
    int64_t edges_removed, edges_added;          /* for all nodes together */
} crd_evaluation;

/* Evaluates on the test nodes of a split; NULL: the model's own, if it was trained on these very data. */
CRD_CALL crd_evaluate_sized(const crd_model *model, const crd_dataset *dataset, const crd_split *split, crd_task task,
                            const crd_control *control, crd_evaluation *evaluation, size_t size, crd_error *error);
#define crd_evaluate(model, dataset, split, task, control, evaluation, error)                                          \
    crd_evaluate_sized(model, dataset, split, task, control, evaluation, sizeof *(evaluation), error)
CRD_CALL crd_evaluate_shift_sized(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                                  const crd_shift *shift, const crd_control *control, crd_evaluation *evaluation,
                                  size_t size, crd_error *error);
#define crd_evaluate_shift(model, dataset, split, shift, control, evaluation, error)                                   \
    crd_evaluate_shift_sized(model, dataset, split, shift, control, evaluation, sizeof *(evaluation), error)
CRD_CALL crd_evaluation_json(const crd_evaluation *evaluation, char **json, crd_error *error);

/* The answers for one class. */
typedef struct crd_class_result {
    double precision; /* of the nodes answered with it, the share that has it; NaN: there are none */
    double recall;    /* of the nodes that have it, the share answered with it; NaN: there are none */
    int64_t support;  /* evaluated nodes that have it */
} crd_class_result;
/* One result for each class of the model, on the nodes of crd_evaluate. */
CRD_CALL crd_evaluate_classes(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                              const crd_control *control, crd_class_result *results, crd_error *error);

/* ---- Explanations: where the answer for a node comes from -------------------------------------------- */

/* An exact sum over nodes, before calibration. "evidence", for the kinds "gpn", "lp" and "gkde", is alpha - 1.
 * "logits", for "committee", are the logits of the classes minus their mean; there the epistemic score is a sum too. */
typedef struct crd_contribution {
    int64_t node;
    int32_t hops;           /* distance to the explained node; -1: there is no path */
    const double *evidence; /* or logits, per class */
    double total;           /* evidence: over all classes; logits: the largest of them and of doubt, without sign */
    double doubt;           /* logits: to the epistemic score, how unlike the labelled nodes it is; else NaN */
} crd_contribution;

/* Lists at most `most` contributions, the largest first; crd_explanation_rest is the sum of the others. */
CRD_CALL crd_explain(const crd_model *model, const crd_dataset *dataset, int64_t node, int64_t most,
                     const crd_control *control, crd_explanation **explanation, crd_error *error);
CRD_API void crd_explanation_free(crd_explanation **explanation);
CRD_API int32_t crd_explanation_classes(const crd_explanation *explanation);
CRD_API const char *crd_explanation_quantity(const crd_explanation *explanation); /* "evidence" or "logits" */
CRD_API const double *crd_explanation_alpha(const crd_explanation *explanation);  /* NULL for logits */
CRD_API const double *crd_explanation_logits(const crd_explanation *explanation); /* NULL for evidence */
/* The epistemic score: the sum of the contributions, of `rest`, and of `fixed`, which no node gives: how unsure the
 * answer is, and what labelled nodes usually have. NaN for evidence. The pointers may be NULL. */
CRD_API double crd_explanation_doubt(const crd_explanation *explanation, double *rest, double *fixed);
CRD_API int64_t crd_explanation_count(const crd_explanation *explanation);
CRD_API const crd_contribution *crd_explanation_at(const crd_explanation *explanation, int64_t index);
CRD_API const double *crd_explanation_rest(const crd_explanation *explanation);
CRD_CALL crd_explanation_json(const crd_explanation *explanation, char **json, crd_error *error);

/* ---- Maps: many dimensions in two, so that neighbours stay neighbours (t-SNE) ------------------------ */

struct crd_tsne_state {
    int64_t iteration;  /* the one just finished; 0 during the search for neighbours */
    int64_t iterations; /* in all */
    double divergence;  /* of the map before this iteration; NaN except in every fiftieth iteration */
};

typedef struct crd_tsne_options {
    size_t size;                /* sizeof this structure */
    double perplexity;          /* 30: about how many neighbours a point has; at most a third of the other points */
    int64_t iterations;         /* 1000 in all; */
    int64_t early;              /* the first 250 of them pull neighbours together */
    double exaggeration;        /* 12 times harder */
    double learning_rate;       /* 0: count / exaggeration / 4, at least 50 */
    const float *start;         /* count x 2; NULL: the first two principal components, small */
    uint64_t seed;              /* moves every starting point a little, so that equal points can separate */
    const crd_control *control; /* if it asks to stop, the map so far is kept */
} crd_tsne_options;
CRD_API void crd_tsne_defaults_sized(crd_tsne_options *options, size_t size);
#define crd_tsne_defaults(options) crd_tsne_defaults_sized(options, sizeof *(options))
/* Maps `count` points of `dims` coordinates into `map`, count x 2. It is exact up to 1024 points; beyond
 * that, each point has 3 * perplexity + 1 neighbours, and a grid interpolates the forces between all points.
 * *divergence (may be NULL) is the Kullback-Leibler divergence reached. */
CRD_CALL crd_tsne(const float *points, int64_t count, int64_t dims, const crd_tsne_options *options, float *map,
                  double *divergence, crd_error *error);

/* ---- Reports: an HTML page in one file that needs no network ----------------------------------------- */

/* An empty page. Its content is kept compressed, so it takes about as much memory as the file will. */
CRD_CALL crd_report_new(const char *title, crd_report **report, crd_error *error);
CRD_API void crd_report_free(crd_report **report);

typedef struct crd_report_options {
    size_t size;                  /* sizeof this structure */
    const char *title;            /* of this part of the page; NULL: "committee on DATA" */
    const char *data;             /* the name of the data; NULL: none */
    const char *command;          /* the command that makes the report; NULL: none */
    const crd_split *split;       /* whose test nodes are evaluated; NULL: as for crd_evaluate, or none */
    const float *map;             /* nodes x 2; NULL: t-SNE of the latent positions, or else of the probabilities */
    const crd_tsne_options *tsne; /* for that map; its `control` is ignored; NULL: the defaults */
    const crd_control *control;   /* if it asks to stop during the map, the report has the map so far */
} crd_report_options;
CRD_API void crd_report_defaults_sized(crd_report_options *options, size_t size);
#define crd_report_defaults(options) crd_report_defaults_sized(options, sizeof *(options))
/* Adds a model: its map, answers and uncertainties, where evidence comes from, curves, training; each part if the
 * model has it. If it fails, the report is unchanged. */
CRD_CALL crd_report_add_model(crd_report *report, const crd_model *model, const crd_dataset *dataset,
                              const crd_report_options *options, crd_error *error);
/* The page appears whole or not at all; "-" is standard output. The same report gives the same bytes. */
CRD_CALL crd_report_save(const crd_report *report, const char *path, crd_error *error);
/* The same to a writer. */
CRD_CALL crd_report_write(const crd_report *report, crd_writer writer, void *user, crd_error *error);

#ifdef __cplusplus
}
#endif

#endif
