/* SPDX-License-Identifier: MIT */
/* Checks that calls succeed, or fail with the right status and the right message. */
#ifndef CRD_TESTS_OUTCOME_H
#define CRD_TESTS_OUTCOME_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "credence_private.h"

#define assert_ok(call) assert_int_equal(call, CRD_OK)
/* The call must fill a variable named `error` with a message that contains `part`. */
#define assert_fails(call, status, part) assert_failure(call, status, part, &error, __FILE__, __LINE__)

static inline void assert_failure(crd_status got, crd_status wanted, const char *part, const crd_error *error,
                                  const char *file, int line)
{
    if (got == wanted && error->status == wanted && strstr(error->message, part) != NULL) return;
    print_error("status %d (wanted %d): \"%s\" lacks \"%s\"\n", (int)got, (int)wanted, error->message, part);
    _fail(file, line);
}

#endif
