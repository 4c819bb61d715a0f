/* SPDX-License-Identifier: MIT */
/* Arrays in and out: every form and type gives the same dataset, borrowed arrays are kept, wrong ones are refused. */
#include "unit/dataset_helpers.h"

#include <math.h>

#include "base/random.h"

enum { NODES = 70, COLUMNS = 9, MOST_EDGES = 1200, MOST_ENTRIES = 2000 };

/* Arrays in every type that a caller may have. */
typedef struct {
    int32_t narrow[MOST_ENTRIES];
    int64_t wide[MOST_ENTRIES];
} wholes;

typedef struct {
    float single[MOST_ENTRIES];
    double both[MOST_ENTRIES];
} reals;

static crd_numbers whole(wholes *w, bool wide)
{
    return wide ? (crd_numbers){w->wide, CRD_INT64} : (crd_numbers){w->narrow, CRD_INT32};
}

static crd_numbers real(reals *r, bool wide)
{
    return wide ? (crd_numbers){r->both, CRD_FLOAT64} : (crd_numbers){r->single, CRD_FLOAT32};
}

static void set_whole(wholes *w, int64_t i, int64_t number)
{
    w->narrow[i] = (int32_t)number;
    w->wide[i] = number;
}

static void set_real(reals *r, int64_t i, double number)
{
    r->single[i] = (float)number;
    r->both[i] = number;
}

/* A list of edges, as pairs and as rows in the same order. */
typedef struct {
    int64_t count;
    wholes source, target, start, neighbour;
    reals weight, row_weight;
} edge_list;

static void add_edge(edge_list *l, int64_t source, int64_t target)
{
    assert_true(l->count < MOST_EDGES);
    set_whole(&l->source, l->count, source);
    set_whole(&l->target, l->count, target);
    set_real(&l->weight, l->count, 1.0);
    l->count++;
}

static void swap_edges(edge_list *l, int64_t a, int64_t b)
{
    const int64_t source = l->source.wide[a], target = l->target.wide[a];
    const double weight = l->weight.both[a];
    set_whole(&l->source, a, l->source.wide[b]);
    set_whole(&l->target, a, l->target.wide[b]);
    set_real(&l->weight, a, l->weight.both[b]);
    set_whole(&l->source, b, source);
    set_whole(&l->target, b, target);
    set_real(&l->weight, b, weight);
}

static void make_rows(edge_list *l)
{
    int64_t at = 0;
    for (int64_t i = 0; i < NODES; i++) {
        set_whole(&l->start, i, at);
        for (int64_t e = 0; e < l->count; e++) {
            if (l->source.wide[e] != i) continue;
            set_real(&l->row_weight, at, l->weight.both[e]);
            set_whole(&l->neighbour, at++, l->target.wide[e]);
        }
    }
    set_whole(&l->start, NODES, at);
}

enum { ONE_WAY, BOTH_WAYS, MESSY, LISTS };

/* The same graph of NODES nodes three times: each edge once; both ways, in order; both ways or one, some often, with
 * self-loops, shuffled. */
static void draw_list(int kind, edge_list *l)
{
    crd_rng rng = crd_rng_start(5, 1), mess = crd_rng_start(6, 1);
    static bool joined[NODES][NODES];
    memset(joined, 0, sizeof joined);
    l->count = 0;
    for (int e = 0; e < 300; e++) {
        const int64_t a = crd_rng_below(&rng, e < 60 ? 3 : NODES - 2), b = crd_rng_below(&rng, NODES - 2);
        if (a != b) joined[a < b ? a : b][a < b ? b : a] = true; /* the first nodes have many; the last two none */
    }
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t j = 0; j < NODES; j++) {
            const bool there = joined[i < j ? i : j][i < j ? j : i], once = i < j;
            if (!there) continue;
            if (kind == BOTH_WAYS || (once && (kind == ONE_WAY || crd_rng_below(&mess, 2) == 0))) add_edge(l, i, j);
            else if (once) add_edge(l, j, i);
            if (kind == MESSY && crd_rng_below(&mess, 4) == 0) add_edge(l, i, j);
        }
    for (int64_t i = 0; i < 5 && kind == MESSY; i++) add_edge(l, 7 * i, 7 * i);
    for (int64_t e = l->count - 1; e > 0 && kind == MESSY; e--)
        swap_edges(l, e, (int64_t)crd_rng_below(&mess, (uint64_t)e));
    make_rows(l);
}

