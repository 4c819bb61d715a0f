/* Another order of the classes. */
#ifndef CRD_GRAPH_ORDER_CLASSES_H
#define CRD_GRAPH_ORDER_CLASSES_H

#include "credence_private.h"
#include "graph/dataset.h"

/* crd_dataset_order_classes; without `names_follow` each place keeps its name: for names that are nothing but
 * the places' numbers, where the new order is the one to number by. */
crd_status crd_order_classes(crd_dataset *dataset, const int32_t *order, bool names_follow, crd_error *error);

#endif
