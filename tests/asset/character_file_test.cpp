// `.sinew` files: decoding returns what was encoded, and refuses damaged files.
#include "sinew/asset/character_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "archive.h"
#include "asset/file.h"
#include "example_character.h"
#include "message.h"

namespace sinew::test {

using namespace internal;

namespace {

using ::testing::HasSubstr;

FileBytes encoded(const CharacterFile& file) {
  const auto bytes = encode_character(file);
  EXPECT_TRUE(bytes) << bytes.error().message;
  return aligned(*bytes);
}

std::string message_of(const FileBytes& file) { return test::message_of(decode_character(file.bytes())); }

void expect_round_trip(const CharacterFile& file) {
  const auto decoded = decode_character(encoded(file).bytes());
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_TRUE(file.character == decoded->character);
  EXPECT_TRUE(file.baked == decoded->baked);
  EXPECT_TRUE(file.report == decoded->report);
  EXPECT_TRUE(file.levels == decoded->levels);
  EXPECT_TRUE(file.wearables == decoded->wearables);
  EXPECT_TRUE(file == *decoded);
}

TEST(CharacterFile, RoundTripsWithAndWithoutWhatMayBeAbsent) {
  expect_round_trip(example_file());
  expect_round_trip(example_file_with_levels());
  CharacterFile file{example_character(), {}, {}};
  file.character.mesh.tangents.clear();
  expect_round_trip(file);
}

TEST(CharacterFile, LargeArraysAreAlignedTo64Bytes) {
  const CharacterFile file = example_file();
  const FileBytes bytes = encoded(file);
  const auto offset_of = [&](const auto& values) {
    const auto wanted = std::as_bytes(std::span(values));
    const auto found = std::search(bytes.bytes().begin(), bytes.bytes().end(), wanted.begin(), wanted.end());
    EXPECT_NE(found, bytes.bytes().end());
    return found - bytes.bytes().begin();
  };
  EXPECT_EQ(offset_of(file.character.mesh.positions) % 64, 0);
  EXPECT_EQ(offset_of(file.character.mesh.normals) % 64, 0);
  EXPECT_EQ(offset_of(file.character.mesh.tangents) % 64, 0);
  EXPECT_EQ(offset_of(file.baked->frames) % 64, 0);
}

TEST(CharacterFile, InvalidContentIsNotEncoded) {
  CharacterFile file = example_file();
  file.character.mesh.influences[0].entry = 9;
  EXPECT_FALSE(encode_character(file));
  file = example_file();
  file.baked->clips[0].times.frame_count = 99;
  EXPECT_FALSE(encode_character(file));
  file = example_file();
  file.baked->clips[0].end_seconds = 3;
  EXPECT_FALSE(encode_character(file)) << "the bake of another character";
}

TEST(CharacterFile, EveryTruncationIsRefused) {
  const FileBytes whole = encoded(example_file());
  for (size_t size = 0; size < whole.bytes().size(); ++size) {
    EXPECT_FALSE(decode_character(aligned(whole.bytes().first(size)).bytes())) << size;
  }
}

TEST(CharacterFile, AFlippedBitInAnyByteIsRefused) {
  FileBytes file = encoded(example_file());
  for (size_t at = 0; at < file.bytes().size(); ++at) {
    const std::byte flipped = std::byte(1 << at % 8);
    file.bytes()[at] ^= flipped;
    EXPECT_FALSE(decode_character(file.bytes())) << "byte " << at;
    file.bytes()[at] ^= flipped;
  }
  EXPECT_TRUE(decode_character(file.bytes()));
}

TEST(CharacterFile, DamageWithAMatchingChecksumIsRefusedOrDecodesToValidContent) {
  const FileBytes whole = encoded(example_file_with_levels());
  size_t accepted = 0;
  for (const unsigned value : {0x00u, 0x01u, 0x7Fu, 0xFFu}) {
    for (size_t at = 8; at < whole.bytes().size(); ++at) {
      FileBytes file = aligned(whole.bytes());
      file.bytes()[at] = std::byte(value);
      seal(file);
      const auto decoded = decode_character(file.bytes());
      if (!decoded) continue;
      ++accepted;
      EXPECT_TRUE(validate(*decoded)) << at;
    }
  }
  EXPECT_GT(accepted, 1000u) << "bytes of names, pixels and positions may have any value";
}

struct Fault {
  const char* name;
  std::function<void(std::span<std::byte>)> apply;
  const char* message;
};

/// Overwrites four bytes.
std::function<void(std::span<std::byte>)> put(size_t offset, uint32_t value) {
  return [=](std::span<std::byte> bytes) { std::memcpy(bytes.data() + offset, &value, sizeof(value)); };
}

/// Adds to four bytes.
std::function<void(std::span<std::byte>)> add(size_t offset, uint32_t more) {
  return [=](std::span<std::byte> bytes) {
    uint32_t value = 0;
    std::memcpy(&value, bytes.data() + offset, sizeof(value));
    put(offset, value + more)(bytes);
  };
}

// Byte offsets. The header has magic, version, section count and size; a table entry has kind, offset and size.
constexpr size_t kVersion = 8, kCount = 12, kSize = 16, kTable = 64, kEntry = 24;

TEST(CharacterFile, ErrorMessagesNameTheFaultOfTheContainer) {
  const Fault faults[] = {{"magic", put(0, 0x46546C67), "begins with other bytes"},
                          {"an older version", put(kVersion, 4), "version 4, not 7"},
                          {"an older version", put(kVersion, 6), "version 6, not 7"},
                          {"a later version", put(kVersion, 8), "version 8, not 7"},
                          {"no sections", put(kCount, 0), "does not end where"},
                          {"many sections", put(kCount, 1u << 31), "sections"},
                          {"one section less", put(kCount, 7), "does not end where"},
                          {"another size", put(kSize, 64), "bytes of 64"},
                          {"unknown kind", put(kTable + 7 * kEntry, 77), "unknown or out of order"},
                          {"a kind twice", put(kTable + kEntry, 1), "unknown or out of order"},
                          {"offset past the end", put(kTable + 2 * kEntry + 8, 1u << 30), "skin section is not within"},
                          {"size past the end", put(kTable + 3 * kEntry + 16, 1u << 30), "mesh section is not within"},
                          {"size just past the end", add(kTable + 7 * kEntry + 16, 64), "report section is not within"},
                          {"size into the padding", add(kTable + 7 * kEntry + 16, 4), "report section is longer than"},
                          {"enormous size", put(kTable + 3 * kEntry + 20, 0xFFFFFFFF), "mesh section is not within"}};
  const FileBytes whole = encoded(example_file());
  for (const Fault& fault : faults) {
    FileBytes file = aligned(whole.bytes());
    fault.apply(file.bytes());
    seal(file);
    EXPECT_THAT(message_of(file), HasSubstr(fault.message)) << fault.name;
  }
}

TEST(CharacterFile, CountsAreCheckedAgainstTheRemainingBytes) {
  const FileBytes whole = encoded(example_file());
  uint64_t mesh = 0;
  std::memcpy(&mesh, whole.bytes().data() + kTable + 3 * kEntry + 8, sizeof(mesh));
  for (const uint64_t count : {uint64_t(41), uint64_t(1) << 32, UINT64_MAX / 12 + 1, UINT64_MAX}) {
    FileBytes file = aligned(whole.bytes());
    std::memcpy(file.bytes().data() + mesh, &count, sizeof(count));  // the number of positions
    seal(file);
    EXPECT_THAT(message_of(file), HasSubstr("mesh")) << count;
  }
}

TEST(CharacterFile, MisalignedBytesAreRefused) {
  const FileBytes whole = encoded(example_file());
  FileBytes room = *FileBytes::allocate(whole.bytes().size() + 64);
  const auto shifted = room.bytes().subspan(4, whole.bytes().size());
  std::copy(whole.bytes().begin(), whole.bytes().end(), shifted.begin());
  const auto decoded = decode_character(shifted);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, ErrorCode::kInvalidArgument);
}

TEST(CharacterFile, ErrorsNameTheFile) {
  const auto missing = load_character_file("absent.sinew");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(missing.error().message, HasSubstr("'absent.sinew'"));
  EXPECT_THAT(write_character_file("/no/such/folder/a.sinew", example_file()).error().message,
              HasSubstr("/no/such/folder/a.sinew"));
}

TEST(CharacterFile, IsRecognizedByItsExtension) {
  EXPECT_TRUE(is_character_file("a/b.sinew"));
  EXPECT_TRUE(is_character_file("a.SINEW"));
  EXPECT_FALSE(is_character_file("a.sinew.glb"));
  EXPECT_FALSE(is_character_file("sinew"));
}

TEST(BakedCharacter, EveryFaultIsRefused) {
  EXPECT_TRUE(validate(example_bake()));
  const auto refused = [](auto damage) {
    BakedCharacter baked = example_bake();
    damage(baked);
    return !validate(baked);
  };
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.nodes[1].parent = 1; })) << "its own parent";
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.nodes[1].parent = -2; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.nodes[1].joint = 2; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.nodes[1].joint = -2; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.nodes[1].entry = 2; })) << "entries out of order";
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.nodes[2].entry = -1; })) << "an entry that no node writes";
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.nodes[2].entry = -2; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.nodes[2].origin.y = NAN; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.palette_size = 4; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.quantizations.pop_back(); }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.additive_quantizations.pop_back(); }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.quantizations[3].scale[7] = INFINITY; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.additive_quantizations[3].center[7] = NAN; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.blocks_per_node = 0; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.blocks_per_node = 3; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.cache_lines_per_frame = 0; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.cache_lines_per_frame = 1; })) << "too short for its values";
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.frames.pop_back(); }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.frames.clear(), b.clips.clear(); }))
      << "no frame, not even for the rest pose";
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clips[0].times.frame_count = 1; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clips[0].times.frame_count = 5; })) << "past the last frame";
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clips[0].first_frame = UINT32_MAX - 1; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clips[0].times.frames_per_second = 0; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clips[0].times.frame_seconds.pop_back(); })) << "not one per frame";
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clips[0].times.frame_seconds[1] = 1.75f; })) << "out of order";
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clips[0].times.frame_seconds[1] = NAN; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clips[0].times.frame_seconds[0] = 0.5f; })) << "after the start";
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clips[0].times.frame_seconds[3] = 2.0f; })) << "before the end";
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clip_weights[0].times.frame_seconds = {0.25f, 2.5f}; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clips[0].start_seconds = NAN; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clips[0].start_seconds = 9; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clips[0].error_joint = 2; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clips[0].error_joint = -2; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clips[0].error_seconds = INFINITY; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.additive_quantizations.clear(); })) << "an additive clip needs them";
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.scale = NAN; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.rest_weights[1] = NAN; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.weight_values[2] = INFINITY; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clip_weights.pop_back(); })) << "of one clip less";
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.rest_weights.clear(); })) << "of targets that are not there";
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.weight_targets[0] = 2; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clip_weights[0].first_target = 1; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clip_weights[0].times.frame_count = 4; })) << "past the last value";
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clip_weights[0].first_value = UINT32_MAX; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clip_weights[0].times.frame_count = 1; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clip_weights[0].times.frames_per_second = NAN; }));
  EXPECT_TRUE(refused([](BakedCharacter& b) { b.clip_weights[1].error = -1; }));
  for (const float error : {INFINITY, NAN}) {
    EXPECT_TRUE(refused([=](BakedCharacter& b) { b.clips[0].error = error; }));
    EXPECT_TRUE(refused([=](BakedCharacter& b) { b.clip_weights[1].error = error; }));
  }
}

}  // namespace
}  // namespace sinew::test