static crd_dataset *make(const crd_arrays *arrays)
{
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    if (crd_dataset_from_arrays(arrays, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    return dataset;
}

static void count_release(void *user)
{
    ++*(int *)user;
}

/* Form 0 to 3 are pairs, 4 to 7 rows. */
static void put_edges(crd_arrays *arrays, edge_list *l, int form)
{
    const bool first = form & 1, second = form & 2;
    arrays->edges = l->count;
    if (form < 4) {
        arrays->source = whole(&l->source, first);
        arrays->target = whole(&l->target, second);
    } else {
        arrays->start = whole(&l->start, first);
        arrays->neighbour = whole(&l->neighbour, second);
    }
}

static void check_same_rows(int64_t count, const int64_t *start, const int32_t *neighbour, int64_t other_count,
                            const int64_t *other_start, const int32_t *other_neighbour)
{
    assert_int_equal(count, other_count);
    assert_memory_equal(start, other_start, (NODES + 1) * sizeof *start);
    assert_memory_equal(neighbour, other_neighbour, (size_t)count * sizeof *neighbour);
}

static void check_same(const crd_dataset *a, const crd_dataset *b)
{
    const int64_t *start, *other_start;
    const int32_t *neighbour, *other_neighbour;
    int64_t count = crd_dataset_input(a, &start, &neighbour),
            other = crd_dataset_input(b, &other_start, &other_neighbour);
    check_same_rows(count, start, neighbour, other, other_start, other_neighbour);
    count = crd_dataset_adjacency(a, &start, &neighbour);
    other = crd_dataset_adjacency(b, &other_start, &other_neighbour);
    check_same_rows(count, start, neighbour, other, other_start, other_neighbour);
    assert_string_equal(crd_dataset_fingerprint(a), crd_dataset_fingerprint(b));
    assert_int_equal(crd_dataset_note_count(a), crd_dataset_note_count(b));
    for (int i = 0; i < crd_dataset_note_count(a); i++)
        assert_string_equal(crd_dataset_note(a, i), crd_dataset_note(b, i));
}

static void every_form_of_edges_is_the_same(void **state)
{
    (void)state;
    static edge_list list;
    char fingerprint[17] = "";
    for (int kind = 0; kind < LISTS; kind++) {
        crd_dataset *first = NULL;
        draw_list(kind, &list);
        for (int form = 0; form < 16; form++) {
            int releases = 0;
            crd_arrays arrays = {.size = sizeof arrays, .nodes = NODES};
            put_edges(&arrays, &list, form % 8);
            if (form >= 8) {
                arrays.release = count_release;
                arrays.user = &releases;
            }
            crd_dataset *dataset = make(&arrays);
            if (fingerprint[0] == '\0') strcpy(fingerprint, crd_dataset_fingerprint(dataset));
            assert_string_equal(crd_dataset_fingerprint(dataset), fingerprint);
            if (first == NULL) first = dataset;
            else {
                check_same(first, dataset);
                crd_dataset_free(&dataset);
                assert_int_equal(releases, form >= 8);
            }
        }
        assert_int_equal(has_note(first, "self-loops were dropped"), kind == MESSY);
        assert_int_equal(has_note(first, "repeated edges were dropped"), kind == MESSY);
        crd_dataset_free(&first);
    }
}

/* ---- features ---- */

typedef struct {
    int64_t entries;
    wholes start, column;
    reals value;
    reals dense;   /* rows without a gap */
    reals strided; /* and with one of three items, which are never read */
} matrix;

/* One value in `rare` is not 0. Shuffled: rows in another order, with zeros, and some entries in two parts. */
static void draw_matrix(uint64_t rare, bool shuffled, matrix *m)
{
    crd_rng rng = crd_rng_start(9, 1);
    int64_t at = 0;
    for (int64_t i = 0; i < NODES; i++) {
        set_whole(&m->start, i, at);
        for (int64_t c = 0; c < COLUMNS; c++) {
            const double value = crd_rng_below(&rng, rare) == 0 ? 0.25 * (double)(1 + crd_rng_below(&rng, 40)) : 0.0;
            set_real(&m->dense, i * COLUMNS + c, value);
            set_real(&m->strided, i * (COLUMNS + 3) + c, value);
        }
        for (int64_t c = 0; c < 3; c++) set_real(&m->strided, i * (COLUMNS + 3) + COLUMNS + c, (double)NAN);
        for (int64_t k = 0; k < COLUMNS; k++) {
            const int64_t c = shuffled ? (k * 4 + i) % COLUMNS : k;
            const double value = m->dense.both[i * COLUMNS + c];
            if (value == 0.0 && !shuffled) continue;
            const bool parts = shuffled && c % 3 == 0;
            set_whole(&m->column, at, c);
            set_real(&m->value, at++, parts ? value - 8.0 : value);
            if (!parts) continue;
            set_whole(&m->column, at, c);
            set_real(&m->value, at++, 8.0);
        }
    }
    set_whole(&m->start, NODES, at);
    m->entries = at;
}

/* Forms 0 to 3 are dense, 4 to 11 sparse. */
static void put_features(crd_arrays *arrays, matrix *m, int form)
{
    arrays->features = COLUMNS;
    if (form < 4) {
        arrays->dense = real(form & 2 ? &m->strided : &m->dense, form & 1);
        arrays->dense_stride = form & 2 ? COLUMNS + 3 : 0;
        return;
    }
    arrays->entries = m->entries;
    arrays->row_start = whole(&m->start, form & 1);
    arrays->column = whole(&m->column, form & 2);
    arrays->value = real(&m->value, form >= 8);
}

static void check_same_features(const crd_dataset *a, const crd_dataset *b, bool sparse)
{
    const int64_t *start, *other_start;
    const int32_t *column, *other_column;
    const float *value, *other_value;
    const int64_t count = crd_dataset_sparse(a, &start, &column, &value);
    assert_int_equal(crd_dataset_sparse(b, &other_start, &other_column, &other_value), count);
    if (sparse) {
        assert_null(crd_dataset_dense(a));
        assert_null(crd_dataset_dense(b));
        check_same_rows(count, start, column, count, other_start, other_column);
        assert_memory_equal(value, other_value, (size_t)count * sizeof *value);
    } else {
        assert_int_equal(count, 0);
        assert_null(start);
        assert_null(other_column);
        assert_null(other_value);
        assert_memory_equal(crd_dataset_dense(a), crd_dataset_dense(b), NODES * COLUMNS * sizeof(float));
    }
    assert_string_equal(crd_dataset_fingerprint(a), crd_dataset_fingerprint(b));
}

static void every_form_of_features_is_the_same(void **state)
{
    (void)state;
    static matrix m;
    for (int round = 0; round < 4; round++) {
        const bool sparse = round & 1, shuffled = round & 2;
        crd_dataset *first = NULL;
        draw_matrix(sparse ? 4 : 1, shuffled, &m);
        for (int form = 0; form < 24; form++) {
            int releases = 0;
            crd_arrays arrays = {.size = sizeof arrays, .nodes = NODES};
            put_features(&arrays, &m, form % 12);
            if (form >= 12) {
                arrays.release = count_release;
                arrays.user = &releases;
            }
            crd_dataset *dataset = make(&arrays);
            if (first == NULL) first = dataset;
            else {
                check_same_features(first, dataset, sparse);
                crd_dataset_free(&dataset);
                assert_int_equal(releases, form >= 12);
            }
        }
        crd_dataset_free(&first);
    }
}

/* Values without an array are 1. */
static void values_may_be_left_out(void **state)
{
    (void)state;
    static const int32_t start[] = {0, 2, 2}, column[] = {3, 1};
    const crd_arrays arrays = {.size = sizeof arrays,
                               .nodes = 2,
                               .features = 4,
                               .entries = 2,
                               .row_start = {start, CRD_INT32},
                               .column = {column, CRD_INT32}};
    crd_dataset *dataset = make(&arrays);
    const float *value;
    const int32_t *sorted;
    assert_int_equal(crd_dataset_sparse(dataset, NULL, &sorted, &value), 2);
    assert_int_equal(sorted[0], 1);
    assert_int_equal(sorted[1], 3);
    assert_true(value[0] == 1.0f && value[1] == 1.0f);
    crd_dataset_free(&dataset);
}

/* ---- models ---- */

static char *train_bytes(void **state, const crd_arrays *arrays, size_t *size)
{
    crd_dataset *dataset = make(arrays);
    crd_config *config = NULL;
    crd_split *split = NULL;
    crd_model *model = NULL;
    const char *path = in(state, "model.safetensors");
    assert_int_equal(crd_config_new(&config, NULL), CRD_OK);
    assert_int_equal(crd_config_set(config, "max-epochs", "3", NULL), CRD_OK);
    assert_int_equal(crd_split_make(dataset, "30/30/rest", 0, 1, &split, NULL), CRD_OK);
    assert_int_equal(crd_train(dataset, split, config, NULL, &model, NULL), CRD_OK);
    assert_int_equal(crd_model_save(model, path, NULL), CRD_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 22);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 22, file);
    assert_true(*size > 0 && *size < 1 << 22);
    fclose(file);
    crd_model_free(&model);
    crd_split_free(&split);
    crd_config_free(&config);
    crd_dataset_free(&dataset);
    return bytes;
}

static void every_form_gives_the_same_model(void **state)
{
    static edge_list list;
    static matrix m;
    int32_t labels[NODES];
    int releases = 0;
    for (int i = 0; i < NODES; i++) labels[i] = i % 3;
    char *bytes[3];
    size_t size[3];
    for (int form = 0; form < 3; form++) {
        crd_arrays arrays = {.size = sizeof arrays, .nodes = NODES, .labels = labels};
        draw_list(form == 0 ? ONE_WAY : form == 1 ? MESSY : BOTH_WAYS, &list);
        draw_matrix(4, form == 1, &m);
        put_edges(&arrays, &list, form == 0 ? 3 : form == 1 ? 6 : 5);
        put_features(&arrays, &m, form == 0 ? 0 : form == 1 ? 7 : 5);
        if (form == 2) {
            arrays.release = count_release;
            arrays.user = &releases;
        }
        bytes[form] = train_bytes(state, &arrays, &size[form]);
        assert_int_equal(size[form], size[0]);
        assert_memory_equal(bytes[form], bytes[0], size[0]);
    }
    for (int form = 0; form < 3; form++) free(bytes[form]);
    assert_int_equal(releases, 1);
}

/* ---- borrowing ---- */

/* Constants of the program, which nobody can write to. */
static const int64_t path_start[] = {0, 1, 3, 4}, unsorted_start[] = {0, 1, 3, 4};
static const int32_t path_start_narrow[] = {0, 1, 3, 4}, path_neighbour[] = {1, 0, 2, 1};
static const int64_t path_neighbour_wide[] = {1, 0, 2, 1};
static const int32_t one_way[] = {1, 2, 2, 0}, unsorted[] = {1, 2, 0, 1}, repeated[] = {1, 0, 0, 1};
static const float few[] = {0, 0, 5, 0, 0, 0, 0, 0, 7}, many[] = {1, 2, 3, 4, 5, 6, 7, 0, 9};
static const double many_wide[] = {1, 2, 3, 4, 5, 6, 7, 0, 9}, two_wide[] = {5, 7};
static const int64_t two_start[] = {0, 1, 1, 2};
static const int32_t two_column[] = {2, 2};
static const float two_value[] = {5, 7}, zero_value[] = {5, 0};

static crd_arrays path_graph(int *releases)
{
    *releases = 0;
    return (crd_arrays){.size = sizeof(crd_arrays),
                        .nodes = 3,
                        .edges = 4,
                        .start = {path_start, CRD_INT64},
                        .neighbour = {path_neighbour, CRD_INT32},
                        .release = count_release,
                        .user = releases};
}

/* Which arrays of a dataset are the caller's: "start neighbour | input-start input-neighbour | ..." as letters. */
static const char *kept(const crd_arrays *a, const crd_dataset *dataset)
{
    static char found[16];
    const int64_t *start, *input_start, *row_start;
    const int32_t *neighbour, *input_neighbour, *column;
    const float *value;
    (void)crd_dataset_adjacency(dataset, &start, &neighbour);
    (void)crd_dataset_input(dataset, &input_start, &input_neighbour);
    (void)crd_dataset_sparse(dataset, &row_start, &column, &value);
    const struct {
        const void *own, *given;
        char letter;
    } arrays[] = {{start, a->start.data, 'S'},         {neighbour, a->neighbour.data, 'N'},
                  {input_start, a->start.data, 's'},   {input_neighbour, a->neighbour.data, 'n'},
                  {row_start, a->row_start.data, 'r'}, {column, a->column.data, 'c'},
                  {value, a->value.data, 'v'},         {crd_dataset_dense(dataset), a->dense.data, 'd'}};
    int count = 0;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i].given != NULL && arrays[i].own == arrays[i].given) found[count++] = arrays[i].letter;
    found[count] = '\0';
    return found;
}

