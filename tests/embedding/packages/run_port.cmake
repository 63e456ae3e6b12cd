# Runs the overlay port with this system's packages: the functions of vcpkg that it calls do here what their
# documentation says, without its download of dependencies.
# usage: cmake -DFEATURES=c,import -DBUILD=FOLDER -DCURRENT_PACKAGES_DIR=PREFIX -DPORT_FOLDER=FOLDER -P run_port.cmake
cmake_minimum_required(VERSION 3.22)
set(PORT sinew)
string(REPLACE "," ";" FEATURES "${FEATURES}")

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code)
  if(code)
    message(FATAL_ERROR "exit code ${code}: ${ARGN}")
  endif()
endfunction()

function(vcpkg_check_features)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUT_FEATURE_OPTIONS" "FEATURES")
  set(options)
  while(arg_FEATURES)
    list(POP_FRONT arg_FEATURES feature variable)
    set(value OFF)
    if(feature IN_LIST FEATURES)
      set(value ON)
    endif()
    list(APPEND options "-D${variable}=${value}")
  endwhile()
  set(${arg_OUT_FEATURE_OPTIONS} "${options}" PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  run(${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${BUILD} -G Ninja ${arg_OPTIONS} -DBUILD_SHARED_LIBS=OFF
    -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O0 -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}
    -DCMAKE_INSTALL_LIBDIR=lib)
endfunction()

function(vcpkg_cmake_install)
  run(${CMAKE_COMMAND} --build ${BUILD} --parallel 2)
  run(${CMAKE_COMMAND} --install ${BUILD})
endfunction()

function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
  if(NOT EXISTS ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/sinewConfig.cmake)
    message(FATAL_ERROR "there is no sinewConfig.cmake in ${arg_CONFIG_PATH}")
  endif()
endfunction()

function(vcpkg_copy_tools)
  cmake_parse_arguments(PARSE_ARGV 0 arg "AUTO_CLEAN" "" "TOOL_NAMES")
  foreach(tool IN LISTS arg_TOOL_NAMES)
    if(NOT EXISTS ${CURRENT_PACKAGES_DIR}/bin/${tool})
      message(FATAL_ERROR "there is no bin/${tool}")
    endif()
  endforeach()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(INSTALL ${arg_FILE_LIST} DESTINATION ${CURRENT_PACKAGES_DIR}/share/${PORT})
endfunction()

function(vcpkg_copy_pdbs)
endfunction()
function(vcpkg_fixup_pkgconfig)
endfunction()

include(${PORT_FOLDER}/portfile.cmake)

# The features of the manifest are those that the port knows.
file(READ ${PORT_FOLDER}/vcpkg.json manifest)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../../../include/sinew/version.h line REGEX SINEW_VERSION_STRING)
string(REGEX MATCH "[0-9.]+" version "${line}")
string(JSON stated GET "${manifest}" version)
if(NOT stated STREQUAL version)
  message(FATAL_ERROR "the port has version ${stated}, the library ${version}")
endif()
foreach(feature IN LISTS FEATURES)
  string(JSON described GET "${manifest}" features ${feature} description)
endforeach()
