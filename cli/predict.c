/* SPDX-License-Identifier: MIT */
/* credence predict: every node's class, and how far to trust it. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
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
    crd_cli_add_choice(options, "reject-by", "SCORE", "aleatoric",
                       "aleatoric epistemic epistemic_features epistemic_class",
                       "the uncertainty that decides, as its column shows it: aleatoric, whose risk evaluate and "
                       "report show, epistemic, epistemic_features, or epistemic_class (minus the largest alpha)");
    crd_cli_add_number(
        options, "false-alarms", NAN, 0, 1,
        "flag nodes as unknown, and with them on average at most the fraction X of the nodes of known classes");
    crd_cli_add_number(options, "max-error", NAN, 0, 1,
                       "answer as many nodes as possible while at most the fraction X of the answers is wrong");
    crd_cli_add_number(options, "confidence", CRD_PROMISE_CONFIDENCE, 0, 1, "how sure the promise of --max-error is");
    crd_cli_add_number(options, "sets", NAN, 0, 1,
                       "add a set of classes that holds the right one for the fraction X of the nodes");
    crd_cli_add_choice(options, "set-method", "HOW", "daps", "daps aps raps",
                       "how: daps (looks at the neighbours too), aps, or raps (fewer improbable classes)");
    crd_cli_add_number(options, "set-lambda", NAN, 0, 1,
                       "for daps the weight of the neighbours (0.5), for raps that of the rank (0.1)");
    crd_cli_add_choice(options, "only", "WHICH", "all", "all unlabelled flagged",
                       "the rows to write, and to flag among: all nodes, the unlabelled ones, or (written only) the "
                       "flagged ones");
    crd_cli_add(
        options, 0, "nodes", "LIST", NULL,
        "answer only for these nodes, by number (from 0) or by name, with commas between them; @FILE: one on each "
        "line of a file");
    crd_cli_add_data(options);
    crd_cli_add_threads(options);
    crd_cli_add_quiet(options);
}

typedef enum { ALL, UNLABELLED, FLAGGED } which; /* the choices of --only */
enum { DAPS, APS, RAPS };                        /* those of --set-method */

static bool promises(const crd_cli_options *options)
{
    return crd_cli_given(options, "false-alarms") || crd_cli_given(options, "max-error");
}

static int parse_rejection(const crd_cli_options *options, crd_rejection *rejection, which *only)
{
    /* The choices of --reject-by. */
    static const crd_score scores[] = {CRD_SCORE_ALEATORIC, CRD_SCORE_EPISTEMIC, CRD_SCORE_EPISTEMIC_FEATURES,
                                       CRD_SCORE_EPISTEMIC_CLASS};
    const bool by_score = crd_cli_given(options, "reject-by");
    *rejection = (crd_rejection){.size = sizeof *rejection,
                                 .score = scores[crd_cli_choice(options, "reject-by")],
                                 .by_threshold = crd_cli_given(options, "reject-above"),
                                 .by_coverage = crd_cli_given(options, "coverage"),
                                 .above = crd_cli_number(options, "reject-above"),
                                 .coverage = crd_cli_number(options, "coverage")};
    *only = (which)crd_cli_choice(options, "only");
    const bool rejects = rejection->by_threshold || rejection->by_coverage;
    if (by_score && !rejects) return crd_cli_misused(options, "--reject-by needs --reject-above or --coverage");
    if (*only == FLAGGED && !rejects && !promises(options))
        return crd_cli_misused(options,
                               "--only flagged needs an option that flags nodes: --coverage, --reject-above, "
                               "--false-alarms or --max-error%s",
                               crd_cli_given(options, "sets") ? " (--sets flags none)" : "");
    static const char *const needs[][2] = {{"confidence", "max-error"}, {"set-method", "sets"}, {"set-lambda", "sets"}};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (crd_cli_given(options, needs[i][0]) && !crd_cli_given(options, needs[i][1]))
            return crd_cli_misused(options, "--%s needs --%s", needs[i][0], needs[i][1]);
    if (crd_cli_given(options, "set-lambda") && crd_cli_choice(options, "set-method") == APS)
        return crd_cli_misused(options, "--set-lambda has no meaning for --set-method aps");
    return CRD_CLI_DONE;
}

static bool is_flagged(const crd_prediction *p, int64_t row)
{
    const uint8_t *rejected = crd_prediction_rejected(p), *unknown = crd_prediction_unknown(p);
    const uint8_t *answered = crd_prediction_answered(p);
    return (rejected != NULL && rejected[row]) || (unknown != NULL && unknown[row]) ||
           (answered != NULL && !answered[row]);
}

