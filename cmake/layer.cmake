# Builds the test programs of all layers.
add_custom_target(unit_tests)
# Only those of layers in which there can be more than one thread.
add_custom_target(thread_tests)
# Builds the fuzz targets.
add_custom_target(fuzzers)

# Compiles several files of a target together, if that is wanted. So what they have for themselves must have names
# that differ.
function(sheaf_unity TARGET)
  if(SHEAF_UNITY)
    set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${SHEAF_UNITY_BATCH})
    target_compile_options(${TARGET} PRIVATE -Wno-shadow)
  endif()
endfunction()

# sheaf_layer(NAME [PURE] [DEPENDS LAYER...] [LIBRARIES LIB...])
# One folder under src/ is one static library `sheaf_NAME` and one test program `NAME_test`. The files are
# found by their names: x.cc is the library's, x_test.cc the tests', x_fuzz.cc a fuzz target of its own.
function(sheaf_layer NAME)
  cmake_parse_arguments(LAYER "PURE" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${NAME}/*.cc)
  set(TESTS ${SOURCES})
  set(FUZZERS ${SOURCES})
  list(FILTER TESTS INCLUDE REGEX "_test\\.cc$")
  list(FILTER FUZZERS INCLUDE REGEX "_fuzz\\.cc$")
  list(FILTER SOURCES EXCLUDE REGEX "(_(test|fuzz)|/main)\\.cc$")

  if(SOURCES)
    add_library(sheaf_${NAME} STATIC ${SOURCES})
    sheaf_unity(sheaf_${NAME})
    set(SCOPE PUBLIC)
  else()
    add_library(sheaf_${NAME} INTERFACE)
    set(SCOPE INTERFACE)
  endif()
  target_include_directories(sheaf_${NAME} ${SCOPE}
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src>)
  list(TRANSFORM LAYER_DEPENDS PREPEND sheaf_)
  target_link_libraries(sheaf_${NAME} ${SCOPE} ${LAYER_DEPENDS} ${LAYER_LIBRARIES} Threads::Threads)

  if(TESTS)
    add_executable(${NAME}_test ${TESTS})
    sheaf_unity(${NAME}_test)
    target_link_libraries(${NAME}_test PRIVATE sheaf_${NAME} GTest::gtest GTest::gtest_main)
    # Tests are compiled more often than they are run: this halves the time for it.
    target_compile_options(${NAME}_test PRIVATE -O0)
    # As one: to start a process for each of three thousand tests takes longer than they do.
    add_test(NAME unit_${NAME} COMMAND ${NAME}_test --gtest_brief=1)
    add_dependencies(unit_tests ${NAME}_test)
    if(LAYER_PURE)
      set_tests_properties(unit_${NAME} PROPERTIES LABELS unit)
    else()
      set_tests_properties(unit_${NAME} PROPERTIES LABELS unit-threads) # -L unit and -L threads both find it
      add_dependencies(thread_tests ${NAME}_test)
    endif()
  endif()
  if(SHEAF_FUZZ)
    foreach(FUZZER ${FUZZERS})
      get_filename_component(TARGET ${FUZZER} NAME_WE)
      add_executable(${TARGET} ${FUZZER})
      target_link_libraries(${TARGET} PRIVATE sheaf_${NAME} -fsanitize=fuzzer)
      add_dependencies(fuzzers ${TARGET})
    endforeach()
  endif()
endfunction()
