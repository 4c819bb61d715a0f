#include "kernels/padding.h"

#include <string.h>

int64_t crd_padded(int64_t width)
{
    return (width + CRD_PAD - 1) / CRD_PAD * CRD_PAD;
}

void crd_unpad(int64_t count, int64_t width, int64_t stride, const float *padded, float *rows)
{
    for (int64_t i = 0; i < count; i++)
        memcpy(rows + i * width, padded + i * stride, (size_t)width * sizeof *rows);
}
