// Strict reader for the PLY files that `sinew pose` writes; see tools/pose.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/asset/math.h"

namespace sinew::test {

struct PlyFile {
  std::vector<Vec3> positions, normals;
  std::vector<uint8_t> kinds;  // PartKind of each vertex: 0 static, 1 rigid, 2 skinned
  std::vector<std::array<uint32_t, 3>> triangles;

  std::vector<Vec3> positions_of_kind(uint8_t kind) const;
};

/// Throws std::runtime_error if the file deviates from the format in any way, trailing bytes included.
PlyFile read_ply(const std::string& path);

}  // namespace sinew::test
