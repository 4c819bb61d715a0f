/* Radial flows: LANES nodes side by side, one class after the other, all layers while they are in cache.
 *
 * A layer with d = y - center, r = |d|, h = 1/(a + r):
 *     y' = y + b h d,    log det = (D-1) log(1 + b h) + log(1 + b h - b h^2 r).
 * Since 1 - h r = a h, the last argument is 1 + a b h^2. Where b comes close to -a both arguments cancel;
 * with s = a + b they are (s + r) h and (r^2 + 2 a r + a s) h^2, sums of positive numbers. */
#include "kernels/hot/all.h"
#include "kernels/hot/vector.h"

/* Nodes i .. i+LANES-1 as columns; the last node stands in for those past the end. */
static void load_columns(int64_t i, int64_t end, int64_t dims, const float *z, loose_vec *columns)
{
    for (int l = 0; l < LANES; l++) {
        const float *row = z + (i + l < end ? i + l : end - 1) * dims;
        for (int64_t d = 0; d < dims; d++) columns[d][l] = row[d];
    }
}

/* At a centre, with s too small for a float, even the sums are 0: a logarithm still has to be finite. */
INLINE vec positive(vec x)
{
    return vec_select(x > 1e-30f, x, vec_set(1e-30f));
}

typedef struct {
    vec radius, h, shift, det; /* |d|, h, b h, a b h^2 */
    vec stretch, turn;         /* 1 + b h, 1 + a b h^2 */
} radial;

INLINE radial radial_of(const crd_flow *flow, int64_t at, const float *center, const loose_vec *y)
{
    const float a = flow->a[at], b = flow->b[at], s = flow->s[at];
    vec square = vec_set(0.0f);
    for (int64_t d = 0; d < flow->dims; d++) {
        vec delta = y[d] - center[d];
        square += delta * delta;
    }
    radial r;
    r.radius = vec_sqrt(square);
    r.h = 1.0f / (a + r.radius);
    r.shift = b * r.h;
    r.det = a * r.h * r.shift;
    r.stretch = positive((s + r.radius) * r.h);
    r.turn = positive((square + 2.0f * a * r.radius + a * s) * r.h * r.h);
    return r;
}

/* log(1 + x) where 1 + x is also known as `sum`, which is the better of the two where x nears -1. */
INLINE vec log_of(vec x, vec sum)
{
    const ivec plain = x > -0.5f;
    return vec_select(plain, vec_log1p(vec_select(plain, x, vec_set(0.0f))), vec_log(sum));
}

/* Runs the chain; layer t's input stays at y[t * dims] if `keep`, else y is overwritten in place.
 * Returns log p. */
INLINE vec chain(const crd_flow *flow, int64_t k, loose_vec *y, bool keep)
{
    const int64_t dims = flow->dims, classes = flow->classes;
    vec log_det = vec_set(0.0f), log_det_last = vec_set(0.0f);
    for (int64_t t = 0; t < flow->layers; t++) {
        const float *center = flow->center + (t * classes + k) * dims;
        radial r = radial_of(flow, t * classes + k, center, y);
        log_det += log_of(r.shift, r.stretch);
        log_det_last += log_of(r.det, r.turn);
        loose_vec *next = keep ? y + dims : y;
        for (int64_t d = 0; d < dims; d++) next[d] = y[d] + r.shift * (y[d] - center[d]);
        y = next;
    }
    vec square = vec_set(0.0f);
    for (int64_t d = 0; d < dims; d++) square += y[d] * y[d];
    const float log_2pi = 1.8378770664093453f;
    return (float)(dims - 1) * log_det + log_det_last - 0.5f * square - 0.5f * (float)dims * log_2pi;
}

/* crd_config_check keeps dims below this, so that a block fits on the stack. */
enum { MAX_DIMS = 512 };

void CRD_NAME(flow_forward)(int64_t begin, int64_t end, const crd_flow *flow, const float *z, float *out,
                            int64_t stride)
{
    const int64_t dims = flow->dims;
    loose_vec columns[MAX_DIMS], y[MAX_DIMS];
    for (int64_t i = begin; i < end; i += LANES) {
        load_columns(i, end, dims, z, columns);
        for (int64_t k = 0; k < flow->classes; k++) {
            memcpy(y, columns, (size_t)dims * sizeof *y);
            vec log_density = chain(flow, k, y, false);
            for (int l = 0; l < LANES && i + l < end; l++) out[(i + l) * stride + k] = log_density[l];
        }
    }
}

