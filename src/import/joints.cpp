#include "joints.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string_view>

#include "failure.h"

namespace sinew::internal {
namespace {

bool has_keys(const SceneTracks& tracks) {
  return !tracks.translation.values.empty() || !tracks.rotation.values.empty() || !tracks.scale.values.empty();
}

/// For each node, the sum of `values` over the node and its descendants. Parents come before their children.
std::vector<uint32_t> sums_of_subtrees(const Scene& scene, std::vector<uint32_t> values) {
  for (size_t node = scene.nodes.size(); node-- > 0;) {
    if (const int32_t parent = scene.nodes[node].parent; parent >= 0) values[size_t(parent)] += values[node];
  }
  return values;
}

/// 1 for each node that a skin names, or that a clip animates, or that is a human bone, with a mesh or a skin's node at
/// or below it. In a scene without meshes, 1 for each animated node and each human bone.
std::vector<uint32_t> moving_nodes(const Scene& scene) {
  std::vector<uint32_t> moving(scene.nodes.size()), relevant(scene.nodes.size(), scene.uses.empty());
  for (const SceneMeshUse& use : scene.uses) {
    if (use.skin < 0) {
      relevant[use.node] = 1;
      continue;
    }
    for (const uint32_t node : scene.skins[size_t(use.skin)].nodes) moving[node] = relevant[node] = 1;
  }
  relevant = sums_of_subtrees(scene, std::move(relevant));
  for (const SceneClip& clip : scene.clips) {
    for (const SceneTracks& tracks : clip.tracks) {
      if (has_keys(tracks) && relevant[tracks.node] > 0) moving[tracks.node] = 1;
    }
  }
  for (size_t node = 0; node < scene.nodes.size(); ++node) {
    if (!scene.nodes[node].humanoid_name.empty() && relevant[node] > 0) moving[node] = 1;
  }
  return moving;
}

/// True if the node's matrix has shear, which the rest pose's T * R * S cannot hold.
bool is_sheared(const SceneNode& node) {
  const Matrix3x4d rest = to_matrix(node.rest);
  double largest = 0, difference = 0;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      largest = std::max(largest, std::abs(rest.m[row][column]));
      difference = std::max(difference, std::abs(rest.m[row][column] - node.parent_from_node.m[row][column]));
    }
  }
  return difference > 1e-4 * largest;
}

void add_joint(const SceneNode& node, int32_t parent, Skeleton& skeleton) {
  skeleton.joint_names.push_back(node.name);
  skeleton.parents.push_back(parent);
  skeleton.rest_pose.push_back(node.rest);
  skeleton.humanoid_names.push_back(node.humanoid_name);
}

/// Warns of duplicate names: clips of other files are matched by joint name, and masks are made by joint name.
void warn_of_duplicate_names(const Skeleton& skeleton, std::vector<std::string>& warnings) {
  std::map<std::string_view, uint32_t> counts;
  for (const std::string& name : skeleton.joint_names) ++counts[name];
  for (const auto& [name, count] : counts) {
    if (count < 2 || name.empty()) continue;
    warnings.push_back(std::to_string(count) + " joints are named '" + std::string(name) +
                       "': by name the first of them is found");
  }
}

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

Joints choose_joints(const Scene& scene, std::vector<std::string>& warnings) {
  const std::vector<uint32_t> moving = moving_nodes(scene);
  const std::vector<uint32_t> moving_below = sums_of_subtrees(scene, moving);
  uint32_t all_moving = 0;
  for (const uint32_t one : moving) all_moving += one;

  Joints joints;
  for (size_t i = 0; i < scene.nodes.size(); ++i) {
    const SceneNode& node = scene.nodes[i];
    const bool root = node.parent < 0;
    const int32_t parent = root ? kNoJoint : joints.joint_of[size_t(node.parent)];
    const Matrix3x4d model_from_parent = root ? Matrix3x4d{} : joints.model_from_node[size_t(node.parent)];
    const Matrix3x4d joint_from_parent = root ? Matrix3x4d{} : joints.joint_from_node[size_t(node.parent)];
    joints.model_from_node.push_back(model_from_parent * node.parent_from_node);

    const bool above_only_some = moving_below[i] < all_moving;  // true below a joint too: covers nodes between joints
    if (moving_below[i] == 0 || !(moving[i] || above_only_some)) {
      joints.joint_of.push_back(parent);
      joints.joint_from_node.push_back(joint_from_parent * node.parent_from_node);
      continue;
    }
    if (parent == kNoJoint) joints.skeleton.model_from_root = model_from_parent;
    if (is_sheared(node)) warnings.push_back("joint '" + node.name + "': the shear of its rest pose is lost");
    joints.joint_of.push_back(int32_t(joints.skeleton.joint_count()));
    joints.joint_from_node.push_back({});
    add_joint(node, parent, joints.skeleton);
  }
  std::vector<std::string>& bones = joints.skeleton.humanoid_names;
  if (std::ranges::all_of(bones, &std::string::empty)) bones.clear();
  warn_of_duplicate_names(joints.skeleton, warnings);
  return joints;
}

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
