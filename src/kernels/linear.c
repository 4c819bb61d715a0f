#include "kernels/linear.h"

/* Blocks small enough to balance rows of uneven length, large enough to be worth handing out. A dense block
 * gathers the weights anew, and is whole panels. */
enum { BLOCK = 128, DENSE_BLOCK = 240 };

typedef struct {
    const crd_kernels *kernels;
    const crd_rows *x;
    const float *weight, *bias;
    int64_t width;
    float *out;
} sparse_job;

static void sparse_rows(int64_t begin, int64_t end, void *context)
{
    const sparse_job *j = context;
    j->kernels->sparse_rows(begin, end, j->x->start, j->x->column, j->x->value, j->weight, j->width, j->bias,
                            j->out);
}

static crd_dense dense_of(const crd_rows *x)
{
    return (crd_dense){.rows = x->rows, .columns = x->columns, .value = x->dense};
}

void crd_linear_forward(const crd_kernels *kernels, crd_team *team, const crd_rows *x, const float *weight,
                        int64_t width, const float *bias, float *out)
{
    if (x->start == NULL) {
        const crd_dense dense = dense_of(x);
        crd_dense_forward(kernels, team, &dense, weight, width, bias, out);
        return;
    }
    sparse_job j = {kernels, x, weight, bias, width, out};
    crd_parallel_rows(team, x->rows, BLOCK, sparse_rows, &j);
}

void crd_linear_backward_weight(const crd_kernels *kernels, crd_team *team, const crd_rows *x,
                                const crd_rows *transposed, const float *gradient, int64_t width,
                                float *d_weight)
{
    if (x->start == NULL) {
        const crd_dense dense = dense_of(x);
        crd_dense_backward_weight(kernels, team, &dense, gradient, width, NULL, d_weight);
        return;
    }
    crd_linear_forward(kernels, team, transposed, gradient, width, NULL, d_weight);
}

/* ---- dense ---- */

typedef struct {
    const crd_kernels *kernels;
    const crd_dense *x;
    const float *weight, *bias;
    int64_t width;
    float *out;
    float *partial; /* one out for each block of rows */
    int64_t rows;   /* of such a block */
} dense_job;

static void dense_rows(int64_t begin, int64_t end, void *context)
{
    const dense_job *j = context;
    j->kernels->prepared_rows(begin, end, j->x, j->weight, j->width, j->bias, j->out);
}

void crd_dense_forward(const crd_kernels *kernels, crd_team *team, const crd_dense *x, const float *weight,
                       int64_t width, const float *bias, float *out)
{
    dense_job j = {kernels, x, weight, bias, width, out, NULL, 0};
    crd_parallel_rows(team, x->rows, DENSE_BLOCK, dense_rows, &j);
}

/* Partial sums of x' * gradient over blocks of rows: as many as threads can share well, unless that takes too
 * much memory. Blocks are whole steps of what a kernel works on at a time. Who brings no memory has a little
 * on the stack, enough for narrow layers. */
enum { MOST_BLOCKS = 64, FEWEST_BLOCKS = 4, MOST_SUMS = 1 << 20, SUMS_ON_STACK = 1 << 14, ROWS_STEP = 96 };
/* Where they would be too large, a thread owns columns: few if there are few, so that all have some. */
enum { MANY_COLUMNS = 768, SMALL_COLUMN_BLOCK = 24, COLUMN_BLOCK = 96, ADDED_AT_A_TIME = 1024 };

/* Rows of a block; 0 for no partial sums. */
static int64_t block_rows(const crd_dense *x, int64_t width, int64_t most_sums)
{
    const int64_t sums = x->columns * width, steps = (x->rows + ROWS_STEP - 1) / ROWS_STEP;
    if (sums == 0 || most_sums / sums < FEWEST_BLOCKS) return 0;
    const int64_t blocks = most_sums / sums < MOST_BLOCKS ? most_sums / sums : MOST_BLOCKS;
    return (steps + blocks - 1) / blocks * ROWS_STEP;
}

