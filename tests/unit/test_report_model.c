/* SPDX-License-Identifier: MIT */
/* A model's part of a report: its blocks hold what the library answers, and missing values are no error. */
#include <math.h>

#include "credence_private.h"
#include "dataset_helpers.h"
#include "support/outcome.h"
#include "support/quick_model.h"
#include "support/unpack_page.h"

enum { NODES = 240, CLASSES = 4 };

static crd_dataset *make_graph(int64_t nodes)
{
    crd_generate_options options;
    crd_dataset *dataset;
    crd_generate_defaults(&options);
    options.nodes = nodes;
    options.classes = CLASSES;
    options.features = 60;
    options.lookalikes = 1;
    assert_ok(crd_generate(&options, &dataset, NULL));
    return dataset;
}

static crd_config quick(const char *kind, int left_out)
{
    crd_config config;
    crd_config_defaults(&config);
    assert_ok(crd_config_set(&config, "model", kind, NULL));
    config.left_out = left_out;
    config.max_epochs = 20;
    config.threads = 1;
    return config;
}

static crd_model *trained(const crd_dataset *dataset, const char *kind, int left_out)
{
    const crd_config config = quick(kind, left_out);
    return train(dataset, &config, NULL);
}

static crd_report_options few_iterations(void)
{
    static const crd_control one_thread = {.size = sizeof one_thread, .threads = 1};
    static crd_tsne_options tsne;
    crd_report_options options;
    crd_report_defaults(&options);
    crd_tsne_defaults(&tsne);
    tsne.iterations = 30;
    options.tsne = &tsne;
    options.control = &one_thread;
    return options;
}

/* The page of a model, which the caller frees. */
static char *page_of(void **state, const crd_model *model, const crd_dataset *dataset,
                     const crd_report_options *options)
{
    crd_report *report;
    crd_error error = {0};
    assert_ok(crd_report_new("t", &report, NULL));
    if (crd_report_add_model(report, model, dataset, options, &error) != CRD_OK) fail_msg("%s", error.message);
    assert_ok(crd_report_save(report, in(state, "r.html"), NULL));
    crd_report_free(&report);
    return read_page(in(state, "r.html"));
}

static double number(const json_t *object, const char *first, const char *second)
{
    const json_t *value = json_object_get(object, first);
    if (second != NULL) value = json_object_get(value, second);
    assert_non_null(value);
    return json_is_null(value) ? NAN : json_number_value(value);
}

/* ---- what the library answers ---- */

static void same_answers(const char *page, const crd_model *model, const crd_dataset *dataset)
{
    crd_prediction *p;
    assert_ok(crd_predict(model, dataset, CRD_THREADS(1), &p, NULL));
    const int64_t nodes = crd_prediction_nodes(p);
    const int32_t classes = crd_prediction_classes(p);
    uint16_t *predicted = unpack_array(page, 0, "predicted", "uint16", 2, nodes);
    uint16_t *probability = unpack_array(page, 0, "probability", "uint16", 2, nodes);
    const double *epistemic = crd_prediction_score(p, CRD_SCORE_EPISTEMIC);
    const double *own_score = crd_prediction_score(p, CRD_SCORE_EPISTEMIC_FEATURES);
    size_t size;
    float *evidence = (float *)unpack_block(page, 0, "evidence", "float32", &size);
    float *score = (float *)unpack_block(page, 0, "epistemic", "float32", &size);
    float *own = (float *)unpack_block(page, 0, "own", "float32", &size);
    /* a committee's alpha is no evidence: its doubt is shown as it is */
    const bool committee = strcmp(crd_model_config(model)->model, "committee") == 0;
    assert_int_equal(evidence != NULL, crd_prediction_alpha(p) != NULL && !committee);
    const bool chosen = crd_config_score(crd_model_config(model)) != NULL;
    assert_int_equal(score != NULL, epistemic != NULL && (chosen || committee || crd_prediction_alpha(p) == NULL));
    assert_int_equal(own != NULL, own_score != NULL && !committee);
    for (int64_t i = 0; i < nodes; i++) {
        const int32_t answer = crd_prediction_class(p)[i];
        assert_int_equal(predicted[i], answer);
        const double expected = (double)crd_prediction_probability(p)[i * classes + answer];
        assert_true(fabs(probability[i] / 65535.0 - expected) <= 0.5001 / 65535.0);
        if (evidence != NULL && !chosen) {
            const double total = -epistemic[i] - classes;
            if (total > 1e-9) assert_true(fabs((double)evidence[i] - log10(total)) < 1e-5);
            else assert_true((double)evidence[i] < -8.9);
        } else if (score != NULL) assert_true(score[i] == (float)epistemic[i]);
        if (own != NULL) {
            const double total = -own_score[i] - classes;
            if (total > 1e-9) assert_true(fabs((double)own[i] - log10(total)) < 1e-5);
        }
    }
    free(predicted);
    free(probability);
    free(evidence);
    free(score);
    free(own);
    crd_prediction_free(&p);
}

