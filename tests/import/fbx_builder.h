// A builder of FBX 7.4 text files, object by object, for tests of what FBX files may say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/asset/math.h"

namespace sinew::test {

inline const std::vector<double> kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};  // a matrix

/// Lines of a record: a list of numbers, and a property with its numbers.
std::string fbx_array(const std::string& name, const std::vector<double>& values);
std::string fbx_property(const std::string& name, const std::vector<double>& values);
/// A layer element: `arrays` are its other records.
std::string fbx_layer(const std::string& type, const std::string& mapping, const std::string& reference,
                      const std::string& arrays);
/// A time property. FBX counts time in ticks of 1 / 46186158000 s.
std::string fbx_time(const std::string& name, double seconds);
int64_t fbx_ticks(double seconds);
/// The record that holds properties.
std::string fbx_properties(const std::string& lines);

/// Flags of a key, as in the file.
enum FbxKeyFlag : uint32_t {
  kFbxConstant = 0x2,
  kFbxLinear = 0x4,
  kFbxCubic = 0x8,
  kFbxConstantNext = 0x100,
  kFbxTcb = 0x200,
  kFbxUser = 0x400,
  kFbxBroken = 0x800,
  kFbxClamp = 0x1000,
  kFbxTimeIndependent = 0x2000,
  kFbxProgressive = 0x4000,
  kFbxWeightAfter = 0x1000000,
  kFbxWeightBefore = 0x2000000,
};

/// What a key says of the interval after it: flags, slope after this key, slope before the next one, and both weights,
/// of which one is 9999 for a whole interval. `tcb`: tension, continuity and bias take the places of these numbers.
struct FbxKeyAttribute {
  uint32_t flags = kFbxLinear;
  float slope_after = 0, slope_before = 0;
  uint16_t weight_after = 0, weight_before = 0;
  float bias = 0;  // of TCB
};

struct FbxKeys {
  std::vector<double> seconds, values;
  std::vector<FbxKeyAttribute> attributes = {};  // one per key; or one for all keys; or none: linear
  std::string records = {};                      // such as those of extrapolation
};
/// The records of a curve.
std::string fbx_keys(const FbxKeys& keys);
/// A record of extrapolation. `side` is "Pre" or "Post"; `type` is a letter: C, K, R, M, A.
std::string fbx_extrapolation(const std::string& side, char type, int repetitions);

class FbxBuilder {
 public:
  using Id = int;
  static constexpr Id kRoot = 0;

  Id add(const std::string& type, const std::string& name, const std::string& kind, const std::string& records = {});
  void connect(Id source, Id target);
  void connect(Id source, Id target, const std::string& property);

  /// `properties`: lines of fbx_property().
  Id add_model(const std::string& name, Id parent, const std::string& properties = {},
               const std::string& kind = "LimbNode");
  /// A model with the mesh of FbxProbe, which has the next id.
  Id add_probe(const std::string& name, Id parent = kRoot, const std::string& properties = {});
  /// Polygons name control points. `layers`: records of layer elements.
  Id add_mesh(Id model, const std::vector<Vec3>& points, const std::vector<std::vector<int>>& polygons,
              const std::string& layers = {});
  Id add_skin(Id mesh, const std::string& records = {});
  /// All weights are 1. Matrices have 16 elements as in FBX; empty: the identity.
  Id add_cluster(Id skin, Id joint, const std::vector<int>& points, const std::vector<double>& transform = {},
                 const std::vector<double>& transform_link = {});
  Id add_stack(const std::string& name, double start_seconds, double stop_seconds);
  Id add_layer(Id stack, const std::string& properties = {});
  /// `defaults` are the values of numbers without a curve: lines of fbx_property("d|X", ...).
  Id add_curve_node(Id layer, Id object, const std::string& property, const std::string& defaults = {});
  Id add_curve(Id curve_node, const std::string& axis, const FbxKeys& keys);
  /// Animates one number of a property: a curve node with one curve.
  void animate(Id layer, Id object, const std::string& property, const std::string& axis, const FbxKeys& keys);

  /// `header`: records of the file's header.
  std::string text(const std::string& header = {}) const;

 private:
  std::string objects_, connections_;
  Id last_ = kRoot;
};

/// A triangle pair that shows a whole transform: the origin and the ends of the three axes.
struct FbxProbe {
  static std::vector<Vec3> points() { return {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; }
  static std::vector<std::vector<int>> polygons() { return {{0, 1, 2}, {0, 2, 3}}; }
};

}  // namespace sinew::test
