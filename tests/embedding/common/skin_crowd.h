// A crowd of tubes in three calls a frame: a model that the host builds in code goes into a file, comes out of it, and
// is skinned. What the device has is compared with the CPU skinner.
#pragma once

#include "common/evaluated.h"
#include "common/skin_tube.h"
#include "sinew/animation/bounds.h"
#include "sinew/runtime/skinned_crowd.h"
#include "sinew/runtime/thread_pool.h"

template <class T>
T checked(sinew::Result<T> result, const char* what) {
  if (!result) std::exit(fail(what, result.error()));
  return std::move(*result);
}
inline void checked(const sinew::Status& status, const char* what) {
  if (!status) std::exit(fail(what, status.error()));
}

inline sinew::SharedModel tube_model() {
  sinew::CharacterFile file;
  file.character = make_tube();
  file.baked = checked(sinew::bake(file.character), "bake");
  file.bounds = checked(sinew::measure_bounds(file.character, *file.baked), "measure_bounds");
  checked(sinew::write_model_file("tube.sinew", *checked(sinew::to_model(std::move(file)), "to_model")), "write");
  return checked(sinew::load_model_file("tube.sinew"), "load_model_file");
}

/// Fill `info` with all but instance and devices. Returns an exit code.
template <class Host>
int skin_crowd(Host& host, sinew::vulkan::SkinnerInfo info) {
  const sinew::SharedModel model = tube_model();
  sinew::ThreadPool threads(2);
  info.instance = host.instance, info.physical_device = host.physical_device, info.device = host.device;
  sinew::vulkan::CrowdOptions options{.parallel_for = threads.parallel_for()};
  options.planner.cull = options.planner.update_rate = false;
  auto crowd = checked(sinew::vulkan::SkinnedCrowd::create(info, {&model, 1}, options), "create");
  const std::vector<uint32_t> models(kInstances);
  const std::vector<sinew::Matrix3x4> places(kInstances);
  const auto view = sinew::crowd::View::from_camera(sinew::crowd::View().clip_from_world, {}, 1, 1000);
  for (uint64_t frame = 1; frame <= kFrames; ++frame) {
    std::vector<sinew::Playback> playbacks(kInstances);
    for (uint32_t i = 0; i < kInstances; ++i) playbacks[i].layers[0] = {0, bend_of(frame, i), 1};
    const sinew::crowd::Instances instances{models, places, playbacks};
    checked(crowd.update({.number = frame, .seconds = double(frame)}, instances, {&view, 1}), "update");
    if (crowd.draws().size() != 1 || crowd.instances().size() != kInstances) return 1;
    const sinew::vulkan::Draw& draw = crowd.draws()[0];
    host.run([&](VkCommandBuffer cmd) {
      crowd.record(cmd);
      host.copy(cmd, draw.vertex_buffer, VkDeviceSize{draw.first_vertex} * 16,
                VkDeviceSize{kInstances} * draw.vertex_count * 16);
    });
    const std::span skinned(static_cast<const sinew::SkinnedVertex*>(host.read()),
                            size_t{kInstances} * draw.vertex_count);
    const WritePalettes palettes = evaluated(model->character);
    std::vector<sinew::SkinnedVertex> in_order(skinned.size());
    for (uint32_t i = 0; i < kInstances; ++i) {
      const auto own = skinned.subspan(size_t{i} * draw.vertex_count, draw.vertex_count);
      std::copy(own.begin(), own.end(), in_order.begin() + crowd.instances()[i] * draw.vertex_count);
    }
    const float error = largest_error(model->character, palettes, frame, in_order);
    std::printf("frame %d: largest error %.2g of the diagonal\n", int(frame), double(error));
    if (!(error <= 1e-5f)) return 1;
  }
  return 0;
}
