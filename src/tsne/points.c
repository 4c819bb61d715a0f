#include "tsne/points.h"

#include <math.h>
#include <stdlib.h>

crd_status crd_points_open(crd_points *points, const float *value, int64_t count, int64_t dims,
                           crd_error *error)
{
    *points = (crd_points){.count = count, .dims = dims};
    int64_t size;
    if (!crd_multiply(count, dims, &size))
        return crd_fail(error, CRD_ERROR_MEMORY, "%lld points of %lld numbers are more than memory can hold",
                        (long long)count, (long long)dims);
    double *mean = NULL;
    crd_status status = CRD_NEW(&points->value, size, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&mean, dims, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++)
        for (int64_t d = 0; d < dims; d++) {
            const float x = value[i * dims + d];
            if (!isfinite(x)) {
                status =
                    crd_fail(error, CRD_ERROR_NUMERIC, "point %lld: coordinate %lld is not a finite number",
                             (long long)i, (long long)d);
                break;
            }
            mean[d] += (double)x / (double)count;
        }
    if (status == CRD_OK) {
        double most = 0.0;
        for (int64_t i = 0; i < size; i++) most = fmax(most, fabs((double)value[i] - mean[i % dims]));
        const double scale = most > 0.0 ? 1.0 / most : 0.0;
        for (int64_t i = 0; i < size; i++)
            points->value[i] = (float)(((double)value[i] - mean[i % dims]) * scale);
    }
    free(mean);
    if (status != CRD_OK) crd_points_close(points);
    return status;
}

void crd_points_close(crd_points *points)
{
    free(points->value);
    points->value = NULL;
}
