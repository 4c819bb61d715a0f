/* SPDX-License-Identifier: MIT */
/* The head of the score epn: evidence of its own for the classes, q = exp(W z + b), fitted to the logits z of a
 * trained model, which stays as it is. With p = softmax(z), s = sum q and S = classes + s, the Dirichlet distribution
 * of a node is alpha = S p. The loss is
 *     mean over labelled nodes of psi(S) - psi(S p_y)
 *   + mean over all nodes of AGREE |S p - q|^2 + SPREAD [max(0, ENOUGH - s)^2 + (1 - r) / r s^2],   r = max p.
 * Its authors tuned the two weights on nodes of unseen classes. Here they are fixed: both terms are squares of numbers
 * near ENOUGH, and 1e-4 makes them comparable with the first. A hundred times more or less changes little. */
#include <math.h>
#include <stdlib.h>

#include "answers/answers.h"
#include "base/tree.h"
#include "kernels/losses.h"
#include "train/train.h"

static const double AGREE = 1e-4, SPREAD = 1e-4, ENOUGH = 100.0;
static const double LEAST_P = 1e-4; /* of the label's class: one wrong label must not outweigh all other nodes */

typedef struct {
    const crd_head *head;
    const double *parameters;
    double *rows; /* three of them for every thread */
} head_job;

/* The derivatives of a node's loss for W z + b, which the clamp stops; returns the loss. `p` and `q` are room. */
static double node_loss(const crd_head *h, const double *parameters, int64_t node, double *slope, double *p, double *q)
{
    const int32_t classes = h->classes, label = h->labels[node];
    const float *z = h->logits + node * classes;
    double sum = 0.0, most = 0.0, loss = 0.0, common = 0.0, drift = 0.0;
    const double log_total = crd_log_sum_exp(z, classes), each = 1.0 / (double)h->nodes;
    for (int32_t k = 0; k < classes; k++) {
        p[k] = exp((double)z[k] - log_total);
        most = fmax(most, p[k]);
        slope[k] = crd_head_log_evidence(parameters, z, classes, k);
        sum += q[k] = exp(slope[k]);
    }
    const double total = (double)classes + sum, missing = fmax(0.0, ENOUGH - sum), doubt = (1.0 - most) / most;
    if (label >= 0) {
        const double share = 1.0 / (double)h->count, own = fmax(p[label], LEAST_P);
        loss += share * (crd_digamma(total) - crd_digamma(total * own));
        common += share * (crd_trigamma(total) - own * crd_trigamma(total * own));
    }
    loss += each * SPREAD * (missing * missing + doubt * sum * sum);
    common += each * SPREAD * 2.0 * (doubt * sum - missing);
    for (int32_t k = 0; k < classes; k++) {
        const double off = total * p[k] - q[k];
        loss += each * AGREE * off * off;
        drift += 2.0 * off * p[k];
    }
    for (int32_t k = 0; k < classes; k++) {
        const double of_q = common + each * AGREE * (drift - 2.0 * (total * p[k] - q[k]));
        slope[k] = fabs(slope[k]) < CRD_HEAD_MOST ? of_q * q[k] : 0.0;
    }
    return loss;
}

static void head_rows(int64_t begin, int64_t end, int worker, double *sums, void *context)
{
    const head_job *j = context;
    const int32_t classes = j->head->classes;
    double *slope = j->rows + 3 * (int64_t)worker * classes, *p = slope + classes, *q = p + classes;
    for (int64_t i = begin; i < end; i++) {
        const float *z = j->head->logits + i * classes;
        sums[0] += node_loss(j->head, j->parameters, i, slope, p, q);
        for (int32_t k = 0; k < classes; k++) {
            double *weight = sums + 1 + k * classes;
            for (int32_t c = 0; c < classes; c++) weight[c] += slope[k] * (double)z[c];
            sums[1 + classes * classes + k] += slope[k];
        }
    }
}

