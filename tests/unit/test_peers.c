/* SPDX-License-Identifier: MIT */
/* Epistemic scores besides a model's own, against slow twins with dense matrices. */
#include <math.h>
#include <stdlib.h>

#include "answers/answers.h"
#include "base/random.h"
#include "base/tree.h"
#include "models/model.h"
#include "reference/reference.h"
#include "support/outcome.h"
#include "support/quick_model.h"
#include "train/train.h"

enum { NODES = 150, FEATURES = 8, CLASSES = 4, KNOWN = 3 };

static crd_error error_;
#define OK(call)                                                                                                       \
    do {                                                                                                               \
        if ((call) != CRD_OK) fail_msg("%s", error_.message);                                                          \
    } while (0)

static double adjacency[NODES][NODES];

/* Nodes 140 to 149 have no edge, node 149 and every eleventh no label. `edges`: with the others' edges. */
static crd_dataset *make_graph(bool edges)
{
    static int64_t source[NODES * NODES], target[NODES * NODES];
    static float dense[NODES * FEATURES];
    static int32_t labels[NODES];
    crd_rng rng = crd_rng_start(8, 1);
    int64_t count = 0;
    for (int i = 0; i < NODES; i++) {
        labels[i] = i % 11 == 10 || i == 149 ? -1 : i % CLASSES;
        for (int j = 0; j < FEATURES; j++)
            dense[i * FEATURES + j] = (float)(crd_rng_uniform(&rng) + (j % CLASSES == i % CLASSES ? 0.5 : 0.0));
        for (int j = 0; j < i; j++) {
            const bool joined = crd_rng_uniform(&rng) < (i % CLASSES == j % CLASSES ? 0.06 : 0.01) && i < 140;
            adjacency[i][j] = adjacency[j][i] = joined ? 1.0 : 0.0;
            if (!joined) continue;
            source[count] = i;
            target[count++] = j;
        }
    }
    const crd_arrays arrays = {.size = sizeof(crd_arrays),
                               .nodes = NODES,
                               .edges = edges ? count : 0,
                               .source = {source, CRD_INT64},
                               .target = {target, CRD_INT64},
                               .features = FEATURES,
                               .dense = {dense, CRD_FLOAT32},
                               .labels = labels};
    crd_dataset *dataset;
    OK(crd_dataset_from_arrays(&arrays, &dataset, &error_));
    return dataset;
}

static crd_config quick(const char *kind)
{
    crd_config config;
    crd_config_defaults(&config);
    OK(crd_config_set(&config, "model", kind, &error_));
    config.left_out = CLASSES - KNOWN;
    config.max_epochs = 15;
    config.hidden = 6;
    return config;
}

/* ---- the twins ---- */

/* What a twin is made from. */
typedef struct {
    const crd_model *model;
    const crd_dataset *dataset;
    float output[NODES * KNOWN], features[NODES * KNOWN], hidden[NODES * 16];
    double most[NODES]; /* the largest probability, before calibration */
    bool train[NODES], labelled[NODES];
} facts;

static double degree_of(int i)
{
    double degree = 0.0;
    for (int j = 0; j < NODES; j++) degree += adjacency[i][j];
    return degree;
}

/* One step with the matrix P, or (D + I)^-1 (A + I) if `self`; a lonely node keeps `alone` of its value. */
static void step(double *x, double keep, double teleport, const double *first, bool self, double alone)
{
    double next[NODES];
    for (int i = 0; i < NODES; i++) {
        double mean = 0.0;
        const double degree = degree_of(i) + (self ? 1.0 : 0.0);
        for (int j = 0; j < NODES; j++)
            if (adjacency[i][j] != 0.0 || (self && i == j)) mean += x[j] / degree;
        if (degree == 0.0) mean = alone * x[i];
        next[i] = keep * x[i] + teleport * first[i] + (1.0 - keep - teleport) * mean;
    }
    memcpy(x, next, sizeof next);
}

static void diffuse(double *x)
{
    double first[NODES];
    memcpy(first, x, sizeof first);
    for (int s = 0; s < 10; s++) step(x, 0.0, 0.1, first, true, 0.0);
}

static double lse(int count, const double *row)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) sum += exp(row[k]);
    return log(sum);
}

