#include "answers/strips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nodes whose difference, relative to the usual size of their rows, is about this small are left to the groups. */
static const double LEAST_REACH = 1e-7;
/* A ripple may look at this share of all neighbours, or at this many. */
enum { SHARE = 6, FEW = 16384 };
/* The neighbours of a ring are looked at if they are not more than this, and it has at most so many nodes. */
enum { WIDE = 40000, MOST_OF_RING = 2048 };
/* How wrong columns may be before everything is computed again, and the part of what the groups get that is wrong. */
static const double MOST_DOUBT = 4e-6, WRONG_PART = 0.3;
/* What rounding adds to a column of size 1 each time that a row changes. */
static const double ROUNDING = 1.5e-7;
/* Groups are made again when the graph has grown by one part in GROWN. */
enum { GROWN = 50, BLOCK = 256 };

enum {
    NODE,
    REACH,
    OUTSIDE,
    OF_SHARE,
    END,
    START,
    NEIGHBOUR,
    NEW_START,
    NEW_NEIGHBOUR,
    CANDIDATE,
    NOW,
    NEXT,
    BORDER,
    BEFORE
};

/* ---- memory ---- */

crd_status crd_strips_open(crd_strips *s, int64_t columns, int64_t groups, int64_t steps, double teleport,
                           bool evidence, crd_error *error)
{
    const int64_t padded = (columns + CRD_PAD - 1) / CRD_PAD * CRD_PAD;
    *s = (crd_strips){.columns = columns, .steps = teleport < 1.0 ? steps : 0, .teleport = (float)teleport};
    s->width = padded < CRD_DIFFUSED_COLUMNS ? CRD_PAD : CRD_DIFFUSED_COLUMNS;
    s->strips = (padded + s->width - 1) / s->width;
    s->groups = groups < CRD_STRIP_GROUPS ? (int)groups : CRD_STRIP_GROUPS;
    const int64_t arrays = s->strips * (s->steps + 2);
    crd_status status = CRD_NEW_ZERO(&s->row, s->strips * (s->steps + 1), error);
    s->evidence = evidence;
    s->weight = 1.0;
    if (status == CRD_OK) status = CRD_NEW_ZERO(&s->origin, s->strips, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&s->unit, s->strips * s->width, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&s->room, arrays, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&s->far, s->strips * (s->steps + 1) * s->groups * s->width, error);
    return status;
}

