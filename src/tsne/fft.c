#include "tsne/fft.h"

#include <math.h>
#include <stdlib.h>

static bool smooth(int64_t length)
{
    while (length % 2 == 0) length /= 2;
    while (length % 3 == 0) length /= 3;
    while (length % 5 == 0) length /= 5;
    return length == 1;
}

int64_t crd_fft_length(int64_t least)
{
    while (!smooth(least)) least++;
    return least;
}

crd_status crd_fft_open(crd_fft *plan, int64_t length, crd_error *error)
{
    static const int radices[] = {5, 3, 4, 2};
    *plan = (crd_fft){.length = length};
    int64_t left = length, factors = 0;
    for (size_t r = 0; r < sizeof radices / sizeof *radices; r++)
        while (left % radices[r] == 0 && left > 1) {
            plan->radix[plan->passes++] = radices[r];
            left /= radices[r];
            factors += left * (radices[r] - 1);
        }
    crd_status status = CRD_NEW(&plan->factor, 2 * factors, error);
    if (status != CRD_OK) return status;
    float *factor = plan->factor;
    left = length;
    for (int i = 0; i < plan->passes; i++) {
        const int64_t parts = left / plan->radix[i];
        for (int64_t p = 0; p < parts; p++)
            for (int64_t k = 1; k < plan->radix[i]; k++) {
                const double angle = -2.0 * 3.14159265358979323846 * (double)(p * k % left) / (double)left;
                *factor++ = (float)cos(angle);
                *factor++ = (float)sin(angle);
            }
        left = parts;
    }
    return CRD_OK;
}

void crd_fft_close(crd_fft *plan)
{
    free(plan->factor);
    *plan = (crd_fft){0};
}

crd_strip crd_fft_run(const crd_fft *plan, const crd_kernels *kernels, crd_strip from, crd_strip spare)
{
    kernels->fft(plan, from.re, from.im, spare.re, spare.im);
    return plan->passes % 2 == 0 ? from : spare;
}

crd_strip crd_fft_run_back(const crd_fft *plan, const crd_kernels *kernels, crd_strip from, crd_strip spare)
{
    kernels->fft(plan, from.im, from.re, spare.im, spare.re);
    return plan->passes % 2 == 0 ? from : spare;
}
