// `.sinew` files: decoding returns what was encoded, and refuses damaged files.
#include "sinew/asset/character_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <tuple>

#include "archive.h"
#include "asset/file.h"
#include "example_character.h"

namespace sinew::test {

using namespace internal;

namespace {

using ::testing::HasSubstr;

/// A copy that begins at a multiple of 64 bytes, as decode_character() requires.
FileBytes aligned(std::span<const std::byte> bytes) {
  FileBytes copy = *FileBytes::allocate(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.bytes().begin());
  return copy;
}

FileBytes encoded(const CharacterFile& file) {
  const auto bytes = encode_character(file);
  EXPECT_TRUE(bytes) << bytes.error().message;
  return aligned(*bytes);
}

/// Writes the checksum that matches the file's bytes.
void seal(FileBytes& file) {
  const uint64_t checksum = checksum_of(file.bytes());
  std::memcpy(file.bytes().data() + kChecksumOffset, &checksum, sizeof(checksum));
}

std::string message_of(const FileBytes& file) {
  const auto decoded = decode_character(file.bytes());
  return decoded ? "accepted" : decoded.error().message;
}

template <class T>
void expect_same(const std::vector<T>& a, const std::vector<T>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  const auto x = std::as_bytes(std::span(a)), y = std::as_bytes(std::span(b));
  EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin())) << what;
}

void expect_same(const Skeleton& a, const Skeleton& b) {
  EXPECT_EQ(a.joint_names, b.joint_names);
  EXPECT_EQ(a.parents, b.parents);
  EXPECT_EQ(a.humanoid_names, b.humanoid_names);
  expect_same(a.rest_pose, b.rest_pose, "rest pose");
  EXPECT_EQ(std::memcmp(&a.model_from_root, &b.model_from_root, sizeof(Matrix3x4d)), 0);
}

void expect_same(const std::vector<MorphTarget>& a, const std::vector<MorphTarget>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t t = 0; t < a.size(); ++t) {
    EXPECT_EQ(std::tie(a[t].name, a[t].rest_weight, a[t].vertices),
              std::tie(b[t].name, b[t].rest_weight, b[t].vertices));
    expect_same(a[t].positions, b[t].positions, "differences of positions");
    expect_same(a[t].normals, b[t].normals, "differences of normals");
    expect_same(a[t].tangents, b[t].tangents, "differences of tangents");
  }
}

void expect_same(const Mesh& a, const Mesh& b) {
  expect_same(a.targets, b.targets);
  expect_same(a.positions, b.positions, "positions");
  expect_same(a.normals, b.normals, "normals");
  expect_same(a.tangents, b.tangents, "tangents");
  expect_same(a.uvs, b.uvs, "uvs");
  expect_same(a.second_uvs, b.second_uvs, "second uvs");
  EXPECT_EQ(a.colors, b.colors);
  EXPECT_EQ(a.indices, b.indices);
  EXPECT_EQ(a.first_influence, b.first_influence);
  ASSERT_EQ(a.influences.size(), b.influences.size());
  for (size_t i = 0; i < a.influences.size(); ++i) {
    EXPECT_EQ(a.influences[i].entry, b.influences[i].entry);
    EXPECT_EQ(a.influences[i].weight, b.influences[i].weight);
  }
  ASSERT_EQ(a.parts.size(), b.parts.size());
  for (size_t i = 0; i < a.parts.size(); ++i) {
    const MeshPart &x = a.parts[i], &y = b.parts[i];
    EXPECT_EQ(std::tie(x.name, x.kind, x.material, x.first_vertex, x.vertex_count, x.first_index, x.index_count),
              std::tie(y.name, y.kind, y.material, y.first_vertex, y.vertex_count, y.first_index, y.index_count));
  }
}

template <class Value>
void expect_same(const Track<Value>& a, const Track<Value>& b) {
  EXPECT_EQ(a.times_seconds, b.times_seconds);
  expect_same(a.values, b.values, "values");
  EXPECT_EQ(a.interpolation, b.interpolation);
}

