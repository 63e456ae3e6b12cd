// Adding and removing meshes, and preparing frames: the calls that may fail.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "asset/plain_text.h"
#include "mesh_data.h"
#include "sinew/asset/skin.h"
#include "skinner_impl.h"

namespace sinew::vulkan {
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

Error job_error(uint64_t size_bytes, VkDeviceSize max_bytes) {
  return {ErrorCode::kUnsupported, "prepare: the list of work needs " + std::to_string(size_bytes) +
                                       " bytes, and a buffer holds " + std::to_string(max_bytes)};
}

template <class T>
void add_once(std::vector<T>& list, const T& element) {
  if (std::find(list.rbegin(), list.rend(), element) == list.rend()) list.push_back(element);
}

bool is_proper(const Box& box) {
  const Vec3 extent = box.high - box.low;
  const auto is_valid = [](float e) { return e >= 0 && std::isfinite(e); };
  return is_valid(extent.x) && is_valid(extent.y) && is_valid(extent.z) && extent.x + extent.y + extent.z > 0;
}

}  // namespace

Skinner::Impl::Impl(DeviceTable device_table, const SkinnerInfo& info)
    : table(std::move(device_table)),
      allocator(table, info),
      message(info.message),
      message_user_data(info.message_user_data),
      keep_previous(info.keep_previous),
      barriers(info.barriers),
      consumers(info.consumers),
      extra_vertex_usage(info.vertex_usage),
      mesh_pages(allocator, table),
      groups(info.update_groups),
      slot_frames(info.frames_in_flight) {
  for (uint32_t g = 0; g < groups.size(); ++g) {
    groups[g].index = g;
    groups[g].inputs.resize(info.frames_in_flight);
  }
}

VkBufferUsageFlags Skinner::Impl::vertex_usage() const {
  return VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
         extra_vertex_usage;
}

// --- meshes ---

Status Skinner::Impl::check_mesh(const Mesh& mesh, uint32_t palette_size, const std::string& name, const Box& box,
                                 const PaletteKind& palettes) const {
  const std::string prefix = "mesh '" + name + "'";
  if (Status status = validate(mesh, palette_size); !status) {
    const std::string& fault = status.error().message;  // "mesh: vertex 9 ..."
    const size_t known = fault.starts_with("mesh: ") ? std::strlen("mesh: ") : 0;
    return Error{status.error().code, prefix + ": " + fault.substr(known)};
  }
  if (mesh.vertex_count() == 0) return invalid_argument(prefix + " has no vertices");
  const auto too_large = [&](const char* what, VkDeviceSize size_bytes, VkDeviceSize limit) {
    return Error{ErrorCode::kUnsupported, prefix + ": " + what + " " + std::to_string(size_bytes) +
                                              " bytes, and a buffer holds " + std::to_string(limit)};
  };
  const KernelChoice& choice = pass->choice();
  if (choice.format == VertexFormat::kPacked && !is_proper(box)) {
    return invalid_argument(prefix + " needs a box in this format");
  }
  if (mesh.blend == Blend::kDualQuaternion && !choice.dual_quaternions) {
    return invalid_argument(prefix + " is blended with dual quaternions, and SkinnerInfo::dual_quaternions is not set");
  }
  if (choice.tangents && mesh.tangents.empty()) return invalid_argument(prefix + " has no tangents to skin");
  const uint32_t target_count = choice.morph_targets ? mesh.target_count() : 0;
  if (palettes.format == PaletteFormat::kCompact) {
    if (!choice.compact_palettes)
      return invalid_argument(prefix + " has compact palettes, and SkinnerInfo::compact_palettes is not set");
    if (!(palettes.scale > 0) || !std::isfinite(palettes.scale))
      return invalid_argument(prefix + ": the scale of its palettes is " + decimal(double(palettes.scale)));
  }
  const uint64_t stride = stride_of(palette_size, target_count, palettes.format == PaletteFormat::kCompact);
  const BatchSize size = size_of(mesh.vertex_count(), stride, choice.vertex_bytes(), false);
  if (size.instance_vertex_bytes > table.max_page_bytes) {
    return too_large("one instance's vertices need", size.instance_vertex_bytes, table.max_page_bytes);
  }
  if (size.instance_palette_bytes > table.max_page_bytes) {
    const bool morphs = stride > palette_stride(palette_size);
    return too_large(morphs ? "one instance's palette and morph weights need" : "one instance's palette needs",
                     size.instance_palette_bytes, table.max_page_bytes);
  }
  return {};
}

