/* Small pieces that the text readers share: words and numbers at a cursor. None depends on the locale. */
#ifndef CRD_IO_NUMBERS_H
#define CRD_IO_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* Read a number at *cursor and move the cursor past it; false, and the cursor stays, if there is none or,
 * for an integer, if it does not fit. What follows the number is the caller's to look at. */
bool crd_scan_int64(const char **cursor, int64_t *value);
bool crd_scan_double(const char **cursor, double *value); /* decimal, "nan", "inf", "infinity"; not hex */

/* False if the number is not finite or too large for a float. */
bool crd_to_float(double number, float *value);

/* A space, a tab or what else isspace knows in the C locale. */
bool crd_is_blank(char c);
const char *crd_skip_blanks(const char *text);

/* Whether a word of the input is `word`, which is in lower case; the case of ASCII letters aside. */
bool crd_is_word(const char *text, const char *word);

#endif
