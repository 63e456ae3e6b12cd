#include "gltf/gltf_accessors.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

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

constexpr uint64_t kMaxReadBytes = uint64_t(1) << 31;
constexpr uint64_t kFreeBytes = uint64_t(1) << 28, kMaxRatio = 256;

/// The bytes that all readings may have. Primitives may share one vertex buffer, and sparse morph targets are zeros but
/// for a few elements: more than the buffers hold. Bytes that become floats are four times as large.
uint64_t budget_of(const tinygltf::Model& model) {
  uint64_t bytes = 0;
  for (const tinygltf::Buffer& buffer : model.buffers) bytes += buffer.data.size();
  return std::max(std::min(kFreeBytes + kMaxRatio * bytes, kMaxReadBytes), 8 * bytes);
}

Component component_of(int type) {
  constexpr std::pair<int, Component> kComponents[] = {{TINYGLTF_COMPONENT_TYPE_BYTE, Component::kInt8},
                                                       {TINYGLTF_COMPONENT_TYPE_SHORT, Component::kInt16},
                                                       {TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, Component::kUint8},
                                                       {TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT, Component::kUint16},
                                                       {TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT, Component::kUint32},
                                                       {TINYGLTF_COMPONENT_TYPE_FLOAT, Component::kFloat}};
  for (const auto& [known, component] : kComponents) {
    if (known == type) return component;
  }
  fail("its component type " + std::to_string(type) + " is unknown");
}

/// Calls `read`. If it fails, adds the accessor's index to the message.
template <class Read>
auto with_accessor_name(int index, Read read) {
  try {
    return read();
  } catch (const ImportFailure& failure) {
    throw ImportFailure{failure.code, "accessor " + std::to_string(index) + ": " + failure.reason};
  }
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

/// Many accessors may have the same few bytes, and one without a buffer view has zeros, as many as it says.
void GltfAccessors::spend(const Accessor& accessor) const {
  if (!budget_bytes_) budget_bytes_ = budget_of(model_);
  const uint64_t element_bytes = accessor.width * sizeof(float);
  require(accessor.count <= kMaxReadBytes / element_bytes, [] { return "it is larger than 2 GiB"; });
  require(accessor.count <= *budget_bytes_ / element_bytes,
          [] { return "with it, the accessors hold too much for the size of the buffers"; });
  *budget_bytes_ -= accessor.count * element_bytes;
}

ElementView GltfAccessors::view(int index, uint64_t offset, bool strided) const {
  const tinygltf::BufferView& buffer_view = at(model_.bufferViews, index, "buffer view");
  const auto& data = at(model_.buffers, buffer_view.buffer, "buffer").data;
  require(buffer_view.byteOffset <= data.size() && buffer_view.byteLength <= data.size() - buffer_view.byteOffset,
          [&] { return "buffer view " + std::to_string(index) + " reaches past its buffer"; });
  require(offset <= buffer_view.byteLength, [] { return "it reaches past its buffer"; });
  const std::span bytes(data.data() + buffer_view.byteOffset, buffer_view.byteLength);
  return {bytes.subspan(offset), strided ? buffer_view.byteStride : 0};
}

Accessor GltfAccessors::accessor(int index, std::initializer_list<int> types) const {
  const tinygltf::Accessor& source = at(model_.accessors, index, "accessor");
  require(std::ranges::find(types, source.type) != types.end(), [] { return "it has the wrong number of components"; });
  Accessor result;
  result.component = component_of(source.componentType);
  result.width = uint32_t(tinygltf::GetNumComponentsInType(uint32_t(source.type)));
  result.normalized = source.normalized;
  result.count = source.count;
  if (source.bufferView >= 0) result.base = view(source.bufferView, source.byteOffset, true);
  if (source.bufferView >= 0 && result.base.bytes.empty() && source.count > 0) fail("it reaches past its buffer");
  spend(result);
  if (!source.sparse.isSparse) return result;

  const auto& sparse = source.sparse;
  require(sparse.count >= 0 && int64_t(sparse.indices.byteOffset) >= 0 && int64_t(sparse.values.byteOffset) >= 0,
          [] { return "its sparse part has a negative size"; });
  result.sparse_count = uint64_t(sparse.count);
  result.sparse_index_component = component_of(sparse.indices.componentType);
  result.sparse_indices = view(sparse.indices.bufferView, uint64_t(sparse.indices.byteOffset), false);
  result.sparse_values = view(sparse.values.bufferView, uint64_t(sparse.values.byteOffset), false);
  return result;
}

std::vector<float> GltfAccessors::floats(int index, std::initializer_list<int> types) const {
  return with_accessor_name(index, [&] { return read_floats(accessor(index, types)); });
}

std::vector<Vec4> GltfAccessors::colors(int index) const {
  const std::vector<float> numbers = floats(index, {TINYGLTF_TYPE_VEC3, TINYGLTF_TYPE_VEC4});
  const bool has_alpha = model_.accessors[size_t(index)].type == TINYGLTF_TYPE_VEC4;
  const size_t width = has_alpha ? 4 : 3;
  std::vector<Vec4> result(numbers.size() / width);
  for (size_t i = 0; i < result.size(); ++i) {
    const float* from = &numbers[i * width];
    result[i] = {from[0], from[1], from[2], has_alpha ? from[3] : 1};
  }
  return result;
}

std::vector<uint32_t> GltfAccessors::integers(int index, std::initializer_list<int> types) const {
  return with_accessor_name(index, [&] { return read_integers(accessor(index, types)); });
}

}  // namespace sinew::internal
