/* SPDX-License-Identifier: MIT */
#include "uncertainty/conformal.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/watch.h"

/* ---- ranks among calibration nodes ---- */

static int by_size(const void *a, const void *b)
{
    const float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

bool crd_held_valid(const float row[CRD_HELD], int32_t classes)
{
    const float rank = row[CRD_HELD_RANK];
    return isfinite(row[CRD_HELD_DOUBT]) && row[CRD_HELD_ALEATORIC] >= -1.0f && row[CRD_HELD_ALEATORIC] <= 0.0f &&
           (row[CRD_HELD_WRONG] == 0.0f || row[CRD_HELD_WRONG] == 1.0f) && row[CRD_HELD_OWN] >= 0.0f &&
           row[CRD_HELD_OWN] <= 2.0f && row[CRD_HELD_NEAR] >= 0.0f && row[CRD_HELD_NEAR] <= 2.0f && rank >= 1.0f &&
           rank <= (float)classes && rank == floorf(rank);
}

static crd_status sorted_column(crd_held held, int column, float **sorted, crd_error *error)
{
    crd_status status = CRD_NEW(sorted, held.count, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < held.count; i++) (*sorted)[i] = held.rows[i * CRD_HELD + column];
    if (held.count > 1) qsort(*sorted, (size_t)held.count, sizeof **sorted, by_size);
    return CRD_OK;
}

crd_status crd_held_p(crd_held held, const double *score, int64_t nodes, double *p, crd_error *error)
{
    float *sorted;
    crd_status status = sorted_column(held, CRD_HELD_DOUBT, &sorted, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < nodes; i++) {
        int64_t low = 0, high = held.count; /* before `low` all are smaller, from `high` on none is */
        while (low < high) {
            const int64_t middle = low + (high - low) / 2;
            if (sorted[middle] < (float)score[i]) low = middle + 1;
            else high = middle;
        }
        p[i] = (double)(1 + held.count - low) / (double)(held.count + 1);
    }
    crd_free(sorted);
    return CRD_OK;
}

/* ---- at most so many wrong answers ---- */

/* log of the chance of at most `wrong` errors among `count` answers, each wrong with chance p. */
static double log_chance(int64_t wrong, int64_t count, double p)
{
    double term = (double)count * log1p(-p), most = term, sum = 1.0; /* the sum is times exp(most) */
    for (int64_t k = 0; k < wrong; k++) {
        term += log((double)(count - k) / (double)(k + 1)) + log(p) - log1p(-p);
        if (term > most) {
            sum = sum * exp(most - term) + 1.0;
            most = term;
        } else {
            sum += exp(term - most);
        }
    }
    return most + log(sum);
}

double crd_error_bound(int64_t wrong, int64_t count, double confidence)
{
    if (wrong >= count) return 1.0;
    const double chance = log1p(-confidence);
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (log_chance(wrong, count, middle) > chance) low = middle;
        else high = middle;
    }
    return high;
}

static int by_aleatoric(const void *a, const void *b)
{
    return by_size((const float *)a + CRD_HELD_ALEATORIC, (const float *)b + CRD_HELD_ALEATORIC);
}

/* Where a threshold is tried: after the most certain 35 % of the answers, 40 %, ..., all. */
enum { FIRST_STEP = 7, ALL_STEPS = 20, STEPS = ALL_STEPS - FIRST_STEP + 1 };

typedef struct answer_steps {
    int count;
    int64_t answers[STEPS], wrong[STEPS];
    double threshold[STEPS];
} answer_steps;

static crd_status find_steps(crd_held held, answer_steps *steps, crd_error *error)
{
    float *rows;
    int64_t wrong = 0, at = FIRST_STEP;
    *steps = (answer_steps){0};
    crd_status status = CRD_NEW(&rows, held.count * CRD_HELD, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < held.count * CRD_HELD; i++) rows[i] = held.rows[i];
    if (held.count > 1) qsort(rows, (size_t)held.count, CRD_HELD * sizeof *rows, by_aleatoric);
    for (int64_t k = 1; k <= held.count; k++) {
        const float *row = rows + (k - 1) * CRD_HELD;
        wrong += row[CRD_HELD_WRONG] != 0.0f;
        const bool tied = k < held.count && row[CRD_HELD + CRD_HELD_ALEATORIC] == row[CRD_HELD_ALEATORIC];
        if (tied || ALL_STEPS * k < at * held.count) continue;
        at = ALL_STEPS * k / held.count + 1;
        steps->answers[steps->count] = k;
        steps->wrong[steps->count] = wrong;
        steps->threshold[steps->count++] = (double)row[CRD_HELD_ALEATORIC];
    }
    crd_free(rows);
    return CRD_OK;
}

/* The last step that passes; -1: none. Steps are tried in their order up to the first whose bound is too large. Those
 * at the beginning that have too few answers for any promise are left out; this does not depend on which answers are
 * wrong. Only one test can go wrong then: let T be the first step at which more than `most` of the answers are really
 * wrong. A false promise needs that T passes, and the bound lets it pass with a chance of 1 - confidence at most.
 * Looking on after a failure, for a better bound, would be many chances. (This takes answers to become no better where
 * they are less certain. Else T depends on chance, and the bound is an approximation.)
 *
 * A larger `most` never ends earlier. The steps are the same for all, and what passes for less passes for more. A
 * larger `most` may begin earlier: a search that begins after the first step must therefore find no wrong answer there,
 * so that there is none in the steps before either, and these pass as well. */
