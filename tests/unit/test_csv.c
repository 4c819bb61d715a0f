/* SPDX-License-Identifier: MIT */
/* CSV rows, numbers in text, and matrices from CSV. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/numbers.h"
#include "graph/raw.h"

static crd_source *source_of(const char *text)
{
    crd_source *source;
    assert_int_equal(crd_source_memory(text, strlen(text), "in.csv", &source, NULL), CRD_OK);
    return source;
}

static crd_status write_row(crd_csv *csv, void *state, crd_error *error)
{
    char **end = state;
    (void)error;
    *end += sprintf(*end, "[");
    for (int64_t f = 0; f < csv->count; f++) *end += sprintf(*end, "%s%s", f == 0 ? "" : "|", csv->field[f]);
    *end += sprintf(*end, "]%lld;", (long long)csv->line);
    return CRD_OK;
}

/* Reads everything and writes it back as "[a|b]3;" with the line number of the row; an error comes last, as
 * "!message". */
static const char *rows(const char *text)
{
    static char all[4096];
    char *end = all;
    crd_error error = {0};
    crd_csv csv = {.source = source_of(text)};
    all[0] = '\0';
    crd_status status = crd_csv_each(&csv, write_row, &end, &error);
    assert_null(csv.field);
    if (status != CRD_OK) {
        assert_int_equal(status, error.status);
        sprintf(end, "!%s", error.message);
    }
    crd_source_free(&csv.source);
    return all;
}

static void test_separators(void **state)
{
    (void)state;
    assert_string_equal(rows("a,b\n1,2\n"), "[a|b]1;[1|2]2;");
    assert_string_equal(rows("a\tb\n1\t2"), "[a|b]1;[1|2]2;");
    assert_string_equal(rows("a;b\r\n1;2\r\n"), "[a|b]1;[1|2]2;");
    assert_string_equal(rows("a b\n  1 \t 2  \n"), "[a|b]1;[1|2]2;");
    assert_string_equal(rows("a,b;c;d\n"), "[a,b|c|d]1;");             /* the more frequent one */
    assert_string_equal(rows("a,b\tc,d\n"), "[a,b|c,d]1;");            /* a tab wins */
    assert_string_equal(rows("\"a,b\" c\n1 2\n"), "[a,b|c]1;[1|2]2;"); /* quoted separators do not count */
    assert_string_equal(rows("\"a;\"\";b;\",c\n"), "[a;\";b;|c]1;");
    assert_string_equal(rows("label\nNeural Networks\na,b\n"), "[label]1;[Neural Networks]2;[a,b]3;");
    assert_string_equal(rows("label  \nx y\n"), "[label]1;[x y]2;");
    /* The first line decides for all. */
    assert_string_equal(rows("a,b\n1;2\n"), "[a|b]1;[1;2]2;");
}

static void test_empty_fields_and_blanks(void **state)
{
    (void)state;
    assert_string_equal(rows(",\n"), "[|]1;");
    assert_string_equal(rows("a,,c,\n"), "[a||c|]1;");
    assert_string_equal(rows(" a , b c ,\td\n"), "[a , b c ,|d]1;"); /* a tab: the separator */
    assert_string_equal(rows(" a , b c , d \n"), "[a|b c|d]1;");
    assert_string_equal(rows("a\t\tc\t\n"), "[a||c|]1;");
    assert_string_equal(rows("\tf0\nx\t1\n"), "[|f0]1;[x|1]2;");
    assert_string_equal(rows("a,\" b \" ,c\n"), "[a| b |c]1;");
}

static void test_lines_passed_over(void **state)
{
    (void)state;
    assert_string_equal(rows("# from, to\n\n%x\n   \na b\n# c\n  # d\n1 2\n\n"), "[a|b]5;[1|2]8;");
    assert_string_equal(rows(""), "");
    assert_string_equal(rows("\n\n# nothing\n"), "");
    assert_string_equal(rows("\xef\xbb\xbfnode,label\n"), "[node|label]1;");
    assert_string_equal(rows("\xef\xbb\xbf# comment\na,b\n"), "[a|b]2;");
}

