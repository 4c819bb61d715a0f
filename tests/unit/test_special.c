/* SPDX-License-Identifier: MIT */
/* Digamma, trigamma and log Gamma against known values, recurrences and libm. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kernels/losses.h"

static const double EULER = 0.57721566490153286061;

static void assert_near(double found, double expected, double relative)
{
    if (fabs(found - expected) > relative * (1.0 + fabs(expected))) fail_msg("%.17g, expected %.17g", found, expected);
}

static void known_values(void **state)
{
    (void)state;
    assert_near(crd_digamma(1.0), -EULER, 1e-14);
    assert_near(crd_digamma(0.5), -EULER - 2.0 * log(2.0), 1e-14);
    assert_near(crd_digamma(0.25), -EULER - M_PI / 2.0 - 3.0 * log(2.0), 1e-14);
    assert_near(crd_digamma(11.0), -EULER + 7381.0 / 2520.0, 1e-14); /* the tenth harmonic number */
    assert_near(crd_trigamma(1.0), M_PI * M_PI / 6.0, 1e-14);
    assert_near(crd_trigamma(0.5), M_PI * M_PI / 2.0, 1e-14);
    assert_near(crd_trigamma(2.0), M_PI * M_PI / 6.0 - 1.0, 1e-14);
    assert_near(crd_log_gamma(0.5), 0.5 * log(M_PI), 1e-14);
    assert_near(crd_log_gamma(6.0), log(120.0), 1e-14);
}

static void recurrences_and_libm(void **state)
{
    (void)state;
    for (double x = 1e-3; x < 1e14; x *= 1.07) {
        assert_near(crd_log_gamma(x), lgamma(x), 1e-13);
        if (x > 1e7) continue; /* 1/x drowns in the last digits of psi */
        /* rounding is relative to the size of both sides before they cancel */
        assert_near(crd_digamma(x + 1.0), crd_digamma(x) + 1.0 / x, 1e-14 * (1.0 + 1.0 / x));
        assert_near(crd_trigamma(x + 1.0), crd_trigamma(x) - 1.0 / (x * x), 1e-14 * (1.0 + 1.0 / (x * x)));
    }
}

static void large_arguments(void **state)
{
    (void)state;
    const double x = exp(30.0); /* the largest evidence */
    assert_near(crd_digamma(x), 30.0, 1e-12);
    if (fabs(crd_trigamma(x) * x - 1.0) > 1e-12) fail_msg("trigamma(e^30) e^30 = %.17g", crd_trigamma(x) * x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),
        cmocka_unit_test(recurrences_and_libm),
        cmocka_unit_test(large_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
