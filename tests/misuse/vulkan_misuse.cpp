#include <limits>

#include "misuse/device.h"
#include "misuse/misuse.h"
#include "vulkan/random_rig.h"
#include "vulkan/watched_loader.h"

#include "sinew/experimental/kernel.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::test {
namespace {

using vulkan::Skinner;
using vulkan::SkinnerInfo;

/// Creates a skinner on a device of its own whose instance was created for `version`.
std::string with_instance(uint32_t version) {
  std::string why_not;
  const auto device = TestDevice::create(why_not, {.instance_version = version});
  if (device == nullptr) return why_not;
  std::string outcome = outcome_of(vulkan::create_skinner(info_of(*device)));
  for (const std::string& message : device->take_messages()) outcome += " VALIDATION: " + message;
  return outcome;
}

/// Without "NAME has Vulkan", which depends on the device.
std::string on_old_device(const TestDevice& device) {
  WatchedLoader watch(device);
  SkinnerInfo info = info_of(device);
  watch.attach(info);
  watch.change_limits = [](VkPhysicalDeviceProperties& properties) {
    properties.apiVersion = VK_API_VERSION_1_1;
    properties.deviceName[0] = 'X', properties.deviceName[1] = '\0';
  };
  return outcome_of(vulkan::create_skinner(info));
}

std::string without_function(const TestDevice& device, const char* name) {
  WatchedLoader watch(device);
  SkinnerInfo info = info_of(device);
  watch.attach(info);
  watch.missing = name;
  return outcome_of(vulkan::create_skinner(info));
}

std::string without_queue_flags(const TestDevice& device, VkQueueFlags flags) {
  WatchedLoader watch(device);
  SkinnerInfo info = info_of(device);
  watch.attach(info);
  info.record_family = 0;
  watch.missing_queue_flags = flags;
  return outcome_of(vulkan::create_skinner(info));
}

PFN_vkVoidFunction VKAPI_CALL nothing(VkDevice, const char*) { return nullptr; }

/// An array that its host could not make.
template <class T>
std::span<const T> null_array(size_t size) {
  return {static_cast<const T*>(nullptr), size};
}

/// N for the number after `before`, which differs from device to device, and for what follows it.
std::string without_number(const std::string& text, const std::string& before) {
  const size_t found = text.find(before);
  return found == std::string::npos ? text : text.substr(0, found + before.size()) + "N";
}

}  // namespace

std::vector<Misuse> creation_misuses(std::string& why_not) {
  return with_device(why_not, [](TestDevice& device) {
    const auto with = [&](auto change) {
      SkinnerInfo info = info_of(device);
      change(info);
      return without_number(outcome_of(vulkan::create_skinner(info)), "the device has ");
    };
    const uint32_t twice[] = {0, 0}, impossible[] = {0, 77};
    const auto allocate = [](void*, const VkBufferCreateInfo&, vulkan::BufferUse, vulkan::Allocation*) {
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    };
    return std::vector<Misuse>{
        {"no instance", with([](auto& info) { info.instance = VK_NULL_HANDLE; })},
        {"no physical device", with([](auto& info) { info.physical_device = VK_NULL_HANDLE; })},
        {"no device", with([](auto& info) { info.device = VK_NULL_HANDLE; })},
        {"no `get_instance_proc_addr`", with([](auto& info) { info.get_instance_proc_addr = nullptr; })},
        {"an instance for Vulkan 1.0", with_instance(VK_API_VERSION_1_0)},
        {"an instance for Vulkan 1.1", with_instance(VK_API_VERSION_1_1)},
        {"`api_version` 1.1", with([](auto& info) { info.api_version = VK_API_VERSION_1_1; })},
        {"a device with Vulkan 1.1 named X", on_old_device(device)},
        {"a loader that does not know vkCmdDispatch", without_function(device, "vkCmdDispatch")},
        {"a loader that does not know vkGetDeviceProcAddr", without_function(device, "vkGetDeviceProcAddr")},
        {"a `get_device_proc_addr` that returns null", with([](auto& info) { info.get_device_proc_addr = nothing; })},
        {"no feature of the device is enabled, every optional pointer is null", with([](auto&) {})},
        {"0 frames in flight", with([](auto& info) { info.frames_in_flight = 0; })},
        {"17 frames in flight", with([](auto& info) { info.frames_in_flight = 17; })},
        {"0 update groups", with([](auto& info) { info.update_groups = 0; })},
        {"257 update groups", with([](auto& info) { info.update_groups = 257; })},
        {"a vertex format that is not in the enum", with([](auto& info) { info.format = vulkan::VertexFormat(20); })},
        {"a value of `barriers` that is not in the enum",
         with([](auto& info) { info.barriers = vulkan::Barriers(9); })},
        {"library barriers without stages", with([](auto& info) { info.consumers.stages = 0; })},
        {"library barriers without accesses", with([](auto& info) { info.consumers.accesses = 0; })},
        {"an allocator without `free`", with([&](auto& info) { info.allocator.allocate = allocate; })},
        {"an allocator without `allocate`",
         with([](auto& info) { info.allocator.free = [](void*, const vulkan::Allocation&) {}; })},
        {"a queue family twice", with([&](auto& info) { info.queue_families = twice; })},
        {"queue families that are null", with([&](auto& info) { info.queue_families = null_array<uint32_t>(2); })},
        {"queue family 77", with([&](auto& info) { info.queue_families = impossible; })},
        {"commands recorded for family 77", with([](auto& info) { info.record_family = 77; })},
        {"commands recorded for family 0, which has no compute", without_queue_flags(device, VK_QUEUE_COMPUTE_BIT)},
        {"vertex input as consumer on family 0, which has no graphics",
         without_queue_flags(device, VK_QUEUE_GRAPHICS_BIT)},
    };
  });
}

