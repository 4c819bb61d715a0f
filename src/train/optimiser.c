#include "train/optimiser.h"

#include <string.h>

void crd_optimiser_plan(crd_optimiser *o, crd_plan *plan, const crd_model *model)
{
    for (int p = 0; p < model->parameters; p++) {
        CRD_PLAN_ZERO(plan, &o->gradient[p], model->parameter[p].count);
        CRD_PLAN_ZERO(plan, &o->moment[p], model->parameter[p].count);
        CRD_PLAN_ZERO(plan, &o->square[p], model->parameter[p].count);
    }
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
    const crd_kernels *kernels;
    crd_parameter *parameter;
    int index;
    float rate, decay;
} job;

static void adam_range(int64_t begin, int64_t end, void *context)
{
    job *j = context;
    crd_optimiser *o = j->optimiser;
    j->kernels->adam(begin, end, o->steps, j->rate, j->decay, o->gradient[j->index], o->moment[j->index],
                     o->square[j->index], j->parameter->value);
}

void crd_optimiser_step(crd_optimiser *o, crd_model *model, bool warmup, const crd_run *run)
{
    o->steps++;
    for (int p = 0; p < model->parameters; p++) {
        crd_parameter *parameter = &model->parameter[p];
        if (warmup && !parameter->warms_up) continue;
        float decay = parameter->decays ? (float)model->config.weight_decay : 0.0f;
        job j = {o, run->kernels, parameter, p, (float)model->config.lr, decay};
        crd_parallel_rows(run->inputs.team, parameter->count, 16384, adam_range, &j);
    }
}
