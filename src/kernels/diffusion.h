/* SPDX-License-Identifier: MIT */
/* Evidence along a graph: by diffusion, and by distance.
 *
 * Diffusion is personalised PageRank: x(0) = x, x(l+1) = (1 - teleport) A^ x(l) + teleport x, with the normalised
 * adjacency A^ = S (A + I) S. A^ is symmetric, so the gradient takes the same steps. */
#ifndef CRD_KERNELS_DIFFUSION_H
#define CRD_KERNELS_DIFFUSION_H

#include "base/memory.h"
#include "base/parallel.h"
#include "kernels/hot.h"

/* Columns do not mix, so one strip of them takes all its steps before the next one: its rows are a cache line, and
 * together they stay in cache as long as possible. Above CRD_FAR_BYTES they no longer fit a core's own cache. */
enum { CRD_DIFFUSED_COLUMNS = 2 * CRD_PAD, CRD_FAR_BYTES = 1 << 20 };

typedef struct crd_diffusion {
    int64_t nodes, steps, stride;
    crd_steps each;
    float *s;          /* 1/sqrt(degree + 1) */
    float *now, *next; /* nodes x the width of a strip */
    float *result;     /* nodes x stride; NULL if a strip is as wide */
} crd_diffusion;

/* Lists its arrays in a plan. stride is crd_padded of the classes. */
void crd_diffusion_plan(crd_diffusion *diffusion, crd_plan *plan, int64_t nodes, int64_t stride, double teleport,
                        int64_t steps);
/* Call it once they are allocated. The graph's arrays are used, not copied. */
void crd_diffusion_start(crd_diffusion *diffusion, const int64_t *start, const int32_t *neighbour);
/* The same for a part of a larger graph, in which nodes have these numbers of neighbours. */
void crd_diffusion_start_part(crd_diffusion *diffusion, const int64_t *start, const int32_t *neighbour,
                              const int32_t *degree);
/* From now on only the first `nodes` nodes take part; none of them has a neighbour among the others. The result still
 * has rows for the others, but nothing writes to them. */
void crd_diffusion_limit(crd_diffusion *diffusion, int64_t nodes);
/* Rows by their numbers, all different. */
typedef struct crd_row_list {
    const int64_t *row; /* NULL: all rows */
    int64_t count;
} crd_row_list;

/* The result, nodes x stride, belongs to the diffusion. The caller may write to it; it lasts until the next run,
 * whose x must not be this result. The last step computes only the needed rows. */
float *crd_diffusion_run(crd_diffusion *diffusion, const crd_kernels *kernels, crd_team *team, const float *x,
                         crd_row_list needed);
/* The same if all rows but `count` of them, all different, are 0: x has only those, one after the other. */
float *crd_diffusion_run_some(crd_diffusion *diffusion, const crd_kernels *kernels, crd_team *team, const int64_t *rows,
                              int64_t count, const float *x);

/* The weights of nodes in one node's result. Only listed nodes have one. */
typedef struct crd_weights {
    int64_t count;
    int32_t *reached; /* [count] nodes */
    double *weight;   /* [nodes of the graph], 0 for nodes that are not listed */
    double *spare;    /* [nodes of the graph] */
    uint8_t *seen;    /* [nodes of the graph]: listed */
    crd_plan plan;
} crd_weights;

/* For a graph of `nodes` nodes. A failed open leaves nothing to close. */
crd_status crd_weights_open(crd_weights *weights, int64_t nodes, crd_error *error);
void crd_weights_close(crd_weights *weights);

/* Row `node` of the matrix that crd_diffusion_run applies, in double precision. It visits only nodes that are at most
 * `steps` edges away. */
void crd_diffusion_row(const int64_t *start, const int32_t *neighbour, double teleport, int64_t steps, int64_t node,
                       crd_weights *weights);

/* ---- the evidence that nodes give to a node, by their distance in hops ---- */

/* evidence[i * classes + c] = the sum over the sources t of class c of exp(-d^2 / 2) / sqrt(2 pi), with d the number
 * of hops from i to t. Sources more than most_hops away, or without a path, give nothing. A node listed twice counts
 * twice. The graph must be symmetric. Any team and any order of the sources give the same bytes. */
crd_status crd_hop_evidence(int64_t nodes, const int64_t *start, const int32_t *neighbour, const int64_t *sources,
                            const int32_t *source_class, int64_t count, int32_t classes, int32_t most_hops,
                            crd_team *team, float *evidence, crd_error *error);

/* The evidence that one source gives at this distance. */
double crd_hop_weight(int32_t hops);

#endif
