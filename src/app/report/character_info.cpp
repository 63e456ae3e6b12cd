#include "report/character_info.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "asset/noun.h"
#include "scene/exact_poses.h"
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

std::string space_line(const Character& character) {
  if (character.mesh.vertex_count() == 0) {
    return line("space", text("up %s, front %s, %g m a unit", axis(character.space.up).c_str(),
                              axis(character.space.front).c_str(), double(character.space.meters_per_unit)));
  }
  const Box bounds = rest_bounds(character);
  const Vec3 size = size_of(bounds);
  return line("space", text("up %s, front %s, %g m a unit; %s x %s x %s units in the rest pose",
                            axis(character.space.up).c_str(), axis(character.space.front).c_str(),
                            double(character.space.meters_per_unit), rounded(size.x).c_str(), rounded(size.y).c_str(),
                            rounded(size.z).c_str()));
}

std::string mesh_lines(const Character& character, const ImportReport& report) {
  const Mesh& mesh = character.mesh;
  std::string lines = line("mesh", text("%s vertices (%s skinned, %s rigid, %s static), %s triangles, %zu %s",
                                        grouped(mesh.vertex_count()).c_str(), grouped(report.skinned_vertices).c_str(),
                                        grouped(report.rigid_vertices).c_str(), grouped(report.static_vertices).c_str(),
                                        grouped(mesh.indices.size() / 3).c_str(), mesh.parts.size(),
                                        noun(mesh.parts.size(), "part", "parts")));
  for (size_t i = 0; i < mesh.parts.size(); ++i) {
    const MeshPart& part = mesh.parts[i];
    lines += text("  %3zu  %-8s %8s vertices %8s triangles  material %u  %s\n", i, kKindNames[size_t(part.kind)],
                  grouped(part.vertex_count).c_str(), grouped(part.index_count / 3).c_str(), part.material,
                  quoted(part.name).c_str());
  }
  return lines;
}

std::string tangent_line(const Mesh& mesh, const ImportReport& report) {
  if (!mesh.tangents.empty()) return line("tangents", "one a vertex");
  if (report.file_tangents == 0) return line("tangents", "none");
  return line("tangents", text("not kept (`bake --tangents` does): the file has them for %s vertices",
                               grouped(report.file_tangents).c_str()));
}

std::string color_line(const Mesh& mesh) { return line("colors", mesh.colors.empty() ? "none" : "one a vertex"); }

