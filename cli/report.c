/* credence report: a page to look at, of models, comparisons and tunings. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "credence_private.h"
#include "data.h"
#include "files.h"
#include "map.h"
#include "runs/report.h"
#include "signals.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 'o', "output", "FILE", "report.html", "where the page goes; - is standard output");
    crd_cli_add(options, 0, "data", "DATA", "the one among RUN",
                "the graph that the models answer for; a public graph that they were trained on is found without");
    crd_cli_add(options, 0, "title", "TEXT", "by what it shows", "the page's heading");
    crd_cli_add_map(options);
    crd_cli_add_test_nodes(options);
    crd_cli_add_data(options);
    crd_cli_add_threads(options);
    crd_cli_add_quiet(options);
}

/* ---- what the arguments are ---- */

typedef enum { MODEL, FOLDER, DATA } sort;

typedef struct {
    const char *path;
    sort sort;
    crd_model *model; /* of a MODEL */
} argument;

typedef struct {
    const crd_cli_options *options;
    argument *argument;
    int arguments, models, folders;
    const char *data;          /* as it was given; NULL: it is not */
    const char *opened;        /* what `dataset` was opened by; NULL: nothing */
    crd_dataset *dataset;
    const crd_public_graph *known;    /* which public graph that is */
    crd_report_options how;
    bool quiet;
    crd_cli_map_progress progress;
    crd_report *report;
} job;

/* A file that calls itself a model is taken for one: what is wrong with it is worth saying. */
static bool is_model(const char *path)
{
    const char *ending = strrchr(path, '.');
    return (ending != NULL && strcmp(ending, ".safetensors") == 0) || crd_cli_is_model(path);
}

static int take_argument(job *j, const char *path)
{
    struct stat facts;
    argument *a = &j->argument[j->arguments++];
    *a = (argument){.path = path, .sort = DATA};
    if (strcmp(path, "-") != 0 && stat(path, &facts) == 0)
        a->sort = S_ISDIR(facts.st_mode) && crd_cli_is_runs_folder(path)   ? FOLDER
                  : S_ISREG(facts.st_mode) && is_model(path) ? MODEL
                                                             : DATA;
    if (a->sort == FOLDER) j->folders++;
    if (a->sort == MODEL) {
        crd_error error;
        j->models++;
        return crd_model_load(path, &a->model, &error) == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
    }
    if (a->sort != DATA) return CRD_CLI_DONE;
    if (j->data != NULL)
        return crd_cli_misused(j->options, "two graphs, %s and %s: models of one report share a graph", j->data,
                               path);
    j->data = path;
    return CRD_CLI_DONE;
}

static bool is_nothing(const char *data)
{
    return strcmp(data, "-") != 0 && access(data, F_OK) != 0 && crd_public_graph_find(data) == NULL;
}

static int take_arguments(job *j)
{
    const crd_cli_options *options = j->options;
    j->data = crd_cli_value(options, "data");
    j->argument = crd_cli_allocate(NULL, (size_t)(1 + options->words) * sizeof *j->argument);
    int code = take_argument(j, options->positional[0]);
    for (int i = 0; i < options->words && code == CRD_CLI_DONE; i++) code = take_argument(j, options->word[i]);
    if (code != CRD_CLI_DONE) return code;
    if (j->models + j->folders == 0 && is_nothing(j->data))
        return crd_cli_failf(CRD_CLI_FAILED, "%s: there is no such file or folder", j->data);
    if (j->models + j->folders == 0)
        return crd_cli_failf(CRD_CLI_FAILED,
                             "%s: is neither a model file nor a folder of 'compare' or 'tune', and a graph "
                             "alone has no report: 'credence info' shows it",
                             j->data);
    if (j->models == 0 && j->data != NULL)
        return crd_cli_misused(options, "%s: a graph has no use in a report without a model", j->data);
    return CRD_CLI_DONE;
}

/* ---- the graph of a model ---- */

/* The public graph that a model was trained on. */
static const crd_public_graph *training_graph(const crd_model *model)
{
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    return crd_public_graph_of(facts.fingerprint);
}

