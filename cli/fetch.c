/* SPDX-License-Identifier: MIT */
/* credence fetch: downloads and verifies the public graphs. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "credence_private.h"
#include "data.h"
#include "fetch.h"
#include "signals.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 0, "list", NULL, NULL, "list the graphs and say which are here");
    crd_cli_add(options, 0, "all", NULL, NULL, "download all of them");
    crd_cli_add(options, 0, "data-dir", "DIR", NULL,
                "the folder of public graphs, where they go; else CREDENCE_DATA, or ~/.local/share/credence if "
                "that is not set");
    crd_cli_add(options, 0, "from", "URL", NULL,
                "download from a mirror, URL/FILE, instead of where the files come from (http, https or file); "
                "else CREDENCE_MIRROR, if that is set");
    crd_cli_add(options, 0, "force", NULL, NULL, "download again and replace what is here");
    crd_cli_add(options, 0, "json", NULL, NULL, "the graphs, and where they are, as a JSON array on stdout");
    crd_cli_add_quiet(options);
}

typedef struct {
    const char *mirror; /* NULL: the known addresses */
    char *dir;
    bool force, quiet;
} settings;

static bool is_archive(const crd_public_graph *known)
{
    size_t length = strlen(known->address);
    return length > 4 && strcmp(known->address + length - 4, ".zip") == 0;
}

static char *address_of(const crd_public_graph *known, const char *mirror)
{
    if (mirror == NULL) return crd_cli_text("%s", known->address);
    size_t length = strlen(mirror);
    while (length > 0 && mirror[length - 1] == '/') length--;
    return crd_cli_text("%.*s%s", (int)length, mirror, strrchr(known->address, '/'));
}

/* ---- verification ---- */

/* Whether the data, in any format, have the known content. */
static crd_status check_content(const crd_public_graph *graph, const char *path, bool features, crd_error *error)
{
    const bool all = graph->fingerprint != NULL;
    const char *expected = all                                ? graph->fingerprint
                           : graph->graph_fingerprint != NULL ? graph->graph_fingerprint
                                                              : "unknown";
    crd_dataset *dataset = NULL;
    crd_status status = crd_dataset_open(path, NULL, &dataset, error);
    if (status == CRD_OK && features && crd_dataset_features(dataset) == 0)
        status = crd_fail(error, CRD_ERROR_MISMATCH, "it has no features");
    if (status == CRD_OK) status = crd_public_graph_prepare(graph, dataset, error);
    if (status == CRD_OK) {
        const char *found = all ? crd_dataset_fingerprint(dataset) : crd_dataset_graph_fingerprint(dataset);
        if (strcmp(found, expected) != 0)
            status = crd_fail(error, CRD_ERROR_MISMATCH,
                              "these data are not %s (%s): their %s differ (the fingerprint is %s, expected %s)",
                              graph->name, graph->title, all ? "contents" : "edges or labels", found, expected);
    }
    crd_dataset_free(&dataset);
    return status;
}

/* Whether a file or folder is the known download, byte for byte, or has the known content. */
static bool is_verified(const crd_public_graph *graph, const char *path)
{
    char found[CRD_CLI_BLOB_SIZE];
    if (graph->blob != NULL && crd_cli_git_blob(path, found) && strcmp(found, graph->blob) == 0) return true;
    return check_content(graph, path, false, NULL) == CRD_OK;
}

/* What is_verified has looked at. We know no checksum of the features of ogbn-arxiv. */
static const char *verified_part(const crd_public_graph *graph)
{
    return graph->blob == NULL && graph->fingerprint == NULL ? "graph and labels verified" : "verified";
}

/* ---- what is on disk already ---- */

/* True if there is nothing to do; *code then tells whether that is an error. */
static bool is_here(const crd_public_graph *known, const settings *s, const char *target, int *code)
{
    char *path = crd_cli_find_in(known, s->dir);
    if (path == NULL) return false;
    const bool verified = is_verified(known, path), is_target = strcmp(path, target) == 0;
    if (verified && !s->quiet) crd_cli_say("%s: already here, %s: %s", known->name, verified_part(known), path);
    if (!verified && is_target)
        *code = crd_cli_failf(CRD_CLI_FAILED, "%s: %s is here, but its content is not that of %s; --force replaces it",
                              known->name, path, known->title);
    free(path);
    return verified || is_target;
}

/* ---- what was downloaded ---- */

/* Gives what is at `path` its final name, unless something has failed before. */
static int put_at(const char *target, const char *path, int failed)
{
    if (failed == 0 && rename(path, target) == 0) return CRD_CLI_DONE;
    return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot write: %s", target, strerror(errno));
}

