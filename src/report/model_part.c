/* SPDX-License-Identifier: MIT */
/* A part for a model on a graph: the map of the nodes, the answers, their uncertainties, and the reasons. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "base/watch.h"
#include "report/report.h"

/* ---- the model and its answers ---- */

/* The model's classes in its own order, then the data's classes that it does not know. */
static crd_status list_classes(crd_view *v, crd_error *error)
{
    enum { MOST = 32767 }; /* the page's labels are 16 bits */
    const int32_t of_data = crd_dataset_classes(v->dataset);
    v->known = v->classes = v->model->classes;
    crd_status status = CRD_NEW(&v->class_name, (int64_t)v->known + of_data, error);
    if (status != CRD_OK) return status;
    for (int32_t k = 0; k < v->known; k++) v->class_name[k] = crd_model_class_name(v->model, k);
    status = crd_classes_match(v->dataset, v->class_name, v->known, &v->class_on_page, error);
    for (int32_t c = 0; c < of_data && status == CRD_OK; c++) {
        if (v->class_on_page[c] >= 0) continue;
        if (v->classes == MOST)
            return crd_fail(error, CRD_ERROR_MISMATCH,
                            "the data have %d classes, a report has room for %d: are the labels classes?", of_data,
                            (int)MOST);
        v->class_name[v->classes] = crd_dataset_class_name(v->dataset, c);
        v->class_on_page[c] = v->classes++;
    }
    return status;
}

/* The test nodes are those of crd_evaluate. If there are none, the page says why. */
static crd_status choose_nodes(crd_view *v, crd_error *error)
{
    const crd_split *given = v->options->split;
    crd_error problem = {0};
    if (given != NULL && given->nodes != crd_dataset_nodes(v->dataset))
        return crd_fail(error, CRD_ERROR_MISMATCH, "the split is of %lld nodes, the data have %lld",
                        (long long)given->nodes, (long long)crd_dataset_nodes(v->dataset));
    crd_status status = crd_evaluation_truth(v->model, v->dataset, given, &v->truth, &problem);
    if (status != CRD_OK && status != CRD_ERROR_MISMATCH) {
        if (error != NULL) *error = problem;
        return status;
    }
    v->split = given;
    if (status == CRD_OK && given == NULL) v->split = v->model->split;
    if (status != CRD_OK) memcpy(v->why, problem.message, sizeof v->why);
    int64_t known = 0;
    for (int64_t i = 0; i < crd_dataset_nodes(v->dataset) && v->truth != NULL; i++)
        known += v->truth[i] != CRD_TRUTH_UNKNOWN;
    if (v->truth != NULL && known == 0) {
        crd_free(v->truth);
        v->truth = NULL;
        snprintf(v->why, sizeof v->why, "none of the split's test nodes has a known class");
    }
    return CRD_OK;
}

int32_t crd_view_label(const crd_view *v, int64_t node)
{
    const int32_t label = crd_dataset_label(v->dataset, node);
    return label < 0 ? -1 : v->class_on_page[label];
}

double crd_view_total(const crd_view *v, const float *evidence, int64_t node)
{
    double total = 0.0;
    for (int32_t k = 0; k < v->known; k++) total += (double)evidence[node * v->known + k];
    return total;
}

/* ---- the map ---- */

/* A hidden layer can be too large for a map even if the answers are not. Values whose squares would overflow are cut,
 * so that one such node does not prevent the page; on its map the other nodes share one place. */
static crd_status copy_tame(const float *values, int64_t count, float **tame, crd_error *error)
{
    const float most = 1e12f;
    crd_status status = CRD_NEW(tame, count, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++)
        (*tame)[i] = isnan(values[i]) ? 0.0f : fminf(fmaxf(values[i], -most), most);
    return status;
}

/* Records the progress and calls the caller's own call-back. */
static bool watch(const crd_progress *progress, void *user)
{
    crd_view *v = user;
    const crd_control *given = v->options->control;
    if (progress->map != NULL) v->map.iterations = progress->map->iteration;
    v->map.stopped = given != NULL && given->progress != NULL && !given->progress(progress, given->user);
    return !v->map.stopped;
}

