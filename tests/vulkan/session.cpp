#include "vulkan/session.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

#include "heap_faults.h"
#include "sinew/asset/compact_matrix.h"
#include "threads.h"
#include "vulkan/host_allocator.h"
#include "vulkan/session_model.h"

namespace sinew::test {
namespace {

using vulkan::InstanceRange;
using vulkan::kOwnPalettes;
using vulkan::MemoryUsage;
using vulkan::SkinnerBatch;

constexpr VkDeviceSize kSmallRange = 1 << 20, kSpareBytes = 1 << 20;

template <bool own_memory, bool low_limits>
void change_session_limits(VkPhysicalDeviceProperties& properties) {
  if (own_memory) properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  if (!low_limits) return;
  properties.limits.maxComputeWorkGroupCount[0] = 2, properties.limits.maxComputeWorkGroupCount[1] = 3;
  properties.limits.minStorageBufferOffsetAlignment = 256;
  properties.limits.maxStorageBufferRange = kSmallRange;
}

/// Two kinds of memory: one is the device's own, the other is mapped.
VkPhysicalDeviceMemoryProperties apart_memory() {
  constexpr VkMemoryPropertyFlags kHost = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  constexpr VkDeviceSize kHeap = VkDeviceSize{1} << 30;
  return {.memoryTypeCount = 2,
          .memoryTypes = {{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0}, {kHost, 1}},
          .memoryHeapCount = 2,
          .memoryHeaps = {{kHeap, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}, {kHeap, 0}}};
}

uint32_t count_instances(const Asked& asked) {
  return std::accumulate(asked.begin(), asked.end(), 0u, [](uint32_t sum, const auto& b) { return sum + b.count(); });
}

/// What is compared before and after a call that failed.
struct Balance {
  int objects = 0, allocations = 0;
  VkDeviceSize bytes = 0;
  MemoryUsage usage;
};

class Session : SessionModel {
 public:
  Session(TestDevice& device, WatchedLoader& watch, const SessionSetup& setup, uint32_t seed, MetPairs& met,
          const SessionFault& fault)
      : SessionModel(watch, setup, seed + 7),
        device_(device),
        seed_(seed),
        met_(met),
        fault_(fault),
        heap_left_(fault.of_heap ? fault.call : -1),
        allocator_{.device = device} {}

  SessionResult run(uint32_t frames) {
    prepare_device();
    step("create", [&] { create(); });
    for (uint32_t i = 0; i < frames && goes_on(); ++i) frame();
    const testing::ScopedTrace trace = traced();
    end();
    return result_;
  }

 private:
  // --- steps ---

  /// A failure names the seed, and the steps up to the one that failed.
  template <class Step>
  void step(const std::string& name, const Step& body) {
    if (!steps_.empty() && !goes_on()) return;
    steps_ += (steps_.empty() ? "" : ", ") + name;
    const testing::ScopedTrace trace = traced();
    body();
    for (const std::string& message : device_.take_messages()) ADD_FAILURE() << message;
  }
  testing::ScopedTrace traced() const { return {__FILE__, __LINE__, "seed " + std::to_string(seed_) + ": " + steps_}; }
  bool goes_on() const {
    return skinner_ && !(result_.reported && fault_.way == Way::kDestroy) && !::testing::Test::HasFailure();
  }

  void prepare_device() {
    static constexpr void (*kLimits[])(VkPhysicalDeviceProperties&) = {
        change_session_limits<false, false>, change_session_limits<false, true>, change_session_limits<true, false>,
        change_session_limits<true, true>};
    watch_.change_limits = kLimits[(setup_.own_memory ? 2 : 0) + (setup_.low_limits ? 1 : 0)];
    watch_.memory = setup_.own_memory ? apart_memory() : VkPhysicalDeviceMemoryProperties{};
    watch_.succeeding = fault_.of_heap ? -1 : fault_.call;
    watch_.failure = fault_.result, watch_.failed = 0;
    allocator_.of_device = allocator_.of_palettes = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    if (setup_.own_memory) allocator_.of_palettes = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    allocator_.on_allocate = [this](const VkBufferCreateInfo&) {
      return watch_.fails("allocate") ? watch_.failure : VK_SUCCESS;
    };
    watch_.on_destroy_buffer = allocator_.on_free = [this](VkBuffer buffer) { expect_unused(buffer); };
  }

