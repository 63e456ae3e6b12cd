#include "influences.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "failure.h"

namespace sinew::internal {

bool PaletteBuilder::Less::operator()(const PaletteEntry& a, const PaletteEntry& b) const {
  if (a.joint != b.joint) return a.joint < b.joint;
  return std::memcmp(&a.joint_from_mesh, &b.joint_from_mesh, sizeof(a.joint_from_mesh)) < 0;
}

uint16_t PaletteBuilder::entry(const PaletteEntry& entry) {
  const auto [found, is_new] = entries_.try_emplace(entry, uint16_t(entries_.size()));
  if (is_new && entries_.size() > 65536) {
    fail("its skins have more than 65536 joints with their bind matrices", ErrorCode::kUnsupported);
  }
  return found->second;
}

Skin PaletteBuilder::finish(std::vector<Influence>& influences) const {
  Skin skin;
  std::vector<uint16_t> new_entry(entries_.size());
  for (const auto& [skin_joint, entry] : entries_) {
    new_entry[entry] = uint16_t(skin.entries.size());
    skin.entries.push_back(skin_joint);
  }
  for (Influence& influence : influences) influence.entry = new_entry[influence.entry];
  return skin;
}

namespace {

/// Whether an inverse bind matrix says anything. Exporters that do not know it write zeros.
bool is_usable(const Matrix3x4d& matrix) {
  const auto is_zero = [](const auto& row) { return row[0] == 0 && row[1] == 0 && row[2] == 0; };
  return is_finite(matrix) && !std::all_of(std::begin(matrix.m), std::end(matrix.m), is_zero);
}

/// Looks up palette entries for one use of a mesh. Each joint of the skin is added to the palette at its first use.
class EntryLookup {
 public:
  EntryLookup(const Scene& scene, const SceneMeshUse& use, const Joints& joints, PaletteBuilder& palette,
              ImportReport& report)
      : skin_(use.skin < 0 ? nullptr : &scene.skins[size_t(use.skin)]),
        use_(use),
        joints_(joints),
        palette_(palette),
        report_(report),
        entries_(skin_ == nullptr ? 0 : skin_->nodes.size(), -1) {}

  uint16_t of_node() {
    if (node_entry_ < 0)
      node_entry_ = palette_.entry({joints_.joint_of[use_.node], joints_.joint_from_node[use_.node]});
    return uint16_t(node_entry_);
  }

  uint16_t of_joint(uint32_t index) {
    int32_t& entry = entries_[index];
    if (entry < 0) entry = palette_.entry(skin_joint(index));
    return uint16_t(entry);
  }

  /// Of a vertex of a skinned mesh that has no weight.
  uint16_t without_weight(const SceneMesh& mesh, size_t vertex) {
    if (!mesh.weightless_follow_first_joint || mesh.first_influence[vertex] == mesh.first_influence[vertex + 1])
      return of_node();
    const uint32_t joint = mesh.influences[mesh.first_influence[vertex]].joint;
    return of_joint(joint < entries_.size() ? joint : 0);
  }

 private:
  PaletteEntry skin_joint(uint32_t index) {
    const uint32_t node = skin_->nodes[index];
    PaletteEntry result{joints_.joint_of[node], skin_->joint_from_mesh[index]};
    if (is_usable(result.joint_from_mesh)) return result;
    result.joint_from_mesh = inverse(joints_.model_from_node[node]) * joints_.model_from_node[use_.node];
    ++report_.computed_inverse_binds;
    return result;
  }

