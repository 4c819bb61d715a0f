/* SPDX-License-Identifier: MIT */
/* Writes a dataset as a folder of text files: CSV, Matrix Market, or OGB's packed CSV. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/outfile.h"
#include "base/text.h"
#include "graph/dataset.h"
#include "graph/split.h"
#include "io/folder.h"

/* ---- one file ---- */

enum { CHUNK = 1 << 15, GZIP_WINDOW = 15 + 16 };

/* Writers append to `text`, line by line. */
typedef struct writer {
    crd_text text; /* what is not written yet */
    const crd_dataset *dataset;
    crd_outfile *file;
    bool packed;
    z_stream packer;
} writer;

static void flush(writer *w, bool last)
{
    unsigned char packed[CHUNK];
    z_stream *packer = &w->packer;
    if (!w->packed && w->text.length > 0) crd_outfile_write(w->file, w->text.bytes, (size_t)w->text.length);
    packer->next_in = (unsigned char *)w->text.bytes;
    packer->avail_in = (unsigned)w->text.length;
    packer->avail_out = 0;
    while (w->packed && packer->avail_out == 0) {
        packer->next_out = packed;
        packer->avail_out = sizeof packed;
        deflate(packer, last ? Z_FINISH : Z_NO_FLUSH);
        crd_outfile_write(w->file, packed, sizeof packed - packer->avail_out);
    }
    w->text.length = 0;
}

/* Ends a field or a line. */
static void end(writer *w, const char *mark)
{
    crd_text_add(&w->text, mark);
    if (w->text.length >= CHUNK) flush(w, false);
}

/* Faster than printf, and most of a file are integers. */
static void add_number(writer *w, int64_t number, const char *mark)
{
    char digits[24];
    char *first = digits + sizeof digits;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do *--first = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (number < 0) *--first = '-';
    crd_text_add_bytes(&w->text, first, (size_t)(digits + sizeof digits - first));
    end(w, mark);
}

/* The shortest form that reads back the same. Most features are counts, which need no search for it. */
static void add_float(writer *w, float number, const char *mark)
{
    if (number == floorf(number) && fabsf(number) < 1e6f) {
        add_number(w, (int64_t)number, mark);
        return;
    }
    crd_text_add_json_float(&w->text, number);
    end(w, mark);
}

static void add_name(writer *w, const char *name, const char *mark)
{
    crd_text_add_csv(&w->text, name);
    end(w, mark);
}

static void add_node(writer *w, int64_t node, const char *mark)
{
    if (w->dataset->node_names != NULL) add_name(w, w->dataset->node_names[node], mark);
    else add_number(w, node, mark);
}

/* One file of a folder. */
typedef struct text_file {
    unsigned needs;     /* which formats and data have this file, see below */
    const char *name;   /* "raw/edge.csv.gz", packed if it ends in ".gz" */
    const char *header; /* the first line, or "" */
    void (*write)(writer *w, int64_t which);
    int64_t which; /* tells the function which split, which names, ... */
} text_file;

