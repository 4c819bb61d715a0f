/* SPDX-License-Identifier: MIT */
/* Sparse matrices in text: Matrix Market and LIBSVM. */
#include <stdio.h>
#include <stdlib.h>

#include "base/numbers.h"
#include "io/text_formats.h"

/* ---- entries ---- */

/* How many entries the arrays have room for; zero-initialise. */
typedef struct triplet_room {
    int64_t row, column, value;
} triplet_room;

void crd_triplets_free(crd_triplets *triplets)
{
    crd_free(triplets->row);
    crd_free(triplets->column);
    crd_free(triplets->value);
    crd_free(triplets->target);
    *triplets = (crd_triplets){0};
}

static crd_status append(crd_triplets *triplets, triplet_room *room, int64_t row, int64_t column, const float *value,
                         crd_error *error)
{
    int64_t at = triplets->count;
    crd_status status = CRD_GROW(&triplets->row, &room->row, at + 1, error);
    if (status == CRD_OK) status = CRD_GROW(&triplets->column, &room->column, at + 1, error);
    if (status == CRD_OK && value != NULL) status = CRD_GROW(&triplets->value, &room->value, at + 1, error);
    if (status != CRD_OK) return status;
    triplets->row[at] = (int32_t)row;
    triplets->column[at] = (int32_t)column;
    if (value != NULL) triplets->value[at] = *value;
    triplets->count++;
    return CRD_OK;
}

static void shrink(crd_triplets *triplets)
{
    CRD_SHRINK(&triplets->row, triplets->count);
    CRD_SHRINK(&triplets->column, triplets->count);
    CRD_SHRINK(&triplets->value, triplets->count);
    CRD_SHRINK(&triplets->target, triplets->rows);
}

static crd_status refuse(const crd_source *source, crd_error *error, const char *expected, const char *found)
{
    return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld: expected %s, found '%.40s'", crd_source_name(source),
                    (long long)crd_source_line_number(source), expected, found);
}

/* Whether a word ends here; the cursor moves to the next one. LIBSVM has comments after a '#'. */
static bool end_word(const char **cursor)
{
    const bool ended = **cursor == '\0' || **cursor == '#' || crd_is_blank(**cursor);
    *cursor = crd_skip_blanks(*cursor);
    return ended;
}

static bool scan_integer(const char **cursor, int64_t *value)
{
    return crd_scan_int64(cursor, value) && end_word(cursor);
}

static bool scan_value(const char **cursor, float *value)
{
    double number;
    return crd_scan_double(cursor, &number) && crd_to_float(number, value) && end_word(cursor);
}

/* ---- Matrix Market: a banner, comments, a line of sizes, then one entry per line (coordinate) or the values column by
 * column (array) ---- */

enum { GENERAL, SYMMETRIC, SKEW };

typedef struct {
    crd_source *source;
    crd_triplets *triplets;
    triplet_room room;
    bool array, pattern;
    int symmetry;
    int64_t declared;    /* entries, or values of an array */
    int64_t taken;       /* how many were read so far */
    int64_t row, column; /* array: where the next value belongs */
} mtx_reading;

/* The words of a banner, in their order; the last one is the symmetry. */
static const struct {
    const char *expected;
    const char *words[3];
} banner[] = {
    {"\"%%MatrixMarket\"", {"%%matrixmarket"}},
    {"\"matrix\"", {"matrix"}},
    {"\"coordinate\" or \"array\"", {"coordinate", "array"}},
    {"\"pattern\", \"integer\" or \"real\" values", {"pattern", "integer", "real"}},
    {"\"general\", \"symmetric\" or \"skew-symmetric\"", {"general", "symmetric", "skew-symmetric"}},
};
enum { BANNER_WORDS = sizeof banner / sizeof *banner };

static crd_status read_banner(mtx_reading *r, crd_error *error)
{
    char *line;
    size_t length;
    int chosen[BANNER_WORDS];
    char word[BANNER_WORDS][32] = {""};
    crd_status status = crd_source_line(r->source, &line, &length, error);
    if (status != CRD_OK) return status;
    if (line == NULL)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: expected a Matrix Market file, found an empty one",
                        crd_source_name(r->source));
    sscanf(line, "%31s%31s%31s%31s%31s", word[0], word[1], word[2], word[3], word[4]);
    for (int b = 0; b < BANNER_WORDS; b++) {
        const char *const *words = banner[b].words;
        int choice = 0;
        while (choice < 3 && (words[choice] == NULL || !crd_is_word(word[b], words[choice]))) choice++;
        if (choice == 3) return refuse(r->source, error, banner[b].expected, word[b]);
        chosen[b] = choice;
    }
    r->array = chosen[2] == 1;
    r->pattern = chosen[3] == 0;
    r->symmetry = chosen[4];
    if (r->pattern && r->array) return refuse(r->source, error, "values in an array", "pattern");
    if (r->pattern && r->symmetry == SKEW)
        return refuse(r->source, error, "\"general\" or \"symmetric\" for a pattern", "skew-symmetric");
    return CRD_OK;
}

