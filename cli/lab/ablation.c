#include "lab/ablation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files.h"
#include "config_text.h"
#include "lab/tune_options.h"
#include "lab/tune_report.h"

/* Options ---------------------------------------------------------------------------------------------- */

static int check_foreign(const crd_cli_options *options, const char *task)
{
    static const char *const own[] = {"tune-grid", "tune-space", "tune-seeds", "eta"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (crd_cli_given(options, own[i]))
            return crd_cli_misused(options, "--%s has no meaning for %s, where nothing is tuned", own[i],
                                   task);
    return CRD_CLI_DONE;
}

/* The rows up to the last that the table has: each search builds on the one before it. */
static void choose_rows(crd_lab_ablation *ablation, const crd_lab_plan *plan)
{
    int rows = 0;
    for (int i = 0; crd_lab_model_at(i) != NULL && rows < CRD_LAB_MOST_ROWS; i++) {
        const crd_lab_model *model = crd_lab_model_at(i);
        if (model->tuned == NULL) continue;
        ablation->row[rows++] = model;
        for (int m = 0; m < plan->models; m++)
            if (plan->model[m] == model) ablation->rows = rows;
    }
}

static int read_grid(const crd_cli_options *options, crd_lab_space *whole)
{
    const char *grid = crd_cli_value(options, "tune-grid"), *text = crd_cli_value(options, "tune-space");
    if (grid == NULL) grid = "coarse";
    if (strcmp(grid, "coarse") != 0 && strcmp(grid, "paper") != 0)
        return crd_cli_misused(options, "--tune-grid %s: expected coarse or paper", grid);
    int code = crd_lab_space_add(whole, "--tune-grid", crd_lab_grid_text(grid));
    const int axes = whole->axes;
    if (code == CRD_CLI_DONE && text != NULL) code = crd_lab_space_add(whole, "--tune-space", text);
    if (code == CRD_CLI_DONE && whole->axes > axes)
        code = crd_cli_misused(options, "--tune-space: no row of the ablation tunes %s",
                               whole->axis[axes].option->name);
    return code;
}

/* Splits that choose are none of those that the table is made of. */
static int check_seeds(const crd_cli_options *options, const crd_lab_tuning *search, const crd_lab_plan *plan)
{
    for (int s = 0; s < search->splits; s++)
        for (int64_t i = 0; i < plan->seeds; i++)
            if (search->seed[s] == plan->seed[i])
                return crd_cli_misused(
                    options, "--tune-seeds: %llu is one of the table's seeds, which must not choose options",
                    (unsigned long long)search->seed[s]);
    return CRD_CLI_DONE;
}

/* What is tuned cannot be set. */
static int check_changes(const crd_cli_options *options, const crd_lab_plan *plan, const crd_lab_space *space)
{
    for (int i = 0; i < crd_option_count(); i++)
        for (int a = 0; a < space->axes && plan->changes.value[i] != NULL; a++)
            if (space->axis[a].option == crd_option_at(i))
                return crd_cli_misused(options, "--set %s: this is tuned, and --tune-space is for its values",
                                       crd_option_at(i)->name);
    return CRD_CLI_DONE;
}

int crd_lab_ablation_begin(crd_lab_ablation *ablation, const crd_cli_options *options,
                           const crd_lab_plan *plan)
{
    crd_lab_space whole = {0};
    *ablation = (crd_lab_ablation){.search = {.criterion = CRD_LAB_VAL_CE, .runs = {.file = -1}}};
    ablation->search.quiet = crd_cli_given(options, "quiet");
    if (strcmp(plan->task->name, "ablation") != 0) return check_foreign(options, plan->task->name);
    choose_rows(ablation, plan);
    int code = read_grid(options, &whole);
    for (int r = 0; r < ablation->rows; r++)
        crd_lab_space_part(&whole, ablation->row[r]->tuned, &ablation->space[r]);
    crd_lab_space_free(&whole);
    if (code == CRD_CLI_DONE) code = crd_lab_tune_seeds(options, "tune-seeds", "2", &ablation->search);
    if (code == CRD_CLI_DONE) code = check_seeds(options, &ablation->search, plan);
    if (code == CRD_CLI_DONE) code = crd_lab_tune_elimination(options, &ablation->search);
    if (code == CRD_CLI_DONE && ablation->rows > 0)
        code = check_changes(options, plan, &ablation->space[ablation->rows - 1]);
    return code;
}

/* One search ------------------------------------------------------------------------------------------- */

/* The configuration that the searches on a graph start from: all rows have the same. NULL: none is there. */
static const crd_config *base_of(const crd_lab_plan *plan, const crd_lab_data *data)
{
    for (int64_t i = 0; i < plan->count; i++)
        if (plan->wanted[i].data == data && plan->wanted[i].model->tuned != NULL)
            return &plan->wanted[i].config;
    return NULL;
}

/* `incumbent` takes part in the search even if its grid lacks it. */
static int prepare(const crd_lab_ablation *ablation, const crd_lab_data *data, const crd_config *base,
                   const crd_config *incumbent, int row, crd_lab_tuning *search)
{
    const size_t seeds = (size_t)ablation->search.splits * sizeof *search->seed;
    *search = ablation->search;
    search->seed = crd_cli_allocate(NULL, seeds);
    memcpy(search->seed, ablation->search.seed, seeds);
    search->dataset = data->dataset;
    search->data = data->name;
    search->title = data->title;
    search->split = data->split;
    search->left_out = data->left_out;
    search->space = &ablation->space[row];
    int code = crd_lab_space_grid(search->space, base, &search->candidates);
    if (code != CRD_CLI_DONE) return code;
    const int64_t place = crd_lab_candidates_add(&search->candidates, incumbent);
    search->incumbent = search->candidates.candidate[place].json;
    return crd_lab_tune_prepare(search);
}

int crd_lab_ablation_check(crd_lab_ablation *ablation, const crd_lab_plan *plan)
{
    int code = CRD_CLI_DONE;
    for (int d = 0; d < plan->datas && ablation->rows > 0 && code == CRD_CLI_DONE; d++) {
        const crd_config *base = base_of(plan, &plan->data[d]);
        crd_lab_tuning search;
        /* The last row has every option. */
        code = prepare(ablation, &plan->data[d], base, base, ablation->rows - 1, &search);
        crd_lab_tune_free(&search);
    }
    return code;
}

static int write_choice(const crd_lab_tuning *search, const crd_lab_candidate *best, const char *folder,
                        const char *row)
{
    char *json = crd_cli_text("%s.json", row), *md = crd_cli_text("%s.md", row);
    char *csv = crd_cli_text("%s.csv", row);
    char *config = crd_cli_config_text(&best->config, CRD_CLI_OF_CHOICE, true);
    int code = crd_cli_write_in(folder, md, crd_lab_tune_markdown(search));
    if (code == CRD_CLI_DONE) code = crd_cli_write_in(folder, csv, crd_lab_tune_csv(search));
    if (code == CRD_CLI_DONE) code = crd_cli_write_in(folder, json, crd_cli_text("%s\n", config));
    free(config);
    free(json);
    free(md);
    free(csv);
    return code;
}

static void say_choice(const crd_lab_tuning *search, const crd_lab_model *row, const crd_lab_candidate *best)
{
    char *text = crd_lab_candidate_text(search->space, best);
    const crd_lab_tune_summary *summary = &search->standing[0].summary;
    crd_cli_say("%s, %s: %s: validation cross-entropy %.4f, accuracy %.2f %%", search->title, row->title,
                text, summary->score, 100.0 * summary->accuracy);
    free(text);
}

/* Chooses for one row. *chosen is the choice of the row before it and becomes this one's. */
static int choose(const crd_lab_ablation *ablation, const crd_lab_data *data, const crd_config *base, int row,
                  int jobs, const char *folder, crd_config *chosen)
{
    crd_lab_tuning search;
    char *trials = crd_cli_text("%s/trials.jsonl", folder);
    int code = prepare(ablation, data, base, chosen, row, &search);
    search.jobs = jobs;
    if (code == CRD_CLI_DONE) code = crd_lab_runs_open(&search.runs, trials);
    if (code == CRD_CLI_DONE && !search.quiet)
        crd_cli_say("tuning %s on %s: %lld setting%s, %d split%s", ablation->row[row]->title, data->title,
                    (long long)search.candidates.count, search.candidates.count == 1 ? "" : "s",
                    search.splits, search.splits == 1 ? "" : "s");
    if (code == CRD_CLI_DONE) code = crd_lab_tune_run(&search);
    if (code == CRD_CLI_DONE) {
        const crd_lab_candidate *best = &search.candidates.candidate[search.standing[0].candidate];
        code = write_choice(&search, best, folder, ablation->row[row]->name);
        if (code == CRD_CLI_DONE && !search.quiet) say_choice(&search, ablation->row[row], best);
        *chosen = best->config;
    }
    free(trials);
    crd_lab_tune_free(&search);
    return code;
}

/* All of them ------------------------------------------------------------------------------------------ */

static int make_folder(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return CRD_CLI_DONE;
    return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot create the folder: %s", path, strerror(errno));
}

/* The folder of a graph's searches, by its name if that is one for a folder. The caller frees it. */
static int open_folder(const char *folder, const crd_lab_data *data, char **path)
{
    bool plain = data->name[0] != '\0' && data->name[0] != '.' && strchr(data->name, '/') == NULL;
    char *tuning = crd_cli_text("%s/tuning", folder);
    *path = crd_cli_text("%s/%s", tuning, plain ? data->name : crd_dataset_fingerprint(data->dataset));
    int code = make_folder(tuning);
    if (code == CRD_CLI_DONE) code = make_folder(*path);
    free(tuning);
    return code;
}

static void take_choice(crd_lab_plan *plan, const crd_lab_data *data, const crd_lab_model *row,
                        const crd_config *chosen)
{
    for (int64_t i = 0; i < plan->count; i++) {
        crd_lab_wanted *wanted = &plan->wanted[i];
        if (wanted->data != data || wanted->model != row) continue;
        wanted->config = *chosen;
        wanted->config.seed = wanted->seed;
    }
}

static int choose_all_rows(const crd_lab_ablation *ablation, crd_lab_plan *plan, const crd_lab_data *data,
                           const char *folder, int jobs)
{
    /* Copies: the plan's own is overwritten by the first choice, before which there is the plain GPN's. */
    const crd_config base = *base_of(plan, data);
    crd_config chosen = base;
    char *path = NULL;
    int code = open_folder(folder, data, &path);
    for (int r = 0; r < ablation->rows && code == CRD_CLI_DONE; r++) {
        code = choose(ablation, data, &base, r, jobs, path, &chosen);
        if (code == CRD_CLI_DONE) take_choice(plan, data, ablation->row[r], &chosen);
    }
    free(path);
    return code;
}

int crd_lab_ablation_choose(crd_lab_ablation *ablation, crd_lab_plan *plan, const char *folder, int jobs)
{
    int code = CRD_CLI_DONE;
    for (int d = 0; d < plan->datas && ablation->rows > 0 && code == CRD_CLI_DONE; d++)
        code = choose_all_rows(ablation, plan, &plan->data[d], folder, jobs);
    return code;
}

void crd_lab_ablation_free(crd_lab_ablation *ablation)
{
    for (int r = 0; r < ablation->rows; r++) crd_lab_space_free(&ablation->space[r]);
    free(ablation->search.seed); /* it has nothing else: each search is a copy with its own */
    *ablation = (crd_lab_ablation){0};
}
