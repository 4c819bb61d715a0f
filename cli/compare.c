/* credence compare: several models on the same graphs and splits, and whether chance explains their differences. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "runs/results.h"
#include "runs/plan.h"
#include "runs/pool.h"
#include "signals.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 'o', "output", "DIR", NULL,
                "the folder for runs.jsonl, with one line per run, and for the tables; finished runs are not "
                "repeated");
    crd_cli_add(options, 0, "models", "LIST", "by the task", "the models to compare; see below");
    crd_cli_add(options, 0, "task", "NAME", "ood",
                "what they are compared by; see below. For a finished folder: runs of these tasks only");
    crd_cli_add(options, 0, "seeds", "LIST", "10",
                "how many (10: 1 to 10), a range (11-15) or a list (1,4,7); each seed gives a split and an "
                "initialisation of its own");
    crd_cli_add(options, 0, "left-out", "N", "by the data", "task ood: how many last classes are kept from training");
    crd_cli_add(options, 0, "shifts", "LIST", "six of them",
                "task shift: what is done to test nodes, as for evaluate --shift; bernoulli:0.1,normal:0.1, "
                "both again with :isolated, rewire:0.1,dice:0.1");
    crd_cli_add(options, 0, "split", "A/B/C", "by the data", "which nodes train, validate, test: as for train");
    crd_cli_add(options, 0, "set", "LIST", NULL,
                "NAME=VALUE,...: options of train, changed for every model that has them");
    crd_cli_add(options, 0, "config", "FILE", NULL, "the options of the model 'config', as for train");
    crd_cli_add(options, 0, "title", "TEXT", "Config", "what tables call the model 'config'");
    crd_cli_add(options, 0, "jobs", "N", "0",
                "how many runs go side by side; 0: as many as cores. Results do not depend on it");
    crd_cli_add(options, 0, "a", "MODEL", "the best",
                "the model that is compared with others, by its name or title; the difference is a - b");
    crd_cli_add(options, 0, "b", "MODEL", "all others", "the model that it is compared with");
    crd_cli_add(options, 0, "metric", "NAME", "auroc_epi",
                "what differences are measured by: id_acc, auroc_alea, aupr_epi, ..., or a place in the runs' "
                "metrics (ood.epistemic.fpr95); for misclassification the default is auroc_alea");
    crd_cli_add(options, 0, "graphs", "LIST", "all", "of a finished folder: runs on these graphs only");
    crd_cli_add(options, 0, "seed", "N", "1", "of the bootstrap; the same seed gives the same intervals");
    crd_cli_add(options, 0, "format", "FORMAT", "text", "text, markdown, csv (the differences) or json");
    crd_cli_add_data(options);
    crd_cli_add(options, 0, "json", NULL, NULL, "the same as --format json");
    crd_cli_add(options, 'q', "quiet", NULL, NULL,
                "say nothing but errors on standard error; the tables are printed all the same");
}

static void more_help(FILE *stream)
{
    fprintf(stream, "\n%sTasks:%s\n", crd_cli_bold(stream), crd_cli_plain(stream));
    for (int i = 0; crd_cli_task_at(i) != NULL; i++)
        fprintf(stream, "  %-18s %s\n  %-18s models: %s\n", crd_cli_task_at(i)->name, crd_cli_task_at(i)->help, "",
                crd_cli_task_at(i)->models);
    fprintf(stream, "\n%sModels:%s\n", crd_cli_bold(stream), crd_cli_plain(stream));
    for (int i = 0; crd_cli_contender_at(i) != NULL; i++)
        fprintf(stream, "  %-18s %s\n", crd_cli_contender_at(i)->name, crd_cli_contender_at(i)->help);
    fputs("\nCtrl-C or a crash loses only the runs in progress: the same command goes on.\n"
          "\nThe interval is that of the mean difference (BCa bootstrap, 10,000 resamples); both tests are\n"
          "two-sided and exact for up to 50 pairs. With many comparisons, some p-values are small by luck, "
          "and\n"
          "so are those of a model that was picked because it is the best.\n"
          "A pair is won where a is better: above b, or below it for errors (fpr95, ece, aurc, ...).\n",
          stream);
}

/* ---- results ---- */

