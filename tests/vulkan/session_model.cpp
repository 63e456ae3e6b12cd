#include "vulkan/session_model.h"

#include <algorithm>

#include "sinew/asset/compact_matrix.h"

namespace sinew::test {

using vulkan::InstanceRange;
using vulkan::kOwnPalettes;

namespace {

constexpr uint32_t kMaxBatchVertices = 1500;  // of a batch

}  // namespace

std::vector<uint32_t> SessionModel::living() const {
  std::vector<uint32_t> all;
  for (uint32_t m = 0; m < meshes_.size(); ++m) {
    if (!meshes_[m].removed) all.push_back(m);
  }
  return all;
}

bool SessionModel::is_due(const Added& mesh) const {
  return std::ranges::any_of(groups_, [&](const HostGroup& group) {
    return group.due && std::ranges::any_of(group.now, [&](const auto& b) { return &meshes_[b.mesh] == &mesh; });
  });
}

bool SessionModel::is_reserved(uint32_t mesh) const {
  return std::ranges::any_of(groups_, [&](const HostGroup& group) {
    return std::ranges::any_of(group.most, [&](const AskedBatch& batch) { return batch.mesh == mesh; });
  });
}

void SessionModel::note_added(SessionMesh made, vulkan::MeshId id) {
  const vulkan::MeshBuffer place = skinner_->mesh_buffer(id);
  ASSERT_NE(place.buffer, VkBuffer(VK_NULL_HANDLE));
  EXPECT_EQ(place.vertex_count, made.mesh.vertex_count());
  EXPECT_EQ(place.influence_quads, (max_influences(made.mesh) + 3) / 4);
  const bool morphs = made.mesh.target_count() != 0;
  const uint64_t rows = made.compact() ? compact_palette_stride(made.joints) : 3 * palette_stride(made.joints);
  EXPECT_EQ(place.weights_row, morphs ? rows : 0);
  EXPECT_EQ(place.morph_blocks != 0, morphs);
  EXPECT_EQ(place.offset % (setup_.low_limits ? 256 : 16), 0u);
  for (const Added& other : meshes_) {
    EXPECT_NE(other.id.value, id.value);
    const bool apart = other.place.buffer != place.buffer ||
                       other.place.offset + other.place.size_bytes <= place.offset ||
                       place.offset + place.size_bytes <= other.place.offset;
    EXPECT_TRUE(apart || is_free(other)) << "in the place of a mesh in use";
  }
  meshes_.push_back({.what = std::move(made), .id = id, .place = place});
}

void SessionModel::expect_memory(const vulkan::MemoryUsage& usage) const {
  VkDeviceSize meshes = 0, staged = 0, deferred = 0;
  for (const Added& mesh : meshes_) {
    const bool is_staged = mesh.uploaded == kNotYet || mesh.uploaded > claim_;
    if (!mesh.removed) meshes += mesh.place.size_bytes;
    if (!mesh.removed && is_staged) staged += mesh.place.size_bytes;
    if (mesh.removed && !is_free(mesh)) deferred += mesh.place.size_bytes;
  }
  EXPECT_EQ(usage.mesh_bytes, meshes);
  EXPECT_GE(usage.staging_bytes, staged);
  EXPECT_GE(usage.deferred_bytes, deferred);
  if (claim_ + 1 == number_ && std::ranges::none_of(groups_, &HostGroup::due)) {
    EXPECT_EQ(usage.deferred_bytes, deferred) << "all frames have completed";
  }
  if (usage.deferred_bytes == 0) {
    EXPECT_EQ(usage.staging_bytes, staged);
  }
  EXPECT_EQ(usage.block_bytes, watch_.live_bytes);
}

uint32_t SessionModel::some_count(uint32_t mesh) {
  const uint32_t most = std::max(3u, std::min(70u, kMaxBatchVertices / meshes_[mesh].what.mesh.vertex_count()));
  return random_.one_of(5) ? 0 : random_.one_of(2) ? most / 2 + random_.below(most / 2 + 1) : 1 + random_.below(6);
}

Asked SessionModel::ask_anew() {
  Asked asked;
  const std::vector<uint32_t> all = living();
  if (all.empty() || random_.one_of(10)) return asked;
  for (uint32_t count = 1 + random_.below(4); count > 0; --count) {
    const uint32_t mesh = all[random_.below(uint32_t(all.size()))];
    const uint32_t own = uint32_t(asked.size());
    asked.push_back({.mesh = mesh, .seeds = std::vector<uint32_t>(some_count(mesh)), .lender = mesh});
    for (const uint32_t other : all) {
      const bool borrows = meshes_[other].what.may_borrow_from(meshes_[mesh].what) && random_.one_of(3);
      if (borrows) asked.push_back({.mesh = other, .palettes_of = own, .lender = mesh});
    }
  }
  settle(asked);
  return asked;
}

void SessionModel::settle(Asked& asked) {
  for (AskedBatch& batch : asked) {
    if (batch.palettes_of == kOwnPalettes) {
      for (uint32_t& seed : batch.seeds) seed = ++last_seed_;
      continue;
    }
    const std::vector<uint32_t>& lent = asked[batch.palettes_of].seeds;
    const uint32_t count = random_.one_of(2) ? uint32_t(lent.size()) : random_.below(uint32_t(lent.size()) + 1);
    batch.instances.clear(), batch.seeds.assign(lent.begin(), lent.begin() + count);
    if (random_.one_of(2)) continue;
    for (uint32_t i = 0; i < count; ++i) {
      const bool follows = i > 0 && batch.instances.back() + 1 < lent.size() && !random_.one_of(4);
      batch.instances.push_back(follows ? batch.instances.back() + 1 : random_.below(uint32_t(lent.size())));
      batch.seeds[i] = lent[batch.instances[i]];
    }
  }
}

Asked SessionModel::fewer_of(const Asked& most) {
  Asked asked = most;
  for (AskedBatch& batch : asked) {
    if (random_.one_of(2)) batch.seeds.resize(random_.below(batch.count() + 1));
  }
  settle(asked);
  return asked;
}

std::vector<vulkan::SkinnerBatch> SessionModel::batches_of(const Asked& asked) const {
  std::vector<vulkan::SkinnerBatch> batches;
  for (const AskedBatch& batch : asked)
    batches.push_back({meshes_[batch.mesh].id, batch.count(), batch.palettes_of, batch.instances});
  return batches;
}

bool SessionModel::writes(uint32_t g) const {
  return std::ranges::any_of(groups_[g].now,
                             [](const auto& b) { return b.palettes_of == kOwnPalettes && b.count() > 0; });
}

void SessionModel::write_palettes(uint32_t g) {
  for (const InstanceRange& range : skinner_->ranges(g)) {
    if (range.palette_stride == 0) continue;
    expect_not_read(range);
    const AskedBatch& batch = groups_[g].now[range.batch];
    for (uint32_t i = 0; i < range.instance_count; ++i)
      write_palette(range, i, meshes_[batch.mesh].what, batch.seeds[range.first_instance + i]);
  }
}

void SessionModel::write_palette(const InstanceRange& range, uint32_t i, const SessionMesh& mesh, uint32_t seed) {
  const std::vector<Matrix3x4> palette = mesh.palette(seed);
  const std::vector<float> weights = mesh.weights(seed);
  const size_t first = size_t{i} * range.palette_stride;
  for (size_t e = 0; e < palette.size(); ++e) {
    if (mesh.compact())
      range.compact_palettes[first + e] = compact(palette[e], mesh.palettes.scale);
    else
      range.palettes[first + e] = palette[e];
  }
  std::copy(weights.begin(), weights.end(), range.weights.begin() + ptrdiff_t(i * range.weight_stride));
}

bool SessionModel::is_host_page(VkBuffer buffer) const {
  return std::ranges::any_of(host_pages_, [&](const TestBuffer& page) { return page.handle == buffer; });
}

void SessionModel::expect_ranges(uint32_t g) const {
  const HostGroup& group = groups_[g];
  std::vector<uint32_t> found(group.now.size());
  for (const InstanceRange& range : skinner_->ranges(g)) {
    ASSERT_LT(range.batch, group.now.size());
    const AskedBatch& batch = group.now[range.batch];
    EXPECT_EQ(range.first_instance, found[range.batch]);
    found[range.batch] += range.instance_count;
    EXPECT_EQ(range.mesh.value, meshes_[batch.mesh].id.value);
    EXPECT_EQ(range.skinned_frame, group.skinned_frame);
    expect_sizes(range, meshes_[batch.mesh].what, batch.palettes_of != kOwnPalettes);
    expect_places(range, group);
  }
  for (size_t b = 0; b < found.size(); ++b) EXPECT_EQ(found[b], group.now[b].count()) << "batch " << b;
}

void SessionModel::expect_sizes(const InstanceRange& range, const SessionMesh& mesh, bool borrows) const {
  EXPECT_EQ(range.vertex_count, mesh.mesh.vertex_count());
  EXPECT_EQ(range.vertex_bytes, vertex_bytes());
  EXPECT_EQ(range.palette_size, mesh.joints);
  EXPECT_EQ(range.palette_stride, borrows ? 0 : mesh.stride());
  EXPECT_EQ(range.palette_buffer == VK_NULL_HANDLE, borrows);
  const size_t entries = size_t{range.instance_count} * range.palette_stride;
  EXPECT_EQ(range.palettes.size(), mesh.compact() ? 0 : entries);
  EXPECT_EQ(range.compact_palettes.size(), mesh.compact() ? entries : 0);
  EXPECT_EQ(range.target_count, borrows ? 0 : mesh.mesh.target_count());
  EXPECT_EQ(range.weights.empty(), range.target_count == 0);
  if (borrows) return;
  EXPECT_EQ(range.weight_stride, mesh.stride() * (mesh.compact() ? 4 : 12));
  const uint64_t before = mesh.compact() ? compact_palette_stride(mesh.joints) * 4 : palette_stride(mesh.joints) * 12;
  if (range.target_count != 0) {
    EXPECT_EQ(range.weights.data() - palette_memory(range), ptrdiff_t(before));
  }
  EXPECT_EQ(reinterpret_cast<uintptr_t>(palette_memory(range)) % vulkan::kMappedAlignment, 0u);
}

float* SessionModel::palette_memory(const InstanceRange& range) {
  return range.palettes.empty() ? reinterpret_cast<float*>(range.compact_palettes.data())
                                : reinterpret_cast<float*>(range.palettes.data());
}

void SessionModel::expect_places(const InstanceRange& range, const HostGroup& group) const {
  const bool keeps = setup_.info.keep_previous;
  const VkDeviceSize alignment = setup_.low_limits ? 256 : 16, bytes = VkDeviceSize{range.vertex_bytes};
  EXPECT_EQ(range.vertices_offset % bytes, 0u);
  EXPECT_EQ(range.previous_vertices_offset % bytes, 0u);
  if (!keeps) {
    EXPECT_EQ(range.vertices_offset % alignment, 0u);
  }
  EXPECT_EQ(range.previous_vertices == VK_NULL_HANDLE, !keeps);
  if (keeps && !group.updated && !group.due) {
    EXPECT_EQ(range.previous_vertices, range.vertices) << "the group rests";
    EXPECT_EQ(range.previous_vertices_offset, range.vertices_offset);
  }
  const VkDeviceSize most = setup_.info.tuning.max_page_bytes;
  if (most == 0) return;
  EXPECT_LE(range.palettes.size_bytes() + range.compact_palettes.size_bytes(), most);
  if (!is_host_page(range.vertices)) {
    EXPECT_LE(range.vertices_offset + size_of(range), most);
  }
}

void SessionModel::expect_new_buffers_counted(uint32_t g) {
  for (const InstanceRange& range : skinner_->ranges(g)) {
    if (!is_host_page(range.vertices)) seen_buffers_ += last_use_.emplace(range.vertices, 0).second ? 1 : 0;
  }
  EXPECT_LE(seen_buffers_, skinner_->buffer_changes());
}

Read SessionModel::read_of(const InstanceRange& range, uint64_t frame) {
  const size_t floats = (range.palettes.size_bytes() + range.compact_palettes.size_bytes()) / sizeof(float);
  return {palette_memory(range), palette_memory(range) + floats, frame};
}

void SessionModel::expect_not_read(const InstanceRange& range) const {
  const Read written = read_of(range, 0);
  for (const Read& read : reads_) {
    const bool apart = written.end <= read.begin || read.end <= written.begin;
    EXPECT_TRUE(apart || read.frame <= claim_) << "frame " << read.frame << " may read these palettes";
  }
}

void SessionModel::note_reads(uint64_t frame, bool recorded) {
  for (uint32_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].due) continue;
    for (const InstanceRange& range : skinner_->ranges(g)) {
      for (const VkBuffer buffer : {range.vertices, range.previous_vertices, range.palette_buffer})
        last_use_[buffer] = frame;
      if (recorded && range.palette_stride != 0) reads_.push_back(read_of(range, frame));
    }
  }
}

