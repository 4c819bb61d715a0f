/* SPDX-License-Identifier: MIT */
#include "runs/runs.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static void out_of_memory(void)
{
    exit(crd_cli_failf(CRD_CLI_FAILED, "out of memory"));
}

void crd_cli_json_set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value != NULL ? value : json_null()) != 0) out_of_memory();
}

static void add_all(json_t *object, const char *key, va_list list)
{
    for (; key != NULL; key = va_arg(list, const char *)) crd_cli_json_set(object, key, va_arg(list, json_t *));
}

void crd_cli_json_add(json_t *object, const char *key, ...)
{
    va_list list;
    va_start(list, key);
    add_all(object, key, list);
    va_end(list);
}

json_t *crd_cli_json_new(const char *key, ...)
{
    json_t *object = json_object();
    va_list list;
    va_start(list, key);
    add_all(object, key, list);
    va_end(list);
    return object;
}

void crd_cli_json_append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value != NULL ? value : json_null()) != 0) out_of_memory();
}

/* Hands over the text, which the caller frees. */
static char *take_text(crd_text *text)
{
    crd_text_add(text, "");
    if (text->status != CRD_OK || text->bytes == NULL) out_of_memory();
    return text->bytes;
}

json_t *crd_cli_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *crd_cli_json_rounded(double value)
{
    char text[40];
    crd_format_number(text, sizeof text, 12, value);
    return crd_cli_json_number(isfinite(value) ? strtod(text, NULL) : value);
}

json_t *crd_cli_json_string(const char *text)
{
    json_t *string = json_string(text);
    if (string != NULL) return string;
    char *ascii = crd_cli_text("%s", text);
    for (char *c = ascii; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    string = json_string(ascii);
    free(ascii);
    if (string == NULL) out_of_memory();
    return string;
}

json_t *crd_cli_json_config(const crd_config *config, crd_cli_config_part part)
{
    char *text = crd_cli_config_text(config, part, false);
    json_t *object = json_loads(text, 0, NULL);
    free(text);
    if (object == NULL) out_of_memory();
    return object;
}

json_t *crd_cli_json_copied(const json_t *object, const char *key)
{
    return json_incref(json_object_get(object, key));
}

const json_t *crd_cli_json_at(const json_t *object, const char *path)
{
    while (object != NULL) {
        size_t length = strcspn(path, ".");
        char key[64];
        if (length == 0 || length >= sizeof key) return NULL;
        memcpy(key, path, length);
        key[length] = '\0';
        object = json_object_get(object, key);
        if (path[length] == '\0') break;
        path += length + 1;
    }
    return object;
}

double crd_cli_json_number_at(const json_t *object, const char *path)
{
    const json_t *number = crd_cli_json_at(object, path);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

const char *crd_cli_json_string_at(const json_t *object, const char *path)
{
    return json_string_value(crd_cli_json_at(object, path));
}

bool crd_cli_json_same(const json_t *a, const json_t *b, const char *key)
{
    const json_t *left = json_object_get(a, key), *right = json_object_get(b, key);
    return left == right || json_equal(left, right);
}

static void write_value(crd_text *text, const json_t *value)
{
    const char *key, *separator = "";
    json_t *item;
    size_t i;
    if (json_is_object(value)) {
        crd_text_add(text, "{");
        json_object_foreach((json_t *)value, key, item)
        {
            crd_text_add(text, separator);
            crd_text_add_json_string(text, key);
            crd_text_add(text, ":");
            write_value(text, item);
            separator = ",";
        }
        crd_text_add(text, "}");
    } else if (json_is_array(value)) {
        crd_text_add(text, "[");
        json_array_foreach(value, i, item)
        {
            if (i > 0) crd_text_add(text, ",");
            write_value(text, item);
        }
        crd_text_add(text, "]");
    } else if (json_is_string(value)) {
        crd_text_add_json_string(text, json_string_value(value));
    } else if (json_is_integer(value)) {
        crd_text_format(text, "%lld", (long long)json_integer_value(value));
    } else if (json_is_real(value)) {
        crd_text_add_json_number(text, json_real_value(value));
    } else {
        crd_text_add(text, json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null");
    }
}

char *crd_cli_json_text(const json_t *value)
{
    crd_text text = {0};
    write_value(&text, value);
    return take_text(&text);
}

static void write_csv(crd_text *text, const json_t *value)
{
    if (json_is_string(value)) crd_text_add_csv(text, json_string_value(value));
    else if (json_is_boolean(value)) crd_text_add(text, json_is_true(value) ? "on" : "off");
    else if (value != NULL && !json_is_null(value)) write_value(text, value);
}

char *crd_cli_json_csv(json_t *lines, const char *columns)
{
    crd_text text = {0};
    for (size_t i = 0; i <= json_array_size(lines); i++) {
        for (const char *column = columns, *next; *column != '\0'; column = next) {
            const size_t name = strcspn(column, "=,"), length = strcspn(column, ",");
            const size_t from = column[name] == '=' ? name + 1 : 0;
            char *path = crd_cli_text("%.*s", (int)(length - from), column + from);
            if (i == 0) crd_text_format(&text, "%.*s", (int)name, column);
            else write_csv(&text, crd_cli_json_at(json_array_get(lines, i - 1), path));
            free(path);
            next = column + length + (column[length] == ',');
            crd_text_add(&text, *next == '\0' ? "\n" : ",");
        }
    }
    json_decref(lines);
    return take_text(&text);
}
