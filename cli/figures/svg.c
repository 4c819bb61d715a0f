#include "figures/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/dots.h"
#include "figures/legend.h"
#include "figures/words.h"
#include "lab/text.h"

/* In pixels, for a page of 900: what GitHub shows, and what fits on a sheet of paper. */
static const double WIDTH = 900, MARGIN = 16, GAP = 20, LINE = 17, SMALL = 12.5, TINY = 11.5;

/* Letters on the map, behind which lie the classes; black on a white rim, so that any colour may be under it.
 */
static const double LETTER = 13;

/* Panels ----------------------------------------------------------------------------------------------- */

/* The colour of every node: its class, or one number more for those left out, or one more for the unlabelled.
 */
static int32_t *group_nodes(const crd_lab_data *data, int32_t classes)
{
    const int64_t nodes = crd_dataset_nodes(data->dataset);
    int32_t *group = crd_cli_allocate(NULL, (size_t)nodes * sizeof *group);
    for (int64_t i = 0; i < nodes; i++) {
        int32_t label = crd_dataset_label(data->dataset, i);
        group[i] = label < 0 ? classes + 1 : label < classes ? label : classes;
    }
    return group;
}

/* A disc is a path of no length with round ends: a few characters a node. */
static void print_dots(FILE *stream, const crd_fig_dots *dots, int32_t classes)
{
    const crd_fig_dot *before = NULL;
    for (int64_t i = 0; i < dots->count; i++) {
        const crd_fig_dot *dot = &dots->dot[i];
        if (before == NULL || dot->level != before->level || dot->group != before->group) {
            fprintf(stream, "%s<path stroke=\"%s\" stroke-width=\"%.2f\" d=\"M%d %dz",
                    before != NULL ? "\"/>\n" : "", crd_fig_group_colour(dot->group, classes),
                    2.0 * dots->radius[dot->level], (int)dot->x, (int)dot->y);
        } else {
            const int dx = (int)(dot->x - before->x), dy = (int)(dot->y - before->y);
            fprintf(stream, "m%d%s%dz", dx, dy < 0 ? "" : " ", dy);
        }
        before = dot;
    }
    if (before != NULL) fputs("\"/>\n", stream);
}

/* The classes' letters, those of large classes first: they have the first choice of places. */
static void print_letters(FILE *stream, const crd_fig_dots *dots, const crd_lab_data *data, int32_t classes)
{
    const int32_t all = crd_dataset_classes(data->dataset);
    int64_t *size = crd_cli_allocate(NULL, (size_t)all * sizeof *size);
    int32_t *x = crd_cli_allocate(NULL, (size_t)classes * sizeof *x);
    int32_t *y = crd_cli_allocate(NULL, (size_t)classes * sizeof *y);
    int placed = 0;
    crd_dataset_class_counts(data->dataset, size);
    for (int32_t turn = 0; turn < classes; turn++) {
        int32_t next = -1;
        for (int32_t c = 0; c < classes; c++)
            if (size[c] >= 0 && (next < 0 || size[c] > size[next])) next = c;
        size[next] = -1;
        const char letter = crd_fig_letter(next);
        if (letter == '\0' ||
            !crd_fig_dots_place(dots, next, x, y, placed, (int32_t)(1.4 * LETTER * CRD_FIG_UNITS), &x[placed],
                                &y[placed]))
            continue;
        fprintf(stream, "<text x=\"%d\" y=\"%.0f\">%c</text>\n", (int)x[placed],
                y[placed] + 0.36 * LETTER * CRD_FIG_UNITS, letter);
        placed++;
    }
    free(size);
    free(x);
    free(y);
}

static void print_line(FILE *stream, double x, double *y, double size, const char *text)
{
    fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\">", x, *y, size);
    crd_fig_print_xml(stream, text);
    fputs("</text>\n", stream);
    *y += LINE;
}

/* What was measured, and how large discs are. */
static void print_caption(FILE *stream, const crd_fig_panel *panel, const crd_fig_dots *dots, double x,
                          double y)
{
    char *accuracy = crd_fig_percent(crd_fig_panel_number(panel, "id_acc"));
    char *auroc = crd_fig_percent(crd_fig_panel_number(panel, "auroc_epi"));
    char *alone = crd_fig_percent(crd_fig_panel_number(panel, "auroc_epi_wo"));
    char *known = crd_fig_number(crd_fig_panel_number(panel, "evidence_id"));
    char *unknown = crd_fig_number(crd_fig_panel_number(panel, "evidence_ood"));
    char *lines[] = {crd_cli_text("accuracy %s, OOD AUROC %s", accuracy, auroc),
                     crd_cli_text("OOD AUROC without the graph %s", alone),
                     crd_cli_text("median evidence %s, OOD %s", known, unknown)};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        print_line(stream, x, &y, SMALL, lines[i]);
        free(lines[i]);
    }
    crd_fig_print_sizes(stream, dots, x, y, SMALL);
    free(accuracy);
    free(auroc);
    free(alone);
    free(known);
    free(unknown);
}

