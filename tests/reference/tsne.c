/* SPDX-License-Identifier: MIT */
#include "reference/tsne.h"

#include <math.h>
#include <stdlib.h>

void ref_distances(int count, int dims, const float *points, double *squared)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double sum = 0.0;
            for (int d = 0; d < dims; d++) {
                const double apart = (double)points[i * dims + d] - (double)points[j * dims + d];
                sum += apart * apart;
            }
            squared[i * count + j] = sum;
        }
}

void ref_nearest(int count, int each, const double *squared, int *nearest)
{
    for (int i = 0; i < count; i++) {
        int found = 0;
        for (int j = 0; j < count; j++) {
            int before = 0; /* points nearer than j */
            for (int k = 0; k < count && before < each; k++) {
                const double to_j = squared[i * count + j], to_k = squared[i * count + k];
                before += k != i && (to_k < to_j || (to_k == to_j && k < j));
            }
            if (j != i && before < each) nearest[i * each + found++] = j;
        }
    }
}

/* The entropy of p_k ~ exp(-b d_k); writes p. */
static double entropy(int count, const double *d, double b, double *p)
{
    double nearest = INFINITY, sum = 0.0, result = 0.0;
    for (int k = 0; k < count; k++) nearest = fmin(nearest, d[k]);
    for (int k = 0; k < count; k++) sum += p[k] = exp(-b * (d[k] - nearest));
    for (int k = 0; k < count; k++) {
        p[k] /= sum;
        if (p[k] > 0.0) result -= p[k] * log(p[k]);
    }
    return result;
}

void ref_affinities(int count, int each, const double *squared, double perplexity, double *p)
{
    int *nearest = malloc((size_t)(count * each) * sizeof *nearest);
    double *d = malloc((size_t)each * sizeof *d), *row = malloc((size_t)each * sizeof *row);
    ref_nearest(count, each, squared, nearest);
    for (int i = 0; i < count * count; i++) p[i] = 0.0;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < each; k++) d[k] = squared[i * count + nearest[i * each + k]];
        double low = 1e-12, high = 1e12;
        for (int step = 0; step < 300; step++) {
            const double middle = sqrt(low * high);
            if (entropy(each, d, middle, row) > log(perplexity)) low = middle;
            else high = middle;
        }
        for (int k = 0; k < each; k++) {
            const int j = nearest[i * each + k];
            p[i * count + j] += row[k] / (2.0 * count);
            p[j * count + i] += row[k] / (2.0 * count);
        }
    }
    free(nearest);
    free(d);
    free(row);
}

static double q_of(const double *map, int i, int j)
{
    const double dx = map[2 * i] - map[2 * j], dy = map[2 * i + 1] - map[2 * j + 1];
    return 1.0 / (1.0 + dx * dx + dy * dy);
}

static double total_of(int count, const double *map)
{
    double total = 0.0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (i != j) total += q_of(map, i, j);
    return total;
}

double ref_map_divergence(int count, const double *p, const double *map)
{
    const double total = total_of(count, map);
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (p[i * count + j] > 0.0) sum += p[i * count + j] * log(p[i * count + j] / (q_of(map, i, j) / total));
    return sum;
}

double ref_tsne(int count, const double *p, int iterations, int early, double rate, double *map)
{
    double *change = malloc((size_t)(2 * count) * sizeof *change), *gain = malloc((size_t)(2 * count) * sizeof *gain);
    double *gradient = malloc((size_t)(2 * count) * sizeof *gradient);
    for (int t = 0; t < iterations; t++) {
        const double exaggeration = t < early ? 12.0 : 1.0, momentum = t < early ? 0.5 : 0.8;
        const double total = total_of(count, map);
        for (int i = 0; i < count; i++) {
            double sum[2] = {0.0, 0.0};
            for (int j = 0; j < count; j++) {
                const double q = q_of(map, i, j);
                const double force = j != i ? (exaggeration * p[i * count + j] - q / total) * q : 0.0;
                for (int axis = 0; axis < 2; axis++) sum[axis] += force * (map[2 * i + axis] - map[2 * j + axis]);
            }
            for (int axis = 0; axis < 2; axis++) gradient[2 * i + axis] = 4.0 * sum[axis];
        }
        for (int i = 0; i < 2 * count; i++) {
            if (t == 0 || t == early) {
                change[i] = 0.0;
                gain[i] = 1.0;
            }
            gain[i] = gradient[i] * change[i] < 0.0 ? gain[i] + 0.2 : fmax(0.8 * gain[i], 0.01);
            change[i] = momentum * change[i] - rate * gain[i] * gradient[i];
            map[i] += change[i];
        }
    }
    free(change);
    free(gain);
    free(gradient);
    return ref_map_divergence(count, p, map);
}

void ref_hartley(int length, const double *in, double *out)
{
    for (int k = 0; k < length; k++) {
        out[k] = 0.0;
        for (int j = 0; j < length; j++) {
            const double angle = 2.0 * acos(-1.0) * ((double)j * k) / length;
            out[k] += in[j] * (cos(angle) + sin(angle));
        }
    }
}
