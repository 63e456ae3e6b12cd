#include "md5_file.h"

#include "sampled.h"

namespace sinew::test {
namespace {

/// From y up to z up: a rotation by 90 degrees about x.
const Transform kStandUp{{}, {std::sqrt(0.5f), 0, 0, std::sqrt(0.5f)}, {1, 1, 1}};

/// Numbers, each followed by a space.
template <class... Numbers>
std::string row(Numbers... numbers) {
  std::string result;
  ((result += text(numbers), result += ' '), ...);
  return result;
}

template <class... Numbers>
std::string tuple(Numbers... numbers) {
  std::string result("( ");
  result += row(numbers...);
  return result += ")";
}

std::string in_quotes(const std::string& name) { return '"' + name + '"'; }

/// MD5 has only x, y and z of a rotation. Readers take w as negative.
std::string position_and_rotation(const Transform& transform) {
  const Vec3 p = transform.translation;
  const Quat q = transform.rotation.w > 0 ? -transform.rotation : transform.rotation;
  return tuple(p.x, p.y, p.z) + " " + tuple(q.x, q.y, q.z) + "\n";
}

/// A character's joints with the axes that they have in the MD5 file.
class Md5Joints {
 public:
  explicit Md5Joints(const Character& character) {
    for (const Matrix3x4d& joint : rest_joints(character)) {
      const Transform rest = to_transform(to_matrix(kStandUp) * joint);
      rest_.push_back({rest.translation, {}, {1, 1, 1}});
      file_from_joint_.push_back(to_matrix({{}, rest.rotation, {1, 1, 1}}));
    }
  }

  /// model_from_joint of every joint in the rest pose, with the file's axes.
  const std::vector<Transform>& rest() const { return rest_; }

  /// A point in joint space, with the file's axes.
  Vec3 in_file(int32_t joint, Vec3 point) const { return transform_point(file_from_joint_[size_t(joint)], point); }

 private:
  std::vector<Transform> rest_;
  std::vector<Matrix3x4d> file_from_joint_;  // rotations only
};

std::string joints_block(const Skeleton& skeleton, const Md5Joints& joints) {
  std::string text = "joints {\n";
  for (size_t j = 0; j < skeleton.joint_count(); ++j) {
    text += in_quotes(skeleton.joint_names[j]) + " " + std::to_string(skeleton.parents[j]) + " " +
            position_and_rotation(joints.rest()[j]);
  }
  return text + "}\n";
}

/// MD5 has no vertex positions: a vertex is the weighted sum of points in joint spaces.
std::string mesh_block(const Character& character, const Md5Joints& joints, const MeshPart& part) {
  const Mesh& mesh = character.mesh;
  std::string vertices, weights, triangles;
  size_t weight_count = 0;
  for (uint32_t i = 0; i < part.vertex_count; ++i) {
    const uint32_t v = part.first_vertex + i;
    const auto influences = mesh.influences_of(v);
    vertices += "vert " + std::to_string(i) + " " + tuple(mesh.uvs[v].x, mesh.uvs[v].y) + " " +
                std::to_string(weight_count) + " " + std::to_string(influences.size()) + "\n";
    for (const Influence influence : influences) {
      const PaletteEntry& entry = character.skin.entries[influence.entry];
      const Vec3 p = joints.in_file(entry.joint, transform_point(entry.joint_from_mesh, mesh.positions[v]));
      weights += "weight " + std::to_string(weight_count++) + " " + std::to_string(entry.joint) + " " +
                 text(influence.weight) + " " + tuple(p.x, p.y, p.z) + "\n";
    }
  }
  for (uint32_t i = 0; i < part.index_count / 3; ++i) {
    const uint32_t* corners = &mesh.indices[part.first_index + 3 * i];
    triangles += "tri " + std::to_string(i);
    for (const int corner : {0, 2, 1}) (triangles += " ") += std::to_string(corners[corner] - part.first_vertex);
    triangles += "\n";
  }
  return "mesh {\nshader \"plain\"\nnumverts " + std::to_string(part.vertex_count) + "\n" + vertices + "numtris " +
         std::to_string(part.index_count / 3) + "\n" + triangles + "numweights " + std::to_string(weight_count) + "\n" +
         weights + "}\n";
}

}  // namespace

std::string md5_mesh(const Character& character) {
  const Md5Joints joints(character);
  std::string text = "MD5Version 10\ncommandline \"\"\n\nnumJoints " +
                     std::to_string(character.skeleton.joint_count()) + "\nnumMeshes " +
                     std::to_string(character.mesh.parts.size()) + "\n\n" + joints_block(character.skeleton, joints);
  for (const MeshPart& part : character.mesh.parts) text += mesh_block(character, joints, part);
  return text;
}

}  // namespace sinew::test
