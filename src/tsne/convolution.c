/* SPDX-License-Identifier: MIT */
/* Sums over all points of a map, on a grid, by Hartley transforms. They are like Fourier transforms, but real numbers
 * stay real, and the inverse is the transform itself (up to a factor). With A(k) the transform of the charges and B(k)
 * that of a kernel, a convolution's transform is A(k) B(k) if the kernel is even, and A(-k) B(k) if it is odd. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tsne/tsne.h"

/* ---- lengths and factors of transforms ---- */

static bool smooth(int64_t length)
{
    while (length % 2 == 0) length /= 2;
    while (length % 3 == 0) length /= 3;
    while (length % 5 == 0) length /= 5;
    return length == 1;
}

int64_t crd_fft_length(int64_t least)
{
    while (!smooth(least)) least++;
    return least;
}

crd_status crd_fft_open(crd_fft *plan, int64_t length, crd_error *error)
{
    static const int radices[] = {5, 3, 4, 2};
    *plan = (crd_fft){.length = length};
    int64_t left = length, factors = 0;
    for (size_t r = 0; r < sizeof radices / sizeof *radices; r++)
        while (left % radices[r] == 0 && left > 1) {
            plan->radix[plan->passes++] = radices[r];
            left /= radices[r];
            factors += left * (radices[r] - 1);
        }
    crd_status status = CRD_NEW(&plan->factor, 2 * factors, error);
    if (status != CRD_OK) return status;
    float *factor = plan->factor;
    left = length;
    for (int i = 0; i < plan->passes; i++) {
        const int64_t parts = left / plan->radix[i];
        for (int64_t p = 0; p < parts; p++)
            for (int64_t k = 1; k < plan->radix[i]; k++) {
                const double angle = -2.0 * 3.14159265358979323846 * (double)(p * k % left) / (double)left;
                *factor++ = (float)cos(angle);
                *factor++ = (float)sin(angle);
            }
        left = parts;
    }
    return CRD_OK;
}

void crd_fft_close(crd_fft *plan)
{
    crd_free(plan->factor);
    *plan = (crd_fft){0};
}

/* ---- strips: WIDTH columns of `period` numbers ---- */

enum { WIDTH = CRD_FFT_WIDTH, STRIPS = 6 };

typedef struct {
    const crd_kernels *kernels;
    crd_convolution *c;
} job;

/* The strips of one thread: two pairs, and room for a transform. */
typedef struct {
    float *of[STRIPS];
} strips;

static strips strips_of(const job *j, int worker)
{
    strips s;
    for (int i = 0; i < STRIPS; i++) s.of[i] = j->c->strips + (worker * STRIPS + i) * j->c->plan.length * WIDTH;
    return s;
}

static void transform_pair(const job *j, const strips *s, int first)
{
    j->kernels->hartley(&j->c->plan, s->of[first], s->of[first + 1], s->of[STRIPS - 2], s->of[STRIPS - 1]);
}

/* The first `nodes` rows from or to an array that has them `stride` apart; the others are 0. */
static void load_rows(const job *j, const float *from, int64_t stride, float *strip)
{
    const int64_t nodes = j->c->nodes;
    for (int64_t row = 0; row < nodes; row++) memcpy(strip + row * WIDTH, from + row * stride, WIDTH * sizeof *strip);
    memset(strip + nodes * WIDTH, 0, (size_t)(nodes * WIDTH) * sizeof *strip);
}

static void store_rows(const job *j, const float *strip, float *to, int64_t stride)
{
    for (int64_t row = 0; row < j->c->nodes; row++)
        memcpy(to + row * stride, strip + row * WIDTH, WIDTH * sizeof *strip);
}

/* To or from a spectrum, where the strip's columns are rows; a square at a time, to stay in cache. */
static void store_columns(const job *j, const float *strip, float *spectrum, int64_t column)
{
    for (int64_t from = 0; from < j->c->plan.length; from += WIDTH)
        for (int64_t x = 0; x < WIDTH; x++)
            for (int64_t k = from; k < from + WIDTH && k < j->c->plan.length; k++)
                spectrum[(column + x) * j->c->spectrum_stride + k] = strip[k * WIDTH + x];
}

/* `mirrored`: the spectrum has -k in the place of k. */
static void load_columns(const job *j, const float *spectrum, int64_t column, bool mirrored, float *strip)
{
    const int64_t period = j->c->plan.length;
    for (int64_t from = 0; from < period; from += WIDTH)
        for (int64_t x = 0; x < WIDTH; x++)
            for (int64_t k = from; k < from + WIDTH && k < period; k++)
                strip[(mirrored && k > 0 ? period - k : k) * WIDTH + x] =
                    spectrum[(column + x) * j->c->spectrum_stride + k];
}

