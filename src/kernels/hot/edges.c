/* The two kernels that look at neighbours: diffusion and the distance regulariser. */
#include "kernels/hot/all.h"
#include "kernels/hot/vector.h"

/* Evidence rows are padded to CRD_PAD floats, of which a register may hold less. */
enum { PART = LANES < CRD_PAD ? LANES : CRD_PAD, PARTS = CRD_PAD / PART };
typedef float part __attribute__((vector_size(PART * 4)));

INLINE part part_load(const float *p)
{
    part v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* T times CRD_PAD floats of each row, from the column on. U neighbours are added to sums of their own, because
 * an addition waits for the one before it. */
#define DIFFUSE(T, U)                                                                                       \
    static void diffuse_##T(int64_t begin, int64_t end, const crd_steps *k, int64_t column, const float *x, \
                            bool last, float *out)                                                          \
    {                                                                                                       \
        const int64_t *start = k->start, stride = k->stride;                                                \
        const int32_t *neighbour = k->neighbour;                                                            \
        for (int64_t i = begin; i < end; i++) {                                                             \
            const int64_t own = i * stride + column;                                                        \
            part sum[U][T * PARTS];                                                                         \
            for (int t = 0; t < T * PARTS; t++) sum[0][t] = part_load(x + own + t * PART);                  \
            for (int u = 1; u < U; u++)                                                                     \
                for (int t = 0; t < T * PARTS; t++) sum[u][t] = (part){0};                                  \
            int64_t e = start[i];                                                                           \
            for (; e + U <= start[i + 1]; e += U)                                                           \
                for (int u = 0; u < U; u++) {                                                               \
                    const float *row = x + neighbour[e + u] * stride + column;                              \
                    for (int t = 0; t < T * PARTS; t++) sum[u][t] += part_load(row + t * PART);             \
                }                                                                                           \
            for (; e < start[i + 1]; e++) {                                                                 \
                const float *row = x + neighbour[e] * stride + column;                                      \
                for (int t = 0; t < T * PARTS; t++) sum[0][t] += part_load(row + t * PART);                 \
            }                                                                                               \
            for (int u = 1; u < U; u++)                                                                     \
                for (int t = 0; t < T * PARTS; t++) sum[0][t] += sum[u][t];                                 \
            const float scale = last ? 1.0f : k->s[i];                                                      \
            const float keep = (1.0f - k->teleport) * k->s[i] * scale, back = k->teleport * scale;          \
            for (int t = 0; t < T * PARTS; t++) {                                                           \
                part value = keep * sum[0][t] + back * part_load(k->origin + own + t * PART);               \
                memcpy(out + own + t * PART, &value, sizeof value);                                         \
            }                                                                                               \
        }                                                                                                   \
    }
DIFFUSE(1, 4)
DIFFUSE(2, 2)
DIFFUSE(3, 2)
DIFFUSE(4, 1)

void CRD_NAME(diffuse)(int64_t begin, int64_t end, const crd_steps *steps, const float *x, bool last,
                       float *out)
{
    int64_t column = 0;
    for (; steps->stride - column >= 4 * CRD_PAD; column += 4 * CRD_PAD)
        diffuse_4(begin, end, steps, column, x, last, out);
    switch ((steps->stride - column) / CRD_PAD) {
    case 3: diffuse_3(begin, end, steps, column, x, last, out); break;
    case 2: diffuse_2(begin, end, steps, column, x, last, out); break;
    case 1: diffuse_1(begin, end, steps, column, x, last, out); break;
    default: break;
    }
}

/* What row i's neighbours are apart from it in LANES dimensions; the first `skip` of them have been counted. */
INLINE double apart(int64_t i, const int64_t *start, const int32_t *neighbour, const float *z, int64_t dims,
                    int64_t skip, float factor, float *dz)
{
    const vec own = vec_load(z + i * dims);
    vec pull = vec_set(0.0f), square = vec_set(0.0f);
    for (int64_t e = start[i]; e < start[i + 1]; e++) {
        const vec delta = own - vec_load(z + neighbour[e] * dims);
        pull += delta;
        square += delta * delta;
    }
    pull *= factor;
    if (skip > 0)
        for (int64_t l = 0; l < skip; l++) pull[l] = square[l] = 0.0f;
    if (dz != NULL) vec_store(dz + i * dims, vec_load(dz + i * dims) + pull);
    return (double)vec_sum(square);
}

/* The same of less than a vector. */
static double apart_narrow(int64_t i, const int64_t *start, const int32_t *neighbour, const float *z,
                           int64_t dims, float factor, float *dz)
{
    double row = 0.0;
    for (int64_t d = 0; d < dims; d++) {
        float pull = 0.0f, square = 0.0f;
        for (int64_t e = start[i]; e < start[i + 1]; e++) {
            const float delta = z[i * dims + d] - z[neighbour[e] * dims + d];
            pull += delta;
            square += delta * delta;
        }
        row += (double)square;
        if (dz != NULL) dz[i * dims + d] += factor * pull;
    }
    return row;
}

double CRD_NAME(distance)(int64_t begin, int64_t end, const int64_t *start, const int32_t *neighbour,
                          const float *z, int64_t dims, float weight, float *dz)
{
    double total = 0.0;
    const float factor = 4.0f * weight;
    for (int64_t i = begin; i < end; i++) {
        double row = 0.0;
        int64_t d = 0;
        for (; d + LANES <= dims; d += LANES)
            row += apart(i, start, neighbour, z + d, dims, 0, factor, dz != NULL ? dz + d : NULL);
        if (d < dims && dims >= LANES) { /* the last vector overlaps the one before */
            const int64_t last = dims - LANES;
            row += apart(i, start, neighbour, z + last, dims, d - last, factor, dz != NULL ? dz + last : NULL);
        } else if (d < dims) {
            row += apart_narrow(i, start, neighbour, z, dims, factor, dz);
        }
        total += row;
    }
    return total;
}
