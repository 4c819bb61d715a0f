#include "graph/parts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/npy.h"
#include "io/numbers.h"

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

static crd_status read_name_list(crd_source *source, crd_part_kind kind, crd_parts *parts, crd_error *error)
{
    bool nodes = kind == CRD_PART_NODES;
    char **file = nodes ? &parts->names_file : &parts->classes_file;
    crd_status status = crd_copy_string(file, crd_source_name(source), error);
    if (status != CRD_OK) return status;
    return nodes ? crd_read_names(source, "node", &parts->node_names, &parts->node_name_count, error)
                 : crd_read_names(source, "class", &parts->class_names, &parts->class_name_count, error);
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
    switch (kind) {
    case CRD_PART_EDGES: status = crd_read_edges(source, parts, error); break;
    case CRD_PART_FEATURES: status = crd_read_features(source, path, parts, error); break;
    case CRD_PART_LABELS: status = crd_read_labels(source, parts, error); break;
    default: status = read_name_list(source, kind, parts, error); break;
    }
    crd_source_free(&source);
    return status;
}
