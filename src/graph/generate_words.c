/* Bags of words. The vocabulary is ranked: common words first, then the topic of every class, look-alikes
 * last. The background is Zipf's law over all ranks, so that everybody uses the common words and hardly
 * anybody a word of somebody else's topic; a topic is Zipf's law over its own words.
 *
 * A look-alike takes a part of its topic words from the class it imitates. Where it is left out of training,
 * these make a classifier sure of the wrong class, while the words of its own are new: probability cannot
 * tell, density can. */
#include <stdlib.h>

#include "graph/alias.h"
#include "graph/generate.h"

typedef struct {
    const crd_generate_options *options;
    int64_t *word_of_rank; /* a shuffle: a word's number says nothing about it */
    int64_t topic_size;    /* words of every class's topic */
    int64_t common;        /* words of no topic; they rank first */
    crd_alias background;  /* over all ranks */
    crd_alias topic;       /* over the ranks inside a topic, the same for all */
} vocabulary;

static crd_status zipf(int64_t count, crd_alias *alias, crd_error *error)
{
    double *weight;
    crd_status status = CRD_NEW(&weight, count, error);
    if (status != CRD_OK) return status;
    for (int64_t r = 0; r < count; r++) weight[r] = 1.0 / (double)(r + 1);
    status = crd_alias_new(weight, count, alias, error);
    free(weight);
    return status;
}

static crd_status make_vocabulary(const crd_generate_options *options, crd_rng *rng, vocabulary *v,
                                  crd_error *error)
{
    *v = (vocabulary){.options = options};
    /* Half of the words belong to topics. */
    v->topic_size = options->features / (2 * (int64_t)options->classes);
    if (v->topic_size == 0) v->topic_size = 1;
    v->common = options->features - v->topic_size * options->classes;
    crd_status status = CRD_NEW(&v->word_of_rank, options->features, error);
    if (status != CRD_OK) return status;
    for (int64_t w = 0; w < options->features; w++) v->word_of_rank[w] = w;
    crd_rng_shuffle(rng, v->word_of_rank, options->features);
    status = zipf(options->features, &v->background, error);
    if (status == CRD_OK) status = zipf(v->topic_size, &v->topic, error);
    return status;
}

static void free_vocabulary(vocabulary *v)
{
    free(v->word_of_rank);
    crd_alias_free(&v->background);
    crd_alias_free(&v->topic);
}

static int32_t draw_word(const vocabulary *v, int32_t class_index, crd_rng *rng)
{
    int64_t rank;
    if (crd_rng_uniform(rng) < v->options->strength) {
        int32_t owner = class_index, sibling = crd_sibling(v->options, class_index);
        if (sibling != class_index && crd_rng_uniform(rng) < v->options->overlap) owner = sibling;
        rank = v->common + owner * v->topic_size + crd_alias_draw(&v->topic, rng);
    } else {
        rank = crd_alias_draw(&v->background, rng);
    }
    return (int32_t)v->word_of_rank[rank];
}

/* Every word a 1; tidying adds up the repetitions. */
static crd_status draw_bags(const vocabulary *v, const int32_t *labels, crd_rng *rng, crd_features *features,
                            crd_error *error)
{
    int64_t column_capacity = 0, at = 0;
    crd_status status = CRD_NEW(&features->start, features->rows + 1, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < features->rows; i++) {
        features->start[i] = at;
        int64_t words = 1 + crd_rng_poisson(rng, v->options->words - 1.0); /* none is without a word */
        status = CRD_GROW(&features->column, &column_capacity, at + words, error);
        if (status != CRD_OK) return status;
        for (int64_t w = 0; w < words; w++) features->column[at++] = draw_word(v, labels[i], rng);
    }
    features->start[features->rows] = at;
    status = CRD_NEW(&features->value, at, error);
    if (status == CRD_OK)
        for (int64_t e = 0; e < at; e++) features->value[e] = 1.0f;
    return status;
}

crd_status crd_generate_words(const crd_generate_options *options, const int32_t *labels,
                              crd_features *features, crd_error *error)
{
    crd_rng rng = crd_rng_start(options->seed, CRD_RNG_GENERATE_FEATURES);
    vocabulary v;
    *features = (crd_features){.rows = options->nodes, .columns = options->features, .sparse = true};
    crd_status status = make_vocabulary(options, &rng, &v, error);
    if (status == CRD_OK) status = draw_bags(&v, labels, &rng, features, error);
    if (status == CRD_OK) status = crd_features_tidy(features, "generated graph", error);
    free_vocabulary(&v);
    if (status != CRD_OK) crd_features_free(features);
    return status;
}
