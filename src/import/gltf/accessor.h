// glTF accessors as plain bytes: source, glTF 2.0 specification, section 3.6.2.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

enum class Component : uint8_t { kInt8, kUint8, kInt16, kUint16, kUint32, kFloat };

inline constexpr uint32_t size_bytes(Component component) {
  constexpr uint32_t kSizes[] = {1, 1, 2, 2, 4, 4};
  return kSizes[uint32_t(component)];
}

/// `count` elements, `stride` bytes apart. Not yet checked against the length of `bytes`.
struct ElementView {
  std::span<const uint8_t> bytes;
  uint64_t stride = 0;  // 0: elements follow each other
};

/// Elements of `width` numbers each. `base` may be empty (zeros); `indices` name the elements that `values` replaces.
struct Accessor {
  Component component = Component::kFloat;
  uint32_t width = 1;
  bool normalized = false;
  uint64_t count = 0;
  ElementView base;
  uint64_t sparse_count = 0;
  Component sparse_index_component = Component::kUint32;
  ElementView sparse_indices, sparse_values;
};

/// count * width numbers; normalized integers become [-1, 1] or [0, 1]. Throws ImportFailure.
std::vector<float> read_floats(const Accessor& accessor);

/// The same for unsigned integers, unchanged. Throws ImportFailure, also on floats and signed components.
std::vector<uint32_t> read_integers(const Accessor& accessor);

}  // namespace sinew
