# Debian packages, one for each component: libsinew-asset-dev; of shared libraries also libsinew-asset0.1 (that of C is
# one in both kinds of builds, with SINEW_C_SHARED); sinew, the programs. A build makes packages of static or of shared
# libraries, under the same names: install those of one build.
set(SINEW_PACKAGE_MAINTAINER "The Sinew authors <authors@sinew.invalid>" CACHE STRING "Maintainer of the Debian packages")

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_NAME sinew)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${SINEW_PACKAGE_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PACKAGE_CONTACT ${SINEW_PACKAGE_MAINTAINER})
set(CPACK_PACKAGE_VENDOR "The Sinew authors")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# Each package has a copyright file and a changelog in Debian's format; only packages have them.
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(READ ${PROJECT_SOURCE_DIR}/LICENSE license)
configure_file(copyright.in copyright @ONLY)
configure_file(changelog.in changelog @ONLY)
find_program(SINEW_GZIP gzip)
if(SINEW_GZIP)
  execute_process(COMMAND ${SINEW_GZIP} -9nc ${CMAKE_CURRENT_BINARY_DIR}/changelog
    OUTPUT_FILE ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz)
endif()

# sinew_package(COMPONENT NAME SECTION SUMMARY DEPENDS...): one package.
set(CPACK_COMPONENTS_ALL)
macro(sinew_package component name section summary)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  string(CONCAT CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n"
    "Sinew animates and skins crowds of characters in Vulkan. The CPU samples\n"
    "clips and computes joint matrices; a compute shader skins every vertex once;\n"
    "the renderer of the host draws them.")
  string(REPLACE ";" ", " CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${ARGN}")
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/copyright ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
endmacro()

set(same "(= ${PROJECT_VERSION})")
set(needs_animation asset)
set(needs_crowd animation)
set(needs_vulkan asset)
set(needs_runtime crowd vulkan)
if(NOT needs_c)
  set(needs_c_dev asset)  # for the CMake package
  if(NOT c_is_shared)
    set(needs_c_dev ${needs_c_static})
  endif()
endif()
set(debian_animation libhwy-dev)
set(debian_vulkan libvulkan-dev)  # the headers; also for shared libraries
set(debian_runtime libvulkan-dev)
set(debian_c libvulkan-dev)
set(debian_import libassimp-dev libdraco-dev libmeshoptimizer-dev libpugixml-dev libwebp-dev zlib1g-dev)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS)
set(runtime_packages)
foreach(name IN LISTS libraries)
  set(depends)
  foreach(needed IN LISTS needs_${name} needs_${name}_dev)
    list(APPEND depends "libsinew-${needed}-dev ${same}")
  endforeach()
  set(kind "static library")
  if(${name}_is_shared)
    set(kind "shared library")
    set(runtime libsinew-${name}${soversion})
    list(APPEND depends "${runtime} ${same}")
    set(runtime_depends)
    foreach(needed IN LISTS needs_${name})
      list(APPEND runtime_depends "libsinew-${needed}${soversion} ${same}")
    endforeach()
    sinew_package(${name} ${runtime} libs "${description_${name}}" ${runtime_depends})
    string(TOUPPER ${name} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_SHLIBDEPS ON)
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${name}/shlibs "libsinew-${name} ${soversion} ${runtime} ${same}\n")
    set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA
      ${CMAKE_CURRENT_SOURCE_DIR}/triggers ${CMAKE_CURRENT_BINARY_DIR}/${name}/shlibs)
    if(NOT name STREQUAL c)
      list(APPEND runtime_packages "${runtime} ${same}")  # of the program
    endif()
    list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src/${name})
  endif()
  if(name MATCHES "^(vulkan|runtime|c)$" OR NOT BUILD_SHARED_LIBS)
    list(APPEND depends ${debian_${name}})
  endif()
  sinew_package(${name}-dev libsinew-${name}-dev libdevel "${description_${name}} (${kind})" ${depends})
endforeach()
set(CPACK_DEBIAN_IMPORT-DEV_PACKAGE_RECOMMENDS "sinew ${same}")  # its import worker
if(TARGET sinew_c_static)
  list(TRANSFORM needs_c_static REPLACE "(.+)" "libsinew-\\1-dev ${same}" OUTPUT_VARIABLE suggested)
  list(JOIN suggested ", " CPACK_DEBIAN_C-DEV_PACKAGE_SUGGESTS)
endif()
if(tools)
  sinew_package(tools sinew graphics "crowds of animated characters in Vulkan: benchmark and viewer" libvulkan1
    ${runtime_packages})
  set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)