std::vector<Misuse> mesh_misuses(std::string& why_not) {
  return with_device(why_not, [](TestDevice& device) {
    SkinnerInfo info = info_of(device);
    Skinner skinner = std::move(*vulkan::create_skinner(info)), empty;
    info.format = vulkan::VertexFormat::kPacked;
    Skinner packed = std::move(*vulkan::create_skinner(info));
    info.format = vulkan::VertexFormat::kOctahedral, info.tangents = true;
    Skinner with_tangents = std::move(*vulkan::create_skinner(info));
    const Mesh good = make_mesh({});
    const auto with = [&](auto change) {
      Mesh mesh = good;
      change(mesh);
      return outcome_of(skinner.add_mesh(mesh, 8, "knight"));
    };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    return std::vector<Misuse>{
        {"`add_mesh()` of an empty skinner", outcome_of(empty.add_mesh(good, 8))},
        {"a mesh without vertices", with([](Mesh& mesh) { mesh = {.first_influence = {0}}; })},
        {"a default Mesh", with([](Mesh& mesh) { mesh = {}; })},
        {"a position of NaN", with([&](Mesh& mesh) { mesh.positions[3].y = nan; })},
        {"an influence of palette entry 8 of 8", with([](Mesh& mesh) { mesh.influences.back().entry = 8; })},
        {"a palette of 0 entries", outcome_of(skinner.add_mesh(good, 0, "knight"))},
        {"weights that do not descend", with([](Mesh& mesh) {
           mesh.first_influence.back() = uint32_t(mesh.influences.size() + 1);
           mesh.influences.back().weight = 1, mesh.influences.push_back(mesh.influences.back());
         })},
        {"no indices, parts and texture coordinates",
         with([](Mesh& mesh) { mesh.indices.clear(), mesh.parts.clear(), mesh.uvs.clear(); })},
        {"one normal too few", with([](Mesh& mesh) { mesh.normals.pop_back(); })},
        {"a null name", outcome_of(skinner.add_mesh(good, 8, nullptr))},
        {"tangents wanted, the mesh has none",
         [&] {
           Mesh mesh = good;
           mesh.tangents.clear();
           return outcome_of(with_tangents.add_mesh(mesh, 8, "knight"));
         }()},
        {"format kPacked without a box", outcome_of(packed.add_mesh(good, 8, "knight"))},
        {"format kPacked, corners of the box exchanged",
         outcome_of(packed.add_mesh(good, 8, "knight", {{1, 1, 1}, {-1, -1, -1}}))},
        {"format kPacked, NaN in the box", outcome_of(packed.add_mesh(good, 8, "knight", {{nan, 0, 0}, {1, 1, 1}}))},
        {"a palette of four thousand million entries",
         without_number(outcome_of(skinner.add_mesh(good, UINT32_MAX, "knight")), "a buffer holds ") + ", ..."},
        {"`add_mesh()` of a prepared mesh that is empty", outcome_of(skinner.add_mesh(vulkan::PreparedMesh()))},
        {"`add_mesh()` of what another skinner prepared",
         outcome_of(skinner.add_mesh(std::move(*packed.prepare_mesh(good, 8, "knight", {{-1, -1, -1}, {1, 1, 1}}))))},
        {"`prepare_mesh()` of an empty skinner", outcome_of(empty.prepare_mesh(good, 8))},
        {"`remove_mesh()` of an id that never was", (skinner.remove_mesh({77}), "nothing")},
        {"`remove_mesh()` of an empty skinner", (empty.remove_mesh({1}), "nothing")},
        {"`mesh_buffer()` of an id that never was",
         yes_or(skinner.mesh_buffer({77}).buffer == VK_NULL_HANDLE, "a null buffer")},
    };
  });
}

