/* SPDX-License-Identifier: MIT */
/* Every hot kernel, in every instruction set of this machine, against its slow twin; and every backward kernel
 * against finite differences of the twin. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "kernels/diffusion.h"
#include "kernels/losses.h"
#include "kernels/flow.h"
#include "base/tree.h"
#include "kernels/linear.h"
#include "reference/reference.h"
#include "support/each_isa.h"

static double uniform(crd_rng *rng, double bound)
{
    return (2.0 * crd_rng_uniform(rng) - 1.0) * bound;
}

static void fill(crd_rng *rng, float *values, int64_t count, double bound)
{
    for (int64_t i = 0; i < count; i++) values[i] = (float)uniform(rng, bound);
}

#define ASSERT_NEAR(found, expected, tolerance)                                                                        \
    do {                                                                                                               \
        double f_ = (found), e_ = (expected);                                                                          \
        if (!(fabs(f_ - e_) <= (tolerance) * (1.0 + fabs(e_)))) fail_msg("%s: %.9g, expected %.9g", #found, f_, e_);   \
    } while (0)

/* ---- products ---- */

static void products(const crd_kernels *kernels)
{
    enum { ROWS = 37, COLUMNS = 23 };
    const int64_t widths[] = {1, 3, 8, 16, 17, 64, 100, 131};
    crd_rng rng = crd_rng_start(3, 1);
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        const int64_t width = widths[w];
        float dense[ROWS * COLUMNS], value[ROWS * COLUMNS];
        int64_t start[ROWS + 1] = {0};
        int32_t column[ROWS * COLUMNS];
        for (int i = 0; i < ROWS; i++) {
            start[i + 1] = start[i];
            for (int j = 0; j < COLUMNS; j++) {
                bool there = i != 5 && crd_rng_uniform(&rng) < 0.4; /* row 5 is empty */
                dense[i * COLUMNS + j] = there ? (float)uniform(&rng, 1.0) : 0.0f;
                if (!there) continue;
                column[start[i + 1]] = j;
                value[start[i + 1]++] = dense[i * COLUMNS + j];
            }
        }
        float *weight = malloc((size_t)(COLUMNS * width) * sizeof *weight);
        float *bias = malloc((size_t)width * sizeof *bias);
        float *out = malloc((size_t)(ROWS * width) * sizeof *out);
        float *transposed = malloc((size_t)(COLUMNS * width) * sizeof *transposed);
        fill(&rng, weight, COLUMNS * width, 1.0);
        fill(&rng, bias, width, 1.0);
        for (int form = 0; form < 4; form++) { /* sparse or dense, with a bias or without */
            const float *b = form & 1 ? bias : NULL;
            const crd_rows x = form & 2 ? (crd_rows){ROWS, COLUMNS, start, column, value, NULL}
                                        : (crd_rows){ROWS, COLUMNS, NULL, NULL, NULL, dense};
            crd_linear_forward(kernels, form & 1 ? team : NULL, &x, weight, width, b, out);
            for (int i = 0; i < ROWS; i++)
                for (int64_t c = 0; c < width; c++) {
                    double sum = b != NULL ? (double)b[c] : 0.0;
                    for (int j = 0; j < COLUMNS; j++)
                        sum += (double)dense[i * COLUMNS + j] * (double)weight[j * width + c];
                    ASSERT_NEAR((double)out[i * width + c], sum, 2e-6);
                }
        }
        /* d_weight = x' * out, with the last product as the gradient */
        const crd_dense x = {.rows = ROWS, .columns = COLUMNS, .value = dense};
        const int threads = crd_team_size(team);
        float *room = malloc((size_t)crd_dense_weight_room(&x, width, threads) * sizeof *room);
        double *sums = malloc((size_t)crd_shard_sums_room(ROWS, width) * sizeof *sums);
        crd_dense_backward_weight(kernels, team, &x, out, width, room, transposed);
        for (int j = 0; j < COLUMNS; j++)
            for (int64_t c = 0; c < width; c++) {
                double sum = 0.0;
                for (int i = 0; i < ROWS; i++) sum += (double)dense[i * COLUMNS + j] * (double)out[i * width + c];
                ASSERT_NEAR((double)transposed[j * width + c], sum, 5e-6);
            }
        crd_linear_backward_bias(kernels, team, out, ROWS, width, sums, bias);
        for (int64_t c = 0; c < width; c++) {
            double sum = 0.0;
            for (int i = 0; i < ROWS; i++) sum += (double)out[i * width + c];
            ASSERT_NEAR((double)bias[c], sum, 1e-6);
        }
        free(weight);
        free(bias);
        free(out);
        free(transposed);
        free(room);
        free(sums);
    }
}

