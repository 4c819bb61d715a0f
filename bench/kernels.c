/* SPDX-License-Identifier: MIT */
/* bench_kernels: the speed of every hot kernel, beside the most that the machine can do.
 *
 * Prints one JSON object per line: for every instruction set and number of threads a "roof", then every kernel on
 * every shape. Samples alternate between instruction sets and threads, so that noise hits all of them alike. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "kernel_cases.h"
#include "roof.h"

enum { MOST_SETUPS = 12, MOST_SAMPLES = 51, MOST_THREAD_COUNTS = 4 };

/* A case that has taken this many seconds gets only the samples that a median needs. */
enum { FEWEST_SAMPLES = 3, LONGEST = 2 };

/* One instruction set with one number of threads. */
typedef struct {
    const crd_kernels *kernels;
    int threads;
    crd_team *team;
    bench_roof roof;
} setup;

typedef struct {
    bool quick;
    const char *isa, *shapes, *kernel;
    int samples;
    double seconds; /* of a sample, at least */
    int thread_count, threads[MOST_THREAD_COUNTS];
} wishes;

typedef struct {
    int64_t calls; /* in a sample */
    int samples;
    double sample[MOST_SAMPLES]; /* seconds per call */
    double median, least, most;
} timing;

typedef struct {
    const bench_shape *shape;
    bench_case which;
    double spent; /* seconds, on its samples */
    timing time[MOST_SETUPS];
} measured;

static int fail(const char *message)
{
    fprintf(stderr, "bench_kernels: %s\n", message);
    return 1;
}

static const char usage[] = "Usage: bench_kernels [options]\n"
                            "  --isa NAME       baseline, avx2, avx512, all of them that the machine has, or the best\n"
                            "                   [default: best]\n"
                            "  --threads N,N    numbers of threads [default: 1,2]\n"
                            "  --shapes A,B     of coraml, computers, physics, arxiv [default: all]\n"
                            "  --kernel NAME    only this one\n"
                            "  --samples N      of every figure, fewer of slow ones [default: 7]\n"
                            "  --seconds X      that a sample takes at least [default: 0.01]\n"
                            "  --quick          shorter measurements of the roof\n";

/* Whether a name is in a comma-separated list; NULL: all are. */
static bool listed(const char *list, const char *name)
{
    if (list == NULL) return true;
    const size_t length = strlen(name);
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        if (*at == ',') at++;
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) return true;
    }
    return false;
}

static bool read_threads(const char *text, wishes *w)
{
    w->thread_count = 0;
    while (w->thread_count < MOST_THREAD_COUNTS) {
        char *end;
        const long n = strtol(text, &end, 10);
        if (end == text || n < 1 || n > 64 || (*end != ',' && *end != '\0')) return false;
        w->threads[w->thread_count++] = (int)n;
        if (*end == '\0') return true;
        text = end + 1;
    }
    return false;
}

static bool known_shapes(const char *list)
{
    const char *at = list;
    while (*at != '\0') {
        const size_t length = strcspn(at, ",");
        bool known = false;
        for (int i = 0; i < bench_shape_count; i++)
            if (strlen(bench_shapes[i].name) == length && strncmp(bench_shapes[i].name, at, length) == 0) known = true;
        if (!known) return false;
        at += length;
        if (*at == ',') at++;
    }
    return at != list;
}

/* 0: continue; else the exit code plus one. */
static int read_wishes(int argc, char **argv, wishes *w)
{
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(name, "--help") == 0) {
            fputs(usage, stdout);
            return 1;
        }
        if (strcmp(name, "--quick") == 0) {
            w->quick = true;
            continue;
        }
        bool good = value != NULL;
        if (good && strcmp(name, "--isa") == 0) w->isa = value;
        else if (good && strcmp(name, "--threads") == 0) good = read_threads(value, w);
        else if (good && strcmp(name, "--shapes") == 0) good = known_shapes(w->shapes = value);
        else if (good && strcmp(name, "--kernel") == 0) w->kernel = value;
        else if (good && strcmp(name, "--samples") == 0)
            good = (w->samples = atoi(value)) >= 1 && w->samples <= MOST_SAMPLES;
        else if (good && strcmp(name, "--seconds") == 0) good = (w->seconds = atof(value)) > 0.0 && w->seconds <= 10.0;
        else good = false;
        if (!good) {
            fprintf(stderr, "bench_kernels: cannot make sense of '%s%s%s'; see --help\n", name,
                    value != NULL ? " " : "", value != NULL ? value : "");
            return 3;
        }
        i++;
    }
    return 0;
}

static void close_setups(setup *setups, int count)
{
    for (int i = 0; i < count; i++) crd_team_close(&setups[i].team);
}

