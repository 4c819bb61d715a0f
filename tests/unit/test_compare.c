/* SPDX-License-Identifier: MIT */
/* Paired comparison: cases worked by hand, and values from SciPy 1.10 (stats.wilcoxon, stats.binomtest,
 * stats.bootstrap with method BCa and 200,000 resamples). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "credence_private.h"

#define COUNT(array) ((int64_t)(sizeof(array) / sizeof *(array)))
#define assert_close(a, b) assert_near(a, b, 1e-12)
#define assert_near(a, b, tolerance) assert_double_near(a, b, tolerance, __FILE__, __LINE__)

static void assert_double_near(double a, double b, double tolerance, const char *file, int line)
{
    if (fabs(a - b) <= tolerance) return;
    print_error("%.17g is not %.17g\n", a, b);
    _fail(file, line);
}

static crd_comparison compare(const double *a, const double *b, int64_t count, uint64_t seed)
{
    crd_comparison c;
    memset(&c, 0xa5, sizeof c);
    assert_int_equal(crd_compare(a, b, count, seed, &c, NULL), CRD_OK);
    return c;
}

/* Compares the differences with zeros. */
static crd_comparison compare_to_zero(const double *difference, int64_t count)
{
    static const double zero[64];
    assert_in_range(count, 0, COUNT(zero));
    return compare(difference, zero, count, 1);
}

static const double first[] = {0.8721, 0.8654, 0.8533, 0.8902, 0.8711, 0.8645, 0.8821, 0.8590, 0.8767, 0.8688};
static const double second[] = {0.8602, 0.8671, 0.8421, 0.8733, 0.8690, 0.8502, 0.8655, 0.8611, 0.8549, 0.8594};

static void ten_splits(void **state)
{
    (void)state;
    crd_comparison c = compare(first, second, 10, 1);
    assert_int_equal(c.pairs, 10);
    assert_int_equal(c.wins, 8);
    assert_int_equal(c.ties, 0);
    assert_int_equal(c.losses, 2);
    assert_close(c.mean_a, 0.87032);
    assert_close(c.mean_b, 0.86028);
    assert_close(c.difference, 0.01004);
    /* The differences -0.0017 and -0.0021 have ranks 1 and 2.5, because there is a +0.0021 too: 3.5 in all. Sums up
     * to that are those of no rank, 1, 2.5, 2.5, 1 + 2.5, 1 + 2.5: six of 1,024, on either side. */
    assert_close(c.wilcoxon_p, 12.0 / 1024.0);
    /* 0, 1 or 2 heads of ten: 1 + 10 + 45 of 1,024. */
    assert_close(c.sign_p, 112.0 / 1024.0);
    assert_near(c.low, 0.00484, 0.00015);
    assert_near(c.high, 0.01445, 0.00015);
}

static void the_other_way_round(void **state)
{
    (void)state;
    crd_comparison c = compare(first, second, 10, 1), d = compare(second, first, 10, 1);
    assert_true(d.difference == -c.difference && d.mean_a == c.mean_b);
    assert_true(d.wilcoxon_p == c.wilcoxon_p && d.sign_p == c.sign_p);
    assert_int_equal(d.wins, c.losses);
    assert_near(d.low, -c.high, 0.0003);
    assert_near(d.high, -c.low, 0.0003);
}

static void same_seed_same_interval(void **state)
{
    (void)state;
    crd_comparison c = compare(first, second, 10, 7), again = compare(first, second, 10, 7);
    crd_comparison other = compare(first, second, 10, 8);
    assert_true(c.low == again.low && c.high == again.high);
    assert_true(c.low != other.low || c.high != other.high);
    assert_near(c.low, other.low, 0.0003);
}

/* A long tail to the right pulls the interval to the right: a plain percentile interval would end near 1.25. */
static void skewed_differences(void **state)
{
    (void)state;
    const double difference[] = {0.1, 0.2, 0.1, 0.3, 0.2, 0.15, 3.0, 0.25};
    crd_comparison c = compare_to_zero(difference, COUNT(difference));
    assert_close(c.difference, 0.5375);
    assert_near(c.low, 0.16875, 0.004);
    assert_near(c.high, 1.61875, 0.04);
    assert_close(c.wilcoxon_p, 2.0 / 256.0);
    assert_close(c.sign_p, 2.0 / 256.0);
}

static void no_ties(void **state)
{
    (void)state;
    /* The negative ranks are 1 and 4: sums of at most 5 are {}, 1, 2, 3, 4, 5, 12, 13, 14, 23: ten of 64. */
    const double difference[] = {-1, 2, 3, -4, 5, 6};
    crd_comparison c = compare_to_zero(difference, 6);
    assert_close(c.wilcoxon_p, 20.0 / 64.0);
    assert_close(c.sign_p, 2.0 * (1 + 6 + 15) / 64.0);
    /* A tie: both sums are 3. */
    const double even[] = {1, 2, -3};
    c = compare_to_zero(even, 3);
    assert_close(c.wilcoxon_p, 1.0);
    assert_close(c.sign_p, 1.0);
}

static void ties_and_zeros(void **state)
{
    (void)state;
    const double difference[] = {1, -1, 2, 2, -3, 4, 4, 4, 0, 5};
    crd_comparison c = compare_to_zero(difference, 10);
    assert_int_equal(c.pairs, 10);
    assert_int_equal(c.ties, 1);
    assert_int_equal(c.wins, 7);
    assert_close(c.wilcoxon_p, 0.05859375);
    assert_close(c.sign_p, 0.1796875);
}

