#include "x_file.h"

#include "sampled.h"

namespace sinew::test {
namespace {

constexpr int kXTicksPerSecond = 4800;

/// A matrix for left-handed spaces and row vectors: z is mirrored on both sides, and the matrix is transposed.
std::string matrix_text(const Matrix3x4d& m) {
  std::string text;
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 4; ++row) {
      const double value = row == 3 ? (column == 3) : m.m[row][column];
      const bool mirrored = (row == 2) != (column == 2);
      text += sinew::test::text(float(mirrored ? -value : value)) + (row == 3 && column == 3 ? "" : ",");
    }
  }
  return text;
}

std::string vector_text(Vec3 v, const char* between) { return text(v.x) + between + text(v.y) + between + text(v.z); }
Vec3 mirrored(Vec3 v) { return {v.x, v.y, -v.z}; }

/// An array in .x syntax: commas between the elements, and a semicolon at the end.
template <class Element>
std::string array(size_t count, Element element) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += element(i) + (i + 1 < count ? ",\n" : ";\n");
  return text;
}

std::string triangles_text(const Mesh& mesh, const MeshPart& part) {
  const size_t count = part.index_count / 3;
  return std::to_string(count) + ";\n" + array(count, [&](size_t i) {
           const uint32_t* corners = &mesh.indices[part.first_index + 3 * i];
           std::string text = "3;";  // winding reversed, because z is mirrored
           for (const int corner : {0, 2, 1}) {
             text += std::to_string(corners[corner] - part.first_vertex) + (corner == 1 ? ";" : ",");
           }
           return text;
         });
}

std::string skin_weights(const Character& character, const MeshPart& part, uint32_t entry) {
  std::vector<uint32_t> vertices;
  std::vector<float> weights;
  for (uint32_t i = 0; i < part.vertex_count; ++i) {
    for (const Influence influence : character.mesh.influences_of(part.first_vertex + i)) {
      if (influence.entry != entry) continue;
      vertices.push_back(i);
      weights.push_back(influence.weight);
    }
  }
  if (vertices.empty()) return {};
  const PaletteEntry& skin_joint = character.skin.entries[entry];
  return "SkinWeights {\n\"" + character.skeleton.joint_names[size_t(skin_joint.joint)] + "\";\n" +
         std::to_string(vertices.size()) + ";\n" +
         array(vertices.size(), [&](size_t i) { return std::to_string(vertices[i]); }) +
         array(weights.size(), [&](size_t i) { return text(weights[i]); }) + matrix_text(skin_joint.joint_from_mesh) +
         ";;\n}\n";
}

std::string mesh_text(const Character& character, const MeshPart& part) {
  const Mesh& mesh = character.mesh;
  const auto vectors = [&](const std::vector<Vec3>& values) {
    return std::to_string(part.vertex_count) + ";\n" + array(part.vertex_count, [&](size_t i) {
             return vector_text(mirrored(values[part.first_vertex + i]), ";") + ";";
           });
  };
  const std::string triangles = triangles_text(mesh, part);
  std::string text = "Mesh " + part.name + " {\n" + vectors(mesh.positions) + triangles;
  text += "MeshNormals {\n" + vectors(mesh.normals) + triangles + "}\n";
  text += "MeshTextureCoords {\n" + std::to_string(part.vertex_count) + ";\n" +
          array(part.vertex_count,
                [&](size_t i) {
                  const Vec2 uv = mesh.uvs[part.first_vertex + i];
                  return sinew::test::text(uv.x) + ";" + sinew::test::text(uv.y) + ";";
                }) +
          "}\n";
  for (uint32_t entry = 0; entry < character.skin.palette_size(); ++entry) {
    text += skin_weights(character, part, entry);
  }
  return text + "}\n";
}

std::string frame_start(const std::string& name, const Matrix3x4d& parent_from_frame) {
  return "Frame " + name + " {\nFrameTransformMatrix {\n" + matrix_text(parent_from_frame) + ";;\n}\n";
}

std::string joints_text(const Skeleton& skeleton) {
  std::string text;
  std::vector<int32_t> open;  // joints whose frame is not closed yet
  for (size_t j = 0; j < skeleton.joint_count(); ++j) {
    for (; !open.empty() && open.back() != skeleton.parents[j]; open.pop_back()) text += "}\n";
    text += frame_start(skeleton.joint_names[j], to_matrix(skeleton.rest_pose[j]));
    open.push_back(int32_t(j));
  }
  for (size_t i = 0; i < open.size(); ++i) text += "}\n";
  return text;
}

enum KeyType { kRotation = 0, kScale = 1, kPosition = 2 };

template <class Value>
std::string keys_text(KeyType type, const std::vector<std::vector<Transform>>& frames, int width, Value value) {
  return "AnimationKey {\n" + std::to_string(int(type)) + ";\n" + std::to_string(frames.size()) + ";\n" +
         array(frames.size(),
               [&](size_t f) {
                 return std::to_string(f * (kXTicksPerSecond / kFramesPerSecond)) + ";" + std::to_string(width) + ";" +
                        value(frames[f]) + ";;";
               }) +
         "}\n";
}

std::string joint_keys(const std::vector<std::vector<Transform>>& frames, size_t joint) {
  using Frame = std::vector<Transform>;
  return keys_text(kRotation, frames, 4,
                   [&](const Frame& f) {
                     const Quat q = f[joint].rotation;
                     // z mirrored, then conjugated for row vectors
                     return text(q.w) + "," + vector_text({q.x, q.y, -q.z}, ",");
                   }) +
         keys_text(kScale, frames, 3, [&](const Frame& f) { return vector_text(f[joint].scale, ","); }) +
         keys_text(kPosition, frames, 3,
                   [&](const Frame& f) { return vector_text(mirrored(f[joint].translation), ","); });
}

std::string clip_text(const Character& character, const Clip& clip) {
  const auto frames = sample_frames(character, clip);
  std::string text = "AnimationSet " + clip.name + " {\n";
  for (size_t j = 0; j < character.skeleton.joint_count(); ++j) {
    text += "Animation {\n{ " + character.skeleton.joint_names[j] + " }\n" + joint_keys(frames, j) + "}\n";
  }
  return text + "}\n";
}

}  // namespace

std::string x_file(const Character& character) {
  std::string text = "xof 0303txt 0032\nAnimTicksPerSecond { " + std::to_string(kXTicksPerSecond) + "; }\n";
  text += frame_start("above", character.skeleton.model_from_root) + joints_text(character.skeleton) + "}\n";
  text += frame_start("body", {});
  for (const MeshPart& part : character.mesh.parts) text += mesh_text(character, part);
  text += "}\n";
  for (const Clip& clip : character.clips) text += clip_text(character, clip);
  return text;
}

}  // namespace sinew::test
