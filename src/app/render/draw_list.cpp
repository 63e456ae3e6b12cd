#include "render/draw_list.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include "scene/moving.h"
#include "shared/crowd.h"

namespace sinew::app {
namespace {

using shared::InstanceAttributes;

constexpr uint32_t kMeshesAtOnce = 512;  // posed meshes whose instances one thread writes

void cut(std::span<const PlacedRange> ranges, std::span<const crowd::PosedMesh> meshes,
         std::vector<DrawPiece>& pieces) {
  for (const PlacedRange& placed : ranges) {
    const uint32_t all = placed.range->instance_count;
    for (uint32_t first = 0; first < all; first += kMeshesAtOnce)
      pieces.push_back({&placed, first, std::min(kMeshesAtOnce, all - first), meshes});
  }
}

/// The tint of the instances of a batch where it shows data; none where each instance has its own.
std::optional<uint32_t> data_tint(Coloring coloring, const crowd::PosedBatch& batch) {
  if (coloring == Coloring::kLevel) return data_color(batch.level);
  if (coloring == Coloring::kUpdateGroup) return data_color(batch.group);
  return {};
}

static_assert(sizeof(InstanceAttributes) == 32);
static_assert(kStretchSteps == shared::kStretchSteps);

/// As InstanceAttributes::feet has them.
uint32_t pack_feet(Vec3 from_origin, int8_t stretch) {
  constexpr float kMost = float(1 << (shared::kFeetBits - 1)) - 1;
  const auto field = [=](float meters) {
    const float steps = std::clamp(std::round(meters * shared::kFeetSteps), -kMost, kMost);
    return uint32_t(int32_t(steps)) & ((1u << shared::kFeetBits) - 1);
  };
  return field(from_origin.x) | field(from_origin.z) << shared::kFeetBits | uint32_t(stretch) << 2 * shared::kFeetBits;
}

/// Of an instance of a model.
InstanceAttributes attributes_of(const Scene& scene, uint32_t model, uint32_t instance, uint32_t first_element) {
  const Scene::Look& look = scene.looks[instance];
  const Vec3 feet = scene.positions[instance];
  const int8_t stretch = scene.stretch_of(instance);
  InstanceAttributes attributes{
      {feet.x, feet.y, feet.z}, {look.turn.cosine, look.turn.sine}, look.tint, first_element, pack_feet({}, stretch)};
  if (scene.models[model].walked == nullptr) return attributes;
  const Vec3 origin = origin_of(scene, model, instance);
  attributes.origin[0] = origin.x, attributes.origin[1] = origin.y, attributes.origin[2] = origin.z;
  attributes.feet = pack_feet(feet - origin, stretch);
  return attributes;
}

/// Where the posed meshes of a range begin, in elements: palette entries in their page where the vertex shader skins,
/// else vertices in the range.
uint32_t first_element_of(const DrawSource& source, const InstanceRange& range, uint32_t in_range) {
  if (!source.skinning.properties().vertex_shader_skins) return in_range * range.vertex_count;
  return uint32_t(range.palette_offset / sizeof(Matrix3x4)) + in_range * range.palette_stride;
}

/// Calls `use(place, instance, in_range)` for each instance that is drawn with a posed mesh of the piece: its place in
/// Skinning::instances(), its index in the scene, and its posed mesh in the range.
template <class Use>
void for_each_drawn(const DrawSource& source, const DrawPiece& piece, Use use) {
  const std::span<const uint32_t> instances = source.skinning.instances();
  for (uint32_t m = piece.first; m < piece.first + piece.count; ++m) {
    const crowd::PosedMesh& mesh = piece.posed_meshes[piece.placed->first_mesh + m];
    for (uint32_t place = mesh.first_instance; place < mesh.first_instance + mesh.instance_count; ++place)
      use(place, instances[place], m);
  }
}

/// Writes in order and never reads: mapped memory may be slow to read.
void write_instances(const DrawSource& source, const DrawPiece& piece, InstanceAttributes* mapped) {
  const crowd::PosedBatch& batch = source.skinning.plan().batches[piece.placed->batch];
  const auto tint = data_tint(source.coloring, batch);
  for_each_drawn(source, piece, [&](uint32_t place, uint32_t instance, uint32_t in_range) {
    const uint32_t first = first_element_of(source, *piece.placed->range, in_range);
    InstanceAttributes attributes = attributes_of(source.scene, batch.character, instance, first);
    if (tint) attributes.tint = *tint;
    mapped[place] = attributes;
  });
}

/// What is worn has no previous vertices here: it seems to move as its instance does.
void write_previous(const DrawSource& source, const DrawPiece& piece, PreviousAttributes* mapped) {
  const crowd::Plan& plan = source.skinning.plan();
  const uint32_t model = plan.batches[piece.placed->batch].character;
  for_each_drawn(source, piece, [&](uint32_t place, uint32_t instance, uint32_t) {
    const crowd::PreviousPose pose =
        place < plan.previous_poses.size() ? plan.previous_poses[place] : crowd::PreviousPose();
    mapped[place] = {source.previous->address_of(pose), moved_by(source.scene, model, instance)};
  });
}

Status fit(const Device& device, const DrawSource& source, DrawList& list) {
  const VkDeviceSize instance_bytes = list.instance_count * sizeof(InstanceAttributes);
  const BufferSpec instances{instance_bytes, VK_WHOLE_SIZE, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "sinew.instances"};
  if (Status fits = fit_upload_buffer(device, instances, list.instances); !fits) return fits;
  if (source.previous) {
    const BufferSpec previous{list.instance_count * sizeof(PreviousAttributes), VK_WHOLE_SIZE,
                              VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "sinew.previous_vertices"};
    if (Status fits = fit_upload_buffer(device, previous, list.previous); !fits) return fits;
  }
  const BufferSpec commands{list.command_count * sizeof(crowd::DrawCommand), VK_WHOLE_SIZE,
                            VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, "sinew.draw_commands"};
  return fit_upload_buffer(device, commands, list.commands);
}

}  // namespace

Status write_draw_list(const Device& device, const DrawSource& source, DrawList& list) {
  const std::span<const crowd::DrawCommand> commands = source.skinning.commands();
  list.character_count = uint32_t(source.skinning.plan().instances.size());
  list.instance_count = uint32_t(source.skinning.instances().size());
  list.command_count = uint32_t(commands.size());
  if (Status fits = fit(device, source, list); !fits) return fits;
  const std::vector<DrawPiece>& pieces = list.pieces;
  list.pieces.clear();
  cut(source.skinning.ranges(), source.skinning.plan().posed_meshes, list.pieces);
  cut(source.skinning.worn_ranges(), source.skinning.worn_meshes(), list.pieces);
  for_each_index(source.parallel_for, uint32_t(pieces.size()), [&](uint32_t p) {
    write_instances(source, pieces[p], static_cast<InstanceAttributes*>(list.instances.mapped));
    if (source.previous) write_previous(source, pieces[p], static_cast<PreviousAttributes*>(list.previous.mapped));
  });
  std::memcpy(list.commands.mapped, commands.data(), commands.size_bytes());
  return {};
}

}  // namespace sinew::app
