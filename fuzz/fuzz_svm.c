/* SPDX-License-Identifier: MIT */
/* LIBSVM. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "io/text_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    crd_source *source = NULL;
    crd_triplets t;
    if (crd_source_memory(data, size, "fuzz.svm", &source, NULL) != CRD_OK) return 0;
    if (crd_svm_read(source, &t, NULL) == CRD_OK) {
        for (int64_t i = 0; i < t.count; i++) {
            if (t.row[i] < 0 || t.row[i] >= t.rows || t.column[i] < 0 || t.column[i] >= t.columns) abort();
            if (!isfinite(t.value[i]) || t.value[i] == 0.0f) abort();
        }
        for (int64_t r = 0; t.target != NULL && r < t.rows; r++)
            if (!isfinite(t.target[r])) abort();
        crd_triplets_free(&t);
    }
    crd_source_free(&source);
    return 0;
}

void crd_fuzz_seeds(void (*add)(const uint8_t *data, size_t size))
{
    static const char *const seeds[] = {
        "1 1:0.5 3:2\n-1 2:1\n",
        "# head\n+1 0:0.5 3:2 # tail\n2.5 2:1e-3\n\n3\n",
        "1:0.5 3:2\n\n2:1\n",
        "1 2147483647:1 7:0\n",
    };
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) add((const uint8_t *)seeds[i], strlen(seeds[i]));
}
