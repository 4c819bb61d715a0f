/* SPDX-License-Identifier: MIT */
/* credence train: a graph in, a model out. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "credence_private.h"
#include "data.h"
#include "files.h"
#include "signals.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 'o', "output", "MODEL", NULL,
                "the file for the model (safetensors), or - for standard output");
    crd_cli_add(options, 0, "split", "A/B/C", "auto",
                "which nodes train, validate, test: percentages (5/15/80), fractions (0.6/0.2/rest), nodes "
                "per class (20n/30n/rest), four parts with calibration before test (5/10/5/80), "
                "or auto: the data's own split, 75/25 of the labelled nodes if some are unlabelled, else "
                "5/15/80")
        ->suggestions = "auto 5/15/80 20n/30n/rest";
    crd_cli_add_whole(options, "split-index", 0, 0, INT32_MAX, "which of the data's own splits to use");
    crd_cli_add(options, 0, "split-file", "FILE", NULL,
                "the split as .npz (train, val, test, calibration: node numbers) or CSV (node,split)");
    crd_cli_add(options, 0, "preset", "NAME", NULL, "start from a published choice of options; see below")
        ->suggestions = "published best errors @presets";
    crd_cli_add(options, 0, "config", "FILE", NULL,
                "a JSON object with the options below; it overrules --preset, options here overrule it");
    crd_cli_add(options, 0, "init", "MODEL", NULL, "start from this model's weights instead of random ones");
    for (int i = 0; i < crd_option_count(); i++) {
        const crd_option *known = crd_option_at(i);
        bool is_switch = known->argument == NULL;
        crd_cli_option *option =
            crd_cli_add(options, 0, known->name, known->argument, is_switch ? NULL : known->default_value, known->help);
        option->negatable = is_switch;
        option->values = crd_option_choices(i);
        if (strcmp(known->name, "model") == 0) option->suggestions = "@models";
        if (strcmp(known->name, "left-out") == 0) {
            option->argument = "WHICH";
            option->help =
                "keep classes from training, so that they become out-of-distribution: the last N, or these by "
                "name (Theory,\"Neural Networks\"; name:3 is the class called 3)";
        }
    }
    crd_cli_add_data(options);
    crd_cli_add(options, 0, "log", "FILE", NULL, "one JSON line per epoch, written while training runs");
    crd_cli_add(options, 0, "metadata", "KEY=VALUE", NULL,
                "text of your own to be kept in the model, which 'credence info' shows; may be given several times")
        ->repeatable = true;
    crd_cli_add(options, 0, "json", NULL, NULL, "the trained model's facts as one JSON object on stdout");
    crd_cli_add_quiet(options);
}

static void more_help(FILE *stream)
{
    fprintf(stream, "\n%sModels:%s\n", crd_cli_bold(stream), crd_cli_plain(stream));
    for (int i = 0; i < crd_kind_count(); i++) fprintf(stream, "  %-20s %s\n", crd_kind_name(i), crd_kind_help(i));
    fprintf(stream, "\n%sPresets:%s\n", crd_cli_bold(stream), crd_cli_plain(stream));
    for (int i = 0; i < crd_preset_count(); i++)
        fprintf(stream, "  %-20s %s\n", crd_preset_name(i), crd_preset_help(i));
    fprintf(stream, "  %-20s %s\n  %-20s %s\n  %-20s %s\n", "published",
            "the published choice for DATA, a public graph", "best",
            "the best choice known for it to detect classes never seen", "errors",
            "the best choice known for it to detect wrong answers");
    fputs("\nCtrl-C stops after the current epoch and saves the best model so far; a second one stops at "
          "once.\n",
          stream);
}

/* Defaults, then the preset, then the file, then the options, whatever their order on the command line. */
static int configure(const crd_cli_options *options, const crd_public_graph *known, crd_config *config)
{
    crd_error error;
    int code = crd_cli_config(options, known, config);
    if (code != CRD_CLI_DONE) return code;
    for (int i = 0; i < crd_option_count(); i++) {
        const char *name = crd_option_at(i)->name, *value = crd_cli_value(options, name);
        if (strcmp(name, "left-out") == 0 && crd_cli_names_classes(value)) {
            config->left_out = 1; /* at least; the data say how many */
            continue;
        }
        if (value == NULL || crd_config_set(config, name, value, &error) == CRD_OK) continue;
        /* People take it for the option that has the file. */
        if (strcmp(name, "features") == 0 && (strpbrk(value, "./") != NULL || access(value, F_OK) == 0))
            return crd_cli_misused(options, "--%s; a file of features is for --node-features", error.message);
        return crd_cli_fail_about(options, &error);
    }
    if (config->reg == CRD_REG_NONE && (config->reg_weight != 0.0 || config->reg_strength != 0.0))
        return crd_cli_misused(options, "--%s has no meaning without a regulariser, --reg is none",
                               config->reg_weight != 0.0 ? "reg-weight" : "reg-strength");
    if (crd_config_check(config, &error) != CRD_OK) return crd_cli_fail_about(options, &error);
    return CRD_CLI_DONE;
}

