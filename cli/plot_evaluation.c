#include "plot_evaluation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "credence_private.h"
#include "plot.h"

enum { NARROWEST = 40, WIDEST = 100, USUAL = 80, GAP = 3 };

/* ---- whether and how ---- */

void crd_cli_add_plot(crd_cli_options *options)
{
    crd_cli_add_choice(options, "plot", "WHEN", "auto", "auto always never",
                       "draw small plots: always, never, or auto: if standard output is a terminal of at least 40 "
                       "columns; in Unicode if the locale is UTF-8, else in ASCII");
}

/* 0 if unknown. */
static int terminal_width(void)
{
    const char *columns = getenv("COLUMNS");
    const int given = columns != NULL ? atoi(columns) : 0;
    struct winsize size;
    if (given > 0) return given;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
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
    const int width = terminal_width();
    const bool able = crd_cli_is_terminal(stdout) && terminal != NULL && strcmp(terminal, "dumb") != 0 &&
                      (width == 0 || width >= NARROWEST);
    const bool automatic = !always && !crd_cli_is(options, "plot", "never");
    *plotting = (crd_cli_plotting){.wanted = always || (automatic && able && !json),
                                   .width = width == 0          ? USUAL
                                            : width < NARROWEST ? NARROWEST
                                            : width > WIDEST    ? WIDEST
                                                                : width,
                                   .unicode = speaks_utf8(),
                                   .colour = crd_cli_may_colour(stdout)};
    return CRD_CLI_DONE;
}

/* ---- what ---- */

typedef struct words {
    const char *negatives, *positives;
    const char *across, *upwards; /* the axes of its ROC curve */
} words;

static const words words_of[] = {
    [CRD_TASK_OOD] = {"known classes", "other classes", "% of known classes flagged", "% of other classes found"},
    [CRD_TASK_MISCLASSIFICATION] = {"right answers", "wrong answers", NULL, NULL},
    [CRD_TASK_SHIFT] = {"other nodes", "shifted nodes", "% of other nodes flagged", "% of shifted nodes found"},
};

/* The uncertainty of the task in readable units: for evidence its logarithm. */
static crd_status plot_histogram(const crd_evaluation *e, const crd_sample *s, int32_t classes, int width, bool unicode,
                                 crd_cli_grid **grid, crd_error *error)
{
    const int64_t count = s->count;
    const double *aleatoric = s->score[CRD_SCORE_ALEATORIC];
    const double *epistemic = s->score[CRD_SCORE_EPISTEMIC];
    const bool dirichlet = s->score[CRD_SCORE_EPISTEMIC_CLASS] != NULL;
    double *value = crd_cli_allocate(NULL, (size_t)count * sizeof *value);
    crd_cli_histogram h = {.reading = "Right: doubtful. The less the two groups overlap, the better they are "
                                      "told apart.",
                           .negatives = words_of[e->task].negatives,
                           .positives = words_of[e->task].positives,
                           .value = value,
                           .positive = s->positive,
                           .count = count};
    if (e->task == CRD_TASK_MISCLASSIFICATION || epistemic == NULL) {
        h.title = "How unsure it is of its answers";
        h.label = "100 % - probability";
        for (int64_t i = 0; i < count; i++) value[i] = 100.0 * (1.0 + aleatoric[i]); /* -max p */
    } else if (!dirichlet) {
        h.title = "How unlike the training nodes";
        h.label = "energy";
        for (int64_t i = 0; i < count; i++) value[i] = epistemic[i];
    } else {
        h.title = "How much evidence nodes have";
        h.label = "log10 of the evidence";
        h.reading = "Left: doubtful. The less the two groups overlap, the better they are told apart.";
        for (int64_t i = 0; i < count; i++) /* -alpha0; alpha0 is the evidence plus one per class */
            value[i] = log10(fmax(-epistemic[i] - (double)classes, 0.0));
    }
    crd_status status = crd_cli_plot_histogram(&h, width, unicode, grid, error);
    free(value);
    return status;
}

static crd_status whole_curve(crd_curve kind, const crd_sample *s, crd_score score, crd_point **points, int64_t *found,
                              crd_error *error)
{
    const int64_t most = s->count + 1;
    *points = crd_cli_allocate(NULL, (size_t)(most < 2 ? 2 : most) * sizeof **points);
    return crd_curve_points(kind, s->score[score], s->positive, s->count, *points, most < 2 ? 2 : most, found, error);
}

