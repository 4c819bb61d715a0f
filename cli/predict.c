/* credence predict: every node's class, and how far to trust it. */
#include <string.h>

#include "data.h"
#include "files.h"
#include "signals.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 'o', "output", "OUT", "-",
                "where the answers go: .csv, .npz, .jsonl, or - for stdout");
    crd_cli_add(options, 0, "format", "FORMAT", "by OUT's ending", "csv, npz or jsonl");
    crd_cli_add(options, 0, "full", NULL, NULL, "add every class's alpha and probability");
    crd_cli_add(options, 0, "reject-above", "X", NULL, "flag the nodes whose uncertainty is above X");
    crd_cli_add(options, 0, "coverage", "C", NULL,
                "flag the most uncertain nodes so that the fraction C (0 to 1) is answered");
    crd_cli_add(options, 0, "reject-by", "SCORE", "epistemic",
                "the uncertainty that decides: aleatoric, epistemic or epistemic_features");
    crd_cli_add_data(options);
    crd_cli_add_threads(options);
    crd_cli_add_quiet(options);
}

static int parse_format(const crd_cli_options *options, crd_table_format *format)
{
    const char *name = crd_cli_value(options, "format");
    *format = CRD_TABLE_AUTO;
    if (name == NULL || strcmp(name, "auto") == 0) return CRD_CLI_DONE;
    if (strcmp(name, "csv") == 0) *format = CRD_TABLE_CSV;
    else if (strcmp(name, "npz") == 0) *format = CRD_TABLE_NPZ;
    else if (strcmp(name, "jsonl") == 0) *format = CRD_TABLE_JSONL;
    else return crd_cli_misused(options, "--format: expected csv, npz or jsonl, found '%s'", name);
    return CRD_CLI_DONE;
}

static int parse_rejection(const crd_cli_options *options, crd_rejection *rejection)
{
    const char *score = crd_cli_value(options, "reject-by");
    rejection->by_threshold = crd_cli_given(options, "reject-above");
    rejection->by_coverage = crd_cli_given(options, "coverage");
    rejection->score = CRD_SCORE_EPISTEMIC;
    int code = crd_cli_exclusive(options, "reject-above", "coverage");
    if (code == CRD_CLI_DONE) code = crd_cli_number(options, "reject-above", &rejection->above);
    if (code == CRD_CLI_DONE) code = crd_cli_number(options, "coverage", &rejection->coverage);
    if (code != CRD_CLI_DONE) return code;
    if (rejection->by_coverage && (rejection->coverage < 0.0 || rejection->coverage > 1.0))
        return crd_cli_misused(options, "--coverage: expected a fraction from 0 to 1, found '%s'",
                               crd_cli_value(options, "coverage"));
    if (score == NULL) return CRD_CLI_DONE;
    if (!rejection->by_threshold && !rejection->by_coverage)
        return crd_cli_misused(options, "--reject-by needs --reject-above or --coverage");
    if (strcmp(score, "aleatoric") == 0) rejection->score = CRD_SCORE_ALEATORIC;
    else if (strcmp(score, "epistemic_features") == 0) rejection->score = CRD_SCORE_EPISTEMIC_FEATURES;
    else if (strcmp(score, "epistemic") != 0)
        return crd_cli_misused(options, "--reject-by: expected aleatoric, epistemic or epistemic_features, "
                               "found '%s'", score);
    return CRD_CLI_DONE;
}

static int answer(const crd_cli_options *options, const char *output, crd_table_format format,
                  const crd_rejection *rejection, int threads)
{
    crd_error error;
    crd_model *model;
    crd_dataset *dataset;
    crd_prediction *prediction = NULL;
    int64_t rejected = 0;
    bool reject = rejection->by_threshold || rejection->by_coverage;
    int code = crd_cli_open_both(options, &model, &dataset);
    if (code != CRD_CLI_DONE) return code;
    crd_status status = crd_predict(model, dataset, threads, &prediction, &error);
    if (status == CRD_OK && reject) status = crd_prediction_reject(prediction, rejection, &rejected, &error);
    if (status == CRD_OK) {
        /* A file that was begun is finished; answers that flow to a pipe may be cut at any time. */
        if (strcmp(output, "-") != 0) crd_cli_catch_signals();
        status = crd_prediction_write(prediction, dataset, output, format, crd_cli_given(options, "full"),
                                      &error);
    }
    if (status != CRD_OK) {
        code = crd_cli_fail(&error);
    } else if (reject && !crd_cli_given(options, "quiet")) {
        int64_t nodes = crd_prediction_nodes(prediction);
        crd_cli_say("%lld of %lld nodes flagged (%.1f %%): do not trust their answers", (long long)rejected,
                    (long long)nodes, 100.0 * (double)rejected / (double)nodes);
    }
    crd_prediction_free(&prediction);
    crd_dataset_free(&dataset);
    crd_model_free(&model);
    return code;
}

static int run(const crd_cli_options *options)
{
    crd_table_format format;
    crd_rejection rejection = {0};
    int threads;
    const char *output = crd_cli_value(options, "output");
    if (output == NULL) output = "-";
    int code = parse_format(options, &format);
    if (code == CRD_CLI_DONE) code = parse_rejection(options, &rejection);
    if (code == CRD_CLI_DONE) code = crd_cli_threads(options, &threads);
    if (code == CRD_CLI_DONE) code = crd_cli_check_output(output, options->positional[1]);
    if (code == CRD_CLI_DONE) code = crd_cli_check_output(output, options->positional[0]);
    if (code == CRD_CLI_DONE) code = answer(options, output, format, &rejection, threads);
    return code;
}

const crd_cli_command crd_cli_predict = {
    .name = "predict",
    .summary = "classify every node, with its uncertainties",
    .description = "Classifies every node of DATA with MODEL: one row a node, with its class, probability\n"
                   "and uncertainties. All uncertainties grow with doubt (epistemic, minus the evidence,\n"
                   "is negative). DATA may be the graph of training, a grown one or another of its kind.",
    .positional = {"MODEL", "DATA"},
    .declare = declare,
    .run = run,
};