/* A '#' at the beginning of a line may be part of a name. */
static void test_comments_among_rows(void **state)
{
    (void)state;
    assert_string_equal(rows("a,b\n#ml,x\n%p,y\n"), "[a|b]1;[#ml|x]2;[%p|y]3;");
    assert_string_equal(rows("#x,y\na,b\n"), "[a|b]2;"); /* before the first row these are comments */
    assert_string_equal(rows("a,b\n# ml,x\n#\n%\n#three,fields,here\n#one\nc,d\n"), "[a|b]1;[c|d]7;");
    assert_string_equal(rows("a b\n#ml x\n#one two three\n#ml\t y\n"), "[a|b]1;[#ml|x]2;[#ml|y]4;");
    assert_string_equal(rows("a\tb\n#\tx\n#\n"), "[a|b]1;[#|x]2;"); /* a tab ends the field "#" */
    assert_string_equal(rows("label\n#ml\n# ml\n"), "[label]1;[#ml]2;");
    assert_string_equal(rows("a,b\n#note,\"open\nc,d\n"), "[a|b]1;[c|d]3;"); /* a quote that is not closed */
    assert_string_equal(rows("a,b\n#\"x,y\"\n#m,\"x,y\"\n# m, \"open\nc,d\n"), "[a|b]1;[#\"x|y\"]2;[#m|x,y]3;[c|d]5;");
}

static crd_status count_lines(crd_csv *csv, void *state, crd_error *error)
{
    static const char *const labels[] = {"Neural Networks", "Theory"};
    static const int64_t blank[] = {1, 3}, comments[] = {0, 1};
    (void)state;
    (void)error;
    assert_int_equal(csv->count, 1);
    assert_string_equal(csv->field[0], labels[csv->row]);
    assert_int_equal(csv->blank_lines, blank[csv->row]);
    assert_int_equal(csv->comments, comments[csv->row]);
    return CRD_OK;
}

static void test_what_was_passed_over(void **state)
{
    (void)state;
    crd_csv csv = {.source = source_of("# head\n\nNeural Networks\n\n \n# in between\nTheory\n\n"), .join_words = true};
    assert_int_equal(crd_csv_each(&csv, count_lines, NULL, NULL), CRD_OK);
    assert_int_equal(csv.row, 1);
    assert_int_equal(csv.separator, '\n');
    assert_int_equal(csv.blank_lines, 4);
    crd_source_free(&csv.source);
    assert_string_equal(rows("Neural Networks\n"), "[Neural|Networks]1;");
}

static crd_status drop_at_second(crd_csv *csv, void *state, crd_error *error)
{
    if (csv->row == 1) crd_csv_drop_first(csv);
    return write_row(csv, state, error);
}

static crd_status fail_at_second(crd_csv *csv, void *state, crd_error *error)
{
    if (csv->row == 1) return crd_fail(error, CRD_ERROR_MISMATCH, "enough");
    return write_row(csv, state, error);
}

static void test_dropping_and_failing(void **state)
{
    (void)state;
    char all[100] = "", *end = all;
    crd_csv csv = {.source = source_of("a,b,c\n1,2,3\n4,5\n6\n")};
    assert_int_equal(crd_csv_each(&csv, drop_at_second, &end, NULL), CRD_OK);
    assert_string_equal(all, "[a|b|c]1;[2|3]2;[5]3;[6]4;");
    crd_source_free(&csv.source);
    end = all;
    csv = (crd_csv){.source = source_of("a,b\n1,2\n3,4\n")};
    assert_int_equal(crd_csv_each(&csv, fail_at_second, &end, NULL), CRD_ERROR_MISMATCH);
    assert_string_equal(all, "[a|b]1;");
    crd_source_free(&csv.source);
}

