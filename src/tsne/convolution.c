#include "tsne/convolution.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- Fourier transforms ---- */

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

crd_strip crd_fft_run(const crd_fft *plan, const crd_kernels *kernels, crd_strip from, crd_strip spare)
{
    kernels->fft(plan, from.re, from.im, spare.re, spare.im);
    return plan->passes % 2 == 0 ? from : spare;
}

crd_strip crd_fft_run_back(const crd_fft *plan, const crd_kernels *kernels, crd_strip from, crd_strip spare)
{
    kernels->fft(plan, from.im, from.re, spare.im, spare.re);
    return plan->passes % 2 == 0 ? from : spare;
}

/* ---- the grid ---- */

enum { WIDTH = CRD_FFT_WIDTH };

struct crd_worker {
    float *memory;
    crd_strip strip[3];
};

typedef struct loop {
    crd_convolution *c;
    const crd_kernels *kernels;
    void (*work)(crd_convolution *c, const crd_kernels *kernels, crd_worker *worker, int64_t strip);
    int64_t strips;
    atomic_int_fast64_t next;
} loop;

static void take_strips(int64_t begin, int64_t end, void *context)
{
    loop *l = context;
    for (int64_t d = begin; d < end; d++)
        for (;;) {
            const int64_t strip = atomic_fetch_add(&l->next, 1);
            if (strip >= l->strips) break;
            l->work(l->c, l->kernels, &l->c->worker[d], strip);
        }
}

/* Strips are independent, so it does not matter which worker takes which. */
static void for_strips(crd_convolution *c, const crd_kernels *kernels, crd_team *team, int64_t strips,
                       void (*work)(crd_convolution *, const crd_kernels *, crd_worker *, int64_t))
{
    loop l = {.c = c, .kernels = kernels, .work = work, .strips = strips};
    atomic_store(&l.next, 0);
    crd_parallel_rows(team, c->workers, 1, take_strips, &l);
}

static int64_t whole(int64_t count)
{
    return (count + WIDTH - 1) / WIDTH * WIDTH;
}

/* The mirror place of frequency or distance k in a period; k itself if there is none. */
static int64_t mirrored(int64_t k, int64_t period)
{
    return k == 0 ? 0 : period - k;
}

static void clear_rows(crd_strip strip, int64_t from, int64_t to)
{
    memset(strip.re + from * WIDTH, 0, (size_t)((to - from) * WIDTH) * sizeof *strip.re);
    memset(strip.im + from * WIDTH, 0, (size_t)((to - from) * WIDTH) * sizeof *strip.im);
}

/* ---- the three steps of a run ---- */

static void forward_columns(crd_convolution *c, const crd_kernels *kernels, crd_worker *worker, int64_t strip)
{
    const int64_t n = c->nodes, period = 2 * n, column = strip * WIDTH, stride = c->spectrum_stride;
    const crd_strip in = worker->strip[0];
    for (int64_t y = 0; y < n; y++) {
        memcpy(in.re + y * WIDTH, c->charge + y * c->stride + column, WIDTH * sizeof *in.re);
        memcpy(in.im + y * WIDTH, c->charge + y * c->stride + column + c->half, WIDTH * sizeof *in.im);
    }
    clear_rows(in, n, period);
    const crd_strip out = crd_fft_run(&c->plan, kernels, in, worker->strip[1]);
    for (int64_t from = 0; from <= n; from += WIDTH)
        for (int64_t j = 0; j < WIDTH; j++) {
            float *one_re = c->first.re + (column + j) * stride, *one_im = c->first.im + (column + j) * stride;
            float *two_re = one_re + c->half * stride, *two_im = one_im + c->half * stride;
            for (int64_t k = from; k < from + WIDTH && k <= n; k++) {
                const int64_t a = k * WIDTH + j, b = mirrored(k, period) * WIDTH + j;
                one_re[k] = 0.5f * (out.re[a] + out.re[b]);
                one_im[k] = 0.5f * (out.im[a] - out.im[b]);
                two_re[k] = 0.5f * (out.im[a] + out.im[b]);
                two_im[k] = 0.5f * (out.re[b] - out.re[a]);
            }
        }
}

