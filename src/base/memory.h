/* SPDX-License-Identifier: MIT */
/* Allocation that checks every size; every failure is a status, never a crash. All memory of the library comes from
 * here. */
#ifndef CRD_BASE_MEMORY_H
#define CRD_BASE_MEMORY_H

#include "base/status.h"

/* Allocates count items of `size` bytes into *pointer (the address of any pointer). On failure or overflow: NULL and
 * a status. Zero items give a valid pointer that can be freed. */
#define CRD_NEW(pointer, count, error)                                                                                 \
    crd_allocate((void **)(pointer), (int64_t)(count), sizeof **(pointer), false, error)
#define CRD_NEW_ZERO(pointer, count, error)                                                                            \
    crd_allocate((void **)(pointer), (int64_t)(count), sizeof **(pointer), true, error)
crd_status crd_allocate(void **pointer, int64_t count, size_t size, bool zero, crd_error *error);

/* Grows an array so that it holds at least `needed` items; it doubles *capacity as often as needed. A failure leaves
 * the array unchanged. */
#define CRD_GROW(pointer, capacity, needed, error)                                                                     \
    crd_grow((void **)(pointer), capacity, (int64_t)(needed), sizeof **(pointer), error)
crd_status crd_grow(void **pointer, int64_t *capacity, int64_t needed, size_t size, crd_error *error);

/* Releases the unused end of a grown array. Never fails: at worst the array stays as large as it is. */
#define CRD_SHRINK(pointer, count) crd_shrink((void **)(pointer), (int64_t)(count), sizeof **(pointer))
void crd_shrink(void **pointer, int64_t count, size_t size);

/* Releases what the functions here allocated; NULL is nothing. Never free(): crd_set_allocator may have replaced the C
 * library's functions. (The command and the tests do not do that, so they may call free.) */
void crd_free(void *block);

/* For zlib's streams: {.zalloc = crd_zlib_allocate, .zfree = crd_zlib_free}. */
void *crd_zlib_allocate(void *unused, unsigned count, unsigned size);
void crd_zlib_free(void *unused, void *block);

crd_status crd_copy_string(char **copy, const char *string, crd_error *error);
/* Copies a list of strings. A failure leaves nothing to free. */
crd_status crd_copy_strings(char ***copy, char *const *strings, int64_t count, crd_error *error);
/* Frees a list of strings; it skips NULL. */
void crd_strings_free(char ***strings, int64_t count);

/* The arrays of one piece of work: listed first, then allocated together and freed together. */
enum { CRD_PLAN_ARRAYS = 72 };

typedef struct crd_plan {
    int count;
    struct {
        void **pointer;
        int64_t bytes;
        bool zero;
    } array[CRD_PLAN_ARRAYS];
    bool too_large; /* a size does not fit in 64 bits, or there are too many arrays */
    void *block;
} crd_plan;

/* Lists an array of `count` items for a pointer, which gets its address in crd_plan_allocate. */
#define CRD_PLAN(plan, pointer, count)                                                                                 \
    crd_plan_add(plan, (void **)(pointer), (int64_t)(count), sizeof **(pointer), false)
#define CRD_PLAN_ZERO(plan, pointer, count)                                                                            \
    crd_plan_add(plan, (void **)(pointer), (int64_t)(count), sizeof **(pointer), true)
void crd_plan_add(crd_plan *plan, void **pointer, int64_t count, size_t size, bool zero);
/* The bytes of all arrays together; INT64_MAX if the sum overflows. */
int64_t crd_plan_bytes(const crd_plan *plan);
/* One allocation for all arrays. On failure there is nothing to free. */
crd_status crd_plan_allocate(crd_plan *plan, crd_error *error);
void crd_plan_free(crd_plan *plan);

/* a * b and a + b for sizes from outside; false on overflow or a negative operand. */
bool crd_multiply(int64_t a, int64_t b, int64_t *product);
bool crd_add(int64_t a, int64_t b, int64_t *sum);

#endif
