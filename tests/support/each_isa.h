/* SPDX-License-Identifier: MIT */
/* For tests of kernels: a team of three for all tests of a group, and checks in every instruction set of this
 * machine. */
#ifndef CRD_TESTS_EACH_ISA_H
#define CRD_TESTS_EACH_ISA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/parallel.h"
#include "kernels/hot.h"

static crd_team *team;

static inline int open_team(void **state)
{
    (void)state;
    return crd_team_open(3, &team, NULL) == CRD_OK ? 0 : -1;
}

static inline int close_team(void **state)
{
    (void)state;
    crd_team_close(&team);
    return 0;
}

/* Restores CREDENCE_CPU afterwards. */
static inline void with_each_isa(void (*check)(const crd_kernels *kernels))
{
    static const char *const isas[] = {"baseline", "avx2", "avx512"};
    const char *asked = getenv("CREDENCE_CPU");
    char *before = asked != NULL ? strdup(asked) : NULL;
    int ran = 0;
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++) {
        const crd_kernels *kernels;
        setenv("CREDENCE_CPU", isas[i], 1);
        if (crd_kernels_pick(&kernels, NULL) == CRD_OK) {
            assert_string_equal(kernels->name, isas[i]);
            check(kernels);
            ran++;
        }
    }
    if (before != NULL) setenv("CREDENCE_CPU", before, 1);
    else unsetenv("CREDENCE_CPU");
    free(before);
    assert_true(ran >= 1);
}

#endif
