#include "progress.h"

#include <errno.h>
#include <fcntl.h>
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

static void log_epoch(crd_cli_progress *progress, const crd_epoch *epoch)
{
    FILE *log = progress->log;
    if (!progress->log_begun) (void)!ftruncate(fileno(log), 0); /* a device or pipe holds nothing to remove */
    progress->log_begun = true;
    crd_error error;
    char *line;
    if (crd_epoch_json(epoch, &line, &error) == CRD_OK) {
        fprintf(log, "%s\n", line);
        crd_string_free(&line);
    }
    errno = 0;
    if (fflush(log) == 0 && !ferror(log)) return;
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
    if (!epoch->warmup) progress->epochs = epoch->epoch;
    if (!progress->quiet && is_time_to_show(progress, live)) {
        print_epoch(epoch, live);
        progress->shown = true;
        progress->shown_at = time(NULL);
    }
    progress->begun = true;
    if (progress->log != NULL && !progress->log_failed) log_epoch(progress, epoch);
    return !crd_cli_interrupted();
}

void crd_cli_progress_end(crd_cli_progress *progress)
{
    if (!progress->begun || progress->quiet) return;
    if (!progress->shown) print_epoch(&progress->last, false);
    else if (crd_cli_is_terminal(stderr)) fputc('\n', stderr);
    progress->shown = true;
}

int crd_cli_log_open(crd_cli_progress *progress, const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    progress->log_created = !standard && access(path, F_OK) != 0;
    int descriptor = standard ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    FILE *log = descriptor < 0 ? NULL : fdopen(descriptor, "a");
    if (log == NULL) {
        int failure = errno;
        if (descriptor >= 0) close(descriptor);
        return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot write: %s", path, strerror(failure));
    }
    progress->log = log;
    progress->log_path = path;
    return CRD_CLI_DONE;
}

void crd_cli_log_close(crd_cli_progress *progress)
{
    if (progress->log == NULL) return;
    fclose(progress->log);
    if (progress->log_created && !progress->log_begun) unlink(progress->log_path);
    progress->log = NULL;
}
