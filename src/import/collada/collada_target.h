// What a channel of a COLLADA animation moves: "node/sid.X", "node/sid(3)(1)", "node/sid/sid" and so on.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "collada/collada_nodes.h"

namespace sinew::internal {

struct ColladaTarget {
  uint32_t element = 0, transform = 0;  // in ColladaNodes::elements(), and in its transforms
  uint32_t first = 0, count = 0;        // which of the transform's numbers
};

/// Finds the targets of channels. Source: COLLADA 1.4.1 specification, "Address Syntax" in chapter 3.
class ColladaTargets {
 public:
  ColladaTargets(const ColladaDocument& document, const ColladaNodes& nodes) : document_(document), nodes_(nodes) {}

  /// What `target` names. Nothing if that is no transform of a node of the scene. `width` is the number of components
  /// of the channel's curve: a target without a member is the whole transform, or, for one component, a rotation's
  /// angle.
  std::optional<ColladaTarget> find(std::string_view target, size_t width);

 private:
  using Children = std::unordered_map<std::string_view, pugi::xml_node>;
  pugi::xml_node with_sid(pugi::xml_node top, std::string_view sid);
  const Children& children_of(pugi::xml_node parent);

  const ColladaDocument& document_;
  const ColladaNodes& nodes_;
  std::unordered_map<size_t, Children> children_;  // by sid, by the hash of the parent
  size_t visits_ = 0;                              // of elements, in searches below children
};

}  // namespace sinew::internal
