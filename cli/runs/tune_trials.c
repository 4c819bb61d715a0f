/* Trials: their training, their lines, and the ranking of candidates by them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs/plan.h"
#include "runs/tune.h"

/* What ranks a trial. */
typedef struct {
    double auroc, accuracy;
    int64_t positives, negatives;
} detection;

/* How well a model tells its own wrong answers from its right ones on the validation nodes of the classes it was
 * trained on. The real test nodes have no role at all, so nothing can leak from their labels. */
static crd_status detect_own_errors(const crd_dataset *dataset, const crd_split *split, const crd_model *model,
                                    detection *found, crd_error *error)
{
    const int64_t nodes = crd_dataset_nodes(dataset);
    uint8_t *roles = crd_cli_allocate(NULL, (size_t)nodes);
    crd_split *validation = NULL;
    crd_evaluation evaluation;
    for (int64_t i = 0; i < nodes; i++)
        roles[i] = crd_split_role(split, i) == CRD_ROLE_VALIDATION ? CRD_ROLE_TEST : CRD_ROLE_NONE;
    crd_status status = crd_split_from_roles(roles, nodes, &validation, error);
    if (status == CRD_OK)
        status = crd_evaluate(model, dataset, validation, CRD_TASK_MISCLASSIFICATION, 1, &evaluation, error);
    if (status == CRD_OK)
        *found = (detection){.auroc = evaluation.failure_aleatoric.auroc,
                             .accuracy = evaluation.accuracy,
                             .positives = evaluation.positives,
                             .negatives = evaluation.nodes - evaluation.positives};
    crd_split_free(&validation);
    free(roles);
    return status;
}

static crd_status measure(const crd_cli_tuning *tuning, const crd_split *split, const crd_cli_held *held,
                          const crd_model *model, detection *found, crd_error *error)
{
    if (tuning->criterion == CRD_CLI_OWN_ERRORS) return detect_own_errors(tuning->dataset, split, model, found, error);
    *found = (detection){.positives = held->positives, .negatives = held->negatives};
    return crd_cli_held_measure(held, tuning->dataset, model, &found->auroc, &found->accuracy, error);
}

static void set_error(json_t *object, const char *why, bool diverged)
{
    crd_cli_json_set(object, "error", crd_cli_json_string(why));
    if (diverged) crd_cli_json_set(object, "diverged", json_true());
}

/* If all answers are right, or all wrong, there is no AUROC. (A held-out class always has nodes, and so have the
 * others.) */
static void set_detection(json_t *object, const detection *found)
{
    json_t *metrics = json_object();
    crd_cli_json_add(metrics, "auroc", crd_cli_json_number(found->auroc), "accuracy",
                     crd_cli_json_number(found->accuracy), "positives", json_integer(found->positives), "negatives",
                     json_integer(found->negatives), NULL);
    crd_cli_json_set(object, "metrics", metrics);
    if (found->positives > 0 && found->negatives > 0) return;
    const bool right = found->positives == 0;
    char *why = crd_cli_text("all %lld validation nodes are answered %s, so there is no %s",
                             (long long)(found->positives + found->negatives), right ? "right" : "wrong",
                             right ? "wrong answer to detect" : "right answer to tell them from");
    set_error(object, why, false);
    free(why);
}

/* The result of a finished training. */
static crd_status judge(const crd_cli_tuning *tuning, const crd_split *split, const crd_cli_held *held,
                        const crd_model *model, json_t *object, crd_error *error)
{
    crd_model_facts facts;
    detection found;
    crd_model_get_facts(model, &facts);
    if (facts.stop == CRD_STOP_DIVERGED) {
        set_error(object, "the loss stopped being a number", true);
        return CRD_OK;
    }
    crd_cli_json_set(object, "training", crd_cli_training_json(model));
    if (!crd_cli_detects(tuning->criterion)) {
        json_t *metrics = json_object();
        crd_cli_json_set(metrics, "cross_entropy", crd_cli_json_number(facts.best_cross_entropy));
        crd_cli_json_set(metrics, "accuracy", crd_cli_json_number(facts.best_accuracy));
        crd_cli_json_set(object, "metrics", metrics);
        return CRD_OK;
    }
    crd_status status = measure(tuning, split, held, model, &found, error);
    if (status == CRD_OK) set_detection(object, &found);
    return status;
}

