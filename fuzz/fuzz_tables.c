/* SPDX-License-Identifier: MIT */
/* What can stand beside a graph and is more than numbers: tables with columns that the options name, lists of features
 * in JSON, SciPy's matrices. An input is
 *     "L" or "F", a line of options (label column, id column, category columns, ignored columns, separated by "|"), and
 *     a table of labels or features;
 *     "J" and JSON;
 *     "M" and pieces, each "NAME\n" and an .npy's bytes, ended by "\n\n--\n", that become an archive of features. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/support/zip_maker.h"
#include "fuzz.h"
#include "graph/raw.h"

enum { OPTIONS = 4, LONGEST = 32, MOST_PIECES = 8 };

static const char end_of_piece[] = "\n\n--\n";

/* Features must be as every later station expects them. */
static void check_features(const crd_raw *raw)
{
    const crd_features *m = &raw->features.matrix;
    const int64_t cells = m->sparse ? m->start[m->rows] : m->rows * m->columns;
    if (m->rows < 0 || m->columns < 0) abort();
    for (int64_t r = 0; m->sparse && r < m->rows; r++)
        if (m->start[r + 1] < m->start[r]) abort();
    for (int64_t i = 0; i < cells; i++)
        if (raw->columns.name != NULL && !isfinite(m->sparse ? m->value[i] : m->dense[i])) abort();
    for (int64_t j = 0; j < raw->columns.count; j++)
        if (raw->columns.name[j] == NULL) abort();
    for (int64_t r = 0; raw->features.row_names != NULL && r < m->rows; r++)
        if (raw->features.row_names[r] == NULL) abort();
}

static void check_labels(const crd_raw *raw)
{
    const crd_raw_labels *labels = &raw->labels;
    if (labels->by_id && labels->ids.count != labels->count) abort();
    for (int64_t i = 0; i < labels->count; i++)
        if (labels->text[i] < 0 || labels->text[i] >= crd_name_index_count(labels->texts)) abort();
}

static void finish(crd_raw *raw, crd_status status, const crd_error *error)
{
    crd_dataset *dataset = NULL;
    crd_error problem = {0};
    if (status != CRD_OK && error->message[0] == '\0') abort();
    if (status == CRD_OK && raw->features.file != NULL) check_features(raw);
    if (status == CRD_OK && raw->labels.file != NULL) check_labels(raw);
    if (status == CRD_OK && crd_finish(raw, &dataset, &problem) != CRD_OK && problem.message[0] == '\0') abort();
    crd_dataset_free(&dataset);
    crd_raw_free(raw);
}

/* An edge list of names and numbers, so that both kinds of ids can be found. */
static crd_status start(crd_raw *raw, crd_error *error)
{
    static const char edges[] = "0,1\n1,2\n";
    crd_source *source = NULL;
    crd_raw_start(raw, "fuzz");
    crd_status status = crd_source_memory(edges, sizeof edges - 1, "edges", &source, error);
    if (status == CRD_OK) status = crd_read_source(source, CRD_PART_EDGES, raw, error);
    crd_source_free(&source);
    return status;
}

static void read_part(const uint8_t *data, size_t size, crd_part part, const crd_open_options *options)
{
    crd_raw raw;
    crd_error error = {0};
    crd_source *source = NULL;
    crd_status status = start(&raw, &error);
    crd_raw_set_options(&raw, options);
    if (status == CRD_OK) status = crd_source_memory(data, size, "table", &source, &error);
    if (status == CRD_OK) status = crd_read_source(source, part, &raw, &error);
    if (status == CRD_OK) (void)crd_check_columns_found(&raw, &error);
    crd_source_free(&source);
    finish(&raw, status, &error);
}

static void read_table(const uint8_t *data, size_t size, crd_part part)
{
    char given[OPTIONS][LONGEST] = {""};
    size_t at = 0, length = 0;
    for (int o = 0; at < size && data[at] != '\n'; at++) {
        if (data[at] == '|' && o + 1 < OPTIONS) {
            o++;
            length = 0;
        } else if (length + 1 < LONGEST && data[at] != '\0') {
            given[o][length++] = (char)data[at];
            given[o][length] = '\0';
        }
    }
    const char *option[OPTIONS];
    for (int o = 0; o < OPTIONS; o++) option[o] = given[o][0] != '\0' ? given[o] : NULL;
    const crd_open_options options = {.size = sizeof options,
                                      .label_column = option[0],
                                      .id_column = option[1],
                                      .category_columns = option[2],
                                      .ignore_columns = option[3]};
    at += at < size;
    read_part(data + at, size - at, part, &options);
}

