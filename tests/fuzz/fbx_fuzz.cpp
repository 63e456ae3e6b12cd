// libFuzzer: any bytes read as FBX, text or binary, become a character or an error.
#include <cmath>
#include <cstdlib>

#include "conversion.h"
#include "curve_fit.h"
#include "failure.h"
#include "readers.h"

namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

/// Tracks never have more keys than the limit, whatever the curves say.
template <class Value>
void expect_bounded(const sinew::Track<Value>& track) {
  expect(track.times_seconds.size() <= sinew::internal::kMaxFitKeys);
  for (const float time : track.times_seconds) expect(std::isfinite(time));
}

void expect_bounded(const sinew::Clip& clip) {
  for (const sinew::JointTracks& tracks : clip.tracks) {
    expect_bounded(tracks.translation), expect_bounded(tracks.rotation), expect_bounded(tracks.scale);
  }
  for (const sinew::WeightTrack& track : clip.weights) expect_bounded(track.weight);
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
        sinew::internal::read_fbx_scene({data, size}, nowhere, options.tangents, report), options, report);
    // The character may have invalid values, which load_character() refuses. validate() must stay within its arrays.
    if (validate(character)) {
      for (const sinew::Clip& clip : character.clips) expect_bounded(clip);
    }
  } catch (const sinew::internal::ImportFailure&) {
  }
  return 0;
}
