/* The search itself: rungs, and what is carried from one to the next. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/pool.h"
#include "lab/splits.h"
#include "lab/tune_check.h"
#include "lab/tune_progress.h"
#include "lab/tune_random.h"
#include "lab/tune_rank.h"
#include "signals.h"

const char *crd_lab_criterion_name(crd_lab_criterion criterion)
{
    static const char *const names[] = {"val-ce", "left-out-class", "own-errors"};
    return names[criterion];
}

bool crd_lab_detects(crd_lab_criterion criterion)
{
    return criterion != CRD_LAB_VAL_CE;
}

const char *crd_lab_state_name(crd_lab_state state)
{
    static const char *const names[] = {"chosen", "finalist", "inaccurate", "eliminated", "failed"};
    return names[state];
}

void crd_lab_tune_free(crd_lab_tuning *tuning)
{
    int64_t cells = tuning->candidates.count * tuning->splits * tuning->held;
    for (int64_t i = 0; i < cells && tuning->cell != NULL; i++) {
        for (int o = 0; o < tuning->cell[i].count; o++) free(tuning->cell[i].outcome[o].error);
        free(tuning->cell[i].outcome);
    }
    free(tuning->cell);
    free(tuning->held_class);
    free(tuning->standing);
    free(tuning->seed);
    crd_lab_candidates_free(&tuning->candidates);
    crd_lab_runs_close(&tuning->runs);
    *tuning = (crd_lab_tuning){.runs = {.file = -1}};
}

/* ---- before the work ---- */

/* Which classes each split holds out: chance decides, by the split's seed. */
static void choose_held(crd_lab_tuning *tuning, int32_t classes)
{
    tuning->held_class = crd_cli_allocate(NULL, (size_t)(tuning->splits * tuning->held) * sizeof(int32_t));
    bool *taken = crd_cli_allocate(NULL, (size_t)classes * sizeof *taken);
    for (int s = 0; s < tuning->splits; s++) {
        memset(taken, 0, (size_t)classes * sizeof *taken);
        for (int h = 0; h < tuning->held; h++) {
            int32_t least = -1;
            for (int32_t c = 0; c < classes; c++)
                if (!taken[c]
                    && (least < 0
                        || crd_lab_hash(tuning->seed[s], (uint64_t)c)
                               < crd_lab_hash(tuning->seed[s], (uint64_t)least)))
                    least = c;
            taken[least] = true;
            tuning->held_class[s * tuning->held + h] = least;
        }
    }
    free(taken);
}

int crd_lab_tune_prepare(crd_lab_tuning *tuning)
{
    int64_t all = crd_dataset_classes(tuning->dataset), classes = all - tuning->left_out;
    if (all == 0)
        return crd_cli_failf(CRD_CLI_FAILED, "the data have no labels, so there is nothing to learn from");
    if (classes < 2)
        return crd_cli_failf(CRD_CLI_MISUSED,
                             "--left-out %lld leaves %lld of %lld classes, expected at least "
                             "2 to tell apart",
                             (long long)tuning->left_out, (long long)(classes > 0 ? classes : 0),
                             (long long)all);
    crd_error error;
    if (crd_lab_splits_count(tuning->dataset, tuning->split, &tuning->own_splits, &error) != CRD_OK)
        return crd_cli_fail(&error);
    if (tuning->criterion != CRD_LAB_LEFT_OUT_CLASS) {
        tuning->held = 1;
    } else {
        tuning->halves = classes == 2;
        if (tuning->held > classes) tuning->held = (int)classes;
        choose_held(tuning, (int32_t)classes);
    }
    return crd_lab_tune_check(tuning);
}

/* ---- rungs ---- */

/* How many go on from a rung, if any rung follows it: at least one drops out, however small eta is. */
static int64_t next_count(const crd_lab_tuning *tuning, int64_t count)
{
    int64_t part = (int64_t)ceil((double)count / tuning->eta);
    if (part > count - 1) part = count - 1;
    return part > tuning->finalists ? part : tuning->finalists;
}

