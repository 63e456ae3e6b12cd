#include "fbx_builder.h"

#include <bit>
#include <cmath>
#include <cstdio>

namespace sinew::test {
namespace {

constexpr double kTicksPerSecond = 46186158000;  // FBX's KTime
std::string number(double value) {
  char text[32];
  snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

std::string list(const std::vector<double>& values) {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) text += (i > 0 ? "," : "") + number(values[i]);
  return text;
}

std::vector<double> flat(const std::vector<Vec3>& vectors) {
  std::vector<double> numbers;
  for (const Vec3 v : vectors) numbers.insert(numbers.end(), {double(v.x), double(v.y), double(v.z)});
  return numbers;
}

/// The four numbers of an attribute as text files have them: the bits of floats.
std::vector<double> bits_of(const FbxKeyAttribute& a) {
  const auto bits = [](float value) { return double(std::bit_cast<uint32_t>(value)); };
  const uint32_t weights = uint32_t(a.weight_before) << 16 | a.weight_after;
  const bool is_tcb = (a.flags & kFbxTcb) != 0;
  return {bits(a.slope_after), bits(a.slope_before), is_tcb ? bits(a.bias) : double(weights), 0};
}

}  // namespace

std::string fbx_array(const std::string& name, const std::vector<double>& values) {
  return name + ": *" + std::to_string(values.size()) + " {\n a: " + list(values) + "\n}\n";
}

std::string fbx_property(const std::string& name, const std::vector<double>& values) {
  return "P: " + quoted(name) + ", \"Number\", \"\", \"A\"," + list(values) + "\n";
}

std::string fbx_layer(const std::string& type, const std::string& mapping, const std::string& reference,
                      const std::string& arrays) {
  return type + ": 0 {\nMappingInformationType: " + quoted(mapping) +
         "\nReferenceInformationType: " + quoted(reference) + "\n" + arrays + "}\n";
}

int64_t fbx_ticks(double seconds) { return std::llround(seconds * kTicksPerSecond); }

std::string fbx_time(const std::string& name, double seconds) {
  return "P: " + quoted(name) + ", \"KTime\", \"Time\", \"\"," + std::to_string(fbx_ticks(seconds)) + "\n";
}

std::string fbx_properties(const std::string& lines) {
  return lines.empty() ? std::string() : "Properties70: {\n" + lines + "}\n";
}

std::string fbx_keys(const FbxKeys& keys) {
  std::string times;
  for (const double time : keys.seconds) times += (times.empty() ? "" : ",") + std::to_string(fbx_ticks(time));
  std::string text = "KeyTime: *" + std::to_string(keys.seconds.size()) + " {\n a: " + times + "\n}\n" +
                     fbx_array("KeyValueFloat", keys.values);
  if (keys.attributes.empty()) return text + keys.records;
  std::vector<double> flags, numbers, runs;
  for (const FbxKeyAttribute& attribute : keys.attributes) {
    flags.push_back(attribute.flags);
    const std::vector<double> four = bits_of(attribute);
    numbers.insert(numbers.end(), four.begin(), four.end());
    runs.push_back(keys.attributes.size() == 1 ? double(keys.seconds.size()) : 1);
  }
  return text + fbx_array("KeyAttrFlags", flags) + fbx_array("KeyAttrDataFloat", numbers) +
         fbx_array("KeyAttrRefCount", runs) + keys.records;
}

std::string fbx_extrapolation(const std::string& side, char type, int repetitions) {
  return side + "-Extrapolation: {\nType: \"" + type + "\"\nRepetition: " + std::to_string(repetitions) + "\n}\n";
}

FbxBuilder::Id FbxBuilder::add(const std::string& type, const std::string& name, const std::string& kind,
                               const std::string& records) {
  objects_ +=
      type + ": " + std::to_string(++last_) + ", " + quoted(name) + ", " + quoted(kind) + " {\n" + records + "}\n";
  return last_;
}

void FbxBuilder::connect(Id source, Id target) {
  connections_ += "C: \"OO\"," + std::to_string(source) + "," + std::to_string(target) + "\n";
}

void FbxBuilder::connect(Id source, Id target, const std::string& property) {
  connections_ += "C: \"OP\"," + std::to_string(source) + "," + std::to_string(target) + ", " + quoted(property) + "\n";
}

FbxBuilder::Id FbxBuilder::add_model(const std::string& name, Id parent, const std::string& properties,
                                     const std::string& kind) {
  const Id id = add("Model", "Model::" + name, kind, fbx_properties(properties));
  connect(id, parent);
  return id;
}

FbxBuilder::Id FbxBuilder::add_probe(const std::string& name, Id parent, const std::string& properties) {
  const Id model = add_model(name, parent, properties, "Mesh");
  add_mesh(model, FbxProbe::points(), FbxProbe::polygons());
  return model;
}

FbxBuilder::Id FbxBuilder::add_mesh(Id model, const std::vector<Vec3>& points,
                                    const std::vector<std::vector<int>>& polygons, const std::string& layers) {
  std::vector<double> corners;
  for (const std::vector<int>& polygon : polygons) {
    for (const int point : polygon) corners.push_back(point);
    if (!polygon.empty()) corners.back() = -1 - corners.back();
  }
  const Id id = add("Geometry", "Geometry::", "Mesh",
                    fbx_array("Vertices", flat(points)) + fbx_array("PolygonVertexIndex", corners) + layers);
  connect(id, model);
  return id;
}

FbxBuilder::Id FbxBuilder::add_skin(Id mesh, const std::string& records) {
  const Id id = add("Deformer", "Deformer::", "Skin", records);
  connect(id, mesh);
  return id;
}

FbxBuilder::Id FbxBuilder::add_cluster(Id skin, Id joint, const std::vector<int>& points,
                                       const std::vector<double>& transform,
                                       const std::vector<double>& transform_link) {
  const std::vector<double> indices(points.begin(), points.end()), weights(points.size(), 1);
  const Id id = add("Deformer", "SubDeformer::", "Cluster",
                    fbx_array("Indexes", indices) + fbx_array("Weights", weights) +
                        fbx_array("Transform", transform.empty() ? kIdentity : transform) +
                        fbx_array("TransformLink", transform_link.empty() ? kIdentity : transform_link));
  connect(id, skin);
  connect(joint, id);
  return id;
}

FbxBuilder::Id FbxBuilder::add_stack(const std::string& name, double start_seconds, double stop_seconds) {
  return add("AnimationStack", "AnimStack::" + name, "",
             fbx_properties(fbx_time("LocalStart", start_seconds) + fbx_time("LocalStop", stop_seconds)));
}

FbxBuilder::Id FbxBuilder::add_layer(Id stack, const std::string& properties) {
  const Id id = add("AnimationLayer", "AnimLayer::Layer", "", fbx_properties(properties));
  connect(id, stack);
  return id;
}

FbxBuilder::Id FbxBuilder::add_curve_node(Id layer, Id object, const std::string& property,
                                          const std::string& defaults) {
  const Id id = add("AnimationCurveNode", "AnimCurveNode::", "", fbx_properties(defaults));
  connect(id, layer);
  connect(id, object, property);
  return id;
}

FbxBuilder::Id FbxBuilder::add_curve(Id curve_node, const std::string& axis, const FbxKeys& keys) {
  const Id id = add("AnimationCurve", "AnimCurve::", "", fbx_keys(keys));
  connect(id, curve_node, axis);
  return id;
}

void FbxBuilder::animate(Id layer, Id object, const std::string& property, const std::string& axis,
                         const FbxKeys& keys) {
  add_curve(add_curve_node(layer, object, property), axis, keys);
}

std::string FbxBuilder::text(const std::string& header) const {
  return "; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n" + header +
         "}\nObjects: {\n" + objects_ + "}\nConnections: {\n" + connections_ + "}\n";
}

}  // namespace sinew::test