/* The runs that are shown, and how. */
typedef struct {
    crd_cli_run *run;
    int64_t count;
    const char *tasks, *graphs; /* comma-separated lists of what to show; NULL: all */
    const char *format;
    char *changed;      /* options that --set changed; NULL: none */
    const char *folder; /* where to write the tables as well; NULL: nowhere */
    const char *place;  /* what messages call the runs */
} results;

static int read_question(const crd_cli_options *options, const crd_cli_summary *summary, crd_cli_question *q)
{
    int64_t seed = 1;
    bool failures = summary->rows > 0 && strcmp(summary->row[0].like->task, "misclassification") == 0;
    *q = (crd_cli_question){.a = crd_cli_value(options, "a"),
                            .b = crd_cli_value(options, "b"),
                            .metric = crd_cli_value(options, "metric"),
                            .metric_given = crd_cli_given(options, "metric")};
    if (q->metric == NULL) q->metric = failures ? "auroc_alea" : "auroc_epi";
    int code = crd_cli_integer(options, "seed", 0, INT64_MAX, &seed);
    q->seed = (uint64_t)seed;
    return code;
}

static char *json_of(const crd_cli_summary *summary, const crd_cli_differences *differences)
{
    json_t *object = json_object(), *blocks = json_array();
    for (int64_t first = 0, end; first < summary->rows; first = end) {
        end = crd_cli_block_end(summary, first);
        crd_cli_json_append(blocks, crd_cli_block_json(summary, first, end));
    }
    crd_cli_json_add(object, "unit", json_string("percent"), "blocks", blocks, "unpaired",
                     json_integer(differences->unpaired), "differences", crd_cli_differences_json(differences), NULL);
    char *text = crd_cli_json_text(object), *line = crd_cli_text("%s\n", text);
    free(text);
    json_decref(object);
    return line;
}

static char *markdown_of(const results *r, const crd_cli_summary *summary, const crd_cli_differences *differences)
{
    crd_text text = {0};
    crd_cli_summary_print(summary, r->changed, &text);
    if (differences->count > 0) crd_cli_differences_print(differences, &text);
    return crd_cli_take_text(&text);
}

static int write_results(const results *r, const crd_cli_summary *summary, const crd_cli_differences *differences)
{
    int code = crd_cli_write_in(r->folder, "table.csv", crd_cli_summary_csv(summary));
    if (code == CRD_CLI_DONE) code = crd_cli_write_in(r->folder, "table.md", markdown_of(r, summary, differences));
    if (code == CRD_CLI_DONE) code = crd_cli_write_in(r->folder, "table.json", json_of(summary, differences));
    if (code == CRD_CLI_DONE)
        code = crd_cli_write_in(r->folder, "differences.csv", crd_cli_differences_csv(differences));
    return code;
}

static void print_results(const results *r, const crd_cli_summary *summary, const crd_cli_differences *differences)
{
    char *text = strcmp(r->format, "json") == 0       ? json_of(summary, differences)
                 : strcmp(r->format, "csv") == 0      ? crd_cli_differences_csv(differences)
                 : strcmp(r->format, "markdown") == 0 ? markdown_of(r, summary, differences)
                                                      : NULL;
    if (text != NULL) fputs(text, stdout);
    else crd_cli_summary_print(summary, r->changed, NULL);
    if (text == NULL && differences->count > 0) crd_cli_differences_print(differences, NULL);
    free(text);
}

