/* SPDX-License-Identifier: MIT */
/* Every plot has labelled axes and a sentence on how to read it. It is drawn on a panel, which is a part of a page of
 * characters. */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* ---- whether and how ---- */

enum { NARROWEST = 40, WIDEST = 100, USUAL = 80 };

void crd_cli_add_plot(crd_cli_options *options)
{
    crd_cli_add_choice(options, "plot", "WHEN", "auto", "auto always never",
                       "draw small plots: always, never, or auto: if standard output is a terminal of at least 40 "
                       "columns; in Unicode if the locale is UTF-8, else in ASCII");
}

/* Whether the environment asks for UTF-8, whatever locales the C library has. */
static bool speaks_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *locale = getenv(names[i]);
        if (locale == NULL || locale[0] == '\0') continue;
        const char *codeset = strchr(locale, '.');
        return codeset != NULL && (strncasecmp(codeset, ".UTF-8", 6) == 0 || strncasecmp(codeset, ".utf8", 5) == 0);
    }
    return false;
}

int crd_cli_read_plot(const crd_cli_options *options, crd_cli_plotting *plotting)
{
    const char *terminal = getenv("TERM");
    const bool json = crd_cli_given(options, "json"), always = crd_cli_is(options, "plot", "always");
    if (always && json) return crd_cli_misused(options, "--plot always and --json contradict each other");
    const int width = crd_cli_columns();
    const bool able = crd_cli_is_terminal(stdout) && terminal != NULL && strcmp(terminal, "dumb") != 0 &&
                      (width == 0 || width >= NARROWEST);
    const bool automatic = !always && !crd_cli_is(options, "plot", "never");
    *plotting = (crd_cli_plotting){.wanted = always || (automatic && able && !json),
                                   .width = width == 0 ? USUAL : (int)fmin(fmax(width, NARROWEST), WIDEST),
                                   .unicode = speaks_utf8(),
                                   .colour = crd_cli_may_colour(stdout)};
    return CRD_CLI_DONE;
}

/* ---- the page ---- */

typedef enum { PLAIN, BOLD, FIRST, SECOND } paint; /* first and second: two groups to compare */

typedef struct {
    int width, height; /* it grows downwards as it is drawn on */
    bool unicode;      /* false: only ASCII may be drawn */
    struct {
        uint32_t symbol; /* a Unicode character: ASCII, or from 0x800 to 0xffff */
        paint ink;
    } * cell;
} page;

/* Columns and rows on a panel count from its upper left corner. */
typedef struct {
    page *page;
    int left, top, width;
} panel;

/* Whatever lies outside the width is left out. */
static void put(const panel *p, int column, int row, uint32_t symbol, paint ink)
{
    page *to = p->page;
    if (column < 0 || column >= p->width) return;
    const int at = (p->top + row) * to->width + p->left + column;
    if (p->top + row >= to->height) {
        const int before = to->width * to->height;
        to->height = p->top + row + 1;
        to->cell = crd_cli_allocate(to->cell, (size_t)to->width * (size_t)to->height * sizeof *to->cell);
        for (int i = before; i < to->width * to->height; i++) to->cell[i].symbol = ' ';
    }
    to->cell[at].symbol = symbol;
    to->cell[at].ink = ink;
}

/* Writes ASCII in one row. */
static void write_at(const panel *p, int column, int row, const char *text, paint ink)
{
    for (; *text != '\0'; text++) put(p, column++, row, (unsigned char)*text, ink);
}

static void write_before(const panel *p, int end, int row, const char *text)
{
    write_at(p, end - (int)strlen(text), row, text, PLAIN);
}

/* Writes word by word in as many rows as it needs. */
static void write_wrapped(const panel *p, int row, const char *text)
{
    for (int column = 0; *text != '\0'; text += *text == ' ') {
        const int length = (int)strcspn(text, " ");
        if (column > 0 && column + length > p->width) {
            row++;
            column = 0;
        }
        for (int i = 0; i < length; i++) put(p, column++, row, (unsigned char)*text++, PLAIN);
        column++;
    }
}

