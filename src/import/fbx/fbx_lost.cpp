#include "fbx/fbx_lost.h"

namespace sinew::internal {
namespace {

constexpr auto kLost = with_material_rows({
    {"curved-surface", "geometry", "it has no polygons, left out"},
    {"several-skins", "mesh", "it has several skins, the first is read"},
    {"additive-cluster", "cluster", "it adds to other skinning, read as usual skinning"},
    {"cluster-index", "cluster", "it names a vertex that is not there, which is left out"},
    {"mixed-skinning", "skin", "it is blended in another way than most, which is not kept: a character has one way"},
    {"blended-skinning", "skin", "it mixes linear and dual quaternion skinning by vertex, which is not kept"},
    {"vertex-cache", "mesh", "its vertices are animated by another file, which is not read"},
    {"constraint", "constraint", "it is not evaluated: bake its motion into keys", LostFrom::kMotion},
    {"animated-pivot", "node", "a pivot, offset or geometric transform of it is animated, which is not read",
     LostFrom::kMotion},
    {"animated-visibility", "node", "its visibility is animated, which is not read", LostFrom::kMotion},
    {"animated-material", "material", "it is animated, which is not read"},
    {"spherical-order", "node", "its order of rotations is spherical, read as XYZ", LostFrom::kMotion},
    {"vertex-colors", "mesh",
     "it has an image and vertex colors, which are not read: other programs do not multiply them"},
    {"layered-texture", "layered texture", "its first layer is read"},
    {"detail-group", "level group", "all its levels are drawn"},
    {"cyclic-model", "model", "it is its own ancestor, left out", LostFrom::kMotion},
});
static_assert(kLost.size() == size_t(FbxLost::kCyclicModel) + 1 + std::size(kMaterialRows));

}  // namespace

std::span<const LostFeature> lost_features_of_fbx() { return kLost; }

}  // namespace sinew::internal
