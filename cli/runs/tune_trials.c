/* SPDX-License-Identifier: MIT */
/* Trials: what they hold out, their training, and their lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "runs/runs.h"

/* Checked nodes are the validation nodes of the classes that are trained (early stopping uses them too, and the same
 * ones for every candidate). Of a committee, which learns from validation nodes, they are its calibration nodes. Held
 * nodes are those of the held-out class that training or validation could have used. Test nodes and classes that are
 * left out for good are neither: tuning never looks at their labels. */
enum { NONE, CHECKED, HELD };

typedef struct {
    crd_split *split; /* to train with; NULL: nothing is held out */
    int64_t left_out; /* to train with */
    uint8_t *mark;    /* one per node: its role when detection is measured */
} held_out;

static void held_free(held_out *held)
{
    crd_split_free(&held->split);
    free(held->mark);
    *held = (held_out){0};
}

/* ---- one of two classes ---- */

/* The evidence for one of two classes that label propagation brings to every node in some steps. The caller frees it;
 * NULL on failure. Not alpha - 1: evidence is so small that 1 + evidence is the same float for many nodes. The scores
 * are sums in double: -(2 + both) and -(1 + the larger); the larger is that of the predicted class. */
static crd_status propagate(const crd_dataset *dataset, const crd_split *split, int64_t left_out, int32_t class_index,
                            int64_t steps, double **evidence, crd_error *error)
{
    const int64_t nodes = crd_dataset_nodes(dataset);
    crd_model *model = NULL;
    crd_prediction *prediction = NULL;
    crd_config config;
    *evidence = NULL;
    crd_config_defaults(&config);
    crd_status status = crd_config_set(&config, "model", "lp", error);
    config.left_out = left_out;
    config.threads = 1;
    config.steps = steps;
    if (status == CRD_OK) status = crd_train(dataset, split, &config, NULL, &model, error);
    if (status == CRD_OK) status = crd_predict(model, dataset, CRD_THREADS(1), &prediction, error);
    if (status == CRD_OK) {
        const double *total = crd_prediction_score(prediction, CRD_SCORE_EPISTEMIC);
        const double *largest = crd_prediction_score(prediction, CRD_SCORE_EPISTEMIC_CLASS);
        const int32_t *answer = crd_prediction_class(prediction);
        *evidence = crd_cli_allocate(NULL, (size_t)nodes * sizeof **evidence);
        for (int64_t i = 0; i < nodes; i++)
            (*evidence)[i] = answer[i] == class_index ? -largest[i] - 1.0 : largest[i] - total[i] - 1.0;
    }
    crd_prediction_free(&prediction);
    crd_model_free(&model);
    return status;
}

/* How much label propagation from one training node of the class (of two, 0 and 1) reaches each node, relative to the
 * node's rank: well connected nodes get more from any start. Part of what propagation brings is that rank alone; with
 * no steps, nodes without a label get nothing else. The caller frees it; NULL on failure. */
static crd_status measure_reach(const crd_dataset *dataset, const uint8_t *roles, int64_t left_out, int32_t class_index,
                                uint64_t seed, double **reach, crd_error *error)
{
    enum { STEPS = 50 };
    const int64_t nodes = crd_dataset_nodes(dataset);
    int64_t start[2] = {-1, -1}; /* a training node of each class, picked by the seed */
    uint8_t *starts = crd_cli_allocate(NULL, (size_t)nodes);
    crd_split *split = NULL;
    double *rank = NULL;
    memset(starts, CRD_ROLE_NONE, (size_t)nodes);
    for (int64_t i = 0; i < nodes; i++) {
        if (roles[i] != CRD_ROLE_TRAIN) continue;
        int64_t *picked = &start[crd_dataset_label(dataset, i)];
        if (*picked < 0 || crd_hash(seed, (uint64_t)i) < crd_hash(seed, (uint64_t)*picked)) *picked = i;
    }
    for (int c = 0; c < 2; c++)
        if (start[c] >= 0) starts[start[c]] = CRD_ROLE_TRAIN;
    crd_status status = crd_split_from_roles(starts, nodes, &split, error);
    if (status == CRD_OK) status = propagate(dataset, split, left_out, class_index, 0, &rank, error);
    if (status == CRD_OK) status = propagate(dataset, split, left_out, class_index, STEPS, reach, error);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++) (*reach)[i] = rank[i] > 0.0 ? (*reach)[i] / rank[i] : 0.0;
    if (status == CRD_OK && start[class_index] >= 0) (*reach)[start[class_index]] = INFINITY;
    crd_split_free(&split);
    free(starts);
    free(rank);
    return status;
}

