/* An allocator that fails on demand and knows what is still in use.
 *
 * Link a test with -Wl,--wrap=malloc,--wrap=calloc,... and with the static library: the library's calls, and
 * the test's own, then come here. What shared libraries allocate for themselves does not. */
#ifndef CRD_TESTS_FAILING_MEMORY_H
#define CRD_TESTS_FAILING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From now on the n-th allocation fails, counted from 0, and so does every later one if `for_good`. */
void crd_memory_fail(int64_t n, bool for_good);

typedef enum crd_memory_outcome {
    CRD_MEMORY_NOT_REACHED,   /* there were fewer allocations */
    CRD_MEMORY_FAILED_SHRINK, /* only an attempt to give memory back failed, which callers may ignore */
    CRD_MEMORY_FAILED
} crd_memory_outcome;

/* Ends failing and says what happened. */
crd_memory_outcome crd_memory_stop(void);

/* Blocks that were allocated and not freed. */
int64_t crd_memory_live(void);

/* Call-backs for a library's own allocations: they are counted, but do not fail. */
void *crd_memory_allocate(size_t size);
void crd_memory_release(void *block);

#endif
