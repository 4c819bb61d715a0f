#include "map_options.h"

#include <math.h>

void crd_cli_add_map(crd_cli_options *options)
{
    crd_cli_add(options, 0, "perplexity", "X", "30",
                "of the map: about how many neighbours a node has; with few nodes no more than a third of the others");
    crd_cli_add(options, 0, "iterations", "N", "1000", "of the map: how long t-SNE works on it");
    crd_cli_add(options, 0, "seed", "N", "0", "of the map's start");
}

void crd_cli_map_iterations(crd_tsne_options *tsne, int64_t iterations)
{
    crd_tsne_options usual;
    crd_tsne_defaults(&usual);
    tsne->iterations = iterations;
    tsne->early = usual.early * iterations / usual.iterations;
}

int crd_cli_map_options(const crd_cli_options *options, crd_tsne_options *tsne)
{
    int64_t iterations = tsne->iterations;
    int code = crd_cli_number(options, "perplexity", &tsne->perplexity);
    if (code == CRD_CLI_DONE && !(tsne->perplexity >= 1.0 && isfinite(tsne->perplexity)))
        code = crd_cli_misused(options, "--perplexity: expected a number of at least 1, found '%s'",
                               crd_cli_value(options, "perplexity"));
    if (code == CRD_CLI_DONE) code = crd_cli_integer(options, "iterations", 1, 1000000, &iterations);
    crd_cli_map_iterations(tsne, iterations);
    return code;
}
