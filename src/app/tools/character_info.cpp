#include "tools/character_info.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "asset/plain_text.h"
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

std::string axis(Vec3 direction) {
  const float size[] = {direction.x, direction.y, direction.z};
  for (int i = 0; i < 3; ++i) {
    if (std::abs(size[i]) > 0.999f) return std::string(size[i] < 0 ? "-" : "+") + "xyz"[i];
  }
  return text("(%.3g, %.3g, %.3g)", double(direction.x), double(direction.y), double(direction.z));
}

std::string quoted(const std::string& name) { return "\"" + printable(name) + "\""; }

// --- text for people ---

std::string line(const char* name, const std::string& value) { return text("%-12s%s\n", name, value.c_str()); }

/// A heading, then a numbered line for each item.
template <class Items, class Row>
std::string listed(const char* name, const std::string& heading, const Items& items, Row row) {
  std::string lines = line(name, heading);
  size_t number = 0;
  for (const auto& item : items) lines += text("  %3zu  ", number++) + row(item) + "\n";
  return lines;
}

std::string space_line(const Character& character) {
  const ModelSpace& space = character.space;
  const std::string axes = text("up %s, front %s, %g m a unit", axis(space.up).c_str(), axis(space.front).c_str(),
                                double(space.meters_per_unit));
  if (character.mesh.vertex_count() == 0) return line("space", axes);
  const Vec3 size = size_of(rest_bounds(character));
  return line("space", axes + text("; %s x %s x %s units in the rest pose", rounded(size.x).c_str(),
                                   rounded(size.y).c_str(), rounded(size.z).c_str()));
}

std::string mesh_lines(const Character& character, const ImportReport& report) {
  const Mesh& mesh = character.mesh;
  const std::string heading =
      text("%s vertices (%s skinned, %s rigid, %s static), %s triangles, %zu %s", grouped(mesh.vertex_count()).c_str(),
           grouped(report.skinned_vertices).c_str(), grouped(report.rigid_vertices).c_str(),
           grouped(report.static_vertices).c_str(), grouped(mesh.indices.size() / 3).c_str(), mesh.parts.size(),
           noun(mesh.parts.size(), "part", "parts"));
  return listed("mesh", heading, mesh.parts, [](const MeshPart& part) {
    return text("%-8s %8s vertices %8s triangles  material %u  %s", kKindNames[size_t(part.kind)],
                grouped(part.vertex_count).c_str(), grouped(part.index_count / 3).c_str(), part.material,
                quoted(part.name).c_str());
  });
}

std::string tangent_line(const Mesh& mesh, const ImportReport& report) {
  if (!mesh.tangents.empty()) return line("tangents", "one a vertex");
  if (report.file_tangents == 0) return line("tangents", "none");
  return line("tangents", text("not kept (`bake --tangents` does): the file has them for %s vertices",
                               grouped(report.file_tangents).c_str()));
}

std::string color_line(const Mesh& mesh) { return line("colors", mesh.colors.empty() ? "none" : "one a vertex"); }

std::string morph_lines(const Mesh& mesh) {
  const std::string count = grouped(mesh.targets.size()) + " " + noun(mesh.targets.size(), "target", "targets");
  return listed("morphs", mesh.targets.empty() ? "none" : count, mesh.targets, [](const MorphTarget& target) {
    return text("moves %s vertices, rest weight %.3g  %s", grouped(target.vertices.size()).c_str(),
                double(target.rest_weight), quoted(target.name).c_str());
  });
}

std::string influence_lines(const Mesh& mesh) {
  std::string lines =
      line("influences", text("%.2f a vertex, at most %u", mean_influences(mesh), max_influences(mesh)));
  const std::vector<uint32_t> histogram = influence_histogram(mesh);
  for (size_t count = 1; count < histogram.size(); ++count) {
    const double share = mesh.vertex_count() == 0 ? 0 : double(histogram[count]) / mesh.vertex_count();
    const std::string bar = share > 0.0125 ? " " + std::string(size_t(std::lround(share * 40)), '#') : "";
    lines +=
        text("  %3zu  %8s vertices %5.1f %%%s\n", count, grouped(histogram[count]).c_str(), share * 100, bar.c_str());
  }
  lines += line("gathers", text("%.1f cache lines for 64 vertices, %.1f as the crowd orders them", lines_of(mesh),
                                ordered_lines_of(mesh)));
  return lines;
}

