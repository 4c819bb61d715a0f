/* Functions that libm lacks. Digamma and trigamma in double precision: absolute and relative error below 1e-13 for
 * x >= 1e-3 (tested), and no loss for arguments as large as e^30. */
#ifndef CRD_KERNELS_SPECIAL_H
#define CRD_KERNELS_SPECIAL_H

#include <stdint.h>

double crd_digamma(double x);
double crd_trigamma(double x);

/* log Gamma; like lgamma, but without its global variable signgam. x > 0. */
double crd_log_gamma(double x);

/* log of the sum of exp(row[k]), without overflow; count >= 1. */
double crd_log_sum_exp(const float *row, int64_t count);

#endif
