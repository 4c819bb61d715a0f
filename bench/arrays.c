/* SPDX-License-Identifier: MIT */
/* bench_arrays KIND NODES EDGES: lends a graph in compressed rows to the library, trains on it for two epochs, and
 * prints as one JSON object how much memory that took beside the arrays themselves. See bench/README.md. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "credence.h"

enum { FEATURES = 32, CLASSES = 8 };

static void die(const char *what)
{
    fprintf(stderr, "bench_arrays: %s\n", what);
    exit(1);
}

static void must(crd_status status, const crd_error *error)
{
    if (status != CRD_OK) die(error->message);
}

static void *must_have(size_t bytes)
{
    void *memory = malloc(bytes);
    if (memory == NULL) die("out of memory");
    return memory;
}

/* A line of /proc/self/status in bytes: VmRSS is what the process holds, VmHWM the most that it ever held. */
static int64_t held(const char *name)
{
    char line[256];
    long long kilobytes = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && kilobytes < 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0) sscanf(line + strlen(name), ": %lld", &kilobytes);
    if (file != NULL) fclose(file);
    if (kilobytes < 0) die("/proc/self/status does not tell how much memory the process holds");
    return kilobytes * 1024;
}

static uint64_t state = 88172645463325252u;
static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Node i is joined to i + d and i - d for some distances d, so that rows are soon made, symmetric and without
 * repetitions. Half of the distances are short, half are long. */
static void fill_rows(int64_t nodes, int64_t per_node, int64_t *start, int32_t *neighbour)
{
    int64_t *distance = must_have((size_t)per_node * sizeof *distance);
    int64_t *row = must_have((size_t)per_node * 2 * sizeof *row);
    for (int64_t k = 0; k < per_node; k++) /* all are different, and below nodes / 2 */
        distance[k] =
            k < per_node / 2 ? k + 1 : per_node + k * (nodes / 2 - 2 * per_node) / per_node + (int64_t)(draw() % 2);
    for (int64_t i = 0; i < nodes; i++) {
        start[i] = i * per_node * 2;
        for (int64_t k = 0; k < per_node; k++) {
            row[2 * k] = (i + distance[k]) % nodes;
            row[2 * k + 1] = (i + nodes - distance[k]) % nodes;
        }
        qsort(row, (size_t)per_node * 2, sizeof *row, ascending);
        for (int64_t k = 0; k < per_node * 2; k++) neighbour[start[i] + k] = (int32_t)row[k];
    }
    start[nodes] = nodes * per_node * 2;
    free(distance);
    free(row);
}

static void released(void *user)
{
    *(bool *)user = true;
}

int main(int count, char **words)
{
    if (count != 4) die("usage: bench_arrays KIND NODES EDGES");
    const int64_t nodes = atoll(words[2]), per_node = atoll(words[3]) / (nodes > 0 ? nodes : 1);
    if (per_node < 2 || nodes < 20 * per_node) die("expected more nodes, and at least two edges for each of them");
    const int64_t entries = nodes * per_node * 2;
    int64_t *start = must_have((size_t)(nodes + 1) * sizeof *start);
    int32_t *neighbour = must_have((size_t)entries * sizeof *neighbour);
    float *features = must_have((size_t)nodes * FEATURES * sizeof *features);
    int32_t *labels = must_have((size_t)nodes * sizeof *labels);
    fill_rows(nodes, per_node, start, neighbour);
    for (int64_t i = 0; i < nodes; i++) {
        labels[i] = (int32_t)(i * CLASSES / nodes);
        for (int64_t k = 0; k < FEATURES; k++)
            features[i * FEATURES + k] = 1.0f + (float)(draw() % 1000) / 1000.0f + (k == labels[i] ? 0.5f : 0.0f);
    }

    bool gone = false;
    crd_error error;
    crd_dataset *dataset = NULL;
    crd_split *split = NULL;
    crd_config *config = NULL;
    crd_model *model = NULL;
    const crd_arrays arrays = {.size = sizeof arrays,
                               .nodes = nodes,
                               .edges = entries,
                               .start = {start, CRD_INT64},
                               .neighbour = {neighbour, CRD_INT32},
                               .features = FEATURES,
                               .dense = {features, CRD_FLOAT32},
                               .labels = labels,
                               .release = released,
                               .user = &gone};
    const int64_t before = held("VmRSS");
    double now = bench_now();
    must(crd_dataset_from_arrays(&arrays, &dataset, &error), &error);
    const double making = bench_now() - now;
    const int64_t after = held("VmRSS"), most = held("VmHWM");
    const int64_t *own_start;
    const int32_t *own_neighbour;
    crd_dataset_adjacency(dataset, &own_start, &own_neighbour);
    const bool same = own_start == start && own_neighbour == neighbour && crd_dataset_dense(dataset) == features;

    int64_t estimate;
    must(crd_split_make(dataset, "5/15/80", 0, 1, &split, &error), &error);
    must(crd_config_new(&config, &error), &error);
    must(crd_config_set(config, "model", words[1], &error), &error);
    must(crd_config_set(config, "max-epochs", "2", &error), &error);
    must(crd_train_memory(dataset, split, config, &estimate, &error), &error);
    now = bench_now();
    must(crd_train(dataset, split, config, NULL, &model, &error), &error);
    const double training = bench_now() - now;
    const int64_t input = (nodes + 1) * (int64_t)sizeof *start + entries * (int64_t)sizeof *neighbour +
                          nodes * FEATURES * (int64_t)sizeof *features + nodes * (int64_t)sizeof *labels;
    printf("{\"kind\":\"%s\",\"nodes\":%lld,\"edges\":%lld,\"same_addresses\":%s,\"input_bytes\":%lld,"
           "\"held_before\":%lld,\"held_after\":%lld,\"most_while_making\":%lld,\"estimate_of_training\":%lld,"
           "\"most_while_training\":%lld,\"making_seconds\":%.3f,\"training_seconds\":%.3f}\n",
           words[1], (long long)nodes, (long long)(entries / 2), same ? "true" : "false", (long long)input,
           (long long)before, (long long)after, (long long)most, (long long)estimate, (long long)held("VmHWM"), making,
           training);
    crd_model_free(&model);
    crd_config_free(&config);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    if (!gone) die("the arrays were not released");
    free(start);
    free(neighbour);
    free(features);
    free(labels);
    return 0;
}
