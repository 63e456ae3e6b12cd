#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <new>
#include <numeric>
#include <string_view>

#include "asset/file.h"
#include "asset/one_line.h"
#include "clips.h"
#include "conversion.h"
#include "failure.h"
#include "file_type.h"
#include "joints.h"
#include "readers.h"
#include "scene.h"
#include "sinew/asset/character_file.h"
#include "sinew/import/import.h"
#include "sinew/profile.h"
#include "surface.h"
#include "system.h"

namespace sinew {

using namespace internal;
namespace {

// Import of `.sinew` files: as the model that clips are added to, or as a file of clips.

/// A scene with one node per joint. A further node has the names of the morph targets.
Scene scene_of(const Character& character) {
  Scene scene;
  const Skeleton& skeleton = character.skeleton;
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    SceneNode& node = scene.nodes.emplace_back();
    node.name = skeleton.joint_names[joint];
    node.parent = skeleton.parents[joint];
    set_rest(node, skeleton.rest_pose[joint]);
    if (node.parent < 0) node.parent_from_node = skeleton.model_from_root * node.parent_from_node;
  }
  SceneMesh& mesh = scene.meshes.emplace_back();
  for (const MorphTarget& target : character.mesh.targets) mesh.targets.emplace_back().name = target.name;
  scene.uses.push_back({uint32_t(scene.nodes.size()), 0});
  scene.nodes.emplace_back();
  return scene;
}

/// Converts the joints and clips of a character into a scene without meshes, for add_clips(). Additive clips are left
/// out with a warning: their tracks are differences, not poses.
Scene clips_of(Character&& character, ImportReport& report) {
  Scene scene = scene_of(character);
  for (Clip& clip : character.clips) {
    if (clip.additive) {
      report.warnings.push_back("clip '" + clip.name + "' is additive, left out");
      continue;
    }
    SceneClip& added = scene.clips.emplace_back();
    added.name = clip.name;
    added.markers = std::move(clip.markers);
    for (JointTracks& tracks : clip.tracks) {
      added.tracks.push_back(
          {tracks.joint, std::move(tracks.translation), std::move(tracks.rotation), std::move(tracks.scale)});
    }
    for (WeightTrack& track : clip.weights) {
      added.weights.push_back({character.skeleton.joint_count(), track.target, std::move(track.weight)});
    }
  }
  return scene;
}

/// Adds another file's clips to a character; see add_clips().
void append_clips(Character& character, Scene&& other, const std::string& other_path, ImportReport& report) {
  Scene scene = scene_of(character);
  Joints joints;
  joints.joint_of.resize(scene.nodes.size());
  std::iota(joints.joint_of.begin(), joints.joint_of.end(), 0);
  joints.joint_of.back() = kNoJoint;
  const TargetBuilder targets(uint32_t(scene.nodes.size() - 1), character.mesh.target_count());
  add_clips(scene, std::move(other), other_path, report);
  for (Clip& clip : convert_clips(scene, joints, targets, report)) character.clips.push_back(std::move(clip));
}

constexpr size_t kMaxReasonBytes = 400;  // some parsers quote a whole data URI

/// Reads a `.sinew` file. The error message lacks the file's name: guarded() adds it.
Result<CharacterFile> stored_character(const std::string& path) {
  const Result<FileBytes> bytes = read_file(path);
  return bytes ? decode_character(bytes->bytes()) : bytes.error();
}

Scene read_scene(const std::string& path, Wanted wanted, ImportReport& report) {
  switch (file_type(path)) {
    case FileType::kGltf:
      return read_gltf(path, wanted, report);
    case FileType::kFbx:
      return read_fbx(path, wanted, report);
    case FileType::kCollada:
      return read_collada(path, wanted, report);
    case FileType::kSinew: {
      Result<CharacterFile> file = stored_character(path);
      if (!file) fail(file.error().message, file.error().code);
      return clips_of(std::move(file->character), report);
    }
    case FileType::kOther:
      break;
  }
  return read_with_assimp(path, extension_of(path), wanted, report);
}

Error cannot_read(const std::string& path, ErrorCode code, std::string reason) {
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  const std::string_view begin = whole_characters(reason, kMaxReasonBytes);
  if (begin.size() < reason.size()) reason = std::string(begin) + " ...";
  return {code, one_line("cannot read '" + path + "': " + reason)};
}

/// Calls `read`, which reads `path`. Every exception of the readers and their libraries becomes an Error.
template <class T, class Read>
Result<T> guarded(const std::string& path, Read read) {
  try {
    return read();
  } catch (const ImportFailure& failure) {
    if (failure.reason.ends_with("bad_alloc")) return out_of_memory(path);  // a parser turned the exception into text
    return cannot_read(path, failure.code, failure.reason);
  } catch (const std::bad_alloc&) {
    return out_of_memory(path);
  } catch (const std::exception& exception) {
    return cannot_read(path, ErrorCode::kInvalidData, exception.what());
  } catch (...) {
    return cannot_read(path, ErrorCode::kInvalidData, "it is malformed");
  }
}

void drop_images(Character& character) {
  character.images = {};
  for (Material& material : character.materials) {
    for (Texture* texture : material.textures()) texture->image = -1;
  }
}

/// Reads each animation file, and calls `add(scene, path)` with its scene.
template <class Add>
Status read_animations(const ImportOptions& options, Add add) {
  for (const std::string& path : options.animation_files) {
    ImportReport ignored;  // only the clips are used: warnings about meshes do not matter
    const Wanted wanted{.ticks_per_second = options.ticks_per_second};
    Result<Scene> animation = guarded<Scene>(path, [&] { return read_scene(path, wanted, ignored); });
    if (!animation) return animation.error();
    const Result<bool> added = guarded<bool>(path, [&] { return add(std::move(*animation), path), true; });
    if (!added) return added.error();
  }
  return {};
}

/// Whether `options` has the animation file that is read with the MD5 mesh `path`, because it has the same name.
bool animates_itself(const std::string& path, const ImportOptions& options) {
  if (extension_of(path) != ".md5mesh") return false;
  const std::filesystem::path own = path_of(path).replace_extension(".md5anim");
  std::error_code absent;
  return std::any_of(options.animation_files.begin(), options.animation_files.end(),
                     [&](const std::string& file) { return std::filesystem::equivalent(own, path_of(file), absent); });
}

Result<Character> import_character(const std::string& path, const ImportOptions& options, ImportReport& report) {
  Result<Scene> scene = guarded<Scene>(path, [&] { return read_scene(path, wanted_of(options), report); });
  if (!scene) return scene.error();
  if (animates_itself(path, options)) scene->clips.clear();  // each clip once
  const Status read = read_animations(options, [&](Scene&& animation, const std::string& from) {
    add_clips(*scene, std::move(animation), from, report);
  });
  if (!read) return read.error();
  Result<Character> character = guarded<Character>(path, [&] { return convert(std::move(*scene), options, report); });
  if (character) character->name = utf8_of(path_of(path).stem());
  return character;
}

Result<Character> load_stored(const std::string& path, const ImportOptions& options, ImportReport& report) {
  Result<CharacterFile> file = load_character_file(path);
  if (!file) return file.error();
  Character& character = file->character;
  if (!options.images) drop_images(character);
  if (file->report) report = std::move(*file->report);
  const Status read = read_animations(options, [&](Scene&& animation, const std::string& from) {
    append_clips(character, std::move(animation), from, report);
  });
  if (!read) return read.error();
  if (options.max_influences > 0) limit_influences(character.mesh, options.max_influences, report);
  if (character.mesh.tangents.empty() && has_tangents(options, character.mesh.parts, character.materials)) {
    for (const MeshPart& part : character.mesh.parts) {
      const std::vector<Vec4> own = tangents_of_part(character.mesh, part, character.materials[part.material]);
      character.mesh.tangents.insert(character.mesh.tangents.end(), own.begin(), own.end());
    }
    report.computed_tangents = character.mesh.vertex_count();
  }
  count(character, report);
  return std::move(character);
}

}  // namespace

Result<Character> load_character(const std::string& path, const ImportOptions& options, ImportReport* report) try {
  SINEW_PROFILE_SCOPE("sinew load");
  const DecimalPoint numbers;
  ImportReport own;
  if (report == nullptr) report = &own;
  *report = {};
  if (!(options.ticks_per_second >= 0 && std::isfinite(options.ticks_per_second)))
    return Error{ErrorCode::kInvalidArgument, "ticks_per_second: it is negative or not finite"};
  Result<Character> character = guarded<Character>(path, [&] {
    return is_character_file(path) ? load_stored(path, options, *report) : import_character(path, options, *report);
  });
  make_one_line(report->retargeted);
  make_one_line(report->warnings);
  if (!character) return character;
  if (Status status = validate(*character); !status) {
    return cannot_read(path, status.error().code, status.error().message);
  }
  return character;
} catch (const std::bad_alloc&) {
  return out_of_memory(path);
}

}  // namespace sinew
