/* SPDX-License-Identifier: MIT */
/* Promises about answers, from nodes of known classes that training never used (calibration nodes). New nodes of
 * known classes are like them, so a rank among them has a known distribution, whatever the model. On plain arrays. */
#ifndef CRD_UNCERTAINTY_CONFORMAL_H
#define CRD_UNCERTAINTY_CONFORMAL_H

#include "base/memory.h"
#include "credence_private.h"

/* What is kept of a calibration node, in single precision. Scores are compared with it in single precision too, so that
 * equal scores stay equal. */
enum {
    CRD_HELD_DOUBT,     /* its epistemic score; its aleatoric one if the model has no epistemic one */
    CRD_HELD_ALEATORIC, /* -max p */
    CRD_HELD_WRONG,     /* 1 if its answer is wrong, else 0 */
    CRD_HELD_OWN,       /* the set score of its class (crd_set_scores) */
    CRD_HELD_NEAR,      /* the mean of its neighbours' scores of that class */
    CRD_HELD_RANK,      /* 1 if that class is the most probable, 2, ... */
    CRD_HELD            /* columns */
};

/* Whether a row from a file can be used. */
bool crd_held_valid(const float row[CRD_HELD], int32_t classes);

/* The calibration nodes of a model: count rows of CRD_HELD. */
typedef struct crd_held {
    const float *rows;
    int64_t count;
} crd_held;

/* p[i] = (1 + calibration nodes at least as doubtful as score[i]) / (1 + calibration nodes). For a node of a known
 * class the chance that p <= a is at most a. */
crd_status crd_held_p(crd_held held, const double *score, int64_t nodes, double *p, crd_error *error);

/* The largest error rate that `wrong` of `count` answers still allow, at this confidence: Clopper and Pearson's exact
 * bound. */
double crd_error_bound(int64_t wrong, int64_t count, double confidence);

typedef struct crd_answer_rule {
    bool possible;
    double threshold; /* answer nodes whose -max p is at most this */
    double least;     /* the smallest `most` that is possible, rounded up */
} crd_answer_rule;

/* The largest threshold at which at most `most` of the answers are wrong, at this confidence. It never falls if `most`
 * grows. */
crd_status crd_held_answer(crd_held held, double most, double confidence, crd_answer_rule *rule, crd_error *error);

/* Rounds a positive number up to two digits, for people. */
double crd_round_up(double value);

/* Set scores, small for probable classes. APS: s_y = sum of the p_c > p_y + u p_y, with u in [0, 1) from a hash of seed
 * and node. [nodes][classes] into `score`. */
crd_status crd_set_scores(const float *probability, int64_t nodes, int32_t classes, uint64_t seed, float *score,
                          crd_error *error);
/* How many classes are more probable than this one, plus 1. */
int32_t crd_set_rank(const float *probability, int32_t classes, int32_t class_index);
/* The mean score of a class over a node's neighbours; its own without any. */
float crd_set_near(const int64_t *start, const int32_t *neighbour, const float *score, int32_t classes, int64_t node,
                   int32_t class_index);
/* The score that decides: RAPS adds lambda for every more probable class, DAPS mixes in the neighbours' mean. */
float crd_set_score(crd_set_method method, double lambda, float own, float near, int32_t rank);
/* A class is in the set if its score is at most this: it holds for `coverage` of the calibration nodes, and for one
 * more. Infinite if there are too few of them. */
crd_status crd_held_set_threshold(crd_held held, crd_set_method method, double lambda, double coverage,
                                  float *threshold, crd_error *error);

#endif
