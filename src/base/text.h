/* A string that grows: for JSON, tables and messages. */
#ifndef CRD_BASE_TEXT_H
#define CRD_BASE_TEXT_H

#include "base/memory.h"

/* Zero-initialise. The first failure sticks: append freely, then look at `status` once. */
typedef struct crd_text {
    char *bytes; /* always terminated; NULL while nothing was appended */
    int64_t length;
    int64_t capacity;
    crd_status status;
} crd_text;

void crd_text_add(crd_text *text, const char *string);
void crd_text_add_bytes(crd_text *text, const void *bytes, size_t count);
void crd_text_format(crd_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void crd_text_add_json_string(crd_text *text, const char *string);
/* Text for a page, with &, <, >, " and ' written out; bytes that are not UTF-8 become U+FFFD. */
void crd_text_add_html(crd_text *text, const char *string);
/* A JSON number in the shortest form that reads back the same; null for NaN and infinities. */
void crd_text_add_json_number(crd_text *text, double number);
/* The same for a float: the shortest form that reads back the same float. */
void crd_text_add_json_float(crd_text *text, float number);
/* "%.<digits>g" with a decimal point, whatever the program's locale. */
void crd_format_number(char *text, size_t size, int digits, double number);
/* Hands the string over, or fails with what went wrong; the text is empty afterwards. */
crd_status crd_text_finish(crd_text *text, char **string, crd_error *error);
void crd_text_free(crd_text *text);

#endif
