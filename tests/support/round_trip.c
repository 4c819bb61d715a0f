/* SPDX-License-Identifier: MIT */
/* round_trip FILE.npz: generates a graph, writes it to FILE.npz, reads it back, trains on both and compares what the
 * models say. A program that needs nothing but the library. */
#include <credence.h>
#include <stdio.h>

static crd_status train(const crd_dataset *graph, crd_prediction **answers, crd_error *error)
{
    crd_split *split = NULL;
    crd_model *model = NULL;
    crd_config *config = NULL;
    crd_status status = crd_config_new(&config, error);
    if (status == CRD_OK) status = crd_config_set(config, "max-epochs", "20", error);
    if (status == CRD_OK) status = crd_split_make(graph, NULL, 0, 1, &split, error);
    if (status == CRD_OK) status = crd_train(graph, split, config, NULL, &model, error);
    if (status == CRD_OK) status = crd_predict(model, graph, 0, answers, error);
    crd_model_free(&model);
    crd_split_free(&split);
    crd_config_free(&config);
    return status;
}

int main(int argc, char **argv)
{
    crd_dataset *made = NULL, *read = NULL;
    crd_prediction *answers[2] = {NULL, NULL};
    crd_generate_options options;
    crd_error error;
    if (argc != 2) return 2;
    crd_generate_defaults(&options);
    options.nodes = 300;
    crd_status status = crd_generate(&options, &made, &error);
    if (status == CRD_OK) status = crd_dataset_save(made, argv[1], CRD_FORMAT_NPZ, &error);
    if (status == CRD_OK) status = crd_dataset_open(argv[1], NULL, &read, &error);
    if (status == CRD_OK) status = train(made, &answers[0], &error);
    if (status == CRD_OK) status = train(read, &answers[1], &error);
    if (status != CRD_OK) fprintf(stderr, "round_trip: %s\n", error.message);
    bool same = status == CRD_OK;
    for (int64_t node = 0; node < 300 && same; node++)
        same = crd_prediction_score(answers[0], CRD_SCORE_EPISTEMIC)[node] ==
               crd_prediction_score(answers[1], CRD_SCORE_EPISTEMIC)[node];
    if (status == CRD_OK) puts(same ? "the same answers" : "other answers");
    for (int i = 0; i < 2; i++) crd_prediction_free(&answers[i]);
    crd_dataset_free(&read);
    crd_dataset_free(&made);
    return same ? 0 : 1;
}
