#include "train/optimiser.h"

#include <stdlib.h>
#include <string.h>


crd_status crd_optimiser_open(crd_optimiser *o, const crd_model *model, crd_error *error)
{
    *o = (crd_optimiser){0};
    crd_status status = crd_kernels_pick(&o->kernels, error);
    for (int p = 0; p < model->parameters && status == CRD_OK; p++) {
        status = CRD_NEW_ZERO(&o->gradient[p], model->parameter[p].count, error);
        if (status == CRD_OK) status = CRD_NEW_ZERO(&o->moment[p], model->parameter[p].count, error);
        if (status == CRD_OK) status = CRD_NEW_ZERO(&o->square[p], model->parameter[p].count, error);
    }
    if (status != CRD_OK) crd_optimiser_close(o);
    return status;
}

void crd_optimiser_close(crd_optimiser *o)
{
    for (int p = 0; p < CRD_MAX_PARAMETERS; p++) {
        free(o->gradient[p]);
        free(o->moment[p]);
        free(o->square[p]);
    }
    *o = (crd_optimiser){0};
}

void crd_optimiser_reset(crd_optimiser *o, const crd_model *model)
{
    o->steps = 0;
    for (int p = 0; p < model->parameters; p++) {
        size_t bytes = (size_t)model->parameter[p].count * sizeof(float);
        memset(o->moment[p], 0, bytes);
        memset(o->square[p], 0, bytes);
    }
}

typedef struct {
    crd_optimiser *optimiser;
    crd_parameter *parameter;
    int index;
    float rate, decay;
} job;

static void adam_range(int64_t begin, int64_t end, void *context)
{
    job *j = context;
    crd_optimiser *o = j->optimiser;
    o->kernels->adam(begin, end, o->steps, j->rate, j->decay, o->gradient[j->index], o->moment[j->index],
                     o->square[j->index], j->parameter->value);
}

void crd_optimiser_step(crd_optimiser *o, crd_model *model, bool warmup, crd_team *team)
{
    o->steps++;
    for (int p = 0; p < model->parameters; p++) {
        crd_parameter *parameter = &model->parameter[p];
        if (warmup && !parameter->warms_up) continue;
        float decay = parameter->decays ? (float)model->config.weight_decay : 0.0f;
        job j = {o, parameter, p, (float)model->config.lr, decay};
        crd_parallel_rows(team, parameter->count, 16384, adam_range, &j);
    }
}
