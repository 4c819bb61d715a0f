/* SPDX-License-Identifier: MIT */
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

/* The name of a node's class; "?" without one. */
static const char *label_of(const crd_cli_inputs *in, int64_t node)
{
    const int32_t label = crd_dataset_label(in->dataset, node);
    return label < 0 ? "?" : crd_dataset_class_name(in->dataset, label);
}

/* Marks a class that the model was not trained on. */
static const char *mark_of(const crd_cli_inputs *in, int64_t node)
{
    crd_model_facts facts;
    crd_model_get_facts(in->model, &facts);
    for (int32_t c = 0; c < facts.classes; c++)
        if (strcmp(crd_model_class_name(in->model, c), label_of(in, node)) == 0) return "";
    return crd_dataset_label(in->dataset, node) < 0 ? "" : " (left out)";
}

/* ---- tables that fit on the screen ---- */

static int screen_width(void)
{
    enum { USUAL = 100 };
    const int columns = crd_cli_columns();
    return columns > 0 ? columns : USUAL;
}

/* The widths to which the names of nodes and classes are cut. */
typedef struct {
    int node, class_name;
} widths;

/* Whether names of two classes would look the same. */
static bool look_alike(const crd_model *model, int32_t classes, int width)
{
    bool same = false;
    char **name = crd_cli_allocate(NULL, (size_t)classes * sizeof *name);
    for (int32_t c = 0; c < classes; c++) name[c] = crd_cli_shortened(crd_model_class_name(model, c), width);
    for (int32_t c = 0; c < classes; c++)
        for (int32_t d = 0; d < c && !same; d++) same = strcmp(name[c], name[d]) == 0;
    for (int32_t c = 0; c < classes; c++) free(name[c]);
    free(name);
    return same;
}

/* For a table with so many columns of class names, whose numbers take `others` columns of the screen. */
static widths fit_names(const crd_cli_inputs *in, const crd_explanation *explanation, int64_t listed, int names,
                        int others)
{
    enum { LEAST = 12, MOST_NODE = 30 };
    crd_model_facts facts;
    crd_model_get_facts(in->model, &facts);
    const int32_t classes = (int32_t)(facts.classes + facts.left_out);
    widths fit = {LEAST, LEAST};
    int longest = 0;
    for (int64_t i = 0; i < listed && fit.node < MOST_NODE; i++) {
        char *text = node_text(in->dataset, crd_explanation_at(explanation, i)->node);
        if (crd_cli_width(text) > fit.node) fit.node = crd_cli_width(text);
        free(text);
    }
    if (fit.node > MOST_NODE) fit.node = MOST_NODE;
    for (int32_t c = 0; c < classes; c++) {
        const int width = crd_cli_width(crd_model_class_name(in->model, c));
        if (width > longest) longest = width;
    }
    const int marks = facts.left_out > 0 ? (int)strlen(" (left out)") : 0;
    const int room = (screen_width() - fit.node - others - marks) / names;
    if (room > fit.class_name) fit.class_name = room;
    while (fit.class_name < longest && look_alike(in->model, classes, fit.class_name)) fit.class_name++;
    return fit;
}

static void add_shortened(crd_cli_table *table, const char *text, int width, const char *then)
{
    char *fitting = crd_cli_shortened(text, width);
    crd_cli_table_add(table, "%s%s", fitting, then);
    free(fitting);
}

