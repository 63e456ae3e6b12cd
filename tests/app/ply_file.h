// Reading back what `sinew pose` writes, by the letter of its contract.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/asset/math.h"

namespace sinew::test {

struct PlyFile {
  std::string comment;
  std::vector<Vec3> positions, normals;
  std::vector<uint8_t> kinds;
  std::vector<std::array<uint32_t, 3>> triangles;

  std::vector<Vec3> positions_of_kind(uint8_t kind) const;
};

/// Throws std::runtime_error where the file is not exactly as promised, a byte too many included.
PlyFile read_ply(const std::string& path);

}  // namespace sinew::test
