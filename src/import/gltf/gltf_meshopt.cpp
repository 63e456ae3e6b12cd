// Source: EXT_meshopt_compression, and the decoders of meshoptimizer.
#include "gltf/gltf_meshopt.h"

#include <meshoptimizer.h>
#include <tiny_gltf.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "failure.h"
#include "gltf/gltf_accessors.h"

namespace sinew::internal {
namespace {

using Json = nlohmann::json;

constexpr const char* kExtension = "EXT_meshopt_compression";
constexpr uint64_t kMaxDecodedBytes = uint64_t(1) << 31;
constexpr uint64_t kMaxRatio = 256;  // of decoded to encoded bytes: the codec reaches about 64
constexpr uint64_t kMaxVertexBytes = 256;
constexpr size_t kGlbHeaderBytes = 12, kChunkHeaderBytes = 8;

// --- fallback buffers ---

bool is_fallback(const Json& buffer) {
  if (!buffer.is_object() || buffer.contains("uri") || !buffer.contains("extensions")) return false;
  const Json& extensions = buffer["extensions"];
  if (!extensions.is_object() || !extensions.contains(kExtension)) return false;
  const Json& extension = extensions[kExtension];
  return extension.is_object() && extension.value("fallback", Json()) == Json(true);
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

// --- buffer views ---

/// What the extension says of a buffer view.
struct Encoded {
  std::span<const uint8_t> bytes;
  uint64_t count = 0, stride = 0;
  std::string mode, filter;
};

uint64_t number_of(const tinygltf::Value& extension, const char* name, uint64_t absent) {
  if (!extension.Has(name)) return absent;
  const tinygltf::Value& value = extension.Get(name);
  require(value.IsNumber() && value.GetNumberAsDouble() >= 0 && value.GetNumberAsDouble() <= double(kMaxDecodedBytes),
          [&] { return std::string("its ") + name + " is no size"; });
  return uint64_t(value.GetNumberAsDouble());
}

std::string word_of(const tinygltf::Value& extension, const char* name, const char* absent) {
  if (!extension.Has(name)) return absent;
  const tinygltf::Value& value = extension.Get(name);
  require(value.IsString(), [&] { return std::string("its ") + name + " is no text"; });
  return value.Get<std::string>();
}

Encoded encoded_view(const tinygltf::Model& model, const tinygltf::Value& extension) {
  require(extension.IsObject(), [] { return "its extension is no object"; });
  const uint64_t buffer = number_of(extension, "buffer", kMaxDecodedBytes);
  const auto& data = at(model.buffers, int(std::min<uint64_t>(buffer, INT32_MAX)), "buffer").data;
  const uint64_t offset = number_of(extension, "byteOffset", 0), length = number_of(extension, "byteLength", 0);
  require(offset <= data.size() && length <= data.size() - offset, [] { return "it reaches past its buffer"; });
  Encoded encoded;
  encoded.bytes = std::span(data).subspan(offset, length);
  encoded.count = number_of(extension, "count", 0), encoded.stride = number_of(extension, "byteStride", 0);
  encoded.mode = word_of(extension, "mode", "ATTRIBUTES");
  encoded.filter = word_of(extension, "filter", "NONE");
  return encoded;
}

void check_sizes(const Encoded& encoded) {
  require(encoded.mode == "ATTRIBUTES" || encoded.mode == "TRIANGLES" || encoded.mode == "INDICES",
          [&] { return "its mode '" + encoded.mode + "' is unknown"; });
  const uint64_t decoded = encoded.count * encoded.stride;  // both are at most 2^31
  const bool indices = encoded.mode != "ATTRIBUTES";
  const uint64_t stride = encoded.stride;
  const bool strides_fit =
      indices ? stride == 2 || stride == 4 : stride % 4 == 0 && stride > 0 && stride <= kMaxVertexBytes;
  require(strides_fit, [&] { return "its stride of " + std::to_string(stride) + " bytes is not allowed"; });
  require(decoded <= kMaxDecodedBytes && decoded <= encoded.bytes.size() * kMaxRatio,
          [&] { return std::to_string(encoded.bytes.size()) + " bytes cannot hold " + std::to_string(decoded); });
  require(encoded.mode != "TRIANGLES" || encoded.count % 3 == 0, [] { return "its indices are no whole triangles"; });
}

void apply_filter(const Encoded& encoded, std::vector<uint8_t>& decoded) {
  if (encoded.filter == "NONE") return;
  require(encoded.mode == "ATTRIBUTES", [] { return "its filter is not for indices"; });
  if (encoded.filter == "OCTAHEDRAL") {
    require(encoded.stride == 4 || encoded.stride == 8, [] { return "its stride is not that of its filter"; });
    meshopt_decodeFilterOct(decoded.data(), encoded.count, encoded.stride);
  } else if (encoded.filter == "QUATERNION") {
    require(encoded.stride == 8, [] { return "its stride is not that of its filter"; });
    meshopt_decodeFilterQuat(decoded.data(), encoded.count, encoded.stride);
  } else if (encoded.filter == "EXPONENTIAL") {
    meshopt_decodeFilterExp(decoded.data(), encoded.count, encoded.stride);
  } else {
    fail("its filter '" + encoded.filter + "' is unknown");
  }
}

std::vector<uint8_t> decode(const Encoded& encoded) {
  check_sizes(encoded);
  std::vector<uint8_t> decoded(encoded.count * encoded.stride);
  if (decoded.empty()) return decoded;
  const unsigned char* bytes = encoded.bytes.data();
  const size_t size = encoded.bytes.size();
  int outcome = -1;
  if (encoded.mode == "ATTRIBUTES") {
    outcome = meshopt_decodeVertexBuffer(decoded.data(), encoded.count, encoded.stride, bytes, size);
  } else if (encoded.mode == "TRIANGLES") {
    outcome = meshopt_decodeIndexBuffer(decoded.data(), encoded.count, encoded.stride, bytes, size);
  } else {
    outcome = meshopt_decodeIndexSequence(decoded.data(), encoded.count, encoded.stride, bytes, size);
  }
  require(outcome == 0, [] { return "its compressed data is damaged"; });
  apply_filter(encoded, decoded);
  return decoded;
}

void decode_view(tinygltf::Model& model, size_t index) {
  const auto found = model.bufferViews[index].extensions.find(kExtension);
  if (found == model.bufferViews[index].extensions.end()) return;
  const Encoded encoded = encoded_view(model, found->second);
  tinygltf::Buffer buffer;
  buffer.data = decode(encoded);
  tinygltf::BufferView& view = model.bufferViews[index];
  view.buffer = int(model.buffers.size());
  view.byteOffset = 0, view.byteLength = buffer.data.size();
  view.byteStride = encoded.mode == "ATTRIBUTES" ? size_t(encoded.stride) : 0;
  model.buffers.push_back(std::move(buffer));
}

}  // namespace

std::vector<uint8_t> without_fallback_buffers(const std::vector<uint8_t>& bytes, bool binary) {
  const size_t header_bytes = binary ? kGlbHeaderBytes + kChunkHeaderBytes : 0;
  size_t json_bytes = bytes.size();
  if (binary) {
    uint32_t chunk_bytes = 0;
    std::memcpy(&chunk_bytes, &bytes[kGlbHeaderBytes], sizeof chunk_bytes);
    json_bytes = chunk_bytes;
  }
  const auto* text = reinterpret_cast<const char*>(bytes.data()) + header_bytes;
  Json json = Json::parse(text, text + json_bytes);
  bool changed = false;
  if (json.is_object() && json.contains("buffers") && json["buffers"].is_array()) {
    for (Json& buffer : json["buffers"]) {
      if (!is_fallback(buffer)) continue;
      buffer["uri"] = "data:application/octet-stream;base64,AAAA";
      buffer["byteLength"] = 3;
      changed = true;
    }
  }
  if (!changed) return bytes;
  const std::string changed_text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return binary ? with_json(bytes, changed_text) : std::vector<uint8_t>(changed_text.begin(), changed_text.end());
}

void decode_meshopt(tinygltf::Model& model) {
  for (size_t view = 0; view < model.bufferViews.size(); ++view) {
    try {
      decode_view(model, view);
    } catch (const ImportFailure& failure) {
      throw ImportFailure{failure.code, "buffer view " + std::to_string(view) + ": " + failure.reason};
    }
  }
}

}  // namespace sinew::internal
