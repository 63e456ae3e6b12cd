// Random numbers of scenes: the same on every machine.
#pragma once

#include <cstdint>

namespace sinew::app {

/// SplitMix64. Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
inline uint64_t mix(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

/// Gives random numbers one after the other from a seed.
struct Random {
  uint64_t state;

  uint64_t next() { return state = mix(state); }
  float unit() { return float(next() >> 40) / float(1 << 24); }  // [0, 1)
  float between(float low, float high) { return low + (high - low) * unit(); }
};

}  // namespace sinew::app
