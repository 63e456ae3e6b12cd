#include "collada/collada_materials.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "collada/collada_lost.h"

namespace sinew::internal {
namespace {

constexpr Vec4 kUsualColor{0.6f, 0.6f, 0.6f, 1};  // where the file has none
constexpr const char* kShadings[] = {"phong", "blinn", "lambert", "constant"};

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string text_of(pugi::xml_node element) { return std::string(trimmed(element.text().get())); }

/// The <newparam> of an effect, or of its profile, with a sid.
pugi::xml_node param_of(pugi::xml_node effect, std::string_view sid) {
  const pugi::xml_node profile = effect.child("profile_COMMON");
  for (const pugi::xml_node owner : {profile.child("technique"), profile, effect}) {
    for (const pugi::xml_node param : owner.children("newparam"))
      if (sid == param.attribute("sid").value()) return param;
  }
  return {};
}

/// The numbers of <color>, <float> or a parameter; empty if it has none.
std::vector<double> numbers_of(pugi::xml_node effect, pugi::xml_node element) {
  if (const pugi::xml_node reference = element.child("param")) {
    const pugi::xml_node param = param_of(effect, reference.attribute("ref").value());
    const auto is_float = [](pugi::xml_node child) { return std::string_view(child.name()).starts_with("float"); };
    return numbers_in(param.find_child(is_float).text().get());
  }
  const pugi::xml_node value = element.child("color") ? element.child("color") : element.child("float");
  return numbers_in(value.text().get());
}

Vec4 color_of(pugi::xml_node effect, pugi::xml_node element, Vec4 absent) {
  const std::vector<double> n = numbers_of(effect, element);
  if (n.size() < 3) return absent;
  return {float(n[0]), float(n[1]), float(n[2]), n.size() > 3 ? float(n[3]) : 1};
}

double number_of(pugi::xml_node effect, pugi::xml_node element, double absent) {
  const std::vector<double> numbers = numbers_of(effect, element);
  return numbers.empty() ? absent : numbers[0];
}

double luminance(Vec4 color) { return 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z; }  // BT.709

/// Phong's exponent. What reflects nothing is rough.
float roughness_of(pugi::xml_node effect, pugi::xml_node shading) {
  if (!is_named(shading, "phong") && !is_named(shading, "blinn")) return 1;
  const Vec4 specular = color_of(effect, shading.child("specular"), {1, 1, 1, 1});
  if (specular.x == 0 && specular.y == 0 && specular.z == 0) return 1;
  const double exponent = number_of(effect, shading.child("shininess"), NAN);
  return std::isnan(exponent) ? 1 : roughness_of_exponent(exponent);
}

/// What Maya, 3ds Max and others add to a texture. Empty if they do not.
std::string_view extra_of(pugi::xml_node texture, const char* name) {
  for (const pugi::xml_node technique : texture.child("extra").children("technique"))
    if (const pugi::xml_node value = technique.child(name)) return value.text().get();
  return {};
}

bool is_transformed(pugi::xml_node texture) {
  const auto is_other = [&](const char* name, double usual) {
    const std::vector<double> numbers = numbers_in(extra_of(texture, name));
    return !numbers.empty() && numbers[0] != usual;
  };
  return is_other("repeatU", 1) || is_other("repeatV", 1) || is_other("offsetU", 0) || is_other("offsetV", 0) ||
         is_other("rotateUV", 0) || is_other("rotateFrame", 0);
}

Wrap wrap_of(pugi::xml_node sampler, const char* element, std::string_view wraps, std::string_view mirrors) {
  const std::string_view mode = sampler.child(element).text().get();
  const auto is_on = [](std::string_view text, bool absent) {
    return text.empty() ? absent : text != "0" && text != "false";
  };
  if (mode == "MIRROR" || is_on(mirrors, false)) return Wrap::kMirror;
  return mode == "CLAMP" || mode == "BORDER" || mode == "NONE" || !is_on(wraps, true) ? Wrap::kClamp : Wrap::kRepeat;
}

/// The path of an <image>: the text of <init_from>, or of its <ref> in COLLADA 1.5; a file address or an escaped path.
std::string image_path(pugi::xml_node image) {
  const pugi::xml_node from = image.child("init_from");
  std::string_view text = trimmed((from.child("ref") ? from.child("ref") : from).text().get());
  if (text.starts_with("file://")) text.remove_prefix(7);
  std::string path;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    const char* const digits = text.data() + i + 1;
    const bool is_escape =
        text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2;
    path += is_escape && code >= ' ' ? char(code) : text[i];
    if (is_escape && code >= ' ') i += 2;
  }
  return path;
}

}  // namespace