/* Keeps the rows of unlabelled nodes, or of flagged ones. */
static crd_status keep(crd_cli_inputs *in, which only, crd_error *error)
{
    int64_t rows = crd_prediction_nodes(in->prediction);
    bool *kept = crd_cli_allocate(NULL, (size_t)rows * sizeof *kept);
    for (int64_t i = 0; i < rows; i++)
        kept[i] = only == UNLABELLED ? crd_dataset_label(in->dataset, crd_prediction_node(in->prediction, i)) < 0
                                     : is_flagged(in->prediction, i);
    crd_status status = crd_prediction_keep(in->prediction, kept, error);
    free(kept);
    return status;
}

/* ---- --nodes ---- */

static int mark_node(const crd_cli_options *options, const crd_dataset *dataset, const char *name, bool *wanted)
{
    const int64_t node = crd_dataset_find_node(dataset, name);
    if (node < 0)
        return crd_cli_misused(options, "--nodes: there is no node '%.60s': the data have %lld, numbered from 0", name,
                               (long long)crd_dataset_nodes(dataset));
    wanted[node] = true;
    return CRD_CLI_DONE;
}

/* Marks the nodes of a list; the text is cut into its names. */
static int mark_list(const crd_cli_options *options, const crd_dataset *dataset, char *text, const char *between,
                     bool *wanted)
{
    int code = CRD_CLI_DONE;
    for (char *name = text; name != NULL && code == CRD_CLI_DONE;) {
        char *end = strpbrk(name, between);
        if (end != NULL) *end = '\0';
        name += strspn(name, " \t");
        size_t length = strlen(name);
        while (length > 0 && strchr(" \t\r", name[length - 1]) != NULL) name[--length] = '\0';
        if (length > 0) code = mark_node(options, dataset, name, wanted);
        name = end != NULL ? end + 1 : NULL;
    }
    return code;
}

static int mark_file(const crd_cli_options *options, const crd_dataset *dataset, const char *path, bool *wanted)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    int code = CRD_CLI_DONE;
    if (file == NULL) return crd_cli_misused(options, "--nodes: cannot open %.200s: %s", path, strerror(errno));
    while (code == CRD_CLI_DONE && getline(&line, &room, file) >= 0)
        code = mark_list(options, dataset, line, "\n", wanted);
    free(line);
    fclose(file);
    return code;
}

/* The nodes that --nodes wants; NULL: all. The caller frees it. */
static int parse_nodes(const crd_cli_options *options, const crd_dataset *dataset, bool **wanted)
{
    const char *list = crd_cli_value(options, "nodes");
    *wanted = NULL;
    if (list == NULL) return CRD_CLI_DONE;
    const int64_t nodes = crd_dataset_nodes(dataset);
    *wanted = crd_cli_allocate(NULL, (size_t)(nodes + 1) * sizeof **wanted);
    memset(*wanted, 0, (size_t)(nodes + 1) * sizeof **wanted);
    char *text = crd_cli_allocate(NULL, strlen(list) + 1);
    memcpy(text, list, strlen(list) + 1);
    const int code = list[0] == '@' ? mark_file(options, dataset, list + 1, *wanted)
                                    : mark_list(options, dataset, text, ",", *wanted);
    free(text);
    return code;
}

/* What was flagged, and the threshold that would flag the same nodes again. */
static void describe_flagged(const crd_prediction *prediction, const crd_rejection *rejection, char **said)
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
    /* All digits, so that --reject-above with this number flags the same nodes. */
    char threshold[CRD_NUMBER_SIZE];
    crd_number_text(rejection->by_threshold ? rejection->above : line, threshold);
    if (flagged == rows && !rejection->by_threshold)
        crd_cli_append(said, "all %lld nodes flagged: do not trust their answers\n", (long long)rows);
    else if (flagged == 0)
        crd_cli_append(said, "none of %lld node%s flagged: the most doubtful has %s %.6g\n", (long long)rows,
                       rows == 1 ? "" : "s", name, most);
    else
        crd_cli_append(said,
                       "%lld of %lld nodes flagged (%.1f %%), those with %s above %s: do not trust their answers\n",
                       (long long)flagged, (long long)rows, 100.0 * (double)flagged / (double)rows, name, threshold);
}

