#include "collada/collada_controllers.h"

#include <algorithm>
#include <string>

#include "collada/collada_lost.h"
#include "failure.h"

namespace sinew::internal {
namespace {

constexpr int kMaxControllers = 16;     // between an instance and its geometry
constexpr size_t kMaxInfluences = 256;  // of a vertex

std::string_view owner_of(pugi::xml_node kind) { return kind.parent().attribute("id").value(); }

/// Rows come one after the other.
Matrix3x4d matrix_of(const double* n) {
  return {{{n[0], n[1], n[2], n[3]}, {n[4], n[5], n[6], n[7]}, {n[8], n[9], n[10], n[11]}}};
}

uint64_t offset_of(pugi::xml_node input) {
  return std::min<uint64_t>(whole_number(input.attribute("offset"), 0), 1 << 20);
}

void read_influences(pugi::xml_node weights, ColladaSkin& skin, ColladaSources& sources, LostFeatures& lost) {
  const pugi::xml_node joint_input = input_of(weights, "JOINT"), weight_input = input_of(weights, "WEIGHT");
  const std::string_view owner = owner_of(weights.parent());
  uint64_t stride = 1;
  for (const pugi::xml_node input : weights.children("input")) stride = std::max(stride, offset_of(input) + 1);
  const auto source = sources.of(weight_input);
  const std::vector<int64_t> v = integers_in(weights.child("v").text().get());
  size_t point = 0, at = 0;
  for (const int64_t count : integers_in(weights.child("vcount").text().get())) {
    if (point == skin.influences.size()) break;
    for (int64_t i = 0; i < count; ++i, at += stride) {
      if (at + stride > v.size()) return lost.add(kLostWeights, owner);
      const int64_t joint = v[at + offset_of(joint_input)];
      const double* weight = source->row(uint64_t(v[at + offset_of(weight_input)]), 1);
      const bool exists = weight != nullptr && joint >= -1 && joint < int64_t(skin.joints.size());
      if (!exists) {
        lost.add(kLostWeightIndices, owner);
        continue;
      }
      require(skin.influences[point].size() < kMaxInfluences,
              [] { return "a vertex has more than " + std::to_string(kMaxInfluences) + " weights"; });
      skin.has_bind_shape_joint |= joint < 0;
      const auto index = uint32_t(joint < 0 ? skin.joints.size() : size_t(joint));
      skin.influences[point].push_back({index, float(*weight)});
    }
    ++point;
  }
  if (point < skin.influences.size()) lost.add(kLostWeights, owner);
}

}  // namespace

ColladaDeformers deformers_of(const ColladaDocument& document, const char* address, LostFeatures& lost) {
  ColladaDeformers result;
  const pugi::xml_node named = document.at(address, {"geometry", "controller"});
  pugi::xml_node element = named;
  for (int i = 0; is_named(element, "controller"); ++i) {
    require(i < kMaxControllers, [] { return "its controllers refer to each other, or are many"; });
    const pugi::xml_node skin = element.child("skin"), morph = element.child("morph");
    if (skin && result.skin) lost.add(kLostSkins, element.attribute("id").value());
    if (skin && !result.skin) result.skin = skin;
    if (morph && !result.morphs.empty()) lost.add(kLostMorphs, element.attribute("id").value());
    if (morph) result.morphs.push_back(morph);
    element = document.at((skin ? skin : morph).attribute("source").value(), {"geometry", "controller"});
  }
  result.mesh = element.child("mesh");
  if (!element && address[0] == '#') lost.add(kLostMissing, address);
  return result;
}

std::optional<ColladaSkin> read_collada_skin(pugi::xml_node element, size_t point_count, const ColladaNodes& nodes,
                                             ColladaSources& sources, LostFeatures& lost) {
  ColladaSkin skin;
  const pugi::xml_node joints = element.child("joints");
  const auto names = sources.input(joints, "JOINT"), binds = sources.input(joints, "INV_BIND_MATRIX");
  skin.joints = nodes.names_in(names->words, names->word_count);
  skin.are_ids = names->are_ids;
  const std::vector<double> shape = numbers_in(element.child("bind_shape_matrix").text().get());
  if (shape.size() >= 16) skin.bind_shape = matrix_of(shape.data());
  for (size_t joint = 0; joint < skin.joints.size(); ++joint) {
    const double* bind = binds->row(joint, 16);
    skin.joint_from_mesh.push_back(bind == nullptr ? kUnknownMatrix : matrix_of(bind) * skin.bind_shape);
  }
  skin.influences.resize(point_count);
  if (!words_in(element.child("vertex_weights").child("vcount").text().get()).empty())
    read_influences(element.child("vertex_weights"), skin, sources, lost);
  const auto has_any = [](const std::vector<SceneInfluence>& influences) { return !influences.empty(); };
  if (std::none_of(skin.influences.begin(), skin.influences.end(), has_any)) return std::nullopt;
  return skin;
}

std::vector<PointShape> read_collada_shapes(pugi::xml_node morph, const std::vector<Vec3>& points,
                                            ColladaMeshContext& context, LostFeatures& lost) {
  const pugi::xml_node targets = morph.child("targets");
  const auto names = context.sources.input(targets, "MORPH_TARGET");
  const auto weights = context.sources.input(targets, "MORPH_WEIGHT");
  const bool is_relative = std::string_view(morph.attribute("method").value()) == "RELATIVE";
  std::vector<PointShape> shapes;
  for (size_t i = 0; i < names->words.size(); ++i) {
    const pugi::xml_node geometry = context.document.with_id(names->words[i], {"geometry"});
    PointShape& shape = shapes.emplace_back();
    const char* name = geometry.attribute("name").value();
    shape.name = short_name(name[0] != 0 ? std::string_view(name) : names->words[i]);
    const double* weight = weights->row(i, 1);
    shape.rest_weight = weight == nullptr ? 0 : *weight;
    const std::vector<Vec3> moved = points_of(geometry.child("mesh"), context);
    if (moved.size() != points.size()) {
      lost.add(kLostShapes, names->words[i]);
      continue;
    }
    for (uint32_t point = 0; point < points.size(); ++point) {
      const Vec3 difference = is_relative ? moved[point] : moved[point] - points[point];
      if (dot(difference, difference) == 0) continue;
      shape.points.push_back(point);
      shape.positions.push_back(difference);
    }
  }
  return shapes;
}

}  // namespace sinew::internal
