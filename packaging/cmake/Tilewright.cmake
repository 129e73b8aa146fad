# What every target shares, and the helpers that let a target read as a sentence.

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
find_package(nlohmann_json REQUIRED)

# Flags of our own code: warnings are errors here and nowhere else.
add_library(tilewright_flags INTERFACE)
target_compile_options(tilewright_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror -Wno-error=maybe-uninitialized
  -Wno-missing-field-initializers # defaulted members are meant to stay so
  -Wno-restrict # GCC 12 sees overlaps in std::string that are not there (bug 105651)
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
endif()

# tw_module(engine_lowering SOURCES a.cpp b.cpp PUBLIC engine_graph PRIVATE ZLIB::ZLIB)
# One static library per folder. A module under engine/ may not link Qt, views or app.
function(tw_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  foreach(dep IN LISTS ARG_PUBLIC ARG_PRIVATE)
    if(name MATCHES "^engine_" AND dep MATCHES "^(Qt|views_|app_)")
      message(FATAL_ERROR "${name} links ${dep}: engine/ knows no Qt and no views")
    endif()
  endforeach()
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC tilewright_flags ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
endfunction()
