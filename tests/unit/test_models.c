/* SPDX-License-Identifier: MIT */
/* Every kind of model through the public interface: training, saving, loading, answering. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "credence_private.h"
#include "dataset_helpers.h"
#include "support/outcome.h"
#include "support/quick_model.h"
#include "support/watched.h"

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        crd_error error_ = {0};                                                                                        \
        if ((call) != CRD_OK) fail_msg("%s: %s", #call, error_.message);                                               \
    } while (0)

/* What each kind provides. */
typedef struct {
    const char *name;
    bool trained, alpha, features_alone, explained;
    bool score[4]; /* in the order of crd_score */
} kind;

static const kind KINDS[] = {
    {"committee", true, true, false, true, {true, true, true, true}},
    {"gpn", true, true, true, true, {true, true, true, true}},
    {"appnp", true, false, false, false, {false, true, false, false}},
    {"vgcn", true, false, false, false, {true, true, false, false}},
    {"gkde-gcn", true, true, false, false, {true, true, false, true}},
    {"egcn", true, true, false, false, {true, true, false, true}},
    {"lp", false, true, false, true, {true, true, false, true}},
    {"gkde", false, true, false, true, {true, true, false, true}},
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

static crd_dataset *make_graph(int64_t nodes)
{
    crd_generate_options options;
    crd_dataset *dataset;
    crd_generate_defaults(&options);
    options.nodes = nodes;
    options.classes = 4;
    options.features = 60;
    options.lookalikes = 1;
    OK(crd_generate(&options, &dataset, &error_));
    return dataset;
}

static crd_config quick(const char *name)
{
    crd_config config;
    crd_config_defaults(&config);
    OK(crd_config_set(&config, "model", name, &error_));
    config.left_out = 1;
    config.max_epochs = 5;
    config.threads = 1;
    return config;
}

static void assert_same_file(const char *a, const char *b)
{
    FILE *left = fopen(a, "rb"), *right = fopen(b, "rb");
    assert_non_null(left);
    assert_non_null(right);
    int x, y;
    long at = 0;
    do {
        x = fgetc(left);
        y = fgetc(right);
        if (x != y) fail_msg("%s and %s differ at byte %ld", a, b, at);
        at++;
    } while (x != EOF);
    fclose(left);
    fclose(right);
}

static void assert_same_rows(const void *a, const void *b, size_t bytes)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a != NULL) assert_memory_equal(a, b, bytes);
}

static void assert_same_prediction(const crd_prediction *p, const crd_prediction *q)
{
    const size_t nodes = (size_t)crd_prediction_nodes(p), classes = (size_t)crd_prediction_classes(p);
    const size_t matrix = nodes * classes * sizeof(float);
    assert_int_equal(crd_prediction_nodes(q), nodes);
    assert_memory_equal(crd_prediction_class(p), crd_prediction_class(q), nodes * sizeof(int32_t));
    assert_memory_equal(crd_prediction_probability(p), crd_prediction_probability(q), matrix);
    assert_same_rows(crd_prediction_alpha(p), crd_prediction_alpha(q), matrix);
    assert_same_rows(crd_prediction_alpha_features(p), crd_prediction_alpha_features(q), matrix);
    for (int s = 0; s < 4; s++)
        assert_same_rows(crd_prediction_score(p, (crd_score)s), crd_prediction_score(q, (crd_score)s),
                         nodes * sizeof(double));
}

static void the_list(void **state)
{
    (void)state;
    assert_int_equal(crd_kind_count(), KIND_COUNT);
    for (int i = 0; i < KIND_COUNT; i++) {
        assert_string_equal(crd_kind_name(i), KINDS[i].name);
        assert_true(strlen(crd_kind_help(i)) > 20);
    }
    assert_null(crd_kind_name(-1));
    assert_null(crd_kind_name(KIND_COUNT));
    assert_null(crd_kind_help(-1));
    assert_null(crd_kind_help(KIND_COUNT));
}

