/* SPDX-License-Identifier: MIT */
/* A report as a file: blocks read back unchanged, names are no markup, the same bytes each time. */
#include "credence_private.h"
#include "dataset_helpers.h"
#include "report/report.h"
#include "support/outcome.h"
#include "support/unpack_page.h"

static const char HOSTILE[] = "</title><script>alert(1)</script><!-- \"'&amp; \xf0\x9f\x98\x80 \xe2\x80\xa8 \xff\xfe";

static crd_report *make(const char *title)
{
    crd_report *report;
    assert_ok(crd_report_new(title, &report, NULL));
    return report;
}

static void blocks_come_out(void **state)
{
    static const uint8_t bytes[] = {0, 1, 255};
    static const uint16_t words[] = {0, 1, 0x1234, 65535};
    static const int16_t signs[] = {-1, 0, 32767, -32768};
    static const int32_t wide[] = {-1, 1 << 30};
    static const float reals[] = {1.5f, -0.0f, 1e-30f};
    const char *path = in(state, "r.html");
    crd_report *report = make("A report");
    assert_ok(crd_report_begin(report, "model", "First", NULL));
    assert_ok(crd_report_add_json(report, "facts", "{\"a\": [1, null, \"\\u2028\"]}", NULL));
    assert_ok(crd_report_add(report, "bytes", "uint8", 1, bytes, 3, NULL));
    assert_ok(crd_report_add(report, "words", "uint16", 2, words, 4, NULL));
    assert_ok(crd_report_begin(report, "tuning", HOSTILE, NULL));
    assert_ok(crd_report_add(report, "signs", "int16", 2, signs, 4, NULL));
    assert_ok(crd_report_add(report, "wide", "int32", 4, wide, 2, NULL));
    assert_ok(crd_report_add(report, "reals", "float32", 4, reals, 3, NULL));
    assert_ok(crd_report_add(report, "none", "float32", 4, reals, 0, NULL));
    assert_ok(crd_report_add_json(report, "facts", "7", NULL)); /* a part has its own names */
    assert_ok(crd_report_save(report, path, NULL));
    crd_report_free(&report);
    assert_null(report);
    crd_report_free(&report);

    char *page = read_page(path);
    const struct {
        int part;
        const char *name, *type;
        const void *values;
        size_t item;
        int64_t count;
    } expected[] = {{0, "bytes", "uint8", bytes, 1, 3},   {0, "words", "uint16", words, 2, 4},
                    {1, "signs", "int16", signs, 2, 4},   {1, "wide", "int32", wide, 4, 2},
                    {1, "reals", "float32", reals, 4, 3}, {1, "none", "float32", reals, 4, 0}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        void *found = unpack_array(page, expected[i].part, expected[i].name, expected[i].type, expected[i].item,
                                   expected[i].count);
        assert_memory_equal(found, expected[i].values, expected[i].item * (size_t)expected[i].count);
        free(found);
    }
    json_t *facts = unpack_json(page, 0, "facts"), *seven = unpack_json(page, 1, "facts");
    assert_int_equal(json_array_size(json_object_get(facts, "a")), 3);
    assert_int_equal(json_integer_value(seven), 7);
    json_t *contents = unpack_json(page, -1, "page"), *parts = json_object_get(contents, "parts");
    assert_string_equal(json_string_value(json_object_get(contents, "title")), "A report");
    assert_string_equal(json_string_value(json_object_get(contents, "credence")), crd_version());
    assert_int_equal(json_array_size(parts), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(parts, 0), "kind")), "model");
    assert_string_equal(json_string_value(json_object_get(json_array_get(parts, 0), "title")), "First");
    /* unchanged, except for bytes that no text has */
    const char *title = json_string_value(json_object_get(json_array_get(parts, 1), "title"));
    assert_memory_equal(title, HOSTILE, sizeof HOSTILE - 3);
    assert_string_equal(title + sizeof HOSTILE - 3, "\xef\xbf\xbd\xef\xbf\xbd");
    json_decref(facts);
    json_decref(seven);
    json_decref(contents);
    free(page);
}

