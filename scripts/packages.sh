# Debian 12's packages, to be sourced. The README names the same.

# What the program is built from and runs on; the software driver serves where there is no GPU.
program_packages=(
  g++ cmake ninja-build pkg-config ccache
  libvulkan-dev libvulkan-volk-dev libvulkan1 mesa-vulkan-drivers vulkan-validationlayers
  libassimp-dev libtinygltf-dev libmeshoptimizer-dev libstb-dev nlohmann-json3-dev libcli11-dev
  libglm-dev libglfw3-dev libshaderc-dev glslc glslang-tools libhwy-dev zlib1g-dev
)

# What the tests and benchmarks need besides.
test_packages=(
  libgtest-dev libgmock-dev libbenchmark-dev python3 xvfb
  x11-apps renderdoc librenderdoc-dev python3-renderdoc assimp-testmodels
  clang libclang-rt-14-dev  # libFuzzer, for tests/fuzz
)

# What scripts/gallery puts pictures together with.
gallery_packages=(imagemagick fonts-dejavu-core)
