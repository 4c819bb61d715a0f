/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/cores.h"
#include "base/parallel.h"
#include "base/text.h"
#include "runs/runs.h"
#include "signals.h"

enum { TICK_MILLISECONDS = 200 };

/* A child. It sends the outcome of each of its pieces as a line of JSON: the result, an object, or a text that says why
 * there is none. */
typedef struct {
    pid_t process;
    int64_t first, count; /* the pieces whose outcomes have not arrived */
    int pipe;             /* its reading end */
    double since;         /* when its last outcome arrived, or else when it began */
    crd_text text;        /* the part of the next line that has arrived */
} child;

typedef struct {
    const crd_cli_pool *pool;
    pid_t parent;
    child *children;
    struct pollfd *waiting; /* one per child */
    int jobs, count;
    bool *given;  /* for each piece: a child has it, or it is finished */
    int64_t next; /* all pieces before it are given */
    int64_t finished, failed;
    double started, shown; /* when it began, and when progress was last printed */
    bool line;             /* a live line is on the screen */
    int code;
} state;

int crd_cli_jobs(const crd_cli_options *options)
{
    const int wanted = (int)crd_cli_whole(options, "jobs"), cores = (int)crd_cores();
    return wanted > 0 ? wanted : cores < CRD_CLI_MOST_JOBS ? cores : CRD_CLI_MOST_JOBS;
}

/* ---- in a child ---- */

/* The parent may be killed (SIGKILL) before it can end its children. On Linux they end with it, elsewhere when they
 * find that nobody reads their result. The parent alone handles signals that the terminal sends to all of us. */
static void follow_parent(const state *s)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != s->parent) _exit(CRD_CLI_FAILED);
}

static json_t *work_on(const crd_cli_pool *pool, int64_t index)
{
    crd_error error = {.status = CRD_OK};
    json_t *result = json_object();
    if (pool->run(pool->context, pool->piece[index].work, result, &error) == CRD_OK) return result;
    json_decref(result);
    return crd_cli_json_string(error.message);
}

/* False if nobody reads. */
static bool send_outcome(int end, json_t *outcome)
{
    char *text = crd_cli_json_text(outcome), *line = crd_cli_text("%s\n", text);
    size_t left = strlen(line);
    for (ssize_t part = 0; left > 0 && (part >= 0 || errno == EINTR); left -= part > 0 ? (size_t)part : 0)
        part = write(end, line + strlen(line) - left, left);
    free(line);
    free(text);
    json_decref(outcome);
    return left == 0;
}

static void work_in_child(const state *s, int64_t first, int64_t count, int end)
{
    bool sent = true;
    follow_parent(s);
    for (int64_t i = 0; i < count && sent; i++) sent = send_outcome(end, work_on(s->pool, first + i));
    /* Not exit: only the parent writes what its streams hold. */
    _exit(sent ? CRD_CLI_DONE : CRD_CLI_FAILED);
}

/* ---- progress ---- */

static void clear_line(state *s)
{
    if (s->line) fputs("\r\033[K", stderr);
    s->line = false;
}

/* "12/60 done, 1 failed, 3 min left"; the caller frees it. */
static char *progress_text(const state *s)
{
    const crd_cli_pool *pool = s->pool;
    double rest = (double)(pool->count - s->finished);
    double seconds = s->finished > 0 ? (crd_seconds() - s->started) / (double)s->finished * rest : 0.0;
    long minutes = (long)(seconds / 60.0 + 0.5);
    char *text = crd_cli_text("%s%lld/%lld done", pool->what, (long long)s->finished, (long long)pool->count);
    if (s->failed > 0) crd_cli_append(&text, ", %lld failed", (long long)s->failed);
    if (s->finished == 0 || rest <= 0.0) return text;
    if (minutes < 2) crd_cli_append(&text, ", %.0f s left", seconds);
    else if (minutes < 120) crd_cli_append(&text, ", %ld min left", minutes);
    else crd_cli_append(&text, ", %ld h %ld min left", minutes / 60, minutes % 60);
    return text;
}

