#include "map_progress.h"

#include <math.h>

#include "signals.h"

bool crd_cli_on_iteration(const crd_tsne_state *state, void *user)
{
    crd_cli_map_progress *progress = user;
    progress->iteration = state->iteration;
    if (isfinite(state->divergence)) progress->divergence = state->divergence;
    if (progress->live && (state->iteration % 10 == 0 || state->iteration == state->iterations)) {
        /* The live line must not wrap, or the next one could not cover it. */
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
