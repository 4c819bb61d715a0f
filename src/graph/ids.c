#include "graph/ids.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_DIGITS = 18 }; /* they fit into 64 bits whatever they are */

bool crd_id_number(const char *text, int64_t *number)
{
    if (text[0] == '0') {
        *number = 0;
        return text[1] == '\0';
    }
    int64_t value = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9' && c - text < MOST_DIGITS; c++) value = 10 * value + (*c - '0');
    *number = value;
    return c != text && *c == '\0';
}

const char *crd_ids_text(const crd_ids *ids, int64_t index, char buffer[CRD_ID_SIZE])
{
    if (ids->names != NULL) return crd_name_index_name(ids->names, ids->token[index]);
    snprintf(buffer, CRD_ID_SIZE, "%" PRId64, ids->token[index]);
    return buffer;
}

static crd_status append(crd_ids *ids, int64_t token, crd_error *error)
{
    crd_status status = CRD_GROW(&ids->token, &ids->capacity, ids->count + 1, error);
    if (status == CRD_OK) ids->token[ids->count++] = token;
    return status;
}

/* Numbers are printed as they were read, because crd_id_number takes no other spelling. */
static crd_status become_names(crd_ids *ids, crd_error *error)
{
    crd_name_index *names;
    crd_status status = crd_name_index_new(&names, error);
    for (int64_t i = 0; i < ids->count && status == CRD_OK; i++) {
        char buffer[CRD_ID_SIZE];
        status = crd_name_index_add(names, crd_ids_text(ids, i, buffer), &ids->token[i], error);
    }
    if (status == CRD_OK) ids->names = names;
    else crd_name_index_free(&names);
    return status;
}

crd_status crd_ids_add(crd_ids *ids, const char *text, crd_error *error)
{
    int64_t token;
    crd_status status = CRD_OK;
    if (ids->names == NULL) {
        if (crd_id_number(text, &token)) return append(ids, token, error);
        status = become_names(ids, error);
    }
    if (status == CRD_OK) status = crd_name_index_add(ids->names, text, &token, error);
    return status == CRD_OK ? append(ids, token, error) : status;
}

crd_status crd_ids_prepend(crd_ids *ids, const char *const *texts, int64_t count, crd_error *error)
{
    crd_ids all = {0};
    crd_status status = CRD_OK;
    for (int64_t i = 0; i < count && status == CRD_OK; i++) status = crd_ids_add(&all, texts[i], error);
    for (int64_t i = 0; i < ids->count && status == CRD_OK; i++) {
        char buffer[CRD_ID_SIZE];
        status = crd_ids_add(&all, crd_ids_text(ids, i, buffer), error);
    }
    if (status != CRD_OK) {
        crd_ids_free(&all);
        return status;
    }
    crd_ids_free(ids);
    *ids = all;
    return CRD_OK;
}

void crd_ids_free(crd_ids *ids)
{
    free(ids->token);
    crd_name_index_free(&ids->names);
    *ids = (crd_ids){0};
}
