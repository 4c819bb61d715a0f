/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"

bool crd_multiply(int64_t a, int64_t b, int64_t *product)
{
    if (a < 0 || b < 0 || (b != 0 && a > INT64_MAX / b)) return false;
    *product = a * b;
    return true;
}

bool crd_add(int64_t a, int64_t b, int64_t *sum)
{
    if (a < 0 || b < 0 || a > INT64_MAX - b) return false;
    *sum = a + b;
    return true;
}

/* Kernels read rows in whole vectors; a vector that spans two cache lines takes two loads. */
enum { LINE = 64 };

/* ---- the caller's allocator, or the C library's ---- */

static crd_allocator given;
static _Atomic(const crd_allocator *) chosen; /* &given, or NULL: the C library's */

crd_status crd_set_allocator(const crd_allocator *allocator, crd_error *error)
{
    crd_allocator complete = {0};
    const crd_status status = crd_take_sized("crd_allocator", allocator, &complete, sizeof complete, error);
    if (status != CRD_OK) return status;
    if (allocator != NULL && (complete.allocate == NULL || complete.release == NULL))
        return crd_fail_about(error, CRD_ERROR_ARGUMENT, complete.allocate == NULL ? "allocate" : "release",
                              "is NULL, expected a function");
    atomic_store(&chosen, NULL);
    if (allocator != NULL) {
        given = complete;
        atomic_store(&chosen, &given);
    }
    return CRD_OK;
}

/* A caller's allocator is like malloc: it knows nothing of cache lines, and its blocks do not tell how long they are.
 * So every block of it begins with some unused bytes and this label, and what we hand out comes right behind. */
typedef struct {
    size_t offset; /* from the beginning of the block to what we handed out */
    size_t bytes;  /* behind it */
} label;

enum { EDGE = 16 }; /* room for a label that keeps the alignment of malloc */
_Static_assert(sizeof(label) <= EDGE, "a label must fit in front of a block");

static label *label_of(void *block)
{
    return (label *)((char *)block - sizeof(label));
}

static void *start_of(void *block)
{
    return (char *)block - label_of(block)->offset;
}

static void *take(const crd_allocator *from, size_t bytes, bool zero)
{
    const bool lines = bytes >= LINE;
    const size_t more = lines ? EDGE + LINE : EDGE;
    if (bytes > PTRDIFF_MAX - more) return NULL;
    const bool zeroed = zero && from->allocate_zero != NULL;
    char *start = (zeroed ? from->allocate_zero : from->allocate)(bytes + more, from->user);
    if (start == NULL) return NULL;
    const size_t past_line = (size_t)((uintptr_t)start + EDGE) % LINE;
    const size_t offset = EDGE + (lines && past_line != 0 ? LINE - past_line : 0);
    if (zero && !zeroed) memset(start + offset, 0, bytes);
    *label_of(start + offset) = (label){offset, bytes};
    return start + offset;
}

static void *retake(const crd_allocator *from, void *block, size_t bytes)
{
    if (block == NULL) return take(from, bytes, false);
    const label old = *label_of(block);
    if (bytes > PTRDIFF_MAX - old.offset) return NULL;
    if (from->reallocate == NULL) {
        void *moved = take(from, bytes, false);
        if (moved == NULL) return NULL;
        memcpy(moved, block, old.bytes < bytes ? old.bytes : bytes);
        from->release(start_of(block), from->user);
        return moved;
    }
    /* The label moves with the block. A block that moves may lose its line, as with realloc. */
    char *start = from->reallocate(start_of(block), old.offset + bytes, from->user);
    if (start == NULL) return NULL;
    label_of(start + old.offset)->bytes = bytes;
    return start + old.offset;
}

static void *take_block(size_t bytes, bool zero)
{
    const crd_allocator *from = atomic_load(&chosen);
    void *block = NULL;
    if (from != NULL) return take(from, bytes, zero);
    if (zero) return calloc(1, bytes);
    if (bytes < LINE) return malloc(bytes);
    return posix_memalign(&block, LINE, bytes) == 0 ? block : NULL;
}

static void *resize_block(void *block, size_t bytes)
{
    const crd_allocator *from = atomic_load(&chosen);
    return from != NULL ? retake(from, block, bytes) : realloc(block, bytes);
}

void crd_free(void *block)
{
    const crd_allocator *from = atomic_load(&chosen);
    if (from == NULL) free(block);
    else if (block != NULL) from->release(start_of(block), from->user);
}

void *crd_zlib_allocate(void *unused, unsigned count, unsigned size)
{
    (void)unused;
    return size > 0 && count > PTRDIFF_MAX / size ? NULL : take_block((size_t)count * size, false);
}