crd_status crd_cli_trial_run(const crd_cli_tuning *tuning, const crd_cli_trial *trial, char **result, crd_error *error)
{
    const uint64_t seed = tuning->seed[trial->split];
    crd_config config = tuning->candidates.candidate[trial->candidate].config;
    crd_split *split = NULL;
    crd_model *model = NULL;
    crd_cli_held held = {0};
    json_t *object = json_object();
    config.seed = seed;
    config.threads = 1;
    config.max_epochs = trial->budget;
    config.left_out = tuning->left_out;
    crd_status status = crd_cli_seed_split(tuning->dataset, tuning->split, tuning->own_splits, seed, &split, error);
    if (status == CRD_OK && tuning->criterion == CRD_CLI_LEFT_OUT_CLASS) {
        int32_t class_index = tuning->held_class[trial->split * tuning->held + trial->held];
        status = crd_cli_hold_out(tuning->dataset, split, tuning->left_out, class_index, seed, &held, error);
        config.left_out = held.left_out;
    }
    const crd_split *used = held.split != NULL ? held.split : split;
    if (status == CRD_OK) {
        status = crd_train(tuning->dataset, used, &config, NULL, &model, error);
        if (status == CRD_OK) status = judge(tuning, used, &held, model, object, error);
        else if (status == CRD_ERROR_NUMERIC) {
            set_error(object, error->message, true);
            status = CRD_OK;
        }
    }
    *result = crd_cli_json_text(object);
    json_decref(object);
    crd_model_free(&model);
    crd_split_free(&split);
    crd_cli_held_free(&held);
    return status;
}

/* ---- lines ---- */

json_t *crd_cli_trial_line(const crd_cli_tuning *tuning, const crd_cli_trial *trial)
{
    const crd_cli_candidate *candidate = &tuning->candidates.candidate[trial->candidate];
    json_t *line = json_object();
    crd_cli_json_add(
        line, "task", json_string("tune"), "criterion", json_string(crd_cli_criterion_name(tuning->criterion)), "data",
        crd_cli_json_string(tuning->data), "title", crd_cli_json_string(tuning->title), "model",
        json_string(candidate->config.model), "seed", json_integer((json_int_t)tuning->seed[trial->split]),
        "fingerprint", json_string(crd_dataset_fingerprint(tuning->dataset)), "version", json_string(crd_version()),
        "split", crd_cli_json_string(tuning->split), "left_out", json_integer(tuning->left_out), "held_out",
        tuning->held_class == NULL ? NULL : json_integer(tuning->held_class[trial->split * tuning->held + trial->held]),
        "halves", json_boolean(tuning->halves), "budget", json_integer(trial->budget), "config",
        crd_cli_json_config(&candidate->config, CRD_CLI_OF_CHOICE), NULL);
    return line;
}

char *crd_cli_trial_key(const json_t *line)
{
    static const char *const fields[] = {"criterion", "seed",     "fingerprint", "split",
                                         "left_out",  "held_out", "halves",      "config"};
    const char *task = crd_cli_json_string_at(line, "task");
    if (task == NULL || strcmp(task, "tune") != 0) return NULL;
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        crd_cli_json_set(object, fields[i], crd_cli_json_copied(line, fields[i]));
    char *key = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(object);
    return key;
}

crd_cli_outcome crd_cli_trial_outcome(crd_cli_criterion criterion, const json_t *line)
{
    const json_t *training = json_object_get(line, "training"), *metrics = json_object_get(line, "metrics");
    const char *stop = crd_cli_json_string_at(training, "stop");
    crd_cli_outcome outcome = {
        .budget = json_integer_value(json_object_get(line, "budget")),
        .epochs = json_integer_value(json_object_get(training, "epochs")),
        .limited = stop != NULL && strcmp(stop, "epochs") == 0,
        .trained = training != NULL,
        .diverged = json_is_true(json_object_get(line, "diverged")),
        .score = crd_cli_json_number_at(metrics, crd_cli_detects(criterion) ? "auroc" : "cross_entropy"),
        .accuracy = crd_cli_json_number_at(metrics, "accuracy"),
        .checked = json_number_value(json_object_get(metrics, "negatives")),
        .error = crd_cli_json_string_at(line, "error"),
    };
    /* Wrong answers count for the accuracy; those on a class that was not learnt do not. */
    if (criterion == CRD_CLI_OWN_ERRORS) outcome.checked += json_number_value(json_object_get(metrics, "positives"));
    if (outcome.error == NULL && !isfinite(outcome.score)) outcome.error = "its score is not a number";
    return outcome;
}

/* ---- ranks ---- */

static crd_cli_outcomes *cell_of(const crd_cli_tuning *tuning, const crd_cli_trial *trial)
{
    return &tuning->cell[(trial->candidate * tuning->splits + trial->split) * tuning->held + trial->held];
}

int64_t crd_cli_tune_budget(const crd_cli_tuning *tuning, int64_t candidate, int rung)
{
    int64_t full = tuning->candidates.candidate[candidate].config.max_epochs;
    int64_t given = tuning->rung[rung].epochs;
    return given < 0 || (full >= 0 && full < given) ? full : given;
}

/* Whether the same training with this budget would have this outcome: a training that ended before its budget would
 * end the same way with a larger one. */
static bool answers(const crd_cli_outcome *outcome, int64_t budget)
{
    if (outcome->budget == budget) return true;
    bool larger = budget < 0 || (outcome->budget >= 0 && budget > outcome->budget);
    if (!outcome->trained) return outcome->diverged && larger;
    return !outcome->limited && (larger || outcome->epochs <= budget);
}

