/* What a trial holds out, and how well it is then detected.
 *
 * Positives are nodes of the class held out that training or validation could have used; negatives are the
 * validation nodes of the classes that stay (early stopping looks at them too, as at the same nodes for every
 * candidate). Test nodes and the classes that are left out for good are neither: their labels are never
 * looked at. */
#ifndef CREDENCE_CLI_RUNS_TUNE_HELD_H
#define CREDENCE_CLI_RUNS_TUNE_HELD_H

#include "credence_private.h"
#include "output.h"

typedef struct crd_cli_held {
    crd_split *split; /* to train with */
    int64_t left_out; /* to train with */
    uint8_t *mark;    /* one a node: what it is when detection is measured */
    int64_t positives, negatives;
} crd_cli_held;

enum { CRD_CLI_MARK_NONE, CRD_CLI_MARK_NEGATIVE, CRD_CLI_MARK_POSITIVE };

/* Holds out a class (a number below classes - left_out): it is moved behind the others in `dataset` and left
 * out with those that are. Of two classes only one would stay, with nothing to tell apart: it is cut in two,
 * and `dataset` gets these halves as its classes. In one half are the training nodes, and the validation
 * nodes, which label propagation from one of them reaches most, measured by their rank: they lie together in
 * the graph, as a class does. */
crd_status crd_cli_hold_out(crd_dataset *dataset, const crd_split *split, int64_t left_out,
                            int32_t class_index, uint64_t seed, crd_cli_held *held,
                            crd_error *error) CRD_MUST_CHECK;
void crd_cli_held_free(crd_cli_held *held);

/* The AUROC of the epistemic uncertainty (of the aleatoric one for models that have no other), and the
 * accuracy on the negatives. */
crd_status crd_cli_held_measure(const crd_cli_held *held, const crd_dataset *dataset, const crd_model *model,
                                double *auroc, double *accuracy, crd_error *error) CRD_MUST_CHECK;

#endif
