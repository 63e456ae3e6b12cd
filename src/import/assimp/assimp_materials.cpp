#include "assimp/assimp_materials.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "asset/number_text.h"
#include "vertex_colors.h"

namespace sinew::internal {
namespace {

/// A texture of a material: its path in the file, and its channel of texture coordinates.
struct Texture {
  std::string path;
  unsigned channel = 0;
  bool uses_alpha = false;  // the file says that its alpha is the opacity
};

/// The first texture of a type. Its path is empty if there is none.
Texture texture_of(const aiMaterial& material, aiTextureType type) {
  Texture texture;
  aiString path;
  if (material.GetTexture(type, 0, &path, nullptr, &texture.channel) != aiReturn_SUCCESS) return {};
  texture.path = path.C_Str();
  int flags = 0;
  if (material.Get(AI_MATKEY_TEXFLAGS(type, 0), flags) == aiReturn_SUCCESS) {
    texture.uses_alpha = (flags & aiTextureFlags_UseAlpha) != 0;
  }
  return texture;
}

/// Reads materials and their images. Borrows all its arguments.
class MaterialReader {
 public:
  MaterialReader(const aiScene& source, ImageReader& images, ImportReport& report, Scene& scene)
      : source_(source), images_(images), report_(report), scene_(scene) {}

  /// Returns the channel of texture coordinates.
  unsigned read(const aiMaterial& source) {
    Material material;
    material.name = source.GetName().C_Str();
    material.double_sided = true;
    aiColor4D color(1, 1, 1, 1);
    if (source.Get(AI_MATKEY_BASE_COLOR, color) != aiReturn_SUCCESS) source.Get(AI_MATKEY_COLOR_DIFFUSE, color);
    Texture texture = texture_of(source, aiTextureType_BASE_COLOR);
    if (texture.path.empty()) texture = texture_of(source, aiTextureType_DIFFUSE);
    if (!texture.path.empty()) material.base_color_image = image(texture.path);
    // In these formats a texture replaces the color. In Material, as in glTF, the two are multiplied.
    if (material.base_color_image >= 0) color = aiColor4D(1, 1, 1, 1);
    material.base_color = {color.r, color.g, color.b, 1};
    read_alpha(source, texture, material);
    scene_.materials.push_back(std::move(material));
    return texture.channel;
  }

 private:
  void warn(const Material& material, const std::string& what) {
    report_.warnings.push_back("material '" + material.name + "': " + what);
  }

  void read_alpha(const aiMaterial& source, const Texture& texture, Material& material) {
    const Texture opacity_texture = texture_of(source, aiTextureType_OPACITY);
    if (material.base_color_image >= 0 && (texture.uses_alpha || opacity_texture.path == texture.path)) {
      material.alpha_mode = AlphaMode::kMask;
    } else if (!opacity_texture.path.empty()) {
      warn(material, "its opacity is an image of its own, which is not read");
    }
    float opacity = 1;
    source.Get(AI_MATKEY_OPACITY, opacity);
    if (opacity > 0 && opacity < 1) {
      material.base_color.w = opacity;
      material.alpha_mode = AlphaMode::kBlend;
    } else if (opacity != 1) {  // NaN too
      warn(material, "an opacity of " + number_text(opacity) + " is taken for 1");
    }
  }

  int32_t image(const std::string& path) {
    const auto [found, is_new] = image_named_.try_emplace(path, -1);
    if (!is_new) return found->second;
    const aiTexture* embedded = source_.GetEmbeddedTexture(path.c_str());
    std::optional<Image> decoded = embedded == nullptr ? images_.load(path) : embedded_image(*embedded, path);
    if (!decoded) return -1;
    scene_.images.push_back(std::move(*decoded));
    return found->second = int32_t(scene_.images.size()) - 1;
  }

  std::optional<Image> embedded_image(const aiTexture& texture, const std::string& name) {
    if (texture.mHeight == 0) {
      return images_.decode({reinterpret_cast<const uint8_t*>(texture.pcData), texture.mWidth}, name);
    }
    Image result{name, texture.mWidth, texture.mHeight, {}};
    for (size_t i = 0; i < size_t(texture.mWidth) * texture.mHeight; ++i) {
      const aiTexel& t = texture.pcData[i];
      result.rgba.insert(result.rgba.end(), {t.r, t.g, t.b, t.a});
    }
    return result;
  }

  const aiScene& source_;
  ImageReader& images_;
  ImportReport& report_;
  Scene& scene_;
  std::unordered_map<std::string, int32_t> image_named_;
};

/// Whether all values are integers up to 255, and some above 1: Assimp's reader of Blender files returns bytes.
bool has_bytes(std::span<const aiColor4D> colors) {
  float largest = 0;
  for (const aiColor4D& c : colors) {
    for (const float value : {c.r, c.g, c.b, c.a}) {
      if (!(value >= 0 && value <= 255) || value != std::floor(value)) return false;
      largest = std::max(largest, value);
    }
  }
  return largest > 1;
}

}  // namespace

std::vector<unsigned> read_materials(const aiScene& source, ImageReader& images, ImportReport& report, Scene& scene) {
  MaterialReader reader(source, images, report, scene);
  std::vector<unsigned> channels;
  for (unsigned i = 0; i < source.mNumMaterials; ++i) channels.push_back(reader.read(*source.mMaterials[i]));
  return channels;
}

std::vector<VertexColor> read_colors(const aiMesh& source, ImportReport& report) {
  if (!source.HasVertexColors(0)) return {};
  const std::string name = std::string("mesh '") + source.mName.C_Str() + "'";
  const std::span colors(source.mColors[0], source.mNumVertices);
  const float unit = has_bytes(colors) ? 255.0f : 1.0f;
  std::vector<Vec4> srgb;
  for (const aiColor4D& c : colors) srgb.push_back({c.r / unit, c.g / unit, c.b / unit, c.a / unit});
  return srgb_vertex_colors(std::move(srgb), name, report);
}

}  // namespace sinew::internal
