/* SPDX-License-Identifier: MIT */
/* Graph attention temperature scaling: node i's temperature looks at its own logits and at its neighbours'.
 *
 *   tau_j = W shape_j, with shape_j the sorted logits of node j, moved to 0 .. 1, and eight heads
 *   share_ij = softmax over i and its neighbours j of leaky(z_i . z_j / (a_i a_j))
 *   u_i = sum_j share_ij a_j tau_j + kappa * (the confidence of i - the mean of its neighbours')
 *   T_i = bias + mean over heads of log(1 + exp(u_i))
 *
 * a is one number for training nodes, another for their neighbours, and 1 elsewhere. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "uncertainty/recalibrate.h"

enum { BIAS, KAPPA, TRAINING, BESIDE, HEADS = CRD_GATS_HEADS, WEIGHTS = CRD_GATS_OTHERS /* [classes][heads] */ };

static const double LEAK = 0.2, COLDEST = 0.05;

/* Everything about some nodes that does not depend on the parameters, and room for what does. */
typedef struct attention {
    const crd_recalibration *on;
    int64_t count;
    int64_t *node, *first; /* the nodes; where the entries of each begin: itself, then its neighbours */
    int32_t *other;        /* the other end of an entry */
    double *dot;           /* of the logits of both ends */
    double *lead;          /* its confidence minus the mean of its neighbours' */
    float *shape;          /* [nodes][classes] */
    uint8_t *place;        /* of every node: TRAINING, BESIDE, or 0 */
    double *tau;           /* [nodes][heads] */
    double *share, *slope; /* of the entries of one node */
    double *u;             /* [count][heads] */
    double *row;           /* classes */
    crd_plan plan;
} attention;

