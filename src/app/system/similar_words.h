// Which of some words a user meant who wrote another one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::app {

/// At most `most` of the words, each once, the most alike first. Upper and lower case of ASCII letters are alike.
std::vector<std::string_view> most_alike(std::span<const std::string_view> words, std::string_view written,
                                         size_t most);

/// "; did you mean WORD?" where one word is nearly what was written; else empty.
std::string did_you_mean(std::span<const std::string_view> words, std::string_view written);

}  // namespace sinew::app
