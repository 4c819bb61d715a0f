/* SPDX-License-Identifier: MIT */
/* Calibration after training, and promises: the rules on arrays against slow and obvious ones, then on models. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "dataset_helpers.h"
#include "graph/dataset.h"
#include "models/model.h"
#include "support/outcome.h"
#include "uncertainty/conformal.h"
#include "uncertainty/recalibrate.h"

static crd_rng rng;

static double uniform(void)
{
    return crd_rng_uniform(&rng);
}

/* ---- ranks ---- */

static void p_values(void **state)
{
    (void)state;
    enum { COUNT = 40, NODES = 60 };
    float rows[COUNT * CRD_HELD] = {0};
    double score[NODES], p[NODES];
    rng = crd_rng_start(1, 1);
    for (int i = 0; i < COUNT; i++) rows[i * CRD_HELD + CRD_HELD_DOUBT] = (float)floor(20.0 * uniform());
    for (int i = 0; i < NODES; i++) score[i] = floor(24.0 * uniform()) - 2.0; /* many are equal to some row */
    assert_ok(crd_held_p((crd_held){rows, COUNT}, score, NODES, p, NULL));
    for (int i = 0; i < NODES; i++) {
        int least = 1;
        for (int j = 0; j < COUNT; j++) least += (double)rows[j * CRD_HELD + CRD_HELD_DOUBT] >= score[i];
        assert_true(fabs(p[i] - least / (COUNT + 1.0)) < 1e-12);
    }
}

/* At the bound, the chance of so few errors is what the confidence leaves. */
static void error_bounds(void **state)
{
    (void)state;
    assert_true(fabs(crd_error_bound(0, 114, 0.9) - (1.0 - pow(0.1, 1.0 / 114.0))) < 1e-9);
    assert_true(crd_error_bound(3, 3, 0.9) == 1.0);
    for (int64_t count = 5; count < 400; count += 37)
        for (int64_t wrong = 0; wrong < count; wrong += 4) {
            const double p = crd_error_bound(wrong, count, 0.95);
            double term = pow(1.0 - p, (double)count), sum = term;
            for (int64_t k = 0; k < wrong; k++) sum += term *= (double)(count - k) / (double)(k + 1) * p / (1.0 - p);
            if (p < 0.8 && fabs(sum - 0.05) > 1e-6) fail_msg("%d of %d: %g", (int)wrong, (int)count, sum);
        }
}

/* `wrong` of every ten answers are wrong from row `from` on; scores rise. */
static void fill_rows(float *rows, int count, int from, int wrong)
{
    for (int i = 0; i < count; i++) {
        rows[i * CRD_HELD + CRD_HELD_ALEATORIC] = -1.0f + (float)i / (float)(2 * count);
        rows[i * CRD_HELD + CRD_HELD_WRONG] = i >= from && i % 10 < wrong ? 1.0f : 0.0f;
    }
}

static void few_errors(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    float rows[COUNT * CRD_HELD] = {0};
    const crd_held held = {rows, COUNT};
    crd_answer_rule rule;
    fill_rows(rows, COUNT, 200, 5);
    assert_ok(crd_held_answer(held, 0.05, 0.9, &rule, NULL));
    assert_true(rule.possible);
    int answered = 0, wrong = 0;
    for (int i = 0; i < COUNT; i++)
        if ((double)rows[i * CRD_HELD + CRD_HELD_ALEATORIC] <= rule.threshold) {
            answered++;
            wrong += rows[i * CRD_HELD + CRD_HELD_WRONG] != 0.0f;
        }
    assert_true(answered >= 195 && answered < 240);
    assert_true(crd_error_bound(wrong, answered, 0.9) <= 0.05);
    /* errors everywhere: no threshold, and how close it came */
    fill_rows(rows, COUNT, 0, 3);
    assert_ok(crd_held_answer(held, 0.05, 0.9, &rule, NULL));
    assert_true(!rule.possible && isnan(rule.threshold) && rule.least > 0.25 && rule.least < 0.4);
    /* no errors: everything */
    fill_rows(rows, COUNT, COUNT, 0);
    assert_ok(crd_held_answer(held, 0.01, 0.9, &rule, NULL));
    assert_true(rule.possible && rule.threshold == INFINITY); /* also what is less certain than all of them */
    /* equal scores are answered together */
    for (int i = 0; i < COUNT; i++) rows[i * CRD_HELD + CRD_HELD_ALEATORIC] = -0.5f;
    rows[CRD_HELD_WRONG] = 1.0f;
    assert_ok(crd_held_answer(held, 0.02, 0.9, &rule, NULL));
    assert_true(rule.possible && rule.least == crd_round_up(crd_error_bound(1, COUNT, 0.9)));
}

