/* SPDX-License-Identifier: MIT */
/* Splits: those we draw, the data's own, and those from a list of roles. */
#include "graph/split.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/random.h"
#include "graph/dataset.h"

crd_status crd_split_new(int64_t nodes, crd_split **split, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(split, 1, error);
    if (status != CRD_OK) return status;
    (*split)->nodes = nodes;
    status = CRD_NEW_ZERO(&(*split)->roles, nodes, error);
    if (status != CRD_OK) crd_split_free(split);
    return status;
}

void crd_split_describe(crd_split *split, const char *how)
{
    /* `how` may hold a file's name; it is cut so that the counts always fit. */
    const int64_t calibrating = crd_split_count(split, CRD_ROLE_CALIBRATION);
    char calibration[48] = "";
    if (calibrating > 0) snprintf(calibration, sizeof calibration, "%lld calibration, ", (long long)calibrating);
    snprintf(split->description, sizeof split->description, "%.150s: %lld train, %lld validation, %s%lld test", how,
             (long long)crd_split_count(split, CRD_ROLE_TRAIN), (long long)crd_split_count(split, CRD_ROLE_VALIDATION),
             calibration, (long long)crd_split_count(split, CRD_ROLE_TEST));
}

crd_status crd_split_from_roles(const uint8_t *roles, int64_t nodes, crd_split **split, crd_error *error)
{
    if (split != NULL) *split = NULL;
    if (CRD_ANY_NULL(error, split)) return CRD_ERROR_ARGUMENT;
    if (nodes > 0 && CRD_ANY_NULL(error, roles)) return CRD_ERROR_ARGUMENT;
    if (nodes < 0) return crd_fail(error, CRD_ERROR_ARGUMENT, "a split of %lld nodes was asked for", (long long)nodes);
    for (int64_t i = 0; i < nodes; i++)
        if (roles[i] > CRD_ROLE_CALIBRATION)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "node %lld has the role %d, expected 0 to %d", (long long)i,
                            roles[i], CRD_ROLE_CALIBRATION);
    crd_split *made;
    crd_status status = crd_split_new(nodes, &made, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < nodes; i++) made->roles[i] = roles[i];
    crd_split_describe(made, "given by the caller");
    *split = made;
    return CRD_OK;
}

void crd_split_free(crd_split **split)
{
    if (split == NULL || *split == NULL) return;
    crd_free((*split)->roles);
    crd_free(*split);
    *split = NULL;
}

const uint8_t *crd_split_roles(const crd_split *split)
{
    return split == NULL ? NULL : split->roles;
}

crd_role crd_split_role(const crd_split *split, int64_t node)
{
    if (split == NULL) return CRD_ROLE_NONE;
    if (node < 0 || node >= split->nodes) return CRD_ROLE_NONE;
    return (crd_role)split->roles[node];
}

int64_t crd_split_count(const crd_split *split, crd_role role)
{
    if (split == NULL) return 0;
    int64_t count = 0;
    for (int64_t i = 0; i < split->nodes; i++) count += split->roles[i] == role;
    return count;
}

const char *crd_split_description(const crd_split *split)
{
    return split != NULL ? split->description : NULL;
}

/* ---- splits that we draw ---- */

/* The parts, in the order of crd_role; only a spec of four parts has the last one, between validation and test. */
enum { TESTING = 2, CALIBRATION = 3, PARTS = 4, PART_SIZE = 24 /* in characters, with the end */ };

static const char *const part_name[PARTS] = {"training", "validation", "test", "calibration"};

typedef enum share_kind { SHARE_FRACTION, SHARE_COUNT, SHARE_REST } share_kind;

/* The share of every class that one part takes. */
typedef struct share {
    share_kind kind;
    double fraction; /* of the class; for "rest": what the others leave, to compare parts */
    int64_t count;
} share;

static bool wanted(const share *part)
{
    return part->kind == SHARE_REST || part->fraction > 0.0 || part->count > 0;
}

static crd_status parse_part(const char *spec, int part, char *text, share *parsed, crd_error *error)
{
    *parsed = (share){SHARE_FRACTION, 0.0, 0};
    if (strcmp(text, "rest") == 0) {
        parsed->kind = SHARE_REST;
        return CRD_OK;
    }
    size_t length = strlen(text);
    if (text[length - 1] == 'n') {
        text[length - 1] = '\0';
        parsed->kind = SHARE_COUNT;
        if (crd_parse_int64(text, &parsed->count) && parsed->count >= 0) return CRD_OK;
    } else if (crd_parse_double(text, &parsed->fraction) && parsed->fraction >= 0.0 &&
               parsed->fraction <= 100.0) { /* false for NaN */
        return CRD_OK;
    }
    return crd_fail(error, CRD_ERROR_ARGUMENT,
                    "the split \"%s\" is not understood: its %s part must be a percentage from 0 to 100, a "
                    "number of nodes per class such as 20n, or \"rest\"",
                    spec, part_name[part]);
}

