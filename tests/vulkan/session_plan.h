// What a session of session.h is about: a random skinner and random meshes, the same for a seed.
#pragma once

#include <array>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "vulkan/random_rig.h"
#include "vulkan/skinner_fixture.h"

namespace sinew::test {

using Features = std::set<std::string>;

/// What sessions are to meet, each beside each other one, in a frame whose vertices are compared.
inline constexpr std::array kSkinnerFeatures = {
    "packed",
    "octahedral",
    "float",
    "tangents",
    "texels",
    "staged stores",
    "snorms at once",
    "by influences",
    "large workgroups",
    "small pages",
    "barriers",
    "overlapping frames",
    "previous vertices",
    "groups",
    "one frame in flight",
    "host's allocator",
    "own memory",
    "debug checks",
    "low limits",
    "unused entries",
};
inline constexpr std::array kMeshFeatures = {
    "rigid palettes", "compact palettes", "dual quaternions",  "morph targets",   "many targets",
    "one influence",  "many influences",  "stretched",         "mirrored",        "ordered vertices",
    "bare mesh",      "prepared mesh",    "borrowed palettes", "named instances", "other stride",
};
inline constexpr std::array kStepFeatures = {
    "new mesh",       "removed mesh",  "mesh removed in its frame",
    "host's pages",   "resting group", "empty group",
    "prepared twice", "skipped frame", "discarded frame",
    "given slot",     "other kernel",  "reserved",
    "grown",          "shrunk",        "failed call",
    "refused call",   "kept batches",
};

/// The pairs of features that were met.
class MetPairs {
 public:
  void add(const Features& features);
  /// Those that were not, but for those that exclude each other.
  std::vector<std::string> missing() const;

 private:
  std::set<std::pair<std::string, std::string>> met_;
};

/// The skinner of a session, and how its host works.
struct SessionSetup {
  TestSkinnerInfo info;
  bool overlaps = false;        // frames are submitted without waiting for those before
  bool own_memory = false;      // a device whose own memory is not mapped: palettes are copied
  bool host_allocator = false;  // see AllocatorCallbacks
  bool low_limits = false;      // of workgroups, and a wide alignment
  bool unused_entries = false;  // no vertex uses entry 0 of its palette, which is NaN

  Features features() const;
};

/// `handles` has the device.
SessionSetup make_setup(const TestSkinnerInfo& handles, uint32_t seed);

/// A mesh, and what add_mesh() is told about it.
struct SessionMesh {
  Mesh mesh;
  uint32_t joints = 1;
  RigScaling scaling = RigScaling::kNone;
  vulkan::PaletteKind palettes;
  bool unused_entry = false;  // see SessionSetup
  Features features;

  bool compact() const { return palettes.format == vulkan::PaletteFormat::kCompact; }
  /// From one palette to the next, in matrices or compact ones.
  uint32_t stride() const;
  /// Whether an instance of this mesh may be skinned with a palette of `lender`.
  bool may_borrow_from(const SessionMesh& lender) const;
  /// As the device sees it.
  std::vector<Matrix3x4> palette(uint32_t seed) const;
  std::vector<float> weights(uint32_t seed) const { return make_weights(mesh.target_count(), seed); }
};

/// Now and then one that may borrow palettes of one of `others`.
SessionMesh make_session_mesh(Random& random, const SessionSetup& setup, std::span<const SessionMesh* const> others);

}  // namespace sinew::test