static void close_ripple(crd_ripple *r)
{
    void *const arrays[] = {r->node,  r->reach,     r->outside,   r->share,         r->end,       r->border,
                            r->start, r->neighbour, r->new_start, r->new_neighbour, r->candidate, r->now,
                            r->next,  r->before,    r->place,     r->inflow};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

void crd_strips_close(crd_strips *s)
{
    for (int64_t i = 0; s->row != NULL && i < s->strips * (s->steps + 1); i++) free(s->row[i]);
    for (int64_t i = 0; s->origin != NULL && i < s->strips; i++) free(s->origin[i]);
    free(s->row);
    free(s->origin);
    free(s->room);
    free(s->unit);
    free(s->far);
    free(s->s);
    free(s->group);
    close_ripple(&s->ripple);
    *s = (crd_strips){0};
}

crd_status crd_strips_reserve(crd_strips *s, int64_t nodes, crd_error *error)
{
    const int64_t rows = s->strips * (s->steps + 1), marked = s->ripple.marks, inflows = s->ripple.inflow_room;
    int64_t cells;
    if (!crd_multiply(nodes, s->width, &cells)) return crd_fail_memory(error, SIZE_MAX);
    crd_status status = CRD_GROW(&s->s, &s->s_room, nodes, error);
    if (status == CRD_OK) status = CRD_GROW(&s->group, &s->group_room, nodes, error);
    if (status == CRD_OK) status = CRD_GROW(&s->ripple.place, &s->ripple.marks, nodes, error);
    if (status == CRD_OK && s->ripple.marks > marked)
        memset(s->ripple.place + marked, 0, (size_t)(s->ripple.marks - marked) * sizeof *s->ripple.place);
    if (status == CRD_OK) status = CRD_GROW(&s->ripple.inflow, &s->ripple.inflow_room, nodes, error);
    if (status == CRD_OK && s->ripple.inflow_room > inflows)
        memset(s->ripple.inflow + inflows, 0, (size_t)(s->ripple.inflow_room - inflows) * sizeof *s->ripple.inflow);
    for (int64_t i = 0; i < rows && status == CRD_OK; i++) status = CRD_GROW(&s->row[i], &s->room[i], cells, error);
    for (int64_t b = 0; b < s->strips && status == CRD_OK; b++)
        status = CRD_GROW(&s->origin[b], &s->room[rows + b], cells, error);
    return status;
}

void crd_strips_add(crd_strips *s, const float *columns)
{
    for (int64_t b = 0; b < s->strips; b++)
        for (int64_t c = 0; c < s->width; c++)
            s->origin[b][s->nodes * s->width + c] = b * s->width + c < s->columns ? columns[b * s->width + c] : 0.0f;
    s->group[s->nodes++] = 0;
}

/* ---- everything ---- */

static float *row_of(const crd_strips *s, int64_t strip, int64_t step, int64_t node)
{
    return s->row[strip * (s->steps + 1) + step] + node * s->width;
}

static float *far_of(const crd_strips *s, int64_t strip, int64_t step, int64_t group)
{
    return s->far + ((strip * (s->steps + 1) + step) * s->groups + group) * s->width;
}

typedef struct {
    crd_strips *strips;
    const crd_kernels *kernels;
    crd_steps each;
    int64_t strip, step;
} run_job;

static void scale_rows(int64_t begin, int64_t end, void *context)
{
    const run_job *j = context;
    const int64_t width = j->strips->width;
    const float *from = j->strips->origin[j->strip];
    float *to = row_of(j->strips, j->strip, 0, 0);
    for (int64_t i = begin; i < end; i++)
        for (int64_t c = 0; c < width; c++) to[i * width + c] = j->strips->s[i] * from[i * width + c];
}

static void step_rows(int64_t begin, int64_t end, void *context)
{
    const run_job *j = context;
    j->kernels->diffuse(begin, end, &j->each, row_of(j->strips, j->strip, j->step, 0), false,
                        row_of(j->strips, j->strip, j->step + 1, 0), j->strips->width);
}

static float column_of(const crd_strips *s, int64_t node, int64_t column)
{
    return row_of(s, column / s->width, s->steps, node)[column % s->width];
}

static void make_groups(crd_strips *s, const crd_growing *graph)
{
    for (int64_t i = 0; i < s->nodes; i++) {
        int32_t largest = 0;
        for (int32_t c = 1; c < s->groups; c++)
            if (column_of(s, i, c) > column_of(s, i, largest)) largest = c;
        s->group[i] = (uint8_t)largest;
    }
    memset(s->between, 0, sizeof s->between);
    memset(s->volume, 0, sizeof s->volume);
    for (int64_t i = 0; i < s->nodes; i++) {
        double *between = s->between[s->group[i]];
        between[s->group[i]] += 1.0;
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++) between[s->group[graph->neighbour[e]]] += 1.0;
        s->volume[s->group[i]] += (double)graph->degree[i] + 1.0;
    }
    s->grouped = s->nodes;
    s->usual_share = 0.0;
    for (int64_t i = 0; i < s->nodes; i++)
        s->usual_share += (double)graph->degree[i] / ((double)graph->degree[i] + 1.0) / (double)graph->start[s->nodes];
}

/* What counts as 1 in a column. Evidence matters by how much it changes 1 + evidence, most of all where it is small. */
static void measure_units(crd_strips *s)
{
    for (int64_t c = 0; c < s->columns; c++) {
        double sum = 0.0, squares = 0.0;
        for (int64_t i = 0; i < s->nodes; i++) {
            const double x = (double)(column_of(s, i, c) / s->s[i]);
            sum += 1.0 / (1.0 + fmax(0.0, x));
            squares += x * x / (double)s->nodes;
        }
        s->size = fmax(s->size, s->evidence ? 3.0 : sqrt(squares));
        s->unit[c] = s->evidence && sum > 0.0 ? (double)s->nodes / sum : 1.0;
    }
}

