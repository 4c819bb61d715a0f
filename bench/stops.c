/* SPDX-License-Identifier: MIT */
/* bench_stops: how late long calls return once somebody asks them to stop, at any size. See bench/README.md.
 *
 * Each call runs once to its end, which gives its time and its largest gap: the longest time without a look at the
 * stop flag. Then it runs again and again, and another thread sets the flag at a random moment. Prints one JSON object
 * per call. With "where", it also prints the stack whenever the gap gets long, to be read with addr2line. */
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "credence_private.h"
#include "graph/dataset.h"

enum { FRAMES = 24 };
static const double LONG_GAP = 0.06;

static void die(const char *what)
{
    fprintf(stderr, "bench_stops: %s\n", what);
    exit(1);
}

static void must(crd_status status, const crd_error *error)
{
    if (status != CRD_OK) die(error->message);
}

static void *must_have(void *memory)
{
    if (memory == NULL) die("out of memory");
    return memory;
}

/* ---- memory that is counted, so that a stopped call that leaks is seen ---- */

static atomic_llong live;

static void *counted(size_t bytes, void *user)
{
    (void)user;
    atomic_fetch_add(&live, 1);
    return malloc(bytes);
}

static void *counted_zero(size_t bytes, void *user)
{
    (void)user;
    atomic_fetch_add(&live, 1);
    return calloc(1, bytes);
}

static void *recounted(void *block, size_t bytes, void *user)
{
    (void)user;
    return realloc(block, bytes);
}

static void uncounted(void *block, void *user)
{
    (void)user;
    atomic_fetch_sub(&live, 1);
    free(block);
}

/* ---- the calls ---- */

typedef struct {
    const char *folder;
    crd_dataset *dataset;
    crd_split *split;
    crd_model *model[2]; /* a committee and a gpn */
    int64_t *source, *target;
    int64_t edges;
    crd_control control;
    int64_t epochs; /* that the call-back has seen in this call */
} subject;

static char path_buffer[4096];
static const char *in_folder(const subject *s, const char *name)
{
    snprintf(path_buffer, sizeof path_buffer, "%s/%s", s->folder, name);
    return path_buffer;
}

static crd_status open_file(subject *s, const char *name)
{
    const crd_open_options options = {.size = sizeof options, .control = &s->control};
    crd_dataset *dataset;
    const crd_status status = crd_dataset_open(in_folder(s, name), &options, &dataset, NULL);
    crd_dataset_free(&dataset);
    return status;
}

static crd_status open_npz(subject *s)
{
    return open_file(s, "graph.npz");
}

static crd_status open_text(subject *s)
{
    return open_file(s, "text");
}

static crd_status open_packed(subject *s)
{
    return open_file(s, "ogb");
}

static crd_status from_arrays(subject *s)
{
    const crd_features *f = &s->dataset->features;
    crd_dataset *dataset;
    const crd_arrays given = {.size = sizeof given,
                              .nodes = s->dataset->graph.nodes,
                              .edges = s->edges,
                              .source = {s->source, CRD_INT64},
                              .target = {s->target, CRD_INT64},
                              .features = f->columns,
                              .entries = f->start[f->rows],
                              .row_start = {f->start, CRD_INT64},
                              .column = {f->column, CRD_INT32},
                              .value = {f->value, CRD_FLOAT32},
                              .labels = s->dataset->labels,
                              .control = &s->control};
    const crd_status status = crd_dataset_from_arrays(&given, &dataset, NULL);
    crd_dataset_free(&dataset);
    return status;
}

static crd_generate_options recipe(int64_t nodes)
{
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = nodes;
    options.degree = 20;
    options.words = 8;
    options.strength = 0.3;
    return options;
}

static crd_status generate(subject *s)
{
    crd_generate_options options = recipe(s->dataset->graph.nodes);
    crd_dataset *dataset;
    options.control = &s->control;
    const crd_status status = crd_generate(&options, &dataset, NULL);
    crd_dataset_free(&dataset);
    return status;
}

static crd_status train(subject *s, const char *kind, crd_model **model)
{
    const crd_train_options options = {.size = sizeof options, .control = &s->control};
    crd_config config;
    crd_error error;
    crd_config_defaults(&config);
    must(crd_config_set(&config, "model", kind, &error), &error);
    must(crd_config_set(&config, "max-epochs", "2", &error), &error);
    if (strcmp(kind, "committee") == 0) must(crd_config_set(&config, "networks", "2", &error), &error);
    if (strcmp(kind, "gpn") == 0) must(crd_config_set(&config, "warmup", "1", &error), &error);
    s->epochs = 0;
    return crd_train(s->dataset, s->split, &config, &options, model, NULL);
}

