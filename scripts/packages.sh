# Packages of Debian 12 and 13, to be sourced. The README names what they hold.

# What the program is built from and runs on; the software driver serves where there is no GPU.
program_packages=(
  g++ cmake ninja-build pkg-config
  libvulkan-dev libvulkan-volk-dev libvulkan1 mesa-vulkan-drivers vulkan-validationlayers
  libassimp-dev libtinygltf-dev libmeshoptimizer-dev libstb-dev nlohmann-json3-dev libcli11-dev
  libglm-dev libglfw3-dev libshaderc-dev glslang-tools libhwy-dev zlib1g-dev
)

# What the tests and benchmarks need besides.
test_packages=(
  libgtest-dev libgmock-dev libbenchmark-dev python3 glslc xvfb x11-apps assimp-testmodels
  clang libclang-rt-dev  # libFuzzer, for tests/fuzz
)

# Without these the program captures no frames, and the tests of captures skip. Debian 13 has none of them.
capture_packages=(renderdoc librenderdoc-dev python3-renderdoc)

# What scripts/gallery puts pictures together with.
gallery_packages=(imagemagick fonts-dejavu-core)

# What scripts/clean_room makes its root folder with.
clean_room_packages=(mmdebstrap)
