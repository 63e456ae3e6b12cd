#include "fbx/fbx_stack.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::internal {
namespace {

constexpr double kTicksPerSecond = 46186158000, kNewTicksPerSecond = 141120000;

/// Since FBX 2020 a file may have another unit of time.
double ticks_per_second(const FbxDocument& document) {
  const FbxRecord* header = document.find("FBXHeaderExtension");
  const FbxRecord* version = header == nullptr ? nullptr : header->child("FBXHeaderVersion");
  const FbxRecord* flags = header == nullptr ? nullptr : header->child("OtherFlags");
  const FbxRecord* unit = flags == nullptr ? nullptr : flags->child("TCDefinition");
  if (unit == nullptr || version == nullptr || version->integer(0) < 1004) return kTicksPerSecond;
  return unit->integer(0) == 127 ? kTicksPerSecond : kNewTicksPerSecond;
}

/// Which of three numbers a name such as "d|Y" means.
size_t axis_of(std::string_view name) {
  const char letter = name.empty() ? 'X' : name.back();
  return name.ends_with("|Y") || name == "Y" ? 1 : letter == 'Z' && (name == "Z" || name.ends_with("|Z")) ? 2 : 0;
}

/// A stack without a range of its own is as long as its keys.
void set_range_from_keys(FbxStack& stack) {
  if (stack.stop_seconds > stack.start_seconds) return;
  double first = std::numeric_limits<double>::infinity(), last = -first;
  for (const FbxLayer& layer : stack.layers) {
    for (const auto& [property, animated] : layer.animated) {
      for (const FbxCurve* curve : animated.curves) {
        if (curve == nullptr || curve->keys.empty()) continue;
        first = std::min(first, curve->keys.front().seconds), last = std::max(last, curve->keys.back().seconds);
      }
    }
  }
  if (first <= last) stack.start_seconds = first, stack.stop_seconds = last;
}

Double3 value_of(const FbxAnimated& animated, double seconds, Side side) {
  Double3 value = animated.fixed;
  for (size_t axis = 0; axis < 3; ++axis) {
    if (animated.curves[axis] != nullptr) value[axis] = animated.curves[axis]->value(seconds, side, value[axis]);
  }
  return value;
}

double power(double base, double exponent) { return std::copysign(std::pow(std::abs(base), exponent), base); }

constexpr Double4 kNoTurn{0, 0, 0, 1};

}  // namespace

double FbxLayer::weight_at(double seconds, Side side) const {
  const double value = weight_curve == nullptr ? weight : weight_curve->value(seconds, side, 100 * weight) / 100;
  return std::clamp(value, 0.0, 1.0);
}

FbxStacks::FbxStacks(const FbxObjects& objects)
    : objects_(objects), ticks_per_second_(ticks_per_second(objects.document())) {
  for (uint32_t object = 1; object < objects_.count(); ++object) {
    if (objects_[object].type == "AnimationStack") read_stack(object);
  }
  const FbxRecord* takes = objects_.document().find("Takes");
  if (takes == nullptr || objects_.document().version >= 7000) return;
  for (const FbxRecord& take : takes->children) {
    if (take.name == "Take") read_take(take);
  }
}

const FbxCurve* FbxStacks::keep(FbxCurve curve) {
  curves_.push_back(std::make_unique<FbxCurve>(std::move(curve)));
  return curves_.back().get();
}

// --- since version 7.0 ---

void FbxStacks::set_range(const FbxProperties& properties, FbxStack& stack) const {
  const auto seconds = [&](const char* name) { return double(properties.integer(name, 0)) / ticks_per_second_; };
  stack.start_seconds = seconds("LocalStart"), stack.stop_seconds = seconds("LocalStop");
  if (stack.stop_seconds > stack.start_seconds) return;
  const double start = seconds("ReferenceStart"), stop = seconds("ReferenceStop");
  if (stop > start) stack.start_seconds = start, stack.stop_seconds = stop;
}

/// The range of a take. Since 7.0 a file may have takes too, and there the range that a stack lacks.
void FbxStacks::set_range(const FbxRecord& take, FbxStack& stack) const {
  for (const char* name : {"ReferenceTime", "LocalTime"}) {
    const FbxRecord* range = take.child(name);
    if (range == nullptr || range->integer(1) <= range->integer(0)) continue;
    stack.start_seconds = double(range->integer(0)) / ticks_per_second_;
    stack.stop_seconds = double(range->integer(1)) / ticks_per_second_;
  }
}

