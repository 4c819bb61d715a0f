#include "lab/live.h"

#include <stdlib.h>
#include <time.h>

#include "lab/pool.h"

static size_t cell_of(const crd_lab_plan *plan, int64_t index)
{
    const crd_lab_wanted *wanted = &plan->wanted[index];
    int model = 0;
    while (plan->model[model] != wanted->model) model++;
    return (size_t)(wanted->data - plan->data) * (size_t)plan->models + (size_t)model;
}

static double guess(const crd_lab_wanted *wanted)
{
    return wanted->data->cost * wanted->model->effort;
}

void crd_lab_live_begin(crd_lab_live *live, const crd_lab_plan *plan, int jobs, bool quiet)
{
    const size_t cells = (size_t)plan->datas * (size_t)plan->models, count = (size_t)plan->count;
    *live = (crd_lab_live){.plan = plan, .jobs = jobs, .quiet = quiet, .total = plan->count};
    live->seconds = crd_cli_allocate(NULL, cells * sizeof *live->seconds);
    live->runs = crd_cli_allocate(NULL, cells * sizeof *live->runs);
    live->started = crd_cli_allocate(NULL, count * sizeof *live->started);
    live->over = crd_cli_allocate(NULL, count * sizeof *live->over);
    for (size_t i = 0; i < cells; i++) {
        live->seconds[i] = 0.0;
        live->runs[i] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        live->started[i] = -1.0;
        live->over[i] = false;
    }
}

static void learn(crd_lab_live *live, int64_t index, double seconds)
{
    size_t cell = cell_of(live->plan, index);
    live->seconds[cell] += seconds;
    live->runs[cell]++;
    live->over[index] = true;
}

void crd_lab_live_skip(crd_lab_live *live, int64_t index, double seconds)
{
    learn(live, index, seconds);
    live->total--;
}

/* How far the guesses are off, by the runs that are over. */
static double correction(const crd_lab_live *live)
{
    double seconds = 0.0, guessed = 0.0;
    for (int64_t i = 0; i < live->plan->count; i++) {
        if (!live->over[i]) continue;
        size_t cell = cell_of(live->plan, i);
        if (live->runs[cell] == 0) continue;
        seconds += live->seconds[cell] / (double)live->runs[cell];
        guessed += guess(&live->plan->wanted[i]);
    }
    return guessed > 0.0 ? seconds / guessed : 1.0;
}

/* What is left, in seconds: by the mean of the same graph and model where there is one, else by the guess. */
static double estimate(const crd_lab_live *live)
{
    double off = correction(live), sum = 0.0, longest = 0.0, now = crd_lab_now();
    for (int64_t i = 0; i < live->plan->count; i++) {
        if (live->over[i]) continue;
        size_t cell = cell_of(live->plan, i);
        double takes = live->runs[cell] > 0 ? live->seconds[cell] / (double)live->runs[cell]
                                            : off * guess(&live->plan->wanted[i]);
        if (live->started[i] >= 0.0) takes -= now - live->started[i];
        if (takes < 0.0) takes = 0.0;
        sum += takes;
        if (takes > longest) longest = takes;
    }
    return sum / live->jobs > longest ? sum / live->jobs : longest;
}

/* "12 min left, ends at 14:32" */
static char *left_text(const crd_lab_live *live)
{
    double seconds = estimate(live);
    long minutes = (long)(seconds / 60.0 + 0.5);
    time_t now = time(NULL), then = now + (time_t)(seconds + 0.5);
    struct tm today = {0}, end = {0};
    char clock[40], left[40];
    localtime_r(&now, &today);
    localtime_r(&then, &end);
    bool same_day = today.tm_yday == end.tm_yday && today.tm_year == end.tm_year;
    strftime(clock, sizeof clock, same_day ? "%H:%M" : "%Y-%m-%d %H:%M", &end);
    if (minutes < 2) snprintf(left, sizeof left, "%.0f s", seconds);
    else if (minutes < 120) snprintf(left, sizeof left, "%ld min", minutes);
    else snprintf(left, sizeof left, "%ld h %ld min", minutes / 60, minutes % 60);
    return crd_cli_text("%s left, ends %s %s", left, same_day ? "at" : "on", clock);
}

static char *run_text(const crd_lab_wanted *wanted)
{
    return crd_cli_text("%s %s%s%s seed %llu", wanted->data->name, wanted->model->name,
                        wanted->shift != NULL ? " " : "", wanted->shift != NULL ? wanted->shift : "",
                        (unsigned long long)wanted->seed);
}

static char *failed_text(const crd_lab_live *live)
{
    if (live->failed == 0) return crd_cli_text("%s", "");
    return crd_cli_text(", %lld failed", (long long)live->failed);
}

void crd_lab_live_clear(crd_lab_live *live)
{
    if (live->line) fputs("\r\033[K", stderr);
    live->line = false;
}

void crd_lab_live_show(crd_lab_live *live, const int64_t *running, int count)
{
    double now = crd_lab_now();
    for (int i = 0; i < count; i++)
        if (live->started[running[i]] < 0.0) live->started[running[i]] = now;
    if (live->quiet || !crd_cli_is_terminal(stderr)) return;
    char *failed = failed_text(live), *left = left_text(live);
    /* The live line must not wrap, or the next one could not cover it. */
    fprintf(stderr, "\r\033[?7l%lld/%lld done%s, %s:", (long long)live->done, (long long)live->total, failed,
            left);
    for (int i = 0; i < count; i++) {
        char *text = run_text(&live->plan->wanted[running[i]]), *shown = crd_cli_printable(text);
        fprintf(stderr, "%s %s", i > 0 ? "," : "", shown);
        free(shown);
        free(text);
    }
    fputs("\033[K\033[?7h", stderr);
    fflush(stderr);
    free(failed);
    free(left);
    live->line = true;
}

void crd_lab_live_over(crd_lab_live *live, int64_t index, const char *why, double seconds)
{
    char *text = run_text(&live->plan->wanted[index]);
    if (why == NULL) {
        learn(live, index, seconds);
    } else {
        live->failed++;
        live->over[index] = true;
        crd_lab_live_clear(live);
        crd_cli_failf(CRD_CLI_FAILED, "%s failed: %s", text, why);
    }
    live->done++;
    if (why == NULL && !live->quiet && !crd_cli_is_terminal(stderr)) {
        char *failed = failed_text(live), *left = left_text(live);
        bool last = live->done == live->total;
        crd_cli_say("%lld/%lld %s: %.1f s%s%s%s", (long long)live->done, (long long)live->total, text,
                    seconds, failed, last ? "" : "; ", last ? "" : left);
        free(failed);
        free(left);
    }
    free(text);
}

void crd_lab_live_end(crd_lab_live *live)
{
    crd_lab_live_clear(live);
    free(live->seconds);
    free(live->runs);
    free(live->started);
    free(live->over);
    *live = (crd_lab_live){0};
}
