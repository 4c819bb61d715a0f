/* SPDX-License-Identifier: MIT */
/* The initial weights: uniform in +-1/sqrt(fan in) for the encoder and +-1/sqrt(latent) for the flows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "models/model.h"

/* No two of the bounds 1/5, 1/10 and 1/4 are close. */
enum { FEATURES = 25, HIDDEN = 100, LATENT = 16, LAYERS = 10, CLASSES = 6, PARAMETERS = 7 };

static const struct {
    const char *name;
    int64_t count;
    double bound;
} EXPECTED[PARAMETERS] = {
    {"encoder.0.weight", HIDDEN *FEATURES, 0.2},    {"encoder.0.bias", HIDDEN, 0.2},
    {"encoder.1.weight", LATENT *HIDDEN, 0.1},      {"encoder.1.bias", LATENT, 0.1},
    {"flow.center", LAYERS *CLASSES *LATENT, 0.25}, {"flow.alpha", LAYERS *CLASSES, 0.25},
    {"flow.beta", LAYERS *CLASSES, 0.25},
};

static crd_model *start(uint64_t seed)
{
    crd_model *model;
    assert_int_equal(crd_model_new(&crd_gpn, &model, NULL), CRD_OK);
    model->features = FEATURES;
    model->classes = CLASSES;
    model->config.hidden = HIDDEN;
    model->config.latent = LATENT;
    model->config.flow_layers = LAYERS;
    assert_int_equal(crd_model_declare(model, NULL), CRD_OK);
    crd_model_initialise(model, seed);
    assert_int_equal(model->parameters, PARAMETERS);
    return model;
}

/* Within the bounds and close to both; the moments of the uniform distribution. */
static void bounds(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        crd_model *model = start(seed);
        for (int p = 0; p < PARAMETERS; p++) {
            const crd_parameter *parameter = &model->parameter[p];
            assert_string_equal(parameter->form->name, EXPECTED[p].name);
            assert_int_equal(parameter->count, EXPECTED[p].count);
            const double bound = EXPECTED[p].bound, count = (double)parameter->count;
            double least = INFINITY, most = -INFINITY, sum = 0.0, squares = 0.0;
            for (int64_t i = 0; i < parameter->count; i++) {
                const double v = (double)parameter->value[i];
                least = fmin(least, v);
                most = fmax(most, v);
                sum += v / bound;
                squares += v * v / (bound * bound);
            }
            if (least < -bound * 1.000001 || most > bound * 1.000001)
                fail_msg("%s goes from %g to %g, expected +-%g", parameter->form->name, least, most, bound);
            const double near = parameter->count >= 50 ? 0.9 : 0.5;
            if (least > -near * bound || most < near * bound)
                fail_msg("%s goes from %g to %g only, expected +-%g", parameter->form->name, least, most, bound);
            /* four standard errors: of the mean sqrt(1/3n), of the mean square sqrt(4/45n) */
            assert_true(fabs(sum / count) < 4.0 * sqrt(1.0 / (3.0 * count)));
            assert_true(fabs(squares / count - 1.0 / 3.0) < 4.0 * sqrt(4.0 / (45.0 * count)));
        }
        crd_model_free(&model);
    }
}

/* How many of the first values, as fractions of their bounds, are equal in two tensors. */
static int shared(const crd_model *a, int p, const crd_model *b, int q)
{
    int same = 0;
    for (int i = 0; i < LATENT; i++)
        same += fabs((double)a->parameter[p].value[i] / EXPECTED[p].bound -
                     (double)b->parameter[q].value[i] / EXPECTED[q].bound) < 1e-6;
    return same;
}

static void streams(void **state)
{
    (void)state;
    crd_model *one = start(1), *again = start(1), *two = start(2);
    for (int p = 0; p < PARAMETERS; p++) {
        assert_memory_equal(one->parameter[p].value, again->parameter[p].value,
                            (size_t)EXPECTED[p].count * sizeof(float));
        for (int q = 0; q < PARAMETERS; q++) {
            assert_int_equal(shared(one, p, two, q), 0);             /* another seed, another stream */
            if (p != q) assert_int_equal(shared(one, p, one, q), 0); /* each parameter has its own */
        }
    }
    /* the values of a tensor are not all equal, and neither are its rows */
    for (int p = 0; p < PARAMETERS; p++) {
        const crd_parameter *parameter = &one->parameter[p];
        for (int64_t i = 1; i < parameter->count; i++) {
            assert_true(parameter->value[i] != parameter->value[i - 1]);
            if (i >= CLASSES) assert_true(parameter->value[i] != parameter->value[i - CLASSES]);
            if (i >= LATENT) assert_true(parameter->value[i] != parameter->value[i - LATENT]);
            if (i >= HIDDEN) assert_true(parameter->value[i] != parameter->value[i - HIDDEN]);
        }
    }
    crd_model_free(&one);
    crd_model_free(&again);
    crd_model_free(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds), cmocka_unit_test(streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