static double energy_of(const float *row)
{
    double wide[KNOWN];
    for (int k = 0; k < KNOWN; k++) wide[k] = (double)row[k];
    return -lse(KNOWN, wide);
}

static void twin_energy(const facts *f, double *score)
{
    for (int i = 0; i < NODES; i++) score[i] = energy_of(f->output + i * KNOWN);
}

static void twin_gnnsafe(const facts *f, double *score)
{
    twin_energy(f, score);
    for (int s = 0; s < 2; s++) step(score, 0.5, 0.0, score, false, 0.0);
}

static double total(const float *row)
{
    double sum = KNOWN;
    for (int k = 0; k < KNOWN; k++) sum += (double)row[k];
    return sum;
}

static void twin_vacuity(const facts *f, double *score)
{
    for (int i = 0; i < NODES; i++) score[i] = -total(f->output + i * KNOWN);
    for (int s = 0; s < 2; s++) step(score, 0.5, 0.0, score, false, 1.0);
}

static void twin_log_evidence(const facts *f, double *score)
{
    for (int i = 0; i < NODES; i++) score[i] = -log(total(f->features + i * KNOWN));
    diffuse(score);
}

static void twin_anchor(const facts *f, double *score)
{
    for (int i = 0; i < NODES; i++) score[i] = f->labelled[i] ? -1.0 : 0.0;
    diffuse(score);
}

/* How many nodes that are (or are not) labelled come before node i in falling order. */
static int before(const facts *f, const double *value, bool labelled, int i)
{
    int count = 0;
    for (int j = 0; j < NODES; j++)
        count += f->labelled[j] == labelled && (value[j] > value[i] || (value[j] == value[i] && j < i));
    return count;
}

static void twin_grasp(const facts *f, double *score)
{
    double h[NODES] = {0}, s[NODES], next[NODES];
    int open = 0, closed = 0, joined = 0;
    bool in_g[NODES] = {false};
    for (int i = 0; i < NODES; i++) {
        open += !f->labelled[i];
        closed += f->labelled[i];
    }
    const int part = open / 20;
    assert_true(part > 2);
    for (int i = 0; i < NODES; i++) {
        double sure = 0.0, unsure = 0.0;
        for (int j = 0; j < NODES; j++) {
            if (f->labelled[j] || adjacency[i][j] == 0.0) continue;
            sure += before(f, f->most, false, j) < part;
            unsure += before(f, f->most, false, j) >= open - part;
        }
        h[i] = sure / (unsure + 1.0);
    }
    for (int i = 0; i < NODES; i++) {
        in_g[i] = f->labelled[i] && before(f, h, true, i) < closed / 2;
        joined += in_g[i];
        s[i] = f->labelled[i] ? 1.0 : f->most[i];
    }
    assert_int_equal(joined, closed / 2);
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < NODES; i++) {
            double sum = 0.0, weight = degree_of(i) + (in_g[i] ? joined : 0);
            for (int j = 0; j < NODES; j++) sum += (adjacency[i][j] + (in_g[i] && in_g[j] ? 1.001 : 0.0)) * s[j];
            next[i] = weight > 0.0 ? sum / weight : s[i];
            if (f->labelled[i] && next[i] < 1.0) next[i] = 1.0;
        }
        memcpy(s, next, sizeof s);
    }
    for (int i = 0; i < NODES; i++) score[i] = -s[i];
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The middle 95 % of a column. */
static void range_of(const double *column, double *low, double *high)
{
    double sorted[NODES];
    memcpy(sorted, column, sizeof sorted);
    qsort(sorted, NODES, sizeof *sorted, rising);
    const double a = 0.025 * (NODES - 1), b = 0.975 * (NODES - 1);
    *low = sorted[(int)a] * (1.0 - fmod(a, 1.0)) + sorted[(int)a + 1] * fmod(a, 1.0);
    *high = sorted[(int)b] * (1.0 - fmod(b, 1.0)) + sorted[(int)b + 1] * fmod(b, 1.0);
}

