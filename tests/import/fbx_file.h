// A writer of FBX 7.4 text files, with the minimum for a skinned, animated mesh.
#pragma once

#include <string>
#include <vector>

#include "fbx_builder.h"
#include "sinew/asset/math.h"

namespace sinew::test {

struct FbxProperty {
  std::string name;  // "Lcl Translation", "PreRotation", ...
  Vec3 value;
};

struct FbxModel {
  std::string name;
  int parent = -1;  // index of an earlier model; -1: the file's root
  std::vector<FbxProperty> properties;
};

/// Matrices have 4x4 elements as in FBX: the first three rows are the axes, the last row is the translation.
struct FbxCluster {
  int model = 0;  // the joint
  std::vector<int> vertices;
  std::vector<double> weights;
  std::vector<double> transform, transform_link;
};

/// A morph target with a channel of its own, which has its name.
struct FbxShape {
  std::string name;
  std::vector<int> vertices;
  std::vector<Vec3> positions, normals;  // differences; without normals the shape has none
  double percent = 0;                    // the rest weight
};

struct FbxFileCurve {
  int model = 0;
  std::string property;  // "Lcl Translation", "Lcl Rotation" or "Lcl Scaling"
  char axis = 'X';
  std::vector<double> seconds, values;
  std::vector<FbxKeyAttribute> attributes = {};  // as in FbxKeys
};

struct FbxStack {
  std::string name;
  double start_seconds = 0, stop_seconds = 0;  // both 0: not written
  std::vector<FbxFileCurve> curves;
};

struct FbxFile {
  std::vector<FbxModel> models;
  int mesh_model = -1;  // index of the model with the mesh; -1: no mesh
  std::vector<Vec3> positions;
  std::vector<int> triangles;
  std::vector<FbxCluster> clusters;
  std::vector<FbxShape> shapes;
  std::vector<FbxStack> stacks;
};

/// The file's text. Its time mode is 30 frames per second.
std::string fbx_text(const FbxFile& file);

}  // namespace sinew::test
