/* Arrays as NumPy's files: one .npz archive, or a folder of .npy files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "base/text.h"
#include "io/archive.h"
#include "io/bytes.h"
#include "io/folder.h"

enum { PREAMBLE = 10, ALIGNMENT = 64 };

/* ---- one array ---- */

/* Version 1.0; blanks make the items start at a multiple of 64, as NumPy does, so that files can be mapped. */
static crd_status make_header(crd_npy_image *image, const char *descr, int dims, const int64_t *shape, crd_error *error)
{
    crd_text text = {0};
    crd_text_add_bytes(&text, "\x93NUMPY\x01\x00\x00\x00", PREAMBLE);
    crd_text_format(&text, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    for (int d = 0; d < dims; d++)
        crd_text_format(&text, "%lld%s", (long long)shape[d], dims == 1 ? "," : d + 1 < dims ? ", " : "");
    crd_text_add(&text, "), }");
    while ((text.length + 1) % ALIGNMENT != 0 && text.status == CRD_OK) crd_text_add(&text, " ");
    crd_text_add(&text, "\n");
    int64_t length = text.length;
    crd_status status = crd_text_finish(&text, &image->header, error);
    if (status != CRD_OK) return status;
    image->header_size = length;
    image->header[8] = (char)(uint8_t)((length - PREAMBLE) & 0xff);
    image->header[9] = (char)(uint8_t)((length - PREAMBLE) >> 8);
    return CRD_OK;
}

crd_status crd_npy_image_numbers(crd_npy_image *image, crd_npy_type type, int dims, const int64_t *shape,
                                 const void *data, crd_error *error)
{
    static const struct {
        const char *descr;
        size_t size;
    } types[] = {{"|b1", 1}, {"<i4", 4}, {"<i8", 8}, {"<f4", 4}, {"<f8", 8}};
    *image = (crd_npy_image){0};
    int64_t count = 1, size;
    bool fits = dims >= 0 && dims <= CRD_NPY_MAX_DIMS;
    for (int d = 0; fits && d < dims; d++) fits = crd_multiply(count, shape[d], &count);
    if (!fits || !crd_multiply(count, (int64_t)types[type].size, &size))
        return crd_fail(error, CRD_ERROR_ARGUMENT, "an array to be written has an impossible shape");
    image->items_size = size;
    crd_status status = crd_little_endian(data, count, types[type].size, &image->items, &image->owned, error);
    if (status == CRD_OK) status = make_header(image, types[type].descr, dims, shape, error);
    if (status != CRD_OK) crd_npy_image_free(image);
    return status;
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

crd_status crd_npy_image_strings(crd_npy_image *image, int64_t count, const char *const *strings, crd_error *error)
{
    *image = (crd_npy_image){0};
    int64_t longest = 1; /* NumPy has no strings of zero characters either */
    for (int64_t i = 0; i < count; i++) {
        int64_t length = 0;
        for (const char *s = strings[i]; *s != '\0'; length++) next_character(&s);
        if (length > longest) longest = length;
    }
    crd_status status = crd_allocate(&image->owned, count, (size_t)longest * 4, true, error);
    if (status != CRD_OK) return status;
    uint8_t *item = image->owned;
    for (int64_t i = 0; i < count; i++, item += 4 * longest) {
        uint8_t *to = item;
        for (const char *s = strings[i]; *s != '\0'; to += 4) {
            uint32_t c = next_character(&s);
            for (int b = 0; b < 4; b++) to[b] = (uint8_t)(c >> 8 * b);
        }
    }
    image->items = image->owned;
    image->items_size = count * longest * 4;
    char descr[32];
    snprintf(descr, sizeof descr, "<U%lld", (long long)longest);
    status = make_header(image, descr, 1, &count, error);
    if (status != CRD_OK) crd_npy_image_free(image);
    return status;
}

void crd_npy_image_free(crd_npy_image *image)
{
    free(image->header);
    free(image->owned);
    *image = (crd_npy_image){0};
}

/* ---- an archive or a folder ---- */

/* libzip makes an archive in memory, which goes through a crd_outfile like every file we write. So links, devices and
 * standard output work, and a full disk does not leave half an archive. The arrays themselves are not copied. A
 * folder's files are written one by one. */
struct crd_archive_writer {
    char *path;
    struct written {
        char *name;
        crd_npy_image image; /* members of an archive refer to it until the archive is packed */
    } * arrays;
    int64_t count, capacity;
    /* an archive */
    crd_outfile *file;
    zip_t *archive;
    zip_source_t *packed; /* where the archive's bytes go */
    bool compress;
    /* a folder */
    crd_outfolder *folder;
};

void crd_archive_discard(crd_archive_writer **writer)
{
    if (writer == NULL || *writer == NULL) return;
    crd_archive_writer *w = *writer;
    *writer = NULL;
    if (w->archive != NULL) zip_discard(w->archive);
    if (w->packed != NULL) zip_source_free(w->packed);
    crd_outfile_discard(&w->file);
    crd_outfolder_discard(&w->folder);
    for (int64_t i = 0; i < w->count; i++) {
        crd_npy_image_free(&w->arrays[i].image);
        free(w->arrays[i].name);
    }
    free(w->arrays);
    free(w->path);
    free(w);
}

static crd_status new_writer(const char *path, crd_archive_writer **writer, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(writer, 1, error);
    if (status == CRD_OK) status = crd_copy_string(&(*writer)->path, path, error);
    if (status != CRD_OK) crd_archive_discard(writer);
    return status;
}

static crd_status start_archive(crd_archive_writer *writer, crd_error *error)
{
    zip_error_t problem;
    zip_error_init(&problem);
    writer->packed = zip_source_buffer_create(NULL, 0, 0, &problem);
    if (writer->packed != NULL) {
        zip_source_keep(writer->packed); /* the archive holds one reference, this is ours */
        writer->archive = zip_open_from_source(writer->packed, ZIP_TRUNCATE, &problem);
        if (writer->archive == NULL) zip_source_free(writer->packed);
    }
    crd_status status = writer->archive != NULL ? CRD_OK : crd_zip_fail(error, writer->path, "write", &problem);
    zip_error_fini(&problem);
    return status;
}

crd_status crd_archive_create(const char *path, bool compress, crd_archive_writer **writer, crd_error *error)
{
    crd_status status = new_writer(path, writer, error);
    if (status != CRD_OK) return status;
    (*writer)->compress = compress;
    status = crd_outfile_open(path, &(*writer)->file, error);
    if (status == CRD_OK) status = start_archive(*writer, error);
    if (status != CRD_OK) crd_archive_discard(writer);
    return status;
}

crd_status crd_archive_create_folder(const char *path, crd_archive_writer **writer, crd_error *error)
{
    crd_status status = new_writer(path, writer, error);
    if (status != CRD_OK) return status;
    status = crd_outfolder_open(path, &(*writer)->folder, error);
    if (status != CRD_OK) crd_archive_discard(writer);
    return status;
}

static crd_status check_name(const crd_archive_writer *writer, const char *name, crd_error *error)
{
    if (name[0] == '\0' || name[0] == '.' || strchr(name, '/') != NULL || strlen(name) > 240)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: '%.240s' cannot be an array's name", writer->path, name);
    for (int64_t i = 0; i < writer->count; i++)
        if (strcmp(writer->arrays[i].name, name) == 0)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: two arrays are named '%s'", writer->path, name);
    return CRD_OK;
}

static crd_status add_file(crd_archive_writer *writer, const char *name, const crd_npy_image *image, crd_error *error)
{
    char *path;
    crd_outfile *file;
    crd_status status = crd_join_path(crd_outfolder_path(writer->folder), name, &path, error);
    if (status != CRD_OK) return status;
    status = crd_outfile_open(path, &file, error);
    free(path);
    if (status != CRD_OK) return status;
    crd_outfile_write(file, image->header, (size_t)image->header_size);
    crd_outfile_write(file, image->items, (size_t)image->items_size);
    return crd_outfile_commit(&file, error);
}

/* Noon of 1 January 1980, the first day that a zip archive can hold. Not midnight: libzip uses local time, in which
 * it may not exist. */
enum { DOS_TIME = 12 << 11, DOS_DATE = 1 << 5 | 1 };

/* For deflate: libzip's default, 9, takes ten times longer and saves little. */
enum { LEVEL = 3 };

static crd_status add_member(crd_archive_writer *writer, const char *name, const crd_npy_image *image, crd_error *error)
{
    zip_t *archive = writer->archive;
    zip_buffer_fragment_t parts[2] = {{(zip_uint8_t *)image->header, (zip_uint64_t)image->header_size},
                                      {(zip_uint8_t *)image->items, (zip_uint64_t)image->items_size}};
    zip_source_t *source = zip_source_buffer_fragment(archive, parts, image->items_size > 0 ? 2 : 1, 0);
    int64_t index = source != NULL ? zip_file_add(archive, name, source, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0 && source != NULL) zip_source_free(source);
    int32_t method = writer->compress ? ZIP_CM_DEFLATE : ZIP_CM_STORE;
    if (index < 0 || zip_set_file_compression(archive, (zip_uint64_t)index, method, LEVEL) != 0 ||
        zip_file_set_dostime(archive, (zip_uint64_t)index, DOS_TIME, DOS_DATE, 0) != 0)
        return crd_zip_fail(error, writer->path, "add an array", zip_get_error(archive));
    return CRD_OK;
}

/* Takes over the image, even on failure. */
static crd_status add_image(crd_archive_writer *writer, const char *name, crd_npy_image *image, crd_error *error)
{
    char file_name[256];
    snprintf(file_name, sizeof file_name, "%s.npy", name);
    crd_status status = check_name(writer, name, error);
    if (status == CRD_OK) status = CRD_GROW(&writer->arrays, &writer->capacity, writer->count + 1, error);
    struct written *array = status == CRD_OK ? &writer->arrays[writer->count] : NULL;
    if (status == CRD_OK) status = crd_copy_string(&array->name, name, error);
    if (status != CRD_OK) {
        crd_npy_image_free(image);
        return status;
    }
    array->image = *image;
    writer->count++;
    if (writer->folder == NULL) return add_member(writer, file_name, image, error);
    status = add_file(writer, file_name, image, error);
    crd_npy_image_free(&array->image);
    return status;
}

crd_status crd_archive_add(crd_archive_writer *writer, const char *name, crd_npy_type type, int dims,
                           const int64_t *shape, const void *data, crd_error *error)
{
    crd_npy_image image;
    crd_status status = crd_npy_image_numbers(&image, type, dims, shape, data, error);
    return status == CRD_OK ? add_image(writer, name, &image, error) : status;
}

crd_status crd_archive_add_strings(crd_archive_writer *writer, const char *name, int64_t count,
                                   const char *const *strings, crd_error *error)
{
    crd_npy_image image;
    crd_status status = crd_npy_image_strings(&image, count, strings, error);
    return status == CRD_OK ? add_image(writer, name, &image, error) : status;
}

/* Lets libzip pack everything, then copies the archive to the file. */
static crd_status commit_archive(crd_archive_writer *writer, crd_error *error)
{
    if (zip_close(writer->archive) != 0)
        return crd_zip_fail(error, writer->path, "write", zip_get_error(writer->archive));
    writer->archive = NULL;
    if (zip_source_open(writer->packed) != 0)
        return crd_zip_fail(error, writer->path, "write", zip_source_error(writer->packed));
    uint8_t chunk[65536];
    int64_t got;
    while ((got = zip_source_read(writer->packed, chunk, sizeof chunk)) > 0)
        crd_outfile_write(writer->file, chunk, (size_t)got);
    crd_status status = CRD_OK;
    if (got < 0) status = crd_zip_fail(error, writer->path, "write", zip_source_error(writer->packed));
    zip_source_close(writer->packed);
    return status == CRD_OK ? crd_outfile_commit(&writer->file, error) : status;
}

crd_status crd_archive_commit(crd_archive_writer **writer, crd_error *error)
{
    crd_archive_writer *w = *writer;
    crd_status status;
    if (w->count == 0) status = crd_fail(error, CRD_ERROR_ARGUMENT, "%s: there are no arrays to write", w->path);
    else if (w->folder != NULL) status = crd_outfolder_commit(&w->folder, error);
    else status = commit_archive(w, error);
    crd_archive_discard(writer);
    return status;
}