static void show_live_line(state *s)
{
    if (s->pool->quiet || !crd_cli_is_terminal(stderr)) return;
    char *text = progress_text(s);
    const char *before = ": ";
    for (int i = 0; i < s->count; i++) {
        const child *c = &s->children[i];
        if (c->count == 0) continue;
        crd_cli_append(&text, "%s%s", before, s->pool->piece[c->first].name);
        before = ", ";
        if (c->count > 1) crd_cli_append(&text, " and %lld more", (long long)(c->count - 1));
    }
    char *shown = crd_cli_printable(text);
    crd_cli_live_line("%s", shown);
    fflush(stderr);
    s->line = true;
    free(shown);
    free(text);
}

static void say_finished(state *s, const crd_cli_piece *piece, double seconds)
{
    if (s->pool->quiet || crd_cli_is_terminal(stderr)) return;
    if (crd_seconds() - s->shown < s->pool->every_seconds) return;
    s->shown = crd_seconds();
    char *text = progress_text(s);
    crd_cli_say("%s: %s took %.1f s", text, piece->name, seconds);
    free(text);
}

/* ---- in the parent ---- */

/* How many pieces one child works on, from this one on. */
static int64_t group_size(const crd_cli_pool *pool, int64_t first)
{
    int64_t count = 1;
    while (first + count < pool->count && pool->piece[first + count].joined) count++;
    return count;
}

/* Marks pieces as given to a child, or takes them back from it. */
static void give(state *s, int64_t first, int64_t count, bool given)
{
    for (int64_t i = first; i < first + count; i++) s->given[i] = given;
    if (first < s->next) s->next = first;
    while (s->next < s->pool->count && s->given[s->next]) s->next++;
}

/* Starts a child on the next pieces; false if the system has no process or pipe left. */
static bool start(state *s)
{
    const int64_t first = s->next, count = group_size(s->pool, first);
    int ends[2];
    if (pipe(ends) != 0) return false;
    fflush(NULL);
    const double since = crd_seconds(); /* the child may be far before this process goes on */
    pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        for (int i = 0; i < s->count; i++) close(s->children[i].pipe);
        work_in_child(s, first, count, ends[1]);
    }
    int failure = errno;
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        errno = failure;
        return false;
    }
    give(s, first, count, true);
    s->children[s->count++] =
        (child){.process = process, .first = first, .count = count, .pipe = ends[0], .since = since};
    return true;
}

static int wait_for(pid_t process)
{
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
    return status;
}

/* Appends the line of a child's piece. Takes the outcome's reference. */
static void take_outcome(state *s, child *c, json_t *outcome)
{
    const crd_cli_piece *piece = &s->pool->piece[c->first++];
    const char *why = json_string_value(outcome); /* NULL: it did not fail */
    const double now = crd_seconds(), seconds = now - c->since;
    json_t *line = json_copy(piece->line);
    c->count--;
    c->since = now;
    crd_cli_json_set(line, "seconds", crd_cli_json_rounded(round(1000.0 * seconds) / 1000.0));
    if (why != NULL) crd_cli_json_set(line, "error", json_incref(outcome));
    else json_object_update(line, outcome);
    s->finished++;
    s->failed += why != NULL;
    clear_line(s);
    crd_cli_hold_signals(true); /* even a second Ctrl-C waits for the line to be on disk */
    if (why != NULL) crd_cli_failf(CRD_CLI_FAILED, "%s failed: %s", piece->name, why);
    s->code = crd_cli_runs_append(s->pool->runs, line);
    if (s->code == CRD_CLI_DONE && why == NULL) say_finished(s, piece, seconds);
    crd_cli_hold_signals(false);
    json_decref(outcome);
}

/* Takes the lines that are whole and keeps the rest. */
static void take_lines(state *s, child *c)
{
    crd_text rest = {0};
    char *line = c->text.bytes;
    for (char *end; s->code == CRD_CLI_DONE && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        json_t *outcome = json_loadb(line, (size_t)(end - line), JSON_DECODE_ANY, NULL);
        if (outcome != NULL) take_outcome(s, c, outcome);
        else s->code = crd_cli_failf(CRD_CLI_FAILED, "out of memory");
    }
    crd_text_add(&rest, line);
    crd_text_free(&c->text);
    c->text = rest;
}

/* Reads what has arrived; false at the end. */
static bool receive(state *s, child *c)
{
    char part[4096];
    ssize_t size = read(c->pipe, part, sizeof part);
    if (size > 0) crd_text_add_bytes(&c->text, part, (size_t)size);
    if (c->text.status != CRD_OK) s->code = crd_cli_failf(CRD_CLI_FAILED, "out of memory");
    else if (size > 0 && memchr(part, '\n', (size_t)size) != NULL) take_lines(s, c);
    return size > 0 || (size < 0 && errno == EINTR);
}

