/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "base/tree.h"
#include "base/watch.h"
#include "tsne/tsne.h"

/* ---- the descent ---- */

enum { ROWS = 256, SHOWN_EVERY = 50 };

crd_status crd_descent_open(crd_descent *d, const crd_affinities *affinities, bool exact, const crd_kernels *kernels,
                            crd_team *team, crd_error *error)
{
    *d = (crd_descent){.affinities = affinities};
    float **const arrays[] = {&d->pull, &d->push, &d->change, &d->gain};
    for (int i = 0; i < 4; i++) CRD_PLAN(&d->arrays, arrays[i], 2 * affinities->count);
    crd_status status = crd_plan_allocate(&d->arrays, error);
    if (status == CRD_OK) status = crd_repulsion_open(&d->repulsion, affinities->count, exact, kernels, team, error);
    if (status != CRD_OK) crd_descent_close(d);
    return status;
}

void crd_descent_close(crd_descent *d)
{
    crd_repulsion_close(&d->repulsion);
    crd_plan_free(&d->arrays);
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
    job->descent->repulsion.kernels->attract(begin, end, p->start, p->column, p->weight, job->map, job->descent->pull);
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
    float pull, push; /* factors of the forces */
    float momentum, rate;
} move_job;

/* A coordinate that keeps its direction gains speed; one that oscillates loses it. */
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

/* Moves the map; `divergence` is that of the final map. */
static crd_status descend(crd_descent *d, const crd_tsne_options *options, float *map, double *divergence,
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
        state.divergence =
            crd_watch_is_told() && (i + 1) % SHOWN_EVERY == 0 ? crd_descent_divergence(d, map, total) : (double)NAN;
        move_job job = {.descent = d,
                        .map = map,
                        .rate = (float)rate,
                        .momentum = early ? 0.5f : 0.8f,
                        .pull = (float)(4.0 * (early ? options->exaggeration : 1.0)),
                        .push = (float)(4.0 / total)};
        crd_parallel_rows(d->repulsion.team, count, 4096, move, &job);
        go_on = crd_watch_map(&state);
    }
    if (status == CRD_OK) status = crd_repulsion_run(&d->repulsion, map, d->push, &total, error);
    if (status == CRD_OK) *divergence = crd_descent_divergence(d, map, total);
    return status;
}

/* ---- t-SNE ---- */

/* Up to this many points, all pairs are computed; beyond, nearest neighbours and a grid are faster. */
enum { EXACT = 1024 };

void crd_tsne_defaults_sized(crd_tsne_options *options, size_t size)
{
    const crd_tsne_options usual = {
        .size = size, .perplexity = 30.0, .iterations = 1000, .early = 250, .exaggeration = 12.0, .seed = 1};
    crd_give_sized(&usual, sizeof usual, options, size);
}

crd_tsne_plan crd_tsne_plan_of(int64_t count, double perplexity)
{
    const double most = fmax(1.0, (double)(count - 1) / 3.0);
    crd_tsne_plan plan = {.perplexity = fmin(perplexity, most), .exact = count <= EXACT};
    plan.neighbours = plan.exact ? count - 1 : (int64_t)(3.0 * plan.perplexity + 1.0);
    if (plan.neighbours > count - 1) plan.neighbours = count - 1;
    return plan;
}

/* Finds what belongs together, then moves the map. If the caller stops the search for that, the map stays and has no
 * divergence. */
static crd_status improve(const crd_points *points, const crd_tsne_options *options, crd_tsne_plan plan,
                          const crd_kernels *kernels, crd_team *team, float *map, double *divergence, crd_error *error)
{
    crd_neighbours neighbours;
    crd_affinities affinities = {0};
    crd_descent descent;
    crd_status status = crd_neighbours_open(&neighbours, points, plan.neighbours, kernels, team, options, error);
    if (status != CRD_OK) return status;
    const bool stopped = neighbours.stopped;
    if (!stopped) status = crd_affinities_open(&affinities, &neighbours, plan.perplexity, team, error);
    crd_neighbours_close(&neighbours);
    if (status != CRD_OK || stopped) return status;
    status = crd_descent_open(&descent, &affinities, plan.exact, kernels, team, error);
    if (status == CRD_OK) {
        status = descend(&descent, options, map, divergence, error);
        crd_descent_close(&descent);
    }
    crd_affinities_close(&affinities);
    return status;
}

/* The start of the map, in the order of `points`. */
static crd_status begin_map(const crd_points *points, const crd_tsne_options *options, crd_team *team, float *map,
                            crd_error *error)
{
    if (options->start == NULL && points->count > 1) return crd_start_principal(points, team, map, error);
    for (int64_t i = 0; i < 2 * points->count; i++)
        map[i] = options->start != NULL ? options->start[2 * (int64_t)points->order[i / 2] + i % 2] : 0.0f;
    return CRD_OK;
}

