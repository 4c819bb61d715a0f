/* Who is ahead: a candidate's trials taken together, and candidates compared. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs/tune.h"

static crd_cli_outcomes *cell_of(const crd_cli_tuning *tuning, const crd_cli_trial *trial)
{
    return &tuning->cell[(trial->candidate * tuning->splits + trial->split) * tuning->held + trial->held];
}

int64_t crd_cli_tune_budget(const crd_cli_tuning *tuning, int64_t candidate, int rung)
{
    int64_t full = tuning->candidates.candidate[candidate].config.max_epochs;
    int64_t given = tuning->rung[rung].epochs;
    return given < 0 || (full >= 0 && full < given) ? full : given;
}

/* Whether an outcome is what the same training with this budget would have: a training that ended before its
 * budget did would have ended so with a larger one. */
static bool answers(const crd_cli_outcome *outcome, int64_t budget)
{
    if (outcome->budget == budget) return true;
    bool larger = budget < 0 || (outcome->budget >= 0 && budget > outcome->budget);
    if (!outcome->trained) return outcome->diverged && larger;
    return !outcome->limited && (larger || outcome->epochs <= budget);
}

const crd_cli_outcome *crd_cli_find_outcome(const crd_cli_tuning *tuning, const crd_cli_trial *trial)
{
    const crd_cli_outcomes *cell = cell_of(tuning, trial);
    const crd_cli_outcome *found = NULL;
    for (int i = 0; i < cell->count; i++)
        if (answers(&cell->outcome[i], trial->budget) && (found == NULL || found->error != NULL))
            found = &cell->outcome[i];
    return found;
}

void crd_cli_add_outcome(crd_cli_tuning *tuning, const crd_cli_trial *trial, crd_cli_outcome outcome)
{
    crd_cli_outcomes *cell = cell_of(tuning, trial);
    cell->outcome = crd_cli_allocate(cell->outcome, ((size_t)cell->count + 1) * sizeof *cell->outcome);
    cell->outcome[cell->count++] = outcome;
}

static void take_together(const crd_cli_tuning *tuning, crd_cli_standing *s, int rung)
{
    const int splits = tuning->rung[rung].splits;
    double sum = 0.0, squares = 0.0, checked = 0.0;
    *s = (crd_cli_standing){.candidate = s->candidate, .rung = rung, .score = NAN, .error = NAN};
    crd_cli_trial trial = {.candidate = s->candidate,
                           .budget = crd_cli_tune_budget(tuning, s->candidate, rung)};
    for (trial.split = 0; trial.split < splits; trial.split++) {
        double of_split = 0.0;
        for (trial.held = 0; trial.held < tuning->held; trial.held++) {
            const crd_cli_outcome *outcome = crd_cli_find_outcome(tuning, &trial);
            if (outcome->error != NULL && s->why == NULL) s->why = outcome->error;
            of_split += outcome->score / (double)tuning->held;
            s->accuracy += outcome->accuracy / (double)(splits * tuning->held);
            checked += outcome->checked / (double)tuning->held; /* a split's trials have the same nodes */
            s->trials++;
        }
        sum += of_split;
        squares += of_split * of_split;
    }
    if (s->why != NULL) {
        s->accuracy = NAN;
        return;
    }
    s->score = sum / splits;
    if (checked > 0.0) s->chance = sqrt(s->accuracy * (1.0 - s->accuracy) / checked);
    if (splits > 1) {
        double variance = (squares - sum * s->score) / (double)(splits - 1);
        s->error = sqrt(fmax(variance, 0.0) / (double)splits);
    }
}

bool crd_cli_is_inaccurate(const crd_cli_tuning *tuning, const crd_cli_standing *s)
{
    /* The best of many accuracies is high by luck, above all on few nodes: what chance explains is no loss. A
     * rounding error must not decide about a loss that is exactly the one allowed. */
    return crd_cli_detects(tuning->criterion) && s->why == NULL
           && s->accuracy + s->chance < tuning->rung[s->rung].best_accuracy - tuning->most_loss - 1e-12;
}

/* By the score, and for criteria that detect those that lose too much accuracy after the others, the more
 * accurate first; those without a score last; equals in the candidates' order. */
static bool goes_before(const crd_cli_tuning *tuning, const crd_cli_standing *a, const crd_cli_standing *b)
{
    if ((a->why == NULL) != (b->why == NULL)) return a->why == NULL;
    if (a->why == NULL) {
        bool low_a = crd_cli_is_inaccurate(tuning, a), low_b = crd_cli_is_inaccurate(tuning, b);
        if (low_a != low_b) return low_b;
        if (low_a && a->accuracy != b->accuracy) return a->accuracy > b->accuracy;
        if (!low_a && a->score != b->score)
            return crd_cli_detects(tuning->criterion) ? a->score > b->score : a->score < b->score;
    }
    return a->candidate < b->candidate;
}

/* qsort has no room for the tuning; a merge sort of some hundred candidates is quickly written. */
static void sort(const crd_cli_tuning *tuning, crd_cli_standing *standing, crd_cli_standing *spare,
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
    memcpy(standing, spare, (size_t)count * sizeof *standing);
}

void crd_cli_rank(crd_cli_tuning *tuning, int64_t count, int rung)
{
    crd_cli_standing *spare = crd_cli_allocate(NULL, (size_t)count * sizeof *spare);
    double best = NAN;
    for (int64_t i = 0; i < count; i++) {
        take_together(tuning, &tuning->standing[i], rung);
        best = fmax(best, tuning->standing[i].accuracy);
    }
    tuning->rung[rung].best_accuracy = best;
    sort(tuning, tuning->standing, spare, count);
    free(spare);
}
