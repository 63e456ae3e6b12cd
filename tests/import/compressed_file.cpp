#include "compressed_file.h"

#include <draco/compression/encode.h>
#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>
#include <vector>

#include "gltf_file.h"

namespace sinew::test {
namespace {

constexpr const char* kQuantization = "KHR_mesh_quantization";
constexpr const char* kMeshopt = "EXT_meshopt_compression";
constexpr const char* kDraco = "KHR_draco_mesh_compression";

uint32_t number_at(std::string_view bytes, size_t offset) {
  uint32_t number = 0;
  std::memcpy(&number, bytes.substr(offset, sizeof number).data(), sizeof number);
  return number;
}

GltfFile parsed(std::string_view glb) {
  const size_t json_bytes = number_at(glb, 12);
  GltfFile file;
  file.json = Json::parse(glb.substr(20, json_bytes));
  file.buffer = glb.substr(28 + json_bytes, number_at(glb, 20 + json_bytes));
  for (const char* unused : {"images", "textures", "samplers"}) file.json.erase(unused);
  for (Json& material : file.json["materials"]) material["pbrMetallicRoughness"].erase("baseColorTexture");
  return file;
}

size_t width_of(const Json& accessor) {
  const std::string type = accessor["type"];
  return type == "SCALAR" ? 1 : type == "MAT4" ? 16 : size_t(type[3] - '0');
}

/// The values of an accessor without padding. Its sparse part counts.
template <class T>
std::vector<T> values_of(const GltfFile& file, const Json& accessor) {
  const auto read = [&](size_t view, size_t count, auto* values) {
    const Json& json = file.json["bufferViews"].at(view);
    if (json.contains("byteStride")) throw std::runtime_error("the file has a buffer view with a stride");
    std::memcpy(values, file.buffer.substr(json.value("byteOffset", size_t(0)), count * sizeof *values).data(),
                count * sizeof *values);
  };
  const size_t width = width_of(accessor);
  std::vector<T> values(accessor["count"].get<size_t>() * width);
  if (accessor.contains("bufferView")) read(accessor["bufferView"], values.size(), values.data());
  if (!accessor.contains("sparse")) return values;
  const Json& sparse = accessor["sparse"];
  std::vector<uint16_t> indices(sparse["count"].get<size_t>());
  std::vector<T> moved(indices.size() * width);
  read(sparse["indices"]["bufferView"], indices.size(), indices.data());
  read(sparse["values"]["bufferView"], moved.size(), moved.data());
  for (size_t i = 0; i < indices.size(); ++i) std::copy_n(&moved[i * width], width, &values[indices[i] * width]);
  return values;
}

Json& accessor(GltfFile& file, const Json& index) { return file.json["accessors"].at(index.get<size_t>()); }

// --- KHR_mesh_quantization ---

/// A box around all positions, with the same scale along its axes.
struct Grid {
  float low[3] = {1e30f, 1e30f, 1e30f}, step = 0;
};

Grid grid_around(GltfFile& file) {
  Grid grid;
  float high[3] = {-1e30f, -1e30f, -1e30f};
  for (const Json& mesh : file.json["meshes"]) {
    const std::vector<float> positions =
        values_of<float>(file, accessor(file, mesh["primitives"].at(0)["attributes"]["POSITION"]));
    for (size_t i = 0; i < positions.size(); ++i)
      grid.low[i % 3] = std::min(grid.low[i % 3], positions[i]), high[i % 3] = std::max(high[i % 3], positions[i]);
  }
  for (int k = 0; k < 3; ++k) grid.step = std::max(grid.step, (high[k] - grid.low[k]) / 65535);
  return grid;
}

/// Replaces an accessor's values by integers: round(value * scale), each element padded to a multiple of four bytes.
template <class Integer>
void quantize(GltfFile& file, Json& json, const std::vector<float>& values, float scale, ComponentType component,
              bool normalized) {
  const size_t width = width_of(json), stride = (width * sizeof(Integer) + 3) / 4 * 4;
  std::string bytes(values.size() / width * stride, '\0');
  for (size_t i = 0; i < values.size(); ++i) {
    const auto integer = Integer(std::lround(values[i] * scale));
    std::memcpy(&bytes[i / width * stride + i % width * sizeof integer], &integer, sizeof integer);
  }
  for (const char* old : {"min", "max", "sparse", "byteOffset"}) json.erase(old);
  json["bufferView"] = file.add_view(bytes, int(stride));
  json["componentType"] = component;
  json["normalized"] = normalized;
}

void quantize_primitive(GltfFile& file, Json& primitive, const Grid& grid) {
  Json& attributes = primitive["attributes"];
  Json& position = accessor(file, attributes["POSITION"]);
  std::vector<float> positions = values_of<float>(file, position);
  for (size_t i = 0; i < positions.size(); ++i) positions[i] -= grid.low[i % 3];
  quantize<uint16_t>(file, position, positions, 1 / grid.step, kUnsignedShort, false);
  Json& normal = accessor(file, attributes["NORMAL"]);
  quantize<int8_t>(file, normal, values_of<float>(file, normal), 127, kByte, true);
  Json& weights = accessor(file, attributes["WEIGHTS_0"]);
  quantize<uint16_t>(file, weights, values_of<float>(file, weights), 65535, kUnsignedShort, true);
  for (Json& target : primitive.value("targets", Json::array())) {
    Json& delta = accessor(file, target["POSITION"]);
    quantize<int16_t>(file, delta, values_of<float>(file, delta), 1 / grid.step, kShort, false);
  }
}

/// The inverse bind matrices take the grid's coordinates back to the mesh's.
void move_binds(GltfFile& file, Json& skin, const Grid& grid) {
  Json& json = accessor(file, skin["inverseBindMatrices"]);
  std::vector<float> numbers = values_of<float>(file, json);
  for (size_t m = 0; m < numbers.size(); m += 16) {  // column by column
    for (size_t row = 0; row < 3; ++row) {
      for (size_t column = 0; column < 3; ++column) {
        numbers[m + 12 + row] += numbers[m + 4 * column + row] * grid.low[column];
        numbers[m + 4 * column + row] *= grid.step;
      }
    }
  }
  json["bufferView"] = file.add_view(GltfFile::bytes_of(numbers));
}

void quantize(GltfFile& file) {
  const Grid grid = grid_around(file);
  for (Json& mesh : file.json["meshes"]) quantize_primitive(file, mesh["primitives"].at(0), grid);
  for (Json& skin : file.json["skins"]) move_binds(file, skin, grid);
  file.json["extensionsRequired"].push_back(kQuantization);
}

// --- EXT_meshopt_compression ---

std::string encoded_vertices(std::string_view plain, size_t stride) {
  const size_t count = plain.size() / stride;
  std::string bytes(meshopt_encodeVertexBufferBound(count, stride), '\0');
  auto* out = reinterpret_cast<unsigned char*>(bytes.data());
  bytes.resize(meshopt_encodeVertexBuffer(out, bytes.size(), plain.data(), count, stride));
  return bytes;
}

std::string encoded_indices(const std::vector<uint16_t>& indices) {
  std::string bytes(meshopt_encodeIndexBufferBound(indices.size(), 65536), '\0');
  auto* out = reinterpret_cast<unsigned char*>(bytes.data());
  bytes.resize(meshopt_encodeIndexBuffer(out, bytes.size(), indices.data(), indices.size()));
  return bytes;
}

void compress_view(GltfFile& file, size_t view, const std::string& encoded, size_t count, size_t stride,
                   const char* mode) {
  const int bytes = file.add_view(encoded);
  const Json at = file.json["bufferViews"].at(size_t(bytes));
  file.json["bufferViews"].erase(size_t(bytes));
  file.json["bufferViews"].at(view)["extensions"][kMeshopt] = {
      {"buffer", 0},    {"byteOffset", at["byteOffset"]}, {"byteLength", at["byteLength"]},
      {"count", count}, {"byteStride", stride},           {"mode", mode}};
}

void compress_with_meshopt(GltfFile& file) {
  for (Json& mesh : file.json["meshes"]) {
    Json& primitive = mesh["primitives"].at(0);
    for (const Json& index : primitive["attributes"]) {
      const size_t view = accessor(file, index)["bufferView"];
      const Json json = file.json["bufferViews"].at(view);
      const size_t count = accessor(file, index)["count"], bytes = json["byteLength"];
      const std::string plain = file.buffer.substr(json["byteOffset"], bytes);
      compress_view(file, view, encoded_vertices(plain, bytes / count), count, bytes / count, "ATTRIBUTES");
    }
    const Json& indices = accessor(file, primitive["indices"]);
    const auto values = values_of<uint16_t>(file, indices);
    compress_view(file, indices["bufferView"], encoded_indices(values), values.size(), 2, "TRIANGLES");
  }
  file.json["extensionsRequired"].push_back(kMeshopt);
}

// --- KHR_draco_mesh_compression ---

int add_attribute(draco::Mesh& mesh, const GltfFile& file, const Json& accessor, const std::string& name) {
  using Attribute = draco::GeometryAttribute;
  const std::map<std::string, Attribute::Type> kTypes = {
      {"POSITION", Attribute::POSITION}, {"NORMAL", Attribute::NORMAL}, {"TEXCOORD_0", Attribute::TEX_COORD}};
  const auto type = kTypes.find(name);
  const bool bytes = accessor["componentType"] == kUnsignedByte;
  const size_t width = width_of(accessor), count = accessor["count"], size = bytes ? 1 : sizeof(float);
  Attribute attribute;
  attribute.Init(type == kTypes.end() ? Attribute::GENERIC : type->second, nullptr, uint8_t(width),
                 bytes ? draco::DT_UINT8 : draco::DT_FLOAT32, false, int64_t(width * size), 0);
  const int id = mesh.AddAttribute(attribute, true, uint32_t(count));
  const std::vector<float> floats = bytes ? std::vector<float>() : values_of<float>(file, accessor);
  const std::vector<uint8_t> integers = bytes ? values_of<uint8_t>(file, accessor) : std::vector<uint8_t>();
  for (size_t i = 0; i < count; ++i) {
    const void* value = bytes ? static_cast<const void*>(&integers[i * width]) : &floats[i * width];
    mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(uint32_t(i)), value);
  }
  return id;
}

void compress_primitive(GltfFile& file, Json& primitive, int method) {
  draco::Mesh mesh;
  Json ids;
  for (const auto& [name, index] : primitive["attributes"].items()) {
    mesh.set_num_points(accessor(file, index)["count"]);
    ids[name] = mesh.attribute(add_attribute(mesh, file, accessor(file, index), name))->unique_id();
  }
  const auto indices = values_of<uint16_t>(file, accessor(file, primitive["indices"]));
  for (size_t i = 0; i < indices.size(); i += 3)
    mesh.AddFace({draco::PointIndex(indices[i]), draco::PointIndex(indices[i + 1]), draco::PointIndex(indices[i + 2])});
  if (method == draco::MESH_EDGEBREAKER_ENCODING) mesh.DeduplicateAttributeValues();  // points then share values
  draco::Encoder encoder;
  encoder.SetAttributeQuantization(draco::GeometryAttribute::POSITION, 14);
  encoder.SetAttributeQuantization(draco::GeometryAttribute::NORMAL, 10);
  encoder.SetAttributeQuantization(draco::GeometryAttribute::TEX_COORD, 12);
  encoder.SetAttributeQuantization(draco::GeometryAttribute::GENERIC, 12);
  encoder.SetEncodingMethod(method);
  encoder.SetTrackEncodedProperties(true);
  draco::EncoderBuffer bytes;
  if (!encoder.EncodeMeshToBuffer(mesh, &bytes).ok()) throw std::runtime_error("Draco cannot encode the mesh");
  primitive["extensions"][kDraco] = {{"bufferView", file.add_view({bytes.data(), bytes.size()})}, {"attributes", ids}};
  for (const Json& index : primitive["attributes"]) {
    accessor(file, index).erase("bufferView");
    accessor(file, index)["count"] = encoder.num_encoded_points();
  }
  accessor(file, primitive["indices"]).erase("bufferView");
  accessor(file, primitive["indices"])["count"] = encoder.num_encoded_faces() * 3;
}

void compress_with_draco(GltfFile& file, bool sequential) {
  for (Json& mesh : file.json["meshes"]) {
    Json& primitive = mesh["primitives"].at(0);
    if (!sequential) {
      primitive.erase("targets"), mesh.erase("weights");
      for (Json& node : file.json["nodes"]) node.erase("weights");
    }
    compress_primitive(file, primitive,
                       sequential ? draco::MESH_SEQUENTIAL_ENCODING : draco::MESH_EDGEBREAKER_ENCODING);
  }
  file.json["extensionsRequired"].push_back(kDraco);
}

// --- the file ---

/// Moves what the JSON refers to into a new buffer. Views that nothing refers to are left out. Compressed views are
/// those of a fallback buffer without data.
void repack(GltfFile& file) {
  GltfFile packed;
  std::map<size_t, int> new_view;
  size_t fallback_bytes = 0;
  const auto move = [&](Json& parent) {
    if (!parent.contains("bufferView")) return;
    const size_t old = parent["bufferView"];
    const auto [found, is_new] = new_view.try_emplace(old, -1);
    if (is_new) {
      const Json& view = file.json["bufferViews"].at(old);
      const bool compressed = view.contains("extensions");
      const Json& data = compressed ? view["extensions"][kMeshopt] : view;
      const std::string bytes = file.buffer.substr(data.value("byteOffset", size_t(0)), data["byteLength"]);
      found->second = packed.add_view(bytes, view.value("byteStride", 0));
      Json& moved = packed.json["bufferViews"].back();
      if (compressed) {
        Json extension = data;
        extension["byteOffset"] = moved["byteOffset"];
        moved["extensions"][kMeshopt] = extension;
        moved["buffer"] = 1, moved["byteOffset"] = fallback_bytes, moved["byteLength"] = view["byteLength"];
        fallback_bytes += (view["byteLength"].get<size_t>() + 3) / 4 * 4;
      }
    }
    parent["bufferView"] = found->second;
  };
  for (Json& json : file.json["accessors"]) {
    move(json);
    if (json.contains("sparse")) move(json["sparse"]["indices"]), move(json["sparse"]["values"]);
  }
  for (Json& mesh : file.json["meshes"]) {
    for (Json& primitive : mesh["primitives"]) {
      if (primitive.contains("extensions")) move(primitive["extensions"][kDraco]);
    }
  }
  file.json["bufferViews"] = packed.json["bufferViews"];
  file.json["buffers"] = {{{"byteLength", packed.buffer.size()}}};
  if (fallback_bytes > 0) {
    file.json["buffers"].push_back(
        {{"byteLength", fallback_bytes}, {"extensions", {{kMeshopt, {{"fallback", true}}}}}});
  }
  file.buffer = packed.buffer;
}

}  // namespace

std::string compressed_file(std::string_view glb, Compression compression) {
  GltfFile file = parsed(glb);
  const bool draco = compression == Compression::kDraco || compression == Compression::kDracoSequential;
  if (draco) compress_with_draco(file, compression == Compression::kDracoSequential);
  if (!draco) quantize(file);
  if (compression == Compression::kMeshopt) compress_with_meshopt(file);
  file.json["extensionsUsed"] = file.json["extensionsRequired"];
  repack(file);
  return file.binary();
}

}  // namespace sinew::test