static int by_size(const void *a, const void *b)
{
    const float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

static void make_shape(const float *logits, int32_t classes, float *shape)
{
    memcpy(shape, logits, (size_t)classes * sizeof *shape);
    qsort(shape, (size_t)classes, sizeof *shape, by_size);
    const float least = shape[0], range = shape[classes - 1] - least;
    for (int32_t k = 0; k < classes; k++) shape[k] = range > 0.0f ? (shape[k] - least) / range : 0.0f;
}

static void find_places(const crd_recalibration *on, uint8_t *place)
{
    for (int64_t i = 0; i < on->nodes && on->training != NULL; i++) {
        if (!on->training[i]) continue;
        place[i] = TRAINING;
        for (int64_t e = on->start[i]; e < on->start[i + 1]; e++)
            if (!on->training[on->neighbour[e]]) place[on->neighbour[e]] = BESIDE;
    }
}

static double confidence_of(const attention *g, int64_t node)
{
    double most = 0.0;
    crd_softmax_at(g->on->logits + node * g->on->classes, g->on->classes, 1.0, g->row);
    for (int32_t k = 0; k < g->on->classes; k++) most = fmax(most, g->row[k]);
    return most;
}

static void add_entry(attention *g, int64_t place, int64_t node, int64_t other)
{
    const int32_t classes = g->on->classes;
    const float *left = g->on->logits + node * classes, *right = g->on->logits + other * classes;
    g->other[place] = (int32_t)other;
    g->dot[place] = 0.0;
    for (int32_t k = 0; k < classes; k++) g->dot[place] += (double)left[k] * (double)right[k];
}

/* Of the nodes whose truth is a class; of all if `truth` is NULL. */
static crd_status open_attention(attention *g, const crd_recalibration *on, const int32_t *truth, crd_error *error)
{
    int64_t entries = 0, longest = 0;
    *g = (attention){.on = on};
    for (int64_t i = 0; i < on->nodes; i++) {
        if (truth != NULL && truth[i] < 0) continue;
        const int64_t own = 1 + on->start[i + 1] - on->start[i];
        entries += own;
        longest = own > longest ? own : longest;
        g->count++;
    }
    CRD_PLAN(&g->plan, &g->node, g->count);
    CRD_PLAN_ZERO(&g->plan, &g->first, g->count + 1);
    CRD_PLAN(&g->plan, &g->other, entries);
    CRD_PLAN(&g->plan, &g->dot, entries);
    CRD_PLAN_ZERO(&g->plan, &g->lead, g->count);
    CRD_PLAN(&g->plan, &g->shape, on->nodes * on->classes);
    CRD_PLAN_ZERO(&g->plan, &g->place, on->nodes);
    CRD_PLAN(&g->plan, &g->tau, on->nodes * HEADS);
    CRD_PLAN(&g->plan, &g->share, longest);
    CRD_PLAN(&g->plan, &g->slope, longest);
    CRD_PLAN(&g->plan, &g->u, g->count * HEADS);
    CRD_PLAN(&g->plan, &g->row, on->classes);
    crd_status status = crd_plan_allocate(&g->plan, error);
    if (status != CRD_OK) return status;
    find_places(on, g->place);
    int64_t next = 0, at = 0;
    for (int64_t i = 0; i < on->nodes; i++) {
        make_shape(on->logits + i * on->classes, on->classes, g->shape + i * on->classes);
        if (truth != NULL && truth[i] < 0) continue;
        const int64_t degree = on->start[i + 1] - on->start[i];
        add_entry(g, at++, i, i);
        for (int64_t e = on->start[i]; e < on->start[i + 1]; e++) {
            g->lead[next] -= confidence_of(g, on->neighbour[e]) / (double)degree;
            add_entry(g, at++, i, on->neighbour[e]);
        }
        if (degree > 0) g->lead[next] += confidence_of(g, i);
        g->node[next++] = i;
        g->first[next] = at;
    }
    return CRD_OK;
}

/* ---- forward ---- */

static double scale_of(const attention *g, const double *parameters, int64_t node)
{
    return g->place[node] == 0 ? 1.0 : parameters[g->place[node]];
}

static void find_tau(attention *g, const double *parameters)
{
    for (int64_t j = 0; j < g->on->nodes; j++) {
        double *tau = g->tau + j * HEADS;
        for (int h = 0; h < HEADS; h++) tau[h] = 0.0;
        for (int32_t k = 0; k < g->on->classes; k++)
            for (int h = 0; h < HEADS; h++)
                tau[h] += (double)g->shape[j * g->on->classes + k] * parameters[WEIGHTS + k * HEADS + h];
    }
}

/* The shares of a listed node's entries, and its u; returns its temperature before it is kept above COLDEST. */
static double attend(attention *g, const double *parameters, int64_t n)
{
    const int64_t first = g->first[n], entries = g->first[n + 1] - first;
    const double own = scale_of(g, parameters, g->node[n]);
    double most = -INFINITY, sum = 0.0, *u = g->u + n * HEADS, temperature = 0.0;
    for (int64_t e = 0; e < entries; e++) {
        const double r = g->dot[first + e] / (own * scale_of(g, parameters, g->other[first + e]));
        g->share[e] = r > 0.0 ? r : LEAK * r;
        most = fmax(most, g->share[e]);
    }
    for (int64_t e = 0; e < entries; e++) sum += g->share[e] = exp(g->share[e] - most);
    for (int h = 0; h < HEADS; h++) u[h] = parameters[KAPPA] * g->lead[n];
    for (int64_t e = 0; e < entries; e++) {
        const int64_t j = g->other[first + e];
        g->share[e] /= sum;
        for (int h = 0; h < HEADS; h++) u[h] += g->share[e] * scale_of(g, parameters, j) * g->tau[j * HEADS + h];
    }
    for (int h = 0; h < HEADS; h++) temperature += fmax(u[h], 0.0) + log1p(exp(-fabs(u[h])));
    return parameters[BIAS] + temperature / HEADS;
}

/* ---- backward ---- */

/* Adds the gradient of a listed node, whose shares and u are those of the last attend(). `slope` is that of its
 * temperature. */
static void go_back(attention *g, const double *parameters, int64_t n, double slope, double *gradient)
{
    const int64_t i = g->node[n], first = g->first[n], entries = g->first[n + 1] - first;
    const double own = scale_of(g, parameters, i);
    double of_u[HEADS], mean = 0.0, of_scale[BESIDE + 1] = {0.0}; /* by place; that of place 0 is not used */
    gradient[BIAS] += slope;
    for (int h = 0; h < HEADS; h++) {
        of_u[h] = slope / HEADS / (1.0 + exp(-g->u[n * HEADS + h]));
        gradient[KAPPA] += of_u[h] * g->lead[n];
    }
    for (int64_t e = 0; e < entries; e++) {
        const int64_t j = g->other[first + e];
        const double scale = scale_of(g, parameters, j);
        double along = 0.0;
        for (int h = 0; h < HEADS; h++) along += of_u[h] * g->tau[j * HEADS + h];
        of_scale[g->place[j]] += along * g->share[e];
        g->slope[e] = along * scale;
        mean += g->share[e] * g->slope[e];
        for (int32_t k = 0; k < g->on->classes; k++) {
            const double part = (double)g->shape[j * g->on->classes + k] * g->share[e] * scale;
            for (int h = 0; h < HEADS; h++) gradient[WEIGHTS + k * HEADS + h] += part * of_u[h];
        }
    }
    for (int64_t e = 0; e < entries; e++) {
        const int64_t j = g->other[first + e];
        const double scale = scale_of(g, parameters, j), r = g->dot[first + e] / (own * scale);
        const double of_r = g->share[e] * (g->slope[e] - mean) * (r > 0.0 ? 1.0 : LEAK);
        of_scale[g->place[i]] -= of_r * r / own;
        of_scale[g->place[j]] -= of_r * r / scale;
    }
    gradient[TRAINING] += of_scale[TRAINING];
    gradient[BESIDE] += of_scale[BESIDE];
}

/* The mean of -log p of the true classes; `gradient` may be NULL. */
static double measure(attention *g, const int32_t *truth, const double *parameters, double *gradient)
{
    const int32_t classes = g->on->classes;
    double sum = 0.0;
    for (int64_t p = 0; gradient != NULL && p < crd_recalibration_size(CRD_CALIBRATION_GATS, classes); p++)
        gradient[p] = 0.0;
    find_tau(g, parameters);
    for (int64_t n = 0; n < g->count; n++) {
        const float *logits = g->on->logits + g->node[n] * classes;
        const double own = (double)logits[truth[g->node[n]]], found = attend(g, parameters, n);
        const double temperature = fmax(found, COLDEST);
        sum += crd_softmax_at(logits, classes, temperature, g->row) - own / temperature;
        if (gradient == NULL || found < COLDEST) continue;
        double mean = 0.0;
        for (int32_t k = 0; k < classes; k++) mean += g->row[k] * (double)logits[k];
        go_back(g, parameters, n, (own - mean) / (temperature * temperature) / (double)g->count, gradient);
    }
    return sum / (double)g->count;
}

crd_status crd_gats_loss(const crd_recalibration *on, const int32_t *truth, const double *parameters, double *loss,
                         double *gradient, crd_error *error)
{
    attention g;
    crd_status status = open_attention(&g, on, truth, error);
    if (status == CRD_OK) *loss = measure(&g, truth, parameters, gradient);
    crd_plan_free(&g.plan);
    return status;
}

/* ---- fitting ---- */

/* Adam with the usual constants; the weights decay. */
static void take_step(int64_t size, int64_t step, const double *gradient, double *moment, double *square,
                      double *parameters)
{
    const double rate = 0.01, decay = 5e-3;
    for (int64_t p = 0; p < size; p++) {
        const double slope = gradient[p] + (p >= WEIGHTS ? decay * parameters[p] : 0.0);
        moment[p] = 0.9 * moment[p] + 0.1 * slope;
        square[p] = 0.999 * square[p] + 0.001 * slope * slope;
        parameters[p] -= rate * (moment[p] / (1.0 - pow(0.9, (double)step))) /
                         (sqrt(square[p] / (1.0 - pow(0.999, (double)step))) + 1e-8);
    }
    for (int p = TRAINING; p <= BESIDE; p++) parameters[p] = fmax(parameters[p], 0.05); /* it divides */
}

/* Parameters that give all nodes one temperature. */
static void be_constant(int64_t size, double temperature, float *parameters)
{
    for (int64_t p = 0; p < size; p++) parameters[p] = p == TRAINING || p == BESIDE ? 1.0f : 0.0f;
    parameters[BIAS] = (float)(temperature - log(2.0));
}

/* Starts near one temperature for all nodes; the heads differ a little, or they would stay equal. Keeps the best. */
static void fit(attention *g, const int32_t *truth, double temperature, int64_t size, double *room, float *best)
{
    enum { MOST_STEPS = 500, PATIENCE = 100 };
    double *parameters = room, *gradient = room + size, *moment = room + 2 * size, *square = room + 3 * size;
    be_constant(size, temperature, best);
    for (int64_t p = 0; p < size; p++) parameters[p] = (double)best[p];
    double least = measure(g, truth, parameters, NULL);
    crd_rng rng = crd_rng_start(0, CRD_RNG_GATS);
    for (int64_t p = WEIGHTS; p < size; p++)
        parameters[p] = (crd_rng_uniform(&rng) - 0.5) / sqrt((double)g->on->classes);
    for (int64_t step = 1, since = 0; step <= MOST_STEPS && since < PATIENCE; step++, since++) {
        const double loss = measure(g, truth, parameters, gradient);
        if (loss < least) {
            least = loss;
            since = 0;
            for (int64_t p = 0; p < size; p++) best[p] = (float)parameters[p];
        }
        take_step(size, step, gradient, moment, square, parameters);
    }
}

static crd_status judge(const crd_recalibration *on, const float *parameters, int64_t size, double *room, double *loss,
                        crd_error *error)
{
    for (int64_t p = 0; p < size; p++) room[p] = (double)parameters[p];
    return crd_gats_loss(on, on->judge, room, loss, NULL, error);
}

/* So many numbers may fit themselves to few nodes: nodes that they were not fitted to decide. */
static crd_status keep_the_better(const crd_recalibration *on, double temperature, int64_t size, double *room,
                                  float *parameters, crd_error *error)
{
    double of_many = 0.0, of_one = 0.0;
    float *constant;
    crd_status status = CRD_NEW(&constant, size, error);
    if (status != CRD_OK) return status;
    be_constant(size, temperature, constant);
    status = judge(on, parameters, size, room, &of_many, error);
    if (status == CRD_OK) status = judge(on, constant, size, room, &of_one, error);
    if (status == CRD_OK && !(of_many < of_one)) memcpy(parameters, constant, (size_t)size * sizeof *parameters);
    crd_free(constant);
    return status;
}

crd_status crd_gats_fit(const crd_recalibration *on, const int32_t *truth, double temperature, float *parameters,
                        crd_error *error)
{
    const int64_t size = crd_recalibration_size(CRD_CALIBRATION_GATS, on->classes);
    double *room = NULL;
    attention g;
    crd_status status = open_attention(&g, on, truth, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&room, 4 * size, error);
    if (status == CRD_OK) fit(&g, truth, temperature, size, room, parameters);
    if (status == CRD_OK && on->judge != NULL) status = keep_the_better(on, temperature, size, room, parameters, error);
    crd_free(room);
    crd_plan_free(&g.plan);
    return status;
}

crd_status crd_gats_temperatures(const crd_recalibration *on, const float *parameters, double *temperature,
                                 crd_error *error)
{
    const int64_t size = crd_recalibration_size(CRD_CALIBRATION_GATS, on->classes);
    double *exact = NULL;
    attention g;
    crd_status status = open_attention(&g, on, NULL, error);
    if (status == CRD_OK) status = CRD_NEW(&exact, size, error);
    for (int64_t p = 0; p < size && status == CRD_OK; p++) exact[p] = (double)parameters[p];
    if (status == CRD_OK) find_tau(&g, exact);
    for (int64_t i = 0; i < on->nodes && status == CRD_OK; i++) temperature[i] = fmax(attend(&g, exact, i), COLDEST);
    crd_free(exact);
    crd_plan_free(&g.plan);
    return status;
}
