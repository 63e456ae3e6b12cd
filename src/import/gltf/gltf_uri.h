// URIs of glTF: percent-encoding, in which a plus is a plus. Source: RFC 3986, section 2.1.
#pragma once

#include <string>
#include <string_view>

namespace sinew::internal {

/// "my%20skin+1.png" is "my skin+1.png". A percent sign without two hexadecimal digits stays as it is.
std::string decoded_uri(std::string_view uri);

/// Whether tinygltf would decode the URI differently: it takes a plus for a space.
bool parser_mistakes(std::string_view uri);

/// The URI that tinygltf decodes to what decoded_uri(uri) is.
std::string uri_for_parser(std::string_view uri);

}  // namespace sinew::internal
