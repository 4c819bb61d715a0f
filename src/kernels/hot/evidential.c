/* The loss of an evidential network, with alpha = 1 + exp(logits), alpha0 their sum and p = alpha / alpha0: a
 * vector of nodes side by side, one class after the other. Divergences are
 *     KL(Dir(alpha) || Dir(b)) = log B(b) - log B(alpha) + sum (alpha - b) (psi(alpha) - psi(alpha0)),
 *     KL(Cat(p) || softmax(t)) = sum p (log p - t) + log sum exp(t),
 * where log B = sum log Gamma(alpha) - log Gamma(alpha0). */
#include "kernels/hot/all.h"
#include "kernels/hot/wide.h"

/* So few classes need little room on the stack. */
enum { FEW = 256 };

typedef struct {
    const crd_evidential *told;
    const float *logits;
    float *gradient;        /* or NULL */
    wide *evidence, *slope; /* [classes], of the nodes at hand: exp(logits), d loss / d alpha */
} work;

typedef struct {
    wide risk, prior, teacher;
} sums;

/* Rows of some nodes. */
typedef struct {
    const float *of[WIDE_LANES];
} rows;

INLINE wide column(const rows *r, int64_t k)
{
    wide v;
    for (int l = 0; l < WIDE_LANES; l++) v[l] = (double)r->of[l][k];
    return v;
}

/* sum (y - p)^2 + p (1 - p) / (alpha0 + 1), the expected squared error of a draw from the Dirichlet, of the
 * nodes that have a label; its slope is added. */
INLINE wide risk(const work *w, const int32_t *label, wide total)
{
    const wide inverse = 1.0 / total, next = 1.0 / (total + 1.0);
    wide squares = {0}, own = {0}, labelled = {0};
    for (int64_t k = 0; k < w->told->classes; k++) {
        const wide p = (1.0 + w->evidence[k]) * inverse;
        squares += p * p;
    }
    for (int l = 0; l < WIDE_LANES; l++) {
        if (label[l] < 0) continue;
        labelled[l] = 1.0;
        own[l] = (1.0 + w->evidence[label[l]][l]) * inverse[l];
    }
    /* sum (p - y) p, and the slope of the variance that all classes have in common */
    const wide pull = squares - own, variance = (1.0 - squares) * next * next;
    for (int64_t k = 0; k < w->told->classes; k++) {
        const wide p = (1.0 + w->evidence[k]) * inverse;
        w->slope[k] += labelled * (2.0 * inverse * ((p - pull) - (p - squares) * next) - variance);
    }
    for (int l = 0; l < WIDE_LANES; l++)
        if (label[l] >= 0) w->slope[label[l]][l] -= 2.0 * inverse[l];
    return labelled * (1.0 - 2.0 * own + squares + (1.0 - squares) * next);
}

/* The nodes from i on, as many as a vector has or `count`: the last one stands in for those that are not
 * there, and its sums do not count again. */
INLINE void some_nodes(const work *w, int64_t i, int64_t count, sums *s)
{
    const crd_evidential *told = w->told;
    const int64_t classes = told->classes;
    rows logits, prior, teacher;
    int32_t label[WIDE_LANES];
    wide there, log_beta, log_sum, total = {0};
    bool any = false;
    for (int64_t l = 0; l < WIDE_LANES; l++) {
        const int64_t node = i + (l < count ? l : count - 1);
        logits.of[l] = w->logits + node * told->stride;
        prior.of[l] = told->prior + node * classes;
        teacher.of[l] = told->teacher + node * classes;
        label[l] = told->labels[node];
        any = any || label[l] >= 0;
        there[l] = l < count ? 1.0 : 0.0;
        log_beta[l] = told->prior_log_beta[node];
        log_sum[l] = told->teacher_log_sum[node];
    }
    for (int64_t k = 0; k < classes; k++) {
        w->evidence[k] = wide_exp(column(&logits, k));
        total += 1.0 + w->evidence[k];
    }
    const wide_gamma of_total = wide_gamma_of(total);
    const wide log_total = wide_log(total), listen = told->teacher_weight / total;
    wide divergence = log_beta + of_total.log, distance = {0}, all_apart = {0};
    for (int64_t k = 0; k < classes; k++) {
        const wide alpha = 1.0 + w->evidence[k], apart = w->evidence[k] - column(&prior, k);
        const wide_gamma g = wide_gamma_of(alpha);
        const wide odds = wide_log(alpha) - log_total - (column(&teacher, k) - log_sum);
        divergence += apart * (g.digamma - of_total.digamma) - g.log;
        distance += alpha * odds;
        all_apart += apart;
        w->slope[k] = told->prior_weight * apart * g.trigamma + listen * odds;
    }
    distance /= total;
    s->prior += there * told->prior_weight * divergence;
    s->teacher += there * told->teacher_weight * distance;
    if (any) s->risk += there * risk(w, label, total);
    if (w->gradient == NULL) return;
    const wide common = told->prior_weight * all_apart * of_total.trigamma + listen * distance;
    for (int64_t k = 0; k < classes; k++) { /* d alpha / d logit = exp(logit) */
        const wide slope = (w->slope[k] - common) * w->evidence[k];
        for (int64_t l = 0; l < WIDE_LANES && l < count; l++)
            w->gradient[(i + l) * told->stride + k] = (float)slope[l];
    }
}

INLINE void all_nodes(int64_t begin, int64_t end, const work *w, double *terms)
{
    sums s = {{0}, {0}, {0}};
    for (int64_t i = begin; i < end; i += WIDE_LANES)
        some_nodes(w, i, end - i < WIDE_LANES ? end - i : WIDE_LANES, &s);
    for (int l = 0; l < WIDE_LANES; l++) {
        terms[0] += s.risk[l];
        terms[1] += s.prior[l];
        terms[2] += s.teacher[l];
    }
}

static __attribute__((noinline)) void of_few(int64_t begin, int64_t end, work w, double *terms)
{
    wide evidence[FEW], slope[FEW];
    w.evidence = evidence;
    w.slope = slope;
    all_nodes(begin, end, &w, terms);
}

static __attribute__((noinline)) void of_many(int64_t begin, int64_t end, work w, double *terms)
{
    wide evidence[CRD_MAX_CLASSES], slope[CRD_MAX_CLASSES];
    w.evidence = evidence;
    w.slope = slope;
    all_nodes(begin, end, &w, terms);
}

void CRD_NAME(evidential)(int64_t begin, int64_t end, const crd_evidential *told, const float *logits,
                          float *gradient, double *terms)
{
    const work w = {told, logits, gradient, NULL, NULL};
    if (told->classes <= FEW) of_few(begin, end, w, terms);
    else of_many(begin, end, w, terms);
}
