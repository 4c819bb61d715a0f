/* SPDX-License-Identifier: MIT */
/* Where a node's answer comes from: a sum over nodes, each with the weight that the model gives it. Diffusion is
 * linear, so this holds for diffused evidence (alpha - 1), and for the diffused logits of a committee. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers/answers.h"
#include "base/sort.h"
#include "base/watch.h"

struct crd_explanation {
    int64_t node;
    int32_t classes, columns;        /* classes; for logits also a column for doubt */
    bool logits;                     /* else evidence */
    double sum[CRD_MAX_CLASSES + 1]; /* alpha, or centred logits and doubt */
    double *rest;                    /* columns, like `sum` */
    double fixed;                    /* the part of doubt that no node gives */
    int64_t count;
    crd_contribution *contribution;
    double *given; /* count x columns; the contributions point into it */
    crd_plan plan;
    char **class_names;
};

void crd_explanation_free(crd_explanation **explanation)
{
    if (explanation == NULL || *explanation == NULL) return;
    crd_plan_free(&(*explanation)->plan);
    crd_strings_free(&(*explanation)->class_names, (*explanation)->classes);
    crd_free(*explanation);
    *explanation = NULL;
}

int32_t crd_explanation_classes(const crd_explanation *explanation)
{
    return explanation != NULL ? explanation->classes : 0;
}

const char *crd_explanation_quantity(const crd_explanation *explanation)
{
    if (explanation == NULL) return NULL;
    return explanation->logits ? "logits" : "evidence";
}

const double *crd_explanation_alpha(const crd_explanation *explanation)
{
    if (explanation == NULL) return NULL;
    return explanation->logits ? NULL : explanation->sum;
}

const double *crd_explanation_logits(const crd_explanation *explanation)
{
    if (explanation == NULL) return NULL;
    return explanation->logits ? explanation->sum : NULL;
}

double crd_explanation_doubt(const crd_explanation *explanation, double *rest, double *fixed)
{
    if (explanation == NULL) return NAN;
    const crd_explanation *x = explanation;
    if (rest != NULL) *rest = x->logits ? x->rest[x->classes] : NAN;
    if (fixed != NULL) *fixed = x->logits ? x->fixed : NAN;
    return x->logits ? x->sum[x->classes] : NAN;
}

int64_t crd_explanation_count(const crd_explanation *explanation)
{
    return explanation != NULL ? explanation->count : 0;
}

const crd_contribution *crd_explanation_at(const crd_explanation *explanation, int64_t index)
{
    if (explanation == NULL) return NULL;
    return index < 0 || index >= explanation->count ? NULL : &explanation->contribution[index];
}

const double *crd_explanation_rest(const crd_explanation *explanation)
{
    return explanation != NULL ? explanation->rest : NULL;
}

/* ---- the surroundings of a node ---- */

/* The part of the graph that can affect the node's evidence, as its own dataset. Its nodes are in the same order as
 * in the whole graph, so the model adds the same numbers in the same order. */
typedef struct {
    crd_model model;         /* with the remembered nodes that are in this part */
    const crd_dataset *data; /* of this part */
    crd_dataset *subset;     /* NULL: the part is the whole */
    int64_t node;            /* the one to explain */
    /* For every node of this part; there is room for the whole: */
    int32_t *number; /* in the whole */
    int32_t *hops;   /* distance from the node, -1 if there is no path */
    uint8_t *keep;   /* whether a node of the whole is in this part */
    crd_plan plan;
} surroundings;

static void close_surroundings(surroundings *s)
{
    crd_dataset_free(&s->subset);
    crd_plan_free(&s->plan);
}

/* Distances in the whole graph, -1 if there is no path of at most `reach` edges; `queue` has room for every node. */
static crd_status measure_hops(const crd_graph *graph, int64_t node, int64_t reach, int32_t *hops, int32_t *queue,
                               crd_error *error)
{
    for (int64_t i = 0; i < graph->nodes; i++) hops[i] = -1;
    int64_t head = 0, tail = 0;
    hops[node] = 0;
    queue[tail++] = (int32_t)node;
    while (head < tail && hops[queue[head]] < reach) {
        if (crd_watch_at(head)) return crd_watch_stopped(error);
        int64_t at = queue[head++];
        for (int64_t e = graph->start[at]; e < graph->start[at + 1]; e++) {
            int32_t next = graph->neighbour[e];
            if (hops[next] >= 0) continue;
            hops[next] = hops[at] + 1;
            queue[tail++] = next;
        }
    }
    return CRD_OK;
}

