/* From labels as they were written to classes: which there are, in which order, and each node's. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/parts.h"
#include "io/npy.h"

enum { UNKNOWN = -1 };

/* A distinct label: its text's number in the index, and its value if it is a number. */
typedef struct label_value {
    const char *text;
    int64_t number;
    int64_t index;
} label_value;

static int compare_texts(const void *a, const void *b)
{
    return strcmp(((const label_value *)a)->text, ((const label_value *)b)->text);
}

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = ((const label_value *)a)->number, y = ((const label_value *)b)->number;
    return (x > y) - (x < y);
}

/* "FILE: line 3" or "FILE: label 3" of the first row with a text (or of row `row` if text < 0). */
static crd_status refuse_label(const crd_label_part *labels, int64_t row, int64_t text, const char *problem,
                               crd_error *error)
{
    while (text >= 0 && labels->text[row] != text) row++;
    bool has_lines = labels->lines.count > 0;
    char buffer[CRD_ID_SIZE];
    const char *label = buffer;
    if (labels->texts != NULL) label = crd_name_index_name(labels->texts, labels->text[row]);
    else snprintf(buffer, sizeof buffer, "%" PRId64, labels->number[row]);
    return crd_fail(error, CRD_ERROR_FORMAT, "%.300s: %s %lld: label '%.60s' %s", labels->file,
                    has_lines ? "line" : "label", has_lines ? (long long)labels->lines.line[row]
                        : (long long)row,
                    label, problem);
}

/* The class of a label that is an index: -1 means unknown, everything else must be a class. */
static crd_status class_of_index(const crd_label_part *labels, int64_t row, int64_t text, int64_t number,
                                 int64_t classes, bool from_names, int32_t *class_index, crd_error *error)
{
    *class_index = UNKNOWN;
    if (number == CRD_LABEL_MISSING || number == -1) return CRD_OK;
    if (number < 0)
        return refuse_label(labels, row, text,
                            "is negative; expected a class from 0, or -1 where it is unknown",
                            error);
    if (number >= classes)
        return refuse_label(labels, row, text,
                            from_names ? "is not below the number of class names"
                                       : "is not below the number of nodes: more classes than nodes",
                            error);
    *class_index = (int32_t)number;
    return CRD_OK;
}

/* Classes that the input lists: labels are their names, or their numbers. */
static crd_status class_in_list(const crd_parts *parts, const crd_name_index *list, int64_t text,
                                int32_t *class_index, crd_error *error)
{
    const crd_label_part *labels = &parts->labels;
    const char *label = crd_name_index_name(labels->texts, text);
    int64_t number = labels->class_indices ? -1 : crd_name_index_find(list, label);
    *class_index = (int32_t)number;
    if (number >= 0 || crd_is_missing(label)) return CRD_OK;
    if (crd_label_number(label, &number))
        return class_of_index(labels, 0, text, number, parts->class_name_count, true, class_index, error);
    return refuse_label(labels, 0, text, "is not in the list of classes", error);
}

static crd_status classes_in_list(const crd_parts *parts, int32_t *class_of, crd_error *error)
{
    crd_name_index *list;
    crd_status status = crd_name_index_new(&list, error);
    for (int64_t c = 0; c < parts->class_name_count && status == CRD_OK; c++) {
        int64_t number;
        status = crd_name_index_add(list, parts->class_names[c], &number, error);
        if (status == CRD_OK && number != c)
            status = crd_fail(error, CRD_ERROR_FORMAT,
                              "%.300s: classes %lld and %lld have the same name, '%.60s'",
                              parts->classes_file, (long long)number, (long long)c, parts->class_names[c]);
    }
    for (int64_t t = 0; t < crd_name_index_count(parts->labels.texts) && status == CRD_OK; t++)
        status = class_in_list(parts, list, t, &class_of[t], error);
    crd_name_index_free(&list);
    return status;
}

/* Gives the sorted values their classes and names; equal numbers are one class. A number in a text file may
 * be written in several ways ("3", "3.0") and is called as we print it; a name stays as it is. */
static crd_status name_classes(crd_parts *parts, const label_value *values, int64_t count, bool numbers,
                               int32_t *class_of, crd_error *error)
{
    crd_dataset *dataset = parts->dataset;
    bool print = numbers && !parts->labels.names_only;
    crd_status status = CRD_NEW_ZERO(&dataset->class_names, count, error);
    dataset->classes = 0;
    for (int64_t v = 0; v < count && status == CRD_OK; v++) {
        if (v == 0 || !numbers || values[v].number != values[v - 1].number) {
            char number[CRD_ID_SIZE];
            snprintf(number, sizeof number, "%" PRId64, values[v].number);
            status = crd_copy_string(&dataset->class_names[dataset->classes++],
                                     print ? number : values[v].text, error);
        }
        class_of[values[v].index] = dataset->classes - 1;
    }
    return status;
}

