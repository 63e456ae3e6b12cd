// Evaluation of tracks during import, in double precision, as glTF 2.0 and this library's sampling mean them.
#pragma once

#include "sinew/asset/clip.h"

namespace sinew::internal {

/// The value of a track at a time, in seconds: clamped to the first and the last key, `rest` if there are no keys. Of
/// rotations the result has unit length.
float value_at(const Track<float>& track, float seconds, float rest);
Vec3 value_at(const Track<Vec3>& track, float seconds, Vec3 rest);
Quat value_at(const Track<Quat>& track, float seconds, Quat rest);

}  // namespace sinew::internal
