/* SPDX-License-Identifier: MIT */
/* Explanations of a committee: what nodes give adds up to the logits and the doubt of a prediction. */
#include <math.h>
#include <stdlib.h>

#include "answers/answers.h"
#include "base/random.h"
#include "support/outcome.h"
#include "support/quick_model.h"

enum { NODES = 120, FEATURES = 8, CLASSES = 3, LONELY = 117 };

static crd_error error_;
#define OK(call)                                                                                                       \
    do {                                                                                                               \
        if ((call) != CRD_OK) fail_msg("%s", error_.message);                                                          \
    } while (0)

/* A ring with some chords, so that there are nodes far away; from LONELY on nodes have no edge. */
static crd_dataset *make_graph(void)
{
    static int64_t source[2 * NODES], target[2 * NODES];
    static float dense[NODES * FEATURES];
    static int32_t labels[NODES];
    crd_rng rng = crd_rng_start(5, 1);
    int64_t edges = 0;
    for (int i = 0; i < NODES; i++) {
        labels[i] = i % CLASSES;
        for (int j = 0; j < FEATURES; j++)
            dense[i * FEATURES + j] = (float)(crd_rng_uniform(&rng) + (j % CLASSES == i % CLASSES ? 1.0 : 0.0));
        if (i >= LONELY) continue;
        source[edges] = i;
        target[edges++] = (i + 1) % LONELY;
        if (i % 5 != 0 || i + 3 >= LONELY) continue;
        source[edges] = i;
        target[edges++] = i + 3;
    }
    const crd_arrays arrays = {.size = sizeof(crd_arrays),
                               .nodes = NODES,
                               .edges = edges,
                               .source = {source, CRD_INT64},
                               .target = {target, CRD_INT64},
                               .features = FEATURES,
                               .dense = {dense, CRD_FLOAT32},
                               .labels = labels};
    crd_dataset *dataset;
    OK(crd_dataset_from_arrays(&arrays, &dataset, &error_));
    return dataset;
}

static crd_model *make_model(const crd_dataset *dataset, const char *steps)
{
    crd_config config;
    crd_config_defaults(&config);
    config.threads = 1;
    OK(crd_config_set(&config, "model", "committee", &error_));
    OK(crd_config_set(&config, "max-epochs", "15", &error_));
    OK(crd_config_set(&config, "steps", steps, &error_));
    return train(dataset, &config, NULL);
}

static void assert_near(double found, double expected, const char *what, int64_t node)
{
    if (!(fabs(found - expected) <= 2e-5 * (1.0 + fabs(expected))))
        fail_msg("%s of node %lld: %.9g, expected %.9g", what, (long long)node, found, expected);
}

/* The largest of a contribution's numbers, without sign. */
static double largest(const crd_contribution *from)
{
    double most = fabs(from->doubt);
    for (int k = 0; k < CLASSES; k++) most = fmax(most, fabs(from->evidence[k]));
    return most;
}

static void check_sums(const crd_explanation *x, int64_t node, const float *logits, double score)
{
    double rest, fixed, mean = 0.0, before = INFINITY;
    const double doubt = crd_explanation_doubt(x, &rest, &fixed);
    double sum = rest + fixed;
    for (int k = 0; k < CLASSES; k++) mean += (double)logits[k] / CLASSES;
    for (int64_t c = 0; c < crd_explanation_count(x); c++) {
        const crd_contribution *from = crd_explanation_at(x, c);
        assert_int_equal(from->hops == 0, from->node == node);
        assert_true(from->total == largest(from) && from->total <= before);
        before = from->total;
        sum += from->doubt;
    }
    assert_near(sum, score, "the doubt", node);
    assert_near(doubt, score, "the sum of doubt", node);
    for (int k = 0; k < CLASSES; k++) {
        double given = crd_explanation_rest(x)[k];
        for (int64_t c = 0; c < crd_explanation_count(x); c++) given += crd_explanation_at(x, c)->evidence[k];
        assert_near(given, (double)logits[k] - mean, "a logit", node);
        assert_near(crd_explanation_logits(x)[k], (double)logits[k] - mean, "the sum of a logit", node);
    }
}

/* For nodes with and without neighbours, any number of contributions listed, and fewer steps than the near view has. */
static void they_add_up(void **state)
{
    static const char *const steps[] = {"10", "1"};
    static float logits[NODES * CLASSES];
    (void)state;
    crd_dataset *dataset = make_graph();
    for (int s = 0; s < 2; s++) {
        crd_model *model = make_model(dataset, steps[s]);
        crd_prediction *p;
        OK(crd_predict(model, dataset, CRD_THREADS(1), &p, &error_));
        OK(crd_infer(model, dataset, NULL, 1, logits, NULL, NULL, &error_));
        for (int64_t node = 0; node < NODES; node += 3)
            for (int64_t most = 0; most <= NODES; most += 30) {
                crd_explanation *x;
                OK(crd_explain(model, dataset, node, most, CRD_THREADS(1), &x, &error_));
                assert_string_equal(crd_explanation_quantity(x), "logits");
                assert_null(crd_explanation_alpha(x));
                assert_true(crd_explanation_count(x) <= most);
                check_sums(x, node, logits + node * CLASSES, crd_prediction_score(p, CRD_SCORE_EPISTEMIC)[node]);
                if (node >= LONELY && most > 0) {
                    assert_int_equal(crd_explanation_count(x), 1);
                    assert_int_equal(crd_explanation_at(x, 0)->node, node);
                }
                crd_explanation_free(&x);
            }
        crd_prediction_free(&p);
        crd_model_free(&model);
    }
    crd_dataset_free(&dataset);
}