/* Makes the dataset, borrowed and copied; `expected` are the arrays that are kept if they are lent. */
static void check_kept(crd_arrays *arrays, const char *expected)
{
    int *releases = arrays->user;
    crd_dataset *dataset = make(arrays);
    assert_string_equal(kept(arrays, dataset), expected);
    assert_int_equal(*releases, expected[0] == '\0'); /* a loan that is not needed ends at once */
    crd_arrays copied = *arrays;
    copied.release = NULL;
    crd_dataset *other = make(&copied);
    assert_string_equal(kept(arrays, other), "");
    assert_string_equal(crd_dataset_fingerprint(dataset), crd_dataset_fingerprint(other));
    crd_dataset_free(&other);
    assert_int_equal(*releases, expected[0] == '\0');
    crd_dataset_free(&dataset);
    assert_int_equal(*releases, 1);
}

static void borrowed_edges_are_kept(void **state)
{
    (void)state;
    int releases;
    crd_arrays arrays = path_graph(&releases);
    check_kept(&arrays, "SNsn");
    arrays = path_graph(&releases);
    arrays.start = (crd_numbers){path_start_narrow, CRD_INT32}; /* only the starts are converted */
    check_kept(&arrays, "Nn");
    arrays = path_graph(&releases);
    arrays.neighbour = (crd_numbers){path_neighbour_wide, CRD_INT64};
    check_kept(&arrays, "Ss");
    arrays = path_graph(&releases);
    arrays.neighbour = (crd_numbers){one_way, CRD_INT32}; /* rows 1, 2 2, 0: repeated */
    check_kept(&arrays, "");
    static const int64_t once_start[] = {0, 1, 2, 3};
    static const int32_t once[] = {1, 2, 2};
    arrays = path_graph(&releases);
    arrays.edges = 3; /* 0>1, 1>2 and a self-loop: the input is kept, models see another graph */
    arrays.start = (crd_numbers){once_start, CRD_INT64};
    arrays.neighbour = (crd_numbers){once, CRD_INT32};
    check_kept(&arrays, "sn");
    arrays = path_graph(&releases);
    arrays.start = (crd_numbers){unsorted_start, CRD_INT64};
    arrays.neighbour = (crd_numbers){unsorted, CRD_INT32}; /* only the neighbours are sorted */
    check_kept(&arrays, "Ss");
    arrays = path_graph(&releases);
    arrays.neighbour = (crd_numbers){repeated, CRD_INT32};
    check_kept(&arrays, "");
    arrays = path_graph(&releases); /* pairs are never what the library holds */
    arrays.start = arrays.neighbour = (crd_numbers){0};
    arrays.source = (crd_numbers){path_neighbour, CRD_INT32};
    arrays.target = (crd_numbers){one_way, CRD_INT32};
    check_kept(&arrays, "");
    arrays = path_graph(&releases);
    arrays.edges = 0; /* no edges at all, and no array of them */
    static const int64_t zeros[] = {0, 0, 0, 0};
    arrays.start = (crd_numbers){zeros, CRD_INT64};
    arrays.neighbour = (crd_numbers){0};
    check_kept(&arrays, "Ss");
}

