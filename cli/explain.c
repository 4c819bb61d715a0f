/* credence explain: the nodes that an answer rests on. */
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

static void print_answer(const crd_cli_inputs *in, int64_t node, bool logits)
{
    const bool own = crd_config_score(crd_model_config(in->model)) == NULL;
    const struct {
        crd_score score;
        const char *meaning;
    } shown[] = {
        {CRD_SCORE_ALEATORIC, "-1 is certain; higher: ambiguous"},
        {CRD_SCORE_EPISTEMIC, logits ? "log-odds of being unlike the labelled nodes; 0: as likely as not"
                              : own  ? "minus (evidence + classes); higher: unlike what it has seen"
                                     : "the score chosen in training; higher: unlike what it has seen"},
        {CRD_SCORE_EPISTEMIC_FEATURES, logits ? "of its own features alone; not on the same scale"
                                       : own  ? "the same from its own features alone"
                                              : "minus (evidence + classes) from its own features alone"},
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
    const double *doubt = crd_prediction_doubt(in->prediction);
    if (doubt != NULL)
        printf("  %-19s %12.6g  the share of calibration nodes that are less unlike the labelled ones\n", "doubt",
               doubt[node]);
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

/* The columns that tell which node contributes. */
static void add_node(crd_cli_table *table, const crd_cli_inputs *in, const crd_contribution *from)
{
    char *name = node_text(in->dataset, from->node), *label = label_text(in, from->node);
    crd_cli_table_add(table, "%s", name);
    crd_cli_table_add(table, "%s", label);
    if (from->hops >= 0) crd_cli_table_add(table, "%d", (int)from->hops);
    else crd_cli_table_add(table, "no path");
    free(label);
    free(name);
}

/* The same columns for all that is not listed. */
static void add_others(crd_cli_table *table, const char *who)
{
    crd_cli_table_add(table, "%s", who);
    crd_cli_table_add(table, " ");
    crd_cli_table_add(table, " ");
}

static void print_evidence(const crd_cli_inputs *in, const crd_explanation *explanation, int32_t answer)
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
        add_node(&table, in, from);
        crd_cli_table_add(&table, "%.6g", from->evidence[answer]);
        crd_cli_table_add(&table, "%.6g", from->total);
        crd_cli_table_add(&table, "%.1f %%", percent(from->total, all));
    }
    add_others(&table, "the rest");
    crd_cli_table_add(&table, "%.6g", rest[answer]);
    crd_cli_table_add(&table, "%.6g", sum(rest, classes));
    crd_cli_table_add(&table, "%.1f %%", percent(sum(rest, classes), all));
    crd_cli_table_print(&table, stdout);
}

/* What speaks for something and what against it, and how many nodes do. */
typedef struct {
    double sum[2];
    int64_t nodes[2];
} sides;

static void count_side(sides *s, double number)
{
    s->sum[number < 0.0] += number;
    s->nodes[number < 0.0] += number != 0.0;
}

static void print_sides(const sides *s, const char *one, const char *other)
{
    printf("  %lld node%s %s (%+.4f), %lld %s (%+.4f)\n", (long long)s->nodes[0], s->nodes[0] == 1 ? "" : "s", one,
           s->sum[0], (long long)s->nodes[1], other, s->sum[1]);
}

static int32_t favourite(const double *logits, int32_t classes)
{
    int32_t most = 0;
    for (int32_t k = 1; k < classes; k++)
        if (logits[k] > logits[most]) most = k;
    return most;
}

/* The explanation has all nodes; the `top` first ones are listed. */
static void print_logits(const crd_cli_inputs *in, const crd_explanation *explanation, int32_t answer, int64_t top)
{
    const int32_t classes = crd_explanation_classes(explanation);
    const int64_t count = crd_explanation_count(explanation), listed = top < count ? top : count;
    char *printable = crd_cli_printable(crd_model_class_name(in->model, answer));
    double fixed, rest[2] = {0.0, 0.0};
    const double doubt = crd_explanation_doubt(explanation, NULL, &fixed);
    sides of_class = {{0.0}, {0}}, of_doubt = {{0.0}, {0}};
    crd_cli_table table = {.columns = 6, .left_columns = 1};
    crd_cli_table_head(&table, "node|label|hops|speaks for|for this class|for doubt");
    for (int64_t i = 0; i < count; i++) {
        const crd_contribution *from = crd_explanation_at(explanation, i);
        count_side(&of_class, from->evidence[answer]);
        count_side(&of_doubt, from->doubt);
        if (i >= listed) {
            rest[0] += from->evidence[answer];
            rest[1] += from->doubt;
            continue;
        }
        add_node(&table, in, from);
        crd_cli_table_add(&table, "%s", crd_model_class_name(in->model, favourite(from->evidence, classes)));
        crd_cli_table_add(&table, "%+.4f", from->evidence[answer]);
        crd_cli_table_add(&table, "%+.4f", from->doubt);
    }
    add_others(&table, "the rest");
    crd_cli_table_add(&table, " ");
    crd_cli_table_add(&table, "%+.4f", rest[0]);
    crd_cli_table_add(&table, "%+.4f", rest[1]);
    add_others(&table, "from no node");
    crd_cli_table_add(&table, " ");
    crd_cli_table_add(&table, " ");
    crd_cli_table_add(&table, "%+.4f", fixed);
    add_others(&table, "sum");
    crd_cli_table_add(&table, " ");
    crd_cli_table_add(&table, "%+.4f", crd_explanation_logits(explanation)[answer]);
    crd_cli_table_add(&table, "%+.4f", doubt);
    printf("\nWhy %s, against the mean of all classes (logits before calibration):\n", printable);
    print_sides(&of_class, "for it", "against it");
    printf("Whether it is unlike the labelled nodes (the epistemic score):\n");
    print_sides(&of_doubt, "for doubt", "against doubt");
    fputc('\n', stdout);
    crd_cli_table_print(&table, stdout);
    free(printable);
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
    const int64_t top = crd_cli_whole(options, "top");
    crd_model_facts facts;
    crd_model_get_facts(in->model, &facts);
    const bool logits = strcmp(facts.kind, "committee") == 0;
    crd_status status = crd_explain(in->model, in->dataset, node, logits && !as_json ? INT64_MAX : top, in->threads,
                                    &explanation, &error);
    if (status == CRD_OK && !as_json)
        status = crd_predict(in->model, in->dataset, in->threads, &in->prediction, &error);
    if (status != CRD_OK) {
        code = crd_cli_fail(&error);
    } else if (as_json) {
        code = crd_cli_print_text(crd_explanation_json(explanation, &json, &error), &json, &error);
    } else {
        const int32_t answer = crd_prediction_class(in->prediction)[node];
        print_answer(in, node, logits);
        if (logits) print_logits(in, explanation, answer, top);
        else print_evidence(in, explanation, answer);
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
    .description = "Shows which nodes speak for a node's class, which against it, and which make it look unlike the\n"
                   "labelled nodes. What nodes say spreads over the edges and adds up, so the list and the rest are\n"
                   "exactly all of it. This works for the models committee, gpn, lp and gkde.",
    .positional = {"MODEL", "DATA"},
    .required = "node",
    .declare = declare,
    .run = run,
};
