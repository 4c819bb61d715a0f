/* Where a node's evidence comes from: alpha - 1 is a sum over nodes, each with the weight that the model
 * gives it; where evidence is diffused, that is so because diffusion is linear. */
#include <inttypes.h>
#include <stdlib.h>

#include "answers/infer.h"
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

/* Distances from the node, -1 where it cannot be reached; `queue` holds nodes numbers. */
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

typedef struct {
    double *weight, *spare;
    int32_t *hops, *queue;
    candidate *candidates;
    float *evidence, *features; /* after and before the graph, nodes x classes */
} workspace;

static void close_workspace(workspace *w)
{
    free(w->weight);
    free(w->spare);
    free(w->hops);
    free(w->queue);
    free(w->candidates);
    free(w->evidence);
    free(w->features);
}

static crd_status open_workspace(workspace *w, const crd_model *model, const crd_graph *graph,
                                 crd_error *error)
{
    crd_status status = CRD_NEW(&w->weight, graph->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&w->spare, graph->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&w->hops, graph->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&w->queue, graph->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&w->candidates, graph->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&w->evidence, graph->nodes * model->classes, error);
    if (status == CRD_OK) status = CRD_NEW(&w->features, graph->nodes * model->classes, error);
    return status;
}

/* Lists the nodes that give the most, largest first; what the others give is the rest. */
static crd_status list(crd_explanation *x, workspace *w, int64_t nodes, int64_t most, crd_error *error)
{
    const int32_t classes = x->classes;
    int64_t giving = 0;
    for (int64_t i = 0; i < nodes; i++) {
        double total = 0.0;
        for (int32_t k = 0; k < classes; k++) total += (double)w->features[i * classes + k];
        if (w->weight[i] * total > 0.0) w->candidates[giving++] = (candidate){w->weight[i] * total, i};
    }
    qsort(w->candidates, (size_t)giving, sizeof *w->candidates, by_total);
    x->count = giving < most ? giving : most;
    crd_status status = CRD_NEW(&x->contribution, x->count, error);
    if (status == CRD_OK) status = CRD_NEW(&x->evidence, x->count * classes, error);
    if (status != CRD_OK) return status;
    for (int64_t c = 0; c < giving; c++) {
        const int64_t i = w->candidates[c].node;
        for (int32_t k = 0; k < classes; k++) {
            double evidence = w->weight[i] * (double)w->features[i * classes + k];
            if (c < x->count) x->evidence[c * classes + k] = evidence;
            else x->rest[k] += evidence;
        }
        if (c < x->count)
            x->contribution[c] =
                (crd_contribution){i, w->hops[i], x->evidence + c * classes, w->candidates[c].total};
    }
    return CRD_OK;
}

crd_status crd_explain(const crd_model *model, const crd_dataset *dataset, int64_t node, int64_t most,
                       int threads, crd_explanation **explanation, crd_error *error)
{
    *explanation = NULL;
    const int64_t nodes = dataset->graph.nodes;
    if (node < 0 || node >= nodes)
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "there is no node %lld: the data have %lld, numbered from 0", (long long)node,
                        (long long)nodes);
    if (most < 0)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "a negative number of contributions was asked for");
    if (model->kind->weigh == NULL)
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "a model of the kind %s cannot be explained: its answers are no sum over nodes, as "
                        "those of gpn, lp and gkde are",
                        model->kind->name);
    crd_status status = crd_model_fits(model, dataset, error);
    if (status != CRD_OK) return status;
    workspace w = {0};
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
    if (status == CRD_OK) status = open_workspace(&w, model, &dataset->graph, error);
    if (status == CRD_OK) status = crd_infer(model, dataset, threads, w.evidence, w.features, NULL, error);
    if (status == CRD_OK) {
        /* as float: the very number that a prediction shows */
        for (int32_t k = 0; k < x->classes; k++)
            x->alpha[k] = (double)(1.0f + w.evidence[node * x->classes + k]);
        measure_hops(&dataset->graph, node, w.hops, w.queue);
        model->kind->weigh(model, &dataset->graph, node, w.hops, w.spare, w.weight);
        status = list(x, &w, nodes, most, error);
    }
    close_workspace(&w);
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
