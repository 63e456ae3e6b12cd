// Where the characters of the viewer stand: side by side on a grid; and the cameras that frame them.
#pragma once

#include <numbers>
#include <span>

#include "scene/camera.h"
#include "scene/scene.h"

namespace sinew::app {

/// The distance between two lines of the grid.
struct GridScale {
  float world_meters = 1;  // as drawn
  double file_meters = 1;  // as the file has it
};

/// The grid for a model: a power of ten of the file's own meters, so that the larger side of the model is one to ten
/// cells. The program draws models of implausible size smaller or larger than they are; the grid shows the size that
/// they have.
GridScale grid_for(const Model& model);

/// Whether a meter of each file is drawn with the same length.
bool has_one_scale(std::span<const Model> models);

/// One instance per model in a row along x, with own colors, in the pose of Scene::playbacks. The grid is that of the
/// first model. Without a radius.
Scene make_view_scene(std::span<const Model> models);

/// Moves an instance of the scene from its place by a motion in model space.
void move_instance(std::span<const Model> models, uint32_t index, const Matrix3x4d& model_from_moved, Scene& scene);

/// Frames the instances of the scene.
Orbit frame_scene(const Scene& scene, float aspect);

/// Frames a box of the world, seen from the direction of a camera.
Orbit frame_box(const Box& box, Orbit from, float aspect);

/// Moves a camera to a `factor` of its distance, and as far aside as is needed to keep some points in the picture, or
/// where they are too large for it, their middle. `aspect` is that of the part of the picture that counts.
Orbit zoomed(Orbit orbit, float factor, std::span<const Vec3> kept, float aspect);

/// A direction to look from: its word on the command line, and the name of its button.
struct CameraPreset {
  const char* word;
  const char* name;
  float yaw, pitch;
  bool operator==(const CameraPreset&) const = default;
};
inline constexpr float kQuarterTurn = std::numbers::pi_v<float> / 2;
inline constexpr CameraPreset kCameraPresets[] = {
    {"three-quarters", "3/4", 0.55f, 0.22f},   {"front", "Front", 0, 0.08f},
    {"back", "Back", 2 * kQuarterTurn, 0.08f}, {"left", "Left", kQuarterTurn, 0.08f},
    {"right", "Right", -kQuarterTurn, 0.08f},  {"top", "Top", 0, 1.5f},
};

/// Turns a camera; target and distance stay.
inline void turn_to(const CameraPreset& preset, Orbit& orbit) { orbit.yaw = preset.yaw, orbit.pitch = preset.pitch; }

}  // namespace sinew::app
