/* SPDX-License-Identifier: MIT */
/* Cases for the hot kernels: each case is one kernel on data of one graph's shape, called as the library calls it,
 * with a count of its work. The data are made up, so no file is needed. */
#ifndef BENCH_KERNEL_CASES_H
#define BENCH_KERNEL_CASES_H

#include "base/parallel.h"
#include "kernels/hot.h"

/* The sizes of a public graph, and of the model on it. */
typedef struct bench_shape {
    const char *name;
    int64_t nodes;
    double degree; /* mean number of neighbours */
    int64_t features;
    int64_t words; /* non-zero features per node; 0: dense */
    int32_t classes;
    int64_t hidden, latent, flow_layers;
} bench_shape;

extern const bench_shape bench_shapes[];
extern const int bench_shape_count;

/* The work of a call, counted from the algorithm. */
typedef struct bench_work {
    double flops;      /* additions and multiplications of floats; a division or a root is one too */
    double operations; /* as vector units see them: a fused multiply-add is one, integer operations count */
    /* Arrays that are read or written from end to end, each byte once. */
    double read, written;
    /* Rows that are fetched from a table, in the order of the non-zeros or the neighbours. */
    double gathered;
    double lines;  /* the number of these rows, if each fits into a cache line */
    int64_t table; /* bytes of the table, or of the part that is in use at a time */
} bench_work;

typedef struct bench_data bench_data; /* the data of all cases of one shape */

typedef struct bench_case {
    const char *kernel;  /* its name in crd_kernels */
    const char *variant; /* its use, if there is more than one */
    bench_work work;
    int64_t rows;
    void (*call)(bench_data *data, const crd_kernels *kernels, crd_team *team);
} bench_case;

enum { BENCH_MOST_CASES = 20 };

/* Makes the data of a shape and its cases. */
crd_status bench_data_open(const bench_shape *shape, bench_data **data, bench_case cases[BENCH_MOST_CASES], int *count,
                           crd_error *error);
void bench_data_close(bench_data **data);

#endif