std::string morph_lines(const Mesh& mesh) {
  std::string lines = line("morphs", mesh.targets.empty() ? "none"
                                                          : grouped(mesh.targets.size()) + " " +
                                                                noun(mesh.targets.size(), "target", "targets"));
  for (size_t i = 0; i < mesh.targets.size(); ++i) {
    const MorphTarget& target = mesh.targets[i];
    lines += text("  %3zu  moves %s vertices, rest weight %.3g  %s\n", i, grouped(target.vertices.size()).c_str(),
                  double(target.rest_weight), quoted(target.name).c_str());
  }
  return lines;
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

std::string clip_lines(const Character& character) {
  std::string lines = line("clips", grouped(character.clips.size()));
  for (size_t i = 0; i < character.clips.size(); ++i) {
    const Clip& clip = character.clips[i];
    lines += text("  %3zu  %8.3f s, from %.3f to %.3f, %3zu joints", i, double(clip.duration_seconds()),
                  double(clip.start_seconds), double(clip.end_seconds), clip.tracks.size());
    if (!clip.weights.empty())
      lines += text(", %zu morph %s", clip.weights.size(), noun(clip.weights.size(), "target", "targets"));
    lines += "  " + quoted(clip.name) + "\n";
  }
  return lines;
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

std::string material_lines(const Character& character) {
  std::string lines = line("materials", grouped(character.materials.size()));
  for (size_t i = 0; i < character.materials.size(); ++i) {
    const Material& material = character.materials[i];
    const Vec4 color = material.base_color;
    lines += text("  %3zu  color %.3f %.3f %.3f %.3f", i, double(color.x), double(color.y), double(color.z),
                  double(color.w));
    if (material.base_color_texture.image >= 0) lines += text(", image %d", material.base_color_texture.image);
    lines += shading_words(material);
    lines += alpha_words(material);
    if (material.double_sided) lines += ", double-sided";
    if (material.unlit) lines += ", unlit";
    lines += "  " + quoted(material.name) + "\n";
  }
  lines += line("images", grouped(character.images.size()));
  for (size_t i = 0; i < character.images.size(); ++i) {
    const Image& image = character.images[i];
    lines += text("  %3zu  %u x %u  %s\n", i, image.width, image.height, quoted(image.name).c_str());
  }
  return lines;
}

/// One kind of change that import made: the name of its JSON field, its text, and how often it happened.
struct Repair {
  const char* name;
  const char* words;
  uint32_t count;
};

std::vector<Repair> repairs(const ImportReport& report) {
  return {
      {"normalised_vertices", "vertices whose weights did not add to 1 were normalized", report.normalized_vertices},
      {"limited_vertices", "vertices lost influences", report.limited_vertices},
      {"unmoved_vertices",
       "skinned vertices without a weight follow the mesh's node, or in glTF the first joint they name",
       report.unmoved_vertices},
      {"normalised_rotation_keys", "rotation keys were normalized", report.normalized_rotation_keys},
      {"computed_inverse_binds", "inverse bind matrices were computed", report.computed_inverse_binds},
      {"computed_normals", "normals were computed", report.computed_normals},
      {"computed_tangents", "tangents were computed", report.computed_tangents},
      {"repaired_differences", "differences of morph targets were not finite, and are 0", report.repaired_differences}};
}

std::vector<std::string> repair_items(const ImportReport& report) {
  std::vector<std::string> items;
  for (const Repair& repair : repairs(report)) {
    if (repair.count > 0) items.push_back(grouped(repair.count) + " " + repair.words);
  }
  if (report.largest_lost_weight > 0)
    items.push_back(text("at most %.2f %% of a vertex's weight was lost", report.largest_lost_weight * 100));
  return items;
}

std::string retarget_lines(const ImportReport& report, bool with_joints) {
  if (report.retargeted.empty()) return "";
  std::string lines =
      line("retarget", with_joints ? "by the names of joints:" : "by the names of joints (--joints lists them)");
  if (!with_joints) return lines;
  for (const std::string& joint : report.retargeted) lines += "       " + joint + "\n";
  return lines;
}

std::string import_lines(const ImportReport& report) {
  std::string lines;
  for (const std::string& item : repair_items(report)) lines += "       " + item + "\n";
  const char* nothing = report.warnings.empty() ? "nothing had to be repaired" : "nothing else than the warnings say";
  lines = line("import", lines.empty() ? nothing : "repairs:") + lines;
  if (report.curve_keys > 0) {
    lines += line("curves", text("%s keys in the file, %s in the clips; between keys within %.1e of the diagonal",
                                 grouped(report.curve_keys).c_str(), grouped(report.track_keys).c_str(),
                                 report.largest_curve_error));
  }
  for (const std::string& warning : report.warnings) lines += line("warning", printable(warning));
  return lines;
}

std::string surface_lines(const Character& character, const ImportReport& report) {
  if (character.mesh.vertex_count() == 0) return line("mesh", "none: its clips can move another file's (--animation)");
  return mesh_lines(character, report) + tangent_line(character.mesh, report) + color_line(character.mesh) +
         morph_lines(character.mesh) + influence_lines(character.mesh);
}

// --- JSON for programs ---

Json vector_json(Vec3 v) { return Json::array({v.x, v.y, v.z}); }

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
  Json parts = Json::array();
  for (const MeshPart& part : mesh.parts) {
    parts.push_back({{"name", part.name},
                     {"kind", kKindNames[size_t(part.kind)]},
                     {"vertices", part.vertex_count},
                     {"triangles", part.index_count / 3},
                     {"material", part.material}});
  }
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
          {"parts", std::move(parts)}};
}

