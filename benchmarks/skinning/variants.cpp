#include "variants.h"

#include <algorithm>
#include <utility>

#include "gpu/host.h"

namespace sinew::bench {
namespace {

using vulkan::VertexFormat;
using vulkan::experimental::KernelPart;
using vulkan::experimental::KernelTuning;
using vulkan::experimental::PaletteFetch;
using vulkan::experimental::StorePath;

constexpr uint32_t kReferenceKernel[] = {
#include "reference.comp.inc"
};

struct ReferencePush {
  uint32_t vertex_count, influence_quads, palette_stride, first_instance;
};
constexpr uint32_t kReferenceWorkgroupSize = 64;
constexpr uint32_t kReferenceQueries[] = {3, 4};  // after the library's timestamps

KernelTuning tuned(uint32_t workgroup_size, uint32_t instances, PaletteFetch palettes, bool by_influences) {
  return {workgroup_size, instances, palettes, by_influences};
}

/// Formats and tangents of all sizes that a vertex may have: 12, 16 (without a tangent), 20, 24 and 28 bytes.
constexpr std::pair<VertexFormat, bool> kSizes[] = {{VertexFormat::kPacked, false},
                                                    {VertexFormat::kOctahedral, false},
                                                    {VertexFormat::kOctahedral, true},
                                                    {VertexFormat::kFloat, false},
                                                    {VertexFormat::kFloat, true}};

bool stages(VertexFormat format, bool tangents) { return format != VertexFormat::kOctahedral || tangents; }

/// Adds variants for one size of a vertex.
struct Adder {
  std::vector<Variant>& variants;
  VertexFormat format;
  bool tangents;