/* The error of the answers is above the promise no more often than the confidence allows. */
static void few_errors_hold(void **state)
{
    (void)state;
    enum { COUNT = 300, ROUNDS = 400 };
    float rows[COUNT * CRD_HELD] = {0};
    int broken = 0, made = 0;
    rng = crd_rng_start(2, 2);
    for (int r = 0; r < ROUNDS; r++) {
        crd_answer_rule rule;
        for (int i = 0; i < COUNT; i++) { /* an answer of doubt x is wrong with chance x squared / 2 */
            const double x = uniform();
            rows[i * CRD_HELD + CRD_HELD_ALEATORIC] = (float)(x - 1.0);
            rows[i * CRD_HELD + CRD_HELD_WRONG] = uniform() < 0.5 * x * x ? 1.0f : 0.0f;
        }
        assert_ok(crd_held_answer((crd_held){rows, COUNT}, 0.05, 0.9, &rule, NULL));
        const double t = fmin(rule.threshold + 1.0, 1.0); /* the mean of x squared / 2 below t */
        made += rule.possible;
        broken += rule.possible && t * t / 6.0 > 0.05;
    }
    assert_true(made > ROUNDS / 2);
    assert_true(broken < ROUNDS / 10 + 18); /* three standard deviations */
}

/* After a step that fails, no later one is tried. */
static void no_second_chance(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static float rows[COUNT * CRD_HELD];
    const crd_held held = {rows, COUNT};
    crd_answer_rule rule;
    fill_rows(rows, COUNT, COUNT, 0);
    for (int i = 300; i < 330; i++) rows[i * CRD_HELD + CRD_HELD_WRONG] = 1.0f;
    /* of all answers 3 % are wrong, of the most certain 35 % nearly a tenth */
    assert_true(crd_error_bound(30, COUNT, 0.9) < 0.05 && crd_error_bound(30, 350, 0.9) > 0.05);
    assert_ok(crd_held_answer(held, 0.05, 0.9, &rule, NULL));
    assert_false(rule.possible);
    assert_true(rule.least == crd_round_up(crd_error_bound(30, 350, 0.9)));
}

/* A search that begins after the first step, because that has too few answers, must find no wrong one. */
static void late_beginning(void **state)
{
    (void)state;
    enum { COUNT = 100, APART = 36 };
    float rows[COUNT * CRD_HELD] = {0};
    const crd_held held = {rows, COUNT};
    crd_answer_rule rule;
    fill_rows(rows, COUNT, COUNT, 0);
    for (int i = APART; i < COUNT; i++) rows[i * CRD_HELD + CRD_HELD_ALEATORIC] = 0.0f; /* equal, after the others */
    assert_true(crd_error_bound(0, APART, 0.9) > 0.05 && crd_error_bound(1, COUNT, 0.9) < 0.05);
    assert_ok(crd_held_answer(held, 0.05, 0.9, &rule, NULL));
    assert_true(rule.possible);
    rows[(COUNT - 1) * CRD_HELD + CRD_HELD_WRONG] = 1.0f;
    assert_ok(crd_held_answer(held, 0.05, 0.9, &rule, NULL));
    assert_false(rule.possible);
}

/* Whoever allows more errors gets no fewer answers; the least error that is named can be promised, and nothing that is
 * smaller by two digits. */
