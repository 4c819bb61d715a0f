/* SPDX-License-Identifier: MIT */
/* credence compare: several models on the same graphs and splits, and whether chance explains their differences. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/numbers.h"
#include "files.h"
#include "runs/runs.h"

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
    crd_cli_add_left_out(options, "by the data",
                         "task ood: which classes are kept from training: the last N, these by name, or each in turn "
                         "(each; tables then show the mean over classes and the worst class)")
        ->suggestions = "each";
    crd_cli_add(options, 0, "shifts", "LIST", "six of them",
                "task shift: what is done to test nodes, as for evaluate --shift; bernoulli:0.1,normal:0.1, "
                "both again with :isolated, rewire:0.1,dice:0.1");
    crd_cli_add(options, 0, "split", "A/B/C", "by the data", "which nodes train, validate, test: as for train");
    crd_cli_add(options, 0, "set", "LIST", NULL,
                "NAME=VALUE,...: options of train, changed for every model that has them");
    crd_cli_add(options, 0, "config", "FILE", NULL, "the options of the model 'config', as for train");
    crd_cli_add(options, 0, "config-title", "TEXT", "Config", "what tables call the model 'config'");
    crd_cli_add_whole(options, "jobs", 0, 0, CRD_CLI_MOST_JOBS,
                      "how many runs go side by side; 0: as many as cores. Results do not depend on it");
    crd_cli_add(options, 0, "a", "MODEL", "the best",
                "the model that is compared with others, by its name or title; the difference is a - b");
    crd_cli_add(options, 0, "b", "MODEL", "all others", "the model that it is compared with");
    crd_cli_add(options, 0, "metric", "NAME", "auroc_epi",
                "what differences are measured by: id_acc, auroc_alea, aupr_epi, ..., or a place in the runs' "
                "metrics (ood.epistemic.fpr95); for misclassification the default is auroc_alea");
    crd_cli_add(options, 0, "graphs", "LIST", "all", "of a finished folder: runs on these graphs only");
    crd_cli_add_seed(options, "of the bootstrap; the same seed gives the same intervals");
    crd_cli_add_choice(options, "format", "FORMAT", "text", "text markdown csv json",
                       "text, markdown, csv (the differences) or json");
    crd_cli_add_data(options);
    crd_cli_add(options, 0, "json", NULL, NULL, "the same as --format json");
    crd_cli_add(options, 'q', "quiet", NULL, NULL,
                "say nothing but errors on standard error; the tables are printed all the same");
}

static void more_help(FILE *stream)
{
    fprintf(stream, "\n%sTasks:%s\n", crd_cli_bold(stream), crd_cli_plain(stream));
    for (const crd_cli_entry *task = crd_cli_tasks; task->name != NULL; task++)
        fprintf(stream, "  %-18s %s\n  %-18s models: %s\n", task->name, task->help, "", task->uses);
    fprintf(stream, "\n%sModels:%s\n", crd_cli_bold(stream), crd_cli_plain(stream));
    for (const crd_cli_entry *model = crd_cli_contenders; model->name != NULL; model++)
        fprintf(stream, "  %-18s %s\n", model->name, model->help);
    fputs("\nCtrl-C or a crash loses only the runs in progress: the same command goes on.\n"
          "Runs that differ only in how the epistemic score is made, or in the shift, share a training.\n"
          "As in the papers, the probabilities of all models but default are as the model gives them; with\n"
          "'--set calibration=temperature' all of them are calibrated.\n"
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
    const char *format;
    const char *set;    /* the value of --set; NULL: none */
    const char *folder; /* where to write the tables as well; NULL: nowhere */
    const char *place;  /* what messages call the runs */
    crd_cli_summary summary;
    crd_cli_differences differences;
} results;

static char *json_of(const results *r)
{
    const crd_cli_summary *summary = &r->summary;
    json_t *blocks = json_array();
    for (int64_t first = 0, end; first < summary->rows; first = end) {
        end = crd_cli_block_end(summary, first);
        crd_cli_json_append(blocks, crd_cli_block_json(summary, first, end));
    }
    json_t *object =
        crd_cli_json_new("unit", json_string("percent"), "blocks", blocks, "unpaired",
                         json_integer(r->differences.unpaired), "differences", json_incref(r->differences.list), NULL);
    char *text = crd_cli_json_text(object);
    crd_cli_append(&text, "\n");
    json_decref(object);
    return text;
}

static void print_tables(const results *r, FILE *stream, bool markdown)
{
    crd_cli_summary_print(&r->summary, r->set, stream, markdown);
    crd_cli_differences_print(&r->differences, stream, markdown);
}

/* The results as "json", "csv" or "markdown"; NULL for "text", which looks different on a terminal. The caller frees
 * it. */