static void test_quotes(void **state)
{
    (void)state;
    assert_string_equal(rows("\"a,1\",\"say \"\"hi\"\"\",\"\"\n"), "[a,1|say \"hi\"|]1;");
    assert_string_equal(rows("5\" disk,x\"y\n"), "[5\" disk|x\"y]1;"); /* not at the beginning, so literal */
    assert_string_equal(rows("\"a\nb\",c\n1,2\n"), "[a\nb|c]1;[1|2]3;");
    assert_string_equal(rows("x,\"a\r\n\nb\nc\"\n1,2\n"), "[x|a\n\nb\nc]1;[1|2]5;");
    assert_string_equal(rows("x,\"\n\",\"\n\n\"\n"), "[x|\n|\n\n]1;");
    assert_string_equal(rows("\"a b\" \"c\"  d\n"), "[a b|c|d]1;");
    assert_string_equal(rows("1,2\n\"a\"b,2\n"),
                        "[1|2]1;!in.csv: line 2: expected field 1 to end at its closing quote, found 'b,2'");
    assert_string_equal(rows("1 2\n\"a\"b 2\n"),
                        "[1|2]1;!in.csv: line 2: expected field 1 to end at its closing quote, found 'b 2'");
    assert_string_equal(rows("1,2\n3,\"a\nb\n"), "[1|2]1;!in.csv: line 2: a quoted field is never closed");
}

enum { ROWS = 40, FIELDS = 7, MOST = 60 };
static char field[ROWS][FIELDS][MOST + 1];

static crd_status same_fields(crd_csv *csv, void *state, crd_error *error)
{
    (void)state;
    (void)error;
    assert_int_equal(csv->count, FIELDS);
    for (int f = 0; f < FIELDS && csv->row > 0; f++) assert_string_equal(csv->field[f], field[csv->row - 1][f]);
    return CRD_OK;
}

/* Fields of all kinds, quoted if necessary, read back the same; a row of many lines makes the reader's buffer grow
 * more than once. */
static void test_random_rows_come_back(void **state)
{
    (void)state;
    static const char alphabet[] = "ab \",;\n\t'x#%";
    static char text[ROWS * FIELDS * (2 * MOST + 4)];
    for (uint64_t seed = 0; seed < 20; seed++) {
        crd_rng rng = crd_rng_start(seed, 1);
        size_t used = 0;
        for (int r = 0; r < ROWS; r++)
            for (int f = 0; f < FIELDS; f++) {
                int length = (int)crd_rng_below(&rng, MOST + 1);
                text[used++] = '"';
                for (int i = 0; i < length; i++) {
                    char c = alphabet[crd_rng_below(&rng, sizeof alphabet - 1)];
                    field[r][f][i] = c;
                    if (c == '"') text[used++] = '"';
                    text[used++] = c;
                }
                field[r][f][length] = '\0';
                text[used++] = '"';
                text[used++] = f == FIELDS - 1 ? '\n' : ',';
            }
        /* A first line that shows the separator. */
        char *whole = malloc(used + 32);
        used = (size_t)sprintf(whole, "a,b,c,d,e,f,g\n%.*s", (int)used, text);
        crd_csv csv = {0};
        assert_int_equal(crd_source_memory(whole, used, "in.csv", &csv.source, NULL), CRD_OK);
        assert_int_equal(crd_csv_each(&csv, same_fields, NULL, NULL), CRD_OK);
        assert_int_equal(csv.row, ROWS);
        crd_source_free(&csv.source);
        free(whole);
    }
}