static crd_status make_map(crd_view *v, crd_error *error)
{
    const crd_prediction *p = v->prediction;
    const bool latent = p->latent != NULL;
    const int64_t nodes = p->nodes, dims = latent ? p->latent_dims : p->classes;
    crd_status status = CRD_NEW_ZERO(&v->positions, 2 * nodes, error);
    if (status != CRD_OK) return status;
    v->map.perplexity = v->map.divergence = NAN;
    if (v->options->map != NULL) {
        v->map.of = "given";
        memcpy(v->positions, v->options->map, (size_t)(2 * nodes) * sizeof *v->positions);
        return CRD_OK;
    }
    const crd_control control = {.size = sizeof control, .threads = v->threads, .progress = watch, .user = v};
    crd_tsne_options options;
    crd_tsne_defaults(&options);
    status = crd_take_sized("crd_tsne_options", v->options->tsne, &options, sizeof options, error);
    if (status != CRD_OK) return status;
    options.control = &control;
    /* as crd_tsne does, but the page shows it */
    options.perplexity = fmin(options.perplexity, fmax(1.0, (double)(nodes - 1) / 3.0));
    v->map.perplexity = options.perplexity;
    v->map.method = "t-SNE";
    v->map.of = latent ? "latent space" : "probabilities";
    float *points;
    status = copy_tame(latent ? p->latent : p->probability, nodes * dims, &points, error);
    if (status == CRD_OK) status = crd_tsne(points, nodes, dims, &options, v->positions, &v->map.divergence, error);
    crd_free(points);
    return status;
}

/* Positions on a square of 0 to 65535, y upwards. One scale for both axes; the longer one fills the square. */
static void fit(const float *positions, int64_t nodes, uint16_t *x, uint16_t *y)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t i = 0; i < 2 * nodes; i++) {
        const double at = (double)positions[i];
        if (!isfinite(at)) continue;
        low[i % 2] = fmin(low[i % 2], at);
        high[i % 2] = fmax(high[i % 2], at);
    }
    const double span = fmax(fmax(high[0] - low[0], high[1] - low[1]), 1e-30);
    for (int64_t i = 0; i < 2 * nodes; i++) {
        const double middle = 0.5 * (low[i % 2] + high[i % 2]);
        double place = 32767.5 + 65535.0 * ((double)positions[i] - middle) / span;
        if (!isfinite(place)) place = 32767.5;
        uint16_t *axis = i % 2 == 0 ? x : y;
        axis[i / 2] = (uint16_t)(fmin(fmax(place, 0.0), 65535.0) + 0.5);
    }
}

/* ---- blocks of one number per node ---- */

/* log10 of evidence; -infinity for 0. */
static float log_total(const crd_view *v, const float *evidence, int64_t node)
{
    return (float)log10(crd_view_total(v, evidence, node));
}

typedef struct {
    uint16_t *x, *y, *predicted, *probability, *own_class;
    int16_t *label;
    uint8_t *role;
    float *evidence, *epistemic, *doubt, *own;
    crd_plan plan;
} columns;

static void fill_columns(const crd_view *v, bool gives, columns *c)
{
    const crd_prediction *p = v->prediction;
    const double *score = p->score[CRD_SCORE_EPISTEMIC];
    fit(v->positions, p->nodes, c->x, c->y);
    for (int64_t i = 0; i < p->nodes; i++) {
        c->predicted[i] = (uint16_t)p->class_index[i];
        c->probability[i] = (uint16_t)lrint(65535.0 * (double)p->probability[i * p->classes + p->class_index[i]]);
        c->label[i] = (int16_t)crd_view_label(v, i);
        c->role[i] = v->split != NULL ? (uint8_t)crd_split_role(v->split, i) : CRD_ROLE_NONE;
        if (p->evidence != NULL) c->evidence[i] = log_total(v, p->evidence, i);
        if (score != NULL) c->epistemic[i] = (float)score[i];
        if (p->doubt != NULL) c->doubt[i] = (float)p->doubt[i];
        if (!gives) continue;
        int32_t most;
        crd_most_probable(p->evidence_features + i * v->known, 1, v->known, &most);
        c->own[i] = log_total(v, p->evidence_features, i);
        c->own_class[i] = (uint16_t)most;
    }
}

