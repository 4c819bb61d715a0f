/* SPDX-License-Identifier: MIT */
/* Options of crd_train with a call-back. They live as long as the block in which they are written. */
#ifndef CRD_TESTS_WATCHED_H
#define CRD_TESTS_WATCHED_H

#include "credence.h"

#define WATCHED(start, function, data)                                                                                 \
    (&(crd_train_options){.size = sizeof(crd_train_options),                                                           \
                          .init = (start),                                                                             \
                          .control =                                                                                   \
                              &(crd_control){.size = sizeof(crd_control), .progress = (function), .user = (data)}})

#endif
