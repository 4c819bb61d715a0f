# What `make install` puts where; scripts/uninstall.sh takes it away again.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set_target_properties(credence_shared PROPERTIES EXPORT_NAME credence)
install(TARGETS credence RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS credence_shared EXPORT CredenceTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS credence_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/credence.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

file(GLOB man_pages CONFIGURE_DEPENDS man/*.1)
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# Where each shell looks for completions of installed programs.
foreach(completion "credence.bash:bash-completion/completions:credence"
    "_credence:zsh/site-functions:_credence" "credence.fish:fish/vendor_completions.d:credence.fish")
  string(REPLACE ":" ";" completion ${completion})
  list(GET completion 0 file)
  list(GET completion 1 folder)
  list(GET completion 2 name)
  install(FILES completions/${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} RENAME ${name})
endforeach()

# pkg-config and CMake packages find the rest relative to themselves, so that a folder can be moved and a
# prefix chosen when installing.
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pkgconfig /p/${pkgconfig_folder} /p)
configure_file(cmake/credence.pc.in credence.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/credence.pc DESTINATION ${pkgconfig_folder})

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Credence)
install(EXPORT CredenceTargets NAMESPACE Credence:: DESTINATION ${package_folder})
configure_package_config_file(cmake/CredenceConfig.cmake.in CredenceConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(CredenceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/CredenceConfig.cmake ${CMAKE_BINARY_DIR}/CredenceConfigVersion.cmake
  DESTINATION ${package_folder})
