# Installing and packaging: `cmake --install`, and `cpack -G DEB` in the build folder. Included last, by the
# top CMakeLists.txt.
add_subdirectory("${CMAKE_CURRENT_SOURCE_DIR}/packaging/desktop")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tilewright)
set(CPACK_PACKAGE_VENDOR "The Tilewright developers")
set(CPACK_PACKAGE_CONTACT "The Tilewright developers <maintainers@tilewright.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "workbench for models on an emulated IPU")
set(CPACK_PACKAGE_DESCRIPTION
"Tilewright compiles Keras-style models onto an emulated system of one to 64
IPUs, processors made of many small tiles that each own their memory. It
trains the models there for real and shows where every byte and every cycle
went: memory of each tile, liveness, program, operations, time.
.
No hardware is needed. Cycles and times of the device are modelled; only host
seconds are measured. The processor must know AVX2 and FMA.")
set(CPACK_PACKAGE_INSTALL_DIRECTORY tilewright)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_CURRENT_SOURCE_DIR}/LICENSE")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # dependencies from the linked libraries
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS OFF)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(recommended)
if(TILEWRIGHT_BUILD_GUI)
  list(APPEND recommended qt6-wayland shared-mime-info hicolor-icon-theme)
endif()
if(TARGET tilewright-mpi)
  list(APPEND recommended openmpi-bin)
endif()
if(TARGET tilewright_python)
  list(APPEND recommended python3 python3-numpy)
endif()
list(JOIN recommended ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS)
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  set(CPACK_DEBIAN_DEBUGINFO_PACKAGE ON)
endif()
include(CPack)
