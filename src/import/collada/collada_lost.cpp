#include "collada/collada_lost.h"

#include <algorithm>

namespace sinew::internal {
namespace {

constexpr auto kColladaFeatures = with_material_rows({
    {"channels", "channel", "what it animates is not kept", LostFrom::kMotion},
    {"skew", "skew", "it is left out"},
    {"extrapolation", "curve", "it stands still before its first and after its last key", LostFrom::kMotion},
    {"surfaces", "geometry", "it is no mesh of polygons, left out"},
    {"holes", "polygon", "its holes are filled"},
    {"other-file", "instance", "it is in another file, left out"},
    {"missing", "instance", "what it names is not there, left out"},
    {"skin-of-skin", "skin", "another skin deforms it, left out"},
    {"joints", "joint", "there is no node for it: what follows it does not move"},
    {"weights", "skin", "it has fewer weights than it says, the last vertices have none"},
    {"weight-indices", "weight", "its joint or its number is not there, left out"},
    {"morph-of-morph", "morph controller", "another one moves its mesh too: both are added"},
    {"shapes", "morph target", "it has another number of vertices than its mesh, and moves nothing"},
    {"image", "texture", "its image is not there, or is no file, left out"},
});
static_assert(kColladaFeatures.size() == kLostImages + 1 + std::size(kMaterialRows));

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

bool is_surface(pugi::xml_node element) {
  const bool is_kind = is_named(element, "spline") || is_named(element, "brep") || is_named(element, "convex_mesh");
  return is_kind && is_named(element.parent(), "geometry");
}

bool is_in_other_file(pugi::xml_node element) {
  const bool is_kind = is_named(element, "instance_node") || is_named(element, "instance_geometry") ||
                       is_named(element, "instance_controller") || is_named(element, "instance_animation");
  return is_kind && element.attribute("url").value()[0] != '#';
}

bool names_no_node(const ColladaDocument& document, pugi::xml_node element) {
  const std::string_view url = element.attribute("url").value();
  return is_named(element, "instance_node") && url.starts_with('#') && !document.at(url, {"node"});
}

}  // namespace

std::span<const LostFeature> lost_features_of_collada() { return kColladaFeatures; }

void find_lost(const ColladaDocument& document, LostFeatures& lost) {
  for_each_element(document.root(), [&](pugi::xml_node element, uint32_t) {
    if (is_named(element, "skew")) lost.add(kLostSkews, owner(element, "node"));
    if (extrapolates(element)) lost.add(kLostExtrapolations, owner(element, "animation"));
    if (is_surface(element)) lost.add(kLostSurfaces, owner(element, "geometry"));
    if (is_named(element, "ph")) lost.add(kLostHoles, owner(element, "geometry"));
    if (names_no_node(document, element)) lost.add(kLostMissing, element.attribute("url").value());
    if (is_in_other_file(element)) lost.add(kLostOtherFiles, element.attribute("url").value());
  });
}

}  // namespace sinew::internal
