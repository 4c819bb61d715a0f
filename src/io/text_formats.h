/* Text formats for graphs: CSV and TSV, Matrix Market, LIBSVM. Each reader turns a source into plain arrays that the
 * caller frees; each message names file, line and what was expected. */
#ifndef CRD_IO_TEXT_FORMATS_H
#define CRD_IO_TEXT_FORMATS_H

#include "base/memory.h"
#include "base/numbers.h"
#include "io/source.h"

/* A row-by-row reader of CSV and TSV: comma, tab, semicolon or blanks, found from the first line (if it has none,
 * each row is one field). Fields may be quoted ("" inside is a quote, and line ends may be inside). Blank lines and
 * comments are skipped: before the first row every line that starts with # or %; later only those with a blank after
 * the sign, or with another number of fields than the first row. */
typedef struct crd_csv crd_csv;
crd_status crd_csv_open(crd_source *source, crd_csv **csv, crd_error *error); /* does not own the source */
/* The next row; *fields is NULL at the end. Valid until the next call, and writable. */
crd_status crd_csv_row(crd_csv *csv, char ***fields, int64_t *count, crd_error *error);
int64_t crd_csv_line(const crd_csv *csv); /* of the row last returned */
/* Before the first row: blanks do not separate fields, so that "Neural Networks" is one. */
void crd_csv_join_words(crd_csv *csv);
/* From the next row on, skips the first field: an index that pandas wrote. */
void crd_csv_drop_first(crd_csv *csv);
/* After the first row: whether blanks separate its fields. */
bool crd_csv_has_words(const crd_csv *csv);
/* How many lines were skipped so far: blank ones, and comments after the first row. */
int64_t crd_csv_blank_lines(const crd_csv *csv);
int64_t crd_csv_comments(const crd_csv *csv);
void crd_csv_free(crd_csv **csv);

/* A matrix of floats from CSV. If the first column holds names (its header says node, id or name or is empty, or its
 * first cell is not a number), they are in row_names; else that is NULL. A cell that is missing or not finite is an
 * error. A first column of digits alone may be ids as well as values: then it is in both `row_names` and `values`,
 * `undecided` is set, and the caller, who knows the ids, decides by crd_text_matrix_decide. */
typedef struct crd_text_matrix {
    int64_t rows, columns;
    float *values; /* rows x columns */
    char **row_names;
    bool header; /* the file has one */
    bool undecided;
    bool index_left_out;  /* a nameless first column before one of ids was an index */
    bool unnamed_ids;     /* the header of the names' column is empty */
    bool names_by_header; /* undecided, but the header is a word for ids: account, paper_id, ... */
} crd_text_matrix;
crd_status crd_csv_read_matrix(crd_source *source, crd_text_matrix *matrix, crd_error *error);
/* Removes the first column from the values, or removes the names. */
void crd_text_matrix_decide(crd_text_matrix *matrix, bool names);
void crd_text_matrix_free(crd_text_matrix *matrix);

/* Sparse matrices, in the order of the file: entries may be unsorted and repeated. Zeros that the file
 * spells out are left out, so that an entry of a graph always means an edge. */
typedef struct crd_triplets {
    int64_t rows, columns, count;
    int32_t *row;
    int32_t *column;
    float *value;   /* NULL: all 1 */
    bool symmetric; /* Matrix Market's: each entry also stands for its mirror (already mirrored here) */
    float *target;  /* LIBSVM's leading column, one per row; NULL if there is none */
} crd_triplets;
void crd_triplets_free(crd_triplets *triplets);

/* Matrix Market: coordinate (pattern, integer, real; general, symmetric, skew-symmetric) and array. */
crd_status crd_mtx_read(crd_source *source, crd_triplets *triplets, crd_error *error);
/* LIBSVM / SVMlight: "[target] index:value ...", 1-based unless an index 0 occurs, "# comment" at a
 * line's end. A file without a target column is accepted: in it, a blank line is a row of zeros. */
crd_status crd_svm_read(crd_source *source, crd_triplets *triplets, crd_error *error);

/* Words that people write over the columns of their tables. The case of ASCII letters does not count. */

/* Over node ids and nothing else: node, id, name, ..., or nothing at all (pandas and R leave it empty). */
bool crd_is_node_header(const char *text);
/* Over things that may be nodes: the words above, paper, user, account, index, *_id, paperId, ... */
bool crd_is_thing_header(const char *text);
/* Over one end of an edge: source, target, from, to, ... */
bool crd_is_end_header(const char *text);
/* The words above, and others that may be names as well: u, v, head, tail, sender, receiver, ... */
bool crd_is_possible_end_header(const char *text);
/* Over labels: label, class, y, target, category, topic, type, ... */
bool crd_is_label_header(const char *text);
/* Over a feature: f0, x12, feature_3, ... */
bool crd_is_feature_header(const char *text);

#endif
