/* From points to a grid and back, by cubic B-splines on the 4 x 4 nodes around each point. */
#include "kernels/hot/all.h"
#include "kernels/hot/vector.h"

/* Four nodes are four floats in every instruction set. */
typedef float quad __attribute__((vector_size(16)));

INLINE quad quad_load(const float *p)
{
    quad v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* The weights of the nodes -1, 0, 1, 2 for a point at t, from 0 to 1, and their derivatives. */
INLINE quad spline(float t)
{
    const float left = 1.0f - t, tt = t * t, ttt = tt * t;
    const quad w = {left * left * left, 4.0f - 6.0f * tt + 3.0f * ttt, 1.0f + 3.0f * (t + tt - ttt), ttt};
    return w * (1.0f / 6);
}

INLINE quad spline_slope(float t)
{
    const float left = 1.0f - t, tt = t * t;
    const quad w = {-left * left, 3.0f * tt - 4.0f * t, 1.0f + 2.0f * t - 3.0f * tt, tt};
    return w * 0.5f;
}

typedef struct {
    int64_t point;
    int64_t column;   /* the first of four */
    float across, up; /* from the second node to the point */
} foothold;

INLINE foothold foothold_of(const crd_on_grid *points, int64_t row, int64_t place)
{
    foothold f;
    f.point = points->order[place];
    const float u = (points->map[2 * f.point] - points->left) * points->per_unit;
    const float v = (points->map[2 * f.point + 1] - points->bottom) * points->per_unit;
    const int64_t most = points->columns - 3, column = (int64_t)u;
    const int64_t at = column < 1 ? 1 : column > most ? most : column;
    f.column = at - 1;
    f.across = u - (float)at;
    f.up = v - (float)row;
    return f;
}

void CRD_NAME(spread)(int64_t begin, int64_t end, const crd_on_grid *points, float *grid)
{
    for (int64_t row = begin; row < end; row++)
        for (int64_t place = points->row_start[row]; place < points->row_start[row + 1]; place++) {
            const foothold f = foothold_of(points, row, place);
            const quad across = spline(f.across), up = spline(f.up);
            float *node = grid + (row - 1) * points->stride + f.column;
            for (int r = 0; r < 4; r++) {
                const quad sum = quad_load(node + r * points->stride) + up[r] * across;
                memcpy(node + r * points->stride, &sum, sizeof sum);
            }
        }
}

INLINE float quad_sum(quad v)
{
    return (v[0] + v[1]) + (v[2] + v[3]);
}

double CRD_NAME(gather)(int64_t begin, int64_t end, const crd_on_grid *points, const float *grid, float *force)
{
    double total = 0.0;
    const float scale = -0.5f * points->per_unit;
    for (int64_t row = begin; row < end; row++)
        for (int64_t place = points->row_start[row]; place < points->row_start[row + 1]; place++) {
            const foothold f = foothold_of(points, row, place);
            const quad across = spline(f.across), up = spline(f.up), up_slope = spline_slope(f.up);
            const float *node = grid + (row - 1) * points->stride + f.column;
            quad value = {0}, slope = {0};
            for (int r = 0; r < 4; r++) {
                const quad here = quad_load(node + r * points->stride);
                value += up[r] * here;
                slope += up_slope[r] * here;
            }
            total += (double)quad_sum(across * value);
            force[2 * f.point] = scale * quad_sum(spline_slope(f.across) * value);
            force[2 * f.point + 1] = scale * quad_sum(across * slope);
        }
    return total;
}
