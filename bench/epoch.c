/* SPDX-License-Identifier: MIT */
/* bench_epoch: trains a model for a number of epochs through the public interface, and prints the seconds of
 * loading and of every epoch as one JSON object. With --write it prepares a case for other programs instead: the
 * data, the split, the settings and the initial weights as files. See bench/README.md. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "credence_private.h"
#include "public_graphs.h"

enum { PATH_SIZE = 4096 };

static const char USAGE[] =
    "usage: bench_epoch DATA [--known NAME] [--preset NAME] [--config FILE] [--set NAME=VALUE,...]\n"
    "                   [--left-out N] [--seed N] [--threads N] [--split SPEC] [--split-file FILE]\n"
    "                   [--init MODEL] [--epochs N] [--write FOLDER]\n";

typedef struct {
    const char *data, *known, *preset, *config, *left_out, *seed, *threads;
    const char *split, *split_file, *init, *epochs, *write;
    char **set; /* the value of every --set */
    int sets;
} arguments;

typedef struct {
    crd_epoch *epoch; /* of the main phase */
    int64_t count, room;
} record;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void die(const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    fputs("bench_epoch: ", stderr);
    vfprintf(stderr, format, rest);
    fputc('\n', stderr);
    va_end(rest);
    exit(1);
}

static void must(crd_status status, const crd_error *error)
{
    if (status != CRD_OK) die("%s", error->message);
}

static void read_arguments(int count, char **word, arguments *a)
{
    const struct {
        const char *name;
        const char **value;
    } options[] = {
        {"--known", &a->known}, {"--preset", &a->preset},   {"--config", &a->config}, {"--left-out", &a->left_out},
        {"--seed", &a->seed},   {"--threads", &a->threads}, {"--split", &a->split},   {"--split-file", &a->split_file},
        {"--init", &a->init},   {"--epochs", &a->epochs},   {"--write", &a->write}};
    *a = (arguments){.set = calloc((size_t)count, sizeof *a->set)};
    if (a->set == NULL) die("out of memory");
    for (int i = 1; i < count; i++) {
        const char **value = NULL;
        for (size_t o = 0; o < sizeof options / sizeof options[0]; o++)
            if (strcmp(word[i], options[o].name) == 0) value = options[o].value;
        const bool is_set = strcmp(word[i], "--set") == 0;
        if ((value != NULL || is_set) && i + 1 == count) die("%s needs a value\n%s", word[i], USAGE);
        if (is_set) a->set[a->sets++] = word[++i];
        else if (value != NULL) *value = word[++i];
        else if (word[i][0] == '-' || a->data != NULL) die("'%s' is not understood\n%s", word[i], USAGE);
        else a->data = word[i];
    }
    if (a->data == NULL) die("which data?\n%s", USAGE);
}

/* ---- settings ---- */

/* The comma that ends this NAME=VALUE: one that is followed by another NAME=, because values may contain commas
 * too. */
static char *end_of_setting(char *text)
{
    for (char *comma = strchr(text, ','); comma != NULL; comma = strchr(comma + 1, ',')) {
        const size_t next = strcspn(comma + 1, ",=");
        if (comma[1 + next] == '=') return comma;
    }
    return NULL;
}

static void apply_settings(crd_config *config, char *text)
{
    crd_error error;
    while (text != NULL && *text != '\0') {
        char *end = end_of_setting(text), *equals = strchr(text, '=');
        if (end != NULL) *end = '\0';
        if (equals == NULL) die("--set %s: expected NAME=VALUE", text);
        *equals = '\0';
        must(crd_config_set(config, text, equals + 1, &error), &error);
        text = end != NULL ? end + 1 : NULL;
    }
}

static void set_if_given(crd_config *config, const char *name, const char *value)
{
    crd_error error;
    if (value != NULL) must(crd_config_set(config, name, value, &error), &error);
}

