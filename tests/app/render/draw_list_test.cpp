// What a draw list names: indices, the first vertex of each posed mesh, and its instances.
#include "render/draw_list.h"

#include <gtest/gtest.h>

#include "gpu/host.h"
#include "shared/crowd.h"

namespace sinew::app {
namespace {

TEST(IndexType, HasNoMoreBitsThanTheVerticesNeed) {
  EXPECT_EQ(index_type_of(3), VK_INDEX_TYPE_UINT16);
  EXPECT_EQ(index_type_of(65536), VK_INDEX_TYPE_UINT16);
  EXPECT_EQ(index_type_of(65537), VK_INDEX_TYPE_UINT32);
  EXPECT_EQ(index_type_of(131072), VK_INDEX_TYPE_UINT32);
}

/// One range of posed meshes of 10 vertices and 4 matrices, with an instance each but for every seventh, and a mesh of
/// two materials. The range begins at matrix 100 of its page.
class DrawLists : public ::testing::Test {
 protected:
  static constexpr uint32_t kMeshes = 1200, kVertices = 10, kEntries = 4;

  void SetUp() override {
    const Status ready = set_up({}, context_);
    if (!ready) GTEST_SKIP() << "NO VULKAN DEVICE FOR THIS TEST: " << ready.error().message;
    for (uint32_t mesh = 0; mesh < kMeshes; ++mesh) {
      const auto first = uint32_t(plan_.instances.size()), count = uint32_t(mesh % 7 != 3);
      plan_.posed_meshes.push_back({mesh, first, count});
      if (count == 1) plan_.instances.push_back(mesh);
    }
    plan_.batches.push_back({.mesh_count = kMeshes});
    scene_.instances.resize(kMeshes);
    std::vector<MaterialDraw>& materials = buffers_.materials.emplace_back(2);
    materials[0].first_index = 6, materials[0].index_count = 30;
    materials[1].first_index = 36, materials[1].index_count = 9;
    range_.mesh_count = kMeshes, range_.vertex_count = kVertices;
    range_.palette_stride = kEntries, range_.first_entry = 100;
  }

  const DrawList& written(VertexSource vertices) {
    EXPECT_TRUE(
        write_draw_list(context_.device, {scene_, plan_, buffers_, {&range_, 1}, vertices, ParallelFor()}, list_));
    return list_;
  }

  const shared::InstanceAttributes& attributes(uint32_t i) const {
    return static_cast<const shared::InstanceAttributes*>(list_.instances.mapped)[i];
  }

  GraphicsContext context_;
  crowd::Plan plan_;
  Scene scene_;
  ModelBuffers buffers_;
  SkinnedRange range_;
  DrawList list_;
};

TEST_F(DrawLists, BeginAtTheVerticesOfEachPosedMesh) {
  const DrawList& list = written(VertexSource::kInput);
  EXPECT_GT(list.pieces.size(), 2u) << "too few posed meshes for several pieces";
  const auto draws = uint32_t(plan_.instances.size());
  ASSERT_EQ(list.calls.size(), 2u);
  ASSERT_EQ(list.direct.size(), size_t{2} * draws);
  for (const DrawCalls& calls : list.calls) {
    EXPECT_EQ(calls.command_count, draws);
    for (uint32_t i = 0; i < draws; ++i) {
      const VkDrawIndexedIndirectCommand& draw = list.direct[calls.first_command + i];
      ASSERT_EQ(draw.vertexOffset, int32_t(plan_.instances[i] * kVertices)) << i;
      EXPECT_EQ(draw.firstInstance, i);
      EXPECT_EQ(draw.firstIndex, calls.material == 0 ? 6u : 36u);
      EXPECT_EQ(draw.indexCount, calls.material == 0 ? 30u : 9u);
    }
  }
}

TEST_F(DrawLists, OfShadersThatReadVerticesAreOneForEachMaterial) {
  for (const VertexSource vertices : {VertexSource::kPulling, VertexSource::kSkinning}) {
    const DrawList& list = written(vertices);
    ASSERT_EQ(list.direct.size(), 2u);
    EXPECT_EQ(list.direct[1].instanceCount, plan_.instances.size());
    EXPECT_EQ(list.direct[1].firstIndex, 36u);
    const bool skins = vertices == VertexSource::kSkinning;
    for (uint32_t i = 0; i < plan_.instances.size(); ++i) {
      const uint32_t mesh = plan_.instances[i];
      ASSERT_EQ(attributes(i).first_element, skins ? 100 + mesh * kEntries : mesh * kVertices) << i;
    }
  }
}

}  // namespace
}  // namespace sinew::app
