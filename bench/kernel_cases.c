/* SPDX-License-Identifier: MIT */
#include "base/tree.h"
#include "kernel_cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graph/dataset.h"
#include "graph/preprocess.h"
#include "kernels/linear.h"
#include "kernels/diffusion.h"
#include "kernels/losses.h"
#include "kernels/flow.h"

#include "kernel_counts.h"

/* Public graphs with all their classes, and the paper's model on them. */
const bench_shape bench_shapes[] = {
    {"coraml", 2995, 5.45, 2879, 51, 7, 64, 16, 10},
    {"computers", 13752, 35.8, 767, 267, 10, 64, 16, 10},
    {"physics", 34493, 14.4, 8415, 33, 5, 64, 16, 10},
    {"arxiv", 169343, 13.7, 128, 0, 40, 64, 16, 10},
};
const int bench_shape_count = sizeof bench_shapes / sizeof bench_shapes[0];

/* The densities of many classes take long: at most this many rows are computed. The work per node is the same. */
enum { MOST_FLOW_ROWS = 16384 };

/* The most classes that the kernels of the divergence process at a time. */
enum { MOST_TILE = 8 };

enum { MOST_THREADS = 64 };

struct bench_data {
    bench_shape shape;
    crd_dataset *dataset; /* the graph */
    crd_features sparse, transposed;
    crd_packed packed, packed_transposed;
    int64_t stride, flow_rows;
    float *dense;               /* [nodes][features], for a shape with dense features */
    float *weight, *weight_two; /* [features][hidden], [hidden][latent] */
    float *bias;
    float *hidden, *hidden_two;            /* [nodes][hidden] */
    float *latent, *latent_two;            /* [nodes][latent] */
    float *evidence, *base, *evidence_two; /* [nodes][stride] */
    float *scale;                          /* [nodes] */
    float *d_weight, *moment, *square;     /* [features][hidden] */
    float *d_weight_two;                   /* [hidden][latent] */
    float *center, *alpha, *beta, *shift;
    float *d_center, *d_alpha, *d_beta;
    crd_flow_workspace flow;
    crd_plan plan;              /* of its arrays */
    float *room, *packed_room;  /* for partial sums of gradients */
    double *table;              /* [nodes][2 * MOST_TILE], of digamma and evidence */
    double *common;             /* [nodes] */
    int32_t *labels;            /* [nodes], for one node in twenty */
    double *log_beta, *log_sum; /* [nodes], of `evidence` as a prior and `base` as a teacher */
    double distance;            /* of the last call: keeps the result in use */
};

/* ---------------------------------------------------------------------------------------- the calls */

static void sparse_forward(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    const crd_features *f = &d->sparse;
    const crd_rows x = {f->rows, f->columns, f->start, f->column, f->value, NULL};
    crd_linear_forward(kernels, team, &x, d->weight, d->shape.hidden, d->bias, d->hidden);
}

static void sparse_transposed(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    const crd_features *f = &d->transposed;
    const crd_rows x = {f->rows, f->columns, f->start, f->column, f->value, NULL};
    crd_sparse_backward_weight(kernels, team, &x, d->hidden_two, d->shape.hidden, d->d_weight);
}

static void packed_forward(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    crd_packed_forward(kernels, team, &d->packed, d->weight, d->shape.hidden, d->bias, d->hidden);
}

static void packed_transposed(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    crd_packed_gradient(kernels, team, &d->packed_transposed, d->hidden_two, d->shape.hidden, d->packed_room,
                        d->d_weight);
}

static void dense_forward(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    const crd_rows x = {d->shape.nodes, d->shape.features, NULL, NULL, NULL, d->dense};
    crd_linear_forward(kernels, team, &x, d->weight, d->shape.hidden, d->bias, d->hidden);
}

static void dense_transposed(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    const crd_dense x = {.rows = d->shape.nodes, .columns = d->shape.features, .value = d->dense};
    crd_dense_backward_weight(kernels, team, &x, d->hidden_two, d->shape.hidden, d->room, d->d_weight);
}