/* Epochs grow by eta from rung to rung and splits one by one; the last rung has everything. */
static void plan(crd_lab_tuning *tuning)
{
    int64_t count = tuning->candidates.count;
    double epochs = (double)tuning->min_epochs;
    tuning->rungs = 0;
    while (tuning->eta > 0.0 && count > tuning->finalists && tuning->rungs < CRD_LAB_MOST_RUNGS - 1) {
        crd_lab_rung *rung = &tuning->rung[tuning->rungs];
        int splits = tuning->rungs + 1 < tuning->splits ? tuning->rungs + 1 : tuning->splits;
        *rung = (crd_lab_rung){.epochs = (int64_t)fmin(epochs, 1e9), .splits = splits, .candidates = count};
        tuning->rungs++;
        count = next_count(tuning, count);
        epochs *= tuning->eta;
    }
    tuning->rung[tuning->rungs++] =
        (crd_lab_rung){.epochs = -1, .splits = tuning->splits, .candidates = count};
}

typedef struct {
    crd_lab_tuning *tuning;
    crd_lab_trial *trial;
    int64_t count;
    crd_lab_tune_progress progress;
    int code;
} rung_work;

/* Roughly what later rungs cost, in trials of this one. A training in full is taken for 200 epochs. */
static double later_work(const crd_lab_tuning *tuning, int rung)
{
    const double usual = 200.0;
    double sum = 0.0,
           here = tuning->rung[rung].epochs < 0 ? usual : fmin((double)tuning->rung[rung].epochs, usual);
    for (int r = rung + 1; r < tuning->rungs; r++) {
        double epochs = tuning->rung[r].epochs < 0 ? usual : fmin((double)tuning->rung[r].epochs, usual);
        sum += epochs / here * (double)(tuning->rung[r].candidates * tuning->rung[r].splits * tuning->held);
    }
    return sum;
}

static void list_trials(rung_work *work, const crd_lab_standing *standing, int rung)
{
    crd_lab_tuning *tuning = work->tuning;
    const int splits = tuning->rung[rung].splits;
    int64_t most = tuning->rung[rung].candidates * splits * tuning->held;
    work->trial = crd_cli_allocate(NULL, (size_t)most * sizeof *work->trial);
    for (int64_t i = 0; i < tuning->rung[rung].candidates; i++) {
        crd_lab_trial trial = {.candidate = standing[i].candidate};
        trial.budget = crd_lab_budget(tuning, trial.candidate, rung);
        for (trial.split = 0; trial.split < splits; trial.split++)
            for (trial.held = 0; trial.held < tuning->held; trial.held++)
                if (crd_lab_find_outcome(tuning, &trial) == NULL) work->trial[work->count++] = trial;
    }
    tuning->rung[rung].fresh = work->count;
}

static crd_status in_child(void *context, int64_t index, char **result, crd_error *error)
{
    const rung_work *work = context;
    return crd_lab_trial_run(work->tuning, &work->trial[index], result, error);
}

static bool on_done(void *context, int64_t index, const char *result, const char *why, double seconds)
{
    rung_work *work = context;
    crd_lab_tuning *tuning = work->tuning;
    const crd_lab_trial *trial = &work->trial[index];
    crd_lab_tune_summary summary;
    char *line = crd_lab_trial_line(tuning, trial, result, why, seconds);
    if (result == NULL) {
        crd_lab_tune_hide(&work->progress);
        char *what = crd_lab_candidate_text(tuning->space, &tuning->candidates.candidate[trial->candidate]);
        crd_cli_say("a trial of %s with seed %llu failed: %s", what,
                    (unsigned long long)tuning->seed[trial->split], why);
        free(what);
    }
    work->code = crd_lab_runs_append(&tuning->runs, line);
    free(line);
    if (work->code != CRD_CLI_DONE) return false;
    crd_lab_add_outcome(
        tuning, trial,
        crd_lab_line_outcome(tuning->criterion, tuning->runs.run[tuning->runs.count - 1].line));
    work->progress.finished++;
    if (crd_lab_summarise(tuning, trial->candidate, work->progress.rung, &summary) && summary.why == NULL
        && (isnan(work->progress.best)
            || crd_lab_better(tuning->criterion, summary.score, work->progress.best)))
        work->progress.best = summary.score;
    return true;
}

