#include "graph/shift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "io/text_formats.h"

static const char *const KINDS[] = {"bernoulli", "normal", "rewire", "dice"};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

void crd_shift_defaults(crd_shift *shift)
{
    *shift = (crd_shift){.kind = CRD_SHIFT_BERNOULLI, .amount = 0.1, .most_nodes = 100, .seed = 1};
}

const char *crd_shift_kind_name(crd_shift_kind kind)
{
    int index = (int)kind;
    return index < 0 || index >= KIND_COUNT ? NULL : KINDS[index];
}

bool crd_shift_is_noise(const crd_shift *shift)
{
    return shift->kind == CRD_SHIFT_BERNOULLI || shift->kind == CRD_SHIFT_NORMAL;
}

int64_t crd_shift_share(const crd_shift *shift, int64_t count)
{
    int64_t share = (int64_t)llround(shift->amount * (double)count);
    return share > count ? count : share < 1 && count > 0 ? 1 : share;
}

crd_status crd_shift_check(const crd_shift *shift, crd_error *error)
{
    if (crd_shift_kind_name(shift->kind) == NULL)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the shift of kind %d does not exist", (int)shift->kind);
    if (!(shift->amount > 0.0 && shift->amount <= 1.0))
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "the amount of a shift is a fraction above 0, up to 1, found %g", shift->amount);
    if (shift->isolated && shift->most_nodes < 1)
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "at most %lld nodes are to be shifted one by one, expected at least 1",
                        (long long)shift->most_nodes);
    return CRD_OK;
}

static crd_status not_understood(const char *text, const char *what, crd_error *error)
{
    return crd_fail(error, CRD_ERROR_ARGUMENT,
                    "the shift \"%.60s\" is not understood: %s, such as bernoulli:0.1 or dice:0.2:isolated",
                    text, what);
}

crd_status crd_shift_parse(const char *text, crd_shift *shift, crd_error *error)
{
    char part[3][32] = {"", "", ""};
    const char *rest = text;
    int parts = 0;
    for (;; rest++) {
        size_t length = strcspn(rest, ":");
        if (parts == 3 || length == 0 || length >= sizeof part[0])
            return not_understood(text, "expected KIND:AMOUNT or KIND:AMOUNT:MODE", error);
        memcpy(part[parts++], rest, length);
        rest += length;
        if (*rest == '\0') break;
    }
    crd_shift read = *shift;
    int kind = 0;
    while (kind < KIND_COUNT && strcmp(part[0], KINDS[kind]) != 0) kind++;
    if (kind == KIND_COUNT)
        return not_understood(text, "expected the kind bernoulli, normal, rewire or dice", error);
    read.kind = (crd_shift_kind)kind;
    if (parts < 2 || !crd_parse_double(part[1], &read.amount) || !(read.amount > 0.0 && read.amount <= 1.0))
        return not_understood(text, "expected as amount a fraction above 0, up to 1", error);
    if (parts == 3 && strcmp(part[2], "all") != 0 && strcmp(part[2], "isolated") != 0)
        return not_understood(text, "expected the mode all or isolated", error);
    if (parts == 3) read.isolated = strcmp(part[2], "isolated") == 0;
    *shift = read;
    return CRD_OK;
}

/* ---- noise ---- */

static crd_rng row_noise(const crd_shift *shift, int64_t row)
{
    return crd_rng_start(crd_hash(shift->seed, (uint64_t)row), CRD_RNG_SHIFT_NOISE);
}

static float draw(const crd_shift *shift, crd_rng *rng)
{
    if (shift->kind == CRD_SHIFT_BERNOULLI) return (float)(crd_rng_next(rng) >> 63);
    return (float)crd_rng_normal(rng);
}

static crd_status replace_dense(const crd_features *f, const crd_shift *shift, const uint8_t *chosen,
                                crd_features *shifted, crd_error *error)
{
    const size_t row_size = (size_t)f->columns * sizeof *f->dense;
    crd_status status = CRD_NEW(&shifted->dense, f->rows * f->columns, error); /* as large as f->dense */
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < f->rows; i++) {
        float *row = shifted->dense + i * f->columns;
        crd_rng rng = row_noise(shift, i);
        if (!chosen[i]) memcpy(row, f->dense + i * f->columns, row_size);
        else for (int64_t c = 0; c < f->columns; c++) row[c] = draw(shift, &rng);
    }
    return CRD_OK;
}

/* How many of a row's noise are not 0. */
static int64_t count_noise(const crd_features *f, const crd_shift *shift, int64_t row)
{
    int64_t count = 0;
    crd_rng rng = row_noise(shift, row);
    for (int64_t c = 0; c < f->columns; c++) count += draw(shift, &rng) != 0.0f;
    return count;
}

/* Drawn twice, to know the size before the memory is asked for. */
static crd_status replace_sparse(const crd_features *f, const crd_shift *shift, const uint8_t *chosen,
                                 crd_features *shifted, crd_error *error)
{
    crd_status status = CRD_NEW(&shifted->start, f->rows + 1, error);
    if (status != CRD_OK) return status;
    shifted->start[0] = 0;
    for (int64_t i = 0; i < f->rows; i++) {
        int64_t count = chosen[i] ? count_noise(f, shift, i) : f->start[i + 1] - f->start[i];
        if (!crd_add(shifted->start[i], count, &shifted->start[i + 1]))
            return crd_fail_memory(error, SIZE_MAX);
    }
    status = CRD_NEW(&shifted->column, shifted->start[f->rows], error);
    if (status == CRD_OK) status = CRD_NEW(&shifted->value, shifted->start[f->rows], error);
    for (int64_t i = 0; i < f->rows && status == CRD_OK; i++) {
        int64_t at = shifted->start[i];
        const size_t count = (size_t)(shifted->start[i + 1] - at);
        crd_rng rng = row_noise(shift, i);
        if (!chosen[i] && count > 0) {
            memcpy(shifted->column + at, f->column + f->start[i], count * sizeof *f->column);
            memcpy(shifted->value + at, f->value + f->start[i], count * sizeof *f->value);
        }
        for (int64_t c = 0; chosen[i] && c < f->columns; c++) {
            float noise = draw(shift, &rng);
            if (noise == 0.0f) continue;
            shifted->column[at] = (int32_t)c;
            shifted->value[at++] = noise;
        }
    }
    return status;
}

crd_status crd_shift_features(const crd_features *features, const crd_shift *shift, const uint8_t *chosen,
                              crd_features *shifted, crd_error *error)
{
    *shifted =
        (crd_features){.rows = features->rows, .columns = features->columns, .sparse = features->sparse};
    crd_status status = features->sparse ? replace_sparse(features, shift, chosen, shifted, error)
                                         : replace_dense(features, shift, chosen, shifted, error);
    if (status != CRD_OK) crd_features_free(shifted);
    return status;
}