static crd_status add_columns(const crd_view *v, crd_report *report, crd_error *error)
{
    columns c = {0};
    const int64_t nodes = v->prediction->nodes;
    const bool evidence = v->prediction->evidence != NULL, chosen = crd_config_score(&v->model->config) != NULL;
    const bool epistemic = v->prediction->score[CRD_SCORE_EPISTEMIC] != NULL;
    /* What each node gives to the others, for contributions: only for kinds whose evidence is just diffused. */
    const bool gives = v->prediction->evidence_features != NULL && v->model->kind->weigh != NULL;
    CRD_PLAN(&c.plan, &c.x, nodes);
    CRD_PLAN(&c.plan, &c.y, nodes);
    CRD_PLAN(&c.plan, &c.predicted, nodes);
    CRD_PLAN(&c.plan, &c.probability, nodes);
    CRD_PLAN(&c.plan, &c.own_class, nodes);
    CRD_PLAN(&c.plan, &c.label, nodes);
    CRD_PLAN(&c.plan, &c.role, nodes);
    CRD_PLAN(&c.plan, &c.evidence, nodes);
    CRD_PLAN(&c.plan, &c.epistemic, nodes);
    CRD_PLAN(&c.plan, &c.doubt, nodes);
    CRD_PLAN(&c.plan, &c.own, nodes);
    crd_status status = crd_plan_allocate(&c.plan, error);
    if (status != CRD_OK) return status;
    fill_columns(v, gives, &c);
    const struct {
        const char *name, *type;
        size_t size;
        const void *items;
        bool wanted;
    } blocks[] = {{"x", "uint16", 2, c.x, true},
                  {"y", "uint16", 2, c.y, true},
                  {"label", "int16", 2, c.label, true},
                  {"role", "uint8", 1, c.role, true},
                  {"predicted", "uint16", 2, c.predicted, true},
                  {"probability", "uint16", 2, c.probability, true},
                  {"evidence", "float32", 4, c.evidence, evidence},
                  {"epistemic", "float32", 4, c.epistemic, epistemic && (chosen || !evidence)},
                  {"doubt", "float32", 4, c.doubt, v->prediction->doubt != NULL},
                  {"own", "float32", 4, c.own, gives},
                  {"own_class", "uint16", 2, c.own_class, gives}};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks && status == CRD_OK; b++)
        if (blocks[b].wanted)
            status =
                crd_report_add(report, blocks[b].name, blocks[b].type, blocks[b].size, blocks[b].items, nodes, error);
    crd_plan_free(&c.plan);
    return status;
}

/* ---- the views of a committee ---- */

/* The logits before the graph, as multiples of `step`, for the same sums as crd_explain makes. */
static crd_status add_logits(const crd_view *v, crd_report *report, double *step, crd_error *error)
{
    enum { MOST = 1 << 22 }; /* a larger page would open slowly; *step stays 0 */
    const int64_t nodes = v->prediction->nodes, count = crd_before_graph_count(v->model, nodes);
    float *output = NULL, *before = NULL, most = 0.0f;
    int16_t *packed = NULL;
    if (count > MOST) return CRD_OK;
    crd_status status = CRD_NEW(&output, nodes * v->known, error);
    if (status == CRD_OK) status = CRD_NEW(&before, count, error);
    if (status == CRD_OK) status = CRD_NEW(&packed, count, error);
    if (status == CRD_OK) status = crd_infer(v->model, v->dataset, NULL, v->threads, output, before, NULL, error);
    if (status == CRD_OK) {
        for (int64_t i = 0; i < count; i++) most = fmaxf(most, fabsf(before[i]));
        *step = fmax((double)most, 1e-30) / 32767.0;
        for (int64_t i = 0; i < count; i++) packed[i] = (int16_t)lrint((double)before[i] / *step);
        status = crd_report_add(report, "own_logits", "int16", 2, packed, count, error);
    }
    crd_free(output);
    crd_free(before);
    crd_free(packed);
    return status;
}

/* What nodes add to their own doubt because their features are beyond all that training saw: {"17": 3.2}, mostly none.
 */
static crd_status add_beyond(const crd_view *v, crd_text *text, crd_error *error)
{
    const int64_t nodes = v->dataset->graph.nodes;
    double *sum;
    crd_status status = CRD_NEW(&sum, nodes, error);
    if (status == CRD_OK) status = crd_beyond(v->model, v->dataset, sum, error);
    crd_json_open(text, "beyond", "{");
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++) {
        char name[24];
        snprintf(name, sizeof name, "%lld", (long long)i);
        if (sum[i] > 0.0) crd_json_add_number(text, name, sum[i]);
    }
    crd_text_add(text, "}");
    crd_free(sum);
    return status;
}

