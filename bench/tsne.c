/* SPDX-License-Identifier: MIT */
/* bench_tsne: how long a map of points takes and how good it is, or how good the map of another program is. Prints
 * one JSON object. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "credence_private.h"
#include "io/npy.h"

static const char usage[] = "Usage: bench_tsne POINTS.npy [options]\n"
                            "  --map MAP.npy    only the divergence of this map\n"
                            "  --perplexity X   [default: 30]\n"
                            "  --iterations N   [default: 1000]\n"
                            "  --threads N      0: all cores [default: 0]\n";

/* Reads a matrix from a file; the caller frees *values. */
static crd_status read_matrix(const char *path, int64_t *rows, int64_t *columns, float **values, crd_error *error)
{
    crd_source *source;
    crd_npy npy;
    crd_status status = crd_source_open(path, &source, error);
    if (status != CRD_OK) return status;
    status = crd_npy_header(source, &npy, error);
    if (status == CRD_OK && npy.dims != 2) status = crd_fail(error, CRD_ERROR_FORMAT, "%s: expected a matrix", path);
    if (status == CRD_OK) status = crd_npy_read(source, &npy, CRD_NPY_F4, values, error);
    if (status == CRD_OK) {
        *rows = npy.shape[0];
        *columns = npy.shape[1];
    }
    crd_source_free(&source);
    return status;
}

/* Notes the end of the first iteration: neighbours, affinities and the start come before it. */
static bool on_progress(const crd_progress *progress, void *user)
{
    double *first = user;
    if (progress->map != NULL && progress->map->iteration == 1) *first = bench_now();
    return true;
}

typedef struct {
    int64_t count, dims;
    float *points, *map;
    crd_tsne_options options;
    int threads;
} task;

static crd_status measure(const task *t, crd_error *error)
{
    double first = 0.0, divergence;
    crd_tsne_options options = t->options;
    const crd_control control = {
        .size = sizeof control, .threads = t->threads, .progress = on_progress, .user = &first};
    options.control = &control;
    const double begin = bench_now();
    crd_status status = crd_tsne(t->points, t->count, t->dims, &options, t->map, &divergence, error);
    if (status != CRD_OK) return status;
    const double end = bench_now();
    if (first == 0.0) first = end;
    printf("\"seconds\": %.4f, \"before_seconds\": %.4f, \"descent_seconds\": %.4f, \"told_divergence\": %.6f, ",
           end - begin, first - begin, end - first, divergence);
    return CRD_OK;
}

static crd_status run(const char *path, const char *map_path, task *t, crd_error *error)
{
    int64_t rows = 0, columns = 2;
    double divergence;
    crd_status status = read_matrix(path, &t->count, &t->dims, &t->points, error);
    if (status == CRD_OK && map_path != NULL) status = read_matrix(map_path, &rows, &columns, &t->map, error);
    else if (status == CRD_OK) status = CRD_NEW(&t->map, 2 * (rows = t->count), error);
    if (status == CRD_OK && (rows != t->count || columns != 2))
        status = crd_fail(error, CRD_ERROR_MISMATCH, "%s: expected two numbers for each of %lld points", map_path,
                          (long long)t->count);
    if (status != CRD_OK) return status;
    printf("{");
    if (map_path == NULL) status = measure(t, error);
    if (status == CRD_OK)
        status = crd_tsne_divergence(t->points, t->count, t->dims, t->options.perplexity, t->map, t->threads,
                                     &divergence, error);
    if (status == CRD_OK)
        printf("\"divergence\": %.6f, \"points\": %lld, \"dims\": %lld}\n", divergence, (long long)t->count,
               (long long)t->dims);
    return status;
}

int main(int argc, char **argv)
{
    const char *map_path = NULL;
    crd_error error;
    task t = {0};
    crd_tsne_defaults(&t.options);
    bool good = argc > 1 && argv[1][0] != '-' && argc % 2 == 0;
    for (int i = 2; good && i < argc; i += 2) {
        if (strcmp(argv[i], "--map") == 0) map_path = argv[i + 1];
        else if (strcmp(argv[i], "--perplexity") == 0) t.options.perplexity = atof(argv[i + 1]);
        else if (strcmp(argv[i], "--iterations") == 0) t.options.iterations = atoll(argv[i + 1]);
        else if (strcmp(argv[i], "--threads") == 0) t.threads = atoi(argv[i + 1]);
        else good = false;
    }
    if (!good) {
        fputs(usage, stderr);
        return 2;
    }
    crd_status status = run(argv[1], map_path, &t, &error);
    free(t.points);
    free(t.map);
    if (status != CRD_OK) fprintf(stderr, "bench_tsne: %s\n", error.message);
    return status != CRD_OK;
}
