#include "conversion.h"

#include <algorithm>
#include <cmath>

#include "clips.h"
#include "failure.h"
#include "joints.h"
#include "materials.h"
#include "morph_targets.h"
#include "scene.h"
#include "skin_spaces.h"
#include "surface.h"

namespace sinew::internal {
namespace {

constexpr size_t kMaxVertices = size_t(1) << 26;
constexpr size_t kMaxCopies = size_t(1) << 23;  // of vertices, of meshes that several nodes draw
constexpr uint32_t kMaxNodeDepth = 10000;  // more than any rig needs; limits the time of walks from joints to the root

void check_depth(const Scene& scene) {
  std::vector<uint32_t> depths;
  for (const SceneNode& node : scene.nodes) {
    depths.push_back(node.parent < 0 ? 1 : depths[size_t(node.parent)] + 1);
    if (depths.back() > kMaxNodeDepth) {
      fail("its nodes are more than " + std::to_string(kMaxNodeDepth) + " deep", ErrorCode::kUnsupported);
    }
  }
}

struct Amounts {
  uint64_t vertices = 0, triangles = 0, influences = 0, differences = 0;  // differences: of morph targets

  void add(const SceneMesh& mesh) {
    vertices += mesh.positions.size(), triangles += mesh.indices.size() / 3, influences += mesh.influences.size();
    for (const MorphTarget& target : mesh.targets) differences += target.vertices.size();
  }
};

/// Several nodes may draw one mesh: what they draw is limited, so that a small file cannot become a large character.
void check_amounts(const Scene& scene) {
  Amounts own, drawn;
  for (const SceneMesh& mesh : scene.meshes) own.add(mesh);
  for (const SceneMeshUse& use : scene.uses) drawn.add(scene.meshes[use.mesh]);
  const auto check = [](uint64_t count, uint64_t limit, const char* what) {
    if (count > limit) fail("it has more than " + std::to_string(limit) + what, ErrorCode::kUnsupported);
  };
  check(drawn.vertices, std::min<uint64_t>(kMaxVertices, own.vertices + kMaxCopies), " vertices");
  check(drawn.triangles, std::min<uint64_t>(kMaxVertices, own.triangles + kMaxCopies), " triangles");
  check(drawn.influences, own.influences + 4 * kMaxCopies, " influences");
  check(drawn.differences, own.differences + kMaxCopies, " differences of morph targets");
}

/// Appends unit normals: the file's, or computed ones where the file has none, or a normal of length 0 or not finite.
void append_normals(const SceneMesh& source, Mesh& mesh, ImportReport& report) {
  std::vector<Vec3> computed;
  for (size_t v = 0; v < source.positions.size(); ++v) {
    const Vec3 own = source.normals.empty() ? Vec3{} : source.normals[v];
    if (is_finite(own) && length(own) > 0) {
      mesh.normals.push_back(normalize(own));
      continue;
    }
    if (computed.empty()) computed = compute_normals(source.positions, source.indices);
    mesh.normals.push_back(computed[v]);
    ++report.computed_normals;
  }
}

/// Appends unit tangents of the next part: the file's, or computed ones where the file has none or an invalid one.
void append_tangents(const SceneMesh& source, const MeshPart& part, const Material& material, Mesh& mesh,
                     ImportReport& report) {
  std::vector<Vec4> computed;
  for (size_t v = 0; v < source.positions.size(); ++v) {
    const Vec4 own = source.tangents.empty() ? Vec4{} : source.tangents[v];
    const Vec3 unit = normalize(Vec3{own.x, own.y, own.z}, {});
    if (std::abs(length(unit) - 1) < 1e-4f && std::abs(own.w) == 1) {
      mesh.tangents.push_back({unit.x, unit.y, unit.z, own.w});
      continue;
    }
    if (computed.empty()) computed = tangents_of_part(mesh, part, material);
    mesh.tangents.push_back(computed[v]);
    ++report.computed_tangents;
  }
}

/// Texture coordinates that are not finite become 0, with a line.
void repair_uvs(std::vector<Vec2>& uvs, size_t first, const std::string& part, ImportReport& report) {
  uint32_t repaired = 0;
  for (size_t v = first; v < uvs.size(); ++v) {
    if (std::isfinite(uvs[v].x) && std::isfinite(uvs[v].y)) continue;
    uvs[v] = {};
    ++repaired;
  }
  if (repaired == 0) return;
  report.warnings.push_back("mesh '" + part + "': texture coordinates of " + std::to_string(repaired) +
                            (repaired == 1 ? " vertex" : " vertices") + " are not finite, 0 instead");
}

PartKind kind_of(const SceneMeshUse& use, const Joints& joints) {
  if (use.skin >= 0) return PartKind::kSkinned;
  return joints.joint_of[use.node] == kNoJoint ? PartKind::kStatic : PartKind::kRigid;
}

/// True if the rest pose mirrors the mesh, so that its winding must be reversed. glTF 2.0 specification, 3.7.2.1.
bool is_mirrored(const Scene& scene, const SceneMeshUse& use, const Joints& joints) {
  double sign = determinant(joints.model_from_node[use.node]);
  if (use.skin >= 0 && !scene.skins[size_t(use.skin)].nodes.empty()) {
    const SceneSkin& skin = scene.skins[size_t(use.skin)];
    sign = determinant(joints.model_from_node[skin.nodes[0]]) * determinant(skin.joint_from_mesh[0]);
  }
  return sign < 0;
}

/// Appends a part to the mesh: everything except its influences and tangents.
void append_part(const Scene& scene, const SceneMeshUse& use, const Joints& joints, Mesh& mesh, ImportReport& report) {
  const SceneMesh& source = scene.meshes[use.mesh];
  MeshPart part;
  part.name = source.name.empty() ? scene.nodes[use.node].name : source.name;
  part.kind = kind_of(use, joints);
  part.material = uint32_t(source.material);
  part.first_vertex = mesh.vertex_count();
  part.vertex_count = uint32_t(source.positions.size());
  part.first_index = uint32_t(mesh.indices.size());
  part.index_count = uint32_t(source.indices.size());
  append_normals(source, mesh, report);
  if (source.has_tangents) report.file_tangents += part.vertex_count;
  mesh.positions.insert(mesh.positions.end(), source.positions.begin(), source.positions.end());
  mesh.uvs.insert(mesh.uvs.end(), source.uvs.begin(), source.uvs.end());
  mesh.uvs.resize(mesh.positions.size());
  repair_uvs(mesh.uvs, part.first_vertex, part.name, report);
  append_padded(source.second_uvs, mesh.positions.size(), mesh.second_uvs);
  if (!mesh.second_uvs.empty()) repair_uvs(mesh.second_uvs, part.first_vertex, part.name, report);
  append_padded(source.colors, mesh.positions.size(), mesh.colors);
  for (const uint32_t index : source.indices) mesh.indices.push_back(part.first_vertex + index);
  if (is_mirrored(scene, use, joints)) {
    for (size_t i = part.first_index; i < mesh.indices.size(); i += 3)
      std::swap(mesh.indices[i + 1], mesh.indices[i + 2]);
  }
  mesh.parts.push_back(part);
}

/// Gives meshes without a material a plain material, and the scene at least one material.
void complete_materials(Scene& scene) {
  const int32_t plain = int32_t(scene.materials.size());
  bool needed = scene.materials.empty();
  for (SceneMesh& mesh : scene.meshes) {
    if (mesh.material >= 0) continue;
    mesh.material = plain;
    needed = true;
  }
  if (needed) scene.materials.push_back({.name = "plain"});
}

/// Orders parts by alpha mode: a host that draws parts in their order draws those that blend last.
void order_by_alpha(Scene& scene) {
  const auto mode_of = [&](const SceneMeshUse& use) {
    return scene.materials[size_t(scene.meshes[use.mesh].material)].alpha_mode;
  };
  std::stable_sort(scene.uses.begin(), scene.uses.end(),
                   [&](const SceneMeshUse& a, const SceneMeshUse& b) { return mode_of(a) < mode_of(b); });
}

/// Leaves out a drawing of joints where the file may have no mesh. Its bind pose is a frame of the motion: with it, the
/// rest pose would be taken for that of a model.
void drop_drawing(Scene& scene, const ImportOptions& options) {
  if (!scene.draws_first_frame || !options.allow_no_mesh || scene.clips.empty()) return;
  scene.uses.clear(), scene.meshes.clear(), scene.skins.clear(), scene.materials.clear();
}

void check_mesh(const Scene& scene, const ImportOptions& options) {
  if (!scene.uses.empty()) return;
  if (scene.clips.empty()) fail("it has no mesh and no clip");
  const size_t count = scene.clips.size();
  const std::string clips = count == 1 ? "its clip" : "its " + std::to_string(count) + " clips";
  if (!options.allow_no_mesh) fail("it has no mesh; " + clips + " can move another file's mesh (--animation)");
}

}  // namespace

Character convert(Scene&& scene, const ImportOptions& options, ImportReport& report) {
  drop_drawing(scene, options);
  check_mesh(scene, options);
  check_depth(scene);
  check_amounts(scene);
  warn_of_bad_weights(scene, report);
  complete_materials(scene);
  repair_materials(scene, report.warnings);
  simplify_alpha(scene);
  drop_unused_images(scene);
  order_by_alpha(scene);
  report.merged_entries = unify_skin_spaces(scene);
  Joints joints = choose_joints(scene, report.warnings);

  Character character;
  character.space = scene.space;
  repair_space(character.space, report.warnings);
  add_motion_report(scene, "", report);
  character.mesh.blend = scene.blend;
  character.mesh.first_influence.push_back(0);
  PaletteBuilder palette;
  TargetBuilder targets;
  for (const SceneMeshUse& use : scene.uses) {
    append_part(scene, use, joints, character.mesh, report);
    const uint32_t first_vertex = character.mesh.parts.back().first_vertex;
    const std::vector<Vec3> normals(character.mesh.normals.begin() + first_vertex, character.mesh.normals.end());
    targets.append(use, scene.meshes[use.mesh], first_vertex, normals, character.mesh);
    append_influences(scene, use, joints, options.max_influences, palette, character.mesh, report);
  }
  drop_unused_sets(character.mesh, scene.materials);
  if (has_tangents(options, character.mesh.parts, scene.materials)) {
    for (size_t i = 0; i < scene.uses.size(); ++i) {
      const MeshPart& part = character.mesh.parts[i];
      append_tangents(scene.meshes[scene.uses[i].mesh], part, scene.materials[part.material], character.mesh, report);
    }
  }
  drop_white(character.mesh.colors);
  character.skin = palette.finish(character.mesh.influences);
  character.clips = convert_clips(scene, joints, targets, report);
  character.skeleton = std::move(joints.skeleton);
  character.materials = std::move(scene.materials);
  character.images = std::move(scene.images);
  count(character, report);
  return character;
}

void count(const Character& character, ImportReport& report) {
  report.joints = character.skeleton.joint_count();
  report.palette_entries = character.skin.palette_size();
  report.clips = uint32_t(character.clips.size());
  report.meshes = uint32_t(character.mesh.parts.size());
  report.materials = uint32_t(character.materials.size());
  report.images = uint32_t(character.images.size());
  report.vertices = character.mesh.vertex_count();
  report.triangles = uint32_t(character.mesh.indices.size() / 3);
  report.max_influences = max_influences(character.mesh);
  report.morph_targets = character.mesh.target_count();
  uint32_t* by_kind[] = {&report.static_vertices, &report.rigid_vertices, &report.skinned_vertices};
  for (uint32_t* vertices : by_kind) *vertices = 0;
  for (const MeshPart& part : character.mesh.parts) *by_kind[size_t(part.kind)] += part.vertex_count;
}

}  // namespace sinew::internal
