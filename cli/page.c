/* credence page: a Markdown page whose numbers come from results files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "lab/page.h"
#include "lab/table.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 'o', "output", "FILE", NULL, "where the page goes; - for standard output");
    crd_cli_add_quiet(options);
}

/* One directive, from its braces to where the text goes on; NULL after having said what is wrong. */
static const char *expand(crd_lab_page *page, const char *path, int64_t line, const char *at, FILE *stream)
{
    const char *end = strstr(at, "}}"), *line_end = strchr(at, '\n');
    if (end == NULL || (line_end != NULL && line_end < end)) {
        crd_cli_failf(CRD_CLI_FAILED, "%s: line %lld: '{{' without '}}' on the same line", path,
                      (long long)line);
        return NULL;
    }
    char *inside = crd_cli_text("%.*s", (int)(end - at - 2), at + 2), *problem;
    char *answer = crd_lab_page_expand(page, inside, &problem);
    if (problem != NULL)
        crd_cli_failf(CRD_CLI_FAILED, "%s: line %lld: {{%s}}: %s", path, (long long)line, inside, problem);
    if (answer != NULL) {
        /* The template says where lines end. */
        size_t length = strlen(answer);
        while (length > 0 && answer[length - 1] == '\n') length--;
        fwrite(answer, 1, length, stream);
    }
    bool done = answer != NULL;
    free(problem);
    free(answer);
    free(inside);
    return done ? end + 2 : NULL;
}

/* Copies the text, directives replaced; "\{{" is "{{". */
static bool fill(crd_lab_page *page, const char *path, const char *text, FILE *stream)
{
    int64_t line = 1;
    for (const char *at = text; *at != '\0';) {
        if (strncmp(at, "\\{{", 3) == 0) {
            fputs("{{", stream);
            at += 3;
        } else if (strncmp(at, "{{", 2) == 0) {
            at = expand(page, path, line, at, stream);
            if (at == NULL) return false;
        } else {
            line += *at == '\n';
            fputc(*at++, stream);
        }
    }
    return true;
}

static void say_passed_over(const crd_lab_page *page)
{
    for (int f = 0; f < page->files; f++) {
        crd_lab_summary summary;
        int64_t passed_over = 0;
        crd_lab_summary_make(&summary, page->file[f].runs.run, page->file[f].runs.count, NULL);
        for (int64_t i = 0; i < summary.rows; i++) passed_over += summary.row[i].passed_over;
        crd_lab_summary_free(&summary);
        if (passed_over > 0)
            crd_cli_say("%s: %lld runs with another configuration, split or graph than the last ones were "
                        "left out",
                        page->file[f].path, (long long)passed_over);
    }
}

static int run(const crd_cli_options *options)
{
    const char *path = options->positional[0], *output = crd_cli_value(options, "output");
    int code = crd_cli_check_output(output, path);
    if (code != CRD_CLI_DONE) return code;
    char *text = crd_lab_text_read(path);
    if (text == NULL) return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot read: %s", path, strerror(errno));
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? crd_cli_text(".")
                                 : crd_cli_text("%.*s", slash == path ? 1 : (int)(slash - path), path);
    crd_lab_page page = {.folder = folder};
    crd_lab_text filled;
    crd_lab_text_begin(&filled);
    code = fill(&page, path, text, filled.stream) ? CRD_CLI_DONE : CRD_CLI_FAILED;
    char *result = crd_lab_text_end(&filled);
    if (code == CRD_CLI_DONE && strcmp(output, "-") == 0) fputs(result, stdout);
    else if (code == CRD_CLI_DONE) code = crd_cli_write_text(output, result);
    if (code == CRD_CLI_DONE && !crd_cli_given(options, "quiet")) say_passed_over(&page);
    crd_lab_page_free(&page);
    free(result);
    free(folder);
    free(text);
    return code;
}

static void more_help(FILE *stream)
{
    fputs("\nDirectives, each on one line of the template; DIR is a folder of 'credence experiment', and\n"
          "paths start at the template's folder:\n"
          "  {{table DIR [task=LIST] [data=LIST] [models=LIST] [format=markdown]}}\n"
          "  {{compare DIR a=MODEL b=MODEL [metric=auroc_epi] [task=LIST] [data=LIST]}}\n"
          "  {{value DIR TASK DATA MODEL METRIC [DIGITS] [shift=NAME]}}         a mean: 87.20\n"
          "  {{diff DIR DATA A B METRIC [DIGITS] [task=NAME]}}                  +9.5 [8.1, 10.9]\n"
          "  {{firsts DIR MODEL METRIC [task=NAME] [data=LIST] [models=LIST]}}  5 of 7 (CoraML, ...)\n"
          "  {{field FILE FIELD KEY=VALUE... [digits=N]}}                       of the line that fits\n"
          "  {{command DIR}}                                                    what made DIR\n"
          "  {{jsonl FILE fields=LIST [KEY=VALUE...] [sort=FIELD] [limit=N] [digits=N]}}\n",
          stream);
}

const crd_cli_command crd_cli_page = {
    .name = "page",
    .group = CRD_CLI_LABORATORY,
    .summary = "write a page whose numbers come from results files",
    .description = "Copies TEMPLATE, a Markdown text, and puts tables and numbers of results files where it\n"
                   "has directives. If one of them names something that is not there, nothing is written.",
    .positional = {"TEMPLATE"},
    .required = "output",
    .declare = declare,
    .more_help = more_help,
    .run = run,
};
