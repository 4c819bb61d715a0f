/* SPDX-License-Identifier: MIT */
/* Committees from end to end: what they are trained on, what stops them, and that no label is used that must not be. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "answers/answers.h"
#include "dataset_helpers.h"
#include "models/model.h"
#include "support/outcome.h"
#include "train/train.h"
#include "support/watched.h"

enum { NODES = 240, CLASSES = 4, FEATURES = 30, HIDDEN = 6, EPOCHS = 6 };

static crd_dataset *make_graph(void)
{
    crd_generate_options options;
    crd_dataset *dataset;
    crd_generate_defaults(&options);
    options.nodes = NODES;
    options.classes = CLASSES;
    options.features = FEATURES;
    options.lookalikes = 1;
    assert_ok(crd_generate(&options, &dataset, NULL));
    return dataset;
}

static crd_config quick(void)
{
    crd_config config;
    crd_config_defaults(&config);
    assert_string_equal(config.model, "committee");
    config.hidden = HIDDEN;
    config.max_epochs = EPOCHS;
    config.threads = 1;
    return config;
}

static crd_split *drawn(const crd_dataset *dataset)
{
    crd_split *split;
    assert_ok(crd_split_make(dataset, "10/20/10/60", 0, 2, &split, NULL));
    return split;
}

static crd_model *train(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                        const crd_train_options *options)
{
    crd_model *model;
    crd_error error = {0};
    if (crd_train(dataset, split, config, options, &model, &error) != CRD_OK) fail_msg("%s", error.message);
    return model;
}

static void assert_same_networks(const crd_model *a, const crd_model *b, int32_t count)
{
    assert_true(a->members >= count && b->members >= count);
    for (int32_t m = 0; m < count; m++)
        for (int p = 0; p < a->member[m]->parameters; p++)
            assert_memory_equal(a->member[m]->parameter[p].value, b->member[m]->parameter[p].value,
                                (size_t)a->member[m]->parameter[p].count * sizeof(float));
}

static void assert_same_answers(const crd_prediction *a, const crd_prediction *b)
{
    const size_t nodes = (size_t)crd_prediction_nodes(a), cells = nodes * (size_t)crd_prediction_classes(a);
    assert_memory_equal(crd_prediction_probability(a), crd_prediction_probability(b), cells * sizeof(float));
    assert_memory_equal(crd_prediction_alpha(a), crd_prediction_alpha(b), cells * sizeof(float));
    assert_memory_equal(crd_prediction_latent(a), crd_prediction_latent(b),
                        nodes * (size_t)crd_prediction_latent_dims(a) * sizeof(float));
    for (int s = 0; s < CRD_SCORES; s++)
        assert_memory_equal(crd_prediction_score(a, (crd_score)s), crd_prediction_score(b, (crd_score)s),
                            nodes * sizeof(double));
}

/* Saved and loaded it gives the same answers, and the same file again; all numbers of the answers are finite. */
static void assert_usable(void **state, const crd_model *model, const crd_dataset *dataset)
{
    crd_prediction *before, *after;
    crd_model *loaded;
    crd_error error = {0};
    const char *path = in(state, "model"), *copy = in(state, "copy");
    assert_ok(crd_predict(model, dataset, CRD_THREADS(1), &before, &error));
    assert_ok(crd_model_save(model, path, &error));
    if (crd_model_load(path, &loaded, &error) != CRD_OK) fail_msg("%s", error.message);
    assert_int_equal(loaded->members, model->members);
    assert_same_networks(loaded, model, model->members);
    assert_memory_equal(&loaded->pool, &model->pool, sizeof model->pool);
    assert_ok(crd_predict(loaded, dataset, CRD_THREADS(3), &after, &error));
    assert_same_answers(before, after);
    assert_ok(crd_model_save(loaded, copy, &error));
    size_t size, size_of_copy;
    unsigned char *bytes = get_bytes(path, &size), *again = get_bytes(copy, &size_of_copy);
    assert_int_equal(size, size_of_copy);
    assert_memory_equal(bytes, again, size);
    double labelled = 0.0;
    for (int32_t k = 0; k < model->classes; k++) labelled += (double)model->class_counts[k];
    for (int64_t i = 0; i < crd_prediction_nodes(before); i++) {
        const double doubt = crd_prediction_score(before, CRD_SCORE_EPISTEMIC)[i];
        double sum = 0.0;
        for (int32_t k = 0; k < model->classes; k++)
            sum += (double)crd_prediction_alpha(before)[i * model->classes + k];
        assert_true(isfinite(doubt) && isfinite(crd_prediction_score(before, CRD_SCORE_EPISTEMIC_FEATURES)[i]));
        const double strength = 1.0 + labelled * exp(-doubt);
        assert_true(fabs(sum - strength) <= 1e-5 * strength);
    }
    free(bytes);
    free(again);
    crd_prediction_free(&before);
    crd_prediction_free(&after);
    crd_model_free(&loaded);
}

