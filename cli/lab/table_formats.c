/* The table as Markdown, LaTeX and CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/table.h"

static bool any_shift(const crd_lab_row *row, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (row[i].like->shift != NULL) return true;
    return false;
}

static const char *shift_of(const crd_lab_row *row)
{
    return row->like->shift == NULL ? "" : row->like->shift;
}

typedef void printer(FILE *stream, const char *name);

/* What the row's data are called. */
static void print_data(FILE *stream, printer *print, const crd_lab_row *table, int64_t rows,
                       const crd_lab_row *row)
{
    char *title = crd_lab_block_title(table, rows, row);
    print(stream, title);
    free(title);
}

/* ---- Markdown: a cell has two lines, the mean and what was published ---- */

static void markdown_cell(FILE *stream, const crd_lab_row *row, const crd_lab_cell *cell)
{
    fputs(" | ", stream);
    if (row->runs == 0) fputs("failed", stream);
    else if (cell->runs == 0) fputs("n.a.", stream);
    else {
        fprintf(stream, "%s%.*f", cell->best ? "**" : "", CRD_LAB_DIGITS, cell->mean);
        if (!isnan(cell->sd)) fprintf(stream, " ± %.*f", CRD_LAB_DIGITS, cell->sd);
        fprintf(stream, "%s%s", cell->best ? "**" : "", cell->fewer ? " \\*" : "");
    }
    if (isnan(cell->published)) return;
    fprintf(stream, "<br>%.*f", CRD_LAB_DIGITS, cell->published);
    if (cell->runs > 0)
        fprintf(stream, " (%+.*f)", CRD_LAB_DIGITS, cell->difference);
}

static void markdown_table(FILE *stream, const crd_lab_row *row, int64_t count, const char *changed)
{
    const crd_lab_heading *heading = crd_lab_headings(row->failures);
    bool shift = any_shift(row, count), fewer = false, published = false;
    fprintf(stream, "| data | %smodel | runs", shift ? "shift | " : "");
    for (int c = 0; c < CRD_LAB_SHOWN; c++)
        fprintf(stream, " | %s%s%s", heading[c].group, heading[c].group[0] != '\0' ? " " : "",
                heading[c].name);
    fprintf(stream, " |\n|:--|:--|%s--:", shift ? ":--|" : "");
    for (int c = 0; c < CRD_LAB_SHOWN; c++) fputs("|--:", stream);
    fputs("|\n", stream);
    for (int64_t i = 0; i < count; i++) {
        fputs("| ", stream);
        print_data(stream, crd_lab_print_markdown, row, count, &row[i]);
        if (shift) fputs(" | ", stream);
        if (shift) crd_lab_print_markdown(stream, shift_of(&row[i]));
        fputs(" | ", stream);
        crd_lab_print_markdown(stream, row[i].model_title);
        fprintf(stream, " | %lld", (long long)row[i].runs);
        for (int c = 0; c < CRD_LAB_SHOWN; c++) {
            const crd_lab_cell *cell = &row[i].cell[heading[c].column];
            markdown_cell(stream, &row[i], cell);
            fewer = fewer || cell->fewer;
            published = published || !isnan(cell->published);
        }
        fputs(" |\n", stream);
    }
    fputs("\nPercent, mean ± standard deviation over the runs; the best of each graph in bold.", stream);
    if (published) fputs(" Below: the published value (and how far the mean is above it).", stream);
    if (fewer) fputs(" \\* Fewer runs than the others.", stream);
    if (published && row->failures)
        fputs(" The published AUPR of Ours takes right answers as positives: it stands below AUPR-success.",
              stream);
    if (changed != NULL) fputs(" Options changed: ", stream);
    if (changed != NULL) crd_lab_print_markdown(stream, changed);
    fputc('\n', stream);
}

/* ---- LaTeX: what was published is a row of its own ---- */

static void print_latex(FILE *stream, const char *name)
{
    for (; *name != '\0'; name++) {
        if (*name == '\\') fputs("\\textbackslash{}", stream);
        else if (*name == '~' || *name == '^') fprintf(stream, "\\%c{}", *name);
        else if (strchr("&%$#_{}", *name) != NULL) fprintf(stream, "\\%c", *name);
        else fputc((unsigned char)*name < 0x20 ? ' ' : *name, stream);
    }
}

static void latex_mean(FILE *stream, const crd_lab_row *row, const crd_lab_cell *cell)
{
    if (row->runs == 0) fputs("failed", stream);
    else if (cell->runs == 0) fputs("n.a.", stream);
    else {
        fprintf(stream, "%s%.*f", cell->best ? "\\textbf{" : "", CRD_LAB_DIGITS, cell->mean);
        if (!isnan(cell->sd)) fprintf(stream, " $\\pm$ %.*f", CRD_LAB_DIGITS, cell->sd);
        fprintf(stream, "%s%s", cell->best ? "}" : "", cell->fewer ? "$^{*}$" : "");
    }
}

static void latex_published(FILE *stream, const crd_lab_cell *cell)
{
    if (isnan(cell->published)) return;
    fprintf(stream, "%.*f", CRD_LAB_DIGITS, cell->published);
    if (cell->runs > 0) fprintf(stream, " ($%+.*f$)", CRD_LAB_DIGITS, cell->difference);
}

