/* JSON that is put together. Only a lack of memory can fail here, and that ends the command. */
#ifndef CREDENCE_CLI_RUNS_JSON_H
#define CREDENCE_CLI_RUNS_JSON_H

#include <jansson.h>

#include "base/text.h"
#include "config_text.h"
#include "credence_private.h"

/* Both take the value over; NULL is null. */
void crd_cli_json_set(json_t *object, const char *key, json_t *value);
/* The same for several keys, each with its value behind it; NULL ends the list. */
void crd_cli_json_add(json_t *object, ...) __attribute__((sentinel));
void crd_cli_json_append(json_t *array, json_t *value);

/* A number, or null for what is no number; `rounded` keeps twelve digits, which spare readers
 * 88.510000000000005. */
json_t *crd_cli_json_number(double value);
json_t *crd_cli_json_rounded(double value);
/* Text from outside: bytes that are no UTF-8, as file names may hold, become question marks. */
json_t *crd_cli_json_string(const char *text);
json_t *crd_cli_json_config(const crd_config *config, crd_cli_config_part part);
/* A value of an object that goes into another one; NULL if there is none. */
json_t *crd_cli_json_copied(const json_t *object, const char *key);

/* Follows "a.b.c" into an object; NULL if there is no such place. The number there, or NaN. */
const json_t *crd_cli_json_at(const json_t *object, const char *path);
double crd_cli_json_number_at(const json_t *object, const char *path);
const char *crd_cli_json_string_at(const json_t *object, const char *path);
/* Whether two objects have the same value of a key, or none of them has it. */
bool crd_cli_json_same(const json_t *a, const json_t *b, const char *key);

/* Hands over what was written, which the caller frees. */
char *crd_cli_take_text(crd_text *text);
/* In one line without spaces, numbers in the shortest form that reads back the same. The caller frees it. */
char *crd_cli_json_text(const json_t *value);

#endif
