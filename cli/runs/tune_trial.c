/* One trial: its training, its line, what the line says. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs/plan.h"
#include "runs/tune.h"
#include "runs/tune_held.h"

/* What a trial is ranked by. */
typedef struct {
    double auroc, accuracy;
    int64_t positives, negatives;
} detection;

/* How well a model tells its own wrong answers from its right ones on the validation nodes of the classes
 * trained on. The real test nodes have no role at all, so that nothing can be learnt of their labels. */
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
    if (tuning->criterion == CRD_CLI_OWN_ERRORS)
        return detect_own_errors(tuning->dataset, split, model, found, error);
    *found = (detection){.positives = held->positives, .negatives = held->negatives};
    return crd_cli_held_measure(held, tuning->dataset, model, &found->auroc, &found->accuracy, error);
}

static void set_error(json_t *object, const char *why, bool diverged)
{
    crd_cli_json_set(object, "error", crd_cli_json_string(why));
    if (diverged) crd_cli_json_set(object, "diverged", json_true());
}

/* Where answers are all right, or all wrong, there is no AUROC. (A class held out always has nodes, and so
 * have the others.) */
static void set_detection(json_t *object, const detection *found)
{
    json_t *metrics = json_object();
    crd_cli_json_set(metrics, "auroc", crd_cli_json_number(found->auroc));
    crd_cli_json_set(metrics, "accuracy", crd_cli_json_number(found->accuracy));
    crd_cli_json_set(metrics, "positives", json_integer(found->positives));
    crd_cli_json_set(metrics, "negatives", json_integer(found->negatives));
    crd_cli_json_set(object, "metrics", metrics);
    if (found->positives > 0 && found->negatives > 0) return;
    const bool right = found->positives == 0;
    char *why = crd_cli_text("all %lld validation nodes are answered %s, so there is no %s",
                             (long long)(found->positives + found->negatives), right ? "right" : "wrong",
                             right ? "wrong answer to detect" : "right answer to tell them from");
    set_error(object, why, false);
    free(why);
}

/* What became of a training that ended. */
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

crd_status crd_cli_trial_run(const crd_cli_tuning *tuning, const crd_cli_trial *trial, char **result,
                             crd_error *error)
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
    crd_status status =
        crd_cli_seed_split(tuning->dataset, tuning->split, tuning->own_splits, seed, &split, error);
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
    /* The child ends now; its memory goes with it. */
    return status;
}

/* ---- lines ---- */

json_t *crd_cli_trial_line(const crd_cli_tuning *tuning, const crd_cli_trial *trial)
{
    const crd_cli_candidate *candidate = &tuning->candidates.candidate[trial->candidate];
    json_t *line = json_object();
    crd_cli_json_set(line, "task", json_string("tune"));
    crd_cli_json_set(line, "criterion", json_string(crd_cli_criterion_name(tuning->criterion)));
    crd_cli_json_set(line, "data", crd_cli_json_string(tuning->data));
    crd_cli_json_set(line, "title", crd_cli_json_string(tuning->title));
    crd_cli_json_set(line, "model", json_string(candidate->config.model));
    crd_cli_json_set(line, "seed", json_integer((json_int_t)tuning->seed[trial->split]));
    crd_cli_json_set(line, "fingerprint", json_string(crd_dataset_fingerprint(tuning->dataset)));
    crd_cli_json_set(line, "version", json_string(crd_version()));
    crd_cli_json_set(line, "split", crd_cli_json_string(tuning->split));
    crd_cli_json_set(line, "left_out", json_integer(tuning->left_out));
    crd_cli_json_set(line, "held_out",
                     tuning->held_class == NULL
                         ? NULL
                         : json_integer(tuning->held_class[trial->split * tuning->held + trial->held]));
    crd_cli_json_set(line, "halves", json_boolean(tuning->halves));
    crd_cli_json_set(line, "budget", json_integer(trial->budget));
    crd_cli_json_set(line, "config", crd_cli_json_config(&candidate->config, CRD_CLI_OF_CHOICE));
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
    /* Wrong answers count for the accuracy, those of a class that was not learnt do not. */
    if (criterion == CRD_CLI_OWN_ERRORS)
        outcome.checked += json_number_value(json_object_get(metrics, "positives"));
    if (outcome.error == NULL && !isfinite(outcome.score)) outcome.error = "its score is not a number";
    return outcome;
}