static void same_nodes(const char *page, const crd_model *model, const crd_dataset *dataset, const crd_split *split)
{
    const int64_t nodes = crd_dataset_nodes(dataset);
    int16_t *label = unpack_array(page, 0, "label", "int16", 2, nodes);
    uint8_t *role = unpack_array(page, 0, "role", "uint8", 1, nodes);
    json_t *classes = unpack_json(page, 0, "classes");
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    for (int64_t i = 0; i < nodes; i++) {
        const int32_t truth = crd_dataset_label(dataset, i);
        if (truth < 0) assert_int_equal(label[i], -1);
        else {
            const json_t *entry = json_array_get(classes, (size_t)label[i]);
            assert_string_equal(json_string_value(json_object_get(entry, "name")),
                                crd_dataset_class_name(dataset, truth));
            assert_int_equal(json_is_true(json_object_get(entry, "out")), label[i] >= facts.classes);
        }
        assert_int_equal(role[i], split != NULL ? crd_split_role(split, i) : CRD_ROLE_NONE);
    }
    int64_t train = 0, labelled = 0;
    size_t index;
    json_t *entry;
    json_array_foreach(classes, index, entry)
    {
        train += json_integer_value(json_object_get(entry, "train"));
        labelled += json_integer_value(json_object_get(entry, "nodes"));
    }
    assert_int_equal(train, facts.training_nodes);
    crd_info info;
    assert_ok(crd_dataset_info(dataset, &info, NULL));
    assert_int_equal(labelled, info.labelled);
    json_decref(classes);
    free(label);
    free(role);
}

static uint64_t take_number(const unsigned char **at)
{
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        const unsigned char byte = *(*at)++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return value;
    }
}

/* The graph of a page, as the page's script unpacks it. */
typedef struct {
    int64_t start[NODES + 1];
    int32_t neighbour[NODES * NODES];
} unpacked_graph;

static void unpack_graph(const char *page, int64_t nodes, unpacked_graph *graph)
{
    static bool edge[NODES][NODES];
    size_t size;
    unsigned char *bytes = unpack_block(page, 0, "graph", "uint8", &size);
    assert_non_null(bytes);
    const unsigned char *at = bytes;
    memset(edge, 0, sizeof edge);
    for (int64_t i = 0; i < nodes; i++) {
        int64_t other = i;
        for (uint64_t count = take_number(&at); count > 0; count--) {
            other += (int64_t)take_number(&at);
            assert_true(other > i && other < nodes);
            edge[i][other] = edge[other][i] = true;
        }
    }
    assert_int_equal(at - bytes, size);
    free(bytes);
    int64_t entries = 0;
    for (int64_t i = 0; i < nodes; i++) {
        graph->start[i] = entries;
        for (int64_t k = 0; k < nodes; k++)
            if (edge[i][k]) graph->neighbour[entries++] = (int32_t)k;
    }
    graph->start[nodes] = entries;
}

