/* Where a node's evidence comes from: alpha - 1 is a sum over nodes, each with the weight that the model gives it.
 * For diffused evidence this holds because diffusion is linear. */
#include <stdlib.h>
#include <string.h>

#include "answers/answers.h"

struct crd_explanation {
    int64_t node;
    int32_t classes;
    double *alpha;
    double *rest;
    int64_t count;
    crd_contribution *contribution;
    double *evidence; /* count x classes; the contributions point into it */
    crd_plan plan;
    char **class_names;
};

void crd_explanation_free(crd_explanation **explanation)
{
    if (explanation == NULL || *explanation == NULL) return;
    crd_plan_free(&(*explanation)->plan);
    crd_strings_free(&(*explanation)->class_names, (*explanation)->classes);
    free(*explanation);
    *explanation = NULL;
}

int32_t crd_explanation_classes(const crd_explanation *explanation)
{
    return explanation->classes;
}

const double *crd_explanation_alpha(const crd_explanation *explanation)
{
    return explanation->alpha;
}

int64_t crd_explanation_count(const crd_explanation *explanation)
{
    return explanation->count;
}

const crd_contribution *crd_explanation_at(const crd_explanation *explanation, int64_t index)
{
    return index < 0 || index >= explanation->count ? NULL : &explanation->contribution[index];
}