void crd_strips_run(crd_strips *s, const crd_growing *graph, const crd_kernels *kernels, crd_team *team)
{
    run_job job = {.strips = s, .kernels = kernels};
    for (int64_t i = 0; i < s->nodes; i++) s->s[i] = (float)(1.0 / sqrt((double)graph->degree[i] + 1.0));
    for (int64_t b = 0; b < s->strips; b++) {
        job.strip = b;
        job.each = (crd_steps){.start = graph->start,
                               .neighbour = graph->neighbour,
                               .entries = graph->start[s->nodes],
                               .s = s->s,
                               .teleport = s->teleport,
                               .width = s->width,
                               .far = s->nodes * s->width * (int64_t)sizeof(float) > CRD_FAR_BYTES,
                               .origin = s->origin[b],
                               .stride = s->width};
        crd_parallel_rows(team, s->nodes, BLOCK, scale_rows, &job);
        for (job.step = 0; job.step < s->steps; job.step++) crd_parallel_rows(team, s->nodes, BLOCK, step_rows, &job);
    }
    if (s->grouped == 0 || s->nodes - s->grouped > s->grouped / GROWN) {
        make_groups(s, graph);
        measure_units(s);
    }
    memset(s->far, 0, (size_t)(s->strips * (s->steps + 1) * s->groups * s->width) * sizeof *s->far);
    s->doubt = 0.0;
    s->fresh = true;
}

void crd_strips_get(const crd_strips *s, int64_t node, float *columns)
{
    for (int64_t c = 0; c < s->columns; c++) {
        const int64_t strip = c / s->width, at = c % s->width;
        columns[c] =
            (row_of(s, strip, s->steps, node)[at] + far_of(s, strip, s->steps, s->group[node])[at]) / s->s[node];
    }
}

/* ---- the nodes of a ripple ---- */

static crd_status enter(crd_ripple *r, int32_t node, float reach, crd_error *error)
{
    crd_status status = CRD_GROW(&r->node, &r->room[NODE], r->count + 1, error);
    if (status == CRD_OK) status = CRD_GROW(&r->reach, &r->room[REACH], r->count + 1, error);
    if (status == CRD_OK) status = CRD_GROW(&r->outside, &r->room[OUTSIDE], r->count + 1, error);
    if (status == CRD_OK) status = CRD_GROW(&r->share, &r->room[OF_SHARE], r->count + 1, error);
    if (status != CRD_OK) return status;
    r->node[r->count] = node;
    r->reach[r->count++] = reach;
    r->place[node] = (int32_t)r->count;
    return CRD_OK;
}

static crd_status join(crd_ripple *r, int64_t one, int64_t other, crd_error *error)
{
    crd_status status = CRD_GROW(&r->end, &r->room[END], 2 * (r->edges + 1), error);
    if (status != CRD_OK) return status;
    r->end[2 * r->edges] = (int32_t)one;
    r->end[2 * r->edges++ + 1] = (int32_t)other;
    return CRD_OK;
}

/* Looks at the neighbours of a node. Those that are in the ripple, and came before it, are its edges: so every edge is
 * found once, by its later end. The others may come into the next ring. */
static crd_status scan(crd_ripple *r, const crd_growing *graph, const crd_change *change, int64_t i, crd_error *error)
{
    const int64_t degree = graph->degree[r->node[i]];
    r->scanned += degree;
    crd_status status = CRD_GROW(&r->candidate, &r->room[CANDIDATE], r->out_count + degree, error);
    if (status == CRD_OK && i < r->changed)
        status = CRD_GROW(&r->new_neighbour, &r->room[NEW_NEIGHBOUR], r->new_edges + degree, error);
    if (status != CRD_OK) return status;
    crd_neighbours n = crd_neighbours_of(graph, r->node[i]);
    if (i < r->changed) r->new_start[i] = r->new_edges;
    while (i < r->changed && n.next >= change->links) /* both ends of a new edge are changed nodes */
        r->new_neighbour[r->new_edges++] = r->place[crd_neighbours_next(&n)] - 1;
    for (int32_t j; (j = crd_neighbours_next(&n)) >= 0 && status == CRD_OK;) {
        const int32_t place = r->place[j] - 1;
        if (place >= 0 && place < i) status = join(r, i, place, error);
        if (place >= 0) continue;
        if (r->inflow[j] == 0.0f) r->candidate[r->out_count++] = j;
        r->inflow[j] += r->reach[i];
    }
    return status;
}