static int show(const crd_cli_options *options, const results *r)
{
    crd_cli_summary summary;
    crd_cli_differences differences = {0};
    crd_cli_question question;
    char *problem = crd_cli_missing_name(r->run, r->count, 't', r->tasks);
    if (problem == NULL) problem = crd_cli_missing_name(r->run, r->count, 'd', r->graphs);
    crd_cli_summary_make(&summary, r->run, r->count, r->tasks, r->graphs);
    int code = read_question(options, &summary, &question);
    if (code == CRD_CLI_DONE && problem == NULL)
        problem = crd_cli_differences_make(&differences, &summary, r->run, r->count, &question);
    if (problem != NULL) code = crd_cli_failf(CRD_CLI_FAILED, "%s: %s", r->place, problem);
    if (code == CRD_CLI_DONE && r->folder != NULL) code = write_results(r, &summary, &differences);
    if (code == CRD_CLI_DONE) print_results(r, &summary, &differences);
    if (code == CRD_CLI_DONE && !crd_cli_given(options, "quiet")) {
        fflush(stdout);
        if (differences.unpaired > 0)
            crd_cli_say("left out of the differences: %lld run%s without a partner", (long long)differences.unpaired,
                        differences.unpaired == 1 ? "" : "s");
        if (differences.passed_over > 0)
            crd_cli_say("%lld runs with another configuration, split or graph than the last ones were left out",
                        (long long)differences.passed_over);
    }
    free(problem);
    crd_cli_differences_free(&differences);
    crd_cli_summary_free(&summary);
    return code;
}

static int read_format(const crd_cli_options *options, const char **format)
{
    static const char *const formats[] = {"text", "markdown", "csv", "json"};
    *format = crd_cli_value(options, "format");
    if (crd_cli_given(options, "json")) {
        if (*format != NULL && strcmp(*format, "json") != 0)
            return crd_cli_misused(options, "--json and --format %s contradict each other", *format);
        *format = "json";
    }
    if (*format == NULL) *format = "text";
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(*format, formats[i]) == 0) return CRD_CLI_DONE;
    return crd_cli_misused(options, "--format: expected text, markdown, csv or json, found '%s'", *format);
}

/* ---- finished folders ---- */

static bool is_runs(const char *path)
{
    struct stat facts;
    size_t length = strlen(path);
    if (length > 6 && strcmp(path + length - 6, ".jsonl") == 0) return true;
    if (stat(path, &facts) != 0 || !S_ISDIR(facts.st_mode)) return false;
    char *file = crd_cli_text("%s/runs.jsonl", path);
    bool found = access(file, F_OK) == 0;
    free(file);
    return found;
}

static int show_finished(const crd_cli_options *options, const char *format)
{
    static const char *const for_runs[] = {"models", "seeds",  "left-out", "shifts", "split",
                                           "set",    "config", "title",    "jobs"};
    const int words = 1 + options->words;
    results r = {.format = format,
                 .tasks = crd_cli_value(options, "task"),
                 .graphs = crd_cli_value(options, "graphs"),
                 .place = words == 1 ? options->positional[0] : "the files of runs"};
    for (size_t i = 0; i < sizeof for_runs / sizeof for_runs[0]; i++)
        if (crd_cli_given(options, for_runs[i]))
            return crd_cli_misused(options, "--%s is for new runs, which need --output DIR", for_runs[i]);
    crd_cli_runs *file = crd_cli_allocate(NULL, (size_t)words * sizeof *file);
    int files = 0, code = CRD_CLI_DONE;
    for (; files < words && code == CRD_CLI_DONE; files++) {
        crd_cli_runs *next = &file[files];
        code = crd_cli_runs_read(next, files == 0 ? options->positional[0] : options->word[files - 1]);
        r.run = crd_cli_allocate(r.run, (size_t)(r.count + next->count) * sizeof *r.run);
        for (int64_t i = 0; i < next->count; i++) r.run[r.count++] = next->run[i];
    }
    if (code == CRD_CLI_DONE) code = show(options, &r);
    for (int i = 0; i < files; i++) crd_cli_runs_close(&file[i]);
    free(file);
    free(r.run);
    return code;
}

/* ---- new runs ---- */

typedef struct {
    crd_cli_plan plan;
    crd_cli_runs runs;
    json_t **wanted; /* one per run of the plan: the line to look for on disk */
    int64_t *todo;   /* the runs of the plan that are still to be done */
    int64_t count, failed;
} comparison;

static crd_status run_one(void *context, int64_t index, char **result, crd_error *error)
{
    const comparison *c = context;
    return crd_cli_wanted_run(&c->plan, c->todo[index], result, error);
}

