/* SPDX-License-Identifier: MIT */
/* The loss of an evidential network, with alpha = 1 + exp(logits), alpha0 their sum and p = alpha / alpha0: a vector
 * holds several nodes, one class after the other. Divergences are
 *     KL(Dir(alpha) || Dir(b)) = log B(b) - log B(alpha) + sum (alpha - b) (psi(alpha) - psi(alpha0)),
 *     KL(Cat(p) || softmax(t)) = sum p (log p - t) + log sum exp(t),
 * where log B = sum log Gamma(alpha) - log Gamma(alpha0). */
#include "kernels/hot/all.h"
#include "kernels/hot/wide.h"

/* This many classes at a time, because that is the room on the stack. With more classes, values are computed again
 * when they are needed again. */
enum { SOME = 256 };

typedef struct {
    const crd_evidential *told;
    const float *logits;
    float *gradient;        /* or NULL */
    wide *evidence, *slope; /* [SOME], of the current nodes and classes: exp(logits), d loss / d alpha */
} work;

typedef struct {
    wide risk, prior, teacher;
} sums;

/* Rows of some nodes. */
typedef struct {
    const float *of[WIDE_LANES];
} rows;

/* As many nodes as a vector has lanes. */
typedef struct {
    rows logits, prior, teacher;
    int32_t label[WIDE_LANES];
    wide log_sum, total, log_total, listen; /* of the teacher; alpha0; the teacher's weight over that */
    wide_gamma of_total;
} group;

/* Some of the classes: from <= k < end. */
typedef struct {
    int64_t from, end;
} span;

INLINE wide column(const rows *r, int64_t k)
{
    wide v;
    for (int l = 0; l < WIDE_LANES; l++) v[l] = (double)r->of[l][k];
    return v;
}

INLINE span span_from(const work *w, int64_t from)
{
    return (span){from, from + SOME < w->told->classes ? from + SOME : w->told->classes};
}

INLINE void find_evidence(const work *w, const group *g, span s)
{
    for (int64_t k = s.from; k < s.end; k++) w->evidence[k - s.from] = wide_exp(column(&g->logits, k));
}

/* The two divergences, without the part that all classes share. */
typedef struct {
    wide divergence, distance, apart;
} parts;

INLINE void add_parts(const work *w, const group *g, span s, parts *sum)
{
    const crd_evidential *told = w->told;
    for (int64_t k = s.from; k < s.end; k++) {
        const wide evidence = w->evidence[k - s.from], alpha = 1.0 + evidence;
        const wide apart = evidence - column(&g->prior, k);
        const wide_gamma of_alpha = wide_gamma_of(alpha);
        const wide odds = wide_log(alpha) - g->log_total - (column(&g->teacher, k) - g->log_sum);
        sum->divergence += apart * (of_alpha.digamma - g->of_total.digamma) - of_alpha.log;
        sum->distance += alpha * odds;
        sum->apart += apart;
        w->slope[k - s.from] = told->prior_weight * apart * of_alpha.trigamma + g->listen * odds;
    }
}

/* sum (y - p)^2 + p (1 - p) / (alpha0 + 1), the expected squared error of a draw from the Dirichlet, of the
 * nodes that have a label. */
typedef struct {
    wide squares, own, labelled; /* sum p^2, p of the label, the weight of its class or 0 */
} risk;

INLINE void add_risk(const work *w, const group *g, span s, risk *r)
{
    const wide inverse = 1.0 / g->total;
    for (int64_t k = s.from; k < s.end; k++) {
        const wide p = (1.0 + w->evidence[k - s.from]) * inverse;
        r->squares += p * p;
    }
    for (int l = 0; l < WIDE_LANES; l++) {
        if (g->label[l] < s.from || g->label[l] >= s.end) continue;
        r->labelled[l] = w->told->class_weight != NULL ? w->told->class_weight[g->label[l]] : 1.0;
        r->own[l] = (1.0 + w->evidence[g->label[l] - s.from][l]) * inverse[l];
    }
}

INLINE wide risk_of(const group *g, const risk *r)
{
    const wide next = 1.0 / (g->total + 1.0);
    return r->labelled * (1.0 - 2.0 * r->own + r->squares + (1.0 - r->squares) * next);
}

