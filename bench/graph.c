/* SPDX-License-Identifier: MIT */
/* bench_graph: writes a made-up graph of any size with dense features, which 'credence generate' does not make: the
 * same graph; the features are a point for each class plus normal noise. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "credence_private.h"
#include "graph/dataset.h"

static const char usage[] = "Usage: bench_graph OUT [options]\n"
                            "  --nodes N      [default: 10000]\n"
                            "  --degree X     mean number of neighbours [default: 51.7]\n"
                            "  --features N   dense ones; 0: bags of words [default: 100]\n"
                            "  --classes N    [default: 47]\n"
                            "  --to FORMAT    npz, npy, csv, mtx, ogb, or auto: by OUT [default: auto]\n";

/* Each row has its own stream of random numbers; the points of the classes come from a hash. */
static crd_status make_dense(crd_dataset *dataset, int64_t columns, crd_error *error)
{
    const int64_t nodes = dataset->input.nodes;
    float *dense = NULL;
    crd_status status = CRD_NEW(&dense, nodes * columns, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < nodes; i++) {
        crd_rng noise = crd_rng_start((uint64_t)i, 1);
        for (int64_t j = 0; j < columns; j++) {
            crd_rng point = crd_rng_start((uint64_t)(dataset->labels[i] * columns + j), 2);
            dense[i * columns + j] = (float)(2.0 * crd_rng_uniform(&point) - 1.0 + crd_rng_normal(&noise));
        }
    }
    crd_features_free(&dataset->features);
    dataset->features = (crd_features){.rows = nodes, .columns = columns, .dense = dense};
    return CRD_OK;
}

int main(int argc, char **argv)
{
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = 10000;
    options.degree = 51.7;
    options.classes = 47;
    options.lookalikes = 0;
    int64_t columns = 100;
    crd_format format = CRD_FORMAT_AUTO;
    crd_error error = {0};
    crd_dataset *dataset = NULL;
    bool good = argc > 1 && argv[1][0] != '-' && argc % 2 == 0;
    for (int i = 2; good && i < argc; i += 2) {
        const char *value = argv[i + 1];
        if (strcmp(argv[i], "--nodes") == 0) options.nodes = atoll(value);
        else if (strcmp(argv[i], "--degree") == 0) options.degree = atof(value);
        else if (strcmp(argv[i], "--classes") == 0) options.classes = atoi(value);
        else if (strcmp(argv[i], "--features") == 0) good = (columns = atoll(value)) >= 0;
        else if (strcmp(argv[i], "--to") == 0) good = crd_format_parse(value, &format, &error) == CRD_OK;
        else good = false;
    }
    if (!good) {
        fputs(usage, stderr);
        return 2;
    }
    if (columns > 0) options.words = 1.0; /* not used */
    crd_status status = crd_generate(&options, &dataset, &error);
    if (status == CRD_OK && columns > 0) status = make_dense(dataset, columns, &error);
    if (status == CRD_OK) status = crd_dataset_save(dataset, argv[1], format, &error);
    crd_dataset_free(&dataset);
    if (status == CRD_OK) return 0;
    fprintf(stderr, "bench_graph: %s\n", error.message);
    return 1;
}
