#include "kernels/cross_entropy.h"

#include <math.h>

#include "base/tree.h"
#include "kernels/special.h"

typedef struct {
    const float *logits;
    int64_t classes, stride;
    const int64_t *nodes;
    const int32_t *labels;
    double share; /* of one node in the mean */
    float *gradient;
} job;

static void loss_rows(int64_t begin, int64_t end, double *sums, void *context)
{
    const job *j = context;
    for (int64_t t = begin; t < end; t++) {
        const float *row = j->logits + j->nodes[t] * j->stride;
        const double total = crd_log_sum_exp(row, j->classes);
        sums[0] += total - (double)row[j->labels[t]];
        if (j->gradient == NULL) continue;
        float *gradient = j->gradient + j->nodes[t] * j->stride;
        for (int64_t k = 0; k < j->classes; k++)
            gradient[k] = (float)(j->share * (exp((double)row[k] - total) - (k == j->labels[t] ? 1.0 : 0.0)));
    }
}

double crd_cross_entropy(const float *logits, int64_t rows, int64_t classes, int64_t stride, const int64_t *nodes,
                         const int32_t *labels, int64_t count, crd_team *team, float *gradient)
{
    job j = {logits, classes, stride, nodes, labels, 1.0 / (double)count, gradient};
    double sum;
    crd_parallel_sum_listed(team, rows, nodes, count, loss_rows, &j, 1, &sum);
    return sum / (double)count;
}