  void create() {
    auto info = setup_.info;
    watch_.attach(info);
    if (setup_.host_allocator) info.allocator = allocator_.callbacks();
    Result<vulkan::Skinner> made = attempt([&] { return create_skinner(info); });
    if (!made && fault_.way == Way::kGoOn) made = create_skinner(info);
    if (made) skinner_.emplace(std::move(*made));
  }

  void frame() {
    change_meshes();
    if (random_.one_of(6)) step("other kernel", [&] { reload(); });
    step("begin", [&] { begin(); });
    if (random_.one_of(3)) step("refused", [&] { make_refused_call(); });
    prepare_groups();
    if (random_.one_of(4)) step("remove in frame", [&] { remove_mesh(true); });
    if (!goes_on()) return;
    if (random_.one_of(5)) {
      since_.insert("skipped frame");
      steps_ += ", skip";
      return;
    }
    const bool discards = random_.one_of(5);
    if (discards) step("discard", [&] { record_and_discard(); });
    if (discards && random_.one_of(2)) return;
    const bool compares = !setup_.overlaps || random_.one_of(2);
    step(compares ? "record" : "submit", [&] { record(compares); });
    if (random_.one_of(4)) step("record again", [&] { record_again(); });
  }

  // --- calls that may fail ---

  Balance balance() const {
    return {watch_.live_objects, allocator_.live, watch_.live_bytes,
            skinner_ ? skinner_->memory_usage() : MemoryUsage{}};
  }
  /// Now and then a Vulkan call in it fails. An error says what failed, and everything is as it was.
  template <class Call>
  auto attempt(const Call& call) -> decltype(call()) {
    const bool own_fault = fault_.call < 0 && random_.one_of(8);
    const Way way = fault_.call >= 0 ? fault_.way : random_.pick({Way::kRetry, Way::kGoOn});
    if (own_fault) {
      watch_.succeeding = int(random_.below(12));
      watch_.failure = random_.pick({VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST});
    }
    const Balance before = balance();
    const int failed_before = watch_.failed;
    bool heap_failed = false;
    auto outcome = call_with_heap_fault(call, heap_failed);
    if (own_fault) watch_.succeeding = -1;
    const bool met = heap_failed || watch_.failed != failed_before;
    result_.fault_met = result_.fault_met || met;
    lacks_copies_ = lacks_copies_ || met;
    if (outcome) {
      EXPECT_TRUE(!met || heap_failed || watch_.failure != VK_ERROR_DEVICE_LOST) << "a lost device is not reported";
      return outcome;
    }
    since_.insert("failed call");
    result_.reported = true;
    EXPECT_TRUE(met) << outcome.error().message;
    expect_fault(outcome.error(), before, heap_failed);
    if (way != Way::kRetry) return outcome;
    outcome = call();
    EXPECT_TRUE(outcome) << message_of(outcome);
    return outcome;
  }
  template <class Call>
  auto call_with_heap_fault(const Call& call, bool& failed) -> decltype(call()) {
    if (heap_left_ < 0) return call();
    fail_heap_after(heap_left_);
    auto outcome = call();
    heap_left_ = heap_allocations_left();
    failed = heap_has_failed();
    fail_heap_after(-1);
    return outcome;
  }
  void expect_fault(const Error& error, const Balance& before, bool heap_failed) {
    const bool lost = !heap_failed && watch_.failure == VK_ERROR_DEVICE_LOST;
    EXPECT_EQ(error.code, lost ? ErrorCode::kDeviceLost : ErrorCode::kOutOfMemory) << error.message;
    if (!heap_failed) {
      EXPECT_EQ(error.vk_result, watch_.failure) << error.message;
    }
    Balance after = balance();
    // A block of staging memory that has served stays for the next mesh.
    const bool has_spare = heap_failed && after.bytes == before.bytes + kSpareBytes;
    if (has_spare) after.usage.block_bytes -= kSpareBytes;
    EXPECT_TRUE(after.bytes == before.bytes || has_spare) << error.message;
    EXPECT_EQ(after.allocations, before.allocations) << error.message;
    // prepare() may keep descriptor sets that it could not use yet: the last Vulkan objects that it makes.
    EXPECT_LE(after.objects, before.objects + (heap_failed ? 1 : 0)) << error.message;
    EXPECT_EQ(std::memcmp(&after.usage, &before.usage, sizeof after.usage), 0) << error.message;
  }

