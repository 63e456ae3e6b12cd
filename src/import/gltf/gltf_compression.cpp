// Source: KHR_draco_mesh_compression, and the decoder of Draco.

#include "gltf/gltf_compression.h"

#include <draco/compression/decode.h>
#include <meshoptimizer.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "failure.h"
#include "gltf/gltf_accessors.h"

namespace sinew::internal {
namespace {

constexpr const char* kDraco = "KHR_draco_mesh_compression";
constexpr uint64_t kMaxModelBytes = uint64_t(1) << 31;  // of one model

int number_of(const tinygltf::Value& object, const char* name) {
  require(object.Has(name) && object.Get(name).IsInt(),
          [&] { return std::string(kDraco) + " has no number '" + name + "'"; });
  return object.Get(name).GetNumberAsInt();
}

std::unique_ptr<draco::Mesh> decode(std::span<const uint8_t> bytes) {
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  draco::Decoder decoder;
  try {
    draco::StatusOr<std::unique_ptr<draco::Mesh>> mesh = decoder.DecodeMeshFromBuffer(&buffer);
    if (mesh.ok() && mesh.value() != nullptr) return std::move(mesh).value();
  } catch (const std::length_error&) {  // of a container, for a size in damaged data
  }
  fail("its compressed data is damaged");
}

/// The decoder does not check what an attribute refers to.
void check_attribute(const draco::PointAttribute& attribute, uint32_t point_count) {
  const draco::DataBuffer* values = attribute.buffer();
  const int64_t stride = attribute.byte_stride(), offset = attribute.byte_offset();
  const int64_t value_bytes = int64_t(attribute.num_components()) * draco::DataTypeLength(attribute.data_type());
  require(values != nullptr && offset >= 0 && value_bytes > 0 && stride >= value_bytes,
          [] { return "its compressed data is damaged"; });
  const uint64_t held =
      values->data_size() < size_t(offset) ? 0 : (values->data_size() - size_t(offset)) / size_t(stride);
  for (uint32_t point = 0; point < point_count; ++point) {
    const bool is_mapped = attribute.is_mapping_identity() || point < attribute.indices_map_size();
    require(is_mapped && attribute.mapped_index(draco::PointIndex(point)).value() < held,
            [] { return "its compressed data is damaged"; });
  }
}

/// The values of all points, one after the other, each of `width` components.
template <class Component>
std::vector<uint8_t> values_of(const draco::PointAttribute& attribute, uint32_t point_count, int width) {
  const size_t stride = size_t(width) * sizeof(Component);
  std::vector<uint8_t> bytes(point_count * stride);
  std::vector<Component> value(size_t(width), Component(0));
  for (uint32_t point = 0; point < point_count; ++point) {
    const bool fits =
        attribute.ConvertValue(attribute.mapped_index(draco::PointIndex(point)), int8_t(width), value.data());
    require(fits, [] { return "its compressed data does not fit its accessors"; });
    std::memcpy(&bytes[point * stride], value.data(), stride);
  }
  return bytes;
}

std::vector<uint8_t> values_of(const draco::PointAttribute& attribute, uint32_t point_count, int width, int component) {
  switch (component) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
      return values_of<int8_t>(attribute, point_count, width);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      return values_of<uint8_t>(attribute, point_count, width);
    case TINYGLTF_COMPONENT_TYPE_SHORT:
      return values_of<int16_t>(attribute, point_count, width);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      return values_of<uint16_t>(attribute, point_count, width);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
      return values_of<uint32_t>(attribute, point_count, width);
    case TINYGLTF_COMPONENT_TYPE_FLOAT:
      return values_of<float>(attribute, point_count, width);
    default:
      fail("its component type " + std::to_string(component) + " is unknown");
  }
}

/// Decodes the primitives of one model, which it borrows.
class DracoDecoder {
 public:
  explicit DracoDecoder(tinygltf::Model& model) : model_(model) {}