static void latent_forward(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    const crd_rows x = {d->shape.nodes, d->shape.hidden, NULL, NULL, NULL, d->hidden_two};
    crd_linear_forward(kernels, team, &x, d->weight_two, d->shape.latent, d->bias, d->latent_two);
}

static void latent_transposed(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    const crd_dense x = {.rows = d->shape.nodes, .columns = d->shape.hidden, .value = d->hidden_two};
    crd_dense_backward_weight(kernels, team, &x, d->latent, d->shape.latent, d->room, d->d_weight_two);
}

static crd_hidden_layer layer_of(const bench_data *d)
{
    return (crd_hidden_layer){d->shape.nodes, d->shape.hidden, CRD_ACT_RELU, {0.5, 7}, d->hidden_two};
}

static void activate(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    const crd_hidden_layer layer = layer_of(d);
    crd_activation_forward(kernels, team, &layer, d->hidden);
}

/* In place, so that kept gradients grow from call to call, to infinity: that is not slower. */
static void activate_backward(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    const crd_hidden_layer layer = layer_of(d);
    crd_activation_backward(kernels, team, &layer, d->hidden);
}

static void flow_forward(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    crd_flow_forward(&d->flow, kernels, team, d->center, d->alpha, d->beta, d->flow_rows, d->latent, d->evidence_two,
                     d->stride);
}

static void flow_backward(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    crd_flow_backward(&d->flow, kernels, team, d->alpha, d->beta, d->flow_rows, d->latent, d->base, d->stride,
                      d->latent_two, d->d_center, d->d_alpha, d->d_beta);
}

typedef struct {
    bench_data *data;
    const crd_kernels *kernels;
    int64_t first; /* class of the tile */
} job;

enum { BLOCK = 256, ADAM_BLOCK = 16384 };

static void evidence_rows(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    j->kernels->evidence(begin, end, j->data->shape.classes, j->data->stride, j->data->shift, j->data->evidence_two);
}

static void evidence(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    job j = {d, kernels, 0};
    crd_parallel_rows(team, d->shape.nodes, BLOCK, evidence_rows, &j);
}

static int64_t bench_strip(int64_t stride)
{
    return stride < CRD_DIFFUSED_COLUMNS ? stride : CRD_DIFFUSED_COLUMNS;
}

static void diffuse_rows(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    const bench_data *d = j->data;
    const crd_graph *g = &d->dataset->graph;
    const int64_t width = bench_strip(d->stride);
    const crd_steps steps = {
        g->start, g->neighbour, g->start[g->nodes], d->scale, 0.1f, width, g->nodes * width * 4 > CRD_FAR_BYTES,
        d->base,  d->stride};
    j->kernels->diffuse(begin, end, &steps, d->evidence, false, d->evidence_two, width);
}

static void diffuse(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    job j = {d, kernels, 0};
    crd_parallel_rows(team, d->shape.nodes, BLOCK, diffuse_rows, &j);
}

static void distance_rows(int64_t begin, int64_t end, double *sums, void *context)
{
    const job *j = context;
    const crd_graph *g = &j->data->dataset->graph;
    sums[0] += j->kernels->distance(begin, end, g->start, g->neighbour, j->data->latent, j->data->shape.latent, 1e-6f,
                                    j->data->latent_two);
}

static void distance(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    job j = {d, kernels, 0};
    crd_parallel_sum(team, d->shape.nodes, distance_rows, &j, 1, &d->distance);
}

static void digamma_totals_rows(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    const bench_data *d = j->data;
    j->kernels->digamma_totals(begin, end, d->shape.classes, d->stride, d->evidence, d->table, d->common);
}

static void digamma_totals(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    job j = {d, kernels, 0};
    crd_parallel_rows(team, d->shape.nodes, BLOCK, digamma_totals_rows, &j);
}

