/* SPDX-License-Identifier: MIT */
#include "models/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/watch.h"
#include "kernels/losses.h"

enum { VIEWS = CRD_POOL_VIEWS, WEIGHTS = CRD_SIGNALS + 1, NEWTON_STEPS = 50, SWEEPS = 200 };

/* How many nodes the prior counts for: the weights that all views get before anything is known. */
static const double PRIOR = 10.0;

void crd_pool_signals(const float *logits, int32_t classes, double signals[CRD_SIGNALS])
{
    for (int v = 0; v < VIEWS; v++) {
        const float *row = logits + v * (classes + 1);
        float most = row[0];
        for (int32_t k = 1; k < classes; k++) most = row[k] > most ? row[k] : most;
        const double known = crd_log_sum_exp(row, classes);
        signals[v] = (double)row[classes] - known;
        signals[VIEWS + v] = known - (double)most;
    }
}

/* The logarithm of the sum of exp(z) is the mean of z, with p = softmax(z), plus the entropy of p. */
double crd_pool_slope(const crd_pool *pool, int view, const float *row, int32_t classes, double *slope)
{
    const double unlike = pool->signal[view], unsure = pool->signal[VIEWS + view];
    const double known = crd_log_sum_exp(row, classes);
    double entropy = known;
    int32_t most = 0;
    for (int32_t k = 0; k < classes; k++) {
        const double p = exp((double)row[k] - known);
        slope[k] = (unsure - unlike) * p;
        entropy -= p * (double)row[k];
        if (row[k] > row[most]) most = k;
    }
    slope[most] -= unsure;
    slope[classes] = unlike;
    return (unsure - unlike) * entropy;
}

void crd_pool_classes(const crd_pool *pool, const float *logits, int32_t classes, float *joined)
{
    for (int32_t k = 0; k < classes; k++) {
        double sum = 0.0;
        for (int v = 0; v < VIEWS; v++) sum += pool->view[v] * (double)logits[v * (classes + 1) + k];
        joined[k] = (float)sum;
    }
}

double *crd_pool_place(crd_pool *pool, int index)
{
    if (index < VIEWS) return &pool->view[index];
    return index < VIEWS + CRD_SIGNALS ? &pool->signal[index - VIEWS] : &pool->bias;
}

double crd_pool_number(const crd_pool *pool, int index)
{
    crd_pool copy = *pool;
    return *crd_pool_place(&copy, index);
}

/* ---- weights that are not negative and make a convex function smallest ---- */

typedef struct {
    const crd_pool_sample *sample;
    int64_t labelled, unlabelled;
    const double *signals; /* [count][CRD_SIGNALS], standardised */
    int weights;           /* the last one may be negative if `biased` */
    bool biased;
    double prior[WEIGHTS];
    double slope[WEIGHTS], curve[WEIGHTS][WEIGHTS];
} problem;

/* The value; with its slope and curvature. */
typedef double (*valued)(problem *p, const double *weight);

/* The prior: a spring that pulls each weight to its usual value. */
static double add_prior(problem *p, const double *weight)
{
    double value = 0.0;
    for (int i = 0; i < p->weights - p->biased; i++) {
        const double away = weight[i] - p->prior[i];
        value += 0.5 * PRIOR * away * away;
        p->slope[i] += PRIOR * away;
        p->curve[i][i] += PRIOR;
    }
    for (int i = 0; i < p->weights; i++) p->curve[i][i] += 1e-9;
    return value;
}

/* Newton's step within the bounds: the minimum of the quadratic, one weight at a time. */
static void newton_step(const problem *p, const double *weight, double *next)
{
    memcpy(next, weight, sizeof(double[WEIGHTS]));
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int i = 0; i < p->weights; i++) {
            double slope = p->slope[i];
            for (int j = 0; j < p->weights; j++) slope += p->curve[i][j] * (next[j] - weight[j]);
            next[i] -= slope / p->curve[i][i];
            if (next[i] < 0.0 && !(p->biased && i == p->weights - 1)) next[i] = 0.0;
        }
    }
}

