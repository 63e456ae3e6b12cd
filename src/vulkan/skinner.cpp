// The calls of a host. What they do is in the files beside this: mesh_store.cpp, skinner_impl.cpp,
// group_planner.cpp, recorder.cpp.
#include "asset/call_scope.h"
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

/// Runs `body` with the state of a skinner, and reports an error to the host. An empty skinner has no state.
template <class Impl, class Body>
auto with(Impl* impl, const char* call, const Body& body) -> decltype(body(*impl)) {
  if (impl == nullptr) return guarded([]() -> decltype(body(*impl)) { return empty_skinner(); });
  return impl->report_error(guarded([&]() -> decltype(body(*impl)) {
    const sinew::internal::CallScope scope(impl->running, call);
    if (scope.other() != nullptr) return sinew::internal::not_alone(call, scope.other(), "skinner");
    return body(*impl);
  }));
}

/// The same for a call that may run beside others.
template <class Impl, class Body>
auto beside_others(const Impl* impl, const Body& body) -> decltype(body(*impl)) {
  if (impl == nullptr) return guarded([]() -> decltype(body(*impl)) { return empty_skinner(); });
  return impl->report_error(guarded([&]() -> decltype(body(*impl)) { return body(*impl); }));
}

}  // namespace

struct PreparedMesh::Impl {
  PackedMesh mesh;
};

