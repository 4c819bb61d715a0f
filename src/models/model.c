/* SPDX-License-Identifier: MIT */
#include "models/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/sized.h"
#include "base/text.h"
#include "models/config.h"

static const crd_model_kind *const KINDS[] = {&crd_committee, &crd_gpn,  &crd_appnp, &crd_vgcn,
                                              &crd_gkde_gcn,  &crd_egcn, &crd_lp,    &crd_gkde};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

const crd_model_kind *crd_model_kind_find(const char *name)
{
    for (int i = 0; i < KIND_COUNT; i++)
        if (strcmp(KINDS[i]->name, name) == 0) return KINDS[i];
    return NULL;
}

int crd_kind_count(void)
{
    return KIND_COUNT;
}

const char *crd_kind_name(int index)
{
    return index < 0 || index >= KIND_COUNT ? NULL : KINDS[index]->name;
}

const char *crd_kind_help(int index)
{
    return index < 0 || index >= KIND_COUNT ? NULL : KINDS[index]->help;
}

bool crd_kind_trained(const char *name)
{
    const crd_model_kind *kind = crd_model_kind_find(name);
    return kind != NULL && kind->trained;
}

const char *crd_kind_edges(const char *name)
{
    const crd_model_kind *kind = crd_model_kind_find(name);
    return kind != NULL && kind->edges != NULL ? kind->edges : "assumes that edges join like nodes";
}

crd_status crd_model_new(const crd_model_kind *kind, crd_model **model, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(model, 1, error);
    if (status != CRD_OK) return status;
    (*model)->kind = kind;
    crd_config_defaults(&(*model)->config);
    (void)!crd_config_set(&(*model)->config, "model", kind->name, NULL); /* cannot fail: the kind exists */
    if (!kind->trained) (*model)->config.features = CRD_FEATURES_NONE;
    (*model)->stop = CRD_STOP_UNTRAINED;
    (*model)->best_cross_entropy = (*model)->best_accuracy = NAN;
    return CRD_OK;
}

void crd_model_free(crd_model **model)
{
    if (model == NULL || *model == NULL) return;
    crd_model *m = *model;
    crd_strings_free(&m->class_names, m->classes + m->left_out);
    crd_strings_free(&m->feature_names, m->features);
    crd_free(m->seen);
    crd_free(m->bounds);
    crd_free(m->feature_mean);
    crd_free(m->feature_scale);
    crd_free(m->class_counts);
    crd_free(m->remembered_node);
    crd_free(m->remembered_class);
    crd_free(m->calibration);
    crd_free(m->held);
    for (int p = 0; p < m->parameters; p++) crd_free(m->parameter[p].value);
    for (int32_t i = 0; i < m->members; i++) crd_model_free(&m->member[i]);
    crd_free(m->member);
    crd_split_free(&m->split);
    crd_history_free(&m->history);
    crd_extras_free(&m->extras);
    crd_free(m);
    *model = NULL;
}

static crd_status plan_run(const crd_model *model, const crd_inputs *inputs, const crd_plan *plan, crd_run **run,
                           crd_error *error)
{
    *run = NULL;
    crd_status status = crd_allocate((void **)run, 1, model->kind->run_size, true, error);
    if (status != CRD_OK) return status;
    crd_run *r = *run;
    r->model = model;
    r->inputs = *inputs;
    if (plan != NULL) r->plan = *plan;
    if (inputs->nodes != NULL && model->config.class_weights == CRD_CLASS_WEIGHTS_BALANCED)
        CRD_PLAN_ZERO(&r->plan, &r->class_weight, model->classes);
    status = crd_kernels_pick(&r->kernels, error);
    if (status == CRD_OK) model->kind->plan(r);
    return status;
}

/* The classes that have training nodes get the same share of the loss. */
static void balance_classes(const crd_run *run)
{
    const crd_inputs *inputs = &run->inputs;
    double *weight = run->class_weight, present = 0.0;
    for (int64_t t = 0; t < inputs->count; t++)
        if (weight[inputs->labels[t]]++ == 0.0) present++;
    for (int32_t c = 0; c < run->model->classes; c++)
        if (weight[c] > 0.0) weight[c] = (double)inputs->count / (present * weight[c]);
}

crd_status crd_run_open(const crd_model *model, const crd_inputs *inputs, const crd_plan *plan, crd_run **run,
                        crd_error *error)
{
    crd_status status = plan_run(model, inputs, plan, run, error);
    if (status == CRD_OK) status = crd_plan_allocate(&(*run)->plan, error);
    if (status == CRD_OK && (*run)->class_weight != NULL) balance_classes(*run);
    if (status == CRD_OK && model->kind->forms != NULL)
        status = crd_feature_product_open(&(*run)->first, inputs->features, model->config.hidden, inputs->nodes != NULL,
                                          crd_team_size(inputs->team), error);
    if (status == CRD_OK && model->kind->start != NULL) status = model->kind->start(*run, error);
    if (status != CRD_OK) crd_run_close(run);
    return status;
}

