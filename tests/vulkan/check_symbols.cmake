# Usage: cmake -DNM=nm -DLIBRARY=libsinew_vulkan.a -P check_symbols.cmake. Fails on symbols that start with vk or volk.
execute_process(COMMAND ${NM} ${LIBRARY} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(NOT symbols MATCHES "create_skinner")
  message(FATAL_ERROR "${NM} shows no symbol of ${LIBRARY}")
endif()
string(REGEX MATCHALL "[A-Za-z] _?(vk|volk)[A-Za-z0-9_]*\n" foreign "${symbols}")
if(foreign)
  message(FATAL_ERROR "${LIBRARY} has symbols of Vulkan:\n${foreign}")
endif()
