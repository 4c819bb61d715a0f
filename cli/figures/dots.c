#include "figures/dots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

/* Radii in pixels: none is too small to be seen; the largest depend on how much room a node has. */
static const double SMALLEST = 0.5, LEAST_LARGEST = 1.7, MOST_LARGEST = 6.0, OF_ROOM = 0.62;

/* The share of the nodes that have discs below the largest size. */
static const double BELOW_LARGEST = 0.98;

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static double quantile(const float *values, int64_t count, double share)
{
    float *sorted = crd_cli_allocate(NULL, (size_t)count * sizeof *sorted);
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    double value = count > 0 ? (double)sorted[(int64_t)(share * (double)(count - 1))] : 0.0;
    free(sorted);
    return value;
}

double crd_fig_radius(const crd_fig_dots *dots, double evidence)
{
    const double least = dots->radius[0], most = dots->radius[CRD_FIG_LEVELS - 1];
    if (!(dots->most > 0.0)) return least;
    double radius = most * pow(evidence / dots->most, 0.25);
    return radius < least ? least : radius > most ? most : radius;
}

static int level_of(const crd_fig_dots *dots, double evidence)
{
    const double radius = crd_fig_radius(dots, evidence);
    int level = 0;
    while (level < CRD_FIG_LEVELS - 1 && radius > (dots->radius[level] + dots->radius[level + 1]) / 2.0)
        level++;
    return level;
}

/* Large ones first; inside of a size and colour to and fro in strips, so that the next one is near and takes
 * few digits. */
enum { STRIP = 12 };

static int in_order(const void *a, const void *b)
{
    const crd_fig_dot *p = a, *q = b;
    const int32_t strip = p->y / STRIP, other = q->y / STRIP;
    if (p->level != q->level) return q->level - p->level;
    if (p->group != q->group) return p->group < q->group ? -1 : 1;
    if (strip != other) return strip < other ? -1 : 1;
    if (p->x != q->x) return (p->x < q->x) == (strip % 2 == 0) ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

void crd_fig_dots_make(crd_fig_dots *dots, const float *map, const float *evidence, const int32_t *group,
                       int64_t nodes, int32_t side)
{
    const double pixels = (double)side / CRD_FIG_UNITS;
    double largest = OF_ROOM * pixels / sqrt(nodes > 0 ? (double)nodes : 1.0);
    largest = largest < LEAST_LARGEST ? LEAST_LARGEST : largest > MOST_LARGEST ? MOST_LARGEST : largest;
    *dots = (crd_fig_dots){.side = side, .count = nodes, .most = quantile(evidence, nodes, BELOW_LARGEST)};
    dots->dot = crd_cli_allocate(NULL, (size_t)nodes * sizeof *dots->dot);
    for (int l = 0; l < CRD_FIG_LEVELS; l++)
        dots->radius[l] =
            CRD_FIG_UNITS * SMALLEST * pow(largest / SMALLEST, (double)l / (CRD_FIG_LEVELS - 1));
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t i = 0; i < 2 * nodes; i++) {
        low[i % 2] = fmin(low[i % 2], (double)map[i]);
        high[i % 2] = fmax(high[i % 2], (double)map[i]);
    }
    /* One scale for both directions, the narrower one in the middle. */
    const double width = high[0] - low[0], height = high[1] - low[1], span = fmax(width, height);
    const double margin = ceil(dots->radius[CRD_FIG_LEVELS - 1]) + 1.0, room = (double)side - 2.0 * margin;
    const double scale = span > 0.0 ? room / span : 0.0;
    const double left = ((double)side - scale * width) / 2.0, top = ((double)side - scale * height) / 2.0;
    for (int64_t i = 0; i < nodes; i++)
        dots->dot[i] = (crd_fig_dot){.x = (int32_t)lrint(left + scale * ((double)map[2 * i] - low[0])),
                                     .y = (int32_t)lrint(top + scale * (high[1] - (double)map[2 * i + 1])),
                                     .group = group[i],
                                     .level = level_of(dots, (double)evidence[i])};
    qsort(dots->dot, (size_t)nodes, sizeof *dots->dot, in_order);
}