static void make_config(const arguments *a, const crd_public_graph *known, crd_config *config)
{
    crd_error error;
    crd_config_defaults(config);
    if (known != NULL) {
        must(crd_config_preset(config, known->gpn, &error), &error);
        config->left_out = known->left_out;
    }
    if (a->preset != NULL) must(crd_config_preset(config, a->preset, &error), &error);
    if (a->config != NULL) must(crd_config_read(config, a->config, &error), &error);
    for (int i = 0; i < a->sets; i++) apply_settings(config, a->set[i]);
    set_if_given(config, "left-out", a->left_out);
    set_if_given(config, "seed", a->seed);
    set_if_given(config, "threads", a->threads);
    set_if_given(config, "max-epochs", a->epochs);
    /* As many epochs as requested, whatever the validation says. */
    if (a->epochs != NULL) config->patience = 1000000000;
}

/* ---- a case for other programs ---- */

static const char *inside(char path[PATH_SIZE], const char *folder, const char *name)
{
    if (snprintf(path, PATH_SIZE, "%s/%s", folder, name) >= PATH_SIZE) die("%s: too long a name", folder);
    return path;
}

static FILE *create(const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) die("%s: %s", path, strerror(errno));
    return file;
}

static void finish(FILE *file, const char *path)
{
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) die("%s: could not be written", path);
}

/* The roles as training uses them: nodes of left-out classes are not training nodes. */
static void write_split(const crd_split *split, int64_t nodes, const char *path)
{
    static const char *const words[] = {NULL, "train", "val", "test"};
    FILE *file = create(path);
    fputs("node,split\n", file);
    for (int64_t i = 0; i < nodes; i++) {
        const crd_role role = crd_split_role(split, i);
        if (role != CRD_ROLE_NONE) fprintf(file, "%lld,%s\n", (long long)i, words[role]);
    }
    finish(file, path);
}

static void write_case(const char *folder, const crd_dataset *dataset, const crd_model *model)
{
    crd_error error;
    char path[PATH_SIZE], *json;
    must(crd_dataset_save(dataset, inside(path, folder, "data.npz"), CRD_FORMAT_NPZ, &error), &error);
    must(crd_model_save(model, inside(path, folder, "init.safetensors"), &error), &error);
    write_split(crd_model_split(model), crd_dataset_nodes(dataset), inside(path, folder, "split.csv"));
    must(crd_config_json(crd_model_config(model), &json, &error), &error);
    FILE *file = create(inside(path, folder, "config.json"));
    fprintf(file, "%s\n", json);
    finish(file, path);
    crd_string_free(&json);
}

/* ---- output ---- */

static bool keep(const crd_progress *progress, void *user)
{
    const crd_epoch *epoch = progress->epoch;
    if (epoch == NULL) return true;
    record *r = user;
    if (epoch->warmup) return true;
    if (r->count == r->room) {
        r->room = r->room == 0 ? 64 : 2 * r->room;
        r->epoch = realloc(r->epoch, (size_t)r->room * sizeof *r->epoch);
        if (r->epoch == NULL) die("out of memory");
    }
    r->epoch[r->count++] = *epoch;
    return true;
}

static void print_number(double x)
{
    if (isfinite(x)) printf("%.17g", x);
    else printf("null");
}

static double seconds_of(const crd_epoch *epoch)
{
    return epoch->seconds;
}

static double loss_of(const crd_epoch *epoch)
{
    return epoch->loss;
}

static double validation_of(const crd_epoch *epoch)
{
    return epoch->validation_cross_entropy;
}

static void print_series(const char *name, const record *r, double (*value)(const crd_epoch *))
{
    printf(", \"%s\": [", name);
    for (int64_t e = 0; e < r->count; e++) {
        if (e > 0) printf(", ");
        print_number(value(&r->epoch[e]));
    }
    printf("]");
}

