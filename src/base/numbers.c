/* SPDX-License-Identifier: MIT */
#include "base/numbers.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool crd_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

const char *crd_skip_blanks(const char *text)
{
    while (crd_is_blank(*text)) text++;
    return text;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The length of `word` if the text begins with it, else -1. */
static int begins_with(const char *text, const char *word)
{
    int length = 0;
    for (; word[length] != '\0'; length++)
        if (lower(text[length]) != word[length]) return -1;
    return length;
}

bool crd_is_word(const char *text, const char *word)
{
    const int length = begins_with(text, word);
    return length >= 0 && text[length] == '\0';
}

bool crd_ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && crd_is_word(text + length - tail, ending);
}

bool crd_scan_int64(const char **cursor, int64_t *value)
{
    const char *s = *cursor;
    bool negative = *s == '-';
    if (*s == '-' || *s == '+') s++;
    if (!is_digit(*s)) return false;
    uint64_t limit = (uint64_t)INT64_MAX + negative, magnitude = 0;
    for (; is_digit(*s); s++) {
        uint64_t digit = (uint64_t)(*s - '0');
        if (magnitude > (limit - digit) / 10) return false;
        magnitude = magnitude * 10 + digit;
    }
    /* -2^63 has no positive counterpart, so the negation is unsigned. */
    *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    *cursor = s;
    return true;
}

/* strtod obeys the program's locale, where the decimal point may be a comma. So this call sets the C locale, for this
 * thread only (strtod_l would be shorter, but is not in POSIX 2008). The C library keeps that locale ready, so it
 * costs no allocation. */
static double convert_slowly(const char *text)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    double value = strtod(text, NULL);
    if (plain != (locale_t)0) {
        uselocale(before);
        freelocale(plain);
    }
    return value;
}

static bool scan_special(const char **cursor, const char *s, bool negative, double *value)
{
    static const char *const words[] = {"infinity", "inf", "nan"};
    for (int w = 0; w < 3; w++) {
        int length = begins_with(s, words[w]);
        if (length < 0) continue;
        double magnitude = w < 2 ? (double)INFINITY : (double)NAN;
        *value = negative ? -magnitude : magnitude;
        *cursor = s + length;
        return true;
    }
    return false;
}

/* Nearly every number in a file has at most 15 digits and a small exponent. Then both its digits and the power of ten
 * are exact doubles, and one multiplication or division rounds once, correctly. Other numbers go to strtod, which is
 * also correct but slower. */
bool crd_scan_double(const char **cursor, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const uint64_t full = UINT64_C(100000000000000000); /* one more digit still fits */
    const char *s = *cursor;
    bool negative = *s == '-';
    if (*s == '-' || *s == '+') s++;
    const char *first = s;
    uint64_t digits = 0;
    int64_t exponent = 0;
    bool lost = false, any = false, point = false;
    for (; is_digit(*s) || (*s == '.' && !point); s++) {
        if (*s == '.') {
            point = true;
            continue;
        }
        any = true;
        if (digits < full) {
            digits = digits * 10 + (uint64_t)(*s - '0');
            exponent -= point;
        } else {
            exponent += !point;
            lost |= *s != '0';
        }
    }
    if (!any) return scan_special(cursor, first, negative, value);
    if (*s == 'e' || *s == 'E') {
        const char *e = s + 1;
        bool down = *e == '-';
        if (*e == '-' || *e == '+') e++;
        if (is_digit(*e)) {
            int64_t power = 0;
            for (; is_digit(*e); e++)
                if (power < 100000) power = power * 10 + (*e - '0');
            exponent += down ? -power : power;
            s = e;
        }
    }
    /* FLT_EVAL_METHOD is 0 if arithmetic on doubles rounds to doubles; x87 would round twice. */
    bool exact = FLT_EVAL_METHOD == 0 && !lost && digits <= (UINT64_C(1) << 53);
    if (digits == 0) *value = negative ? -0.0 : 0.0;
    else if (exact && exponent >= -22 && exponent <= 22) {
        double magnitude = (double)digits;
        magnitude = exponent < 0 ? magnitude / powers[-exponent] : magnitude * powers[exponent];
        *value = negative ? -magnitude : magnitude;
    } else *value = convert_slowly(*cursor);
    *cursor = s;
    return true;
}

bool crd_to_float(double number, float *value)
{
    /* Halfway between the largest float and what would be the next one: from here on, numbers round to infinity. NaN
     * fails the comparison too. */
    if (!(fabs(number) < 0x1.ffffffp127)) return false;
    *value = (float)number;
    return true;
}

bool crd_parse_int64(const char *text, int64_t *value)
{
    int64_t number;
    const char *cursor = crd_skip_blanks(text);
    if (!crd_scan_int64(&cursor, &number) || *crd_skip_blanks(cursor) != '\0') return false;
    *value = number;
    return true;
}

bool crd_parse_double(const char *text, double *value)
{
    double number;
    const char *cursor = crd_skip_blanks(text);
    if (!crd_scan_double(&cursor, &number) || *crd_skip_blanks(cursor) != '\0') return false;
    *value = number;
    return true;
}

bool crd_is_missing(const char *text)
{
    static const char *const words[] = {"na", "n/a", "nan", "null", "none", "?"};
    text = crd_skip_blanks(text);
    if (*text == '\0') return true;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        int length = begins_with(text, words[w]);
        if (length > 0 && *crd_skip_blanks(text + length) == '\0') return true;
    }
    return false;
}

void crd_format_number(char *text, size_t size, int digits, double number)
{
    snprintf(text, size, "%.*g", digits, number);
    if (!isfinite(number)) return;
    /* The locale's decimal separator, which may be several bytes, becomes one point. */
    char *to = text;
    for (const char *c = text; *c != '\0'; c++) {
        if (strchr("0123456789+-e", *c) != NULL) *to++ = *c;
        else if (to == text || to[-1] != '.') *to++ = '.';
    }
    *to = '\0';
}

/* The fewest digits, from 6 to 9, that read back as the same float: their value stays clearly within half a unit in
 * the last place. Found by arithmetic, because printing and parsing until it fits makes large tables slow. */
static int float_digits(float number)
{
    const double x = fabs((double)number);
    if (x == 0.0) return 6;
    const double half_unit = 0.49 * (x - (double)nextafterf((float)x, 0.0f)); /* the smaller side */
    const int exponent = (int)floor(log10(x));
    for (int digits = 6; digits < 9; digits++) {
        const double scale = pow(10.0, digits - 1 - exponent);
        if (fabs(nearbyint(x * scale) / scale - x) < half_unit) return digits;
    }
    return 9;
}

/* strtod and printf agree on the locale, so this comparison comes before the decimal separator is replaced. */
static int double_digits(double number)
{
    char text[64];
    for (int digits = 15; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number) return digits;
    }
    return 17;
}

void crd_number_text(double number, char text[CRD_NUMBER_SIZE])
{
    if (isfinite(number)) crd_format_number(text, CRD_NUMBER_SIZE, double_digits(number), number);
    else snprintf(text, CRD_NUMBER_SIZE, "null");
}

void crd_float_text(float number, char text[CRD_NUMBER_SIZE])
{
    if (isfinite(number)) crd_format_number(text, CRD_NUMBER_SIZE, float_digits(number), (double)number);
    else snprintf(text, CRD_NUMBER_SIZE, "null");
}