/* The edges to the last ring, which begins at `end`. Its own neighbours are not looked at: there are too many. */
static crd_status join_rings(crd_ripple *r, const crd_growing *graph, int64_t end, crd_error *error)
{
    crd_status status = CRD_OK;
    for (int64_t i = 0; i < end; i++) {
        crd_neighbours n = crd_neighbours_of(graph, r->node[i]);
        for (int32_t j; (j = crd_neighbours_next(&n)) >= 0 && status == CRD_OK;)
            if (r->place[j] > end) status = join(r, i, r->place[j] - 1, error);
    }
    return status;
}

static double size_of_reach(const crd_ripple *r, const crd_growing *graph, int32_t node, float *reach)
{
    const double degree = (double)graph->degree[node] + 1.0;
    *reach = (float)((double)r->inflow[node] / degree);
    return (double)r->inflow[node] / sqrt(degree);
}

/* Takes the candidates that get enough, if what arrives first grows by so much until the last step; if these are too
 * many, those that get most. The others are forgotten. */
static crd_status take_ring(crd_ripple *r, const crd_growing *graph, double growth, crd_error *error)
{
    crd_status status = CRD_OK;
    double least = LEAST_REACH / growth;
    float reach;
    for (int64_t count = MOST_OF_RING + 1; count > MOST_OF_RING; least *= 2.0) {
        count = 0;
        for (int64_t c = 0; c < r->out_count; c++) count += size_of_reach(r, graph, r->candidate[c], &reach) >= least;
        if (count <= MOST_OF_RING) break;
    }
    for (int64_t c = 0; c < r->out_count; c++) {
        const int32_t node = r->candidate[c];
        const bool enough = size_of_reach(r, graph, node, &reach) >= least;
        r->inflow[node] = 0.0f;
        if (status == CRD_OK && enough) status = enter(r, node, reach, error);
    }
    r->out_count = 0;
    return status;
}

/* The size of a row is about 1/sqrt(degree + 1): so much comes with every new edge, and the node's own row shrinks. */
static float first_reach(const crd_growing *graph, const crd_change *change, int64_t b)
{
    const int32_t node = change->node[b];
    const double degree = (double)graph->degree[node] + 1.0;
    double sum = (degree - 1.0 - (double)change->degree[b]) / sqrt(degree);
    for (int32_t l = graph->last[node]; l >= change->links; l = graph->link[l].next)
        sum += 1.0 / sqrt((double)graph->degree[graph->link[l].neighbour] + 1.0);
    return (float)(sum / degree);
}

/* What reaches a ring by the shortest ways, and what follows by longer ones: each step that a way stays or returns
 * costs about 2 / (degree + 1), and there are many ways to put such steps between the others. */
static double growth_of(int64_t ring, int64_t steps, double mean)
{
    double sum = 0.0, ways = 1.0;
    for (int64_t more = 0; ring + more <= steps; more++) {
        sum += ways;
        ways *= 2.0 / (mean + 1.0) * (double)(ring + more) / (double)(more + 1);
    }
    return sum;
}

