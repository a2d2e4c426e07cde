# The pages of doc/errors become a source of the layer `language`.
file(GLOB ERROR_PAGES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/doc/errors/*.md)
set(ERROR_PAGES_SOURCE ${CMAKE_BINARY_DIR}/error_pages_text.cc)
add_custom_command(OUTPUT ${ERROR_PAGES_SOURCE}
  COMMAND ${CMAKE_COMMAND} -D DIRECTORY=${CMAKE_SOURCE_DIR}/doc/errors -D OUTPUT=${ERROR_PAGES_SOURCE}
    -P ${CMAKE_SOURCE_DIR}/cmake/write_error_pages.cmake
  DEPENDS ${ERROR_PAGES} ${CMAKE_SOURCE_DIR}/cmake/write_error_pages.cmake)
target_sources(sheaf_language PRIVATE ${ERROR_PAGES_SOURCE})
