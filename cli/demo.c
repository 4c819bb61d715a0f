/* SPDX-License-Identifier: MIT */
/* credence demo: everything in a few seconds, explained to somebody who never saw it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "credence_private.h"
#include "data.h"
#include "fetch.h"
#include "files.h"
#include "plot.h"
#include "signals.h"

enum { ALARMS = 2 }; /* the level of crd_alarm_levels that it shows */
enum { GRAPH, MODEL, PREDICTIONS, EVALUATION, REPORT, FILES };
static const char *const file_names[FILES] = {"graph.npz", "model.safetensors", "predictions.csv", "evaluation.json",
                                              "report.html"};

typedef struct {
    const char *program, *folder;
    char *path[FILES];
    const char *seed, *threads; /* as they were given */
    crd_cli_plotting plotting;
    crd_dataset *dataset;
    crd_model *model;
    crd_model_facts facts;
} demo;

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 'o', "output", "DIR", "credence-demo", "the folder for the results");
    crd_cli_add_seed(options, "the same seed gives the same demo");
    crd_cli_add_threads(options);
    crd_cli_add_plot(options);
}

static int prepare_folder(demo *d)
{
    int code = crd_cli_make_folders(d->folder);
    for (int i = 0; i < FILES && code == CRD_CLI_DONE; i++) {
        d->path[i] = crd_cli_text("%s/%s", d->folder, file_names[i]);
        code = crd_cli_check_output(d->path[i], NULL, false);
    }
    return code;
}

static void title(const char *text)
{
    printf("%s%s%s\n", crd_cli_bold(stdout), text, crd_cli_plain(stdout));
    fflush(stdout);
}

/* Runs a command as if it had been typed. */
static int run_command(const demo *d, const crd_cli_command *command, const char *const *arguments)
{
    int code = crd_cli_run_command(d->program, command, arguments);
    return code == CRD_CLI_DONE && crd_cli_interrupted() ? CRD_CLI_FAILED : code;
}

/* The class names of the data from `first` on: "E and F", "D, E and F". */
static char *class_list(const crd_dataset *dataset, int32_t first, int32_t end)
{
    char *list = NULL;
    for (int32_t c = first; c < end; c++)
        crd_cli_append(&list, "%s%s",
                       c == first     ? ""
                       : c == end - 1 ? " and "
                                      : ", ",
                       crd_dataset_class_name(dataset, c));
    return list;
}

static int make_graph(demo *d)
{
    crd_error error;
    crd_info info;
    title("1. A graph");
    /* Few words, and many of them off the topic: with more, there would be no wrong answer to show. */
    int code = run_command(
        d, &crd_cli_generate,
        (const char *[]){"-o", d->path[GRAPH], "--seed", d->seed, "--words", "6", "--strength", "0.6", NULL});
    if (code != CRD_CLI_DONE) return code;
    if (crd_dataset_open(d->path[GRAPH], NULL, &d->dataset, &error) != CRD_OK ||
        crd_dataset_info(d->dataset, &info, &error) != CRD_OK)
        return crd_cli_fail(&error);
    printf("   %lld nodes (think of papers), %lld edges (citations), %lld features (words), %d classes\n"
           "   (topics). It is synthetic, so the truth is known.\n\n",
           (long long)info.nodes, (long long)info.edges, (long long)info.features, (int)info.classes);
    return CRD_CLI_DONE;
}

static int learn(demo *d)
{
    crd_error error;
    crd_generate_options graph;
    char left_out[32];
    crd_generate_defaults(&graph);
    snprintf(left_out, sizeof left_out, "%lld", (long long)graph.lookalikes);
    title("2. A model");
    const double begun = crd_seconds();
    int code =
        run_command(d, &crd_cli_train,
                    (const char *[]){d->path[GRAPH], "-o", d->path[MODEL], "--left-out", left_out, "--seed", d->seed,
                                     "--threads", d->threads, crd_cli_is_terminal(stderr) ? NULL : "-q", NULL});
    if (code != CRD_CLI_DONE) return code;
    if (crd_model_load(d->path[MODEL], &d->model, &error) != CRD_OK) return crd_cli_fail(&error);
    const double seconds = crd_seconds() - begun;
    crd_model_get_facts(d->model, &d->facts);
    char *known = class_list(d->dataset, 0, d->facts.classes);
    char *hidden = class_list(d->dataset, d->facts.classes, crd_dataset_classes(d->dataset));
    printf("   It learnt the classes %s from %lld labelled nodes, in %.1f seconds.\n"
           "   Hidden from it: %s, which imitate classes that it knows. It will meet them without\n"
           "   a warning.\n\n",
           known, (long long)d->facts.training_nodes, seconds, hidden);
    free(known);
    free(hidden);
    return CRD_CLI_DONE;
}

