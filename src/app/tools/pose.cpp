#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "commands.h"
#include "gpu/host.h"
#include "options/parser.h"
#include "scene/exact_poses.h"
#include "scene/names.h"
#include "sinew/animation/bake.h"
#include "sinew/animation/evaluator.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/result.h"
#include "sinew/asset/skinned_vertex.h"
#include "sinew/vulkan/skinner.h"
#include "system/output.h"
#include "system/text.h"

namespace sinew::app {
namespace {

// Skins one character on the device once and reads the vertices back: for inspection, not for speed.

/// One value for each vertex of a mesh, in model space; normals are unit length.
struct SkinnedMesh {
  std::vector<Vec3> positions, normals;
};

SkinnedMesh decode(std::span<const SkinnedVertex> vertices) {
  SkinnedMesh mesh;
  for (const SkinnedVertex& vertex : vertices) {
    mesh.positions.push_back({vertex.position[0], vertex.position[1], vertex.position[2]});
    mesh.normals.push_back(decode_normal(vertex.normal));
  }
  return mesh;
}

/// Skins one instance of `mesh` with `palette` and one weight for each morph target through sinew::vulkan. Waits for
/// the device. A mesh without vertices gives an empty result.
Result<SkinnedMesh> skin_once(const Device& device, const Mesh& mesh, std::span<const Matrix3x4> palette,
                              std::span<const float> weights) {
  if (mesh.positions.empty()) return SkinnedMesh{};
  auto skinner = vulkan::create_skinner(skinner_info(device, 1, vulkan::kTransferRead));
  if (!skinner) return skinner.error();
  const auto id = skinner->add_mesh(mesh, uint32_t(palette.size()), "pose");
  if (!id) return id.error();
  const vulkan::SkinnerBatch batch{*id, 1};
  if (Status begun = skinner->begin_frame({}); !begun) return begun.error();
  if (Status prepared = skinner->prepare(0, {&batch, 1}); !prepared) return prepared.error();
  const vulkan::InstanceRange range = skinner->ranges().front();
  std::copy(palette.begin(), palette.end(), range.palettes.begin());
  std::copy(weights.begin(), weights.end(), range.weights.begin());

  const VkBufferCopy all{range.vertices_offset, 0, range.vertex_count * sizeof(SkinnedVertex)};
  const auto readback =
      create_buffer(device, all.size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::kReadback, "skinned vertices");
  if (!readback) return readback.error();
  const Status status = run_once(device, "skinning", [&](VkCommandBuffer cmd) {
    skinner->record(cmd);
    vkCmdCopyBuffer(cmd, range.vertices, readback->get(), 1, &all);
  });
  if (!status) return status.error();
  return decode({static_cast<const SkinnedVertex*>(readback->mapped), range.vertex_count});
}

struct PoseArguments {
  std::string file, output, device;
  std::optional<std::string> clip;  // name or index; none: the first, or the rest pose where there is none
  bool on_cpu = false, baked = false;
  double time_seconds = 0;
  LoadOptions load = default_load();

