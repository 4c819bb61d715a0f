/* SPDX-License-Identifier: MIT */
/* The search itself: checks before it, rungs, and which candidates go on. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "runs/runs.h"

bool crd_cli_detects(crd_cli_criterion criterion)
{
    return criterion != CRD_CLI_VAL_CE;
}

const char *crd_cli_score_name(const crd_cli_tuning *tuning)
{
    return crd_cli_detects(tuning->criterion) ? "auroc" : "cross_entropy";
}

void crd_cli_tune_free(crd_cli_tuning *tuning)
{
    free(tuning->standing);
    free(tuning->seed);
    json_decref(tuning->space);
    for (int64_t i = 0; i < tuning->candidates; i++) json_decref(tuning->candidate[i].json);
    free(tuning->candidate);
    crd_cli_runs_close(&tuning->runs);
    crd_cli_graph_free(&tuning->graph);
    *tuning = (crd_cli_tuning){0};
}

int32_t crd_cli_held_class(const crd_cli_tuning *tuning, int split, int held)
{
    const uint64_t seed = tuning->seed[split];
    const int32_t classes = crd_dataset_classes(tuning->graph.dataset) - (int32_t)tuning->graph.left_out;
    for (int32_t c = 0; c < classes && tuning->criterion == CRD_CLI_LEFT_OUT_CLASS; c++) {
        const uint64_t hash = crd_hash(seed, (uint64_t)c);
        int before = 0;
        for (int32_t other = 0; other < classes; other++) {
            const uint64_t its = crd_hash(seed, (uint64_t)other);
            before += its < hash || (its == hash && other < c);
        }
        if (before == held) return c;
    }
    return -1;
}

/* ---- before the work ---- */

/* The number of nodes of a class that a split trains and validates with. */
typedef struct {
    int64_t training, validating;
} members;

/* Every class needs a training node. If classes are held out in turn, others must have validation nodes; of two classes
 * the remaining one is cut into halves, which both need training and validation nodes. */
static int check_classes(const crd_cli_tuning *tuning, uint64_t seed, const members *of, int32_t classes)
{
    const bool holds = tuning->criterion == CRD_CLI_LEFT_OUT_CLASS;
    int32_t validated = 0;
    for (int32_t c = 0; c < classes; c++) validated += of[c].validating > 0;
    for (int32_t c = 0; c < classes; c++) {
        const char *why = NULL;
        if (of[c].training == 0) why = "needs a training node, as each class that is not left out does";
        else if (holds && validated == 1 && of[c].validating > 0)
            why = "cannot be held out, because no other class has a validation node";
        else if (tuning->halves && (of[c].training < 2 || of[c].validating < 2))
            why = "needs two of both to be cut in two while the other class is held out";
        if (why != NULL)
            return crd_cli_failf(
                CRD_CLI_FAILED, "%s: with seed %llu class %s has %lld training and %lld validation nodes; it %s",
                tuning->graph.name, (unsigned long long)seed, crd_dataset_class_name(tuning->graph.dataset, c),
                (long long)of[c].training, (long long)of[c].validating, why);
    }
    return CRD_CLI_DONE;
}

/* Looks only at what tuning may use: training and validation nodes of classes in distribution. */
static int check_split(const crd_cli_tuning *tuning, uint64_t seed, members *of, int32_t classes)
{
    crd_split *split = NULL;
    crd_error error;
    int64_t validating = 0;
    if (crd_cli_graph_split(&tuning->graph, seed, &split, &error) != CRD_OK) return crd_cli_fail(&error);
    memset(of, 0, (size_t)classes * sizeof *of);
    for (int64_t i = 0; i < crd_dataset_nodes(tuning->graph.dataset); i++) {
        const crd_role role = crd_split_role(split, i);
        if (role != CRD_ROLE_TRAIN && role != CRD_ROLE_VALIDATION) continue;
        const int32_t label = crd_dataset_label(tuning->graph.dataset, i);
        if (label < 0 || label >= classes) continue;
        of[label].training += role == CRD_ROLE_TRAIN;
        of[label].validating += role == CRD_ROLE_VALIDATION;
        validating += role == CRD_ROLE_VALIDATION;
    }
    crd_split_free(&split);
    if (validating == 0)
        return crd_cli_failf(CRD_CLI_MISUSED, "--split %s: no node validates, and choosing needs some",
                             tuning->graph.split);
    return check_classes(tuning, seed, of, classes);
}

