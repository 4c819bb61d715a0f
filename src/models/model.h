/* What a model is: named parameters, facts about where it came from, and the few functions by which the
 * trainer and the answers see it. One file per kind of model implements them. */
#ifndef CRD_MODELS_MODEL_H
#define CRD_MODELS_MODEL_H

#include "base/memory.h"
#include "base/parallel.h"
#include "credence_private.h"
#include "graph/dataset.h"
#include "graph/preprocess.h"
#include "graph/split.h"
#include "io/safetensors.h"
#include "kernels/diffusion.h"
#include "kernels/linear.h"
#include "models/history.h"

#define CRD_MAX_PARAMETERS 8

/* One tensor. `shape` is the model file's, PyTorch's (out, in); matrices are held in memory as (in, out). */
typedef struct crd_parameter {
    const char *name;
    int dims;
    int64_t shape[3];
    bool transposed; /* in memory */
    bool decays;     /* weight decay applies */
    bool warms_up;   /* trained in the warm-up too */
    int64_t count;
    float *value;
} crd_parameter;

typedef struct crd_model_kind crd_model_kind;

struct crd_model {
    const crd_model_kind *kind;
    crd_config config; /* with what training resolved: features is never AUTO */
    int64_t features;
    int32_t classes; /* in distribution */
    int32_t left_out;
    char **class_names;                  /* classes + left_out */
    float *feature_mean, *feature_scale; /* features each, for CRD_FEATURES_STANDARD; else NULL */
    float *class_counts;                 /* training nodes of each class */
    int64_t remembered;                  /* training nodes kept by a model that is not trained; see remember.h */
    int64_t *remembered_node;            /* ascending */
    int32_t *remembered_class;
    int parameters;
    crd_parameter parameter[CRD_MAX_PARAMETERS];
    crd_split *split; /* NULL for bare weights */
    char fingerprint[17];
    char version[24];
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
    const int64_t *wanted; /* the nodes that infer writes, if the kind is trained; NULL: all */
    int64_t wanted_count;
    int64_t reached; /* nodes from here on have no path to training or wanted ones; 0: there are none such */
} crd_inputs;

/* Copies the rows of the nodes that are wanted, without their padding; returns how many. */
int64_t crd_inputs_wanted(const crd_inputs *inputs, int64_t classes, int64_t stride, const float *padded,
                          float *output);

typedef struct crd_loss {
    int terms;
    const char *name[CRD_MAX_TERMS];
    double value[CRD_MAX_TERMS]; /* weighted */
} crd_loss;

/* What a model's numbers for the classes of a node are. */
typedef enum crd_output {
    CRD_OUTPUT_EVIDENCE, /* alpha - 1 of a Dirichlet distribution: p = alpha / alpha0 */
    CRD_OUTPUT_LOGITS    /* p = softmax */
} crd_output;

/* An option that a kind of model has, and its value unless somebody says otherwise. */
typedef struct crd_setting {
    const char *option;
    const char *value;
} crd_setting;

/* A model at work on one graph. What a kind of model needs beside this stands behind it, in a structure that begins
 * with it. */
typedef struct crd_run {
    const crd_model *model;
    crd_inputs inputs;
    const crd_kernels *kernels;
    crd_plan plan; /* of all arrays: one allocation, one release */
} crd_run;

struct crd_model_kind {
    const char *name;
    const char *help; /* one line */
    crd_output output;
    bool trained;        /* learns weights from features; else it remembers its training nodes, and has
                            neither parameters nor steps */
    bool energy;         /* of logits: -logsumexp is its epistemic uncertainty */
    bool features_alone; /* its evidence before the graph comes from a node's own features */
    /* Its options beside those that all kinds have, ended by NULL; the others mean nothing to it. NULL: it
     * has every option, with the default of the table. */
    const crd_setting *settings;
    const crd_model_kind *teacher; /* trained first on the same nodes, for teach(); NULL: none */

