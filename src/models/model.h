/* SPDX-License-Identifier: MIT */
/* A model: named parameters, facts about its origin, and the few functions through which training and answers use it.
 * Each kind of model implements them; kinds that share most of their code share a file. */
#ifndef CRD_MODELS_MODEL_H
#define CRD_MODELS_MODEL_H

#include "base/memory.h"
#include "base/parallel.h"
#include "credence_private.h"
#include "graph/dataset.h"
#include "graph/split.h"
#include "io/safetensors.h"
#include "kernels/diffusion.h"
#include "models/feature_product.h"
#include "models/history.h"
#include "models/metadata.h"
#include "models/pool.h"

#define CRD_MAX_PARAMETERS 8

/* Longer paths do not count in gkde. */
enum { CRD_GKDE_HOPS = 10 };

/* Numbers that a model keeps of each feature of training: likeness.c. */
enum { CRD_SEEN = 3 };

/* A network of a committee sees a node alone, near (two hops) and far; see views.c. */
enum { CRD_VIEWS = CRD_POOL_VIEWS, CRD_NEAR_HOPS = 2, CRD_MOST_NETWORKS = 32 };
#define CRD_COMMITTEE_SETTINGS                                                                                         \
    "hidden=64 teleport=0.1 steps=10 dropout=0.5 activation=relu weight-decay=1e-3 networks=2"
/* The labelled nodes' share of such a network's loss; the unlabelled ones have the rest. */
#define CRD_LABELLED_SHARE 0.8

/* The sizes that the shapes of parameters are made of. */
typedef enum crd_size {
    CRD_NO_SIZE,
    CRD_INPUTS, /* features */
    CRD_HIDDEN,
    CRD_LATENT,
    CRD_LAYERS, /* of a flow */
    CRD_CLASSES,
    CRD_OUTPUTS, /* classes x views */
    CRD_SIZES
} crd_size;

/* A parameter of a kind of model. A matrix with PyTorch's shape, (out, in), may be (in, out) in memory. */
typedef struct crd_form {
    const char *name;
    crd_size shape[3]; /* as in the model file */
    crd_size spread;   /* it starts uniform in +-1/sqrt(this size); CRD_NO_SIZE: with 0 */
    bool glorot;       /* or uniform in +-sqrt(6/(inputs + outputs)) */
    bool transposed;   /* in memory */
    bool decays;       /* weight decay applies */
    bool warms_up;     /* trained in the warm-up too */
} crd_form;

/* A parameter of a model. */
typedef struct crd_parameter {
    const crd_form *form;
    int dims;
    int64_t shape[3];
    int64_t count;
    float *value;
} crd_parameter;

typedef struct crd_model_kind crd_model_kind;

struct crd_model {
    const crd_model_kind *kind;
    crd_config config; /* with training's choices: features is AUTO only for bare weights */
    int64_t features;
    int32_t classes; /* in distribution */
    int32_t left_out;
    char **class_names;   /* classes + left_out */
    char **feature_names; /* features, or NULL */
    float *seen;          /* [CRD_SEEN][features], how the features of training are spread: likeness.c; or NULL */
    float *bounds;        /* [2][features], the least and most that training saw of prepared features; or NULL */
    float usual;          /* how far nodes of training are beyond the others: likeness.c */
    float *feature_mean, *feature_scale; /* features each, for CRD_FEATURES_STANDARD; else NULL */
    float *class_counts;                 /* training nodes of each class */
    int64_t remembered;                  /* training nodes that a kind without training keeps; see crd_model_remember */
    int64_t *remembered_node;            /* ascending */
    int32_t *remembered_class;
    int parameters;
    crd_parameter parameter[CRD_MAX_PARAMETERS];
    int32_t members; /* of a committee: its networks, one per fold; else 0 */
    crd_model **member;
    crd_pool pool;    /* of a committee: how it joins what its members say */
    crd_split *split; /* NULL for bare weights */
    /* The parameters of config.calibration, as crd_calibration_fit found them; NULL: outputs are not calibrated. */
    float *calibration;
    int64_t calibrations;
    /* What promises need of each calibration node: held_count rows of CRD_HELD (uncertainty/conformal.h). */
    float *held;
    int64_t held_count;
    char fingerprint[17];
    char version[24];
    char id[CRD_SHA256_HEX]; /* crd_model_identify; a file that has one keeps it */
    crd_extras extras;       /* metadata of the user's own, and of other tools */
    int64_t epochs, best_epoch;
    double best_cross_entropy, best_accuracy, seconds;
    crd_stop stop;
    crd_history history;
};

