/* SPDX-License-Identifier: MIT */
/* Training, model files and answers through the public interface: properties that hold for any numbers. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "credence_private.h"
#include "models/model.h"
#include "support/quick_model.h"
#include "support/watched.h"

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        crd_error error_ = {0};                                                                                        \
        if ((call) != CRD_OK) fail_msg("%s: %s", #call, error_.message);                                               \
    } while (0)

static crd_dataset *graph(int64_t nodes)
{
    crd_generate_options options;
    crd_dataset *dataset;
    crd_generate_defaults(&options);
    options.nodes = nodes;
    options.classes = 4;
    options.features = 120;
    options.lookalikes = 1;
    OK(crd_generate(&options, &dataset, &error_));
    return dataset;
}

static crd_config quick(void)
{
    crd_config config;
    crd_config_defaults(&config);
    OK(crd_config_set(&config, "model", "gpn", &error_));
    config.hidden = 16;
    config.latent = 4;
    config.flow_layers = 4;
    config.left_out = 1;
    config.max_epochs = 12;
    config.threads = 1;
    return config;
}

/* A model file's bytes; freed by the caller. */
static unsigned char *bytes_of(const crd_model *model, size_t *size)
{
    char path[] = "/tmp/credence-test-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    OK(crd_model_save(model, path, &error_));
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    unlink(path);
    return bytes;
}

