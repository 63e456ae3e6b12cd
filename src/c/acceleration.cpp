// Acceleration structures over skinned vertices, and the posed meshes of a crowd.
#include "sinew/c/acceleration.h"

#include "layout.h"
#include "sinew/vulkan/acceleration.h"
#include "skinner_info.h"

namespace sinew::c {

using namespace vulkan;

SINEW_SAME_LAYOUT(SinewPosedVertices, PosedVertices, mesh, vertex_count, vertex_bytes, address, skinned_frame);

namespace {

constexpr AlphaMode kTriangleModes[] = {AlphaMode::kOpaque, AlphaMode::kMask, AlphaMode::kBlend};
constexpr StructureStep kSteps[] = {StructureStep::kKeep, StructureStep::kRefit, StructureStep::kBuild};

PosedVertices posed_in_cpp(const SinewPosedVertices* given, const char* name) {
  return *as_cpp(&required(given, name));
}

void put_vertices(const PosedVertices& posed, SinewPosedVertices& out) {
  if (posed.vertex_count == 0) refuse("buffer has no such vertices: no such instance, or no address");
  out = *seen_as<SinewPosedVertices>(&posed);
}

StructureState state_in_cpp(const SinewStructureState* given) {
  const SinewStructureState& state = required(given, "state");
  return {*as_cpp(&state.holds), state.written_frame, state.refits, state.is_built != 0};
}

void put_state(const StructureState& from, SinewStructureState& to) {
  to.holds = *seen_as<SinewPosedVertices>(&from.holds);
  to.written_frame = from.written_frame, to.refits = from.refits, to.is_built = from.is_built ? 1 : 0;
}

PlacedMesh placed_mesh(const SkinnedCrowd& crowd, uint32_t index) {
  const std::optional<PlacedMesh> placed = crowd.posed_mesh(index);
  if (!placed) refuse("index " + std::to_string(index) + ": the frame has no such posed mesh");
  return *placed;
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;
using namespace sinew::vulkan;

SinewResult sinew_posed_vertices(const SinewRange* range, uint32_t instance, VkDeviceAddress buffer,
                                 SinewPosedVertices* out, SinewError* error) {
  return call(error, __func__, [&] {
    const SinewRange given = read(range, "range");
    InstanceRange of;
    of.mesh = {given.mesh}, of.skinned_frame = given.skinned_frame, of.instance_count = given.instance_count;
    of.vertex_count = given.vertex_count, of.vertex_bytes = given.vertex_bytes;
    of.vertices = given.vertices, of.vertices_offset = given.vertices_offset;
    put_vertices(posed_vertices(of, instance, buffer), required(out, "out"));
  });
}

SinewResult sinew_structure_geometry(const SinewPosedVertices* posed, uint32_t format,
                                     const SinewStructureTriangles* triangles, SinewStructureGeometry* out,
                                     SinewError* error) {
  return query(out, error, __func__, [&](SinewStructureGeometry& geometry) {
    const PosedVertices vertices = posed_in_cpp(posed, "posed");
    const SinewStructureTriangles given = read(triangles, "triangles");
    const StructureTriangles of{given.indices, given.first_index, given.index_count,
                                choice(given.alpha_mode, kTriangleModes, "triangles->alpha_mode")};
    const StructureGeometry made = take(make_geometry(vertices, choice(format, kFormats, "format"), of));
    geometry.geometry = made.geometry, geometry.triangles = made.triangles;
  });
}

SinewResult sinew_structure_next_step(const SinewStructureState* state, const SinewPosedVertices* posed,
                                      uint32_t max_refits, uint32_t* out, SinewError* error) {
  return call(error, __func__, [&] {
    const StructureState of = state_in_cpp(state);
    required(out, "out") = uint32_t(next_step(of, posed_in_cpp(posed, "posed"), max_refits));
  });
}

SinewResult sinew_structure_note_step(SinewStructureState* state, const SinewPosedVertices* posed, uint32_t step,
                                      uint64_t frame, SinewError* error) {
  return call(error, __func__, [&] {
    StructureState noted = state_in_cpp(state);
    note_step(noted, posed_in_cpp(posed, "posed"), choice(step, kSteps, "step"), frame);
    put_state(noted, *state);
  });
}

SinewResult sinew_structure_discard_step(SinewStructureState* state, uint64_t frame, SinewError* error) {
  return call(error, __func__, [&] {
    StructureState of = state_in_cpp(state);
    discard_step(of, frame);
    put_state(of, *state);
  });
}

SinewResult sinew_structure_check(const SinewStructureState* state, const SinewPosedVertices* posed,
                                  SinewError* error) {
  return call(error, __func__, [&] { check(check_structure(state_in_cpp(state), posed_in_cpp(posed, "posed"))); });
}

SinewResult sinew_skinned_crowd_posed_mesh_count(const SinewSkinnedCrowd* crowd, uint32_t* out, SinewError* error) {
  return call(error, __func__,
              [&] { required(out, "out") = uint32_t(required(crowd, "crowd").crowd.plan().posed_meshes.size()); });
}

SinewResult sinew_skinned_crowd_posed_mesh(const SinewSkinnedCrowd* crowd, uint32_t index, SinewPlacedMesh* out,
                                           SinewError* error) {
  return query(out, error, __func__, [&](SinewPlacedMesh& mesh) {
    const PlacedMesh placed = placed_mesh(required(crowd, "crowd").crowd, index);
    mesh.group = placed.group, mesh.model = placed.model, mesh.level = placed.level,
    mesh.instance_count = placed.instance_count;
    mesh.buffer = placed.range->vertices, mesh.wearable = placed.wearable;
  });
}

SinewResult sinew_skinned_crowd_posed_mesh_of(const SinewSkinnedCrowd* crowd, uint32_t instance, uint32_t* out,
                                              SinewError* error) {
  return call(error, __func__, [&] {
    required(out, "out") = required(crowd, "crowd").crowd.posed_mesh_of(instance).value_or(crowd::kNoPosedMesh);
  });
}

SinewResult sinew_skinned_crowd_posed_vertices(const SinewSkinnedCrowd* crowd, uint32_t index, VkDeviceAddress buffer,
                                               SinewPosedVertices* out, SinewError* error) {
  return call(error, __func__, [&] {
    const PlacedMesh placed = placed_mesh(required(crowd, "crowd").crowd, index);
    put_vertices(posed_vertices(*placed.range, placed.index, buffer), required(out, "out"));
  });
}