static void read_archive(const uint8_t *data, size_t size)
{
    static char names[MOST_PIECES][48];
    zip_member members[MOST_PIECES] = {{0}};
    crd_raw raw;
    crd_error error = {0};
    crd_archive *archive = NULL;
    int count = 0;
    for (size_t begin = 0, mark = sizeof end_of_piece - 1; begin < size && count < MOST_PIECES; count++) {
        size_t end = begin;
        while (end < size && (end + mark > size || memcmp(data + end, end_of_piece, mark) != 0)) end++;
        const uint8_t *line = memchr(data + begin, '\n', end - begin);
        const size_t length = line != NULL ? (size_t)(line - data) - begin : end - begin;
        const size_t skip = line != NULL ? length + 1 : length;
        snprintf(names[count], sizeof names[count], "%.*s.npy", length < 40 ? (int)length : 40,
                 (const char *)data + begin);
        members[count] = (zip_member){.name = names[count], .data = data + begin + skip, .size = end - begin - skip};
        begin = end + mark;
    }
    zip_bytes bytes = zip_make(members, count);
    crd_status status = start(&raw, &error);
    if (status == CRD_OK) status = crd_archive_open_memory(bytes.bytes, bytes.size, "fuzz.npz", &archive, &error);
    if (status == CRD_OK) status = crd_read_feature_archive(archive, &raw, &error);
    crd_archive_free(&archive);
    finish(&raw, status, &error);
    free(bytes.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    if (data[0] == 'L') read_table(data + 1, size - 1, CRD_PART_LABELS);
    else if (data[0] == 'J') read_part(data + 1, size - 1, CRD_PART_FEATURES, NULL);
    else if (data[0] == 'M') read_archive(data + 1, size - 1);
    else read_table(data + 1, size - 1, CRD_PART_FEATURES);
    return 0;
}

static void add_piece(zip_bytes *to, const char *name, const char *type, const char *shape, const void *items,
                      size_t size)
{
    char dictionary[128];
    snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", type, shape);
    zip_bytes npy = npy_make(dictionary, items, size);
    if (to->size > 1) zip_add(to, end_of_piece, sizeof end_of_piece - 1);
    zip_add(to, name, strlen(name));
    zip_add(to, "\n", 1);
    zip_add(to, npy.bytes, npy.size);
    free(npy.bytes);
}

void crd_fuzz_seeds(void (*add)(const uint8_t *data, size_t size))
{
    static const char *const texts[] = {
        "Lmature|new_id||\nid,days,mature,new_id\n73,10,False,2\n61,20,True,0\n50,30,NA,1\n",
        "L3|1||\n0\tx\tred\n1\ty\tblue\n2\tx\t\n",
        "Lclass|none||\n,age,class\n0,5,\"a\nb\"\n1,6,c\n2,7,c\n",
        "F||age|note\nnode,age,vip,since,colour,note\n2,30,True,1970-01-02,red,x\n0,,False,2020-02-29 12:00,blue,y\n"
        "1,50,?,NA,red,x\n",
        "Fcolour|who||\n,who,colour,size\n0,1,red,2\n1,0,blue,NA\n2,2,,4\n",
        "F|none||\ncolour,flag\nred,true\nblue,false\nred,true\n",
        "J{\"0\": [5, 12], \"2\": [],\n \"1\": [0, 5, 5]}\n",
        "J{\"a\\u00e9\\ud83d\\ude00\\n\": [1], \"b\": [2]}",
    };
    static const int32_t start_[] = {0, 1, 2, 2}, item[] = {1, 2}, shape[] = {3, 3};
    static const float data[] = {1, 0.5f};
    static const char *const formats[] = {"csr", "csc", "coo", "bsr"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) add((const uint8_t *)texts[i], strlen(texts[i]));
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        const bool coo = strcmp(formats[f], "coo") == 0;
        zip_bytes seed = {NULL, 0, 0};
        zip_add(&seed, "M", 1);
        add_piece(&seed, "format", "|S3", "", formats[f], 3);
        add_piece(&seed, "shape", "<i4", "2,", shape, sizeof shape);
        add_piece(&seed, coo ? "row" : "indptr", "<i4", coo ? "2," : "4,", start_, coo ? 8 : sizeof start_);
        add_piece(&seed, coo ? "col" : "indices", "<i4", "2,", item, sizeof item);
        add_piece(&seed, "data", "<f4", "2,", data, sizeof data);
        add(seed.bytes, seed.size);
        free(seed.bytes);
    }
}