Skinner::Skinner() noexcept = default;
Skinner::Skinner(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Skinner::Skinner(Skinner&&) noexcept = default;
Skinner& Skinner::operator=(Skinner&&) noexcept = default;
Skinner::~Skinner() = default;

PreparedMesh::PreparedMesh() noexcept = default;
PreparedMesh::PreparedMesh(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PreparedMesh::PreparedMesh(PreparedMesh&&) noexcept = default;
PreparedMesh& PreparedMesh::operator=(PreparedMesh&&) noexcept = default;
PreparedMesh::~PreparedMesh() = default;

Result<PreparedMesh> Skinner::prepare_mesh(const Mesh& mesh, uint32_t palette_size, const char* name, const Box& box,
                                           const PaletteKind& palettes) const {
  SINEW_PROFILE_SCOPE("sinew prepare_mesh");
  return beside_others(impl_.get(), [&](const auto& impl) -> Result<PreparedMesh> {
    auto prepared = std::make_unique<PreparedMesh::Impl>();
    Result<PackedMesh> packed = impl.meshes.pack(mesh, palette_size, name != nullptr ? name : "", box, palettes);
    if (!packed) return packed.error();
    prepared->mesh = std::move(*packed);
    return PreparedMesh(std::move(prepared));
  });
}

Result<MeshId> Skinner::add_mesh(PreparedMesh&& mesh) {
  SINEW_PROFILE_SCOPE("sinew add_mesh");
  return with(impl_.get(), "add_mesh", [&](auto& impl) -> Result<MeshId> {
    if (mesh.impl_ == nullptr) {
      return Error{ErrorCode::kInvalidArgument,
                   "add_mesh: the prepared mesh is empty, because prepare_mesh() did not make it, or it was added or "
                   "moved from"};
    }
    Result<MeshId> id = impl.meshes.add(mesh.impl_->mesh);
    if (id) mesh.impl_.reset();
    return id;
  });
}

Result<MeshId> Skinner::add_mesh(const Mesh& mesh, uint32_t palette_size, const char* name, const Box& box,
                                 const PaletteKind& palettes) {
  SINEW_PROFILE_SCOPE("sinew add_mesh");
  return with(impl_.get(), "add_mesh", [&](auto& impl) -> Result<MeshId> {
    Result<PackedMesh> packed = impl.meshes.pack(mesh, palette_size, impl.meshes.name_of(name), box, palettes);
    if (!packed) return packed.error();
    return impl.meshes.add(*packed);
  });
}

void Skinner::remove_mesh(MeshId mesh) {
  if (impl_) impl_->meshes.remove(mesh, impl_->frame.number);
}

Status Skinner::begin_frame(const SkinnerFrame& frame) {
  SINEW_PROFILE_SCOPE("sinew begin_frame");
  return with(impl_.get(), "begin_frame", [&](auto& impl) { return impl.begin_frame(frame); });
}

Status Skinner::discard_frame() {
  return with(impl_.get(), "discard_frame", [](auto& impl) { return impl.discard_frame(); });
}

Status Skinner::prepare(uint32_t group, std::span<const SkinnerBatch> batches, std::span<const Page> pages,
                        const ParallelFor& parallel_for) {
  SINEW_PROFILE_SCOPE("sinew prepare");
  return with(impl_.get(), "prepare", [&](auto& impl) -> Status {
    if (Status status = check_array(batches, "prepare: batches"); !status) return status;
    if (Status status = check_array(pages, "prepare: pages"); !status) return status;
    return impl.prepare(group, batches, pages, parallel_for);
  });
}

Status Skinner::reserve(std::span<const SkinnerBatch> batches, uint32_t group) {
  return with(impl_.get(), "reserve", [&](auto& impl) -> Status {
    if (Status status = check_array(batches, "reserve: batches"); !status) return status;
    return impl.reserve(batches, group);
  });
}

Result<std::vector<PageRequirements>> Skinner::page_requirements(std::span<const SkinnerBatch> batches) const {
  return with(impl_.get(), "page_requirements", [&](auto& impl) -> Result<std::vector<PageRequirements>> {
    if (Status status = check_array(batches, "page_requirements: batches"); !status) return status.error();
    return impl.planner.page_requirements(batches);
  });
}

std::span<const InstanceRange> Skinner::ranges(uint32_t group) const {
  if (!impl_ || group >= impl_->groups.size()) return {};
  return impl_->groups[group].plan.ranges;
}

void Skinner::record(VkCommandBuffer cmd, const RecordInfo& info) {
  SINEW_PROFILE_SCOPE("sinew record");
  if (!impl_) return;
  const sinew::internal::CallScope scope(impl_->running, "record");
  if (scope.other() == nullptr) impl_->record(cmd, info);
}

Status Skinner::check_palettes() const {
  return with(impl_.get(), "check_palettes", [](auto& impl) { return impl.check_palettes(); });
}

Status experimental::reload_kernel(Skinner& skinner, std::span<const uint32_t> spirv) {
  return with(skinner.impl_.get(), "reload_kernel", [&](auto& impl) -> Status {
    if (Status status = check_array(spirv, "reload_kernel: spirv"); !status) return status;
    return impl.reload_kernel(spirv);
  });
}

MeshBuffer Skinner::mesh_buffer(MeshId id) const { return impl_ ? impl_->mesh_buffer(id) : MeshBuffer(); }
SkinnerCounters Skinner::counters() const { return impl_ ? impl_->recorder.counters() : SkinnerCounters(); }
MemoryUsage Skinner::memory_usage() const { return impl_ ? impl_->memory_usage() : MemoryUsage(); }
uint64_t Skinner::buffer_changes() const { return impl_ ? impl_->planner.buffer_changes() : 0; }

Result<Skinner> create_skinner(const SkinnerInfo& info) { return experimental::create_skinner(info, {}, {}); }

Result<Skinner> experimental::create_skinner(const SkinnerInfo& info, const KernelTuning& tuning,
                                             const MessageCallback& message) {
  Result<Skinner> skinner = guarded([&]() -> Result<Skinner> {
    const Status families = check_array(info.queue_families, "create_skinner: queue_families");
    if (!families) return families.error();
    Result<DeviceTable> table = load_device_table(info, tuning.max_page_bytes);
    if (!table) return table.error();
    auto shared_table = std::make_shared<const DeviceTable>(std::move(*table));
    auto impl = std::make_unique<Skinner::Impl>(std::move(shared_table), info, tuning, message);
    if (Status made = impl->pass.make_layouts(info.pipeline_cache); !made) return made.error();
    return Skinner(std::move(impl));
  });
  if (message.call == nullptr) return skinner;
  if (skinner) {
    message.call(message.user_data, Severity::kInfo, skinner->impl_->table.description.c_str());
  } else {
    message.call(message.user_data, Severity::kError, skinner.error().message.c_str());
  }
  return skinner;
}

}  // namespace sinew::vulkan
