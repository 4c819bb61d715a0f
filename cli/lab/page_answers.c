#include "lab/page_answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "credence_private.h"
#include "lab/shift_task.h"
#include "lab/summary_pairs.h"
#include "lab/table.h"

static const char *value(const crd_lab_directive *d, const char *key)
{
    return crd_lab_directive_value(d, key);
}

/* A number of digits, given as the word of that index or not at all. */
static bool read_digits(const crd_lab_directive *d, int index, int *digits, char **problem)
{
    if (d->words <= index) return true;
    const char *word = d->word[index];
    if (word[0] < '0' || word[0] > '9' || word[1] != '\0') {
        *problem = crd_cli_text("expected a number of digits from 0 to 9, found '%s'", word);
        return false;
    }
    *digits = word[0] - '0';
    return true;
}

/* A summary of what a filter lets through; false if it names something that is not there. */
static bool summarise(crd_lab_summary *summary, const crd_lab_run *runs, int64_t count,
                      const crd_lab_filter *filter, char **problem)
{
    *problem = crd_lab_filter_problem(filter, runs, count);
    if (*problem != NULL) return false;
    crd_lab_summary_make(summary, runs, count, filter);
    if (summary->rows > 0) return true;
    crd_lab_summary_free(summary);
    *problem = crd_cli_text("no run is all of what was asked for");
    return false;
}

char *crd_lab_page_table(const crd_lab_run *runs, int64_t count, const crd_lab_directive *d, char **problem)
{
    crd_lab_filter filter = {
        .task = value(d, "task"), .data = value(d, "data"), .models = value(d, "models")};
    const char *format = value(d, "format");
    crd_lab_summary summary;
    char *text = NULL;
    if (!summarise(&summary, runs, count, &filter, problem)) return NULL;
    if (format == NULL || strcmp(format, "markdown") == 0) text = crd_lab_table_markdown(&summary);
    else if (strcmp(format, "latex") == 0) text = crd_lab_table_latex(&summary);
    else if (strcmp(format, "text") == 0) text = crd_lab_table_text(&summary, false);
    else if (strcmp(format, "csv") == 0) text = crd_lab_table_csv(&summary);
    else if (strcmp(format, "json") == 0) text = crd_lab_table_json(&summary, NULL);
    else *problem = crd_cli_text("unknown format '%s'; there are: markdown, latex, text, csv, json", format);
    crd_lab_summary_free(&summary);
    return text;
}

char *crd_lab_page_compare(const crd_lab_run *runs, int64_t count, const crd_lab_directive *d, char **problem)
{
    crd_lab_question question = {.a = value(d, "a"),
                                 .b = value(d, "b"),
                                 .metric = value(d, "metric"),
                                 .task = value(d, "task"),
                                 .data = value(d, "data"),
                                 .seed = 1};
    crd_lab_pairs pairs;
    if (question.metric == NULL) question.metric = "auroc_epi";
    if (question.a == NULL || question.b == NULL) {
        *problem = crd_cli_text("expected a=MODEL and b=MODEL");
        return NULL;
    }
    *problem = crd_lab_pairs_make(&pairs, runs, count, &question);
    if (*problem != NULL) return NULL;
    char *text = crd_lab_pairs_markdown(&pairs);
    crd_lab_pairs_free(&pairs);
    return text;
}

/* ---- one number ---- */

typedef enum what { DEVIATION, PUBLISHED, DIFFERENCE, MEAN } what;

/* "auroc_epi_sd" is the deviation of auroc_epi, and so on: cuts the ending off. */
static what cut_ending(char *metric)
{
    static const char *const endings[] = {
        [DEVIATION] = "_sd", [PUBLISHED] = "_published", [DIFFERENCE] = "_difference"};
    const size_t length = strlen(metric);
    for (what which = DEVIATION; which < MEAN; which++) {
        size_t ending = strlen(endings[which]);
        if (length <= ending || strcmp(metric + length - ending, endings[which]) != 0) continue;
        metric[length - ending] = '\0';
        return which;
    }
    return MEAN;
}

