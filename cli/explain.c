/* credence explain: whose evidence an answer rests on. */
#include <stdlib.h>
#include <string.h>

#include "data.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 0, "node", "NODE", NULL, "the node, by number (from 0) or by name");
    crd_cli_add(options, 0, "top", "N", "10", "how many contributing nodes to list");
    crd_cli_add_data(options);
    crd_cli_add_threads(options);
    crd_cli_add_json(options);
}

/* The name of a node's class, and whether the model was not trained on it. The caller frees it. */
static char *label_text(const crd_model *model, const crd_dataset *dataset, int64_t node)
{
    crd_model_facts facts;
    const int32_t label = crd_dataset_label(dataset, node);
    if (label < 0) return crd_cli_text("?");
    const char *name = crd_dataset_class_name(dataset, label);
    crd_model_get_facts(model, &facts);
    for (int32_t c = 0; c < facts.classes; c++)
        if (strcmp(crd_model_class_name(model, c), name) == 0) return crd_cli_text("%s", name);
    return crd_cli_text("%s (left out)", name);
}

static void print_score(const crd_prediction *prediction, crd_score score, int64_t node, const char *name,
                        const char *meaning)
{
    const double *values = crd_prediction_score(prediction, score);
    if (values == NULL) printf("  %-19s %12s  %s\n", name, "n.a.", meaning);
    else printf("  %-19s %12.6g  %s\n", name, values[node], meaning);
}

static void print_answer(const crd_model *model, const crd_dataset *dataset, const crd_prediction *prediction,
                         int64_t node)
{
    int32_t answer = crd_prediction_class(prediction)[node], label = crd_dataset_label(dataset, node);
    int32_t classes = crd_prediction_classes(prediction);
    double p = crd_prediction_probability(prediction)[node * classes + answer];
    char *name = crd_cli_node_text(dataset, node), *shown = crd_cli_printable(name);
    char *said = crd_cli_printable(crd_model_class_name(model, answer));
    printf("Node %s: class %s%s%s, probability %.4f", shown, crd_cli_bold(stdout), said, crd_cli_plain(stdout), p);
    if (label >= 0) {
        char *text = label_text(model, dataset, node), *truth = crd_cli_printable(text);
        printf("; labelled %s", truth);
        free(truth);
        free(text);
    }
    printf("\n\nUncertainty (grows with doubt):\n");
    print_score(prediction, CRD_SCORE_ALEATORIC, node, "aleatoric", "-1 is certain; higher: ambiguous");
    print_score(prediction, CRD_SCORE_EPISTEMIC, node, "epistemic",
                "minus (evidence + classes); higher: unlike what it has seen");
    print_score(prediction, CRD_SCORE_EPISTEMIC_FEATURES, node, "epistemic_features",
                "the same from its own features alone");
    free(said);
    free(shown);
    free(name);
}

static double sum(const double *values, int32_t count)
{
    double total = 0.0;
    for (int32_t i = 0; i < count; i++) total += values[i];
    return total;
}

static double percent(double part, double whole)
{
    return whole > 0.0 ? 100.0 * part / whole : 0.0;
}

static void print_contributions(const crd_model *model, const crd_dataset *dataset, const crd_explanation *explanation,
                                int32_t answer)
{
    int32_t classes = crd_explanation_classes(explanation);
    const double *rest = crd_explanation_rest(explanation);
    /* alpha is the evidence plus one per class. */
    double all = sum(crd_explanation_alpha(explanation), classes) - classes;
    crd_cli_table table = {.columns = 6, .left_columns = 1};
    printf("\nWhere its evidence comes from (%.6g in all):\n", all);
    crd_cli_table_head(&table, "node|label|hops|for this class|for all classes|share");
    for (int64_t i = 0; i < crd_explanation_count(explanation); i++) {
        const crd_contribution *from = crd_explanation_at(explanation, i);
        char *name = crd_cli_node_text(dataset, from->node), *label = label_text(model, dataset, from->node);
        crd_cli_table_add(&table, "%s", name);
        crd_cli_table_add(&table, "%s", label);
        if (from->hops >= 0) crd_cli_table_add(&table, "%d", (int)from->hops);
        else crd_cli_table_add(&table, "no path");
        crd_cli_table_add(&table, "%.6g", from->evidence[answer]);
        crd_cli_table_add(&table, "%.6g", from->total);
        crd_cli_table_add(&table, "%.1f %%", percent(from->total, all));
        free(label);
        free(name);
    }
    crd_cli_table_add(&table, "the rest");
    crd_cli_table_add(&table, " ");
    crd_cli_table_add(&table, " ");
    crd_cli_table_add(&table, "%.6g", rest[answer]);
    crd_cli_table_add(&table, "%.6g", sum(rest, classes));
    crd_cli_table_add(&table, "%.1f %%", percent(sum(rest, classes), all));
    crd_cli_table_print(&table, stdout);
}

static int explain(const crd_cli_options *options, const crd_model *model, const crd_dataset *dataset, int64_t top,
                   int threads)
{
    crd_error error;
    crd_prediction *prediction = NULL;
    crd_explanation *explanation = NULL;
    char *json = NULL;
    int code = CRD_CLI_DONE;
    const char *wanted = crd_cli_value(options, "node");
    int64_t node = crd_dataset_find_node(dataset, wanted);
    const char *first = crd_dataset_node_name(dataset, 0);
    if (node < 0 && first != NULL)
        return crd_cli_misused(options, "--node: the graph has no node '%s' (the first is called '%s')", wanted, first);
    if (node < 0)
        return crd_cli_misused(options, "--node: the graph has no node '%s' (they are numbered 0 to %lld)", wanted,
                               (long long)crd_dataset_nodes(dataset) - 1);
    crd_status status = crd_explain(model, dataset, node, top, threads, &explanation, &error);
    if (status == CRD_OK && crd_cli_given(options, "json")) status = crd_explanation_json(explanation, &json, &error);
    else if (status == CRD_OK) status = crd_predict(model, dataset, threads, &prediction, &error);
    if (status != CRD_OK) {
        code = crd_cli_fail(&error);
    } else if (json != NULL) {
        puts(json);
    } else {
        print_answer(model, dataset, prediction, node);
        print_contributions(model, dataset, explanation, crd_prediction_class(prediction)[node]);
    }
    crd_string_free(&json);
    crd_explanation_free(&explanation);
    crd_prediction_free(&prediction);
    return code;
}

static int run(const crd_cli_options *options)
{
    crd_model *model;
    crd_dataset *dataset;
    int64_t top = 10;
    int threads;
    int code = crd_cli_integer(options, "top", 0, INT64_MAX, &top);
    if (code == CRD_CLI_DONE) code = crd_cli_threads(options, &threads);
    if (code == CRD_CLI_DONE) code = crd_cli_open_both(options, &model, &dataset);
    if (code != CRD_CLI_DONE) return code;
    code = explain(options, model, dataset, top, threads);
    crd_dataset_free(&dataset);
    crd_model_free(&model);
    return code;
}

const crd_cli_command crd_cli_explain = {
    .name = "explain",
    .group = CRD_CLI_OWN_GRAPH,
    .summary = "show which nodes an answer rests on",
    .description = "Shows where the evidence for a node's class comes from. Evidence spreads over the edges\n"
                   "and adds up, so the list and the rest are exactly all of it. This works for the models\n"
                   "gpn, lp and gkde.",
    .positional = {"MODEL", "DATA"},
    .required = "node",
    .declare = declare,
    .run = run,
};
