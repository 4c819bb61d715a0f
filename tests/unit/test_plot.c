/* Plots of the command: what is drawn where, in Unicode and in ASCII. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "../../cli/output.c"
#include "../../cli/plot.c"
#include "credence_private.h"

static void assert_text(crd_cli_grid *grid, int indent, const char *expected)
{
    char *text = crd_cli_grid_text(grid, indent, false);
    assert_string_equal(text, expected);
    free(text);
    crd_cli_grid_free(grid);
}

/* ---- the grid ---- */

static void grids(void **state)
{
    (void)state;
    crd_cli_grid *grid = crd_cli_grid_new(12, true), *other = crd_cli_grid_new(3, true);
    crd_cli_grid_put(grid, 0, 1, 0x2588, CRD_CLI_INK_PLAIN);
    crd_cli_grid_put(grid, 11, 1, 0xe9, CRD_CLI_INK_PLAIN);
    crd_cli_grid_put(grid, 12, 1, 'x', CRD_CLI_INK_PLAIN); /* outside, like the next two */
    crd_cli_grid_put(grid, -1, 1, 'x', CRD_CLI_INK_PLAIN);
    crd_cli_grid_put(grid, 0, -1, 'x', CRD_CLI_INK_PLAIN);
    crd_cli_grid_write(grid, 9, 2, "abcdef", CRD_CLI_INK_BOLD);
    assert_int_equal(crd_cli_grid_wrap(grid, 1, 3, "one two three unbelievably four"), 7);
    crd_cli_grid_write(other, 0, 0, "<>", CRD_CLI_INK_PLAIN);
    crd_cli_grid_paste(grid, 4, 7, other);
    crd_cli_grid_free(other);
    assert_text(grid, 2,
                "\n"
                "  █          é\n"
                "           abc\n"
                "   one two\n"
                "   three\n"
                "   unbelievabl\n"
                "   four\n"
                "      <>\n");
}

static void colours(void **state)
{
    (void)state;
    crd_cli_grid *grid = crd_cli_grid_new(8, true);
    crd_cli_grid_write(grid, 0, 0, "ab", CRD_CLI_INK_BOLD);
    crd_cli_grid_write(grid, 3, 0, "c", CRD_CLI_INK_FIRST);
    crd_cli_grid_write(grid, 4, 0, "d", CRD_CLI_INK_SECOND);
    crd_cli_grid_write(grid, 6, 0, "e", CRD_CLI_INK_PLAIN);
    crd_cli_grid_write(grid, 0, 1, "f", CRD_CLI_INK_SECOND);
    char *text = crd_cli_grid_text(grid, 0, true);
    assert_string_equal(text, "\033[1mab \033[0m\033[36mc\033[0m\033[33md \033[0me\n\033[33mf\033[0m\n");
    free(text);
    crd_cli_grid_free(grid);
    /* The longest possible line: the colour changes at every cell. */
    grid = crd_cli_grid_new(50, true);
    for (int c = 0; c < 50; c++)
        crd_cli_grid_put(grid, c, 0, 0x2588, c % 2 == 0 ? CRD_CLI_INK_FIRST : CRD_CLI_INK_SECOND);
    text = crd_cli_grid_text(grid, 0, true);
    assert_int_equal(strlen(text), 50 * (3 + 5) + 49 * 4 + 4 + 1);
    free(text);
    crd_cli_grid_free(grid);
}

/* ---- histograms ---- */

/* 29 bins from 0 to 29. Negatives: eight at 0, four at 1, one at 5; positives: one at 5, two at the end. */
static const double values[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 5, 5, 29, 28};
static const bool positive[] = {false, false, false, false, false, false, false, false,
                                false, false, false, false, false, true,  true,  true};