ColladaBindings ColladaMaterials::bindings_of(pugi::xml_node instance, pugi::xml_node mesh) {
  ColladaBindings bindings;
  const auto bind = [&](const char* symbol, pugi::xml_node material, pugi::xml_node instance_material) {
    if (!material) return;
    const Read& read_material = read(material);
    ColladaBinding binding{read_material.material, read_material.has_normal_map, {}};
    for (const std::string& texcoord : read_material.texcoords) {
      const pugi::xml_node input =
          instance_material.find_child_by_attribute("bind_vertex_input", "semantic", texcoord.c_str());
      binding.uv_sets.push_back(input ? std::optional(whole_number(input.attribute("input_set"), 0)) : std::nullopt);
    }
    bindings.try_emplace(symbol, std::move(binding));
  };
  const pugi::xml_node common = instance.child("bind_material").child("technique_common");
  const auto bind_instance = [&](const char* symbol, pugi::xml_node bound) {
    bind(symbol, document_.at(bound.attribute("target").value(), {"material"}), bound);
  };
  for (const pugi::xml_node bound : common.children("instance_material")) {
    const char* const target = bound.attribute("target").value();
    if (!document_.at(target, {"material"})) lost_.add(kLostMissing, target);
    bind_instance(bound.attribute("symbol").value(), bound);
  }
  for (const pugi::xml_node primitives : mesh.children()) {
    const char* symbol = primitives.attribute("material").value();
    if (!primitives.child("input") || bindings.contains(symbol)) continue;
    if (symbol[0] != 0) bind(symbol, document_.with_id(symbol, {"material"}), {});
    if (symbol[0] == 0) bind_instance(symbol, common.child("instance_material"));
  }
  return bindings;
}

const ColladaMaterials::Read& ColladaMaterials::read(pugi::xml_node element) {
  const auto [known, is_new] = known_.try_emplace(element.hash_value());
  if (!is_new) return known->second;
  const pugi::xml_node effect = document_.at(element.child("instance_effect").attribute("url").value(), {"effect"});
  const pugi::xml_node technique = effect.child("profile_COMMON").child("technique");
  pugi::xml_node shading;
  for (const char* name : kShadings)
    if (!shading) shading = technique.child(name);
  UvSets<std::string> sets;
  Material material;
  material.name = element.attribute("name").value();
  if (material.name.empty()) material.name = element.attribute("id").value();
  material.double_sided = true;  // the format does not say which sides are meant
  material.unlit = is_named(shading, "constant");
  const char* const color_name = material.unlit ? "emission" : "diffuse";
  const Map color_map = map_of(effect, shading, color_name);
  material.base_color_texture = texture(color_map, material.name, sets);
  // A texture replaces the color. In Material, as in glTF, the two are multiplied.
  const bool has_image = material.base_color_texture.image >= 0;
  const Vec4 color = has_image ? Vec4{1, 1, 1, 1} : color_of(effect, shading.child(color_name), kUsualColor);
  material.base_color = {color.x, color.y, color.z, 1};
  read_opacity(effect, shading, color_map, material);
  material.roughness = roughness_of(effect, shading);
  read_normal_map(effect, technique, material, sets);
  if (!material.unlit) read_emission(effect, shading, material, sets);
  const bool has_others = shading.child("ambient").child("texture") || shading.child("specular").child("texture") ||
                          shading.child("shininess").child("texture") || shading.child("reflective").child("texture");
  if (has_others) lost_.add(kLostOtherImages, material.name);
  known->second = {int32_t(scene_.materials.size()), material.normal_texture.image >= 0, sets.sets()};
  scene_.materials.push_back(std::move(material));
  return known->second;
}

void ColladaMaterials::read_normal_map(pugi::xml_node effect, pugi::xml_node technique, Material& material,
                                       UvSets<std::string>& sets) {
  const auto is_bump = [](pugi::xml_node node) { return is_named(node, "bump"); };  // in an <extra>
  const Map map = map_of(effect, technique.find_node(is_bump).parent(), "bump");
  if (map.image >= 0 && !holds_normals(scene_.images[size_t(map.image)]))
    return lost_.add(kLostBumpMaps, material.name);
  material.normal_texture = texture(map, material.name, sets);
}

