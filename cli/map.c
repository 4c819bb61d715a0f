/* credence map: a map in two dimensions of where the model sees the nodes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "credence_private.h"
#include "data.h"
#include "files.h"
#include "map.h"
#include "signals.h"

/* ---- shared by every command with a map ---- */

void crd_cli_add_map(crd_cli_options *options)
{
    crd_cli_add(options, 0, "perplexity", "X", "30",
                "of the map: about how many neighbours a node has; at most a third of the other nodes");
    crd_cli_add(options, 0, "iterations", "N", "1000", "of the map: how long t-SNE works on it");
    crd_cli_add(options, 0, "seed", "N", "1", "seed of the map's start");
}

int crd_cli_map_options(const crd_cli_options *options, crd_tsne_options *tsne)
{
    crd_tsne_options usual;
    crd_tsne_defaults(&usual);
    int code = crd_cli_number(options, "perplexity", &tsne->perplexity);
    if (code == CRD_CLI_DONE && !(tsne->perplexity >= 1.0 && isfinite(tsne->perplexity)))
        code = crd_cli_misused(options, "--perplexity: expected a number of at least 1, found '%s'",
                               crd_cli_value(options, "perplexity"));
    if (code == CRD_CLI_DONE) code = crd_cli_integer(options, "iterations", 1, 1000000, &tsne->iterations);
    tsne->early = usual.early * tsne->iterations / usual.iterations; /* the same share as by default */
    return code;
}

bool crd_cli_on_iteration(const crd_tsne_state *state, void *user)
{
    crd_cli_map_progress *progress = user;
    progress->iteration = state->iteration;
    if (isfinite(state->divergence)) progress->divergence = state->divergence;
    if (progress->live && (state->iteration % 10 == 0 || state->iteration == state->iterations)) {
        /* The live line must not wrap, or the next one would not cover it. */
        fprintf(stderr, "\r\033[?7lmap: iteration %lld of %lld", (long long)state->iteration,
                (long long)state->iterations);
        if (progress->divergence > 0.0) fprintf(stderr, ", divergence %.3f", progress->divergence);
        fputs("\033[K\033[?7h", stderr);
        progress->shown = true;
    }
    progress->stopped = crd_cli_interrupted();
    return !progress->stopped;
}

void crd_cli_map_progress_end(crd_cli_map_progress *progress)
{
    if (progress->shown) fputc('\n', stderr);
    progress->shown = false;
    progress->divergence = 0.0;
}

/* ---- the command ---- */

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 'o', "output", "OUT", "-",
                "the file for the map: .csv, .npz, .jsonl, or - for standard output");
    crd_cli_add_table_format(options);
    crd_cli_add_map(options);
    crd_cli_add_data(options);
    crd_cli_add_threads(options);
    crd_cli_add_quiet(options);
}

static void more_help(FILE *stream)
{
    fputs("\nCtrl-C stops and writes the map so far; a second one stops at once.\n", stream);
}

static int read_options(const crd_cli_options *options, crd_tsne_options *tsne)
{
    crd_tsne_defaults(tsne);
    int64_t seed = (int64_t)tsne->seed;
    int code = crd_cli_map_options(options, tsne);
    if (code == CRD_CLI_DONE) code = crd_cli_integer(options, "seed", 0, INT64_MAX, &seed);
    if (code == CRD_CLI_DONE) code = crd_cli_threads(options, &tsne->threads);
    tsne->seed = (uint64_t)seed;
    return code;
}

