// Failing allocations during import: the call returns an Error, throws nothing and can be repeated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gltf_file.h"
#include "must.h"
#include "out_of_memory.h"
#include "sinew/asset/character_file.h"
#include "sinew/import/import.h"
#include "sinew/import/lod.h"

namespace sinew::test {
namespace {

/// Some calls fail, with the message; others succeed all the same, where a library does without the memory.
template <class Call>
void expect_import_errors(Call call) {
  int errors = 0;
  for_each_heap_fault(nothing, call, [&](const auto& result, bool reached) {
    EXPECT_TRUE(reached || result) << result.error().message;
    if (result) return;
    ++errors;
    EXPECT_EQ(result.error().code, ErrorCode::kOutOfMemory) << result.error().message;
    EXPECT_THAT(result.error().message, ::testing::EndsWith("out of memory"));
  });
  EXPECT_GT(errors, 10);
}

GltfFile two_joints_with_clip() {
  GltfFile file = two_joints();
  file.add_channel(1, "translation", {0, 1}, {0, 0, 0, 1, 1, 1});
  return file;
}

TEST(Memory, LoadingAStoredCharacterReturnsTheError) {
  const TemporaryFolder folder;
  GltfFile file = two_joints_with_clip();
  const Character character = must(load_character(file.write(folder)));
  const std::string path = folder.path("a.sinew");
  ASSERT_TRUE(write_character_file(path, {character, {}, {}}));
  const ImportOptions options{{path}, 1, true};
  expect_import_errors([&] { return load_character(path, options); });
}

/// A clip of a stored file is added to another character: what its keys leave out of its range is left out of it.
TEST(StoredClips, BringTheirMarkers) {
  const TemporaryFolder folder;
  GltfFile file = two_joints_with_clip();
  const std::string model = file.write(folder), path = folder.path("a.sinew");
  Character character = must(load_character(model));
  character.clips[0].end_seconds = 2;
  character.clips[0].markers = {{0, "left"}, {0.5f, "right"}, {1.5f, "late"}};
  ASSERT_TRUE(write_character_file(path, {character, {}, {}}));
  ImportReport report;
  const Character both = must(load_character(model, {.animation_files = {path}}, &report));
  ASSERT_EQ(both.clips.size(), 2u);
  EXPECT_TRUE(both.clips[0].markers.empty()) << "glTF has none";
  const std::vector<Marker>& markers = both.clips[1].markers;
  ASSERT_EQ(markers.size(), 2u);
  EXPECT_EQ(markers[0].name, "left");
  EXPECT_EQ(markers[1].time_seconds, 0.5f);
  EXPECT_THAT(report.warnings, ::testing::Contains(::testing::HasSubstr(": 1 marker outside its keys, left out")));
}

TEST(Memory, IsolatedImportReturnsTheError) {
  const TemporaryFolder folder;
  GltfFile file = two_joints_with_clip();
  const std::string path = file.write(folder), program = folder.write("program", "#!/bin/sh\nexit 1\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const ImportOptions options{{path}};
  const IsolationOptions isolation{.program = program};
  const auto import = [&] { return import_isolated(path, options, isolation); };
  int errors = 0;
  // The program always fails. Where an allocation fails after the program has ended, the program's error is returned.
  for_each_heap_fault(nothing, import, [&](const auto& result, bool reached) {
    ASSERT_FALSE(result);
    const bool out_of_memory = result.error().code == ErrorCode::kOutOfMemory;
    EXPECT_TRUE(reached || !out_of_memory) << result.error().message;
    errors += out_of_memory;
  });
  EXPECT_GT(errors, 10);
}

/// A square of `side` x `side` quads, which share their vertices.
Mesh grid_mesh(uint32_t side) {
  Mesh mesh;
  for (uint32_t y = 0; y <= side; ++y) {
    for (uint32_t x = 0; x <= side; ++x) {
      mesh.positions.push_back({float(x), float(y), 0});
      mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
      mesh.influences.push_back({0, 1});
    }
  }
  mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
  mesh.normals.resize(mesh.positions.size(), {0, 0, 1});
  mesh.uvs.resize(mesh.positions.size());
  for (uint32_t y = 0; y < side; ++y) {
    for (uint32_t x = 0; x < side; ++x) {
      const uint32_t a = y * (side + 1) + x, b = a + 1, c = a + side + 1, d = c + 1;
      mesh.indices.insert(mesh.indices.end(), {a, b, c, b, d, c});
    }
  }
  mesh.parts.push_back({"grid", PartKind::kStatic, 0, 0, mesh.vertex_count(), 0, uint32_t(mesh.indices.size())});
  return mesh;
}

TEST(Memory, MakingLevelsOfDetailReturnsTheError) {
  const Mesh mesh = grid_mesh(6);
  const LodOptions options;
  const auto levels = must(make_levels(mesh, {}, options));
  EXPECT_FALSE(levels.empty());
  expect_import_errors([&] { return make_levels(mesh, {}, options); });
}

}  // namespace
}  // namespace sinew::test
