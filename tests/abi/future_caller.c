/* SPDX-License-Identifier: MIT */
/* A program that was compiled with a newer header: each of its structures has something more at its end. While that is
 * zero, the library works as usual; else it refuses the structure, because it does not know what the program wants. It
 * reads graph.csv, any edge list. */
#include <credence.h>
#include <stdio.h>
#include <string.h>

#define NEWER(type)                                                                                                    \
    struct {                                                                                                           \
        type known;                                                                                                    \
        unsigned char more[16];                                                                                        \
    }

static crd_dataset *dataset;
static crd_split *split;
static crd_model *model;
static int failures;

static void expect(bool right, const char *what, const char *detail)
{
    if (right) return;
    fprintf(stderr, "future_caller: %s: %s\n", what, detail);
    failures++;
}

static void must(crd_status status, const crd_error *error)
{
    expect(status == CRD_OK, "a call fails", error->message);
}

/* ---- structures that programs give ---- */

static unsigned char more[16];                            /* at their end */
static enum { WITH_MORE, WITHOUT_MORE, NO_SIZE } counted; /* in their size */

#define FINISH(structure)                                                                                              \
    (memcpy((structure).more, more, sizeof more), (structure).known.size = counted == NO_SIZE ? 0                      \
                                                                           : counted == WITH_MORE                      \
                                                                               ? sizeof(structure)                     \
                                                                               : sizeof(structure).known)

static crd_status control(crd_error *error)
{
    NEWER(crd_control) c = {.known = {.threads = 1}};
    crd_prediction *prediction = NULL;
    FINISH(c);
    const crd_status status = crd_predict(model, dataset, &c.known, &prediction, error);
    crd_prediction_free(&prediction);
    return status;
}

static crd_status train_options(crd_error *error)
{
    NEWER(crd_train_options) o = {.known = {0}};
    crd_config *config = NULL;
    crd_model *other = NULL;
    FINISH(o);
    crd_status status = crd_config_new(&config, error);
    if (status == CRD_OK) status = crd_config_set(config, "max-epochs", "2", error);
    if (status == CRD_OK) status = crd_train(dataset, split, config, &o.known, &other, error);
    crd_model_free(&other);
    crd_config_free(&config);
    return status;
}

static crd_status generate_options(crd_error *error)
{
    NEWER(crd_generate_options) o;
    crd_dataset *other = NULL;
    memset(&o, 'x', sizeof o);
    crd_generate_defaults_sized(&o.known, sizeof o);
    expect(memcmp(o.more, (const unsigned char[16]){0}, 16) == 0, "crd_generate_defaults", "what is newer is not 0");
    FINISH(o);
    o.known.nodes = 50;
    const crd_status status = crd_generate(&o.known, &other, error);
    crd_dataset_free(&other);
    return status;
}

static crd_status open_options(crd_error *error)
{
    NEWER(crd_open_options) o = {.known = {0}};
    crd_dataset *other = NULL;
    FINISH(o);
    const crd_status status = crd_dataset_open("graph.csv", &o.known, &other, error);
    crd_dataset_free(&other);
    return status;
}

static crd_status arrays(crd_error *error)
{
    static const int32_t from[] = {0, 1, 2}, to[] = {1, 2, 0};
    NEWER(crd_arrays)
    a = {.known = {.nodes = 3, .edges = 3, .source = {from, CRD_INT32}, .target = {to, CRD_INT32}}};
    crd_dataset *other = NULL;
    FINISH(a);
    const crd_status status = crd_dataset_from_arrays(&a.known, &other, error);
    crd_dataset_free(&other);
    return status;
}

static crd_status rejection(crd_error *error)
{
    NEWER(crd_rejection) r = {.known = {.by_coverage = true, .coverage = 0.5, .score = CRD_SCORE_EPISTEMIC}};
    crd_prediction *prediction = NULL;
    FINISH(r);
    must(crd_predict(model, dataset, NULL, &prediction, error), error);
    const crd_status status = crd_prediction_reject(prediction, &r.known, &(int64_t){0}, error);
    crd_prediction_free(&prediction);
    return status;
}

static crd_status addition(crd_error *error)
{
    static const int64_t row_start[] = {0, 1};
    static const int32_t column[] = {0};
    NEWER(crd_addition) a = {.known = {.nodes = 1, .row_start = row_start, .column = column}};
    crd_serving *serving = NULL;
    FINISH(a);
    must(crd_serving_open(model, dataset, NULL, &serving, error), error);
    const crd_status status = crd_serving_add(serving, &a.known, NULL, error);
    crd_serving_free(&serving);
    return status;
}

static crd_status shift(crd_error *error)
{
    NEWER(crd_shift) s;
    crd_evaluation evaluation;
    crd_shift_defaults_sized(&s.known, sizeof s);
    FINISH(s);
    return crd_evaluate_shift(model, dataset, split, &s.known, NULL, &evaluation, error);
}