static char *text_of(const results *r, const char *format)
{
    char *text = NULL;
    size_t size;
    if (strcmp(format, "json") == 0) return json_of(r);
    if (strcmp(format, "csv") == 0)
        return crd_cli_json_csv(json_incref(r->differences.list),
                                "task,data=label,shift,a,b,metric,pairs,mean_a,mean_b,difference,low,high,wilcoxon_p,"
                                "sign_p,wins,ties,losses");
    if (strcmp(format, "text") == 0) return NULL;
    FILE *stream = open_memstream(&text, &size);
    if (stream != NULL) print_tables(r, stream, true);
    if (stream == NULL || fclose(stream) != 0) exit(crd_cli_failf(CRD_CLI_FAILED, "out of memory"));
    return text;
}

static int write_results(const results *r)
{
    int code = crd_cli_write_in(r->folder, "table.csv", crd_cli_summary_csv(&r->summary));
    if (code == CRD_CLI_DONE) code = crd_cli_write_in(r->folder, "table.md", text_of(r, "markdown"));
    if (code == CRD_CLI_DONE) code = crd_cli_write_in(r->folder, "table.json", text_of(r, "json"));
    return code == CRD_CLI_DONE ? crd_cli_write_in(r->folder, "differences.csv", text_of(r, "csv")) : code;
}

static int show(const crd_cli_options *options, results *r)
{
    const char *metric = crd_cli_value(options, "metric");
    int code = CRD_CLI_DONE;
    crd_cli_summary_make(&r->summary, r->run, r->count);
    const bool failures = r->summary.rows > 0 && r->summary.row[0].kind == CRD_CLI_OF_FAILURES;
    r->differences = (crd_cli_differences){.summary = &r->summary,
                                           .a = crd_cli_value(options, "a"),
                                           .b = crd_cli_value(options, "b"),
                                           .metric = failures ? "auroc_alea" : "auroc_epi",
                                           .metric_given = metric != NULL,
                                           .seed = (uint64_t)crd_cli_whole(options, "seed")};
    if (metric != NULL) r->differences.metric = metric;
    char *problem = crd_cli_differences_make(&r->differences, r->run, r->count);
    if (problem != NULL) code = crd_cli_failf(CRD_CLI_FAILED, "%s: %s", r->place, problem);
    if (code == CRD_CLI_DONE && r->folder != NULL) code = write_results(r);
    char *text = code == CRD_CLI_DONE ? text_of(r, r->format) : NULL;
    if (text != NULL) fputs(text, stdout);
    else if (code == CRD_CLI_DONE) print_tables(r, stdout, false);
    if (code == CRD_CLI_DONE && !crd_cli_given(options, "quiet")) {
        const long long unpaired = r->differences.unpaired, passed_over = r->differences.passed_over;
        fflush(stdout);
        if (unpaired > 0)
            crd_cli_say("left out of the differences: %lld run%s without a partner", unpaired,
                        unpaired == 1 ? "" : "s");
        if (passed_over > 0)
            crd_cli_say("%lld runs with another configuration, split or graph than the last ones were left out",
                        passed_over);
    }
    free(text);
    free(problem);
    json_decref(r->differences.list);
    json_decref(r->differences.skipped);
    crd_cli_summary_free(&r->summary);
    return code;
}

/* ---- finished folders ---- */

/* Keeps the runs whose task ('t') or data ('d') an option lists. */
static int keep_listed(const crd_cli_options *options, const char *option, char which, const char *place,
                       crd_cli_runs *runs)
{
    json_t *list;
    char *problem = NULL;
    int64_t kept = 0;
    if (!crd_cli_given(options, option)) return CRD_CLI_DONE;
    int code = crd_cli_list_read(options, option, NULL, &list);
    for (size_t i = 0; i < json_array_size(list) && problem == NULL; i++)
        problem = crd_cli_missing_name(runs->run, runs->count, which, json_string_value(json_array_get(list, i)));
    if (problem != NULL) code = crd_cli_failf(CRD_CLI_FAILED, "%s: %s", place, problem);
    for (int64_t i = 0; i < runs->count; i++) {
        bool listed = false;
        for (size_t l = 0; l < json_array_size(list) && !listed; l++)
            listed = crd_cli_run_is(&runs->run[i], which, json_string_value(json_array_get(list, l)));
        if (listed) runs->run[kept++] = runs->run[i];
        else json_decref(runs->run[i].line);
    }
    runs->count = kept;
    free(problem);
    json_decref(list);
    return code;
}

