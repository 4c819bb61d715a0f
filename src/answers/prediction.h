/* What a model says about every node of a graph. */
#ifndef CRD_ANSWERS_PREDICTION_H
#define CRD_ANSWERS_PREDICTION_H

#include "credence_private.h"
#include "models/model.h"
#include "uncertainty/metrics.h"

/* The model's output, nodes x classes, and where they are not NULL the evidence before the graph of a kind
 * that weighs it and the latent positions of a kind that has them; features are prepared as in training. The
 * model must fit (crd_model_fits). `numbers` are the nodes' numbers in messages; NULL: those they have. */
crd_status crd_infer(const crd_model *model, const crd_dataset *dataset, const int32_t *numbers, int threads,
                     float *output, float *before_graph, float *latent, crd_error *error);

struct crd_prediction {
    int64_t nodes;       /* rows */
    int64_t *node;       /* a row's node; NULL: rows are nodes */
    int64_t graph_nodes; /* of the graph, once `node` is set */
    int32_t classes;
    int32_t *class_index;  /* nodes */
    float *probability;    /* nodes x classes */
    float *alpha;          /* nodes x classes, or NULL */
    float *alpha_features; /* nodes x classes, or NULL */
    int64_t latent_dims;
    float *latent;             /* nodes x latent_dims, or NULL */
    double *score[CRD_SCORES]; /* nodes, or NULL */
    float *x, *y;              /* nodes, or NULL before crd_prediction_set_map */
    uint8_t *rejected;         /* nodes, or NULL before crd_prediction_reject */
    char **class_names;        /* classes */
};

/* crd_predict, and beside it alpha - 1 after and before the graph, nodes x classes, without what adding 1 to
 * a float costs; NULL where the model has none. The caller frees both. */
crd_status crd_predict_evidence(const crd_model *model, const crd_dataset *dataset, int threads,
                                crd_prediction **prediction, float **evidence, float **evidence_features,
                                crd_error *error);

#endif
