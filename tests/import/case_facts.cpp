// What an import gave, as JSON, and whether it is what a case expects.
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "case_files.h"

namespace sinew::test {
namespace {

Json facts(float number) { return number; }
Json facts(Vec2 v) { return {v.x, v.y}; }
Json facts(Vec3 v) { return {v.x, v.y, v.z}; }
Json facts(Vec4 v) { return {v.x, v.y, v.z, v.w}; }
Json facts(Quat q) { return {q.x, q.y, q.z, q.w}; }
Json facts(VertexColor c) { return {c.r, c.g, c.b, c.a}; }

Json facts(const Material& m);
Json facts(const Image& i);
Json facts(const MorphTarget& t);
Json facts(const MeshPart& p);

template <class Value>
Json facts(const std::vector<Value>& values) {
  Json list = Json::array();
  for (const Value& value : values) list.push_back(facts(value));
  return list;
}

/// The name of an enumerator, of which `names` are all.
template <class Enum>
Json word(Enum value, std::initializer_list<const char*> names) {
  return names.begin()[size_t(value)];
}

Json facts(const Texture& t) {
  const auto wrap = [](Wrap value) { return word(value, {"repeat", "mirror", "clamp"}); };
  const auto filter = [](Filter value) { return word(value, {"linear", "nearest", "none"}); };
  return {{"image", t.image},         {"uv_set", t.uv_set},           {"offset", facts(t.offset)},
          {"scale", facts(t.scale)},  {"rotation", t.rotation},       {"wrap_u", wrap(t.wrap_u)},
          {"wrap_v", wrap(t.wrap_v)}, {"magnify", filter(t.magnify)}, {"minify", filter(t.minify)},
          {"mip", filter(t.mip)}};
}

Json facts(const Material& m) {
  return {{"name", m.name},
          {"base_color", facts(m.base_color)},
          {"base_color_texture", facts(m.base_color_texture)},
          {"metallic", m.metallic},
          {"roughness", m.roughness},
          {"metallic_roughness_texture", facts(m.metallic_roughness_texture)},
          {"normal_texture", facts(m.normal_texture)},
          {"normal_scale", m.normal_scale},
          {"occlusion_texture", facts(m.occlusion_texture)},
          {"occlusion_strength", m.occlusion_strength},
          {"emissive", facts(m.emissive)},
          {"emissive_texture", facts(m.emissive_texture)},
          {"alpha_mode", word(m.alpha_mode, {"opaque", "mask", "blend"})},
          {"alpha_cutoff", m.alpha_cutoff},
          {"double_sided", m.double_sided},
          {"unlit", m.unlit}};
}

Json facts(const Image& i) { return {{"name", i.name}, {"width", i.width}, {"height", i.height}, {"rgba", i.rgba}}; }

Json facts(const MorphTarget& t) {
  return {{"name", t.name},
          {"rest_weight", t.rest_weight},
          {"vertices", t.vertices},
          {"positions", facts(t.positions)},
          {"normals", facts(t.normals)},
          {"tangents", facts(t.tangents)}};
}

Json facts(const MeshPart& p) {
  return {{"name", p.name},
          {"kind", word(p.kind, {"static", "rigid", "skinned"})},
          {"material", p.material},
          {"vertices", p.vertex_count},
          {"triangles", p.index_count / 3}};
}

template <class Value>
Json track(const Track<Value>& t) {
  return {{"times", facts(t.times_seconds)},
          {"values", facts(t.values)},
          {"interpolation", word(t.interpolation, {"step", "linear", "cubic"})}};
}

Json facts(const Clip& clip, const Skeleton& skeleton) {
  Json tracks = Json::object(), weights = Json::object();
  for (const JointTracks& own : clip.tracks) {
    Json& joint = tracks[skeleton.joint_names[own.joint]];
    if (!own.translation.values.empty()) joint["translation"] = track(own.translation);
    if (!own.rotation.values.empty()) joint["rotation"] = track(own.rotation);
    if (!own.scale.values.empty()) joint["scale"] = track(own.scale);
  }
  for (const WeightTrack& own : clip.weights) weights[std::to_string(own.target)] = track(own.weight);
  return {{"name", clip.name},
          {"start", clip.start_seconds},
          {"end", clip.end_seconds},
          {"tracks", tracks},
          {"weights", weights}};
}

/// Of each vertex the names of its joints and their weights, as the mesh has them.
Json weights_of(const Character& character) {
  Json all = Json::array();
  for (uint32_t v = 0; v < character.mesh.vertex_count(); ++v) {
    Json& own = all.emplace_back(Json::array());
    for (const Influence influence : character.mesh.influences_of(v)) {
      const int32_t joint = character.skin.entries[influence.entry].joint;
      own.push_back({joint == kNoJoint ? "" : character.skeleton.joint_names[size_t(joint)], influence.weight});
    }
  }
  return all;
}

Json facts(const ImportReport& r) {
  return {{"joints", r.joints},
          {"triangles", r.triangles},
          {"palette_entries", r.palette_entries},
          {"max_influences", r.max_influences},
          {"static_vertices", r.static_vertices},
          {"rigid_vertices", r.rigid_vertices},
          {"skinned_vertices", r.skinned_vertices},
          {"morph_targets", r.morph_targets},
          {"repaired_differences", r.repaired_differences},
          {"normalized_vertices", r.normalized_vertices},
          {"limited_vertices", r.limited_vertices},
          {"largest_lost_weight", r.largest_lost_weight},
          {"unmoved_vertices", r.unmoved_vertices},
          {"normalized_rotation_keys", r.normalized_rotation_keys},
          {"merged_entries", r.merged_entries},
          {"computed_inverse_binds", r.computed_inverse_binds},
          {"computed_normals", r.computed_normals},
          {"file_tangents", r.file_tangents},
          {"computed_tangents", r.computed_tangents}};
}

std::string differs(const std::string& place, const Json& expected, const Json& actual) {
  return place + " is " + actual.dump().substr(0, 500) + ", not " + expected.dump().substr(0, 500) + "\n";
}

}  // namespace

Json facts_of(const Character& character, const ImportReport& report) {
  const Mesh& mesh = character.mesh;
  Json clips = Json::array();
  for (const Clip& clip : character.clips) clips.push_back(facts(clip, character.skeleton));
  return {{"name_of_character", character.name},
          {"joints", character.skeleton.joint_names},
          {"humanoid", character.skeleton.humanoid_names},
          {"parents", character.skeleton.parents},
          {"weights", weights_of(character)},
          {"parts", facts(mesh.parts)},
          {"positions", facts(mesh.positions)},
          {"normals", facts(mesh.normals)},
          {"tangents", facts(mesh.tangents)},
          {"uvs", facts(mesh.uvs)},
          {"second_uvs", facts(mesh.second_uvs)},
          {"colors", facts(mesh.colors)},
          {"indices", mesh.indices},
          {"targets", facts(mesh.targets)},
          {"materials", facts(character.materials)},
          {"images", facts(character.images)},
          {"clips", clips},
          {"blend", word(mesh.blend, {"linear", "dual quaternion"})},
          {"space",
           {{"up", facts(character.space.up)},
            {"front", facts(character.space.front)},
            {"meters_per_unit", character.space.meters_per_unit}}},
          {"report", facts(report)}};
}

std::string mismatch(const Json& expected, const Json& actual, double tolerance, const std::string& place) {
  if (expected.is_number() && actual.is_number()) {
    const double wanted = expected, found = actual;
    const bool is_near = std::abs(found - wanted) <= tolerance * std::max(1.0, std::abs(wanted));
    return is_near ? std::string() : differs(place, expected, actual);
  }
  if (expected.is_string() && actual.is_string() && expected.get<std::string>().starts_with("...")) {
    const bool is_part = actual.get<std::string>().find(expected.get<std::string>().substr(3)) != std::string::npos;
    return is_part ? std::string() : differs(place, expected, actual);
  }
  if (expected.is_array() && actual.is_array() && expected.size() == actual.size()) {
    std::string lines;
    for (size_t i = 0; i < expected.size(); ++i)
      lines += mismatch(expected[i], actual[i], tolerance, place + "/" + std::to_string(i));
    return lines;
  }
  if (!expected.is_object() || !actual.is_structured())
    return expected == actual ? std::string() : differs(place, expected, actual);
  std::string lines;
  for (const auto& [key, value] : expected.items()) {
    const bool is_size = key == "size" && actual.is_array();
    const size_t index = actual.is_array() && !is_size ? std::stoul(key) : 0;
    if (is_size) {
      lines += mismatch(value, actual.size(), tolerance, place + "/size");
    } else if (actual.is_array() ? index < actual.size() : actual.contains(key)) {
      lines += mismatch(value, actual.is_array() ? actual[index] : actual[key], tolerance, place + "/" + key);
    } else {
      lines += place + " has no " + key + ": " + actual.dump().substr(0, 300) + "\n";
    }
  }
  return lines;
}

}  // namespace sinew::test
