// The `.sinew` file: serialization in both directions, its checksum, and the content of each section.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sinew/asset/character_file.h"
#include "sinew/asset/math.h"

namespace sinew::internal {

// Serialization in both directions: the same description of a character writes it and reads it, so that writer and
// reader always agree. Values and text are aligned to 4 bytes, arrays to 8 bytes, arrays from 256 bytes on to 64 bytes.

static_assert(std::endian::native == std::endian::little, "the file has numbers as memory has them");

inline constexpr size_t kSectionAlignment = 64;

template <class T>
concept PlainData = std::is_trivially_copyable_v<T>;

/// The alignment of an array of `size_bytes` bytes, counted from the start of the file.
template <PlainData T>
constexpr size_t array_alignment(size_t size_bytes) {
  return std::max<size_t>(size_bytes >= 256 ? kSectionAlignment : 8, alignof(T));
}

class ArchiveWriter {
 public:
  /// Leaves the first `head_bytes` bytes free. `all_bytes` is the final size; with 0, the writer only measures it.
  ArchiveWriter(size_t head_bytes, size_t all_bytes) : size_bytes_(head_bytes), stores_bytes_(all_bytes > 0) {
    bytes_.reserve(all_bytes);
    if (stores_bytes_) bytes_.resize(head_bytes);
  }

  std::vector<std::byte> take() { return std::move(bytes_); }
  size_t size_bytes() const { return size_bytes_; }

  void align(size_t alignment) {
    size_bytes_ = align_up(size_bytes_, alignment);
    if (stores_bytes_) bytes_.resize(size_bytes_);
  }

  template <PlainData T>
  void number(const T& value) {
    append(&value, sizeof(T));
    align(4);
  }

  /// An enumerator or a flag. The reader also takes the last valid value.
  template <class T>
  void choice(const T& value, T) {
    number(uint32_t(value));
  }

  void text(const std::string& value) {
    number(uint32_t(value.size()));
    append(value.data(), value.size());
    align(4);
  }

  template <PlainData T>
  void array(const std::vector<T>& values) {
    number(uint64_t(values.size()));
    align(array_alignment<T>(values.size() * sizeof(T)));
    append(values.data(), values.size() * sizeof(T));
    align(4);
  }

  /// Calls `each(value)` for all `values`. `min_bytes`: the smallest size of one value in the file; for the reader.
  template <class Values, class Each>
  void list(const Values& values, size_t /*min_bytes*/, Each each) {
    number(uint64_t(values.size()));
    for (const auto& value : values) each(value);
  }

 private:
  void append(const void* data, size_t size_bytes) {
    const auto* begin = static_cast<const std::byte*>(data);
    if (stores_bytes_) bytes_.insert(bytes_.end(), begin, begin + size_bytes);
    size_bytes_ += size_bytes;
  }

  std::vector<std::byte> bytes_;
  size_t size_bytes_;
  bool stores_bytes_;
};

/// After the first value that does not fit, failed() is true and every read returns an empty or zero value.
class ArchiveReader {
 public:
  /// `bytes` is a slice of a file, not copied. The file is 64-byte aligned in memory, the slice 64-byte aligned in it.
  explicit ArchiveReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool failed() const { return failed_; }
  bool at_end() const { return at_ == bytes_.size(); }

  template <PlainData T>
  void number(T& value) {
    value = T();
    if (const std::byte* source = take(sizeof(T))) std::memcpy(static_cast<void*>(&value), source, sizeof(T));
    align(4);
  }

  template <class T>
  void choice(T& value, T last) {
    uint32_t stored = 0;
    number(stored);
    if (stored > uint32_t(last)) fail();
    value = T(failed_ ? 0 : stored);
  }

  void text(std::string& value) {
    uint32_t size = 0;
    number(size);
    const std::byte* source = take(size);
    value.assign(reinterpret_cast<const char*>(source), source == nullptr ? 0 : size);
    align(4);
  }

  template <PlainData T>
  void array(std::vector<T>& values) {
    const size_t count = read_count(sizeof(T));
    align(array_alignment<T>(count * sizeof(T)));
    const auto* source = reinterpret_cast<const T*>(take(count * sizeof(T)));
    values.assign(source, source == nullptr ? source : source + count);
    align(4);
  }

  template <class Values, class Each>
  void list(Values& values, size_t min_bytes, Each each) {
    values.resize(read_count(min_bytes));
    for (auto& value : values) {
      each(value);
      if (failed_) return values.clear();
    }
  }

