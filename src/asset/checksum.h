// The checksum of a `.sinew` file.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace sinew::internal {

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

}  // namespace sinew::internal