/* Contributions, computed only from the page's own blocks. */
static void same_contributions(const char *page, const crd_model *model, const crd_dataset *dataset)
{
    static unpacked_graph graph;
    static double now[NODES], next[NODES];
    unpack_graph(page, NODES, &graph);
    assert_int_equal(graph.start[NODES], dataset->graph.start[NODES]);
    assert_memory_equal(graph.neighbour, dataset->graph.neighbour,
                        (size_t)graph.start[NODES] * sizeof *graph.neighbour);
    json_t *facts = unpack_json(page, 0, "facts");
    const json_t *used = json_object_get(facts, "model");
    const double teleport = number(used, "config", "teleport");
    const int steps = (int)number(used, "config", "steps");
    assert_true(teleport == crd_model_config(model)->teleport && steps == crd_model_config(model)->steps);
    float *own = unpack_array(page, 0, "own", "float32", 4, NODES);
    uint16_t *own_class = unpack_array(page, 0, "own_class", "uint16", 2, NODES);
    for (int64_t node = 0; node < NODES; node += 23) {
        crd_explanation *explanation;
        assert_ok(crd_explain(model, dataset, node, NODES, CRD_THREADS(1), &explanation, NULL));
        for (int i = 0; i < NODES; i++) now[i] = i == node;
        for (int step = 0; step < steps; step++) {
            for (int64_t i = 0; i < NODES; i++) {
                const double scale = 1.0 / sqrt(1.0 + (double)(graph.start[i + 1] - graph.start[i]));
                double sum = scale * now[i];
                for (int64_t e = graph.start[i]; e < graph.start[i + 1]; e++) {
                    const int64_t k = graph.neighbour[e];
                    sum += now[k] / sqrt(1.0 + (double)(graph.start[k + 1] - graph.start[k]));
                }
                next[i] = (1.0 - teleport) * scale * sum + (i == node ? teleport : 0.0);
            }
            memcpy(now, next, sizeof now);
        }
        assert_true(crd_explanation_count(explanation) > 0);
        for (int64_t c = 0; c < crd_explanation_count(explanation); c++) {
            const crd_contribution *part = crd_explanation_at(explanation, c);
            const double found = now[part->node] * pow(10.0, (double)own[part->node]);
            if (!(fabs(found - part->total) <= 1e-5 * part->total))
                fail_msg("node %lld, from %lld: %g, expected %g", (long long)node, (long long)part->node, found,
                         part->total);
            for (int32_t k = 0; k < crd_explanation_classes(explanation); k++)
                assert_true(part->evidence[own_class[part->node]] >= part->evidence[k]);
        }
        crd_explanation_free(&explanation);
    }
    json_decref(facts);
    free(own);
    free(own_class);
}

/* The same for a committee: from its views and the logits before the graph. */
static void same_logits(const char *page, const crd_model *model, const crd_dataset *dataset)
{
    enum { KNOWN = CLASSES - 1, COLUMNS = CLASSES, VIEWS = 3 };
    static unpacked_graph graph;
    static double now[NODES], next[NODES], given[NODES][KNOWN];
    unpack_graph(page, NODES, &graph);
    json_t *views = unpack_json(page, 0, "views");
    const int networks = (int)number(views, "networks", NULL);
    const double step = number(views, "step", NULL);
    int16_t *own = unpack_array(page, 0, "own_logits", "int16", 2, (int64_t)networks * NODES * VIEWS * COLUMNS);
    for (int64_t node = 0; node < NODES; node += 23) {
        crd_explanation *x;
        memset(given, 0, sizeof given);
        for (int v = 0; v < VIEWS; v++) {
            const json_t *view = json_array_get(json_object_get(views, "views"), (size_t)v);
            const double teleport = number(view, "teleport", NULL), weight = number(view, "weight", NULL);
            for (int i = 0; i < NODES; i++) now[i] = i == node;
            for (int s = 0; s < (int)number(view, "steps", NULL); s++) {
                for (int64_t i = 0; i < NODES; i++) {
                    const double scale = 1.0 / sqrt(1.0 + (double)(graph.start[i + 1] - graph.start[i]));
                    double sum = scale * now[i];
                    for (int64_t e = graph.start[i]; e < graph.start[i + 1]; e++) {
                        const int64_t k = graph.neighbour[e];
                        sum += now[k] / sqrt(1.0 + (double)(graph.start[k + 1] - graph.start[k]));
                    }
                    next[i] = (1.0 - teleport) * scale * sum + (i == node ? teleport : 0.0);
                }
                memcpy(now, next, sizeof now);
            }
            for (int m = 0; m < networks; m++)
                for (int i = 0; i < NODES; i++)
                    for (int k = 0; k < KNOWN; k++)
                        given[i][k] += weight * now[i] * step / networks *
                                       own[(((int64_t)m * NODES + i) * VIEWS + v) * COLUMNS + k];
        }
        assert_ok(crd_explain(model, dataset, node, NODES, CRD_THREADS(1), &x, NULL));
        for (int64_t c = 0; c < crd_explanation_count(x); c++) {
            const crd_contribution *part = crd_explanation_at(x, c);
            const double *found = given[part->node], mean = (found[0] + found[1] + found[2]) / KNOWN;
            for (int k = 0; k < KNOWN; k++) assert_true(fabs(found[k] - mean - part->evidence[k]) < 2.0 * step);
        }
        crd_explanation_free(&x);
    }
    json_decref(views);
    free(own);
}

/* ---- curves ---- */

