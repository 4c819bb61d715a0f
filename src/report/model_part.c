/* A part for a model on a graph: the map of the nodes, the answers, their uncertainties, and the reasons. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "credence_private.h"
#include "report/report.h"
#include "report/view.h"

/* The part that is being made, with room for a few numbers per node. */
typedef struct {
    crd_report *report;
    const crd_view *view;
    int64_t nodes;
    uint16_t *wide, *wide_too; /* [nodes] */
    float *real;               /* [nodes] */
} model_part;

static crd_status add_text(crd_report *report, const char *name, crd_text *text, crd_error *error)
{
    char *json;
    crd_status status = crd_text_finish(text, &json, error);
    if (status == CRD_OK) status = crd_report_add_json(report, name, json, error);
    crd_string_free(&json);
    return status;
}

/* ---- what is known about every node ---- */

static crd_status add_map(model_part *w, crd_error *error)
{
    crd_view_map map;
    crd_text text = {0};
    crd_status status = crd_view_make_map(w->view, w->wide, w->wide_too, &map, error);
    if (status == CRD_OK) status = crd_view_facts(w->view, &map, &text, error);
    if (status == CRD_OK) status = add_text(w->report, "facts", &text, error);
    crd_text_free(&text);
    if (status == CRD_OK) status = crd_report_add_array(w->report, "x", CRD_REPORT_UINT16, w->wide, w->nodes, error);
    if (status == CRD_OK)
        status = crd_report_add_array(w->report, "y", CRD_REPORT_UINT16, w->wide_too, w->nodes, error);
    return status;
}

static crd_status add_labels(model_part *w, crd_error *error)
{
    int16_t *label = (int16_t *)w->wide;
    int64_t *nodes;
    crd_text text = {0};
    crd_status status = CRD_NEW_ZERO(&nodes, w->view->classes, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < w->nodes; i++) {
        label[i] = (int16_t)crd_view_label(w->view, i);
        if (label[i] >= 0) nodes[label[i]]++;
    }
    status = crd_report_add_array(w->report, "label", CRD_REPORT_INT16, label, w->nodes, error);
    if (status == CRD_OK) {
        crd_view_classes(w->view, nodes, &text);
        status = add_text(w->report, "classes", &text, error);
    }
    free(nodes);
    return status;
}

static crd_status add_roles(model_part *w, crd_error *error)
{
    uint8_t *role = (uint8_t *)w->wide;
    for (int64_t i = 0; i < w->nodes; i++)
        role[i] = w->view->split != NULL ? (uint8_t)crd_split_role(w->view->split, i) : CRD_ROLE_NONE;
    return crd_report_add_array(w->report, "role", CRD_REPORT_UINT8, role, w->nodes, error);
}

static crd_status add_answers(model_part *w, crd_error *error)
{
    const crd_prediction *p = w->view->prediction;
    for (int64_t i = 0; i < w->nodes; i++) {
        const int32_t answer = p->class_index[i];
        w->wide[i] = (uint16_t)answer;
        w->wide_too[i] = (uint16_t)lrint(65535.0 * (double)p->probability[i * p->classes + answer]);
    }
    crd_status status = crd_report_add_array(w->report, "predicted", CRD_REPORT_UINT16, w->wide, w->nodes, error);
    if (status == CRD_OK)
        status = crd_report_add_array(w->report, "probability", CRD_REPORT_UINT16, w->wide_too, w->nodes, error);
    return status;
}

/* log10 of evidence; -infinity for 0. */
static crd_status add_evidence(model_part *w, const char *name, const float *evidence, crd_error *error)
{
    for (int64_t i = 0; i < w->nodes; i++) w->real[i] = (float)log10(crd_view_total(w->view, evidence, i));
    return crd_report_add_array(w->report, name, CRD_REPORT_FLOAT32, w->real, w->nodes, error);
}

static crd_status add_doubt(model_part *w, crd_error *error)
{
    const double *score = w->view->prediction->score[CRD_SCORE_EPISTEMIC];
    if (w->view->evidence != NULL) return add_evidence(w, "evidence", w->view->evidence, error);
    if (score == NULL) return CRD_OK;
    for (int64_t i = 0; i < w->nodes; i++) w->real[i] = (float)score[i];
    return crd_report_add_array(w->report, "epistemic", CRD_REPORT_FLOAT32, w->real, w->nodes, error);
}

/* What each node gives to the others, for contributions; only for kinds whose evidence is just diffused. */
static crd_status add_own(model_part *w, crd_error *error)
{
    const crd_view *v = w->view;
    if (v->own == NULL || v->model->kind->weigh == NULL) return CRD_OK;
    crd_status status = add_evidence(w, "own", v->own, error);
    for (int64_t i = 0; i < w->nodes; i++) {
        const float *row = v->own + i * v->known;
        int32_t most = 0;
        for (int32_t k = 1; k < v->known; k++)
            if (row[k] > row[most]) most = k;
        w->wide[i] = (uint16_t)most;
    }
    if (status == CRD_OK)
        status = crd_report_add_array(w->report, "own_class", CRD_REPORT_UINT16, w->wide, w->nodes, error);
    crd_text text = {0};
    crd_text_add(&text, "{");
    crd_json_add_number(&text, "teleport", v->model->config.teleport);
    crd_json_add_integer(&text, "steps", v->model->config.steps);
    crd_text_add(&text, "}");
    if (status == CRD_OK) status = add_text(w->report, "diffusion", &text, error);
    crd_text_free(&text);
    return status;
}