static void divergence_totals_rows(int64_t begin, int64_t end, double *sums, void *context)
{
    const job *j = context;
    const crd_graph *g = &j->data->dataset->graph;
    sums[0] += j->kernels->divergence_totals(begin, end, g->start, g->neighbour, j->data->table, j->data->common);
}

/* In place: the classes' common part grows from call to call and becomes NaN; that is not slower. */
static void divergence_totals(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    job j = {d, kernels, 0};
    crd_parallel_sum(team, d->shape.nodes, divergence_totals_rows, &j, 1, &d->distance);
}

static void digamma_tile_rows(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    j->kernels->digamma_tile(begin, end, j->data->stride, j->data->evidence + j->first, j->data->table);
}

/* Tile after tile, until all classes are done; the same below. */
static void digamma_tiles(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    for (job j = {d, kernels, 0}; j.first < d->shape.classes; j.first += kernels->tile)
        crd_parallel_rows(team, d->shape.nodes, BLOCK, digamma_tile_rows, &j);
}

static void divergence_tile_rows(int64_t begin, int64_t end, double *sums, void *context)
{
    const job *j = context;
    const bench_data *d = j->data;
    const crd_graph *g = &d->dataset->graph;
    sums[0] += j->kernels->divergence_tile(begin, end, g->start, g->neighbour, d->table, d->common,
                                           d->shape.classes - j->first, d->stride, 1e-6, d->evidence_two + j->first);
}

static void divergence_tiles(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    for (job j = {d, kernels, 0}; j.first < d->shape.classes; j.first += kernels->tile)
        crd_parallel_sum(team, d->shape.nodes, divergence_tile_rows, &j, 1, &d->distance);
}

static void evidential(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    const crd_evidential told = {.nodes = d->shape.nodes,
                                 .classes = d->shape.classes,
                                 .stride = d->stride,
                                 .labels = d->labels,
                                 .prior = d->evidence,
                                 .prior_log_beta = d->log_beta,
                                 .prior_weight = 0.001,
                                 .teacher = d->base,
                                 .teacher_log_sum = d->log_sum,
                                 .teacher_weight = 1.0};
    d->distance = crd_evidential_loss(kernels, &told, d->base, team, d->evidence_two).teacher;
}

static void adam_range(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    const bench_data *d = j->data;
    j->kernels->adam(begin, end, 100, 0.01f, 1e-3f, d->d_weight, d->moment, d->square, d->weight);
}

static void adam(bench_data *d, const crd_kernels *kernels, crd_team *team)
{
    job j = {d, kernels, 0};
    crd_parallel_rows(team, d->shape.features * d->shape.hidden, ADAM_BLOCK, adam_range, &j);
}

/* ------------------------------------------------------------------------------------------- the data */

static crd_status random_floats(float **array, int64_t count, double low, double high, crd_rng *rng, crd_error *error)
{
    crd_status status = CRD_NEW(array, count, error);
    for (int64_t i = 0; status == CRD_OK && i < count; i++)
        (*array)[i] = (float)(low + (high - low) * crd_rng_uniform(rng));
    return status;
}

/* Rows of that many different words, rare words less often, all with the same value: a bag of words made binary and
 * normalised. */
static crd_status make_words(bench_data *d, crd_rng *rng, crd_error *error)
{
    const bench_shape *s = &d->shape;
    crd_features *f = &d->sparse;
    int64_t *used = NULL; /* the last row with the word, plus one */
    *f = (crd_features){.rows = s->nodes, .columns = s->features, .sparse = true};
    crd_status status = CRD_NEW_ZERO(&used, s->features, error);
    if (status == CRD_OK) status = CRD_NEW(&f->start, s->nodes + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&f->column, s->nodes * s->words, error);
    if (status == CRD_OK) status = CRD_NEW(&f->value, s->nodes * s->words, error);
    if (status == CRD_OK) {
        for (int64_t i = 0; i < s->nodes; i++) {
            f->start[i] = i * s->words;
            for (int64_t e = f->start[i]; e < (i + 1) * s->words;) {
                const double u = crd_rng_uniform(rng);
                const int64_t word = (int64_t)(u * u * (double)s->features);
                if (used[word] == i + 1) continue;
                used[word] = i + 1;
                f->column[e] = (int32_t)word;
                f->value[e++] = 1.0f / (float)s->words;
            }
        }
        f->start[s->nodes] = s->nodes * s->words;
        status = crd_features_tidy(f, "made-up features", error);
    }
    free(used);
    return status;
}

