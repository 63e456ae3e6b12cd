# Shaders that a build compiles: all but the library's kernels, whose SPIR-V is committed in shaders/spirv.

# sinew_compile_shader(OUTPUT SOURCE [OPTION...]): SPIR-V as numbers for #include. It is compiled again when the source,
# or a file that it includes, has changed. SPIR-V keeps the names of its sources for debuggers: they are relative to the
# project, because a program shall not contain the paths of the machine that built it. So one call of glslc lists the
# files that are included, with their whole paths, and another compiles.
function(sinew_compile_shader output source)
  get_filename_component(folder ${output} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${SINEW_GLSLC_PROGRAM} --target-env=vulkan1.2 ${ARGN}
      -I ${PROJECT_SOURCE_DIR}/shaders -I ${PROJECT_SOURCE_DIR}/include -M -MT ${output} -o ${output}.d ${source}
    COMMAND ${SINEW_GLSLC_PROGRAM} --target-env=vulkan1.2 -Werror -mfmt=num ${ARGN} -I shaders -I include
      -o ${output} ${name}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} DEPENDS ${source} DEPFILE ${output}.d
    VERBATIM)
endfunction()

# sinew_compile_shaders(target [FOLDER folder] [OPTIONS -O...] SHADERS a.vert b.frag): NAME.inc for #include in the
# target's sources, where NAME is that of the file. `FOLDER` in the build folder of this directory keeps apart what
# several targets compile from one source. Shaders are relative to this directory.
function(sinew_compile_shaders target)
  cmake_parse_arguments(arg "" "FOLDER" "OPTIONS;SHADERS" ${ARGN})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${arg_FOLDER})
  foreach(shader ${arg_SHADERS})
    get_filename_component(source ${shader} ABSOLUTE)
    get_filename_component(name ${shader} NAME)
    sinew_compile_shader(${folder}/${name}.inc ${source} ${arg_OPTIONS})
    target_sources(${target} PRIVATE ${folder}/${name}.inc)
  endforeach()
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
