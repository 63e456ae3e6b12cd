// Conversion of Assimp's scene. It keeps Assimp's names: a bone is a joint of a skin and its inverse bind matrix.

#include <assimp/anim.h>
#include <assimp/mesh.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "asset/file.h"
#include "asset/plain_text.h"
#include "assimp/assimp_lost.h"
#include "assimp/assimp_materials.h"
#include "assimp/x_text.h"
#include "failure.h"
#include "folder.h"
#include "image.h"
#include "morph_targets.h"
#include "readers.h"
#include "sinew/import/import.h"
#include "surface.h"

namespace sinew::internal {
namespace {

// Morph targets as Assimp has them: whole meshes that replace positions and normals.

constexpr float kMaxRounding = 1e-3f;  // Assimp normalizes the normals of targets, but not those of meshes

/// What replaces `base`, minus `base`; nothing if either is missing.
std::vector<Vec3> differences(const aiVector3D* replaced, const aiVector3D* base, unsigned count) {
  std::vector<Vec3> result;
  for (unsigned v = 0; replaced != nullptr && base != nullptr && v < count; ++v) {
    result.push_back({replaced[v].x - base[v].x, replaced[v].y - base[v].y, replaced[v].z - base[v].z});
  }
  return result;
}

bool are_within(const std::vector<Vec3>& values, float limit) {
  return std::all_of(values.begin(), values.end(), [&](Vec3 value) { return is_within(value, limit); });
}

/// The morph targets of a mesh whose vertices are still in Assimp's order; `mesh` is what was read of it so far.
std::vector<MorphTarget> read_targets(const aiMesh& source, const SceneMesh& mesh, ImportReport& report) {
  std::vector<MorphTarget> targets;
  for (unsigned t = 0; t < source.mNumAnimMeshes; ++t) {
    const aiAnimMesh& replacement = *source.mAnimMeshes[t];
    const unsigned count = replacement.mNumVertices == source.mNumVertices ? source.mNumVertices : 0;
    const std::vector<Vec3> positions = differences(replacement.mVertices, source.mVertices, count);
    std::vector<Vec3> normals = differences(replacement.mNormals, source.mNormals, count);
    const bool has_no_normals = count > 0 && !mesh.normals.empty() && are_within(normals, kMaxRounding);
    if (has_no_normals && !positions.empty()) normals = turned_normals(mesh, positions);
    const std::vector<Vec3> tangents = differences(replacement.mTangents, source.mTangents, count);
    std::string name = replacement.mName.C_Str();
    if (name.empty()) name = "target_" + std::to_string(t);
    targets.push_back(sparse_target(std::move(name), {positions, normals, tangents}, report.repaired_differences));
    targets.back().rest_weight = replacement.mWeight;
  }
  return targets;
}

/// The name of the node that a channel of weights animates. Assimp may add '*' and a number to it.
std::string morphed_node(const aiMeshMorphAnim& channel) {
  const std::string name = channel.mName.C_Str();
  return name.substr(0, name.rfind('*'));
}

/// The tracks of a channel: one for each target that it names. `rate`: ticks per second. `node` is set in each.
std::vector<SceneWeightTrack> read_weights(const aiMeshMorphAnim& channel, uint32_t node, double rate) {
  std::map<unsigned, SceneWeightTrack> by_target;
  for (unsigned k = 0; k < channel.mNumKeys; ++k) {
    const aiMeshMorphKey& key = channel.mKeys[k];
    for (unsigned i = 0; i < key.mNumValuesAndWeights; ++i) {
      SceneWeightTrack& track = by_target[key.mValues[i]];
      track.node = node, track.target = key.mValues[i];
      track.weight.times_seconds.push_back(float(key.mTime / rate));
      track.weight.values.push_back(float(key.mWeights[i]));
    }
  }
  std::vector<SceneWeightTrack> tracks;
  for (auto& [target, track] : by_target) tracks.push_back(std::move(track));
  return tracks;
}

// --- files ---

/// A file in memory, for Assimp to read.
class MemoryStream final : public Assimp::IOStream {
 public:
  explicit MemoryStream(std::vector<uint8_t> bytes) : bytes_(std::move(bytes)) {}

  size_t Read(void* destination, size_t size, size_t count) override {
    if (size == 0 || count == 0) return 0;
    const size_t items = std::min(count, (bytes_.size() - position_) / size);
    if (items > 0) std::memcpy(destination, bytes_.data() + position_, items * size);
    position_ += items * size;
    return items;
  }
  size_t Write(const void*, size_t, size_t) override { return 0; }
  aiReturn Seek(size_t offset, aiOrigin origin) override {
    const size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? position_ : bytes_.size();
    if (base + offset > bytes_.size()) return aiReturn_FAILURE;
    position_ = base + offset;
    return aiReturn_SUCCESS;
  }
  size_t Tell() const override { return position_; }
  size_t FileSize() const override { return bytes_.size(); }
  void Flush() override {}

