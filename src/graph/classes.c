/* SPDX-License-Identifier: MIT */
/* Station 3, labels: which classes there are, their order, and the class of each node. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "graph/raw.h"

enum { UNKNOWN = -1 };

/* A distinct label, and its value if it is a number. */
typedef struct label_value {
    const char *text;
    int64_t number;
    int64_t index; /* of the text */
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

/* Fails with "FILE: line 3" or "FILE: label 3" of a row. */
static crd_status refuse_row(const crd_raw_labels *labels, int64_t row, const char *problem, crd_error *error)
{
    bool has_lines = labels->lines.count > 0;
    return crd_fail(error, CRD_ERROR_FORMAT, "%.300s: %s %lld: label '%.60s' %s", labels->file,
                    has_lines ? "line" : "label", has_lines ? (long long)labels->lines.line[row] : (long long)row,
                    crd_name_index_name(labels->texts, labels->text[row]), problem);
}

/* The same for the first row with a text. */
static crd_status refuse_text(const crd_raw_labels *labels, int64_t text, const char *problem, crd_error *error)
{
    int64_t row = 0;
    while (labels->text[row] != text) row++;
    return refuse_row(labels, row, problem, error);
}

static crd_status refuse_negative(const crd_raw_labels *labels, int64_t text, crd_error *error)
{
    return refuse_text(labels, text, "is negative; expected a class from 0, or -1 where it is unknown", error);
}

/* ---- classes that the input lists ---- */

static bool names_are_numbers(const crd_raw_names *names)
{
    int64_t number;
    for (int64_t c = 0; c < names->count; c++)
        if (!crd_label_number(names->name[c], &number)) return false;
    return true;
}

/* The number of the first class: 1 if no label is 0 and the largest is the number of classes, which would not exist
 * otherwise; else 0. */
static int64_t first_number(const crd_raw *raw, const crd_name_index *list)
{
    const crd_raw_labels *labels = &raw->labels;
    int64_t smallest = INT64_MAX, largest = 0, number;
    for (int64_t t = 0; t < crd_name_index_count(labels->texts); t++) {
        const char *label = crd_name_index_name(labels->texts, t);
        if (!labels->indices && crd_name_index_find(list, label) >= 0) continue;
        if (!crd_label_number(label, &number) || number < 0) continue;
        if (number < smallest) smallest = number;
        if (number > largest) largest = number;
    }
    return largest > 0 && smallest > 0 && largest == raw->classes.count;
}

/* Labels are the names of classes, or their numbers from `first` on. */
static crd_status find_in_list(const crd_raw *raw, const crd_name_index *list, int64_t first, int64_t text,
                               int32_t *class_index, crd_error *error)
{
    const crd_raw_labels *labels = &raw->labels;
    const char *label = crd_name_index_name(labels->texts, text);
    int64_t number = labels->indices ? UNKNOWN : crd_name_index_find(list, label);
    *class_index = (int32_t)number;
    if (number >= 0 || crd_is_missing(label)) return CRD_OK;
    if (!crd_label_number(label, &number)) return refuse_text(labels, text, "is not in the list of classes", error);
    if (number < UNKNOWN) return refuse_negative(labels, text, error);
    /* If the names are numbers themselves, a number is a name and never a place in the list. */
    if (number != UNKNOWN && !labels->indices && raw->classes.count > 0 && names_are_numbers(&raw->classes))
        return refuse_text(labels, text, "is not in the list of classes", error);
    if (number != UNKNOWN) number -= first;
    if (number >= raw->classes.count) return refuse_text(labels, text, "is not below the number of class names", error);
    *class_index = (int32_t)number;
    return CRD_OK;
}

static crd_status classes_in_list(crd_raw *raw, const crd_name_index *list, crd_dataset *dataset, int32_t *class_of,
                                  crd_error *error)
{
    crd_raw_names *classes = &raw->classes;
    crd_status status = CRD_OK;
    if (classes->count > INT32_MAX) return crd_fail(error, CRD_ERROR_FORMAT, "%s: too many classes", classes->file);
    const int64_t first = first_number(raw, list);
    for (int64_t t = 0; t < crd_name_index_count(raw->labels.texts) && status == CRD_OK; t++)
        status = find_in_list(raw, list, first, t, &class_of[t], error);
    if (status == CRD_OK && first > 0)
        status = crd_note(&raw->notes, error, "%.200s: labels start at 1, which is the class %.60s", raw->labels.file,
                          classes->name[0]);
    if (status != CRD_OK) return status;
    dataset->class_names = classes->name;
    dataset->classes = (int32_t)classes->count;
    classes->name = NULL;
    classes->count = 0;
    return CRD_OK;
}

/* ---- classes known only from the labels that occur ---- */

/* The labels that are not unknown, and whether all of them are numbers. */
static crd_status list_values(crd_raw *raw, int64_t nodes, label_value *values, int64_t *count, bool *numbers,
                              int32_t *class_of, crd_error *error)
{
    crd_raw_labels *labels = &raw->labels;
    bool minus_one = false;
    *numbers = true;
    *count = 0;
    for (int64_t t = 0; t < crd_name_index_count(labels->texts); t++) {
        label_value value = {crd_name_index_name(labels->texts, t), 0, t};
        class_of[t] = UNKNOWN;
        if (crd_is_missing(value.text)) continue;
        if (strcmp(value.text, "-1") == 0 && !labels->names_only) { /* how arrays write "unknown" */
            minus_one = !labels->indices;
            continue;
        }
        if (!crd_label_number(value.text, &value.number)) *numbers = false;
        values[(*count)++] = value;
    }
    for (int64_t v = 0; v < *count && *numbers; v++) {
        if (values[v].number < 0) return refuse_negative(labels, values[v].index, error);
        if (labels->indices && values[v].number > nodes)
            return refuse_text(labels, values[v].index, "is above the number of nodes: more classes than nodes", error);
    }
    if (!minus_one) return CRD_OK;
    return crd_note(&raw->notes, error, "%.200s: labels of -1 are read as unknown", labels->file);
}

static crd_status add_class(crd_dataset *dataset, int64_t number, const char *text, crd_error *error)
{
    char printed[CRD_ID_SIZE];
    snprintf(printed, sizeof printed, "%" PRId64, number);
    return crd_copy_string(&dataset->class_names[dataset->classes++], text != NULL ? text : printed, error);
}

/* Numbers are indices. Those in between are classes too, until finish.c drops classes without nodes. */
static crd_status classes_by_index(const label_value *values, int64_t count, crd_dataset *dataset, int32_t *class_of,
                                   crd_error *error)
{
    int64_t classes = count > 0 ? values[count - 1].number + 1 : 0;
    crd_status status = CRD_NEW_ZERO(&dataset->class_names, classes, error);
    for (int64_t c = 0; c < classes && status == CRD_OK; c++) status = add_class(dataset, c, NULL, error);
    for (int64_t v = 0; v < count; v++) class_of[values[v].index] = (int32_t)values[v].number;
    return status;
}

/* Equal numbers are one class. A text file may write a number in several ways ("3", "3.0"), so its name is how we
 * print it; other names stay as they are. */
static crd_status classes_that_occur(const label_value *values, int64_t count, bool numbers, bool print,
                                     crd_dataset *dataset, int32_t *class_of, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(&dataset->class_names, count, error);
    for (int64_t v = 0; v < count && status == CRD_OK; v++) {
        if (v == 0 || !numbers || values[v].number != values[v - 1].number)
            status = add_class(dataset, values[v].number, print ? NULL : values[v].text, error);
        class_of[values[v].index] = dataset->classes - 1;
    }
    return status;
}

static crd_status classes_from_labels(crd_raw *raw, int64_t nodes, crd_dataset *dataset, int32_t *class_of,
                                      crd_error *error)
{
    label_value *values;
    int64_t count;
    bool numbers;
    crd_status status = CRD_NEW(&values, crd_name_index_count(raw->labels.texts), error);
    if (status != CRD_OK) return status;
    status = list_values(raw, nodes, values, &count, &numbers, class_of, error);
    if (status == CRD_OK && count > 0)
        qsort(values, (size_t)count, sizeof *values, numbers ? compare_numbers : compare_texts);
    if (status == CRD_OK && numbers && raw->labels.indices)
        status = classes_by_index(values, count, dataset, class_of, error);
    else if (status == CRD_OK)
        status =
            classes_that_occur(values, count, numbers, numbers && !raw->labels.names_only, dataset, class_of, error);
    crd_free(values);
    return status;
}

/* ---- each node's ---- */

static crd_status place_labels(const crd_raw *raw, const crd_nodes *nodes, const int32_t *class_of, int32_t *of_nodes,
                               crd_error *error)
{
    const crd_raw_labels *labels = &raw->labels;
    for (int64_t i = 0; i < nodes->count; i++) of_nodes[i] = UNKNOWN;
    for (int64_t row = 0; row < labels->count; row++) {
        int32_t class_index = class_of[labels->text[row]];
        int64_t node = nodes->label_of != NULL ? nodes->label_of[row] : row;
        if (class_index == UNKNOWN) continue;
        if (of_nodes[node] != UNKNOWN && of_nodes[node] != class_index)
            return refuse_row(labels, row, "contradicts an earlier label of the same node", error);
        of_nodes[node] = class_index;
    }
    return CRD_OK;
}

crd_status crd_make_classes(crd_raw *raw, const crd_nodes *nodes, crd_dataset *dataset, crd_error *error)
{
    int32_t *class_of = NULL;
    crd_raw_names *classes = &raw->classes;
    crd_name_index *list = NULL;
    crd_status status = CRD_NEW(&class_of, crd_name_index_count(raw->labels.texts), error);
    if (status == CRD_OK) status = CRD_NEW(&dataset->labels, nodes->count, error);
    if (status == CRD_OK && classes->name != NULL)
        status = crd_index_names(raw, classes->name, classes->count, classes->file, "class", classes->required, &list,
                                 error);
    if (status == CRD_OK)
        status = list != NULL ? classes_in_list(raw, list, dataset, class_of, error)
                              : classes_from_labels(raw, nodes->count, dataset, class_of, error);
    if (status == CRD_OK) status = place_labels(raw, nodes, class_of, dataset->labels, error);
    crd_name_index_free(&list);
    crd_free(class_of);
    return status;
}
