/* JSON from training: an epoch for the log, a model's facts. */
#include "base/text.h"
#include "credence_private.h"
#include "models/config.h"
#include "models/model.h"

crd_status crd_epoch_json(const crd_epoch *epoch, char **json, crd_error *error)
{
    crd_text text = {0};
    crd_text_add(&text, "{");
    crd_json_add_string(&text, "phase", epoch->warmup ? "warmup" : "main");
    crd_json_add_integer(&text, "epoch", epoch->epoch);
    crd_json_add_number(&text, "loss", epoch->loss);
    for (int t = 0; t < epoch->terms; t++) crd_json_add_number(&text, epoch->term_name[t], epoch->term[t]);
    crd_json_add_number(&text, "validation_cross_entropy", epoch->validation_cross_entropy);
    crd_json_add_number(&text, "validation_accuracy", epoch->validation_accuracy);
    crd_json_add_bool(&text, "best", epoch->best);
    crd_json_add_number(&text, "seconds", epoch->seconds);
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
    crd_text_format(&text, ",\"config\":%s}", config);
    crd_string_free(&config);
    return crd_text_finish(&text, json, error);
}
