/* SPDX-License-Identifier: MIT */
/* The functions of one instruction set: CRD_NAME(flow_forward) is crd_flow_forward_avx2 if the file is compiled with
 * -DCRD_ISA=avx2. */
#ifndef CRD_KERNELS_HOT_ALL_H
#define CRD_KERNELS_HOT_ALL_H

#include "kernels/hot.h"

#define CRD_PASTE_(a, b) crd_##a##_##b
#define CRD_PASTE(a, b) CRD_PASTE_(a, b)
#define CRD_NAME(name) CRD_PASTE(name, CRD_ISA)

/* clang-format off */
#define CRD_EACH_KERNEL(X) \
    X(sparse_rows) X(dense_rows) X(packed_panel) X(scale_rows) \
    X(dense_transposed) X(add) X(add_to_doubles) X(sum_rows) X(activate) \
    X(activate_backward) X(flow_forward) X(flow_backward) X(evidence) X(diffuse) X(distance) \
    X(digamma_totals) X(divergence_totals) X(digamma_tile) X(divergence_tile) X(evidential) X(nearer) \
    X(attract) X(stretch) X(repel) X(spread) X(gather) X(hartley) X(adam)
/* clang-format on */

/* Declares each function as in the table in kernels/hot.h; __typeof__ is an extension of GCC and Clang. */
#define CRD_DECLARE(name) extern __typeof__(*((crd_kernels *)0)->name) CRD_NAME(name);
CRD_EACH_KERNEL(CRD_DECLARE)
#undef CRD_DECLARE

#endif