static void print_answer(const crd_cli_inputs *in, int64_t node, bool logits)
{
    const bool own = crd_config_score(crd_model_config(in->model)) == NULL;
    const struct {
        crd_score score;
        const char *meaning;
    } shown[] = {
        {CRD_SCORE_ALEATORIC, "-1 is certain; higher: ambiguous"},
        {CRD_SCORE_EPISTEMIC, logits ? "log-odds of being unlike the labelled nodes"
                              : own  ? "minus (evidence + classes); higher: unlike what it has seen"
                                     : "the score chosen in training; higher: unlike what it has seen"},
        {CRD_SCORE_EPISTEMIC_FEATURES, logits ? "of its own features alone; not on the same scale"
                                       : own  ? "the same from its own features alone"
                                              : "minus (evidence + classes) from its own features alone"},
    };
    const int32_t answer = crd_prediction_class(in->prediction)[node];
    const double p = crd_prediction_probability(in->prediction)[node * crd_prediction_classes(in->prediction) + answer];
    char *name = node_text(in->dataset, node);
    char *text = crd_cli_text("Node %s: class %s, probability %.4f", name, crd_model_class_name(in->model, answer), p);
    char *label = crd_cli_text("labelled %s%s", label_of(in, node), mark_of(in, node));
    char *printable = crd_cli_printable(text), *printable_label = crd_cli_printable(label);
    fputs(printable, stdout);
    if (crd_dataset_label(in->dataset, node) >= 0)
        printf(";%s%s", crd_cli_width(text) + crd_cli_width(label) + 2 > screen_width() ? "\n  " : " ",
               printable_label);
    printf("\n\nUncertainty (grows with doubt):\n");
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        const double *values = crd_prediction_score(in->prediction, shown[i].score);
        if (values == NULL) printf("  %-19s %12s", crd_score_name(shown[i].score), "n.a.");
        else printf("  %-19s %12.6g", crd_score_name(shown[i].score), values[node]);
        printf("  %s\n", shown[i].meaning);
    }
    const double *doubt = crd_prediction_doubt(in->prediction);
    if (doubt != NULL)
        printf("  %-19s %12.6g  the share of calibration nodes that look less strange\n", "doubt", doubt[node]);
    free(printable_label);
    free(printable);
    free(label);
    free(text);
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
static void add_node(crd_cli_table *table, const crd_cli_inputs *in, const crd_contribution *from, widths fit)
{
    char *name = node_text(in->dataset, from->node);
    add_shortened(table, name, fit.node, "");
    add_shortened(table, label_of(in, from->node), fit.class_name, mark_of(in, from->node));
    if (from->hops >= 0) crd_cli_table_add(table, "%d", (int)from->hops);
    else crd_cli_table_add(table, "no path");
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
    const widths fit = fit_names(in, explanation, crd_explanation_count(explanation), 1, 53);
    crd_cli_table table = {.columns = 6, .left_columns = 1};
    printf("\nWhere its evidence comes from (%.6g in all):\n", all);
    crd_cli_table_head(&table, "node|label|hops|for this class|for all classes|share");
    for (int64_t i = 0; i < crd_explanation_count(explanation); i++) {
        const crd_contribution *from = crd_explanation_at(explanation, i);
        add_node(&table, in, from, fit);
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
    const widths fit = fit_names(in, explanation, listed, 2, 40);
    char *name = crd_cli_shortened(crd_model_class_name(in->model, answer), fit.class_name);
    char *printable = crd_cli_printable(name);
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
        add_node(&table, in, from, fit);
        add_shortened(&table, crd_model_class_name(in->model, favourite(from->evidence, classes)), fit.class_name, "");
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
    free(name);
}

/* The same text may be the number of one node and the name of another. Where names count from 1 this is no news. */
static void note_other_node(const crd_dataset *dataset, const char *wanted, int64_t node)
{
    char *end;
    const int64_t nodes = crd_dataset_nodes(dataset);
    const long long number = strtoll(wanted, &end, 10);
    if (end == wanted || *end != '\0' || crd_dataset_node_name(dataset, 0) == NULL) return;
    if (number != node && number != node + 1 && number >= 0 && number < nodes)
        crd_cli_say("note: %s is the name of node %lld; there is also a node of this number", wanted, (long long)node);
    for (int64_t i = 0; i < nodes && number == node; i++)
        if (i != node && strcmp(crd_dataset_node_name(dataset, i), wanted) == 0)
            crd_cli_say("note: %s is taken as a number; there is also a node of this name, number %lld", wanted,
                        (long long)i);
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
    note_other_node(in->dataset, wanted, node);
    const int64_t top = crd_cli_whole(options, "top");
    crd_model_facts facts;
    crd_model_get_facts(in->model, &facts);
    const bool logits = strcmp(facts.kind, "committee") == 0;
    crd_status status = crd_explain(in->model, in->dataset, node, logits && !as_json ? INT64_MAX : top,
                                    CRD_THREADS(in->threads), &explanation, &error);
    if (status == CRD_OK && !as_json)
        status = crd_predict(in->model, in->dataset, CRD_THREADS(in->threads), &in->prediction, &error);
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