/* The same bytes with any number of threads; the same answers after saving and loading. */
static void same_bytes(void **state)
{
    crd_dataset *dataset = make_graph(700);
    for (int i = 0; i < KIND_COUNT; i++) {
        const int threads[] = {1, 2, 5};
        crd_prediction *answers[3];
        const char *path[3];
        for (int t = 0; t < 3; t++) {
            crd_config config = quick(KINDS[i].name);
            config.threads = threads[t];
            crd_model *model = train(dataset, &config, NULL), *loaded;
            char name[32];
            snprintf(name, sizeof name, "%s-%d", KINDS[i].name, t);
            path[t] = in(state, name);
            OK(crd_model_save(model, path[t], &error_));
            OK(crd_predict(model, dataset, CRD_THREADS(threads[2 - t]), &answers[t], &error_));
            OK(crd_model_load(path[t], &loaded, &error_));
            crd_prediction *again;
            OK(crd_predict(loaded, dataset, CRD_THREADS(1), &again, &error_));
            assert_same_prediction(answers[t], again);
            const char *copy = in(state, "copy");
            OK(crd_model_save(loaded, copy, &error_));
            assert_same_file(path[t], copy);
            crd_prediction_free(&again);
            crd_model_free(&loaded);
            crd_model_free(&model);
        }
        assert_same_file(path[0], path[1]);
        assert_same_file(path[0], path[2]);
        assert_same_prediction(answers[0], answers[1]);
        assert_same_prediction(answers[0], answers[2]);
        for (int t = 0; t < 3; t++) crd_prediction_free(&answers[t]);
    }
    crd_dataset_free(&dataset);
}

static void check_facts(const crd_model *model, const crd_dataset *dataset, const kind *k)
{
    crd_model_facts facts;
    char *json;
    crd_model_get_facts(model, &facts);
    assert_string_equal(facts.kind, k->name);
    assert_int_equal(facts.features, k->trained ? crd_dataset_features(dataset) : 0);
    assert_int_equal(facts.classes, 3);
    assert_int_equal(facts.left_out, 1);
    const bool committee = strcmp(k->name, "committee") == 0; /* of two networks */
    assert_int_equal(facts.epochs, k->trained ? 5 * (1 + committee) : 0);
    assert_int_equal(facts.stop, k->trained ? CRD_STOP_EPOCHS : CRD_STOP_NOTHING);
    assert_int_equal(facts.parameters > 0, k->trained);
    assert_int_equal(isnan(facts.best_cross_entropy), !k->trained);
    assert_true(facts.training_nodes > 30);
    if (!k->trained) assert_string_equal(crd_stop_name(facts.stop), "nothing");
    OK(crd_model_facts_json(model, &json, &error_));
    assert_int_equal(strstr(json, "\"latent\"") != NULL, strcmp(k->name, "gpn") == 0);
    assert_int_equal(strstr(json, "\"lr\"") != NULL, k->trained);
    crd_string_free(&json);
}

/* Probabilities add up, the class is the most probable one, and the right scores exist. */
static void check_prediction(const crd_prediction *p, const kind *k)
{
    const int32_t classes = crd_prediction_classes(p);
    const float *probability = crd_prediction_probability(p), *alpha = crd_prediction_alpha(p);
    const double *doubt = crd_prediction_score(p, CRD_SCORE_ALEATORIC);
    assert_int_equal(alpha != NULL, k->alpha);
    assert_int_equal(crd_prediction_alpha_features(p) != NULL, k->features_alone);
    for (int s = 0; s < 4; s++)
        if ((crd_prediction_score(p, (crd_score)s) != NULL) != k->score[s]) fail_msg("%s: score %d", k->name, s);
    for (int64_t i = 0; i < crd_prediction_nodes(p); i++) {
        const float *row = probability + i * classes;
        const int32_t answer = crd_prediction_class(p)[i];
        double sum = 0.0;
        for (int32_t c = 0; c < classes; c++) {
            assert_true(row[c] >= 0.0f && row[c] <= row[answer]);
            sum += (double)row[c];
        }
        assert_true(fabs(sum - 1.0) < 1e-6);
        assert_true(fabs(doubt[i] + (double)row[answer]) < 1e-6);
    }
}