/* ---- the three steps of a run ---- */

static void forward_columns(int64_t task, int worker, void *context)
{
    const job *j = context;
    const strips s = strips_of(j, worker);
    const int64_t column = 2 * task * WIDTH;
    for (int i = 0; i < 2; i++) load_rows(j, j->c->grid + column + i * WIDTH, j->c->stride, s.of[i]);
    transform_pair(j, &s, 0);
    for (int i = 0; i < 2; i++) store_columns(j, s.of[i], j->c->spectrum, column + i * WIDTH);
}

/* From a strip of the charges' transform: the sum of g_i g_j q_ij, by Parseval, and the transforms of both forces. The
 * second is that of -k in y, in which its kernel is odd. */
static double multiply(const crd_convolution *c, const float *charge, int64_t frequency, float *by_x, float *by_y)
{
    const int64_t period = c->plan.length;
    double sum[WIDTH] = {0}, total = 0.0;
    for (int64_t k = 0; k < period; k++) {
        const int64_t mirror = k > 0 ? period - k : 0, table = k < mirror || k == 0 ? k : mirror;
        const int64_t at = table * c->spectrum_stride + frequency;
        const float *here = charge + k * WIDTH, *there = charge + mirror * WIDTH;
        const float sign = k > mirror ? -1.0f : 1.0f;
        for (int64_t x = 0; x < WIDTH; x++) {
            sum[x] += (double)(here[x] * here[x] * c->potential[at + x]);
            by_x[k * WIDTH + x] = sign * there[x] * c->push_x[at + x];
            by_y[k * WIDTH + x] = -here[x] * c->push_y[at + x];
        }
    }
    for (int x = 0; x < WIDTH; x++) total += sum[x];
    return total;
}

static void across_rows(int64_t task, int worker, void *context)
{
    const job *j = context;
    const strips s = strips_of(j, worker);
    const int64_t frequency = 2 * task * WIDTH, stride = j->c->spectrum_stride;
    for (int i = 0; i < 2; i++) load_rows(j, j->c->spectrum + frequency + i * WIDTH, stride, s.of[i]);
    transform_pair(j, &s, 0);
    j->c->partial[task] = 0.0;
    for (int i = 0; i < 2; i++) {
        const int64_t from = frequency + i * WIDTH;
        j->c->partial[task] += multiply(j->c, s.of[i], from, s.of[2], s.of[3]);
        transform_pair(j, &s, 2);
        store_rows(j, s.of[2], j->c->spectrum + from, stride);
        store_rows(j, s.of[3], j->c->second + from, stride);
    }
}

static void back_columns(int64_t task, int worker, void *context)
{
    const job *j = context;
    const strips s = strips_of(j, worker);
    load_columns(j, j->c->spectrum, task * WIDTH, false, s.of[0]);
    load_columns(j, j->c->second, task * WIDTH, true, s.of[1]);
    transform_pair(j, &s, 0);
    store_rows(j, s.of[0], j->c->grid + task * WIDTH, j->c->stride);
    store_rows(j, s.of[1], j->c->force_y + task * WIDTH, j->c->stride);
}

double crd_convolution_run(crd_convolution *c, const crd_kernels *kernels, crd_team *team)
{
    job j = {kernels, c};
    const int64_t pairs = c->spectrum_stride / (2 * WIDTH);
    crd_parallel_tasks(team, c->stride / (2 * WIDTH), forward_columns, &j);
    crd_parallel_tasks(team, pairs, across_rows, &j);
    crd_parallel_tasks(team, c->stride / WIDTH, back_columns, &j);
    double total = 0.0;
    for (int64_t p = 0; p < pairs; p++) total += c->partial[p];
    return total;
}

/* ---- the kernels' spectra ---- */

/* q and q^2 dx along x, for some distances in y. */
static void kernel_columns(int64_t task, int worker, void *context)
{
    const job *j = context;
    const strips s = strips_of(j, worker);
    const int64_t n = j->c->nodes;
    for (int64_t i = 0; i < 2 * n * WIDTH; i++) {
        const int64_t row = i / WIDTH, x = row < n ? row : row - 2 * n;
        const double dx = j->c->spacing * (double)x, dy = j->c->spacing * (double)(task * WIDTH + i % WIDTH);
        const double q = 1.0 / (1.0 + dx * dx + dy * dy);
        s.of[0][i] = (float)q;
        s.of[1][i] = x > -n ? (float)(q * q * dx) : 0.0f;
    }
    transform_pair(j, &s, 0);
    store_columns(j, s.of[0], j->c->spectrum, task * WIDTH);
    store_columns(j, s.of[1], j->c->second, task * WIDTH);
}

