/* SPDX-License-Identifier: MIT */
/* Arrays as NumPy's files: one .npz archive, or a folder of .npy files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/archive.h"
#include "io/bytes.h"
#include "io/folder.h"
#include "io/zip.h"

/* ---- one array ---- */

/* A .npy file to be written. */
typedef struct {
    char file[256];    /* its name */
    char *header;      /* NULL: not made yet */
    const void *items; /* the array's own, or `owned` */
    int64_t header_size, items_size;
    void *owned;
} image;

static void free_image(image *m)
{
    crd_free(m->header);
    crd_free(m->owned);
}

/* Version 1.0; blanks make the items start at a multiple of 64, as NumPy does, so that files can be mapped. */
static crd_status make_header(image *m, const char *descr, const crd_array *array, crd_error *error)
{
    enum { PREAMBLE = 10, ALIGNMENT = 64 };
    crd_text text = {0};
    crd_text_add_bytes(&text, "\x93NUMPY\x01\x00\x00\x00", PREAMBLE);
    crd_text_format(&text, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    for (int d = 0; d < array->dims; d++)
        crd_text_format(&text, "%lld%s", (long long)array->shape[d],
                        array->dims == 1      ? ","
                        : d + 1 < array->dims ? ", "
                                              : "");
    crd_text_add(&text, "), }");
    while ((text.length + 1) % ALIGNMENT != 0 && text.status == CRD_OK) crd_text_add(&text, " ");
    crd_text_add(&text, "\n");
    m->header_size = text.length;
    crd_status status = crd_text_finish(&text, &m->header, error);
    if (status != CRD_OK) return status;
    m->header[8] = (char)(uint8_t)((m->header_size - PREAMBLE) & 0xff);
    m->header[9] = (char)(uint8_t)((m->header_size - PREAMBLE) >> 8);
    return CRD_OK;
}

/* The next character of a UTF-8 string that is not at its end; U+FFFD for an invalid byte. */
static uint32_t next_character(const char **string)
{
    const uint8_t *s = (const uint8_t *)*string;
    const int length = crd_utf8_length(*string);
    uint32_t c = length == 0 ? 0xfffd : length == 1 ? *s : *s & (0x7fu >> length);
    for (int i = 1; i < length; i++) c = c << 6 | (s[i] & 0x3fu);
    *string += length == 0 ? 1 : length;
    return c;
}

/* Four bytes per character, all strings as long as the longest. */
static crd_status copy_strings(image *m, const crd_array *array, int64_t *longest, crd_error *error)
{
    const char *const *strings = array->items;
    const int64_t count = array->shape[0];
    *longest = 1; /* NumPy has no strings of zero characters either */
    for (int64_t i = 0; i < count; i++) {
        int64_t length = 0;
        for (const char *s = strings[i]; *s != '\0'; length++) next_character(&s);
        if (length > *longest) *longest = length;
    }
    crd_status status = crd_allocate(&m->owned, count, (size_t)*longest * 4, true, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++) {
        uint8_t *to = (uint8_t *)m->owned + 4 * *longest * i;
        for (const char *s = strings[i]; *s != '\0'; to += 4) {
            uint32_t c = next_character(&s);
            for (int b = 0; b < 4; b++) to[b] = (uint8_t)(c >> 8 * b);
        }
    }
    m->items = m->owned;
    if (status == CRD_OK) m->items_size = count * *longest * 4;
    return status;
}

static crd_status make_image(const crd_array *array, image *m, crd_error *error)
{
    static const struct {
        const char *descr;
        size_t size;
    } types[] = {[CRD_NPY_U1] = {"|b1", 1},
                 [CRD_NPY_I4] = {"<i4", 4},
                 [CRD_NPY_I8] = {"<i8", 8},
                 [CRD_NPY_F4] = {"<f4", 4},
                 [CRD_NPY_F8] = {"<f8", 8}};
    snprintf(m->file, sizeof m->file, "%s.npy", array->name);
    if (array->type == CRD_NPY_TEXT) {
        char descr[32];
        int64_t longest;
        crd_status status = copy_strings(m, array, &longest, error);
        snprintf(descr, sizeof descr, "<U%lld", (long long)longest);
        return status == CRD_OK ? make_header(m, descr, array, error) : status;
    }
    int64_t count = 1;
    for (int d = 0; d < array->dims; d++) count *= array->shape[d];
    m->items_size = count * (int64_t)types[array->type].size;
    crd_status status = crd_little_endian(array->items, count, types[array->type].size, &m->items, &m->owned, error);
    return status == CRD_OK ? make_header(m, types[array->type].descr, array, error) : status;
}

/* ---- a folder ---- */

static crd_status write_file(const char *folder, const crd_array *array, crd_error *error)
{
    image m = {.header = NULL};
    char *path = NULL;
    crd_outfile *file = NULL;
    crd_status status = make_image(array, &m, error);
    if (status == CRD_OK) status = crd_join_path(folder, m.file, &path, error);
    if (status == CRD_OK) status = crd_outfile_open(path, &file, error);
    if (status == CRD_OK) {
        crd_outfile_write(file, m.header, (size_t)m.header_size);
        crd_outfile_write(file, m.items, (size_t)m.items_size);
        status = crd_outfile_commit(&file, error);
    }
    crd_free(path);
    free_image(&m);
    return status;
}

static crd_status write_folder(const char *path, const crd_array *arrays, size_t count, crd_error *error)
{
    crd_outfolder *folder;
    crd_status status = crd_outfolder_open(path, &folder, error);
    for (size_t i = 0; i < count && status == CRD_OK; i++)
        if (arrays[i].items != NULL) status = write_file(crd_outfolder_path(folder), &arrays[i], error);
    if (status == CRD_OK) return crd_outfolder_commit(&folder, error);
    crd_outfolder_discard(&folder);
    return status;
}

/* ---- a zip archive ---- */

static crd_status add_member(crd_zip_writer *writer, const image *m, bool compress, crd_error *error)
{
    const crd_zip_part parts[] = {{m->header, (size_t)m->header_size}, {m->items, (size_t)m->items_size}};
    return crd_zip_add(writer, m->file, parts, 2, compress, error);
}

/* The archive goes through a crd_outfile like every file that we write. So links, devices and standard output work, and
 * a full disk does not leave half an archive. */
static crd_status write_zip(const crd_destination *to, const image *images, size_t count, bool compress,
                            crd_error *error)
{
    crd_zip_writer writer = {.limit = CRD_ZIP_LIMIT};
    crd_status status = crd_outfile_open_to(to, &writer.file, error);
    for (size_t i = 0; i < count && status == CRD_OK; i++)
        if (images[i].header != NULL) status = add_member(&writer, &images[i], compress, error);
    if (status == CRD_OK) status = crd_zip_finish(&writer, error);
    if (status == CRD_OK) status = crd_outfile_commit(&writer.file, error);
    crd_outfile_discard(&writer.file);
    crd_zip_writer_free(&writer);
    return status;
}

crd_status crd_archive_write_to(const crd_destination *to, crd_archive_form form, const crd_array *arrays, size_t count,
                                crd_error *error)
{
    image *images;
    crd_status status = CRD_NEW_ZERO(&images, count, error);
    if (status != CRD_OK) return status;
    for (size_t i = 0; i < count && status == CRD_OK; i++)
        if (arrays[i].items != NULL) status = make_image(&arrays[i], &images[i], error);
    if (status == CRD_OK) status = write_zip(to, images, count, form == CRD_ARCHIVE_DEFLATED, error);
    for (size_t i = 0; i < count; i++) free_image(&images[i]);
    crd_free(images);
    return status;
}

crd_status crd_archive_write(const char *path, crd_archive_form form, const crd_array *arrays, size_t count,
                             crd_error *error)
{
    if (form == CRD_ARCHIVE_FOLDER) return write_folder(path, arrays, count, error);
    return crd_archive_write_to(&(crd_destination){.path = path}, form, arrays, count, error);
}
