/* Activation and dropout of a hidden layer, over all threads. */
#ifndef CRD_KERNELS_ACTIVATION_H
#define CRD_KERNELS_ACTIVATION_H

#include "base/parallel.h"
#include "kernels/hot.h"

typedef struct crd_hidden_layer {
    int64_t nodes, width;
    crd_activation activation;
    crd_dropout dropout;
    const float *before; /* [nodes][width], what goes into the activation */
} crd_hidden_layer;

/* after = dropout(act(before)) */
void crd_activation_forward(const crd_kernels *kernels, crd_team *team, const crd_hidden_layer *layer,
                            float *after);
/* In place: the gradient of `after` becomes that of `before`. */
void crd_activation_backward(const crd_kernels *kernels, crd_team *team, const crd_hidden_layer *layer,
                             float *gradient);

#endif
