// The skinner.
#include "sinew/c/vulkan.h"

#include <algorithm>

#include "character.h"
#include "sinew/vulkan/draw.h"
#include "sinew/vulkan/skinner.h"
#include "skinner_info.h"

namespace sinew::c {

using namespace vulkan;

SINEW_SAME_LAYOUT(SinewPage, Page, buffer, offset);
static_assert(uint32_t(Timestamp::kCount) == 3);  // as SinewRecordInfo says

namespace {

constexpr PaletteFormat kPaletteFormats[] = {PaletteFormat::kMatrices, PaletteFormat::kRigid, PaletteFormat::kCompact};

SkinnerBatch batch_of(const SinewSkinnerBatch& given) {
  SkinnerBatch batch{MeshId{given.mesh}, given.instance_count};
  if (given.borrows_palettes == 0) return batch;
  batch.palettes_of = given.palettes_of;
  batch.instances = {given.instances, given.instances != nullptr ? given.instance_count : 0};
  return batch;
}

/// What SinewAddMesh describes, as the arguments of add_mesh().
struct AddedMesh {
  explicit AddedMesh(const SinewAddMesh& given)
      : mesh(read_mesh(given.mesh, given.palette_size)),
        palette_size(given.palette_size),
        name(given.name != nullptr ? given.name : ""),
        box(*as_cpp(&given.box)),
        palettes{choice(given.palette_format, kPaletteFormats, "info->palette_format"),
                 given.palette_scale != 0 ? given.palette_scale : 1, given.palette_targets} {}

  Mesh mesh;
  uint32_t palette_size = 0;
  const char* name = "";
  Box box;
  PaletteKind palettes;
};

std::vector<SkinnerBatch> batches_of(const SinewSkinnerBatch* given, uint32_t count) {
  std::vector<SkinnerBatch> batches;
  for (const SinewSkinnerBatch& batch : array(given, count, "batches")) batches.push_back(batch_of(batch));
  return batches;
}

}  // namespace
}  // namespace sinew::c

struct SinewSkinner {
  sinew::c::Callbacks callbacks;
  sinew::vulkan::Skinner skinner;
};

struct SinewPreparedMesh {
  sinew::vulkan::PreparedMesh mesh;
};

using namespace sinew;
using namespace sinew::c;
using namespace sinew::vulkan;

SinewResult sinew_skinner_create(const SinewSkinnerInfo* info, SinewSkinner** out, SinewError* error) {
  return create(out, error, __func__, [&](SinewSkinner& handle) {
    handle.callbacks.info = read(info, "info");
    handle.skinner = take(create_skinner(skinner_info(handle.callbacks)));
  });
}

void sinew_skinner_destroy(SinewSkinner* skinner) { delete skinner; }

SinewResult sinew_skinner_add_mesh(SinewSkinner* skinner, const SinewAddMesh* info, uint32_t* out, SinewError* error) {
  return call(error, __func__, [&] {
    required(out, "out") = 0;
    Skinner& to = required(skinner, "skinner").skinner;
    const AddedMesh added(read(info, "info"));
    *out = take(to.add_mesh(added.mesh, added.palette_size, added.name, added.box, added.palettes)).value;
  });
}

SinewResult sinew_skinner_prepare_mesh(const SinewSkinner* skinner, const SinewAddMesh* info, SinewPreparedMesh** out,
                                       SinewError* error) {
  return create(out, error, __func__, [&](SinewPreparedMesh& handle) {
    const Skinner& of = required(skinner, "skinner").skinner;
    const AddedMesh added(read(info, "info"));
    handle.mesh = take(of.prepare_mesh(added.mesh, added.palette_size, added.name, added.box, added.palettes));
  });
}

SinewResult sinew_skinner_add_prepared_mesh(SinewSkinner* skinner, SinewPreparedMesh* mesh, uint32_t* out,
                                            SinewError* error) {
  return call(error, __func__, [&] {
    required(out, "out") = 0;
    Skinner& to = required(skinner, "skinner").skinner;
    *out = take(to.add_mesh(std::move(required(mesh, "mesh").mesh))).value;
  });
}

void sinew_prepared_mesh_destroy(SinewPreparedMesh* mesh) { delete mesh; }

SinewResult sinew_skinner_remove_mesh(SinewSkinner* skinner, uint32_t mesh, SinewError* error) {
  return call(error, __func__, [&] { required(skinner, "skinner").skinner.remove_mesh({mesh}); });
}

