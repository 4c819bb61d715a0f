/* credence demo: everything in a few seconds, explained to somebody who never saw it. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "credence_private.h"
#include "data.h"
#include "files.h"
#include "plot.h"
#include "progress.h"

enum { GRAPH, MODEL, PREDICTIONS, EVALUATION, REPORT, FILES };
static const char *const file_names[FILES] = {"graph.npz", "model.safetensors", "predictions.csv", "evaluation.json",
                                              "report.html"};

typedef struct {
    const char *folder;
    char *path[FILES];
    int threads;
    crd_cli_plotting plotting;
    crd_dataset *dataset;
    crd_split *split;
    crd_model *model;
    crd_prediction *prediction;
    crd_evaluation ood, failure;
} demo;

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 'o', "output", "DIR", "credence-demo", "the folder for the results");
    crd_cli_add(options, 0, "seed", "N", "1", "the same seed gives the same demo");
    crd_cli_add(options, 0, "threads", "N", "0", "how many threads work; 0: all cores");
    crd_cli_add_plot(options);
}

static int prepare_folder(demo *d)
{
    if (d->folder[0] == '\0') return crd_cli_failf(CRD_CLI_MISUSED, "the output's name is empty");
    if (mkdir(d->folder, 0777) != 0 && errno != EEXIST)
        return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot create the folder: %s", d->folder, strerror(errno));
    struct stat facts;
    if (stat(d->folder, &facts) == 0 && !S_ISDIR(facts.st_mode))
        return crd_cli_failf(CRD_CLI_FAILED, "%s: is a file, expected a folder for the results", d->folder);
    int code = CRD_CLI_DONE;
    for (int i = 0; i < FILES && code == CRD_CLI_DONE; i++) {
        d->path[i] = crd_cli_text("%s/%s", d->folder, file_names[i]);
        code = crd_cli_check_output(d->path[i], NULL);
    }
    return code;
}

static void title(const char *text)
{
    printf("%s%s%s\n", crd_cli_bold(stdout), text, crd_cli_plain(stdout));
    fflush(stdout);
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

static crd_status make_graph(demo *d, const crd_generate_options *options, crd_error *error)
{
    crd_info info;
    title("1. A graph");
    crd_status status = crd_generate(options, &d->dataset, error);
    if (status == CRD_OK) status = crd_dataset_info(d->dataset, &info, error);
    if (status == CRD_OK) status = crd_dataset_save(d->dataset, d->path[GRAPH], CRD_FORMAT_NPZ, error);
    if (status != CRD_OK) return status;
    printf("   %lld nodes (think of papers), %lld edges (citations), %lld features (words), %d classes\n"
           "   (topics). It is synthetic, so the truth is known.\n\n",
           (long long)info.nodes, (long long)info.edges, (long long)info.features, (int)info.classes);
    return CRD_OK;
}

/* The number of nodes the model learnt from. Nodes of the hidden classes are in the split, but training does not
 * see them. */
static int64_t count_taught(const demo *d, int32_t classes)
{
    int64_t count = 0;
    for (int64_t i = 0; i < crd_dataset_nodes(d->dataset); i++)
        count += crd_split_role(d->split, i) == CRD_ROLE_TRAIN && crd_dataset_label(d->dataset, i) < classes;
    return count;
}

static crd_status learn(demo *d, const crd_generate_options *options, crd_error *error)
{
    crd_config config;
    crd_cli_progress progress = {.quiet = !crd_cli_is_terminal(stderr)};
    crd_train_options how = {.progress = crd_cli_on_epoch, .user = &progress};
    crd_config_defaults(&config);
    config.left_out = options->lookalikes;
    config.seed = options->seed;
    config.threads = d->threads;
    title("2. A model");
    crd_status status = crd_split_make(d->dataset, NULL, 0, config.seed, &d->split, error);
    if (status == CRD_OK) status = crd_train(d->dataset, d->split, &config, &how, &d->model, error);
    crd_cli_progress_end(&progress);
    if (status == CRD_OK) status = crd_model_save(d->model, d->path[MODEL], error);
    if (status != CRD_OK) return status;
    crd_model_facts facts;
    crd_model_get_facts(d->model, &facts);
    int32_t classes = crd_dataset_classes(d->dataset);
    char *known = class_list(d->dataset, 0, facts.classes);
    char *hidden = facts.left_out > 0 ? class_list(d->dataset, facts.classes, classes) : crd_cli_text("none");
    printf("   It learnt the classes %s from %lld labelled nodes, in %.1f seconds.\n"
           "   Hidden from it: %s, which imitate classes that it knows. It will meet them without\n"
           "   a warning.\n\n",
           known, (long long)count_taught(d, facts.classes), facts.seconds, hidden);
    free(known);
    free(hidden);
    return CRD_OK;
}