Result<MeshId> Skinner::Impl::add_mesh(const Mesh& mesh, uint32_t palette_size, const char* given_name, const Box& box,
                                       const PaletteKind& palettes) {
  const uint32_t id = last_mesh_id + 1;
  const bool named = given_name != nullptr && given_name[0] != '\0';
  const std::string name = named ? given_name : std::to_string(id);
  if (Status status = check_mesh(mesh, palette_size, name, box, palettes); !status) return status.error();
  const uint64_t morph_bytes = pass->choice().morph_targets ? count_differences(mesh) * 16 : 0;
  if (morph_bytes > table.max_buffer_bytes) {
    return Error{ErrorCode::kUnsupported, "mesh '" + name + "': the morph targets need " + std::to_string(morph_bytes) +
                                              " bytes, and a buffer holds " + std::to_string(table.max_buffer_bytes)};
  }
  const bool rigid = palettes.format != PaletteFormat::kMatrices && pass->choice().rigid_palettes;
  const MeshLayout layout = lay_out_mesh(mesh, pass->choice(), rigid);
  if (layout.size_bytes() > table.max_buffer_bytes) {
    return Error{ErrorCode::kUnsupported, "mesh '" + name + "': the static data needs " +
                                              std::to_string(layout.size_bytes()) + " bytes, and a buffer holds " +
                                              std::to_string(table.max_buffer_bytes)};
  }
  const MeshInfo info{name, palette_size, pass->choice().morph_targets ? mesh.target_count() : 0, box, palettes};
  Result<StaticMesh> staged = stage_mesh(allocator, mesh_pages, mesh, layout, info);
  if (!staged) return staged.error();
  meshes.emplace(id, std::move(*staged));
  last_mesh_id = id;
  return MeshId{id};
}

void Skinner::Impl::remove_mesh(MeshId id) {
  const auto found = meshes.find(id.value);
  if (found != meshes.end() && found->second.removed_frame == kNever) found->second.removed_frame = frame.number;
}

const StaticMesh* Skinner::Impl::find_mesh(MeshId id) const {
  const auto found = meshes.find(id.value);
  return found != meshes.end() && found->second.removed_frame == kNever ? &found->second : nullptr;
}

// --- frames ---

Status Skinner::Impl::check_frame(const Frame& next) const {
  const auto refuse = [&](const std::string& why) {
    return invalid_argument("begin_frame: frame " + std::to_string(next.number) + why);
  };
  if (next.slot >= slot_frames.size()) {
    return refuse(" names slot " + std::to_string(next.slot) + " of " + std::to_string(slot_frames.size()));
  }
  if (next.number == 0) return invalid_argument("begin_frame: frame numbers begin at 1");
  if (next.number < frame.number || next.number <= recorded_frame) {
    return refuse(" does not follow frame " + std::to_string(frame.number));
  }
  if (next.last_completed >= next.number) {
    return refuse(" claims that frame " + std::to_string(next.last_completed) + " has completed");
  }
  if (next.last_completed < frame.last_completed) {
    return refuse(" says that frame " + std::to_string(next.last_completed) + " was the last to complete, and frame " +
                  std::to_string(frame.last_completed) + " has completed");
  }
  if (slot_frames[next.slot] > next.last_completed) {
    return refuse(" takes slot " + std::to_string(next.slot) + ", whose frame " +
                  std::to_string(slot_frames[next.slot]) + " has not completed");
  }
  return {};
}

Status Skinner::Impl::begin_frame(const Frame& next) {
  if (Status status = check_frame(next); !status) return status;
  for (auto& [id, mesh] : meshes) {  // frames without any update are not begun, but may read the mesh
    if (mesh.removed_frame == frame.number) mesh.removed_frame = std::max(frame.number, next.number - 1);
  }
  frame = next;
  for (Group& group : groups) {
    if (!is_due(group)) mark_not_updated(group.plan.ranges);
  }
  free_completed(frame.last_completed);
  return {};
}