/* Percentages become fractions. Numbers that add up to one or less already are fractions: nobody means 1 % of the
 * nodes by 0.05/0.15/0.8 or 0.05/0.15/rest. */
static crd_status parse_spec(const char *spec, share shares[PARTS], crd_error *error)
{
    char part[PARTS][PART_SIZE];
    int rests = 0, counts = 0, last = 0, end[2] = {0};
    double sum = 0.0;
    const int parts = sscanf(spec, "%23[^/]/%23[^/]/%23[^/]%n/%23[^/]%n", part[0], part[1], part[TESTING], &end[0],
                             part[CALIBRATION], &end[1]);
    if (parts < 3 || spec[end[parts - 3]] != '\0')
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "the split \"%.80s\" is not understood: expected three parts for training, "
                        "validation and test, such as 5/15/80 or 20n/30n/rest, or four with calibration before test",
                        spec);
    if (parts == 3) {
        strcpy(part[CALIBRATION], "0");
    } else { /* test comes last in the text */
        char test[PART_SIZE];
        memcpy(test, part[CALIBRATION], PART_SIZE);
        memcpy(part[CALIBRATION], part[TESTING], PART_SIZE);
        memcpy(part[TESTING], test, PART_SIZE);
    }
    for (int p = 0; p < PARTS; p++) {
        crd_status status = parse_part(spec, p, part[p], &shares[p], error);
        if (status != CRD_OK) return status;
        rests += shares[p].kind == SHARE_REST;
        counts += shares[p].kind == SHARE_COUNT;
        sum += shares[p].fraction;
        if (wanted(&shares[p]) && (p != CALIBRATION || !wanted(&shares[TESTING]))) last = p;
    }
    if (rests > 1) return crd_fail(error, CRD_ERROR_ARGUMENT, "the split \"%s\" says \"rest\" more than once", spec);
    if (!wanted(&shares[0]))
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the split \"%s\" leaves no nodes for training", spec);
    if (sum > 100.0 + 1e-9)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the split \"%s\" adds up to %g %%, expected 100 %% at most", spec,
                        sum);
    bool fractions = sum <= 1.0 + 1e-9;
    double scale = fractions ? 1.0 : 0.01;
    for (int p = 0; p < PARTS; p++) shares[p].fraction *= scale;
    sum *= scale;
    for (int p = 0; p < PARTS; p++)
        if (shares[p].kind == SHARE_REST) shares[p].fraction = 1.0 - sum;
    /* Parts that add up to everything use all nodes: the last one takes what rounding leaves. */
    if (rests == 0 && counts == 0 && sum >= 1.0 - 1e-9) shares[last].kind = SHARE_REST;
    return CRD_OK;
}

/* How many of a class's `nodes` nodes each part takes. Counts are exact. From what they leave, every other part first
 * gets one node, in the order training, the larger of validation and test, the smaller, calibration; then up to its
 * rounded fraction; "rest" gets what remains. */
static crd_status cut_class(const char *spec, const share shares[PARTS], const char *class_name, int64_t nodes,
                            int64_t take[PARTS], crd_error *error)
{
    int64_t left = nodes;
    bool enough = true;
    if (nodes == 1) { /* it cannot be both trained on and held out, and without it the class could not be learned */
        for (int p = 0; p < PARTS; p++) take[p] = p == 0;
        return CRD_OK;
    }
    for (int p = 0; p < PARTS; p++) {
        take[p] = shares[p].count;
        if (take[p] > left) enough = false;
        else left -= take[p];
    }
    if (!enough || (shares[0].kind != SHARE_COUNT && left == 0))
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "the split \"%s\" takes more nodes of every class than class \"%.80s\" has (%lld): "
                        "ask for fewer, or for percentages",
                        spec, class_name, (long long)nodes);
    int larger = shares[2].fraction > shares[1].fraction ? 2 : 1;
    const int order[PARTS] = {0, larger, 3 - larger, CALIBRATION};
    for (int i = 0; i < PARTS; i++) {
        int p = order[i];
        if (shares[p].kind != SHARE_COUNT && wanted(&shares[p]) && left > 0) {
            take[p] = 1;
            left--;
        }
    }
    for (int p = 0; p < PARTS; p++) {
        if (shares[p].kind != SHARE_FRACTION || take[p] == 0) continue;
        int64_t more = (int64_t)floor((double)nodes * shares[p].fraction + 0.5) - take[p];
        if (more > left) more = left;
        if (more <= 0) continue;
        take[p] += more;
        left -= more;
    }
    for (int p = 0; p < PARTS; p++)
        if (shares[p].kind == SHARE_REST) take[p] += left;
    return CRD_OK;
}

