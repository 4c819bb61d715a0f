/* SPDX-License-Identifier: MIT */
/* A map of a real latent space, CoraML's, if the data are available: nodes that are near each other for the model
 * are near each other on the map. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "credence_private.h"
#include "dataset_helpers.h"
#include "reference/tsne.h"
#include "support/outcome.h"
#include "support/quick_model.h"

/* Of the nearest `each` in space, the fraction that are also among the nearest `each` on the map. */
static double kept(int count, int each, const float *points, int dims, const float *map)
{
    const size_t pairs = (size_t)count * (size_t)count;
    double *squared = malloc(pairs * sizeof *squared), *on_map = malloc(pairs * sizeof *on_map), same = 0.0;
    assert_true(squared != NULL && on_map != NULL);
    ref_distances(count, dims, points, squared);
    ref_distances(count, 2, map, on_map);
    int checked = 0;
    for (int i = 0; i < count; i += 7) { /* enough of them */
        checked++;
        for (int j = 0; j < count; j++) {
            int nearer = 0, nearer_on_map = 0;
            if (j == i) continue;
            for (int k = 0; k < count; k++) {
                nearer += k != i && squared[(size_t)i * count + k] < squared[(size_t)i * count + j];
                if (nearer >= each) break;
            }
            if (nearer >= each) continue;
            for (int k = 0; k < count; k++)
                nearer_on_map += k != i && on_map[(size_t)i * count + k] < on_map[(size_t)i * count + j];
            same += nearer_on_map < each;
        }
    }
    free(squared);
    free(on_map);
    return same / (checked * each);
}

static void neighbours_stay(void **state)
{
    (void)state;
    const char *folder = getenv("CREDENCE_DATA");
    char path[512];
    snprintf(path, sizeof path, "%s/cora_ml.npz", folder != NULL ? folder : "../shared/datasets");
    if (access(path, R_OK) != 0) {
        print_message("skipped: %s is not there\n", path);
        return;
    }
    crd_dataset *dataset = open_with(path, NULL, NULL);
    crd_config config;
    crd_config_defaults(&config);
    assert_ok(crd_config_set(&config, "model", "gpn", NULL));
    config.max_epochs = 30;
    crd_model *model = train(dataset, &config, NULL);
    crd_prediction *prediction;
    assert_ok(crd_predict(model, dataset, NULL, &prediction, NULL));
    const int count = (int)crd_prediction_nodes(prediction), dims = (int)crd_prediction_latent_dims(prediction);
    const float *latent = crd_prediction_latent(prediction);
    float *map = malloc((size_t)(2 * count) * sizeof *map);
    double reached, measured, start;
    assert_true(map != NULL && count == 2995 && dims == 10);
    crd_tsne_options options;
    crd_tsne_defaults(&options);
    options.iterations = 0;
    assert_ok(crd_tsne(latent, count, dims, &options, map, &start, NULL));
    const double kept_at_start = kept(count, 30, latent, dims, map);
    options.iterations = 500;
    assert_ok(crd_tsne(latent, count, dims, &options, map, &reached, NULL));
    assert_ok(crd_tsne_divergence(latent, count, dims, 30.0, map, 0, &measured, NULL));
    const double kept_now = kept(count, 30, latent, dims, map);
    print_message("divergence %.4f (%.4f at the start), %.3f of the neighbours kept (%.3f)\n", measured, start,
                  kept_now, kept_at_start);
    assert_true(fabs(reached / measured - 1.0) < 3e-3);
    assert_true(measured < 0.5 * start);
    assert_true(kept_now > 0.5 && kept_now > 1.25 * kept_at_start);
    free(map);
    crd_prediction_free(&prediction);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(neighbours_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
