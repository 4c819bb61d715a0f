/* SPDX-License-Identifier: MIT */
/* The whole model: every gradient of the objective against finite differences of the slow twin. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "kernels/linear.h"
#include "models/model.h"
#include "reference/reference.h"

enum { NODES = 14, FEATURES = 6, HIDDEN = 5, LATENT = 3, LAYERS = 3, CLASSES = 3, MOST_CLASSES = 5 };
enum { MOST = 256 }; /* parameters */

typedef struct {
    ref_problem problem;
    double x[NODES * FEATURES], adjacency[NODES * NODES], parameters[MOST];
    int train[NODES];
    crd_features features;
    crd_graph graph;
    int64_t start[NODES + 1], nodes[NODES], feature_start[NODES + 1];
    int32_t neighbour[NODES * NODES], labels[NODES], column[NODES * FEATURES];
    float value[NODES * FEATURES], dense[NODES * FEATURES];
    int64_t count;
    crd_model *model;
} fixture;

static void setup(fixture *f, int classes, crd_activation activation, crd_regulariser reg, bool sparse)
{
    crd_rng rng = crd_rng_start(21, 1);
    memset(f, 0, sizeof *f);
    for (int i = 0; i < NODES; i++) {
        f->feature_start[i + 1] = f->feature_start[i];
        for (int j = 0; j < FEATURES; j++) {
            float v = crd_rng_uniform(&rng) < 0.5 ? (float)(crd_rng_uniform(&rng) * 2.0 - 0.7) : 0.0f;
            f->x[i * FEATURES + j] = (double)v;
            f->dense[i * FEATURES + j] = v;
            if (v == 0.0f) continue;
            f->column[f->feature_start[i + 1]] = j;
            f->value[f->feature_start[i + 1]++] = v;
        }
        f->start[i + 1] = 0;
    }
    for (int i = 0; i < NODES; i++)
        for (int j = i + 1; j < NODES; j++)
            if (crd_rng_uniform(&rng) < 0.25) f->adjacency[i * NODES + j] = f->adjacency[j * NODES + i] = 1.0;
    for (int i = 0; i < NODES; i++) {
        f->start[i + 1] = f->start[i];
        for (int j = 0; j < NODES; j++)
            if (f->adjacency[i * NODES + j] != 0.0) f->neighbour[f->start[i + 1]++] = j;
        f->train[i] = i % 2 == 0 ? i / 2 % classes : -1;
        if (f->train[i] < 0) continue;
        f->nodes[f->count] = i;
        f->labels[f->count++] = f->train[i];
    }
    f->graph = (crd_graph){.nodes = NODES, .start = f->start, .neighbour = f->neighbour};
    f->features = sparse ? (crd_features){.rows = NODES,
                                          .columns = FEATURES,
                                          .sparse = true,
                                          .start = f->feature_start,
                                          .column = f->column,
                                          .value = f->value}
                         : (crd_features){.rows = NODES, .columns = FEATURES, .dense = f->dense};
    f->problem = (ref_problem){NODES,
                               FEATURES,
                               HIDDEN,
                               LATENT,
                               LAYERS,
                               classes,
                               4,
                               0.2,
                               0.03,
                               sparse ? 0.0 : 0.3,
                               sparse ? 0.02 : 0.0,
                               0.4,
                               activation,
                               reg,
                               true,
                               f->x,
                               f->adjacency,
                               f->train,
                               false};
    assert_int_equal(crd_model_new(&crd_gpn, &f->model, NULL), CRD_OK);
    crd_model *model = f->model;
    model->features = FEATURES;
    model->classes = classes;
    model->config.hidden = HIDDEN;
    model->config.latent = LATENT;
    model->config.flow_layers = LAYERS;
    model->config.steps = f->problem.steps;
    model->config.teleport = f->problem.teleport;
    model->config.entropy_weight = f->problem.entropy_weight;
    model->config.reg = reg;
    model->config.reg_weight = f->problem.reg_weight;
    model->config.reg_strength = f->problem.reg_strength;
    model->config.share_weight = f->problem.share_weight;
    model->config.activation = activation;
    model->config.class_scale = true;
    model->config.dropout = 0.0;
    model->class_counts = calloc((size_t)classes, sizeof *model->class_counts);
    for (int64_t t = 0; t < f->count; t++) model->class_counts[f->labels[t]] += 1.0f;
    assert_int_equal(crd_model_declare(model, NULL), CRD_OK);
    crd_model_initialise(model, 5);
    /* the twin's parameters, in the order and shapes of the file */
    double *to = f->parameters;
    for (int p = 0; p < model->parameters; p++) {
        const crd_parameter *parameter = &model->parameter[p];
        const int64_t rows = parameter->shape[0], columns = parameter->count / rows;
        for (int64_t i = 0; i < parameter->count; i++) {
            int64_t at = parameter->form->transposed ? (i % columns) * rows + i / columns : i;
            *to++ = (double)parameter->value[at];
        }
    }
    assert_int_equal(to - f->parameters, ref_parameter_count(&f->problem));
}

