/* SPDX-License-Identifier: MIT */
/* Trains in the main thread, while another thread decides when that has taken long enough. What was learnt until then
 * is kept.
 *
 *     cc -pthread cancel.c $(pkg-config --cflags --libs credence) -o cancel
 *     ./cancel GRAPH       any file or folder that credence reads; without one, a generated graph
 */
#include <credence.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { ENOUGH = 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int epochs;      /* so far */
static bool over;       /* the training has ended by itself */
static atomic_int stop; /* the library reads it, as an int, while another thread writes it: so it is atomic */

/* Runs in the thread that trains; false would stop as well. It must return, and not throw or longjmp. */
static bool count_epochs(const crd_progress *progress, void *user)
{
    (void)user;
    if (progress->epoch == NULL) return true;
    pthread_mutex_lock(&lock);
    epochs++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return true;
}

/* The other thread. A server would wait here for its client to go away, or for a deadline. */
static void *watch(void *user)
{
    (void)user;
    pthread_mutex_lock(&lock);
    while (epochs < ENOUGH && !over) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    atomic_store(&stop, 1);
    return NULL;
}

static crd_status open_graph(const char *path, crd_dataset **graph, crd_error *error)
{
    if (path != NULL) return crd_dataset_open(path, NULL, graph, error);
    crd_generate_options options;
    crd_generate_defaults(&options);
    return crd_generate(&options, graph, error);
}

static crd_status train(const crd_dataset *graph, const crd_split *split, crd_model **model, crd_error *error)
{
    crd_control control = {0};
    control.size = sizeof control;
    control.stop = (const int *)&stop;
    control.progress = count_epochs;
    crd_train_options options = {0};
    options.size = sizeof options;
    options.control = &control;
    crd_config *config = NULL;
    pthread_t watcher;
    crd_status status = crd_config_new(&config, error);
    if (status == CRD_OK) status = crd_config_set(config, "max-epochs", "100000", error);
    if (status == CRD_OK) status = crd_config_set(config, "patience", "100000", error);
    if (status == CRD_OK && pthread_create(&watcher, NULL, watch, NULL) != 0) {
        snprintf(error->message, sizeof error->message, "there is no room for another thread");
        status = CRD_ERROR_MEMORY;
    } else if (status == CRD_OK) {
        status = crd_train(graph, split, config, &options, model, error);
        pthread_mutex_lock(&lock);
        over = true;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
        pthread_join(watcher, NULL);
    }
    crd_config_free(&config);
    return status;
}

int main(int argc, char **argv)
{
    crd_dataset *graph = NULL;
    crd_split *split = NULL;
    crd_model *model = NULL;
    crd_evaluation evaluation;
    crd_error error = {0};

    crd_status status = open_graph(argc > 1 ? argv[1] : NULL, &graph, &error);
    if (status == CRD_OK) status = crd_split_make(graph, NULL, 0, 1, &split, &error);
    if (status == CRD_OK) status = train(graph, split, &model, &error);
    if (status == CRD_OK)
        status = crd_evaluate(model, graph, NULL, CRD_TASK_MISCLASSIFICATION, NULL, &evaluation, &error);
    if (status == CRD_OK) {
        crd_model_facts facts;
        crd_model_get_facts(model, &facts);
        printf("stopped: %s, after %d epochs\n", crd_stop_name(facts.stop), epochs);
        printf("kept: the model of epoch %lld, right for %.0f %% of %lld test nodes\n", (long long)facts.best_epoch,
               100.0 * evaluation.accuracy, (long long)evaluation.nodes);
    } else if (status == CRD_ERROR_STOPPED) {
        printf("stopped before there was a model\n");
    } else {
        fprintf(stderr, "cancel: %s\n", error.message);
    }

    crd_model_free(&model);
    crd_split_free(&split);
    crd_dataset_free(&graph);
    return status == CRD_OK ? 0 : 1;
}