int crd_cli_tune_prepare(crd_cli_tuning *tuning)
{
    const int64_t all = crd_dataset_classes(tuning->graph.dataset), classes = all - tuning->graph.left_out;
    if (all == 0) return crd_cli_failf(CRD_CLI_FAILED, "the data have no labels, so there is nothing to learn from");
    if (classes < 2)
        return crd_cli_failf(CRD_CLI_MISUSED,
                             "--left-out is %lld, which leaves %lld of %lld classes, expected at least 2 to tell apart",
                             (long long)tuning->graph.left_out, (long long)(classes > 0 ? classes : 0), (long long)all);
    if (tuning->criterion == CRD_CLI_LEFT_OUT_CLASS) {
        tuning->halves = classes == 2;
        if (tuning->held > classes) tuning->held = (int)classes;
    } else {
        tuning->held = 1;
    }
    int code = CRD_CLI_DONE;
    for (int64_t i = 0; i < tuning->candidates && code == CRD_CLI_DONE; i++)
        code = crd_cli_check_features(tuning->graph.name, tuning->graph.dataset, tuning->candidate[i].config.model);
    members *of = crd_cli_allocate(NULL, (size_t)classes * sizeof *of);
    for (int s = 0; s < tuning->splits && code == CRD_CLI_DONE; s++)
        code = check_split(tuning, tuning->seed[s], of, (int32_t)classes);
    free(of);
    return code;
}

/* ---- rungs ---- */

/* From rung to rung epochs grow by a factor of eta and splits by one; the last rung has everything. On every rung
 * at least one candidate drops out, however small eta is. */
static void plan_rungs(crd_cli_tuning *tuning)
{
    int64_t count = tuning->candidates;
    double epochs = (double)tuning->min_epochs;
    while (tuning->eta > 0.0 && count > tuning->finalists && tuning->rungs < CRD_CLI_MOST_RUNGS - 1) {
        int splits = tuning->rungs + 1 < tuning->splits ? tuning->rungs + 1 : tuning->splits;
        tuning->rung[tuning->rungs++] =
            (crd_cli_rung){.epochs = (int64_t)fmin(epochs, 1e9), .splits = splits, .candidates = count};
        int64_t part = (int64_t)ceil((double)count / tuning->eta);
        if (part > count - 1) part = count - 1;
        count = part > tuning->finalists ? part : tuning->finalists;
        epochs *= tuning->eta;
    }
    tuning->rung[tuning->rungs++] = (crd_cli_rung){.epochs = -1, .splits = tuning->splits, .candidates = count};
}

/* The epochs that a candidate may use on a rung; -1: no limit. */
static int64_t budget_of(const crd_cli_tuning *tuning, int64_t candidate, int rung)
{
    int64_t full = tuning->candidate[candidate].config.max_epochs;
    int64_t given = tuning->rung[rung].epochs;
    return given < 0 || (full >= 0 && full < given) ? full : given;
}

/* Lists the trials of a rung that are not on disk, and returns how many they are. */
static int64_t list_trials(const crd_cli_tuning *tuning, int rung, crd_cli_trial *trials, crd_cli_piece *pieces)
{
    const crd_cli_rung *r = &tuning->rung[rung];
    int64_t count = 0;
    for (int64_t i = 0; i < r->candidates; i++) {
        crd_cli_trial trial = {.candidate = tuning->standing[i].candidate};
        trial.budget = budget_of(tuning, trial.candidate, rung);
        char *setting = crd_cli_candidate_text(tuning->space, &tuning->candidate[trial.candidate]);
        for (trial.split = 0; trial.split < r->splits; trial.split++)
            for (trial.held = 0; trial.held < tuning->held; trial.held++) {
                if (crd_cli_find_trial(tuning, &trial) != NULL) continue;
                trials[count] = trial;
                pieces[count] = (crd_cli_piece){.line = crd_cli_trial_line(tuning, &trial),
                                                .name = crd_cli_text("the trial of %s with seed %llu", setting,
                                                                     (unsigned long long)tuning->seed[trial.split]),
                                                .work = &trials[count]};
                count++;
            }
        free(setting);
    }
    return count;
}

