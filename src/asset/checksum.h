// The checksum of a `.sinew`.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace sinew {

inline constexpr size_t kChecksumOffset = 24;  // where a file keeps it

/// Of a file whose size is a multiple of 64, the checksum itself counting as 0. Four lanes of xor, rotate and multiply,
/// each a bijection, so that no single change of a word goes unseen. It guards against accidents; who forges it still
/// meets the validators.
inline uint64_t checksum_of(std::span<const std::byte> file) {
  constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
  std::array<uint64_t, 4> lanes = {1, 2, 3, 4}, words;
  for (size_t at = 0; at + sizeof(words) <= file.size(); at += sizeof(words)) {
    std::memcpy(words.data(), file.data() + at, sizeof(words));
    if (at == 0) words[kChecksumOffset / sizeof(uint64_t)] = 0;
    for (size_t i = 0; i < 4; ++i) lanes[i] = std::rotl(lanes[i] ^ words[i], 29) * kOdd;
  }
  uint64_t sum = 0;
  for (const uint64_t lane : lanes) sum = std::rotl(sum ^ lane ^ (lane >> 32), 29) * kOdd;
  return sum ^ (sum >> 32);
}

}  // namespace sinew
