// Checks of a glTF file before it is parsed: the syntax of its JSON, its version, and the extensions that it requires.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lost_features.h"

namespace sinew::internal {

// GLB: the size of its header and that of the first chunk, where in them the size of this chunk is; of the others.
inline constexpr size_t kGlbHeaders = 20, kJsonSizeInGlb = 12, kChunkHeader = 8;

/// The number of 32 bits that begins at `offset` in the bytes of a GLB.
template <class Bytes>
uint32_t number_at(const Bytes& glb, size_t offset) {
  uint32_t number = 0;
  std::memcpy(&number, glb.data() + offset, sizeof number);
  return number;
}

struct GltfHead {
  std::string version;  // of glTF; empty: the file has none
  std::vector<std::string> required_extensions;
  std::set<std::string> extensions;  // those that the file lists as used, or has data of, or requires
  std::map<std::string, std::vector<size_t>>
      buffer_bytes;          // of buffers in files: the lengths, by decoded URI, in order
  bool has_odd_uri = false;  // one that tinygltf would decode differently
  size_t extra_values = 0;   // in "extras"
};

/// Reads the JSON of a glTF file; a binary file (GLB) has it in the first chunk. Throws ImportFailure if the JSON is
/// malformed (with line and column), or nests more than 200 deep (the later parser recurses, and would overflow the
/// stack), or if a GLB is truncated or not version 2.
GltfHead read_gltf_head(std::string_view file, bool binary);

/// Whether tinygltf needs the file's JSON changed; see readable_by_parser().
bool needs_other_json(const GltfHead& head);

/// Throws ImportFailure if the version or a required extension is not supported. An extension that only changes the
/// appearance, or is not required, is a lost feature.
void check_gltf_head(const GltfHead& head, LostFeatures& lost);

}  // namespace sinew::internal