/* Moves what is known about the kept nodes to their new places. */
static void renumber(surroundings *s, const crd_model *model, int64_t nodes, int64_t node)
{
    int64_t count = 0, t = 0;
    s->model.remembered = 0;
    for (int64_t i = 0; i < nodes; i++) {
        const bool remembered = t < model->remembered && model->remembered_node[t] == i;
        if (s->keep[i]) {
            if (i == node) s->node = count;
            if (remembered) {
                s->model.remembered_node[s->model.remembered] = count;
                s->model.remembered_class[s->model.remembered++] = model->remembered_class[t];
            }
            s->number[count] = (int32_t)i;
            s->hops[count++] = s->hops[i];
        }
        t += remembered;
    }
}

static crd_status open_surroundings(surroundings *s, const crd_model *model, const crd_dataset *dataset, int64_t node,
                                    crd_error *error)
{
    const int64_t nodes = dataset->graph.nodes;
    const bool everywhere = model->kind->reach == NULL;
    *s = (surroundings){.model = *model, .data = dataset};
    CRD_PLAN(&s->plan, &s->number, nodes);
    CRD_PLAN(&s->plan, &s->hops, nodes);
    CRD_PLAN(&s->plan, &s->keep, nodes);
    CRD_PLAN(&s->plan, &s->model.remembered_node, model->remembered);
    CRD_PLAN(&s->plan, &s->model.remembered_class, model->remembered);
    crd_status status = crd_plan_allocate(&s->plan, error);
    if (status == CRD_OK)
        status = measure_hops(&dataset->graph, node, everywhere ? nodes : model->kind->reach(model), s->hops, s->number,
                              error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < nodes; i++) s->keep[i] = everywhere || s->hops[i] >= 0;
    renumber(s, model, nodes, node);
    if (everywhere) return CRD_OK;
    status = crd_dataset_subset(dataset, s->keep, &s->subset, error);
    s->data = s->subset;
    return status;
}

/* ---- the explanation ---- */

typedef struct {
    double size;
    int64_t node;
} candidate;