/* What a model works on: a graph, prepared features, and (to train) nodes with classes. */
typedef struct crd_inputs {
    const crd_graph *graph;
    const crd_prepared *features;
    const int64_t *nodes;  /* training nodes; NULL to predict */
    const int32_t *labels; /* their classes */
    int64_t count;
    crd_team *team;
    const int64_t *wanted; /* the nodes that infer writes, for a trained kind; NULL: all */
    int64_t wanted_count;
    int64_t reached;       /* nodes from here on have no path to training or wanted ones; 0: no such nodes */
    const int32_t *degree; /* if the graph is a part of a larger one: every node's neighbours in that; NULL: it is not.
                              Only to predict. */
} crd_inputs;

typedef struct crd_loss {
    int terms;
    const char *name[CRD_MAX_TERMS];
    double value[CRD_MAX_TERMS]; /* weighted */
} crd_loss;

/* The meaning of a model's numbers for the classes of a node. */
typedef enum crd_output {
    CRD_OUTPUT_EVIDENCE, /* alpha - 1 of a Dirichlet distribution: p = alpha / alpha0 */
    CRD_OUTPUT_LOGITS    /* p = softmax */
} crd_output;

/* The scores of every kind with this output. */
#define CRD_SCORES_OF_ALL (1u << CRD_DOUBT_GRASP | 1u << CRD_DOUBT_ANCHOR)
#define CRD_SCORES_OF_EVIDENCE (CRD_SCORES_OF_ALL | 1u << CRD_DOUBT_VACUITY)
#define CRD_SCORES_OF_LOGITS                                                                                           \
    (CRD_SCORES_OF_ALL | 1u << CRD_DOUBT_ENERGY | 1u << CRD_DOUBT_GNNSAFE | 1u << CRD_DOUBT_GEBM | 1u << CRD_DOUBT_EPN)

/* A model at work on one graph. A kind of model that needs more has a structure that begins with this one. */
typedef struct crd_run {
    const crd_model *model;
    int64_t restored; /* how often the weights became others except by a step: what was computed with them is old */
    crd_inputs inputs;
    const crd_kernels *kernels;
    crd_plan plan;             /* of all arrays: one allocation, one release */
    crd_feature_product first; /* of the features and the first weights, for a kind with parameters */
    double *class_weight;      /* of the loss of a training node, by its class; NULL: all are 1 */
    int64_t epoch;             /* steps so far, for a kind whose loss depends on them */
} crd_run;

struct crd_model_kind {
    const char *name;
    const char *help; /* one line */
    crd_output output;
    int views;           /* rows of logits that it gives for a node; 0: one */
    bool trained;        /* learns weights from features; else it remembers its training nodes, and has
                            neither parameters nor steps */
    bool energy;         /* for logits: -logsumexp is its epistemic uncertainty */
    bool features_alone; /* its evidence before the graph comes from a node's own features */
    unsigned scores;     /* the epistemic scores that it can give besides its own: bits 1 << crd_doubt */
    const char *edges;   /* what it does where edges join different classes, as crd_kind_edges; NULL: it assumes that
                            they join like nodes */
    /* Its options besides those that all kinds have, with their defaults: "hidden=64 dropout=0.8". It has no others. */
    const char *settings;
    const crd_form *forms;         /* its parameters, without a name after the last; NULL: it has none */
    const crd_model_kind *teacher; /* trained first on the same nodes, for teach(); NULL: none */

    size_t run_size; /* of the structure that begins with a crd_run */
    /* Lists the arrays of a run in run->plan. Only sizes matter: nothing is allocated yet. */
    void (*plan)(crd_run *run);
    /* Called once they are allocated, for all work that is done once. May be NULL. */
    crd_status (*start)(crd_run *run, crd_error *error);
    /* Takes the teacher's output, [nodes][classes], before the first step. */
    void (*teach)(crd_run *run, const float *output);
    /* Forward with dropout, loss, and gradients into gradient[p], one array per parameter. In the warm-up only
     * parameters that warm up get one. */
    void (*step)(crd_run *run, bool warmup, uint64_t dropout_key, float *const *gradient, crd_loss *loss);
    /* May be NULL. Gives the dropout key of the next step, provided that no parameter changes before it. An infer
     * before that step can then also run the step's forward pass. */
    void (*expect)(crd_run *run, uint64_t dropout_key);
    /* Forward without dropout: the output, [wanted nodes][classes]; for a kind that weighs, also the evidence before
     * the graph, if before_graph is not NULL. */
    void (*infer)(crd_run *run, float *output, float *before_graph);
    /* After an infer of all nodes: the position of each before the classification, [nodes][crd_model_latent_dims].
     * NULL: the kind has no positions. */
    void (*latent)(const crd_run *run, float *latent);
    /* The weights of all nodes' output before the graph in the output of `node`, which is their weighted sum; NULL if
     * it is not such a sum. Views of a committee have different weights; other kinds have the view 0 alone. `hops` is
     * the distance of every node, -1 if there is no path. */
    void (*weigh)(const crd_model *model, const crd_graph *graph, int view, int64_t node, const int32_t *hops,
                  crd_weights *weights);
    /* The largest distance in edges from which a node affects another node's output; NULL: any distance. */
    int64_t (*reach)(const crd_model *model);
};

