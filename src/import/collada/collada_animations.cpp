#include "collada/collada_animations.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "collada/collada_document.h"
#include "collada/collada_lost.h"
#include "failure.h"

namespace sinew::internal {
namespace {

// What a channel of a COLLADA animation moves: "node/sid.X", "node/sid(3)(1)", "node/sid/sid" and so on.

struct ColladaTarget {
  uint32_t element = 0, transform = 0;  // in ColladaNodes::elements(), and in its transforms
  uint32_t first = 0, count = 0;        // which of the transform's numbers
};

/// Finds the targets of channels. Source: COLLADA 1.4.1 specification, "Address Syntax" in chapter 3.
class ColladaTargets {
 public:
  ColladaTargets(const ColladaDocument& document, const ColladaNodes& nodes) : document_(document), nodes_(nodes) {}

  /// To be called with all targets of a document before find().
  void learn_order(std::string_view target);

  /// What `target` names. Nothing if that is no transform of a node of the scene. `width` is the number of components
  /// of the channel's curve: a target without a member is the whole transform, or, for one component, a rotation's
  /// angle.
  std::optional<ColladaTarget> find(std::string_view target, size_t width);

 private:
  using Children = std::unordered_map<std::string_view, pugi::xml_node>;
  pugi::xml_node with_sid(pugi::xml_node top, std::string_view sid);
  const Children& children_of(pugi::xml_node parent);

  const ColladaDocument& document_;
  const ColladaNodes& nodes_;
  std::unordered_map<size_t, Children> children_;      // by sid, by the hash of the parent
  size_t visits_ = 0;                                  // of elements, in searches below children
  std::unordered_set<std::string_view> move_columns_;  // matrices with channels of the fourth column
};

constexpr size_t kMaxVisits = size_t(1) << 24;  // limits the time of files in which no sid is where it is named

/// The indices of "(3)(1)". Empty if `text` has another form.
std::vector<uint32_t> indices_in(std::string_view text) {
  std::vector<uint32_t> indices;
  while (!text.empty()) {
    uint32_t index = 0;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), index);
    if (text.front() != '(' || error != std::errc() || end == text.data() + text.size() || *end != ')') return {};
    indices.push_back(index);
    text.remove_prefix(size_t(end + 1 - text.data()));
  }
  return indices;
}

/// The number of a matrix, by rows, that "(column)(row)" or "(index)" names. The last row never moves: where there are
/// indices in it and none in the last column, the writer counts the other way.
uint32_t index_in_matrix(const std::vector<uint32_t>& indices, bool moves_column) {
  const uint32_t column = indices.size() == 2 ? indices[0] : indices[0] % 4;
  const uint32_t row = indices.size() == 2 ? indices[1] : indices[0] / 4;
  return row == 3 && !moves_column ? column * 4 + row : row * 4 + column;
}

std::optional<uint32_t> index_of_member(std::string_view member, ColladaPlacement kind) {
  if (member == "ANGLE" && kind == ColladaPlacement::kRotate) return 3;
  if (member == "ANGLE" && kind == ColladaPlacement::kSkew) return 0;
  constexpr std::string_view kAxes[] = {"X", "Y", "Z"};
  const auto axis = std::find(std::begin(kAxes), std::end(kAxes), member);
  if (axis == std::end(kAxes) || kind == ColladaPlacement::kMatrix) return std::nullopt;
  return uint32_t(axis - std::begin(kAxes));
}

/// Which numbers of a transform the end of a target names: ".X", "(3)(1)", or all for "".
bool choose_numbers(std::string_view selection, size_t width, ColladaPlacement kind, bool moves_column,
                    ColladaTarget& target) {
  const size_t all = number_count(kind);
  target.count = 1;
  if (selection.empty()) {
    const bool is_angle = kind == ColladaPlacement::kRotate && width == 1;
    target.first = is_angle ? 3 : 0;
    target.count = is_angle ? 1 : uint32_t(all);
  } else if (selection.front() == '.') {
    const std::optional<uint32_t> index = index_of_member(selection.substr(1), kind);
    if (!index) return false;
    target.first = *index;
  } else {
    const std::vector<uint32_t> indices = indices_in(selection);
    if (indices.empty() || indices.size() > 2) return false;
    if (indices.size() == 2 && (kind != ColladaPlacement::kMatrix || indices[0] > 3 || indices[1] > 3)) return false;
    if (indices[0] >= all) return false;
    target.first = kind == ColladaPlacement::kMatrix ? index_in_matrix(indices, moves_column) : indices[0];
  }
  return target.first + target.count <= all && target.count <= width;
}