static crd_status pack(bench_data *d, crd_error *error)
{
    const crd_features *f = &d->sparse, *t = &d->transposed;
    const crd_rows rows = {f->rows, f->columns, f->start, f->column, f->value, NULL};
    const crd_rows columns = {t->rows, t->columns, t->start, t->column, t->value, NULL};
    const int64_t width = d->shape.hidden;
    const int64_t block = crd_packed_block(&rows, width), transposed = crd_packed_block(&columns, width);
    crd_status status = CRD_OK;
    if (block > 0) status = crd_packed_open(&d->packed, &rows, width, block, false, error);
    if (status == CRD_OK && transposed > 0)
        status = crd_packed_open(&d->packed_transposed, &columns, width, transposed, true, error);
    if (status == CRD_OK)
        status = CRD_NEW(&d->packed_room, crd_packed_room(&d->packed_transposed, width, MOST_THREADS), error);
    return status;
}

static crd_status make_graph(bench_data *d, crd_error *error)
{
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = d->shape.nodes;
    options.classes = d->shape.classes;
    options.lookalikes = 0;
    options.degree = d->shape.degree;
    options.words = 1.0; /* features are made elsewhere */
    crd_status status = crd_generate(&options, &d->dataset, error);
    if (status == CRD_OK) status = CRD_NEW(&d->scale, d->shape.nodes, error);
    for (int64_t i = 0; status == CRD_OK && i < d->shape.nodes; i++) d->scale[i] = 0.3f;
    return status;
}