static void test_integers(void **state)
{
    (void)state;
    int64_t value = 77;
    assert_true(crd_parse_int64(" -12\t", &value));
    assert_int_equal(value, -12);
    assert_true(crd_parse_int64("+7", &value));
    assert_int_equal(value, 7);
    assert_true(crd_parse_int64("9223372036854775807", &value));
    assert_true(value == INT64_MAX);
    assert_true(crd_parse_int64("-9223372036854775808", &value));
    assert_true(value == INT64_MIN);
    assert_true(crd_parse_int64("00000000000000000000000000042", &value));
    assert_int_equal(value, 42);
    static const char *const wrong[] = {"",
                                        " ",
                                        "-",
                                        "+",
                                        "1.0",
                                        "1e3",
                                        "0x10",
                                        "1 2",
                                        "a",
                                        "--1",
                                        "9223372036854775808",
                                        "-9223372036854775809",
                                        "18446744073709551617",
                                        "99999999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(crd_parse_int64(wrong[i], &value));
        assert_int_equal(value, 42);
    }
}

static void same_as_strtod(const char *text)
{
    double value, expected = strtod(text, NULL);
    assert_true(crd_parse_double(text, &value));
    assert_memory_equal(&value, &expected, sizeof value);
}

static void test_doubles(void **state)
{
    (void)state;
    static const char *const right[] = {"0",
                                        "-0",
                                        "0.0",
                                        ".5",
                                        "5.",
                                        "1e5",
                                        "1E-5",
                                        "+1.25e+2",
                                        "0.1",
                                        "123456789012345678901234567890",
                                        "9007199254740993",
                                        "9007199254740992",
                                        "0.000000000000000000000000000001",
                                        "1e22",
                                        "1e23",
                                        "1e-22",
                                        "1.7976931348623157e308",
                                        "4.9e-324",
                                        "2.2250738585072011e-308",
                                        "1e400",
                                        "-1e400",
                                        "1e-400",
                                        "0e99999999999999999999",
                                        "1e99999999999999999999",
                                        "1e-99999999999999999999",
                                        "3.4028235e38",
                                        "100000000000000000000000",
                                        "0.30000000000000000000000000000004",
                                        "179769313486231580793e289",
                                        "8.5e-17",
                                        "1234567890123456e5",
                                        "00000000000000000000000000.5"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) same_as_strtod(right[i]);
    double value = 42;
    assert_true(crd_parse_double(" \t1.5 ", &value));
    assert_true(value == 1.5);
    assert_true(crd_parse_double("nan", &value) && isnan(value));
    assert_true(crd_parse_double("NaN", &value) && isnan(value));
    assert_true(crd_parse_double("Inf", &value) && value > 0 && isinf(value));
    assert_true(crd_parse_double("-infinity", &value) && value < 0 && isinf(value));
    value = 42;
    static const char *const wrong[] = {"",      " ",     ".",   "-",  "e5",    "1e",     "1e+", "1,5",
                                        "0x1p3", "1.2.3", "1 2", "in", "infin", "nan(1)", "1f",  "- 1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(crd_parse_double(wrong[i], &value));
        assert_true(value == 42);
    }
    char text[64];
    crd_rng rng = crd_rng_start(3, 0);
    for (int i = 0; i < 20000; i++) {
        double number = crd_rng_normal(&rng) * pow(10.0, (double)crd_rng_below(&rng, 60) - 30.0);
        snprintf(text, sizeof text,
                 i % 3 == 2   ? "%.*f"
                 : i % 3 == 1 ? "%.*e"
                              : "%.*g",
                 (int)crd_rng_below(&rng, 22), number);
        same_as_strtod(text);
    }
}

/* If the locale's decimal point is a comma, ours is still a point. */
static void test_locale(void **state)
{
    (void)state;
    static const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof commas / sizeof *commas && found == NULL; i++) found = setlocale(LC_ALL, commas[i]);
    if (found == NULL) skip();
    double value;
    bool fast = crd_parse_double("1.5", &value) && value == 1.5;
    bool slow = crd_parse_double("0.12345678901234567890123", &value) && fabs(value - 0.123456789) < 1e-9;
    bool comma = crd_parse_double("1,5", &value);
    bool restored = strtod("2,5", NULL) == 2.5;
    setlocale(LC_ALL, "C");
    assert_true(fast);
    assert_true(slow);
    assert_false(comma);
    assert_true(restored);
}

