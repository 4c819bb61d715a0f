/* SPDX-License-Identifier: MIT */
/* A writer that keeps what it gets, and may refuse one of its calls. */
#ifndef CRD_TESTS_COLLECT_H
#define CRD_TESTS_COLLECT_H

#include <stdlib.h>
#include <string.h>

#include "credence.h"

typedef struct collected {
    char *bytes; /* ended by a zero, which does not count */
    size_t size;
    int calls;
    int refuse; /* the call that is refused, from 1; 0: none */
} collected;

static inline bool collect(const void *bytes, size_t size, void *user)
{
    collected *c = (collected *)user;
    if (++c->calls == c->refuse) return false;
    char *grown = (char *)realloc(c->bytes, c->size + size + 1);
    if (grown == NULL) return false;
    c->bytes = grown;
    memcpy(c->bytes + c->size, bytes, size);
    c->size += size;
    c->bytes[c->size] = '\0';
    return true;
}

#endif
