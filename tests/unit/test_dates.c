/* SPDX-License-Identifier: MIT */
/* Dates against the C library's calendar, and everything that is none. */
#define _DEFAULT_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/dates.h"

static void check(const char *text, double expected)
{
    double days = NAN;
    if (!crd_parse_date(text, &days)) fail_msg("'%s' is no date", text);
    if (fabs(days - expected) > 1e-9) fail_msg("'%s' is %.10f, expected %.10f", text, days, expected);
}

static void days_and_times(void **state)
{
    (void)state;
    check("1970-01-01", 0.0);
    check("1969-12-31", -1.0);
    check("2000-02-29", 11016.0);
    check("2026-01-31T12:00", 20484.5);
    check("2026-01-31 12:00:00", 20484.5);
    check("2026-01-31T12:00:00.000Z", 20484.5);
    check("2026-01-31T13:00+01:00", 20484.5);
    check("2026-01-31T06:30:00-0530", 20484.5);
    check("1970-01-01 00:00:43.2", 0.0005);
}

/* Every day of some centuries, as gmtime has them. */
static void every_day(void **state)
{
    (void)state;
    for (int64_t day = -80000; day < 80000; day++) {
        const time_t seconds = (time_t)(day * 86400);
        struct tm parts;
        char text[32];
        assert_non_null(gmtime_r(&seconds, &parts));
        assert_true(strftime(text, sizeof text, "%Y-%m-%d", &parts) == 10);
        check(text, (double)day);
    }
}

static void no_dates(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "2026",
                                        "2026-1-31",
                                        "2026-13-01",
                                        "2026-00-10",
                                        "2026-02-29",
                                        "1900-02-29",
                                        "2026-01-32",
                                        "31.01.2026",
                                        "01/31/2026",
                                        "2026-01-31x",
                                        "2026-01-31T",
                                        "20260131",
                                        "0000-01-01",
                                        "2026-01-31T24:00",
                                        "2026-01-31T12:60",
                                        "2026-01-31 12",
                                        "2026-01-31T12:00:00.",
                                        "2026-01-31T12:00+1",
                                        "2026-01-31T12:00z"};
    double days;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (crd_parse_date(texts[i], &days)) fail_msg("'%s' is a date", texts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_and_times),
        cmocka_unit_test(every_day),
        cmocka_unit_test(no_dates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
