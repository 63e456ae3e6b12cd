#include "collada/collada_animations.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "collada/collada_lost.h"
#include "collada/collada_target.h"
#include "failure.h"

namespace sinew::internal {
namespace {

constexpr uint32_t kMaxAnimationDepth = 100;
constexpr size_t kMaxChannelsOfClips = size_t(1) << 22;  // of all clips: several may share an animation

/// An <animation>: its own channels, and those below it.
struct Animation {
  std::string name;
  std::vector<pugi::xml_node> channels;
  std::vector<Animation> below;
};

std::string name_of(pugi::xml_node element) {
  const std::string name = element.attribute("name").value();
  return name.empty() ? "animation" : name;
}

Animation read_tree(pugi::xml_node element, uint32_t depth = 1) {
  require(depth <= kMaxAnimationDepth,
          [] { return "its animations are more than " + std::to_string(kMaxAnimationDepth) + " deep"; });
  Animation animation{name_of(element), {}, {}};
  for (const pugi::xml_node child : element.children()) {
    if (is_named(child, "channel")) animation.channels.push_back(child);
    if (is_named(child, "animation")) animation.below.push_back(read_tree(child, depth + 1));
  }
  return animation;
}

void collect(const Animation& animation, std::vector<pugi::xml_node>& channels) {
  channels.insert(channels.end(), animation.channels.begin(), animation.channels.end());
  for (const Animation& below : animation.below) collect(below, channels);
}

std::string_view target_of(pugi::xml_node channel) { return channel.attribute("target").value(); }

/// Channels that play together.
struct Group {
  std::string name;
  std::vector<pugi::xml_node> channels;
  std::optional<double> start, end;
};

/// The largest parts of the tree that move nothing twice.
struct Part {
  std::string name;
  std::vector<pugi::xml_node> channels;
};

void split(const Animation& animation, const std::string& name, std::vector<Part>& parts) {
  std::vector<pugi::xml_node> channels;
  collect(animation, channels);
  if (channels.empty()) return;
  std::unordered_set<std::string_view> targets;
  for (const pugi::xml_node channel : channels) targets.insert(target_of(channel));
  if (targets.size() == channels.size() || animation.below.empty()) {
    parts.push_back({name, std::move(channels)});
    return;
  }
  if (!animation.channels.empty()) parts.push_back({name, animation.channels});
  for (const Animation& below : animation.below) split(below, name + "_" + below.name, parts);
}

/// The names are Assimp's: programs may know them.
std::vector<Group> groups_of(const std::vector<Animation>& animations) {
  if (animations.empty()) return {};
  const std::string& first = animations.front().name;
  std::vector<Part> parts;
  for (const Animation& animation : animations) split(animation, first + "_" + animation.name, parts);
  std::vector<Group> groups;
  std::unordered_map<std::string_view, size_t> next;  // the first group that does not move a target yet
  for (const Part& part : parts) {
    size_t index = 0;
    for (const pugi::xml_node channel : part.channels) index = std::max(index, next[target_of(channel)]);
    for (const pugi::xml_node channel : part.channels) next[target_of(channel)] = index + 1;
    if (index >= groups.size()) groups.resize(index + 1);
    if (groups[index].channels.empty()) groups[index].name = part.name;
    groups[index].channels.insert(groups[index].channels.end(), part.channels.begin(), part.channels.end());
  }
  const bool is_one_animation = animations.size() == 1 && parts.size() == 1 && parts.front().channels.size() > 1;
  if (groups.size() == 1 && !is_one_animation) groups.front().name = first;
  return groups;
}

/// Clips that the document lists itself. A clip without animations that exist is left out.
std::vector<Group> listed_groups(const ColladaDocument& document) {
  std::vector<Group> groups;
  size_t total = 0;
  for (const pugi::xml_node library : document.root().children("library_animation_clips")) {
    for (const pugi::xml_node clip : library.children("animation_clip")) {
      Group group;
      group.name = clip.attribute("name").value();
      if (group.name.empty()) group.name = clip.attribute("id").value();
      for (const pugi::xml_node instance : clip.children("instance_animation")) {
        const pugi::xml_node animation = document.at(instance.attribute("url").value());
        if (is_named(animation, "animation")) collect(read_tree(animation), group.channels);
        require(total + group.channels.size() <= kMaxChannelsOfClips,
                [] { return "its clips have more than " + std::to_string(kMaxChannelsOfClips) + " channels"; });
      }
      total += group.channels.size();
      const std::vector<double> start = numbers_in(clip.attribute("start").value());
      const std::vector<double> end = numbers_in(clip.attribute("end").value());
      if (!start.empty()) group.start = start[0];
      if (!end.empty() && end[0] > group.start.value_or(0)) group.end = end[0];
      if (!group.channels.empty()) groups.push_back(std::move(group));
    }
  }
  return groups;
}

class AnimationReader {
 public:
  AnimationReader(const ColladaDocument& document, const ColladaNodes& nodes, LostFeatures& lost)
      : document_(document), lost_(lost), curves_(document), targets_(document, nodes) {}

