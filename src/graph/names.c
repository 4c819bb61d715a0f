/* SPDX-License-Identifier: MIT */
#include "graph/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/random.h"
#include "base/watch.h"

/* Open addressing with linear probing. The names are stored one after the other in one block, so a million names cost
 * three allocations, not a million. */
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

/* The key differs from table to table, so that nobody can write a file in which all names collide. The answers do not
 * depend on it. */
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
    crd_free(index->slot);
    index->slot = made;
    index->slots = slots;
    for (int64_t n = 0; n < index->count; n++) index->slot[find_slot(index, index->bytes + index->offset[n])] = n;
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
    crd_free((*index)->bytes);
    crd_free((*index)->offset);
    crd_free((*index)->slot);
    crd_free(*index);
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

/* ---- ids ---- */

enum { MOST_DIGITS = 18 }; /* any number of 18 digits fits into 64 bits */

bool crd_id_number(const char *text, int64_t *number)
{
    if (text[0] == '0') {
        *number = 0;
        return text[1] == '\0';
    }
    int64_t value = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9' && c - text < MOST_DIGITS; c++) value = 10 * value + (*c - '0');
    *number = value;
    return c != text && *c == '\0';
}

const char *crd_ids_text(const crd_ids *ids, int64_t index, char buffer[CRD_ID_SIZE])
{
    if (ids->names != NULL) return crd_name_index_name(ids->names, ids->token[index]);
    snprintf(buffer, CRD_ID_SIZE, "%" PRId64, ids->token[index]);
    return buffer;
}

static crd_status append(crd_ids *ids, int64_t token, crd_error *error)
{
    crd_status status = CRD_GROW(&ids->token, &ids->capacity, ids->count + 1, error);
    if (status == CRD_OK) ids->token[ids->count++] = token;
    return status;
}

/* Numbers are printed as they were read, because crd_id_number takes no other spelling. */
static crd_status become_names(crd_ids *ids, crd_error *error)
{
    crd_name_index *names;
    crd_status status = crd_name_index_new(&names, error);
    for (int64_t i = 0; i < ids->count && status == CRD_OK; i++) {
        char buffer[CRD_ID_SIZE];
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        else status = crd_name_index_add(names, crd_ids_text(ids, i, buffer), &ids->token[i], error);
    }
    if (status == CRD_OK) ids->names = names;
    else crd_name_index_free(&names);
    return status;
}

crd_status crd_ids_add(crd_ids *ids, const char *text, crd_error *error)
{
    int64_t token;
    crd_status status = CRD_OK;
    if (ids->names == NULL) {
        if (crd_id_number(text, &token)) return append(ids, token, error);
        status = become_names(ids, error);
    }
    if (status == CRD_OK) status = crd_name_index_add(ids->names, text, &token, error);
    return status == CRD_OK ? append(ids, token, error) : status;
}

crd_status crd_ids_prepend(crd_ids *ids, const char *const *texts, int64_t count, crd_error *error)
{
    crd_ids all = {0};
    crd_status status = CRD_OK;
    for (int64_t i = 0; i < count && status == CRD_OK; i++) status = crd_ids_add(&all, texts[i], error);
    for (int64_t i = 0; i < ids->count && status == CRD_OK; i++) {
        char buffer[CRD_ID_SIZE];
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        else status = crd_ids_add(&all, crd_ids_text(ids, i, buffer), error);
    }
    if (status != CRD_OK) {
        crd_ids_free(&all);
        return status;
    }
    crd_ids_free(ids);
    *ids = all;
    return CRD_OK;
}

/* Whether a name is the number of a node (then in *number), another number, or no number. Digits that crd_id_number
 * rejects ("007", or too many of them) are a name. */
enum { NODE_NUMBER, OTHER_NUMBER, NO_NUMBER };
static int kind_of_name(const char *name, int64_t *number)
{
    double value;
    int64_t whole;
    if (crd_id_number(name, number)) return NODE_NUMBER;
    bool digits = name[0] >= '0' && name[0] <= '9' && crd_parse_int64(name, &whole);
    if (digits || !crd_parse_double(name, &value)) return NO_NUMBER;
    if (!(value >= 0 && value <= 1e15 && value == floor(value) && !signbit(value))) return OTHER_NUMBER;
    *number = (int64_t)value;
    return NODE_NUMBER;
}

crd_status crd_ids_settle(crd_ids *ids, int64_t *wrong, crd_error *error)
{
    int64_t distinct = crd_name_index_count(ids->names), of_kind[3] = {0};
    int64_t *number;
    *wrong = -1;
    if (ids->names == NULL) return CRD_OK;
    crd_status status = CRD_NEW(&number, distinct, error);
    if (status != CRD_OK) return status;
    for (int64_t n = 0; n < distinct && of_kind[NO_NUMBER] == 0; n++)
        of_kind[kind_of_name(crd_name_index_name(ids->names, n), &number[n])]++;
    if (of_kind[NODE_NUMBER] == distinct) {
        for (int64_t i = 0; i < ids->count; i++) ids->token[i] = number[ids->token[i]];
        crd_name_index_free(&ids->names);
    } else if (of_kind[NO_NUMBER] == 0 && of_kind[NODE_NUMBER] > 0) {
        do ++*wrong;
        while (kind_of_name(crd_name_index_name(ids->names, ids->token[*wrong]), number) == NODE_NUMBER);
    }
    crd_free(number);
    return CRD_OK;
}

bool crd_ids_have_name(const crd_ids *ids, const char *name)
{
    return crd_name_index_find(ids->names, name) >= 0;
}

int64_t crd_ids_distinct(const crd_ids *ids)
{
    return ids->names != NULL ? crd_name_index_count(ids->names) : ids->count;
}

const char *crd_ids_distinct_text(const crd_ids *ids, int64_t index, char buffer[CRD_ID_SIZE])
{
    return ids->names != NULL ? crd_name_index_name(ids->names, index) : crd_ids_text(ids, index, buffer);
}

void crd_ids_drop_waiting(crd_ids *ids)
{
    crd_string_free(&ids->waiting[0]);
    crd_string_free(&ids->waiting[1]);
}

void crd_ids_free(crd_ids *ids)
{
    crd_free(ids->token);
    crd_name_index_free(&ids->names);
    crd_ids_drop_waiting(ids);
    *ids = (crd_ids){0};
}
