#include "viewer/settings.h"

#include "viewer/viewer.h"

namespace sinew::app {

PlaySettings Playing::settings() const {
  const TimeLine& line = bases_.back().line;
  PlaySettings settings{clip(), line.speed, line.looping, line.start_seconds, line.end_seconds, root_motion_, {}, {}};
  settings.moment = {clip_seconds(line)};
  for (const ViewLayer& layer : layers_) {
    if (layer.dropped) continue;
    ViewLayer& set = settings.layers.emplace_back(layer);
    set.seconds = 0, set.presence = 1, set.fade_seconds = 0;
  }
  return settings;
}

Status Playing::set(const PlaySettings& settings) {
  const bool other_clip = settings.clip != clip();
  if (Status chosen = other_clip ? choose(*settings.clip, 0) : Status(); !chosen) return chosen;
  if (Status set = settings.root_motion == root_motion_ ? Status() : set_root_motion(settings.root_motion); !set)
    return set;
  std::erase_if(layers_, [](const ViewLayer& layer) { return layer.dropped; });
  const std::vector<ViewLayer> before = std::exchange(layers_, settings.layers);
  for (size_t i = 0; i < std::min(before.size(), layers_.size()); ++i) {
    if (before[i].clip == layers_[i].clip) layers_[i].seconds = before[i].seconds;
  }
  make_room();
  TimeLine& line = time_line();
  line.speed = settings.speed;
  if (line.looping != settings.looping) set_looping(line, settings.looping);
  if (line.start_seconds != settings.start_seconds || line.end_seconds != settings.end_seconds)
    set_range(line, settings.start_seconds, settings.end_seconds);
  if (other_clip) seek(line, settings.moment.clip_seconds);
  return {};
}

Settings Viewer::settings() const {
  Settings settings{shown, fade_seconds, {}};
  settings.shown.hovered_joint = kNoJoint;
  for (size_t i = 0; i < models_.size(); ++i)
    settings.characters.push_back({playings_[i].settings(), held_[i], weights_[i]});
  return settings;
}

void Viewer::take_over(Viewer& from) {
  open = from.open;
  if (from.stand_in) return;
  shown = from.shown;
  shown.character = 0, shown.selected_joint = shown.hovered_joint = kNoJoint;
  hidden = from.hidden, help = from.help;
  file_list = std::move(from.file_list);
  fade_seconds = from.fade_seconds;
}

void Viewer::end_change() {
  if (history_) return history_->add(settings());
  history_.emplace(settings());
}

void Viewer::undo() {
  end_change();
  go_to(history_->undo(), "nothing to undo");
}

void Viewer::redo() {
  end_change();
  go_to(history_->redo(), "nothing to redo");
}

void Viewer::go_to(const Settings* settings, const char* otherwise) {
  message = settings ? "" : otherwise;
  if (!settings) return;
  const bool resized =
      settings->shown.own_size != shown.own_size || (shown.own_size && settings->shown.level != shown.level);
  for (size_t i = 0; i < models_.size(); ++i) {
    const CharacterSettings& character = settings->characters[i];
    if (Status set = playings_[i].set(character.plays); !set) message = set.error().message;
    held_[i] = character.held, weights_[i] = character.weights;
  }
  shown = settings->shown, fade_seconds = settings->fade_seconds;
  update();
  if (resized) set_own_size(shown.own_size);
}

}  // namespace sinew::app
