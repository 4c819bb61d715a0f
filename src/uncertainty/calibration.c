/* The metrics that look at the probabilities themselves. */
#include "uncertainty/metrics.h"

#include <math.h>

double crd_accuracy(const int32_t *answer, const int32_t *truth, int64_t nodes)
{
    int64_t counted = 0, right = 0;
    for (int64_t i = 0; i < nodes; i++) {
        if (truth[i] < 0) continue;
        counted++;
        right += answer[i] == truth[i];
    }
    return counted == 0 ? NAN : (double)right / (double)counted;
}

double crd_ece(const float *probability, const int32_t *answer, const int32_t *truth, int64_t nodes,
               int32_t classes, int bins)
{
    /* A bin's |accuracy - confidence| times its nodes is |right - sum of confidence|: one sum is enough. */
    double gap[CRD_ECE_MAX_BINS] = {0};
    int64_t counted = 0;
    for (int64_t i = 0; i < nodes; i++) {
        if (truth[i] < 0) continue;
        double confidence = (double)probability[i * classes + answer[i]];
        double place = ceil(confidence * bins) - 1.0;
        int bin = !(place > 0.0) ? 0 : place < bins ? (int)place : bins - 1;
        gap[bin] += (answer[i] == truth[i] ? 1.0 : 0.0) - confidence;
        counted++;
    }
    double sum = 0.0;
    for (int b = 0; b < bins; b++) sum += fabs(gap[b]);
    return counted == 0 ? NAN : sum / (double)counted;
}

double crd_brier(const float *probability, const int32_t *truth, int64_t nodes, int32_t classes)
{
    double sum = 0.0;
    int64_t counted = 0;
    for (int64_t i = 0; i < nodes; i++) {
        if (truth[i] < 0) continue;
        for (int32_t k = 0; k < classes; k++) {
            double distance = (double)probability[i * classes + k] - (k == truth[i] ? 1.0 : 0.0);
            sum += distance * distance;
        }
        counted++;
    }
    return counted == 0 ? NAN : sum / (double)counted;
}

double crd_nll(const float *probability, const int32_t *truth, int64_t nodes, int32_t classes)
{
    double sum = 0.0;
    int64_t counted = 0;
    for (int64_t i = 0; i < nodes; i++) {
        if (truth[i] < 0) continue;
        sum -= log(fmax((double)probability[i * classes + truth[i]], CRD_NLL_FLOOR));
        counted++;
    }
    return counted == 0 ? NAN : sum / (double)counted;
}
