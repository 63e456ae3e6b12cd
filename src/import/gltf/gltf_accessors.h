// Accessors of glTF: decoding, and those of a file. Source: glTF 2.0 specification, section 3.6.2.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "failure.h"
#include "gltf/tinygltf.h"
#include "sinew/asset/math.h"

namespace sinew::internal {

// Decoding of glTF accessors. Source: glTF 2.0 specification, section 3.6.2.

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

// The accessors of a glTF file: every index, count and offset is checked. Throws ImportFailure.

/// The item at an index of the file. `what` is for the message.
template <class T>
const T& at(const std::vector<T>& items, int index, const char* what) {
  require(index >= 0 && size_t(index) < items.size(), [&] {
    return std::string(what) + " " + std::to_string(index) + " does not exist (there are " +
           std::to_string(items.size()) + ")";
  });
  return items[size_t(index)];
}

/// Reads the accessors of a model, which it borrows. All that one object reads is limited by the
/// size of the buffers.
class GltfAccessors {
 public:
  explicit GltfAccessors(const tinygltf::Model& model) : model_(model) {}

  /// The bytes of a buffer view from `offset` on; with its stride if `strided`.
  ElementView view(int index, uint64_t offset, bool strided) const;

  /// The numbers of an accessor of one of the types, TINYGLTF_TYPE_*.
  std::vector<float> floats(int index, std::initializer_list<int> types) const;
  std::vector<uint32_t> integers(int index, std::initializer_list<int> types) const;

  /// The vectors of an accessor: Vec2, Vec3, Vec4 or Quat.
  template <class Vector>
  std::vector<Vector> vectors(int index) const {
    constexpr int kWidth = sizeof(Vector) / sizeof(float);  // TINYGLTF_TYPE_VEC2 to VEC4 are 2 to 4
    const std::vector<float> numbers = floats(index, {kWidth});
    std::vector<Vector> result(numbers.size() / kWidth);
    if (!result.empty()) std::memcpy(static_cast<void*>(&result[0]), &numbers[0], numbers.size() * sizeof(float));
    return result;
  }

  /// The colors of an accessor. Without alpha, it is 1.
  std::vector<Vec4> colors(int index) const;

  /// Vectors, or numbers where `Value` is float.
  template <class Value>
  std::vector<Value> values(int index) const {
    return vectors<Value>(index);
  }

 private:
  Accessor accessor(int index, std::initializer_list<int> types) const;
  void spend(const Accessor& accessor) const;

  const tinygltf::Model& model_;
  mutable std::optional<uint64_t> budget_bytes_;  // what may still be read; none before the first reading
};

template <>
inline std::vector<float> GltfAccessors::values<float>(int index) const {
  return floats(index, {TINYGLTF_TYPE_SCALAR});
}

}  // namespace sinew::internal
