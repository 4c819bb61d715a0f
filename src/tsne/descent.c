#include "base/tree.h"
#include "tsne/descent.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 256, SHOWN_EVERY = 50 };

crd_status crd_descent_open(crd_descent *d, const crd_affinities *affinities, bool exact,
                            const crd_kernels *kernels, crd_team *team, crd_error *error)
{
    *d = (crd_descent){.affinities = affinities};
    crd_status status = crd_repulsion_open(&d->repulsion, affinities->count, exact, kernels, team, error);
    float **const arrays[] = {&d->pull, &d->push, &d->change, &d->gain};
    for (int i = 0; i < 4 && status == CRD_OK; i++) status = CRD_NEW(arrays[i], 2 * affinities->count, error);
    if (status != CRD_OK) crd_descent_close(d);
    return status;
}

void crd_descent_close(crd_descent *d)
{
    crd_repulsion_close(&d->repulsion);
    free(d->pull);
    free(d->push);
    free(d->change);
    free(d->gain);
    *d = (crd_descent){0};
}

typedef struct {
    const crd_descent *descent;
    const float *map;
} map_job;

static void attract(int64_t begin, int64_t end, void *context)
{
    const map_job *job = context;
    const crd_affinities *p = job->descent->affinities;
    job->descent->repulsion.kernels->attract(begin, end, p->start, p->column, p->weight, job->map,
                                             job->descent->pull);
}

crd_status crd_descent_forces(crd_descent *d, const float *map, double *total, crd_error *error)
{
    crd_status status = crd_repulsion_run(&d->repulsion, map, d->push, total, error);
    if (status != CRD_OK) return status;
    map_job job = {d, map};
    crd_parallel_rows(d->repulsion.team, d->affinities->count, ROWS, attract, &job);
    return CRD_OK;
}

static void stretch(int64_t begin, int64_t end, double *sums, void *context)
{
    const map_job *job = context;
    const crd_affinities *p = job->descent->affinities;
    sums[0] += job->descent->repulsion.kernels->stretch(begin, end, p->start, p->column, p->weight, job->map);
}

double crd_descent_divergence(const crd_descent *d, const float *map, double total)
{
    map_job job = {d, map};
    double sum;
    crd_parallel_sum(d->repulsion.team, d->affinities->count, stretch, &job, 1, &sum);
    return d->affinities->entropy + sum + log(total);
}

/* ---- an iteration ---- */

typedef struct {
    crd_descent *descent;
    float *map;
    float pull, push; /* what the forces are multiplied with */
    float momentum, rate;
} move_job;

/* A number that keeps its direction gains speed, one that swings loses it. */
static void move(int64_t begin, int64_t end, void *context)
{
    const move_job *job = context;
    const crd_descent *d = job->descent;
    for (int64_t i = 2 * begin; i < 2 * end; i++) {
        const float slope = job->pull * d->pull[i] - job->push * d->push[i];
        const float gain = slope * d->change[i] < 0.0f ? d->gain[i] + 0.2f : d->gain[i] * 0.8f;
        d->gain[i] = gain < 0.01f ? 0.01f : gain;
        d->change[i] = job->momentum * d->change[i] - job->rate * d->gain[i] * slope;
        job->map[i] += d->change[i];
    }
}

static void begin_phase(crd_descent *d)
{
    for (int64_t i = 0; i < 2 * d->affinities->count; i++) {
        d->change[i] = 0.0f;
        d->gain[i] = 1.0f;
    }
}

crd_status crd_descent_run(crd_descent *d, const crd_tsne_options *options, float *map, double *divergence,
                           crd_error *error)
{
    const int64_t count = d->affinities->count;
    const double automatic = fmax((double)count / options->exaggeration / 4.0, 50.0);
    const double rate = options->learning_rate > 0.0 ? options->learning_rate : automatic;
    crd_tsne_state state = {.iterations = options->iterations};
    crd_status status = CRD_OK;
    double total = 0.0;
    bool go_on = true;
    for (int64_t i = 0; i < options->iterations && go_on && status == CRD_OK; i++) {
        if (i == 0 || i == options->early) begin_phase(d);
        const bool early = i < options->early;
        status = crd_descent_forces(d, map, &total, error);
        if (status != CRD_OK) break;
        state.iteration = i + 1;
        state.divergence = options->progress != NULL && (i + 1) % SHOWN_EVERY == 0
                               ? crd_descent_divergence(d, map, total)
                               : (double)NAN;
        move_job job = {.descent = d,
                        .map = map,
                        .rate = (float)rate,
                        .momentum = early ? 0.5f : 0.8f,
                        .pull = (float)(4.0 * (early ? options->exaggeration : 1.0)),
                        .push = (float)(4.0 / total)};
        crd_parallel_rows(d->repulsion.team, count, 4096, move, &job);
        if (options->progress != NULL) go_on = options->progress(&state, options->user);
    }
    if (status == CRD_OK) status = crd_repulsion_run(&d->repulsion, map, d->push, &total, error);
    if (status == CRD_OK) *divergence = crd_descent_divergence(d, map, total);
    return status;
}
