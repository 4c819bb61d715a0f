#include "lab/summary_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "credence_private.h"

/* The row of a block with this title, or else with this name; *several if there is more than one. */
static const crd_lab_row *find_row(const crd_lab_row *row, int64_t count, const char *model, bool *several)
{
    const crd_lab_row *found = NULL;
    for (int64_t i = 0; i < count; i++)
        if (strcmp(row[i].model_title, model) == 0) return &row[i];
    for (int64_t i = 0; i < count; i++) {
        if (strcmp(row[i].like->model, model) != 0) continue;
        *several = *several || found != NULL;
        found = &row[i];
    }
    return found;
}

/* Rows have one split and one fingerprint each, and those of a block the same classes left out. */
static bool comparable(const crd_lab_row *a, const crd_lab_row *b)
{
    static const char *const keys[] = {"split", "fingerprint"};
    for (size_t i = 0; i < 2; i++) {
        const json_t *left = json_object_get(a->like->line, keys[i]);
        const json_t *right = json_object_get(b->like->line, keys[i]);
        if (left != right && !json_equal(left, right)) return false;
    }
    return true;
}

int64_t crd_lab_rows_compare(const crd_lab_summary *summary, const crd_lab_row *a, const crd_lab_row *b,
                             const char *metric, uint64_t seed, crd_comparison *comparison)
{
    if (!comparable(a, b)) return 0;
    double *left = crd_cli_allocate(NULL, (size_t)a->runs * sizeof *left);
    double *right = crd_cli_allocate(NULL, (size_t)a->runs * sizeof *right);
    const crd_lab_run *const *run_a = summary->run + a->first, *const *run_b = summary->run + b->first;
    int64_t count = 0;
    for (int64_t i = 0, j = 0; i < a->runs && j < b->runs;) { /* both are in the order of seeds */
        if (run_a[i]->seed == run_b[j]->seed) {
            left[count] = crd_lab_run_number(run_a[i++], metric);
            right[count++] = crd_lab_run_number(run_b[j++], metric);
        } else if (run_a[i]->seed < run_b[j]->seed) {
            i++;
        } else {
            j++;
        }
    }
    crd_error error;
    if (count > 0 && crd_compare(left, right, count, seed, comparison, &error) != CRD_OK)
        exit(crd_cli_fail(&error));
    if (count > 0 && crd_lab_is_loss(metric)) {
        const int64_t above = comparison->wins;
        comparison->wins = comparison->losses;
        comparison->losses = above;
    }
    free(left);
    free(right);
    return count;
}

static void compare_rows(crd_lab_pairs *pairs, const crd_lab_summary *summary, const crd_lab_row *a,
                         const crd_lab_row *b, uint64_t seed)
{
    crd_comparison comparison;
    const int64_t count = crd_lab_rows_compare(summary, a, b, pairs->metric, seed, &comparison);
    if (count > 0)
        pairs->pair[pairs->count++] =
            (crd_lab_pair){.like = a->like,
                           .title = crd_lab_block_title(summary->row, summary->rows, a),
                           .comparison = comparison};
    pairs->alone_a += a->runs - count;
    pairs->alone_b += b->runs - count;
}

/* A title for all blocks: a name may stand for different titles in different ones. */
static void take_title(const char **title, const crd_lab_row *row, const char *asked)
{
    if (row == NULL) return;
    *title = *title == NULL || strcmp(*title, row->model_title) == 0 ? row->model_title : asked;
}