/* What a strip of frequencies adds to the sum of g_i g_j q_ij, by Parseval: all but the first and the last frequency
 * also count for their mirror images. */
static double energy(const crd_convolution *c, crd_strip spectrum, int64_t frequency)
{
    const int64_t n = c->nodes, period = 2 * n;
    double sum[WIDTH] = {0};
    for (int64_t k = 0; k < period; k++) {
        const float *re = spectrum.re + k * WIDTH, *im = spectrum.im + k * WIDTH;
        const float *potential = c->potential + (k <= n ? k : period - k) * c->spectrum_stride + frequency;
        for (int j = 0; j < WIDTH; j++) sum[j] += (double)((re[j] * re[j] + im[j] * im[j]) * potential[j]);
    }
    double total = 0.0;
    for (int64_t j = 0; j < WIDTH && frequency + j <= n; j++)
        total += (frequency + j == 0 || frequency + j == n ? 1.0 : 2.0) * sum[j];
    return total;
}

/* spectrum * i * a real spectrum. `push` has the first half of that; the other half is its mirror image, negated if
 * it is odd. */
static void multiply(const crd_convolution *c, crd_strip spectrum, const float *push, bool odd, int64_t frequency,
                     crd_strip product)
{
    const int64_t n = c->nodes, period = 2 * n;
    for (int64_t k = 0; k < period; k++) {
        const float *factor = push + (k <= n ? k : period - k) * c->spectrum_stride + frequency;
        const float sign = odd && k > n ? -1.0f : 1.0f;
        const float *re = spectrum.re + k * WIDTH, *im = spectrum.im + k * WIDTH;
        float *out_re = product.re + k * WIDTH, *out_im = product.im + k * WIDTH;
        for (int j = 0; j < WIDTH; j++) {
            const float by = sign * factor[j];
            out_re[j] = -im[j] * by;
            out_im[j] = re[j] * by;
        }
    }
}

static void across_rows(crd_convolution *c, const crd_kernels *kernels, crd_worker *worker, int64_t strip)
{
    const int64_t n = c->nodes, frequency = strip * WIDTH, stride = c->spectrum_stride;
    const crd_strip in = worker->strip[0];
    for (int64_t x = 0; x < n; x++) {
        memcpy(in.re + x * WIDTH, c->first.re + x * stride + frequency, WIDTH * sizeof *in.re);
        memcpy(in.im + x * WIDTH, c->first.im + x * stride + frequency, WIDTH * sizeof *in.im);
    }
    clear_rows(in, n, 2 * n);
    const crd_strip spectrum = crd_fft_run(&c->plan, kernels, in, worker->strip[1]);
    const crd_strip spare = spectrum.re == in.re ? worker->strip[1] : in;
    c->partial[strip] = energy(c, spectrum, frequency);
    const float *const push[] = {c->push_x, c->push_y};
    const crd_strip to[] = {c->first, c->second};
    for (int axis = 0; axis < 2; axis++) {
        multiply(c, spectrum, push[axis], axis == 0, frequency, worker->strip[2]);
        const crd_strip out = crd_fft_run_back(&c->plan, kernels, worker->strip[2], spare);
        for (int64_t x = 0; x < n; x++) {
            memcpy(to[axis].re + x * stride + frequency, out.re + x * WIDTH, WIDTH * sizeof *out.re);
            memcpy(to[axis].im + x * stride + frequency, out.im + x * WIDTH, WIDTH * sizeof *out.im);
        }
    }
}

