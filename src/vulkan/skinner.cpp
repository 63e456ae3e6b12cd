// The calls of a host. What they do is in skinner_impl.cpp and record.cpp.
#include "guarded.h"
#include "sinew/profile.h"
#include "skinner_impl.h"

namespace sinew::vulkan {
namespace {

Error empty_skinner() {
  return {ErrorCode::kInvalidArgument,
          "skinner: it is empty, because create_skinner() did not make it or it was moved from"};
}

/// Refuses a span that has elements and no memory.
template <class T>
Status check_array(std::span<const T> elements, const char* name) {
  if (elements.data() != nullptr || elements.empty()) return {};
  return Error{ErrorCode::kInvalidArgument, std::string(name) + " is null, and has " + std::to_string(elements.size()) +
                                                (elements.size() == 1 ? " element" : " elements")};
}

/// Calls `call` with the state of a skinner, and reports an error to the host. An empty skinner has no state.
template <class Impl, class Call>
auto with(Impl* impl, const Call& call) -> decltype(call(*impl)) {
  if (impl == nullptr) return guarded([]() -> decltype(call(*impl)) { return empty_skinner(); });
  return impl->report_error(guarded([&] { return call(*impl); }));
}

}  // namespace

Skinner::Skinner() noexcept = default;
Skinner::Skinner(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Skinner::Skinner(Skinner&&) noexcept = default;
Skinner& Skinner::operator=(Skinner&&) noexcept = default;
Skinner::~Skinner() = default;

Result<MeshId> Skinner::add_mesh(const Mesh& mesh, uint32_t palette_size, const char* name, const Box& box,
                                 const PaletteKind& palettes) {
  SINEW_PROFILE_SCOPE("sinew add_mesh");
  return with(impl_.get(), [&](auto& impl) { return impl.add_mesh(mesh, palette_size, name, box, palettes); });
}

void Skinner::remove_mesh(MeshId mesh) {
  if (impl_) impl_->remove_mesh(mesh);
}

Status Skinner::begin_frame(const Frame& frame) {
  SINEW_PROFILE_SCOPE("sinew begin_frame");
  return with(impl_.get(), [&](auto& impl) { return impl.begin_frame(frame); });
}

Status Skinner::prepare(uint32_t group, std::span<const Batch> batches, std::span<const Page> pages,
                        const ParallelFor& parallel_for) {
  SINEW_PROFILE_SCOPE("sinew prepare");
  return with(impl_.get(), [&](auto& impl) -> Status {
    if (Status status = check_array(batches, "prepare: batches"); !status) return status;
    if (Status status = check_array(pages, "prepare: pages"); !status) return status;
    return impl.prepare(group, batches, pages, parallel_for);
  });
}

Result<std::vector<PageRequirements>> Skinner::page_requirements(std::span<const Batch> batches) const {
  return with(impl_.get(), [&](auto& impl) -> Result<std::vector<PageRequirements>> {
    if (Status status = check_array(batches, "page_requirements: batches"); !status) return status.error();
    return impl.page_requirements(batches);
  });
}

std::span<const InstanceRange> Skinner::ranges(uint32_t group) const {
  if (!impl_ || group >= impl_->groups.size()) return {};
  return impl_->groups[group].plan.ranges;
}

void Skinner::record(VkCommandBuffer cmd, const RecordInfo& info) {
  SINEW_PROFILE_SCOPE("sinew record");
  if (impl_ && cmd != VK_NULL_HANDLE) impl_->record(cmd, info);
}

Status experimental::reload_kernel(Skinner& skinner, std::span<const uint32_t> spirv) {
  return with(skinner.impl_.get(), [&](auto& impl) -> Status {
    if (Status status = check_array(spirv, "reload_kernel: spirv"); !status) return status;
    return impl.reload_kernel(spirv);
  });
}

MeshBuffer Skinner::mesh_buffer(MeshId id) const {
  const StaticMesh* mesh = impl_ ? impl_->find_mesh(id) : nullptr;
  if (mesh == nullptr) return {};
  const uint32_t palette_rows =
      mesh->compact_scale ? uint32_t(compact_palette_stride(mesh->palette_size)) : weights_row(mesh->palette_size);
  return {.buffer = mesh->data.page().buffer.handle(),
          .offset = mesh->data.offset(),
          .size_bytes = mesh->data.size_bytes(),
          .vertex_count = mesh->vertex_count,
          .influence_quads = mesh->influence_quads,
          .morph_blocks = mesh->morph_blocks,
          .weights_row = mesh->morph_blocks != 0 ? palette_rows : 0};
}

Counters Skinner::counters() const { return impl_ ? impl_->counters : Counters(); }
MemoryUsage Skinner::memory_usage() const { return impl_ ? impl_->memory_usage() : MemoryUsage(); }

Result<Skinner> create_skinner(const SkinnerInfo& info) {
  Result<Skinner> skinner = guarded([&]() -> Result<Skinner> {
    const Status families = check_array(info.queue_families, "create_skinner: queue_families");
    if (!families) return families.error();
    Result<DeviceTable> table = load_device_table(info);
    if (!table) return table.error();
    auto impl = std::make_unique<Skinner::Impl>(std::move(*table), info);
    Result<SkinPass> pass = SkinPass::create(impl->table, choose_kernel(info, impl->table), info.pipeline_cache);
    if (!pass) return pass.error();
    impl->pass.emplace(std::move(*pass));
    return Skinner(std::move(impl));
  });
  if (info.message == nullptr) return skinner;
  if (skinner) {
    info.message(info.message_user_data, Severity::kInfo, skinner->impl_->table.description.c_str());
  } else {
    info.message(info.message_user_data, Severity::kError, skinner.error().message.c_str());
  }
  return skinner;
}

}  // namespace sinew::vulkan
