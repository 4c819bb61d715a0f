/* The metrics that look at the probabilities themselves. */
#include "credence_private.h"
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

/* A bin's |accuracy - mean confidence| times its nodes is |right - sum of confidence|: one sum is enough. */
typedef struct tally {
    int64_t count, right;
    double gap; /* right - sum of confidence */
} tally;

static void count_answer(tally *bin, int bins, double confidence, bool right)
{
    double place = ceil(confidence * bins) - 1.0;
    tally *t = &bin[!(place > 0.0) ? 0 : place < bins ? (int)place : bins - 1];
    t->count++;
    t->right += right;
    t->gap += (right ? 1.0 : 0.0) - confidence;
}

static double calibration_error(const tally *bin, int bins)
{
    double sum = 0.0;
    int64_t counted = 0;
    for (int b = 0; b < bins; b++) {
        sum += fabs(bin[b].gap);
        counted += bin[b].count;
    }
    return counted == 0 ? NAN : sum / (double)counted;
}

double crd_ece(const float *probability, const int32_t *answer, const int32_t *truth, int64_t nodes,
               int32_t classes, int bins)
{
    tally bin[CRD_ECE_MAX_BINS] = {0};
    for (int64_t i = 0; i < nodes; i++)
        if (truth[i] >= 0)
            count_answer(bin, bins, (double)probability[i * classes + answer[i]], answer[i] == truth[i]);
    return calibration_error(bin, bins);
}

crd_status crd_reliability(const double *confidence, const bool *right, int64_t count,
                           crd_reliability_bin bins[CRD_ECE_BINS], double *ece, crd_error *error)
{
    tally bin[CRD_ECE_BINS] = {0};
    if (count < 0) return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld answers were given", (long long)count);
    for (int64_t i = 0; i < count; i++) {
        if (isnan(confidence[i]))
            return crd_fail(error, CRD_ERROR_ARGUMENT, "confidence %lld is not a number", (long long)i);
        count_answer(bin, CRD_ECE_BINS, confidence[i], right[i]);
    }
    for (int b = 0; b < CRD_ECE_BINS; b++) {
        const double answers = (double)bin[b].count; /* of none, the means are 0 / 0 */
        bins[b] = (crd_reliability_bin){.low = (double)b / CRD_ECE_BINS,
                                        .high = (double)(b + 1) / CRD_ECE_BINS,
                                        .count = bin[b].count,
                                        .confidence = ((double)bin[b].right - bin[b].gap) / answers,
                                        .accuracy = (double)bin[b].right / answers};
    }
    if (ece != NULL) *ece = calibration_error(bin, CRD_ECE_BINS);
    return CRD_OK;
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
