// Serialization in both directions: the same description of a character writes it and reads it, so that writer and
// reader always agree. Values and text are aligned to 4 bytes, arrays to 8 bytes, arrays from 256 bytes on to 64 bytes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sinew/asset/math.h"

namespace sinew::internal {

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

}  // namespace sinew::internal
