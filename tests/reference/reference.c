/* SPDX-License-Identifier: MIT */
#include "reference/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double ref_digamma(double x)
{
    /* psi(x) = psi(x + n) - sum 1/(x + i); far out, Richardson's extrapolation of lgamma's slope. */
    double shift = 0.0;
    while (x < 30.0) {
        shift += 1.0 / x;
        x += 1.0;
    }
    double h = 0.5;
    double wide = (lgamma(x + h) - lgamma(x - h)) / (2 * h);
    double half = (lgamma(x + h / 2) - lgamma(x - h / 2)) / h;
    double quarter = (lgamma(x + h / 4) - lgamma(x - h / 4)) / (h / 2);
    double first = (4 * half - wide) / 3, second = (4 * quarter - half) / 3;
    return (16 * second - first) / 15 - shift;
}

double ref_activate(crd_activation activation, double x)
{
    switch (activation) {
    case CRD_ACT_RELU:
        return x > 0 ? x : 0;
    case CRD_ACT_GELU:
        return x * 0.5 * erfc(-x / sqrt(2.0));
    case CRD_ACT_LOGSIGMOID:
        return -log(1 + exp(-x));
    case CRD_ACT_HARDTANH:
        return fmax(-1, fmin(1, x));
    case CRD_ACT_SIGMOID:
        return 1 / (1 + exp(-x));
    case CRD_ACT_LINEAR:
        return x;
    }
    return NAN;
}

double ref_log_density(int layers, int dims, const double *center, const double *a_prime, const double *b_prime,
                       const double *z)
{
    double y[64], log_det = 0.0, norm = 0.0;
    memcpy(y, z, (size_t)dims * sizeof *y);
    for (int t = 0; t < layers; t++) {
        double a = log(1 + exp(a_prime[t])), b = -a + log(1 + exp(b_prime[t])), r = 0.0;
        for (int d = 0; d < dims; d++) r += pow(y[d] - center[t * dims + d], 2);
        r = sqrt(r);
        double h = 1 / (a + r);
        log_det += (dims - 1) * log(1 + b * h) + log(1 + b * h - b * h * h * r);
        for (int d = 0; d < dims; d++) y[d] += b * h * (y[d] - center[t * dims + d]);
    }
    for (int d = 0; d < dims; d++) norm += y[d] * y[d];
    return log_det - norm / 2 - dims / 2.0 * log(2 * M_PI);
}

void ref_diffuse(int n, int k, const double *adjacency, double teleport, int steps, const double *x, double *out)
{
    double *normalised = calloc((size_t)n * (size_t)n, sizeof *normalised);
    double *next = calloc((size_t)n * (size_t)k, sizeof *next);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double di = 1, dj = 1;
            for (int m = 0; m < n; m++) {
                di += adjacency[i * n + m];
                dj += adjacency[j * n + m];
            }
            normalised[i * n + j] = (adjacency[i * n + j] + (i == j)) / sqrt(di * dj);
        }
    memcpy(out, x, (size_t)n * (size_t)k * sizeof *out);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < n; i++)
            for (int c = 0; c < k; c++) {
                double sum = 0;
                for (int j = 0; j < n; j++) sum += normalised[i * n + j] * out[j * k + c];
                next[i * k + c] = (1 - teleport) * sum + teleport * x[i * k + c];
            }
        memcpy(out, next, (size_t)n * (size_t)k * sizeof *out);
    }
    free(normalised);
    free(next);
}

double ref_balanced_weight(int n, int k, const int *train, int class_index)
{
    double all = 0, own = 0;
    for (int i = 0; i < n; i++) {
        all += train[i] >= 0;
        own += train[i] == class_index;
    }
    return all / (k * own);
}

double ref_entropy(int k, const double *alpha)
{
    double total = 0, log_b = 0, sum = 0;
    for (int c = 0; c < k; c++) {
        total += alpha[c];
        log_b += lgamma(alpha[c]);
        sum += (alpha[c] - 1) * ref_digamma(alpha[c]);
    }
    return log_b - lgamma(total) + (total - k) * ref_digamma(total) - sum;
}

double ref_kl(int k, const double *p, const double *q)
{
    double p0 = 0, q0 = 0, sum = 0;
    for (int c = 0; c < k; c++) {
        p0 += p[c];
        q0 += q[c];
    }
    for (int c = 0; c < k; c++)
        sum += lgamma(q[c]) - lgamma(p[c]) + (p[c] - q[c]) * (ref_digamma(p[c]) - ref_digamma(p0));
    return sum + lgamma(p0) - lgamma(q0);
}

