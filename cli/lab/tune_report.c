#include "lab/tune_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/text.h"
#include "config_text.h"

enum { SHOWN = 10 };

static bool by_detection(const crd_lab_tuning *tuning)
{
    return crd_lab_detects(tuning->criterion);
}

/* Cross-entropies as they are, AUROCs in percent. */
static char *score_text(const crd_lab_tuning *tuning, double score)
{
    if (isnan(score)) return crd_cli_text("n.a.");
    return by_detection(tuning) ? crd_cli_text("%.2f", 100.0 * score) : crd_cli_text("%.4f", score);
}

static char *percent_text(double fraction)
{
    return isnan(fraction) ? crd_cli_text("n.a.") : crd_cli_text("%.2f", 100.0 * fraction);
}

static const char *score_title(const crd_lab_tuning *tuning)
{
    return by_detection(tuning) ? "AUROC" : "cross-entropy";
}

/* ---- for people ---- */

static void add(crd_cli_table *table, char *text)
{
    crd_cli_table_add(table, "%s", text);
    free(text);
}

void crd_lab_tune_print(const crd_lab_tuning *tuning, FILE *stream)
{
    crd_cli_table table = {
        .columns = tuning->space->axes + 5, .heading = true, .left_columns = tuning->space->axes};
    crd_cli_table_add(&table, "%s", "");
    for (int a = 0; a < tuning->space->axes; a++)
        crd_cli_table_add(&table, "%s", tuning->space->axis[a].option->name);
    crd_cli_table_add(&table, "%s", score_title(tuning));
    crd_cli_table_add(&table, "+-");
    crd_cli_table_add(&table, "accuracy");
    crd_cli_table_add(&table, "state");
    for (int64_t i = 0; i < tuning->candidates.count && i < SHOWN; i++) {
        const crd_lab_standing *s = &tuning->standing[i];
        crd_cli_table_add(&table, "%lld", (long long)i + 1);
        for (int a = 0; a < tuning->space->axes; a++)
            add(&table, crd_cli_config_value(&tuning->candidates.candidate[s->candidate].config,
                                             tuning->space->axis[a].option->name));
        add(&table, score_text(tuning, s->summary.score));
        add(&table, score_text(tuning, s->summary.error));
        add(&table, percent_text(s->summary.accuracy));
        if (s->state == CRD_LAB_ELIMINATED)
            crd_cli_table_add(&table, "eliminated on rung %d", s->rung + 1);
        else
            crd_cli_table_add(&table, "%s", crd_lab_state_name(s->state));
    }
    crd_cli_table_print(&table, stream);
}

void crd_lab_tune_say(const crd_lab_tuning *tuning, const char *output)
{
    const crd_lab_standing *best = &tuning->standing[0];
    int64_t count[5] = {0};
    for (int64_t i = 0; i < tuning->candidates.count; i++) count[tuning->standing[i].state]++;
    char *text = crd_lab_candidate_text(tuning->space, &tuning->candidates.candidate[best->candidate]);
    char *score = score_text(tuning, best->summary.score), *accuracy = percent_text(best->summary.accuracy);
    char *reference = percent_text(tuning->reference);
    crd_cli_say("%lld settings tried: %lld eliminated early, %lld failed, %lld trained in full%s",
                (long long)tuning->candidates.count, (long long)count[CRD_LAB_ELIMINATED],
                (long long)count[CRD_LAB_FAILED],
                (long long)(count[CRD_LAB_CHOSEN] + count[CRD_LAB_FINALIST] + count[CRD_LAB_INACCURATE]),
                count[CRD_LAB_INACCURATE] > 0 ? " (some lose too much accuracy)" : "");
    if (by_detection(tuning))
        crd_cli_say("chosen: %s: AUROC %s %%, accuracy %s %% (the best of all: %s %%)", text, score, accuracy,
                    reference);
    else
        crd_cli_say("chosen: %s: validation cross-entropy %s, accuracy %s %%", text, score, accuracy);
    crd_cli_say("written to %s, for 'train --config'", strcmp(output, "-") == 0 ? "standard output" : output);
    free(text);
    free(score);
    free(accuracy);
    free(reference);
}

/* ---- files ---- */

static void print_seeds(const crd_lab_tuning *tuning, const char *separator, FILE *stream)
{
    for (int s = 0; s < tuning->splits; s++)
        fprintf(stream, "%s%llu", s > 0 ? separator : "", (unsigned long long)tuning->seed[s]);
}

static const char rungs_heading[] = "\n| rung | settings | splits | epochs |\n|---|---:|---:|---:|\n";