static void assert_same_model(const crd_model *a, const crd_model *b)
{
    size_t size_a, size_b;
    unsigned char *bytes_a = bytes_of(a, &size_a), *bytes_b = bytes_of(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(bytes_a, bytes_b, size_a);
    free(bytes_a);
    free(bytes_b);
}

/* The same seed gives the same bytes with any number of threads; another seed does not. */
static void threads_and_seeds(void **state)
{
    (void)state;
    crd_dataset *dataset = graph(1500);
    for (int reg = CRD_REG_NONE; reg <= CRD_REG_EVIDENCE; reg++) {
        crd_config config = quick();
        config.reg = (crd_regulariser)reg;
        config.max_epochs = 4;
        crd_model *one = train(dataset, &config, NULL);
        config.threads = 2;
        crd_model *two = train(dataset, &config, NULL);
        config.threads = 5;
        crd_model *five = train(dataset, &config, NULL);
        assert_same_model(one, two);
        assert_same_model(one, five);
        crd_prediction *p, *q;
        OK(crd_predict(one, dataset, CRD_THREADS(1), &p, &error_));
        OK(crd_predict(two, dataset, CRD_THREADS(3), &q, &error_));
        assert_memory_equal(crd_prediction_alpha(p), crd_prediction_alpha(q),
                            (size_t)crd_prediction_nodes(p) * 3 * sizeof(float));
        crd_prediction_free(&p);
        crd_prediction_free(&q);
        config.seed = 2;
        crd_model *other = train(dataset, &config, NULL);
        size_t size_a, size_b;
        unsigned char *a = bytes_of(one, &size_a), *b = bytes_of(other, &size_b);
        assert_true(size_a != size_b || memcmp(a, b, size_a) != 0);
        free(a);
        free(b);
        crd_model_free(&one);
        crd_model_free(&two);
        crd_model_free(&five);
        crd_model_free(&other);
    }
    crd_dataset_free(&dataset);
}

/* Models can train in different threads of one process, with the same results as alone. */
typedef struct {
    const crd_dataset *dataset;
    uint64_t seed;
    crd_model *model;
} job;

static void *train_alone(void *argument)
{
    job *j = argument;
    crd_config config = quick();
    crd_split *split;
    config.seed = j->seed;
    if (crd_split_make(j->dataset, "20/20/60", 0, 3, &split, NULL) != CRD_OK) return NULL;
    if (crd_train(j->dataset, split, &config, NULL, &j->model, NULL) != CRD_OK) j->model = NULL;
    crd_split_free(&split);
    return NULL;
}

static void side_by_side(void **state)
{
    (void)state;
    enum { JOBS = 4 };
    crd_dataset *dataset = graph(300);
    job jobs[JOBS];
    pthread_t threads[JOBS];
    for (int i = 0; i < JOBS; i++) {
        jobs[i] = (job){dataset, (uint64_t)(i / 2), NULL}; /* two of each seed */
        assert_int_equal(pthread_create(&threads[i], NULL, train_alone, &jobs[i]), 0);
    }
    for (int i = 0; i < JOBS; i++) pthread_join(threads[i], NULL);
    job alone = {dataset, 0, NULL};
    train_alone(&alone);
    for (int i = 0; i < JOBS; i++) assert_non_null(jobs[i].model);
    assert_same_model(jobs[0].model, jobs[1].model);
    assert_same_model(jobs[2].model, jobs[3].model);
    assert_same_model(jobs[0].model, alone.model);
    for (int i = 0; i < JOBS; i++) crd_model_free(&jobs[i].model);
    crd_model_free(&alone.model);
    crd_dataset_free(&dataset);
}

/* A saved model loads with the same bytes and the same answers. */
static void round_trip(void **state)
{
    (void)state;
    crd_dataset *dataset = graph(400);
    crd_config config = quick();
    config.features = CRD_FEATURES_STANDARD; /* which has its own tensors */
    crd_model *model = train(dataset, &config, NULL), *loaded;
    size_t size;
    unsigned char *bytes = bytes_of(model, &size);
    OK(crd_model_load_memory(bytes, size, "memory", &loaded, &error_));
    assert_same_model(model, loaded);
    crd_prediction *p, *q;
    OK(crd_predict(model, dataset, CRD_THREADS(1), &p, &error_));
    OK(crd_predict(loaded, dataset, CRD_THREADS(1), &q, &error_));
    assert_memory_equal(crd_prediction_alpha(p), crd_prediction_alpha(q), 400 * 3 * sizeof(float));
    crd_prediction_free(&p);
    crd_prediction_free(&q);
    crd_model_facts facts;
    crd_model_get_facts(loaded, &facts);
    assert_int_equal(facts.classes, 3);
    assert_int_equal(facts.left_out, 1);
    assert_int_equal(facts.epochs, 12);
    assert_string_equal(facts.fingerprint, crd_dataset_fingerprint(dataset));
    assert_string_equal(crd_model_class_name(loaded, 3), crd_dataset_class_name(dataset, 3));
    /* every truncation is an error, never a crash */
    for (size_t cut = 0; cut < size; cut += 1 + size / 97) {
        crd_model *none = (crd_model *)1;
        crd_error error = {0};
        assert_int_not_equal(crd_model_load_memory(bytes, cut, "cut", &none, &error), CRD_OK);
        assert_null(none);
        assert_true(error.message[0] != '\0');
    }
    free(bytes);
    crd_model_free(&model);
    crd_model_free(&loaded);
    crd_dataset_free(&dataset);
}

/* ---- a small problem in arrays, which the test can rearrange ---- */

enum { N = 60, F = 12, EDGES = 150 };

typedef struct {
    int64_t source[2 * EDGES], target[2 * EDGES];
    float x[N * F];
    int32_t labels[N];
    uint8_t roles[N];
} arrays;

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void make_arrays(arrays *a)
{
    uint32_t r = 7;
    for (int i = 0; i < N; i++) {
        a->labels[i] = i % 3;
        a->roles[i] = (uint8_t)(1 + next_random(&r) % 3);
        if (i < 6) a->roles[i] = CRD_ROLE_TRAIN;
        for (int f = 0; f < F; f++)
            a->x[i * F + f] = (float)(next_random(&r) % 100) / 100.0f + (f % 3 == i % 3 ? 0.8f : 0.0f);
    }
    for (int e = 0; e < EDGES; e++) {
        a->source[e] = next_random(&r) % N;
        a->target[e] =
            next_random(&r) % 4 != 0 ? (a->source[e] + 3 * (1 + next_random(&r) % 6)) % N : next_random(&r) % N;
    }
}

static crd_dataset *open_arrays(const arrays *a, int64_t edges)
{
    crd_arrays description = {.size = sizeof(crd_arrays),
                              .nodes = N,
                              .edges = edges,
                              .source = {a->source, CRD_INT64},
                              .target = {a->target, CRD_INT64},
                              .features = F,
                              .dense = {a->x, CRD_FLOAT32},
                              .labels = a->labels};
    crd_dataset *dataset;
    OK(crd_dataset_from_arrays(&description, &dataset, &error_));
    return dataset;
}

static crd_model *train_arrays(const crd_dataset *dataset, const arrays *a)
{
    crd_config config = quick();
    crd_split *split;
    crd_model *model;
    config.left_out = 0;
    config.calibration = CRD_CALIBRATION_NONE; /* so that alpha is 1 + evidence */
    OK(crd_split_from_roles(a->roles, N, &split, &error_));
    OK(crd_train(dataset, split, &config, NULL, &model, &error_));
    crd_split_free(&split);
    return model;
}

/* Repeating edges, reversing them and adding self-loops changes nothing. */
static void repeated_edges(void **state)
{
    (void)state;
    arrays a;
    make_arrays(&a);
    crd_dataset *plain = open_arrays(&a, EDGES);
    for (int e = 0; e < EDGES; e++) {
        a.source[EDGES + e] = a.target[e];
        a.target[EDGES + e] = e % 10 == 0 ? a.target[e] : a.source[e];
    }
    crd_dataset *doubled = open_arrays(&a, 2 * EDGES);
    assert_string_equal(crd_dataset_fingerprint(plain), crd_dataset_fingerprint(doubled));
    crd_model *one = train_arrays(plain, &a), *two = train_arrays(doubled, &a);
    assert_same_model(one, two);
    crd_model_free(&one);
    crd_model_free(&two);
    crd_dataset_free(&plain);
    crd_dataset_free(&doubled);
}

/* Numbering the nodes differently permutes the answers. */
static void relabelled_nodes(void **state)
{
    (void)state;
    arrays a, b;
    make_arrays(&a);
    crd_dataset *first = open_arrays(&a, EDGES);
    crd_model *model = train_arrays(first, &a);
    for (int i = 0; i < N; i++) {
        int place = (i * 17 + 5) % N; /* 17 and 60 share no factor: a permutation */
        b.labels[place] = a.labels[i];
        memcpy(b.x + place * F, a.x + i * F, F * sizeof(float));
    }
    for (int e = 0; e < EDGES; e++) {
        b.source[e] = (a.source[e] * 17 + 5) % N;
        b.target[e] = (a.target[e] * 17 + 5) % N;
    }
    crd_dataset *second = open_arrays(&b, EDGES);
    crd_prediction *p, *q;
    OK(crd_predict(model, first, CRD_THREADS(1), &p, &error_));
    OK(crd_predict(model, second, CRD_THREADS(1), &q, &error_));
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++) {
            double x = (double)crd_prediction_alpha(p)[i * 3 + k];
            double y = (double)crd_prediction_alpha(q)[(i * 17 + 5) % N * 3 + k];
            if (fabs(x - y) > 1e-5 * x) fail_msg("node %d class %d: %g and %g", i, k, x, y);
        }
    crd_prediction_free(&p);
    crd_prediction_free(&q);
    crd_model_free(&model);
    crd_dataset_free(&first);
    crd_dataset_free(&second);
}