/* Numbers that are indices of classes: those in between are classes, too. */
static crd_status classes_by_index(crd_parts *parts, const label_value *values, int64_t count, int64_t nodes,
                                   int32_t *class_of, crd_error *error)
{
    crd_status status = CRD_OK;
    for (int64_t v = 0; v < count && status == CRD_OK; v++) {
        int32_t *of_value = &class_of[values[v].index];
        status = class_of_index(&parts->labels, 0, values[v].index, values[v].number, nodes, false, of_value,
                                error);
        if (*of_value >= parts->dataset->classes) parts->dataset->classes = *of_value + 1;
    }
    return status;
}

/* Classes that show themselves by their labels alone: those that occur. */
static crd_status classes_from_texts(crd_parts *parts, int64_t nodes, int32_t *class_of, crd_error *error)
{
    crd_label_part *labels = &parts->labels;
    int64_t distinct = crd_name_index_count(labels->texts), count = 0;
    label_value *values;
    crd_status status = CRD_NEW(&values, distinct, error);
    if (status != CRD_OK) return status;
    bool numbers = true, minus_one = false;
    for (int64_t t = 0; t < distinct; t++) {
        label_value value = {crd_name_index_name(labels->texts, t), 0, t};
        class_of[t] = UNKNOWN;
        if (crd_is_missing(value.text)) continue;
        if (strcmp(value.text, "-1") == 0 && !labels->names_only) { /* as arrays write it */
            minus_one = true;
            continue;
        }
        if (!crd_label_number(value.text, &value.number)) numbers = false;
        values[count++] = value;
    }
    if (minus_one)
        status = crd_dataset_add_note(parts->dataset, error, "%.200s: labels of -1 are read as unknown",
                                      labels->file);
    if (numbers) {
        int64_t known = 0;
        for (int64_t v = 0; v < count && status == CRD_OK; v++) {
            int32_t unused;
            if (values[v].number < 0)
                status = class_of_index(labels, 0, values[v].index, values[v].number, 0, false, &unused,
                                        error);
            else values[known++] = values[v];
        }
        count = known;
    }
    if (status == CRD_OK && numbers && labels->class_indices)
        status = classes_by_index(parts, values, count, nodes, class_of, error);
    else if (status == CRD_OK) {
        qsort(values, (size_t)count, sizeof *values, numbers ? compare_numbers : compare_texts);
        status = name_classes(parts, values, count, numbers, class_of, error);
    }
    free(values);
    return status;
}

static crd_status place_label(const crd_label_part *labels, int64_t row, int64_t node, int32_t class_index,
                              int32_t *of_nodes, crd_error *error)
{
    if (class_index == UNKNOWN) return CRD_OK;
    if (of_nodes[node] != UNKNOWN && of_nodes[node] != class_index)
        return refuse_label(labels, row, -1, "contradicts an earlier label of the same node", error);
    of_nodes[node] = class_index;
    return CRD_OK;
}

static crd_status place_all(crd_parts *parts, int64_t nodes, const int32_t *node_of, const int32_t *class_of,
                            crd_error *error)
{
    crd_label_part *labels = &parts->labels;
    crd_dataset *dataset = parts->dataset;
    int64_t limit = parts->class_names != NULL ? parts->class_name_count : nodes;
    crd_status status = CRD_NEW(&dataset->labels, nodes, error);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++) dataset->labels[i] = UNKNOWN;
    for (int64_t row = 0; row < labels->count && status == CRD_OK; row++) {
        int32_t class_index;
        if (labels->texts != NULL) class_index = class_of[labels->text[row]];
        else
            status = class_of_index(labels, row, -1, labels->number[row], limit, parts->class_names != NULL,
                                    &class_index, error);
        if (status != CRD_OK) break;
        if (labels->texts == NULL && class_index >= dataset->classes) dataset->classes = class_index + 1;
        status = place_label(labels, row, node_of == NULL ? row : node_of[row], class_index, dataset->labels,
                             error);
    }
    return status;
}

crd_status crd_parts_settle_labels(crd_parts *parts, int64_t nodes, const int32_t *node_of, crd_error *error)
{
    crd_dataset *dataset = parts->dataset;
    int32_t *class_of = NULL;
    crd_status status = CRD_OK;
    if (parts->class_name_count > INT32_MAX)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: too many classes", parts->classes_file);
    if (parts->labels.texts != NULL) {
        status = CRD_NEW(&class_of, crd_name_index_count(parts->labels.texts), error);
        if (status == CRD_OK && parts->class_names != NULL) status = classes_in_list(parts, class_of, error);
        else if (status == CRD_OK) status = classes_from_texts(parts, nodes, class_of, error);
    }
    if (status == CRD_OK && parts->labels.file != NULL) status = place_all(parts, nodes, node_of, class_of,
                                                                           error);
    free(class_of);
    if (status == CRD_OK && parts->class_names != NULL) {
        dataset->class_names = parts->class_names;
        dataset->classes = (int32_t)parts->class_name_count;
        parts->class_names = NULL;
        parts->class_name_count = 0;
    }
    return status;
}