 private:
  /// Reads the number of items that follow. Fails if the bytes left are too few for that many items.
  size_t read_count(size_t min_bytes) {
    uint64_t count = 0;
    number(count);
    if (count > (bytes_.size() - at_) / min_bytes) fail();
    return failed_ ? 0 : size_t(count);
  }

  const std::byte* take(size_t size_bytes) {
    if (size_bytes > bytes_.size() - at_) fail();
    if (failed_) return nullptr;
    at_ += size_bytes;
    return bytes_.data() + at_ - size_bytes;
  }

  void align(size_t alignment) {
    const size_t aligned = align_up(at_, alignment);
    if (aligned > bytes_.size()) return fail();
    at_ = aligned;
  }

  void fail() {
    failed_ = true;
    at_ = bytes_.size();
  }

  std::span<const std::byte> bytes_;
  size_t at_ = 0;
  bool failed_ = false;
};

// The checksum of a `.sinew` file.

inline constexpr size_t kChecksumOffset = 24;  // where a file stores it, in bytes

/// Fletcher, "An Arithmetic Checksum for Serial Transmissions", 1982, with eight lanes of 64 bits. The sums detect a
/// change of a single word and a change of the order of words; the end folds them into 64 bits. The checksum guards
/// against accidents only: a file with a forged checksum still has to pass the validators.
class Checksum {
 public:
  /// Adds `bytes` after all bytes added before. The size must be a multiple of 64 bytes.
  void add(std::span<const std::byte> bytes) {
    Pair sums[kPairs], sums_of_sums[kPairs];  // copies that stay in registers
    std::memcpy(sums, sums_, sizeof(sums));
    std::memcpy(sums_of_sums, sums_of_sums_, sizeof(sums));
    for (size_t at = 0; at + sizeof(sums) <= bytes.size(); at += sizeof(sums)) {
#ifdef __GNUC__
#pragma GCC unroll 4
#endif
      for (size_t i = 0; i < kPairs; ++i) {
        Pair words;
        std::memcpy(&words, bytes.data() + at + i * sizeof(words), sizeof(words));
        sums[i] += words;
        sums_of_sums[i] += sums[i];
      }
    }
    std::memcpy(sums_, sums, sizeof(sums));
    std::memcpy(sums_of_sums_, sums_of_sums, sizeof(sums));
  }

  uint64_t value() const {
    constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;  // 2^64 divided by the golden ratio
    uint64_t result = 0;
    for (const Pair* pairs : {sums_, sums_of_sums_}) {
      for (size_t i = 0; i < 2 * kPairs; ++i) result = std::rotl(result ^ pairs[i / 2][i % 2], 29) * kOdd;
    }
    return result;
  }