void FbxStacks::read_stack(uint32_t object) {
  FbxStack stack;
  stack.name = objects_[object].name;
  set_range(objects_[object].properties, stack);
  const FbxRecord* takes = objects_.document().find("Takes");
  for (size_t i = 0; takes != nullptr && stack.stop_seconds <= stack.start_seconds && i < takes->children.size(); ++i) {
    if (takes->children[i].bytes(0) == stack.name) set_range(takes->children[i], stack);
  }
  const std::vector<uint32_t> layers = objects_.sources_of(object, "AnimationLayer");
  for (const uint32_t layer : layers) read_layer(layer, stack);
  set_range_from_keys(stack);
  drop_silent_layers(layers, stack);
  stacks_.push_back(std::move(stack));
}

/// Layers that are muted, or not solo where another is.
void FbxStacks::drop_silent_layers(const std::vector<uint32_t>& layers, FbxStack& stack) const {
  const auto is = [&](size_t i, const char* name) { return objects_[layers[i]].properties.integer(name, 0) != 0; };
  bool has_solo = false;
  for (size_t i = 0; i < layers.size(); ++i) has_solo = has_solo || is(i, "Solo");
  for (size_t i = 0; i < layers.size(); ++i) {
    if (is(i, "Mute") || (has_solo && !is(i, "Solo"))) stack.layers[i].animated.clear();
  }
}

void FbxStacks::read_layer(uint32_t object, FbxStack& stack) {
  const FbxProperties& properties = objects_[object].properties;
  FbxLayer& layer = stack.layers.emplace_back();
  layer.weight = properties.real("Weight", 100) / 100;
  const int64_t mode = properties.integer("BlendMode", 0);
  layer.is_additive = mode == 0, layer.is_blended = mode == 2;
  layer.composes_rotation = properties.integer("RotationAccumulationMode", 0) == 0;
  layer.composes_scale = properties.integer("ScaleAccumulationMode", 0) == 0;
  for (const uint32_t curve_node : objects_.sources_of(object, "AnimationCurveNode")) read_animated(curve_node, layer);
  const auto weight = layer.animated.find({object, "Weight"});
  if (weight == layer.animated.end()) return;
  layer.weight_curve = weight->second.curves[0];
  layer.animated.erase(weight);
}

/// A curve node has the curves and the fixed numbers of one property, which may be that of several objects.
void FbxStacks::read_animated(uint32_t curve_node, FbxLayer& layer) {
  const FbxObject& object = objects_[curve_node];
  for (const FbxLink& target : object.targets) {
    if (target.property.empty()) continue;
    FbxAnimated animated;
    constexpr std::array<std::string_view, 3> kAxes = {"d|X", "d|Y", "d|Z"};
    for (size_t axis = 0; axis < 3; ++axis) animated.fixed[axis] = object.properties.real(kAxes[axis], 0);
    const std::string single = "d|" + target.property;
    if (object.properties.has(single)) animated.fixed[0] = object.properties.real(single, 0);
    for (const FbxLink& source : object.sources) {
      if (objects_[source.object].type == "AnimationCurve") {
        animated.curves[axis_of(source.property)] = curve_of(source.object);
      }
    }
    const uint32_t shape = objects_.shape_channel(target.object, target.property);
    const bool is_shape = shape != 0;
    layer.animated.try_emplace({is_shape ? shape : target.object, is_shape ? "DeformPercent" : target.property},
                               animated);
  }
}

const FbxCurve* FbxStacks::curve_of(uint32_t object) {
  const auto [known, is_new] = curve_of_object_.try_emplace(object, nullptr);
  if (is_new) {
    known->second =
        keep(read_fbx_curve(objects_.document(), *objects_[object].record, ticks_per_second_, dropped_keys_));
  }
  return known->second;
}

// --- before version 7.0 ---

void FbxStacks::read_take(const FbxRecord& take) {
  FbxStack stack;
  stack.name = take.text(0);
  set_range(take, stack);
  FbxLayer& layer = stack.layers.emplace_back();
  for (const FbxRecord& child : take.children) {
    if (child.name == "Model") read_take_model(child, layer);
  }
  set_range_from_keys(stack);
  stacks_.push_back(std::move(stack));
}

