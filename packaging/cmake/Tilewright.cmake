# Settings of all targets, and functions for short target definitions.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
find_program(TILEWRIGHT_CCACHE ccache)
if(TILEWRIGHT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${TILEWRIGHT_CCACHE}")
endif()

find_package(Threads REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(JPEG REQUIRED)
find_package(nlohmann_json REQUIRED)

# Moc needs no linked libraries; without this, each test would wait for the whole engine.
set(CMAKE_AUTOGEN_ORIGIN_DEPENDS OFF)
# 60 programs are linked: mold takes a tenth of the default linker's time.
find_program(TILEWRIGHT_MOLD mold)
if(TILEWRIGHT_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# Flags of our own code; only here warnings are errors.
add_library(tilewright_flags INTERFACE)
target_compile_options(tilewright_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror -Wno-error=maybe-uninitialized
  -Wno-missing-field-initializers # omitted members have defaults
  # false warnings of GCC 12 about overlaps and overflows in std::string (bug 105651)
  -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds
  "$<$<CONFIG:Release>:-O2>")
if(TILEWRIGHT_ARCH AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(tilewright_flags INTERFACE "-march=${TILEWRIGHT_ARCH}")
endif()
target_include_directories(tilewright_flags INTERFACE "${CMAKE_SOURCE_DIR}")
if(TILEWRIGHT_SANITIZE STREQUAL "address")
  target_compile_options(tilewright_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined -g1)
  target_link_options(tilewright_flags INTERFACE -fsanitize=address,undefined)
elseif(TILEWRIGHT_SANITIZE STREQUAL "thread")
  target_compile_options(tilewright_flags INTERFACE -fsanitize=thread -g1)
  target_link_options(tilewright_flags INTERFACE -fsanitize=thread)
elseif(TILEWRIGHT_SANITIZE STREQUAL "fuzzer")
  # Clang has other warnings than GCC and does not accept all of its options.
  target_compile_options(tilewright_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -g1 -w)
  target_link_options(tilewright_flags INTERFACE -fsanitize=address,undefined)
endif()

# Headers included by most files of the engine, precompiled once in engine_core and shared by all modules. The JSON library is nine
# tenths of it; json_templates.h prevents the compilation of its templates in each file.
set(TILEWRIGHT_ENGINE_PCH
  <algorithm> <array> <atomic> <chrono> <cmath> <condition_variable> <cstddef> <cstdint> <cstring> <filesystem> <functional>
  <limits> <map> <memory> <mutex> <numeric> <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <utility> <variant>
  <vector> "${CMAKE_SOURCE_DIR}/engine/core/json_templates.h")

# Compiles several files as one, because half of the compile time is spent on common headers. ALONE: files whose names in unnamed
# namespaces clash with those of another file ("redefinition of …"); rename one, or list the file there. SEPARATE: all files.
option(TILEWRIGHT_UNITY "Compile several files at a time: a whole build takes half as long, a changed file more" ON)
function(tw_unity name)
  cmake_parse_arguments(ARG "" "BATCH" "ALONE" ${ARGN})
  if(NOT TILEWRIGHT_UNITY)
    return()
  endif()
  if(NOT ARG_BATCH)
    set(ARG_BATCH 8)
  endif()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${ARG_BATCH})
  target_compile_options(${name} PRIVATE -Wno-subobject-linkage) # for structs with a member from an unnamed namespace
  if(ARG_ALONE)
    set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# tw_module(engine_lowering SOURCES a.cpp b.cpp PUBLIC engine_graph PRIVATE ZLIB::ZLIB ALONE b.cpp)
# One static library per folder. A module under engine/ may not link Qt, views or app.
function(tw_module name)
  cmake_parse_arguments(ARG "SEPARATE" "" "SOURCES;PUBLIC;PRIVATE;ALONE" ${ARGN})
  foreach(dep IN LISTS ARG_PUBLIC ARG_PRIVATE)
    if(name MATCHES "^engine_" AND dep MATCHES "^(Qt|views_|app_)")
      message(FATAL_ERROR "${name} links ${dep}: engine/ knows no Qt and no views")
    endif()
  endforeach()
  add_library(${name} STATIC ${ARG_SOURCES})
  if(NOT ARG_SEPARATE)
    tw_unity(${name} ALONE ${ARG_ALONE})
  endif()
  target_link_libraries(${name} PUBLIC tilewright_flags ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  if(name STREQUAL "engine_core")
    target_precompile_headers(${name} PRIVATE ${TILEWRIGHT_ENGINE_PCH})
  elseif(name MATCHES "^engine_")
    target_precompile_headers(${name} REUSE_FROM engine_core)
  endif()
endfunction()

# tw_moc(target FILE…): what moc makes of each FILE that holds Q_OBJECT: FILE.moc of a .cpp, which includes it at its end, and of a
# header a source that is compiled with the target's others. AUTOMOC does the same with the include path of the target, so that moc
# reads every header that a file includes, the JSON library among them, and it compiles a source more per target: together a sixth of
# the processor time of a whole build. moc needs only the class with Q_OBJECT, which stands in the file itself.
function(tw_moc target)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_moc)
  file(MAKE_DIRECTORY ${folder})
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE path)
    file(STRINGS ${path} found REGEX "^ *Q_(OBJECT|GADGET|NAMESPACE)" LIMIT_COUNT 1)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path}) # it may get its first Q_OBJECT
    if(NOT found)
      continue()
    endif()
    cmake_path(GET path STEM base)
    cmake_path(GET path EXTENSION LAST_ONLY kind)
    set(made ${folder}/moc_${base}.cpp)
    if(kind STREQUAL ".cpp")
      set(made ${folder}/${base}.moc)
    endif()
    add_custom_command(OUTPUT ${made} COMMAND Qt6::moc -o ${made} ${path} DEPENDS ${path} VERBATIM)
    target_sources(${target} PRIVATE ${made})
  endforeach()
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
