/* Two graph convolutions: logits = A^ dropout(act(A^ X W1 + b1)) W2 + b2. All of VGCN, and the source of GKDE-GCN's
 * evidence. */
#ifndef CRD_MODELS_GCN_H
#define CRD_MODELS_GCN_H

#include "models/feature_product.h"
#include "models/model.h"

/* The normalised adjacency A^ = S (A + I) S, S = diag(1/sqrt(degree + 1)), as a sparse matrix: the factor of a graph
 * convolution. It is symmetric, so a gradient uses the same product. */

typedef struct crd_adjacency {
    crd_rows rows; /* for crd_linear_forward: rows * x, with a bias if wanted */
    int64_t *start;
    int32_t *column;
    float *value;
} crd_adjacency;

typedef struct crd_gcn {
    const crd_model *model;
    const crd_kernels *kernels;
    crd_team *team;
    int64_t nodes;
    int64_t stride; /* of rows of classes: padded with 0 to whole vectors */
    crd_adjacency adjacency;
    crd_feature_product first; /* of the features and the first weights */
    bool fresh;                /* `before` belongs to the current weights */
    float *product;            /* [N][hidden or stride], between two products */
    float *before;             /* [N][hidden], the first layer's output before the activation */
    float *hidden;             /* [N][hidden], after activation and dropout */
    float *logits;             /* [N][stride] */
    float *d_logits;           /* [N][stride]; crd_gcn_backward starts from it */
    float *d_hidden;           /* [N][hidden] */
    float *second;             /* [hidden][stride], the second weights, and below them the second bias */
    float *second_transposed;  /* [stride][hidden] */
    float *d_second;           /* [hidden][stride] */
    float *room;               /* for the gradient of the second weights */
    double *sums;              /* for the gradients of the biases */
} crd_gcn;

/* The model's functions: it has only these four parameters, and weight decay applies to all of them. */
crd_status crd_gcn_declare(crd_model *model, crd_error *error);
crd_status crd_gcn_recognise(crd_model *model, const crd_tensors *tensors, crd_error *error);
/* Glorot: weights uniform in +-sqrt(6/(inputs + outputs)), biases 0. */
void crd_gcn_initialise(crd_model *model, uint64_t seed);

/* Lists its arrays in the run's plan; without training nodes in the inputs there is no backward pass. */
void crd_gcn_plan(crd_gcn *gcn, crd_run *run);
/* Prepares graph and features. A failed start leaves nothing to stop. */
crd_status crd_gcn_start(crd_gcn *gcn, const crd_inputs *inputs, crd_error *error);
void crd_gcn_stop(crd_gcn *gcn);
/* Fills gcn->logits. */
void crd_gcn_forward(crd_gcn *gcn, crd_dropout dropout);
/* Copies the hidden layer that the last forward made, [N][hidden]. */
void crd_gcn_hidden(const crd_gcn *gcn, float *hidden);
/* From gcn->d_logits to the gradients, after a forward with the same dropout. It assumes that the optimiser changes
 * the weights next. */
void crd_gcn_backward(crd_gcn *gcn, crd_dropout dropout, float *const *gradient);

#endif
