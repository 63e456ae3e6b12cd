#include "shaders.h"

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "gpu/host.h"
#include "render/pipelines.h"
#include "render/shadow_maps.h"

namespace sinew::isa {
namespace {

constexpr uint32_t kAllSurfaces = (1u << app::kSurfaceCount) - 1;
constexpr uint32_t kOpaque = 1u << app::index_of({}), kMask = 1u << app::index_of({AlphaMode::kMask, false});
constexpr std::string_view kPrefix = "sinew.", kKernelPrefix = "sinew.skin", kCrowdPrefix = "sinew.crowd";

/// Pipelines are listed where they get their names: new ones appear by themselves. Vulkan's functions have no user
/// data, therefore a global.
struct Listing {
  const app::Device* device = nullptr;
  std::string variant;      // of the pipelines that are being created
  bool crowd_only = false;  // the others are as in a variant before
  std::vector<ShaderRow> rows;
  PFN_vkCreateComputePipelines create_compute = nullptr;
};
Listing* g_listing = nullptr;

bool is_listed(std::string_view name) {
  if (name.starts_with(kKernelPrefix)) return false;  // compile_kernels() has them
  return name.starts_with(kPrefix) && (!g_listing->crowd_only || name.starts_with(kCrowdPrefix));
}

VKAPI_ATTR VkResult VKAPI_CALL list_name(VkDevice, const VkDebugUtilsObjectNameInfoEXT* info) {
  if (info->objectType != VK_OBJECT_TYPE_PIPELINE || !is_listed(info->pObjectName)) return VK_SUCCESS;
  const auto pipeline = reinterpret_cast<VkPipeline>(info->objectHandle);
  const std::string name = info->pObjectName + kPrefix.size() + g_listing->variant;
  for (ShaderStatistics& shader : read_statistics(*g_listing->device, pipeline))
    g_listing->rows.push_back({name, std::move(shader)});
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL create_compute(VkDevice device, VkPipelineCache cache, uint32_t count,
                                              const VkComputePipelineCreateInfo* infos,
                                              const VkAllocationCallbacks* callbacks, VkPipeline* pipelines) {
  std::vector<VkComputePipelineCreateInfo> captured(infos, infos + count);
  for (VkComputePipelineCreateInfo& info : captured) info.flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  return g_listing->create_compute(device, cache, count, captured.data(), callbacks, pipelines);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_function(VkDevice device, const char* name) {
  if (std::strcmp(name, "vkSetDebugUtilsObjectNameEXT") == 0) return reinterpret_cast<PFN_vkVoidFunction>(list_name);
  const PFN_vkVoidFunction found = vkGetDeviceProcAddr(device, name);
  if (std::strcmp(name, "vkCreateComputePipelines") != 0) return found;
  g_listing->create_compute = reinterpret_cast<PFN_vkCreateComputePipelines>(found);
  return reinterpret_cast<PFN_vkVoidFunction>(create_compute);
}

/// Lists pipelines while it lives.
class ListingScope {
 public:
  explicit ListingScope(Listing& listing) : set_name_(std::exchange(vkSetDebugUtilsObjectNameEXT, list_name)) {
    g_listing = &listing;
  }
  ~ListingScope() {
    vkSetDebugUtilsObjectNameEXT = set_name_;
    g_listing = nullptr;
  }
  ListingScope(const ListingScope&) = delete;
  ListingScope& operator=(const ListingScope&) = delete;

 private:
  PFN_vkSetDebugUtilsObjectNameEXT set_name_;
};

/// The passes of the program, with what changes a shader.
struct Variant {
  const char* name;
  app::PassFormat format;
};

std::vector<Variant> variants(const app::Device& device, app::PassFormat format) {
  format.surfaces = kAllSurfaces, format.shadow_maps = 1, format.stands = true;
  std::vector<Variant> all = {{"", format}};
  format.surfaces = kOpaque, format.shadow_maps = 0, format.stands = false;
  const auto add = [&](const char* name, auto change) {
    all.push_back({name, format});
    change(all.back().format);
  };
  add(", without shadow maps", [](app::PassFormat& f) { f.surfaces = kOpaque | kMask; });
  add(", colors of instances", [](app::PassFormat& f) { f.coloring = app::Coloring::kLevel; });
  add(", colors of vertices", [](app::PassFormat& f) { f.coloring = app::Coloring::kVertices; });
  if (device.buffer_addresses)  // previous vertices are read by address
    add(", velocity", [](app::PassFormat& f) { f.coloring = app::Coloring::kVelocity; });
  add(", 12 bytes", [](app::PassFormat& f) { f.vertices = vulkan::VertexFormat::kPacked; });
  add(", 24 bytes", [](app::PassFormat& f) { f.vertices = vulkan::VertexFormat::kFloat; });
  format.surfaces = kOpaque | kMask;
  format.source = app::VertexSource::kPulling;
  add(", pulls", [](app::PassFormat&) {});
  add(", pulls 12 bytes", [](app::PassFormat& f) { f.vertices = vulkan::VertexFormat::kPacked; });
  add(", pulls 24 bytes", [](app::PassFormat& f) { f.vertices = vulkan::VertexFormat::kFloat; });
  if (device.buffer_addresses)
    add(", pulls, velocity", [](app::PassFormat& f) { f.surfaces = kOpaque, f.coloring = app::Coloring::kVelocity; });
  format.source = app::VertexSource::kSkinning;
  add(", skins", [](app::PassFormat&) {});
  add(", skins with dual quaternions", [](app::PassFormat& f) { f.dual_quaternions = true; });
  return all;
}

Status list_draws(Listing& listing) {
  const app::Device& device = *listing.device;
  const auto layouts = app::create_layouts(device);
  if (!layouts) return layouts.error();
  const auto pass = app::create_render_pass(device, VK_SAMPLE_COUNT_1_BIT);
  if (!pass) return pass.error();
  const auto shadow_pass = app::create_shadow_pass(device);
  if (!shadow_pass) return shadow_pass.error();
  app::PassFormat format{pass->get(), VK_SAMPLE_COUNT_1_BIT};
  format.shadow_pass = shadow_pass->get();
  const app::ShaderWords words = app::builtin_shaders();
  for (const Variant& variant : variants(device, format)) {
    listing.variant = variant.name, listing.crowd_only = !listing.variant.empty();
    if (auto built = app::create_pipelines(device, *layouts, variant.format, words); !built) return built.error();
  }
  listing.variant.clear(), listing.crowd_only = false;
  auto overlay = app::OverlayPass::create(device, 1);
  if (!overlay) return overlay.error();
  return overlay->set_shaders(words[size_t(app::Shader::kOverlayVertex)], words[size_t(app::Shader::kOverlayFragment)]);
}

/// A vertex that a joint moves.
Mesh small_mesh(Blend blend) {
  Mesh mesh;
  mesh.positions = {{}}, mesh.normals = {{0, 0, 1}};
  mesh.first_influence = {0, 1}, mesh.influences = {{0, 1}};
  mesh.blend = blend;
  return mesh;
}

/// Buffers without memory: a driver without hardware has none, and nothing is submitted.
vulkan::AllocatorCallbacks without_memory(const app::Device& device) {
  vulkan::AllocatorCallbacks callbacks;
  callbacks.user_data = const_cast<app::Device*>(&device);
  callbacks.allocate = [](void* user_data, const VkBufferCreateInfo& info, vulkan::BufferUse use,
                          vulkan::Allocation* out) {
    if (use != vulkan::BufferUse::kDevice)
      out->mapped = out->allocation =
          std::aligned_alloc(vulkan::kMappedAlignment, align_up(size_t(info.size), vulkan::kMappedAlignment));
    return vkCreateBuffer(static_cast<const app::Device*>(user_data)->handle, &info, nullptr, &out->buffer);
  };
  callbacks.free = [](void* user_data, const vulkan::Allocation& allocation) {
    vkDestroyBuffer(static_cast<const app::Device*>(user_data)->handle, allocation.buffer, nullptr);
    std::free(allocation.allocation);
  };
  return callbacks;
}

/// What the library builds beside the kernels: for dual quaternions, and for compact palettes.
Status list_library(Listing& listing) {
  vulkan::SkinnerInfo info = app::skinner_info(*listing.device, 1, vulkan::kVertexInput);
  info.allocator = without_memory(*listing.device);
  info.get_device_proc_addr = get_device_function;
  auto skinner = vulkan::create_skinner(info);
  if (!skinner) return skinner.error();
  if (auto added = skinner->add_mesh(small_mesh(Blend::kDualQuaternion), 1); !added) return added.error();
  const auto added = skinner->add_mesh(small_mesh(Blend::kLinear), 1, "", {}, {vulkan::PaletteFormat::kCompact});
  return added ? Status() : Status(added.error());
}

}  // namespace

Result<std::vector<ShaderRow>> compile_shaders(const app::Device& device) {
  if (!device.debug_utils) return Error{ErrorCode::kUnsupported, "no VK_EXT_debug_utils, which names pipelines"};
  Listing listing;
  listing.device = &device;
  const ListingScope scope(listing);
  if (Status listed = list_draws(listing); !listed) return listed.error();
  if (Status listed = list_library(listing); !listed) return listed.error();
  return std::move(listing.rows);
}

}  // namespace sinew::isa
