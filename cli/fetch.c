/* credence fetch: the public graphs, downloaded and verified. */
#include "fetch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "credence_private.h"
#include "data.h"
#include "download.h"
#include "git_blob.h"
#include "signals.h"
#include "unpack.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 0, "list", NULL, NULL, "show the graphs that can be had, and which are here");
    crd_cli_add(options, 0, "all", NULL, NULL, "all that can be downloaded");
    crd_cli_add(options, 0, "data-dir", "DIR", NULL,
                "the folder of public graphs, where they go; else CREDENCE_DATA, or ~/.local/share/credence if "
                "that is not set");
    crd_cli_add(
        options, 0, "from", "URL", NULL,
        "download from a mirror, URL/FILE, instead of where the files come from (http, https or file); "
        "else CREDENCE_MIRROR, if that is set");
    crd_cli_add(options, 0, "force", NULL, NULL, "download what is here already, and replace it");
    crd_cli_add(options, 0, "json", NULL, NULL, "the graphs, and where they are, as a JSON array on stdout");
    crd_cli_add_quiet(options);
}

typedef struct {
    const char *mirror; /* NULL: the known addresses */
    char *dir;
    bool force, quiet;
} settings;

/* OGB's folder, as its archive has it. */
static const char *const OGB_FILES[] = {"raw/edge.csv.gz", "raw/node-feat.csv.gz", "raw/node-label.csv.gz",
                                        "raw/num-node-list.csv.gz", NULL};

static bool is_archive(const crd_known *known)
{
    size_t length = strlen(known->address);
    return length > 4 && strcmp(known->address + length - 4, ".zip") == 0;
}

static char *address_of(const crd_known *known, const char *mirror)
{
    if (mirror == NULL) return crd_cli_text("%s", known->address);
    size_t length = strlen(mirror);
    while (length > 0 && mirror[length - 1] == '/') length--;
    return crd_cli_text("%.*s%s", (int)length, mirror, strrchr(known->address, '/'));
}

/* ---- what is here already ---- */

/* Whether there is nothing to do; or *code says why nothing can be done. */
static bool is_here(const crd_known *known, const settings *s, const char *target, int *code)
{
    char found[41], *path = crd_cli_find_in(known, s->dir);
    if (path == NULL) return false;
    crd_cli_trust trust = crd_cli_examine(known, path, found);
    bool is_target = strcmp(path, target) == 0, here = trust == CRD_CLI_VERIFIED || is_target;
    if (trust == CRD_CLI_VERIFIED && !s->quiet) {
        crd_cli_say("%s: already here, verified: %s", known->name, path);
    } else if (trust == CRD_CLI_UNKNOWN && is_target && !s->quiet) {
        crd_cli_say("%s: already here: %s (no checksum is known; --force downloads it again)", known->name,
                    path);
    } else if (trust == CRD_CLI_DIFFERENT && is_target) {
        *code =
            crd_cli_failf(CRD_CLI_FAILED,
                          "%s: %s is here, but is another file: its git blob id is %s, expected %s; --force "
                          "replaces it",
                          known->name, path, found[0] != '\0' ? found : "none", known->blob);
    }
    free(path);
    return here;
}

/* ---- what was downloaded ---- */

static int verify(const crd_known *known, const crd_cli_part *part, const char *address)
{
    char found[CRD_CLI_BLOB_SIZE];
    if (known->blob == NULL) return CRD_CLI_DONE;
    if (!crd_cli_git_blob_of(part->descriptor, found))
        return crd_cli_failf(CRD_CLI_FAILED, "%s: %s cannot be read", known->name, part->path);
    if (strcmp(found, known->blob) == 0) return CRD_CLI_DONE;
    crd_cli_part_remove(part);
    return crd_cli_failf(
        CRD_CLI_FAILED,
        "%s: %s is not the file that was expected: its git blob id is %s, expected %s; nothing "
        "was kept",
        known->name, address, found, known->blob);
}

static int put(const crd_known *known, const crd_cli_part *part, const char *target, const char *address)
{
    if (!is_archive(known)) return crd_cli_part_rename(part, target);
    bool bad;
    int code = crd_cli_unpack(part->path, target, OGB_FILES, known->name, address, &bad);
    /* What only could not be unpacked now, because the disk is full, say, need not be downloaded again. */
    if (code == CRD_CLI_DONE || bad) crd_cli_part_remove(part);
    return code;
}

static int fetch(const crd_known *known, const settings *s)
{
    crd_cli_part part;
    if (known->address == NULL)
        return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot be downloaded: %s", known->name, known->instead);
    char *target = crd_cli_text("%s/%s", s->dir, known->files[0]), *address = address_of(known, s->mirror);
    int code = CRD_CLI_DONE;
    if (s->force || !is_here(known, s, target, &code)) {
        code = crd_cli_can_download(known->name, address);
        if (code == CRD_CLI_DONE) code = crd_cli_make_folders(s->dir);
        if (code == CRD_CLI_DONE) code = crd_cli_part_open(&part, target, known->name);
        if (code == CRD_CLI_DONE) {
            code = crd_cli_download(&part, address, known->name, s->quiet);
            if (code == CRD_CLI_DONE) code = verify(known, &part, address);
            if (code == CRD_CLI_DONE) code = put(known, &part, target, address);
            crd_cli_part_close(&part);
            if (code == CRD_CLI_DONE && !s->quiet)
                crd_cli_say("%s: downloaded%s: %s", known->name,
                            known->blob != NULL ? " and verified" : " and unpacked", target);
        }
    }
    free(target);
    free(address);
    return code;
}

