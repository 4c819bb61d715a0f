#include "runs/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"

void crd_cli_held_free(crd_cli_held *held)
{
    crd_split_free(&held->split);
    free(held->mark);
    *held = (crd_cli_held){0};
}

/* The roles of the nodes that tuning may use: training and validation nodes of classes in distribution. */
static uint8_t *usable_roles(const crd_dataset *dataset, const crd_split *split, int64_t left_out)
{
    int64_t nodes = crd_dataset_nodes(dataset), classes = crd_dataset_classes(dataset) - left_out;
    uint8_t *roles = crd_cli_allocate(NULL, (size_t)nodes);
    for (int64_t i = 0; i < nodes; i++) {
        crd_role role = crd_split_role(split, i);
        int32_t label = crd_dataset_label(dataset, i);
        bool usable = label >= 0 && label < classes && role != CRD_ROLE_TEST;
        roles[i] = (uint8_t)(usable ? role : CRD_ROLE_NONE);
    }
    return roles;
}

/* ---- one of three or more classes ---- */

static crd_status move_behind(crd_dataset *dataset, int64_t left_out, int32_t class_index, crd_error *error)
{
    int32_t classes = crd_dataset_classes(dataset), known = classes - (int32_t)left_out, next = 0;
    int32_t *order = crd_cli_allocate(NULL, (size_t)classes * sizeof *order);
    for (int32_t c = 0; c < known; c++)
        if (c != class_index) order[next++] = c;
    order[next++] = class_index;
    for (int32_t c = known; c < classes; c++) order[next++] = c;
    crd_status status = crd_dataset_order_classes(dataset, order, error);
    free(order);
    return status;
}

static crd_status hold_class(crd_dataset *dataset, const uint8_t *roles, int64_t left_out, int32_t class_index,
                             crd_cli_held *held, crd_error *error)
{
    int64_t nodes = crd_dataset_nodes(dataset);
    for (int64_t i = 0; i < nodes; i++)
        if (roles[i] != CRD_ROLE_NONE && crd_dataset_label(dataset, i) == class_index)
            held->mark[i] = CRD_CLI_MARK_HELD;
    held->left_out = left_out + 1;
    crd_status status = crd_split_from_roles(roles, nodes, &held->split, error);
    return status == CRD_OK ? move_behind(dataset, left_out, class_index, error) : status;
}

/* ---- one of two classes ---- */

/* A training node of a class, picked by the seed; -1 if the class has none. */
static int64_t pick_start(const crd_dataset *dataset, const uint8_t *roles, int32_t class_index, uint64_t seed)
{
    int64_t picked = -1;
    uint64_t least = 0;
    for (int64_t i = 0; i < crd_dataset_nodes(dataset); i++) {
        uint64_t hash = crd_hash(seed, (uint64_t)i);
        if (roles[i] != CRD_ROLE_TRAIN || crd_dataset_label(dataset, i) != class_index) continue;
        if (picked < 0 || hash < least) {
            picked = i;
            least = hash;
        }
    }
    return picked;
}

/* The evidence for one of two classes, one number per node; the caller frees it. Not alpha - 1: evidence is so
 * small that 1 + evidence is the same float for many nodes. The scores are sums in double: -(2 + both) and -(1 +
 * the larger); the larger is that of the predicted class. */
static double *evidence_for(const crd_prediction *prediction, int32_t class_index)
{
    const double *total = crd_prediction_score(prediction, CRD_SCORE_EPISTEMIC);
    const double *largest = crd_prediction_score(prediction, CRD_SCORE_EPISTEMIC_CLASS);
    const int32_t *answer = crd_prediction_class(prediction);
    int64_t nodes = crd_prediction_nodes(prediction);
    double *evidence = crd_cli_allocate(NULL, (size_t)nodes * sizeof *evidence);
    for (int64_t i = 0; i < nodes; i++)
        evidence[i] = answer[i] == class_index ? -largest[i] - 1.0 : largest[i] - total[i] - 1.0;
    return evidence;
}

/* The evidence for a class that label propagation brings to every node in some steps, from one training node per
 * class, picked by the seed. The caller frees it; NULL on failure. */
