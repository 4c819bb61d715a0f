/* SPDX-License-Identifier: MIT */
/* Vectors of doubles, half as many lanes, and the functions of the gamma family on them. */
#ifndef CRD_KERNELS_HOT_WIDE_H
#define CRD_KERNELS_HOT_WIDE_H

#include "kernels/hot/vector.h"

enum { WIDE_LANES = LANES / 2 };

typedef double wide __attribute__((vector_size(LANES * 4)));
typedef int64_t wide_bits __attribute__((vector_size(LANES * 4)));

INLINE wide wide_load(const double *p)
{
    wide v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void wide_store(double *p, wide v)
{
    memcpy(p, &v, sizeof v);
}

INLINE wide wide_of_floats(const float *p)
{
    typedef float half __attribute__((vector_size(LANES * 2)));
    half v;
    memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, wide);
}

/* mask lanes are 0 or -1, as comparisons give them */
INLINE wide wide_select(wide_bits mask, wide yes, wide no)
{
    return (wide)((mask & (wide_bits)yes) | (~mask & (wide_bits)no));
}

/* log x for positive normal x, error below one unit in the last place or 1e-16: with x = 2^n m, m in
 * [sqrt(1/2), sqrt 2) and s = (m - 1)/(m + 1), log m = 2 s + 2/3 s^3 + ..., the series' tail as a minimax
 * polynomial (fdlibm's). */
INLINE wide wide_log(wide x)
{
    const wide_bits bits = (wide_bits)x;
    /* The exponent of m is 0 or -1: adding the difference between sqrt(1/2) and 1 carries into it if m is large. NaN
     * may overflow, so the numbers are unsigned. */
    typedef uint64_t unsigned_bits __attribute__((vector_size(LANES * 4)));
    const wide_bits moved = (wide_bits)((unsigned_bits)bits + (0x3ff0000000000000 - 0x3fe6a09e667f3bcd));
    const wide_bits power = (moved >> 52) - 1023;
    const wide m = (wide)((moved & 0x000fffffffffffff) + 0x3fe6a09e667f3bcd);
    /* Converts an integer below 2^51 to a double by adding it to the last bits of 1.5 * 2^52. */
    const wide n = (wide)(power + 0x4338000000000000) - 6755399441055744.0;
    const wide f = m - 1.0, s = f / (2.0 + f), z = s * s;
    wide r = 1.479819860511658591e-01 + (wide){0};
    r = r * z + 1.531383769920937332e-01;
    r = r * z + 1.818357216161805012e-01;
    r = r * z + 2.222219843214978396e-01;
    r = r * z + 2.857142874366239149e-01;
    r = r * z + 3.999999999940941908e-01;
    r = r * z + 6.666666666666735130e-01;
    r *= z;
    const wide half = 0.5 * f * f;
    return n * 6.93147180369123816490e-01 - ((half - (s * (half + r) + n * 1.90821492927058770002e-10)) - f);
}

/* exp x, error below one unit in the last place: x = n log 2 + r, exp r by fdlibm's rational function. Below
 * -708 it is exp(-708), a number that is still normal; above 709 infinite. */
INLINE wide wide_exp(wide x)
{
    const wide least = wide_select(x < -708.0, (wide){0} - 708.0, x);
    const wide at = wide_select(x > 709.0, (wide){0} + 709.0, least);
    /* 1.5 * 2^52 rounds to the nearest integer, whose last bits are then those of the sum. */
    const wide shifted = at * 1.44269504088896338700 + 6755399441055744.0, n = shifted - 6755399441055744.0;
    const wide high = at - n * 6.93147180369123816490e-01, low = n * 1.90821492927058770002e-10;
    const wide r = high - low, t = r * r;
    wide p = 4.13813679705723846039e-08 + (wide){0};
    p = p * t - 1.65339022054652515390e-06;
    p = p * t + 6.61375632143793436117e-05;
    p = p * t - 2.77777777770155933842e-03;
    p = p * t + 1.66666666666666019037e-01;
    const wide c = r - t * p, y = 1.0 - ((low - r * c / (2.0 - c)) - high);
    const wide scaled = (wide)((wide_bits)y + ((wide_bits)shifted << 52));
    return wide_select(x > 709.0, (wide){0} + (double)INFINITY, scaled);
}