static void few_errors_in_order(void **state)
{
    (void)state;
    enum { MOST = 300 };
    float rows[MOST * CRD_HELD] = {0};
    rng = crd_rng_start(4, 4);
    for (int round = 0; round < 60; round++) {
        const int count = 1 + (int)(MOST * uniform());
        const crd_held held = {rows, count};
        const double slope = uniform() * uniform();
        crd_answer_rule rule, before = {.threshold = -INFINITY};
        for (int i = 0; i < count; i++) { /* every third round has many equal scores */
            const double x = round % 3 == 0 ? floor(8.0 * uniform()) / 8.0 : uniform();
            rows[i * CRD_HELD + CRD_HELD_ALEATORIC] = (float)(x - 1.0);
            rows[i * CRD_HELD + CRD_HELD_WRONG] = uniform() < slope * x ? 1.0f : 0.0f;
        }
        for (double most = 0.004; most < 1.0; most += 0.004) {
            assert_ok(crd_held_answer(held, most, 0.9, &rule, NULL));
            assert_true(rule.possible >= before.possible);
            assert_true(!before.possible || rule.threshold >= before.threshold);
            assert_true(rule.possible || most < rule.least);
            before = rule;
        }
        const double least = rule.least;
        assert_ok(crd_held_answer(held, least, 0.9, &rule, NULL));
        assert_true(rule.possible && rule.least == least);
        assert_ok(crd_held_answer(held, 0.9 * least, 0.9, &rule, NULL));
        assert_false(rule.possible);
    }
}

static void rounded_up(void **state)
{
    (void)state;
    assert_true(crd_round_up(0.01) == 0.01 && crd_round_up(1.0 / 121.0) == 0.0083 && crd_round_up(0.0190) == 0.019);
    assert_true(crd_round_up(0.01901) == 0.02 && crd_round_up(0.2) == 0.2 && crd_round_up(0.9901) == 1.0);
    assert_true(crd_round_up(0.70000000000000007) >= 0.70000000000000007);
}

/* ---- sets ---- */

static void set_scores(void **state)
{
    (void)state;
    enum { NODES = 50, CLASSES = 5 };
    float p[NODES * CLASSES], score[NODES * CLASSES];
    rng = crd_rng_start(3, 3);
    for (int i = 0; i < NODES; i++) {
        float sum = 0.0f;
        for (int k = 0; k < CLASSES; k++) sum += p[i * CLASSES + k] = (float)floor(1.0 + 6.0 * uniform());
        for (int k = 0; k < CLASSES; k++) p[i * CLASSES + k] /= sum;
    }
    assert_ok(crd_set_scores(p, NODES, CLASSES, 7, score, NULL));
    double least = 1.0, most = 0.0;
    for (int i = 0; i < NODES; i++) {
        const float *row = p + i * CLASSES;
        double own = 0.0; /* u of this node */
        for (int k = 0; k < CLASSES; k++) {
            double above = 0.0;
            int rank = 1;
            for (int c = 0; c < CLASSES; c++) above += row[c] > row[k] ? (double)row[c] : 0.0;
            for (int c = 0; c < CLASSES; c++) rank += row[c] > row[k];
            const double u = ((double)score[i * CLASSES + k] - above) / (double)row[k];
            if (k > 0) assert_true(fabs(u - own) < 1e-4);
            own = u;
            assert_int_equal(crd_set_rank(row, CLASSES, k), rank);
        }
        least = fmin(least, own);
        most = fmax(most, own);
    }
    assert_true(least >= -1e-4 && least < 0.2 && most > 0.8 && most < 1.0001);
    const int64_t start[] = {0, 2, 3, 4, 4};
    const int32_t neighbour[] = {1, 2, 0, 0};
    assert_true(fabsf(crd_set_near(start, neighbour, score, CLASSES, 0, 2) - 0.5f * (score[7] + score[12])) < 1e-6f);
    assert_true(crd_set_near(start, neighbour, score, CLASSES, 3, 1) == score[3 * CLASSES + 1]);
    assert_true(crd_set_score(CRD_SETS_APS, 0.5, 0.25f, 1.0f, 3) == 0.25f);
    assert_true(crd_set_score(CRD_SETS_RAPS, 0.5, 0.25f, 1.0f, 3) == 1.25f);
    assert_true(crd_set_score(CRD_SETS_DAPS, 0.5, 0.25f, 1.0f, 3) == 0.625f);
}

