/* SPDX-License-Identifier: MIT */
/* What every fuzz target provides for driver.c or libFuzzer. */
#ifndef CRD_FUZZ_H
#define CRD_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Feeds one input to the reader under test. Returns 0; a bug is a crash, a leak or a sanitizer's report. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Hands over a few valid inputs to start from. */
void crd_fuzz_seeds(void (*add)(const uint8_t *data, size_t size));

#endif