  void operator()(const char* name, const KernelTuning& tuning) const {
    variants.push_back({name, false, format, tuning, tangents});
  }
};

/// Stores through shared memory, and without it.
void add_store_variants(std::vector<Variant>& variants) {
  for (const auto& [format, tangents] : kSizes) {
    if (!stages(format, tangents)) continue;
    const Adder add{variants, format, tangents};
    add("direct stores", {.stores = StorePath::kDirect});
    add("staged stores", {.stores = StorePath::kStaged});
    if (tangents) add("group of 256", {.workgroup_size = 256});
  }
}

/// One part of the kernel, for each size of a vertex; and what gathers cost where they need no memory.
void add_bounds(std::vector<Variant>& variants) {
  for (const auto& [format, tangents] : kSizes) {
    const Adder add{variants, format, tangents};
    add("stores alone", {.part = KernelPart::kStores});
    add("arithmetic alone", {.part = KernelPart::kArithmetic});
    if (stages(format, tangents))
      add("direct stores alone", {.stores = StorePath::kDirect, .part = KernelPart::kStores});
  }
  const auto k16 = VertexFormat::kOctahedral;
  variants.push_back({"gathers alone", false, k16, {.part = KernelPart::kGathers}});
  variants.push_back({.name = "one entry", .format = k16, .one_entry = true});
  for (const KernelPart part : {KernelPart::kGathers, KernelPart::kArithmetic}) {
    const char* name = part == KernelPart::kGathers ? "gathers alone, quaternions" : "arithmetic alone, quaternions";
    variants.push_back({name, false, k16, {.part = part}, false, Blend::kDualQuaternion});
  }
}

std::vector<Variant> choices_of_the_kernel() {
  const auto automatic = PaletteFetch::kAuto, storage = PaletteFetch::kStorage, texel = PaletteFetch::kTexel;
  const auto k16 = VertexFormat::kOctahedral;
  return {
      {"reference", true, k16, {}},
      {"list", false, k16, tuned(64, 1, storage, false)},
      {"list, influences", false, k16, tuned(64, 1, storage, true)},
      {"list, influences, 8 instances", false, k16, tuned(64, 8, storage, true)},
      {"chosen", false, k16, {}},
      {"storage palettes", false, k16, tuned(0, 0, storage, true)},
      {"texel palettes", false, k16, tuned(0, 0, texel, true)},
      {"any influences", false, k16, tuned(0, 0, automatic, false)},
      {"1 instance", false, k16, tuned(0, 1, automatic, true)},
      {"4 instances", false, k16, tuned(0, 4, automatic, true)},
      {"8 instances", false, k16, {.instances_per_thread = 8, .min_workgroups = 4096}},
      {"16 instances", false, k16, {.instances_per_thread = 16, .min_workgroups = 4096}},
      {"group of 32", false, k16, tuned(32, 0, automatic, true)},
      {"group of 128", false, k16, tuned(128, 0, automatic, true)},
      {"group of 256", false, k16, tuned(256, 0, automatic, true)},
      {"chosen", false, VertexFormat::kPacked, {}},
      {"chosen", false, VertexFormat::kFloat, {}},
      {"chosen, tangents", false, VertexFormat::kPacked, {}, true},
      {"chosen, tangents", false, k16, {}, true},
      {"chosen, tangents", false, VertexFormat::kFloat, {}, true},
      {"chosen, dual quaternions", false, k16, {}, false, Blend::kDualQuaternion},
      {"chosen, morph targets", false, k16, {}, false, Blend::kLinear, true},
      {"chosen, rigid", false, k16, {}, false, Blend::kLinear, false, vulkan::PaletteFormat::kRigid},
      {"chosen, compact", false, k16, {}, false, Blend::kLinear, false, vulkan::PaletteFormat::kCompact},
      {"snorm instruction", false, k16, {.snorms = vulkan::experimental::SnormPacking::kInstruction}},
      {"snorm arithmetic", false, k16, {.snorms = vulkan::experimental::SnormPacking::kArithmetic}},
      {"chosen, both", false, k16, {}, false, Blend::kDualQuaternion, true},
      {"chosen, dual quaternions", false, k16, {}, true, Blend::kDualQuaternion},
      {"chosen, compact", false, k16, {}, true, Blend::kLinear, false, vulkan::PaletteFormat::kCompact},
  };
}

}  // namespace

std::vector<Variant> make_variants(bool bounds) {
  std::vector<Variant> variants = choices_of_the_kernel();
  add_store_variants(variants);
  if (bounds) add_bounds(variants);
  return variants;
}

// --- pages ---

Status OutputPages::fit(const app::Device& device, std::span<const vulkan::PageRequirements> requirements) {
  for (size_t i = 0; i < requirements.size(); ++i) {
    const vulkan::PageRequirements& page = requirements[i];
    if (i < buffers_.size() && buffers_[i].size_bytes >= page.size_bytes) continue;
    auto buffer = app::create_buffer(device, page.size_bytes, page.usage, app::MemoryKind::kDevice,
                                     "sinew.output[" + std::to_string(i) + "]");
    if (!buffer) return buffer.error();
    if (i == buffers_.size()) buffers_.emplace_back();
    replaced_.push_back(std::exchange(buffers_[i], std::move(*buffer)));
  }
  return {};
}

std::vector<vulkan::Page> OutputPages::pages() const {
  std::vector<vulkan::Page> pages;
  for (const app::Buffer& buffer : buffers_) pages.push_back({buffer.get(), 0});
  return pages;
}

// --- subjects ---

Result<std::unique_ptr<Subject>> Subject::create(const app::Device& device, const Workload& workload,
                                                 const Variant& variant, OutputPages& pages) {
  std::unique_ptr<Subject> subject(new Subject(device, variant));
  if (Status prepared = subject->prepare(workload, pages); !prepared) return prepared.error();
  if (variant.reference) {
    if (Status prepared = subject->prepare_reference(); !prepared) return prepared.error();
  }
  if (Status recorded = subject->record(workload); !recorded) return recorded.error();
  return subject;
}

Status Subject::prepare(const Workload& workload, OutputPages& pages) {
  vulkan::SkinnerInfo info = app::skinner_info(device_, 1, vulkan::kTransferRead);
  info.vertex_usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  info.format = variant_.format;
  info.tangents = variant_.tangents;
  auto skinner = vulkan::experimental::create_skinner(info, variant_.tuning);
  if (!skinner) return skinner.error();
  skinner_.emplace(std::move(*skinner));
  const uint32_t entries = workload.character().skin.palette_size(), count = workload.instance_count();
  Mesh skinned = workload.mesh(variant_.blend);
  if (!variant_.morph_targets) skinned.targets.clear();
  for (Influence& influence : skinned.influences) influence.entry = variant_.one_entry ? 0 : influence.entry;
  const auto mesh =
      skinner_->add_mesh(skinned, entries, "character", workload.box, {variant_.palettes, workload.palette_scale});
  if (!mesh) return mesh.error();
  mesh_ = *mesh;
  const vulkan::SkinnerBatch batch{*mesh, count};
  const auto requirements = skinner_->page_requirements({&batch, 1});
  if (!requirements) return requirements.error();
  if (Status fit = pages.fit(device_, *requirements); !fit) return fit;
  const bool is_compact = variant_.palettes == vulkan::PaletteFormat::kCompact;
  palette_bytes_ = uint64_t{count} * entries * (is_compact ? sizeof(CompactMatrix) : sizeof(Matrix3x4));
  host_pages_ = pages.pages();
  return prepare_frame(1, workload);
}

Status Subject::prepare_frame(uint64_t number, const Workload& workload) {
  const vulkan::SkinnerBatch batch{mesh_, workload.instance_count()};
  if (Status begun = skinner_->begin_frame({number, 0, number - 1}); !begun) return begun;
  if (Status prepared = skinner_->prepare(0, {&batch, 1}, host_pages_); !prepared) return prepared;
  for (const vulkan::InstanceRange& range : skinner_->ranges()) {
    for (uint32_t i = 0; i < range.instance_count; ++i) {
      const auto palette = workload.palette(range.first_instance + i);
      const ptrdiff_t first = ptrdiff_t(size_t{i} * range.palette_stride);
      if (!range.compact_palettes.empty()) {
        std::transform(palette.begin(), palette.end(), range.compact_palettes.begin() + first,
                       [&](const Matrix3x4& matrix) { return compact(matrix, workload.palette_scale); });
        continue;
      }
      std::copy(palette.begin(), palette.end(), range.palettes.begin() + first);
      if (range.weights.empty()) continue;
      const auto weights = workload.weights_of(range.first_instance + i);
      std::copy(weights.begin(), weights.end(), range.weights.begin() + ptrdiff_t(size_t{i} * range.weight_stride));
    }
  }
  return {};
}

Status Subject::prepare_reference() {
  auto kernel =
      app::ComputeKernel::create(device_, kReferenceKernel, 3, sizeof(ReferencePush), uint32_t(ranges().size()));
  if (!kernel) return kernel.error();
  reference_.emplace(std::move(*kernel));
  const vulkan::MeshBuffer mesh = skinner_->mesh_buffer(mesh_);
  for (const vulkan::InstanceRange& range : ranges()) {
    const VkDeviceSize bytes = VkDeviceSize{range.instance_count} * range.vertex_count * range.vertex_bytes;
    const app::BufferPart parts[] = {{mesh.buffer, mesh.offset, mesh.size_bytes},
                                     {range.palette_buffer, range.palette_offset, range.palettes.size_bytes()},
                                     {range.vertices, range.vertices_offset, bytes}};
    const auto set = reference_->make_set(parts);
    if (!set) return set.error();
    sets_.push_back(*set);
  }
  return {};
}

/// Records the commands that run() submits. Before, the library's commands run once, to upload the mesh.
Status Subject::record(const Workload& workload) {
  if (Status run = app::run_once(device_, "upload", [&](VkCommandBuffer cmd) { skinner_->record(cmd); }); !run)
    return run;
  if (Status prepared = prepare_frame(2, workload); !prepared) return prepared;
  auto timer = app::Timer::create(device_, 5);
  if (!timer) return timer.error();
  timer_.emplace(std::move(*timer));
  VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = device_.info.queue_family;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkResult result = vkCreateCommandPool(device_.handle, &pool_info, nullptr, &pool);
  if (result != VK_SUCCESS) return app::vulkan_error("command pool", result);
  pool_ = app::CommandPoolHandle(device_.handle, pool);
  VkCommandBufferAllocateInfo allocate_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate_info.commandPool = pool;
  allocate_info.commandBufferCount = 1;
  result = vkAllocateCommandBuffers(device_.handle, &allocate_info, &cmd_);
  if (result != VK_SUCCESS) return app::vulkan_error("command buffer", result);

  const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  vkBeginCommandBuffer(cmd_, &begin);
  timer_->reset(cmd_);
  if (variant_.reference) {
    record_reference(cmd_);
  } else {
    skinner_->record(cmd_, {timer_->queries(), 0});
  }
  app::full_barrier(cmd_);
  result = vkEndCommandBuffer(cmd_);
  return result == VK_SUCCESS ? Status() : app::vulkan_error("recording", result);
}

void Subject::record_reference(VkCommandBuffer cmd) const {
  const uint32_t max_rows = device_.info.limits.maxComputeWorkGroupCount[1];
  const uint32_t quads = skinner_->mesh_buffer(mesh_).influence_quads;
  timer_->write(cmd, kReferenceQueries[0]);
  for (size_t r = 0; r < sets_.size(); ++r) {
    const vulkan::InstanceRange& range = ranges()[r];
    reference_->bind(cmd, sets_[r]);
    for (uint32_t first = 0; first < range.instance_count; first += max_rows) {
      const ReferencePush push{range.vertex_count, quads, range.palette_stride, first};
      vkCmdPushConstants(cmd, reference_->layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
      vkCmdDispatch(cmd, (range.vertex_count + kReferenceWorkgroupSize - 1) / kReferenceWorkgroupSize,
                    std::min(max_rows, range.instance_count - first), 1);
    }
  }
  timer_->write(cmd, kReferenceQueries[1]);
}

Result<double> Subject::run() {
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &cmd_;
  if (VkResult result = vkQueueSubmit(device_.queue, 1, &submit, VK_NULL_HANDLE); result != VK_SUCCESS) {
    return app::vulkan_error("submission", result);
  }
  if (VkResult result = vkQueueWaitIdle(device_.queue); result != VK_SUCCESS) {
    return app::vulkan_error("device", result);
  }
  if (variant_.reference) return timer_->seconds(kReferenceQueries[0], kReferenceQueries[1]);
  const bool converts = variant_.blend == Blend::kDualQuaternion;
  const auto begin = converts ? vulkan::Timestamp::kBegin : vulkan::Timestamp::kUploaded;
  return timer_->seconds(uint32_t(begin), uint32_t(vulkan::Timestamp::kSkinned));
}

Result<double> Subject::conversion_seconds() const {
  return timer_->seconds(uint32_t(vulkan::Timestamp::kBegin), uint32_t(vulkan::Timestamp::kUploaded));
}

uint64_t Subject::vertices() const {
  uint64_t sum = 0;
  for (const vulkan::InstanceRange& range : ranges()) sum += uint64_t{range.instance_count} * range.vertex_count;
  return sum;
}

uint64_t Subject::bytes() const { return vertices() * variant_.vertex_bytes() + palette_bytes_; }

}  // namespace sinew::bench
