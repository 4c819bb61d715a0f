#include "lab/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void out_of_memory(void)
{
    exit(crd_cli_failf(CRD_CLI_FAILED, "out of memory"));
}

void crd_lab_json_set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value != NULL ? value : json_null()) != 0) out_of_memory();
}

void crd_lab_json_append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0) out_of_memory();
}

json_t *crd_lab_json_number(double value)
{
    return isfinite(value) ? json_real(value) : NULL;
}

json_t *crd_lab_json_item(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *crd_lab_json_string(const char *text)
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

char *crd_lab_json_text(json_t *object, size_t form)
{
    char *dump = json_dumps(object, form | JSON_REAL_PRECISION(12));
    if (dump == NULL) out_of_memory();
    char *text = crd_cli_text("%s\n", dump);
    free(dump);
    json_decref(object);
    return text;
}

char *crd_lab_json_lines(const char *path, json_t **lines)
{
    FILE *file = fopen(path, "r");
    char *text = NULL, *problem = NULL;
    size_t capacity = 0;
    ssize_t length;
    *lines = NULL;
    if (file == NULL) return crd_cli_text("%s: %s", path, strerror(errno));
    *lines = json_array();
    for (int64_t number = 1; problem == NULL && (length = getline(&text, &capacity, file)) >= 0; number++) {
        json_error_t error;
        if (strspn(text, " \t\r\n") == (size_t)length) continue;
        json_t *line = json_loadb(text, (size_t)length, 0, &error);
        if (json_is_object(line)) {
            crd_lab_json_append(*lines, line);
        } else {
            problem = crd_cli_text("%s: line %lld: not a JSON object", path, (long long)number);
            json_decref(line);
        }
    }
    if (problem == NULL && ferror(file)) problem = crd_cli_text("%s: cannot read", path);
    free(text);
    fclose(file);
    if (problem != NULL) {
        json_decref(*lines);
        *lines = NULL;
    }
    return problem;
}
