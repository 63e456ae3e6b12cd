// Imports one file twice; both ways must give the same positions. The CPU skinner needs no Vulkan.
#include <cstdio>
#include <cstring>
#include <vector>

#include "sinew/asset/character_file.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/import/import.h"
#include "sinew/version.h"

namespace {

int fail(const char* what, const sinew::Error& error) {
  std::fprintf(stderr, "%s: %s\n", what, error.message.c_str());
  return 1;
}

std::vector<sinew::Vec3> skinned(const sinew::Character& character) {
  std::vector<sinew::Matrix3x4> palette(character.skin.palette_size());
  std::vector<sinew::Vec3> positions(character.mesh.vertex_count()), normals(positions.size());
  sinew::skin_on_cpu(character.mesh, palette, positions, normals);
  return positions;
}

}  // namespace

int main() {
  if (sinew::Status fits = sinew::check_version(); !fits) return fail("check_version", fits.error());
  const auto here = sinew::load_character(FILE_TO_IMPORT);
  if (!here) return fail("load_character", here.error());
  const auto there = sinew::import_isolated(FILE_TO_IMPORT, {}, {.program = WORKER});
  if (!there) return fail("import_isolated", there.error());
  const auto a = skinned(*here), b = skinned(there->character);
  const bool same = a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(sinew::Vec3)) == 0;
  std::printf("%zu vertices, %s in both ways\n", a.size(), same ? "the same" : "DIFFERENT");
  return same && !a.empty() ? 0 : 1;
}
