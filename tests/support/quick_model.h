/* SPDX-License-Identifier: MIT */
/* A model of a small graph, trained on a fixed split. */
#ifndef CRD_TESTS_QUICK_MODEL_H
#define CRD_TESTS_QUICK_MODEL_H

#include "credence_private.h"

static inline crd_model *train(const crd_dataset *dataset, const crd_config *config, const crd_train_options *options)
{
    crd_error error = {0};
    crd_split *split = NULL;
    crd_model *model = NULL;
    crd_status status = crd_split_make(dataset, "20/20/60", 0, 3, &split, &error);
    if (status == CRD_OK) status = crd_train(dataset, split, config, options, &model, &error);
    if (status != CRD_OK) fail_msg("%s", error.message);
    crd_split_free(&split);
    return model;
}

#endif
