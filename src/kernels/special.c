/* SPDX-License-Identifier: MIT */
#include "kernels/losses.h"

#include <math.h>

/* Recurrence up to 10, then the asymptotic series with Bernoulli numbers; the first term left out is below
 * 1e-15 there. */
double crd_digamma(double x)
{
    double shift = 0.0;
    while (x < 10.0) {
        shift -= 1.0 / x;
        x += 1.0;
    }
    double r = 1.0 / x, s = r * r;
    double series =
        s *
        (1.0 / 12 -
         s * (1.0 / 120 - s * (1.0 / 252 - s * (1.0 / 240 - s * (1.0 / 132 - s * (691.0 / 32760 - s * (1.0 / 12)))))));
    return shift + log(x) - 0.5 * r - series;
}

double crd_trigamma(double x)
{
    double shift = 0.0;
    while (x < 10.0) {
        shift += 1.0 / (x * x);
        x += 1.0;
    }
    double r = 1.0 / x, s = r * r;
    double series =
        s * (1.0 / 6 -
             s * (1.0 / 30 - s * (1.0 / 42 - s * (1.0 / 30 - s * (5.0 / 66 - s * (691.0 / 2730 - s * (7.0 / 6)))))));
    return shift + r + 0.5 * s + r * series;
}

double crd_log_gamma(double x)
{
    double product = 1.0;
    while (x < 10.0) {
        product *= x;
        x += 1.0;
    }
    double r = 1.0 / x, s = r * r;
    double series =
        r * (1.0 / 12 -
             s * (1.0 / 360 -
                  s * (1.0 / 1260 - s * (1.0 / 1680 - s * (1.0 / 1188 - s * (691.0 / 360360 - s * (1.0 / 156)))))));
    return (x - 0.5) * log(x) - x + 0.91893853320467274178 + series - log(product);
}

double crd_log_sum_exp(const float *row, int64_t count)
{
    float most = row[0];
    for (int64_t k = 1; k < count; k++)
        if (row[k] > most) most = row[k];
    double sum = 0.0;
    for (int64_t k = 0; k < count; k++) sum += exp((double)row[k] - (double)most);
    return log(sum) + (double)most;
}
