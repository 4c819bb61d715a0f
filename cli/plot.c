#include "plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "credence_private.h"
#include "output.h"

/* ---- the sheet of characters ---- */

crd_cli_grid *crd_cli_grid_new(int width, bool unicode)
{
    crd_cli_grid *grid = crd_cli_allocate(NULL, sizeof *grid);
    *grid = (crd_cli_grid){.width = width, .unicode = unicode};
    return grid;
}

void crd_cli_grid_free(crd_cli_grid *grid)
{
    if (grid == NULL) return;
    free(grid->cell);
    free(grid);
}

static void reach(crd_cli_grid *grid, int height)
{
    if (height <= grid->height) return;
    const size_t before = (size_t)grid->width * (size_t)grid->height;
    const size_t after = (size_t)grid->width * (size_t)height;
    grid->cell = crd_cli_allocate(grid->cell, after * sizeof *grid->cell);
    for (size_t i = before; i < after; i++) grid->cell[i] = (crd_cli_cell){' ', CRD_CLI_INK_PLAIN};
    grid->height = height;
}

void crd_cli_grid_put(crd_cli_grid *grid, int column, int row, uint32_t symbol, crd_cli_ink ink)
{
    if (column < 0 || column >= grid->width || row < 0) return;
    reach(grid, row + 1);
    grid->cell[row * grid->width + column] = (crd_cli_cell){symbol, ink};
}

void crd_cli_grid_write(crd_cli_grid *grid, int column, int row, const char *text, crd_cli_ink ink)
{
    reach(grid, row + 1);
    for (; *text != '\0'; text++) crd_cli_grid_put(grid, column++, row, (unsigned char)*text, ink);
}

int crd_cli_grid_wrap(crd_cli_grid *grid, int column, int row, const char *text)
{
    const int left = column;
    while (*text != '\0') {
        const int length = (int)strcspn(text, " ");
        if (column > left && column + length > grid->width) {
            row++;
            column = left;
        }
        for (int i = 0; i < length; i++)
            crd_cli_grid_put(grid, column + i, row, (unsigned char)text[i], CRD_CLI_INK_PLAIN);
        column += length + 1;
        text += length;
        if (*text == ' ') text++;
    }
    return row + 1;
}

void crd_cli_grid_paste(crd_cli_grid *grid, int column, int row, const crd_cli_grid *other)
{
    reach(grid, row + other->height);
    for (int y = 0; y < other->height; y++)
        for (int x = 0; x < other->width; x++) {
            const crd_cli_cell *cell = &other->cell[y * other->width + x];
            if (cell->symbol != ' ') crd_cli_grid_put(grid, column + x, row + y, cell->symbol, cell->ink);
        }
}

/* Up to 0xffff, which covers all symbols drawn here. */
static char *put_utf8(char *out, uint32_t symbol)
{
    if (symbol < 0x80) {
        *out++ = (char)symbol;
    } else if (symbol < 0x800) {
        *out++ = (char)(0xc0 | symbol >> 6);
        *out++ = (char)(0x80 | (symbol & 0x3f));
    } else {
        *out++ = (char)(0xe0 | symbol >> 12);
        *out++ = (char)(0x80 | (symbol >> 6 & 0x3f));
        *out++ = (char)(0x80 | (symbol & 0x3f));
    }
    return out;
}

static char *put_text(char *out, const char *text)
{
    const size_t length = strlen(text);
    memcpy(out, text, length);
    return out + length;
}

char *crd_cli_grid_text(const crd_cli_grid *grid, int indent, bool colour)
{
    static const char *const codes[] = {
        [CRD_CLI_INK_PLAIN] = "\033[0m",
        [CRD_CLI_INK_BOLD] = "\033[1m",
        [CRD_CLI_INK_FIRST] = "\033[36m", /* cyan and yellow: distinct to all eyes, on dark and on light */
        [CRD_CLI_INK_SECOND] = "\033[33m",
    };
    enum { CODES = 9 }; /* bytes for the codes before a symbol: "\033[0m\033[36m" */
    const size_t line = (size_t)indent + (size_t)grid->width * (3 + CODES) + CODES + 1;
    char *text = crd_cli_allocate(NULL, (size_t)grid->height * line + 1), *out = text;
    for (int row = 0; row < grid->height; row++) {
        const crd_cli_cell *cell = grid->cell + (size_t)row * (size_t)grid->width;
        int end = grid->width;
        while (end > 0 && cell[end - 1].symbol == ' ') end--;
        if (end > 0) {
            memset(out, ' ', (size_t)indent);
            out += indent;
        }
        crd_cli_ink ink = CRD_CLI_INK_PLAIN;
        for (int column = 0; column < end; column++) {
            if (colour && cell[column].symbol != ' ' && cell[column].ink != ink) {
                if (ink != CRD_CLI_INK_PLAIN) out = put_text(out, codes[CRD_CLI_INK_PLAIN]);
                ink = cell[column].ink;
                if (ink != CRD_CLI_INK_PLAIN) out = put_text(out, codes[ink]);
            }
            out = put_utf8(out, cell[column].symbol);
        }
        if (ink != CRD_CLI_INK_PLAIN) out = put_text(out, codes[CRD_CLI_INK_PLAIN]);
        *out++ = '\n';
    }
    *out = '\0';
    return text;
}