void CRD_NAME(flow_backward)(int64_t begin, int64_t end, const crd_flow *flow, const float *z,
                             const float *d_log_density, int64_t stride, float *dz, double *d_center,
                             double *d_a, double *d_b, float *scratch)
{
    const int64_t dims = flow->dims, classes = flow->classes, layers = flow->layers;
    loose_vec *y = (loose_vec *)scratch;           /* [layers + 1][dims] */
    loose_vec *gradient = y + (layers + 1) * dims; /* of y, walking back through the layers */
    loose_vec *total = gradient + dims;            /* of z, over the classes */
    /* The parameters' sums, a lane each; added up at the end. */
    loose_vec *sum_center = total + dims;                         /* [layers][classes][dims] */
    loose_vec *sum_a = sum_center + layers * classes * dims;      /* [layers][classes] */
    loose_vec *sum_b = sum_a + layers * classes;
    memset(sum_center, 0, (size_t)(layers * classes * (dims + 2)) * sizeof *sum_center);
    for (int64_t i = begin; i < end; i += LANES) {
        for (int64_t d = 0; d < dims; d++) total[d] = vec_set(0.0f);
        for (int64_t k = 0; k < classes; k++) {
            vec g; /* d loss / d log p; zero for lanes past the end, so that they add nothing */
            for (int l = 0; l < LANES; l++) g[l] = i + l < end ? d_log_density[(i + l) * stride + k] : 0.0f;
            load_columns(i, end, dims, z, y);
            chain(flow, k, y, true);
            for (int64_t d = 0; d < dims; d++) gradient[d] = -g * y[layers * dims + d];
            for (int64_t t = layers - 1; t >= 0; t--) {
                const loose_vec *input = y + t * dims;
                const int64_t at = t * classes + k;
                const float *center = flow->center + at * dims;
                const float a = flow->a[at], b = flow->b[at];
                const radial r = radial_of(flow, at, center, input);
                vec along = vec_set(0.0f); /* gradient . delta */
                for (int64_t d = 0; d < dims; d++) along += gradient[d] * (input[d] - center[d]);
                const vec first = (float)(dims - 1) * g / r.stretch;
                const vec last = g / r.turn;
                const vec d_h = first * b + last * (2.0f * a * r.shift) + b * along;
                const vec d_r = -d_h * r.h * r.h;
                sum_a[at] += last * (r.shift * r.h) + d_r;
                sum_b[at] += first * r.h + last * (a * r.h * r.h) + r.h * along;
                /* At the centre itself |delta| has no direction: its subgradient 0. */
                const vec direction = vec_select(r.radius > 1e-20f, d_r / r.radius, vec_set(0.0f));
                for (int64_t d = 0; d < dims; d++) {
                    const vec d_delta = r.shift * gradient[d] + direction * (input[d] - center[d]);
                    sum_center[at * dims + d] -= d_delta;
                    gradient[d] += d_delta;
                }
            }
            for (int64_t d = 0; d < dims; d++) total[d] += gradient[d];
        }
        for (int l = 0; l < LANES && i + l < end; l++)
            for (int64_t d = 0; d < dims; d++) dz[(i + l) * dims + d] = total[d][l];
    }
    for (int64_t p = 0; p < layers * classes * dims; p++) d_center[p] += (double)vec_sum(sum_center[p]);
    for (int64_t p = 0; p < layers * classes; p++) {
        d_a[p] += (double)vec_sum(sum_a[p]);
        d_b[p] += (double)vec_sum(sum_b[p]);
    }
}

void CRD_NAME(evidence)(int64_t begin, int64_t end, int64_t classes, int64_t stride, const float *shift,
                        float *x)
{
    for (int64_t i = begin; i < end; i++) {
        float *row = x + i * stride;
        for (int64_t k = 0; k < stride; k += LANES) {
            const int64_t width = stride - k < LANES ? stride - k : LANES;
            vec v = vec_set(0.0f);
            for (int64_t l = 0; l < width; l++) v[l] = k + l < classes ? row[k + l] + shift[k + l] : -30.0f;
            v = vec_select(v > 30.0f, vec_set(30.0f), v);
            v = vec_select(v < -30.0f, vec_set(-30.0f), v);
            v = vec_exp(v);
            for (int64_t l = 0; l < width; l++) row[k + l] = k + l < classes ? v[l] : 0.0f;
        }
    }
}