static int show_finished(const crd_cli_options *options, const char *format)
{
    static const char *const for_runs[] = {"models", "seeds",  "left-out",     "shifts", "split",
                                           "set",    "config", "config-title", "jobs"};
    const char *place = options->words == 1 ? options->word[0] : "the files of runs";
    crd_cli_runs runs = {0};
    for (size_t i = 0; i < sizeof for_runs / sizeof for_runs[0]; i++)
        if (crd_cli_given(options, for_runs[i]))
            return crd_cli_misused(options, "--%s is for new runs, which need --output DIR", for_runs[i]);
    int code = CRD_CLI_DONE;
    for (int i = 0; i < options->words && code == CRD_CLI_DONE; i++) code = crd_cli_runs_read(&runs, options->word[i]);
    if (code == CRD_CLI_DONE) code = keep_listed(options, "task", 't', place, &runs);
    if (code == CRD_CLI_DONE) code = keep_listed(options, "graphs", 'd', place, &runs);
    results r = {.run = runs.run, .count = runs.count, .format = format, .place = place};
    if (code == CRD_CLI_DONE) code = show(options, &r);
    crd_cli_runs_close(&runs);
    return code;
}

/* ---- new runs ---- */

typedef struct {
    crd_cli_plan plan;
    crd_cli_runs runs;
    crd_cli_piece *piece; /* the runs that are still to be done */
    int64_t count;
    crd_cli_shared *shared; /* their trainings */
} comparison;

static bool is_finished(const comparison *c, int64_t index)
{
    const crd_cli_run *run = crd_cli_runs_find(&c->runs, c->plan.wanted[index].line);
    return run != NULL && !run->failed;
}

/* The runs that are not on disk yet: an object with the indices of those that share a training, for each training. */
static json_t *missing_runs(const comparison *c)
{
    json_t *trainings = json_object();
    for (int64_t i = 0; i < c->plan.count; i++) {
        if (is_finished(c, i)) continue;
        char *key = crd_cli_wanted_key(&c->plan.wanted[i]);
        if (json_object_get(trainings, key) == NULL) crd_cli_json_set(trainings, key, json_array());
        crd_cli_json_append(json_object_get(trainings, key), json_integer(i));
        free(key);
    }
    return trainings;
}

static void add_piece(comparison *c, crd_cli_wanted *wanted, crd_cli_shared *shared, bool joined)
{
    const char *class_name = crd_dataset_class_name(wanted->graph->dataset, wanted->held);
    const char *what = wanted->shift != NULL ? wanted->shift : class_name != NULL ? class_name : "";
    char *name = crd_cli_text("%s %s%s%s seed %llu", wanted->graph->name, wanted->contender->name,
                              what[0] != '\0' ? " " : "", what, (unsigned long long)wanted->seed);
    wanted->shared = shared;
    c->piece[c->count++] = (crd_cli_piece){json_incref(wanted->line), name, wanted, joined};
}

/* Runs that share a training are done one after the other in one process, the first of them in its turn. */
static void choose_runs(comparison *c)
{
    json_t *trainings = missing_runs(c), *runs, *run;
    crd_cli_shared *shared = crd_cli_allocate(NULL, json_object_size(trainings) * sizeof *shared);
    const char *key;
    size_t i;
    c->piece = crd_cli_allocate(NULL, (size_t)c->plan.count * sizeof *c->piece);
    c->shared = shared;
    json_object_foreach(trainings, key, runs)
    {
        *shared = (crd_cli_shared){0};
        json_array_foreach(runs, i, run) add_piece(c, &c->plan.wanted[json_integer_value(run)], shared, i > 0);
        shared++;
    }
    json_decref(trainings);
}

static int run_all(comparison *c, const crd_cli_options *options, int jobs)
{
    bool quiet = crd_cli_given(options, "quiet");
    if (!quiet) crd_cli_plan_say_notes(&c->plan);
    if (!quiet && c->count > 0)
        crd_cli_say("%s: %lld run%s, %lld of them finished already; %d at a time", c->plan.task->name,
                    (long long)c->plan.count, c->plan.count == 1 ? "" : "s", (long long)(c->plan.count - c->count),
                    jobs);
    crd_cli_pool pool = {.runs = &c->runs,
                         .jobs = jobs,
                         .count = c->count,
                         .piece = c->piece,
                         .run = crd_cli_wanted_run,
                         .context = &c->plan,
                         .quiet = quiet,
                         .what = ""};
    return crd_cli_pool_run(&pool);
}

/* Selects the runs of the plan. Runs are matched without regard to a model's title: tables show the title of this
 * command, the file keeps the title that the run was made with. Blocks come in the order of --shifts. */
static void select_runs(const comparison *c, results *r)
{
    r->run = crd_cli_allocate(NULL, (size_t)c->plan.count * sizeof *r->run);
    for (int64_t i = 0; i < c->plan.count; i++) {
        const crd_cli_wanted *wanted = &c->plan.wanted[i];
        const crd_cli_run *run = crd_cli_runs_find(&c->runs, wanted->line);
        if (run == NULL) continue;
        json_object_del(run->line, "model_title");
        if (wanted->title != NULL) crd_cli_json_set(run->line, "model_title", crd_cli_json_string(wanted->title));
        r->run[r->count] = *run;
        r->run[r->count++].shift_place = wanted->shift_place;
    }
}

