/* What data and what model it was, and how training went, as JSON. */
#include <math.h>

#include "report/view.h"

static void add_string(crd_text *text, const char *name, const char *string)
{
    crd_text_format(text, "\"%s\":", name);
    if (string != NULL) crd_text_add_json_string(text, string);
    else crd_text_add(text, "null");
}

static void add_number(crd_text *text, const char *name, double number)
{
    crd_text_format(text, ",\"%s\":", name);
    crd_text_add_json_number(text, number);
}

static void add_data(const crd_view *v, const crd_info *info, crd_text *text)
{
    crd_text_add(text, "{");
    add_string(text, "path", v->options->data);
    crd_text_format(text, ",\"nodes\":%lld,\"edges\":%lld,\"features\":%lld,\"classes\":%d,\"labelled\":%lld",
                    (long long)info->nodes, (long long)info->edges, (long long)info->features, info->classes,
                    (long long)info->labelled);
    add_number(text, "edge_homophily", info->edge_homophily < 0.0 ? NAN : info->edge_homophily);
    crd_text_add(text, ",");
    add_string(text, "fingerprint", crd_dataset_fingerprint(v->dataset));
    crd_text_add(text, ",\"notes\":[");
    for (int n = 0; n < crd_dataset_note_count(v->dataset); n++) {
        if (n > 0) crd_text_add(text, ",");
        crd_text_add_json_string(text, crd_dataset_note(v->dataset, n));
    }
    crd_text_add(text, "]}");
}

static void add_map(const crd_view_map *map, crd_text *text)
{
    crd_text_add(text, "{");
    add_string(text, "method", map->method);
    add_number(text, "perplexity", map->perplexity);
    if (map->method != NULL) crd_text_format(text, ",\"iterations\":%lld", (long long)map->iterations);
    add_number(text, "divergence", map->divergence);
    crd_text_format(text, ",\"stopped\":%s,", map->stopped ? "true" : "false");
    add_string(text, "of", map->of);
    crd_text_add(text, "}");
}

crd_status crd_view_facts(const crd_view *v, const crd_view_map *map, crd_text *text, crd_error *error)
{
    crd_info info;
    char *model;
    crd_model untimed = *v->model;
    untimed.seconds = 0.0; /* a file does not tell either: the same model gives the same page */
    crd_status status = crd_dataset_info(v->dataset, &info, error);
    if (status == CRD_OK) status = crd_model_facts_json(&untimed, &model, error);
    if (status != CRD_OK) return status;
    crd_text_add(text, "{\"data\":");
    add_data(v, &info, text);
    crd_text_format(text, ",\"model\":%s,", model);
    crd_string_free(&model);
    add_string(text, "command", v->options->command);
    crd_text_add(text, ",");
    add_string(text, "credence", crd_version());
    crd_text_add(text, ",\"map\":");
    add_map(map, text);
    crd_text_add(text, ",");
    add_string(text, "split", v->split != NULL ? crd_split_description(v->split) : NULL);
    crd_text_add(text, ",");
    add_string(text, "unevaluated", v->truth == NULL ? v->why : NULL);
    crd_text_add(text, "}");
    return CRD_OK;
}

void crd_view_classes(const crd_view *v, const int64_t *nodes, crd_text *text)
{
    crd_text_add(text, "[");
    for (int32_t c = 0; c < v->classes; c++) {
        const bool out = c >= v->known;
        crd_text_add(text, c > 0 ? ",{" : "{");
        add_string(text, "name", v->class_name[c]);
        crd_text_format(text, ",\"out\":%s,\"nodes\":%lld,\"train\":%lld}", out ? "true" : "false",
                        (long long)nodes[c], out ? 0LL : (long long)v->model->class_counts[c]);
    }
    crd_text_add(text, "]");
}

/* ---- history ---- */

static void add_column(const crd_view *v, crd_text *text, const char *name, double (*value)(const crd_epoch *))
{
    crd_epoch epoch;
    crd_text_format(text, ",\"%s\":[", name);
    for (int64_t i = 0; crd_model_history_at(v->model, i, &epoch); i++) {
        if (i > 0) crd_text_add(text, ",");
        crd_text_add_json_float(text, (float)value(&epoch));
    }
    crd_text_add(text, "]");
}

static double loss(const crd_epoch *epoch)
{
    return epoch->loss;
}

static double cross_entropy(const crd_epoch *epoch)
{
    return epoch->validation_cross_entropy;
}

static double accuracy(const crd_epoch *epoch)
{
    return epoch->validation_accuracy;
}

static void add_terms(const crd_view *v, crd_text *text)
{
    const crd_history *history = &v->model->history;
    crd_text_add(text, ",\"terms\":{");
    for (int t = 0; t < history->terms; t++) {
        crd_text_format(text, "%s\"%s\":[", t > 0 ? "," : "", history->term[t]);
        for (int64_t i = 0; i < history->count; i++) {
            if (i > 0) crd_text_add(text, ",");
            crd_text_add_json_float(text, history->rows[i].term[t]);
        }
        crd_text_add(text, "]");
    }
    crd_text_add(text, "}");
}

void crd_view_history(const crd_view *v, crd_text *text)
{
    crd_epoch epoch;
    crd_text_add(text, "{\"phase\":[");
    for (int64_t i = 0; crd_model_history_at(v->model, i, &epoch); i++)
        crd_text_format(text, "%s\"%s\"", i > 0 ? "," : "", epoch.warmup ? "warmup" : "main");
    crd_text_add(text, "],\"epoch\":[");
    for (int64_t i = 0; crd_model_history_at(v->model, i, &epoch); i++)
        crd_text_format(text, "%s%lld", i > 0 ? "," : "", (long long)epoch.epoch);
    crd_text_add(text, "]");
    add_column(v, text, "loss", loss);
    add_terms(v, text);
    add_column(v, text, "validation_cross_entropy", cross_entropy);
    add_column(v, text, "validation_accuracy", accuracy);
    crd_text_format(text, ",\"best_epoch\":%lld}", (long long)v->model->best_epoch);
}