crd_status crd_tsne_run(const float *points, int64_t count, int64_t dims, const crd_tsne_options *options,
                        crd_tsne_plan plan, float *map, double *divergence, crd_error *error)
{
    const crd_kernels *kernels;
    crd_team *team = NULL;
    crd_points own = {0};
    float *moved = NULL;
    double reached = count > 1 ? (double)NAN : 0.0;
    crd_status status = crd_kernels_pick(&kernels, error);
    if (status == CRD_OK)
        status = crd_team_open(options->control != NULL ? options->control->threads : 0, &team, error);
    if (status == CRD_OK) status = crd_points_open(&own, points, count, dims, error);
    if (status == CRD_OK) status = CRD_NEW(&moved, 2 * count, error);
    if (status == CRD_OK) status = begin_map(&own, options, team, moved, error);
    if (status == CRD_OK && count > 1) {
        if (!plan.still) crd_start_loosen(moved, count, options->seed);
        status = improve(&own, options, plan, kernels, team, moved, &reached, error);
    }
    if (status == CRD_OK) {
        for (int64_t i = 0; i < count && map != NULL; i++)
            memcpy(map + 2 * (int64_t)own.order[i], moved + 2 * i, 2 * sizeof *map);
        if (divergence != NULL) *divergence = reached;
    }
    crd_free(moved);
    crd_points_close(&own);
    crd_team_close(&team);
    return status;
}

/* ---- for everybody ---- */

static crd_status check(const float *points, int64_t count, int64_t dims, const crd_tsne_options *options,
                        crd_error *error)
{
    if (count < 0 || count > INT32_MAX)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld points: expected 0 to %d", (long long)count, INT32_MAX);
    if (dims < 1) return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld dimensions: expected 1 or more", (long long)dims);
    if (points == NULL && count > 0) return crd_fail(error, CRD_ERROR_ARGUMENT, "there are no points to map");
    if (!(options->perplexity >= 1.0 && options->perplexity <= INT32_MAX))
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the perplexity is %g: expected a number from 1 up",
                        options->perplexity);
    if (options->iterations < 0 || options->early < 0)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld iterations, %lld of them early: expected 0 or more",
                        (long long)options->iterations, (long long)options->early);
    if (!(options->exaggeration >= 1.0 && isfinite(options->exaggeration)))
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the exaggeration is %g: expected a number from 1 up",
                        options->exaggeration);
    if (!(options->learning_rate >= 0.0 && isfinite(options->learning_rate)))
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the learning rate is %g: expected a positive number, or 0",
                        options->learning_rate);
    for (int64_t i = 0; i < 2 * count && options->start != NULL; i++)
        if (!(fabsf(options->start[i]) < 1e15f))
            return crd_fail(error, CRD_ERROR_NUMERIC,
                            "point %lld of the given map is at %g: expected numbers below 1e15", (long long)(i / 2),
                            (double)options->start[i]);
    return CRD_OK;
}

crd_status crd_tsne(const float *points, int64_t count, int64_t dims, const crd_tsne_options *options, float *map,
                    double *divergence, crd_error *error)
{
    if (count > 0 && CRD_ANY_NULL(error, points, map)) return CRD_ERROR_ARGUMENT;
    crd_tsne_options calm;
    crd_watch watch;
    crd_tsne_defaults(&calm);
    crd_status status = crd_take_sized("crd_tsne_options", options, &calm, sizeof calm, error);
    if (status != CRD_OK) return status;
    /* Two points are always as near as they should be; exaggeration would only make them jump. */
    if (count == 2 && calm.early > 0) calm.early = 0;
    status = check(points, count, dims, &calm, error);
    if (status == CRD_OK) status = crd_watch_begin(&watch, calm.control, "mapping", error);
    if (status != CRD_OK) return status;
    calm.control = &watch.control;
    status = crd_tsne_run(points, count, dims, &calm, crd_tsne_plan_of(count, calm.perplexity), map, divergence, error);
    crd_watch_end(&watch);
    return status;
}

/* A descent of no steps, with forces between all pairs, from the map itself. */
crd_status crd_tsne_divergence(const float *points, int64_t count, int64_t dims, double perplexity, const float *map,
                               int threads, double *divergence, crd_error *error)
{
    const crd_control control = {.size = sizeof control, .threads = threads};
    crd_tsne_options options;
    crd_tsne_defaults(&options);
    options.perplexity = perplexity;
    options.iterations = 0;
    options.start = map;
    options.control = &control;
    crd_status status = check(points, count, dims, &options, error);
    if (status != CRD_OK) return status;
    crd_tsne_plan plan = crd_tsne_plan_of(count, perplexity);
    plan.exact = plan.still = true;
    return crd_tsne_run(points, count, dims, &options, plan, NULL, divergence, error);
}
