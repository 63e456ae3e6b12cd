// Sources: glTF 2.0 specification, 3.2 (asset), 3.12 (extensions), 4.4 (GLB); glTF 1.0's KHR_binary_glTF.
#include "gltf/gltf_head.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "failure.h"
#include "gltf/gltf_json.h"
#include "gltf/gltf_lost.h"

namespace sinew::internal {
namespace {

using Json = nlohmann::json;

constexpr size_t kMaxJsonDepth = 200;
constexpr size_t kMaxQuotedBytes = 24;
constexpr size_t kMaxBuffersOfFile = 8;     // each is read again
constexpr size_t kMaxExtraValues = 10'000;  // with more, the parser does not get "extras": it keeps all in memory

// --- JSON ---

/// The start of the line of the last character read. `position` is the count of characters read.
size_t line_start(std::string_view text, size_t position) {
  const size_t end = position < 2 ? text.npos : text.rfind('\n', position - 2);
  return end == text.npos ? 0 : end + 1;
}

std::string location_of(std::string_view text, size_t position) {
  const size_t start = line_start(text, position);
  const auto line = 1 + std::count(text.begin(), text.begin() + ptrdiff_t(start), '\n');
  return "line " + std::to_string(line) + ", column " + std::to_string(position - start);
}

/// The text of the line up to `position`, shortened to its last characters.
std::string line_before(std::string_view text, size_t position) {
  const std::string_view line = text.substr(line_start(text, position), position - line_start(text, position));
  if (line.size() <= kMaxQuotedBytes) return std::string(line);
  return "... " + std::string(line.substr(line.size() - kMaxQuotedBytes));
}

/// Keeps the head, while the parser checks the syntax of the whole text. This parser does not recurse.
class HeadReader final : public nlohmann::json_sax<Json> {
 public:
  explicit HeadReader(std::string_view text) : text_(text) {}

  GltfHead take() { return std::move(head_); }

  bool null() override { return count_value(); }
  bool boolean(bool) override { return count_value(); }
  bool number_integer(number_integer_t value) override {
    const bool is_size = key_ == "byteOffset" || key_ == "byteLength" || key_ == "byteStride" || key_ == "count";
    const bool is_data = section_ == "accessors" || section_ == "bufferViews" || section_ == "buffers";
    if (is_data && is_size && value < 0 && extras_depth_ == 0)
      fail("in its " + section_ + " a " + key_ + " is " + std::to_string(value));
    return count_value();
  }
  bool number_unsigned(number_unsigned_t value) override {
    count_value();
    if (is_of_buffer() && key_ == "byteLength") buffer_bytes_ = size_t(value);
    return true;
  }
  bool number_float(number_float_t, const string_t&) override { return count_value(); }
  bool binary(binary_t&) override { return true; }
  bool string(string_t& value) override {
    count_value();
    if (depth_ == 2 && section_ == "asset" && key_ == "version") head_.version = value;
    if (depth_ == 2 && section_ == "extensionsRequired") head_.required_extensions.push_back(value);
    if (depth_ == 2 && section_.starts_with("extensions")) head_.extensions.insert(value);
    if (is_of_buffer() && key_ == "uri" && !value.starts_with("data:")) buffer_uri_ = value;
    if (key_ == "uri" && parser_mistakes(value)) head_.has_odd_uri = true;
    return true;
  }
  bool key(string_t& name) override {
    if (names_extensions_.back()) head_.extensions.insert(name);
    (depth_ == 1 ? section_ : key_) = name;
    last_key_ = name;
    return true;
  }
  bool start_object(size_t) override { return enter(); }
  bool start_array(size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }

  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) override {
    if (position > text_.size()) fail("its JSON ends too early, at " + location_of(text_, text_.size()));
    fail("its JSON is not correct at " + location_of(text_, position) + ": '" + line_before(text_, position) + "'");
  }

 private:
  bool count_value() {
    head_.extra_values += extras_depth_ > 0;
    return true;
  }

  bool is_of_buffer() const { return depth_ == 3 && section_ == "buffers"; }

