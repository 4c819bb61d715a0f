/* SPDX-License-Identifier: MIT */
#include "base/watch.h"

#include <math.h>

#include "base/parallel.h"
#include "base/sized.h"

/* The call-back is called about this often, in seconds: it may be a slow one, in an interpreter. */
static const double EVERY = 0.02;
static atomic_bool tells_always;

static _Thread_local crd_watch *current;

void crd_watch_tell_always(bool always)
{
    atomic_store(&tells_always, always);
}

crd_status crd_watch_begin(crd_watch *watch, const crd_control *control, const char *phase, crd_error *error)
{
    *watch = (crd_watch){.outer = current,
                         .told = crd_seconds(),
                         .progress = {.phase = phase, .done = (double)NAN},
                         .asked = &watch->own_asked,
                         .finishing = current != NULL && current->finishing};
    atomic_init(&watch->own_asked, false);
    atomic_init(&watch->flagged, false);
    const crd_status status = crd_take_sized("crd_control", control, &watch->control, sizeof watch->control, error);
    if (status != CRD_OK) return status;
    if (watch->control.threads < 0)
        return crd_fail_about(error, CRD_ERROR_ARGUMENT, "threads", "is %d, expected 0 or more",
                              watch->control.threads);
    if (current != NULL && watch->control.stop == NULL) watch->control.stop = current->control.stop;
    if (current != NULL && watch->control.progress == NULL) {
        watch->control.progress = current->control.progress;
        watch->control.user = current->control.user;
        watch->asked = current->asked;
        watch->told = current->told;
    }
    current = watch;
    return CRD_OK;
}

void crd_watch_end(crd_watch *watch)
{
    current = watch->outer;
}

crd_watch *crd_watch_current(void)
{
    return current;
}

static bool is_set(crd_watch *watch)
{
    const int *flag = watch->control.stop;
    if (flag == NULL) return false;
    if (atomic_load_explicit(&watch->flagged, memory_order_relaxed)) return true;
    if (__atomic_load_n(flag, __ATOMIC_RELAXED) == 0) return false;
    atomic_store_explicit(&watch->flagged, true, memory_order_relaxed);
    return true;
}

bool crd_watch_is_stopped(crd_watch *watch)
{
    return watch != NULL && (is_set(watch) || atomic_load_explicit(watch->asked, memory_order_relaxed));
}

static bool tell(crd_watch *watch)
{
    watch->told = crd_seconds();
    if (watch->control.progress == NULL) return true;
    current = NULL; /* calls that the call-back makes are not part of this one */
    if (!watch->control.progress(&watch->progress, watch->control.user) && !watch->finishing)
        atomic_store(watch->asked, true);
    current = watch;
    watch->told = crd_seconds();
    return !crd_watch_is_stopped(watch);
}

bool crd_watch_epoch(const crd_epoch *epoch)
{
    if (current == NULL) return true;
    current->progress.epoch = epoch;
    const bool go_on = tell(current);
    current->progress.epoch = NULL;
    return go_on && !is_set(current);
}

bool crd_watch_map(const crd_tsne_state *map)
{
    if (current == NULL) return true;
    current->progress.map = map;
    current->progress.done = map->iterations > 0 ? (double)map->iteration / (double)map->iterations : (double)NAN;
    const bool go_on = tell(current);
    current->progress.map = NULL;
    return go_on && !is_set(current);
}

bool crd_watch_is_told(void)
{
    return current != NULL && current->control.progress != NULL;
}

bool crd_watch_asks_to_stop(void)
{
    if (current == NULL) return false;
    if (crd_watch_is_stopped(current)) return true;
    if (current->control.progress == NULL) return false;
    if (!atomic_load_explicit(&tells_always, memory_order_relaxed) && crd_seconds() - current->told <= EVERY)
        return false;
    return !tell(current);
}

bool crd_watch_at_once(void)
{
    return current != NULL && is_set(current);
}

void crd_watch_go_on(void)
{
    if (current != NULL) atomic_store(current->asked, false);
}

bool crd_watch_finish(bool finishing)
{
    if (current == NULL) return false;
    const bool before = current->finishing;
    current->finishing = finishing;
    if (finishing) crd_watch_go_on();
    return before;
}

crd_status crd_watch_check(crd_error *error)
{
    return crd_watch_asks_to_stop() ? crd_watch_stopped(error) : CRD_OK;
}

crd_status crd_watch_stopped(crd_error *error)
{
    return crd_fail(error, CRD_ERROR_STOPPED, "stopped on request");
}