static void test_products(void **state)
{
    (void)state;
    with_each_isa(products);
}

/* ---- activations and dropout ---- */

static void activations(const crd_kernels *kernels)
{
    enum { COUNT = 61 };
    float x[COUNT], out[COUNT], gradient[COUNT];
    for (int i = 0; i < COUNT; i++) x[i] = (float)(i - 30) * 0.23f + 0.01f;
    x[0] = -200.0f;
    x[1] = -90.0f;
    x[COUNT - 2] = 90.0f;
    x[COUNT - 1] = 200.0f;
    for (int a = CRD_ACT_RELU; a <= CRD_ACT_LINEAR; a++) {
        const crd_activation activation = (crd_activation)a;
        kernels->activate(0, 1, activation, (crd_dropout){0}, x, COUNT, out);
        for (int i = 0; i < COUNT; i++) gradient[i] = 1.5f;
        kernels->activate_backward(0, 1, activation, (crd_dropout){0}, x, COUNT, gradient);
        for (int i = 0; i < COUNT; i++) {
            const double at = (double)x[i], h = 1e-6;
            ASSERT_NEAR((double)out[i], ref_activate(activation, at), 3e-7);
            double slope = (ref_activate(activation, at + h) - ref_activate(activation, at - h)) / (2 * h);
            ASSERT_NEAR((double)gradient[i], 1.5 * slope, 1e-6);
        }
    }
}

static void dropout(const crd_kernels *kernels)
{
    enum { ROWS = 200, WIDTH = 64 };
    static float x[ROWS * WIDTH], out[ROWS * WIDTH], gradient[ROWS * WIDTH], part[ROWS * WIDTH];
    for (int i = 0; i < ROWS * WIDTH; i++) {
        x[i] = 2.0f;
        gradient[i] = 1.0f;
    }
    const crd_dropout d = {0.3, 77};
    kernels->activate(0, ROWS, CRD_ACT_RELU, d, x, WIDTH, out);
    kernels->activate_backward(0, ROWS, CRD_ACT_RELU, d, x, WIDTH, gradient);
    int kept = 0;
    for (int i = 0; i < ROWS * WIDTH; i++) {
        kept += out[i] != 0.0f;
        ASSERT_NEAR((double)out[i], out[i] != 0.0f ? 2.0 / 0.7 : 0.0, 1e-6);
        ASSERT_NEAR((double)gradient[i], out[i] != 0.0f ? 1.0 / 0.7 : 0.0, 1e-6); /* the same elements */
    }
    /* 12800 draws with probability 0.7: five standard deviations are 259 */
    assert_in_range(kept, 8960 - 260, 8960 + 260);
    /* the draw depends on the position, not on how the rows are cut */
    kernels->activate(0, 71, CRD_ACT_RELU, d, x, WIDTH, part);
    kernels->activate(71, ROWS, CRD_ACT_RELU, d, x, WIDTH, part + 71 * WIDTH);
    assert_memory_equal(part, out, sizeof out);
    /* another epoch draws differently */
    kernels->activate(0, ROWS, CRD_ACT_RELU, (crd_dropout){0.3, 78}, x, WIDTH, part);
    assert_memory_not_equal(part, out, sizeof out);
}

static void test_activations(void **state)
{
    (void)state;
    with_each_isa(activations);
    with_each_isa(dropout);
}

/* ---- flow ---- */

enum { L = 4, K = 3, D = 5, FLOW_ROWS = 29 };

typedef struct {
    float center[L * K * D], alpha[L * K], beta[L * K], z[FLOW_ROWS * D], upstream[FLOW_ROWS * K];
} flow_case;

static void flow_fill(flow_case *f)
{
    crd_rng rng = crd_rng_start(5, 2);
    fill(&rng, f->center, L * K * D, 1.0);
    fill(&rng, f->alpha, L * K, 2.0);
    fill(&rng, f->beta, L * K, 2.0);
    fill(&rng, f->z, FLOW_ROWS * D, 2.0);
    fill(&rng, f->upstream, FLOW_ROWS * K, 1.0);
}

static double flow_twin(const flow_case *f, int row, int k)
{
    double center[L * D], a[L], b[L], z[D];
    for (int t = 0; t < L; t++) {
        for (int d = 0; d < D; d++) center[t * D + d] = (double)f->center[(t * K + k) * D + d];
        a[t] = (double)f->alpha[t * K + k];
        b[t] = (double)f->beta[t * K + k];
    }
    for (int d = 0; d < D; d++) z[d] = (double)f->z[row * D + d];
    return ref_log_density(L, D, center, a, b, z);
}

