/* SPDX-License-Identifier: MIT */
#ifndef CRD_BASE_DATES_H
#define CRD_BASE_DATES_H

#include <stdbool.h>

/* A date of the proleptic Gregorian calendar as ISO 8601 writes it, perhaps with a time: "2026-01-31",
 * "2026-01-31T23:59", "2026-01-31 23:59:59.5+01:00". *days counts from 1970-01-01, midnight; a time without a zone is
 * taken as UTC. False for anything else. */
bool crd_parse_date(const char *text, double *days);

#endif