static void file_and_facts(void **state)
{
    crd_dataset *dataset = make_graph();
    crd_split *split = drawn(dataset);
    crd_config config = quick();
    config.networks = 3;
    config.left_out = 1;
    crd_model *model = train(dataset, split, &config, NULL);
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    assert_int_equal(model->members, 3);
    assert_int_equal(facts.epochs, 3 * EPOCHS);
    const int outputs = 3 * CLASSES; /* three known classes and "unlabelled" */
    assert_int_equal(facts.parameters, 3 * (FEATURES * HIDDEN + HIDDEN + outputs * HIDDEN + outputs));
    assert_true(isfinite(facts.best_cross_entropy) && facts.best_accuracy > 0.3 && facts.best_accuracy <= 1.0);
    int64_t labelled = 0;
    for (int64_t i = 0; i < NODES; i++) {
        const crd_role role = crd_split_role(crd_model_split(model), i);
        labelled += role == CRD_ROLE_TRAIN || role == CRD_ROLE_VALIDATION;
    }
    assert_int_equal(facts.training_nodes, labelled);
    assert_usable(state, model, dataset);
    crd_model_free(&model);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

typedef struct {
    int64_t stop_at, seen;
} watcher;

static bool watch(const crd_progress *progress, void *user)
{
    const crd_epoch *epoch = progress->epoch;
    if (epoch == NULL) return true;
    watcher *w = user;
    assert_int_equal(epoch->epoch, ++w->seen); /* numbered through all networks */
    return epoch->epoch != w->stop_at;
}

/* Stopped in the first network or in the second one: what there is can be used. */
static void interrupted(void **state)
{
    crd_dataset *dataset = make_graph();
    crd_split *split = drawn(dataset);
    const crd_config config = quick();
    crd_model *whole = train(dataset, split, &config, NULL);
    assert_int_equal(whole->stop, CRD_STOP_EPOCHS);
    for (int64_t stop_at = 2; stop_at <= EPOCHS + 2; stop_at += EPOCHS) {
        watcher w = {.stop_at = stop_at};
        const crd_train_options options = *WATCHED(NULL, watch, &w);
        crd_model *model = train(dataset, split, &config, &options);
        assert_int_equal(w.seen, stop_at);
        assert_int_equal(model->members, 1); /* one that was interrupted is left out if there is another one */
        assert_int_equal(model->epochs, stop_at);
        assert_int_equal(model->stop, CRD_STOP_REQUESTED);
        if (stop_at > EPOCHS) assert_same_networks(model, whole, 1);
        else assert_true(isfinite(model->best_cross_entropy) && isfinite(model->best_accuracy));
        assert_usable(state, model, dataset);
        crd_model_free(&model);
    }
    crd_model_free(&whole);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

/* With one network, what it says is the latent position: class, doubt and the doubt by features follow from it. */
static void as_the_pool_says(void **state)
{
    (void)state;
    crd_dataset *dataset = make_graph();
    crd_split *split = drawn(dataset);
    const crd_config config = quick();
    watcher w = {.stop_at = 3};
    const crd_train_options options = *WATCHED(NULL, watch, &w);
    crd_model *model = train(dataset, split, &config, &options);
    crd_prediction *p;
    assert_ok(crd_predict(model, dataset, CRD_THREADS(1), &p, NULL));
    const int64_t width = CRD_VIEWS * (CLASSES + 1);
    assert_int_equal(crd_prediction_latent_dims(p), width);
    for (int64_t i = 0; i < NODES; i++) {
        const float *said = crd_prediction_latent(p) + i * width;
        double odds = model->pool.bias, signals[CRD_SIGNALS];
        float joined[CLASSES];
        crd_pool_signals(said, CLASSES, signals);
        for (int s = 0; s < CRD_SIGNALS; s++) odds += model->pool.signal[s] * signals[s];
        assert_true(fabs(crd_prediction_score(p, CRD_SCORE_EPISTEMIC)[i] - odds) < 1e-9);
        assert_true(fabs(crd_prediction_score(p, CRD_SCORE_EPISTEMIC_FEATURES)[i] - signals[0]) < 1e-9);
        crd_pool_classes(&model->pool, said, CLASSES, joined);
        for (int k = 0; k < CLASSES; k++) assert_true(joined[k] <= joined[crd_prediction_class(p)[i]]);
    }
    crd_prediction_free(&p);
    crd_model_free(&model);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

/* ---- few nodes of some role ---- */

/* The roles of nodes; the first nodes of each class teach, the next ones validate. */
static crd_split *by_class(const crd_dataset *dataset, int64_t train_each, int64_t validation_each, crd_role others)
{
    uint8_t roles[NODES];
    int64_t seen[CLASSES] = {0};
    crd_split *split;
    for (int64_t i = 0; i < NODES; i++) {
        const int64_t before = seen[dataset->labels[i]]++;
        roles[i] = (uint8_t)(before < train_each                     ? CRD_ROLE_TRAIN
                             : before < train_each + validation_each ? CRD_ROLE_VALIDATION
                                                                     : others);
    }
    assert_ok(crd_split_from_roles(roles, NODES, &split, NULL));
    return split;
}

static void few_labels(void **state)
{
    static const struct {
        int64_t train, validation, folds;
        double hold_out;
        crd_role others;
        bool validated;
    } cases[] = {
        {8, 0, 2, 0.5, CRD_ROLE_TEST, true},          /* training nodes are held out instead */
        {8, 0, 5, 0.0, CRD_ROLE_NONE, true},          //
        {2, 0, 3, 0.5, CRD_ROLE_TEST, true},          //
        {1, 0, 2, 0.5, CRD_ROLE_TEST, false},         /* none can be held out */
        {1, 6, 2, 0.5, CRD_ROLE_TEST, true},          /* one training node in every class */
        {5, 1, 32, 0.0, CRD_ROLE_TEST, true},         /* more folds than validation nodes */
        {20, 4000, 2, 0.0, CRD_ROLE_TEST, true},      /* no unlabelled node */
        {4000, 0, 2, 0.0, CRD_ROLE_TEST, true},       //
        {20, 4000, 2, 0.5, CRD_ROLE_TEST, true},      /* only calibration nodes are unlabelled */
        {20, 10, 2, 0.0, CRD_ROLE_CALIBRATION, true}, //
    };
    crd_dataset *dataset = make_graph();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        crd_split *split = by_class(dataset, cases[c].train, cases[c].validation, cases[c].others);
        crd_config config = quick();
        config.networks = cases[c].folds;
        config.hold_out = cases[c].hold_out;
        crd_model *model = train(dataset, split, &config, NULL);
        assert_int_equal(model->members, config.networks);
        if (isfinite(model->best_cross_entropy) != cases[c].validated) fail_msg("case %zu", c);
        assert_usable(state, model, dataset);
        crd_model_free(&model);
        crd_split_free(&split);
    }
    crd_dataset_free(&dataset);
}

/* A network whose fold has no labelled node learns for as many epochs as models without validation nodes. */
static void without_validation(void **state)
{
    (void)state;
    crd_dataset *dataset = make_graph();
    crd_split *split = by_class(dataset, 1, 0, CRD_ROLE_TEST);
    crd_config config = quick();
    config.max_epochs = -1;
    crd_model *model = train(dataset, split, &config, NULL);
    assert_int_equal(model->epochs, 2 * CRD_EPOCHS_WITHOUT_VALIDATION);
    assert_int_equal(model->stop, CRD_STOP_EPOCHS);
    assert_true(isnan(model->best_accuracy));
    crd_model_free(&model);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

static void kinds_of_features(void **state)
{
    static const char *const how[] = {"features=none",           "features=unit",          "features=standard",
                                      "left-out=1 inductive=on", "class-weights=balanced", "calibration=gats",
                                      "calibration=none"};
    crd_dataset *dataset = make_graph();
    crd_split *split = drawn(dataset);
    for (size_t h = 0; h < sizeof how / sizeof *how; h++) {
        crd_config config = quick();
        assert_ok(crd_config_set_all(&config, how[h], NULL));
        crd_model *model = train(dataset, split, &config, NULL);
        if (h == 3) assert_true(model->classes == CLASSES - 1 && model->config.inductive);
        assert_usable(state, model, dataset);
        crd_model_free(&model);
    }
    const crd_config config = quick();
    crd_model *model = train(dataset, split, &config, NULL); /* sparse and not negative */
    assert_int_equal(model->config.features, CRD_FEATURES_UNIT);
    crd_model_free(&model);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

/* ---- labels that must not be used ---- */

static bool same_weights(const crd_model *a, const crd_model *b)
{
    bool same = memcmp(&a->pool, &b->pool, sizeof a->pool) == 0 && a->members == b->members;
    for (int32_t m = 0; m < a->members && same; m++)
        for (int p = 0; p < a->member[m]->parameters; p++)
            same = same && memcmp(a->member[m]->parameter[p].value, b->member[m]->parameter[p].value,
                                  (size_t)a->member[m]->parameter[p].count * sizeof(float)) == 0;
    return same;
}

/* Changes the labels of all nodes with a role to other known classes, or takes them away. Two classes are left out, so
 * labels of one of these may become the other. */
static void no_label_leaks(void **state)
{
    (void)state;
    enum { KNOWN = CLASSES - 2 };
    crd_dataset *dataset = make_graph();
    crd_split *split = drawn(dataset);
    crd_config config = quick();
    int32_t labels[NODES];
    config.hold_out = 0.0; /* the split has calibration nodes of its own */
    config.left_out = 2;
    memcpy(labels, dataset->labels, sizeof labels);
    crd_model *model = train(dataset, split, &config, NULL);
    for (int role = CRD_ROLE_TRAIN; role <= CRD_ROLE_CALIBRATION; role++)
        for (int how = 0; how < 3; how++) {
            int changed = 0, taught = 0;
            for (int64_t i = 0; i < NODES; i++) {
                const bool known = labels[i] < KNOWN;
                if ((int)crd_split_role(split, i) != role || known == (how == 2)) continue;
                if (how == 1 && (role == CRD_ROLE_TRAIN || role == CRD_ROLE_VALIDATION) && taught++ == 0) continue;
                dataset->labels[i] = how == 0 ? (labels[i] + 1) % KNOWN : how == 1 ? -1 : 2 * KNOWN + 1 - labels[i];
                changed++;
            }
            assert_true(changed > 0);
            const bool teaches = (role == CRD_ROLE_TRAIN || role == CRD_ROLE_VALIDATION) && how < 2;
            crd_model *other;
            crd_error error = {0};
            if (crd_train(dataset, split, &config, NULL, &other, &error) == CRD_OK) {
                if (same_weights(model, other) == teaches) fail_msg("role %d, change %d", role, how);
                crd_model_free(&other);
            } else {
                assert_true(teaches && how == 1); /* a class lost its training nodes */
            }
            memcpy(dataset->labels, labels, sizeof labels);
        }
    crd_model_free(&model);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

static bool go_on(const crd_epoch *epoch, void *user)
{
    (void)epoch;
    (void)user;
    return true;
}

/* One network after one step, taught all training nodes. */
static crd_model *one_step(const crd_dataset *dataset, const crd_split *split, const int32_t *held_out)
{
    crd_config config = quick();
    const crd_lesson lesson = {.report = go_on};
    crd_training shared = {.dataset = dataset, .lesson = &lesson}, s = shared;
    int32_t label[NODES];
    config.max_epochs = 1;
    assert_ok(crd_training_prepare(&shared, split, &config, NULL));
    assert_ok(crd_training_share(&shared, NULL));
    for (int64_t i = 0; i < NODES; i++)
        label[i] = crd_split_role(split, i) == CRD_ROLE_TRAIN ? dataset->labels[i] : CLASSES;
    assert_ok(crd_training_open_member(&s, &shared, label, held_out, NULL));
    assert_ok(crd_training_run(&s, NULL));
    crd_training_close(&s);
    crd_training_close(&shared);
    crd_model_free(&shared.model);
    return s.model;
}

/* The labels of a network's own fold validate it, and do not teach it. */
static void own_fold(void **state)
{
    (void)state;
    crd_dataset *dataset = make_graph();
    crd_split *split = drawn(dataset);
    int32_t held_out[NODES];
    crd_model *model[3];
    for (int way = 0; way < 3; way++) {
        for (int64_t i = 0; i < NODES; i++) {
            const bool mine = crd_split_role(split, i) == CRD_ROLE_VALIDATION && way < 2;
            held_out[i] = mine ? (dataset->labels[i] + way) % CLASSES : -1;
        }
        model[way] = one_step(dataset, split, held_out);
    }
    assert_true(model[0]->best_cross_entropy != model[1]->best_cross_entropy);
    assert_true(isnan(model[2]->best_cross_entropy));
    for (int way = 1; way < 3; way++)
        for (int p = 0; p < 4; p++)
            assert_memory_equal(model[0]->parameter[p].value, model[way]->parameter[p].value,
                                (size_t)model[0]->parameter[p].count * sizeof(float));
    for (int way = 0; way < 3; way++) crd_model_free(&model[way]);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

/* Weights so large that "unlabelled" gets no number, while the classes still do. */
static void huge_weights(void **state)
{
    (void)state;
    crd_dataset *dataset = make_graph();
    crd_split *split = drawn(dataset);
    const crd_config config = quick();
    crd_model *model = train(dataset, split, &config, NULL);
    crd_prediction *p;
    crd_error error = {0};
    const int64_t outputs = CRD_VIEWS * (CLASSES + 1);
    crd_parameter *parameter = model->member[1]->parameter; /* (in, out) in memory */
    for (int64_t h = 0; h < HIDDEN; h++) {
        parameter[1].value[h] = 10.0f;
        parameter[2].value[h * outputs + CLASSES] = 3e38f;
    }
    assert_fails(crd_predict(model, dataset, CRD_THREADS(1), &p, &error), CRD_ERROR_NUMERIC,
                 "the model gives node 0 no number for its doubt");
    assert_null(p);
    crd_model_free(&model);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

/* ---- initial weights ---- */

/* The doubt about a node grows by what its features are beyond all that training saw, and explain gives it to the node
 * itself. In the training graph that is 0, for every node. */
static void beyond_what_was_seen(void **state)
{
    static const char *const how[] = {"features=unit", "features=standard", "features=none"};
    (void)state;
    for (int h = 0; h < 3; h++) {
        crd_dataset *dataset = make_graph(), *other = make_graph();
        crd_split *split = drawn(dataset);
        crd_config config = quick();
        assert_ok(crd_config_set_all(&config, how[h], NULL));
        crd_model *model = train(dataset, split, &config, NULL);
        crd_prediction *before, *with, *without;
        crd_explanation *explanation;
        double sum[NODES], rest, fixed;
        assert_ok(crd_beyond(model, dataset, sum, NULL));
        for (int i = 0; i < NODES; i++) assert_true(sum[i] == 0.0);
        const int64_t node = 7, first = other->features.start[node];
        assert_true(other->features.sparse && other->features.start[node + 1] > first + 1);
        other->features.value[first] = -40.0f; /* never below 0 in training */
        assert_ok(crd_beyond(model, other, sum, NULL));
        for (int i = 0; i < NODES; i++) assert_true(i == node ? sum[i] > 0.3 : sum[i] == 0.0);
        assert_ok(crd_predict(model, dataset, CRD_THREADS(1), &before, NULL));
        assert_ok(crd_predict(model, other, CRD_THREADS(1), &with, NULL));
        assert_ok(crd_explain(model, other, node, NODES, CRD_THREADS(1), &explanation, NULL));
        const double doubt = crd_explanation_doubt(explanation, &rest, &fixed);
        const double said = crd_prediction_score(with, CRD_SCORE_EPISTEMIC)[node];
        assert_true(fabs(doubt - said) < 1e-4 * (1.0 + fabs(said)));
        float *bounds = model->bounds;
        model->bounds = NULL;
        assert_ok(crd_predict(model, other, CRD_THREADS(1), &without, NULL));
        model->bounds = bounds;
        static const crd_score scores[] = {CRD_SCORE_EPISTEMIC, CRD_SCORE_EPISTEMIC_FEATURES};
        for (int i = 0; i < 2 * NODES; i++) {
            const double a = crd_prediction_score(with, scores[i % 2])[i / 2];
            const double b = crd_prediction_score(without, scores[i % 2])[i / 2] + sum[i / 2];
            assert_true(fabs(a - b) < 1e-9 * (1.0 + fabs(b)));
        }
        crd_explanation_free(&explanation);
        crd_prediction_free(&before);
        crd_prediction_free(&with);
        crd_prediction_free(&without);
        crd_model_free(&model);
        crd_split_free(&split);
        crd_dataset_free(&dataset);
        crd_dataset_free(&other);
    }
}

static void initial_weights(void **state)
{
    (void)state;
    crd_dataset *dataset = make_graph();
    crd_split *split = drawn(dataset);
    crd_config config = quick();
    crd_error error = {0};
    crd_model *first = train(dataset, split, &config, NULL), *second;
    const crd_train_options options = {.size = sizeof options, .init = first};
    assert_fails(crd_train(dataset, split, &config, &options, &second, &error), CRD_ERROR_ARGUMENT,
                 "init is not for the model committee");
    assert_ok(crd_config_set(&config, "model", "gpn", NULL));
    assert_fails(crd_train(dataset, split, &config, &options, &second, &error), CRD_ERROR_MISMATCH,
                 "the initial weights are of the model committee, expected gpn");
    crd_model_free(&first);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(file_and_facts),          FOLDER_TEST(interrupted),
        cmocka_unit_test(as_the_pool_says),   FOLDER_TEST(few_labels),
        cmocka_unit_test(without_validation), FOLDER_TEST(kinds_of_features),
        cmocka_unit_test(no_label_leaks),     cmocka_unit_test(own_fold),
        cmocka_unit_test(initial_weights),    cmocka_unit_test(beyond_what_was_seen),
        cmocka_unit_test(huge_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
