// Source: EXT_meshopt_compression, and the decoders of meshoptimizer.
#include "gltf/gltf_meshopt.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <span>
#include <string>

#include "failure.h"
#include "gltf/gltf_accessors.h"

namespace sinew::internal {
namespace {

constexpr const char* kMeshopt = "EXT_meshopt_compression";
constexpr uint64_t kMaxViewBytes = uint64_t(1) << 31;     // of one view
constexpr uint64_t kMaxExpansion = 256;                   // of decoded to encoded bytes: the codec reaches about 64
constexpr uint64_t kMaxDecodedTotal = uint64_t(1) << 31;  // of one model
constexpr uint64_t kMaxVertexBytes = 256;

/// What the extension says of a buffer view.
struct Encoded {
  std::span<const uint8_t> bytes;
  uint64_t count = 0, stride = 0;
  std::string mode, filter;
};

uint64_t number_of(const tinygltf::Value& extension, const char* name, uint64_t absent) {
  if (!extension.Has(name)) return absent;
  const tinygltf::Value& value = extension.Get(name);
  require(value.IsNumber() && value.GetNumberAsDouble() >= 0 && value.GetNumberAsDouble() <= double(kMaxViewBytes),
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
  const uint64_t buffer = number_of(extension, "buffer", kMaxViewBytes);
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
  require(decoded <= kMaxViewBytes && decoded <= encoded.bytes.size() * kMaxExpansion,
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

/// What one model may still decode. Many views may refer to the same few bytes.
struct Budget {
  uint64_t bytes = 0;

  explicit Budget(const tinygltf::Model& model) {
    for (const tinygltf::Buffer& buffer : model.buffers) bytes += buffer.data.size();
    bytes = std::min(bytes * kMaxExpansion, kMaxDecodedTotal);
  }

  void spend(uint64_t decoded) {
    require(decoded <= bytes, [] { return "with it, the decoded data is too large for the size of the file"; });
    bytes -= decoded;
  }
};

void decode_view(tinygltf::Model& model, size_t index, Budget& budget) {
  const auto found = model.bufferViews[index].extensions.find(kMeshopt);
  if (found == model.bufferViews[index].extensions.end()) return;
  const Encoded encoded = encoded_view(model, found->second);
  check_sizes(encoded);
  budget.spend(encoded.count * encoded.stride);
  tinygltf::Buffer buffer;
  buffer.data = decode(encoded);
  tinygltf::BufferView& view = model.bufferViews[index];
  view.buffer = int(model.buffers.size());
  view.byteOffset = 0, view.byteLength = buffer.data.size();
  view.byteStride = encoded.mode == "ATTRIBUTES" ? size_t(encoded.stride) : 0;
  model.buffers.push_back(std::move(buffer));
}

}  // namespace

void decode_meshopt(tinygltf::Model& model) {
  Budget budget(model);
  for (size_t view = 0; view < model.bufferViews.size(); ++view) {
    try {
      decode_view(model, view, budget);
    } catch (const ImportFailure& failure) {
      throw ImportFailure{failure.code, "buffer view " + std::to_string(view) + ": " + failure.reason};
    }
  }
}

}  // namespace sinew::internal