/* What went to a file. */
static void describe_written(const crd_prediction *p, const char *output, bool flags, which only, char **said)
{
    const int64_t rows = crd_prediction_nodes(p);
    int64_t flagged = 0;
    for (int64_t i = 0; i < rows; i++) flagged += is_flagged(p, i);
    crd_cli_append(said, "%lld%s answer%s written to %s", (long long)rows, only == FLAGGED ? " flagged" : "",
                   rows == 1 ? "" : "s", output);
    if (flags && only != FLAGGED) crd_cli_append(said, ", %lld of them flagged", (long long)flagged);
    crd_cli_append(said, "\n");
}

static void say_lines(const char *text)
{
    while (text != NULL && *text != '\0') {
        const int length = (int)strcspn(text, "\n");
        crd_cli_say("%.*s", length, text);
        text += length + (text[length] == '\n');
    }
}

/* Scores are negative or 0 for most models: a threshold without its sign would flag nothing. */
static int check_sign(const crd_cli_options *options, const crd_prediction *prediction, const crd_rejection *rejection)
{
    const double *doubt = crd_prediction_score(prediction, rejection->score);
    if (!rejection->by_threshold || !(rejection->above > 0.0) || doubt == NULL) return CRD_CLI_DONE;
    for (int64_t i = 0; i < crd_prediction_nodes(prediction); i++)
        if (doubt[i] > 0.0) return CRD_CLI_DONE;
    return crd_cli_misused(options, "--reject-above %g: %s is never above 0 here; give it as the column shows it: -%g",
                           rejection->above, crd_score_name(rejection->score), rejection->above);
}

/* So few calibration nodes that every set has to hold every class. */
static void note_few_for_sets(const crd_model *model, double coverage, char **said)
{
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    const double needed = ceil(coverage / (1.0 - coverage) - 1e-9);
    if ((double)facts.calibration_nodes < needed)
        crd_cli_append(said,
                       "note: every set holds every class, because the model has %lld calibration node%s: --sets %g "
                       "needs at least %.0f\n",
                       (long long)facts.calibration_nodes, facts.calibration_nodes == 1 ? "" : "s", coverage, needed);
}

/* Each promise that was asked for; what it means goes to *said. */
static crd_status promise_sets(const crd_cli_options *options, const crd_cli_inputs *in, char **said, crd_error *error)
{
    static const crd_set_method methods[] = {CRD_SETS_DAPS, CRD_SETS_APS, CRD_SETS_RAPS};
    if (!crd_cli_given(options, "sets")) return CRD_OK;
    const double coverage = crd_cli_number(options, "sets");
    const crd_set_method method = methods[crd_cli_choice(options, "set-method")];
    const double lambda = crd_cli_given(options, "set-lambda") ? crd_cli_number(options, "set-lambda")
                          : method == CRD_SETS_RAPS            ? CRD_RAPS_LAMBDA
                                                               : CRD_DAPS_LAMBDA;
    crd_status status = crd_prediction_sets(in->prediction, in->dataset, coverage, method, lambda, error);
    if (status != CRD_OK) return status;
    const int64_t rows = crd_prediction_nodes(in->prediction), classes = crd_prediction_classes(in->prediction);
    int64_t size = 0, empty = 0;
    for (int64_t i = 0; i < rows; i++) {
        const int64_t before = size;
        for (int64_t k = 0; k < classes; k++) size += crd_prediction_set(in->prediction)[i * classes + k];
        empty += size == before;
    }
    crd_cli_append(
        said,
        "sets of %.2f classes on average: they hold the class of %g %% of the nodes whose class the model knows\n",
        (double)size / (double)rows, 100.0 * coverage);
    if (empty > 0)
        crd_cli_append(said,
                       "%lld set%s empty, so that no more than %g %% hold the class: add the answer if you want it in "
                       "every set\n",
                       (long long)empty, empty == 1 ? " is" : "s are", 100.0 * coverage);
    note_few_for_sets(in->model, coverage, said);
    return CRD_OK;
}

/* Promises are about nodes drawn like the calibration nodes. */
static void note_other_data(const crd_cli_options *options, const crd_cli_inputs *in, char **said)
{
    crd_model_facts facts;
    crd_model_get_facts(in->model, &facts);
    if (!promises(options) && !crd_cli_given(options, "sets")) return;
    if (strcmp(facts.fingerprint, crd_dataset_fingerprint(in->dataset)) != 0)
        crd_cli_append(said, "these are not the data of training: the promise holds if their nodes are of the same "
                             "kind\n");
}

