/* The page's own text, made from web/src when the library is built (cmake/embed_web.cmake). */
#ifndef CRD_REPORT_WEB_H
#define CRD_REPORT_WEB_H

#include <stddef.h>

extern const unsigned char crd_web_style[], crd_web_body[], crd_web_script[];
extern const size_t crd_web_style_size, crd_web_body_size, crd_web_script_size;

#endif