void SessionModel::expect_unused(VkBuffer buffer) {
  const auto found = last_use_.find(buffer);
  if (found == last_use_.end()) return;
  EXPECT_TRUE(ends_ || found->second <= claim_) << "a buffer is freed that frame " << found->second << " may read";
  last_use_.erase(found);
}

void SessionModel::note_recorded() {
  recorded_ = number_, slots_[slot_] = number_;
  for (Added& mesh : meshes_) {
    if (mesh.uploaded == kNotYet && (!mesh.removed || is_due(mesh))) mesh.uploaded = number_;
  }
}

Uploads SessionModel::uploads_of_record() const {
  Uploads bytes;
  for (const Added& mesh : meshes_) {
    if (mesh.uploaded != kNotYet) continue;
    bytes.most += mesh.place.size_bytes;
    if (!mesh.removed || is_due(mesh)) bytes.least += mesh.place.size_bytes;
  }
  return bytes;
}

void SessionModel::expect_counters(const Uploads& uploads) const {
  vulkan::SkinnerCounters expected;
  std::set<VkBuffer> pages, converted;  // of palettes
  for (uint32_t g = 0; g < groups_.size(); ++g) {
    if (!groups_[g].due) continue;
    for (const AskedBatch& batch : groups_[g].now) count(batch, expected);
    for (const InstanceRange& range : skinner_->ranges(g)) {
      if (range.palettes.empty()) continue;
      pages.insert(range.palette_buffer);
      const Mesh& mesh = meshes_[groups_[g].now[range.batch].mesh].what.mesh;
      if (mesh.blend == Blend::kDualQuaternion) converted.insert(range.palette_buffer);
    }
  }
  const vulkan::SkinnerCounters got = skinner_->counters();
  EXPECT_EQ(got.instances, expected.instances);
  EXPECT_EQ(got.skinned_vertices, expected.skinned_vertices);
  EXPECT_EQ(got.skinned_bytes, expected.skinned_vertices * vertex_bytes());
  EXPECT_EQ(got.palette_bytes, expected.palette_bytes);
  EXPECT_EQ(got.mesh_bytes, expected.mesh_bytes);
  EXPECT_GE(got.uploaded_bytes, uploads.least);
  EXPECT_LE(got.uploaded_bytes, uploads.most);
  EXPECT_EQ(got.refused_records, refused_records_);
  EXPECT_EQ(got.dispatches == 0, expected.instances == 0);
  EXPECT_EQ(got.job_bytes == 0, expected.instances == 0);
  EXPECT_LE(got.palette_copies, pages.size());
  EXPECT_GE(got.palette_copies, setup_.own_memory && !lacks_copies_ ? pages.size() : converted.size());
}