/* the sum of upstream * log p, which the backward kernel differentiates */
static double flow_sum(const flow_case *f)
{
    double sum = 0.0;
    for (int i = 0; i < FLOW_ROWS; i++)
        for (int k = 0; k < K; k++) sum += (double)f->upstream[i * K + k] * flow_twin(f, i, k);
    return sum;
}

/* Adding h to a float changes it by slightly more or less; divide by the actual difference. */
static double slope(flow_case *f, float *at)
{
    const float keep = *at, h = 1e-3f;
    *at = keep + h;
    const double up = (double)*at, high = flow_sum(f);
    *at = keep - h;
    const double down = (double)*at, low = flow_sum(f);
    *at = keep;
    return (high - low) / (up - down);
}

static void flow(const crd_kernels *kernels)
{
    flow_case f;
    flow_fill(&f);
    crd_flow_workspace w;
    crd_plan plan = {0};
    crd_flow_plan(&w, &plan, L, K, D, FLOW_ROWS, crd_team_size(team));
    assert_int_equal(crd_plan_allocate(&plan, NULL), CRD_OK);
    float log_density[FLOW_ROWS * 8], upstream[FLOW_ROWS * 8] = {0};
    float dz[FLOW_ROWS * D], d_center[L * K * D], d_alpha[L * K], d_beta[L * K];
    crd_flow_forward(&w, kernels, team, f.center, f.alpha, f.beta, FLOW_ROWS, f.z, log_density, 8);
    for (int i = 0; i < FLOW_ROWS; i++)
        for (int k = 0; k < K; k++) {
            ASSERT_NEAR((double)log_density[i * 8 + k], flow_twin(&f, i, k), 1e-6);
            upstream[i * 8 + k] = f.upstream[i * K + k];
        }
    crd_flow_backward(&w, kernels, team, f.alpha, f.beta, FLOW_ROWS, f.z, upstream, 8, dz, d_center, d_alpha, d_beta);
    for (int i = 0; i < FLOW_ROWS * D; i++) ASSERT_NEAR((double)dz[i], slope(&f, &f.z[i]), 2e-5);
    for (int i = 0; i < L * K * D; i++) ASSERT_NEAR((double)d_center[i], slope(&f, &f.center[i]), 2e-5);
    for (int i = 0; i < L * K; i++) {
        ASSERT_NEAR((double)d_alpha[i], slope(&f, &f.alpha[i]), 2e-5);
        ASSERT_NEAR((double)d_beta[i], slope(&f, &f.beta[i]), 2e-5);
    }
    crd_plan_free(&plan);
}

static void evidence(const crd_kernels *kernels)
{
    const float shift[3] = {0.5f, -0.25f, 1.0f};
    for (float x = -40.0f; x <= 40.0f; x += 0.37f) {
        float row[16] = {x, x, x, 7.0f, 7.0f, 7.0f, 7.0f, 7.0f, 7.0f, 7.0f, 7.0f, 7.0f, 7.0f, 7.0f, 7.0f, 7.0f};
        kernels->evidence(0, 1, 3, 16, shift, row);
        for (int k = 0; k < 3; k++) {
            double expected = exp(fmax(-30.0, fmin(30.0, (double)(x + shift[k]))));
            if (fabs((double)row[k] / expected - 1.0) > 3e-7)
                fail_msg("exp(%g + %g): %.9g, expected %.9g", (double)x, (double)shift[k], (double)row[k], expected);
        }
        for (int k = 3; k < 16; k++) assert_true(row[k] == 0.0f);
    }
}

static void test_flow(void **state)
{
    (void)state;
    with_each_isa(flow);
    with_each_isa(evidence);
}

/* ---- neighbours ---- */

enum { NODES = 31 };

typedef struct {
    double dense[NODES * NODES];
    int64_t start[NODES + 1];
    int32_t neighbour[NODES * NODES];
} small_graph;

static void make_graph(small_graph *g, uint64_t seed)
{
    crd_rng rng = crd_rng_start(seed, 9);
    memset(g, 0, sizeof *g);
    for (int i = 1; i < NODES; i++) /* node 0 stays isolated */
        for (int j = i + 1; j < NODES; j++)
            if (crd_rng_uniform(&rng) < 0.15) g->dense[i * NODES + j] = g->dense[j * NODES + i] = 1.0;
    for (int i = 0; i < NODES; i++) {
        g->start[i + 1] = g->start[i];
        for (int j = 0; j < NODES; j++)
            if (g->dense[i * NODES + j] != 0.0) g->neighbour[g->start[i + 1]++] = j;
    }
}

