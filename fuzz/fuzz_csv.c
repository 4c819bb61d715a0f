/* CSV: row by row, and as a matrix. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "io/text_formats.h"

static void read_rows(const uint8_t *data, size_t size)
{
    crd_source *source = NULL;
    crd_csv *csv = NULL;
    char **fields = NULL;
    int64_t count = 0, line = 0;
    crd_status status = crd_source_memory(data, size, "fuzz.csv", &source, NULL);
    if (status == CRD_OK) status = crd_csv_open(source, &csv, NULL);
    while (status == CRD_OK) {
        status = crd_csv_row(csv, &fields, &count, NULL);
        if (status != CRD_OK || fields == NULL) break;
        if (count < 1 || crd_csv_line(csv) <= line) abort();
        line = crd_csv_line(csv);
        for (int64_t f = 0; f < count; f++) {
            int64_t whole;
            double number;
            if (crd_parse_int64(fields[f], &whole) && !crd_parse_double(fields[f], &number)) abort();
            (void)crd_is_missing(fields[f]);
            memset(fields[f], 'x', strlen(fields[f])); /* fields are writable */
        }
    }
    crd_csv_free(&csv);
    crd_source_free(&source);
}

static void read_matrix(const uint8_t *data, size_t size)
{
    crd_source *source = NULL;
    crd_text_matrix matrix;
    if (crd_source_memory(data, size, "fuzz.csv", &source, NULL) != CRD_OK) return;
    if (crd_csv_read_matrix(source, &matrix, NULL) == CRD_OK) {
        if (matrix.rows < 1 || matrix.columns < 1) abort();
        for (int64_t i = 0; i < matrix.rows * matrix.columns; i++)
            if (!isfinite(matrix.values[i])) abort();
        for (int64_t r = 0; matrix.row_names != NULL && r < matrix.rows; r++)
            if (strlen(matrix.row_names[r]) > size) abort();
        crd_text_matrix_free(&matrix);
    }
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