/* "runs" is the number of runs. */
static double number_of(const crd_lab_summary *summary, const crd_lab_row *row, const char *metric,
                        what which)
{
    if (strcmp(metric, "runs") == 0) return (double)row->runs;
    crd_lab_cell cell = crd_lab_row_cell(summary, row, metric);
    return which == DEVIATION    ? cell.sd
           : which == PUBLISHED  ? cell.published
           : which == DIFFERENCE ? cell.difference
                                 : cell.mean;
}

/* What is wrong if no row has the shift: which there are. */
static char *no_such_shift(const crd_lab_summary *summary, const char *shift)
{
    char *names = NULL;
    for (int64_t i = 0; i < summary->rows; i++) {
        const char *own = summary->row[i].like->shift;
        if (own == NULL) continue;
        char *longer = crd_cli_text("%s%s%s", names == NULL ? "" : names, names == NULL ? "" : ", ", own);
        free(names);
        names = longer;
    }
    if (names == NULL) return crd_cli_text("there is no such run with shift '%s', only without one", shift);
    char *problem =
        shift == NULL ? crd_cli_text("there is no such run without a shift; give shift=NAME, of: %s", names)
                      : crd_cli_text("there is no such run with shift '%s'; there are: %s", shift, names);
    free(names);
    return problem;
}

/* A shift's name in the runs, or one that is spelt in another way: dice:0.2 is dice:0.2:all. */
static const crd_lab_row *only_row(const crd_lab_summary *summary, const char *asked, char **problem)
{
    const crd_lab_row *found = NULL;
    crd_error error;
    bool as_asked = false;
    for (int64_t i = 0; i < summary->rows && asked != NULL; i++) {
        const char *own = summary->row[i].like->shift;
        as_asked = as_asked || (own != NULL && strcmp(own, asked) == 0);
    }
    char *spelt = asked == NULL || as_asked ? NULL : crd_lab_shift_spelt(asked, &error);
    const char *shift = spelt != NULL ? spelt : asked;
    for (int64_t i = 0; i < summary->rows; i++) {
        const char *own = summary->row[i].like->shift;
        if (shift == NULL ? own != NULL : own == NULL || strcmp(own, shift) != 0) continue;
        if (found != NULL) *problem = crd_cli_text("several rows fit; give the title of one model");
        if (found != NULL) break;
        found = &summary->row[i];
    }
    free(spelt);
    if (*problem != NULL) return NULL;
    if (found == NULL) *problem = no_such_shift(summary, asked);
    return found;
}

char *crd_lab_page_value(const crd_lab_run *runs, int64_t count, const crd_lab_directive *d, char **problem)
{
    crd_lab_filter filter = {.task = d->word[1], .data = d->word[2], .model = d->word[3]};
    crd_lab_summary summary;
    char *text = NULL;
    int digits = 0;
    if (!read_digits(d, 5, &digits, problem)) return NULL;
    if (!summarise(&summary, runs, count, &filter, problem)) return NULL;
    const crd_lab_row *row = only_row(&summary, value(d, "shift"), problem);
    char *metric = crd_cli_text("%s", d->word[4]);
    const what which = cut_ending(metric);
    if (d->words <= 5 && strcmp(metric, "runs") != 0)
        digits = crd_lab_is_percent(metric) ? CRD_LAB_DIGITS : 4;
    if (row != NULL) {
        double number = number_of(&summary, row, metric, which);
        if (isnan(number)) *problem = crd_lab_metric_problem(metric, runs, count);
        if (isnan(number) && *problem == NULL)
            *problem = crd_cli_text("there is no %s of %s on %s", d->word[4], d->word[3], d->word[2]);
        if (!isnan(number)) text = crd_cli_text("%.*f", digits, number);
    }
    free(metric);
    crd_lab_summary_free(&summary);
    return text;
}