int ref_parameter_count(const ref_problem *p)
{
    return p->hidden * p->features + p->hidden + p->latent * p->hidden + p->latent +
           p->layers * p->classes * (p->latent + 2);
}

double ref_objective(const ref_problem *p, const double *parameters, double *alpha_out)
{
    const int n = p->nodes, k = p->classes, dims = p->latent;
    const double *w1 = parameters, *b1 = w1 + p->hidden * p->features, *w2 = b1 + p->hidden;
    const double *b2 = w2 + dims * p->hidden, *center = b2 + dims;
    const double *a_prime = center + p->layers * k * dims, *b_prime = a_prime + p->layers * k;
    double *z = calloc((size_t)(n * dims), sizeof *z), *evidence = calloc((size_t)(n * k), sizeof *evidence);
    double *diffused = calloc((size_t)(n * k), sizeof *diffused);
    double *one_center = calloc((size_t)(p->layers * dims), sizeof *one_center);
    double *one_a = calloc((size_t)p->layers, sizeof *one_a), *one_b = calloc((size_t)p->layers, sizeof *one_b);
    int count[64] = {0}, training = 0;
    for (int i = 0; i < n; i++)
        if (p->train[i] >= 0) {
            count[p->train[i]]++;
            training++;
        }
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < dims; d++) z[i * dims + d] = b2[d];
        for (int h = 0; h < p->hidden; h++) {
            double sum = b1[h];
            for (int f = 0; f < p->features; f++) sum += w1[h * p->features + f] * p->x[i * p->features + f];
            for (int d = 0; d < dims; d++) z[i * dims + d] += w2[d * p->hidden + h] * ref_activate(p->activation, sum);
        }
        for (int c = 0; c < k; c++) {
            for (int t = 0; t < p->layers; t++) {
                memcpy(one_center + t * dims, center + (t * k + c) * dims, (size_t)dims * sizeof *center);
                one_a[t] = a_prime[t * k + c];
                one_b[t] = b_prime[t * k + c];
            }
            double log_evidence = ref_log_density(p->layers, dims, one_center, one_a, one_b, z + i * dims) +
                                  log((double)count[c] / training) + dims / 2.0 * log(4 * M_PI) +
                                  (p->class_scale ? log(k) : 0);
            evidence[i * k + c] = exp(fmax(-30, fmin(30, log_evidence)));
        }
    }
    ref_diffuse(n, k, p->adjacency, p->teleport, p->steps, evidence, diffused);
    double loss = 0;
    for (int i = 0; i < n; i++) {
        double alpha[64], total = 0, all_evidence = 0;
        for (int c = 0; c < k; c++) {
            total += alpha[c] = 1 + diffused[i * k + c];
            all_evidence += diffused[i * k + c];
        }
        if (alpha_out != NULL) memcpy(alpha_out + i * k, alpha, (size_t)k * sizeof *alpha);
        if (p->train[i] < 0) continue;
        loss += (p->balanced ? ref_balanced_weight(n, k, p->train, p->train[i]) : 1) *
                (ref_digamma(total) - ref_digamma(alpha[p->train[i]]) - p->entropy_weight * ref_entropy(k, alpha) -
                 p->share_weight * log(diffused[i * k + p->train[i]] / all_evidence));
    }
    double edges = 0;
    for (int i = 0; i < n * n; i++) edges += p->adjacency[i] != 0 && i / n != i % n;
    const double reg_weight = p->reg_weight + p->reg_strength * training / edges;
    for (int i = 0; i < n && p->reg != CRD_REG_NONE; i++)
        for (int j = 0; j < n; j++) {
            if (p->adjacency[i * n + j] == 0 || i == j) continue;
            double term = 0, pi[64], pj[64];
            for (int d = 0; d < dims; d++) term += pow(z[i * dims + d] - z[j * dims + d], 2);
            for (int c = 0; c < k; c++) {
                pi[c] = 1 + evidence[i * k + c];
                pj[c] = 1 + evidence[j * k + c];
            }
            if (p->reg == CRD_REG_EVIDENCE) term = ref_kl(k, pi, pj) + ref_kl(k, pj, pi);
            loss += reg_weight * term;
        }
    free(z);
    free(evidence);
    free(diffused);
    free(one_center);
    free(one_a);
    free(one_b);
    return loss;
}
