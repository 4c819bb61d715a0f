/* SPDX-License-Identifier: MIT */
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
typedef struct crd_csv {
    crd_source *source; /* set this and perhaps the next one; the rest is zero at first */
    bool join_words;    /* blanks do not separate fields, so that "Neural Networks" is one */

    /* The row that was read last. Its fields are writable and valid until the next row. */
    char **field;
    int64_t count;
    int64_t row;  /* from 0 */
    int64_t line; /* where it begins, from 1 */

    bool stop; /* set this to read no further */

    /* What was found so far. */
    char separator;      /* ' ': any run of blanks; '\n': a row is one field; '\0': before the first row */
    int64_t columns;     /* of the first row; 0 before it */
    int64_t blank_lines; /* skipped */
    int64_t comments;    /* skipped after the first row */

    /* The reader's own. */
    bool first_dropped;
    char *joined; /* a row that spans several lines */
    int64_t joined_capacity;
    int64_t *offset; /* where each field begins: the text may still move during the cutting */
    int64_t offset_capacity;
    char **place;
    int64_t place_capacity;
} crd_csv;

/* Calls `take` for every row until it fails. Afterwards the counts above can still be read. */
typedef crd_status (*crd_csv_taker)(crd_csv *csv, void *state, crd_error *error);
crd_status crd_csv_each(crd_csv *csv, crd_csv_taker take, void *state, crd_error *error);
/* Drops the first field of this row and of all later ones: an index that pandas wrote. */
void crd_csv_drop_first(crd_csv *csv);

/* Sparse matrices, in the order of the file: entries may be unsorted and repeated. Zeros that the file
 * spells out are left out, so that an entry of a graph always means an edge. The mirrored entries of a
 * symmetric matrix are there. */
typedef struct crd_triplets {
    int64_t rows, columns, count;
    int32_t *row;
    int32_t *column;
    float *value;  /* NULL: all 1 */
    float *target; /* LIBSVM's leading column, one per row; NULL if there is none */
} crd_triplets;
void crd_triplets_free(crd_triplets *triplets);

/* Matrix Market: coordinate (pattern, integer, real; general, symmetric, skew-symmetric) and array. */
crd_status crd_mtx_read(crd_source *source, crd_triplets *triplets, crd_error *error);
/* LIBSVM / SVMlight: "[target] index:value ...", 1-based unless an index 0 occurs, "# comment" at a
 * line's end. A file without a target column is accepted: in it, a blank line is a row of zeros. */
crd_status crd_svm_read(crd_source *source, crd_triplets *triplets, crd_error *error);

/* Words that people write over the columns of their tables. The case of ASCII letters does not count. */
enum {
    CRD_WORD_NODE = 1,  /* node ids and nothing else: node, id, name, ...; empty (pandas and R leave it so) */
    CRD_WORD_ID = 2,    /* things that may be nodes: the words above, paper, user, index, *_id, paperId, ... */
    CRD_WORD_END = 4,   /* one end of an edge: source, target, from, to, ... */
    CRD_WORD_LABEL = 8, /* labels: label, class, y, target, category, topic, type, ... */
    CRD_WORD_LIST = 16, /* a list of names of nodes or classes: name, node, class, ... */
    CRD_WORD_VALUE = 32 /* a feature: f0, x12, feature_3, ... */
};
/* All that a word may be over; 0 if it is not known. */
unsigned crd_header_word(const char *text);

#endif
