/* SPDX-License-Identifier: MIT */
/* Columns of a table that are not just numbers. Each becomes one feature or several:
 *     a number         itself
 *     true and false   1 and 0
 *     a date           days since 1970-01-01
 *     another text     a feature "column=value" for every value that occurs, 1 or 0; in the order of their bytes
 * Where a value is missing, a text has only zeros; the others have the mean of the column, and a feature "column is
 * missing" is 1. credence/_table.py encodes the frames of pandas in the same way. */
#ifndef CRD_GRAPH_ENCODE_H
#define CRD_GRAPH_ENCODE_H

#include "graph/raw.h"

/* The first value that is there decides, and the others must be of the same kind. */
typedef enum crd_column_kind { CRD_COLUMN_OPEN, CRD_COLUMN_NUMBER, CRD_COLUMN_DATE, CRD_COLUMN_TEXT } crd_column_kind;

typedef struct crd_column {
    crd_column_kind kind;
    bool named;      /* under a header; else only numbers are allowed */
    bool category;   /* the options say so: every value is a text */
    int64_t line;    /* where the kind was decided */
    int64_t missing; /* how many values */
    crd_name_index *values;
} crd_column;

enum { CRD_MOST_CATEGORIES = 1000 };

/* Reads a field: a number, the days of a date, or the place of a text in column->values; NaN if it is missing. */
crd_status crd_column_read(crd_column *column, const crd_csv *csv, int64_t field, float *value, crd_error *error);
/* Turns what was read, raw->features.matrix with a dense row per node, into features with their names, if any column
 * is not just numbers. Notes say what was done. */
crd_status crd_encode(crd_raw *raw, const crd_column *columns, crd_error *error);
void crd_columns_free(crd_column **columns, int64_t count);

#endif
