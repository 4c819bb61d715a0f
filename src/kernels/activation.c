#include "kernels/activation.h"

enum { BLOCK = 256 };

typedef struct {
    const crd_kernels *kernels;
    const crd_hidden_layer *layer;
    float *rows;
} job;

static void forward_rows(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    const crd_hidden_layer *l = j->layer;
    j->kernels->activate(begin, end, l->activation, l->dropout, l->before, l->width,
                         j->rows + begin * l->width);
}

static void backward_rows(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    const crd_hidden_layer *l = j->layer;
    j->kernels->activate_backward(begin, end, l->activation, l->dropout, l->before, l->width,
                                  j->rows + begin * l->width);
}

void crd_activation_forward(const crd_kernels *kernels, crd_team *team, const crd_hidden_layer *layer,
                            float *after)
{
    job j = {kernels, layer, after};
    crd_parallel_rows(team, layer->nodes, BLOCK, forward_rows, &j);
}

void crd_activation_backward(const crd_kernels *kernels, crd_team *team, const crd_hidden_layer *layer,
                             float *gradient)
{
    job j = {kernels, layer, gradient};
    crd_parallel_rows(team, layer->nodes, BLOCK, backward_rows, &j);
}
