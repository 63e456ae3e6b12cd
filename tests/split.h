// Texts in one text, for tables of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew::test {

/// The texts between the bars of `texts`: "a||b" are three.
inline std::vector<std::string> split_texts(std::string_view texts) {
  std::vector<std::string> parts(1);
  for (const char letter : texts) {
    if (letter == '|')
      parts.emplace_back();
    else
      parts.back() += letter;
  }
  return parts;
}

}  // namespace sinew::test
