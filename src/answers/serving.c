/* SPDX-License-Identifier: MIT */
/* Serving new nodes: a model, a graph that grows, and what was computed for it.
 *
 * The kinds that diffuse, committee, gpn and appnp, keep what their networks say of every node alone, the strips of its
 * diffusion (strips.h), and what these lag behind (lag.h). The other kinds keep nothing: grown.h answers for them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers/addition.h"
#include "answers/grown.h"
#include "answers/lag.h"
#include "base/watch.h"

enum { ALONE, NEAR, FAR };

struct crd_serving {
    const crd_model *model;
    crd_control control; /* of calls that take none */
    int threads;
    crd_grown grown;
    bool diffuses;
    const crd_kernels *kernels;
    crd_strips strips;
    crd_lag lag;
    int64_t outputs; /* numbers that networks give for a node before the graph */
    int64_t dims;    /* of positions that do not depend on the graph; 0: none */
    float *own;      /* [nodes][outputs]; of a committee [networks][views][classes and "unlabelled"] */
    float *latent;   /* [nodes][dims] */
    double *beyond;  /* [nodes], of a committee */
    int64_t own_room, latent_room, beyond_room;
    int32_t *place;  /* [nodes], all 0 between calls */
    int32_t *around; /* [nodes] */
    int64_t place_room, around_room;
    int32_t *changed; /* the nodes of an addition that are new or have new edges */
    int64_t changed_room;
};

static bool is_committee(const crd_serving *s)
{
    return s->model->kind == &crd_committee;
}

/* The numbers of one view, or of all that one network gives. */
static int64_t view_width(const crd_serving *s)
{
    return (int64_t)s->model->classes + (is_committee(s) ? 1 : 0);
}

static int64_t networks(const crd_serving *s)
{
    return is_committee(s) ? s->model->members : 1;
}

/* What a network says of a node alone, for a view. */
static const float *own_of(const crd_serving *s, int64_t node, int64_t network, int view)
{
    const int64_t views = is_committee(s) ? CRD_VIEWS : 1;
    return s->own + node * s->outputs + (network * views + (is_committee(s) ? view : 0)) * view_width(s);
}

/* ---- networks ---- */

/* What the networks say of nodes by their features alone. */
typedef struct {
    float *output, *before, *latent;
    double *beyond;
    int64_t *start; /* of a graph without edges */
    int32_t *numbers;
    float *columns; /* of one node, to be diffused */
    crd_plan plan;
} encoded;

static crd_status encode(const crd_serving *s, const crd_features *rows, int64_t first, encoded *e, crd_error *error)
{
    const int64_t count = rows->rows;
    int32_t none = 0;
    *e = (encoded){0};
    CRD_PLAN(&e->plan, &e->output, count * s->model->classes);
    CRD_PLAN(&e->plan, &e->before, count * s->outputs);
    CRD_PLAN(&e->plan, &e->latent, count * s->dims);
    CRD_PLAN(&e->plan, &e->beyond, count);
    CRD_PLAN_ZERO(&e->plan, &e->start, count + 1);
    CRD_PLAN(&e->plan, &e->numbers, count);
    CRD_PLAN(&e->plan, &e->columns, networks(s) * view_width(s));
    crd_status status = crd_plan_allocate(&e->plan, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < count; i++) e->numbers[i] = (int32_t)(first + i);
    const crd_dataset alone = {
        .graph = {.nodes = count, .start = e->start, .neighbour = &none}, .features = *rows, .labels = NULL};
    status = crd_infer(s->model, &alone, e->numbers, s->threads, e->output, e->before, s->dims > 0 ? e->latent : NULL,
                       error);
    if (status == CRD_OK && is_committee(s)) status = crd_beyond(s->model, &alone, e->beyond, error);
    return status;
}

/* Adds the encoded nodes; there is room. */
static void keep_encoded(crd_serving *s, const encoded *e, int64_t first, int64_t count)
{
    const int64_t width = view_width(s), views = is_committee(s) ? CRD_VIEWS : 1, per = views * width;
    for (int64_t i = 0; i < count; i++) {
        float *own = s->own + (first + i) * s->outputs;
        for (int64_t m = 0; m < networks(s); m++) {
            memcpy(own + m * per, e->before + (m * count + i) * per, (size_t)per * sizeof *own);
            memcpy(e->columns + m * width, own_of(s, first + i, m, FAR), (size_t)width * sizeof *own);
        }
        crd_strips_add(&s->strips, e->columns);
        if (s->dims > 0)
            memcpy(s->latent + (first + i) * s->dims, e->latent + i * s->dims, (size_t)s->dims * sizeof *s->latent);
        s->beyond[first + i] = is_committee(s) ? e->beyond[i] : 0.0;
    }
}

