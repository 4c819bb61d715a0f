/* SPDX-License-Identifier: MIT */
/* Where a model sees the nodes: its latent space or hidden layer, against dense products in double precision
 * computed again from the weights. */
#include <math.h>
#include <stdlib.h>

#include "dataset_helpers.h"
#include "io/archive.h"
#include "models/model.h"
#include "reference/reference.h"
#include "support/outcome.h"
#include "support/quick_model.h"

enum { NODES = 90, FEATURES = 30, HIDDEN = 7, LATENT = 3 };

static crd_dataset *make_graph(void)
{
    crd_generate_options options;
    crd_dataset *dataset;
    crd_generate_defaults(&options);
    options.nodes = NODES;
    options.classes = 3;
    options.features = FEATURES;
    options.lookalikes = 0;
    options.words = 5;
    assert_ok(crd_generate(&options, &dataset, NULL));
    return dataset;
}

static crd_model *trained(const crd_dataset *dataset, const char *kind)
{
    crd_config config;
    crd_config_defaults(&config);
    assert_ok(crd_config_set(&config, "model", kind, NULL));
    if (crd_kind_trained(kind)) {
        config.features = CRD_FEATURES_BINARY_ROWNORM;
        config.hidden = HIDDEN;
        config.max_epochs = 5;
        config.activation = CRD_ACT_LOGSIGMOID; /* never 0 */
    }
    if (strcmp(kind, "gpn") == 0) config.latent = LATENT;
    return train(dataset, &config, NULL);
}

/* out [NODES][columns] = rows times a weight stored as (in, out), plus a bias, which may be NULL. */
static void multiply(const double *rows, int64_t width, const crd_parameter *weight, const crd_parameter *bias,
                     double *out)
{
    const int64_t columns = weight->shape[0];
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t j = 0; j < columns; j++) {
            double sum = bias != NULL ? (double)bias->value[j] : 0.0;
            for (int64_t k = 0; k < width; k++) sum += rows[i * width + k] * (double)weight->value[k * columns + j];
            out[i * columns + j] = sum;
        }
}

/* out = D^-1/2 (A + I) D^-1/2 rows + bias */
static void convolve(const crd_graph *graph, const double *rows, int64_t width, const crd_parameter *bias, double *out)
{
    for (int64_t i = 0; i < NODES; i++) {
        const double own = sqrt(1.0 + (double)(graph->start[i + 1] - graph->start[i]));
        for (int64_t j = 0; j < width; j++)
            out[i * width + j] = (double)bias->value[j] + rows[i * width + j] / (own * own);
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
            const int64_t other = graph->neighbour[e];
            const double its = sqrt(1.0 + (double)(graph->start[other + 1] - graph->start[other]));
            for (int64_t j = 0; j < width; j++) out[i * width + j] += rows[other * width + j] / (own * its);
        }
    }
}

/* The latent space from the weights of the first parameters. The features are words, so that each is 1 / their
 * number. */
static void expected_latent(const crd_model *model, const crd_dataset *dataset, double *latent)
{
    static double x[NODES * FEATURES], product[NODES * HIDDEN], hidden[NODES * HIDDEN];
    const crd_parameter *p = model->parameter;
    const crd_features *f = &dataset->features;
    assert_int_equal(model->config.features, CRD_FEATURES_BINARY_ROWNORM);
    assert_non_null(f->start);
    memset(x, 0, sizeof x);
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t e = f->start[i]; e < f->start[i + 1]; e++)
            x[i * FEATURES + f->column[e]] = 1.0 / (double)(f->start[i + 1] - f->start[i]);
    const bool convolution = strstr(model->kind->name, "gcn") != NULL;
    multiply(x, FEATURES, &p[0], convolution ? NULL : &p[1], product);
    if (convolution) convolve(&dataset->graph, product, HIDDEN, &p[1], hidden);
    else memcpy(hidden, product, sizeof hidden);
    for (int i = 0; i < NODES * HIDDEN; i++) hidden[i] = ref_activate(model->config.activation, hidden[i]);
    if (strcmp(model->kind->name, "gpn") == 0) multiply(hidden, HIDDEN, &p[2], &p[3], latent);
    else memcpy(latent, hidden, sizeof hidden);
}

