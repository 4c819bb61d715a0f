/* SPDX-License-Identifier: MIT */
/* The loss of an evidential network, in every instruction set of this machine: against slow twins and their finite
 * differences; its parts against libm. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "kernels/losses.h"
#include "kernels/hot/wide.h"
#include "reference/baselines.h"
#include "reference/reference.h"
#include "support/each_isa.h"

enum { NODES = 43, MOST_CLASSES = 1003, MOST_STRIDE = 1008 }; /* nodes: no multiple of a vector */

typedef struct {
    crd_evidential told;
    int32_t labels[NODES];
    float prior[NODES * MOST_CLASSES], teacher[NODES * MOST_CLASSES];
    double log_beta[NODES], log_sum[NODES], class_weight[MOST_CLASSES];
    float logits[NODES * MOST_STRIDE], gradient[NODES * MOST_STRIDE];
} problem;

static double uniform(crd_rng *rng, double bound)
{
    return (2.0 * crd_rng_uniform(rng) - 1.0) * bound;
}

/* Heap memory: the problems are too large for a stack. */
static problem *make(int classes, double bound)
{
    problem *p = calloc(1, sizeof *p);
    crd_rng rng = crd_rng_start(17, (uint64_t)classes);
    const int stride = (classes + CRD_PAD - 1) / CRD_PAD * CRD_PAD;
    for (int i = 0; i < NODES; i++) {
        p->labels[i] = i % 3 == 1 ? i * 61 % classes : -1; /* with many classes, also those in the middle */
        for (int k = 0; k < classes; k++) {
            p->prior[i * classes + k] = k % 5 == 0 ? 0.0f : (float)exp(uniform(&rng, 2.0));
            p->teacher[i * classes + k] = (float)uniform(&rng, 4.0);
            p->logits[i * stride + k] = (float)uniform(&rng, bound);
        }
    }
    for (int i = 0; i < NODES * stride; i++) p->gradient[i] = 77.0f;
    for (int k = 0; k < classes; k++) p->class_weight[k] = 0.25 + k % 7;
    p->told = (crd_evidential){.nodes = NODES,
                               .classes = classes,
                               .stride = stride,
                               .labels = p->labels,
                               .class_weight = classes % 2 == 0 ? NULL : p->class_weight,
                               .prior = p->prior,
                               .prior_log_beta = p->log_beta,
                               .prior_weight = 0.3,
                               .teacher = p->teacher,
                               .teacher_log_sum = p->log_sum,
                               .teacher_weight = 0.7};
    crd_evidential_constants(NODES, classes, p->prior, p->teacher, team, p->log_beta, p->log_sum);
    return p;
}

/* The terms of one node, with one of its logits moved. */
static void twin(const problem *p, int node, int moved, double by, double *terms)
{
    double alpha[MOST_CLASSES], prior[MOST_CLASSES], teacher[MOST_CLASSES];
    const int classes = (int)p->told.classes;
    for (int k = 0; k < classes; k++) {
        alpha[k] = 1.0 + exp((double)p->logits[node * p->told.stride + k] + (k == moved ? by : 0.0));
        prior[k] = 1.0 + (double)p->prior[node * classes + k];
        teacher[k] = (double)p->teacher[node * classes + k];
    }
    terms[0] = p->labels[node] >= 0 ? ref_bayes_risk(classes, alpha, p->labels[node]) : 0.0;
    if (p->labels[node] >= 0 && p->told.class_weight != NULL) terms[0] *= p->class_weight[p->labels[node]];
    terms[1] = p->told.prior_weight * ref_kl(classes, alpha, prior);
    terms[2] = p->told.teacher_weight * ref_teacher_kl(classes, alpha, teacher);
}

static double slope(const problem *p, int node, int k)
{
    const double h = 1e-2, weight[] = {-1.0, 8.0, -8.0, 1.0}, at[] = {2.0, 1.0, -1.0, -2.0};
    double sum = 0.0;
    for (int s = 0; s < 4; s++) {
        double terms[3];
        twin(p, node, k, at[s] * h, terms);
        sum += weight[s] * (terms[0] + terms[1] + terms[2]);
    }
    return sum / (12.0 * h);
}

static void values_and_gradients(const crd_kernels *kernels)
{
    const int classes[] = {1, 3, 8, 256, 257, MOST_CLASSES};
    for (int c = 0; c < (int)(sizeof classes / sizeof classes[0]); c++) {
        problem *p = make(classes[c], 4.0);
        const crd_evidential_terms terms = crd_evidential_loss(kernels, &p->told, p->logits, team, p->gradient);
        const double found[] = {terms.risk, terms.prior, terms.teacher};
        double expected[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < NODES; i++) {
            double node[3];
            twin(p, i, -1, 0.0, node);
            for (int t = 0; t < 3; t++) expected[t] += node[t];
        }
        for (int t = 0; t < 3; t++)
            if (!(fabs(found[t] - expected[t]) <= 1e-8 * (1.0 + fabs(expected[t]))))
                fail_msg("%s, %d classes, term %d: %.15g, expected %.15g", kernels->name, classes[c], t, found[t],
                         expected[t]);
        for (int i = 0; i<NODES; i += classes[c]> 8 ? 7 : 1)
            for (int k = 0; k<p->told.stride; k += classes[c]> 8 && k < classes[c] - 1 ? 17 : 1) {
                const double is = (double)p->gradient[i * p->told.stride + k];
                const double wanted = k < classes[c] ? slope(p, i, k) : 77.0; /* padding is not touched */
                /* the twin's digamma, accurate to 1e-9, enters once per class */
                const double tolerance = fmax(1e-5, 4e-7 * classes[c]);
                if (!(fabs(is - wanted) <= tolerance * (0.1 + fabs(wanted))))
                    fail_msg("%s, %d classes, gradient of node %d, class %d: %.9g, expected %.9g", kernels->name,
                             classes[c], i, k, is, wanted);
            }
        free(p);
    }
}