INLINE void add_risk_slope(const work *w, const group *g, span s, const risk *r)
{
    const wide inverse = 1.0 / g->total, next = 1.0 / (g->total + 1.0);
    /* sum (p - y) p, and the slope of the variance that all classes share */
    const wide pull = r->squares - r->own, variance = (1.0 - r->squares) * next * next;
    for (int64_t k = s.from; k < s.end; k++) {
        const wide p = (1.0 + w->evidence[k - s.from]) * inverse;
        w->slope[k - s.from] += r->labelled * (2.0 * inverse * ((p - pull) - (p - r->squares) * next) - variance);
    }
    for (int l = 0; l < WIDE_LANES; l++)
        if (g->label[l] >= s.from && g->label[l] < s.end)
            w->slope[g->label[l] - s.from][l] -= r->labelled[l] * 2.0 * inverse[l];
}

/* The nodes from i on, as many as a vector has or `count`: missing lanes repeat the last node, and do not count in
 * the sums. */
INLINE void some_nodes(const work *w, int64_t i, int64_t count, sums *s)
{
    const crd_evidential *told = w->told;
    const int64_t classes = told->classes;
    const bool again = classes > SOME;
    group g = {.total = {0}};
    wide there, log_beta;
    bool any = false;
    for (int64_t l = 0; l < WIDE_LANES; l++) {
        const int64_t node = i + (l < count ? l : count - 1);
        g.logits.of[l] = w->logits + node * told->stride;
        g.prior.of[l] = told->prior + node * classes;
        g.teacher.of[l] = told->teacher + node * classes;
        g.label[l] = told->labels[node];
        any = any || g.label[l] >= 0;
        there[l] = l < count ? 1.0 : 0.0;
        log_beta[l] = told->prior_log_beta[node];
        g.log_sum[l] = told->teacher_log_sum[node];
    }
    for (int64_t from = 0; from < classes; from += SOME) {
        const span at = span_from(w, from);
        find_evidence(w, &g, at);
        for (int64_t k = 0; k < at.end - at.from; k++) g.total += 1.0 + w->evidence[k];
    }
    g.of_total = wide_gamma_of(g.total);
    g.log_total = wide_log(g.total);
    g.listen = told->teacher_weight / g.total;
    parts sum = {log_beta + g.of_total.log, {0}, {0}};
    risk r = {{0}, {0}, {0}};
    for (int64_t from = 0; from < classes; from += SOME) {
        const span at = span_from(w, from);
        if (again) find_evidence(w, &g, at);
        add_parts(w, &g, at, &sum);
        if (any) add_risk(w, &g, at, &r);
    }
    sum.distance /= g.total;
    s->prior += there * told->prior_weight * sum.divergence;
    s->teacher += there * told->teacher_weight * sum.distance;
    if (any) s->risk += there * risk_of(&g, &r);
    if (w->gradient == NULL) return;
    const wide common = told->prior_weight * sum.apart * g.of_total.trigamma + g.listen * sum.distance;
    for (int64_t from = 0; from < classes; from += SOME) {
        const span at = span_from(w, from);
        if (again) {
            parts counted = sum;
            find_evidence(w, &g, at);
            add_parts(w, &g, at, &counted);
        }
        if (any) add_risk_slope(w, &g, at, &r);
        for (int64_t k = at.from; k < at.end; k++) { /* d alpha / d logit = exp(logit) */
            const wide slope = (w->slope[k - at.from] - common) * w->evidence[k - at.from];
            for (int64_t l = 0; l < WIDE_LANES && l < count; l++)
                w->gradient[(i + l) * told->stride + k] = (float)slope[l];
        }
    }
}

void CRD_NAME(evidential)(int64_t begin, int64_t end, const crd_evidential *told, const float *logits, float *gradient,
                          double *terms)
{
    wide evidence[SOME], slope[SOME];
    const work w = {told, logits, gradient, evidence, slope};
    sums s = {{0}, {0}, {0}};
    for (int64_t i = begin; i < end; i += WIDE_LANES)
        some_nodes(&w, i, end - i < WIDE_LANES ? end - i : WIDE_LANES, &s);
    for (int l = 0; l < WIDE_LANES; l++) {
        terms[0] += s.risk[l];
        terms[1] += s.prior[l];
        terms[2] += s.teacher[l];
    }
}
