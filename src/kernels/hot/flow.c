/* SPDX-License-Identifier: MIT */
/* Radial flows: GROUP vectors of nodes side by side, one class after the other, all layers while they are in cache.
 * One vector alone would wait for its own square root and division at every layer.
 *
 * A layer with d = y - center, r = |d|, h = 1/(a + r):
 *     y' = y + b h d,    log det = (D-1) log(1 + b h) + log(1 + b h - b h^2 r).
 * Since 1 - h r = a h, the last argument is 1 + a b h^2. If b is close to -a, both arguments cancel; with s = a + b
 * they are (s + r) h and (r^2 + 2 a r + a s) h^2, sums of positive numbers.
 *
 * The chain carries d, not y: y' = center + (1 + b h) d, so the next layer's d is (1 + b h) d + this center - the
 * next center. After the last layer comes a center at 0, so that d is y itself. */
#include "kernels/hot/all.h"
#include "kernels/hot/vector.h"

/* crd_config_check keeps dims below MAX_DIMS. With many dimensions, one vector is enough work. */
enum { GROUP = 4, GROUP_DIMS = 32, MAX_DIMS = 512 };
static const float ORIGIN[MAX_DIMS];

/* Nodes i .. i + group * LANES - 1 as columns [dims][group]; past the end, the last node is repeated. */
INLINE void load_columns(int group, int64_t i, int64_t end, int64_t dims, const float *z, loose_vec *columns)
{
    for (int v = 0; v < group; v++)
        for (int l = 0; l < LANES; l++, i++) {
            const float *row = z + (i < end ? i : end - 1) * dims;
            for (int64_t d = 0; d < dims; d++) columns[d * group + v][l] = row[d];
        }
}

/* 0 if a node's position is finite, else NaN: a distant node has density 0, but a position that is not finite has no
 * density. */
INLINE void not_numbers(int group, int64_t dims, const loose_vec *columns, vec *broken)
{
    for (int v = 0; v < group; v++) broken[v] = vec_set(0.0f);
    for (int64_t d = 0; d < dims; d++)
        for (int v = 0; v < group; v++) broken[v] += 0.0f * columns[d * group + v];
}

/* At a centre, with s too small for a float, even the sums are 0; the logarithm must still be finite. */
INLINE vec positive(vec x)
{
    return vec_select(x > 1e-30f, x, vec_set(1e-30f));
}

/* A product of many positive numbers, as mantissa and power of two, so that one logarithm is enough. log(1 + b h)
 * counts D-1 times in log det, so that even ten roundings show: `lost` is what they took from the logarithm. */
typedef struct {
    vec mantissa;
    ivec exponent;
    vec lost;
} product;

INLINE void multiply(product *p, vec factor)
{
    const ivec bits = (ivec)(p->mantissa * factor);
    p->exponent += (bits >> 23) - 127;
    p->mantissa = (vec)((bits & 0x007fffff) | 0x3f800000); /* [1, 2) */
}

/* 1/x for positive normal x, to 13 %: it negates the exponent. */
INLINE vec rough_reciprocal(vec x)
{
    return (vec)(0x7ef311c3 - (ivec)x);
}

/* The same; `less` is what rounding has already taken from the factor. The product's own rounding error, at most half
 * a unit in the last place, is needed only to one digit. */
INLINE void multiply_exactly(product *p, vec factor, vec less)
{
    const vec rounded = p->mantissa * factor;
    p->lost += less + vec_product_error(p->mantissa, factor, rounded) * rough_reciprocal(rounded);
    multiply(p, factor);
}

INLINE vec log_product(product p)
{
    return vec_log(p.mantissa) + (p.lost + __builtin_convertvector(p.exponent, vec) * 0.69314718f);
}

typedef struct {
    loose_vec radius, h;     /* |d|, 1/(a + |d|) */
    loose_vec stretch, turn; /* 1 + b h, 1 + a b h^2 */
} radial;

