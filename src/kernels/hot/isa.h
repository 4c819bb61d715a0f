/* Names of the functions of one instruction set: CRD_NAME(flow_forward) is crd_flow_forward_avx2 where the
 * file is compiled with -DCRD_ISA=avx2. */
#ifndef CRD_KERNELS_HOT_ISA_H
#define CRD_KERNELS_HOT_ISA_H

#include "kernels/hot.h"

#define CRD_PASTE_(a, b) crd_##a##_##b
#define CRD_PASTE(a, b) CRD_PASTE_(a, b)
#define CRD_NAME(name) CRD_PASTE(name, CRD_ISA)

#endif
