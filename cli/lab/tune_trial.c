#include "lab/tune_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/text.h"
#include "config_text.h"
#include "lab/splits.h"
#include "lab/tune_errors.h"
#include "lab/tune_held.h"

/* ---- the work ---- */

/* What a trial is ranked by. */
typedef struct {
    double auroc, accuracy;
    int64_t positives, negatives;
} detection;

static char *error_text(const char *why, bool diverged)
{
    char *message = crd_lab_quoted(why);
    char *text = crd_cli_text("\"error\": %s%s", message, diverged ? ", \"diverged\": true" : "");
    free(message);
    return text;
}

/* Why there is no AUROC, a field to follow others: answers are all right, or all wrong (a class held out
 * always has nodes, and so have the others). Empty if there is one. The caller frees it. */
static char *lacking_text(const detection *found)
{
    if (found->positives > 0 && found->negatives > 0) return crd_cli_text("%s", "");
    const bool right = found->positives == 0;
    char *why = crd_cli_text("all %lld validation nodes are answered %s, so there is no %s",
                             (long long)(found->positives + found->negatives), right ? "right" : "wrong",
                             right ? "wrong answer to detect" : "right answer to tell them from");
    char *field = error_text(why, false), *text = crd_cli_text(", %s", field);
    free(field);
    free(why);
    return text;
}

static char *detection_text(const crd_model_facts *facts, const detection *found)
{
    char auroc[32], accuracy[32];
    char *training = crd_lab_training_text(facts), *lacking = lacking_text(found);
    crd_lab_number_text(found->auroc, auroc);
    crd_lab_number_text(found->accuracy, accuracy);
    char *text = crd_cli_text("\"training\": %s, \"metrics\": {\"auroc\": %s, \"accuracy\": %s, "
                              "\"positives\": %lld, \"negatives\": %lld}%s",
                              training, auroc, accuracy, (long long)found->positives,
                              (long long)found->negatives, lacking);
    free(training);
    free(lacking);
    return text;
}

static char *cross_entropy_text(const crd_model_facts *facts)
{
    char cross_entropy[32], accuracy[32];
    char *training = crd_lab_training_text(facts);
    crd_lab_number_text(facts->best_cross_entropy, cross_entropy);
    crd_lab_number_text(facts->best_accuracy, accuracy);
    char *text = crd_cli_text("\"training\": %s, \"metrics\": {\"cross_entropy\": %s, \"accuracy\": %s}",
                              training, cross_entropy, accuracy);
    free(training);
    return text;
}

static crd_status measure(const crd_lab_tuning *tuning, const crd_split *split, const crd_lab_held *held,
                          const crd_model *model, detection *found, crd_error *error)
{
    if (tuning->criterion == CRD_LAB_LEFT_OUT_CLASS) {
        *found = (detection){.positives = held->positives, .negatives = held->negatives};
        return crd_lab_held_measure(held, tuning->dataset, model, &found->auroc, &found->accuracy, error);
    }
    crd_evaluation evaluation;
    crd_status status = crd_lab_own_errors(tuning->dataset, split, model, &evaluation, error);
    if (status == CRD_OK)
        *found = (detection){.auroc = evaluation.failure_aleatoric.auroc,
                             .accuracy = evaluation.accuracy,
                             .positives = evaluation.positives,
                             .negatives = evaluation.nodes - evaluation.positives};
    return status;
}

/* What became of a training that ended. */
static crd_status judge(const crd_lab_tuning *tuning, const crd_split *split, const crd_lab_held *held,
                        const crd_model *model, char **result, crd_error *error)
{
    crd_model_facts facts;
    detection found;
    crd_model_get_facts(model, &facts);
    if (facts.stop == CRD_STOP_DIVERGED) {
        *result = error_text("the loss stopped being a number", true);
        return CRD_OK;
    }
    if (!crd_lab_detects(tuning->criterion)) {
        *result = cross_entropy_text(&facts);
        return CRD_OK;
    }
    crd_status status = measure(tuning, split, held, model, &found, error);
    if (status == CRD_OK) *result = detection_text(&facts, &found);
    return status;
}

crd_status crd_lab_trial_run(const crd_lab_tuning *tuning, const crd_lab_trial *trial, char **result,
                             crd_error *error)
{
    const uint64_t seed = tuning->seed[trial->split];
    crd_config config = tuning->candidates.candidate[trial->candidate].config;
    crd_split *split = NULL;
    crd_model *model = NULL;
    crd_lab_held held = {0};
    config.seed = seed;
    config.threads = 1;
    config.max_epochs = trial->budget;
    config.left_out = tuning->left_out;
    *result = NULL;
    crd_status status =
        crd_lab_split_make(tuning->dataset, tuning->split, tuning->own_splits, seed, &split, error);
    if (status == CRD_OK && tuning->criterion == CRD_LAB_LEFT_OUT_CLASS) {
        int32_t class_index = tuning->held_class[trial->split * tuning->held + trial->held];
        status = crd_lab_hold_out(tuning->dataset, split, tuning->left_out, class_index, seed, &held, error);
        config.left_out = held.left_out;
    }
    const crd_split *used = held.split != NULL ? held.split : split;
    if (status == CRD_OK) {
        status = crd_train(tuning->dataset, used, &config, NULL, &model, error);
        if (status == CRD_ERROR_NUMERIC) *result = error_text(error->message, true);
    }
    if (status == CRD_OK) status = judge(tuning, used, &held, model, result, error);
    crd_model_free(&model);
    crd_split_free(&split);
    crd_lab_held_free(&held);
    return *result != NULL ? CRD_OK : status;
}

