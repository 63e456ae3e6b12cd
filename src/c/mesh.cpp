// Meshes of the host, and the CPU skinner.

#include "character.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/asset/skinned_vertex.h"

namespace sinew::c {
namespace {

constexpr Blend kBlends[] = {Blend::kLinear, Blend::kDualQuaternion};

template <class Value>
std::vector<Value> vectors(const float* data, size_t count, const char* name) {
  static_assert(sizeof(Value) % sizeof(float) == 0);
  constexpr size_t kFloats = sizeof(Value) / sizeof(float);
  const std::span<const float> floats = array(data, count * kFloats, name);
  std::vector<Value> values(count);
  if (count > 0) std::memcpy(static_cast<void*>(values.data()), floats.data(), floats.size_bytes());
  return values;
}

template <class T>
std::vector<T> copied(std::span<const T> values) {
  return {values.begin(), values.end()};
}

MorphTarget read_target(const SinewMorphTarget& given) {
  const size_t count = given.vertex_count;
  MorphTarget target;
  if (given.name != nullptr) target.name = given.name;
  target.rest_weight = given.rest_weight;
  target.vertices = copied(array(given.vertices, count, "mesh->targets->vertices"));
  target.positions = vectors<Vec3>(given.positions, count, "mesh->targets->positions");
  if (given.normals != nullptr) target.normals = vectors<Vec3>(given.normals, count, "mesh->targets->normals");
  if (given.tangents != nullptr) target.tangents = vectors<Vec3>(given.tangents, count, "mesh->targets->tangents");
  return target;
}

}  // namespace

Mesh read_mesh(const SinewMesh* given, uint32_t palette_size) {
  const SinewMesh known = read(given, "mesh");
  const size_t count = known.vertex_count;
  Mesh mesh;
  mesh.positions = vectors<Vec3>(known.positions, count, "mesh->positions");
  mesh.normals = vectors<Vec3>(known.normals, count, "mesh->normals");
  if (known.tangents != nullptr) mesh.tangents = vectors<Vec4>(known.tangents, count, "mesh->tangents");
  mesh.uvs.resize(count);
  if (known.uvs != nullptr) mesh.uvs = vectors<Vec2>(known.uvs, count, "mesh->uvs");
  if (known.second_uvs != nullptr) mesh.second_uvs = vectors<Vec2>(known.second_uvs, count, "mesh->second_uvs");
  mesh.indices = copied(array(known.indices, known.index_count, "mesh->indices"));
  mesh.first_influence = copied(array(known.first_influence, count + 1, "mesh->first_influence"));
  mesh.influences = copied(array_as(known.influences, known.influence_count, "mesh->influences"));
  for (const SinewMorphTarget& target : array(known.targets, known.target_count, "mesh->targets"))
    mesh.targets.push_back(read_target(target));
  mesh.parts.push_back({"mesh", PartKind::kSkinned, 0, 0, known.vertex_count, 0, known.index_count});
  mesh.blend = choice(known.blend, kBlends, "mesh->blend");
  check(validate(mesh, palette_size));
  return mesh;
}

}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

SinewResult sinew_skin_on_cpu(const SinewMesh* mesh, const SinewMatrix3x4* palette, uint32_t palette_size,
                              const float* weights, float* positions, float* normals, SinewError* error) {
  return call(error, __func__, [&] {
    const Mesh read = read_mesh(mesh, palette_size);
    const auto matrices = array_as(palette, palette_size, "palette");
    const std::span<float> out = array(positions, size_t{read.vertex_count()} * 3, "positions");
    std::vector<Vec3> skinned(read.vertex_count()), skinned_normals(read.vertex_count());
    const size_t weight_count = weights == nullptr ? 0 : read.targets.size();
    skin_on_cpu(read, matrices, skinned, skinned_normals, {}, array(weights, weight_count, "weights"));
    if (!out.empty()) std::memcpy(out.data(), skinned.data(), out.size_bytes());
    if (normals != nullptr && !out.empty()) std::memcpy(normals, skinned_normals.data(), out.size_bytes());
  });
}

void sinew_decode_normal(uint32_t encoded, float normal[3]) {
  if (normal == nullptr) return;
  const Vec3 decoded = decode_normal(encoded);
  normal[0] = decoded.x, normal[1] = decoded.y, normal[2] = decoded.z;
}
