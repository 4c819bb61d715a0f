/* SPDX-License-Identifier: MIT */
/* Promises about a prediction: doubt, unknown nodes, answers with few errors, sets of classes. The rules are those of
 * uncertainty/conformal.h, applied to every row; crd_evaluate measures what the same functions give. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/answers.h"
#include "base/watch.h"

const double crd_alarm_levels[3] = {0.01, 0.05, 0.1}, crd_error_levels[3] = {0.01, 0.02, 0.05};

static crd_held held_of(const crd_prediction *p)
{
    return (crd_held){p->held, p->held_count};
}

const double *crd_strangeness(const crd_prediction *p)
{
    return p->score[CRD_SCORE_EPISTEMIC] != NULL ? p->score[CRD_SCORE_EPISTEMIC] : p->score[CRD_SCORE_ALEATORIC];
}

crd_status crd_prediction_hold(const crd_model *model, crd_prediction *p, crd_error *error)
{
    p->seed = model->config.seed;
    if (model->held_count == 0) return CRD_OK;
    crd_status status = CRD_NEW(&p->held, model->held_count * CRD_HELD, error);
    if (status != CRD_OK) return status;
    memcpy(p->held, model->held, (size_t)model->held_count * CRD_HELD * sizeof *p->held);
    p->held_count = model->held_count;
    status = CRD_NEW(&p->doubt, p->nodes, error);
    if (status == CRD_OK) status = crd_held_p(held_of(p), crd_strangeness(p), p->nodes, p->doubt, error);
    for (int64_t i = 0; i < p->nodes && status == CRD_OK; i++) p->doubt[i] = 1.0 - p->doubt[i];
    return status;
}

const double *crd_prediction_doubt(const crd_prediction *prediction)
{
    return prediction != NULL ? prediction->doubt : NULL;
}

const uint8_t *crd_prediction_unknown(const crd_prediction *prediction)
{
    return prediction != NULL ? prediction->unknown : NULL;
}

const uint8_t *crd_prediction_answered(const crd_prediction *prediction)
{
    return prediction != NULL ? prediction->answered : NULL;
}

const uint8_t *crd_prediction_set(const crd_prediction *prediction)
{
    return prediction != NULL ? prediction->set : NULL;
}

/* ---- checks ---- */

static crd_status check(const crd_prediction *p, const char *name, double fraction, crd_error *error)
{
    if (!(fraction > 0.0 && fraction < 1.0))
        return crd_fail_about(error, CRD_ERROR_ARGUMENT, name, "is %g, expected a fraction above 0 and below 1",
                              fraction);
    if (p->held_count > 0) return CRD_OK;
    return crd_fail(error, CRD_ERROR_MISMATCH,
                    "the model can promise nothing, because it has no calibration nodes: train with hold-out 0.5, or "
                    "with a split of four parts such as 5/10/5/80");
}

/* What can be promised; nothing if even that is no promise. */
typedef struct advice {
    char text[48];
} advice;

static advice or_allow(double least)
{
    advice a = {""};
    if (least < 1.0) snprintf(a.text, sizeof a.text, ", or allow %g or more", least);
    return a;
}

static advice possible(double least)
{
    advice a = {""};
    if (least < 1.0) snprintf(a.text, sizeof a.text, "; %g or more can be promised", least);
    return a;
}

/* The least false alarms that can be promised: the smallest p is 1 / (nodes + 1). */
static double least_alarms(int64_t held_count)
{
    return crd_round_up(1.0 / ((double)held_count + 1.0));
}

static crd_status too_few(const crd_prediction *p, const char *name, double value, double needed, double least,
                          crd_error *error)
{
    return crd_fail_about(error, CRD_ERROR_MISMATCH, name,
                          "%g needs at least %.0f calibration nodes, and the model has %lld: train with more of them%s",
                          value, needed, (long long)p->held_count, or_allow(least).text);
}

/* ---- unknown nodes ---- */

crd_status crd_prediction_flag_unknown(crd_prediction *prediction, double false_alarms, int64_t *flagged,
                                       crd_error *error)
{
    if (CRD_ANY_NULL(error, prediction)) return CRD_ERROR_ARGUMENT;
    crd_prediction *p = prediction;
    uint8_t *unknown;
    int64_t count = 0;
    crd_status status = check(p, "false-alarms", false_alarms, error);
    if (status != CRD_OK) return status;
    const double needed = ceil(1.0 / false_alarms - 1e-9) - 1.0;
    if ((double)p->held_count < needed)
        return too_few(p, "false-alarms", false_alarms, needed, least_alarms(p->held_count), error);
    status = CRD_NEW(&unknown, p->nodes, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < p->nodes; i++) count += unknown[i] = 1.0 - p->doubt[i] <= false_alarms + 1e-12;
    crd_free(p->unknown);
    p->unknown = unknown;
    if (flagged != NULL) *flagged = count;
    return CRD_OK;
}

