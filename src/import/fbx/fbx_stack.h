// Animation stacks of an FBX file: each is a clip. A stack has layers; a layer has curves for properties of objects.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "double_transform.h"
#include "fbx/fbx_curve.h"
#include "fbx/fbx_objects.h"

namespace sinew::internal {

/// A property in one layer: a curve, or a fixed number, for each of up to three numbers.
struct FbxAnimated {
  Double3 fixed{};
  std::array<const FbxCurve*, 3> curves{};  // null: the fixed number
};

struct FbxLayer {
  using Property = std::pair<uint32_t, std::string>;  // object, name

  double weight = 1;                                     // 0 to 1
  const FbxCurve* weight_curve = nullptr;                // in percent; null: `weight`
  bool is_additive = false;                              // adds to what is below
  bool is_blended = false;                               // mixes with what is below, by weight; neither: replaces it
  bool composes_rotation = true, composes_scale = true;  // as rotations and factors; false: number by number
  std::map<Property, FbxAnimated> animated;

  double weight_at(double seconds, Side side) const;  // 0 to 1
};

struct FbxStack {
  std::string name;
  double start_seconds = 0, stop_seconds = 0;
  std::vector<FbxLayer> layers;  // from the lowest
};

/// All stacks of a file, and their curves. Borrows the objects. Stacks and curves live as long as it.
class FbxStacks {
 public:
  explicit FbxStacks(const FbxObjects& objects);
  FbxStacks(const FbxStacks&) = delete;

  const std::vector<FbxStack>& stacks() const { return stacks_; }
  uint32_t dropped_keys() const { return dropped_keys_; }

 private:
  void read_stack(uint32_t stack);
  void read_layer(uint32_t layer, FbxStack& stack);
  void read_animated(uint32_t curve_node, FbxLayer& layer);
  const FbxCurve* curve_of(uint32_t object);
  const FbxCurve* keep(FbxCurve curve);

  void read_take(const FbxRecord& take);
  void read_take_model(const FbxRecord& model, FbxLayer& layer);
  void read_take_channel(const FbxRecord& channel, FbxLayer::Property property, FbxLayer& layer);
  void drop_silent_layers(const std::vector<uint32_t>& layers, FbxStack& stack) const;
  void set_range(const FbxProperties& properties, FbxStack& stack) const;
  void set_range(const FbxRecord& take, FbxStack& stack) const;

  const FbxObjects& objects_;
  double ticks_per_second_ = 0;
  std::vector<FbxStack> stacks_;
  std::vector<std::unique_ptr<FbxCurve>> curves_;
  std::map<uint32_t, const FbxCurve*> curve_of_object_;
  uint32_t dropped_keys_ = 0;
};

/// One property of an object over the time of a stack: its value in the file, and the layers above it.
class FbxChannel {
 public:
  enum class Kind : uint8_t { kNumbers, kRotation, kScale };

  FbxChannel() = default;
  /// `rest` is the value without animation. Borrows the stack.
  FbxChannel(const FbxStack& stack, const FbxLayer::Property& property, Double3 rest, Kind kind = Kind::kNumbers,
             EulerOrder order = EulerOrder::kXyz);

  bool is_animated() const { return !parts_.empty(); }
  Double3 value(double seconds, Side side) const;
  void append_breaks(double begin, double end, std::vector<double>& times) const;
  /// An upper bound of how far the numbers go up and down, all together, in an interval without a break.
  double variation(double begin, double end) const;
  uint32_t key_count() const;

 private:
  struct Part {
    const FbxLayer* layer;
    const FbxAnimated* animated;
    bool is_base;  // of the lowest layer: replaces the rest value
  };
  void add(const Part& part, double seconds, Side side, Double3& value) const;

  Double3 rest_{};
  Kind kind_ = Kind::kNumbers;
  EulerOrder order_ = EulerOrder::kXyz;
  std::vector<Part> parts_;
};

}  // namespace sinew::internal
