// Our own character, quantized and compressed here, moves as the plain file does, within the precision of its numbers.
#include <gtest/gtest.h>

#include <cstdio>

#include "asset/larger_error.h"
#include "compressed_file.h"
#include "gltf_file.h"
#include "posing.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

constexpr const char* kPlain = SINEW_SOURCE_DIR "/assets/character.glb";

struct CompressionCase {
  const char* name;
  Compression compression;
  float bound;  // of the distance of two positions, as a share of the diagonal
};

class Compressed : public testing::TestWithParam<CompressionCase> {
 protected:
  /// For each vertex of the plain mesh the one of the other mesh that looks most like it, in the rest pose.
  std::vector<uint32_t> matches() const {
    const Posed plain = pose(plain_), other = pose(other_);
    const auto distance = [&](uint32_t v, uint32_t w) {
      const Vec2 a = plain_.mesh.uvs[v], b = other_.mesh.uvs[w];
      return length(plain.positions[v] - other.positions[w]) + 0.01f * length(plain.normals[v] - other.normals[w]) +
             0.1f * (std::abs(a.x - b.x) + std::abs(a.y - b.y));
    };
    std::vector<uint32_t> result(plain.positions.size());
    for (uint32_t v = 0; v < result.size(); ++v) {
      float least = distance(v, 0);
      for (uint32_t w = 1; w < other.positions.size(); ++w) {
        if (std::abs(plain.positions[v].x - other.positions[w].x) >= least) continue;  // without a root, for most
        if (const float d = distance(v, w); d < least) least = d, result[v] = w;
      }
    }
    return result;
  }

  TemporaryFolder folder_;
  Character plain_ = must(load_character(kPlain)), other_;
};

TEST_P(Compressed, CharacterMovesAsThePlainFileDoes) {
  const std::string bytes = compressed_file(read_file_text(kPlain), GetParam().compression);
  other_ = must(load_character(folder_.write("compressed.glb", bytes)));
  const bool has_targets = GetParam().compression != Compression::kDraco;
  if (!has_targets) {
    plain_.mesh.targets.clear();
    for (Clip& clip : plain_.clips) clip.weights.clear();
  }
  ASSERT_EQ(other_.clips.size(), plain_.clips.size());
  ASSERT_EQ(other_.mesh.targets.size(), plain_.mesh.targets.size());
  EXPECT_EQ(other_.mesh.indices.size(), plain_.mesh.indices.size());
  const std::vector<uint32_t> match = matches();
  float largest = 0, largest_turn = 0;
  for (int clip = 0; clip < int(plain_.clips.size()); ++clip) {
    for (const float share : {0.0f, 0.3f, 0.7f}) {
      const float time = share * plain_.clips[size_t(clip)].duration_seconds();
      const Posed a = pose(plain_, clip, time), b = pose(other_, clip, time);
      const float diagonal = diagonal_of(a.positions);
      for (uint32_t v = 0; v < match.size(); ++v) {
        largest = sinew::internal::larger_error(largest, length(a.positions[v] - b.positions[match[v]]) / diagonal);
        largest_turn = sinew::internal::larger_error(largest_turn, length(a.normals[v] - b.normals[match[v]]));
      }
    }
  }
  std::printf("%s: %zu bytes, positions %.2g of the diagonal, normals %.2g\n", GetParam().name, bytes.size(),
              double(largest), double(largest_turn));
  EXPECT_LT(largest, GetParam().bound);
  EXPECT_GT(largest, 0);  // it is not the plain file
  EXPECT_LT(largest_turn, 0.02f);
}

INSTANTIATE_TEST_SUITE_P(All, Compressed,
                         testing::Values(CompressionCase{"quantized", Compression::kQuantized, 5e-5f},
                                         CompressionCase{"meshopt", Compression::kMeshopt, 5e-5f},
                                         CompressionCase{"draco_sequential", Compression::kDracoSequential, 2e-4f},
                                         CompressionCase{"draco", Compression::kDraco, 2e-4f}),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace sinew::test
