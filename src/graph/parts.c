#include "graph/parts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/numbers.h"
#include "io/npy.h"
#include "io/sniff.h"

crd_status crd_parts_new(const char *name, crd_parts *parts, crd_error *error)
{
    *parts = (crd_parts){.name = name, .edges.nodes = -1};
    return crd_dataset_new(&parts->dataset, error);
}

void crd_features_part_free(crd_parts *parts)
{
    crd_feature_part *part = &parts->features;
    crd_string_free(&part->file);
    crd_strings_free(&part->row_names, part->rows);
    crd_triplets_free(&part->triplets);
    *part = (crd_feature_part){0};
    if (parts->dataset != NULL) crd_features_free(&parts->dataset->features);
}

void crd_labels_part_free(crd_label_part *labels)
{
    crd_string_free(&labels->file);
    crd_ids_free(&labels->ids);
    crd_name_index_free(&labels->texts);
    free(labels->lines.line);
    free(labels->number);
    free(labels->text);
    *labels = (crd_label_part){0};
}

void crd_parts_free(crd_parts *parts)
{
    crd_string_free(&parts->edges.file);
    crd_ids_free(&parts->edges.ids);
    free(parts->edges.lines.line);
    free(parts->edges.source);
    free(parts->edges.target);
    crd_features_part_free(parts);
    crd_labels_part_free(&parts->labels);
    crd_string_free(&parts->names_file);
    crd_string_free(&parts->classes_file);
    crd_strings_free(&parts->node_names, parts->node_name_count);
    crd_strings_free(&parts->class_names, parts->class_name_count);
    crd_dataset_free(&parts->dataset);
    *parts = (crd_parts){0};
}

char *crd_trim(char *text)
{
    while (crd_is_blank(*text)) text++;
    size_t length = strlen(text);
    while (length > 0 && crd_is_blank(text[length - 1])) length--;
    text[length] = '\0';
    return text;
}

crd_status crd_lines_add(crd_lines *lines, int64_t line, crd_error *error)
{
    crd_status status = CRD_GROW(&lines->line, &lines->capacity, lines->count + 1, error);
    if (status == CRD_OK) lines->line[lines->count++] = line < UINT32_MAX ? (uint32_t)line : UINT32_MAX;
    return status;
}

int64_t crd_parts_known_nodes(const crd_parts *parts, const char **file)
{
    bool rows = parts->features.file != NULL && !parts->features.rows_declared;
    *file = parts->edges.nodes >= 0 ? parts->edges.file : rows ? parts->features.file : NULL;
    return parts->edges.nodes >= 0 ? parts->edges.nodes : rows ? parts->features.rows : -1;
}

crd_status crd_parts_expect(const crd_parts *parts, const char *file, int64_t count, crd_error *error)
{
    const char *known_from;
    int64_t known = crd_parts_known_nodes(parts, &known_from);
    if (known < 0 || known == count) return CRD_OK;
    return crd_fail(error, CRD_ERROR_MISMATCH, "%.250s: has %lld nodes, but %.250s has %lld", file,
                    (long long)count, known_from, (long long)known);
}

crd_status crd_check_columns(const char *file, int64_t columns, int64_t rows, int64_t entries,
                             crd_error *error)
{
    if (crd_believable_columns(columns, rows, entries)) return CRD_OK;
    return crd_fail(error, CRD_ERROR_FORMAT,
                    "%s: has %lld columns of features, which is out of all proportion to its %lld rows and "
                    "%lld entries",
                    file, (long long)columns, (long long)rows, (long long)entries);
}

/* Classes are told apart by their names, so names that do not do so are worse than numbers. */
crd_status crd_check_class_names(crd_parts *parts, crd_error *error)
{
    crd_name_index *unique;
    crd_status status = crd_name_index_new(&unique, error);
    const char *problem = NULL;
    for (int64_t c = 0; c < parts->class_name_count && status == CRD_OK && problem == NULL; c++) {
        char *name = crd_trim(parts->class_names[c]);
        memmove(parts->class_names[c], name, strlen(name) + 1);
        int64_t number = 0;
        status = crd_name_index_add(unique, parts->class_names[c], &number, error);
        if (number != c) problem = "two of them are the same";
        if (parts->class_names[c][0] == '\0') problem = "one of them is empty";
    }
    crd_name_index_free(&unique);
    if (status != CRD_OK || problem == NULL) return status;
    crd_strings_free(&parts->class_names, parts->class_name_count);
    parts->class_name_count = 0;
    return crd_dataset_add_note(parts->dataset, error, "the names of the classes are not used: %s", problem);
}

static crd_status read_name_list(crd_source *source, crd_part_kind kind, crd_parts *parts, crd_error *error)
{
    bool nodes = kind == CRD_PART_NODES;
    char **file = nodes ? &parts->names_file : &parts->classes_file;
    crd_status status = crd_copy_string(file, crd_source_name(source), error);
    if (status != CRD_OK) return status;
    return nodes ? crd_read_names(source, "node", &parts->node_names, &parts->node_name_count, error)
                 : crd_read_names(source, "class", &parts->class_names, &parts->class_name_count, error);
}

static crd_status read_features(crd_source *source, const char *path, crd_parts *parts, crd_error *error)
{
    crd_status status = crd_read_features(source, path, parts, error);
    const crd_triplets *triplets = &parts->features.triplets;
    if (status != CRD_OK || !parts->features.triplets_used) return status;
    return crd_check_columns(parts->features.file, triplets->columns, triplets->rows, triplets->count, error);
}

crd_status crd_read_part(const char *path, crd_part_kind kind, crd_parts *parts, crd_error *error)
{
    static const char *const what[] = {"edges", "node features", "labels", "node names", "class names"};
    struct stat facts;
    if (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode))
        return crd_fail(error, CRD_ERROR_IO, "%s: is a folder, expected a file of %s", path, what[kind]);
    crd_source *source;
    crd_status status = crd_source_open(path, &source, error);
    if (status != CRD_OK) return status;
    status = crd_refuse_foreign(source, error);
    if (status != CRD_OK) {
        crd_source_free(&source);
        return status;
    }
    switch (kind) {
    case CRD_PART_EDGES: status = crd_read_edges(source, parts, error); break;
    case CRD_PART_FEATURES: status = read_features(source, path, parts, error); break;
    case CRD_PART_LABELS: status = crd_read_labels(source, parts, error); break;
    default: status = read_name_list(source, kind, parts, error); break;
    }
    crd_source_free(&source);
    return status;
}
