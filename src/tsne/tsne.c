#include "tsne/tsne.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/tree.h"
#include "credence_private.h"
#include "tsne/points.h"

/* ---- the descent ---- */

enum { ROWS = 256, SHOWN_EVERY = 50 };

crd_status crd_descent_open(crd_descent *d, const crd_affinities *affinities, bool exact, const crd_kernels *kernels,
                            crd_team *team, crd_error *error)
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

/* ---- t-SNE ---- */

/* Up to this many points, all pairs are computed; beyond, nearest neighbours and a grid are faster. */
enum { EXACT = 1024 };

void crd_tsne_defaults(crd_tsne_options *options)
{
    *options =
        (crd_tsne_options){.perplexity = 30.0, .iterations = 1000, .early = 250, .exaggeration = 12.0, .seed = 1};
}

crd_tsne_plan crd_tsne_plan_of(int64_t count, double perplexity)
{
    const double most = fmax(1.0, (double)(count - 1) / 3.0);
    crd_tsne_plan plan = {.perplexity = fmin(perplexity, most), .exact = count <= EXACT};
    plan.neighbours = plan.exact ? count - 1 : (int64_t)(3.0 * plan.perplexity + 1.0);
    if (plan.neighbours > count - 1) plan.neighbours = count - 1;
    return plan;
}

/* ---- what was asked for ---- */

static crd_status check_points(const float *points, int64_t count, int64_t dims, double perplexity, crd_error *error)
{
    if (count < 0 || count > INT32_MAX)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld points: expected 0 to %d", (long long)count, INT32_MAX);
    if (dims < 1) return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld dimensions: expected 1 or more", (long long)dims);
    if (points == NULL && count > 0) return crd_fail(error, CRD_ERROR_ARGUMENT, "there are no points to map");
    if (!(perplexity >= 1.0 && perplexity <= INT32_MAX))
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the perplexity is %g: expected a number from 1 up", perplexity);
    return CRD_OK;
}

static crd_status check_options(const crd_tsne_options *options, int64_t count, crd_error *error)
{
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
            return crd_fail(error, CRD_ERROR_NUMERIC, "the start of point %lld is %g: expected a number below 1e15",
                            (long long)(i / 2), (double)options->start[i]);
    return CRD_OK;
}

/* ---- from points to affinities ---- */

typedef struct {
    const crd_kernels *kernels;
    crd_team *team;
    crd_points points;
    crd_affinities affinities;
} session;

static crd_status open_session(session *s, const float *points, int64_t count, int64_t dims, int threads,
                               crd_error *error)
{
    *s = (session){0};
    crd_status status = crd_kernels_pick(&s->kernels, error);
    if (status == CRD_OK) status = crd_team_open(threads, &s->team, error);
    if (status == CRD_OK) status = crd_points_open(&s->points, points, count, dims, error);
    return status;
}

static void close_session(session *s)
{
    crd_affinities_close(&s->affinities);
    crd_points_close(&s->points);
    crd_team_close(&s->team);
}

/* The call-back during the search for neighbours, before any iteration. */
static bool ask(void *context)
{
    const crd_tsne_options *options = context;
    const crd_tsne_state state = {.iterations = options->iterations, .divergence = (double)NAN};
    return options->progress(&state, options->user);
}

/* options has the call-back; NULL: none. */
static crd_status find_affinities(session *s, crd_tsne_plan plan, const crd_tsne_options *options, bool *stopped,
                                  crd_error *error)
{
    crd_neighbours neighbours;
    crd_tsne_options copy;
    const bool asked = options != NULL && options->progress != NULL;
    if (asked) copy = *options;
    crd_status status = crd_neighbours_open(&neighbours, &s->points, plan.neighbours, s->kernels, s->team,
                                            asked ? ask : NULL, asked ? &copy : NULL, stopped, error);
    if (status != CRD_OK || *stopped) return status;
    status = crd_affinities_open(&s->affinities, &neighbours, plan.perplexity, s->team, error);
    crd_neighbours_close(&neighbours);
    return status;
}

/* ---- maps ---- */

/* A map of the caller's points in our order. */
static void arrange(const float *map, const crd_points *points, float *arranged)
{
    for (int64_t i = 0; i < points->count; i++)
        memcpy(arranged + 2 * i, map + 2 * (int64_t)points->order[i], 2 * sizeof *map);
}