static crd_status evaluation(crd_error *error)
{
    NEWER(crd_evaluation) e;
    char *json = NULL;
    must(crd_evaluate_sized(model, dataset, split, CRD_TASK_MISCLASSIFICATION, NULL, &e.known, sizeof e, error), error);
    expect(memcmp(e.more, (const unsigned char[16]){0}, 16) == 0, "crd_evaluate", "what is newer is not 0");
    FINISH(e);
    const crd_status status = crd_evaluation_json(&e.known, &json, error);
    crd_string_free(&json);
    return status;
}

static crd_status tsne_options(crd_error *error)
{
    static const float points[] = {0, 1, 2, 3, 4, 5, 6, 7};
    NEWER(crd_tsne_options) o;
    float map[16];
    crd_tsne_defaults_sized(&o.known, sizeof o);
    FINISH(o);
    o.known.iterations = 5;
    return crd_tsne(points, 8, 1, &o.known, map, NULL, error);
}

static crd_status report_options(crd_error *error)
{
    NEWER(crd_report_options) o;
    crd_tsne_options quick;
    crd_report *report = NULL;
    crd_tsne_defaults(&quick);
    quick.iterations = 5;
    crd_report_defaults_sized(&o.known, sizeof o);
    FINISH(o);
    o.known.tsne = &quick;
    must(crd_report_new("Map", &report, error), error);
    const crd_status status = crd_report_add_model(report, model, dataset, &o.known, error);
    crd_report_free(&report);
    return status;
}

static void *take(size_t bytes, void *user)
{
    (void)bytes, (void)user;
    return NULL; /* nobody asks: the C library's allocator is chosen again before the next call */
}

static void give_back(void *block, void *user)
{
    (void)block, (void)user;
}

static crd_status allocator(crd_error *error)
{
    NEWER(crd_allocator) a = {.known = {.allocate = take, .release = give_back}};
    FINISH(a);
    const crd_status status = crd_set_allocator(&a.known, error);
    must(crd_set_allocator(NULL, error), error);
    return status;
}

static const struct {
    const char *name;
    crd_status (*call)(crd_error *error);
} given[] = {{"crd_control", control},       {"crd_train_options", train_options},
             {"crd_arrays", arrays},         {"crd_generate_options", generate_options},
             {"crd_shift", shift},           {"crd_open_options", open_options},
             {"crd_rejection", rejection},   {"crd_addition", addition},
             {"crd_evaluation", evaluation}, {"crd_tsne_options", tsne_options},
             {"crd_allocator", allocator},   {"crd_report_options", report_options}};

/* ---- structures that the library fills: what only a newer program knows becomes 0 ---- */

static void filled(void)
{
    NEWER(crd_info) info;
    NEWER(crd_model_facts) facts;
    NEWER(crd_epoch) epoch;
    const unsigned char zeros[16] = {0};
    crd_error error;
    memset(&info, 'x', sizeof info);
    memset(&facts, 'x', sizeof facts);
    memset(&epoch, 'x', sizeof epoch);
    must(crd_dataset_info_sized(dataset, &info.known, sizeof info, &error), &error);
    crd_model_get_facts_sized(model, &facts.known, sizeof facts);
    expect(crd_model_history_at_sized(model, 0, &epoch.known, sizeof epoch), "crd_model_history_at", "no epoch");
    expect(info.known.nodes == 200 && memcmp(info.more, zeros, 16) == 0, "crd_info", "wrong");
    expect(facts.known.graph_nodes == 200 && memcmp(facts.more, zeros, 16) == 0, "crd_model_facts", "wrong");
    expect(epoch.known.epoch == 1 && memcmp(epoch.more, zeros, 16) == 0, "crd_epoch", "wrong");
}

int main(void)
{
    crd_generate_options options;
    crd_config *config = NULL;
    crd_error error;
    crd_generate_defaults(&options);
    options.nodes = 200;
    must(crd_generate(&options, &dataset, &error), &error);
    must(crd_config_new(&config, &error), &error);
    must(crd_config_set(config, "max-epochs", "5", &error), &error);
    must(crd_split_make(dataset, "30/30/40", 0, 1, &split, &error), &error);
    must(crd_train(dataset, split, config, NULL, &model, &error), &error);
    if (failures > 0) return 1;

    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        const char *name = given[i].name;
        error.message[0] = more[15] = 0;
        counted = WITH_MORE;
        expect(given[i].call(&error) == CRD_OK, name, error.message);
        more[15] = 1;
        expect(given[i].call(&error) == CRD_ERROR_ARGUMENT, name, "something unknown is ignored");
        expect(strstr(error.message, name) != NULL && strstr(error.message, "does not know") != NULL, name,
               error.message);
        counted = WITHOUT_MORE;
        expect(given[i].call(&error) == CRD_OK, name, error.message);
        counted = NO_SIZE;
        expect(given[i].call(&error) == CRD_ERROR_ARGUMENT, name, "a structure without its size is accepted");
        expect(strstr(error.message, "the size of crd_") != NULL, name, error.message);
    }
    filled();

    crd_model_free(&model);
    crd_split_free(&split);
    crd_config_free(&config);
    crd_dataset_free(&dataset);
    return failures > 0;
}
