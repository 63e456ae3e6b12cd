// The images of all materials on the device, with their samplers.
#pragma once

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "gpu/host.h"
#include "scene/model.h"

namespace sinew::app {

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

}  // namespace sinew::app