static void print_panel(FILE *stream, const crd_fig_grid *grid, const crd_fig_cell *cell,
                        const int32_t *group, double x, double y, double side)
{
    const int32_t classes = crd_dataset_classes(grid->data->dataset) - (int32_t)grid->data->left_out;
    crd_fig_dots dots;
    crd_fig_dots_make(&dots, cell->panel->map, cell->panel->evidence, group, cell->panel->nodes,
                      (int32_t)side * CRD_FIG_UNITS);
    fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"15\" font-weight=\"bold\">", x, y + 15);
    crd_fig_print_xml(stream, cell->title);
    fprintf(stream,
            "</text>\n<rect x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.0f\" fill=\"none\" "
            "stroke=\"#bbbbbb\"/>\n<g transform=\"translate(%.1f %.1f) scale(%g)\">\n"
            "<g fill=\"none\" stroke-linecap=\"round\">\n",
            x, y + 22, side, side, x, y + 22, 1.0 / CRD_FIG_UNITS);
    crd_fig_dots whole = dots;
    whole.dot = crd_cli_allocate(NULL, (size_t)dots.count * sizeof *whole.dot);
    memcpy(whole.dot, dots.dot, (size_t)dots.count * sizeof *whole.dot);
    crd_fig_dots_cull(&dots);
    print_dots(stream, &dots, classes);
    fprintf(stream,
            "</g>\n<g font-size=\"%.0f\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"#000000\" "
            "stroke=\"#ffffff\" stroke-width=\"%.0f\" stroke-linejoin=\"round\" paint-order=\"stroke\">\n",
            LETTER * CRD_FIG_UNITS, 4.0 * CRD_FIG_UNITS);
    print_letters(stream, &whole, grid->data, classes);
    fputs("</g>\n</g>\n", stream);
    print_caption(stream, cell->panel, &dots, x, y + 22 + side + LINE);
    crd_fig_dots_free(&whole);
    crd_fig_dots_free(&dots);
}

/* The drawing ------------------------------------------------------------------------------------------ */

static double print_paragraph(FILE *stream, double y, double size, const char *text)
{
    while (*text != '\0') {
        size_t length = crd_fig_line(text, (WIDTH - 2 * MARGIN) / size);
        char *line = crd_cli_text("%.*s", (int)length, text);
        print_line(stream, MARGIN, &y, size, line);
        free(line);
        text += length;
        text += *text == ' ';
    }
    return y;
}

/* Everything but the frame; returns how high it is. */
static double print_body(FILE *stream, const crd_fig_grid *grid)
{
    const int32_t classes = crd_dataset_classes(grid->data->dataset) - (int32_t)grid->data->left_out;
    const double side = floor((WIDTH - 2 * MARGIN - (grid->columns - 1) * GAP) / grid->columns);
    const double height = 22 + side + 4 * LINE + 18;
    int32_t *group = group_nodes(grid->data, classes);
    char *heading = crd_cli_text("%s: %s", grid->data->title, grid->heading);
    char *shown = crd_fig_shorten(heading, (WIDTH - 2 * MARGIN) / 18);
    fprintf(stream, "<text x=\"%.0f\" y=\"%.0f\" font-size=\"18\" font-weight=\"bold\">", MARGIN,
            MARGIN + 18);
    crd_fig_print_xml(stream, shown);
    fputs("</text>\n", stream);
    double y = crd_fig_print_classes(stream, grid->data, MARGIN, MARGIN + 42, WIDTH - 2 * MARGIN, SMALL) + 10;
    for (int i = 0; i < grid->cells; i++)
        print_panel(stream, grid, &grid->cell[i], group, MARGIN + (i % grid->columns) * (side + GAP),
                    y + (i / grid->columns) * height, side);
    y += ((grid->cells + grid->columns - 1) / grid->columns) * height + 6;
    y = print_paragraph(stream, y, TINY, grid->note);
    free(shown);
    free(heading);
    free(group);
    return y;
}

char *crd_fig_svg(const crd_fig_grid *grid)
{
    crd_lab_text body, whole;
    crd_lab_text_begin(&body);
    const double height = print_body(body.stream, grid);
    char *drawn = crd_lab_text_end(&body);
    crd_lab_text_begin(&whole);
    fprintf(
        whole.stream,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
        "role=\"img\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" fill=\"#222222\">\n"
        "<title>",
        WIDTH, height, WIDTH, height);
    crd_fig_print_xml(whole.stream, grid->data->title);
    fputs(": ", whole.stream);
    crd_fig_print_xml(whole.stream, grid->heading);
    fprintf(whole.stream, "</title>\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#ffffff\"/>\n%s</svg>\n",
            WIDTH, height, drawn);
    free(drawn);
    return crd_lab_text_end(&whole);
}
