/* The table for a terminal or a plain file.
 *
 *                      ID-ACC   ----------------- AUROC -----------------   ...
 *                               aleatoric    epistemic    w/o network
 *     CoraML, 10 runs
 *       GPN          88.12 ±0.70  83.01 ±0.52 >86.90 ±0.81  ...
 *         published  88.51 -0.39  83.25 -0.24  86.28 +0.62
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/table.h"

enum { LONGEST_NAME = 16, NARROWEST = 12, GAP = 2 };

static const char published_label[] = "    published";

/* Columns on the screen: UTF-8 continuation bytes take none. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text != '\0'; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static void pad(FILE *stream, int count)
{
    if (count > 0) fprintf(stream, "%*s", count, "");
}

static char *mean_text(const crd_lab_row *row, const crd_lab_cell *cell)
{
    if (row->runs == 0) return crd_cli_text("failed");
    if (cell->runs == 0) return crd_cli_text("n.a.");
    if (isnan(cell->sd)) return crd_cli_text("%.*f", CRD_LAB_DIGITS, cell->mean);
    return crd_cli_text("%.*f ±%.*f", CRD_LAB_DIGITS, cell->mean, CRD_LAB_DIGITS, cell->sd);
}

static char *published_text(const crd_lab_cell *cell)
{
    if (isnan(cell->published)) return crd_cli_text("%s", "");
    if (cell->runs == 0) return crd_cli_text("%.*f", CRD_LAB_DIGITS, cell->published);
    return crd_cli_text("%.*f %+.*f", CRD_LAB_DIGITS, cell->published, CRD_LAB_DIGITS,
                        cell->difference);
}

static bool has_published(const crd_lab_row *row)
{
    const crd_lab_heading *heading = crd_lab_headings(row->failures);
    for (int c = 0; c < CRD_LAB_SHOWN; c++)
        if (!isnan(row->cell[heading[c].column].published)) return true;
    return false;
}

typedef struct layout {
    bool styled;
    int names;                /* width of the first column */
    int width[CRD_LAB_SHOWN]; /* of the others, without the gap before each */
} layout;

static layout lay_out(const crd_lab_row *row, int64_t count, bool styled)
{
    const crd_lab_heading *heading = crd_lab_headings(row->failures);
    layout l = {.styled = styled, .names = width_of(published_label)};
    for (int c = 0; c < CRD_LAB_SHOWN; c++) l.width[c] = NARROWEST;
    for (int64_t i = 0; i < count; i++) {
        int name = 2 + width_of(row[i].model_title);
        if (name > 2 + LONGEST_NAME) name = 2 + LONGEST_NAME;
        if (name > l.names) l.names = name;
        for (int c = 0; c < CRD_LAB_SHOWN; c++) {
            const crd_lab_cell *cell = &row[i].cell[heading[c].column];
            char *mean = mean_text(&row[i], cell), *published = published_text(cell);
            if (width_of(mean) > l.width[c]) l.width[c] = width_of(mean);
            if (width_of(published) > l.width[c]) l.width[c] = width_of(published);
            free(mean);
            free(published);
        }
    }
    return l;
}

/* Two lines: what belongs together with a rule on either side, and the names below. */
static void print_headings(FILE *stream, const layout *l, const crd_lab_heading *heading)
{
    const char *bold = l->styled ? "\033[1m" : "", *plain = l->styled ? "\033[0m" : "";
    fprintf(stream, "%s", bold);
    pad(stream, l->names);
    for (int c = 0, end; c < CRD_LAB_SHOWN; c = end) {
        int width = l->width[c], label = width_of(heading[c].group);
        for (end = c + 1; end < CRD_LAB_SHOWN && strcmp(heading[end].group, heading[c].group) == 0; end++)
            width += GAP + l->width[end];
        /* The rule begins where the first number does. */
        int indent = label == 0 ? 0 : 1, before = (width - indent - label - 2) / 2;
        pad(stream, GAP + (label == 0 ? width : indent));
        if (label == 0) continue;
        for (int i = 0; i < before; i++) fputc('-', stream);
        fprintf(stream, " %s ", heading[c].group);
        for (int i = before + label + 2 + indent; i < width; i++) fputc('-', stream);
    }
    fputc('\n', stream);
    pad(stream, l->names);
    for (int c = 0; c < CRD_LAB_SHOWN; c++) {
        pad(stream, GAP + l->width[c] - width_of(heading[c].name));
        fputs(heading[c].name, stream);
    }
    fprintf(stream, "%s\n", plain);
}

/* A name cut to the column, in whole characters. */
static int print_name(FILE *stream, const char *name)
{
    int width = 0;
    bool cut = width_of(name) > LONGEST_NAME;
    for (; *name != '\0'; name++) {
        if (((unsigned char)*name & 0xc0) != 0x80 && cut && width == LONGEST_NAME - 1) break;
        width += ((unsigned char)*name & 0xc0) != 0x80;
        fputc((unsigned char)*name < 0x20 || *name == 0x7f ? '?' : *name, stream);
    }
    if (cut) fputs("~", stream);
    return width + cut;
}

