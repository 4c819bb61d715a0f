/* What the readers of .npy items share. */
#ifndef CRD_IO_NPY_ITEMS_H
#define CRD_IO_NPY_ITEMS_H

#include "io/npy.h"

/* An item as a number; `kind` says which member holds it (a bool is UINT). */
typedef struct crd_npy_number {
    crd_npy_kind kind;
    int64_t integer;
    uint64_t natural;
    double real;
} crd_npy_number;

/* False if the array does not hold numbers, or a bool is neither 0 nor 1. */
bool crd_npy_decode(const crd_npy *npy, const uint8_t *bytes, crd_npy_number *number);

/* The place in the array of the index-th item in the file: "item 5", "item [2,5]". */
void crd_npy_place(const crd_npy *npy, int64_t index, char *text, size_t size);

/* Turns items in Fortran order into C order; *items is replaced. Does nothing for C order. */
crd_status crd_npy_reorder(const crd_npy *npy, size_t size, void **items, crd_error *error);

/* Fails with "NAME: is cut off ..." for an array of which only `got` whole items arrived. */
crd_status crd_npy_fail_short(const crd_source *source, const crd_npy *npy, int64_t got, crd_error *error);
/* Checks that nothing follows the items. At their end, packed sources check what they have read, so this also finds
 * damage. */
crd_status crd_npy_check_end(crd_source *source, const crd_npy *npy, crd_error *error);

#endif
