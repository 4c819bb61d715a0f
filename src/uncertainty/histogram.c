/* How many values lie where. */
#include <float.h>
#include <math.h>

#include "base/memory.h"
#include "credence_private.h"

static crd_status find_range(const double *value, int64_t count, double *low, double *high, crd_error *error)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        if (isnan(value[i]))
            return crd_fail(error, CRD_ERROR_ARGUMENT, "value %lld is not a number", (long long)i);
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

/* The bin whose edges say so: edges[bin] <= value < edges[bin + 1], the last one up to its upper edge. */
static int64_t bin_of(double value, const double *edges, int64_t bins)
{
    if (value < edges[1]) return 0; /* -infinity too */
    if (value >= edges[bins - 1]) return bins - 1;
    int64_t low = 0, high = bins; /* edges[low] <= value < edges[high] */
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (value < edges[middle]) high = middle;
        else low = middle;
    }
    return low;
}

crd_status crd_histogram(const double *value, const bool *positive, int64_t count, int64_t bins,
                         double *edges, int64_t *negatives, int64_t *positives, crd_error *error)
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
        const int64_t bin = bin_of(value[i], edges, bins);
        if (positive[i]) positives[bin]++;
        else negatives[bin]++;
    }
    return CRD_OK;
}
