/* The settings a search looks at: options by name, each with the values it may take.
 *
 *     reg-weight=0,decades:-6..-2;activation=relu,gelu
 *
 * An option's values are separated by commas, or by bars where a value has a comma in it
 * (features=none|binary,rownorm). Beside plain values there are
 *     decades:A..B/STEP   powers of ten, their exponents from A to B
 *     range:A..B/STEP     numbers from A to B
 * Without /STEP these are continuous, for random search alone. */
#ifndef CREDENCE_CLI_RUNS_SPACE_H
#define CREDENCE_CLI_RUNS_SPACE_H

#include "output.h"

/* A plain value, or a continuous range of values or of their exponents. */
typedef struct crd_cli_item {
    char *text; /* NULL: a range */
    double low, high;
    bool decades;
} crd_cli_item;

typedef struct crd_cli_axis {
    const crd_option *option;
    crd_cli_item *item;
    int items;
} crd_cli_axis;

typedef struct crd_cli_space {
    crd_cli_axis *axis;
    int axes;
} crd_cli_space;

/* One point of a space. */
typedef struct crd_cli_candidate {
    crd_config config; /* the base with the point's values */
    char *json;        /* it as crd_cli_config_text writes it: settings of equal text are equal */
} crd_cli_candidate;

typedef struct crd_cli_candidates {
    crd_cli_candidate *candidate;
    int64_t count, capacity;
} crd_cli_candidates;

/* All return the exit code, after having said what is wrong. */

/* Reads a space; an option that it holds already gets the new values. `name` is what the text was given as,
 * for messages ("--space"). */
int crd_cli_space_add(crd_cli_space *space, const char *name, const char *text);
void crd_cli_space_free(crd_cli_space *space);

/* The spaces that have a name, by number; NULL behind the last. */
const char *crd_cli_space_name(int index);
/* What it consists of; NULL if there is none of that name. */
const char *crd_cli_space_text(const char *name);

/* Every combination of values, the first option's changing slowest; or `count` of them drawn at random.
 * Settings that mean the same (a regulariser of weight 0 is none) are there once. */
int crd_cli_space_grid(const crd_cli_space *space, const crd_config *base, crd_cli_candidates *candidates);
int crd_cli_space_draw(const crd_cli_space *space, const crd_config *base, int64_t count, uint64_t seed,
                       crd_cli_candidates *candidates);
/* The space's options with a candidate's values, "reg-weight=0.01 activation=gelu". The caller frees it. */
char *crd_cli_candidate_text(const crd_cli_space *space, const crd_cli_candidate *candidate);
void crd_cli_candidates_free(crd_cli_candidates *candidates);

#endif
