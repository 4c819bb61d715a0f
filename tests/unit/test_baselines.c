/* SPDX-License-Identifier: MIT */
/* The other models beside the Graph Posterior Network, against their slow twins: outputs, losses, gradients. */
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
#include "reference/baselines.h"

enum { NODES = 15, FEATURES = 6, CLASSES = 4, MOST_HIDDEN = 9, MOST = 256 };

typedef struct {
    ref_baseline problem;
    double x[NODES * FEATURES], adjacency[NODES * NODES], parameters[MOST];
    double prior[NODES * CLASSES], teacher[NODES * CLASSES];
    float teacher_logits[NODES * CLASSES];
    int train[NODES];
    crd_features features;
    crd_graph graph;
    int64_t start[NODES + 1], nodes[NODES], feature_start[NODES + 1];
    int32_t neighbour[NODES * NODES], labels[NODES], column[NODES * FEATURES];
    float value[NODES * FEATURES], dense[NODES * FEATURES];
    int64_t count;
    crd_model *model;
    crd_run *run;
} fixture;

static const crd_model_kind *const KIND[] = {&crd_appnp, &crd_vgcn, &crd_gkde_gcn, &crd_egcn};

static void make_graph(fixture *f, crd_rng *rng, double density)
{
    for (int i = 0; i < NODES; i++)
        for (int j = i + 1; j < NODES; j++)
            if (j != NODES - 1 && crd_rng_uniform(rng) < density) /* the last node has no edge */
                f->adjacency[i * NODES + j] = f->adjacency[j * NODES + i] = 1.0;
    for (int i = 0; i < NODES; i++) {
        f->start[i + 1] = f->start[i];
        for (int j = 0; j < NODES; j++)
            if (f->adjacency[i * NODES + j] != 0.0) f->neighbour[f->start[i + 1]++] = j;
        f->train[i] = i % 2 == 0 ? i % CLASSES + (i > 7) : -1;
        if (f->train[i] >= CLASSES || i == 2) f->train[i] = 1; /* classes of different sizes */
        if (f->train[i] < 0) continue;
        f->nodes[f->count] = i;
        f->labels[f->count++] = f->train[i];
    }
    f->graph = (crd_graph){.nodes = NODES, .start = f->start, .neighbour = f->neighbour};
}

