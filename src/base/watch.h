/* SPDX-License-Identifier: MIT */
/* Watching long calls: whether somebody has asked to stop, and telling how far the work is.
 *
 * A public call begins a watch with the crd_control that it was given and ends it before it returns. Until then it is
 * the watch of the calling thread, so that code anywhere below can ask it without being handed anything. A call inside
 * another one inherits what it does not set itself.
 *
 * Code that takes long asks often, at least every 20 ms or so: loops of a team that is watched do it by themselves
 * (base/parallel.h), reading does it for every piece that is read (io/source.h), and loops over nodes or edges call
 * crd_watch_at. Once a watch has found that it should stop, it stays so, even if the flag is taken back. */
#ifndef CRD_BASE_WATCH_H
#define CRD_BASE_WATCH_H

#include <stdatomic.h>

#include "base/status.h"

typedef struct crd_watch {
    crd_control control; /* with what it inherits */
    struct crd_watch *outer;
    crd_progress progress;
    double told;        /* when the call-back was called last */
    atomic_bool *asked; /* the call-back has returned false; that of the watch whose call-back it is */
    atomic_bool own_asked;
    bool finishing;      /* what the call-back returns no longer counts */
    atomic_bool flagged; /* the flag was set when somebody looked */
} crd_watch;

/* `control` may be NULL. `phase` is a constant like "training": what the call-back is told. If it fails, there is
 * nothing to end. */
crd_status crd_watch_begin(crd_watch *watch, const crd_control *control, const char *phase, crd_error *error);
void crd_watch_end(crd_watch *watch);
/* The watch of this thread, for teams; or NULL. */
crd_watch *crd_watch_current(void);

/* Calls the call-back after an epoch or an iteration, whenever the last time was. False: stop. */
bool crd_watch_epoch(const crd_epoch *epoch);
bool crd_watch_map(const crd_tsne_state *map);

/* Whether anybody listens to the call-back. */
bool crd_watch_is_told(void);

/* Whether to stop. Looks at the flag; the thread that began the watch also calls the call-back if it was not called for
 * some time. */
bool crd_watch_asks_to_stop(void);
/* The same for other threads, which only look. */
bool crd_watch_is_stopped(crd_watch *watch);
/* Whether the flag is set: then everything ends at once, and nothing is finished that takes long. */
bool crd_watch_at_once(void);
/* After training has ended early because the call-back said so, the rest of the call goes on. */
void crd_watch_go_on(void);
/* The same for work that the call-back cannot end, however often it says so: only the flag can. Returns what was set.
 */
bool crd_watch_finish(bool finishing);
/* CRD_ERROR_STOPPED if crd_watch_asks_to_stop. */
crd_status crd_watch_check(crd_error *error);
/* CRD_ERROR_STOPPED in any case. */
crd_status crd_watch_stopped(crd_error *error);

/* crd_watch_asks_to_stop for a loop over many items, of which it looks at every 4096th alone. */
static inline bool crd_watch_at(int64_t item)
{
    return (item & 4095) == 4095 && crd_watch_asks_to_stop();
}

/* For tests: the call-back is called whenever somebody asks. */
void crd_watch_tell_always(bool always);

#endif
