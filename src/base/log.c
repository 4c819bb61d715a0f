/* SPDX-License-Identifier: MIT */
#include "base/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

static struct {
    atomic_bool on; /* so that nobody waits for the lock while there is no log */
    pthread_mutex_t lock;
    crd_log_function function;
    void *user;
} chosen = {.lock = PTHREAD_MUTEX_INITIALIZER};

void crd_set_log(crd_log_function log, void *user)
{
    pthread_mutex_lock(&chosen.lock);
    chosen.function = log;
    chosen.user = user;
    atomic_store(&chosen.on, log != NULL);
    pthread_mutex_unlock(&chosen.lock);
}

bool crd_log_wanted(void)
{
    return atomic_load(&chosen.on);
}

void crd_log(crd_log_level level, const char *format, ...)
{
    if (!crd_log_wanted()) return;
    const int number = errno; /* of a failure that the caller may be about to report */
    char message[CRD_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    crd_keep_one_line(message);
    pthread_mutex_lock(&chosen.lock);
    const crd_log_function function = chosen.function;
    void *user = chosen.user;
    pthread_mutex_unlock(&chosen.lock); /* the function may be slow, or call the library */
    if (function != NULL) function((int)level, message, user);
    errno = number;
}