static int count_of(const char *page, const char *what)
{
    int count = 0;
    for (const char *at = page; (at = strstr(at, what)) != NULL; at++) count++;
    return count;
}

/* Titles and names from outside add no markup: the page has as many elements as without them. */
static void no_markup(void **state)
{
    const char *title[] = {"plain", HOSTILE}, *tags[] = {"<script", "</script", "<!--", "<title", "</title", "<style"};
    int counts[2][6];
    char *page;
    for (int t = 0; t < 2; t++) {
        crd_report *report = make(title[t]);
        assert_ok(crd_report_begin(report, "experiment", title[t], NULL));
        json_t *json = json_pack("[s]", t == 0 ? "plain" : "</script><script>alert(1)</script><!--");
        char *text = json_dumps(json, 0);
        assert_ok(crd_report_add_json(report, "experiment", text, NULL));
        assert_ok(crd_report_save(report, in(state, "r.html"), NULL));
        page = read_page(in(state, "r.html"));
        for (int i = 0; i < 6; i++) counts[t][i] = count_of(page, tags[i]);
        assert_int_equal(count_of(page, "alert(1)"), t); /* in the heading, */
        if (t == 1)                                      /* where it is text */
            assert_non_null(strstr(page, "<title>&#60;/title&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#60;!-- "
                                         "&#34;&#39;&#38;amp; \xf0\x9f\x98\x80 \xe2\x80\xa8 "
                                         "\xef\xbf\xbd\xef\xbf\xbd</title>"));
        free(page);
        free(text);
        json_decref(json);
        crd_report_free(&report);
    }
    assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
}

/* The page allows only its own script and style, identified by a nonce. */
static void policy(void **state)
{
    char nonce[2][33];
    for (int t = 0; t < 2; t++) {
        crd_report *report = make("A report");
        assert_ok(crd_report_begin(report, "model", "m", NULL));
        assert_ok(crd_report_add_json(report, "facts", t == 0 ? "1" : "2", NULL));
        assert_ok(crd_report_save(report, in(state, "a.html"), NULL));
        assert_ok(crd_report_save(report, in(state, "b.html"), NULL));
        char *page = read_page(in(state, "a.html")), *again = read_page(in(state, "b.html")), tag[96];
        assert_string_equal(page, again);
        const char *at = strstr(page, "default-src 'none'; script-src 'nonce-");
        assert_non_null(at);
        memcpy(nonce[t], strstr(at, "nonce-") + 6, 32);
        nonce[t][32] = '\0';
        assert_int_equal(strspn(nonce[t], "0123456789abcdef"), 32);
        snprintf(tag, sizeof tag, "<script nonce=\"%s\">", nonce[t]);
        assert_int_equal(count_of(page, tag), 1);
        snprintf(tag, sizeof tag, "<style nonce=\"%s\">", nonce[t]);
        assert_int_equal(count_of(page, tag), 1);
        assert_int_equal(count_of(page, "http://"), count_of(page, "http://www.w3.org/"));
        assert_int_equal(count_of(page, "https://"), 0);
        assert_int_equal(count_of(page, "\nimport ") + count_of(page, "\nexport "), 0);
        free(page);
        free(again);
        crd_report_free(&report);
    }
    assert_string_not_equal(nonce[0], nonce[1]);
}

static void what_is_refused(void **state)
{
    crd_error error = {0};
    crd_report *report = make("A report");
    const int32_t number = 1;
    assert_ok(crd_report_begin(report, "model", "m", NULL));
    assert_fails(crd_report_add(report, "x", "int32", 4, &number, -1, &error), CRD_ERROR_ARGUMENT, "-1 numbers");
    assert_fails(crd_report_save(report, in(state, "no/where.html"), &error), CRD_ERROR_IO, "no/where.html");
    crd_report_free(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {FOLDER_TEST(blocks_come_out), FOLDER_TEST(no_markup), FOLDER_TEST(policy),
                                       FOLDER_TEST(what_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
