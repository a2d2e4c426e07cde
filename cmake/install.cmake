# What a program outside links: find_package(Sheaf), then Sheaf::sheaf. The same name works inside.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

add_library(sheaf_library INTERFACE)
set_target_properties(sheaf_library PROPERTIES EXPORT_NAME sheaf)
target_compile_features(sheaf_library INTERFACE cxx_std_20)
target_include_directories(sheaf_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(sheaf_library INTERFACE sheaf_api)
add_library(Sheaf::sheaf ALIAS sheaf_library)

# The layers that it needs, bottom first.
set(INSTALLED sheaf_base sheaf_value sheaf_store sheaf_expr sheaf_engine sheaf_api)
install(TARGETS ${INSTALLED} sheaf_library EXPORT SheafTargets)
install(DIRECTORY include/sheaf DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(CONFIG_DIRECTORY ${CMAKE_INSTALL_LIBDIR}/cmake/Sheaf)
install(EXPORT SheafTargets NAMESPACE Sheaf:: DESTINATION ${CONFIG_DIRECTORY})
configure_package_config_file(cmake/SheafConfig.cmake.in ${CMAKE_BINARY_DIR}/SheafConfig.cmake
  INSTALL_DESTINATION ${CONFIG_DIRECTORY})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/SheafConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/SheafConfig.cmake ${CMAKE_BINARY_DIR}/SheafConfigVersion.cmake
  DESTINATION ${CONFIG_DIRECTORY})
