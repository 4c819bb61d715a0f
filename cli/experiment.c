/* credence experiment: graphs x models x seeds in, a table with mean and standard deviation out. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "lab/ablation.h"
#include "lab/command.h"
#include "lab/live.h"
#include "lab/plan.h"
#include "lab/pool.h"
#include "lab/runs.h"
#include "lab/table.h"
#include "signals.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 'o', "out", "DIR", NULL,
                "the folder for runs.jsonl, with a line a run, and for the tables; what is finished there "
                "is not done again");
    crd_cli_add(options, 0, "data", "LIST", NULL,
                "the graphs, with commas between them: names (see 'credence fetch') or files");
    crd_cli_add(options, 0, "data-dir", "DIR", NULL,
                "where to look for the graphs named, before CREDENCE_DATA and what 'credence fetch' brought");
    crd_cli_add(options, 0, "models", "LIST", "by the task", "the table's rows; see below");
    crd_cli_add(options, 0, "seeds", "LIST", "10",
                "how many (10: 1 to 10), a range (11-15) or a list (1,4,7); each gives a split and an "
                "initialisation of its own");
    crd_cli_add(options, 0, "jobs", "N", "all cores",
                "how many runs go side by side; results do not depend on it");
    crd_cli_add(options, 0, "left-out", "N", "by the data",
                "tasks ood and ablation: how many last classes are kept from training");
    crd_cli_add(options, 0, "shifts", "LIST", "six of them",
                "task shift: what is done to test nodes, as for evaluate --shift; bernoulli:0.1,normal:0.1, "
                "both again with :isolated, rewire:0.1,dice:0.1");
    crd_cli_add(options, 0, "split", "A/B/C", "by the data",
                "which nodes train, validate, test: as for train");
    crd_cli_add(options, 0, "set", "LIST", NULL,
                "NAME=VALUE,...: options of train, changed for every model that has them");
    crd_cli_add(options, 0, "config", "FILE", NULL, "the options of the model 'config', as for train");
    crd_cli_add(options, 0, "title", "TEXT", "Config", "what tables call the model 'config'");
    crd_cli_add(options, 0, "tune-grid", "NAME", "coarse",
                "task ablation: what its options are chosen from; coarse: weights of the regularisers in "
                "decades; paper: in half decades");
    crd_cli_add(options, 0, "tune-space", "LIST", NULL,
                "task ablation: other values for options of that grid, as tune --space has them");
    crd_cli_add(options, 0, "tune-seeds", "LIST", "2",
                "task ablation: the splits that choose, as for tune --seeds (2: 101 and 102), none of the "
                "table's");
    crd_cli_add(options, 0, "eta", "X", "3",
                "task ablation: of the settings the best 1/X stay on every rung, as for tune");
    crd_cli_add(options, 0, "json", NULL, NULL, "the table as one JSON object on standard output");
    crd_cli_add(options, 'q', "quiet", NULL, NULL,
                "say nothing but errors on standard error; the table is printed all the same");
}

static void more_help(FILE *stream)
{
    fprintf(stream, "\n%sTasks:%s\n", crd_cli_bold(stream), crd_cli_plain(stream));
    for (int i = 0; crd_lab_task_at(i) != NULL; i++)
        fprintf(stream, "  %-18s %s\n  %-18s models: %s\n", crd_lab_task_at(i)->name,
                crd_lab_task_at(i)->help, "", crd_lab_task_at(i)->models);
    fprintf(stream, "\n%sModels:%s\n", crd_cli_bold(stream), crd_cli_plain(stream));
    for (int i = 0; crd_lab_model_at(i) != NULL; i++)
        fprintf(stream, "  %-18s %s\n", crd_lab_model_at(i)->name, crd_lab_model_at(i)->help);
    fputs("\nCtrl-C, or the end of the machine, loses only what is running: the same command goes on.\n",
          stream);
}

/* The folder ------------------------------------------------------------------------------------------- */

static int open_folder(const char *path, crd_lab_runs *runs)
{
    bool created = mkdir(path, 0777) == 0;
    if (!created && errno != EEXIST)
        return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot create the folder: %s", path, strerror(errno));
    char *file = crd_cli_text("%s/runs.jsonl", path);
    int code = crd_lab_runs_open(runs, file);
    if (code != CRD_CLI_DONE && created) rmdir(path);
    free(file);
    return code;
}

/* The runs --------------------------------------------------------------------------------------------- */

typedef struct {
    crd_lab_plan plan;
    crd_lab_ablation ablation;
    crd_lab_runs runs;
    json_t **key;  /* one a run of the plan */
    int64_t *todo; /* the runs of the plan that are still to be done */
    int64_t count;
    int64_t failed;
    int code; /* of appending */
    crd_lab_live live;
    int64_t *running; /* room for the live line */
} experiment;

