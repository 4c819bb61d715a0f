/* A model's answers for every node of a graph. */
#ifndef CRD_ANSWERS_PREDICTION_H
#define CRD_ANSWERS_PREDICTION_H

#include "credence_private.h"
#include "models/model.h"
#include "uncertainty/metrics.h"

/* Computes the model's output, nodes x classes. If the pointers are not NULL, also the evidence before the graph (if
 * the kind weighs it) and the latent positions (if it has them). Features are prepared as in training. The model must
 * fit (crd_model_fits). `numbers` are the nodes' numbers for messages; NULL: the nodes' own. */
crd_status crd_infer(const crd_model *model, const crd_dataset *dataset, const int32_t *numbers, int threads,
                     float *output, float *before_graph, float *latent, crd_error *error);

struct crd_prediction {
    int64_t nodes;       /* rows */
    int64_t *node;       /* the node of each row; NULL: row i is node i */
    int64_t graph_nodes; /* of the graph, once `node` is set */
    int32_t classes;
    int32_t *class_index;                /* nodes */
    float *probability;                  /* nodes x classes */
    float *alpha;                        /* nodes x classes, or NULL */
    float *alpha_features;               /* nodes x classes, or NULL */
    float *evidence, *evidence_features; /* alpha - 1, if crd_predict_evidence made it and the model has it; or NULL */
    int64_t latent_dims;
    float *latent;             /* nodes x latent_dims, or NULL */
    double *score[CRD_SCORES]; /* nodes, or NULL */
    float *x, *y;              /* nodes, in one array; or NULL before crd_prediction_set_map */
    uint8_t *rejected;         /* nodes, or NULL before crd_prediction_reject */
    char **class_names;        /* classes */
};

/* Like crd_predict, but keeps evidence too, without the rounding of 1 + evidence. */
crd_status crd_predict_evidence(const crd_model *model, const crd_dataset *dataset, int threads,
                                crd_prediction **prediction, crd_error *error);

#endif
