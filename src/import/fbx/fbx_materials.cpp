#include "fbx/fbx_materials.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

namespace sinew::internal {
namespace {

// The properties of FBX materials, in the order of preference: of physically based materials first. Maya's Stingray and
// standard surface, the physical and the glTF material of 3ds Max, then Phong and Lambert.

using FbxNames = std::vector<std::string_view>;

/// Numbers and colors.
inline const FbxNames kFbxColors = {"Maya|baseColor", "3dsMax|Parameters|base_color", "3dsMax|main|base_color",
                                    "Maya|base_color"};
inline const FbxNames kFbxMetallic = {"Maya|metalness", "Maya|metallic", "3dsMax|Parameters|metalness",
                                      "3dsMax|main|metalness"};
inline const FbxNames kFbxRoughness = {"Maya|specularRoughness", "Maya|roughness", "3dsMax|Parameters|roughness",
                                       "3dsMax|main|roughness"};
inline const FbxNames kFbxEmission = {"Maya|emissionColor", "Maya|emissive", "3dsMax|Parameters|emit_color",
                                      "3dsMax|main|emit_color"};
inline const FbxNames kFbxEmissionWeights = {"Maya|emission", "Maya|emissive_intensity", "3dsMax|Parameters|emission"};

/// What textures are connected to.
inline const FbxNames kFbxColorMaps = {
    "Maya|TEX_color_map",         "Maya|baseColor", "3dsMax|Parameters|base_color_map",
    "3dsMax|main|base_color_map", "DiffuseColor",   "Maya|DiffuseTexture"};
inline const FbxNames kFbxOpacityMaps = {"TransparentColor", "TransparencyFactor", "Opacity", "Maya|opacity",
                                         "3dsMax|Parameters|transparency_map"};
inline const FbxNames kFbxMetallicMaps = {"Maya|TEX_metallic_map", "Maya|metalness", "3dsMax|Parameters|metalness_map",
                                          "3dsMax|main|metalness_map"};
inline const FbxNames kFbxRoughnessMaps = {"Maya|TEX_roughness_map", "Maya|specularRoughness",
                                           "3dsMax|Parameters|roughness_map", "3dsMax|main|roughness_map"};
inline const FbxNames kFbxNormalMaps = {"Maya|TEX_normal_map",  "Maya|normalCamera", "3dsMax|Parameters|bump_map",
                                        "3dsMax|main|norm_map", "NormalMap",         "Bump"};
inline const FbxNames kFbxOcclusionMaps = {"Maya|TEX_ao_map", "3dsMax|main|ao_map", "AmbientOcclusion"};
inline const FbxNames kFbxEmissionMaps = {"Maya|TEX_emissive_map", "Maya|emissionColor",
                                          "3dsMax|Parameters|emit_color_map", "3dsMax|main|emit_color_map",
                                          "EmissiveColor"};

/// The first of the properties that the material has.
std::optional<std::string_view> first_of(const FbxProperties& properties, const FbxNames& names) {
  const auto found = std::find_if(names.begin(), names.end(), [&](auto name) { return properties.has(name); });
  return found == names.end() ? std::nullopt : std::optional(*found);
}

double real_of(const FbxProperties& properties, const FbxNames& names, double absent) {
  const std::optional<std::string_view> name = first_of(properties, names);
  return name ? properties.real(*name, absent) : absent;
}

Double3 color_of(const FbxProperties& properties) {
  if (const auto name = first_of(properties, kFbxColors)) return properties.vector(*name, {1, 1, 1});
  const Double3 color = properties.vector("DiffuseColor", properties.vector("Diffuse", {0.8, 0.8, 0.8}));
  const double factor = properties.real("DiffuseFactor", 1);
  return color * Double3{factor, factor, factor};
}

/// 1: nothing is behind. Files say it in several ways.
double opacity_of(const FbxProperties& properties) {
  if (properties.has("Opacity")) return properties.real("Opacity", 1);
  const Double3 color = properties.vector("TransparentColor", {});
  const double factor = properties.real("TransparencyFactor", 0);
  return 1 - factor * (color[0] + color[1] + color[2]) / 3;
}

/// Phong's exponent, unless the material has a roughness of its own. Lambert, and what reflects nothing, is rough.
double roughness_of(const FbxObject& object) {
  const FbxProperties& properties = object.properties;
  if (first_of(properties, kFbxRoughness)) {
    const double value = real_of(properties, kFbxRoughness, 1);
    return properties.integer("3dsMax|Parameters|roughness_inv", 0) != 0 ? 1 - value : value;
  }
  const FbxRecord* model = object.record->child("ShadingModel");
  const std::string name = model == nullptr ? std::string() : model->text(0);
  if (name == "lambert" || name == "Lambert") return 1;
  const Double3 specular = properties.vector("SpecularColor", properties.vector("Specular", {}));
  if (is_zero(specular) || properties.real("SpecularFactor", 1) == 0) return 1;
  const double exponent = properties.real("ShininessExponent", properties.real("Shininess", -1));
  return double(roughness_of_exponent(exponent));
}

Double3 emission_of(const FbxProperties& properties) {
  if (const auto name = first_of(properties, kFbxEmission)) {
    const double weight = real_of(properties, kFbxEmissionWeights, 1);
    return properties.vector(*name, {}) * Double3{weight, weight, weight};
  }
  const double factor = properties.real("EmissiveFactor", 1);
  return properties.vector("EmissiveColor", properties.vector("Emissive", {})) * Double3{factor, factor, factor};
}

/// What a texture of emission is multiplied with, in place of the color.
float emission_weight_of(const FbxProperties& properties) {
  if (first_of(properties, kFbxEmissionWeights)) return float(real_of(properties, kFbxEmissionWeights, 1));
  return float(properties.real("EmissiveFactor", 1));
}

bool is_known_map(std::string_view property) {
  const FbxNames* lists[] = {&kFbxColorMaps,     &kFbxOpacityMaps, &kFbxMetallicMaps, &kFbxRoughnessMaps,
                             &kFbxOcclusionMaps, &kFbxNormalMaps,  &kFbxEmissionMaps};
  return std::any_of(std::begin(lists), std::end(lists), [&](const FbxNames* names) {
    return std::find(names->begin(), names->end(), property) != names->end();
  });
}

Vec3 vec3(const Double3& rgb) { return {float(rgb[0]), float(rgb[1]), float(rgb[2])}; }

Wrap wrap_of(const FbxProperties& texture, const char* property) {
  return texture.integer(property, 0) == 1 ? Wrap::kClamp : Wrap::kRepeat;
}

/// The four characters of base64 that text files have for three bytes.
std::vector<uint8_t> decode_base64(std::string_view text) {
  std::vector<uint8_t> bytes;
  uint32_t bits = 0, count = 0;
  for (const char c : text) {
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (value < 0) continue;
    bits = bits << 6 | uint32_t(value);
    if (++count % 4 != 1) bytes.push_back(uint8_t(bits >> (6 - 2 * ((count - 1) % 4))));
  }
  return bytes;
}

bool is_transformed(const FbxProperties& properties) {
  return !is_zero(properties.vector("Translation", {})) || !is_zero(properties.vector("Rotation", {})) ||
         properties.vector("Scaling", {1, 1, 1}) != Double3{1, 1, 1};
}

}  // namespace

const ConvertedMaterial& FbxMaterials::read(uint32_t object) {
  const auto [known, is_new] = known_.try_emplace(object);
  if (!is_new) return known->second;
  const FbxProperties& properties = objects_[object].properties;
  SourceMaterial material;
  material.name = objects_[object].name;
  material.color = vec3(color_of(properties));
  material.opacity = opacity_of(properties);
  material.metallic = float(real_of(properties, kFbxMetallic, 0));
  material.roughness = float(roughness_of(objects_[object]));
  material.emission = vec3(emission_of(properties));
  material.emission_weight = emission_weight_of(properties);
  material.color_texture = texture(object, kFbxColorMaps);
  material.opacity_texture = texture(object, kFbxOpacityMaps);
  material.metallic_texture = texture(object, kFbxMetallicMaps);
  material.roughness_texture = texture(object, kFbxRoughnessMaps);
  material.normal_texture = texture(object, kFbxNormalMaps);
  material.occlusion_texture = texture(object, kFbxOcclusionMaps);
  material.emission_texture = texture(object, kFbxEmissionMaps);
  material.has_others = has_others(object);
  return known->second = conversion_.add(material);
}

bool FbxMaterials::has_others(uint32_t material) const {
  const std::vector<FbxLink>& sources = objects_[material].sources;
  return std::any_of(sources.begin(), sources.end(), [&](const FbxLink& link) {
    const std::string& type = objects_[link.object].type;
    return !link.property.empty() && (type == "Texture" || type == "LayeredTexture") && !is_known_map(link.property);
  });
}

/// The texture that is connected to the first of the properties that has one.
SourceTexture FbxMaterials::texture(uint32_t material, const FbxNames& properties) {
  uint32_t found = 0;
  for (const std::string_view property : properties) {
    for (const FbxLink& link : objects_[material].sources) {
      if (link.property == property && found == 0) found = first_texture(link.object);
    }
  }
  if (found == 0) return {};
  const FbxObject& object = objects_[found];
  if (is_transformed(object.properties) && transformed_.insert(found).second) {
    add(lost_, MaterialLost::kTextureTransform, object.name);
  }
  const FbxRecord* alpha = object.record->child("Texture_Alpha_Source");
  return {true,
          image_of(found),
          object.properties.text("UVSet"),
          wrap_of(object.properties, "WrapModeU"),
          wrap_of(object.properties, "WrapModeV"),
          alpha != nullptr && alpha->bytes(0) == "Alpha_Black"};
}

/// The bytes of an embedded file; none if there is none.
std::vector<uint8_t> FbxMaterials::content_of(const FbxObject& video) const {
  const FbxRecord* content = video.record->child("Content");
  if (content == nullptr) return {};
  std::string bytes;
  for (size_t i = 0; i < content->values.size(); ++i) bytes += content->bytes(i);
  return objects_.document().is_text ? decode_base64(bytes) : std::vector<uint8_t>(bytes.begin(), bytes.end());
}

/// The texture itself, or the first one of a layered texture; 0 if it is something else.
uint32_t FbxMaterials::first_texture(uint32_t object) {
  if (objects_[object].type == "Texture") return object;
  if (objects_[object].type != "LayeredTexture") return 0;
  const std::vector<uint32_t> layers = objects_.sources_of(object, "Texture");
  if (layers.size() > 1 && layered_.insert(object).second) {
    add(lost_, FbxLost::kLayeredTexture, objects_[object].name);
  }
  return layers.empty() ? 0 : layers.front();
}

int32_t FbxMaterials::image_of(uint32_t texture) {
  const FbxRecord& record = *objects_[texture].record;
  std::string path;
  for (const char* name : {"RelativeFilename", "FileName", "Filename"}) {
    const FbxRecord* child = record.child(name);
    if (path.empty() && child != nullptr) path = child->text(0);
  }
  std::vector<uint8_t> embedded;
  for (const uint32_t video : objects_.sources_of(texture, "Video")) {
    const FbxRecord* file = objects_[video].record->child("RelativeFilename");
    if (path.empty() && file != nullptr) path = file->text(0);
    if (embedded.empty()) embedded = content_of(objects_[video]);
  }
  if (path.empty() && embedded.empty()) return -1;
  if (path.empty()) path = objects_[texture].name + " " + std::to_string(texture);
  const auto [known, is_new] = image_named_.try_emplace(path, -1);
  if (!is_new) return known->second;
  std::optional<Image> image = embedded.empty() ? images_.load(path) : images_.decode(embedded, path);
  if (!image) return -1;
  scene_.images.push_back(std::move(*image));
  return known->second = int32_t(scene_.images.size()) - 1;
}

}  // namespace sinew::internal
