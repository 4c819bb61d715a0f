/* Where a node's evidence comes from: alpha - 1 is a sum over nodes, each with the weight that the model gives it.
 * For diffused evidence this holds because diffusion is linear. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "answers/prediction.h"
#include "base/text.h"
#include "io/npy.h"

struct crd_explanation {
    int64_t node;
    int32_t classes;
    double *alpha;
    double *rest;
    int64_t count;
    crd_contribution *contribution;
    double *evidence; /* count x classes; the contributions point into it */
    char **class_names;
};

void crd_explanation_free(crd_explanation **explanation)
{
    if (explanation == NULL || *explanation == NULL) return;
    crd_explanation *e = *explanation;
    free(e->alpha);
    free(e->rest);
    free(e->contribution);
    free(e->evidence);
    crd_strings_free(&e->class_names, e->classes);
    free(e);
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

/* Distances from the node, -1 if there is no path; `queue` has room for every node. */
static void measure_hops(const crd_graph *graph, int64_t node, int32_t *hops, int32_t *queue)
{
    for (int64_t i = 0; i < graph->nodes; i++) hops[i] = -1;
    int64_t head = 0, tail = 0;
    hops[node] = 0;
    queue[tail++] = (int32_t)node;
    while (head < tail) {
        int64_t at = queue[head++];
        for (int64_t e = graph->start[at]; e < graph->start[at + 1]; e++) {
            int32_t next = graph->neighbour[e];
            if (hops[next] >= 0) continue;
            hops[next] = hops[at] + 1;
            queue[tail++] = next;
        }
    }
}

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

/* ---- the surroundings of a node ---- */

/* The part of the graph that can affect the node's evidence, as its own dataset. Its nodes are in the same order as
 * in the whole graph, so the model adds the same numbers in the same order. */
typedef struct {
    crd_model model;  /* with the remembered nodes that are in this part */
    crd_dataset data; /* graph and features */
    int64_t node;     /* the one to explain */
    int32_t *place;   /* [nodes of the whole]: 1 + number among the surroundings, 0 for others */
    int32_t *whole;   /* [surroundings]: number in the whole */
    crd_plan plan;
} surroundings;

static void close_surroundings(surroundings *s)
{
    crd_plan_free(&s->plan);
    free(s->place);
    free(s->whole);
}

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Collects the nodes that are at most `reach` edges away, ascending. */
static crd_status find_nodes(surroundings *s, const crd_graph *graph, int64_t node, int64_t reach, int64_t *count,
                             crd_error *error)
{
    int64_t room = 0, begin = 0, end = 1;
    crd_status status = CRD_GROW(&s->whole, &room, 1, error);
    if (status != CRD_OK) return status;
    s->whole[0] = (int32_t)node;
    s->place[node] = 1;
    for (int64_t hop = 0; hop < reach && begin < end; hop++) {
        const int64_t ring = end;
        for (; begin < ring; begin++) {
            const int64_t from = graph->start[s->whole[begin]], to = graph->start[s->whole[begin] + 1];
            status = CRD_GROW(&s->whole, &room, end + to - from, error);
            if (status != CRD_OK) return status;
            for (int64_t e = from; e < to; e++) {
                if (s->place[graph->neighbour[e]] != 0) continue;
                s->place[graph->neighbour[e]] = 1;
                s->whole[end++] = graph->neighbour[e];
            }
        }
    }
    qsort(s->whole, (size_t)end, sizeof *s->whole, by_number);
    for (int64_t i = 0; i < end; i++) s->place[s->whole[i]] = (int32_t)i + 1;
    *count = end;
    return CRD_OK;
}

static void copy_features(surroundings *s, const crd_features *from)
{
    crd_features *to = &s->data.features;
    int64_t at = 0;
    for (int64_t i = 0; i < to->rows; i++) {
        if (!from->sparse) {
            memcpy(to->dense + i * from->columns, from->dense + s->whole[i] * from->columns,
                   (size_t)from->columns * sizeof *to->dense);
            continue;
        }
        const int64_t first = from->start[s->whole[i]], count = from->start[s->whole[i] + 1] - first;
        to->start[i] = at;
        memcpy(to->column + at, from->column + first, (size_t)count * sizeof *to->column);
        memcpy(to->value + at, from->value + first, (size_t)count * sizeof *to->value);
        at += count;
    }
    if (from->sparse) to->start[to->rows] = at;
}

static void copy_graph(surroundings *s, const crd_graph *from)
{
    crd_graph *to = &s->data.graph;
    int64_t at = 0;
    for (int64_t i = 0; i < to->nodes; i++) {
        to->start[i] = at;
        for (int64_t e = from->start[s->whole[i]]; e < from->start[s->whole[i] + 1]; e++)
            if (s->place[from->neighbour[e]] != 0) to->neighbour[at++] = s->place[from->neighbour[e]] - 1;
    }
    to->start[to->nodes] = at;
}

static void copy_remembered(surroundings *s, const crd_model *model)
{
    s->model.remembered = 0;
    for (int64_t t = 0; t < model->remembered; t++) {
        const int32_t place = s->place[model->remembered_node[t]];
        if (place == 0) continue;
        s->model.remembered_node[s->model.remembered] = place - 1;
        s->model.remembered_class[s->model.remembered++] = model->remembered_class[t];
    }
}

static crd_status open_surroundings(surroundings *s, const crd_model *model, const crd_dataset *dataset, int64_t node,
                                    crd_error *error)
{
    *s = (surroundings){.model = *model, .data = *dataset, .node = node};
    if (model->kind->reach == NULL) return CRD_OK;
    int64_t nodes = 0, edges = 0, entries = 0;
    crd_status status = CRD_NEW_ZERO(&s->place, dataset->graph.nodes, error);
    if (status == CRD_OK) status = find_nodes(s, &dataset->graph, node, model->kind->reach(model), &nodes, error);
    if (status != CRD_OK) return status;
    const crd_features *features = &dataset->features;
    for (int64_t i = 0; i < nodes; i++) {
        edges += dataset->graph.start[s->whole[i] + 1] - dataset->graph.start[s->whole[i]];
        if (features->sparse) entries += features->start[s->whole[i] + 1] - features->start[s->whole[i]];
    }
    s->node = s->place[node] - 1;
    s->data.graph.nodes = s->data.features.rows = nodes;
    CRD_PLAN(&s->plan, &s->data.graph.start, nodes + 1);
    CRD_PLAN(&s->plan, &s->data.graph.neighbour, edges);
    if (features->sparse) CRD_PLAN(&s->plan, &s->data.features.start, nodes + 1);
    CRD_PLAN(&s->plan, &s->data.features.column, entries);
    CRD_PLAN(&s->plan, &s->data.features.value, entries);
    if (!features->sparse) CRD_PLAN(&s->plan, &s->data.features.dense, nodes * features->columns);
    CRD_PLAN(&s->plan, &s->model.remembered_node, model->remembered);
    CRD_PLAN(&s->plan, &s->model.remembered_class, model->remembered);
    status = crd_plan_allocate(&s->plan, error);
    if (status != CRD_OK) return status;
    copy_graph(s, &dataset->graph);
    copy_features(s, features);
    copy_remembered(s, model);
    return CRD_OK;
}

static int64_t number_in_whole(const surroundings *s, int64_t i)
{
    return s->whole != NULL ? s->whole[i] : i;
}

/* ---- the explanation ---- */

typedef struct {
    crd_weights weights;
    int32_t *hops, *queue;
    candidate *candidates;
    float *evidence, *features; /* after and before the graph, nodes x classes */
    crd_plan plan;
} workspace;

static void close_workspace(workspace *w)
{
    crd_weights_close(&w->weights);
    crd_plan_free(&w->plan);
}

static crd_status open_workspace(workspace *w, const crd_model *model, const crd_graph *graph, crd_error *error)
{
    CRD_PLAN(&w->plan, &w->hops, graph->nodes);
    CRD_PLAN(&w->plan, &w->queue, graph->nodes);
    CRD_PLAN(&w->plan, &w->candidates, graph->nodes);
    CRD_PLAN(&w->plan, &w->evidence, graph->nodes * model->classes);
    CRD_PLAN(&w->plan, &w->features, graph->nodes * model->classes);
    crd_status status = crd_plan_allocate(&w->plan, error);
    return status == CRD_OK ? crd_weights_open(&w->weights, graph->nodes, error) : status;
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
    crd_status status = CRD_NEW(&x->contribution, x->count, error);
    if (status == CRD_OK) status = CRD_NEW(&x->evidence, x->count * classes, error);
    if (status != CRD_OK) return status;
    for (int64_t c = 0; c < giving; c++) {
        const int64_t i = w->candidates[c].node;
        for (int32_t k = 0; k < classes; k++) {
            double evidence = w->weights.weight[i] * (double)w->features[i * classes + k];
            if (c < x->count) x->evidence[c * classes + k] = evidence;
            else x->rest[k] += evidence;
        }
        if (c < x->count)
            x->contribution[c] = (crd_contribution){number_in_whole(s, i), w->hops[i], x->evidence + c * classes,
                                                    w->candidates[c].total};
    }
    return CRD_OK;
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
    workspace w = {.hops = NULL};
    surroundings s = {.node = node};
    crd_explanation *x;
    status = CRD_NEW_ZERO(&x, 1, error);
    if (status == CRD_OK) {
        x->node = node;
        x->classes = model->classes;
        status = CRD_NEW(&x->alpha, x->classes, error);
    }
    if (status == CRD_OK) status = CRD_NEW_ZERO(&x->rest, x->classes, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&x->class_names, x->classes, error);
    for (int32_t k = 0; status == CRD_OK && k < x->classes; k++)
        status = crd_copy_string(&x->class_names[k], model->class_names[k], error);
    if (status == CRD_OK) status = open_surroundings(&s, model, dataset, node, error);
    if (status == CRD_OK) status = open_workspace(&w, model, &s.data.graph, error);
    if (status == CRD_OK) status = crd_infer(&s.model, &s.data, s.whole, threads, w.evidence, w.features, NULL, error);
    if (status == CRD_OK) {
        /* as float: exactly the number in a prediction */
        for (int32_t k = 0; k < x->classes; k++) x->alpha[k] = (double)(1.0f + w.evidence[s.node * x->classes + k]);
        measure_hops(&s.data.graph, s.node, w.hops, w.queue);
        model->kind->weigh(&s.model, &s.data.graph, s.node, w.hops, &w.weights);
        status = list(x, &s, &w, most, error);
    }
    close_workspace(&w);
    close_surroundings(&s);
    if (status == CRD_OK) *explanation = x;
    else crd_explanation_free(&x);
    return status;
}

static void add_numbers(crd_text *text, const double *numbers, int32_t count)
{
    crd_text_add(text, "[");
    for (int32_t k = 0; k < count; k++) {
        if (k > 0) crd_text_add(text, ", ");
        crd_text_add_json_number(text, numbers[k]);
    }
    crd_text_add(text, "]");
}

crd_status crd_explanation_json(const crd_explanation *explanation, char **json, crd_error *error)
{
    crd_text text = {0};
    crd_text_format(&text, "{\"node\": %" PRId64 ", \"classes\": [", explanation->node);
    for (int32_t k = 0; k < explanation->classes; k++) {
        if (k > 0) crd_text_add(&text, ", ");
        crd_text_add_json_string(&text, explanation->class_names[k]);
    }
    crd_text_add(&text, "], \"alpha\": ");
    add_numbers(&text, explanation->alpha, explanation->classes);
    crd_text_add(&text, ", \"contributions\": [");
    for (int64_t c = 0; c < explanation->count; c++) {
        const crd_contribution *contribution = &explanation->contribution[c];
        crd_text_format(&text, "%s{\"node\": %" PRId64 ", \"hops\": %d, \"evidence\": ", c > 0 ? ", " : "",
                        contribution->node, contribution->hops);
        add_numbers(&text, contribution->evidence, explanation->classes);
        crd_text_add(&text, "}");
    }
    crd_text_add(&text, "], \"rest\": ");
    add_numbers(&text, explanation->rest, explanation->classes);
    crd_text_add(&text, "}");
    return crd_text_finish(&text, json, error);
}
