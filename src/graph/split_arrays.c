#include "graph/split_arrays.h"

#include <string.h>

/* Ours and OGB's, PyTorch Geometric's masks, plain lists. */
const crd_split_array crd_split_arrays[CRD_SPLIT_ARRAYS] = {
    {CRD_ROLE_TRAIN, {"split_train", "train_idx", "train_mask", "train_masks", "train"}},
    {CRD_ROLE_VALIDATION, {"split_valid", "split_val", "val_idx", "valid_idx", "val_mask", "val_masks",
                           "valid_mask", "valid_masks", "val", "valid"}},
    {CRD_ROLE_TEST, {"split_test", "test_idx", "test_mask", "test_masks", "test"}},
};

bool crd_is_split_array(const char *name)
{
    for (int r = 0; r < CRD_SPLIT_ARRAYS; r++)
        for (const char *const *spelling = crd_split_arrays[r].names; *spelling != NULL; spelling++)
            if (strcmp(*spelling, name) == 0) return true;
    return false;
}

bool crd_is_split_mask(const char *name, const crd_npy *npy)
{
    return npy->kind == CRD_NPY_BOOL || strstr(name, "_mask") != NULL;
}