static crd_status train_and_check(subject *s, const char *kind)
{
    crd_model *model;
    const crd_status status = train(s, kind, &model);
    if (status == CRD_ERROR_STOPPED && s->epochs > 0) die("the best model so far was not kept");
    crd_model_free(&model);
    return status;
}

static crd_status train_committee(subject *s)
{
    return train_and_check(s, "committee");
}

static crd_status train_gpn(subject *s)
{
    return train_and_check(s, "gpn");
}

static crd_status train_egcn(subject *s)
{
    return train_and_check(s, "egcn");
}

static crd_status predict(subject *s, int which)
{
    crd_prediction *prediction;
    const crd_status status = crd_predict(s->model[which], s->dataset, &s->control, &prediction, NULL);
    crd_prediction_free(&prediction);
    return status;
}

static crd_status predict_committee(subject *s)
{
    return predict(s, 0);
}

static crd_status predict_gpn(subject *s)
{
    return predict(s, 1);
}

static crd_status evaluate(subject *s, int which, crd_task task)
{
    crd_evaluation evaluation;
    return crd_evaluate(s->model[which], s->dataset, NULL, task, &s->control, &evaluation, NULL);
}

static crd_status evaluate_committee(subject *s)
{
    return evaluate(s, 0, CRD_TASK_MISCLASSIFICATION);
}

static crd_status evaluate_gpn(subject *s)
{
    return evaluate(s, 1, CRD_TASK_MISCLASSIFICATION);
}

static crd_status evaluate_shift(subject *s)
{
    crd_evaluation evaluation;
    crd_shift shift;
    crd_shift_defaults(&shift);
    shift.kind = CRD_SHIFT_REWIRE;
    return crd_evaluate_shift(s->model[1], s->dataset, NULL, &shift, &s->control, &evaluation, NULL);
}

static crd_status explain(subject *s, int which)
{
    crd_explanation *explanation;
    const crd_status status = crd_explain(s->model[which], s->dataset, 5, 10, &s->control, &explanation, NULL);
    crd_explanation_free(&explanation);
    return status;
}

static crd_status explain_committee(subject *s)
{
    return explain(s, 0);
}

static crd_status explain_gpn(subject *s)
{
    return explain(s, 1);
}

static crd_status serve(subject *s, int which)
{
    crd_serving *serving;
    const crd_status status = crd_serving_open(s->model[which], s->dataset, &s->control, &serving, NULL);
    crd_serving_free(&serving);
    return status;
}

static crd_status serve_committee(subject *s)
{
    return serve(s, 0);
}

static crd_status serve_gpn(subject *s)
{
    return serve(s, 1);
}

static crd_status map(subject *s)
{
    enum { DIMS = 8 };
    const int64_t count = s->dataset->graph.nodes / 10;
    float *points = must_have(malloc((size_t)(count * (DIMS + 2)) * sizeof *points));
    for (int64_t i = 0; i < count * DIMS; i++) points[i] = (float)(s->target[i % s->edges] % 1000);
    crd_tsne_options options;
    crd_tsne_defaults(&options);
    options.iterations = 5;
    options.control = &s->control;
    const crd_status status = crd_tsne(points, count, DIMS, &options, points + count * DIMS, NULL, NULL);
    free(points);
    return status;
}

static crd_status report(subject *s)
{
    crd_report *page;
    crd_error error;
    crd_report_options options;
    crd_tsne_options tsne;
    crd_tsne_defaults(&tsne);
    tsne.iterations = 2;
    crd_report_defaults(&options);
    options.tsne = &tsne;
    options.map = s->dataset->features.value; /* any numbers are a map */
    options.control = &s->control;
    must(crd_report_new("stops", &page, &error), &error);
    const crd_status status = crd_report_add_model(page, s->model[1], s->dataset, &options, &error);
    crd_report_free(&page);
    return status;
}

typedef struct {
    const char *name;
    crd_status (*run)(subject *s);
} call;

