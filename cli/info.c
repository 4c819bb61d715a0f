/* credence info: what a graph holds, and what is unusual about it. */
#include <stdlib.h>

#include "data.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add_data(options);
    crd_cli_add_json(options);
}

static void add_count(crd_cli_table *table, const char *name, int64_t count)
{
    crd_cli_table_add(table, "%s", name);
    crd_cli_table_add(table, "%lld", (long long)count);
}

static void print_facts(const crd_info *info, const char *fingerprint)
{
    crd_cli_table table = {.columns = 2};
    add_count(&table, "nodes", info->nodes);
    add_count(&table, "edges", info->edges);
    add_count(&table, "entries in the input", info->input_edges);
    crd_cli_table_add(&table, "directed");
    crd_cli_table_add(&table, "%s", info->directed ? "yes" : "no");
    add_count(&table, "isolated nodes", info->isolated);
    add_count(&table, "components", info->components);
    add_count(&table, "largest component", info->largest_component);
    crd_cli_table_add(&table, "degree: min, median, mean, max");
    crd_cli_table_add(&table, "%lld, %g, %.2f, %lld", (long long)info->degree_min, info->degree_median,
                      info->degree_mean, (long long)info->degree_max);
    add_count(&table, "features", info->features);
    if (info->features > 0) {
        crd_cli_table_add(&table, "non-zero features");
        crd_cli_table_add(&table, "%lld (%.3g %%, %s)", (long long)info->features_nonzero,
                          100.0 * info->feature_density, info->features_sparse ? "sparse" : "dense");
        crd_cli_table_add(&table, "feature values");
        crd_cli_table_add(&table, "%g to %g", (double)info->feature_min, (double)info->feature_max);
        add_count(&table, "nodes without features", info->featureless);
    }
    add_count(&table, "classes", info->classes);
    crd_cli_table_add(&table, "labelled nodes");
    crd_cli_table_add(&table, "%lld (%.1f %%)", (long long)info->labelled,
                      100.0 * (double)info->labelled / (double)info->nodes);
    if (info->edge_homophily >= 0.0) {
        crd_cli_table_add(&table, "edges inside a class");
        crd_cli_table_add(&table, "%.1f %%", 100.0 * info->edge_homophily);
    }
    add_count(&table, "splits of its own", info->splits);
    crd_cli_table_add(&table, "fingerprint");
    crd_cli_table_add(&table, "%s", fingerprint);
    crd_cli_table_print(&table, stdout);
}

static void print_classes(const crd_dataset *dataset, int64_t labelled)
{
    int32_t classes = crd_dataset_classes(dataset);
    if (classes == 0) return;
    crd_cli_table table = {.columns = 4, .heading = true, .left_columns = 1};
    int64_t *counts = crd_cli_allocate(NULL, (size_t)classes * sizeof *counts);
    crd_dataset_class_counts(dataset, counts);
    crd_cli_table_add(&table, "class");
    crd_cli_table_add(&table, "name");
    crd_cli_table_add(&table, "nodes");
    crd_cli_table_add(&table, "share");
    for (int32_t c = 0; c < classes; c++) {
        crd_cli_table_add(&table, "%d", (int)c);
        crd_cli_table_add(&table, "%s", crd_dataset_class_name(dataset, c));
        crd_cli_table_add(&table, "%lld", (long long)counts[c]);
        crd_cli_table_add(&table, "%.1f %%",
                          labelled > 0 ? 100.0 * (double)counts[c] / (double)labelled : 0.0);
    }
    free(counts);
    fputc('\n', stdout);
    crd_cli_table_print(&table, stdout);
}

static void print_notes(const crd_dataset *dataset)
{
    int notes = crd_dataset_note_count(dataset);
    if (notes == 0) return;
    printf("\n%sunusual:%s\n", crd_cli_bold(stdout), crd_cli_plain(stdout));
    for (int i = 0; i < notes; i++) {
        char *note = crd_cli_printable(crd_dataset_note(dataset, i));
        printf("  %s\n", note);
        free(note);
    }
}

static int run(const crd_cli_options *options)
{
    crd_error error;
    crd_dataset *dataset = NULL;
    crd_info info;
    char *json = NULL;
    int code = crd_cli_open(options, options->positional[0], &dataset);
    if (code != CRD_CLI_DONE) return code;
    crd_status status = crd_cli_given(options, "json") ? crd_dataset_info_json(dataset, &json, &error)
                                                       : crd_dataset_info(dataset, &info, &error);
    if (status != CRD_OK) {
        code = crd_cli_fail(&error);
    } else if (json != NULL) {
        puts(json);
    } else {
        print_facts(&info, crd_dataset_fingerprint(dataset));
        print_classes(dataset, info.labelled);
        print_notes(dataset);
    }
    crd_string_free(&json);
    crd_dataset_free(&dataset);
    return code;
}

const crd_cli_command crd_cli_info = {
    .name = "info",
    .summary = "show what a graph holds and what is unusual about it",
    .description = "Shows what DATA holds: nodes, edges, features, classes, and what is unusual about it.",
    .positional = {"DATA"},
    .declare = declare,
    .run = run,
};
