#include "tools/character_info.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "options/filled.h"
#include "scene/clip_motion.h"
#include "scene/exact_poses.h"
#include "sinew/crowd/planner.h"
#include "sinew/experimental/gather_lines.h"
#include "system/text.h"

namespace sinew::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kKindNames[] = {"static", "rigid", "skinned"};
constexpr const char* kAlphaNames[] = {"opaque", "mask", "blend"};

/// Bounding box of all vertices in the rest pose, in model space; zero where there are none.
Box rest_bounds(const Character& character) {
  if (character.mesh.vertex_count() == 0) return {};
  return bounding_box(exact_positions(character, Playback()));
}

/// histogram[n] is the number of vertices with n influences.
std::vector<uint32_t> influence_histogram(const Mesh& mesh) {
  std::vector<uint32_t> histogram(max_influences(mesh) + 1);
  for (uint32_t vertex = 0; vertex < mesh.vertex_count(); ++vertex) ++histogram[mesh.influences_of(vertex).size()];
  return histogram;
}

/// See gather_lines(); 0 if memory runs out.
double lines_of(const Mesh& mesh) {
  const Result<double> lines = experimental::gather_lines(mesh);
  return lines ? *lines : 0;
}

/// The same in the order of order_by_influences().
double ordered_lines_of(Mesh mesh) { return order_by_influences(mesh) ? lines_of(mesh) : 0; }

double mean_influences(const Mesh& mesh) {
  return mesh.vertex_count() == 0 ? 0 : double(mesh.influences.size()) / mesh.vertex_count();
}

// --- JSON for programs ---

Json vector_json(Vec3 v) { return Json::array({v.x, v.y, v.z}); }

template <class Items, class ToJson>
Json array_json(const Items& items, ToJson to_json) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(to_json(item));
  return array;
}

Json space_json(const Character& character) {
  const Box bounds = rest_bounds(character);
  return {{"up", vector_json(character.space.up)},
          {"front", vector_json(character.space.front)},
          {"meters_per_unit", character.space.meters_per_unit},
          {"rest_min", vector_json(bounds.low)},
          {"rest_max", vector_json(bounds.high)}};
}

Json mesh_json(const Character& character, const ImportReport& report) {
  const Mesh& mesh = character.mesh;
  const auto part_json = [](const MeshPart& part) -> Json {
    return {{"name", part.name},
            {"kind", kKindNames[size_t(part.kind)]},
            {"vertices", part.vertex_count},
            {"triangles", part.index_count / 3},
            {"material", part.material}};
  };
  return {{"vertices", mesh.vertex_count()},
          {"triangles", mesh.indices.size() / 3},
          {"static_vertices", report.static_vertices},
          {"rigid_vertices", report.rigid_vertices},
          {"skinned_vertices", report.skinned_vertices},
          {"mean_influences", mean_influences(mesh)},
          {"max_influences", max_influences(mesh)},
          {"vertices_by_influences", influence_histogram(mesh)},
          {"gather_lines", lines_of(mesh)},
          {"ordered_gather_lines", ordered_lines_of(mesh)},
          {"tangents", !mesh.tangents.empty()},
          {"file_tangents", report.file_tangents},
          {"colors", !mesh.colors.empty()},
          {"parts", array_json(mesh.parts, part_json)}};
}

Json target_json(const MorphTarget& target) {
  return {{"name", target.name}, {"rest_weight", target.rest_weight}, {"vertices", target.vertices.size()}};
}

Json joints_json(const Skeleton& skeleton) {
  Json joints = Json::array();
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint)
    joints.push_back({{"name", skeleton.joint_names[joint]}, {"parent", skeleton.parents[joint]}});
  return joints;
}

Json marker_json(const Marker& marker) { return {{"time_seconds", marker.time_seconds}, {"name", marker.name}}; }

/// The height of the rest pose, in model units.
float body_height(const Character& character) {
  const Box box = rest_bounds(character);
  const Vec3 size = size_of(box), up = character.space.up;
  return std::abs(size.x * up.x) + std::abs(size.y * up.y) + std::abs(size.z * up.z);
}