SinewResult sinew_skinner_begin_frame(SinewSkinner* skinner, const SinewSkinnerFrame* frame, SinewError* error) {
  return call(error, __func__, [&] {
    const SinewSkinnerFrame given = read(frame, "frame");
    vulkan::SkinnerFrame begun{.number = given.number};
    if (given.explicit_slot != 0) begun.slot = given.slot, begun.last_completed = given.last_completed;
    check(required(skinner, "skinner").skinner.begin_frame(begun));
  });
}

SinewResult sinew_skinner_discard_frame(SinewSkinner* skinner, SinewError* error) {
  return call(error, __func__, [&] { check(required(skinner, "skinner").skinner.discard_frame()); });
}

SinewResult sinew_skinner_reserve(SinewSkinner* skinner, uint32_t group, const SinewSkinnerBatch* batches,
                                  uint32_t batch_count, SinewError* error) {
  return call(error, __func__,
              [&] { check(required(skinner, "skinner").skinner.reserve(batches_of(batches, batch_count), group)); });
}

SinewResult sinew_skinner_buffer_changes(const SinewSkinner* skinner, uint64_t* out, SinewError* error) {
  return call(error, __func__, [&] { required(out, "out") = required(skinner, "skinner").skinner.buffer_changes(); });
}

SinewResult sinew_skinner_check_palettes(const SinewSkinner* skinner, SinewError* error) {
  return call(error, __func__, [&] { check(required(skinner, "skinner").skinner.check_palettes()); });
}

SinewResult sinew_skinner_prepare(SinewSkinner* skinner, const SinewPrepareInfo* info, SinewError* error) {
  return call(error, __func__, [&] {
    Skinner& in = required(skinner, "skinner").skinner;
    const SinewPrepareInfo given = read(info, "info");
    const auto pages = array_as(given.pages, given.page_count, "info->pages");
    check(in.prepare(given.group, batches_of(given.batches, given.batch_count), pages, loop_of(given.parallel_for)));
  });
}

SinewResult sinew_skinner_page_requirements(const SinewSkinner* skinner, const SinewSkinnerBatch* batches,
                                            uint32_t batch_count, SinewPageRequirements* out, uint32_t* count,
                                            SinewError* error) {
  return call(error, __func__, [&] {
    uint32_t& room = required(count, "count");
    const auto pages = take(required(skinner, "skinner").skinner.page_requirements(batches_of(batches, batch_count)));
    if (out != nullptr) check_room(room, pages.size(), "pages");
    room = uint32_t(pages.size());
    for (size_t i = 0; out != nullptr && i < pages.size(); ++i)
      out[i] = {pages[i].size_bytes, pages[i].alignment, pages[i].usage};
  });
}

SinewResult sinew_skinner_range_count(const SinewSkinner* skinner, uint32_t group, uint32_t* out, SinewError* error) {
  return call(error, __func__,
              [&] { required(out, "out") = uint32_t(required(skinner, "skinner").skinner.ranges(group).size()); });
}

SinewResult sinew_skinner_range(const SinewSkinner* skinner, uint32_t group, uint32_t index, SinewRange* out,
                                SinewError* error) {
  return query(out, error, __func__, [&](SinewRange& range) {
    const auto ranges = required(skinner, "skinner").skinner.ranges(group);
    const InstanceRange& from = element(ranges, index, "range");
    range.batch = from.batch, range.first_instance = from.first_instance, range.instance_count = from.instance_count;
    range.vertex_count = from.vertex_count, range.vertex_bytes = from.vertex_bytes;
    range.palette_size = from.palette_size, range.palette_stride = from.palette_stride;
    range.palette_count = uint32_t(from.palettes.size() + from.compact_palettes.size());  // one of them is 0
    range.palettes = seen_as<SinewMatrix3x4>(from.palettes.data());
    range.compact_palettes = seen_as<SinewCompactMatrix>(from.compact_palettes.data());
    range.palette_buffer = from.palette_buffer, range.palette_offset = from.palette_offset;
    range.vertices = from.vertices, range.vertices_offset = from.vertices_offset;
    range.previous_vertices = from.previous_vertices;
    range.previous_vertices_offset = from.previous_vertices_offset;
    range.weights = from.weights.data(), range.weight_count = uint32_t(from.weights.size());
    range.weight_stride = from.weight_stride, range.target_count = from.target_count;
    range.mesh = from.mesh.value, range.skinned_frame = from.skinned_frame;
  });
}