/* The nodes of the ripple, ring by ring, and the edges between them. */
static crd_status find_nodes(crd_strips *s, const crd_growing *graph, const crd_change *change, int64_t most,
                             crd_error *error)
{
    crd_ripple *r = &s->ripple;
    const double mean = (double)(graph->start[graph->settled] + graph->links) / (double)graph->nodes;
    crd_status status = CRD_GROW(&r->new_start, &r->room[NEW_START], change->count + 1, error);
    r->count = r->scanned = r->edges = r->new_edges = r->out_count = 0;
    r->changed = change->count;
    for (int64_t b = 0; b < change->count && status == CRD_OK; b++) {
        /* Neighbours of a new node are changed nodes, so it passes nothing on. */
        status = enter(r, change->node[b], change->degree[b] < 0 ? 0.0f : first_reach(graph, change, b), error);
    }
    for (int64_t step = 0, begin = 0; begin < r->count && status == CRD_OK; step++) {
        const int64_t end = r->count;
        int64_t ahead = 0;
        for (int64_t i = begin; i < end; i++) ahead += graph->degree[r->node[i]];
        r->last_ring = step > 0 && ahead > WIDE ? begin : end;
        if (r->last_ring == begin) return join_rings(r, graph, begin, error);
        for (int64_t i = begin; i < end && r->scanned <= most && status == CRD_OK; i++)
            status = scan(r, graph, change, i, error);
        if (step == 0) r->new_start[r->changed] = r->new_edges;
        const crd_status taken =
            take_ring(r, graph, step + 1 < s->steps ? growth_of(step + 1, s->steps, mean) : 0.0, error);
        if (status == CRD_OK) status = taken;
        if (r->scanned > most) break;
        begin = end;
    }
    return status;
}

/* The edges by their ends, both ways, and memory for the differences. */
static crd_status sort_edges(crd_strips *s, crd_error *error)
{
    crd_ripple *r = &s->ripple;
    const int64_t cells = r->count * s->width;
    crd_status status = CRD_GROW(&r->start, &r->room[START], r->count + 2, error);
    if (status == CRD_OK) status = CRD_GROW(&r->neighbour, &r->room[NEIGHBOUR], 2 * r->edges, error);
    if (status == CRD_OK) status = CRD_GROW(&r->now, &r->room[NOW], cells, error);
    if (status == CRD_OK) status = CRD_GROW(&r->next, &r->room[NEXT], cells, error);
    if (status == CRD_OK) status = CRD_GROW(&r->border, &r->room[BORDER], cells, error);
    if (status == CRD_OK)
        status = CRD_GROW(&r->before, &r->room[BEFORE], (s->steps + 1) * r->changed * s->width, error);
    if (status != CRD_OK) return status;
    /* start[i + 2] counts the edges of i, start[i + 1] becomes where they go next, and at last where they end. */
    memset(r->start, 0, (size_t)(r->count + 2) * sizeof *r->start);
    for (int64_t e = 0; e < 2 * r->edges; e++) r->start[r->end[e] + 2]++;
    for (int64_t i = 0; i < r->count; i++) r->start[i + 2] += r->start[i + 1];
    for (int64_t e = 0; e < r->edges; e++) {
        const int32_t one = r->end[2 * e], other = r->end[2 * e + 1];
        r->neighbour[r->start[one + 1]++] = other;
        r->neighbour[r->start[other + 1]++] = one;
    }
    return CRD_OK;
}

/* Counts the neighbours outside. Those of the last ring have usual degrees. */
static void count_outside(const crd_growing *graph, double usual_share, crd_ripple *r)
{
    for (int64_t i = 0; i < r->count; i++) {
        const int64_t fresh = i < r->changed ? r->new_start[i + 1] - r->new_start[i] : 0;
        const int64_t outside = graph->degree[r->node[i]] - fresh - (r->start[i + 1] - r->start[i]);
        r->outside[i] = (float)outside;
        r->share[i] = (float)usual_share;
        if (outside == 0 || i >= r->last_ring) continue;
        double share = 0.0;
        crd_neighbours n = crd_neighbours_of(graph, r->node[i]);
        for (int32_t j; (j = crd_neighbours_next(&n)) >= 0;)
            if (r->place[j] == 0) share += 1.0 / ((double)graph->degree[j] + 1.0);
        r->share[i] = (float)(share / (double)outside);
    }
}

/* ---- the differences ---- */