void SessionModel::count(const AskedBatch& batch, vulkan::SkinnerCounters& counters) const {
  const Added& mesh = meshes_[batch.mesh];
  const bool own = batch.palettes_of == kOwnPalettes;
  const uint64_t entry = mesh.what.compact() ? sizeof(CompactMatrix) : sizeof(Matrix3x4);
  counters.instances += batch.count();
  counters.skinned_vertices += uint64_t{batch.count()} * mesh.place.vertex_count;
  if (own) counters.palette_bytes += batch.count() * mesh.what.stride() * entry;
  if (batch.count() > 0 && !mesh.removed) counters.mesh_bytes += mesh.place.size_bytes;
}

std::map<VkBuffer, VkDeviceSize> SessionModel::pages_of(bool due_only) const {
  std::map<VkBuffer, VkDeviceSize> pages;
  const auto add = [&](VkBuffer buffer, VkDeviceSize end) { pages[buffer] = std::max(pages[buffer], end); };
  for (uint32_t g = 0; g < groups_.size(); ++g) {
    if (due_only && !groups_[g].due) continue;
    for (const InstanceRange& range : skinner_->ranges(g)) {
      add(range.vertices, range.vertices_offset + size_of(range));
      if (!due_only && setup_.info.keep_previous)
        add(range.previous_vertices, range.previous_vertices_offset + size_of(range));
    }
  }
  return pages;
}

