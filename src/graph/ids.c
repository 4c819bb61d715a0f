#include "graph/ids.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/text_formats.h"

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

/* What a name is if it is a number: a node's (then *number has it), another, or none. Digits that
 * crd_id_number does not take ("007", or too many of them) are a name. */
enum { NODE_NUMBER, OTHER_NUMBER, NO_NUMBER };
static int kind_of_name(const char *name, int64_t *number)
{
    double value;
    int64_t whole;
    if (crd_id_number(name, number)) return NODE_NUMBER;
    bool digits = name[0] >= '0' && name[0] <= '9' && crd_parse_int64(name, &whole);
    if (digits || !crd_parse_double(name, &value)) return NO_NUMBER;
    if (!(value >= 0 && value <= 1e15 && value == floor(value) && !signbit(value))) return OTHER_NUMBER;
    *number = (int64_t)value;
    return NODE_NUMBER;
}

crd_status crd_ids_settle(crd_ids *ids, int64_t *wrong, crd_error *error)
{
    int64_t distinct = crd_name_index_count(ids->names), of_kind[3] = {0};
    int64_t *number;
    *wrong = -1;
    if (ids->names == NULL) return CRD_OK;
    crd_status status = CRD_NEW(&number, distinct, error);
    if (status != CRD_OK) return status;
    for (int64_t n = 0; n < distinct && of_kind[NO_NUMBER] == 0; n++)
        of_kind[kind_of_name(crd_name_index_name(ids->names, n), &number[n])]++;
    if (of_kind[NODE_NUMBER] == distinct) {
        for (int64_t i = 0; i < ids->count; i++) ids->token[i] = number[ids->token[i]];
        crd_name_index_free(&ids->names);
    } else if (of_kind[NO_NUMBER] == 0 && of_kind[NODE_NUMBER] > 0) {
        do ++*wrong;
        while (kind_of_name(crd_name_index_name(ids->names, ids->token[*wrong]), number) == NODE_NUMBER);
    }
    free(number);
    return CRD_OK;
}

bool crd_ids_have_name(const crd_ids *ids, const char *name)
{
    return crd_name_index_find(ids->names, name) >= 0;
}

void crd_ids_drop_waiting(crd_ids *ids)
{
    crd_string_free(&ids->waiting[0]);
    crd_string_free(&ids->waiting[1]);
}

void crd_ids_free(crd_ids *ids)
{
    free(ids->token);
    crd_name_index_free(&ids->names);
    crd_ids_drop_waiting(ids);
    *ids = (crd_ids){0};
}