static crd_status work(void *context, int64_t index, char **result, crd_error *error)
{
    const experiment *e = context;
    return crd_lab_run_do(&e->plan.wanted[e->todo[index]], result, error);
}

static bool done(void *context, int64_t index, const char *result, const char *why, double seconds)
{
    experiment *e = context;
    char *line = crd_lab_run_line(&e->plan.wanted[e->todo[index]], result, why, seconds);
    crd_lab_live_clear(&e->live);
    /* Even a second Ctrl-C waits for the line to be on disk. */
    crd_cli_hold_signals();
    e->code = crd_lab_runs_append(&e->runs, line);
    crd_cli_release_signals();
    free(line);
    e->failed += why != NULL;
    if (e->code == CRD_CLI_DONE) crd_lab_live_over(&e->live, e->todo[index], why, seconds);
    return e->code == CRD_CLI_DONE;
}

static void tick(void *context, const int64_t *running, int count, int64_t finished)
{
    experiment *e = context;
    (void)finished;
    for (int i = 0; i < count; i++) e->running[i] = e->todo[running[i]];
    crd_lab_live_show(&e->live, e->running, count);
}

/* Finds out which runs are on disk already. */
static void choose_runs(experiment *e)
{
    const size_t count = (size_t)e->plan.count;
    e->key = crd_cli_allocate(NULL, count * sizeof *e->key);
    e->todo = crd_cli_allocate(NULL, count * sizeof *e->todo);
    for (int64_t i = 0; i < e->plan.count; i++) {
        e->key[i] = crd_lab_run_key(&e->plan.wanted[i]);
        const crd_lab_run *run = crd_lab_runs_find(&e->runs, e->key[i]);
        if (run == NULL || run->failed) e->todo[e->count++] = i;
        else crd_lab_live_skip(&e->live, i, json_number_value(json_object_get(run->line, "seconds")));
    }
}

static void say_beginning(const experiment *e, int jobs)
{
    const crd_lab_plan *plan = &e->plan;
    int64_t finished = plan->count - e->count;
    char *before = finished == 0 ? crd_cli_text("%s", "")
                                 : crd_cli_text(", %lld are finished already", (long long)finished);
    crd_lab_plan_say_notes(plan);
    if (e->count > 0)
        crd_cli_say("%s: %lld run%s%s; %d at a time", plan->task->name, (long long)plan->count,
                    plan->count == 1 ? "" : "s", before, jobs);
    free(before);
}

static int interrupted(const experiment *e, const char *folder)
{
    int64_t finished = 0;
    for (int64_t i = 0; i < e->plan.count; i++) {
        const crd_lab_run *run = crd_lab_runs_find(&e->runs, e->key[i]);
        finished += run != NULL && !run->failed;
    }
    return crd_cli_failf(CRD_CLI_FAILED,
                         "interrupted: %lld of %lld runs are finished and kept in %s; the same command goes "
                         "on from there",
                         (long long)finished, (long long)e->plan.count, folder);
}

static int run_all(experiment *e, const crd_cli_options *options, int jobs)
{
    const char *folder = crd_cli_value(options, "out");
    bool quiet = crd_cli_given(options, "quiet");
    crd_lab_live_begin(&e->live, &e->plan, jobs, quiet);
    choose_runs(e);
    if (!quiet) say_beginning(e, jobs);
    e->running = crd_cli_allocate(NULL, (size_t)jobs * sizeof *e->running);
    crd_lab_pool pool = {
        .jobs = jobs, .count = e->count, .context = e, .work = work, .done = done, .tick = tick};
    crd_cli_catch_signals("stopping; what is finished is kept");
    int code = crd_lab_pool_run(&pool);
    crd_lab_live_end(&e->live);
    if (crd_cli_interrupted()) return interrupted(e, folder);
    return code != CRD_CLI_DONE ? code : e->code;
}

/* The tables ------------------------------------------------------------------------------------------- */

static int copy_to_output(const char *path)
{
    char *text = crd_lab_text_read(path);
    if (text == NULL) return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot read: %s", path, strerror(errno));
    fputs(text, stdout);
    free(text);
    return CRD_CLI_DONE;
}

/* What a row is called is not what makes it the same run: the tables have the title of this command. The file
 * keeps the one that the run was made with. */
static void take_title(json_t *line, const json_t *key)
{
    json_t *title = json_object_get(key, "model_title");
    if (title == NULL) json_object_del(line, "model_title");
    else if (json_object_set(line, "model_title", title) != 0)
        exit(crd_cli_failf(CRD_CLI_FAILED, "out of memory"));
}

/* Blocks come in the order of --shifts. */
static int place_of(const crd_lab_list *shifts, const char *shift)
{
    for (int i = 0; i < shifts->count && shift != NULL; i++)
        if (strcmp(shifts->item[i], shift) == 0) return i;
    return 0;
}

