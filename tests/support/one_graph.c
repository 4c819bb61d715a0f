/* SPDX-License-Identifier: MIT */
/* The command's table of public graphs for download tests: arxiv, which is the graph that ONE_GRAPH in the
 * environment names, and arxiv2, which is the same. It replaces cli/public_graphs_table.c. */
#include <stdio.h>
#include <stdlib.h>

#include "credence_private.h"
#include "public_graphs.h"

static const char *const files[] = {"arxiv", NULL}, *const files2[] = {"arxiv2", NULL};
static char fingerprint[17] = "none";
static crd_public_graph second, graph = {.name = "arxiv",
                                         .title = "ogbn-arxiv",
                                         .files = files,
                                         .address = "https://localhost/arxiv.zip",
                                         .graph_fingerprint = fingerprint,
                                         .licence = "none",
                                         .nodes = 1,
                                         .classes = 2,
                                         .left_out = 1,
                                         .gpn = "gpn",
                                         .split = "auto"};

int crd_public_graph_count(void)
{
    return 2;
}

const crd_public_graph *crd_public_graph_at(int index)
{
    const char *path = getenv("ONE_GRAPH");
    crd_dataset *dataset = NULL;
    crd_info info;
    if (index != 0 && index != 1) return NULL;
    if (path != NULL && crd_dataset_open(path, NULL, &dataset, NULL) == CRD_OK &&
        crd_dataset_info(dataset, &info, NULL) == CRD_OK) {
        graph.nodes = info.nodes;
        graph.classes = info.classes;
        snprintf(fingerprint, sizeof fingerprint, "%s", crd_dataset_graph_fingerprint(dataset));
    }
    crd_dataset_free(&dataset);
    second = graph;
    second.name = "arxiv2";
    second.files = files2;
    second.address = "https://localhost/arxiv2.zip";
    return index == 0 ? &graph : &second;
}