 private:
  std::vector<uint8_t> bytes_;
  size_t position_ = 0;
};

/// Reads a file for Assimp. In MD5 files line ends become CRLF: with LF alone Assimp skips every second line of the
/// header, the frame rate among them.
std::vector<uint8_t> read_for_assimp(const std::string& path) {
  std::vector<uint8_t> bytes = read_whole_file(path);
  if (!utf8_of(path_of(path).extension()).starts_with(".md5")) return bytes;
  std::vector<uint8_t> result;
  result.reserve(bytes.size() + bytes.size() / 32);
  for (const uint8_t byte : bytes) {
    if (byte == '\n' && (result.empty() || result.back() != '\r')) result.push_back('\r');
    result.push_back(byte);
  }
  return result;
}

/// Assimp's access to files: the model, and files in its folder or below. Read only.
class ModelFiles final : public Assimp::IOSystem {
 public:
  explicit ModelFiles(const std::string& path)
      : folder_(path), name_(utf8_of(path_of(path).filename())), model_(read_for_assimp(path)) {}

  const Folder& folder() const { return folder_; }
  const std::string& name() const { return name_; }
  const std::vector<uint8_t>& model() const { return model_; }
  /// Assimp reads `text` instead of the model's file.
  void set_model(std::vector<uint8_t> text) { model_ = std::move(text); }

  bool Exists(const char* file) const override { return file == name_ || !folder_.find(file).empty(); }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* file, const char* mode) override {
    if (std::strpbrk(mode, "wa+") != nullptr) return nullptr;
    if (file == name_) return new MemoryStream(model_);
    try {
      return new MemoryStream(read_for_assimp(folder_.find(file)));
    } catch (const ImportFailure&) {
      return nullptr;
    }
  }
  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  Folder folder_;
  std::string name_;
  std::vector<uint8_t> model_;
};

// --- values ---

Vec3 vec3(const aiVector3D& v) { return {v.x, v.y, v.z}; }
Quat quat(const aiQuaternion& q) { return {q.x, q.y, q.z, q.w}; }

Matrix3x4d matrix(const aiMatrix4x4& source) {
  Matrix3x4d result;
  for (unsigned row = 0; row < 3; ++row) {
    for (unsigned column = 0; column < 4; ++column) result.m[row][column] = double(source[row][column]);
  }
  return result;
}

bool is_rate(double rate) { return rate > 0 && std::isfinite(rate); }

/// Ticks per second of files that do not say it: Direct3D's for .x, that of the compiler of .smd, or Assimp's.
double usual_rate(const std::string& extension) { return extension == ".x" ? 4800 : extension == ".smd" ? 30 : 25; }

template <class Value, class Key>
Track<Value> track(const Key* keys, unsigned count, double rate, Value (*convert)(const decltype(Key::mValue)&)) {
  Track<Value> result;
  for (unsigned i = 0; keys != nullptr && i < count; ++i) {
    result.times_seconds.push_back(float(keys[i].mTime / rate));
    result.values.push_back(convert(keys[i].mValue));
  }
  return result;
}

/// Converts an aiScene into a Scene. Borrows all its arguments.
class AssimpReader {
 public:
  AssimpReader(const aiScene& source, const Folder& folder, Wanted wanted, ImportReport& report)
      : source_(source),
        tangents_(wanted.tangents),
        report_(report),
        images_(folder, wanted.images, report),
        wanted_rate_(wanted.ticks_per_second) {}

  Scene read(const std::string& extension) {
    read_nodes();
    read_space(extension);
    materials_ = read_materials(source_, images_, report_, scene_);
    for (unsigned i = 0; i < source_.mNumMeshes; ++i) read_mesh(*source_.mMeshes[i]);
    use_meshes();
    read_clips(extension);
    find_lost_animation(extension);
    scene_.draws_first_frame = extension != ".bvh" && is_drawing_of_joints();
    return std::move(scene_);
  }

 private:
  void warn(std::string text) { report_.warnings.push_back(std::move(text)); }

  // --- nodes ---