static void test_floats(void **state)
{
    (void)state;
    float value = 42.0f;
    assert_true(crd_to_float(0.1, &value));
    assert_true(value == 0.1f);
    assert_true(crd_to_float(3.4028235e38, &value)); /* the usual spelling of the largest float */
    assert_true(value == 3.40282346638528859811704183484516925440e+38f);
    assert_true(crd_to_float(-3.4028235e38, &value));
    assert_true(crd_to_float(1e-300, &value));
    assert_true(value == 0.0f);
    assert_false(crd_to_float(3.4028236e38, &value));
    assert_false(crd_to_float(-1e39, &value));
    assert_false(crd_to_float((double)INFINITY, &value));
    assert_false(crd_to_float((double)NAN, &value));
    assert_true(value == 0.0f);
}

static void test_missing(void **state)
{
    (void)state;
    static const char *const missing[] = {"", "  ", "na", "NA", " n/a ", "NaN", "null", "None", "?"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) assert_true(crd_is_missing(missing[i]));
    static const char *const given[] = {"0", "nana", "n", "nullx", "??", "-", "none of these"};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) assert_false(crd_is_missing(given[i]));
}

static crd_status read_features(crd_raw *raw, const char *text, crd_error *error)
{
    crd_source *source = source_of(text);
    crd_raw_start(raw, "test");
    crd_status status = crd_read_source(source, CRD_PART_FEATURES, raw, error);
    crd_source_free(&source);
    return status;
}

static void check_matrix(const char *text, int64_t row_count, int64_t columns, const float *values,
                         const char *const *names)
{
    crd_raw raw;
    crd_error error = {0};
    if (read_features(&raw, text, &error) != CRD_OK) fail_msg("%s", error.message);
    const crd_features *matrix = &raw.features.matrix;
    assert_int_equal(matrix->rows, row_count);
    assert_int_equal(matrix->columns, columns);
    for (int64_t i = 0; i < row_count * columns; i++) assert_true(matrix->dense[i] == values[i]);
    assert_int_equal(raw.features.row_names != NULL, names != NULL);
    for (int64_t r = 0; r < row_count && names != NULL; r++) assert_string_equal(raw.features.row_names[r], names[r]);
    crd_raw_free(&raw);
}

static void test_matrix(void **state)
{
    (void)state;
    static const float values[] = {1.5f, -2, 3, 4e2f};
    static const char *const numbers[] = {"7", "3"}, *const names[] = {"x", "y z"};
    check_matrix("1.5,-2\n3,4e2\n", 2, 2, values, NULL);
    check_matrix("f0,f1\n1.5,-2\n3,4e2\n", 2, 2, values, NULL);
    check_matrix("Node,f0,f1\n7,1.5,-2\n3,3,4e2\n", 2, 2, values, numbers);
    check_matrix("id\tf0\tf1\n7\t1.5\t-2\n3\t3\t4e2\n", 2, 2, values, numbers);
    check_matrix("name 0 1\n7 1.5 -2\n3 3 4e2\n", 2, 2, values, numbers);
    check_matrix(",0,1\n7,1.5,-2\n3,3,4e2\n", 2, 2, values, numbers); /* as pandas writes it */
    check_matrix("x,1.5,-2\ny z,3,4e2\n", 2, 2, values, names);
    check_matrix("paper,f0,f1\nx,1.5,-2\ny z,3,4e2\n", 2, 2, values, names);
    check_matrix("1.5\n-2\n3\n4e2\n", 4, 1, values, NULL);
    check_matrix("feature\n1.5\n-2\n3\n4e2\n", 4, 1, values, NULL);
    check_matrix("1.5 -2 3 4e2", 1, 4, values, NULL);
}