static void borrowed_features_are_kept(void **state)
{
    (void)state;
    int releases;
    crd_arrays arrays = path_graph(&releases);
    arrays.features = 3;
    arrays.dense = (crd_numbers){many, CRD_FLOAT32};
    check_kept(&arrays, "SNsnd");
    releases = 0;
    arrays.dense_stride = 3;
    check_kept(&arrays, "SNsnd");
    releases = 0;
    arrays.dense = (crd_numbers){many_wide, CRD_FLOAT64};
    check_kept(&arrays, "SNsn");
    releases = 0;
    arrays.features = 2; /* the first two of three columns */
    arrays.dense = (crd_numbers){many, CRD_FLOAT32};
    check_kept(&arrays, "SNsn");
    releases = 0;
    arrays.features = 3;
    arrays.dense = (crd_numbers){few, CRD_FLOAT32}; /* becomes sparse */
    check_kept(&arrays, "SNsn");
    releases = 0;
    arrays.dense = (crd_numbers){0};
    arrays.entries = 2;
    arrays.row_start = (crd_numbers){two_start, CRD_INT64};
    arrays.column = (crd_numbers){two_column, CRD_INT32};
    arrays.value = (crd_numbers){two_value, CRD_FLOAT32};
    check_kept(&arrays, "SNsnrcv");
    releases = 0;
    arrays.value = (crd_numbers){two_wide, CRD_FLOAT64};
    check_kept(&arrays, "SNsnrc");
    releases = 0;
    arrays.value = (crd_numbers){zero_value, CRD_FLOAT32};
    check_kept(&arrays, "SNsn");
}

