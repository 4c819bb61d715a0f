/* SPDX-License-Identifier: MIT */
/* A function of jansson, json_loadf, asks whether a file is stdin. In Debian's libjansson.a it does so in a way that is
 * for programs only. We never call it: in the library of a wheel, it asks about this instead. */
#include <stdio.h>

extern FILE *__wrap_stdin;
FILE *__wrap_stdin;
