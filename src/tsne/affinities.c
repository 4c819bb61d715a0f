#include "base/tree.h"
#include "tsne/affinities.h"

#include <math.h>
#include <stdlib.h>

/* ---- widths ---- */

enum { MOST_STEPS = 200 };

/* With p_k ~ exp(-b d_k), the entropy is log(sum of exp) + b mean(d), and its derivative for log b is -b^2
 * var(d): Newton's method, held inside of what is known to enclose the solution. Distances are counted from
 * the nearest, in units of their mean, so that neither exp nor b leaves its range. */
void crd_conditional(int64_t count, const float *distance, double perplexity, double *probability)
{
    float least = INFINITY; /* as a double, this loop breaks gcc 12 for AArch64 */
    for (int64_t k = 0; k < count; k++) least = fminf(least, distance[k]);
    const double nearest = (double)least;
    double mean = 0.0;
    for (int64_t k = 0; k < count; k++) mean += ((double)distance[k] - nearest) / (double)count;
    if (!(mean > 0.0)) { /* all at the same distance */
        for (int64_t k = 0; k < count; k++) probability[k] = 1.0 / (double)count;
        return;
    }
    const double wanted = log(perplexity), largest = 230.0; /* e^230 = 1e100, beyond any ratio of floats */
    double sum = 0.0, low = -largest, high = largest, at = 0.0;
    for (int step = 0; step < MOST_STEPS; step++) {
        const double b = exp(at);
        double first = 0.0, second = 0.0;
        sum = 0.0;
        for (int64_t k = 0; k < count; k++) {
            const double d = ((double)distance[k] - nearest) / mean;
            probability[k] = exp(-b * d);
            sum += probability[k];
            first += d * probability[k];
            second += d * d * probability[k];
        }
        first /= sum;
        const double beyond = log(sum) + b * first - wanted, slope = b * b * (second / sum - first * first);
        if (fabs(beyond) < 1e-8 || high - low < 1e-10) break;
        if (beyond > 0.0)
            low = at;
        else
            high = at;
        at += slope > 0.0 ? fmax(-4.0, fmin(4.0, beyond / slope)) : beyond > 0.0 ? 4.0 : -4.0;
        if (!(at > low && at < high)) at = 0.5 * (low + high);
    }
    for (int64_t k = 0; k < count; k++) probability[k] /= sum;
}

typedef struct {
    const crd_neighbours *neighbours;
    double perplexity;
    float *conditional; /* [count][each] */
    double *spare;      /* [blocks][each] */
} widths_job;

enum { WIDTHS_BLOCK = 256 };

static void find_widths(int64_t begin, int64_t end, void *context)
{
    const widths_job *job = context;
    const int64_t each = job->neighbours->each;
    double *probability = job->spare + begin / WIDTHS_BLOCK * each;
    for (int64_t i = begin; i < end; i++) {
        crd_conditional(each, job->neighbours->distance + i * each, job->perplexity, probability);
        for (int64_t k = 0; k < each; k++) job->conditional[i * each + k] = (float)probability[k];
    }
}

/* ---- both directions ---- */

typedef struct {
    const crd_neighbours *neighbours;
    const float *conditional;
    /* Who has a point among its neighbours, in ascending order, and how much of it. */
    int64_t *start;
    int32_t *from;
    float *back;
    crd_affinities *out;
} symmetric_job;

static void turn_round(symmetric_job *job)
{
    const int64_t count = job->neighbours->count, each = job->neighbours->each;
    for (int64_t e = 0; e < count * each; e++) job->start[job->neighbours->index[e] + 1]++;
    for (int64_t i = 0; i < count; i++) job->start[i + 1] += job->start[i];
    for (int64_t i = 0; i < count; i++)
        for (int64_t e = i * each; e < (i + 1) * each; e++) {
            const int64_t to = job->start[job->neighbours->index[e]]++;
            job->from[to] = (int32_t)i;
            job->back[to] = job->conditional[e];
        }
    for (int64_t i = count; i > 0; i--) job->start[i] = job->start[i - 1];
    job->start[0] = 0;
}