/* If b h is close to -1, the sum of positive numbers is more accurate; else 1 + b h, whose error is known. */
INLINE radial radial_of(float a, float b, float s, vec square, vec *lost)
{
    radial r;
    r.radius = vec_sqrt(square);
    r.h = 1.0f / (a + r.radius);
    const vec shift = b * r.h, sum = 1.0f + shift;
    const ivec plain = shift > -0.5f;
    r.stretch = vec_select(plain, sum, positive((s + r.radius) * r.h));
    *lost = (vec)(plain & (ivec)(shift - (sum - 1.0f)));
    r.turn = positive((square + 2.0f * a * r.radius + a * s) * r.h * r.h);
    return r;
}

/* Runs the chain of class k from the columns z to log p. `delta` [dims][group] is overwritten layer by layer; if
 * `kept` is not NULL, delta has room for [layers + 1] of them; they and the layers' radials are kept. */
INLINE void chain(int group, const crd_flow *flow, int64_t k, const loose_vec *z, loose_vec *delta, radial *kept,
                  vec *log_density)
{
    const int64_t dims = flow->dims, classes = flow->classes;
    const float *center = flow->layers > 0 ? flow->center + k * dims : ORIGIN;
    product first[GROUP], last[GROUP];
    vec square[GROUP], stretch[GROUP];
    for (int v = 0; v < group; v++) {
        first[v] = last[v] = (product){vec_set(1.0f), (ivec){0}, vec_set(0.0f)};
        square[v] = vec_set(0.0f);
    }
    for (int64_t d = 0; d < dims; d++)
        for (int v = 0; v < group; v++) {
            const vec at = z[d * group + v] - center[d];
            delta[d * group + v] = at;
            square[v] += at * at;
        }
    for (int64_t t = 0; t < flow->layers; t++) {
        const int64_t at = t * classes + k;
        for (int v = 0; v < group; v++) {
            vec lost;
            const radial r = radial_of(flow->a[at], flow->b[at], flow->s[at], square[v], &lost);
            multiply_exactly(&first[v], r.stretch, lost);
            multiply(&last[v], r.turn);
            stretch[v] = r.stretch;
            square[v] = vec_set(0.0f);
            if (kept != NULL) kept[t * group + v] = r;
        }
        const float *next = t + 1 < flow->layers ? center + classes * dims : ORIGIN;
        loose_vec *moved = kept != NULL ? delta + dims * group : delta;
        for (int64_t d = 0; d < dims; d++) {
            const float way = center[d] - next[d];
            for (int v = 0; v < group; v++) {
                const vec there = delta[d * group + v] * stretch[v] + way;
                moved[d * group + v] = there;
                square[v] += there * there;
            }
        }
        center = next;
        delta = moved;
    }
    const float log_2pi = 1.8378770664093453f;
    for (int v = 0; v < group; v++)
        log_density[v] = (float)(dims - 1) * log_product(first[v]) + log_product(last[v]) - 0.5f * square[v] -
                         0.5f * (float)dims * log_2pi;
}

INLINE void forward(int group, int64_t begin, int64_t end, const crd_flow *flow, const float *z, float *out,
                    int64_t stride, loose_vec *columns, loose_vec *delta)
{
    vec log_density[GROUP], broken[GROUP];
    for (int64_t i = begin; i < end; i += group * LANES) {
        load_columns(group, i, end, flow->dims, z, columns);
        not_numbers(group, flow->dims, columns, broken);
        for (int64_t k = 0; k < flow->classes; k++) {
            chain(group, flow, k, columns, delta, NULL, log_density);
            for (int v = 0; v < group; v++) log_density[v] += broken[v];
            for (int64_t l = 0; l < group * LANES && i + l < end; l++)
                out[(i + l) * stride + k] = log_density[l / LANES][l % LANES];
        }
    }
}

static void forward_alone(int64_t begin, int64_t end, const crd_flow *flow, const float *z, float *out, int64_t stride)
{
    loose_vec columns[MAX_DIMS], delta[MAX_DIMS];
    forward(1, begin, end, flow, z, out, stride, columns, delta);
}