const crd_cli_outcome *crd_cli_find_outcome(const crd_cli_tuning *tuning, const crd_cli_trial *trial)
{
    const crd_cli_outcomes *cell = cell_of(tuning, trial);
    const crd_cli_outcome *found = NULL;
    for (int i = 0; i < cell->count; i++)
        if (answers(&cell->outcome[i], trial->budget) && (found == NULL || found->error != NULL))
            found = &cell->outcome[i];
    return found;
}

void crd_cli_add_outcome(crd_cli_tuning *tuning, const crd_cli_trial *trial, crd_cli_outcome outcome)
{
    crd_cli_outcomes *cell = cell_of(tuning, trial);
    cell->outcome = crd_cli_allocate(cell->outcome, ((size_t)cell->count + 1) * sizeof *cell->outcome);
    cell->outcome[cell->count++] = outcome;
}

static void take_together(const crd_cli_tuning *tuning, crd_cli_standing *s, int rung)
{
    const int splits = tuning->rung[rung].splits;
    double sum = 0.0, squares = 0.0, checked = 0.0;
    *s = (crd_cli_standing){.candidate = s->candidate, .rung = rung, .score = NAN, .error = NAN};
    crd_cli_trial trial = {.candidate = s->candidate, .budget = crd_cli_tune_budget(tuning, s->candidate, rung)};
    for (trial.split = 0; trial.split < splits; trial.split++) {
        double of_split = 0.0;
        for (trial.held = 0; trial.held < tuning->held; trial.held++) {
            const crd_cli_outcome *outcome = crd_cli_find_outcome(tuning, &trial);
            if (outcome->error != NULL && s->why == NULL) s->why = outcome->error;
            of_split += outcome->score / (double)tuning->held;
            s->accuracy += outcome->accuracy / (double)(splits * tuning->held);
            checked += outcome->checked / (double)tuning->held; /* a split's trials have the same nodes */
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
    if (checked > 0.0) s->chance = sqrt(s->accuracy * (1.0 - s->accuracy) / checked);
    if (splits > 1) {
        double variance = (squares - sum * s->score) / (double)(splits - 1);
        s->error = sqrt(fmax(variance, 0.0) / (double)splits);
    }
}

bool crd_cli_is_inaccurate(const crd_cli_tuning *tuning, const crd_cli_standing *s)
{
    /* The best of many accuracies is high partly by luck, especially on few nodes, so a difference within chance is
     * not a loss. A rounding error must not decide about a loss that is exactly the allowed one. */
    return crd_cli_detects(tuning->criterion) && s->why == NULL &&
           s->accuracy + s->chance < tuning->rung[s->rung].best_accuracy - tuning->most_loss - 1e-12;
}

/* Sorts by score. For criteria that detect, candidates that lose too much accuracy come after the others, the more
 * accurate first. Those without a score come last. Ties stay in the candidates' order. */
static bool goes_before(const crd_cli_tuning *tuning, const crd_cli_standing *a, const crd_cli_standing *b)
{
    if ((a->why == NULL) != (b->why == NULL)) return a->why == NULL;
    if (a->why == NULL) {
        bool low_a = crd_cli_is_inaccurate(tuning, a), low_b = crd_cli_is_inaccurate(tuning, b);
        if (low_a != low_b) return low_b;
        if (low_a && a->accuracy != b->accuracy) return a->accuracy > b->accuracy;
        if (!low_a && a->score != b->score)
            return crd_cli_detects(tuning->criterion) ? a->score > b->score : a->score < b->score;
    }
    return a->candidate < b->candidate;
}

/* qsort cannot pass the tuning along; a merge sort for some hundred candidates is short. */
static void sort(const crd_cli_tuning *tuning, crd_cli_standing *standing, crd_cli_standing *spare, int64_t count)
{
    if (count < 2) return;
    int64_t half = count / 2, a = 0, b = half;
    sort(tuning, standing, spare, half);
    sort(tuning, standing + half, spare, count - half);
    for (int64_t i = 0; i < count; i++) {
        bool second = a == half || (b < count && goes_before(tuning, &standing[b], &standing[a]));
        spare[i] = second ? standing[b++] : standing[a++];
    }
    memcpy(standing, spare, (size_t)count * sizeof *standing);
}

void crd_cli_rank(crd_cli_tuning *tuning, int64_t count, int rung)
{
    crd_cli_standing *spare = crd_cli_allocate(NULL, (size_t)count * sizeof *spare);
    double best = NAN;
    for (int64_t i = 0; i < count; i++) {
        take_together(tuning, &tuning->standing[i], rung);
        best = fmax(best, tuning->standing[i].accuracy);
    }
    tuning->rung[rung].best_accuracy = best;
    sort(tuning, tuning->standing, spare, count);
    free(spare);
}