static void twin_gebm(const facts *f, double *score)
{
    const int width = 6;
    static float output0[NODES * KNOWN], hidden0[NODES * 16];
    static double e[KNOWN][NODES], m[NODES], z[NODES], m0[NODES], first[NODES];
    double pooled = 0.0, training = 0.0, mean[KNOWN][16] = {{0}}, variance[KNOWN][16] = {{0}}, count[KNOWN] = {0};
    crd_dataset *alone = make_graph(false);
    OK(crd_infer(f->model, alone, NULL, 1, output0, NULL, hidden0, &error_));
    crd_dataset_free(&alone);
    for (int pass = 0; pass < 2; pass++) /* means, then variances */
        for (int i = 0; i < NODES; i++) {
            const int c = crd_dataset_label(f->dataset, i);
            if (!f->train[i]) continue;
            if (pass == 0) count[c] += 1.0;
            if (pass == 0) training += 1.0;
            for (int d = 0; d < width; d++) {
                const double h = (double)f->hidden[i * width + d], off = h - mean[c][d] / count[c];
                if (pass == 0) mean[c][d] += h;
                else variance[c][d] += off * off;
                if (pass == 1) pooled += off * off;
            }
        }
    pooled /= training * width;
    for (int c = 0; c < KNOWN; c++) {
        double m_low, m_high, z_low, z_high;
        for (int i = 0; i < NODES; i++) {
            m[i] = m0[i] = 0.0;
            z[i] = (double)f->output[i * KNOWN + c];
            for (int d = 0; d < width; d++) {
                const double v = fmax(variance[c][d] / count[c], fmax(0.1 * pooled, 1e-6));
                m[i] += pow((double)f->hidden[i * width + d] - mean[c][d] / count[c], 2.0) / v;
                m0[i] += pow((double)hidden0[i * width + d] - mean[c][d] / count[c], 2.0) / v;
            }
        }
        range_of(m, &m_low, &m_high);
        range_of(z, &z_low, &z_high);
        for (int i = 0; i < NODES; i++)
            e[c][i] = (double)output0[i * KNOWN + c] - ((m0[i] - m_low) / (m_high - m_low) * (z_high - z_low) + z_low);
    }
    for (int i = 0; i < NODES; i++) {
        const double row[KNOWN] = {e[0][i], e[1][i], e[2][i]};
        first[i] = score[i] = -lse(KNOWN, row);
    }
    for (int s = 0; s < 10; s++) {
        step(score, 0.5, 0.0, score, true, 0.0);
        for (int c = 0; c < KNOWN; c++) step(e[c], 0.5, 0.0, e[c], true, 0.0);
    }
    for (int i = 0; i < NODES; i++) {
        const double row[KNOWN] = {e[0][i], e[1][i], e[2][i]};
        score[i] += first[i] - lse(KNOWN, row);
    }
}

/* ---- the tests ---- */

static const struct {
    const char *name;
    void (*make)(const facts *f, double *score);
} TWINS[CRD_DOUBTS] = {
    [CRD_DOUBT_ENERGY] = {"energy", twin_energy},
    [CRD_DOUBT_GNNSAFE] = {"gnnsafe", twin_gnnsafe},
    [CRD_DOUBT_GEBM] = {"gebm", twin_gebm},
    [CRD_DOUBT_GRASP] = {"grasp", twin_grasp},
    [CRD_DOUBT_EPN] = {"epn", NULL},
    [CRD_DOUBT_VACUITY] = {"vacuity", twin_vacuity},
    [CRD_DOUBT_LOG_EVIDENCE] = {"log-evidence", twin_log_evidence},
    [CRD_DOUBT_ANCHOR] = {"anchor", twin_anchor},
};

static void fill_facts(facts *f, const crd_model *model, const crd_dataset *dataset)
{
    *f = (facts){.model = model, .dataset = dataset};
    OK(crd_infer(model, dataset, NULL, 1, f->output, model->kind->features_alone ? f->features : NULL, f->hidden,
                 &error_));
    for (int i = 0; i < NODES; i++) {
        const crd_role role = crd_split_role(crd_model_split(model), i);
        const int32_t label = crd_dataset_label(dataset, i);
        float probability[KNOWN];
        crd_output_probability(model->kind->output, f->output + i * KNOWN, KNOWN, probability);
        for (int k = 0; k < KNOWN; k++) f->most[i] = fmax(f->most[i], (double)probability[k]);
        f->train[i] = role == CRD_ROLE_TRAIN && label >= 0 && label < KNOWN;
        f->labelled[i] = f->train[i] || (role == CRD_ROLE_VALIDATION && label >= 0 && label < KNOWN);
    }
}

