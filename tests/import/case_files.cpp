#include "case_files.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>

namespace sinew::test {
namespace {

const std::string kCaseFolder = SINEW_SOURCE_DIR "/tests/import/cases/";

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("there is no " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// --- glTF ---

double number_of(const Json& value) {
  if (value.is_number()) return value;
  return value == "nan"    ? double(NAN)
         : value == "inf"  ? HUGE_VAL
         : value == "-inf" ? -HUGE_VAL
                           : throw std::runtime_error("no number: " + value.dump());
}

template <class T>
std::vector<T> numbers_of(const Json& values) {
  std::vector<T> numbers;
  for (const Json& value : values) numbers.push_back(T(number_of(value)));
  return numbers;
}

int add_values(GltfFile& file, const Json& values, int component, const char* type, bool normalized = false) {
  switch (component) {
    case kByte:
      return file.add_accessor(numbers_of<int8_t>(values), kByte, type, normalized);
    case kUnsignedByte:
      return file.add_accessor(numbers_of<uint8_t>(values), kUnsignedByte, type, normalized);
    case kShort:
      return file.add_accessor(numbers_of<int16_t>(values), kShort, type, normalized);
    case kUnsignedShort:
      return file.add_accessor(numbers_of<uint16_t>(values), kUnsignedShort, type, normalized);
    case kUnsignedInt:
      return file.add_accessor(numbers_of<uint32_t>(values), kUnsignedInt, type, normalized);
    default:
      return file.add_accessor(numbers_of<float>(values), kFloat, type, normalized);
  }
}

/// The bytes of a text with characters up to U+00FF, each of which is a byte.
std::string latin1(const std::string& utf8) {
  std::string bytes;
  for (size_t i = 0; i < utf8.size(); ++i) {
    const auto c = uint8_t(utf8[i]);
    bytes += c < 0x80 ? utf8[i] : char((c & 3) << 6 | (uint8_t(utf8[++i]) & 0x3f));
  }
  return bytes;
}

/// Writes values where the JSON has them into the buffer.
class GltfExpansion {
 public:
  explicit GltfExpansion(const Json& json) {
    file_.json = json;
    for (const char* list : {"accessors", "images", "meshes", "nodes", "skins", "animations"}) {
      if (json.contains(list)) expand(file_.json[list]);
    }
  }
  GltfFile file() const { return file_; }

 private:
  /// An accessor with values gets the view of them; what it says itself stays as it is.
  void expand_accessor(Json& accessor) {
    GltfFile made;
    add_values(made, accessor["values"], accessor.value("componentType", int(kFloat)),
               accessor["type"].get<std::string>().c_str());
    accessor.erase("values");
    Json plain = made.json["accessors"][0];
    plain["bufferView"] = file_.add_view(made.buffer);
    plain.update(accessor);
    accessor = plain;
  }

  void expand(Json& node) {
    if (node.is_object() && node.size() == 1 && expand_value(node, node.begin().key())) return;
    if (node.is_object() && node.contains("channels")) expand_channels(node);
    if (node.is_object() && node.contains("values") && node.contains("type")) expand_accessor(node);
    if (node.is_structured()) {
      for (Json& child : node) expand(child);
    }
  }

  bool expand_value(Json& node, const std::string& key) {
    static const std::map<std::string, int> kComponents = {
        {"i8", kByte}, {"u8", kUnsignedByte}, {"i16", kShort}, {"u16", kUnsignedShort}, {"u32", kUnsignedInt}};
    const std::string text = node.begin()->is_string() ? node.begin()->get<std::string>() : "";
    if (key == "bytes" || key == "base64") {
      node = file_.add_view(key == "bytes" ? latin1(text) : from_base64(text));
      return true;
    }
    const size_t space = key.find(' ');
    const std::string type = space == key.npos ? key : key.substr(space + 1);
    if (type != "SCALAR" && !type.starts_with("VEC") && type != "MAT4") return false;
    std::string component = space == key.npos ? "" : key.substr(0, space);
    const bool normalized = component.ends_with('n');
    if (normalized) component.pop_back();
    const Json values = *node.begin();
    node = add_values(file_, values, component.empty() ? int(kFloat) : kComponents.at(component), type.c_str(),
                      normalized);
    return true;
  }

  /// The channels with keys of a clip get samplers.
  void expand_channels(Json& clip) {
    for (Json& channel : clip["channels"]) {
      if (!channel.contains("keys")) continue;
      Json times = Json::array(), values = Json::array();
      for (const Json& key : channel["keys"]) {
        times.push_back(key.at(0));
        values.insert(values.end(), key.begin() + 1, key.end());
      }
      const std::string path = channel.value("path", "pointer"), what = channel.value("pointer", path);
      const char* type = what.find("weights") != what.npos ? "SCALAR" : what.ends_with("rotation") ? "VEC4" : "VEC3";
      clip["samplers"].push_back({{"input", {{"SCALAR", times}}},
                                  {"output", {{type, values}}},
                                  {"interpolation", channel.value("interpolation", "LINEAR")}});
      Json target = {{"path", path}};
      if (channel.contains("node")) target["node"] = channel["node"];
      if (path == "pointer") target["extensions"]["KHR_animation_pointer"]["pointer"] = what;
      channel = {{"sampler", clip["samplers"].size() - 1}, {"target", target}};
    }
  }

  GltfFile file_;
};

void set(Json& json, const std::string& place, const Json& value) {
  const Json::json_pointer pointer(place);
  if (!value.is_null()) {
    json[pointer] = value;
    return;
  }
  Json& parent = json.at(pointer.parent_pointer());
  if (parent.is_array()) {
    parent.erase(size_t(std::stoul(pointer.back())));
  } else if (parent.erase(pointer.back()) == 0) {
    throw std::runtime_error("there is no " + place);
  }
}

void set_all(Json& json, const Json& row, const char* key) {
  const Json changes = row.value(key, Json::object());
  for (const auto& [place, value] : changes.items()) set(json, place, value);
}

/// `base` is that of the table.
GltfFile gltf_of(const Json& row, const std::string& base) {
  Json json = Json::parse(text_of(kCaseFolder + "bases/" + row.value("base", base)));
  set_all(json, row, "set");
  GltfFile file = GltfExpansion(json).file();
  set_all(file.json, row, "then");
  return file;
}

// --- tables ---

std::vector<Case> rows_of(const std::string& path) {
  const Json table = Json::parse(text_of(path), nullptr, true, true);
  std::vector<Case> cases;
  for (const Json& row : table.at("cases")) {
    cases.push_back({row.at("name"), row.value("file", "model.gltf"), {}, gltf_of(row, table.value("base", "")), row});
  }
  return cases;
}

/// What a case has for the words of its base: lines.
using Slots = std::map<std::string, std::string>;

/// A line that begins with @word, as the word and the rest.
std::pair<std::string, std::string> split_slot(const std::string& line) {
  const size_t space = std::min(line.find(' '), line.size());
  return {line.substr(0, space), space < line.size() ? line.substr(space + 1) + "\n" : ""};
}

std::string filled(const std::string& base, const Slots& slots) {
  std::istringstream lines(base);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    const auto [word, usual] = split_slot(line);
    text += !line.starts_with('@') ? line + "\n" : slots.contains(word) ? slots.at(word) : usual;
  }
  return text;
}

std::vector<Case> sections_of(const std::string& path) {
  std::istringstream lines(text_of(path));
  const std::string extension = std::filesystem::path(path).stem().extension().string();
  std::string base;
  std::vector<std::pair<std::string, Slots>> sections;
  std::string* text = &base;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("== ")) {
      text = &sections.emplace_back(line.substr(3), Slots()).second["@expect"];
    } else if (line.starts_with('@') && !sections.empty()) {
      const auto [word, rest] = split_slot(line);
      if (base.find("\n" + word) == base.npos) throw std::runtime_error(sections.back().first + " has " + word);
      text = &(sections.back().second[word] = rest);
    } else {
      *text += line + "\n";
    }
  }
  std::vector<Case> cases;
  for (auto& [name, slots] : sections) {
    const Json row = slots["@expect"].empty() ? Json::object() : Json::parse(slots["@expect"]);
    cases.push_back({name, row.value("file", "model" + extension), filled(base, slots), std::nullopt, row});
  }
  return cases;
}

}  // namespace

