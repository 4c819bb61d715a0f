/* The potential of all points of a map, on a grid, by Hartley transforms. They are like Fourier transforms, but real
 * numbers stay real, the inverse is the transform itself (up to a factor), and the convolution with an even kernel is
 * a product: the kernel here is even in both directions. */
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
    free(plan->factor);
    *plan = (crd_fft){0};
}

/* ---- strips: PAIR columns of `period` numbers, as two arrays of CRD_FFT_WIDTH columns ---- */

enum { WIDTH = CRD_FFT_WIDTH, PAIR = 2 * WIDTH };

typedef struct {
    const crd_kernels *kernels;
    crd_convolution *c;
} job;

/* The memory of one thread: a strip, then room for its transform. */
static float *strip_of(const job *j, int worker)
{
    return j->c->strips + worker * 4 * j->c->plan.length * WIDTH;
}

/* Each array's Hartley transform. */
static void transform(const job *j, float *strip)
{
    const int64_t size = j->c->plan.length * WIDTH;
    j->kernels->hartley(&j->c->plan, strip, strip + size, strip + 2 * size, strip + 3 * size);
}

/* The first `nodes` rows from or to an array that has them `stride` apart; the others are 0. */
static void load_rows(const job *j, const float *from, int64_t stride, float *strip)
{
    const int64_t used = j->c->nodes * WIDTH, size = j->c->plan.length * WIDTH;
    for (int half = 0; half < 2; half++, strip += size, from += WIDTH) {
        for (int64_t row = 0; row < j->c->nodes; row++)
            memcpy(strip + row * WIDTH, from + row * stride, WIDTH * sizeof *strip);
        memset(strip + used, 0, (size_t)(size - used) * sizeof *strip);
    }
}

static void store_rows(const job *j, const float *strip, float *to, int64_t stride)
{
    for (int half = 0; half < 2; half++, strip += j->c->plan.length * WIDTH, to += WIDTH)
        for (int64_t row = 0; row < j->c->nodes; row++)
            memcpy(to + row * stride, strip + row * WIDTH, WIDTH * sizeof *strip);
}

/* From or to the spectrum, where the strip's columns are rows; a square at a time, to stay in cache. */
static void transpose_strip(const job *j, bool to_spectrum, int64_t column, float *strip)
{
    const int64_t period = j->c->plan.length;
    for (int half = 0; half < 2; half++, strip += period * WIDTH, column += WIDTH)
        for (int64_t from = 0; from < period; from += WIDTH)
            for (int64_t x = 0; x < WIDTH; x++) {
                float *row = j->c->spectrum + (column + x) * j->c->spectrum_stride;
                for (int64_t k = from; k < from + WIDTH && k < period; k++)
                    if (to_spectrum) row[k] = strip[k * WIDTH + x];
                    else strip[k * WIDTH + x] = row[k];
            }
}

/* ---- the three steps of a run ---- */

static void forward_columns(int64_t task, int worker, void *context)
{
    const job *j = context;
    float *strip = strip_of(j, worker);
    load_rows(j, j->c->grid + task * PAIR, j->c->stride, strip);
    transform(j, strip);
    transpose_strip(j, true, task * PAIR, strip);
}

static void across_rows(int64_t task, int worker, void *context)
{
    const job *j = context;
    const int64_t period = j->c->plan.length, stride = j->c->spectrum_stride;
    float *strip = strip_of(j, worker);
    load_rows(j, j->c->spectrum + task * PAIR, stride, strip);
    transform(j, strip);
    for (int64_t half = 0; half < 2; half++)
        for (int64_t k = 0; k < period; k++) {
            const float *kernel =
                j->c->kernel + (k < period - k ? k : period - k) * stride + task * PAIR + half * WIDTH;
            float *at = strip + (half * period + k) * WIDTH;
            for (int x = 0; x < WIDTH; x++) at[x] *= kernel[x];
        }
    transform(j, strip);
    store_rows(j, strip, j->c->spectrum + task * PAIR, stride);
}

static void back_columns(int64_t task, int worker, void *context)
{
    const job *j = context;
    float *strip = strip_of(j, worker);
    transpose_strip(j, false, task * PAIR, strip);
    transform(j, strip);
    store_rows(j, strip, j->c->grid + task * PAIR, j->c->stride);
}

void crd_convolution_run(crd_convolution *c, const crd_kernels *kernels, crd_team *team)
{
    job j = {kernels, c};
    crd_parallel_tasks(team, c->stride / PAIR, forward_columns, &j);
    crd_parallel_tasks(team, c->spectrum_stride / PAIR, across_rows, &j);
    crd_parallel_tasks(team, c->stride / PAIR, back_columns, &j);
}

