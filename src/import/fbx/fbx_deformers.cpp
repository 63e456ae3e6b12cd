#include "fbx/fbx_deformers.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "failure.h"

namespace sinew::internal {
namespace {

constexpr float kShortNormal = 1e-3f;  // normals of shapes that say nothing

/// A matrix of 16 numbers; columns come one after the other. Nothing if there are fewer.
std::optional<Matrix3x4d> matrix_of(const std::vector<double>& numbers) {
  if (numbers.size() < 16) return std::nullopt;
  return from_columns(numbers.data());
}

class SkinReader {
 public:
  SkinReader(const FbxObjects& objects, const FbxNodes& nodes, uint32_t points, LostFeatures& lost)
      : objects_(objects), document_(objects.document()), nodes_(nodes), lost_(lost) {
    result_.influences.resize(points);
  }

  FbxSkin read(uint32_t skin) {
    for (const uint32_t cluster : objects_.sources_of(skin, "Deformer", "Cluster")) read_cluster(objects_[cluster]);
    for (const uint32_t cluster : objects_.sources_of(skin, "SubDeformer", "Cluster")) read_cluster(objects_[cluster]);
    read_blend(objects_[skin]);
    return std::move(result_);
  }

 private:
  void read_cluster(const FbxObject& cluster) {
    const FbxRecord& record = *cluster.record;
    const std::vector<int64_t> points = document_.integers(record.child("Indexes"));
    const std::vector<double> weights = document_.reals(record.child("Weights"));
    const auto joint_from_mesh = matrix_of(document_.reals(record.child("Transform")));
    const auto model_from_joint = matrix_of(document_.reals(record.child("TransformLink")));
    if (const FbxRecord* mode = record.child("Mode"); mode != nullptr && mode->bytes(0) == "Additive") {
      add(lost_, FbxLost::kAdditiveCluster, cluster.name);
    }
    const FbxNode* node = joint_of(cluster);
    const uint32_t joint = uint32_t(result_.skin.nodes.size());
    Matrix3x4d bound = joint_from_mesh.value_or(kUnknownMatrix);
    if (node == nullptr) bound = model_from_joint.value_or(Matrix3x4d{}) * joint_from_mesh.value_or(Matrix3x4d{});
    result_.skin.nodes.push_back(node == nullptr ? 0 : node->full_node);  // 0: stays where it was bound
    result_.skin.joint_from_mesh.push_back(bound);
    for (size_t i = 0; i < std::min(points.size(), weights.size()); ++i) {
      const auto point = uint64_t(points[i]);
      if (point < result_.influences.size())
        result_.influences[point].push_back({joint, float(weights[i])});
      else
        add(lost_, FbxLost::kClusterIndex, cluster.name);
    }
  }

  const FbxNode* joint_of(const FbxObject& cluster) const {
    for (const FbxLink& link : cluster.sources) {
      if (objects_[link.object].type == "Model") return nodes_.node_of(link.object);
    }
    return nullptr;
  }

  void read_blend(const FbxObject& skin) {
    const FbxRecord* type = skin.record->child("SkinningType");
    const std::string word = type == nullptr ? std::string() : type->text(0);
    if (word == "DualQuaternion") result_.blend = Blend::kDualQuaternion;
    if (word != "Blend") return;
    const std::vector<double> shares = document_.reals(skin.record->child("BlendWeights"));
    const auto are_all = [&](double share) {
      return std::all_of(shares.begin(), shares.end(), [&](double s) { return std::abs(s - share) < 1e-6; });
    };
    if (are_all(0)) return;
    double sum = 0;
    for (const double share : shares) sum += share;
    if (sum > 0.5 * double(result_.influences.size())) result_.blend = Blend::kDualQuaternion;
    if (!are_all(1) || shares.size() < result_.influences.size()) add(lost_, FbxLost::kBlendedSkinning, skin.name);
  }

