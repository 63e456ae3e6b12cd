#include "fbx/fbx_materials.h"

#include <algorithm>
#include <array>
#include <optional>

namespace sinew::internal {
namespace {

/// Properties with the base color and its image, in the order of preference: of physically based materials first.
const std::vector<std::string_view> kColorTextures = {
    "Maya|TEX_color_map",         "Maya|baseColor", "3dsMax|Parameters|base_color_map",
    "3dsMax|main|base_color_map", "DiffuseColor",   "Maya|DiffuseTexture"};
const std::vector<std::string_view> kOpacityTextures = {"TransparentColor", "TransparencyFactor", "Opacity",
                                                        "Maya|opacity", "3dsMax|Parameters|transparency_map"};
constexpr std::array<std::string_view, 4> kColors = {"Maya|baseColor", "3dsMax|Parameters|base_color",
                                                     "3dsMax|main|base_color", "Maya|base_color"};

Double3 color_of(const FbxProperties& properties) {
  for (const std::string_view name : kColors) {
    if (properties.has(name)) return properties.vector(name, {1, 1, 1});
  }
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

const FbxMaterials::Read& FbxMaterials::read(uint32_t object) {
  const auto [known, is_new] = known_.try_emplace(object);
  if (!is_new) return known->second;
  const FbxProperties& properties = objects_[object].properties;
  const Texture texture = texture_of(object, kColorTextures);
  Material material;
  material.name = objects_[object].name;
  material.double_sided = true;
  material.base_color_image = texture.image;
  // A texture replaces the color. In Material, as in glTF, the two are multiplied.
  const Double3 color = texture.image >= 0 ? Double3{1, 1, 1} : color_of(properties);
  material.base_color = {float(color[0]), float(color[1]), float(color[2]), 1};
  read_opacity(object, texture, material);
  known->second = {int32_t(scene_.materials.size()), texture.uv_set};
  scene_.materials.push_back(std::move(material));
  return known->second;
}

void FbxMaterials::read_opacity(uint32_t object, const Texture& color, Material& material) {
  const Texture opacity = texture_of(object, kOpacityTextures);
  if (color.image >= 0 && (color.uses_alpha || opacity.image == color.image)) {
    material.alpha_mode = AlphaMode::kMask;
  } else if (opacity.object != 0) {
    add(lost_, FbxLost::kOpacityImage, material.name);
  }
  const double value = opacity_of(objects_[object].properties);
  if (value == 1) return;
  if (!(value > 0 && value < 1)) return add(lost_, FbxLost::kOpacity, material.name);  // some exporters mean 1 by 0
  material.base_color.w = float(value);
  material.alpha_mode = AlphaMode::kBlend;
}

/// The texture that is connected to the first of the properties that has one.
FbxMaterials::Texture FbxMaterials::texture_of(uint32_t material, const std::vector<std::string_view>& properties) {
  Texture texture;
  for (const std::string_view property : properties) {
    for (const FbxLink& link : objects_[material].sources) {
      if (link.property == property && texture.object == 0) texture.object = first_texture(link.object);
    }
  }
  if (texture.object == 0) return texture;
  const FbxObject& object = objects_[texture.object];
  if (is_transformed(object.properties)) add(lost_, FbxLost::kTextureTransform, object.name);
  texture.image = image_of(texture.object);
  texture.uv_set = object.properties.text("UVSet");
  const FbxRecord* alpha = object.record->child("Texture_Alpha_Source");
  texture.uses_alpha = alpha != nullptr && alpha->bytes(0) == "Alpha_Black";
  return texture;
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
  if (layers.size() > 1) add(lost_, FbxLost::kLayeredTexture, objects_[object].name);
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