/* ---- the parts of plots ---- */

enum {
    MARGIN = 7,     /* columns left of the plotting area: labels and the axis */
    PANEL = 4,      /* rows of one group of a histogram */
    AREA = 9,       /* rows of a curve; both plots are equally high */
    COUNT_WIDTH = 9 /* columns for the number of answers in a bin */
};

/* The symbols of lines and bars. */
typedef struct pens {
    uint32_t upright, label, corner, along, tick, mark;
    int dots_across, dots_down; /* in a cell */
    int levels;                 /* of a bar within a cell */
} pens;

static const pens fine = {0x2502, 0x2524, 0x2514, 0x2500, 0x252c, 0x2503, 2, 4, 8};
static const pens coarse = {'|', '+', '+', '-', '+', '|', 1, 1, 2};

static const pens *pens_of(const crd_cli_grid *grid)
{
    return grid->unicode ? &fine : &coarse;
}

/* A cell of a bar filled up to a level, 1 to `levels`. */
static uint32_t upward_block(const crd_cli_grid *grid, int level)
{
    if (!grid->unicode) return level == 2 ? '#' : '.';
    return 0x2580 + (uint32_t)level;
}

static uint32_t rightward_block(const crd_cli_grid *grid, int level)
{
    if (!grid->unicode) return level == 2 ? '#' : '-';
    return 0x2590 - (uint32_t)level;
}

/* ---- axes ---- */

static void write_right(crd_cli_grid *grid, int end, int row, const char *text)
{
    crd_cli_grid_write(grid, end - (int)strlen(text), row, text, CRD_CLI_INK_PLAIN);
}

/* The smallest of ..., 0.2, 0.5, 1, 2, 5, 10, ... that is not below `least`. */
static double round_step(double least)
{
    const double power = pow(10.0, floor(log10(least)));
    return power * (least <= power ? 1.0 : least <= 2.0 * power ? 2.0 : least <= 5.0 * power ? 5.0 : 10.0);
}

/* The column of a fraction along an axis. */
static int column_of(double fraction, int columns)
{
    const int column = (int)floor(fraction * columns + 1e-9);
    return column < 0 ? 0 : column < columns ? column : columns - 1;
}

/* Draws the axis below an area of `columns`, and the numbers below the axis. */
static void draw_axis(crd_cli_grid *grid, int left, int row, int columns, double low, double high)
{
    const pens *pen = pens_of(grid);
    enum { LABEL = 8 }; /* columns a number may take, with a gap */
    crd_cli_grid_put(grid, left - 1, row, pen->corner, CRD_CLI_INK_PLAIN);
    for (int c = 0; c < columns; c++) crd_cli_grid_put(grid, left + c, row, pen->along, CRD_CLI_INK_PLAIN);
    const double step = round_step((high - low) * LABEL / columns), first = ceil(low / step - 1e-9);
    for (int i = 0; i <= columns / LABEL; i++) {
        char label[32];
        const double at = (first + i) * step;
        if (!(at <= high + 1e-9 * step)) break;
        const int length = snprintf(label, sizeof label, "%g", at == 0.0 ? 0.0 : at); /* not -0 */
        const int place = column_of((at - low) / (high - low), columns);
        int begin = left + place - length / 2;
        if (begin + length > grid->width) begin = grid->width - length;
        crd_cli_grid_put(grid, left + place, row, pen->tick, CRD_CLI_INK_PLAIN);
        crd_cli_grid_write(grid, begin, row + 1, label, CRD_CLI_INK_PLAIN);
    }
}

static void percent(char text[16], double share)
{
    snprintf(text, 16, "%.*f %%", share >= 0.0995 || share == 0.0 ? 0 : 1, 100.0 * share);
}

/* Draws the line left of an area, with the number of a row. */
static void draw_side(crd_cli_grid *grid, int row, const double *share)
{
    const pens *pen = pens_of(grid);
    crd_cli_grid_put(grid, MARGIN - 1, row, share != NULL ? pen->label : pen->upright, CRD_CLI_INK_PLAIN);
    if (share == NULL) return;
    char text[16];
    percent(text, *share);
    write_right(grid, MARGIN - 1, row, text);
}

/* ---- histograms ---- */