  std::vector<OutputFile> outputs() const { return {{"--output", output}}; }
};

/// The clip that --clip names, or clip 0. No value, and no error, where the file has no clips and --clip is not given:
/// that means the rest pose.
Result<std::optional<uint32_t>> choose_clip(const PoseArguments& options, const Character& character) {
  if (!options.clip && character.clips.empty()) return std::optional<uint32_t>{};
  const auto clip = find_clip_by_name(character.clips, options.clip.value_or("0"));
  if (clip) return std::optional(*clip);
  return Error{clip.error().code, options.file + ": " + clip.error().message};
}

/// Computes the palette from a bake, as `sinew crowd` does by default. Bakes this clip only, with the default options.
Result<SkinInput> evaluate_baked(Character character, const Clip* clip, float time_seconds) {
  character.clips = clip ? std::vector<Clip>{*clip} : std::vector<Clip>();
  const auto baked = bake(character);
  if (!baked) return baked.error();
  const Playback playback{{{0, time_seconds, clip ? 1.0f : 0.0f}}};
  SkinInput input{std::vector<Matrix3x4>(baked->palette_size), std::vector<float>(baked->target_count())};
  if (Status posed = CrowdEvaluator(*baked).evaluate({&playback, 1}, baked->palette_size, input.palette); !posed)
    return posed.error();
  if (Status posed = evaluate_weights(*baked, {&playback, 1}, baked->target_count(), input.weights); !posed)
    return posed.error();
  return input;
}

/// Without a clip: of the rest pose.
Result<SkinInput> evaluate(const PoseArguments& options, const Character& character, std::optional<uint32_t> clip) {
  const float time_seconds = float(options.time_seconds);
  if (options.baked) return evaluate_baked(character, clip ? &character.clips[*clip] : nullptr, time_seconds);
  Playback playback;
  if (clip) playback.layers[0] = {*clip, time_seconds, 1};
  return exact_skin_input(character, character.skin, character.mesh, playback);
}

/// Skins on the device that --device names. Creates the device and destroys it again.
Result<SkinnedMesh> skin_by_compute(const PoseArguments& options, const Mesh& mesh, const SkinInput& input) {
  GraphicsContext graphics;
  if (const Status ready = set_up({options.device}, graphics); !ready) {
    Error error = ready.error();
    error.message += " (--skinning cpu needs no device)";
    return error;
  }
  return skin_once(graphics.device, mesh, input.palette, input.weights);
}

Result<SkinnedMesh> skin(const PoseArguments& options, const Mesh& mesh, const SkinInput& input) {
  if (!options.on_cpu) return skin_by_compute(options, mesh, input);
  SkinnedMesh skinned{std::vector<Vec3>(mesh.vertex_count()), std::vector<Vec3>(mesh.vertex_count())};
  skin_on_cpu(mesh, input.palette, skinned.positions, skinned.normals, {}, input.weights);
  return skinned;
}

// --- the file ---

static_assert(std::endian::native == std::endian::little, "PLY values are written in the byte order of memory");

std::string ply_header(const Mesh& mesh, const std::string& comment) {
  return text(
      "ply\nformat binary_little_endian 1.0\ncomment %s\n"
      "element vertex %zu\nproperty float x\nproperty float y\nproperty float z\n"
      "property float nx\nproperty float ny\nproperty float nz\nproperty uchar kind\n"
      "element face %zu\nproperty list uchar uint vertex_indices\nend_header\n",
      printable(comment).c_str(), mesh.positions.size(), mesh.indices.size() / 3);
}

template <class Value>
void append(std::string& bytes, const Value& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(Value));
}

/// A binary little-endian PLY file: for each vertex float x y z nx ny nz and uchar kind (0 static, 1 rigid, 2 skinned,
/// as PartKind), then the mesh's triangles. `comment` is written to the header as one line; its control characters
/// become
/// '?'.
std::string encode_ply(const Mesh& mesh, std::span<const Vec3> positions, std::span<const Vec3> normals,
                       const std::string& comment) {
  std::string bytes = ply_header(mesh, comment);
  for (const MeshPart& part : mesh.parts) {
    for (uint32_t vertex = part.first_vertex; vertex < part.first_vertex + part.vertex_count; ++vertex) {
      append(bytes, positions[vertex]);
      append(bytes, normals[vertex]);
      append(bytes, part.kind);
    }
  }
  for (size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    append(bytes, uint8_t(3));
    for (size_t corner = 0; corner < 3; ++corner) append(bytes, mesh.indices[i + corner]);
  }
  return bytes;
}

Status run(const PoseArguments& options) {
  const Result<CharacterFile> file = load_checked(options);
  if (!file) return file.error();
  const Character& character = file->character;
  const auto index = choose_clip(options, character);
  if (!index) return index.error();
  const Clip* clip = *index ? &character.clips[**index] : nullptr;
  const auto input = evaluate(options, character, *index);
  if (!input) return Error{input.error().code, options.file + ": " + input.error().message};
  const Result<SkinnedMesh> skinned = skin(options, character.mesh, *input);
  if (!skinned) return skinned.error();
  const std::string moment =
      clip ? text("clip \"%s\" at %g s", clip->name.c_str(), options.time_seconds) : "the rest pose";
  const std::string comment = character.name + ", " + moment + ", skinned by " + (options.on_cpu ? "cpu" : "compute") +
                              (options.baked ? ", baked" : "");
  const std::string ply = encode_ply(character.mesh, skinned->positions, skinned->normals, comment);
  if (Status status = write_file(options.output, ply); !status) return status;
  return print(text("%s: %s vertices of %s\n", options.output.c_str(), grouped(character.mesh.vertex_count()).c_str(),
                    printable(comment).c_str()));
}

std::vector<Option> rows(PoseArguments& o) {
  constexpr double kMaxSeconds = 1e9;
  std::vector<Option> rows = {
      file_row(o.file),
      {"--clip", "NAME|INDEX", word(o.clip),
       "Clip, by name or index [the first; the rest pose of a file without clips]"},
      {"--time", "SECONDS", number(o.time_seconds, -kMaxSeconds, kMaxSeconds),
       "Time within the clip; clamped to the clip's start and end, never wrapped [0]"},
      {.name = "--output",
       .type = "OUT.ply",
       .value = word(o.output),
       .help = "PLY file to write: float x y z nx ny nz and uchar kind (0 static, 1 rigid, 2 skinned), in the "
               "character file's units and axes",
       .required = true},
      {"--skinning", "compute|cpu", choice(o.on_cpu, {{"compute", false}, {"cpu", true}}),
       "compute: on a Vulkan device; cpu: by the CPU skinner, the reference [compute]"},
      {"--evaluator", "exact|crowd", choice(o.baked, {{"exact", false}, {"crowd", true}}),
       "exact: from the clip as the file has it; crowd: from a baked clip, as sinew crowd plays it [exact]"},
      {"--device", "INDEX|NAME|UUID", word(o.device), "Vulkan device; sinew devices lists them [the fastest]"},
  };
  for (Option& row : option_rows(o.load)) rows.push_back(std::move(row));
  rows.push_back(blend_row(o.load));
  return rows;
}

}  // namespace

void add_pose_command(CLI::App& app, Status& status) {
  add_command<PoseArguments>(app, "pose", "Writes a character's skinned vertices at one time of a clip, as PLY", status,
                             rows, check_files, run);
}

}  // namespace sinew::app
