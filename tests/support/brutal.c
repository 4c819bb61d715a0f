/* SPDX-License-Identifier: MIT */
#include "support/brutal.h"

#include <dirent.h>
#include <ftw.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "graph/dataset.h"
#include "support/failing_memory.h"

crd_brutal crd_tiny;

const char *crd_brutal_input(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", crd_tiny.folder, name);
    return path;
}

static int entries(const char *folder)
{
    int count = 0;
    DIR *opened = opendir(folder);
    assert_non_null(opened);
    for (const struct dirent *entry; (entry = readdir(opened)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) count++;
    closedir(opened);
    return count;
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts;
    (void)kind;
    (void)place;
    return remove(path);
}

void crd_brutal_remove(const char *folder)
{
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

void crd_brutalise(crd_attempt call, const char *argument)
{
    const int ways = getenv("CREDENCE_BRIEF") != NULL ? 1 : 2; /* the second repeats most of the first */
    for (int for_good = 0; for_good < ways; for_good++) {
        crd_memory_outcome outcome = CRD_MEMORY_FAILED;
        for (int64_t n = 0; outcome != CRD_MEMORY_NOT_REACHED; n++) {
            crd_error error = {0};
            int64_t live = crd_memory_live();
            crd_memory_fail(n, for_good);
            crd_status status = call(argument, &error);
            outcome = crd_memory_stop();
            if (crd_memory_live() != live)
                fail_msg("%s: allocation %lld fails: %lld blocks leak", argument, (long long)n,
                         (long long)(crd_memory_live() - live));
            if (status != CRD_OK && (status != CRD_ERROR_MEMORY || error.status != status || error.message[0] == '\0' ||
                                     outcome == CRD_MEMORY_NOT_REACHED))
                fail_msg("%s: allocation %lld fails: status %d, in the error %d, message \"%s\"", argument,
                         (long long)n, (int)status, (int)error.status, error.message);
            if (status == CRD_OK && outcome == CRD_MEMORY_FAILED)
                fail_msg("%s: allocation %lld fails, but the call succeeds", argument, (long long)n);
            int left = entries(crd_tiny.outputs);
            if (left != 0) fail_msg("%s: allocation %lld fails: %d files are left", argument, (long long)n, left);
        }
    }
}

void crd_brutal_write(const char *name, const char *text)
{
    FILE *file = fopen(crd_brutal_input(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

int crd_brutal_set_up(void **state)
{
    (void)state;
    crd_error error = {0};
    crd_generate_options options;
    /* jansson's blocks are counted, so that a JSON value nobody releases is noticed. They do not fail: jansson's
     * parser (2.14) overruns its own buffer if a token cannot grow. */
    json_set_alloc_funcs(crd_memory_allocate, crd_memory_release);
    snprintf(crd_tiny.folder, sizeof crd_tiny.folder, "/tmp/credence-brutal-XXXXXX");
    if (mkdtemp(crd_tiny.folder) == NULL) return -1;
    snprintf(crd_tiny.outputs, sizeof crd_tiny.outputs, "%s/outputs", crd_tiny.folder);
    if (mkdir(crd_tiny.outputs, 0777) != 0) return -1;
    crd_generate_defaults(&options);
    options.nodes = 40;
    options.classes = 4;
    options.features = 20;
    options.lookalikes = 1;
    crd_config_defaults(&crd_tiny.config);
    (void)!crd_config_set(&crd_tiny.config, "model", "gpn", NULL); /* it has every part that can fail */
    crd_tiny.config.hidden = 8;
    crd_tiny.config.latent = 4;
    crd_tiny.config.flow_layers = 2;
    crd_tiny.config.left_out = 1;
    crd_tiny.config.max_epochs = 2;
    crd_tiny.config.warmup = 1;
    crd_tiny.config.threads = 1;
    crd_status status = crd_generate(&options, &crd_tiny.dataset, &error);
    if (status == CRD_OK) {
        char names[20][16], *list[20];
        for (int j = 0; j < 20; j++) {
            snprintf(names[j], sizeof names[j], "word%d", j);
            list[j] = names[j];
        }
        status = crd_copy_strings(&crd_tiny.dataset->feature_names, list, 20, &error);
    }
    if (status == CRD_OK) status = crd_split_make(crd_tiny.dataset, "30/20/50", 0, 1, &crd_tiny.split, &error);
    if (status == CRD_OK)
        status = crd_train(crd_tiny.dataset, crd_tiny.split, &crd_tiny.config, NULL, &crd_tiny.model, &error);
    if (status == CRD_OK)
        status = crd_predict(crd_tiny.model, crd_tiny.dataset, CRD_THREADS(1), &crd_tiny.prediction, &error);
    if (status == CRD_OK)
        status = crd_explain(crd_tiny.model, crd_tiny.dataset, 0, 5, CRD_THREADS(1), &crd_tiny.explanation, &error);
    if (status != CRD_OK) print_error("%s\n", error.message);
    return status == CRD_OK ? 0 : -1;
}

int crd_brutal_tear_down(void **state)
{
    (void)state;
    crd_explanation_free(&crd_tiny.explanation);
    crd_prediction_free(&crd_tiny.prediction);
    crd_model_free(&crd_tiny.model);
    crd_split_free(&crd_tiny.split);
    crd_dataset_free(&crd_tiny.dataset);
    crd_brutal_remove(crd_tiny.folder);
    return 0;
}
