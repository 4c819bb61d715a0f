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
        double mean = crd_cli_cell_of(summary, &summary->row[i], metric).mean;
        if (crd_cli_is_loss(metric)) mean = -mean;
        if (isnan(mean) || mean <= most) continue;
        most = mean;
        best = &summary->row[i];
    }
    return best;
}

/* Compares rows of a block: those that the question names, or the best with all others. If models are not named,
 * those without the metric are skipped. */
static void compare_block(crd_cli_differences *d, int64_t first, int64_t end, const crd_cli_question *q)
{
    const bool both = q->a != NULL && q->b != NULL;
    const crd_cli_row *best = q->a == NULL && q->b == NULL ? best_row(d->summary, first, end, q->metric) : NULL;
    for (int64_t i = first; i < end; i++) {
        const crd_cli_row *a = &d->summary->row[i];
        bool is_a = q->a != NULL ? crd_cli_run_is(a->like, 'm', q->a) : q->b != NULL || a == best;
        if (both && (is_a || crd_cli_run_is(a->like, 'm', q->b))) d->unpaired += a->runs;
        d->passed_over += a->passed_over;
        for (int64_t j = first; j < end && is_a; j++) {
            const crd_cli_row *b = &d->summary->row[j];
            crd_comparison comparison;
            if (i == j || (q->b != NULL && !crd_cli_run_is(b->like, 'm', q->b))) continue;
            int64_t pairs = crd_cli_rows_compare(d->summary, a, b, q->metric, q->seed, &comparison);
            if (both) d->unpaired -= 2 * pairs;
            if (pairs > 0 && (both || comparison.pairs > 0))
                d->item[d->count++] = (crd_cli_difference){.a = a, .b = b, .comparison = comparison};
        }
    }
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
    for (int64_t first = 0, end; first < summary->rows; first = end) {
        end = crd_cli_block_end(summary, first);
        compare_block(d, first, end, question);
    }
    if (d->unpaired < 0) d->unpaired = 0; /* a name of several rows */
    problem = nothing_compared(d, question, runs, count);
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

void crd_cli_differences_print(const crd_cli_differences *d, FILE *stream, bool markdown)
{
    char *metric = crd_cli_printable(d->metric);
    bool few = false, shifts = false;
    for (int64_t i = 0; i < d->count; i++) {
        few = few || d->item[i].comparison.pairs < ENOUGH_PAIRS;
        shifts = shifts || d->item[i].a->like->shift != NULL;
    }
    crd_cli_table table = {.columns = 11 + shifts, .left_columns = 2 + shifts};
    crd_cli_table_head(&table, shifts ? "data|shift" : "data");
    crd_cli_table_head(&table, "model|against|pairs|mean|its mean|difference|95 %% interval|Wilcoxon p|sign p|"
                               "won/tied/lost");
    for (int64_t i = 0; i < d->count; i++) add_row(&table, d, &d->item[i], shifts);
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
