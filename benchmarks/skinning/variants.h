// The variants that are compared, and the commands of each for one crowd.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/compute.h"
#include "gpu/host.h"
#include "sinew/experimental/kernel.h"
#include "sinew/vulkan/skinner.h"
#include "workload.h"

namespace sinew::bench {

struct Variant {
  std::string name;
  bool reference = false;  // true: reference.comp; false: the library's kernel with `tuning`
  vulkan::VertexFormat format = vulkan::VertexFormat::kOctahedral;
  vulkan::experimental::KernelTuning tuning;
  bool tangents = false;
  Blend blend = Blend::kLinear;
  bool morph_targets = false;  // of a character that has some
  vulkan::PaletteFormat palettes = vulkan::PaletteFormat::kMatrices;
  bool one_entry = false;  // all influences are of entry 0

  /// What it skins is not what the mesh says: it measures a bound, and nothing is checked.
  bool is_bound() const { return one_entry || tuning.part != vulkan::experimental::KernelPart::kAll; }
  /// The size of a skinned vertex. The value of a VertexFormat is its size.
  uint32_t vertex_bytes() const { return uint32_t(format) + (tangents ? 4 : 0); }
};

/// The reference first. Then variants of the library's kernel that lead step by step from the reference to "chosen".
/// Then variants that differ from "chosen" in one setting, and "chosen" with the other formats, tangents, dual
/// quaternions, whose time contains the conversion of palettes, and morph targets. Then the ways through shared memory.
/// With `bounds`, also the parts of the kernel alone.
std::vector<Variant> make_variants(bool bounds);

/// The output pages of one crowd. All its variants write to the same pages, one after the other.
class OutputPages {
 public:
  /// Creates missing pages, and replaces those that are too small.
  Status fit(const app::Device& device, std::span<const vulkan::PageRequirements> requirements);
  std::vector<vulkan::Page> pages() const;
  std::span<const app::Buffer> buffers() const { return buffers_; }

 private:
  std::vector<app::Buffer> buffers_;
  std::vector<app::Buffer> replaced_;  // kept, because recorded commands still use them
};

/// A variant with its recorded commands. The device, the workload and the pages must outlive it.
class Subject {
 public:
  static Result<std::unique_ptr<Subject>> create(const app::Device& device, const Workload& workload,
                                                 const Variant& variant, OutputPages& pages);

  const Variant& variant() const { return variant_; }
  std::span<const vulkan::InstanceRange> ranges() const { return skinner_->ranges(); }
  /// The counted memory traffic in bytes: every vertex written once, every palette read once. Mesh data is not counted.
  uint64_t bytes() const;
  uint64_t vertices() const;

  /// Skins once and waits. Returns the device time in seconds, from timestamps.
  Result<double> run();
  /// Of the last run: the device time before skinning, in which palettes are converted.
  Result<double> conversion_seconds() const;

 private:
  Subject(const app::Device& device, const Variant& variant) : device_(device), variant_(variant) {}
  Status prepare(const Workload& workload, OutputPages& pages);
  Status prepare_frame(uint64_t number, const Workload& workload);
  Status prepare_reference();
  Status record(const Workload& workload);
  void record_reference(VkCommandBuffer cmd) const;

  const app::Device& device_;
  Variant variant_;
  std::optional<vulkan::Skinner> skinner_;
  std::vector<vulkan::Page> host_pages_;
  vulkan::MeshId mesh_;
  uint64_t palette_bytes_ = 0;
  std::optional<app::ComputeKernel> reference_;
  std::vector<VkDescriptorSet> sets_;  // of the reference, one per InstanceRange
  std::optional<app::Timer> timer_;
  app::CommandPoolHandle pool_;
  VkCommandBuffer cmd_ = VK_NULL_HANDLE;
};

}  // namespace sinew::bench