const ColladaTargets::Children& ColladaTargets::children_of(pugi::xml_node parent) {
  const auto [found, is_new] = children_.try_emplace(parent.hash_value());
  for (pugi::xml_node child = is_new ? parent.first_child() : pugi::xml_node(); child; child = child.next_sibling()) {
    ++visits_;
    if (const pugi::xml_attribute sid = child.attribute("sid")) found->second.try_emplace(sid.value(), child);
  }
  return found->second;
}

/// The nearest element below `top` with a sid. The specification searches level by level.
pugi::xml_node ColladaTargets::with_sid(pugi::xml_node top, std::string_view sid) {
  std::vector<pugi::xml_node> level = {top};
  while (!level.empty() && visits_ < kMaxVisits) {
    std::vector<pugi::xml_node> below;
    for (const pugi::xml_node parent : level) {
      const Children& children = children_of(parent);
      if (const auto found = children.find(sid); found != children.end()) return found->second;
    }
    for (const pugi::xml_node parent : level) {
      for (const pugi::xml_node child : parent.children("node")) below.push_back(child);
    }
    level = std::move(below);
    visits_ += level.size();
  }
  return {};
}

void ColladaTargets::learn_order(std::string_view target) {
  const size_t selection = std::min(target.find('(', target.rfind('/') + 1), target.size());
  const std::vector<uint32_t> indices = indices_in(target.substr(selection));
  if (indices.size() == 2 && indices[0] == 3 && indices[1] < 3) move_columns_.insert(target.substr(0, selection));
}

std::optional<ColladaTarget> ColladaTargets::find(std::string_view target, size_t width) {
  const size_t slash = target.find('/');
  if (slash == target.npos) return std::nullopt;
  pugi::xml_node found = document_.with_id(target.substr(0, slash), {"node", "visual_scene"});
  const size_t selection = std::min(target.find_first_of(".(", target.rfind('/')), target.size());
  for (size_t from = slash + 1; found && from <= selection;) {
    const size_t to = std::min(target.find('/', from), selection);
    found = with_sid(found, target.substr(from, to - from));
    from = to + 1;
  }
  const auto place = found ? nodes_.place_of(found) : std::nullopt;
  if (!place) return std::nullopt;
  ColladaTarget result{place->first, place->second};
  const ColladaPlacement kind = nodes_.elements()[place->first].transforms[place->second].kind;
  const bool moves_column = move_columns_.contains(target.substr(0, selection));
  if (!choose_numbers(target.substr(selection), width, kind, moves_column, result)) return std::nullopt;
  return result;
}

constexpr uint32_t kMaxAnimationDepth = 100;
constexpr size_t kMaxChannelsOfClips = size_t(1) << 22;  // of all clips: several may share an animation

/// An <animation>: its own channels, and those below it.
struct Animation {
  std::string name;
  std::vector<pugi::xml_node> channels;
  std::vector<Animation> below;
};

std::string name_of(pugi::xml_node element) {
  const std::string name = short_name(element.attribute("name").value());
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
  std::unordered_map<size_t, std::vector<pugi::xml_node>> channels;  // by the hash of the animation
  for (const pugi::xml_node library : document.root().children("library_animation_clips")) {
    for (const pugi::xml_node clip : library.children("animation_clip")) {
      Group group;
      group.name = short_name(clip.attribute("name").value());
      if (group.name.empty()) group.name = short_name(clip.attribute("id").value());
      for (const pugi::xml_node instance : clip.children("instance_animation")) {
        const pugi::xml_node animation = document.at(instance.attribute("url").value());
        if (!is_named(animation, "animation")) continue;
        const auto [own, is_new] = channels.try_emplace(animation.hash_value());
        if (is_new) collect(read_tree(animation), own->second);
        require(total + group.channels.size() + own->second.size() <= kMaxChannelsOfClips,
                [] { return "its clips have more than " + std::to_string(kMaxChannelsOfClips) + " channels"; });
        group.channels.insert(group.channels.end(), own->second.begin(), own->second.end());
      }
      total += group.channels.size();
      const std::vector<double> start = numbers_in(clip.attribute("start").value());
      const std::vector<double> end = numbers_in(clip.attribute("end").value());
      if (!start.empty() && std::isfinite(start[0])) group.start = start[0];
      if (!end.empty() && std::isfinite(end[0]) && end[0] > group.start.value_or(0)) group.end = end[0];
      if (!group.channels.empty()) groups.push_back(std::move(group));
    }
  }
  return groups;
}

