/* SPDX-License-Identifier: MIT */
/* R_alpha, a tile of classes at a time: see kernels/losses.c. */
#include "kernels/hot/all.h"
#include "kernels/hot/wide.h"

enum { TILE = WIDE_LANES };

void CRD_NAME(digamma_totals)(int64_t begin, int64_t end, int64_t classes, int64_t stride, const float *evidence,
                              double *table, double *trigamma)
{
    for (int64_t i = begin; i < end; i += WIDE_LANES) {
        const int64_t count = end - i < WIDE_LANES ? end - i : WIDE_LANES;
        double total[WIDE_LANES] = {0}, psi[WIDE_LANES], slope[WIDE_LANES];
        for (int64_t l = 0; l < count; l++)
            for (int64_t k = 0; k < classes; k++) total[l] += (double)evidence[(i + l) * stride + k];
        const wide alpha = wide_load(total) + (double)classes;
        wide_store(psi, wide_digamma(alpha));
        wide_store(slope, wide_trigamma(alpha));
        for (int64_t l = 0; l < count; l++) {
            table[2 * (i + l)] = psi[l];
            table[2 * (i + l) + 1] = total[l];
            trigamma[i + l] = slope[l];
        }
    }
}

double CRD_NAME(divergence_totals)(int64_t begin, int64_t end, const int64_t *start, const int32_t *neighbour,
                                   const double *table, double *common)
{
    double sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        const double psi = table[2 * i], total = table[2 * i + 1];
        double psi_apart = 0.0, apart = 0.0;
        for (int64_t e = start[i]; e < start[i + 1]; e++) {
            const double *other = table + 2 * (int64_t)neighbour[e];
            psi_apart += psi - other[0];
            apart += total - other[1];
            sum += (psi - other[0]) * (total - other[1]);
        }
        common[i] = psi_apart + apart * common[i];
    }
    return sum;
}

void CRD_NAME(digamma_tile)(int64_t begin, int64_t end, int64_t stride, const float *evidence, double *table)
{
    for (int64_t i = begin; i < end; i++) {
        const wide own = wide_of_floats(evidence + i * stride);
        wide_store(table + i * 2 * TILE, wide_digamma(1.0 + own));
        wide_store(table + i * 2 * TILE + TILE, own);
    }
}

double CRD_NAME(divergence_tile)(int64_t begin, int64_t end, const int64_t *start, const int32_t *neighbour,
                                 const double *table, const double *common, int64_t classes, int64_t stride,
                                 double weight, float *gradient)
{
    wide sum = {0};
    for (int64_t i = begin; i < end; i++) {
        const wide psi = wide_load(table + i * 2 * TILE);
        const wide own = wide_load(table + i * 2 * TILE + TILE);
        wide psi_apart = {0}, apart = {0};
        for (int64_t e = start[i]; e < start[i + 1]; e++) {
            const double *other = table + (int64_t)neighbour[e] * 2 * TILE;
            const wide psi_delta = psi - wide_load(other), delta = own - wide_load(other + TILE);
            psi_apart += psi_delta;
            apart += delta;
            sum += psi_delta * delta;
        }
        if (gradient == NULL) continue;
        double slope[TILE];
        wide_store(slope, psi_apart + apart * wide_trigamma(1.0 + own) - common[i]);
        for (int64_t k = 0; k < TILE && k < classes; k++) gradient[i * stride + k] += (float)(2.0 * weight * slope[k]);
    }
    double total = 0.0;
    for (int64_t k = 0; k < TILE && k < classes; k++) total += sum[k];
    return total;
}