  // --- meshes ---

  void change_meshes() {
    const size_t wanted = 3 + random_.below(3);
    for (size_t tries = 0; living().size() < wanted && tries < 2 * wanted; ++tries) step("add", [&] { add_mesh(); });
    if (prepared_ && random_.one_of(2)) step("add prepared", [&] { add_prepared(); });
    if (living().size() > 3 && random_.one_of(3)) step("remove", [&] { remove_mesh(false); });
  }

  void add_mesh() {
    if (!goes_on()) return;
    std::vector<const SessionMesh*> others;
    for (const uint32_t m : living()) others.push_back(&meshes_[m].what);
    SessionMesh made = make_session_mesh(random_, setup_, others);
    if (!prepared_ && random_.one_of(3)) {
      auto prepared = attempt(
          [&] { return std::as_const(*skinner_).prepare_mesh(made.mesh, made.joints, "late", kBox, made.palettes); });
      if (!prepared) return;
      prepared_.emplace(std::move(*prepared));
      prepared_mesh_ = std::move(made);
      prepared_mesh_.features.insert("prepared mesh");
      return;
    }
    const char* const name = random_.pick({"knight", ""});
    const auto id = attempt([&] { return skinner_->add_mesh(made.mesh, made.joints, name, kBox, made.palettes); });
    if (!id) return;
    since_.insert("new mesh");
    note_added(std::move(made), *id);
  }

  void add_prepared() {
    const auto id = attempt([&] { return skinner_->add_mesh(std::move(*prepared_)); });
    if (!id) return;  // it stays prepared
    prepared_.reset();
    since_.insert("new mesh");
    note_added(std::move(prepared_mesh_), *id);
  }

  /// `in_use`: one that is to be skinned in this frame, if there is any.
  void remove_mesh(bool in_use) {
    std::vector<uint32_t> all = living();
    std::erase_if(all, [&](uint32_t m) { return is_reserved(m) || (in_use && !is_due(meshes_[m])); });
    if (all.empty() || living().size() < 3) return;
    Added& removed = meshes_[all[random_.below(uint32_t(all.size()))]];
    skinner_->remove_mesh(removed.id);
    removed.removed = true;
    removed.last_use = std::max(removed.last_use, number_);
    since_.insert(in_use ? "mesh removed in its frame" : "removed mesh");
    EXPECT_EQ(skinner_->mesh_buffer(removed.id).buffer, VkBuffer(VK_NULL_HANDLE));
  }

  void reload() {
    if (attempt([&] { return vulkan::experimental::reload_kernel(*skinner_, kernel_words()); }))
      since_.insert("other kernel");
  }

  // --- frames ---

  /// Every frame before `number` may have read what the ranges show.
  void begin() {
    const uint32_t slot = uint32_t(std::ranges::min_element(slots_) - slots_.begin());
    const bool again = number_ > recorded_ && random_.one_of(2);
    vulkan::SkinnerFrame next{.number = again ? number_ : number_ + 1 + (random_.one_of(4) ? random_.below(20) : 0)};
    slot_ = slot;
    if (random_.one_of(2)) {
      slot_ = next.slot = random_.below(uint32_t(slots_.size()));
      since_.insert("given slot");
    }
    uint64_t claim = std::max(claim_, slots_[slot_]);
    if (random_.one_of(2)) {
      if (random_.one_of(2)) claim = random_.one_of(2) ? next.number - 1 : std::max(claim, completed_);
      next.last_completed = claim;
    }
    if (claim > completed_) finish();
    if (number_ != 0) note_reads(next.number - 1, false);
    claim_ = claim, number_ = next.number;
    std::erase_if(reads_, [&](const Read& read) { return read.frame <= claim_; });
    expect_ok(skinner_->begin_frame(next));
    for (HostGroup& group : groups_) {
      group.updated = false;
      if (group.due) group.skinned_frame = number_;
    }
    expect_memory(skinner_->memory_usage());
    for (uint32_t g = 0; g < groups_.size(); ++g) expect_ranges(g);
  }

  void finish() {
    device_.finish();
    completed_ = std::max(completed_, recorded_);
  }

