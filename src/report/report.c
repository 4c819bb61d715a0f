/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/outfile.h"
#include "base/random.h"
#include "base/watch.h"
#include "io/bytes.h"

/* ---- blocks as text ---- */

/* 16: a gzip header, which zlib writes with neither a time nor a name. */
enum { GZIP_WINDOW = 15 + 16, MEMORY = 9, PIECE = 16384 };

static crd_status compress_bytes(const void *bytes, size_t size, unsigned char **gzip, size_t *length, crd_error *error)
{
    z_stream stream = {.zalloc = crd_zlib_allocate, .zfree = crd_zlib_free};
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
        /* There is room for all of it; piece by piece, with a look at the stop flag in between. */
        do stream.avail_out = bound - stream.total_out < PIECE ? (uInt)(bound - stream.total_out) : PIECE;
        while (deflate(&stream, Z_FINISH) == Z_OK && (status = crd_watch_check(error)) == CRD_OK);
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

/* base64 of gzip, without a time. The caller frees *packed. */
static crd_status pack(const void *bytes, size_t size, char **packed, crd_error *error)
{
    unsigned char *gzip;
    size_t length = 0;
    *packed = NULL;
    crd_status status = compress_bytes(bytes, size, &gzip, &length, error);
    if (status == CRD_OK) status = CRD_NEW(packed, (length + 2) / 3 * 4 + 1, error);
    if (status == CRD_OK) encode(gzip, length, *packed);
    crd_free(gzip);
    return status;
}

/* ---- parts and blocks ---- */

crd_status crd_report_new(const char *title, crd_report **report, crd_error *error)
{
    if (report != NULL) *report = NULL;
    if (CRD_ANY_NULL(error, title, report)) return CRD_ERROR_ARGUMENT;
    crd_report *made;
    crd_status status = CRD_NEW_ZERO(&made, 1, error);
    if (status == CRD_OK) status = crd_copy_string(&made->title, title, error);
    if (status == CRD_OK) *report = made;
    else crd_free(made);
    return status;
}

void crd_report_cut(crd_report *report, int64_t parts, int64_t blocks)
{
    for (; report->parts > parts; report->parts--) crd_free(report->part[report->parts - 1].title);
    for (; report->blocks > blocks; report->blocks--) crd_free(report->block[report->blocks - 1].packed);
}

void crd_report_free(crd_report **report)
{
    if (report == NULL || *report == NULL) return;
    crd_report *r = *report;
    crd_report_cut(r, 0, 0);
    crd_free(r->part);
    crd_free(r->block);
    crd_free(r->title);
    crd_free(r);
    *report = NULL;
}

crd_status crd_report_begin(crd_report *report, const char *kind, const char *title, crd_error *error)
{
    crd_report_part part = {.kind = kind};
    crd_status status = CRD_GROW(&report->part, &report->part_capacity, report->parts + 1, error);
    if (status == CRD_OK) status = crd_copy_string(&part.title, title, error);
    if (status == CRD_OK) report->part[report->parts++] = part;
    return status;
}

crd_status crd_report_add(crd_report *report, const char *name, const char *type, size_t item_size, const void *items,
                          int64_t count, crd_error *error)
{
    crd_report_block block = {.part = report->parts - 1, .name = name, .type = type};
    const void *bytes;
    void *owned = NULL;
    int64_t size;
    if (!crd_multiply(count, (int64_t)item_size, &size))
        return crd_fail(error, CRD_ERROR_ARGUMENT, "an array of %lld numbers cannot be in a report", (long long)count);
    crd_status status = CRD_GROW(&report->block, &report->block_capacity, report->blocks + 1, error);
    if (status == CRD_OK) status = crd_little_endian(items, count, item_size, &bytes, &owned, error);
    if (status == CRD_OK) status = pack(bytes, (size_t)size, &block.packed, error);
    if (status == CRD_OK) report->block[report->blocks++] = block;
    crd_free(owned);
    return status;
}

crd_status crd_report_add_json(crd_report *report, const char *name, const char *json, crd_error *error)
{
    return crd_report_add(report, name, "json", 1, json, (int64_t)strlen(json), error);
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
    const size_t size = strlen(string) + 1;
    for (size_t i = 0; i < size; i++) key = crd_hash(key, (unsigned char)string[i]);
    return key;
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

static void add_head(crd_text *text, const char *title, const char *nonce)
{
    crd_text_format(text,
                    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                    "script-src 'nonce-%s'; style-src 'nonce-%s'; img-src data: blob:; base-uri 'none'; "
                    "form-action 'none'\">\n<title>",
                    nonce, nonce);
    crd_text_add_html(text, title);
    crd_text_format(text, "</title>\n<style nonce=\"%s\">\n", nonce);
}

static void write_block(crd_outfile *file, const crd_report_block *block)
{
    char start[256];
    snprintf(start, sizeof start,
             "<script type=\"text/plain\" class=\"block\" data-part=\"%lld\" data-name=\"%.64s\" data-type=\"%.16s\">",
             (long long)block->part, block->name, block->type);
    crd_outfile_text(file, start);
    crd_outfile_text(file, block->packed);
    crd_outfile_text(file, "</script>\n");
}

static void write_page(crd_outfile *file, const crd_report *report, const char *head, const char *nonce,
                       crd_report_block contents)
{
    crd_outfile_text(file, head);
    crd_outfile_write(file, crd_web_style, crd_web_style_size);
    crd_outfile_text(file, "</style>\n</head>\n<body>\n");
    crd_outfile_write(file, crd_web_body, crd_web_body_size);
    write_block(file, &contents);
    for (int64_t b = 0; b < report->blocks; b++) write_block(file, &report->block[b]);
    crd_outfile_text(file, "<script nonce=\"");
    crd_outfile_text(file, nonce);
    crd_outfile_text(file, "\">\n");
    crd_outfile_write(file, crd_web_script, crd_web_script_size);
    crd_outfile_text(file, "</script>\n</body>\n</html>\n");
}

static crd_status save(const crd_report *report, const crd_destination *to, crd_error *error)
{
    char *contents, *packed = NULL, *head = NULL, nonce[33];
    crd_text text = {0};
    crd_outfile *file;
    crd_status status = contents_json(report, &contents, error);
    if (status == CRD_OK) status = pack(contents, strlen(contents), &packed, error);
    if (status == CRD_OK) {
        make_nonce(report, contents, nonce);
        add_head(&text, report->title, nonce);
        status = crd_text_finish(&text, &head, error);
    }
    if (status == CRD_OK) status = crd_outfile_open_to(to, &file, error);
    if (status == CRD_OK) {
        write_page(file, report, head, nonce, (crd_report_block){-1, "page", "json", packed});
        status = crd_outfile_commit(&file, error);
    }
    crd_free(contents);
    crd_free(packed);
    crd_free(head);
    return status;
}

crd_status crd_report_save(const crd_report *report, const char *path, crd_error *error)
{
    if (CRD_ANY_NULL(error, report, path)) return CRD_ERROR_ARGUMENT;
    return save(report, &(crd_destination){.path = path}, error);
}

crd_status crd_report_write(const crd_report *report, crd_writer writer, void *user, crd_error *error)
{
    if (CRD_ANY_NULL(error, report)) return CRD_ERROR_ARGUMENT;
    return save(report, &(crd_destination){.writer = writer, .user = user}, error);
}