int64_t crd_dense_partial(const crd_dense *x, int64_t width)
{
    const int64_t rows = block_rows(x, width, MOST_SUMS);
    return rows == 0 ? 0 : (x->rows + rows - 1) / rows * (x->columns * width);
}

static void transposed_columns(int64_t begin, int64_t end, void *context)
{
    const dense_job *j = context;
    j->kernels->prepared_transposed(0, j->x->rows, begin, end, j->x, j->weight, j->width, j->out);
}

static void transposed_rows(int64_t begin, int64_t end, void *context)
{
    const dense_job *j = context;
    j->kernels->prepared_transposed(begin, end, 0, j->x->columns, j->x, j->weight, j->width,
                                    j->partial + begin / j->rows * (j->x->columns * j->width));
}

static void add_partial(int64_t begin, int64_t end, void *context)
{
    const dense_job *j = context;
    const int64_t sums = j->x->columns * j->width, blocks = (j->x->rows + j->rows - 1) / j->rows;
    for (int64_t s = begin; s < end; s++) j->out[s] = 0.0f;
    for (int64_t b = 0; b < blocks; b++)
        for (int64_t s = begin; s < end; s++) j->out[s] += j->partial[b * sums + s];
}

void crd_dense_backward_weight(const crd_kernels *kernels, crd_team *team, const crd_dense *x,
                               const float *gradient, int64_t width, float *partial, float *d_weight)
{
    float on_stack[SUMS_ON_STACK];
    dense_job j = {kernels, x, gradient, NULL, width, d_weight, partial != NULL ? partial : on_stack,
                   block_rows(x, width, partial != NULL ? MOST_SUMS : SUMS_ON_STACK)};
    if (j.rows > 0) {
        crd_parallel_rows(team, x->rows, j.rows, transposed_rows, &j);
        crd_parallel_rows(team, x->columns * width, ADDED_AT_A_TIME, add_partial, &j);
    } else { /* all rows in order, whoever owns the column */
        crd_parallel_rows(team, x->columns, x->columns < MANY_COLUMNS ? SMALL_COLUMN_BLOCK : COLUMN_BLOCK,
                          transposed_columns, &j);
    }
}

/* ---- biases ---- */

typedef struct {
    const float *gradient;
    int64_t rows, width;
    float *d_bias;
} bias_job;

enum { STRIP = 16, ADDED_ROWS = 64 };

/* So many rows are added up in single precision, which vectors do fast, and all of those in double. */
static void add_rows(const float *rows, int64_t count, int64_t width, int64_t columns, double *sum)
{
    float part[STRIP] = {0};
    if (columns == STRIP) /* a length that the compiler knows */
        for (int64_t i = 0; i < count; i++)
            for (int c = 0; c < STRIP; c++) part[c] += rows[i * width + c];
    else
        for (int64_t i = 0; i < count; i++)
            for (int64_t c = 0; c < columns; c++) part[c] += rows[i * width + c];
    for (int64_t c = 0; c < columns; c++) sum[c] += (double)part[c];
}

static void bias_columns(int64_t begin, int64_t end, void *context)
{
    const bias_job *j = context;
    double sum[STRIP] = {0};
    for (int64_t i = 0; i < j->rows; i += ADDED_ROWS)
        add_rows(j->gradient + i * j->width + begin, j->rows - i < ADDED_ROWS ? j->rows - i : ADDED_ROWS, j->width,
                 end - begin, sum);
    for (int64_t c = begin; c < end; c++) j->d_bias[c] = (float)sum[c - begin];
}

void crd_linear_backward_bias(crd_team *team, const float *gradient, int64_t rows, int64_t width,
                              float *d_bias)
{
    bias_job j = {gradient, rows, width, d_bias};
    crd_parallel_rows(team, width, STRIP, bias_columns, &j);
}

void crd_transpose(const float *matrix, int64_t rows, int64_t columns, float *transposed)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) transposed[j * rows + i] = matrix[i * columns + j];
}
