// The objects of an FBX file, their properties, and what is connected to what.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "double_transform.h"
#include "fbx/fbx_record.h"

namespace sinew::internal {

/// The named values of an object: its own, else those of the template of its class.
class FbxProperties {
 public:
  FbxProperties() = default;
  /// Reads `Properties70` or `Properties60` of a record; it may be null. Borrows all arguments.
  explicit FbxProperties(const FbxRecord* object, const FbxProperties* defaults = nullptr);

  bool has(std::string_view name) const { return find(name) != nullptr; }
  double real(std::string_view name, double fallback) const;
  int64_t integer(std::string_view name, int64_t fallback) const;
  Double3 vector(std::string_view name, Double3 fallback) const;
  std::string text(std::string_view name) const;

 private:
  const FbxRecord* find(std::string_view name) const;

  std::vector<std::pair<std::string_view, const FbxRecord*>> values_;  // by name
  size_t first_value_ = 4;                                             // of a record: after name and types
  const FbxProperties* defaults_ = nullptr;
};

struct FbxObject;

/// A connection. `property` is empty where an object belongs to an object as a whole.
struct FbxLink {
  uint32_t object = 0;
  std::string property;
};

struct FbxObject {
  std::string type;                   // the record's name: "Model", "Geometry", "Deformer" ...
  std::string name;                   // without the type
  std::string kind;                   // the class: "LimbNode", "Mesh", "Cluster" ...
  const FbxRecord* record = nullptr;  // null: the root
  FbxProperties properties;
  std::vector<FbxLink> sources;  // what is connected to this object, in the file's order
  std::vector<FbxLink> targets;  // what this object is connected to
};

/// All objects of a file. Object 0 is the root of its scene. Borrows the document.
class FbxObjects {
 public:
  explicit FbxObjects(const FbxDocument& document);
  FbxObjects(const FbxObjects&) = delete;

  const FbxDocument& document() const { return document_; }
  const FbxProperties& settings() const { return settings_; }
  const FbxObject& operator[](uint32_t object) const { return objects_[object]; }
  uint32_t count() const { return uint32_t(objects_.size()); }

  /// The objects of a type, and of a kind unless that is empty, that are connected to `object` as a whole.
  std::vector<uint32_t> sources_of(uint32_t object, std::string_view type, std::string_view kind = {}) const;
  /// Before 7.0: the object with a full name, such as "Model::Arm"; 0 if there is none.
  uint32_t find_named(std::string_view full_name) const;
  /// Where a mesh holds its shapes, as before 7.2: the channel for the shape with a name. `owner` is the model before
  /// 7.0, then the mesh. 0 if there is none.
  uint32_t shape_channel(uint32_t owner, const std::string& shape) const;

 private:
  void read_templates();
  void read_objects();
  void read_object(const FbxRecord& record);
  void read_connections();
  void read_embedded_parts();
  void read_shapes(uint32_t owner, uint32_t geometry);
  uint32_t add(FbxObject object);
  void connect(uint32_t source, uint32_t target, std::string property = {});
  uint32_t named_or_numbered(const FbxRecord& connection, size_t value) const;

  const FbxDocument& document_;
  std::map<std::string, FbxProperties, std::less<>> templates_;  // by type, and by type and class
  FbxProperties settings_;
  std::vector<FbxObject> objects_;
  std::unordered_map<int64_t, uint32_t> by_id_;        // since 7.0
  std::unordered_map<std::string, uint32_t> by_name_;  // before 7.0
  std::map<std::pair<uint32_t, std::string>, uint32_t> shape_channels_;
};

/// "Arm" of "Model::Arm" in text files and of "Arm\0\1Model" in binary ones.
std::string fbx_name_of(std::string_view full_name);

}  // namespace sinew::internal
