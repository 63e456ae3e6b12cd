// The data of a model that only the draw pass reads: indices, texture coordinates, materials.
#pragma once

#include <span>
#include <vector>

#include "gpu/resources.h"
#include "scene/model.h"
#include "skinning/skinning.h"

namespace sinew::app {

/// One material of one mesh, ready to be bound.
struct MaterialDraw {
  uint32_t first_index = 0, index_count = 0;  // in ModelBuffers::indices
  Vec4 base_color;
  VkDescriptorSet set = VK_NULL_HANDLE;
};

struct ModelBuffers {
  Buffer indices;           // of all meshes
  std::vector<Buffer> uvs;  // of each mesh
  std::vector<Image> textures;
  SamplerHandle sampler;
  DescriptorPoolHandle pool;
  std::vector<std::vector<MaterialDraw>> materials;  // of each mesh: every level of every model in turn
};

/// Uploads the data, and writes one set of `material_layout` per material of each mesh. Waits for the device.
Result<ModelBuffers> create_model_buffers(const Device& device, std::span<const Model> models, const Skinning& skinning,
                                          VkDescriptorSetLayout material_layout);

}  // namespace sinew::app