static void same_detection(const json_t *scores, const char *name, const crd_detection *expected)
{
    const json_t *score = json_object_get(scores, name);
    assert_true(number(score, "auroc", NULL) == expected->auroc);
    assert_true(number(score, "aupr", NULL) == expected->aupr);
    assert_true(number(score, "ap", NULL) == expected->ap);
    assert_true(number(score, "fpr95", NULL) == expected->fpr95);
    assert_null(json_object_get(score, "risk"));
}

/* The area under a thinned curve by trapezoids. */
static double area(const json_t *curve)
{
    double sum = 0.0;
    for (size_t i = 1; i < json_array_size(curve); i++) {
        const json_t *a = json_array_get(curve, i - 1), *b = json_array_get(curve, i);
        sum += (json_number_value(json_array_get(b, 0)) - json_number_value(json_array_get(a, 0))) *
               (json_number_value(json_array_get(a, 1)) + json_number_value(json_array_get(b, 1))) / 2.0;
    }
    return sum;
}

static int64_t total(const json_t *counts)
{
    int64_t sum = 0;
    for (size_t i = 0; i < json_array_size(counts); i++) sum += json_integer_value(json_array_get(counts, i));
    return sum;
}

static void same_curves(const char *page, const crd_model *model, const crd_dataset *dataset)
{
    crd_evaluation ood, errors;
    assert_ok(crd_evaluate(model, dataset, NULL, CRD_TASK_OOD, CRD_THREADS(1), &ood, NULL));
    assert_ok(crd_evaluate(model, dataset, NULL, CRD_TASK_MISCLASSIFICATION, CRD_THREADS(1), &errors, NULL));
    json_t *curves = unpack_json(page, 0, "curves");
    const json_t *o = json_object_get(curves, "ood"), *e = json_object_get(curves, "errors");
    const json_t *scores = json_object_get(o, "scores");
    assert_int_equal((int64_t)number(o, "nodes", NULL), ood.nodes);
    assert_int_equal((int64_t)number(o, "positives", NULL), ood.positives);
    assert_true(number(o, "prevalence", NULL) == ood.prevalence);
    assert_true(number(o, "accuracy", NULL) == ood.accuracy);
    same_detection(scores, "epistemic", &ood.ood_epistemic);
    same_detection(scores, "aleatoric", &ood.ood_aleatoric);
    same_detection(scores, "epistemic_features", &ood.ood_epistemic_features);
    const char *names[] = {"epistemic", "aleatoric", "epistemic_features"};
    const bool committee = strcmp(crd_model_config(model)->model, "committee") == 0;
    const char *by = committee ? "log-odds of being unlike the labelled nodes" : "log10 evidence";
    const char *labels[] = {by, "1 - p", by};
    for (int i = 0; i < 3; i++) {
        const json_t *score = json_object_get(scores, names[i]), *histogram = json_object_get(score, "histogram");
        assert_true(fabs(area(json_object_get(score, "roc")) - number(score, "auroc", NULL)) < 0.01);
        assert_true(json_array_size(json_object_get(score, "pr")) > 1);
        assert_string_equal(json_string_value(json_object_get(histogram, "label")), labels[i]);
        assert_int_equal(total(json_object_get(histogram, "positives")), ood.positives);
        assert_int_equal(total(json_object_get(histogram, "negatives")), ood.nodes - ood.positives);
        assert_int_equal(json_array_size(json_object_get(histogram, "edges")),
                         json_array_size(json_object_get(histogram, "positives")) + 1);
    }
    const json_t *failure = json_object_get(json_object_get(e, "scores"), "aleatoric");
    assert_int_equal((int64_t)number(e, "nodes", NULL), errors.nodes);
    assert_true(number(failure, "auroc", NULL) == errors.failure_aleatoric.auroc);
    assert_true(number(failure, "aurc", NULL) == errors.failure_aleatoric.aurc);
    assert_true(number(failure, "aupr_error", NULL) == errors.failure_aleatoric.aupr_error);
    assert_true(number(failure, "aupr_success", NULL) == errors.failure_aleatoric.aupr_success);
    assert_true(json_array_size(json_object_get(failure, "risk")) > 1);
    failure = json_object_get(json_object_get(e, "scores"), "epistemic");
    assert_true(number(failure, "auroc", NULL) == errors.failure_epistemic.auroc);
    assert_true(fabs(number(e, "reliability", "ece") - errors.ece) < 1e-9);
    assert_true(number(e, "reliability", "brier") == errors.brier);
    assert_true(number(e, "reliability", "nll") == errors.nll);
    const json_t *full = json_object_get(e, "evaluation");
    assert_true(number(full, "balanced_accuracy", NULL) == errors.balanced_accuracy);
    assert_int_equal(json_array_size(json_object_get(full, "classes")), CLASSES - 1);
    if (strcmp(errors.calibration, "none") != 0) {
        int64_t before = 0;
        const json_t *bins = json_object_get(json_object_get(e, "reliability"), "bins_before");
        for (size_t b = 0; b < json_array_size(bins); b++)
            before += json_integer_value(json_object_get(json_array_get(bins, b), "count"));
        assert_int_equal(before, errors.nodes);
        assert_true(number(json_object_get(full, "calibration"), "before", "ece") == errors.ece_before);
    }
    const json_t *promises = json_object_get(full, "promises");
    assert_int_equal(promises != NULL, errors.promises.calibration_nodes > 0);
    for (size_t i = 0; i < 3 && promises != NULL; i++) {
        const json_t *alarm = json_array_get(json_object_get(promises, "false_alarms"), i);
        const double share = number(alarm, "false_alarms", NULL), expected = errors.promises.false_alarms[i];
        assert_true(share == expected || (isnan(share) && isnan(expected)));
    }
    const json_t *rows = json_object_get(curves, "confusion");
    int64_t all = 0, right = 0;
    assert_int_equal(json_array_size(rows), CLASSES);
    for (size_t r = 0; r < CLASSES; r++) {
        assert_int_equal(json_array_size(json_array_get(rows, r)), CLASSES - 1);
        all += total(json_array_get(rows, r));
        if (r < CLASSES - 1) right += json_integer_value(json_array_get(json_array_get(rows, r), r));
    }
    assert_int_equal(all, ood.nodes);
    assert_int_equal(right, errors.nodes - errors.positives);
    json_decref(curves);
}

