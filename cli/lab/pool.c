/* sched_getaffinity, Linux's own: the cores this process may use, not those of the machine. */
#define _GNU_SOURCE
#include "lab/pool.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "signals.h"

enum { TICK_MILLISECONDS = 200, MOST_JOBS = 1024 };

/* A child and what it has sent so far: one character that says what follows, then the text. */
typedef struct {
    pid_t process;
    int64_t index;
    int pipe; /* its reading end */
    double started;
    char *text;
    size_t length, capacity;
} child;

enum { RESULT = 'R', FAILURE = 'F' };

typedef struct {
    const crd_lab_pool *pool;
    child *children;
    struct pollfd *waiting; /* one a child */
    int64_t *running;       /* the children's pieces, for `tick` */
    int jobs, count;
    int64_t next, finished;
    bool stopped; /* `done` said so */
} state;

int crd_lab_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) == 0) cores = CPU_COUNT(&usable);
#endif
    return cores < 1 ? 1 : cores > MOST_JOBS ? MOST_JOBS : (int)cores;
}

double crd_lab_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* In a child ------------------------------------------------------------------------------------------- */

static pid_t parent;

/* Once a second: nobody would read the result of a child whose parent is gone. */
static void look_for_parent(int number)
{
    (void)number;
    if (getppid() != parent) _exit(CRD_CLI_FAILED);
    alarm(1);
}

/* The parent may end without a chance to end its children (SIGKILL): they must not survive it. Linux does
 * this at once, everywhere else it takes a second. What the terminal sends to all of us is the parent's to
 * judge. */
static void follow_parent(void)
{
    struct sigaction watch = {.sa_handler = look_for_parent, .sa_flags = SA_RESTART};
    sigemptyset(&watch.sa_mask);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    sigaction(SIGALRM, &watch, NULL);
    look_for_parent(0);
}

static bool send_all(int end, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = write(end, bytes, length);
        if (sent < 0 && errno != EINTR) return false;
        if (sent > 0) {
            bytes += sent;
            length -= (size_t)sent;
        }
    }
    return true;
}

static void work_in_child(const crd_lab_pool *pool, int64_t index, int end)
{
    crd_error error = {.status = CRD_OK};
    char *result = NULL;
    follow_parent();
    crd_status status = pool->work(pool->context, index, &result, &error);
    char kind = status == CRD_OK ? RESULT : FAILURE;
    const char *text = status == CRD_OK ? result : error.message;
    bool sent = send_all(end, &kind, 1) && send_all(end, text, strlen(text));
    /* Not exit: what the parent's streams hold is the parent's to write. */
    _exit(sent ? CRD_CLI_DONE : CRD_CLI_FAILED);
}

/* In the parent ---------------------------------------------------------------------------------------- */

/* Starts a child on the next piece; false if the system gives no process or no pipe. */
static bool start(state *s)
{
    int ends[2];
    if (pipe(ends) != 0) return false;
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        for (int i = 0; i < s->count; i++) close(s->children[i].pipe);
        work_in_child(s->pool, s->next, ends[1]);
    }
    int failure = errno;
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        errno = failure;
        return false;
    }
    s->children[s->count++] =
        (child){.process = process, .index = s->next++, .pipe = ends[0], .started = crd_lab_now()};
    return true;
}

/* Reads what has come; false at the end. */
static bool receive(child *c)
{
    if (c->capacity - c->length < 4096) {
        c->capacity = 2 * c->capacity + 8192;
        c->text = crd_cli_allocate(c->text, c->capacity);
    }
    ssize_t size = read(c->pipe, c->text + c->length, c->capacity - c->length - 1);
    if (size < 0 && errno == EINTR) return true;
    if (size <= 0) return false;
    c->length += (size_t)size;
    c->text[c->length] = '\0';
    return true;
}

static int wait_for(pid_t process)
{
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
    return status;
}

/* Hands over what a child that closed its pipe has left behind, and forgets it. */
static void finish(state *s, int at)
{
    child c = s->children[at];
    int status = wait_for(c.process);
    double seconds = crd_lab_now() - c.started;
    char *why = NULL;
    close(c.pipe);
    s->children[at] = s->children[--s->count];
    s->finished++;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        why = crd_cli_text("its process was killed, perhaps because memory ran out");
    else if (WIFSIGNALED(status))
        why = crd_cli_text("its process was ended by signal %d (%s)", WTERMSIG(status),
                           strsignal(WTERMSIG(status)));
    else if (c.length == 0 || WEXITSTATUS(status) != CRD_CLI_DONE)
        why = crd_cli_text("its process ended early, with exit code %d", WEXITSTATUS(status));
    else if (c.text[0] == FAILURE)
        why = crd_cli_text("%s", c.text + 1);
    if (!s->pool->done(s->pool->context, c.index, why == NULL ? c.text + 1 : NULL, why, seconds))
        s->stopped = true;
    free(why);
    free(c.text);
}

/* Children write no files: nothing is lost or left half-written by ending them like this. */
static void end_all(state *s)
{
    for (int i = 0; i < s->count; i++) kill(s->children[i].process, SIGKILL);
    for (int i = 0; i < s->count; i++) {
        wait_for(s->children[i].process);
        close(s->children[i].pipe);
        free(s->children[i].text);
    }
    s->count = 0;
}

static void hear(state *s)
{
    nfds_t count = s->count > 0 ? (nfds_t)s->count : 0;
    for (nfds_t i = 0; i < count; i++)
        s->waiting[i] = (struct pollfd){.fd = s->children[i].pipe, .events = POLLIN};
    if (poll(s->waiting, count, TICK_MILLISECONDS) <= 0) return;
    /* From the last on: finish() puts the last child, which was looked at already, in the gap. */
    for (int i = s->count - 1; i >= 0 && !s->stopped; i--)
        if (s->waiting[i].revents != 0 && !receive(&s->children[i])) finish(s, i);
}

static int work_on_all(state *s)
{
    const crd_lab_pool *pool = s->pool;
    while (s->finished < pool->count && !s->stopped) {
        if (crd_cli_interrupted()) return CRD_CLI_FAILED;
        /* A system that is short of processes gets fewer of them; what runs goes on. */
        while (s->count < s->jobs && s->next < pool->count)
            if (!start(s)) break;
        if (s->count == 0)
            return crd_cli_failf(CRD_CLI_FAILED, "cannot start a process: %s", strerror(errno));
        for (int i = 0; i < s->count; i++) s->running[i] = s->children[i].index;
        if (pool->tick != NULL) pool->tick(pool->context, s->running, s->count, s->finished);
        hear(s);
    }
    return CRD_CLI_DONE;
}

int crd_lab_pool_run(const crd_lab_pool *pool)
{
    int jobs = pool->jobs > 0 ? pool->jobs : crd_lab_cores();
    if (jobs > pool->count) jobs = (int)pool->count;
    if (jobs == 0) return CRD_CLI_DONE;
    state s = {.pool = pool, .jobs = jobs};
    s.children = crd_cli_allocate(NULL, (size_t)jobs * sizeof *s.children);
    s.waiting = crd_cli_allocate(NULL, (size_t)jobs * sizeof *s.waiting);
    s.running = crd_cli_allocate(NULL, (size_t)jobs * sizeof *s.running);
    parent = getpid();
    int code = work_on_all(&s);
    end_all(&s);
    free(s.children);
    free(s.waiting);
    free(s.running);
    return code;
}
