#include "collada/collada_target.h"

#include <algorithm>
#include <charconv>

namespace sinew::internal {
namespace {

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

/// The number of a matrix, by rows, that "(column)(row)" or "(index)" names. The last row never moves: an index in it
/// is from a writer who counts the other way.
uint32_t index_in_matrix(const std::vector<uint32_t>& indices) {
  const uint32_t column = indices.size() == 2 ? indices[0] : indices[0] % 4;
  const uint32_t row = indices.size() == 2 ? indices[1] : indices[0] / 4;
  return row == 3 ? column * 4 + row : row * 4 + column;
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
bool choose_numbers(std::string_view selection, size_t width, ColladaPlacement kind, ColladaTarget& target) {
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
    target.first = kind == ColladaPlacement::kMatrix ? index_in_matrix(indices) : indices[0];
  }
  return target.first + target.count <= all && target.count <= width;
}

}  // namespace

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

std::optional<ColladaTarget> ColladaTargets::find(std::string_view target, size_t width) {
  const size_t slash = target.find('/');
  if (slash == target.npos) return std::nullopt;
  pugi::xml_node found = document_.with_id(target.substr(0, slash));
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
  if (!choose_numbers(target.substr(selection), width, kind, result)) return std::nullopt;
  return result;
}

}  // namespace sinew::internal