void CRD_NAME(flow_forward)(int64_t begin, int64_t end, const crd_flow *flow, const float *z, float *out,
                            int64_t stride)
{
    loose_vec columns[GROUP_DIMS * GROUP], delta[GROUP_DIMS * GROUP];
    if (flow->dims > GROUP_DIMS) forward_alone(begin, end, flow, z, out, stride);
    else forward(GROUP, begin, end, flow, z, out, stride, columns, delta);
}

/* What the backward pass needs, for one class and one group. Each sum over the nodes is a vector, whose lanes are
 * added at the end. */
typedef struct {
    loose_vec *columns;                    /* [dims][group], z */
    loose_vec *delta;                      /* [layers + 1][dims][group] */
    loose_vec *gradient;                   /* [dims][group], of the current layer's y */
    loose_vec *total;                      /* [dims][group], of z, over the classes */
    radial *kept;                          /* [layers][group] */
    loose_vec *sum_center, *sum_a, *sum_b; /* [layers][classes][dims], [layers][classes] */
} way_back;

/* One layer, from the gradient of its output to that of its input. `along` is gradient . delta, for this layer
 * on entry and for the one before on return. */
INLINE void layer_backward(int group, const crd_flow *flow, int64_t t, int64_t k, const vec *g, vec *along, way_back *w)
{
    const int64_t dims = flow->dims, at = t * flow->classes + k;
    const float a = flow->a[at], b = flow->b[at];
    const loose_vec *delta = w->delta + t * dims * group;
    const loose_vec *before = t > 0 ? delta - dims * group : delta;
    vec shift[GROUP], direction[GROUP], sum_a = vec_set(0.0f), sum_b = vec_set(0.0f);
    for (int v = 0; v < group; v++) {
        const radial r = w->kept[t * group + v];
        const vec first = (float)(dims - 1) * g[v] / r.stretch;
        const vec last = g[v] / r.turn;
        shift[v] = b * r.h;
        const vec d_h = first * b + last * (2.0f * a * shift[v]) + b * along[v];
        const vec d_r = -d_h * r.h * r.h;
        sum_a += last * (shift[v] * r.h) + d_r;
        sum_b += first * r.h + last * (a * r.h * r.h) + r.h * along[v];
        /* At the centre itself |delta| has no direction: take the subgradient 0. */
        direction[v] = vec_select(r.radius > 1e-20f, d_r / r.radius, vec_set(0.0f));
        along[v] = vec_set(0.0f);
    }
    w->sum_a[at] += sum_a;
    w->sum_b[at] += sum_b;
    for (int64_t d = 0; d < dims; d++) {
        vec sum = vec_set(0.0f);
        for (int v = 0; v < group; v++) {
            const vec gradient = w->gradient[d * group + v];
            const vec d_delta = shift[v] * gradient + direction[v] * delta[d * group + v];
            sum += d_delta;
            along[v] += (gradient + d_delta) * before[d * group + v];
            w->gradient[d * group + v] = gradient + d_delta;
        }
        w->sum_center[at * dims + d] -= sum;
    }
}

INLINE void class_backward(int group, const crd_flow *flow, int64_t k, const vec *g, way_back *w)
{
    const int64_t dims = flow->dims, layers = flow->layers;
    vec log_density[GROUP], along[GROUP];
    chain(group, flow, k, w->columns, w->delta, w->kept, log_density);
    const loose_vec *y = w->delta + layers * dims * group, *before = layers > 0 ? y - dims * group : y;
    for (int v = 0; v < group; v++) along[v] = vec_set(0.0f);
    for (int64_t d = 0; d < dims; d++)
        for (int v = 0; v < group; v++) {
            const vec gradient = -g[v] * y[d * group + v];
            w->gradient[d * group + v] = gradient;
            along[v] += gradient * before[d * group + v];
        }
    for (int64_t t = layers - 1; t >= 0; t--) layer_backward(group, flow, t, k, g, along, w);
    for (int64_t d = 0; d < dims * group; d++) w->total[d] += w->gradient[d];
}