static crd_status fill_file(writer *w, const text_file *wanted, crd_error *error)
{
    /* zlib writes neither a name nor a date into the header unless told to: same text, same bytes. */
    w->packed = crd_ends_with(wanted->name, ".gz");
    w->packer = (z_stream){.zalloc = crd_zlib_allocate, .zfree = crd_zlib_free};
    if (w->packed &&
        deflateInit2(&w->packer, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return crd_fail(error, CRD_ERROR_MEMORY, "out of memory (a file could not be packed)");
    crd_text_add(&w->text, wanted->header);
    wanted->write(w, wanted->which);
    const bool whole = w->text.status == CRD_OK;
    if (whole) flush(w, true);
    if (w->packed) deflateEnd(&w->packer);
    return whole ? crd_outfile_commit(&w->file, error) : crd_fail_memory(error, CHUNK);
}

/* Makes the folders in a path, from `at` on, if they do not exist. */
static crd_status make_folders(char *path, char *at, crd_error *error)
{
    crd_status status = CRD_OK;
    for (; status == CRD_OK && (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) status = crd_fail_errno(error, path, "make the folder");
        *at = '/';
    }
    return status;
}

static crd_status write_file(const char *folder, const crd_dataset *dataset, const text_file *wanted, crd_error *error)
{
    writer w = {.dataset = dataset};
    char *path;
    crd_status status = crd_join_path(folder, wanted->name, &path, error);
    if (status == CRD_OK) status = make_folders(path, path + strlen(folder) + 1, error);
    if (status == CRD_OK) status = crd_outfile_open(path, &w.file, error);
    if (status == CRD_OK) status = fill_file(&w, wanted, error);
    crd_outfile_discard(&w.file);
    crd_text_free(&w.text);
    crd_free(path);
    return status;
}

/* ---- what they hold ---- */

/* By name, or by numbers: from 0 in OGB's files, from 1 and after the sizes in Matrix Market's. */
enum { BY_NAME = -1, OGB = 0, MATRIX_MARKET = 1 };

static void write_edges(writer *w, int64_t form)
{
    const crd_graph *graph = &w->dataset->input;
    const char *between = form == MATRIX_MARKET ? " " : ",";
    if (form == MATRIX_MARKET) {
        add_number(w, graph->nodes, " ");
        add_number(w, graph->nodes, " ");
        add_number(w, graph->start[graph->nodes], "\n");
    }
    for (int64_t i = 0; i < graph->nodes; i++)
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
            if (form == BY_NAME) {
                add_node(w, i, between);
                add_node(w, graph->neighbour[e], "\n");
            } else {
                add_number(w, form + i, between);
                add_number(w, form + graph->neighbour[e], "\n");
            }
        }
}

static void write_features_mtx(writer *w, int64_t which)
{
    (void)which;
    const crd_features *f = &w->dataset->features;
    add_number(w, f->rows, " ");
    add_number(w, f->columns, " ");
    add_number(w, crd_features_nonzero(f), "\n");
    for (int64_t r = 0; r < f->rows; r++) {
        const int64_t first = f->sparse ? f->start[r] : r * f->columns;
        const int64_t last = f->sparse ? f->start[r + 1] : first + f->columns;
        for (int64_t e = first; e < last; e++) {
            const float value = f->sparse ? f->value[e] : f->dense[e];
            if (value == 0.0f) continue;
            add_number(w, r + 1, " ");
            add_number(w, (f->sparse ? f->column[e] : e - first) + 1, " ");
            add_float(w, value, "\n");
        }
    }
}

/* LIBSVM's leading column is the label. A zero in the first row records a last column that no row uses. */
static void write_features_svm(writer *w, int64_t which)
{
    (void)which;
    const crd_features *f = &w->dataset->features;
    int64_t largest = -1;
    for (int64_t e = 0; e < f->start[f->rows]; e++)
        if (f->column[e] > largest) largest = f->column[e];
    for (int64_t r = 0; r < f->rows; r++) {
        add_number(w, w->dataset->labels[r], "");
        for (int64_t e = f->start[r]; e < f->start[r + 1]; e++) {
            crd_text_add(&w->text, " ");
            add_number(w, (int64_t)f->column[e] + 1, ":");
            add_float(w, f->value[e], "");
        }
        if (r == 0 && largest + 1 < f->columns) {
            crd_text_add(&w->text, " ");
            add_number(w, f->columns, ":0");
        }
        end(w, "\n");
    }
}

/* Every value, including zeros. The header marks the first column as values, because whole numbers could be taken for
 * ids. */
static void write_features_csv(writer *w, int64_t header)
{
    const crd_features *f = &w->dataset->features;
    for (int64_t c = 0; header && c < f->columns; c++) {
        crd_text_add(&w->text, "f");
        add_number(w, c, c + 1 < f->columns ? "," : "\n");
    }
    for (int64_t r = 0; r < f->rows; r++) {
        int64_t next = f->sparse ? f->start[r] : 0;
        for (int64_t c = 0; c < f->columns; c++) {
            float value = 0.0f;
            if (!f->sparse) value = f->dense[r * f->columns + c];
            else if (next < f->start[r + 1] && f->column[next] == c) value = f->value[next++];
            add_float(w, value, c + 1 < f->columns ? "," : "\n");
        }
    }
}

static void write_labels(writer *w, int64_t form)
{
    for (int64_t i = 0; i < w->dataset->input.nodes; i++) {
        const int64_t label = w->dataset->labels[i];
        if (form == BY_NAME) add_node(w, i, ",");
        if (label < 0) end(w, form == BY_NAME ? "\n" : "nan\n");
        else if (form == BY_NAME) add_name(w, w->dataset->class_names[label], "\n");
        else add_number(w, label, "\n");
    }
}

enum { OF_NODES, OF_CLASSES, OF_FEATURES };

/* "number,name" rows. */
static void write_names(writer *w, int64_t of)
{
    const crd_dataset *d = w->dataset;
    char *const *names = of == OF_CLASSES ? d->class_names : of == OF_FEATURES ? d->feature_names : d->node_names;
    const int64_t count = of == OF_CLASSES ? d->classes : of == OF_FEATURES ? d->features.columns : d->input.nodes;
    for (int64_t i = 0; i < count; i++) {
        add_number(w, i, ",");
        add_name(w, names[i], "\n");
    }
}

static void write_count(writer *w, int64_t of_edges)
{
    const crd_graph *graph = &w->dataset->input;
    add_number(w, of_edges ? graph->start[graph->nodes] : graph->nodes, "\n");
}

static void write_split(writer *w, int64_t index)
{
    static const char *const words[] = {",none\n", ",train\n", ",val\n", ",test\n", ",calibration\n"};
    const uint8_t *roles = w->dataset->split_roles + index * w->dataset->input.nodes;
    for (int64_t i = 0; i < w->dataset->input.nodes; i++) add_node(w, i, words[roles[i]]);
}

/* The nodes of one role: `which` counts three files per split. */
static void write_role(writer *w, int64_t which)
{
    const uint8_t *roles = w->dataset->split_roles + which / 3 * w->dataset->input.nodes;
    for (int64_t i = 0; i < w->dataset->input.nodes; i++)
        if (roles[i] == CRD_ROLE_TRAIN + which % 3) add_number(w, i, "\n");
}

/* ---- folders ---- */

/* Formats, and what a dataset may have. */
enum { IN_CSV = 1, IN_MTX = 2, IN_TEXT = 4 /* either */, IN_OGB = 8 };
enum { FEATURES = 16, SPARSE = 32, DENSE = 64, NAMES = 128, CLASSES = 256, COLUMNS = 512 };

/* All files but the splits. OGB's are packed CSV without headers, everything is a number; names go to mapping/. */
static const text_file files[] = {
    {IN_CSV, "edges.csv", "source,target\n", write_edges, BY_NAME},
    {IN_MTX, "graph.mtx", "%%MatrixMarket matrix coordinate pattern general\n", write_edges, MATRIX_MARKET},
    {IN_MTX | FEATURES, "features.mtx", "%%MatrixMarket matrix coordinate real general\n", write_features_mtx, 0},
    {IN_CSV | SPARSE, "features.svm", "", write_features_svm, 0},
    {IN_CSV | DENSE, "features.csv", "", write_features_csv, true},
    {IN_TEXT, "labels.csv", "node,label\n", write_labels, BY_NAME},
    {IN_TEXT | NAMES, "nodes.csv", "number,name\n", write_names, OF_NODES},
    {IN_TEXT | CLASSES, "classes.csv", "number,name\n", write_names, OF_CLASSES},
    {IN_TEXT | COLUMNS, "feature_names.csv", "number,name\n", write_names, OF_FEATURES},
    {IN_OGB, "raw/edge.csv.gz", "", write_edges, OGB},
    {IN_OGB | FEATURES, "raw/node-feat.csv.gz", "", write_features_csv, false},
    {IN_OGB, "raw/node-label.csv.gz", "", write_labels, OGB},
    {IN_OGB, "raw/num-node-list.csv.gz", "", write_count, false},
    {IN_OGB, "raw/num-edge-list.csv.gz", "", write_count, true},
    {IN_OGB | NAMES, "mapping/nodeidx2name.csv.gz", "node idx,name\n", write_names, OF_NODES},
    {IN_OGB | CLASSES, "mapping/labelidx2name.csv.gz", "label idx,name\n", write_names, OF_CLASSES},
};

static crd_status write_files(const char *folder, const crd_dataset *dataset, crd_format format, bool classes,
                              crd_error *error)
{
    unsigned has = format == CRD_FORMAT_OGB ? IN_OGB : IN_TEXT | (format == CRD_FORMAT_MTX ? IN_MTX : IN_CSV);
    if (dataset->feature_names != NULL) has |= COLUMNS;
    if (dataset->features.columns > 0) has |= FEATURES | (dataset->features.sparse ? SPARSE : DENSE);
    if (dataset->node_names != NULL) has |= NAMES;
    if (classes) has |= CLASSES;
    crd_status status = CRD_OK;
    for (size_t i = 0; i < sizeof files / sizeof *files && status == CRD_OK; i++)
        if ((files[i].needs & ~has) == 0) status = write_file(folder, dataset, &files[i], error);
    return status;
}

/* One file per split; in OGB's folders one per role. */
static crd_status write_splits(const char *folder, const crd_dataset *dataset, bool ogb, crd_error *error)
{
    static const char *const roles[] = {"train", "valid", "test"};
    crd_status status = CRD_OK;
    for (int i = 0; i < (ogb ? 3 : 1) * dataset->splits && status == CRD_OK; i++) {
        char name[64] = "split.csv"; /* readers sort by name */
        if (ogb) snprintf(name, sizeof name, "split/split-%03d/%s.csv.gz", i / 3, roles[i % 3]);
        else if (dataset->splits > 1) snprintf(name, sizeof name, "split-%d.csv", i);
        const text_file split = {0, name, ogb ? "" : "node,split\n", ogb ? write_role : write_split, i};
        status = write_file(folder, dataset, &split, error);
    }
    return status;
}

/* OGB's format writes out every zero of the features. */
static crd_status check_zeros(const crd_features *features, const char *path, crd_error *error)
{
    const double most_cells = 1e8, most_per_entry = 1000.0;
    const double cells = (double)features->rows * (double)features->columns;
    const int64_t entries = features->sparse ? features->start[features->rows] : 0;
    if (!features->sparse || cells <= most_cells || cells <= most_per_entry * (double)entries) return CRD_OK;
    return crd_fail(error, CRD_ERROR_ARGUMENT,
                    "%s: an OGB folder writes every zero out: %lld x %lld features for %lld that are not zero; choose "
                    "npz, npy, csv or mtx",
                    path, (long long)features->rows, (long long)features->columns, (long long)entries);
}

crd_status crd_save_text(const crd_dataset *dataset, const char *path, crd_format format, bool classes,
                         crd_error *error)
{
    crd_outfolder *out;
    crd_status status = CRD_OK;
    if (dataset->splits > CRD_MOST_SPLIT_FILES)
        status = crd_fail(error, CRD_ERROR_ARGUMENT,
                          "%s: the data have %d splits, but a folder of text takes %d; choose npz or npy", path,
                          dataset->splits, CRD_MOST_SPLIT_FILES);
    else if (format == CRD_FORMAT_OGB) status = check_zeros(&dataset->features, path, error);
    if (status == CRD_OK) status = crd_outfolder_open(path, &out, error);
    if (status != CRD_OK) return status;
    const char *folder = crd_outfolder_path(out);
    status = write_files(folder, dataset, format, classes, error);
    if (status == CRD_OK) status = write_splits(folder, dataset, format == CRD_FORMAT_OGB, error);
    if (status == CRD_OK) return crd_outfolder_commit(&out, error);
    crd_outfolder_discard(&out);
    return status;
}