void crd_zlib_free(void *unused, void *block)
{
    (void)unused;
    crd_free(block);
}

/* ---- checked allocation ---- */

crd_status crd_allocate(void **pointer, int64_t count, size_t size, bool zero, crd_error *error)
{
    int64_t bytes;
    *pointer = NULL;
    if (!crd_multiply(count, (int64_t)size, &bytes) || (uint64_t)bytes > PTRDIFF_MAX)
        return crd_fail(error, CRD_ERROR_MEMORY, "out of memory (%lld items of %zu bytes were asked for)",
                        (long long)count, size);
    if (bytes == 0) bytes = 1;
    *pointer = take_block((size_t)bytes, zero);
    return *pointer == NULL ? crd_fail_memory(error, (size_t)bytes) : CRD_OK;
}

crd_status crd_grow(void **pointer, int64_t *capacity, int64_t needed, size_t size, crd_error *error)
{
    if (needed <= *capacity && *pointer != NULL) return CRD_OK;
    int64_t larger = *capacity < 16 ? 16 : *capacity;
    while (larger < needed) {
        if (larger > INT64_MAX / 2) return crd_fail_memory(error, SIZE_MAX);
        larger *= 2;
    }
    int64_t bytes;
    if (!crd_multiply(larger, (int64_t)size, &bytes)) return crd_fail_memory(error, SIZE_MAX);
    void *grown = resize_block(*pointer, (size_t)bytes);
    if (grown == NULL) return crd_fail_memory(error, (size_t)bytes);
    *pointer = grown;
    *capacity = larger;
    return CRD_OK;
}

void crd_shrink(void **pointer, int64_t count, size_t size)
{
    if (*pointer == NULL) return;
    void *smaller = resize_block(*pointer, count > 0 ? (size_t)count * size : 1);
    if (smaller != NULL) *pointer = smaller;
}

void crd_plan_add(crd_plan *plan, void **pointer, int64_t count, size_t size, bool zero)
{
    int64_t bytes, lines;
    *pointer = NULL;
    if (plan->count == CRD_PLAN_ARRAYS || !crd_multiply(count, (int64_t)size, &bytes) ||
        !crd_add(bytes, LINE - 1, &lines)) {
        plan->too_large = true;
        return;
    }
    plan->array[plan->count].pointer = pointer;
    plan->array[plan->count].bytes = lines / LINE * LINE;
    plan->array[plan->count++].zero = zero;
}

int64_t crd_plan_bytes(const crd_plan *plan)
{
    int64_t bytes = 0;
    bool fits = !plan->too_large;
    for (int i = 0; i < plan->count && fits; i++) fits = crd_add(bytes, plan->array[i].bytes, &bytes);
    return fits ? bytes : INT64_MAX;
}

crd_status crd_plan_allocate(crd_plan *plan, crd_error *error)
{
    const int64_t bytes = crd_plan_bytes(plan);
    if ((uint64_t)bytes > PTRDIFF_MAX || bytes == INT64_MAX) return crd_fail_memory(error, SIZE_MAX);
    plan->block = take_block(bytes > 0 ? (size_t)bytes : 1, false);
    if (plan->block == NULL) return crd_fail_memory(error, (size_t)bytes);
    char *at = plan->block;
    for (int i = 0; i < plan->count; i++) {
        *plan->array[i].pointer = at;
        if (plan->array[i].zero) memset(at, 0, (size_t)plan->array[i].bytes);
        at += plan->array[i].bytes;
    }
    return CRD_OK;
}

void crd_plan_free(crd_plan *plan)
{
    crd_free(plan->block);
    *plan = (crd_plan){0};
}

crd_status crd_copy_string(char **copy, const char *string, crd_error *error)
{
    size_t length = strlen(string) + 1;
    crd_status status = CRD_NEW(copy, length, error);
    if (status == CRD_OK) memcpy(*copy, string, length);
    return status;
}

void crd_string_free(char **string)
{
    if (string == NULL) return;
    crd_free(*string);
    *string = NULL;
}

void crd_bytes_free(uint8_t **bytes)
{
    if (bytes == NULL) return;
    crd_free(*bytes);
    *bytes = NULL;
}

crd_status crd_copy_strings(char ***copy, char *const *strings, int64_t count, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(copy, count, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++) status = crd_copy_string(&(*copy)[i], strings[i], error);
    if (status != CRD_OK) crd_strings_free(copy, count);
    return status;
}

void crd_strings_free(char ***strings, int64_t count)
{
    if (strings == NULL || *strings == NULL) return;
    for (int64_t i = 0; i < count; i++) crd_free((*strings)[i]);
    crd_free(*strings);
    *strings = NULL;
}