/* How a committee joins what its networks see. */
static crd_status add_views(const crd_view *v, crd_report *report, crd_error *error)
{
    const crd_pool *pool = &v->model->pool;
    crd_text text = {0};
    char *json = NULL;
    double step = 0.0;
    if (v->model->kind != &crd_committee) return CRD_OK;
    crd_status status = add_logits(v, report, &step, error);
    if (status != CRD_OK) return status;
    crd_text_add(&text, "{");
    crd_json_add_integer(&text, "networks", v->model->members);
    crd_json_add_number(&text, "bias", pool->bias);
    crd_json_add_number(&text, "step", step);
    crd_json_open(&text, "views", "[");
    for (int view = 0; view < CRD_VIEWS; view++) {
        double teleport;
        int64_t steps;
        crd_views_walk(v->model, view, &teleport, &steps);
        crd_json_open(&text, NULL, "{");
        crd_json_add_string(&text, "name", crd_view_name(view));
        crd_json_add_number(&text, "teleport", teleport);
        crd_json_add_integer(&text, "steps", steps);
        crd_json_add_number(&text, "weight", pool->view[view]);
        crd_json_add_number(&text, "unlike", pool->signal[view]);
        crd_json_add_number(&text, "unsure", pool->signal[CRD_VIEWS + view]);
        crd_text_add(&text, "}");
    }
    crd_text_add(&text, "]");
    if (step > 0.0) status = add_beyond(v, &text, error); /* else the page explains no node */
    crd_text_add(&text, "}");
    const crd_status finished = crd_text_finish(&text, &json, error);
    if (status == CRD_OK) status = finished;
    if (status == CRD_OK) status = crd_report_add_json(report, "views", json, error);
    crd_free(json);
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
static crd_status add_graph(const crd_view *v, crd_report *report, crd_error *error)
{
    enum { MOST_BYTES = 5 }; /* of a number below 2^31 */
    const crd_graph *graph = &v->dataset->graph;
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
    status = crd_report_add(report, "graph", "uint8", 1, bytes, to - bytes, error);
    crd_free(bytes);
    return status;
}

/* ---- blocks of JSON; a block without text is left out ---- */

static void add_data(const crd_view *v, const crd_info *info, crd_text *text)
{
    crd_json_open(text, "data", "{");
    crd_json_add_string(text, "path", v->options->data);
    crd_json_add_integer(text, "nodes", info->nodes);
    crd_json_add_integer(text, "edges", info->edges);
    crd_json_add_integer(text, "features", info->features);
    crd_json_add_integer(text, "classes", info->classes);
    crd_json_add_integer(text, "labelled", info->labelled);
    crd_json_add_number(text, "edge_homophily", info->edge_homophily < 0.0 ? NAN : info->edge_homophily);
    crd_json_add_string(text, "fingerprint", crd_dataset_fingerprint(v->dataset));
    crd_json_open(text, "notes", "[");
    for (int n = 0; n < crd_dataset_note_count(v->dataset); n++)
        crd_json_add_string(text, NULL, crd_dataset_note(v->dataset, n));
    crd_text_add(text, "]}");
}

static void add_map(const crd_view *v, crd_text *text)
{
    crd_json_open(text, "map", "{");
    crd_json_add_string(text, "method", v->map.method);
    crd_json_add_number(text, "perplexity", v->map.perplexity);
    if (v->map.method != NULL) crd_json_add_integer(text, "iterations", v->map.iterations);
    crd_json_add_number(text, "divergence", v->map.divergence);
    crd_json_add_bool(text, "stopped", v->map.stopped);
    crd_json_add_string(text, "of", v->map.of);
    crd_text_add(text, "}");
}

static crd_status write_facts(const crd_view *v, crd_text *text, crd_error *error)
{
    crd_info info;
    char *model;
    crd_model untimed = *v->model;
    untimed.seconds = 0.0; /* files do not have it either: the same model gives the same page */
    crd_status status = crd_dataset_info(v->dataset, &info, error);
    if (status == CRD_OK) status = crd_model_facts_json(&untimed, &model, error);
    if (status != CRD_OK) return status;
    crd_text_add(text, "{");
    add_data(v, &info, text);
    crd_json_open(text, "model", model);
    crd_string_free(&model);
    crd_json_add_string(text, "command", v->options->command);
    crd_json_add_string(text, "credence", crd_version());
    add_map(v, text);
    crd_json_add_string(text, "split", v->split != NULL ? crd_split_description(v->split) : NULL);
    crd_json_add_string(text, "unevaluated", v->truth == NULL ? v->why : NULL);
    crd_text_add(text, "}");
    return CRD_OK;
}

static crd_status write_classes(const crd_view *v, crd_text *text, crd_error *error)
{
    int64_t *nodes;
    crd_status status = CRD_NEW_ZERO(&nodes, v->classes, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < v->prediction->nodes; i++)
        if (crd_view_label(v, i) >= 0) nodes[crd_view_label(v, i)]++;
    crd_text_add(text, "[");
    for (int32_t c = 0; c < v->classes; c++) {
        const bool out = c >= v->known;
        crd_json_open(text, NULL, "{");
        crd_json_add_string(text, "name", v->class_name[c]);
        crd_json_add_bool(text, "out", out);
        crd_json_add_integer(text, "nodes", nodes[c]);
        crd_json_add_integer(text, "train", out ? 0 : (int64_t)v->model->class_counts[c]);
        crd_text_add(text, "}");
    }
    crd_text_add(text, "]");
    crd_free(nodes);
    return CRD_OK;
}

static crd_status write_names(const crd_view *v, crd_text *text, crd_error *error)
{
    (void)error;
    if (crd_dataset_node_name(v->dataset, 0) == NULL) return CRD_OK;
    crd_text_add(text, "[");
    for (int64_t i = 0; i < v->prediction->nodes; i++) {
        const char *name = crd_dataset_node_name(v->dataset, i);
        crd_json_add_string(text, NULL, name != NULL ? name : "");
    }
    crd_text_add(text, "]");
    return CRD_OK;
}

static crd_status write_history(const crd_view *v, crd_text *text, crd_error *error)
{
    char *json;
    crd_status status = crd_history_json(&v->model->history, &json, error);
    if (status == CRD_OK && json != NULL) crd_text_add(text, json);
    crd_string_free(&json);
    return status;
}

static crd_status add_texts(const crd_view *v, crd_report *report, crd_error *error)
{
    static const struct {
        const char *name;
        crd_status (*write)(const crd_view *view, crd_text *text, crd_error *error);
    } blocks[] = {{"facts", write_facts},
                  {"classes", write_classes},
                  {"names", write_names},
                  {"curves", crd_view_curves},
                  {"history", write_history}};
    crd_status status = CRD_OK;
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks && status == CRD_OK; b++) {
        crd_text text = {0};
        char *json = NULL;
        status = blocks[b].write(v, &text, error);
        if (status == CRD_OK) status = crd_text_finish(&text, &json, error);
        if (status == CRD_OK && json[0] != '\0') status = crd_report_add_json(report, blocks[b].name, json, error);
        crd_text_free(&text);
        crd_free(json);
    }
    return status;
}

