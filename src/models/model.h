/* What a model is: named parameters, facts about where it came from, and the few functions by which the
 * trainer and the answers see it. One file per kind of model implements them. */
#ifndef CRD_MODELS_MODEL_H
#define CRD_MODELS_MODEL_H

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/dataset.h"
#include "graph/preprocess.h"
#include "graph/split.h"
#include "io/safetensors.h"
#include "kernels/hot.h"

#define CRD_MAX_PARAMETERS 8

/* One tensor. `shape` is the model file's, PyTorch's (out, in); matrices are held in memory as (in, out). */
typedef struct crd_parameter {
    const char *name;
    int dims;
    int64_t shape[3];
    bool transposed;  /* in memory */
    bool decays;      /* weight decay applies */
    bool warms_up;    /* trained in the warm-up too */
    int64_t count;
    float *value;
} crd_parameter;

typedef struct crd_model_kind crd_model_kind;

struct crd_model {
    const crd_model_kind *kind;
    crd_config config;     /* with what training resolved: features is never AUTO */
    int64_t features;
    int32_t classes;       /* in distribution */
    int32_t left_out;
    char **class_names;    /* classes + left_out */
    float *feature_mean, *feature_scale; /* features each, for CRD_FEATURES_STANDARD; else NULL */
    float *class_counts;   /* training nodes of each class */
    int parameters;
    crd_parameter parameter[CRD_MAX_PARAMETERS];
    crd_split *split;      /* NULL for bare weights */
    char fingerprint[17];
    char version[24];
    int64_t epochs, best_epoch;
    double best_cross_entropy, best_accuracy, seconds;
    crd_stop stop;
};

/* What a model works on: a graph, prepared features, and (to train) nodes with classes. */
typedef struct crd_inputs {
    const crd_graph *graph;
    const crd_features *features;
    const int64_t *nodes;   /* training nodes, ascending; NULL to predict */
    const int32_t *labels;  /* their classes */
    int64_t count;
    crd_team *team;
} crd_inputs;

typedef struct crd_loss {
    int terms;
    const char *name[CRD_MAX_TERMS];
    double value[CRD_MAX_TERMS]; /* weighted */
} crd_loss;

/* A model at work on one graph: buffers planned once. The kind defines it. */
typedef struct crd_run crd_run;

struct crd_model_kind {
    const char *name;
    /* Fills model->parameter from features, classes and config; values are allocated and zero. */
    crd_status (*declare)(crd_model *model, crd_error *error);
    /* Infers features, classes and the configuration's sizes from the shapes of a file's tensors. */
    crd_status (*recognise)(crd_model *model, const crd_tensors *tensors, crd_error *error);
    /* Random initial values. */
    void (*initialise)(crd_model *model, uint64_t seed);
    crd_status (*open)(const crd_model *model, const crd_inputs *inputs, crd_run **run, crd_error *error);
    void (*close)(crd_run **run);
    /* Forward with dropout, loss, and gradients into gradient[p], one array a parameter. In the warm-up
     * only parameters that warm up get one. */
    void (*step)(crd_run *run, bool warmup, uint64_t dropout_key, float *const *gradient, crd_loss *loss);
    /* Forward without dropout: evidence, that is alpha - 1, [nodes][classes], and the same before the graph
     * if evidence_features != NULL. */
    void (*infer)(crd_run *run, float *evidence, float *evidence_features);
};

extern const crd_model_kind crd_gpn;

/* The kind of a name, NULL if there is none. */
const crd_model_kind *crd_model_kind_find(const char *name);

/* An empty model of a kind; crd_model_free releases it at any stage. */
crd_status crd_model_new(const crd_model_kind *kind, crd_model **model, crd_error *error);
/* Adds a parameter of zeros. */
crd_status crd_model_declare(crd_model *model, const char *name, int dims, const int64_t *shape,
                             bool transposed, bool decays, bool warms_up, crd_error *error);
/* uniform in +-bound, from a stream of the parameter's own */
void crd_parameter_uniform(crd_parameter *parameter, double bound, uint64_t seed, int index);
/* Whether a dataset's features fit the model: one clear sentence if not. */
crd_status crd_model_fits(const crd_model *model, const crd_dataset *dataset, crd_error *error);

#endif
