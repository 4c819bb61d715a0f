#include "lab/tune_options.h"

#include <string.h>

#include "lab/lists.h"

enum { SEEDS_BEFORE = 100, MOST_SEEDS = 1000 };

int crd_lab_tune_seeds(const crd_cli_options *options, const char *name, const char *usual,
                       crd_lab_tuning *tuning)
{
    const char *text = crd_cli_given(options, name) ? crd_cli_value(options, name) : usual;
    int64_t count;
    int code = crd_lab_seeds_read(options, name, text, &tuning->seed, &count);
    if (code != CRD_CLI_DONE) return code;
    if (count > MOST_SEEDS)
        return crd_cli_misused(options, "--%s %s: expected %d seeds at most", name, text, MOST_SEEDS);
    tuning->splits = (int)count;
    if (text[strspn(text, "0123456789")] == '\0')
        for (int s = 0; s < tuning->splits; s++) tuning->seed[s] += SEEDS_BEFORE;
    return CRD_CLI_DONE;
}

int crd_lab_tune_elimination(const crd_cli_options *options, crd_lab_tuning *tuning)
{
    tuning->eta = 3.0;
    /* Sigmoid and LogSigmoid are far behind other activations for 80 epochs, and may be ahead after 130. */
    tuning->min_epochs = 150;
    tuning->finalists = 8;
    int code = crd_cli_number(options, "eta", &tuning->eta);
    if (code != CRD_CLI_DONE) return code;
    if (tuning->eta != 0.0 && tuning->eta < 1.5)
        return crd_cli_misused(options, "--eta %s: expected 0, or a number of at least 1.5",
                               crd_cli_value(options, "eta"));
    return CRD_CLI_DONE;
}