void expect_same(const Clip& a, const Clip& b) {
  EXPECT_EQ(std::tie(a.name, a.start_seconds, a.end_seconds, a.additive),
            std::tie(b.name, b.start_seconds, b.end_seconds, b.additive));
  ASSERT_EQ(a.tracks.size(), b.tracks.size());
  for (size_t i = 0; i < a.tracks.size(); ++i) {
    EXPECT_EQ(a.tracks[i].joint, b.tracks[i].joint);
    expect_same(a.tracks[i].translation, b.tracks[i].translation);
    expect_same(a.tracks[i].rotation, b.tracks[i].rotation);
    expect_same(a.tracks[i].scale, b.tracks[i].scale);
  }
  ASSERT_EQ(a.weights.size(), b.weights.size());
  for (size_t i = 0; i < a.weights.size(); ++i) {
    EXPECT_EQ(a.weights[i].target, b.weights[i].target);
    expect_same(a.weights[i].weight, b.weights[i].weight);
  }
  ASSERT_EQ(a.markers.size(), b.markers.size());
  for (size_t i = 0; i < a.markers.size(); ++i) {
    EXPECT_EQ(a.markers[i].time_seconds, b.markers[i].time_seconds);
    EXPECT_EQ(a.markers[i].name, b.markers[i].name);
  }
}

auto numbers_of(const Material& m) { return std::tuple(m.metallic, m.roughness, m.normal_scale, m.occlusion_strength); }

auto numbers_of(const Texture& t) {
  return std::tuple(t.image, t.uv_set, t.offset.x, t.offset.y, t.scale.x, t.scale.y, t.rotation, t.wrap_u, t.wrap_v,
                    t.magnify, t.minify, t.mip);
}

TEST(CharacterFile, CharacterRoundTrips) {
  const CharacterFile file = example_file();
  const auto decoded = decode_character(encoded(file).bytes());
  ASSERT_TRUE(decoded) << decoded.error().message;
  const Character &a = file.character, &b = decoded->character;
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(std::memcmp(&a.space, &b.space, sizeof(ModelSpace)), 0);
  expect_same(a.skeleton, b.skeleton);
  ASSERT_EQ(a.skin.entries.size(), b.skin.entries.size());
  for (size_t i = 0; i < a.skin.entries.size(); ++i) {
    EXPECT_EQ(a.skin.entries[i].joint, b.skin.entries[i].joint);
    EXPECT_EQ(std::memcmp(&a.skin.entries[i].joint_from_mesh, &b.skin.entries[i].joint_from_mesh, sizeof(Matrix3x4d)),
              0);
  }
  expect_same(a.mesh, b.mesh);
  ASSERT_EQ(a.clips.size(), b.clips.size());
  for (size_t i = 0; i < a.clips.size(); ++i) expect_same(a.clips[i], b.clips[i]);
  ASSERT_EQ(a.materials.size(), b.materials.size());
  for (size_t i = 0; i < a.materials.size(); ++i) {
    EXPECT_EQ(a.materials[i].name, b.materials[i].name);
    EXPECT_EQ(std::memcmp(&a.materials[i].base_color, &b.materials[i].base_color, sizeof(Vec4)), 0);
    EXPECT_EQ(std::memcmp(&a.materials[i].emissive, &b.materials[i].emissive, sizeof(Vec3)), 0);
    EXPECT_EQ(numbers_of(a.materials[i]), numbers_of(b.materials[i]));
    for (size_t t = 0; t < Material::kTextureCount; ++t)
      EXPECT_EQ(numbers_of(*a.materials[i].textures()[t]), numbers_of(*b.materials[i].textures()[t])) << t;
    EXPECT_EQ(a.materials[i].alpha_mode, b.materials[i].alpha_mode);
    EXPECT_EQ(a.materials[i].alpha_cutoff, b.materials[i].alpha_cutoff);
    EXPECT_EQ(a.materials[i].double_sided, b.materials[i].double_sided);
    EXPECT_EQ(a.materials[i].unlit, b.materials[i].unlit);
  }
  EXPECT_TRUE(b.materials[1].double_sided);
  ASSERT_EQ(b.images.size(), 1u);
  EXPECT_EQ(std::tie(a.images[0].name, a.images[0].width, a.images[0].height, a.images[0].rgba),
            std::tie(b.images[0].name, b.images[0].width, b.images[0].height, b.images[0].rgba));
}