static crd_status propagate(const crd_dataset *dataset, const uint8_t *roles, int64_t left_out, int32_t class_index,
                            int64_t steps, uint64_t seed, double **evidence, crd_error *error)
{
    int64_t nodes = crd_dataset_nodes(dataset);
    int32_t classes = crd_dataset_classes(dataset) - (int32_t)left_out;
    uint8_t *starts = crd_cli_allocate(NULL, (size_t)nodes);
    crd_split *split = NULL;
    crd_model *model = NULL;
    crd_prediction *prediction = NULL;
    crd_config config;
    memset(starts, CRD_ROLE_NONE, (size_t)nodes);
    for (int32_t c = 0; c < classes; c++) {
        int64_t start = pick_start(dataset, roles, c, seed);
        if (start >= 0) starts[start] = CRD_ROLE_TRAIN;
    }
    *evidence = NULL;
    crd_config_defaults(&config);
    crd_status status = crd_config_set(&config, "model", "lp", error);
    config.left_out = left_out;
    config.threads = 1;
    config.steps = steps;
    if (status == CRD_OK) status = crd_split_from_roles(starts, nodes, &split, error);
    if (status == CRD_OK) status = crd_train(dataset, split, &config, NULL, &model, error);
    if (status == CRD_OK) status = crd_predict(model, dataset, 1, &prediction, error);
    if (status == CRD_OK) *evidence = evidence_for(prediction, class_index);
    crd_prediction_free(&prediction);
    crd_model_free(&model);
    crd_split_free(&split);
    free(starts);
    return status;
}

/* How much label propagation from one training node of the class reaches each node, relative to the node's rank:
 * well connected nodes get more from any start. Part of what propagation brings is that rank alone; with no steps,
 * nodes without a label get nothing else. The caller frees it; NULL on failure. */
