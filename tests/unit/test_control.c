/* SPDX-License-Identifier: MIT */
/* Long calls can be stopped at any moment, and structures of another size than the library's are understood. */
#include <string.h>

#include "base/watch.h"
#include "dataset_helpers.h"
#include "support/outcome.h"
#include "support/quick_model.h"

typedef struct {
    int64_t calls, epochs, stop_at; /* the call that stops; 0: none does */
    bool by_flag;
    int flag;
} listener;

static bool listen(const crd_progress *progress, void *user)
{
    listener *l = user;
    l->epochs += progress->epoch != NULL && !progress->epoch->warmup;
    if (++l->calls != l->stop_at) return true;
    if (l->by_flag) __atomic_store_n(&l->flag, 1, __ATOMIC_RELAXED); /* workers read it */
    return l->by_flag;
}

static crd_dataset *make_graph(void)
{
    crd_generate_options options;
    crd_dataset *dataset;
    crd_generate_defaults(&options);
    options.nodes = 300;
    options.classes = 3;
    options.features = 40;
    options.lookalikes = 0;
    assert_ok(crd_generate(&options, &dataset, NULL));
    return dataset;
}

/* Every kind, stopped at every call of its call-back, by the call-back's answer and by the flag: there is a model that
 * answers, or, before the first epoch is done, an error and no model. The call-back is seldom called while training is
 * prepared; stopped_anywhere looks at that. */
static void stopped_training(void **state)
{
    static const char *const kinds[] = {"committee", "gpn", "appnp", "vgcn", "gkde-gcn", "egcn"};
    crd_dataset *dataset = make_graph();
    crd_split *split;
    (void)state;
    assert_ok(crd_split_make(dataset, "20/20/60", 0, 1, &split, NULL));
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int way = 0; way < 2; way++)
            for (int64_t at = 1, stopped = 1; stopped > 0 && at < 40; at++) {
                listener l = {.stop_at = at, .by_flag = way == 1};
                const crd_control control = {
                    .size = sizeof control, .threads = 2, .stop = &l.flag, .progress = listen, .user = &l};
                const crd_train_options options = {.size = sizeof options, .control = &control};
                crd_config config;
                crd_config_defaults(&config);
                assert_ok(crd_config_set(&config, "model", kinds[k], NULL));
                assert_ok(crd_config_set(&config, "max-epochs", "6", NULL));
                crd_model *model;
                crd_prediction *prediction;
                crd_error error = {0};
                const crd_status status = crd_train(dataset, split, &config, &options, &model, &error);
                stopped = l.calls >= at;
                if (status != CRD_OK) {
                    assert_int_equal(status, CRD_ERROR_STOPPED);
                    assert_true(model == NULL && l.epochs == 0 && strstr(error.message, "stopped on request") != NULL);
                    continue;
                }
                crd_model_facts facts;
                crd_model_get_facts(model, &facts);
                if (stopped && l.calls == at && !l.by_flag && facts.epochs < 6)
                    assert_int_equal(facts.stop, CRD_STOP_REQUESTED);
                if (!l.by_flag) assert_string_equal(facts.calibration, "temperature");
                assert_ok(crd_predict(model, dataset, NULL, &prediction, NULL));
                crd_prediction_free(&prediction);
                crd_model_free(&model);
            }
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

/* ---- a graph large enough that every loop over its nodes looks more than once ---- */

typedef struct {
    void **state; /* the folder */
    crd_dataset *dataset;
    crd_split *split;
    crd_model *model[2];
    const char *kind;
    const crd_control *control;
    bool kept; /* training has returned a model */
} stage;

static crd_status open_again(const stage *s, const char *name)
{
    const crd_open_options options = {.size = sizeof options, .control = s->control};
    crd_dataset *dataset;
    const crd_status status = crd_dataset_open(in(s->state, name), &options, &dataset, NULL);
    assert_true((dataset != NULL) == (status == CRD_OK));
    crd_dataset_free(&dataset);
    return status;
}

static crd_status open_arrays(stage *s)
{
    return open_again(s, "graph.npz");
}

static crd_status open_text_files(stage *s)
{
    return open_again(s, "text");
}

static crd_status open_gzip(stage *s)
{
    return open_again(s, "ogb");
}