static crd_status make_arrays(bench_data *d, crd_rng *rng, crd_error *error)
{
    const bench_shape *s = &d->shape;
    const int64_t inputs = s->features * s->hidden, pairs = s->flow_layers * s->classes;
    const struct {
        float **array;
        int64_t count;
        double low, high;
    } arrays[] = {
        {&d->weight, inputs, -0.1, 0.1},
        {&d->d_weight, inputs, -0.1, 0.1},
        {&d->moment, inputs, -0.1, 0.1},
        {&d->square, inputs, 0.001, 0.1},
        {&d->weight_two, s->hidden * s->latent, -0.1, 0.1},
        {&d->d_weight_two, s->hidden * s->latent, -0.1, 0.1},
        {&d->bias, s->hidden + s->latent, -0.1, 0.1},
        {&d->hidden, s->nodes * s->hidden, -1.0, 1.0},
        {&d->hidden_two, s->nodes * s->hidden, -1.0, 1.0},
        {&d->latent, s->nodes * s->latent, -1.0, 1.0},
        {&d->latent_two, s->nodes * s->latent, -1.0, 1.0},
        {&d->evidence, s->nodes * d->stride, 0.0, 1.0},
        {&d->evidence_two, s->nodes * d->stride, 0.0, 1.0},
        {&d->base, s->nodes * d->stride, 0.0, 0.1},
        {&d->center, pairs * s->latent, -1.0, 1.0},
        {&d->alpha, pairs, -1.0, 1.0},
        {&d->beta, pairs, -1.0, 1.0},
        {&d->shift, s->classes, -1.0, 1.0},
        {&d->d_center, pairs * s->latent, 0.0, 0.0},
        {&d->d_alpha, pairs, 0.0, 0.0},
        {&d->d_beta, pairs, 0.0, 0.0},
    };
    crd_status status = CRD_OK;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0] && status == CRD_OK; i++)
        status = random_floats(arrays[i].array, arrays[i].count, arrays[i].low, arrays[i].high, rng, error);
    const crd_dense wide = {.rows = s->nodes, .columns = s->words == 0 ? s->features : 0};
    const crd_dense narrow = {.rows = s->nodes, .columns = s->hidden};
    const int64_t of_wide = crd_dense_weight_room(&wide, s->hidden, MOST_THREADS);
    const int64_t of_narrow = crd_dense_weight_room(&narrow, s->latent, MOST_THREADS);
    if (status == CRD_OK) status = CRD_NEW(&d->room, of_wide > of_narrow ? of_wide : of_narrow, error);
    if (status == CRD_OK) status = CRD_NEW(&d->table, s->nodes * 2 * MOST_TILE, error);
    if (status == CRD_OK) status = CRD_NEW(&d->common, s->nodes, error);
    for (int64_t i = 0; status == CRD_OK && i < s->nodes * 2 * MOST_TILE; i++) d->table[i] = crd_rng_uniform(rng);
    for (int64_t i = 0; status == CRD_OK && i < s->nodes; i++) d->common[i] = 0.0;
    if (status == CRD_OK) status = CRD_NEW(&d->labels, s->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&d->log_beta, s->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&d->log_sum, s->nodes, error);
    if (status == CRD_OK) {
        for (int64_t i = 0; i < s->nodes; i++) d->labels[i] = i % 20 == 0 ? (int32_t)(i / 20 % s->classes) : -1;
        crd_evidential_constants(s->nodes, s->classes, d->evidence, d->base, NULL, d->log_beta, d->log_sum);
    }
    if (status == CRD_OK && s->words == 0)
        status = random_floats(&d->dense, s->nodes * s->features, -1.0, 1.0, rng, error);
    return status;
}

static crd_status make_data(bench_data *d, crd_error *error)
{
    crd_rng rng = crd_rng_start(1, 1);
    crd_status status = make_graph(d, error);
    if (status == CRD_OK) status = make_arrays(d, &rng, error);
    crd_flow_plan(&d->flow, &d->plan, d->shape.flow_layers, d->shape.classes, d->shape.latent, d->flow_rows,
                  MOST_THREADS);
    if (status == CRD_OK) status = crd_plan_allocate(&d->plan, error);
    /* One row forward also sets the parameters that the backward pass needs. */
    const crd_kernels *kernels;
    if (status == CRD_OK) status = crd_kernels_pick(&kernels, error);
    if (status == CRD_OK)
        crd_flow_forward(&d->flow, kernels, NULL, d->center, d->alpha, d->beta, 1, d->latent, d->evidence_two,
                         d->stride);
    if (status != CRD_OK || d->shape.words == 0) return status;
    status = make_words(d, &rng, error);
    if (status == CRD_OK) status = crd_features_transpose(&d->sparse, &d->transposed, error);
    if (status == CRD_OK) status = pack(d, error);
    return status;
}