static void set_thresholds(void **state)
{
    (void)state;
    float rows[9 * CRD_HELD] = {0}, threshold;
    for (int i = 0; i < 9; i++) rows[i * CRD_HELD + CRD_HELD_OWN] = 0.1f * (float)((i * 4) % 9); /* shuffled */
    const crd_held held = {rows, 9};
    assert_ok(crd_held_set_threshold(held, CRD_SETS_APS, 0.0, 0.9, &threshold, NULL));
    assert_true(threshold == 0.1f * 8.0f); /* the ninth of nine */
    assert_ok(crd_held_set_threshold(held, CRD_SETS_APS, 0.0, 0.5, &threshold, NULL));
    assert_true(threshold == 0.1f * 4.0f);
    assert_ok(crd_held_set_threshold(held, CRD_SETS_APS, 0.0, 0.91, &threshold, NULL));
    assert_true(isinf(threshold));
}

/* ---- calibration ---- */

enum { MANY = 4000, KINDS = 4 };

/* Logits, and classes drawn from softmax(logits / temperature). */
static void draw(float *logits, int32_t *truth, double temperature)
{
    rng = crd_rng_start(4, 4);
    for (int i = 0; i < MANY; i++) {
        double p[KINDS], u = uniform();
        for (int k = 0; k < KINDS; k++) logits[i * KINDS + k] = (float)(2.0 * crd_rng_normal(&rng));
        crd_softmax_at(logits + i * KINDS, KINDS, temperature, p);
        truth[i] = 0;
        while (truth[i] < KINDS - 1 && (u -= p[truth[i]]) > 0.0) truth[i]++;
    }
}

static double surprise(const crd_recalibration *on, const int32_t *truth, const float *parameters)
{
    float *p = malloc(MANY * KINDS * sizeof *p);
    double *confidence = malloc(MANY * sizeof *confidence), sum = 0.0;
    assert_ok(crd_recalibration_apply(on, parameters, p, confidence, NULL));
    for (int i = 0; i < MANY; i++) {
        float most = 0.0f;
        sum -= log((double)p[i * KINDS + truth[i]]);
        for (int k = 0; k < KINDS; k++) most = fmaxf(most, p[i * KINDS + k]);
        assert_true((float)confidence[i] == most);
    }
    free(p);
    free(confidence);
    return sum;
}

static void temperatures(void **state)
{
    (void)state;
    static float logits[MANY * KINDS];
    static int32_t truth[MANY];
    float parameters[4];
    crd_recalibration on = {CRD_CALIBRATION_TEMPERATURE, logits, MANY, KINDS, NULL, NULL, NULL, NULL};
    for (double temperature = 0.5; temperature < 4.0; temperature *= 2.0) {
        draw(logits, truth, temperature);
        assert_ok(crd_recalibration_fit(&on, truth, parameters, NULL));
        assert_true(fabs((double)parameters[0] / temperature - 1.0) < 0.05);
        const float plain = 1.0f, less = 0.97f * parameters[0], more = 1.03f * parameters[0];
        const double best = surprise(&on, truth, parameters);
        assert_true(best <= surprise(&on, truth, &plain));
        assert_true(best < surprise(&on, truth, &less) && best < surprise(&on, truth, &more));
    }
    /* a few right answers do not ask for certainty */
    for (int i = 0; i < MANY; i++) truth[i] = -1;
    for (int i = 0; i < 5; i++) {
        truth[i] = 0;
        for (int k = 1; k < KINDS; k++) logits[i * KINDS + k] = logits[i * KINDS] - 2.0f;
    }
    assert_ok(crd_recalibration_fit(&on, truth, parameters, NULL));
    assert_true(parameters[0] > 0.3f && parameters[0] < 1.0f);
}

static void mixtures(void **state)
{
    (void)state;
    static float logits[MANY * KINDS];
    static int32_t truth[MANY];
    float one, parameters[4];
    crd_recalibration temperature = {CRD_CALIBRATION_TEMPERATURE, logits, MANY, KINDS, NULL, NULL, NULL, NULL};
    crd_recalibration on = {CRD_CALIBRATION_ETS, logits, MANY, KINDS, NULL, NULL, NULL, NULL};
    draw(logits, truth, 0.5);
    for (int i = 0; i < MANY; i += 5) truth[i] = i / 5 % KINDS; /* a fifth of the classes says nothing */
    assert_ok(crd_recalibration_fit(&temperature, truth, &one, NULL));
    assert_ok(crd_recalibration_fit(&on, truth, parameters, NULL));
    assert_true(crd_recalibration_valid(CRD_CALIBRATION_ETS, KINDS, parameters));
    assert_true(parameters[3] > 0.03f);
    assert_true(surprise(&on, truth, parameters) < surprise(&temperature, truth, &one) - 1.0);
}

