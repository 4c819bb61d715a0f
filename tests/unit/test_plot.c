/* SPDX-License-Identifier: MIT */
/* Plots of the command: what is drawn where, in Unicode and in ASCII. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "../../cli/options.c"
#include "../../cli/output.c"
#include "../../cli/plot.c"

static void assert_text(page *from, int indent, bool colour, const char *expected)
{
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    print_page(from, indent, colour, stream);
    fclose(stream);
    assert_string_equal(text, expected);
    free(text);
    free(from->cell);
    from->cell = NULL;
    from->height = 0;
}

/* ---- the page ---- */

static void pages(void **state)
{
    (void)state;
    page all = {.width = 12, .unicode = true};
    panel whole = {.page = &all, .width = 12}, part = {.page = &all, .left = 4, .top = 7, .width = 3};
    put(&whole, 0, 1, 0x2588, PLAIN);
    put(&whole, 11, 1, 0x20ac, PLAIN);
    put(&whole, 12, 1, 'x', PLAIN); /* outside, like the next one */
    put(&whole, -1, 1, 'x', PLAIN);
    write_at(&whole, 9, 2, "abcdef", BOLD);
    write_wrapped(&whole, 3, "one two three unbelievablyy four");
    write_at(&part, 0, 0, "<>", PLAIN);
    write_before(&part, 3, 1, "abcd");
    assert_text(&all, 2, false,
                "\n"
                "  █          €\n"
                "           abc\n"
                "  one two\n"
                "  three\n"
                "  unbelievably\n"
                "  four\n"
                "      <>\n"
                "      bcd\n");
}

static void colours(void **state)
{
    (void)state;
    page all = {.width = 8, .unicode = true};
    const panel p = {.page = &all, .width = 8};
    write_at(&p, 0, 0, "ab", BOLD);
    write_at(&p, 3, 0, "c", FIRST);
    write_at(&p, 4, 0, "d", SECOND);
    write_at(&p, 6, 0, "e", PLAIN);
    write_at(&p, 0, 1, "f", SECOND);
    assert_text(&all, 0, true, "\033[1mab \033[0m\033[36mc\033[0m\033[33md \033[0me\n\033[33mf\033[0m\n");
}

/* ---- histograms ---- */

/* 29 bins from 0 to 29. Negatives: eight at 0, four at 1, one at 5; positives: one at 5, two at the end. */
static const double values[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 5, 5, 29, 28};
static const bool positive[] = {false, false, false, false, false, false, false, false,
                                false, false, false, false, false, true,  true,  true};
static const histogram example = {.title = "Title",
                                  .label = "label",
                                  .reading = "How to read it, in more words than fit in a line.",
                                  .negatives = "first",
                                  .positives = "second",
                                  .value = values,
                                  .positive = positive,
                                  .count = 16};

static void histograms(void **state)
{
    (void)state;
    page all = {.width = LEAST, .unicode = true};
    const panel p = {.page = &all, .width = LEAST};
    assert_int_equal(draw_histogram(&p, &example, NULL), CRD_OK);
    assert_text(&all, 0, false,
                "Title\n"
                "       first: 13\n"
                "  62 %┤█\n"
                "      │█\n"
                "      │██\n"
                "      │██   ▄\n"
                "       second: 3\n"
                "  67 %┤                            █\n"
                "      │                            █\n"
                "      │     █                      █\n"
                "      │     █                      █\n"
                "      └┬─────────┬─────────┬────────\n"
                "       0        10        20\n"
                "       label\n"
                "How to read it, in more words than\n"
                "fit in a line.\n");
    all.unicode = false;
    assert_int_equal(draw_histogram(&p, &example, NULL), CRD_OK);
    assert_text(&all, 0, false,
                "Title\n"
                "       first: 13\n"
                "  62 %+#\n"
                "      |#\n"
                "      |##\n"
                "      |##   .\n"
                "       second: 3\n"
                "  67 %+                            #\n"
                "      |                            #\n"
                "      |     #                      #\n"
                "      |     #                      #\n"
                "      ++---------+---------+--------\n"
                "       0        10        20\n"
                "       label\n"
                "How to read it, in more words than\n"
                "fit in a line.\n");
}

/* No values, one value, infinities: still a plot. NaN is left out. */
static void odd_histograms(void **state)
{
    (void)state;
    const double odd[] = {3, 3, -INFINITY, INFINITY, 1e300, NAN};
    static const struct {
        int from, count;
    } parts[] = {{0, 0}, {0, 2}, {2, 2}, {0, 5}, {4, 1}};
    page all = {.width = LEAST, .unicode = true};
    const panel p = {.page = &all, .width = LEAST};
    histogram h = example;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        h.value = odd + parts[i].from;
        h.count = parts[i].count;
        assert_int_equal(draw_histogram(&p, &h, NULL), CRD_OK);
        assert_int_equal(all.height, 16);
    }
    free(all.cell);
    all = (page){.width = LEAST};
    crd_error error;
    h.value = odd;
    h.count = 6;
    assert_int_equal(draw_histogram(&p, &h, &error), CRD_ERROR_ARGUMENT);
    assert_int_equal(all.height, 0);
}

