// The state of the viewer: its characters, what each plays, what is shown of them, and the scene that follows. Keys,
// panels and the command line change it.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/camera.h"
#include "scene/lines.h"
#include "scene/model.h"
#include "scene/scene.h"
#include "viewer/file_list.h"
#include "viewer/playing.h"
#include "viewer/settings.h"
#include "viewer/view_scene.h"
#include "window/message.h"

namespace sinew::app {

// The list of clips: which of them a filter leaves, and what their names have in common.

/// The numbers of the clips whose names contain the filter, ascending. Upper and lower case of ASCII letters are alike;
/// an empty filter leaves all clips.
std::vector<uint32_t> filtered_clips(std::span<const Clip> clips, std::string_view filter);

/// The clip `offset` places further in a list that is ascending and ends where it begins. A clip that is not in the
/// list stands between its neighbors. The list has at least one clip.
uint32_t neighbor(std::span<const uint32_t> list, uint32_t clip, int offset);

/// How many bytes at the front of all names are the same, as "Armature|" that exporters write: up to the last '|' of
/// these, or none. One clip has nothing in common with others.
size_t shared_front(std::span<const Clip> clips);

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

  // Those of the selected character:
  uint32_t selected() const { return shown.character; }
  const Model& model() const { return models_[selected()]; }
  Playing& playing() { return playings_[selected()]; }
  /// The clips of the file.
  std::span<const Clip> source_clips() const {
    return std::span(model().character.clips).first(playings_[selected()].clip_count());
  }
  /// The numbers of the clips that `filter` leaves.
  std::vector<uint32_t> shown_clips() const { return filtered_clips(source_clips(), filter); }

  // What the selected character plays. Where it cannot, `message` says why; else there is none.
  void choose_clip(uint32_t clip);
  /// The next or the previous one of those that the filter leaves.
  void choose_neighbor(int offset);
  /// Playing::blend_with(); nothing: no blend.
  void blend_with(std::optional<uint32_t> clip);
  /// For the selected joint and all below it, or without one for the upper body.
  void add_layer(uint32_t clip);
  void drop_layer(size_t index) { playing().drop_layer(index, double(fade_seconds)); }
  void set_root_motion(RootMotion mode);

  /// The joint that add_layer() would take; kNoJoint: all joints.
  int32_t joint_of_new_layer() const;

  /// Types a digit of a clip's number. take_number() chooses the clip, or adds a layer of it, once the number is
  /// complete: where no further digit fits, or some time after the last one.
  void type_digit(uint32_t digit);
  void take_number(double elapsed_seconds);

  /// Shows a list of files, in the folder of the first one that is shown.
  void show_file_list();

  /// Moves the camera to the selected character in its pose, which is then not at its own size.
  void frame_selected();

  /// Moves the camera `factor` times as near. The head of the selected character stays in the picture.
  void zoom(float factor);

  /// Own size: the camera looks at the selected character from the distance at which a crowd begins to draw it at the
  /// level that is shown, where its error is crowd::kLevelHysteresis of a pixel. The finest level has no such distance,
  /// and is framed. Otherwise the level is enlarged: the character is framed.
  void set_own_size(bool own_size);
  /// The distance follows the level, where it is shown at its own size.
  void set_level(uint32_t level);

  /// All that the user has set, as one value.
  Settings settings() const;

  /// Takes over what is set for the window, not for a character, and files that wait to be opened, from the viewer
  /// whose place this one takes.
  void take_over(Viewer& from);

  /// Call it when no change is under way, as while the mouse drags: keeps the settings, so that undo() comes back to
  /// them. The first call sets where that begins.
  void end_change();
  void undo();
  void redo();

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

  // Handles at the ends of the limbs of the selected character: of the two-bone chains that find_chains() finds.