/* Rows that are mostly 0 may be given without the zeros; without steps rows stay as they are. */
static crd_plan open_diffusion(crd_diffusion *d, const small_graph *g, int64_t stride, int64_t steps)
{
    crd_plan plan = {0};
    crd_diffusion_plan(d, &plan, NODES, stride, 0.15, steps);
    assert_int_equal(crd_plan_allocate(&plan, NULL), CRD_OK);
    crd_diffusion_start(d, g->start, g->neighbour);
    return plan;
}

static void some_rows(const crd_kernels *kernels, crd_diffusion *d, const small_graph *g, int64_t k, const float *x)
{
    enum { COUNT = 3 };
    const int64_t rows[COUNT] = {NODES - 1, 2, 7};
    const size_t bytes = (size_t)(NODES * k) * sizeof *x;
    float *full = calloc(1, bytes), *expected = malloc(bytes);
    assert_true(full != NULL && expected != NULL);
    for (int t = 0; t < COUNT; t++) memcpy(full + rows[t] * k, x + t * k, (size_t)k * sizeof *x);
    memcpy(expected, crd_diffusion_run(d, kernels, team, full, (crd_row_list){0}), bytes);
    const float *found = crd_diffusion_run_some(d, kernels, team, rows, COUNT, x);
    for (int64_t i = 0; i < NODES * k; i++) ASSERT_NEAR((double)found[i], (double)expected[i], 1e-6);
    found = crd_diffusion_run(d, kernels, team, full, (crd_row_list){rows, COUNT});
    for (int t = 0; t < COUNT; t++)
        assert_memory_equal(found + rows[t] * k, expected + rows[t] * k, (size_t)k * sizeof *x);
    crd_diffusion none;
    crd_plan plan = open_diffusion(&none, g, k, 0);
    assert_memory_equal(crd_diffusion_run(&none, kernels, team, x, (crd_row_list){0}), x, bytes);
    assert_memory_equal(crd_diffusion_run_some(&none, kernels, team, rows, COUNT, x), full, bytes);
    crd_plan_free(&plan);
    free(full);
    free(expected);
}

/* On a long path three steps reach three nodes to each side. Looking at any other node would read outside the array
 * of neighbours. */
static void test_row_of_a_path(void **state)
{
    (void)state;
    enum { LONG = 1000, STEPS = 3, MIDDLE = 500 };
    static int64_t start[LONG + 1];
    static int32_t neighbour[2 * LONG];
    for (int i = 0; i < LONG; i++) {
        start[i + 1] = start[i];
        if (i > 0) neighbour[start[i + 1]++] = i - 1;
        if (i + 1 < LONG) neighbour[start[i + 1]++] = i + 1;
    }
    for (int i = 0; i <= LONG; i++)
        if (i < MIDDLE - STEPS || i > MIDDLE + STEPS + 1) start[i] = INT64_MAX / 16;
    crd_weights w;
    assert_int_equal(crd_weights_open(&w, LONG, NULL), CRD_OK);
    for (int again = 0; again < 2; again++) {
        crd_diffusion_row(start, neighbour, 0.1, STEPS, MIDDLE, &w);
        assert_int_equal(w.count, 2 * STEPS + 1);
        assert_int_equal(w.reached[0], MIDDLE);
        double sum = 0.0;
        for (int64_t t = 0; t < w.count; t++) sum += w.weight[w.reached[t]];
        ASSERT_NEAR(sum, 1.0, 1e-12); /* all of them have two neighbours */
    }
    crd_weights_close(&w);
}

static void diffusion(const crd_kernels *kernels)
{
    small_graph g;
    make_graph(&g, 1);
    const int64_t strides[] = {8, 16, 24, 32, 40, 72};
    for (size_t s = 0; s < sizeof strides / sizeof strides[0]; s++) {
        const int64_t k = strides[s];
        crd_rng rng = crd_rng_start(2, 3);
        float *x = malloc((size_t)(NODES * k) * sizeof *x), *out = malloc((size_t)(NODES * k) * sizeof *out);
        double *wide = malloc((size_t)(NODES * k) * sizeof *wide), *twin = malloc((size_t)(NODES * k) * sizeof *twin);
        fill(&rng, x, NODES * k, 3.0);
        for (int64_t i = 0; i < NODES * k; i++) wide[i] = (double)x[i];
        crd_diffusion d;
        crd_plan plan = open_diffusion(&d, &g, k, 7);
        memcpy(out, crd_diffusion_run(&d, kernels, team, x, (crd_row_list){0}), (size_t)(NODES * k) * sizeof *out);
        ref_diffuse(NODES, (int)k, g.dense, 0.15, 7, wide, twin);
        for (int64_t i = 0; i < NODES * k; i++) ASSERT_NEAR((double)out[i], twin[i], 1e-6);
        /* the attribution's weights give the same sums */
        crd_weights w;
        assert_int_equal(crd_weights_open(&w, NODES, NULL), CRD_OK);
        for (int i = 0; i < NODES; i += 5) {
            crd_diffusion_row(g.start, g.neighbour, 0.15, 7, i, &w);
            double sum = 0.0, listed = 0.0;
            for (int j = 0; j < NODES; j++) sum += w.weight[j] * wide[j * k];
            for (int64_t t = 0; t < w.count; t++) listed += w.weight[w.reached[t]] * wide[w.reached[t] * k];
            ASSERT_NEAR(sum, twin[i * k], 1e-12);
            ASSERT_NEAR(listed, twin[i * k], 1e-12);
        }
        crd_weights_close(&w);
        some_rows(kernels, &d, &g, k, x);
        crd_plan_free(&plan);
        free(x);
        free(out);
        free(wide);
        free(twin);
    }
}