/* Everything may have to end at once: then the weights stay as they are. */
static void minimise(problem *p, valued value, double *weight)
{
    double now = value(p, weight), next[WEIGHTS];
    for (int step = 0; step < NEWTON_STEPS; step++) {
        problem at = *p;
        newton_step(&at, weight, next);
        double then = value(p, next);
        for (int half = 0; half < 30 && !(then <= now) && !crd_watch_at_once();
             half++) { /* also if it is not a number */
            for (int i = 0; i < p->weights; i++) next[i] = 0.5 * (next[i] + weight[i]);
            then = value(p, next);
        }
        const double gain = now - then;
        if (!(gain >= 0.0) || crd_watch_at_once()) return;
        memcpy(weight, next, sizeof next);
        now = then;
        if (gain <= 1e-10 * fabs(now)) return;
    }
}

/* Whether everything is to end at once; looks now and then. */
static bool ends_at(int64_t item)
{
    return (item & 4095) == 4095 && crd_watch_at_once();
}

/* ---- classes: the cross-entropy of labelled nodes ---- */

static double of_classes(problem *p, const double *weight)
{
    const crd_pool_sample *s = p->sample;
    const int32_t classes = s->classes;
    double value = 0.0;
    memset(p->slope, 0, sizeof p->slope);
    memset(p->curve, 0, sizeof p->curve);
    for (int64_t i = 0; i < s->count && !ends_at(i); i++) {
        if (s->label[i] < 0) continue;
        const float *z = s->logits + i * VIEWS * (classes + 1);
        double most = -INFINITY, total = 0.0, mean[VIEWS] = {0.0}, square[VIEWS][VIEWS] = {{0.0}}, own = 0.0;
        for (int pass = 0; pass < 2; pass++) {
            for (int32_t k = 0; k < classes; k++) {
                double joined = 0.0;
                for (int v = 0; v < VIEWS; v++) joined += weight[v] * (double)z[v * (classes + 1) + k];
                if (pass == 0) {
                    most = fmax(most, joined);
                    if (k == s->label[i]) own = joined;
                    continue;
                }
                const double share = exp(joined - most);
                total += share;
                for (int v = 0; v < VIEWS; v++) {
                    const double zv = (double)z[v * (classes + 1) + k];
                    mean[v] += share * zv;
                    for (int u = 0; u <= v; u++) square[v][u] += share * zv * (double)z[u * (classes + 1) + k];
                }
            }
        }
        value += most + log(total) - own;
        for (int v = 0; v < VIEWS; v++) {
            mean[v] /= total;
            p->slope[v] += mean[v] - (double)z[v * (classes + 1) + s->label[i]];
            for (int u = 0; u <= v; u++) {
                const double covariance = square[v][u] / total - mean[v] * mean[u];
                p->curve[v][u] += covariance;
                if (u != v) p->curve[u][v] += covariance;
            }
        }
    }
    return value + add_prior(p, weight);
}

/* ---- doubt: labelled nodes against unlabelled ones, both sides with the same weight ---- */

static double of_doubt(problem *p, const double *weight)
{
    const crd_pool_sample *s = p->sample;
    double value = 0.0;
    memset(p->slope, 0, sizeof p->slope);
    memset(p->curve, 0, sizeof p->curve);
    for (int64_t i = 0; i < s->count && !ends_at(i); i++) {
        const double *x = p->signals + i * CRD_SIGNALS;
        const bool labelled = s->label[i] >= 0;
        const double each = labelled ? 1.0 : (double)p->labelled / (double)p->unlabelled;
        double odds = weight[CRD_SIGNALS];
        for (int k = 0; k < CRD_SIGNALS; k++) odds += weight[k] * x[k];
        const double doubt = 1.0 / (1.0 + exp(-odds));
        value += each * (fmax(odds, 0.0) + log1p(exp(-fabs(odds))) - (labelled ? 0.0 : odds));
        for (int k = 0; k < WEIGHTS; k++) {
            const double xk = k < CRD_SIGNALS ? x[k] : 1.0;
            p->slope[k] += each * (doubt - (labelled ? 0.0 : 1.0)) * xk;
            for (int j = 0; j < WEIGHTS; j++)
                p->curve[k][j] += each * doubt * (1.0 - doubt) * xk * (j < CRD_SIGNALS ? x[j] : 1.0);
        }
    }
    return value + add_prior(p, weight);
}

