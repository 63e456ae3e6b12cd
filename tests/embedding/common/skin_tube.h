// Skins a few tubes for a few frames, reads them back, and compares them with the CPU skinner.
#pragma once

#include <cstdint>
#include <cstdio>
#include <vector>

#include "common/tube.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/asset/skinned_vertex.h"
#include "sinew/version.h"
#include "sinew/vulkan/skinner.h"

inline constexpr uint32_t kInstances = 5;
inline constexpr uint64_t kFrames = 4;

inline int fail(const char* what, const sinew::Error& error) {
  std::fprintf(stderr, "%s: %s\n", what, error.message.c_str());
  return 1;
}

/// The largest distance of a skinned position from the CPU skinner's, divided by the diagonal of the mesh.
inline float largest_error(const sinew::Character& tube, const WritePalettes& write_palettes, uint64_t frame,
                           std::span<const sinew::SkinnedVertex> skinned) {
  const uint32_t vertices = tube.mesh.vertex_count();
  std::vector<sinew::Matrix3x4> palettes(size_t{kInstances} * kJoints);
  write_palettes(frame, 0, kInstances, kJoints, palettes);
  std::vector<sinew::Vec3> positions(vertices), normals(vertices);
  float largest = 0;
  for (uint32_t i = 0; i < kInstances; ++i) {
    sinew::skin_on_cpu(tube.mesh, std::span(palettes).subspan(size_t{i} * kJoints, kJoints), positions, normals);
    for (uint32_t v = 0; v < vertices; ++v) {
      const float* p = skinned[size_t{i} * vertices + v].position;
      const float error = sinew::length(positions[v] - sinew::Vec3{p[0], p[1], p[2]});
      if (!(error <= largest)) largest = error;  // NaN too
    }
  }
  return largest / sinew::length(sinew::size_of(sinew::bounding_box(tube.mesh.positions)));
}

/// One skinner on the host's device. Fill `info` with all but instance and devices. Returns an exit code.
template <class Host>
class TubeSkinner {
 public:
  TubeSkinner(Host& host, sinew::vulkan::SkinnerInfo info, const sinew::Character& tube, WritePalettes write_palettes)
      : host_(host), tube_(tube), write_palettes_(std::move(write_palettes)), skinner_(make(host, info)) {}

  int add_mesh() {
    if (!skinner_) return fail("create_skinner", skinner_.error());
    auto mesh = skinner_->add_mesh(tube_.mesh, tube_.skin.palette_size(), "tube");
    if (!mesh) return fail("add_mesh", mesh.error());
    mesh_ = *mesh;
    return 0;
  }

  /// Up to the point where record() may be called.
  int begin(uint64_t frame) {
    if (sinew::Status begun = skinner_->begin_frame({.number = frame}); !begun)
      return fail("begin_frame", begun.error());
    const sinew::vulkan::SkinnerBatch batch{mesh_, kInstances};
    if (sinew::Status ready = skinner_->prepare(0, {&batch, 1}); !ready) return fail("prepare", ready.error());
    for (const auto& range : skinner_->ranges())
      write_palettes_(frame, range.first_instance, range.instance_count, range.palette_stride, range.palettes);
    return 0;
  }

  void record(VkCommandBuffer cmd) { skinner_->record(cmd); }
  void copy(VkCommandBuffer cmd) {
    const auto range = skinner_->ranges()[0];  // a few tubes fit in one page
    host_.copy(cmd, range.vertices, range.vertices_offset, VkDeviceSize{kInstances} * range.vertex_count * 16);
  }

  int compare(uint64_t frame) const {
    const std::span skinned(static_cast<const sinew::SkinnedVertex*>(host_.read()),
                            size_t{kInstances} * tube_.mesh.vertex_count());
    const float error = largest_error(tube_, write_palettes_, frame, skinned);
    std::printf("frame %d: largest error %.2g of the diagonal\n", int(frame), double(error));
    return error <= 1e-5f ? 0 : 1;
  }

 private:
  static sinew::Result<sinew::vulkan::Skinner> make(const Host& host, sinew::vulkan::SkinnerInfo& info) {
    info.instance = host.instance, info.physical_device = host.physical_device, info.device = host.device;
    return sinew::vulkan::create_skinner(info);
  }

  Host& host_;
  const sinew::Character& tube_;
  WritePalettes write_palettes_;
  sinew::Result<sinew::vulkan::Skinner> skinner_;
  sinew::vulkan::MeshId mesh_;
};

/// Barriers towards the copy that reads the vertices.
inline sinew::vulkan::SkinnerInfo copied_vertices(PFN_vkGetInstanceProcAddr get_instance_proc_addr) {
  sinew::vulkan::SkinnerInfo info;
  info.get_instance_proc_addr = get_instance_proc_addr;
  info.barriers = sinew::vulkan::Barriers::kLibrary;
  info.consumers = sinew::vulkan::kTransferRead;
  return info;
}

/// All of it on one queue. Returns an exit code.
template <class Host>
int skin_tube(Host& host, const sinew::vulkan::SkinnerInfo& info, const sinew::Character& tube,
              const WritePalettes& write_palettes) {
  if (sinew::Status fits = sinew::check_version(); !fits) return fail("check_version", fits.error());
  if (sinew::Status valid = sinew::validate(tube); !valid) return fail("validate", valid.error());
  TubeSkinner<Host> skinner(host, info, tube, write_palettes);
  if (int code = skinner.add_mesh(); code != 0) return code;
  for (uint64_t frame = 1; frame <= kFrames; ++frame) {
    if (int code = skinner.begin(frame); code != 0) return code;
    host.run([&](VkCommandBuffer cmd) {
      skinner.record(cmd);
      skinner.copy(cmd);
    });
    if (int code = skinner.compare(frame); code != 0) return code;
  }
  return 0;
}