/* Files of the answers; cells are empty, null, or arrays are missing if there is no value. */
static void check_files(void **state, const crd_prediction *p, const crd_dataset *dataset, const kind *k)
{
    const char *endings[] = {"a.csv", "a.jsonl", "a.npz"};
    for (int e = 0; e < 3; e++)
        OK(crd_prediction_write(p, dataset, in(state, endings[e]), CRD_TABLE_AUTO, true, &error_));
    char line[4096];
    FILE *file = fopen(in(state, "a.jsonl"), "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_int_equal(strstr(line, "\"epistemic\":null") != NULL, !k->score[CRD_SCORE_EPISTEMIC]);
    assert_int_equal(strstr(line, "\"epistemic_features\":null") != NULL, !k->score[CRD_SCORE_EPISTEMIC_FEATURES]);
    assert_int_equal(strstr(line, "\"alpha\":null") != NULL, !k->alpha);
    assert_non_null(strstr(line, "\"p\":["));
    /* node, class, probability, three scores, three alphas, three probabilities */
    file = fopen(in(state, "a.csv"), "r");
    assert_non_null(file);
    for (int row = 0; row < 2; row++) {
        assert_non_null(fgets(line, sizeof line, file));
        int commas = 0;
        for (const char *c = line; *c != '\0'; c++) commas += *c == ',';
        assert_int_equal(commas, strcmp(k->name, "committee") == 0 ? 12 : 11); /* it has calibration nodes */
    }
    fclose(file);
}

static void check_rejection(crd_prediction *p, const kind *k)
{
    crd_error error = {0};
    int64_t rejected;
    for (int s = 0; s < 4; s++) {
        const crd_rejection by = {.size = sizeof by, .by_coverage = true, .coverage = 0.5, .score = (crd_score)s};
        if (k->score[s]) {
            assert_ok(crd_prediction_reject(p, &by, &rejected, &error));
            assert_int_equal(rejected, crd_prediction_nodes(p) / 2);
        } else {
            assert_fails(crd_prediction_reject(p, &by, &rejected, &error), CRD_ERROR_ARGUMENT, "the model gives no ");
        }
    }
}

static void check_evaluation(const crd_model *model, const crd_dataset *dataset, const kind *k)
{
    crd_evaluation e;
    char *json;
    OK(crd_evaluate(model, dataset, NULL, CRD_TASK_OOD, CRD_THREADS(1), &e, &error_));
    assert_true(e.accuracy > 0.3 && isfinite(e.ood_aleatoric.auroc));
    assert_int_equal(isfinite(e.ood_epistemic.auroc) != 0, k->score[CRD_SCORE_EPISTEMIC]);
    assert_int_equal(isfinite(e.ood_epistemic_features.auroc) != 0, k->score[CRD_SCORE_EPISTEMIC_FEATURES]);
    OK(crd_evaluation_json(&e, &json, &error_));
    assert_int_equal(strstr(json, "\"epistemic\":{\"auroc\":null") != NULL, !k->score[CRD_SCORE_EPISTEMIC]);
    crd_string_free(&json);
    OK(crd_evaluate(model, dataset, NULL, CRD_TASK_MISCLASSIFICATION, CRD_THREADS(1), &e, &error_));
    assert_true(isfinite(e.failure_aleatoric.auroc) && isfinite(e.nll) && isfinite(e.ece));
    assert_int_equal(isfinite(e.failure_epistemic.auroc) != 0, k->score[CRD_SCORE_EPISTEMIC_CLASS]);
}