JobLimits Skinner::Impl::job_limits() const {
  return {table.max_workgroups_x, table.max_workgroups_y, pass->choice().instances_per_thread,
          pass->choice().min_workgroups};
}

/// Fails before anything is laid out where the job list cannot fit in a buffer.
Status Skinner::Impl::lay_out(std::span<const Batch> batches, Scratch& into) const {
  std::vector<BatchSize>& sizes = into.sizes;
  sizes.resize(batches.size());
  uint64_t job_count = 0;
  for (size_t b = 0; b < batches.size(); ++b) {
    const StaticMesh* mesh = find_mesh(batches[b].mesh);
    if (mesh == nullptr) {
      return invalid_argument("prepare: batch " + std::to_string(b) +
                              " names no mesh: " + std::to_string(batches[b].mesh.value));
    }
    const bool compact = mesh->compact_scale.has_value();
    sizes[b] = size_of(mesh->vertex_count, mesh->palette_stride, pass->choice().vertex_bytes(), compact);
    sizes[b].instance_count = batches[b].instance_count;
    const JobLimits limits = job_limits();
    const uint32_t max_per_job = instances_per_job(limits, limits.instances_per_thread);
    job_count += min_jobs(sizes[b], *mesh, max_per_job, table.max_page_bytes);
    const uint64_t job_bytes = job_count * sizeof(shared::SkinJob);
    if (job_bytes > table.max_buffer_bytes) return job_error(job_bytes, table.max_buffer_bytes);
  }
  lay_out_frame(sizes, table.max_page_bytes, table.storage_alignment, into.layout);
  return {};
}

uint64_t Skinner::Impl::oldest_due() const {
  uint64_t oldest = kNever;
  for (const Group& group : groups) {
    if (is_due(group)) oldest = std::min(oldest, group.plan.number);
  }
  return oldest;
}

Status Skinner::Impl::prepare(uint32_t group, std::span<const Batch> batches, std::span<const Page> host_pages,
                              const ParallelFor& parallel_for) {
  if (group >= groups.size()) {
    return invalid_argument("prepare: group " + std::to_string(group) + " of " + std::to_string(groups.size()));
  }
  if (frame.number == recorded_frame) {
    return invalid_argument(frame.number == 0 ? "prepare: no frame was begun"
                                              : "prepare: frame " + std::to_string(frame.number) + " is recorded");
  }
  Prepared prepared{.group = groups[group]};
  if (Status status = lay_out(batches, scratch); !status) return status;
  list_work(batches);
  if (Status status = make_buffers(host_pages, prepared); !status) return status;
  make_plan(batches, host_pages, prepared);
  const uint64_t last_frame = frame.number - 1;  // it may have updated no group, and drawn the old plan
  adopt(std::move(prepared), last_frame, parallel_for);
  free_completed(frame.last_completed);
  return {};
}

/// Lists the jobs. Palette and vertex pages are indices: the pages may not exist yet.
void Skinner::Impl::list_work(std::span<const Batch> batches) {
  scratch.sources.clear(), scratch.expansions.clear();
  scratch.converted_pages.assign(scratch.layout.palette_pages.size(), 0);
  for (const PageSlice& slice : scratch.layout.slices) {
    const StaticMesh& mesh = *find_mesh(batches[slice.batch].mesh);
    JobSource& source = scratch.sources.emplace_back();
    const bool compact = mesh.compact_scale.has_value();
    const PageOffset palettes = compact ? slice.expanded : slice.palettes;
    // Pages of expanded palettes are counted after the others.
    const uint32_t first_page = compact ? uint32_t(scratch.layout.palette_pages.size()) : 0;
    source.pages = {&mesh.data.page(), first_page + palettes.page, slice.vertices.page};
    source.chunks = &mesh.chunks;
    if (compact) add_once(scratch.expansions, {slice.compact.page, slice.expanded.page});
    if (mesh.dual_quaternions && !compact) scratch.converted_pages[slice.palettes.page] = 1;
    source.instance_count = slice.instance_count;
    source.vertex_count = mesh.vertex_count;
    source.first_row = uint32_t(palettes.offset / kRowBytes);
    source.row_stride = uint32_t(mesh.palette_stride * sizeof(Matrix3x4) / kRowBytes);
    source.first_word = uint32_t(slice.vertices.offset / kWordBytes);
    source.word_stride = uint32_t(mesh.vertex_count * pass->choice().vertex_bytes() / kWordBytes);
  }
  list_jobs(scratch.sources, job_limits(), scratch.list);
}

