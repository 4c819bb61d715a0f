/* SPDX-License-Identifier: MIT */
/* Writes the bad files that the command tests use into the current folder. They are made byte by byte, because no
 * honest writer makes them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct {
    unsigned char *bytes;
    size_t size;
} blob;

static void add(blob *to, const void *bytes, size_t size)
{
    to->bytes = realloc(to->bytes, to->size + size + 1);
    if (to->bytes == NULL) exit(1);
    if (size > 0) memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void add_little(blob *to, uint64_t number, int count)
{
    unsigned char bytes[8];
    for (int i = 0; i < count; i++) bytes[i] = (unsigned char)(number >> (8 * i));
    add(to, bytes, (size_t)count);
}

static void write_file(const char *name, const blob *content, size_t size)
{
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(content->bytes, 1, size, file) != size || fclose(file) != 0) {
        fprintf(stderr, "make_bad: cannot write %s\n", name);
        exit(1);
    }
}

/* An archive under construction. */
typedef struct {
    blob body, directory;
    int members;
} zip;

/* Adds a member as it will be stored: `method` 0 (plain) or 8 (deflated). */
static void add_member(zip *archive, const char *name, int method, const blob *stored, size_t real_size, uint32_t crc)
{
    size_t offset = archive->body.size, length = strlen(name);
    for (int central = 0; central < 2; central++) {
        blob *to = central ? &archive->directory : &archive->body;
        add_little(to, central ? 0x02014b50 : 0x04034b50, 4);
        if (central) add_little(to, 20, 2);
        add_little(to, 20, 2);
        add_little(to, 0, 2);
        add_little(to, (uint64_t)method, 2);
        add_little(to, 0x00210000, 4); /* a date */
        add_little(to, crc, 4);
        add_little(to, stored->size, 4);
        add_little(to, real_size, 4);
        add_little(to, length, 2);
        add_little(to, 0, 2);
        if (central) {
            add_little(to, 0, 2);
            add_little(to, 0, 8);
            add_little(to, offset, 4);
        }
        add(to, name, length);
        if (!central) add(to, stored->bytes, stored->size);
    }
    archive->members++;
}

static void finish(zip *archive, const char *name)
{
    blob whole = archive->body;
    size_t start = whole.size;
    add(&whole, archive->directory.bytes, archive->directory.size);
    add_little(&whole, 0x06054b50, 4);
    add_little(&whole, 0, 4);
    add_little(&whole, (uint64_t)archive->members, 2);
    add_little(&whole, (uint64_t)archive->members, 2);
    add_little(&whole, archive->directory.size, 4);
    add_little(&whole, start, 4);
    add_little(&whole, 0, 2);
    write_file(name, &whole, whole.size);
    free(whole.bytes);
    free(archive->directory.bytes);
    *archive = (zip){0};
}

static blob npy(const char *descr, const char *shape, const void *data, size_t size)
{
    blob array = {0};
    char header[118];
    int used =
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape);
    for (int i = used; i < 118; i++) header[i] = i == 117 ? '\n' : ' ';
    add(&array, "\x93NUMPY\x01\x00", 8);
    add_little(&array, sizeof header, 2);
    add(&array, header, sizeof header);
    add(&array, data, size);
    return array;
}

static void add_array(zip *archive, const char *name, const char *descr, const char *shape, const void *data,
                      size_t size)
{
    blob array = npy(descr, shape, data, size);
    char member[64];
    snprintf(member, sizeof member, "%s.npy", name);
    add_member(archive, member, 0, &array, array.size, (uint32_t)crc32(0, array.bytes, (uInt)array.size));
    free(array.bytes);
}

enum { NODES = 12, EDGES = 12, FEATURES = 3 };

/* A good little graph: a ring of 12 nodes, three features, three classes. Each bad file changes one thing. */
typedef struct {
    int64_t edges[EDGES][2];
    float x[NODES][FEATURES];
    int64_t y[NODES];
} ring;

static ring good(void)
{
    ring r;
    for (int i = 0; i < NODES; i++) {
        r.edges[i][0] = i;
        r.edges[i][1] = (i + 1) % NODES;
        for (int f = 0; f < FEATURES; f++) r.x[i][f] = f == i / 4 ? 1.0f : 0.25f;
        r.y[i] = i / 4;
    }
    return r;
}

static void add_ring(zip *archive, const ring *r)
{
    add_array(archive, "edges", "<i8", "12, 2", r->edges, sizeof r->edges);
    add_array(archive, "x", "<f4", "12, 3", r->x, sizeof r->x);
    add_array(archive, "y", "<i8", "12,", r->y, sizeof r->y);
}

static void write_ring(const char *name, const ring *r)
{
    zip archive = {0};
    add_ring(&archive, r);
    finish(&archive, name);
}