/* ---- curves ---- */

static void curves(void **state)
{
    (void)state;
    const crd_point points[] = {{0, 0}, {0, 0.5}, {0.5, 0.5}, {0.5, 1}, {1, 1}};
    curve c = {.title = "Title",
               .across = "across",
               .upwards = "upwards",
               .reading = "Read it.",
               .point = points,
               .points = 5,
               .top = 1.0,
               .to = 1.0};
    page all = {.width = LEAST};
    const panel p = {.page = &all, .width = LEAST};
    draw_curve(&p, &c);
    assert_text(&all, 0, false,
                "Title\n"
                "      upwards\n"
                " 100 %+              ############o#o\n"
                "      |              ##########o####\n"
                "      |              ######o#o######\n"
                "  67 %+              ##o#o##########\n"
                "      |..............o##############\n"
                "      |##########o#o################\n"
                "  33 %+######o#o####################\n"
                "      |####o########################\n"
                "      |o#o##########################\n"
                "      ++-------------+-------------+\n"
                "       0            50           100\n"
                "       across\n"
                "Read it.\n");
    all.unicode = true;
    draw_curve(&p, &c);
    assert_text(&all, 0, false,
                "Title\n"
                "      upwards\n"
                " 100 %┤              ████████████•█•\n"
                "      │              ██████████•████\n"
                "      │              ██████•█•██████\n"
                "  67 %┤              ██•█•██████████\n"
                "      │▄▄▄▄▄▄▄▄▄▄▄▄▄▄•██████████████\n"
                "      │██████████•█•████████████████\n"
                "  33 %┤██████•█•████████████████████\n"
                "      │████•████████████████████████\n"
                "      │•█•██████████████████████████\n"
                "      └┬─────────────┬─────────────┬\n"
                "       0            50           100\n"
                "       across\n"
                "Read it.\n");
}

/* Whatever is above the top is cut off, and a curve without points is an empty frame. */
static void clipped_curves(void **state)
{
    (void)state;
    const crd_point points[] = {{0.01, 1.0}, {0.5, 0.0}, {1.0, 0.02}};
    curve c = {.title = "",
               .across = "",
               .upwards = "",
               .reading = "",
               .point = points,
               .points = 3,
               .top = 0.04,
               .from = 0.02,
               .to = 0.02};
    page all = {.width = 40};
    const panel p = {.page = &all, .width = 40};
    draw_curve(&p, &c);
    assert_int_equal(all.cell[1 * 40 + 7].symbol, ' ');
    assert_int_equal(all.cell[2 * 40 + 7].symbol, '#');
    assert_int_equal(all.cell[6 * 40 + 7].symbol, 'o'); /* the line for comparison */
    assert_int_equal(all.cell[10 * 40 + 24].symbol, '.');
    assert_int_equal(all.cell[7 * 40 + 38].symbol, '#'); /* the end, halfway up */
    assert_int_equal(all.cell[5 * 40 + 38].symbol, ' ');
    free(all.cell);
    all = (page){.width = 40};
    c.points = 0;
    draw_curve(&p, &c);
    for (int i = 0; i < all.width * all.height; i++) assert_true(all.cell[i].symbol != '#');
    free(all.cell);
}

/* ---- reliability ---- */

static void reliability(void **state)
{
    (void)state;
    const double confidence[] = {0.5, 0.5, 0.95, 0.95, 0.95, 1.0};
    const bool wrong[] = {false, true, false, false, false, false};
    crd_reliability_bin bins[CRD_ECE_BINS];
    double ece;
    page all = {.width = 40, .unicode = true};
    const panel p = {.page = &all, .width = 40};
    assert_int_equal(crd_reliability(confidence, wrong, 6, bins, &ece, NULL), CRD_OK);
    draw_reliability(&p, bins, ece);
    assert_text(&all, 0, false,
                "Reliability: ECE 2.50 %\n"
                "% sure  % right                  answers\n"
                " 47-53│████████████┃                   2\n"
                "93-100│███████████████████████┃        4\n"
                "      └┬───────────┬──────────┬\n"
                "       0          50         100\n"
                "Bar: how many are right. Mark: how many\n"
                "its probabilities promise. A bar beyond\n"
                "its mark: right more often than it says;\n"
                "short of it: less often.\n");
    assert_int_equal(crd_reliability(NULL, NULL, 0, bins, &ece, NULL), CRD_OK);
    all.unicode = false;
    draw_reliability(&p, bins, ece);
    assert_true(all.height > 4);
    free(all.cell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages),          cmocka_unit_test(colours), cmocka_unit_test(histograms),
        cmocka_unit_test(odd_histograms), cmocka_unit_test(curves),  cmocka_unit_test(clipped_curves),
        cmocka_unit_test(reliability),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
