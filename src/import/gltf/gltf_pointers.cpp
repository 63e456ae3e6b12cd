#include "gltf/gltf_pointers.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "failure.h"
#include "gltf/gltf_lost.h"

namespace sinew::internal {
namespace {

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

}  // namespace

bool resolve_pointers(Json& gltf, LostFeatures& lost) {
  if (!gltf.is_object() || !gltf.contains("animations") || !gltf["animations"].is_array()) return false;
  PointerReader reader(gltf);
  bool changed = false;
  for (Json& animation : gltf["animations"]) {
    if (!animation.is_object() || !animation.contains("channels") || !animation["channels"].is_array()) continue;
    Json& channels = animation["channels"];
    if (std::none_of(channels.begin(), channels.end(), [](const Json& channel) { return bool(pointer_of(channel)); }))
      continue;
    channels = resolved(channels, reader, lost);
    changed = true;
  }
  return changed;
}

}  // namespace sinew::internal