static void wrong_values(void)
{
    ring r = good();
    write_ring("ring.npz", &r);
    r.x[5][1] = (float)(0.0 * (1e300 * 1e300));
    write_ring("nan_feature.npz", &r);
    r = good();
    r.x[5][1] = (float)(1e300 * 1e300);
    write_ring("infinite_feature.npz", &r);
    r = good();
    r.edges[3][1] = -1;
    write_ring("negative_index.npz", &r);
    r = good();
    r.edges[3][1] = INT64_C(1) << 40;
    write_ring("huge_index.npz", &r);
    r = good();
    r.y[7] = -2;
    write_ring("negative_label.npz", &r);
    r = good();
    r.y[7] = INT64_C(1) << 33;
    write_ring("huge_label.npz", &r);
    r = good();
    for (int i = 0; i < NODES; i++) r.y[i] = r.y[i] == 1 ? 0 : r.y[i];
    write_ring("label_gap.npz", &r);
    r = good();
    for (int i = 1; i < NODES; i++) r.y[i] = 1;
    write_ring("one_node_class.npz", &r);
    r = good();
    for (int i = 0; i < NODES; i++) r.y[i] = 0;
    write_ring("one_class.npz", &r);
    r = good();
    for (int i = 0; i < NODES; i++) r.y[i] = -1;
    write_ring("unlabelled.npz", &r);
}

/* The ring with one of its arrays replaced, or missing if `descr` is NULL. */
static void replaced(const char *file, const char *name, const char *descr, const char *shape, const void *data,
                     size_t size)
{
    ring r = good();
    zip archive = {0};
    if (strcmp(name, "edges") != 0) add_array(&archive, "edges", "<i8", "12, 2", r.edges, sizeof r.edges);
    if (strcmp(name, "x") != 0) add_array(&archive, "x", "<f4", "12, 3", r.x, sizeof r.x);
    if (strcmp(name, "y") != 0) add_array(&archive, "y", "<i8", "12,", r.y, sizeof r.y);
    if (descr != NULL) add_array(&archive, name, descr, shape, data, size);
    finish(&archive, file);
}

static void wrong_arrays(void)
{
    ring r = good();
    static const double complex_labels[2 * NODES];
    double halves[NODES], fractional_edges[EDGES][2];
    for (int i = 0; i < NODES; i++) {
        halves[i] = i / 2.0;
        fractional_edges[i][0] = i;
        fractional_edges[i][1] = 0.5;
    }
    replaced("complex_labels.npz", "y", "<c16", "12,", complex_labels, sizeof complex_labels);
    replaced("fractional_labels.npz", "y", "<f8", "12,", halves, sizeof halves);
    replaced("fractional_edges.npz", "edges", "<f8", "12, 2", fractional_edges, sizeof fractional_edges);
    replaced("short_labels.npz", "y", "<i8", "11,", r.y, 11 * sizeof r.y[0]);
    replaced("few_feature_rows.npz", "x", "<f4", "11, 3", r.x, 11 * sizeof r.x[0]);
    replaced("edges_shape.npz", "edges", "<i8", "8, 3", r.edges, sizeof r.edges);
    replaced("no_graph.npz", "edges", NULL, NULL, NULL, 0);
    replaced("no_features.npz", "x", NULL, NULL, NULL, 0);
    replaced("no_labels.npz", "y", NULL, NULL, NULL, 0);
    replaced("no_edges.npz", "edges", "<i8", "0, 2", NULL, 0);
    replaced("short_data.npz", "x", "<f4", "12, 3", r.x, 20);
    replaced("overflowing_shape.npz", "x", "<f4", "4294967296, 4294967296", r.x, sizeof r.x);
    replaced("object_labels.npz", "y", "|O", "12,", "\x80\x04N.", 4);
    replaced("unknown_type.npz", "x", "<q9", "12, 3", r.x, sizeof r.x);
    replaced("negative_shape.npz", "x", "<f4", "-12, 3", r.x, sizeof r.x);
}

static void wrong_rows(void)
{
    static const int64_t falling[] = {0, 2, 1, 3}, past_end[] = {0, 1, 2, 9};
    static const int64_t shape[] = {3, 3}, wide[] = {3, 4};
    static const int32_t index[] = {1, 2, 0}, outside[] = {1, 7, 0};
    const struct {
        const char *file;
        const int64_t *start;
        const int32_t *column;
        const int64_t *shape;
    } variants[] = {{"falling_rows.npz", falling, index, shape},
                    {"rows_past_end.npz", past_end, index, shape},
                    {"column_outside.npz", (const int64_t[]){0, 1, 2, 3}, outside, shape},
                    {"not_square.npz", (const int64_t[]){0, 1, 2, 3}, index, wide}};
    static const float ones[] = {1, 1, 1};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        zip archive = {0};
        add_array(&archive, "adj_data", "<f4", "3,", ones, sizeof ones);
        add_array(&archive, "adj_indices", "<i4", "3,", variants[i].column, 3 * sizeof(int32_t));
        add_array(&archive, "adj_indptr", "<i8", "4,", variants[i].start, 4 * sizeof(int64_t));
        add_array(&archive, "adj_shape", "<i8", "2,", variants[i].shape, 2 * sizeof(int64_t));
        finish(&archive, variants[i].file);
    }
}

