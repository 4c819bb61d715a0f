#include "lab/tune_check.h"

#include <stdlib.h>
#include <string.h>

#include "lab/models.h"
#include "lab/splits.h"

static int check_features(const crd_lab_tuning *tuning)
{
    int code = CRD_CLI_DONE;
    for (int64_t i = 0; i < tuning->candidates.count && code == CRD_CLI_DONE; i++)
        code = crd_lab_check_features(tuning->data, tuning->dataset,
                                      tuning->candidates.candidate[i].config.model);
    return code;
}

/* The nodes of a class that a split trains and validates with. */
typedef struct {
    int64_t training, validating;
} members;

/* Nothing but what tuning may look at: training and validation nodes of classes in distribution. */
static void count_members(const crd_lab_tuning *tuning, const crd_split *split, int32_t classes, members *of)
{
    memset(of, 0, (size_t)classes * sizeof *of);
    for (int64_t i = 0; i < crd_dataset_nodes(tuning->dataset); i++) {
        const crd_role role = crd_split_role(split, i);
        if (role != CRD_ROLE_TRAIN && role != CRD_ROLE_VALIDATION) continue;
        int32_t label = crd_dataset_label(tuning->dataset, i);
        if (label < 0 || label >= classes) continue;
        of[label].training += role == CRD_ROLE_TRAIN;
        of[label].validating += role == CRD_ROLE_VALIDATION;
    }
}

/* Every class that is learnt needs a node to learn it from; `held` is not learnt, -1: all are. */
static int check_training(const crd_lab_tuning *tuning, uint64_t seed, const members *of, int32_t classes,
                          int32_t held)
{
    for (int32_t c = 0; c < classes; c++)
        if (c != held && of[c].training == 0)
            return crd_cli_failf(
                CRD_CLI_FAILED,
                "%s: with seed %llu class %s has no training node, and each class that is not "
                "left out needs one",
                tuning->data, (unsigned long long)seed, crd_dataset_class_name(tuning->dataset, c));
    return CRD_CLI_DONE;
}

/* A class that is held out must have nodes to be detected, and the others some that it is told from. */
static int check_held(const crd_lab_tuning *tuning, uint64_t seed, const members *of, int32_t classes,
                      int32_t held)
{
    const char *name = crd_dataset_class_name(tuning->dataset, held);
    int64_t others = 0;
    for (int32_t c = 0; c < classes; c++) others += c == held ? 0 : of[c].validating;
    if (of[held].training + of[held].validating == 0)
        return crd_cli_failf(
            CRD_CLI_FAILED,
            "%s: with seed %llu class %s has no training or validation node that could be held "
            "out",
            tuning->data, (unsigned long long)seed, name);
    if (others == 0)
        return crd_cli_failf(
            CRD_CLI_FAILED,
            "%s: with seed %llu no class but %s has a validation node, so it cannot be held out",
            tuning->data, (unsigned long long)seed, name);
    return CRD_CLI_DONE;
}

/* Of two classes the one that stays is cut in two halves, which are learnt and validated. */
static int check_halves(const crd_lab_tuning *tuning, uint64_t seed, const members *of, int32_t held)
{
    const members *stays = &of[1 - held];
    if (stays->training >= 2 && stays->validating >= 2) return CRD_CLI_DONE;
    return crd_cli_failf(
        CRD_CLI_FAILED,
        "%s: with seed %llu class %s has %lld training and %lld validation nodes, and needs two "
        "of both to be cut in two while the other class is held out",
        tuning->data, (unsigned long long)seed, crd_dataset_class_name(tuning->dataset, 1 - held),
        (long long)stays->training, (long long)stays->validating);
}

static int check_split(const crd_lab_tuning *tuning, int split_index, const members *of, int32_t classes)
{
    const uint64_t seed = tuning->seed[split_index];
    int64_t validating = 0;
    for (int32_t c = 0; c < classes; c++) validating += of[c].validating;
    if (validating == 0)
        return crd_cli_failf(CRD_CLI_MISUSED, "--split %s: no node validates, and choosing needs some",
                             tuning->split);
    if (tuning->criterion != CRD_LAB_LEFT_OUT_CLASS) return check_training(tuning, seed, of, classes, -1);
    int code = CRD_CLI_DONE;
    for (int h = 0; h < tuning->held && code == CRD_CLI_DONE; h++) {
        const int32_t held = tuning->held_class[split_index * tuning->held + h];
        code = check_training(tuning, seed, of, classes, tuning->halves ? -1 : held);
        if (code == CRD_CLI_DONE) code = check_held(tuning, seed, of, classes, held);
        if (code == CRD_CLI_DONE && tuning->halves) code = check_halves(tuning, seed, of, held);
    }
    return code;
}

int crd_lab_tune_check(const crd_lab_tuning *tuning)
{
    const int32_t classes = crd_dataset_classes(tuning->dataset) - (int32_t)tuning->left_out;
    int code = check_features(tuning);
    if (code != CRD_CLI_DONE) return code;
    members *of = crd_cli_allocate(NULL, (size_t)classes * sizeof *of);
    for (int s = 0; s < tuning->splits && code == CRD_CLI_DONE; s++) {
        crd_split *split = NULL;
        crd_error error;
        if (crd_lab_split_make(tuning->dataset, tuning->split, tuning->own_splits, tuning->seed[s], &split,
                               &error) != CRD_OK) {
            code = crd_cli_fail(&error);
            break;
        }
        count_members(tuning, split, classes, of);
        crd_split_free(&split);
        code = check_split(tuning, s, of, classes);
    }
    free(of);
    return code;
}