static crd_status evaluate(demo *d, crd_error *error)
{
    crd_sample *sample = NULL;
    crd_model_facts facts;
    title("3. How good are its answers, and how good is its doubt?");
    crd_status status =
        crd_evaluate_sample(d->model, d->dataset, NULL, CRD_TASK_OOD, NULL, d->threads, &d->ood, &sample, error);
    if (status == CRD_OK)
        status = crd_evaluate(d->model, d->dataset, NULL, CRD_TASK_MISCLASSIFICATION, d->threads, &d->failure, error);
    if (status == CRD_OK) {
        printf("   Of the nodes it was not trained on, and whose class it knows, it gets %.1f %% right.\n",
               100.0 * d->ood.accuracy);
        printf("   Take a node of a hidden class and one of a known class: which one is doubtful?\n"
               "     by the probability of the answer (aleatoric):    right %.0f times out of 100\n"
               "     by the evidence behind the answer (epistemic):   right %.0f times out of 100\n",
               100.0 * d->ood.ood_aleatoric.auroc, 100.0 * d->ood.ood_epistemic.auroc);
        printf("   Take a wrong answer and a right one, both of known classes: which one is doubtful?\n"
               "     by the probability of the answer (aleatoric):    right %.0f times out of 100\n"
               "   Tossing a coin gets 50. (This number is called AUROC.)\n",
               100.0 * d->failure.failure_aleatoric.auroc);
        crd_model_get_facts(d->model, &facts);
        status = crd_cli_plot_evaluation(&d->ood, sample, facts.classes, &d->plotting, 3, stdout, error);
        printf("\n");
    }
    crd_sample_free(&sample);
    return status;
}

static int write_evaluation(const demo *d)
{
    crd_error error;
    char *ood = NULL, *failure = NULL;
    crd_status status = crd_evaluation_json(&d->ood, &ood, &error);
    if (status == CRD_OK) status = crd_evaluation_json(&d->failure, &failure, &error);
    int code = status == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
    if (code == CRD_CLI_DONE) {
        char *both = crd_cli_text("{\"ood\":%s,\n\"misclassification\":%s}\n", ood, failure);
        code = crd_cli_write_text(d->path[EVALUATION], both);
        free(both);
    }
    crd_string_free(&ood);
    crd_string_free(&failure);
    return code;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *values, int64_t count)
{
    double *sorted = crd_cli_allocate(NULL, (size_t)count * sizeof *sorted);
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    double middle = sorted[count / 2];
    free(sorted);
    return middle;
}

/* Finds the node with the least evidence among those whose evidence comes from more than one node: a node without
 * neighbours has nothing to explain. */
static crd_status find_most_doubtful(const demo *d, const double *doubt, int64_t nodes, int64_t *found,
                                     crd_explanation **explanation, crd_error *error)
{
    double above = INFINITY; /* nodes with this much doubt or more are done */
    for (;;) {
        int64_t node = -1;
        for (int64_t i = 0; i < nodes; i++)
            if (doubt[i] < above && (node < 0 || doubt[i] > doubt[node])) node = i;
        if (node < 0) return CRD_OK; /* none has neighbours: the last one will do */
        crd_explanation_free(explanation);
        crd_status status = crd_explain(d->model, d->dataset, node, 3, d->threads, explanation, error);
        if (status != CRD_OK) return status;
        *found = node;
        above = doubt[node];
        if (crd_explanation_count(*explanation) > 1) return CRD_OK;
    }
}