/* The rows of changed nodes before the change, 0 for new ones; the first differences. */
static void begin_strip(crd_strips *s, const crd_growing *graph, const crd_change *change, int64_t strip)
{
    crd_ripple *r = &s->ripple;
    const int64_t width = s->width;
    for (int64_t step = 0; step <= s->steps; step++)
        for (int64_t b = 0; b < r->changed; b++) {
            const float *row = row_of(s, strip, step, r->node[b]), *far = far_of(s, strip, step, s->group[r->node[b]]);
            float *before = r->before + (step * r->changed + b) * width;
            for (int64_t c = 0; c < width; c++) before[c] = change->degree[b] < 0 ? 0.0f : row[c] + far[c];
        }
    memset(r->now, 0, (size_t)(r->count * width) * sizeof *r->now);
    memset(r->border, 0, (size_t)(r->count * width) * sizeof *r->border);
    for (int64_t b = 0; b < r->changed; b++) {
        const float *origin = s->origin[strip] + (int64_t)r->node[b] * width;
        const float scale = (float)(1.0 / sqrt((double)graph->degree[r->node[b]] + 1.0));
        float *row = row_of(s, strip, 0, r->node[b]);
        for (int64_t c = 0; c < width; c++) {
            row[c] = scale * origin[c]; /* groups add nothing before the first step */
            r->now[b * width + c] = row[c] - r->before[b * width + c];
        }
    }
}

/* The difference of a changed node after the next step. The sum over its neighbours before the change is what its own
 * rows say of it. */
static inline void step_changed(const crd_strips *s, const crd_growing *graph, const crd_change *change, int64_t strip,
                                int64_t step, int64_t b, const float *far, const int64_t width, float *out)
{
    const crd_ripple *r = &s->ripple;
    const float keep = 1.0f - s->teleport;
    const float *before = r->before + (step * r->changed + b) * width, *after = before + r->changed * width;
    const float *first = r->before + b * width, *own = row_of(s, strip, 0, r->node[b]);
    const float old = ((float)change->degree[b] + 1.0f) / keep,
                share = keep / ((float)graph->degree[r->node[b]] + 1.0f);
    double sum[CRD_DIFFUSED_COLUMNS];
    for (int64_t c = 0; c < width; c++)
        sum[c] = (change->degree[b] < 0 ? 0.0 : ((double)after[c] - (double)(s->teleport * first[c])) * (double)old) +
                 (double)r->now[b * width + c] + (double)(r->outside[b] * (r->border[b * width + c] + far[c]));
    for (int64_t e = r->start[b]; e < r->start[b + 1]; e++)
        for (int64_t c = 0; c < width; c++) sum[c] += (double)r->now[r->neighbour[e] * width + c];
    for (int64_t e = r->new_start[b]; e < r->new_start[b + 1]; e++) {
        const int64_t end = r->new_neighbour[e];
        const float *row = r->before + (step * r->changed + end) * width;
        for (int64_t c = 0; c < width; c++) sum[c] += (double)row[c] + (double)r->now[end * width + c];
    }
    for (int64_t c = 0; c < width; c++)
        out[c] = (float)((double)share * sum[c] + (double)(s->teleport * own[c]) - (double)after[c]);
}

static inline void step_others(const crd_strips *s, const crd_growing *graph, float (*of_group)[CRD_DIFFUSED_COLUMNS],
                               const int64_t width)
{
    const crd_ripple *r = &s->ripple;
    for (int64_t i = r->changed; i < r->count; i++) {
        float sum[CRD_DIFFUSED_COLUMNS];
        const float *far = of_group[s->group[r->node[i]]];
        for (int64_t c = 0; c < width; c++) sum[c] = r->now[i * width + c];
        for (int64_t e = r->start[i]; e < r->start[i + 1]; e++) {
            const float *row = r->now + r->neighbour[e] * width;
            for (int64_t c = 0; c < width; c++) sum[c] += row[c];
        }
        const float share = (1.0f - s->teleport) / ((float)graph->degree[r->node[i]] + 1.0f);
        for (int64_t c = 0; c < width; c++)
            r->next[i * width + c] = share * (sum[c] + r->outside[i] * (r->border[i * width + c] + far[c]));
    }
}