  void decode_primitive(tinygltf::Primitive& primitive, const tinygltf::Value& extension) {
    require(primitive.mode == TINYGLTF_MODE_TRIANGLES || primitive.mode == TINYGLTF_MODE_TRIANGLE_STRIP,
            [] { return "it is compressed, but its mode is neither that of triangles nor that of a strip"; });
    const int view = number_of(extension, "bufferView");
    const std::unique_ptr<draco::Mesh> mesh = decode(GltfAccessors(model_).view(view, 0, false).bytes);
    require(extension.Has("attributes") && extension.Get("attributes").IsObject(),
            [] { return std::string(kDraco) + " names no attributes"; });
    const tinygltf::Value& ids = extension.Get("attributes");
    for (auto& [name, accessor] : primitive.attributes) {
      if (ids.Has(name)) accessor = decode_attribute(*mesh, number_of(ids, name.c_str()), accessor);
    }
    primitive.indices = decode_indices(*mesh);
    primitive.mode = TINYGLTF_MODE_TRIANGLES;
  }

 private:
  int decode_attribute(const draco::Mesh& mesh, int id, int index) {
    tinygltf::Accessor accessor = at(model_.accessors, index, "accessor");
    const draco::PointAttribute* attribute = id < 0 ? nullptr : mesh.GetAttributeByUniqueId(uint32_t(id));
    require(attribute != nullptr, [&] { return "its compressed data has no attribute " + std::to_string(id); });
    require(accessor.count == mesh.num_points(), [&] {
      return "accessor " + std::to_string(index) + " has " + std::to_string(accessor.count) + " elements, but its " +
             "compressed data " + std::to_string(mesh.num_points());
    });
    const int width = tinygltf::GetNumComponentsInType(uint32_t(accessor.type));
    require(width > 0, [&] { return "accessor " + std::to_string(index) + ": its type is unknown"; });
    check_attribute(*attribute, mesh.num_points());
    count_bytes(uint64_t(mesh.num_points()) * uint64_t(width) * sizeof(float));
    return add(std::move(accessor), values_of(*attribute, mesh.num_points(), width, accessor.componentType));
  }

  int decode_indices(const draco::Mesh& mesh) {
    std::vector<uint8_t> bytes(size_t(mesh.num_faces()) * 3 * sizeof(uint32_t));
    count_bytes(bytes.size());
    for (uint32_t face = 0; face < mesh.num_faces(); ++face) {
      for (size_t corner = 0; corner < 3; ++corner) {
        const uint32_t point = mesh.face(draco::FaceIndex(face))[corner].value();
        std::memcpy(&bytes[(face * 3 + corner) * sizeof point], &point, sizeof point);
      }
    }
    tinygltf::Accessor accessor;
    accessor.componentType = TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;
    accessor.type = TINYGLTF_TYPE_SCALAR;
    accessor.count = size_t(mesh.num_faces()) * 3;
    accessor.sparse = {};  // tinygltf leaves it as it is
    return add(std::move(accessor), std::move(bytes));
  }

  /// Many primitives may refer to the same few bytes.
  void count_bytes(uint64_t bytes) {
    decoded_bytes_ += bytes;
    require(decoded_bytes_ <= kMaxModelBytes, [] { return "its compressed data is larger than 2 GiB"; });
  }

  /// Adds an accessor over its own buffer. Returns its index.
  int add(tinygltf::Accessor accessor, std::vector<uint8_t> bytes) {
    tinygltf::BufferView view;
    view.buffer = int(model_.buffers.size());
    view.byteLength = bytes.size();
    tinygltf::Buffer buffer;
    buffer.data = std::move(bytes);
    accessor.bufferView = int(model_.bufferViews.size());
    accessor.byteOffset = 0;
    model_.buffers.push_back(std::move(buffer));
    model_.bufferViews.push_back(std::move(view));
    model_.accessors.push_back(std::move(accessor));
    return int(model_.accessors.size()) - 1;
  }