/* A ring with chords. */
enum { RING = 24 };

static void make_ring(int64_t *start, int32_t *neighbour, float *logits, int32_t *truth, uint8_t *training)
{
    rng = crd_rng_start(5, 5);
    int64_t edges = 0;
    for (int i = 0; i < RING; i++) {
        start[i] = edges;
        neighbour[edges++] = (i + 1) % RING;
        neighbour[edges++] = (i + RING - 1) % RING;
        if (i % 3 == 0) neighbour[edges++] = (i + RING / 2) % RING;
        for (int k = 0; k < KINDS; k++) logits[i * KINDS + k] = (float)crd_rng_normal(&rng);
        truth[i] = i % 2 == 0 ? (int32_t)(uniform() * KINDS) : -1;
        training[i] = i % 5 == 0;
    }
    start[RING] = edges;
}

static void gats_gradient(void **state)
{
    (void)state;
    enum { SIZE = CRD_GATS_OTHERS + CRD_GATS_HEADS * KINDS };
    int64_t start[RING + 1];
    int32_t neighbour[4 * RING], truth[RING];
    float logits[RING * KINDS];
    uint8_t training[RING];
    double parameters[SIZE], gradient[SIZE], loss, above, below;
    make_ring(start, neighbour, logits, truth, training);
    const crd_recalibration on = {CRD_CALIBRATION_GATS, logits, RING, KINDS, start, neighbour, training, NULL};
    assert_int_equal(crd_recalibration_size(CRD_CALIBRATION_GATS, KINDS), SIZE);
    for (int p = 0; p < SIZE; p++) parameters[p] = uniform() - 0.5;
    parameters[0] = 0.4;
    parameters[2] = 1.3;
    parameters[3] = 0.8;
    assert_ok(crd_gats_loss(&on, truth, parameters, &loss, gradient, NULL));
    for (int p = 0; p < SIZE; p++) {
        const double keep = parameters[p], step = 1e-5;
        parameters[p] = keep + step;
        assert_ok(crd_gats_loss(&on, truth, parameters, &above, NULL, NULL));
        parameters[p] = keep - step;
        assert_ok(crd_gats_loss(&on, truth, parameters, &below, NULL, NULL));
        parameters[p] = keep;
        const double expected = (above - below) / (2.0 * step);
        if (fabs(gradient[p] - expected) > 1e-7 + 1e-5 * fabs(expected))
            fail_msg("parameter %d: %.9g, expected %.9g", p, gradient[p], expected);
    }
}

static void gats_fit(void **state)
{
    (void)state;
    enum { SIZE = CRD_GATS_OTHERS + CRD_GATS_HEADS * KINDS };
    int64_t start[RING + 1];
    int32_t neighbour[4 * RING], truth[RING];
    float logits[RING * KINDS], parameters[SIZE] = {0}, one;
    uint8_t training[RING];
    double temperature[RING], fitted[SIZE], before[SIZE] = {0}, loss, plain;
    make_ring(start, neighbour, logits, truth, training);
    crd_recalibration on = {CRD_CALIBRATION_GATS, logits, RING, KINDS, start, neighbour, training, NULL};
    parameters[0] = (float)(1.5 - log(2.0));
    parameters[2] = parameters[3] = 1.0f;
    assert_ok(crd_gats_temperatures(&on, parameters, temperature, NULL)); /* nothing but a bias: one temperature */
    for (int i = 0; i < RING; i++) assert_true(fabs(temperature[i] - 1.5) < 1e-6);
    assert_ok(crd_recalibration_fit(&on, truth, parameters, NULL));
    assert_true(crd_recalibration_valid(CRD_CALIBRATION_GATS, KINDS, parameters));
    on.method = CRD_CALIBRATION_TEMPERATURE;
    assert_ok(crd_recalibration_fit(&on, truth, &one, NULL));
    before[0] = (double)one - log(2.0);
    before[2] = before[3] = 1.0;
    for (int p = 0; p < SIZE; p++) fitted[p] = (double)parameters[p];
    assert_ok(crd_gats_loss(&on, truth, fitted, &loss, NULL, NULL));
    assert_ok(crd_gats_loss(&on, truth, before, &plain, NULL, NULL));
    assert_true(loss < plain);
    /* of these and of one temperature, the better one for other nodes is kept */
    int kept = 0;
    for (int turn = 0; turn < 20; turn++) {
        int32_t judge[RING];
        float chosen[SIZE];
        for (int i = 0; i < RING; i++)
            judge[i] = turn % 2 == 0 ? truth[i] : truth[i] < 0 ? (int32_t)(uniform() * KINDS) : -1;
        on.method = CRD_CALIBRATION_GATS;
        on.judge = judge;
        assert_ok(crd_recalibration_fit(&on, truth, chosen, NULL));
        assert_ok(crd_gats_loss(&on, judge, fitted, &loss, NULL, NULL));
        assert_ok(crd_gats_loss(&on, judge, before, &plain, NULL, NULL));
        for (int p = 0; p < SIZE; p++) assert_true(chosen[p] == (float)(loss < plain ? fitted[p] : before[p]));
        kept += loss < plain;
    }
    assert_true(kept >= 10 && kept < 20);
}

