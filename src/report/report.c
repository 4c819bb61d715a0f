#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "credence_private.h"

crd_status crd_report_new(const char *title, crd_report **report, crd_error *error)
{
    *report = NULL;
    crd_report *made;
    crd_status status = CRD_NEW_ZERO(&made, 1, error);
    if (status == CRD_OK) status = crd_copy_string(&made->title, title, error);
    if (status == CRD_OK) *report = made;
    else free(made);
    return status;
}

void crd_report_cut(crd_report *report, int64_t parts, int64_t blocks)
{
    for (; report->parts > parts; report->parts--) {
        free(report->part[report->parts - 1].kind);
        free(report->part[report->parts - 1].title);
    }
    for (; report->blocks > blocks; report->blocks--) {
        free(report->block[report->blocks - 1].name);
        free(report->block[report->blocks - 1].packed);
    }
}

void crd_report_free(crd_report **report)
{
    if (report == NULL || *report == NULL) return;
    crd_report *r = *report;
    crd_report_cut(r, 0, 0);
    free(r->part);
    free(r->block);
    free(r->title);
    free(r);
    *report = NULL;
}

crd_status crd_report_begin(crd_report *report, const char *kind, const char *title, crd_error *error)
{
    if (strcmp(kind, "model") != 0 && strcmp(kind, "experiment") != 0 && strcmp(kind, "tuning") != 0)
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "a part of a report is of the kind \"model\", \"experiment\" or \"tuning\", not \"%.40s\"",
                        kind);
    crd_status status = CRD_GROW(&report->part, &report->part_capacity, report->parts + 1, error);
    if (status != CRD_OK) return status;
    crd_report_part part = {NULL, NULL};
    status = crd_copy_string(&part.kind, kind, error);
    if (status == CRD_OK) status = crd_copy_string(&part.title, title, error);
    if (status == CRD_OK) {
        report->part[report->parts++] = part;
    } else {
        free(part.kind);
        free(part.title);
    }
    return status;
}

/* Names end up in the page's markup. */
static bool is_name(const char *name)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    return name[0] != '\0' && strlen(name) <= 64 && strspn(name, LETTERS) == strlen(name);
}

static crd_status check_name(const crd_report *report, const char *name, crd_error *error)
{
    if (report->parts == 0)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the block \"%.40s\" of a report belongs to no part yet", name);
    if (!is_name(name))
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "a block of a report cannot be called \"%.40s\": expected letters, digits, _ and -", name);
    for (int64_t b = 0; b < report->blocks; b++)
        if (report->block[b].part == report->parts - 1 && strcmp(report->block[b].name, name) == 0)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "this part of the report has a block \"%s\" already", name);
    return CRD_OK;
}

static crd_status add_block(crd_report *report, const char *name, const char *type, const void *bytes, size_t size,
                            crd_error *error)
{
    crd_report_block block = {.part = report->parts - 1, .type = type};
    crd_status status = CRD_GROW(&report->block, &report->block_capacity, report->blocks + 1, error);
    if (status == CRD_OK) status = crd_copy_string(&block.name, name, error);
    if (status == CRD_OK) status = crd_report_pack(bytes, size, &block.packed, error);
    if (status == CRD_OK) report->block[report->blocks++] = block;
    else free(block.name);
    return status;
}

crd_status crd_report_add_json(crd_report *report, const char *name, const char *json, crd_error *error)
{
    crd_status status = check_name(report, name, error);
    if (status != CRD_OK) return status;
    json_error_t problem;
    json_t *parsed = json_loads(json, JSON_DECODE_ANY, &problem);
    if (parsed == NULL && json_error_code(&problem) == json_error_out_of_memory)
        return crd_fail_memory(error, strlen(json));
    if (parsed == NULL)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the block \"%s\" of a report is not good JSON: %.160s", name,
                        problem.text);
    json_decref(parsed);
    return add_block(report, name, "json", json, strlen(json), error);
}

/* The page's arrays are little-endian, whatever the processor. */
static void turn_items(const unsigned char *values, size_t item, int64_t count, unsigned char *turned)
{
    for (int64_t i = 0; i < count; i++)
        for (size_t b = 0; b < item; b++) turned[(size_t)i * item + b] = values[(size_t)i * item + item - 1 - b];
}

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

crd_status crd_report_add_array(crd_report *report, const char *name, crd_report_type type, const void *values,
                                int64_t count, crd_error *error)
{
    static const struct {
        const char *name;
        size_t size;
    } TYPES[] = {{"uint8", 1}, {"uint16", 2}, {"int16", 2}, {"int32", 4}, {"float32", 4}};
    const int index = (int)type;
    crd_status status = check_name(report, name, error);
    if (status != CRD_OK) return status;
    if (index < 0 || index >= (int)(sizeof TYPES / sizeof TYPES[0]))
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the array type %d of a report does not exist", index);
    int64_t bytes;
    if (!crd_multiply(count, (int64_t)TYPES[index].size, &bytes))
        return crd_fail(error, CRD_ERROR_ARGUMENT, "an array of %lld numbers cannot be in a report",
                        (long long)count);
    if (TYPES[index].size == 1 || is_little_endian())
        return add_block(report, name, TYPES[index].name, values, (size_t)bytes, error);
    unsigned char *turned;
    status = CRD_NEW(&turned, bytes, error);
    if (status != CRD_OK) return status;
    turn_items(values, TYPES[index].size, count, turned);
    status = add_block(report, name, TYPES[index].name, turned, (size_t)bytes, error);
    free(turned);
    return status;
}
