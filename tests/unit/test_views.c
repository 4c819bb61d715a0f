/* SPDX-License-Identifier: MIT */
/* The network of a committee against its slow twin: outputs, loss, gradients, and the weights of its classes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "models/model.h"
#include "reference/views.h"

enum { NODES = 17, FEATURES = 5, CLASSES = 4, MOST_HIDDEN = 9, OUTPUTS = CRD_VIEWS * CLASSES, MOST = 256 };

typedef struct {
    ref_views problem;
    double x[NODES * FEATURES], adjacency[NODES * NODES], parameters[MOST];
    int label[NODES];
    crd_features features;
    crd_graph graph;
    int64_t start[NODES + 1], nodes[NODES], feature_start[NODES + 1];
    int32_t neighbour[NODES * NODES], labels[NODES], column[NODES * FEATURES];
    float value[NODES * FEATURES], dense[NODES * FEATURES];
    crd_model *model;
    crd_run *run;
} fixture;

/* The last two nodes have no edge: one is labelled, one is not. Class 1 has no node. */
static void make_graph(fixture *f, crd_rng *rng)
{
    for (int i = 0; i < NODES - 2; i++)
        for (int j = i + 1; j < NODES - 2; j++)
            if (crd_rng_uniform(rng) < 0.2) f->adjacency[i * NODES + j] = f->adjacency[j * NODES + i] = 1.0;
    for (int i = 0; i < NODES; i++) {
        f->start[i + 1] = f->start[i];
        for (int j = 0; j < NODES; j++)
            if (f->adjacency[i * NODES + j] != 0.0) f->neighbour[f->start[i + 1]++] = j;
        f->label[i] = i % 3 == 1 ? (i % 2 == 0 ? 0 : 2) : CLASSES - 1;
        if (i == 0 || i == NODES - 1) f->label[i] = 2;
        f->nodes[i] = i;
        f->labels[i] = f->label[i];
    }
    f->graph = (crd_graph){.nodes = NODES, .start = f->start, .neighbour = f->neighbour};
}

static void make_features(fixture *f, crd_rng *rng, bool sparse)
{
    for (int i = 0; i < NODES; i++) {
        f->feature_start[i + 1] = f->feature_start[i];
        for (int j = 0; j < FEATURES; j++) {
            const float v = crd_rng_uniform(rng) < 0.6 ? (float)(crd_rng_uniform(rng) * 2.0 - 0.7) : 0.0f;
            f->x[i * FEATURES + j] = (double)v;
            f->dense[i * FEATURES + j] = v;
            if (v == 0.0f) continue;
            f->column[f->feature_start[i + 1]] = j;
            f->value[f->feature_start[i + 1]++] = v;
        }
    }
    f->features = sparse ? (crd_features){.rows = NODES,
                                          .columns = FEATURES,
                                          .sparse = true,
                                          .start = f->feature_start,
                                          .column = f->column,
                                          .value = f->value}
                         : (crd_features){.rows = NODES, .columns = FEATURES, .dense = f->dense};
}

static void open_run(fixture *f, const int64_t *wanted, int64_t count)
{
    const crd_prepared prepared = {.features = f->features};
    const crd_inputs inputs = {&f->graph, &prepared, f->nodes, f->labels, NODES, NULL, wanted, count, 0, NULL};
    crd_error error = {0};
    if (crd_run_open(f->model, &inputs, NULL, &f->run, &error) != CRD_OK) fail_msg("%s", error.message);
}

static void set_up(fixture *f, crd_activation activation, int hidden, bool sparse, bool balanced)
{
    crd_rng rng = crd_rng_start(37, (uint64_t)hidden);
    memset(f, 0, sizeof *f);
    make_features(f, &rng, sparse);
    make_graph(f, &rng);
    f->problem =
        (ref_views){NODES, FEATURES, hidden, 3, CLASSES, 0.2, activation, f->x, f->adjacency, f->label, balanced};
    assert_int_equal(crd_model_new(&crd_views, &f->model, NULL), CRD_OK);
    crd_model *model = f->model;
    model->features = FEATURES;
    model->classes = CLASSES;
    model->config.hidden = hidden;
    model->config.steps = 3;
    model->config.teleport = 0.2;
    model->config.activation = activation;
    model->config.dropout = 0.0;
    model->config.class_weights = balanced ? CRD_CLASS_WEIGHTS_BALANCED : CRD_CLASS_WEIGHTS_NONE;
    assert_int_equal(crd_model_declare(model, NULL), CRD_OK);
    assert_int_equal(model->parameters, 4);
    crd_model_initialise(model, 5);
    double *to = f->parameters;
    for (int p = 0; p < model->parameters; p++) {
        const crd_parameter *parameter = &model->parameter[p];
        const int64_t rows = parameter->shape[0], columns = parameter->count / rows;
        for (int64_t i = 0; i < parameter->count; i++)
            *to++ = (double)parameter->value[parameter->form->transposed ? (i % columns) * rows + i / columns : i];
    }
    assert_int_equal(to - f->parameters, ref_views_parameters(&f->problem));
    open_run(f, NULL, 0);
}

