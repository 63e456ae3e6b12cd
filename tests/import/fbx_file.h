// FBX 7.4, text: the least that a skinned, animated mesh needs.
#pragma once

#include <string>
#include <vector>

#include "sinew/asset/math.h"

namespace sinew::test {

struct FbxProperty {
  std::string name;  // "Lcl Translation", "PreRotation", ...
  Vec3 value;
};

struct FbxModel {
  std::string name;
  int parent = -1;  // an earlier one; -1: the root
  std::vector<FbxProperty> properties;
};

/// Matrices as FBX writes them: the rows are the axes, the last one the translation.
struct FbxCluster {
  int model = 0;  // the joint
  std::vector<int> vertices;
  std::vector<double> weights;
  std::vector<double> transform, transform_link;
};

struct FbxCurve {
  int model = 0;
  std::string property;  // "Lcl Translation", "Lcl Rotation" or "Lcl Scaling"
  char axis = 'X';
  std::vector<double> seconds, values;
};

struct FbxStack {
  std::string name;
  double start_seconds = 0, stop_seconds = 0;  // both 0: not said
  std::vector<FbxCurve> curves;
};

struct FbxFile {
  std::vector<FbxModel> models;
  int mesh_model = -1;  // which one has the mesh; -1: none does
  std::vector<Vec3> positions;
  std::vector<int> triangles;
  std::vector<FbxCluster> clusters;
  std::vector<FbxStack> stacks;
};

/// At 30 frames a second.
std::string fbx_text(const FbxFile& file);

}  // namespace sinew::test
