/* SPDX-License-Identifier: MIT */
/* Numbers and strings as JSON. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "base/text.h"

static char *finish(crd_text *text)
{
    char *string;
    assert_int_equal(crd_text_finish(text, &string, NULL), CRD_OK);
    return string;
}

static void check_float(float x)
{
    crd_text text = {0};
    crd_text_add_json_float(&text, x);
    char *string = finish(&text);
    if (strtof(string, NULL) != x) fail_msg("%s reads back as another float than %.9g", string, (double)x);
    free(string);
}

/* What is written reads back the same, for any bits. */
static void numbers_read_back(void **state)
{
    (void)state;
    crd_rng rng = crd_rng_start(1, 99);
    for (int i = 0; i < 200000; i++) {
        uint32_t bits = (uint32_t)crd_rng_next(&rng);
        float x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x)) check_float(x);
    }
    const float edges[] = {0.0f, -0.0f, FLT_MIN, FLT_MAX, FLT_TRUE_MIN, 1.0f, 0.1f, 1e10f, 9.999999e9f, 16777216.0f};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) check_float(edges[i]);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = crd_rng_next(&rng);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x)) continue;
        crd_text text = {0};
        crd_text_add_json_number(&text, x);
        char *string = finish(&text);
        assert_true(strtod(string, NULL) == x);
        free(string);
    }
}

static void check_text(const char *expected, void (*add)(crd_text *text))
{
    crd_text text = {0};
    add(&text);
    char *string = finish(&text);
    assert_string_equal(string, expected);
    free(string);
}

static void add_short(crd_text *text)
{
    crd_text_add_json_float(text, 0.1f);
    crd_text_add(text, " ");
    crd_text_add_json_number(text, 0.1);
    crd_text_add(text, " ");
    crd_text_add_json_number(text, NAN);
    crd_text_add(text, " ");
    crd_text_add_json_float(text, INFINITY);
}

static void add_hostile(crd_text *text)
{
    crd_text_add_json_string(text, "a\"b\\c\nd\x01 \xc3\xa9 \xff \xed\xa0\x80 \xf0\x9f\x98\x80");
}

static void short_and_escaped(void **state)
{
    (void)state;
    check_text("0.1 0.1 null null", add_short);
    check_text("\"a\\\"b\\\\c\\u000ad\\u0001 \xc3\xa9 \\ufffd \\ufffd\\ufffd\\ufffd \xf0\x9f\x98\x80\"", add_hostile);
}

static void add_members(crd_text *text)
{
    crd_text_add(text, "{");
    crd_json_add_string(text, "name", "a \"b\"");
    crd_json_add_string(text, "none", NULL);
    crd_json_add_integer(text, "large", INT64_MIN);
    crd_json_key(text, "list");
    crd_text_add(text, "[");
    crd_json_add_number(text, NULL, 0.5);
    crd_json_add_number(text, NULL, -INFINITY);
    crd_text_add(text, "]");
    crd_json_add_bool(text, "yes", true);
    crd_text_add(text, "}");
}

static void add_fields(crd_text *text)
{
    static const char *const fields[] = {"plain", "two words", "",   "a,b", "a;b", "a\tb", "a\nb",    "a\rb",
                                         "\"",    " a",        "a ", "#a",  "%a",  "a#%",  "\xc3\xa9"};
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        crd_text_add(text, f > 0 ? "|" : "");
        crd_text_add_csv(text, fields[f]);
    }
}

static void json_and_csv(void **state)
{
    (void)state;
    check_text("{\"name\":\"a \\\"b\\\"\",\"none\":null,\"large\":-9223372036854775808,\"list\":[0.5,null],"
               "\"yes\":true}",
               add_members);
    check_text("plain|two words|\"\"|\"a,b\"|\"a;b\"|\"a\tb\"|\"a\nb\"|\"a\rb\"|\"\"\"\"|\" a\"|\"a \"|\"#a\"|"
               "\"%a\"|a#%|\xc3\xa9",
               add_fields);
}

static void number_texts(void **state)
{
    (void)state;
    static const struct {
        double number;
        const char *text;
    } cases[] = {{0.1, "0.1"},
                 {1e-4, "0.0001"},
                 {1e-5, "1e-05"},
                 {-0.0, "-0"},
                 {1e23, "1e+23"},
                 {NAN, "null"},
                 {0.1 + 0.2, "0.30000000000000004"}};
    char text[CRD_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        crd_number_text(cases[i].number, text);
        assert_string_equal(text, cases[i].text);
    }
    crd_float_text(0.1f, text);
    assert_string_equal(text, "0.1");
    crd_float_text(-INFINITY, text);
    assert_string_equal(text, "null");
}

/* Brackets in strings do not count, and quotes that are escaped do not end strings. */
static void depth_of_json(void **state)
{
    (void)state;
    char text[512];
    memset(text, '[', sizeof text);
    assert_false(crd_json_too_deep(text, CRD_JSON_DEPTH));
    assert_true(crd_json_too_deep(text, CRD_JSON_DEPTH + 1));
    assert_false(crd_json_too_deep(text, 0));
    for (size_t i = 0; i < sizeof text; i++) text[i] = "{}[]"[i % 4];
    assert_false(crd_json_too_deep(text, sizeof text));
    memset(text, '{', sizeof text);
    memcpy(text, "[\"\\\"", 4);
    assert_false(crd_json_too_deep(text, sizeof text));
    memcpy(text, "[\"\\\\\"", 5);
    assert_true(crd_json_too_deep(text, sizeof text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(depth_of_json), cmocka_unit_test(numbers_read_back),
                                       cmocka_unit_test(short_and_escaped), cmocka_unit_test(json_and_csv),
                                       cmocka_unit_test(number_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
