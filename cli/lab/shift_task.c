#include "lab/shift_task.h"

#include <stdlib.h>
#include <string.h>

#include "lab/text.h"

char *crd_lab_shift_spelt(const char *text, crd_error *error)
{
    crd_shift shift;
    char amount[32];
    crd_shift_defaults(&shift);
    if (crd_shift_parse(text, &shift, error) != CRD_OK) return NULL;
    crd_lab_number_text(shift.amount, amount);
    return crd_cli_text("%s:%s:%s", crd_shift_kind_name(shift.kind), amount,
                        shift.isolated ? "isolated" : "all");
}

int crd_lab_shifts_read(const crd_cli_options *options, crd_lab_list *shifts)
{
    const char *text = crd_cli_value(options, "shifts");
    crd_error error;
    int code = crd_lab_list_read(options, "shifts", text != NULL ? text : CRD_LAB_SHIFTS, shifts);
    for (int i = 0; i < shifts->count && code == CRD_CLI_DONE; i++) {
        char *whole = crd_lab_shift_spelt(shifts->item[i], &error);
        if (whole == NULL) {
            code = crd_cli_misused(options, "--shifts: %s", error.message);
            break;
        }
        free(shifts->item[i]);
        shifts->item[i] = whole;
        for (int j = 0; j < i && code == CRD_CLI_DONE; j++)
            if (strcmp(shifts->item[i], shifts->item[j]) == 0)
                code = crd_cli_misused(options, "--shifts: '%s' is given twice", shifts->item[i]);
    }
    if (code != CRD_CLI_DONE) crd_lab_list_free(shifts);
    return code;
}

crd_status crd_lab_find_shifted(const crd_lab_wanted *wanted, const crd_model *model, const crd_split *split,
                                char **metrics, crd_error *error)
{
    crd_shift shift;
    crd_evaluation evaluation;
    crd_shift_defaults(&shift);
    shift.seed = wanted->seed;
    crd_status status = crd_shift_parse(wanted->shift, &shift, error);
    if (status == CRD_OK)
        status = crd_evaluate_shift(model, wanted->data->dataset, split, &shift, 1, &evaluation, error);
    return status == CRD_OK ? crd_evaluation_json(&evaluation, metrics, error) : status;
}