static int put_file(const crd_public_graph *known, const crd_cli_part *part, const char *target, const char *address)
{
    char found[CRD_CLI_BLOB_SIZE];
    if (!crd_cli_git_blob(part->path, found))
        return crd_cli_failf(CRD_CLI_FAILED, "%s: %s cannot be read", known->name, part->path);
    if (strcmp(found, known->blob) != 0) {
        crd_cli_part_empty(part);
        return crd_cli_failf(CRD_CLI_FAILED,
                             "%s: %s is not the file that was expected: its git blob id is %s, expected %s; nothing "
                             "was kept",
                             known->name, address, found, known->blob);
    }
    return put_at(target, part->path, fsync(fileno(part->file)));
}

static int put_archive(const crd_public_graph *known, const crd_cli_part *part, const char *target, const char *address)
{
    bool bad;
    crd_error error;
    char *folder = crd_cli_text("%s.unpacked", part->path);
    int code = crd_cli_unpack(part->path, folder, known->name, address, &bad);
    if (code == CRD_CLI_DONE && check_content(known, folder, true, &error) != CRD_OK) {
        bad = true;
        code = crd_cli_failf(CRD_CLI_FAILED, "%s: %s is not the archive that was expected: %s; nothing was kept",
                             known->name, address, error.message);
    }
    if (code == CRD_CLI_DONE) {
        crd_cli_remove_folder(target); /* if this is cut short, the archive is still there to unpack again */
        code = put_at(target, folder, 0);
    }
    crd_cli_remove_folder(folder);
    free(folder);
    /* If only unpacking failed, for example because the disk is full, the archive need not be downloaded again. */
    if (code == CRD_CLI_DONE || bad) crd_cli_part_empty(part);
    return code;
}

static int download(const crd_public_graph *known, const settings *s, const char *target)
{
    const bool archive = is_archive(known);
    crd_cli_part part;
    int code = crd_cli_make_folders(s->dir);
    if (code == CRD_CLI_DONE) code = crd_cli_part_open(&part, target, known->name);
    if (code != CRD_CLI_DONE) return code;
    char *address = address_of(known, s->mirror);
    code = crd_cli_download(&part, address, known->name, s->quiet);
    if (code == CRD_CLI_DONE) code = (archive ? put_archive : put_file)(known, &part, target, address);
    if (code == CRD_CLI_DONE && !s->quiet)
        crd_cli_say("%s: downloaded%s, %s: %s", known->name, archive ? " and unpacked" : "", verified_part(known),
                    target);
    crd_cli_part_close(&part);
    free(address);
    return code;
}

static int fetch(const crd_public_graph *known, const settings *s)
{
    if (known->address == NULL)
        return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot be downloaded: %s", known->name, known->instead);
    char *target = crd_cli_text("%s/%s", s->dir, known->files[0]);
    int code = CRD_CLI_DONE;
    if (s->force || !is_here(known, s, target, &code)) code = download(known, s, target);
    free(target);
    return code;
}

/* ---- the list ---- */

json_t *crd_cli_graph_json(const crd_public_graph *graph)
{
    return json_pack("{s:s, s:s, s:I, s:i, s:I, s:s, s:s?, s:s?, s:s?, s:s}", "name", graph->name, "title",
                     graph->title, "nodes", (json_int_t)graph->nodes, "classes", (int)graph->classes, "left_out",
                     (json_int_t)graph->left_out, "split", graph->split, "published", graph->published, "best",
                     graph->best, "address", graph->address, "licence", graph->licence);
}

static void add_row(crd_cli_table *table, const crd_public_graph *known, const char *path, bool verified)
{
    crd_cli_table_add(table, "%s", known->name);
    crd_cli_table_add(table, "%s", known->title);
    crd_cli_table_add(table, "%6lld", (long long)known->nodes);
    crd_cli_table_add(table, "%7d", (int)known->classes);
    crd_cli_table_add(table, "%s", path == NULL ? "no" : verified ? verified_part(known) : "another file");
    crd_cli_table_add(table, "%s", known->licence);
    crd_cli_table_add(table, "%s", path != NULL ? path : "");
}