/* Prefetched rows are the same rows, up to the last one. */
static void diffusion_from_far(const crd_kernels *kernels)
{
    enum { FAR_NODES = 400, DEGREE = 7 };
    int64_t start[FAR_NODES + 1];
    static int32_t neighbour[FAR_NODES * DEGREE];
    static float x[FAR_NODES * 16], s[FAR_NODES], near[FAR_NODES * 24], far[FAR_NODES * 24];
    crd_rng rng = crd_rng_start(4, 4);
    for (int i = 0; i <= FAR_NODES; i++) start[i] = (int64_t)i * DEGREE;
    for (int e = 0; e < FAR_NODES * DEGREE; e++) neighbour[e] = (int32_t)(crd_rng_uniform(&rng) * FAR_NODES);
    fill(&rng, x, FAR_NODES * 16, 3.0);
    for (int i = 0; i < FAR_NODES; i++) s[i] = 0.3f;
    for (int64_t width = 8; width <= 16; width += 8)
        for (int with_origin = 0; with_origin < 2; with_origin++) {
            crd_steps steps = {start, neighbour, FAR_NODES * DEGREE,     s,    0.2f,
                               width, false,     with_origin ? x : NULL, width};
            kernels->diffuse(0, FAR_NODES, &steps, x, true, near, 24);
            steps.far = true;
            kernels->diffuse(0, FAR_NODES - 20, &steps, x, true, far, 24);
            kernels->diffuse(FAR_NODES - 20, FAR_NODES, &steps, x, true, far, 24);
            for (int i = 0; i < FAR_NODES; i++)
                assert_memory_equal(near + i * 24, far + i * 24, (size_t)width * sizeof *near);
        }
}

static double distance_twin(const small_graph *g, const float *z, int dims)
{
    double sum = 0.0;
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < NODES; j++)
            for (int d = 0; d < dims && g->dense[i * NODES + j] != 0.0; d++)
                sum += pow((double)z[i * dims + d] - (double)z[j * dims + d], 2);
    return sum;
}

static void distance(const crd_kernels *kernels)
{
    small_graph g;
    make_graph(&g, 4);
    const int dims[] = {3, 8, 10, 16, 21};
    for (size_t c = 0; c < sizeof dims / sizeof dims[0]; c++) {
        float z[NODES * 21], dz[NODES * 21];
        crd_rng rng = crd_rng_start(6, 3);
        fill(&rng, z, NODES * dims[c], 1.0);
        for (int i = 0; i < NODES * dims[c]; i++) dz[i] = 0.25f;
        double sum = kernels->distance(0, NODES, g.start, g.neighbour, z, dims[c], 0.5f, dz);
        ASSERT_NEAR(sum, distance_twin(&g, z, dims[c]), 1e-6);
        for (int i = 0; i < NODES * dims[c]; i += 3) {
            const float keep = z[i];
            z[i] = keep + 0.01f;
            const double up = (double)z[i], high = distance_twin(&g, z, dims[c]);
            z[i] = keep - 0.01f;
            const double down = (double)z[i], low = distance_twin(&g, z, dims[c]);
            z[i] = keep;
            ASSERT_NEAR((double)dz[i], 0.25 + 0.5 * (high - low) / (up - down), 1e-5); /* added, weighted */
        }
    }
}

static void test_neighbours(void **state)
{
    (void)state;
    with_each_isa(diffusion);
    with_each_isa(diffusion_from_far);
    with_each_isa(distance);
}

/* ---- Dirichlet terms ---- */

static double evidence_twin(const small_graph *g, const float *evidence, int k, int64_t stride)
{
    double sum = 0.0;
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < NODES; j++) {
            if (g->dense[i * NODES + j] == 0.0) continue;
            double p[32], q[32];
            for (int c = 0; c < k; c++) {
                p[c] = 1.0 + (double)evidence[i * stride + c];
                q[c] = 1.0 + (double)evidence[j * stride + c];
            }
            sum += ref_kl(k, p, q) + ref_kl(k, q, p);
        }
    return sum;
}

