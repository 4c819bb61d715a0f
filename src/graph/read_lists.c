/* SPDX-License-Identifier: MIT */
/* Node features as a JSON object of lists, as the MUSAE datasets have them: {"0": [5, 12], "1": []}. Each node has a
 * list of the features that are 1. A tree of all numbers would take many times the memory of the text, so the text is
 * read in one go. */
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/watch.h"
#include "graph/raw.h"

typedef struct lists {
    const char *file;
    uint8_t *bytes;
    size_t size, at;
    crd_name_index *keys;
    int64_t *start; /* of each list, and the end of the last */
    int64_t start_capacity;
    int32_t *item;
    int64_t item_capacity;
    int64_t largest;
} lists;

/* ---- JSON ---- */

static crd_status refuse(const lists *l, const char *expected, crd_error *error)
{
    long long line = 1;
    char found[24] = "";
    for (size_t i = 0; i < l->at; i++) line += l->bytes[i] == '\n';
    for (size_t i = 0; i + 1 < sizeof found && l->at + i < l->size && l->bytes[l->at + i] > ' '; i++)
        found[i] = (char)l->bytes[l->at + i];
    if (l->at == l->size)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld: expected %s, but the file ends", l->file, line,
                        expected);
    return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld: expected %s, found '%s'", l->file, line, expected,
                    found);
}

/* The next character that is not a blank; 0 at the end. */
static uint8_t next(lists *l)
{
    while (l->at < l->size && crd_is_blank((char)l->bytes[l->at])) l->at++;
    return l->at < l->size ? l->bytes[l->at] : 0;
}

static bool take(lists *l, uint8_t c)
{
    if (next(l) != c) return false;
    l->at++;
    return true;
}

static bool take_hex(lists *l, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++, l->at++) {
        const uint8_t c = l->at < l->size ? l->bytes[l->at] : 0;
        const bool digit = c >= '0' && c <= '9', letter = (c | 32) >= 'a' && (c | 32) <= 'f';
        if (!digit && !letter) return false;
        *code = *code * 16 + (uint32_t)(digit ? c - '0' : (c | 32) - 'a' + 10);
    }
    return true;
}