/* The factor of a frequency that undoes two smoothings by splines, whose values at nodes are 1/6, 4/6, 1/6: that of the
 * points and that of the result. It also has the factor of the inverse transform. */
static double sharper(int64_t k, int64_t nodes)
{
    const double smoothed = (2.0 + cos(3.14159265358979323846 * (double)k / (double)nodes)) / 3.0;
    return 1.0 / (smoothed * smoothed * 2.0 * (double)nodes);
}

/* Along y, for some frequencies in x. Exchanging x and y turns q^2 dx into q^2 dy. */
static void kernel_rows(int64_t task, int worker, void *context)
{
    const job *j = context;
    crd_convolution *c = j->c;
    const strips s = strips_of(j, worker);
    const int64_t n = c->nodes, stride = c->spectrum_stride, frequency = task * WIDTH;
    for (int64_t y = 0; y < 2 * n; y++) {
        const int64_t from = (y < n ? y : 2 * n - y) * stride + frequency;
        memcpy(s.of[0] + y * WIDTH, c->spectrum + from, WIDTH * sizeof *c->spectrum);
        memcpy(s.of[1] + y * WIDTH, c->second + from, WIDTH * sizeof *c->second);
    }
    transform_pair(j, &s, 0);
    double of_x[WIDTH];
    for (int64_t x = 0; x < WIDTH; x++) of_x[x] = sharper(frequency + x, n);
    for (int64_t k = 0; k <= n; k++) {
        const double of_y = sharper(k, n);
        for (int64_t x = 0; x < WIDTH; x++) {
            const float push = (float)(of_x[x] * of_y * (double)s.of[1][k * WIDTH + x]);
            c->potential[k * stride + frequency + x] = (float)(of_x[x] * of_y * (double)s.of[0][k * WIDTH + x]);
            c->push_y[k * stride + frequency + x] = push;
            if (frequency + x > n) continue;
            c->push_x[(frequency + x) * stride + k] = push;
            if (k > 0) c->push_x[(frequency + x) * stride + 2 * n - k] = push;
        }
    }
}

void crd_convolution_space(crd_convolution *c, double spacing, const crd_kernels *kernels, crd_team *team)
{
    job j = {kernels, c};
    c->spacing = spacing;
    crd_parallel_tasks(team, c->stride / WIDTH, kernel_columns, &j);
    crd_parallel_tasks(team, c->spectrum_stride / WIDTH, kernel_rows, &j);
}

/* ---- life ---- */

crd_status crd_convolution_open(crd_convolution *c, int64_t nodes, double spacing, const crd_kernels *kernels,
                                crd_team *team, crd_error *error)
{
    const int64_t pair = 2 * WIDTH;
    *c = (crd_convolution){.nodes = nodes,
                           .stride = (nodes / pair + 1) * pair, /* there is a distance more than there are nodes */
                           .spectrum_stride = (2 * nodes + pair - 1) / pair * pair};
    float **const grids[] = {&c->grid, &c->force_y}, **const spectra[] = {&c->spectrum, &c->second};
    float **const tables[] = {&c->potential, &c->push_x, &c->push_y};
    for (int i = 0; i < 2; i++) CRD_PLAN(&c->arrays, grids[i], nodes * c->stride);
    for (int i = 0; i < 2; i++) CRD_PLAN_ZERO(&c->arrays, spectra[i], c->stride * c->spectrum_stride);
    for (int i = 0; i < 3; i++) CRD_PLAN_ZERO(&c->arrays, tables[i], (nodes + 1) * c->spectrum_stride);
    CRD_PLAN(&c->arrays, &c->partial, c->spectrum_stride / pair);
    CRD_PLAN(&c->arrays, &c->strips, crd_team_size(team) * STRIPS * 2 * nodes * WIDTH);
    crd_status status = crd_fft_open(&c->plan, 2 * nodes, error);
    if (status == CRD_OK) status = crd_plan_allocate(&c->arrays, error);
    if (status == CRD_OK) crd_convolution_space(c, spacing, kernels, team);
    else crd_convolution_close(c);
    return status;
}

void crd_convolution_close(crd_convolution *c)
{
    crd_fft_close(&c->plan);
    crd_plan_free(&c->arrays);
    *c = (crd_convolution){0};
}
