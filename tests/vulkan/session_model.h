// What the host of a session knows: bookkeeping of meshes, groups and frames, and what it expects of the skinner.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "vulkan/session_plan.h"
#include "vulkan/watched_loader.h"

namespace sinew::test {

inline constexpr uint64_t kNotYet = UINT64_MAX;

/// A mesh that was added, and what the host knows of it.
struct Added {
  SessionMesh what;
  vulkan::MeshId id;
  vulkan::MeshBuffer place;
  uint64_t uploaded = kNotYet;  // the frame
  uint64_t last_use = 0;        // the last recorded frame that skins it, or in which it was removed
  bool removed = false;
};

/// What the host asked for in a batch.
struct AskedBatch {
  uint32_t mesh = 0;                 // of the session
  std::vector<uint32_t> seeds = {};  // of the palette of each instance
  uint32_t palettes_of = vulkan::kOwnPalettes;
  uint32_t lender = 0;                   // the mesh of that batch; without one `mesh`
  std::vector<uint32_t> instances = {};  // of that batch; empty where they are 0, 1 and so on
  uint32_t count() const { return uint32_t(seeds.size()); }
};
using Asked = std::vector<AskedBatch>;

/// An update group as the host sees it.
struct HostGroup {
  Asked now, before;  // what its ranges show, and what they showed in its last recorded frame
  bool due = false, updated = false;
  uint64_t skinned_frame = 0;
  Asked most;             // that was reserved
  uint32_t prepares = 0;  // since then, that were recorded
  Features features;      // of the prepare()
};

/// Bytes that record() uploads.
struct Uploads {
  VkDeviceSize least = 0, most = 0;  // meshes that were removed may be uploaded where nothing uses them
};

/// Memory that a frame may read: hosts may skin in their own shaders, in frames that do not update the group too.
struct Read {
  const float *begin = nullptr, *end = nullptr;
  uint64_t frame = 0;
};

class SessionModel {
 protected:
  SessionModel(WatchedLoader& watch, const SessionSetup& setup, uint32_t seed)
      : watch_(watch),
        setup_(setup),
        random_(seed),
        groups_(setup.info.update_groups),
        slots_(setup.info.frames_in_flight) {}

  // --- meshes ---

  std::vector<uint32_t> living() const;
  /// Whether a group that is still to be recorded shows it.
  bool is_due(const Added& mesh) const;
  bool is_reserved(uint32_t mesh) const;
  bool is_free(const Added& mesh) const { return mesh.removed && mesh.last_use <= claim_ && !is_due(mesh); }
  /// The mesh is in no place that a frame in flight reads.
  void note_added(SessionMesh made, vulkan::MeshId id);
  void expect_memory(const vulkan::MemoryUsage& usage) const;
  VkDeviceSize bytes_of_pages() const;  // that prepare() makes

  // --- batches ---

  bool is_removed(const AskedBatch& batch) const { return meshes_[batch.mesh].removed; }
  uint32_t some_count(uint32_t mesh);
  Asked ask_anew();
  /// New palettes for the instances of `asked`; those that borrow follow.
  void settle(Asked& asked);
  Asked fewer_of(const Asked& most);
  std::vector<vulkan::SkinnerBatch> batches_of(const Asked& asked) const;
  bool writes(uint32_t g) const;
  void write_palettes(uint32_t g);
  static void write_palette(const vulkan::InstanceRange& range, uint32_t i, const SessionMesh& mesh, uint32_t seed);
  void note_features(const AskedBatch& batch, Features& features) const;

  // --- ranges ---

  uint32_t vertex_bytes() const { return uint32_t(setup_.info.format) + (setup_.info.tangents ? 4 : 0); }
  bool is_host_page(VkBuffer buffer) const;
  /// The pages of ranges, previous ones included, and how many bytes of each they reach.
  std::map<VkBuffer, VkDeviceSize> pages_of(bool due_only) const;
  /// Ranges name every instance once, in order, with sizes and places as the headers say.
  void expect_ranges(uint32_t g) const;
  void expect_new_buffers_counted(uint32_t g);

  // --- what frames may read ---

  /// What the ranges of recorded groups show is read in `frame`. Palettes are kept for recorded frames only.
  void note_reads(uint64_t frame, bool recorded);
  void expect_not_read(const vulkan::InstanceRange& range) const;
  void expect_unused(VkBuffer buffer);

  // --- recording ---

  void note_recorded();
  Uploads uploads_of_record() const;
  void expect_counters(const Uploads& uploads) const;
  void expect_vertices() const;

  WatchedLoader& watch_;
  SessionSetup setup_;
  Random random_;
  std::optional<vulkan::Skinner> skinner_;
  std::vector<Added> meshes_;
  std::vector<HostGroup> groups_;
  uint32_t last_seed_ = 0;       // of a palette
  std::vector<uint64_t> slots_;  // the last frame recorded in each
  uint32_t slot_ = 0;            // of the frame that was begun
  uint64_t number_ = 0, recorded_ = 0;
  uint64_t completed_ = 0, claim_ = 0;  // the last frame that has completed, and that the host says has
  uint64_t refused_records_ = 0;
  uint64_t seen_buffers_ = 0;  // of vertices
  bool ends_ = false;
  bool lacks_copies_ = false;              // a page of palettes may have none, for want of memory
  std::map<VkBuffer, uint64_t> last_use_;  // the last frame that may read the buffer
  std::vector<Read> reads_;
  std::vector<TestBuffer> host_pages_;
  std::map<VkBuffer, std::span<const uint32_t>> copied_;  // of each page, what the last record() left there

 private:
  void expect_sizes(const vulkan::InstanceRange& range, const SessionMesh& mesh, bool borrows) const;
  void expect_places(const vulkan::InstanceRange& range, const HostGroup& group) const;
  static float* palette_memory(const vulkan::InstanceRange& range);
  static Read read_of(const vulkan::InstanceRange& range, uint64_t frame);
  void count(const AskedBatch& batch, vulkan::SkinnerCounters& counters) const;
  void expect_instances(uint32_t g, const vulkan::InstanceRange& range, VkBuffer page, VkDeviceSize offset,
                        bool previous) const;
  /// The batch that has what the instance showed in the group's last recorded frame.
  const AskedBatch& previous_of(uint32_t g, uint32_t batch, uint32_t instance) const;
};

}  // namespace sinew::test
