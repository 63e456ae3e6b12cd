#include "view/view_actions.h"

#include <algorithm>
#include <utility>

#include "scene/clip_names.h"

namespace sinew::app {
namespace {

void report(ViewControls& controls, const Status& status) { controls.message = status ? "" : status.error().message; }

}  // namespace

void NumberEntry::type(uint32_t digit, uint32_t count) {
  digits_ += char('0' + digit);
  waited_ = 0;
  complete_ = std::stoul(digits_) * 10 >= count || digits_.size() > 4;
}

std::optional<uint32_t> NumberEntry::take() {
  if (digits_.empty() || !(complete_ || waited_ >= kWaitSeconds)) return {};
  const uint32_t number = uint32_t(std::stoul(digits_));
  *this = {};
  return number;
}

void choose_clip(Viewer& viewer, ViewControls& controls, uint32_t clip) {
  report(controls, viewer.playing().choose(clip, double(viewer.fade_seconds)));
  viewer.update();
}

void choose_next_clip(Viewer& viewer, ViewControls& controls, int direction) {
  Playing& playing = viewer.playing();
  const double fade = double(viewer.fade_seconds);
  report(controls, direction > 0 ? playing.next(fade) : playing.previous(fade));
  viewer.update();
}

void add_layer(Viewer& viewer, ViewControls& controls, uint32_t clip) {
  ViewLayer layer;
  layer.clip = clip;
  layer.joint = viewer.shown.selected_joint;
  if (layer.joint == kNoJoint) layer.joint = upper_body_joint(viewer.model().character.skeleton);
  report(controls, viewer.playing().add_layer(layer, double(viewer.fade_seconds)));
  viewer.update();
}

void set_root_motion(Viewer& viewer, ViewControls& controls, RootMotion mode) {
  report(controls, viewer.playing().set_root_motion(mode));
  viewer.update();
}

int32_t upper_body_joint(const Skeleton& skeleton) {
  constexpr std::string_view kWords[] = {" spine ", " chest ", " torso ", " upper body "};
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    const std::string words = words_of(skeleton.joint_names[joint]);
    const auto has = [&](std::string_view word) { return words.find(word) != words.npos; };
    if (std::any_of(std::begin(kWords), std::end(kWords), has)) return int32_t(joint);
  }
  return kNoJoint;
}

}  // namespace sinew::app
