/* credence compare: two models on the same splits, and whether it was luck. */
#include <stdlib.h>
#include <string.h>

#include "lab/summary_pairs.h"
#include "options.h"

static const char *const formats[] = {"text", "markdown", "csv", "json"};

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 0, "a", "MODEL", NULL, "the one model, by its name or title in the runs");
    crd_cli_add(options, 0, "b", "MODEL", NULL, "the other one, needed too; the difference is a - b");
    crd_cli_add(options, 0, "metric", "NAME", "auroc_epi",
                "a column of the experiments' tables (id_acc, auroc_alea, aupr_epi, ...), or a place in the "
                "runs' metrics (ood.epistemic.fpr95)");
    crd_cli_add(options, 0, "task", "LIST", "all", "runs of these tasks only");
    crd_cli_add(options, 0, "data", "LIST", "all", "runs on these graphs only");
    crd_cli_add(options, 0, "seed", "N", "1", "of the bootstrap; the same seed gives the same intervals");
    crd_cli_add(options, 0, "format", "FORMAT", "text", "text, markdown, csv or json");
    crd_cli_add(options, 0, "json", NULL, NULL, "the same as --format json");
    crd_cli_add(options, 'q', "quiet", NULL, NULL,
                "say nothing but errors on standard error; the table is printed all the same");
}

static int check_usage(const crd_cli_options *options, const char **format)
{
    *format = crd_cli_value(options, "format");
    if (!crd_cli_given(options, "b")) return crd_cli_misused(options, "compare needs --b");
    if (crd_cli_given(options, "json")) {
        if (*format != NULL && strcmp(*format, "json") != 0)
            return crd_cli_misused(options, "--json and --format %s contradict each other", *format);
        *format = "json";
    }
    if (*format == NULL) *format = "text";
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(*format, formats[i]) == 0) return CRD_CLI_DONE;
    return crd_cli_misused(options, "--format: expected text, markdown, csv or json, found '%s'", *format);
}

/* Every file's runs, and all of them one after the other. */
typedef struct gathered {
    crd_lab_runs *file;
    int files;
    crd_lab_run *run;
    int64_t count;
} gathered;

static int gather(const crd_cli_options *options, gathered *all)
{
    int code = CRD_CLI_DONE;
    *all = (gathered){.file = crd_cli_allocate(NULL, (size_t)(1 + options->words) * sizeof *all->file)};
    for (int i = 0; i < 1 + options->words && code == CRD_CLI_DONE; i++) {
        crd_lab_runs *file = &all->file[i];
        code = crd_lab_read(file, i == 0 ? options->positional[0] : options->word[i - 1]);
        if (code != CRD_CLI_DONE) break;
        all->files++;
        all->run = crd_cli_allocate(all->run, (size_t)(all->count + file->count) * sizeof *all->run);
        for (int64_t r = 0; r < file->count; r++) all->run[all->count++] = file->run[r];
    }
    return code;
}

static void release(gathered *all)
{
    for (int i = 0; i < all->files; i++) crd_lab_runs_close(&all->file[i]);
    free(all->file);
    free(all->run);
}

static void say_left_out(const crd_lab_pairs *pairs)
{
    if (pairs->alone_a > 0 || pairs->alone_b > 0)
        crd_cli_say("runs without a partner were left out: %lld of %s, %lld of %s", (long long)pairs->alone_a,
                    pairs->a, (long long)pairs->alone_b, pairs->b);
    if (pairs->passed_over > 0)
        crd_cli_say("%lld runs with another configuration, split or graph than the last ones were left out",
                    (long long)pairs->passed_over);
}

static int run(const crd_cli_options *options)
{
    const char *metric = crd_cli_value(options, "metric"), *format;
    int64_t seed = 1;
    gathered all;
    crd_lab_pairs pairs;
    int code = check_usage(options, &format);
    if (code == CRD_CLI_DONE) code = crd_cli_integer(options, "seed", 0, INT64_MAX, &seed);
    if (code != CRD_CLI_DONE) return code;
    const crd_lab_question question = {.a = crd_cli_value(options, "a"),
                                       .b = crd_cli_value(options, "b"),
                                       .metric = metric == NULL ? "auroc_epi" : metric,
                                       .task = crd_cli_value(options, "task"),
                                       .data = crd_cli_value(options, "data"),
                                       .seed = (uint64_t)seed};
    code = gather(options, &all);
    if (code == CRD_CLI_DONE) {
        char *problem = crd_lab_pairs_make(&pairs, all.run, all.count, &question), *text = NULL;
        if (problem != NULL)
            code = crd_cli_failf(CRD_CLI_FAILED, "%s: %s",
                                 options->words == 0 ? options->positional[0] : "the files of runs", problem);
        else if (strcmp(format, "json") == 0) text = crd_lab_pairs_json(&pairs);
        else if (strcmp(format, "csv") == 0) text = crd_lab_pairs_csv(&pairs);
        else if (strcmp(format, "markdown") == 0) text = crd_lab_pairs_markdown(&pairs);
        else crd_lab_pairs_print(&pairs, stdout);
        if (text != NULL) fputs(text, stdout);
        if (problem == NULL && !crd_cli_given(options, "quiet")) say_left_out(&pairs);
        if (problem == NULL) crd_lab_pairs_free(&pairs);
        free(problem);
        free(text);
    }
    release(&all);
    return code;
}

static void more_help(FILE *stream)
{
    fputs("\nThe interval is that of the mean difference (BCa bootstrap, 10,000 resamples); both tests are\n"
          "two-sided and exact for up to 50 pairs. With many graphs, some p-values are small by luck.\n"
          "A pair is won where a is better: above b, or below it for errors (fpr95, ece, aurc, ...).\n",
          stream);
}

const crd_cli_command crd_cli_compare = {
    .name = "compare",
    .group = CRD_CLI_BETTER_MODELS,
    .summary = "compare two models of an experiment over the same splits",
    .description = "Pairs the runs of two models on the same graph, split and seed, and says for every\n"
                   "graph how far they are apart and whether luck explains it. RUNS are folders of\n"
                   "'credence experiment', or their runs.jsonl.",
    .positional = {"RUNS"},
    .any_number = "RUNS",
    .required = "a",
    .declare = declare,
    .more_help = more_help,
    .run = run,
};