Json clip_json(const Character& character, uint32_t index, float body_height) {
  const Clip& clip = character.clips[index];
  const float distance = find_moved_root(character, index).distance;
  return {{"name", clip.name},
          {"start_seconds", clip.start_seconds},
          {"end_seconds", clip.end_seconds},
          {"duration_seconds", clip.duration_seconds()},
          {"animated_joints", clip.tracks.size()},
          {"animated_morph_targets", clip.weights.size()},
          {"root_distance", distance},
          {"leaves_its_place", body_height > 0 && distance > body_height},
          {"markers", array_json(clip.markers, marker_json)}};
}

Json clips_json(const Character& character) {
  const float height = body_height(character);
  Json array = Json::array();
  for (uint32_t i = 0; i < character.clips.size(); ++i) array.push_back(clip_json(character, i, height));
  return array;
}

Json material_json(const Material& material) {
  const auto image = [](const Texture& texture) { return texture.image < 0 ? Json() : Json(texture.image); };
  const Vec4 color = material.base_color;
  return {{"name", material.name},
          {"base_color", Json::array({color.x, color.y, color.z, color.w})},
          {"image", image(material.base_color_texture)},
          {"metallic", material.metallic},
          {"roughness", material.roughness},
          {"metallic_roughness_image", image(material.metallic_roughness_texture)},
          {"normal_image", image(material.normal_texture)},
          {"normal_scale", material.normal_scale},
          {"occlusion_image", image(material.occlusion_texture)},
          {"occlusion_strength", material.occlusion_strength},
          {"emissive", vector_json(material.emissive)},
          {"emissive_image", image(material.emissive_texture)},
          {"alpha_mode", kAlphaNames[size_t(material.alpha_mode)]},
          {"alpha_cutoff", material.alpha_cutoff},
          {"double_sided", material.double_sided},
          {"unlit", material.unlit}};
}

Json image_json(const Image& image) { return {{"name", image.name}, {"width", image.width}, {"height", image.height}}; }

Json level_json(const LevelFacts& facts) {
  const bool finest = facts.error_meters == 0;
  return {{"triangles", facts.triangles},
          {"vertices", facts.vertices},
          {"joints", facts.joints},
          {"max_influences", facts.influences},
          {"parts", facts.parts},
          {"error_mm", double(facts.error_meters) * 1e3},
          {"below_pixels", finest ? Json() : Json(facts.height_pixels)}};
}

enum class RepairKind : uint8_t { kLost, kRepaired, kComputed };

/// One kind of change that import made: the name of its JSON field, its text, and how often it happened.
struct Repair {
  const char* name;
  const char* words;
  uint32_t count;
  RepairKind kind = RepairKind::kRepaired;
};

std::vector<Repair> repairs(const ImportReport& report) {
  using enum RepairKind;
  return {
      {"normalised_vertices", "vertices whose weights did not add to 1 were normalized", report.normalized_vertices},
      {"limited_vertices", "vertices lost influences", report.limited_vertices, kLost},
      {"unmoved_vertices",
       "skinned vertices without a weight follow the mesh's node, or in glTF the first joint they name",
       report.unmoved_vertices},
      {"normalised_rotation_keys", "rotation keys were normalized", report.normalized_rotation_keys},
      {"merged_entries", "palette entries were merged with those of other parts", report.merged_entries},
      {"computed_inverse_binds", "inverse bind matrices were computed", report.computed_inverse_binds, kComputed},
      {"computed_normals", "normals were computed", report.computed_normals, kComputed},
      {"computed_tangents", "tangents were computed", report.computed_tangents, kComputed},
      {"repaired_differences", "differences of morph targets were not finite, and are 0", report.repaired_differences}};
}

Json import_json(const ImportReport& report) {
  Json json = Json::object();
  for (const Repair& repair : repairs(report)) json[repair.name] = repair.count;
  json["largest_lost_weight"] = report.largest_lost_weight;
  json["retargeted"] = report.retargeted;
  json["curve_keys"] = report.curve_keys, json["track_keys"] = report.track_keys;
  json["largest_curve_error"] = report.largest_curve_error;
  json["warnings"] = report.warnings;
  return json;
}

