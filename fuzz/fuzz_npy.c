/* SPDX-License-Identifier: MIT */
/* .npy arrays (and gzip, which sources unpack): every input is read in every way. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "../tests/support/zip_maker.h"
#include "io/npy.h"

static void read_items(crd_source *source, const crd_npy *npy, crd_npy_type type)
{
    void *items;
    (void)!crd_npy_read(source, npy, type, &items, NULL);
    if (type == CRD_NPY_TEXT) crd_strings_free((char ***)&items, npy->count);
    else free(items);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int type = CRD_NPY_U1; type <= CRD_NPY_TEXT; type++) {
        crd_source *source;
        crd_npy npy;
        crd_error error;
        char text[64];
        if (crd_source_memory(data, size, "fuzz", &source, &error) != CRD_OK) continue;
        if (crd_npy_header(source, &npy, &error) == CRD_OK) {
            crd_npy_describe(&npy, text, sizeof text);
            read_items(source, &npy, (crd_npy_type)type);
        }
        crd_source_free(&source);
    }
    return 0;
}

static void add_array(void (*add)(const uint8_t *data, size_t size), const char *dictionary, const void *items,
                      size_t size)
{
    zip_bytes npy = npy_make(dictionary, items, size);
    add(npy.bytes, npy.size);
    free(npy.bytes);
}

static void add_gzip(void (*add)(const uint8_t *data, size_t size))
{
    zip_bytes npy = npy_make("{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }\n", "\1\2\3", 3);
    uint8_t packed[512];
    z_stream stream = {0};
    if (deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK) {
        stream.next_in = npy.bytes;
        stream.avail_in = (uInt)npy.size;
        stream.next_out = packed;
        stream.avail_out = sizeof packed;
        deflate(&stream, Z_FINISH);
        add(packed, sizeof packed - stream.avail_out);
        deflateEnd(&stream);
    }
    free(npy.bytes);
}

void crd_fuzz_seeds(void (*add)(const uint8_t *data, size_t size))
{
    static const char items[] = "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x40";
    add_array(add, "{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }\n", items, 24);
    add_array(add, "{'descr': '>f4', 'fortran_order': True, 'shape': (2, 3), }\n", items, 24);
    add_array(add, "{'descr': '<f2', 'fortran_order': False, 'shape': (4, 3), }\n", items, 24);
    add_array(add, "{'shape': (2L,), 'descr': '<U3', 'fortran_order': False}",
              "a\0\0\0\xe9\0\0\0\0\xf6\1\0b\0\0\0\0\0\0\0\0\0\0\0", 24);
    add_array(add, "{'descr': '|S4', 'fortran_order': False, 'shape': (2,), }\n", "ab\0\0\xc3\xa9zz", 8);
    add_array(add, "{'descr': '|b1', 'fortran_order': False, 'shape': (), }\n", "\1", 1);
    add_array(add, "{'descr': '|O', 'fortran_order': False, 'shape': (2,), }\n", "\x80\3N.", 4);
    add_gzip(add);
}