static const call calls[] = {{"open-npz", open_npz},
                             {"open-text", open_text},
                             {"open-ogb", open_packed},
                             {"from-arrays", from_arrays},
                             {"generate", generate},
                             {"train-committee", train_committee},
                             {"train-gpn", train_gpn},
                             {"train-egcn", train_egcn},
                             {"predict-committee", predict_committee},
                             {"predict-gpn", predict_gpn},
                             {"evaluate-committee", evaluate_committee},
                             {"evaluate-gpn", evaluate_gpn},
                             {"evaluate-shift", evaluate_shift},
                             {"explain-committee", explain_committee},
                             {"explain-gpn", explain_gpn},
                             {"serve-committee", serve_committee},
                             {"serve-gpn", serve_gpn},
                             {"map", map},
                             {"report", report}};

/* ---- looking ---- */

static double told, gap; /* when the call-back was called last; the longest time between two calls of it */
static atomic_ullong looks;

static bool look(const crd_progress *progress, void *user)
{
    subject *s = user;
    const double now = bench_now();
    if (now - told > gap) gap = now - told;
    told = now;
    s->epochs += progress->epoch != NULL && !progress->epoch->warmup;
    atomic_fetch_add(&looks, 1);
    return true;
}

static void nap(double seconds)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * seconds)}, NULL);
}

static pthread_t caller;
static atomic_bool ended;
static int stop;
static bool show_late;
static double delay, asked; /* seconds; when the flag was set */

static void show_stack(int signal)
{
    void *frame[FRAMES];
    (void)signal;
    const int count = backtrace(frame, FRAMES);
    backtrace_symbols_fd(frame, count, STDERR_FILENO);
    if (write(STDERR_FILENO, "\n", 1) < 0) return;
}

/* Interrupts the caller whenever it has not looked for long. */
static void *watch_gaps(void *unused)
{
    unsigned long long seen = 0;
    double since = bench_now();
    (void)unused;
    while (!atomic_load(&ended)) {
        nap(5e-3);
        const unsigned long long now = atomic_load(&looks);
        if (now != seen) since = bench_now();
        seen = now;
        if (bench_now() - since < LONG_GAP) continue;
        pthread_kill(caller, SIGUSR1);
        since = bench_now();
    }
    return NULL;
}

