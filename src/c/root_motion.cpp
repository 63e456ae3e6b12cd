// Root motion.
#include "sinew/c/root_motion.h"

#include "character.h"
#include "playback.h"

using namespace sinew;
using namespace sinew::c;

SinewResult sinew_character_extract_root_motion(SinewCharacter* character, uint32_t clip, uint32_t joint,
                                                SinewRootTrack** out, SinewError* error) {
  return create(out, error, __func__, [&](SinewRootTrack& handle) {
    CharacterContent& content = changeable(character);
    ExtractedMotion extracted = take(extract_root_motion(content.character, clip, joint));
    handle.track = std::move(extracted.track);
    content.character.clips[clip] = std::move(extracted.clip);
    content.drop_bake();
  });
}

void sinew_root_track_destroy(SinewRootTrack* track) { delete track; }

SinewResult sinew_root_track_info(const SinewRootTrack* track, SinewRootTrackInfo* out, SinewError* error) {
  return query(out, error, __func__, [&](SinewRootTrackInfo& info) {
    const RootTrack& from = required(track, "track").track;
    put(from.up, info.up);
    info.start_seconds = from.start_seconds, info.end_seconds = from.end_seconds;
    info.motion_count = uint32_t(from.motions.size());
    info.motions = seen_as<SinewGroundMotion>(from.motions.data());
  });
}

SinewResult sinew_root_track_motion_between(const SinewRootTrack* track, double from_seconds, double to_seconds,
                                            uint32_t looping, SinewGroundMotion* out, SinewError* error) {
  return call(error, __func__, [&] {
    const Looping at_ends = choice(looping, kLoopings, "looping");
    required(out, "out") = motion_of(motion_between(required(track, "track").track, from_seconds, to_seconds, at_ends));
  });
}

SinewResult sinew_root_track_compose(const SinewRootTrack* track, const SinewGroundMotion* first,
                                     const SinewGroundMotion* second, SinewGroundMotion* out, SinewError* error) {
  return call(error, __func__, [&] {
    const GroundMotion &a = *as_cpp(&required(first, "first")), &b = *as_cpp(&required(second, "second"));
    required(out, "out") = motion_of(compose(required(track, "track").track, a, b));
  });
}

SinewResult sinew_root_track_to_matrix(const SinewRootTrack* track, const SinewGroundMotion* motion,
                                       SinewMatrix3x4d* out, SinewError* error) {
  return call(error, __func__, [&] {
    const Matrix3x4d matrix = to_matrix(required(track, "track").track, *as_cpp(&required(motion, "motion")));
    static_assert(sizeof matrix.m == sizeof out->m);
    std::memcpy(required(out, "out").m, matrix.m, sizeof matrix.m);
  });
}