/* A loan lasts until the dataset is gone, whatever happens to the dataset in between. */
static void borrowed_features_are_never_written(void **state)
{
    (void)state;
    int releases;
    crd_arrays arrays = path_graph(&releases);
    arrays.features = 3;
    arrays.entries = 2;
    arrays.row_start = (crd_numbers){two_start, CRD_INT64};
    arrays.column = (crd_numbers){two_column, CRD_INT32};
    arrays.value = (crd_numbers){two_value, CRD_FLOAT32};
    for (int round = 0; round < 2; round++) {
        static const int32_t order[] = {2, 0, 1};
        releases = 0;
        crd_dataset *dataset = make(&arrays);
        assert_int_equal(crd_features_take_columns(&dataset->features, order, dataset->features.columns, NULL), CRD_OK);
        if (round == 0) {
            assert_int_equal(dataset->features.column[0], 0);
            assert_ptr_equal(dataset->graph.neighbour, path_neighbour);
        } else assert_true(dataset->features.dense[0] == 3.0f && dataset->features.dense[1] == 1.0f);
        assert_int_equal(releases, 0);
        crd_dataset_free(&dataset);
        assert_int_equal(releases, 1);
        arrays.entries = 0;
        arrays.row_start = arrays.column = arrays.value = (crd_numbers){0};
        arrays.dense = (crd_numbers){many, CRD_FLOAT32};
    }
}

/* ---- weights ---- */

static void check_weights(const crd_arrays *arrays, int64_t entries, const char *note)
{
    crd_dataset *dataset = make(arrays);
    assert_int_equal(crd_dataset_input(dataset, NULL, NULL), entries);
    if (note != NULL) assert_true(has_note(dataset, note));
    else assert_false(has_note(dataset, "weight"));
    crd_dataset_free(&dataset);
}