/* Central differences of the twin, in the order of the file. */
static double slope(fixture *f, int index)
{
    const double keep = f->parameters[index], h = 1e-5;
    f->parameters[index] = keep + h;
    double high = ref_objective(&f->problem, f->parameters, NULL);
    f->parameters[index] = keep - h;
    double low = ref_objective(&f->problem, f->parameters, NULL);
    f->parameters[index] = keep;
    return (high - low) / (2.0 * h);
}

static void check(crd_activation activation, crd_regulariser reg, bool sparse, bool balanced)
{
    fixture f;
    setup(&f, CLASSES, activation, reg, sparse);
    f.problem.balanced = balanced;
    f.model->config.class_weights = balanced ? CRD_CLASS_WEIGHTS_BALANCED : CRD_CLASS_WEIGHTS_NONE;
    const crd_prepared prepared = {.features = f.features};
    crd_inputs inputs = {&f.graph, &prepared, f.nodes, f.labels, f.count, NULL, NULL, 0, 0, NULL};
    crd_run *run;
    crd_error error;
    assert_int_equal(crd_run_open(f.model, &inputs, NULL, &run, &error), CRD_OK);

    float evidence[NODES * CLASSES];
    double twin[NODES * CLASSES];
    double objective = ref_objective(&f.problem, f.parameters, twin);
    crd_gpn.infer(run, evidence, NULL);
    for (int i = 0; i < NODES * CLASSES; i++)
        if (fabs(1.0 + (double)evidence[i] - twin[i]) > 1e-5 * twin[i])
            fail_msg("alpha %d: %.9g, expected %.9g", i, 1.0 + (double)evidence[i], twin[i]);

    float *gradient[CRD_MAX_PARAMETERS];
    for (int p = 0; p < f.model->parameters; p++)
        gradient[p] = calloc((size_t)f.model->parameter[p].count, sizeof **gradient);
    crd_loss loss;
    crd_gpn.step(run, false, 0, gradient, &loss);
    double sum = 0.0;
    for (int t = 0; t < loss.terms; t++) sum += loss.value[t];
    if (fabs(sum - objective) > 1e-5 * (1.0 + fabs(objective))) fail_msg("loss %.9g, expected %.9g", sum, objective);

    int index = 0;
    for (int p = 0; p < f.model->parameters; p++) {
        const crd_parameter *parameter = &f.model->parameter[p];
        const int64_t rows = parameter->shape[0], columns = parameter->count / rows;
        for (int64_t i = 0; i < parameter->count; i++) {
            int64_t at = parameter->form->transposed ? (i % columns) * rows + i / columns : i;
            double expected = slope(&f, index++), found = (double)gradient[p][at];
            if (fabs(found - expected) > 2e-4 * fabs(expected) + 2e-5)
                fail_msg("activation %d, reg %d: gradient of %s[%lld]: %.9g, expected %.9g", activation, reg,
                         parameter->form->name, (long long)i, found, expected);
        }
        free(gradient[p]);
    }
    crd_run_close(&run);
    crd_model_free(&f.model);
}

static void whole_objective(void **state)
{
    (void)state;
    for (int activation = CRD_ACT_RELU; activation <= CRD_ACT_LINEAR; activation++)
        for (int reg = CRD_REG_NONE; reg <= CRD_REG_EVIDENCE; reg++)
            for (int balanced = 0; balanced < 2; balanced++)
                check((crd_activation)activation, (crd_regulariser)reg, activation % 2 == 0, balanced == 1);
}

/* ---- a step whose forward pass ran together with an inference ---- */

enum { KEY = 77 };

typedef struct {
    float output[NODES * MOST_CLASSES], before[NODES * MOST_CLASSES]; /* of inference */
    float gradients[MOST];
    crd_loss loss;
} outcome;

/* The results of inference and of the step after it. The step was announced with this key, or not; inference is for
 * all nodes or for some. */
static void one_step(fixture *f, bool expected, uint64_t key, const int64_t *wanted, int64_t wanted_count, outcome *o)
{
    const crd_prepared prepared = {.features = f->features};
    crd_inputs inputs = {&f->graph, &prepared, f->nodes, f->labels, f->count, NULL, wanted, wanted_count, 0, NULL};
    crd_run *run;
    float *gradient[CRD_MAX_PARAMETERS], *next = o->gradients;
    for (int p = 0; p < f->model->parameters; next += f->model->parameter[p++].count) gradient[p] = next;
    assert_int_equal(crd_run_open(f->model, &inputs, NULL, &run, NULL), CRD_OK);
    if (expected) crd_gpn.expect(run, key);
    crd_gpn.infer(run, o->output, o->before);
    crd_gpn.step(run, false, KEY, gradient, &o->loss);
    crd_run_close(&run);
}

