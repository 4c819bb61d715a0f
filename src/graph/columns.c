/* SPDX-License-Identifier: MIT */
/* The columns of a table that the options name. */
#include <stdio.h>
#include <string.h>

#include "base/numbers.h"
#include "graph/raw.h"

bool crd_is_none(const char *option)
{
    return option != NULL && crd_is_word(option, "none");
}

crd_status crd_find_column(const crd_raw *raw, const crd_csv *csv, const char *option, const char *wanted,
                           int64_t *column, bool *named, crd_error *error)
{
    int64_t number;
    *column = -1;
    if (wanted == NULL) return CRD_OK;
    const bool place = crd_id_number(wanted, &number) && number >= 1 && number <= csv->count;
    if (place && raw->header != CRD_HEADER_YES) {
        *column = number - 1;
        return CRD_OK;
    }
    for (int64_t f = 0; f < csv->count && raw->header != CRD_HEADER_NO; f++) {
        if (strcmp(crd_trim(csv->field[f]), wanted) != 0) continue;
        if (*column >= 0)
            return crd_fail_about(error, CRD_ERROR_FORMAT, option,
                                  "is '%.60s', but %.250s has two columns of this name", wanted,
                                  crd_source_name(csv->source));
        *column = f;
        *named = true;
    }
    if (*column < 0 && place) *column = number - 1;
    return CRD_OK;
}

void crd_list_columns(const crd_csv *csv, char text[CRD_COLUMN_LIST])
{
    size_t length = 0;
    text[0] = '\0';
    for (int64_t f = 0; f < csv->count; f++) {
        char name[48];
        const bool more = f + 1 < csv->count;
        const int size = snprintf(name, sizeof name, "%.40s%s", csv->field[f], more ? ", " : "");
        if (length + (size_t)size + sizeof "..." > CRD_COLUMN_LIST) {
            snprintf(text + length, CRD_COLUMN_LIST - length, "...");
            return;
        }
        memcpy(text + length, name, (size_t)size + 1);
        length += (size_t)size;
    }
}

crd_status crd_refuse_column(const char *file, const crd_csv *csv, const char *option, const char *wanted,
                             crd_error *error)
{
    char names[CRD_COLUMN_LIST];
    crd_list_columns(csv, names);
    return crd_fail_about(error, CRD_ERROR_MISMATCH, option, "is '%.60s', but the columns of %.200s are %s", wanted,
                          file, names);
}

crd_status crd_check_columns_found(const crd_raw *raw, crd_error *error)
{
    if (raw->label_column != NULL && !raw->label_column_found)
        return crd_fail_about(
            error, CRD_ERROR_MISMATCH, "label-column",
            "is '%.60s', but there is no table of labels; if the features' table has them, give it as "
            "labels too",
            raw->label_column);
    if (raw->id_column != NULL && !raw->id_column_found)
        return crd_fail_about(error, CRD_ERROR_MISMATCH, "id-column", "is '%.60s', but no table has such a column",
                              raw->id_column);
    const bool categories = raw->category_columns != NULL;
    if ((categories || raw->ignore_columns != NULL) && !raw->feature_columns_found)
        return crd_fail_about(error, CRD_ERROR_MISMATCH, categories ? "category-columns" : "ignore-columns",
                              "is '%.60s', but there is no table of features",
                              categories ? raw->category_columns : raw->ignore_columns);
    return CRD_OK;
}