/* ---- the command ---- */

/* The graphs that were asked for; all if none was. *known has room for all that are known. */
static int choose(const crd_cli_options *options, const crd_known **known, int *count)
{
    const bool all = crd_cli_given(options, "all"), list = crd_cli_given(options, "list");
    *count = 0;
    if (all && options->words > 0)
        return crd_cli_misused(options, "--all and '%s' contradict each other", options->word[0]);
    if (!all && !list && options->words == 0)
        return crd_cli_misused(options, "fetch needs a NAME, --all or --list");
    for (int i = 0; i < crd_known_count() && options->words == 0; i++)
        if (list || crd_known_at(i)->address != NULL) known[(*count)++] = crd_known_at(i);
    for (int i = 0; i < options->words; i++) {
        const char *name = options->word[i];
        const crd_known *found = crd_known_find(name);
        for (int j = 0; j < *count && found != NULL; j++)
            if (known[j] == found) return crd_cli_misused(options, "'%s' is given twice", name);
        if (found != NULL) {
            known[(*count)++] = found;
            continue;
        }
        const char *nearest = crd_cli_nearest_known(name);
        if (nearest == NULL)
            return crd_cli_misused(options, "no public graph is known as '%s'; 'credence fetch --list' shows "
                                   "those that are", name);
        return crd_cli_misused(options, "no public graph is known as '%s' (did you mean %s?)", name, nearest);
    }
    return CRD_CLI_DONE;
}

static int choose_folder(const crd_cli_options *options, char **dir)
{
    const char *given = crd_cli_value(options, "data-dir"), *shared = crd_cli_environment("CREDENCE_DATA");
    if (given != NULL && given[0] == '\0') return crd_cli_misused(options, "the name of --data-dir is empty");
    if (given != NULL || shared != NULL) *dir = crd_cli_text("%s", given != NULL ? given : shared);
    else *dir = crd_cli_data_home();
    if (*dir != NULL) return CRD_CLI_DONE;
    return crd_cli_misused(options, "neither CREDENCE_DATA nor HOME is set: --data-dir must say where to");
}

static int choose_mirror(const crd_cli_options *options, const char **mirror)
{
    static const char *const schemes[] = {"http://", "https://", "file://"};
    const char *given = crd_cli_value(options, "from");
    *mirror = given != NULL ? given : crd_cli_environment("CREDENCE_MIRROR");
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes && *mirror != NULL; i++)
        if (strncmp(*mirror, schemes[i], strlen(schemes[i])) == 0) return CRD_CLI_DONE;
    if (*mirror == NULL) return CRD_CLI_DONE;
    return crd_cli_misused(options,
                           "%s: expected an address that begins with https://, http:// or file://, found "
                           "'%s'",
                           given != NULL ? "--from" : "CREDENCE_MIRROR", *mirror);
}

static int run(const crd_cli_options *options)
{
    settings s = {.force = crd_cli_given(options, "force"), .quiet = crd_cli_given(options, "quiet")};
    const bool json = crd_cli_given(options, "json");
    const crd_known **known = crd_cli_allocate(NULL, (size_t)crd_known_count() * sizeof *known);
    int count, worst = CRD_CLI_DONE;
    int code = choose(options, known, &count);
    if (code == CRD_CLI_DONE) code = crd_cli_exclusive(options, "list", "all");
    if (code == CRD_CLI_DONE) code = crd_cli_exclusive(options, "list", "force");
    if (code == CRD_CLI_DONE) code = choose_mirror(options, &s.mirror);
    if (code == CRD_CLI_DONE && !crd_cli_given(options, "list")) {
        code = choose_folder(options, &s.dir);
        /* One that fails does not keep the others from being tried. */
        for (int i = 0; i < count && code != CRD_CLI_MISUSED && !crd_cli_interrupted(); i++) {
            code = fetch(known[i], &s);
            if (code != CRD_CLI_DONE) worst = code;
        }
        if (worst != CRD_CLI_DONE) code = worst;
    }
    if (code == CRD_CLI_DONE && (json || crd_cli_given(options, "list")))
        code = crd_cli_list_known(known, count, crd_cli_value(options, "data-dir"), json);
    free(known);
    free(s.dir);
    return code;
}

const crd_cli_command crd_cli_fetch = {
    .name = "fetch",
    .group = CRD_CLI_GRAPHS,
    .summary = "download public graphs and verify them",
    .description = "Downloads public graphs by name. Every command that takes DATA then takes the name. A\n"
                   "download that was interrupted goes on where it was.",
    .any_number = "NAME",
    .declare = declare,
    .run = run,
};
