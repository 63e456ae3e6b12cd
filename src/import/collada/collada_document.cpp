#include "collada/collada_document.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "failure.h"

namespace sinew::internal {
namespace {

constexpr uint32_t kMaxElementDepth = 12000;  // a little more than the nodes of a scene may be deep

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

}  // namespace

ColladaDocument::ColladaDocument(std::vector<uint8_t> bytes) : bytes_(std::move(bytes)) {
  if (!xml_.load_buffer_inplace(bytes_.data(), bytes_.size())) return;
  for_each_element(xml_, [&](pugi::xml_node node, uint32_t depth) {
    require(depth <= kMaxElementDepth,
            [] { return "its XML is more than " + std::to_string(kMaxElementDepth) + " deep"; });
    if (const pugi::xml_attribute id = node.attribute("id")) by_id_.try_emplace(id.value(), node);
  });
  root_ = xml_.child("COLLADA");
}

pugi::xml_node ColladaDocument::with_id(std::string_view id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? pugi::xml_node() : found->second;
}

pugi::xml_node ColladaDocument::at(std::string_view address) const {
  return address.starts_with('#') ? with_id(address.substr(1)) : pugi::xml_node();
}

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> numbers;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    if (word.front() == '+') word.remove_prefix(1);
    double number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (end != word.data() + word.size()) break;
    if (error == std::errc::invalid_argument) break;
    numbers.push_back(number);  // one that is out of range stays 0 or huge: both do no harm
  }
  return numbers;
}

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) words.push_back(word);
  return words;
}

uint64_t whole_number(pugi::xml_attribute attribute, uint64_t fallback) {
  const std::string_view text = attribute.value();
  uint64_t number = fallback;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

namespace {

constexpr size_t kMaxNodes = size_t(1) << 20;

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

}  // namespace

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

ColladaNodes::ColladaNodes(const ColladaDocument& document) {
  const pugi::xml_node root = document.root();
  for (const pugi::xml_node library : root.children()) {
    if (!is_named(library, "library_nodes") && !is_named(library, "library_visual_scenes")) continue;
    for (const pugi::xml_node node : library.children()) {
      if (is_named(node, "node") || is_named(node, "visual_scene")) library_[node.attribute("id").value()] = node;
    }
  }
  const std::string_view address = root.child("scene").child("instance_visual_scene").attribute("url").value();
  if (!address.starts_with('#')) return;
  const auto found = library_.find(std::string(address.substr(1)));
  if (found == library_.end()) return;
  scene_ = found->second;
  for_each_element(scene_, [&](pugi::xml_node node, uint32_t) {
    if (!is_named(node, "node")) return;
    for (const char* attribute : {"id", "name"}) named_.try_emplace(node.attribute(attribute).value(), node);
  });
  walk();
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
  element.name = node.attribute("id").value();
  if (element.name.empty()) element.name = node.attribute("sid").value();
  for (const pugi::xml_node child : node.children()) {
    const std::optional<ColladaPlacement> kind = placement(child.name());
    if (!kind) continue;
    place_of_[child.hash_value()] = {found->second, uint32_t(element.transforms.size())};
    element.transforms.push_back(read_transform(*kind, child));
  }
  return found->second;
}

/// A node of a library. A node of the scene, by name or id, if no library has it: so does Assimp.
pugi::xml_node ColladaNodes::instanced(const char* address) const {
  if (address[0] != '#') return {};
  if (const auto found = library_.find(address + 1); found != library_.end()) return found->second;
  const auto found = named_.find(address + 1);
  return found == named_.end() ? pugi::xml_node() : found->second;
}

void ColladaNodes::walk() {
  struct Visit {
    pugi::xml_node node;  // empty: the instance that ends here is left
    size_t instance = 0;  // the hash of the instanced node that this visit begins or ends; 0: none
  };
  std::vector<Visit> pending = {{scene_}};
  std::unordered_map<size_t, bool> is_open = {{scene_.hash_value(), true}};
  while (!pending.empty()) {
    const Visit visit = pending.back();
    pending.pop_back();
    if (!visit.node) {
      is_open[visit.instance] = false;
      continue;
    }
    require(nodes_.size() < kMaxNodes, [] { return "it has more than " + std::to_string(kMaxNodes) + " nodes"; });
    nodes_.push_back({add_element(visit.node)});
    // A node is open while the nodes below it are visited.
    const size_t hash = visit.node.hash_value();
    require(visit.instance == 0 || !is_open[hash],
            [&] { return "node '" + std::string(visit.node.attribute("id").value()) + "' is an instance of itself"; });
    is_open[hash] = true;
    pending.push_back({{}, hash});
    std::vector<Visit> below;
    for (const pugi::xml_node child : visit.node.children("node")) below.push_back({child});
    for (const pugi::xml_node instance : visit.node.children("instance_node")) {
      const pugi::xml_node node = instanced(instance.attribute("url").value());
      if (node) below.push_back({node, node.hash_value()});
    }
    pending.insert(pending.end(), below.rbegin(), below.rend());
  }
}

}  // namespace sinew::internal
