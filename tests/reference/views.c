/* SPDX-License-Identifier: MIT */
#include "reference/views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"

int ref_views_parameters(const ref_views *p)
{
    const int outputs = 3 * p->classes;
    return p->hidden * p->features + p->hidden + outputs * p->hidden + outputs;
}

static int count_of(const ref_views *p, int label)
{
    int count = 0;
    for (int i = 0; i < p->nodes; i++) count += p->label[i] == label;
    return count;
}

double ref_views_weight(const ref_views *p, int label)
{
    const int unlabelled = count_of(p, p->classes - 1), labelled = p->nodes - unlabelled;
    int present = 0;
    for (int c = 0; c < p->classes - 1; c++) present += count_of(p, c) > 0;
    if (label == p->classes - 1) return 0.2 * p->nodes / unlabelled;
    return 0.8 * p->nodes / (p->balanced ? present * count_of(p, label) : labelled);
}

/* Logits before the graph, [nodes][3][classes]. */
static void encode(const ref_views *p, const double *parameters, double *own)
{
    const int h = p->hidden, f = p->features, outputs = 3 * p->classes;
    const double *w1 = parameters, *b1 = w1 + h * f, *w2 = b1 + h, *b2 = w2 + outputs * h;
    for (int i = 0; i < p->nodes; i++)
        for (int o = 0; o < outputs; o++) {
            own[i * outputs + o] = b2[o];
            for (int j = 0; j < h; j++) {
                double sum = b1[j];
                for (int d = 0; d < f; d++) sum += p->x[i * f + d] * w1[j * f + d];
                own[i * outputs + o] += w2[o * h + j] * ref_activate(p->activation, sum);
            }
        }
}

double ref_views_loss(const ref_views *p, const double *parameters, double *output)
{
    const int n = p->nodes, k = p->classes, outputs = 3 * k;
    double *own = calloc((size_t)(n * outputs), sizeof *own), *seen = calloc((size_t)(n * k), sizeof *seen);
    double *view = calloc((size_t)(n * k), sizeof *view), loss = 0;
    encode(p, parameters, own);
    for (int v = 0; v < 3; v++) {
        for (int i = 0; i < n * k; i++) view[i] = own[i / k * outputs + v * k + i % k];
        if (v == 0) memcpy(seen, view, (size_t)(n * k) * sizeof *seen);
        if (v == 1) ref_diffuse(n, k, p->adjacency, 0.0, 2, view, seen);
        if (v == 2) ref_diffuse(n, k, p->adjacency, p->teleport, p->steps, view, seen);
        for (int i = 0; i < n; i++) {
            double total = 0;
            for (int c = 0; c < k; c++) total += exp(seen[i * k + c]);
            loss += ref_views_weight(p, p->label[i]) * (log(total) - seen[i * k + p->label[i]]) / n;
        }
        for (int i = 0; i < n * k && output != NULL; i++) output[i / k * outputs + v * k + i % k] = seen[i];
    }
    free(own);
    free(seen);
    free(view);
    return loss;
}