TEST(CharacterFile, BakeAndReportRoundTrip) {
  const CharacterFile file = example_file();
  const auto decoded = decode_character(encoded(file).bytes());
  ASSERT_TRUE(decoded) << decoded.error().message;
  ASSERT_TRUE(decoded->baked && decoded->report);
  const BakedCharacter &a = *file.baked, &b = *decoded->baked;
  expect_same(a.nodes, b.nodes, "nodes");
  expect_same(a.quantizations, b.quantizations, "quantizations");
  expect_same(a.additive_quantizations, b.additive_quantizations, "additive quantizations");
  expect_same(a.frames, b.frames, "frames");
  EXPECT_EQ(std::tie(a.scale, a.joint_count, a.palette_size, a.blocks_per_node, a.cache_lines_per_frame),
            std::tie(b.scale, b.joint_count, b.palette_size, b.blocks_per_node, b.cache_lines_per_frame));
  EXPECT_EQ(std::memcmp(&a.options, &b.options, sizeof(BakeOptions)), 0);
  ASSERT_EQ(b.clips.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    const BakedClip &x = a.clips[i], &y = b.clips[i];
    EXPECT_EQ(std::tie(x.name, x.start_seconds, x.end_seconds, x.first_frame, x.error, x.additive, x.error_joint,
                       x.error_seconds),
              std::tie(y.name, y.start_seconds, y.end_seconds, y.first_frame, y.error, y.additive, y.error_joint,
                       y.error_seconds));
    EXPECT_EQ(x.times, y.times);
  }
  EXPECT_EQ(std::tie(a.rest_weights, a.weight_targets, a.weight_values),
            std::tie(b.rest_weights, b.weight_targets, b.weight_values));
  ASSERT_EQ(b.clip_weights.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    const BakedWeights &x = a.clip_weights[i], &y = b.clip_weights[i];
    EXPECT_EQ(std::tie(x.first_target, x.target_count, x.first_value, x.error),
              std::tie(y.first_target, y.target_count, y.first_value, y.error));
    EXPECT_EQ(x.times, y.times);
  }
  EXPECT_EQ(decoded->report->vertices, 40u);
  EXPECT_EQ(decoded->report->computed_normals, 7u);
  EXPECT_EQ(decoded->report->computed_tangents, 3u);
  EXPECT_EQ(decoded->report->largest_lost_weight, 0.125);
  EXPECT_EQ(decoded->report->warnings, file.report->warnings);
}

TEST(CharacterFile, LevelsRoundTripWithTheirPalettes) {
  const CharacterFile file = example_file_with_levels();
  const auto decoded = decode_character(encoded(file).bytes());
  ASSERT_TRUE(decoded) << decoded.error().message;
  ASSERT_EQ(decoded->levels.size(), 2u);
  EXPECT_FALSE(decoded->levels[0].has_palette());
  EXPECT_EQ(decoded->levels[0].error, 0.25f);
  const ModelLevel &a = file.levels[1], &b = decoded->levels[1];
  expect_same(a.mesh, b.mesh);
  EXPECT_EQ(b.error, 0.5f);
  ASSERT_EQ(b.skin.entries.size(), 2u);
  EXPECT_EQ(b.skin.entries[1].joint, 1);
  EXPECT_EQ(b.skin.entries[1].joint_from_mesh.m[2][1], 1.0 / 3);
  expect_same(a.baked.nodes, b.baked.nodes, "nodes");
  expect_same(a.baked.frames, b.baked.frames, "frames");
  EXPECT_EQ(b.baked.palette_size, 2u);
  ASSERT_EQ(b.sockets.size(), 1u);
  EXPECT_EQ(b.sockets[0].entry, 1u);
  EXPECT_EQ(b.sockets[0].mesh_from_socket.m[1][3], 3);
}

TEST(CharacterFile, WearablesRoundTrip) {
  const CharacterFile file = example_file_with_levels();
  const auto decoded = decode_character(encoded(file).bytes());
  ASSERT_TRUE(decoded) << decoded.error().message;
  ASSERT_EQ(decoded->wearables.size(), 2u);
  EXPECT_EQ(decoded->wearables[0].name, "hat");
  EXPECT_EQ(decoded->wearables[0].choice, "head");
  ASSERT_EQ(decoded->wearables[0].meshes.size(), 3u);
  for (size_t level = 0; level < 3; ++level)
    expect_same(file.wearables[0].meshes[level], decoded->wearables[0].meshes[level]);
  EXPECT_EQ(decoded->wearables[1].meshes[2].vertex_count(), 0u);
}

TEST(CharacterFile, BakeAndReportMayBeAbsent) {
  const auto decoded = decode_character(encoded({example_character(), {}, {}}).bytes());
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_FALSE(decoded->baked);
  EXPECT_FALSE(decoded->report);
}

TEST(CharacterFile, TangentsMayBeAbsent) {
  CharacterFile file{example_character(), {}, {}};
  file.character.mesh.tangents.clear();
  const auto decoded = decode_character(encoded(file).bytes());
  ASSERT_TRUE(decoded) << decoded.error().message;
  expect_same(file.character.mesh, decoded->character.mesh);
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
