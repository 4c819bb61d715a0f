/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <inttypes.h>
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

int crd_utf8_length(const char *string)
{
    const unsigned char *s = (const unsigned char *)string;
    int length = s[0] < 0x80                   ? 1
                 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                               : 0;
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
        const unsigned char *plain = s; /* copied as it is, up to the next byte that needs an escape */
        for (int length; *s >= 0x20 && *s != 0x7f && *s != '"' && *s != '\\'; s += length)
            if ((length = crd_utf8_length((const char *)s)) == 0) break;
        crd_text_add_bytes(text, plain, (size_t)(s - plain));
        if (*s == '\0') break;
        if (*s == '"' || *s == '\\') crd_text_format(text, "\\%c", *s++);
        else if (*s < 0x20 || *s == 0x7f) crd_text_format(text, "\\u%04x", *s++);
        else {
            crd_text_add(text, "\\ufffd");
            s++;
        }
    }
    crd_text_add(text, "\"");
}

void crd_text_add_html(crd_text *text, const char *string)
{
    for (const unsigned char *s = (const unsigned char *)string; *s != '\0';) {
        const int length = crd_utf8_length((const char *)s);
        if (length == 0) crd_text_add(text, "\xef\xbf\xbd");
        else if (strchr("&<>\"'", *s) != NULL) crd_text_format(text, "&#%d;", *s);
        else crd_text_add_bytes(text, s, (size_t)length);
        s += length > 0 ? length : 1;
    }
}

void crd_text_add_json_number(crd_text *text, double number)
{
    char printed[CRD_NUMBER_SIZE];
    crd_number_text(number, printed);
    crd_text_add(text, printed);
}

void crd_text_add_json_float(crd_text *text, float number)
{
    char printed[CRD_NUMBER_SIZE];
    crd_float_text(number, printed);
    crd_text_add(text, printed);
}

void crd_json_key(crd_text *text, const char *key)
{
    const char before = text->length > 0 ? text->bytes[text->length - 1] : '{';
    if (before != '{' && before != '[' && before != ':') crd_text_add(text, ",");
    if (key == NULL) return;
    crd_text_add_json_string(text, key);
    crd_text_add(text, ":");
}

void crd_json_open(crd_text *text, const char *key, const char *bracket)
{
    crd_json_key(text, key);
    crd_text_add(text, bracket);
}

void crd_json_add_string(crd_text *text, const char *key, const char *string)
{
    crd_json_key(text, key);
    if (string != NULL) crd_text_add_json_string(text, string);
    else crd_text_add(text, "null");
}

void crd_json_add_integer(crd_text *text, const char *key, int64_t number)
{
    crd_json_key(text, key);
    crd_text_format(text, "%" PRId64, number);
}

void crd_json_add_number(crd_text *text, const char *key, double number)
{
    crd_json_key(text, key);
    crd_text_add_json_number(text, number);
}

void crd_json_add_float(crd_text *text, const char *key, float number)
{
    crd_json_key(text, key);
    crd_text_add_json_float(text, number);
}

void crd_json_add_bool(crd_text *text, const char *key, bool value)
{
    crd_json_key(text, key);
    crd_text_add(text, value ? "true" : "false");
}

/* Quoted if some reader could misread it: separators of any dialect, a comment sign in front, or blanks at the ends,
 * which some readers strip. */
void crd_text_add_csv(crd_text *text, const char *field)
{
    const size_t length = strlen(field);
    if (length > 0 && strpbrk(field, ",;\t\"\r\n") == NULL && strchr(" #%", field[0]) == NULL &&
        field[length - 1] != ' ') {
        crd_text_add(text, field);
        return;
    }
    crd_text_add(text, "\"");
    for (const char *quote; (quote = strchr(field, '"')) != NULL; field = quote + 1) {
        crd_text_add_bytes(text, field, (size_t)(quote - field));
        crd_text_add(text, "\"\"");
    }
    crd_text_add(text, field);
    crd_text_add(text, "\"");
}

bool crd_json_too_deep(const char *json, size_t length)
{
    int depth = 0;
    bool string = false;
    for (size_t i = 0; i < length && depth <= CRD_JSON_DEPTH; i++) {
        if (json[i] == '"') string = !string;
        else if (string && json[i] == '\\') i++;
        else if (!string && (json[i] == '[' || json[i] == '{')) depth++;
        else if (!string && (json[i] == ']' || json[i] == '}')) depth--;
    }
    return depth > CRD_JSON_DEPTH;
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
    crd_free(text->bytes);
    *text = (crd_text){0};
}
