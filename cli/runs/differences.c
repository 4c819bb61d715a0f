#include "runs/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENOUGH_PAIRS = 6 }; /* fewer tell little */

/* ---- pairing ---- */

int64_t crd_cli_rows_compare(const crd_cli_summary *summary, const crd_cli_row *a, const crd_cli_row *b,
                             const char *metric, uint64_t seed, crd_comparison *comparison)
{
    if (!crd_cli_json_same(a->like->line, b->like->line, "split")) return 0;
    if (!crd_cli_json_same(a->like->line, b->like->line, "fingerprint")) return 0;
    double *left = crd_cli_allocate(NULL, (size_t)a->runs * sizeof *left);
    double *right = crd_cli_allocate(NULL, (size_t)a->runs * sizeof *right);
    const crd_cli_run *const *run_a = summary->run + a->first, *const *run_b = summary->run + b->first;
    int64_t count = 0;
    for (int64_t i = 0, j = 0; i < a->runs && j < b->runs;) { /* both are sorted by seed */
        if (run_a[i]->seed == run_b[j]->seed) {
            left[count] = crd_cli_run_number(run_a[i++], metric);
            right[count++] = crd_cli_run_number(run_b[j++], metric);
        } else if (run_a[i]->seed < run_b[j]->seed) {
            i++;
        } else {
            j++;
        }
    }
    crd_error error;
    if (count > 0 && crd_compare(left, right, count, seed, comparison, &error) != CRD_OK) exit(crd_cli_fail(&error));
    if (count > 0 && crd_cli_is_loss(metric)) {
        const int64_t above = comparison->wins;
        comparison->wins = comparison->losses;
        comparison->losses = above;
    }
    free(left);
    free(right);
    return count;
}

/* The row of a block with the best mean; NULL if none has the metric. */
static const crd_cli_row *best_row(const crd_cli_summary *summary, int64_t first, int64_t end, const char *metric)
{
    const crd_cli_row *best = NULL;
    double most = -INFINITY;
    for (int64_t i = first; i < end; i++) {
        double mean = crd_cli_cell_of(summary, &summary->row[i], metric).mean * (crd_cli_is_loss(metric) ? -1.0 : 1.0);
        if (isnan(mean) || mean <= most) continue;
        most = mean;
        best = &summary->row[i];
    }
    return best;
}

/* The row of a block with this title, or else with this name; sets *several if more than one has it. */
static const crd_cli_row *find_row(const crd_cli_summary *summary, int64_t first, int64_t end, const char *model,
                                   bool *several)
{
    const crd_cli_row *found = NULL;
    for (int64_t i = first; i < end; i++)
        if (strcmp(summary->row[i].title, model) == 0) return &summary->row[i];
    for (int64_t i = first; i < end; i++) {
        if (strcmp(summary->row[i].like->model, model) != 0) continue;
        *several = *several || found != NULL;
        found = &summary->row[i];
    }
    return found;
}

static void add(crd_cli_differences *d, const crd_cli_row *a, const crd_cli_row *b, const crd_cli_question *question)
{
    crd_comparison comparison;
    int64_t pairs = crd_cli_rows_compare(d->summary, a, b, question->metric, question->seed, &comparison);
    /* If models are not named, those without the metric are skipped. */
    bool named = question->a != NULL && question->b != NULL;
    if (pairs > 0 && (named || comparison.pairs > 0))
        d->item[d->count++] = (crd_cli_difference){.a = a, .b = b, .comparison = comparison};
    if (named) d->unpaired += a->runs - pairs + b->runs - pairs;
}

