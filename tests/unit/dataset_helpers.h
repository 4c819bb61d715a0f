/* SPDX-License-Identifier: MIT */
/* Helpers that the tests of datasets share: files in a temporary folder, opening that must succeed or fail, arrays. */
#ifndef CRD_TESTS_DATASET_HELPERS_H
#define CRD_TESTS_DATASET_HELPERS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "credence_private.h"
#include "graph/dataset.h"
#include "io/archive.h"

static inline int remove_entry(const char *path, const struct stat *facts, int type, struct FTW *place)
{
    (void)facts;
    (void)type;
    (void)place;
    return remove(path);
}

/* cmocka's set-up and tear-down: *state is the name of a new folder. */
static inline int make_folder(void **state)
{
    char name[] = "/tmp/credence-test-XXXXXX";
    if (mkdtemp(name) == NULL) return -1;
    *state = strdup(name);
    return *state == NULL ? -1 : 0;
}

static inline int remove_folder(void **state)
{
    nftw(*state, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(*state);
    return 0;
}

#define FOLDER_TEST(function) cmocka_unit_test_setup_teardown(function, make_folder, remove_folder)

/* "FOLDER/NAME" in one of a few static buffers. */
static inline const char *in(void **state, const char *name)
{
    static char paths[64][512];
    static int next;
    next = (next + 1) % 64;
    snprintf(paths[next], sizeof paths[next], "%s/%s", (const char *)*state, name);
    return paths[next];
}

static inline const char *put_bytes(void **state, const char *name, const void *bytes, size_t size)
{
    const char *path = in(state, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *put(void **state, const char *name, const char *text)
{
    return put_bytes(state, name, text, strlen(text));
}

/* All bytes of a file; the caller frees them. */
static inline unsigned char *get_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = (unsigned char *)malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static inline crd_dataset *open_with(const char *path, const char *features, const char *labels)
{
    crd_open_options options = {.size = sizeof options, .features = features, .labels = labels};
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    if (crd_dataset_open(path, &options, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    assert_non_null(dataset);
    return dataset;
}

/* The message must contain `part`. */
static inline void refuses_with(const char *path, const char *features, const char *labels, crd_status status,
                                const char *part)
{
    crd_open_options options = {.size = sizeof options, .features = features, .labels = labels};
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    crd_status got = crd_dataset_open(path, &options, &dataset, &error);
    if (got != status) fail_msg("status %d, expected %d: %s", got, status, error.message);
    assert_null(dataset);
    assert_int_equal(error.status, status);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' is not in '%s'", part, error.message);
}

static inline crd_dataset *open_text(const char *text)
{
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    if (crd_dataset_open_memory(text, strlen(text), "test", &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    return dataset;
}

static inline void refuses_text(const char *text, crd_status status, const char *part)
{
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    assert_int_equal(crd_dataset_open_memory(text, strlen(text), "test", &dataset, &error), status);
    assert_null(dataset);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' is not in '%s'", part, error.message);
}

static inline bool has_note(const crd_dataset *dataset, const char *part)
{
    for (int i = 0; i < crd_dataset_note_count(dataset); i++)
        if (strstr(crd_dataset_note(dataset, i), part) != NULL) return true;
    return false;
}

/* The edges of the input as "0>1 1>2 ...". */
static inline const char *edges_of(const crd_graph *graph)
{
    static char text[1024];
    text[0] = '\0';
    for (int64_t i = 0; i < graph->nodes; i++)
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
            size_t length = strlen(text);
            snprintf(text + length, sizeof text - length, "%s%d>%d", length > 0 ? " " : "", (int)i,
                     (int)graph->neighbour[e]);
        }
    return text;
}

static inline const char *labels_of(const crd_dataset *dataset)
{
    static char text[512];
    text[0] = '\0';
    for (int64_t i = 0; i < crd_dataset_nodes(dataset); i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%d", length > 0 ? " " : "", crd_dataset_label(dataset, i));
    }
    return text;
}

static inline const char *roles_of(const crd_dataset *dataset)
{
    static char text[512];
    text[0] = '\0';
    for (int64_t i = 0; i < dataset->splits * crd_dataset_nodes(dataset); i++) {
        text[i] = "-tve"[dataset->split_roles[i]];
        text[i + 1] = '\0';
    }
    return text;
}

/* A feature, from dense or sparse storage. */
static inline float feature(const crd_dataset *dataset, int64_t node, int64_t column)
{
    const crd_features *features = &dataset->features;
    if (!features->sparse) return features->dense[node * features->columns + column];
    for (int64_t e = features->start[node]; e < features->start[node + 1]; e++)
        if (features->column[e] == column) return features->value[e];
    return 0.0f;
}

/* Archives: start, add, end. The items must live until the end. */
typedef struct array_writer {
    char path[512];
    crd_archive_form form;
    size_t count;
    crd_array arrays[16];
    char names[16][64];
    const char *strings[16][4];
} array_writer;

static inline array_writer *start_arrays(const char *path, crd_archive_form form)
{
    array_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) fail_msg("out of memory");
    snprintf(writer->path, sizeof writer->path, "%s", path);
    writer->form = form;
    return writer;
}

static inline array_writer *start_npz(const char *path)
{
    return start_arrays(path, CRD_ARCHIVE_STORED);
}

static inline void add_array(array_writer *writer, const char *name, crd_npy_type type, int dims, int64_t first,
                             int64_t second, const void *data)
{
    size_t next = writer->count++;
    snprintf(writer->names[next], sizeof writer->names[next], "%s", name);
    writer->arrays[next] = (crd_array){writer->names[next], type, dims, {first, second}, data};
}

/* Copies the list of strings, at most four. */
static inline void add_strings(array_writer *writer, const char *name, int64_t count, const char *const *strings)
{
    const char **copy = writer->strings[writer->count];
    for (int64_t i = 0; i < count; i++) copy[i] = strings[i];
    add_array(writer, name, CRD_NPY_TEXT, 1, count, 0, copy);
}

static inline void end_npz(array_writer *writer)
{
    crd_error error = {0};
    if (crd_archive_write(writer->path, writer->form, writer->arrays, writer->count, &error) != CRD_OK)
        fail_msg("%s", error.message);
    free(writer);
}

#endif
