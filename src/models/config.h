/* SPDX-License-Identifier: MIT */
/* The option table behind crd_config_set, help texts, JSON configurations and model files. */
#ifndef CRD_MODELS_CONFIG_H
#define CRD_MODELS_CONFIG_H

#include <jansson.h>

#include "credence_private.h"

/* Sets options from a JSON object; `name` is the file's, for messages. A key that is not an option is an error. */
crd_status crd_config_from_json(crd_config *config, const json_t *object, const char *name, crd_error *error);

/* "none", "temperature", ... */
const char *crd_calibration_name(crd_calibration calibration);

/* Clears the options that the configuration's model does not have, in case a program wrote them. */
void crd_config_tidy(crd_config *config);

/* The options that the model has as a JSON object in one line. Without `runtime`, those that do not change
 * the result (threads) are left out. */
crd_status crd_config_write(const crd_config *config, bool runtime, char **json, crd_error *error);

#endif