  const FbxObjects& objects_;
  const FbxDocument& document_;
  const FbxNodes& nodes_;
  LostFeatures& lost_;
  FbxSkin result_;
};

std::vector<Vec3> vectors_of(const std::vector<double>& numbers) {
  std::vector<Vec3> vectors;
  for (size_t i = 0; i + 2 < numbers.size(); i += 3) {
    vectors.push_back({float(numbers[i]), float(numbers[i + 1]), float(numbers[i + 2])});
  }
  return vectors;
}

/// Blender writes what a vertex group leaves of a shape where others write percentages of shapes.
bool has_weights_of_vertices(const FbxDocument& document, const FbxRecord* full_weights) {
  const FbxRecord* header = document.find("FBXHeaderExtension");
  const FbxRecord* creator = header == nullptr ? nullptr : header->child("Creator");
  return full_weights != nullptr && creator != nullptr && creator->bytes(0).starts_with("Blender");
}

PointShape read_shape(const FbxDocument& document, const FbxObject& object, uint32_t control_point_count) {
  PointShape shape;
  shape.name = object.name;
  const std::vector<int64_t> points = document.integers(object.record->child("Indexes"));
  shape.positions = vectors_of(document.reals(object.record->child("Vertices")));
  shape.normals = vectors_of(document.reals(object.record->child("Normals")));
  for (const int64_t point : points) {
    require_vertex(point, control_point_count, "blend shape", shape.name);
    shape.points.push_back(uint32_t(point));
  }
  shape.points.resize(std::min(shape.points.size(), shape.positions.size()));
  // Some exporters write zeros for normals that do not turn, or that they do not know.
  const bool has_normals = shape.normals.size() >= shape.points.size() &&
                           std::any_of(shape.normals.begin(), shape.normals.end(),
                                       [](Vec3 normal) { return !is_within(normal, kShortNormal); });
  if (!has_normals) shape.normals.clear();
  return shape;
}

/// Multiplies the shape's differences by percentages, one per control point; other numbers of them mean nothing.
void weaken(const std::vector<double>& percents, PointShape& shape) {
  if (percents.size() != shape.points.size()) return;
  for (size_t i = 0; i < percents.size(); ++i) {
    shape.positions[i] = shape.positions[i] * float(percents[i] / 100);
    if (!shape.normals.empty()) shape.normals[i] = shape.normals[i] * float(percents[i] / 100);
  }
}

double rest_percent_of(const FbxObjects& objects, uint32_t channel, uint32_t geometry) {
  const FbxObject& object = objects[channel];
  if (object.record == nullptr) {  // the mesh has it, before 7.0 the model
    const FbxObject& mesh = objects[geometry];
    if (mesh.properties.has(object.name) || mesh.targets.empty()) return mesh.properties.real(object.name, 0);
    return objects[mesh.targets.front().object].properties.real(object.name, 0);
  }
  const FbxRecord* percent = object.record->child("DeformPercent");  // Blender writes it so
  return object.properties.real("DeformPercent", percent == nullptr ? 0 : percent->real(0));
}

}  // namespace

std::optional<FbxSkin> read_fbx_skin(const FbxObjects& objects, uint32_t geometry, uint32_t control_point_count,
                                     const FbxNodes& nodes, LostFeatures& lost) {
  const std::vector<uint32_t> skins = objects.sources_of(geometry, "Deformer", "Skin");
  if (skins.empty()) return std::nullopt;
  if (skins.size() > 1) add(lost, FbxLost::kSeveralSkins, objects[geometry].name);
  return SkinReader(objects, nodes, control_point_count, lost).read(skins.front());
}

double FbxShapeChannel::weight(size_t step, double percent) const {
  // The steps with a step of nothing at 0 among them; `percent` lies between two of them, or beyond the last two.
  std::vector<std::pair<double, size_t>> points;
  const size_t nothing = steps.size();
  for (size_t i = 0; i < steps.size(); ++i) points.emplace_back(steps[i].percent, i);
  points.insert(std::lower_bound(points.begin(), points.end(), std::pair<double, size_t>(0, 0)), {0, nothing});
  size_t next = 1;
  while (next + 1 < points.size() && points[next].first <= percent) ++next;
  const auto [from, from_step] = points[next - 1];
  const auto [to, to_step] = points[next];
  const double share = to > from ? (percent - from) / (to - from) : 0;
  return step == to_step ? share : step == from_step ? 1 - share : 0;
}

FbxShapes read_fbx_shapes(const FbxObjects& objects, uint32_t geometry, uint32_t control_point_count) {
  const FbxDocument& document = objects.document();
  FbxShapes result;
  std::vector<uint32_t> shape_objects;
  std::unordered_map<uint32_t, std::vector<double>> vertex_weights;  // percent
  for (const uint32_t deformer : objects.sources_of(geometry, "Deformer", "BlendShape")) {
    for (const FbxLink& link : objects[deformer].sources) {
      const FbxObject& object = objects[link.object];
      if (object.kind != "BlendShapeChannel") continue;
      FbxShapeChannel channel{link.object, rest_percent_of(objects, link.object, geometry), {}};
      const FbxRecord* full = object.record == nullptr ? nullptr : object.record->child("FullWeights");
      const bool of_vertices = has_weights_of_vertices(document, full);
      const std::vector<double> percents = of_vertices ? std::vector<double>() : document.reals(full);
      for (const uint32_t shape : objects.sources_of(link.object, "Geometry", "Shape")) {
        const size_t step = channel.steps.size();
        const double percent = step < percents.size() && std::isfinite(percents[step]) ? percents[step] : 100;
        channel.steps.push_back({percent, shape});
        if (of_vertices) vertex_weights[shape] = document.reals(full);
        shape_objects.push_back(shape);
      }
      std::ranges::stable_sort(channel.steps, [](const auto& a, const auto& b) { return a.percent < b.percent; });
      result.channels.push_back(std::move(channel));
    }
  }
  std::sort(shape_objects.begin(), shape_objects.end());
  shape_objects.erase(std::unique(shape_objects.begin(), shape_objects.end()), shape_objects.end());
  std::unordered_map<uint32_t, uint32_t> target_of;
  for (const uint32_t shape : shape_objects) {
    target_of.emplace(shape, uint32_t(result.shapes.size()));
    result.shapes.push_back(read_shape(document, objects[shape], control_point_count));
    if (const auto weights = vertex_weights.find(shape); weights != vertex_weights.end()) {
      weaken(weights->second, result.shapes.back());
    }
  }
  for (FbxShapeChannel& channel : result.channels) {
    for (FbxShapeChannel::Step& step : channel.steps) step.target = target_of.at(step.target);
    for (size_t i = 0; i < channel.steps.size(); ++i) {
      result.shapes[channel.steps[i].target].rest_weight += channel.weight(i, channel.rest_percent);
    }
  }
  return result;
}

}  // namespace sinew::internal
