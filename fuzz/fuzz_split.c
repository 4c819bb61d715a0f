/* SPDX-License-Identifier: MIT */
/* Split files: .npz and rows of node,split, against a small dataset with names. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph/split.h"
#include "io/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int32_t labels[] = {0, 0, 1, 1, 0, 1};
    static const char *const names[] = {"ann", "bob", "7", "d, e", "eve", "fay"};
    const crd_arrays arrays = {.size = sizeof(crd_arrays), .nodes = 6, .labels = labels, .node_names = names};
    crd_dataset *dataset;
    crd_split *split;
    crd_error error;
    if (crd_dataset_from_arrays(&arrays, &dataset, &error) != CRD_OK) return 0;
    if (crd_split_read_memory(dataset, data, size, "fuzz", &split, &error) == CRD_OK)
        for (int64_t i = 0; i < crd_dataset_nodes(dataset); i++)
            if (crd_split_role(split, i) > CRD_ROLE_CALIBRATION) __builtin_trap();
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    return 0;
}

static void add_text(void (*add)(const uint8_t *data, size_t size), const char *text)
{
    add((const uint8_t *)text, strlen(text));
}

/* An archive from our own writer, passed on as bytes. */
static void add_archive(void (*add)(const uint8_t *data, size_t size), bool compress)
{
    static const int64_t train[] = {0, 3}, test[] = {1};
    static const uint8_t mask[] = {0, 0, 0, 0, 1, 0};
    char path[] = "/tmp/credence-fuzz-split-XXXXXX";
    int made = mkstemp(path);
    if (made < 0) return;
    close(made);
    const crd_array arrays[] = {{"train", CRD_NPY_I8, 1, {2}, train},
                                {"val", CRD_NPY_U1, 1, {6}, mask},
                                {"test_idx", CRD_NPY_I8, 1, {1}, test}};
    crd_status status = crd_archive_write(path, compress ? CRD_ARCHIVE_DEFLATED : CRD_ARCHIVE_STORED, arrays, 3, NULL);
    crd_source *source = NULL;
    uint8_t *bytes;
    size_t size;
    if (status == CRD_OK) status = crd_source_open(path, &source, NULL);
    if (status == CRD_OK && crd_source_read_all(source, &bytes, &size, NULL) == CRD_OK) {
        add(bytes, size);
        free(bytes);
    }
    crd_source_free(&source);
    unlink(path);
}

void crd_fuzz_seeds(void (*add)(const uint8_t *data, size_t size))
{
    add_text(add, "node,split\nann,train\nbob,test\n7,train\n\"d, e\",val\neve,none\n");
    add_text(add, "0\ttrain\n1\ttest\n2\tvalidation\n");
    add_text(add, "# comment\n5;valid\n4;train\n");
    add_archive(add, false);
    add_archive(add, true);
}
