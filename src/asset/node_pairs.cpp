#include "node_pairs.h"

#include <algorithm>
#include <unordered_map>

namespace sinew::internal {
namespace {

constexpr size_t kMaxWays = 1 << 16;     // of one name, to be looked at
constexpr uint32_t kMaxEqualAbove = 32;  // names above a node that are compared
constexpr uint32_t kMaxNamesOfPath = 8;  // in a message

bool is_a_name(std::string_view name) {
  if (name.empty()) return false;
  if (!name.starts_with("node_") || name.size() == 5) return true;
  return !std::all_of(name.begin() + 5, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool any_joint(const NamedNodes& nodes) { return std::ranges::find(nodes.is_joint, true) != nodes.is_joint.end(); }

/// The names of a node and of those above it, for people.
std::string path_of_node(const NamedNodes& nodes, uint32_t node) {
  std::string path(nodes.names[node]);
  uint32_t names = 1;
  for (int32_t above = nodes.parents[node]; above >= 0; above = nodes.parents[size_t(above)]) {
    if (++names > kMaxNamesOfPath) return ".../" + path;
    path = std::string(nodes.names[size_t(above)]) + "/" + path;
  }
  return path;
}

using NodeList = std::vector<uint32_t>;

/// One way to pair two nodes of a name.
struct Way {
  uint32_t from = 0, to = 0;
  uint32_t equal_above = 0;  // consecutive ancestors with equal names, and one more if both paths end there
};

class Pairing {
 public:
  Pairing(const NamedNodes& from, const std::vector<bool>& wanted, const NamedNodes& to)
      : from_(from), to_(to), wanted_(wanted), from_has_joints_(any_joint(from)), to_has_joints_(any_joint(to)) {
    pairs_.to_of_from.assign(from.names.size(), -1);
    is_taken_.resize(to.names.size());
  }

  NodePairs run() && {
    pair_names();
    pair_nameless();
    return std::move(pairs_);
  }

 private:
  struct Group {
    NodeList from, to;
  };

  /// Ancestors of nameless nodes pair too: the nameless are found below them.
  std::vector<bool> needed() const {
    std::vector<bool> needed = wanted_;
    std::vector<bool> above_nameless(needed.size());
    for (size_t node = needed.size(); node-- > 0;) {
      const int32_t parent = from_.parents[node];
      const bool looks_up = above_nameless[node] || (wanted_[node] && !is_a_name(from_.names[node]));
      if (above_nameless[node]) needed[node] = true;
      if (looks_up && parent >= 0) above_nameless[size_t(parent)] = true;
    }
    return needed;
  }

  void pair_names() {
    std::unordered_map<std::string_view, Group> groups;
    const std::vector<bool> needed = this->needed();
    for (uint32_t node = 0; node < from_.names.size(); ++node) {
      if (needed[node] && is_a_name(from_.names[node])) groups[from_.names[node]].from.push_back(node);
    }
    for (uint32_t node = 0; node < to_.names.size(); ++node) {
      if (const auto found = groups.find(to_.names[node]); found != groups.end()) found->second.to.push_back(node);
    }
    for (uint32_t node = 0; node < from_.names.size(); ++node) {  // in the order of the file, for its messages
      const auto found = groups.find(from_.names[node]);
      if (found != groups.end() && found->second.from.front() == node) pair(found->second);
    }
  }

  void pair(const Group& group) {
    const bool own = from_has_joints_, others = to_has_joints_;
    const auto joints = [](const NamedNodes& nodes, const NodeList& list, bool has_joints) {
      NodeList found;
      for (const uint32_t node : list)
        if (!has_joints || nodes.is_joint[node]) found.push_back(node);
      return found;
    };
    const NodeList from_joints = joints(from_, group.from, own), to_joints = joints(to_, group.to, others);
    if (!pair(from_joints, to_joints)) return;
    if (!pair(group.from, to_joints)) return;
    pair(group.from, group.to);
  }

  bool is_free(const Way& way) const { return pairs_.to_of_from[way.from] < 0 && !is_taken_[way.to]; }

  /// False, with a line, if there are several ways.
  bool pair(const NodeList& from, const NodeList& to) {
    if (from.size() * to.size() > kMaxWays) return tell(from, to), false;
    std::vector<Way> ways;
    for (const uint32_t a : from) {
      for (const uint32_t b : to) {
        if (const Way way{a, b, equal_above(a, b)}; is_free(way)) ways.push_back(way);
      }
    }
    std::ranges::stable_sort(ways, [](const Way& a, const Way& b) { return a.equal_above > b.equal_above; });
    for (size_t begin = 0, end = 0; begin < ways.size(); begin = end) {
      while (end < ways.size() && ways[end].equal_above == ways[begin].equal_above) ++end;
      if (!pair_equal({ways.begin() + std::ptrdiff_t(begin), ways.begin() + std::ptrdiff_t(end)})) return false;
    }
    return true;
  }

  /// Of ways that have as many equal names.
  bool pair_equal(std::vector<Way> ways) {
    std::erase_if(ways, [&](const Way& way) { return !is_free(way); });
    NodeList from, to;
    for (const Way& way : ways) from.push_back(way.from), to.push_back(way.to);
    const auto make_unique = [](NodeList& list) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    };
    make_unique(from), make_unique(to);
    const bool is_clear = ways.size() == from.size() && ways.size() == to.size();
    if (!is_clear && !(from.size() == to.size() && are_siblings(from_, from) && are_siblings(to_, to)))
      return tell(from, to), false;
    if (is_clear)
      for (const Way& way : ways) take(way.from, way.to);
    else
      for (size_t i = 0; i < from.size(); ++i) take(from[i], to[i]);
    return true;
  }

  static bool are_siblings(const NamedNodes& nodes, const NodeList& list) {
    return std::ranges::all_of(list, [&](uint32_t node) { return nodes.parents[node] == nodes.parents[list.front()]; });
  }

  void take(uint32_t from, uint32_t to) {
    pairs_.to_of_from[from] = int32_t(to);
    is_taken_[to] = true;
  }

  uint32_t equal_above(uint32_t a, uint32_t b) const {
    uint32_t count = 0;
    int32_t above_a = from_.parents[a], above_b = to_.parents[b];
    while (count < kMaxEqualAbove && above_a >= 0 && above_b >= 0 &&
           from_.names[size_t(above_a)] == to_.names[size_t(above_b)]) {
      ++count;
      above_a = from_.parents[size_t(above_a)], above_b = to_.parents[size_t(above_b)];
    }
    return count + (above_a < 0 && above_b < 0);
  }

  void tell(const NodeList& from, const NodeList& to) {
    if (std::none_of(from.begin(), from.end(), [&](uint32_t node) { return wanted_[node]; })) return;
    const bool twice_here = to.size() > 1;
    const NamedNodes& nodes = twice_here ? to_ : from_;
    const NodeList& list = twice_here ? to : from;
    pairs_.ambiguous.push_back("'" + std::string(nodes.names[list[0]]) + "' may be '" + path_of_node(nodes, list[0]) +
                               "' or '" + path_of_node(nodes, list[1]) + "'");
  }

  void pair_nameless() {
    const std::vector<NodeList> own = nameless_below(from_), others = nameless_below(to_);
    for (size_t place = 0; place < own.size(); ++place) {  // parents come first
      const int32_t other = place == 0 ? -1 : pairs_.to_of_from[place - 1];
      if (own[place].empty() || (place > 0 && other < 0)) continue;
      const NodeList& same = others[size_t(other + 1)];
      if (own[place].size() != same.size()) continue;
      for (size_t i = 0; i < same.size(); ++i) take(own[place][i], same[i]);
    }
  }

  /// First those without a parent, then those below each node.
  static std::vector<NodeList> nameless_below(const NamedNodes& nodes) {
    std::vector<NodeList> below(nodes.names.size() + 1);
    for (uint32_t node = 0; node < nodes.names.size(); ++node) {
      const bool is_mesh = !nodes.holds_meshes.empty() && nodes.holds_meshes[node];
      if (!is_a_name(nodes.names[node]) && !is_mesh) below[size_t(nodes.parents[node] + 1)].push_back(node);
    }
    return below;
  }

  const NamedNodes &from_, &to_;
  const std::vector<bool>& wanted_;
  bool from_has_joints_, to_has_joints_;
  NodePairs pairs_;
  std::vector<bool> is_taken_;
};

}  // namespace

NodePairs pair_nodes(const NamedNodes& from, const std::vector<bool>& wanted, const NamedNodes& to) {
  return Pairing(from, wanted, to).run();
}

}  // namespace sinew::internal