/* ---- all of it ---- */

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

void crd_report_defaults_sized(crd_report_options *options, size_t size)
{
    const crd_report_options usual = {.size = size};
    crd_give_sized(&usual, sizeof usual, options, size);
}

crd_status crd_report_add_model(crd_report *report, const crd_model *model, const crd_dataset *dataset,
                                const crd_report_options *options, crd_error *error)
{
    if (CRD_ANY_NULL(error, report, model, dataset)) return CRD_ERROR_ARGUMENT;
    crd_report_options complete;
    crd_watch around;
    crd_report_defaults(&complete);
    crd_status status = crd_take_sized("crd_report_options", options, &complete, sizeof complete, error);
    if (status == CRD_OK) status = crd_watch_begin(&around, complete.control, "reporting", error);
    if (status != CRD_OK) return status;
    const int64_t parts = report->parts, blocks = report->blocks;
    crd_view v = {.model = model, .dataset = dataset, .options = &complete, .threads = around.control.threads};
    status = crd_predict_evidence(model, dataset, v.threads, &v.prediction, error);
    if (status == CRD_OK) status = list_classes(&v, error);
    if (status == CRD_OK) status = choose_nodes(&v, error);
    if (status == CRD_OK) status = make_map(&v, error);
    if (v.map.stopped) crd_watch_go_on(); /* the page has the map so far */
    if (status == CRD_OK) status = crd_watch_check(error);
    if (status == CRD_OK) status = begin(report, &v, error);
    if (status == CRD_OK) status = add_columns(&v, report, error);
    if (status == CRD_OK) status = add_views(&v, report, error);
    if (status == CRD_OK) status = add_graph(&v, report, error);
    if (status == CRD_OK) status = add_texts(&v, report, error);
    if (status != CRD_OK) crd_report_cut(report, parts, blocks);
    crd_watch_end(&around);
    crd_prediction_free(&v.prediction);
    crd_free(v.class_name);
    crd_free(v.class_on_page);
    crd_free(v.truth);
    crd_free(v.positions);
    return status;
}
