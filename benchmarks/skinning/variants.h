// The kernels that are compared, and one crowd made ready for each.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute.h"
#include "gpu/resources.h"
#include "sinew/vulkan/skinner.h"
#include "workload.h"

namespace sinew::bench {

struct Variant {
  std::string name;
  bool reference = false;  // reference.comp; else the library, tuned
  vulkan::VertexFormat format = vulkan::VertexFormat::kOctahedral;
  vulkan::KernelTuning tuning;
  bool tangents = false;

  uint32_t vertex_bytes() const { return uint32_t(format) + (tangents ? 4 : 0); }
};

/// The reference first, then the library's steps from it to `chosen`, then what differs from `chosen` in one thing.
std::vector<Variant> make_variants();

/// Output that all variants of one crowd take turns to write.
class OutputPages {
 public:
  /// Makes what is not yet there.
  Status fit(const app::Device& device, std::span<const vulkan::PageRequirements> requirements);
  std::vector<vulkan::Page> pages() const;
  std::span<const app::Buffer> buffers() const { return buffers_; }

 private:
  std::vector<app::Buffer> buffers_;
  std::vector<app::Buffer> replaced_;  // which recorded commands still name
};

/// A variant with its commands recorded. The device, the workload and the pages must outlive it.
class Subject {
 public:
  static Result<std::unique_ptr<Subject>> create(const app::Device& device, const Workload& workload,
                                                 const Variant& variant, OutputPages& pages);

  const Variant& variant() const { return variant_; }
  std::span<const vulkan::InstanceRange> ranges() const { return skinner_->ranges(); }
  /// What has to be moved: every vertex written, every palette read once.
  uint64_t bytes() const;
  uint64_t vertices() const;

  /// Skins once and waits. Returns what the device says it took, in seconds.
  Result<double> run();

 private:
  Subject(const app::Device& device, const Variant& variant) : device_(device), variant_(variant) {}
  Status prepare(const Workload& workload, OutputPages& pages);
  Status prepare_reference();
  Status record();
  void record_reference(VkCommandBuffer cmd) const;

  const app::Device& device_;
  Variant variant_;
  std::optional<vulkan::Skinner> skinner_;
  vulkan::MeshId mesh_;
  uint64_t palette_bytes_ = 0;
  std::optional<ComputeKernel> reference_;
  std::vector<VkDescriptorSet> sets_;  // of the reference, one a range
  std::optional<Timer> timer_;
  app::CommandPoolHandle pool_;
  VkCommandBuffer cmd_ = VK_NULL_HANDLE;
};

}  // namespace sinew::bench
