/* SPDX-License-Identifier: MIT */
/* Activations followed by dropout, and their derivatives; steps of the optimiser. */
#include "base/random.h"
#include "kernels/hot/all.h"
#include "kernels/hot/vector.h"

/* 32 bits for a column of a row: murmur3's finaliser, which vectorises. */
static inline uint32_t column_bits(uint32_t row_key, uint32_t column)
{
    uint32_t h = row_key ^ (column * UINT32_C(0x9e3779b9));
    h ^= h >> 16;
    h *= UINT32_C(0x85ebca6b);
    h ^= h >> 13;
    h *= UINT32_C(0xc2b2ae35);
    h ^= h >> 16;
    return h;
}

typedef struct {
    bool active;
    uint32_t threshold; /* bits at or above it are kept */
    float scale;
} drop;

static drop drop_start(crd_dropout dropout)
{
    drop d = {dropout.rate > 0.0, (uint32_t)(dropout.rate * 4294967296.0), (float)(1.0 / (1.0 - dropout.rate))};
    return d;
}

static void drop_row(const drop *d, uint64_t key, int64_t row, int64_t width, float *x)
{
    const uint32_t row_key = (uint32_t)(crd_hash(key, (uint64_t)row) >> 32);
    for (int64_t j = 0; j < width; j++)
        x[j] = column_bits(row_key, (uint32_t)j) >= d->threshold ? x[j] * d->scale : 0.0f;
}

/* (erf x, exp(-x^2)), error below 2e-7: a polynomial if |x| < 1, else 1 - exp(-x^2) P(1/x^2)/x, both from Cephes. */
typedef struct {
    vec erf, exp;
} error_function;

static const float NEAR[] = {7.853861353153693e-5f,  -8.010193625184903e-4f, 5.188327685732524e-3f,
                             -2.685381193529856e-2f, 1.128358514861418e-1f,  -3.761262582423300e-1f,
                             1.128379165726710f};
static const float MIDDLE[] = {2.326819970068386e-2f,  -1.387039388740657e-1f, 3.687424674597105e-1f,
                               -5.824733027278666e-1f, 6.210004621745983e-1f,  -4.944515323274145e-1f,
                               3.404879937665872e-1f,  -2.741127028184656e-1f, 5.638259427386472e-1f};
static const float FAR[] = {-1.047766399936249e+1f, 1.297719955372516e+1f, -7.495518717768503f,
                            2.921019019210786f,     -1.015265279202700f,   4.218463358204948e-1f,
                            -2.820767439740514e-1f, 5.641895067754075e-1f};

INLINE error_function error_function_of(vec x)
{
    const vec size = vec_select(x < 0.0f, -x, x);
    const vec square = x * x;
    const vec near = VEC_POLYNOMIAL(NEAR, square);
    const vec inverse = 1.0f / vec_select(size < 1.0f, vec_set(1.0f), size), y = inverse * inverse;
    const vec middle = VEC_POLYNOMIAL(MIDDLE, y), far = VEC_POLYNOMIAL(FAR, y);
    error_function e;
    e.exp = vec_exp(-vec_select(square < 80.0f, square, vec_set(80.0f)));
    const vec rest = e.exp * inverse * vec_select(size < 2.0f, middle, far);
    const vec beyond = vec_select(x < 0.0f, rest - 1.0f, 1.0f - rest);
    e.erf = vec_select(size < 1.0f, x * near, beyond);
    return e;
}

static const float SQRT_HALF = 0.70710678118654752f;
static const float INV_SQRT_2PI = 0.39894228040143268f;

/* exp(-|x|), for any |x|. */
INLINE vec exp_of_minus_size(vec x)
{
    const vec size = vec_select(x < 0.0f, -x, x);
    return vec_exp(-vec_select(size < 80.0f, size, vec_set(80.0f)));
}

/* 1/(1 + exp(-x)) */
INLINE vec sigmoid(vec x)
{
    const vec e = exp_of_minus_size(x);
    return vec_select(x < 0.0f, e, vec_set(1.0f)) / (1.0f + e);
}

INLINE vec value_of(crd_activation activation, vec x)
{
    const vec zero = vec_set(0.0f), one = vec_set(1.0f);
    switch (activation) {
    case CRD_ACT_RELU:
        return vec_select(x > 0.0f, x, zero);
    case CRD_ACT_GELU:
        return 0.5f * x * (1.0f + error_function_of(x * SQRT_HALF).erf);
    case CRD_ACT_LOGSIGMOID:
        return vec_select(x < 0.0f, x, zero) - vec_log1p(exp_of_minus_size(x));
    case CRD_ACT_HARDTANH:
        return vec_select(x > 1.0f, one, vec_select(x < -1.0f, -one, x));
    case CRD_ACT_SIGMOID:
        return sigmoid(x);
    case CRD_ACT_LINEAR:
        break;
    }
    return x;
}