static crd_status plot_roc(const crd_evaluation *e, const crd_sample *s, int width, bool unicode, crd_cli_grid **grid,
                           crd_error *error)
{
    const bool epistemic = s->score[CRD_SCORE_EPISTEMIC] != NULL;
    const crd_detection *metrics = epistemic ? &e->ood_epistemic : &e->ood_aleatoric;
    char title[64];
    snprintf(title, sizeof title, "ROC (%s): AUROC %.2f %%", epistemic ? "epistemic" : "aleatoric",
             100.0 * metrics->auroc);
    crd_cli_curve curve = {.title = title,
                           .across = words_of[e->task].across,
                           .upwards = words_of[e->task].upwards,
                           .reading = "The farther above the dotted line, which is guessing, the better.",
                           .top = 1.0,
                           .from = {0.0, 0.0},
                           .to = {1.0, 1.0}};
    crd_point *points;
    crd_status status = whole_curve(CRD_CURVE_ROC, s, epistemic ? CRD_SCORE_EPISTEMIC : CRD_SCORE_ALEATORIC, &points,
                                    &curve.points, error);
    curve.point = points;
    if (status == CRD_OK) *grid = crd_cli_plot_curve(&curve, width, unicode);
    free(points);
    return status;
}

static crd_status plot_risk(const crd_evaluation *e, const crd_sample *s, int width, bool unicode, crd_cli_grid **grid,
                            crd_error *error)
{
    char title[64], reading[160];
    crd_cli_curve curve = {.title = title,
                           .across = "% answered, surest first",
                           .upwards = "% wrong of those answered",
                           .reading = reading,
                           .top = 0.01,
                           .from = {0.0, e->prevalence},
                           .to = {1.0, e->prevalence}};
    crd_point *points;
    crd_status status = whole_curve(CRD_CURVE_RISK, s, CRD_SCORE_ALEATORIC, &points, &curve.points, error);
    if (status == CRD_OK) {
        /* A few answers may all be wrong by chance: the beginning of the curve does not set its scale. */
        const int64_t tenth = curve.points / 10, most = curve.points * 9 / 10;
        for (int64_t i = tenth; i < curve.points; i++) curve.top = fmax(curve.top, 1.05 * points[i].y);
        curve.point = points;
        snprintf(title, sizeof title, "Risk and coverage: AURC %.2f %%", 100.0 * e->failure_aleatoric.aurc);
        snprintf(reading, sizeof reading, "Of all answers %.2f %% are wrong (dotted), of the surest 90 %% %.2f %%.",
                 100.0 * e->prevalence, 100.0 * points[most > 0 ? most - 1 : 0].y);
        *grid = crd_cli_plot_curve(&curve, width, unicode);
    }
    free(points);
    return status;
}

static crd_status plot_reliability(const crd_sample *s, int width, bool unicode, crd_cli_grid **grid, crd_error *error)
{
    crd_reliability_bin bins[CRD_ECE_BINS];
    double ece;
    crd_status status = crd_reliability(s->confidence, s->positive, s->count, bins, &ece, error);
    if (status == CRD_OK) *grid = crd_cli_plot_reliability(bins, ece, width, unicode);
    return status;
}

/* Side by side if both have room, else one below the other. */
static crd_cli_grid *arrange(const crd_cli_grid *one, const crd_cli_grid *other, int width, bool unicode)
{
    crd_cli_grid *page = crd_cli_grid_new(width, unicode);
    const bool beside = one->width + GAP + other->width <= width;
    crd_cli_grid_paste(page, 0, 0, one);
    crd_cli_grid_paste(page, beside ? one->width + GAP : 0, beside ? 0 : page->height + 1, other);
    return page;
}

crd_status crd_cli_plot_evaluation(const crd_evaluation *evaluation, const crd_sample *sample, int32_t classes,
                                   const crd_cli_plotting *plotting, int indent, FILE *stream, crd_error *error)
{
    const crd_evaluation *e = evaluation;
    const bool failures = e->task == CRD_TASK_MISCLASSIFICATION, unicode = plotting->unicode;
    /* All nodes were shifted: there is nothing to tell apart. */
    if (!plotting->wanted || (!failures && (e->positives == 0 || e->positives == e->nodes))) return CRD_OK;
    const int width = plotting->width - indent, half = (width - GAP) / 2;
    const int each = half >= CRD_CLI_PLOT_LEAST ? half : width;
    crd_cli_grid *histogram = NULL, *curve = NULL, *bars = NULL;
    crd_status status = plot_histogram(e, sample, classes, each, unicode, &histogram, error);
    if (status == CRD_OK)
        status = failures ? plot_risk(e, sample, each, unicode, &curve, error)
                          : plot_roc(e, sample, each, unicode, &curve, error);
    if (status == CRD_OK && failures) status = plot_reliability(sample, each, unicode, &bars, error);
    if (status == CRD_OK) {
        crd_cli_grid *page = arrange(histogram, curve, width, unicode);
        if (bars != NULL) crd_cli_grid_paste(page, 0, page->height + 1, bars);
        char *text = crd_cli_grid_text(page, indent, plotting->colour);
        fprintf(stream, "\n%s", text);
        free(text);
        crd_cli_grid_free(page);
    }
    crd_cli_grid_free(histogram);
    crd_cli_grid_free(curve);
    crd_cli_grid_free(bars);
    return status;
}