static void tear_down(fixture *f)
{
    crd_run_close(&f->run);
    crd_model_free(&f->model);
}

static void make_gradients(const fixture *f, float **gradient)
{
    for (int p = 0; p < f->model->parameters; p++)
        gradient[p] = calloc((size_t)f->model->parameter[p].count, sizeof **gradient);
}

static void free_gradients(const fixture *f, float **gradient)
{
    for (int p = 0; p < f->model->parameters; p++) free(gradient[p]);
}

/* Central differences of the twin, in the order of the file. */
static double slope(fixture *f, int index)
{
    const double keep = f->parameters[index], h = 1e-5;
    f->parameters[index] = keep + h;
    const double high = ref_views_loss(&f->problem, f->parameters, NULL);
    f->parameters[index] = keep - h;
    const double low = ref_views_loss(&f->problem, f->parameters, NULL);
    f->parameters[index] = keep;
    return (high - low) / (2.0 * h);
}

static void check(crd_activation activation, int hidden, bool sparse, bool balanced)
{
    fixture f;
    float output[NODES * OUTPUTS], *gradient[CRD_MAX_PARAMETERS];
    double twin[NODES * OUTPUTS];
    crd_loss loss;
    set_up(&f, activation, hidden, sparse, balanced);
    const double expected_loss = ref_views_loss(&f.problem, f.parameters, twin);
    f.model->kind->infer(f.run, output, NULL);
    for (int i = 0; i < NODES * OUTPUTS; i++)
        if (fabs((double)output[i] - twin[i]) > 2e-6 * (1.0 + fabs(twin[i])))
            fail_msg("output %d: %.9g, expected %.9g", i, (double)output[i], twin[i]);
    make_gradients(&f, gradient);
    f.model->kind->step(f.run, false, 0, gradient, &loss);
    assert_int_equal(loss.terms, 1);
    if (fabs(loss.value[0] - expected_loss) > 1e-6 * (1.0 + fabs(expected_loss)))
        fail_msg("loss %.9g, expected %.9g", loss.value[0], expected_loss);
    int index = 0;
    for (int p = 0; p < f.model->parameters; p++) {
        const crd_parameter *parameter = &f.model->parameter[p];
        const int64_t rows = parameter->shape[0], columns = parameter->count / rows;
        for (int64_t i = 0; i < parameter->count; i++) {
            const int64_t at = parameter->form->transposed ? (i % columns) * rows + i / columns : i;
            const double expected = slope(&f, index++), found = (double)gradient[p][at];
            if (fabs(found - expected) > 1e-4 * fabs(expected) + 2e-6)
                fail_msg("activation %d: gradient of %s[%lld]: %.9g, expected %.9g", activation, parameter->form->name,
                         (long long)i, found, expected);
        }
    }
    free_gradients(&f, gradient);
    tear_down(&f);
}

static void gradients(void **state)
{
    (void)state;
    for (int activation = CRD_ACT_RELU; activation <= CRD_ACT_LINEAR; activation++) {
        check((crd_activation)activation, 4, activation % 2 == 0, false);
        check((crd_activation)activation, activation % 2 == 0 ? 2 : MOST_HIDDEN, activation % 2 != 0, true);
    }
}

/* With dropout a step's gradient is that of its own loss: forward and backward drop the same elements. */
static void gradients_with_dropout(void **state)
{
    (void)state;
    fixture f;
    float *gradient[CRD_MAX_PARAMETERS], *spare[CRD_MAX_PARAMETERS];
    crd_loss plain, high, low;
    set_up(&f, CRD_ACT_GELU, MOST_HIDDEN, false, false);
    f.model->config.dropout = 0.6;
    make_gradients(&f, gradient);
    make_gradients(&f, spare);
    f.model->kind->step(f.run, false, 77, gradient, &plain);
    f.model->kind->step(f.run, false, 78, spare, &high);
    assert_true(plain.value[0] != high.value[0]);
    for (int p = 0; p < f.model->parameters; p++)
        for (int64_t i = 0; i < f.model->parameter[p].count; i++) {
            float *value = &f.model->parameter[p].value[i];
            const float keep = *value, h = 1.0f / 64.0f;
            *value = keep + h;
            f.model->kind->step(f.run, false, 77, spare, &high);
            *value = keep - h;
            f.model->kind->step(f.run, false, 77, spare, &low);
            *value = keep;
            const double expected = (high.value[0] - low.value[0]) / (2.0 * (double)h);
            if (fabs((double)gradient[p][i] - expected) > 1e-3 * fabs(expected) + 2e-4)
                fail_msg("gradient of %s[%lld]: %.9g, expected %.9g", f.model->parameter[p].form->name, (long long)i,
                         (double)gradient[p][i], expected);
        }
    free_gradients(&f, gradient);
    free_gradients(&f, spare);
    tear_down(&f);
}