static void make_features(fixture *f, crd_rng *rng, bool sparse)
{
    for (int i = 0; i < NODES; i++) {
        f->feature_start[i + 1] = f->feature_start[i];
        for (int j = 0; j < FEATURES; j++) {
            float v = crd_rng_uniform(rng) < 0.5 ? (float)(crd_rng_uniform(rng) * 2.0 - 0.7) : 0.0f;
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

static void open_run(fixture *f)
{
    const crd_prepared prepared = {.features = f->features};
    const crd_inputs inputs = {&f->graph, &prepared, f->nodes, f->labels, f->count, NULL, NULL, 0, 0, NULL};
    crd_error error = {0};
    if (crd_run_open(f->model, &inputs, NULL, &f->run, &error) != CRD_OK) fail_msg("%s", error.message);
}

static void set_up(fixture *f, ref_network network, crd_activation activation, int hidden, bool sparse, bool balanced)
{
    crd_rng rng = crd_rng_start(31, (uint64_t)network);
    memset(f, 0, sizeof *f);
    make_features(f, &rng, sparse);
    make_graph(f, &rng, 0.25);
    ref_gkde(NODES, CLASSES, f->adjacency, f->train, f->prior);
    for (int i = 0; i < NODES * CLASSES; i++) {
        f->prior[i] += 1.0;
        f->teacher_logits[i] = (float)(4.0 * crd_rng_uniform(&rng) - 2.0);
        f->teacher[i] = (double)f->teacher_logits[i];
    }
    f->problem = (ref_baseline){network, NODES,        FEATURES, hidden,   CLASSES,    3,         0.2,      activation,
                                f->x,    f->adjacency, f->train, f->prior, f->teacher, 1.0 / 200, balanced, 0.07};
    assert_int_equal(crd_model_new(KIND[network], &f->model, NULL), CRD_OK);
    crd_model *model = f->model;
    model->features = FEATURES;
    model->classes = CLASSES;
    model->config.hidden = hidden;
    model->config.steps = f->problem.steps;
    model->config.teleport = f->problem.teleport;
    model->config.activation = activation;
    model->config.dropout = 0.0;
    model->config.class_weights = balanced ? CRD_CLASS_WEIGHTS_BALANCED : CRD_CLASS_WEIGHTS_NONE;
    model->config.entropy_weight = 0.7; /* a tenth of it in the first epoch */
    assert_int_equal(crd_model_declare(model, NULL), CRD_OK);
    crd_model_initialise(model, 5);
    for (int p = 1; p < 4; p += 2) /* non-zero biases */
        for (int64_t i = 0; i < model->parameter[p].count; i++)
            model->parameter[p].value[i] = (float)(0.6 * crd_rng_uniform(&rng) - 0.3);
    double *to = f->parameters;
    for (int p = 0; p < model->parameters; p++) {
        const crd_parameter *parameter = &model->parameter[p];
        const int64_t rows = parameter->shape[0], columns = parameter->count / rows;
        assert_true(parameter->form->decays);
        assert_false(parameter->form->warms_up);
        for (int64_t i = 0; i < parameter->count; i++)
            *to++ = (double)parameter->value[parameter->form->transposed ? (i % columns) * rows + i / columns : i];
    }
    assert_int_equal(to - f->parameters, ref_baseline_parameters(&f->problem));
    open_run(f);
    if (model->kind->teach != NULL) model->kind->teach(f->run, f->teacher_logits);
}

static void tear_down(fixture *f)
{
    crd_run_close(&f->run);
    assert_null(f->run);
    crd_model_free(&f->model);
}

static double sum_of(const crd_loss *loss)
{
    double sum = 0.0;
    for (int t = 0; t < loss->terms; t++) sum += loss->value[t];
    return sum;
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
    double high = ref_baseline_loss(&f->problem, f->parameters, NULL);
    f->parameters[index] = keep - h;
    double low = ref_baseline_loss(&f->problem, f->parameters, NULL);
    f->parameters[index] = keep;
    return (high - low) / (2.0 * h);
}

static void check(ref_network network, crd_activation activation, int hidden, bool sparse, bool balanced)
{
    fixture f;
    set_up(&f, network, activation, hidden, sparse, balanced);
    float output[NODES * CLASSES];
    double twin[NODES * CLASSES];
    const double expected_loss = ref_baseline_loss(&f.problem, f.parameters, twin);
    f.model->kind->infer(f.run, output, NULL);
    for (int i = 0; i < NODES * CLASSES; i++) {
        const double found = (double)output[i] + (network >= REF_GKDE_GCN ? 1.0 : 0.0);
        if (fabs(found - twin[i]) > 2e-6 * (1.0 + fabs(twin[i])))
            fail_msg("%s: output %d: %.9g, expected %.9g", f.model->kind->name, i, found, twin[i]);
    }
    float *gradient[CRD_MAX_PARAMETERS];
    crd_loss loss;
    make_gradients(&f, gradient);
    f.model->kind->step(f.run, false, 0, gradient, &loss);
    if (fabs(sum_of(&loss) - expected_loss) > 1e-6 * (1.0 + fabs(expected_loss)))
        fail_msg("%s: loss %.9g, expected %.9g", f.model->kind->name, sum_of(&loss), expected_loss);
    int index = 0;
    for (int p = 0; p < f.model->parameters; p++) {
        const crd_parameter *parameter = &f.model->parameter[p];
        const int64_t rows = parameter->shape[0], columns = parameter->count / rows;
        for (int64_t i = 0; i < parameter->count; i++) {
            const int64_t at = parameter->form->transposed ? (i % columns) * rows + i / columns : i;
            const double expected = slope(&f, index++), found = (double)gradient[p][at];
            if (fabs(found - expected) > 1e-4 * fabs(expected) + 2e-6)
                fail_msg("%s, activation %d: gradient of %s[%lld]: %.9g, expected %.9g", f.model->kind->name,
                         activation, parameter->form->name, (long long)i, found, expected);
        }
    }
    free_gradients(&f, gradient);
    tear_down(&f);
}

static void gradients(void **state)
{
    (void)state;
    for (int network = REF_APPNP; network <= REF_EGCN; network++)
        for (int activation = CRD_ACT_RELU; activation <= CRD_ACT_LINEAR; activation++) {
            check((ref_network)network, (crd_activation)activation, 5, activation % 2 == 0, false);
            check((ref_network)network, (crd_activation)activation, activation % 2 == 0 ? 2 : MOST_HIDDEN,
                  activation % 2 != 0, true);
        }
}

/* The teacher's weight grows by 1/200 in every epoch, up to 1 in the 200th. */
static void teacher_grows(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, REF_GKDE_GCN, CRD_ACT_RELU, 5, true, false);
    float *gradient[CRD_MAX_PARAMETERS];
    crd_loss loss;
    double first = 0.0;
    make_gradients(&f, gradient);
    for (int epoch = 1; epoch <= 203; epoch++) {
        f.model->kind->step(f.run, false, 0, gradient, &loss); /* the weights do not change */
        assert_int_equal(loss.terms, 3);
        assert_string_equal(loss.name[2], "teacher");
        if (epoch == 1) first = loss.value[2];
        const double times = epoch < 200 ? epoch : 200;
        if (fabs(loss.value[2] - times * first) > 1e-9 * times * first)
            fail_msg("epoch %d: the teacher's term is %.12g, expected %.12g", epoch, loss.value[2], times * first);
    }
    free_gradients(&f, gradient);
    tear_down(&f);
}

/* The divergence from the uniform distribution has its full weight from the tenth epoch on. */
static void divergence_grows(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, REF_EGCN, CRD_ACT_RELU, 5, true, false);
    float *gradient[CRD_MAX_PARAMETERS];
    crd_loss loss;
    double first = 0.0;
    make_gradients(&f, gradient);
    for (int epoch = 1; epoch <= 13; epoch++) {
        f.model->kind->step(f.run, false, 0, gradient, &loss);
        assert_int_equal(loss.terms, 2);
        if (epoch == 1) first = loss.value[1];
        const double times = epoch < 10 ? epoch : 10;
        assert_true(fabs(loss.value[1] - times * first) < 1e-9 * times * first);
    }
    free_gradients(&f, gradient);
    tear_down(&f);
}

/* Evidence stays between e^-30 and e^30, where nothing is learned from it any more. */
static void evidence_is_clamped(void **state)
{
    (void)state;
    fixture f;
    float evidence[NODES * CLASSES], *gradient[CRD_MAX_PARAMETERS];
    crd_loss loss;
    set_up(&f, REF_EGCN, CRD_ACT_RELU, 5, true, false);
    const float bias[CLASSES] = {100.0f, -100.0f, 100.0f, -100.0f};
    memcpy(f.model->parameter[3].value, bias, sizeof bias);
    f.model->kind->infer(f.run, evidence, NULL);
    for (int i = 0; i < NODES * CLASSES; i++) assert_true(evidence[i] == (float)exp(i % 2 == 0 ? 30.0 : -30.0));
    make_gradients(&f, gradient);
    f.model->kind->step(f.run, false, 0, gradient, &loss);
    for (int p = 0; p < 4; p++)
        for (int64_t i = 0; i < f.model->parameter[p].count; i++) assert_true(gradient[p][i] == 0.0f);
    free_gradients(&f, gradient);
    tear_down(&f);
}

/* With dropout a step's gradient is that of its own loss: forward and backward drop the same elements. */
static void gradients_with_dropout(void **state)
{
    (void)state;
    for (int network = REF_APPNP; network <= REF_VGCN; network++) {
        fixture f;
        set_up(&f, (ref_network)network, CRD_ACT_GELU, MOST_HIDDEN, false, false);
        f.model->config.dropout = 0.6;
        float *gradient[CRD_MAX_PARAMETERS], *spare[CRD_MAX_PARAMETERS];
        crd_loss plain, high, low;
        make_gradients(&f, gradient);
        make_gradients(&f, spare);
        f.model->kind->step(f.run, false, 77, gradient, &plain);
        f.model->kind->step(f.run, false, 78, spare, &high);
        assert_true(plain.value[0] != high.value[0]); /* another key drops different elements */
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
                if (fabs((double)gradient[p][i] - expected) > 1e-3 * fabs(expected) + 1e-4)
                    fail_msg("%s: gradient of %s[%lld]: %.9g, expected %.9g", f.model->kind->name,
                             f.model->parameter[p].form->name, (long long)i, (double)gradient[p][i], expected);
            }
        free_gradients(&f, gradient);
        free_gradients(&f, spare);
        tear_down(&f);
    }
}