static void as_the_weights_say(void **state)
{
    (void)state;
    crd_dataset *dataset = make_graph();
    for (int k = 0; k < crd_kind_count(); k++) {
        if (strcmp(crd_kind_name(k), "committee") == 0) continue; /* its logits: test_committee.c */
        crd_model *model = trained(dataset, crd_kind_name(k));
        crd_prediction *prediction, *others;
        assert_ok(crd_predict(model, dataset, CRD_THREADS(1), &prediction, NULL));
        const float *found = crd_prediction_latent(prediction);
        const int64_t dims = crd_prediction_latent_dims(prediction);
        if (!crd_kind_trained(crd_kind_name(k))) {
            assert_null(found);
            assert_int_equal(dims, 0);
        } else {
            static double expected[NODES * HIDDEN];
            assert_int_equal(dims, strcmp(crd_kind_name(k), "gpn") == 0 ? LATENT : HIDDEN);
            expected_latent(model, dataset, expected);
            for (int64_t i = 0; i < NODES * dims; i++)
                if (!(fabs((double)found[i] - expected[i]) <= 1e-5 * (1.0 + fabs(expected[i]))))
                    fail_msg("%s: latent %lld is %g, expected %g", crd_kind_name(k), (long long)i, (double)found[i],
                             expected[i]);
            assert_ok(crd_predict(model, dataset, CRD_THREADS(3), &others, NULL));
            assert_memory_equal(found, crd_prediction_latent(others), (size_t)(NODES * dims) * sizeof(float));
            crd_prediction_free(&others);
        }
        crd_prediction_free(&prediction);
        crd_model_free(&model);
    }
    crd_dataset_free(&dataset);
}

static void rows_are_kept_in_step(void **state)
{
    (void)state;
    crd_dataset *dataset = make_graph();
    crd_model *model = trained(dataset, "gpn");
    crd_prediction *whole, *some;
    bool keep[NODES];
    for (int i = 0; i < NODES; i++) keep[i] = i % 3 == 1;
    assert_ok(crd_predict(model, dataset, CRD_THREADS(1), &whole, NULL));
    assert_ok(crd_predict(model, dataset, CRD_THREADS(1), &some, NULL));
    assert_ok(crd_prediction_keep(some, keep, NULL));
    assert_int_equal(crd_prediction_nodes(some), NODES / 3);
    assert_int_equal(crd_prediction_latent_dims(some), LATENT);
    for (int64_t row = 0; row < NODES / 3; row++)
        assert_memory_equal(crd_prediction_latent(some) + row * LATENT,
                            crd_prediction_latent(whole) + (3 * row + 1) * LATENT, LATENT * sizeof(float));
    crd_prediction_free(&whole);
    crd_prediction_free(&some);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

static void in_a_full_archive(void **state)
{
    crd_dataset *dataset = make_graph();
    const char *kinds[] = {"gpn", "lp"};
    for (int k = 0; k < 2; k++) {
        crd_model *model = trained(dataset, kinds[k]);
        crd_prediction *prediction;
        assert_ok(crd_predict(model, dataset, CRD_THREADS(1), &prediction, NULL));
        for (int full = 0; full < 2; full++) {
            const char *path = in(state, "answers.npz");
            crd_archive *bag;
            assert_ok(crd_prediction_write(prediction, dataset, path, CRD_TABLE_AUTO, full, NULL));
            assert_ok(crd_archive_open(path, &bag, NULL));
            assert_int_equal(crd_archive_has(bag, "latent"), full && k == 0);
            if (crd_archive_has(bag, "latent")) {
                crd_npy npy;
                crd_source *source;
                float *values;
                assert_ok(crd_archive_array(bag, "latent", &npy, &source, NULL));
                assert_int_equal(npy.dims, 2);
                assert_int_equal(npy.shape[0], NODES);
                assert_int_equal(npy.shape[1], LATENT);
                assert_ok(crd_npy_read(source, &npy, CRD_NPY_F4, &values, NULL));
                assert_memory_equal(values, crd_prediction_latent(prediction), NODES * LATENT * sizeof(float));
                crd_source_free(&source);
                free(values);
            }
            crd_archive_free(&bag);
        }
        crd_prediction_free(&prediction);
        crd_model_free(&model);
    }
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_weights_say),
        cmocka_unit_test(rows_are_kept_in_step),
        FOLDER_TEST(in_a_full_archive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
