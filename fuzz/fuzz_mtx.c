/* SPDX-License-Identifier: MIT */
/* Matrix Market. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "io/text_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    crd_source *source = NULL;
    crd_triplets t;
    if (crd_source_memory(data, size, "fuzz.mtx", &source, NULL) != CRD_OK) return 0;
    if (crd_mtx_read(source, &t, NULL) == CRD_OK) {
        for (int64_t i = 0; i < t.count; i++) {
            if (t.row[i] < 0 || t.row[i] >= t.rows || t.column[i] < 0 || t.column[i] >= t.columns) abort();
            if (t.value != NULL && (!isfinite(t.value[i]) || t.value[i] == 0.0f)) abort();
        }
        crd_triplets_free(&t);
    }
    crd_source_free(&source);
    return 0;
}

void crd_fuzz_seeds(void (*add)(const uint8_t *data, size_t size))
{
    static const char *const seeds[] = {
        "%%MatrixMarket matrix coordinate real general\n% comment\n3 4 3\n3 1 2.5\n1 4 -1e2\n3 1 1\n",
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 3\n3 2\n",
        "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 4\n",
        "%%MatrixMarket matrix array real general\n2 3\n1\n2\n0\n4\n5 6\n",
        "%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n",
        "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n",
    };
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) add((const uint8_t *)seeds[i], strlen(seeds[i]));
}