class AnimationReader {
 public:
  AnimationReader(const ColladaDocument& document, const ColladaNodes& nodes, ColladaSources& sources,
                  LostFeatures& lost)
      : document_(document), lost_(lost), sources_(sources), curves_(sources), targets_(document, nodes) {}

  ColladaAnimations read(const std::vector<Group>& groups) {
    for (const Group& group : groups) {
      for (const pugi::xml_node channel : group.channels) targets_.learn_order(target_of(channel));
    }
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
      if (++faults.unusable == 1) faults.first = "'" + short_name(target_of(channel)) + "' the first: " + read.fault;
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
    const size_t width = read.fault.empty() ? curve.width() : 16;
    ColladaChannel found{curve};
    if (const auto target = targets_.find(name, width)) {
      found.element = target->element, found.transform = target->transform;
      found.first = target->first, found.count = target->count;
    } else if (!find_weights(name, width, found)) {
      read.is_lost = true;
      lost_.add(kLostChannels, name);
    }
    if (!read.is_lost && read.fault.empty()) {
      read.channel = uint32_t(result_.channels.size());
      read.is_curved_matrix = !found.morph && found.count == 16 && is_curved(curve);
      result_.channels.push_back(std::move(found));
    }
    reads_.push_back(std::move(read));
    return int64_t(reads_.size()) - 1;
  }

  static bool is_curved(const ColladaCurve& curve) {
    const auto& kinds = curve.interpolations->kinds;
    return std::any_of(kinds.begin(), kinds.end(), [](ColladaInterpolation kind) {
      return kind == ColladaInterpolation::kBezier || kind == ColladaInterpolation::kHermite;
    });
  }

  /// The weights of a morph controller that a target names: "weights(2)", "weights", where that is the id of a source
  /// or of its array; or below the controller, "controller/weights(2)".
  bool find_weights(std::string_view target, size_t width, ColladaChannel& found) const {
    pugi::xml_node element = document_.with_id(target.substr(0, target.find_first_of("(/.")));
    for (int up = 0; up < 2 && element && !is_named(element, "controller"); ++up) {
      if (is_named(element, "morph")) break;
      element = element.parent();
    }
    found.morph = is_named(element, "controller") ? element.child("morph") : element;
    if (!is_named(found.morph, "morph")) return false;
    const size_t selection = target.find('(');
    const size_t shapes = sources_.input(found.morph.child("targets"), "MORPH_TARGET")->words.size();
    if (selection == target.npos) {
      found.count = uint32_t(std::min(shapes, width));
      return found.count > 0;
    }
    const std::vector<uint32_t> indices = indices_in(target.substr(selection));
    if (indices.size() != 1 || indices[0] >= shapes || width == 0) return false;
    found.first = indices[0], found.count = 1;
    return true;
  }

  const ColladaDocument& document_;
  LostFeatures& lost_;
  ColladaSources& sources_;
  ColladaCurveReader curves_;
  ColladaTargets targets_;
  ColladaAnimations result_;
  std::vector<Read> reads_;
  std::unordered_map<size_t, int64_t> known_;  // an index in reads_, by the hash of the channel
};

}  // namespace

ColladaAnimations read_animations(const ColladaDocument& document, const ColladaNodes& nodes, ColladaSources& sources,
                                  LostFeatures& lost) {
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
  return AnimationReader(document, nodes, sources, lost).read(groups);
}

}  // namespace sinew::internal