static void on_tick(void *context, const int64_t *running, int count, int64_t finished)
{
    rung_work *work = context;
    (void)running;
    (void)count;
    (void)finished;
    crd_lab_tune_show(&work->progress);
}

static void say_rung(const crd_lab_tuning *tuning, int rung)
{
    const crd_lab_rung *r = &tuning->rung[rung];
    char epochs[48] = "in full";
    int64_t trials = r->candidates * r->splits * tuning->held;
    if (tuning->quiet) return;
    if (r->epochs >= 0) snprintf(epochs, sizeof epochs, "for up to %lld epochs", (long long)r->epochs);
    crd_cli_say("rung %d of %d: %lld settings on %d split%s, trained %s: %lld trials, %lld of them known",
                rung + 1, tuning->rungs, (long long)r->candidates, r->splits, r->splits == 1 ? "" : "s",
                epochs, (long long)trials, (long long)(trials - r->fresh));
}

/* Does the trials of a rung that are not on disk. */
static int climb(crd_lab_tuning *tuning, const crd_lab_standing *standing, int rung)
{
    rung_work work = {.tuning = tuning};
    list_trials(&work, standing, rung);
    work.progress = (crd_lab_tune_progress){.quiet = tuning->quiet,
                                            .rung = rung,
                                            .rungs = tuning->rungs,
                                            .total = work.count,
                                            .later = later_work(tuning, rung),
                                            .best = NAN,
                                            .started = crd_lab_now(),
                                            .shown_at = time(NULL)};
    say_rung(tuning, rung);
    crd_lab_pool pool = {.jobs = tuning->jobs,
                         .count = work.count,
                         .context = &work,
                         .work = in_child,
                         .done = on_done,
                         .tick = on_tick};
    int code = crd_lab_pool_run(&pool);
    crd_lab_tune_hide(&work.progress);
    free(work.trial);
    if (crd_cli_interrupted())
        return crd_cli_failf(CRD_CLI_FAILED,
                             "interrupted: %lld trials are finished and kept in %s; the same command goes on "
                             "from there",
                             (long long)tuning->runs.count, tuning->runs.path);
    return work.code != CRD_CLI_DONE ? work.code : code;
}

/* The best go on, and with them one that must not drop out: the most accurate one, because accuracy is
 * compared with the best there is, which must not fall because that one detects badly; or the incumbent. */
static void carry(const crd_lab_tuning *tuning, crd_lab_standing *standing, int64_t count, int64_t going_on)
{
    int64_t most = 0;
    if (crd_lab_detects(tuning->criterion)) {
        for (int64_t i = 1; i < count; i++)
            if (standing[i].summary.accuracy > standing[most].summary.accuracy) most = i; /* false for NaN */
    } else if (tuning->incumbent != NULL) {
        for (int64_t i = 0; i < count; i++)
            if (standing[i].summary.why == NULL
                && strcmp(tuning->candidates.candidate[standing[i].candidate].json, tuning->incumbent) == 0)
                most = i;
    }
    if (most < going_on) return;
    crd_lab_standing carried = standing[most];
    memmove(&standing[going_on], &standing[going_on - 1], (size_t)(most - going_on + 1) * sizeof *standing);
    standing[going_on - 1] = carried;
}

static void judge(const crd_lab_tuning *tuning, crd_lab_standing *standing, int64_t count, bool last)
{
    for (int64_t i = 0; i < count; i++) {
        crd_lab_standing *s = &standing[i];
        if (s->summary.why != NULL)
            s->state = CRD_LAB_FAILED;
        else if (!last)
            s->state = CRD_LAB_ELIMINATED;
        else if (crd_lab_inaccurate(tuning, s))
            s->state = CRD_LAB_INACCURATE;
        else
            s->state = i == 0 ? CRD_LAB_CHOSEN : CRD_LAB_FINALIST;
    }
}