static void print_row(FILE *stream, const layout *l, const crd_lab_row *row)
{
    const crd_lab_heading *heading = crd_lab_headings(row->failures);
    fputs("  ", stream);
    pad(stream, l->names - 2 - print_name(stream, row->model_title));
    /* A mark before or behind a number stands in the gap between two columns. */
    bool marked = false;
    for (int c = 0; c < CRD_LAB_SHOWN; c++) {
        const crd_lab_cell *cell = &row->cell[heading[c].column];
        char *mean = mean_text(row, cell);
        pad(stream, GAP - 1 - marked + l->width[c] - width_of(mean));
        if (l->styled && cell->best) fprintf(stream, " \033[1m%s\033[0m", mean);
        else fprintf(stream, "%s%s", cell->best ? ">" : " ", mean);
        marked = cell->fewer;
        if (marked) fputc('*', stream);
        free(mean);
    }
    fputc('\n', stream);
    if (!has_published(row)) return;
    int missing = l->names - width_of(published_label);
    fprintf(stream, "%s%s", l->styled ? "\033[2m" : "", published_label);
    for (int c = 0; c < CRD_LAB_SHOWN; c++) {
        char *text = published_text(&row->cell[heading[c].column]);
        missing += GAP + l->width[c] - width_of(text);
        if (text[0] != '\0') {
            pad(stream, missing);
            fputs(text, stream);
            missing = 0;
        }
        free(text);
    }
    fprintf(stream, "%s\n", l->styled ? "\033[0m" : "");
}

static void print_block_name(FILE *stream, const layout *l, const crd_lab_row *row, int64_t count,
                             const char *name)
{
    int64_t runs = 0, failed = 0;
    char *title = crd_cli_printable(name);
    for (int64_t i = 0; i < count; i++) {
        if (row[i].runs > runs) runs = row[i].runs;
        failed += row[i].failed;
    }
    fprintf(stream, "%s%s%s", l->styled ? "\033[1m" : "", title, l->styled ? "\033[0m" : "");
    if (row->like->shift != NULL) {
        char *shift = crd_cli_printable(row->like->shift);
        fprintf(stream, ", %s", shift);
        free(shift);
    }
    fprintf(stream, ", %lld run%s each", (long long)runs, runs == 1 ? "" : "s");
    if (failed > 0) fprintf(stream, " (%lld failed)", (long long)failed);
    fputc('\n', stream);
    free(title);
}

const char *crd_lab_task_title(const char *task)
{
    if (strcmp(task, "ood") == 0) return "Out-of-distribution detection";
    if (strcmp(task, "misclassification") == 0) return "Misclassification detection";
    if (strcmp(task, "shift") == 0) return "Detection of shifted nodes";
    if (strcmp(task, "ablation") == 0) return "Ablation, out-of-distribution detection";
    return task;
}

static void print_legend(FILE *stream, const layout *l, const crd_lab_row *row, int64_t count)
{
    bool fewer = false, published = false;
    for (int64_t i = 0; i < count; i++) {
        published = published || has_published(&row[i]);
        for (int c = 0; c < CRD_LAB_COLUMNS; c++) fewer = fewer || row[i].cell[c].fewer;
    }
    fprintf(stream, "\nPercent, mean ±standard deviation; %s the best of its block.",
            l->styled ? "\033[1mbold\033[0m:" : ">");
    if (fewer) fputs(" * of fewer runs than others.", stream);
    if (published) fputs("\nBelow a mean: the published value, and how far the mean is above it.", stream);
    if (published && row->failures)
        fputs("\nThe published AUPR of Ours takes right answers as positives: it stands below AUPR-success.",
              stream);
    fputc('\n', stream);
}

char *crd_lab_table_text(const crd_lab_summary *summary, bool styled)
{
    crd_lab_text text;
    crd_lab_text_begin(&text);
    FILE *stream = text.stream;
    for (int64_t first = 0, end; first < summary->rows; first = end) {
        const crd_lab_row *row = &summary->row[first];
        for (end = first + 1; end < summary->rows && crd_lab_same_table(row, &summary->row[end]);) end++;
        layout l = lay_out(row, end - first, styled);
        if (first > 0) fputc('\n', stream);
        char *task = crd_cli_printable(crd_lab_task_title(row->like->task));
        fprintf(stream, "%s\n\n", task);
        free(task);
        print_headings(stream, &l, crd_lab_headings(row->failures));
        for (int64_t block = first, after; block < end; block = after) {
            for (after = block + 1; after < end
                                    && crd_lab_same_block(&summary->row[block], &summary->row[after]);)
                after++;
            if (block > first) fputc('\n', stream);
            char *title = crd_lab_block_title(row, end - first, &summary->row[block]);
            print_block_name(stream, &l, &summary->row[block], after - block, title);
            free(title);
            for (int64_t i = block; i < after; i++) print_row(stream, &l, &summary->row[i]);
        }
        print_legend(stream, &l, row, end - first);
        if (summary->changed != NULL) fprintf(stream, "Options changed: %s\n", summary->changed);
    }
    if (summary->rows == 0) fputs("No runs.\n", stream);
    return crd_lab_text_end(&text);
}
