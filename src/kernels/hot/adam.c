/* Adam, one parameter after the other. */
#include "kernels/hot/all.h"
#include "kernels/hot/vector.h"

void CRD_NAME(adam)(int64_t begin, int64_t end, int64_t step, float rate, float decay, const float *gradient,
                    float *moment, float *square, float *value)
{
    const double b1 = 0.9, b2 = 0.999;
    const float beta1 = 0.9f, beta2 = 0.999f, rest1 = (float)(1.0 - b1), rest2 = (float)(1.0 - b2);
    const float size = (float)((double)rate / (1.0 - pow(b1, (double)step)));
    const float root = (float)sqrt(1.0 - pow(b2, (double)step)), epsilon = 1e-8f;
    for (int64_t i = begin; i < end; i++) {
        const float g = gradient[i] + decay * value[i];
        moment[i] = beta1 * moment[i] + rest1 * g;
        square[i] = beta2 * square[i] + rest2 * g * g;
        value[i] -= size * moment[i] / (sqrtf(square[i]) / root + epsilon);
    }
}