static void weights_mean_what_they_do_in_files(void **state)
{
    (void)state;
    static const double half[] = {0.5, 2, 1, 0}, ones[] = {1, 1, 1, 1};
    static const float half_single[] = {0.5f, 2, 1, 0};
    static const int64_t counts[] = {3, 2, 1, 0};
    static const int32_t counts_narrow[] = {3, 2, 1, 0};
    const crd_numbers weights[] = {
        {half, CRD_FLOAT64}, {half_single, CRD_FLOAT32}, {counts, CRD_INT64}, {counts_narrow, CRD_INT32}};
    static const int32_t source[] = {0, 1, 1, 2};
    int releases;
    for (int form = 0; form < 8; form++) {
        crd_arrays arrays = path_graph(&releases);
        crd_error error = {0};
        crd_dataset *dataset = NULL;
        if (form >= 4) {
            arrays.start = arrays.neighbour = (crd_numbers){0};
            arrays.source = (crd_numbers){source, CRD_INT32};
            arrays.target = (crd_numbers){path_neighbour, CRD_INT32};
        }
        arrays.weight = weights[form % 4];
        check_weights(&arrays, 3, "edge weights are not used: every edge counts the same");
        check_weights(&arrays, 3, "1 stored edge of weight 0 was left out");
        arrays.min_edge_weight = 1.0;
        check_weights(&arrays, form % 4 < 2 ? 2 : 3, "of a weight below 1 ");
        arrays.min_edge_weight = 0.0;
        arrays.edge_weights = CRD_WEIGHTS_IGNORE;
        check_weights(&arrays, 3, "1 stored edge of weight 0 was left out");
        arrays.edge_weights = CRD_WEIGHTS_REFUSE;
        releases = 0;
        assert_int_equal(crd_dataset_from_arrays(&arrays, &dataset, &error), CRD_ERROR_FORMAT);
        assert_non_null(strstr(error.message, form % 4 < 2
                                                  ? "arrays: edge 0: has the weight 0.5, and weights are refused"
                                                  : "arrays: edge 0: has the weight 3, and weights are refused"));
        assert_null(dataset);
        assert_int_equal(releases, 1);
        arrays.weight = (crd_numbers){ones, CRD_FLOAT64}; /* as SciPy has them in every matrix: they say nothing */
        check_weights(&arrays, 4, NULL);
    }
    crd_arrays arrays = path_graph(&releases);
    arrays.weight = (crd_numbers){ones, CRD_FLOAT64};
    check_kept(&arrays, "SNsn");
    /* In double precision a tiny weight is one, and 0.7 is not less than 0.7. */
    static const double exact[] = {0.7, 1e-300, 0.7, 0.7};
    arrays.weight = (crd_numbers){exact, CRD_FLOAT64};
    check_weights(&arrays, 4, "edge weights are not used");
    arrays.min_edge_weight = 0.7;
    check_weights(&arrays, 3, "1 stored edge of a weight below 0.7 was left out");
}

/* ---- looking ---- */

static void arrays_can_be_read_back(void **state)
{
    (void)state;
    static const int64_t source[] = {0, 1}, target[] = {1, 1};
    static const int32_t labels[] = {1, -1, 0};
    static const char *const nodes[] = {"ann", "bob", "cy"}, *const classes[] = {"yes", "no"}, *const words[] = {"x"};
    static const float x[] = {1, 0, 2};
    crd_arrays arrays = {.size = sizeof arrays,
                         .nodes = 3,
                         .edges = 2,
                         .source = {source, CRD_INT64},
                         .target = {target, CRD_INT64},
                         .features = 1,
                         .dense = {x, CRD_FLOAT32},
                         .labels = labels,
                         .classes = 2,
                         .class_names = classes,
                         .node_names = nodes,
                         .feature_names = words};
    crd_dataset *dataset = make(&arrays);
    const int64_t *start, expected_start[] = {0, 1, 2, 2}, input_start[] = {0, 1, 2, 2};
    const int32_t *neighbour, expected[] = {1, 0}, input[] = {1, 1};
    assert_memory_equal(crd_dataset_labels(dataset), labels, sizeof labels);
    assert_int_equal(crd_dataset_adjacency(dataset, &start, &neighbour), 2);
    assert_memory_equal(start, expected_start, sizeof expected_start);
    assert_memory_equal(neighbour, expected, sizeof expected);
    assert_int_equal(crd_dataset_input(dataset, &start, &neighbour), 2);
    assert_memory_equal(start, input_start, sizeof input_start);
    assert_memory_equal(neighbour, input, sizeof input);
    assert_memory_equal(crd_dataset_dense(dataset), x, sizeof x);
    assert_ptr_not_equal(crd_dataset_dense(dataset), x);
    assert_int_equal(crd_dataset_sparse(dataset, NULL, NULL, NULL), 0);
    for (int i = 0; i < 3; i++) assert_string_equal(crd_dataset_node_names(dataset)[i], nodes[i]);
    for (int i = 0; i < 2; i++) assert_string_equal(crd_dataset_class_names(dataset)[i], classes[i]);
    assert_string_equal(crd_dataset_feature_names(dataset)[0], "x");
    crd_dataset_free(&dataset);
    arrays = (crd_arrays){.size = sizeof arrays, .nodes = 5000}; /* a program may have nodes and nothing else */
    dataset = make(&arrays);
    assert_int_equal(crd_dataset_adjacency(dataset, &start, &neighbour), 0);
    assert_int_equal(start[5000], 0);
    assert_int_equal(crd_dataset_labels(dataset)[4999], -1);
    assert_null(crd_dataset_dense(dataset));
    assert_int_equal(crd_dataset_sparse(dataset, &start, &neighbour, NULL), 0);
    assert_null(start);
    assert_null(neighbour);
    assert_null(crd_dataset_node_names(dataset));
    assert_null(crd_dataset_class_names(dataset));
    assert_null(crd_dataset_feature_names(dataset));
    crd_dataset_free(&dataset);
    static const uint8_t roles[] = {CRD_ROLE_TEST, CRD_ROLE_NONE, CRD_ROLE_TRAIN};
    crd_split *split = NULL;
    assert_int_equal(crd_split_from_roles(roles, 3, &split, NULL), CRD_OK);
    assert_memory_equal(crd_split_roles(split), roles, sizeof roles);
    crd_split_free(&split);
}

