/* SPDX-License-Identifier: MIT */
/* How a committee joins views: the weights against a search that only compares values. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "models/pool.h"

enum { VIEWS = CRD_POOL_VIEWS, CLASSES = 3, WIDTH = VIEWS * (CLASSES + 1), MOST = 90, WEIGHTS = CRD_SIGNALS + 1 };

typedef struct {
    float logits[MOST * WIDTH];
    int32_t label[MOST];
    crd_pool_sample sample;
    double x[MOST][CRD_SIGNALS]; /* standardised signals */
    int64_t labelled, unlabelled;
} fixture;

/* The twin of crd_pool_signals. */
static void signals_of(const float *row, double *signals)
{
    for (int v = 0; v < VIEWS; v++) {
        double sum = 0.0, most = -INFINITY;
        for (int k = 0; k < CLASSES; k++) {
            sum += exp((double)row[v * (CLASSES + 1) + k]);
            most = fmax(most, (double)row[v * (CLASSES + 1) + k]);
        }
        signals[v] = (double)row[v * (CLASSES + 1) + CLASSES] - log(sum);
        signals[VIEWS + v] = log(sum) - most;
    }
}

/* Views of different use: the first one says most about classes, the second one about doubt, the third one nothing. */
static void make(fixture *f, uint64_t seed, int64_t labelled, int64_t unlabelled, int32_t classes)
{
    static const double use[VIEWS] = {1.5, 0.5, 0.0}, doubt[VIEWS] = {0.3, 1.2, 0.0};
    crd_rng rng = crd_rng_start(seed, 1);
    memset(f, 0, sizeof *f);
    f->labelled = labelled;
    f->unlabelled = unlabelled;
    for (int64_t i = 0; i < labelled + unlabelled; i++) {
        const int32_t class_index = (int32_t)(i % classes);
        f->label[i] = i < labelled ? class_index : -1;
        for (int v = 0; v < VIEWS; v++)
            for (int k = 0; k <= CLASSES; k++) {
                double z = 3.0 * crd_rng_uniform(&rng) - 1.5;
                if (k == class_index && i < labelled) z += use[v];
                if (k == CLASSES && i >= labelled) z += doubt[v];
                f->logits[i * WIDTH + v * (CLASSES + 1) + k] = (float)z;
            }
    }
    f->sample = (crd_pool_sample){labelled + unlabelled, CLASSES, f->logits, f->label, false};
}

/* Mean 0 and variance 1 over the unlabelled nodes; without any, over the labelled ones. */
static void standardise(fixture *f, double *mean, double *deviation)
{
    for (int64_t i = 0; i < f->sample.count; i++) signals_of(f->logits + i * WIDTH, f->x[i]);
    for (int s = 0; s < CRD_SIGNALS; s++) {
        mean[s] = deviation[s] = 0.0;
        const int64_t first = f->unlabelled > 0 ? f->labelled : 0;
        const double count = (double)(f->sample.count - first);
        for (int64_t i = first; i < f->sample.count; i++) mean[s] += f->x[i][s] / count;
        for (int64_t i = first; i < f->sample.count; i++) deviation[s] += pow(f->x[i][s] - mean[s], 2) / count;
        deviation[s] = deviation[s] > 1e-24 ? sqrt(deviation[s]) : 1.0;
        for (int64_t i = 0; i < f->sample.count; i++) f->x[i][s] = (f->x[i][s] - mean[s]) / deviation[s];
    }
}

/* Cross-entropy of the labelled nodes, and a prior that counts for ten nodes. */
static double of_classes(const fixture *f, const double *weight)
{
    double value = 0.0;
    for (int v = 0; v < VIEWS; v++) value += 5.0 * pow(weight[v] - 1.0 / VIEWS, 2);
    for (int64_t i = 0; i < f->labelled; i++) {
        double total = 0.0, own = 0.0;
        for (int k = 0; k < CLASSES; k++) {
            double z = 0.0;
            for (int v = 0; v < VIEWS; v++) z += weight[v] * (double)f->logits[i * WIDTH + v * (CLASSES + 1) + k];
            total += exp(z);
            if (k == f->label[i]) own = z;
        }
        value += log(total) - own;
    }
    return value;
}

/* Both sides have the same weight, as many nodes as there are labelled ones. */
static double of_doubt(const fixture *f, const double *weight)
{
    double value = 0.0;
    for (int s = 0; s < CRD_SIGNALS; s++) value += 5.0 * pow(weight[s] - 1.0 / CRD_SIGNALS, 2);
    for (int64_t i = 0; i < f->sample.count; i++) {
        double odds = weight[CRD_SIGNALS];
        for (int s = 0; s < CRD_SIGNALS; s++) odds += weight[s] * f->x[i][s];
        if (i < f->labelled) value += log1p(exp(odds));
        else value += log1p(exp(-odds)) * (double)f->labelled / (double)f->unlabelled;
    }
    return value;
}

/* One weight at a time, up or down by a step that gets smaller; only the last of `biased` weights may be negative. */
static void search(const fixture *f, double (*value)(const fixture *f, const double *weight), int count, bool biased,
                   double *weight)
{
    double now = value(f, weight);
    for (double step = 0.5; step > 1e-8;) {
        bool better = false;
        for (int i = 0; i < 2 * count; i++) {
            const double keep = weight[i / 2];
            weight[i / 2] += i % 2 == 0 ? step : -step;
            if (weight[i / 2] < 0.0 && !(biased && i / 2 == count - 1)) weight[i / 2] = 0.0;
            const double then = value(f, weight);
            if (then < now) {
                now = then;
                better = true;
            } else {
                weight[i / 2] = keep;
            }
        }
        if (!better) step *= 0.5;
    }
}