/* ---- the kernel's spectrum ---- */

/* Along x, for some distances in y. q - far = (farthest squared - distance squared) q far loses no digits. */
static void kernel_columns(int64_t task, int worker, void *context)
{
    const job *j = context;
    const crd_convolution *c = j->c;
    const int64_t period = c->plan.length;
    const double unit = c->spacing * c->spacing, farthest = 1.0 / c->far - 1.0;
    float *strip = strip_of(j, worker);
    for (int64_t i = 0; i < 2 * period * WIDTH; i++) {
        const int64_t row = i / WIDTH % period, x = row < period - row ? row : period - row;
        const int64_t y = task * PAIR + i / (period * WIDTH) * WIDTH + i % WIDTH;
        const double squared = unit * (double)(x * x + y * y);
        strip[i] = (float)((farthest - squared) * c->far / (1.0 + squared));
    }
    transform(j, strip);
    transpose_strip(j, true, task * PAIR, strip);
}

/* The factor of a frequency that undoes one smoothing by splines in points and one in the result: their values at
 * nodes are 1/6, 4/6, 1/6. It also has the factor of the inverse transform. */
static double sharper(int64_t k, int64_t nodes)
{
    const double smoothed = (2.0 + cos(3.14159265358979323846 * (double)k / (double)nodes)) / 3.0;
    return 1.0 / (smoothed * smoothed * 2.0 * (double)nodes);
}

/* Along y, for some frequencies in x. */
static void kernel_rows(int64_t task, int worker, void *context)
{
    const job *j = context;
    const crd_convolution *c = j->c;
    const int64_t period = c->plan.length, stride = c->spectrum_stride;
    float *strip = strip_of(j, worker);
    for (int64_t half = 0; half < 2; half++)
        for (int64_t y = 0; y < period; y++)
            memcpy(strip + (half * period + y) * WIDTH,
                   c->spectrum + (y < period - y ? y : period - y) * stride + task * PAIR + half * WIDTH,
                   WIDTH * sizeof *strip);
    transform(j, strip);
    double scale[PAIR];
    for (int64_t x = 0; x < PAIR; x++) scale[x] = sharper(task * PAIR + x, c->nodes);
    for (int64_t k = 0; k <= c->nodes; k++) {
        const double own = sharper(k, c->nodes);
        for (int64_t x = 0; x < PAIR; x++) {
            const float from = strip[(x / WIDTH * period + k) * WIDTH + x % WIDTH];
            c->kernel[k * stride + task * PAIR + x] = (float)(own * scale[x] * (double)from);
        }
    }
}

void crd_convolution_space(crd_convolution *c, double spacing, const crd_kernels *kernels, crd_team *team)
{
    const double widest = spacing * (double)c->nodes;
    job j = {kernels, c};
    c->spacing = spacing;
    c->far = 1.0 / (1.0 + 2.0 * widest * widest);
    crd_parallel_tasks(team, c->stride / PAIR, kernel_columns, &j);
    crd_parallel_tasks(team, c->spectrum_stride / PAIR, kernel_rows, &j);
}

/* ---- life ---- */

crd_status crd_convolution_open(crd_convolution *c, int64_t nodes, double spacing, const crd_kernels *kernels,
                                crd_team *team, crd_error *error)
{
    *c = (crd_convolution){.nodes = nodes,
                           .stride = (nodes / PAIR + 1) * PAIR, /* there is a distance more than there are nodes */
                           .spectrum_stride = (2 * nodes + PAIR - 1) / PAIR * PAIR};
    CRD_PLAN(&c->arrays, &c->grid, nodes * c->stride);
    CRD_PLAN_ZERO(&c->arrays, &c->spectrum, c->stride * c->spectrum_stride);
    CRD_PLAN(&c->arrays, &c->kernel, (nodes + 1) * c->spectrum_stride);
    CRD_PLAN(&c->arrays, &c->strips, crd_team_size(team) * 4 * 2 * nodes * WIDTH);
    crd_status status = crd_fft_open(&c->plan, 2 * nodes, error);
    if (status == CRD_OK) status = crd_plan_allocate(&c->arrays, error);
    if (status != CRD_OK) {
        crd_convolution_close(c);
        return status;
    }
    crd_convolution_space(c, spacing, kernels, team);
    return CRD_OK;
}

void crd_convolution_close(crd_convolution *c)
{
    crd_fft_close(&c->plan);
    crd_plan_free(&c->arrays);
    *c = (crd_convolution){0};
}
