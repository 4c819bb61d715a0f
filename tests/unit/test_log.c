/* SPDX-License-Identifier: MIT */
/* crd_set_log: what an operator hears, that nobody hears it unless asked to, and that threads may log at once. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/log.h"
#include "credence_private.h"

static crd_error error_;
#define OK(call)                                                                                                       \
    do {                                                                                                               \
        if ((call) != CRD_OK) fail_msg("%s", error_.message);                                                          \
    } while (0)

/* What was heard, one line each: "LEVEL message". */
typedef struct {
    char text[20000];
    size_t length;
} heard;

static void hear(int level, const char *message, void *user)
{
    heard *h = user;
    const int added = snprintf(h->text + h->length, sizeof h->text - h->length, "%d %s\n", level, message);
    h->length += (size_t)added < sizeof h->text - h->length ? (size_t)added : 0;
    errno = EBADF;
}

static bool has(const heard *h, const char *line)
{
    return strstr(h->text, line) != NULL;
}

static struct {
    char path[64];
    crd_dataset *data;
    crd_split *split;
    crd_config *config;
} w;

static int set_up(void **state)
{
    (void)state;
    snprintf(w.path, sizeof w.path, "/tmp/credence-log-XXXXXX");
    const int file = mkstemp(w.path);
    if (file < 0) return -1;
    close(file);
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = 200;
    OK(crd_generate(&options, &w.data, &error_));
    OK(crd_split_make(w.data, "20/20/60", 0, 1, &w.split, &error_));
    OK(crd_config_new(&w.config, &error_));
    OK(crd_config_set(w.config, "model", "gpn", &error_));
    OK(crd_config_set(w.config, "max-epochs", "2", &error_));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    crd_config_free(&w.config);
    crd_split_free(&w.split);
    crd_dataset_free(&w.data);
    return unlink(w.path);
}

static void work(void)
{
    crd_model *model = NULL, *loaded = NULL;
    crd_prediction *prediction = NULL;
    OK(crd_train(w.data, w.split, w.config, NULL, &model, &error_));
    OK(crd_model_save(model, w.path, &error_));
    OK(crd_model_load(w.path, &loaded, &error_));
    OK(crd_predict(loaded, w.data, 0, &prediction, &error_));
    crd_prediction_free(&prediction);
    crd_model_free(&loaded);
    crd_model_free(&model);
}

static void what_is_heard(void **state)
{
    (void)state;
    static heard h;
    char line[256];
    h = (heard){.length = 0};
    work(); /* nobody listens yet */
    assert_false(crd_log_wanted());
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("CREDENCE_CPU", "baseline", 1);
    crd_set_log(hear, &h);
    assert_true(crd_log_wanted());
    work();
    crd_set_log(NULL, NULL);
    unsetenv("OMP_NUM_THREADS");
    unsetenv("CREDENCE_CPU");
    assert_false(crd_log_wanted());
    print_message("%s", h.text);
    snprintf(line, sizeof line, "%d instruction set: baseline, by CREDENCE_CPU\n", CRD_LOG_DETAIL);
    assert_true(has(&h, line));
    if (sysconf(_SC_NPROCESSORS_ONLN) > 1) assert_true(has(&h, "threads: 1, by "));
    snprintf(line, sizeof line, "%d training: a gpn on 200 nodes takes about ", CRD_LOG_INFO);
    assert_true(has(&h, line));
    assert_true(has(&h, " s and 2 epochs, ended by epochs\n"));
    snprintf(line, sizeof line, "%d %s: loaded a gpn of 7 classes, trained on data %s by version " CRD_VERSION "\n",
             CRD_LOG_INFO, w.path, crd_dataset_fingerprint(w.data));
    assert_true(has(&h, line));
    const size_t length = h.length;
    work();
    assert_int_equal(h.length, length);
}

static void notes_are_one_line_and_keep_errno(void **state)
{
    (void)state;
    static heard h;
    h = (heard){.length = 0};
    crd_set_log(hear, &h);
    errno = ENOENT;
    crd_log(CRD_LOG_WARNING, "a\nb\r%s", "c");
    assert_int_equal(errno, ENOENT);
    crd_set_log(NULL, NULL);
    crd_log(CRD_LOG_WARNING, "nobody");
    assert_string_equal(h.text, "2 a?b?c\n");
}

/* ---- many threads ---- */

static atomic_int lines;

static void count(int level, const char *message, void *user)
{
    if (level >= CRD_LOG_DETAIL && level <= CRD_LOG_WARNING && message[0] != '\0' && user == &lines)
        atomic_fetch_add(&lines, 1);
}

static void *predict_often(void *argument)
{
    for (int i = 0; i < 20; i++) {
        crd_prediction *prediction = NULL;
        if (crd_predict(argument, w.data, CRD_THREADS(2), &prediction, NULL) != CRD_OK) return argument;
        crd_prediction_free(&prediction);
    }
    return NULL;
}

static void threads_log_at_once(void **state)
{
    (void)state;
    pthread_t thread[4];
    void *failed;
    crd_model *model;
    OK(crd_train(w.data, w.split, w.config, NULL, &model, &error_));
    crd_set_log(count, &lines);
    for (int t = 0; t < 4; t++) assert_int_equal(pthread_create(&thread[t], NULL, predict_often, model), 0);
    for (int i = 0; i < 1000; i++) crd_set_log(i % 2 == 0 ? NULL : count, &lines);
    for (int t = 0; t < 4; t++) {
        pthread_join(thread[t], &failed);
        assert_null(failed);
    }
    crd_set_log(NULL, NULL);
    assert_true(lines > 0);
    crd_model_free(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_heard),
        cmocka_unit_test(notes_are_one_line_and_keep_errno),
        cmocka_unit_test(threads_log_at_once),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
