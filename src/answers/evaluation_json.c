#include <inttypes.h>

#include "base/text.h"
#include "credence_private.h"

typedef struct named_number {
    const char *name;
    double number;
} named_number;

/* "name":{"a":1,"b":2} after a comma. */
static void add_group(crd_text *text, const char *name, const named_number *numbers, int count)
{
    crd_text_format(text, ",\"%s\":", name);
    for (int i = 0; i < count; i++) {
        crd_text_format(text, "%s\"%s\":", i == 0 ? "{" : ",", numbers[i].name);
        crd_text_add_json_number(text, numbers[i].number);
    }
    crd_text_add(text, "}");
}

static void add_number(crd_text *text, const char *name, double number)
{
    crd_text_format(text, ",\"%s\":", name);
    crd_text_add_json_number(text, number);
}

static void add_detection(crd_text *text, const char *name, const crd_detection *d)
{
    const named_number numbers[] = {
        {"auroc", d->auroc}, {"aupr", d->aupr}, {"ap", d->ap}, {"fpr95", d->fpr95}};
    add_group(text, name, numbers, 4);
}

static void add_failure(crd_text *text, const char *name, const crd_failure *f)
{
    const named_number numbers[] = {{"auroc", f->auroc},
                                    {"aupr_error", f->aupr_error},
                                    {"aupr_success", f->aupr_success},
                                    {"aurc", f->aurc}};
    add_group(text, name, numbers, 4);
}

/* Which shift it was, and what it did. */
static void add_shift(crd_text *text, const crd_evaluation *e)
{
    const char *kind = crd_shift_kind_name(e->shift.kind);
    crd_text_format(text, ",\"kind\":\"%s\"", kind != NULL ? kind : "unknown");
    add_number(text, "amount", e->shift.amount);
    crd_text_format(text, ",\"mode\":\"%s\",\"seed\":%" PRIu64, e->shift.isolated ? "isolated" : "all",
                    e->shift.seed);
    crd_text_format(text, ",\"edges_removed\":%" PRId64 ",\"edges_added\":%" PRId64, e->edges_removed,
                    e->edges_added);
}

crd_status crd_evaluation_json(const crd_evaluation *evaluation, char **json, crd_error *error)
{
    const crd_evaluation *e = evaluation;
    const bool failures = e->task == CRD_TASK_MISCLASSIFICATION, shift = e->task == CRD_TASK_SHIFT;
    const char *task = failures ? "misclassification" : shift ? "shift" : "ood";
    crd_text text = {0};
    crd_text_format(&text, "{\"task\":\"%s\",\"nodes\":%lld,\"positives\":%lld", task, (long long)e->nodes,
                    (long long)e->positives);
    add_number(&text, failures ? "accuracy" : "id_accuracy", e->accuracy);
    if (shift) {
        add_number(&text, "shifted_accuracy", e->accuracy_shifted);
        add_number(&text, "shifted_accuracy_before", e->accuracy_before);
    }
    crd_text_format(&text, ",\"%s\":{\"prevalence\":", task);
    crd_text_add_json_number(&text, e->prevalence);
    if (shift) add_shift(&text, e);
    if (!failures) {
        add_detection(&text, "aleatoric", &e->ood_aleatoric);
        add_detection(&text, "epistemic", &e->ood_epistemic);
        add_detection(&text, "epistemic_features", &e->ood_epistemic_features);
        crd_text_add(&text, "}");
    } else {
        add_failure(&text, "aleatoric", &e->failure_aleatoric);
        add_failure(&text, "epistemic", &e->failure_epistemic);
        crd_text_add(&text, "}");
        add_number(&text, "ece", e->ece);
        add_number(&text, "brier", e->brier);
        add_number(&text, "nll", e->nll);
        crd_text_format(&text, ",\"ece_bins\":%d", CRD_ECE_BINS);
    }
    crd_text_add(&text, "}");
    return crd_text_finish(&text, json, error);
}
