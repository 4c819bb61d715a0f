#include "models/output.h"

#include <math.h>

static double largest(const float *row, int32_t classes)
{
    float most = row[0];
    for (int32_t k = 1; k < classes; k++)
        if (row[k] > most) most = row[k];
    return (double)most;
}

/* What the probabilities' numerators add up to; the largest logit is taken out, so that no exponential
 * overflows. */
static double total_of(crd_output output, const float *row, int32_t classes, double most)
{
    double total = output == CRD_OUTPUT_EVIDENCE ? (double)classes : 0.0;
    for (int32_t k = 0; k < classes; k++)
        total += output == CRD_OUTPUT_EVIDENCE ? (double)row[k] : exp((double)row[k] - most);
    return total;
}

double crd_output_surprise(crd_output output, const float *row, int32_t classes, int32_t class_index)
{
    const double own = (double)row[class_index];
    if (output == CRD_OUTPUT_EVIDENCE) return -log((1.0 + own) / total_of(output, row, classes, 0.0));
    const double most = largest(row, classes);
    return log(total_of(output, row, classes, most)) + most - own;
}

void crd_output_probability(crd_output output, const float *row, int32_t classes, float *probability)
{
    const double most = output == CRD_OUTPUT_LOGITS ? largest(row, classes) : 0.0;
    const double total = total_of(output, row, classes, most);
    for (int32_t k = 0; k < classes; k++) {
        const double part = output == CRD_OUTPUT_EVIDENCE ? 1.0 + (double)row[k] : exp((double)row[k] - most);
        probability[k] = (float)(part / total);
    }
}