/* Prints the graphs as a table or as a JSON array. `dir` is where to look first; NULL: only in the usual places. */
static int list_graphs(const crd_public_graph *const *known, int count, const char *dir, bool json)
{
    crd_cli_table table = {.columns = 7, .left_columns = 6};
    json_t *list = json_array();
    if (!json) crd_cli_table_head(&table, "name|title| nodes|classes|here|licence and origin|path");
    for (int i = 0; i < count; i++) {
        char *path = crd_cli_find_public(known[i], dir);
        const bool verified = path != NULL && is_verified(known[i], path);
        if (!json) add_row(&table, known[i], path, verified);
        json_t *entry = crd_cli_graph_json(known[i]);
        json_object_set_new(entry, "path", path == NULL ? json_null() : json_string(path));
        json_object_set_new(entry, "verified", path == NULL ? json_null() : json_boolean(verified));
        json_array_append_new(list, entry);
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

/* ---- the command ---- */

/* The graphs that were asked for, or all if none was. `known` has room for them. */
static int choose(const crd_cli_options *options, const crd_public_graph **known, int *count)
{
    const bool all = crd_cli_given(options, "all"), list = crd_cli_given(options, "list");
    *count = 0;
    if (all && options->words > 0)
        return crd_cli_misused(options, "--all and '%s' contradict each other", options->word[0]);
    if (!all && !list && options->words == 0) return crd_cli_misused(options, "fetch needs a NAME, --all or --list");
    for (int i = 0; i < crd_public_graph_count() && options->words == 0; i++)
        if (list || crd_public_graph_at(i)->address != NULL) known[(*count)++] = crd_public_graph_at(i);
    for (int i = 0; i < options->words; i++) {
        const char *name = options->word[i];
        const crd_public_graph *found = crd_public_graph_find(name);
        if (found == NULL) {
            crd_cli_guess guess = {.typed = name};
            crd_cli_offer_public(&guess);
            return crd_cli_misused(options,
                                   "no public graph is known as '%s'%s; 'credence fetch --list' shows those that are",
                                   name, guess.text);
        }
        known[(*count)++] = found;
    }
    return CRD_CLI_DONE;
}

static int choose_mirror(const crd_cli_options *options, const char **mirror)
{
    const char *given = crd_cli_value(options, "from");
    *mirror = given != NULL ? given : crd_cli_environment("CREDENCE_MIRROR");
    if (*mirror == NULL || strncmp(*mirror, "https://", 8) == 0 || strncmp(*mirror, "http://", 7) == 0 ||
        strncmp(*mirror, "file://", 7) == 0)
        return CRD_CLI_DONE;
    return crd_cli_misused(options, "%s: expected an address that begins with https://, http:// or file://, found '%s'",
                           given != NULL ? "--from" : "CREDENCE_MIRROR", *mirror);
}

/* If one fails, the others are still tried. */
static int fetch_all(const crd_public_graph *const *known, int count, const settings *s)
{
    int worst = CRD_CLI_DONE;
    for (int i = 0; i < count; i++) {
        if (crd_cli_interrupted() && worst == CRD_CLI_DONE)
            return crd_cli_failf(CRD_CLI_FAILED, "interrupted before %s; the same command goes on from there",
                                 known[i]->name);
        if (crd_cli_interrupted()) break; /* the download has said so */
        int code = fetch(known[i], s);
        if (code != CRD_CLI_DONE) worst = code;
    }
    return worst;
}

static int run(const crd_cli_options *options)
{
    settings s = {.force = crd_cli_given(options, "force"), .quiet = crd_cli_given(options, "quiet")};
    const bool json = crd_cli_given(options, "json");
    const int most = crd_public_graph_count() + options->words;
    const crd_public_graph **known = crd_cli_allocate(NULL, (size_t)most * sizeof *known);
    int count;
    int code = choose(options, known, &count);
    if (code == CRD_CLI_DONE) code = choose_mirror(options, &s.mirror);
    if (code == CRD_CLI_DONE && !crd_cli_given(options, "list")) {
        s.dir = crd_cli_data_folder(crd_cli_value(options, "data-dir"), 0);
        if (s.dir != NULL) code = fetch_all(known, count, &s);
        else code = crd_cli_misused(options, "neither CREDENCE_DATA nor HOME is set: --data-dir must say where to");
    }
    if (code == CRD_CLI_DONE && (json || crd_cli_given(options, "list")))
        code = list_graphs(known, count, crd_cli_value(options, "data-dir"), json);
    free(known);
    free(s.dir);
    return code;
}

const crd_cli_command crd_cli_fetch = {
    .name = "fetch",
    .group = CRD_CLI_GRAPHS,
    .summary = "download public graphs and verify them",
    .description = "Downloads public graphs by name. You can then use the name wherever a command takes DATA.\n"
                   "An interrupted download goes on where it stopped.",
    .any_number = "NAME",
    .exclusive = {{"list", "all"}, {"list", "force"}},
    .declare = declare,
    .run = run,
};
