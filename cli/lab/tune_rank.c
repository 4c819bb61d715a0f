#include "lab/tune_rank.h"

#include <math.h>
#include <stdlib.h>

static crd_lab_tune_cell *cell_of(const crd_lab_tuning *tuning, const crd_lab_trial *trial)
{
    return &tuning->cell[(trial->candidate * tuning->splits + trial->split) * tuning->held + trial->held];
}

int64_t crd_lab_budget(const crd_lab_tuning *tuning, int64_t candidate, int rung)
{
    int64_t full = tuning->candidates.candidate[candidate].config.max_epochs;
    int64_t given = tuning->rung[rung].epochs;
    return given < 0 || (full >= 0 && full < given) ? full : given;
}

/* Whether an outcome is what the same training with this budget would have. */
static bool answers(const crd_lab_outcome *outcome, int64_t budget)
{
    if (outcome->budget == budget) return true;
    bool larger = budget < 0 || (outcome->budget >= 0 && budget > outcome->budget);
    if (!outcome->trained) return outcome->diverged && larger;
    return !outcome->limited && (larger || outcome->epochs <= budget);
}

const crd_lab_outcome *crd_lab_find_outcome(const crd_lab_tuning *tuning, const crd_lab_trial *trial)
{
    const crd_lab_tune_cell *cell = cell_of(tuning, trial);
    const crd_lab_outcome *found = NULL;
    for (int i = 0; i < cell->count; i++)
        if (answers(&cell->outcome[i], trial->budget) && (found == NULL || found->failed))
            found = &cell->outcome[i];
    return found;
}

void crd_lab_add_outcome(crd_lab_tuning *tuning, const crd_lab_trial *trial, crd_lab_outcome outcome)
{
    crd_lab_tune_cell *cell = cell_of(tuning, trial);
    cell->outcome = crd_cli_allocate(cell->outcome, ((size_t)cell->count + 1) * sizeof *cell->outcome);
    cell->outcome[cell->count++] = outcome;
}

bool crd_lab_summarise(const crd_lab_tuning *tuning, int64_t candidate, int rung,
                       crd_lab_tune_summary *summary)
{
    const int splits = tuning->rung[rung].splits;
    double sum = 0.0, squares = 0.0, checked = 0.0;
    *summary = (crd_lab_tune_summary){.score = NAN, .error = NAN};
    crd_lab_trial trial = {.candidate = candidate, .budget = crd_lab_budget(tuning, candidate, rung)};
    for (trial.split = 0; trial.split < splits; trial.split++) {
        double of_split = 0.0;
        for (trial.held = 0; trial.held < tuning->held; trial.held++) {
            const crd_lab_outcome *outcome = crd_lab_find_outcome(tuning, &trial);
            if (outcome == NULL) return false;
            if (outcome->failed && summary->why == NULL) summary->why = outcome->error;
            of_split += outcome->score / (double)tuning->held;
            summary->accuracy += outcome->accuracy / (double)(splits * tuning->held);
            checked += outcome->checked / (double)tuning->held; /* a split's trials have the same nodes */
            summary->trials++;
        }
        sum += of_split;
        squares += of_split * of_split;
    }
    if (summary->why != NULL) {
        summary->accuracy = NAN;
        return true;
    }
    summary->score = sum / splits;
    if (checked > 0.0) summary->chance = sqrt(summary->accuracy * (1.0 - summary->accuracy) / checked);
    if (splits > 1) {
        double variance = (squares - sum * summary->score) / (double)(splits - 1);
        summary->error = sqrt(fmax(variance, 0.0) / (double)splits);
    }
    return true;
}

bool crd_lab_better(crd_lab_criterion criterion, double a, double b)
{
    return crd_lab_detects(criterion) ? a > b : a < b;
}

bool crd_lab_inaccurate(const crd_lab_tuning *tuning, const crd_lab_standing *standing)
{
    /* The best of many accuracies is high by luck, above all on few nodes: what chance explains is no loss. A
     * rounding error must not decide about a loss that is exactly the one allowed. */
    return crd_lab_detects(tuning->criterion) && standing->summary.why == NULL
           && standing->summary.accuracy + standing->summary.chance
                  < tuning->rung[standing->rung].best_accuracy - tuning->most_loss - 1e-12;
}

static bool goes_before(const crd_lab_tuning *tuning, const crd_lab_standing *a, const crd_lab_standing *b)
{
    const crd_lab_tune_summary *x = &a->summary, *y = &b->summary;
    if ((x->why == NULL) != (y->why == NULL)) return x->why == NULL;
    if (x->why == NULL) {
        bool low_a = crd_lab_inaccurate(tuning, a), low_b = crd_lab_inaccurate(tuning, b);
        if (low_a != low_b) return low_b;
        if (low_a && x->accuracy != y->accuracy) return x->accuracy > y->accuracy;
        if (!low_a && x->score != y->score) return crd_lab_better(tuning->criterion, x->score, y->score);
    }
    return a->candidate < b->candidate;
}

/* qsort has no room for the tuning; a merge sort of some hundred candidates is quickly written. */
static void sort(const crd_lab_tuning *tuning, crd_lab_standing *standing, crd_lab_standing *spare,
                 int64_t count)
{
    if (count < 2) return;
    int64_t half = count / 2, a = 0, b = half;
    sort(tuning, standing, spare, half);
    sort(tuning, standing + half, spare, count - half);
    for (int64_t i = 0; i < count; i++) {
        bool second = a == half || (b < count && goes_before(tuning, &standing[b], &standing[a]));
        spare[i] = second ? standing[b++] : standing[a++];
    }
    for (int64_t i = 0; i < count; i++) standing[i] = spare[i];
}

void crd_lab_rank(crd_lab_tuning *tuning, crd_lab_standing *standing, int64_t count, int rung)
{
    double best = NAN;
    for (int64_t i = 0; i < count; i++) best = fmax(best, standing[i].summary.accuracy);
    tuning->rung[rung].best_accuracy = best;
    crd_lab_standing *spare = crd_cli_allocate(NULL, (size_t)count * sizeof *spare);
    sort(tuning, standing, spare, count);
    free(spare);
}