/* 0.9 - 0.8 and 0.3 - 0.2 are different doubles, but they tie. */
static void rounding_makes_no_rank(void **state)
{
    (void)state;
    const double a[] = {0.9, 0.3, 0.7, 0.5}, b[] = {0.8, 0.2, 0.8, 0.5 + 1e-16};
    crd_comparison c = compare(a, b, 4, 1);
    assert_int_equal(c.wins, 2);
    assert_int_equal(c.losses, 1);
    assert_int_equal(c.ties, 1);
    /* Three ranks of 2, one of them negative: the probability of at most one negative is 4 of 8. */
    assert_close(c.wilcoxon_p, 1.0);
    const double all[] = {0.9, 0.3, 0.8}, lower[] = {0.8, 0.2, 0.7};
    c = compare(all, lower, 3, 1);
    assert_true(c.low == c.difference && c.high == c.difference);
}

static void exact_up_to_fifty(void **state)
{
    (void)state;
    double difference[51];
    for (int i = 0; i < 51; i++) difference[i] = i % 3 == 0 ? -(i + 1) : i + 1;
    assert_close(compare_to_zero(difference, 50).wilcoxon_p, 0.03996834652842374);
    assert_close(compare_to_zero(difference, 51).wilcoxon_p, 0.02568873999366418);
}

static void many_with_ties(void **state)
{
    (void)state;
    double difference[60];
    for (int i = 0; i < 60; i++) difference[i] = i * 37 % 23 - 8;
    crd_comparison c = compare_to_zero(difference, 60);
    assert_close(c.difference, 2.8833333333333333);
    assert_int_equal(c.ties, 2);
    assert_close(c.wilcoxon_p, 0.0031533488349645717);
    assert_close(c.sign_p, 0.08694889972991102);
}

/* A double cannot hold 2^-4000. */
static void sign_test_of_thousands(void **state)
{
    (void)state;
    static double a[4000];
    static const double b[4000];
    for (int i = 0; i < 4000; i++) a[i] = i < 1970 ? -1.0 : 1.0;
    assert_near(compare(a, b, 4000, 1).sign_p, 0.3508874129187597, 1e-11);
    for (int i = 0; i < 4000; i++) a[i] = i < 1900 ? 1.0 : -1.0;
    assert_near(compare(a, b, 4000, 1).sign_p, 0.0016492663751357264, 1e-11);
}

static void few_pairs(void **state)
{
    (void)state;
    const double a[] = {0.9, 0.8, 0.7}, b[] = {0.5, 0.6, 0.75};
    crd_comparison c = compare(a, b, 0, 1);
    assert_int_equal(c.pairs, 0);
    assert_true(isnan(c.difference) && isnan(c.mean_a) && isnan(c.low) && isnan(c.wilcoxon_p));
    assert_true(isnan(c.sign_p));
    c = compare(a, b, 1, 1);
    assert_close(c.difference, 0.4);
    assert_true(isnan(c.low) && isnan(c.high));
    assert_close(c.wilcoxon_p, 1.0);
    assert_close(c.sign_p, 1.0);
    c = compare(a, b, 2, 1);
    assert_close(c.difference, 0.3);
    assert_true(isnan(c.low) && isnan(c.high));
    assert_close(c.wilcoxon_p, 0.5);
    c = compare(a, b, 3, 1);
    assert_true(c.low > -0.0501 && c.low < c.difference && c.high > c.difference && c.high < 0.4001);
}

static void equal_models(void **state)
{
    (void)state;
    crd_comparison c = compare(first, first, 10, 1);
    assert_int_equal(c.ties, 10);
    assert_true(c.difference == 0.0 && c.low == 0.0 && c.high == 0.0);
    assert_true(c.wilcoxon_p == 1.0 && c.sign_p == 1.0);
}

static void pairs_without_a_number(void **state)
{
    (void)state;
    const double a[] = {0.5, NAN, 0.7, 0.9, INFINITY}, b[] = {0.4, 0.1, NAN, 0.7, 0.2};
    crd_comparison c = compare(a, b, 5, 1);
    assert_int_equal(c.pairs, 2);
    assert_close(c.mean_a, 0.7);
    assert_close(c.mean_b, 0.55);
    assert_int_equal(c.wins, 2);
}

static void wrong_count(void **state)
{
    (void)state;
    crd_comparison c;
    crd_error error;
    assert_int_equal(crd_compare(first, second, -1, 1, &c, &error), CRD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "-1 pairs were given to compare");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_splits),
        cmocka_unit_test(the_other_way_round),
        cmocka_unit_test(same_seed_same_interval),
        cmocka_unit_test(skewed_differences),
        cmocka_unit_test(no_ties),
        cmocka_unit_test(ties_and_zeros),
        cmocka_unit_test(rounding_makes_no_rank),
        cmocka_unit_test(exact_up_to_fifty),
        cmocka_unit_test(many_with_ties),
        cmocka_unit_test(sign_test_of_thousands),
        cmocka_unit_test(few_pairs),
        cmocka_unit_test(equal_models),
        cmocka_unit_test(pairs_without_a_number),
        cmocka_unit_test(wrong_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