/* The comparison in every block of a summary; false if a name stands for several rows of one. */
static bool compare_blocks(crd_lab_pairs *pairs, const crd_lab_summary *summary, const crd_lab_question *q,
                           const char **ambiguous)
{
    for (int64_t first = 0, end; first < summary->rows; first = end) {
        const crd_lab_row *row = &summary->row[first];
        bool several_a = false, several_b = false;
        for (end = first + 1; end < summary->rows && crd_lab_same_block(row, &summary->row[end]);) end++;
        const crd_lab_row *a = find_row(row, end - first, q->a, &several_a);
        const crd_lab_row *b = find_row(row, end - first, q->b, &several_b);
        *ambiguous = several_a ? q->a : several_b ? q->b : NULL;
        if (*ambiguous != NULL) return false;
        take_title(&pairs->a, a, q->a);
        take_title(&pairs->b, b, q->b);
        pairs->passed_over += (a == NULL ? 0 : a->passed_over) + (b == NULL ? 0 : b->passed_over);
        if (a != NULL && b != NULL) {
            compare_rows(pairs, summary, a, b, q->seed);
        } else {
            pairs->alone_a += a == NULL ? 0 : a->runs;
            pairs->alone_b += b == NULL ? 0 : b->runs;
        }
    }
    return true;
}

/* Whether no run of the model has the metric. */
static bool lacks(const crd_lab_run *runs, int64_t count, const crd_lab_filter *filter, const char *model,
                  const char *metric)
{
    for (int64_t i = 0; i < count; i++)
        if (crd_lab_filtered(filter, &runs[i]) && crd_lab_is_model(&runs[i], model)
            && !isnan(crd_lab_run_number(&runs[i], metric)))
            return false;
    return true;
}

/* What is wrong with an answer in which nothing was compared. */
static char *nothing_compared(const crd_lab_pairs *pairs, const crd_lab_question *q,
                              const crd_lab_run *runs, int64_t count, const crd_lab_filter *filter)
{
    if (pairs->count == 0)
        return crd_cli_text("no run of '%s' has a partner of '%s' on the same data, split, left-out classes "
                            "and seed",
                            q->a, q->b);
    for (int64_t i = 0; i < pairs->count; i++)
        if (pairs->pair[i].comparison.pairs > 0) return NULL;
    char *problem = crd_lab_metric_problem(q->metric, runs, count);
    if (problem != NULL) return problem;
    const bool a = lacks(runs, count, filter, q->a, q->metric);
    const bool b = lacks(runs, count, filter, q->b, q->metric);
    if (a && b)
        return crd_cli_text("neither '%s' nor '%s' has the metric '%s'; other models have", q->a, q->b,
                            q->metric);
    if (a || b)
        return crd_cli_text("the runs of '%s' have no '%s', those of '%s' have", a ? q->a : q->b, q->metric,
                            a ? q->b : q->a);
    return crd_cli_text("no pair of runs has the metric '%s' on both sides", q->metric);
}

char *crd_lab_pairs_make(crd_lab_pairs *pairs, const crd_lab_run *runs, int64_t count,
                         const crd_lab_question *question)
{
    const crd_lab_question *q = question;
    crd_lab_filter filter = {.task = q->task, .data = q->data}, model_a = {.model = q->a},
                   model_b = {.model = q->b};
    *pairs = (crd_lab_pairs){.metric = q->metric};
    pairs->percent = crd_lab_is_percent(q->metric);
    pairs->loss = crd_lab_is_loss(q->metric);
    char *problem = crd_lab_filter_problem(&filter, runs, count);
    if (problem == NULL) problem = crd_lab_filter_problem(&model_a, runs, count);
    if (problem == NULL) problem = crd_lab_filter_problem(&model_b, runs, count);
    if (problem != NULL) return problem;
    crd_lab_summary summary;
    const char *ambiguous;
    crd_lab_summary_make(&summary, runs, count, &filter);
    pairs->pair = crd_cli_allocate(NULL, (size_t)summary.rows * sizeof *pairs->pair);
    if (compare_blocks(pairs, &summary, q, &ambiguous))
        problem = nothing_compared(pairs, q, runs, count, &filter);
    else
        problem = crd_cli_text("several rows are called '%s'; give the title of one of them", ambiguous);
    crd_lab_summary_free(&summary);
    if (problem != NULL) crd_lab_pairs_free(pairs);
    return problem;
}

void crd_lab_pairs_free(crd_lab_pairs *pairs)
{
    for (int64_t i = 0; i < pairs->count; i++) free(pairs->pair[i].title);
    free(pairs->pair);
    *pairs = (crd_lab_pairs){0};
}
