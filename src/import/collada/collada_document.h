// The XML of a COLLADA file, and the nodes of its scene.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <pugixml.hpp>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sinew/asset/math.h"

namespace sinew::internal {

// The XML of a COLLADA file: its elements by id, and numbers in texts. The constructor throws ImportFailure.

class ColladaDocument {
 public:
  using Kinds = std::initializer_list<std::string_view>;  // names of elements; none: any

  /// Parses `bytes`, and keeps them. Refuses malformed XML, other documents, and XML that is very deep: the readers of
  /// its nodes call themselves.
  explicit ColladaDocument(std::vector<uint8_t> bytes);

  /// Of the file: what may be made of it is limited by it.
  uint64_t size_bytes() const { return bytes_.size(); }

  /// The element <COLLADA>.
  pugi::xml_node root() const { return root_; }

  /// The element with an id; empty if there is none. Of several elements with one id, the first of a kind.
  pugi::xml_node with_id(std::string_view id, Kinds kinds = {}) const;

  /// The element that an address in this document names: "#id". Empty for addresses in other documents.
  pugi::xml_node at(std::string_view address, Kinds kinds = {}) const;

 private:
  std::vector<uint8_t> bytes_;  // pugixml parses in place: its texts lie here
  pugi::xml_document xml_;
  pugi::xml_node root_;
  std::vector<std::pair<std::string_view, pugi::xml_node>> by_id_;  // sorted by id, then as in the document
};

/// The numbers of a text, separated by white space; NaN for a word that is not a number. Does not depend on the locale.
std::vector<double> numbers_in(std::string_view text);

/// The whole numbers of a text, likewise; INT64_MIN for a word that is none.
std::vector<int64_t> integers_in(std::string_view text);

/// The words of a text, separated by white space.
std::vector<std::string_view> words_in(std::string_view text);

/// A name or another text of the file, of 256 bytes at most.
std::string short_name(std::string_view text);

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

// The nodes of a COLLADA scene and the elements that place them: translate, rotate, matrix and so on.

enum class ColladaPlacement : uint8_t { kMatrix, kTranslate, kRotate, kScale, kLookat, kSkew };

/// How many numbers a placement has: 16, 3, 4, 3, 9, 7.
size_t number_count(ColladaPlacement kind);

/// One element that places a node. Rotate: axis and degrees. Matrix: by rows. Lookat: eye, target, up.
struct ColladaTransform {
  ColladaPlacement kind = ColladaPlacement::kMatrix;
  std::array<double, 16> numbers{};
};

/// The transform of one element. That of skew is the identity: it is not kept.
Matrix3x4d matrix_of(ColladaPlacement kind, const std::array<double, 16>& numbers);

/// One <node>, or the <visual_scene>. Instances share it.
struct ColladaElement {
  pugi::xml_node xml;
  std::string name;  // its id, else its sid, else its name
  std::vector<ColladaTransform> transforms;
};

/// One node of the scene.
struct ColladaNode {
  uint32_t element = 0;
  int32_t parent = -1;  // an earlier node
  uint32_t end = 0;     // of the nodes below it, which follow it
};

/// The nodes of the scene that the document shows, or of the first scene: in depth-first order, a node, its children,
/// then the nodes that it instances. After it come skeletons that are in no scene, each a root.
class ColladaNodes {
 public:
  /// Throws ImportFailure for instances that contain themselves, for more than a million nodes, and without a scene.
  explicit ColladaNodes(const ColladaDocument& document);

  const std::vector<ColladaNode>& nodes() const { return nodes_; }
  const std::vector<ColladaElement>& elements() const { return elements_; }

  /// Where a <matrix>, <rotate> and so on of the scene is: its element, and its index in the element's transforms.
  std::optional<std::pair<uint32_t, uint32_t>> place_of(pugi::xml_node transform) const;

  /// The node of a <node>. Of several instances the one that is nearest to the node `from`.
  std::optional<uint32_t> node_of(pugi::xml_node element, uint32_t from) const;

  /// The names of a list of words, `count` of them: names of nodes may have blanks, though the format has none.
  std::vector<std::string> names_in(std::span<const std::string_view> words, size_t count) const;

  /// The joint that a skin names, in the order of the specification: by its sid at or below the roots, level by level.
  /// Else by id, then by sid or name anywhere. Throws ImportFailure if searches take too long.
  std::optional<uint32_t> joint(std::string_view name, bool is_id, std::span<const uint32_t> roots, uint32_t from);

 private:
  using BySid = std::unordered_map<std::string_view, uint32_t>;
  uint32_t add_element(pugi::xml_node node);
  pugi::xml_node instanced(const char* address) const;
  void walk(pugi::xml_node root);
  void add_skeletons();
  void visit(size_t nodes);
  const BySid& sids_below(uint32_t root);

  const ColladaDocument& document_;
  std::vector<ColladaNode> nodes_;
  std::vector<ColladaElement> elements_;
  std::vector<std::vector<uint32_t>> nodes_of_;                         // of each element, ascending
  std::unordered_map<size_t, uint32_t> index_of_;                       // in elements_, by the hash of the XML's node
  std::unordered_map<size_t, std::pair<uint32_t, uint32_t>> place_of_;  // by the hash of the XML's transform
  std::unordered_map<std::string, pugi::xml_node> named_;               // nodes of the scene, by name or id
  std::unordered_set<std::string_view> long_names_;                     // names, ids and sids with blanks
  std::unordered_map<uint32_t, BySid> sids_;                            // by the root of the search
  size_t visits_ = 0;                                                   // of nodes in searches
};

}  // namespace sinew::internal