/* Adds the differences to the rows, without what the groups add to them. New nodes have none yet. */
static inline void keep_step(const crd_strips *s, const crd_change *change, int64_t strip, int64_t step,
                             float (*of_group)[CRD_DIFFUSED_COLUMNS], const int64_t width)
{
    enum { AHEAD = 16 };
    const crd_ripple *r = &s->ripple;
    for (int64_t i = 0; i < r->count; i++) {
        float *row = row_of(s, strip, step, r->node[i]);
        if (i + AHEAD < r->count) __builtin_prefetch(row_of(s, strip, step, r->node[i + AHEAD]), 1);
        const bool is_new = i < r->changed && change->degree[i] < 0;
        const float *all = far_of(s, strip, step, s->group[r->node[i]]), *far = of_group[s->group[r->node[i]]];
        for (int64_t c = 0; c < width; c++)
            row[c] = is_new ? r->next[i * width + c] - all[c] : row[c] + (r->next[i * width + c] - far[c]);
    }
}

/* The nodes just outside: each has a neighbour in the ripple, to which some of the difference returns. `border` is
 * their mean, by that neighbour. The rest of it leaves. `there` is what they have after the step. */
static inline void step_border(const crd_strips *s, double left[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS],
                               double there[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS], const int64_t width)
{
    const crd_ripple *r = &s->ripple;
    for (int64_t i = 0; i < r->count; i++) {
        if (r->outside[i] == 0.0f) continue;
        double *group = left[s->group[r->node[i]]], *at = there[s->group[r->node[i]]];
        const float others = r->outside[i] * fmaxf(1.0f / r->share[i] - 2.0f, 0.0f);
        const float share = (1.0f - s->teleport) * r->share[i];
        float *border = r->border + i * width;
        for (int64_t c = 0; c < width; c++) {
            group[c] += (double)(others * border[c]);
            border[c] = share * (border[c] + r->now[i * width + c]);
            at[c] += (double)(r->outside[i] / r->share[i] * border[c]);
        }
    }
}

/* Moves what groups have along one edge. */
static void mix_groups(const crd_strips *s, double x[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS], int64_t width)
{
    double mixed[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS] = {{0.0}};
    for (int g = 0; g < s->groups; g++)
        for (int h = 0; h < s->groups; h++) {
            const double share = s->volume[h] > 0.0 ? s->between[g][h] / s->volume[h] : 0.0;
            for (int64_t c = 0; c < width; c++) mixed[g][c] += share * x[h][c];
        }
    memcpy(x, mixed, sizeof mixed);
}

/* What leaves the ripple reaches the groups in proportion to the edges between them. */
static void spread_far(const crd_strips *s, double left[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS],
                       double far[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS], int64_t width)
{
    double flow[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS];
    for (int g = 0; g < s->groups; g++)
        for (int64_t c = 0; c < width; c++)
            flow[g][c] = far[g][c] + (s->volume[g] > 0.0 ? left[g][c] / s->volume[g] : 0.0);
    for (int g = 0; g < s->groups; g++)
        for (int64_t c = 0; c < width; c++) {
            double sum = 0.0;
            for (int h = 0; h < s->groups; h++) sum += s->between[g][h] * flow[h][c];
            far[g][c] = s->volume[g] > 0.0 ? (1.0 - (double)s->teleport) * sum / s->volume[g] : 0.0;
        }
}

/* The root mean square over nodes of what groups add to them, in units of the column: the largest of a strip. */
static double size_of_groups(const crd_strips *s, float (*seen)[CRD_DIFFUSED_COLUMNS], int64_t strip)
{
    double most = 0.0;
    for (int64_t c = 0; c < s->width && strip * s->width + c < s->columns; c++) {
        double sum = 0.0, volume = 0.0;
        for (int g = 0; g < s->groups; g++) {
            sum += s->volume[g] * (double)seen[g][c] * (double)seen[g][c];
            volume += s->volume[g];
        }
        if (volume > 0.0) most = fmax(most, sqrt(sum / volume) / s->unit[strip * s->width + c]);
    }
    return most;
}

