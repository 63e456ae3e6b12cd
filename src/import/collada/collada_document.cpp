#include "collada/collada_document.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "asset/one_line.h"
#include "asset/read_number.h"
#include "failure.h"

namespace sinew::internal {
namespace {

constexpr uint32_t kMaxElementDepth = 12000;  // of elements in each other, and of nodes with their instances

constexpr std::string_view kSpace = " \t\r\n\f\v";

/// Takes the next word off `text`. Empty at its end.
std::string_view next_word(std::string_view& text) {
  const size_t start = text.find_first_not_of(kSpace);
  if (start == text.npos) return {};
  const size_t end = std::min(text.find_first_of(kSpace, start), text.size());
  const std::string_view word = text.substr(start, end - start);
  text.remove_prefix(end);
  return word;
}

/// Comments divide a text: it becomes one again.
void join_texts(pugi::xml_node element) {
  pugi::xml_node first = element.first_child(), next = first.next_sibling();
  if (first.type() != pugi::node_pcdata || !next || next.type() != pugi::node_pcdata) return;
  std::string text = first.value();
  while (next && next.type() == pugi::node_pcdata) {
    text += next.value();
    element.remove_child(next);
    next = first.next_sibling();
  }
  first.set_value(text.c_str());
}

/// The value of a word; `wrong` if it has none. A real number that is out of range is 0: it does no harm.
template <class Number>
Number value_of(std::string_view word, Number wrong) {
  if (word.starts_with('+')) word.remove_prefix(1);
  Number value{};
  const auto [end, error] = read_number(word.data(), word.data() + word.size(), value);
  const bool is_harmless = std::is_floating_point_v<Number> && error == std::errc::result_out_of_range;
  return end == word.data() + word.size() && (error == std::errc() || is_harmless) ? value : wrong;
}

/// Some exporters write numbers as their country does: "1,5".
double value_with_comma(std::string_view word) {
  std::string point(word);
  const size_t comma = point.find(',');
  if (comma == point.npos) return NAN;
  point[comma] = '.';
  return value_of<double>(point, NAN);
}

constexpr size_t kMaxNodes = size_t(1) << 20, kMaxJointVisits = size_t(1) << 24;
constexpr size_t kMaxNameWords = 16;  // of a name with blanks

std::optional<ColladaPlacement> placement(std::string_view name) {
  constexpr std::string_view kNames[] = {"matrix", "translate", "rotate", "scale", "lookat", "skew"};
  const auto found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames)) return std::nullopt;
  return ColladaPlacement(found - std::begin(kNames));
}

struct Axis {
  double x = 0, y = 0, z = 0;
};

Axis unit(Axis a) {
  const double size = std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
  return size > 0 ? Axis{a.x / size, a.y / size, a.z / size} : Axis{};
}

Axis cross(Axis a, Axis b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

/// Rodrigues' formula.
Matrix3x4d rotation(Axis axis, double degrees) {
  const auto [x, y, z] = unit(axis);
  const double angle = degrees * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle), d = 1 - c;
  return {{{x * x * d + c, x * y * d - z * s, x * z * d + y * s, 0},
           {y * x * d + z * s, y * y * d + c, y * z * d - x * s, 0},
           {z * x * d - y * s, z * y * d + x * s, z * z * d + c, 0}}};
}

/// A viewer at `eye` looks along its negative z axis.
Matrix3x4d look(Axis eye, Axis target, Axis up) {
  const Axis z = unit({eye.x - target.x, eye.y - target.y, eye.z - target.z});
  const Axis x = unit(cross(up, z)), y = cross(z, x);
  return {{{x.x, y.x, z.x, eye.x}, {x.y, y.y, z.y, eye.y}, {x.z, y.z, z.z, eye.z}}};
}

/// Numbers that are missing are 0.
ColladaTransform read_transform(ColladaPlacement kind, pugi::xml_node element) {
  ColladaTransform transform{kind, {}};
  const std::vector<double> numbers = numbers_in(element.text().get());
  std::copy_n(numbers.begin(), std::min(numbers.size(), number_count(kind)), transform.numbers.begin());
  return transform;
}

