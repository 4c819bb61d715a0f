# SPDX-License-Identifier: MIT
# credence_wheel, the library of a Python wheel: libcredence.so with jansson and zlib inside, so that it runs where they
# are missing. Where they cannot be put inside, it needs those of the system, as libcredence.so does.
find_library(CREDENCE_JANSSON_ARCHIVE libjansson.a HINTS ${JANSSON_LIBRARY_DIRS})
find_library(CREDENCE_ZLIB_ARCHIVE libz.a)
mark_as_advanced(CREDENCE_JANSSON_ARCHIVE CREDENCE_ZLIB_ARCHIVE)

# An archive may be made for programs only. Debian's jansson is, by one symbol: see wheel.c.
set(wheel_options LINKER:--version-script=${map} LINKER:--wrap=stdin)
if(CREDENCE_JANSSON_ARCHIVE AND CREDENCE_ZLIB_ARCHIVE)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-fPIC -shared")
  set(CMAKE_REQUIRED_LINK_OPTIONS ${wheel_options})
  set(CMAKE_REQUIRED_LIBRARIES ${CREDENCE_JANSSON_ARCHIVE} ${CREDENCE_ZLIB_ARCHIVE})
  check_c_source_compiles("char json_loadb(void), inflate(void), deflate(void); void *__wrap_stdin;
    int crd_check(void); int crd_check(void) { return json_loadb() + inflate() + deflate(); }" CREDENCE_WHEEL_IS_WHOLE)
  foreach(name FLAGS LINK_OPTIONS LIBRARIES)
    unset(CMAKE_REQUIRED_${name})
  endforeach()
endif()
set(wheel_libraries ${dependencies})
if(CREDENCE_WHEEL_IS_WHOLE)
  set(wheel_libraries ${CREDENCE_JANSSON_ARCHIVE} ${CREDENCE_ZLIB_ARCHIVE} Threads::Threads m)
endif()

add_library(credence_wheel MODULE EXCLUDE_FROM_ALL $<TARGET_OBJECTS:credence_shared_objects> ${hot_objects}
  cmake/wheel.c)
target_link_libraries(credence_wheel PRIVATE credence_flags ${wheel_libraries})
target_link_options(credence_wheel PRIVATE ${wheel_options})
set_target_properties(credence_wheel PROPERTIES LINK_DEPENDS ${map} OUTPUT_NAME credence
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/wheel)
