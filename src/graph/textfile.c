#include "graph/textfile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/outfile.h"

enum { CHUNK = 1 << 15, GZIP_WINDOW = 15 + 16 };

struct crd_textfile {
    crd_outfile *file;
    crd_text text; /* what is not written yet */
    bool packed;
    z_stream packer;
};

static void release(crd_textfile **file)
{
    if (*file == NULL) return;
    if ((*file)->packed) deflateEnd(&(*file)->packer);
    crd_outfile_discard(&(*file)->file);
    crd_text_free(&(*file)->text);
    free(*file);
    *file = NULL;
}

/* zlib writes neither a name nor a date into the header unless told to: same text, same bytes. */
static crd_status start_packing(crd_textfile *file, crd_error *error)
{
    if (deflateInit2(&file->packer, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return crd_fail(error, CRD_ERROR_MEMORY, "out of memory (a file could not be packed)");
    file->packed = true;
    return CRD_OK;
}

crd_status crd_textfile_open(const char *folder, const char *name, crd_textfile **file, crd_error *error)
{
    char *path = NULL;
    size_t length = strlen(name), size = strlen(folder) + length + 2;
    crd_status status = CRD_NEW_ZERO(file, 1, error);
    if (status == CRD_OK) status = CRD_NEW(&path, size, error);
    if (status == CRD_OK) {
        snprintf(path, size, "%s/%s", folder, name);
        status = crd_outfile_open(path, &(*file)->file, error);
    }
    if (status == CRD_OK && length > 3 && strcmp(name + length - 3, ".gz") == 0)
        status = start_packing(*file, error);
    free(path);
    if (status != CRD_OK) release(file);
    return status;
}

static void pack(crd_textfile *file, bool last)
{
    unsigned char packed[CHUNK];
    z_stream *packer = &file->packer;
    packer->next_in = (unsigned char *)file->text.bytes;
    packer->avail_in = (unsigned)file->text.length;
    do {
        packer->next_out = packed;
        packer->avail_out = sizeof packed;
        deflate(packer, last ? Z_FINISH : Z_NO_FLUSH);
        crd_outfile_write(file->file, packed, sizeof packed - packer->avail_out);
    } while (packer->avail_out == 0);
}

static void flush(crd_textfile *file, bool last)
{
    if (file->packed) pack(file, last);
    else if (file->text.length > 0) crd_outfile_write(file->file, file->text.bytes,
                                                      (size_t)file->text.length);
    file->text.length = 0;
}

static void add_bytes(crd_textfile *file, const char *bytes, size_t count)
{
    crd_text_add_bytes(&file->text, bytes, count);
    if (file->text.length >= CHUNK) flush(file, false);
}

void crd_textfile_add(crd_textfile *file, const char *text)
{
    add_bytes(file, text, strlen(text));
}

void crd_textfile_add_integer(crd_textfile *file, int64_t number)
{
    char digits[24];
    char *first = digits + sizeof digits;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do *--first = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (number < 0) *--first = '-';
    add_bytes(file, first, (size_t)(digits + sizeof digits - first));
}

void crd_textfile_add_float(crd_textfile *file, float number)
{
    /* Most features are counts: they need no search for the shortest form. */
    if (number == floorf(number) && fabsf(number) < 1e6f) crd_textfile_add_integer(file, (int64_t)number);
    else {
        crd_text_add_json_float(&file->text, number);
        add_bytes(file, "", 0);
    }
}

void crd_textfile_add_field(crd_textfile *file, const char *field)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+./:()";
    if (field[0] != '\0' && field[strspn(field, plain)] == '\0') {
        crd_textfile_add(file, field);
        return;
    }
    crd_textfile_add(file, "\"");
    for (const char *quote; (quote = strchr(field, '"')) != NULL; field = quote + 1) {
        add_bytes(file, field, (size_t)(quote - field));
        crd_textfile_add(file, "\"\"");
    }
    crd_textfile_add(file, field);
    crd_textfile_add(file, "\"");
}

crd_status crd_textfile_close(crd_textfile **file, crd_status status, crd_error *error)
{
    crd_textfile *f = *file;
    if (f == NULL) return status;
    if (status == CRD_OK && f->text.status != CRD_OK) status = crd_fail_memory(error, CHUNK);
    if (status == CRD_OK) {
        flush(f, true);
        status = crd_outfile_commit(&f->file, error);
    }
    release(file);
    return status;
}