static size_t put_utf8(uint32_t code, uint8_t *to)
{
    if (code < 0x80) {
        to[0] = (uint8_t)code;
        return 1;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint8_t lead[] = {0, 0xc0, 0xe0, 0xf0};
    to[0] = (uint8_t)(lead[more] | code >> 6 * more);
    for (int i = 1; i <= more; i++) to[i] = (uint8_t)(0x80 | (code >> 6 * (more - i) & 0x3f));
    return (size_t)more + 1;
}

/* What follows a backslash. It is never longer than it was written. */
static bool take_escape(lists *l, uint8_t *to, size_t *length)
{
    static const char signs[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    const uint8_t c = l->at < l->size ? l->bytes[l->at++] : 0;
    const char *sign = c != 0 ? strchr(signs, c) : NULL;
    uint32_t code, low;
    if (sign != NULL) {
        to[(*length)++] = (uint8_t)means[sign - signs];
        return true;
    }
    if (c != 'u' || !take_hex(l, &code) || code == 0) return false;
    if (code >= 0xd800 && code < 0xe000) {
        if (code >= 0xdc00 || l->size - l->at < 6 || l->bytes[l->at] != '\\' || l->bytes[l->at + 1] != 'u')
            return false;
        l->at += 2;
        if (!take_hex(l, &low) || low < 0xdc00 || low >= 0xe000) return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    *length += put_utf8(code, to + *length);
    return true;
}

/* A string, written out over itself. */
static crd_status take_string(lists *l, const char **string, crd_error *error)
{
    const char *expected = "the name of a node in quotes";
    if (next(l) != '"') return refuse(l, expected, error);
    const size_t begin = l->at;
    uint8_t *to = l->bytes + ++l->at;
    size_t length = 0;
    *string = (const char *)to;
    while (l->at < l->size && l->bytes[l->at] >= ' ') {
        const uint8_t c = l->bytes[l->at++];
        if (c == '"') {
            to[length] = '\0';
            return CRD_OK;
        }
        if (c != '\\') to[length++] = c;
        else if (!take_escape(l, to, &length)) break;
    }
    l->at = begin;
    return refuse(l, expected, error);
}

/* A whole number without a sign. */
static crd_status take_feature(lists *l, int32_t *feature, crd_error *error)
{
    int64_t number = 0;
    (void)next(l);
    const size_t begin = l->at;
    while (l->at < l->size && l->bytes[l->at] >= '0' && l->bytes[l->at] <= '9' && number <= CRD_MAX_FEATURES)
        number = number * 10 + (l->bytes[l->at++] - '0');
    const uint8_t after = next(l);
    const bool ends = after == ',' || after == ']' || after == 0;
    *feature = (int32_t)number;
    if (l->at > begin && ends && number < CRD_MAX_FEATURES) return CRD_OK;
    l->at = begin;
    return refuse(l, "the number of a feature, from 0", error);
}

static crd_status take_list(lists *l, crd_error *error)
{
    const int64_t list = crd_name_index_count(l->keys) - 1;
    crd_status status = CRD_GROW(&l->start, &l->start_capacity, list + 2, error);
    if (status != CRD_OK) return status;
    int64_t count = list == 0 ? 0 : l->start[list];
    l->start[list] = count;
    if (!take(l, '[')) return refuse(l, "the list of a node's features, such as [5, 12]", error);
    for (bool more = !take(l, ']'); more && status == CRD_OK;) {
        status = CRD_GROW(&l->item, &l->item_capacity, count + 1, error);
        if (status == CRD_OK) status = take_feature(l, &l->item[count], error);
        if (status != CRD_OK) return status;
        if (l->item[count] > l->largest) l->largest = l->item[count];
        if (crd_watch_at(count++)) return crd_watch_stopped(error);
        more = take(l, ',');
        if (!more && !take(l, ']')) status = refuse(l, "',' or ']' after the number of a feature", error);
    }
    l->start[list + 1] = count;
    return status;
}

static crd_status take_node(lists *l, crd_error *error)
{
    const char *key = "";
    int64_t number;
    const int64_t count = crd_name_index_count(l->keys);
    crd_status status = take_string(l, &key, error);
    if (status == CRD_OK) status = crd_name_index_add(l->keys, key, &number, error);
    if (status == CRD_OK && number < count)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: node '%.60s' has two lists", l->file, key);
    if (status == CRD_OK && count == CRD_MAX_NODES)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: more than %lld nodes", l->file, (long long)CRD_MAX_NODES);
    if (status == CRD_OK && !take(l, ':')) return refuse(l, "':' after the name of a node", error);
    return status == CRD_OK ? take_list(l, error) : status;
}

static crd_status take_object(lists *l, crd_error *error)
{
    crd_status status = CRD_OK;
    if (l->size >= 3 && memcmp(l->bytes, "\xef\xbb\xbf", 3) == 0) l->at = 3;
    if (!take(l, '{')) return refuse(l, "an object of lists, such as {\"0\": [5, 12]}", error);
    for (bool more = !take(l, '}'); more && status == CRD_OK;) {
        status = take_node(l, error);
        more = status == CRD_OK && take(l, ',');
        if (status == CRD_OK && !more && !take(l, '}')) status = refuse(l, "',' or '}' after a list", error);
    }
    if (status == CRD_OK && (next(l) != 0 || l->at < l->size)) status = refuse(l, "the end of the file", error);
    if (status == CRD_OK && crd_name_index_count(l->keys) == 0)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%.250s: there are no nodes, expected a list for each", l->file);
    return status;
}

/* ---- features ---- */

/* The list of each row: in the order of the nodes' numbers if the keys are all the numbers from 0. Else the keys are
 * names, in their order, and *named is set. */
static crd_status order_rows(const lists *l, int64_t *list_of, bool *named, crd_error *error)
{
    const int64_t rows = crd_name_index_count(l->keys);
    for (int64_t r = 0; r < rows; r++) list_of[r] = -1;
    for (int64_t k = 0; k < rows; k++) {
        int64_t node;
        if (crd_watch_at(k)) return crd_watch_stopped(error);
        *named = *named || !crd_id_number(crd_name_index_name(l->keys, k), &node) || node >= rows;
        if (!*named) list_of[node] = k;
    }
    for (int64_t r = 0; r < rows && *named; r++) list_of[r] = r;
    return CRD_OK;
}

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Some files have a feature twice in a list, which means no more than once. */
static crd_status fill_rows(const lists *l, const int64_t *list_of, crd_features *m, crd_error *error)
{
    int64_t at = 0;
    for (int64_t r = 0; r < m->rows; r++) {
        if (crd_watch_at(r)) return crd_watch_stopped(error);
        const int64_t count = l->start[list_of[r] + 1] - l->start[list_of[r]], begin = at;
        if (count > 0) qsort(l->item + l->start[list_of[r]], (size_t)count, sizeof *l->item, by_number);
        for (int64_t i = 0; i < count; i++) {
            const int32_t feature = l->item[l->start[list_of[r]] + i];
            if (at > begin && m->column[at - 1] == feature) continue;
            m->column[at] = feature;
            m->value[at++] = 1.0f;
        }
        m->start[r + 1] = at;
    }
    return CRD_OK;
}

static crd_status make_features(lists *l, crd_raw_features *features, crd_error *error)
{
    const int64_t rows = crd_name_index_count(l->keys), entries = l->start[rows];
    int64_t *list_of = NULL;
    bool named = false;
    crd_status status = crd_check_columns(features->file, l->largest + 1, rows, entries, error);
    if (status == CRD_OK) status = CRD_NEW(&list_of, rows, error);
    if (status == CRD_OK) status = order_rows(l, list_of, &named, error);
    if (status == CRD_OK) status = crd_features_new_sparse(rows, l->largest + 1, entries, &features->matrix, error);
    if (status == CRD_OK) status = fill_rows(l, list_of, &features->matrix, error);
    if (status == CRD_OK && named) status = CRD_NEW_ZERO(&features->row_names, rows, error);
    for (int64_t r = 0; r < rows && named && status == CRD_OK; r++)
        status = crd_copy_string(&features->row_names[r], crd_name_index_name(l->keys, r), error);
    crd_free(list_of);
    return status;
}

crd_status crd_read_feature_lists(crd_source *source, crd_raw *raw, crd_error *error)
{
    lists l = {.file = crd_source_name(source), .largest = -1};
    crd_status status = crd_copy_string(&raw->features.file, l.file, error);
    if (status == CRD_OK) status = crd_name_index_new(&l.keys, error);
    if (status == CRD_OK) status = crd_source_read_all(source, &l.bytes, &l.size, error);
    if (status == CRD_OK) status = take_object(&l, error);
    if (status == CRD_OK) status = make_features(&l, &raw->features, error);
    crd_name_index_free(&l.keys);
    crd_free(l.start);
    crd_free(l.item);
    crd_free(l.bytes);
    return status;
}
