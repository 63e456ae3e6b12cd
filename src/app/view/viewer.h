// The state of the viewer: its characters, what each plays, what is shown of them, and the scene that follows. Keys,
// panels and the command line change it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scene/camera.h"
#include "scene/lines.h"
#include "scene/scene.h"
#include "view/number_entry.h"
#include "view/playing.h"
#include "view/pose.h"
#include "view/shown.h"
#include "view/view_scene.h"

namespace sinew::app {

class Viewer {
 public:
  /// Takes over the models; there is at least one. Their masks become those of what they play.
  explicit Viewer(std::vector<Model> models);
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  std::span<Model> models() { return models_; }
  std::span<const Model> models() const { return models_; }
  const Scene& scene() const { return scene_; }
  Playing& playing(size_t index) { return playings_[index]; }

  /// The character that keys and panels are about.
  uint32_t selected() const { return selected_; }
  void select(uint32_t index);
  Model& model() { return models_[selected_]; }
  const Model& model() const { return models_[selected_]; }
  Playing& playing() { return playings_[selected_]; }

  // What the selected character plays. Where it cannot, `message` says why; else there is none.
  void choose_clip(uint32_t clip);
  void choose_neighbor(int offset);
  /// For the selected joint and all below it, or without one for the upper body.
  void add_layer(uint32_t clip);
  void drop_layer(size_t index) { playing().drop_layer(index, double(fade_seconds)); }
  void drop_last_layer();
  void set_root_motion(RootMotion mode);

  /// The joint that add_layer() would take; kNoJoint: all joints.
  int32_t joint_of_new_layer() const;

  /// Types a digit of a clip's number; take_number() chooses the clip, or adds a layer of it, once it is complete.
  void type_digit(uint32_t digit);
  void take_number(double elapsed_seconds);

  /// Moves the camera to the selected character.
  void frame_selected();

  /// Advances all characters, then update().
  void advance(double seconds);

  /// Brings scene, masks and poses up to date with what the characters play. Call it after any change.
  void update();

  // Of the last update():

  const PoseData& pose(size_t index) const { return poses_[index]; }
  Posed posed(size_t index) const;
  /// The vertices of a character at the level of detail that is shown. Skins them on the CPU.
  PosedVertices vertices(size_t index) const;
  /// All that `shown` turns on, for all characters.
  Lines lines() const;
  /// The joint of the selected character whose dot is drawn within `reach` pixels of a point; the nearest.
  int32_t joint_at(const View& view, float x, float y, float reach) const;

  /// Of each joint of a model: whether it, or a joint below it, moves a vertex.
  const std::vector<bool>& moving_joints(size_t index) const { return moving_[index]; }

  /// The colors of the vertices of a level of detail, for Coloring::kVertices.
  std::vector<uint32_t> vertex_colors(size_t index, uint32_t level) const;

  /// The level of detail that is shown of a model: Shown::level, or its coarsest.
  uint32_t level_of(size_t index) const;

  Shown shown;
  Orbit camera;
  bool crowd_evaluator = false;  // else the exact one
  float fade_seconds = 0.25f;    // of cross-fades and layers
  float thickness = 1;           // of lines

  bool hidden = false;        // the panels
  float free_aspect = 1;      // the width that they leave free / the height of the picture
  std::string message;        // for the user
  NumberEntry number;         // that is typed
  bool typing_layer = false;  // it is the clip of a new layer

  // Requests to the window, which resets them.
  bool save_picture = false, capture = false, close = false;

  // What drawing has found:
  bool can_draw_wireframe = true;
  float difference_meters = 0;  // the largest between the evaluators; of the selected character in the last frame

 private:
  void report(const Status& status);
  void add_vertex_lines(size_t index, Lines& lines) const;
  void add_axes(size_t index, Lines& lines) const;
  Box clip_bounds(size_t index) const;

  std::vector<Model> models_;
  Scene scene_;
  std::vector<Playing> playings_;
  std::vector<PoseData> poses_;
  std::vector<std::vector<bool>> moving_;
  uint32_t selected_ = 0;

  struct MeasuredClip {
    uint32_t model = 0, clip = 0;
    Box box;
  };
  mutable std::vector<MeasuredClip> measured_;
};

/// The first joint whose name has the word spine, chest, torso or upper body; else kNoJoint.
int32_t upper_body_joint(const Skeleton& skeleton);

/// A position of the world in the picture, in pixels; nothing behind the camera.
std::optional<Vec2> to_picture(const View& view, Vec3 position);

}  // namespace sinew::app