/* Shows what the model says about that node, its true class, and where its evidence comes from. */
static crd_status show_most_doubtful(demo *d, int64_t *shown, crd_error *error)
{
    crd_explanation *explanation = NULL;
    crd_status status = crd_predict(d->model, d->dataset, d->threads, &d->prediction, error);
    if (status == CRD_OK)
        status = crd_prediction_write(d->prediction, d->dataset, d->path[PREDICTIONS], CRD_TABLE_CSV, false, error);
    if (status != CRD_OK) return status;
    title("4. The node that it doubts most, of those with neighbours");
    const double *doubt = crd_prediction_score(d->prediction, CRD_SCORE_EPISTEMIC);
    int64_t nodes = crd_prediction_nodes(d->prediction), node = 0;
    status = find_most_doubtful(d, doubt, nodes, &node, &explanation, error);
    if (status != CRD_OK) {
        crd_explanation_free(&explanation);
        return status;
    }
    int32_t classes = crd_prediction_classes(d->prediction);
    int32_t answer = crd_prediction_class(d->prediction)[node], truth = crd_dataset_label(d->dataset, node);
    /* The score is -alpha0, and alpha0 is the evidence plus one per class. */
    double evidence = -doubt[node] - classes, typical = -median(doubt, nodes) - classes;
    printf("   Node %lld: it says class %s with probability %.2f, but its evidence is only %.*f,\n"
           "   where the middle node has %.0f. The truth is class %s%s.\n",
           (long long)node, crd_model_class_name(d->model, answer),
           (double)crd_prediction_probability(d->prediction)[node * classes + answer], evidence < 10.0 ? 2 : 0,
           evidence, typical, crd_dataset_class_name(d->dataset, truth),
           truth >= classes ? ", one that it never saw" : "");
    double rest = evidence;
    printf("   Where that evidence comes from:\n");
    for (int64_t c = 0; c < crd_explanation_count(explanation); c++) {
        const crd_contribution *part = crd_explanation_at(explanation, c);
        printf("     %3.0f %%  node %lld%s\n", 100.0 * part->total / evidence, (long long)part->node,
               part->hops == 0   ? ", which is itself"
               : part->hops == 1 ? ", a neighbour"
                                 : "");
        rest -= part->total;
    }
    if (rest > 0.005 * evidence) printf("     %3.0f %%  all others\n", 100.0 * rest / evidence);
    printf("\n");
    *shown = node;
    crd_explanation_free(&explanation);
    return CRD_OK;
}

/* Writes the page that `credence report` makes. */
static crd_status write_report(const demo *d, crd_error *error)
{
    crd_report *report;
    crd_report_options options;
    char *word[FILES];
    for (int i = 0; i < FILES; i++) word[i] = crd_cli_shell_text(d->path[i]);
    char *command = crd_cli_text("credence report %s %s -o %s", word[MODEL], word[GRAPH], word[REPORT]);
    crd_report_defaults(&options);
    options.data = d->path[GRAPH];
    options.command = command;
    options.threads = d->threads;
    crd_status status = crd_report_new("Credence: a demo", &report, error);
    if (status == CRD_OK) status = crd_report_add_model(report, d->model, d->dataset, &options, error);
    if (status == CRD_OK) status = crd_report_save(report, d->path[REPORT], error);
    crd_report_free(&report);
    free(command);
    for (int i = 0; i < FILES; i++) free(word[i]);
    return status;
}

static void show_ending(const demo *d, const char *program, int64_t node)
{
    static const char *const what[FILES] = {"the graph", "the model", "every node's class and uncertainties",
                                            "all metrics", "all of it to look at"};
    title("The results");
    for (int i = 0; i < FILES; i++) printf("   %s/%-18s %s\n", d->folder, file_names[i], what[i]);
    title("\nWhat to look at");
    printf("   Open %s in a browser: 'xdg-open %s' does so on most desktops, 'open' on a Mac.\n", d->path[REPORT],
           d->path[REPORT]);
    title("\nWhat to type next");
    printf("   %s explain %s %s --node %lld\n", program, d->path[MODEL], d->path[GRAPH], (long long)node);
    printf("   %s predict %s %s --coverage 0.9\n", program, d->path[MODEL], d->path[GRAPH]);
    printf("   %s train YOUR_GRAPH -o model.safetensors\n", program);
}

static int run(const crd_cli_options *options)
{
    crd_error error;
    crd_generate_options graph;
    crd_generate_defaults(&graph);
    int64_t seed = (int64_t)graph.seed, node = 0;
    demo d = {.folder = crd_cli_value(options, "output")};
    if (d.folder == NULL) d.folder = "credence-demo";
    int code = crd_cli_integer(options, "seed", 0, INT64_MAX, &seed);
    if (code == CRD_CLI_DONE) code = crd_cli_read_plot(options, &d.plotting);
    if (code == CRD_CLI_DONE) code = crd_cli_threads(options, &d.threads);
    if (code == CRD_CLI_DONE) code = prepare_folder(&d);
    if (code == CRD_CLI_DONE) {
        graph.seed = (uint64_t)seed;
        crd_status status = make_graph(&d, &graph, &error);
        if (status == CRD_OK) status = learn(&d, &graph, &error);
        if (status == CRD_OK) status = evaluate(&d, &error);
        if (status == CRD_OK) status = show_most_doubtful(&d, &node, &error);
        if (status == CRD_OK) status = write_report(&d, &error);
        code = status == CRD_OK ? write_evaluation(&d) : crd_cli_fail(&error);
    }
    if (code == CRD_CLI_DONE) show_ending(&d, options->program, node);
    crd_prediction_free(&d.prediction);
    crd_model_free(&d.model);
    crd_split_free(&d.split);
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
