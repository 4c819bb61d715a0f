#include "data.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "credence_private.h"

const char *crd_cli_environment(const char *name)
{
    const char *value = getenv(name);
    return value == NULL || value[0] == '\0' ? NULL : value;
}

char *crd_cli_data_home(void)
{
    /* The XDG specification says to ignore a path that is not absolute. */
    const char *data = crd_cli_environment("XDG_DATA_HOME"), *home = crd_cli_environment("HOME");
    if (data != NULL && data[0] == '/') return crd_cli_text("%s/credence", data);
    return home == NULL ? NULL : crd_cli_text("%s/.local/share/credence", home);
}

char *crd_cli_find_in(const crd_public_graph *known, const char *folder)
{
    for (const char *const *file = known->files; *file != NULL; file++) {
        char *path = crd_cli_text("%s/%s", folder, *file);
        if (access(path, F_OK) == 0) return path;
        free(path);
    }
    return NULL;
}

const char *crd_cli_nearest_public(const char *typed)
{
    const int count = crd_public_graph_count();
    const char **names = crd_cli_allocate(NULL, (size_t)count * sizeof *names);
    for (int i = 0; i < count; i++) names[i] = crd_public_graph_at(i)->name;
    const char *nearest = crd_cli_nearest(typed, names, count);
    free(names);
    return nearest;
}

enum { MOST_FOLDERS = 3 };

/* The folders to look in, in order; the caller frees the strings. */
static int list_folders(const char *data_dir, char *folders[MOST_FOLDERS])
{
    const char *shared = crd_cli_environment("CREDENCE_DATA");
    char *home = crd_cli_data_home();
    int count = 0;
    if (data_dir != NULL) folders[count++] = crd_cli_text("%s", data_dir);
    if (shared != NULL) folders[count++] = crd_cli_text("%s", shared);
    if (home != NULL) folders[count++] = home;
    return count;
}

char *crd_cli_find_public(const crd_public_graph *known, const char *data_dir)
{
    char *folders[MOST_FOLDERS], *path = NULL;
    int count = list_folders(data_dir, folders);
    for (int i = 0; i < count; i++) {
        if (path == NULL) path = crd_cli_find_in(known, folders[i]);
        free(folders[i]);
    }
    return path;
}

static int not_found(const crd_public_graph *known, const char *data_dir)
{
    char *folders[MOST_FOLDERS];
    int count = list_folders(data_dir, folders);
    char *places = count == 0 ? crd_cli_text("any folder (CREDENCE_DATA and HOME are not set)") : NULL;
    for (int i = 0; i < count; i++) {
        crd_cli_append(&places, "%s%s", i == 0 ? "" : i == count - 1 ? " or " : ", ", folders[i]);
        free(folders[i]);
    }
    char *way = known->address == NULL ? crd_cli_text("%s", known->instead)
                                       : crd_cli_text("'credence fetch %s' downloads it", known->name);
    int code = crd_cli_failf(CRD_CLI_FAILED, "%s: %s is not in %s; %s", known->name, known->files[0], places, way);
    free(way);
    free(places);
    return code;
}

/* The path of a graph given by path or by name. The caller frees *path, which is NULL on failure. */
static int find_data(const char *name_or_path, const char *data_dir, const crd_public_graph **known, char **path)
{
    *known = NULL;
    *path = NULL;
    if (strcmp(name_or_path, "-") != 0 && access(name_or_path, F_OK) != 0) {
        *known = crd_public_graph_find(name_or_path);
        if (*known != NULL) {
            *path = crd_cli_find_public(*known, data_dir);
            return *path != NULL ? CRD_CLI_DONE : not_found(*known, data_dir);
        }
        /* An argument with a slash or a dot is meant as a file, one with a dash as an option. */
        const bool word = name_or_path[0] != '\0' && name_or_path[0] != '-' && strpbrk(name_or_path, "/.") == NULL;
        const char *nearest = word ? crd_cli_nearest_public(name_or_path) : NULL;
        if (nearest != NULL)
            return crd_cli_failf(CRD_CLI_FAILED,
                                 "%s: there is no such file and no public graph of this name (did you mean %s?)",
                                 name_or_path, nearest);
        if (word)
            return crd_cli_failf(CRD_CLI_FAILED,
                                 "%s: there is no such file or folder, and no public graph of this name ('credence "
                                 "fetch --list')",
                                 name_or_path);
    }
    *path = crd_cli_text("%s", name_or_path);
    return CRD_CLI_DONE;
}