 private:
#ifdef __GNUC__
  using Pair [[gnu::vector_size(16)]] = uint64_t;
#else
  struct Pair {
    uint64_t words[2];
    uint64_t operator[](size_t i) const { return words[i]; }
    void operator+=(const Pair& other) { words[0] += other.words[0], words[1] += other.words[1]; }
  };
#endif
  static constexpr size_t kPairs = 4;
  Pair sums_[kPairs] = {}, sums_of_sums_[kPairs] = {};
};

/// The checksum of a whole file. The file size must be a multiple of 64 bytes; the stored checksum itself counts as 0.
inline uint64_t checksum_of(std::span<const std::byte> file) {
  std::array<std::byte, 64> head = {};
  std::memcpy(head.data(), file.data(), std::min(file.size(), head.size()));
  std::memset(head.data() + kChecksumOffset, 0, sizeof(uint64_t));
  Checksum checksum;
  checksum.add(head);
  if (file.size() > head.size()) checksum.add(file.subspan(head.size()));
  return checksum.value();
}

// The content of each section of a `.sinew` file, in the order of the file. Every function writes with an ArchiveWriter
// and reads with an ArchiveReader. A change of a function needs a new kCharacterFileVersion.

template <class Archive>
inline constexpr bool kReads = std::is_same_v<Archive, ArchiveReader>;

template <class Archive, class T>
void transfer_head(Archive& archive, T& character) {
  archive.text(character.name);
  archive.number(character.space.up);
  archive.number(character.space.front);
  archive.number(character.space.meters_per_unit);
}

template <class Archive, class T>
void transfer_skeleton(Archive& archive, T& skeleton) {
  archive.list(skeleton.joint_names, 4, [&](auto& name) { archive.text(name); });
  archive.array(skeleton.parents);
  archive.array(skeleton.rest_pose);
  archive.number(skeleton.model_from_root);
  archive.list(skeleton.humanoid_names, 4, [&](auto& name) { archive.text(name); });
}

template <class Archive, class T>
void transfer_skin(Archive& archive, T& skin) {
  archive.list(skin.entries, 4 + sizeof(Matrix3x4d), [&](auto& entry) {
    archive.number(entry.joint);
    archive.number(entry.joint_from_mesh);
  });
}

/// Palette entries and weights are two arrays, because Influence has padding bytes.
template <class Archive, class T>
void transfer_influences(Archive& archive, T& mesh) {
  std::vector<uint16_t> entries;
  std::vector<float> weights;
  for (const Influence influence : mesh.influences) {
    entries.push_back(influence.entry);
    weights.push_back(influence.weight);
  }
  archive.array(mesh.first_influence);
  archive.array(entries);
  archive.array(weights);
  if constexpr (kReads<Archive>) {
    mesh.influences.resize(std::min(entries.size(), weights.size()));
    for (size_t i = 0; i < mesh.influences.size(); ++i) mesh.influences[i] = {entries[i], weights[i]};
  }
}

template <class Archive, class T>
void transfer_mesh(Archive& archive, T& mesh) {
  archive.array(mesh.positions);
  archive.array(mesh.normals);
  archive.array(mesh.tangents);
  archive.array(mesh.uvs);
  archive.array(mesh.second_uvs);
  archive.array(mesh.colors);
  archive.array(mesh.indices);
  transfer_influences(archive, mesh);
  archive.list(mesh.parts, 28, [&](auto& part) {
    archive.text(part.name);
    archive.choice(part.kind, PartKind::kSkinned);
    archive.number(part.material);
    archive.number(part.first_vertex), archive.number(part.vertex_count);
    archive.number(part.first_index), archive.number(part.index_count);
  });
  archive.choice(mesh.blend, Blend::kDualQuaternion);
  archive.list(mesh.targets, 40, [&](auto& target) {
    archive.text(target.name);
    archive.number(target.rest_weight);
    archive.array(target.vertices);
    archive.array(target.positions);
    archive.array(target.normals);
    archive.array(target.tangents);
  });
}

template <class Archive, class T>
void transfer_track(Archive& archive, T& track) {
  archive.choice(track.interpolation, Interpolation::kCubic);
  archive.array(track.times_seconds);
  archive.array(track.values);
}

template <class Archive, class T>
void transfer_clips(Archive& archive, T& clips) {
  archive.list(clips, 40, [&](auto& clip) {
    archive.text(clip.name);
    archive.number(clip.start_seconds), archive.number(clip.end_seconds);
    archive.choice(clip.additive, true);
    archive.list(clip.tracks, 64, [&](auto& tracks) {
      archive.number(tracks.joint);
      transfer_track(archive, tracks.translation);
      transfer_track(archive, tracks.rotation);
      transfer_track(archive, tracks.scale);
    });
    archive.list(clip.weights, 24, [&](auto& track) {
      archive.number(track.target);
      transfer_track(archive, track.weight);
    });
    archive.list(clip.markers, 8, [&](auto& marker) {
      archive.number(marker.time_seconds);
      archive.text(marker.name);
    });
  });
}

inline constexpr size_t kTextureBytes = 48,
                        kMaterialBytes = 64 + Material::kTextureCount * kTextureBytes;  // without its name's letters

template <class Archive, class T>
void transfer_texture(Archive& archive, T& texture) {
  archive.number(texture.image), archive.number(texture.uv_set);
  archive.number(texture.offset), archive.number(texture.scale), archive.number(texture.rotation);
  archive.choice(texture.wrap_u, Wrap::kClamp), archive.choice(texture.wrap_v, Wrap::kClamp);
  archive.choice(texture.magnify, Filter::kNearest), archive.choice(texture.minify, Filter::kNearest);
  archive.choice(texture.mip, Filter::kNone);
}

template <class Archive, class T>
void transfer_materials(Archive& archive, T& character) {
  archive.list(character.materials, kMaterialBytes, [&](auto& material) {
    archive.text(material.name);
    archive.number(material.base_color);
    archive.number(material.metallic), archive.number(material.roughness);
    archive.number(material.normal_scale), archive.number(material.occlusion_strength);
    archive.number(material.emissive);
    for (auto* texture : material.textures()) transfer_texture(archive, *texture);
    archive.choice(material.alpha_mode, AlphaMode::kBlend);
    archive.number(material.alpha_cutoff);
    archive.choice(material.double_sided, true);
    archive.choice(material.unlit, true);
  });
  archive.list(character.images, 20, [&](auto& image) {
    archive.text(image.name);
    archive.number(image.width), archive.number(image.height);
    archive.array(image.rgba);
  });
}

template <class Archive, class T>
void transfer_times(Archive& archive, T& times) {
  archive.number(times.frame_count), archive.number(times.frames_per_second);
  archive.array(times.frame_seconds);
}

template <class Archive, class T>
void transfer_bake(Archive& archive, T& baked) {
  archive.number(baked.options);
  archive.number(baked.scale);
  archive.number(baked.joint_count), archive.number(baked.palette_size);
  archive.number(baked.blocks_per_node), archive.number(baked.cache_lines_per_frame);
  archive.list(baked.clips, 52, [&](auto& clip) {
    archive.text(clip.name);
    archive.number(clip.start_seconds), archive.number(clip.end_seconds);
    transfer_times(archive, clip.times);
    archive.number(clip.first_frame);
    archive.number(clip.error);
    archive.choice(clip.additive, true);
    archive.number(clip.error_joint), archive.number(clip.error_seconds);
  });
  archive.array(baked.nodes);
  archive.array(baked.quantizations);
  archive.array(baked.additive_quantizations);
  archive.array(baked.frames);
  archive.array(baked.rest_weights);
  archive.list(baked.clip_weights, 36, [&](auto& weights) {
    transfer_times(archive, weights.times);
    archive.number(weights.first_target), archive.number(weights.target_count);
    archive.number(weights.first_value);
    archive.number(weights.error);
  });
  archive.array(baked.weight_targets);
  archive.array(baked.weight_values);
}

template <class Archive, class T>
void transfer_bounds(Archive& archive, T& bounds) {
  archive.array(bounds.clips);
  archive.array(bounds.pairs);
  archive.number(bounds.rest), archive.number(bounds.blended), archive.number(bounds.layered);
}

template <class Archive, class T>
void transfer_socket(Archive& archive, T& socket) {
  archive.number(socket.entry);
  archive.number(socket.mesh_from_socket);
}

/// Only a level with a palette of its own has a bake.
template <class Archive, class T>
void transfer_levels(Archive& archive, T& levels) {
  archive.list(levels, 120, [&](auto& level) {
    archive.number(level.error);
    transfer_mesh(archive, level.mesh);
    transfer_skin(archive, level.skin);
    if (level.has_palette()) transfer_bake(archive, level.baked);
    archive.list(level.sockets, 52, [&](auto& socket) { transfer_socket(archive, socket); });
  });
}

template <class Archive, class Sockets, class Masks>
void transfer_names(Archive& archive, Sockets& sockets, Masks& masks) {
  archive.list(sockets, 56, [&](auto& named) {
    archive.text(named.name);
    transfer_socket(archive, named.socket);
  });
  archive.list(masks, 12, [&](auto& mask) {
    archive.text(mask.name);
    archive.array(mask.factors);
  });
}

template <class Archive, class T>
void transfer_wearables(Archive& archive, T& wearables) {
  archive.list(wearables, 12, [&](auto& wearable) {
    archive.text(wearable.name);
    archive.text(wearable.choice);
    archive.list(wearable.meshes, 64, [&](auto& mesh) { transfer_mesh(archive, mesh); });
  });
}

template <class Archive, class T>
void transfer_report(Archive& archive, T& report) {
  const auto transfer_all = [&](auto&... counts) { (archive.number(counts), ...); };
  transfer_all(report.joints, report.palette_entries, report.clips, report.meshes, report.materials, report.images,
               report.vertices, report.triangles, report.max_influences, report.static_vertices, report.rigid_vertices,
               report.skinned_vertices, report.morph_targets, report.repaired_differences, report.normalized_vertices,
               report.limited_vertices, report.unmoved_vertices, report.normalized_rotation_keys, report.merged_entries,
               report.computed_inverse_binds, report.computed_normals);
  archive.number(report.file_tangents), archive.number(report.computed_tangents);
  archive.number(report.largest_lost_weight);
  archive.list(report.retargeted, 4, [&](auto& joint) { archive.text(joint); });
  archive.list(report.warnings, 4, [&](auto& warning) { archive.text(warning); });
  archive.number(report.curve_keys), archive.number(report.track_keys);
  archive.number(report.largest_curve_error);
}

/// Structs that are stored byte by byte have no padding bytes.
static_assert(std::has_unique_object_representations_v<BakedCacheLine> && sizeof(BakedNode) == 24 &&
              sizeof(BakedQuantization) == 64 && sizeof(BakeOptions) == 16 && sizeof(Transform) == 40 &&
              sizeof(ModelSpace) == 28 && sizeof(Matrix3x4d) == 96 && sizeof(Box) == 24);

}  // namespace sinew::internal
