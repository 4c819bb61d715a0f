/* SPDX-License-Identifier: MIT */
/* Configurations: an accepted one can be written, and reads back the same. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "models/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *object = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (object == NULL) return 0;
    crd_config config;
    crd_error error;
    char *written = NULL, *again = NULL;
    crd_config_defaults(&config);
    if (crd_config_from_json(&config, object, "fuzz", &error) == CRD_OK &&
        crd_config_check(&config, &error) == CRD_OK) {
        if (crd_config_json(&config, &written, &error) != CRD_OK) abort();
        json_t *reread = json_loads(written, JSON_REJECT_DUPLICATES, NULL);
        crd_config_defaults(&config);
        if (reread == NULL || crd_config_from_json(&config, reread, "fuzz", &error) != CRD_OK ||
            crd_config_json(&config, &again, &error) != CRD_OK || strcmp(written, again) != 0)
            abort();
        json_decref(reread);
        crd_string_free(&written);
        crd_string_free(&again);
    }
    json_decref(object);
    return 0;
}

void crd_fuzz_seeds(void (*add)(const uint8_t *data, size_t size))
{
    static const char *const seeds[] = {
        "{}", "{\"hidden\": 8, \"lr\": 1e-3, \"class-scale\": true}", "{\"preset\": \"paper\", \"dropout\": 0}",
        "{\"activation\": \"gelu\", \"features\": \"standard\"}",
        "{\"seed\": 18446744073709551615, \"max-epochs\": -1, \"reg\": \"evidence\", \"reg-weight\": 0.5}"};
    crd_config config;
    char *all;
    crd_config_defaults(&config);
    if (crd_config_json(&config, &all, NULL) == CRD_OK) {
        add((const uint8_t *)all, strlen(all));
        crd_string_free(&all);
    }
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) add((const uint8_t *)seeds[i], strlen(seeds[i]));
}
