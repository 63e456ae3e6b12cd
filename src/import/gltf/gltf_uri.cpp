#include "gltf/gltf_uri.h"

namespace sinew::internal {
namespace {

int hexadecimal(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

/// Whether a percent sign and two digits begin at `i`.
bool is_escape(std::string_view uri, size_t i) {
  return uri[i] == '%' && i + 2 < uri.size() && hexadecimal(uri[i + 1]) >= 0 && hexadecimal(uri[i + 2]) >= 0;
}

}  // namespace

std::string decoded_uri(std::string_view uri) {
  std::string text;
  for (size_t i = 0; i < uri.size(); ++i) {
    if (is_escape(uri, i)) {
      text += char(hexadecimal(uri[i + 1]) * 16 + hexadecimal(uri[i + 2]));
      i += 2;
    } else {
      text += uri[i];
    }
  }
  return text;
}

bool parser_mistakes(std::string_view uri) { return !uri.starts_with("data:") && uri_for_parser(uri) != uri; }

std::string uri_for_parser(std::string_view uri) {
  std::string text;
  for (size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '+') {
      text += "%2B";
    } else if (uri[i] == '%' && !is_escape(uri, i)) {
      text += "%25";
    } else {
      text += uri[i];
    }
  }
  return text;
}

}  // namespace sinew::internal
