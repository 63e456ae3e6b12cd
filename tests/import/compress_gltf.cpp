// sinew_compress_gltf FILE.glb quantized|meshopt|draco-sequential|draco OUT.glb: writes a compressed copy without
// textures, for scripts/fuzz_files.
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include "compressed_file.h"

int main(int count, char** arguments) {
  using sinew::test::Compression;
  constexpr std::pair<const char*, Compression> kNames[] = {{"quantized", Compression::kQuantized},
                                                            {"meshopt", Compression::kMeshopt},
                                                            {"draco-sequential", Compression::kDracoSequential},
                                                            {"draco", Compression::kDraco}};
  const auto usage = [] {
    std::fprintf(stderr, "usage: sinew_compress_gltf FILE.glb quantized|meshopt|draco-sequential|draco OUT.glb\n");
    return 2;
  };
  if (count != 4) return usage();
  for (const auto& [name, compression] : kNames) {
    if (std::string_view(arguments[2]) != name) continue;
    std::ifstream source(arguments[1], std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(source), {}};
    try {
      std::ofstream out(arguments[3], std::ios::binary);
      out << sinew::test::compressed_file(bytes, compression);
      return out.flush() ? 0 : 1;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "sinew_compress_gltf: %s: %s\n", arguments[1], error.what());
      return 1;
    }
  }
  return usage();
}
