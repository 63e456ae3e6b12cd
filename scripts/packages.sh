# Lists of packages of Debian 12 and 13. Other scripts source this file. The README describes the packages.

# For building and running the program. The software driver is for machines without a GPU.
program_packages=(
  g++ cmake ninja-build pkg-config
  libvulkan-dev libvulkan-volk-dev libvulkan1 mesa-vulkan-drivers vulkan-validationlayers
  libassimp-dev libpugixml-dev libtinygltf-dev libdraco-dev libmeshoptimizer-dev libwebp-dev libstb-dev
  nlohmann-json3-dev libcli11-dev
  libglm-dev libglfw3-dev libimgui-dev libfontconfig-dev libshaderc-dev glslang-tools glslc libhwy-dev zlib1g-dev
)

# Needed in addition for the tests.
test_packages=(
  libgtest-dev libgmock-dev python3 python3-jsonschema doxygen xvfb x11-apps xdotool libx11-dev
  assimp-testmodels fonts-dejavu-core fonts-droid-fallback
)

# Needed in addition for the benchmarks.
benchmark_packages=(libbenchmark-dev libgtest-dev)

# Needed in addition for the long tests.
long_packages=(
  "${benchmark_packages[@]}"  # the benchmarks check what they measure
  meson  # a host of the libraries
  clang libc++-dev libclang-rt-dev  # libFuzzer, for tests/fuzz; scripts/check_clang
  clang-tidy  # scripts/check_clang --tidy
)

# For scripts/check_format. The format is judged by version 14 only, that of Debian 12.
check_packages=(clang-format)

# Without these packages the program captures no frames, and the tests of captures are skipped. Debian 13 lacks them.
capture_packages=(renderdoc librenderdoc-dev python3-renderdoc)

# For scripts/check_report. Without it the test of the HTML report in a browser is skipped.
browser_packages=(chromium fonts-dejavu-core)

# For scripts/site.
site_packages=(doxygen doxygen-awesome-css python3)

# For scripts/portable.
portable_packages=(binutils zstd)

# For scripts/package, besides those of the program.
package_packages=(debhelper dpkg-dev lintian)

# For scripts/tutorial_pictures, which combines and scales pictures; webp has img2webp.
picture_packages=(imagemagick webp fonts-dejavu-core)

# For scripts/looks, which compares pictures.
looks_packages=(python3-numpy python3-pil)

# For scripts/clean_room, which creates a root folder.
clean_room_packages=(mmdebstrap)

# For scripts/cross: compilers for other systems, and what runs their programs.
cross_packages=(cmake dpkg-dev ninja-build googletest libglm-dev libvulkan-dev python3)
cross_import_packages=(libstb-dev libtinygltf-dev libutfcpp-dev nlohmann-json3-dev)
arm64_packages=(g++-aarch64-linux-gnu qemu-user)
windows_packages=(g++-mingw-w64-x86-64-posix wine64)
