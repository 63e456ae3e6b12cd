// libFuzzer: any bytes read as FBX, text or binary, become a character or an error.
#include <cmath>
#include <cstdlib>

#include "conversion.h"
#include "failure.h"
#include "readers.h"

namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

constexpr size_t kMaxKeys = size_t(1) << 22;  // of a file: the reader adds at most half of that to those of the file

template <class Value>
size_t keys_of(const sinew::Track<Value>& track) {
  for (const float time : track.times_seconds) expect(std::isfinite(time));
  return track.times_seconds.size();
}

/// Whatever the curves say, the clips stay small.
void expect_bounded(const std::vector<sinew::Clip>& clips) {
  size_t keys = 0;
  for (const sinew::Clip& clip : clips) {
    for (const sinew::JointTracks& tracks : clip.tracks) {
      keys += keys_of(tracks.translation) + keys_of(tracks.rotation) + keys_of(tracks.scale);
    }
    for (const sinew::WeightTrack& track : clip.weights) keys += keys_of(track.weight);
  }
  expect(keys <= kMaxKeys);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // The whole input is the file. Its size chooses the options.
  sinew::ImportOptions options;
  options.max_influences = uint32_t(size % 3);
  options.tangents = size % 2 == 1;
  options.allow_no_mesh = size % 5 != 0;
  try {
    sinew::ImportReport report;
    const sinew::internal::Folder nowhere("/nonexistent/a");
    const sinew::Character character = sinew::internal::convert(
        sinew::internal::read_fbx_scene({data, size}, nowhere, sinew::internal::wanted_of(options), report), options,
        report);
    // The character may have invalid values, which load_character() refuses. validate() must stay within its arrays.
    if (validate(character)) expect_bounded(character.clips);
  } catch (const sinew::internal::ImportFailure&) {
  }
  return 0;
}