/* ---- lines ---- */

/* The fields that say what was tried, without the braces around them. */
static char *identity(const crd_lab_tuning *tuning, const crd_lab_trial *trial)
{
    const crd_lab_candidate *candidate = &tuning->candidates.candidate[trial->candidate];
    char *data = crd_lab_quoted(tuning->data), *title = crd_lab_quoted(tuning->title);
    char *split = crd_lab_quoted(tuning->split);
    char held[32] = "null";
    if (tuning->criterion == CRD_LAB_LEFT_OUT_CLASS)
        snprintf(held, sizeof held, "%d", (int)tuning->held_class[trial->split * tuning->held + trial->held]);
    char *text = crd_cli_text(
        "\"task\": \"tune\", \"criterion\": \"%s\", \"data\": %s, \"title\": %s, \"model\": \"%s\", "
        "\"seed\": %llu, \"fingerprint\": \"%s\", \"version\": \"%s\", \"split\": %s, \"left_out\": %lld, "
        "\"held_out\": %s, \"halves\": %s, \"budget\": %lld, \"config\": %s",
        crd_lab_criterion_name(tuning->criterion), data, title, candidate->config.model,
        (unsigned long long)tuning->seed[trial->split], crd_dataset_fingerprint(tuning->dataset),
        crd_version(), split, (long long)tuning->left_out, held, tuning->halves ? "true" : "false",
        (long long)trial->budget, candidate->json);
    free(data);
    free(title);
    free(split);
    return text;
}

char *crd_lab_trial_line(const crd_lab_tuning *tuning, const crd_lab_trial *trial, const char *result,
                         const char *why, double seconds)
{
    char *what = identity(tuning, trial), *message = why == NULL ? NULL : crd_lab_quoted(why);
    char *line = result != NULL
                     ? crd_cli_text("{%s, \"seconds\": %.3f, %s}", what, seconds, result)
                     : crd_cli_text("{%s, \"seconds\": %.3f, \"error\": %s}", what, seconds, message);
    free(what);
    free(message);
    return line;
}

char *crd_lab_line_key(const json_t *line)
{
    static const char *const fields[] = {"criterion", "seed",     "fingerprint", "split",
                                         "left_out",  "held_out", "halves",      "config"};
    const char *task = json_string_value(json_object_get(line, "task"));
    if (task == NULL || strcmp(task, "tune") != 0) return NULL;
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        json_object_set(object, fields[i], json_object_get(line, fields[i]));
    char *dumped = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);
    char *key = crd_cli_text("%s", dumped != NULL ? dumped : "");
    free(dumped);
    json_decref(object);
    return key;
}

char *crd_lab_trial_key(const crd_lab_tuning *tuning, const crd_lab_trial *trial)
{
    char *fields = identity(tuning, trial), *text = crd_cli_text("{%s}", fields);
    json_t *line = json_loads(text, 0, NULL);
    char *key = crd_lab_line_key(line);
    json_decref(line);
    free(text);
    free(fields);
    return key;
}

/* NaN for what is no number. */
static double number_of(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

crd_lab_outcome crd_lab_line_outcome(crd_lab_criterion criterion, const json_t *line)
{
    const json_t *training = json_object_get(line, "training"), *metrics = json_object_get(line, "metrics");
    const char *stop = json_string_value(json_object_get(training, "stop"));
    const char *error = json_string_value(json_object_get(line, "error"));
    crd_lab_outcome outcome = {
        .budget = json_integer_value(json_object_get(line, "budget")),
        .epochs = json_integer_value(json_object_get(training, "epochs")),
        .limited = stop != NULL && strcmp(stop, "epochs") == 0,
        .trained = training != NULL,
        .failed = error != NULL,
        .diverged = json_is_true(json_object_get(line, "diverged")),
        .score = number_of(metrics, crd_lab_detects(criterion) ? "auroc" : "cross_entropy"),
        .accuracy = number_of(metrics, "accuracy"),
        .checked = json_number_value(json_object_get(metrics, "negatives")),
    };
    /* Wrong answers count for the accuracy, those of a class that was not learnt do not. */
    if (criterion == CRD_LAB_OWN_ERRORS)
        outcome.checked += json_number_value(json_object_get(metrics, "positives"));
    if (error == NULL && !isfinite(outcome.score)) {
        error = "its score is not a number";
        outcome.failed = true;
    }
    outcome.error = error == NULL ? NULL : crd_cli_text("%s", error);
    return outcome;
}