Status Skinner::Impl::check_pages(std::span<const Page> host_pages) const {
  for (size_t i = 0; i < host_pages.size(); ++i) {
    const std::string prefix = "prepare: page " + std::to_string(i) + " of the host ";
    if (host_pages[i].buffer == VK_NULL_HANDLE) return invalid_argument(prefix + "has no buffer");
    if (host_pages[i].offset % table.storage_alignment == 0) continue;
    return invalid_argument(prefix + "has the offset " + std::to_string(host_pages[i].offset) + ", no multiple of " +
                            std::to_string(table.storage_alignment));
  }
  return {};
}

/// Creates the buffers and descriptor sets of the frame. Changes nothing but the number of spare descriptor sets.
Status Skinner::Impl::make_buffers(std::span<const Page> host_pages, Prepared& prepared) {
  Group& group = prepared.group;
  Input& input = group.inputs[group.next_input()];
  const FrameLayout& layout = scratch.layout;
  if (!host_pages.empty() && host_pages.size() < layout.vertex_pages.size()) {
    return invalid_argument("prepare: " + std::to_string(layout.vertex_pages.size()) +
                            " pages are needed, the host gave " + std::to_string(host_pages.size()));
  }
  if (Status status = check_pages(host_pages); !status) return status;
  const PageKind palette_kind{.use = BufferUse::kPalettes,
                              .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                                       VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                              .max_bytes = table.max_page_bytes,
                              .copy_usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                            VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                              .must_copy = scratch.converted_pages,
                              .name = "sinew.palette",
                              .first_index = input_index(group),
                              .index_step = input_count()};
  Result<NewPages> palettes = input.palettes.make_missing(allocator, layout.palette_pages, palette_kind);
  if (!palettes) return palettes.error();
  prepared.palettes = std::move(*palettes);
  if (Status status = make_compact_pages(prepared); !status) return status;

  const uint32_t target = next_output(group), targets = keep_previous ? 2 : 1;
  const PageKind vertex_kind{.use = BufferUse::kDevice,
                             .usage = vertex_usage(),
                             .max_bytes = table.max_page_bytes,
                             .name = "sinew.vertices",
                             .first_index = group.index * targets + target,
                             .index_step = uint32_t(groups.size()) * targets};
  const std::span<const VkDeviceSize> vertex_sizes =
      host_pages.empty() ? std::span(layout.vertex_pages) : std::span<const VkDeviceSize>();
  Result<NewPages> fresh = group.vertices[target].make_missing(allocator, vertex_sizes, vertex_kind);
  if (!fresh) return fresh.error();
  prepared.vertices = std::move(*fresh);
  if (Status status = make_job_page(prepared); !status) return status;
  return pass->ensure_sets(input.sets, scratch.list.pages.size() + scratch.expansions.size(), input_index(group));
}

Status Skinner::Impl::make_job_page(Prepared& prepared) {
  const Group& group = prepared.group;
  const VkDeviceSize size_bytes = scratch.list.job_count * sizeof(shared::SkinJob);
  if (size_bytes > table.max_buffer_bytes) return job_error(size_bytes, table.max_buffer_bytes);
  const PageKind kind{.use = BufferUse::kPalettes,
                      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                      .max_bytes = table.max_buffer_bytes,
                      .name = "sinew.jobs",
                      .first_index = input_index(group),
                      .index_step = input_count()};
  const std::span<const VkDeviceSize> sizes(&size_bytes, size_bytes != 0 ? 1 : 0);
  Result<NewPages> fresh = group.inputs[group.next_input()].jobs.make_missing(allocator, sizes, kind);
  if (!fresh) return fresh.error();
  prepared.jobs = std::move(*fresh);
  return {};
}

