/* What drawings are made of: discs and which of them are seen, text from outside, who lies beside whom, and
 * colours that people can tell apart. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cli/figures/dots.c"
#include "../../cli/figures/legend.c"
#include "../../cli/figures/neighbours.c"
#include "../../cli/figures/words.c"
#include "../../cli/output.c"

/* Discs -------------------------------------------------------------------------------------------------- */

static void maps_fill_their_square(void **state)
{
    (void)state;
    /* Twice as wide as high: the height is in the middle, upwards is up, and no disc leaves the square. */
    const float map[] = {-10, -5, 10, 5, 10, -5, 0, 0};
    const float evidence[] = {1, 1, 1, 1};
    const int32_t group[] = {0, 1, 2, 3};
    crd_fig_dots dots;
    crd_fig_dots_make(&dots, map, evidence, group, 4, 400);
    assert_int_equal(dots.count, 4);
    int32_t x[4], y[4];
    for (int i = 0; i < 4; i++) {
        x[dots.dot[i].group] = dots.dot[i].x;
        y[dots.dot[i].group] = dots.dot[i].y;
    }
    const int32_t margin = (int32_t)ceil(dots.radius[CRD_FIG_LEVELS - 1]) + 1;
    assert_int_equal(x[0], margin);
    assert_int_equal(x[1], 400 - margin);
    assert_int_equal(x[2], 400 - margin);
    assert_int_equal(x[3], 200);
    assert_int_equal(y[3], 200);
    assert_true(abs(y[0] - y[1] - (400 - 2 * margin) / 2) <= 1); /* rounded at both ends */
    assert_int_equal(y[0], y[2]);
    crd_fig_dots_free(&dots);
    /* All in one place. */
    const float one[] = {3, 4, 3, 4};
    crd_fig_dots_make(&dots, one, evidence, group, 2, 100);
    assert_int_equal(dots.dot[0].x, 50);
    assert_int_equal(dots.dot[1].y, 50);
    crd_fig_dots_free(&dots);
}

static void areas_grow_with_the_root_of_evidence(void **state)
{
    (void)state;
    float map[200], evidence[100];
    int32_t group[100];
    for (int i = 0; i < 100; i++) {
        map[2 * i] = (float)i;
        map[2 * i + 1] = 0.0f;
        evidence[i] = i < 50 ? 10000.0f : 100.0f;
        group[i] = 0;
    }
    crd_fig_dots dots;
    crd_fig_dots_make(&dots, map, evidence, group, 100, 800);
    assert_float_equal(dots.most, 10000.0, 0.0);
    /* A hundredth of the evidence is a tenth of the area. */
    const double large = crd_fig_radius(&dots, 10000.0), small = crd_fig_radius(&dots, 100.0);
    assert_float_equal(small * small / (large * large), 0.1, 1e-12);
    assert_float_equal(crd_fig_radius(&dots, 1e30), large, 0.0);
    assert_float_equal(crd_fig_radius(&dots, 0.0), dots.radius[0], 0.0);
    /* Large ones first. */
    for (int64_t i = 1; i < dots.count; i++) assert_true(dots.dot[i].level <= dots.dot[i - 1].level);
    assert_int_equal(dots.dot[0].level, CRD_FIG_LEVELS - 1);
    assert_true(dots.dot[99].level > 0 && dots.dot[99].level < CRD_FIG_LEVELS - 1);
    crd_fig_dots_free(&dots);
    /* No evidence anywhere: small discs, and no division by it. */
    memset(evidence, 0, sizeof evidence);
    crd_fig_dots_make(&dots, map, evidence, group, 100, 800);
    for (int64_t i = 0; i < dots.count; i++) assert_int_equal(dots.dot[i].level, 0);
    crd_fig_dots_free(&dots);
}