static void evidence_distance_of(const crd_kernels *kernels, int classes, uint64_t seed)
{
    const int64_t stride = (classes + CRD_PAD - 1) / CRD_PAD * CRD_PAD;
    small_graph g;
    make_graph(&g, 8);
    float *evidence_values = calloc((size_t)(NODES * stride), sizeof(float));
    float *gradient = calloc((size_t)(NODES * stride), sizeof(float));
    crd_rng rng = crd_rng_start(seed, 7);
    for (int i = 0; i < NODES; i++)
        for (int c = 0; c < classes; c++) evidence_values[i * stride + c] = (float)exp(uniform(&rng, 3.0));
    crd_evidence_distance w;
    crd_plan plan = {0};
    crd_evidence_distance_plan(&w, &plan, kernels, NODES);
    assert_int_equal(crd_plan_allocate(&plan, NULL), CRD_OK);
    const crd_divergence d = {NODES, g.start, g.neighbour, evidence_values, classes, stride, 0.3, gradient};
    double sum = crd_evidence_distance_sum(&w, kernels, team, &d);
    ASSERT_NEAR(sum, evidence_twin(&g, evidence_values, classes, stride), 1e-8);
    for (int i = 0; i < NODES; i += 2) {
        for (int c = 0; c < classes; c++) {
            float *at = &evidence_values[i * stride + c], keep = *at;
            *at = keep * 1.001f;
            const double up = (double)*at, high = evidence_twin(&g, evidence_values, classes, stride);
            *at = keep * 0.999f;
            const double down = (double)*at, low = evidence_twin(&g, evidence_values, classes, stride);
            *at = keep;
            ASSERT_NEAR((double)gradient[i * stride + c], 0.3 * (high - low) / (up - down), 1e-4);
        }
        for (int c = classes; c < stride; c++) assert_true(gradient[i * stride + c] == 0.0f);
    }
    crd_plan_free(&plan);
    free(evidence_values);
    free(gradient);
}

/* Fewer classes than a tile, as many, some more, and several tiles. */
static void evidence_distances(const crd_kernels *kernels)
{
    for (int classes = 2; classes <= 5; classes++) evidence_distance_of(kernels, classes, 7);
    evidence_distance_of(kernels, 8, 8);
    evidence_distance_of(kernels, 21, 9);
}

static void test_evidence_distance(void **state)
{
    (void)state;
    with_each_isa(evidence_distances);
}

/* Two nodes whose evidence is at the end of the clamp: the divergence is small compared with its terms. */
static void evidence_cancellation(const crd_kernels *kernels)
{
    const int64_t start[] = {0, 1, 2};
    const int32_t neighbour[] = {1, 0};
    float evidence_values[16] = {0};
    evidence_values[0] = 1.0e13f;
    evidence_values[1] = 1.0f;
    evidence_values[8] = 1.0e13f;
    evidence_values[9] = 2.0f;
    crd_evidence_distance w;
    crd_plan plan = {0};
    crd_evidence_distance_plan(&w, &plan, kernels, 2);
    assert_int_equal(crd_plan_allocate(&plan, NULL), CRD_OK);
    const crd_divergence d = {2, start, neighbour, evidence_values, 2, 8, 0.0, NULL};
    /* 2 [(1)(psi(3) - psi(2)) - (1)(psi(a+1) - psi(a))], both directions: psi(3) - psi(2) = 1/2 */
    ASSERT_NEAR(crd_evidence_distance_sum(&w, kernels, NULL, &d), 1.0, 1e-6);
    crd_plan_free(&plan);
}

static void test_evidence_distance_cancellation(void **state)
{
    (void)state;
    with_each_isa(evidence_cancellation);
}