  const SceneSkin* skin_;
  const SceneMeshUse& use_;
  const Joints& joints_;
  PaletteBuilder& palette_;
  ImportReport& report_;
  std::vector<int32_t> entries_;
  int32_t node_entry_ = -1;
};

/// Merges influences of the same entry by adding their weights, and sorts the heaviest first.
void merge_and_sort(std::vector<Influence>& influences) {
  std::stable_sort(influences.begin(), influences.end(), [](Influence a, Influence b) { return a.entry < b.entry; });
  size_t kept = 0;
  for (size_t i = 0; i < influences.size(); ++i) {
    if (kept > 0 && influences[kept - 1].entry == influences[i].entry) {
      influences[kept - 1].weight += influences[i].weight;
    } else {
      influences[kept++] = influences[i];
    }
  }
  influences.resize(kept);
  std::stable_sort(influences.begin(), influences.end(), [](Influence a, Influence b) { return a.weight > b.weight; });
}

double sum_of(const std::vector<Influence>& influences) {
  double sum = 0;
  for (const Influence influence : influences) sum += influence.weight;
  return sum;
}

/// Merges, sorts, limits and normalizes the influences of one vertex. The report counts the vertices that change.
void limit_and_normalize(std::vector<Influence>& influences, uint32_t max_influences, ImportReport& report) {
  merge_and_sort(influences);
  const double sum = sum_of(influences);
  if (std::abs(sum - 1) > 1e-4) ++report.normalized_vertices;
  if (max_influences > 0 && influences.size() > max_influences) {
    influences.resize(max_influences);
    ++report.limited_vertices;
    report.largest_lost_weight = std::max(report.largest_lost_weight, 1 - sum_of(influences) / sum);
  }
  const double kept = sum_of(influences);
  for (Influence& influence : influences) influence.weight = float(influence.weight / kept);
  while (influences.back().weight == 0) influences.pop_back();  // weights that round to 0
}

}  // namespace

void append_influences(const Scene& scene, const SceneMeshUse& use, const Joints& joints, uint32_t max_influences,
                       PaletteBuilder& palette, Mesh& mesh, ImportReport& report) {
  const SceneMesh& source = scene.meshes[use.mesh];
  const bool skinned = use.skin >= 0;
  EntryLookup entries(scene, use, joints, palette, report);
  std::vector<Influence> influences;
  for (size_t v = 0; v < source.positions.size(); ++v) {
    influences.clear();
    if (skinned && !source.first_influence.empty()) {
      for (uint32_t i = source.first_influence[v]; i < source.first_influence[v + 1]; ++i) {
        const SceneInfluence& influence = source.influences[i];
        const bool counts = influence.weight > 0 && std::isfinite(influence.weight);
        if (counts) influences.push_back({entries.of_joint(influence.joint), influence.weight});
      }
    }
    if (influences.empty()) {
      report.unmoved_vertices += skinned;
      influences.push_back({skinned ? entries.without_weight(source, v) : entries.of_node(), 1});
    }
    limit_and_normalize(influences, max_influences, report);
    mesh.influences.insert(mesh.influences.end(), influences.begin(), influences.end());
    mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
  }
}

void warn_of_bad_weights(const Scene& scene, ImportReport& report) {
  std::vector<bool> skinned(scene.meshes.size());
  for (const SceneMeshUse& use : scene.uses) skinned[use.mesh] = skinned[use.mesh] || use.skin >= 0;
  uint32_t negative = 0, not_finite = 0;
  for (size_t mesh = 0; mesh < skinned.size(); ++mesh) {
    if (!skinned[mesh]) continue;
    for (const SceneInfluence& influence : scene.meshes[mesh].influences) {
      negative += influence.weight < 0 && std::isfinite(influence.weight);
      not_finite += !std::isfinite(influence.weight);
    }
  }
  const auto warn = [&](uint32_t count, const char* what) {
    if (count == 0) return;
    const std::string weights = count == 1 ? " weight of a joint is " : " weights of joints are ";
    report.warnings.push_back(std::to_string(count) + weights + what + ", left out");
  };
  warn(negative, "negative"), warn(not_finite, "not finite");
}

void limit_influences(Mesh& mesh, uint32_t max_influences, ImportReport& report) {
  std::vector<Influence> influences, kept;
  std::vector<uint32_t> first;
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    const auto all = mesh.influences_of(v);
    influences.assign(all.begin(), all.end());
    if (influences.size() > max_influences) limit_and_normalize(influences, max_influences, report);
    first.push_back(uint32_t(kept.size()));
    kept.insert(kept.end(), influences.begin(), influences.end());
  }
  first.push_back(uint32_t(kept.size()));
  mesh.first_influence = std::move(first);
  mesh.influences = std::move(kept);
}

}  // namespace sinew::internal