// --- text for people, of the JSON ---

std::string line(const char* name, const std::string& value) { return text("%-12s%s\n", name, value.c_str()); }

/// A heading, then a numbered line for each item.
template <class Row>
std::string listed(const char* name, const std::string& heading, const Json& items, Row row) {
  std::string lines = line(name, heading);
  size_t number = 0;
  for (const Json& item : items) lines += text("  %3zu  ", number++) + row(item) + "\n";
  return lines;
}

std::string axis(const Json& direction) {
  for (size_t i = 0; i < 3; ++i) {
    const float size = direction[i].get<float>();
    if (std::abs(size) > 0.999f) return std::string(size < 0 ? "-" : "+") + "xyz"[i];
  }
  return filled("({0:%.3g}, {1:%.3g}, {2:%.3g})", direction);
}

std::string space_line(const Json& space, bool has_mesh) {
  Json size = Json::array();
  for (size_t i = 0; i < 3; ++i) size.push_back(space["rest_max"][i].get<float>() - space["rest_min"][i].get<float>());
  const std::string axes = "up " + axis(space["up"]) + ", front " + axis(space["front"]);
  return line("space", axes + filled(", {meters_per_unit:%.6g} m a unit", space) +
                           (has_mesh ? filled("; {0} x {1} x {2} units in the rest pose", size) : ""));
}

std::string mesh_lines(const Json& mesh) {
  const std::string heading =
      filled(
          "{vertices} vertices ({skinned_vertices} skinned, {rigid_vertices} rigid, {static_vertices} static), "
          "{triangles} triangles, ",
          mesh) +
      filled("{0:raw} part{0:s}", {mesh["parts"].size()});
  return listed("mesh", heading, mesh["parts"], [](const Json& part) {
    return filled("{kind:%-8} {vertices:%8} vertices {triangles:%8} triangles  material {material:raw}  {name:quoted}",
                  part);
  });
}

std::string tangent_line(const Json& mesh) {
  if (mesh["tangents"] == true) return line("tangents", "one a vertex");
  if (mesh["file_tangents"] == 0) return line("tangents", "none");
  return line("tangents",
              filled("not kept (`bake --tangents` does): the file has them for {file_tangents} vertices", mesh));
}

std::string morph_lines(const Json& targets) {
  const std::string count = filled("{0} target{0:s}", {targets.size()});
  return listed("morphs", targets.empty() ? "none" : count, targets, [](const Json& target) {
    return filled("moves {vertices} vertices, rest weight {rest_weight:%.3g}  {name:quoted}", target);
  });
}

std::string influence_lines(const Json& mesh) {
  std::string lines = line("influences", filled("{mean_influences:%.2f} a vertex, at most {max_influences:raw}", mesh));
  const Json& histogram = mesh["vertices_by_influences"];
  for (size_t count = 1; count < histogram.size(); ++count) {
    const double all = mesh["vertices"].get<double>(), share = all == 0 ? 0 : histogram[count].get<double>() / all;
    const std::string bar = share > 0.0125 ? " " + std::string(size_t(std::lround(share * 40)), '#') : "";
    lines += filled("  {0:%3}  {1:%8} vertices {2:%5.1f} %", {count, histogram[count], share * 100}) + bar + "\n";
  }
  return lines + line("gathers", filled("{gather_lines:%.1f} cache lines for 64 vertices, {ordered_gather_lines:%.1f} "
                                        "as the crowd orders them",
                                        mesh));
}

std::string joint_lines(const Json& info, bool with_joints) {
  const Json& joints = info["joints"];
  std::string lines = line("joints", grouped(joints.size()) + filled(", palette of {palette_size} matrices", info) +
                                         (with_joints || joints.empty() ? "" : " (--joints lists them)"));
  std::vector<uint32_t> depths(joints.size());
  for (size_t joint = 0; joint < joints.size() && with_joints; ++joint) {
    const int32_t parent = joints[joint]["parent"].get<int32_t>();
    depths[joint] = parent == kNoJoint ? 0 : depths[size_t(parent)] + 1;
    lines += text("  %3zu  ", joint) + std::string(std::min(depths[joint], 60u) * 2, ' ');
    lines += printable(joints[joint]["name"].get<std::string>()) + "\n";
  }
  return lines;
}