/* Tables of digamma and trigamma as R_alpha uses them, against the slow functions, from alpha = 1 to e^30. */
static void gamma_family(const crd_kernels *kernels)
{
    enum { ROWS = 301, STRIDE = 8 };
    static float evidence_values[ROWS * STRIDE];
    static double table[ROWS * 16], totals[ROWS * 2], trigamma[ROWS];
    crd_rng rng = crd_rng_start(5, 5);
    for (int i = 0; i < ROWS * STRIDE; i++) evidence_values[i] = (float)exp(uniform(&rng, 30.0));
    kernels->digamma_totals(0, ROWS, STRIDE, STRIDE, evidence_values, totals, trigamma);
    kernels->digamma_tile(0, ROWS, STRIDE, evidence_values, table);
    for (int i = 0; i < ROWS; i++) {
        double sum = 0.0;
        for (int k = 0; k < STRIDE; k++) sum += (double)evidence_values[i * STRIDE + k];
        assert_true(totals[2 * i + 1] == sum);
        ASSERT_NEAR(totals[2 * i], crd_digamma(STRIDE + sum), 4e-15);
        ASSERT_NEAR(trigamma[i] * (STRIDE + sum), crd_trigamma(STRIDE + sum) * (STRIDE + sum), 2e-14);
        for (int k = 0; k < kernels->tile; k++) {
            const double own = (double)evidence_values[i * STRIDE + k];
            ASSERT_NEAR(table[i * 2 * kernels->tile + k], crd_digamma(1.0 + own), 4e-15);
            assert_true(table[(i * 2 + 1) * kernels->tile + k] == own);
        }
    }
}

static void test_gamma_family(void **state)
{
    (void)state;
    with_each_isa(gamma_family);
}

static void test_dirichlet_loss(void **state)
{
    (void)state;
    enum { CLASSES = 3, STRIDE = 8, COUNT = 9 };
    float values[COUNT * STRIDE] = {0}, gradient[6 * STRIDE] = {0}; /* a row more than nodes */
    const int64_t nodes[] = {0, 2, 3, 5, 8};
    const int32_t labels[] = {1, 0, 2, 2, 1};
    const double of_class[] = {1.5, 0.75, 0.25};
    const crd_dirichlet_weights weights = {0.07, 0.2, of_class};
    crd_rng rng = crd_rng_start(8, 8);
    for (int i = 0; i < COUNT; i++)
        for (int c = 0; c < CLASSES; c++) values[i * STRIDE + c] = (float)exp(uniform(&rng, 4.0));
    crd_dirichlet_terms terms =
        crd_dirichlet_loss(values, COUNT, CLASSES, STRIDE, nodes, labels, 5, weights, team, gradient);
    double uce = 0.0, entropy = 0.0, share = 0.0;
    for (int t = 0; t < 5; t++) {
        double alpha[CLASSES], total = 0.0;
        for (int c = 0; c < CLASSES; c++) total += alpha[c] = 1.0 + (double)values[nodes[t] * STRIDE + c];
        const double own = of_class[labels[t]];
        uce += own * (ref_digamma(total) - ref_digamma(alpha[labels[t]]));
        entropy += own * ref_entropy(CLASSES, alpha);
        share -= own * log((alpha[labels[t]] - 1.0) / (total - CLASSES));
        for (int c = 0; c < CLASSES; c++) {
            const double keep = alpha[c], h = 1e-4 * (keep - 1.0);
            double side[2];
            for (int s = 0; s < 2; s++) {
                alpha[c] = keep + (s ? h : -h);
                const double moved = total + alpha[c] - keep;
                side[s] = ref_digamma(moved) - ref_digamma(alpha[labels[t]]) -
                          weights.entropy * ref_entropy(CLASSES, alpha) -
                          weights.share * log((alpha[labels[t]] - 1.0) / (moved - CLASSES));
            }
            alpha[c] = keep;
            ASSERT_NEAR((double)gradient[t * STRIDE + c], own * (side[1] - side[0]) / (2 * h), 1e-5);
        }
    }
    ASSERT_NEAR(terms.uce, uce, 1e-8);
    ASSERT_NEAR(terms.entropy, entropy, 1e-8);
    ASSERT_NEAR(terms.share, share, 1e-8);
    for (int c = 0; c < CLASSES; c++) assert_true(gradient[5 * STRIDE + c] == 0.0f);
}

/* At the switch to the asymptotic form, values and slopes of both forms agree. */
static void test_entropy_join(void **state)
{
    (void)state;
    const double below[] = {9000.0, 900.0, 99.0}, above[] = {9000.0, 900.0, 101.0};
    double slope_below[3], slope_above[3];
    double low = crd_dirichlet_entropy(below, 3, slope_below), high = crd_dirichlet_entropy(above, 3, slope_above);
    double exact[3] = {9000.0, 900.0, 101.0};
    ASSERT_NEAR(high, ref_entropy(3, exact), 1e-3);
    ASSERT_NEAR(low, ref_entropy(3, below), 1e-6);
    for (int k = 0; k < 3; k++)
        if (fabs(slope_below[k] - slope_above[k]) > 0.03 * fabs(slope_below[k]) + 1e-6)
            fail_msg("slope %d jumps from %g to %g", k, slope_below[k], slope_above[k]);
}

/* By hand: a node's two classes have evidence e^-18 and e^-16, the smaller one for its own class. UCE hardly pulls
 * at the logarithm of that evidence; the share term pulls with the other class's share, 1 / (1 + e^-2). */
