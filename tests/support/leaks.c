/* SPDX-License-Identifier: MIT */
/* Linked into every unit test. A failed assertion leaves its test at once, without freeing memory: after one, the
 * leak checker would only report that as well. */
#include <stddef.h>

struct CMUnitTest;

static int failed;

int __real__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
                                   int (*setup)(void **), int (*teardown)(void **));
int __wrap__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
                                   int (*setup)(void **), int (*teardown)(void **));
int __lsan_is_turned_off(void);

int __wrap__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
                                   int (*setup)(void **), int (*teardown)(void **))
{
    failed = __real__cmocka_run_group_tests(name, tests, count, setup, teardown);
    return failed;
}

int __lsan_is_turned_off(void)
{
    return failed != 0;
}
