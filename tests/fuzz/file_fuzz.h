// What the fuzzers of readers share: any bytes become a character or an error.
#pragma once

#include <cmath>
#include <cstdlib>
#include <vector>

#include "conversion.h"
#include "failure.h"
#include "readers.h"

namespace sinew::test {

inline void expect(bool holds) {
  if (!holds) std::abort();
}

constexpr size_t kMaxKeys = size_t(1) << 22;  // of a file: readers add at most half of that to those of the file

template <class Value>
size_t keys_of(const Track<Value>& track) {
  for (const float time : track.times_seconds) expect(std::isfinite(time));
  return track.times_seconds.size();
}

/// Whatever the curves say, the clips stay small.
inline void expect_bounded(const std::vector<Clip>& clips) {
  size_t keys = 0;
  for (const Clip& clip : clips) {
    for (const JointTracks& tracks : clip.tracks) {
      keys += keys_of(tracks.translation) + keys_of(tracks.rotation) + keys_of(tracks.scale);
    }
    for (const WeightTrack& track : clip.weights) keys += keys_of(track.weight);
  }
  expect(keys <= kMaxKeys);
}

/// The whole input is the file, which `read(folder, wanted, report)` reads. Its size chooses the options.
template <class Read>
void read_fuzzed_file(size_t size, Read read) {
  ImportOptions options;
  options.max_influences = uint32_t(size % 3);
  options.tangents = size % 2 == 1;
  options.allow_no_mesh = size % 5 != 0;
  try {
    ImportReport report;
    const internal::Folder nowhere("/nonexistent/a");
    const Character character = internal::convert(read(nowhere, internal::wanted_of(options), report), options, report);
    // The character may have invalid values, which load_character() refuses. validate() must stay within its arrays.
    if (validate(character)) expect_bounded(character.clips);
  } catch (const internal::ImportFailure&) {
  }
}

}  // namespace sinew::test
