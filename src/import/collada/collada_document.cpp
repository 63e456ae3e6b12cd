#include "collada/collada_document.h"

#include <charconv>

#include "failure.h"

namespace sinew::internal {
namespace {

constexpr uint32_t kMaxElementDepth = 12000;  // a little more than the nodes of a scene may be deep

constexpr std::string_view kSpace = " \t\r\n\f\v";

/// Takes the next word off `text`. Empty at its end.
std::string_view next_word(std::string_view& text) {
  const size_t start = text.find_first_not_of(kSpace);
  if (start == text.npos) return {};
  const size_t end = std::min(text.find_first_of(kSpace, start), text.size());
  const std::string_view word = text.substr(start, end - start);
  text.remove_prefix(end);
  return word;
}

}  // namespace

ColladaDocument::ColladaDocument(std::vector<uint8_t> bytes) : bytes_(std::move(bytes)) {
  if (!xml_.load_buffer_inplace(bytes_.data(), bytes_.size())) return;
  for_each_element(xml_, [&](pugi::xml_node node, uint32_t depth) {
    require(depth <= kMaxElementDepth,
            [] { return "its XML is more than " + std::to_string(kMaxElementDepth) + " deep"; });
    if (const pugi::xml_attribute id = node.attribute("id")) by_id_.try_emplace(id.value(), node);
  });
  root_ = xml_.child("COLLADA");
}

pugi::xml_node ColladaDocument::with_id(std::string_view id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? pugi::xml_node() : found->second;
}

pugi::xml_node ColladaDocument::at(std::string_view address) const {
  return address.starts_with('#') ? with_id(address.substr(1)) : pugi::xml_node();
}

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> numbers;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    if (word.front() == '+') word.remove_prefix(1);
    double number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (end != word.data() + word.size()) break;
    if (error == std::errc::invalid_argument) break;
    numbers.push_back(number);  // one that is out of range stays 0 or huge: both do no harm
  }
  return numbers;
}

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) words.push_back(word);
  return words;
}

uint64_t whole_number(pugi::xml_attribute attribute, uint64_t fallback) {
  const std::string_view text = attribute.value();
  uint64_t number = fallback;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace sinew::internal