/* Whether two paths are the same; for files that exist there is crd_cli_check_output. */
static bool is_same(const char *a, const char *b)
{
    return strcmp(a + (strncmp(a, "./", 2) == 0 ? 2 : 0), b + (strncmp(b, "./", 2) == 0 ? 2 : 0)) == 0;
}

static int check_usage(const crd_cli_options *options)
{
    const char *output = crd_cli_value(options, "output"), *log = crd_cli_value(options, "log");
    bool model_out = strcmp(output, "-") == 0, log_out = log != NULL && strcmp(log, "-") == 0;
    if (crd_cli_given(options, "split-index") && strcmp(crd_cli_setting(options, "split"), "auto") != 0)
        return crd_cli_misused(options, "--split and --split-index contradict each other");
    if (model_out + log_out + crd_cli_given(options, "json") > 1)
        return crd_cli_misused(options, "only one of model, log and JSON can go to standard output");
    if (model_out && crd_cli_is_terminal(stdout))
        return crd_cli_misused(options, "a model is not for a terminal, give --output a file or use a pipe");
    if (log != NULL && !log_out && is_same(log, output))
        return crd_cli_misused(options, "--log and --output are the same file");
    return CRD_CLI_DONE;
}

/* Nothing can be learnt from an edge list alone, and it is easy to forget the files that belong to it. */
static int check_parts(const crd_cli_options *options, const crd_dataset *dataset, const crd_config *config)
{
    const bool features = crd_dataset_features(dataset) > 0 || !crd_kind_trained(config->model);
    if (crd_dataset_classes(dataset) == 0 && !crd_cli_given(options, "labels"))
        return crd_cli_failf(CRD_CLI_FAILED,
                             "%s: no node has a label, so there is nothing to learn; give --labels FILE%s, "
                             "or a folder that has everything",
                             options->word[0], features ? "" : " and --node-features FILE");
    if (!features)
        return crd_cli_failf(CRD_CLI_FAILED,
                             "%s: has no node features, which the model %s needs; give --node-features FILE "
                             "(the models lp and gkde do without)",
                             options->word[0], config->model);
    return CRD_CLI_DONE;
}

static int make_split(const crd_cli_options *options, const crd_dataset *dataset, const crd_config *config,
                      crd_split **split)
{
    crd_error error;
    crd_status status;
    const char *file = crd_cli_value(options, "split-file");
    const int index = (int)crd_cli_whole(options, "split-index");
    if (file != NULL) status = crd_split_read(dataset, file, split, &error);
    else status = crd_split_make(dataset, crd_cli_value(options, "split"), index, config->seed, split, &error);
    return status == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
}

/* Moves classes that --left-out names behind the others. */
static int leave_out(const crd_cli_options *options, crd_dataset *dataset, crd_config *config)
{
    crd_error error;
    bool *last;
    int64_t count;
    if (!crd_cli_names_classes(crd_cli_value(options, "left-out"))) return CRD_CLI_DONE;
    int code = crd_cli_left_out(options, options->word[0], dataset, &count, &last);
    if (code == CRD_CLI_DONE && crd_dataset_move_last(dataset, last, &error) != CRD_OK) code = crd_cli_fail(&error);
    config->left_out = count;
    free(last);
    return code;
}

/* ---- what is said and logged ---- */

