/* The page as a file: markup of ours, the title escaped, and everything else that comes from data packed, so that
 * no name in it can be taken for markup. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/outfile.h"
#include "base/random.h"
#include "base/text.h"
#include "report/report.h"
#include "report/web.h"

/* {"title": ..., "credence": ..., "parts": [...]} */
static crd_status contents_json(const crd_report *report, char **json, crd_error *error)
{
    crd_text text = {0};
    crd_text_add(&text, "{\"title\":");
    crd_text_add_json_string(&text, report->title);
    crd_text_add(&text, ",\"credence\":");
    crd_text_add_json_string(&text, crd_version());
    crd_text_add(&text, ",\"parts\":[");
    for (int64_t p = 0; p < report->parts; p++) {
        crd_text_format(&text, "%s{\"kind\":\"%s\",\"title\":", p > 0 ? "," : "", report->part[p].kind);
        crd_text_add_json_string(&text, report->part[p].title);
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

/* Scripts and styles of this number alone are run. It comes from what the page holds, so that the same report has
 * the same bytes; nobody can put another script into a page that they do not write themselves. */
static void make_nonce(const crd_report *report, const char *contents, char nonce[33])
{
    uint64_t half[2] = {1, 2};
    for (int h = 0; h < 2; h++) {
        half[h] = hash_text(half[h], contents);
        for (int64_t b = 0; b < report->blocks; b++) half[h] = hash_text(half[h], report->block[b].packed);
    }
    snprintf(nonce, 33, "%016" PRIx64 "%016" PRIx64, half[0], half[1]);
}

static void write_head(crd_outfile *file, const char *title, const char *nonce)
{
    crd_outfile_text(file, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                           "script-src 'nonce-");
    crd_outfile_text(file, nonce);
    crd_outfile_text(file, "'; style-src 'nonce-");
    crd_outfile_text(file, nonce);
    crd_outfile_text(file, "'; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n<title>");
    crd_outfile_text(file, title);
    crd_outfile_text(file, "</title>\n<style nonce=\"");
    crd_outfile_text(file, nonce);
    crd_outfile_text(file, "\">\n");
    crd_outfile_write(file, crd_web_style, crd_web_style_size);
    crd_outfile_text(file, "</style>\n</head>\n<body>\n");
    crd_outfile_write(file, crd_web_body, crd_web_body_size);
}

static void write_block(crd_outfile *file, const crd_report_block *block)
{
    char part[32];
    snprintf(part, sizeof part, "%lld", (long long)block->part);
    crd_outfile_text(file, "<script type=\"text/plain\" class=\"block\" data-part=\"");
    crd_outfile_text(file, part);
    crd_outfile_text(file, "\" data-name=\"");
    crd_outfile_text(file, block->name);
    crd_outfile_text(file, "\" data-type=\"");
    crd_outfile_text(file, block->type);
    crd_outfile_text(file, "\">");
    crd_outfile_text(file, block->packed);
    crd_outfile_text(file, "</script>\n");
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
