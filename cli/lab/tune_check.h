/* Whether trials can be done at all, found out before the first. */
#ifndef CREDENCE_CLI_LAB_TUNE_CHECK_H
#define CREDENCE_CLI_LAB_TUNE_CHECK_H

#include "lab/tune.h"

/* Whether the data have features, if a candidate needs them, and whether every split has nodes of every class
 * to train with, and others to validate with and to hold out; the classes held out are chosen. Returns the
 * exit code, after having said what is wrong. */
int crd_lab_tune_check(const crd_lab_tuning *tuning);

#endif