void crd_run_close(crd_run **run)
{
    crd_run *r = *run;
    if (r == NULL) return;
    crd_feature_product_close(&r->first);
    crd_plan_free(&r->plan);
    crd_free(r);
    *run = NULL;
}

crd_status crd_run_bytes(const crd_model *model, const crd_inputs *inputs, const crd_plan *plan, int64_t *bytes,
                         crd_error *error)
{
    crd_run *run;
    crd_status status = plan_run(model, inputs, plan, &run, error);
    if (status == CRD_OK) *bytes = crd_plan_bytes(&run->plan);
    if (status == CRD_OK && model->kind->forms != NULL && inputs->nodes != NULL)
        *bytes += crd_feature_product_bytes(inputs->features, model->config.hidden, crd_team_size(inputs->team));
    crd_run_close(&run);
    return status;
}

void crd_run_give(const crd_run *run, int64_t stride, const float *padded, float *output)
{
    const crd_inputs *inputs = &run->inputs;
    const int64_t classes = run->model->classes;
    if (inputs->wanted == NULL) crd_unpad(inputs->graph->nodes, classes, stride, padded, output);
    for (int64_t w = 0; inputs->wanted != NULL && w < inputs->wanted_count; w++)
        memcpy(output + w * classes, padded + inputs->wanted[w] * stride, (size_t)classes * sizeof *output);
}

static int64_t size_of(const crd_model *model, crd_size size)
{
    const crd_config *c = &model->config;
    const int64_t sizes[CRD_SIZES] = {
        0, model->features, c->hidden, c->latent, c->flow_layers, model->classes, crd_model_outputs(model)};
    return sizes[size];
}

int64_t crd_model_outputs(const crd_model *model)
{
    return (int64_t)model->classes * (model->kind->views > 0 ? model->kind->views : 1);
}

static crd_status declare(crd_model *model, const crd_form *forms, crd_error *error)
{
    crd_status status = CRD_OK;
    for (const crd_form *f = forms; f != NULL && f->name != NULL && status == CRD_OK; f++) {
        crd_parameter *p = &model->parameter[model->parameters];
        *p = (crd_parameter){.form = f, .count = 1};
        for (; p->dims < 3 && f->shape[p->dims] != CRD_NO_SIZE; p->dims++) {
            p->shape[p->dims] = size_of(model, f->shape[p->dims]);
            if (!crd_multiply(p->count, p->shape[p->dims], &p->count)) return crd_fail_memory(error, SIZE_MAX);
        }
        status = CRD_NEW_ZERO(&p->value, p->count, error);
        if (status == CRD_OK) model->parameters++;
    }
    return status;
}

crd_status crd_model_declare(crd_model *model, crd_error *error)
{
    static const crd_form head[] = {{.name = "head.weight", .shape = {CRD_CLASSES, CRD_CLASSES}},
                                    {.name = "head.bias", .shape = {CRD_CLASSES}},
                                    {.name = NULL}};
    crd_status status = declare(model, model->kind->forms, error);
    if (status != CRD_OK || model->config.score != CRD_DOUBT_EPN) return status;
    return declare(model, head, error);
}

void crd_model_initialise(crd_model *model, uint64_t seed)
{
    for (int p = 0; p < model->parameters; p++) {
        crd_parameter *parameter = &model->parameter[p];
        const crd_form *form = parameter->form;
        crd_rng rng = crd_rng_start(crd_hash(seed, CRD_RNG_WEIGHTS), (uint64_t)p);
        double bound = 0.0;
        if (form->glorot) bound = sqrt(6.0 / (double)(parameter->shape[0] + parameter->shape[1]));
        else if (form->spread != CRD_NO_SIZE) bound = 1.0 / sqrt(fmax(1.0, (double)size_of(model, form->spread)));
        for (int64_t i = 0; i < parameter->count && bound > 0.0; i++)
            parameter->value[i] = (float)((2.0 * crd_rng_uniform(&rng) - 1.0) * bound);
    }
}

crd_status crd_model_count_classes(crd_model *model, const int32_t *labels, int64_t count, crd_error *error)
{
    int64_t *counts = NULL; /* integers, because from 2^24 on, adding 1 to a float changes nothing */
    crd_status status = CRD_NEW_ZERO(&counts, model->classes, error);
    if (status == CRD_OK) status = CRD_NEW(&model->class_counts, model->classes, error);
    for (int64_t t = 0; t < count && status == CRD_OK; t++) counts[labels[t]]++;
    for (int32_t k = 0; k < model->classes && status == CRD_OK; k++) model->class_counts[k] = (float)counts[k];
    crd_free(counts);
    return status;
}