/* ---- answers with few errors ---- */

crd_status crd_prediction_answer(crd_prediction *prediction, double max_error, double confidence, int64_t *answered,
                                 crd_error *error)
{
    if (CRD_ANY_NULL(error, prediction)) return CRD_ERROR_ARGUMENT;
    crd_prediction *p = prediction;
    crd_answer_rule rule = {0};
    uint8_t *flags;
    int64_t count = 0;
    crd_status status = check(p, "max-error", max_error, error);
    if (status == CRD_OK) status = check(p, "confidence", confidence, error);
    if (status != CRD_OK) return status;
    const double needed = ceil(log1p(-confidence) / log1p(-max_error) - 1e-9);
    status = crd_held_answer(held_of(p), max_error, confidence, &rule, error);
    if (status == CRD_OK && (double)p->held_count < needed)
        status = crd_fail_about(error, CRD_ERROR_MISMATCH, "max-error",
                                "%g needs at least %.0f calibration nodes, with right answers where they are most "
                                "certain, and the model has %lld nodes%s",
                                max_error, needed, (long long)p->held_count, possible(rule.least).text);
    else if (status == CRD_OK && !rule.possible)
        status = crd_fail_about(error, CRD_ERROR_MISMATCH, "max-error",
                                "%g cannot be promised at the confidence %g: even of the most certain 35 %% of the "
                                "answers of the %lld calibration nodes, too many are wrong%s",
                                max_error, confidence, (long long)p->held_count, possible(rule.least).text);
    if (status == CRD_OK) status = CRD_NEW(&flags, p->nodes, error);
    if (status != CRD_OK) return status;
    const double *aleatoric = p->score[CRD_SCORE_ALEATORIC];
    for (int64_t i = 0; i < p->nodes; i++) count += flags[i] = (float)aleatoric[i] <= (float)rule.threshold;
    crd_free(p->answered);
    p->answered = flags;
    if (answered != NULL) *answered = count;
    return CRD_OK;
}

crd_status crd_model_least_promises(const crd_model *model, double *false_alarms, double *max_error, crd_error *error)
{
    crd_answer_rule rule;
    crd_status status =
        crd_held_answer((crd_held){model->held, model->held_count}, 1.0, CRD_PROMISE_CONFIDENCE, &rule, error);
    if (status != CRD_OK) return status;
    *false_alarms = least_alarms(model->held_count);
    *max_error = rule.least;
    return CRD_OK;
}

/* ---- sets ---- */

static crd_status fill_sets(const crd_prediction *p, const crd_graph *graph, const float *scores, crd_set_method method,
                            double lambda, float threshold, uint8_t *set, crd_error *error)
{
    for (int64_t i = 0; i < p->nodes; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        for (int32_t k = 0; k < p->classes; k++) {
            const float own = scores[i * p->classes + k];
            const float near =
                method == CRD_SETS_DAPS ? crd_set_near(graph->start, graph->neighbour, scores, p->classes, i, k) : own;
            const int32_t rank =
                method == CRD_SETS_RAPS ? crd_set_rank(p->probability + i * p->classes, p->classes, k) : 1;
            set[i * p->classes + k] = crd_set_score(method, lambda, own, near, rank) <= threshold;
        }
    }
    return CRD_OK;
}

crd_status crd_prediction_sets(crd_prediction *prediction, const crd_dataset *dataset, double coverage,
                               crd_set_method method, double lambda, crd_error *error)
{
    if (CRD_ANY_NULL(error, prediction, dataset)) return CRD_ERROR_ARGUMENT;
    crd_prediction *p = prediction;
    const int64_t cells = p->nodes * p->classes;
    float threshold, *scores = NULL;
    uint8_t *set = NULL;
    crd_status status = check(p, "sets", coverage, error);
    if (status != CRD_OK) return status;
    if ((int)method < CRD_SETS_DAPS || (int)method > CRD_SETS_RAPS)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "method is %d, expected a crd_set_method", (int)method);
    if (!(lambda >= 0.0 && lambda <= 1.0))
        return crd_fail_about(error, CRD_ERROR_ARGUMENT, "set-lambda", "is %g, expected 0 to 1", lambda);
    if (p->node != NULL || dataset->graph.nodes != p->nodes)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "sets need the prediction of every node of the dataset: it has %lld nodes, the prediction %lld",
                        (long long)dataset->graph.nodes, (long long)p->nodes);
    status = crd_held_set_threshold(held_of(p), method, lambda, coverage, &threshold, error);
    if (status == CRD_OK) status = CRD_NEW(&scores, cells, error);
    if (status == CRD_OK) status = crd_set_scores(p->probability, p->nodes, p->classes, p->seed, scores, error);
    if (status == CRD_OK) status = CRD_NEW(&set, cells, error);
    if (status == CRD_OK) status = fill_sets(p, &dataset->graph, scores, method, lambda, threshold, set, error);
    if (status == CRD_OK) {
        crd_free(p->set);
        p->set = set;
    } else crd_free(set);
    crd_free(scores);
    return status;
}