static void back_columns(crd_convolution *c, const crd_kernels *kernels, crd_worker *worker, int64_t strip)
{
    const int64_t n = c->nodes, period = 2 * n, column = strip * WIDTH, stride = c->spectrum_stride;
    const crd_strip in = worker->strip[0];
    for (int64_t from = 0; from <= n; from += WIDTH)
        for (int64_t j = 0; j < WIDTH; j++) {
            const int64_t row = (column + j) * stride;
            const float *x_re = c->first.re + row, *x_im = c->first.im + row;
            const float *y_re = c->second.re + row, *y_im = c->second.im + row;
            for (int64_t k = from; k < from + WIDTH && k <= n; k++) {
                const int64_t a = k * WIDTH + j, b = mirrored(k, period) * WIDTH + j;
                in.re[b] = x_re[k] + y_im[k];
                in.im[b] = y_re[k] - x_im[k];
                in.re[a] = x_re[k] - y_im[k];
                in.im[a] = y_re[k] + x_im[k];
            }
        }
    const crd_strip out = crd_fft_run_back(&c->plan, kernels, in, worker->strip[1]);
    for (int64_t y = 0; y < n; y++) {
        memcpy(c->force_x + y * c->stride + column, out.re + y * WIDTH, WIDTH * sizeof *out.re);
        memcpy(c->force_y + y * c->stride + column, out.im + y * WIDTH, WIDTH * sizeof *out.im);
    }
}

double crd_convolution_run(crd_convolution *c, const crd_kernels *kernels, crd_team *team)
{
    const int64_t strips = c->spectrum_stride / WIDTH;
    for_strips(c, kernels, team, c->half / WIDTH, forward_columns);
    for_strips(c, kernels, team, strips, across_rows);
    for_strips(c, kernels, team, whole(c->nodes) / WIDTH, back_columns);
    double total = 0.0;
    for (int64_t s = 0; s < strips; s++) total += c->partial[s];
    return total;
}

/* ---- the kernels' spectra ---- */

/* Along x: q and q^2 dy, both even, are the real and imaginary parts, and so are their spectra. Their rows become
 * columns. */
static void kernel_columns(crd_convolution *c, const crd_kernels *kernels, crd_worker *worker, int64_t strip)
{
    const int64_t n = c->nodes, period = 2 * n, distance = strip * WIDTH, stride = c->spectrum_stride;
    const crd_strip in = worker->strip[0];
    for (int64_t x = 0; x < period; x++)
        for (int64_t j = 0; j < WIDTH; j++) {
            const double dx = c->spacing * (double)(x <= n ? x : period - x);
            const double dy = c->spacing * (double)(distance + j), q = 1.0 / (1.0 + dx * dx + dy * dy);
            in.re[x * WIDTH + j] = (float)q;
            in.im[x * WIDTH + j] = distance + j < n ? (float)(q * q * dy) : 0.0f;
        }
    const crd_strip out = crd_fft_run(&c->plan, kernels, in, worker->strip[1]);
    for (int64_t j = 0; j < WIDTH && distance + j <= n; j++)
        for (int64_t k = 0; k < stride; k++) {
            c->first.re[(distance + j) * stride + k] = k <= n ? out.re[k * WIDTH + j] : 0.0f;
            c->first.im[(distance + j) * stride + k] = k <= n ? out.im[k * WIDTH + j] : 0.0f;
        }
}

/* 1 / the squared spectrum of a spline's values at nodes: 1/6, 4/6, 1/6. */
static double sharper(int64_t k, int64_t nodes)
{
    const double smoothed = (2.0 + cos(3.14159265358979323846 * (double)k / (double)nodes)) / 3.0;
    return 1.0 / (smoothed * smoothed);
}

/* Along y: the first is even and has a real spectrum. The other is odd, and its spectrum is i times something real
 * and odd; because it is the imaginary part, it ends up in the real part, negated. */
