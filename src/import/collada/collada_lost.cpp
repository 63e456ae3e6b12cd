#include "collada/collada_lost.h"

#include <algorithm>
#include <map>

namespace sinew::internal {
namespace {

constexpr LostFeature kColladaFeatures[] = {
    {"channels", "channel", "what it animates is not kept", LostFrom::kMotion},
    {"morph-weights", "channel", "morph weights are not animated", LostFrom::kMotion},
    {"morph", "morph controller", "its shapes are left out"},
    {"skew", "skew", "it is left out"},
    {"extrapolation", "curve", "it stands still before its first and after its last key", LostFrom::kMotion},
    {"surfaces", "geometry", "it is no mesh of polygons, left out"},
    {"holes", "polygon", "its holes are filled"},
    {"other-file", "instance", "it is in another file, left out"},
    {"hidden", "node", "the file hides it, and it is drawn"},
    {"other-skeleton", "instance", "it follows the skeleton of the first instance"},
};

/// The id, else the name, of the nearest element of a kind at or above `element`.
std::string_view owner(pugi::xml_node element, std::string_view kind) {
  while (element && !is_named(element, kind)) element = element.parent();
  const std::string_view id = element.attribute("id").value();
  return id.empty() ? element.attribute("name").value() : id;
}

bool says(pugi::xml_node element, std::initializer_list<std::string_view> values) {
  const std::vector<std::string_view> words = words_in(element.text().get());
  return words.size() == 1 && std::find(values.begin(), values.end(), words[0]) != values.end();
}

bool extrapolates(pugi::xml_node element) {
  if (is_named(element, "pre_infinity") || is_named(element, "post_infinity")) {
    return !says(element, {"CONSTANT", "NONE", "UNDEFINED"});
  }
  if (!is_named(element, "sampler")) return false;
  return std::any_of(element.attributes_begin(), element.attributes_end(), [](const pugi::xml_attribute& attribute) {
    const std::string_view name = attribute.name(), value = attribute.value();
    return (name == "pre_behavior" || name == "post_behavior") && value != "CONSTANT" && value != "UNDEFINED";
  });
}

/// Maya writes morph controllers without targets.
bool has_targets(pugi::xml_node morph) {
  const auto sources = morph.children("source");
  return std::any_of(sources.begin(), sources.end(), [](pugi::xml_node source) {
    const pugi::xml_node names = source.child("IDREF_array") ? source.child("IDREF_array") : source.child("Name_array");
    return !words_in(names.text().get()).empty();
  });
}

bool is_surface(pugi::xml_node element) {
  const bool is_kind = is_named(element, "spline") || is_named(element, "brep") || is_named(element, "convex_mesh");
  return is_kind && is_named(element.parent(), "geometry");
}

bool is_in_other_file(pugi::xml_node element) {
  const bool is_kind = is_named(element, "instance_node") || is_named(element, "instance_geometry") ||
                       is_named(element, "instance_controller") || is_named(element, "instance_animation");
  return is_kind && element.attribute("url").value()[0] != '#';
}

bool is_hidden(pugi::xml_node element) {
  return is_named(element, "visibility") && is_named(element.parent(), "technique") && says(element, {"0", "false"});
}

/// The first skeleton of each controller that is instanced.
using Skeletons = std::map<std::string_view, std::string_view>;

bool has_other_skeleton(pugi::xml_node element, Skeletons& skeletons) {
  if (!is_named(element, "instance_controller")) return false;
  const std::vector<std::string_view> root = words_in(element.child("skeleton").text().get());
  if (root.empty()) return false;
  const auto [first, is_new] = skeletons.try_emplace(element.attribute("url").value(), root[0]);
  return !is_new && first->second != root[0];
}

}  // namespace

std::span<const LostFeature> lost_features_of_collada() { return kColladaFeatures; }

void find_lost(const ColladaDocument& document, LostFeatures& lost) {
  Skeletons skeletons;
  for_each_element(document.root(), [&](pugi::xml_node element, uint32_t) {
    if (is_named(element, "morph") && has_targets(element)) lost.add(kLostMorphs, owner(element, "controller"));
    if (is_named(element, "skew")) lost.add(kLostSkews, owner(element, "node"));
    if (extrapolates(element)) lost.add(kLostExtrapolations, owner(element, "animation"));
    if (is_surface(element)) lost.add(kLostSurfaces, owner(element, "geometry"));
    if (is_named(element, "ph")) lost.add(kLostHoles, owner(element, "geometry"));
    if (is_in_other_file(element)) lost.add(kLostOtherFiles, element.attribute("url").value());
    if (is_hidden(element)) lost.add(kLostHidden, owner(element, "node"));
    if (has_other_skeleton(element, skeletons)) lost.add(kLostSkeletons, owner(element, "node"));
  });
}

}  // namespace sinew::internal