typedef struct {
    const crd_dataset *dataset;
    const crd_split *split;
    const crd_config *config;
    bool named;           /* the left-out classes were given by name */
    bool quiet;           /* write nothing but the log */
    const char *log_path; /* one JSON line per epoch; NULL: no log */
    FILE *log;            /* NULL until the first epoch */
    bool log_failed;
    bool begun;
    bool shown; /* the last epoch is on the screen */
    crd_epoch last;
    time_t shown_at;
} training;

/* The number of nodes of a role that training uses: labelled, and not of a left-out class. */
static int64_t count_used(const training *t, crd_role role)
{
    int64_t classes = crd_dataset_classes(t->dataset) - t->config->left_out, count = 0;
    for (int64_t i = 0; i < crd_dataset_nodes(t->dataset); i++) {
        int32_t label = crd_dataset_label(t->dataset, i);
        count += crd_split_role(t->split, i) == role && label >= 0 && label < classes;
    }
    return count;
}

/* Prints the classes that are kept from training, by name: which ones they are depends on the order of classes. */
static void say_left_out(const training *t, int64_t validating)
{
    enum { SHOWN = 8 };
    const int32_t classes = crd_dataset_classes(t->dataset);
    const int32_t first = classes - (int32_t)t->config->left_out;
    char *names = NULL;
    for (int32_t c = first; c < classes && c < first + SHOWN; c++)
        crd_cli_append(&names, "%s%s", c == first ? "" : ", ", crd_dataset_class_name(t->dataset, c));
    crd_cli_say("left out: %s%s (%s%d of %d classes); %lld nodes train, %lld validate", names,
                classes - first > SHOWN ? ", ..." : "", t->named ? "" : "the last ", (int)(classes - first),
                (int)classes, (long long)count_used(t, CRD_ROLE_TRAIN), (long long)validating);
    free(names);
}

/* The memory of this machine, or the part of it that a container may use. */
static double memory_here(void)
{
    static const char *const limits[] = {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    double most = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE), limit;
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(limits[i], "r");
        if (file != NULL && fscanf(file, "%lf", &limit) == 1 && limit > 0.0) most = fmin(most, limit);
        if (file != NULL) fclose(file);
    }
    return most;
}

/* Prints the memory needed before training begins, because training may fail for lack of it. */
static void say_memory(const training *t)
{
    int64_t bytes;
    const double here = memory_here();
    if (crd_train_memory(t->dataset, t->split, t->config, &bytes, NULL) != CRD_OK) return;
    if (here > 0.0 && (double)bytes > 0.5 * here)
        crd_cli_say("note: training takes about %.1f GB of memory, of %.1f GB here", (double)bytes / 1e9, here / 1e9);
}

/* From the labels that training may look at. */
static void say_misleading(const training *t)
{
    crd_homophily homophily;
    const int32_t classes = crd_dataset_classes(t->dataset) - (int32_t)t->config->left_out;
    if (crd_dataset_homophily(t->dataset, t->split, classes, &homophily, NULL) != CRD_OK || !homophily.misleads) return;
    crd_cli_say(
        "note: edges say little about classes (%.0f %% stay inside a class, %.0f %% by chance): the model %s %s",
        100.0 * homophily.inside, 100.0 * homophily.chance, t->config->model, crd_kind_edges(t->config->model));
}

/* A class with few labels is easily never answered. */
static void say_imbalance(const training *t)
{
    const int32_t classes = crd_dataset_classes(t->dataset) - (int32_t)t->config->left_out;
    int64_t all = 0, *count = crd_cli_allocate(NULL, (size_t)classes * sizeof *count);
    int32_t rarest = 0;
    memset(count, 0, (size_t)classes * sizeof *count);
    for (int64_t i = 0; i < crd_dataset_nodes(t->dataset); i++) {
        const crd_role role = crd_split_role(t->split, i);
        const int32_t label = crd_dataset_label(t->dataset, i);
        if (label < 0 || label >= classes || (role != CRD_ROLE_TRAIN && role != CRD_ROLE_VALIDATION)) continue;
        count[label]++;
        all++;
    }
    for (int32_t c = 1; c < classes; c++)
        if (count[c] < count[rarest]) rarest = c;
    if (4 * classes * count[rarest] < all && t->config->class_weights == CRD_CLASS_WEIGHTS_NONE &&
        crd_config_has(t->config, "class-weights")) {
        char *name = crd_cli_printable(crd_dataset_class_name(t->dataset, rarest));
        crd_cli_say(
            "note: class %s has %lld of %lld labels; --class-weights balanced gives all classes the same weight", name,
            (long long)count[rarest], (long long)all);
        free(name);
    }
    free(count);
}

