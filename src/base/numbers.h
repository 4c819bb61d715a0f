/* SPDX-License-Identifier: MIT */
/* Numbers and words as text, read and written the same way in every locale. */
#ifndef CRD_BASE_NUMBERS_H
#define CRD_BASE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Read a number at *cursor and move the cursor past it. If there is none, or an integer does not fit, they return
 * false and the cursor stays. The caller checks what follows the number. */
bool crd_scan_int64(const char **cursor, int64_t *value);
bool crd_scan_double(const char **cursor, double *value); /* decimal, "nan", "inf", "infinity"; not hex */

/* Convert a whole string: false unless all of it, without the blanks around it, is such a number. */
bool crd_parse_int64(const char *text, int64_t *value);
bool crd_parse_double(const char *text, double *value); /* nan and inf included */

/* False if the number is not finite or too large for a float. */
bool crd_to_float(double number, float *value);

/* "%.<digits>g" with a decimal point. */
void crd_format_number(char *text, size_t size, int digits, double number);

#define CRD_NUMBER_SIZE 64
/* The shortest text that reads back as the same number; "null" for NaN and infinities, as in JSON. */
void crd_number_text(double number, char text[CRD_NUMBER_SIZE]);
/* The shortest text that reads back as the same float. */
void crd_float_text(float number, char text[CRD_NUMBER_SIZE]);

/* A space, a tab, or anything else that isspace knows in the C locale. */
bool crd_is_blank(char c);
const char *crd_skip_blanks(const char *text);

/* Whether `text` is `word`, which is in lower case; the case of ASCII letters does not matter. */
bool crd_is_word(const char *text, const char *word);
bool crd_ends_with(const char *text, const char *ending); /* the same for its end */
/* Empty, "na", "n/a", "nan", "null", "none", "?": a value that is missing. */
bool crd_is_missing(const char *text);

#endif