/* The terms of the first step, with the initial weights. */
static void print_terms(const record *r)
{
    printf(", \"first_terms\": {");
    for (int t = 0; r->count > 0 && t < r->epoch[0].terms; t++) {
        printf("%s\"%s\": ", t > 0 ? ", " : "", r->epoch[0].term_name[t]);
        print_number(r->epoch[0].term[t]);
    }
    printf("}");
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const record *r)
{
    if (r->count == 0) return NAN;
    double *sorted = malloc((size_t)r->count * sizeof *sorted);
    if (sorted == NULL) die("out of memory");
    for (int64_t e = 0; e < r->count; e++) sorted[e] = r->epoch[e].seconds;
    qsort(sorted, (size_t)r->count, sizeof *sorted, by_size);
    const double middle = 0.5 * (sorted[(r->count - 1) / 2] + sorted[r->count / 2]);
    free(sorted);
    return middle;
}

/* The least memory that holds the input as compressed rows: 8 bytes per row, 4 per column index (both directions of
 * every edge), 4 per value, 4 per label. */
static double input_bytes(const crd_info *info)
{
    const double nodes = (double)info->nodes, rows = 8.0 * (nodes + 1.0);
    const double graph = rows + 4.0 * 2.0 * (double)info->edges;
    const double features =
        info->features_sparse ? rows + 8.0 * (double)info->features_nonzero : 4.0 * nodes * (double)info->features;
    return graph + features + 4.0 * nodes;
}

int main(int count, char **word)
{
    arguments a;
    crd_error error;
    crd_dataset *dataset;
    crd_split *split;
    crd_config config;
    crd_info info;
    crd_model *init = NULL, *model;
    record r = {0};

    read_arguments(count, word, &a);
    const double start = now();
    must(crd_dataset_open(a.data, NULL, &dataset, &error), &error);
    const double load_seconds = now() - start;
    const crd_public_graph *known = a.known != NULL ? crd_public_graph_find(a.known) : NULL;
    if (a.known != NULL && known == NULL) die("--known %s: no such graph", a.known);
    if (known != NULL) must(crd_public_graph_prepare(known, dataset, &error), &error);
    make_config(&a, known, &config);
    if (a.write != NULL) config.warmup = config.max_epochs = 0;
    const char *spec = a.split != NULL ? a.split : known != NULL ? known->split : NULL;
    if (a.split_file != NULL) must(crd_split_read(dataset, a.split_file, &split, &error), &error);
    else must(crd_split_make(dataset, spec, 0, config.seed, &split, &error), &error);
    if (a.init != NULL) must(crd_model_load(a.init, &init, &error), &error);

    const crd_control control = {.size = sizeof control, .progress = keep, .user = &r};
    const crd_train_options options = {.size = sizeof options, .init = init, .control = &control};
    const double training = now();
    must(crd_train(dataset, split, &config, &options, &model, &error), &error);
    const double train_seconds = now() - training;
    if (a.write != NULL) write_case(a.write, dataset, model);

    must(crd_dataset_info(dataset, &info, &error), &error);
    printf("{\"load_seconds\": %.9g, \"train_seconds\": %.9g, \"nodes\": %lld, \"edges\": %lld, "
           "\"features\": %lld, \"features_nonzero\": %lld, \"features_sparse\": %s, \"classes\": %d, "
           "\"input_bytes\": %.0f, \"epochs\": %lld, \"median_seconds\": ",
           load_seconds, train_seconds, (long long)info.nodes, (long long)info.edges, (long long)info.features,
           (long long)info.features_nonzero, info.features_sparse ? "true" : "false",
           (int)(info.classes - (int32_t)config.left_out), input_bytes(&info), (long long)r.count);
    print_number(median(&r));
    print_series("seconds", &r, seconds_of);
    print_series("loss", &r, loss_of);
    print_series("validation_cross_entropy", &r, validation_of);
    print_terms(&r);
    printf("}\n");
    crd_model_free(&model);
    crd_model_free(&init);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    free(r.epoch);
    free(a.set);
    return fflush(stdout) == 0 ? 0 : 1;
}
