/* LIBSVM / SVMlight files: one row a line, an optional target, then index:value pairs. */
#include "base/numbers.h"
#include "io/triplets.h"

typedef enum { UNKNOWN, WITH_TARGET, WITHOUT_TARGET } target_mode;

typedef struct {
    crd_source *source;
    crd_triplets *triplets;
    crd_triplet_room room;
    int64_t target_capacity;
    target_mode mode;
    int64_t blank_lines; /* before the first row that says which mode it is */
    int64_t largest;     /* index; -1 before any */
    bool from_zero;
} reading;

static crd_status fail_at(const reading *r, crd_error *error, const char *expected, const char *found)
{
    return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld: expected %s, found '%.40s'",
                    crd_source_name(r->source), (long long)crd_source_line_number(r->source), expected,
                    found);
}

static bool ends_word(char c)
{
    return c == '\0' || c == '#' || crd_is_blank(c);
}

static crd_status add_rows(reading *r, int64_t count, crd_error *error)
{
    if (count > INT32_MAX - r->triplets->rows)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld: more than %lld rows",
                        crd_source_name(r->source), (long long)crd_source_line_number(r->source),
                        (long long)INT32_MAX);
    r->triplets->rows += count;
    return CRD_OK;
}

/* Reads the target at the cursor if there is one. The first row decides for all. */
static crd_status take_target(reading *r, const char **cursor, crd_error *error)
{
    const char *word = *cursor;
    double number;
    float target;
    bool is_number = crd_scan_double(cursor, &number);
    bool is_pair = is_number && **cursor == ':';
    if (is_pair) *cursor = word;
    if (r->mode == UNKNOWN) {
        r->mode = is_pair ? WITHOUT_TARGET : WITH_TARGET;
        if (is_pair) {
            crd_status status = add_rows(r, r->blank_lines, error);
            if (status != CRD_OK) return status;
        }
    }
    if (r->mode == WITHOUT_TARGET && is_pair) return CRD_OK;
    if (r->mode == WITHOUT_TARGET)
        return fail_at(r, error, "index:value and no target, as in the lines before", word);
    if (is_pair) return fail_at(r, error, "a target before the pairs, as in the lines before", word);
    if (!is_number || !ends_word(**cursor) || !crd_to_float(number, &target))
        return fail_at(r, error, "a number as the target, or index:value", word);
    crd_status status = CRD_GROW(&r->triplets->target, &r->target_capacity, r->triplets->rows + 1, error);
    if (status == CRD_OK) r->triplets->target[r->triplets->rows] = target;
    return status;
}

static crd_status take_pair(reading *r, const char **cursor, crd_error *error)
{
    const char *word = *cursor;
    int64_t index;
    double number;
    float value;
    if (!crd_scan_int64(cursor, &index) || **cursor != ':')
        return fail_at(r, error, "index:value", word);
    if (index < 0 || index > INT32_MAX) return fail_at(r, error, "an index from 0 to 2147483647", word);
    ++*cursor;
    if (!crd_scan_double(cursor, &number) || !ends_word(**cursor) || !crd_to_float(number, &value))
        return fail_at(r, error, "index:value with a finite value", word);
    if (index > r->largest) r->largest = index;
    r->from_zero |= index == 0;
    if (value == 0.0f) return CRD_OK; /* a zero is no entry */
    return crd_triplets_add(r->triplets, &r->room, r->triplets->rows, index, &value, error);
}

static crd_status take_line(reading *r, const char *line, crd_error *error)
{
    const char *cursor = crd_skip_blanks(line);
    if (*cursor == '#') return CRD_OK;
    if (*cursor == '\0') {
        /* Without targets this is a row of zeros; with targets a row is never empty. */
        r->blank_lines += r->mode == UNKNOWN;
        return r->mode == WITHOUT_TARGET ? add_rows(r, 1, error) : CRD_OK;
    }
    crd_status status = take_target(r, &cursor, error);
    for (;;) {
        cursor = crd_skip_blanks(cursor);
        if (status != CRD_OK || *cursor == '\0' || *cursor == '#') break;
        status = take_pair(r, &cursor, error);
    }
    return status == CRD_OK ? add_rows(r, 1, error) : status;
}

/* Indices count from 1 unless one of them is 0, which is known only at the end. */
static crd_status settle_columns(reading *r, crd_error *error)
{
    crd_triplets *t = r->triplets;
    if (r->from_zero && r->largest == INT32_MAX)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: indices count from 0 and reach %lld, one too many",
                        crd_source_name(r->source), (long long)r->largest);
    t->columns = r->from_zero ? r->largest + 1 : r->largest < 0 ? 0 : r->largest;
    if (!r->from_zero)
        for (int64_t i = 0; i < t->count; i++) t->column[i]--;
    return CRD_OK;
}

crd_status crd_svm_read(crd_source *source, crd_triplets *triplets, crd_error *error)
{
    *triplets = (crd_triplets){0};
    reading r = {.source = source, .triplets = triplets, .largest = -1};
    char *line;
    crd_status status;
    do {
        size_t length;
        status = crd_source_line(source, &line, &length, error);
        if (status == CRD_OK && line != NULL) status = take_line(&r, line, error);
    } while (status == CRD_OK && line != NULL);
    if (status == CRD_OK && r.mode == UNKNOWN)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%.250s: expected lines of index:value, found none",
                          crd_source_name(source));
    if (status == CRD_OK) status = settle_columns(&r, error);
    if (status == CRD_OK) crd_triplets_shrink(triplets);
    else crd_triplets_free(triplets);
    return status;
}