static void print_facts(const crd_lab_tuning *tuning, FILE *stream)
{
    char *data = crd_cli_printable(tuning->title);
    fprintf(stream, "# Settings tried on %s\n\n", data);
    free(data);
    fprintf(stream, "Criterion `%s`; split %s, seeds ", crd_lab_criterion_name(tuning->criterion),
            tuning->split);
    print_seeds(tuning, ", ", stream);
    fprintf(stream, "; the last %lld classes left out; data %s; version %s.\n", (long long)tuning->left_out,
            crd_dataset_fingerprint(tuning->dataset), crd_version());
    if (tuning->criterion == CRD_LAB_LEFT_OUT_CLASS)
        fprintf(stream,
                "One class, in turn, held out on each split%s. AUROC: detection of their training and "
                "validation nodes among the validation nodes of the other classes. Accuracy: on the latter. ",
                tuning->halves ? "; halves of the other are the classes to tell apart" : "");
    if (tuning->criterion == CRD_LAB_OWN_ERRORS)
        fputs("AUROC: detection of wrong answers among those for the validation nodes, by aleatoric "
              "uncertainty. Accuracy: on the same nodes. ",
              stream);
    if (by_detection(tuning)) {
        char *reference = percent_text(tuning->reference), *loss = percent_text(tuning->most_loss);
        fprintf(stream,
                "Chosen: the highest AUROC of those whose accuracy is at most %s points, and one standard "
                "error of its own, below the best of the last rung, %s %%.\n",
                loss, reference);
        free(reference);
        free(loss);
    }
    fputs(rungs_heading, stream);
    for (int r = 0; r < tuning->rungs; r++) {
        const crd_lab_rung *rung = &tuning->rung[r];
        fprintf(stream, "| %d | %lld | %d | ", r + 1, (long long)rung->candidates, rung->splits);
        if (rung->epochs < 0)
            fputs("all |\n", stream);
        else
            fprintf(stream, "%lld |\n", (long long)rung->epochs);
    }
    fputc('\n', stream);
}

char *crd_lab_tune_read_facts(const char *page, crd_lab_rung rung[CRD_LAB_MOST_RUNGS], int *rungs)
{
    const char *facts = strstr(page, "\n\n"), *table = strstr(page, rungs_heading);
    *rungs = 0;
    if (facts == NULL || table == NULL || facts + 2 > table) return NULL;
    for (const char *line = table + strlen(rungs_heading); *rungs < CRD_LAB_MOST_RUNGS; line++) {
        long long settings;
        int number, splits;
        char epochs[24];
        if (sscanf(line, "| %d | %lld | %d | %23s |", &number, &settings, &splits, epochs) != 4) break;
        rung[(*rungs)++] = (crd_lab_rung){.epochs = strcmp(epochs, "all") == 0 ? -1 : atoll(epochs),
                                          .splits = splits,
                                          .candidates = settings};
        line = strchr(line, '\n');
        if (line == NULL) break;
    }
    return crd_cli_text("%.*s", (int)(table - facts - 2), facts + 2);
}

char *crd_lab_tune_markdown(const crd_lab_tuning *tuning)
{
    crd_lab_text text;
    crd_lab_text_begin(&text);
    FILE *stream = text.stream;
    print_facts(tuning, stream);
    fputs("| |", stream);
    for (int a = 0; a < tuning->space->axes; a++)
        fprintf(stream, " %s |", tuning->space->axis[a].option->name);
    fprintf(stream, " %s | ± | accuracy | trials | rung | state |\n|---:|", score_title(tuning));
    for (int a = 0; a < tuning->space->axes; a++) fputs("---|", stream);
    fputs("---:|---:|---:|---:|---:|---|\n", stream);
    for (int64_t i = 0; i < tuning->candidates.count; i++) {
        const crd_lab_standing *s = &tuning->standing[i];
        fprintf(stream, "| %lld |", (long long)i + 1);
        for (int a = 0; a < tuning->space->axes; a++) {
            char *value = crd_cli_config_value(&tuning->candidates.candidate[s->candidate].config,
                                               tuning->space->axis[a].option->name);
            fprintf(stream, " %s |", value);
            free(value);
        }
        char *score = score_text(tuning, s->summary.score), *error = score_text(tuning, s->summary.error);
        char *accuracy = percent_text(s->summary.accuracy);
        char *why = crd_cli_printable(s->summary.why != NULL ? s->summary.why : "");
        fprintf(stream, " %s | %s | %s | %d | %d | %s%s%s |\n", score, error, accuracy, s->summary.trials,
                s->rung + 1, crd_lab_state_name(s->state), why[0] != '\0' ? ": " : "", why);
        free(score);
        free(error);
        free(accuracy);
        free(why);
    }
    return crd_lab_text_end(&text);
}

/* Empty for what is no number. */
static void print_number(double number, FILE *stream)
{
    char text[32];
    crd_lab_number_text(number, text);
    fprintf(stream, ",%s", isfinite(number) ? text : "");
}

