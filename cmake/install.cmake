# What a program outside links: find_package(Sheaf), then Sheaf::sheaf; and, with the component `remote`, Sheaf::remote for
# sheaf/remote_database.h, with the component `model`, Sheaf::model for sheaf/model.h: they need more libraries. The same names work
# inside.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(CONFIG_DIRECTORY ${CMAKE_INSTALL_LIBDIR}/cmake/Sheaf)

# Sheaf::NAME, made of LINKED, and installed with the layers that it needs, bottom first.
function(sheaf_installed NAME EXPORT LINKED)
  add_library(sheaf_installed_${NAME} INTERFACE)
  set_target_properties(sheaf_installed_${NAME} PROPERTIES EXPORT_NAME ${NAME})
  target_compile_features(sheaf_installed_${NAME} INTERFACE cxx_std_20)
  target_include_directories(sheaf_installed_${NAME} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(sheaf_installed_${NAME} INTERFACE ${LINKED})
  add_library(Sheaf::${NAME} ALIAS sheaf_installed_${NAME})
  install(TARGETS ${ARGN} sheaf_installed_${NAME} EXPORT ${EXPORT})
  install(EXPORT ${EXPORT} NAMESPACE Sheaf:: DESTINATION ${CONFIG_DIRECTORY})
endfunction()

sheaf_installed(sheaf SheafTargets sheaf_api
  sheaf_base sheaf_value sheaf_store sheaf_traffic sheaf_expr sheaf_partiql sheaf_engine sheaf_api)
sheaf_installed(remote SheafRemoteTargets sheaf_remote
  sheaf_wire sheaf_http sheaf_remote)
sheaf_installed(model SheafModelTargets sheaf_migrate
  sheaf_language sheaf_model sheaf_plan sheaf_run sheaf_migrate)

install(DIRECTORY include/sheaf DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
configure_package_config_file(cmake/SheafConfig.cmake.in ${CMAKE_BINARY_DIR}/SheafConfig.cmake
  INSTALL_DESTINATION ${CONFIG_DIRECTORY})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/SheafConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/SheafConfig.cmake ${CMAKE_BINARY_DIR}/SheafConfigVersion.cmake
  DESTINATION ${CONFIG_DIRECTORY})

# The program, with its manual pages and completions, which it makes itself. Libraries can be installed without it.
install(TARGETS sheaf OPTIONAL)
install(CODE "
  set(PROGRAM \"$<TARGET_FILE:sheaf>\")
  set(SHARE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATAROOTDIR}\")
  if(EXISTS \"\${PROGRAM}\")
    execute_process(COMMAND \"\${PROGRAM}\" man --all \"\${SHARE}/man/man1\" COMMAND_ERROR_IS_FATAL ANY)
    file(MAKE_DIRECTORY \"\${SHARE}/bash-completion/completions\" \"\${SHARE}/zsh/site-functions\")
    execute_process(COMMAND \"\${PROGRAM}\" completion bash OUTPUT_FILE \"\${SHARE}/bash-completion/completions/sheaf\"
      COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND \"\${PROGRAM}\" completion zsh OUTPUT_FILE \"\${SHARE}/zsh/site-functions/_sheaf\"
      COMMAND_ERROR_IS_FATAL ANY)
  endif()
")