std::string joint_lines(const Character& character, bool with_joints) {
  const Skeleton& skeleton = character.skeleton;
  std::string lines = line("joints", text("%s, palette of %s matrices%s", grouped(skeleton.joint_count()).c_str(),
                                          grouped(character.skin.palette_size()).c_str(),
                                          with_joints || skeleton.joint_count() == 0 ? "" : " (--joints lists them)"));
  if (!with_joints) return lines;
  std::vector<uint32_t> depths(skeleton.joint_count());
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    const int32_t parent = skeleton.parents[joint];
    depths[joint] = parent == kNoJoint ? 0 : depths[size_t(parent)] + 1;
    lines += text("  %3u  ", joint) + std::string(std::min(depths[joint], 60u) * 2, ' ');
    lines += printable(skeleton.joint_names[joint]) + "\n";
  }
  return lines;
}

/// The number of markers, and each with its time: `, 2 markers: "left foot down" 0.100 s, "right foot down" 0.600 s`.
std::string marker_list(const Clip& clip) {
  if (clip.markers.empty()) return "";
  std::string list = text(", %zu %s", clip.markers.size(), noun(clip.markers.size(), "marker", "markers"));
  const char* separator = ": ";
  for (const Marker& marker : clip.markers) {
    list += separator + quoted(marker.name) + text(" %.3f s", double(marker.time_seconds));
    separator = ", ";
  }
  return list;
}

std::string clip_lines(const Character& character) {
  return listed("clips", grouped(character.clips.size()), character.clips, [](const Clip& clip) {
    const std::string times = text("%8.3f s, from %.3f to %.3f, %3zu joints", double(clip.duration_seconds()),
                                   double(clip.start_seconds), double(clip.end_seconds), clip.tracks.size());
    const size_t targets = clip.weights.size();
    const std::string morphs = text(", %zu morph %s", targets, noun(targets, "target", "targets"));
    return times + (targets > 0 ? morphs : "") + "  " + quoted(clip.name) + marker_list(clip);
  });
}

std::string alpha_words(const Material& material) {
  if (material.alpha_mode == AlphaMode::kOpaque) return "";
  if (material.alpha_mode == AlphaMode::kBlend) return ", blend";
  return text(", mask from alpha %.3g", double(material.alpha_cutoff));
}

/// What differs from a matte surface.
std::string shading_words(const Material& material) {
  std::string words;
  const auto add_image = [&](const char* name, const Texture& texture) {
    if (texture.image >= 0) words += text(", %s image %d", name, texture.image);
  };
  if (material.metallic != 0) words += text(", metallic %.3g", double(material.metallic));
  if (material.roughness != 1) words += text(", roughness %.3g", double(material.roughness));
  const Vec3 light = material.emissive;
  if (light.x + light.y + light.z > 0)
    words += text(", emissive %.3f %.3f %.3f", double(light.x), double(light.y), double(light.z));
  add_image("metallic-roughness", material.metallic_roughness_texture);
  add_image("normal", material.normal_texture);
  add_image("occlusion", material.occlusion_texture);
  add_image("emissive", material.emissive_texture);
  return words;
}

std::string material_words(const Material& material) {
  const Vec4 color = material.base_color;
  std::string words =
      text("color %.3f %.3f %.3f %.3f", double(color.x), double(color.y), double(color.z), double(color.w));
  if (material.base_color_texture.image >= 0) words += text(", image %d", material.base_color_texture.image);
  return words + shading_words(material) + alpha_words(material) + (material.double_sided ? ", double-sided" : "") +
         (material.unlit ? ", unlit" : "") + "  " + quoted(material.name);
}

std::string material_lines(const Character& character) {
  const auto image_words = [](const Image& image) {
    return text("%u x %u  %s", image.width, image.height, quoted(image.name).c_str());
  };
  return listed("materials", grouped(character.materials.size()), character.materials, material_words) +
         listed("images", grouped(character.images.size()), character.images, image_words);
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
      {"computed_inverse_binds", "inverse bind matrices were computed", report.computed_inverse_binds, kComputed},
      {"computed_normals", "normals were computed", report.computed_normals, kComputed},
      {"computed_tangents", "tangents were computed", report.computed_tangents, kComputed},
      {"repaired_differences", "differences of morph targets were not finite, and are 0", report.repaired_differences}};
}

/// Empty: none was lost.
std::string lost_weight(const ImportReport& report) {
  if (report.largest_lost_weight == 0) return "";
  return text("at most %.2f %% of a vertex's weight was lost", report.largest_lost_weight * 100);
}

/// Empty: the file has no curves.
std::string curve_words(const ImportReport& report) {
  if (report.curve_keys == 0) return "";
  return text("%s keys in the file, %s in the clips; between keys within %.1e of the diagonal",
              grouped(report.curve_keys).c_str(), grouped(report.track_keys).c_str(), report.largest_curve_error);
}

std::vector<std::string> items_of(const ImportReport& report, std::optional<RepairKind> kind) {
  std::vector<std::string> items;
  for (const Repair& repair : repairs(report)) {
    if (repair.count > 0 && repair.kind == kind.value_or(repair.kind))
      items.push_back(grouped(repair.count) + " " + repair.words);
  }
  return items;
}