/// With the number of its markers, and each with its time.
std::string clip_words(const Json& clip) {
  std::string words = filled(
      {{true,
        "{duration_seconds:%8.3f} s, from {start_seconds:%.3f} to {end_seconds:%.3f}, "
        "{animated_joints:%3} joints"},
       {clip["animated_morph_targets"] > 0, ", {animated_morph_targets:raw} morph target{animated_morph_targets:s}"},
       {true, "  {name:quoted}"},
       {clip["leaves_its_place"], ", moves its root {root_distance:%.3g} units away (see sinew view --root-motion)"}},
      clip);
  const Json& markers = clip["markers"];
  if (!markers.empty()) words += filled(", {0:raw} marker{0:s}", {markers.size()});
  for (const Json& marker : markers)
    words += (&marker == &markers.front() ? ": " : ", ") + filled("{name:quoted} {time_seconds:%.3f} s", marker);
  return words;
}

/// What differs from a matte, opaque surface.
std::string material_words(const Json& material) {
  const auto has = [&](const char* image) { return !material[image].is_null(); };
  const Json& emissive = material["emissive"];
  const bool glows = emissive[0].get<float>() + emissive[1].get<float>() + emissive[2].get<float>() > 0;
  return filled({{true, "color {base_color.0:%.3f} {base_color.1:%.3f} {base_color.2:%.3f} {base_color.3:%.3f}"},
                 {has("image"), ", image {image:raw}"},
                 {material["metallic"] != 0, ", metallic {metallic:%.3g}"},
                 {material["roughness"] != 1, ", roughness {roughness:%.3g}"},
                 {glows, ", emissive {emissive.0:%.3f} {emissive.1:%.3f} {emissive.2:%.3f}"},
                 {has("metallic_roughness_image"), ", metallic-roughness image {metallic_roughness_image:raw}"},
                 {has("normal_image"), ", normal image {normal_image:raw}"},
                 {has("occlusion_image"), ", occlusion image {occlusion_image:raw}"},
                 {has("emissive_image"), ", emissive image {emissive_image:raw}"},
                 {material["alpha_mode"] == "blend", ", blend"},
                 {material["alpha_mode"] == "mask", ", mask from alpha {alpha_cutoff:%.3g}"},
                 {material["double_sided"] == true, ", double-sided"},
                 {material["unlit"] == true, ", unlit"},
                 {true, "  {name:quoted}"}},
                material);
}

/// Empty: none was lost.
std::string lost_weight(const ImportReport& report) {
  if (report.largest_lost_weight == 0) return "";
  return text("at most %.2f %% of a vertex's weight was lost", report.largest_lost_weight * 100);
}

/// Empty: the file has no curves.
std::string curve_words(const ImportReport& report) {
  if (report.curve_keys == 0) return "";
  return filled(
      "{curve_keys} keys in the file, {track_keys} in the clips; between keys within "
      "{largest_curve_error:%.1e} of the diagonal",
      import_json(report));
}

std::vector<std::string> items_of(const ImportReport& report, std::optional<RepairKind> kind) {
  std::vector<std::string> items;
  for (const Repair& repair : repairs(report)) {
    if (repair.count > 0 && repair.kind == kind.value_or(repair.kind))
      items.push_back(grouped(repair.count) + " " + repair.words);
  }
  return items;
}

/// Lines that belong to the line before.
std::string indented(const std::vector<std::string>& items) {
  std::string lines;
  for (const std::string& item : items) lines += "       " + item + "\n";
  return lines;
}

std::string retarget_lines(const ImportReport& report, bool with_joints) {
  if (report.retargeted.empty()) return "";
  if (!with_joints) return line("retarget", "how joints are paired: --joints lists it");
  return line("retarget", "joints are paired:") + indented(report.retargeted);
}