static void test_values_and_gradients(void **state)
{
    (void)state;
    with_each_isa(values_and_gradients);
}

/* A thread's stack may be small, even with many classes. */
static void *on_little_stack(void *argument)
{
    problem *p = argument;
    const crd_kernels *kernels;
    double terms[3] = {0.0, 0.0, 0.0};
    if (crd_kernels_pick(&kernels, NULL) != CRD_OK) return NULL;
    kernels->evidential(0, NODES, &p->told, p->logits, p->gradient, terms);
    return isfinite(terms[0] + terms[1] + terms[2]) ? p : NULL;
}

static void little_stack(const crd_kernels *kernels)
{
    (void)kernels; /* the thread picks its kernels itself */
    problem *p = make(MOST_CLASSES, 4.0);
    pthread_attr_t attributes;
    pthread_t thread;
    void *answer = NULL;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, 128 * 1024), 0);
    assert_int_equal(pthread_create(&thread, &attributes, on_little_stack, p), 0);
    assert_int_equal(pthread_join(thread, &answer), 0);
    assert_ptr_equal(answer, p);
    pthread_attr_destroy(&attributes);
    free(p);
}

static void test_little_stack(void **state)
{
    (void)state;
    with_each_isa(little_stack);
}

/* KL(Dir(alpha) || Dir(b)) for evidence from e^-40 to e^40: as accurate as its largest part allows. */
static void divergence(const crd_kernels *kernels)
{
    enum { CLASSES = 4 };
    problem *p = make(CLASSES, 40.0);
    p->told.prior_weight = 1.0;
    for (int i = 0; i < NODES; i++) {
        double total = 0.0, total_prior = 0.0, expected = 0.0, size = 0.0, terms[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < CLASSES; k++) {
            total += 1.0 + exp((double)p->logits[i * p->told.stride + k]);
            total_prior += 1.0 + (double)p->prior[i * CLASSES + k];
        }
        for (int k = 0; k < CLASSES; k++) {
            const double alpha = 1.0 + exp((double)p->logits[i * p->told.stride + k]);
            const double prior = 1.0 + (double)p->prior[i * CLASSES + k];
            expected += lgamma(prior) - lgamma(alpha) + (alpha - prior) * (crd_digamma(alpha) - crd_digamma(total));
            size += fabs(lgamma(alpha)) + fabs(alpha - prior) * (1.0 + log(total));
        }
        expected += lgamma(total) - lgamma(total_prior);
        kernels->evidential(i, i + 1, &p->told, p->logits, NULL, terms);
        if (!(fabs(terms[1] - expected) <= 1e-14 * (1.0 + size)))
            fail_msg("%s, node %d: %.17g, expected %.17g, parts as large as %g", kernels->name, i, terms[1], expected,
                     size);
    }
    free(p);
}

static void test_divergence(void **state)
{
    (void)state;
    with_each_isa(divergence);
}

/* NaN stays NaN, and overflow is not hidden. */
static void no_numbers(const crd_kernels *kernels)
{
    const float bad[] = {NAN, INFINITY, 800.0f};
    for (int b = 0; b < 3; b++) {
        problem *p = make(3, 4.0);
        p->logits[20 * p->told.stride + 1] = bad[b];
        const crd_evidential_terms terms = crd_evidential_loss(kernels, &p->told, p->logits, NULL, p->gradient);
        assert_false(isfinite(terms.prior));
        assert_false(isfinite(p->gradient[20 * p->told.stride + 1]));
        assert_true(isfinite(p->gradient[19 * p->told.stride + 1]));
        free(p);
    }
    problem *p = make(3, 4.0); /* the least possible evidence is fine */
    p->logits[20 * p->told.stride + 1] = -INFINITY;
    const crd_evidential_terms terms = crd_evidential_loss(kernels, &p->told, p->logits, NULL, p->gradient);
    assert_true(isfinite(terms.risk + terms.prior + terms.teacher));
    assert_true(p->gradient[20 * p->told.stride + 1] == 0.0f);
    free(p);
}

static void test_no_numbers(void **state)
{
    (void)state;
    with_each_isa(no_numbers);
}

static void assert_close(const char *what, double x, double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance)) fail_msg("%s(%.17g): %.17g, expected %.17g", what, x, found, expected);
}

/* The vector functions on doubles, as far as this compiler goes without an option for the instruction set. */
static void test_functions(void **state)
{
    (void)state;
    for (double x = -708.0; x <= 709.0; x += 0.37) {
        const double expected = exp(x);
        assert_close("exp", x, wide_exp((wide){0} + x)[0], expected, 2.3e-16 * expected);
    }
    for (double x = 1.0; x < 1e300; x *= x < 30.0 ? 1.001 : 1.7) {
        const wide_gamma g = wide_gamma_of((wide){0} + x);
        assert_close("log", x, wide_log((wide){0} + x)[0], log(x), 2.3e-16 * (0.5 + fabs(log(x))));
        assert_close("log gamma", x, g.log[0], lgamma(x), 1e-14 * (1.0 + fabs(lgamma(x))));
        assert_close("digamma", x, g.digamma[0], crd_digamma(x), 1e-14 * (1.0 + fabs(crd_digamma(x))));
        assert_close("trigamma", x, g.trigamma[0], crd_trigamma(x), 1e-14 * crd_trigamma(x));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_and_gradients),
        cmocka_unit_test(test_little_stack),
        cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_no_numbers),
        cmocka_unit_test(test_functions),
    };
    return cmocka_run_group_tests(tests, open_team, close_team);
}
