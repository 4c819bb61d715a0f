/* SPDX-License-Identifier: MIT */
/* Epistemic scores that look at the graph, besides a model's own: those of other authors, and ours to compare with
 * them. All grow with doubt. L are the labelled nodes of known classes: training and validation nodes.
 *
 * energy        -logsumexp of the logits
 * gnnsafe       two lazy steps of the energy: half a node's own, half the mean of its neighbours
 * gebm          energies of logits and of distances from the classes, in features alone; before, between and after
 *               ten lazy steps
 * grasp         -max p after eight steps along the edges; nodes of L keep 1, and those of L that lie best are joined
 * epn           -alpha0, which a head gives that was fitted to the logits (train/head.c)
 * vacuity       -alpha0 after two lazy steps
 * log-evidence  -log alpha0 before the graph, diffused
 * anchor        minus the indicator of L, diffused: how far away the labelled nodes are */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers/answers.h"
#include "base/sort.h"
#include "base/watch.h"
#include "kernels/losses.h"

typedef struct {
    const crd_model *model;
    const crd_dataset *dataset;
    const crd_graph *graph;
    int64_t nodes;
    int32_t classes;
    int threads;
    crd_team *team;
    const float *output;
    const crd_prediction *prediction;
    uint8_t *labelled; /* nodes, for scores that need L: 1 for training nodes, 2 for validation nodes, 0 for others */
    int32_t *truth;    /* nodes, like labelled: the class as the model numbers it, or a negative number */
    double *score;     /* the result */
} question;

/* ---- steps along the edges ---- */

static const crd_walk LAZY = {.steps = 2, .keep = 0.5}, SAFE = {.steps = 2, .keep = 0.5, .empty = true},
                      LAZY_TEN = {.steps = 10, .keep = 0.5, .self = true},
                      DIFFUSION = {.steps = 10, .teleport = 0.1, .self = true};

typedef struct {
    const crd_graph *graph;
    const crd_walk *walk;
    int64_t columns;
    const double *first, *x;
    double *next;
} walk_job;

static void walk_rows(int64_t begin, int64_t end, void *context)
{
    const walk_job *j = context;
    const crd_walk *w = j->walk;
    const int64_t columns = j->columns;
    for (int64_t i = begin; i < end; i++) {
        const int64_t degree = j->graph->start[i + 1] - j->graph->start[i];
        const bool own = w->self || (degree == 0 && !w->empty); /* its own value counts in the mean */
        const double *x = j->x + i * columns, *first = j->first + i * columns;
        double *next = j->next + i * columns;
        for (int64_t c = 0; c < columns; c++) next[c] = own ? x[c] : 0.0;
        for (int64_t e = j->graph->start[i]; e < j->graph->start[i + 1]; e++)
            for (int64_t c = 0; c < columns; c++) next[c] += j->x[j->graph->neighbour[e] * columns + c];
        const double share = (1.0 - w->keep - w->teleport) / fmax(1.0, (double)(degree + own));
        for (int64_t c = 0; c < columns; c++) next[c] = w->keep * x[c] + w->teleport * first[c] + share * next[c];
    }
}

crd_status crd_walk_along(const crd_graph *graph, const crd_walk *walk, int64_t columns, crd_team *team, double *x,
                          crd_error *error)
{
    const int64_t cells = graph->nodes * columns;
    double *room[2], *first;
    crd_plan plan = {0};
    CRD_PLAN(&plan, &first, cells);
    CRD_PLAN(&plan, &room[0], cells);
    CRD_PLAN(&plan, &room[1], cells);
    crd_status status = crd_plan_allocate(&plan, error);
    if (status != CRD_OK) return status;
    const size_t bytes = (size_t)cells * sizeof *x;
    memcpy(first, x, bytes);
    memcpy(room[0], x, bytes);
    for (int64_t s = 0; s < walk->steps; s++) {
        walk_job j = {graph, walk, columns, first, room[s % 2], room[(s + 1) % 2]};
        crd_parallel_rows(team, graph->nodes, 256, walk_rows, &j);
    }
    memcpy(x, room[walk->steps % 2], bytes);
    crd_plan_free(&plan);
    return crd_watch_check(error);
}

static crd_status walk(const question *q, const crd_walk *steps, crd_error *error)
{
    return crd_walk_along(q->graph, steps, 1, q->team, q->score, error);
}

/* ---- one number per node, spread ---- */