static crd_status reserve(crd_serving *s, int64_t nodes, crd_error *error)
{
    const int64_t marked = s->place_room;
    int64_t cells, dims;
    if (!crd_multiply(nodes, s->outputs, &cells) || !crd_multiply(nodes, s->dims, &dims))
        return crd_fail_memory(error, SIZE_MAX);
    crd_status status = CRD_GROW(&s->own, &s->own_room, cells, error);
    if (status == CRD_OK) status = CRD_GROW(&s->latent, &s->latent_room, dims, error);
    if (status == CRD_OK) status = CRD_GROW(&s->beyond, &s->beyond_room, nodes, error);
    if (status == CRD_OK) status = CRD_GROW(&s->around, &s->around_room, nodes, error);
    if (status == CRD_OK) status = CRD_GROW(&s->place, &s->place_room, nodes, error);
    if (status == CRD_OK && s->place_room > marked)
        memset(s->place + marked, 0, (size_t)(s->place_room - marked) * sizeof *s->place);
    if (status == CRD_OK) status = crd_strips_reserve(&s->strips, nodes, error);
    return status == CRD_OK ? crd_lag_reserve(&s->lag, &s->strips, nodes, error) : status;
}

/* Computes all diffusions again. */
static crd_status refresh(crd_serving *s, crd_error *error)
{
    crd_team *team;
    crd_status status = crd_team_open(s->threads, &team, error);
    if (status != CRD_OK) return status;
    crd_team_watch(team, true);
    crd_lag_try(&s->lag, &s->strips, &s->grown.graph);
    status = crd_growing_settle(&s->grown.graph, error);
    if (status == CRD_OK) {
        s->lag.fresh = false; /* until all is done: the links that it goes by are gone */
        crd_strips_run(&s->strips, &s->grown.graph, s->kernels, team);
        status = crd_watch_check(error);
    }
    if (status == CRD_OK) status = crd_lag_clear(&s->lag, &s->strips, &s->grown.graph, error);
    crd_team_close(&team);
    return status;
}

/* ---- opening ---- */

/* How much answers change with the diffused columns, at most. A committee's positions are means of them. */
static double weight_of_columns(const crd_serving *s)
{
    const crd_pool *pool = &s->model->pool;
    double answers = 1.0, doubt = 0.0;
    if (is_committee(s)) answers = fabs(pool->view[FAR]);
    for (int i = FAR; i < CRD_SIGNALS && is_committee(s); i += CRD_VIEWS) doubt += fabs(pool->signal[i]);
    if (s->model->calibration != NULL) answers /= fmin(1.0, (double)s->model->calibration[0]); /* the temperature */
    return fmax(1.0, fmax(answers, doubt));
}

static crd_status open_diffusion(crd_serving *s, crd_error *error)
{
    const crd_model *model = s->model;
    const int64_t nodes = s->grown.graph.nodes;
    encoded e;
    s->outputs = networks(s) * view_width(s) * (is_committee(s) ? CRD_VIEWS : 1);
    s->dims = is_committee(s) ? 0 : crd_model_latent_dims(model);
    crd_status status =
        crd_strips_open(&s->strips, networks(s) * view_width(s), model->config.steps, model->config.teleport, error);
    if (status == CRD_OK)
        status =
            crd_lag_open(&s->lag, &s->strips, model->kind->output == CRD_OUTPUT_EVIDENCE, weight_of_columns(s), error);
    if (status == CRD_OK) status = reserve(s, nodes, error);
    if (status != CRD_OK) return status;
    status = encode(s, &s->grown.dataset->features, 0, &e, error);
    if (status == CRD_OK) {
        keep_encoded(s, &e, 0, nodes);
        status = refresh(s, error);
    }
    crd_plan_free(&e.plan);
    return status;
}