static crd_status measure_reach(const crd_dataset *dataset, const uint8_t *roles, int64_t left_out, int32_t class_index,
                                uint64_t seed, double **reach, crd_error *error)
{
    enum { STEPS = 50 };
    const int64_t start = pick_start(dataset, roles, class_index, seed);
    double *rank = NULL;
    crd_status status = propagate(dataset, roles, left_out, class_index, 0, seed, &rank, error);
    if (status == CRD_OK) status = propagate(dataset, roles, left_out, class_index, STEPS, seed, reach, error);
    for (int64_t i = 0; i < crd_dataset_nodes(dataset) && status == CRD_OK; i++)
        (*reach)[i] = rank[i] > 0.0 ? (*reach)[i] / rank[i] : 0.0;
    if (status == CRD_OK && start >= 0) (*reach)[start] = INFINITY;
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

/* Gives half of the class's nodes of a role another label, and returns how many. */
static int64_t relabel_half(const crd_dataset *dataset, const uint8_t *roles, crd_role role, const double *reach,
                            int32_t class_index, int32_t other, uint64_t seed, int32_t *labels)
{
    int64_t nodes = crd_dataset_nodes(dataset), count = 0;
    member *members = crd_cli_allocate(NULL, (size_t)nodes * sizeof *members);
    for (int64_t i = 0; i < nodes; i++)
        if (roles[i] == role && crd_dataset_label(dataset, i) == class_index)
            members[count++] = (member){i, reach[i], crd_hash(seed, (uint64_t)i)};
    qsort(members, (size_t)count, sizeof *members, by_reach);
    for (int64_t m = 0; m < count / 2; m++) labels[members[m].node] = other;
    free(members);
    return count / 2;
}

/* One of two classes is held out, so the remaining one is cut in two: its second half takes the number of the class
 * that was held out. */
static crd_status hold_one_of_two(crd_dataset *dataset, uint8_t *roles, int64_t left_out, int32_t held_class,
                                  uint64_t seed, crd_cli_held *held, crd_error *error)
{
    const int64_t nodes = crd_dataset_nodes(dataset);
    const int32_t stays = 1 - held_class;
    double *reach = NULL;
    int32_t *labels = crd_cli_allocate(NULL, (size_t)nodes * sizeof *labels);
    crd_status status = measure_reach(dataset, roles, left_out, stays, seed, &reach, error);
    for (int64_t i = 0; i < nodes; i++) {
        labels[i] = roles[i] == CRD_ROLE_NONE ? -1 : crd_dataset_label(dataset, i);
        if (labels[i] != held_class) continue;
        held->mark[i] = CRD_CLI_MARK_HELD;
        roles[i] = CRD_ROLE_NONE;
        labels[i] = -1;
    }
    for (crd_role role = CRD_ROLE_TRAIN; status == CRD_OK && role <= CRD_ROLE_VALIDATION; role++)
        if (relabel_half(dataset, roles, role, reach, stays, held_class, seed, labels) == 0)
            status = crd_fail(error, CRD_ERROR_MISMATCH, "class %.100s has too few nodes to be cut in two",
                              crd_dataset_class_name(dataset, stays));
    free(reach);
    if (status == CRD_OK) status = crd_dataset_set_labels(dataset, labels, error);
    free(labels);
    return status == CRD_OK ? crd_split_from_roles(roles, nodes, &held->split, error) : status;
}

crd_status crd_cli_hold_out(crd_dataset *dataset, const crd_split *split, int64_t left_out, int32_t class_index,
                            uint64_t seed, crd_cli_held *held, crd_error *error)
{
    int64_t nodes = crd_dataset_nodes(dataset);
    uint8_t *roles = usable_roles(dataset, split, left_out);
    crd_status status = CRD_OK;
    *held = (crd_cli_held){.mark = crd_cli_allocate(NULL, (size_t)nodes), .left_out = left_out};
    for (int64_t i = 0; i < nodes; i++)
        held->mark[i] = roles[i] == CRD_ROLE_VALIDATION ? CRD_CLI_MARK_CHECKED : CRD_CLI_MARK_NONE;
    if (class_index >= 0 && crd_dataset_classes(dataset) - left_out == 2)
        status = hold_one_of_two(dataset, roles, left_out, class_index, seed, held, error);
    else if (class_index >= 0) status = hold_class(dataset, roles, left_out, class_index, held, error);
    free(roles);
    if (status != CRD_OK) crd_cli_held_free(held);
    return status;
}

/* ---- measuring ---- */

crd_status crd_cli_held_measure(const crd_cli_held *held, const crd_dataset *dataset, const crd_model *model,
                                crd_cli_detection *found, crd_error *error)
{
    const int64_t nodes = crd_dataset_nodes(dataset);
    const bool own_errors = held->split == NULL;
    int64_t count = 0, checked = 0, right = 0;
    crd_prediction *prediction = NULL;
    crd_detection detection = {0};
    crd_status status = crd_predict(model, dataset, 1, &prediction, error);
    if (status != CRD_OK) return status;
    const int32_t *answer = crd_prediction_class(prediction);
    const double *score = own_errors ? NULL : crd_prediction_score(prediction, CRD_SCORE_EPISTEMIC);
    if (score == NULL) score = crd_prediction_score(prediction, CRD_SCORE_ALEATORIC);
    double *doubt = crd_cli_allocate(NULL, (size_t)nodes * sizeof *doubt);
    bool *positive = crd_cli_allocate(NULL, (size_t)nodes * sizeof *positive);
    *found = (crd_cli_detection){0};
    for (int64_t i = 0; i < nodes; i++) {
        const bool is_right = answer[i] == crd_dataset_label(dataset, i);
        const bool is_checked = held->mark[i] == CRD_CLI_MARK_CHECKED;
        if (held->mark[i] == CRD_CLI_MARK_NONE) continue;
        checked += is_checked;
        right += is_checked && is_right;
        positive[count] = own_errors ? !is_right : !is_checked;
        found->positives += positive[count];
        doubt[count++] = score[i];
    }
    status = crd_detection_metrics(doubt, positive, count, &detection, error);
    found->negatives = count - found->positives;
    found->auroc = detection.auroc;
    found->accuracy = checked > 0 ? (double)right / (double)checked : NAN;
    free(doubt);
    free(positive);
    crd_prediction_free(&prediction);
    return status;
}
