/* The nodes that an evaluation looks at. */
#ifndef CRD_ANSWERS_SAMPLE_H
#define CRD_ANSWERS_SAMPLE_H

#include "answers/prediction.h"
#include "credence_private.h"

/* In the nodes' order. */
struct crd_sample {
    int64_t count, positives;
    int64_t *node;
    bool *positive;
    double *confidence;        /* the probability of the answer; NULL but for misclassification */
    double *score[CRD_SCORES]; /* NULL where the model has none */
};

/* OOD: every labelled node, positive where its class is not the model's. Shift: the same, as shifted nodes
 * are marked like those. Misclassification: the nodes of the model's classes, positive where the answer is
 * wrong. `truth` as in answers/classes.h. */
crd_status crd_sample_take(const crd_prediction *prediction, const int32_t *truth, crd_task task,
                           crd_sample **sample, crd_error *error);

#endif