SinewResult sinew_skinner_record(SinewSkinner* skinner, VkCommandBuffer cmd, const SinewRecordInfo* info,
                                 SinewError* error) {
  return call(error, __func__, [&] {
    Skinner& in = required(skinner, "skinner").skinner;
    required(cmd, "cmd");
    const SinewRecordInfo given = read_optional(info, "info");
    in.record(cmd, {.timestamps = given.timestamps, .first_query = given.first_query});
  });
}

SinewResult sinew_skinner_mesh_buffer(const SinewSkinner* skinner, uint32_t mesh, SinewMeshBuffer* out,
                                      SinewError* error) {
  return query(out, error, __func__, [&](SinewMeshBuffer& buffer) {
    const MeshBuffer from = required(skinner, "skinner").skinner.mesh_buffer({mesh});
    if (from.buffer == VK_NULL_HANDLE) refuse("the skinner has no mesh " + std::to_string(mesh));
    buffer.buffer = from.buffer, buffer.offset = from.offset, buffer.size_bytes = from.size_bytes;
    buffer.vertex_count = from.vertex_count, buffer.influence_quads = from.influence_quads;
    buffer.morph_blocks = from.morph_blocks, buffer.weights_row = from.weights_row;
  });
}

SinewResult sinew_skinner_counters(const SinewSkinner* skinner, SinewSkinnerCounters* out, SinewError* error) {
  return query(out, error, __func__, [&](SinewSkinnerCounters& counters) {
    const vulkan::SkinnerCounters from = required(skinner, "skinner").skinner.counters();
    counters.instances = from.instances, counters.dispatches = from.dispatches;
    counters.skinned_vertices = from.skinned_vertices;
    counters.palette_bytes = from.palette_bytes, counters.skinned_bytes = from.skinned_bytes;
    counters.uploaded_bytes = from.uploaded_bytes;
    counters.mesh_bytes = from.mesh_bytes, counters.job_bytes = from.job_bytes;
    counters.palette_copies = from.palette_copies, counters.palette_copy_bytes = from.palette_copy_bytes;
    counters.refused_records = from.refused_records;
  });
}

SinewResult sinew_skinner_memory_usage(const SinewSkinner* skinner, SinewMemoryUsage* out, SinewError* error) {
  return query(out, error, __func__, [&](SinewMemoryUsage& usage) {
    const MemoryUsage from = required(skinner, "skinner").skinner.memory_usage();
    usage.mesh_bytes = from.mesh_bytes, usage.palette_bytes = from.palette_bytes;
    usage.skinned_bytes = from.skinned_bytes, usage.staging_bytes = from.staging_bytes;
    usage.job_bytes = from.job_bytes, usage.deferred_bytes = from.deferred_bytes, usage.block_bytes = from.block_bytes;
    usage.palette_copy_bytes = from.palette_copy_bytes, usage.expanded_bytes = from.expanded_bytes;
  });
}

SinewResult sinew_vertex_input(uint32_t format, uint32_t tangents, uint32_t binding, uint32_t first_location,
                               SinewVertexInput* out, SinewError* error) {
  return query(out, error, __func__, [&](SinewVertexInput& input) {
    const VertexInput from = vertex_input(choice(format, kFormats, "format"), tangents != 0, binding, first_location);
    input.attribute_count = from.attribute_count;
    input.binding = from.binding;
    static_assert(std::size(decltype(input.attributes){}) == std::size(decltype(from.attributes){}));
    std::copy(from.attributes.begin(), from.attributes.end(), input.attributes);
  });
}

SinewResult sinew_write_draws(const SinewRange* range, const SinewPart* part, uint32_t first_instance,
                              VkDrawIndexedIndirectCommand* out, uint32_t count, SinewError* error) {
  return call(error, __func__, [&] {
    const SinewRange given = read(range, "range");
    const SinewPart given_part = read(part, "part");
    InstanceRange instances;
    instances.instance_count = given.instance_count, instances.vertex_count = given.vertex_count;
    MeshPart drawn;
    drawn.first_index = given_part.first_index, drawn.index_count = given_part.index_count;
    const auto commands = array(out, count, "out");
    check_room(count, given.instance_count, "instances");
    write_draws(instances, drawn, first_instance, commands);
  });
}
