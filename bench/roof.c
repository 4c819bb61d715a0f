/* SPDX-License-Identifier: MIT */
#include "roof.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

typedef float vec4 __attribute__((vector_size(16)));

/* Enough independent sums that none waits for the one before it. They and the operands fit into sixteen registers,
 * which all instruction sets but the widest have. */
enum { SUMS = 12 };

/* Makes the compiler believe that all results are needed. */
static volatile float sink;

/* The next of a power of two of lines to fetch: scattered, and independent of the one before. */
static inline uint64_t scattered(uint64_t i, uint64_t mask)
{
    i *= UINT64_C(0x9e3779b97f4a7c15);
    return ((i ^ i >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 32) & mask;
}

/* Lines are prefetched this far ahead, which pays if they come from far away. */
enum { AHEAD = 48, FETCHES = 1 << 14, LINE_FLOATS = BENCH_LINE / (int)sizeof(float) };

/* The loops of one instruction set, with LANES floats per vector. */
#define LOOPS(ISA, TARGET, VEC, LANES, SET, LOAD, STORE, ADD, MULTIPLY_ADD)                                            \
    TARGET static void flops_##ISA(int64_t rounds)                                                                     \
    {                                                                                                                  \
        VEC sum[SUMS];                                                                                                 \
        const VEC factor = SET(0.999f + sink), addend = SET(0.001f + sink);                                            \
        for (int j = 0; j < SUMS; j++) sum[j] = SET((float)j);                                                         \
        for (int64_t i = 0; i < rounds; i++)                                                                           \
            for (int j = 0; j < SUMS; j++) sum[j] = MULTIPLY_ADD(sum[j], factor, addend);                              \
        for (int j = 1; j < SUMS; j++) sum[0] = ADD(sum[0], sum[j]);                                                   \
        float out[LANES];                                                                                              \
        STORE(out, sum[0]);                                                                                            \
        if (out[0] == 12345.0f) sink = out[0];                                                                         \
    }                                                                                                                  \
    TARGET static void read_##ISA(const float *x, int64_t count)                                                       \
    {                                                                                                                  \
        VEC sum[8];                                                                                                    \
        for (int j = 0; j < 8; j++) sum[j] = SET(0.0f);                                                                \
        for (int64_t i = 0; i < count; i += 8 * LANES)                                                                 \
            for (int j = 0; j < 8; j++) sum[j] = ADD(sum[j], LOAD(x + i + j * LANES));                                 \
        for (int j = 1; j < 8; j++) sum[0] = ADD(sum[0], sum[j]);                                                      \
        float out[LANES];                                                                                              \
        STORE(out, sum[0]);                                                                                            \
        if (out[0] == 12345.0f) sink = out[0];                                                                         \
    }                                                                                                                  \
    TARGET static void triad_##ISA(float *a, const float *b, const float *c, int64_t count)                            \
    {                                                                                                                  \
        const VEC scale = SET(3.0f + sink);                                                                            \
        for (int64_t i = 0; i < count; i += 4 * LANES)                                                                 \
            for (int j = 0; j < 4; j++)                                                                                \
                STORE(a + i + j * LANES, MULTIPLY_ADD(LOAD(c + i + j * LANES), scale, LOAD(b + i + j * LANES)));       \
    }                                                                                                                  \
    TARGET static void fetch_##ISA(const float *x, uint64_t mask, uint64_t from, bool ahead)                           \
    {                                                                                                                  \
        VEC sum[LINE_FLOATS / LANES];                                                                                  \
        for (int j = 0; j < LINE_FLOATS / LANES; j++) sum[j] = SET(0.0f);                                              \
        for (uint64_t i = from; i < from + FETCHES; i++) {                                                             \
            if (ahead) __builtin_prefetch(x + scattered(i + AHEAD, mask) * LINE_FLOATS);                               \
            const float *line = x + scattered(i, mask) * LINE_FLOATS;                                                  \
            for (int j = 0; j < LINE_FLOATS / LANES; j++) sum[j] = ADD(sum[j], LOAD(line + j * LANES));                \
        }                                                                                                              \
        for (int j = 1; j < LINE_FLOATS / LANES; j++) sum[0] = ADD(sum[0], sum[j]);                                    \
        float out[LANES];                                                                                              \
        STORE(out, sum[0]);                                                                                            \
        if (out[0] == 12345.0f) sink = out[0];                                                                         \
    }

#define SET_4(x) ((vec4){0} + (x))
#define ADD_4(a, b) ((a) + (b))
static inline vec4 load_4(const float *p)
{
    vec4 v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void store_4(float *p, vec4 v)
{
    memcpy(p, &v, sizeof v);
}
#if defined(__aarch64__)
#define MULTIPLY_ADD_4(a, b, c) ((vec4)vfmaq_f32((float32x4_t)(c), (float32x4_t)(a), (float32x4_t)(b)))
#else
#define MULTIPLY_ADD_4(a, b, c) ((a) * (b) + (c)) /* x86-64's baseline has no fused one */
#endif
LOOPS(baseline, , vec4, 4, SET_4, load_4, store_4, ADD_4, MULTIPLY_ADD_4)

#if defined(__x86_64__)
LOOPS(avx2, __attribute__((target("avx2,fma"))), __m256, 8, _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps,
      _mm256_add_ps, _mm256_fmadd_ps)
LOOPS(avx512, __attribute__((target("avx512f"))), __m512, 16, _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps,
      _mm512_add_ps, _mm512_fmadd_ps)
#endif

typedef struct {
    const char *name;
    int lanes;
    void (*flops)(int64_t rounds);
    void (*read)(const float *x, int64_t count);
    void (*triad)(float *a, const float *b, const float *c, int64_t count);
    void (*fetch)(const float *x, uint64_t mask, uint64_t from, bool ahead);
} loops;

static const loops all_loops[] = {
    {"baseline", 4, flops_baseline, read_baseline, triad_baseline, fetch_baseline},
#if defined(__x86_64__)
    {"avx2", 8, flops_avx2, read_avx2, triad_avx2, fetch_avx2},
    {"avx512", 16, flops_avx512, read_avx512, triad_avx512, fetch_avx512},
#endif
};

typedef struct {
    const loops *loops;
    int64_t rounds; /* how often each thread repeats it */
    int64_t floats; /* of the part of its buffer that a thread uses */
    float **buffer; /* one per thread, aligned */
    bool ahead;     /* prefetch the lines */
    uint64_t from;  /* the next line to fetch: never one that may still be in a cache */
} job;

static void do_flops(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    for (int64_t part = begin; part < end; part++) j->loops->flops(j->rounds);
}

static void do_read(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    for (int64_t part = begin; part < end; part++)
        for (int64_t r = 0; r < j->rounds; r++) j->loops->read(j->buffer[part], j->floats);
}

/* A third of the floats, in whole steps of every instruction set. */
static int64_t third(int64_t floats)
{
    return floats / 3 / 64 * 64;
}

static void do_triad(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    const int64_t count = third(j->floats);
    for (int64_t part = begin; part < end; part++) {
        float *a = j->buffer[part];
        for (int64_t r = 0; r < j->rounds; r++) j->loops->triad(a, a + count, a + 2 * count, count);
    }
}

/* Different lines in every round and run, and for every thread. */
static void do_fetch(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    const uint64_t mask = (uint64_t)(j->floats / LINE_FLOATS) - 1;
    for (int64_t part = begin; part < end; part++)
        for (int64_t r = 0; r < j->rounds; r++)
            j->loops->fetch(j->buffer[0], mask, ((uint64_t)part << 40) + j->from + (uint64_t)r * FETCHES, j->ahead);
}

/* The best rate of several runs, each long enough for the clock and for every thread to join in. `amount` is the
 * work of one thread in one round. */
static double best_rate(job *j, crd_team *team, int threads, bool quick, crd_rows_function work, double amount)
{
    const double long_enough = quick ? 0.001 : 0.004;
    const int runs = quick ? 3 : 5;
    double best = 0.0;
    j->rounds = 1;
    for (int run = 0; run < runs;) {
        const double begin = bench_now();
        crd_parallel_rows(team, threads, 1, work, j);
        const double seconds = bench_now() - begin;
        j->from += (uint64_t)j->rounds * FETCHES;
        if (seconds < long_enough) {
            const double more = 1.3 * long_enough / (seconds > 1e-7 ? seconds : 1e-7);
            j->rounds = (int64_t)((double)j->rounds * (more > 1.5 ? more : 1.5)) + 1;
            continue;
        }
        const double rate = amount * (double)j->rounds * threads / seconds;
        if (rate > best) best = rate;
        run++;
    }
    return best;
}

static void keep_best(double *best, double rate)
{
    if (rate > *best) *best = rate;
}

crd_status bench_roof_measure(const char *isa, crd_team *team, int threads, bool quick, bench_roof *roof,
                              crd_error *error)
{
    const int64_t largest = (int64_t)BENCH_SMALLEST << (BENCH_SIZES - 1);
    job j = {0};
    for (size_t i = 0; i < sizeof all_loops / sizeof all_loops[0]; i++)
        if (strcmp(all_loops[i].name, isa) == 0) j.loops = &all_loops[i];
    if (j.loops == NULL) return crd_fail(error, CRD_ERROR_ARGUMENT, "roof: no loops for '%s'", isa);
    float *buffer[64] = {NULL};
    crd_status status = CRD_OK;
    if (threads > 64) return crd_fail(error, CRD_ERROR_ARGUMENT, "roof: 64 threads at most");
    for (int t = 0; t < threads && status == CRD_OK; t++) {
        buffer[t] = aligned_alloc(4096, (size_t)largest);
        if (buffer[t] == NULL) status = crd_fail(error, CRD_ERROR_MEMORY, "roof: out of memory");
        else memset(buffer[t], 0, (size_t)largest);
    }
    j.buffer = buffer;
    if (status == CRD_OK)
        keep_best(&roof->flops, best_rate(&j, team, threads, quick, do_flops, 2.0 * SUMS * j.loops->lanes));
    for (int i = 0; i < BENCH_SIZES && status == CRD_OK; i++) {
        const int64_t bytes = (int64_t)BENCH_SMALLEST << i;
        j.floats = bytes / (int64_t)sizeof(float);
        keep_best(&roof->read[i], best_rate(&j, team, threads, quick, do_read, (double)bytes));
        keep_best(&roof->triad[i],
                  best_rate(&j, team, threads, quick, do_triad, (double)(3 * third(j.floats)) * sizeof(float)));
        for (int ahead = 0; ahead < 2; ahead++) {
            j.ahead = ahead == 1;
            keep_best(&roof->fetch[i], best_rate(&j, team, threads, quick, do_fetch, (double)FETCHES * BENCH_LINE));
        }
    }
    for (int t = 0; t < threads; t++) free(buffer[t]);
    return status;
}

int bench_roof_size(int64_t bytes)
{
    int i = 0;
    while (i + 1 < BENCH_SIZES && (int64_t)BENCH_SMALLEST << (i + 1) <= bytes) i++;
    return i;
}

double bench_roof_seconds(const bench_roof *roof, double read, double written, int64_t working_set)
{
    const int i = bench_roof_size(working_set);
    const double together = read < 2.0 * written ? read + written : 3.0 * written;
    return together / roof->triad[i] + (read + written - together) / roof->read[i];
}

double bench_roof_fetch_seconds(const bench_roof *roof, double rows, int64_t table)
{
    return rows * BENCH_LINE / roof->fetch[bench_roof_size(table)];
}
