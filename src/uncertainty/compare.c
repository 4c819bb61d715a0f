/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "credence_private.h"

enum {
    RESAMPLES = 10000,
    FEWEST_FOR_INTERVAL = 3, /* two differences have only three resampled means: not enough for an interval */
    MOST_EXACT = 50          /* up to this many pairs, the signed-rank distribution is exact */
};

/* Numbers this close, relative to the largest, are equal: 0.9 - 0.8 and 0.3 - 0.2 are a tie, though their last bits
 * differ. */
static const double rounding = 1e-12;

/* Standard normal quantile of 0.975. */
static const double normal_975 = 1.9599639845400545;

static double normal_below(double x)
{
    return 0.5 * erfc(-x * sqrt(0.5));
}

/* By bisection: called once per comparison, and exact to the last digits without a table of coefficients. */
static double normal_quantile(double probability)
{
    double low = -40.0, high = 40.0;
    for (int i = 0; i < 100; i++) {
        double middle = 0.5 * (low + high);
        if (normal_below(middle) < probability) low = middle;
        else high = middle;
    }
    return 0.5 * (low + high);
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* ---- the bootstrap interval ---- */

/* How fast the standard error changes with the mean, from the means with one pair left out. For a mean the jackknife
 * needs no second pass: leaving d out moves the mean by (mean - d) / (count - 1). */
static double acceleration(const double *difference, int64_t count, double mean)
{
    double squares = 0.0, cubes = 0.0;
    for (int64_t i = 0; i < count; i++) {
        double moved = difference[i] - mean;
        squares += moved * moved;
        cubes += moved * moved * moved;
    }
    return cubes / (6.0 * pow(squares, 1.5));
}

static double corrected_level(double bias, double speed, double quantile)
{
    double shifted = bias + quantile, slope = 1.0 - speed * shifted;
    if (slope <= 0.0) return shifted < 0.0 ? 0.0 : 1.0;
    return normal_below(bias + shifted / slope);
}

/* The quantile of sorted numbers, linear between neighbours. */
static double quantile_of(const double *sorted, int64_t count, double level)
{
    double place = level * (double)(count - 1);
    int64_t below = (int64_t)place;
    if (below >= count - 1) return sorted[count - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

/* The order of each sum is fixed, so that a resample that draws every pair once has exactly the mean itself, not a
 * neighbour of it. */
static void draw_means(const double *difference, int64_t count, uint64_t seed, int64_t *times, double *mean)
{
    crd_rng rng = crd_rng_start(seed, CRD_RNG_BOOTSTRAP);
    for (int64_t b = 0; b < RESAMPLES; b++) {
        for (int64_t i = 0; i < count; i++) times[i] = 0;
        for (int64_t i = 0; i < count; i++) times[crd_rng_below(&rng, (uint64_t)count)]++;
        double sum = 0.0;
        for (int64_t i = 0; i < count; i++) sum += (double)times[i] * difference[i];
        mean[b] = sum / (double)count;
    }
}

static bool all_equal(const double *numbers, int64_t count, double blur)
{
    for (int64_t i = 1; i < count; i++)
        if (fabs(numbers[i] - numbers[0]) > blur) return false;
    return true;
}

/* `times` has room for every pair, `mean` for every resample. */
static void interval(const double *difference, double blur, uint64_t seed, int64_t *times, double *mean,
                     crd_comparison *c)
{
    int64_t count = c->pairs;
    c->low = c->high = count < FEWEST_FOR_INTERVAL ? NAN : c->difference;
    if (count < FEWEST_FOR_INTERVAL || all_equal(difference, count, blur)) return;
    draw_means(difference, count, seed, times, mean);
    /* A resampled mean equal to the mean counts half to each side. */
    double below = 0.0;
    for (int64_t b = 0; b < RESAMPLES; b++)
        below += mean[b] < c->difference ? 1.0 : mean[b] == c->difference ? 0.5 : 0.0;
    below = fmin(fmax(below, 0.5), RESAMPLES - 0.5);
    double bias = normal_quantile(below / RESAMPLES);
    double speed = acceleration(difference, count, c->difference);
    qsort(mean, RESAMPLES, sizeof *mean, by_size);
    c->low = quantile_of(mean, RESAMPLES, corrected_level(bias, speed, -normal_975));
    c->high = quantile_of(mean, RESAMPLES, corrected_level(bias, speed, normal_975));
}

/* ---- the tests ---- */

/* Differences that are not zero, by their size; with twice the rank, so that shared ranks are integers too. */
typedef struct ranked {
    double distance;
    bool positive;
    int64_t twice_rank;
} ranked;

static int by_distance(const void *a, const void *b)
{
    double left = ((const ranked *)a)->distance, right = ((const ranked *)b)->distance;
    return (left > right) - (left < right);
}

/* Ranks sorted distances; those no further apart than `blur` share the mean of their ranks. Returns the sum
 * of t^3 - t over the ties. */
static double rank(ranked *item, int64_t count, double blur)
{
    double ties = 0.0;
    for (int64_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && item[end].distance - item[first].distance <= blur;) end++;
        for (int64_t i = first; i < end; i++) item[i].twice_rank = first + 1 + end;
        double t = (double)(end - first);
        ties += t * t * t - t;
    }
    return ties;
}

/* If neither model is better, every pattern of signs is equally likely. This counts the patterns whose sum of
 * positive ranks is at most this one. Shared ranks need no special treatment. */
static double exact_tail(const ranked *item, int64_t count, int64_t sum)
{
    double chance[MOST_EXACT * (MOST_EXACT + 1) + 1] = {1.0};
    int64_t largest = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t step = item[i].twice_rank;
        largest += step;
        for (int64_t s = largest; s >= 0; s--) chance[s] = 0.5 * chance[s] + (s >= step ? 0.5 * chance[s - step] : 0.0);
    }
    double tail = 0.0;
    for (int64_t s = 0; s <= sum; s++) tail += chance[s];
    return tail;
}

/* `item` has room for every pair. */
static double signed_rank_p(const double *difference, int64_t pairs, double blur, ranked *item)
{
    int64_t count = 0, positive = 0, all = 0;
    for (int64_t i = 0; i < pairs; i++)
        if (difference[i] != 0.0)
            item[count++] = (ranked){.distance = fabs(difference[i]), .positive = difference[i] > 0.0};
    if (count == 0) return 1.0;
    qsort(item, (size_t)count, sizeof *item, by_distance);
    double ties = rank(item, count, blur), n = (double)count;
    for (int64_t i = 0; i < count; i++) {
        all += item[i].twice_rank;
        if (item[i].positive) positive += item[i].twice_rank;
    }
    int64_t smaller = positive < all - positive ? positive : all - positive;
    if (count <= MOST_EXACT) return fmin(1.0, 2.0 * exact_tail(item, count, smaller));
    double variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    double distance = n * (n + 1.0) / 4.0 - 0.5 * (double)smaller;
    return erfc(distance / sqrt(2.0 * variance));
}

/* Twice the probability of that few heads or fewer among fair coins. In logarithms, because 2^-n underflows for many
 * pairs. */
static double sign_p(int64_t wins, int64_t losses)
{
    int64_t fewer = wins < losses ? wins : losses;
    double coins = (double)(wins + losses), term = -coins * log(2.0), sum = 0.0;
    for (int64_t k = 0; k <= fewer; k++) {
        sum += exp(term);
        term += log((coins - (double)k) / ((double)k + 1.0));
    }
    return fmin(1.0, 2.0 * sum);
}

/* ---- all of it ---- */

/* Fills the differences, the counts and the means; returns how far apart two differences may be and still count as
 * equal. */
static double describe(const double *a, const double *b, int64_t count, double *difference, crd_comparison *c)
{
    double sum_a = 0.0, sum_b = 0.0, sum = 0.0, largest = 0.0;
    for (int64_t i = 0; i < count; i++) {
        if (!isfinite(a[i]) || !isfinite(b[i])) continue;
        double size = fmax(fabs(a[i]), fabs(b[i])), d = a[i] - b[i];
        if (fabs(d) <= rounding * size) d = 0.0;
        largest = fmax(largest, size);
        sum_a += a[i];
        sum_b += b[i];
        sum += d;
        difference[c->pairs++] = d;
        c->wins += d > 0.0;
        c->ties += d == 0.0;
        c->losses += d < 0.0;
    }
    c->mean_a = sum_a / (double)c->pairs;
    c->mean_b = sum_b / (double)c->pairs;
    c->difference = sum / (double)c->pairs;
    return rounding * largest;
}

crd_status crd_compare(const double *a, const double *b, int64_t count, uint64_t seed, crd_comparison *comparison,
                       crd_error *error)
{
    crd_comparison c = {.low = NAN, .high = NAN, .wilcoxon_p = NAN, .sign_p = NAN};
    if (CRD_ANY_NULL(error, comparison)) return CRD_ERROR_ARGUMENT;
    if (count > 0 && CRD_ANY_NULL(error, a, b)) return CRD_ERROR_ARGUMENT;
    if (count < 0) return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld pairs were given to compare", (long long)count);
    double *difference, *mean;
    int64_t *times;
    ranked *item;
    crd_plan plan = {0};
    CRD_PLAN(&plan, &difference, count);
    CRD_PLAN(&plan, &mean, RESAMPLES);
    CRD_PLAN(&plan, &times, count);
    CRD_PLAN(&plan, &item, count);
    crd_status status = crd_plan_allocate(&plan, error);
    if (status != CRD_OK) return status;
    double blur = describe(a, b, count, difference, &c);
    if (c.pairs > 0) {
        c.sign_p = sign_p(c.wins, c.losses);
        c.wilcoxon_p = signed_rank_p(difference, c.pairs, blur, item);
        interval(difference, blur, seed, times, mean, &c);
    }
    crd_plan_free(&plan);
    *comparison = c;
    return CRD_OK;
}