static crd_status energy(const question *q, crd_error *error)
{
    for (int64_t i = 0; i < q->nodes && !crd_watch_at(i); i++)
        q->score[i] = -crd_log_sum_exp(q->output + i * q->classes, q->classes);
    return crd_watch_check(error);
}

static crd_status gnnsafe(const question *q, crd_error *error)
{
    crd_status status = energy(q, error);
    return status == CRD_OK ? walk(q, &SAFE, error) : status;
}

double crd_head_log_evidence(const double *parameters, const float *logits, int32_t classes, int32_t class_index)
{
    double sum = parameters[classes * classes + class_index];
    for (int32_t c = 0; c < classes; c++) sum += parameters[class_index * classes + c] * (double)logits[c];
    return fmax(-CRD_HEAD_MOST, fmin(CRD_HEAD_MOST, sum));
}

double crd_head_total(const double *parameters, const float *logits, int32_t classes)
{
    double total = (double)classes;
    for (int32_t k = 0; k < classes; k++) total += exp(crd_head_log_evidence(parameters, logits, classes, k));
    return total;
}

static crd_status epn(const question *q, crd_error *error)
{
    const crd_parameter *head = &q->model->parameter[q->model->parameters - 2]; /* weights, then biases */
    double *parameters;
    crd_status status = CRD_NEW(&parameters, crd_head_size(q->classes), error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < crd_head_size(q->classes); i++)
        parameters[i] = (double)(i < head->count ? head[0].value[i] : head[1].value[i - head->count]);
    for (int64_t i = 0; i < q->nodes && !crd_watch_at(i); i++)
        q->score[i] = -crd_head_total(parameters, q->output + i * q->classes, q->classes);
    crd_free(parameters);
    return crd_watch_check(error);
}

static double total_alpha(const question *q, const float *evidence, int64_t node)
{
    double total = (double)q->classes;
    for (int32_t k = 0; k < q->classes; k++) total += (double)evidence[node * q->classes + k];
    return total;
}

static crd_status vacuity(const question *q, crd_error *error)
{
    for (int64_t i = 0; i < q->nodes; i++) q->score[i] = -total_alpha(q, q->output, i);
    return walk(q, &LAZY, error);
}

static crd_status log_evidence(const question *q, crd_error *error)
{
    const float *features = q->prediction->evidence_features;
    for (int64_t i = 0; i < q->nodes; i++) q->score[i] = -log(total_alpha(q, features, i));
    return walk(q, &DIFFUSION, error);
}

static crd_status anchor(const question *q, crd_error *error)
{
    for (int64_t i = 0; i < q->nodes; i++) q->score[i] = q->labelled[i] != 0 ? -1.0 : 0.0;
    return walk(q, &DIFFUSION, error);
}

/* ---- GRASP ---- */

typedef struct {
    double value;
    int64_t node;
} ranked;

/* The largest first, equal values by node number. */
static int by_falling_value(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->value != y->value) return x->value > y->value ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

enum { SURE = 1, UNSURE = 2, JOINED = 4 }; /* marks of nodes */

/* Marks the surest and the least sure twentieth of the nodes outside L. */
static crd_status mark_ends(const question *q, const double *s, ranked *order, uint8_t *mark, crd_error *error)
{
    int64_t count = 0;
    for (int64_t i = 0; i < q->nodes; i++)
        if (q->labelled[i] == 0) order[count++] = (ranked){s[i], i};
    const crd_status status = crd_sort(order, count, sizeof *order, by_falling_value, error);
    const int64_t part = status == CRD_OK ? count / 20 : 0;
    for (int64_t r = 0; r < part; r++) {
        mark[order[r].node] |= SURE;
        mark[order[count - 1 - r].node] |= UNSURE;
    }
    return status;
}

/* Marks the half of L with the most edges to sure nodes for each edge to an unsure one; *joined is how many. */
static crd_status mark_joined(const question *q, ranked *order, uint8_t *mark, int64_t *joined, crd_error *error)
{
    const crd_graph *g = q->graph;
    int64_t count = 0;
    for (int64_t i = 0; i < q->nodes && !crd_watch_at(i); i++) {
        if (q->labelled[i] == 0) continue;
        double sure = 0.0, unsure = 0.0;
        for (int64_t e = g->start[i]; e < g->start[i + 1]; e++) {
            sure += (mark[g->neighbour[e]] & SURE) != 0;
            unsure += (mark[g->neighbour[e]] & UNSURE) != 0;
        }
        order[count++] = (ranked){sure / (unsure + 1.0), i};
    }
    const crd_status status = crd_sort(order, count, sizeof *order, by_falling_value, error);
    *joined = status == CRD_OK ? count / 2 : 0;
    for (int64_t r = 0; r < *joined; r++) mark[order[r].node] |= JOINED;
    return status;
}

