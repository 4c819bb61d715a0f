# SPDX-License-Identifier: MIT
# cmake -DWEB=FOLDER -DOUTPUT=FILE.c -P embed_web.cmake: the page's style sheet, body and script as arrays of bytes.
# The script is the modules in order.txt, joined in that order, without their imports and without the word export. No
# Node.js, no Python: a build needs only CMake.
cmake_minimum_required(VERSION 3.20)

# Every file has its own; the page needs none of them.
set(licence_line "/\\* SPDX-License-Identifier: [^\n]*\n")
file(STRINGS ${WEB}/order.txt modules)
set(script "'use strict';\n")
foreach(module ${modules})
  if(NOT EXISTS ${WEB}/${module})
    message(FATAL_ERROR "${WEB}/order.txt names ${module}, which does not exist")
  endif()
  file(READ ${WEB}/${module} text)
  string(REGEX REPLACE "^${licence_line}" "" text "${text}")
  string(REGEX REPLACE "(^|\n)import [^\n]*;" "\\1" text "${text}")
  string(REGEX REPLACE "(^|\n)export (async |function|const|let|class)" "\\1\\2" text "${text}")
  if("\n${text}" MATCHES "\n(import|export)[ {*]([^\n]*)")
    message(FATAL_ERROR "${WEB}/${module}: \"${CMAKE_MATCH_1} ${CMAKE_MATCH_2}\" cannot be joined: an import is one "
      "line at the beginning, an export stands before function, const, let or class")
  endif()
  string(APPEND script "${text}\n")
endforeach()
# These would end the element in the middle of the script, or change how the rest of it is read.
string(TOLOWER "${script}" lower)
if(lower MATCHES "</script|<!--")
  message(FATAL_ERROR "${WEB}: the script has ${CMAKE_MATCH_0} in it, which a page cannot hold")
endif()

file(READ ${WEB}/style.css style)
string(REGEX REPLACE "^${licence_line}" "" style "${style}")
file(READ ${WEB}/body.html body)
set(source "/* Made by cmake/embed_web.cmake from web/src. */\n#include \"report/report.h\"\n\n")
foreach(asset style body script)
  file(WRITE ${OUTPUT}.part "${${asset}}")
  file(READ ${OUTPUT}.part bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND source "const unsigned char crd_web_${asset}[] = {${bytes}0x00};\n"
    "const size_t crd_web_${asset}_size = sizeof crd_web_${asset} - 1;\n")
endforeach()
file(REMOVE ${OUTPUT}.part)
file(WRITE ${OUTPUT} "${source}")
