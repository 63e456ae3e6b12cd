#include "tools/model_additions.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "asset/file.h"
#include "system/similar_words.h"
#include "system/text.h"

namespace sinew::app {
namespace {

using Json = nlohmann::json;

/// A field of an item. `take` is false for a value of another type.
struct Field {
  std::string_view name;
  const char* type;  // as in "is not a text"
  std::function<bool(const Json&)> take;
  bool required = false;
};

Field text_field(std::string_view name, std::string& value, bool required = false) {
  const auto take = [&value](const Json& json) {
    if (json.is_string()) value = json.get<std::string>();
    return json.is_string();
  };
  return {name, "a text", take, required};
}

Field texts_field(std::string_view name, std::vector<std::string>& value, bool required = false) {
  const auto take = [&value](const Json& json) {
    if (!json.is_array() || !std::ranges::all_of(json, &Json::is_string)) return false;
    value = json.get<std::vector<std::string>>();
    return true;
  };
  return {name, "a list of texts", take, required};
}

Field flag_field(std::string_view name, bool& value) {
  const auto take = [&value](const Json& json) {
    if (json.is_boolean()) value = json.get<bool>();
    return json.is_boolean();
  };
  return {name, "true or false", take};
}

Field matrix_field(std::string_view name, Matrix3x4& value) {
  const auto take = [&value](const Json& json) {
    if (!json.is_array() || json.size() != 12 || !std::ranges::all_of(json, &Json::is_number)) return false;
    for (size_t i = 0; i < 12; ++i) value.m[i / 4][i % 4] = json[i].get<float>();
    return true;
  };
  return {name, "a list of 12 numbers", take};
}

Error fault(const std::string& what) { return {ErrorCode::kInvalidData, printable(what)}; }

/// Reads the fields of an object, and refuses others.
Status read_fields(const Json& json, std::span<const Field> fields) {
  if (!json.is_object()) return fault("it is not an object");
  std::vector<std::string_view> names;
  for (const Field& field : fields) {
    names.push_back(field.name);
    if (field.required && !json.contains(field.name)) return fault("it has no '" + std::string(field.name) + "'");
  }
  for (const auto& [name, value] : json.items()) {
    const auto field = std::ranges::find(fields, name, &Field::name);
    if (field == fields.end()) return fault("there is no field '" + name + "'" + did_you_mean(names, name));
    if (!field->take(value)) return fault("'" + name + "' is not " + field->type);
  }
  return {};
}

Status read_item(const Json& json, SocketOptions& socket) {
  const Field fields[] = {text_field("name", socket.name, true), text_field("joint", socket.joint, true),
                          matrix_field("joint_from_socket", socket.joint_from_socket)};
  return read_fields(json, fields);
}

Status read_item(const Json& json, MaskOptions& mask) {
  const Field fields[] = {text_field("name", mask.name, true), texts_field("joints", mask.joints, true),
                          flag_field("inverted", mask.inverted)};
  return read_fields(json, fields);
}

struct Worn {
  WearableOptions wearable;
  std::string from;
};

Status read_item(const Json& json, Worn& worn) {
  WearableOptions& wearable = worn.wearable;
  const Field fields[] = {
      text_field("name", wearable.name, true), text_field("choice", wearable.choice),
      texts_field("parts", wearable.parts),    text_field("from", worn.from),
      text_field("joint", wearable.joint),     matrix_field("joint_from_wearable", wearable.joint_from_wearable)};
  return read_fields(json, fields);
}

/// The items of a list. `status` gets the fault of the first that has one.
template <class Item>
Field items_field(std::string_view name, std::vector<Item>& items, Status& status) {
  const auto take = [name, &items, &status](const Json& json) {
    if (!json.is_array()) return false;
    for (const Json& one : json) {
      const Status read = read_item(one, items.emplace_back());
      if (read || !status) continue;
      status = fault(std::string(name) + "[" + std::to_string(items.size() - 1) + "]: " + read.error().message);
    }
    return true;
  };
  return {name, "a list", take};
}

Result<ModelAdditions> additions_of(const Json& json, const std::filesystem::path& folder) {
  ModelAdditions additions;
  std::vector<Worn> worn;
  Status items;
  const Field fields[] = {items_field("sockets", additions.sockets, items),
                          items_field("masks", additions.masks, items), items_field("wearables", worn, items)};
  if (Status read = read_fields(json, fields); !read) return read.error();
  if (!items) return items.error();
  for (Worn& one : worn) {
    additions.from.push_back(one.from.empty() ? std::string() : (folder / one.from).string());
    additions.wearables.push_back(std::move(one.wearable));
  }
  return additions;
}

}  // namespace

Result<ModelAdditions> read_additions(const std::string& path) {
  const auto cannot_read = [&](const Error& error) {
    return Error{error.code, "cannot read '" + printable(path) + "': " + error.message};
  };
  const auto file = internal::read_file(path);
  if (!file) return cannot_read(file.error());
  const auto bytes = file->bytes();
  const std::string_view words(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const Json json = Json::parse(words, nullptr, false);
  if (json.is_discarded()) return cannot_read(fault("it is not JSON"));
  auto additions = additions_of(json, std::filesystem::path(path).parent_path());
  if (!additions) return cannot_read(additions.error());
  return additions;
}

Status load_wearables(const LoadOptions& options, ModelAdditions& additions) {
  LoadOptions load = options;
  load.import.animation_files.clear();
  std::map<std::string, std::shared_ptr<const Character>> loaded;
  for (size_t i = 0; i < additions.wearables.size(); ++i) {
    const std::string& path = additions.from[i];
    if (path.empty()) continue;
    std::shared_ptr<const Character>& character = loaded[path];
    if (!character) {
      auto file = load_file(path, load);
      if (!file) return file.error();
      character = std::make_shared<Character>(std::move(file->character));
    }
    additions.wearables[i].from = character;
  }
  return {};
}

}  // namespace sinew::app
