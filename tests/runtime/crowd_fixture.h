// A device, the built-in character as a model, and crowds of it in rows before a camera.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "distance.h"
#include "made_models.h"
#include "vulkan/test_device.h"

#include "sinew/asset/skinned_vertex.h"
#include "sinew/import/model.h"
#include "sinew/runtime/skinned_crowd.h"

namespace sinew::test {

/// Those of made_models.h.
const SharedModel& plain_model();
const SharedModel& built_in_model();
const SharedModel& dressed_model();

/// A rig of three joints and two clips with so many vertices, at most 9: no size of a vertex divides the size of such a
/// mesh.
SharedModel rig_model(uint32_t vertices, uint32_t seed = 1);

/// A view from `distance` before the first row, of a picture of 720 lines.
crowd::View view_from(float distance);

/// The arrays of a host.
struct Host {
  std::vector<uint32_t> models;
  std::vector<Matrix3x4> places;
  std::vector<Playback> playbacks;
  std::vector<uint8_t> host_posed;
  std::vector<ChainTarget> targets;
  std::vector<uint64_t> outfits;
  std::vector<uint32_t> generations;

  crowd::Instances instances() const {
    crowd::Instances all;
    all.models = models, all.world_from_model = places, all.playbacks = playbacks, all.host_posed = host_posed;
    all.targets = targets, all.outfits = outfits, all.generations = generations;
    return all;
  }
};

/// `count` instances in rows of ten, one meter apart; each at another time of its clip.
Host make_host(const Model& model, uint32_t count, double seconds = 0);

/// An instance, and a wearable or its body.
using DrawKey = std::pair<uint32_t, uint32_t>;

/// What a DrawKey is drawn with.
struct Drawn {
  uint32_t model = 0, level = 0;
  std::vector<uint32_t> words;  // of all vertices

  friend bool operator==(const Drawn&, const Drawn&) = default;
};

/// Skips without a device. A validation message fails the test.
class CrowdTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  virtual vulkan::SkinnerInfo skinner_info() const;
  vulkan::SkinnedCrowd make_crowd(const vulkan::CrowdOptions& options = {},
                                  std::span<const SharedModel> models = {&built_in_model(), 1}) const;

  /// Updates, records, submits and waits. The number of the frame ascends.
  Status run_frame(vulkan::SkinnedCrowd& crowd, const Host& host, const crowd::View& view);

  /// The positions of a skinned mesh of VertexFormat::kOctahedral.
  std::vector<Vec3> read_positions(const vulkan::VertexSlice& slice, uint32_t vertex_count);

  /// What each instance is drawn with: by commands, or by first vertices where draws are pulled.
  std::map<DrawKey, Drawn> drawn(const vulkan::SkinnedCrowd& crowd, uint32_t vertex_bytes);

  /// An instance has previous vertices where `before` gives what it was drawn with in the frame before; at the same
  /// level of detail they are the same to the bit. Returns how many were compared.
  uint32_t expect_previous(const vulkan::SkinnedCrowd& crowd,
                           const std::function<const Drawn*(const DrawKey&, const crowd::PosedBatch&)>& before);

  /// The positions of a level of detail, or of a wearable at this level, that plays `playback`: by the evaluator and
  /// the CPU skinner.
  static std::vector<Vec3> expected(const Model& model, uint32_t level, const Playback& playback,
                                    uint32_t wearable = kNoWearable);

  /// All vertices of all draws are those of what their instances play. Returns how many bodies were drawn.
  uint32_t expect_all_drawn(vulkan::SkinnedCrowd& crowd);

  std::unique_ptr<TestDevice> device_;
  uint64_t frame_ = 0;
};

/// Where an instance is drawn; null if it is not. VertexFormat::kOctahedral, here and below.
vulkan::VertexSlice slice_of(const vulkan::SkinnedCrowd& crowd, uint32_t instance);

/// The first mesh of a draw.
inline vulkan::VertexSlice slice_of(const vulkan::Draw& draw) {
  return {draw.vertex_buffer, VkDeviceSize{draw.first_vertex} * sizeof(SkinnedVertex)};
}

}  // namespace sinew::test
