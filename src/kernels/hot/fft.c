/* SPDX-License-Identifier: MIT */
/* Hartley transforms of columns side by side, so that every step uses whole vectors: Fourier transforms of pairs of
 * columns, in Stockham's order, which needs no exchange of rows; radices 2, 3, 4 and 5. */
#include "kernels/hot/all.h"
#include "kernels/hot/vector.h"

typedef struct {
    vec re, im;
} complex_vec;

INLINE complex_vec plus(complex_vec a, complex_vec b)
{
    return (complex_vec){a.re + b.re, a.im + b.im};
}

INLINE complex_vec minus(complex_vec a, complex_vec b)
{
    return (complex_vec){a.re - b.re, a.im - b.im};
}

INLINE complex_vec scaled(complex_vec a, float by)
{
    return (complex_vec){a.re * by, a.im * by};
}

/* -i a */
INLINE complex_vec turned(complex_vec a)
{
    return (complex_vec){a.im, -a.re};
}

INLINE void butterfly(int radix, complex_vec *a)
{
    if (radix == 2) {
        const complex_vec sum = plus(a[0], a[1]);
        a[1] = minus(a[0], a[1]);
        a[0] = sum;
    } else if (radix == 3) {
        const float sine = 0.86602540378443865f;
        const complex_vec sum = plus(a[1], a[2]), apart = turned(scaled(minus(a[1], a[2]), sine));
        const complex_vec middle = minus(a[0], scaled(sum, 0.5f));
        a[0] = plus(a[0], sum);
        a[1] = plus(middle, apart);
        a[2] = minus(middle, apart);
    } else if (radix == 4) {
        const complex_vec even = plus(a[0], a[2]), odd = plus(a[1], a[3]);
        const complex_vec even_apart = minus(a[0], a[2]), odd_apart = turned(minus(a[1], a[3]));
        a[0] = plus(even, odd);
        a[1] = plus(even_apart, odd_apart);
        a[2] = minus(even, odd);
        a[3] = minus(even_apart, odd_apart);
    } else {
        const float cos1 = 0.30901699437494742f, sin1 = 0.95105651629515357f;
        const float cos2 = -0.80901699437494742f, sin2 = 0.58778525229247313f;
        const complex_vec near = plus(a[1], a[4]), near_apart = minus(a[1], a[4]);
        const complex_vec far = plus(a[2], a[3]), far_apart = minus(a[2], a[3]);
        const complex_vec one = plus(a[0], plus(scaled(near, cos1), scaled(far, cos2)));
        const complex_vec two = plus(a[0], plus(scaled(near, cos2), scaled(far, cos1)));
        const complex_vec one_apart = turned(plus(scaled(near_apart, sin1), scaled(far_apart, sin2)));
        const complex_vec two_apart = turned(minus(scaled(near_apart, sin2), scaled(far_apart, sin1)));
        a[0] = plus(a[0], plus(near, far));
        a[1] = plus(one, one_apart);
        a[2] = plus(two, two_apart);
        a[3] = minus(two, two_apart);
        a[4] = minus(one, one_apart);
    }
}

/* y[q + stride (radix p + k)] = factor(p k) times the k-th of the transform of x[q + stride (p + parts j)],
 * over j. */
INLINE void pass(int radix, int64_t parts, int64_t stride, const float *factor, const float *re, const float *im,
                 float *out_re, float *out_im)
{
    for (int64_t p = 0; p < parts; p++, factor += 2 * (radix - 1))
        for (int64_t q = 0; q < stride; q++)
            for (int64_t c = 0; c < CRD_FFT_WIDTH; c += LANES) {
                complex_vec a[5];
                for (int j = 0; j < radix; j++) {
                    const int64_t from = (q + stride * (p + parts * j)) * CRD_FFT_WIDTH + c;
                    a[j] = (complex_vec){vec_load(re + from), vec_load(im + from)};
                }
                butterfly(radix, a);
                for (int k = 0; k < radix; k++) {
                    const int64_t to = (q + stride * (radix * p + k)) * CRD_FFT_WIDTH + c;
                    if (k > 0) {
                        const float cosine = factor[2 * k - 2], sine = factor[2 * k - 1];
                        a[k] = (complex_vec){a[k].re * cosine - a[k].im * sine, a[k].re * sine + a[k].im * cosine};
                    }
                    vec_store(out_re + to, a[k].re);
                    vec_store(out_im + to, a[k].im);
                }
            }
}

/* The Fourier transform of (re, im) in rows k and `mirror` becomes the Hartley transforms of its two parts: a sum of
 * cosines and sines, which the even and odd parts of the transform are. */
INLINE void part_row(int64_t k, int64_t mirror, const float *from_re, const float *from_im, float *re, float *im)
{
    for (int64_t c = 0; c < CRD_FFT_WIDTH; c += LANES) {
        const int64_t here = k * CRD_FFT_WIDTH + c, there = mirror * CRD_FFT_WIDTH + c;
        const vec re_here = vec_load(from_re + here), re_there = vec_load(from_re + there);
        const vec im_here = vec_load(from_im + here), im_there = vec_load(from_im + there);
        const vec re_even = 0.5f * (re_here + re_there), re_odd = 0.5f * (re_here - re_there);
        const vec im_even = 0.5f * (im_here + im_there), im_odd = 0.5f * (im_here - im_there);
        vec_store(re + here, re_even - im_odd);
        vec_store(re + there, re_even + im_odd);
        vec_store(im + here, im_even + re_odd);
        vec_store(im + there, im_even - re_odd);
    }
}

void CRD_NAME(hartley)(const crd_fft *plan, float *one, float *other, float *spare_one, float *spare_other)
{
    const float *factor = plan->factor;
    float *re = one, *im = other, *out_re = spare_one, *out_im = spare_other;
    int64_t left = plan->length, stride = 1;
    for (int i = 0; i < plan->passes; i++) {
        const int radix = plan->radix[i];
        const int64_t parts = left / radix;
        if (radix == 4) pass(4, parts, stride, factor, re, im, out_re, out_im);
        else if (radix == 5) pass(5, parts, stride, factor, re, im, out_re, out_im);
        else if (radix == 3) pass(3, parts, stride, factor, re, im, out_re, out_im);
        else pass(2, parts, stride, factor, re, im, out_re, out_im);
        factor += 2 * parts * (radix - 1);
        left = parts;
        stride *= radix;
        re = out_re;
        im = out_im;
        out_re = re == one ? spare_one : one;
        out_im = im == other ? spare_other : other;
    }
    for (int64_t k = 0; 2 * k <= plan->length; k++) part_row(k, k == 0 ? 0 : plan->length - k, re, im, one, other);
}
