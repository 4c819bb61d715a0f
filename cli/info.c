/* SPDX-License-Identifier: MIT */
/* credence info: what a graph holds, and what is unusual about it. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add_data(options);
    crd_cli_add_json(options);
}

/* Adds a row of two cells: a name and its value. */
static void add(crd_cli_table *table, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void add(crd_cli_table *table, const char *name, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    crd_cli_table_add(table, "%s", name);
    crd_cli_table_add(table, "%s", text);
}

static void add_count(crd_cli_table *table, const char *name, int64_t count)
{
    add(table, name, "%lld", (long long)count);
}

static void print_facts(const crd_info *info, const char *fingerprint)
{
    crd_cli_table table = {.columns = 2, .left_columns = 1};
    add_count(&table, "nodes", info->nodes);
    add_count(&table, "edges", info->edges);
    add_count(&table, "entries in the input", info->input_edges);
    add(&table, "directed", "%s", info->directed ? "yes" : "no");
    add_count(&table, "self-loops (dropped)", info->self_loops);
    add_count(&table, "repeated entries (dropped)", info->duplicates);
    add_count(&table, "isolated nodes", info->isolated);
    add_count(&table, "components", info->components);
    add_count(&table, "largest component", info->largest_component);
    add(&table, "degree: min, median, mean, max", "%lld, %g, %.2f, %lld", (long long)info->degree_min,
        info->degree_median, info->degree_mean, (long long)info->degree_max);
    add_count(&table, "features", info->features);
    if (info->features > 0) {
        add(&table, "non-zero features", "%lld (%.3g %%, %s)", (long long)info->features_nonzero,
            100.0 * info->feature_density, info->features_sparse ? "sparse" : "dense");
        add(&table, "feature values", "%g to %g", (double)info->feature_min, (double)info->feature_max);
        add_count(&table, "nodes without features", info->featureless);
    }
    add_count(&table, "classes", info->classes);
    add(&table, "labelled nodes", "%lld (%.1f %%)", (long long)info->labelled,
        100.0 * (double)info->labelled / (double)info->nodes);
    if (info->edge_homophily >= 0.0)
        add(&table, "edges inside a class (by chance)", "%.1f %% (%.1f %%)", 100.0 * info->edge_homophily,
            100.0 * info->edge_homophily_chance);
    add_count(&table, "splits of its own", info->splits);
    add(&table, "fingerprint", "%s", fingerprint);
    crd_cli_table_print(&table, stdout);
}

static void print_classes(const crd_dataset *dataset, int64_t labelled)
{
    int32_t classes = crd_dataset_classes(dataset);
    if (classes == 0) return;
    crd_cli_table table = {.columns = 4, .left_columns = 1};
    int64_t *counts = crd_cli_allocate(NULL, (size_t)classes * sizeof *counts);
    crd_dataset_class_counts(dataset, counts);
    crd_cli_table_head(&table, "class|name|nodes|share");
    for (int32_t c = 0; c < classes; c++) {
        crd_cli_table_add(&table, "%d", (int)c);
        crd_cli_table_add(&table, "%s", crd_dataset_class_name(dataset, c));
        crd_cli_table_add(&table, "%lld", (long long)counts[c]);
        crd_cli_table_add(&table, "%.1f %%", labelled > 0 ? 100.0 * (double)counts[c] / (double)labelled : 0.0);
    }
    free(counts);
    fputc('\n', stdout);
    crd_cli_table_print(&table, stdout);
}

static void print_notes(const crd_dataset *dataset, const crd_info *info)
{
    int notes = crd_dataset_note_count(dataset);
    if (notes == 0 && !info->edges_mislead) return;
    printf("\n%sunusual:%s\n", crd_cli_bold(stdout), crd_cli_plain(stdout));
    for (int i = 0; i < notes; i++) {
        char *note = crd_cli_printable(crd_dataset_note(dataset, i));
        printf("  %s\n", note);
        free(note);
    }
    if (info->edges_mislead)
        printf("  edges say little about classes (%.0f %% stay inside a class, %.0f %% by chance): a committee weighs\n"
               "  edges against a node's own features; models that assume that edges join like nodes, as gpn\n"
               "  does, may answer worse here than from features alone\n",
               100.0 * info->edge_homophily, 100.0 * info->edge_homophily_chance);
}

/* Prints the model's options as train takes them. The number of threads made no difference. */
static void print_options(const crd_config *config)
{
    crd_cli_table table = {.columns = 2, .left_columns = 1};
    for (int i = 0; i < crd_option_count(); i++) {
        const char *name = crd_option_at(i)->name;
        if (strcmp(name, "threads") == 0 || !crd_config_has(config, name)) continue;
        char *value = crd_cli_config_value(config, name);
        add(&table, name, "%s", value);
        free(value);
    }
    printf("\n%soptions of train:%s\n", crd_cli_bold(stdout), crd_cli_plain(stdout));
    crd_cli_table_print(&table, stdout);
}

/* On one line, or one line for each class if that would be too long. */
static void print_class_names(const crd_model *model, int64_t classes, int64_t left_out)
{
    enum { WIDEST = 100 };
    int width = 0;
    for (int32_t c = 0; c < classes + left_out; c++) width += 2 + crd_cli_width(crd_model_class_name(model, c));
    const bool lines = width > WIDEST;
    printf("\nclasses:%s", lines ? "\n  " : " ");
    for (int32_t c = 0; c < classes + left_out; c++) {
        char *name = crd_cli_printable(crd_model_class_name(model, c));
        printf("%s%s%s", c == 0 ? "" : lines ? "\n  " : ", ", name, c >= classes ? " (left out)" : "");
        free(name);
    }
    fputc('\n', stdout);
}

static void print_metadata(const crd_model *model)
{
    const char *key;
    if (crd_model_metadata_key(model, 0) == NULL) return;
    printf("\n%smetadata:%s\n", crd_cli_bold(stdout), crd_cli_plain(stdout));
    for (int i = 0; (key = crd_model_metadata_key(model, i)) != NULL; i++) {
        char *name = crd_cli_printable(key), *value = crd_cli_printable(crd_model_metadata(model, key));
        printf("  %s: %s\n", name, value);
        free(name);
        free(value);
    }
}

static void print_model(const crd_model *model)
{
    crd_model_facts facts;
    crd_cli_table table = {.columns = 2, .left_columns = 1};
    crd_model_get_facts(model, &facts);
    add(&table, "model", "%s", facts.kind);
    add_count(&table, "features", facts.features);
    add_count(&table, "classes", facts.classes);
    add_count(&table, "classes left out", facts.left_out);
    add_count(&table, "parameters", facts.parameters);
    add_count(&table, "nodes of the training graph", facts.graph_nodes);
    add_count(&table, "nodes that taught it", facts.training_nodes);
    add(&table, "split", "%s", facts.split);
    add_count(&table, "epochs", facts.epochs);
    if (facts.networks == 0) add_count(&table, "best epoch", facts.best_epoch);
    else add_count(&table, "networks", facts.networks);
    if (facts.networks > 0)
        add(&table, "views: alone, near, far, %", "%.1f, %.1f, %.1f", 100.0 * facts.view[0], 100.0 * facts.view[1],
            100.0 * facts.view[2]);
    add(&table, "stopped by", "%s", crd_stop_name(facts.stop));
    const char *on = facts.networks > 0 ? "held-out" : "validation";
    crd_cli_table_add(&table, "%s cross-entropy", on);
    crd_cli_table_add_number(&table, 4, facts.best_cross_entropy);
    crd_cli_table_add(&table, "%s accuracy, %%", on);
    crd_cli_table_add_number(&table, 2, 100.0 * facts.best_accuracy);
    add(&table, "calibration", isnan(facts.temperature) ? "%s" : "%s %.4g", facts.calibration, facts.temperature);
    add_count(&table, "calibration nodes", facts.calibration_nodes);
    add(&table, "data's fingerprint", "%s", facts.fingerprint);
    add(&table, "made by version", "%s", facts.version);
    add(&table, "id", "%s", facts.id);
    crd_cli_table_print(&table, stdout);
    print_metadata(model);
    print_class_names(model, facts.classes, facts.left_out);
    print_options(crd_model_config(model));
}

static int show_model(const crd_cli_options *options, const char *path)
{
    crd_error error;
    crd_model *model;
    char *json;
    int code = CRD_CLI_DONE;
    if (crd_model_load(path, &model, &error) != CRD_OK) return crd_cli_fail(&error);
    if (!crd_cli_given(options, "json")) print_model(model);
    else code = crd_cli_print_text(crd_model_facts_json(model, &json, &error), &json, &error);
    crd_model_free(&model);
    return code;
}

static int show_dataset(const crd_cli_options *options, const crd_dataset *dataset)
{
    crd_error error;
    crd_info info;
    char *json;
    if (crd_cli_given(options, "json"))
        return crd_cli_print_text(crd_dataset_info_json(dataset, &json, &error), &json, &error);
    if (crd_dataset_info(dataset, &info, &error) != CRD_OK) return crd_cli_fail(&error);
    print_facts(&info, crd_dataset_fingerprint(dataset));
    print_classes(dataset, info.labelled);
    print_notes(dataset, &info);
    return CRD_CLI_DONE;
}

static int run(const crd_cli_options *options)
{
    crd_dataset *dataset = NULL;
    const crd_public_graph *known;
    if (crd_cli_is_model(options->word[0])) return show_model(options, options->word[0]);
    int code = crd_cli_open(options, options->word[0], &dataset, &known);
    if (code == CRD_CLI_DONE) code = show_dataset(options, dataset);
    crd_dataset_free(&dataset);
    return code;
}

const crd_cli_command crd_cli_info = {
    .name = "info",
    .group = CRD_CLI_GRAPHS,
    .summary = "show what a graph or a model holds and what is unusual about it",
    .description = "Shows what DATA holds: nodes, edges, features, classes, and what is unusual about it; or,\n"
                   "if DATA is a model, how it was trained and what it knows.",
    .positional = {"DATA"},
    .declare = declare,
    .run = run,
};
