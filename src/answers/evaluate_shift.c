/* SPDX-License-Identifier: MIT */
/* Does the model notice nodes that are no longer like those of training? */
#include <stdlib.h>
#include <string.h>

#include "answers/answers.h"
#include "base/random.h"
#include "graph/shift.h"

typedef struct {
    const crd_shift *shift;
    int threads;
    int64_t nodes;
    int32_t *truth;   /* the class of test nodes that may be shifted; others are unknown */
    uint8_t *shifted; /* one per node */
    int64_t *chosen;  /* the nodes to shift, if nodes are chosen */
    int64_t count;
    int64_t removed, added; /* edges */
    crd_prepared prepared;
    /* Noise replaces prepared features: these data hold them, for a model that does not prepare features itself. Both
     * share their arrays with the caller's. */
    crd_dataset data;
    crd_model model;
    int32_t *before; /* the answers on clean data */
    crd_plan plan;
    crd_prediction *answers; /* on clean data; then on shifted data. If nodes are shifted one by one, each row comes
                              * from its own case: classes and scores only */
} trial;

static crd_status open_trial(trial *t, const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                             crd_error *error)
{
    crd_status status = crd_shift_check(t->shift, error);
    if (status == CRD_OK) status = crd_model_fits(model, dataset, error);
    if (status == CRD_OK && crd_shift_is_noise(t->shift) && dataset->features.columns == 0)
        status = crd_fail(error, CRD_ERROR_MISMATCH,
                          "the data have no node features that noise could replace: shift the edges (rewire, "
                          "dice)");
    if (status == CRD_OK) status = crd_evaluation_truth(model, dataset, split, &t->truth, error);
    if (status != CRD_OK) return status;
    t->nodes = dataset->graph.nodes;
    for (int64_t i = 0; i < t->nodes; i++)
        if (t->truth[i] < 0) t->truth[i] = CRD_TRUTH_UNKNOWN;
    CRD_PLAN_ZERO(&t->plan, &t->shifted, t->nodes);
    CRD_PLAN(&t->plan, &t->chosen, t->nodes);
    CRD_PLAN(&t->plan, &t->before, t->nodes);
    status = crd_plan_allocate(&t->plan, error);
    if (status == CRD_OK)
        status = crd_preprocess(&dataset->features, model->config.features, model->feature_mean, model->feature_scale,
                                NULL, &t->prepared, error);
    if (status == CRD_OK) status = crd_prepared_settle(&t->prepared, error);
    if (status != CRD_OK) return status;
    t->data = *dataset;
    t->data.features = t->prepared.features;
    t->model = *model;
    t->model.config.features = CRD_FEATURES_NONE;
    t->model.calibration = NULL; /* evidence of single nodes is weighed as it is, so all answers are */
    t->model.held_count = 0;
    return CRD_OK;
}

static bool has_edge_to_change(const trial *t, int64_t node)
{
    const crd_graph *graph = &t->data.graph;
    for (int64_t e = graph->start[node]; e < graph->start[node + 1]; e++)
        if (t->truth[graph->neighbour[e]] >= 0) return true;
    return false;
}

/* Chooses a share of the nodes that can be shifted; all of them if the edges of one node at a time change. */
static crd_status choose_nodes(trial *t, crd_error *error)
{
    const bool noise = crd_shift_is_noise(t->shift);
    int64_t test_nodes = 0, count = 0;
    for (int64_t i = 0; i < t->nodes; i++) {
        if (t->truth[i] < 0) continue;
        test_nodes++;
        if (noise || has_edge_to_change(t, i)) t->chosen[count++] = i;
    }
    if (test_nodes == 0)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "no test node is labelled with a class of the model, so there is none to shift: "
                        "evaluate another split, for example all nodes");
    if (count == 0)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "no edge joins two test nodes of the model's classes, so there is none to change");
    crd_rng rng = crd_rng_start(t->shift->seed, CRD_RNG_SHIFT_NODES);
    crd_rng_shuffle(&rng, t->chosen, count);
    t->count = noise ? crd_shift_share(t->shift, count) : count;
    if (t->shift->isolated && t->count > t->shift->most_nodes) t->count = t->shift->most_nodes;
    return CRD_OK;
}

/* ---- shifting ---- */

/* Predicts with noise on the nodes marked in `shifted`, or with other edges, whose nodes are then marked there. `node`
 * is the only node to shift, or -1. */
static crd_status predict_shifted(trial *t, int64_t node, uint8_t *shifted, crd_prediction **prediction,
                                  crd_error *error)
{
    crd_dataset data = t->data;
    crd_features features = {0};
    crd_shifted_edges edges = {0};
    crd_status status;
    *prediction = NULL;
    if (crd_shift_is_noise(t->shift)) {
        status = crd_shift_features(&t->data.features, t->shift, shifted, &features, error);
        data.features = features;
    } else {
        status = crd_shift_edges(&t->data.graph, t->shift, t->truth, node, &edges, shifted, error);
        data.graph = edges.graph;
        t->removed += edges.removed;
        t->added += edges.added;
    }
    if (status == CRD_OK) status = crd_predict_evidence(&t->model, &data, t->threads, prediction, error);
    crd_features_free(&features);
    crd_graph_free(&edges.graph);
    return status;
}