/* s <- the mean over neighbours, among which the joined nodes are each other's; then L back to at least 1. */
static void grasp_step(const question *q, const uint8_t *mark, int64_t joined, const double *s, double *next)
{
    static const double weight = 1.001; /* of the edges between joined nodes */
    double sum = 0.0;
    for (int64_t i = 0; i < q->nodes; i++)
        if ((mark[i] & JOINED) != 0) sum += s[i];
    for (int64_t i = 0; i < q->nodes && !crd_watch_at(i); i++) {
        const int64_t *start = q->graph->start;
        const bool is_joined = (mark[i] & JOINED) != 0;
        const int64_t degree = start[i + 1] - start[i] + (is_joined ? joined : 0);
        double total = is_joined ? weight * sum : 0.0;
        for (int64_t e = start[i]; e < start[i + 1]; e++) total += s[q->graph->neighbour[e]];
        next[i] = degree > 0 ? total / (double)degree : s[i];
        if (q->labelled[i] != 0) next[i] = fmax(next[i], 1.0);
    }
}

static crd_status grasp(const question *q, crd_error *error)
{
    enum { STEPS = 8 };
    double *room[2];
    ranked *order;
    uint8_t *mark;
    crd_plan plan = {0};
    CRD_PLAN(&plan, &room[0], q->nodes);
    CRD_PLAN(&plan, &room[1], q->nodes);
    CRD_PLAN(&plan, &order, q->nodes);
    CRD_PLAN_ZERO(&plan, &mark, q->nodes);
    crd_status status = crd_plan_allocate(&plan, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < q->nodes; i++) room[0][i] = -q->prediction->score[CRD_SCORE_ALEATORIC][i]; /* max p */
    int64_t joined = 0;
    status = mark_ends(q, room[0], order, mark, error);
    if (status == CRD_OK) status = mark_joined(q, order, mark, &joined, error);
    for (int64_t i = 0; i < q->nodes; i++)
        if (q->labelled[i] != 0) room[0][i] = 1.0;
    for (int s = 0; s < STEPS && status == CRD_OK; s++) grasp_step(q, mark, joined, room[s % 2], room[(s + 1) % 2]);
    for (int64_t i = 0; i < q->nodes; i++) q->score[i] = -room[STEPS % 2][i];
    crd_plan_free(&plan);
    return status == CRD_OK ? crd_watch_check(error) : status;
}

/* ---- GEBM ---- */

/* One Gaussian per class over the layer before the logits, and the ranges that make distances and logits alike. */
typedef struct {
    int64_t width;
    double *mean, *variance; /* [classes][width] */
    double *count;           /* classes: training nodes */
    double *low, *high;      /* [2][classes]: the middle 95 % of distances, then of logits */
    double *distance;        /* [nodes][classes] */
    double *energies;        /* [nodes][classes] */
    double *first;           /* nodes */
    double *sorted;          /* nodes */
    float *hidden, *logits;  /* [nodes][width], [nodes][classes], without edges */
    int64_t *start;          /* of a graph without edges */
    crd_plan plan;
} gebm_room;

static crd_status open_gebm(const question *q, gebm_room *g, crd_error *error)
{
    const int64_t cells = q->nodes * q->classes;
    *g = (gebm_room){.width = q->prediction->latent_dims};
    CRD_PLAN_ZERO(&g->plan, &g->mean, q->classes * g->width);
    CRD_PLAN_ZERO(&g->plan, &g->variance, q->classes * g->width);
    CRD_PLAN_ZERO(&g->plan, &g->count, q->classes);
    CRD_PLAN(&g->plan, &g->low, 2 * q->classes);
    CRD_PLAN(&g->plan, &g->high, 2 * q->classes);
    CRD_PLAN(&g->plan, &g->distance, cells);
    CRD_PLAN(&g->plan, &g->energies, cells);
    CRD_PLAN(&g->plan, &g->first, q->nodes);
    CRD_PLAN(&g->plan, &g->sorted, q->nodes);
    CRD_PLAN(&g->plan, &g->hidden, q->nodes * g->width);
    CRD_PLAN(&g->plan, &g->logits, cells);
    CRD_PLAN_ZERO(&g->plan, &g->start, q->nodes + 1);
    return crd_plan_allocate(&g->plan, error);
}

