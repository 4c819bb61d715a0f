#include "answers/sample.h"

#include <stdlib.h>

#include "answers/classes.h"
#include "credence_private.h"

static crd_status allocate(const crd_prediction *p, crd_task task, crd_sample *s, crd_error *error)
{
    crd_status status = CRD_NEW(&s->node, s->count, error);
    if (status == CRD_OK) status = CRD_NEW(&s->positive, s->count, error);
    if (status == CRD_OK && task == CRD_TASK_MISCLASSIFICATION)
        status = CRD_NEW(&s->confidence, s->count, error);
    for (int k = 0; k < CRD_SCORES && status == CRD_OK; k++)
        if (p->score[k] != NULL) status = CRD_NEW(&s->score[k], s->count, error);
    return status;
}

static void fill(const crd_prediction *p, const int32_t *truth, bool detection, crd_sample *s)
{
    int64_t taken = 0;
    for (int64_t i = 0; i < p->nodes; i++) {
        const bool outside = truth[i] == CRD_TRUTH_OUT_OF_CLASSES;
        if (truth[i] < 0 && !(outside && detection)) continue;
        s->node[taken] = i;
        s->positive[taken] = detection ? outside : p->class_index[i] != truth[i];
        s->positives += s->positive[taken];
        if (s->confidence != NULL)
            s->confidence[taken] = (double)p->probability[i * p->classes + p->class_index[i]];
        for (int k = 0; k < CRD_SCORES; k++)
            if (s->score[k] != NULL) s->score[k][taken] = p->score[k][i];
        taken++;
    }
}

crd_status crd_sample_take(const crd_prediction *prediction, const int32_t *truth, crd_task task,
                           crd_sample **sample, crd_error *error)
{
    const bool detection = task != CRD_TASK_MISCLASSIFICATION;
    crd_sample *s;
    *sample = NULL;
    crd_status status = CRD_NEW_ZERO(&s, 1, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < prediction->nodes; i++)
        s->count += detection ? truth[i] != CRD_TRUTH_UNKNOWN : truth[i] >= 0;
    status = allocate(prediction, task, s, error);
    if (status != CRD_OK) {
        crd_sample_free(&s);
        return status;
    }
    fill(prediction, truth, detection, s);
    *sample = s;
    return CRD_OK;
}

void crd_sample_free(crd_sample **sample)
{
    if (sample == NULL || *sample == NULL) return;
    free((*sample)->node);
    free((*sample)->positive);
    free((*sample)->confidence);
    crd_scores_free((*sample)->score);
    free(*sample);
    *sample = NULL;
}

int64_t crd_sample_count(const crd_sample *sample)
{
    return sample->count;
}

const int64_t *crd_sample_node(const crd_sample *sample)
{
    return sample->node;
}

const bool *crd_sample_positive(const crd_sample *sample)
{
    return sample->positive;
}

const double *crd_sample_confidence(const crd_sample *sample)
{
    return sample->confidence;
}

const double *crd_sample_score(const crd_sample *sample, crd_score score)
{
    const int index = (int)score; /* a caller's value may be outside of the enumeration */
    return index < 0 || index >= CRD_SCORES ? NULL : sample->score[index];
}
