/* SPDX-License-Identifier: MIT */
/* Radial layers at the limits of floats: b close to -a, a node on a centre, nodes far away. Every instruction set
 * against a twin in double precision that has the formulas in their stable form. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "kernels/flow.h"
#include "support/each_isa.h"

enum { D = 4, ROWS = 19, MOST_LAYERS = 3 }; /* more rows than lanes, and not a multiple of them */

static double softplus(double x)
{
    return x > 0.0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

/* log p of one class: with s = a + b, 1 + b h = (s + r) h and 1 + a b h^2 = (r^2 + 2 a r + a s) h^2. */
static double twin(int layers, const double *center, const double *alpha, const double *beta, const double *z)
{
    double y[D], log_det = 0.0, norm = 0.0;
    memcpy(y, z, sizeof y);
    for (int t = 0; t < layers; t++) {
        const double a = softplus(alpha[t]), s = softplus(beta[t]);
        double square = 0.0;
        for (int d = 0; d < D; d++) square += (y[d] - center[t * D + d]) * (y[d] - center[t * D + d]);
        const double r = sqrt(square), h = 1.0 / (a + r), stretch = (s + r) * h;
        log_det += (D - 1) * log(stretch) + log((square + 2.0 * a * r + a * s) * h * h);
        for (int d = 0; d < D; d++) y[d] = center[t * D + d] + stretch * (y[d] - center[t * D + d]);
    }
    for (int d = 0; d < D; d++) norm += y[d] * y[d];
    return log_det - 0.5 * norm - 0.5 * D * log(2.0 * M_PI);
}

/* One class; all rows are the same node, so that every lane computes it. */
typedef struct {
    int layers;
    float center[MOST_LAYERS * D], alpha[MOST_LAYERS], beta[MOST_LAYERS], z[D];
} extreme;

typedef struct {
    float log_density[ROWS], dz[ROWS * D], d_center[MOST_LAYERS * D], d_alpha[MOST_LAYERS], d_beta[MOST_LAYERS];
} answer;

static void run(const crd_kernels *kernels, const extreme *e, answer *out)
{
    float z[ROWS * D], upstream[ROWS];
    for (int i = 0; i < ROWS; i++) {
        memcpy(z + i * D, e->z, sizeof e->z);
        upstream[i] = 1.0f;
    }
    crd_flow_workspace w;
    crd_plan plan = {0};
    crd_flow_plan(&w, &plan, e->layers, 1, D, ROWS, 1);
    assert_int_equal(crd_plan_allocate(&plan, NULL), CRD_OK);
    crd_flow_forward(&w, kernels, NULL, e->center, e->alpha, e->beta, ROWS, z, out->log_density, 1);
    crd_flow_backward(&w, kernels, NULL, e->alpha, e->beta, ROWS, z, upstream, 1, out->dz, out->d_center, out->d_alpha,
                      out->d_beta);
    crd_plan_free(&plan);
    for (int i = 0; i < ROWS; i++) {
        assert_true(isfinite(out->log_density[i]));
        assert_true(out->log_density[i] == out->log_density[0]);
        for (int d = 0; d < D; d++) {
            assert_true(isfinite(out->dz[i * D + d]));
            assert_true(out->dz[i * D + d] == out->dz[d]);
        }
    }
    for (int t = 0; t < e->layers; t++) {
        assert_true(isfinite(out->d_alpha[t]) && isfinite(out->d_beta[t]));
        for (int d = 0; d < D; d++) assert_true(isfinite(out->d_center[t * D + d]));
    }
}

typedef struct {
    double center[MOST_LAYERS * D], alpha[MOST_LAYERS], beta[MOST_LAYERS], z[D];
} widened;

static widened widen(const extreme *e)
{
    widened w = {0};
    for (int i = 0; i < e->layers * D; i++) w.center[i] = (double)e->center[i];
    for (int t = 0; t < e->layers; t++) {
        w.alpha[t] = (double)e->alpha[t];
        w.beta[t] = (double)e->beta[t];
    }
    for (int d = 0; d < D; d++) w.z[d] = (double)e->z[d];
    return w;
}

static double twin_of(const extreme *e, const widened *w)
{
    return twin(e->layers, w->center, w->alpha, w->beta, w->z);
}

static void assert_near(const char *what, double found, double expected, double relative, double absolute)
{
    if (!(fabs(found - expected) <= relative * fabs(expected) + absolute))
        fail_msg("%s: %.9g, expected %.9g", what, found, expected);
}

/* The twin's slope with respect to one of its numbers. */
static double slope(const extreme *e, widened *w, double *at, double h)
{
    const double keep = *at;
    *at = keep + h;
    const double high = twin_of(e, w);
    *at = keep - h;
    const double low = twin_of(e, w);
    *at = keep;
    return (high - low) / (2.0 * h);
}

/* Forward to `tolerance`; backward too, unless the node is on a centre, where |d| has no slope. `reach` is the
 * length scale of positions. */
static void check(const crd_kernels *kernels, const extreme *e, double tolerance, bool smooth, double reach)
{
    answer out;
    run(kernels, e, &out);
    widened w = widen(e);
    assert_near("log p", (double)out.log_density[0], twin_of(e, &w), tolerance, 1e-6);
    if (!smooth) return;
    const double h = 1e-4 * reach;
    double size = 0.0; /* of the gradient of z: if its parts cancel, rounding is relative to the whole */
    for (int d = 0; d < D; d++) size = fmax(size, fabs(slope(e, &w, &w.z[d], h)));
    for (int d = 0; d < D; d++) assert_near("dz", (double)out.dz[d], slope(e, &w, &w.z[d], h), 1e-4, 1e-4 * size);
    for (int i = 0; i < e->layers * D; i++)
        assert_near("d center", (double)out.d_center[i], ROWS * slope(e, &w, &w.center[i], h), 1e-4,
                    1e-4 * ROWS * size);
    for (int t = 0; t < e->layers; t++) {
        const double d_alpha = ROWS * slope(e, &w, &w.alpha[t], 1e-4);
        const double d_beta = ROWS * slope(e, &w, &w.beta[t], 1e-4);
        assert_near("d alpha", (double)out.d_alpha[t], d_alpha, 2e-4, 1e-4);
        assert_near("d beta", (double)out.d_beta[t], d_beta, 2e-4, 1e-4);
    }
}

static void cases(const crd_kernels *kernels)
{
    /* b' = -30 on the centre: both determinants are s/a, about 1e-13 */
    extreme e = {1, {0.5f, -1.0f, 0.25f, 2.0f}, {0.0f}, {-30.0f}, {0.5f, -1.0f, 0.25f, 2.0f}};
    check(kernels, &e, 1e-6, false, 0.0);
    e.alpha[0] = 20.0f;
    check(kernels, &e, 1e-6, false, 0.0);
    e.alpha[0] = -20.0f; /* a is about 2e-9, s/a 5e-5 */
    check(kernels, &e, 1e-6, false, 0.0);
    e.beta[0] = 20.0f; /* the other way: b/a about 1e10 */
    check(kernels, &e, 1e-6, false, 0.0);

    /* b' = -30 beside the centre: r dominates */
    e = (extreme){1, {0.5f, -1.0f, 0.25f, 2.0f}, {0.5f}, {-30.0f}, {0.625f, -1.0f, 0.25f, 1.875f}};
    check(kernels, &e, 1e-6, true, 0.1);
    e.z[0] = 0.5009765625f; /* 2^-10 away */
    e.z[3] = 2.0f;
    check(kernels, &e, 1e-6, true, 1e-3);

    /* a' = 20 and b' = 20: b = 0, nothing moves; a' = 20 alone: everything is pulled to the centre */
    e = (extreme){1, {0.5f, -1.0f, 0.25f, 2.0f}, {20.0f}, {20.0f}, {-1.0f, 0.5f, 1.0f, 0.0f}};
    check(kernels, &e, 1e-6, true, 1.0);
    e.beta[0] = 0.0f;
    check(kernels, &e, 1e-6, true, 1.0);
    e.beta[0] = -30.0f;
    check(kernels, &e, 1e-6, true, 1.0);

    /* far away: the base's -|y|^2/2 dominates */
    e = (extreme){3,
                  {0.5f, -1.0f, 0.25f, 2.0f, -1.5f, 0.5f, 1.0f, -0.5f, 0.0f, 2.0f, -2.0f, 1.0f},
                  {1.0f, 20.0f, -1.0f},
                  {-30.0f, 2.0f, 20.0f},
                  {1e6f, -5e5f, 2.5e5f, 1e6f}};
    check(kernels, &e, 1e-6, true, 1e3);
    for (int d = 0; d < D; d++) e.z[d] = d % 2 == 0 ? 1e6f : -1e6f;
    check(kernels, &e, 1e-6, true, 1e3);

    /* a chain that lands on the first centre and continues from there */
    for (int d = 0; d < D; d++) e.z[d] = e.center[d];
    check(kernels, &e, 2e-6, false, 0.0);
}

/* Beyond the range of floats there is no right answer, but the result is finite and very unlikely. */
static void beyond(const crd_kernels *kernels)
{
    answer out;
    extreme e = {1, {0.5f, -1.0f, 0.25f, 2.0f}, {0.0f}, {-200.0f}, {0.5f, -1.0f, 0.25f, 2.0f}};
    run(kernels, &e, &out);
    assert_true(out.log_density[0] < -200.0f);
    e.alpha[0] = -200.0f; /* a and s are both too small for a float: still not 0/0 */
    for (int d = 0; d < D; d++) e.z[d] = e.center[d] + 0.5f;
    run(kernels, &e, &out);
    e = (extreme){1, {0.0f}, {1.0f}, {1.0f}, {1e18f, 1e18f, -1e18f, 1e18f}};
    run(kernels, &e, &out);
    assert_true(out.log_density[0] < -1e35f);
}

static void stable_formulas(void **state)
{
    (void)state;
    with_each_isa(cases);
}

static void beyond_floats(void **state)
{
    (void)state;
    with_each_isa(beyond);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stable_formulas), cmocka_unit_test(beyond_floats)};
    return cmocka_run_group_tests(tests, open_team, close_team);
}
