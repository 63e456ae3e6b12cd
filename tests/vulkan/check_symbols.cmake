# Usage: cmake -DNM=nm -DLIBRARY=libsinew-vulkan.a -DNAME=create_skinner -P check_symbols.cmake. Fails on symbols that
# start with vk or volk, and if no symbol has the name in it.
execute_process(COMMAND ${NM} ${LIBRARY} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(NOT symbols MATCHES "${NAME}")
  message(FATAL_ERROR "${NM} shows no symbol with ${NAME} in ${LIBRARY}")
endif()
string(REGEX MATCHALL "[A-Za-z] _?(vk|volk)[A-Za-z0-9_]*\n" foreign "${symbols}")
if(foreign)
  message(FATAL_ERROR "symbols of Vulkan in\n  ${LIBRARY}:\n${foreign}")  # CMake wraps long lines: no path in the first
endif()
