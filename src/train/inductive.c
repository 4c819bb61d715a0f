#include "train/train.h"

#include <stdlib.h>
#include <string.h>

/* The roles of the kept nodes. */
static crd_status cut_split(const crd_split *split, const uint8_t *keep, crd_split **cut, crd_error *error)
{
    crd_status status = crd_split_from_roles(split->roles, split->nodes, cut, error);
    if (status != CRD_OK) return status;
    memcpy((*cut)->description, split->description, sizeof split->description);
    (*cut)->nodes = 0;
    for (int64_t i = 0; i < split->nodes; i++)
        if (keep[i]) (*cut)->roles[(*cut)->nodes++] = split->roles[i];
    return CRD_OK;
}

/* Numbers the nodes that a model remembers as in the whole dataset. */
static void return_to_whole(crd_model *model, const uint8_t *keep)
{
    int64_t place = 0, next = 0;
    for (int64_t i = 0; next < model->remembered; i++)
        if (keep[i] && model->remembered_node[next] == place++) model->remembered_node[next++] = i;
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
    if (status == CRD_OK) status = crd_training_split(*model, dataset, split, error);
    if (status == CRD_OK) {
        return_to_whole(*model, keep);
        (*model)->config.inductive = true;
    } else {
        crd_model_free(model);
    }
    crd_split_free(&cut);
    crd_dataset_free(&smaller);
    free(keep);
    return status;
}