void FbxStacks::read_take_model(const FbxRecord& model, FbxLayer& layer) {
  const uint32_t object = objects_.find_named(model.bytes(0));
  if (object == 0) return;
  for (const FbxRecord& channel : model.children) {
    if (channel.name != "Channel") continue;
    const std::string name = channel.text(0);
    if (name != "Transform") {
      const uint32_t shape = objects_.shape_channel(object, name);
      const bool is_shape = shape != 0;
      read_take_channel(channel, {is_shape ? shape : object, is_shape ? "DeformPercent" : name}, layer);
      continue;
    }
    for (const FbxRecord& part : channel.children) {
      const std::string letter = part.text(0);
      if (letter == "T") read_take_channel(part, {object, "Lcl Translation"}, layer);
      if (letter == "R") read_take_channel(part, {object, "Lcl Rotation"}, layer);
      if (letter == "S") read_take_channel(part, {object, "Lcl Scaling"}, layer);
    }
  }
}

void FbxStacks::read_take_channel(const FbxRecord& channel, FbxLayer::Property property, FbxLayer& layer) {
  FbxAnimated animated;
  bool has_value = false;
  const auto read = [&](const FbxRecord& one, size_t axis) {
    const FbxRecord* fixed = one.child("Default");
    if (fixed != nullptr) animated.fixed[axis] = fixed->real(0);
    const bool has_keys = one.child("Key") != nullptr;
    if (has_keys) animated.curves[axis] = keep(read_fbx_take_curve(one, ticks_per_second_, dropped_keys_));
    has_value = has_value || has_keys || fixed != nullptr;
  };
  read(channel, 0);
  for (const FbxRecord& part : channel.children) {
    if (part.name == "Channel") read(part, axis_of(part.bytes(0)));
  }
  if (has_value) layer.animated.try_emplace(std::move(property), animated);
}

// --- evaluation ---

FbxChannel::FbxChannel(const FbxStack& stack, const FbxLayer::Property& property, Double3 rest, Kind kind,
                       EulerOrder order)
    : rest_(rest), kind_(kind), order_(order) {
  for (const FbxLayer& layer : stack.layers) {
    const auto found = layer.animated.find(property);
    if (found != layer.animated.end()) parts_.push_back({&layer, &found->second, &layer == &stack.layers.front()});
  }
}

void FbxChannel::add(const Part& part, double seconds, Side side, Double3& value) const {
  const Double3 top = value_of(*part.animated, seconds, side);
  const FbxLayer& layer = *part.layer;
  if (part.is_base || (!layer.is_additive && !layer.is_blended)) {
    value = top;
    return;
  }
  const double weight = layer.weight_at(seconds, side), rest = layer.is_additive ? 1 : 1 - weight;
  if (kind_ == Kind::kRotation && layer.composes_rotation) {
    const Double4 below = from_euler(value, order_), above = from_euler(top, order_);
    const Double4 sum =
        layer.is_additive ? multiply(below, slerp(kNoTurn, above, weight)) : slerp(below, above, weight);
    value = to_euler(sum, order_);
    return;
  }
  for (size_t i = 0; i < 3; ++i) {
    const bool multiplies = kind_ == Kind::kScale && layer.composes_scale;
    value[i] = multiplies ? power(value[i], rest) * power(top[i], weight) : value[i] * rest + top[i] * weight;
  }
}

Double3 FbxChannel::value(double seconds, Side side) const {
  Double3 value = rest_;
  for (const Part& part : parts_) add(part, seconds, side, value);
  return value;
}

void FbxChannel::append_breaks(double begin, double end, std::vector<double>& times) const {
  for (const Part& part : parts_) {
    if (part.layer->weight_curve != nullptr) part.layer->weight_curve->append_breaks(begin, end, times);
    for (const FbxCurve* curve : part.animated->curves) {
      if (curve != nullptr) curve->append_breaks(begin, end, times);
    }
  }
}

double FbxChannel::variation(double begin, double end) const {
  double sum = 0;
  for (const Part& part : parts_) {
    for (const FbxCurve* curve : part.animated->curves) {
      if (curve != nullptr) sum += curve->variation(begin, end);
    }
  }
  return sum;
}

uint32_t FbxChannel::key_count() const {
  size_t count = 0;
  for (const Part& part : parts_) {
    size_t longest = 0;  // of three numbers, as one key has three
    for (const FbxCurve* curve : part.animated->curves) {
      if (curve != nullptr) longest = std::max(longest, curve->keys.size());
    }
    count += longest;
  }
  return uint32_t(count);
}

}  // namespace sinew::internal