static void print_symbol(uint32_t symbol, FILE *stream)
{
    if (symbol < 0x80) {
        fputc((int)symbol, stream);
    } else {
        fputc((int)(0xe0 | symbol >> 12), stream);
        fputc((int)(0x80 | (symbol >> 6 & 0x3f)), stream);
        fputc((int)(0x80 | (symbol & 0x3f)), stream);
    }
}

/* Prints the lines without trailing blanks. */
static void print_page(const page *from, int indent, bool colour, FILE *stream)
{
    static const char *const codes[] = {
        [PLAIN] = "",
        [BOLD] = "\033[1m",
        [FIRST] = "\033[36m", /* cyan and yellow: distinct to all eyes, on dark and on light */
        [SECOND] = "\033[33m",
    };
    for (int row = 0; row < from->height; row++) {
        int at = row * from->width, end = at + from->width;
        paint ink = PLAIN;
        while (end > at && from->cell[end - 1].symbol == ' ') end--;
        if (end > at) fprintf(stream, "%*s", indent, "");
        for (; at < end; at++) {
            if (colour && from->cell[at].symbol != ' ' && from->cell[at].ink != ink) {
                fprintf(stream, "%s%s", ink != PLAIN ? "\033[0m" : "", codes[from->cell[at].ink]);
                ink = from->cell[at].ink;
            }
            print_symbol(from->cell[at].symbol, stream);
        }
        fputs(ink != PLAIN ? "\033[0m\n" : "\n", stream);
    }
}

/* ---- axes and bars ---- */

enum {
    LEAST = 36,      /* columns that every plot needs */
    MARGIN = 7,      /* columns left of the plotting area: labels and the axis */
    GROUP = 4,       /* rows of one group of a histogram */
    AREA = 9,        /* rows of a curve; both plots are equally high */
    COUNT_WIDTH = 9, /* columns for the number of answers in a bin */
    GAP = 3          /* columns between two plots */
};

/* The symbols of lines and bars. */
typedef struct {
    uint32_t upright, label, corner, along, tick, mark, dot;
    int levels; /* of a bar within a cell */
} pens;

static const pens fine = {0x2502, 0x2524, 0x2514, 0x2500, 0x252c, 0x2503, 0x2022, 8};
static const pens coarse = {'|', '+', '+', '-', '+', '|', 'o', 2};

static const pens *pens_of(const panel *p)
{
    return p->page->unicode ? &fine : &coarse;
}

/* A cell of a bar filled up to a level; levels above the last fill it all. */
static uint32_t block(const panel *p, int level, bool upwards)
{
    const pens *pen = pens_of(p);
    if (level > pen->levels) level = pen->levels;
    if (!p->page->unicode) return level == 2 ? '#' : upwards ? '.' : '-';
    return upwards ? 0x2580 + (uint32_t)level : 0x2590 - (uint32_t)level;
}

