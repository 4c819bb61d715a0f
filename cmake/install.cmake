# SPDX-License-Identifier: MIT
# Where `make install` puts the files; scripts/uninstall.sh removes them again.
include(CMakePackageConfigHelpers)

# A program that links the static library also needs the libraries behind it. Two lists of targets keep these away
# from programs that link the shared one.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Credence)
set_target_properties(credence_static PROPERTIES EXPORT_NAME static)
install(TARGETS credence_static EXPORT CredenceStatic ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT CredenceStatic NAMESPACE Credence:: DESTINATION ${package_folder})
if(BUILD_SHARED_LIBS)
  set_target_properties(credence_shared PROPERTIES EXPORT_NAME credence)
  install(TARGETS credence_shared EXPORT CredenceShared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT CredenceShared NAMESPACE Credence:: DESTINATION ${package_folder})
endif()
install(FILES include/credence.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES man/libcredence.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)

set(doc_folder ${CMAKE_INSTALL_DATADIR}/doc/credence)
# In folders as here, so that the pages find each other and their pictures.
install(FILES README.md CHANGELOG.md SECURITY.md LICENSE DESTINATION ${doc_folder})
install(DIRECTORY docs DESTINATION ${doc_folder} FILES_MATCHING PATTERN *.md PATTERN *.png PATTERN *.svg)
include(cmake/sbom.cmake)
install(FILES ${PROJECT_BINARY_DIR}/credence.spdx.json DESTINATION ${doc_folder})

if(CREDENCE_COMMAND)
  install(TARGETS credence RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  file(GLOB man_pages CONFIGURE_DEPENDS man/*.1)
  install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  # Where each shell looks for completions of installed programs.
  install(FILES completions/credence.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME credence)
  install(FILES completions/_credence DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES completions/credence.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# pkg-config and CMake packages find the rest relative to themselves, so that a folder can be moved and a prefix
# chosen at installation.
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pkgconfig /p/${pkgconfig_folder} /p)
# Without a shared library, `pkg-config --libs` must name what the static one needs.
set(private .private)
set(static_flags "\nCflags.private: -DCRD_STATIC")
if(NOT BUILD_SHARED_LIBS)
  set(private "")
  set(static_flags " -DCRD_STATIC")
endif()
configure_file(cmake/credence.pc.in credence.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/credence.pc DESTINATION ${pkgconfig_folder})

configure_package_config_file(cmake/CredenceConfig.cmake.in CredenceConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(CredenceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/CredenceConfig.cmake ${PROJECT_BINARY_DIR}/CredenceConfigVersion.cmake
  DESTINATION ${package_folder})