/* Means and variances over the training nodes of each class. A class with few of them, or a unit that they do not
 * use, gets at least a part of the variance that all classes have on average over all units. */
static void fit_gaussians(const question *q, gebm_room *g)
{
    static const double floor_share = 0.1, least = 1e-6;
    const float *hidden = q->prediction->latent;
    double all = 0.0, pooled = 0.0;
    for (int64_t i = 0; i < q->nodes; i++) {
        if (q->labelled[i] != CRD_ROLE_TRAIN) continue;
        const int32_t label = q->truth[i];
        g->count[label] += 1.0;
        all += 1.0;
        for (int64_t d = 0; d < g->width; d++) g->mean[label * g->width + d] += (double)hidden[i * g->width + d];
    }
    for (int64_t c = 0; c < q->classes * g->width; c++) g->mean[c] /= fmax(1.0, g->count[c / g->width]);
    for (int64_t i = 0; i < q->nodes; i++) {
        if (q->labelled[i] != CRD_ROLE_TRAIN) continue;
        const int64_t row = q->truth[i] * g->width;
        for (int64_t d = 0; d < g->width; d++) {
            const double off = (double)hidden[i * g->width + d] - g->mean[row + d];
            g->variance[row + d] += off * off;
            pooled += off * off;
        }
    }
    pooled /= fmax(1.0, all) * (double)g->width;
    for (int64_t c = 0; c < q->classes * g->width; c++)
        g->variance[c] = fmax(g->variance[c] / fmax(1.0, g->count[c / g->width]), fmax(floor_share * pooled, least));
}

/* Squared Mahalanobis distances from every class. */
static void measure(const question *q, gebm_room *g, const float *hidden)
{
    for (int64_t i = 0; i < q->nodes && !crd_watch_at(i); i++)
        for (int32_t k = 0; k < q->classes; k++) {
            double sum = 0.0;
            for (int64_t d = 0; d < g->width; d++) {
                const double off = (double)hidden[i * g->width + d] - g->mean[k * g->width + d];
                sum += off * off / g->variance[k * g->width + d];
            }
            g->distance[i * q->classes + k] = sum;
        }
}

static int by_rising_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, int64_t count, double share)
{
    const double place = share * (double)(count - 1);
    const int64_t below = (int64_t)place;
    const double above = sorted[below + 1 < count ? below + 1 : below];
    return sorted[below] + (place - (double)below) * (above - sorted[below]);
}

/* The middle 95 % of distances and logits of every class, with edges. */
static crd_status find_ranges(const question *q, gebm_room *g, crd_error *error)
{
    crd_status status = CRD_OK;
    for (int32_t column = 0; column < 2 * q->classes && status == CRD_OK; column++) {
        const int32_t k = column % q->classes;
        for (int64_t i = 0; i < q->nodes; i++) {
            const int64_t cell = i * q->classes + k;
            g->sorted[i] = column < q->classes ? g->distance[cell] : (double)q->output[cell];
        }
        status = crd_sort(g->sorted, q->nodes, sizeof *g->sorted, by_rising_number, error);
        g->low[column] = quantile(g->sorted, q->nodes, 0.025);
        g->high[column] = quantile(g->sorted, q->nodes, 0.975);
    }
    return status;
}

static double minus_log_sum_exp(const double *row, int32_t count)
{
    double most = row[0], sum = 0.0;
    for (int32_t k = 1; k < count; k++) most = fmax(most, row[k]);
    for (int32_t k = 0; k < count; k++) sum += exp(row[k] - most);
    return -(most + log(sum));
}

/* Without edges: what a node's own features give to every class, its logit less its distance on the logits' scale. */
static void fill_energies(const question *q, gebm_room *g)
{
    const int32_t classes = q->classes;
    for (int64_t i = 0; i < q->nodes && !crd_watch_at(i); i++) {
        for (int32_t k = 0; k < classes; k++) {
            const double range = fmax(g->high[k] - g->low[k], 1e-12);
            const double share = (g->distance[i * classes + k] - g->low[k]) / range;
            const double *low = g->low + classes, *high = g->high + classes;
            g->energies[i * classes + k] = (double)g->logits[i * classes + k] - (share * (high[k] - low[k]) + low[k]);
        }
        g->first[i] = q->score[i] = minus_log_sum_exp(g->energies + i * classes, classes);
    }
}