    /* Fills model->parameter from features, classes and config; values are allocated and zero. */
    crd_status (*declare)(crd_model *model, crd_error *error);
    /* Infers features, classes and the configuration's sizes from the shapes of a file's tensors. */
    crd_status (*recognise)(crd_model *model, const crd_tensors *tensors, crd_error *error);
    /* Random initial values. */
    void (*initialise)(crd_model *model, uint64_t seed);
    size_t run_size; /* of the structure that begins with a crd_run */
    /* Lists the arrays of a run in run->plan. Only sizes matter: nothing is allocated yet. */
    void (*plan)(crd_run *run);
    /* Once they are allocated: all that is done once. May be NULL. */
    crd_status (*start)(crd_run *run, crd_error *error);
    /* Releases what is not in the plan, of any run that was planned. May be NULL. */
    void (*stop)(crd_run *run);
    /* Takes the teacher's output, [nodes][classes], before the first step. */
    void (*teach)(crd_run *run, const float *output);
    /* Forward with dropout, loss, and gradients into gradient[p], one array a parameter. In the warm-up
     * only parameters that warm up get one. */
    void (*step)(crd_run *run, bool warmup, uint64_t dropout_key, float *const *gradient, crd_loss *loss);
    /* May be NULL. Tells the dropout key that the next step will come with, if no parameter changes before it: an
     * infer before that step can then do the step's forward pass on the way. */
    void (*expect)(crd_run *run, uint64_t dropout_key);
    /* Forward without dropout: the output, [nodes that are wanted][classes], and of a kind that weighs the evidence
     * before the graph too, if before_graph is not NULL. */
    void (*infer)(crd_run *run, float *output, float *before_graph);
    /* After an infer of all nodes: where each of them lies before the classes are told apart, [nodes]
     * [crd_model_latent_dims]. NULL: nowhere. */
    void (*latent)(const crd_run *run, float *latent);
    /* The weights that the evidence before the graph of other nodes has in the evidence of `node`, which is
     * their sum; NULL if it is none. `hops` is the distance of every node, -1 where there is no path. */
    void (*weigh)(const crd_model *model, const crd_graph *graph, int64_t node, const int32_t *hops,
                  crd_weights *weights);
    /* How many edges away nodes can be and still have a say in a node's evidence; NULL: any number. */
    int64_t (*reach)(const crd_model *model);
};

extern const crd_model_kind crd_gpn, crd_appnp, crd_vgcn, crd_gkde_gcn, crd_lp, crd_gkde;

/* Opens a run. The plan has the caller's own arrays, which last as long as the run, or is NULL. A failed open leaves
 * nothing to close. */
crd_status crd_run_open(const crd_model *model, const crd_inputs *inputs, const crd_plan *plan, crd_run **run,
                        crd_error *error);
void crd_run_close(crd_run **run);
/* The bytes that opening a run would allocate; the inputs' arrays are not looked at, but for the number of edges. */
crd_status crd_run_bytes(const crd_model *model, const crd_inputs *inputs, int64_t *bytes, crd_error *error);

/* The kind of a name, NULL if there is none. */
const crd_model_kind *crd_model_kind_find(const char *name);

/* An empty model of a kind; crd_model_free releases it at any stage. */
crd_status crd_model_new(const crd_model_kind *kind, crd_model **model, crd_error *error);
/* Adds parameters of zeros, as they are listed: name, dims, shape, transposed, decays and warms_up are given. */
crd_status crd_model_declare(crd_model *model, const crd_parameter *listed, int count, crd_error *error);
/* Fills class_counts from the classes of the training nodes. */
crd_status crd_model_count_classes(crd_model *model, const int32_t *labels, int64_t count, crd_error *error);
/* uniform in +-bound, from a stream of the parameter's own */
void crd_parameter_uniform(crd_parameter *parameter, double bound, uint64_t seed, int index);
/* The sizes of a file's tensor, which must have `dims` dimensions. */
crd_status crd_model_sizes(const crd_tensors *tensors, const char *name, int dims, int64_t shape[CRD_TENSOR_MAX_DIMS],
                           crd_error *error);
/* Sets the classes to a size of the tensor `name`, if there can be so many. */
crd_status crd_model_set_classes(crd_model *model, const crd_tensors *tensors, const char *name, int64_t classes,
                                 crd_error *error);
/* The dimensions of what its kind's latent() gives; 0 for a kind without. */
int64_t crd_model_latent_dims(const crd_model *model);
/* Features as the rows of a product. */
crd_rows crd_rows_of(const crd_features *features);
/* Whether a dataset fits the model: one clear sentence if not. */
crd_status crd_model_fits(const crd_model *model, const crd_dataset *dataset, crd_error *error);

/* From a model's output for a node, evidence or logits, to probabilities. */

/* -log p of a class. */
double crd_output_surprise(crd_output output, const float *row, int32_t classes, int32_t class_index);
/* p of every class; it may be the row itself. */
void crd_output_probability(crd_output output, const float *row, int32_t classes, float *probability);

#endif