/* The union of two ascending rows; with `column` NULL it is only counted. */
static int64_t merge_row(const symmetric_job *job, int64_t i, int32_t *column, float *weight)
{
    const int64_t each = job->neighbours->each;
    const float scale = (float)(0.5 / (double)job->neighbours->count);
    const int32_t *own = job->neighbours->index;
    int64_t a = i * each, b = job->start[i], size = 0;
    const int64_t a_end = a + each, b_end = job->start[i + 1];
    while (a < a_end || b < b_end) {
        const bool in_own = a < a_end && (b == b_end || own[a] <= job->from[b]);
        const bool in_back = b < b_end && (a == a_end || job->from[b] <= own[a]);
        if (column != NULL) {
            column[size] = in_own ? own[a] : job->from[b];
            weight[size] = scale * ((in_own ? job->conditional[a] : 0.0f) + (in_back ? job->back[b] : 0.0f));
        }
        size++;
        a += in_own;
        b += in_back;
    }
    return size;
}

static int64_t whole(int64_t size)
{
    return (size + CRD_PAD - 1) / CRD_PAD * CRD_PAD;
}

static void count_rows(int64_t begin, int64_t end, void *context)
{
    const symmetric_job *job = context;
    for (int64_t i = begin; i < end; i++) job->out->start[i + 1] = whole(merge_row(job, i, NULL, NULL));
}

static void merge_rows(int64_t begin, int64_t end, void *context)
{
    const symmetric_job *job = context;
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = job->out->start[i];
        int32_t *column = job->out->column + first;
        float *weight = job->out->weight + first;
        for (int64_t e = merge_row(job, i, column, weight); first + e < job->out->start[i + 1]; e++) {
            column[e] = (int32_t)i;
            weight[e] = 0.0f;
        }
    }
}

static void sum_entropy(int64_t begin, int64_t end, double *sums, void *context)
{
    const crd_affinities *affinities = context;
    for (int64_t e = affinities->start[begin]; e < affinities->start[end]; e++) {
        const double p = (double)affinities->weight[e];
        if (p > 0.0) sums[0] += p * log(p);
    }
}

static crd_status merge(symmetric_job *job, crd_team *team, crd_error *error)
{
    const int64_t count = job->neighbours->count, size = count * job->neighbours->each;
    crd_affinities *out = job->out;
    crd_status status = CRD_NEW_ZERO(&job->start, count + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&job->from, size, error);
    if (status == CRD_OK) status = CRD_NEW(&job->back, size, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&out->start, count + 1, error);
    if (status == CRD_OK) {
        turn_round(job);
        crd_parallel_rows(team, count, 1024, count_rows, job);
        for (int64_t i = 0; i < count; i++) out->start[i + 1] += out->start[i];
        status = CRD_NEW(&out->column, out->start[count], error);
    }
    if (status == CRD_OK) status = CRD_NEW(&out->weight, out->start[count], error);
    if (status == CRD_OK) {
        crd_parallel_rows(team, count, 1024, merge_rows, job);
        crd_parallel_sum(team, count, sum_entropy, out, 1, &out->entropy);
    }
    free(job->start);
    free(job->from);
    free(job->back);
    return status;
}

crd_status crd_affinities_open(crd_affinities *affinities, const crd_neighbours *neighbours,
                               double perplexity, crd_team *team, crd_error *error)
{
    const int64_t count = neighbours->count, each = neighbours->each;
    *affinities = (crd_affinities){.count = count};
    float *conditional = NULL;
    widths_job widths = {.neighbours = neighbours, .perplexity = perplexity};
    crd_status status = CRD_NEW(&conditional, count * each, error);
    if (status == CRD_OK) status = CRD_NEW(&widths.spare, (count / WIDTHS_BLOCK + 1) * each, error);
    if (status == CRD_OK) {
        widths.conditional = conditional;
        crd_parallel_rows(team, count, WIDTHS_BLOCK, find_widths, &widths);
        free(widths.spare);
        widths.spare = NULL;
        symmetric_job job = {.neighbours = neighbours, .conditional = conditional, .out = affinities};
        status = merge(&job, team, error);
    }
    free(conditional);
    free(widths.spare);
    if (status != CRD_OK) crd_affinities_close(affinities);
    return status;
}

void crd_affinities_close(crd_affinities *affinities)
{
    free(affinities->start);
    free(affinities->column);
    free(affinities->weight);
    *affinities = (crd_affinities){0};
}
