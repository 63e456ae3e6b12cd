// Every way in which a host finds skinned vertices gives the same bytes: commands and vertex input, first vertices and
// pulling, previous vertices; in all formats, with wearables, update groups and several models of odd sizes.
#include <cstring>
#include <map>

#include "crowd_fixture.h"
#include "sinew/asset/skinned_vertex.h"

namespace sinew::test {
namespace {

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

// The functions of draws are replaced, to see what record_with_previous() binds.
struct Bound {
  VertexSlice now, previous;
};
Bound last_bound;
std::map<uint32_t, Bound> drawn_with;  // by firstInstance + i
PFN_vkGetDeviceProcAddr get_function = nullptr;

void VKAPI_CALL bind(VkCommandBuffer, uint32_t, uint32_t count, const VkBuffer* buffers, const VkDeviceSize* offsets) {
  ASSERT_EQ(count, 2u);
  last_bound = {{buffers[0], offsets[0]}, {buffers[1], offsets[1]}};
}
void VKAPI_CALL draw_indexed(VkCommandBuffer, uint32_t, uint32_t instances, uint32_t, int32_t offset, uint32_t first) {
  ASSERT_EQ(offset, 0);
  for (uint32_t i = 0; i < instances; ++i) drawn_with[first + i] = last_bound;
}
PFN_vkVoidFunction VKAPI_CALL watched(VkDevice device, const char* name) {
  if (std::strcmp(name, "vkCmdBindVertexBuffers") == 0) return reinterpret_cast<PFN_vkVoidFunction>(bind);
  if (std::strcmp(name, "vkCmdDrawIndexed") == 0) return reinterpret_cast<PFN_vkVoidFunction>(draw_indexed);
  return get_function(device, name);
}

class DrawPathTest : public CrowdTest, public ::testing::WithParamInterface<Layout> {
 protected:
  vulkan::SkinnerInfo skinner_info() const override {
    vulkan::SkinnerInfo info = CrowdTest::skinner_info();
    info.consumers = info.consumers | vulkan::kVertexPulling;
    info.format = GetParam().format, info.tangents = GetParam().tangents;
    get_function = device_->vk.GetDeviceProcAddr, info.get_device_proc_addr = watched;
    return info;
  }
  SkinnedCrowd make(bool pulls) {
    return make_crowd({.planner = {.cull = false, .previous_poses = true}, .vertex_pulling = pulls}, models());
  }

  static void expect_transforms(const SkinnedCrowd& crowd, const Host& host) {
    std::vector<Matrix3x4> places(crowd.instances().size());
    crowd.write_transforms(host.instances(), places);
    for (size_t i = 0; i < places.size(); ++i) {
      const Matrix3x4& own = host.places[crowd.instances()[i]];
      EXPECT_TRUE(places[i].m[0][3] == own.m[0][3] && places[i].m[2][3] == own.m[2][3]) << i;
    }
  }

  /// Draws bind the vertices of now, and the previous ones where there are some.
  static void expect_bound(const SkinnedCrowd& crowd) {
    std::vector<VertexSlice> slices(crowd.instances().size());
    ASSERT_TRUE(crowd.write_previous_vertices(slices));
    for (const Draw& draw : crowd.draws()) {
      drawn_with.clear();
      ASSERT_TRUE(draw.record_with_previous(VK_NULL_HANDLE));
      for (const crowd::DrawCommand& command : crowd.commands().subspan(draw.first_command, draw.command_count)) {
        const VkDeviceSize vertex = VkDeviceSize{draw.first_vertex} + VkDeviceSize(command.vertex_offset);
        const VertexSlice now{draw.vertex_buffer, vertex * GetParam().vertex_bytes()};
        for (uint32_t i = command.first_instance; i < command.first_instance + command.instance_count; ++i) {
          EXPECT_TRUE(drawn_with[i].now == now) << i;
          EXPECT_TRUE(drawn_with[i].previous == (slices[i].buffer != VK_NULL_HANDLE ? slices[i] : now)) << i;
        }
      }
    }
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
    expect_bound(input);
    expect_transforms(pulled, host);
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