/* What the map shows, and how well; the caller frees it. */
static char *describe(const crd_prediction *prediction, const crd_tsne_options *tsne, double divergence,
                      const crd_cli_map_progress *progress)
{
    const int64_t nodes = crd_prediction_nodes(prediction);
    const char *of = crd_prediction_latent(prediction) != NULL ? "latent space" : "probabilities";
    const double most = fmax(1.0, (double)(nodes - 1) / 3.0);
    if (progress->stopped && progress->iteration == 0)
        return crd_cli_text("interrupted: the map is only where it starts, the principal components of the %s", of);
    char *stopped = progress->stopped
                        ? crd_cli_text("interrupted after %lld of %lld iterations: ", (long long)progress->iteration,
                                       (long long)tsne->iterations)
                        : crd_cli_text("%s", "");
    char *text = crd_cli_text("%s%lld nodes by t-SNE of the %s, perplexity %.4g, divergence %.4f", stopped,
                              (long long)nodes, of, fmin(tsne->perplexity, most), divergence);
    free(stopped);
    return text;
}

/* Maps the latent space, or the probabilities for models without one. */
static crd_status make_map(crd_prediction *prediction, const crd_tsne_options *tsne, double *divergence,
                           crd_error *error)
{
    const float *latent = crd_prediction_latent(prediction);
    const int64_t nodes = crd_prediction_nodes(prediction);
    float *map = crd_cli_allocate(NULL, (size_t)(2 * nodes + 1) * sizeof *map);
    crd_status status =
        crd_tsne(latent != NULL ? latent : crd_prediction_probability(prediction), nodes,
                 latent != NULL ? crd_prediction_latent_dims(prediction) : crd_prediction_classes(prediction), tsne,
                 map, divergence, error);
    if (status == CRD_OK) status = crd_prediction_set_map(prediction, map, error);
    free(map);
    return status;
}

static int map_nodes(const crd_cli_options *options, const char *output, crd_table_format format,
                     crd_tsne_options *tsne)
{
    crd_error error;
    crd_model *model;
    crd_dataset *dataset;
    crd_prediction *prediction = NULL;
    double divergence = 0.0;
    const bool quiet = crd_cli_given(options, "quiet");
    crd_cli_map_progress progress = {.live = !quiet && crd_cli_is_terminal(stderr)};
    tsne->progress = crd_cli_on_iteration;
    tsne->user = &progress;
    int code = crd_cli_open_both(options, &model, &dataset);
    if (code != CRD_CLI_DONE) return code;
    crd_status status = crd_predict(model, dataset, tsne->threads, &prediction, &error);
    if (status == CRD_OK) {
        crd_cli_catch_signals("writing the map as it is");
        status = make_map(prediction, tsne, &divergence, &error);
        crd_cli_map_progress_end(&progress);
    }
    if (status == CRD_OK) status = crd_prediction_write(prediction, dataset, output, format, false, &error);
    if (status != CRD_OK) {
        code = crd_cli_fail(&error);
    } else if (!quiet) {
        char *said = describe(prediction, tsne, divergence, &progress);
        crd_cli_say("%s", said);
        free(said);
    }
    crd_prediction_free(&prediction);
    crd_dataset_free(&dataset);
    crd_model_free(&model);
    return code;
}

static int run(const crd_cli_options *options)
{
    crd_tsne_options tsne;
    crd_table_format format;
    const char *output = crd_cli_setting(options, "output");
    int code = read_options(options, &tsne);
    if (code == CRD_CLI_DONE) code = crd_cli_check_output_apart(options, output, NULL);
    if (code == CRD_CLI_DONE) code = crd_cli_table_format(options, output, &format);
    if (code == CRD_CLI_DONE) code = map_nodes(options, output, format, &tsne);
    return code;
}

const crd_cli_command crd_cli_map = {
    .name = "map",
    .group = CRD_CLI_GRAPHS,
    .summary = "place every node on a map of what the model sees",
    .description = "Places the nodes of DATA in two dimensions, so that those which MODEL sees near each other\n"
                   "are near each other, by t-SNE of its latent space (of lp and gkde, of the probabilities):\n"
                   "one row per node, with x, y, its class, probability and uncertainties. Distances between\n"
                   "groups mean little.",
    .positional = {"MODEL", "DATA"},
    .declare = declare,
    .more_help = more_help,
    .run = run,
};
