/* SPDX-License-Identifier: MIT */
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/cores.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/watch.h"

/* How often a worker checks for the next loop, or the caller for the end of one, before it goes to sleep. This takes
 * some tens of microseconds, about the time between two loops of an epoch. */
enum { LOOKS = 2000 };

struct crd_team {
    int workers; /* besides the caller */
    pthread_t *thread;
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    atomic_int named; /* workers that have taken their number */
    /* The current loop; written under the lock while no worker is inside. */
    crd_task_function work;
    void *context;
    int64_t tasks;
    atomic_int_fast64_t next; /* the first task not taken yet */
    atomic_uint loop;         /* counts loops, so that a worker notices a new one */
    crd_watch *watch;         /* says when to leave out the rest of the tasks; NULL: never */
    bool watched;
    bool open;         /* workers may still join */
    atomic_int inside; /* workers that joined */
    bool quit;
};

/* Only the caller may call the call-back. */
static bool is_stopped(const crd_team *team, int worker)
{
    if (team->watch == NULL) return false;
    return worker == 0 ? crd_watch_asks_to_stop() : crd_watch_is_stopped(team->watch);
}

static void take_tasks(crd_team *team, int worker)
{
    for (;;) {
        int64_t task = atomic_fetch_add(&team->next, 1);
        if (task >= team->tasks || is_stopped(team, worker)) return;
        team->work(task, worker, team->context);
    }
}

/* A worker that wakes up late finds the loop closed, and nobody waits for it. So on a busy machine the caller never
 * waits for a thread that has no core. */
static void *worker(void *argument)
{
    crd_team *team = argument;
    const int number = atomic_fetch_add(&team->named, 1) + 1; /* the caller is 0 */
    unsigned seen = 0;
    for (;;) {
        for (int look = 0; look < LOOKS && atomic_load_explicit(&team->loop, memory_order_relaxed) == seen; look++)
            if (look % 64 == 63) sched_yield();
        pthread_mutex_lock(&team->lock);
        while (atomic_load(&team->loop) == seen && !team->quit) pthread_cond_wait(&team->wake, &team->lock);
        if (team->quit) break;
        seen = atomic_load(&team->loop);
        bool join = team->open;
        if (join) atomic_fetch_add(&team->inside, 1);
        pthread_mutex_unlock(&team->lock);
        if (!join) continue;
        take_tasks(team, number);
        if (atomic_fetch_sub(&team->inside, 1) > 1) continue;
        pthread_mutex_lock(&team->lock);
        pthread_cond_signal(&team->done);
        pthread_mutex_unlock(&team->lock);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

/* Workers block all signals: those are for the program's own threads. */
static void start_workers(crd_team *team, int wanted)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (team->workers < wanted && pthread_create(&team->thread[team->workers], NULL, worker, team) == 0)
        team->workers++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

double crd_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

crd_status crd_team_open(int64_t threads, crd_team **team, crd_error *error)
{
    if (threads <= 0) threads = crd_usual_threads();
    if (threads > CRD_MAX_THREADS) threads = CRD_MAX_THREADS;
    crd_status status = CRD_NEW_ZERO(team, 1, error);
    if (status != CRD_OK) return status;
    crd_team *t = *team;
    status = CRD_NEW(&t->thread, threads, error);
    if (status != CRD_OK) {
        crd_free(t);
        *team = NULL;
        return status;
    }
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->wake, NULL);
    pthread_cond_init(&t->done, NULL);
    start_workers(t, (int)threads - 1);
    if (t->workers < (int)threads - 1)
        crd_log(CRD_LOG_WARNING, "threads: only %d of %lld could be started", t->workers + 1, (long long)threads);
    return CRD_OK;
}

void crd_team_close(crd_team **team)
{
    crd_team *t = *team;
    if (t == NULL) return;
    pthread_mutex_lock(&t->lock);
    t->quit = true;
    atomic_fetch_add(&t->loop, 1); /* also ends the busy waiting */
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_unlock(&t->lock);
    for (int i = 0; i < t->workers; i++) pthread_join(t->thread[i], NULL);
    pthread_cond_destroy(&t->wake);
    pthread_cond_destroy(&t->done);
    pthread_mutex_destroy(&t->lock);
    crd_free(t->thread);
    crd_free(t);
    *team = NULL;
}

int crd_team_size(const crd_team *team)
{
    return team == NULL ? 1 : team->workers + 1;
}

void crd_team_watch(crd_team *team, bool watched)
{
    team->watched = watched;
}

void crd_parallel_tasks(crd_team *team, int64_t tasks, crd_task_function work, void *context)
{
    if (team != NULL) team->watch = team->watched ? crd_watch_current() : NULL;
    if (team == NULL || team->workers == 0 || tasks <= 1) {
        for (int64_t task = 0; task < tasks && !(team != NULL && is_stopped(team, 0)); task++) work(task, 0, context);
        return;
    }
    pthread_mutex_lock(&team->lock);
    team->work = work;
    team->context = context;
    team->tasks = tasks;
    atomic_store(&team->next, 0);
    team->open = true;
    atomic_fetch_add(&team->loop, 1);
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->lock);
    take_tasks(team, 0);
    pthread_mutex_lock(&team->lock);
    team->open = false;
    pthread_mutex_unlock(&team->lock);
    for (int look = 0; look < LOOKS && atomic_load(&team->inside) > 0; look++)
        if (look % 64 == 63) sched_yield();
    if (atomic_load(&team->inside) == 0) return;
    pthread_mutex_lock(&team->lock);
    while (atomic_load(&team->inside) > 0) pthread_cond_wait(&team->done, &team->lock);
    pthread_mutex_unlock(&team->lock);
}

typedef struct {
    int64_t rows, block;
    crd_rows_function work;
    void *context;
} row_loop;

static void block_of_rows(int64_t task, int worker, void *context)
{
    const row_loop *loop = context;
    const int64_t begin = task * loop->block, end = begin + loop->block;
    (void)worker;
    loop->work(begin, end < loop->rows ? end : loop->rows, loop->context);
}

void crd_parallel_rows(crd_team *team, int64_t rows, int64_t block, crd_rows_function work, void *context)
{
    row_loop loop = {rows, block, work, context};
    crd_parallel_tasks(team, (rows + block - 1) / block, block_of_rows, &loop);
}
