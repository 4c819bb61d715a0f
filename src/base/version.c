#include "credence.h"

const char *crd_version(void)
{
    return CRD_VERSION;
}
