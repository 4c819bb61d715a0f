/* SPDX-License-Identifier: MIT */
#include "data.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/numbers.h"
#include "credence_private.h"

const char *crd_cli_environment(const char *name)
{
    const char *value = getenv(name);
    return value == NULL || value[0] == '\0' ? NULL : value;
}

char *crd_cli_data_folder(const char *data_dir, int index)
{
    const char *shared = crd_cli_environment("CREDENCE_DATA");
    const char *data = crd_cli_environment("XDG_DATA_HOME"), *home = crd_cli_environment("HOME");
    if (data_dir != NULL && index-- == 0) return crd_cli_text("%s", data_dir);
    if (shared != NULL && index-- == 0) return crd_cli_text("%s", shared);
    if (index != 0) return NULL;
    /* The XDG specification says to ignore a path that is not absolute. */
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

void crd_cli_offer_public(crd_cli_guess *guess)
{
    for (int i = 0; i < crd_public_graph_count(); i++) crd_cli_offer(guess, crd_public_graph_at(i)->name);
}

char *crd_cli_find_public(const crd_public_graph *known, const char *data_dir)
{
    char *path = NULL, *folder;
    for (int i = 0; path == NULL && (folder = crd_cli_data_folder(data_dir, i)) != NULL; i++) {
        path = crd_cli_find_in(known, folder);
        free(folder);
    }
    return path;
}

static int not_found(const crd_public_graph *known, const char *data_dir)
{
    char *places = NULL, *folder;
    for (int i = 0; (folder = crd_cli_data_folder(data_dir, i)) != NULL; i++) {
        crd_cli_append(&places, "%s%s", i == 0 ? "" : ", ", folder);
        free(folder);
    }
    if (places == NULL) places = crd_cli_text("any folder (CREDENCE_DATA and HOME are not set)");
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
        if (word) {
            crd_cli_guess guess = {.typed = name_or_path};
            crd_cli_offer_public(&guess);
            return crd_cli_failf(CRD_CLI_FAILED,
                                 "%s: there is no such file or folder, and no public graph of this name%s; 'credence "
                                 "fetch --list' shows them",
                                 name_or_path, guess.text);
        }
    }
    *path = crd_cli_text("%s", name_or_path);
    return CRD_CLI_DONE;
}