/* Every score of every trained kind; nothing else of the prediction changes. */
static void every_score(void **state)
{
    (void)state;
    static const char *const kinds[] = {"appnp", "vgcn", "gkde-gcn", "egcn", "gpn"};
    crd_dataset *dataset = make_graph(true);
    int checked = 0;
    for (int k = 0; k < 5; k++) {
        const crd_config config = quick(kinds[k]);
        crd_model *model = train(dataset, &config, NULL);
        static facts f;
        crd_prediction *own, *p;
        fill_facts(&f, model, dataset);
        OK(crd_predict(model, dataset, CRD_THREADS(1), &own, &error_));
        for (int d = 1; d < CRD_DOUBTS; d++) {
            double twin[NODES];
            if ((model->kind->scores >> d & 1) == 0 || d == CRD_DOUBT_EPN) continue; /* its head is trained */
            model->config.score = (crd_doubt)d;
            OK(crd_predict(model, dataset, CRD_THREADS(2), &p, &error_));
            TWINS[d].make(&f, twin);
            const double *score = crd_prediction_score(p, CRD_SCORE_EPISTEMIC);
            for (int i = 0; i < NODES; i++)
                if (!(fabs(score[i] - twin[i]) <= 1e-5 * (1.0 + fabs(twin[i]))))
                    fail_msg("%s %s: node %d: %.12g, expected %.12g", kinds[k], TWINS[d].name, i, score[i], twin[i]);
            assert_memory_equal(crd_prediction_probability(p), crd_prediction_probability(own),
                                NODES * KNOWN * sizeof(float));
            assert_memory_equal(crd_prediction_score(p, CRD_SCORE_ALEATORIC),
                                crd_prediction_score(own, CRD_SCORE_ALEATORIC), NODES * sizeof(double));
            crd_prediction_free(&p);
            checked++;
        }
        crd_prediction_free(&own);
        crd_model_free(&model);
    }
    assert_true(checked >= 20);
    crd_dataset_free(&dataset);
}

/* On other data the labelled nodes are not known; scores that do without still work. */
static void other_data(void **state)
{
    (void)state;
    crd_dataset *dataset = make_graph(true), *other = make_graph(false);
    const crd_config config = quick("vgcn");
    crd_model *model = train(dataset, &config, NULL);
    crd_prediction *p;
    crd_error error = {0};
    for (int d = 1; d < CRD_DOUBTS; d++) {
        const bool rests = d == CRD_DOUBT_GEBM || d == CRD_DOUBT_GRASP || d == CRD_DOUBT_ANCHOR;
        if ((model->kind->scores >> d & 1) == 0 || d == CRD_DOUBT_EPN) continue;
        model->config.score = (crd_doubt)d;
        if (!rests) {
            OK(crd_predict(model, other, CRD_THREADS(1), &p, &error_));
            crd_prediction_free(&p);
            continue;
        }
        char part[64];
        snprintf(part, sizeof part, "the score %s needs the labelled nodes", TWINS[d].name);
        assert_fails(crd_predict(model, other, CRD_THREADS(1), &p, &error), CRD_ERROR_MISMATCH, part);
        assert_null(p);
    }
    crd_model_free(&model);
    crd_dataset_free(&dataset);
    crd_dataset_free(&other);
}

