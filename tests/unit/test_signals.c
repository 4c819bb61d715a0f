/* SPDX-License-Identifier: MIT */
/* What a signal handler must not change. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>

#include "../../cli/signals.c"

/* The handler may interrupt a call that has just set errno. Here its own write fails, with EBADF. */
static void the_handler_keeps_errno(void **state)
{
    (void)state;
    const int kept = dup(STDERR_FILENO), terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) skip();
    const int other_end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    assert_true(other_end >= 0);
    dup2(other_end, STDERR_FILENO);
    crd_cli_catch_signals("finishing");
    assert_true(said_length > 0);
    close(STDERR_FILENO);
    errno = ENOTTY;
    raise(SIGINT);
    const int after = errno;
    dup2(kept, STDERR_FILENO);
    assert_int_equal(after, ENOTTY);
    assert_true(crd_cli_interrupted());
    close(terminal);
    close(other_end);
    close(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_handler_keeps_errno)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
