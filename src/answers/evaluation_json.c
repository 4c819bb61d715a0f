#include "base/text.h"

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

crd_status crd_evaluation_json(const crd_evaluation *evaluation, char **json, crd_error *error)
{
    const crd_evaluation *e = evaluation;
    bool ood = e->task == CRD_TASK_OOD;
    const char *task = ood ? "ood" : "misclassification";
    crd_text text = {0};
    crd_text_format(&text, "{\"task\":\"%s\",\"nodes\":%lld,\"positives\":%lld", task, (long long)e->nodes,
                    (long long)e->positives);
    add_number(&text, ood ? "id_accuracy" : "accuracy", e->accuracy);
    crd_text_format(&text, ",\"%s\":{\"prevalence\":", task);
    crd_text_add_json_number(&text, e->prevalence);
    if (ood) {
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
