/* SPDX-License-Identifier: MIT */
#include "uncertainty/recalibrate.h"

#include <math.h>
#include <stdlib.h>

#include "base/watch.h"

enum { TEMPERATURE, SHARPENED, PLAIN, UNIFORM, ETS_SIZE }; /* the parameters of ets; temperature has the first only */
static const double LEAST = 0.05, MOST = 20.0;             /* temperatures */

double crd_softmax_at(const float *logits, int32_t classes, double temperature, double *probability)
{
    double most = (double)logits[0], sum = 0.0;
    for (int32_t k = 1; k < classes; k++) most = fmax(most, (double)logits[k]);
    for (int32_t k = 0; k < classes; k++) sum += probability[k] = exp(((double)logits[k] - most) / temperature);
    for (int32_t k = 0; k < classes; k++) probability[k] /= sum;
    return most / temperature + log(sum);
}

int64_t crd_recalibration_size(crd_calibration method, int32_t classes)
{
    switch (method) {
    case CRD_CALIBRATION_TEMPERATURE:
        return 1;
    case CRD_CALIBRATION_ETS:
        return ETS_SIZE;
    case CRD_CALIBRATION_GATS:
        return CRD_GATS_OTHERS + (int64_t)CRD_GATS_HEADS * classes;
    default:
        return 0;
    }
}

bool crd_recalibration_valid(crd_calibration method, int32_t classes, const float *parameters)
{
    double sum = 0.0;
    for (int64_t i = 0; i < crd_recalibration_size(method, classes); i++)
        if (!(fabsf(parameters[i]) <= 1e6f)) return false;
    if (method == CRD_CALIBRATION_GATS) return parameters[2] >= 1e-3f && parameters[3] >= 1e-3f; /* they divide */
    for (int i = SHARPENED; i < ETS_SIZE && method == CRD_CALIBRATION_ETS; i++) {
        if (parameters[i] < 0.0f) return false;
        sum += (double)parameters[i];
    }
    if (method == CRD_CALIBRATION_ETS && !(fabs(sum - 1.0) <= 1e-3)) return false;
    return parameters[TEMPERATURE] >= 1e-3f;
}

/* ---- one temperature ---- */

/* The sum of -log p of the true classes. */
static double surprise(const crd_recalibration *on, const int32_t *truth, double temperature, double *row)
{
    double sum = 0.0;
    for (int64_t i = 0; i < on->nodes && !crd_watch_at(i); i++) {
        if (truth[i] < 0) continue;
        const float *logits = on->logits + i * on->classes;
        sum += crd_softmax_at(logits, on->classes, temperature, row) - (double)logits[truth[i]] / temperature;
    }
    return sum;
}

/* Few nodes that are all answered right would ask for probabilities of 1: one more node speaks for temperature 1. */
static double cost(const crd_recalibration *on, const int32_t *truth, double log_temperature, double *row)
{
    return surprise(on, truth, exp(log_temperature), row) + 0.5 * log_temperature * log_temperature;
}

/* Golden section search: the cost falls to its minimum and rises again, because -log p_y is convex in
 * 1 / temperature. */
static double fit_temperature(const crd_recalibration *on, const int32_t *truth, double *row)
{
    const double golden = 0.6180339887498949;
    double low = log(LEAST), high = log(MOST);
    double left = high - golden * (high - low), right = low + golden * (high - low);
    double at_left = cost(on, truth, left, row), at_right = cost(on, truth, right, row);
    while (high - low > 1e-5 && !crd_watch_asks_to_stop()) {
        if (at_left <= at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - golden * (high - low);
            at_left = cost(on, truth, left, row);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + golden * (high - low);
            at_right = cost(on, truth, right, row);
        }
    }
    const double found = (double)(float)exp(0.5 * (low + high)); /* as it is stored */
    return surprise(on, truth, found, row) < surprise(on, truth, 1.0, row) ? found : 1.0;
}

/* ---- a mixture: w1 softmax(z / T) + w2 softmax(z) + w3 / classes ---- */