static int do_trials(crd_cli_tuning *tuning, int rung)
{
    const crd_cli_rung *r = &tuning->rung[rung];
    const int64_t all = r->candidates * r->splits * tuning->held;
    crd_cli_trial *trials = crd_cli_allocate(NULL, (size_t)all * sizeof *trials);
    crd_cli_piece *pieces = crd_cli_allocate(NULL, (size_t)all * sizeof *pieces);
    const int64_t count = list_trials(tuning, rung, trials, pieces);
    char *what = crd_cli_text("rung %d of %d: ", rung + 1, tuning->rungs);
    char *epochs =
        r->epochs < 0 ? crd_cli_text("in full") : crd_cli_text("for up to %lld epochs", (long long)r->epochs);
    if (!tuning->quiet)
        crd_cli_say("%s%lld settings on %d split%s, trained %s: %lld trials, %lld of them known", what,
                    (long long)r->candidates, r->splits, r->splits == 1 ? "" : "s", epochs, (long long)all,
                    (long long)(all - count));
    crd_cli_pool pool = {.runs = &tuning->runs,
                         .jobs = tuning->jobs,
                         .count = count,
                         .piece = pieces,
                         .run = crd_cli_trial_run,
                         .context = tuning,
                         .quiet = tuning->quiet,
                         .what = what,
                         .every_seconds = 60.0};
    int code = crd_cli_pool_run(&pool);
    crd_cli_pieces_free(pieces, count);
    free(trials);
    free(what);
    free(epochs);
    return code;
}

/* ---- ranks ---- */

/* The number of nodes that a trial's accuracy is of; 0 if it does not matter. Wrong answers count, those on a class
 * that was not learnt do not. */
static double checked_nodes(const crd_cli_tuning *tuning, const json_t *metrics)
{
    const json_t *wrong = tuning->criterion == CRD_CLI_OWN_ERRORS ? json_object_get(metrics, "positives") : NULL;
    return json_number_value(json_object_get(metrics, "negatives")) + json_number_value(wrong);
}

/* Combines the trials of a candidate on a rung, which must be done. */
static void take_together(const crd_cli_tuning *tuning, crd_cli_standing *s, int rung)
{
    const int splits = tuning->rung[rung].splits;
    const char *score_name = crd_cli_score_name(tuning);
    double sum = 0.0, squares = 0.0, checked = 0.0;
    *s = (crd_cli_standing){.candidate = s->candidate, .rung = rung, .score = NAN, .error = NAN};
    crd_cli_trial trial = {.candidate = s->candidate, .budget = budget_of(tuning, s->candidate, rung)};
    for (trial.split = 0; trial.split < splits; trial.split++) {
        double of_split = 0.0;
        for (trial.held = 0; trial.held < tuning->held; trial.held++) {
            const json_t *line = crd_cli_find_trial(tuning, &trial), *metrics = json_object_get(line, "metrics");
            const double score = crd_cli_json_number_at(metrics, score_name);
            if (s->why == NULL) s->why = crd_cli_json_string_at(line, "error");
            if (s->why == NULL && !isfinite(score)) s->why = "its score is not a number";
            of_split += score / (double)tuning->held;
            s->accuracy += crd_cli_json_number_at(metrics, "accuracy") / (double)(splits * tuning->held);
            checked += checked_nodes(tuning, metrics) / (double)tuning->held; /* a split's trials have the same */
            s->trials++;
        }
        sum += of_split;
        squares += of_split * of_split;
    }
    if (s->why != NULL) {
        s->accuracy = NAN;
        return;
    }
    s->score = sum / splits;
    s->loss = crd_cli_detects(tuning->criterion) ? -s->score : s->score;
    if (checked > 0.0) s->chance = sqrt(s->accuracy * (1.0 - s->accuracy) / checked);
    if (splits > 1) {
        double variance = (squares - sum * s->score) / (double)(splits - 1);
        s->error = sqrt(fmax(variance, 0.0) / (double)splits);
    }
}

/* Candidates with the smallest loss first; those that lose too much accuracy after the others, the more accurate
 * first; those without a score last. Ties stay in the candidates' order. */
