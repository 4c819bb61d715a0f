/* SPDX-License-Identifier: MIT */
/* .npz archives: every array of every input is read as numbers and as strings. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "../tests/support/zip_maker.h"
#include "io/archive.h"

static void read_array(crd_archive *bag, const char *name, bool as_strings)
{
    crd_npy npy;
    crd_source *source;
    crd_error error;
    double *numbers = NULL;
    char **strings = NULL;
    if (crd_archive_array(bag, name, &npy, &source, &error) != CRD_OK) return;
    if (as_strings) (void)!crd_npy_read(source, &npy, CRD_NPY_TEXT, &strings, &error);
    else (void)!crd_npy_read(source, &npy, CRD_NPY_F8, &numbers, &error);
    free(numbers);
    crd_strings_free(&strings, npy.count);
    crd_source_free(&source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    crd_archive *bag;
    crd_error error;
    if (crd_archive_open_memory(data, size, "fuzz", &bag, &error) != CRD_OK) return 0;
    for (int64_t i = 0; i < crd_archive_count(bag); i++) {
        const char *name = crd_archive_array_name(bag, i);
        if (!crd_archive_has(bag, name)) abort();
        read_array(bag, name, false);
        read_array(bag, name, true);
    }
    crd_archive_free(&bag);
    return 0;
}

void crd_fuzz_seeds(void (*add)(const uint8_t *data, size_t size))
{
    zip_bytes numbers =
        npy_make("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 1), }\n", "\1\0\0\0\2\0\0\0", 8);
    zip_bytes names = npy_make("{'descr': '<U1', 'fortran_order': False, 'shape': (2,), }\n", "a\0\0\0b\0\0\0", 8);
    zip_bytes zeros = npy_make("{'descr': '|u1', 'fortran_order': False, 'shape': (40,), }\n",
                               "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 40);
    const zip_member members[] = {
        {.name = "labels.npy", .data = numbers.bytes, .size = numbers.size},
        {.name = "names.npy", .data = names.bytes, .size = names.size, .deflate = true},
        {.name = "zeros.npy", .data = zeros.bytes, .size = zeros.size, .deflate = true},
        {.name = "notes.txt", .data = "none", .size = 4},
        {.name = "secret.npy", .data = names.bytes, .size = names.size, .flags = 1},
    };
    const zip_member others[] = {
        {.name = "labels.npy", .data = numbers.bytes, .size = numbers.size, .zip64 = true},
        {.name = "names.npy", .data = names.bytes, .size = names.size, .deflate = true, .descriptor = true},
        {.name = "zeros.npy", .data = zeros.bytes, .size = zeros.size, .deflate = true, .zip64_in_directory = true},
    };
    static const struct {
        bool other, zip64;
        int first, count;
        const char *comment;
    } seeds[] = {{false, false, 0, 1, ""}, {false, false, 1, 1, ""}, {false, false, 0, 5, ""},
                 {false, false, 2, 2, ""}, {false, false, 0, 0, ""}, {true, false, 0, 1, "end"},
                 {true, false, 1, 1, ""},  {true, true, 2, 1, ""},   {true, true, 0, 3, "PK\x05\x06"}};
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        zip_bytes archive = zip_make_ending((seeds[i].other ? others : members) + seeds[i].first, seeds[i].count,
                                            seeds[i].zip64, seeds[i].comment);
        add(archive.bytes, archive.size);
        free(archive.bytes);
    }
    free(numbers.bytes);
    free(names.bytes);
    free(zeros.bytes);
}
