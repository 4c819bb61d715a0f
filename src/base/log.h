/* SPDX-License-Identifier: MIT */
/* Notes for whoever runs a service: what was chosen and why. Off unless crd_set_log was called. */
#ifndef CRD_BASE_LOG_H
#define CRD_BASE_LOG_H

#include "base/status.h"

/* Whether anybody listens, for notes that take work to write. */
bool crd_log_wanted(void);
/* One sentence without a full stop. Lower-case, as in errors. */
void crd_log(crd_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
