/* Other labels for the nodes of a dataset. */
#include <string.h>

#include "credence_private.h"
#include "graph/dataset.h"

crd_status crd_dataset_set_labels(crd_dataset *dataset, const int32_t *labels, crd_error *error)
{
    const int64_t nodes = dataset->input.nodes;
    for (int64_t i = 0; i < nodes; i++)
        if (labels[i] < -1 || labels[i] >= dataset->classes)
            return crd_fail(error, CRD_ERROR_ARGUMENT,
                            "the labels: node %lld has class %d, expected 0 to %d, or -1 for none",
                            (long long)i, (int)labels[i], (int)dataset->classes - 1);
    if (nodes > 0) memcpy(dataset->labels, labels, (size_t)nodes * sizeof *labels);
    crd_dataset_take_fingerprint(dataset);
    return CRD_OK;
}
