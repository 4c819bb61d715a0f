/* SPDX-License-Identifier: MIT */
/* A model with another score, made without training again, is the one that training would have made. */
#include <stdlib.h>

#include "dataset_helpers.h"
#include "models/model.h"
#include "support/outcome.h"

static crd_dataset *dataset;
static crd_split *split;

static int set_up(void **state)
{
    (void)state;
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = 240;
    options.classes = 4;
    options.features = 50;
    options.lookalikes = 1;
    assert_ok(crd_generate(&options, &dataset, NULL));
    assert_ok(crd_split_make(dataset, "20/40/40", 0, 1, &split, NULL));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    return 0;
}

static crd_config make_config(const char *kind)
{
    crd_config config;
    crd_config_defaults(&config);
    assert_ok(crd_config_set(&config, "model", kind, NULL));
    config.left_out = 1;
    config.max_epochs = 12;
    config.threads = 1;
    config.hold_out = 0.5; /* the model file then has what the score says of calibration nodes */
    config.calibration = CRD_CALIBRATION_TEMPERATURE;
    return config;
}

static crd_model *train(const crd_config *config)
{
    crd_model *model;
    crd_error error;
    if (crd_train(dataset, split, config, NULL, &model, &error) != CRD_OK) fail_msg("%s", error.message);
    return model;
}

/* Files hold all of a model but the seconds of its training. */
static void assert_same(void **state, const crd_model *a, const crd_model *b)
{
    size_t size[2];
    assert_ok(crd_model_save(a, in(state, "a"), NULL));
    assert_ok(crd_model_save(b, in(state, "b"), NULL));
    unsigned char *left = get_bytes(in(state, "a"), &size[0]), *right = get_bytes(in(state, "b"), &size[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(left, right, size[0]);
    free(left);
    free(right);
}

/* From a model with one score to one with each other score. */
static void check_all(void **state, crd_config config, crd_doubt from)
{
    const unsigned allowed = crd_model_kind_find(config.model)->scores | 1u << CRD_DOUBT_OWN;
    config.score = from;
    crd_model *trained = train(&config);
    assert_true(trained->held_count > 0);
    assert_true(trained->calibrations > 0);
    assert_true(trained->seconds > 0.0);
    for (int score = 0; score < CRD_DOUBTS; score++) {
        if ((allowed >> score & 1) == 0) continue;
        crd_model *made;
        config.score = (crd_doubt)score;
        crd_model *expected = train(&config);
        assert_ok(crd_rescore(trained, dataset, split, config.score, &made, NULL));
        assert_same(state, made, expected);
        if (score == CRD_DOUBT_EPN) assert_true(made->seconds > trained->seconds);
        else assert_true(made->seconds == trained->seconds);
        crd_model_free(&made);
        crd_model_free(&expected);
    }
    crd_model_free(&trained);
}

static void every_score(void **state)
{
    static const char *const kinds[] = {"vgcn", "appnp", "gpn", "gkde-gcn", "egcn"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) check_all(state, make_config(kinds[k]), CRD_DOUBT_OWN);
    check_all(state, make_config("vgcn"), CRD_DOUBT_EPN);
}

static void without_left_out_nodes(void **state)
{
    crd_config config = make_config("vgcn");
    config.inductive = true;
    check_all(state, config, CRD_DOUBT_OWN);
}

/* Unlike one temperature, it is fitted with the edges and the training nodes. */
static void with_gats(void **state)
{
    crd_config config = make_config("vgcn");
    config.calibration = CRD_CALIBRATION_GATS;
    check_all(state, config, CRD_DOUBT_OWN);
}

static void refused(void **state)
{
    (void)state;
    const crd_config config = make_config("vgcn");
    crd_model *trained = train(&config), *made = trained;
    crd_error error;
    assert_fails(crd_rescore(trained, dataset, split, CRD_DOUBT_VACUITY, &made, &error), CRD_ERROR_ARGUMENT, "vacuity");
    assert_null(made);
    crd_model_free(&trained);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(every_score),
        FOLDER_TEST(without_left_out_nodes),
        FOLDER_TEST(with_gats),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