/* If all instruction sets are wanted, those that the machine lacks are skipped. */
static crd_status open_setups(const wishes *w, setup *setups, int *count, crd_error *error)
{
    static const char *const names[] = {"baseline", "avx2", "avx512"};
    const bool all = strcmp(w->isa, "all") == 0, best = strcmp(w->isa, "best") == 0;
    for (int n = 0; n < (all ? 3 : 1); n++) {
        const crd_kernels *kernels;
        if (!best) setenv("CREDENCE_CPU", all ? names[n] : w->isa, 1);
        crd_status status = crd_kernels_pick(&kernels, error);
        if (status != CRD_OK && all) continue;
        for (int t = 0; t < w->thread_count && status == CRD_OK; t++) {
            setup *s = &setups[*count];
            *s = (setup){.kernels = kernels, .threads = w->threads[t]};
            status = crd_team_open(s->threads, &s->team, error);
            if (status == CRD_OK) ++*count;
        }
        if (status != CRD_OK) return status;
    }
    if (all) unsetenv("CREDENCE_CPU"); /* later callers get the best one */
    return CRD_OK;
}

static crd_status measure_roofs(const wishes *w, setup *setups, int count, crd_error *error)
{
    crd_status status = CRD_OK;
    for (int i = 0; i < count && status == CRD_OK; i++)
        status = bench_roof_measure(setups[i].kernels->name, setups[i].team, setups[i].threads, w->quick,
                                    &setups[i].roof, error);
    return status;
}

static double seconds_of(const bench_case *c, bench_data *data, const setup *s, int64_t calls)
{
    const double begin = bench_now();
    for (int64_t i = 0; i < calls; i++) c->call(data, s->kernels, s->team);
    return bench_now() - begin;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many calls a sample needs. */
static void calibrate(const wishes *w, bench_data *data, const setup *setups, int count, measured *m)
{
    for (int i = 0; i < count; i++) {
        seconds_of(&m->which, data, &setups[i], 1);
        const double once = seconds_of(&m->which, data, &setups[i], 1);
        m->time[i].calls = (int64_t)ceil(w->seconds / (once > 1e-7 ? once : 1e-7));
    }
}

/* Takes a sample with every setup; a call before it warms the caches. */
static void take_sample(bench_data *data, const setup *setups, int count, measured *m)
{
    const double begin = bench_now();
    for (int i = 0; i < count; i++) {
        timing *t = &m->time[i];
        seconds_of(&m->which, data, &setups[i], 1);
        t->sample[t->samples++] = seconds_of(&m->which, data, &setups[i], t->calls) / (double)t->calls;
    }
    m->spent += bench_now() - begin;
}

static void settle(timing *t)
{
    qsort(t->sample, (size_t)t->samples, sizeof t->sample[0], ascending);
    t->least = t->sample[0];
    t->most = t->sample[t->samples - 1];
    t->median = (t->sample[(t->samples - 1) / 2] + t->sample[t->samples / 2]) / 2.0;
}

/* All cases of a shape in turn, again and again: samples taken right after each other are more alike than the
 * machine is from one minute to the next, so their spread would be too small. */
static void measure(const wishes *w, bench_data *data, const setup *setups, int count, measured *cases, int n)
{
    for (int c = 0; c < n; c++) calibrate(w, data, setups, count, &cases[c]);
    for (int round = 0; round < w->samples; round++)
        for (int c = 0; c < n; c++)
            if (round < FEWEST_SAMPLES || cases[c].spent < LONGEST) take_sample(data, setups, count, &cases[c]);
    for (int c = 0; c < n; c++)
        for (int i = 0; i < count; i++) settle(&cases[c].time[i]);
}

static void print_level(const char *name, int64_t bytes, const bench_roof *roof, bool last)
{
    const int at = bench_roof_size(bytes);
    printf("\"%s\": {\"bytes\": %lld, \"read\": %.4g, \"triad\": %.4g, \"fetch\": %.4g}%s", name,
           (long long)BENCH_SMALLEST << at, roof->read[at], roof->triad[at], roof->fetch[at], last ? "" : ", ");
}

/* Bytes of a data cache of the first processor, from Linux; `otherwise` if it is unknown. sysconf is wrong in some
 * virtual machines. */
static int64_t cache_bytes(int level, int64_t otherwise)
{
    for (int index = 0; index < 8; index++) {
        static const char *const facts[] = {"level", "type", "size"};
        char fact[3][32] = {"", "", ""};
        for (int i = 0; i < 3; i++) {
            char path[96];
            snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, facts[i]);
            FILE *file = fopen(path, "r");
            if (file == NULL) continue;
            if (fgets(fact[i], sizeof fact[i], file) == NULL) fact[i][0] = '\0';
            fclose(file);
        }
        char *unit;
        const int64_t size = strtoll(fact[2], &unit, 10);
        if (atoi(fact[0]) == level && fact[1][0] != 'I' && size > 0)
            return *unit == 'K' ? size << 10 : *unit == 'M' ? size << 20 : size;
    }
    return otherwise;
}