static crd_status take_arrays(stage *s)
{
    const crd_graph *g = &s->dataset->graph;
    const crd_features *f = &s->dataset->features;
    const int64_t edges = g->start[g->nodes];
    int64_t *ends = malloc((size_t)(2 * edges) * sizeof *ends);
    assert_non_null(ends);
    for (int64_t i = 0; i < g->nodes; i++)
        for (int64_t e = g->start[i]; e < g->start[i + 1]; e++) {
            ends[e] = i;
            ends[edges + e] = g->neighbour[e];
        }
    const crd_arrays arrays = {.size = sizeof arrays,
                               .nodes = g->nodes,
                               .edges = edges,
                               .source = {ends, CRD_INT64},
                               .target = {ends + edges, CRD_INT64},
                               .features = f->columns,
                               .entries = f->start[f->rows],
                               .row_start = {f->start, CRD_INT64},
                               .column = {f->column, CRD_INT32},
                               .labels = s->dataset->labels,
                               .control = s->control};
    crd_dataset *dataset;
    const crd_status status = crd_dataset_from_arrays(&arrays, &dataset, NULL);
    assert_true((dataset != NULL) == (status == CRD_OK));
    crd_dataset_free(&dataset);
    free(ends);
    return status;
}

static void describe_large(crd_generate_options *options)
{
    crd_generate_defaults(options);
    options->nodes = 9000;
    options->classes = 3;
    options->features = 40;
    options->words = 4;
    options->lookalikes = 0;
}

static crd_status generate_again(stage *s)
{
    crd_generate_options options;
    crd_dataset *dataset;
    describe_large(&options);
    options.control = s->control;
    const crd_status status = crd_generate(&options, &dataset, NULL);
    assert_true((dataset != NULL) == (status == CRD_OK));
    crd_dataset_free(&dataset);
    return status;
}

static crd_status train_again(stage *s)
{
    const crd_train_options options = {.size = sizeof options, .control = s->control};
    crd_config config;
    crd_model *model;
    crd_prediction *prediction;
    crd_config_defaults(&config);
    assert_ok(crd_config_set(&config, "model", s->kind, NULL));
    config.max_epochs = 1;
    config.hidden = 8;
    config.networks = 2;
    config.warmup = 0;
    const crd_status status = crd_train(s->dataset, s->split, &config, &options, &model, NULL);
    assert_true((model != NULL) == (status == CRD_OK));
    s->kept = model != NULL;
    if (model != NULL) assert_ok(crd_predict(model, s->dataset, CRD_THREADS(2), &prediction, NULL));
    if (model != NULL) crd_prediction_free(&prediction);
    crd_model_free(&model);
    return status;
}

static const crd_model *model_of(const stage *s)
{
    return s->model[strcmp(s->kind, "gpn") == 0];
}

static crd_status predict_again(stage *s)
{
    crd_prediction *prediction;
    const crd_status status = crd_predict(model_of(s), s->dataset, s->control, &prediction, NULL);
    assert_true((prediction != NULL) == (status == CRD_OK));
    crd_prediction_free(&prediction);
    return status;
}

static crd_status evaluate_again(stage *s)
{
    crd_evaluation evaluation;
    return crd_evaluate(model_of(s), s->dataset, s->split, CRD_TASK_MISCLASSIFICATION, s->control, &evaluation, NULL);
}

static crd_status explain_again(stage *s)
{
    crd_explanation *explanation;
    const crd_status status = crd_explain(model_of(s), s->dataset, 7, 5, s->control, &explanation, NULL);
    assert_true((explanation != NULL) == (status == CRD_OK));
    crd_explanation_free(&explanation);
    return status;
}

static crd_status open_serving(stage *s)
{
    crd_serving *serving;
    const crd_status status = crd_serving_open(model_of(s), s->dataset, s->control, &serving, NULL);
    assert_true((serving != NULL) == (status == CRD_OK));
    crd_serving_free(&serving);
    return status;
}