/* Printed only when training has begun: a mistake found earlier is reported in one line, without this. */
static void say_beginning(const training *t)
{
    for (int i = 0; i < crd_dataset_note_count(t->dataset); i++)
        crd_cli_say("note: %s", crd_dataset_note(t->dataset, i));
    crd_cli_say("split: %s", crd_split_description(t->split));
    const int64_t validating = count_used(t, CRD_ROLE_VALIDATION);
    const int64_t classes = crd_dataset_classes(t->dataset) - t->config->left_out;
    if (t->config->left_out > 0) say_left_out(t, validating);
    say_misleading(t);
    say_imbalance(t);
    if (validating == 0 && t->config->networks > 0 && count_used(t, CRD_ROLE_TRAIN) > classes)
        crd_cli_say("no labelled node validates: each network holds out training nodes of its own");
    else if (validating == 0 && crd_kind_trained(t->config->model))
        crd_cli_say("no labelled node validates: training runs for %lld epochs and keeps the last weights%s",
                    (long long)(t->config->max_epochs < 0 ? CRD_EPOCHS_WITHOUT_VALIDATION : t->config->max_epochs),
                    t->config->calibration != CRD_CALIBRATION_NONE ? "; probabilities are not calibrated" : "");
}

enum { EVERY_EPOCHS = 50, EVERY_SECONDS = 60 };

static void print_epoch(const training *t, bool live)
{
    const crd_epoch *epoch = &t->last;
    char *text = NULL;
    if (epoch->network > 0) crd_cli_append(&text, "network %d of %d  ", (int)epoch->network, (int)t->config->networks);
    crd_cli_append(&text, "%s %lld  loss %.5g", epoch->warmup ? "warm-up" : "epoch", (long long)epoch->epoch,
                   epoch->loss);
    if (epoch->network > 0 && isfinite(epoch->validation_cross_entropy))
        crd_cli_append(&text, "  held-out nodes: loss %.4f, accuracy %.2f %%", epoch->validation_cross_entropy,
                       100.0 * epoch->validation_accuracy);
    else if (isfinite(epoch->validation_cross_entropy))
        crd_cli_append(&text, "  validation: cross-entropy %.4f, accuracy %.2f %%", epoch->validation_cross_entropy,
                       100.0 * epoch->validation_accuracy);
    if (!epoch->warmup && epoch->best_epoch > 0) crd_cli_append(&text, "  best %lld", (long long)epoch->best_epoch);
    if (live) crd_cli_live_line("%s", text);
    else crd_cli_say("%s", text);
    free(text);
}

/* The log is opened when training has really begun, so that a mistake found before leaves an old log as it was. */
static void log_epoch(training *t, const crd_epoch *epoch)
{
    crd_error error;
    char *line;
    const bool standard = strcmp(t->log_path, "-") == 0;
    errno = 0;
    if (t->log == NULL) t->log = standard ? fdopen(dup(STDOUT_FILENO), "w") : fopen(t->log_path, "we");
    if (t->log != NULL && crd_epoch_json(epoch, &line, &error) == CRD_OK) {
        fprintf(t->log, "%s\n", line);
        crd_string_free(&line);
    }
    if (t->log != NULL && fflush(t->log) == 0 && !ferror(t->log)) return;
    /* The model is worth more than its log: warn once, then train on without the log. */
    t->log_failed = true;
    if (!t->quiet && crd_cli_is_terminal(stderr)) fputc('\n', stderr);
    crd_cli_say("warning: %s: cannot write: %s; training goes on without the log", t->log_path,
                strerror(errno != 0 ? errno : EIO));
}

static bool is_time_to_show(const training *t, bool live)
{
    const crd_epoch *epoch = &t->last;
    return live || !t->begun || (!epoch->warmup && epoch->epoch % EVERY_EPOCHS == 0) ||
           time(NULL) - t->shown_at >= EVERY_SECONDS;
}

