// What the examples have in common besides the host (src/host): options, errors, and what every one makes of a device
// and a character.
#pragma once

#include <vector>

#include "host/pipeline.h"
#include "host/program.h"
#include "host/screen.h"
#include "sinew/asset/character.h"
#include "sinew/vulkan/skinner.h"

namespace example {

using host::check;  // returns the value, or ends the program with the message of the error

inline host::Program program(const char* name, const char* summary, void (*run)(const host::Options& options)) {
  host::Program program{.name = name, .summary = summary};
  program.file = SINEW_EXAMPLES_CHARACTER;
  program.file_help = "a character: glTF, FBX, .sinew and others; without it the built-in one";
  program.run = run;
  return program;
}

inline sinew::vulkan::SkinnerInfo skinner_info(const host::Device& device) {
  sinew::vulkan::SkinnerInfo info;
  info.instance = device.instance, info.physical_device = device.info.physical, info.device = device.handle;
  info.get_instance_proc_addr = vkGetInstanceProcAddr;
  info.frames_in_flight = host::kSlots;
  info.debug_utils = device.debug_utils;
  return info;
}

/// The images of a character, and a white one at the end for materials without an image.
inline std::vector<host::Texture> upload_images(const host::Device& device, const sinew::Character& character) {
  std::vector<host::Texture> textures;
  for (const sinew::Image& image : character.images)
    textures.push_back(check(host::create_sampled_texture(device, image.width, image.height, image.rgba, image.name)));
  constexpr uint8_t kWhite[4] = {255, 255, 255, 255};
  textures.push_back(check(host::create_sampled_texture(device, 1, 1, kWhite, "white")));
  return textures;
}

inline const host::Texture& texture_of(const sinew::Material& material, const std::vector<host::Texture>& textures) {
  const int32_t image = material.base_color_texture.image;
  return image < 0 ? textures.back() : textures[size_t(image)];
}

}  // namespace example