/* The first answer after many new edges computes everything again. If that is stopped, the next answer does. */
static crd_status serve_again(stage *s)
{
    enum { EDGES = 3000 };
    static int64_t source[EDGES], target[EDGES];
    const crd_addition many = {.size = sizeof many, .edges = EDGES, .source = source, .target = target};
    const int64_t asked[] = {0, 1, 2};
    crd_serving *serving;
    crd_prediction *prediction, *after;
    for (int64_t e = 0; e < EDGES; e++) {
        source[e] = e;
        target[e] = e + 4000;
    }
    assert_ok(crd_serving_open(model_of(s), s->dataset, CRD_THREADS(2), &serving, NULL));
    assert_ok(crd_serving_add(serving, &many, NULL, NULL));
    assert_ok(crd_serving_watch(serving, s->control, NULL));
    const crd_status status = crd_serving_predict(serving, asked, 3, &prediction, NULL);
    assert_true((prediction != NULL) == (status == CRD_OK));
    assert_ok(crd_serving_watch(serving, NULL, NULL));
    assert_ok(crd_serving_predict(serving, asked, 3, &after, NULL));
    for (int i = 0; i < 3 && prediction != NULL; i++)
        assert_true(crd_prediction_class(prediction)[i] == crd_prediction_class(after)[i]);
    crd_prediction_free(&prediction);
    crd_prediction_free(&after);
    crd_serving_free(&serving);
    return status;
}

/* Asks to stop at the first looks, and at some of the others: there may be thousands. Nothing is made, or, by a
 * training that has finished an epoch, a model. */
static void stop_anywhere(stage *s, crd_status (*run)(stage *s))
{
    enum { FIRST = 24, OTHERS = 12 };
    listener whole = {0};
    crd_control control = {.size = sizeof control, .threads = 2, .progress = listen, .user = &whole};
    s->control = &control;
    assert_ok(run(s));
    assert_true(whole.calls > 8);
    for (int64_t k = 0; k < FIRST + OTHERS; k++) {
        const int64_t at = k < FIRST ? k + 1 : FIRST + (whole.calls - FIRST) * (k - FIRST) / OTHERS;
        if (at < 1 || at > whole.calls) continue;
        listener l = {.stop_at = at, .by_flag = k % 2 == 1};
        control.user = &l;
        control.stop = &l.flag;
        const crd_status status = run(s);
        if (status == CRD_OK && l.calls < at) continue; /* workers have taken over some of the looks */
        if (run == train_again && l.epochs > 0) assert_true(s->kept);
        else if (run != train_again) assert_int_equal(status, CRD_ERROR_STOPPED);
        else assert_true(status == CRD_OK || status == CRD_ERROR_STOPPED);
    }
    s->control = NULL;
}

static void stopped_anywhere(void **state)
{
    static const char *const kinds[] = {"committee", "gpn"};
    crd_status (*const of_data[])(stage *) = {open_arrays, open_text_files, open_gzip, take_arrays, generate_again};
    crd_status (*const of_models[])(stage *) = {predict_again, evaluate_again, explain_again,
                                                train_again,   open_serving,   serve_again};
    stage s = {.state = state};
    crd_generate_options options;
    describe_large(&options);
    assert_ok(crd_generate(&options, &s.dataset, NULL));
    assert_ok(crd_dataset_save(s.dataset, in(state, "graph.npz"), CRD_FORMAT_NPZ, NULL));
    assert_ok(crd_dataset_save(s.dataset, in(state, "text"), CRD_FORMAT_CSV, NULL));
    assert_ok(crd_dataset_save(s.dataset, in(state, "ogb"), CRD_FORMAT_OGB, NULL));
    assert_ok(crd_split_make(s.dataset, "20/20/60", 0, 1, &s.split, NULL));
    for (int k = 0; k < 2; k++) {
        crd_config config;
        crd_config_defaults(&config);
        assert_ok(crd_config_set(&config, "model", kinds[k], NULL));
        config.max_epochs = 1;
        config.hidden = 8;
        assert_ok(crd_train(s.dataset, s.split, &config, NULL, &s.model[k], NULL));
    }
    crd_watch_tell_always(true);
    for (size_t i = 0; i < sizeof of_data / sizeof *of_data; i++) stop_anywhere(&s, of_data[i]);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < sizeof of_models / sizeof *of_models; i++) {
            s.kind = kinds[k];
            stop_anywhere(&s, of_models[i]);
        }
    crd_watch_tell_always(false);
    crd_model_free(&s.model[0]);
    crd_model_free(&s.model[1]);
    crd_split_free(&s.split);
    crd_dataset_free(&s.dataset);
}

