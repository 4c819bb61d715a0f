/* The results of a search: tables of what was tried, and a summary in words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs/tune.h"

enum { SHOWN = 10 };

/* Cross-entropies as they are, AUROCs in percent. */
static char *score_text(const crd_cli_tuning *tuning, double score)
{
    if (isnan(score)) return crd_cli_text("n.a.");
    return crd_cli_detects(tuning->criterion) ? crd_cli_text("%.2f", 100.0 * score) : crd_cli_text("%.4f", score);
}

static const char *score_name(const crd_cli_tuning *tuning)
{
    return crd_cli_detects(tuning->criterion) ? "auroc" : "cross_entropy";
}

/* An option's value in a candidate; the caller frees it. */
static char *value_of(const crd_cli_tuning *tuning, const crd_cli_standing *s, int axis)
{
    return crd_cli_config_value(&tuning->candidates.candidate[s->candidate].config,
                                tuning->space.axis[axis].option->name);
}

static void take(crd_cli_table *table, char *text)
{
    crd_cli_table_add(table, "%s", text);
    free(text);
}

void crd_cli_tune_print(const crd_cli_tuning *tuning, FILE *stream)
{
    const int axes = tuning->space.axes;
    crd_cli_table table = {.columns = axes + 5, .heading = true, .left_columns = axes};
    crd_cli_table_add(&table, "%s", "");
    for (int a = 0; a < axes; a++) crd_cli_table_add(&table, "%s", tuning->space.axis[a].option->name);
    crd_cli_table_add(&table, crd_cli_detects(tuning->criterion) ? "AUROC" : "cross-entropy");
    crd_cli_table_add(&table, "+-");
    crd_cli_table_add(&table, "accuracy");
    crd_cli_table_add(&table, "state");
    for (int64_t i = 0; i < tuning->candidates.count && i < SHOWN; i++) {
        const crd_cli_standing *s = &tuning->standing[i];
        crd_cli_table_add(&table, "%lld", (long long)i + 1);
        for (int a = 0; a < axes; a++) take(&table, value_of(tuning, s, a));
        take(&table, score_text(tuning, s->score));
        take(&table, score_text(tuning, s->error));
        crd_cli_table_add_number(&table, 2, 100.0 * s->accuracy);
        if (strcmp(s->state, "eliminated") == 0) crd_cli_table_add(&table, "out on rung %d", s->rung + 1);
        else crd_cli_table_add(&table, "%s", s->state);
    }
    crd_cli_table_print(&table, stream);
}

void crd_cli_tune_say(const crd_cli_tuning *tuning, const char *output)
{
    const crd_cli_standing *best = &tuning->standing[0];
    int64_t eliminated = 0, failed = 0, inaccurate = 0;
    for (int64_t i = 0; i < tuning->candidates.count; i++) {
        eliminated += strcmp(tuning->standing[i].state, "eliminated") == 0;
        failed += strcmp(tuning->standing[i].state, "failed") == 0;
        inaccurate += strcmp(tuning->standing[i].state, "inaccurate") == 0;
    }
    crd_cli_say("%lld settings tried: %lld eliminated early, %lld failed, %lld trained in full%s",
                (long long)tuning->candidates.count, (long long)eliminated, (long long)failed,
                (long long)(tuning->candidates.count - eliminated - failed),
                inaccurate > 0 ? " (some lose too much accuracy)" : "");
    char *text = crd_cli_candidate_text(&tuning->space, &tuning->candidates.candidate[best->candidate]);
    char *score = score_text(tuning, best->score);
    if (crd_cli_detects(tuning->criterion))
        crd_cli_say("chosen: %s: AUROC %s %%, accuracy %.2f %% (the best of all: %.2f %%)", text, score,
                    100.0 * best->accuracy, 100.0 * tuning->rung[tuning->rungs - 1].best_accuracy);
    else crd_cli_say("chosen: %s: validation cross-entropy %s, accuracy %.2f %%", text, score, 100.0 * best->accuracy);
    crd_cli_say("written to %s, for 'train --config'", strcmp(output, "-") == 0 ? "standard output" : output);
    free(text);
    free(score);
}

static json_t *standing_json(const crd_cli_tuning *tuning, int64_t rank)
{
    const crd_cli_standing *s = &tuning->standing[rank];
    json_t *object = json_object();
    crd_cli_json_add(object, "rank", json_integer(rank + 1), "state", json_string(s->state), "rung",
                     json_integer(s->rung + 1), "trials", json_integer(s->trials), score_name(tuning),
                     crd_cli_json_number(s->score), "standard_error", crd_cli_json_number(s->error), "accuracy",
                     crd_cli_json_number(s->accuracy), "why", s->why == NULL ? NULL : json_string(s->why), "config",
                     json_incref(tuning->candidates.candidate[s->candidate].json), NULL);
    return object;
}

char *crd_cli_tune_csv(const crd_cli_tuning *tuning)
{
    json_t *tried = json_array();
    char *columns = crd_cli_text("rank,state,rung,trials");
    for (int a = 0; a < tuning->space.axes; a++) {
        const char *name = tuning->space.axis[a].option->name;
        crd_cli_append(&columns, ",%s=config.%s", name, name);
    }
    crd_cli_append(&columns, ",%s,standard_error,accuracy,why", score_name(tuning));
    for (int64_t i = 0; i < tuning->candidates.count; i++) crd_cli_json_append(tried, standing_json(tuning, i));
    char *csv = crd_cli_json_csv(tried, columns);
    free(columns);
    return csv;
}

char *crd_cli_tune_json(const crd_cli_tuning *tuning)
{
    const bool detects = crd_cli_detects(tuning->criterion);
    json_t *object = json_object(), *seeds = json_array(), *rungs = json_array(), *tried = json_array();
    for (int s = 0; s < tuning->splits; s++) crd_cli_json_append(seeds, json_integer((json_int_t)tuning->seed[s]));
    for (int r = 0; r < tuning->rungs; r++) {
        const crd_cli_rung *rung = &tuning->rung[r];
        json_t *item = json_object();
        crd_cli_json_add(item, "settings", json_integer(rung->candidates), "splits", json_integer(rung->splits),
                         "epochs", rung->epochs < 0 ? NULL : json_integer(rung->epochs), NULL);
        crd_cli_json_append(rungs, item);
    }
    for (int64_t i = 0; i < tuning->candidates.count; i++) crd_cli_json_append(tried, standing_json(tuning, i));
    crd_cli_json_add(
        object, "criterion", json_string(crd_cli_criterion_name(tuning->criterion)), "data",
        crd_cli_json_string(tuning->data), "fingerprint", json_string(crd_dataset_fingerprint(tuning->dataset)),
        "version", json_string(crd_version()), "split", crd_cli_json_string(tuning->split), "seeds", seeds, "left_out",
        json_integer(tuning->left_out), "settings", json_integer(tuning->candidates.count), "max_accuracy_loss",
        detects ? json_real(tuning->most_loss) : NULL, "best_accuracy",
        crd_cli_json_number(tuning->rung[tuning->rungs - 1].best_accuracy), "rungs", rungs, "tried", tried, NULL);
    char *text = crd_cli_json_text(object), *line = crd_cli_text("%s\n", text);
    free(text);
    json_decref(object);
    return line;
}
