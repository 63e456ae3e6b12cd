#include "gltf/accessor.h"

#include <algorithm>
#include <cstring>

#include "failure.h"

namespace sinew::internal {
namespace {

constexpr uint64_t kMaxAccessorBytes = uint64_t(1) << 31;

template <class T>
T load(const uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));  // glTF is little-endian, and so are all supported machines
  return value;
}

uint32_t load_unsigned(const uint8_t* bytes, Component component) {
  switch (component) {
    case Component::kUint8:
      return *bytes;
    case Component::kUint16:
      return load<uint16_t>(bytes);
    case Component::kUint32:
      return load<uint32_t>(bytes);
    default:
      fail("indices are not unsigned integers");
  }
}

float load_float(const uint8_t* bytes, Component component, bool normalized) {
  switch (component) {
    case Component::kInt8:
      return normalized ? std::max(float(load<int8_t>(bytes)) / 127, -1.0f) : float(load<int8_t>(bytes));
    case Component::kUint8:
      return normalized ? float(*bytes) / 255 : float(*bytes);
    case Component::kInt16:
      return normalized ? std::max(float(load<int16_t>(bytes)) / 32767, -1.0f) : float(load<int16_t>(bytes));
    case Component::kUint16:
      return normalized ? float(load<uint16_t>(bytes)) / 65535 : float(load<uint16_t>(bytes));
    case Component::kUint32:
      return normalized ? float(load<uint32_t>(bytes) / 4294967295.0) : float(load<uint32_t>(bytes));
    case Component::kFloat:
      return load<float>(bytes);
  }
  return 0;
}

/// Checks that `count` elements lie inside the view, and returns the stride in bytes.
uint64_t checked_stride(const ElementView& view, uint64_t count, uint64_t element_bytes) {
  const uint64_t stride = view.stride == 0 ? element_bytes : view.stride;
  const uint64_t size = view.bytes.size();
  if (count == 0) return stride;
  require(size >= element_bytes && (count - 1) <= (size - element_bytes) / stride,
          [] { return "it reaches past its buffer"; });
  return stride;
}

/// Copies the elements without gaps, and applies the sparse replacements.
std::vector<uint8_t> packed_elements(const Accessor& accessor) {
  const uint64_t element_bytes = uint64_t(size_bytes(accessor.component)) * accessor.width;
  require(accessor.count <= kMaxAccessorBytes / element_bytes, [] { return "it is larger than 2 GiB"; });
  if (!accessor.base.bytes.empty()) checked_stride(accessor.base, accessor.count, element_bytes);

  std::vector<uint8_t> packed(accessor.count * element_bytes);
  if (!accessor.base.bytes.empty()) {
    const uint64_t stride = checked_stride(accessor.base, accessor.count, element_bytes);
    for (uint64_t i = 0; i < accessor.count; ++i) {
      std::memcpy(&packed[i * element_bytes], &accessor.base.bytes[i * stride], element_bytes);
    }
  }
  const uint64_t index_bytes = size_bytes(accessor.sparse_index_component);
  const uint64_t index_stride = checked_stride(accessor.sparse_indices, accessor.sparse_count, index_bytes);
  const uint64_t value_stride = checked_stride(accessor.sparse_values, accessor.sparse_count, element_bytes);
  for (uint64_t i = 0; i < accessor.sparse_count; ++i) {
    const uint64_t element =
        load_unsigned(&accessor.sparse_indices.bytes[i * index_stride], accessor.sparse_index_component);
    require(element < accessor.count,
            [&] { return "its sparse index " + std::to_string(element) + " is out of range"; });
    std::memcpy(&packed[element * element_bytes], &accessor.sparse_values.bytes[i * value_stride], element_bytes);
  }
  return packed;
}

template <class Value, class Load>
std::vector<Value> read_numbers(const Accessor& accessor, Load load_number) {
  const std::vector<uint8_t> packed = packed_elements(accessor);
  const uint32_t number_bytes = size_bytes(accessor.component);
  std::vector<Value> numbers(packed.size() / number_bytes);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = load_number(&packed[i * number_bytes]);
  return numbers;
}

}  // namespace

std::vector<float> read_floats(const Accessor& accessor) {
  return read_numbers<float>(
      accessor, [&](const uint8_t* bytes) { return load_float(bytes, accessor.component, accessor.normalized); });
}

std::vector<uint32_t> read_integers(const Accessor& accessor) {
  return read_numbers<uint32_t>(accessor,
                                [&](const uint8_t* bytes) { return load_unsigned(bytes, accessor.component); });
}

}  // namespace sinew::internal
