// The characters of the viewer: what each plays, what is shown of them, and the scene that follows.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "scene/lines.h"
#include "scene/scene.h"
#include "view/playing.h"
#include "view/pose_data.h"
#include "view/pose_lines.h"
#include "view/shown_options.h"
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
  Playing& playing() { return playings_[selected_]; }

  /// Advances all characters, then update().
  void advance(double seconds);

  /// Brings scene, masks and pose up to date with what the characters play. Call it after any change.
  void update();

  /// The pose of a character. Of the last update().
  const PoseData& pose(size_t index) const { return poses_[index]; }
  PosedModel posed(size_t index) const;

  /// Its vertices at the level of detail that is shown. Skins them on the CPU.
  PosedVertices vertices(size_t index) const {
    return posed_vertices(models_[index], level_of(index), poses_[index].palette, poses_[index].weights);
  }

  /// Of each joint of a model: whether it, or a joint below it, moves a vertex.
  const std::vector<bool>& moving_joints(size_t index) const { return moving_[index]; }

  /// All that `shown` turns on, for all characters. Of the last update().
  void make_lines(Lines& lines) const;

  /// The colors of the vertices of a level of detail, for Coloring::kVertices.
  std::vector<uint32_t> vertex_colors(size_t index, uint32_t level) const;

  /// The level of detail that is shown of a model: ShownOptions::level, or its coarsest.
  uint32_t level_of(size_t index) const;

  /// The joint of the selected character whose dot is drawn within `reach` pixels of a point; the nearest.
  int32_t joint_at(const View& view, float x, float y, float reach) const;

  /// The box around all poses of the base clip, in model space. Computed once for each clip.
  Box clip_bounds(size_t index) const;

  ShownOptions shown;
  float fade_seconds = 0.25f;  // of cross-fades and layers
  float thickness = 1;         // of lines

 private:
  void add_vertex_lines(size_t index, Lines& lines) const;

  std::vector<Model> models_;
  Scene scene_;
  std::vector<Playing> playings_;
  std::vector<PoseData> poses_;
  std::vector<std::vector<bool>> moving_;
  uint32_t selected_ = 0;
  float start_radius_ = 0;  // of the scene, before anything moves

  struct MeasuredClip {
    uint32_t model = 0, clip = 0;
    Box box;
  };
  mutable std::vector<MeasuredClip> measured_;
};

/// A position of the world in the picture, in pixels; nothing behind the camera.
std::optional<Vec2> to_picture(const View& view, Vec3 position);

}  // namespace sinew::app
