/* Activations with dropout behind them, and their derivatives. */
#include "base/random.h"
#include "kernels/hot/all.h"
#include "kernels/hot/vector.h"

/* Thirty-two bits for a column of a row: murmur3's finaliser, which vectorises. */
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
    drop d = {dropout.rate > 0.0, (uint32_t)(dropout.rate * 4294967296.0),
              (float)(1.0 / (1.0 - dropout.rate))};
    return d;
}

static void drop_row(const drop *d, uint64_t key, int64_t row, int64_t width, float *x)
{
    const uint32_t row_key = (uint32_t)(crd_hash(key, (uint64_t)row) >> 32);
    for (int64_t j = 0; j < width; j++)
        x[j] = column_bits(row_key, (uint32_t)j) >= d->threshold ? x[j] * d->scale : 0.0f;
}

static const float SQRT_HALF = 0.70710678118654752f;
static const float INV_SQRT_2PI = 0.39894228040143268f;

static void value_row(crd_activation activation, const float *x, int64_t width, float *out)
{
    switch (activation) {
    case CRD_ACT_RELU:
        for (int64_t j = 0; j < width; j++) out[j] = x[j] > 0.0f ? x[j] : 0.0f;
        break;
    case CRD_ACT_GELU:
        for (int64_t j = 0; j < width; j++) out[j] = 0.5f * x[j] * (1.0f + erff(x[j] * SQRT_HALF));
        break;
    case CRD_ACT_LOGSIGMOID:
        for (int64_t j = 0; j < width; j++)
            out[j] = (x[j] < 0.0f ? x[j] : 0.0f) - log1pf(expf(-fabsf(x[j])));
        break;
    case CRD_ACT_HARDTANH:
        for (int64_t j = 0; j < width; j++) out[j] = x[j] > 1.0f ? 1.0f : x[j] < -1.0f ? -1.0f : x[j];
        break;
    case CRD_ACT_SIGMOID:
        for (int64_t j = 0; j < width; j++) out[j] = 1.0f / (1.0f + expf(-x[j]));
        break;
    case CRD_ACT_LINEAR:
        for (int64_t j = 0; j < width; j++) out[j] = x[j];
        break;
    }
}

static void gradient_row(crd_activation activation, const float *x, int64_t width, float *g)
{
    switch (activation) {
    case CRD_ACT_RELU:
        for (int64_t j = 0; j < width; j++) g[j] = x[j] > 0.0f ? g[j] : 0.0f;
        break;
    case CRD_ACT_GELU:
        for (int64_t j = 0; j < width; j++)
            g[j] *= 0.5f * (1.0f + erff(x[j] * SQRT_HALF)) +
                    x[j] * INV_SQRT_2PI * expf(-0.5f * x[j] * x[j]);
        break;
    case CRD_ACT_LOGSIGMOID:
        for (int64_t j = 0; j < width; j++) g[j] *= 1.0f / (1.0f + expf(x[j]));
        break;
    case CRD_ACT_HARDTANH:
        for (int64_t j = 0; j < width; j++) g[j] = x[j] > -1.0f && x[j] < 1.0f ? g[j] : 0.0f;
        break;
    case CRD_ACT_SIGMOID:
        for (int64_t j = 0; j < width; j++) {
            float s = 1.0f / (1.0f + expf(-x[j]));
            g[j] *= s * (1.0f - s);
        }
        break;
    case CRD_ACT_LINEAR:
        break;
    }
}

void CRD_NAME(activate)(int64_t begin, int64_t end, crd_activation activation, crd_dropout dropout,
                        const float *x, int64_t width, float *out)
{
    const drop d = drop_start(dropout);
    for (int64_t i = begin; i < end; i++) {
        value_row(activation, x + i * width, width, out + i * width);
        if (d.active) drop_row(&d, dropout.key, i, width, out + i * width);
    }
}

void CRD_NAME(activate_backward)(int64_t begin, int64_t end, crd_activation activation, crd_dropout dropout,
                                 const float *x, int64_t width, float *gradient)
{
    const drop d = drop_start(dropout);
    for (int64_t i = begin; i < end; i++) {
        if (d.active) drop_row(&d, dropout.key, i, width, gradient + i * width);
        gradient_row(activation, x + i * width, width, gradient + i * width);
    }
}