/* Draws a bar in so many rows, from the lowest up; its height is a fraction of them. */
static void draw_upright(const panel *p, int column, int row, int rows, double fraction, paint ink)
{
    const int levels = pens_of(p)->levels;
    int height = (int)lround(fmin(fraction, 1.0) * rows * levels);
    if (height == 0 && fraction > 0.0) height = 1; /* few must not look like none */
    for (int r = row + rows - 1; height > 0; r--, height -= levels) put(p, column, r, block(p, height, true), ink);
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
static void draw_axis(const panel *p, int row, int columns, double low, double high)
{
    const pens *pen = pens_of(p);
    enum { LABEL = 8 }; /* columns a number may take, with a gap */
    put(p, MARGIN - 1, row, pen->corner, PLAIN);
    for (int c = 0; c < columns; c++) put(p, MARGIN + c, row, pen->along, PLAIN);
    const double step = round_step((high - low) * LABEL / columns), first = ceil(low / step - 1e-9);
    for (int i = 0; i <= columns / LABEL; i++) {
        char label[32];
        const double at = (first + i) * step;
        if (!(at <= high + 1e-9 * step)) break;
        const int length = snprintf(label, sizeof label, "%g", at == 0.0 ? 0.0 : at); /* not -0 */
        const int place = MARGIN + column_of((at - low) / (high - low), columns), begin = place - length / 2;
        put(p, place, row, pen->tick, PLAIN);
        write_at(p, begin + length > p->width ? p->width - length : begin, row + 1, label, PLAIN);
    }
}

/* Draws the line left of an area, with the number of a row: a share in percent, or none if it is negative. */
static void draw_side(const panel *p, int row, double share)
{
    char text[16];
    put(p, MARGIN - 1, row, share < 0.0 ? pens_of(p)->upright : pens_of(p)->label, PLAIN);
    if (share < 0.0) return;
    snprintf(text, sizeof text, "%.*f %%", share >= 0.0995 || share == 0.0 ? 0 : 1, 100.0 * share);
    write_before(p, MARGIN - 1, row, text);
}

/* ---- histograms: two groups, one above the other, on one axis ---- */

typedef struct {
    const char *title, *label, *reading;
    const char *negatives, *positives; /* the names of the groups */
    const double *value;
    const bool *positive;
    int64_t count;
} histogram;

/* Draws one group: its name, and below it its bars. The largest bar fills the height. */
static void draw_group(const panel *p, int row, const char *name, const int64_t *bin, int columns, paint ink)
{
    char heading[96];
    int64_t total = 0, largest = 1;
    for (int c = 0; c < columns; c++) {
        total += bin[c];
        if (bin[c] > largest) largest = bin[c];
    }
    snprintf(heading, sizeof heading, "%s: %lld", name, (long long)total);
    write_at(p, MARGIN, row, heading, ink);
    for (int r = 0; r < GROUP; r++)
        draw_side(p, row + 1 + r, r == 0 && total > 0 ? (double)largest / (double)total : -1.0);
    for (int c = 0; c < columns; c++)
        draw_upright(p, MARGIN + c, row + 1, GROUP, (double)bin[c] / (double)largest, ink);
}

static crd_status draw_histogram(const panel *p, const histogram *h, crd_error *error)
{
    enum { AXIS = 1 + 2 * (1 + GROUP) }; /* the row of the axis */
    double edges[WIDEST + 1];
    int64_t bins[2][WIDEST];
    const int columns = p->width - MARGIN;
    crd_status status = crd_histogram(h->value, h->positive, h->count, columns, edges, bins[0], bins[1], error);
    if (status != CRD_OK) return status;
    write_at(p, 0, 0, h->title, BOLD);
    draw_group(p, 1, h->negatives, bins[0], columns, FIRST);
    draw_group(p, 2 + GROUP, h->positives, bins[1], columns, SECOND);
    draw_axis(p, AXIS, columns, edges[0], edges[columns]);
    write_at(p, MARGIN, AXIS + 2, h->label, PLAIN);
    write_wrapped(p, AXIS + 3, h->reading);
    return CRD_OK;
}

/* ---- curves: the area below them ---- */

typedef struct {
    const char *title, *across, *upwards, *reading; /* across, upwards: labels of the axes */
    const crd_point *point;                         /* x from 0 to 1; fractions, shown in percent */
    int64_t points;
    double top;      /* the largest y that is shown */
    double from, to; /* the ends of a dotted line for comparison */
} curve;

/* The curve's height at x, between two points on the straight line. */
static double height_at(const curve *c, double x)
{
    int64_t i = 0;
    while (i + 1 < c->points && c->point[i + 1].x <= x) i++;
    const crd_point a = c->point[i], b = i + 1 < c->points ? c->point[i + 1] : a;
    return x > a.x && b.x > a.x ? a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x) : a.y;
}

static void draw_curve(const panel *p, const curve *c)
{
    const int columns = p->width - MARGIN;
    write_at(p, 0, 0, c->title, BOLD);
    write_at(p, MARGIN - 1, 1, c->upwards, PLAIN);
    for (int r = 0; r < AREA; r++) draw_side(p, 2 + r, r % 3 == 0 ? c->top * (AREA - r) / AREA : -1.0);
    for (int column = 0; column < columns; column++) {
        const double x = (column + 0.5) / columns, line = (c->from + (c->to - c->from) * x) / c->top;
        if (c->points > 0) draw_upright(p, MARGIN + column, 2, AREA, height_at(c, x) / c->top, SECOND);
        if (column % 2 == 0) put(p, MARGIN + column, 2 + column_of(1.0 - line, AREA), pens_of(p)->dot, PLAIN);
    }
    draw_axis(p, 2 + AREA, columns, 0.0, 100.0);
    write_at(p, MARGIN, 4 + AREA, c->across, PLAIN);
    write_wrapped(p, 5 + AREA, c->reading);
}