static void *ask_to_stop(void *unused)
{
    const double begin = bench_now();
    (void)unused;
    while (!atomic_load(&ended) && bench_now() - begin < delay) nap(5e-4);
    asked = bench_now();
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (double shown = asked; show_late && !atomic_load(&ended); nap(5e-3)) {
        if (bench_now() - shown < LONG_GAP) continue;
        shown = bench_now();
        pthread_kill(caller, SIGUSR1);
    }
    return NULL;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double run_whole(subject *s, const call *c, bool where)
{
    pthread_t watcher;
    s->control = (crd_control){.size = sizeof s->control, .progress = look, .user = s};
    gap = 0.0;
    atomic_store(&ended, false);
    const double begin = told = bench_now();
    if (where && pthread_create(&watcher, NULL, watch_gaps, NULL) != 0) die("no thread");
    const crd_status status = c->run(s);
    const double seconds = bench_now() - begin;
    if (bench_now() - told > gap) gap = bench_now() - told;
    atomic_store(&ended, true);
    if (where) pthread_join(watcher, NULL);
    if (status != CRD_OK) die(c->name);
    return seconds;
}

/* Seconds from the request to the return; below 0: it had returned before. */
static double run_stopped(subject *s, const call *c, double after)
{
    pthread_t asker;
    s->control = (crd_control){.size = sizeof s->control, .progress = look, .user = s, .stop = &stop};
    stop = 0;
    delay = after;
    atomic_store(&ended, false);
    const long long before = atomic_load(&live);
    if (pthread_create(&asker, NULL, ask_to_stop, NULL) != 0) die("no thread");
    const crd_status status = c->run(s);
    const double returned = bench_now();
    atomic_store(&ended, true);
    pthread_join(asker, NULL);
    if (status != CRD_OK && status != CRD_ERROR_STOPPED) die(c->name);
    if (atomic_load(&live) != before) die("a stopped call has leaked");
    return returned - asked;
}

/* The moments are random, one in each of as many equal parts of the call's time. */
static void measure(subject *s, const call *c, int stops, bool where)
{
    const double seconds = run_whole(s, c, where), longest = gap;
    double *late = must_have(calloc((size_t)stops + 1, sizeof *late));
    int counted_stops = 0;
    for (int i = 0; i < stops; i++) {
        const double found = run_stopped(s, c, seconds * (i + (double)rand() / RAND_MAX) / stops);
        if (found >= 0.0) late[counted_stops++] = found;
    }
    qsort(late, (size_t)counted_stops, sizeof *late, ascending);
    const int last = counted_stops > 0 ? counted_stops - 1 : 0;
    printf("{\"call\":\"%s\",\"seconds\":%.2f,\"gap_ms\":%.0f,\"stops\":%d,\"median_ms\":%.0f,\"p99_ms\":%.0f,"
           "\"most_ms\":%.0f}\n",
           c->name, seconds, 1e3 * longest, counted_stops, 1e3 * late[counted_stops / 2],
           1e3 * late[counted_stops * 99 / 100 < last ? counted_stops * 99 / 100 : last], 1e3 * late[last]);
    fflush(stdout);
    free(late);
}

/* ---- what the calls need ---- */

static bool is_there(const char *path)
{
    return access(path, R_OK) == 0;
}

static void prepare(subject *s, int64_t nodes)
{
    crd_error error;
    if (!is_there(in_folder(s, "graph.npz"))) {
        const crd_generate_options options = recipe(nodes);
        must(crd_generate(&options, &s->dataset, &error), &error);
        must(crd_dataset_save(s->dataset, in_folder(s, "text"), CRD_FORMAT_CSV, &error), &error);
        must(crd_dataset_save(s->dataset, in_folder(s, "ogb"), CRD_FORMAT_OGB, &error), &error);
        must(crd_dataset_save(s->dataset, in_folder(s, "graph.npz"), CRD_FORMAT_NPZ, &error), &error);
        crd_dataset_free(&s->dataset);
    }
    must(crd_dataset_open(in_folder(s, "graph.npz"), NULL, &s->dataset, &error), &error);
    must(crd_split_make(s->dataset, "5/15/80", 0, 1, &s->split, &error), &error);
    const crd_graph *g = &s->dataset->graph;
    s->edges = g->start[g->nodes];
    s->source = must_have(malloc((size_t)s->edges * sizeof *s->source));
    s->target = must_have(malloc((size_t)s->edges * sizeof *s->target));
    for (int64_t i = 0; i < g->nodes; i++)
        for (int64_t e = g->start[i]; e < g->start[i + 1]; e++) {
            s->source[e] = i;
            s->target[e] = g->neighbour[e];
        }
    static const char *const kinds[] = {"committee", "gpn"};
    for (int k = 0; k < 2; k++) {
        if (!is_there(in_folder(s, kinds[k]))) {
            s->control = (crd_control){.size = sizeof s->control};
            if (train(s, kinds[k], &s->model[k]) != CRD_OK) die("training failed");
            must(crd_model_save(s->model[k], in_folder(s, kinds[k]), &error), &error);
            crd_model_free(&s->model[k]);
        }
        must(crd_model_load(in_folder(s, kinds[k]), &s->model[k], &error), &error);
    }
}

static bool is_wanted(const char *name, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return true;
    return count == 0;
}

int main(int argc, char **argv)
{
    if (argc < 4) die("usage: bench_stops FOLDER NODES STOPS [where] [CALL...] (FOLDER keeps the graph and models)");
    const int stops = atoi(argv[3]);
    const bool where = argc > 4 && strcmp(argv[4], "where") == 0;
    const int first = where ? 5 : 4;
    const crd_allocator counting = {.size = sizeof counting,
                                    .allocate = counted,
                                    .allocate_zero = counted_zero,
                                    .reallocate = recounted,
                                    .release = uncounted};
    crd_error error;
    subject s = {.folder = argv[1]};
    caller = pthread_self();
    show_late = where;
    void *frame[1];
    backtrace(frame, 1); /* loads what it needs now, and not in the signal handler */
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = show_stack, .sa_flags = SA_RESTART}, NULL);
    must(crd_set_allocator(&counting, &error), &error);
    prepare(&s, atoll(argv[2]));
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
        if (is_wanted(calls[c].name, argc - first, argv + first)) measure(&s, &calls[c], stops, where);
    crd_model_free(&s.model[0]);
    crd_model_free(&s.model[1]);
    crd_split_free(&s.split);
    crd_dataset_free(&s.dataset);
    free(s.source);
    free(s.target);
    return 0;
}