/* Those without a score do not go on, even where there is room. */
static void limit_next(crd_lab_tuning *tuning, const crd_lab_standing *standing, int rung)
{
    int64_t scored = 0;
    while (scored < tuning->rung[rung].candidates && standing[scored].summary.why == NULL) scored++;
    for (int r = rung + 1; r < tuning->rungs; r++)
        if (tuning->rung[r].candidates > scored) tuning->rung[r].candidates = scored;
}

static int run_rungs(crd_lab_tuning *tuning)
{
    crd_lab_standing *standing = tuning->standing;
    for (int rung = 0; rung < tuning->rungs; rung++) {
        const int64_t count = tuning->rung[rung].candidates;
        int code = climb(tuning, standing, rung);
        if (code != CRD_CLI_DONE) return code;
        for (int64_t i = 0; i < count; i++) {
            standing[i].rung = rung;
            crd_lab_summarise(tuning, standing[i].candidate, rung, &standing[i].summary);
        }
        crd_lab_rank(tuning, standing, count, rung);
        if (standing[0].summary.why != NULL)
            return crd_cli_failf(CRD_CLI_FAILED, "every setting failed; the first one because: %s",
                                 standing[0].summary.why);
        bool last = rung == tuning->rungs - 1;
        limit_next(tuning, standing, rung);
        if (!last) carry(tuning, standing, count, tuning->rung[rung + 1].candidates);
        judge(tuning, standing, count, last);
    }
    tuning->reference = tuning->rung[tuning->rungs - 1].best_accuracy;
    return CRD_CLI_DONE;
}

/* ---- what is on disk ---- */

typedef struct {
    char *key;
    crd_lab_trial trial;
} keyed;

static int by_key(const void *a, const void *b)
{
    return strcmp(((const keyed *)a)->key, ((const keyed *)b)->key);
}

/* Takes over what earlier runs found out. Trials that failed for other reasons than their numbers and answers
 * are tried again. */
static void take_known(crd_lab_tuning *tuning)
{
    int64_t cells = tuning->candidates.count * tuning->splits * tuning->held, at = 0;
    if (tuning->runs.count == 0) return;
    keyed *keys = crd_cli_allocate(NULL, (size_t)cells * sizeof *keys);
    crd_lab_trial trial = {0};
    for (trial.candidate = 0; trial.candidate < tuning->candidates.count; trial.candidate++)
        for (trial.split = 0; trial.split < tuning->splits; trial.split++)
            for (trial.held = 0; trial.held < tuning->held; trial.held++)
                keys[at++] = (keyed){crd_lab_trial_key(tuning, &trial), trial};
    qsort(keys, (size_t)cells, sizeof *keys, by_key);
    for (int64_t i = 0; i < tuning->runs.count; i++) {
        keyed wanted = {.key = crd_lab_line_key(tuning->runs.run[i].line)};
        if (wanted.key == NULL) continue;
        const keyed *found = bsearch(&wanted, keys, (size_t)cells, sizeof *keys, by_key);
        free(wanted.key);
        if (found == NULL) continue;
        crd_lab_outcome outcome = crd_lab_line_outcome(tuning->criterion, tuning->runs.run[i].line);
        if (!outcome.trained && !outcome.diverged)
            free(outcome.error);
        else
            crd_lab_add_outcome(tuning, &found->trial, outcome);
    }
    for (int64_t i = 0; i < cells; i++) free(keys[i].key);
    free(keys);
}

int crd_lab_tune_run(crd_lab_tuning *tuning)
{
    int64_t count = tuning->candidates.count, cells = count * tuning->splits * tuning->held;
    tuning->cell = crd_cli_allocate(NULL, (size_t)cells * sizeof *tuning->cell);
    memset(tuning->cell, 0, (size_t)cells * sizeof *tuning->cell);
    tuning->standing = crd_cli_allocate(NULL, (size_t)count * sizeof *tuning->standing);
    for (int64_t i = 0; i < count; i++) tuning->standing[i] = (crd_lab_standing){.candidate = i};
    take_known(tuning);
    plan(tuning);
    crd_cli_catch_signals("stopping the trials that run");
    return run_rungs(tuning);
}