static void kernel_rows(crd_convolution *c, const crd_kernels *kernels, crd_worker *worker, int64_t strip)
{
    const int64_t n = c->nodes, period = 2 * n, frequency = strip * WIDTH, stride = c->spectrum_stride;
    const crd_strip in = worker->strip[0];
    for (int64_t y = 0; y < period; y++)
        for (int64_t j = 0; j < WIDTH; j++) {
            const int64_t from = (y <= n ? y : period - y) * stride + frequency + j;
            in.re[y * WIDTH + j] = c->first.re[from];
            in.im[y * WIDTH + j] = y <= n ? c->first.im[from] : -c->first.im[from];
        }
    const crd_strip out = crd_fft_run(&c->plan, kernels, in, worker->strip[1]);
    for (int64_t k = 0; k <= n; k++)
        for (int64_t j = 0; j < WIDTH && frequency + j <= n; j++) {
            /* Half of a sum or difference, and 1 / the number of nodes for the inverse transform. */
            const double scale = 0.5 / (double)(period * period) * c->sharper[k] * c->sharper[frequency + j];
            const double here = (double)out.re[k * WIDTH + j];
            const double there = (double)out.re[mirrored(k, period) * WIDTH + j];
            c->potential[(frequency + j) * stride + k] = (float)(scale * (here + there));
            c->push_y[(frequency + j) * stride + k] = (float)(scale * (there - here));
            c->push_x[k * stride + frequency + j] = (float)(scale * (there - here));
        }
}

void crd_convolution_space(crd_convolution *c, double spacing, const crd_kernels *kernels, crd_team *team)
{
    c->spacing = spacing;
    const int64_t strips = c->spectrum_stride / WIDTH;
    for_strips(c, kernels, team, strips, kernel_columns);
    for_strips(c, kernels, team, strips, kernel_rows);
}

/* ---- life ---- */

crd_status crd_convolution_open(crd_convolution *c, int64_t nodes, double spacing, const crd_kernels *kernels,
                                crd_team *team, crd_error *error)
{
    *c = (crd_convolution){.nodes = nodes, .half = whole((nodes + 1) / 2), .spectrum_stride = whole(nodes + 1)};
    c->stride = 2 * c->half;
    c->workers = crd_team_size(team);
    const int64_t grid = nodes * c->stride, table = (nodes + 1) * c->spectrum_stride;
    const int64_t spectrum = (c->stride + WIDTH) * c->spectrum_stride, strip = 2 * nodes * WIDTH;
    crd_status status = crd_fft_open(&c->plan, 2 * nodes, error);
    float **const arrays[] = {&c->charge, &c->force_x, &c->force_y};
    for (int i = 0; i < 3 && status == CRD_OK; i++) status = CRD_NEW_ZERO(arrays[i], grid, error);
    float **const spectra[] = {&c->first.re, &c->first.im, &c->second.re, &c->second.im};
    for (int i = 0; i < 4 && status == CRD_OK; i++) status = CRD_NEW_ZERO(spectra[i], spectrum, error);
    float **const tables[] = {&c->potential, &c->push_x, &c->push_y};
    for (int i = 0; i < 3 && status == CRD_OK; i++) status = CRD_NEW_ZERO(tables[i], table, error);
    if (status == CRD_OK) status = CRD_NEW(&c->partial, c->spectrum_stride / WIDTH, error);
    if (status == CRD_OK) status = CRD_NEW(&c->sharper, nodes + 1, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&c->worker, c->workers, error);
    for (int d = 0; d < c->workers && status == CRD_OK; d++) {
        status = CRD_NEW(&c->worker[d].memory, 6 * strip, error);
        for (int i = 0; i < 3 && status == CRD_OK; i++)
            c->worker[d].strip[i] =
                (crd_strip){c->worker[d].memory + 2 * i * strip, c->worker[d].memory + (2 * i + 1) * strip};
    }
    for (int64_t k = 0; k <= nodes && status == CRD_OK; k++) c->sharper[k] = sharper(k, nodes);
    if (status == CRD_OK) crd_convolution_space(c, spacing, kernels, team);
    else crd_convolution_close(c);
    return status;
}

void crd_convolution_close(crd_convolution *c)
{
    crd_fft_close(&c->plan);
    free(c->charge);
    free(c->force_x);
    free(c->force_y);
    free(c->first.re);
    free(c->first.im);
    free(c->second.re);
    free(c->second.im);
    free(c->potential);
    free(c->push_x);
    free(c->push_y);
    free(c->partial);
    free(c->sharper);
    for (int d = 0; d < c->workers && c->worker != NULL; d++) free(c->worker[d].memory);
    free(c->worker);
    *c = (crd_convolution){0};
}
