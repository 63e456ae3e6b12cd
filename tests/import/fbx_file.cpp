#include "fbx_file.h"

#include "fbx_builder.h"

namespace sinew::test {
namespace {

std::vector<double> flat_list(const std::vector<Vec3>& vectors) {
  std::vector<double> numbers;
  for (const Vec3 v : vectors) numbers.insert(numbers.end(), {double(v.x), double(v.y), double(v.z)});
  return numbers;
}

std::vector<double> doubles(const std::vector<int>& values) { return {values.begin(), values.end()}; }

class Writer {
 public:
  explicit Writer(const FbxFile& file) : file_(file) {}

  std::string text() {
    for (const FbxModel& model : file_.models) write_model(model);
    if (file_.mesh_model >= 0) write_mesh();
    if (!file_.clusters.empty()) write_skin();
    if (!file_.shapes.empty()) write_shapes();
    for (const FbxStack& stack : file_.stacks) write_stack(stack);
    return builder_.text("P: \"TimeMode\", \"enum\", \"\", \"\",6\n");
  }

 private:
  using Id = FbxBuilder::Id;

  void write_model(const FbxModel& model) {
    std::string properties;
    for (const FbxProperty& property : model.properties) {
      properties += fbx_property(property.name, flat_list({property.value}));
    }
    const bool is_mesh = file_.mesh_model == int(models_.size());
    const Id parent = model.parent < 0 ? FbxBuilder::kRoot : models_[size_t(model.parent)];
    models_.push_back(builder_.add_model(model.name, parent, properties, is_mesh ? "Mesh" : "LimbNode"));
  }

  void write_mesh() {
    std::vector<std::vector<int>> polygons;
    for (size_t i = 0; i + 2 < file_.triangles.size(); i += 3) {
      polygons.push_back({file_.triangles[i], file_.triangles[i + 1], file_.triangles[i + 2]});
    }
    mesh_ = builder_.add_mesh(models_[size_t(file_.mesh_model)], file_.positions, polygons);
  }

  void write_skin() {
    const Id skin = builder_.add_skin(mesh_);
    for (const FbxCluster& cluster : file_.clusters) {
      const Id id = builder_.add("Deformer", "SubDeformer::", "Cluster",
                                 fbx_array("Indexes", doubles(cluster.vertices)) +
                                     fbx_array("Weights", cluster.weights) + fbx_array("Transform", cluster.transform) +
                                     fbx_array("TransformLink", cluster.transform_link));
      builder_.connect(id, skin);
      builder_.connect(models_[size_t(cluster.model)], id);
    }
  }

  void write_shapes() {
    const Id deformer = builder_.add("Deformer", "Deformer::", "BlendShape");
    builder_.connect(deformer, mesh_);
    for (const FbxShape& shape : file_.shapes) {
      const std::string weights =
          "DeformPercent: " + std::to_string(shape.percent) + "\n" + fbx_array("FullWeights", {100});
      const Id channel = builder_.add("Deformer", "SubDeformer::" + shape.name, "BlendShapeChannel", weights);
      builder_.connect(channel, deformer);
      std::string records =
          fbx_array("Indexes", doubles(shape.vertices)) + fbx_array("Vertices", flat_list(shape.positions));
      if (!shape.normals.empty()) records += fbx_array("Normals", flat_list(shape.normals));
      builder_.connect(builder_.add("Geometry", "Geometry::" + shape.name, "Shape", records), channel);
    }
  }

  void write_stack(const FbxStack& stack) {
    const bool has_range = stack.start_seconds != 0 || stack.stop_seconds != 0;
    const Id id = has_range ? builder_.add_stack(stack.name, stack.start_seconds, stack.stop_seconds)
                            : builder_.add("AnimationStack", "AnimStack::" + stack.name, "");
    const Id layer = builder_.add_layer(id);
    Id node = 0;
    for (size_t i = 0; i < stack.curves.size(); ++i) {
      const FbxFileCurve& curve = stack.curves[i];
      const bool is_same =
          i > 0 && stack.curves[i - 1].model == curve.model && stack.curves[i - 1].property == curve.property;
      if (!is_same) node = write_curve_node(curve, layer);
      builder_.add_curve(node, std::string("d|") + curve.axis, {curve.seconds, curve.values, curve.attributes});
    }
  }

  /// Numbers without a curve are those of the model, as exporters write them.
  Id write_curve_node(const FbxFileCurve& curve, Id layer) {
    Vec3 rest = curve.property == "Lcl Scaling" ? Vec3{1, 1, 1} : Vec3{};
    for (const FbxProperty& property : file_.models[size_t(curve.model)].properties) {
      if (property.name == curve.property) rest = property.value;
    }
    return builder_.add_curve_node(layer, models_[size_t(curve.model)], curve.property,
                                   fbx_property("d|X", {double(rest.x)}) + fbx_property("d|Y", {double(rest.y)}) +
                                       fbx_property("d|Z", {double(rest.z)}));
  }

  const FbxFile& file_;
  FbxBuilder builder_;
  std::vector<Id> models_;
  Id mesh_ = 0;
};

}  // namespace

std::string fbx_text(const FbxFile& file) { return Writer(file).text(); }

}  // namespace sinew::test
