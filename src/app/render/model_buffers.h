// What draws read of models: meshes, and the textures and numbers of their materials.
#pragma once

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "gpu/host.h"
#include "render/draw_options.h"
#include "scene/model.h"
#include "scene/person_colors.h"
#include "shared/crowd.h"
#include "sinew/asset/material.h"
#include "sinew/asset/mesh.h"
#include "skinning/skinning.h"

namespace sinew::app {

// The images of all materials on the device, with their samplers.

/// What is read of the bytes of an image: colors in sRGB, linear numbers, or the shares of the regions that its alpha
/// names.
enum class Encoding : uint8_t { kSrgb, kLinear, kRegions };

/// An image that is read in two ways is on the device twice; one that no material names is not there.
class MaterialTextures {
 public:
  /// Uploads what the materials of all models name. Waits for the device.
  static Result<MaterialTextures> create(const Device& device, std::span<const Model> models);

  /// A texture of a material of the model with that index. Without an image it is white.
  VkDescriptorImageInfo descriptor(uint32_t model, const Texture& texture, Encoding encoding) const;

 private:
  Status add(const Device& device, const Model& model, uint32_t index, const Texture& texture, Encoding encoding);
  Status add_sampler(const Device& device, const Texture& texture);

  using ImageKey = std::tuple<uint32_t, int32_t, Encoding>;  // model, image
  using SamplerKey = std::tuple<Wrap, Wrap, Filter, Filter, Filter>;
  static SamplerKey key_of(const Texture& texture);

  Image white_;
  std::map<ImageKey, Image> images_;
  std::map<SamplerKey, SamplerHandle> samplers_;
};

// What the shaders read of a material besides its textures.

/// Whether a material has more than a base color and its texture: other textures, metal, gloss or emission.
bool has_maps(const Material& material);

/// Where the colors of a mesh begin in the buffer of its texture coordinates, in elements, and its uv sets, which are
/// there if `uv_sets`.
struct SurfacePlaces {
  uint32_t colors = 0, uvs = 0, second_uvs = 0, count = 0;
};
SurfacePlaces places_of(const Mesh& mesh, bool uv_sets);

/// Of a material of a character: without regions.
shared::MaterialUniforms uniforms_of(const Material& material, const SurfacePlaces& places);

/// Sets the colors that people may have in regions of these colors. `regions`: where the regions are, kRegionsNone or
/// one of its alternatives.
void set_palettes(const RegionColors& colors, uint32_t regions, shared::MaterialUniforms& uniforms);

// The data of a model that only the draw pass reads: indices, texture coordinates, materials.

/// One material of one mesh, ready to be bound.
struct MaterialDraw {
  Vec4 base_color;
  VkDescriptorSet set = VK_NULL_HANDLE;
  SurfaceKind surface;
  float alpha_cutoff = 0;
  uint32_t shading = shared::kShadingLit;
  uint32_t first_color = 0;  // in the mesh's buffer of `uvs`, in elements; 0: it has no colors
};

struct ModelBuffers {
  Buffer indices;              // vulkan::MeshStreams::indices
  std::vector<Buffer> uvs;     // of each mesh: see SurfacePlaces
  std::vector<Buffer> colors;  // of each mesh: set_vertex_colors(); empty buffers before
  MaterialTextures textures;
  Buffer uniforms;  // shared::MaterialUniforms, one for each material of each mesh, every `uniform_stride` bytes
  VkDeviceSize uniform_stride = 0;
  DescriptorPoolHandle pool;
  std::vector<uint32_t> first_meshes;  // of each model: its first level, see `materials`
  std::vector<uint32_t> first_worn;    // of each model: the first level of its first wearable; then of the next one
  std::vector<uint32_t> level_counts;  // of each model
  // Of each mesh: all materials of every level of every model; then those of wearables. Without triangles: no set.
  std::vector<std::vector<MaterialDraw>> materials;
  std::vector<vulkan::MeshBuffer> static_meshes;  // likewise; null unless the vertex shader skins, and of wearables
  std::vector<Box> boxes;                         // likewise: see box_of_positions()

  uint32_t mesh_of(const vulkan::Draw& draw) const {
    if (draw.wearable == kNoWearable) return first_meshes[draw.model] + draw.level;
    return first_worn[draw.model] + draw.wearable * level_counts[draw.model] + draw.level;
  }
  const MaterialDraw& material_of(const vulkan::Draw& draw) const { return materials[mesh_of(draw)][draw.material]; }
};

/// Bit s is set if some material is a surface with index s.
uint32_t surfaces_of(const ModelBuffers& buffers);

/// Uploads the data, and writes one set of `material_layout` for each material of each mesh. Waits for the device.
Result<ModelBuffers> create_model_buffers(const Device& device, std::span<const Model> models, const Skinning& skinning,
                                          VkDescriptorSetLayout material_layout);

/// Sets a color for each vertex of a mesh, rgba8, for Coloring::kVertices. The device must be idle.
Status set_vertex_colors(const Device& device, uint32_t mesh, std::span<const uint32_t> colors, ModelBuffers& buffers);

}  // namespace sinew::app
