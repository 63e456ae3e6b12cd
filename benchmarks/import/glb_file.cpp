#include "glb_file.h"

#include <cstring>

#include "import/gltf_file.h"

namespace sinew::test {
namespace {

std::vector<float> column_major(const Matrix3x4d& m) {
  std::vector<float> elements;
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 3; ++row) elements.push_back(float(m.m[row][column]));
    elements.push_back(column == 3);
  }
  return elements;
}

template <class T>
std::vector<float> floats_of(const T* values, size_t count) {
  std::vector<float> numbers(count * sizeof(T) / sizeof(float));
  if (count > 0) std::memcpy(numbers.data(), values, count * sizeof(T));
  return numbers;
}

/// Adds the attributes with influences 4 * set to 4 * set + 3 of a part's vertices.
void add_influences(const Mesh& mesh, const MeshPart& part, uint32_t set, GltfFile& file, Json& attributes) {
  std::vector<uint16_t> joints;
  std::vector<float> weights;
  for (uint32_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
    const auto influences = mesh.influences_of(v);
    for (uint32_t i = 4 * set; i < 4 * set + 4; ++i) {
      joints.push_back(i < influences.size() ? influences[i].entry : uint16_t(0));
      weights.push_back(i < influences.size() ? influences[i].weight : 0);
    }
  }
  attributes["JOINTS_" + std::to_string(set)] = file.add_accessor(joints, kUnsignedShort, "VEC4");
  attributes["WEIGHTS_" + std::to_string(set)] = file.add_floats(weights, "VEC4");
}

void add_part(const Mesh& mesh, const MeshPart& part, GltfFile& file) {
  Json attributes;
  attributes["POSITION"] = file.add_floats(floats_of(&mesh.positions[part.first_vertex], part.vertex_count), "VEC3");
  attributes["NORMAL"] = file.add_floats(floats_of(&mesh.normals[part.first_vertex], part.vertex_count), "VEC3");
  attributes["TEXCOORD_0"] = file.add_floats(floats_of(&mesh.uvs[part.first_vertex], part.vertex_count), "VEC2");
  add_influences(mesh, part, 0, file, attributes);
  if (max_influences(mesh) > 4) add_influences(mesh, part, 1, file, attributes);
  std::vector<uint32_t> indices;
  for (uint32_t i = 0; i < part.index_count; ++i) {
    indices.push_back(mesh.indices[part.first_index + i] - part.first_vertex);
  }
  const int triangles = file.add_accessor(indices, kUnsignedInt, "SCALAR");
  file.json["meshes"].push_back(
      {{"name", part.name}, {"primitives", {{{"attributes", attributes}, {"indices", triangles}}}}});
}

/// Node 0 is above all roots and has model_from_root. Joint j is node j + 1.
void add_joints(const Skeleton& skeleton, GltfFile& file) {
  file.add_node({{"name", "above"}, {"matrix", column_major(skeleton.model_from_root)}});
  for (size_t j = 0; j < skeleton.joint_count(); ++j) {
    const Transform& rest = skeleton.rest_pose[j];
    file.add_node({{"name", skeleton.joint_names[j]},
                   {"translation", floats_of(&rest.translation, 1)},
                   {"rotation", floats_of(&rest.rotation, 1)},
                   {"scale", floats_of(&rest.scale, 1)}});
    file.json["nodes"][size_t(skeleton.parents[j] + 1)]["children"].push_back(j + 1);
  }
}

void add_skin(const Skin& skin, GltfFile& file) {
  std::vector<float> binds;
  Json joints = Json::array();
  for (const PaletteEntry& entry : skin.entries) {
    const std::vector<float> bind = column_major(entry.joint_from_mesh);
    binds.insert(binds.end(), bind.begin(), bind.end());
    joints.push_back(entry.joint + 1);
  }
  file.json["skins"] = {{{"joints", joints}, {"inverseBindMatrices", file.add_floats(binds, "MAT4")}}};
}

template <class Value>
void add_track(uint32_t joint, const char* path, const Track<Value>& track, GltfFile& file) {
  const std::vector<float> values = floats_of(track.values.data(), track.values.size());
  if (!values.empty()) file.add_channel(int(joint) + 1, path, track.times_seconds, values, "LINEAR", true);
}

}  // namespace

std::string glb_file(const Character& character) {
  GltfFile file;
  file.json["nodes"] = Json::array();
  add_joints(character.skeleton, file);
  add_skin(character.skin, file);
  for (const MeshPart& part : character.mesh.parts) {
    add_part(character.mesh, part, file);
    const int node = file.add_node({{"mesh", file.json["meshes"].size() - 1}, {"skin", 0}});
    file.json["scenes"][0]["nodes"].push_back(node);
  }
  for (const Clip& clip : character.clips) {
    file.json["animations"].push_back({{"name", clip.name}, {"channels", Json::array()}, {"samplers", Json::array()}});
    for (const JointTracks& tracks : clip.tracks) {
      add_track(tracks.joint, "translation", tracks.translation, file);
      add_track(tracks.joint, "rotation", tracks.rotation, file);
      add_track(tracks.joint, "scale", tracks.scale, file);
    }
  }
  file.json["buffers"] = {{{"byteLength", file.buffer.size()}}};
  return file.binary();
}

}  // namespace sinew::test