/* The listed contributions and the rest are all of the evidence, for the kinds where it adds up. */
static void check_explanation(const crd_model *model, const crd_dataset *dataset, const crd_prediction *p,
                              const kind *k)
{
    crd_explanation *x;
    crd_error error = {0};
    if (!k->explained) {
        assert_fails(crd_explain(model, dataset, 3, 5, CRD_THREADS(1), &x, &error), CRD_ERROR_ARGUMENT,
                     "cannot be explained: its answers are no sum over nodes");
        assert_non_null(strstr(error.message, k->name));
        assert_null(x);
        return;
    }
    const int32_t classes = crd_prediction_classes(p);
    if (strcmp(k->name, "committee") == 0) return; /* its sums are of logits: test_explain.c */
    for (int64_t node = 0; node < 40; node++) {
        double strength = 0.0; /* calibration moves the mean of a Dirichlet distribution, but keeps its strength */
        OK(crd_explain(model, dataset, node, 5, CRD_THREADS(1), &x, &error_));
        for (int32_t c = 0; c < classes; c++) {
            double sum = crd_explanation_rest(x)[c];
            for (int64_t i = 0; i < crd_explanation_count(x); i++) sum += crd_explanation_at(x, i)->evidence[c];
            const double alpha = crd_explanation_alpha(x)[c];
            strength += (double)crd_prediction_alpha(p)[node * classes + c] - alpha;
            if (fabs(1.0 + sum - alpha) > 2e-5 * alpha)
                fail_msg("%s: node %lld, class %d: %.9g, expected %.9g", k->name, (long long)node, c, 1.0 + sum, alpha);
        }
        assert_true(fabs(strength) <= 1e-5 * fabs(crd_prediction_score(p, CRD_SCORE_EPISTEMIC)[node]));
        crd_explanation_free(&x);
    }
}

static void what_each_gives(void **state)
{
    crd_dataset *dataset = make_graph(300);
    for (int i = 0; i < KIND_COUNT; i++) {
        const kind *k = &KINDS[i];
        crd_config config = quick(k->name);
        crd_model *model = train(dataset, &config, NULL);
        crd_prediction *p;
        OK(crd_predict(model, dataset, CRD_THREADS(1), &p, &error_));
        check_facts(model, dataset, k);
        check_prediction(p, k);
        check_files(state, p, dataset, k);
        check_rejection(p, k);
        check_evaluation(model, dataset, k);
        check_explanation(model, dataset, p, k);
        crd_prediction_free(&p);
        crd_model_free(&model);
    }
    crd_dataset_free(&dataset);
}

/* ---- models that remember ---- */

/* A path 0 - 1 - ... with a class at each end, followed by lonely nodes. */
static crd_dataset *path_graph(int nodes, int lonely)
{
    int64_t source[64], target[64];
    int32_t labels[64];
    for (int i = 0; i < nodes + lonely; i++) labels[i] = -1;
    for (int i = 0; i + 1 < nodes; i++) {
        source[i] = i;
        target[i] = i + 1;
    }
    labels[0] = 0;
    labels[nodes - 1] = 1;
    labels[1] = 0;
    const crd_arrays arrays = {.size = sizeof(crd_arrays),
                               .nodes = nodes + lonely,
                               .edges = nodes - 1,
                               .source = {source, CRD_INT64},
                               .target = {target, CRD_INT64},
                               .labels = labels};
    crd_dataset *dataset;
    OK(crd_dataset_from_arrays(&arrays, &dataset, &error_));
    return dataset;
}

/* Nodes 0 and `nodes - 1` are training nodes; node 1, which is labelled, is not. */
static crd_model *remember_as(const crd_dataset *dataset, int nodes, const char *name, bool rounded)
{
    uint8_t roles[64] = {0};
    crd_split *split;
    crd_model *model;
    crd_config config;
    crd_config_defaults(&config);
    OK(crd_config_set(&config, "model", name, &error_));
    config.rounded_alpha = rounded;
    roles[0] = roles[nodes - 1] = CRD_ROLE_TRAIN;
    roles[5] = CRD_ROLE_TRAIN; /* of unknown class: it teaches nothing */
    OK(crd_split_from_roles(roles, crd_dataset_nodes(dataset), &split, &error_));
    OK(crd_train(dataset, split, &config, NULL, &model, &error_));
    crd_split_free(&split);
    return model;
}

static crd_model *remember(const crd_dataset *dataset, int nodes, const char *name)
{
    return remember_as(dataset, nodes, name, false);
}

