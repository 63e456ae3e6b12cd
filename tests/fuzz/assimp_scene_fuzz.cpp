// libFuzzer: import converts any scene of Assimp to a character or an error, also with wrong indices, counts and
// values.
#include <assimp/scene.h>
#include <fuzzer/FuzzedDataProvider.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "conversion.h"
#include "failure.h"
#include "readers.h"

namespace {

using Bytes = FuzzedDataProvider;

constexpr const char* kNames[] = {"", "a", "b", "Arm", "Arm_$AssimpFbx$_Rotation", "Arm_$AssimpFbx$_PreRotation"};

aiString name(Bytes& bytes) { return aiString(bytes.PickValueInArray(kNames)); }

/// Mostly a small value; sometimes any bits, which may be NaN or infinite.
float number(Bytes& bytes) {
  if (bytes.ConsumeIntegralInRange(0, 7) > 0) return float(bytes.ConsumeIntegral<int8_t>()) / 16;
  const uint32_t bits = bytes.ConsumeIntegral<uint32_t>();
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

aiVector3D vector(Bytes& bytes) { return {number(bytes), number(bytes), number(bytes)}; }
void set(Bytes& bytes, aiVector3D& value) { value = vector(bytes); }
void set(Bytes& bytes, aiQuaternion& value) { value = {number(bytes), number(bytes), number(bytes), number(bytes)}; }
void set(Bytes& bytes, aiMatrix4x4& value) {
  for (unsigned row = 0; row < 3; ++row) {
    for (unsigned column = 0; column < 4; ++column) value[row][column] = number(bytes);
  }
}

/// An array, or null for 0 elements: Assimp's destructors free arrays only where their count is not 0.
template <class T>
T* array(unsigned size) {
  return size == 0 ? nullptr : new T[size];
}

unsigned count(Bytes& bytes, unsigned max) { return bytes.ConsumeIntegralInRange(0u, max); }

/// Mostly below `size`, sometimes any value.
unsigned index(Bytes& bytes, unsigned size) {
  if (bytes.ConsumeIntegralInRange(0, 15) == 0 || size == 0) return bytes.ConsumeIntegral<uint32_t>();
  return bytes.ConsumeIntegralInRange(0u, size - 1);
}

aiNode* make_node(Bytes& bytes, unsigned mesh_count, int depth) {
  auto* node = new aiNode;
  node->mName = name(bytes);
  if (bytes.ConsumeBool()) set(bytes, node->mTransformation);
  node->mNumMeshes = count(bytes, 2);
  node->mMeshes = array<unsigned>(node->mNumMeshes);
  for (unsigned i = 0; i < node->mNumMeshes; ++i) node->mMeshes[i] = index(bytes, mesh_count);
  const unsigned children = depth > 0 ? count(bytes, 3) : 0;
  for (unsigned i = 0; i < children; ++i) {
    aiNode* child = make_node(bytes, mesh_count, depth - 1);
    node->addChildren(1, &child);
  }
  return node;
}

aiBone* make_bone(Bytes& bytes, unsigned vertex_count) {
  auto* bone = new aiBone;
  bone->mName = name(bytes);
  bone->mNumWeights = count(bytes, 6);
  bone->mWeights = array<aiVertexWeight>(bone->mNumWeights);
  for (unsigned i = 0; i < bone->mNumWeights; ++i) bone->mWeights[i] = {index(bytes, vertex_count), number(bytes)};
  set(bytes, bone->mOffsetMatrix);
  return bone;
}

aiVector3D* make_vectors(Bytes& bytes, unsigned size) {
  auto* values = array<aiVector3D>(size);
  for (unsigned i = 0; i < size; ++i) set(bytes, values[i]);
  return values;
}

/// A morph target of a mesh of `vertex_count` vertices, sometimes of another number of them.
aiAnimMesh* make_target(Bytes& bytes, unsigned vertex_count) {
  auto* target = new aiAnimMesh;
  target->mName = name(bytes);
  target->mWeight = number(bytes);
  target->mNumVertices = bytes.ConsumeIntegralInRange(0, 15) > 0 ? vertex_count : count(bytes, 8);
  const auto vectors = [&] { return make_vectors(bytes, target->mNumVertices); };
  if (bytes.ConsumeIntegralInRange(0, 15) > 0) target->mVertices = vectors();
  if (bytes.ConsumeBool()) target->mNormals = vectors();
  if (bytes.ConsumeBool()) target->mTangents = vectors(), target->mBitangents = vectors();
  return target;
}

aiMesh* make_mesh(Bytes& bytes) {
  auto* mesh = new aiMesh;
  mesh->mName = name(bytes);
  mesh->mMaterialIndex = index(bytes, 1);
  mesh->mNumVertices = count(bytes, 8);
  const auto vectors = [&] { return make_vectors(bytes, mesh->mNumVertices); };
  if (bytes.ConsumeIntegralInRange(0, 15) > 0) mesh->mVertices = vectors();
  if (bytes.ConsumeBool()) mesh->mNormals = vectors();
  if (bytes.ConsumeBool()) mesh->mTextureCoords[0] = vectors();
  if (bytes.ConsumeBool()) mesh->mTangents = vectors(), mesh->mBitangents = vectors();
  if (bytes.ConsumeBool()) {
    mesh->mColors[0] = array<aiColor4D>(mesh->mNumVertices);
    for (unsigned i = 0; i < mesh->mNumVertices; ++i) {
      mesh->mColors[0][i] = {number(bytes), number(bytes), number(bytes), number(bytes)};
    }
  }
  mesh->mNumFaces = count(bytes, 6);
  mesh->mFaces = array<aiFace>(mesh->mNumFaces);
  for (unsigned i = 0; i < mesh->mNumFaces; ++i) {
    aiFace& face = mesh->mFaces[i];
    face.mNumIndices = bytes.ConsumeIntegralInRange(0, 7) > 0 ? 3 : count(bytes, 4);
    face.mIndices = array<unsigned>(face.mNumIndices);
    for (unsigned k = 0; k < face.mNumIndices; ++k) face.mIndices[k] = index(bytes, mesh->mNumVertices);
  }
  mesh->mNumBones = count(bytes, 3);
  mesh->mBones = array<aiBone*>(mesh->mNumBones);
  for (unsigned i = 0; i < mesh->mNumBones; ++i) mesh->mBones[i] = make_bone(bytes, mesh->mNumVertices);
  mesh->mNumAnimMeshes = count(bytes, 3);
  mesh->mAnimMeshes = array<aiAnimMesh*>(mesh->mNumAnimMeshes);
  for (unsigned i = 0; i < mesh->mNumAnimMeshes; ++i) mesh->mAnimMeshes[i] = make_target(bytes, mesh->mNumVertices);
  return mesh;
}

template <class Key>
void make_keys(Bytes& bytes, unsigned& key_count, Key*& keys) {
  key_count = count(bytes, 4);
  keys = array<Key>(key_count);
  for (unsigned i = 0; i < key_count; ++i) {
    keys[i].mTime = double(number(bytes));
    set(bytes, keys[i].mValue);
  }
}

/// Keys of the weights of morph targets, which are named by number.
aiMeshMorphAnim* make_weights(Bytes& bytes) {
  auto* channel = new aiMeshMorphAnim;
  channel->mName = name(bytes);
  if (bytes.ConsumeBool()) channel->mName.Append("*0");
  channel->mNumKeys = count(bytes, 4);
  channel->mKeys = array<aiMeshMorphKey>(channel->mNumKeys);
  for (unsigned k = 0; k < channel->mNumKeys; ++k) {
    aiMeshMorphKey& key = channel->mKeys[k];
    key.mTime = double(number(bytes));
    key.mNumValuesAndWeights = count(bytes, 3);
    key.mValues = array<unsigned>(key.mNumValuesAndWeights);
    key.mWeights = array<double>(key.mNumValuesAndWeights);
    for (unsigned i = 0; i < key.mNumValuesAndWeights; ++i) {
      key.mValues[i] = index(bytes, 3);
      key.mWeights[i] = double(number(bytes));
    }
  }
  return channel;
}

aiAnimation* make_clip(Bytes& bytes) {
  auto* clip = new aiAnimation;
  clip->mName = name(bytes);
  clip->mTicksPerSecond = double(number(bytes));
  clip->mDuration = double(number(bytes));
  clip->mNumChannels = count(bytes, 3);
  clip->mChannels = array<aiNodeAnim*>(clip->mNumChannels);
  for (unsigned i = 0; i < clip->mNumChannels; ++i) {
    auto* channel = clip->mChannels[i] = new aiNodeAnim;
    channel->mNodeName = name(bytes);
    make_keys(bytes, channel->mNumPositionKeys, channel->mPositionKeys);
    make_keys(bytes, channel->mNumRotationKeys, channel->mRotationKeys);
    make_keys(bytes, channel->mNumScalingKeys, channel->mScalingKeys);
  }
  clip->mNumMorphMeshChannels = count(bytes, 2);
  clip->mMorphMeshChannels = array<aiMeshMorphAnim*>(clip->mNumMorphMeshChannels);
  for (unsigned i = 0; i < clip->mNumMorphMeshChannels; ++i) clip->mMorphMeshChannels[i] = make_weights(bytes);
  return clip;
}

void fill(Bytes& bytes, aiScene& scene) {
  scene.mNumMaterials = 1;
  scene.mMaterials = new aiMaterial* [1] { new aiMaterial };
  const float opacity = number(bytes);
  scene.mMaterials[0]->AddProperty(&opacity, 1, AI_MATKEY_OPACITY);
  scene.mNumMeshes = count(bytes, 3);
  scene.mMeshes = array<aiMesh*>(scene.mNumMeshes);
  for (unsigned i = 0; i < scene.mNumMeshes; ++i) scene.mMeshes[i] = make_mesh(bytes);
  scene.mRootNode = make_node(bytes, scene.mNumMeshes, 4);
  scene.mNumAnimations = count(bytes, 2);
  scene.mAnimations = array<aiAnimation*>(scene.mNumAnimations);
  for (unsigned i = 0; i < scene.mNumAnimations; ++i) scene.mAnimations[i] = make_clip(bytes);
}

/// For any input, a mesh has no tangents unless requested, and they are unit vectors with a handedness of 1 or -1.
void expect_tangents(const sinew::Mesh& mesh, bool wanted) {
  if (mesh.tangents.size() != (wanted ? mesh.positions.size() : 0)) std::abort();
  for (const sinew::Vec4 t : mesh.tangents) {
    const float size = length(sinew::Vec3{t.x, t.y, t.z});
    if (!(std::abs(size - 1) < 1e-3f) || std::abs(t.w) != 1) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  const char* extension = bytes.PickValueInArray({".x", ".fbx", ".dae", ".smd"});
  sinew::ImportOptions options;
  options.max_influences = count(bytes, 2);
  options.tangents = bytes.ConsumeBool();
  options.allow_no_mesh = bytes.ConsumeBool();
  aiScene scene;
  fill(bytes, scene);
  try {
    sinew::ImportReport report;
    const sinew::internal::Folder nowhere("/nonexistent/a");
    const sinew::Character character = sinew::internal::convert(
        sinew::internal::read_assimp_scene(scene, nowhere, extension, sinew::internal::wanted_of(options), report),
        options, report);
    expect_tangents(character.mesh, options.tangents);
    // The character may have invalid values, which load_character() refuses. validate() must stay within its arrays.
    (void)validate(character);
  } catch (const sinew::internal::ImportFailure&) {
  }
  return 0;
}