void crd_fig_dots_free(crd_fig_dots *dots)
{
    free(dots->dot);
    *dots = (crd_fig_dots){0};
}

/* Paints a disc with its number, a unit a pixel. */
static void paint(int32_t *picture, const crd_fig_dots *dots, int64_t number)
{
    const crd_fig_dot *dot = &dots->dot[number];
    const double radius = dots->radius[dot->level];
    const int32_t reach = (int32_t)radius;
    for (int32_t dy = -reach; dy <= reach; dy++)
        for (int32_t dx = -reach; dx <= reach; dx++) {
            const int32_t x = dot->x + dx, y = dot->y + dy;
            if ((double)(dx * dx + dy * dy) > radius * radius) continue;
            if (x >= 0 && y >= 0 && x < dots->side && y < dots->side)
                picture[(int64_t)y * dots->side + x] = (int32_t)number;
        }
}

/* Of a disc's units; the smallest has five. */
enum { LEAST_SEEN = 3 };

void crd_fig_dots_cull(crd_fig_dots *dots)
{
    const int64_t pixels = (int64_t)dots->side * dots->side;
    int32_t *picture = crd_cli_allocate(NULL, (size_t)pixels * sizeof *picture);
    int32_t *seen = crd_cli_allocate(NULL, (size_t)dots->count * sizeof *seen);
    memset(seen, 0, (size_t)dots->count * sizeof *seen);
    for (int64_t i = 0; i < pixels; i++) picture[i] = -1;
    for (int64_t i = 0; i < dots->count; i++) paint(picture, dots, i);
    for (int64_t i = 0; i < pixels; i++)
        if (picture[i] >= 0) seen[picture[i]]++;
    int64_t kept = 0;
    for (int64_t i = 0; i < dots->count; i++)
        if (seen[i] >= LEAST_SEEN) dots->dot[kept++] = dots->dot[i];
    dots->count = kept;
    free(seen);
    free(picture);
}

/* Places: the square is cut into cells; a cell's weight is the group's dots in it and around it. */
enum { CELLS = 24 };

static bool is_apart(int32_t x, int32_t y, const int32_t *xs, const int32_t *ys, int count, int32_t apart)
{
    for (int i = 0; i < count; i++) {
        const int64_t dx = x - xs[i], dy = y - ys[i];
        if (dx * dx + dy * dy < (int64_t)apart * apart) return false;
    }
    return true;
}

bool crd_fig_dots_place(const crd_fig_dots *dots, int32_t group, const int32_t *x, const int32_t *y,
                        int before, int32_t apart, int32_t *place_x, int32_t *place_y)
{
    int64_t weight[CELLS + 2][CELLS + 2] = {{0}}, best = 0;
    for (int64_t i = 0; i < dots->count; i++) {
        const crd_fig_dot *dot = &dots->dot[i];
        if (dot->group != group) continue;
        const int32_t row = dot->y * CELLS / (dots->side + 1), column = dot->x * CELLS / (dots->side + 1);
        for (int dy = 0; dy < 3; dy++)
            for (int dx = 0; dx < 3; dx++) weight[row + dy][column + dx] += dy == 1 && dx == 1 ? 4 : 1;
    }
    for (int row = 0; row < CELLS; row++)
        for (int column = 0; column < CELLS; column++) {
            const int32_t at_x = (2 * column + 1) * dots->side / (2 * CELLS);
            const int32_t at_y = (2 * row + 1) * dots->side / (2 * CELLS);
            if (weight[row + 1][column + 1] <= best || !is_apart(at_x, at_y, x, y, before, apart)) continue;
            best = weight[row + 1][column + 1];
            *place_x = at_x;
            *place_y = at_y;
        }
    return best > 0;
}
