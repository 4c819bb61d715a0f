/* Trials: their training, and their lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs/plan.h"
#include "runs/tune.h"

static void set_error(json_t *object, const char *why, bool diverged)
{
    crd_cli_json_set(object, "error", crd_cli_json_string(why));
    if (diverged) crd_cli_json_set(object, "diverged", json_true());
}

/* If all answers are right, or all wrong, there is no AUROC. (A held-out class always has nodes, and so have the
 * others.) */
static void set_detection(json_t *object, const crd_cli_detection *found)
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
static crd_status judge(const crd_cli_tuning *tuning, const crd_cli_held *held, const crd_model *model, json_t *object,
                        crd_error *error)
{
    crd_model_facts facts;
    crd_cli_detection found;
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
    crd_status status = crd_cli_held_measure(held, tuning->dataset, model, &found, error);
    if (status == CRD_OK) set_detection(object, &found);
    return status;
}

/* The class that a trial holds out; -1: none. */
static int32_t held_class(const crd_cli_tuning *tuning, const crd_cli_trial *trial)
{
    return tuning->held_class == NULL ? -1 : tuning->held_class[trial->split * tuning->held + trial->held];
}

crd_status crd_cli_trial_run(const crd_cli_tuning *tuning, const crd_cli_trial *trial, json_t *result, crd_error *error)
{
    const uint64_t seed = tuning->seed[trial->split];
    crd_config config = tuning->candidates.candidate[trial->candidate].config;
    crd_split *split = NULL;
    crd_model *model = NULL;
    crd_cli_held held = {0};
    config.seed = seed;
    config.threads = 1;
    config.max_epochs = trial->budget;
    crd_status status = crd_cli_seed_split(tuning->dataset, tuning->split, tuning->own_splits, seed, &split, error);
    if (status == CRD_OK)
        status =
            crd_cli_hold_out(tuning->dataset, split, tuning->left_out, held_class(tuning, trial), seed, &held, error);
    if (status == CRD_OK) {
        const crd_split *used = held.split != NULL ? held.split : split;
        config.left_out = held.left_out;
        status = crd_train(tuning->dataset, used, &config, NULL, &model, error);
        if (status == CRD_OK) status = judge(tuning, &held, model, result, error);
        else if (status == CRD_ERROR_NUMERIC) {
            set_error(result, error->message, true);
            status = CRD_OK;
        }
    }
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
    crd_cli_json_add(line, "task", json_string("tune"), "criterion",
                     json_string(crd_cli_criterion_name(tuning->criterion)), "data", crd_cli_json_string(tuning->data),
                     "title", crd_cli_json_string(tuning->title), "model", json_string(candidate->config.model), "seed",
                     json_integer((json_int_t)tuning->seed[trial->split]), "fingerprint",
                     json_string(crd_dataset_fingerprint(tuning->dataset)), "version", json_string(crd_version()),
                     "split", crd_cli_json_string(tuning->split), "left_out", json_integer(tuning->left_out),
                     "held_out", tuning->held_class == NULL ? NULL : json_integer(held_class(tuning, trial)), "halves",
                     json_boolean(tuning->halves), "budget", json_integer(trial->budget), "config",
                     json_incref(candidate->json), NULL);
    return line;
}

/* Its strings belong to the line. */
static crd_cli_outcome outcome_of(crd_cli_criterion criterion, const json_t *line)
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

/* Whether the same training with this budget would have this outcome: a training that ended before its budget would
 * end the same way with a larger one. */
static bool answers(const crd_cli_outcome *outcome, int64_t budget)
{
    if (outcome->budget == budget) return true;
    bool larger = budget < 0 || (outcome->budget >= 0 && budget > outcome->budget);
    if (!outcome->trained) return outcome->diverged && larger;
    return !outcome->limited && (larger || outcome->epochs <= budget);
}

/* Trials of an earlier command that failed for reasons other than their numbers and answers are tried again. */
bool crd_cli_find_outcome(const crd_cli_tuning *tuning, const crd_cli_trial *trial, crd_cli_outcome *outcome)
{
    json_t *line = crd_cli_trial_line(tuning, trial);
    const json_t *places = crd_cli_runs_like(&tuning->runs, line);
    bool found = false;
    json_decref(line);
    for (size_t i = 0; i < json_array_size(places) && (!found || outcome->error != NULL); i++) {
        const int64_t place = json_integer_value(json_array_get(places, i));
        crd_cli_outcome next = outcome_of(tuning->criterion, tuning->runs.run[place].line);
        if (place < tuning->runs.earlier && !next.trained && !next.diverged) continue;
        if (!answers(&next, trial->budget)) continue;
        *outcome = next;
        found = true;
    }
    return found;
}