std::string import_lines(const ImportReport& report) {
  std::vector<std::string> items = items_of(report, {});
  if (std::string lost = lost_weight(report); !lost.empty()) items.push_back(std::move(lost));
  const char* nothing = report.warnings.empty() ? "nothing had to be repaired" : "nothing else than the warnings say";
  std::string lines = line("import", items.empty() ? nothing : "repairs:") + indented(items);
  if (report.curve_keys > 0) lines += line("curves", curve_words(report));
  for (const std::string& warning : report.warnings) lines += line("warning", printable(warning));
  return lines;
}

std::string surface_lines(const Json& info) {
  const Json& mesh = info["mesh"];
  if (mesh["vertices"] == 0) return line("mesh", "none: its clips can move another file's (--animation)");
  return mesh_lines(mesh) + tangent_line(mesh) + line("colors", mesh["colors"] == true ? "one a vertex" : "none") +
         morph_lines(info["morph_targets"]) + influence_lines(mesh);
}

/// A row for each level of detail; nothing where there is none.
std::string level_lines(const Json& levels) {
  if (levels.is_null()) return "";
  std::string lines = line("levels", text("%zu; a coarser one replaces a finer one below %.0f %% of its height, the "
                                          "finer one returns above it",
                                          levels.size(), double(crowd::kLevelHysteresis) * 100));
  lines += "  level triangles vertices joints influences parts error mm below pixels\n";
  size_t number = 0;
  for (const Json& level : levels) {
    const bool finest = number == 0, small = !finest && level["below_pixels"] < 100;
    lines += text("  %5zu ", number++) +
             filled({{true, "{triangles:%9} {vertices:%8} {joints:%6} {max_influences:%10} {parts:%5} "},
                     {finest, "       -            -\n"},
                     {small, "{error_mm:%8} {below_pixels:%12.1f}\n"},
                     {!finest && !small, "{error_mm:%8} {below_pixels:%12.0f}\n"}},
                    level);
  }
  return lines;
}

}  // namespace

nlohmann::ordered_json info_json(const std::string& file, const Character& character, const ImportReport& report,
                                 std::span<const LevelFacts> levels) {
  return {{"schema", 1},
          {"file", file},
          {"name", character.name},
          {"space", space_json(character)},
          {"mesh", mesh_json(character, report)},
          {"morph_targets", array_json(character.mesh.targets, target_json)},
          {"levels", levels.empty() ? Json() : array_json(levels, level_json)},
          {"palette_size", character.skin.palette_size()},
          {"joints", joints_json(character.skeleton)},
          {"clips", clips_json(character)},
          {"materials", array_json(character.materials, material_json)},
          {"images", array_json(character.images, image_json)},
          {"import", import_json(report)}};
}

std::string info_text(const nlohmann::ordered_json& info, const ImportReport& report, bool with_joints) {
  const auto image_words = [](const Json& image) { return filled("{width:raw} x {height:raw}  {name:quoted}", image); };
  const auto count_of = [&](const char* list) { return grouped(info[list].size()); };
  return line("file", printable(info["file"].get<std::string>())) + line("name", filled("{name:quoted}", info)) +
         space_line(info["space"], info["mesh"]["vertices"] != 0) + surface_lines(info) + level_lines(info["levels"]) +
         joint_lines(info, with_joints) + listed("clips", count_of("clips"), info["clips"], clip_words) +
         listed("materials", count_of("materials"), info["materials"], material_words) +
         listed("images", count_of("images"), info["images"], image_words) + retarget_lines(report, with_joints) +
         import_lines(report);
}

std::vector<ImportGroup> import_groups(const ImportReport& report) {
  std::vector<std::string> lost = items_of(report, RepairKind::kLost), facts = report.retargeted;
  if (std::string weight = lost_weight(report); !weight.empty()) lost.push_back(std::move(weight));
  if (std::string curves = curve_words(report); !curves.empty()) facts.push_back("curves: " + curves);
  std::vector<ImportGroup> groups = {{"Lost", std::move(lost)},
                                     {"Warnings", report.warnings},
                                     {"Repaired", items_of(report, RepairKind::kRepaired)},
                                     {"Computed", items_of(report, RepairKind::kComputed)},
                                     {"Facts", std::move(facts), true}};
  std::erase_if(groups, [](const ImportGroup& group) { return group.items.empty(); });
  return groups;
}

}  // namespace sinew::app