static int open_graph(job *j, const argument *a)
{
    const char *data = j->data;
    if (data == NULL) {
        const crd_public_graph *known = training_graph(a->model);
        if (known == NULL)
            return crd_cli_failf(CRD_CLI_FAILED,
                                 "%s: its graph is none of the public ones: give it too, as in 'credence report %s "
                                 "GRAPH'",
                                 a->path, a->path);
        data = known->name;
    }
    if (j->opened != NULL && strcmp(j->opened, data) == 0) return CRD_CLI_DONE;
    crd_dataset_free(&j->dataset);
    j->opened = data;
    return crd_cli_open_public(j->options, data, &j->dataset, &j->known);
}

/* ---- the parts ---- */

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* "gpn on CoraML", and of several models "a.safetensors: gpn on CoraML" */
static char *model_title(const job *j, const argument *a)
{
    crd_model_facts facts;
    crd_model_get_facts(a->model, &facts);
    const char *data = j->known != NULL ? j->known->title : file_name(j->opened);
    if (j->models == 1) return crd_cli_text("%s on %s", facts.kind, data);
    return crd_cli_text("%s: %s on %s", file_name(a->path), facts.kind, data);
}

static int add_model(job *j, const argument *a, const char *title)
{
    crd_error error;
    crd_split *split = NULL;
    crd_report_options how = j->how;
    how.title = title;
    how.data = j->opened;
    int code = crd_cli_choose_test_nodes(j->options, j->dataset, &split);
    if (code != CRD_CLI_DONE) return code;
    how.split = split;
    crd_status status = crd_report_add_model(j->report, a->model, j->dataset, &how, &error);
    crd_cli_map_progress_end(&j->progress);
    if (status == CRD_ERROR_MISMATCH || status == CRD_ERROR_NUMERIC)
        code = crd_cli_failf(CRD_CLI_FAILED, "%s: %s", a->path, error.message);
    else if (status != CRD_OK) code = crd_cli_fail(&error);
    crd_split_free(&split);
    return code;
}

/* The first part, whose title may be the page's, finds the report not begun. */
static int begin_report(job *j, const char *first_title)
{
    crd_error error;
    const char *title = crd_cli_value(j->options, "title");
    if (j->report != NULL) return CRD_CLI_DONE;
    if (title == NULL) title = j->models + j->folders == 1 ? first_title : "Credence report";
    return crd_report_new(title, &j->report, &error) == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
}

static int add_part(job *j, const argument *a)
{
    if (a->sort == DATA) return CRD_CLI_DONE;
    if (a->sort == FOLDER) {
        char *title = crd_cli_report_title(a->path);
        int code = begin_report(j, title);
        free(title);
        return code == CRD_CLI_DONE ? crd_cli_report_folder(j->report, a->path) : code;
    }
    int code = open_graph(j, a);
    if (code != CRD_CLI_DONE) return code;
    char *title = model_title(j, a);
    code = begin_report(j, title);
    if (code == CRD_CLI_DONE) code = add_model(j, a, title);
    free(title);
    return code;
}

/* ---- all of it ---- */

/* The page is none of the files that are read. */
static int check_output(const job *j, const char *output)
{
    static const char *const read[] = {"data", "split-file", "node-features", "labels", NULL};
    static const char *const in_folder[] = {"runs.jsonl", "trials.jsonl", "tried.json", "tried.csv", "command.txt"};
    int code = crd_cli_check_output_apart(j->options, output, read);
    for (int a = 0; a < j->arguments; a++) {
        const bool folder = j->argument[a].sort == FOLDER;
        if (code == CRD_CLI_DONE && !folder) code = crd_cli_check_output(output, j->argument[a].path);
        for (size_t i = 0; i < sizeof in_folder / sizeof *in_folder && folder && code == CRD_CLI_DONE; i++) {
            char *path = crd_cli_text("%s/%s", j->argument[a].path, in_folder[i]);
            code = crd_cli_check_output(output, path);
            free(path);
        }
    }
    return code;
}

