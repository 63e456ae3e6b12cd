#include "assimp/fbx_objects.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace sinew::internal {
namespace {

constexpr size_t kMaxNameBytes = 256, kMaxNumberBytes = 64;

/// The length of a binary string whose characters begin at `begin`: before them are an S and four bytes, little-endian.
std::optional<size_t> length_before(std::string_view file, size_t begin) {
  if (begin < 5 || begin > file.size() || file[begin - 5] != 'S') return std::nullopt;
  size_t length = 0;
  for (size_t i = 0; i < 4; ++i) length |= size_t(uint8_t(file[begin - 4 + i])) << (8 * i);
  return length;
}

/// The binary string whose characters end before `end`, without a suffix of `suffix` bytes.
std::optional<std::string> binary_string(std::string_view file, size_t end, size_t suffix) {
  for (size_t length = 0; length < kMaxNameBytes && length + 5 <= end; ++length) {
    if (length_before(file, end - length) == length + suffix) return std::string(file.substr(end - length, length));
  }
  return std::nullopt;
}

std::vector<FbxObject> binary_objects(std::string_view file, std::string_view type, std::string_view class_name) {
  const std::string suffix = std::string("\0\1", 2).append(type);
  std::vector<FbxObject> objects;
  for (size_t at = file.find(suffix); at != file.npos;) {
    const size_t begin = at + suffix.size() + 5, next = file.find(suffix, at + suffix.size());
    const bool has_class =
        length_before(file, begin) == class_name.size() && file.substr(begin).starts_with(class_name);
    if (auto name = has_class ? binary_string(file, at, suffix.size()) : std::nullopt) {
      objects.push_back({std::move(*name), file.substr(begin, next - begin)});
    }
    at = next;
  }
  return objects;
}

std::vector<FbxObject> text_objects(std::string_view file, std::string_view type, std::string_view class_name) {
  const std::string prefix = "\"" + std::string(type) + "::", of_class = ", \"" + std::string(class_name) + "\"";
  std::vector<FbxObject> objects;
  for (size_t at = file.find(prefix); at != file.npos;) {
    const size_t begin = at + prefix.size(), end = file.find('"', begin), next = file.find(prefix, begin);
    if (end == file.npos) break;
    // Comments in the section of connections name objects too, but without a class.
    if (file.substr(end + 1).starts_with(of_class)) {
      objects.push_back({std::string(file.substr(begin, end - begin)), file.substr(end, next - end)});
    }
    at = next;
  }
  return objects;
}

bool is_binary(std::string_view file) { return file.starts_with("Kaydara FBX Binary"); }

}  // namespace

std::vector<FbxObject> find_fbx_objects(std::span<const uint8_t> file, std::string_view type,
                                        std::string_view class_name) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  return is_binary(text) ? binary_objects(text, type, class_name) : text_objects(text, type, class_name);
}

double fbx_number(const FbxObject& object, std::string_view record, double fallback) {
  const std::string_view body = object.body;
  for (size_t at = 0; (at = body.find(record, at)) != body.npos;) {
    at += record.size();
    if (body.substr(at).starts_with(':')) {
      const std::string number(body.substr(at + 1, kMaxNumberBytes));
      return std::strtod(number.c_str(), nullptr);
    }
    double value;
    if (body.substr(at).starts_with('D') && body.size() - at > sizeof(value)) {
      std::memcpy(&value, body.data() + at + 1, sizeof(value));  // little-endian, as all supported machines are
      return value;
    }
  }
  return fallback;
}

}  // namespace sinew::internal
