/* The kinds of synthetic graphs behind crd_generate. Options were checked; each fills a new dataset's graph,
 * features and labels. */
#ifndef CRD_GRAPH_GENERATE_H
#define CRD_GRAPH_GENERATE_H

#include "graph/dataset.h"

/* The toy's edges grow with the square of its nodes. */
enum { CRD_TOY_CLASSES = 3, CRD_TOY_FEATURES = 3, CRD_TOY_MOST_NODES = 6000 };

crd_status crd_generate_toy(const crd_generate_options *options, crd_dataset *dataset, crd_error *error);
crd_status crd_generate_blocks(const crd_generate_options *options, crd_dataset *dataset, crd_error *error);

/* The class that a look-alike imitates; any other class is its own. */
static inline int32_t crd_sibling(const crd_generate_options *options, int32_t class_index)
{
    int32_t originals = options->classes - options->lookalikes;
    return class_index < originals ? class_index : (class_index - originals) % originals;
}

/* The bag of words of every node, by its class. */
crd_status crd_generate_words(const crd_generate_options *options, const int32_t *labels,
                              crd_features *features, crd_error *error);

#endif
