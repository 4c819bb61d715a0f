#include "figures/panel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config_text.h"
#include "figures/neighbours.h"
#include "files.h"
#include "lab/splits.h"
#include "lab/text.h"
#include "map.h"

/* Making it -------------------------------------------------------------------------------------------- */

typedef struct watcher {
    crd_fig_progress progress;
    void *user;
    bool stopped;
} watcher;

static bool on_epoch(const crd_epoch *epoch, void *user)
{
    watcher *w = user;
    w->stopped = w->stopped || !w->progress("training, epoch", epoch->warmup ? 0 : epoch->epoch, 0, w->user);
    return !w->stopped;
}

static bool on_iteration(const crd_tsne_state *state, void *user)
{
    watcher *w = user;
    w->stopped = w->stopped || !w->progress("t-SNE, iteration", state->iteration, state->iterations, w->user);
    return !w->stopped;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Over the test nodes that were left out, or those that were not; NaN if there are none. */
static double median_evidence(const crd_fig_panel *panel, const crd_split *split, const int32_t *label,
                              int32_t classes, bool out)
{
    double *value = crd_cli_allocate(NULL, (size_t)panel->nodes * sizeof *value);
    int64_t count = 0;
    for (int64_t i = 0; i < panel->nodes; i++)
        if (label[i] >= 0 && (label[i] >= classes) == out && crd_split_role(split, i) == CRD_ROLE_TEST)
            value[count++] = (double)panel->evidence[i];
    qsort(value, (size_t)count, sizeof *value, by_size);
    double median = count == 0 ? (double)NAN : (value[(count - 1) / 2] + value[count / 2]) / 2.0;
    free(value);
    return median;
}

static crd_status measure(const crd_fig_wanted *wanted, const crd_model *model, const crd_split *split,
                          const float *latent, int64_t dims, const crd_fig_panel *panel,
                          crd_fig_measures *measures, crd_error *error)
{
    const crd_dataset *dataset = wanted->data->dataset;
    const int32_t classes = crd_dataset_classes(dataset) - (int32_t)wanted->config.left_out;
    crd_evaluation evaluation;
    crd_status status =
        crd_evaluate(model, dataset, split, CRD_TASK_OOD, (int)wanted->config.threads, &evaluation, error);
    if (status != CRD_OK) return status;
    int32_t *label = crd_cli_allocate(NULL, (size_t)panel->nodes * sizeof *label);
    for (int64_t i = 0; i < panel->nodes; i++) label[i] = crd_dataset_label(dataset, i);
    const crd_fig_neighbours in_latent = crd_fig_neighbours_of(latent, panel->nodes, dims, label, classes);
    const crd_fig_neighbours on_map = crd_fig_neighbours_of(panel->map, panel->nodes, 2, label, classes);
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    measures->accuracy = evaluation.accuracy;
    measures->auroc_alea = evaluation.ood_aleatoric.auroc;
    measures->auroc_epi = evaluation.ood_epistemic.auroc;
    measures->auroc_epi_wo = evaluation.ood_epistemic_features.auroc;
    measures->evidence_id = median_evidence(panel, split, label, classes, false);
    measures->evidence_ood = median_evidence(panel, split, label, classes, true);
    measures->same_latent = in_latent.same;
    measures->ood_latent = in_latent.ood;
    measures->same_map = on_map.same;
    measures->ood_map = on_map.ood;
    measures->dimensions = crd_fig_dimensions(latent, panel->nodes, dims);
    measures->epochs = facts.epochs;
    measures->best_epoch = facts.best_epoch;
    measures->stop = crd_stop_name(facts.stop);
    free(label);
    return CRD_OK;
}

/* alpha0 without its prior, one a class. */
static void take_evidence(const crd_prediction *prediction, crd_fig_panel *panel)
{
    const double *score = crd_prediction_score(prediction, CRD_SCORE_EPISTEMIC);
    const double prior = (double)crd_prediction_classes(prediction);
    for (int64_t i = 0; i < panel->nodes; i++) {
        double evidence = -score[i] - prior;
        panel->evidence[i] = (float)(evidence > 0.0 ? evidence : 0.0);
    }
}

static crd_status make_map(const crd_fig_wanted *wanted, watcher *w, const float *latent, int64_t dims,
                           crd_fig_panel *panel, double *divergence, crd_error *error)
{
    crd_tsne_options options;
    crd_tsne_defaults(&options);
    options.perplexity = wanted->perplexity;
    crd_cli_map_iterations(&options, wanted->iterations);
    options.seed = wanted->config.seed;
    options.threads = (int)wanted->config.threads;
    options.progress = on_iteration;
    options.user = w;
    return crd_tsne(latent, panel->nodes, dims, &options, panel->map, divergence, error);
}

/* Record ----------------------------------------------------------------------------------------------- */

/* What the panel is, with nothing of what came out: a JSON object without its closing brace. */
static char *key_text(const crd_fig_wanted *wanted)
{
    const crd_lab_data *data = wanted->data;
    char *name = crd_lab_quoted(data->name), *title = crd_lab_quoted(data->title);
    char *split = crd_lab_quoted(data->split), perplexity[32];
    char *config = crd_cli_config_text(&wanted->config, CRD_CLI_OF_RUN, false);
    crd_lab_number_text(wanted->perplexity, perplexity);
    char *text = crd_cli_text(
        "{\"data\":%s,\"title\":%s,\"grid\":\"%s\",\"panel\":\"%s\",\"seed\":%llu,\"fingerprint\":\"%s\","
        "\"version\":\"%s\",\"split\":%s,\"split_index\":%d,\"left_out\":%lld,\"nodes\":%lld,"
        "\"map\":{\"perplexity\":%s,\"iterations\":%lld},\"config\":%s",
        name, title, wanted->grid, wanted->value, (unsigned long long)wanted->config.seed,
        crd_dataset_fingerprint(data->dataset), crd_version(), split,
        crd_lab_split_index(data->own_splits, wanted->config.seed), (long long)wanted->config.left_out,
        (long long)crd_dataset_nodes(data->dataset), perplexity, (long long)wanted->iterations, config);
    free(name);
    free(title);
    free(split);
    free(config);
    return text;
}

/* As it is shown: percent to two digits, other numbers to three that count. */
static void add_number(crd_lab_text *text, const char *name, double number, bool percent)
{
    char digits[32], shortest[32];
    snprintf(digits, sizeof digits, percent ? "%.2f" : "%.3g", percent ? 100.0 * number : number);
    crd_lab_number_text(isfinite(number) ? strtod(digits, NULL) : number, shortest);
    fprintf(text->stream, ",\"%s\":%s", name, shortest);
}

static char *make_line(const crd_fig_wanted *wanted, const crd_fig_measures *m)
{
    crd_lab_text text;
    char *key = key_text(wanted);
    crd_lab_text_begin(&text);
    fprintf(text.stream, "%s,\"epochs\":%lld,\"best_epoch\":%lld,\"stop\":\"%s\"", key, (long long)m->epochs,
            (long long)m->best_epoch, m->stop);
    add_number(&text, "id_acc", m->accuracy, true);
    add_number(&text, "auroc_alea", m->auroc_alea, true);
    add_number(&text, "auroc_epi", m->auroc_epi, true);
    add_number(&text, "auroc_epi_wo", m->auroc_epi_wo, true);
    add_number(&text, "evidence_id", m->evidence_id, false);
    add_number(&text, "evidence_ood", m->evidence_ood, false);
    add_number(&text, "same_class_latent", m->same_latent, true);
    add_number(&text, "same_class_map", m->same_map, true);
    add_number(&text, "ood_together_latent", m->ood_latent, true);
    add_number(&text, "ood_together_map", m->ood_map, true);
    add_number(&text, "dimensions", m->dimensions, false);
    add_number(&text, "divergence", m->divergence, false);
    fputs("}", text.stream);
    free(key);
    return crd_lab_text_end(&text);
}

double crd_fig_panel_number(const crd_fig_panel *panel, const char *name)
{
    const json_t *number = json_object_get(panel->record, name);
    return json_is_number(number) ? json_number_value(number) : (double)NAN;
}

/* The whole -------------------------------------------------------------------------------------------- */

static void allocate(crd_fig_panel *panel, int64_t nodes)
{
    *panel = (crd_fig_panel){.nodes = nodes};
    panel->map = crd_cli_allocate(NULL, 2 * (size_t)nodes * sizeof *panel->map);
    panel->evidence = crd_cli_allocate(NULL, (size_t)nodes * sizeof *panel->evidence);
}

static void take_line(crd_fig_panel *panel, char *line)
{
    panel->line = line;
    panel->record = json_loads(line, 0, NULL);
}

crd_status crd_fig_panel_make(const crd_fig_wanted *wanted, crd_fig_progress progress, void *user,
                              crd_fig_panel *panel, bool *stopped, crd_error *error)
{
    const crd_lab_data *data = wanted->data;
    watcher w = {.progress = progress, .user = user};
    const crd_train_options how = {.progress = on_epoch, .user = &w};
    crd_fig_measures measures = {0};
    crd_split *split = NULL;
    crd_model *model = NULL;
    crd_prediction *prediction = NULL;
    allocate(panel, crd_dataset_nodes(data->dataset));
    crd_status status =
        crd_lab_split_make(data->dataset, data->split, data->own_splits, wanted->config.seed, &split, error);
    if (status == CRD_OK) status = crd_train(data->dataset, split, &wanted->config, &how, &model, error);
    if (status == CRD_OK && !w.stopped)
        status = crd_predict(model, data->dataset, (int)wanted->config.threads, &prediction, error);
    if (status == CRD_OK && !w.stopped) {
        const float *latent = crd_prediction_latent(prediction);
        const int64_t dims = crd_prediction_latent_dims(prediction);
        take_evidence(prediction, panel);
        status = make_map(wanted, &w, latent, dims, panel, &measures.divergence, error);
        if (status == CRD_OK && !w.stopped)
            status = measure(wanted, model, split, latent, dims, panel, &measures, error);
    }
    if (status == CRD_OK && !w.stopped)
        take_line(panel, make_line(wanted, &measures));
    else
        crd_fig_panel_free(panel);
    *stopped = w.stopped;
    crd_prediction_free(&prediction);
    crd_model_free(&model);
    crd_split_free(&split);
    return status;
}

void crd_fig_panel_free(crd_fig_panel *panel)
{
    free(panel->map);
    free(panel->evidence);
    free(panel->line);
    json_decref(panel->record);
    *panel = (crd_fig_panel){0};
}

/* Files: the record in a line, then the arrays as this machine has them. ----------------------------------
 */

int crd_fig_panel_save(const crd_fig_panel *panel, const char *path)
{
    crd_lab_text text;
    crd_lab_text_begin(&text);
    fprintf(text.stream, "%s\n", panel->line);
    fwrite(panel->map, sizeof *panel->map, 2 * (size_t)panel->nodes, text.stream);
    fwrite(panel->evidence, sizeof *panel->evidence, (size_t)panel->nodes, text.stream);
    char *bytes = crd_lab_text_end(&text);
    int code = crd_cli_write_bytes(path, bytes, text.size);
    free(bytes);
    return code;
}

static bool all_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

static bool agrees(const json_t *record, const json_t *key, const char *field)
{
    return json_equal(json_object_get(record, field), json_object_get(key, field));
}

crd_fig_likeness crd_fig_panel_compare(const json_t *record, const crd_fig_wanted *wanted)
{
    static const char *const asked[] = {"data", "grid", "panel", "seed", "split", "left_out", "map"};
    char *open = key_text(wanted), *closed = crd_cli_text("%s}", open);
    json_t *key = json_loads(closed, 0, NULL), *value;
    crd_fig_likeness likeness = CRD_FIG_SAME;
    const char *field;
    json_object_foreach(key, field, value)
        if (!agrees(record, key, field)) likeness = CRD_FIG_OLDER;
    /* Other versions have other options. */
    if (agrees(record, key, "version") && !agrees(record, key, "config")) likeness = CRD_FIG_OTHER;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (!agrees(record, key, asked[i])) likeness = CRD_FIG_OTHER;
    json_decref(key);
    free(closed);
    free(open);
    return likeness;
}

bool crd_fig_panel_load(const char *path, const crd_fig_wanted *wanted, crd_fig_panel *panel)
{
    const size_t nodes = (size_t)crd_dataset_nodes(wanted->data->dataset);
    FILE *file = fopen(path, "rb");
    char *line = NULL;
    size_t capacity = 0;
    if (file == NULL) return false;
    allocate(panel, (int64_t)nodes);
    ssize_t length = getline(&line, &capacity, file);
    if (length > 0 && line[length - 1] == '\n') line[length - 1] = '\0';
    if (length > 0) take_line(panel, crd_cli_text("%s", line));
    bool whole = crd_fig_panel_compare(panel->record, wanted) == CRD_FIG_SAME &&
                 fread(panel->map, sizeof *panel->map, 2 * nodes, file) == 2 * nodes &&
                 fread(panel->evidence, sizeof *panel->evidence, nodes, file) == nodes && getc(file) == EOF &&
                 all_finite(panel->map, 2 * nodes) && all_finite(panel->evidence, nodes);
    free(line);
    fclose(file);
    if (!whole) crd_fig_panel_free(panel);
    return whole;
}