/* Nodes too far away to matter are not used: their features may be NaN. */
static void they_look_around(void **state)
{
    const int64_t node = 60;
    (void)state;
    crd_dataset *dataset = make_graph();
    crd_model *model = make_model(dataset, "3");
    crd_explanation *before, *after;
    OK(crd_explain(model, dataset, node, NODES, CRD_THREADS(1), &before, &error_));
    crd_features *f = &dataset->features;
    for (int64_t i = 0; i < NODES; i++) {
        if (i > 40 && i < 80) continue; /* a chord leads three nodes on, and four edges matter */
        if (f->sparse)
            for (int64_t e = f->start[i]; e < f->start[i + 1]; e++) f->value[e] = NAN;
        else
            for (int64_t c = 0; c < f->columns; c++) f->dense[i * f->columns + c] = NAN;
    }
    OK(crd_explain(model, dataset, node, NODES, CRD_THREADS(1), &after, &error_));
    assert_int_equal(crd_explanation_count(after), crd_explanation_count(before));
    for (int k = 0; k < CLASSES; k++)
        assert_true(crd_explanation_logits(after)[k] == crd_explanation_logits(before)[k]);
    for (int64_t c = 0; c < crd_explanation_count(after); c++) {
        assert_int_equal(crd_explanation_at(after, c)->node, crd_explanation_at(before, c)->node);
        assert_true(crd_explanation_at(after, c)->hops <= 3);
    }
    crd_explanation_free(&before);
    crd_explanation_free(&after);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

static double doubt_of(const crd_pool *pool, int view, const float *logits)
{
    double signals[CRD_SIGNALS];
    crd_pool_signals(logits, CLASSES, signals);
    return pool->signal[view] * signals[view] + pool->signal[CRD_POOL_VIEWS + view] * signals[CRD_POOL_VIEWS + view];
}

/* Doubt as a sum is exact at its place, and its slope is that of the signals. */
static void doubt_has_a_slope(void **state)
{
    const crd_pool pool = {.signal = {0.7, 0.0, 1.3, 0.2, 0.9, 0.4}};
    float logits[CRD_POOL_VIEWS * (CLASSES + 1)];
    double slope[CLASSES + 1];
    crd_rng rng = crd_rng_start(3, 1);
    (void)state;
    for (int i = 0; i < CRD_POOL_VIEWS * (CLASSES + 1); i++) logits[i] = (float)(4.0 * crd_rng_uniform(&rng) - 2.0);
    for (int view = 0; view < CRD_POOL_VIEWS; view++) {
        float *row = logits + view * (CLASSES + 1);
        double sum = crd_pool_slope(&pool, view, row, CLASSES, slope);
        for (int k = 0; k <= CLASSES; k++) sum += slope[k] * (double)row[k];
        assert_true(fabs(sum - doubt_of(&pool, view, logits)) < 1e-6);
        for (int k = 0; k <= CLASSES; k++) {
            const float at = row[k], step = 1e-2f;
            row[k] = at + step;
            const double above = doubt_of(&pool, view, logits), high = (double)row[k];
            row[k] = at - step;
            const double below = doubt_of(&pool, view, logits), low = (double)row[k];
            row[k] = at;
            assert_true(fabs((above - below) / (high - low) - slope[k]) < 1e-3);
        }
    }
}

static void as_json(void **state)
{
    (void)state;
    crd_dataset *dataset = make_graph();
    crd_model *model = make_model(dataset, "10");
    crd_explanation *x;
    char *json;
    OK(crd_explain(model, dataset, 7, 2, CRD_THREADS(1), &x, &error_));
    OK(crd_explanation_json(x, &json, &error_));
    assert_non_null(strstr(json, "\"quantity\":\"logits\",\"logits\":["));
    assert_non_null(strstr(json, "\"doubt\":{\"sum\":"));
    assert_non_null(strstr(json, "\"hops\":0,\"logits\":["));
    assert_null(strstr(json, "alpha"));
    crd_string_free(&json);
    crd_explanation_free(&x);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_add_up),
        cmocka_unit_test(they_look_around),
        cmocka_unit_test(doubt_has_a_slope),
        cmocka_unit_test(as_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