crd_status crd_model_remember(crd_model *model, const int64_t *nodes, const int32_t *classes, int64_t count,
                              crd_error *error)
{
    crd_status status = CRD_NEW(&model->remembered_node, count, error);
    if (status == CRD_OK) status = CRD_NEW(&model->remembered_class, count, error);
    if (status != CRD_OK || nodes == NULL) return status;
    memcpy(model->remembered_node, nodes, (size_t)count * sizeof *nodes);
    memcpy(model->remembered_class, classes, (size_t)count * sizeof *classes);
    model->remembered = count;
    return CRD_OK;
}

int64_t crd_model_latent_dims(const crd_model *model)
{
    if (model->kind == &crd_committee) return CRD_VIEWS * ((int64_t)model->classes + 1);
    if (model->kind->latent == NULL) return 0;
    /* Kinds without a latent space have latent 0. */
    return model->config.latent > 0 ? model->config.latent : model->config.hidden;
}

static crd_status features_fit(const crd_model *model, const crd_dataset *dataset, crd_error *error)
{
    if (dataset->features.columns == 0 && model->features > 0)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "the data have no features, the model was trained on %lld per node: an edge list or matrix "
                        "needs a file of node features",
                        (long long)model->features);
    if (dataset->features.columns != model->features)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "the data have %lld features per node, the model was trained on %lld",
                        (long long)dataset->features.columns, (long long)model->features);
    return crd_model_check_names(model, dataset->feature_names, dataset->features.columns, error);
}

crd_status crd_model_fits(const crd_model *model, const crd_dataset *dataset, crd_error *error)
{
    crd_status status = model->kind->trained ? features_fit(model, dataset, error) : CRD_OK;
    if (status != CRD_OK) return status;
    if (model->class_counts == NULL)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "the model file has weights only, no class counts: start training from it, do "
                        "not predict with it");
    const int64_t last = model->remembered > 0 ? model->remembered_node[model->remembered - 1] : -1;
    if (last >= dataset->graph.nodes)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "the model %s rests on training nodes up to number %lld, the data have %lld nodes: "
                        "expected the graph that it was made from, perhaps with nodes added",
                        model->kind->name, (long long)last, (long long)dataset->graph.nodes);
    return CRD_OK;
}

void crd_model_get_facts_sized(const crd_model *model, crd_model_facts *facts, size_t size)
{
    if (model == NULL) {
        crd_give_sized(&(crd_model_facts){0}, sizeof(crd_model_facts), facts, size);
        return;
    }
    crd_model_facts found = {
        .kind = model->kind->name,
        .features = model->features,
        .classes = model->classes,
        .left_out = model->left_out,
        .graph_nodes = model->split != NULL ? model->split->nodes : 0,
        .epochs = model->epochs,
        .best_epoch = model->best_epoch,
        .best_cross_entropy = model->best_cross_entropy,
        .best_accuracy = model->best_accuracy,
        .calibration =
            crd_calibration_name(model->calibration != NULL ? model->config.calibration : CRD_CALIBRATION_NONE),
        .temperature = model->calibration != NULL && model->config.calibration == CRD_CALIBRATION_TEMPERATURE
                           ? (double)model->calibration[0]
                           : NAN,
        .calibration_nodes = model->held_count,
        .seconds = model->seconds,
        .stop = model->stop,
        .fingerprint = model->fingerprint,
        .split = model->split != NULL ? model->split->description : "",
        .version = model->version,
        .id = model->id,
    };
    for (int32_t k = 0; k < model->classes && model->class_counts != NULL; k++)
        found.training_nodes += (int64_t)model->class_counts[k];
    for (int p = 0; p < model->parameters; p++) found.parameters += model->parameter[p].count;
    found.networks = model->members;
    for (int32_t m = 0; m < model->members; m++)
        for (int p = 0; p < model->member[m]->parameters; p++) found.parameters += model->member[m]->parameter[p].count;
    for (int v = 0; v < CRD_VIEWS && model->members > 0; v++) found.view[v] = model->pool.view[v];
    crd_give_sized(&found, sizeof found, facts, size);
}