static crd_status descend(session *s, crd_tsne_plan plan, const crd_tsne_options *options, float *map,
                          double *divergence, crd_error *error)
{
    bool stopped;
    crd_status status = find_affinities(s, plan, options, &stopped, error);
    if (status != CRD_OK || stopped) return status;
    crd_descent descent;
    status = crd_descent_open(&descent, &s->affinities, plan.exact, s->kernels, s->team, error);
    if (status != CRD_OK) return status;
    status = crd_descent_run(&descent, options, map, divergence, error);
    crd_descent_close(&descent);
    return status;
}

crd_status crd_tsne_run(const float *points, int64_t count, int64_t dims, const crd_tsne_options *options,
                        crd_tsne_plan plan, float *map, double *divergence, crd_error *error)
{
    session s;
    float *own = NULL;
    double reached = (double)NAN;
    crd_status status = open_session(&s, points, count, dims, options->threads, error);
    if (status == CRD_OK) status = CRD_NEW(&own, 2 * count, error);
    if (status == CRD_OK && options->start != NULL) arrange(options->start, &s.points, own);
    else if (status == CRD_OK) status = crd_start_principal(&s.points, s.team, own, error);
    if (status == CRD_OK) {
        crd_start_loosen(own, count, options->seed);
        status = descend(&s, plan, options, own, &reached, error);
    }
    if (status == CRD_OK) {
        for (int64_t i = 0; i < count; i++) memcpy(map + 2 * (int64_t)s.points.order[i], own + 2 * i, 2 * sizeof *map);
        if (divergence != NULL) *divergence = reached;
    }
    free(own);
    close_session(&s);
    return status;
}

crd_status crd_tsne(const float *points, int64_t count, int64_t dims, const crd_tsne_options *options, float *map,
                    double *divergence, crd_error *error)
{
    crd_tsne_options defaults;
    crd_tsne_defaults(&defaults);
    if (options == NULL) options = &defaults;
    crd_status status = check_points(points, count, dims, options->perplexity, error);
    if (status == CRD_OK) status = check_options(options, count, error);
    if (status != CRD_OK) return status;
    /* Two points are always as near as they should be; exaggeration would only make them jump. */
    crd_tsne_options calm = *options;
    if (count == 2) calm.early = 0;
    if (count > 1)
        return crd_tsne_run(points, count, dims, &calm, crd_tsne_plan_of(count, options->perplexity), map, divergence,
                            error);
    crd_points alone; /* opened only to check the coordinates */
    status = crd_points_open(&alone, points, count, dims, error);
    crd_points_close(&alone);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < 2 * count; i++) map[i] = options->start != NULL ? options->start[i] : 0.0f;
    if (divergence != NULL) *divergence = 0.0;
    return CRD_OK;
}

static crd_status measure(session *s, crd_tsne_plan plan, const float *map, double *divergence, crd_error *error)
{
    const int64_t count = s->points.count;
    bool stopped;
    crd_status status = find_affinities(s, plan, NULL, &stopped, error);
    if (status != CRD_OK) return status;
    float *x = NULL, *y = NULL, *own = NULL;
    status = CRD_NEW(&own, 2 * count, error);
    if (status == CRD_OK) status = CRD_NEW(&x, count + CRD_PANEL, error);
    if (status == CRD_OK) status = CRD_NEW(&y, count + CRD_PANEL, error);
    if (status == CRD_OK) {
        arrange(map, &s->points, own);
        crd_map_columns(own, count, x, y);
        const crd_descent still = {.affinities = &s->affinities, .repulsion = {.kernels = s->kernels, .team = s->team}};
        *divergence = crd_descent_divergence(&still, own, crd_repulsion_total(x, y, count, s->kernels, s->team));
    }
    free(x);
    free(y);
    free(own);
    return status;
}

crd_status crd_tsne_divergence(const float *points, int64_t count, int64_t dims, double perplexity, const float *map,
                               int threads, double *divergence, crd_error *error)
{
    crd_status status = check_points(points, count, dims, perplexity, error);
    crd_extent extent;
    if (status == CRD_OK) status = crd_map_extent(map, count, &extent, error);
    if (status != CRD_OK) return status;
    session s;
    double found = 0.0;
    status = open_session(&s, points, count, dims, threads, error);
    if (status == CRD_OK && count > 1) status = measure(&s, crd_tsne_plan_of(count, perplexity), map, &found, error);
    close_session(&s);
    if (status == CRD_OK) *divergence = found;
    return status;
}