static const crd_cli_histogram example = {.title = "Title",
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
    crd_cli_grid *grid;
    assert_int_equal(crd_cli_plot_histogram(&example, CRD_CLI_PLOT_LEAST, true, &grid, NULL), CRD_OK);
    assert_text(grid, 0,
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
    assert_int_equal(crd_cli_plot_histogram(&example, CRD_CLI_PLOT_LEAST, false, &grid, NULL), CRD_OK);
    assert_text(grid, 0,
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
    crd_cli_grid *grid;
    crd_cli_histogram h = example;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        h.value = odd + parts[i].from;
        h.count = parts[i].count;
        assert_int_equal(crd_cli_plot_histogram(&h, CRD_CLI_PLOT_LEAST, true, &grid, NULL), CRD_OK);
        assert_int_equal(grid->height, 16);
        crd_cli_grid_free(grid);
    }
    crd_error error;
    h.value = odd;
    h.count = 6;
    assert_int_equal(crd_cli_plot_histogram(&h, CRD_CLI_PLOT_LEAST, true, &grid, &error), CRD_ERROR_ARGUMENT);
    assert_null(grid);
}

/* ---- curves ---- */

static void curves(void **state)
{
    (void)state;
    const crd_point points[] = {{0, 0}, {0, 0.5}, {0.5, 0.5}, {0.5, 1}, {1, 1}};
    const crd_cli_curve curve = {.title = "Title",
                                 .across = "across",
                                 .upwards = "upwards",
                                 .reading = "Read it.",
                                 .point = points,
                                 .points = 5,
                                 .top = 1.0,
                                 .to = {1.0, 1.0}};
    assert_text(crd_cli_plot_curve(&curve, CRD_CLI_PLOT_LEAST, false), 0,
                "Title\n"
                "      upwards\n"
                " 100 %+              ***************\n"
                "      |              *         . .\n"
                "      |              *     . .\n"
                "      |              * . .\n"
                "  50 %+***************\n"
                "      |*         . .\n"
                "      |*     . .\n"
                "      |* . .\n"
                "   0 %+*\n"
                "      ++-------------+-------------+\n"
                "       0            50           100\n"
                "       across\n"
                "Read it.\n");
    crd_cli_grid *grid = crd_cli_plot_curve(&curve, CRD_CLI_PLOT_LEAST, true);
    /* Corners of the curve: the lower left dot of Braille, and so on. */
    assert_int_equal(grid->cell[10 * grid->width + 7].symbol & 0x40, 0x40);
    assert_int_equal(grid->cell[2 * grid->width + 35].symbol & 0x08, 0x08);
    for (int row = 2; row < 11; row++)
        for (int column = 7; column < 36; column++) {
            const uint32_t symbol = grid->cell[row * grid->width + column].symbol;
            assert_true(symbol == ' ' || (symbol > 0x2800 && symbol < 0x2900));
        }
    crd_cli_grid_free(grid);
}

/* Points above the top are left out, and a curve without any is an empty frame. */
static void clipped_curves(void **state)
{
    (void)state;
    const crd_point points[] = {{0.01, 1.0}, {0.5, 0.0}, {1.0, 0.02}};
    crd_cli_curve curve = {.title = "",
                           .across = "",
                           .upwards = "",
                           .reading = "",
                           .point = points,
                           .points = 3,
                           .top = 0.04,
                           .from = {0, 0.02},
                           .to = {1, 0.02}};
    crd_cli_grid *grid = crd_cli_plot_curve(&curve, 40, false);
    assert_int_equal(grid->cell[2 * 40 + 7].symbol, ' ');
    assert_int_equal(grid->cell[6 * 40 + 39].symbol, '*'); /* the end, halfway up */
    assert_int_equal(grid->cell[6 * 40 + 7].symbol, '.');  /* the line for comparison */
    crd_cli_grid_free(grid);
    curve.points = 0;
    grid = crd_cli_plot_curve(&curve, 40, false);
    for (int i = 0; i < grid->width * grid->height; i++) assert_true(grid->cell[i].symbol != '*');
    crd_cli_grid_free(grid);
}

/* ---- reliability ---- */

static void reliability(void **state)
{
    (void)state;
    const double confidence[] = {0.5, 0.5, 0.95, 0.95, 0.95, 1.0};
    const bool wrong[] = {false, true, false, false, false, false};
    crd_reliability_bin bins[CRD_ECE_BINS];
    double ece;
    assert_int_equal(crd_reliability(confidence, wrong, 6, bins, &ece, NULL), CRD_OK);
    assert_text(crd_cli_plot_reliability(bins, ece, 40, true), 0,
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
    crd_cli_grid *grid = crd_cli_plot_reliability(bins, ece, 40, false);
    assert_true(grid->height > 4);
    crd_cli_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids),          cmocka_unit_test(colours), cmocka_unit_test(histograms),
        cmocka_unit_test(odd_histograms), cmocka_unit_test(curves),  cmocka_unit_test(clipped_curves),
        cmocka_unit_test(reliability),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