/* g times the slope at x */
INLINE vec gradient_of(crd_activation activation, vec x, vec g)
{
    const vec zero = vec_set(0.0f);
    switch (activation) {
    case CRD_ACT_RELU:
        return vec_select(x > 0.0f, g, zero);
    case CRD_ACT_GELU: {
        const error_function e = error_function_of(x * SQRT_HALF);
        return g * (0.5f * (1.0f + e.erf) + x * INV_SQRT_2PI * e.exp);
    }
    case CRD_ACT_LOGSIGMOID:
        return g * sigmoid(-x);
    case CRD_ACT_HARDTANH:
        return vec_select((x > -1.0f) & (x < 1.0f), g, zero);
    case CRD_ACT_SIGMOID: {
        const vec s = sigmoid(x);
        return g * s * (1.0f - s);
    }
    case CRD_ACT_LINEAR:
        break;
    }
    return g;
}

/* out = act(x), or with `back` out *= the slope at x, for an activation that is known at compile time. */
INLINE void row_of(crd_activation activation, bool back, const float *x, int64_t width, float *out)
{
    int64_t j = 0;
    for (; j + LANES <= width; j += LANES) {
        const vec at = vec_load(x + j);
        vec_store(out + j, back ? gradient_of(activation, at, vec_load(out + j)) : value_of(activation, at));
    }
    if (j == width) return;
    const int64_t left = width - j;
    const vec at = vec_load_lanes(x + j, left);
    const vec rest = back ? gradient_of(activation, at, vec_load_lanes(out + j, left)) : value_of(activation, at);
    vec_store_lanes(out + j, rest, left);
}

INLINE void activate_row(crd_activation activation, bool back, const float *x, int64_t width, float *out)
{
    switch (activation) {
    case CRD_ACT_RELU:
        row_of(CRD_ACT_RELU, back, x, width, out);
        break;
    case CRD_ACT_GELU:
        row_of(CRD_ACT_GELU, back, x, width, out);
        break;
    case CRD_ACT_LOGSIGMOID:
        row_of(CRD_ACT_LOGSIGMOID, back, x, width, out);
        break;
    case CRD_ACT_HARDTANH:
        row_of(CRD_ACT_HARDTANH, back, x, width, out);
        break;
    case CRD_ACT_SIGMOID:
        row_of(CRD_ACT_SIGMOID, back, x, width, out);
        break;
    case CRD_ACT_LINEAR:
        row_of(CRD_ACT_LINEAR, back, x, width, out);
        break;
    }
}

void CRD_NAME(activate)(int64_t begin, int64_t end, crd_activation activation, crd_dropout dropout, const float *x,
                        int64_t width, float *out)
{
    const drop d = drop_start(dropout);
    for (int64_t i = begin; i < end; i++) {
        float *row = out + (i - begin) * width;
        activate_row(activation, false, x + i * width, width, row);
        if (d.active) drop_row(&d, dropout.key, i, width, row);
    }
}

void CRD_NAME(activate_backward)(int64_t begin, int64_t end, crd_activation activation, crd_dropout dropout,
                                 const float *x, int64_t width, float *gradient)
{
    const drop d = drop_start(dropout);
    for (int64_t i = begin; i < end; i++) {
        float *row = gradient + (i - begin) * width;
        if (d.active) drop_row(&d, dropout.key, i, width, row);
        activate_row(activation, true, x + i * width, width, row);
    }
}

/* Adam, one parameter after the other. */

void CRD_NAME(adam)(int64_t begin, int64_t end, int64_t step, float rate, float decay, const float *gradient,
                    float *moment, float *square, float *value)
{
    const double b1 = 0.9, b2 = 0.999;
    const float beta1 = 0.9f, beta2 = 0.999f, rest1 = (float)(1.0 - b1), rest2 = (float)(1.0 - b2);
    const float size = (float)((double)rate / (1.0 - pow(b1, (double)step)));
    const float root = (float)sqrt(1.0 - pow(b2, (double)step)), epsilon = 1e-8f;
    for (int64_t i = begin; i < end; i++) {
        const float g = gradient[i] + decay * value[i];
        moment[i] = beta1 * moment[i] + rest1 * g;
        square[i] = beta2 * square[i] + rest2 * g * g;
        value[i] -= size * moment[i] / (sqrtf(square[i]) / root + epsilon);
    }
}