namespace {

/// One mesh and a buffer for a page of output.
struct FrameHost {
  explicit FrameHost(TestDevice& test_device, vulkan::DebugChecks checks = vulkan::DebugChecks::kOff)
      : device(test_device) {
    SkinnerInfo info = info_of(device);
    info.debug_checks = checks;
    skinner = std::move(*vulkan::create_skinner(info));
    mesh = *skinner.add_mesh(make_mesh({}), 8, "rig");
  }

  std::string begin(const vulkan::SkinnerFrame& frame) { return outcome_of(skinner.begin_frame(frame)); }
  std::string prepare(vulkan::SkinnerBatch batch, uint32_t group = 0, std::span<const vulkan::Page> pages = {}) {
    return outcome_of(skinner.prepare(group, {&batch, 1}, pages));
  }
  void record() {
    device.submit_and_wait([&](VkCommandBuffer cmd) { skinner.record(cmd); });
  }

  TestDevice& device;
  Skinner skinner;
  vulkan::MeshId mesh;
};

/// The upload of frame 10 is in memory that stays until frame 10 has completed.
std::string gap_outcome(TestDevice& device) {
  FrameHost host(device);
  const auto stays = [&](uint64_t number) {
    (void)host.begin({.number = number}), (void)host.prepare({host.mesh, 2});
    const bool staged = host.skinner.memory_usage().staging_bytes > 0;
    host.record();
    return staged;
  };
  const bool right = stays(10) && stays(20) && !stays(30);
  return yes_or(right, "frame 10 counts as completed in frame 30, not before");
}

std::vector<Misuse> order_misuses(TestDevice& device) {
  FrameHost host(device);
  std::vector<Misuse> all;
  all.push_back({"`prepare()` before any `begin_frame()`", host.prepare({host.mesh, 2})});
  host.record();
  all.push_back(
      {"`record()` before any `begin_frame()`", yes_or(host.skinner.counters().instances == 0, "nothing is recorded")});
  all.push_back({"frame 0", host.begin({.number = 0})});
  all.push_back({"`discard_frame()` of a frame that is not recorded", outcome_of(host.skinner.discard_frame())});
  (void)host.begin({5, 0, 0}), (void)host.prepare({host.mesh, 2});
  all.push_back({"`begin_frame()` twice, as after an error", host.begin({5, 0, 0})});
  host.skinner.record(VK_NULL_HANDLE);
  all.push_back(
      {"`record()` into a null command buffer", yes_or(host.skinner.counters().instances == 0, "nothing is recorded")});
  host.record();
  all.push_back(
      {"a frame recorded with palettes that were not written",
       yes_or(host.skinner.counters().instances == 2, "the bind pose, later the palette of an earlier frame")});
  host.record();
  all.push_back(
      {"`record()` twice in a frame", yes_or(host.skinner.counters().instances == 0, "the second records nothing")});
  all.push_back({"`prepare()` after `record()`", host.prepare({host.mesh, 2})});
  all.push_back({"slot 2 of 2", host.begin({6, 2, 5})});
  all.push_back({"the same number again", host.begin({5, 1, 4})});
  all.push_back({"a number that goes back", host.begin({4, 1, 3})});
  all.push_back({"a frame that says that it has completed itself", host.begin({6, 1, 6})});
  all.push_back({"a slot whose frame has not completed", host.begin({6, 0, 4})});
  (void)host.begin({6, 1, 5});
  all.push_back({"completed frames that go back", host.begin({7, 0, 4})});
  all.push_back({"frames 10, 20 and 30 over two fences, and only their numbers", gap_outcome(device)});
  return all;
}

std::vector<Misuse> prepare_misuses(TestDevice& device) {
  FrameHost host(device);
  (void)host.begin({1, 0, 0});
  const auto needed = host.skinner.page_requirements(std::vector<vulkan::SkinnerBatch>{{host.mesh, 3}});
  const TestBuffer own = device.make_buffer((*needed)[0].size_bytes, (*needed)[0].usage, false);
  const vulkan::Page null_page, misaligned{own.handle, 4};
  std::vector<Misuse> all = {
      {"mesh 0", host.prepare({{0}, 1})},
      {"a mesh of another skinner", without_number(host.prepare({FrameHost(device).mesh, 1}), "names no mesh: ")},
      {"update group 1 of 1", host.prepare({host.mesh, 1}, 1)},
      {"`ranges()` of group 1 of 1", yes_or(host.skinner.ranges(1).empty(), "an empty span")},
      {"a batch of 0 instances", host.prepare({host.mesh, 0}) + ": no ranges"},
      {"four thousand million instances",
       without_number(host.prepare({host.mesh, UINT32_MAX}), "list of work needs ") + " bytes, ..."},
      {"batches that are null", outcome_of(host.skinner.prepare(0, null_array<vulkan::SkinnerBatch>(3)))},
      {"pages that are null", host.prepare({host.mesh, 3}, 0, null_array<vulkan::Page>(1))},
      {"`page_requirements()` of batches that are null",
       outcome_of(host.skinner.page_requirements(null_array<vulkan::SkinnerBatch>(3)))},
      {"a kernel that is null", outcome_of(vulkan::experimental::reload_kernel(host.skinner, null_array<uint32_t>(9)))},
      {"a page without a buffer", host.prepare({host.mesh, 3}, 0, {&null_page, 1})},
      {"a page at offset 4", without_number(host.prepare({host.mesh, 3}, 0, {&misaligned, 1}), "no multiple of ")},
  };
  (void)host.prepare({host.mesh, 3});
  host.skinner.remove_mesh(host.mesh);
  host.record();
  all.push_back({"`remove_mesh()` between `prepare()` and `record()`",
                 yes_or(host.skinner.counters().instances == 3, "the frame still skins it")});
  (void)host.begin({2, 1, 0});
  all.push_back({"`remove_mesh()` while a frame in flight draws it",
                 yes_or(host.skinner.memory_usage().mesh_bytes + host.skinner.memory_usage().deferred_bytes > 0,
                        "its memory stays until that frame has completed")});
  all.push_back(
      {"`prepare()` with a mesh that was removed", without_number(host.prepare({host.mesh, 1}), "names no mesh: ")});
  device.free_buffer(own);
  return all;
}

/// With SkinnerInfo::debug_checks.
std::vector<Misuse> checked_misuses(TestDevice& device) {
  FrameHost host(device, vulkan::DebugChecks::kOn);
  (void)host.begin({.number = 1}), (void)host.prepare({host.mesh, 2});
  std::vector<Misuse> all = {{"with debug checks: palettes that were not written, before the submission",
                              outcome_of(host.skinner.check_palettes())}};
  host.record();
  all.push_back({"the same, in the next `begin_frame()`", host.begin({.number = 2})});
  (void)host.begin({.number = 2});
  host.skinner.record(VK_NULL_HANDLE);
  all.push_back({"with debug checks: `record()` into a null command buffer, in the next `begin_frame()`",
                 host.begin({.number = 3})});
  return all;
}

std::vector<Misuse> empty_skinner_misuses(TestDevice& device) {
  Skinner empty = std::move(*vulkan::create_skinner(info_of(device)));
  const Skinner taker(std::move(empty));
  device.submit_and_wait([&](VkCommandBuffer cmd) { empty.record(cmd); });
  return {
      {"`begin_frame()` of a skinner that was moved from", outcome_of(empty.begin_frame({}))},
      {"its `prepare()`", outcome_of(empty.prepare(0, {}))},
      {"its `page_requirements()`", outcome_of(empty.page_requirements({}))},
      {"its `record()`, `ranges()`, `counters()`, `memory_usage()`",
       yes_or(empty.ranges().empty() && empty.counters().dispatches == 0 && empty.memory_usage().mesh_bytes == 0,
              "nothing")},
  };
}

}  // namespace

std::vector<Misuse> frame_misuses(std::string& why_not) {
  return with_device(why_not, [](TestDevice& device) {
    std::vector<Misuse> all;
    for (auto make : {order_misuses, prepare_misuses, checked_misuses, empty_skinner_misuses})
      for (Misuse& misuse : make(device)) all.push_back(std::move(misuse));
    return all;
  });
}

}  // namespace sinew::test
