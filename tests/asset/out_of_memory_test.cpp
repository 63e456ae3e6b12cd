// Failing allocations in every function of sinew::asset that allocates.
#include "out_of_memory.h"

#include <gtest/gtest.h>

#include <string>

#include "asset/file.h"
#include "example_character.h"
#include "files.h"
#include "sinew/asset/mesh.h"

namespace sinew {

using namespace internal;

namespace {

using test::example_character;
using test::example_file;
using test::expect_out_of_memory;

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

TEST(OutOfMemory, ValidationOfInvalidDataThrowsNothing) {
  Character character = example_character();
  character.skeleton.parents[0] = 1;
  expect_out_of_memory([&] { return validate(character); });
  expect_out_of_memory([&] { return validate(character.skeleton); });
  character = example_character();
  character.skin.entries[1].joint = 77;
  expect_out_of_memory([&] { return validate(character.skin, character.skeleton); });
  character.mesh.indices[0] = 3000;
  expect_out_of_memory([&] { return validate(character.mesh, 3); });
  character.clips[0].tracks[0].joint = 77;
  expect_out_of_memory([&] { return validate(character.clips[0], 2); });
  BakedCharacter baked = test::example_bake();
  expect_out_of_memory([&] {
    baked.clips[0].times.frame_count = 0;
    return validate(baked);
  });
  baked.joint_count = 7;
  expect_out_of_memory([&] { return validate(baked, character); });
}

TEST(OutOfMemory, EncodingAndDecodingReturnTheError) {
  const CharacterFile file = example_file();
  expect_out_of_memory([&] { return encode_character(file); });
  const auto encoded = encode_character(file);
  const FileBytes bytes = test::aligned(*encoded);
  expect_out_of_memory([&] { return decode_character(bytes.bytes()); });
  expect_out_of_memory([&] { return FileBytes::allocate(100); });
}

TEST(OutOfMemory, FailedWritesLeaveTheOldFile) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("a.sinew"), text = "new";
  ASSERT_TRUE(write_file(path, bytes_of("old")));
  const auto is_old = [&] {
    EXPECT_EQ(test::read_file_text(path), "old");
    EXPECT_EQ(folder.file_count(), 1u);
  };
  expect_out_of_memory(
      [&] {
        const Status status = write_file(path, bytes_of(text));
        return status;
      },
      is_old);
  EXPECT_EQ(test::read_file_text(path), "new");
  const CharacterFile file = example_file();
  ASSERT_TRUE(write_file(path, bytes_of("old")));
  expect_out_of_memory([&] { return write_character_file(path, file); }, is_old);
  expect_out_of_memory([&] { return load_character_file(path); });
  expect_out_of_memory([&] { return read_file(path); });
  const std::string nowhere = folder.path("no/such/folder"), directory = folder.path("");
  expect_out_of_memory([&] { return check_writable(nowhere); });
  expect_out_of_memory([&] { return check_readable(directory); });
}

TEST(OutOfMemory, MeshIsUnchangedWhereReorderingFails) {
  const Mesh before = test::example_mesh();
  Mesh mesh;
  int failures = 0;
  const auto renew = [&] { mesh = before; };
  const auto reorder = [&] { return order_by_influences(mesh); };
  test::for_each_heap_fault(renew, reorder, [&](const Status& status, bool) {
    EXPECT_EQ(mesh.indices != before.indices, bool(status));
    EXPECT_EQ(mesh.first_influence != before.first_influence, bool(status));
    EXPECT_TRUE(validate(mesh, 3));
    failures += !status;
  });
  EXPECT_GT(failures, 3);
}

}  // namespace
}  // namespace sinew