char *crd_lab_page_difference(const crd_lab_run *runs, int64_t count, const crd_lab_directive *d,
                              char **problem)
{
    crd_lab_question question = {.a = d->word[2],
                                 .b = d->word[3],
                                 .metric = d->word[4],
                                 .task = value(d, "task"),
                                 .data = d->word[1],
                                 .seed = 1};
    crd_lab_pairs pairs;
    int digits = 1;
    if (!read_digits(d, 5, &digits, problem)) return NULL;
    *problem = crd_lab_pairs_make(&pairs, runs, count, &question);
    if (*problem != NULL) return NULL;
    char *text = NULL;
    if (pairs.count > 1) {
        *problem = crd_cli_text("there are %lld comparisons, of several tasks, data or shifts; one was "
                                "expected (give task=NAME)",
                                (long long)pairs.count);
    } else {
        const crd_comparison *c = &pairs.pair[0].comparison;
        char *difference = crd_lab_difference_text(c, digits), *interval = crd_lab_interval_text(c, digits);
        text = crd_cli_text("%s %s", difference, interval);
        free(difference);
        free(interval);
    }
    crd_lab_pairs_free(&pairs);
    return text;
}

/* ---- on how many graphs a model is first ---- */

/* Whether no row of the block is better, as far as numbers are shown; *counts tells how many rows of the
 * model there are, one being what was expected. */
static bool is_first(const crd_lab_summary *summary, int64_t first, int64_t end, const char *model,
                     const char *metric, int *counts)
{
    double sign = crd_lab_is_loss(metric) ? -1.0 : 1.0, best = -INFINITY, own = NAN;
    *counts = 0;
    for (int64_t i = first; i < end; i++) {
        const crd_lab_row *row = &summary->row[i];
        double mean = crd_lab_row_cell(summary, row, metric).mean;
        if (crd_lab_is_percent(metric)) mean = crd_lab_as_shown(mean);
        if (isnan(mean)) continue;
        best = fmax(best, sign * mean);
        if (!crd_lab_is_model(row->like, model)) continue;
        own = sign * mean;
        ++*counts;
    }
    return own == best;
}

static char *count_firsts(const crd_lab_summary *summary, const char *model, const char *metric,
                          bool *several)
{
    int64_t blocks = 0, firsts = 0;
    crd_lab_text names;
    crd_lab_text_begin(&names);
    for (int64_t first = 0, end; first < summary->rows; first = end) {
        const crd_lab_run *like = summary->row[first].like;
        int counts;
        for (end = first + 1; end < summary->rows
                              && crd_lab_same_block(&summary->row[first], &summary->row[end]);)
            end++;
        bool leads = is_first(summary, first, end, model, metric, &counts);
        blocks += counts > 0;
        *several = *several || counts > 1;
        if (!leads) continue;
        char *title = crd_lab_block_title(summary->row, summary->rows, &summary->row[first]);
        fputs(firsts++ == 0 ? " (" : ", ", names.stream);
        crd_lab_print_markdown(names.stream, title);
        free(title);
        if (like->shift != NULL) fputs(" ", names.stream);
        if (like->shift != NULL) crd_lab_print_markdown(names.stream, like->shift);
    }
    if (firsts > 0) fputc(')', names.stream);
    char *list = crd_lab_text_end(&names);
    char *text = blocks == 0 ? NULL
                             : crd_cli_text("%lld of %lld%s", (long long)firsts, (long long)blocks, list);
    free(list);
    return text;
}

char *crd_lab_page_firsts(const crd_lab_run *runs, int64_t count, const crd_lab_directive *d, char **problem)
{
    crd_lab_filter filter = {
        .task = value(d, "task"), .data = value(d, "data"), .models = value(d, "models")};
    crd_lab_filter model = {.model = d->word[1]};
    crd_lab_summary summary;
    char *text = NULL;
    bool several = false;
    *problem = crd_lab_filter_problem(&model, runs, count);
    if (*problem != NULL || !summarise(&summary, runs, count, &filter, problem)) return NULL;
    if (!crd_lab_same_table(&summary.row[0], &summary.row[summary.rows - 1])) {
        *problem = crd_cli_text("there are runs of several tasks; give task=NAME");
    } else {
        text = count_firsts(&summary, d->word[1], d->word[2], &several);
        if (text == NULL) *problem = crd_lab_metric_problem(d->word[2], runs, count);
        if (text == NULL && *problem == NULL)
            *problem = crd_cli_text("there is no %s of %s", d->word[2], d->word[1]);
    }
    if (several) {
        *problem = crd_cli_text("several rows fit; give the title of one model");
        free(text);
        text = NULL;
    }
    crd_lab_summary_free(&summary);
    return text;
}
