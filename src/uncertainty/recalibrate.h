/* SPDX-License-Identifier: MIT */
/* Calibration after training: parameters are fitted on nodes whose class is known, so that an answer given with
 * probability p is right in a share p of the cases. The most probable class never changes. */
#ifndef CRD_UNCERTAINTY_RECALIBRATE_H
#define CRD_UNCERTAINTY_RECALIBRATE_H

#include "base/memory.h"
#include "credence_private.h"

/* What is calibrated: p = softmax(logits). The graph is for gats only. */
typedef struct crd_recalibration {
    crd_calibration method;
    const float *logits; /* nodes x classes */
    int64_t nodes;
    int32_t classes;
    const int64_t *start;     /* the neighbours of node i are neighbour[start[i]] to neighbour[start[i + 1] - 1] */
    const int32_t *neighbour; /* in both directions, without self-loops */
    const uint8_t *training;  /* 1 for a training node; NULL: there are none in this graph */
    const int32_t *judge;     /* classes of nodes that say whether gats is better than one temperature; NULL: it is */
} crd_recalibration;

/* The number of a method's parameters. */
int64_t crd_recalibration_size(crd_calibration method, int32_t classes);
/* Whether parameters from a file can be used. */
bool crd_recalibration_valid(crd_calibration method, int32_t classes, const float *parameters);
/* Fits them to the nodes whose truth is a class (negative: none): their mean of -log p of the true class is never
 * larger than without calibration. At least one such node. */
crd_status crd_recalibration_fit(const crd_recalibration *on, const int32_t *truth, float *parameters,
                                 crd_error *error);
/* The calibrated probabilities, nodes x classes, and the largest of each node in double precision. */
crd_status crd_recalibration_apply(const crd_recalibration *on, const float *parameters, float *probability,
                                   double *confidence, crd_error *error);

/* ---- gats: every node's own temperature (gats.c) ---- */

enum { CRD_GATS_HEADS = 8, CRD_GATS_OTHERS = 4 };

/* Fits the parameters, starting from one temperature for all nodes. */
crd_status crd_gats_fit(const crd_recalibration *on, const int32_t *truth, double temperature, float *parameters,
                        crd_error *error);
crd_status crd_gats_temperatures(const crd_recalibration *on, const float *parameters, double *temperature,
                                 crd_error *error);
/* The mean of -log p of the true classes, and its gradient for the parameters; for tests. */
crd_status crd_gats_loss(const crd_recalibration *on, const int32_t *truth, const double *parameters, double *loss,
                         double *gradient, crd_error *error);

/* p = softmax(logits / temperature) in double precision; returns log of the sum, for -log p_y. */
double crd_softmax_at(const float *logits, int32_t classes, double temperature, double *probability);

#endif