  void prepare_groups() {
    for (uint32_t g = 0; g < groups_.size() && goes_on(); ++g) {
      if (random_.one_of(3) && !groups_[g].now.empty()) {
        steps_ += ", rest " + std::to_string(g);
        continue;
      }
      if (random_.one_of(5)) step("reserve " + std::to_string(g), [&] { reserve(g); });
      step("prepare " + std::to_string(g), [&] { prepare_group(g); });
      if (!random_.one_of(5)) continue;
      since_.insert("prepared twice");
      step("again " + std::to_string(g), [&] { prepare_group(g); });
    }
  }

  Asked ask(uint32_t g, Features& features) {
    HostGroup& group = groups_[g];
    if (!group.most.empty() && std::ranges::none_of(group.most, [&](const auto& b) { return is_removed(b); })) {
      features.insert("reserved");
      return fewer_of(group.most);
    }
    const bool keeps = random_.one_of(2) && !group.now.empty() &&
                       std::ranges::none_of(group.now, [&](const AskedBatch& b) { return is_removed(b); });
    if (!keeps) return ask_anew();
    features.insert("kept batches");
    Asked asked = group.now;
    for (AskedBatch& batch : asked) {
      if (batch.palettes_of == kOwnPalettes) batch.seeds.assign(some_count(batch.mesh), 0);
    }
    settle(asked);
    return asked;
  }

  /// All instances of batches that borrow, with palettes in the order of the lender or, of as many jobs, in any.
  void reserve(uint32_t g) {
    HostGroup& group = groups_[g];
    Asked most = random_.one_of(3) ? Asked() : ask_anew();
    for (AskedBatch& batch : most) {
      if (batch.palettes_of == kOwnPalettes) continue;
      batch.seeds = most[batch.palettes_of].seeds, batch.instances.clear();
    }
    const auto batches = batches_of(most);
    if (!attempt([&] { return skinner_->reserve(batches, g); })) return;
    group.most = std::move(most), group.prepares = 0;
  }

  void prepare_group(uint32_t g) {
    HostGroup& group = groups_[g];
    Features features;
    Asked asked = ask(g, features);
    const auto batches = batches_of(asked);
    const bool own_pages = random_.one_of(features.contains("reserved") ? 12 : 4);
    const std::vector<vulkan::Page> pages = own_pages ? make_pages(batches) : std::vector<vulkan::Page>();
    const ParallelFor parallel_for = {nullptr, random_.one_of(2) ? run_backwards : nullptr};
    const VkDeviceSize page_bytes = bytes_of_pages();
    const Status status = attempt([&] { return skinner_->prepare(g, batches, pages, parallel_for); });
    if (!status) return expect_ranges(g);
    const bool is_steady = group.prepares >= std::max(uint32_t(slots_.size()), 2u) && pages.empty();
    if (features.contains("reserved") && is_steady) {
      EXPECT_EQ(bytes_of_pages(), page_bytes) << "buffers are reserved";
    }
    if (!pages.empty()) features.insert("host's pages"), group.prepares = 0;
    const uint32_t more = count_instances(asked), fewer = count_instances(group.now);
    if (more > fewer * 3 / 2) features.insert("grown");
    if (more < fewer / 4) features.insert("shrunk");
    if (more == 0) features.insert("empty group");
    for (const AskedBatch& batch : asked) note_features(batch, features);
    if (!group.due) group.before = std::move(group.now);
    group.now = std::move(asked), group.features = std::move(features);
    group.due = group.updated = true, group.skinned_frame = number_;
    expect_ranges(g);
    expect_new_buffers_counted(g);
    if (setup_.info.debug_checks == vulkan::DebugChecks::kOn && writes(g)) {
      EXPECT_FALSE(skinner_->check_palettes()) << "nothing is written";
    }
    write_palettes(g);
    expect_ok(skinner_->check_palettes());
  }

  std::vector<vulkan::Page> make_pages(std::span<const SkinnerBatch> batches) {
    std::vector<vulkan::Page> pages;
    const auto needed = attempt([&] { return std::as_const(*skinner_).page_requirements(batches); });
    if (!needed) return pages;
    for (const vulkan::PageRequirements& page : *needed) {
      const VkDeviceSize offset = page.alignment * (1 + random_.below(2));
      if (setup_.info.tuning.max_page_bytes != 0) {
        EXPECT_LE(page.size_bytes, setup_.info.tuning.max_page_bytes);
      }
      EXPECT_EQ(page.usage & setup_.info.vertex_usage, setup_.info.vertex_usage);
      host_pages_.push_back(device_.make_buffer(offset + page.size_bytes, page.usage, false));
      pages.push_back({host_pages_.back().handle, offset});
    }
    return pages;
  }