/* ---- reliability: a bar for every bin that has answers ---- */

static void draw_reliability(const panel *p, const crd_reliability_bin bins[CRD_ECE_BINS], double ece)
{
    const pens *pen = pens_of(p);
    const int columns = p->width - MARGIN - COUNT_WIDTH;
    char text[64];
    snprintf(text, sizeof text, "Reliability: ECE %.2f %%", 100.0 * ece);
    write_at(p, 0, 0, text, BOLD);
    write_at(p, 0, 1, "% sure  % right", PLAIN);
    write_before(p, p->width, 1, "answers");
    int row = 2;
    for (int b = 0; b < CRD_ECE_BINS; b++) {
        if (bins[b].count == 0) continue;
        snprintf(text, sizeof text, "%.0f-%.0f", 100.0 * bins[b].low, 100.0 * bins[b].high);
        write_before(p, MARGIN - 1, row, text);
        draw_side(p, row, -1.0);
        int length = (int)lround(bins[b].accuracy * columns * pen->levels);
        for (int c = 0; length > 0; c++, length -= pen->levels) put(p, MARGIN + c, row, block(p, length, false), FIRST);
        put(p, MARGIN + column_of(bins[b].confidence, columns), row, pen->mark, BOLD);
        snprintf(text, sizeof text, "%lld", (long long)bins[b].count);
        write_before(p, p->width, row++, text);
    }
    draw_axis(p, row, columns, 0.0, 100.0);
    write_wrapped(p, row + 2,
                  "Bar: how many are right. Mark: how many its probabilities promise. A bar beyond its mark: right "
                  "more often than it says; short of it: less often.");
}

/* ---- the plots of an evaluation ---- */

typedef struct {
    const char *negatives, *positives;
    const char *across, *upwards; /* the axes of its ROC curve */
} words;

static const words words_of[] = {
    [CRD_TASK_OOD] = {"known classes", "other classes", "% of known classes flagged", "% of other classes found"},
    [CRD_TASK_MISCLASSIFICATION] = {"right answers", "wrong answers", NULL, NULL},
    [CRD_TASK_SHIFT] = {"other nodes", "shifted nodes", "% of other nodes flagged", "% of shifted nodes found"},
};

/* The uncertainty of the task in readable units: for evidence its logarithm. */
static crd_status plot_histogram(const panel *p, const crd_evaluation *e, const crd_sample *s, const crd_model *model,
                                 crd_error *error)
{
    const char *score = crd_config_score(crd_model_config(model));
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    const int64_t count = s->count;
    const double *aleatoric = s->score[CRD_SCORE_ALEATORIC];
    const double *epistemic = s->score[CRD_SCORE_EPISTEMIC];
    const bool dirichlet = s->score[CRD_SCORE_EPISTEMIC_CLASS] != NULL;
    double *value = crd_cli_allocate(NULL, (size_t)count * sizeof *value);
    histogram h = {.reading = "Right: doubtful. The less the two groups overlap, the better they are told apart.",
                   .negatives = words_of[e->task].negatives,
                   .positives = words_of[e->task].positives,
                   .value = value,
                   .positive = s->positive,
                   .count = count};
    if (e->task == CRD_TASK_MISCLASSIFICATION || epistemic == NULL) {
        h.title = "How unsure it is of its answers";
        h.label = "100 % - probability";
        for (int64_t i = 0; i < count; i++) value[i] = 100.0 * (1.0 + aleatoric[i]); /* -max p */
    } else if (!dirichlet || score != NULL || facts.networks > 0) {
        h.title = "How unlike the training nodes";
        h.label = score != NULL ? score : facts.networks > 0 ? "log-odds" : "energy";
        for (int64_t i = 0; i < count; i++) value[i] = epistemic[i];
    } else {
        h.title = "How much evidence nodes have";
        h.label = "log10 of the evidence";
        h.reading = "Left: doubtful. The less the two groups overlap, the better they are told apart.";
        for (int64_t i = 0; i < count; i++) /* -alpha0; alpha0 is the evidence plus one per class */
            value[i] = log10(fmax(-epistemic[i] - (double)facts.classes, 0.0));
    }
    crd_status status = draw_histogram(p, &h, error);
    free(value);
    return status;
}