/* The next line that is neither blank nor a comment; NULL at the end. */
static crd_status next_line(mtx_reading *r, char **line, crd_error *error)
{
    size_t length;
    crd_status status;
    do status = crd_source_line(r->source, line, &length, error);
    while (status == CRD_OK && *line != NULL && (**line == '%' || *crd_skip_blanks(*line) == '\0'));
    return status;
}

/* The first row that an array gives of this column; a symmetric one has only those from the diagonal down. */
static int64_t first_row(const mtx_reading *r)
{
    return r->symmetry == GENERAL ? 0 : r->symmetry == SYMMETRIC ? r->column : r->column + 1;
}

static crd_status read_sizes(mtx_reading *r, crd_error *error)
{
    char *line;
    crd_status status = next_line(r, &line, error);
    if (status != CRD_OK) return status;
    const char *expected = r->array ? "the sizes \"rows columns\", none above 2147483647"
                                    : "the sizes \"rows columns entries\", rows and columns up to 2147483647";
    if (line == NULL)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: expected %s, found the file's end",
                        crd_source_name(r->source), expected);
    int64_t size[3] = {0, 0, 0};
    const char *cursor = crd_skip_blanks(line);
    bool good = true;
    for (int i = 0; i < (r->array ? 2 : 3) && good; i++)
        good = scan_integer(&cursor, &size[i]) && size[i] >= 0 && (i == 2 || size[i] <= INT32_MAX);
    if (!good || *cursor != '\0') return refuse(r->source, error, expected, line);
    if (r->symmetry != GENERAL && size[0] != size[1])
        return refuse(r->source, error, "as many columns as rows in a symmetric matrix", line);
    r->triplets->rows = size[0];
    r->triplets->columns = size[1];
    r->declared = size[2];
    if (r->array) { /* two sizes below 2^31: the product fits */
        if (r->symmetry == GENERAL) r->declared = size[0] * size[1];
        else r->declared = size[0] * (size[0] + (r->symmetry == SYMMETRIC ? 1 : -1)) / 2;
        r->row = first_row(r);
    }
    /* Code that turns entries into rows needs memory for every declared row. Real matrices have about as many
     * entries as rows; a short file that declares billions is damaged or hostile. */
    if (size[0] <= (1 << 20) || size[0] / 1000 <= r->declared) return CRD_OK;
    return crd_fail(error, CRD_ERROR_FORMAT,
                    "%.250s: declares %lld rows for %lld entries, which is out of all proportion",
                    crd_source_name(r->source), (long long)size[0], (long long)r->declared);
}

/* Counts a value of the file; adds it and its mirror, unless it is zero. */
static crd_status add_entry(mtx_reading *r, int64_t row, int64_t column, float value, crd_error *error)
{
    if (r->taken++ == r->declared)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld: more than the %lld %s that the sizes declare",
                        crd_source_name(r->source), (long long)crd_source_line_number(r->source),
                        (long long)r->declared, r->array ? "values" : "entries");
    if (value == 0.0f) return CRD_OK;
    float mirrored = r->symmetry == SKEW ? -value : value;
    const float *stored = r->pattern ? NULL : &value;
    crd_status status = append(r->triplets, &r->room, row, column, stored, error);
    if (status != CRD_OK || r->symmetry == GENERAL || row == column) return status;
    stored = r->pattern ? NULL : &mirrored;
    return append(r->triplets, &r->room, column, row, stored, error);
}

static crd_status take_entry(mtx_reading *r, const char *line, crd_error *error)
{
    int64_t row, column;
    float value = 1.0f;
    const char *cursor = crd_skip_blanks(line);
    const bool good = scan_integer(&cursor, &row) && scan_integer(&cursor, &column) &&
                      (r->pattern || scan_value(&cursor, &value)) && *cursor == '\0';
    const char *expected = r->pattern ? "\"row column\"" : "\"row column value\" with a finite value";
    if (!good) return refuse(r->source, error, expected, line);
    if (row < 1 || row > r->triplets->rows || column < 1 || column > r->triplets->columns)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%.250s: line %lld: entry (%lld, %lld) is outside the declared %lld rows and %lld "
                        "columns",
                        crd_source_name(r->source), (long long)crd_source_line_number(r->source), (long long)row,
                        (long long)column, (long long)r->triplets->rows, (long long)r->triplets->columns);
    if (r->symmetry == SKEW && row == column && value != 0.0f)
        return refuse(r->source, error, "no entry on the diagonal of a skew-symmetric matrix", line);
    return add_entry(r, row - 1, column - 1, value, error);
}

static crd_status take_values(mtx_reading *r, const char *line, crd_error *error)
{
    for (const char *cursor = crd_skip_blanks(line); *cursor != '\0';) {
        const char *word = cursor;
        float value;
        if (!scan_value(&cursor, &value)) return refuse(r->source, error, "a finite number", word);
        crd_status status = add_entry(r, r->row, r->column, value, error);
        if (status != CRD_OK) return status;
        if (++r->row < r->triplets->rows) continue;
        r->column++;
        r->row = first_row(r);
    }
    return CRD_OK;
}

