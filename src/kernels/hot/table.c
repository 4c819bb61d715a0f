/* SPDX-License-Identifier: MIT */
/* The functions of one instruction set, as a table. */
#include "kernels/hot/all.h"
#include "kernels/hot/wide.h"

#define CRD_STRING_(text) #text
#define CRD_STRING(text) CRD_STRING_(text)
#define CRD_ENTRY(name) .name = CRD_NAME(name),

extern const crd_kernels CRD_NAME(kernels);
const crd_kernels CRD_NAME(kernels) = {.name = CRD_STRING(CRD_ISA), .tile = WIDE_LANES, CRD_EACH_KERNEL(CRD_ENTRY)};
