#include "train/train.h"

#include <stdlib.h>
#include <string.h>

#include "graph/dataset.h"
#include "models/model.h"

/* The roles of the kept nodes. */
static crd_status cut_split(const crd_split *split, const uint8_t *keep, crd_split **cut, crd_error *error)
{
    uint8_t *roles;
    int64_t count = 0;
    crd_status status = CRD_NEW(&roles, split->nodes, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < split->nodes; i++)
        if (keep[i]) roles[count++] = split->roles[i];
    status = crd_split_from_roles(roles, count, cut, error);
    if (status == CRD_OK) memcpy((*cut)->description, split->description, sizeof split->description);
    free(roles);
    return status;
}

/* Numbers the nodes of the split, and those that a model remembers, as in the whole dataset. */
static crd_status return_to_whole(crd_model *model, const crd_split *split, const uint8_t *keep, crd_error *error)
{
    crd_split *whole;
    crd_status status = crd_split_new(split->nodes, &whole, error);
    if (status != CRD_OK) return status;
    memcpy(whole->description, split->description, sizeof split->description);
    int64_t place = 0, next = 0;
    for (int64_t i = 0; i < split->nodes; i++) {
        const bool test = split->roles[i] == CRD_ROLE_TEST;
        whole->roles[i] = keep[i] ? split->roles[i] : test ? CRD_ROLE_TEST : CRD_ROLE_NONE;
        if (!keep[i]) continue;
        if (next < model->remembered && model->remembered_node[next] == place) model->remembered_node[next++] = i;
        place++;
    }
    crd_split_free(&model->split);
    model->split = whole;
    return CRD_OK;
}

crd_status crd_train_inductive(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                               const crd_train_options *options, crd_model **model, crd_error *error)
{
    const int64_t classes = dataset->classes - config->left_out;
    crd_config inside = *config;
    crd_dataset *smaller = NULL;
    crd_split *cut = NULL;
    uint8_t *keep;
    inside.inductive = false;
    crd_status status = CRD_NEW(&keep, split->nodes, error);
    for (int64_t i = 0; i < split->nodes && status == CRD_OK; i++) keep[i] = dataset->labels[i] < classes;
    if (status == CRD_OK) status = crd_dataset_subset(dataset, keep, &smaller, error);
    if (status == CRD_OK) status = cut_split(split, keep, &cut, error);
    if (status == CRD_OK) status = crd_train(smaller, cut, &inside, options, model, error);
    if (status == CRD_OK) status = return_to_whole(*model, split, keep, error);
    if (status == CRD_OK) (*model)->config.inductive = true;
    else crd_model_free(model);
    crd_split_free(&cut);
    crd_dataset_free(&smaller);
    free(keep);
    return status;
}