  /// Builds the hierarchy from mParent, not from mChildren: Assimp's Half-Life reader puts all joints into the
  /// mChildren of one node, and only mParent holds their hierarchy.
  void read_nodes() {
    std::unordered_map<const aiNode*, std::vector<const aiNode*>> children;
    std::vector<const aiNode*> listed = {source_.mRootNode};
    for (size_t i = 0; i < listed.size(); ++i) {
      const aiNode& node = *listed[i];
      for (unsigned k = 0; k < node.mNumChildren; ++k) {
        const aiNode* child = node.mChildren[k];
        listed.push_back(child);
        children[child->mParent == nullptr ? &node : child->mParent].push_back(child);
      }
    }
    walk(children);
    require(scene_.nodes.size() == listed.size(), [] { return "its nodes do not hang together"; });
  }

  void walk(const std::unordered_map<const aiNode*, std::vector<const aiNode*>>& children) {
    struct Visit {
      const aiNode* node;
      int parent;
    };
    std::vector<Visit> pending = {{source_.mRootNode, -1}};
    while (!pending.empty()) {
      const Visit visit = pending.back();
      pending.pop_back();
      const int index = int(scene_.nodes.size());
      SceneNode node;
      node.name = visit.node->mName.C_Str();
      node.parent = visit.parent;
      set_rest(node, matrix(visit.node->mTransformation));
      scene_.nodes.push_back(std::move(node));
      ai_nodes_.push_back(visit.node);
      remember_name(index);
      const auto below = children.find(visit.node);
      if (below == children.end()) continue;
      for (auto child = below->second.rbegin(); child != below->second.rend(); ++child) {
        pending.push_back({*child, index});
      }
    }
  }

  /// Bones and channels refer to nodes by name. If several nodes share a name, the first without a mesh is taken.
  void remember_name(int index) {
    const std::string& name = scene_.nodes[size_t(index)].name;
    const auto [found, is_new] = node_named_.try_emplace(name, uint32_t(index));
    if (is_new) return;
    if (!name.empty()) warn("several nodes are named '" + name + "': the first without a mesh is taken for the joint");
    const bool known_has_mesh = ai_nodes_[found->second]->mNumMeshes > 0;
    if (known_has_mesh && ai_nodes_[size_t(index)]->mNumMeshes == 0) found->second = uint32_t(index);
  }

  /// These formats store neither axes nor unit: Assimp's conversion stays.
  void read_space(const std::string& extension) {
    if (extension == ".smd") {  // z is up in Half-Life's tools
      scene_.space.up = {0, 0, 1};
      scene_.space.front = {0, -1, 0};
    }
  }

  /// Formats whose joints, or whose vertices per frame, Assimp drops without a message. Files .mdl of Half-Life come
  /// with both, those of Quake and 3D GameStudio with neither.
  void find_lost_animation(const std::string& extension) {
    constexpr const char* kAnimated[] = {".iqm", ".b3d", ".ms3d", ".md2", ".md3", ".mdc", ".mdl", ".blend", ".x3d"};
    const bool is_animated = std::find(std::begin(kAnimated), std::end(kAnimated), extension) != std::end(kAnimated);
    if (!is_animated || !scene_.skins.empty() || !scene_.clips.empty()) return;
    LostFeatures lost(lost_features_of_assimp());
    lost.add(kLostAnimation, extension);
    lost.append_to(scene_.motion_warnings, LostFrom::kMotion);
    scene_.loses_clips = true;
  }

  /// Where a file has joints but no mesh, Assimp draws the joints with a material of this name.
  bool is_drawing_of_joints() const {
    return scene_.materials.size() == 1 && scene_.materials.front().name == "SkeletonMaterial";
  }

  // --- meshes and skins ---

  void read_mesh(const aiMesh& source) {
    SceneMesh mesh;
    mesh.name = source.mName.C_Str();
    if (source.mMaterialIndex < scene_.materials.size()) mesh.material = int32_t(source.mMaterialIndex);
    for (unsigned v = 0; source.HasPositions() && v < source.mNumVertices; ++v) {
      mesh.positions.push_back(vec3(source.mVertices[v]));
      if (source.HasNormals()) mesh.normals.push_back(vec3(source.mNormals[v]));
    }
    mesh.uvs = uv_channel(source, channel_of(mesh, 0).value_or(0));
    if (const auto second = channel_of(mesh, 1)) {
      mesh.second_uvs = uv_channel(source, *second);
      mesh.second_uvs.resize(mesh.positions.size());
    }
    mesh.has_tangents = source.HasNormals() && source.HasTangentsAndBitangents();
    if (mesh.has_tangents && reads_tangents(mesh)) read_tangents(source, mesh);
    mesh.colors = read_colors(source, report_);
    read_triangles(source, mesh);
    skin_of_.push_back(source.mNumBones > 0 ? read_skin(source, mesh) : -1);
    mesh.targets = read_targets(source, mesh, report_);
    weld(mesh);
    scene_.meshes.push_back(std::move(mesh));
  }