/* Half of each cache represents it. */
static void print_roof(const setup *s)
{
    const bench_roof *r = &s->roof;
    const int64_t cache[3] = {cache_bytes(1, 32 << 10), cache_bytes(2, 512 << 10), cache_bytes(3, 16 << 20)};
    printf("{\"type\": \"roof\", \"isa\": \"%s\", \"threads\": %d, \"flops\": %.4g, \"levels\": {", s->kernels->name,
           s->threads, r->flops);
    print_level("L1", cache[0] / 2, r, false);
    print_level("L2", cache[1] / 2, r, false);
    print_level("L3", cache[2] / 2 / s->threads, r, false);
    print_level("memory", (int64_t)BENCH_SMALLEST << (BENCH_SIZES - 1), r, true);
    printf("}, \"sizes\": [");
    for (int i = 0; i < BENCH_SIZES; i++)
        printf("%s{\"bytes\": %lld, \"read\": %.4g, \"triad\": %.4g, \"fetch\": %.4g}", i > 0 ? ", " : "",
               (long long)BENCH_SMALLEST << i, r->read[i], r->triad[i], r->fetch[i]);
    printf("]}\n");
}

/* No call can be faster than the slowest of three: its arithmetic, its passes through arrays, its fetches from a
 * table. These can overlap, so they are not added. */
static void print_kernel(const measured *m, const timing *t, const setup *s)
{
    const bench_work *w = &m->which.work;
    const bench_roof *r = &s->roof;
    const int64_t walked = (int64_t)(w->read + w->written) + (w->gathered > 0.0 ? w->table : 0);
    const double bound[] = {w->operations / (r->flops / 2.0),
                            bench_roof_seconds(r, w->read, w->written, walked / s->threads),
                            bench_roof_seconds(r, w->gathered, 0.0, w->table)};
    static const char *const names[] = {"arithmetic", "walk", "table"};
    int binds = 0;
    for (int i = 1; i < 3; i++)
        if (bound[i] > bound[binds]) binds = i;
    const double bytes = w->read + w->written + w->gathered;
    printf("{\"type\": \"kernel\", \"kernel\": \"%s\", \"use\": \"%s\", \"shape\": \"%s\", \"isa\": \"%s\", "
           "\"threads\": %d, \"rows\": %lld, \"seconds\": %.6g, \"least\": %.6g, \"most\": %.6g, "
           "\"samples\": %d, \"calls\": %lld, \"flops\": %.6g, \"operations\": %.6g, \"read\": %.6g, "
           "\"written\": %.6g, \"gathered\": %.6g, \"table\": %lld, \"flops_per_second\": %.4g, "
           "\"bytes_per_second\": %.4g, \"roof_seconds\": %.6g, \"roof\": \"%s\", \"fraction\": %.4f, "
           "\"of_fetch\": %.4f}\n",
           m->which.kernel, m->which.variant, m->shape->name, s->kernels->name, s->threads, (long long)m->which.rows,
           t->median, t->least, t->most, t->samples, (long long)t->calls, w->flops, w->operations, w->read, w->written,
           w->gathered, (long long)w->table, w->flops / t->median, bytes / t->median, bound[binds], names[binds],
           bound[binds] / t->median, bench_roof_fetch_seconds(r, w->lines, w->table) / t->median);
}

/* The roof is measured before and after, and the better one counts: another program may have been busy once. */
static crd_status run(const wishes *w, setup *setups, int count, measured *all, crd_error *error)
{
    int total = 0;
    crd_status status = measure_roofs(w, setups, count, error);
    for (int i = 0; i < bench_shape_count && status == CRD_OK; i++) {
        if (!listed(w->shapes, bench_shapes[i].name)) continue;
        bench_case cases[BENCH_MOST_CASES];
        bench_data *data = NULL;
        int n = 0;
        status = bench_data_open(&bench_shapes[i], &data, cases, &n, error);
        int wanted = 0;
        for (int c = 0; c < n && status == CRD_OK; c++) {
            if (w->kernel != NULL && strcmp(w->kernel, cases[c].kernel) != 0) continue;
            measured *m = &all[total + wanted++];
            m->shape = &bench_shapes[i];
            m->which = cases[c];
        }
        if (status == CRD_OK) measure(w, data, setups, count, all + total, wanted);
        total += wanted;
        bench_data_close(&data);
    }
    if (status == CRD_OK) status = measure_roofs(w, setups, count, error);
    if (status == CRD_OK && total == 0)
        status = crd_fail(error, CRD_ERROR_ARGUMENT, "no kernel is called '%s'", w->kernel);
    for (int s = 0; s < count && status == CRD_OK; s++) {
        print_roof(&setups[s]);
        for (int i = 0; i < total; i++) print_kernel(&all[i], &all[i].time[s], &setups[s]);
    }
    return status;
}

int main(int argc, char **argv)
{
    wishes w = {.isa = "best", .samples = 7, .seconds = 0.01, .thread_count = 2, .threads = {1, 2}};
    const int stop = read_wishes(argc, argv, &w);
    if (stop != 0) return stop - 1;
    crd_error error = {0};
    setup setups[MOST_SETUPS];
    int count = 0;
    measured *all = calloc((size_t)(bench_shape_count * BENCH_MOST_CASES), sizeof *all);
    if (all == NULL) return fail("out of memory");
    crd_status status = open_setups(&w, setups, &count, &error);
    if (status == CRD_OK) status = run(&w, setups, count, all, &error);
    close_setups(setups, count);
    free(all);
    if (status != CRD_OK) return fail(error.message);
    if (fflush(stdout) != 0 || ferror(stdout)) return fail("standard output cannot be written");
    return 0;
}