/* ---- models ---- */

static crd_dataset *make_graph(int64_t nodes)
{
    crd_generate_options options;
    crd_dataset *dataset;
    crd_generate_defaults(&options);
    options.nodes = nodes;
    options.classes = 4;
    options.features = 60;
    options.degree = 6.0;
    options.lookalikes = 1;
    assert_ok(crd_generate(&options, &dataset, NULL));
    return dataset;
}

static crd_config make_config(const char *kind, double hold_out)
{
    crd_config config;
    crd_config_defaults(&config);
    assert_ok(crd_config_set(&config, "model", kind, NULL));
    config.hidden = 8;
    config.max_epochs = 25;
    config.threads = 1;
    config.hold_out = hold_out;
    return config;
}

static crd_model *train(const crd_dataset *dataset, const char *spec, const crd_config *config)
{
    crd_split *split;
    crd_model *model;
    crd_error error = {0};
    assert_ok(crd_split_make(dataset, spec, 0, 1, &split, NULL));
    if (crd_train(dataset, split, config, NULL, &model, &error) != CRD_OK) fail_msg("%s", error.message);
    crd_split_free(&split);
    return model;
}

/* Nodes that are held out do nothing in training: the weights are those of a split without them. */
static void held_out(void **state)
{
    (void)state;
    static const char *const kinds[] = {"gpn", "appnp", "gkde-gcn"};
    crd_dataset *dataset = make_graph(400);
    for (int k = 0; k < 3; k++) {
        const crd_config config = make_config(kinds[k], 0.5), plain = make_config(kinds[k], 0.0);
        crd_model *model = train(dataset, "20/40/40", &config), *other;
        crd_split *split;
        uint8_t roles[400];
        int64_t of_class[4] = {0}, others[4] = {0};
        for (int64_t i = 0; i < 400; i++) {
            const crd_role role = crd_split_role(crd_model_split(model), i);
            roles[i] = (uint8_t)(role == CRD_ROLE_CALIBRATION ? CRD_ROLE_TEST : role);
            if (role == CRD_ROLE_CALIBRATION) of_class[crd_dataset_label(dataset, i)]++;
            if (role == CRD_ROLE_VALIDATION) others[crd_dataset_label(dataset, i)]++;
        }
        assert_int_equal(crd_split_count(crd_model_split(model), CRD_ROLE_CALIBRATION), 80);
        for (int c = 0; c < 4; c++) assert_true(llabs(of_class[c] - others[c]) <= 1);
        assert_non_null(strstr(crd_split_description(crd_model_split(model)), "80 validation nodes became"));
        crd_model_facts facts;
        crd_model_get_facts(model, &facts);
        assert_int_equal(facts.calibration_nodes, 80);
        assert_string_equal(facts.calibration, "temperature");
        assert_ok(crd_split_from_roles(roles, 400, &split, NULL));
        assert_ok(crd_train(dataset, split, &plain, NULL, &other, NULL));
        for (int p = 0; p < model->parameters; p++)
            assert_memory_equal(model->parameter[p].value, other->parameter[p].value,
                                (size_t)model->parameter[p].count * sizeof(float));
        assert_int_equal(other->held_count, 0);
        crd_split_free(&split);
        crd_model_free(&model);
        crd_model_free(&other);
    }
    crd_dataset_free(&dataset);
}

