#include "kernels/evidential.h"

#include "base/tree.h"
#include "kernels/special.h"

enum { BLOCK = 256 };

typedef struct {
    int64_t classes;
    const float *rows;
    double *out;
} constants;

static void log_beta_rows(int64_t begin, int64_t end, void *context)
{
    const constants *c = context;
    for (int64_t i = begin; i < end; i++) {
        double total = (double)c->classes, sum = 0.0;
        for (int64_t k = 0; k < c->classes; k++) {
            const double evidence = (double)c->rows[i * c->classes + k];
            total += evidence;
            sum += crd_log_gamma(1.0 + evidence);
        }
        c->out[i] = sum - crd_log_gamma(total);
    }
}

void crd_prior_log_beta(int64_t nodes, int64_t classes, const float *prior, crd_team *team, double *log_beta)
{
    constants c = {classes, prior, log_beta};
    crd_parallel_rows(team, nodes, BLOCK, log_beta_rows, &c);
}

static void log_sum_rows(int64_t begin, int64_t end, void *context)
{
    const constants *c = context;
    for (int64_t i = begin; i < end; i++) c->out[i] = crd_log_sum_exp(c->rows + i * c->classes, c->classes);
}

void crd_teacher_log_sum(int64_t nodes, int64_t classes, const float *teacher, crd_team *team,
                         double *log_sum)
{
    constants c = {classes, teacher, log_sum};
    crd_parallel_rows(team, nodes, BLOCK, log_sum_rows, &c);
}

typedef struct {
    const crd_kernels *kernels;
    const crd_evidential *told;
    const float *logits;
    float *gradient;
} job;

static void loss_rows(int64_t begin, int64_t end, double *sums, void *context)
{
    const job *j = context;
    j->kernels->evidential(begin, end, j->told, j->logits, j->gradient, sums);
}

crd_evidential_terms crd_evidential_loss(const crd_kernels *kernels, const crd_evidential *told,
                                         const float *logits, crd_team *team, float *gradient)
{
    job j = {kernels, told, logits, gradient};
    double sums[3];
    crd_parallel_sum(team, told->nodes, loss_rows, &j, 3, sums);
    return (crd_evidential_terms){sums[0], sums[1], sums[2]};
}