int64_t crd_head_room(int64_t nodes, int32_t classes, const crd_team *team)
{
    return crd_shard_sums_room(nodes, 1 + crd_head_size(classes)) + 3 * (int64_t)crd_team_size(team) * classes;
}

const double *crd_head_loss(const crd_head *head, const double *parameters, double *room)
{
    const int64_t width = 1 + crd_head_size(head->classes);
    head_job j = {head, parameters, room + crd_shard_sums_room(head->nodes, width)};
    crd_parallel_shard_sums(head->team, head->nodes, width, head_rows, &j, room);
    return room;
}

/* Adam on all nodes at once; the start is evidence of ENOUGH, the same for all classes. */
static void descend(const crd_head *head, double *parameters, double *moments, double *room)
{
    enum { STEPS = 500 };
    static const double rate = 0.02, first = 0.9, second = 0.999, tiny = 1e-8;
    const int64_t count = crd_head_size(head->classes);
    double first_power = 1.0, second_power = 1.0;
    for (int32_t k = 0; k < head->classes; k++)
        parameters[count - head->classes + k] = log(ENOUGH / (double)head->classes);
    for (int step = 0; step < STEPS; step++) {
        const double *gradient = crd_head_loss(head, parameters, room) + 1;
        first_power *= first;
        second_power *= second;
        for (int64_t i = 0; i < count; i++) {
            double *moment = &moments[i], *square = &moments[count + i];
            *moment = first * *moment + (1.0 - first) * gradient[i];
            *square = second * *square + (1.0 - second) * gradient[i] * gradient[i];
            parameters[i] -= rate * (*moment / (1.0 - first_power)) / (sqrt(*square / (1.0 - second_power)) + tiny);
        }
    }
}

/* What a fit needs. */
typedef struct {
    float *logits;
    int32_t *labels;
    double *parameters, *moments, *room;
} head_room;

static crd_inputs plan_fit(const crd_training *s, head_room *r, crd_plan *plan)
{
    const int64_t nodes = s->graph.nodes, size = crd_head_size(s->model->classes);
    CRD_PLAN(plan, &r->logits, nodes * s->model->classes);
    CRD_PLAN(plan, &r->labels, nodes);
    CRD_PLAN_ZERO(plan, &r->parameters, size);
    CRD_PLAN_ZERO(plan, &r->moments, 2 * size);
    CRD_PLAN(plan, &r->room, crd_head_room(nodes, s->model->classes, s->team));
    return (crd_inputs){.graph = &s->graph, .features = &s->features, .team = s->team};
}

crd_status crd_head_bytes(const crd_training *s, int64_t *bytes, crd_error *error)
{
    head_room r;
    crd_plan plan = {0};
    const crd_inputs inputs = plan_fit(s, &r, &plan);
    return crd_run_bytes(s->model, &inputs, &plan, bytes, error);
}

crd_status crd_head_fit(crd_training *s, crd_error *error)
{
    crd_model *model = s->model;
    head_room r;
    crd_run *run;
    crd_plan plan = {0};
    const crd_inputs inputs = plan_fit(s, &r, &plan);
    crd_status status = crd_run_open(model, &inputs, &plan, &run, error);
    if (status != CRD_OK) return status;
    model->kind->infer(run, r.logits, NULL);
    for (int64_t i = 0; i < s->graph.nodes; i++) r.labels[i] = -1;
    for (int64_t t = 0; t < s->train.count; t++) r.labels[s->train.nodes[t]] = s->train.labels[t];
    const crd_head head = {s->graph.nodes, model->classes, r.logits, r.labels, s->train.count, s->team};
    descend(&head, r.parameters, r.moments, r.room);
    for (int p = model->parameters - 2, at = 0; p < model->parameters; p++)
        for (int64_t i = 0; i < model->parameter[p].count; i++)
            model->parameter[p].value[i] = (float)r.parameters[at++];
    crd_run_close(&run);
    return CRD_OK;
}
