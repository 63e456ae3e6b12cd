// Every way in which a host finds skinned vertices gives the same bytes: commands and vertex input, first vertices and
// pulling, previous vertices; in all formats, with wearables, update groups and several models of odd sizes.
#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

#include "crowd_fixture.h"
#include "sinew/asset/skinned_vertex.h"

namespace sinew::test {
namespace {

using vulkan::CrowdOptions;
using vulkan::Draw;
using vulkan::SkinnedCrowd;
using vulkan::VertexFormat;
using vulkan::VertexSlice;

const std::vector<SharedModel>& models() {
  static const std::vector<SharedModel> all{rig_model(5), rig_model(7), dressed_model(), rig_model(9)};
  return all;
}

Host host_at(double seconds) {
  Host host = make_host(*dressed_model(), 36, seconds);
  for (uint32_t i = 0; i < host.models.size(); ++i) {
    host.models[i] = i % 4, host.outfits.push_back(i % 8);
    if (host.models[i] != 2) host.playbacks[i] = make_host(*models()[host.models[i]], i + 1, seconds).playbacks[i];
  }
  return host;
}

struct Layout {
  VertexFormat format{};
  bool tangents = false;

  uint32_t vertex_bytes() const { return uint32_t(format) + (tangents ? 4 : 0); }
};

class DrawPathTest : public CrowdTest, public ::testing::WithParamInterface<Layout> {
 protected:
  SkinnedCrowd make(bool pulls) {
    vulkan::SkinnerInfo info = skinner_info();
    info.consumers = info.consumers | vulkan::kVertexPulling;
    info.format = GetParam().format, info.tangents = GetParam().tangents;
    CrowdOptions options{.planner = {.cull = false, .previous_poses = true}, .vertex_pulling = pulls};
    auto made = SkinnedCrowd::create(info, models(), options);
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return made ? std::move(*made) : SkinnedCrowd();
  }

  /// Formats with positions as floats.
  void expect_positions(const SkinnedCrowd& crowd, const std::map<DrawKey, Drawn>& all) {
    const size_t words = GetParam().vertex_bytes() / 4;
    for (const auto& [key, mesh] : all) {
      const auto playback = crowd.playback_of(key.first);
      ASSERT_TRUE(playback);
      std::vector<Vec3> positions(mesh.words.size() / words);
      for (size_t v = 0; v < positions.size(); ++v)
        std::memcpy(static_cast<void*>(&positions[v]), &mesh.words[v * words], sizeof(Vec3));
      const auto exact = expected(*models()[mesh.model], mesh.level, *playback, key.second);
      EXPECT_LT(largest_distance(positions, exact), 2e-5f) << key.first << ' ' << key.second;
    }
  }
};

TEST_P(DrawPathTest, GivesTheSameBytes) {
  SkinnedCrowd input = make(false), pulled = make(true);
  std::map<DrawKey, Drawn> before;
  const uint32_t bytes = GetParam().vertex_bytes();
  uint32_t previous = 0, kept = 0;
  for (uint64_t frame = 1; frame <= 6; ++frame) {
    const Host host = host_at(double(frame) / 60);
    const crowd::View view = view_from(frame == 4 ? 90.0f : 40.0f);  // others levels of detail in frame 4
    for (SkinnedCrowd* crowd : {&input, &pulled}) {
      ASSERT_TRUE(crowd->update({.number = frame, .seconds = double(frame) / 60}, host.instances(), {&view, 1}));
      device_->submit_and_wait([&](VkCommandBuffer cmd) { crowd->record(cmd); });
    }
    const auto now = drawn(input, bytes);
    EXPECT_TRUE(drawn(pulled, bytes) == now) << frame;
    if (GetParam().format != VertexFormat::kPacked) expect_positions(input, now);
    const auto drawn_before = [&](const DrawKey& key, const crowd::PosedBatch&) {
      const auto was = before.find(key);
      return was == before.end() ? nullptr : &was->second;
    };
    previous += expect_previous(input, drawn_before);
    expect_previous(pulled, drawn_before);
    kept += input.plan().counters.not_updated;
    before = now;
  }
  EXPECT_GT(previous, 100u);
  EXPECT_GT(kept, 0u);
}

std::string name_of(const ::testing::TestParamInfo<Layout>& info) {
  return std::to_string(uint32_t(info.param.format)) + (info.param.tangents ? "AndTangents" : "Bytes");
}

INSTANTIATE_TEST_SUITE_P(Formats, DrawPathTest,
                         ::testing::Values(Layout{VertexFormat::kPacked, false}, Layout{VertexFormat::kPacked, true},
                                           Layout{VertexFormat::kOctahedral, false},
                                           Layout{VertexFormat::kOctahedral, true}, Layout{VertexFormat::kFloat, false},
                                           Layout{VertexFormat::kFloat, true}),
                         name_of);

}  // namespace
}  // namespace sinew::test