/* The weights by expectation maximisation: each step makes a weight the mean of its share in p of the true class. */
static crd_status fit_ets(const crd_recalibration *on, const int32_t *truth, double temperature, double *row,
                          float *parameters, crd_error *error)
{
    enum { STEPS = 200 };
    double weight[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}, before = 0.0, after = 0.0;
    double(*p)[3]; /* of the true class, by each of the three */
    int64_t count = 0;
    crd_status status = CRD_NEW(&p, on->nodes, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < on->nodes && !crd_watch_at(i); i++) {
        if (truth[i] < 0) continue;
        const float *logits = on->logits + i * on->classes;
        crd_softmax_at(logits, on->classes, temperature, row);
        p[count][0] = row[truth[i]];
        crd_softmax_at(logits, on->classes, 1.0, row);
        p[count][1] = row[truth[i]];
        p[count++][2] = 1.0 / on->classes;
    }
    for (int s = 0; s < STEPS && !crd_watch_asks_to_stop(); s++) {
        double share[3] = {0.0};
        for (int64_t i = 0; i < count; i++) {
            const double sum = weight[0] * p[i][0] + weight[1] * p[i][1] + weight[2] * p[i][2];
            for (int w = 0; w < 3; w++) share[w] += weight[w] * p[i][w] / sum;
        }
        for (int w = 0; w < 3; w++) weight[w] = share[w] / (double)count;
    }
    for (int64_t i = 0; i < count; i++) {
        before -= log(p[i][0]);
        after -= log(weight[0] * p[i][0] + weight[1] * p[i][1] + weight[2] * p[i][2]);
    }
    for (int w = 0; w < 3; w++) parameters[SHARPENED + w] = after < before ? (float)weight[w] : w == 0 ? 1.0f : 0.0f;
    crd_free(p);
    return CRD_OK;
}

/* ---- any method ---- */

crd_status crd_recalibration_fit(const crd_recalibration *on, const int32_t *truth, float *parameters, crd_error *error)
{
    double *row;
    crd_status status = CRD_NEW(&row, on->classes, error);
    if (status != CRD_OK) return status;
    const double temperature = fit_temperature(on, truth, row);
    parameters[TEMPERATURE] = (float)temperature;
    status = crd_watch_check(error);
    if (status == CRD_OK && on->method == CRD_CALIBRATION_ETS)
        status = fit_ets(on, truth, temperature, row, parameters, error);
    if (status == CRD_OK && on->method == CRD_CALIBRATION_GATS)
        status = crd_gats_fit(on, truth, temperature, parameters, error);
    crd_free(row);
    return status == CRD_OK ? crd_watch_check(error) : status;
}

crd_status crd_recalibration_apply(const crd_recalibration *on, const float *parameters, float *probability,
                                   double *confidence, crd_error *error)
{
    const bool ets = on->method == CRD_CALIBRATION_ETS, gats = on->method == CRD_CALIBRATION_GATS;
    const double one = (double)parameters[TEMPERATURE], uniform = ets ? (double)parameters[UNIFORM] / on->classes : 0.0;
    double *row, *temperature = NULL;
    crd_status status = CRD_NEW(&row, 2 * (int64_t)on->classes, error);
    if (status == CRD_OK && gats) {
        status = CRD_NEW(&temperature, on->nodes, error);
        if (status == CRD_OK) status = crd_gats_temperatures(on, parameters, temperature, error);
    }
    for (int64_t i = 0; i < on->nodes && status == CRD_OK; i++) {
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        const float *logits = on->logits + i * on->classes;
        crd_softmax_at(logits, on->classes, gats ? temperature[i] : one, row);
        double *plain = row + on->classes;
        if (ets) crd_softmax_at(logits, on->classes, 1.0, plain);
        confidence[i] = 0.0;
        for (int32_t k = 0; k < on->classes; k++) {
            if (ets) row[k] = (double)parameters[SHARPENED] * row[k] + (double)parameters[PLAIN] * plain[k] + uniform;
            probability[i * on->classes + k] = (float)row[k];
            confidence[i] = fmax(confidence[i], row[k]);
        }
    }
    crd_free(temperature);
    crd_free(row);
    return status;
}
