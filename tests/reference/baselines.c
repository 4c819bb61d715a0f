/* SPDX-License-Identifier: MIT */
#include "reference/baselines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"

static double *numbers(int count)
{
    return calloc((size_t)count, sizeof(double));
}

/* out [n][k] = A^ x: one step of a diffusion without teleport. */
static void convolve(int n, int k, const double *adjacency, const double *x, double *out)
{
    ref_diffuse(n, k, adjacency, 0.0, 1, x, out);
}

/* out [n][to] = x [n][from] times the transpose of w [to][from]. */
static void multiply(int n, int from, int to, const double *x, const double *w, double *out)
{
    for (int i = 0; i < n; i++)
        for (int o = 0; o < to; o++) {
            out[i * to + o] = 0;
            for (int f = 0; f < from; f++) out[i * to + o] += x[i * from + f] * w[o * from + f];
        }
}

static void add_bias(int n, int k, const double *bias, double *x)
{
    for (int i = 0; i < n * k; i++) x[i] += bias[i % k];
}

int ref_baseline_parameters(const ref_baseline *p)
{
    return p->hidden * p->features + p->hidden + p->classes * p->hidden + p->classes;
}

static void logits_of(const ref_baseline *p, const double *parameters, double *logits)
{
    const int n = p->nodes, h = p->hidden, k = p->classes;
    const double *w1 = parameters, *b1 = w1 + h * p->features, *w2 = b1 + h, *b2 = w2 + k * h;
    double *product = numbers(n * h), *hidden = numbers(n * h), *narrow = numbers(n * k);
    const bool graph = p->network != REF_APPNP; /* a convolution after each product */
    multiply(n, p->features, h, p->x, w1, product);
    if (graph) convolve(n, h, p->adjacency, product, hidden);
    else memcpy(hidden, product, (size_t)(n * h) * sizeof *hidden);
    add_bias(n, h, b1, hidden);
    for (int i = 0; i < n * h; i++) hidden[i] = ref_activate(p->activation, hidden[i]);
    multiply(n, h, k, hidden, w2, narrow);
    if (graph) {
        convolve(n, k, p->adjacency, narrow, logits);
        add_bias(n, k, b2, logits);
    } else {
        add_bias(n, k, b2, narrow);
        ref_diffuse(n, k, p->adjacency, p->teleport, p->steps, narrow, logits);
    }
    free(product);
    free(hidden);
    free(narrow);
}

static void softmax(int k, const double *logits, double *p)
{
    double sum = 0;
    for (int c = 0; c < k; c++) sum += exp(logits[c]);
    for (int c = 0; c < k; c++) p[c] = exp(logits[c]) / sum;
}

double ref_bayes_risk(int k, const double *alpha, int label)
{
    double total = 0, risk = 0;
    for (int c = 0; c < k; c++) total += alpha[c];
    for (int c = 0; c < k; c++) {
        const double share = alpha[c] / total, y = c == label;
        risk += pow(y - share, 2) + share * (1 - share) / (total + 1);
    }
    return risk;
}

double ref_teacher_kl(int k, const double *alpha, const double *teacher)
{
    double total = 0, normaliser = 0, divergence = 0;
    for (int c = 0; c < k; c++) total += alpha[c];
    for (int c = 0; c < k; c++) normaliser += exp(teacher[c]);
    for (int c = 0; c < k; c++) divergence += alpha[c] / total * log(alpha[c] / total / (exp(teacher[c]) / normaliser));
    return divergence;
}

static double weight_of(const ref_baseline *p, int label)
{
    return p->balanced ? ref_balanced_weight(p->nodes, p->classes, p->train, label) : 1;
}

static double evidential(const ref_baseline *p, int node, const double *alpha)
{
    const int k = p->classes;
    const int label = p->train[node];
    return (label >= 0 ? weight_of(p, label) * ref_bayes_risk(k, alpha, label) : 0) +
           0.001 * ref_kl(k, alpha, p->prior + node * k) +
           p->teacher_weight * ref_teacher_kl(k, alpha, p->teacher + node * k);
}

