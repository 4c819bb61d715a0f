/* JSON that is put together: whatever cannot be made, for want of memory alone, ends the command. */
#ifndef CREDENCE_CLI_LAB_JSON_H
#define CREDENCE_CLI_LAB_JSON_H

#include <jansson.h>

#include "output.h"

/* Both take the value over; for an object NULL is null. */
void crd_lab_json_set(json_t *object, const char *key, json_t *value);
void crd_lab_json_append(json_t *array, json_t *value);

/* NULL for what is no number: null, once it is in an object. */
json_t *crd_lab_json_number(double value);
/* A number for an array, null for what is none. */
json_t *crd_lab_json_item(double value);
/* Text from outside: bytes that are no UTF-8, as file names may hold, become question marks. */
json_t *crd_lab_json_string(const char *text);

/* The object as a text with a line break behind it; it is freed. Twelve digits are more than any run's, and
 * spare readers 88.510000000000005. The caller frees the text. */
char *crd_lab_json_text(json_t *object, size_t form);

/* The objects of a file of JSON lines, empty lines left out: NULL with *lines set, or a sentence that says what
 * is wrong, which the caller frees, with *lines NULL. */
char *crd_lab_json_lines(const char *path, json_t **lines);

#endif
