#include "assimp/fbx_convention.h"

#include <algorithm>
#include <cmath>

namespace sinew::internal {
namespace {

/// A triangle of the node "Mesh" below "Group", skinned to "Joint". The cluster's matrices are translations: (10, 0, 0)
/// from the mesh to the joint, (0, 0, 20) from the joint to the world. "Group" has the translation (1, 2, 3). "Joint"
/// has a post-rotation of 90 degrees about z, and one key with the identity rotation.
constexpr std::string_view kProbe = R"(; FBX 7.4.0 project file
FBXHeaderExtension: {
  FBXHeaderVersion: 1003
  FBXVersion: 7400
}
GlobalSettings: {
  Version: 1000
  Properties70: {
  }
}
Objects: {
  Geometry: 1, "Geometry::", "Mesh" {
    Vertices: *9 {
      a: 0,0,0,1,0,0,0,1,0
    }
    PolygonVertexIndex: *3 {
      a: 0,1,-3
    }
  }
  Model: 2, "Model::Group", "Null" {
    Properties70: {
      P: "Lcl Translation", "Lcl Translation", "", "A",1,2,3
    }
  }
  Model: 3, "Model::Mesh", "Mesh" {
    Properties70: {
      P: "Lcl Translation", "Lcl Translation", "", "A",0,5,0
    }
  }
  Model: 4, "Model::Joint", "LimbNode" {
    Properties70: {
      P: "PostRotation", "Vector3D", "Vector", "",0,0,90
    }
  }
  Deformer: 5, "Deformer::", "Skin" {
    Version: 101
  }
  Deformer: 6, "SubDeformer::", "Cluster" {
    Version: 100
    Indexes: *3 {
      a: 0,1,2
    }
    Weights: *3 {
      a: 1,1,1
    }
    Transform: *16 {
      a: 1,0,0,0,0,1,0,0,0,0,1,0,10,0,0,1
    }
    TransformLink: *16 {
      a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,20,1
    }
  }
  AnimationStack: 7, "AnimStack::Still", "" {
  }
  AnimationLayer: 8, "AnimLayer::Still", "" {
  }
  AnimationCurveNode: 9, "AnimCurveNode::R", "" {
    Properties70: {
      P: "d|X", "Number", "", "A",0
    }
  }
  AnimationCurve: 10, "AnimCurve::", "" {
    KeyTime: *1 {
      a: 0
    }
    KeyValueFloat: *1 {
      a: 0
    }
  }
}
Connections: {
  C: "OO",2,0
  C: "OO",3,2
  C: "OO",4,0
  C: "OO",1,3
  C: "OO",5,1
  C: "OO",6,5
  C: "OO",4,6
  C: "OO",8,7
  C: "OO",9,8
  C: "OP",9,4, "Lcl Rotation"
  C: "OP",10,9, "d|X"
}
)";

bool has_translation(const Matrix3x4d& matrix, double x, double y, double z) {
  const auto near = [](double a, double b) { return std::abs(a - b) < 1e-3; };
  return near(matrix.m[0][3], x) && near(matrix.m[1][3], y) && near(matrix.m[2][3], z);
}

FbxConvention::Offset offset_of(const Scene& probe) {
  if (probe.skins.empty() || probe.skins[0].joint_from_mesh.empty()) return FbxConvention::Offset::kUnknown;
  const Matrix3x4d& offset = probe.skins[0].joint_from_mesh[0];
  if (has_translation(offset, 10, 0, 0)) return FbxConvention::Offset::kMesh;
  return has_translation(offset, 1, 2, 3 - 20) ? FbxConvention::Offset::kParent : FbxConvention::Offset::kUnknown;
}

/// True if the joint's key is a rotation by +90 degrees about z, the post-rotation. Its inverse, -90, would be right.
bool has_post_rotation(const Scene& probe) {
  return std::any_of(probe.clips.begin(), probe.clips.end(), [&](const SceneClip& clip) {
    return std::any_of(clip.tracks.begin(), clip.tracks.end(), [&](const SceneTracks& tracks) {
      const std::vector<Quat>& keys = tracks.rotation.values;
      return probe.nodes[tracks.node].name == "Joint" && !keys.empty() && keys[0].z * keys[0].w > 0.1f;
    });
  });
}

}  // namespace

std::string_view fbx_probe() { return kProbe; }

FbxConvention fbx_convention_of(const Scene& probe) { return {offset_of(probe), has_post_rotation(probe)}; }

}  // namespace sinew::internal