static void test_share_of_little_evidence(void **state)
{
    (void)state;
    const int64_t node = 0;
    const int32_t label = 0;
    const double own = exp(-18.0), other = exp(-16.0), other_share = 1.0 / (1.0 + exp(-2.0));
    float values[8] = {(float)own, (float)other}, gradient[8] = {0};
    crd_dirichlet_weights weights = {0.0, 0.0, NULL};
    crd_dirichlet_terms terms = crd_dirichlet_loss(values, 1, 2, 8, &node, &label, 1, weights, NULL, gradient);
    assert_true(terms.share == 0.0);
    assert_true(fabs((double)gradient[0] * own) < 1e-7);
    weights.share = 0.3;
    terms = crd_dirichlet_loss(values, 1, 2, 8, &node, &label, 1, weights, NULL, gradient);
    ASSERT_NEAR(terms.share, log(1.0 + exp(2.0)), 1e-6);
    ASSERT_NEAR((double)gradient[0] * own, -0.3 * other_share, 1e-6);
    ASSERT_NEAR((double)gradient[1] * other, 0.3 * other_share, 1e-6);
}

/* Theorem 1's construction: evidence n/v for the own class, none for the others. */
static void test_ball_construction(void **state)
{
    (void)state;
    const int64_t node = 0;
    const int32_t label = 2;
    double before = INFINITY;
    for (double volume = 1.0; volume > 1e-9; volume *= 0.1) {
        float values[8] = {0};
        const double n = 20.0;
        values[2] = (float)(n / volume);
        const crd_dirichlet_weights none = {0.0, 0.0, NULL};
        crd_dirichlet_terms terms = crd_dirichlet_loss(values, 1, 4, 8, &node, &label, 1, none, NULL, NULL);
        /* psi(4 + m) - psi(1 + m), by the recurrence */
        const double m = n / volume, expected = 1.0 / (1.0 + m) + 1.0 / (2.0 + m) + 1.0 / (3.0 + m);
        if (fabs(terms.uce - expected) > 1e-6 * expected + 1e-14) fail_msg("UCE %g, expected %g", terms.uce, expected);
        assert_true(terms.uce < before);
        before = terms.uce;
    }
    assert_true(before < 1e-8);
}

/* ---- Adam ---- */

static void adam(const crd_kernels *kernels)
{
    enum { COUNT = 21 };
    float value[COUNT], gradient[COUNT], moment[COUNT] = {0}, square[COUNT] = {0};
    double v[COUNT], m[COUNT] = {0}, s[COUNT] = {0};
    crd_rng rng = crd_rng_start(11, 1);
    fill(&rng, value, COUNT, 1.0);
    for (int i = 0; i < COUNT; i++) v[i] = (double)value[i];
    for (int step = 1; step <= 50; step++) {
        fill(&rng, gradient, COUNT, 1.0);
        kernels->adam(0, COUNT, step, 0.01f, 0.1f, gradient, moment, square, value);
        for (int i = 0; i < COUNT; i++) {
            double g = (double)gradient[i] + 0.1 * v[i];
            m[i] = 0.9 * m[i] + 0.1 * g;
            s[i] = 0.999 * s[i] + 0.001 * g * g;
            v[i] -= 0.01 * (m[i] / (1 - pow(0.9, step))) / (sqrt(s[i] / (1 - pow(0.999, step))) + 1e-8);
        }
    }
    for (int i = 0; i < COUNT; i++) ASSERT_NEAR((double)value[i], v[i], 2e-6);
}

static void test_adam(void **state)
{
    (void)state;
    with_each_isa(adam);
}

static void test_dispatch(void **state)
{
    (void)state;
    const crd_kernels *kernels;
    crd_error error;
    setenv("CREDENCE_CPU", "abacus", 1);
    assert_int_equal(crd_kernels_pick(&kernels, &error), CRD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "abacus"));
    unsetenv("CREDENCE_CPU");
    assert_int_equal(crd_kernels_pick(&kernels, &error), CRD_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_activations),
        cmocka_unit_test(test_flow),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_row_of_a_path),
        cmocka_unit_test(test_evidence_distance),
        cmocka_unit_test(test_evidence_distance_cancellation),
        cmocka_unit_test(test_gamma_family),
        cmocka_unit_test(test_dirichlet_loss),
        cmocka_unit_test(test_entropy_join),
        cmocka_unit_test(test_share_of_little_evidence),
        cmocka_unit_test(test_ball_construction),
        cmocka_unit_test(test_adam),
        cmocka_unit_test(test_dispatch),
    };
    return cmocka_run_group_tests(tests, open_team, close_team);
}
