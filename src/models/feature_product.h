/* SPDX-License-Identifier: MIT */
/* The first product of a network, features times weights, and its gradient. With many features, most of the time goes
 * into it. The features are prepared once, in the fastest form. */
#ifndef CRD_MODELS_FEATURE_PRODUCT_H
#define CRD_MODELS_FEATURE_PRODUCT_H

#include "graph/preprocess.h"
#include "kernels/linear.h"

typedef struct crd_feature_product {
    int64_t width; /* columns of the weights */
    bool is_dense;
    crd_dense dense;         /* the features, if they are dense */
    float *room;             /* for their gradient */
    crd_rows x;              /* the features, if they are sparse */
    crd_packed packed;       /* of x; without columns, x itself is used */
    crd_features transposed; /* of sparse features, for the gradient; none if the gradient is packed */
    crd_packed packed_transposed;
} crd_feature_product;

/* Keeps a pointer to the features, does not copy them. A failed open leaves nothing to close. */
crd_status crd_feature_product_open(crd_feature_product *product, const crd_prepared *features, int64_t width,
                                    bool training, int threads, crd_error *error);
/* The most memory of a product opened for training; only the sizes of the features matter. */
int64_t crd_feature_product_bytes(const crd_prepared *features, int64_t width, int threads);
void crd_feature_product_close(crd_feature_product *product);
/* out [rows][width] = features * weight + bias; bias may be NULL. */
void crd_feature_product_forward(const crd_feature_product *product, const crd_kernels *kernels, crd_team *team,
                                 const float *weight, const float *bias, float *out);
/* d_weight [columns][width] = features' * gradient, for a product opened for training. It may overwrite
 * the gradient. */
void crd_feature_product_backward(const crd_feature_product *product, const crd_kernels *kernels, crd_team *team,
                                  float *gradient, float *d_weight);

#endif
