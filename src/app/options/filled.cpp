#include "options/filled.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "system/text.h"

namespace sinew::app {
namespace {

using Values = nlohmann::ordered_json;

std::string plain(const Values& value) {
  if (value.is_null() || value == "") return "unknown";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return grouped(value.get<uint64_t>());
  if (value.is_number()) return rounded(value.get<double>());
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  return joined(value, " + ", plain);
}

/// `form` is "%WIDTH.PRECISIONf", of which all parts but the first may be missing.
std::string as_printf(const Values& value, std::string_view form) {
  const char* const end = form.data() + form.size();
  int width = 0, precision = 6;
  const char* at = std::from_chars(form.data() + 1, end, width).ptr;
  if (at != end && *at == '.') at = std::from_chars(at + 1, end, precision).ptr;
  if (at == end) return text("%*s", width, plain(value).c_str());
  const double number = value.get<double>();
  if (*at == 'f') return text("%*.*f", width, precision, number);
  return *at == 'g' ? text("%*.*g", width, precision, number) : text("%*.*e", width, precision, number);
}

std::string in_form(const Values& value, std::string_view form) {
  if (form == "raw") return value.dump();
  if (form == "quoted") return "\"" + printable(value.get<std::string>()) + "\"";
  if (form == "MB") return rounded(value.get<double>() / 1e6);
  if (form == "MiB") return rounded(value.get<double>() / (1 << 20));
  if (form == "s" || form == "es") return value == 1 ? "" : std::string(form);
  return form.starts_with('%') ? as_printf(value, form) : plain(value);
}

}  // namespace

std::string filled(std::string_view pattern, const Values& values) {
  std::string text;
  while (true) {
    const size_t begin = pattern.find('{');
    text += pattern.substr(0, begin);
    if (begin == pattern.npos) return text;
    const size_t end = pattern.find('}', begin);
    const std::string_view place = pattern.substr(begin + 1, end - begin - 1);
    const size_t colon = std::min(place.find(':'), place.size());
    std::string path = "/" + std::string(place.substr(0, colon));
    std::ranges::replace(path, '.', '/');
    text += in_form(values.at(Values::json_pointer(path)), place.substr(std::min(colon + 1, place.size())));
    pattern.remove_prefix(end + 1);
  }
}

std::string filled(std::initializer_list<TextPart> parts, const Values& values) {
  std::string text;
  for (const auto& [is_there, pattern] : parts) {
    if (is_there) text += filled(pattern, values);
  }
  return text;
}

}  // namespace sinew::app