  /// The chain whose handle is drawn within `reach` pixels of a point; the nearest.
  std::optional<uint32_t> handle_at(const View& view, float x, float y, float reach) const;
  /// Moves a handle by pixels in a picture of `view`, at its distance from the eye. It stays there, in the space of its
  /// character, and so does the hand or the foot, as far as the limb reaches.
  void drag_handle(const View& view, uint32_t chain, float x, float y);
  /// All limbs of the selected character play their clips again.
  void let_go_of_limbs();
  /// What holds the limbs of a character: targets of one instance.
  std::span<const ChainTarget> held(size_t index) const { return held_[index]; }

  // Morph weights of the selected character, one per target, in place of those of its clips until they are reset:

  const WeightOverrides& weight_overrides() const { return weights_[selected()]; }
  void set_weight(size_t target, std::optional<float> weight);
  void reset_weights();
  /// Those of any character.
  const WeightOverrides& weight_overrides(size_t index) const { return weights_[index]; }

  /// The moments of the clip that plays that have a name: those of the file, else its footsteps.
  std::span<const Marker> markers() const;

  /// Of each joint of a model: whether it, or a joint below it, moves a vertex.
  const std::vector<bool>& moving_joints(size_t index) const { return moving_[index]; }

  /// The colors of the vertices of a level of detail, for Coloring::kVertices.
  std::vector<uint32_t> vertex_colors(size_t index, uint32_t level) const;

  /// The level of detail that is shown of a model: Shown::level, or its coarsest.
  uint32_t level_of(size_t index) const;

  Shown shown;
  Orbit camera;
  float fade_seconds = 0.25f;  // of cross-fades and layers
  float thickness = 1;         // of lines

  bool stand_in = false;              // there are no characters yet: ground and sky only
  std::vector<std::string> files;     // of the characters; without the built-in one
  std::optional<FileList> file_list;  // while the user chooses a file
  bool help = false;                  // the keys and what the mouse does
  std::string loading;                // the stage of files that are loaded; empty: none are

  bool hidden = false;            // the panels
  float free_aspect = 1;          // the width that they leave free / the height of the picture
  uint32_t picture_height = 720;  // pixels
  Message message;                // for the user
  std::string problem;            // stays until it is solved; empty: none
  std::string filter;             // of the list of clips
  bool focus_filter = false;      // the next letters are for it; its control resets this
  std::string typed;              // digits of a number
  double typing_seconds = 0;      // until it is complete
  bool typing_layer = false;      // it is the clip of a new layer

  // Requests to the window, which resets them.
  bool save_picture = false, capture = false;
  std::vector<std::string> open;  // files to show in place of these

  // What drawing has found:
  bool can_draw_wireframe = true;
  float difference_meters = 0;  // the largest between the evaluators; of the selected character in the last frame

 private:
  void report(const Status& status);
  void go_to(const Settings* settings, const char* otherwise);
  std::vector<Vec3> positions_in_world() const;
  void add_vertex_lines(size_t index, Lines& lines) const;
  void add_axes(size_t index, Lines& lines) const;
  void add_handles(Lines& lines) const;
  Vec3 handle_position(uint32_t chain) const;
  const Box& clip_bounds(size_t index) const;

  std::vector<Model> models_;
  Scene scene_;
  std::vector<Playing> playings_;
  std::vector<PoseData> poses_;
  std::vector<std::vector<bool>> moving_;
  std::vector<std::vector<ChainTarget>> held_;
  std::vector<WeightOverrides> weights_;
  std::optional<History<Settings>> history_;
  mutable std::map<std::pair<size_t, uint32_t>, std::vector<Marker>> markers_;     // by model and clip
  mutable std::map<std::pair<size_t, std::optional<uint32_t>>, Box> clip_bounds_;  // by model and clip
};

/// The first joint whose name has the word spine, chest, torso or upper body; else kNoJoint.
int32_t upper_body_joint(const Skeleton& skeleton);

/// The first joint whose name has the word head; else kNoJoint.
int32_t head_joint(const Skeleton& skeleton);

/// A position of the world in the picture, in pixels; nothing behind the camera.
std::optional<Vec2> to_picture(const View& view, Vec3 position);

}  // namespace sinew::app