/* Without the left-out nodes in the graph of training, the same nodes are held out, numbered as in the whole graph. */
static void held_out_inductive(void **state)
{
    (void)state;
    crd_dataset *dataset = make_graph(400);
    crd_config config = make_config("vgcn", 0.5);
    config.left_out = 1;
    crd_model *whole = train(dataset, "20/40/40", &config), *model;
    config.inductive = true;
    model = train(dataset, "20/40/40", &config);
    assert_int_equal(model->held_count, crd_split_count(crd_model_split(model), CRD_ROLE_CALIBRATION));
    assert_true(model->held_count > 40);
    for (int64_t i = 0; i < 400; i++) {
        const crd_role role = crd_split_role(crd_model_split(model), i);
        assert_int_equal(role, crd_split_role(crd_model_split(whole), i));
        assert_true(role != CRD_ROLE_CALIBRATION || crd_dataset_label(dataset, i) < 3);
    }
    crd_model_free(&whole);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

/* The promises of a model hold on its test nodes, within chance, for every method of calibration; a file keeps them. */
static void promises_hold(void **state)
{
    crd_dataset *dataset = make_graph(1500);
    const char *path = in(state, "m");
    for (int method = CRD_CALIBRATION_NONE; method <= CRD_CALIBRATION_GATS; method++) {
        crd_config config = make_config(method % 2 == 0 ? "appnp" : "vgcn", 0.5);
        config.calibration = (crd_calibration)method;
        crd_model *model = train(dataset, "10/40/50", &config), *loaded;
        crd_evaluation e, again;
        assert_ok(crd_evaluate(model, dataset, NULL, CRD_TASK_MISCLASSIFICATION, CRD_THREADS(1), &e, NULL));
        const crd_promises *p = &e.promises;
        assert_int_equal(p->calibration_nodes, 300);
        assert_true(p->set_coverage > 0.85 && p->set_coverage < 0.95 && p->set_size >= 0.85 && p->set_size < 4.0);
        assert_true(p->aps_coverage > 0.85 && p->aps_coverage < 0.95 && p->aps_size >= 0.85 && p->aps_size < 4.0);
        assert_true(p->aps_size != p->set_size);
        for (int i = 0; i < 3; i++) assert_true(p->false_alarms[i] < 1.5 * crd_alarm_levels[i] + 0.01);
        assert_true(p->false_alarms[2] > 0.05);
        for (int i = 0; i < 3; i++) assert_true(isnan(p->wrong[i]) || p->wrong[i] <= crd_error_levels[i] + 0.02);
        if (method == CRD_CALIBRATION_NONE) assert_true(e.nll == e.nll_before);
        else assert_true(e.nll < e.nll_before + 0.01);
        assert_ok(crd_model_save(model, path, NULL));
        assert_ok(crd_model_load(path, &loaded, NULL));
        assert_ok(crd_evaluate(loaded, dataset, NULL, CRD_TASK_MISCLASSIFICATION, CRD_THREADS(1), &again, NULL));
        assert_true(again.nll == e.nll && again.promises.set_coverage == p->set_coverage);
        assert_true(again.promises.set_size == p->set_size && again.promises.false_alarms[1] == p->false_alarms[1]);
        crd_model_free(&model);
        crd_model_free(&loaded);
    }
    crd_dataset_free(&dataset);
}

/* The calls on a prediction, and what they refuse. */
static void calls(void **state)
{
    (void)state;
    crd_dataset *dataset = make_graph(400);
    const crd_config config = make_config("gpn", 0.5), plain = make_config("gpn", 0.0);
    crd_model *model = train(dataset, "20/40/40", &config), *without = train(dataset, "20/40/40", &plain);
    crd_prediction *p, *q;
    crd_error error = {0};
    int64_t flagged, count = 0;
    assert_ok(crd_predict(model, dataset, CRD_THREADS(1), &p, NULL));
    assert_ok(crd_predict(without, dataset, CRD_THREADS(1), &q, NULL));
    assert_null(crd_prediction_doubt(q));
    assert_fails(crd_prediction_flag_unknown(q, 0.1, NULL, &error), CRD_ERROR_MISMATCH, "it has no calibration nodes");
    const double *doubt = crd_prediction_doubt(p), *epistemic = crd_prediction_score(p, CRD_SCORE_EPISTEMIC);
    for (int i = 1; i < 400; i++) {
        assert_true(doubt[i] >= 0.0 && doubt[i] <= 1.0 - 1.0 / 81.0);
        assert_true((epistemic[i] > epistemic[i - 1]) <= (doubt[i] >= doubt[i - 1]));
    }
    assert_ok(crd_prediction_flag_unknown(p, 0.25, &flagged, NULL));
    for (int i = 0; i < 400; i++) {
        assert_int_equal(crd_prediction_unknown(p)[i], doubt[i] >= 0.75);
        count += crd_prediction_unknown(p)[i];
    }
    assert_int_equal(count, flagged);
    assert_fails(
        crd_prediction_flag_unknown(p, 0.01, NULL, &error), CRD_ERROR_MISMATCH,
        "false-alarms 0.01 needs at least 99 calibration nodes, and the model has 80: train with more of them, or "
        "allow 0.013 or more");
    assert_ok(crd_prediction_flag_unknown(p, 0.013, NULL, NULL));
    assert_fails(crd_prediction_flag_unknown(p, 0.0, NULL, &error), CRD_ERROR_ARGUMENT, "false-alarms is 0");
    assert_fails(crd_prediction_answer(p, 0.01, 0.9, NULL, &error), CRD_ERROR_MISMATCH,
                 "max-error 0.01 needs at least 230 calibration nodes");
    assert_fails(crd_prediction_answer(p, 0.5, 1.0, NULL, &error), CRD_ERROR_ARGUMENT, "confidence is 1");
    double alarms, most;
    assert_ok(crd_model_least_promises(model, &alarms, &most, NULL));
    assert_true(alarms == 0.013 && most > 0.028 && most < 0.9);
    assert_ok(crd_prediction_answer(p, most, 0.9, &count, NULL));
    assert_fails(crd_prediction_answer(p, 0.9 * most, 0.9, NULL, &error), CRD_ERROR_MISMATCH,
                 "or more can be promised");
    assert_ok(crd_prediction_answer(p, 0.9, 0.9, &flagged, NULL));
    assert_true(flagged >= count);
    assert_true(flagged > 350);
    assert_fails(crd_prediction_sets(p, dataset, 0.9, CRD_SETS_DAPS, 2.0, &error), CRD_ERROR_ARGUMENT,
                 "set-lambda is 2");
    assert_ok(crd_prediction_sets(p, dataset, 0.999, CRD_SETS_RAPS, 0.1, NULL)); /* too few nodes: every class */
    for (int i = 0; i < 400 * 4; i++) assert_int_equal(crd_prediction_set(p)[i], 1);
    bool keep[400] = {true};
    assert_ok(crd_prediction_keep(p, keep, NULL));
    assert_fails(crd_prediction_sets(p, dataset, 0.9, CRD_SETS_DAPS, 0.5, &error), CRD_ERROR_MISMATCH,
                 "sets need the prediction of every node");
    crd_prediction_free(&p);
    crd_prediction_free(&q);
    crd_model_free(&model);
    crd_model_free(&without);
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_values),
        cmocka_unit_test(error_bounds),
        cmocka_unit_test(few_errors),
        cmocka_unit_test(few_errors_hold),
        cmocka_unit_test(no_second_chance),
        cmocka_unit_test(late_beginning),
        cmocka_unit_test(few_errors_in_order),
        cmocka_unit_test(rounded_up),
        cmocka_unit_test(set_scores),
        cmocka_unit_test(set_thresholds),
        cmocka_unit_test(temperatures),
        cmocka_unit_test(mixtures),
        cmocka_unit_test(gats_gradient),
        cmocka_unit_test(gats_fit),
        cmocka_unit_test(held_out),
        cmocka_unit_test(held_out_inductive),
        FOLDER_TEST(promises_hold),
        cmocka_unit_test(calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
