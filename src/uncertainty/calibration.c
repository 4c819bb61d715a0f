/* SPDX-License-Identifier: MIT */
/* Histograms, and how far probabilities can be trusted. */
#include <float.h>
#include <math.h>

#include "uncertainty/metrics.h"

/* ---- histograms ---- */

static crd_status find_range(const double *value, int64_t count, double *low, double *high, crd_error *error)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        if (isnan(value[i])) return crd_fail(error, CRD_ERROR_ARGUMENT, "value %lld is not a number", (long long)i);
        if (isinf(value[i])) continue;
        *low = fmin(*low, value[i]);
        *high = fmax(*high, value[i]);
    }
    if (*low > *high) { /* nothing finite */
        *low = 0.0;
        *high = 1.0;
    } else if (*low == *high) {
        const double half = fmax(0.5, 1e-9 * fabs(*low));
        *low = fmax(*low - half, -DBL_MAX);
        *high = fmin(*high + half, DBL_MAX);
    }
    return CRD_OK;
}

crd_status crd_histogram(const double *value, const bool *positive, int64_t count, int64_t bins, double *edges,
                         int64_t *negatives, int64_t *positives, crd_error *error)
{
    double low, high;
    if (count < 0) return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld values were given", (long long)count);
    if (bins < 1) return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld bins were asked for", (long long)bins);
    crd_status status = find_range(value, count, &low, &high, error);
    if (status != CRD_OK) return status;
    for (int64_t b = 0; b <= bins; b++) {
        const double part = (double)b / (double)bins;
        const double edge = low * (1.0 - part) + high * part; /* high - low may be too large for a double */
        edges[b] = b == 0 ? low : fmin(fmax(edge, edges[b - 1]), high);
    }
    for (int64_t b = 0; b < bins; b++) negatives[b] = positives[b] = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t bin = 0; /* of -infinity too */
        while (bin < bins - 1 && value[i] >= edges[bin + 1]) bin++;
        (positive[i] ? positives : negatives)[bin]++;
    }
    return CRD_OK;
}

/* ---- calibration ---- */

double crd_accuracy(const int32_t *answer, const int32_t *truth, int64_t nodes)
{
    int64_t counted = 0, right = 0;
    for (int64_t i = 0; i < nodes; i++) {
        if (truth[i] < 0) continue;
        counted++;
        right += answer[i] == truth[i];
    }
    return (double)right / (double)counted; /* without nodes: 0 / 0 */
}

double crd_class_results(const int32_t *answer, const int32_t *truth, int64_t nodes, int32_t classes,
                         crd_class_result *results)
{
    double sum = 0.0;
    int32_t present = 0;
    for (int32_t c = 0; c < classes; c++) results[c] = (crd_class_result){0.0, 0.0, 0};
    for (int64_t i = 0; i < nodes; i++) {
        if (truth[i] < 0) continue;
        results[truth[i]].support++;
        results[answer[i]].precision++; /* answered with this class */
        if (answer[i] == truth[i]) results[truth[i]].recall++;
    }
    for (int32_t c = 0; c < classes; c++) {
        crd_class_result *r = &results[c];
        r->precision = r->recall / r->precision; /* 0 / 0 is NaN */
        r->recall /= (double)r->support;
        if (r->support == 0) continue;
        sum += r->recall;
        present++;
    }
    return sum / (double)present;
}

crd_status crd_reliability(const double *confidence, const bool *wrong, int64_t count, crd_reliability_bin *bins,
                           double *ece, crd_error *error)
{
    struct {
        int64_t count, right;
        double gap; /* right - sum of confidence: its size is the bin's part of the error */
    } bin[CRD_ECE_BINS] = {0};
    double error_sum = 0.0;
    if (CRD_ANY_NULL(error, bins, ece)) return CRD_ERROR_ARGUMENT;
    if (count > 0 && CRD_ANY_NULL(error, confidence, wrong)) return CRD_ERROR_ARGUMENT;
    if (count < 0) return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld answers were given", (long long)count);
    for (int64_t i = 0; i < count; i++) {
        if (isnan(confidence[i]))
            return crd_fail(error, CRD_ERROR_ARGUMENT, "confidence %lld is not a number", (long long)i);
        const int b = (int)fmin(fmax(ceil(confidence[i] * CRD_ECE_BINS) - 1.0, 0.0), CRD_ECE_BINS - 1.0);
        bin[b].count++;
        bin[b].right += !wrong[i];
        bin[b].gap += (wrong[i] ? 0.0 : 1.0) - confidence[i];
    }
    for (int b = 0; b < CRD_ECE_BINS; b++) {
        const double answers = (double)bin[b].count; /* without answers, the means are 0 / 0 */
        bins[b] = (crd_reliability_bin){.low = (double)b / CRD_ECE_BINS,
                                        .high = (double)(b + 1) / CRD_ECE_BINS,
                                        .count = bin[b].count,
                                        .confidence = ((double)bin[b].right - bin[b].gap) / answers,
                                        .accuracy = (double)bin[b].right / answers};
        error_sum += fabs(bin[b].gap);
    }
    *ece = error_sum / (double)count;
    return CRD_OK;
}

void crd_proper_scores(const float *probability, const int32_t *truth, int64_t nodes, int32_t classes, double *brier,
                       double *nll)
{
    double squares = 0.0, surprise = 0.0;
    int64_t counted = 0;
    for (int64_t i = 0; i < nodes; i++) {
        if (truth[i] < 0) continue;
        const float *row = probability + i * classes;
        for (int32_t k = 0; k < classes; k++) {
            double distance = (double)row[k] - (k == truth[i] ? 1.0 : 0.0);
            squares += distance * distance;
        }
        surprise -= log(fmax((double)row[truth[i]], CRD_NLL_FLOOR));
        counted++;
    }
    *brier = squares / (double)counted; /* without nodes: 0 / 0 */
    *nll = surprise / (double)counted;
}