/* Draws one group: its name, and below it its bars. The largest bar fills the height. */
static int draw_group(crd_cli_grid *grid, int row, const char *name, const int64_t *bin, int columns, crd_cli_ink ink)
{
    const int levels = pens_of(grid)->levels;
    int64_t total = 0, largest = 1;
    for (int c = 0; c < columns; c++) {
        total += bin[c];
        if (bin[c] > largest) largest = bin[c];
    }
    char heading[96];
    snprintf(heading, sizeof heading, "%s: %lld", name, (long long)total);
    crd_cli_grid_write(grid, MARGIN, row++, heading, ink);
    const double share = total > 0 ? (double)largest / (double)total : 0.0;
    for (int r = 0; r < PANEL; r++) draw_side(grid, row + r, r == 0 && total > 0 ? &share : NULL);
    for (int c = 0; c < columns; c++) {
        if (bin[c] == 0) continue;
        int height = (int)lround((double)bin[c] / (double)largest * PANEL * levels);
        if (height == 0) height = 1; /* few must not look like none */
        for (int r = PANEL - 1; height > 0; r--, height -= levels)
            crd_cli_grid_put(grid, MARGIN + c, row + r, upward_block(grid, height < levels ? height : levels), ink);
    }
    return row + PANEL;
}

crd_status crd_cli_plot_histogram(const crd_cli_histogram *histogram, int width, bool unicode, crd_cli_grid **grid,
                                  crd_error *error)
{
    const crd_cli_histogram *h = histogram;
    const int columns = width - MARGIN;
    double *edges = crd_cli_allocate(NULL, (size_t)(columns + 1) * sizeof *edges);
    int64_t *bins = crd_cli_allocate(NULL, 2 * (size_t)columns * sizeof *bins);
    crd_status status = crd_histogram(h->value, h->positive, h->count, columns, edges, bins, bins + columns, error);
    *grid = NULL;
    if (status == CRD_OK) {
        crd_cli_grid *g = *grid = crd_cli_grid_new(width, unicode);
        crd_cli_grid_write(g, 0, 0, h->title, CRD_CLI_INK_BOLD);
        int row = draw_group(g, 1, h->negatives, bins, columns, CRD_CLI_INK_FIRST);
        row = draw_group(g, row, h->positives, bins + columns, columns, CRD_CLI_INK_SECOND);
        draw_axis(g, MARGIN, row, columns, edges[0], edges[columns]);
        crd_cli_grid_write(g, MARGIN, row + 2, h->label, CRD_CLI_INK_PLAIN);
        crd_cli_grid_wrap(g, 0, row + 3, h->reading);
    }
    free(edges);
    free(bins);
    return status;
}

/* ---- curves ---- */

/* Dots, several per cell: 0 for none, else what is drawn; larger numbers cover smaller ones. */
typedef struct canvas {
    int across, down;
    unsigned char *dot;
} canvas;
enum { COMPARED = 1, DRAWN = 2 };

static void put_dot(canvas *c, double x, double y, unsigned char what)
{
    const long column = lround(x * (c->across - 1)), row = lround((1.0 - y) * (c->down - 1));
    if (column < 0 || column >= c->across || row < 0 || row >= c->down) return;
    unsigned char *dot = &c->dot[row * c->across + column];
    if (what > *dot) *dot = what;
}

/* Draws a dot for every column or every row, whichever are more; of these every `apart`-th. */
static void draw_line(canvas *c, crd_point from, crd_point to, unsigned char what, int apart)
{
    const double dx = to.x - from.x, dy = to.y - from.y;
    const double steps = fmax(1.0, ceil(fmax(fabs(dx) * (c->across - 1), fabs(dy) * (c->down - 1))));
    for (double s = 0.0; s <= steps; s += apart) put_dot(c, from.x + dx * s / steps, from.y + dy * s / steps, what);
}

/* The cell's symbol, 0 for none. Braille's dots are numbered down the left column, then down the right one; the
 * lowest two were added later and come last. */
static uint32_t symbol_of(const crd_cli_grid *grid, const canvas *c, int column, int row, crd_cli_ink *ink)
{
    static const unsigned char bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    const pens *pen = pens_of(grid);
    uint32_t bits = 0;
    unsigned char top = 0;
    for (int y = 0; y < pen->dots_down; y++)
        for (int x = 0; x < pen->dots_across; x++) {
            const unsigned char dot = c->dot[(row * pen->dots_down + y) * c->across + column * pen->dots_across + x];
            if (dot > 0) bits |= bit[y][x];
            if (dot > top) top = dot;
        }
    *ink = top == DRAWN ? CRD_CLI_INK_SECOND : CRD_CLI_INK_PLAIN;
    if (top == 0) return 0;
    return grid->unicode ? 0x2800 + bits : top == DRAWN ? '*' : '.';
}