static crd_status show_evaluation(const demo *d, const crd_evaluation *ood, const crd_sample *sample,
                                  const crd_evaluation *failure, crd_error *error)
{
    printf("   Of the nodes it was not trained on, and whose class it knows, it gets %.1f %% right.\n",
           100.0 * ood->accuracy);
    printf("   Take a node of a hidden class and one of a known class: which one is doubtful?\n"
           "     by the probability of the answer (aleatoric):       right %.0f times out of 100\n"
           "     by how unlike the labelled nodes it is (epistemic): right %.0f times out of 100\n",
           100.0 * ood->ood_aleatoric.auroc, 100.0 * ood->ood_epistemic.auroc);
    if (isfinite(failure->failure_aleatoric.auroc))
        printf("   Take a wrong answer and a right one, both of known classes: which one is doubtful?\n"
               "     by the probability of the answer (aleatoric):       right %.0f times out of 100\n",
               100.0 * failure->failure_aleatoric.auroc);
    printf("   Tossing a coin gets 50. (This number is called AUROC.)\n");
    if (isfinite(ood->promises.false_alarms[ALARMS]))
        printf(
            "   Ask it to call nodes unknown, with at most %.0f %% false alarms on average: it calls %.1f %% of the\n"
            "   known nodes so, and %.1f %% of the hidden ones.\n",
            100.0 * crd_alarm_levels[ALARMS], 100.0 * ood->promises.false_alarms[ALARMS],
            100.0 * ood->promises.detected[ALARMS]);
    crd_status status = crd_cli_plot_evaluation(ood, sample, d->model, &d->plotting, 3, stdout, error);
    printf("\n");
    return status;
}

static int evaluate(const demo *d, int threads)
{
    crd_error error;
    crd_evaluation ood, failure;
    crd_sample *sample = NULL;
    char *json[2] = {NULL, NULL};
    title("3. How good are its answers, and how good is its doubt?");
    crd_status status =
        crd_evaluate_sample(d->model, d->dataset, NULL, CRD_TASK_OOD, NULL, threads, &ood, &sample, &error);
    if (status == CRD_OK)
        status = crd_evaluate(d->model, d->dataset, NULL, CRD_TASK_MISCLASSIFICATION, CRD_THREADS(threads), &failure,
                              &error);
    if (status == CRD_OK) status = show_evaluation(d, &ood, sample, &failure, &error);
    if (status == CRD_OK) status = crd_evaluation_json(&ood, &json[0], &error);
    if (status == CRD_OK) status = crd_evaluation_json(&failure, &json[1], &error);
    int code = status != CRD_OK
                   ? crd_cli_fail(&error)
                   : crd_cli_write_in(d->folder, file_names[EVALUATION],
                                      crd_cli_text("{\"ood\":%s,\n\"misclassification\":%s}\n", json[0], json[1]));
    for (int i = 0; i < 2; i++) crd_string_free(&json[i]);
    crd_sample_free(&sample);
    return code;
}

/* Finds the most doubtful node below `limit`; the number of nodes that speak for or against its answer is *speak. */
static crd_status find_doubtful(const demo *d, const double *doubt, int64_t nodes, double *limit, int threads,
                                int64_t *found, int64_t *speak, crd_error *error)
{
    crd_explanation *explanation;
    double most = -INFINITY;
    for (int64_t i = 0; i < nodes; i++)
        if (doubt[i] < *limit && doubt[i] > most) most = doubt[ *found = i];
    *limit = most;
    crd_status status = crd_explain(d->model, d->dataset, *found, 2, CRD_THREADS(threads), &explanation, error);
    if (status != CRD_OK) return status;
    *speak = crd_explanation_count(explanation);
    crd_explanation_free(&explanation);
    return CRD_OK;
}

