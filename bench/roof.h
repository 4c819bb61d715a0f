/* SPDX-License-Identifier: MIT */
/* The most that the machine can do, measured: arithmetic with one instruction set, and memory traffic for working
 * sets of every size from the first-level cache to main memory. */
#ifndef BENCH_ROOF_H
#define BENCH_ROOF_H

#include "base/parallel.h"

/* Sizes double from BENCH_SMALLEST bytes per thread. */
enum { BENCH_SIZES = 16, BENCH_SMALLEST = 8192, BENCH_LINE = 64 };

typedef struct bench_roof {
    double flops; /* per second, all threads together; a fused multiply-add counts as two */
    /* Bytes per second if every thread goes through BENCH_SMALLEST << i bytes over and over, */
    double read[BENCH_SIZES];  /* reading them, or */
    double triad[BENCH_SIZES]; /* as a = b + s * c, counting bytes read and written, or */
    /* if all threads fetch whole lines of BENCH_LINE bytes at random from the same BENCH_SMALLEST << i bytes. */
    double fetch[BENCH_SIZES];
} bench_roof;

/* Keeps the better of a new measurement and *roof: start with zeros. `isa` is a name of crd_kernels; `threads` is
 * the size of the team. */
crd_status bench_roof_measure(const char *isa, crd_team *team, int threads, bool quick, bench_roof *roof,
                              crd_error *error);

/* The index of the size that represents a working set of so many bytes: the largest that is not larger. */
int bench_roof_size(int64_t bytes);

/* The least seconds for reading and writing so many bytes, in arrays of `working_set` bytes per thread. Two bytes
 * read for each byte written have the triad's speed, other reads the speed of reading. */
double bench_roof_seconds(const bench_roof *roof, double read, double written, int64_t working_set);

/* The least seconds for fetching so many rows, none longer than a line, at random from a table. */
double bench_roof_fetch_seconds(const bench_roof *roof, double rows, int64_t table);

#endif
