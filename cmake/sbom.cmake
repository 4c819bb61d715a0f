# SPDX-License-Identifier: MIT
# Writes into the build folder what this build is made of, as SPDX 2.3: credence.spdx.json, and wheel.spdx.json for the
# library of a Python wheel. The same parts give the same bytes. The date is SOURCE_DATE_EPOCH, or else the day of this
# version in CHANGELOG.md.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS CHANGELOG.md LICENSE)
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  string(TIMESTAMP sbom_created "%Y-%m-%dT%H:%M:%SZ" UTC) # this heeds SOURCE_DATE_EPOCH
else()
  string(REPLACE "." "\\." pattern "${PROJECT_VERSION}")
  file(STRINGS CHANGELOG.md sbom_created REGEX "^## \\[${pattern}\\] - [0-9]+-[0-9]+-[0-9]+$")
  if(NOT sbom_created MATCHES "([0-9]+-[0-9]+-[0-9]+)$")
    message(FATAL_ERROR "CHANGELOG.md: there is no line \"## [${PROJECT_VERSION}] - YEAR-MONTH-DAY\"")
  endif()
  set(sbom_created "${CMAKE_MATCH_1}T00:00:00Z")
endif()
file(STRINGS LICENSE sbom_copyright REGEX "^Copyright ")

set(sbom_packages)
set(sbom_relations "    {\"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\",\n\
     \"relatedSpdxElement\": \"SPDXRef-libcredence\"}")
macro(sbom_package name version licence copyright purpose)
  if(sbom_packages)
    string(APPEND sbom_packages ",\n")
  endif()
  string(APPEND sbom_packages "    {\"SPDXID\": \"SPDXRef-${name}\", \"name\": \"${name}\", \"versionInfo\": \"${version}\",\n\
     \"primaryPackagePurpose\": \"${purpose}\", \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false,\n\
     \"licenseConcluded\": \"${licence}\", \"licenseDeclared\": \"${licence}\", \"copyrightText\": \"${copyright}\",\n\
     \"externalRefs\": [{\"referenceCategory\": \"PACKAGE-MANAGER\", \"referenceType\": \"purl\",\n\
                       \"referenceLocator\": \"pkg:generic/${name}@${version}\"}]}")
endmacro()
macro(sbom_relation from type to)
  string(APPEND sbom_relations ",\n    {\"spdxElementId\": \"SPDXRef-${from}\", \"relationshipType\": \"${type}\",\n\
     \"relatedSpdxElement\": \"SPDXRef-${to}\"}")
endmacro()
macro(sbom_write file)
  # The name of the document must differ from that of every other content.
  string(UUID sbom_id NAMESPACE 6ba7b812-9dad-11d1-80b4-00c04fd430c8 TYPE SHA1
    NAME "credence ${sbom_created} ${sbom_packages} ${sbom_relations}")
  configure_file(cmake/credence.spdx.json.in ${file} @ONLY)
endmacro()

sbom_package(libcredence ${PROJECT_VERSION} MIT "${sbom_copyright}" LIBRARY)
sbom_package(jansson ${JANSSON_VERSION} MIT NOASSERTION LIBRARY)
sbom_package(zlib ${ZLIB_VERSION_STRING} Zlib NOASSERTION LIBRARY)
if(TARGET credence_wheel)
  set(relations ${sbom_relations})
  set(how DEPENDS_ON)
  if(CREDENCE_WHEEL_IS_WHOLE)
    set(how STATIC_LINK)
  endif()
  sbom_relation(libcredence ${how} jansson)
  sbom_relation(libcredence ${how} zlib)
  sbom_write(wheel.spdx.json)
  set(sbom_relations ${relations})
endif()
sbom_relation(libcredence DEPENDS_ON jansson)
sbom_relation(libcredence DEPENDS_ON zlib)
if(CREDENCE_COMMAND)
  sbom_package(credence ${PROJECT_VERSION} MIT "${sbom_copyright}" APPLICATION)
  sbom_relation(DOCUMENT DESCRIBES credence)
  sbom_relation(credence STATIC_LINK libcredence)
  if(LIBCURL_FOUND)
    sbom_package(libcurl ${LIBCURL_VERSION} curl NOASSERTION LIBRARY)
    sbom_relation(credence DEPENDS_ON libcurl)
  endif()
endif()
sbom_write(credence.spdx.json)
