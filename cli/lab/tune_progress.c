#include "lab/tune_progress.h"

#include <math.h>

#include "lab/pool.h"

enum { EVERY_SECONDS = 60 };

/* "40 s", "12 min", "3 h 20 min" */
static void write_duration(double seconds, char text[32])
{
    long minutes = (long)(seconds / 60.0 + 0.5);
    if (seconds < 90.0)
        snprintf(text, 32, "%.0f s", seconds);
    else if (minutes < 120)
        snprintf(text, 32, "%ld min", minutes);
    else
        snprintf(text, 32, "%ld h %ld min", minutes / 60, minutes % 60);
}

/* How long it still takes, if trials go on as they did in this rung; later rungs are a guess. */
static void print_rest(const crd_lab_tune_progress *progress)
{
    double each = (crd_lab_now() - progress->started) / (double)progress->finished;
    double left = each * ((double)(progress->total - progress->finished) + progress->later);
    time_t end = time(NULL) + (time_t)left;
    struct tm local;
    char duration[32], clock[32] = "";
    write_duration(left, duration);
    if (localtime_r(&end, &local) != NULL)
        strftime(clock, sizeof clock, left < 43200.0 ? "%H:%M" : "%a %H:%M", &local);
    fprintf(stderr, "; about %s left, until %s", duration, clock);
}

void crd_lab_tune_show(crd_lab_tune_progress *progress)
{
    bool live = crd_cli_is_terminal(stderr);
    if (progress->quiet || (!live && time(NULL) - progress->shown_at < EVERY_SECONDS)) return;
    /* The live line must not wrap, or the next one could not cover it. */
    if (live) fputs("\r\033[?7l", stderr);
    fprintf(stderr, "rung %d of %d: %lld of %lld trials", progress->rung + 1, progress->rungs,
            (long long)progress->finished, (long long)progress->total);
    if (isfinite(progress->best)) fprintf(stderr, "; best so far %.4f", progress->best);
    if (progress->finished > 0) print_rest(progress);
    fputs(live ? "\033[K\033[?7h" : "\n", stderr);
    fflush(stderr);
    progress->line = live;
    progress->shown_at = time(NULL);
}

void crd_lab_tune_hide(crd_lab_tune_progress *progress)
{
    if (progress->line) fputs("\r\033[K", stderr);
    progress->line = false;
}