/// Of all kinds.
std::vector<std::string> repair_items(const ImportReport& report) {
  std::vector<std::string> items = items_of(report, {});
  if (std::string lost = lost_weight(report); !lost.empty()) items.push_back(std::move(lost));
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
  if (!with_joints) return line("retarget", "by the names of joints (--joints lists them)");
  return line("retarget", "by the names of joints:") + indented(report.retargeted);
}

std::string import_lines(const ImportReport& report) {
  const std::vector<std::string> items = repair_items(report);
  const char* nothing = report.warnings.empty() ? "nothing had to be repaired" : "nothing else than the warnings say";
  std::string lines = line("import", items.empty() ? nothing : "repairs:") + indented(items);
  if (report.curve_keys > 0) lines += line("curves", curve_words(report));
  for (const std::string& warning : report.warnings) lines += line("warning", printable(warning));
  return lines;
}

std::string surface_lines(const Character& character, const ImportReport& report) {
  if (character.mesh.vertex_count() == 0) return line("mesh", "none: its clips can move another file's (--animation)");
  return mesh_lines(character, report) + tangent_line(character.mesh, report) + color_line(character.mesh) +
         morph_lines(character.mesh) + influence_lines(character.mesh);
}

std::string level_line(size_t level, const LevelFacts& facts) {
  const bool finest = level == 0;
  const auto height = [](float pixels) { return text(pixels < 100 ? "%.1f" : "%.0f", double(pixels)); };
  return text("  %5zu %9s %8s %6s %10u %5u %8s %12s\n", level, grouped(facts.triangles).c_str(),
              grouped(facts.vertices).c_str(), grouped(facts.joints).c_str(), facts.influences, facts.parts,
              finest ? "-" : rounded(double(facts.error_meters) * 1e3).c_str(),
              finest ? "-" : height(facts.height_pixels).c_str());
}

/// A row for each level of detail; nothing where there is none.
std::string level_lines(std::span<const LevelFacts> levels) {
  if (levels.empty()) return "";
  std::string lines = line("levels", text("%zu; a coarser one replaces a finer one below %.0f %% of its height, the "
                                          "finer one returns above it",
                                          levels.size(), double(crowd::kLevelHysteresis) * 100));
  lines += text("  %5s %9s %8s %6s %10s %5s %8s %12s\n", "level", "triangles", "vertices", "joints", "influences",
                "parts", "error mm", "below pixels");
  for (size_t level = 0; level < levels.size(); ++level) lines += level_line(level, levels[level]);
  return lines;
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

Json clip_json(const Clip& clip) {
  return {{"name", clip.name},
          {"start_seconds", clip.start_seconds},
          {"end_seconds", clip.end_seconds},
          {"duration_seconds", clip.duration_seconds()},
          {"animated_joints", clip.tracks.size()},
          {"animated_morph_targets", clip.weights.size()},
          {"markers", array_json(clip.markers, marker_json)}};
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

/// Null where there are none.
Json levels_json(std::span<const LevelFacts> levels) {
  if (levels.empty()) return {};
  return array_json(levels, [](const LevelFacts& facts) -> Json {
    const bool finest = facts.error_meters == 0;
    return {{"triangles", facts.triangles},
            {"vertices", facts.vertices},
            {"joints", facts.joints},
            {"max_influences", facts.influences},
            {"parts", facts.parts},
            {"error_mm", double(facts.error_meters) * 1e3},
            {"below_pixels", finest ? Json() : Json(facts.height_pixels)}};
  });
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

}  // namespace

std::string info_text(const std::string& file, const Character& character, const ImportReport& report, bool with_joints,
                      std::span<const LevelFacts> levels) {
  return line("file", printable(file)) + line("name", quoted(character.name)) + space_line(character) +
         surface_lines(character, report) + level_lines(levels) + joint_lines(character, with_joints) +
         clip_lines(character) + material_lines(character) + retarget_lines(report, with_joints) + import_lines(report);
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

std::string info_json(const std::string& file, const Character& character, const ImportReport& report,
                      std::span<const LevelFacts> levels) {
  const Json json = {{"schema", 1},
                     {"file", file},
                     {"name", character.name},
                     {"space", space_json(character)},
                     {"mesh", mesh_json(character, report)},
                     {"morph_targets", array_json(character.mesh.targets, target_json)},
                     {"levels", levels_json(levels)},
                     {"palette_size", character.skin.palette_size()},
                     {"joints", joints_json(character.skeleton)},
                     {"clips", array_json(character.clips, clip_json)},
                     {"materials", array_json(character.materials, material_json)},
                     {"images", array_json(character.images, image_json)},
                     {"import", import_json(report)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";  // names in files need not be UTF-8
}

}  // namespace sinew::app