static void same_history(const char *page, const crd_model *model)
{
    json_t *history = unpack_json(page, 0, "history");
    const int64_t count = crd_model_history_count(model);
    assert_int_equal(history != NULL, count > 0);
    if (history == NULL) return;
    static const char *const columns[] = {"epoch", "best_epoch", "loss", "validation_cross_entropy",
                                          "validation_accuracy"};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        assert_int_equal(json_array_size(json_object_get(history, columns[c])), count);
    crd_epoch epoch;
    for (size_t i = 0; crd_model_history_at(model, (int64_t)i, &epoch); i++) {
        assert_int_equal((int64_t)i < json_integer_value(json_object_get(history, "warmup")), epoch.warmup);
        assert_true((float)json_number_value(json_array_get(json_object_get(history, "loss"), i)) == (float)epoch.loss);
        for (int t = 0; t < epoch.terms; t++) {
            const json_t *term = json_object_get(json_object_get(history, "terms"), epoch.term_name[t]);
            assert_true((float)json_number_value(json_array_get(term, i)) == (float)epoch.term[t]);
        }
    }
    json_decref(history);
}

static void a_gpn(void **state)
{
    crd_dataset *dataset = make_graph(NODES);
    crd_model *model = trained(dataset, "gpn", 1);
    crd_report_options options = few_iterations();
    options.data = "some \"data\"";
    options.command = "credence report a b";
    char *page = page_of(state, model, dataset, &options);
    same_answers(page, model, dataset);
    same_nodes(page, model, dataset, crd_model_split(model));
    same_contributions(page, model, dataset);
    same_curves(page, model, dataset);
    same_history(page, model);
    json_t *facts = unpack_json(page, 0, "facts"), *contents = unpack_json(page, -1, "page");
    const json_t *data = json_object_get(facts, "data"), *map = json_object_get(facts, "map");
    assert_string_equal(json_string_value(json_object_get(data, "path")), options.data);
    assert_int_equal(json_integer_value(json_object_get(data, "nodes")), NODES);
    assert_string_equal(json_string_value(json_object_get(data, "fingerprint")), crd_dataset_fingerprint(dataset));
    assert_string_equal(json_string_value(json_object_get(facts, "command")), options.command);
    assert_string_equal(json_string_value(json_object_get(json_object_get(facts, "model"), "model")), "gpn");
    assert_non_null(json_object_get(json_object_get(facts, "model"), "config"));
    assert_string_equal(json_string_value(json_object_get(map, "method")), "t-SNE");
    assert_string_equal(json_string_value(json_object_get(map, "of")), "latent space");
    assert_int_equal(json_integer_value(json_object_get(map, "iterations")), 30);
    assert_true(number(map, "perplexity", NULL) == 30.0);
    assert_true(isfinite(number(map, "divergence", NULL)));
    assert_true(json_is_null(json_object_get(facts, "unevaluated")));
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(json_object_get(contents, "parts"), 0), "title")),
        "gpn on some \"data\"");
    assert_null(unpack_json(page, 0, "names"));
    json_decref(facts);
    json_decref(contents);
    options.control = CRD_THREADS(3);
    char *again = page_of(state, model, dataset, &options);
    assert_string_equal(page, again);
    free(page);
    free(again);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