typedef struct {
    int64_t node;
    double reached;
    uint64_t chance;
} member;

/* Most reached first; ties in random order. */
static int by_reach(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->reached != y->reached) return x->reached > y->reached ? -1 : 1;
    return (x->chance > y->chance) - (x->chance < y->chance);
}

/* Makes classes 0 and 1 of the class's nodes of a role: half of them, those reached most, get the number of the other
 * class. */
static void relabel_half(const crd_dataset *dataset, const uint8_t *roles, crd_role role, const double *reach,
                         int32_t class_index, uint64_t seed, int32_t *labels)
{
    int64_t nodes = crd_dataset_nodes(dataset), count = 0;
    member *members = crd_cli_allocate(NULL, (size_t)nodes * sizeof *members);
    for (int64_t i = 0; i < nodes; i++)
        if (roles[i] == role && crd_dataset_label(dataset, i) == class_index)
            members[count++] = (member){i, reach[i], crd_hash(seed, (uint64_t)i)};
    qsort(members, (size_t)count, sizeof *members, by_reach);
    for (int64_t m = 0; m < count; m++) labels[members[m].node] = m < count / 2 ? 1 - class_index : class_index;
    free(members);
}

/* Cuts one of two classes into halves. One half are the training nodes, and the validation nodes, that label
 * propagation from one of them reaches most, relative to their rank: they lie together in the graph, as a class does.
 */
static crd_status cut_class(const crd_dataset *dataset, const uint8_t *roles, int64_t left_out, int32_t class_index,
                            uint64_t seed, int32_t *labels, crd_error *error)
{
    double *reach = NULL;
    crd_status status = measure_reach(dataset, roles, left_out, class_index, seed, &reach, error);
    for (crd_role role = CRD_ROLE_TRAIN; status == CRD_OK && role <= CRD_ROLE_VALIDATION; role++)
        relabel_half(dataset, roles, role, reach, class_index, seed, labels);
    free(reach);
    return status;
}

/* ---- what is held out ---- */

/* Holds out a class (a number below classes - left_out; -1: none): it moves behind the others in `dataset`, and one
 * more class is left out. Of two classes only one would remain, with nothing to tell apart: it is cut into halves,
 * which become the two classes, and the nodes of the other one lose their labels. So do all nodes that tuning must not
 * look at. */
static crd_status hold_out(crd_dataset *dataset, const crd_split *split, int64_t left_out, int32_t class_index,
                           uint64_t seed, held_out *held, crd_error *error)
{
    const int64_t nodes = crd_dataset_nodes(dataset);
    const int32_t classes = crd_dataset_classes(dataset) - (int32_t)left_out;
    const bool holds = class_index >= 0, halves = holds && classes == 2;
    uint8_t *roles = crd_cli_allocate(NULL, (size_t)nodes);
    int32_t *labels = crd_cli_allocate(NULL, (size_t)nodes * sizeof *labels);
    crd_status status = CRD_OK;
    *held = (held_out){.mark = crd_cli_allocate(NULL, (size_t)nodes), .left_out = left_out + (holds && !halves)};
    for (int64_t i = 0; i < nodes; i++) {
        const crd_role role = crd_split_role(split, i);
        const int32_t label = crd_dataset_label(dataset, i);
        const bool usable = label >= 0 && label < classes && (role == CRD_ROLE_TRAIN || role == CRD_ROLE_VALIDATION);
        roles[i] = (uint8_t)(usable ? role : CRD_ROLE_NONE);
        labels[i] = !usable ? -1 : label == class_index ? classes - 1 : label - (label > class_index);
        held->mark[i] = !usable ? NONE : label == class_index ? HELD : role == CRD_ROLE_VALIDATION ? CHECKED : NONE;
    }
    if (halves) status = cut_class(dataset, roles, left_out, 1 - class_index, seed, labels, error);
    for (int64_t i = 0; i < nodes && halves; i++)
        if (held->mark[i] == HELD) {
            roles[i] = CRD_ROLE_NONE;
            labels[i] = -1;
        }
    if (status == CRD_OK && holds) status = crd_dataset_set_labels(dataset, labels, error);
    if (status == CRD_OK && holds) status = crd_split_from_roles(roles, nodes, &held->split, error);
    free(roles);
    free(labels);
    if (status != CRD_OK) held_free(held);
    return status;
}