static crd_status promise_flags(const crd_cli_options *options, const crd_cli_inputs *in, char **said, crd_error *error)
{
    const double alarms = crd_cli_number(options, "false-alarms"), most = crd_cli_number(options, "max-error");
    const double confidence = crd_cli_number(options, "confidence");
    const long long rows = (long long)crd_prediction_nodes(in->prediction);
    int64_t count;
    crd_status status = CRD_OK;
    if (crd_cli_given(options, "false-alarms")) {
        status = crd_prediction_flag_unknown(in->prediction, alarms, &count, error);
        if (status == CRD_OK)
            crd_cli_append(
                said, "%lld of %lld nodes flagged as unknown, on average at most %g %% of the known ones with them\n",
                (long long)count, rows, 100.0 * alarms);
        if (status == CRD_OK && crd_prediction_score(in->prediction, CRD_SCORE_EPISTEMIC) == NULL)
            crd_cli_append(said,
                           "note: the model has no epistemic uncertainty, so doubt goes by the probability of the "
                           "answer\n");
    }
    if (status == CRD_OK && crd_cli_given(options, "max-error")) {
        status = crd_prediction_answer(in->prediction, most, confidence, &count, error);
        if (status == CRD_OK)
            crd_cli_append(said,
                           "%lld of %lld nodes answered: at most %g %% of the answers for nodes of known classes are "
                           "wrong, with confidence %g\n",
                           (long long)count, rows, 100.0 * most, confidence);
    }
    return status;
}

static int answer(const crd_cli_options *options, crd_cli_inputs *in, crd_table_format format,
                  const crd_rejection *rejection, which only, const bool *wanted)
{
    crd_error error;
    char *said = NULL;
    const char *output = crd_cli_setting(options, "output");
    const bool reject = rejection->by_threshold || rejection->by_coverage, to_file = strcmp(output, "-") != 0;
    crd_status status = crd_predict(in->model, in->dataset, CRD_THREADS(in->threads), &in->prediction, &error);
    if (status == CRD_OK && check_sign(options, in->prediction, rejection) != CRD_CLI_DONE) return CRD_CLI_MISUSED;
    if (status == CRD_OK) status = promise_sets(options, in, &said, &error);
    if (status == CRD_OK && wanted != NULL) status = crd_prediction_keep(in->prediction, wanted, &error);
    if (status == CRD_OK && only == UNLABELLED) status = keep(in, only, &error);
    if (status == CRD_OK) status = promise_flags(options, in, &said, &error);
    if (status == CRD_OK) note_other_data(options, in, &said);
    if (status == CRD_OK && reject) status = crd_prediction_reject(in->prediction, rejection, NULL, &error);
    const bool none = status == CRD_OK && crd_prediction_nodes(in->prediction) == 0;
    if (none) crd_cli_append(&said, "there are no such nodes: nothing was written but the columns\n");
    else if (status == CRD_OK && reject) describe_flagged(in->prediction, rejection, &said);
    if (status == CRD_OK && only == FLAGGED) status = keep(in, only, &error);
    if (status == CRD_OK) {
        /* A file that was begun is finished; answers written to a pipe may be cut off at any time. */
        if (to_file) crd_cli_catch_signals("finishing the write");
        status =
            crd_prediction_write(in->prediction, in->dataset, output, format, crd_cli_given(options, "full"), &error);
    }
    if (status == CRD_OK && to_file && !none)
        describe_written(in->prediction, output, reject || promises(options), only, &said);
    if (status == CRD_OK && !crd_cli_given(options, "quiet")) say_lines(said);
    free(said);
    return status == CRD_OK ? CRD_CLI_DONE : crd_cli_fail_about(options, &error);
}

static int run(const crd_cli_options *options)
{
    crd_cli_inputs in = {0};
    crd_table_format format;
    crd_rejection rejection;
    which only;
    bool *wanted = NULL;
    int code = parse_rejection(options, &rejection, &only);
    if (code == CRD_CLI_DONE) code = crd_cli_check_table(options, &format);
    if (code == CRD_CLI_DONE) code = crd_cli_open_inputs(options, &in);
    if (code == CRD_CLI_DONE) code = parse_nodes(options, in.dataset, &wanted);
    if (code == CRD_CLI_DONE) code = answer(options, &in, format, &rejection, only, wanted);
    free(wanted);
    return crd_cli_close_inputs(options, &in, code);
}

const crd_cli_command crd_cli_predict = {
    .name = "predict",
    .group = CRD_CLI_OWN_GRAPH,
    .summary = "classify every node and say how far to trust each answer",
    .description = "Classifies every node of DATA with MODEL: one row per node, with its class, probability\n"
                   "and uncertainties, which all grow with doubt. DATA may be the training graph, the\n"
                   "same graph grown, or another like it.",
    .positional = {"MODEL", "DATA"},
    .exclusive = {{"reject-above", "coverage"}},
    .declare = declare,
    .run = run,
};