/* Digits in the first column are ids if the header says so and no two are the same. */
static void test_ids_or_values(void **state)
{
    (void)state;
    static const float both[] = {7, 1.5f, 3, 2}, second[] = {1.5f, 2}, sevens[] = {7, 1.5f, 7, 2};
    static const float minus[] = {7, 1.5f, -3, 2};
    static const char *const ids[] = {"7", "3"};
    check_matrix("7,1.5\n3,2\n", 2, 2, both, NULL);
    check_matrix("zone,f0\n7,1.5\n3,2\n", 2, 2, both, NULL);
    check_matrix("account,f0\n7,1.5\n3,2\n", 2, 1, second, ids);
    check_matrix("paper_id,f0\n7,1.5\n3,2\n", 2, 1, second, ids);
    check_matrix("paperID,f0\n7,1.5\n3,2\n", 2, 1, second, ids);
    check_matrix("paid,f0\n7,1.5\n3,2\n", 2, 2, both, NULL);
    check_matrix("x1,x2\n7,1.5\n3,2\n", 2, 2, both, NULL);
    check_matrix("feature_0,b\n7,1.5\n3,2\n", 2, 2, both, NULL);
    check_matrix("account,f0\n7,1.5\n7,2\n", 2, 2, sevens, NULL);
    check_matrix("account,f0\n7,1.5\n-3,2\n", 2, 2, minus, NULL);
    check_matrix("account,f0\n7,1.5\n3.0,2\n", 2, 2, both, NULL);
    check_matrix("account\n7\n1.5\n3\n2\n", 4, 1, both, NULL);
    /* An index in front of the ids is left out. */
    check_matrix(",account,f0\n0,7,1.5\n1,3,2\n", 2, 1, second, ids);
    check_matrix(",node,f0\n0,7,1.5\n1,3,2\n", 2, 1, second, ids);
}

static void refuse_matrix(const char *text, const char *message)
{
    crd_raw raw;
    crd_error error = {0};
    assert_int_equal(read_features(&raw, text, &error), CRD_ERROR_FORMAT);
    assert_string_equal(error.message, message);
    crd_raw_free(&raw);
}

static void test_matrix_errors(void **state)
{
    (void)state;
    refuse_matrix("", "in.csv: the file is empty, expected node features");
    refuse_matrix("\n# nothing\n", "in.csv: expected rows of numbers, found an empty file");
    refuse_matrix(",id,f0\n7\n", "in.csv: line 2: expected 3 columns as in line 1, found 1");
    refuse_matrix(",id,f0\n0,7,1\n8\n", "in.csv: line 3: expected 3 columns as in line 1, found 1");
    refuse_matrix("a,b\n", "in.csv: expected rows of numbers, found a header alone");
    refuse_matrix("a,b\n1,2\n\n3\n", "in.csv: line 4: expected 2 columns as in line 1, found 1");
    refuse_matrix("1,2\n3,x\n", "in.csv: line 2, column 2: expected a number, found 'x'");
    refuse_matrix("1,x,2\n", "in.csv: line 1, column 2: expected a number, found 'x'");
    refuse_matrix("1,2\n3,NA\n", "in.csv: line 2, column 2: a value is missing, found 'NA'");
    refuse_matrix("1,2\n3,\n", "in.csv: line 2, column 2: a value is missing, found ''");
    refuse_matrix("a,1\nb,inf\n", "in.csv: line 2, column 2: expected a finite number within the range of a "
                                  "float, found 'inf'");
    refuse_matrix("a,1\nb,1e39\n", "in.csv: line 2, column 2: expected a finite number within the range of a "
                                   "float, found '1e39'");
    refuse_matrix("1,2\nb,3\n", "in.csv: line 2, column 1: expected a number, found 'b' (a first column of "
                                "names needs the header \"node\")");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_separators),
        cmocka_unit_test(test_empty_fields_and_blanks),
        cmocka_unit_test(test_lines_passed_over),
        cmocka_unit_test(test_comments_among_rows),
        cmocka_unit_test(test_what_was_passed_over),
        cmocka_unit_test(test_dropping_and_failing),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_random_rows_come_back),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_locale),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_ids_or_values),
        cmocka_unit_test(test_matrix_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