/* The comparisons of a block. Returns a sentence, which the caller frees, if a name means several rows. */
static char *compare_block(crd_cli_differences *d, int64_t first, int64_t end, const crd_cli_question *question)
{
    const crd_cli_row *a = NULL, *b = NULL;
    bool several_a = false, several_b = false;
    if (question->a != NULL) a = find_row(d->summary, first, end, question->a, &several_a);
    else if (question->b == NULL) a = best_row(d->summary, first, end, question->metric);
    if (question->b != NULL) b = find_row(d->summary, first, end, question->b, &several_b);
    if (several_a || several_b)
        return crd_cli_text("several rows are called '%s'; give the title of one of them",
                            several_a ? question->a : question->b);
    for (int64_t i = first; i < end; i++) d->passed_over += d->summary->row[i].passed_over;
    if (question->a != NULL && question->b != NULL && (a == NULL || b == NULL)) {
        d->unpaired += (a == NULL ? 0 : a->runs) + (b == NULL ? 0 : b->runs);
        return NULL;
    }
    for (int64_t i = first; i < end; i++) {
        const crd_cli_row *row = &d->summary->row[i];
        if (a != NULL && row != a && (b == NULL ? question->b == NULL : row == b)) add(d, a, row, question);
        if (question->a == NULL && b != NULL && row != b) add(d, row, b, question);
    }
    return NULL;
}

/* The reason why nothing was compared; NULL: that is no error. */
static char *nothing_compared(const crd_cli_differences *d, const crd_cli_question *q, const crd_cli_run *runs,
                              int64_t count)
{
    for (int64_t i = 0; i < d->count; i++)
        if (d->item[i].comparison.pairs > 0) return NULL;
    if (q->a == NULL && q->b == NULL && !q->metric_given) return NULL;
    char *problem = crd_cli_missing_metric(runs, count, q->metric);
    if (problem != NULL || q->a == NULL || q->b == NULL) return problem;
    if (d->count == 0)
        return crd_cli_text("no run of '%s' has a partner of '%s' on the same data, split, left-out classes "
                            "and seed",
                            q->a, q->b);
    return crd_cli_text("no pair of runs of '%s' and '%s' has the metric '%s' on both sides", q->a, q->b, q->metric);
}

char *crd_cli_differences_make(crd_cli_differences *d, const crd_cli_summary *summary, const crd_cli_run *runs,
                               int64_t count, const crd_cli_question *question)
{
    const size_t most = (size_t)summary->rows * (size_t)summary->rows;
    *d = (crd_cli_differences){.summary = summary, .metric = question->metric};
    char *problem = question->a == NULL ? NULL : crd_cli_missing_name(runs, count, 'm', question->a);
    if (problem == NULL && question->b != NULL) problem = crd_cli_missing_name(runs, count, 'm', question->b);
    if (problem != NULL) return problem;
    d->item = crd_cli_allocate(NULL, most * sizeof *d->item);
    for (int64_t first = 0, end; first < summary->rows && problem == NULL; first = end) {
        end = crd_cli_block_end(summary, first);
        problem = compare_block(d, first, end, question);
    }
    if (problem == NULL) problem = nothing_compared(d, question, runs, count);
    if (problem != NULL) crd_cli_differences_free(d);
    return problem;
}

void crd_cli_differences_free(crd_cli_differences *d)
{
    free(d->item);
    *d = (crd_cli_differences){0};
}

/* ---- texts ---- */

static char *chance_text(double chance)
{
    if (isnan(chance)) return crd_cli_text("n.a.");
    return chance < 0.0001 ? crd_cli_text("<0.0001") : crd_cli_text("%.4f", chance);
}

static void take(crd_cli_table *table, char *text)
{
    crd_cli_table_add(table, "%s", text);
    free(text);
}

