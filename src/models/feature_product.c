/* SPDX-License-Identifier: MIT */
#include "models/feature_product.h"

#include <stdlib.h>

static crd_rows rows_of(const crd_features *f)
{
    return (crd_rows){f->rows, f->columns, f->sparse ? f->start : NULL, f->column, f->value, f->dense};
}

static crd_status open_transposed(crd_feature_product *p, const crd_features *features, int threads, crd_error *error)
{
    crd_status status = crd_features_transpose(features, &p->transposed, error);
    if (status != CRD_OK) return status;
    const crd_rows rows = rows_of(&p->transposed);
    const int64_t block = crd_packed_block(&rows, p->width);
    if (block == 0) return CRD_OK;
    status = crd_packed_open(&p->packed_transposed, &rows, p->width, block, true, error);
    crd_features_free(&p->transposed);
    if (status == CRD_OK) status = CRD_NEW(&p->room, crd_packed_room(&p->packed_transposed, p->width, threads), error);
    return status;
}

static crd_status open_dense(crd_feature_product *p, const crd_prepared *prepared, bool training, int threads,
                             crd_error *error)
{
    const crd_features *f = &prepared->features;
    p->is_dense = true;
    p->dense = (crd_dense){f->rows,        f->columns,      f->dense,         prepared->order,
                           prepared->mean, prepared->scale, prepared->factor, prepared->binary};
    return training ? CRD_NEW(&p->room, crd_dense_weight_room(&p->dense, p->width, threads), error) : CRD_OK;
}

crd_status crd_feature_product_open(crd_feature_product *p, const crd_prepared *prepared, int64_t width, bool training,
                                    int threads, crd_error *error)
{
    const crd_features *features = &prepared->features;
    *p = (crd_feature_product){.width = width};
    if (!features->sparse) return open_dense(p, prepared, training, threads, error);
    p->x = rows_of(features);
    if (!training) return CRD_OK; /* packing takes longer than one product */
    crd_status status = open_transposed(p, features, threads, error);
    const int64_t block = crd_packed_block(&p->x, width);
    if (status == CRD_OK && block > 0) status = crd_packed_open(&p->packed, &p->x, width, block, false, error);
    if (status != CRD_OK) crd_feature_product_close(p);
    return status;
}

int64_t crd_feature_product_bytes(const crd_prepared *prepared, int64_t width, int threads)
{
    const crd_features *f = &prepared->features;
    if (!f->sparse) {
        const crd_dense dense = {.rows = f->rows, .columns = f->columns};
        return crd_dense_weight_room(&dense, width, threads) * (int64_t)sizeof(float);
    }
    /* The transpose, and both matrices packed with all their values. */
    return f->start[f->rows] * (8 + 2 * 6) + (f->rows + f->columns) * 16;
}

void crd_feature_product_close(crd_feature_product *p)
{
    crd_free(p->room);
    crd_features_free(&p->transposed);
    crd_packed_close(&p->packed);
    crd_packed_close(&p->packed_transposed);
    *p = (crd_feature_product){0};
}

void crd_feature_product_forward(const crd_feature_product *p, const crd_kernels *kernels, crd_team *team,
                                 const float *weight, const float *bias, float *out)
{
    if (p->is_dense) crd_dense_forward(kernels, team, &p->dense, weight, p->width, bias, out);
    else if (p->packed.columns > 0) crd_packed_forward(kernels, team, &p->packed, weight, p->width, bias, out);
    else crd_linear_forward(kernels, team, &p->x, weight, p->width, bias, out);
}

void crd_feature_product_backward(const crd_feature_product *p, const crd_kernels *kernels, crd_team *team,
                                  float *gradient, float *d_weight)
{
    const crd_rows transposed = rows_of(&p->transposed);
    if (p->is_dense) crd_dense_backward_weight(kernels, team, &p->dense, gradient, p->width, p->room, d_weight);
    else if (p->packed_transposed.columns > 0)
        crd_packed_gradient(kernels, team, &p->packed_transposed, gradient, p->width, p->room, d_weight);
    else crd_sparse_backward_weight(kernels, team, &transposed, gradient, p->width, d_weight);
}
