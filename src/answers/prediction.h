/* What a model says about every node of a graph. */
#ifndef CRD_ANSWERS_PREDICTION_H
#define CRD_ANSWERS_PREDICTION_H

#include "credence_private.h"
#include "uncertainty/scores.h"

struct crd_prediction {
    int64_t nodes;                /* rows */
    int64_t *node;                /* a row's node; NULL: rows are nodes */
    int64_t graph_nodes;          /* of the graph, once `node` is set */
    int32_t classes;
    int32_t *class_index;         /* nodes */
    float *probability;           /* nodes x classes */
    float *alpha;                 /* nodes x classes, or NULL */
    float *alpha_features;        /* nodes x classes, or NULL */
    int64_t latent_dims;
    float *latent;                /* nodes x latent_dims, or NULL */
    double *score[CRD_SCORES];    /* nodes, or NULL */
    float *x, *y;                 /* nodes, or NULL before crd_prediction_set_map */
    uint8_t *rejected;            /* nodes, or NULL before crd_prediction_reject */
    char **class_names;           /* classes */
};

/* crd_predict, and beside it alpha - 1 after and before the graph, nodes x classes, without what adding 1 to a
 * float costs; NULL where the model has none. The caller frees both. */
crd_status crd_predict_evidence(const crd_model *model, const crd_dataset *dataset, int threads,
                                crd_prediction **prediction, float **evidence, float **evidence_features,
                                crd_error *error);

#endif