/* UCE and the divergence from the uniform distribution. */
static double uniform(const ref_baseline *p, int node, const double *alpha)
{
    double total = 0, ones[64];
    if (p->train[node] < 0) return 0;
    for (int c = 0; c < p->classes; c++) {
        total += alpha[c];
        ones[c] = 1;
    }
    return weight_of(p, p->train[node]) * (ref_digamma(total) - ref_digamma(alpha[p->train[node]]) +
                                           p->uniform_weight * ref_kl(p->classes, alpha, ones));
}

double ref_baseline_loss(const ref_baseline *p, const double *parameters, double *output)
{
    const int n = p->nodes, k = p->classes;
    double *out = numbers(n * k), loss = 0, share[64];
    int training = 0;
    logits_of(p, parameters, out);
    for (int i = 0; i < n; i++) training += p->train[i] >= 0;
    for (int i = 0; i < n; i++) {
        double *row = out + i * k;
        if (p->network == REF_GKDE_GCN || p->network == REF_EGCN) {
            for (int c = 0; c < k; c++) row[c] = 1 + exp(row[c]);
            loss += p->network == REF_EGCN ? uniform(p, i, row) : evidential(p, i, row);
        } else if (p->train[i] >= 0) {
            softmax(k, row, share);
            loss -= weight_of(p, p->train[i]) * log(share[p->train[i]]) / training;
        }
    }
    if (output != NULL) memcpy(output, out, (size_t)(n * k) * sizeof *out);
    free(out);
    return loss;
}

void ref_gkde(int n, int k, const double *adjacency, const int *train, double *evidence)
{
    const int far = 1000000;
    int *hops = calloc((size_t)n * (size_t)n, sizeof *hops);
    for (int i = 0; i < n * n; i++) hops[i] = i / n == i % n ? 0 : adjacency[i] != 0 ? 1 : far;
    for (int via = 0; via < n; via++) /* Floyd and Warshall */
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (hops[i * n + via] + hops[via * n + j] < hops[i * n + j])
                    hops[i * n + j] = hops[i * n + via] + hops[via * n + j];
    memset(evidence, 0, (size_t)(n * k) * sizeof *evidence);
    for (int i = 0; i < n; i++)
        for (int t = 0; t < n; t++)
            if (train[t] >= 0 && hops[i * n + t] <= 10)
                evidence[i * k + train[t]] += exp(-pow(hops[i * n + t], 2) / 2) / sqrt(2 * M_PI);
    free(hops);
}

void ref_lp(int n, int k, const double *adjacency, const int *train, double teleport, int steps, double *evidence)
{
    double *q = numbers(n * k), *ppr = numbers(n * k), *pi = numbers(n), *next = numbers(n), change = 1;
    int count[64] = {0}, all = 0;
    for (int i = 0; i < n; i++)
        if (train[i] >= 0) {
            count[train[i]]++;
            all++;
        }
    for (int i = 0; i < n; i++)
        if (train[i] >= 0) q[i * k + train[i]] = 1.0 / count[train[i]];
    ref_diffuse(n, k, adjacency, teleport, steps, q, ppr);
    for (int i = 0; i < n; i++) pi[i] = 1.0 / n;
    while (change >= 1e-5) {
        convolve(n, 1, adjacency, pi, next);
        change = 0;
        for (int i = 0; i < n; i++) {
            next[i] = 0.9 * next[i] + 0.1 / n;
            change += pow(next[i] - pi[i], 2);
        }
        change = sqrt(change);
        memcpy(pi, next, (size_t)n * sizeof *pi);
    }
    for (int c = 0; c < k; c++) {
        double column = 0;
        for (int i = 0; i < n; i++) column += q[i * k + c];
        for (int i = 0; i < n; i++)
            evidence[i * k + c] = (0.9 * ppr[i * k + c] + 0.1 * pi[i] * column) * count[c] / all;
    }
    free(q);
    free(ppr);
    free(pi);
    free(next);
}