/* A shift of one node at a time predicts each anew with the chosen score, also where evidence is a plain sum. */
static void shifted(void **state)
{
    (void)state;
    crd_dataset *dataset = make_graph(true);
    crd_config config = quick("gpn");
    crd_shift shift;
    crd_evaluation own, chosen;
    crd_shift_defaults(&shift);
    OK(crd_shift_parse("normal:0.2:isolated", &shift, &error_));
    shift.most_nodes = 10;
    crd_model *model = train(dataset, &config, NULL);
    OK(crd_evaluate_shift(model, dataset, NULL, &shift, CRD_THREADS(1), &own, &error_));
    model->config.score = CRD_DOUBT_ANCHOR; /* it does not look at features: nothing to find */
    OK(crd_evaluate_shift(model, dataset, NULL, &shift, CRD_THREADS(1), &chosen, &error_));
    assert_true(own.nodes == chosen.nodes && own.accuracy_shifted == chosen.accuracy_shifted);
    assert_true(own.ood_epistemic.auroc != chosen.ood_epistemic.auroc);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

/* The model file keeps the score; a configuration refuses one that its model cannot give. */
static void which_are_allowed(void **state)
{
    (void)state;
    static const char *const allowed[][2] = {
        {"appnp", "own energy gnnsafe gebm grasp epn anchor"},
        {"vgcn", "own energy gnnsafe gebm grasp epn anchor"},
        {"gkde-gcn", "own grasp vacuity anchor"},
        {"egcn", "own grasp vacuity anchor"},
        {"gpn", "own grasp vacuity log-evidence anchor"},
    };
    crd_error error = {0};
    for (int k = 0; k < 5; k++)
        for (int d = 1; d < CRD_DOUBTS; d++) {
            crd_config config = quick(allowed[k][0]);
            OK(crd_config_set(&config, "score", TWINS[d].name, &error_));
            const bool known = strstr(allowed[k][1], TWINS[d].name) != NULL;
            if (known) OK(crd_config_check(&config, &error_));
            else assert_fails(crd_config_check(&config, &error), CRD_ERROR_ARGUMENT, "expected for the model ");
        }
    crd_config config = quick("gpn");
    config.score = CRD_DOUBT_ENERGY;
    assert_fails(crd_config_check(&config, &error), CRD_ERROR_ARGUMENT,
                 "score is 'energy', expected for the model gpn one of own, grasp, vacuity, log-evidence, anchor");
    config = quick("lp");
    assert_fails(crd_config_set(&config, "score", "grasp", &error), CRD_ERROR_ARGUMENT,
                 "not an option of the model lp");
}

/* ---- the head of epn ---- */

static double head_loss(const crd_head *h, const double *parameters)
{
    double loss = 0.0;
    for (int64_t i = 0; i < h->nodes; i++) {
        double p[KNOWN], q[KNOWN], sum = 0.0, s = 0.0, most = 0.0, apart = 0.0;
        for (int k = 0; k < KNOWN; k++) sum += exp((double)h->logits[i * KNOWN + k]);
        for (int k = 0; k < KNOWN; k++) {
            double power = parameters[KNOWN * KNOWN + k];
            for (int c = 0; c < KNOWN; c++) power += parameters[k * KNOWN + c] * (double)h->logits[i * KNOWN + c];
            p[k] = exp((double)h->logits[i * KNOWN + k]) / sum;
            q[k] = exp(power);
            s += q[k];
            most = fmax(most, p[k]);
        }
        const double total = KNOWN + s, rest = s < 100.0 ? pow(100.0 - s, 2.0) : 0.0;
        for (int k = 0; k < KNOWN; k++) apart += pow(total * p[k] - q[k], 2.0);
        loss += (1e-4 * apart + 1e-4 * (rest + (1.0 - most) / most * s * s)) / (double)h->nodes;
        if (h->labels[i] < 0) continue;
        loss += (ref_digamma(total) - ref_digamma(total * p[h->labels[i]])) / (double)h->count;
    }
    return loss;
}

/* The loss and its gradient against the twin; some nodes have more evidence than is wanted, others less. */
static void head_gradient(void **state)
{
    enum { ROWS = 40, SIZE = KNOWN * (KNOWN + 1) };
    (void)state;
    float logits[ROWS * KNOWN];
    int32_t labels[ROWS];
    double parameters[SIZE], room[1 + SIZE + 3 * KNOWN];
    crd_rng rng = crd_rng_start(5, 5);
    for (int i = 0; i < ROWS * KNOWN; i++) logits[i] = (float)(4.0 * crd_rng_uniform(&rng) - 2.0);
    for (int i = 0; i < ROWS; i++) labels[i] = i % 2 == 0 ? i / 2 % KNOWN : -1;
    for (int i = 0; i < SIZE; i++)
        parameters[i] = crd_rng_uniform(&rng) - 0.5 + (i >= KNOWN * KNOWN ? log(100.0 / KNOWN) : 0.0);
    const crd_head head = {ROWS, KNOWN, logits, labels, ROWS / 2, NULL};
    assert_int_equal(crd_head_room(ROWS, KNOWN, NULL), sizeof room / sizeof room[0]);
    const double *found = crd_head_loss(&head, parameters, room);
    const double expected = head_loss(&head, parameters);
    assert_true(fabs(found[0] - expected) < 1e-7 * expected);
    for (int i = 0; i < SIZE; i++) {
        const double keep = parameters[i], h = 1e-4;
        parameters[i] = keep + h;
        const double high = head_loss(&head, parameters);
        parameters[i] = keep - h;
        const double slope = (high - head_loss(&head, parameters)) / (2.0 * h);
        parameters[i] = keep;
        if (fabs(found[1 + i] - slope) > 1e-4 * fabs(slope) + 1e-5)
            fail_msg("parameter %d: %.9g, expected %.9g", i, found[1 + i], slope);
    }
    for (int k = 0; k < KNOWN; k++) parameters[KNOWN * KNOWN + k] = k == 0 ? 1000.0 : -1000.0; /* clamped */
    found = crd_head_loss(&head, parameters, room);
    assert_true(isfinite(found[0]));
    for (int i = 1; i <= SIZE; i++) assert_true(found[i] == 0.0);
}

/* Training with the score adds a head, which has descended; the weights before it are those without the score. */
static void head_is_fitted(void **state)
{
    (void)state;
    crd_dataset *dataset = make_graph(true);
    crd_config config = quick("vgcn");
    crd_model *plain = train(dataset, &config, NULL);
    config.score = CRD_DOUBT_EPN;
    crd_model *model = train(dataset, &config, NULL), *again;
    assert_int_equal(model->parameters, plain->parameters + 2);
    for (int p = 0; p < plain->parameters; p++)
        assert_memory_equal(model->parameter[p].value, plain->parameter[p].value,
                            (size_t)plain->parameter[p].count * sizeof(float));
    static facts f;
    double fitted[KNOWN * (KNOWN + 1)], start[KNOWN * (KNOWN + 1)] = {0};
    int32_t labels[NODES];
    int64_t count = 0;
    fill_facts(&f, plain, dataset);
    for (int i = 0; i < NODES; i++) {
        labels[i] = f.train[i] ? crd_dataset_label(dataset, i) : -1;
        count += f.train[i];
    }
    for (int i = 0; i < KNOWN * KNOWN; i++) fitted[i] = (double)model->parameter[4].value[i];
    for (int k = 0; k < KNOWN; k++) {
        fitted[KNOWN * KNOWN + k] = (double)model->parameter[5].value[k];
        start[KNOWN * KNOWN + k] = log(100.0 / KNOWN);
    }
    const crd_head head = {NODES, KNOWN, f.output, labels, count, NULL};
    assert_true(head_loss(&head, fitted) < head_loss(&head, start));
    crd_prediction *p;
    OK(crd_predict(model, dataset, CRD_THREADS(1), &p, &error_));
    for (int i = 0; i < NODES; i++) {
        double total = KNOWN;
        for (int k = 0; k < KNOWN; k++) {
            double power = fitted[KNOWN * KNOWN + k];
            for (int c = 0; c < KNOWN; c++) power += fitted[k * KNOWN + c] * (double)f.output[i * KNOWN + c];
            total += exp(power);
        }
        assert_true(fabs(crd_prediction_score(p, CRD_SCORE_EPISTEMIC)[i] + total) < 1e-6 * total);
    }
    crd_prediction_free(&p);
    /* weights without a head can start one with it, and the other way round */
    again = train(dataset, &config, &(crd_train_options){.size = sizeof(crd_train_options), .init = plain});
    crd_model_free(&again);
    config.score = CRD_DOUBT_OWN;
    again = train(dataset, &config, &(crd_train_options){.size = sizeof(crd_train_options), .init = model});
    crd_model_free(&again);
    int64_t without, with;
    OK(crd_train_memory(dataset, crd_model_split(model), &config, &without, &error_));
    config.score = CRD_DOUBT_EPN;
    OK(crd_train_memory(dataset, crd_model_split(model), &config, &with, &error_));
    assert_true(with > without);
    crd_model_free(&model);
    crd_model_free(&plain);
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_score),       cmocka_unit_test(other_data),    cmocka_unit_test(shifted),
        cmocka_unit_test(which_are_allowed), cmocka_unit_test(head_gradient), cmocka_unit_test(head_is_fitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