static int keep_line(void *context, int64_t index, const char *result, const char *why, double seconds)
{
    comparison *c = context;
    json_t *line = json_copy(c->plan.wanted[c->todo[index]].line);
    char *rounded = crd_cli_text("%.3f", seconds);
    crd_cli_json_set(line, "seconds", json_real(strtod(rounded, NULL)));
    free(rounded);
    if (why != NULL) crd_cli_json_set(line, "error", crd_cli_json_string(why));
    json_t *outcome = result == NULL ? NULL : json_loads(result, 0, NULL);
    if (outcome != NULL) json_object_update(line, outcome);
    json_decref(outcome);
    c->failed += why != NULL;
    return crd_cli_runs_append(&c->runs, line);
}

static char *name_of(void *context, int64_t index)
{
    const comparison *c = context;
    const crd_cli_wanted *wanted = &c->plan.wanted[c->todo[index]];
    return crd_cli_text("%s %s%s%s seed %llu", wanted->graph->name, wanted->contender->name,
                        wanted->shift != NULL ? " " : "", wanted->shift != NULL ? wanted->shift : "",
                        (unsigned long long)wanted->seed);
}

/* Finds out which runs are on disk already. */
static void choose_runs(comparison *c)
{
    const size_t count = (size_t)c->plan.count;
    c->wanted = crd_cli_allocate(NULL, count * sizeof *c->wanted);
    c->todo = crd_cli_allocate(NULL, count * sizeof *c->todo);
    for (int64_t i = 0; i < c->plan.count; i++) {
        c->wanted[i] = c->plan.wanted[i].line;
        const crd_cli_run *run = crd_cli_runs_find(&c->runs, c->wanted[i]);
        if (run == NULL || run->failed) c->todo[c->count++] = i;
    }
}

static int run_all(comparison *c, const crd_cli_options *options, int jobs)
{
    bool quiet = crd_cli_given(options, "quiet");
    int64_t finished = c->plan.count - c->count;
    if (!quiet) crd_cli_plan_say_notes(&c->plan);
    if (!quiet && c->count > 0)
        crd_cli_say("%s: %lld run%s, %lld of them finished already; %d at a time", c->plan.task->name,
                    (long long)c->plan.count, c->plan.count == 1 ? "" : "s", (long long)finished, jobs);
    crd_cli_pool pool = {.jobs = jobs,
                         .count = c->count,
                         .context = c,
                         .run = run_one,
                         .done = keep_line,
                         .name = name_of,
                         .quiet = quiet,
                         .what = ""};
    crd_cli_catch_signals("stopping; what is finished is kept");
    int code = crd_cli_pool_run(&pool);
    if (!crd_cli_interrupted()) return code;
    for (finished = 0, c->count = 0; c->count < c->plan.count; c->count++) {
        const crd_cli_run *run = crd_cli_runs_find(&c->runs, c->wanted[c->count]);
        finished += run != NULL && !run->failed;
    }
    return crd_cli_failf(CRD_CLI_FAILED,
                         "interrupted: %lld of %lld runs are finished and kept in %s; the same command goes "
                         "on from there",
                         (long long)finished, (long long)c->plan.count, crd_cli_value(options, "output"));
}

/* Selects the runs of the plan. Runs are matched without regard to a model's title: tables show the title of this
 * command, the file keeps the title that the run was made with. Blocks come in the order of --shifts. */
static void select_runs(const comparison *c, results *r)
{
    const crd_cli_list *shifts = &c->plan.shifts;
    r->run = crd_cli_allocate(NULL, (size_t)c->plan.count * sizeof *r->run);
    for (int64_t i = 0; i < c->plan.count; i++) {
        const crd_cli_run *run = crd_cli_runs_find(&c->runs, c->wanted[i]);
        json_t *title = crd_cli_json_copied(c->wanted[i], "model_title");
        if (run == NULL) continue;
        if (title == NULL) json_object_del(run->line, "model_title");
        else crd_cli_json_set(run->line, "model_title", title);
        crd_cli_run *chosen = &r->run[r->count++];
        *chosen = *run;
        for (int s = 0; s < shifts->count && run->shift != NULL; s++)
            if (strcmp(shifts->item[s], run->shift) == 0) chosen->shift_place = s;
    }
}

