# sheaf_pages(LAYER DIRECTORY HEADER TYPE FUNCTION)
# The Markdown files of a directory of doc/ become a source of a layer.
function(sheaf_pages LAYER DIRECTORY HEADER TYPE FUNCTION)
  file(GLOB PAGES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${DIRECTORY}/*.md)
  set(SOURCE ${CMAKE_BINARY_DIR}/${LAYER}_pages_text.cc)
  add_custom_command(OUTPUT ${SOURCE}
    COMMAND ${CMAKE_COMMAND} -D DIRECTORY=${CMAKE_SOURCE_DIR}/${DIRECTORY} -D OUTPUT=${SOURCE} -D HEADER=${HEADER}
      -D NAMESPACE=sheaf::${LAYER} -D TYPE=${TYPE} -D FUNCTION=${FUNCTION} -P ${CMAKE_SOURCE_DIR}/cmake/write_pages.cmake
    DEPENDS ${PAGES} ${CMAKE_SOURCE_DIR}/cmake/write_pages.cmake)
  target_sources(sheaf_${LAYER} PRIVATE ${SOURCE})
endfunction()