/* ---- wrong arrays ---- */

static void refuse(crd_arrays *arrays, const char *sentence)
{
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    int releases = 0;
    arrays->release = count_release;
    arrays->user = &releases;
    assert_int_not_equal(crd_dataset_from_arrays(arrays, &dataset, &error), CRD_OK);
    assert_null(dataset);
    assert_string_equal(error.message, sentence);
    assert_int_equal(releases, 1);
    assert_int_not_equal(crd_dataset_from_arrays(arrays, &dataset, NULL), CRD_OK);
    assert_int_equal(releases, 2);
}

static void wrong_edges_are_refused(void **state)
{
    (void)state;
    int releases;
    static const int32_t falling[] = {0, 3, 2, 4}, late[] = {1, 2, 3, 4}, high[] = {1, 0, 3, 1}, low[] = {1, 0, -1, 1};
    static const int64_t beyond[] = {1, 0, INT64_C(1) << 40, 1}, high_wide[] = {1, 0, 3, 1};
    crd_arrays arrays = path_graph(&releases);
    arrays.start = (crd_numbers){falling, CRD_INT32};
    refuse(&arrays, "arrays: item 2 of start is 2, less than the one before, 3");
    arrays.start = (crd_numbers){late, CRD_INT32};
    refuse(&arrays, "arrays: start begins with 1, expected 0");
    arrays = path_graph(&releases);
    arrays.edges = 5;
    refuse(&arrays, "arrays: start ends with 4, but edges is 5");
    arrays.edges = INT64_MAX;
    refuse(&arrays, "arrays: edges are more than can be in memory");
    arrays = path_graph(&releases);
    arrays.neighbour = (crd_numbers){high, CRD_INT32};
    refuse(&arrays, "arrays: row 1 of the graph has neighbour 3, but the nodes are 0 to 2");
    arrays.neighbour = (crd_numbers){high_wide, CRD_INT64};
    refuse(&arrays, "arrays: row 1 of the graph has neighbour 3, but the nodes are 0 to 2");
    arrays.neighbour = (crd_numbers){low, CRD_INT32};
    refuse(&arrays, "arrays: row 1 of the graph has neighbour -1, but the nodes are 0 to 2");
    arrays.neighbour = (crd_numbers){beyond, CRD_INT64};
    refuse(&arrays, "arrays: row 1 of the graph has neighbour 1099511627776, but the nodes are 0 to 2");
    arrays.neighbour = (crd_numbers){path_neighbour, (crd_type)0};
    refuse(&arrays, "arrays: neighbour has the type 0, expected CRD_INT32 or CRD_INT64");
    arrays.neighbour = (crd_numbers){path_neighbour, (crd_type)9};
    refuse(&arrays, "arrays: neighbour has the type 9, expected CRD_INT32 or CRD_INT64");
    arrays.neighbour = (crd_numbers){path_neighbour, CRD_FLOAT32};
    refuse(&arrays, "arrays: neighbour has the type 3, expected CRD_INT32 or CRD_INT64");
    arrays.neighbour = (crd_numbers){(const char *)path_neighbour + 2, CRD_INT32};
    refuse(&arrays, "arrays: the address of neighbour is not a multiple of the 4 bytes of an item");
    arrays.neighbour = (crd_numbers){0};
    refuse(&arrays, "arrays: start needs neighbour");
    arrays = path_graph(&releases);
    arrays.start = (crd_numbers){0};
    refuse(&arrays, "arrays: neighbour needs start");
    arrays = path_graph(&releases);
    arrays.source = arrays.target = arrays.neighbour;
    refuse(&arrays, "arrays: edges are either pairs (source, target) or rows (start, neighbour), not both");
    arrays = path_graph(&releases);
    arrays.weight = (crd_numbers){many, (crd_type)5};
    refuse(&arrays, "arrays: weight has the type 5, expected CRD_INT32 or CRD_INT64 or CRD_FLOAT32 or CRD_FLOAT64");
    arrays = path_graph(&releases);
    arrays.edge_weights = (crd_edge_weights)7;
    refuse(&arrays, "arrays: edge_weights must be CRD_WEIGHTS_AUTO, _IGNORE or _REFUSE");
    arrays = path_graph(&releases);
    arrays.min_edge_weight = 2.0;
    refuse(&arrays, "min-edge-weight is 2, but no edge of arrays has a weight other than 1");
}