/* Glorot's bounds are reached but not exceeded; biases start at zero. */
static void initial_weights(void **state)
{
    (void)state;
    crd_model *model;
    assert_int_equal(crd_model_new(&crd_vgcn, &model, NULL), CRD_OK);
    model->features = 200;
    model->classes = 7;
    assert_int_equal(crd_model_declare(model, NULL), CRD_OK);
    crd_model_initialise(model, 1);
    const double bound[] = {sqrt(6.0 / (200 + 64)), 0.0, sqrt(6.0 / (64 + 7)), 0.0};
    for (int p = 0; p < 4; p++) {
        double most = 0.0, sum = 0.0;
        for (int64_t i = 0; i < model->parameter[p].count; i++) {
            most = fmax(most, fabs((double)model->parameter[p].value[i]));
            sum += (double)model->parameter[p].value[i];
        }
        assert_true(most <= bound[p] * (1.0 + 1e-6));
        assert_true(most >= 0.98 * bound[p]);
        assert_true(fabs(sum) <= 0.1 * bound[p] * (double)model->parameter[p].count);
    }
    crd_model_free(&model);
}

/* lp and gkde on random graphs, dense and in many pieces, against brute force; and each node's evidence as a sum
 * over the training nodes. */
static void check_memory(const crd_model_kind *kind, uint64_t seed, double density)
{
    fixture f = {.count = 0};
    crd_rng rng = crd_rng_start(seed, 7);
    make_features(&f, &rng, true);
    make_graph(&f, &rng, density);
    assert_int_equal(crd_model_new(kind, &f.model, NULL), CRD_OK);
    f.model->classes = CLASSES;
    f.model->class_counts = calloc(CLASSES, sizeof(float));
    for (int64_t t = 0; t < f.count; t++) f.model->class_counts[f.labels[t]] += 1.0f;
    assert_int_equal(crd_model_remember(f.model, f.nodes, f.labels, f.count, NULL), CRD_OK);
    open_run(&f);
    double expected[NODES * CLASSES];
    crd_weights w;
    assert_int_equal(crd_weights_open(&w, NODES, NULL), CRD_OK);
    float found[NODES * CLASSES], before[NODES * CLASSES];
    if (kind == &crd_lp)
        ref_lp(NODES, CLASSES, f.adjacency, f.train, f.model->config.teleport, (int)f.model->config.steps, expected);
    else ref_gkde(NODES, CLASSES, f.adjacency, f.train, expected);
    kind->infer(f.run, found, before);
    for (int i = 0; i < NODES * CLASSES; i++)
        if (fabs((double)found[i] - expected[i]) > 2e-6 * expected[i])
            fail_msg("%s: evidence %d is %.9g, expected %.9g", kind->name, i, (double)found[i], expected[i]);
    for (int node = 0; node < NODES; node++) {
        int32_t hops[NODES];
        for (int i = 0; i < NODES; i++) hops[i] = i == node ? 0 : -1;
        for (int round = 0; round < NODES; round++)
            for (int i = 0; i < NODES; i++)
                for (int j = 0; j < NODES; j++)
                    if (f.adjacency[i * NODES + j] != 0.0 && hops[i] == round && hops[j] < 0) hops[j] = round + 1;
        kind->weigh(f.model, &f.graph, 0, node, hops, &w);
        for (int k = 0; k < CLASSES; k++) {
            double sum = 0.0;
            for (int64_t r = 0; r < w.count; r++)
                sum += w.weight[w.reached[r]] * (double)before[w.reached[r] * CLASSES + k];
            if (fabs(sum - expected[node * CLASSES + k]) > 1e-6 * sum)
                fail_msg("%s: contributions to node %d sum up to %.9g, expected %.9g", kind->name, node, sum,
                         expected[node * CLASSES + k]);
        }
    }
    crd_weights_close(&w);
    tear_down(&f);
}

static void memories(void **state)
{
    (void)state;
    const double density[] = {0.5, 0.15, 0.05, 0.0};
    for (size_t d = 0; d < sizeof density / sizeof *density; d++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            check_memory(&crd_lp, seed, density[d]);
            check_memory(&crd_gkde, seed, density[d]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients),
        cmocka_unit_test(teacher_grows),
        cmocka_unit_test(divergence_grows),
        cmocka_unit_test(evidence_is_clamped),
        cmocka_unit_test(gradients_with_dropout),
        cmocka_unit_test(initial_weights),
        cmocka_unit_test(memories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
