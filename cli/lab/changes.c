#include "lab/changes.h"

#include <stdlib.h>
#include <string.h>

#include "config_text.h"

/* Which models an option means anything to: the library writes down those that a model has. */
static bool has_option(const crd_config *config, const char *option)
{
    bool weight = strcmp(option, "reg-weight") == 0 || strcmp(option, "reg-strength") == 0;
    return !(weight && config->reg == CRD_REG_NONE) && crd_config_has(config, option);
}

/* The first of the two that the command has among its options; NULL: neither. */
static const char *own_option(const crd_cli_options *options, const char *first, const char *second)
{
    const char *const names[] = {first, second};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        for (int i = 0; i < options->count; i++)
            if (strcmp(options->option[i].name, names[n]) == 0) return names[n];
    return NULL;
}

/* The place of an option in the library's list, -1 after having said what is wrong. */
static int find_option(const crd_cli_options *options, const char *name)
{
    const char *const elsewhere[][2] = {{"model", own_option(options, "models", "space")},
                                        {"seed", own_option(options, "seeds", "seed")},
                                        {"threads", own_option(options, "jobs", "threads")},
                                        {"left-out", "left-out"}};
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        if (strcmp(name, elsewhere[i][0]) == 0 && elsewhere[i][1] != NULL) {
            crd_cli_misused(options, "--set %s: this is what --%s is for", name, elsewhere[i][1]);
            return -1;
        }
    for (int i = 0; i < crd_option_count(); i++)
        if (strcmp(crd_option_at(i)->name, name) == 0) return i;
    crd_cli_unknown_option("--set", name, strlen(name));
    return -1;
}

/* Takes one "name=value". */
static int set_one(const crd_cli_options *options, const char *name, char *value, crd_lab_changes *changes)
{
    crd_config spare;
    crd_error error;
    int place = find_option(options, name);
    if (place < 0) return CRD_CLI_MISUSED;
    if (changes->value[place] != NULL) return crd_cli_misused(options, "--set: %s is given twice", name);
    crd_config_defaults(&spare);
    for (int i = 0; i < crd_kind_count() && !crd_config_has(&spare, name); i++)
        if (crd_config_set(&spare, "model", crd_kind_name(i), &error) != CRD_OK)
            return crd_cli_misused(options, "--set: %s", error.message);
    if (crd_config_set(&spare, name, value, &error) != CRD_OK)
        return crd_cli_misused(options, "--set %s=%s: %s", name, value, error.message);
    changes->value[place] = crd_cli_text("%s", value);
    return CRD_CLI_DONE;
}

/* A regulariser has one weight or the other: of two, one would be lost without a word. */
static int check_weights(const crd_cli_options *options, const crd_lab_changes *changes)
{
    int given = 0;
    for (int i = 0; i < crd_option_count(); i++) {
        const char *name = crd_option_at(i)->name;
        if (strcmp(name, "reg-strength") == 0 || strcmp(name, "reg-weight") == 0)
            given += changes->value[i] != NULL;
    }
    if (given < 2) return CRD_CLI_DONE;
    return crd_cli_misused(options, "--set: only one of reg-strength and reg-weight can be given");
}

int crd_lab_changes_read(const crd_cli_options *options, const char *text, crd_lab_changes *changes)
{
    const size_t count = (size_t)crd_option_count();
    int code = CRD_CLI_DONE;
    changes->value = crd_cli_allocate(NULL, count * sizeof *changes->value);
    changes->taken = crd_cli_allocate(NULL, count * sizeof *changes->taken);
    changes->made = crd_cli_allocate(NULL, count * sizeof *changes->made);
    memset(changes->value, 0, count * sizeof *changes->value);
    memset(changes->taken, 0, count * sizeof *changes->taken);
    memset(changes->made, 0, count * sizeof *changes->made);
    if (text == NULL) return CRD_CLI_DONE;
    char *copy = crd_cli_text("%s", text);
    for (char *at = copy; at != NULL && code == CRD_CLI_DONE;) {
        char *value = strchr(at, '=');
        if (value == NULL || value == at || memchr(at, ',', (size_t)(value - at)) != NULL) {
            code = crd_cli_misused(options, "--set: expected NAME=VALUE,..., found '%s'", at);
            break;
        }
        *value++ = '\0';
        /* A comma ends the value if a name and its '=' follow; else it is one of the value's own. */
        char *comma = strchr(value, ','), *equals = strchr(value, '=');
        if (equals == NULL) comma = NULL;
        for (char *later = comma; later != NULL && later < equals; later = strchr(later + 1, ','))
            comma = later;
        if (comma != NULL) *comma++ = '\0';
        code = set_one(options, at, value, changes);
        at = comma;
    }
    free(copy);
    return code == CRD_CLI_DONE ? check_weights(options, changes) : code;
}

/* In the library's order, whatever the order they were given in: a regulariser before its weight. */
crd_status crd_lab_changes_apply(crd_lab_changes *changes, crd_config *config, crd_error *error)
{
    crd_status status = CRD_OK;
    for (int i = 0; i < crd_option_count() && status == CRD_OK; i++) {
        const char *name = crd_option_at(i)->name;
        if (changes->value[i] == NULL || !has_option(config, name)) continue;
        char *before = crd_cli_config_value(config, name);
        status = crd_config_set(config, name, changes->value[i], error);
        char *after = crd_cli_config_value(config, name);
        changes->taken[i] = true;
        changes->made[i] = changes->made[i] || strcmp(before, after) != 0;
        free(before);
        free(after);
    }
    return status;
}

const char *crd_lab_changes_left(const crd_lab_changes *changes)
{
    for (int i = 0; i < crd_option_count(); i++)
        if (changes->value[i] != NULL && !changes->taken[i]) return crd_option_at(i)->name;
    return NULL;
}

char *crd_lab_changes_text(const crd_lab_changes *changes)
{
    char *text = NULL;
    for (int i = 0; i < crd_option_count(); i++) {
        if (!changes->made[i]) continue;
        char *longer = crd_cli_text("%s%s%s=%s", text == NULL ? "" : text, text == NULL ? "" : ", ",
                                    crd_option_at(i)->name, changes->value[i]);
        free(text);
        text = longer;
    }
    return text;
}

void crd_lab_changes_free(crd_lab_changes *changes)
{
    for (int i = 0; i < crd_option_count() && changes->value != NULL; i++) free(changes->value[i]);
    free(changes->value);
    free(changes->taken);
    free(changes->made);
    *changes = (crd_lab_changes){0};
}