std::vector<Case> read_cases(const std::string& path) {
  return path.ends_with(".json") ? rows_of(path) : sections_of(path);
}

std::vector<Case> folders_of_cases(const std::string& folder) {
  std::vector<Case> cases;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (!std::filesystem::exists(path + "/expect.json")) continue;
    Case one{entry.path().filename().string(), {}, {}, {}, {}};
    for (const auto& file : std::filesystem::directory_iterator(path)) {
      if (file.path().stem() == "model" && file.path().extension() != ".md5anim") one.file = file.path().string();
    }
    const Json rows = Json::parse(text_of(path + "/expect.json"));
    for (const Json& row : rows.is_array() ? rows : Json::array({rows})) {
      one.row = row;
      cases.push_back(one);
      if (row.contains("name")) cases.back().name += ": " + row["name"].get<std::string>();
    }
  }
  return cases;
}

std::string write_case(const Case& one, const TemporaryFolder& folder, bool is_binary) {
  const Json files = one.row.contains("files") ? one.row["files"] : Json::object();
  for (const auto& [name, content] : files.items()) {
    const std::filesystem::path path(folder.path(name));
    std::filesystem::create_directories(path.parent_path());
    if (content.is_string()) folder.write(name, latin1(content));
    if (content.contains("base64")) folder.write(name, from_base64(content["base64"].get<std::string>()));
    if (content.contains("base")) gltf_of(content, "").write(folder, name);
  }
  if (!one.gltf)
    return one.text.empty() && one.file.find('/') != one.file.npos ? one.file : folder.write(one.file, one.text);
  GltfFile file = *one.gltf;
  return is_binary ? file.write_binary(folder) : file.write(folder, one.file);
}

}  // namespace sinew::test
