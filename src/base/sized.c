/* SPDX-License-Identifier: MIT */
#include "base/sized.h"

#include <string.h>

crd_status crd_take_sized(const char *name, const void *given, void *complete, size_t own, crd_error *error)
{
    size_t size;
    if (given == NULL) return CRD_OK;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size || size > 65536)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the size of %s is %zu, expected sizeof(%s)", name, size, name);
    for (size_t i = own; i < size; i++)
        if (((const unsigned char *)given)[i] != 0)
            return crd_fail(error, CRD_ERROR_ARGUMENT,
                            "%s has something that this library, version %s, does not know: use the library that the "
                            "program was compiled for",
                            name, crd_version());
    memcpy(complete, given, size < own ? size : own);
    memcpy(complete, &own, sizeof own);
    return CRD_OK;
}

void crd_give_sized(const void *complete, size_t own, void *given, size_t size)
{
    if (given == NULL) return;
    memcpy(given, complete, size < own ? size : own);
    if (size > own) memset((char *)given + own, 0, size - own);
}