/* No features, no validation nodes. At d hops a node gives its class exp(-d^2/2)/sqrt(2 pi), up to 10 hops. */
static void kernel_by_hand(void **state)
{
    enum { NODES = 14 };
    crd_dataset *dataset = path_graph(NODES, 1);
    crd_model *model = remember(dataset, NODES, "gkde");
    crd_prediction *p;
    (void)state;
    OK(crd_predict(model, dataset, CRD_THREADS(2), &p, &error_));
    for (int i = 0; i <= NODES; i++) {
        const int from_first = i, from_last = NODES - 1 - i;
        const double root = sqrt(2.0 * 3.14159265358979323846);
        double first = from_first <= 10 ? exp(-0.5 * from_first * from_first) / root : 0.0;
        double last = from_last <= 10 ? exp(-0.5 * from_last * from_last) / root : 0.0;
        if (i == NODES) first = last = 0.0; /* no path */
        const double found = crd_prediction_score(p, CRD_SCORE_EPISTEMIC)[i];
        assert_true(fabs(found + 2.0 + first + last) < 1e-7);
        if (i < NODES) assert_int_equal(crd_prediction_class(p)[i], i < NODES / 2 ? 0 : 1);
    }
    crd_prediction_free(&p);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

/* In single precision 1 + exp(-36/2)/sqrt(2 pi) is 1: from six hops on, all nodes are equally far away. */
static void rounded_alpha(void **state)
{
    enum { NODES = 20 };
    crd_dataset *dataset = path_graph(NODES, 1);
    crd_prediction *p;
    (void)state;
    for (int rounded = 0; rounded < 2; rounded++) {
        crd_model *model = remember_as(dataset, NODES, "gkde", rounded == 1);
        OK(crd_predict(model, dataset, CRD_THREADS(1), &p, &error_));
        const double *score = crd_prediction_score(p, CRD_SCORE_EPISTEMIC);
        for (int i = 1; i < NODES / 2 - 1; i++) {
            if (i < 6) assert_true(score[i] > score[i - 1] && score[i] < -2.0);
            else assert_int_equal(score[i] == -2.0, rounded);
        }
        crd_prediction_free(&p);
        crd_model_free(&model);
    }
    crd_dataset_free(&dataset);
}

/* A graph that has grown is fine, also with the model's file; one that lacks a training node is not. */
static void grown_and_shrunk(void **state)
{
    enum { NODES = 12 };
    const char *names[] = {"lp", "gkde"};
    for (int m = 0; m < 2; m++) {
        crd_dataset *dataset = path_graph(NODES, 0), *grown = path_graph(NODES, 3);
        crd_dataset *shrunk = path_graph(NODES - 1, 0);
        crd_model *model = remember(dataset, NODES, names[m]), *loaded;
        crd_model_facts facts;
        crd_model_get_facts(model, &facts);
        assert_int_equal(facts.training_nodes, 2);
        OK(crd_model_save(model, in(state, "m"), &error_));
        OK(crd_model_load(in(state, "m"), &loaded, &error_));
        crd_prediction *p, *q, *none;
        OK(crd_predict(loaded, dataset, CRD_THREADS(1), &p, &error_));
        OK(crd_predict(loaded, grown, CRD_THREADS(1), &q, &error_));
        const float *alpha = crd_prediction_alpha(p), *later = crd_prediction_alpha(q);
        for (int i = 0; i < 2 * NODES; i++) {
            /* lonely nodes change nothing for gkde, and for lp only what PageRank spreads over all nodes */
            if (m == 1) assert_true(alpha[i] == later[i]);
            else assert_true(fabsf(alpha[i] - later[i]) < 0.01f);
        }
        crd_error error = {0};
        assert_fails(crd_predict(loaded, shrunk, CRD_THREADS(1), &none, &error), CRD_ERROR_MISMATCH,
                     "training nodes up to number 11, the data have 11 nodes");
        crd_explanation *x;
        assert_fails(crd_explain(loaded, shrunk, 0, 5, CRD_THREADS(1), &x, &error), CRD_ERROR_MISMATCH,
                     "up to number 11");
        OK(crd_explain(loaded, grown, NODES + 1, 5, CRD_THREADS(1), &x, &error_)); /* a lonely node */
        assert_int_equal(crd_explanation_count(x), m == 0 ? 2 : 0);
        for (int64_t c = 0; c < crd_explanation_count(x); c++) assert_int_equal(crd_explanation_at(x, c)->hops, -1);
        crd_explanation_free(&x);
        crd_prediction_free(&p);
        crd_prediction_free(&q);
        crd_model_free(&model);
        crd_model_free(&loaded);
        crd_dataset_free(&dataset);
        crd_dataset_free(&grown);
        crd_dataset_free(&shrunk);
    }
}

static void what_is_refused(void **state)
{
    (void)state;
    enum { NODES = 12 };
    crd_dataset *dataset = path_graph(NODES, 0);
    crd_model *model = remember(dataset, NODES, "lp"), *none;
    crd_error error = {0};
    crd_config config = quick("lp");
    config.left_out = 0;
    const crd_train_options options = {.size = sizeof options, .init = model};
    assert_fails(crd_train(dataset, crd_model_split(model), &config, &options, &none, &error), CRD_ERROR_ARGUMENT,
                 "the model lp has no weights that could start from others");
    const char *names[] = {"gpn", "appnp", "vgcn", "gkde-gcn"};
    for (int i = 0; i < 4; i++) {
        config = quick(names[i]);
        config.left_out = 0;
        assert_fails(crd_train(dataset, crd_model_split(model), &config, NULL, &none, &error), CRD_ERROR_MISMATCH,
                     "the data have no node features, which the model ");
    }
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

/* ---- a teacher ---- */

typedef struct {
    int warmup, main, stop_at;
    double first_loss;
} seen;

static bool watch(const crd_progress *progress, void *user)
{
    const crd_epoch *epoch = progress->epoch;
    if (epoch == NULL) return true;
    seen *s = user;
    if (s->warmup + s->main == 0) s->first_loss = epoch->loss;
    if (epoch->warmup) {
        assert_int_equal(s->main, 0);
        assert_int_equal(epoch->epoch, s->warmup + 1);
        assert_false(epoch->best);
        assert_int_equal(epoch->best_epoch, 0);
        assert_string_equal(epoch->term_name[0], "cross_entropy");
    } else {
        assert_string_equal(epoch->term_name[0], "risk");
    }
    if (epoch->warmup) s->warmup++;
    else s->main++;
    return s->warmup + s->main != s->stop_at;
}

static bool watch_plain(const crd_progress *progress, void *user)
{
    const crd_epoch *epoch = progress->epoch;
    if (epoch == NULL) return true;
    seen *s = user;
    if (s->main++ == 0) s->first_loss = epoch->loss;
    return true;
}

/* The teacher is the vgcn with the same seed; its epochs come first and can be interrupted. */
static void teacher(void **state)
{
    (void)state;
    crd_dataset *dataset = make_graph(200);
    crd_config config = quick("gkde-gcn"), its = quick("vgcn");
    seen all = {0}, alone = {0}, early = {.stop_at = 3}, late = {.stop_at = 7};
    crd_model_facts facts;
    crd_model *model = train(dataset, &its, WATCHED(NULL, watch_plain, &alone));
    crd_model_free(&model);
    model = train(dataset, &config, WATCHED(NULL, watch, &all));
    assert_int_equal(all.warmup, 5);
    assert_int_equal(all.main, 5);
    assert_true(all.first_loss == alone.first_loss);
    crd_model_free(&model);

    model = train(dataset, &config, WATCHED(NULL, watch, &early));
    crd_model_get_facts(model, &facts);
    assert_int_equal(early.warmup, 3);
    assert_int_equal(early.main, 0);
    assert_int_equal(facts.stop, CRD_STOP_REQUESTED);
    assert_int_equal(facts.epochs, 0);
    crd_model_free(&model);

    model = train(dataset, &config, WATCHED(NULL, watch, &late));
    crd_model_get_facts(model, &facts);
    assert_int_equal(late.main, 2);
    assert_int_equal(facts.stop, CRD_STOP_REQUESTED);
    assert_int_equal(facts.epochs, 2);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list),       FOLDER_TEST(same_bytes),         FOLDER_TEST(what_each_gives),
        cmocka_unit_test(kernel_by_hand), FOLDER_TEST(grown_and_shrunk),   cmocka_unit_test(what_is_refused),
        cmocka_unit_test(teacher),        cmocka_unit_test(rounded_alpha),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