/* The risk of wrong answers, or the ROC curve of what is to be detected. */
static crd_status plot_curve(const panel *p, const crd_evaluation *e, const crd_sample *s, crd_error *error)
{
    const bool risk = e->task == CRD_TASK_MISCLASSIFICATION;
    const crd_score score = risk || s->score[CRD_SCORE_EPISTEMIC] == NULL ? CRD_SCORE_ALEATORIC : CRD_SCORE_EPISTEMIC;
    const int64_t count = s->count, most = count < 1 ? 2 : count + 1;
    char title[64], reading[160] = "The farther above the dotted line, which is guessing, the better.";
    crd_point *points = crd_cli_allocate(NULL, (size_t)most * sizeof *points);
    curve c = {.title = title, .reading = reading, .point = points};
    crd_status status = crd_curve_points(risk ? CRD_CURVE_RISK : CRD_CURVE_ROC, s->score[score], s->positive, count,
                                         points, most, &c.points, error);
    if (status == CRD_OK && risk) {
        c.across = "% answered, surest first";
        c.upwards = "% wrong of those answered";
        c.from = c.to = e->prevalence;
        /* A few answers may all be wrong by chance: the beginning of the curve does not set its scale. */
        c.top = 0.01;
        for (int64_t i = c.points / 10; i < c.points; i++) c.top = fmax(c.top, 1.05 * points[i].y);
        const int64_t surest = c.points * 9 / 10;
        snprintf(title, sizeof title, "Risk and coverage: AURC %.2f %%", 100.0 * e->failure_aleatoric.aurc);
        snprintf(reading, sizeof reading, "Of all answers %.2f %% are wrong (dotted), of the surest 90 %% %.2f %%.",
                 100.0 * e->prevalence, 100.0 * points[surest > 0 ? surest - 1 : 0].y);
    } else if (status == CRD_OK) {
        const bool epistemic = score == CRD_SCORE_EPISTEMIC;
        c.across = words_of[e->task].across;
        c.upwards = words_of[e->task].upwards;
        c.top = c.to = 1.0;
        snprintf(title, sizeof title, "ROC (%s): AUROC %.2f %%", epistemic ? "epistemic" : "aleatoric",
                 100.0 * (epistemic ? e->ood_epistemic.auroc : e->ood_aleatoric.auroc));
    }
    if (status == CRD_OK) draw_curve(p, &c);
    free(points);
    return status;
}

static crd_status plot_reliability(const panel *p, const crd_sample *s, crd_error *error)
{
    crd_reliability_bin bins[CRD_ECE_BINS];
    double ece;
    crd_status status = crd_reliability(s->confidence, s->positive, s->count, bins, &ece, error);
    if (status == CRD_OK) draw_reliability(p, bins, ece);
    return status;
}

crd_status crd_cli_plot_evaluation(const crd_evaluation *evaluation, const crd_sample *sample, const crd_model *model,
                                   const crd_cli_plotting *plotting, int indent, FILE *stream, crd_error *error)
{
    const crd_evaluation *e = evaluation;
    const bool failures = e->task == CRD_TASK_MISCLASSIFICATION;
    /* All nodes were shifted: there is nothing to tell apart. */
    if (!plotting->wanted || (!failures && (e->positives == 0 || e->positives == e->nodes))) return CRD_OK;
    page all = {.width = plotting->width - indent, .unicode = plotting->unicode};
    const int half = (all.width - GAP) / 2;
    const bool beside = half >= LEAST; /* else one below the other */
    panel p = {.page = &all, .width = beside ? half : all.width};
    crd_status status = plot_histogram(&p, e, sample, model, error);
    if (beside) p.left = half + GAP;
    else p.top = all.height + 1;
    if (status == CRD_OK) status = plot_curve(&p, e, sample, error);
    p.left = 0;
    p.top = all.height + 1;
    if (status == CRD_OK && failures) status = plot_reliability(&p, sample, error);
    if (status == CRD_OK) {
        fputc('\n', stream);
        print_page(&all, indent, plotting->colour, stream);
    }
    free(all.cell);
    return status;
}
