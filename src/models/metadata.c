/* SPDX-License-Identifier: MIT */
#include "models/metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "models/model.h"

#define USER "user."
enum { USER_LENGTH = sizeof USER - 1, LONGEST_KEY = 200, MOST_BYTES = 1000000 };

/* ---- the entries of a model ---- */

/* Where the key is, or where it belongs. */
static int64_t place_of(const crd_extras *extras, const char *key, bool *found)
{
    int64_t at = 0;
    while (at < extras->count && strcmp(extras->entry[at].key, key) < 0) at++;
    *found = at < extras->count && strcmp(extras->entry[at].key, key) == 0;
    return at;
}

void crd_extras_free(crd_extras *extras)
{
    for (int64_t i = 0; i < extras->count; i++) {
        crd_free(extras->entry[i].key);
        crd_free(extras->entry[i].value);
    }
    crd_free(extras->entry);
    *extras = (crd_extras){0};
}

static void remove_entry(crd_extras *extras, int64_t at)
{
    crd_free(extras->entry[at].key);
    crd_free(extras->entry[at].value);
    extras->count--;
    memmove(&extras->entry[at], &extras->entry[at + 1], (size_t)(extras->count - at) * sizeof *extras->entry);
}

crd_status crd_extras_set(crd_extras *extras, const char *key, const char *value, crd_error *error)
{
    bool found;
    const int64_t at = place_of(extras, key, &found);
    struct crd_extra made = {NULL, NULL};
    if (value == NULL) {
        if (found) remove_entry(extras, at);
        return CRD_OK;
    }
    crd_status status = crd_copy_string(&made.key, key, error);
    if (status == CRD_OK) status = crd_copy_string(&made.value, value, error);
    if (status == CRD_OK) status = CRD_GROW(&extras->entry, &extras->capacity, extras->count + 1, error);
    if (status != CRD_OK) {
        crd_free(made.key);
        crd_free(made.value);
        return status;
    }
    if (found) remove_entry(extras, at);
    memmove(&extras->entry[at + 1], &extras->entry[at], (size_t)(extras->count - at) * sizeof *extras->entry);
    extras->entry[at] = made;
    extras->count++;
    return CRD_OK;
}

/* ---- digests ---- */

typedef enum role { OTHERS, USERS, OF_FILE /* how the file was written */, OF_MODEL, THE_CHECKSUM } role;

static role role_of(const char *key)
{
    static const struct {
        const char *key;
        role role;
    } table[] = {
        {"format", OF_FILE},         {"format_version", OF_FILE},
        {"version", OF_FILE},        {"model", OF_MODEL},
        {"config", OF_MODEL},        {"classes", OF_MODEL},
        {"seed", OF_MODEL},          {"left_out_classes", OF_MODEL},
        {"preprocessing", OF_MODEL}, {"split", OF_MODEL},
        {"fingerprint", OF_MODEL},   {"training", OF_MODEL},
        {"history", OF_MODEL},       {"pool", OF_MODEL},
        {CRD_METADATA_ID, OF_FILE},  {CRD_METADATA_CHECKSUM, THE_CHECKSUM},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].key, key) == 0) return table[i].role;
    return strncmp(key, USER, USER_LENGTH) == 0 ? USERS : OTHERS;
}

crd_status crd_extras_take(crd_extras *extras, const crd_metadata *list, int count, bool ours, crd_error *error)
{
    crd_status status = CRD_OK;
    for (int i = 0; i < count && status == CRD_OK; i++) {
        const role whose = role_of(list[i].key);
        if (!ours || whose == OTHERS || whose == USERS)
            status = crd_extras_set(extras, list[i].key, list[i].value, error);
    }
    return status;
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(((const crd_metadata *)a)->key, ((const crd_metadata *)b)->key);
}

/* The text as it comes back from a file, where bytes that are not UTF-8 are U+FFFD; its length goes first. */
static void add_text(crd_sha256 *hash, const char *text)
{
    uint64_t size = 0;
    int length;
    for (const char *s = text; *s != '\0'; s += length > 0 ? length : 1)
        size += (length = crd_utf8_length(s)) > 0 ? (uint64_t)length : 3;
    crd_sha256_add_number(hash, size);
    for (const char *s = text; *s != '\0'; s += length > 0 ? length : 1) {
        length = crd_utf8_length(s);
        crd_sha256_add(hash, length > 0 ? s : "\xef\xbf\xbd", length > 0 ? (size_t)length : 3);
    }
}