crd_status crd_mtx_read(crd_source *source, crd_triplets *triplets, crd_error *error)
{
    *triplets = (crd_triplets){0};
    mtx_reading r = {.source = source, .triplets = triplets};
    char *line = NULL;
    crd_status status = read_banner(&r, error);
    if (status == CRD_OK) status = read_sizes(&r, error);
    if (status == CRD_OK) status = next_line(&r, &line, error);
    while (status == CRD_OK && line != NULL) {
        status = r.array ? take_values(&r, line, error) : take_entry(&r, line, error);
        if (status == CRD_OK) status = next_line(&r, &line, error);
    }
    if (status == CRD_OK && r.taken < r.declared)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%.250s: ends after %lld of the %lld %s that its sizes declare",
                          crd_source_name(source), (long long)r.taken, (long long)r.declared,
                          r.array ? "values" : "entries");
    if (status == CRD_OK) shrink(triplets);
    else crd_triplets_free(triplets);
    return status;
}

/* ---- LIBSVM / SVMlight: one row per line, an optional target, then index:value pairs ---- */

typedef enum { UNKNOWN, WITH_TARGET, WITHOUT_TARGET } target_mode;

typedef struct {
    crd_source *source;
    crd_triplets *triplets;
    triplet_room room;
    int64_t target_capacity;
    target_mode mode;
    int64_t largest; /* index; -1 before the first */
    bool from_zero;
} svm_reading;

static crd_status add_row(svm_reading *r, crd_error *error)
{
    if (r->triplets->rows == INT32_MAX)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld: more than %lld rows", crd_source_name(r->source),
                        (long long)crd_source_line_number(r->source), (long long)INT32_MAX);
    r->triplets->rows++;
    return CRD_OK;
}

/* Reads the target at the cursor if there is one. The first row decides for all. */
static crd_status take_target(svm_reading *r, const char **cursor, crd_error *error)
{
    const char *word = *cursor;
    double number;
    float target;
    const bool is_pair = crd_scan_double(cursor, &number) && **cursor == ':';
    const target_mode mode = is_pair ? WITHOUT_TARGET : WITH_TARGET;
    *cursor = word;
    if (r->mode == UNKNOWN) {
        r->mode = mode;
        if (mode == WITH_TARGET) r->triplets->rows = 0; /* the blank lines before were none */
    }
    if (mode != r->mode)
        return refuse(r->source, error,
                      is_pair ? "a target before the pairs, as in the lines before"
                              : "index:value and no target, as in the lines before",
                      word);
    if (is_pair) return CRD_OK;
    if (!scan_value(cursor, &target)) return refuse(r->source, error, "a number as the target, or index:value", word);
    crd_status status = CRD_GROW(&r->triplets->target, &r->target_capacity, r->triplets->rows + 1, error);
    if (status == CRD_OK) r->triplets->target[r->triplets->rows] = target;
    return status;
}

static crd_status take_pair(svm_reading *r, const char **cursor, crd_error *error)
{
    const char *word = *cursor;
    int64_t index;
    float value;
    if (!crd_scan_int64(cursor, &index) || **cursor != ':') return refuse(r->source, error, "index:value", word);
    if (index < 0 || index > INT32_MAX) return refuse(r->source, error, "an index from 0 to 2147483647", word);
    ++*cursor;
    if (!scan_value(cursor, &value)) return refuse(r->source, error, "index:value with a finite value", word);
    if (index > r->largest) r->largest = index;
    r->from_zero |= index == 0;
    if (value == 0.0f) return CRD_OK; /* a zero is not an entry */
    return append(r->triplets, &r->room, r->triplets->rows, index, &value, error);
}

static crd_status take_line(svm_reading *r, const char *line, crd_error *error)
{
    const char *cursor = crd_skip_blanks(line);
    if (*cursor == '#') return CRD_OK;
    /* Without targets a blank line is a row of zeros; with targets a row is never empty. */
    if (*cursor == '\0') return r->mode == WITH_TARGET ? CRD_OK : add_row(r, error);
    crd_status status = take_target(r, &cursor, error);
    while (status == CRD_OK && *cursor != '\0' && *cursor != '#') status = take_pair(r, &cursor, error);
    return status == CRD_OK ? add_row(r, error) : status;
}

crd_status crd_svm_read(crd_source *source, crd_triplets *triplets, crd_error *error)
{
    *triplets = (crd_triplets){0};
    svm_reading r = {.source = source, .triplets = triplets, .largest = -1};
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
    /* Indices count from 1 unless one of them is 0, which is known only at the end. */
    if (status == CRD_OK && r.from_zero && r.largest == INT32_MAX)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%.250s: indices count from 0 and reach %lld, one too many",
                          crd_source_name(source), (long long)r.largest);
    triplets->columns = r.from_zero ? r.largest + 1 : r.largest < 0 ? 0 : r.largest;
    for (int64_t i = 0; !r.from_zero && i < triplets->count; i++) triplets->column[i]--;
    if (status == CRD_OK) shrink(triplets);
    else crd_triplets_free(triplets);
    return status;
}