static void check(fixture *f)
{
    crd_pool pool;
    double weight[WEIGHTS], mean[CRD_SIGNALS], deviation[CRD_SIGNALS], sum = 0.0, bias;
    memset(&pool, 0xa5, sizeof pool);
    assert_int_equal(crd_pool_fit(&pool, &f->sample, NULL), CRD_OK);
    for (int v = 0; v < VIEWS; v++) {
        assert_true(pool.view[v] >= 0.0);
        sum += pool.view[v];
        weight[v] = 1.0 / VIEWS;
    }
    assert_true(fabs(sum - 1.0) < 1e-12);
    search(f, of_classes, VIEWS, false, weight);
    sum = weight[0] + weight[1] + weight[2];
    for (int v = 0; v < VIEWS; v++)
        if (fabs(pool.view[v] - weight[v] / sum) > 1e-5)
            fail_msg("view %d: %.9g, expected %.9g", v, pool.view[v], weight[v] / sum);
    if (f->sample.count == 0) { /* nothing tells doubt: all signals alike */
        for (int s = 0; s < CRD_SIGNALS; s++) assert_true(pool.signal[s] == 1.0 / CRD_SIGNALS);
        assert_true(pool.bias == 0.0);
        return;
    }
    standardise(f, mean, deviation);
    for (int s = 0; s < CRD_SIGNALS; s++) weight[s] = f->sample.all_known && s < VIEWS ? 0.0 : 1.0 / CRD_SIGNALS;
    weight[CRD_SIGNALS] = 0.0;
    if (f->labelled > 0 && f->unlabelled > 0 && !f->sample.all_known) search(f, of_doubt, WEIGHTS, true, weight);
    bias = weight[CRD_SIGNALS];
    for (int s = 0; s < CRD_SIGNALS; s++) {
        assert_true(pool.signal[s] >= 0.0);
        if (fabs(pool.signal[s] * deviation[s] - weight[s]) > 1e-5)
            fail_msg("signal %d: %.9g, expected %.9g", s, pool.signal[s] * deviation[s], weight[s]);
        bias -= weight[s] / deviation[s] * mean[s];
    }
    if (fabs(pool.bias - bias) > 1e-4) fail_msg("bias: %.9g, expected %.9g", pool.bias, bias);
}

static void random_samples(void **state)
{
    (void)state;
    fixture f;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        make(&f, seed, 10 * (int64_t)seed, 30, CLASSES);
        check(&f);
    }
    make(&f, 7, 1, 1, CLASSES);
    check(&f);
}

static void one_side(void **state)
{
    (void)state;
    fixture f;
    make(&f, 3, 40, 0, CLASSES);
    check(&f);
    make(&f, 4, 0, 40, CLASSES);
    check(&f);
    make(&f, 5, 0, 0, CLASSES);
    check(&f);
    make(&f, 6, 40, 40, CLASSES - 1); /* a class without a node */
    check(&f);
    f.sample.all_known = true; /* being unlike labelled nodes means nothing */
    check(&f);
}

/* No node differs from another: the weights are finite, and no view is better than another. */
static void equal_signals(void **state)
{
    (void)state;
    fixture f;
    make(&f, 8, 20, 20, CLASSES);
    for (int i = 0; i < 40 * WIDTH; i++) f.logits[i] = 0.25f;
    check(&f);
}

/* Logits as large as they get before they are infinite. */
static void huge_logits(void **state)
{
    (void)state;
    fixture f;
    crd_pool pool;
    make(&f, 9, 20, 20, CLASSES);
    for (int i = 0; i < 40 * WIDTH; i++) f.logits[i] *= 1e37f;
    assert_int_equal(crd_pool_fit(&pool, &f.sample, NULL), CRD_OK);
    for (int i = 0; i < CRD_POOL_NUMBERS; i++) {
        assert_true(isfinite(crd_pool_number(&pool, i)));
        if (i < CRD_POOL_NUMBERS - 1) assert_true(crd_pool_number(&pool, i) >= 0.0);
    }
}

static void joined(void **state)
{
    (void)state;
    fixture f;
    double found[CRD_SIGNALS], expected[CRD_SIGNALS];
    float classes[CLASSES];
    make(&f, 10, 5, 5, CLASSES);
    const crd_pool pool = {.view = {0.5, 0.3, 0.2}, .signal = {1, 2, 3, 4, 5, 6}, .bias = -7};
    for (int i = 0; i < 10; i++) {
        const float *row = f.logits + i * WIDTH;
        crd_pool_signals(row, CLASSES, found);
        signals_of(row, expected);
        for (int s = 0; s < CRD_SIGNALS; s++) assert_true(fabs(found[s] - expected[s]) < 1e-9);
        crd_pool_classes(&pool, row, CLASSES, classes);
        for (int k = 0; k < CLASSES; k++) {
            const double sum =
                0.5 * (double)row[k] + 0.3 * (double)row[CLASSES + 1 + k] + 0.2 * (double)row[2 * (CLASSES + 1) + k];
            assert_true(fabs((double)classes[k] - sum) < 1e-6);
        }
    }
    assert_true(crd_pool_number(&pool, 1) == 0.3 && crd_pool_number(&pool, VIEWS + 5) == 6.0);
    assert_true(crd_pool_number(&pool, CRD_POOL_NUMBERS - 1) == -7.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_samples), cmocka_unit_test(one_side), cmocka_unit_test(equal_signals),
        cmocka_unit_test(huge_logits),    cmocka_unit_test(joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
