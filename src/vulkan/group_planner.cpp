// What prepare() does for one update group, and the calls beside it.
#include "group_planner.h"

#include <algorithm>
#include <numeric>

#include "asset/error.h"
#include "asset/plain_text.h"
#include "borrowed_palettes.h"
#include "mesh_data.h"
#include "palette_memory.h"

namespace sinew::vulkan::internal {
namespace {

constexpr VkDeviceSize kWordBytes = 4, kRowBytes = 16;

/// Of one instance.
BatchSize size_of(uint32_t vertex_count, uint64_t stride, uint32_t vertex_bytes, bool compact) {
  const VkDeviceSize vertices = VkDeviceSize{vertex_count} * vertex_bytes, matrices = stride * sizeof(Matrix3x4);
  if (!compact) return {0, vertices, matrices};
  return {0, vertices, 0, stride * sizeof(CompactMatrix), matrices};
}

/// A lower bound of the batch's jobs, before the layout is known. The instances of a job are in one page.
uint64_t min_jobs(const BatchSize& batch, const StaticMesh& mesh, uint64_t max_per_job, VkDeviceSize page_bytes) {
  const uint64_t max_per_page =
      page_bytes / std::max({batch.instance_vertex_bytes, batch.instance_palette_bytes, batch.instance_expanded_bytes});
  const uint64_t max_contiguous = std::min(max_per_job, max_per_page);
  uint64_t chunks = 0;
  for (const KernelChunks& kernel_chunks : mesh.chunks) chunks += kernel_chunks.count;
  return (batch.instance_count + max_contiguous - 1) / max_contiguous * chunks;
}

Error too_many_jobs(const char* call, uint64_t size_bytes, const DeviceTable& table) {
  return too_large(std::string(call) + ": the list of work needs", size_bytes, table.max_buffer_bytes, table);
}

/// Fails where the pages are more than all memory of the device: a count that is garbage would take all of it first.
Status check_memory(const char* call, const FrameLayout& layout, const VkPhysicalDeviceMemoryProperties& memory) {
  VkDeviceSize needed = 0, available = 0;
  for (const auto* pages : {&layout.vertex_pages, &layout.palette_pages, &layout.compact_pages, &layout.expanded_pages})
    needed = std::accumulate(pages->begin(), pages->end(), needed);
  for (uint32_t heap = 0; heap < memory.memoryHeapCount; ++heap) available += memory.memoryHeaps[heap].size;
  if (needed <= available) return {};
  return Error{ErrorCode::kOutOfMemory, std::string(call) + ": the pages need " + std::to_string(needed) +
                                            " bytes, and the device has " + std::to_string(available) +
                                            " bytes of memory"};
}

template <class T>
void add_once(std::vector<T>& list, const T& element) {
  if (std::find(list.rbegin(), list.rend(), element) == list.rend()) list.push_back(element);
}

}  // namespace

bool has_debug_checks(const SkinnerInfo& info) {
#ifdef NDEBUG
  return info.debug_checks == DebugChecks::kOn;
#else
  return info.debug_checks != DebugChecks::kOff;
#endif
}

GroupPlanner::GroupPlanner(const DeviceTable& table, BufferAllocator& allocator, SkinPass& pass,
                           const MeshStore& meshes, DeferredFrees& deferred, const SkinnerInfo& info)
    : table_(table),
      allocator_(allocator),
      pass_(pass),
      meshes_(meshes),
      deferred_(deferred),
      keep_previous_(info.keep_previous),
      poisons_(has_debug_checks(info)),
      extra_vertex_usage_(info.vertex_usage),
      group_count_(info.update_groups),
      frames_in_flight_(info.frames_in_flight) {}

JobLimits GroupPlanner::job_limits() const {
  const KernelChoice& choice = pass_.choice();
  return {.max_workgroups_x = table_.max_workgroups_x,
          .max_workgroups_y = table_.max_workgroups_y,
          .instances_per_thread = choice.instances_per_thread,
          .min_workgroups = choice.min_workgroups,
          .many_workgroups = choice.many_workgroups};
}

/// Of slices and of the host's pages: for a descriptor that begins there, and for an index that counts vertices from
/// the start of the buffer.
VkDeviceSize GroupPlanner::vertex_alignment() const {
  return std::lcm(table_.storage_alignment, VkDeviceSize{pass_.choice().vertex_bytes()});
}

/// The instances of a job. Palettes that are borrowed at another stride than that of the mesh have a job each.
uint32_t GroupPlanner::max_per_job(const SkinnerBatch& batch, std::span<const SkinnerBatch> batches) const {
  const JobLimits limits = job_limits();
  const bool strides_differ =
      batch.palettes_of != kOwnPalettes &&
      meshes_.find(batches[batch.palettes_of].mesh)->palette_stride != meshes_.find(batch.mesh)->palette_stride;
  return strides_differ ? 1 : instances_per_job(limits, limits.instances_per_thread);
}

/// Fails before anything is laid out where the job list cannot fit in a buffer.
Status GroupPlanner::lay_out(const char* call, std::span<const SkinnerBatch> batches, Scratch& into) const {
  std::vector<BatchSize>& sizes = into.sizes;
  sizes.clear();
  uint64_t job_count = 0;
  for (size_t b = 0; b < batches.size(); ++b) {
    const StaticMesh* mesh = meshes_.find(batches[b].mesh);
    if (mesh == nullptr) {
      return invalid_argument(std::string(call) + ": batch " + std::to_string(b) +
                              " names no mesh: " + std::to_string(batches[b].mesh.value));
    }
    if (Status status = check_borrowed(call, batches, b, meshes_); !status) return status;
    const bool compact = mesh->compact_scale.has_value();
    const uint32_t stride = batches[b].palettes_of == kOwnPalettes ? mesh->palette_stride : 0;
    BatchSize& size = sizes.emplace_back(size_of(mesh->vertex_count, stride, pass_.choice().vertex_bytes(), compact));
    size.instance_count = batches[b].instance_count;
    job_count += min_jobs(size, *mesh, max_per_job(batches[b], batches), table_.max_page_bytes);
    const uint64_t job_bytes = job_count * sizeof(shared::SkinJob);
    if (job_bytes > table_.max_buffer_bytes) return too_many_jobs(call, job_bytes, table_);
  }
  lay_out_frame(sizes, table_.max_page_bytes, slice_alignment(), into.layout);
  return check_memory(call, into.layout, table_.memory);
}

/// Lists the jobs. Palette and vertex pages are indices: the pages may not exist yet.
void GroupPlanner::list_work(std::span<const SkinnerBatch> batches) {
  scratch_.sources.clear(), scratch_.first_source.clear(), scratch_.expansions.clear();
  scratch_.converted_pages.assign(scratch_.layout.palette_pages.size(), 0);
  for (const PageSlice& slice : scratch_.layout.slices) {
    const SkinnerBatch& batch = batches[slice.batch];
    const StaticMesh& mesh = *meshes_.find(batch.mesh);
    scratch_.first_source.push_back(uint32_t(scratch_.sources.size()));
    if (batch.palettes_of != kOwnPalettes) {
      borrow_palettes(slice, batch);
      continue;
    }
    const bool compact = mesh.compact_scale.has_value();
    if (compact) add_once(scratch_.expansions, {slice.compact.page, slice.expanded.page});
    if (mesh.dual_quaternions && !compact) scratch_.converted_pages[slice.palettes.page] = 1;
    scratch_.sources.push_back(source_of(slice, mesh));
  }
  list_jobs(scratch_.sources, job_limits(), scratch_.list);
}

JobSource GroupPlanner::source_of(const PageSlice& slice, const StaticMesh& mesh) const {
  const bool compact = mesh.compact_scale.has_value();
  const PageOffset palettes = compact ? slice.expanded : slice.palettes;
  // Pages of expanded palettes are counted after the others.
  const uint32_t first_page = compact ? uint32_t(scratch_.layout.palette_pages.size()) : 0;
  JobSource source;
  source.pages = {&mesh.data.page(), first_page + palettes.page, slice.vertices.page};
  source.chunks = &mesh.chunks;
  source.instance_count = slice.instance_count;
  source.vertex_count = mesh.vertex_count;
  source.first_row = uint32_t(palettes.offset / kRowBytes);
  source.row_stride = uint32_t(mesh.palette_stride * sizeof(Matrix3x4) / kRowBytes);
  source.first_word = uint32_t(slice.vertices.offset / kWordBytes);
  source.word_stride = uint32_t(mesh.vertex_count * pass_.choice().vertex_bytes() / kWordBytes);
  return source;
}

/// The slices of the lender come before this one.
void GroupPlanner::borrow_palettes(const PageSlice& slice, const SkinnerBatch& batch) {
  const std::vector<PageSlice>& slices = scratch_.layout.slices;
  const auto first = std::ranges::lower_bound(slices, batch.palettes_of, {}, &PageSlice::batch);
  const std::span lenders(first, std::ranges::upper_bound(slices, batch.palettes_of, {}, &PageSlice::batch));
  const std::span lender_sources =
      std::span(scratch_.first_source).subspan(size_t(first - slices.begin()), lenders.size());
  const JobSource whole = source_of(slice, *meshes_.find(batch.mesh));
  append_borrowed(batch, slice, whole, {lenders, lender_sources}, scratch_.sources);
}

Status GroupPlanner::check_pages(std::span<const Page> host_pages) const {
  for (size_t i = 0; i < host_pages.size(); ++i) {
    const std::string prefix = "prepare: page " + std::to_string(i) + " of the host ";
    if (host_pages[i].buffer == VK_NULL_HANDLE) return invalid_argument(prefix + "has no buffer");
    if (host_pages[i].offset % vertex_alignment() == 0) continue;
    return invalid_argument(prefix + "has the offset " + std::to_string(host_pages[i].offset) + ", no multiple of " +
                            std::to_string(vertex_alignment()));
  }
  return {};
}

/// The sizes of pages to make: those of the frame, or what is reserved if that is more. Valid until the next call.
std::span<const VkDeviceSize> GroupPlanner::with_reserved(std::span<const VkDeviceSize> sizes,
                                                          std::span<const VkDeviceSize> reserved) {
  if (reserved.empty()) return sizes;
  std::vector<VkDeviceSize>& larger = scratch_.page_sizes;
  larger.assign(std::max(sizes.size(), reserved.size()), 0);
  std::copy(sizes.begin(), sizes.end(), larger.begin());
  for (size_t i = 0; i < reserved.size(); ++i) larger[i] = std::max(larger[i], reserved[i]);
  return larger;
}

/// Creates the buffers and descriptor sets of the frame. Changes nothing but the number of spare descriptor sets.
Status GroupPlanner::make_buffers(std::span<const Page> host_pages, Prepared& prepared) {
  const size_t needed = scratch_.layout.vertex_pages.size();
  if (!host_pages.empty() && host_pages.size() < needed) {
    return invalid_argument("prepare: " + std::to_string(needed) + " pages are needed, the host gave " +
                            std::to_string(host_pages.size()));
  }
  if (Status status = check_pages(host_pages); !status) return status;
  if (Status status = make_palette_pages(prepared); !status) return status;
  if (Status status = make_compact_pages(prepared); !status) return status;
  if (Status status = make_vertex_pages(host_pages.empty(), prepared); !status) return status;
  if (Status status = make_job_page(prepared); !status) return status;
  UpdateGroup& group = prepared.group;
  const size_t sets = std::max(scratch_.list.pages.size() + scratch_.expansions.size(), group.reserved.sets);
  return pass_.ensure_sets(group.inputs[group.next_input()].sets, sets, input_index(group));
}

Status GroupPlanner::make_palette_pages(Prepared& prepared) {
  const UpdateGroup& group = prepared.group;
  const auto sizes = with_reserved(scratch_.layout.palette_pages, group.reserved.palette_pages);
  if (group.reserved.must_copy) scratch_.converted_pages.assign(sizes.size(), 1);
  const PageKind kind{.use = BufferUse::kPalettes,
                      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                               VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                      .max_bytes = table_.max_page_bytes,
                      .copy_usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                                    VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                      .must_copy = scratch_.converted_pages,
                      .name = "sinew.palette",
                      .first_index = input_index(group),
                      .index_step = input_count()};
  return put_value(group.inputs[group.next_input()].palettes.make_missing(allocator_, sizes, kind), prepared.palettes);
}

/// The library's own, where the host does not provide them.
Status GroupPlanner::make_vertex_pages(bool own, Prepared& prepared) {
  const UpdateGroup& group = prepared.group;
  const uint32_t target = next_output(group), targets = keep_previous_ ? 2 : 1;
  const PageKind kind{.use = BufferUse::kDevice,
                      .usage = vertex_usage(),
                      .max_bytes = table_.max_page_bytes,
                      .name = "sinew.vertices",
                      .first_index = group.index * targets + target,
                      .index_step = group_count_ * targets};
  const auto sizes =
      own ? with_reserved(scratch_.layout.vertex_pages, group.reserved.vertex_pages) : std::span<const VkDeviceSize>();
  return put_value(group.vertices[target].make_missing(allocator_, sizes, kind), prepared.vertices);
}

Status GroupPlanner::make_job_page(Prepared& prepared) {
  const UpdateGroup& group = prepared.group;
  VkDeviceSize size_bytes = scratch_.list.job_count * sizeof(shared::SkinJob);
  if (size_bytes > table_.max_buffer_bytes) return too_many_jobs("prepare", size_bytes, table_);
  size_bytes = std::max(size_bytes, group.reserved.jobs);
  const PageKind kind{.use = BufferUse::kPalettes,
                      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                      .max_bytes = table_.max_buffer_bytes,
                      .name = "sinew.jobs",
                      .first_index = input_index(group),
                      .index_step = input_count()};
  const std::span<const VkDeviceSize> sizes(&size_bytes, size_bytes != 0 ? 1 : 0);
  return put_value(group.inputs[group.next_input()].jobs.make_missing(allocator_, sizes, kind), prepared.jobs);
}

BoundPages GroupPlanner::bound_pages(const PageCombination& pages, std::span<const Page> host_pages,
                                     const Prepared& prepared) const {
  const Input& input = prepared.group.inputs[prepared.group.next_input()];
  const std::vector<VkDeviceSize>& matrix_pages = scratch_.layout.palette_pages;
  const bool expanded = pages.palettes >= matrix_pages.size();
  const size_t page_index = expanded ? pages.palettes - matrix_pages.size() : pages.palettes;
  const Buffer& palettes = expanded ? input.expanded.page_after(prepared.expanded, page_index).buffer
                                    : input.palettes.page_after(prepared.palettes, page_index).read_by_device();
  const Buffer& jobs = input.jobs.page_after(prepared.jobs, 0).buffer;
  BoundPages bound;
  bound.meshes = {pages.meshes->buffer.handle(), 0, pages.meshes->buffer.size_bytes()};
  bound.palettes = {palettes.handle(), 0, (expanded ? scratch_.layout.expanded_pages : matrix_pages)[page_index]};
  bound.palette_texels = palettes.texels();
  bound.jobs = {jobs.handle(), 0, scratch_.list.job_count * sizeof(shared::SkinJob)};
  const Page page = vertex_page(pages.vertices, host_pages, prepared);
  bound.vertices = {page.buffer, page.offset, scratch_.layout.vertex_pages[pages.vertices]};
  return bound;
}

Page GroupPlanner::vertex_page(uint32_t index, std::span<const Page> host_pages, const Prepared& prepared) const {
  if (!host_pages.empty()) return host_pages[index];
  const PageSet& target = prepared.group.vertices[next_output(prepared.group)];
  return {target.page_after(prepared.vertices, index).buffer.handle(), 0};
}

PlacedSlice GroupPlanner::placed(const PageSlice& slice, const SkinnerBatch& batch, std::span<const Page> host_pages,
                                 const Prepared& prepared) const {
  const StaticMesh& mesh = *meshes_.find(batch.mesh);
  const Page page = vertex_page(slice.vertices.page, host_pages, prepared);
  const uint32_t vertex_bytes = pass_.choice().vertex_bytes();
  const VkDeviceSize instance_bytes = VkDeviceSize{mesh.vertex_count} * vertex_bytes;
  PlacedSlice placed{
      .batch = slice.batch,
      .first_instance = slice.first_instance,
      .instance_count = slice.instance_count,
      .mesh = batch.mesh,
      .vertex_count = mesh.vertex_count,
      .vertex_bytes = vertex_bytes,
      .palette_size = mesh.palette_size,
      .palettes = {},
      .vertices = {page.buffer, page.offset + slice.vertices.offset, instance_bytes * slice.instance_count},
      .borrowed = batch.palettes_of != kOwnPalettes};
  if (!placed.borrowed) place_palettes(slice, mesh, prepared, placed);
  return placed;
}

void GroupPlanner::place_palettes(const PageSlice& slice, const StaticMesh& mesh, const Prepared& prepared,
                                  PlacedSlice& placed) const {
  const Input& input = prepared.group.inputs[prepared.group.next.input];
  const bool compact = mesh.compact_scale.has_value();
  const PageOffset palettes = compact ? slice.compact : slice.palettes;
  const Buffer& page = compact ? input.compact.page_after(prepared.compact, palettes.page).buffer
                               : input.palettes.page_after(prepared.palettes, palettes.page).buffer;
  const VkDeviceSize entry_bytes = compact ? sizeof(CompactMatrix) : sizeof(Matrix3x4);
  placed.compact = compact;
  placed.palette_stride = mesh.palette_stride, placed.target_count = mesh.target_count;
  placed.palettes = {page.handle(), palettes.offset, mesh.palette_stride * entry_bytes * slice.instance_count};
  placed.mapped_palettes = static_cast<char*>(page.mapped()) + palettes.offset;
}

void GroupPlanner::make_plan(uint64_t frame, std::span<const SkinnerBatch> batches, std::span<const Page> host_pages,
                             Prepared& prepared) {
  UpdateGroup& group = prepared.group;
  FramePlan& next = group.next;
  next.clear();
  next.number = frame;
  next.input = group.next_input();
  Input& input = group.inputs[next.input];
  for (const PageSlice& slice : scratch_.layout.slices)
    next.slices.push_back(placed(slice, batches[slice.batch], host_pages, prepared));
  const std::vector<PlacedSlice>& previous = group.plan.recorded ? group.plan.slices : group.previous_slices;
  make_ranges(next.slices, keep_previous_ ? &previous : nullptr, next.ranges);
  set_skinned_frame(next.ranges, frame);
  plan_palette_copies(prepared);
  plan_conversions(next);
  next.dispatches.assign(scratch_.list.dispatches.begin(), scratch_.list.dispatches.end());
  scratch_.bound.clear();
  for (size_t i = 0; i < scratch_.list.pages.size(); ++i) {
    const JobList::Pages& pages = scratch_.list.pages[i];
    scratch_.bound.push_back(bound_pages(pages.pages, host_pages, prepared));
    next.sets.push_back({input.sets.sets[i], pages.instances, pages.vertices});
  }
  plan_expansions(prepared);
  make_room(prepared);
}

/// So that adopt() cannot fail.
void GroupPlanner::make_room(const Prepared& prepared) {
  Input& input = prepared.group.inputs[prepared.group.next.input];
  PageSet& target = prepared.group.vertices[next_output(prepared.group)];
  input.palettes.make_room(prepared.palettes);
  input.compact.make_room(prepared.compact);
  input.expanded.make_room(prepared.expanded);
  input.jobs.make_room(prepared.jobs);
  target.make_room(prepared.vertices);
  deferred_.make_room(input.palettes.buffer_count() + input.compact.buffer_count() + input.expanded.buffer_count() +
                      input.jobs.buffer_count() + target.buffer_count());
}

/// The prepared plan replaces the group's plan. Cannot fail.
void GroupPlanner::adopt(Prepared prepared, uint64_t last_frame, const ParallelFor& parallel_for) {
  UpdateGroup& group = prepared.group;
  Input& input = group.inputs[group.next.input];
  input.palettes.adopt(std::move(prepared.palettes), last_frame, deferred_);
  input.compact.adopt(std::move(prepared.compact), last_frame, deferred_);
  input.expanded.adopt(std::move(prepared.expanded), last_frame, deferred_);
  input.jobs.adopt(std::move(prepared.jobs), last_frame, deferred_);
  if (const size_t count = scratch_.list.job_count; count > 0) {
    const std::span jobs(static_cast<shared::SkinJob*>(input.jobs.page(0).mapped()), count);
    write_jobs(scratch_.sources, job_limits(), scratch_.list, jobs, parallel_for);
  }
  fill_palettes(group.next, input, parallel_for);
  group.output = next_output(group);
  for (size_t i = 0; i < prepared.vertices.pages.size(); ++i) buffer_changes_ += prepared.vertices.has(i) ? 1 : 0;
  group.vertices[group.output].adopt(std::move(prepared.vertices), last_frame, deferred_);
  for (size_t i = 0; i < scratch_.bound.size(); ++i) pass_.write_set(group.next.sets[i].set, scratch_.bound[i]);
  if (group.plan.recorded) std::swap(group.previous_slices, group.plan.slices);
  std::swap(group.plan, group.next);
}

/// Memory that no frame has written yet gets the bind pose. With checks all of it is poisoned.
void GroupPlanner::fill_palettes(const FramePlan& plan, Input& input, const ParallelFor& parallel_for) {
  for (size_t i = 0; i < plan.slices.size(); ++i) {
    const PlacedSlice& slice = plan.slices[i];
    if (slice.borrowed) continue;
    if (poisons_) {
      poison(slice);
      continue;
    }
    const PageSlice& at = scratch_.layout.slices[i];
    const PageOffset palettes = slice.compact ? at.compact : at.palettes;
    VkDeviceSize& written = (slice.compact ? input.compact : input.palettes).written_bytes(palettes.page);
    const VkDeviceSize end = palettes.offset + slice.palettes.size_bytes;
    if (end <= written) continue;
    fill_with_bind_pose(slice, parallel_for);
    written = end;
  }
}

// --- calls ---

Status GroupPlanner::prepare(UpdateGroup& group, uint64_t frame, std::span<const SkinnerBatch> batches,
                             std::span<const Page> host_pages, const ParallelFor& parallel_for) {
  Prepared prepared{.group = group};
  if (Status status = lay_out("prepare", batches, scratch_); !status) return status;
  list_work(batches);
  if (Status status = make_buffers(host_pages, prepared); !status) return status;
  make_plan(frame, batches, host_pages, prepared);
  const uint64_t last_frame = frame - 1;  // it may have updated no group, and drawn the old plan
  adopt(std::move(prepared), last_frame, parallel_for);
  return {};
}

/// Of the laid out batches, and of fewer instances of each. Their pages end elsewhere, and each end may divide a job
/// for every chunk of a mesh. Other instances of borrowed palettes may have a job each.
size_t GroupPlanner::most_jobs() const {
  size_t most_chunks = 0, borrowed_jobs = 0;
  for (const JobSource& source : scratch_.sources) {
    size_t chunks = 0;
    for (const KernelChunks& of_kernel : *source.chunks) chunks += of_kernel.count;
    most_chunks = std::max(most_chunks, chunks);
    if (source.borrowed) borrowed_jobs += chunks * source.instance_count;
  }
  const FrameLayout& layout = scratch_.layout;
  const size_t pages = layout.vertex_pages.size() + layout.palette_pages.size() + layout.compact_pages.size() +
                       layout.expanded_pages.size();
  return scratch_.list.job_count + borrowed_jobs + pages * most_chunks;
}

Status GroupPlanner::reserve(UpdateGroup& group, std::span<const SkinnerBatch> batches) {
  if (Status status = lay_out("reserve", batches, scratch_); !status) return status;
  list_work(batches);
  FrameLayout& layout = scratch_.layout;
  const std::vector<uint8_t>& converted = scratch_.converted_pages;
  const bool must_copy = std::find(converted.begin(), converted.end(), 1) != converted.end();
  make_room_for_fewer(scratch_.sizes, table_.max_page_bytes, slice_alignment(), layout);
  ReservedBytes reserved{layout.vertex_pages,
                         layout.palette_pages,
                         layout.compact_pages,
                         layout.expanded_pages,
                         most_jobs() * sizeof(shared::SkinJob),
                         scratch_.list.pages.size() + scratch_.expansions.size(),
                         must_copy};
  if (reserved.jobs > table_.max_buffer_bytes) return too_many_jobs("reserve", reserved.jobs, table_);
  group.reserved = std::move(reserved);
  return {};
}

Result<std::vector<PageRequirements>> GroupPlanner::page_requirements(std::span<const SkinnerBatch> batches) const {
  Scratch own;
  if (Status status = lay_out("prepare", batches, own); !status) return status.error();
  std::vector<PageRequirements> requirements;
  for (const VkDeviceSize size_bytes : own.layout.vertex_pages) {
    requirements.push_back({size_bytes, vertex_alignment(), vertex_usage()});
  }
  return requirements;
}

Status GroupPlanner::check_written(const UpdateGroup& group) const {
  if (!poisons_) return {};
  for (const PlacedSlice& slice : group.plan.slices) {
    const std::optional<Unwritten> unwritten = find_unwritten(slice);
    if (!unwritten) continue;
    const StaticMesh* mesh = meshes_.find(slice.mesh);
    const uint32_t first = unwritten->first_instance, last = first + unwritten->instance_count - 1;
    return invalid_argument("frame " + std::to_string(group.plan.number) + ": " +
                            (unwritten->weights ? "morph weights" : "palettes") + " are not written: group " +
                            std::to_string(group.index) + ", batch " + std::to_string(slice.batch) +
                            (mesh != nullptr ? ", mesh '" + mesh->name + "'" : std::string()) + ", " +
                            noun(unwritten->instance_count, "instance ", "instances ") + std::to_string(first) +
                            (last != first ? " to " + std::to_string(last) : std::string()));
  }
  return {};
}

}  // namespace sinew::vulkan::internal
