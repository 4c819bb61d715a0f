#include "config_text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "options.h"

bool crd_cli_option_of_run(const char *option)
{
    return strcmp(option, "seed") == 0 || strcmp(option, "threads") == 0 || strcmp(option, "left-out") == 0;
}

/* The configuration as the library writes it; the command sees no table of the fields. */
static json_t *config_object(const crd_config *config)
{
    crd_error error;
    char *json = NULL;
    if (crd_config_json(config, &json, &error) != CRD_OK) exit(crd_cli_fail(&error));
    json_t *object = json_loads(json, 0, NULL);
    crd_string_free(&json);
    if (object == NULL) exit(crd_cli_failf(CRD_CLI_FAILED, "out of memory"));
    return object;
}

static char *value_text(const json_t *value)
{
    char number[CRD_NUMBER_SIZE];
    if (json_is_string(value)) return crd_cli_text("%s", json_string_value(value));
    if (json_is_boolean(value)) return crd_cli_text(json_is_true(value) ? "on" : "off");
    if (json_is_integer(value)) return crd_cli_text("%lld", (long long)json_integer_value(value));
    crd_number_text(json_real_value(value), number);
    return crd_cli_text("%s", number);
}

char *crd_cli_config_value(const crd_config *config, const char *option)
{
    json_t *object = config_object(config);
    char *text = value_text(json_object_get(object, option));
    json_decref(object);
    return text;
}

bool crd_cli_config_has(const crd_config *config, const char *option)
{
    json_t *object = config_object(config);
    bool has = json_object_get(object, option) != NULL;
    json_decref(object);
    return has;
}

static bool belongs(crd_cli_config_part part, const char *option)
{
    return part == CRD_CLI_OF_RUN ? strcmp(option, "threads") != 0 : !crd_cli_option_of_run(option);
}

char *crd_cli_config_text(const crd_config *config, crd_cli_config_part part, bool lines)
{
    json_t *object = config_object(config);
    char *text = crd_cli_text("{");
    bool first = true;
    for (int i = 0; i < crd_option_count(); i++) {
        const char *name = crd_option_at(i)->name;
        const json_t *value = json_object_get(object, name);
        if (!belongs(part, name) || value == NULL) continue;
        char *typed =
            json_is_boolean(value) ? crd_cli_text(json_is_true(value) ? "true" : "false") : value_text(value);
        const char *quote = json_is_string(value) ? "\"" : ""; /* choices need no escapes */
        char *longer = crd_cli_text("%s%s%s\"%s\": %s%s%s", text,
                                    first   ? ""
                                    : lines ? ","
                                            : ", ",
                                    lines ? "\n  " : "", name, quote, typed, quote);
        free(typed);
        free(text);
        text = longer;
        first = false;
    }
    char *whole = crd_cli_text("%s%s}", text, lines ? "\n" : "");
    free(text);
    json_decref(object);
    return whole;
}

const crd_option *crd_cli_find_option(const char *name, size_t length)
{
    for (int i = 0; i < crd_option_count(); i++) {
        const crd_option *option = crd_option_at(i);
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0) return option;
    }
    return NULL;
}

static const char *nearest_option(const char *typed)
{
    const char **names = crd_cli_allocate(NULL, (size_t)crd_option_count() * sizeof *names);
    for (int i = 0; i < crd_option_count(); i++) names[i] = crd_option_at(i)->name;
    const char *nearest = crd_cli_nearest(typed, names, crd_option_count());
    free(names);
    return nearest;
}

/* The library says which name is unknown (file: "hiden" is not an option), but not what is near. */
crd_status crd_cli_config_read(crd_config *config, const char *file, crd_error *error)
{
    static const char ending[] = "\" is not an option";
    crd_status status = crd_config_read(config, file, error);
    const size_t length = status == CRD_ERROR_ARGUMENT ? strlen(error->message) : 0;
    if (length < sizeof ending || strcmp(error->message + length - (sizeof ending - 1), ending) != 0)
        return status;
    char *before = crd_cli_text("%.*s", (int)(length - (sizeof ending - 1)), error->message);
    const char *quote = strrchr(before, '"'), *nearest = quote == NULL ? NULL : nearest_option(quote + 1);
    if (nearest != NULL)
        snprintf(error->message + length, sizeof error->message - length, " (did you mean %s?)", nearest);
    free(before);
    return status;
}

int crd_cli_unknown_option(const char *given_as, const char *name, size_t length)
{
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)(length < 60 ? length : 60), name);
    const char *nearest = nearest_option(typed);
    if (nearest == NULL)
        return crd_cli_failf(CRD_CLI_MISUSED, "%s: '%s' is no option of training", given_as, typed);
    return crd_cli_failf(CRD_CLI_MISUSED, "%s: '%s' is no option of training (did you mean %s?)", given_as,
                         typed, nearest);
}