crd_status crd_serving_open(const crd_model *model, const crd_dataset *dataset, const crd_control *control,
                            crd_serving **serving, crd_error *error)
{
    if (serving != NULL) *serving = NULL;
    if (CRD_ANY_NULL(error, model, dataset, serving)) return CRD_ERROR_ARGUMENT;
    crd_serving *s;
    crd_watch watch;
    crd_status status = crd_model_fits(model, dataset, error);
    if (status == CRD_OK) status = crd_watch_begin(&watch, control, "predicting", error);
    if (status != CRD_OK) return status;
    status = CRD_NEW_ZERO(&s, 1, error);
    if (status != CRD_OK) {
        crd_watch_end(&watch);
        return status;
    }
    s->model = model;
    s->control = (crd_control){.size = sizeof s->control};
    s->threads = watch.control.threads;
    s->diffuses = (model->kind == &crd_committee || model->kind == &crd_gpn || model->kind == &crd_appnp) &&
                  crd_answers_alone(model);
    status = crd_grown_open(dataset, &s->grown, error);
    if (status == CRD_OK) status = crd_kernels_pick(&s->kernels, error);
    if (status == CRD_OK && s->diffuses) status = open_diffusion(s, error);
    crd_watch_end(&watch);
    if (status == CRD_OK) *serving = s;
    else crd_serving_free(&s);
    return status;
}

void crd_serving_free(crd_serving **serving)
{
    if (serving == NULL || *serving == NULL) return;
    crd_serving *s = *serving;
    *serving = NULL;
    crd_strips_close(&s->strips);
    crd_lag_close(&s->lag);
    crd_grown_close(&s->grown);
    crd_free(s->own);
    crd_free(s->latent);
    crd_free(s->beyond);
    crd_free(s->place);
    crd_free(s->around);
    crd_free(s->changed);
    crd_free(s);
}

crd_status crd_serving_watch(crd_serving *serving, const crd_control *control, crd_error *error)
{
    if (CRD_ANY_NULL(error, serving)) return CRD_ERROR_ARGUMENT;
    crd_watch watch;
    crd_status status = crd_watch_begin(&watch, control, "predicting", error); /* checks it */
    if (status != CRD_OK) return status;
    crd_watch_end(&watch);
    serving->control = watch.control;
    serving->control.size = sizeof serving->control;
    if (watch.control.threads > 0) serving->threads = watch.control.threads;
    return CRD_OK;
}

int64_t crd_serving_nodes(const crd_serving *serving)
{
    return serving == NULL ? 0 : serving->grown.graph.nodes;
}

/* ---- adding ---- */

/* Notes a node of an addition, once. */
static void note_changed(crd_serving *s, int64_t node, int64_t *count)
{
    if (!s->diffuses || s->place[node] != 0) return;
    s->place[node] = 1;
    s->changed[(*count)++] = (int32_t)node;
}

/* Adds nodes and edges; there is room for everything. */
static void grow(crd_serving *s, const crd_addition *a)
{
    crd_growing *graph = &s->grown.graph;
    const int64_t first = graph->nodes;
    int64_t count = 0;
    crd_growing_add_nodes(graph, a->nodes);
    for (int64_t i = 0; i < a->nodes; i++) note_changed(s, first + i, &count);
    s->grown.changed = s->grown.changed || a->nodes > 0;
    for (int64_t e = 0; e < a->edges; e++) {
        if (!crd_growing_add_edge(graph, a->source[e], a->target[e])) continue;
        s->grown.changed = true;
        note_changed(s, a->source[e], &count);
        note_changed(s, a->target[e], &count);
    }
    for (int64_t i = 0; i < count; i++) s->place[s->changed[i]] = 0;
    if (s->diffuses) crd_lag_follow(&s->lag, &s->strips, graph, s->changed, count);
}

static crd_status add(crd_serving *s, const crd_addition *a, const crd_features *rows, crd_error *error)
{
    const int64_t first = s->grown.graph.nodes;
    int64_t most;
    encoded e = {0};
    if (a->edges > INT32_MAX / 2)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld new edges are too many at once", (long long)a->edges);
    /* Everything that can fail comes first. */
    most = a->nodes + 2 * a->edges;
    crd_status status = crd_growing_reserve(&s->grown.graph, a->nodes, a->edges, error);
    if (status == CRD_OK) status = CRD_GROW(&s->changed, &s->changed_room, most, error);
    if (status == CRD_OK && s->diffuses) status = reserve(s, first + a->nodes, error);
    if (status == CRD_OK && s->diffuses && a->nodes > 0) status = encode(s, rows, first, &e, error);
    if (status == CRD_OK && !s->diffuses) status = crd_grown_add_features(&s->grown, rows, error);
    if (status == CRD_OK && s->diffuses) keep_encoded(s, &e, first, a->nodes);
    if (status == CRD_OK) grow(s, a);
    crd_plan_free(&e.plan);
    return status;
}

