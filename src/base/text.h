/* SPDX-License-Identifier: MIT */
/* A string that grows: for JSON, tables and messages. */
#ifndef CRD_BASE_TEXT_H
#define CRD_BASE_TEXT_H

#include "base/memory.h"
#include "base/numbers.h"

/* Zero-initialise. The first failure is kept: append freely, then check `status` once. */
typedef struct crd_text {
    char *bytes; /* always terminated; NULL until something is appended */
    int64_t length;
    int64_t capacity;
    crd_status status;
} crd_text;

void crd_text_add(crd_text *text, const char *string);
void crd_text_add_bytes(crd_text *text, const void *bytes, size_t count);
void crd_text_format(crd_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The length of the UTF-8 sequence at the start of a non-empty string; 0 if it is not valid. */
int crd_utf8_length(const char *string);
/* A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void crd_text_add_json_string(crd_text *text, const char *string);
/* Text for a page, with &, <, >, " and ' written out; bytes that are not UTF-8 become U+FFFD. */
void crd_text_add_html(crd_text *text, const char *string);
/* A JSON number: crd_number_text and crd_float_text. */
void crd_text_add_json_number(crd_text *text, double number);
void crd_text_add_json_float(crd_text *text, float number);
/* A field of CSV, in quotes if it needs them. */
void crd_text_add_csv(crd_text *text, const char *field);

/* Members of a JSON object, or items of an array if the key is NULL. They write a comma if one is needed; the caller
 * writes the brackets. */
void crd_json_key(crd_text *text, const char *key);
void crd_json_open(crd_text *text, const char *key, const char *bracket);      /* "{" or "[" */
void crd_json_add_string(crd_text *text, const char *key, const char *string); /* NULL: null */
void crd_json_add_integer(crd_text *text, const char *key, int64_t number);
void crd_json_add_number(crd_text *text, const char *key, double number);
void crd_json_add_float(crd_text *text, const char *key, float number);
void crd_json_add_bool(crd_text *text, const char *key, bool value);

/* Whether JSON is nested deeper than any file of ours: the parser calls itself for every level, and a caller's stack
 * may be small. */
enum { CRD_JSON_DEPTH = 64 };
bool crd_json_too_deep(const char *json, size_t length);

/* Hands the string over, or fails with the first failure; the text is empty afterwards. */
crd_status crd_text_finish(crd_text *text, char **string, crd_error *error);
void crd_text_free(crd_text *text);

#endif
