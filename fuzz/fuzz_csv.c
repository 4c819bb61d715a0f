/* SPDX-License-Identifier: MIT */
/* CSV: row by row, and as a matrix. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "graph/raw.h"
#include "io/source.h"

static crd_status use_row(crd_csv *csv, void *state, crd_error *error)
{
    int64_t *line = state;
    (void)error;
    if (csv->count < 1 || csv->line <= *line) abort();
    *line = csv->line;
    for (int64_t f = 0; f < csv->count; f++) {
        int64_t whole;
        double number;
        if (crd_parse_int64(csv->field[f], &whole) && !crd_parse_double(csv->field[f], &number)) abort();
        (void)crd_is_missing(csv->field[f]);
        memset(csv->field[f], 'x', strlen(csv->field[f])); /* fields are writable */
    }
    return CRD_OK;
}

static void read_rows(const uint8_t *data, size_t size)
{
    crd_csv csv = {0};
    int64_t line = 0;
    if (crd_source_memory(data, size, "fuzz.csv", &csv.source, NULL) != CRD_OK) return;
    (void)crd_csv_each(&csv, use_row, &line, NULL);
    crd_source_free(&csv.source);
}

static void read_matrix(const uint8_t *data, size_t size)
{
    crd_source *source = NULL;
    crd_raw raw;
    const crd_features *matrix = &raw.features.matrix;
    const uint8_t *bytes;
    size_t got;
    if (crd_source_memory(data, size, "fuzz.csv", &source, NULL) != CRD_OK) return;
    crd_raw_start(&raw, "fuzz");
    bool array = crd_source_peek(source, 6, &bytes, &got, NULL) == CRD_OK && crd_is_npy(bytes, got);
    if (crd_read_source(source, CRD_PART_FEATURES, &raw, NULL) == CRD_OK && !array && matrix->dense != NULL) {
        if (matrix->rows < 1 || matrix->columns < 1) abort();
        for (int64_t i = 0; i < matrix->rows * matrix->columns; i++)
            if (!isfinite(matrix->dense[i])) abort();
        for (int64_t r = 0; raw.features.row_names != NULL && r < matrix->rows; r++)
            if (strlen(raw.features.row_names[r]) > size) abort();
    }
    crd_raw_free(&raw);
    crd_source_free(&source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_rows(data, size);
    read_matrix(data, size);
    return 0;
}

void crd_fuzz_seeds(void (*add)(const uint8_t *data, size_t size))
{
    static const char *const seeds[] = {
        "node,f0,f1\n7,1.5,-2e3\n3,.25,4\n",     "0.12345678901234567890\t1e-300\r\n17976931348623157e292\t-0\r\n",
        "# an edge list\n0 1\n1 2\n 2   0 \n\n", "\"a \"\"b\"\"\";\"c\nd\n\ne\"; f\n1;2;3\n",
        "label\nNeural Networks\nNA\n?\n",       "\xef\xbb\xbfname,x\n\"p,q\",1\nr,2\n",
    };
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) add((const uint8_t *)seeds[i], strlen(seeds[i]));
}
