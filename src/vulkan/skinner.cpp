// The calls of a host. What they do is in the files beside this: mesh_store.cpp, skinner_impl.cpp,
// group_planner.cpp, recorder.cpp.
#include <atomic>

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

/// One call at a time: the scope of a call. `other` is the name of a call that runs already, or null.
class CallScope {
 public:
  CallScope(std::atomic<const char*>& running, const char* call) : running_(running) {
    running_.compare_exchange_strong(other_, call);
  }
  ~CallScope() {
    if (other_ == nullptr) running_ = nullptr;
  }
  CallScope(const CallScope&) = delete;
  const char* other() const { return other_; }

 private:
  std::atomic<const char*>& running_;
  const char* other_ = nullptr;
};

Error not_alone(const char* call, const char* other) {
  return {ErrorCode::kInvalidArgument, std::string(call) + ": " + other +
                                           "() of this skinner is running, in another thread or around this call; a "
                                           "skinner takes one call at a time"};
}

/// Runs `body` with the state of a skinner, and reports an error to the host. An empty skinner has no state.
template <class Impl, class Body>
auto with(Impl* impl, const char* call, const Body& body) -> decltype(body(*impl)) {
  if (impl == nullptr) return guarded([]() -> decltype(body(*impl)) { return empty_skinner(); });
  return impl->report_error(guarded([&]() -> decltype(body(*impl)) {
    const CallScope scope(impl->running, call);
    if (scope.other() != nullptr) return not_alone(call, scope.other());
    return body(*impl);
  }));
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
  return with(impl_.get(), "add_mesh",
              [&](auto& impl) { return impl.meshes.add(mesh, palette_size, name, box, palettes); });
}

void Skinner::remove_mesh(MeshId mesh) {
  if (impl_) impl_->meshes.remove(mesh, impl_->frame.number);
}

Status Skinner::begin_frame(const Frame& frame) {
  SINEW_PROFILE_SCOPE("sinew begin_frame");
  return with(impl_.get(), "begin_frame", [&](auto& impl) { return impl.begin_frame(frame); });
}

Status Skinner::discard_frame() {
  return with(impl_.get(), "discard_frame", [](auto& impl) { return impl.discard_frame(); });
}

Status Skinner::prepare(uint32_t group, std::span<const Batch> batches, std::span<const Page> pages,
                        const ParallelFor& parallel_for) {
  SINEW_PROFILE_SCOPE("sinew prepare");
  return with(impl_.get(), "prepare", [&](auto& impl) -> Status {
    if (Status status = check_array(batches, "prepare: batches"); !status) return status;
    if (Status status = check_array(pages, "prepare: pages"); !status) return status;
    return impl.prepare(group, batches, pages, parallel_for);
  });
}

Status Skinner::reserve(std::span<const Batch> batches, uint32_t group) {
  return with(impl_.get(), "reserve", [&](auto& impl) -> Status {
    if (Status status = check_array(batches, "reserve: batches"); !status) return status;
    return impl.reserve(batches, group);
  });
}

Result<std::vector<PageRequirements>> Skinner::page_requirements(std::span<const Batch> batches) const {
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
  const CallScope scope(impl_->running, "record");
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
Counters Skinner::counters() const { return impl_ ? impl_->recorder.counters() : Counters(); }
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
    auto impl = std::make_unique<Skinner::Impl>(std::move(*table), info, tuning, message);
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
