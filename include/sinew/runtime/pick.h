// Picking: what a ray hits in a crowd, which instances are near a path, such as that of a stone. For
// SkinnedCrowd::pick(), instances_near() and joint_transform() of sinew/runtime/skinned_crowd.h.
//
// All of it is in world space, that of Instances::world_from_model, and in its units. The calls run between
// two update() calls, as often as wanted; they take the instances of the last update().
#pragma once

#include <cstdint>

#include "sinew/asset/math.h"
#include "sinew/asset/skeleton.h"
#include "sinew/asset/wearable.h"

namespace sinew::crowd {

/// A ray of the host, as from the eye through a pixel. The direction has any length above 0.
struct Ray {
  Vec3 origin;
  Vec3 direction{0, 0, -1};
};

/// A straight path from one point to another; they may be equal.
struct Segment {
  Vec3 from, to;
};

/// Where a ray hits an instance.
struct PickHit {
  uint32_t instance = 0;            // of the host's arrays
  uint32_t model = 0, level = 0;    // the mesh that is drawn: Model::mesh(level)
  uint32_t triangle = 0;            // of this mesh: its indices are Mesh::indices[3 * triangle] and the next two
  uint32_t wearable = kNoWearable;  // the mesh is Model::wearables[wearable].meshes[level]; kNoWearable: the body
  Vec3 barycentrics;                // the weights of its three vertices, which add to 1
  int32_t joint = kNoJoint;         // of Character::skeleton: it moves the hit point most. kNoJoint: no joint moves it
  Vec3 point;                       // world space
  float distance = 0;               // from Ray::origin, world units
};

}  // namespace sinew::crowd
