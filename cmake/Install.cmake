# find_package(mortise) gives mortise::engine (the store alone) and mortise::server (a whole server
# in your process); examples/embed uses them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
get_property(layers GLOBAL PROPERTY MORTISE_LAYERS)
list(REMOVE_ITEM layers mortise_check)  # a program, no library for others
install(TARGETS ${layers} EXPORT mortise
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION include/mortise)
install(TARGETS mortise_server_executable mortise_check_executable RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT mortise NAMESPACE mortise:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mortise)
configure_package_config_file(cmake/mortise-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/mortise-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mortise)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/mortise-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mortise-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/mortise-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mortise)
install(FILES conf/mortise.conf DESTINATION ${CMAKE_INSTALL_SYSCONFDIR}/mortise)