static void add_row(crd_cli_table *table, const crd_cli_differences *d, const crd_cli_difference *item, bool shifts)
{
    const crd_comparison *c = &item->comparison;
    const int digits = crd_cli_is_percent(d->metric) ? 2 : 4;
    take(table, crd_cli_block_title(d->summary, item->a));
    if (shifts) crd_cli_table_add(table, "%s", item->a->like->shift == NULL ? "" : item->a->like->shift);
    crd_cli_table_add(table, "%s", item->a->title);
    crd_cli_table_add(table, "%s", item->b->title);
    crd_cli_table_add(table, "%lld", (long long)c->pairs);
    crd_cli_table_add_number(table, digits, c->mean_a);
    crd_cli_table_add_number(table, digits, c->mean_b);
    char *difference = crd_cli_text("%+.*f", digits, c->difference);
    if (strtod(difference, NULL) == 0.0) difference[0] = '+'; /* not "-0.00" */
    if (isnan(c->difference)) crd_cli_table_add(table, "n.a.");
    else crd_cli_table_add(table, "%s", difference);
    free(difference);
    if (isnan(c->low)) crd_cli_table_add(table, "n.a.");
    else crd_cli_table_add(table, "[%.*f, %.*f]", digits, c->low, digits, c->high);
    take(table, chance_text(c->wilcoxon_p));
    take(table, chance_text(c->sign_p));
    crd_cli_table_add(table, "%lld/%lld/%lld", (long long)c->wins, (long long)c->ties, (long long)c->losses);
}

static crd_cli_table table_of(const crd_cli_differences *d)
{
    static const char *const headings[] = {"data",          "shift",      "model",    "against",
                                           "pairs",         "mean",       "its mean", "difference",
                                           "95 % interval", "Wilcoxon p", "sign p",   "won/tied/lost"};
    bool shifts = false;
    for (int64_t i = 0; i < d->count; i++) shifts = shifts || d->item[i].a->like->shift != NULL;
    crd_cli_table table = {.columns = 11 + shifts, .heading = true, .left_columns = 2 + shifts};
    for (size_t h = 0; h < sizeof headings / sizeof headings[0]; h++)
        if (h != 1 || shifts) crd_cli_table_add(&table, "%s", headings[h]);
    for (int64_t i = 0; i < d->count; i++) add_row(&table, d, &d->item[i], shifts);
    return table;
}

void crd_cli_differences_print(const crd_cli_differences *d, FILE *stream, bool markdown)
{
    crd_cli_table table = table_of(d);
    char *metric = crd_cli_printable(d->metric);
    bool few = false;
    for (int64_t i = 0; i < d->count; i++) few = few || d->item[i].comparison.pairs < ENOUGH_PAIRS;
    fprintf(stream, "\nPaired differences in %s%s%s\n\n", metric, crd_cli_is_percent(metric) ? ", percent" : "",
            crd_cli_is_loss(metric) ? ", less is better" : "");
    crd_cli_show_table(&table, stream, markdown);
    if (few) fputs("\nDo not trust intervals of fewer than 6 pairs; no p-value of so few is below 0.05.\n", stream);
    free(metric);
}

void crd_cli_set_comparison(json_t *object, const crd_comparison *c)
{
    crd_cli_json_add(object, "pairs", json_integer(c->pairs), "mean_a", crd_cli_json_rounded(c->mean_a), "mean_b",
                     crd_cli_json_rounded(c->mean_b), "difference", crd_cli_json_rounded(c->difference), "low",
                     crd_cli_json_rounded(c->low), "high", crd_cli_json_rounded(c->high), "wilcoxon_p",
                     crd_cli_json_rounded(c->wilcoxon_p), "sign_p", crd_cli_json_rounded(c->sign_p), "wins",
                     json_integer(c->wins), "ties", json_integer(c->ties), "losses", json_integer(c->losses), NULL);
}

json_t *crd_cli_differences_json(const crd_cli_differences *d)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < d->count; i++) {
        json_t *item = crd_cli_block_of(d->summary, d->item[i].a);
        crd_cli_json_add(item, "a", json_string(d->item[i].a->title), "b", json_string(d->item[i].b->title), "metric",
                         json_string(d->metric), NULL);
        crd_cli_set_comparison(item, &d->item[i].comparison);
        crd_cli_json_append(list, item);
    }
    return list;
}