Json morph_targets_json(const Mesh& mesh) {
  Json targets = Json::array();
  for (const MorphTarget& target : mesh.targets) {
    targets.push_back(
        {{"name", target.name}, {"rest_weight", target.rest_weight}, {"vertices", target.vertices.size()}});
  }
  return targets;
}

Json joints_json(const Skeleton& skeleton) {
  Json joints = Json::array();
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    joints.push_back({{"name", skeleton.joint_names[joint]}, {"parent", skeleton.parents[joint]}});
  }
  return joints;
}

Json clips_json(const Character& character) {
  Json clips = Json::array();
  for (const Clip& clip : character.clips) {
    clips.push_back({{"name", clip.name},
                     {"start_seconds", clip.start_seconds},
                     {"end_seconds", clip.end_seconds},
                     {"duration_seconds", clip.duration_seconds()},
                     {"animated_joints", clip.tracks.size()},
                     {"animated_morph_targets", clip.weights.size()}});
  }
  return clips;
}

Json image_json(const Texture& texture) { return texture.image < 0 ? Json() : Json(texture.image); }

Json materials_json(const Character& character) {
  Json materials = Json::array();
  for (const Material& material : character.materials) {
    const Vec4 color = material.base_color;
    const Vec3 light = material.emissive;
    materials.push_back({{"name", material.name},
                         {"base_color", Json::array({color.x, color.y, color.z, color.w})},
                         {"image", image_json(material.base_color_texture)},
                         {"metallic", material.metallic},
                         {"roughness", material.roughness},
                         {"metallic_roughness_image", image_json(material.metallic_roughness_texture)},
                         {"normal_image", image_json(material.normal_texture)},
                         {"normal_scale", material.normal_scale},
                         {"occlusion_image", image_json(material.occlusion_texture)},
                         {"occlusion_strength", material.occlusion_strength},
                         {"emissive", Json::array({light.x, light.y, light.z})},
                         {"emissive_image", image_json(material.emissive_texture)},
                         {"alpha_mode", kAlphaNames[size_t(material.alpha_mode)]},
                         {"alpha_cutoff", material.alpha_cutoff},
                         {"double_sided", material.double_sided},
                         {"unlit", material.unlit}});
  }
  return materials;
}

Json images_json(const Character& character) {
  Json images = Json::array();
  for (const Image& image : character.images) {
    images.push_back({{"name", image.name}, {"width", image.width}, {"height", image.height}});
  }
  return images;
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

std::string info_text(const std::string& file, const Character& character, const ImportReport& report,
                      bool with_joints) {
  return line("file", printable(file)) + line("name", quoted(character.name)) + space_line(character) +
         surface_lines(character, report) + joint_lines(character, with_joints) + clip_lines(character) +
         material_lines(character) + retarget_lines(report, with_joints) + import_lines(report);
}

std::vector<std::string> import_items(const ImportReport& report) {
  std::vector<std::string> items = repair_items(report);
  items.insert(items.end(), report.warnings.begin(), report.warnings.end());
  return items;
}

std::string info_json(const std::string& file, const Character& character, const ImportReport& report) {
  const Json json = {{"schema", 1},
                     {"file", file},
                     {"name", character.name},
                     {"space", space_json(character)},
                     {"mesh", mesh_json(character, report)},
                     {"morph_targets", morph_targets_json(character.mesh)},
                     {"palette_size", character.skin.palette_size()},
                     {"joints", joints_json(character.skeleton)},
                     {"clips", clips_json(character)},
                     {"materials", materials_json(character)},
                     {"images", images_json(character)},
                     {"import", import_json(report)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";  // names in files need not be UTF-8
}

}  // namespace sinew::app