/* Gives every signal mean 0 and variance 1 over the unlabelled nodes; without any, over the labelled ones. */
static void standardise(const problem *p, double *signals, double mean[CRD_SIGNALS], double scale[CRD_SIGNALS])
{
    const crd_pool_sample *s = p->sample;
    const bool all = p->unlabelled == 0;
    const double count = (double)(all ? s->count : p->unlabelled);
    for (int k = 0; k < CRD_SIGNALS; k++) {
        double sum = 0.0, square = 0.0;
        for (int64_t i = 0; i < s->count; i++)
            if (all || s->label[i] < 0) sum += signals[i * CRD_SIGNALS + k];
        mean[k] = sum / count;
        for (int64_t i = 0; i < s->count; i++) {
            const double away = signals[i * CRD_SIGNALS + k] -= mean[k];
            if (all || s->label[i] < 0) square += away * away;
        }
        const double deviation = sqrt(square / count);
        scale[k] = deviation > 1e-12 ? 1.0 / deviation : 1.0;
        for (int64_t i = 0; i < s->count; i++) signals[i * CRD_SIGNALS + k] *= scale[k];
    }
}

/* Unlabelled nodes may be just like the labelled ones. Then the fit finds nothing, and the prior has to do. */
static bool tells_apart(const double weight[WEIGHTS])
{
    double sum = 0.0;
    for (int k = 0; k < CRD_SIGNALS; k++) sum += weight[k];
    return sum > 1e-6;
}

static crd_status fit_doubt(crd_pool *pool, problem *p, crd_error *error)
{
    const crd_pool_sample *s = p->sample;
    double *signals, mean[CRD_SIGNALS], scale[CRD_SIGNALS], weight[WEIGHTS] = {0.0};
    crd_status status = CRD_NEW(&signals, s->count * CRD_SIGNALS, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < s->count; i++)
        crd_pool_signals(s->logits + i * VIEWS * (s->classes + 1), s->classes, signals + i * CRD_SIGNALS);
    standardise(p, signals, mean, scale);
    p->signals = signals;
    p->weights = WEIGHTS;
    p->biased = true;
    for (int k = 0; k < CRD_SIGNALS; k++) {
        const bool ignored = s->all_known && k < VIEWS;
        weight[k] = p->prior[k] = ignored ? 0.0 : 1.0 / CRD_SIGNALS;
    }
    if (p->labelled > 0 && p->unlabelled > 0 && !s->all_known) minimise(p, of_doubt, weight);
    if (!tells_apart(weight)) memcpy(weight, p->prior, sizeof p->prior);
    pool->bias = weight[CRD_SIGNALS];
    for (int k = 0; k < CRD_SIGNALS; k++) {
        pool->signal[k] = weight[k] * scale[k];
        pool->bias -= pool->signal[k] * mean[k];
    }
    crd_free(signals);
    return CRD_OK;
}

crd_status crd_pool_fit(crd_pool *pool, const crd_pool_sample *sample, crd_error *error)
{
    problem p = {.sample = sample, .weights = VIEWS};
    *pool = (crd_pool){0};
    for (int64_t i = 0; i < sample->count; i++) p.labelled += sample->label[i] >= 0;
    p.unlabelled = sample->count - p.labelled;
    for (int v = 0; v < VIEWS; v++) pool->view[v] = p.prior[v] = 1.0 / VIEWS;
    double weight[WEIGHTS] = {1.0 / VIEWS, 1.0 / VIEWS, 1.0 / VIEWS};
    if (p.labelled > 0) minimise(&p, of_classes, weight);
    const double sum = weight[0] + weight[1] + weight[2]; /* how sharp the answers should be is for calibration */
    for (int v = 0; v < VIEWS && sum > 0.0; v++) pool->view[v] = weight[v] / sum;
    if (p.sample->count > 0) return fit_doubt(pool, &p, error);
    for (int k = 0; k < CRD_SIGNALS; k++) pool->signal[k] = 1.0 / CRD_SIGNALS;
    return CRD_OK;
}