/* infer gives the wanted rows, in their order, and before the graph those of all nodes. */
static void wanted_rows(void **state)
{
    (void)state;
    static const int64_t wanted[] = {NODES - 1, 3, 0};
    fixture f;
    float all[NODES * OUTPUTS], some[3 * OUTPUTS], before[NODES * OUTPUTS];
    set_up(&f, CRD_ACT_RELU, 4, true, false);
    f.model->kind->infer(f.run, all, before);
    for (int i = 0; i < NODES; i++) /* alone means before the graph */
        assert_memory_equal(all + i * OUTPUTS, before + i * OUTPUTS, CLASSES * sizeof(float));
    crd_run_close(&f.run);
    open_run(&f, wanted, 3);
    f.model->kind->infer(f.run, some, NULL);
    for (int w = 0; w < 3; w++)
        assert_memory_equal(some + w * OUTPUTS, all + wanted[w] * OUTPUTS, OUTPUTS * sizeof(float));
    tear_down(&f);
}

static void weights(void **state)
{
    (void)state;
    fixture f;
    double weight[CLASSES], among[CLASSES] = {3.0, 5.0, 1.0, 7.0}, sum = 0.0, labelled = 0.0;
    set_up(&f, CRD_ACT_RELU, 2, true, false);
    crd_views_weigh(f.labels, NODES, CLASSES, NULL, weight);
    for (int i = 0; i < NODES; i++) {
        assert_true(fabs(weight[f.label[i]] - ref_views_weight(&f.problem, f.label[i])) < 1e-12);
        sum += weight[f.label[i]];
        if (f.label[i] != CLASSES - 1) labelled += weight[f.label[i]];
    }
    assert_true(fabs(sum - NODES) < 1e-9 && fabs(labelled - 0.8 * NODES) < 1e-9);
    assert_true(weight[0] == weight[2]);
    /* `among` weighs the known classes, not the unlabelled nodes, and leaves the sums as they are */
    const double unlabelled = weight[CLASSES - 1];
    crd_views_weigh(f.labels, NODES, CLASSES, among, weight);
    assert_true(weight[CLASSES - 1] == unlabelled && fabs(weight[0] - 3.0 * weight[2]) < 1e-12);
    labelled = 0.0;
    for (int i = 0; i < NODES; i++) labelled += f.label[i] != CLASSES - 1 ? weight[f.label[i]] : 0.0;
    assert_true(fabs(labelled - 0.8 * NODES) < 1e-9);
    /* all of one side, and nothing at all */
    static const int32_t none[] = {3, 3, 3}, all[] = {0, 1, 0};
    crd_views_weigh(none, 3, CLASSES, NULL, weight);
    assert_true(weight[0] == 0.0 && weight[1] == 0.0 && weight[2] == 0.0 && fabs(weight[3] - 0.2) < 1e-12);
    crd_views_weigh(all, 3, CLASSES, NULL, weight);
    assert_true(weight[3] == 0.0 && fabs(weight[0] - 0.8) < 1e-12);
    crd_views_weigh(all, 0, CLASSES, NULL, weight);
    for (int c = 0; c < CLASSES; c++) assert_true(weight[c] == 0.0);
    tear_down(&f);
}

/* The cross-entropy at several temperatures, one exponential each. */
static void surprises(void **state)
{
    static const double temperatures[CRD_TEMPERATURES] = {8.0, 4.0, 2.0, 1.0};
    crd_rng rng = crd_rng_start(3, 3);
    (void)state;
    for (int turn = 0; turn < 50; turn++) {
        float row[CLASSES];
        double sums[CRD_TEMPERATURES] = {1.0, 1.0, 1.0, 1.0};
        const int32_t label = turn % CLASSES;
        for (int k = 0; k < CLASSES; k++) row[k] = (float)(crd_rng_uniform(&rng) * (turn < 40 ? 20.0 : 2000.0) - 5.0);
        crd_views_surprise(row, CLASSES, label, 2.5, sums);
        for (int t = 0; t < CRD_TEMPERATURES; t++) {
            double sum = 0.0;
            for (int k = 0; k < CLASSES; k++) sum += exp(((double)row[k] - (double)row[label]) / temperatures[t]);
            if (!isfinite(sum)) assert_true(isfinite(sums[t]) && sums[t] > 100.0);
            else assert_true(fabs(sums[t] - 1.0 - 2.5 * log(sum)) < 1e-9 * (1.0 + log(sum)));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients),   cmocka_unit_test(gradients_with_dropout),
        cmocka_unit_test(wanted_rows), cmocka_unit_test(weights),
        cmocka_unit_test(surprises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