crd_status crd_model_facts_json(const crd_model *model, char **json, crd_error *error)
{
    if (json != NULL) *json = NULL;
    if (CRD_ANY_NULL(error, model, json)) return CRD_ERROR_ARGUMENT;
    crd_model_facts facts;
    char *config;
    crd_text text = {0};
    crd_status status = crd_config_write(&model->config, false, &config, error);
    if (status != CRD_OK) return status;
    crd_model_get_facts(model, &facts);
    crd_text_add(&text, "{");
    crd_json_add_string(&text, "model", facts.kind);
    crd_json_add_integer(&text, "features", facts.features);
    crd_json_add_integer(&text, "classes", facts.classes);
    crd_json_add_integer(&text, "left_out", facts.left_out);
    crd_json_add_integer(&text, "parameters", facts.parameters);
    crd_json_add_integer(&text, "graph_nodes", facts.graph_nodes);
    crd_json_add_integer(&text, "training_nodes", facts.training_nodes);
    crd_json_add_integer(&text, "epochs", facts.epochs);
    crd_json_add_integer(&text, "best_epoch", facts.best_epoch);
    crd_json_add_number(&text, "validation_cross_entropy", facts.best_cross_entropy);
    crd_json_add_number(&text, "validation_accuracy", facts.best_accuracy);
    if (facts.seconds > 0.0) crd_json_add_number(&text, "seconds", facts.seconds); /* files do not have it */
    crd_json_add_string(&text, "stop", crd_stop_name(facts.stop));
    crd_json_add_string(&text, "fingerprint", facts.fingerprint);
    crd_json_add_string(&text, "split", facts.split);
    crd_json_add_string(&text, "version", facts.version);
    crd_json_add_string(&text, "id", facts.id);
    crd_json_open(&text, "metadata", "{");
    for (int i = 0; crd_model_metadata_key(model, i) != NULL; i++) {
        const char *key = crd_model_metadata_key(model, i);
        crd_json_add_string(&text, key, crd_model_metadata(model, key));
    }
    crd_text_add(&text, "}");
    crd_json_add_string(&text, "calibration", facts.calibration);
    if (model->calibrations == 1) crd_json_add_number(&text, "temperature", facts.temperature);
    crd_json_add_integer(&text, "calibration_nodes", facts.calibration_nodes);
    if (facts.networks > 0) {
        crd_json_add_integer(&text, "networks", facts.networks);
        crd_json_open(&text, "views", "{");
        for (int v = 0; v < CRD_VIEWS; v++) crd_json_add_number(&text, crd_view_name(v), facts.view[v]);
        crd_text_add(&text, "}");
    }
    crd_text_format(&text, ",\"config\":%s}", config);
    crd_string_free(&config);
    return crd_text_finish(&text, json, error);
}

const char *crd_view_name(int view)
{
    static const char *const NAMES[CRD_VIEWS] = {"alone", "near", "far"};
    return view < 0 || view >= CRD_VIEWS ? NULL : NAMES[view];
}

const char *crd_stop_name(crd_stop stop)
{
    static const char *const NAMES[] = {"patience", "epochs", "requested", "untrained", "diverged", "nothing"};
    int index = (int)stop;
    return index < 0 || index >= (int)(sizeof NAMES / sizeof NAMES[0]) ? "unknown" : NAMES[index];
}

const crd_config *crd_model_config(const crd_model *model)
{
    return model != NULL ? &model->config : NULL;
}

const char *crd_model_class_name(const crd_model *model, int32_t class_index)
{
    if (model == NULL) return NULL;
    if (class_index < 0 || class_index >= model->classes + model->left_out) return NULL;
    return model->class_names[class_index];
}

const crd_split *crd_model_split(const crd_model *model)
{
    return model != NULL ? model->split : NULL;
}

/* ---- from outputs to probabilities ---- */

static double largest(const float *row, int32_t classes)
{
    float most = row[0];
    for (int32_t k = 1; k < classes; k++)
        if (row[k] > most) most = row[k];
    return (double)most;
}

/* The sum of the probabilities' numerators; the largest logit is subtracted, so that no exponential overflows. */
static double total_of(crd_output output, const float *row, int32_t classes, double most)
{
    double total = output == CRD_OUTPUT_EVIDENCE ? (double)classes : 0.0;
    for (int32_t k = 0; k < classes; k++)
        total += output == CRD_OUTPUT_EVIDENCE ? (double)row[k] : exp((double)row[k] - most);
    return total;
}

double crd_output_surprise(crd_output output, const float *row, int32_t classes, int32_t class_index)
{
    const double own = (double)row[class_index];
    if (output == CRD_OUTPUT_EVIDENCE) return -log((1.0 + own) / total_of(output, row, classes, 0.0));
    const double most = largest(row, classes);
    return log(total_of(output, row, classes, most)) + most - own;
}

void crd_output_probability(crd_output output, const float *row, int32_t classes, float *probability)
{
    const double most = output == CRD_OUTPUT_LOGITS ? largest(row, classes) : 0.0;
    const double total = total_of(output, row, classes, most);
    for (int32_t k = 0; k < classes; k++) {
        const double part = output == CRD_OUTPUT_EVIDENCE ? 1.0 + (double)row[k] : exp((double)row[k] - most);
        probability[k] = (float)(part / total);
    }
}
