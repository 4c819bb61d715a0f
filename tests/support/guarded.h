/* SPDX-License-Identifier: MIT */
/* For tests of products: random numbers, and results with a guard behind them. */
#ifndef CRD_TESTS_GUARDED_H
#define CRD_TESTS_GUARDED_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"

enum { GUARD = 16 };
static const float UNTOUCHED = 12345.0f;

static inline float *new_floats(crd_rng *rng, int64_t count)
{
    float *values = malloc((size_t)(count + 1) * sizeof *values);
    assert_non_null(values);
    for (int64_t i = 0; i < count; i++) values[i] = (float)(2.0 * crd_rng_uniform(rng) - 1.0);
    return values;
}

static inline double *new_doubles(int64_t count)
{
    double *values = calloc((size_t)(count + 1), sizeof *values);
    assert_non_null(values);
    return values;
}

/* Room for a result, with a guard behind it. */
static inline float *new_result(int64_t count)
{
    float *values = malloc((size_t)(count + GUARD) * sizeof *values);
    assert_non_null(values);
    for (int64_t i = 0; i < count; i++) values[i] = NAN;
    for (int64_t i = count; i < count + GUARD; i++) values[i] = UNTOUCHED;
    return values;
}

static inline void check_guard(const float *values, int64_t count)
{
    for (int64_t i = count; i < count + GUARD; i++) assert_true(values[i] == UNTOUCHED);
}

#endif
