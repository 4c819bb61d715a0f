/* The nodes on a plane: where the model sees them, by t-SNE. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/view.h"

/* A hidden layer can be too large for a map where the answers are not. What squares cannot hold is cut, so that one
 * such node does not take the page away; beside it the others are all in one place. */
static crd_status copy_tame(const float *values, int64_t count, float **tame, crd_error *error)
{
    const float most = 1e12f;
    crd_status status = CRD_NEW(tame, count, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++)
        (*tame)[i] = isnan(values[i]) ? 0.0f : fminf(fmaxf(values[i], -most), most);
    return status;
}

/* Notes how far it came, and asks the caller's own call-back. */
typedef struct {
    const crd_tsne_options *options;
    crd_view_map *map;
} watched;

static bool watch(const crd_tsne_state *state, void *user)
{
    watched *w = user;
    w->map->iterations = state->iteration;
    const bool go_on = w->options->progress == NULL || w->options->progress(state, w->options->user);
    if (!go_on) w->map->stopped = true;
    return go_on;
}

static crd_status run_tsne(const crd_view *v, float *positions, crd_view_map *map, crd_error *error)
{
    const crd_prediction *p = v->prediction;
    const bool latent = p->latent != NULL;
    const int64_t nodes = p->nodes, dims = latent ? p->latent_dims : p->classes;
    float *points;
    crd_tsne_options options = v->options->tsne;
    watched w = {&v->options->tsne, map};
    options.progress = watch;
    options.user = &w;
    options.threads = v->options->threads;
    /* as crd_tsne does, but said */
    options.perplexity = fmin(options.perplexity, fmax(1.0, (double)(nodes - 1) / 3.0));
    *map = (crd_view_map){.method = "t-SNE", .of = latent ? "latent space" : "probabilities", .divergence = NAN,
                          .perplexity = options.perplexity};
    crd_status status = copy_tame(latent ? p->latent : p->probability, nodes * dims, &points, error);
    if (status == CRD_OK) status = crd_tsne(points, nodes, dims, &options, positions, &map->divergence, error);
    free(points);
    return status;
}

/* One scale for both axes; the longer one fills the square. */
static void fit(const float *positions, int64_t nodes, uint16_t *x, uint16_t *y)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t i = 0; i < 2 * nodes; i++) {
        const double at = (double)positions[i];
        if (!isfinite(at)) continue;
        low[i % 2] = fmin(low[i % 2], at);
        high[i % 2] = fmax(high[i % 2], at);
    }
    const double span = fmax(fmax(high[0] - low[0], high[1] - low[1]), 1e-30);
    for (int64_t i = 0; i < 2 * nodes; i++) {
        const double middle = 0.5 * (low[i % 2] + high[i % 2]);
        double place = 32767.5 + 65535.0 * ((double)positions[i] - middle) / span;
        if (!isfinite(place)) place = 32767.5;
        uint16_t *axis = i % 2 == 0 ? x : y;
        axis[i / 2] = (uint16_t)(fmin(fmax(place, 0.0), 65535.0) + 0.5);
    }
}

crd_status crd_view_make_map(const crd_view *v, uint16_t *x, uint16_t *y, crd_view_map *map, crd_error *error)
{
    const int64_t nodes = v->prediction->nodes;
    if (v->options->map != NULL) {
        *map = (crd_view_map){.of = "given", .perplexity = NAN, .divergence = NAN};
        fit(v->options->map, nodes, x, y);
        return CRD_OK;
    }
    float *positions;
    crd_status status = CRD_NEW_ZERO(&positions, 2 * nodes, error);
    if (status == CRD_OK) status = run_tsne(v, positions, map, error);
    if (status == CRD_OK) fit(positions, nodes, x, y);
    free(positions);
    return status;
}
