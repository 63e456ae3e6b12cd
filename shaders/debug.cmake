# Shaders for debuggers: not optimized, with their source, the names of all variables and the lines of all instructions.
# They are compiled into the build folder; shaders/spirv stays as it is. SINEW_SHADER_DEBUG puts them into the libraries.
if(SINEW_SHADER_DEBUG AND NOT SINEW_GLSLC_PROGRAM)
  message(FATAL_ERROR "SINEW_SHADER_DEBUG needs glslc")
endif()
if(NOT SINEW_GLSLC_PROGRAM OR NOT (SINEW_SHADER_DEBUG OR SINEW_BUILD_TESTS))  # tests compile them, too
  return()
endif()
set(sinew_debug_shader_dir ${PROJECT_BINARY_DIR}/debug_shaders)
file(GLOB shaders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shaders/*.comp ${PROJECT_SOURCE_DIR}/shaders/*.vert ${PROJECT_SOURCE_DIR}/shaders/*.frag)
set(words "")
foreach(shader ${shaders})
  get_filename_component(name ${shader} NAME)
  sinew_compile_shader(${sinew_debug_shader_dir}/spirv/${name}.inc ${shader} -O0 -g)
  list(APPEND words ${sinew_debug_shader_dir}/spirv/${name}.inc)
endforeach()
add_custom_target(sinew_debug_shaders ALL DEPENDS ${words})

# sinew_use_debug_shaders(target): its "spirv/NAME.inc" are those for debuggers, where the option is on.
function(sinew_use_debug_shaders target)
  if(SINEW_SHADER_DEBUG)
    target_include_directories(${target} BEFORE PRIVATE ${sinew_debug_shader_dir})
    add_dependencies(${target} sinew_debug_shaders)
  endif()
endfunction()