pugi::xml_node shown_scene(const ColladaDocument& document) {
  const pugi::xml_node root = document.root();
  const char* address = root.child("scene").child("instance_visual_scene").attribute("url").value();
  if (const pugi::xml_node scene = document.at(address, {"visual_scene"})) return scene;
  return root.child("library_visual_scenes").child("visual_scene");
}

}  // namespace

ColladaDocument::ColladaDocument(std::vector<uint8_t> bytes) : bytes_(std::move(bytes)) {
  const pugi::xml_parse_result parsed = xml_.load_buffer_inplace(bytes_.data(), bytes_.size());
  require(bool(parsed), [&] {
    return "its XML is malformed at byte " + std::to_string(parsed.offset) + ": " + parsed.description();
  });
  root_ = xml_.child("COLLADA");
  require(bool(root_), [] { return "it is XML, but no COLLADA"; });
  for_each_element(xml_, [&](pugi::xml_node node, uint32_t depth) {
    require(depth <= kMaxElementDepth,
            [] { return "its XML is more than " + std::to_string(kMaxElementDepth) + " deep"; });
    join_texts(node);
    if (const pugi::xml_attribute id = node.attribute("id")) by_id_.emplace_back(id.value(), node);
  });
  std::stable_sort(by_id_.begin(), by_id_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto is_hidden = [](const auto& a, const auto& b) {
    return a.first == b.first && std::string_view(a.second.name()) == b.second.name();
  };
  by_id_.erase(std::unique(by_id_.begin(), by_id_.end(), is_hidden), by_id_.end());
}

pugi::xml_node ColladaDocument::with_id(std::string_view id, Kinds kinds) const {
  const auto is_before = [](const auto& entry, std::string_view name) { return entry.first < name; };
  for (auto at = std::lower_bound(by_id_.begin(), by_id_.end(), id, is_before); at != by_id_.end(); ++at) {
    if (at->first != id) break;
    if (kinds.size() == 0 || std::find(kinds.begin(), kinds.end(), at->second.name()) != kinds.end()) return at->second;
  }
  return {};
}

pugi::xml_node ColladaDocument::at(std::string_view address, Kinds kinds) const {
  return address.starts_with('#') ? with_id(address.substr(1), kinds) : pugi::xml_node();
}

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> numbers;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    const double number = value_of<double>(word, NAN);
    numbers.push_back(std::isnan(number) ? value_with_comma(word) : number);
  }
  return numbers;
}

std::vector<int64_t> integers_in(std::string_view text) {
  std::vector<int64_t> integers;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text))
    integers.push_back(value_of<int64_t>(word, INT64_MIN));
  return integers;
}

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) words.push_back(word);
  return words;
}

std::string short_name(std::string_view text) { return std::string(whole_characters(text, 256)); }