static void wrong_features_are_refused(void **state)
{
    (void)state;
    int releases;
    static double nan_value[] = {1, 0}, huge[] = {1, 1e300, 1, 1, 1, 1, 1, 1, 1};
    static const int64_t beyond[] = {2, -(INT64_C(1) << 40)};
    static const int32_t high[] = {2, 3};
    nan_value[1] = (double)NAN;
    crd_arrays base = path_graph(&releases);
    base.features = 3;
    crd_arrays arrays = base;
    arrays.dense = (crd_numbers){many, CRD_FLOAT32};
    arrays.dense_stride = 2;
    refuse(&arrays, "arrays: dense_stride is 2, expected at least the 3 features");
    arrays.dense_stride = -3;
    refuse(&arrays, "arrays: dense_stride is -3, expected at least the 3 features");
    arrays.dense_stride = INT64_MAX / 2;
    refuse(&arrays, "arrays: nodes x dense_stride is more than can be in memory");
    arrays.dense_stride = 0;
    arrays.features = 0;
    refuse(&arrays, "arrays: the number of features must not be 0 if there is an array of them");
    arrays.features = 3;
    arrays.dense = (crd_numbers){huge, CRD_FLOAT64};
    refuse(&arrays, "arrays: row 0, column 1 of the features: expected a number that a float can hold, found 1e+300");
    arrays.dense = (crd_numbers){nan_value, CRD_FLOAT64};
    arrays.nodes = 1;
    arrays.edges = 0;
    arrays.features = 2;
    static const int64_t none[] = {0, 0};
    arrays.start = (crd_numbers){none, CRD_INT64};
    refuse(&arrays, "arrays: row 0, column 1 of the features: expected a finite number, found nan");
    arrays = base;
    arrays.entries = 2;
    arrays.row_start = (crd_numbers){two_start, CRD_INT64};
    arrays.column = (crd_numbers){high, CRD_INT32};
    refuse(&arrays, "arrays: row 2 of the features has column 3, but the columns are 0 to 2");
    arrays.column = (crd_numbers){beyond, CRD_INT64};
    refuse(&arrays, "arrays: row 2 of the features has column -1099511627776, but the columns are 0 to 2");
    arrays.column = (crd_numbers){two_column, CRD_INT32};
    arrays.value = (crd_numbers){nan_value, CRD_FLOAT64};
    refuse(&arrays, "arrays: row 2, column 2 of the features: expected a finite number, found nan");
    arrays.value = (crd_numbers){huge, CRD_FLOAT64};
    refuse(&arrays, "arrays: item 1 of value: expected a number that a float can hold, found 1e+300");
    arrays.value = (crd_numbers){two_start, CRD_INT64};
    refuse(&arrays, "arrays: value has the type 2, expected CRD_FLOAT32 or CRD_FLOAT64");
    arrays.value = (crd_numbers){0};
    arrays.entries = 3;
    refuse(&arrays, "arrays: row_start ends with 2, but entries is 3");
    arrays.column = (crd_numbers){0};
    refuse(&arrays, "arrays: entries of sparse features need column");
}

/* An older program's structure ends earlier: what it does not have is zero. */
static void structures_have_a_size(void **state)
{
    (void)state;
    int releases;
    crd_arrays arrays = path_graph(&releases);
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    arrays.size = 0;
    assert_int_equal(crd_dataset_from_arrays(&arrays, &dataset, &error), CRD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "the size of crd_arrays is 0, expected sizeof(crd_arrays)"));
    assert_int_equal(crd_dataset_from_arrays(NULL, &dataset, &error), CRD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "crd_dataset_from_arrays: arrays is NULL");
    assert_int_equal(releases, 0);
    arrays.size = offsetof(crd_arrays, release);
    dataset = make(&arrays);
    assert_string_equal(kept(&arrays, dataset), ""); /* without a release function nothing is borrowed */
    crd_dataset_free(&dataset);
    assert_int_equal(releases, 0);
    struct {
        crd_arrays known;
        char more[64];
    } newer = {.known = arrays}; /* a newer program's */
    newer.known.size = sizeof newer;
    dataset = make(&newer.known);
    crd_dataset_free(&dataset);
    assert_int_equal(releases, 1);
    newer.more[63] = 1;
    assert_int_equal(crd_dataset_from_arrays(&newer.known, &dataset, &error), CRD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "does not know: use the library that the program was compiled for"));
    assert_int_equal(releases, 2); /* who lends arrays is told also if the call cannot even begin */
    newer.more[63] = 0;
    assert_int_equal(crd_dataset_from_arrays(&newer.known, NULL, &error), CRD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "crd_dataset_from_arrays: dataset is NULL");
    assert_int_equal(releases, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_edges_is_the_same),
        cmocka_unit_test(every_form_of_features_is_the_same),
        cmocka_unit_test(values_may_be_left_out),
        FOLDER_TEST(every_form_gives_the_same_model),
        cmocka_unit_test(borrowed_edges_are_kept),
        cmocka_unit_test(borrowed_features_are_kept),
        cmocka_unit_test(borrowed_features_are_never_written),
        cmocka_unit_test(weights_mean_what_they_do_in_files),
        cmocka_unit_test(arrays_can_be_read_back),
        cmocka_unit_test(wrong_edges_are_refused),
        cmocka_unit_test(wrong_features_are_refused),
        cmocka_unit_test(structures_have_a_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
