#include "lab/splits.h"

#include <string.h>

crd_status crd_lab_splits_count(const crd_dataset *dataset, const char *spec, int *own, crd_error *error)
{
    crd_info info;
    *own = 0;
    if (strcmp(spec, "auto") != 0) return CRD_OK;
    crd_status status = crd_dataset_info(dataset, &info, error);
    if (status == CRD_OK) *own = info.splits;
    return status;
}

int crd_lab_split_index(int own, uint64_t seed)
{
    return own > 1 ? (int)(seed % (uint64_t)own) : 0;
}

crd_status crd_lab_split_make(const crd_dataset *dataset, const char *spec, int own, uint64_t seed,
                              crd_split **split, crd_error *error)
{
    return crd_split_make(dataset, spec, crd_lab_split_index(own, seed), seed, split, error);
}

void crd_lab_splits_say(const char *data, int own, int64_t seeds)
{
    if (own == 0 || own >= seeds) return;
    if (own == 1)
        crd_cli_say("note: %s has one split of its own: all seeds share it, and differ in the initialisation "
                    "alone",
                    data);
    else
        crd_cli_say("note: %s has %d splits of its own, which %lld seeds take in turn: some share one", data,
                    own, (long long)seeds);
}