  ColladaAnimations read(const std::vector<Group>& groups) {
    for (const Group& group : groups) {
      ColladaClip clip{group.name, {}, group.start, group.end, {}};
      Faults faults;
      for (const pugi::xml_node channel : group.channels) add(channel, clip, faults);
      append(faults, clip.repairs);
      if (!clip.channels.empty() || !clip.repairs.empty()) result_.clips.push_back(std::move(clip));
    }
    return std::move(result_);
  }

 private:
  /// What is wrong with the channels of one clip.
  struct Faults {
    uint32_t unusable = 0;
    std::string first;
    std::set<std::string> unknown;  // interpolations
    bool has_curved_matrix = false;
  };

  static void append(const Faults& faults, std::vector<std::string>& repairs) {
    if (faults.unusable > 0) {
      const std::string noun = faults.unusable == 1 ? " channel" : " channels";
      repairs.push_back(std::to_string(faults.unusable) + noun + " left out, " + faults.first);
    }
    for (const std::string& name : faults.unknown) {
      repairs.push_back("the interpolation '" + name + "' is not known: it is read as LINEAR");
    }
    if (faults.has_curved_matrix) repairs.push_back("curves between whole matrices are read as LINEAR");
  }

  void add(pugi::xml_node channel, ColladaClip& clip, Faults& faults) {
    const auto [known, is_new] = known_.try_emplace(channel.hash_value(), -1);
    if (is_new) known->second = read_channel(channel);
    const Read& read = reads_[size_t(known->second)];
    if (read.is_lost) return;
    if (!read.fault.empty()) {
      if (++faults.unusable == 1) faults.first = "'" + std::string(target_of(channel)) + "' the first: " + read.fault;
      return;
    }
    if (!read.unknown.empty()) faults.unknown.insert(read.unknown);
    faults.has_curved_matrix |= read.is_curved_matrix;
    clip.channels.push_back(read.channel);
  }

  /// What one <channel> turned out to be. Several clips may have it.
  struct Read {
    bool is_lost = false, is_curved_matrix = false;
    std::string fault, unknown;
    uint32_t channel = 0;
  };

  int64_t read_channel(pugi::xml_node channel) {
    Read read;
    const ColladaCurve curve = curves_.read(document_.at(channel.attribute("source").value()));
    read.fault = curve.fault();
    if (!read.fault.empty()) read.fault = "it has " + read.fault;
    read.unknown = curve.interpolations->unknown;
    const std::string_view name = target_of(channel);
    const auto target = targets_.find(name, read.fault.empty() ? curve.width() : 16);
    if (!target) {
      read.is_lost = true;
      lost_.add(is_morph_weight(name) ? kLostMorphWeights : kLostChannels, name);
    } else if (read.fault.empty()) {
      read.channel = uint32_t(result_.channels.size());
      read.is_curved_matrix = target->count == 16 && is_curved(curve);
      result_.channels.push_back({curve, target->element, target->transform, target->first, target->count});
    }
    reads_.push_back(std::move(read));
    return int64_t(reads_.size()) - 1;
  }

  static bool is_curved(const ColladaCurve& curve) {
    const auto& kinds = curve.interpolations->interpolations;
    return std::any_of(kinds.begin(), kinds.end(), [](ColladaInterpolation kind) {
      return kind == ColladaInterpolation::kBezier || kind == ColladaInterpolation::kHermite;
    });
  }

  /// Whether a target is one of the weights of a morph controller: "weights(2)", the id of a source.
  bool is_morph_weight(std::string_view target) const {
    const pugi::xml_node source = document_.with_id(target.substr(0, target.find_first_of("(/.")));
    return source && (is_named(source.parent(), "morph") || is_named(source.parent().parent(), "morph"));
  }

  const ColladaDocument& document_;
  LostFeatures& lost_;
  ColladaCurveReader curves_;
  ColladaTargets targets_;
  ColladaAnimations result_;
  std::vector<Read> reads_;
  std::unordered_map<size_t, int64_t> known_;  // an index in reads_, by the hash of the channel
};

}  // namespace

ColladaAnimations read_animations(const ColladaDocument& document, const ColladaNodes& nodes, LostFeatures& lost) {
  std::vector<Group> groups = listed_groups(document);
  if (groups.empty()) {
    std::vector<Animation> animations;
    for (const pugi::xml_node library : document.root().children("library_animations")) {
      for (const pugi::xml_node animation : library.children("animation")) animations.push_back(read_tree(animation));
    }
    std::erase_if(animations, [](const Animation& animation) {
      std::vector<pugi::xml_node> channels;
      collect(animation, channels);
      return channels.empty();
    });
    groups = groups_of(animations);
  }
  return AnimationReader(document, nodes, lost).read(groups);
}

}  // namespace sinew::internal
