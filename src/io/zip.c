#include "io/zip.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <zip.h>

#include "base/memory.h"

struct crd_zip {
    zip_t *archive;
    int64_t size; /* of the archive, in bytes */
};

crd_status crd_zip_fail(crd_error *error, const char *name, const char *what, struct zip_error *problem)
{
    crd_status status;
    switch (zip_error_code_zip(problem)) {
    case ZIP_ER_MEMORY:
        return crd_fail_memory(error, sizeof(zip_stat_t));
    case ZIP_ER_OPEN:
    case ZIP_ER_READ:
    case ZIP_ER_SEEK:
    case ZIP_ER_TELL:
    case ZIP_ER_WRITE:
    case ZIP_ER_CLOSE:
    case ZIP_ER_NOENT:
        status = CRD_ERROR_IO;
        break;
    default:
        status = CRD_ERROR_FORMAT;
    }
    return crd_fail(error, status, "%s: cannot %s: %s", name, what, zip_error_strerror(problem));
}

/* A source for libzip, and the archive's size. */
static crd_status make_source(const char *name, const void *bytes, size_t size, zip_source_t **source,
                              int64_t *archive_size, crd_error *error)
{
    zip_error_t problem;
    zip_error_init(&problem);
    *archive_size = (int64_t)size;
    if (bytes == NULL) {
        struct stat facts;
        if (stat(name, &facts) != 0) return crd_fail_errno(error, name, "open");
        if (S_ISDIR(facts.st_mode))
            return crd_fail(error, CRD_ERROR_IO, "%s: is a folder, expected a .npz file", name);
        *archive_size = (int64_t)facts.st_size;
    }
    /* libzip takes an empty file for an archive without members. */
    if (*archive_size == 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is empty, expected a zip archive (.npz)", name);
    *source = bytes != NULL ? zip_source_buffer_create(bytes, size, 0, &problem)
                            : zip_source_file_create(name, 0, -1, &problem);
    crd_status status = *source != NULL ? CRD_OK : crd_zip_fail(error, name, "open", &problem);
    zip_error_fini(&problem);
    return status;
}

crd_status crd_zip_open(const char *name, const void *bytes, size_t size, crd_zip **zip, crd_error *error)
{
    zip_source_t *source = NULL;
    crd_status status = CRD_NEW_ZERO(zip, 1, error);
    if (status != CRD_OK) return status;
    status = make_source(name, bytes, size, &source, &(*zip)->size, error);
    if (status == CRD_OK) {
        zip_error_t problem;
        zip_error_init(&problem);
        (*zip)->archive = zip_open_from_source(source, ZIP_RDONLY, &problem);
        if ((*zip)->archive == NULL) {
            status = crd_zip_fail(error, name, "open as a zip archive (.npz)", &problem);
            zip_source_free(source);
        }
        zip_error_fini(&problem);
    }
    if (status != CRD_OK) crd_zip_free(zip);
    return status;
}

void crd_zip_free(crd_zip **zip)
{
    if (*zip != NULL && (*zip)->archive != NULL) zip_discard((*zip)->archive);
    free(*zip);
    *zip = NULL;
}

int64_t crd_zip_count(const crd_zip *zip)
{
    return zip_get_num_entries(zip->archive, 0);
}

int64_t crd_zip_size(const crd_zip *zip)
{
    return zip->size;
}

const char *crd_zip_member_name(const crd_zip *zip, int64_t index)
{
    return zip_get_name(zip->archive, (zip_uint64_t)index, 0);
}

typedef struct {
    zip_file_t *file;
    uint64_t left; /* of the size that the directory announces */
} member_state;

static int64_t member_read(void *state, void *buffer, size_t count, const char *name, crd_error *error)
{
    member_state *member = state;
    int64_t got = zip_fread(member->file, buffer, count);
    if (got < 0) {
        crd_zip_fail(error, name, "unpack the array", zip_file_get_error(member->file));
        return -1;
    }
    if ((uint64_t)got > member->left) {
        crd_fail(error, CRD_ERROR_FORMAT, "%s: unpacks to more bytes than the archive's directory announces",
                 name);
        return -1;
    }
    member->left -= (uint64_t)got;
    if (got == 0 && count > 0 && member->left > 0) {
        crd_fail(error, CRD_ERROR_FORMAT, "%s: unpacks to fewer bytes than the archive's directory announces",
                 name);
        return -1;
    }
    return got;
}

static void member_close(void *state)
{
    member_state *member = state;
    zip_fclose(member->file);
    free(member);
}

static crd_status check_member(const crd_zip *zip, const zip_stat_t *facts, const char *name,
                               crd_error *error)
{
    if ((facts->valid & ZIP_STAT_ENCRYPTION_METHOD) == 0 || facts->encryption_method != ZIP_EM_NONE)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is encrypted, expected a plain .npz", name);
    if ((facts->valid & ZIP_STAT_COMP_METHOD) == 0 ||
        (facts->comp_method != ZIP_CM_STORE && facts->comp_method != ZIP_CM_DEFLATE))
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: is packed by method %u, expected 0 (stored) or 8 (deflate)", name,
                        (unsigned)facts->comp_method);
    if ((facts->valid & ZIP_STAT_SIZE) == 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: the archive does not say how large it is", name);
    if (facts->size > (uint64_t)CRD_BOMB_MEMORY && facts->size / CRD_BOMB_RATIO > (uint64_t)zip->size)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: announces %llu bytes in an archive of %lld, which is out of all proportion",
                        name, (unsigned long long)facts->size, (long long)zip->size);
    return CRD_OK;
}

crd_status crd_zip_member(crd_zip *zip, int64_t index, const char *source_name, crd_source **source,
                          crd_error *error)
{
    static const crd_source_methods methods = {member_read, member_close};
    zip_stat_t facts;
    *source = NULL;
    if (zip_stat_index(zip->archive, (zip_uint64_t)index, 0, &facts) != 0)
        return crd_zip_fail(error, source_name, "find the array", zip_get_error(zip->archive));
    crd_status status = check_member(zip, &facts, source_name, error);
    if (status != CRD_OK) return status;
    member_state *member;
    status = CRD_NEW(&member, 1, error);
    if (status != CRD_OK) return status;
    member->left = facts.size;
    member->file = zip_fopen_index(zip->archive, (zip_uint64_t)index, 0);
    if (member->file == NULL) {
        free(member);
        return crd_zip_fail(error, source_name, "open the array", zip_get_error(zip->archive));
    }
    return crd_source_custom(&methods, member, source_name, source, error);
}