INLINE void backward(int group, int64_t begin, int64_t end, const crd_flow *flow, const float *z,
                     const float *d_log_density, int64_t stride, float *dz, double *d_center, double *d_a, double *d_b,
                     float *scratch)
{
    const int64_t dims = flow->dims, classes = flow->classes, layers = flow->layers;
    way_back w;
    w.columns = (loose_vec *)scratch;
    w.delta = w.columns + dims * group;
    w.gradient = w.delta + (layers + 1) * dims * group;
    w.total = w.gradient + dims * group;
    w.kept = (radial *)(w.total + dims * group);
    w.sum_center = (loose_vec *)(w.kept + layers * group);
    w.sum_a = w.sum_center + layers * classes * dims;
    w.sum_b = w.sum_a + layers * classes;
    memset(w.sum_center, 0, (size_t)(layers * classes * (dims + 2)) * sizeof *w.sum_center);
    for (int64_t i = begin; i < end; i += group * LANES) {
        load_columns(group, i, end, dims, z, w.columns);
        for (int64_t d = 0; d < dims * group; d++) w.total[d] = vec_set(0.0f);
        for (int64_t k = 0; k < classes; k++) {
            /* d loss / d log p; zero for lanes past the end, so that they add nothing */
            float slope[GROUP * LANES];
            bool any = false;
            for (int64_t l = 0; l < group * LANES; l++) {
                slope[l] = i + l < end ? d_log_density[(i + l) * stride + k] : 0.0f;
                any = any || slope[l] != 0.0f;
            }
            vec g[GROUP];
            for (int v = 0; v < group; v++) g[v] = vec_load(slope + v * LANES);
            if (any) class_backward(group, flow, k, g, &w);
        }
        for (int64_t l = 0; l < group * LANES && i + l < end; l++)
            for (int64_t d = 0; d < dims; d++) dz[(i + l) * dims + d] = w.total[d * group + l / LANES][l % LANES];
    }
    for (int64_t p = 0; p < layers * classes * dims; p++) d_center[p] += (double)vec_sum(w.sum_center[p]);
    for (int64_t p = 0; p < layers * classes; p++) {
        d_a[p] += (double)vec_sum(w.sum_a[p]);
        d_b[p] += (double)vec_sum(w.sum_b[p]);
    }
}

void CRD_NAME(flow_backward)(int64_t begin, int64_t end, const crd_flow *flow, const float *z,
                             const float *d_log_density, int64_t stride, float *dz, double *d_center, double *d_a,
                             double *d_b, float *scratch)
{
    if (flow->dims > GROUP_DIMS)
        backward(1, begin, end, flow, z, d_log_density, stride, dz, d_center, d_a, d_b, scratch);
    else backward(GROUP, begin, end, flow, z, d_log_density, stride, dz, d_center, d_a, d_b, scratch);
}

/* `width` columns, LANES at most, from column k on. */
INLINE void evidence_columns(int64_t begin, int64_t end, int64_t k, int64_t width, int64_t classes, int64_t stride,
                             const float *shift, float *x)
{
    vec more = vec_set(0.0f);
    ivec real = {0}; /* -1 if there is a class */
    for (int64_t l = 0; l < width && k + l < classes; l++) {
        more[l] = shift[k + l];
        real[l] = -1;
    }
    for (int64_t i = begin; i < end; i++) {
        float *at = x + i * stride + k;
        vec v = vec_load_lanes(at, width) + more;
        v = vec_select(v > 30.0f, vec_set(30.0f), v);
        v = vec_select(v < -30.0f, vec_set(-30.0f), v);
        vec_store_lanes(at, (vec)((ivec)vec_exp(v) & real), width);
    }
}

/* For the rest of padded rows, if a vector is longer than CRD_PAD. */
enum { HALF = LANES > CRD_PAD ? CRD_PAD : LANES };

void CRD_NAME(evidence)(int64_t begin, int64_t end, int64_t classes, int64_t stride, const float *shift, float *x)
{
    int64_t k = 0;
    for (; k + LANES <= stride; k += LANES) evidence_columns(begin, end, k, LANES, classes, stride, shift, x);
    if (stride - k == HALF) evidence_columns(begin, end, k, HALF, classes, stride, shift, x);
    else if (k < stride) evidence_columns(begin, end, k, stride - k, classes, stride, shift, x);
}