/* Each class is shuffled by its own stream and then cut: one class does not depend on the others, and a larger
 * training share of the same seed contains the smaller one. */
static crd_status draw(const crd_dataset *dataset, const char *spec, uint64_t seed, crd_split *split, crd_error *error)
{
    share shares[PARTS];
    int64_t *members = NULL, *start = NULL;
    int32_t single = -1, singles = 0; /* classes of one labelled node: one of them, and how many */
    crd_status status = parse_spec(spec, shares, error);
    if (status == CRD_OK)
        status = crd_nodes_by_class(dataset->labels, split->nodes, dataset->classes, &members, &start, error);
    for (int32_t c = 0; c < dataset->classes && status == CRD_OK; c++) {
        const int64_t count = start[c + 1] - start[c];
        int64_t take[PARTS];
        if (count == 0) continue;
        status = cut_class(spec, shares, dataset->class_names[c], count, take, error);
        if (status != CRD_OK) break;
        if (count == 1) {
            single = c;
            singles++;
        }
        crd_rng rng = crd_rng_start(seed, CRD_RNG_SPLIT);
        rng.state = crd_hash(rng.state, (uint64_t)c);
        int64_t *member = members + start[c];
        crd_rng_shuffle(&rng, member, count);
        for (int p = 0; p < PARTS; p++)
            for (int64_t i = 0; i < take[p]; i++) split->roles[*member++] = (uint8_t)(CRD_ROLE_TRAIN + p);
    }
    crd_free(members);
    crd_free(start);
    if (status != CRD_OK) return status;
    char how[256];
    int length = snprintf(how, sizeof how, "%s stratified by class (seed %" PRIu64 ")", spec, seed);
    if (singles == 1)
        snprintf(how + length, sizeof how - (size_t)length, ", the single node of class %.24s trains",
                 dataset->class_names[single]);
    else if (singles > 1)
        snprintf(how + length, sizeof how - (size_t)length, ", the single nodes of %d classes train", (int)singles);
    crd_split_describe(split, how);
    return CRD_OK;
}

static void take_own(const crd_dataset *dataset, int index, crd_split *split)
{
    if (split->nodes > 0) memcpy(split->roles, dataset->split_roles + index * split->nodes, (size_t)split->nodes);
    char how[64] = "the data's own";
    if (dataset->splits > 1)
        snprintf(how, sizeof how, "the data's own, index %d of 0 to %d", index, dataset->splits - 1);
    crd_split_describe(split, how);
}

static crd_status check_index(const crd_dataset *dataset, bool automatic, const char *spec, int index, crd_error *error)
{
    if (index == 0 || (automatic && index > 0 && index < dataset->splits)) return CRD_OK;
    if (!automatic)
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "the split index %d picks one of the data's own splits, but \"%s\" draws a new one", index,
                        spec);
    if (dataset->splits == 0)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the split index is %d, but the data carry no split of their own",
                        index);
    return crd_fail(error, CRD_ERROR_ARGUMENT, "the split index is %d, expected 0 to %d: the data carry %d", index,
                    dataset->splits - 1, dataset->splits);
}

crd_status crd_split_make(const crd_dataset *dataset, const char *spec, int index, uint64_t seed, crd_split **split,
                          crd_error *error)
{
    if (split != NULL) *split = NULL;
    if (CRD_ANY_NULL(error, dataset, split)) return CRD_ERROR_ARGUMENT;
    bool automatic = spec == NULL || strcmp(spec, "auto") == 0;
    crd_status status = check_index(dataset, automatic, spec, index, error);
    if (status != CRD_OK) return status;
    int64_t nodes = dataset->input.nodes, labelled = 0;
    for (int64_t i = 0; i < nodes; i++) labelled += dataset->labels[i] >= 0;
    bool own = automatic && dataset->splits > 0;
    if (labelled == 0 && !own)
        return crd_fail(error, CRD_ERROR_MISMATCH, "no node has a label: there is nothing to split");
    crd_split *made;
    status = crd_split_new(nodes, &made, error);
    if (status != CRD_OK) return status;
    if (own) take_own(dataset, index, made);
    else if (!automatic) status = draw(dataset, spec, seed, made, error);
    else status = draw(dataset, labelled < nodes ? "75/25/0" : "5/15/80", seed, made, error);
    if (status == CRD_OK) *split = made;
    else crd_split_free(&made);
    return status;
}