static crd_status gebm(const question *q, crd_error *error)
{
    gebm_room g;
    crd_status status = open_gebm(q, &g, error);
    if (status != CRD_OK) return status;
    crd_dataset alone = *q->dataset;
    alone.graph = (crd_graph){.nodes = q->nodes, .start = g.start, .neighbour = q->graph->neighbour};
    status = crd_infer(q->model, &alone, NULL, q->threads, g.logits, NULL, g.hidden, error);
    if (status == CRD_OK) {
        fit_gaussians(q, &g);
        measure(q, &g, q->prediction->latent);
        status = find_ranges(q, &g, error);
    }
    if (status == CRD_OK) {
        measure(q, &g, g.hidden);
        fill_energies(q, &g);
        status = crd_watch_check(error);
    }
    if (status == CRD_OK) status = walk(q, &LAZY_TEN, error);
    if (status == CRD_OK) status = crd_walk_along(q->graph, &LAZY_TEN, q->classes, q->team, g.energies, error);
    for (int64_t i = 0; i < q->nodes && status == CRD_OK; i++)
        q->score[i] += g.first[i] + minus_log_sum_exp(g.energies + i * q->classes, q->classes);
    crd_plan_free(&g.plan);
    return status;
}

/* ---- all of them ---- */

static const struct {
    crd_status (*make)(const question *q, crd_error *error);
    bool labelled; /* it needs L */
} DOUBTS[CRD_DOUBTS] = {
    [CRD_DOUBT_ENERGY] = {energy, false},
    [CRD_DOUBT_GNNSAFE] = {gnnsafe, false},
    [CRD_DOUBT_GEBM] = {gebm, true},
    [CRD_DOUBT_GRASP] = {grasp, true},
    [CRD_DOUBT_EPN] = {epn, false},
    [CRD_DOUBT_VACUITY] = {vacuity, false},
    [CRD_DOUBT_LOG_EVIDENCE] = {log_evidence, false},
    [CRD_DOUBT_ANCHOR] = {anchor, true},
};

/* L, which is known if these are the data of training. */
static crd_status find_labelled(question *q, crd_error *error)
{
    const crd_split *split = q->model->split;
    if (!crd_is_training_graph(q->model, q->dataset))
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "the score %s needs the labelled nodes that the model was trained with, and these are other "
                        "data: predict on the data of training, or train with another score",
                        crd_config_score(&q->model->config));
    /* By name: classes that were left out by name are in another order. */
    crd_status status =
        crd_truth_make(q->dataset, (const char *const *)q->model->class_names, (int32_t)q->classes, &q->truth, error);
    if (status == CRD_OK) status = CRD_NEW(&q->labelled, q->nodes, error);
    for (int64_t i = 0; i < q->nodes && status == CRD_OK; i++) {
        const crd_role role = crd_split_role(split, i);
        q->labelled[i] =
            q->truth[i] >= 0 && (role == CRD_ROLE_TRAIN || role == CRD_ROLE_VALIDATION) ? (uint8_t)role : 0;
    }
    return status;
}

crd_status crd_peer_score(const crd_model *model, const crd_dataset *dataset, int threads, const float *output,
                          crd_prediction *prediction, crd_error *error)
{
    const crd_doubt doubt = model->config.score;
    if (doubt == CRD_DOUBT_OWN) return CRD_OK;
    question q = {.model = model,
                  .dataset = dataset,
                  .graph = &dataset->graph,
                  .nodes = dataset->graph.nodes,
                  .classes = model->classes,
                  .threads = threads,
                  .output = output,
                  .prediction = prediction};
    double **score = &prediction->score[CRD_SCORE_EPISTEMIC];
    crd_status status = *score != NULL ? CRD_OK : CRD_NEW(score, q.nodes, error);
    q.score = *score;
    if (status == CRD_OK) status = crd_team_open(threads, &q.team, error);
    if (status == CRD_OK) crd_team_watch(q.team, true);
    if (status == CRD_OK && DOUBTS[doubt].labelled) status = find_labelled(&q, error);
    if (status == CRD_OK) status = DOUBTS[doubt].make(&q, error);
    crd_team_close(&q.team);
    crd_free(q.labelled);
    crd_free(q.truth);
    return status;
}
