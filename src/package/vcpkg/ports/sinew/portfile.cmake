# An overlay port: it builds the tree that it lies in. docs/packages.md says how to use it.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
    FEATURES
        c      SINEW_BUILD_C
        import SINEW_BUILD_IMPORT
)

# Everything that would depend on what is installed is said here.
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${FEATURE_OPTIONS}
        -DSINEW_BUILD_ANIMATION=ON
        -DSINEW_BUILD_VULKAN=ON
        -DSINEW_BUILD_PROGRAM=OFF
        -DSINEW_BUILD_TESTS=OFF
        -DSINEW_BUILD_EXAMPLES=OFF
        -DSINEW_BUILD_BENCHMARKS=OFF
        -DSINEW_C_SHARED=OFF
        -DSINEW_CCACHE=OFF
        -DSINEW_FONTCONFIG=OFF
        -DSINEW_GLSLC=OFF
        -DSINEW_INSTALL=ON
        -DSINEW_RENDERDOC=OFF
        -DSINEW_WERROR=OFF
)
vcpkg_cmake_install()
vcpkg_copy_pdbs()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/sinew)
vcpkg_fixup_pkgconfig()
if("import" IN_LIST FEATURES)
    vcpkg_copy_tools(TOOL_NAMES sinew-import AUTO_CLEAN)
endif()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
