#include "kernels/packed.h"

#include <stdlib.h>

/* A piece, a row's non-zeros in one block, costs a load and a store of its sums: it must be worth them. Large
 * blocks, for the second-level cache, save less, but there a few non-zeros make up for fetching sums. */
enum { WORTHWHILE = 10, WORTHWHILE_LARGE = 4, LARGE_BLOCK_FLOATS = 131072 };
/* Panels are as large as pays, since each fetches all weights again, unless that leaves too few to share. */
enum { SMALLEST_PANEL = 64, LARGEST_PANEL = 512, PANELS = 8, LARGEST_OF_LARGE = 1024, PANELS_OF_LARGE = 4 };

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Columns of a block: as many as have room in so many floats, which hold CRD_STRIP of the width. */
static int64_t block_columns(int64_t columns, int64_t width, int64_t floats)
{
    const int64_t strip = width < CRD_STRIP ? (width + 15) / 16 * 16 : CRD_STRIP;
    return at_most(columns, floats / strip);
}

static int64_t count_blocks(int64_t columns, int64_t block)
{
    return (columns + block - 1) / block;
}

static int64_t entries_a_piece(const crd_rows *x, int64_t block)
{
    return x->start[x->rows] / x->rows / count_blocks(x->columns, block);
}

int64_t crd_packed_block(const crd_rows *x, int64_t width)
{
    if (x->start == NULL || x->rows == 0 || x->columns == 0 || width == 0) return 0;
    const int64_t small = block_columns(x->columns, width, CRD_BLOCK_FLOATS);
    const int64_t large = block_columns(x->columns, width, LARGE_BLOCK_FLOATS);
    if (entries_a_piece(x, small) >= WORTHWHILE) return small;
    /* Where they lie, weights are whole vectors only if their width is. */
    return width % 16 == 0 && entries_a_piece(x, large) >= WORTHWHILE_LARGE ? large : 0;
}

/* scale[i] = the value of all entries of row i, 0 if it has none; false if there is none */
static bool scale_of_rows(const crd_rows *x, float *scale)
{
    for (int64_t i = 0; i < x->rows; i++) {
        const int64_t first = x->start[i];
        scale[i] = first < x->start[i + 1] ? x->value[first] : 0.0f;
        for (int64_t e = first; e < x->start[i + 1]; e++)
            if (x->value[e] != scale[i]) return false;
    }
    return true;
}

/* scale[j] = the value of all entries of column j, 0 if it has none; false if there is none. An entry that is
 * 0 cannot be told from a column without any, and is worth no scale. */
static bool scale_of_columns(const crd_rows *x, float *scale)
{
    for (int64_t j = 0; j < x->columns; j++) scale[j] = 0.0f;
    for (int64_t e = 0; e < x->start[x->rows]; e++) {
        float *s = &scale[x->column[e]];
        if (x->value[e] == 0.0f) return false;
        if (*s == 0.0f) *s = x->value[e];
        else if (*s != x->value[e]) return false;
    }
    return true;
}

/* How values are kept: as one number a row, as one a column if weights may be multiplied with it, or all of them.
 */
static crd_status keep_values(crd_packed *p, const crd_rows *x, bool used_up, crd_error *error)
{
    crd_status status = CRD_NEW(&p->row_scale, x->rows, error);
    if (status != CRD_OK || scale_of_rows(x, p->row_scale)) return status;
    free(p->row_scale);
    p->row_scale = NULL;
    if (!used_up) return CRD_NEW(&p->value, x->start[x->rows], error);
    status = CRD_NEW(&p->column_scale, x->columns, error);
    if (status != CRD_OK || scale_of_columns(x, p->column_scale)) return status;
    free(p->column_scale);
    p->column_scale = NULL;
    return CRD_NEW(&p->value, x->start[x->rows], error);
}

crd_status crd_packed_open(crd_packed *p, const crd_rows *x, int64_t width, int64_t block, bool used_up,
                           crd_error *error)
{
    /* Small blocks as wide as the weights lie next to each other anyway, and whole vectors are aligned. */
    const bool large = block > block_columns(x->columns, width, CRD_BLOCK_FLOATS);
    const bool in_place = large || (width % 16 == 0 && width <= CRD_STRIP);
    int64_t panel = x->rows / (large ? PANELS_OF_LARGE : PANELS);
    panel = at_most(panel, large ? LARGEST_OF_LARGE : LARGEST_PANEL);
    if (panel < SMALLEST_PANEL) panel = SMALLEST_PANEL;
    const int64_t blocks = count_blocks(x->columns, block);
    *p = (crd_packed){.rows = x->rows, .columns = x->columns, .panel = panel, .block = block,
                      .in_place = in_place};
    int64_t *next = NULL; /* of every row of a panel, the first entry that is not packed yet */
    crd_status status = CRD_NEW(&next, panel, error);
    if (status == CRD_OK) status = CRD_NEW(&p->start, x->rows / panel + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&p->count, x->rows * blocks, error);
    if (status == CRD_OK) status = CRD_NEW(&p->column, x->start[x->rows], error);
    if (status == CRD_OK) status = keep_values(p, x, used_up, error);
    if (status != CRD_OK) {
        free(next);
        crd_packed_close(p);
        return status;
    }
    uint16_t *count = p->count;
    int64_t at = 0;
    for (int64_t begin = 0; begin < x->rows; begin += panel) {
        const int64_t end = at_most(begin + panel, x->rows);
        p->start[begin / panel] = at;
        for (int64_t i = begin; i < end; i++) next[i - begin] = x->start[i];
        for (int64_t b = 0; b < blocks; b++)
            for (int64_t i = begin; i < end; i++) {
                int64_t e = next[i - begin];
                for (; e < x->start[i + 1] && x->column[e] < (b + 1) * block; e++, at++) {
                    p->column[at] = (uint16_t)(x->column[e] - b * block);
                    if (p->value != NULL) p->value[at] = x->value[e];
                }
                *count++ = (uint16_t)(e - next[i - begin]);
                next[i - begin] = e;
            }
    }
    free(next);
    return CRD_OK;
}

void crd_packed_close(crd_packed *p)
{
    free(p->start);
    free(p->count);
    free(p->column);
    free(p->value);
    free(p->row_scale);
    free(p->column_scale);
    *p = (crd_packed){0};
}

typedef struct {
    const crd_kernels *kernels;
    const crd_packed *x;
    const float *weight, *bias;
    int64_t width;
    float *out;
    float *used_up; /* weights to be scaled */
} job;

static void forward_panel(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    (void)end;
    j->kernels->packed_panel(begin / j->x->panel, j->x, j->weight, j->width, j->bias, j->out);
}

static void scale_weights(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    for (int64_t c = begin; c < end; c++)
        for (int64_t w = c * j->width; w < (c + 1) * j->width; w++) j->used_up[w] *= j->x->column_scale[c];
}

void crd_packed_use_up(const crd_kernels *kernels, crd_team *team, const crd_packed *packed, float *weight,
                       int64_t width, const float *bias, float *out)
{
    job j = {.x = packed, .width = width, .used_up = weight};
    if (packed->column_scale != NULL) crd_parallel_rows(team, packed->columns, 256, scale_weights, &j);
    crd_packed_forward(kernels, team, packed, weight, width, bias, out);
}

void crd_packed_forward(const crd_kernels *kernels, crd_team *team, const crd_packed *packed,
                        const float *weight, int64_t width, const float *bias, float *out)
{
    job j = {kernels, packed, weight, bias, width, out, NULL};
    crd_parallel_rows(team, packed->rows, packed->panel, forward_panel, &j);
}