BoundPages Skinner::Impl::bound_pages(const PageCombination& pages, std::span<const Page> host_pages,
                                      const Prepared& prepared) const {
  const Input& input = prepared.group.inputs[prepared.group.next_input()];
  const std::vector<VkDeviceSize>& matrix_pages = scratch.layout.palette_pages;
  const bool expanded = pages.palettes >= matrix_pages.size();
  const size_t page_index = expanded ? pages.palettes - matrix_pages.size() : pages.palettes;
  const Buffer& palettes = expanded ? input.expanded.page_after(prepared.expanded, page_index).buffer
                                    : input.palettes.page_after(prepared.palettes, page_index).read_by_device();
  const Buffer& jobs = input.jobs.page_after(prepared.jobs, 0).buffer;
  BoundPages bound;
  bound.meshes = {pages.meshes->buffer.handle(), 0, pages.meshes->buffer.size_bytes()};
  bound.palettes = {palettes.handle(), 0, (expanded ? scratch.layout.expanded_pages : matrix_pages)[page_index]};
  bound.palette_texels = palettes.texels();
  bound.jobs = {jobs.handle(), 0, scratch.list.job_count * sizeof(shared::SkinJob)};
  const Page page = vertex_page(pages.vertices, host_pages, prepared);
  bound.vertices = {page.buffer, page.offset, scratch.layout.vertex_pages[pages.vertices]};
  return bound;
}

Page Skinner::Impl::vertex_page(uint32_t index, std::span<const Page> host_pages, const Prepared& prepared) const {
  if (!host_pages.empty()) return host_pages[index];
  const PageSet& target = prepared.group.vertices[next_output(prepared.group)];
  return {target.page_after(prepared.vertices, index).buffer.handle(), 0};
}

void Skinner::Impl::make_plan(std::span<const Batch> batches, std::span<const Page> host_pages, Prepared& prepared) {
  Group& group = prepared.group;
  FramePlan& next = group.next;
  next.clear();
  next.number = frame.number;
  next.input = group.next_input();
  Input& input = group.inputs[next.input];
  for (const PageSlice& slice : scratch.layout.slices) {
    const StaticMesh& mesh = *find_mesh(batches[slice.batch].mesh);
    const bool compact = mesh.compact_scale.has_value();
    const PageOffset palettes = compact ? slice.compact : slice.palettes;
    const Buffer& palette_page = compact ? input.compact.page_after(prepared.compact, palettes.page).buffer
                                         : input.palettes.page_after(prepared.palettes, palettes.page).buffer;
    const Page page = vertex_page(slice.vertices.page, host_pages, prepared);
    PlacedSlice& placed = next.slices.emplace_back();
    placed.batch = slice.batch;
    placed.first_instance = slice.first_instance;
    placed.instance_count = slice.instance_count;
    placed.mesh = batches[slice.batch].mesh;
    placed.vertex_count = mesh.vertex_count;
    placed.vertex_bytes = pass->choice().vertex_bytes();
    placed.palette_stride = mesh.palette_stride;
    placed.target_count = mesh.target_count;
    placed.palette_size = mesh.palette_size;
    const BatchSize size = size_of(mesh.vertex_count, mesh.palette_stride, placed.vertex_bytes, compact);
    const VkDeviceSize palette_bytes = size.instance_palette_bytes + size.instance_compact_bytes;  // one of them is 0
    placed.palettes = {palette_page.handle(), palettes.offset, palette_bytes * slice.instance_count};
    placed.vertices = {page.buffer, page.offset + slice.vertices.offset,
                       size.instance_vertex_bytes * slice.instance_count};
    placed.mapped_palettes = static_cast<char*>(palette_page.mapped()) + palettes.offset;
    placed.compact = compact;
  }
  const std::vector<PlacedSlice>& previous = group.plan.recorded ? group.plan.slices : group.previous_slices;
  make_ranges(next.slices, keep_previous ? &previous : nullptr, next.ranges);
  plan_palette_copies(prepared);
  plan_conversions(next);
  next.dispatches.assign(scratch.list.dispatches.begin(), scratch.list.dispatches.end());
  scratch.bound.clear();
  for (size_t i = 0; i < scratch.list.pages.size(); ++i) {
    const JobList::Pages& pages = scratch.list.pages[i];
    scratch.bound.push_back(bound_pages(pages.pages, host_pages, prepared));
    next.sets.push_back({input.sets.sets[i], pages.instances, pages.vertices});
  }
  plan_expansions(prepared);
  PageSet& target = group.vertices[next_output(group)];
  input.palettes.make_room(prepared.palettes);
  input.compact.make_room(prepared.compact);
  input.expanded.make_room(prepared.expanded);
  input.jobs.make_room(prepared.jobs);
  target.make_room(prepared.vertices);
  deferred.make_room(input.palettes.buffer_count() + input.compact.buffer_count() + input.expanded.buffer_count() +
                     input.jobs.buffer_count() + target.buffer_count());
}

