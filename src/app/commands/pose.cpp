#include "commands/pose.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/load_options.h"
#include "commands/options.h"
#include "gpu/device.h"
#include "gpu/skin_once.h"
#include "report/ply.h"
#include "sinew/animation/bake.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/pose.h"
#include "sinew/asset/cpu_skin.h"
#include "system/outputs.h"
#include "system/print.h"
#include "system/text.h"
#include "system/write_file.h"

namespace sinew::app {
namespace {

struct Options {
  std::string file, output, device;
  std::string clip = "0";
  std::string skinning = "compute";
  std::string evaluator = "exact";
  double time_seconds = 0;
  bool clip_given = false;
  LoadOptions load;

  std::vector<OutputFile> outputs() const { return {{"--output", output}}; }
};

std::string list_clips(const Character& character) {
  if (character.clips.empty()) return "; it has none, and without --clip the rest pose is taken";
  std::string list;
  for (size_t i = 0; i < character.clips.size() && i < 8; ++i) {
    list += text("%s%zu \"%s\"", i ? ", " : "", i, character.clips[i].name.c_str());
  }
  return "; there is " + list + (character.clips.size() > 8 ? " and more, see sinew info" : "");
}

/// The clip asked for. No value, and no error, where the file has none and none was asked for: the rest pose.
Result<std::optional<uint32_t>> choose_clip(const Options& options, const Character& character) {
  if (!options.clip_given && character.clips.empty()) return std::optional<uint32_t>{};
  const auto clip = find_clip(character.clips, options.clip);
  if (clip) return clip;
  return Error{ErrorCode::kNotFound, options.file + ": no clip \"" + options.clip + "\"" + list_clips(character)};
}

// The exact evaluator, stage by stage. An additive clip is added to the rest pose.
std::vector<Matrix3x4> evaluate_exactly(const Character& character, const Clip* clip, float time_seconds) {
  std::vector<Transform> pose = character.skeleton.rest_pose, sampled = pose;
  std::vector<Matrix3x4d> model_from_joint(character.skeleton.joint_count());
  std::vector<Matrix3x4> palette(character.skin.palette_size());
  if (clip) sample_clip(*clip, character.skeleton, time_seconds, sampled);
  if (clip && clip->additive) {
    add_pose({sampled, 1, {}}, pose);
  } else {
    pose = sampled;
  }
  walk_hierarchy(character.skeleton, pose, model_from_joint);
  build_palette(character.skin, model_from_joint, palette);
  return palette;
}

/// As the crowd would see it: this clip alone is baked.
Result<std::vector<Matrix3x4>> evaluate_baked(Character character, const Clip* clip, float time_seconds) {
  character.clips = clip ? std::vector<Clip>{*clip} : std::vector<Clip>();
  const auto baked = bake(character);
  if (!baked) return baked.error();
  struct alignas(64) Line {
    Matrix3x4 matrices[4];
  };
  const uint32_t stride = (baked->palette_size + 3) / 4 * 4;
  std::vector<Line> lines(stride / 4);
  if (lines.empty()) return std::vector<Matrix3x4>();
  const Playback playback{{{0, time_seconds, clip ? 1.0f : 0.0f}}};
  const std::span<Matrix3x4> palette(lines.front().matrices, stride);
  if (Status posed = CrowdEvaluator(*baked).evaluate({&playback, 1}, stride, palette); !posed) return posed.error();
  return std::vector<Matrix3x4>(palette.begin(), palette.begin() + baked->palette_size);
}

Result<std::vector<Matrix3x4>> evaluate(const Options& options, const Character& character, const Clip* clip) {
  const float time_seconds = float(options.time_seconds);
  if (options.evaluator == "exact") return evaluate_exactly(character, clip, time_seconds);
  return evaluate_baked(character, clip, time_seconds);
}

Result<SkinnedMesh> skin_by_compute(const Options& options, const Mesh& mesh, const std::vector<Matrix3x4>& palette) {
  const auto instead = [](Error error) {
    error.message += " (--skinning cpu needs none)";
    return error;
  };
  const Result<Instance> instance = create_instance({});
  if (!instance) return instead(instance.error());
  const auto devices = list_devices(*instance);
  if (!devices) return instead(devices.error());
  const Result<DeviceInfo> chosen = choose_device(*devices, options.device);
  if (!chosen) return instead(chosen.error());
  const Result<Device> device = create_device(*instance, *chosen);
  if (!device) return instead(device.error());
  return skin_once(*device, mesh, palette);
}

Result<SkinnedMesh> skin(const Options& options, const Mesh& mesh, const std::vector<Matrix3x4>& palette) {
  if (options.skinning == "compute") return skin_by_compute(options, mesh, palette);
  SkinnedMesh skinned{std::vector<Vec3>(mesh.vertex_count()), std::vector<Vec3>(mesh.vertex_count())};
  skin_on_cpu(mesh, palette, skinned.positions, skinned.normals);
  return skinned;
}

Status run(const Options& options) {
  if (Status status = check_writable(options.outputs()); !status) return status;
  const Result<CharacterFile> file = load_file(options.file, options.load);
  if (!file) return file.error();
  const Character& character = file->character;
  if (Status apart = check_distinct(options.outputs(), image_files(character, options.file)); !apart) return apart;
  const auto index = choose_clip(options, character);
  if (!index) return index.error();
  const Clip* clip = *index ? &character.clips[**index] : nullptr;
  const auto palette = evaluate(options, character, clip);
  if (!palette) return Error{palette.error().code, options.file + ": " + palette.error().message};
  const Result<SkinnedMesh> skinned = skin(options, character.mesh, *palette);
  if (!skinned) return skinned.error();
  const std::string what =
      clip ? text("clip \"%s\" at %g s", clip->name.c_str(), options.time_seconds) : "the rest pose";
  const std::string comment = character.name + ", " + what + ", skinned by " + options.skinning +
                              (options.evaluator == "crowd" ? ", baked" : "");
  if (Status status =
          write_file(options.output, encode_ply(character.mesh, skinned->positions, skinned->normals, comment));
      !status) {
    return status;
  }
  return print(text("%s: %s vertices of %s\n", options.output.c_str(), grouped(character.mesh.vertex_count()).c_str(),
                    printable(comment).c_str()));
}

}  // namespace

void add_pose_command(CLI::App& app, Status& status) {
  CLI::App* command = app.add_subcommand("pose", "A character's skinned vertices at one moment of a clip, as PLY");
  const auto options = std::make_shared<Options>();
  command->add_option("file", options->file, "Character file: .sinew, glTF, GLB, FBX, COLLADA, .x, BVH, MD5 ...")
      ->required();
  CLI::Option* clip = command->add_option("--clip", options->clip, "Clip, by name or by number")
                          ->type_name("NAME|INDEX")
                          ->capture_default_str();
  constexpr double kMaxSeconds = 1e9;
  add_number(
      *command, "--time", -kMaxSeconds, kMaxSeconds, [options](double seconds) { options->time_seconds = seconds; },
      "The clip's own time; held at the clip's ends, never wrapped")
      ->type_name("SECONDS")
      ->default_str("0");
  command
      ->add_option("--output", options->output,
                   "PLY to write: float x y z nx ny nz and uchar kind (0 static, 1 rigid, 2 skinned), in the file's "
                   "units and axes")
      ->type_name("OUT.ply")
      ->required();
  command->add_option("--skinning", options->skinning, "By a Vulkan device, or by the reference on the CPU")
      ->check(CLI::IsMember({"compute", "cpu"}))
      ->capture_default_str();
  command->add_option("--evaluator", options->evaluator, "As the file says, or from a bake as a crowd plays it")
      ->check(CLI::IsMember({"exact", "crowd"}))
      ->capture_default_str();
  command->add_option("--device", options->device, "Vulkan device; sinew devices lists them")
      ->type_name("INDEX|NAME|UUID");
  add_load_options(*command, options->load);
  command->callback([options, clip, &status] {
    options->clip_given = clip->count() > 0;
    require(check_distinct(options->outputs(), input_files(options->file, options->load)));
    status = run(*options);
  });
}

}  // namespace sinew::app