/* Why a process sent fewer outcomes than it should have. */
static json_t *reason_of(int status)
{
    char *why = WIFEXITED(status) ? crd_cli_text("its process ended early, with exit code %d", WEXITSTATUS(status))
                : WTERMSIG(status) == SIGKILL ? crd_cli_text("its process was killed, perhaps because memory ran out")
                                              : crd_cli_text("its process was ended by signal %d (%s)",
                                                             WTERMSIG(status), strsignal(WTERMSIG(status)));
    json_t *reason = crd_cli_json_string(why);
    free(why);
    return reason;
}

/* Removes a child that closed its pipe. If it had pieces left, the one it worked on has failed, and another child gets
 * those after it. */
static void finish(state *s, int at)
{
    child c = s->children[at];
    const int status = wait_for(c.process);
    close(c.pipe);
    crd_text_free(&c.text);
    s->children[at] = s->children[--s->count];
    if (c.count > 0) take_outcome(s, &c, reason_of(status));
    give(s, c.first, c.count, false);
}

/* Children write no files, so ending them loses nothing and leaves nothing half-written. */
static void end_all(state *s)
{
    for (int i = 0; i < s->count; i++) kill(s->children[i].process, SIGKILL);
    for (int i = 0; i < s->count; i++) {
        wait_for(s->children[i].process);
        close(s->children[i].pipe);
        crd_text_free(&s->children[i].text);
    }
    s->count = 0;
    clear_line(s);
}

static void wait_for_any(state *s)
{
    nfds_t count = s->count > 0 ? (nfds_t)s->count : 0;
    for (nfds_t i = 0; i < count; i++) s->waiting[i] = (struct pollfd){.fd = s->children[i].pipe, .events = POLLIN};
    if (poll(s->waiting, count, TICK_MILLISECONDS) <= 0) return;
    /* Backwards: finish() fills the gap with the last child, which was looked at already. */
    for (int i = s->count - 1; i >= 0 && s->code == CRD_CLI_DONE; i--)
        if (s->waiting[i].revents != 0 && !receive(s, &s->children[i])) finish(s, i);
}

static int work_on_all(state *s)
{
    while (s->finished < s->pool->count && s->code == CRD_CLI_DONE) {
        if (crd_cli_interrupted()) return CRD_CLI_FAILED;
        /* If the system is short of processes, fewer run; those that run go on. */
        while (s->count < s->jobs && s->next < s->pool->count)
            if (!start(s)) break;
        if (s->count == 0) return crd_cli_failf(CRD_CLI_FAILED, "cannot start a process: %s", strerror(errno));
        show_live_line(s);
        wait_for_any(s);
    }
    return s->code;
}

int crd_cli_pool_run(const crd_cli_pool *pool)
{
    int jobs = pool->jobs < pool->count ? pool->jobs : (int)pool->count;
    if (jobs == 0) return CRD_CLI_DONE;
    state s = {.pool = pool, .parent = getpid(), .jobs = jobs, .started = crd_seconds(), .shown = crd_seconds()};
    s.given = crd_cli_allocate(NULL, (size_t)pool->count * sizeof *s.given);
    memset(s.given, 0, (size_t)pool->count * sizeof *s.given);
    s.children = crd_cli_allocate(NULL, (size_t)jobs * sizeof *s.children);
    s.waiting = crd_cli_allocate(NULL, (size_t)jobs * sizeof *s.waiting);
    crd_cli_catch_signals("stopping; what is finished is kept");
    int code = work_on_all(&s);
    end_all(&s);
    if (crd_cli_interrupted())
        code = crd_cli_failf(CRD_CLI_FAILED,
                             "interrupted: %lld run%s finished and kept in %s; the same command goes on from there",
                             (long long)pool->runs->count, pool->runs->count == 1 ? " is" : "s are", pool->runs->path);
    free(s.given);
    free(s.children);
    free(s.waiting);
    return code;
}

void crd_cli_pieces_free(crd_cli_piece *piece, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        json_decref(piece[i].line);
        free(piece[i].name);
    }
    free(piece);
}