crd_status crd_serving_add(crd_serving *serving, const crd_addition *addition, int64_t *first_node, crd_error *error)
{
    if (CRD_ANY_NULL(error, serving, addition)) return CRD_ERROR_ARGUMENT;
    const int64_t first = serving->grown.graph.nodes;
    crd_addition complete;
    crd_features rows;
    crd_watch watch;
    crd_status status = crd_addition_take(addition, first, &serving->grown.added, &complete, &rows, error);
    if (status != CRD_OK) return status;
    status = crd_watch_begin(&watch, &serving->control, "predicting", error);
    if (status == CRD_OK) {
        status = add(serving, &complete, &rows, error);
        crd_watch_end(&watch);
    }
    crd_features_free(&rows);
    if (status == CRD_OK && first_node != NULL) *first_node = first;
    return status;
}

/* ---- answering ---- */

typedef struct {
    crd_serving *s;
    const int64_t *nodes;
    int64_t count;
    const int32_t *numbers;
    const float *far; /* [count][columns of the strips]: diffused */
} question;

/* The nodes at most one edge away from the chosen ones; s->place becomes 1 + their place. Returns how many. */
static int64_t find_around(crd_serving *s, const int64_t *nodes, int64_t count)
{
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++) {
        crd_neighbours n = crd_neighbours_of(&s->grown.graph, nodes[i]);
        for (int64_t j = nodes[i]; j >= 0; j = crd_neighbours_next(&n)) {
            if (s->place[j] != 0) continue;
            s->around[found++] = (int32_t)j;
            s->place[j] = (int32_t)found;
        }
    }
    return found;
}

/* Adds a row of the view NEAR of all networks, times a factor. */
static void add_near(const crd_serving *s, int64_t node, double factor, double *sum)
{
    const int64_t width = view_width(s);
    for (int64_t m = 0; m < networks(s); m++) {
        const float *own = own_of(s, node, m, NEAR);
        for (int64_t c = 0; c < width; c++) sum[m * width + c] += factor * (double)own[c];
    }
}

/* The view NEAR, [count][networks][classes and "unlabelled"]: two steps without teleport. Hubs sum over thousands of
 * neighbours, whose numbers cancel out: so in double. */
static crd_status look_near(crd_serving *s, const int64_t *nodes, int64_t count, float *near, crd_error *error)
{
    const crd_growing *graph = &s->grown.graph;
    const float *scale = s->strips.s;
    const int64_t columns = networks(s) * view_width(s), around = find_around(s, nodes, count);
    double *once = NULL; /* after one step, divided by the root of the degree; then room for one more */
    crd_status status = CRD_NEW_ZERO(&once, (around + 1) * columns, error);
    double *const twice = once + (status == CRD_OK ? around * columns : 0);
    for (int64_t a = 0; a < around && status == CRD_OK; a++) {
        if (crd_watch_at(a)) status = crd_watch_stopped(error);
        const int64_t node = s->around[a];
        const double own = (double)scale[node];
        double *sum = once + a * columns;
        crd_neighbours n = crd_neighbours_of(graph, node);
        for (int64_t j = node; j >= 0; j = crd_neighbours_next(&n)) add_near(s, j, (double)scale[j], sum);
        for (int64_t c = 0; c < columns; c++) sum[c] *= own * own;
    }
    for (int64_t i = 0; i < count && status == CRD_OK; i++) {
        crd_neighbours n = crd_neighbours_of(graph, nodes[i]);
        memset(twice, 0, (size_t)columns * sizeof *twice);
        for (int64_t j = nodes[i]; j >= 0; j = crd_neighbours_next(&n))
            for (int64_t c = 0; c < columns; c++) twice[c] += once[(s->place[j] - 1) * columns + c];
        for (int64_t c = 0; c < columns; c++) near[i * columns + c] = (float)(twice[c] * (double)scale[nodes[i]]);
    }
    for (int64_t a = 0; a < around; a++) s->place[s->around[a]] = 0;
    crd_free(once);
    return status;
}