int crd_cli_open_public(const crd_cli_options *options, const char *name_or_path, crd_dataset **dataset,
                        const crd_public_graph **known)
{
    crd_error error;
    crd_open_options beside = {.features = crd_cli_value(options, "node-features"),
                               .labels = crd_cli_value(options, "labels")};
    if (crd_cli_is(options, "header", "yes")) beside.header = CRD_HEADER_YES;
    else if (crd_cli_is(options, "header", "no")) beside.header = CRD_HEADER_NO;
    if (crd_cli_is(options, "first-id", "1")) beside.first_id = CRD_FIRST_ID_1;
    else if (crd_cli_is(options, "first-id", "0")) beside.first_id = CRD_FIRST_ID_0;
    char *path;
    *dataset = NULL;
    int code = find_data(name_or_path, crd_cli_value(options, "data-dir"), known, &path);
    if (code != CRD_CLI_DONE) return code;
    if (crd_dataset_open(path, &beside, dataset, &error) != CRD_OK) {
        code = crd_cli_fail_about(options, &error);
    } else if (*known == NULL) {
        *known = crd_public_graph_of(crd_dataset_fingerprint(*dataset));
    } else if (crd_public_graph_prepare(*known, *dataset, &error) != CRD_OK) {
        code = crd_cli_failf(CRD_CLI_FAILED, "%s: %s", path, error.message);
        crd_dataset_free(dataset);
    }
    free(path);
    return code;
}

int crd_cli_open(const crd_cli_options *options, const char *name_or_path, crd_dataset **dataset)
{
    const crd_public_graph *known;
    return crd_cli_open_public(options, name_or_path, dataset, &known);
}

/* A model begins with the length of its header: eight bytes, the last of them 0. Text has no zero bytes. */
static bool is_text(const char *path)
{
    unsigned char start[8];
    FILE *file = fopen(path, "rb");
    size_t got = file == NULL ? 0 : fread(start, 1, sizeof start, file);
    if (file != NULL) fclose(file);
    for (size_t i = 0; i < got; i++)
        if (!isprint(start[i]) && !isspace(start[i]) && start[i] < 0x80) return false;
    return got > 0;
}

/* Loads a command's first argument. If it is something that people mistake for a model, the error says so in their
 * words, not in those of the format. */
static int load_model(const crd_cli_options *options, const char *path, crd_model **model)
{
    crd_error error;
    struct stat facts;
    const bool there = strcmp(path, "-") != 0 && stat(path, &facts) == 0;
    if (there && S_ISDIR(facts.st_mode))
        return crd_cli_failf(CRD_CLI_FAILED, "%s: is a folder, expected a model file; the order is %s %s", path,
                             options->command->positional[0], options->command->positional[1]);
    if (there && S_ISREG(facts.st_mode) && is_text(path))
        return crd_cli_failf(CRD_CLI_FAILED,
                             "%s: is a text, expected a model file (safetensors) as 'credence train' writes "
                             "it; the order is %s %s",
                             path, options->command->positional[0], options->command->positional[1]);
    return crd_model_load(path, model, &error) == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
}

bool crd_cli_is_model(const char *path)
{
    unsigned char start[9] = {0};
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    if (file == NULL) return false;
    const size_t got = fread(start, 1, sizeof start, file);
    fclose(file);
    return got == sizeof start && start[8] == '{' && (start[4] | start[5] | start[6] | start[7]) == 0;
}

