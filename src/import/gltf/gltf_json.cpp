#include "gltf/gltf_json.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "failure.h"
#include "gltf/gltf_head.h"
#include "gltf/gltf_lost.h"
#include "lost_features.h"

namespace sinew::internal {
namespace {

int hexadecimal(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

/// Whether a percent sign and two digits begin at `i`.
bool is_escape(std::string_view uri, size_t i) {
  return uri[i] == '%' && i + 2 < uri.size() && hexadecimal(uri[i + 1]) >= 0 && hexadecimal(uri[i + 2]) >= 0;
}

// Animation channels that name what they animate by a JSON pointer. Source: KHR_animation_pointer, and the object model
// of glTF 2.0.

using Json = nlohmann::json;

constexpr const char* kPointerExtension = "KHR_animation_pointer";
constexpr size_t kMaxChannels = size_t(1) << 16;  // one channel for a mesh becomes one for each of its nodes

/// The pointer of a channel; nothing if it is an ordinary channel. Empty if it is malformed.
std::optional<std::string> pointer_of(const Json& channel) {
  if (!channel.is_object() || !channel.contains("target") || !channel["target"].is_object()) return std::nullopt;
  const Json& target = channel["target"];
  if (!target.contains("path") || target["path"] != "pointer") return std::nullopt;
  const Json::json_pointer place(std::string("/extensions/") + kPointerExtension + "/pointer");
  const bool given = target.contains(place) && target[place].is_string();
  return given ? target[place].get<std::string>() : std::string();
}

/// "/nodes/12/scale" as {"nodes", "12", "scale"}.
std::vector<std::string_view> words_of(std::string_view pointer) {
  std::vector<std::string_view> words;
  while (pointer.starts_with('/')) {
    pointer.remove_prefix(1);
    words.push_back(pointer.substr(0, pointer.find('/')));
    pointer.remove_prefix(words.back().size());
  }
  return words;
}

std::optional<int> index_of(std::string_view word) {
  const bool digits = std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (word.empty() || word.size() > 9 || !digits) return std::nullopt;
  int index = 0;
  for (const char digit : word) index = index * 10 + (digit - '0');
  return index;
}

/// What a pointer animates, as far as it is kept.
struct Animated {
  std::vector<int> nodes;
  std::string path;
};

class PointerReader {
 public:
  explicit PointerReader(const Json& gltf) {
    if (!gltf.contains("nodes") || !gltf["nodes"].is_array()) return;
    int index = 0;
    for (const Json& node : gltf["nodes"]) {
      if (node.is_object() && !node.contains("weights")) nodes_of_[node.value("mesh", Json())].push_back(index);
      ++index;
    }
  }

  std::optional<Animated> read(std::string_view pointer) {
    const std::vector<std::string_view> words = words_of(pointer);
    if (words.size() < 3 || words.size() > 4) return std::nullopt;
    const std::optional<int> index = index_of(words[1]);
    const bool weights = words[2] == "weights", one = words.size() == 4;
    if (!index || (one && !(weights && index_of(words[3])))) return std::nullopt;
    std::string path(words[2]);
    if (one) path += "/" + std::string(words[3]);
    if (words[0] == "meshes" && weights) return Animated{nodes_of_mesh(*index), path};
    const bool kept = weights || words[2] == "translation" || words[2] == "rotation" || words[2] == "scale";
    if (words[0] != "nodes" || !kept) return std::nullopt;
    return Animated{{*index}, path};
  }

 private:
  std::vector<int> nodes_of_mesh(int mesh) {
    const std::vector<int>& nodes = nodes_of_[mesh];
    channels_ += nodes.size();
    require(channels_ <= kMaxChannels, [] { return "its pointers to meshes animate more than 65536 nodes"; });
    return nodes;
  }

  std::map<Json, std::vector<int>> nodes_of_;  // by mesh: those that take their weights from the mesh
  size_t channels_ = 0;
};

void lose(const std::string& pointer, LostFeatures& lost) {
  const auto begins = [&](std::string_view beginning) { return pointer.starts_with(beginning); };
  if (begins("/cameras/") || begins("/extensions/KHR_lights_")) return;  // a character has none
  const bool visibility = pointer.find("/KHR_node_visibility/") != pointer.npos;
  lost.add(visibility ? kLostVisibility : begins("/materials/") ? kLostMaterialAnimation : kLostPointer, pointer);
}

/// The channels of one animation, with those of pointers replaced.
Json resolved(const Json& channels, PointerReader& reader, LostFeatures& lost) {
  Json result = Json::array();
  for (const Json& channel : channels) {
    const std::optional<std::string> pointer = pointer_of(channel);
    if (!pointer) {
      result.push_back(channel);
      continue;
    }
    const std::optional<Animated> animated = reader.read(*pointer);
    if (!animated) lose(*pointer, lost);
    for (const int node : animated ? animated->nodes : std::vector<int>()) {
      result.push_back({{"sampler", channel.value("sampler", Json())}, {"target", {{"node", node}}}});
      result.back()["target"]["path"] = animated->path;
    }
  }
  return result;
}

/// Rewrites the channels of a glTF file that point to the translation, rotation, scale or weights of a node, or to the
/// weights of a mesh, as channels of nodes. A channel for one weight gets the path "weights/2". Removes the others:
/// those are lost. Returns whether anything changed.
bool resolve_pointers(Json& gltf, LostFeatures& lost) {
  if (!gltf.is_object() || !gltf.contains("animations") || !gltf["animations"].is_array()) return false;
  PointerReader reader(gltf);
  bool changed = false;
  for (Json& animation : gltf["animations"]) {
    if (!animation.is_object() || !animation.contains("channels") || !animation["channels"].is_array()) continue;
    Json& channels = animation["channels"];
    if (std::ranges::none_of(channels, [](const Json& channel) { return bool(pointer_of(channel)); })) continue;
    channels = resolved(channels, reader, lost);
    changed = true;
  }
  return changed;
}

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
    const Json* extension = extension_of(buffer, "KHR_meshopt_compression");
    if (extension == nullptr) extension = extension_of(buffer, "EXT_meshopt_compression");
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

/// A callback of the parser: of "extras" the names of morph targets are kept, the rest takes no memory.
struct WithoutExtras {
  bool& changed;
  int extras_depth = 0;  // of the keys of the object that has the "extras" that are read; 0: none are
  bool is_name = false;  // whether the last key was that of the names

  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    const bool is_inside = extras_depth > 0 && depth > extras_depth;
    if (event == Json::parse_event_t::value) {
      const bool keeps = !is_inside || (is_name && parsed.is_string());
      changed |= !keeps;
      return keeps;
    }
    if (event != Json::parse_event_t::key) return true;
    const std::string& name = parsed.get_ref<const std::string&>();
    if (depth <= extras_depth) extras_depth = 0;
    if (extras_depth == 0 && name == "extras") extras_depth = depth;
    is_name = name == "targetNames";
    const bool keeps = extras_depth == 0 || depth == extras_depth || is_name;
    changed |= !keeps;
    return keeps;
  }
};

void append_number(std::vector<uint8_t>& bytes, size_t number) {
  const uint32_t value = uint32_t(number);
  const auto* first = reinterpret_cast<const uint8_t*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

/// A GLB with another JSON chunk in front of the chunks that `file` has after its first.
std::vector<uint8_t> with_json(std::span<const uint8_t> file, std::string json) {
  const std::span rest = file.subspan(kGlbHeaders + number_at(file, kJsonSizeInGlb));
  json.append((4 - json.size() % 4) % 4, ' ');
  std::vector<uint8_t> result(file.begin(), file.begin() + 8);  // magic and version
  append_number(result, kGlbHeaders + json.size() + rest.size());
  append_number(result, json.size());
  result.insert(result.end(), file.begin() + 16, file.begin() + 20);  // the type of the chunk
  result.insert(result.end(), json.begin(), json.end());
  result.insert(result.end(), rest.begin(), rest.end());
  return result;
}

}  // namespace

std::string decoded_uri(std::string_view uri) {
  std::string text;
  for (size_t i = 0; i < uri.size(); ++i) {
    if (is_escape(uri, i)) {
      text += char(hexadecimal(uri[i + 1]) * 16 + hexadecimal(uri[i + 2]));
      i += 2;
    } else {
      text += uri[i];
    }
  }
  return text;
}

bool parser_mistakes(std::string_view uri) { return !uri.starts_with("data:") && uri_for_parser(uri) != uri; }

std::string uri_for_parser(std::string_view uri) {
  std::string text;
  for (size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '+') {
      text += "%2B";
    } else if (uri[i] == '%' && !is_escape(uri, i)) {
      text += "%25";
    } else {
      text += uri[i];
    }
  }
  return text;
}

std::vector<uint8_t> readable_by_parser(const std::vector<uint8_t>& bytes, bool binary, LostFeatures& lost) {
  const size_t header_bytes = binary ? kGlbHeaders : 0;
  const size_t json_bytes = binary ? number_at(bytes, kJsonSizeInGlb) : bytes.size();
  const auto* text = reinterpret_cast<const char*>(bytes.data()) + header_bytes;
  bool changed = false;
  Json json = Json::parse(text, text + json_bytes, WithoutExtras{changed});
  changed |= fill_fallback_buffers(json);
  changed |= remove_compressed_indices(json);
  changed |= resolve_pointers(json, lost);
  changed |= rewrite_uris(json);
  if (!changed) return bytes;
  const std::string other = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return binary ? with_json(bytes, other) : std::vector<uint8_t>(other.begin(), other.end());
}

}  // namespace sinew::internal
