/* SPDX-License-Identifier: MIT */
/* bench_load: the seconds that opening a graph takes. Prints one JSON object. */
#include <credence.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

int main(int argc, char **argv)
{
    crd_open_options options = {.size = sizeof options};
    const char *path = NULL;
    int repeats = 5, i;
    for (i = 1; i < argc; i++) {
        const bool more = i + 1 < argc;
        if (more && strcmp(argv[i], "--features") == 0) options.features = argv[++i];
        else if (more && strcmp(argv[i], "--labels") == 0) options.labels = argv[++i];
        else if (more && strcmp(argv[i], "--repeats") == 0) repeats = atoi(argv[++i]);
        else if (path == NULL && argv[i][0] != '-') path = argv[i];
        else break;
    }
    if (i < argc || path == NULL || repeats < 1) {
        fprintf(stderr, "Usage: bench_load DATA [--features FILE] [--labels FILE] [--repeats N]\n");
        return 2;
    }
    crd_info info = {0};
    printf("{\"seconds\": [");
    for (int r = 0; r < repeats; r++) {
        crd_error error;
        crd_dataset *dataset;
        const double begin = bench_now();
        if (crd_dataset_open(path, &options, &dataset, &error) != CRD_OK) {
            fprintf(stderr, "bench_load: %s\n", error.message);
            return 1;
        }
        printf("%s%.6f", r > 0 ? ", " : "", bench_now() - begin);
        const bool known = r > 0 || crd_dataset_info(dataset, &info, &error) == CRD_OK;
        crd_dataset_free(&dataset);
        if (!known) {
            fprintf(stderr, "bench_load: %s\n", error.message);
            return 1;
        }
    }
    printf("], \"nodes\": %lld, \"edges\": %lld, \"input_edges\": %lld, \"features\": %lld, "
           "\"features_nonzero\": %lld}\n",
           (long long)info.nodes, (long long)info.edges, (long long)info.input_edges, (long long)info.features,
           (long long)info.features_nonzero);
    return 0;
}