static void assert_same(const outcome *a, const outcome *b)
{
    assert_memory_equal(a->output, b->output, sizeof a->output);
    assert_memory_equal(a->before, b->before, sizeof a->before);
    assert_memory_equal(a->gradients, b->gradients, sizeof a->gradients);
    for (int t = 0; t < a->loss.terms; t++) assert_true(a->loss.value[t] == b->loss.value[t]);
}

static void expected_steps_of(int classes, crd_regulariser reg)
{
    static const int64_t wanted[] = {1, 5, 9}; /* no training nodes */
    fixture f;
    setup(&f, classes, CRD_ACT_GELU, reg, true);
    f.model->config.dropout = 0.5;
    outcome plain = {{0}, {0}, {0}, {0}}, some = plain;
    one_step(&f, false, 0, NULL, 0, &plain);
    one_step(&f, false, 0, wanted, 3, &some);
    for (int w = 0; w < 3; w++) {
        const size_t row = (size_t)classes * sizeof(float);
        assert_memory_equal(some.output + w * classes, plain.output + wanted[w] * classes, row);
        assert_memory_equal(some.before + w * classes, plain.before + wanted[w] * classes, row);
    }
    for (uint64_t key = KEY; key <= KEY + 1; key++) { /* with KEY + 1 the step is not the announced one */
        outcome o = {{0}, {0}, {0}, {0}}, p = o;
        one_step(&f, true, key, NULL, 0, &o);
        assert_same(&plain, &o);
        one_step(&f, true, key, wanted, 3, &p);
        assert_same(&some, &p);
    }
    crd_model_free(&f.model);
}

/* A row of evidence is padded to 8: it has room for 3 classes twice, exactly for 4 twice, and not for 5. */
static void expected_steps(void **state)
{
    (void)state;
    for (int classes = 3; classes <= MOST_CLASSES; classes++)
        for (int reg = CRD_REG_NONE; reg <= CRD_REG_EVIDENCE; reg++) expected_steps_of(classes, (crd_regulariser)reg);
}

/* ---- nodes that reach no training or wanted node ---- */

enum { REACHED = 10 };

/* Removes the edges between the first REACHED nodes and the others; none of the others is a training node. */
static void cut_off(fixture *f)
{
    int64_t next = 0, begin = 0;
    for (int i = 0; i < NODES; i++) {
        const int64_t end = f->start[i + 1];
        for (int64_t e = begin; e < end; e++)
            if ((f->neighbour[e] < REACHED) == (i < REACHED)) f->neighbour[next++] = f->neighbour[e];
        begin = end;
        f->start[i + 1] = next;
    }
    while (f->count > 0 && f->nodes[f->count - 1] >= REACHED) f->count--;
}

/* Without and with the number of nodes that matter; if the next step is announced, it may have been done ahead. */
static void unreached_of(int classes, crd_regulariser reg, bool expecting)
{
    const int64_t wanted[] = {9, 1, 4};
    fixture f;
    setup(&f, classes, CRD_ACT_GELU, reg, true);
    cut_off(&f);
    const crd_prepared prepared = {.features = f.features};
    float output[2][3 * MOST_CLASSES] = {{0}}, gradients[2][MOST] = {{0}};
    crd_loss loss[2];
    for (int known = 0; known < 2; known++) {
        crd_inputs inputs = {&f.graph, &prepared,           f.nodes, f.labels, f.count, NULL, wanted,
                             3,        known ? REACHED : 0, NULL};
        crd_run *run;
        float *gradient[CRD_MAX_PARAMETERS], *next = gradients[known];
        for (int p = 0; p < f.model->parameters; next += f.model->parameter[p++].count) gradient[p] = next;
        assert_int_equal(crd_run_open(f.model, &inputs, NULL, &run, NULL), CRD_OK);
        if (expecting) crd_gpn.expect(run, KEY);
        crd_gpn.infer(run, output[known], NULL);
        crd_gpn.step(run, false, KEY, gradient, &loss[known]);
        if (!expecting) crd_gpn.step(run, false, KEY, gradient, &loss[known]); /* this replaces the first gradient */
        crd_run_close(&run);
    }
    assert_memory_equal(output[0], output[1], sizeof output[0]);
    for (int i = 0; i < MOST; i++)
        if (fabs((double)(gradients[0][i] - gradients[1][i])) > 1e-6 * fabs((double)gradients[0][i]) + 1e-7)
            fail_msg("%d classes, reg %d: gradient %d: %.9g and %.9g", classes, (int)reg, i, (double)gradients[0][i],
                     (double)gradients[1][i]);
    for (int t = 0; t < loss[0].terms; t++) assert_true(loss[0].value[t] == loss[1].value[t]);
    crd_model_free(&f.model);
}

static void unreached(void **state)
{
    (void)state;
    for (int classes = 3; classes <= MOST_CLASSES; classes++)
        for (int reg = CRD_REG_NONE; reg <= CRD_REG_EVIDENCE; reg++)
            for (int expecting = 0; expecting < 2; expecting++) unreached_of(classes, (crd_regulariser)reg, expecting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_objective), cmocka_unit_test(expected_steps),
                                       cmocka_unit_test(unreached)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
