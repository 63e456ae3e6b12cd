#include "gltf/gltf_json.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "gltf/gltf_pointers.h"
#include "gltf/gltf_uri.h"

namespace sinew::internal {
namespace {

using Json = nlohmann::json;

constexpr size_t kGlbHeaderBytes = 12, kChunkHeaderBytes = 8;

/// An extension of an object; null if it has none.
const Json* extension_of(const Json& object, const char* name) {
  if (!object.is_object() || !object.contains("extensions")) return nullptr;
  const Json& extensions = object["extensions"];
  if (!extensions.is_object() || !extensions.contains(name) || !extensions[name].is_object()) return nullptr;
  return &extensions[name];
}

/// Calls `change` for each element of an array. Without that array nothing happens.
template <class Change>
void for_each_of(Json& object, const char* name, Change change) {
  if (!object.is_object() || !object.contains(name) || !object[name].is_array()) return;
  for (Json& element : object[name]) change(element);
}

/// Returns whether anything changed.
bool fill_fallback_buffers(Json& json) {
  bool changed = false;
  for_each_of(json, "buffers", [&](Json& buffer) {
    const Json* extension = extension_of(buffer, "EXT_meshopt_compression");
    if (extension == nullptr || buffer.contains("uri") || extension->value("fallback", Json()) != Json(true)) return;
    buffer["uri"] = "data:application/octet-stream;base64,AAAA";
    buffer["byteLength"] = 3;
    changed = true;
  });
  return changed;
}

bool remove_compressed_indices(Json& json) {
  bool changed = false;
  for_each_of(json, "meshes", [&](Json& mesh) {
    for_each_of(mesh, "primitives", [&](Json& primitive) {
      if (extension_of(primitive, "KHR_draco_mesh_compression") == nullptr) return;
      changed |= primitive.erase("indices") > 0;
    });
  });
  return changed;
}

bool rewrite_uris(Json& json) {
  bool changed = false;
  for_each_of(json, "buffers", [&](Json& buffer) {
    if (!buffer.is_object() || !buffer.contains("uri") || !buffer["uri"].is_string()) return;
    std::string& uri = buffer["uri"].get_ref<std::string&>();
    if (!parser_mistakes(uri)) return;
    uri = uri_for_parser(uri);
    changed = true;
  });
  return changed;
}

void append_number(std::vector<uint8_t>& bytes, size_t number) {
  const uint32_t value = uint32_t(number);
  const auto* first = reinterpret_cast<const uint8_t*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

/// A GLB with another JSON chunk in front of the chunks that `file` has after its first.
std::vector<uint8_t> with_json(std::span<const uint8_t> file, std::string json) {
  uint32_t old_bytes = 0;
  std::memcpy(&old_bytes, &file[kGlbHeaderBytes], sizeof old_bytes);
  const std::span rest = file.subspan(kGlbHeaderBytes + kChunkHeaderBytes + old_bytes);
  json.append((4 - json.size() % 4) % 4, ' ');
  std::vector<uint8_t> result(file.begin(), file.begin() + 8);  // magic and version
  append_number(result, kGlbHeaderBytes + kChunkHeaderBytes + json.size() + rest.size());
  append_number(result, json.size());
  result.insert(result.end(), file.begin() + 16, file.begin() + 20);  // the type of the chunk
  result.insert(result.end(), json.begin(), json.end());
  result.insert(result.end(), rest.begin(), rest.end());
  return result;
}

}  // namespace

std::vector<uint8_t> readable_by_parser(const std::vector<uint8_t>& bytes, bool binary, LostFeatures& lost) {
  const size_t header_bytes = binary ? kGlbHeaderBytes + kChunkHeaderBytes : 0;
  size_t json_bytes = bytes.size();
  if (binary) {
    uint32_t chunk_bytes = 0;
    std::memcpy(&chunk_bytes, &bytes[kGlbHeaderBytes], sizeof chunk_bytes);
    json_bytes = chunk_bytes;
  }
  const auto* text = reinterpret_cast<const char*>(bytes.data()) + header_bytes;
  Json json = Json::parse(text, text + json_bytes);
  bool changed = fill_fallback_buffers(json);
  changed |= remove_compressed_indices(json);
  changed |= resolve_pointers(json, lost);
  changed |= rewrite_uris(json);
  if (!changed) return bytes;
  const std::string other = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return binary ? with_json(bytes, other) : std::vector<uint8_t>(other.begin(), other.end());
}

}  // namespace sinew::internal