static void draw_canvas(crd_cli_grid *grid, int left, int row, const canvas *c)
{
    const pens *pen = pens_of(grid);
    for (int y = 0; y < c->down / pen->dots_down; y++)
        for (int x = 0; x < c->across / pen->dots_across; x++) {
            crd_cli_ink ink;
            const uint32_t symbol = symbol_of(grid, c, x, y, &ink);
            if (symbol != 0) crd_cli_grid_put(grid, left + x, row + y, symbol, ink);
        }
}

crd_cli_grid *crd_cli_plot_curve(const crd_cli_curve *curve, int width, bool unicode)
{
    const int columns = width - MARGIN;
    crd_cli_grid *grid = crd_cli_grid_new(width, unicode);
    const pens *pen = pens_of(grid);
    canvas c = {.across = columns * pen->dots_across, .down = AREA * pen->dots_down};
    c.dot = crd_cli_allocate(NULL, (size_t)c.across * (size_t)c.down);
    memset(c.dot, 0, (size_t)c.across * (size_t)c.down);
    const crd_point scale = {1.0, 1.0 / curve->top};
    crd_point before = {0};
    for (int64_t i = 0; i < curve->points; i++) {
        const crd_point at = {curve->point[i].x * scale.x, curve->point[i].y * scale.y};
        draw_line(&c, i == 0 ? at : before, at, DRAWN, 1);
        before = at;
    }
    draw_line(&c, (crd_point){curve->from.x, curve->from.y * scale.y}, (crd_point){curve->to.x, curve->to.y * scale.y},
              COMPARED, unicode ? 4 : 2);
    crd_cli_grid_write(grid, 0, 0, curve->title, CRD_CLI_INK_BOLD);
    crd_cli_grid_write(grid, MARGIN - 1, 1, curve->upwards, CRD_CLI_INK_PLAIN);
    for (int r = 0; r < AREA; r++) {
        const double share = curve->top * (1.0 - (double)r / (AREA - 1));
        draw_side(grid, 2 + r, r % (AREA / 2) == 0 ? &share : NULL);
    }
    draw_canvas(grid, MARGIN, 2, &c);
    draw_axis(grid, MARGIN, 2 + AREA, columns, 0.0, 100.0);
    crd_cli_grid_write(grid, MARGIN, 4 + AREA, curve->across, CRD_CLI_INK_PLAIN);
    crd_cli_grid_wrap(grid, 0, 5 + AREA, curve->reading);
    free(c.dot);
    return grid;
}

/* ---- reliability ---- */

static void draw_bar(crd_cli_grid *grid, int row, int columns, const crd_reliability_bin *bin)
{
    const pens *pen = pens_of(grid);
    int length = (int)lround(bin->accuracy * columns * pen->levels);
    for (int c = 0; length > 0; c++, length -= pen->levels)
        crd_cli_grid_put(grid, MARGIN + c, row, rightward_block(grid, length < pen->levels ? length : pen->levels),
                         CRD_CLI_INK_FIRST);
    crd_cli_grid_put(grid, MARGIN + column_of(bin->confidence, columns), row, pen->mark, CRD_CLI_INK_BOLD);
}

crd_cli_grid *crd_cli_plot_reliability(const crd_reliability_bin bins[CRD_ECE_BINS], double ece, int width,
                                       bool unicode)
{
    const int columns = width - MARGIN - COUNT_WIDTH;
    crd_cli_grid *grid = crd_cli_grid_new(width, unicode);
    char text[64];
    snprintf(text, sizeof text, "Reliability: ECE %.2f %%", 100.0 * ece);
    crd_cli_grid_write(grid, 0, 0, text, CRD_CLI_INK_BOLD);
    crd_cli_grid_write(grid, 0, 1, "% sure  % right", CRD_CLI_INK_PLAIN);
    write_right(grid, width, 1, "answers");
    int row = 2;
    for (int b = 0; b < CRD_ECE_BINS; b++) {
        if (bins[b].count == 0) continue;
        snprintf(text, sizeof text, "%.0f-%.0f", 100.0 * bins[b].low, 100.0 * bins[b].high);
        write_right(grid, MARGIN - 1, row, text);
        draw_side(grid, row, NULL);
        draw_bar(grid, row, columns, &bins[b]);
        snprintf(text, sizeof text, "%lld", (long long)bins[b].count);
        write_right(grid, width, row++, text);
    }
    draw_axis(grid, MARGIN, row, columns, 0.0, 100.0);
    crd_cli_grid_wrap(grid, 0, row + 2,
                      "Bar: how many are right. Mark: how many its probabilities promise. A bar beyond its "
                      "mark: right more often than it says; short of it: less often.");
    return grid;
}