static int by_size(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

typedef struct {
    crd_weights weights;
    candidate *candidates;
    float *output, *before; /* after and before the graph */
    double *given;          /* nodes x columns: what each gives to the explained node */
    double *beyond;         /* nodes, of crd_beyond; only for committees */
    float *seen;            /* columns: of the explained node, by one view */
    double *slope;          /* columns */
    crd_plan plan;
} workspace;

static void close_workspace(workspace *w)
{
    crd_weights_close(&w->weights);
    crd_plan_free(&w->plan);
}

static crd_status open_workspace(workspace *w, const crd_model *model, const crd_explanation *x, int64_t nodes,
                                 crd_error *error)
{
    CRD_PLAN(&w->plan, &w->candidates, nodes);
    CRD_PLAN(&w->plan, &w->output, nodes * model->classes);
    CRD_PLAN(&w->plan, &w->before, crd_before_graph_count(model, nodes));
    CRD_PLAN_ZERO(&w->plan, &w->given, nodes * x->columns);
    CRD_PLAN(&w->plan, &w->beyond, nodes);
    CRD_PLAN(&w->plan, &w->seen, x->columns);
    CRD_PLAN(&w->plan, &w->slope, x->columns);
    crd_status status = crd_plan_allocate(&w->plan, error);
    return status == CRD_OK ? crd_weights_open(&w->weights, nodes, error) : status;
}

static void give_evidence(crd_explanation *x, const surroundings *s, workspace *w)
{
    const int32_t classes = x->classes;
    s->model.kind->weigh(&s->model, &s->data->graph, 0, s->node, s->hops, &w->weights);
    for (int64_t r = 0; r < w->weights.count && !crd_watch_at(r); r++) {
        const int64_t i = w->weights.reached[r];
        for (int32_t k = 0; k < classes; k++)
            w->given[i * classes + k] = w->weights.weight[i] * (double)w->before[i * classes + k];
    }
    /* as float: exactly the number in a prediction */
    for (int32_t k = 0; k < classes; k++) x->sum[k] = (double)(1.0f + w->output[s->node * classes + k]);
}

/* What one view of one network gives. `own` are its logits before the graph, a row every `stride` numbers. */
static void give_view(crd_explanation *x, const crd_model *model, int view, const float *own, int64_t stride,
                      workspace *w)
{
    const int32_t classes = x->classes, columns = x->columns;
    const crd_weights *weights = &w->weights;
    const double share = 1.0 / (double)model->members;
    for (int32_t k = 0; k < columns; k++) {
        double sum = 0.0;
        for (int64_t r = 0; r < weights->count && !crd_watch_at(r); r++)
            sum += weights->weight[weights->reached[r]] * (double)own[weights->reached[r] * stride + k];
        w->seen[k] = (float)sum;
    }
    x->fixed += share * crd_pool_slope(&model->pool, view, w->seen, classes, w->slope);
    for (int64_t r = 0; r < weights->count && !crd_watch_at(r); r++) {
        const int64_t i = weights->reached[r];
        double *given = w->given + i * columns;
        for (int32_t k = 0; k < columns; k++) {
            const double logit = share * weights->weight[i] * (double)own[i * stride + k];
            if (k < classes) given[k] += model->pool.view[view] * logit;
            given[classes] += w->slope[k] * logit;
        }
    }
}

/* Logits matter only by how much they differ between classes. */
static void centre(double *logits, int32_t classes)
{
    double mean = 0.0;
    for (int32_t k = 0; k < classes; k++) mean += logits[k] / (double)classes;
    for (int32_t k = 0; k < classes; k++) logits[k] -= mean;
}

static void give_logits(crd_explanation *x, const surroundings *s, workspace *w)
{
    const crd_model *model = &s->model;
    const int32_t classes = x->classes, columns = x->columns;
    const int64_t nodes = s->data->graph.nodes, width = CRD_VIEWS * (int64_t)columns;
    x->fixed = model->pool.bias;
    for (int view = 0; view < CRD_VIEWS; view++) {
        model->kind->weigh(model, &s->data->graph, view, s->node, s->hops, &w->weights);
        for (int32_t m = 0; m < model->members; m++)
            give_view(x, model, view, w->before + m * nodes * width + view * columns, width, w);
    }
    w->given[s->node * columns + classes] += w->beyond[s->node];
    for (int32_t k = 0; k < classes; k++) x->sum[k] = (double)w->output[s->node * classes + k];
    centre(x->sum, classes);
    x->sum[classes] = x->fixed;
    for (int64_t i = 0; i < nodes && !crd_watch_at(i); i++) {
        centre(w->given + i * columns, classes);
        x->sum[classes] += w->given[i * columns + classes];
    }
}

/* Of evidence the sum, of logits and doubt the largest. */
static double size_of(const crd_explanation *x, const double *given)
{
    double size = 0.0;
    for (int32_t k = 0; k < x->columns; k++) size = x->logits ? fmax(size, fabs(given[k])) : size + given[k];
    return size;
}

/* Lists the nodes that contribute most, largest first; the others add up to the rest. */
static crd_status list(crd_explanation *x, const surroundings *s, workspace *w, int64_t most, crd_error *error)
{
    const int32_t columns = x->columns;
    int64_t giving = 0;
    for (int64_t i = 0; i < s->data->graph.nodes && !crd_watch_at(i); i++) {
        const double size = size_of(x, w->given + i * columns);
        if (size > 0.0) w->candidates[giving++] = (candidate){size, i};
    }
    crd_status status = crd_watch_check(error);
    if (status == CRD_OK) status = crd_sort(w->candidates, giving, sizeof *w->candidates, by_size, error);
    if (status != CRD_OK) return status;
    x->count = giving < most ? giving : most;
    CRD_PLAN_ZERO(&x->plan, &x->rest, columns);
    CRD_PLAN(&x->plan, &x->contribution, x->count);
    CRD_PLAN(&x->plan, &x->given, x->count * columns);
    status = crd_plan_allocate(&x->plan, error);
    for (int64_t c = 0; c < giving && status == CRD_OK; c++) {
        if (crd_watch_at(c)) status = crd_watch_stopped(error);
        const int64_t i = w->candidates[c].node;
        const double *given = w->given + i * columns;
        double *kept = x->given + c * columns;
        for (int32_t k = 0; k < columns && c >= x->count; k++) x->rest[k] += given[k];
        if (c >= x->count) continue;
        memcpy(kept, given, (size_t)columns * sizeof *kept);
        x->contribution[c] = (crd_contribution){s->number[i], s->hops[i], kept, w->candidates[c].size,
                                                x->logits ? given[x->classes] : NAN};
    }
    return status;
}

static crd_status explain(const crd_model *model, const crd_dataset *dataset, int64_t most, int threads,
                          crd_explanation *x, crd_error *error)
{
    workspace w = {.candidates = NULL};
    surroundings s;
    crd_status status = CRD_NEW_ZERO(&x->class_names, x->classes, error);
    for (int32_t k = 0; status == CRD_OK && k < x->classes; k++)
        status = crd_copy_string(&x->class_names[k], model->class_names[k], error);
    if (status != CRD_OK) return status;
    status = open_surroundings(&s, model, dataset, x->node, error);
    if (status == CRD_OK) status = open_workspace(&w, model, x, s.data->graph.nodes, error);
    if (status == CRD_OK) status = crd_infer(&s.model, s.data, s.number, threads, w.output, w.before, NULL, error);
    if (status == CRD_OK && x->logits) status = crd_beyond(&s.model, s.data, w.beyond, error);
    if (status == CRD_OK) {
        if (x->logits) give_logits(x, &s, &w);
        else give_evidence(x, &s, &w);
        status = list(x, &s, &w, most, error);
    }
    close_workspace(&w);
    close_surroundings(&s);
    return status;
}

static crd_status explain_node(const crd_model *model, const crd_dataset *dataset, int64_t node, int64_t most,
                               int threads, crd_explanation **explanation, crd_error *error)
{
    const int64_t nodes = dataset->graph.nodes;
    if (node < 0 || node >= nodes)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "there is no node %lld: the data have %lld, numbered from 0",
                        (long long)node, (long long)nodes);
    if (most < 0) return crd_fail(error, CRD_ERROR_ARGUMENT, "a negative number of contributions was asked for");
    if (model->kind->weigh == NULL)
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "a model of the kind %s cannot be explained: its answers are no sum over nodes, as "
                        "those of committee, gpn, lp and gkde are",
                        model->kind->name);
    crd_status status = crd_model_fits(model, dataset, error);
    if (status != CRD_OK) return status;
    crd_explanation *x;
    status = CRD_NEW_ZERO(&x, 1, error);
    if (status != CRD_OK) return status;
    x->node = node;
    x->logits = model->kind->output == CRD_OUTPUT_LOGITS;
    x->classes = model->classes;
    x->columns = x->classes + (x->logits ? 1 : 0);
    status = explain(model, dataset, most, threads, x, error);
    if (status == CRD_OK) *explanation = x;
    else crd_explanation_free(&x);
    return status;
}