static void wrong_archives(void)
{
    ring r = good();
    zip archive = {0};
    blob junk = {0};
    add_ring(&archive, &r);
    write_file("cut.npz", &archive.body, archive.body.size / 2);
    finish(&archive, "whole.npz");

    blob labels = npy("<i8", "12,", r.y, sizeof r.y);
    add_array(&archive, "edges", "<i8", "12, 2", r.edges, sizeof r.edges);
    add_member(&archive, "y.npy", 0, &labels, labels.size, 12345);
    finish(&archive, "wrong_sum.npz");

    add(&junk, "\x93NUMPY\x01\x00\xff\xffnonsense", 18);
    add_member(&archive, "edges.npy", 0, &junk, junk.size, (uint32_t)crc32(0, junk.bytes, (uInt)junk.size));
    finish(&archive, "broken_header.npz");

    finish(&archive, "empty_archive.npz");
    free(labels.bytes);
    free(junk.bytes);
}

/* 300 MiB of zeros in some hundreds of kilobytes, declared honestly. */
static void bomb(void)
{
    enum { CHUNK = 1 << 20, CHUNKS = 300 };
    static unsigned char zeros[CHUNK], packed[CHUNK];
    blob first = npy("<f4", "12, 6553600", NULL, 0), stored = {0};
    z_stream stream = {0};
    uLong crc = crc32(0, first.bytes, (uInt)first.size);
    if (deflateInit2(&stream, 6, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK) exit(1);
    for (int c = -1; c < CHUNKS; c++) {
        stream.next_in = c < 0 ? first.bytes : zeros;
        stream.avail_in = c < 0 ? (uInt)first.size : CHUNK;
        if (c >= 0) crc = crc32(crc, zeros, CHUNK);
        do {
            stream.next_out = packed;
            stream.avail_out = CHUNK;
            deflate(&stream, c == CHUNKS - 1 ? Z_FINISH : Z_NO_FLUSH);
            add(&stored, packed, CHUNK - stream.avail_out);
        } while (stream.avail_out == 0);
    }
    deflateEnd(&stream);
    ring r = good();
    zip archive = {0};
    add_array(&archive, "edges", "<i8", "12, 2", r.edges, sizeof r.edges);
    add_member(&archive, "x.npy", 8, &stored, first.size + (size_t)CHUNK * CHUNKS, (uint32_t)crc);
    finish(&archive, "bomb.npz");
    free(first.bytes);
    free(stored.bytes);
}

static void split_file(const char *file, const int64_t *train, int trained, const int64_t *val, int validated)
{
    zip archive = {0};
    char shape[32];
    snprintf(shape, sizeof shape, "%d,", trained);
    add_array(&archive, "train", "<i8", shape, train, (size_t)trained * sizeof *train);
    snprintf(shape, sizeof shape, "%d,", validated);
    add_array(&archive, "val", "<i8", shape, val, (size_t)validated * sizeof *val);
    finish(&archive, file);
}

static void wrong_splits(void)
{
    static const int64_t train[] = {0, 4, 8}, val[] = {1, 5, 9}, outside[] = {1, 12}, both[] = {4, 5};
    static const int64_t negative[] = {-1, 5};
    split_file("split_good.npz", train, 3, val, 3);
    split_file("split_outside.npz", train, 3, outside, 2);
    split_file("split_overlap.npz", train, 3, both, 2);
    split_file("split_negative.npz", train, 3, negative, 2);
    split_file("split_no_training.npz", train, 0, val, 3);
}

static void model_file(const char *file, uint64_t length, const char *header, size_t data)
{
    blob model = {0};
    add_little(&model, length, 8);
    add(&model, header, strlen(header));
    for (size_t i = 0; i < data; i++) add(&model, "", 1);
    write_file(file, &model, model.size);
    free(model.bytes);
}

static void wrong_models(void)
{
    const char *broken = "{\"a\":";
    const char *past = "{\"w\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}";
    const char *foreign = "{\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}";
    model_file("broken_json.safetensors", strlen(broken), broken, 0);
    model_file("huge_header.safetensors", UINT64_C(1) << 60, "{}", 0);
    model_file("data_missing.safetensors", strlen(past), past, 4);
    model_file("foreign.safetensors", strlen(foreign), foreign, 4);
}

int main(void)
{
    wrong_values();
    wrong_arrays();
    wrong_rows();
    wrong_archives();
    bomb();
    wrong_splits();
    wrong_models();
    return 0;
}