int crd_cli_open(const crd_cli_options *options, const char *name_or_path, crd_dataset **dataset,
                 const crd_public_graph **known)
{
    crd_error error;
    crd_open_options beside = {.size = sizeof beside,
                               .features = crd_cli_value(options, "node-features"),
                               .labels = crd_cli_value(options, "labels"),
                               .header = (crd_header)crd_cli_choice(options, "header"),
                               .first_id = (crd_first_id)crd_cli_choice(options, "first-id"),
                               .edge_weights = (crd_edge_weights)crd_cli_choice(options, "edge-weights"),
                               .min_edge_weight = crd_cli_number(options, "min-edge-weight"),
                               .label_column = crd_cli_value(options, "label-column"),
                               .id_column = crd_cli_value(options, "id-column"),
                               .category_columns = crd_cli_value(options, "category-columns"),
                               .ignore_columns = crd_cli_value(options, "ignore-columns")};
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

/* Loads a command's first argument. People may give the data first, so a file that is no model at all is reported
 * with the order of the arguments. */
static int load_model(const crd_cli_options *options, const char *path, crd_model **model)
{
    crd_error error;
    if (crd_model_load(path, model, &error) == CRD_OK) return CRD_CLI_DONE;
    if (strcmp(path, "-") == 0 || access(path, R_OK) != 0 || crd_cli_is_model(path)) return crd_cli_fail(&error);
    return crd_cli_failf(CRD_CLI_FAILED, "%s; a model, as 'credence train' writes it, comes first: %s %s",
                         error.message, options->command->positional[0], options->command->positional[1]);
}

bool crd_cli_is_model(const char *path)
{
    unsigned char start[9] = {0};
    const char *ending = strrchr(path, '.');
    if (ending != NULL && strcmp(ending, ".safetensors") == 0) return true;
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    if (file == NULL) return false;
    const size_t got = fread(start, 1, sizeof start, file);
    fclose(file);
    return got == sizeof start && start[8] == '{' && (start[4] | start[5] | start[6] | start[7]) == 0;
}

int crd_cli_fit(const crd_model *model, crd_dataset *dataset, char **notes)
{
    crd_error error;
    bool moved;
    char *unlike = NULL;
    const int known = crd_dataset_note_count(dataset);
    *notes = NULL;
    if (crd_model_align(model, dataset, &moved, &error) != CRD_OK) return crd_cli_fail(&error);
    if (crd_model_notes(model, dataset, &unlike, &error) != CRD_OK) return crd_cli_fail(&error);
    if (moved)
        crd_cli_append(notes,
                       "note: the features are in another order than in training: their names put them in place");
    for (int i = known; i < crd_dataset_note_count(dataset); i++)
        crd_cli_append(notes, "%s%s", *notes != NULL ? "; " : "note: ", crd_dataset_note(dataset, i));
    if (unlike != NULL) crd_cli_append(notes, "%s%s", *notes != NULL ? "; " : "note: ", unlike);
    crd_string_free(&unlike);
    return CRD_CLI_DONE;
}

int crd_cli_open_inputs(const crd_cli_options *options, crd_cli_inputs *inputs)
{
    const crd_public_graph *known;
    inputs->threads = (int)crd_cli_whole(options, "threads");
    if (strcmp(options->word[0], "-") == 0 && strcmp(options->word[1], "-") == 0)
        return crd_cli_misused(options, "only one of model and data can come from standard input");
    int code = load_model(options, options->word[0], &inputs->model);
    if (code == CRD_CLI_DONE) code = crd_cli_open(options, options->word[1], &inputs->dataset, &known);
    if (code == CRD_CLI_DONE) code = crd_cli_fit(inputs->model, inputs->dataset, &inputs->notes);
    return code;
}

int crd_cli_close_inputs(const crd_cli_options *options, crd_cli_inputs *inputs, int code)
{
    bool quiet = false;
    for (int i = 0; i < options->count; i++)
        quiet = quiet || (strcmp(options->option[i].name, "quiet") == 0 && options->option[i].value != NULL);
    fflush(stdout);
    if (code == CRD_CLI_DONE && inputs->notes != NULL && !quiet) crd_cli_say("%s", inputs->notes);
    free(inputs->notes);
    crd_prediction_free(&inputs->prediction);
    crd_dataset_free(&inputs->dataset);
    crd_model_free(&inputs->model);
    return code;
}

/* ---- configurations ---- */

bool crd_cli_option_of_run(const char *option)
{
    return strcmp(option, "seed") == 0 || strcmp(option, "threads") == 0 || strcmp(option, "left-out") == 0;
}

char *crd_cli_config_value(const crd_config *config, const char *option)
{
    crd_error error;
    char *value = NULL;
    if (crd_config_get(config, option, &value, &error) != CRD_OK) exit(crd_cli_fail(&error));
    return value;
}

char *crd_cli_config_text(const crd_config *config, crd_cli_config_part part, bool lines)
{
    static const char *const not_of_choice[] = {"seed", "left-out", "threads", NULL};
    crd_error error;
    char *json;
    const char *const *without = part == CRD_CLI_OF_RUN ? not_of_choice + 2 : not_of_choice;
    if (crd_config_json_without(config, without, lines, &json, &error) != CRD_OK) exit(crd_cli_fail(&error));
    return json;
}

const crd_option *crd_cli_find_option(const char *name, size_t length)
{
    for (int i = 0; i < crd_option_count(); i++) {
        const crd_option *option = crd_option_at(i);
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0) return option;
    }
    return NULL;
}

static void offer_options(crd_cli_guess *guess)
{
    for (int i = 0; i < crd_option_count(); i++) crd_cli_offer(guess, crd_option_at(i)->name);
}

crd_status crd_cli_config_read(crd_config *config, const char *file, crd_error *error)
{
    crd_status status = crd_config_read(config, file, error);
    const size_t length = status != CRD_OK ? strlen(error->message) : 0;
    if (length == 0 || error->about[0] == '\0' || crd_cli_find_option(error->about, strlen(error->about)) != NULL ||
        strcmp(error->about, "preset") == 0)
        return status;
    crd_cli_guess guess = {.typed = error->about};
    offer_options(&guess);
    snprintf(error->message + length, sizeof error->message - length, "%s", guess.text);
    return status;
}

int crd_cli_unknown_option(const char *given_as, const char *name, size_t length)
{
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)(length < 60 ? length : 60), name);
    crd_cli_guess guess = {.typed = typed};
    offer_options(&guess);
    return crd_cli_failf(CRD_CLI_MISUSED, "%s: '%s' is no option of training%s", given_as, typed, guess.text);
}

/* ---- left-out classes ---- */

crd_cli_option *crd_cli_add_left_out(crd_cli_options *options, const char *shown_default, const char *help)
{
    return crd_cli_add(options, 0, "left-out", "WHICH", shown_default, help);
}

bool crd_cli_names_classes(const char *left_out)
{
    int64_t count;
    return left_out != NULL && !crd_parse_int64(left_out, &count);
}

