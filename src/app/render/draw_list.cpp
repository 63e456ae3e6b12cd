#include "render/draw_list.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "scene/moving.h"
#include "shared/crowd.h"

namespace sinew::app {
namespace {

using shared::InstanceAttributes;

constexpr uint32_t kMeshesAtOnce = 512;  // posed meshes whose instances one thread writes

void cut(const crowd::Plan& plan, std::vector<DrawPiece>& pieces) {
  pieces.clear();
  for (uint32_t b = 0; b < plan.batches.size(); ++b) {
    const uint32_t end = plan.batches[b].first_mesh + plan.batches[b].mesh_count;
    for (uint32_t first = plan.batches[b].first_mesh; first < end; first += kMeshesAtOnce)
      pieces.push_back({b, first, std::min(kMeshesAtOnce, end - first)});
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

/// Calls `use(place, instance)` for each instance that is drawn with a posed mesh of the piece: its place in
/// Skinning::instances(), and its index in the scene.
template <class Use>
void for_each_drawn(const crowd::Plan& plan, const DrawPiece& piece, Use use) {
  for (const crowd::PosedMesh& mesh : std::span(plan.posed_meshes).subspan(piece.first, piece.count)) {
    for (uint32_t place = mesh.first_instance; place < mesh.first_instance + mesh.instance_count; ++place)
      use(place, plan.instances[place]);
  }
}

/// Writes in order and never reads: mapped memory may be slow to read.
void write_instances(const DrawSource& source, const DrawPiece& piece, const DrawList& list) {
  const crowd::Plan& plan = source.skinning.plan();
  const crowd::PosedBatch& batch = plan.batches[piece.batch];
  const auto tint = data_tint(source.coloring, batch);
  auto* const mapped = static_cast<InstanceAttributes*>(list.instances.mapped);
  for_each_drawn(plan, piece, [&](uint32_t place, uint32_t instance) {
    const uint32_t first = list.first_elements[place];
    InstanceAttributes attributes = attributes_of(source.scene, batch.model, instance, first);
    if (tint) attributes.tint = *tint;
    mapped[place] = attributes;
  });
}

/// Addresses in buffers; most often one is asked for the same buffer as the one before.
class Addresses {
 public:
  explicit Addresses(const Device& device) : device_(device) {}
  VkDeviceAddress of(const vulkan::VertexSlice& slice) {
    if (slice.buffer == VK_NULL_HANDLE) return 0;
    if (slice.buffer != buffer_) {
      VkBufferDeviceAddressInfo info{};
      info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
      info.buffer = buffer_ = slice.buffer;
      begin_ = vkGetBufferDeviceAddress(device_.handle, &info);
    }
    return begin_ + slice.offset;
  }

 private:
  const Device& device_;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceAddress begin_ = 0;
};

void write_previous(const Device& device, const DrawSource& source, const DrawPiece& piece, const DrawList& list) {
  const crowd::Plan& plan = source.skinning.plan();
  const uint32_t model = plan.batches[piece.batch].model;
  auto* const mapped = static_cast<PreviousAttributes*>(list.previous.mapped);
  Addresses addresses(device);
  for_each_drawn(plan, piece, [&](uint32_t place, uint32_t instance) {
    mapped[place] = {addresses.of(list.previous_vertices[place]), moved_by(source.scene, model, instance)};
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
  list.character_count = source.skinning.plan().counters.visible;
  list.instance_count = uint32_t(source.skinning.instances().size());
  list.command_count = uint32_t(commands.size());
  if (Status fits = fit(device, source, list); !fits) return fits;
  list.first_elements.resize(list.instance_count);
  source.skinning.write_first_elements(list.first_elements);
  if (source.previous) {
    list.previous_vertices.resize(list.instance_count);
    Status written = source.skinning.crowd().write_previous_vertices(list.previous_vertices);
    if (!written) return written;
  }
  cut(source.skinning.plan(), list.pieces);
  for_each_index(source.parallel_for, uint32_t(list.pieces.size()), [&](uint32_t p) {
    write_instances(source, list.pieces[p], list);
    if (source.previous) write_previous(device, source, list.pieces[p], list);
  });
  std::memcpy(list.commands.mapped, commands.data(), commands.size_bytes());
  return {};
}

}  // namespace sinew::app
