// The command line of `sinew view`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "options/common_options.h"
#include "record/movie.h"
#include "scene/load.h"
#include "system/output.h"
#include "viewer/layers.h"
#include "viewer/playing.h"
#include "viewer/settings.h"
#include "viewer/view_scene.h"

namespace sinew::app {

struct ViewOptions {
  std::vector<std::string> files;
  LoadOptions load;

  std::optional<std::string> clip;     // none: the first
  std::optional<double> time_seconds;  // of the clip; none: its start
  std::vector<LayerOption> layers;
  float speed = 1;
  Looping looping = Looping::kLoop;
  RootMotion root_motion = RootMotion::kKept;

  Shown shown;
  std::optional<std::string> joint;  // to select
  CameraPreset camera = kCameraPresets[0];
  CameraOptions moved_camera;
  float zoom = 1;

  uint32_t width = 1280, height = 720;
  std::optional<uint32_t> samples;  // per pixel; none: 4, or 1 in a window on a CPU device
  std::optional<float> scale;       // of letters; none: that of the display
  std::string device;
  bool validate = false;
  bool window = false;             // also where a picture is asked for
  bool overlay = false;            // panels in pictures too
  std::optional<uint32_t> frames;  // the window closes after these

  std::string screenshot;
  std::vector<double> times;                // a contact sheet in place of one picture
  std::string record;                       // an animated picture, or a folder of pictures
  bool turntable = false;                   // the camera of `record` turns once around
  std::optional<double> seconds;            // duration of `record`; none: that of the clip, or of a turn
  std::optional<double> frames_per_second;  // of `record`; none: 24

  bool opens_window() const { return window || (screenshot.empty() && record.empty()); }
  std::vector<OutputFile> outputs() const {
    return {{"--screenshot", screenshot}, {"--record", names_folder(record) ? std::string() : record}};
  }
};

}  // namespace sinew::app
