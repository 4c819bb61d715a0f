/* SPDX-License-Identifier: MIT */
/* A fuzzer that needs no libFuzzer: any C compiler with AddressSanitizer will do.
 *
 *     fuzz_csv -seconds=10 [-seed=1]      damage the seeds for so long
 *     fuzz_csv -runs=100000               or so often
 *     fuzz_csv FILE...                    replay
 *     fuzz_csv -dump=FOLDER               write the seeds as files, for another fuzzer
 *
 * Inputs that reach new code join the seeds, if the compiler counts edges (-fsanitize-coverage=trace-pc). The same
 * seed gives the same inputs in the same order. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"
#include "mutate.h"

enum { ROOM = 1 << 16, MOST_INPUTS = 20000, MOST_CHANGES = 6, SECONDS_PER_INPUT = 20 };

static struct {
    const char *name; /* of the target */
    char crash_file[256];
    const crd_fuzz_input *current;
    crd_fuzz_input *corpus;
    size_t corpus_size;
} fuzzer;

/* --------------------------------------------------------------------------------------------------------
 * Code reached. Addresses are taken relative to the program, so that a run can be repeated exactly.
 * ------------------------------------------------------------------------------------------------------ */

enum { EDGES = 1 << 16, EDGE_WORDS = EDGES / 64 };
static uint64_t edge_now[EDGE_WORDS], edge_ever[EDGE_WORDS]; /* one bit per edge */
static uint64_t edge_previous;

/* Called by instrumented code at every edge. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    uintptr_t program = (uintptr_t)&LLVMFuzzerTestOneInput;
    uint64_t here = crd_mix((uintptr_t)__builtin_return_address(0) - program);
    uint64_t edge = (here ^ edge_previous) % EDGES;
    edge_now[edge / 64] |= (uint64_t)1 << edge % 64;
    edge_previous = here >> 1;
}

static bool reached_something_new(void)
{
    bool found = false;
    for (size_t i = 0; i < EDGE_WORDS; i++) {
        if (edge_now[i] & ~edge_ever[i]) found = true;
        edge_ever[i] |= edge_now[i];
    }
    return found;
}

static size_t edges_reached(void)
{
    size_t count = 0;
    for (size_t i = 0; i < EDGES; i++) count += edge_ever[i / 64] >> i % 64 & 1;
    return count;
}

/* --------------------------------------------------------------------------------------------------------
 * Death and leaks. The sanitizers' functions are weak: without them only signals are caught.
 * ------------------------------------------------------------------------------------------------------ */

__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));
__attribute__((weak)) int __lsan_do_recoverable_leak_check(void);
__attribute__((weak)) int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t),
                                                                    void (*freed)(const volatile void *));

/* An allocation out of proportion to the input is a bug, not bad luck: report it. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "max_allocation_size_mb=1024:hard_rss_limit_mb=3000";
}

/* GCC's UBSan ends the program in its own way, which the call-back below does not see; it does see an abort. */
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return "print_stacktrace=1:abort_on_error=1";
}

/* Uses only calls that are safe in a signal handler. */
static void say(const char *text)
{
    (void)!write(STDERR_FILENO, text, strlen(text));
}

static void keep_current(void)
{
    if (fuzzer.current == NULL) return;
    int file = open(fuzzer.crash_file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file >= 0) {
        (void)!write(file, fuzzer.current->data, fuzzer.current->size);
        close(file);
    }
    fuzzer.current = NULL;
    say("\nthe input is kept; replay it with: ");
    say(fuzzer.name);
    say(" ");
    say(fuzzer.crash_file);
    say("\n");
}

static void on_signal(int number)
{
    say(number == SIGALRM ? "\nan input takes too long\n" : "\nkilled by a signal\n");
    keep_current();
    signal(number, SIG_DFL);
    if (number == SIGALRM) _exit(1);
    raise(number);
}

static unsigned long blocks_allocated, blocks_freed;

static void count_allocated(const volatile void *block, size_t size)
{
    (void)block;
    (void)size;
    blocks_allocated++;
}

static void count_freed(const volatile void *block)
{
    if (block != NULL) blocks_freed++;
}

static void watch(void)
{
    if (__sanitizer_set_death_callback != NULL) {
        __sanitizer_set_death_callback(keep_current);
    } else {
        const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
        for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) signal(deadly[i], on_signal);
    }
    signal(SIGABRT, on_signal);
    signal(SIGALRM, on_signal);
    if (__sanitizer_install_malloc_and_free_hooks != NULL)
        __sanitizer_install_malloc_and_free_hooks(count_allocated, count_freed);
}

static bool leaves_blocks(const crd_fuzz_input *input)
{
    blocks_allocated = blocks_freed = 0;
    (void)LLVMFuzzerTestOneInput(input->data, input->size);
    return blocks_allocated > blocks_freed;
}

/* The target gets a copy of exactly the input's size, so that reading one byte too far is noticed. */
static void run(const crd_fuzz_input *input)
{
    crd_fuzz_input exact = {malloc(input->size > 0 ? input->size : 1), input->size};
    if (exact.data == NULL) {
        say("out of memory\n");
        _exit(1);
    }
    if (input->size > 0) memcpy(exact.data, input->data, input->size);
    fuzzer.current = &exact;
    memset(edge_now, 0, sizeof edge_now);
    edge_previous = 0;
    alarm(SECONDS_PER_INPUT);
    /* Memory that a first call allocates once and keeps is not a leak; memory that every call leaves may be one. */
    if (leaves_blocks(&exact) && leaves_blocks(&exact) && __lsan_do_recoverable_leak_check != NULL &&
        __lsan_do_recoverable_leak_check() != 0) {
        keep_current();
        _exit(1);
    }
    alarm(0);
    fuzzer.current = NULL;
    free(exact.data);
}

