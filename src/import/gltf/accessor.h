// Decoding of glTF accessors. Source: glTF 2.0 specification, section 3.6.2.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sinew::internal {

enum class Component : uint8_t { kInt8, kUint8, kInt16, kUint16, kUint32, kFloat };

inline constexpr uint32_t size_bytes(Component component) {
  constexpr uint32_t kSizes[] = {1, 1, 2, 2, 4, 4};
  return kSizes[uint32_t(component)];
}

/// The bytes of some elements, `stride` bytes apart. Readers check the elements against the length of `bytes`.
struct ElementView {
  std::span<const uint8_t> bytes;
  uint64_t stride = 0;  // 0: tightly packed
};

/// `count` elements of `width` components each. An empty `base` means zeros. `sparse_values` replace the elements that
/// `sparse_indices` name; both have `sparse_count` elements.
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

/// Returns count * width values. Normalized integers become [-1, 1] or [0, 1]. Throws ImportFailure if the accessor
/// reaches past its buffer, or is larger than 2 GiB.
std::vector<float> read_floats(const Accessor& accessor);

/// The same for unsigned integers, without normalization. Throws ImportFailure also if the components are floats or
/// signed.
std::vector<uint32_t> read_integers(const Accessor& accessor);

}  // namespace sinew::internal