  /// Assimp's channel of a uv set that the mesh's material uses.
  std::optional<unsigned> channel_of(const SceneMesh& mesh, size_t uv_set) const {
    if (mesh.material < 0) return std::nullopt;
    const std::vector<std::string>& sets = materials_[size_t(mesh.material)].uv_sets;
    return uv_set < sets.size() ? std::optional(unsigned(std::stoul(sets[uv_set]))) : std::nullopt;
  }

  /// The texture coordinates of a channel, or of the first where the mesh does not have it; empty: none.
  static std::vector<Vec2> uv_channel(const aiMesh& source, unsigned channel) {
    if (!source.HasTextureCoords(channel)) channel = 0;
    std::vector<Vec2> uvs;
    for (unsigned v = 0; source.HasPositions() && source.HasTextureCoords(channel) && v < source.mNumVertices; ++v) {
      const aiVector3D& uv = source.mTextureCoords[channel][v];
      uvs.push_back({uv.x, 1 - uv.y});
    }
    return uvs;
  }

  bool reads_tangents(const SceneMesh& mesh) const {
    if (tangents_ != ReadTangents::kForNormalMaps) return tangents_ == ReadTangents::kAlways;
    return mesh.material >= 0 && scene_.materials[size_t(mesh.material)].normal_texture.image >= 0;
  }

  /// The handedness is 0 where normal, tangent and bitangent lie in one plane: it is unknown.
  static void read_tangents(const aiMesh& source, SceneMesh& mesh) {
    for (unsigned v = 0; v < mesh.positions.size(); ++v) {
      const Vec3 t = vec3(source.mTangents[v]);
      const float handedness = dot(cross(mesh.normals[v], t), vec3(source.mBitangents[v]));
      mesh.tangents.push_back({t.x, t.y, t.z, handedness > 0 ? 1.0f : handedness < 0 ? -1.0f : 0.0f});
    }
  }

  void read_triangles(const aiMesh& source, SceneMesh& mesh) {
    size_t others = 0;
    for (unsigned i = 0; i < source.mNumFaces; ++i) {
      const aiFace& face = source.mFaces[i];
      if (face.mNumIndices != 3) {
        ++others;
        continue;
      }
      for (unsigned corner = 0; corner < 3; ++corner) {
        const unsigned vertex = face.mIndices[corner];
        require_vertex(vertex, mesh.positions.size(), "mesh", mesh.name);
        mesh.indices.push_back(vertex);
      }
    }
    if (others > 0) warn("mesh '" + mesh.name + "': " + std::to_string(others) + " points or lines are left out");
  }

  /// Reads the skin of one mesh: its bones whose nodes exist. Assimp's weights per bone become influences per vertex.
  int32_t read_skin(const aiMesh& source, SceneMesh& mesh) {
    SceneSkin skin;
    std::vector<std::vector<SceneInfluence>> by_vertex(mesh.positions.size());
    for (unsigned i = 0; i < source.mNumBones; ++i) {
      const aiBone& bone = *source.mBones[i];
      const auto node = node_named_.find(bone.mName.C_Str());
      if (node == node_named_.end()) {
        warn("mesh '" + mesh.name + "': there is no node for joint '" + bone.mName.C_Str() + "', its weights are lost");
        continue;
      }
      for (unsigned k = 0; k < bone.mNumWeights; ++k) {
        const aiVertexWeight& weight = bone.mWeights[k];
        require_vertex(weight.mVertexId, by_vertex.size(), "joint", bone.mName.C_Str());
        by_vertex[weight.mVertexId].push_back({uint32_t(skin.nodes.size()), weight.mWeight});
      }
      skin.nodes.push_back(node->second);
      skin.joint_from_mesh.push_back(matrix(bone.mOffsetMatrix));
    }
    for (const auto& influences : by_vertex) {
      mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
      mesh.influences.insert(mesh.influences.end(), influences.begin(), influences.end());
    }
    mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
    scene_.skins.push_back(std::move(skin));
    return int32_t(scene_.skins.size()) - 1;
  }

  void use_meshes() {
    for (uint32_t node = 0; node < ai_nodes_.size(); ++node) {
      for (unsigned i = 0; i < ai_nodes_[node]->mNumMeshes; ++i) {
        const uint32_t mesh = ai_nodes_[node]->mMeshes[i];
        require(mesh < scene_.meshes.size(), [&] { return "mesh " + std::to_string(mesh) + " does not exist"; });
        if (!scene_.meshes[mesh].indices.empty()) scene_.uses.push_back({node, mesh, skin_of_[mesh]});
      }
    }
  }