/* One strip. Returns the size of what groups get in the end. */
static inline double follow_strip(crd_strips *s, const crd_growing *graph, const crd_change *change, int64_t strip,
                                  const int64_t width)
{
    crd_ripple *r = &s->ripple;
    double far[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS] = {{0.0}}, most = 0.0;
    float of_group[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS] = {{0.0f}}, seen[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS];
    begin_strip(s, graph, change, strip);
    for (int64_t step = 0; step < s->steps; step++) {
        double left[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS] = {{0.0}};
        double there[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS] = {{0.0}};
        for (int64_t b = 0; b < r->changed; b++)
            step_changed(s, graph, change, strip, step, b, of_group[s->group[r->node[b]]], width, r->next + b * width);
        step_others(s, graph, of_group, width);
        step_border(s, left, there, width);
        mix_groups(s, left, width); /* they are by the nodes of the ripple, and belong to their neighbours */
        mix_groups(s, there, width);
        spread_far(s, left, far, width);
        for (int g = 0; g < s->groups; g++)
            for (int64_t c = 0; c < width; c++) {
                of_group[g][c] = (float)far[g][c];
                seen[g][c] = s->volume[g] > 0.0 ? (float)(far[g][c] + there[g][c] / s->volume[g]) : 0.0f;
                far_of(s, strip, step + 1, g)[c] += seen[g][c];
            }
        keep_step(s, change, strip, step + 1, seen, width);
        if (step + 1 == s->steps) most = size_of_groups(s, seen, strip);
        float *done = r->now;
        r->now = r->next;
        r->next = done;
        const int64_t room = r->room[NOW];
        r->room[NOW] = r->room[NEXT];
        r->room[NEXT] = room;
    }
    return most;
}

/* A new node joins the group of a neighbour that has one. */
static void join_group(crd_strips *s, const crd_change *change)
{
    const crd_ripple *r = &s->ripple;
    for (int64_t b = 0; b < r->changed; b++)
        for (int64_t e = r->new_start[b]; e < r->new_start[b + 1] && change->degree[b] < 0; e++)
            if (change->degree[r->new_neighbour[e]] >= 0) {
                s->group[r->node[b]] = s->group[r->node[r->new_neighbour[e]]];
                break;
            }
}

void crd_strips_follow(crd_strips *s, const crd_growing *graph, const crd_change *change)
{
    crd_ripple *r = &s->ripple;
    const int64_t entries = graph->start[graph->settled] + graph->links;
    const int64_t most = entries / SHARE > FEW ? entries / SHARE : FEW;
    double far = 0.0;
    if (!s->fresh) return;
    crd_status status = change->count <= most ? find_nodes(s, graph, change, most, NULL) : CRD_ERROR_MEMORY;
    if (status == CRD_OK && r->scanned <= most) status = sort_edges(s, NULL);
    s->fresh = status == CRD_OK && r->scanned <= most;
    if (s->fresh) {
        count_outside(graph, s->usual_share, r);
        join_group(s, change);
        for (int64_t b = 0; b < s->strips; b++) {
            const double its = s->width == CRD_PAD ? follow_strip(s, graph, change, b, CRD_PAD)
                                                   : follow_strip(s, graph, change, b, CRD_DIFFUSED_COLUMNS);
            far = fmax(far, its);
        }
        for (int64_t c = 0; c < r->changed; c++)
            s->s[r->node[c]] = (float)(1.0 / sqrt((double)graph->degree[r->node[c]] + 1.0));
        const double degree = (double)entries / (double)s->nodes;
        s->doubt += WRONG_PART * far * sqrt(degree + 1.0);
        s->doubt += ROUNDING * s->size * (double)r->count / (double)s->nodes;
        s->fresh = s->doubt * s->weight <= MOST_DOUBT;
    }
    for (int64_t i = 0; i < r->count; i++) r->place[r->node[i]] = 0;
}
