// The skin: the list of matrices in a character's palette.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/math.h"
#include "sinew/asset/result.h"
#include "sinew/asset/skeleton.h"

namespace sinew {

/// One palette entry, the matrix `model_from_joint(joint) * joint_from_mesh`.
struct PaletteEntry {
  int32_t joint = kNoJoint;    // kNoJoint: a constant entry, for vertices without a joint
  Matrix3x4d joint_from_mesh;  // the inverse bind matrix; of a constant entry model_from_mesh
  bool operator==(const PaletteEntry&) const = default;
};

/// A character has one palette for all its mesh parts: one entry for each distinct pair of joint and inverse bind
/// matrix. Influences hold indices of entries, never of joints. Entries ascend by joint; constant entries come first.
struct Skin {
  std::vector<PaletteEntry> entries;

  uint32_t palette_size() const { return uint32_t(entries.size()); }
  bool operator==(const Skin&) const = default;
};

/// A place on a character to attach things to, such as a hand. It follows one palette entry.
struct Socket {
  uint32_t entry = 0;          // of the palette
  Matrix3x4 mesh_from_socket;  // in the space of the vertices that the entry moves
  bool operator==(const Socket&) const = default;
};

/// A socket with a name. Its number in a crowd is its index in Model::sockets.
struct NamedSocket {
  std::string name;
  Socket socket;
  bool operator==(const NamedSocket&) const = default;
};

/// The distance from one instance's palette to the next, in matrices of 48 bytes. Behind the palette are the morph
/// weights, if any: 12 floats take the room of a matrix. Both are rounded up to a multiple of 4 matrices (192 bytes).
/// If the first palette begins at a multiple of 64 bytes, so does every other one, and so do all weights.
constexpr uint64_t palette_stride(uint64_t palette_size, uint64_t target_count = 0) {
  return align_up(palette_size, 4) + align_up((target_count + 11) / 12, 4);
}

/// The morph weights behind the first palette of `palettes`, and all floats after them. Those of the next instance are
/// 12 * palette_stride() floats further on. Empty if `palettes` has no room for one palette.
inline std::span<float> weights_behind(std::span<Matrix3x4> palettes, uint64_t palette_size) {
  if (palette_size > palettes.size() || palette_stride(palette_size) > palettes.size()) return {};
  const std::span<Matrix3x4> behind = palettes.subspan(size_t(palette_stride(palette_size)));
  return {reinterpret_cast<float*>(behind.data()), behind.size_bytes() / sizeof(float)};
}

/// Checks that there are at most 65,536 entries, and that each has a joint of `skeleton` or kNoJoint, is finite and in
/// order. Errors: kInvalidData with the entry's index in the message, kOutOfMemory.
SINEW_API Status validate(const Skin& skin, const Skeleton& skeleton);

}  // namespace sinew