/* Remembers, shows and logs an epoch; false once a signal asked to stop and there is an epoch to keep. */
static bool on_progress(const crd_progress *progress, void *user)
{
    training *t = user;
    const crd_epoch *epoch = progress->epoch;
    if (epoch == NULL) return !t->begun || !crd_cli_interrupted();
    bool live = crd_cli_is_terminal(stderr);
    if (!t->begun && !t->quiet) say_beginning(t);
    if (epoch->network != t->last.network) t->begun = false; /* the first epoch of a network is shown */
    t->last = *epoch;
    t->shown = false;
    if (!t->quiet && is_time_to_show(t, live)) {
        print_epoch(t, live);
        t->shown = true;
        t->shown_at = time(NULL);
    }
    t->begun = true;
    if (t->log_path != NULL && !t->log_failed) log_epoch(t, epoch);
    return !crd_cli_interrupted();
}

/* Shows the last epoch if it is not on the screen yet, leaves the live line, and closes the log. */
static void end_progress(const training *t)
{
    if (t->log != NULL) fclose(t->log);
    if (!t->begun || t->quiet) return;
    if (!t->shown) print_epoch(t, false);
    else if (crd_cli_is_terminal(stderr)) fputc('\n', stderr);
}

/* How far its promises can go. */
static void say_promises(const crd_model *model, const crd_model_facts *facts)
{
    const long long nodes = (long long)facts->calibration_nodes;
    const char *plural = nodes == 1 ? "" : "s";
    double alarms, most;
    if (!crd_kind_trained(facts->kind)) return;
    if (nodes == 0 && crd_split_count(crd_model_split(model), CRD_ROLE_CALIBRATION) > 0)
        crd_cli_say("predict can promise nothing about its answers: the calibration nodes have no labels, or the "
                    "features of some node are so large that it has no answer");
    else if (nodes == 0 && crd_model_config(model)->hold_out > 0.0)
        crd_cli_say(
            "there are too few validation nodes to hold some out: predict can promise nothing about its answers");
    if (nodes == 0 || crd_model_least_promises(model, &alarms, &most, NULL) != CRD_OK) return;
    if (most < 1.0)
        crd_cli_say(
            "%lld calibration node%s: predict can promise --false-alarms %g or more, and --max-error %g or more "
            "with confidence %g",
            nodes, plural, alarms, most, CRD_PROMISE_CONFIDENCE);
    else
        crd_cli_say("%lld calibration node%s: predict can promise --false-alarms %g or more, and no --max-error", nodes,
                    plural, alarms);
}

/* The networks of a committee, how good they are together, and what their answers rest on. */
static void say_committee(const crd_model *model, const crd_model_facts *facts, const char *where)
{
    const long long validating = (long long)crd_split_count(crd_model_split(model), CRD_ROLE_VALIDATION);
    const long long held_out = facts->stop != CRD_STOP_REQUESTED ? validating : 0; /* else not all were asked about */
    char *text = crd_cli_text("%d network%s, %lld epochs", (int)facts->networks, facts->networks == 1 ? "" : "s",
                              (long long)facts->epochs);
    if (isfinite(facts->best_accuracy))
        crd_cli_append(&text, ": accuracy %.2f %%, cross-entropy %.4f on ", 100.0 * facts->best_accuracy,
                       facts->best_cross_entropy);
    if (isfinite(facts->best_accuracy) && held_out > 0) crd_cli_append(&text, "%lld ", held_out);
    if (isfinite(facts->best_accuracy)) crd_cli_append(&text, "nodes held out from the network that answers");
    else crd_cli_append(&text, "; no node could be held out to check them");
    crd_cli_say("%s; %.1f s; model written to %s", text, facts->seconds, where);
    free(text);
    crd_cli_say("its answers rest on a node alone by %.0f %%, on nodes near it by %.0f %%, on nodes far from it by "
                "%.0f %%",
                100.0 * facts->view[0], 100.0 * facts->view[1], 100.0 * facts->view[2]);
}