static int last_step(const answer_steps *steps, double most, double confidence)
{
    int passed = -1;
    for (int i = 0; i < steps->count; i++) {
        if (passed < 0 && crd_error_bound(0, steps->answers[i], confidence) > most) continue;
        if (passed < 0 && i > 0 && steps->wrong[i] > 0) break;
        if (crd_error_bound(steps->wrong[i], steps->answers[i], confidence) > most) break;
        passed = i;
    }
    return passed;
}

/* The smallest `most` for which a step passes: that of the first step, or of the last one without a wrong answer. */
static double least_promise(const answer_steps *steps, double confidence)
{
    int best = 0;
    while (best + 1 < steps->count && steps->wrong[best + 1] == 0) best++;
    return steps->count > 0 ? crd_error_bound(steps->wrong[best], steps->answers[best], confidence) : 1.0;
}

crd_status crd_held_answer(crd_held held, double most, double confidence, crd_answer_rule *rule, crd_error *error)
{
    answer_steps steps;
    crd_status status = find_steps(held, &steps, error);
    if (status != CRD_OK) return status;
    const int last = last_step(&steps, most, confidence);
    rule->possible = last >= 0;
    /* The last step answers all nodes, also those that are less certain than every calibration node. */
    rule->threshold = last < 0 ? NAN : steps.answers[last] == held.count ? INFINITY : steps.threshold[last];
    rule->least = crd_round_up(least_promise(&steps, confidence));
    return CRD_OK;
}

double crd_round_up(double value)
{
    const double unit = pow(10.0, 1.0 - floor(log10(value))); /* not its inverse, which is not exact */
    const double steps = ceil(value * unit * (1.0 - 1e-12));
    return (steps / unit < value ? steps + 1.0 : steps) / unit;
}

/* ---- sets of classes ---- */

typedef struct ranked_class {
    float probability;
    int32_t class_index;
} ranked_class;

static int by_falling_probability(const void *a, const void *b)
{
    const float left = ((const ranked_class *)a)->probability, right = ((const ranked_class *)b)->probability;
    return (left < right) - (left > right);
}

crd_status crd_set_scores(const float *probability, int64_t nodes, int32_t classes, uint64_t seed, float *score,
                          crd_error *error)
{
    ranked_class *order;
    crd_status status = CRD_NEW(&order, classes, error);
    if (status != CRD_OK) return status;
    const uint64_t key = crd_hash(seed, CRD_RNG_SETS);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++) {
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        const double u = (double)(crd_hash(key, (uint64_t)i) >> 11) * 0x1p-53;
        double sum = 0.0, above = 0.0; /* of all so far; of those that are more probable */
        for (int32_t k = 0; k < classes; k++) order[k] = (ranked_class){probability[i * classes + k], k};
        if (classes > 1) qsort(order, (size_t)classes, sizeof *order, by_falling_probability);
        for (int32_t k = 0; k < classes; k++) {
            if (k > 0 && order[k].probability < order[k - 1].probability) above = sum;
            sum += (double)order[k].probability;
            score[i * classes + order[k].class_index] = (float)(above + u * (double)order[k].probability);
        }
    }
    crd_free(order);
    return status;
}

int32_t crd_set_rank(const float *probability, int32_t classes, int32_t class_index)
{
    int32_t rank = 1;
    for (int32_t k = 0; k < classes; k++) rank += probability[k] > probability[class_index];
    return rank;
}

float crd_set_near(const int64_t *start, const int32_t *neighbour, const float *score, int32_t classes, int64_t node,
                   int32_t class_index)
{
    const int64_t degree = start[node + 1] - start[node];
    double sum = 0.0;
    if (degree == 0) return score[node * classes + class_index];
    for (int64_t e = start[node]; e < start[node + 1]; e++)
        sum += (double)score[(int64_t)neighbour[e] * classes + class_index];
    return (float)(sum / (double)degree);
}

float crd_set_score(crd_set_method method, double lambda, float own, float near, int32_t rank)
{
    if (method == CRD_SETS_RAPS) return (float)((double)own + lambda * (double)(rank - 1));
    if (method == CRD_SETS_DAPS) return (float)((1.0 - lambda) * (double)own + lambda * (double)near);
    return own;
}

crd_status crd_held_set_threshold(crd_held held, crd_set_method method, double lambda, double coverage,
                                  float *threshold, crd_error *error)
{
    float *score;
    crd_status status = CRD_NEW(&score, held.count, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < held.count; i++) {
        const float *row = held.rows + i * CRD_HELD;
        score[i] = crd_set_score(method, lambda, row[CRD_HELD_OWN], row[CRD_HELD_NEAR], (int32_t)row[CRD_HELD_RANK]);
    }
    if (held.count > 1) qsort(score, (size_t)held.count, sizeof *score, by_size);
    /* 0.9 * 10 may be a little more than 9. */
    const double place = fmax(1.0, ceil((double)(held.count + 1) * coverage - 1e-9));
    *threshold = place > (double)held.count ? INFINITY : score[(int64_t)place - 1];
    crd_free(score);
    return CRD_OK;
}