extern const crd_model_kind crd_committee, crd_views, crd_gpn, crd_appnp, crd_vgcn, crd_gkde_gcn, crd_egcn, crd_lp,
    crd_gkde;

/* Opens a run. `plan` lists the caller's own arrays, which live as long as the run; it may be NULL. A failed open
 * leaves nothing to close. */
crd_status crd_run_open(const crd_model *model, const crd_inputs *inputs, const crd_plan *plan, crd_run **run,
                        crd_error *error);
void crd_run_close(crd_run **run);
/* The bytes that opening this run would allocate; from the inputs' arrays it reads only the numbers of edges
 * and of non-zero features. */
crd_status crd_run_bytes(const crd_model *model, const crd_inputs *inputs, const crd_plan *plan, int64_t *bytes,
                         crd_error *error);

/* For infer: copies the rows of the wanted nodes, without their padding. */
void crd_run_give(const crd_run *run, int64_t stride, const float *padded, float *output);

/* The kind with this name; NULL if there is none. */
const crd_model_kind *crd_model_kind_find(const char *name);

/* Of model files; every version from the oldest to the present one can be read. */
#define CRD_MODEL_FORMAT "credence model"
enum { CRD_OLDEST_MODEL_VERSION = 3, CRD_MODEL_VERSION = 4, CRD_CHECKSUM_MODEL_VERSION = 4 /* the first with one */ };
/* Gives a finished model the identifier of its content. */
crd_status crd_model_identify(crd_model *model, crd_error *error);
/* The name that a parameter has in model files; for a network of a committee with its fold, else -1. */
enum { CRD_TENSOR_NAME = 64 };
void crd_tensor_name(char name[CRD_TENSOR_NAME], int32_t fold, const char *parameter);

/* An empty model of a kind; crd_model_free releases it at any stage. */
crd_status crd_model_new(const crd_model_kind *kind, crd_model **model, crd_error *error);
/* Makes its parameters from features, classes and config; they are zero. With the score epn, those of its head are the
 * last two. */
crd_status crd_model_declare(crd_model *model, crd_error *error);
/* Gives them their initial values; every parameter has its own stream. */
void crd_model_initialise(crd_model *model, uint64_t seed);
/* Fills class_counts from the classes of the training nodes. */
crd_status crd_model_count_classes(crd_model *model, const int32_t *labels, int64_t count, crd_error *error);
/* For an untrained kind: makes room for training nodes and their classes, and copies them unless they are NULL. The
 * nodes are ascending. */
crd_status crd_model_remember(crd_model *model, const int64_t *nodes, const int32_t *classes, int64_t count,
                              crd_error *error);
/* The numbers that infer gives for a node: classes x views. */
int64_t crd_model_outputs(const crd_model *model);
/* The weight of a training or validation node of a committee's network by its class; the last class is "unlabelled".
 * The mean weight is 1. `among` weighs the labelled classes; NULL: alike. */
void crd_views_weigh(const int32_t *labels, int64_t count, int32_t classes, const double *among, double *weight);
/* A network stops by its cross-entropy at the best of these temperatures, 8, 4, 2 and 1: how sharp its answers should
 * be is for calibration, and where labels are few, a network that knows more is also too sure. Adds weight x -log p of
 * the label at each of them. */
enum { CRD_TEMPERATURES = 4 };
void crd_views_surprise(const float *row, int32_t classes, int32_t label, double weight, double sums[CRD_TEMPERATURES]);
/* How a view of a committee spreads logits over the graph; see crd_diffusion_row. */
void crd_views_walk(const crd_model *model, int view, double *teleport, int64_t *steps);
/* The dimensions that the kind's latent() gives; 0 for a kind without. */
int64_t crd_model_latent_dims(const crd_model *model);
/* Checks that a dataset fits the model; fails with one clear sentence. */
crd_status crd_model_fits(const crd_model *model, const crd_dataset *dataset, crd_error *error);

/* Fills `seen` from the features of the training graph, and `bounds` from these features as the model sees them. */
crd_status crd_model_see(crd_model *model, const crd_features *features, crd_error *error);
crd_status crd_model_bound(crd_model *model, const crd_prepared *prepared, crd_error *error);
/* How much further the features of each row are beyond `bounds` than is usual: 0 for every node of the training graph.
 */
crd_status crd_model_beyond(const crd_model *model, const crd_prepared *prepared, double *sum, crd_error *error);
/* Fails if features have other names than the model's, or another order. Without names there is nothing to check. */
crd_status crd_model_check_names(const crd_model *model, char *const *names, int64_t count, crd_error *error);

/* From a model's output for a node, evidence or logits, to probabilities. */

/* -log p of a class. */
double crd_output_surprise(crd_output output, const float *row, int32_t classes, int32_t class_index);
/* p of every class; `probability` may be the row itself. */
void crd_output_probability(crd_output output, const float *row, int32_t classes, float *probability);

#endif
