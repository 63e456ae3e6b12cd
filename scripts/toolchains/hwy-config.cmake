# Highway 1.0 installs no CMake package of its own. This one stands beside a static build.
add_library(hwy::hwy STATIC IMPORTED)
get_filename_component(prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set_target_properties(hwy::hwy PROPERTIES
  IMPORTED_LOCATION ${prefix}/lib/libhwy.a
  INTERFACE_INCLUDE_DIRECTORIES ${prefix}/include
  INTERFACE_COMPILE_DEFINITIONS HWY_STATIC_DEFINE)