char *crd_lab_tune_csv(const crd_lab_tuning *tuning)
{
    crd_lab_text text;
    crd_lab_text_begin(&text);
    FILE *stream = text.stream;
    fputs("rank,state,rung,trials", stream);
    for (int a = 0; a < tuning->space->axes; a++) fprintf(stream, ",%s", tuning->space->axis[a].option->name);
    fprintf(stream, ",%s,standard_error,accuracy,why\n", by_detection(tuning) ? "auroc" : "cross_entropy");
    for (int64_t i = 0; i < tuning->candidates.count; i++) {
        const crd_lab_standing *s = &tuning->standing[i];
        fprintf(stream, "%lld,%s,%d,%d", (long long)i + 1, crd_lab_state_name(s->state), s->rung + 1,
                s->summary.trials);
        for (int a = 0; a < tuning->space->axes; a++) {
            char *value = crd_cli_config_value(&tuning->candidates.candidate[s->candidate].config,
                                               tuning->space->axis[a].option->name);
            fputc(',', stream);
            crd_lab_print_csv(stream, value);
            free(value);
        }
        print_number(s->summary.score, stream);
        print_number(s->summary.error, stream);
        print_number(s->summary.accuracy, stream);
        fputc(',', stream);
        crd_lab_print_csv(stream, s->summary.why != NULL ? s->summary.why : "");
        fputc('\n', stream);
    }
    return crd_lab_text_end(&text);
}

/* The fields of a JSON object, without its braces. */
static void print_standing(const crd_lab_tuning *tuning, const crd_lab_standing *s, FILE *stream)
{
    char score[32], error[32], accuracy[32];
    crd_lab_number_text(s->summary.score, score);
    crd_lab_number_text(s->summary.error, error);
    crd_lab_number_text(s->summary.accuracy, accuracy);
    fprintf(stream,
            "\"state\": \"%s\", \"rung\": %d, \"trials\": %d, \"%s\": %s, \"standard_error\": %s, "
            "\"accuracy\": %s, \"config\": %s",
            crd_lab_state_name(s->state), s->rung + 1, s->summary.trials,
            by_detection(tuning) ? "auroc" : "cross_entropy", score, error, accuracy,
            tuning->candidates.candidate[s->candidate].json);
}

char *crd_lab_tune_jsonl(const crd_lab_tuning *tuning)
{
    char *data = crd_lab_quoted(tuning->data), *title = crd_lab_quoted(tuning->title);
    crd_lab_text text;
    crd_lab_text_begin(&text);
    for (int64_t i = 0; i < tuning->candidates.count; i++) {
        fprintf(text.stream, "{\"data\": %s, \"title\": %s, \"criterion\": \"%s\", \"rank\": %lld, ", data,
                title, crd_lab_criterion_name(tuning->criterion), (long long)i + 1);
        print_standing(tuning, &tuning->standing[i], text.stream);
        fputs("}\n", text.stream);
    }
    free(data);
    free(title);
    return crd_lab_text_end(&text);
}

char *crd_lab_tune_json(const crd_lab_tuning *tuning)
{
    char loss[32], reference[32];
    crd_lab_text text;
    crd_lab_text_begin(&text);
    FILE *stream = text.stream;
    crd_lab_number_text(tuning->most_loss, loss);
    crd_lab_number_text(tuning->reference, reference);
    fprintf(stream,
            "{\"criterion\": \"%s\", \"fingerprint\": \"%s\", \"version\": \"%s\", \"split\": \"%s\", "
            "\"seeds\": [",
            crd_lab_criterion_name(tuning->criterion), crd_dataset_fingerprint(tuning->dataset),
            crd_version(), tuning->split);
    print_seeds(tuning, ", ", stream);
    fprintf(stream,
            "], \"left_out\": %lld, \"settings\": %lld, \"max_accuracy_loss\": %s, "
            "\"best_accuracy\": %s, \"rungs\": [",
            (long long)tuning->left_out, (long long)tuning->candidates.count, loss, reference);
    for (int r = 0; r < tuning->rungs; r++) {
        const crd_lab_rung *rung = &tuning->rung[r];
        fprintf(stream, "%s{\"settings\": %lld, \"splits\": %d, \"epochs\": ", r > 0 ? ", " : "",
                (long long)rung->candidates, rung->splits);
        if (rung->epochs < 0)
            fputs("null}", stream);
        else
            fprintf(stream, "%lld}", (long long)rung->epochs);
    }
    fputs("], \"tried\": [", stream);
    for (int64_t i = 0; i < tuning->candidates.count; i++) {
        fputs(i > 0 ? ", {" : "{", stream);
        print_standing(tuning, &tuning->standing[i], stream);
        fputs("}", stream);
    }
    fputs("]}", stream);
    return crd_lab_text_end(&text);
}