/* ---- training ---- */

static void set_error(json_t *object, const char *why, bool diverged)
{
    crd_cli_json_set(object, "error", crd_cli_json_string(why));
    if (diverged) crd_cli_json_set(object, "diverged", json_true());
}

/* If all answers are right, or all wrong, there is no AUROC. (A held-out class always has nodes, and so have the
 * others.) */
static void check_answers(json_t *object, int64_t checked, int64_t wrong, int64_t right)
{
    if (checked == 0)
        set_error(object, "a committee learns from validation nodes, and has no calibration nodes to be measured on",
                  false);
    if (checked == 0 || (wrong > 0 && right > 0)) return;
    char *why = crd_cli_text("all %lld validation nodes are answered %s, so there is no %s", (long long)(wrong + right),
                             wrong == 0 ? "right" : "wrong",
                             wrong == 0 ? "wrong answer to detect" : "right answer to tell them from");
    set_error(object, why, false);
    free(why);
}

/* How well held nodes are told from checked ones by the epistemic uncertainty (by the aleatoric one for models that
 * have no other). If nothing is held out: how well wrong answers on checked nodes are told from right ones by the
 * aleatoric uncertainty. The accuracy is that on the checked nodes. */
static crd_status measure(const held_out *held, const crd_dataset *dataset, const crd_model *model, json_t *object,
                          crd_error *error)
{
    const int64_t nodes = crd_dataset_nodes(dataset);
    const bool own_errors = held->split == NULL;
    crd_model_facts facts;
    int64_t count = 0, positives = 0, checked = 0, right = 0;
    crd_prediction *prediction = NULL;
    crd_detection detection = {0};
    crd_model_get_facts(model, &facts);
    crd_status status = crd_predict(model, dataset, CRD_THREADS(1), &prediction, error);
    if (status != CRD_OK) return status;
    const int32_t *answer = crd_prediction_class(prediction);
    const double *score = own_errors ? NULL : crd_prediction_score(prediction, CRD_SCORE_EPISTEMIC);
    if (score == NULL) score = crd_prediction_score(prediction, CRD_SCORE_ALEATORIC);
    double *doubt = crd_cli_allocate(NULL, (size_t)nodes * sizeof *doubt);
    bool *positive = crd_cli_allocate(NULL, (size_t)nodes * sizeof *positive);
    for (int64_t i = 0; i < nodes; i++) {
        const bool is_right = answer[i] == crd_dataset_label(dataset, i);
        const bool is_checked = held->mark[i] == CHECKED;
        if (held->mark[i] == NONE) continue;
        if (is_checked && facts.networks > 0 && crd_split_role(crd_model_split(model), i) != CRD_ROLE_CALIBRATION)
            continue;
        checked += is_checked;
        right += is_checked && is_right;
        positive[count] = own_errors ? !is_right : !is_checked;
        positives += positive[count];
        doubt[count++] = score[i];
    }
    status = crd_detection_metrics(doubt, positive, count, &detection, error);
    json_t *metrics =
        crd_cli_json_new("auroc", crd_cli_json_number(detection.auroc), "accuracy",
                         crd_cli_json_number(checked > 0 ? (double)right / (double)checked : NAN), "positives",
                         json_integer(positives), "negatives", json_integer(count - positives), NULL);
    crd_cli_json_set(object, "metrics", metrics);
    check_answers(object, checked, positives, count - positives);
    free(doubt);
    free(positive);
    crd_prediction_free(&prediction);
    return status;
}

/* The result of a finished training. */
static crd_status judge(const crd_cli_tuning *tuning, const held_out *held, const crd_model *model, json_t *object,
                        crd_error *error)
{
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    if (facts.stop == CRD_STOP_DIVERGED) {
        set_error(object, "the loss stopped being a number", true);
        return CRD_OK;
    }
    crd_cli_json_set(object, "training", crd_cli_training_json(model));
    if (crd_cli_detects(tuning->criterion)) return measure(held, tuning->graph.dataset, model, object, error);
    crd_cli_json_set(object, "metrics",
                     crd_cli_json_new("cross_entropy", crd_cli_json_number(facts.best_cross_entropy), "accuracy",
                                      crd_cli_json_number(facts.best_accuracy), NULL));
    return CRD_OK;
}

