/* SPDX-License-Identifier: MIT */
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/watch.h"

/* So many are sorted at once; longer runs are merged. */
enum { FEW = 32768 };

typedef struct {
    size_t size;
    int (*compare)(const void *a, const void *b);
} order;

/* Merges the runs from[begin .. middle) and from[middle .. end) into `to`. */
static crd_status merge(const order *o, const char *from, char *to, int64_t begin, int64_t middle, int64_t end,
                        crd_error *error)
{
    int64_t left = begin, right = middle;
    for (int64_t at = begin; at < end; at++) {
        if (crd_watch_at(at)) return crd_watch_stopped(error);
        const bool takes_left = left < middle && (right == end || o->compare(from + (size_t)left * o->size,
                                                                             from + (size_t)right * o->size) <= 0);
        memcpy(to + (size_t)at * o->size, from + (size_t)(takes_left ? left++ : right++) * o->size, o->size);
    }
    return CRD_OK;
}

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

crd_status crd_sort(void *items, int64_t count, size_t size, int (*compare)(const void *a, const void *b),
                    crd_error *error)
{
    const order o = {size, compare};
    char *room, *from = items, *to;
    crd_status status = CRD_OK;
    for (int64_t begin = 0; begin < count && status == CRD_OK; begin += FEW) {
        status = crd_watch_check(error);
        if (status == CRD_OK) qsort(from + (size_t)begin * size, (size_t)at_most(FEW, count - begin), size, compare);
    }
    if (status == CRD_OK && count <= FEW) return CRD_OK;
    if (status == CRD_OK) status = crd_allocate((void **)&room, count, size, false, error);
    if (status != CRD_OK) return status;
    to = room;
    for (int64_t run = FEW; run < count && status == CRD_OK; run *= 2) {
        for (int64_t begin = 0; begin < count && status == CRD_OK; begin += 2 * run)
            status = merge(&o, from, to, begin, at_most(begin + run, count), at_most(begin + 2 * run, count), error);
        char *merged = to;
        to = from;
        from = merged;
    }
    if (from == room) memcpy(items, room, (size_t)count * size);
    crd_free(room);
    return status;
}
