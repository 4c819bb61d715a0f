/* What training says, as JSON: an epoch for the log, a model's facts. */
#include "base/text.h"
#include "credence_private.h"
#include "models/config.h"
#include "models/model.h"

crd_status crd_epoch_json(const crd_epoch *epoch, char **json, crd_error *error)
{
    crd_text text = {0};
    crd_text_format(&text, "{\"phase\":\"%s\",\"epoch\":%lld,\"loss\":", epoch->warmup ? "warmup" : "main",
                    (long long)epoch->epoch);
    crd_text_add_json_number(&text, epoch->loss);
    for (int t = 0; t < epoch->terms; t++) {
        crd_text_format(&text, ",\"%s\":", epoch->term_name[t]);
        crd_text_add_json_number(&text, epoch->term[t]);
    }
    crd_text_add(&text, ",\"validation_cross_entropy\":");
    crd_text_add_json_number(&text, epoch->validation_cross_entropy);
    crd_text_add(&text, ",\"validation_accuracy\":");
    crd_text_add_json_number(&text, epoch->validation_accuracy);
    crd_text_format(&text, ",\"best\":%s,\"seconds\":", epoch->best ? "true" : "false");
    crd_text_add_json_number(&text, epoch->seconds);
    crd_text_add(&text, "}");
    return crd_text_finish(&text, json, error);
}

crd_status crd_model_facts_json(const crd_model *model, char **json, crd_error *error)
{
    crd_model_facts facts;
    char *config;
    crd_text text = {0};
    *json = NULL;
    crd_status status = crd_config_write(&model->config, false, &config, error);
    if (status != CRD_OK) return status;
    crd_model_get_facts(model, &facts);
    crd_text_format(&text,
                    "{\"model\":\"%s\",\"features\":%lld,\"classes\":%d,\"left_out\":%d,\"parameters\":%lld,"
                    "\"graph_nodes\":%lld,\"training_nodes\":%lld,\"epochs\":%lld,\"best_epoch\":%lld,"
                    "\"validation_cross_entropy\":",
                    facts.kind, (long long)facts.features, (int)facts.classes, (int)facts.left_out,
                    (long long)facts.parameters, (long long)facts.graph_nodes,
                    (long long)facts.training_nodes, (long long)facts.epochs, (long long)facts.best_epoch);
    crd_text_add_json_number(&text, facts.best_cross_entropy);
    crd_text_add(&text, ",\"validation_accuracy\":");
    crd_text_add_json_number(&text, facts.best_accuracy);
    if (facts.seconds > 0.0) { /* a file does not tell */
        crd_text_add(&text, ",\"seconds\":");
        crd_text_add_json_number(&text, facts.seconds);
    }
    crd_text_format(&text, ",\"stop\":\"%s\",\"fingerprint\":", crd_stop_name(facts.stop));
    crd_text_add_json_string(&text, facts.fingerprint);
    crd_text_add(&text, ",\"split\":");
    crd_text_add_json_string(&text, facts.split);
    crd_text_add(&text, ",\"version\":");
    crd_text_add_json_string(&text, facts.version);
    crd_text_format(&text, ",\"config\":%s}", config);
    crd_string_free(&config);
    return crd_text_finish(&text, json, error);
}
