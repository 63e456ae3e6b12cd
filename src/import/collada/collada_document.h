// The XML of a COLLADA file: its elements by id, and numbers in texts. The constructor throws ImportFailure.
#pragma once

#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sinew::internal {

class ColladaDocument {
 public:
  /// Parses `bytes`, and keeps them. Not a COLLADA document, or malformed XML: root() is empty. XML that is very deep
  /// is refused: the readers of its nodes call themselves.
  explicit ColladaDocument(std::vector<uint8_t> bytes);

  /// The element <COLLADA>, or an empty one.
  pugi::xml_node root() const { return root_; }

  /// The element with an id; empty if there is none. Of several elements with one id, the first.
  pugi::xml_node with_id(std::string_view id) const;

  /// The element that an address in this document names: "#id". Empty for addresses in other documents.
  pugi::xml_node at(std::string_view address) const;

 private:
  std::vector<uint8_t> bytes_;  // pugixml parses in place: its texts lie here
  pugi::xml_document xml_;
  pugi::xml_node root_;
  std::unordered_map<std::string_view, pugi::xml_node> by_id_;
};

/// The numbers of a text, separated by white space. Stops at the first word that is not a number. Does not depend on
/// the locale.
std::vector<double> numbers_in(std::string_view text);

/// The words of a text, separated by white space.
std::vector<std::string_view> words_in(std::string_view text);

/// The whole number of an attribute. `fallback` if there is none.
uint64_t whole_number(pugi::xml_attribute attribute, uint64_t fallback);

/// Calls `visit` with each element below `top`, parents first. It does not call itself: depth does not matter.
template <class Visit>
void for_each_element(pugi::xml_node top, Visit visit) {
  uint32_t depth = 1;
  for (pugi::xml_node node = top.first_child(); node;) {
    if (node.type() == pugi::node_element) visit(node, depth);
    if (node.first_child()) {
      node = node.first_child(), ++depth;
      continue;
    }
    while (node != top && !node.next_sibling()) node = node.parent(), --depth;
    if (node == top) return;
    node = node.next_sibling();
  }
}

inline bool is_named(pugi::xml_node node, std::string_view name) { return name == node.name(); }

}  // namespace sinew::internal