static crd_status ask_committee(crd_serving *s, const question *q, crd_asked to, crd_error *error)
{
    const int64_t width = view_width(s), columns = networks(s) * width, classes = s->model->classes;
    float *near = NULL, *said = NULL;
    crd_status status = CRD_NEW(&near, q->count * columns, error);
    if (status == CRD_OK) status = CRD_NEW(&said, CRD_VIEWS * width, error);
    if (status == CRD_OK) status = look_near(s, q->nodes, q->count, near, error);
    for (int64_t i = 0; i < q->count && status == CRD_OK; i++) {
        float *logits = to.output + i * classes, *latent = to.latent + i * CRD_VIEWS * width;
        const float *far = q->far + i * columns;
        memset(logits, 0, (size_t)classes * sizeof *logits);
        memset(latent, 0, (size_t)(CRD_VIEWS * width) * sizeof *latent);
        to.doubt[i] = to.alone[i] = 0.0;
        for (int64_t m = 0; m < networks(s); m++) {
            const size_t bytes = (size_t)width * sizeof *said;
            memcpy(said + ALONE * width, own_of(s, q->nodes[i], m, ALONE), bytes);
            memcpy(said + NEAR * width, near + i * columns + m * width, bytes);
            memcpy(said + FAR * width, far + m * width, bytes);
            crd_committee_add(s->model, said, 1, logits, to.doubt + i, to.alone + i, latent);
        }
        to.doubt[i] += s->beyond[q->nodes[i]];
        to.alone[i] += s->beyond[q->nodes[i]];
    }
    crd_free(near);
    crd_free(said);
    return status;
}

static crd_status ask(void *context, crd_asked to, crd_error *error)
{
    const question *q = context;
    crd_serving *s = q->s;
    const int64_t classes = s->model->classes;
    if (is_committee(s)) return ask_committee(s, q, to, error);
    for (int64_t i = 0; i < q->count; i++) {
        float *row = to.output + i * classes;
        memcpy(row, q->far + i * classes, (size_t)classes * sizeof *row);
        /* Small differences may leave less than nothing of a class that has no evidence. */
        for (int64_t c = 0; c < classes && s->model->kind->output == CRD_OUTPUT_EVIDENCE; c++)
            if (row[c] < 0.0f) row[c] = 0.0f;
        if (to.before_graph != NULL)
            memcpy(to.before_graph + i * classes, own_of(s, q->nodes[i], 0, FAR), (size_t)classes * sizeof *row);
        if (to.latent != NULL)
            memcpy(to.latent + i * s->dims, s->latent + q->nodes[i] * s->dims, (size_t)s->dims * sizeof *row);
    }
    return crd_check_output(s->model, to.output, NULL, q->count, q->numbers, error);
}

/* The diffused columns of nodes. */
static crd_status look_far(crd_serving *s, const int64_t *nodes, int64_t count, float *far, crd_error *error)
{
    const crd_growing *graph = &s->grown.graph;
    bool good = s->lag.fresh && crd_lag_pays(&s->lag, &s->strips, graph, count);
    for (int64_t i = 0; i < count && good; i++)
        good = crd_lag_answer(&s->lag, &s->strips, graph, nodes[i], far + i * s->strips.columns);
    if (good) return CRD_OK;
    crd_status status = refresh(s, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++)
        crd_lag_answer(&s->lag, &s->strips, graph, nodes[i], far + i * s->strips.columns);
    return status;
}

static crd_status predict(crd_serving *s, const int64_t *nodes, int64_t count, crd_prediction **prediction,
                          crd_error *error)
{
    int64_t *node = NULL, *start = NULL;
    int32_t *numbers = NULL, none = 0;
    float *far = NULL;
    crd_status status = crd_check_nodes(nodes, count, s->grown.graph.nodes, error);
    if (status != CRD_OK) return status;
    if (!s->diffuses) return crd_grown_predict(s->model, &s->grown, nodes, count, s->threads, prediction, error);
    status = CRD_NEW(&node, count, error);
    if (status == CRD_OK) status = CRD_NEW(&far, count * s->strips.columns, error);
    if (status == CRD_OK) status = CRD_NEW(&numbers, count, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&start, count + 1, error);
    if (status == CRD_OK) status = look_far(s, nodes, count, far, error);
    if (status == CRD_OK) {
        for (int64_t i = 0; i < count; i++) numbers[i] = (int32_t)(node[i] = nodes[i]);
        question q = {s, nodes, count, numbers, far};
        /* Nothing that follows looks at edges. */
        const crd_dataset rows = {.graph = {.nodes = count, .start = start, .neighbour = &none}};
        status = crd_prediction_from(s->model, &(crd_answering){&rows, numbers, ask, &q}, s->threads, false, prediction,
                                     error);
    }
    if (status == CRD_OK) {
        (*prediction)->node = node;
        (*prediction)->graph_nodes = s->grown.graph.nodes;
        node = NULL;
    }
    crd_free(node);
    crd_free(far);
    crd_free(numbers);
    crd_free(start);
    return status;
}

