/* SPDX-License-Identifier: MIT */
/* Chooses the hot kernels' instruction set when a run starts, so that one binary is fast everywhere. */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "kernels/hot.h"

extern const crd_kernels crd_kernels_baseline;
#ifdef CRD_HAVE_X86
extern const crd_kernels crd_kernels_avx2;
extern const crd_kernels crd_kernels_avx512;
#endif

crd_status crd_kernels_pick(const crd_kernels **kernels, crd_error *error)
{
#ifdef CRD_HAVE_X86
    /* __builtin_cpu_supports of GCC and Clang asks the processor and the operating system. */
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
    const struct {
        const crd_kernels *kernels;
        bool available;
    } known[] = {
    /* best first */
#ifdef CRD_HAVE_X86
        {&crd_kernels_avx512, avx512},
        {&crd_kernels_avx2, avx2},
#endif
        {&crd_kernels_baseline, true},
    };
    const char *wanted = getenv("CREDENCE_CPU");
    if (wanted != NULL && wanted[0] == '\0') wanted = NULL;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (wanted != NULL && strcmp(wanted, known[i].kernels->name) != 0) continue;
        if (known[i].available) {
            *kernels = known[i].kernels;
            crd_log(CRD_LOG_DETAIL, "instruction set: %s, by %s", known[i].kernels->name,
                    wanted != NULL ? "CREDENCE_CPU" : "what the processor has");
            return CRD_OK;
        }
        if (wanted != NULL)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "CREDENCE_CPU=%s: this machine does not have it", wanted);
    }
    return crd_fail(error, CRD_ERROR_ARGUMENT,
                    "CREDENCE_CPU=%s: unknown, expected baseline, avx2 or avx512 (the last two on x86-64)", wanted);
}