  bool enter() {
    if (++depth_ > kMaxJsonDepth) fail("its JSON nests more than " + std::to_string(kMaxJsonDepth) + " deep");
    names_extensions_.push_back(last_key_ == "extensions");
    if (extras_depth_ == 0 && last_key_ == "extras") extras_depth_ = depth_;
    count_value();
    last_key_.clear();
    return true;
  }
  bool leave() {
    if (is_of_buffer() && !buffer_uri_.empty()) head_.buffer_bytes[decoded_uri(buffer_uri_)].push_back(buffer_bytes_);
    buffer_uri_.clear(), buffer_bytes_ = 0;
    if (depth_ == extras_depth_) extras_depth_ = 0;
    --depth_;
    names_extensions_.pop_back();
    last_key_.clear();
    return true;
  }

  std::string_view text_;
  GltfHead head_;
  size_t depth_ = 0, extras_depth_ = 0;   // the second: of the "extras" that is open, 0 if none is
  std::string section_, key_, last_key_;  // the last key at depth 1, below, and in the current object
  std::string buffer_uri_;                // of the buffer that is read
  size_t buffer_bytes_ = 0;               // its length
  std::vector<bool> names_extensions_;    // of each open object, whether its keys are names of extensions
};

// --- GLB ---

[[noreturn]] void refuse_first_version() {
  fail("it is glTF 1.0, which is not read: export it as glTF 2.0", ErrorCode::kUnsupported);
}

std::string_view json_chunk(std::string_view file) {
  require(file.size() >= kGlbHeaders, [] { return "it is cut short within the header"; });
  const uint32_t version = number_at(file, 4), file_bytes = number_at(file, 8),
                 chunk_bytes = number_at(file, kJsonSizeInGlb);
  if (version == 1) refuse_first_version();
  if (version != 2) fail("it is GLB " + std::to_string(version) + ", which is not read", ErrorCode::kUnsupported);
  require(file_bytes <= file.size(), [&] {
    return "it is cut short: " + std::to_string(file.size()) + " bytes of " + std::to_string(file_bytes);
  });
  require(chunk_bytes <= file.size() - kGlbHeaders, [] { return "its JSON reaches past its end"; });
  return file.substr(kGlbHeaders, chunk_bytes);
}

// --- extensions ---

void check_required(const std::string& name) {
  if (kind_of_extension(name) == ExtensionKind::kUnknown)
    fail("it requires the extension " + name + ", which is not read", ErrorCode::kUnsupported);
}

void lose_unread(const std::string& name, LostFeatures& lost) {
  switch (kind_of_extension(name)) {
    case ExtensionKind::kRead:
    case ExtensionKind::kOutOfScope:
      return;
    case ExtensionKind::kMaterial:
      return lost.add(kLostMaterialExtension, name);
    case ExtensionKind::kVrm:
      return lost.add(kLostVrm, name);
    case ExtensionKind::kUnknown:
      return lost.add(kLostExtension, name);
  }
}

}  // namespace

GltfHead read_gltf_head(std::string_view file, bool binary) {
  const std::string_view text = binary ? json_chunk(file) : file;
  HeadReader reader(text);
  Json::sax_parse(text.begin(), text.end(), &reader);
  return reader.take();
}

bool needs_other_json(const GltfHead& head) {
  constexpr const char* kChanged[] = {"EXT_meshopt_compression", "KHR_meshopt_compression",
                                      "KHR_draco_mesh_compression", "KHR_animation_pointer"};
  const bool is_changed = head.has_odd_uri || head.extra_values > kMaxExtraValues;
  return is_changed || std::any_of(std::begin(kChanged), std::end(kChanged),
                                   [&](const char* name) { return head.extensions.count(name) > 0; });
}

void check_gltf_head(const GltfHead& head, LostFeatures& lost) {
  require(!head.version.empty(), [] { return "it does not say its version of glTF (asset.version)"; });
  if (head.version.starts_with("0.") || head.version.starts_with("1.")) refuse_first_version();
  if (!head.version.starts_with("2.")) {
    fail("it is glTF " + head.version + ", which is not read: export it as glTF 2.0", ErrorCode::kUnsupported);
  }
  for (const std::string& name : head.required_extensions) check_required(name);
  for (const auto& [uri, lengths] : head.buffer_bytes) {
    if (lengths.size() > kMaxBuffersOfFile)
      fail("its file '" + uri.substr(0, 80) + "' is " + std::to_string(lengths.size()) + " buffers",
           ErrorCode::kUnsupported);
  }
  for (const std::string& name : head.extensions) lose_unread(name, lost);
}

}  // namespace sinew::internal
