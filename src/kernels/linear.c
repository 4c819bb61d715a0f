#include "kernels/linear.h"


/* Blocks small enough to balance rows of uneven length, large enough to be worth handing out. */
enum { BLOCK = 128, COLUMN_BLOCK = 16 };

typedef struct {
    const crd_kernels *kernels;
    const crd_rows *x;
    const float *weight, *bias;
    int64_t width;
    float *out;
} job;

static void forward_rows(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    if (j->x->start != NULL)
        j->kernels->sparse_rows(begin, end, j->x->start, j->x->column, j->x->value, j->weight, j->width,
                                j->bias, j->out);
    else
        j->kernels->dense_rows(begin, end, j->x->dense, j->x->columns, j->weight, j->width, j->bias, j->out);
}

void crd_linear_forward(const crd_kernels *kernels, crd_team *team, const crd_rows *x, const float *weight,
                        int64_t width, const float *bias, float *out)
{
    job j = {kernels, x, weight, bias, width, out};
    crd_parallel_rows(team, x->rows, BLOCK, forward_rows, &j);
}

static void weight_columns(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    j->kernels->dense_transposed(begin, end, j->x->dense, j->x->rows, j->x->columns, j->weight, j->width,
                                 j->out);
}

void crd_linear_backward_weight(const crd_kernels *kernels, crd_team *team, const crd_rows *x,
                                const crd_rows *transposed, const float *gradient, int64_t width,
                                float *d_weight)
{
    if (x->start != NULL) {
        crd_linear_forward(kernels, team, transposed, gradient, width, NULL, d_weight);
        return;
    }
    /* A thread owns columns and walks all rows: every sum is made in row order, whoever makes it. */
    job j = {kernels, x, gradient, NULL, width, d_weight};
    crd_parallel_rows(team, x->columns, COLUMN_BLOCK, weight_columns, &j);
}

typedef struct {
    const float *gradient;
    int64_t rows, width;
    float *d_bias;
} bias_job;

static void bias_columns(int64_t begin, int64_t end, void *context)
{
    const bias_job *j = context;
    double sum[16];
    for (int64_t c = begin; c < end; c++) sum[c - begin] = 0.0;
    for (int64_t i = 0; i < j->rows; i++)
        for (int64_t c = begin; c < end; c++) sum[c - begin] += (double)j->gradient[i * j->width + c];
    for (int64_t c = begin; c < end; c++) j->d_bias[c] = (float)sum[c - begin];
}

void crd_linear_backward_bias(crd_team *team, const float *gradient, int64_t rows, int64_t width,
                              float *d_bias)
{
    bias_job j = {gradient, rows, width, d_bias};
    crd_parallel_rows(team, width, 16, bias_columns, &j);
}

void crd_transpose(const float *matrix, int64_t rows, int64_t columns, float *transposed)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) transposed[j * rows + i] = matrix[i * columns + j];
}