  // --- clips ---

  void read_clips(const std::string& extension) {
    states_rate_ = extension != ".smd";  // Assimp's 25 is none
    unstated_rate_ = is_rate(wanted_rate_) ? wanted_rate_ : usual_rate(extension);
    for (unsigned i = 0; i < source_.mNumAnimations; ++i) read_clip(*source_.mAnimations[i]);
    if (takes_rate_)
      scene_.motion_warnings.push_back("its clips state no rate: " + number_text(unstated_rate_) +
                                       " ticks a second are taken (--rate)");
  }

  void read_clip(const aiAnimation& source) {
    SceneClip clip;
    clip.name = source.mName.C_Str();
    const bool is_stated = states_rate_ && is_rate(source.mTicksPerSecond);
    const double rate = is_stated ? source.mTicksPerSecond : unstated_rate_;
    takes_rate_ |= !is_stated;
    for (unsigned i = 0; i < source.mNumChannels; ++i) {
      const aiNodeAnim& channel = *source.mChannels[i];
      const auto node = node_named_.find(channel.mNodeName.C_Str());
      if (node == node_named_.end()) {
        warn("clip '" + clip.name + "': there is no node '" + channel.mNodeName.C_Str() + "' for one of its channels");
        continue;
      }
      clip.tracks.push_back({node->second, track(channel.mPositionKeys, channel.mNumPositionKeys, rate, vec3),
                             track(channel.mRotationKeys, channel.mNumRotationKeys, rate, quat),
                             track(channel.mScalingKeys, channel.mNumScalingKeys, rate, vec3)});
    }
    for (unsigned i = 0; i < source.mNumMorphMeshChannels; ++i) {
      const std::string name = morphed_node(*source.mMorphMeshChannels[i]);
      if (const auto node = node_named_.find(name); node != node_named_.end()) {
        for (auto& weights : read_weights(*source.mMorphMeshChannels[i], node->second, rate)) {
          clip.weights.push_back(std::move(weights));
        }
      } else {
        warn("clip '" + clip.name + "': there is no node '" + name + "' for the weights of its morph targets");
      }
    }
    scene_.clips.push_back(std::move(clip));
  }

  const aiScene& source_;
  const ReadTangents tangents_;
  ImportReport& report_;
  ImageReader images_;
  double wanted_rate_;  // see ImportOptions::ticks_per_second
  Scene scene_;
  double unstated_rate_ = 0;             // for clips that state none
  bool states_rate_ = true;              // whether files of this format can
  bool takes_rate_ = false;              // whether a clip states none
  std::vector<const aiNode*> ai_nodes_;  // the aiNode of each node of scene_
  std::unordered_map<std::string, uint32_t> node_named_;
  std::vector<int32_t> skin_of_;  // per mesh; -1: none
  std::vector<ConvertedMaterial> materials_;
};

/// With an MD5 mesh Assimp reads the animation file of the same name. As with other animation files, that is the name
/// of its clip.
void name_unnamed_clips(Scene& scene, const std::string& path) {
  for (SceneClip& clip : scene.clips) {
    if (clip.name.empty()) clip.name = utf8_of(path_of(path).stem());
  }
}

}  // namespace

bool assimp_reads(const std::string& extension) { return Assimp::Importer().IsExtensionSupported(extension); }

Scene read_assimp_scene(const aiScene& source, const Folder& folder, const std::string& extension, Wanted wanted,
                        ImportReport& report) {
  require(source.mRootNode != nullptr, [] { return "it has no nodes"; });
  return AssimpReader(source, folder, wanted, report).read(extension);
}

Scene read_with_assimp(const std::string& path, const std::string& extension, Wanted wanted, ImportReport& report) {
  Assimp::Importer importer;
  auto* files = new ModelFiles(path);  // owned by the importer from here on
  importer.SetIOHandler(files);
  if (extension == ".x") files->set_model(x_text_for_assimp(files->model()));
  const aiScene* source = importer.ReadFile(files->name(), aiProcess_Triangulate);
  if (source == nullptr || source->mRootNode == nullptr) fail(importer.GetErrorString());
  Scene scene = read_assimp_scene(*source, files->folder(), extension, wanted, report);
  LostFeatures lost(lost_features_of_assimp());
  find_lost(files->model(), path, lost);
  lost.append_to(report.warnings, LostFrom::kLooks);
  if (extension == ".md5mesh") name_unnamed_clips(scene, path);
  return scene;
}

}  // namespace sinew::internal
