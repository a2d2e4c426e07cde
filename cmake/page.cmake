# sheaf_page(LAYER): the web application of workbench/ becomes a source of a layer.
function(sheaf_page LAYER)
  find_program(NODE node)
  if(NOT NODE)
    message(FATAL_ERROR "there is no node: script/bootstrap installs what is missing")
  endif()
  file(GLOB_RECURSE FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/workbench/src/*
    ${CMAKE_SOURCE_DIR}/models/*.sheaf)
  list(FILTER FILES EXCLUDE REGEX "\\.test\\.ts$")
  set(SOURCE ${CMAKE_BINARY_DIR}/${LAYER}_page_files.cc)
  add_custom_command(OUTPUT ${SOURCE} COMMAND ${CMAKE_SOURCE_DIR}/workbench/build ${SOURCE}
    DEPENDS ${FILES} ${CMAKE_SOURCE_DIR}/workbench/build ${CMAKE_SOURCE_DIR}/workbench/pack.mjs
      ${CMAKE_SOURCE_DIR}/workbench/index.html ${CMAKE_SOURCE_DIR}/workbench/package-lock.json
      ${CMAKE_SOURCE_DIR}/workbench/vite.config.js
    COMMENT "Building the workbench")
  target_sources(sheaf_${LAYER} PRIVATE ${SOURCE})
endfunction()
