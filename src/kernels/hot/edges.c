/* The two kernels that look at neighbours: diffusion and the distance regulariser. */
#include "kernels/hot/all.h"
#include "kernels/hot/vector.h"

/* Eight floats, whatever the lanes: evidence rows are padded to CRD_PAD. */
typedef float pad __attribute__((vector_size(CRD_PAD * 4)));

INLINE pad pad_load(const float *p)
{
    pad v;
    memcpy(&v, p, sizeof v);
    return v;
}

#define DIFFUSE(T)                                                                                          \
    static void diffuse_##T(int64_t begin, int64_t end, const int64_t *start, const int32_t *neighbour,    \
                            const float *s, float keep, int64_t stride, const float *x, const float *base, \
                            float *out)                                                                    \
    {                                                                                                       \
        for (int64_t i = begin; i < end; i++) {                                                             \
            pad sum[T];                                                                                     \
            for (int t = 0; t < T; t++) sum[t] = pad_load(x + i * stride + t * CRD_PAD);                    \
            for (int64_t e = start[i]; e < start[i + 1]; e++) {                                             \
                const float *row = x + neighbour[e] * stride;                                               \
                for (int t = 0; t < T; t++) sum[t] += pad_load(row + t * CRD_PAD);                          \
            }                                                                                               \
            const float scale = keep * s[i] * s[i];                                                         \
            for (int t = 0; t < T; t++) {                                                                   \
                pad value = scale * sum[t] + pad_load(base + i * stride + t * CRD_PAD);                     \
                memcpy(out + i * stride + t * CRD_PAD, &value, sizeof value);                               \
            }                                                                                               \
        }                                                                                                   \
    }
DIFFUSE(1)
DIFFUSE(2)
DIFFUSE(3)
DIFFUSE(4)

void CRD_NAME(diffuse)(int64_t begin, int64_t end, const int64_t *start, const int32_t *neighbour,
                       const float *s, float teleport, int64_t stride, const float *x, const float *base,
                       float *out)
{
    const float keep = 1.0f - teleport;
    int64_t column = 0;
    for (; stride - column >= 4 * CRD_PAD; column += 4 * CRD_PAD)
        diffuse_4(begin, end, start, neighbour, s, keep, stride, x + column, base + column, out + column);
    switch ((stride - column) / CRD_PAD) {
    case 3:
        diffuse_3(begin, end, start, neighbour, s, keep, stride, x + column, base + column, out + column);
        break;
    case 2:
        diffuse_2(begin, end, start, neighbour, s, keep, stride, x + column, base + column, out + column);
        break;
    case 1:
        diffuse_1(begin, end, start, neighbour, s, keep, stride, x + column, base + column, out + column);
        break;
    default:
        break;
    }
}

double CRD_NAME(distance)(int64_t begin, int64_t end, const int64_t *start, const int32_t *neighbour,
                          const float *z, int64_t dims, float weight, float *dz)
{
    double total = 0.0;
    const float factor = 4.0f * weight;
    for (int64_t i = begin; i < end; i++) {
        const float *own = z + i * dims;
        double row = 0.0;
        int64_t d = 0;
        for (; d < dims; d += LANES) {
            const int64_t width = dims - d < LANES ? dims - d : LANES;
            if (width == LANES) {
                const vec mine = vec_load(own + d);
                vec pull = vec_set(0.0f), square = vec_set(0.0f);
                for (int64_t e = start[i]; e < start[i + 1]; e++) {
                    const vec delta = mine - vec_load(z + neighbour[e] * dims + d);
                    pull += delta;
                    square += delta * delta;
                }
                row += (double)vec_sum(square);
                if (dz != NULL) vec_store(dz + i * dims + d, vec_load(dz + i * dims + d) + factor * pull);
            } else {
                for (int64_t c = d; c < dims; c++) {
                    float pull = 0.0f, square = 0.0f;
                    for (int64_t e = start[i]; e < start[i + 1]; e++) {
                        const float delta = own[c] - z[neighbour[e] * dims + c];
                        pull += delta;
                        square += delta * delta;
                    }
                    row += (double)square;
                    if (dz != NULL) dz[i * dims + c] += factor * pull;
                }
            }
        }
        total += row;
    }
    return total;
}
