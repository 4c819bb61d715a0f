/* SPDX-License-Identifier: MIT */
/* The public graphs of the paper's tables, and one more: their names, where to get them, and how the paper runs on
 * them. This is the only place where they are written down. */
#include <stddef.h>

#include "public_graphs.h"

#define GRAPH2GAUSS "https://github.com/abojchevski/graph2gauss/raw/master/data/"
#define GNN_BENCHMARK "https://github.com/shchur/gnn-benchmark/raw/master/data/npz/"
#define BY_GRAPH2GAUSS "MIT; graph2gauss (Bojchevski and Günnemann, 2018)"
#define BY_GNN_BENCHMARK "MIT; gnn-benchmark (Shchur and others, 2018)"

#define FILES (const char *const[])

/* PubMed's classes are identified by their sizes; this is Planetoid's order. */
static const int64_t PUBMED_SIZES[] = {4103, 7739, 7875};

/* One paragraph per graph. */
/* clang-format off */
static const crd_public_graph GRAPHS[] = {
    {.name = "coraml", .title = "CoraML",
     .files = FILES{"cora_ml.npz", "coraml.npz", NULL},
     .address = GRAPH2GAUSS "cora_ml.npz", .blob = "2df67d57d5c34554a689f8addde7fc3bdf37a415",
     .fingerprint = "8d7bbc81ff0bd6cd", .licence = BY_GRAPH2GAUSS,
     .nodes = 2995, .classes = 7, .left_out = 3,
     .gpn = "gpn", .published = "coraml", .best = "coraml-best", .errors = "coraml-errors",
     .split = "5/15/80"},
    /* The paper's data table describes this graph; its results come from the next one. */
    {.name = "citeseer", .title = "CiteSeer-4230",
     .files = FILES{"citeseer.npz", NULL},
     .address = GRAPH2GAUSS "citeseer.npz", .blob = "b611f48626e7f40fcc81a36b4f022979ea998b38",
     .fingerprint = "a490272774e0f6c3", .licence = BY_GRAPH2GAUSS,
     .nodes = 4230, .classes = 6, .left_out = 2,
     .gpn = "gpn", .published = "citeseer", .split = "5/15/80"},
    {.name = "citeseer-planetoid", .title = "CiteSeer",
     .files = FILES{"citeseer_planetoid.npz", "citeseer-planetoid.npz", NULL},
     .instead = "Planetoid's files are Python pickles, which can run any program and are not opened here; "
                "the manual page credence-fetch(1) has a few lines of Python that convert them",
     .fingerprint = "c4eb81da9f55e842", .licence = "MIT; Planetoid (Yang and others, 2016)",
     .nodes = 3327, .classes = 6, .left_out = 2,
     .gpn = "gpn", .published = "citeseer", .best = "citeseer-best", .errors = "citeseer-errors",
     .split = "5/15/80"},
    {.name = "pubmed", .title = "PubMed",
     .files = FILES{"pubmed.npz", NULL},
     .address = GRAPH2GAUSS "pubmed.npz", .blob = "0735ab74ee845ee26da2db763294d42646058534",
     .fingerprint = "8f377de49e8ef12b", .licence = BY_GRAPH2GAUSS,
     .nodes = 19717, .classes = 3, .left_out = 1,
     .gpn = "gpn", .published = "pubmed", .best = "pubmed-best", .errors = "pubmed-errors",
     .split = "5/15/80",
     .class_sizes = PUBMED_SIZES},
    {.name = "computers", .title = "Computers",
     .files = FILES{"amazon_electronics_computers.npz", "amazon_computers.npz", "computers.npz", NULL},
     .address = GNN_BENCHMARK "amazon_electronics_computers.npz",
     .blob = "8120e4148a330b3fafe37c4476823302d9d834b9",
     .fingerprint = "7c09230d57e29422", .licence = BY_GNN_BENCHMARK,
     .nodes = 13752, .classes = 10, .left_out = 5,
     .gpn = "gpn-amazon", .published = "computers", .best = "computers-best", .errors = "computers-errors",
     .split = "5/15/80"},
    {.name = "photos", .title = "Photos",
     .files = FILES{"amazon_electronics_photo.npz", "amazon_photo.npz", "photos.npz", NULL},
     .address = GNN_BENCHMARK "amazon_electronics_photo.npz",
     .blob = "97323743cb56aca9dd611f5b4b46862c1c9c6bd9",
     .fingerprint = "ec7b5d6d6c7dc472", .licence = BY_GNN_BENCHMARK,
     .nodes = 7650, .classes = 8, .left_out = 3,
     .gpn = "gpn-amazon", .published = "photos", .best = "photos-best", .errors = "photos-errors",
     .split = "5/15/80"},
    {.name = "cs", .title = "Coauthor CS",
     .files = FILES{"ms_academic_cs.npz", "coauthor_cs.npz", "cs.npz", NULL},
     .address = GNN_BENCHMARK "ms_academic_cs.npz", .blob = "9bdd7da943d86b74297e8d32e99eb64245b52835",
     .fingerprint = "ff05badb617ea9fe", .licence = BY_GNN_BENCHMARK,
     .nodes = 18333, .classes = 15, .left_out = 4,
     .gpn = "gpn", .published = "cs", .best = "cs-best", .errors = "cs-errors",
     .split = "5/15/80"},
    {.name = "physics", .title = "Coauthor Physics",
     .files = FILES{"ms_academic_phy.npz", "coauthor_physics.npz", "physics.npz", NULL},
     .address = GNN_BENCHMARK "ms_academic_phy.npz", .blob = "8d8bc12e29aa67f6753a712080eae81079bd7d01",
     .fingerprint = "23cb4203f99aec3b", .licence = BY_GNN_BENCHMARK,
     .nodes = 34493, .classes = 5, .left_out = 2,
     .gpn = "gpn", .published = "physics", .best = "physics-best", .errors = "physics-errors",
     .split = "5/15/80"},
    /* Not in the paper; leaving out one class is our choice. */
    {.name = "dblp", .title = "DBLP",
     .files = FILES{"dblp.npz", NULL},
     .address = GRAPH2GAUSS "dblp.npz", .blob = "3e179a9ebf2968d9ad67544c8978bf4759e489d8",
     .licence = BY_GRAPH2GAUSS,
     .nodes = 17716, .classes = 4, .left_out = 1,
     .gpn = "gpn", .split = "5/15/80"},
    {.name = "arxiv", .title = "ogbn-arxiv",
     .files = FILES{"arxiv", "ogbn_arxiv", "arxiv.npz", "ogbn_arxiv.npz", "ogbn_arxiv_nofeat.npz", NULL},
     .address = "https://snap.stanford.edu/ogb/data/nodeproppred/arxiv.zip",
     .graph_fingerprint = "c2194537fc1b8c2d",
     .licence = "ODC-BY; Open Graph Benchmark (Hu and others, 2020)",
     .nodes = 169343, .classes = 40, .left_out = 15,
     .gpn = "gpn", .published = "arxiv", .split = "auto"},
};
/* clang-format on */

enum { COUNT = sizeof GRAPHS / sizeof GRAPHS[0] };

int crd_public_graph_count(void)
{
    return COUNT;
}

const crd_public_graph *crd_public_graph_at(int index)
{
    return index < 0 || index >= COUNT ? NULL : &GRAPHS[index];
}
