// A builder of small glTF files in a temporary folder: text files with the buffer as a data URI, and binary files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "../files.h"

namespace sinew::test {

using Json = nlohmann::json;

/// Whether the file system takes names that differ in the case of letters for one.
inline bool ignores_case() {
  const TemporaryFolder folder;
  folder.write("a", "");
  return std::filesystem::exists(folder.path("A"));
}
#define SINEW_SKIP_IF_CASE_IS_IGNORED() \
  if (ignores_case()) GTEST_SKIP() << "THE FILE SYSTEM IGNORES CASE: this was not tested here"

inline std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) bits = bits << 8 | (i + k < bytes.size() ? uint8_t(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

inline std::string from_base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  uint32_t bits = 0, count = 0;
  for (const char letter : text.substr(0, text.find('='))) {
    bits = bits << 6 | uint32_t(kDigits.find(letter));
    if ((count += 6) >= 8) bytes += char(bits >> (count -= 8));
  }
  return bytes;
}

enum ComponentType {
  kByte = 5120,
  kUnsignedByte = 5121,
  kShort = 5122,
  kUnsignedShort = 5123,
  kUnsignedInt = 5125,
  kFloat = 5126
};

/// The file's JSON, which a test may change freely, and its only buffer, which grows.
struct GltfFile {
  Json json = {{"asset", {{"version", "2.0"}}}, {"scene", 0}, {"scenes", {{{"nodes", {0}}}}}};
  std::string buffer;

  int add_view(std::string_view bytes, int stride = 0) {
    while (buffer.size() % 4 != 0) buffer += '\0';
    Json view = {{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", bytes.size()}};
    if (stride > 0) view["byteStride"] = stride;
    json["bufferViews"].push_back(view);
    buffer += bytes;
    return int(json["bufferViews"].size()) - 1;
  }

  template <class T>
  static std::string_view bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
  }

  /// `type` is glTF's accessor type ("VEC3"), from which the count of elements follows.
  template <class T>
  int add_accessor(const std::vector<T>& values, ComponentType component, const char* type, bool normalized = false) {
    const size_t width = std::string_view(type) == "SCALAR" ? 1
                         : std::string_view(type) == "MAT4" ? 16
                                                            : size_t(type[3] - '0');
    Json accessor = {{"bufferView", add_view(bytes_of(values))},
                     {"componentType", component},
                     {"count", values.size() / width},
                     {"type", type}};
    if (normalized) accessor["normalized"] = true;
    json["accessors"].push_back(accessor);
    return int(json["accessors"].size()) - 1;
  }
  int add_floats(const std::vector<float>& values, const char* type) { return add_accessor(values, kFloat, type); }

  int add_node(Json node) {
    json["nodes"].push_back(std::move(node));
    return int(json["nodes"].size()) - 1;
  }

  /// Adds one channel: to a new clip, or with `same_clip` to the last one.
  void add_channel(int node, const char* path, const std::vector<float>& times, const std::vector<float>& values,
                   const char* interpolation = "LINEAR", bool same_clip = false) {
    if (!same_clip) json["animations"].push_back({{"channels", Json::array()}, {"samplers", Json::array()}});
    Json& clip = json["animations"].back();
    const char* type = std::string_view(path) == "rotation" ? "VEC4" : "VEC3";
    clip["samplers"].push_back({{"input", add_floats(times, "SCALAR")},
                                {"output", add_floats(values, type)},
                                {"interpolation", interpolation}});
    clip["channels"].push_back(
        {{"sampler", clip["samplers"].size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  }

  /// The bytes of a binary file: the JSON as it is, and the buffer in the second chunk.
  std::string binary() const {
    std::string text = json.dump(), bytes = buffer;
    text.append((4 - text.size() % 4) % 4, ' ');
    bytes.append((4 - bytes.size() % 4) % 4, '\0');
    std::string file = "glTF";
    const auto add = [&file](size_t number) {
      const auto value = uint32_t(number);
      file.append(reinterpret_cast<const char*>(&value), sizeof(value));
    };
    add(2), add(28 + text.size() + bytes.size()), add(text.size()), add(0x4E4F534A);
    file += text;
    add(bytes.size()), add(0x004E4942);
    return file + bytes;
  }

  /// Writes a binary file. Returns its path.
  std::string write_binary(const TemporaryFolder& folder, std::string_view name = "model.glb") {
    json["buffers"] = {{{"byteLength", buffer.size()}}};
    return folder.write(name, binary());
  }

  /// Writes a text file. Returns its path.
  std::string write(const TemporaryFolder& folder, std::string_view name = "model.gltf") {
    if (!json.contains("buffers")) {
      json["buffers"] = {
          {{"byteLength", buffer.size()}, {"uri", "data:application/octet-stream;base64," + base64(buffer)}}};
    }
    return folder.write(name, json.dump());
  }
};

/// A file with four nodes: 0 "armature" (no joint, at y = 10), 1 "hip", 2 "knee" (1 above the hip), and 3 "body" with a
/// mesh of one triangle and skin 0. Vertices (0, 0, 0) and (1, 0, 0) follow the hip, (0, 2, 0) follows the knee.
inline GltfFile two_joints() {
  GltfFile file;
  file.add_node({{"name", "armature"}, {"translation", {0, 10, 0}}, {"children", {1, 3}}});
  file.add_node({{"name", "hip"}, {"children", {2}}});
  file.add_node({{"name", "knee"}, {"translation", {0, 1, 0}}});
  file.add_node({{"name", "body"}, {"mesh", 0}, {"skin", 0}});
  Json attributes;
  attributes["POSITION"] = file.add_floats({0, 0, 0, 1, 0, 0, 0, 2, 0}, "VEC3");
  attributes["JOINTS_0"] = file.add_accessor<uint8_t>({0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, kUnsignedByte, "VEC4");
  attributes["WEIGHTS_0"] = file.add_floats({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
  file.json["meshes"] = {{{"name", "body"}, {"primitives", {{{"attributes", attributes}}}}}};
  const int binds = file.add_floats({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,   // of the hip
                                     1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1},  // of the knee
                                    "MAT4");
  file.json["skins"] = {{{"joints", {1, 2}}, {"inverseBindMatrices", binds}}};
  return file;
}

/// The file's first primitive.
inline Json& primitive(GltfFile& file) { return file.json["meshes"][0]["primitives"][0]; }

}  // namespace sinew::test