const double *crd_explanation_rest(const crd_explanation *explanation)
{
    return explanation->rest;
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
static void measure_hops(const crd_graph *graph, int64_t node, int64_t reach, int32_t *hops, int32_t *queue)
{
    for (int64_t i = 0; i < graph->nodes; i++) hops[i] = -1;
    int64_t head = 0, tail = 0;
    hops[node] = 0;
    queue[tail++] = (int32_t)node;
    while (head < tail && hops[queue[head]] < reach) {
        int64_t at = queue[head++];
        for (int64_t e = graph->start[at]; e < graph->start[at + 1]; e++) {
            int32_t next = graph->neighbour[e];
            if (hops[next] >= 0) continue;
            hops[next] = hops[at] + 1;
            queue[tail++] = next;
        }
    }
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
    if (status != CRD_OK) return status;
    measure_hops(&dataset->graph, node, everywhere ? nodes : model->kind->reach(model), s->hops, s->number);
    for (int64_t i = 0; i < nodes; i++) s->keep[i] = everywhere || s->hops[i] >= 0;
    renumber(s, model, nodes, node);
    if (everywhere) return CRD_OK;
    status = crd_dataset_subset(dataset, s->keep, &s->subset, error);
    s->data = s->subset;
    return status;
}

/* ---- the explanation ---- */

typedef struct {
    double total;
    int64_t node;
} candidate;

static int by_total(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->total != y->total) return x->total > y->total ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

typedef struct {
    crd_weights weights;
    candidate *candidates;
    float *evidence, *features; /* after and before the graph, nodes x classes */
    crd_plan plan;
} workspace;

static void close_workspace(workspace *w)
{
    crd_weights_close(&w->weights);
    crd_plan_free(&w->plan);
}

static crd_status open_workspace(workspace *w, const crd_model *model, int64_t nodes, crd_error *error)
{
    CRD_PLAN(&w->plan, &w->candidates, nodes);
    CRD_PLAN(&w->plan, &w->evidence, nodes * model->classes);
    CRD_PLAN(&w->plan, &w->features, nodes * model->classes);
    crd_status status = crd_plan_allocate(&w->plan, error);
    return status == CRD_OK ? crd_weights_open(&w->weights, nodes, error) : status;
}

/* Lists the nodes that contribute most, largest first; the others add up to the rest. */
static crd_status list(crd_explanation *x, const surroundings *s, workspace *w, int64_t most, crd_error *error)
{
    const int32_t classes = x->classes;
    int64_t giving = 0;
    for (int64_t r = 0; r < w->weights.count; r++) {
        const int64_t i = w->weights.reached[r];
        double total = 0.0;
        for (int32_t k = 0; k < classes; k++) total += (double)w->features[i * classes + k];
        total *= w->weights.weight[i];
        if (total > 0.0) w->candidates[giving++] = (candidate){total, i};
    }
    qsort(w->candidates, (size_t)giving, sizeof *w->candidates, by_total);
    x->count = giving < most ? giving : most;
    CRD_PLAN(&x->plan, &x->alpha, classes);
    CRD_PLAN_ZERO(&x->plan, &x->rest, classes);
    CRD_PLAN(&x->plan, &x->contribution, x->count);
    CRD_PLAN(&x->plan, &x->evidence, x->count * classes);
    crd_status status = crd_plan_allocate(&x->plan, error);
    if (status != CRD_OK) return status;
    /* as float: exactly the number in a prediction */
    for (int32_t k = 0; k < classes; k++) x->alpha[k] = (double)(1.0f + w->evidence[s->node * classes + k]);
    for (int64_t c = 0; c < giving; c++) {
        const int64_t i = w->candidates[c].node;
        for (int32_t k = 0; k < classes; k++) {
            double evidence = w->weights.weight[i] * (double)w->features[i * classes + k];
            if (c < x->count) x->evidence[c * classes + k] = evidence;
            else x->rest[k] += evidence;
        }
        if (c < x->count)
            x->contribution[c] =
                (crd_contribution){s->number[i], s->hops[i], x->evidence + c * classes, w->candidates[c].total};
    }
    return CRD_OK;
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
    if (status == CRD_OK) status = open_workspace(&w, model, s.data->graph.nodes, error);
    if (status == CRD_OK) status = crd_infer(&s.model, s.data, s.number, threads, w.evidence, w.features, NULL, error);
    if (status == CRD_OK) {
        model->kind->weigh(&s.model, &s.data->graph, s.node, s.hops, &w.weights);
        status = list(x, &s, &w, most, error);
    }
    close_workspace(&w);
    close_surroundings(&s);
    return status;
}

crd_status crd_explain(const crd_model *model, const crd_dataset *dataset, int64_t node, int64_t most, int threads,
                       crd_explanation **explanation, crd_error *error)
{
    *explanation = NULL;
    const int64_t nodes = dataset->graph.nodes;
    if (node < 0 || node >= nodes)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "there is no node %lld: the data have %lld, numbered from 0",
                        (long long)node, (long long)nodes);
    if (most < 0) return crd_fail(error, CRD_ERROR_ARGUMENT, "a negative number of contributions was asked for");
    if (model->kind->weigh == NULL)
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "a model of the kind %s cannot be explained: its answers are no sum over nodes, as "
                        "those of gpn, lp and gkde are",
                        model->kind->name);
    crd_status status = crd_model_fits(model, dataset, error);
    if (status != CRD_OK) return status;
    crd_explanation *x;
    status = CRD_NEW_ZERO(&x, 1, error);
    if (status != CRD_OK) return status;
    x->node = node;
    x->classes = model->classes;
    status = explain(model, dataset, most, threads, x, error);
    if (status == CRD_OK) *explanation = x;
    else crd_explanation_free(&x);
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
    const crd_explanation *x = explanation;
    crd_text text = {0};
    crd_text_add(&text, "{");
    crd_json_add_integer(&text, "node", x->node);
    crd_json_open(&text, "classes", "[");
    for (int32_t k = 0; k < x->classes; k++) crd_json_add_string(&text, NULL, x->class_names[k]);
    crd_text_add(&text, "]");
    add_numbers(&text, "alpha", x->alpha, x->classes);
    crd_json_open(&text, "contributions", "[");
    for (int64_t c = 0; c < x->count; c++) {
        crd_json_open(&text, NULL, "{");
        crd_json_add_integer(&text, "node", x->contribution[c].node);
        crd_json_add_integer(&text, "hops", x->contribution[c].hops);
        add_numbers(&text, "evidence", x->contribution[c].evidence, x->classes);
        crd_text_add(&text, "}");
    }
    crd_text_add(&text, "]");
    add_numbers(&text, "rest", x->rest, x->classes);
    crd_text_add(&text, "}");
    return crd_text_finish(&text, json, error);
}