/* Covers the entries whose roles are bits of `roles`. */
static void hash_of(crd_metadata *list, int count, const uint8_t tensors[CRD_SHA256_BYTES], unsigned roles,
                    char hex[CRD_SHA256_HEX])
{
    crd_sha256 hash;
    qsort(list, (size_t)count, sizeof *list, compare_keys);
    crd_sha256_start(&hash);
    crd_sha256_add(&hash, tensors, CRD_SHA256_BYTES);
    for (int i = 0; i < count; i++) {
        if (list[i].value == NULL || !(roles >> role_of(list[i].key) & 1u)) continue;
        add_text(&hash, list[i].key);
        add_text(&hash, list[i].value);
    }
    crd_sha256_end_hex(&hash, hex);
}

void crd_metadata_id(crd_metadata *list, int count, const uint8_t tensors[CRD_SHA256_BYTES], char hex[CRD_SHA256_HEX])
{
    hash_of(list, count, tensors, 1u << OF_MODEL, hex);
}

void crd_metadata_checksum(crd_metadata *list, int count, const uint8_t tensors[CRD_SHA256_BYTES],
                           char hex[CRD_SHA256_HEX])
{
    hash_of(list, count, tensors, 1u << OF_MODEL | 1u << OF_FILE | 1u << USERS, hex);
}

/* ---- the user's ---- */

static bool is_utf8(const char *text)
{
    int length;
    for (; *text != '\0'; text += length)
        if ((length = crd_utf8_length(text)) == 0) return false;
    return true;
}

/* The user's entries are neighbours, because the keys are sorted; *count says how many there are from `first` on. */
static int64_t users_first(const crd_extras *extras, int64_t *count)
{
    int64_t first = 0, end;
    while (first < extras->count && role_of(extras->entry[first].key) != USERS) first++;
    for (end = first; end < extras->count && role_of(extras->entry[end].key) == USERS;) end++;
    *count = end - first;
    return first;
}

crd_status crd_metadata_check(const char *key, const char *value, size_t others, crd_error *error)
{
    const size_t length = strlen(key), bytes = length + strlen(value) + others;
    if (length == 0 || length > LONGEST_KEY)
        return crd_fail_about(error, CRD_ERROR_ARGUMENT, "metadata", "has a key of %zu bytes, expected 1 to %d", length,
                              (int)LONGEST_KEY);
    if (!is_utf8(key) || !is_utf8(value))
        return crd_fail_about(error, CRD_ERROR_ARGUMENT, "metadata", "is not UTF-8: expected keys and values that are");
    if (bytes > MOST_BYTES)
        return crd_fail_about(error, CRD_ERROR_ARGUMENT, "metadata",
                              "has %zu bytes in all its keys and values, expected at most %d", bytes, (int)MOST_BYTES);
    return CRD_OK;
}

/* The bytes of the user's entries besides this one. */
static size_t bytes_of_others(const crd_extras *extras, const char *key)
{
    int64_t count;
    const int64_t first = users_first(extras, &count);
    size_t bytes = 0;
    for (int64_t i = first; i < first + count; i++) {
        const struct crd_extra *e = &extras->entry[i];
        if (strcmp(e->key + USER_LENGTH, key) != 0) bytes += strlen(e->key + USER_LENGTH) + strlen(e->value);
    }
    return bytes;
}

crd_status crd_model_set_metadata(crd_model *model, const char *key, const char *value, crd_error *error)
{
    if (CRD_ANY_NULL(error, model, key)) return CRD_ERROR_ARGUMENT;
    char whole[USER_LENGTH + LONGEST_KEY + 1];
    crd_extras *extras = &model->extras;
    crd_status status = value != NULL ? crd_metadata_check(key, value, bytes_of_others(extras, key), error) : CRD_OK;
    if (status != CRD_OK || strlen(key) > LONGEST_KEY) return status; /* a key that is too long has no entry */
    snprintf(whole, sizeof whole, USER "%s", key);
    return crd_extras_set(extras, whole, value, error);
}

const char *crd_model_metadata(const crd_model *model, const char *key)
{
    int64_t count;
    if (model == NULL || key == NULL) return NULL;
    const int64_t first = users_first(&model->extras, &count);
    for (int64_t i = first; i < first + count; i++)
        if (strcmp(model->extras.entry[i].key + USER_LENGTH, key) == 0) return model->extras.entry[i].value;
    return NULL;
}

const char *crd_model_metadata_key(const crd_model *model, int index)
{
    int64_t count;
    if (model == NULL) return NULL;
    const int64_t first = users_first(&model->extras, &count);
    return index >= 0 && index < count ? model->extras.entry[first + index].key + USER_LENGTH : NULL;
}
