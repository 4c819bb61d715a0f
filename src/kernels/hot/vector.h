/* SPDX-License-Identifier: MIT */
/* Vectors of floats and the functions on them.
 *
 * They use the vector extension of GCC and Clang, because plain loops leave accumulators in memory: with them in
 * registers, a product of a sparse row with a matrix runs about ten times faster. The same source serves every
 * instruction set; the compiler flags decide. */
#ifndef CRD_KERNELS_HOT_VECTOR_H
#define CRD_KERNELS_HOT_VECTOR_H

#include <math.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE__
#include <immintrin.h>
#endif

/* As many as a register holds: compilers keep larger vectors in memory. */
#ifdef __AVX512F__
#define LANES 16
#elif defined(__AVX__)
#define LANES 8
#else
#define LANES 4
#endif

typedef float vec __attribute__((vector_size(LANES * 4)));
typedef float loose_vec __attribute__((vector_size(LANES * 4), aligned(4))); /* for memory with less alignment */
typedef int32_t ivec __attribute__((vector_size(LANES * 4)));

#define INLINE static inline __attribute__((always_inline))

INLINE vec vec_load(const float *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void vec_store(float *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

INLINE vec vec_set(float x)
{
    return (vec){0} + x;
}

/* The first lanes only; the others are 0, or are not stored. */
INLINE vec vec_load_lanes(const float *p, int64_t lanes)
{
    vec v = vec_set(0.0f);
    for (int64_t l = 0; l < lanes; l++) v[l] = p[l];
    return v;
}

INLINE void vec_store_lanes(float *p, vec v, int64_t lanes)
{
    for (int64_t l = 0; l < lanes; l++) p[l] = v[l];
}

/* mask lanes are 0 or -1, as comparisons give them */
INLINE vec vec_select(ivec mask, vec yes, vec no)
{
    return (vec)((mask & (ivec)yes) | (~mask & (ivec)no));
}

/* One bit per lane of a mask. x86 has an instruction for it, which compilers do not find. */
INLINE uint32_t vec_bits(ivec mask)
{
#if defined(__AVX512DQ__)
    return (uint32_t)_mm512_movepi32_mask((__m512i)mask);
#elif defined(__AVX__)
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
#elif defined(__SSE__)
    return (uint32_t)_mm_movemask_ps((__m128)mask);
#else
    uint32_t bits = 0;
    for (int l = 0; l < LANES; l++) bits |= (uint32_t)(mask[l] & 1) << l;
    return bits;
#endif
}

INLINE vec vec_sqrt(vec x)
{
    vec r;
    for (int l = 0; l < LANES; l++) r[l] = sqrtf(x[l]);
    return r;
}

/* x y - rounded, exactly, where rounded is x y as a float. */
INLINE vec vec_product_error(vec x, vec y, vec rounded)
{
    vec error;
    for (int l = 0; l < LANES; l++)
#ifdef __FP_FAST_FMAF
        error[l] = __builtin_fmaf(x[l], y[l], -rounded[l]);
#else
        error[l] = (float)((double)x[l] * (double)y[l] - (double)rounded[l]);
#endif
    return error;
}

INLINE float vec_sum(vec x)
{
    float sum = 0.0f;
    for (int l = 0; l < LANES; l++) sum += x[l];
    return sum;
}

/* The polynomial whose coefficients are given from the highest power down. */
INLINE vec vec_polynomial(const float *coefficient, int count, vec x)
{
    vec p = vec_set(coefficient[0]);
    for (int i = 1; i < count; i++) p = p * x + coefficient[i];
    return p;
}
#define VEC_POLYNOMIAL(coefficients, x)                                                                                \
    vec_polynomial(coefficients, (int)(sizeof(coefficients) / sizeof *(coefficients)), x)

/* log x for positive normal x, error below 1.5 units in the last place: the mantissa is moved to
 * [sqrt(1/2), sqrt 2) and log(1 + f) approximated by f - f^2/2 + f^3 P(f), with Cephes' coefficients. */
INLINE vec vec_log(vec x)
{
    ivec bits = (ivec)x;
    ivec exponent = ((bits >> 23) & 0xff) - 126;
    vec m = (vec)((bits & 0x007fffff) | 0x3f000000); /* [0.5, 1) */
    ivec small = m < 0.70710678f;
    exponent += small;
    vec f = vec_select(small, m + m, m) - 1.0f;
    vec e = __builtin_convertvector(exponent, vec);
    vec z = f * f;
    static const float tail[] = {7.0376836292e-2f,  -1.1514610310e-1f, 1.1676998740e-1f,
                                 -1.2420140846e-1f, 1.4249322787e-1f,  -1.6668057665e-1f,
                                 2.0000714765e-1f,  -2.4999993993e-1f, 3.3333331174e-1f};
    vec p = VEC_POLYNOMIAL(tail, f);
    p = p * f * z;
    p += e * -2.12194440e-4f;
    p -= 0.5f * z;
    return f + p + e * 0.693359375f;
}

/* log(1 + x) for x > -1; corrects the rounding of 1 + x. */
INLINE vec vec_log1p(vec x)
{
    vec u = 1.0f + x;
    return vec_log(u) + (x - (u - 1.0f)) / u;
}

/* exp x for |x| < 87, error below 2 units in the last place: x = n log 2 + r, exp r by Cephes' polynomial. */
INLINE vec vec_exp(vec x)
{
    vec shifted = x * 1.44269504088896341f + 12582912.0f; /* 1.5 * 2^23: rounds to the nearest integer */
    vec n = shifted - 12582912.0f;
    vec r = x - n * 0.693359375f;
    r = r + n * 2.12194440e-4f;
    static const float tail[] = {1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f,
                                 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f};
    vec p = VEC_POLYNOMIAL(tail, r);
    p = p * r * r + r + 1.0f;
    ivec power = (__builtin_convertvector(n, ivec) + 127) << 23;
    return p * (vec)power;
}

#endif
