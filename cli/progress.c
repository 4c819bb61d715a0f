#include "progress.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "credence_private.h"
#include "signals.h"

enum { EVERY_EPOCHS = 50, EVERY_SECONDS = 60 };

static void print_epoch(const crd_epoch *epoch, bool live)
{
    char *text =
        crd_cli_text("%s %lld  loss %.5g", epoch->warmup ? "warm-up" : "epoch", (long long)epoch->epoch, epoch->loss);
    if (isfinite(epoch->validation_cross_entropy))
        crd_cli_append(&text, "  validation: cross-entropy %.4f, accuracy %.2f %%", epoch->validation_cross_entropy,
                       100.0 * epoch->validation_accuracy);
    if (!epoch->warmup && epoch->best_epoch > 0) crd_cli_append(&text, "  best %lld", (long long)epoch->best_epoch);
    if (live) crd_cli_live_line("%s", text);
    else crd_cli_say("%s", text);
    free(text);
}

/* The log is opened when training has really begun, so that a mistake found before leaves an old log as it was. */
static void log_epoch(crd_cli_progress *progress, const crd_epoch *epoch)
{
    crd_error error;
    char *line;
    const bool standard = strcmp(progress->log_path, "-") == 0;
    errno = 0;
    if (progress->log == NULL)
        progress->log = standard ? fdopen(dup(STDOUT_FILENO), "w") : fopen(progress->log_path, "we");
    if (progress->log != NULL && crd_epoch_json(epoch, &line, &error) == CRD_OK) {
        fprintf(progress->log, "%s\n", line);
        crd_string_free(&line);
    }
    if (progress->log != NULL && fflush(progress->log) == 0 && !ferror(progress->log)) return;
    /* The model is worth more than its log: warn once, then train on without the log. */
    progress->log_failed = true;
    if (!progress->quiet && crd_cli_is_terminal(stderr)) fputc('\n', stderr);
    crd_cli_say("warning: %s: cannot write: %s; training goes on without the log", progress->log_path,
                strerror(errno != 0 ? errno : EIO));
}

static bool is_time_to_show(const crd_cli_progress *progress, bool live)
{
    const crd_epoch *epoch = &progress->last;
    return live || !progress->begun || (!epoch->warmup && epoch->epoch % EVERY_EPOCHS == 0) ||
           time(NULL) - progress->shown_at >= EVERY_SECONDS;
}

bool crd_cli_on_epoch(const crd_epoch *epoch, void *user)
{
    crd_cli_progress *progress = user;
    bool live = crd_cli_is_terminal(stderr);
    if (!progress->begun && progress->before != NULL) progress->before(progress->context);
    progress->last = *epoch;
    progress->shown = false;
    if (!progress->quiet && is_time_to_show(progress, live)) {
        print_epoch(epoch, live);
        progress->shown = true;
        progress->shown_at = time(NULL);
    }
    progress->begun = true;
    if (progress->log_path != NULL && !progress->log_failed) log_epoch(progress, epoch);
    return !crd_cli_interrupted();
}

void crd_cli_progress_end(crd_cli_progress *progress)
{
    if (progress->log != NULL) fclose(progress->log);
    progress->log = NULL;
    if (!progress->begun || progress->quiet) return;
    if (!progress->shown) print_epoch(&progress->last, false);
    else if (crd_cli_is_terminal(stderr)) fputc('\n', stderr);
    progress->shown = true;
}
