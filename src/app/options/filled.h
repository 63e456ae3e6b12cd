// Sentences with values: patterns whose places are filled from JSON, so that a text and the JSON beside it are one
// list of values.
#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace sinew::app {

/// `pattern` with each {PATH} or {PATH:FORM} replaced by a value. PATH: names and indices between dots. FORM:
///   nothing    a text as it is, whole numbers in groups, others rounded to three digits, on or off, a list with " + "
///              between its values, "unknown" for null and for an empty text
///   raw        as JSON has it
///   quoted     a text in quotes, with nothing that could deceive a terminal
///   MB, MiB    a number of bytes in these units, rounded
///   s, es      nothing for 1, otherwise these letters: the end of a noun
///   %8.3f      as printf does: f, g or e; without a letter the value is padded
/// The values must be there.
std::string filled(std::string_view pattern, const nlohmann::ordered_json& values);

/// A pattern, and whether the text has it.
struct TextPart {
  bool is_there;
  const char* pattern;
};
std::string filled(std::initializer_list<TextPart> parts, const nlohmann::ordered_json& values);

}  // namespace sinew::app
