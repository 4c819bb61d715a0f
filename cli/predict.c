/* credence predict: every node's class, and how far to trust it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "data.h"
#include "files.h"
#include "signals.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add_table(options, "the file for the answers: .csv, .npz, .jsonl, or - for standard output");
    crd_cli_add(options, 0, "full", NULL, NULL,
                "add every class's alpha and probability, and to .npz the latent space");
    crd_cli_add_number(options, "reject-above", NAN, -INFINITY, INFINITY,
                       "flag the nodes whose uncertainty is above X");
    crd_cli_add_number(options, "coverage", NAN, 0, 1,
                       "flag the most uncertain nodes so that the fraction X (0 to 1) is answered");
    crd_cli_add_choice(options, "reject-by", "SCORE", "epistemic",
                       "aleatoric epistemic epistemic_features epistemic_class",
                       "the uncertainty that decides: aleatoric, epistemic, epistemic_features, or epistemic_class "
                       "(minus the largest alpha, which evaluate uses to find wrong answers)");
    crd_cli_add_choice(options, "only", "WHICH", "all", "all unlabelled flagged",
                       "the rows to write, and to flag among: all nodes, the unlabelled ones, or (written only) the "
                       "flagged ones");
    crd_cli_add_data(options);
    crd_cli_add_threads(options);
    crd_cli_add_quiet(options);
}

typedef enum { ALL, UNLABELLED, FLAGGED } which; /* the choices of --only */

static int parse_rejection(const crd_cli_options *options, crd_rejection *rejection, which *only)
{
    /* The choices of --reject-by. */
    static const crd_score scores[] = {CRD_SCORE_ALEATORIC, CRD_SCORE_EPISTEMIC, CRD_SCORE_EPISTEMIC_FEATURES,
                                       CRD_SCORE_EPISTEMIC_CLASS};
    const bool by_score = crd_cli_given(options, "reject-by");
    *rejection = (crd_rejection){.score = scores[crd_cli_choice(options, "reject-by")],
                                 .by_threshold = crd_cli_given(options, "reject-above"),
                                 .by_coverage = crd_cli_given(options, "coverage"),
                                 .above = crd_cli_number(options, "reject-above"),
                                 .coverage = crd_cli_number(options, "coverage")};
    *only = (which)crd_cli_choice(options, "only");
    if ((by_score || *only == FLAGGED) && !rejection->by_threshold && !rejection->by_coverage)
        return crd_cli_misused(options, "%s needs --reject-above or --coverage",
                               by_score ? "--reject-by" : "--only flagged");
    return CRD_CLI_DONE;
}

/* Keeps the rows of unlabelled nodes, or of flagged ones. */
static crd_status keep(crd_cli_inputs *in, which only, crd_error *error)
{
    int64_t rows = crd_prediction_nodes(in->prediction);
    bool *kept = crd_cli_allocate(NULL, (size_t)rows * sizeof *kept);
    for (int64_t i = 0; i < rows; i++)
        kept[i] = only == UNLABELLED ? crd_dataset_label(in->dataset, crd_prediction_node(in->prediction, i)) < 0
                                     : crd_prediction_rejected(in->prediction)[i] != 0;
    crd_status status = crd_prediction_keep(in->prediction, kept, error);
    free(kept);
    return status;
}

/* What was flagged, and the threshold that would flag the same nodes again. The caller frees it, and prints it
 * after the answers are written. */
static char *describe_flagged(const crd_prediction *prediction, const crd_rejection *rejection)
{
    const double *doubt = crd_prediction_score(prediction, rejection->score);
    const uint8_t *flag = crd_prediction_rejected(prediction);
    int64_t rows = crd_prediction_nodes(prediction), flagged = 0;
    double most = -INFINITY, line = -INFINITY; /* of all rows; of the rows that are not flagged */
    for (int64_t i = 0; i < rows; i++) {
        flagged += flag[i];
        if (doubt[i] > most) most = doubt[i];
        if (!flag[i] && doubt[i] > line) line = doubt[i];
    }
    const char *name = crd_score_name(rejection->score);
    if (flagged == rows && !rejection->by_threshold)
        return crd_cli_text("all %lld nodes flagged: do not trust their answers", (long long)rows);
    if (flagged == 0)
        return crd_cli_text("none of %lld nodes flagged: the most doubtful has %s %.6g", (long long)rows, name, most);
    /* All digits, so that --reject-above with this number flags the same nodes. */
    char threshold[CRD_NUMBER_SIZE];
    crd_number_text(rejection->by_threshold ? rejection->above : line, threshold);
    return crd_cli_text("%lld of %lld nodes flagged (%.1f %%), those with %s above %s: do not trust their answers",
                        (long long)flagged, (long long)rows, 100.0 * (double)flagged / (double)rows, name, threshold);
}

static int answer(const crd_cli_options *options, crd_cli_inputs *in, crd_table_format format,
                  const crd_rejection *rejection, which only)
{
    crd_error error;
    char *said = NULL;
    const char *output = crd_cli_setting(options, "output");
    bool reject = rejection->by_threshold || rejection->by_coverage;
    crd_status status = crd_predict(in->model, in->dataset, in->threads, &in->prediction, &error);
    if (status == CRD_OK && only == UNLABELLED) status = keep(in, only, &error);
    if (status == CRD_OK && reject) status = crd_prediction_reject(in->prediction, rejection, NULL, &error);
    if (status == CRD_OK && crd_prediction_nodes(in->prediction) == 0)
        said = crd_cli_text("there are no such nodes: nothing was written but the columns");
    else if (status == CRD_OK && reject) said = describe_flagged(in->prediction, rejection);
    if (status == CRD_OK && only == FLAGGED) status = keep(in, only, &error);
    if (status == CRD_OK) {
        /* A file that was begun is finished; answers written to a pipe may be cut off at any time. */
        if (strcmp(output, "-") != 0) crd_cli_catch_signals("finishing the write");
        status =
            crd_prediction_write(in->prediction, in->dataset, output, format, crd_cli_given(options, "full"), &error);
    }
    if (status == CRD_OK && said != NULL && !crd_cli_given(options, "quiet")) crd_cli_say("%s", said);
    free(said);
    return status == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
}

static int run(const crd_cli_options *options)
{
    crd_cli_inputs in = {0};
    crd_table_format format;
    crd_rejection rejection;
    which only;
    int code = parse_rejection(options, &rejection, &only);
    if (code == CRD_CLI_DONE) code = crd_cli_check_table(options, &format);
    if (code == CRD_CLI_DONE) code = crd_cli_open_inputs(options, &in);
    if (code == CRD_CLI_DONE) code = answer(options, &in, format, &rejection, only);
    return crd_cli_close_inputs(options, &in, code);
}

const crd_cli_command crd_cli_predict = {
    .name = "predict",
    .group = CRD_CLI_OWN_GRAPH,
    .summary = "classify every node and say how far to trust each answer",
    .description = "Classifies every node of DATA with MODEL: one row per node, with its class, probability\n"
                   "and uncertainties. All uncertainties grow with doubt (epistemic, minus the evidence,\n"
                   "is negative). DATA may be the training graph, the same graph grown, or another like it.",
    .positional = {"MODEL", "DATA"},
    .exclusive = {{"reject-above", "coverage"}},
    .declare = declare,
    .run = run,
};
