/* SPDX-License-Identifier: MIT */
/* credence report: a page about models, comparisons and tunings. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "credence_private.h"
#include "data.h"
#include "files.h"
#include "map.h"
#include "runs/runs.h"
#include "signals.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 'o', "output", "FILE", "report.html", "the file for the page, or - for standard output");
    crd_cli_add(options, 0, "data", "DATA", "the one among RUN",
                "the graph that the models answer for; leave it out if they were trained on a public graph");
    crd_cli_add(options, 0, "title", "TEXT", "by what it shows", "the page's heading");
    crd_cli_add_map(options);
    crd_cli_add_test_nodes(options);
    crd_cli_add_data(options);
    crd_cli_add_threads(options);
    crd_cli_add_quiet(options);
}

/* ---- the arguments ---- */

typedef enum { MODEL, FOLDER, DATA } sort;

typedef struct {
    const char *path;
    sort sort;
    crd_model *model; /* of a MODEL */
    crd_model_facts facts;
} argument;

typedef struct {
    const crd_cli_options *options;
    argument *argument;
    int arguments, models, folders;
    const char *data;   /* as it was given; NULL: not given */
    const char *opened; /* what `dataset` was opened from; NULL: nothing */
    crd_dataset *dataset;
    const crd_public_graph *known; /* which public graph that is */
    crd_report_options how;
    crd_tsne_options tsne;
    bool quiet;
    crd_cli_map_progress progress;
    crd_report *report;
} page;

static int take_argument(page *p, const char *path)
{
    struct stat facts;
    argument *a = &p->argument[p->arguments++];
    *a = (argument){.path = path, .sort = DATA};
    if (strcmp(path, "-") != 0 && stat(path, &facts) == 0)
        a->sort = S_ISDIR(facts.st_mode) && crd_cli_is_runs_folder(path) ? FOLDER
                  : S_ISREG(facts.st_mode) && crd_cli_is_model(path)     ? MODEL
                                                                         : DATA;
    if (a->sort == FOLDER) p->folders++;
    if (a->sort == MODEL) {
        crd_error error;
        p->models++;
        if (crd_model_load(path, &a->model, &error) != CRD_OK) return crd_cli_fail(&error);
        crd_model_get_facts(a->model, &a->facts);
    }
    if (a->sort != DATA) return CRD_CLI_DONE;
    if (p->data != NULL)
        return crd_cli_misused(p->options, "two graphs, %s and %s: models of one report share a graph", p->data, path);
    p->data = path;
    return CRD_CLI_DONE;
}

static int take_arguments(page *p)
{
    const crd_cli_options *options = p->options;
    p->data = crd_cli_value(options, "data");
    p->argument = crd_cli_allocate(NULL, (size_t)options->words * sizeof *p->argument);
    int code = CRD_CLI_DONE;
    for (int i = 0; i < options->words && code == CRD_CLI_DONE; i++) code = take_argument(p, options->word[i]);
    if (code != CRD_CLI_DONE) return code;
    if (p->models + p->folders == 0)
        return crd_cli_failf(CRD_CLI_FAILED,
                             "%s: expected a model file or a folder of 'compare' or 'tune', found neither; a graph "
                             "alone has no report ('credence info' shows it)",
                             p->data);
    if (p->models == 0 && p->data != NULL)
        return crd_cli_misused(options, "%s: a graph has no use in a report without a model", p->data);
    return CRD_CLI_DONE;
}

/* ---- the graph of a model ---- */

static int open_graph(page *p, const argument *a)
{
    const char *data = p->data;
    if (data == NULL) {
        const crd_public_graph *known = crd_public_graph_of(a->facts.fingerprint);
        if (known == NULL)
            return crd_cli_failf(CRD_CLI_FAILED,
                                 "%s: its graph is none of the public ones: give it too, as in 'credence report %s "
                                 "GRAPH'",
                                 a->path, a->path);
        data = known->name;
    }
    if (p->opened != NULL && strcmp(p->opened, data) == 0) return CRD_CLI_DONE;
    crd_dataset_free(&p->dataset);
    p->opened = data;
    return crd_cli_open(p->options, data, &p->dataset, &p->known);
}

/* ---- the parts ---- */

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* "gpn on CoraML"; for several models "a.safetensors: gpn on CoraML". */
static char *model_title(const page *p, const argument *a)
{
    const char *data = p->known != NULL ? p->known->title : file_name(p->opened);
    if (p->models == 1) return crd_cli_text("%s on %s", a->facts.kind, data);
    return crd_cli_text("%s: %s on %s", file_name(a->path), a->facts.kind, data);
}

