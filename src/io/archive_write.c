#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "io/archive.h"
#include "io/npy_write.h"
#include "io/folder.h"

/* An archive is put together by libzip in memory and goes through a crd_outfile, like every other file we
 * write: that is what keeps links, devices and standard output working, and a full disk from leaving
 * half an archive. The arrays themselves are not copied. A folder's files are written as they come. */
struct crd_archive_writer {
    char *path;
    char **names; /* of the arrays so far */
    int64_t count, names_capacity;
    /* an archive */
    crd_outfile *file;
    zip_t *archive;
    zip_source_t *packed; /* where the archive's bytes go */
    bool compress;
    crd_npy_image *images;
    int64_t images_count, images_capacity;
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
    for (int64_t i = 0; i < w->images_count; i++) crd_npy_image_free(&w->images[i]);
    free(w->images);
    crd_strings_free(&w->names, w->count);
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
        zip_source_keep(writer->packed); /* the archive takes one hold, this is ours */
        writer->archive = zip_open_from_source(writer->packed, ZIP_TRUNCATE, &problem);
        if (writer->archive == NULL) zip_source_free(writer->packed);
    }
    crd_status status =
        writer->archive != NULL ? CRD_OK : crd_zip_fail(error, writer->path, "write", &problem);
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

/* Checks the array's name and writes it down. */
static crd_status add_name(crd_archive_writer *writer, const char *name, crd_error *error)
{
    if (name[0] == '\0' || name[0] == '.' || strchr(name, '/') != NULL || strlen(name) > 240)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: '%.240s' cannot be an array's name", writer->path,
                        name);
    for (int64_t i = 0; i < writer->count; i++)
        if (strcmp(writer->names[i], name) == 0)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: two arrays are named '%s'", writer->path, name);
    crd_status status = CRD_GROW(&writer->names, &writer->names_capacity, writer->count + 1, error);
    if (status == CRD_OK) status = crd_copy_string(&writer->names[writer->count], name, error);
    if (status == CRD_OK) writer->count++;
    return status;
}

static crd_status add_file(crd_archive_writer *writer, const char *name, const crd_npy_image *image,
                           crd_error *error)
{
    const char *folder = crd_outfolder_path(writer->folder);
    size_t size = strlen(folder) + strlen(name) + 8;
    char *path;
    crd_status status = CRD_NEW(&path, size, error);
    if (status != CRD_OK) return status;
    snprintf(path, size, "%s/%s.npy", folder, name);
    crd_outfile *file;
    status = crd_outfile_open(path, &file, error);
    if (status == CRD_OK) {
        crd_npy_image_write(image, file);
        status = crd_outfile_commit(&file, error);
    }
    free(path);
    return status;
}

/* Noon of 1 January 1980, the first day a zip archive can tell, in whatever time zone: libzip goes through
 * local time, in which midnight may be missing. */
enum { DOS_TIME = 12 << 11, DOS_DATE = 1 << 5 | 1 };

/* Of deflate: libzip's default is 9, which takes ten times longer and saves little. */
enum { LEVEL = 3 };

static crd_status add_member(crd_archive_writer *writer, const char *name, const crd_npy_image *image,
                             crd_error *error)
{
    zip_t *archive = writer->archive;
    zip_buffer_fragment_t parts[2] = {{(zip_uint8_t *)image->header, (zip_uint64_t)image->header_size},
                                      {(zip_uint8_t *)image->items, (zip_uint64_t)image->items_size}};
    char member[256];
    snprintf(member, sizeof member, "%s.npy", name);
    zip_source_t *source = zip_source_buffer_fragment(archive, parts, image->items_size > 0 ? 2 : 1, 0);
    int64_t index = source != NULL ? zip_file_add(archive, member, source, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0 && source != NULL) zip_source_free(source);
    int32_t method = writer->compress ? ZIP_CM_DEFLATE : ZIP_CM_STORE;
    if (index < 0 || zip_set_file_compression(archive, (zip_uint64_t)index, method, LEVEL) != 0 ||
        zip_file_set_dostime(archive, (zip_uint64_t)index, DOS_TIME, DOS_DATE, 0) != 0)
        return crd_zip_fail(error, writer->path, "add an array", zip_get_error(archive));
    return CRD_OK;
}

/* Takes the image over, whatever happens. */
static crd_status add_image(crd_archive_writer *writer, const char *name, crd_npy_image *image, crd_error *error)
{
    crd_status status = add_name(writer, name, error);
    if (status == CRD_OK && writer->folder != NULL) {
        status = add_file(writer, name, image, error);
    } else if (status == CRD_OK) {
        /* The member refers to the image until the archive is packed. */
        status = CRD_GROW(&writer->images, &writer->images_capacity, writer->images_count + 1, error);
        if (status == CRD_OK) {
            writer->images[writer->images_count++] = *image;
            return add_member(writer, name, image, error);
        }
    }
    crd_npy_image_free(image);
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
    if (w->count == 0)
        status = crd_fail(error, CRD_ERROR_ARGUMENT, "%s: there are no arrays to write", w->path);
    else if (w->folder != NULL)
        status = crd_outfolder_commit(&w->folder, error);
    else
        status = commit_archive(w, error);
    crd_archive_discard(writer);
    return status;
}