void ColladaMaterials::read_emission(pugi::xml_node effect, pugi::xml_node shading, Material& material,
                                     UvSets<std::string>& sets) {
  material.emissive_texture = texture(map_of(effect, shading, "emission"), material.name, sets);
  const bool has_image = material.emissive_texture.image >= 0;
  const Vec4 color = has_image ? Vec4{1, 1, 1, 1} : color_of(effect, shading.child("emission"), {});
  material.emissive = {color.x, color.y, color.z};
}

/// What shows through, as the specification says for each mode; 0 is taken for 1: exporters write it for opaque ones.
void ColladaMaterials::read_opacity(pugi::xml_node effect, pugi::xml_node shading, const Map& color,
                                    Material& material) {
  const pugi::xml_node element = shading.child("transparent");
  const Map map = map_of(effect, shading, "transparent");
  if (color.image >= 0 && map.image == color.image) {
    material.alpha_mode = AlphaMode::kMask;
  } else if (map.element) {
    lost_.add(kLostOpacityImages, material.name);
  }
  const std::string_view mode = element.attribute("opaque").value();
  const Vec4 transparent = color_of(effect, element, {1, 1, 1, 1});
  const bool is_rgb = mode.starts_with("RGB_"), is_inverse = mode.ends_with("_ZERO");
  double opacity =
      number_of(effect, shading.child("transparency"), 1) * (is_rgb ? luminance(transparent) : double(transparent.w));
  if (is_inverse && (element || shading.child("transparency"))) opacity = 1 - opacity;
  if (opacity == 1) return;
  if (!(opacity > 0 && opacity < 1)) return lost_.add(kLostOpacities, material.name);
  material.base_color.w = float(opacity);
  material.alpha_mode = AlphaMode::kBlend;
}

/// The texture of one property: its sampler and surface are parameters of the effect, or it names the image itself.
ColladaMaterials::Map ColladaMaterials::map_of(pugi::xml_node effect, pugi::xml_node owner, const char* name) {
  Map map;
  map.element = owner.child(name).child("texture");
  if (!map.element) return map;
  map.texcoord = map.element.attribute("texcoord").value();
  std::string id = map.element.attribute("texture").value();
  const pugi::xml_node sampler_param = param_of(effect, id);
  map.sampler = sampler_param.child("sampler2D");
  if (const std::string source = text_of(map.sampler.child("source")); !source.empty()) {
    id = text_of(param_of(effect, source).child("surface").child("init_from"));
  } else if (const char* url = map.sampler.child("instance_image").attribute("url").value(); url[0] == '#') {
    id = url + 1;  // COLLADA 1.5
  } else if (sampler_param.child("surface")) {
    id = text_of(sampler_param.child("surface").child("init_from"));
  }
  map.image = image_of(id);
  if (map.image >= 0 && is_transformed(map.element)) lost_.add(kLostTextureTransforms, id);
  return map;
}

/// The texture of glTF; none without an image, or if it uses a third set of texture coordinates.
Texture ColladaMaterials::texture(const Map& map, const std::string& material, UvSets<std::string>& sets) {
  if (map.image < 0) return {};
  const std::optional<uint32_t> set = sets.number_of(map.texcoord);
  if (!set) {
    if (sets.loses_first()) lost_.add(kLostTextureSets, material);
    return {};
  }
  Texture texture;
  texture.image = map.image;
  texture.uv_set = *set;
  texture.wrap_u = wrap_of(map.sampler, "wrap_s", extra_of(map.element, "wrapU"), extra_of(map.element, "mirrorU"));
  texture.wrap_v = wrap_of(map.sampler, "wrap_t", extra_of(map.element, "wrapV"), extra_of(map.element, "mirrorV"));
  return texture;
}

int32_t ColladaMaterials::image_of(const std::string& id) {
  const auto [known, is_new] = image_named_.try_emplace(id, -1);
  if (!is_new) return known->second;
  const std::string path = image_path(document_.with_id(id, {"image"}));
  if (path.empty()) return lost_.add(kLostImages, id), -1;
  const auto [same, is_new_path] = image_at_.try_emplace(path, -1);
  if (!is_new_path) return known->second = same->second;
  std::optional<Image> image = images_.load(path);
  if (!image) return -1;
  scene_.images.push_back(std::move(*image));
  return known->second = same->second = int32_t(scene_.images.size()) - 1;
}

}  // namespace sinew::internal