/// The prepared plan replaces the group's plan. Cannot fail.
void Skinner::Impl::adopt(Prepared prepared, uint64_t last_frame, const ParallelFor& parallel_for) {
  Group& group = prepared.group;
  Input& input = group.inputs[group.next.input];
  input.palettes.adopt(std::move(prepared.palettes), last_frame, deferred);
  input.compact.adopt(std::move(prepared.compact), last_frame, deferred);
  input.expanded.adopt(std::move(prepared.expanded), last_frame, deferred);
  input.jobs.adopt(std::move(prepared.jobs), last_frame, deferred);
  if (const size_t count = scratch.list.job_count; count > 0) {
    const std::span jobs(static_cast<shared::SkinJob*>(input.jobs.page(0).mapped()), count);
    write_jobs(scratch.sources, job_limits(), scratch.list, jobs, parallel_for);
  }
  group.output = next_output(group);
  group.vertices[group.output].adopt(std::move(prepared.vertices), last_frame, deferred);
  for (size_t i = 0; i < scratch.bound.size(); ++i) pass->write_set(group.next.sets[i].set, scratch.bound[i]);
  if (group.plan.recorded) std::swap(group.previous_slices, group.plan.slices);
  std::swap(group.plan, group.next);
}

/// Frees everything that no frame after `last_completed` uses, except meshes that a plan still to be recorded uses.
void Skinner::Impl::free_completed(uint64_t last_completed) {
  const uint64_t keep_from = oldest_due();
  deferred.free_through(last_completed);
  std::erase_if(meshes, [&](const auto& entry) {
    return entry.second.removed_frame <= last_completed && entry.second.removed_frame < keep_from;
  });
  for (auto& [id, mesh] : meshes) {
    if (mesh.uploaded_frame <= last_completed) mesh.staging = {};
  }
}

Result<std::vector<PageRequirements>> Skinner::Impl::page_requirements(std::span<const Batch> batches) const {
  Scratch own;
  if (Status status = lay_out(batches, own); !status) return status.error();
  std::vector<PageRequirements> requirements;
  for (const VkDeviceSize size_bytes : own.layout.vertex_pages) {
    requirements.push_back({size_bytes, table.storage_alignment, vertex_usage()});
  }
  return requirements;
}

Status Skinner::Impl::reload_kernel(std::span<const uint32_t> spirv) {
  Result<Kernels> kernels = pass->build_kernels(spirv, VK_NULL_HANDLE);
  if (!kernels) return kernels.error();
  deferred.make_room(kKernelCount);
  for (Owned<VkPipeline>& old : pass->exchange_kernels(std::move(*kernels))) deferred.add(frame.number, std::move(old));
  return {};
}

MemoryUsage Skinner::Impl::memory_usage() const {
  MemoryUsage usage;
  for (const auto& [id, mesh] : meshes) {
    (mesh.removed_frame == kNever ? usage.mesh_bytes : usage.deferred_bytes) += mesh.data.size_bytes();
    usage.staging_bytes += mesh.staging.size_bytes();
  }
  for (const Group& group : groups) {
    for (const Input& input : group.inputs) {
      usage.palette_bytes += input.palettes.size_bytes() + input.compact.size_bytes();
      usage.palette_copy_bytes += input.palettes.copy_bytes();
      usage.expanded_bytes += input.expanded.size_bytes();
      usage.job_bytes += input.jobs.size_bytes();
    }
    for (const PageSet& set : group.vertices) usage.skinned_bytes += set.size_bytes();
  }
  usage.deferred_bytes += deferred.size_bytes();
  usage.block_bytes = allocator.block_bytes();
  return usage;
}

}  // namespace sinew::vulkan
