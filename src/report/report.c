#include "report/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/outfile.h"
#include "base/random.h"
#include "base/text.h"
#include "credence_private.h"

/* ---- blocks as text ---- */

/* zlib uses our allocator; it overwrites what it gets. */
static void *allocate(void *user, uInt items, uInt size)
{
    (void)user;
    void *memory;
    return crd_allocate(&memory, (int64_t)items, size, false, NULL) == CRD_OK ? memory : NULL;
}

static void release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

/* 16: a gzip header, which zlib writes with neither a time nor a name. */
enum { GZIP_WINDOW = 15 + 16, MEMORY = 9 };

static crd_status compress_bytes(const void *bytes, size_t size, unsigned char **gzip, size_t *length, crd_error *error)
{
    z_stream stream = {.zalloc = allocate, .zfree = release};
    *gzip = NULL;
    if (size > UINT_MAX / 2)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%zu bytes of one kind are more than a page can hold, which is %u",
                        size, UINT_MAX / 2);
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return crd_fail_memory(error, (size_t)1 << 18);
    const uLong bound = deflateBound(&stream, (uLong)size);
    crd_status status = CRD_NEW(gzip, bound, error);
    if (status == CRD_OK) {
        stream.next_in = (Bytef *)bytes;
        stream.avail_in = (uInt)size;
        stream.next_out = *gzip;
        stream.avail_out = (uInt)bound;
        (void)deflate(&stream, Z_FINISH); /* there is room for all of it */
        *length = (size_t)stream.total_out;
        (*gzip)[9] = 0xff; /* the operating system: fixed, so that the page is the same everywhere */
    }
    deflateEnd(&stream);
    return status;
}

static void encode(const unsigned char *bytes, size_t size, char *text)
{
    static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const unsigned word = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0u) |
                              (left > 2 ? (unsigned)bytes[i + 2] : 0u);
        *text++ = LETTERS[word >> 18];
        *text++ = LETTERS[word >> 12 & 63];
        *text++ = left > 1 ? LETTERS[word >> 6 & 63] : '=';
        *text++ = left > 2 ? LETTERS[word & 63] : '=';
    }
    *text = '\0';
}

crd_status crd_report_pack(const void *bytes, size_t size, char **packed, crd_error *error)
{
    unsigned char *gzip;
    size_t length = 0;
    *packed = NULL;
    crd_status status = compress_bytes(bytes, size, &gzip, &length, error);
    if (status == CRD_OK) status = CRD_NEW(packed, (length + 2) / 3 * 4 + 1, error);
    if (status == CRD_OK) encode(gzip, length, *packed);
    free(gzip);
    return status;
}

/* ---- parts and blocks ---- */

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

/* Names go into the page's markup. */
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

/* The page's arrays are little-endian on every machine. */
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
        return crd_fail(error, CRD_ERROR_ARGUMENT, "an array of %lld numbers cannot be in a report", (long long)count);
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

/* ---- the page ---- */

/* {"title": ..., "credence": ..., "parts": [...]} */
static crd_status contents_json(const crd_report *report, char **json, crd_error *error)
{
    crd_text text = {0};
    crd_text_add(&text, "{");
    crd_json_add_string(&text, "title", report->title);
    crd_json_add_string(&text, "credence", crd_version());
    crd_json_open(&text, "parts", "[");
    for (int64_t p = 0; p < report->parts; p++) {
        crd_json_open(&text, NULL, "{");
        crd_json_add_string(&text, "kind", report->part[p].kind);
        crd_json_add_string(&text, "title", report->part[p].title);
        crd_text_add(&text, "}");
    }
    crd_text_add(&text, "]}");
    return crd_text_finish(&text, json, error);
}

static uint64_t hash_text(uint64_t key, const char *string)
{
    const size_t length = strlen(string);
    for (size_t i = 0; i < length; i += 8) {
        uint64_t word = 0;
        for (size_t b = i; b < length && b < i + 8; b++) word = word << 8 | (unsigned char)string[b];
        key = crd_hash(key, word);
    }
    return crd_hash(key, length);
}

/* Browsers run only scripts and styles with this number. It comes from the page's content, so that the same report
 * has the same bytes; nobody can add a script to a page that they do not write themselves. */
static void make_nonce(const crd_report *report, const char *contents, char nonce[33])
{
    uint64_t half[2] = {1, 2};
    for (int h = 0; h < 2; h++) {
        half[h] = hash_text(half[h], contents);
        for (int64_t b = 0; b < report->blocks; b++) half[h] = hash_text(half[h], report->block[b].packed);
    }
    snprintf(nonce, 33, "%016" PRIx64 "%016" PRIx64, half[0], half[1]);
}

/* Writes texts up to the final NULL. */
static void write_texts(crd_outfile *file, const char *const *texts)
{
    for (; *texts != NULL; texts++) crd_outfile_text(file, *texts);
}

static void write_head(crd_outfile *file, const char *title, const char *nonce)
{
    const char *const texts[] = {
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-",
        nonce,
        "'; style-src 'nonce-",
        nonce,
        "'; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n<title>",
        title,
        "</title>\n<style nonce=\"",
        nonce,
        "\">\n",
        NULL};
    write_texts(file, texts);
    crd_outfile_write(file, crd_web_style, crd_web_style_size);
    crd_outfile_text(file, "</style>\n</head>\n<body>\n");
    crd_outfile_write(file, crd_web_body, crd_web_body_size);
}

static void write_block(crd_outfile *file, const crd_report_block *block)
{
    char part[32];
    snprintf(part, sizeof part, "%lld", (long long)block->part);
    const char *const texts[] = {"<script type=\"text/plain\" class=\"block\" data-part=\"",
                                 part,
                                 "\" data-name=\"",
                                 block->name,
                                 "\" data-type=\"",
                                 block->type,
                                 "\">",
                                 block->packed,
                                 "</script>\n",
                                 NULL};
    write_texts(file, texts);
}

static void write_page(crd_outfile *file, const crd_report *report, const char *title, const char *nonce,
                       crd_report_block contents)
{
    write_head(file, title, nonce);
    write_block(file, &contents);
    for (int64_t b = 0; b < report->blocks; b++) write_block(file, &report->block[b]);
    crd_outfile_text(file, "<script nonce=\"");
    crd_outfile_text(file, nonce);
    crd_outfile_text(file, "\">\n");
    crd_outfile_write(file, crd_web_script, crd_web_script_size);
    crd_outfile_text(file, "</script>\n</body>\n</html>\n");
}

crd_status crd_report_save(const crd_report *report, const char *path, crd_error *error)
{
    char *contents = NULL, *packed = NULL, *title = NULL, nonce[33];
    crd_text escaped = {0};
    crd_outfile *file;
    crd_text_add_html(&escaped, report->title);
    crd_status status = crd_text_finish(&escaped, &title, error);
    if (status == CRD_OK) status = contents_json(report, &contents, error);
    if (status == CRD_OK) status = crd_report_pack(contents, strlen(contents), &packed, error);
    if (status == CRD_OK) status = crd_outfile_open(path, &file, error);
    if (status == CRD_OK) {
        make_nonce(report, contents, nonce);
        write_page(file, report, title, nonce, (crd_report_block){-1, "page", "json", packed});
        status = crd_outfile_commit(&file, error);
    }
    free(contents);
    free(packed);
    free(title);
    return status;
}