static void latex_headings(FILE *stream, const crd_lab_heading *heading)
{
    fputs(" &", stream);
    for (int c = 0, end; c < CRD_LAB_SHOWN; c = end) {
        for (end = c + 1; end < CRD_LAB_SHOWN && strcmp(heading[end].group, heading[c].group) == 0;) end++;
        fprintf(stream, " & \\multicolumn{%d}{c}{%s}", end - c, heading[c].group);
    }
    fputs(" \\\\\nData & Model", stream);
    for (int c = 0; c < CRD_LAB_SHOWN; c++) fprintf(stream, " & %s", heading[c].name);
    fputs(" \\\\\n", stream);
}

static void latex_table(FILE *stream, const crd_lab_row *row, int64_t count, const char *changed)
{
    const crd_lab_heading *heading = crd_lab_headings(row->failures);
    fputs("\\begin{tabular}{llrrrrrrr}\n\\hline\n", stream);
    latex_headings(stream, heading);
    for (int64_t i = 0; i < count; i++) {
        bool block = i == 0 || !crd_lab_same_block(&row[i - 1], &row[i]), published = false;
        if (block) {
            fputs("\\hline\n", stream);
            print_data(stream, print_latex, row, count, &row[i]);
            if (row[i].like->shift != NULL) fputs(", ", stream);
            print_latex(stream, shift_of(&row[i]));
        }
        fputs(" & ", stream);
        print_latex(stream, row[i].model_title);
        for (int c = 0; c < CRD_LAB_SHOWN; c++) {
            fputs(" & ", stream);
            latex_mean(stream, &row[i], &row[i].cell[heading[c].column]);
            published = published || !isnan(row[i].cell[heading[c].column].published);
        }
        fputs(" \\\\\n", stream);
        if (!published) continue;
        fputs(" & \\quad\\textit{published}", stream);
        for (int c = 0; c < CRD_LAB_SHOWN; c++) {
            fputs(" & ", stream);
            latex_published(stream, &row[i].cell[heading[c].column]);
        }
        fputs(" \\\\\n", stream);
    }
    fputs("\\hline\n\\end{tabular}\n", stream);
    if (changed == NULL) return;
    fputs("\\par\\smallskip Options changed: ", stream);
    print_latex(stream, changed);
    fputc('\n', stream);
}

/* ---- one after the other ---- */

static char *each_table(const crd_lab_summary *summary,
                        void (*print)(FILE *, const crd_lab_row *, int64_t, const char *))
{
    crd_lab_text text;
    crd_lab_text_begin(&text);
    for (int64_t first = 0, end; first < summary->rows; first = end) {
        const crd_lab_row *row = &summary->row[first];
        for (end = first + 1; end < summary->rows && crd_lab_same_table(row, &summary->row[end]);) end++;
        if (first > 0) fputc('\n', text.stream);
        print(text.stream, row, end - first, summary->changed);
    }
    return crd_lab_text_end(&text);
}

char *crd_lab_table_markdown(const crd_lab_summary *summary)
{
    return each_table(summary, markdown_table);
}

char *crd_lab_table_latex(const crd_lab_summary *summary)
{
    return each_table(summary, latex_table);
}

/* ---- CSV: the columns of the published numbers ---- */

/* Nothing where the task has no such column or one run no deviation, "n.a." where the model has no such
 * number. */
static void csv_cell(FILE *stream, const crd_lab_row *row, crd_lab_column column)
{
    const crd_lab_heading *heading = crd_lab_headings(row->failures);
    const crd_lab_cell *cell = &row->cell[column];
    bool belongs = false;
    for (int c = 0; c < CRD_LAB_SHOWN; c++) belongs = belongs || heading[c].column == column;
    fputc(',', stream);
    if (belongs && cell->runs == 0) fputs("n.a.,n.a.", stream);
    else if (cell->runs == 0) fputc(',', stream);
    else if (cell->runs == 1) fprintf(stream, "%.4f,", cell->mean);
    else fprintf(stream, "%.4f,%.4f", cell->mean, cell->sd);
}

char *crd_lab_table_csv(const crd_lab_summary *summary)
{
    crd_lab_text text;
    bool shift = any_shift(summary->row, summary->rows), failures = false;
    for (int64_t i = 0; i < summary->rows; i++) failures = failures || summary->row[i].failures;
    int columns = failures ? CRD_LAB_COLUMNS : CRD_LAB_AUPR_SUCCESS_ALEA;
    crd_lab_text_begin(&text);
    FILE *stream = text.stream;
    fprintf(stream, "task,data,model%s", shift ? ",shift" : "");
    for (int c = 0; c < columns; c++) {
        const char *name = crd_lab_column_name((crd_lab_column)c);
        fprintf(stream, ",%s,%s_sd", name, name);
    }
    fputs(",runs\n", stream);
    for (int64_t i = 0; i < summary->rows; i++) {
        const crd_lab_row *row = &summary->row[i];
        crd_lab_print_csv(stream, row->like->task);
        fputc(',', stream);
        print_data(stream, crd_lab_print_csv, summary->row, summary->rows, row);
        fputc(',', stream);
        crd_lab_print_csv(stream, row->model_title);
        if (shift) fputc(',', stream);
        if (shift) crd_lab_print_csv(stream, shift_of(row));
        for (int c = 0; c < columns; c++) csv_cell(stream, row, (crd_lab_column)c);
        fprintf(stream, ",%lld\n", (long long)row->runs);
    }
    return crd_lab_text_end(&text);
}