crd_status crd_explain(const crd_model *model, const crd_dataset *dataset, int64_t node, int64_t most,
                       const crd_control *control, crd_explanation **explanation, crd_error *error)
{
    if (explanation != NULL) *explanation = NULL;
    if (CRD_ANY_NULL(error, model, dataset, explanation)) return CRD_ERROR_ARGUMENT;
    crd_watch watch;
    crd_status status = crd_watch_begin(&watch, control, "explaining", error);
    if (status != CRD_OK) return status;
    status = explain_node(model, dataset, node, most, watch.control.threads, explanation, error);
    crd_watch_end(&watch);
    return status;
}

static void add_numbers(crd_text *text, const char *name, const double *numbers, int32_t count)
{
    crd_json_open(text, name, "[");
    for (int32_t k = 0; k < count; k++) crd_json_add_number(text, NULL, numbers[k]);
    crd_text_add(text, "]");
}

crd_status crd_explanation_json(const crd_explanation *explanation, char **json, crd_error *error)
{
    if (json != NULL) *json = NULL;
    if (CRD_ANY_NULL(error, explanation, json)) return CRD_ERROR_ARGUMENT;
    const crd_explanation *x = explanation;
    crd_text text = {0};
    crd_text_add(&text, "{");
    crd_json_add_integer(&text, "node", x->node);
    crd_json_open(&text, "classes", "[");
    for (int32_t k = 0; k < x->classes; k++) crd_json_add_string(&text, NULL, x->class_names[k]);
    crd_text_add(&text, "]");
    crd_json_add_string(&text, "quantity", crd_explanation_quantity(x));
    add_numbers(&text, x->logits ? "logits" : "alpha", x->sum, x->classes);
    if (x->logits) {
        crd_json_open(&text, "doubt", "{");
        crd_json_add_number(&text, "sum", x->sum[x->classes]);
        crd_json_add_number(&text, "fixed", x->fixed);
        crd_json_add_number(&text, "rest", x->rest[x->classes]);
        crd_text_add(&text, "}");
    }
    crd_json_open(&text, "contributions", "[");
    for (int64_t c = 0; c < x->count; c++) {
        crd_json_open(&text, NULL, "{");
        crd_json_add_integer(&text, "node", x->contribution[c].node);
        crd_json_add_integer(&text, "hops", x->contribution[c].hops);
        add_numbers(&text, crd_explanation_quantity(x), x->contribution[c].evidence, x->classes);
        if (x->logits) crd_json_add_number(&text, "doubt", x->contribution[c].doubt);
        crd_text_add(&text, "}");
    }
    crd_text_add(&text, "]");
    add_numbers(&text, "rest", x->rest, x->classes);
    crd_text_add(&text, "}");
    return crd_text_finish(&text, json, error);
}
