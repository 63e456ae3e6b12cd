#include "fbx_file.h"

#include <cmath>
#include <cstdint>
#include <cstdio>

namespace sinew::test {
namespace {

constexpr double kTicksPerSecond = 46186158000;  // FBX's KTime

std::string number(double value) {
  char text[32];
  snprintf(text, sizeof text, "%.15g", value);
  return text;
}
std::string ticks(double seconds) { return std::to_string(std::llround(seconds * kTicksPerSecond)); }
std::string quoted(const std::string& text) { return "\"" + text + "\""; }

template <class T, class Format>
std::string array(const char* name, const std::vector<T>& values, Format format) {
  std::string text = std::string(name) + ": *" + std::to_string(values.size()) + " {\n a: ";
  for (size_t i = 0; i < values.size(); ++i) text += (i > 0 ? "," : "") + format(values[i]);
  return text + "\n}\n";
}
std::string array(const char* name, const std::vector<double>& values) { return array(name, values, number); }
std::string array(const char* name, const std::vector<int>& values) {
  return array(name, values, [](int value) { return std::to_string(value); });
}

std::vector<double> flat(const std::vector<Vec3>& vectors) {
  std::vector<double> numbers;
  for (const Vec3 v : vectors) numbers.insert(numbers.end(), {double(v.x), double(v.y), double(v.z)});
  return numbers;
}

std::string time_property(const char* name, double seconds) {
  return "P: " + quoted(name) + ", \"KTime\", \"Time\", \"\"," + ticks(seconds) + "\n";
}

class Writer {
 public:
  explicit Writer(const FbxFile& file) : file_(file) {}

  std::string text() {
    for (const FbxModel& model : file_.models) write_model(model);
    if (file_.mesh_model >= 0) write_mesh();
    if (!file_.clusters.empty()) write_skin();
    if (!file_.shapes.empty()) write_shapes();
    for (const FbxStack& stack : file_.stacks) write_stack(stack);
    return "; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}\n"
           "GlobalSettings: {\nVersion: 1000\nProperties70: {\nP: \"TimeMode\", \"enum\", \"\", \"\",6\n}\n}\n"
           "Objects: {\n" +
           objects_ + "}\nConnections: {\n" + connections_ + "}\n";
  }

 private:
  /// Begins an object and returns its new id. Models are written first: model i has the id i + 1.
  int begin(const char* type, const std::string& name, const char* kind) {
    const int id = ++last_id_;
    objects_ += std::string(type) + ": " + std::to_string(id) + ", " + quoted(name) + ", " + quoted(kind) + " {\n";
    return id;
  }
  void end() { objects_ += "}\n"; }
  void connect(int source, int target) {
    connections_ += "C: \"OO\"," + std::to_string(source) + "," + std::to_string(target) + "\n";
  }
  void connect(int source, int target, const std::string& property) {
    connections_ +=
        "C: \"OP\"," + std::to_string(source) + "," + std::to_string(target) + ", " + quoted(property) + "\n";
  }

  void write_model(const FbxModel& model) {
    const bool is_mesh = file_.mesh_model == last_id_;
    const int id = begin("Model", "Model::" + model.name, is_mesh ? "Mesh" : "LimbNode");
    objects_ += "Properties70: {\n";
    for (const FbxProperty& property : model.properties) {
      objects_ += "P: " + quoted(property.name) + ", \"Vector3D\", \"Vector\", \"\"," +
                  number(double(property.value.x)) + "," + number(double(property.value.y)) + "," +
                  number(double(property.value.z)) + "\n";
    }
    objects_ += "}\n";
    end();
    connect(id, model.parent + 1);
  }

  void write_mesh() {
    mesh_ = begin("Geometry", "Geometry::", "Mesh");
    std::vector<int> corners = file_.triangles;
    for (size_t i = 2; i < corners.size(); i += 3) corners[i] = -1 - corners[i];
    objects_ += array("Vertices", flat(file_.positions)) + array("PolygonVertexIndex", corners);
    end();
    connect(mesh_, file_.mesh_model + 1);
  }

  void write_skin() {
    const int skin = begin("Deformer", "Deformer::", "Skin");
    end();
    connect(skin, mesh_);
    for (const FbxCluster& cluster : file_.clusters) {
      const int id = begin("Deformer", "SubDeformer::", "Cluster");
      objects_ += array("Indexes", cluster.vertices) + array("Weights", cluster.weights) +
                  array("Transform", cluster.transform) + array("TransformLink", cluster.transform_link);
      end();
      connect(id, skin);
      connect(cluster.model + 1, id);
    }
  }

  void write_shapes() {
    const int deformer = begin("Deformer", "Deformer::", "BlendShape");
    end();
    connect(deformer, mesh_);
    for (const FbxShape& shape : file_.shapes) {
      const int channel = begin("Deformer", "SubDeformer::" + shape.name, "BlendShapeChannel");
      objects_ += "DeformPercent: " + number(shape.percent) + "\n" + array("FullWeights", std::vector<double>{100});
      end();
      connect(channel, deformer);
      const int geometry = begin("Geometry", "Geometry::" + shape.name, "Shape");
      objects_ += array("Indexes", shape.vertices) + array("Vertices", flat(shape.positions));
      if (!shape.normals.empty()) objects_ += array("Normals", flat(shape.normals));
      end();
      connect(geometry, channel);
    }
  }

  void write_stack(const FbxStack& stack) {
    const int id = begin("AnimationStack", "AnimStack::" + stack.name, "");
    if (stack.start_seconds != 0 || stack.stop_seconds != 0) {
      objects_ += "Properties70: {\n" + time_property("LocalStart", stack.start_seconds) +
                  time_property("LocalStop", stack.stop_seconds) + "}\n";
    }
    end();
    const int layer = begin("AnimationLayer", "AnimLayer::BaseLayer", "");
    end();
    connect(layer, id);
    int node = 0;
    for (size_t i = 0; i < stack.curves.size(); ++i) {
      const FbxCurve& curve = stack.curves[i];
      const bool is_same =
          i > 0 && stack.curves[i - 1].model == curve.model && stack.curves[i - 1].property == curve.property;
      if (!is_same) node = write_curve_node(curve, layer);
      write_curve(curve, node);
    }
  }

  int write_curve_node(const FbxCurve& curve, int layer) {
    const int node = begin("AnimationCurveNode", "AnimCurveNode::", "");
    end();
    connect(node, layer);
    connect(node, curve.model + 1, curve.property);
    return node;
  }

  void write_curve(const FbxCurve& curve, int node) {
    const int id = begin("AnimationCurve", "AnimCurve::", "");
    objects_ += array("KeyTime", curve.seconds, ticks) + array("KeyValueFloat", curve.values);
    end();
    connect(id, node, std::string("d|") + curve.axis);
  }

  const FbxFile& file_;
  std::string objects_, connections_;
  int last_id_ = 0, mesh_ = 0;
};

}  // namespace

std::string fbx_text(const FbxFile& file) { return Writer(file).text(); }

}  // namespace sinew::test