/* ---- the graph ---- */

static unsigned char *put_number(unsigned char *to, uint64_t number)
{
    for (; number >= 128; number >>= 7) *to++ = (unsigned char)(number | 128);
    *to++ = (unsigned char)number;
    return to;
}

/* For every node, its neighbours with larger numbers: how many, then each as the difference from the one before, the
 * first from the node itself; seven bits per byte, the lowest first. */
static crd_status add_graph(model_part *w, crd_error *error)
{
    enum { MOST_BYTES = 5 }; /* of a number below 2^31 */
    const crd_graph *graph = &w->view->dataset->graph;
    const int64_t edges = graph->start[graph->nodes] / 2;
    unsigned char *bytes, *to;
    crd_status status = CRD_NEW(&bytes, MOST_BYTES * (graph->nodes + edges), error);
    if (status != CRD_OK) return status;
    to = bytes;
    for (int64_t i = 0; i < graph->nodes; i++) {
        int64_t first = graph->start[i], end = graph->start[i + 1], before = i;
        while (first < end && graph->neighbour[first] <= i) first++;
        to = put_number(to, (uint64_t)(end - first));
        for (int64_t e = first; e < end; e++) {
            to = put_number(to, (uint64_t)(graph->neighbour[e] - before));
            before = graph->neighbour[e];
        }
    }
    status = crd_report_add_array(w->report, "graph", CRD_REPORT_UINT8, bytes, to - bytes, error);
    free(bytes);
    return status;
}

static crd_status add_names(const model_part *w, crd_error *error)
{
    crd_text text = {0};
    if (w->nodes == 0 || crd_dataset_node_name(w->view->dataset, 0) == NULL) return CRD_OK;
    crd_text_add(&text, "[");
    for (int64_t i = 0; i < w->nodes; i++) {
        const char *name = crd_dataset_node_name(w->view->dataset, i);
        crd_json_add_string(&text, NULL, name != NULL ? name : "");
    }
    crd_text_add(&text, "]");
    return add_text(w->report, "names", &text, error);
}

/* ---- all of it ---- */

static crd_status add_blocks(model_part *w, crd_error *error)
{
    crd_text text = {0};
    crd_status status = add_map(w, error);
    if (status == CRD_OK) status = add_labels(w, error);
    if (status == CRD_OK) status = add_roles(w, error);
    if (status == CRD_OK) status = add_answers(w, error);
    if (status == CRD_OK) status = add_doubt(w, error);
    if (status == CRD_OK) status = add_own(w, error);
    if (status == CRD_OK) status = add_graph(w, error);
    if (status == CRD_OK) status = add_names(w, error);
    if (status == CRD_OK) status = crd_view_curves(w->view, &text, error);
    if (status == CRD_OK) status = add_text(w->report, "curves", &text, error);
    if (status == CRD_OK && crd_model_history_count(w->view->model) > 0) {
        crd_view_history(w->view, &text);
        status = add_text(w->report, "history", &text, error);
    }
    crd_text_free(&text);
    return status;
}

/* "gpn on coraml" */
static crd_status begin(crd_report *report, const crd_view *v, crd_error *error)
{
    crd_text text = {0};
    char *title;
    if (v->options->title != NULL) return crd_report_begin(report, "model", v->options->title, error);
    crd_text_add(&text, v->model->kind->name);
    if (v->options->data != NULL) crd_text_format(&text, " on %s", v->options->data);
    crd_status status = crd_text_finish(&text, &title, error);
    if (status == CRD_OK) status = crd_report_begin(report, "model", title, error);
    crd_string_free(&title);
    return status;
}

void crd_report_defaults(crd_report_options *options)
{
    *options = (crd_report_options){0};
    crd_tsne_defaults(&options->tsne);
}

crd_status crd_report_add_model(crd_report *report, const crd_model *model, const crd_dataset *dataset,
                                const crd_report_options *options, crd_error *error)
{
    crd_report_options usual;
    crd_view view;
    crd_report_defaults(&usual);
    crd_status status = crd_view_open(&view, model, dataset, options != NULL ? options : &usual, error);
    if (status != CRD_OK) return status;
    const int64_t parts = report->parts, blocks = report->blocks;
    model_part w = {.report = report, .view = &view, .nodes = crd_dataset_nodes(dataset)};
    status = CRD_NEW(&w.wide, w.nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&w.wide_too, w.nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&w.real, w.nodes, error);
    if (status == CRD_OK) status = begin(report, &view, error);
    if (status == CRD_OK) status = add_blocks(&w, error);
    if (status != CRD_OK) crd_report_cut(report, parts, blocks);
    free(w.wide);
    free(w.wide_too);
    free(w.real);
    crd_view_close(&view);
    return status;
}
