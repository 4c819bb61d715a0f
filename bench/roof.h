/* What the machine can do at most, measured: arithmetic with one instruction set, and memory traffic for
 * working sets of every size from the first-level cache to main memory. */
#ifndef BENCH_ROOF_H
#define BENCH_ROOF_H

#include "base/parallel.h"

/* Sizes double from BENCH_SMALLEST bytes a thread. */
enum { BENCH_SIZES = 16, BENCH_SMALLEST = 8192, BENCH_LINE = 64 };

typedef struct bench_roof {
    double flops; /* a second, of fused multiply-adds, which are two; all threads together */
    /* Bytes a second where every thread walks through BENCH_SMALLEST << i bytes over and over, */
    double read[BENCH_SIZES];  /* reading them, or */
    double triad[BENCH_SIZES]; /* as a = b + s * c, read and written bytes alike, or */
    /* where all threads fetch whole lines of BENCH_LINE bytes at random out of the same BENCH_SMALLEST << i bytes. */
    double fetch[BENCH_SIZES];
} bench_roof;

/* Adds a measurement to the best so far: start with a roof of zeros. `isa` is a name of crd_kernels;
 * `threads` is the size of the team. */
crd_status bench_roof_measure(const char *isa, crd_team *team, int threads, bool quick, bench_roof *roof,
                              crd_error *error);

/* Which of the sizes stands for a working set of so many bytes: the largest that is no larger. */
int bench_roof_size(int64_t bytes);

/* The least seconds that reading and writing so many bytes takes, of arrays that a thread's share of
 * `working_set` bytes holds. Two bytes read for each one written go at the triad's speed, other reads at the
 * speed of reading. */
double bench_roof_seconds(const bench_roof *roof, double read, double written, int64_t working_set);

/* The least seconds for so many rows, no longer than a line each, fetched at random out of a table. */
double bench_roof_fetch_seconds(const bench_roof *roof, double rows, int64_t table);

#endif