/* The class whose name begins a text, up to a comma or the end; the longest one, because names may have commas. */
static int32_t find_class(const crd_dataset *dataset, const char *text, size_t *length)
{
    int32_t found = -1;
    *length = 0;
    for (int32_t c = 0; c < crd_dataset_classes(dataset); c++) {
        const char *name = crd_dataset_class_name(dataset, c);
        const size_t its = strlen(name);
        if (strncmp(text, name, its) != 0 || (text[its] != ',' && text[its] != '\0') || (found >= 0 && its <= *length))
            continue;
        found = c;
        *length = its;
    }
    return found;
}

static int no_such_class(const char *data, const crd_dataset *dataset, const char *text)
{
    enum { SHOWN = 8 };
    const int32_t classes = crd_dataset_classes(dataset);
    char *names = NULL;
    for (int32_t c = 0; c < classes && c < SHOWN; c++)
        crd_cli_append(&names, "%s%s", c == 0 ? "" : ", ", crd_dataset_class_name(dataset, c));
    int code =
        crd_cli_failf(CRD_CLI_MISUSED, "--left-out: %s has no class '%.*s'; its classes are %s%s", data,
                      (int)strcspn(text, ","), text, names != NULL ? names : "none", classes > SHOWN ? ", ..." : "");
    free(names);
    return code;
}

int crd_cli_left_out(const crd_cli_options *options, const char *data, const crd_dataset *dataset, int64_t *count,
                     bool **last)
{
    const char *value = crd_cli_value(options, "left-out"), *at = value;
    *last = NULL;
    *count = 0;
    if (!crd_cli_names_classes(value)) {
        if (value != NULL && (!crd_parse_int64(value, count) || *count < 0 || *count > INT32_MAX))
            return crd_cli_misused(options, "--left-out: expected a number of classes or their names, found '%s'",
                                   value);
        return CRD_CLI_DONE;
    }
    if (strncmp(at, "name:", 5) == 0) at += 5;
    *last = crd_cli_allocate(NULL, (size_t)crd_dataset_classes(dataset) + 1);
    memset(*last, 0, (size_t)crd_dataset_classes(dataset) + 1);
    for (;;) {
        size_t length;
        const int32_t found = find_class(dataset, at, &length);
        if (found < 0) return no_such_class(data, dataset, at);
        if ((*last)[found]) return crd_cli_misused(options, "--left-out: '%.*s' is given twice", (int)length, at);
        (*last)[found] = true;
        ++*count;
        if (at[length] == '\0') return CRD_CLI_DONE;
        at += length + 1;
    }
}

bool crd_cli_preset_needs_data(const crd_cli_options *options)
{
    const char *preset = crd_cli_value(options, "preset");
    return preset != NULL &&
           (strcmp(preset, "published") == 0 || strcmp(preset, "best") == 0 || strcmp(preset, "errors") == 0);
}

int crd_cli_config(const crd_cli_options *options, const crd_public_graph *known, crd_config *config)
{
    crd_error error;
    const char *name = crd_cli_value(options, "preset"), *preset = name, *file = crd_cli_value(options, "config");
    if (crd_cli_preset_needs_data(options)) {
        const bool published = strcmp(name, "published") == 0, best = strcmp(name, "best") == 0;
        preset = known == NULL ? NULL : published ? known->published : best ? known->best : known->errors;
        if (preset == NULL)
            return crd_cli_misused(options, "--preset %s: none is known for %s%s; %s", name,
                                   known != NULL ? known->title : options->word[0],
                                   known != NULL ? "" : ", which is not a known public graph ('credence fetch --list')",
                                   published ? "choose a preset by its name" : "'credence tune' finds one");
    }
    crd_config_defaults(config);
    if (preset != NULL && crd_config_preset(config, preset, &error) != CRD_OK)
        return crd_cli_fail_about(options, &error);
    if (file != NULL && crd_cli_config_read(config, file, &error) != CRD_OK) return crd_cli_fail(&error);
    return CRD_CLI_DONE;
}

/* ---- which nodes test ---- */

void crd_cli_add_test_nodes(crd_cli_options *options)
{
    crd_cli_add(options, 0, "split-file", "FILE", NULL,
                "take the test nodes from this split, not from the one stored in the model");
    crd_cli_add_choice(
        options, "test-nodes", "WHICH", "split", "split all",
        "split: the test nodes of the split; all: every labelled node whose label the training did not use");
}

int crd_cli_choose_test_nodes(const crd_cli_options *options, const crd_model *model, const crd_dataset *dataset,
                              crd_split **split)
{
    crd_error error;
    crd_status status = CRD_OK;
    const char *file = crd_cli_value(options, "split-file");
    const bool all = crd_cli_is(options, "test-nodes", "all");
    *split = NULL;
    if (all && file != NULL) return crd_cli_misused(options, "--test-nodes all and --split-file contradict each other");
    if (file != NULL) status = crd_split_read(dataset, file, split, &error);
    else if (all) status = crd_split_all(model, dataset, split, &error);
    return status == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
}