  tinygltf::Model& model_;
  uint64_t decoded_bytes_ = 0;
};

// Sources: EXT_meshopt_compression, KHR_meshopt_compression, and the decoders of meshoptimizer.

constexpr const char* kMeshopt[] = {"KHR_meshopt_compression", "EXT_meshopt_compression"};
constexpr uint64_t kMaxViewBytes = uint64_t(1) << 31;     // of one view
constexpr uint64_t kMaxExpansion = 256;                   // of decoded to encoded bytes: the codec reaches about 64
constexpr uint64_t kMaxDecodedTotal = uint64_t(1) << 31;  // of one model
constexpr uint64_t kMaxVertexBytes = 256;

/// What the extension says of a buffer view.
struct Encoded {
  std::span<const uint8_t> bytes;
  uint64_t count = 0, stride = 0;
  std::string mode, filter;
};

uint64_t number_of(const tinygltf::Value& extension, const char* name, uint64_t absent) {
  if (!extension.Has(name)) return absent;
  const tinygltf::Value& value = extension.Get(name);
  require(value.IsNumber() && value.GetNumberAsDouble() >= 0 && value.GetNumberAsDouble() <= double(kMaxViewBytes),
          [&] { return std::string("its ") + name + " is no size"; });
  return uint64_t(value.GetNumberAsDouble());
}

std::string word_of(const tinygltf::Value& extension, const char* name, const char* absent) {
  if (!extension.Has(name)) return absent;
  const tinygltf::Value& value = extension.Get(name);
  require(value.IsString(), [&] { return std::string("its ") + name + " is no text"; });
  return value.Get<std::string>();
}

Encoded encoded_view(const tinygltf::Model& model, const tinygltf::Value& extension) {
  require(extension.IsObject(), [] { return "its extension is no object"; });
  const uint64_t buffer = number_of(extension, "buffer", kMaxViewBytes);
  const auto& data = at(model.buffers, int(std::min<uint64_t>(buffer, INT32_MAX)), "buffer").data;
  const uint64_t offset = number_of(extension, "byteOffset", 0), length = number_of(extension, "byteLength", 0);
  require(offset <= data.size() && length <= data.size() - offset, [] { return "it reaches past its buffer"; });
  Encoded encoded;
  encoded.bytes = std::span(data).subspan(offset, length);
  encoded.count = number_of(extension, "count", 0), encoded.stride = number_of(extension, "byteStride", 0);
  encoded.mode = word_of(extension, "mode", "ATTRIBUTES");
  encoded.filter = word_of(extension, "filter", "NONE");
  return encoded;
}

void check_sizes(const Encoded& encoded) {
  require(encoded.mode == "ATTRIBUTES" || encoded.mode == "TRIANGLES" || encoded.mode == "INDICES",
          [&] { return "its mode '" + encoded.mode + "' is unknown"; });
  const uint64_t decoded = encoded.count * encoded.stride;  // both are at most 2^31
  const bool indices = encoded.mode != "ATTRIBUTES";
  const uint64_t stride = encoded.stride;
  const bool strides_fit =
      indices ? stride == 2 || stride == 4 : stride % 4 == 0 && stride > 0 && stride <= kMaxVertexBytes;
  require(strides_fit, [&] { return "its stride of " + std::to_string(stride) + " bytes is not allowed"; });
  require(decoded <= kMaxViewBytes && decoded <= encoded.bytes.size() * kMaxExpansion,
          [&] { return std::to_string(encoded.bytes.size()) + " bytes cannot hold " + std::to_string(decoded); });
  require(encoded.mode != "TRIANGLES" || encoded.count % 3 == 0, [] { return "its indices are no whole triangles"; });
}

[[noreturn]] void fail_of_old_decoder(const std::string& what) {
  fail("it has " + what + " of Meshopt, which meshoptimizer " + std::to_string(MESHOPTIMIZER_VERSION / 1000) + "." +
           std::to_string(MESHOPTIMIZER_VERSION % 1000 / 10) + " does not read: export it with gltfpack -cc",
       ErrorCode::kUnsupported);
}

void decode_color_filter([[maybe_unused]] const Encoded& encoded, [[maybe_unused]] std::vector<uint8_t>& decoded) {
#if MESHOPTIMIZER_VERSION >= 250
  require(encoded.stride == 4 || encoded.stride == 8, [] { return "its stride is not that of its filter"; });
  meshopt_decodeFilterColor(decoded.data(), encoded.count, encoded.stride);
#else
  fail_of_old_decoder("the filter of colors");
#endif
}

void apply_filter(const Encoded& encoded, std::vector<uint8_t>& decoded) {
  if (encoded.filter == "NONE") return;
  require(encoded.mode == "ATTRIBUTES", [] { return "its filter is not for indices"; });
  if (encoded.filter == "OCTAHEDRAL") {
    require(encoded.stride == 4 || encoded.stride == 8, [] { return "its stride is not that of its filter"; });
    meshopt_decodeFilterOct(decoded.data(), encoded.count, encoded.stride);
  } else if (encoded.filter == "QUATERNION") {
    require(encoded.stride == 8, [] { return "its stride is not that of its filter"; });
    meshopt_decodeFilterQuat(decoded.data(), encoded.count, encoded.stride);
  } else if (encoded.filter == "EXPONENTIAL") {
    meshopt_decodeFilterExp(decoded.data(), encoded.count, encoded.stride);
  } else if (encoded.filter == "COLOR") {
    decode_color_filter(encoded, decoded);
  } else {
    fail("its filter '" + encoded.filter + "' is unknown");
  }
}

/// A decoder that does not know a version says no more than that the data is wrong.
void check_version(const Encoded& encoded) {
  if (encoded.bytes.empty()) return;
  const bool has_vertices = encoded.mode == "ATTRIBUTES";
  const int kind = has_vertices ? 0xa0 : encoded.mode == "TRIANGLES" ? 0xe0 : 0xd0;
  const int newest = has_vertices && MESHOPTIMIZER_VERSION < 230 ? 0 : 1;
  const int version = encoded.bytes[0] - kind;
  if (version > newest && version < 16) fail_of_old_decoder("version " + std::to_string(version));
}

std::vector<uint8_t> decode(const Encoded& encoded) {
  std::vector<uint8_t> decoded(encoded.count * encoded.stride);
  if (decoded.empty()) return decoded;
  const unsigned char* bytes = encoded.bytes.data();
  const size_t size = encoded.bytes.size();
  int outcome = -1;
  if (encoded.mode == "ATTRIBUTES") {
    outcome = meshopt_decodeVertexBuffer(decoded.data(), encoded.count, encoded.stride, bytes, size);
  } else if (encoded.mode == "TRIANGLES") {
    outcome = meshopt_decodeIndexBuffer(decoded.data(), encoded.count, encoded.stride, bytes, size);
  } else {
    outcome = meshopt_decodeIndexSequence(decoded.data(), encoded.count, encoded.stride, bytes, size);
  }
  if (outcome != 0) check_version(encoded);
  require(outcome == 0, [] { return "its compressed data is damaged"; });
  apply_filter(encoded, decoded);
  return decoded;
}

/// What one model may still decode. Many views may refer to the same few bytes.
struct Budget {
  uint64_t bytes = 0;