int crd_cli_open_inputs(const crd_cli_options *options, crd_cli_inputs *inputs)
{
    int code = crd_cli_threads(options, &inputs->threads);
    if (code != CRD_CLI_DONE) return code;
    if (strcmp(options->positional[0], "-") == 0 && strcmp(options->positional[1], "-") == 0)
        return crd_cli_misused(options, "only one of model and data can come from standard input");
    code = load_model(options, options->positional[0], &inputs->model);
    if (code == CRD_CLI_DONE) code = crd_cli_open(options, options->positional[1], &inputs->dataset);
    return code;
}

void crd_cli_free_inputs(crd_cli_inputs *inputs)
{
    crd_prediction_free(&inputs->prediction);
    crd_dataset_free(&inputs->dataset);
    crd_model_free(&inputs->model);
}

bool crd_cli_preset_needs_data(const crd_cli_options *options)
{
    const char *preset = crd_cli_value(options, "preset");
    return preset != NULL &&
           (strcmp(preset, "published") == 0 || strcmp(preset, "best") == 0 || strcmp(preset, "errors") == 0);
}

int crd_cli_preset(const crd_cli_options *options, const crd_public_graph *known, const char **preset)
{
    *preset = crd_cli_value(options, "preset");
    if (!crd_cli_preset_needs_data(options)) return CRD_CLI_DONE;
    const char *name = *preset;
    const bool published = strcmp(name, "published") == 0;
    if (known == NULL)
        return crd_cli_misused(options,
                               "--preset %s: %s is none of the public graphs that are known ('credence "
                               "fetch --list'); %s",
                               *preset, options->positional[0],
                               published ? "choose a preset by name" : "'credence tune' finds what is best for it");
    *preset = published ? known->published : strcmp(name, "best") == 0 ? known->best : known->errors;
    if (*preset != NULL) return CRD_CLI_DONE;
    if (!published)
        return crd_cli_misused(options, "--preset %s: none is known for %s; 'credence tune' finds one", name,
                               known->title);
    return crd_cli_misused(options, "--preset published: nothing was published for %s", known->title);
}

int crd_cli_threads(const crd_cli_options *options, int *threads)
{
    int64_t number = 0;
    int code = crd_cli_integer(options, "threads", 0, 1024, &number);
    *threads = (int)number;
    return code;
}

char *crd_cli_node_text(const crd_dataset *dataset, int64_t node)
{
    const char *name = crd_dataset_node_name(dataset, node);
    if (name == NULL) return crd_cli_text("%lld", (long long)node);
    return crd_cli_text("%lld (%s)", (long long)node, name);
}

/* ---- which nodes test ---- */

void crd_cli_add_test_nodes(crd_cli_options *options)
{
    crd_cli_add(options, 0, "split-file", "FILE", NULL,
                "take the test nodes from this split, not from the one stored in the model");
    crd_cli_add_choice(options, "test-nodes", "WHICH", "split", "split all",
                       "split: the test nodes of the split; all: every labelled node is a test node");
}

int crd_cli_check_test_nodes(const crd_cli_options *options)
{
    if (crd_cli_is(options, "test-nodes", "all") && crd_cli_given(options, "split-file"))
        return crd_cli_misused(options, "--test-nodes all and --split-file contradict each other");
    return CRD_CLI_DONE;
}

/* A split in which every labelled node tests. */
static crd_status all_test(const crd_dataset *dataset, crd_split **split, crd_error *error)
{
    int64_t nodes = crd_dataset_nodes(dataset);
    uint8_t *roles = crd_cli_allocate(NULL, (size_t)nodes);
    for (int64_t i = 0; i < nodes; i++) roles[i] = crd_dataset_label(dataset, i) >= 0 ? CRD_ROLE_TEST : CRD_ROLE_NONE;
    crd_status status = crd_split_from_roles(roles, nodes, split, error);
    free(roles);
    return status;
}

int crd_cli_choose_test_nodes(const crd_cli_options *options, const crd_dataset *dataset, crd_split **split)
{
    crd_error error;
    crd_status status = CRD_OK;
    const char *file = crd_cli_value(options, "split-file");
    *split = NULL;
    if (file != NULL) status = crd_split_read(dataset, file, split, &error);
    else if (crd_cli_is(options, "test-nodes", "all")) status = all_test(dataset, split, &error);
    return status == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
}