uint64_t whole_number(pugi::xml_attribute attribute, uint64_t fallback) {
  const std::string_view text = attribute.value();
  uint64_t number = fallback;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

size_t number_count(ColladaPlacement kind) {
  constexpr size_t kCounts[] = {16, 3, 4, 3, 9, 7};
  return kCounts[size_t(kind)];
}

Matrix3x4d matrix_of(ColladaPlacement kind, const std::array<double, 16>& n) {
  switch (kind) {
    case ColladaPlacement::kMatrix:
      return {{{n[0], n[1], n[2], n[3]}, {n[4], n[5], n[6], n[7]}, {n[8], n[9], n[10], n[11]}}};
    case ColladaPlacement::kTranslate:
      return {{{1, 0, 0, n[0]}, {0, 1, 0, n[1]}, {0, 0, 1, n[2]}}};
    case ColladaPlacement::kRotate:
      return rotation({n[0], n[1], n[2]}, n[3]);
    case ColladaPlacement::kScale:
      return {{{n[0], 0, 0, 0}, {0, n[1], 0, 0}, {0, 0, n[2], 0}}};
    case ColladaPlacement::kLookat:
      return look({n[0], n[1], n[2]}, {n[3], n[4], n[5]}, {n[6], n[7], n[8]});
    case ColladaPlacement::kSkew:
      break;
  }
  return {};
}

ColladaNodes::ColladaNodes(const ColladaDocument& document) : document_(document) {
  const pugi::xml_node scene = shown_scene(document);
  require(bool(scene), [] { return "it has no scene"; });
  for_each_element(scene, [&](pugi::xml_node node, uint32_t) {
    if (!is_named(node, "node")) return;
    for (const char* attribute : {"id", "name"}) {
      if (const pugi::xml_attribute own = node.attribute(attribute)) named_.try_emplace(own.value(), node);
    }
  });
  walk(scene);
  add_skeletons();
}

/// Walks the top nodes of the skeletons that the scene's meshes name, and that it does not have.
void ColladaNodes::add_skeletons() {
  for (size_t element = 0; element < elements_.size(); ++element) {
    for (const pugi::xml_node instance : elements_[element].xml.children("instance_controller")) {
      for (const pugi::xml_node skeleton : instance.children("skeleton")) {
        const std::vector<std::string_view> address = words_in(skeleton.text().get());
        pugi::xml_node top = address.empty() ? pugi::xml_node() : document_.at(address[0], {"node"});
        if (!top || index_of_.contains(top.hash_value())) continue;
        while (is_named(top.parent(), "node")) top = top.parent();
        walk(top);
      }
    }
  }
}

std::vector<std::string> ColladaNodes::names_in(std::span<const std::string_view> words, size_t count) const {
  if (words.size() <= count) return {words.begin(), words.end()};
  std::vector<std::string> names;
  for (size_t i = 0; i < words.size();) {
    std::string name, longest(words[i]);
    size_t used = 1;
    for (size_t k = i; k < std::min(words.size(), i + kMaxNameWords); ++k) {
      (name += k == i ? "" : " ") += words[k];
      if (long_names_.contains(name)) longest = name, used = k + 1 - i;
    }
    names.push_back(std::move(longest));
    i += used;
  }
  return names;
}

std::optional<std::pair<uint32_t, uint32_t>> ColladaNodes::place_of(pugi::xml_node transform) const {
  const auto found = place_of_.find(transform.hash_value());
  if (found == place_of_.end()) return std::nullopt;
  return found->second;
}

uint32_t ColladaNodes::add_element(pugi::xml_node node) {
  const auto [found, is_new] = index_of_.try_emplace(node.hash_value(), uint32_t(elements_.size()));
  if (!is_new) return found->second;
  ColladaElement& element = elements_.emplace_back();
  nodes_of_.emplace_back();
  element.xml = node;
  for (const char* attribute : {"id", "sid", "name"}) {
    const std::string_view name = node.attribute(attribute).value();
    if (element.name.empty()) element.name = short_name(name);
    if (name.find(' ') != name.npos) long_names_.insert(name);
  }
  for (const pugi::xml_node child : node.children()) {
    const std::optional<ColladaPlacement> kind = placement(child.name());
    if (!kind) continue;
    place_of_[child.hash_value()] = {found->second, uint32_t(element.transforms.size())};
    element.transforms.push_back(read_transform(*kind, child));
  }
  return found->second;
}

/// Some exporters name nodes of the scene by their name.
pugi::xml_node ColladaNodes::instanced(const char* address) const {
  if (address[0] != '#' || address[1] == 0) return {};
  if (const pugi::xml_node node = document_.at(address, {"node"})) return node;
  const auto found = named_.find(address + 1);
  return found == named_.end() ? pugi::xml_node() : found->second;
}

void ColladaNodes::walk(pugi::xml_node root) {
  struct Visit {
    pugi::xml_node node;  // empty: the node `parent` ends here
    int32_t parent = -1;
  };
  std::vector<Visit> pending = {{root}};
  std::vector<uint32_t> depths(nodes_.size());
  std::unordered_map<size_t, bool> is_open;  // a node is open while the nodes below it are visited
  while (!pending.empty()) {
    const Visit visit = pending.back();
    pending.pop_back();
    if (!visit.node) {
      ColladaNode& done = nodes_[size_t(visit.parent)];
      done.end = uint32_t(nodes_.size());
      is_open[elements_[done.element].xml.hash_value()] = false;
      continue;
    }
    require(nodes_.size() < kMaxNodes, [] { return "it has more than " + std::to_string(kMaxNodes) + " nodes"; });
    require(!is_open[visit.node.hash_value()],
            [&] { return "node '" + std::string(visit.node.attribute("id").value()) + "' is an instance of itself"; });
    is_open[visit.node.hash_value()] = true;
    const auto index = int32_t(nodes_.size());
    nodes_.push_back({add_element(visit.node), visit.parent});
    depths.push_back(visit.parent < 0 ? 0 : depths[size_t(visit.parent)] + 1);
    require(depths.back() <= kMaxElementDepth,
            [] { return "its nodes are more than " + std::to_string(kMaxElementDepth) + " deep"; });
    nodes_of_[nodes_.back().element].push_back(uint32_t(index));
    pending.push_back({{}, index});
    std::vector<Visit> below;
    for (const pugi::xml_node child : visit.node.children("node")) below.push_back({child, index});
    for (const pugi::xml_node instance : visit.node.children("instance_node")) {
      if (const pugi::xml_node node = instanced(instance.attribute("url").value())) below.push_back({node, index});
    }
    pending.insert(pending.end(), below.rbegin(), below.rend());
  }
}

std::optional<uint32_t> ColladaNodes::node_of(pugi::xml_node element, uint32_t from) const {
  const auto index = index_of_.find(element.hash_value());
  if (!element || index == index_of_.end()) return std::nullopt;
  const std::vector<uint32_t>& instances = nodes_of_[index->second];
  for (auto above = int32_t(from); above >= 0; above = nodes_[size_t(above)].parent) {
    const auto first = std::lower_bound(instances.begin(), instances.end(), uint32_t(above));
    if (first != instances.end() && *first < nodes_[size_t(above)].end) return *first;
  }
  return instances.front();
}

void ColladaNodes::visit(size_t nodes) {
  visits_ += nodes;
  require(visits_ <= kMaxJointVisits, [] { return "its skins have too many skeletons"; });
}

/// The first node of each sid, level by level.
const ColladaNodes::BySid& ColladaNodes::sids_below(uint32_t root) {
  const auto [found, is_new] = sids_.try_emplace(root);
  if (!is_new) return found->second;
  visit(nodes_[root].end - root);
  std::vector<std::pair<uint32_t, uint32_t>> by_level;  // level, node
  std::vector<uint32_t> level(nodes_[root].end - root);
  for (uint32_t node = root; node < nodes_[root].end; ++node) {
    if (node > root) level[node - root] = level[uint32_t(nodes_[node].parent) - root] + 1;
    by_level.emplace_back(level[node - root], node);
  }
  std::sort(by_level.begin(), by_level.end());
  for (const auto& [depth, node] : by_level) {
    const pugi::xml_attribute sid = elements_[nodes_[node].element].xml.attribute("sid");
    if (sid) found->second.try_emplace(sid.value(), node);
  }
  return found->second;
}

std::optional<uint32_t> ColladaNodes::joint(std::string_view name, bool is_id, std::span<const uint32_t> roots,
                                            uint32_t from) {
  const auto by_sid = [&](uint32_t root) -> std::optional<uint32_t> {
    const BySid& sids = sids_below(root);
    const auto found = sids.find(name);
    return found == sids.end() ? std::nullopt : std::optional(found->second);
  };
  const uint32_t scene[] = {0};
  for (const uint32_t root : roots.empty() ? std::span(scene) : roots) {
    if (is_id) break;
    if (const auto found = by_sid(root)) return found;
  }
  const uint32_t near = roots.empty() ? from : roots.front();
  if (const auto found = node_of(document_.with_id(name, {"node"}), near)) return found;
  if (const auto found = by_sid(0)) return found;
  visit(elements_.size());
  const auto named = std::ranges::find_if(
      elements_, [&](const ColladaElement& element) { return name == element.xml.attribute("name").value(); });
  return named == elements_.end() ? std::nullopt : node_of(named->xml, near);
}

}  // namespace sinew::internal
