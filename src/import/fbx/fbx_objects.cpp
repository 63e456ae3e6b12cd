#include "fbx/fbx_objects.h"

#include <algorithm>

#include "failure.h"

namespace sinew::internal {
namespace {

constexpr uint32_t kFirstNumbered = 7000;  // the version since which objects have numbers
constexpr std::string_view kBinarySeparator{"\0\1", 2};

/// The full name as text files write it: "Model::Arm".
std::string full_name_of(std::string_view name) {
  const size_t at = name.find(kBinarySeparator);
  if (at == name.npos) return std::string(name);
  return std::string(name.substr(at + 2)) + "::" + std::string(name.substr(0, at));
}

bool is_before(std::string_view name, const std::pair<std::string_view, const FbxRecord*>& property) {
  return name < property.first;
}

}  // namespace

std::string fbx_name_of(std::string_view full_name) {
  if (const size_t at = full_name.find(kBinarySeparator); at != full_name.npos) {
    return std::string(full_name.substr(0, at));
  }
  const size_t at = full_name.find("::");
  return std::string(at == full_name.npos ? full_name : full_name.substr(at + 2));
}

// --- properties ---

FbxProperties::FbxProperties(const FbxRecord* object, const FbxProperties* defaults) : defaults_(defaults) {
  if (object == nullptr) return;
  const FbxRecord* list = object->child("Properties70");
  if (list == nullptr) list = object->child("Properties60"), first_value_ = 3;
  if (list == nullptr) return;
  for (const FbxRecord& property : list->children) values_.emplace_back(property.bytes(0), &property);
  std::stable_sort(values_.begin(), values_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

const FbxRecord* FbxProperties::find(std::string_view name) const {
  const auto after = std::upper_bound(values_.begin(), values_.end(), name, is_before);  // the last one counts
  return after != values_.begin() && std::prev(after)->first == name ? std::prev(after)->second : nullptr;
}

double FbxProperties::real(std::string_view name, double fallback) const {
  if (const FbxRecord* property = find(name)) return property->real(first_value_, fallback);
  return defaults_ == nullptr ? fallback : defaults_->real(name, fallback);
}

int64_t FbxProperties::integer(std::string_view name, int64_t fallback) const {
  if (const FbxRecord* property = find(name)) return property->integer(first_value_, fallback);
  return defaults_ == nullptr ? fallback : defaults_->integer(name, fallback);
}

Double3 FbxProperties::vector(std::string_view name, Double3 fallback) const {
  if (const FbxRecord* property = find(name)) {
    for (size_t i = 0; i < 3; ++i) fallback[i] = property->real(first_value_ + i, fallback[i]);
    return fallback;
  }
  return defaults_ == nullptr ? fallback : defaults_->vector(name, fallback);
}

std::string FbxProperties::text(std::string_view name) const {
  if (const FbxRecord* property = find(name)) return property->text(first_value_);
  return defaults_ == nullptr ? std::string() : defaults_->text(name);
}

// --- objects ---

FbxObjects::FbxObjects(const FbxDocument& document) : document_(document) {
  add({});
  by_id_[0] = 0;
  by_name_["Model::Scene"] = 0;
  settings_ = FbxProperties(document_.find("GlobalSettings"));
  read_templates();
  read_objects();
  read_embedded_parts();
  read_connections();
}

void FbxObjects::read_templates() {
  const FbxRecord* definitions = document_.find("Definitions");
  if (definitions == nullptr) return;
  for (const FbxRecord& type : definitions->children) {
    const FbxRecord* defaults = type.name == "ObjectType" ? type.child("PropertyTemplate") : nullptr;
    if (defaults != nullptr) templates_.try_emplace(type.text(0), defaults);
  }
}

void FbxObjects::read_objects() {
  const FbxRecord* list = document_.find("Objects");
  require(list != nullptr, [] { return "it has no objects"; });
  objects_.reserve(list->children.size() + 1);
  for (const FbxRecord& record : list->children) read_object(record);
}

void FbxObjects::read_object(const FbxRecord& record) {
  if (record.name == "GlobalSettings") {  // before 7.0 it is among the objects
    settings_ = FbxProperties(&record);
    return;
  }
  const bool numbered = document_.version >= kFirstNumbered;
  const size_t name_value = numbered ? 1 : 0;
  FbxObject object;
  object.type = record.name;
  object.name = fbx_name_of(record.text(name_value));
  object.kind = record.text(name_value + 1);
  object.record = &record;
  const auto defaults = templates_.find(record.name);
  object.properties = FbxProperties(&record, defaults == templates_.end() ? nullptr : &defaults->second);
  const uint32_t index = add(std::move(object));
  if (numbered) {
    by_id_.try_emplace(record.integer(0), index);
  } else {
    by_name_.try_emplace(full_name_of(record.text(0)), index);
  }
}

uint32_t FbxObjects::add(FbxObject object) {
  objects_.push_back(std::move(object));
  return uint32_t(objects_.size()) - 1;
}

void FbxObjects::connect(uint32_t source, uint32_t target, std::string property) {
  objects_[target].sources.push_back({source, property});
  objects_[source].targets.push_back({target, std::move(property)});
}

/// Before 7.0 a model holds its mesh, and what deforms the mesh is connected to the model. Up to 7.1 a mesh may hold
/// its shapes.
void FbxObjects::read_embedded_parts() {
  const uint32_t count = uint32_t(objects_.size());
  for (uint32_t model = 1; model < count; ++model) {
    if (objects_[model].type == "Geometry" && objects_[model].kind == "Mesh") read_shapes(model, model);
    const bool holds_mesh = objects_[model].type == "Model" && objects_[model].record->child("Vertices") != nullptr;
    if (!holds_mesh || document_.version >= kFirstNumbered) continue;
    FbxObject geometry;
    geometry.type = "Geometry", geometry.kind = "Mesh", geometry.name = objects_[model].name;
    geometry.record = objects_[model].record;
    const uint32_t index = add(std::move(geometry));
    connect(index, model);
    read_shapes(model, index);
  }
}

/// Makes objects of shapes that a mesh holds. `owner`, the model or the mesh, has a property for the weight of each,
/// with the shape's name.
void FbxObjects::read_shapes(uint32_t owner, uint32_t geometry) {
  const FbxRecord* record = objects_[geometry].record;
  uint32_t deformer = 0;
  for (const FbxRecord& child : record->children) {
    if (child.name != "Shape") continue;
    if (deformer == 0) {
      FbxObject object;
      object.type = "Deformer", object.kind = "BlendShape", object.name = objects_[geometry].name;
      connect(deformer = add(std::move(object)), geometry);
    }
    FbxObject channel, shape;
    channel.type = "Deformer", channel.kind = "BlendShapeChannel", channel.name = child.text(0);
    shape.type = "Geometry", shape.kind = "Shape", shape.name = child.text(0), shape.record = &child;
    const uint32_t channel_index = add(std::move(channel));
    shape_channels_.try_emplace({owner, child.text(0)}, channel_index);
    connect(channel_index, deformer);
    connect(add(std::move(shape)), channel_index);
  }
}

uint32_t FbxObjects::find_named(std::string_view full_name) const {
  const auto found = by_name_.find(full_name_of(full_name));
  return found == by_name_.end() ? 0 : found->second;
}

uint32_t FbxObjects::shape_channel(uint32_t owner, const std::string& shape) const {
  const auto found = shape_channels_.find({owner, shape});
  return found == shape_channels_.end() ? 0 : found->second;
}

/// The object that a connection names; count() if there is none.
uint32_t FbxObjects::named_or_numbered(const FbxRecord& connection, size_t value) const {
  if (document_.version >= kFirstNumbered) {
    const auto found = by_id_.find(connection.integer(value, -1));
    return found == by_id_.end() ? count() : found->second;
  }
  const auto found = by_name_.find(full_name_of(connection.text(value)));
  return found == by_name_.end() ? count() : found->second;
}

void FbxObjects::read_connections() {
  const FbxRecord* list = document_.find("Connections");
  if (list == nullptr) return;
  for (const FbxRecord& connection : list->children) {
    const std::string kind = connection.text(0);
    if (kind != "OO" && kind != "OP") continue;  // properties that drive properties
    const uint32_t source = named_or_numbered(connection, 1);
    uint32_t target = named_or_numbered(connection, 2);
    if (source == count() || target == count() || source == target || source == 0) continue;
    if (document_.version < kFirstNumbered && objects_[source].type == "Deformer" && objects_[target].type == "Model") {
      const std::vector<uint32_t> meshes = sources_of(target, "Geometry");
      if (!meshes.empty()) target = meshes.front();
    }
    connect(source, target, kind == "OP" ? connection.text(3) : std::string());
  }
}

std::vector<uint32_t> FbxObjects::sources_of(uint32_t object, std::string_view type, std::string_view kind) const {
  std::vector<uint32_t> found;
  for (const FbxLink& link : objects_[object].sources) {
    const FbxObject& source = objects_[link.object];
    if (link.property.empty() && source.type == type && (kind.empty() || source.kind == kind)) {
      found.push_back(link.object);
    }
  }
  return found;
}

}  // namespace sinew::internal