static void say_result(const crd_model *model, const char *output, bool quiet)
{
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    const char *where = strcmp(output, "-") == 0 ? "standard output" : output;
    if (facts.stop == CRD_STOP_REQUESTED)
        crd_cli_say(facts.epochs == 0      ? "interrupted in the warm-up: saved the weights so far"
                    : facts.best_epoch > 0 ? "interrupted: saved the best of %lld epochs"
                                           : "interrupted: saved the last of %lld epochs",
                    (long long)facts.epochs);
    if (facts.stop == CRD_STOP_DIVERGED)
        crd_cli_say("the loss stopped being a number after %lld epochs: saved the best before that",
                    (long long)facts.epochs);
    if (quiet) return;
    if (facts.stop == CRD_STOP_NOTHING)
        crd_cli_say("nothing to train: the model %s rests on its %lld training nodes; %.1f s; model written "
                    "to %s",
                    facts.kind, (long long)facts.training_nodes, facts.seconds, where);
    else if (facts.networks > 0) say_committee(model, &facts, where);
    else if (facts.epochs == 0)
        crd_cli_say("no epoch after the warm-up: its weights were kept; %.1f s; model written to %s", facts.seconds,
                    where);
    else if (facts.best_epoch > 0 && isfinite(facts.best_accuracy))
        crd_cli_say("best epoch %lld of %lld: validation accuracy %.2f %%, cross-entropy %.4f; %.1f s; "
                    "model written to %s",
                    (long long)facts.best_epoch, (long long)facts.epochs, 100.0 * facts.best_accuracy,
                    facts.best_cross_entropy, facts.seconds, where);
    else
        crd_cli_say("the last of %lld epochs was kept (there are no validation nodes); %.1f s; model written "
                    "to %s",
                    (long long)facts.epochs, facts.seconds, where);
    say_promises(model, &facts);
}

/* If a model cannot be saved where it should go, because the disk is full by now, it is not lost: it goes to a new
 * folder among the temporary files, and the error line says so. */
static int rescue(const crd_model *model, const crd_error *error)
{
    const char *temporary = crd_cli_environment("TMPDIR");
    crd_error second;
    char *folder = crd_cli_text("%s/credence-rescued-XXXXXX", temporary != NULL ? temporary : "/tmp");
    char *path = mkdtemp(folder) == NULL ? NULL : crd_cli_text("%s/model.safetensors", folder);
    int code;
    if (path != NULL && crd_model_save(model, path, &second) == CRD_OK) {
        code = crd_cli_failf(CRD_CLI_FAILED, "%s; the trained model was saved as %s instead", error->message, path);
    } else {
        if (path != NULL) rmdir(folder);
        code = crd_cli_fail(error);
    }
    free(path);
    free(folder);
    return code;
}

/* Even the second Ctrl-C waits until the model is saved, which takes milliseconds. */
static int save(const crd_model *model, const char *output)
{
    crd_error error;
    crd_cli_hold_signals(true);
    crd_status status = crd_model_save(model, output, &error);
    int code = CRD_CLI_DONE;
    if (status != CRD_OK && strcmp(output, "-") == 0) code = crd_cli_fail(&error);
    else if (status != CRD_OK) code = rescue(model, &error);
    crd_cli_hold_signals(false);
    return code;
}

/* Puts the user's metadata into a model; NULL: only checks them, before hours of training. */
static int set_metadata(const crd_cli_options *options, crd_model *model)
{
    crd_error error;
    const char *entry;
    size_t others = 0;
    int code = CRD_CLI_DONE;
    for (int i = 0; code == CRD_CLI_DONE && (entry = crd_cli_repeated(options, "metadata", i)) != NULL; i++) {
        const char *equals = strchr(entry, '=');
        if (equals == NULL || equals == entry)
            return crd_cli_misused(options, "--metadata: expected KEY=VALUE, found '%s'", entry);
        char *key = crd_cli_text("%.*s", (int)(equals - entry), entry);
        crd_status status = model != NULL ? crd_model_set_metadata(model, key, equals + 1, &error)
                                          : crd_metadata_check(key, equals + 1, others, &error);
        if (status != CRD_OK) code = crd_cli_fail_about(options, &error);
        others += strlen(entry) - 1;
        free(key);
    }
    return code;
}

