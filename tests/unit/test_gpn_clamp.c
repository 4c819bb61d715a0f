/* SPDX-License-Identifier: MIT */
/* Evidence outside e^-30 to e^30 is clamped: there the objective is flat, and no gradient may pass. */
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
#include "reference/reference.h"

enum { NODES = 6, FEATURES = 3, HIDDEN = 4, LATENT = 12, LAYERS = 3, CLASSES = 3, MOST = 256 };
enum { W1, B1, W2, B2, CENTER, ALPHA, BETA };

/* a' and b' of a layer with a = 1 and 1 + b h = 3 near its centre: three such layers stretch the centre's
 * neighbourhood by 27 in each of 12 dimensions, so that the density there is about e^37 times that of the base. */
static const float DENSE_ALPHA = 0.5413f, DENSE_BETA = 2.9489f;
/* b = 20 pushes everything 20 away from the centre, three times: the density is about e^-1800. */
static const float EMPTY_BETA = 20.0f;

typedef enum { PLAIN, DENSE, EMPTY } density;

typedef struct {
    double x[NODES * FEATURES], adjacency[NODES * NODES], parameters[MOST];
    float dense[NODES * FEATURES];
    int train[NODES];
    int64_t start[NODES + 1], nodes[NODES];
    int32_t neighbour[2 * NODES], labels[NODES];
    crd_graph graph;
    crd_features features;
    crd_model *model;
    crd_run *run;
    float *gradient[CRD_MAX_PARAMETERS];
    crd_loss loss;
} fixture;

/* A ring of training nodes, so that the prior is 1/3 for each class. */
static void fill_data(fixture *f)
{
    crd_rng rng = crd_rng_start(4, 4);
    memset(f, 0, sizeof *f);
    for (int i = 0; i < NODES * FEATURES; i++) f->x[i] = (double)(f->dense[i] = (float)crd_rng_uniform(&rng));
    for (int i = 0; i < NODES; i++) {
        const int before = (i + NODES - 1) % NODES, after = (i + 1) % NODES;
        f->adjacency[i * NODES + before] = f->adjacency[i * NODES + after] = 1.0;
        f->neighbour[2 * i] = before < after ? before : after;
        f->neighbour[2 * i + 1] = before < after ? after : before;
        f->start[i + 1] = 2 * (i + 1);
        f->nodes[i] = i;
        f->labels[i] = f->train[i] = i % CLASSES;
    }
    f->graph = (crd_graph){.nodes = NODES, .start = f->start, .neighbour = f->neighbour};
    f->features = (crd_features){.rows = NODES, .columns = FEATURES, .dense = f->dense};
}

static void make_model(fixture *f, crd_regulariser reg, const density of[CLASSES])
{
    assert_int_equal(crd_model_new(&crd_gpn, &f->model, NULL), CRD_OK);
    crd_model *m = f->model;
    m->features = FEATURES;
    m->classes = CLASSES;
    m->config.hidden = HIDDEN;
    m->config.latent = LATENT;
    m->config.flow_layers = LAYERS;
    m->config.steps = 2;
    m->config.teleport = 0.3;
    m->config.dropout = 0.0;
    m->config.activation = CRD_ACT_SIGMOID;
    m->config.reg = reg;
    m->config.reg_weight = 0.02;
    m->config.reg_strength = 0.0;
    m->config.entropy_weight = 0.03;
    m->class_counts = malloc(CLASSES * sizeof *m->class_counts);
    assert_non_null(m->class_counts);
    for (int k = 0; k < CLASSES; k++) m->class_counts[k] = NODES / CLASSES;
    assert_int_equal(crd_model_declare(m, NULL), CRD_OK);
    crd_model_initialise(m, 3);
    /* All nodes are close to the origin, but not in one place. */
    for (int i = 0; i < LATENT * HIDDEN; i++) m->parameter[W2].value[i] *= 0.1f;
    for (int d = 0; d < LATENT; d++) m->parameter[B2].value[d] *= 0.05f;
    for (int t = 0; t < LAYERS; t++)
        for (int k = 0; k < CLASSES; k++) {
            const int pair = t * CLASSES + k;
            if (of[k] == PLAIN) continue;
            for (int d = 0; d < LATENT; d++) m->parameter[CENTER].value[pair * LATENT + d] = 0.0f;
            m->parameter[ALPHA].value[pair] = DENSE_ALPHA;
            m->parameter[BETA].value[pair] = of[k] == DENSE ? DENSE_BETA : EMPTY_BETA;
        }
}

static void setup(fixture *f, crd_regulariser reg, density first, density second, density third)
{
    fill_data(f);
    make_model(f, reg, (density[]){first, second, third});
    const crd_prepared prepared = {.features = f->features};
    const crd_inputs inputs = {&f->graph, &prepared, f->nodes, f->labels, NODES, NULL, NULL, 0, 0, NULL};
    assert_int_equal(crd_run_open(f->model, &inputs, NULL, &f->run, NULL), CRD_OK);
    for (int p = 0; p < f->model->parameters; p++) {
        f->gradient[p] = malloc((size_t)f->model->parameter[p].count * sizeof(float));
        assert_non_null(f->gradient[p]);
        for (int64_t i = 0; i < f->model->parameter[p].count; i++) f->gradient[p][i] = NAN;
    }
    crd_gpn.step(f->run, false, 0, f->gradient, &f->loss);
}

static void teardown(fixture *f)
{
    for (int p = 0; p < f->model->parameters; p++) free(f->gradient[p]);
    crd_run_close(&f->run);
    crd_model_free(&f->model);
}