static void hidden_discs_are_dropped(void **state)
{
    (void)state;
    crd_fig_dot drawn[] = {{.x = 50, .y = 50, .group = 1, .level = 2}, /* under the next */
                           {.x = 50, .y = 50, .group = 2, .level = 2},
                           {.x = 52, .y = 50, .group = 3, .level = 0}, /* on it */
                           {.x = 56, .y = 50, .group = 4, .level = 1}, /* beside it */
                           {.x = 0, .y = 99, .group = 5, .level = 2}}; /* in a corner */
    crd_fig_dots dots = {.side = 100, .count = 5, .radius = {1.0, 3.0, 5.0}};
    dots.dot = crd_cli_allocate(NULL, sizeof drawn);
    memcpy(dots.dot, drawn, sizeof drawn);
    crd_fig_dots_cull(&dots);
    assert_int_equal(dots.count, 4);
    for (int i = 0; i < 4; i++) assert_int_equal(dots.dot[i].group, i + 2);
    /* Nothing is hidden any more: culling again changes nothing. */
    crd_fig_dots_cull(&dots);
    assert_int_equal(dots.count, 4);
    crd_fig_dots_free(&dots);
}

static void discs_cover_the_pixels_inside(void **state)
{
    (void)state;
    crd_fig_dot dot = {.x = 5, .y = 5, .level = 0};
    crd_fig_dots dots = {.side = 11, .count = 1, .radius = {2.0}, .dot = &dot};
    int32_t picture[121];
    for (int i = 0; i < 121; i++) picture[i] = -1;
    paint(picture, &dots, 0);
    int painted = 0;
    for (int i = 0; i < 121; i++) painted += picture[i] == 0;
    assert_int_equal(painted, 13); /* whole numbers with dx^2 + dy^2 <= 4 */
    assert_int_equal(picture[5 * 11 + 7], 0);
    assert_int_equal(picture[3 * 11 + 5], 0);
    assert_int_equal(picture[3 * 11 + 4], -1);
    assert_int_equal(picture[5 * 11 + 8], -1);
}

static void letters_keep_apart(void **state)
{
    (void)state;
    /* Two groups in one place, and one elsewhere. */
    float map[600], evidence[300];
    int32_t group[300];
    for (int i = 0; i < 300; i++) {
        group[i] = i % 3;
        map[2 * i] = (float)(group[i] == 2 ? 100 + i % 10 : i % 10);
        map[2 * i + 1] = (float)(i / 30);
        evidence[i] = 1.0f;
    }
    crd_fig_dots dots;
    crd_fig_dots_make(&dots, map, evidence, group, 300, 800);
    int32_t x[3], y[3];
    for (int g = 0; g < 3; g++) assert_true(crd_fig_dots_place(&dots, g, x, y, g, 30, &x[g], &y[g]));
    assert_true(x[0] < 200 && x[1] < 200 && x[2] > 600);
    assert_true(hypot(x[0] - x[1], y[0] - y[1]) >= 30.0);
    assert_false(crd_fig_dots_place(&dots, 3, x, y, 3, 30, &x[0], &y[0]));
    /* No place is that far from the others. */
    assert_false(crd_fig_dots_place(&dots, 1, x, y, 1, 2000, &x[1], &y[1]));
    crd_fig_dots_free(&dots);
}

/* Text --------------------------------------------------------------------------------------------------- */

static void expect_xml(const char *text, const char *expected)
{
    char *bytes = NULL;
    size_t size;
    FILE *stream = open_memstream(&bytes, &size);
    assert_non_null(stream);
    crd_fig_print_xml(stream, text);
    fclose(stream);
    assert_string_equal(bytes, expected);
    free(bytes);
}

#define NONE "\xef\xbf\xbd"

