/* Personalised PageRank of evidence: x(0) = x, x(l+1) = (1 - teleport) A^ x(l) + teleport x, with the
 * normalised adjacency A^ = S (A + I) S. A^ is symmetric, so the gradient takes the very same steps. */
#ifndef CRD_KERNELS_DIFFUSION_H
#define CRD_KERNELS_DIFFUSION_H

#include "base/memory.h"
#include "base/parallel.h"
#include "kernels/hot.h"

/* Columns do not mix, so a strip of them goes all its steps before the next one: its rows are a cache line, and all
 * of them together are in a cache as long as can be. Beyond so many bytes they no longer are in one that belongs to
 * a core. */
enum { CRD_DIFFUSED_COLUMNS = 2 * CRD_PAD, CRD_FAR_BYTES = 1 << 20 };

typedef struct crd_diffusion {
    int64_t nodes, steps, stride;
    crd_steps each;
    float *s;          /* 1/sqrt(degree + 1) */
    float *now, *next; /* nodes x the width of a strip */
    float *result;     /* nodes x stride; NULL where a strip is as wide */
} crd_diffusion;

/* Lists its arrays in a plan. stride is crd_padded of the classes. */
void crd_diffusion_plan(crd_diffusion *diffusion, crd_plan *plan, int64_t nodes, int64_t stride, double teleport,
                        int64_t steps);
/* Once they are allocated. The graph's arrays are used, not copied. */
void crd_diffusion_start(crd_diffusion *diffusion, const int64_t *start, const int32_t *neighbour);
/* From now on the first nodes alone take part: none of them has a neighbour among the others. The results' rows of the
 * others are there, and nothing is written to them. */
void crd_diffusion_limit(crd_diffusion *diffusion, int64_t nodes);
/* Rows by their numbers, all different. */
typedef struct crd_row_list {
    const int64_t *row; /* NULL: all rows */
    int64_t count;
} crd_row_list;

/* The result, nodes x stride, is the diffusion's own: it may be written to, and lasts until the next run, which
 * must be of other rows. Only rows that are needed have it: the last step makes no others. */
float *crd_diffusion_run(crd_diffusion *diffusion, const crd_kernels *kernels, crd_team *team, const float *x,
                         crd_row_list needed);
/* The same of rows that are 0 but for `count` of them, all different: x has those alone, one after the other. */
float *crd_diffusion_run_some(crd_diffusion *diffusion, const crd_kernels *kernels, crd_team *team, const int64_t *rows,
                              int64_t count, const float *x);

/* The weights that nodes have in one node's result. Only nodes that are listed have one; nobody looks at the others. */
typedef struct crd_weights {
    int64_t count;
    int32_t *reached; /* [count] nodes */
    double *weight;   /* [nodes of the graph], for those that are listed; 0 for others */
    double *spare;    /* [nodes of the graph] */
    uint8_t *seen;    /* [nodes of the graph]: listed */
    crd_plan plan;
} crd_weights;

/* For a graph of so many nodes. A failed open leaves nothing to close. */
crd_status crd_weights_open(crd_weights *weights, int64_t nodes, crd_error *error);
void crd_weights_close(crd_weights *weights);

/* Row `node` of the matrix that crd_diffusion_run applies, in double precision. It visits the nodes that are at most
 * `steps` edges away, and no others. */
void crd_diffusion_row(const int64_t *start, const int32_t *neighbour, double teleport, int64_t steps, int64_t node,
                       crd_weights *weights);

#endif