/* One prediction per node: works for any model. Each node takes its answer from its own case. */
static crd_status shift_each(trial *t, crd_error *error)
{
    uint8_t *alone;
    crd_status status = CRD_NEW_ZERO(&alone, t->nodes, error);
    for (int64_t c = 0; c < t->count && status == CRD_OK; c++) {
        const int64_t node = t->chosen[c];
        crd_prediction *one;
        alone[node] = 1;
        status = predict_shifted(t, node, alone, &one, error);
        if (status != CRD_OK) break;
        alone[node] = 0;
        crd_prediction_take(t->answers, node, one);
        crd_prediction_free(&one);
    }
    crd_free(alone);
    return status;
}

/* The evidence of a node, if it alone has noise: the sum over its surroundings with fixed weights. */
static void weigh_node(const trial *t, int64_t node, crd_weights *weights, crd_prediction *noisy)
{
    const int32_t classes = t->model.classes;
    const float *clean = t->answers->evidence_features;
    t->model.kind->weigh(&t->model, &t->data.graph, 0, node, NULL, weights);
    for (int32_t k = 0; k < classes; k++) {
        double total = 0.0;
        for (int64_t r = 0; r < weights->count; r++) {
            const int64_t i = weights->reached[r];
            total += weights->weight[i] * (double)(i == node ? noisy->evidence_features : clean)[i * classes + k];
        }
        noisy->evidence[node * classes + k] = (float)total;
    }
}

/* If evidence comes from a node's own features and is then summed over the graph with fixed weights, one more
 * prediction is enough, with noise on all chosen nodes. */
static crd_status weigh_each(trial *t, crd_error *error)
{
    crd_prediction *noisy = NULL;
    crd_weights weights = {0};
    crd_status status = crd_weights_open(&weights, t->nodes, error);
    if (status == CRD_OK) status = predict_shifted(t, -1, t->shifted, &noisy, error);
    if (status == CRD_OK) {
        for (int64_t c = 0; c < t->count; c++) weigh_node(t, t->chosen[c], &weights, noisy);
        crd_scores_free(noisy->score);
        status =
            crd_scores_make(noisy->evidence, noisy->evidence_features, t->nodes, t->model.classes, noisy->score, error);
    }
    if (status == CRD_OK) {
        crd_most_probable(noisy->evidence, t->nodes, t->model.classes, noisy->class_index);
        for (int64_t c = 0; c < t->count; c++) crd_prediction_take(t->answers, t->chosen[c], noisy);
    }
    crd_prediction_free(&noisy);
    crd_weights_close(&weights);
    return status;
}

static crd_status shift_nodes(trial *t, crd_error *error)
{
    const crd_model_kind *kind = t->model.kind;
    const bool noise = crd_shift_is_noise(t->shift);
    for (int64_t c = 0; c < t->count; c++) t->shifted[t->chosen[c]] = 1;
    if (!t->shift->isolated) {
        crd_prediction_free(&t->answers);
        return predict_shifted(t, -1, t->shifted, &t->answers, error);
    }
    if (noise && !kind->trained) return CRD_OK; /* it uses no features: noise does not change its answers */
    const bool sum = kind->features_alone && kind->weigh != NULL && t->model.config.score == CRD_DOUBT_OWN;
    return noise && sum ? weigh_each(t, error) : shift_each(t, error);
}

/* ---- the result ---- */

/* Counts the right answers for shifted nodes, then marks these as the nodes to find. */
static crd_status measure(trial *t, crd_evaluation *evaluation, crd_sample **sample, crd_error *error)
{
    crd_evaluation e;
    int64_t shifted = 0, right = 0, right_before = 0;
    for (int64_t i = 0; i < t->nodes; i++) {
        if (!t->shifted[i]) continue;
        shifted++;
        right += t->answers->class_index[i] == t->truth[i];
        right_before += t->before[i] == t->truth[i];
        t->truth[i] = CRD_TRUTH_OUT_OF_CLASSES;
    }
    crd_status status = crd_evaluate_prediction(t->answers, t->truth, CRD_TASK_SHIFT, &e, sample, error);
    if (status != CRD_OK) return status;
    e.shift = *t->shift;
    e.accuracy_shifted = (double)right / (double)shifted; /* without such nodes: 0 / 0 */
    e.accuracy_before = (double)right_before / (double)shifted;
    e.edges_removed = t->removed;
    e.edges_added = t->added;
    *evaluation = e;
    return CRD_OK;
}

crd_status crd_evaluate_shifted(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                                const crd_shift *shift, int threads, crd_evaluation *evaluation, crd_sample **sample,
                                crd_error *error)
{
    trial t = {.shift = shift, .threads = threads};
    crd_status status = open_trial(&t, model, dataset, split, error);
    if (status == CRD_OK) status = choose_nodes(&t, error);
    if (status == CRD_OK) status = crd_predict_evidence(&t.model, &t.data, threads, &t.answers, error);
    if (status == CRD_OK) {
        memcpy(t.before, t.answers->class_index, (size_t)t.nodes * sizeof *t.before);
        status = shift_nodes(&t, error);
    }
    if (status == CRD_OK) status = measure(&t, evaluation, sample, error);
    crd_free(t.truth);
    crd_plan_free(&t.plan);
    crd_prediction_free(&t.answers);
    crd_prepared_free(&t.prepared);
    return status;
}
