/* SPDX-License-Identifier: MIT */
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

/* The weights of the nodes -1, 0, 1, 2 for a point at t, from 0 to 1. */
INLINE quad spline(float t)
{
    const float left = 1.0f - t, tt = t * t, ttt = tt * t;
    const quad w = {left * left * left, 4.0f - 6.0f * tt + 3.0f * ttt, 1.0f + 3.0f * (t + tt - ttt), ttt};
    return w * (1.0f / 6);
}

typedef struct {
    int64_t point;
    int64_t column; /* the first of four */
    quad across, up;
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
    f.across = spline(u - (float)at);
    f.up = spline(v - (float)row);
    return f;
}

void CRD_NAME(spread)(int64_t begin, int64_t end, const crd_on_grid *points, float *grid)
{
    for (int64_t row = begin; row < end; row++)
        for (int64_t place = points->row_start[row]; place < points->row_start[row + 1]; place++) {
            const foothold f = foothold_of(points, row, place);
            float *node = grid + (row - 1) * points->stride + f.column;
            for (int r = 0; r < 4; r++) {
                const quad sum = quad_load(node + r * points->stride) + f.up[r] * f.across;
                memcpy(node + r * points->stride, &sum, sizeof sum);
            }
        }
}

void CRD_NAME(gather)(int64_t begin, int64_t end, const crd_on_grid *points, const float *grid_x, const float *grid_y,
                      float *force)
{
    for (int64_t row = begin; row < end; row++)
        for (int64_t place = points->row_start[row]; place < points->row_start[row + 1]; place++) {
            const foothold f = foothold_of(points, row, place);
            const int64_t node = (row - 1) * points->stride + f.column;
            quad x = {0}, y = {0};
            for (int r = 0; r < 4; r++) {
                x += f.up[r] * quad_load(grid_x + node + r * points->stride);
                y += f.up[r] * quad_load(grid_y + node + r * points->stride);
            }
            x *= f.across;
            y *= f.across;
            force[2 * f.point] = (x[0] + x[1]) + (x[2] + x[3]);
            force[2 * f.point + 1] = (y[0] + y[1]) + (y[2] + y[3]);
        }
}
