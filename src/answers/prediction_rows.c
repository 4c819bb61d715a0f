/* SPDX-License-Identifier: MIT */
/* Rows of predictions: chosen, repeated, replaced. */
#include <string.h>

#include "answers/answers.h"

/* Replaces an array by the chosen ones of its rows; it is NULL if the prediction does not have it. */
static crd_status choose_rows(void **array, size_t bytes, const int64_t *rows, int64_t count, crd_error *error)
{
    void *chosen;
    if (*array == NULL) return CRD_OK;
    crd_status status = crd_allocate(&chosen, count, bytes, false, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < count; i++)
        memcpy((char *)chosen + (size_t)i * bytes, (const char *)*array + (size_t)rows[i] * bytes, bytes);
    crd_free(*array);
    *array = chosen;
    return CRD_OK;
}

crd_status crd_prediction_choose(crd_prediction *p, const int64_t *rows, int64_t count, crd_error *error)
{
    const size_t row = (size_t)p->classes * sizeof(float);
    int64_t *node;
    crd_status status = CRD_NEW(&node, count, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < count; i++) node[i] = p->node != NULL ? p->node[rows[i]] : rows[i];
    if (p->node == NULL) p->graph_nodes = p->nodes;
    crd_free(p->node);
    p->node = node;
    status = choose_rows((void **)&p->class_index, sizeof *p->class_index, rows, count, error);
    if (status == CRD_OK) status = choose_rows((void **)&p->probability, row, rows, count, error);
    if (status == CRD_OK) status = choose_rows((void **)&p->alpha, row, rows, count, error);
    if (status == CRD_OK) status = choose_rows((void **)&p->alpha_features, row, rows, count, error);
    if (status == CRD_OK)
        status = choose_rows((void **)&p->latent, (size_t)p->latent_dims * sizeof(float), rows, count, error);
    for (int s = 0; s < CRD_SCORES && status == CRD_OK; s++)
        status = choose_rows((void **)&p->score[s], sizeof(double), rows, count, error);
    if (status == CRD_OK) status = choose_rows((void **)&p->doubt, sizeof(double), rows, count, error);
    p->nodes = count;
    return status;
}

crd_status crd_prediction_repeat(crd_prediction *p, int64_t count, crd_error *error)
{
    int64_t *first;
    crd_status status = CRD_NEW_ZERO(&first, count, error);
    if (status == CRD_OK) status = crd_prediction_choose(p, first, count, error);
    crd_free(first);
    return status;
}

static void put_row(void *array, size_t bytes, int64_t row, const void *one)
{
    if (array != NULL) memcpy((char *)array + (size_t)row * bytes, one, bytes);
}

void crd_prediction_put(crd_prediction *p, int64_t row, const crd_prediction *one)
{
    const size_t bytes = (size_t)p->classes * sizeof(float);
    p->node[row] = one->node[0];
    put_row(p->class_index, sizeof *p->class_index, row, one->class_index);
    put_row(p->probability, bytes, row, one->probability);
    put_row(p->alpha, bytes, row, one->alpha);
    put_row(p->alpha_features, bytes, row, one->alpha_features);
    put_row(p->latent, (size_t)p->latent_dims * sizeof(float), row, one->latent);
    for (int s = 0; s < CRD_SCORES; s++) put_row(p->score[s], sizeof(double), row, one->score[s]);
    put_row(p->doubt, sizeof *p->doubt, row, one->doubt);
}
