/* SPDX-License-Identifier: MIT */
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
    crd_cli_add_number(options, "perplexity", 30.0, 1, INFINITY,
                       "of the map: about how many neighbours a node has; at most a third of the other nodes");
    crd_cli_add_whole(options, "iterations", 1000, 1, 1000000, "of the map: how long t-SNE works on it");
    crd_cli_add_seed(options, "seed of the map's start");
}

static bool on_progress(const crd_progress *now, void *user)
{
    crd_cli_map_progress *progress = user;
    const crd_tsne_state *state = now->map;
    if (state == NULL) return true; /* not at the map yet */
    const bool last = state->iteration == state->iterations || crd_cli_interrupted();
    progress->iteration = state->iteration;
    if (progress->live && (state->iteration % 10 == 0 || last))
        crd_cli_live_line("map: iteration %lld of %lld", (long long)state->iteration, (long long)state->iterations);
    if (progress->live && last) fputc('\n', stderr);
    return !last;
}

void crd_cli_map_options(const crd_cli_options *options, crd_tsne_options *tsne, crd_cli_map_progress *progress)
{
    crd_tsne_defaults(tsne);
    const int64_t early = tsne->early, usual = tsne->iterations;
    tsne->perplexity = crd_cli_number(options, "perplexity");
    tsne->iterations = crd_cli_whole(options, "iterations");
    tsne->early = early * tsne->iterations / usual; /* the same share as by default */
    tsne->seed = (uint64_t)crd_cli_whole(options, "seed");
    progress->control = (crd_control){.size = sizeof progress->control,
                                      .threads = (int)crd_cli_whole(options, "threads"),
                                      .progress = on_progress,
                                      .user = progress};
    tsne->control = &progress->control;
    progress->live = !crd_cli_given(options, "quiet") && crd_cli_is_terminal(stderr);
}

/* ---- the command ---- */

static void declare(crd_cli_options *options)
{
    crd_cli_add_table(options, "the file for the map: .csv, .npz, .jsonl, or - for standard output");
    crd_cli_add_map(options);
    crd_cli_add_data(options);
    crd_cli_add_threads(options);
    crd_cli_add_quiet(options);
}

static void more_help(FILE *stream)
{
    fputs("\nCtrl-C stops and writes the map so far; a second one stops at once.\n", stream);
}

/* What the map shows, and how well. */
static void say_map(const crd_prediction *prediction, const crd_tsne_options *tsne, double divergence,
                    int64_t iteration)
{
    const int64_t nodes = crd_prediction_nodes(prediction);
    const char *of = crd_prediction_latent(prediction) != NULL ? "latent space" : "probabilities";
    const double most = fmax(1.0, (double)(nodes - 1) / 3.0);
    char stopped[96] = "";
    if (crd_cli_interrupted() && iteration == 0) {
        crd_cli_say("interrupted: the map is only where it starts, the principal components of the %s", of);
        return;
    }
    if (crd_cli_interrupted())
        snprintf(stopped, sizeof stopped, "interrupted after %lld of %lld iterations: ", (long long)iteration,
                 (long long)tsne->iterations);
    crd_cli_say("%s%lld nodes by t-SNE of the %s, perplexity %.4g, divergence %.4f", stopped, (long long)nodes, of,
                fmin(tsne->perplexity, most), divergence);
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

static int run(const crd_cli_options *options)
{
    crd_error error;
    crd_cli_inputs in = {0};
    crd_tsne_options tsne;
    crd_cli_map_progress progress = {0};
    crd_table_format format;
    double divergence = 0.0;
    crd_cli_map_options(options, &tsne, &progress);
    int code = crd_cli_check_table(options, &format);
    if (code == CRD_CLI_DONE) code = crd_cli_open_inputs(options, &in);
    if (code == CRD_CLI_DONE) {
        crd_status status = crd_predict(in.model, in.dataset, CRD_THREADS(in.threads), &in.prediction, &error);
        if (status == CRD_OK) {
            crd_cli_catch_signals("writing the map as it is");
            status = make_map(in.prediction, &tsne, &divergence, &error);
        }
        if (status == CRD_OK)
            status = crd_prediction_write(in.prediction, in.dataset, crd_cli_setting(options, "output"), format, false,
                                          &error);
        if (status != CRD_OK) code = crd_cli_fail(&error);
        else if (!crd_cli_given(options, "quiet")) say_map(in.prediction, &tsne, divergence, progress.iteration);
    }
    return crd_cli_close_inputs(options, &in, code);
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