/* Checks the evidence before the graph: e^30, e^-30, or between. */
static void assert_evidence(fixture *f, const density of[CLASSES])
{
    float diffused[NODES * CLASSES], evidence[NODES * CLASSES];
    crd_gpn.infer(f->run, diffused, evidence);
    for (int i = 0; i < NODES * CLASSES; i++) {
        const double log_evidence = log((double)evidence[i]);
        if (of[i % CLASSES] == PLAIN) assert_true(fabs(log_evidence) < 20.0);
        else assert_true(fabs(log_evidence - (of[i % CLASSES] == DENSE ? 30.0 : -30.0)) < 1e-5);
    }
}

static void assert_flow_gradient(const fixture *f, int k, bool zero)
{
    double sum[3] = {0.0};
    for (int t = 0; t < LAYERS; t++) {
        const int pair = t * CLASSES + k;
        for (int d = 0; d < LATENT; d++) sum[0] += fabs((double)f->gradient[CENTER][pair * LATENT + d]);
        sum[1] += fabs((double)f->gradient[ALPHA][pair]);
        sum[2] += fabs((double)f->gradient[BETA][pair]);
    }
    for (int i = 0; i < 3; i++) { /* exact: a gradient that passes below e^-30 would be small, but not zero */
        if (zero && sum[i] != 0.0) fail_msg("class %d: a gradient of %g passes the clamp", k, sum[i]);
        if (!zero) assert_true(sum[i] > 1e-3);
    }
}

static bool all_zero(const fixture *f, int parameter)
{
    for (int64_t i = 0; i < f->model->parameter[parameter].count; i++)
        if (f->gradient[parameter][i] != 0.0f) return false;
    return true;
}

/* One class at each end, one between. */
static void clamped_classes(void **state)
{
    (void)state;
    for (int reg = CRD_REG_NONE; reg <= CRD_REG_EVIDENCE; reg++) {
        fixture f;
        setup(&f, (crd_regulariser)reg, DENSE, EMPTY, PLAIN);
        assert_evidence(&f, (density[]){DENSE, EMPTY, PLAIN});
        assert_flow_gradient(&f, 0, true);
        assert_flow_gradient(&f, 1, true);
        assert_flow_gradient(&f, 2, false);
        teardown(&f);
    }
}

/* If all evidence is clamped, there is nothing to learn: nothing for the flows, and for the encoder only the
 * distance between latent positions. */
static void nothing_to_learn(void **state)
{
    (void)state;
    const density ends[] = {DENSE, EMPTY};
    for (int e = 0; e < 2; e++)
        for (int reg = CRD_REG_NONE; reg <= CRD_REG_EVIDENCE; reg++) {
            fixture f;
            setup(&f, (crd_regulariser)reg, ends[e], ends[e], ends[e]);
            assert_evidence(&f, (density[]){ends[e], ends[e], ends[e]});
            for (int p = CENTER; p <= BETA; p++) assert_true(all_zero(&f, p));
            for (int p = W1; p <= B2; p++) /* moving all nodes alike keeps their distances: no gradient for B2 */
                if (reg != CRD_REG_DISTANCE) assert_true(all_zero(&f, p));
                else if (p != B2) assert_false(all_zero(&f, p));
            teardown(&f);
        }
}

/* With one class below the clamp, the whole gradient equals the twin's, which clamps too. */
static void against_the_twin(void **state)
{
    (void)state;
    fixture f;
    setup(&f, CRD_REG_EVIDENCE, PLAIN, EMPTY, PLAIN);
    const crd_config *c = &f.model->config;
    const ref_problem problem = {NODES,
                                 FEATURES,
                                 HIDDEN,
                                 LATENT,
                                 LAYERS,
                                 CLASSES,
                                 (int)c->steps,
                                 c->teleport,
                                 c->entropy_weight,
                                 c->reg_strength,
                                 c->reg_weight,
                                 c->share_weight,
                                 c->activation,
                                 c->reg,
                                 false,
                                 f.x,
                                 f.adjacency,
                                 f.train,
                                 false};
    assert_true(ref_parameter_count(&problem) <= MOST);
    int index = 0;
    for (int pass = 0; pass < 2; pass++, index = 0) /* first all values, then all slopes */
        for (int p = 0; p < f.model->parameters; p++) {
            const crd_parameter *parameter = &f.model->parameter[p];
            const int64_t rows = parameter->shape[0], columns = parameter->count / rows;
            for (int64_t i = 0; i < parameter->count; i++, index++) {
                const int64_t place = parameter->form->transposed ? (i % columns) * rows + i / columns : i;
                if (pass == 0) {
                    f.parameters[index] = (double)parameter->value[place];
                    continue;
                }
                const double keep = f.parameters[index], h = 1e-5;
                f.parameters[index] = keep + h;
                const double high = ref_objective(&problem, f.parameters, NULL);
                f.parameters[index] = keep - h;
                const double low = ref_objective(&problem, f.parameters, NULL);
                f.parameters[index] = keep;
                const double expected = (high - low) / (2.0 * h), found = (double)f.gradient[p][place];
                if (!(fabs(found - expected) <= 2e-4 * fabs(expected) + 2e-5))
                    fail_msg("gradient of %s[%lld]: %.9g, expected %.9g", parameter->form->name, (long long)i, found,
                             expected);
            }
        }
    const double objective = ref_objective(&problem, f.parameters, NULL);
    double sum = 0.0;
    for (int t = 0; t < f.loss.terms; t++) sum += f.loss.value[t];
    assert_true(fabs(sum - objective) <= 1e-5 * (1.0 + fabs(objective)));
    teardown(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clamped_classes),
        cmocka_unit_test(nothing_to_learn),
        cmocka_unit_test(against_the_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
