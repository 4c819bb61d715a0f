/* Configurations as handles and as JSON objects, written to and read from files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/source.h"
#include "models/config.h"

crd_status crd_config_new(crd_config **config, crd_error *error)
{
    crd_status status = CRD_NEW(config, 1, error);
    if (status == CRD_OK) crd_config_defaults(*config);
    return status;
}

void crd_config_free(crd_config **config)
{
    if (config == NULL) return;
    free(*config);
    *config = NULL;
}

static bool is_named(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0) names++;
    return *names != NULL;
}

/* Numbers unchanged, "on" and "off" as true and false, words in quotes. */
static void add_value(crd_text *text, const crd_option *option, const char *value)
{
    double number;
    if (option->argument == NULL) crd_text_add(text, strcmp(value, "on") == 0 ? "true" : "false");
    else if (crd_parse_double(value, &number)) crd_text_add(text, value);
    else crd_text_add_json_string(text, value);
}

crd_status crd_config_json_without(const crd_config *config, const char *const *without, bool lines, char **json,
                                   crd_error *error)
{
    crd_text text = {0};
    crd_status status = CRD_OK;
    *json = NULL;
    crd_text_add(&text, "{");
    for (int i = 0; i < crd_option_count() && status == CRD_OK; i++) {
        const crd_option *option = crd_option_at(i);
        char *value;
        if (is_named(without, option->name) || !crd_config_has(config, option->name)) continue;
        status = crd_config_get(config, option->name, &value, error);
        if (status != CRD_OK) break;
        if (text.length > 1) crd_text_add(&text, lines ? "," : ", ");
        crd_text_format(&text, "%s\"%s\": ", lines ? "\n  " : "", option->name);
        add_value(&text, option, value);
        crd_string_free(&value);
    }
    crd_text_add(&text, lines ? "\n}" : "}");
    if (status == CRD_OK) return crd_text_finish(&text, json, error);
    crd_text_free(&text);
    return status;
}

crd_status crd_config_write(const crd_config *config, bool runtime, char **json, crd_error *error)
{
    static const char *const of_runtime[] = {"threads", NULL};
    return crd_config_json_without(config, of_runtime + runtime, false, json, error);
}

crd_status crd_config_json(const crd_config *config, char **json, crd_error *error)
{
    return crd_config_write(config, true, json, error);
}

/* A JSON value as the text that crd_config_set takes. */
static bool value_text(const json_t *value, char *text, size_t size)
{
    switch (json_typeof(value)) {
    case JSON_STRING:
        return (size_t)snprintf(text, size, "%s", json_string_value(value)) < size;
    case JSON_INTEGER:
        snprintf(text, size, "%lld", (long long)json_integer_value(value));
        return true;
    case JSON_REAL:
        crd_format_number(text, size, 17, json_real_value(value));
        return true;
    case JSON_TRUE:
        snprintf(text, size, "on");
        return true;
    case JSON_FALSE:
        snprintf(text, size, "off");
        return true;
    default:
        return false;
    }
}

/* The value of an option, under either spelling of its name. */
static const json_t *find_value(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    char other[32];
    snprintf(other, sizeof other, "%s", name);
    for (char *c = other; *c != '\0'; c++)
        if (*c == '-') *c = '_';
    return value != NULL ? value : json_object_get(object, other);
}

/* If a file has both weights of the regulariser, as all our files do, the one that is not 0 counts. */
static bool gives_way(const json_t *object, const char *name, const json_t *value)
{
    const char *other = strcmp(name, "reg-weight") == 0     ? "reg-strength"
                        : strcmp(name, "reg-strength") == 0 ? "reg-weight"
                                                            : NULL;
    if (other == NULL || !json_is_number(value) || json_number_value(value) != 0.0) return false;
    const json_t *weight = find_value(object, other);
    return json_is_number(weight) && json_number_value(weight) != 0.0;
}

static crd_status apply_preset(crd_config *config, const json_t *preset, const char *name, crd_error *error)
{
    crd_error inner;
    if (!json_is_string(preset)) return crd_fail(error, CRD_ERROR_FORMAT, "%s: \"preset\" is not a string", name);
    crd_status status = crd_config_preset(config, json_string_value(preset), &inner);
    return status == CRD_OK ? CRD_OK : crd_fail_in(error, name, &inner);
}

/* Checks that every key is an option or "preset", and that none occurs in two spellings. */
static crd_status check_keys(const json_t *object, const char *name, crd_error *error)
{
    crd_error inner;
    json_t *walked = (json_t *)(uintptr_t)object; /* jansson's iterators take no const */
    for (void *at = json_object_iter(walked); at != NULL; at = json_object_iter_next(walked, at)) {
        const char *key = json_object_iter_key(at);
        const crd_option *option = crd_option_find(key);
        if (option == NULL && strcmp(key, "preset") != 0) {
            crd_fail_about(&inner, CRD_ERROR_ARGUMENT, key, "is not an option");
            return crd_fail_in(error, name, &inner);
        }
        if (option != NULL && json_object_get(object, option->name) != NULL && strcmp(option->name, key) != 0)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: \"%.60s\" is given twice, under two spellings", name, key);
    }
    return CRD_OK;
}

crd_status crd_config_from_json(crd_config *config, const json_t *object, const char *name, bool lenient,
                                crd_error *error)
{
    if (!json_is_object(object))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: expected a JSON object of options", name);
    crd_config changed = *config;
    const json_t *preset = json_object_get(object, "preset");
    crd_status status = preset != NULL ? apply_preset(&changed, preset, name, error) : CRD_OK;
    if (status == CRD_OK && !lenient) status = check_keys(object, name, error);
    /* In the table's order, so that the order in the file does not matter. */
    for (int i = 0; i < crd_option_count() && status == CRD_OK; i++) {
        const char *key = crd_option_at(i)->name;
        const json_t *value = find_value(object, key);
        if (value == NULL || gives_way(object, key, value) || (lenient && !crd_config_has(&changed, key))) continue;
        char text[128];
        crd_error inner;
        if (!value_text(value, text, sizeof text))
            return crd_fail(error, CRD_ERROR_ARGUMENT,
                            "%s: \"%s\" has a value that is neither number, string nor true or false", name, key);
        status = crd_config_set(&changed, key, text, &inner);
        if (status != CRD_OK) crd_fail_in(error, name, &inner);
    }
    if (status == CRD_OK) *config = changed;
    return status;
}

crd_status crd_config_read(crd_config *config, const char *path, crd_error *error)
{
    crd_source *source;
    uint8_t *bytes;
    size_t size;
    crd_status status = crd_source_open(path, &source, error);
    if (status != CRD_OK) return status;
    status = crd_source_read_all(source, &bytes, &size, error);
    crd_source_free(&source);
    if (status != CRD_OK) return status;
    json_error_t problem;
    json_t *object = json_loadb((const char *)bytes, size, JSON_REJECT_DUPLICATES, &problem);
    free(bytes);
    if (object == NULL) {
        if (json_error_code(&problem) == json_error_out_of_memory) return crd_fail_memory(error, size);
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %d: not JSON: %s", path, problem.line, problem.text);
    }
    status = crd_config_from_json(config, object, path, false, error);
    json_decref(object);
    return status;
}