static void a_committee(void **state)
{
    crd_dataset *dataset = make_graph(NODES);
    crd_config config = quick("committee", 1);
    config.max_epochs = 2; /* so that some answers are wrong */
    crd_model *model = train(dataset, &config, NULL);
    crd_report_options options = few_iterations();
    char *page = page_of(state, model, dataset, &options);
    crd_prediction *p;
    assert_ok(crd_predict(model, dataset, CRD_THREADS(1), &p, NULL));
    float *doubt = unpack_array(page, 0, "doubt", "float32", 4, NODES);
    for (int64_t i = 0; i < NODES; i++) assert_true(doubt[i] == (float)crd_prediction_doubt(p)[i]);
    same_logits(page, model, dataset);
    same_curves(page, model, dataset);
    same_history(page, model);
    free(doubt);
    free(page);
    crd_prediction_free(&p);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

static void every_kind(void **state)
{
    crd_dataset *dataset = make_graph(NODES);
    crd_report_options options = few_iterations();
    for (int k = 0; k < crd_kind_count(); k++) {
        crd_model *model = trained(dataset, crd_kind_name(k), 1);
        char *page = page_of(state, model, dataset, &options);
        same_answers(page, model, dataset);
        same_nodes(page, model, dataset, crd_model_split(model));
        same_history(page, model);
        json_t *facts = unpack_json(page, 0, "facts");
        const bool latent = crd_kind_trained(crd_kind_name(k));
        assert_string_equal(json_string_value(json_object_get(json_object_get(facts, "map"), "of")),
                            latent ? "latent space" : "probabilities");
        assert_int_equal(strstr(page, "data-name=\"own\"") != NULL, strcmp(crd_kind_name(k), "gpn") == 0);
        json_decref(facts);
        free(page);
        crd_model_free(&model);
    }
    crd_dataset_free(&dataset);
}

/* ---- missing values ---- */

/* For which tasks a page has curves, and why it has none. */
static void expect_curves(const char *page, bool ood, bool errors, const char *why)
{
    json_t *curves = unpack_json(page, 0, "curves"), *facts = unpack_json(page, 0, "facts");
    assert_int_equal(json_is_object(json_object_get(curves, "ood")), ood);
    assert_int_equal(json_is_object(json_object_get(curves, "errors")), errors);
    const char *said = json_string_value(json_object_get(facts, "unevaluated"));
    assert_int_equal(said != NULL, why != NULL);
    if (why != NULL && strstr(said, why) == NULL) fail_msg("\"%s\" lacks \"%s\"", said, why);
    json_decref(curves);
    json_decref(facts);
}

static void show(void **state, const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                 const crd_split *shown, bool ood, bool errors, const char *why)
{
    crd_report_options options = few_iterations();
    options.split = split;
    char *page = page_of(state, model, dataset, &options);
    same_answers(page, model, dataset);
    same_nodes(page, model, dataset, shown);
    expect_curves(page, ood, errors, why);
    free(page);
}

static void without(void **state)
{
    crd_dataset *dataset = make_graph(NODES), *other = make_graph(NODES - 7);
    crd_model *model = trained(dataset, "gpn", 1), *all = trained(dataset, "gpn", 0);
    show(state, all, dataset, NULL, crd_model_split(all), false, true, NULL);
    show(state, model, other, NULL, NULL, false, false, "trained on other data");

    /* splits: no test node, test nodes of one class, test nodes of the left-out class alone */
    uint8_t roles[NODES] = {0};
    crd_split *none, *one, *left_out;
    assert_ok(crd_split_from_roles(roles, NODES, &none, NULL));
    for (int i = 0; i < NODES; i++) roles[i] = crd_dataset_label(dataset, i) == 0 ? CRD_ROLE_TEST : CRD_ROLE_NONE;
    assert_ok(crd_split_from_roles(roles, NODES, &one, NULL));
    for (int i = 0; i < NODES; i++)
        roles[i] = crd_dataset_label(dataset, i) == CLASSES - 1 ? CRD_ROLE_TEST : CRD_ROLE_NONE;
    assert_ok(crd_split_from_roles(roles, NODES, &left_out, NULL));
    show(state, model, dataset, none, none, false, false, "none of the split's test nodes");
    show(state, model, dataset, one, one, false, true, NULL);
    show(state, model, dataset, left_out, left_out, false, false, NULL);
    crd_error error = {0};
    crd_report *report;
    crd_report_options options = few_iterations();
    options.split = one;
    assert_ok(crd_report_new("t", &report, NULL));
    assert_fails(crd_report_add_model(report, model, other, &options, &error), CRD_ERROR_MISMATCH,
                 "the split is of 240 nodes, the data have 233");
    crd_report_free(&report);

    /* no labels, or no class at all */
    int32_t unknown[NODES];
    for (int i = 0; i < NODES; i++) unknown[i] = -1;
    assert_ok(crd_dataset_set_labels(other, unknown, NULL));
    show(state, model, other, NULL, NULL, false, false, "trained on other data");
    crd_split_free(&none);
    crd_split_free(&one);
    crd_split_free(&left_out);
    crd_model_free(&model);
    crd_model_free(&all);
    crd_dataset_free(&dataset);
    crd_dataset_free(&other);
}

/* Graphs with features and edges only, of one, two and five nodes; features too large to map. */
static void small_and_strange(void **state)
{
    crd_dataset *dataset = make_graph(NODES);
    crd_model *model = trained(dataset, "gpn", 0);
    const int64_t sizes[] = {1, 2, 3, 4, 5, 9};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        static float dense[9 * 60];
        const int64_t source[] = {0, 0}, target[] = {1, 1};
        for (int i = 0; i < 9 * 60; i++) dense[i] = i % 7 == 0;
        const crd_arrays arrays = {.size = sizeof(crd_arrays),
                                   .nodes = sizes[s],
                                   .edges = sizes[s] > 1 ? 2 : 0,
                                   .source = {source, CRD_INT64},
                                   .target = {target, CRD_INT64},
                                   .features = 60,
                                   .dense = {dense, CRD_FLOAT32}};
        crd_dataset *few;
        assert_ok(crd_dataset_from_arrays(&arrays, &few, NULL));
        show(state, model, few, NULL, NULL, false, false, "no labels");
        crd_dataset_free(&few);
    }
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

static void a_given_map(void **state)
{
    crd_dataset *dataset = make_graph(NODES);
    crd_model *model = trained(dataset, "lp", 1);
    static float map[2 * NODES];
    for (int i = 0; i < NODES; i++) {
        map[2 * i] = (float)i;             /* 0 to 239: the whole width */
        map[2 * i + 1] = i % 2 ? 1.0f : 0; /* hardly any height */
    }
    map[2 * 7] = NAN;
    map[2 * 8 + 1] = INFINITY;
    crd_report_options options = few_iterations();
    options.map = map;
    options.title = "as it is";
    char *page = page_of(state, model, dataset, &options);
    uint16_t *x = unpack_array(page, 0, "x", "uint16", 2, NODES), *y = unpack_array(page, 0, "y", "uint16", 2, NODES);
    for (int i = 0; i < NODES; i++) {
        const double place = 65535.0 * i / (NODES - 1);
        if (i != 7) assert_true(fabs(x[i] - place) <= 1.0);
        if (i != 8) assert_true(fabs(y[i] - (32767.5 + (i % 2 ? 0.5 : -0.5) * 65535.0 / (NODES - 1))) <= 1.0);
    }
    assert_true(abs(x[7] - 32768) <= 1 && abs(y[8] - 32768) <= 1);
    json_t *facts = unpack_json(page, 0, "facts");
    assert_true(json_is_null(json_object_get(json_object_get(facts, "map"), "method")));
    json_decref(facts);
    free(x);
    free(y);
    free(page);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

/* A map that was stopped early is still a map. */
static bool stop_early(const crd_progress *progress, void *user)
{
    if (progress->map == NULL) return true;
    *(int64_t *)user = progress->map->iteration;
    return progress->map->iteration < 3;
}

static void stopped(void **state)
{
    crd_dataset *dataset = make_graph(NODES);
    crd_model *model = trained(dataset, "gpn", 1);
    crd_report_options options = few_iterations();
    int64_t last = 0;
    const crd_control control = {.size = sizeof control, .threads = 1, .progress = stop_early, .user = &last};
    options.control = &control;
    char *page = page_of(state, model, dataset, &options);
    json_t *facts = unpack_json(page, 0, "facts");
    const json_t *map = json_object_get(facts, "map");
    assert_int_equal(json_integer_value(json_object_get(map, "iterations")), last);
    assert_true(last < 30 && json_is_true(json_object_get(map, "stopped")));
    json_decref(facts);
    free(page);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

/* ---- names ---- */

static void hostile_names(void **state)
{
    enum { FEW = 30, LONG = 10000 };
    static char name[FEW][64], endless[LONG + 1];
    const char *names[FEW], *classes[] = {"</script><script>alert(1)</script>", "<!-- \"'` \xe2\x80\xa8\xff"};
    memset(endless, 'x', LONG);
    for (int i = 0; i < FEW; i++) {
        snprintf(name[i], sizeof name[i], "%d</script><img src=x onerror=alert(1)><!--\"'\xf0\x9f\x98\x80\xc3", i);
        names[i] = name[i];
    }
    names[3] = endless;
    static float dense[FEW * 4];
    int64_t source[FEW], target[FEW];
    int32_t labels[FEW];
    for (int i = 0; i < FEW; i++) {
        source[i] = i;
        target[i] = (i + 2) % FEW;
        labels[i] = i % 2;
        dense[i * 4 + i % 2] = 1.0f;
    }
    const crd_arrays arrays = {.size = sizeof(crd_arrays),
                               .nodes = FEW,
                               .edges = FEW,
                               .source = {source, CRD_INT64},
                               .target = {target, CRD_INT64},
                               .features = 4,
                               .dense = {dense, CRD_FLOAT32},
                               .labels = labels,
                               .classes = 2,
                               .class_names = classes,
                               .node_names = names};
    crd_dataset *dataset;
    assert_ok(crd_dataset_from_arrays(&arrays, &dataset, NULL));
    crd_model *model = trained(dataset, "gpn", 0);
    crd_report_options options = few_iterations();
    options.data = options.command = "</script>\"' <!-- \x01\xff";
    char *page = page_of(state, model, dataset, &options);
    assert_null(strstr(page, "alert(1)"));
    assert_null(strstr(page, "onerror"));
    assert_null(strstr(page, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"));
    json_t *found = unpack_json(page, 0, "names"), *list = unpack_json(page, 0, "classes");
    assert_int_equal(json_array_size(found), FEW);
    assert_string_equal(json_string_value(json_array_get(found, 3)), endless);
    char expected[96];
    snprintf(expected, sizeof expected, "4</script><img src=x onerror=alert(1)><!--\"'\xf0\x9f\x98\x80\xef\xbf\xbd");
    assert_string_equal(json_string_value(json_array_get(found, 4)), expected);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "name")), classes[0]);
    json_decref(found);
    json_decref(list);
    free(page);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

/* Several models, and between them one that does not fit: nothing of it remains. */
static void side_by_side(void **state)
{
    crd_dataset *dataset = make_graph(NODES), *other;
    crd_model *model = trained(dataset, "gpn", 1), *second = trained(dataset, "lp", 1);
    crd_report_options options = few_iterations();
    crd_report *report;
    crd_error error = {0};
    const crd_arrays arrays = {.size = sizeof(crd_arrays), .nodes = 3};
    assert_ok(crd_dataset_from_arrays(&arrays, &other, NULL));
    assert_ok(crd_report_new("both", &report, NULL));
    assert_ok(crd_report_add_model(report, model, dataset, &options, NULL));
    assert_fails(crd_report_add_model(report, model, other, &options, &error), CRD_ERROR_MISMATCH, "features");
    assert_ok(crd_report_add_model(report, second, dataset, &options, NULL));
    assert_ok(crd_report_save(report, in(state, "r.html"), NULL));
    crd_report_free(&report);
    char *page = read_page(in(state, "r.html"));
    json_t *contents = unpack_json(page, -1, "page");
    assert_int_equal(json_array_size(json_object_get(contents, "parts")), 2);
    free(unpack_array(page, 1, "x", "uint16", 2, NODES));
    json_decref(contents);
    free(page);
    crd_model_free(&model);
    crd_model_free(&second);
    crd_dataset_free(&dataset);
    crd_dataset_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(a_gpn),   FOLDER_TEST(a_committee),       FOLDER_TEST(every_kind),
        FOLDER_TEST(without), FOLDER_TEST(small_and_strange), FOLDER_TEST(a_given_map),
        FOLDER_TEST(stopped), FOLDER_TEST(hostile_names),     FOLDER_TEST(side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