static int say_end(const comparison *c, const crd_cli_options *options)
{
    const char *folder = crd_cli_value(options, "output");
    int64_t failed = 0, others = 0;
    for (int64_t i = 0; i < c->runs.count; i++) others += !c->runs.run[i].failed;
    for (int64_t i = 0; i < c->plan.count; i++) {
        const json_t *places = crd_cli_runs_like(&c->runs, c->plan.wanted[i].line);
        for (size_t n = 0; n < json_array_size(places); n++)
            others -= !c->runs.run[json_integer_value(json_array_get(places, n))].failed;
        failed += !is_finished(c, i);
    }
    if (failed > 0)
        return crd_cli_failf(CRD_CLI_FAILED,
                             "%lld of %lld runs failed; the table in %s is made of the others, the same "
                             "command tries them again",
                             (long long)failed, (long long)c->plan.count, folder);
    if (crd_cli_given(options, "quiet")) return CRD_CLI_DONE;
    crd_cli_say("%lld run%s, %lld of them now; tables are in %s", (long long)c->plan.count,
                c->plan.count == 1 ? "" : "s", (long long)c->count, folder);
    if (others > 0)
        crd_cli_say("%lld other run%s in %s %s not in them: 'credence compare %s' shows all", (long long)others,
                    others == 1 ? "" : "s", folder, others == 1 ? "is" : "are", folder);
    return CRD_CLI_DONE;
}

/* We do not fill somebody else's folder with our files: it must be new, empty, or hold runs. */
static int check_folder(const char *path)
{
    int code = crd_cli_check_output(path, NULL, true);
    char *runs = crd_cli_text("%s/runs.jsonl", path);
    DIR *folder = NULL;
    if (code == CRD_CLI_DONE && access(runs, F_OK) != 0 && (folder = opendir(path)) == NULL && errno != ENOENT)
        code = crd_cli_failf(CRD_CLI_FAILED, "%s: cannot open the folder: %s", path, strerror(errno));
    for (struct dirent *entry; folder != NULL && code == CRD_CLI_DONE && (entry = readdir(folder)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            code = crd_cli_failf(CRD_CLI_FAILED,
                                 "%s: holds something else ('%s'), expected a folder of runs, with runs.jsonl, or an "
                                 "empty or new one",
                                 path, entry->d_name);
    if (folder != NULL) closedir(folder);
    free(runs);
    return code;
}

static int run_new(const crd_cli_options *options, const char *format)
{
    static const char key[] = "task data model shift seed split split_index left_out_classes left_out_each fingerprint "
                              "config";
    const char *folder = crd_cli_value(options, "output");
    comparison c = {0};
    results r = {.format = format, .set = crd_cli_value(options, "set"), .folder = folder, .place = folder};
    const int jobs = crd_cli_jobs(options);
    /* If the reader of our output goes away, the work goes on. */
    signal(SIGPIPE, SIG_IGN);
    int code = check_folder(folder);
    if (code == CRD_CLI_DONE) code = crd_cli_plan_make(&c.plan, options);
    if (code == CRD_CLI_DONE) code = crd_cli_runs_open(&c.runs, options, folder, "runs.jsonl", key);
    if (code == CRD_CLI_DONE) {
        choose_runs(&c);
        code = run_all(&c, options, jobs);
    }
    if (code == CRD_CLI_DONE) {
        select_runs(&c, &r);
        code = show(options, &r);
        free(r.run);
    }
    if (code == CRD_CLI_DONE) code = say_end(&c, options);
    crd_cli_runs_close(&c.runs);
    crd_cli_plan_free(&c.plan);
    crd_cli_pieces_free(c.piece, c.count);
    free(c.shared);
    return code;
}

static int run(const crd_cli_options *options)
{
    const char *format = crd_cli_given(options, "json") ? "json" : crd_cli_setting(options, "format");
    if (crd_cli_given(options, "output") && crd_cli_given(options, "graphs"))
        return crd_cli_misused(options, "--graphs is for finished folders, without --output");
    if (crd_cli_given(options, "output")) return run_new(options, format);
    if (crd_ends_with(options->word[0], ".jsonl") || crd_cli_is_runs_folder(options->word[0]))
        return show_finished(options, format);
    return crd_cli_misused(options,
                           "%s is no folder of finished runs: to run models on a graph, compare needs --output DIR",
                           options->word[0]);
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
    .exclusive = {{"json", "format"}},
    .declare = declare,
    .more_help = more_help,
    .run = run,
};
