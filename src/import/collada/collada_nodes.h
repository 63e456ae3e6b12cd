// The nodes of a COLLADA scene and the elements that place them: translate, rotate, matrix and so on.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "collada/collada_document.h"
#include "sinew/asset/math.h"

namespace sinew::internal {

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
  std::string name;  // as Assimp names it: by id, else by sid
  std::vector<ColladaTransform> transforms;
};

/// One node of the scene.
struct ColladaNode {
  uint32_t element = 0;
};

/// The nodes of the scene that the document shows, in the order in which Assimp's hierarchy is walked: a node, its
/// children, then the nodes that it instances.
class ColladaNodes {
 public:
  /// Empty if the document shows no scene. Throws ImportFailure for instances that contain themselves, and for more
  /// than a million nodes.
  explicit ColladaNodes(const ColladaDocument& document);

  const std::vector<ColladaNode>& nodes() const { return nodes_; }
  const std::vector<ColladaElement>& elements() const { return elements_; }
  pugi::xml_node scene() const { return scene_; }

  /// Where a <matrix>, <rotate> and so on of the scene is: its element, and its index in the element's transforms.
  std::optional<std::pair<uint32_t, uint32_t>> place_of(pugi::xml_node transform) const;

 private:
  uint32_t add_element(pugi::xml_node node);
  pugi::xml_node instanced(const char* address) const;
  void walk();

  pugi::xml_node scene_;
  std::vector<ColladaNode> nodes_;
  std::vector<ColladaElement> elements_;
  std::unordered_map<size_t, uint32_t> index_of_;                       // in elements_, by the hash of the XML's node
  std::unordered_map<size_t, std::pair<uint32_t, uint32_t>> place_of_;  // by the hash of the XML's transform
  std::unordered_map<std::string, pugi::xml_node> library_;  // nodes at the top of a library, and scenes, by id
  std::unordered_map<std::string, pugi::xml_node> named_;    // nodes of the scene, by name or id
};

}  // namespace sinew::internal
