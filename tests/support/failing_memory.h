/* SPDX-License-Identifier: MIT */
/* An allocator that fails on demand and tracks what is still in use.
 *
 * Link a test with -Wl,--wrap=malloc,--wrap=calloc,... and with the static library: then the calls of the library
 * and of the test come here, but not the allocations that shared libraries make for themselves. */
#ifndef CRD_TESTS_FAILING_MEMORY_H
#define CRD_TESTS_FAILING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From now on the n-th allocation fails, counted from 0; with `for_good`, so does every later one. */
void crd_memory_fail(int64_t n, bool for_good);

typedef enum crd_memory_outcome {
    CRD_MEMORY_NOT_REACHED,   /* there were fewer allocations */
    CRD_MEMORY_FAILED_SHRINK, /* only shrinking a block failed, which callers may ignore */
    CRD_MEMORY_FAILED
} crd_memory_outcome;

/* Stops failing and tells what happened. */
crd_memory_outcome crd_memory_stop(void);

/* Blocks that were allocated and not freed. */
int64_t crd_memory_live(void);
/* The most bytes in use since the last call of this, beyond those in use then. */
int64_t crd_memory_watch(void);

/* Call-backs for another library's allocations: counted, but they do not fail. */
void *crd_memory_allocate(size_t size);
void crd_memory_release(void *block);

#endif
