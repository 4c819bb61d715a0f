#include "report/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/evaluate.h"

/* ---- the model and its answers ---- */

void crd_view_close(crd_view *v)
{
    crd_prediction_free(&v->prediction);
    free(v->evidence);
    free(v->own);
    free(v->class_name);
    free(v->class_on_page);
    free(v->truth);
    *v = (crd_view){0};
}

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
        free(v->truth);
        v->truth = NULL;
        snprintf(v->why, sizeof v->why, "none of the split's test nodes has a known class");
    }
    return CRD_OK;
}

crd_status crd_view_open(crd_view *v, const crd_model *model, const crd_dataset *dataset,
                         const crd_report_options *options, crd_error *error)
{
    *v = (crd_view){.model = model, .dataset = dataset, .options = options};
    crd_status status =
        crd_predict_evidence(model, dataset, options->threads, &v->prediction, &v->evidence, &v->own, error);
    if (status == CRD_OK) status = list_classes(v, error);
    if (status == CRD_OK) status = choose_nodes(v, error);
    if (status != CRD_OK) crd_view_close(v);
    return status;
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
typedef struct {
    const crd_tsne_options *options;
    crd_view_map *map;
} watched;

static bool watch(const crd_tsne_state *state, void *user)
{
    watched *w = user;
    w->map->iterations = state->iteration;
    const bool go_on = w->options->progress == NULL || w->options->progress(state, w->options->user);
    if (!go_on) w->map->stopped = true;
    return go_on;
}

static crd_status run_tsne(const crd_view *v, float *positions, crd_view_map *map, crd_error *error)
{
    const crd_prediction *p = v->prediction;
    const bool latent = p->latent != NULL;
    const int64_t nodes = p->nodes, dims = latent ? p->latent_dims : p->classes;
    float *points;
    crd_tsne_options options = v->options->tsne;
    watched w = {&v->options->tsne, map};
    options.progress = watch;
    options.user = &w;
    options.threads = v->options->threads;
    /* as crd_tsne does, but the page shows it */
    options.perplexity = fmin(options.perplexity, fmax(1.0, (double)(nodes - 1) / 3.0));
    *map = (crd_view_map){.method = "t-SNE",
                          .of = latent ? "latent space" : "probabilities",
                          .divergence = NAN,
                          .perplexity = options.perplexity};
    crd_status status = copy_tame(latent ? p->latent : p->probability, nodes * dims, &points, error);
    if (status == CRD_OK) status = crd_tsne(points, nodes, dims, &options, positions, &map->divergence, error);
    free(points);
    return status;
}

/* One scale for both axes; the longer one fills the square. */
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

crd_status crd_view_make_map(const crd_view *v, uint16_t *x, uint16_t *y, crd_view_map *map, crd_error *error)
{
    const int64_t nodes = v->prediction->nodes;
    if (v->options->map != NULL) {
        *map = (crd_view_map){.of = "given", .perplexity = NAN, .divergence = NAN};
        fit(v->options->map, nodes, x, y);
        return CRD_OK;
    }
    float *positions;
    crd_status status = CRD_NEW_ZERO(&positions, 2 * nodes, error);
    if (status == CRD_OK) status = run_tsne(v, positions, map, error);
    if (status == CRD_OK) fit(positions, nodes, x, y);
    free(positions);
    return status;
}

/* ---- facts ---- */

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

static void add_map(const crd_view_map *map, crd_text *text)
{
    crd_json_open(text, "map", "{");
    crd_json_add_string(text, "method", map->method);
    crd_json_add_number(text, "perplexity", map->perplexity);
    if (map->method != NULL) crd_json_add_integer(text, "iterations", map->iterations);
    crd_json_add_number(text, "divergence", map->divergence);
    crd_json_add_bool(text, "stopped", map->stopped);
    crd_json_add_string(text, "of", map->of);
    crd_text_add(text, "}");
}

crd_status crd_view_facts(const crd_view *v, const crd_view_map *map, crd_text *text, crd_error *error)
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
    add_map(map, text);
    crd_json_add_string(text, "split", v->split != NULL ? crd_split_description(v->split) : NULL);
    crd_json_add_string(text, "unevaluated", v->truth == NULL ? v->why : NULL);
    crd_text_add(text, "}");
    return CRD_OK;
}

void crd_view_classes(const crd_view *v, const int64_t *nodes, crd_text *text)
{
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
}

/* ---- history ---- */

void crd_view_history(const crd_view *v, crd_text *text)
{
    const crd_history *history = &v->model->history;
    crd_text_add(text, "{\"phase\":[");
    for (int64_t i = 0; i < history->count; i++)
        crd_json_add_string(text, NULL, history->rows[i].warmup ? "warmup" : "main");
    crd_text_add(text, "]");
    crd_history_add_columns(text, history, CRD_HISTORY_EPOCH, CRD_HISTORY_EPOCH);
    crd_history_add_columns(text, history, CRD_HISTORY_LOSS, CRD_HISTORY_LOSS);
    crd_history_add_terms(text, history);
    crd_history_add_columns(text, history, CRD_HISTORY_CROSS_ENTROPY, CRD_HISTORY_ACCURACY);
    crd_json_add_integer(text, "best_epoch", v->model->best_epoch);
    crd_text_add(text, "}");
}