void SessionModel::expect_vertices() const {
  for (uint32_t g = 0; g < groups_.size(); ++g) {
    for (const InstanceRange& range : skinner_->ranges(g)) {
      expect_instances(g, range, range.vertices, range.vertices_offset, false);
      if (setup_.info.keep_previous)
        expect_instances(g, range, range.previous_vertices, range.previous_vertices_offset, true);
    }
    if (!groups_[g].updated) continue;
    expect_poison_between(skinner_->ranges(g), [&](VkBuffer page, VkDeviceSize) { return copied_.at(page); });
  }
}

void SessionModel::expect_instances(uint32_t g, const InstanceRange& range, VkBuffer page, VkDeviceSize offset,
                                    bool previous) const {
  const AskedBatch& now = groups_[g].now[range.batch];
  const size_t words = size_t{range.vertex_count} * range.vertex_bytes / 4;
  for (uint32_t i = 0; i < range.instance_count; ++i) {
    const uint32_t instance = range.first_instance + i;
    const AskedBatch& shown = previous ? previous_of(g, range.batch, instance) : now;
    const SessionMesh& mesh = meshes_[shown.mesh].what;
    const uint32_t seed = shown.seeds[instance];
    const SkinnedWords got{copied_.at(page).subspan(offset / 4 + i * words, words), range.vertex_bytes,
                           setup_.info.tangents};
    const std::string where = std::string(previous ? "previous " : "") + "group " + std::to_string(g) + ", batch " +
                              std::to_string(range.batch) + ", instance " + std::to_string(instance);
    expect_skinned(mesh.mesh, meshes_[shown.lender].what.palette(seed), got, where, mesh.weights(seed));
  }
}

const AskedBatch& SessionModel::previous_of(uint32_t g, uint32_t batch, uint32_t instance) const {
  const HostGroup& group = groups_[g];
  const AskedBatch& now = group.now[batch];
  if (!group.updated || batch >= group.before.size()) return now;
  const AskedBatch& before = group.before[batch];
  return before.mesh == now.mesh && instance < before.count() ? before : now;
}

VkDeviceSize SessionModel::bytes_of_pages() const {
  const vulkan::MemoryUsage usage = skinner_->memory_usage();
  return usage.palette_bytes + usage.palette_copy_bytes + usage.expanded_bytes + usage.skinned_bytes + usage.job_bytes;
}

void SessionModel::note_features(const AskedBatch& batch, Features& features) const {
  if (batch.count() == 0) return;
  const Features& of_mesh = meshes_[batch.mesh].what.features;
  features.insert(of_mesh.begin(), of_mesh.end());
  if (batch.palettes_of == kOwnPalettes) return;
  features.insert("borrowed palettes");
  if (!batch.instances.empty()) features.insert("named instances");
  if (meshes_[batch.mesh].what.stride() != meshes_[batch.lender].what.stride()) features.insert("other stride");
}

}  // namespace sinew::test
