/* credence explain: whose evidence an answer rests on. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 0, "node", "NODE", NULL, "the node, by number (from 0) or by name");
    crd_cli_add_whole(options, "top", 10, 0, INFINITY, "how many contributing nodes to list");
    crd_cli_add_data(options);
    crd_cli_add_threads(options);
    crd_cli_add_json(options);
}

/* "12", or "12 (its name)" if the data have names; the caller frees it. */
static char *node_text(const crd_dataset *dataset, int64_t node)
{
    const char *name = crd_dataset_node_name(dataset, node);
    if (name == NULL) return crd_cli_text("%lld", (long long)node);
    return crd_cli_text("%lld (%s)", (long long)node, name);
}

/* The name of a node's class, and whether the model was not trained on it. The caller frees it. */
static char *label_text(const crd_cli_inputs *in, int64_t node)
{
    crd_model_facts facts;
    const int32_t label = crd_dataset_label(in->dataset, node);
    if (label < 0) return crd_cli_text("?");
    const char *name = crd_dataset_class_name(in->dataset, label);
    crd_model_get_facts(in->model, &facts);
    for (int32_t c = 0; c < facts.classes; c++)
        if (strcmp(crd_model_class_name(in->model, c), name) == 0) return crd_cli_text("%s", name);
    return crd_cli_text("%s (left out)", name);
}

static void print_answer(const crd_cli_inputs *in, int64_t node)
{
    const bool own = crd_config_score(crd_model_config(in->model)) == NULL;
    const struct {
        crd_score score;
        const char *meaning;
    } shown[] = {
        {CRD_SCORE_ALEATORIC, "-1 is certain; higher: ambiguous"},
        {CRD_SCORE_EPISTEMIC, own ? "minus (evidence + classes); higher: unlike what it has seen"
                                  : "the score chosen in training; higher: unlike what it has seen"},
        {CRD_SCORE_EPISTEMIC_FEATURES,
         own ? "the same from its own features alone" : "minus (evidence + classes) from its own features alone"},
    };
    const int32_t answer = crd_prediction_class(in->prediction)[node];
    const double p = crd_prediction_probability(in->prediction)[node * crd_prediction_classes(in->prediction) + answer];
    char *name = node_text(in->dataset, node), *label = label_text(in, node);
    char *text = crd_cli_text("Node %s: class %s, probability %.4f", name, crd_model_class_name(in->model, answer), p);
    if (crd_dataset_label(in->dataset, node) >= 0) crd_cli_append(&text, "; labelled %s", label);
    char *printable = crd_cli_printable(text);
    printf("%s\n\nUncertainty (grows with doubt):\n", printable);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        const double *values = crd_prediction_score(in->prediction, shown[i].score);
        if (values == NULL) printf("  %-19s %12s", crd_score_name(shown[i].score), "n.a.");
        else printf("  %-19s %12.6g", crd_score_name(shown[i].score), values[node]);
        printf("  %s\n", shown[i].meaning);
    }
    free(printable);
    free(text);
    free(label);
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

static void print_contributions(const crd_cli_inputs *in, const crd_explanation *explanation, int32_t answer)
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
        char *name = node_text(in->dataset, from->node), *label = label_text(in, from->node);
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

static int explain(const crd_cli_options *options, crd_cli_inputs *in)
{
    crd_error error;
    crd_explanation *explanation = NULL;
    char *json;
    const bool as_json = crd_cli_given(options, "json");
    const char *wanted = crd_cli_value(options, "node"), *first = crd_dataset_node_name(in->dataset, 0);
    const int64_t node = crd_dataset_find_node(in->dataset, wanted);
    if (node < 0 && first != NULL)
        return crd_cli_misused(options, "--node: the graph has no node '%s' (the first is called '%s')", wanted, first);
    if (node < 0)
        return crd_cli_misused(options, "--node: the graph has no node '%s' (they are numbered 0 to %lld)", wanted,
                               (long long)crd_dataset_nodes(in->dataset) - 1);
    int code = CRD_CLI_DONE;
    crd_status status =
        crd_explain(in->model, in->dataset, node, crd_cli_whole(options, "top"), in->threads, &explanation, &error);
    if (status == CRD_OK && !as_json)
        status = crd_predict(in->model, in->dataset, in->threads, &in->prediction, &error);
    if (status != CRD_OK) {
        code = crd_cli_fail(&error);
    } else if (as_json) {
        code = crd_cli_print_text(crd_explanation_json(explanation, &json, &error), &json, &error);
    } else {
        print_answer(in, node);
        print_contributions(in, explanation, crd_prediction_class(in->prediction)[node]);
    }
    crd_explanation_free(&explanation);
    return code;
}

static int run(const crd_cli_options *options)
{
    crd_cli_inputs in = {0};
    int code = crd_cli_open_inputs(options, &in);
    if (code == CRD_CLI_DONE) code = explain(options, &in);
    return crd_cli_close_inputs(options, &in, code);
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
