#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

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

static void *lined_up(size_t bytes)
{
    void *block;
    return posix_memalign(&block, LINE, bytes) == 0 ? block : NULL;
}

crd_status crd_allocate(void **pointer, int64_t count, size_t size, bool zero, crd_error *error)
{
    int64_t bytes;
    *pointer = NULL;
    if (!crd_multiply(count, (int64_t)size, &bytes) || (uint64_t)bytes > PTRDIFF_MAX)
        return crd_fail(error, CRD_ERROR_MEMORY, "out of memory (%lld items of %zu bytes were asked for)",
                        (long long)count, size);
    if (bytes == 0) bytes = 1;
    *pointer = zero ? calloc(1, (size_t)bytes) : bytes < LINE ? malloc((size_t)bytes) : lined_up((size_t)bytes);
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
    void *grown = realloc(*pointer, (size_t)bytes);
    if (grown == NULL) return crd_fail_memory(error, (size_t)bytes);
    *pointer = grown;
    *capacity = larger;
    return CRD_OK;
}

void crd_shrink(void **pointer, int64_t count, size_t size)
{
    if (*pointer == NULL) return;
    void *smaller = realloc(*pointer, count > 0 ? (size_t)count * size : 1);
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
    plan->block = lined_up(bytes > 0 ? (size_t)bytes : 1);
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
    free(plan->block);
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
    free(*string);
    *string = NULL;
}

void crd_bytes_free(uint8_t **bytes)
{
    if (bytes == NULL) return;
    free(*bytes);
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
    for (int64_t i = 0; i < count; i++) free((*strings)[i]);
    free(*strings);
    *strings = NULL;
}
