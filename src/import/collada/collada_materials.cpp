#include "collada/collada_materials.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "asset/plain_text.h"

namespace sinew::internal {
namespace {

constexpr Vec4 kUsualColor{0.6f, 0.6f, 0.6f, 1};  // where the file has none
constexpr const char* kShadings[] = {"phong", "blinn", "lambert", "constant"};
constexpr const char* kOtherTextures[] = {"ambient", "specular", "shininess", "reflective"};

std::string_view trimmed(std::string_view text) {
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

Vec3 rgb(Vec4 color) { return {color.x, color.y, color.z}; }

double luminance(Vec4 color) { return 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z; }  // BT.709

/// Phong's exponent. What reflects nothing is rough.
float roughness_of(pugi::xml_node effect, pugi::xml_node shading) {
  if (!is_named(shading, "phong") && !is_named(shading, "blinn")) return 1;
  const Vec4 specular = color_of(effect, shading.child("specular"), {1, 1, 1, 1});
  if (specular.x == 0 && specular.y == 0 && specular.z == 0) return 1;
  const double exponent = number_of(effect, shading.child("shininess"), NAN);
  return std::isnan(exponent) ? 1 : roughness_of_exponent(exponent);
}

/// 1: nothing is behind; as the specification says for each mode.
double opacity_of(pugi::xml_node effect, pugi::xml_node shading) {
  const pugi::xml_node element = shading.child("transparent"), share = shading.child("transparency");
  const std::string_view mode = element.attribute("opaque").value();
  const Vec4 transparent = color_of(effect, element, {1, 1, 1, 1});
  const double of_color = mode.starts_with("RGB_") ? luminance(transparent) : double(transparent.w);
  const double opacity = number_of(effect, share, 1) * of_color;
  return mode.ends_with("_ZERO") && (element || share) ? 1 - opacity : opacity;
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
    const ConvertedMaterial& converted = read(material);
    ColladaBinding binding{converted.material, converted.has_normal_map, {}};
    for (const std::string& texcoord : converted.uv_sets) {
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

const ConvertedMaterial& ColladaMaterials::read(pugi::xml_node element) {
  const auto [known, is_new] = known_.try_emplace(element.hash_value());
  if (!is_new) return known->second;
  SourceMaterial material =
      read_effect(document_.at(element.child("instance_effect").attribute("url").value(), {"effect"}));
  material.name = element.attribute("name").value();
  if (material.name.empty()) material.name = element.attribute("id").value();
  return known->second = conversion_.add(material);
}

/// All of a material but its name.
const SourceMaterial& ColladaMaterials::read_effect(pugi::xml_node effect) {
  const auto [known, is_new] = effects_.try_emplace(effect.hash_value());
  SourceMaterial& material = known->second;
  if (!is_new) return material;
  const pugi::xml_node technique = effect.child("profile_COMMON").child("technique");
  pugi::xml_node shading;
  for (const char* name : kShadings)
    if (!shading) shading = technique.child(name);
  material.unlit = is_named(shading, "constant");
  const char* const color_name = material.unlit ? "emission" : "diffuse";
  material.color = rgb(color_of(effect, shading.child(color_name), kUsualColor));
  material.opacity = opacity_of(effect, shading);
  material.roughness = roughness_of(effect, shading);
  material.color_texture = texture(effect, shading, color_name);
  material.opacity_texture = texture(effect, shading, "transparent");
  const auto is_bump = [](pugi::xml_node node) { return is_named(node, "bump"); };  // in an <extra>
  material.normal_texture = texture(effect, technique.find_node(is_bump).parent(), "bump");
  if (!material.unlit) {
    material.emission = rgb(color_of(effect, shading.child("emission"), {}));
    material.emission_texture = texture(effect, shading, "emission");
  }
  material.has_others = std::any_of(std::begin(kOtherTextures), std::end(kOtherTextures),
                                    [&](const char* name) { return bool(shading.child(name).child("texture")); });
  return material;
}

/// The texture of one property: its sampler and surface are parameters of the effect, or it names the image itself.
SourceTexture ColladaMaterials::texture(pugi::xml_node effect, pugi::xml_node owner, const char* name) {
  const pugi::xml_node element = owner.child(name).child("texture");
  if (!element) return {};
  std::string id = element.attribute("texture").value();
  const pugi::xml_node sampler_param = param_of(effect, id), sampler = sampler_param.child("sampler2D");
  if (const std::string source = text_of(sampler.child("source")); !source.empty()) {
    id = text_of(param_of(effect, source).child("surface").child("init_from"));
  } else if (const char* url = sampler.child("instance_image").attribute("url").value(); url[0] == '#') {
    id = url + 1;  // COLLADA 1.5
  } else if (sampler_param.child("surface")) {
    id = text_of(sampler_param.child("surface").child("init_from"));
  }
  const int32_t image = image_of(id);
  if (image >= 0 && is_transformed(element)) add(lost_, MaterialLost::kTextureTransform, id);
  return {true, image, element.attribute("texcoord").value(),
          wrap_of(sampler, "wrap_s", extra_of(element, "wrapU"), extra_of(element, "mirrorU")),
          wrap_of(sampler, "wrap_t", extra_of(element, "wrapV"), extra_of(element, "mirrorV"))};
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
