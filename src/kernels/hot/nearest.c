/* SPDX-License-Identifier: MIT */
/* Neighbours by comparing all points: in some tens of dimensions no tree is faster. */
#include "kernels/hot/all.h"
#include "kernels/hot/vector.h"

/* Vectors of a panel that are compared at once: their sums stay in registers. */
enum { AT_ONCE = CRD_PANEL / LANES < 2 ? 1 : 2, STEP = AT_ONCE * LANES };

void CRD_NAME(nearer)(int64_t panels, int64_t dims, const float *panel, const float *query, int64_t first,
                      crd_near_list *list)
{
    for (int64_t from = 0; from < panels * CRD_PANEL; from += STEP) {
        const float *others = panel + from / CRD_PANEL * CRD_PANEL * dims + from % CRD_PANEL;
        vec sum[CRD_QUERIES][AT_ONCE];
        for (int q = 0; q < CRD_QUERIES; q++)
            for (int v = 0; v < AT_ONCE; v++) sum[q][v] = vec_set(0.0f);
        for (int64_t d = 0; d < dims; d++)
            for (int v = 0; v < AT_ONCE; v++) {
                const vec other = vec_load(others + d * CRD_PANEL + v * LANES);
                for (int q = 0; q < CRD_QUERIES; q++) {
                    const vec apart = other - query[q * dims + d];
                    sum[q][v] += apart * apart;
                }
            }
        for (int q = 0; q < CRD_QUERIES; q++) {
            uint32_t near = 0;
            for (int v = 0; v < AT_ONCE; v++) near |= vec_bits(sum[q][v] < list[q].limit) << v * LANES;
            if (near == 0) continue;
            float squared[STEP];
            for (int v = 0; v < AT_ONCE; v++) vec_store(squared + v * LANES, sum[q][v]);
            for (; near != 0; near &= near - 1) {
                const int l = __builtin_ctz(near);
                list[q].item[list[q].count++] = crd_size_key(squared[l], first + from + l);
            }
        }
    }
}
