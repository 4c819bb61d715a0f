/* Building JSON. Only a lack of memory can fail here, and it ends the command. */
#ifndef CREDENCE_CLI_RUNS_JSON_H
#define CREDENCE_CLI_RUNS_JSON_H

#include <jansson.h>

#include "base/text.h"
#include "config_text.h"
#include "credence_private.h"

/* Both take ownership of the value; NULL becomes null. */
void crd_cli_json_set(json_t *object, const char *key, json_t *value);
/* The same for several keys, each followed by its value; NULL ends the list. */
void crd_cli_json_add(json_t *object, const char *key, ...) __attribute__((sentinel));
/* A new object of such a list. */
json_t *crd_cli_json_new(const char *key, ...) __attribute__((sentinel));
void crd_cli_json_append(json_t *array, json_t *value);

/* A number; null for NaN and infinities. `rounded` keeps twelve digits, so that nobody has to read
 * 88.510000000000005. */
json_t *crd_cli_json_number(double value);
json_t *crd_cli_json_rounded(double value);
/* Text from outside: bytes that are not UTF-8, as in some file names, become question marks. */
json_t *crd_cli_json_string(const char *text);
json_t *crd_cli_json_config(const crd_config *config, crd_cli_config_part part);
/* A new reference to a value of an object, to put into another one; NULL if there is none. */
json_t *crd_cli_json_copied(const json_t *object, const char *key);

/* Follows "a.b.c" into an object; NULL if there is no such path. The number there, or NaN. */
const json_t *crd_cli_json_at(const json_t *object, const char *path);
double crd_cli_json_number_at(const json_t *object, const char *path);
const char *crd_cli_json_string_at(const json_t *object, const char *path);
/* Whether two objects have the same value for a key, or both lack it. */
bool crd_cli_json_same(const json_t *a, const json_t *b, const char *key);

/* On one line without spaces, with numbers in the shortest form that reads back the same. The caller frees it. */
char *crd_cli_json_text(const json_t *value);
/* An array of objects as CSV, one line each, with a heading: their values of these columns, "name,name=path,...".
 * null is empty, and switches are on or off. Releases the array; the caller frees the text. */
char *crd_cli_json_csv(json_t *lines, const char *columns);

#endif
