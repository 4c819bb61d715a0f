/* SPDX-License-Identifier: MIT */
#include "train_log.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "options.h"
#include "output.h"
#include "signals.h"

/* The number of nodes of a role that training uses: labelled, and not of a left-out class. */
static int64_t count_used(const crd_cli_training *t, crd_role role)
{
    int64_t classes = crd_dataset_classes(t->dataset) - t->config->left_out, count = 0;
    for (int64_t i = 0; i < crd_dataset_nodes(t->dataset); i++) {
        int32_t label = crd_dataset_label(t->dataset, i);
        count += crd_split_role(t->split, i) == role && label >= 0 && label < classes;
    }
    return count;
}

/* Prints the classes that are kept from training, by name: which ones they are depends on the order of classes. */
static void say_left_out(const crd_cli_training *t, int64_t validating)
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
void crd_cli_say_memory(const crd_cli_training *t)
{
    int64_t bytes;
    const double here = memory_here();
    if (crd_train_memory(t->dataset, t->split, t->config, &bytes, NULL) != CRD_OK) return;
    if (here > 0.0 && (double)bytes > 0.5 * here)
        crd_cli_say("note: training takes about %.1f GB of memory, of %.1f GB here", (double)bytes / 1e9, here / 1e9);
}

/* From the labels that training may look at. */
static void say_misleading(const crd_cli_training *t)
{
    crd_homophily homophily;
    const int32_t classes = crd_dataset_classes(t->dataset) - (int32_t)t->config->left_out;
    if (crd_dataset_homophily(t->dataset, t->split, classes, &homophily, NULL) != CRD_OK || !homophily.misleads) return;
    crd_cli_say(
        "note: edges say little about classes (%.0f %% stay inside a class, %.0f %% by chance): the model %s %s",
        100.0 * homophily.inside, 100.0 * homophily.chance, t->config->model, crd_kind_edges(t->config->model));
}

/* A class with few labels is easily never answered. */
static void say_imbalance(const crd_cli_training *t)
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
void crd_cli_say_beginning(const crd_cli_training *t)
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

static void print_epoch(const crd_cli_training *t, bool live)
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
static void log_epoch(crd_cli_training *t, const crd_epoch *epoch)
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

static bool is_time_to_show(const crd_cli_training *t, bool live)
{
    const crd_epoch *epoch = &t->last;
    return live || !t->begun || (!epoch->warmup && epoch->epoch % EVERY_EPOCHS == 0) ||
           time(NULL) - t->shown_at >= EVERY_SECONDS;
}

/* Remembers, shows and logs an epoch; false once a signal asked to stop and there is an epoch to keep. */
bool crd_cli_on_progress(const crd_progress *progress, void *user)
{
    crd_cli_training *t = user;
    const crd_epoch *epoch = progress->epoch;
    if (epoch == NULL) return !t->begun || !crd_cli_interrupted();
    bool live = crd_cli_is_terminal(stderr);
    if (!t->begun && !t->quiet) crd_cli_say_beginning(t);
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
void crd_cli_end_progress(const crd_cli_training *t)
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

void crd_cli_say_trained(const crd_model *model, const char *output, bool quiet)
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

void crd_cli_hear_checkpoint(int level, const char *message, void *user)
{
    static const char about[] = "checkpoint: ";
    const crd_cli_training *t = user;
    if (strncmp(message, about, strlen(about)) != 0 || (t->quiet && level < CRD_LOG_WARNING)) return;
    crd_cli_say("%s%s", level == CRD_LOG_WARNING ? "warning: " : "", message);
}
