#include "graph/name_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

/* Open addressing with linear probing. The names lie one behind the other in one block, so a million of
 * them cost three allocations, not a million. */
struct crd_name_index {
    uint64_t key;
    char *bytes;
    int64_t byte_count, byte_capacity;
    int64_t *offset; /* of each name in `bytes` */
    int64_t count, offset_capacity;
    int64_t *slot; /* a name's number, -1: free */
    int64_t slots; /* a power of two, at most two thirds full */
};

enum { FIRST_SLOTS = 64 };

/* The key differs from table to table, so that no file can be made in which all names collide. What a table
 * answers does not depend on it. */
static uint64_t hash_name(const crd_name_index *index, const char *name, size_t length)
{
    uint64_t hash = index->key;
    for (size_t at = 0; at < length; at += 8) {
        uint64_t word = 0;
        memcpy(&word, name + at, length - at < 8 ? length - at : 8);
        hash = crd_hash(hash, word);
    }
    return crd_hash(hash, length);
}

/* The slot that holds the name, or the free one where it belongs. */
static int64_t find_slot(const crd_name_index *index, const char *name)
{
    int64_t mask = index->slots - 1;
    int64_t at = (int64_t)(hash_name(index, name, strlen(name)) & (uint64_t)mask);
    while (index->slot[at] >= 0 && strcmp(index->bytes + index->offset[index->slot[at]], name) != 0)
        at = (at + 1) & mask;
    return at;
}

static crd_status make_slots(crd_name_index *index, int64_t slots, crd_error *error)
{
    int64_t *made;
    crd_status status = CRD_NEW(&made, slots, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < slots; i++) made[i] = -1;
    free(index->slot);
    index->slot = made;
    index->slots = slots;
    for (int64_t n = 0; n < index->count; n++) index->slot[find_slot(index,
                                                                     index->bytes + index->offset[n])] = n;
    return CRD_OK;
}

crd_status crd_name_index_new(crd_name_index **index, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(index, 1, error);
    if (status != CRD_OK) return status;
    (*index)->key = crd_mix((uint64_t)(uintptr_t)*index);
    status = make_slots(*index, FIRST_SLOTS, error);
    if (status != CRD_OK) crd_name_index_free(index);
    return status;
}

void crd_name_index_free(crd_name_index **index)
{
    if (index == NULL || *index == NULL) return;
    free((*index)->bytes);
    free((*index)->offset);
    free((*index)->slot);
    free(*index);
    *index = NULL;
}

crd_status crd_name_index_add(crd_name_index *index, const char *name, int64_t *number, crd_error *error)
{
    int64_t at = find_slot(index, name);
    *number = index->slot[at];
    if (*number >= 0) return CRD_OK;
    if (index->count + 1 > index->slots / 3 * 2) {
        crd_status status = make_slots(index, index->slots * 2, error);
        if (status != CRD_OK) return status;
        at = find_slot(index, name);
    }
    int64_t size = (int64_t)strlen(name) + 1;
    crd_status status = CRD_GROW(&index->bytes, &index->byte_capacity, index->byte_count + size, error);
    if (status == CRD_OK) status = CRD_GROW(&index->offset, &index->offset_capacity, index->count + 1, error);
    if (status != CRD_OK) return status;
    memcpy(index->bytes + index->byte_count, name, (size_t)size);
    index->offset[index->count] = index->byte_count;
    index->byte_count += size;
    index->slot[at] = *number = index->count++;
    return CRD_OK;
}

int64_t crd_name_index_find(const crd_name_index *index, const char *name)
{
    return index == NULL ? -1 : index->slot[find_slot(index, name)];
}

int64_t crd_name_index_count(const crd_name_index *index)
{
    return index == NULL ? 0 : index->count;
}

const char *crd_name_index_name(const crd_name_index *index, int64_t number)
{
    return index->bytes + index->offset[number];
}
