/* SPDX-License-Identifier: MIT */
/* Damages an input the way files get damaged, and the way attackers damage them. */
#ifndef CRD_FUZZ_MUTATE_H
#define CRD_FUZZ_MUTATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/random.h"

typedef struct crd_fuzz_input {
    uint8_t *data;
    size_t size;
} crd_fuzz_input;

/* Changes `input`, whose buffer has room for `room` bytes, once. `other` is an input to splice with. */
void crd_fuzz_mutate(crd_fuzz_input *input, size_t room, const crd_fuzz_input *other, crd_rng *rng);

#endif
