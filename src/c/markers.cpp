// Markers of clips, and footsteps.
#include <algorithm>
#include <utility>
#include <vector>

#include "character.h"
#include "sinew/animation/footsteps.h"
#include "sinew/c/player.h"

namespace sinew::c {
namespace {

constexpr StepMoments kMoments[] = {StepMoments::kDown, StepMoments::kDownAndUp};

/// Gives the markers to the clip if they are valid there.
void set_markers(const Character& character, Clip& clip, std::vector<Marker>&& markers) {
  const Clip range{clip.name, clip.start_seconds, clip.end_seconds, {}, clip.additive, {}, markers};
  check(validate(range, character.skeleton.joint_count()));
  clip.markers = std::move(markers);
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

SinewResult sinew_character_set_markers(SinewCharacter* character, uint32_t clip, const SinewMarker* markers,
                                        uint32_t count, SinewError* error) {
  return call(error, __func__, [&] {
    Character& of = changeable(character).character;
    Clip& given = element(of.clips, clip, "clip");
    std::vector<Marker> copies;
    for (const SinewMarker& marker : array(markers, count, "markers")) {
      copies.push_back({marker.time_seconds, &required(marker.name, "markers->name")});
    }
    set_markers(of, given, std::move(copies));
  });
}

SinewResult sinew_character_add_footsteps(SinewCharacter* character, uint32_t clip, const uint32_t* joints,
                                          uint32_t joint_count, uint32_t moments, SinewError* error) {
  return call(error, __func__, [&] {
    Character& of = changeable(character).character;
    Clip& given = element(of.clips, clip, "clip");
    std::vector<Marker> markers =
        take(find_footsteps(of, clip, array(joints, joint_count, "joints"), choice(moments, kMoments, "moments")));
    markers.insert(markers.begin(), given.markers.begin(), given.markers.end());
    std::ranges::stable_sort(markers, [](const Marker& a, const Marker& b) { return a.time_seconds < b.time_seconds; });
    set_markers(of, given, std::move(markers));
  });
}