static int by_rank(const void *left, const void *right)
{
    const crd_cli_standing *a = left, *b = right;
    if ((a->why == NULL) != (b->why == NULL)) return a->why == NULL ? -1 : 1;
    if (a->inaccurate != b->inaccurate) return a->inaccurate ? 1 : -1;
    if (a->why == NULL && a->inaccurate && a->accuracy != b->accuracy) return a->accuracy > b->accuracy ? -1 : 1;
    if (a->why == NULL && !a->inaccurate && a->loss != b->loss) return a->loss < b->loss ? -1 : 1;
    return (a->candidate > b->candidate) - (a->candidate < b->candidate);
}

static void rank(crd_cli_tuning *tuning, int rung)
{
    const int64_t count = tuning->rung[rung].candidates;
    double best = NAN;
    for (int64_t i = 0; i < count; i++) {
        take_together(tuning, &tuning->standing[i], rung);
        best = fmax(best, tuning->standing[i].accuracy);
    }
    tuning->rung[rung].best_accuracy = best;
    for (int64_t i = 0; i < count; i++) {
        crd_cli_standing *s = &tuning->standing[i];
        /* The best of many accuracies is high partly by luck, especially on few nodes, so a difference within chance
         * is not a loss. A rounding error must not decide about a loss that is exactly the allowed one. */
        s->inaccurate = crd_cli_detects(tuning->criterion) && s->why == NULL &&
                        s->accuracy + s->chance < best - tuning->most_loss - 1e-12;
    }
    qsort(tuning->standing, (size_t)count, sizeof *tuning->standing, by_rank);
}

/* The best go on. For criteria that detect, the most accurate one goes on too: accuracy is compared with the best
 * there is, and that must not drop just because that candidate detects badly. */
static void carry_most_accurate(crd_cli_tuning *tuning, int64_t count, int64_t going_on)
{
    crd_cli_standing *standing = tuning->standing;
    int64_t most = 0;
    for (int64_t i = 1; i < count; i++)
        if (standing[i].accuracy > standing[most].accuracy) most = i; /* false for NaN */
    if (!crd_cli_detects(tuning->criterion) || most < going_on) return;
    crd_cli_standing carried = standing[most];
    memmove(&standing[going_on], &standing[going_on - 1], (size_t)(most - going_on + 1) * sizeof *standing);
    standing[going_on - 1] = carried;
}

static int climb(crd_cli_tuning *tuning, int rung)
{
    const int64_t count = tuning->rung[rung].candidates;
    const bool last = rung == tuning->rungs - 1;
    crd_cli_standing *standing = tuning->standing;
    int code = do_trials(tuning, rung);
    if (code != CRD_CLI_DONE) return code;
    rank(tuning, rung);
    if (standing[0].why != NULL)
        return crd_cli_failf(CRD_CLI_FAILED, "every setting failed; the first one because: %s", standing[0].why);
    /* Candidates without a score do not go on, even if there is room. */
    int64_t scored = 0;
    while (scored < count && standing[scored].why == NULL) scored++;
    for (int r = rung + 1; r < tuning->rungs; r++)
        if (tuning->rung[r].candidates > scored) tuning->rung[r].candidates = scored;
    if (!last) carry_most_accurate(tuning, count, tuning->rung[rung + 1].candidates);
    for (int64_t i = 0; i < count; i++)
        standing[i].state = standing[i].why != NULL  ? "failed"
                            : !last                  ? "eliminated"
                            : standing[i].inaccurate ? "inaccurate"
                            : i == 0                 ? "chosen"
                                                     : "finalist";
    return CRD_CLI_DONE;
}

int crd_cli_tune_run(crd_cli_tuning *tuning)
{
    int64_t count = tuning->candidates;
    tuning->standing = crd_cli_allocate(NULL, (size_t)count * sizeof *tuning->standing);
    for (int64_t i = 0; i < count; i++) tuning->standing[i] = (crd_cli_standing){.candidate = i};
    plan_rungs(tuning);
    int code = CRD_CLI_DONE;
    for (int rung = 0; rung < tuning->rungs && code == CRD_CLI_DONE; rung++) code = climb(tuning, rung);
    return code;
}
