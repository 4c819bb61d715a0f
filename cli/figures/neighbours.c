#include "figures/neighbours.h"

#include <math.h>
#include <stdlib.h>

#include "output.h"

typedef struct nearest {
    double distance[CRD_FIG_NEIGHBOURS];
    int64_t node[CRD_FIG_NEIGHBOURS];
    int count;
} nearest;

/* Keeps the nearest, nearest first; of two that are equally far the one with the smaller number. */
static void offer(nearest *found, int64_t node, double distance)
{
    if (found->count == CRD_FIG_NEIGHBOURS && distance >= found->distance[found->count - 1]) return;
    int at = found->count < CRD_FIG_NEIGHBOURS ? found->count++ : found->count - 1;
    for (; at > 0 && found->distance[at - 1] > distance; at--) {
        found->distance[at] = found->distance[at - 1];
        found->node[at] = found->node[at - 1];
    }
    found->distance[at] = distance;
    found->node[at] = node;
}

static void find(const float *points, int64_t count, int64_t dims, const int32_t *label, int64_t of,
                 nearest *found)
{
    found->count = 0;
    for (int64_t j = 0; j < count; j++) {
        if (j == of || label[j] < 0) continue;
        float distance = 0.0f;
        for (int64_t d = 0; d < dims; d++) {
            float difference = points[j * dims + d] - points[of * dims + d];
            distance += difference * difference;
        }
        offer(found, j, (double)distance);
    }
}

crd_fig_neighbours crd_fig_neighbours_of(const float *points, int64_t count, int64_t dims,
                                         const int32_t *label, int32_t classes)
{
    const int64_t sample = count < CRD_FIG_SAMPLE ? count : CRD_FIG_SAMPLE;
    int64_t asked[2] = {0, 0}, alike[2] = {0, 0};
    for (int64_t s = 0; s < sample; s++) {
        const int64_t i = s * count / sample;
        if (label[i] < 0) continue;
        const bool out = label[i] >= classes;
        nearest found;
        find(points, count, dims, label, i, &found);
        asked[out] += found.count;
        for (int n = 0; n < found.count; n++)
            alike[out] += out ? label[found.node[n]] >= classes : label[found.node[n]] == label[i];
    }
    return (crd_fig_neighbours){.same = asked[0] > 0 ? (double)alike[0] / (double)asked[0] : (double)NAN,
                                .ood = asked[1] > 0 ? (double)alike[1] / (double)asked[1] : (double)NAN};
}

double crd_fig_dimensions(const float *points, int64_t count, int64_t dims)
{
    double *mean = crd_cli_allocate(NULL, (size_t)dims * sizeof *mean);
    double trace = 0.0, square = 0.0;
    for (int64_t d = 0; d < dims; d++) {
        mean[d] = 0.0;
        for (int64_t i = 0; i < count; i++) mean[d] += (double)points[i * dims + d] / (double)count;
    }
    for (int64_t a = 0; a < dims; a++)
        for (int64_t b = 0; b <= a; b++) {
            double sum = 0.0;
            for (int64_t i = 0; i < count; i++)
                sum += ((double)points[i * dims + a] - mean[a]) * ((double)points[i * dims + b] - mean[b]);
            if (a == b) trace += sum;
            square += (a == b ? 1.0 : 2.0) * sum * sum;
        }
    free(mean);
    return square > 0.0 ? trace * trace / square : 0.0;
}