/* A flag that is taken back while the call ends does not bring half of a result. */
static bool ask_for_a_moment(const crd_progress *progress, void *user)
{
    listener *l = user;
    (void)progress;
    l->flag = ++l->calls == l->stop_at;
    return true;
}

static void flag_taken_back(void **state)
{
    crd_generate_options options;
    (void)state;
    crd_watch_tell_always(true);
    for (int64_t at = 1; at < 30; at++) {
        listener l = {.stop_at = at};
        const crd_control control = {.size = sizeof control, .stop = &l.flag, .progress = ask_for_a_moment, .user = &l};
        crd_dataset *dataset;
        describe_large(&options);
        options.control = &control;
        assert_int_equal(crd_generate(&options, &dataset, NULL), CRD_ERROR_STOPPED);
        assert_int_equal(l.calls, at);
    }
    crd_watch_tell_always(false);
}

/* A flag that is set before the call: nothing is made. */
static void stopped_before(void **state)
{
    const int flag = 1;
    const crd_control control = {.size = sizeof control, .stop = &flag};
    crd_dataset *dataset = make_graph();
    crd_config config;
    crd_prediction *prediction;
    crd_evaluation evaluation;
    crd_explanation *explanation;
    crd_error error;
    (void)state;
    crd_config_defaults(&config);
    config.max_epochs = 3;
    crd_model *model = train(dataset, &config, NULL);
    assert_int_equal(crd_predict(model, dataset, &control, &prediction, &error), CRD_ERROR_STOPPED);
    assert_null(prediction);
    assert_string_equal(error.message, "stopped on request");
    assert_int_equal(crd_evaluate(model, dataset, NULL, CRD_TASK_MISCLASSIFICATION, &control, &evaluation, &error),
                     CRD_ERROR_STOPPED);
    assert_int_equal(crd_explain(model, dataset, 0, 5, &control, &explanation, &error), CRD_ERROR_STOPPED);
    assert_null(explanation);
    /* a control without its size is an error, and is not ignored */
    assert_fails(crd_predict(model, dataset, &(const crd_control){.stop = &flag}, &prediction, &error),
                 CRD_ERROR_ARGUMENT, "the size of crd_control is 0, expected sizeof(crd_control)");
    assert_null(prediction);
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.control = &control;
    crd_dataset *other;
    assert_int_equal(crd_generate(&options, &other, &error), CRD_ERROR_STOPPED);
    assert_null(other);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

/* Structures that are smaller, larger or have no size. */
static void sizes(void **state)
{
    struct {
        crd_generate_options known;
        char more[16];
    } newer = {.known = {.size = sizeof newer}};
    crd_dataset *dataset;
    crd_error error;
    (void)state;
    crd_generate_defaults_sized(&newer.known, sizeof newer);
    newer.known.nodes = 50;
    assert_ok(crd_generate(&newer.known, &dataset, &error));
    crd_dataset_free(&dataset);
    newer.more[3] = 1;
    assert_fails(crd_generate(&newer.known, &dataset, &error), CRD_ERROR_ARGUMENT, "does not know");
    newer.known.size = 0;
    assert_fails(crd_generate(&newer.known, &dataset, &error), CRD_ERROR_ARGUMENT,
                 "the size of crd_generate_options is 0");
    newer.known.size = offsetof(crd_generate_options, seed); /* an older program: the seed is the usual one */
    newer.known.seed = 77;
    assert_ok(crd_generate(&newer.known, &dataset, NULL));
    struct {
        crd_info info;
        char guard[8];
    } old;
    memset(&old, 'x', sizeof old);
    assert_ok(crd_dataset_info_sized(dataset, &old.info, offsetof(crd_info, edges), NULL));
    assert_true(old.info.nodes == 50 && memcmp(&old.info.edges, "xxxxxxxx", 8) == 0);
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stopped_training),
        cmocka_unit_test_setup_teardown(stopped_anywhere, make_folder, remove_folder),
        cmocka_unit_test(flag_taken_back),
        cmocka_unit_test(stopped_before),
        cmocka_unit_test(sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