static int add_model(page *p, const argument *a, const char *title)
{
    crd_error error;
    crd_split *split = NULL;
    crd_report_options how = p->how;
    how.title = title;
    how.data = p->opened;
    char *notes;
    int code = crd_cli_fit(a->model, p->dataset, &notes);
    if (code == CRD_CLI_DONE) code = crd_cli_choose_test_nodes(p->options, a->model, p->dataset, &split);
    how.split = split;
    crd_status status = CRD_OK;
    if (code == CRD_CLI_DONE) status = crd_report_add_model(p->report, a->model, p->dataset, &how, &error);
    if (status == CRD_ERROR_MISMATCH || status == CRD_ERROR_NUMERIC)
        code = crd_cli_failf(CRD_CLI_FAILED, "%s: %s", a->path, error.message);
    else if (status != CRD_OK) code = crd_cli_fail(&error);
    if (code == CRD_CLI_DONE && notes != NULL && !crd_cli_given(p->options, "quiet")) crd_cli_say("%s", notes);
    free(notes);
    crd_split_free(&split);
    return code;
}

/* The first part begins the report; its title may become the page's title. */
static int begin_report(page *p, const char *first_title)
{
    crd_error error;
    const char *title = crd_cli_value(p->options, "title");
    if (p->report != NULL) return CRD_CLI_DONE;
    if (title == NULL) title = p->models + p->folders == 1 ? first_title : "Credence report";
    return crd_report_new(title, &p->report, &error) == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
}

static int add_part(page *p, const argument *a)
{
    if (a->sort == DATA) return CRD_CLI_DONE;
    if (a->sort == FOLDER) {
        char *title = crd_cli_report_title(a->path);
        int code = begin_report(p, title);
        free(title);
        return code == CRD_CLI_DONE ? crd_cli_report_folder(p->report, a->path) : code;
    }
    int code = open_graph(p, a);
    if (code != CRD_CLI_DONE) return code;
    char *title = model_title(p, a);
    code = begin_report(p, title);
    if (code == CRD_CLI_DONE) code = add_model(p, a, title);
    free(title);
    return code;
}

/* ---- all of it ---- */

/* The page must not be one of the files that are read. */
static int check_output(const page *p, const char *output)
{
    static const char *const in_folder[] = {"runs.jsonl", "trials.jsonl", "tried.json", "tried.csv", "command.txt"};
    int code = CRD_CLI_DONE;
    for (int a = 0; a < p->arguments && code == CRD_CLI_DONE; a++)
        for (size_t i = 0; i < sizeof in_folder / sizeof *in_folder && p->argument[a].sort == FOLDER; i++) {
            char *path = crd_cli_text("%s/%s", p->argument[a].path, in_folder[i]);
            if (code == CRD_CLI_DONE) code = crd_cli_check_output(output, path, false);
            free(path);
        }
    return code == CRD_CLI_DONE ? crd_cli_check_output_apart(p->options, output, NULL) : code;
}

static int make_report(page *p, const char *output)
{
    crd_error error;
    int code = CRD_CLI_DONE;
    for (int i = 0; i < p->arguments && code == CRD_CLI_DONE; i++) code = add_part(p, &p->argument[i]);
    if (code != CRD_CLI_DONE) return code;
    if (crd_report_save(p->report, output, &error) != CRD_OK) return crd_cli_fail(&error);
    if (p->quiet || strcmp(output, "-") == 0) return CRD_CLI_DONE;
    struct stat facts;
    char size[16];
    if (stat(output, &facts) != 0) return CRD_CLI_DONE;
    crd_cli_size_text((int64_t)facts.st_size, size);
    crd_cli_say("%s: %s, to be opened in a browser%s", output, size,
                crd_cli_interrupted() ? "; the map is as far as it came" : "");
    return CRD_CLI_DONE;
}

static int run(const crd_cli_options *options)
{
    const char *output = crd_cli_setting(options, "output");
    page p = {.options = options, .quiet = crd_cli_given(options, "quiet")};
    crd_cli_catch_signals("finishing the report with the map as it is");
    crd_report_defaults(&p.how);
    crd_cli_map_options(options, &p.tsne, &p.progress);
    p.how.tsne = &p.tsne;
    p.how.control = &p.progress.control;
    int code = take_arguments(&p);
    if (code == CRD_CLI_DONE) code = check_output(&p, output);
    if (code == CRD_CLI_DONE) {
        char *command = crd_cli_command_text(options);
        p.how.command = command;
        code = make_report(&p, output);
        free(command);
    }
    crd_report_free(&p.report);
    crd_dataset_free(&p.dataset);
    for (int i = 0; i < p.arguments; i++) crd_model_free(&p.argument[i].model);
    free(p.argument);
    return code;
}

const crd_cli_command crd_cli_report = {
    .name = "report",
    .group = CRD_CLI_OWN_GRAPH,
    .summary = "make a page to look at in a browser: maps, curves, evidence, tables",
    .description = "Makes one HTML file that needs no network. RUN is a model file, of which it shows the latent\n"
                   "space, the answers and the doubts; a folder of 'compare' or 'tune'; or the graph\n"
                   "that the models answer for.",
    .positional = {"RUN"},
    .any_number = "RUN",
    .declare = declare,
    .run = run,
};