/* For x >= 1 both are computed at x + 7, where the asymptotic series is exact to 1e-15. The difference is the
 * derivative of -log P, P = x (x + 1) ... (x + 6): one division instead of seven. */
typedef struct {
    wide p, first, second; /* P, P', P'' */
} rising;

INLINE rising rising_of(wide x)
{
    rising r;
    r.p = x * (720.0 + x * (1764.0 + x * (1624.0 + x * (735.0 + x * (175.0 + x * (21.0 + x))))));
    r.first = 720.0 + x * (3528.0 + x * (4872.0 + x * (2940.0 + x * (875.0 + x * (126.0 + x * 7.0)))));
    r.second = 3528.0 + x * (9744.0 + x * (8820.0 + x * (3500.0 + x * (630.0 + x * 42.0))));
    return r;
}

/* The tails of the asymptotic series of digamma and trigamma at 1/sqrt(s). */
INLINE wide digamma_tail(wide s)
{
    return s * (1.0 / 12 -
                s * (1.0 / 120 -
                     s * (1.0 / 252 - s * (1.0 / 240 - s * (1.0 / 132 - s * (691.0 / 32760 - s * (1.0 / 12)))))));
}

INLINE wide trigamma_tail(wide s)
{
    return s * (1.0 / 6 -
                s * (1.0 / 30 - s * (1.0 / 42 - s * (1.0 / 30 - s * (5.0 / 66 - s * (691.0 / 2730 - s * (7.0 / 6)))))));
}

INLINE wide wide_digamma(wide x)
{
    const rising p = rising_of(x);
    const wide y = x + 7.0, r = 1.0 / y, s = r * r;
    return wide_log(y) - 0.5 * r - digamma_tail(s) - p.first / p.p;
}

INLINE wide wide_trigamma(wide x)
{
    const rising p = rising_of(x);
    const wide y = x + 7.0, r = 1.0 / y, s = r * r, inverse = 1.0 / p.p;
    const wide first = p.first * inverse;
    return r + 0.5 * s + r * trigamma_tail(s) + (first * first - p.second * inverse);
}

/* log Gamma and its first two derivatives for any x >= 1 (no upper limit, unlike the two above), errors below 1e-14
 * (1 + |value|), for trigamma relative to it: the series as above, at x + 7 if x < 10. */
typedef struct {
    wide log, digamma, trigamma;
} wide_gamma;

INLINE wide_gamma wide_gamma_of(wide x)
{
    const wide_bits small = x < 10.0;
    const rising p = rising_of(wide_select(small, x, (wide){0} + 1.0));
    const wide inverse = 1.0 / p.p, first = p.first * inverse;
    const wide y = wide_select(small, x + 7.0, x), log_y = wide_log(y), r = 1.0 / y, s = r * r;
    const wide log_tail =
        r * (1.0 / 12 -
             s * (1.0 / 360 -
                  s * (1.0 / 1260 - s * (1.0 / 1680 - s * (1.0 / 1188 - s * (691.0 / 360360 - s * (1.0 / 156)))))));
    /* What the seven steps added, to be subtracted again. */
    const wide none = {0}, steps_log = wide_select(small, wide_log(p.p), none);
    const wide steps = wide_select(small, first, none);
    const wide steps_slope = wide_select(small, first * first - p.second * inverse, none);
    return (wide_gamma){
        .log = (y - 0.5) * log_y - y + 0.91893853320467274178 + log_tail - steps_log,
        .digamma = log_y - 0.5 * r - digamma_tail(s) - steps,
        .trigamma = r + 0.5 * s + r * trigamma_tail(s) + steps_slope,
    };
}

#endif