/* The command as it was typed, but for how much it says and how many threads work. */
static char *command_text(const crd_cli_options *options)
{
    char *first = crd_cli_shell_text(options->positional[0]), *text = crd_cli_text("credence report %s", first);
    free(first);
    for (int i = 0; i < options->words; i++) {
        char *word = crd_cli_shell_text(options->word[i]), *longer = crd_cli_text("%s %s", text, word);
        free(word);
        free(text);
        text = longer;
    }
    for (int i = 0; i < options->count; i++) {
        const crd_cli_option *option = &options->option[i];
        if (option->value == NULL || option->argument == NULL || strcmp(option->name, "threads") == 0) continue;
        char *value = crd_cli_shell_text(option->value);
        char *longer = crd_cli_text("%s --%s %s", text, option->name, value);
        free(value);
        free(text);
        text = longer;
    }
    return text;
}

static int read_options(job *j)
{
    crd_report_options *how = &j->how;
    int64_t seed;
    crd_report_defaults(how);
    seed = (int64_t)how->tsne.seed;
    int code = crd_cli_check_test_nodes(j->options);
    if (code == CRD_CLI_DONE) code = crd_cli_map_options(j->options, &how->tsne);
    if (code == CRD_CLI_DONE) code = crd_cli_integer(j->options, "seed", 0, INT64_MAX, &seed);
    if (code == CRD_CLI_DONE) code = crd_cli_threads(j->options, &how->threads);
    how->tsne.seed = (uint64_t)seed;
    how->tsne.progress = crd_cli_on_iteration;
    how->tsne.user = &j->progress;
    return code;
}

static int make_report(job *j, const char *output)
{
    crd_error error;
    int code = CRD_CLI_DONE;
    for (int i = 0; i < j->arguments && code == CRD_CLI_DONE; i++) code = add_part(j, &j->argument[i]);
    if (code != CRD_CLI_DONE) return code;
    if (crd_report_save(j->report, output, &error) != CRD_OK) return crd_cli_fail(&error);
    if (j->quiet || strcmp(output, "-") == 0) return CRD_CLI_DONE;
    struct stat facts;
    const char *maps = crd_cli_interrupted() ? "; the map is as far as it came" : "";
    if (stat(output, &facts) != 0) return CRD_CLI_DONE;
    if (facts.st_size < 1000000)
        crd_cli_say("%s: %lld kB, to be opened in a browser%s", output, (long long)facts.st_size / 1000, maps);
    else crd_cli_say("%s: %.1f MB, to be opened in a browser%s", output, (double)facts.st_size / 1e6, maps);
    return CRD_CLI_DONE;
}

static int run(const crd_cli_options *options)
{
    const char *output = crd_cli_value(options, "output");
    job j = {.options = options, .quiet = crd_cli_given(options, "quiet")};
    if (output == NULL) output = "report.html";
    j.progress.live = !j.quiet && crd_cli_is_terminal(stderr);
    crd_cli_catch_signals("finishing the report with the map as it is");
    int code = read_options(&j);
    if (code == CRD_CLI_DONE) code = take_arguments(&j);
    if (code == CRD_CLI_DONE) code = check_output(&j, output);
    if (code == CRD_CLI_DONE) {
        char *command = command_text(options);
        j.how.command = command;
        code = make_report(&j, output);
        free(command);
    }
    crd_report_free(&j.report);
    crd_dataset_free(&j.dataset);
    for (int i = 0; i < j.arguments; i++) crd_model_free(&j.argument[i].model);
    free(j.argument);
    return code;
}

const crd_cli_command crd_cli_report = {
    .name = "report",
    .group = CRD_CLI_OWN_GRAPH,
    .summary = "a page to look at: maps, curves, evidence, tables",
    .description = "Makes one HTML file that needs no network. RUN is a model file, of which it shows the latent\n"
                   "space, the answers and the doubts; a folder of 'compare' or 'tune'; or the graph\n"
                   "that the models answer for.",
    .positional = {"RUN"},
    .any_number = "RUN",
    .declare = declare,
    .run = run,
};