  // --- recording ---

  void record(bool compares) {
    if (compares) poison_pages();
    watch_.copies.clear();
    const auto uploads = uploads_of_record();
    device_.submit(
        [&](VkCommandBuffer cmd) {
          const bool library = setup_.info.barriers == vulkan::Barriers::kLibrary;
          const bool reads = (setup_.info.consumers.stages & VK_PIPELINE_STAGE_TRANSFER_BIT) != 0;
          if (!library) device_.full_barrier(cmd);
          record_without_memory(cmd);
          if (!library || (compares && !reads)) device_.full_barrier(cmd);
          if (compares || reads) copy_out(cmd, compares);
        },
        {});
    note_recorded();
    for (const WatchedLoader::Copy& copy : watch_.copies) last_use_[copy.from] = last_use_[copy.to] = number_;
    expect_counters(uploads);
    Features features = setup_.features();
    for (HostGroup& group : groups_) note_recorded_group(group, features);
    note_reads(number_, true);
    if (!compares) return;
    finish();
    expect_vertices();
    features.merge(std::exchange(since_, {}));
    met_.add(features);
    ++result_.compared_frames;
  }
  /// Without validation, whose layers allocate on this thread, record() allocates nothing and makes no object.
  void record_without_memory(VkCommandBuffer cmd) {
    watch_.copies.reserve(1000), watch_.barriers.reserve(watch_.barriers.size() + 100);
    const int64_t allocations = heap_allocations();
    const int calls = watch_.fallible_calls;
    skinner_->record(cmd);
    EXPECT_TRUE(setup_.info.debug_utils || heap_allocations() == allocations);
    EXPECT_EQ(watch_.fallible_calls, calls);
  }
  void note_recorded_group(HostGroup& group, Features& features) {
    if (!std::exchange(group.due, false)) {
      if (!group.now.empty()) features.insert("resting group");
      return;
    }
    group.updated = true;
    features.insert(group.features.begin(), group.features.end());
    if (group.features.contains("reserved") && !group.features.contains("host's pages")) ++group.prepares;
    for (const AskedBatch& batch : group.now) meshes_[batch.mesh].last_use = number_;
  }

  /// All is as before record(), but for the numbers of refused calls.
  void record_and_discard() {
    if (number_ <= recorded_) return;
    const auto uploads = uploads_of_record();
    finish();
    device_.record_only([&](VkCommandBuffer cmd) { skinner_->record(cmd); });
    expect_counters(uploads);
    expect_ok(skinner_->discard_frame());
    EXPECT_EQ(skinner_->counters().instances, 0u);
    since_.insert("discarded frame");
  }

  void record_again() {
    device_.record_only([&](VkCommandBuffer cmd) { skinner_->record(cmd); });
    EXPECT_EQ(skinner_->counters().refused_records, ++refused_records_);
    EXPECT_EQ(skinner_->counters().instances, 0u);
    const Status late = skinner_->prepare(0, {});
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().message, "prepare: frame " + std::to_string(number_) + " is recorded");
  }