/* Evidence attribution adds up to alpha - 1, for every node and any number of contributions listed. */
static void explanations_add_up(void **state)
{
    (void)state;
    arrays a;
    make_arrays(&a);
    crd_dataset *dataset = open_arrays(&a, EDGES);
    crd_model *model = train_arrays(dataset, &a);
    crd_prediction *p;
    OK(crd_predict(model, dataset, CRD_THREADS(1), &p, &error_));
    for (int64_t node = 0; node < N; node += 7)
        for (int64_t most = 0; most <= N; most += 20) {
            crd_explanation *x;
            OK(crd_explain(model, dataset, node, most, CRD_THREADS(1), &x, &error_));
            assert_true(crd_explanation_count(x) <= most);
            for (int k = 0; k < 3; k++) {
                double sum = crd_explanation_rest(x)[k];
                for (int64_t c = 0; c < crd_explanation_count(x); c++) {
                    const crd_contribution *contribution = crd_explanation_at(x, c);
                    assert_true(contribution->hops >= 0 && contribution->hops <= 10);
                    assert_int_equal(contribution->hops == 0, contribution->node == node);
                    sum += contribution->evidence[k];
                }
                double alpha = (double)crd_prediction_alpha(p)[node * 3 + k];
                assert_true(crd_explanation_alpha(x)[k] == alpha);
                if (fabs(sum - (alpha - 1.0)) > 2e-6 * alpha) fail_msg("%g, expected %g", sum, alpha - 1.0);
            }
            crd_explanation_free(&x);
        }
    crd_error error;
    crd_explanation *none;
    assert_int_equal(crd_explain(model, dataset, N, 5, CRD_THREADS(1), &none, &error), CRD_ERROR_ARGUMENT);
    crd_prediction_free(&p);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

/* Nodes too far away to matter are not used: their features may be NaN. */
static void explanations_look_around(void **state)
{
    (void)state;
    arrays a;
    make_arrays(&a);
    crd_dataset *dataset = open_arrays(&a, EDGES);
    crd_model *model = train_arrays(dataset, &a);
    const int64_t node = 7;
    model->config.steps = 1;
    crd_explanation *before, *after;
    OK(crd_explain(model, dataset, node, N, CRD_THREADS(1), &before, &error_));
    bool near[N] = {false}; /* one step, and the neighbours of the nodes that it reaches */
    near[node] = true;
    for (int round = 0; round < 2; round++) {
        bool grown[N];
        memcpy(grown, near, sizeof near);
        for (int64_t i = 0; i < N; i++)
            for (int64_t e = dataset->graph.start[i]; e < dataset->graph.start[i + 1]; e++)
                if (near[i]) grown[dataset->graph.neighbour[e]] = true;
        memcpy(near, grown, sizeof near);
    }
    int64_t far = 0;
    crd_features *f = &dataset->features;
    for (int64_t i = 0; i < N; i++) {
        if (near[i]) continue;
        far++;
        if (f->sparse)
            for (int64_t e = f->start[i]; e < f->start[i + 1]; e++) f->value[e] = NAN;
        else
            for (int64_t c = 0; c < f->columns; c++) f->dense[i * f->columns + c] = NAN;
    }
    assert_true(far > N / 4);
    OK(crd_explain(model, dataset, node, N, CRD_THREADS(1), &after, &error_));
    assert_int_equal(crd_explanation_count(after), crd_explanation_count(before));
    for (int k = 0; k < 3; k++) assert_true(crd_explanation_alpha(after)[k] == crd_explanation_alpha(before)[k]);
    for (int64_t c = 0; c < crd_explanation_count(after); c++)
        assert_int_equal(crd_explanation_at(after, c)->node, crd_explanation_at(before, c)->node);
    crd_explanation_free(&before);
    crd_explanation_free(&after);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

/* More than a float can count in steps of one. */
static void many_training_nodes(void **state)
{
    (void)state;
    enum { MANY = (1 << 24) + 5 };
    int32_t *labels = calloc(MANY, sizeof *labels);
    assert_non_null(labels);
    labels[5] = 1;
    crd_model *model;
    OK(crd_model_new(&crd_gpn, &model, &error_));
    model->classes = 2;
    OK(crd_model_count_classes(model, labels, MANY, &error_));
    assert_true(model->class_counts[0] == 16777220.0f && model->class_counts[1] == 1.0f);
    crd_model_free(&model);
    free(labels);
}

/* ---- stopping ---- */

typedef struct {
    int64_t calls, stop_after;
    double best;
    int64_t best_epoch;
} watcher;

static bool watch(const crd_progress *progress, void *user)
{
    const crd_epoch *epoch = progress->epoch;
    if (epoch == NULL) return true;
    watcher *w = user;
    w->calls++;
    if (!epoch->warmup && (w->best_epoch == 0 || epoch->validation_cross_entropy < w->best)) {
        w->best = epoch->validation_cross_entropy;
        w->best_epoch = epoch->epoch;
    }
    if (!epoch->warmup) {
        assert_int_equal(epoch->best_epoch, w->best_epoch);
        assert_int_equal(epoch->best, epoch->epoch == w->best_epoch);
    }
    return w->stop_after == 0 || w->calls < w->stop_after;
}

static void early_stopping(void **state)
{
    (void)state;
    crd_dataset *dataset = graph(400);
    crd_config config = quick();
    config.max_epochs = -1;
    config.patience = 5;
    watcher w = {0};
    crd_train_options options = *WATCHED(NULL, watch, &w);
    crd_model *model = train(dataset, &config, &options);
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    assert_int_equal(facts.stop, CRD_STOP_PATIENCE);
    assert_int_equal(facts.best_epoch, w.best_epoch);
    assert_int_equal(facts.epochs, w.best_epoch + 5);
    assert_true(facts.best_cross_entropy == w.best);
    assert_int_equal(w.calls, facts.epochs + config.warmup);
    crd_model_free(&model);

    /* the kept parameters are those of the best epoch: training that long gives them again */
    config.max_epochs = w.best_epoch;
    crd_model *again = train(dataset, &config, NULL);
    config.max_epochs = -1;
    model = train(dataset, &config, NULL);
    crd_prediction *p, *q;
    OK(crd_predict(model, dataset, CRD_THREADS(1), &p, &error_));
    OK(crd_predict(again, dataset, CRD_THREADS(1), &q, &error_));
    assert_memory_equal(crd_prediction_alpha(p), crd_prediction_alpha(q), 400 * 3 * sizeof(float));
    crd_prediction_free(&p);
    crd_prediction_free(&q);
    crd_model_free(&model);
    crd_model_free(&again);
    crd_dataset_free(&dataset);
}

static void stopping_on_request(void **state)
{
    (void)state;
    crd_dataset *dataset = graph(300);
    crd_config config = quick();
    crd_split *split;
    crd_model *model;
    OK(crd_split_make(dataset, "20/20/60", 0, 3, &split, &error_));
    watcher w = {.stop_after = config.warmup + 3};
    crd_train_options options = *WATCHED(NULL, watch, &w);
    OK(crd_train(dataset, split, &config, &options, &model, &error_));
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    assert_int_equal(facts.stop, CRD_STOP_REQUESTED);
    assert_int_equal(facts.epochs, 3);
    crd_model_free(&model);
    w = (watcher){.stop_after = 2}; /* in the warm-up: the weights so far are kept */
    OK(crd_train(dataset, split, &config, &options, &model, &error_));
    crd_model_get_facts(model, &facts);
    assert_int_equal(facts.stop, CRD_STOP_REQUESTED);
    assert_int_equal(facts.epochs, 0);
    crd_model_free(&model);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

/* ---- what is learnt ---- */

typedef struct {
    double accuracy, aleatoric, epistemic;
} detection;

/* Means over four splits of the default graph: a single split tells little. */
/* Without a regulariser, `preset` is a kind of model with its default options. */
static detection on_the_default_graph(const char *preset, const char *reg, const char *reg_weight)
{
    enum { SPLITS = 4 };
    detection mean = {0};
    crd_generate_options options;
    crd_generate_defaults(&options);
    crd_dataset *dataset;
    OK(crd_generate(&options, &dataset, &error_));
    for (uint64_t seed = 1; seed <= SPLITS; seed++) {
        crd_split *split;
        crd_model *model;
        crd_config config;
        crd_evaluation ood;
        crd_config_defaults(&config);
        if (reg == NULL) OK(crd_config_set(&config, "model", preset, &error_));
        else {
            OK(crd_config_preset(&config, preset, &error_));
            OK(crd_config_set(&config, "features", "auto", &error_));
            OK(crd_config_set(&config, "reg", reg, &error_));
            OK(crd_config_set(&config, "reg-weight", reg_weight, &error_));
        }
        config.left_out = options.lookalikes;
        config.seed = seed;
        OK(crd_split_make(dataset, "5/15/80", 0, seed, &split, &error_));
        OK(crd_train(dataset, split, &config, NULL, &model, &error_));
        OK(crd_evaluate(model, dataset, NULL, CRD_TASK_OOD, NULL, &ood, &error_));
        mean.accuracy += ood.accuracy / SPLITS;
        mean.aleatoric += ood.ood_aleatoric.auroc / SPLITS;
        mean.epistemic += ood.ood_epistemic.auroc / SPLITS;
        crd_model_free(&model);
        crd_split_free(&split);
    }
    crd_dataset_free(&dataset);
    return mean;
}

/* The default graph: a GPN's probability alone detects its left-out classes badly, evidence detects them well, and
 * the default options detect them even better. */
static void default_graph(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* this is about eight trainings' results, not about memory */
#endif
    const detection paper = on_the_default_graph("gpn", "distance", "1e-4");
    assert_true(paper.accuracy > 0.8);
    assert_true(paper.aleatoric < 0.75);
    assert_true(paper.epistemic > paper.aleatoric + 0.1);
    const detection ours = on_the_default_graph("gpn", NULL, NULL);
    assert_true(ours.accuracy > 0.95);
    assert_true(ours.epistemic > 0.85);
    assert_true(ours.epistemic > ours.aleatoric + 0.1);
    assert_true(ours.epistemic > paper.epistemic);
    const detection committee = on_the_default_graph("committee", NULL, NULL);
    print_message("GPN %.3f %.3f %.3f, tuned %.3f %.3f %.3f, committee %.3f %.3f %.3f\n", paper.accuracy,
                  paper.aleatoric, paper.epistemic, ours.accuracy, ours.aleatoric, ours.epistemic, committee.accuracy,
                  committee.aleatoric, committee.epistemic);
    assert_true(committee.accuracy > 0.95);
    assert_true(committee.epistemic > ours.epistemic);
    assert_true(committee.epistemic > committee.aleatoric);
}

/* The paper's toy: classes at [1,0,0] and [-1,0,0], and nodes out of distribution at [0,1,v] with v between -1 and 1.
 * Every class is fully connected inside and has no edges to others. */
static crd_dataset *toy(void)
{
    enum { CLASS = 30, NODES = 3 * CLASS };
    static int64_t source[NODES * CLASS], target[NODES * CLASS];
    static float features[NODES][3];
    static int32_t labels[NODES];
    crd_arrays a = {.size = sizeof(crd_arrays),
                    .nodes = NODES,
                    .source = {source, CRD_INT64},
                    .target = {target, CRD_INT64},
                    .features = 3,
                    .dense = {features[0], CRD_FLOAT32},
                    .labels = labels};
    for (int i = 0; i < NODES; i++) {
        labels[i] = i / CLASS;
        features[i][0] = labels[i] == 0 ? 1.0f : labels[i] == 1 ? -1.0f : 0.0f;
        features[i][1] = labels[i] == 2 ? 1.0f : 0.0f;
        features[i][2] = labels[i] == 2 ? (float)((i * 7) % CLASS) / 15.0f - 1.0f : 0.0f;
        for (int j = i / CLASS * CLASS; j < i; j++) {
            source[a.edges] = i;
            target[a.edges++] = j;
        }
    }
    crd_dataset *dataset;
    OK(crd_dataset_from_arrays(&a, &dataset, &error_));
    return dataset;
}

/* In a linear encoder the distance term removes the weight of the third feature, which only the
 * out-of-distribution class uses; without the term it keeps its weight. */
static double third_feature_share(crd_regulariser reg)
{
    crd_dataset *dataset = toy();
    crd_split *split;
    crd_model *model;
    crd_config config;
    crd_config_defaults(&config);
    OK(crd_config_preset(&config, "gpn", &error_));
    config.features = CRD_FEATURES_NONE;
    config.activation = CRD_ACT_LINEAR;
    config.left_out = 1;
    config.dropout = 0.0;
    config.hidden = 8;
    config.latent = 2;
    config.weight_decay = 0.0;
    config.entropy_weight = 0.0;
    config.reg = reg;
    config.reg_weight = 0.1;
    config.max_epochs = 300;
    config.patience = 1000;
    config.threads = 1;
    OK(crd_split_make(dataset, "40/0/60", 0, 1, &split, &error_));
    OK(crd_train(dataset, split, &config, NULL, &model, &error_));
    /* z is linear in x. Its response to the first and to the third feature is not public, but the weights are, in
     * the model file. */
    size_t size;
    unsigned char *bytes = bytes_of(model, &size);
    uint64_t header;
    memcpy(&header, bytes, 8);
    const char *json = (const char *)bytes + 8;
    const float *data = (const float *)(const void *)(bytes + 8 + header);
    float w1[8 * 3], w2[2 * 8];
    for (int t = 0; t < 2; t++) {
        const char *at = strstr(json, t == 0 ? "\"encoder.0.weight\"" : "\"encoder.1.weight\"");
        assert_non_null(at);
        at = strstr(at, "\"data_offsets\"");
        assert_non_null(at);
        at = strchr(at, '[');
        assert_non_null(at);
        memcpy(t == 0 ? w1 : w2, (const char *)data + strtoul(at + 1, NULL, 10), t == 0 ? sizeof w1 : sizeof w2);
    }
    double first = 0.0, third = 0.0;
    for (int d = 0; d < 2; d++) {
        double response[3] = {0};
        for (int h = 0; h < 8; h++)
            for (int f = 0; f < 3; f++) response[f] += (double)w2[d * 8 + h] * (double)w1[h * 3 + f];
        first += response[0] * response[0];
        third += response[2] * response[2];
    }
    free(bytes);
    crd_model_free(&model);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    return sqrt(third / first);
}

static void toy_graph(void **state)
{
    (void)state;
    double with = third_feature_share(CRD_REG_DISTANCE), without = third_feature_share(CRD_REG_NONE);
    if (!(with < 0.01)) fail_msg("with the distance term the third feature keeps %g of its weight", with);
    if (!(without > 0.05)) fail_msg("without the distance term the third feature keeps only %g", without);
}

/* ---- mismatches ---- */

static void mismatches(void **state)
{
    (void)state;
    crd_error error;
    crd_dataset *dataset = graph(300);
    crd_config config = quick();
    crd_model *model = train(dataset, &config, NULL), *none;
    arrays a;
    make_arrays(&a);
    crd_dataset *other = open_arrays(&a, EDGES);
    crd_prediction *p;
    assert_int_equal(crd_predict(model, other, CRD_THREADS(1), &p, &error), CRD_ERROR_MISMATCH);
    assert_non_null(strstr(error.message, "12"));
    assert_null(p);
    crd_split *split, *wrong;
    OK(crd_split_make(dataset, "20/20/60", 0, 3, &split, &error_));
    OK(crd_split_from_roles(a.roles, N, &wrong, &error_));
    assert_int_equal(crd_train(dataset, wrong, &config, NULL, &none, &error), CRD_ERROR_MISMATCH);
    config.left_out = 3;
    assert_int_equal(crd_train(dataset, split, &config, NULL, &none, &error), CRD_ERROR_ARGUMENT);
    config = quick();
    config.dropout = 1.0;
    assert_int_equal(crd_train(dataset, split, &config, NULL, &none, &error), CRD_ERROR_ARGUMENT);
    config = quick();
    config.hidden = 8; /* the initial weights have 16 */
    crd_train_options options = {.size = sizeof options, .init = model};
    assert_int_equal(crd_train(dataset, split, &config, &options, &none, &error), CRD_ERROR_MISMATCH);
    assert_non_null(strstr(error.message, "encoder.0.weight"));
    config = quick();
    config.lr = 1e6; /* diverges: either the best so far is kept, or one sentence says so */
    crd_status status = crd_train(dataset, split, &config, NULL, &none, &error);
    assert_true(status == CRD_OK || status == CRD_ERROR_NUMERIC);
    crd_model_free(&none);
    crd_split_free(&split);
    crd_split_free(&wrong);
    crd_model_free(&model);
    crd_dataset_free(&other);
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_seeds),
        cmocka_unit_test(side_by_side),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(repeated_edges),
        cmocka_unit_test(relabelled_nodes),
        cmocka_unit_test(explanations_add_up),
        cmocka_unit_test(explanations_look_around),
        cmocka_unit_test(many_training_nodes),
        cmocka_unit_test(early_stopping),
        cmocka_unit_test(stopping_on_request),
        cmocka_unit_test(default_graph),
        cmocka_unit_test(toy_graph),
        cmocka_unit_test(mismatches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
