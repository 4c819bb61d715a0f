/* SPDX-License-Identifier: MIT */
#include "base/dates.h"

#include <stdint.h>
#include <string.h>

#include "base/numbers.h"

/* Reads exactly `digits` digits and moves the cursor past them. */
static bool take_number(const char **at, int digits, int least, int most, int *number)
{
    *number = 0;
    for (int i = 0; i < digits; i++, ++*at) {
        if (**at < '0' || **at > '9') return false;
        *number = *number * 10 + (**at - '0');
    }
    return *number >= least && *number <= most;
}

static bool take(const char **at, char c)
{
    if (**at != c) return false;
    ++*at;
    return true;
}

static int days_of(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

/* The year begins in March, so that a leap day is its last. */
static int64_t days_since_1970(int year, int month, int day)
{
    const int64_t y = year - (month <= 2), m = (month + 9) % 12;
    const int64_t century = y / 100, day_of_year = (153 * m + 2) / 5 + day - 1;
    return y * 365 + y / 4 - century + century / 4 + day_of_year - 719468;
}

/* "Z", "+01:00", "-0530" or nothing; *minutes is how far it is ahead of UTC. */
static bool take_zone(const char **at, int *minutes)
{
    int hour, minute;
    *minutes = 0;
    if (**at == '\0' || take(at, 'Z')) return true;
    const int sign = **at == '-' ? -1 : 1;
    if (!take(at, '+') && !take(at, '-')) return false;
    if (!take_number(at, 2, 0, 23, &hour)) return false;
    (void)take(at, ':');
    if (!take_number(at, 2, 0, 59, &minute)) return false;
    *minutes = sign * (hour * 60 + minute);
    return true;
}

static bool take_time(const char **at, double *seconds)
{
    int hour, minute, second = 0, zone;
    double part = 0.0, unit = 0.1;
    if (!take_number(at, 2, 0, 23, &hour) || !take(at, ':') || !take_number(at, 2, 0, 59, &minute)) return false;
    if (take(at, ':')) {
        if (!take_number(at, 2, 0, 59, &second)) return false;
        if (take(at, '.') && (**at < '0' || **at > '9')) return false;
        for (; **at >= '0' && **at <= '9' && (*at)[-1] != ':'; ++*at, unit /= 10.0) part += unit * (**at - '0');
    }
    if (!take_zone(at, &zone)) return false;
    *seconds = (double)((hour * 60 + minute - zone) * 60 + second) + part;
    return true;
}

bool crd_parse_date(const char *text, double *days)
{
    const char *at = text;
    int year, month, day;
    double seconds = 0.0;
    if (!take_number(&at, 4, 1, 9999, &year) || !take(&at, '-') || !take_number(&at, 2, 1, 12, &month) ||
        !take(&at, '-') || !take_number(&at, 2, 1, days_of(year, month), &day))
        return false;
    if ((take(&at, 'T') || take(&at, ' ')) && !take_time(&at, &seconds)) return false;
    if (*at != '\0') return false;
    *days = (double)days_since_1970(year, month, day) + seconds / 86400.0;
    return true;
}