static int make_tables(const experiment *e, const crd_cli_options *options)
{
    const char *folder = crd_cli_value(options, "out");
    crd_lab_run *selected = crd_cli_allocate(NULL, (size_t)e->plan.count * sizeof *selected);
    int64_t count = 0;
    for (int64_t i = 0; i < e->plan.count; i++) {
        const crd_lab_run *run = crd_lab_runs_find(&e->runs, e->key[i]);
        if (run == NULL) continue;
        take_title(run->line, e->key[i]);
        selected[count] = *run;
        selected[count++].shift_place = place_of(&e->plan.shifts, run->shift);
    }
    static const char *const recorded[] = {"data",       "models",     "seeds",  "left-out", "shifts",
                                           "split",      "set",        "config", "title",    "tune-grid",
                                           "tune-space", "tune-seeds", "eta",    NULL};
    char *command = crd_lab_command_text(options, recorded), *json = crd_cli_text("%s/table.json", folder);
    char *changed = crd_lab_changes_text(&e->plan.changes);
    int code = crd_lab_tables_write(folder, selected, count, command, changed);
    if (code == CRD_CLI_DONE && crd_cli_given(options, "json")) code = copy_to_output(json);
    else if (code == CRD_CLI_DONE) crd_lab_tables_print(selected, count, changed, stdout);
    free(changed);
    free(json);
    free(command);
    free(selected);
    return code;
}

static int say_end(const experiment *e, const crd_cli_options *options)
{
    const char *folder = crd_cli_value(options, "out");
    if (e->failed > 0)
        return crd_cli_failf(CRD_CLI_FAILED,
                             "%lld of %lld runs failed; the table in %s is made of the others, the same "
                             "command tries them again",
                             (long long)e->failed, (long long)e->plan.count, folder);
    if (!crd_cli_given(options, "quiet")) {
        fflush(stdout);
        const int64_t others = crd_lab_runs_others(&e->runs, e->key, e->plan.count);
        char *more = others == 0 ? crd_cli_text("%s", "")
                                 : crd_cli_text("; %lld other run%s in %s %s not in it: 'credence page' "
                                                "makes tables of all",
                                                (long long)others, others == 1 ? "" : "s", folder,
                                                others == 1 ? "is" : "are");
        crd_cli_say("%lld run%s, %lld of them now; %s/table.txt, .md, .tex, .csv and .json written%s",
                    (long long)e->plan.count, e->plan.count == 1 ? "" : "s", (long long)e->count, folder,
                    more);
        free(more);
    }
    return CRD_CLI_DONE;
}

static void free_all(experiment *e)
{
    for (int64_t i = 0; i < e->plan.count && e->key != NULL; i++) json_decref(e->key[i]);
    free(e->key);
    free(e->todo);
    free(e->running);
    crd_lab_runs_close(&e->runs);
    crd_lab_ablation_free(&e->ablation);
    crd_lab_plan_free(&e->plan);
}

static int run(const crd_cli_options *options)
{
    static const char *const ours[] = {"runs.jsonl", NULL};
    experiment e = {.runs = {.file = -1}};
    const char *folder = crd_cli_value(options, "out");
    int64_t jobs = crd_lab_cores();
    /* Who watches may go away; the work goes on. */
    signal(SIGPIPE, SIG_IGN);
    int code = crd_cli_integer(options, "jobs", 1, 1024, &jobs);
    if (code == CRD_CLI_DONE) code = crd_lab_plan_begin(&e.plan, options, options->positional[0]);
    if (code == CRD_CLI_DONE) code = crd_lab_ablation_begin(&e.ablation, options, &e.plan);
    if (code == CRD_CLI_DONE)
        code = crd_cli_check_folder_output(folder, ours, "an experiment's folder, with runs.jsonl");
    if (code == CRD_CLI_DONE) code = crd_lab_plan_finish(&e.plan, options);
    if (code == CRD_CLI_DONE) code = crd_lab_ablation_check(&e.ablation, &e.plan);
    if (code == CRD_CLI_DONE) code = open_folder(folder, &e.runs);
    if (code == CRD_CLI_DONE) code = crd_lab_ablation_choose(&e.ablation, &e.plan, folder, (int)jobs);
    if (code == CRD_CLI_DONE) code = run_all(&e, options, (int)jobs);
    if (code == CRD_CLI_DONE) code = make_tables(&e, options);
    if (code == CRD_CLI_DONE) code = say_end(&e, options);
    free_all(&e);
    return code;
}

const crd_cli_command crd_cli_experiment = {
    .name = "experiment",
    .group = CRD_CLI_LABORATORY,
    .summary = "measure models on graphs, many times, and make the table",
    .description = "Trains and measures every model on every graph with every seed, each run with a split\n"
                   "and an initialisation of its own, and makes the paper's table of it: means, standard\n"
                   "deviations, the published values beside them. TASK is ood, misclassification,\n"
                   "shift or ablation.",
    .positional = {"TASK"},
    .required = "out",
    .declare = declare,
    .more_help = more_help,
    .run = run,
};
