#include "lab/report_parts.h"

#include <stdlib.h>
#include <string.h>

#include "lab/json.h"
#include "lab/text.h"

json_t *crd_lab_report_commands(const char *folder)
{
    json_t *commands = json_array();
    char *path = crd_cli_text("%s/command.txt", folder), *text = crd_lab_text_read(path), *rest = NULL;
    for (char *line = text == NULL ? NULL : strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        crd_lab_json_append(commands, crd_lab_json_string(line));
    free(text);
    free(path);
    return commands;
}

json_t *crd_lab_report_versions(const crd_lab_runs *runs)
{
    json_t *versions = json_array();
    for (int64_t i = 0; i < runs->count; i++) {
        json_t *version = json_object_get(runs->run[i].line, "version"), *other;
        bool known = !json_is_string(version);
        size_t v;
        json_array_foreach(versions, v, other) known = known || json_equal(version, other);
        if (!known) crd_lab_json_append(versions, json_incref(version));
    }
    return versions;
}

double crd_lab_report_seconds(const crd_lab_runs *runs)
{
    double seconds = 0.0;
    for (int64_t i = 0; i < runs->count; i++)
        seconds += json_number_value(json_object_get(runs->run[i].line, "seconds"));
    return seconds;
}