/* Trains and writes, after everything was opened and checked. */
static int train(const crd_cli_options *options, const crd_dataset *dataset, const crd_split *split,
                 const crd_config *config, const crd_model *init)
{
    crd_error error;
    crd_model *model = NULL;
    char *json;
    const char *output = crd_cli_value(options, "output");
    training t = {.dataset = dataset,
                  .split = split,
                  .config = config,
                  .named = crd_cli_names_classes(crd_cli_value(options, "left-out")),
                  .quiet = crd_cli_given(options, "quiet"),
                  .log_path = crd_cli_value(options, "log")};
    const crd_control control = {.size = sizeof control, .progress = on_progress, .user = &t};
    const crd_train_options how = {.size = sizeof how, .init = init, .control = &control};
    if (!t.quiet) say_memory(&t);
    crd_cli_catch_signals("stopping, and keeping the best model so far");
    crd_status status = crd_train(dataset, split, config, &how, &model, &error);
    end_progress(&t);
    if (status == CRD_OK && !t.quiet && !t.begun) say_beginning(&t); /* there was no epoch */
    int code = status == CRD_OK ? set_metadata(options, model) : crd_cli_fail_about(options, &error);
    if (code == CRD_CLI_DONE) code = save(model, output);
    if (code == CRD_CLI_DONE) say_result(model, output, t.quiet);
    if (code == CRD_CLI_DONE && crd_cli_given(options, "json"))
        code = crd_cli_print_text(crd_model_facts_json(model, &json, &error), &json, &error);
    crd_model_free(&model);
    return code;
}

/* Model and log must be writable, and must not be files that are read; the model may replace the one that it starts
 * from. */
static int check_outputs(const crd_cli_options *options)
{
    const char *log = crd_cli_value(options, "log"), *output = crd_cli_value(options, "output");
    int code = crd_cli_check_output_apart(options, output, "init");
    if (code == CRD_CLI_DONE && log != NULL) code = crd_cli_check_output(log, output, false);
    return code == CRD_CLI_DONE && log != NULL ? crd_cli_check_output_apart(options, log, NULL) : code;
}

static int run(const crd_cli_options *options)
{
    crd_config config;
    crd_error error;
    crd_dataset *dataset = NULL;
    crd_split *split = NULL;
    crd_model *init = NULL;
    const crd_public_graph *known = NULL;
    const char *data = options->word[0], *start = crd_cli_value(options, "init");
    /* Like any filter, a command ends silently if its reader goes away. But training goes on if nobody reads its
     * log any more. */
    signal(SIGPIPE, SIG_IGN);
    int code = check_usage(options);
    if (code == CRD_CLI_DONE) code = set_metadata(options, NULL);
    /* Find mistakes before reading the data, unless finding them takes the data. */
    if (code == CRD_CLI_DONE && crd_cli_preset_needs_data(options))
        code = crd_cli_open(options, data, &dataset, &known);
    if (code == CRD_CLI_DONE) code = configure(options, known, &config);
    if (code == CRD_CLI_DONE) code = check_outputs(options);
    if (code == CRD_CLI_DONE && start != NULL && crd_model_load(start, &init, &error) != CRD_OK)
        code = crd_cli_fail(&error);
    if (code == CRD_CLI_DONE && dataset == NULL) code = crd_cli_open(options, data, &dataset, &known);
    if (code == CRD_CLI_DONE) code = check_parts(options, dataset, &config);
    if (code == CRD_CLI_DONE) code = make_split(options, dataset, &config, &split);
    if (code == CRD_CLI_DONE) code = leave_out(options, dataset, &config);
    if (code == CRD_CLI_DONE) code = train(options, dataset, split, &config, init);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    crd_model_free(&init);
    return code;
}

const crd_cli_command crd_cli_train = {
    .name = "train",
    .group = CRD_CLI_OWN_GRAPH,
    .summary = "learn from the labelled nodes of a graph and write a model",
    .description = "Learns to classify the nodes of DATA and writes the model. DATA is an .npz file, a\n"
                   "folder, an edge list, a Matrix Market file, - for standard input, or the name of a\n"
                   "public graph ('credence fetch --list').",
    .positional = {"DATA"},
    .exclusive = {{"split", "split-file"}, {"reg-strength", "reg-weight"}, {"split-index", "split-file"}},
    .required = "output",
    .declare = declare,
    .more_help = more_help,
    .run = run,
};
