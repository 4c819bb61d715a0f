#include "answers/classes.h"

#include <stdlib.h>
#include <string.h>

typedef struct named_class {
    const char *name;
    int32_t index;
} named_class;

/* By name; of equal names the smaller number first. */
static int by_name(const void *a, const void *b)
{
    const named_class *left = a, *right = b;
    int order = strcmp(left->name, right->name);
    return order != 0 ? order : (left->index > right->index) - (left->index < right->index);
}

/* The first class of that name, CRD_TRUTH_OUT_OF_CLASSES if there is none. */
static int32_t find_class(const named_class *sorted, int32_t count, const char *name)
{
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (strcmp(sorted[middle].name, name) < 0) low = middle + 1;
        else high = middle;
    }
    return low < count && strcmp(sorted[low].name, name) == 0 ? sorted[low].index : CRD_TRUTH_OUT_OF_CLASSES;
}

crd_status crd_classes_match(const crd_dataset *dataset, const char *const *names, int32_t count, int32_t **map,
                             crd_error *error)
{
    *map = NULL;
    named_class *sorted;
    int32_t classes = crd_dataset_classes(dataset);
    crd_status status = CRD_NEW(&sorted, count, error);
    if (status != CRD_OK) return status;
    for (int32_t c = 0; c < count; c++) sorted[c] = (named_class){names[c], c};
    if (count > 1) qsort(sorted, (size_t)count, sizeof *sorted, by_name);
    status = CRD_NEW(map, classes, error);
    for (int32_t c = 0; c < classes && status == CRD_OK; c++)
        (*map)[c] = find_class(sorted, count, crd_dataset_class_name(dataset, c));
    free(sorted);
    return status;
}

crd_status crd_truth_make(const crd_dataset *dataset, const char *const *names, int32_t count,
                          int32_t **truth, crd_error *error)
{
    int32_t *map;
    *truth = NULL;
    crd_status status = crd_classes_match(dataset, names, count, &map, error);
    if (status != CRD_OK) return status;
    int64_t nodes = crd_dataset_nodes(dataset);
    status = CRD_NEW(truth, nodes, error);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++) {
        int32_t label = crd_dataset_label(dataset, i);
        (*truth)[i] = label < 0 ? CRD_TRUTH_UNKNOWN : map[label];
    }
    free(map);
    return status;
}

crd_status crd_truth_for_model(const crd_dataset *dataset, const crd_model *model, int32_t **truth,
                               crd_error *error)
{
    crd_model_facts facts;
    const char **names;
    *truth = NULL;
    crd_model_get_facts(model, &facts);
    crd_status status = CRD_NEW(&names, facts.classes, error);
    if (status != CRD_OK) return status;
    for (int32_t c = 0; c < facts.classes; c++) names[c] = crd_model_class_name(model, c);
    status = crd_truth_make(dataset, names, facts.classes, truth, error);
    free(names);
    return status;
}
