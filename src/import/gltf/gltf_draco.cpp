// Source: KHR_draco_mesh_compression, and the decoder of Draco.
#include "gltf/gltf_draco.h"

#include <draco/compression/decode.h>

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

}  // namespace sinew::internal
