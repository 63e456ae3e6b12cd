// Changes of a file's JSON where tinygltf would refuse it, or lose something.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lost_features.h"

namespace sinew::internal {

// URIs of glTF: percent-encoding, in which a plus is a plus. Source: RFC 3986, section 2.1.

/// "my%20skin+1.png" is "my skin+1.png". A percent sign without two hexadecimal digits stays as it is.
std::string decoded_uri(std::string_view uri);

/// Whether tinygltf would decode the URI differently: it takes a plus for a space.
bool parser_mistakes(std::string_view uri);

/// The URI that tinygltf decodes to what decoded_uri(uri) is.
std::string uri_for_parser(std::string_view uri);

/// The same file, glTF or GLB, as tinygltf reads it. Fallback buffers of Meshopt, which have no data,
/// get a few bytes. Of "extras" the names of morph targets are left. Primitives with KHR_draco_mesh_compression lose
/// their indices, which have no buffer view. Channels of KHR_animation_pointer become channels of nodes. A plus in a
/// URI stays a plus. `bytes` must have been checked by read_gltf_head().
std::vector<uint8_t> readable_by_parser(const std::vector<uint8_t>& bytes, bool binary, LostFeatures& lost);

}  // namespace sinew::internal