crd_status bench_data_open(const bench_shape *shape, bench_data **data, bench_case cases[BENCH_MOST_CASES], int *count,
                           crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(data, 1, error);
    if (status != CRD_OK) return status;
    bench_data *d = *data;
    const bench_shape *s = shape;
    d->shape = *shape;
    d->stride = crd_padded(shape->classes);
    d->flow_rows = shape->nodes < MOST_FLOW_ROWS ? shape->nodes : MOST_FLOW_ROWS;
    status = make_data(d, error);
    if (status != CRD_OK) {
        bench_data_close(data);
        return status;
    }
    const crd_graph *g = &d->dataset->graph;
    const int64_t edges = g->start[g->nodes];
    int n = 0;
#define CASE(kernel, use, rows, work, call)                                                                            \
    cases[n++] = (bench_case)                                                                                          \
    {                                                                                                                  \
        kernel, use, work, rows, call                                                                                  \
    }
    if (s->words > 0) {
        const crd_features *x = &d->sparse, *t = &d->transposed;
        const crd_packed *p = &d->packed, *q = &d->packed_transposed;
        const int64_t entries = x->start[x->rows];
        CASE("sparse_rows", "X W", x->rows, sparse_work(x, s->hidden), sparse_forward);
        CASE("sparse_rows", "X' G", t->rows, sparse_work(t, s->hidden), sparse_transposed);
        if (p->columns > 0) CASE("packed_panel", "X W", p->rows, packed_work(p, entries, s->hidden), packed_forward);
        if (q->columns > 0)
            CASE("packed_panel", "X' G", q->rows, packed_work(q, entries, s->hidden), packed_transposed);
    } else {
        CASE("dense_rows", "X W", s->nodes, dense_work(s->nodes, s->features, s->hidden, false), dense_forward);
        CASE("dense_transposed", "X' G", s->nodes, dense_work(s->nodes, s->features, s->hidden, true),
             dense_transposed);
    }
    CASE("dense_rows", "H W", s->nodes, dense_work(s->nodes, s->hidden, s->latent, false), latent_forward);
    CASE("dense_transposed", "H' G", s->nodes, dense_work(s->nodes, s->hidden, s->latent, true), latent_transposed);
    CASE("activate", "", s->nodes, activate_work(s->nodes, s->hidden, false), activate);
    CASE("activate_backward", "", s->nodes, activate_work(s->nodes, s->hidden, true), activate_backward);
    CASE("flow_forward", "", d->flow_rows, flow_work(s, d->flow_rows, d->stride, false), flow_forward);
    CASE("flow_backward", "", d->flow_rows, flow_work(s, d->flow_rows, d->stride, true), flow_backward);
    CASE("evidence", "", s->nodes, evidence_work(s->nodes, d->stride), evidence);
    CASE("diffuse", "", s->nodes, diffuse_work(s->nodes, edges, bench_strip(d->stride)), diffuse);
    CASE("distance", "", s->nodes, distance_work(s->nodes, edges, s->latent), distance);
    CASE("digamma_totals", "", s->nodes, digamma_totals_work(s->nodes, s->classes, d->stride), digamma_totals);
    CASE("divergence_totals", "", s->nodes, divergence_totals_work(s->nodes, edges), divergence_totals);
    CASE("digamma_tile", "", s->nodes, digamma_tile_work(s->nodes, s->classes), digamma_tiles);
    CASE("divergence_tile", "", s->nodes, divergence_tile_work(s->nodes, edges, s->classes), divergence_tiles);
    CASE("evidential", "", s->nodes, evidential_work(s->nodes, s->classes, d->stride), evidential);
    CASE("adam", "", s->features * s->hidden, adam_work(s->features * s->hidden), adam);
#undef CASE
    *count = n;
    return CRD_OK;
}

void bench_data_close(bench_data **data)
{
    bench_data *d = *data;
    if (d == NULL) return;
    float *arrays[] = {d->dense,        d->weight,  d->weight_two, d->bias,     d->hidden,
                       d->hidden_two,   d->latent,  d->latent_two, d->evidence, d->base,
                       d->evidence_two, d->scale,   d->d_weight,   d->moment,   d->square,
                       d->d_weight_two, d->center,  d->alpha,      d->beta,     d->shift,
                       d->d_center,     d->d_alpha, d->d_beta,     d->room,     d->packed_room};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) free(arrays[i]);
    free(d->table);
    free(d->common);
    free(d->labels);
    free(d->log_beta);
    free(d->log_sum);
    crd_dataset_free(&d->dataset);
    crd_features_free(&d->sparse);
    crd_features_free(&d->transposed);
    crd_packed_close(&d->packed);
    crd_packed_close(&d->packed_transposed);
    crd_plan_free(&d->plan);
    free(d);
    *data = NULL;
}