  /// Each is refused for its own reason, and changes nothing: the frame that follows is compared.
  void make_refused_call() {
    const std::vector<uint32_t> all = living();
    if (all.empty()) return;
    since_.insert("refused call");
    const vulkan::MeshId id = meshes_[all[0]].id;
    const auto gone = std::ranges::find_if(meshes_, &Added::removed);
    const SkinnerBatch unknown{gone != meshes_.end() ? gone->id : vulkan::MeshId{id.value + 100000}, 1};
    const auto plain = std::ranges::find_if(all, [&](uint32_t m) { return meshes_[m].what.mesh.targets.empty(); });
    const SkinnerBatch own{id, 3}, of_itself{plain != all.end() ? meshes_[*plain].id : unknown.mesh, 3, 0};
    const vulkan::Page nowhere;
    const uint32_t g = random_.below(uint32_t(groups_.size())), groups = uint32_t(groups_.size());
    expect_refused(skinner_->prepare(g, {&unknown, 1}), "prepare: batch 0 names no mesh");
    expect_refused(skinner_->reserve({&unknown, 1}, g), "reserve: batch 0 names no mesh");
    expect_refused(skinner_->prepare(groups, {&own, 1}), "prepare: group " + std::to_string(groups) + " of ");
    expect_refused(skinner_->reserve({&own, 1}, groups), "reserve: group " + std::to_string(groups) + " of ");
    EXPECT_TRUE(skinner_->ranges(groups).empty());
    expect_refused(skinner_->prepare(g, {&of_itself, 1}), plain != all.end() ? "is not before it" : "names no mesh");
    const SkinnerBatch many{id, 400};
    const auto needed = std::as_const(*skinner_).page_requirements({&many, 1});
    expect_refused(skinner_->prepare(g, {&many, 1}, {&nowhere, 1}),
                   needed && needed->size() == 1 ? "page 0 of the host has no buffer" : " the host gave 1");
    expect_refused(skinner_->discard_frame(), "is not recorded");
    expect_refused(skinner_->begin_frame({.number = recorded_}), "begin_frame: ");
    expect_refused(skinner_->begin_frame({.number = number_ + 1, .slot = uint32_t(slots_.size())}), " names slot ");
    skinner_->remove_mesh(unknown.mesh);
  }
  static void expect_refused(const Status& status, const std::string& why) {
    ASSERT_FALSE(status) << why;
    EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(status.error().message.find(why), std::string::npos) << status.error().message;
  }
  static void expect_ok(const Status& status) { EXPECT_TRUE(status) << message_of(status); }

  // --- vertices ---

  void poison_pages() {
    device_.submit_and_wait([&](VkCommandBuffer cmd) {
      device_.full_barrier(cmd);
      for (const auto& [page, end] : pages_of(true)) device_.vk.CmdFillBuffer(cmd, page, 0, VK_WHOLE_SIZE, kPoison);
      device_.full_barrier(cmd);
    });
    completed_ = std::max(completed_, recorded_);
  }

  /// Copies the pages behind record(). Where this is what consumers do, the library's barrier is enough.
  void copy_out(VkCommandBuffer cmd, bool all) {
    const auto pages = pages_of(!all);
    VkDeviceSize needed = 4;
    for (const auto& [page, end] : pages) needed += end;
    if (needed > copy_bytes_) {
      finish();
      if (copy_bytes_ != 0) device_.free_buffer(copy_);
      copy_ = device_.make_buffer(copy_bytes_ = 2 * needed, VK_BUFFER_USAGE_TRANSFER_DST_BIT, true);
    }
    const VkMemoryBarrier own = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                 .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT};
    device_.vk.CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &own, 0,
                                  nullptr, 0, nullptr);
    VkDeviceSize at = 0;
    copied_.clear();
    for (const auto& [page, end] : pages) {
      const VkBufferCopy region = {0, at, end};
      device_.vk.CmdCopyBuffer(cmd, page, copy_.handle, 1, &region);
      copied_[page] = {static_cast<const uint32_t*>(copy_.mapped) + at / 4, size_t(end / 4)};
      at += end;
    }
    const VkMemoryBarrier to_host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    device_.vk.CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0,
                                  nullptr, 0, nullptr);
  }

  /// Nothing is left.
  void end() {
    device_.finish();
    ends_ = true;
    prepared_.reset();
    skinner_.reset();
    EXPECT_EQ(watch_.live_objects, 0);
    EXPECT_EQ(watch_.live_bytes, 0u);
    EXPECT_EQ(allocator_.live, 0);
    for (const TestBuffer& page : host_pages_) device_.free_buffer(page);
    if (copy_bytes_ != 0) device_.free_buffer(copy_);
    watch_.on_destroy_buffer = nullptr, watch_.succeeding = -1;
  }

  TestDevice& device_;
  uint32_t seed_ = 0;
  MetPairs& met_;
  SessionFault fault_;
  int64_t heap_left_ = -1;  // allocations before one fails; negative: none fails
  SessionResult result_;
  std::string steps_;
  Features since_;  // the last frame that was compared

  HostAllocator allocator_;
  std::optional<vulkan::PreparedMesh> prepared_;
  SessionMesh prepared_mesh_;
  TestBuffer copy_;
  VkDeviceSize copy_bytes_ = 0;
};

}  // namespace

SessionResult run_session(TestDevice& device, WatchedLoader& watch, const SessionSetup& setup, uint32_t seed,
                          uint32_t frames, MetPairs& met, const SessionFault& fault) {
  return Session(device, watch, setup, seed, met, fault).run(frames);
}

}  // namespace sinew::test