crd_status crd_cli_trial_run(const void *context, const void *work, json_t *result, crd_error *error)
{
    const crd_cli_tuning *tuning = context;
    const crd_cli_trial *trial = work;
    const uint64_t seed = tuning->seed[trial->split];
    crd_config config = tuning->candidate[trial->candidate].config;
    crd_split *split = NULL;
    crd_model *model = NULL;
    held_out held = {0};
    config.seed = seed;
    config.threads = 1;
    config.max_epochs = trial->budget;
    crd_status status = crd_cli_graph_split(&tuning->graph, seed, &split, error);
    if (status == CRD_OK)
        status = hold_out(tuning->graph.dataset, split, tuning->graph.left_out,
                          crd_cli_held_class(tuning, trial->split, trial->held), seed, &held, error);
    if (status == CRD_OK) {
        const crd_split *used = held.split != NULL ? held.split : split;
        config.left_out = held.left_out;
        status = crd_train(tuning->graph.dataset, used, &config, NULL, &model, error);
        if (status == CRD_OK) status = judge(tuning, &held, model, result, error);
        else if (status == CRD_ERROR_NUMERIC) {
            set_error(result, error->message, true);
            status = CRD_OK;
        }
    }
    crd_model_free(&model);
    crd_split_free(&split);
    held_free(&held);
    return status;
}

/* ---- lines ---- */

json_t *crd_cli_trial_line(const crd_cli_tuning *tuning, const crd_cli_trial *trial)
{
    const crd_cli_candidate *candidate = &tuning->candidate[trial->candidate];
    const int32_t held = crd_cli_held_class(tuning, trial->split, trial->held);
    json_t *line = crd_cli_graph_line(&tuning->graph, "tune", candidate->config.model, tuning->seed[trial->split]);
    crd_cli_json_add(line, "criterion", json_string(tuning->criterion_name), "left_out",
                     json_integer(tuning->graph.left_out), "held_out", held < 0 ? NULL : json_integer(held), "halves",
                     json_boolean(tuning->halves), "budget", json_integer(trial->budget), "config",
                     json_incref(candidate->json), NULL);
    char *classes = NULL; /* those that --left-out names; they are the last ones by now */
    const int32_t all = crd_dataset_classes(tuning->graph.dataset);
    for (int32_t c = all - (int32_t)tuning->graph.left_out; c < all && tuning->graph.last != NULL; c++)
        crd_cli_append(&classes, "%s%s", classes != NULL ? "," : "", crd_dataset_class_name(tuning->graph.dataset, c));
    if (classes != NULL) crd_cli_json_set(line, "left_out_classes", crd_cli_json_string(classes));
    free(classes);
    return line;
}

/* Whether a training ended as it should, or failed because of its numbers: it would do so again. */
static bool has_ended(const json_t *line)
{
    return json_object_get(line, "training") != NULL || json_is_true(json_object_get(line, "diverged"));
}

/* Whether the same training with this budget would have the outcome of this line: a training that ended before its
 * budget would end the same way with a larger one. So would one that failed because of its numbers. */
static bool answers(const json_t *line, int64_t budget)
{
    const json_t *training = json_object_get(line, "training");
    const char *stop = crd_cli_json_string_at(training, "stop");
    const int64_t allowed = json_integer_value(json_object_get(line, "budget"));
    const bool larger = budget < 0 || (allowed >= 0 && budget > allowed);
    if (allowed == budget) return true;
    if (training == NULL) return larger && has_ended(line);
    if (stop != NULL && strcmp(stop, "epochs") == 0) return false;
    return larger || json_integer_value(json_object_get(training, "epochs")) <= budget;
}

const json_t *crd_cli_find_trial(const crd_cli_tuning *tuning, const crd_cli_trial *trial)
{
    json_t *wanted = crd_cli_trial_line(tuning, trial);
    const json_t *places = crd_cli_runs_like(&tuning->runs, wanted), *found = NULL;
    json_decref(wanted);
    for (size_t i = 0; i < json_array_size(places); i++) {
        const int64_t place = json_integer_value(json_array_get(places, i));
        const json_t *line = tuning->runs.run[place].line;
        if (place < tuning->runs.earlier && !has_ended(line)) continue;
        if (!answers(line, trial->budget)) continue;
        found = line;
        if (json_object_get(line, "error") == NULL) break;
    }
    return found;
}