static int say_end(const comparison *c, const crd_cli_options *options)
{
    const char *folder = crd_cli_value(options, "output");
    if (c->failed > 0)
        return crd_cli_failf(CRD_CLI_FAILED,
                             "%lld of %lld runs failed; the table in %s is made of the others, the same "
                             "command tries them again",
                             (long long)c->failed, (long long)c->plan.count, folder);
    if (crd_cli_given(options, "quiet")) return CRD_CLI_DONE;
    const int64_t others = crd_cli_runs_others(&c->runs, c->wanted, c->plan.count);
    crd_cli_say("%lld run%s, %lld of them now; tables are in %s", (long long)c->plan.count,
                c->plan.count == 1 ? "" : "s", (long long)c->count, folder);
    if (others > 0)
        crd_cli_say("%lld other run%s in %s %s not in them: 'credence compare %s' shows all", (long long)others,
                    others == 1 ? "" : "s", folder, others == 1 ? "is" : "are", folder);
    return CRD_CLI_DONE;
}

static int run_new(const crd_cli_options *options, const char *format)
{
    static const char *const ours[] = {"runs.jsonl", NULL};
    static const char recorded[] =
        "node-features labels header first-id models task seeds left-out shifts split set config title";
    const char *folder = crd_cli_value(options, "output");
    comparison c = {.runs = {.file = -1}};
    results r = {.format = format, .folder = folder, .place = folder};
    int jobs;
    /* If the reader of our output goes away, the work goes on. */
    signal(SIGPIPE, SIG_IGN);
    int code = crd_cli_jobs(options, &jobs);
    if (code == CRD_CLI_DONE) code = crd_cli_check_folder_output(folder, ours, "a folder of runs, with runs.jsonl");
    if (code == CRD_CLI_DONE) code = crd_cli_plan_make(&c.plan, options);
    if (code == CRD_CLI_DONE) code = crd_cli_make_folder(folder);
    char *file = crd_cli_text("%s/runs.jsonl", folder);
    if (code == CRD_CLI_DONE) code = crd_cli_runs_open(&c.runs, file);
    free(file);
    if (code == CRD_CLI_DONE) code = crd_cli_record_command(options, recorded, folder);
    if (code == CRD_CLI_DONE) {
        choose_runs(&c);
        code = run_all(&c, options, jobs);
    }
    if (code == CRD_CLI_DONE) {
        select_runs(&c, &r);
        r.changed = crd_cli_changes_text(&c.plan.changes);
        code = show(options, &r);
        free(r.changed);
        free(r.run);
    }
    if (code == CRD_CLI_DONE) code = say_end(&c, options);
    crd_cli_runs_close(&c.runs);
    crd_cli_plan_free(&c.plan);
    free(c.wanted);
    free(c.todo);
    return code;
}

static int run(const crd_cli_options *options)
{
    const char *format;
    int code = read_format(options, &format);
    if (code != CRD_CLI_DONE) return code;
    if (crd_cli_given(options, "output")) {
        if (crd_cli_given(options, "graphs"))
            return crd_cli_misused(options, "--graphs is for finished folders, without --output");
        return run_new(options, format);
    }
    if (is_runs(options->positional[0])) return show_finished(options, format);
    return crd_cli_misused(options,
                           "%s is no folder of finished runs: to run models on a graph, compare needs --output DIR",
                           options->positional[0]);
}

const crd_cli_command crd_cli_compare = {
    .name = "compare",
    .group = CRD_CLI_BETTER_MODELS,
    .summary = "compare models on your graph, many times over",
    .description = "Trains and measures every model on every graph with every seed, prints a table of means and\n"
                   "standard deviations, and says for pairs of models how far they are apart on the same\n"
                   "splits and whether luck explains it. DATA are graphs, which need --output; or folders that\n"
                   "earlier calls have filled, whose tables and differences are shown.",
    .positional = {"DATA"},
    .any_number = "DATA",
    .declare = declare,
    .more_help = more_help,
    .run = run,
};