/* ------------------------------------------------------------------------------------------------------ */

static void add_input(const uint8_t *data, size_t size)
{
    if (fuzzer.corpus_size == MOST_INPUTS || size > ROOM) return;
    crd_fuzz_input input = {malloc(size > 0 ? size : 1), size};
    if (input.data == NULL) return;
    if (size > 0) memcpy(input.data, data, size);
    fuzzer.corpus[fuzzer.corpus_size++] = input;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int fuzz(double seconds, unsigned long runs, uint64_t seed)
{
    crd_rng rng = crd_rng_start(seed, 0);
    double start = now(), said = start;
    unsigned long done = 0;
    uint8_t *buffer = malloc(ROOM);
    if (buffer == NULL) return 1;
    size_t seeds = fuzzer.corpus_size;
    for (; done < seeds; done++) {
        run(&fuzzer.corpus[done]);
        (void)reached_something_new();
    }
    while (done < runs && now() - start < seconds) {
        const crd_fuzz_input *from = &fuzzer.corpus[crd_rng_next(&rng) % fuzzer.corpus_size];
        const crd_fuzz_input *other = &fuzzer.corpus[crd_rng_next(&rng) % fuzzer.corpus_size];
        crd_fuzz_input input = {buffer, from->size};
        if (from->size > 0) memcpy(buffer, from->data, from->size);
        for (uint64_t changes = 1 + crd_rng_next(&rng) % MOST_CHANGES; changes > 0; changes--)
            crd_fuzz_mutate(&input, ROOM, other, &rng);
        run(&input);
        if (reached_something_new()) add_input(input.data, input.size);
        done++;
        if (now() - said > 60) {
            said = now();
            printf("%s: %lu runs, %zu inputs, %zu edges\n", fuzzer.name, done, fuzzer.corpus_size, edges_reached());
            fflush(stdout);
        }
    }
    free(buffer);
    printf("%s: %lu runs from %zu seeds, %zu inputs reached new code, %zu edges, %.1f s, nothing found\n", fuzzer.name,
           done, seeds, fuzzer.corpus_size - seeds, edges_reached(), now() - start);
    return 0;
}

static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return 1;
    }
    crd_fuzz_input input = {NULL, 0};
    size_t room = 0, got;
    do {
        room = room == 0 ? ROOM : 2 * room;
        uint8_t *larger = realloc(input.data, room);
        if (larger == NULL) break;
        input.data = larger;
        got = fread(input.data + input.size, 1, room - input.size, file);
        input.size += got;
    } while (input.size == room);
    fclose(file);
    run(&input);
    free(input.data);
    printf("%s: %s: nothing found\n", fuzzer.name, path);
    return 0;
}

static int dump(const char *folder)
{
    for (size_t i = 0; i < fuzzer.corpus_size; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/seed-%zu", folder, i);
        FILE *file = fopen(path, "wb");
        if (file == NULL) {
            fprintf(stderr, "%s: %s\n", path, strerror(errno));
            return 1;
        }
        fwrite(fuzzer.corpus[i].data, 1, fuzzer.corpus[i].size, file);
        fclose(file);
    }
    return 0;
}

int main(int argc, char **argv)
{
    double seconds = 1e18;
    unsigned long runs = (unsigned long)-1;
    uint64_t seed = 1;
    int status = 0, files = 0;
    const char *folder = NULL, *slash = strrchr(argv[0], '/');
    fuzzer.name = argv[0];
    snprintf(fuzzer.crash_file, sizeof fuzzer.crash_file, "crash-%s", slash == NULL ? argv[0] : slash + 1);
    fuzzer.corpus = calloc(MOST_INPUTS, sizeof *fuzzer.corpus);
    if (fuzzer.corpus == NULL) return 1;
    crd_fuzz_seeds(add_input);
    if (fuzzer.corpus_size == 0) add_input((const uint8_t *)"", 0);
    json_object_seed(1); /* else jansson draws a seed, and every run is different */
    watch();
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "-seconds=", 9) == 0) seconds = strtod(argv[i] + 9, NULL);
        else if (strncmp(argv[i], "-runs=", 6) == 0) runs = strtoul(argv[i] + 6, NULL, 10);
        else if (strncmp(argv[i], "-seed=", 6) == 0) seed = strtoull(argv[i] + 6, NULL, 10);
        else if (strncmp(argv[i], "-dump=", 6) == 0) folder = argv[i] + 6;
        else if (argv[i][0] == '-') {
            fprintf(stderr, "%s: unknown option %s\n", argv[0], argv[i]);
            return 2;
        } else {
            files++;
            status |= replay(argv[i]);
        }
    }
    if (folder != NULL) status |= dump(folder);
    else if (files == 0) status |= fuzz(seconds, runs, seed);
    for (size_t i = 0; i < fuzzer.corpus_size; i++) free(fuzzer.corpus[i].data);
    free(fuzzer.corpus);
    return status;
}