  explicit Budget(const tinygltf::Model& model) {
    for (const tinygltf::Buffer& buffer : model.buffers) bytes += buffer.data.size();
    bytes = std::min(bytes * kMaxExpansion, kMaxDecodedTotal);
  }

  void spend(uint64_t decoded) {
    require(decoded <= bytes, [] { return "with it, the decoded data is too large for the size of the file"; });
    bytes -= decoded;
  }
};

void decode_view(tinygltf::Model& model, size_t index, Budget& budget) {
  const auto& extensions = model.bufferViews[index].extensions;
  const auto* const name = std::find_if(std::begin(kMeshopt), std::end(kMeshopt),
                                        [&](const char* meshopt) { return extensions.count(meshopt) > 0; });
  if (name == std::end(kMeshopt)) return;
  const Encoded encoded = encoded_view(model, extensions.at(*name));
  check_sizes(encoded);
  budget.spend(encoded.count * encoded.stride);
  tinygltf::Buffer buffer;
  buffer.data = decode(encoded);
  tinygltf::BufferView& view = model.bufferViews[index];
  view.buffer = int(model.buffers.size());
  view.byteOffset = 0, view.byteLength = buffer.data.size();
  view.byteStride = encoded.mode == "ATTRIBUTES" ? size_t(encoded.stride) : 0;
  model.buffers.push_back(std::move(buffer));
}

}  // namespace

void decode_draco(tinygltf::Model& model) {
  DracoDecoder decoder(model);
  for (tinygltf::Mesh& mesh : model.meshes) {
    for (tinygltf::Primitive& primitive : mesh.primitives) {
      const auto found = primitive.extensions.find(kDraco);
      if (found == primitive.extensions.end()) continue;
      try {
        decoder.decode_primitive(primitive, found->second);
      } catch (const ImportFailure& failure) {
        throw ImportFailure{failure.code, "mesh '" + mesh.name + "': " + failure.reason};
      }
    }
  }
}

void decode_meshopt(tinygltf::Model& model) {
  Budget budget(model);
  for (size_t view = 0; view < model.bufferViews.size(); ++view) {
    try {
      decode_view(model, view, budget);
    } catch (const ImportFailure& failure) {
      throw ImportFailure{failure.code, "buffer view " + std::to_string(view) + ": " + failure.reason};
    }
  }
}

}  // namespace sinew::internal
