# cmake -D DIRECTORY=doc/errors -D OUTPUT=FILE.cc -D HEADER=language/error_pages.h -D NAMESPACE=sheaf::language -D TYPE=ErrorPage
#   -D FUNCTION=error_pages -P write_pages.cmake
file(GLOB PAGES ${DIRECTORY}/*.md)
list(SORT PAGES)
set(SOURCE "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n\n")
string(APPEND SOURCE "std::span<const ${TYPE}> ${FUNCTION}() {\n  static constexpr ${TYPE} kPages[] = {\n")
foreach(PAGE ${PAGES})
  get_filename_component(ID ${PAGE} NAME_WE)
  file(READ ${PAGE} TEXT)
  string(APPEND SOURCE "{\"${ID}\", R\"page(${TEXT})page\"},\n")
endforeach()
string(APPEND SOURCE "  };\n  return kPages;\n}\n\n}  // namespace ${NAMESPACE}\n")
file(WRITE ${OUTPUT} "${SOURCE}")