crd_status crd_serving_predict(crd_serving *serving, const int64_t *nodes, int64_t count, crd_prediction **prediction,
                               crd_error *error)
{
    if (prediction != NULL) *prediction = NULL;
    if (CRD_ANY_NULL(error, serving, prediction) || (count > 0 && CRD_ANY_NULL(error, nodes)))
        return CRD_ERROR_ARGUMENT;
    crd_watch watch;
    crd_status status = crd_watch_begin(&watch, &serving->control, "predicting", error);
    if (status != CRD_OK) return status;
    status = predict(serving, nodes, count, prediction, error);
    crd_watch_end(&watch);
    return status;
}

/* ---- answering for nodes that are not kept ---- */

typedef struct {
    int64_t nodes, links, rows;
    bool changed;
} before_it;

static before_it look_before(const crd_serving *s)
{
    return (before_it){s->grown.graph.nodes, s->grown.graph.links, s->grown.added.rows, s->grown.changed};
}

/* Undoes an addition of one node, if it was made. */
static void forget(crd_serving *s, const crd_addition *one, const before_it *before)
{
    crd_growing_forget(&s->grown.graph, before->nodes, before->links);
    s->grown.added.rows = before->rows;
    s->grown.changed = before->changed;
    if (!s->diffuses) return;
    s->strips.nodes = before->nodes;
    for (int64_t e = 0; e < one->edges; e++) crd_lag_scale(&s->strips, &s->grown.graph, one->target[e]);
    crd_lag_forget(&s->lag);
}

static crd_status predict_one(crd_serving *s, const crd_addition *one, const crd_features *row,
                              crd_prediction **prediction, crd_error *error)
{
    const before_it before = look_before(s);
    crd_status status = CRD_OK;
    if (s->diffuses) status = crd_lag_suppose(&s->lag, &s->strips, one->edges + 1, error);
    if (status != CRD_OK) return status;
    status = add(s, one, row, error);
    if (status == CRD_OK) status = predict(s, &before.nodes, 1, prediction, error);
    forget(s, one, &before);
    return status;
}

static crd_status predict_ones(crd_serving *s, const crd_ones *ones, const crd_features *rows,
                               crd_prediction **prediction, crd_error *error)
{
    int64_t start[2];
    crd_status status = rows->rows == 0 ? predict(s, NULL, 0, prediction, error) : CRD_OK;
    for (int64_t i = 0; i < rows->rows && status == CRD_OK; i++) {
        const crd_addition one = crd_ones_at(ones, i);
        const crd_features row = crd_ones_row(rows, i, start);
        crd_prediction *answer = NULL;
        status = crd_watch_check(error);
        if (status == CRD_OK) status = predict_one(s, &one, &row, &answer, error);
        if (status == CRD_OK && i == 0) {
            *prediction = answer;
            status = crd_prediction_repeat(answer, rows->rows, error);
        } else if (status == CRD_OK) {
            crd_prediction_put(*prediction, i, answer);
            crd_prediction_free(&answer);
        }
    }
    if (status != CRD_OK) crd_prediction_free(prediction);
    return status;
}

crd_status crd_serving_predict_new(crd_serving *serving, const crd_addition *addition, const crd_control *control,
                                   crd_prediction **prediction, crd_error *error)
{
    if (prediction != NULL) *prediction = NULL;
    if (CRD_ANY_NULL(error, serving, addition, prediction)) return CRD_ERROR_ARGUMENT;
    crd_serving *s = serving;
    const int threads = s->threads;
    crd_addition complete;
    crd_features rows;
    crd_ones ones = {0};
    crd_watch watch;
    crd_status status = crd_addition_take(addition, s->grown.graph.nodes, &s->grown.added, &complete, &rows, error);
    if (status != CRD_OK) return status;
    status = crd_ones_open(&complete, s->grown.graph.nodes, &ones, error);
    if (status == CRD_OK) status = crd_watch_begin(&watch, control, "predicting", error);
    if (status == CRD_OK) {
        if (s->diffuses && !s->lag.fresh) status = refresh(s, error);
        s->threads = s->diffuses ? 1 : watch.control.threads; /* one node at a time is too little for a team */
        if (status == CRD_OK) status = predict_ones(s, &ones, &rows, prediction, error);
        s->threads = threads;
        crd_watch_end(&watch);
    }
    crd_ones_close(&ones);
    crd_features_free(&rows);
    return status;
}
