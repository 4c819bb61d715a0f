#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void crd_text_add_bytes(crd_text *text, const void *bytes, size_t count)
{
    if (text->status != CRD_OK) return;
    text->status = CRD_GROW(&text->bytes, &text->capacity, text->length + (int64_t)count + 1, NULL);
    if (text->status != CRD_OK) return;
    memcpy(text->bytes + text->length, bytes, count);
    text->length += (int64_t)count;
    text->bytes[text->length] = '\0';
}

void crd_text_add(crd_text *text, const char *string)
{
    crd_text_add_bytes(text, string, strlen(string));
}

void crd_text_format(crd_text *text, const char *format, ...)
{
    if (text->status != CRD_OK) return;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0) {
        text->status = CRD_GROW(&text->bytes, &text->capacity, text->length + length + 1, NULL);
        if (text->status == CRD_OK) {
            vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
            text->length += length;
        }
    }
    va_end(again);
}

/* The length of the UTF-8 sequence at s, 0 if it is none. */
static int utf8_length(const unsigned char *s)
{
    int length = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if (length == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0))) return 0;
    if (length == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))) return 0;
    return length;
}

void crd_text_add_json_string(crd_text *text, const char *string)
{
    crd_text_add(text, "\"");
    for (const unsigned char *s = (const unsigned char *)string; *s != '\0';) {
        int length = utf8_length(s);
        if (length == 0) {
            crd_text_add(text, "\\ufffd");
            s++;
        } else if (*s == '"' || *s == '\\') {
            crd_text_format(text, "\\%c", *s++);
        } else if (*s < 0x20 || *s == 0x7f) {
            crd_text_format(text, "\\u%04x", *s++);
        } else {
            crd_text_add_bytes(text, s, (size_t)length);
            s += length;
        }
    }
    crd_text_add(text, "\"");
}

void crd_text_add_html(crd_text *text, const char *string)
{
    for (const unsigned char *s = (const unsigned char *)string; *s != '\0';) {
        const int length = utf8_length(s);
        if (length == 0) crd_text_add(text, "\xef\xbf\xbd");
        else if (strchr("&<>\"'", *s) != NULL) crd_text_format(text, "&#%d;", *s);
        else crd_text_add_bytes(text, s, (size_t)length);
        s += length > 0 ? length : 1;
    }
}

void crd_format_number(char *text, size_t size, int digits, double number)
{
    snprintf(text, size, "%.*g", digits, number);
    if (!isfinite(number)) return;
    /* Whatever stands for the decimal point, in however many bytes, becomes one point. */
    char *to = text;
    for (const char *c = text; *c != '\0'; c++) {
        if (strchr("0123456789+-e", *c) != NULL) *to++ = *c;
        else if (to == text || to[-1] != '.') *to++ = '.';
    }
    *to = '\0';
}

/* The fewest digits, from 6 to 9, that read back as the same float: those whose value stays clearly inside
 * half a unit in the last place. By arithmetic, because printing and parsing until it fits is what makes
 * large tables slow. */
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

/* strtod and printf agree on the locale, so this comparison is made before the decimal point is settled. */
static int double_digits(double number)
{
    char text[64];
    for (int digits = 15; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number) return digits;
    }
    return 17;
}

static void add_number(crd_text *text, double number, int digits)
{
    char printed[64];
    crd_format_number(printed, sizeof printed, digits, number);
    crd_text_add(text, printed);
}

void crd_text_add_json_number(crd_text *text, double number)
{
    if (isfinite(number)) add_number(text, number, double_digits(number));
    else crd_text_add(text, "null");
}

void crd_text_add_json_float(crd_text *text, float number)
{
    if (isfinite(number)) add_number(text, (double)number, float_digits(number));
    else crd_text_add(text, "null");
}

crd_status crd_text_finish(crd_text *text, char **string, crd_error *error)
{
    crd_text_add(text, ""); /* an empty text becomes an empty string */
    crd_status status = text->status;
    *string = NULL;
    if (status == CRD_OK) {
        *string = text->bytes;
        text->bytes = NULL;
    } else {
        crd_fail_memory(error, (size_t)text->capacity);
    }
    crd_text_free(text);
    return status;
}

void crd_text_free(crd_text *text)
{
    free(text->bytes);
    *text = (crd_text){0};
}
