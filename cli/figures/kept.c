#include "figures/kept.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "lab/text.h"

static bool is_among(const json_t *record, const crd_fig_wanted *wanted, int count)
{
    for (int i = 0; i < count; i++)
        if (crd_fig_panel_compare(record, &wanted[i]) != CRD_FIG_OTHER) return true;
    return false;
}

/* What else is there, or damaged, is no panel that could be lost. */
static bool is_panel(const json_t *record)
{
    static const char *const fields[] = {"data", "grid", "panel"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!json_is_string(json_object_get(record, fields[i]))) return false;
    return true;
}

static const char *word(const json_t *record, const char *field)
{
    return json_string_value(json_object_get(record, field));
}

/* Looks at the lines of a file, of a panel's own only at the first: after it come bytes. */
static int check_file(const char *folder, const char *name, bool first_only, const crd_fig_wanted *wanted,
                      int count)
{
    char *path = crd_cli_text("%s/%s", folder, name), *line = NULL;
    FILE *file = fopen(path, "rb");
    size_t capacity = 0;
    int code = CRD_CLI_DONE;
    ssize_t length = 0;
    while (code == CRD_CLI_DONE && file != NULL && (length = getline(&line, &capacity, file)) > 0) {
        json_t *record = json_loadb(line, (size_t)length, 0, NULL);
        if (is_panel(record) && !is_among(record, wanted, count))
            code = crd_cli_failf(CRD_CLI_FAILED,
                                 "%s: holds a panel (%s, %s %s) that this command would lose or make with other "
                                 "options: give the options it was made with and all graphs and grids that are there "
                                 "(more may be added), or another folder",
                                 folder, word(record, "data"), word(record, "grid"), word(record, "panel"));
        json_decref(record);
        if (first_only) break;
    }
    if (file != NULL) fclose(file);
    free(line);
    free(path);
    return code;
}

int crd_fig_check_kept(const char *folder, const crd_fig_wanted *wanted, int count)
{
    char *panels = crd_cli_text("%s/panels", folder);
    struct dirent **entry;
    int code = check_file(folder, "figures.jsonl", false, wanted, count);
    const int entries = scandir(panels, &entry, NULL, alphasort);
    for (int i = 0; i < entries; i++) {
        char *name = crd_cli_text("panels/%s", entry[i]->d_name);
        if (code == CRD_CLI_DONE) code = check_file(folder, name, true, wanted, count);
        free(name);
        free(entry[i]);
    }
    if (entries >= 0) free(entry);
    free(panels);
    return code;
}
