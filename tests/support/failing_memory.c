/* SPDX-License-Identifier: MIT */
#include "support/failing_memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The names are the linker's: --wrap=malloc turns malloc into __wrap_malloc and keeps __real_malloc. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);
void __wrap_free(void *block);
char *__wrap_strdup(const char *string);
char *__wrap_strndup(const char *string, size_t most);

/* Blocks in use, by address: open addressing, linear probing. */
enum { SLOTS = 1 << 17 };
typedef struct {
    void *block;
    size_t size;
} slot;

static struct {
    atomic_flag busy; /* threads of a parallel loop may come at the same time */
    slot slots[SLOTS];
    int64_t live, bytes, peak, watched;
    bool failing, for_good;
    int64_t left; /* allocations until the failing one */
    crd_memory_outcome outcome;
} memory = {.busy = ATOMIC_FLAG_INIT};

static void lock(void)
{
    while (atomic_flag_test_and_set(&memory.busy)) continue;
}

static void unlock(void)
{
    atomic_flag_clear(&memory.busy);
}

static size_t home(const void *block)
{
    uint64_t x = (uint64_t)(uintptr_t)block * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(x >> 40) % SLOTS;
}

static size_t find(const void *block)
{
    size_t i = home(block);
    while (memory.slots[i].block != NULL && memory.slots[i].block != block) i = (i + 1) % SLOTS;
    return i;
}

static void remember(void *block, size_t size)
{
    if (block == NULL) return;
    lock();
    if (memory.live == SLOTS / 2) {
        fputs("failing_memory: too many blocks in use\n", stderr);
        abort();
    }
    memory.slots[find(block)] = (slot){block, size};
    memory.live++;
    memory.bytes += (int64_t)size;
    if (memory.bytes > memory.peak) memory.peak = memory.bytes;
    unlock();
}

/* False for a block that was not allocated here: some of libc's functions allocate for their caller. */
static bool forget(const void *block, size_t *size)
{
    lock();
    size_t hole = find(block);
    bool found = memory.slots[hole].block != NULL;
    *size = memory.slots[hole].size;
    if (found) {
        memory.live--;
        memory.bytes -= (int64_t)*size;
        memory.slots[hole] = (slot){NULL, 0};
        /* Moves later blocks of the same run up, or they could not be found past the hole. */
        for (size_t i = (hole + 1) % SLOTS; memory.slots[i].block != NULL; i = (i + 1) % SLOTS) {
            slot moved = memory.slots[i];
            memory.slots[i] = (slot){NULL, 0};
            memory.slots[find(moved.block)] = moved;
        }
    }
    unlock();
    return found;
}

static bool must_fail(bool shrinks)
{
    lock();
    bool fails = memory.failing && memory.left-- <= 0;
    if (fails) {
        if (!memory.for_good) memory.failing = false;
        if (!shrinks) memory.outcome = CRD_MEMORY_FAILED;
        else if (memory.outcome == CRD_MEMORY_NOT_REACHED) memory.outcome = CRD_MEMORY_FAILED_SHRINK;
    }
    unlock();
    if (fails) errno = ENOMEM;
    return fails;
}

void *__wrap_malloc(size_t size)
{
    if (must_fail(false)) return NULL;
    void *block = __real_malloc(size);
    remember(block, size);
    return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
    if (must_fail(false)) return NULL;
    void *block = __real_calloc(count, size);
    remember(block, count * size);
    return block;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    if (must_fail(false)) return NULL;
    void *block = __real_aligned_alloc(alignment, size);
    remember(block, size);
    return block;
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    if (must_fail(false)) return ENOMEM;
    int failure = __real_posix_memalign(block, alignment, size);
    if (failure == 0) remember(*block, size);
    return failure;
}

void *__wrap_realloc(void *block, size_t size)
{
    size_t old = 0;
    bool known = block != NULL && forget(block, &old);
    void *larger = must_fail(known && size <= old) ? NULL : __real_realloc(block, size);
    if (larger != NULL) remember(larger, size);
    else if (known) remember(block, old);
    return larger;
}

void __wrap_free(void *block)
{
    size_t size;
    if (block != NULL) (void)forget(block, &size);
    __real_free(block);
}

char *__wrap_strndup(const char *string, size_t most)
{
    size_t length = strnlen(string, most);
    char *copy = __wrap_malloc(length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, string, length);
    copy[length] = '\0';
    return copy;
}

char *__wrap_strdup(const char *string)
{
    return __wrap_strndup(string, strlen(string));
}

void crd_memory_fail(int64_t n, bool for_good)
{
    memory.left = n;
    memory.for_good = for_good;
    memory.outcome = CRD_MEMORY_NOT_REACHED;
    memory.failing = true;
}

crd_memory_outcome crd_memory_stop(void)
{
    memory.failing = false;
    return memory.outcome;
}

int64_t crd_memory_live(void)
{
    return memory.live;
}

int64_t crd_memory_watch(void)
{
    const int64_t most = memory.peak - memory.watched;
    memory.peak = memory.watched = memory.bytes;
    return most;
}

void *crd_memory_allocate(size_t size)
{
    void *block = __real_malloc(size);
    remember(block, size);
    return block;
}

void crd_memory_release(void *block)
{
    __wrap_free(block);
}
