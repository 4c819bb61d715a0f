#include "fetch.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "credence_private.h"
#include "data.h"
#include "git_blob.h"

/* Whether the data, stored in any way, are the known ones. */
static bool has_known_content(const crd_known *known, const char *path)
{
    crd_dataset *dataset = NULL;
    bool same = crd_dataset_open(path, NULL, &dataset, NULL) == CRD_OK
                && crd_known_settle(known, dataset, NULL) == CRD_OK
                && strcmp(crd_dataset_fingerprint(dataset), known->fingerprint) == 0;
    crd_dataset_free(&dataset);
    return same;
}

crd_cli_trust crd_cli_examine(const crd_known *known, const char *path, char found[41])
{
    if (!crd_cli_git_blob(path, found)) found[0] = '\0';
    if (known->blob != NULL && strcmp(found, known->blob) == 0) return CRD_CLI_VERIFIED;
    if (known->fingerprint != NULL && has_known_content(known, path)) return CRD_CLI_VERIFIED;
    return known->blob == NULL && known->fingerprint == NULL ? CRD_CLI_UNKNOWN : CRD_CLI_DIFFERENT;
}

static json_t *text_or_null(const char *text)
{
    return text == NULL ? json_null() : json_string(text);
}

static void add_json(json_t *list, const crd_known *known, const char *path, crd_cli_trust trust)
{
    json_t *entry = json_object();
    json_object_set_new(entry, "name", json_string(known->name));
    json_object_set_new(entry, "title", json_string(known->title));
    json_object_set_new(entry, "nodes", json_integer(known->nodes));
    json_object_set_new(entry, "classes", json_integer(known->classes));
    json_object_set_new(entry, "left_out", json_integer(known->left_out));
    json_object_set_new(entry, "split", json_string(known->split));
    json_object_set_new(entry, "published", text_or_null(known->published));
    json_object_set_new(entry, "best", text_or_null(known->best));
    json_object_set_new(entry, "address", text_or_null(known->address));
    json_object_set_new(entry, "licence", json_string(known->licence));
    json_object_set_new(entry, "path", text_or_null(path));
    json_object_set_new(entry, "verified",
                        path == NULL ? json_null() : json_boolean(trust == CRD_CLI_VERIFIED));
    json_array_append_new(list, entry);
}

static const char *describe(const char *path, crd_cli_trust trust)
{
    if (path == NULL) return "no";
    switch (trust) {
    case CRD_CLI_VERIFIED: return "verified";
    case CRD_CLI_UNKNOWN: return "yes";
    default: return "another file";
    }
}

static void add_row(crd_cli_table *table, const crd_known *known, const char *path, crd_cli_trust trust)
{
    crd_cli_table_add(table, "%s", known->name);
    crd_cli_table_add(table, "%s", known->title);
    crd_cli_table_add(table, "%6lld", (long long)known->nodes);
    crd_cli_table_add(table, "%7d", (int)known->classes);
    crd_cli_table_add(table, "%s", describe(path, trust));
    crd_cli_table_add(table, "%s", known->licence);
    crd_cli_table_add(table, "%s", path != NULL ? path : "");
}

int crd_cli_list_known(const crd_known *const *known, int count, const char *dir, bool json)
{
    static const char *const heading[] = {"name", "title", " nodes", "classes", "here", "licence and origin",
                                          "path"};
    crd_cli_table table = {.columns = 7, .heading = true, .left_columns = 6};
    json_t *list = json_array();
    for (int i = 0; i < 7 && !json; i++) crd_cli_table_add(&table, "%s", heading[i]);
    for (int i = 0; i < count; i++) {
        char found[41], *path = crd_cli_find_known(known[i], dir);
        crd_cli_trust trust = path == NULL ? CRD_CLI_UNKNOWN : crd_cli_examine(known[i], path, found);
        if (json) add_json(list, known[i], path, trust);
        else add_row(&table, known[i], path, trust);
        free(path);
    }
    char *text = json ? json_dumps(list, JSON_INDENT(2)) : NULL;
    json_decref(list);
    if (json && text == NULL) return crd_cli_failf(CRD_CLI_FAILED, "out of memory");
    if (json) puts(text);
    else crd_cli_table_print(&table, stdout);
    free(text);
    return CRD_CLI_DONE;
}