/* Finds the most doubtful node to which others speak: a node without neighbours has nothing to explain. */
static crd_status find_most_doubtful(const demo *d, int threads, int64_t *found, crd_error *error)
{
    crd_prediction *prediction = NULL;
    double limit = INFINITY;
    int64_t speak = 0;
    crd_status status = crd_predict(d->model, d->dataset, CRD_THREADS(threads), &prediction, error);
    while (status == CRD_OK && speak < 2 && limit > -INFINITY)
        status = find_doubtful(d, crd_prediction_score(prediction, CRD_SCORE_EPISTEMIC),
                               crd_prediction_nodes(prediction), &limit, threads, found, &speak, error);
    crd_prediction_free(&prediction);
    return status;
}

static int show_answers(const demo *d, int threads, char node[32])
{
    crd_error error;
    int64_t found = 0;
    title("4. The node that it doubts most, of those with neighbours");
    if (find_most_doubtful(d, threads, &found, &error) != CRD_OK) return crd_cli_fail(&error);
    snprintf(node, 32, "%lld", (long long)found);
    int code = run_command(d, &crd_cli_explain,
                           (const char *[]){d->path[MODEL], d->path[GRAPH], "--node", node, "--top", "3", NULL});
    printf("\n");
    if (code == CRD_CLI_DONE)
        code = run_command(d, &crd_cli_predict,
                           (const char *[]){d->path[MODEL], d->path[GRAPH], "-q", "-o", d->path[PREDICTIONS], NULL});
    if (code == CRD_CLI_DONE)
        code = run_command(d, &crd_cli_report,
                           (const char *[]){d->path[MODEL], d->path[GRAPH], "-o", d->path[REPORT], "--title",
                                            "Credence: a demo", "--threads", d->threads, "-q", NULL});
    return code;
}

static void show_ending(const demo *d, const char *node)
{
    static const char *const what[FILES] = {"the graph", "the model", "every node's class and uncertainties",
                                            "all metrics", "all of it to look at"};
    title("The results");
    for (int i = 0; i < FILES; i++) printf("   %s/%-18s %s\n", d->folder, file_names[i], what[i]);
    title("\nWhat to look at");
    printf("   Open %s in a browser: 'xdg-open %s' does so on most desktops, 'open' on a Mac.\n", d->path[REPORT],
           d->path[REPORT]);
    title("\nWhat to type next");
    printf("   %s explain %s %s --node %s\n", d->program, d->path[MODEL], d->path[GRAPH], node);
    printf("   %s predict %s %s --sets 0.9\n", d->program, d->path[MODEL], d->path[GRAPH]);
    printf("   %s train YOUR_GRAPH -o model.safetensors\n", d->program);
}

static int run(const crd_cli_options *options)
{
    demo d = {.program = options->program};
    char node[32];
    const int threads = (int)crd_cli_whole(options, "threads");
    d.folder = crd_cli_setting(options, "output");
    d.seed = crd_cli_setting(options, "seed");
    d.threads = crd_cli_setting(options, "threads");
    int code = crd_cli_read_plot(options, &d.plotting);
    if (code == CRD_CLI_DONE) code = prepare_folder(&d);
    if (code == CRD_CLI_DONE) code = make_graph(&d);
    if (code == CRD_CLI_DONE) code = learn(&d);
    if (code == CRD_CLI_DONE) code = evaluate(&d, threads);
    if (code == CRD_CLI_DONE) code = show_answers(&d, threads, node);
    if (code == CRD_CLI_DONE) show_ending(&d, node);
    crd_model_free(&d.model);
    crd_dataset_free(&d.dataset);
    for (int i = 0; i < FILES; i++) free(d.path[i]);
    return code;
}

const crd_cli_command crd_cli_demo = {
    .name = "demo",
    .group = CRD_CLI_GRAPHS,
    .summary = "see all of it on a made-up graph, in seconds",
    .description = "Makes a graph, hides some of its classes, trains, and shows what the model knows and\n"
                   "what it knows not to know. The results are left in a folder, with a page to look at.",
    .declare = declare,
    .run = run,
};