static void text_is_fit_for_xml(void **state)
{
    (void)state;
    expect_xml("", "");
    expect_xml("plain λ₂ 😀", "plain λ₂ 😀");
    expect_xml("<script>\"a\" & 'b'</script>", "&lt;script&gt;&quot;a&quot; &amp; 'b'&lt;/script&gt;");
    expect_xml("a\x01"
               "b\n\x7f\xc2\x80",
               "a" NONE "b" NONE NONE NONE);
    expect_xml("\xff\xfe", NONE NONE);
    expect_xml("cut \xe2\x82", "cut " NONE NONE);
    expect_xml("\xc0\xbc", NONE NONE); /* '<' in too many bytes */
    expect_xml("\xe0\x80\xbc", NONE);  /* likewise */
    expect_xml("\xed\xa0\x80", NONE);  /* half a character of UTF-16 */
    expect_xml("\xef\xbf\xbe\xef\xbf\xbf", NONE NONE);
    expect_xml("\xf4\x90\x80\x80", NONE); /* beyond Unicode */
    expect_xml("\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80");
}

static void long_text_is_shortened(void **state)
{
    (void)state;
    char *text = crd_fig_shorten("short", 10.0);
    assert_string_equal(text, "short");
    free(text);
    text = crd_fig_shorten("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 6.0);
    assert_true(crd_fig_width(text) <= 6.0);
    assert_string_equal(text + strlen(text) - 3, "…");
    assert_int_equal(strspn(text, "a"), strlen(text) - 3);
    free(text);
    /* Never inside of a character. */
    text = crd_fig_shorten("ääääääääää", 4.0);
    for (size_t i = 0; i + 3 < strlen(text); i += 2) assert_memory_equal(text + i, "ä", 2);
    free(text);
    assert_int_equal(crd_fig_line("one two three", 100.0), 13);
    assert_int_equal(crd_fig_line("one two three", 4.6), 7);
    assert_int_equal(crd_fig_line("longer than the line", 0.5), 6);
}

static void expect_number(double number, const char *expected)
{
    char *text = crd_fig_number(number);
    assert_string_equal(text, expected);
    free(text);
}

static void numbers_are_short(void **state)
{
    (void)state;
    expect_number(0.0, "0");
    expect_number(0.01, "0.01");
    expect_number(4.5, "4.5");
    expect_number(340.4, "340");
    expect_number(12345.0, "12300");
    expect_number(99999.0, "10⁵");
    expect_number(1.2e6, "1.2·10⁶");
    expect_number(1e-12, "10⁻¹²");
    expect_number((double)NAN, "n.a.");
    char *text = crd_fig_percent(88.14);
    assert_string_equal(text, "88.1 %");
    free(text);
}

/* Neighbours --------------------------------------------------------------------------------------------- */

static void neighbours_are_counted(void **state)
{
    (void)state;
    enum { COUNT = 90 };
    float apart[2 * COUNT], mixed[2 * COUNT];
    int32_t label[COUNT];
    /* Three classes, of which the last was left out: far from each other, or taking turns on a line. */
    for (int i = 0; i < COUNT; i++) {
        label[i] = i % 3;
        apart[2 * i] = (float)(1000 * label[i] + i / 3);
        apart[2 * i + 1] = mixed[2 * i + 1] = 0.0f;
        mixed[2 * i] = (float)i;
    }
    crd_fig_neighbours n = crd_fig_neighbours_of(apart, COUNT, 2, label, 2);
    assert_float_equal(n.same, 1.0, 0.0);
    assert_float_equal(n.ood, 1.0, 0.0);
    n = crd_fig_neighbours_of(mixed, COUNT, 2, label, 2);
    assert_true(n.same > 0.15 && n.same < 0.3);
    assert_true(n.ood > 0.15 && n.ood < 0.3);
    /* Unlabelled ones are nobody's neighbours; without left-out ones there is nobody to ask. */
    for (int i = 0; i < COUNT; i++) label[i] = label[i] == 2 ? -1 : label[i];
    n = crd_fig_neighbours_of(mixed, COUNT, 2, label, 2);
    assert_true(n.same > 0.3 && n.same < 0.5);
    assert_true(isnan(n.ood));
}

static void dimensions_are_counted(void **state)
{
    (void)state;
    float points[3 * 64];
    for (int i = 0; i < 64; i++)
        for (int d = 0; d < 3; d++) points[3 * i + d] = i >> d & 1 ? 5.0f : -3.0f;
    assert_float_equal(crd_fig_dimensions(points, 64, 3), 3.0, 1e-9);
    for (int i = 0; i < 64; i++) points[3 * i + 2] = points[3 * i + 1] = points[3 * i];
    assert_float_equal(crd_fig_dimensions(points, 64, 3), 1.0, 1e-9);
    for (int i = 0; i < 3 * 64; i++) points[i] = 7.0f;
    assert_float_equal(crd_fig_dimensions(points, 64, 3), 0.0, 0.0);
}

/* Colours ------------------------------------------------------------------------------------------------ */

static void seen(const char *colour, int how, double lab[3])
{
    /* Ordinary sight, protanopia, deuteranopia, tritanopia: Machado, Oliveira and Fernandes (2009),
     * severity 1. */
    static const double sight[4][3][3] = {
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
    /* OKLab, by Ottosson. */
    static const double cones[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                       {0.2119034982, 0.6806995451, 0.1073969566},
                                       {0.0883024619, 0.2817188376, 0.6299787005}};
    static const double opponents[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                                           {1.9779984951, -2.4285922050, 0.4505937099},
                                           {0.0259040371, 0.7827717662, -0.8086757660}};
    unsigned value[3];
    double light[3], changed[3], cone[3];
    assert_int_equal(sscanf(colour, "#%2x%2x%2x", &value[0], &value[1], &value[2]), 3);
    for (int i = 0; i < 3; i++) {
        double c = value[i] / 255.0;
        light[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    }
    for (int i = 0; i < 3; i++) {
        changed[i] = 0.0;
        for (int j = 0; j < 3; j++) changed[i] += sight[how][i][j] * light[j];
        changed[i] = fmin(fmax(changed[i], 0.0), 1.0);
    }
    for (int i = 0; i < 3; i++) {
        cone[i] = 0.0;
        for (int j = 0; j < 3; j++) cone[i] += cones[i][j] * changed[j];
        cone[i] = cbrt(cone[i]);
    }
    for (int i = 0; i < 3; i++) {
        lab[i] = 0.0;
        for (int j = 0; j < 3; j++) lab[i] += opponents[i][j] * cone[j];
    }
}

static double nearest_pair(int colours)
{
    double least = INFINITY;
    for (int how = 0; how < 4; how++)
        for (int i = -2; i < colours; i++)
            for (int j = -2; j < i; j++) {
                const char *extra[] = {"#ffffff", OUT};
                double a[3], b[3], square = 0.0;
                seen(i < 0 ? extra[i + 2] : crd_fig_colour(i), how, a);
                seen(j < 0 ? extra[j + 2] : crd_fig_colour(j), how, b);
                for (int d = 0; d < 3; d++) square += (a[d] - b[d]) * (a[d] - b[d]);
                least = fmin(least, sqrt(square));
            }
    return least;
}

static void colours_are_told_apart(void **state)
{
    (void)state;
    assert_true(nearest_pair(6) > 0.12);
    assert_true(nearest_pair(8) > 0.11);
    assert_true(nearest_pair(11) > 0.08);
    assert_true(nearest_pair(16) > 0.06);
    assert_string_equal(crd_fig_colour(16), crd_fig_colour(0));
    assert_int_equal(crd_fig_letter(0), 'A');
    assert_int_equal(crd_fig_letter(51), 'z');
    assert_int_equal(crd_fig_letter(52), '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_fill_their_square),   cmocka_unit_test(areas_grow_with_the_root_of_evidence),
        cmocka_unit_test(hidden_discs_are_dropped), cmocka_unit_test(discs_cover_the_pixels_inside),
        cmocka_unit_test(letters_keep_apart),       cmocka_unit_test(text_is_fit_for_xml),
        cmocka_unit_test(long_text_is_shortened),   cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(neighbours_are_counted),   cmocka_unit_test(dimensions_are_counted),
        cmocka_unit_test(colours_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