/* ---- what came of them ---- */

/* The share of the nodes of known classes, or of the others, that are flagged. */
static double share_of(const crd_prediction *p, const int32_t *truth, bool known, const uint8_t *flag)
{
    int64_t count = 0, flagged = 0;
    for (int64_t i = 0; i < p->nodes; i++) {
        if (known ? truth[i] < 0 : truth[i] != CRD_TRUTH_OUT_OF_CLASSES) continue;
        count++;
        flagged += flag[i];
    }
    return count > 0 ? (double)flagged / (double)count : NAN;
}

static double wrong_share(const crd_prediction *p, const int32_t *truth)
{
    int64_t answers = 0, wrong = 0;
    for (int64_t i = 0; i < p->nodes; i++) {
        if (truth[i] < 0 || !p->answered[i]) continue;
        answers++;
        wrong += p->class_index[i] != truth[i];
    }
    return answers > 0 ? (double)wrong / (double)answers : NAN;
}

static void measure_sets(const crd_prediction *p, const int64_t *start, const int32_t *truth, crd_promises *made)
{
    int64_t nodes[3] = {0}, held[3] = {0}, all = 0, size = 0, covered = 0;
    for (int64_t i = 0; i < p->nodes; i++) {
        if (truth[i] < 0) continue;
        const uint8_t *set = p->set + i * p->classes;
        const int64_t degree = start[i + 1] - start[i];
        const int group = degree <= 1 ? 0 : degree <= 4 ? 1 : 2;
        nodes[group]++;
        held[group] += set[truth[i]];
        covered += set[truth[i]];
        for (int32_t k = 0; k < p->classes; k++) size += set[k];
        all++;
    }
    if (all > 0) made->set_coverage = (double)covered / (double)all;
    if (all > 0) made->set_size = (double)size / (double)all;
    for (int g = 0; g < 3; g++)
        if (nodes[g] > 0) made->set_coverage_degree[g] = (double)held[g] / (double)nodes[g];
}

crd_status crd_promises_measure(crd_prediction *p, const crd_dataset *dataset, const int32_t *truth,
                                crd_promises *promises, crd_error *error)
{
    crd_promises made = {p->held_count,
                         {NAN, NAN, NAN},
                         {NAN, NAN, NAN},
                         {NAN, NAN, NAN},
                         {NAN, NAN, NAN},
                         NAN,
                         NAN,
                         {NAN, NAN, NAN},
                         NAN,
                         NAN};
    crd_status status = CRD_OK;
    for (int level = 0; level < 3 && status == CRD_OK && p->held_count > 0; level++) {
        status = crd_prediction_flag_unknown(p, crd_alarm_levels[level], NULL, error);
        if (status == CRD_OK) {
            made.false_alarms[level] = share_of(p, truth, true, p->unknown);
            made.detected[level] = share_of(p, truth, false, p->unknown);
        }
        if (status == CRD_OK || status == CRD_ERROR_MISMATCH)
            status = crd_prediction_answer(p, crd_error_levels[level], CRD_PROMISE_CONFIDENCE, NULL, error);
        if (status == CRD_OK) {
            made.answered[level] = share_of(p, truth, true, p->answered);
            made.wrong[level] = wrong_share(p, truth);
        }
        if (status == CRD_ERROR_MISMATCH) status = CRD_OK; /* this level cannot be promised */
    }
    if (status == CRD_OK && p->held_count > 0)
        status = crd_prediction_sets(p, dataset, CRD_PROMISE_COVERAGE, CRD_SETS_APS, 0.0, error);
    if (status == CRD_OK && p->held_count > 0) {
        measure_sets(p, dataset->graph.start, truth, &made);
        made.aps_coverage = made.set_coverage;
        made.aps_size = made.set_size;
        status = crd_prediction_sets(p, dataset, CRD_PROMISE_COVERAGE, CRD_SETS_DAPS, CRD_DAPS_LAMBDA, error);
        if (status == CRD_OK) measure_sets(p, dataset->graph.start, truth, &made);
    }
    if (status == CRD_OK) *promises = made;
    return status;
}
