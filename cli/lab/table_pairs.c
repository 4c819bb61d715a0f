/* Comparisons as a table for people, as Markdown and as CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "credence_private.h"
#include "lab/summary_pairs.h"
#include "lab/table.h"

char *crd_lab_difference_text(const crd_comparison *comparison, int digits)
{
    if (isnan(comparison->difference)) return crd_cli_text("n.a.");
    char *text = crd_cli_text("%+.*f", digits, comparison->difference);
    if (strtod(text, NULL) == 0.0) text[0] = '+'; /* not "-0.00" */
    return text;
}

char *crd_lab_interval_text(const crd_comparison *comparison, int digits)
{
    if (isnan(comparison->low)) return crd_cli_text("n.a.");
    return crd_cli_text("[%.*f, %.*f]", digits, comparison->low, digits, comparison->high);
}

static void add_chance(crd_cli_table *table, double chance)
{
    if (isnan(chance)) crd_cli_table_add(table, "n.a.");
    else if (chance < 0.0001) crd_cli_table_add(table, "<0.0001");
    else crd_cli_table_add(table, "%.4f", chance);
}

static void add_text(crd_cli_table *table, char *text)
{
    crd_cli_table_add(table, "%s", text);
    free(text);
}

/* Columns that would say the same in every row are left out. */
static bool differ(const crd_lab_pairs *pairs, bool shift)
{
    for (int64_t i = 0; i < pairs->count; i++) {
        const crd_lab_run *like = pairs->pair[i].like;
        if (shift ? like->shift != NULL : strcmp(like->task, pairs->pair[0].like->task) != 0) return true;
    }
    return false;
}

static crd_cli_table table_of(const crd_lab_pairs *pairs)
{
    bool tasks = differ(pairs, false), shifts = differ(pairs, true);
    int digits = pairs->percent ? CRD_LAB_DIGITS : 4;
    crd_cli_table table = {.columns = 9 + tasks + shifts, .heading = true, .left_columns = tasks + shifts};
    if (tasks) crd_cli_table_add(&table, "task");
    crd_cli_table_add(&table, "data");
    if (shifts) crd_cli_table_add(&table, "shift");
    crd_cli_table_add(&table, "pairs");
    crd_cli_table_add(&table, "%s", pairs->a);
    crd_cli_table_add(&table, "%s", pairs->b);
    crd_cli_table_add(&table, "difference");
    crd_cli_table_add(&table, "95 %% interval");
    crd_cli_table_add(&table, "Wilcoxon p");
    crd_cli_table_add(&table, "sign p");
    crd_cli_table_add(&table, "won/tied/lost");
    for (int64_t i = 0; i < pairs->count; i++) {
        const crd_lab_run *like = pairs->pair[i].like;
        const crd_comparison *c = &pairs->pair[i].comparison;
        if (tasks) crd_cli_table_add(&table, "%s", like->task);
        crd_cli_table_add(&table, "%s", pairs->pair[i].title);
        if (shifts) crd_cli_table_add(&table, "%s", like->shift == NULL ? "" : like->shift);
        crd_cli_table_add(&table, "%lld", (long long)c->pairs);
        crd_cli_table_add_number(&table, digits, c->mean_a);
        crd_cli_table_add_number(&table, digits, c->mean_b);
        add_text(&table, crd_lab_difference_text(c, digits));
        add_text(&table, crd_lab_interval_text(c, digits));
        add_chance(&table, c->wilcoxon_p);
        add_chance(&table, c->sign_p);
        crd_cli_table_add(&table, "%lld/%lld/%lld", (long long)c->wins, (long long)c->ties,
                          (long long)c->losses);
    }
    return table;
}

/* Under the table, where it says less than it seems to. */
static const char *warning(const crd_lab_pairs *pairs)
{
    for (int64_t i = 0; i < pairs->count; i++)
        if (pairs->pair[i].comparison.pairs < CRD_LAB_ENOUGH_PAIRS)
            return "Intervals of fewer than 6 pairs are not to be trusted, and no p-value of so few is below "
                   "0.05.";
    return NULL;
}

void crd_lab_pairs_print(const crd_lab_pairs *pairs, FILE *stream)
{
    crd_cli_table table = table_of(pairs);
    char *a = crd_cli_printable(pairs->a), *b = crd_cli_printable(pairs->b);
    char *metric = crd_cli_printable(pairs->metric);
    fprintf(stream, "%s against %s: %s%s%s\n\n", a, b, metric, pairs->percent ? " in percent" : "",
            pairs->loss ? ", less is better" : "");
    free(a);
    free(b);
    free(metric);
    crd_cli_table_print(&table, stream);
    if (warning(pairs) != NULL) fprintf(stream, "\n%s\n", warning(pairs));
}

char *crd_lab_pairs_markdown(const crd_lab_pairs *pairs)
{
    crd_lab_text text;
    crd_cli_table table = table_of(pairs);
    crd_lab_text_begin(&text);
    for (int i = 0; i < table.cells; i++) {
        int column = i % table.columns;
        fputs(column == 0 ? "| " : " | ", text.stream);
        crd_lab_print_markdown(text.stream, table.cell[i]);
        free(table.cell[i]);
        if (column < table.columns - 1) continue;
        fputs(" |\n", text.stream);
        for (int c = 0; c < table.columns && i < table.columns; c++)
            fputs(c <= table.left_columns ? "|:--" : "|--:", text.stream);
        if (i < table.columns) fputs("|\n", text.stream);
    }
    free(table.cell);
    if (pairs->loss) fputs("\nLess is better: a pair is won by the smaller number.\n", text.stream);
    if (warning(pairs) != NULL) fprintf(text.stream, "\n%s\n", warning(pairs));
    return crd_lab_text_end(&text);
}

static void print_number(FILE *stream, double number)
{
    if (isnan(number)) fputs(",n.a.", stream);
    else fprintf(stream, ",%.6g", number);
}

char *crd_lab_pairs_csv(const crd_lab_pairs *pairs)
{
    crd_lab_text text;
    crd_lab_text_begin(&text);
    FILE *stream = text.stream;
    fputs("task,data,shift,a,b,metric,pairs,mean_a,mean_b,difference,low,high,wilcoxon_p,sign_p,wins,ties,"
          "losses\n",
          stream);
    for (int64_t i = 0; i < pairs->count; i++) {
        const crd_lab_run *like = pairs->pair[i].like;
        const crd_comparison *c = &pairs->pair[i].comparison;
        const char *const names[] = {
            like->task, pairs->pair[i].title, like->shift == NULL ? "" : like->shift, pairs->a,
            pairs->b,   pairs->metric};
        const double numbers[] = {c->mean_a, c->mean_b, c->difference, c->low,
                                  c->high,   c->wilcoxon_p, c->sign_p};
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
            if (n > 0) fputc(',', stream);
            crd_lab_print_csv(stream, names[n]);
        }
        fprintf(stream, ",%lld", (long long)c->pairs);
        for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) print_number(stream, numbers[n]);
        fprintf(stream, ",%lld,%lld,%lld\n", (long long)c->wins, (long long)c->ties, (long long)c->losses);
    }
    return crd_lab_text_end(&text);
}
