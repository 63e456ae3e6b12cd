#include "large.h"

#include <fstream>

#include "glb_file.h"
#include "md5_file.h"
#include "sinew/import/import.h"
#include "x_file.h"

namespace sinew {
namespace {

constexpr int kCopies = 6;
constexpr size_t kClips = 20;

/// Several copies of a mesh in one. Each copy is moved along x, so that no two vertices are equal.
Mesh copies_of(const Mesh& mesh) {
  Mesh result;
  result.first_influence = {0};
  for (int copy = 0; copy < kCopies; ++copy) {
    const uint32_t first_vertex = result.vertex_count();
    for (MeshPart part : mesh.parts) {
      (part.name += "_") += std::to_string(copy);
      part.first_vertex += first_vertex;
      part.first_index += uint32_t(result.indices.size());
      result.parts.push_back(part);
    }
    for (const uint32_t index : mesh.indices) result.indices.push_back(first_vertex + index);
    for (const Vec3 p : mesh.positions) result.positions.push_back(p + Vec3{float(copy), 0, 0});
    result.normals.insert(result.normals.end(), mesh.normals.begin(), mesh.normals.end());
    result.tangents.insert(result.tangents.end(), mesh.tangents.begin(), mesh.tangents.end());
    result.uvs.insert(result.uvs.end(), mesh.uvs.begin(), mesh.uvs.end());
    result.influences.insert(result.influences.end(), mesh.influences.begin(), mesh.influences.end());
    const uint32_t first_influence = result.first_influence.back();
    for (size_t v = 1; v < mesh.first_influence.size(); ++v) {
      result.first_influence.push_back(first_influence + mesh.first_influence[v]);
    }
  }
  return result;
}

std::string write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

}  // namespace

Result<std::vector<std::string>> write_large_models(const std::string& folder) {
  Result<Character> character = load_character(SINEW_SOURCE_DIR "/assets/character.glb");
  if (!character) return character.error();
  character->mesh = copies_of(character->mesh);
  for (size_t i = 0; character->clips.size() < kClips; ++i) {
    Clip clip = character->clips[i];
    clip.name += "_again";
    character->clips.push_back(std::move(clip));
  }
  return std::vector<std::string>{write(folder + "/large.glb", test::glb_file(*character)),
                                  write(folder + "/large.x", test::x_file(*character)),
                                  write(folder + "/large.md5mesh", test::md5_mesh(*character))};
}

}  // namespace sinew
