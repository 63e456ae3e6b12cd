#include "buffer.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "sinew/vulkan/vulkan_error.h"

namespace sinew::vulkan::internal {
namespace {

constexpr VkDeviceSize kMinBlockBytes = VkDeviceSize{1} << 20;
constexpr VkDeviceSize kMaxSpareBytes = VkDeviceSize{64} << 20;
constexpr VkMemoryPropertyFlags kMapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kOrdinary =
    kMapped | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

constexpr VkDeviceSize kTexelBytes = 16;

struct MemoryPreference {
  VkMemoryPropertyFlags required, forbidden;
};

/// The memory properties to try for a use, best first.
std::span<const MemoryPreference> memory_preferences(BufferUse use) {
  static constexpr MemoryPreference kDevice[] = {{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0}, {0, 0}};
  static constexpr MemoryPreference kPalettes[] = {{kMapped | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0}, {kMapped, 0}};
  static constexpr MemoryPreference kStaging[] = {{kMapped, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT}, {kMapped, 0}};
  if (use == BufferUse::kDevice) return kDevice;
  return use == BufferUse::kPalettes ? std::span<const MemoryPreference>(kPalettes) : kStaging;
}

bool satisfies(VkMemoryPropertyFlags flags, const MemoryPreference& preference) {
  return (flags & preference.required) == preference.required && (flags & (preference.forbidden | ~kOrdinary)) == 0;
}

bool is_aligned(const void* mapped) { return reinterpret_cast<uintptr_t>(mapped) % kMappedAlignment == 0; }

Error named(Error error, const BufferRequest& request, const std::string& name) {
  error.message = name + ", " + std::to_string(request.size_bytes) + " bytes: " + error.message;
  return error;
}

}  // namespace

/// Device memory that several buffers of one use share.
struct MemoryBlock {
  struct Used {
    VkDeviceSize begin = 0, end = 0;
  };

  Owned<VkDeviceMemory> memory;
  VkDeviceSize size_bytes = 0;
  uint32_t type = 0;
  BufferUse use = BufferUse::kDevice;
  std::byte* mapped = nullptr;
  bool served = false;     // it had a buffer
  std::vector<Used> used;  // ordered by offset

  /// First fit. Returns the offset, or nothing where the block has no room.
  std::optional<VkDeviceSize> take(const VkMemoryRequirements& needs) {
    VkDeviceSize begin = 0;
    auto next = used.begin();
    for (; next != used.end() && begin + needs.size > next->begin; ++next) {
      begin = align_up(next->end, needs.alignment);
    }
    if (begin + needs.size > size_bytes) return std::nullopt;
    used.insert(next, {begin, begin + needs.size});
    return begin;
  }

  void give_back(VkDeviceSize begin) {
    std::erase_if(used, [&](const Used& range) { return range.begin == begin; });
  }
};

Buffer::~Buffer() {
  texels_ = {};
  if (allocator_ != nullptr) allocator_->free(allocation_, suballocation_);
}

void Buffer::swap(Buffer& other) noexcept {
  std::swap(allocator_, other.allocator_);
  std::swap(allocation_, other.allocation_);
  std::swap(suballocation_, other.suballocation_);
  std::swap(size_bytes_, other.size_bytes_);
  std::swap(texels_, other.texels_);
}

BufferAllocator::BufferAllocator(const DeviceTable& table, const SkinnerInfo& info)
    : table_(table),
      host_(info.allocator),
      queue_families_(info.queue_families.begin(), info.queue_families.end()),
      device_address_((info.vertex_usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0) {}

BufferAllocator::~BufferAllocator() = default;

Result<Buffer> BufferAllocator::make(const BufferRequest& request, const std::string& name) {
  const bool shared = queue_families_.size() > 1;
  const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                   .size = request.size_bytes,
                                   .usage = request.usage,
                                   .sharingMode = shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
                                   .queueFamilyIndexCount = shared ? uint32_t(queue_families_.size()) : 0,
                                   .pQueueFamilyIndices = shared ? queue_families_.data() : nullptr};
  Result<Buffer> buffer = host_.allocate != nullptr ? from_host(info, request.use) : from_blocks(info, request.use);
  if (!buffer) return named(buffer.error(), request, name);
  table_.name_object(VK_OBJECT_TYPE_BUFFER, buffer->handle(), name);
  if ((request.usage & VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT) == 0) return buffer;
  if (Status status = make_texels(*buffer, name); !status) return named(status.error(), request, name);
  return buffer;
}

/// A view of the whole buffer, or as much of it as the device's limit allows.
Status BufferAllocator::make_texels(Buffer& buffer, const std::string& name) {
  const VkBufferViewCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
      .buffer = buffer.handle(),
      .format = VK_FORMAT_R32G32B32A32_SFLOAT,
      .offset = 0,
      .range = std::min(buffer.size_bytes() / kTexelBytes * kTexelBytes, table_.max_texel_buffer_bytes)};
  VkBufferView view = VK_NULL_HANDLE;
  const VkResult result = table_.CreateBufferView(table_.device, &info, table_.allocation_callbacks(), &view);
  if (result != VK_SUCCESS) return vulkan_error("vkCreateBufferView", result);
  buffer.texels_ = {table_, view, table_.DestroyBufferView};
  table_.name_object(VK_OBJECT_TYPE_BUFFER_VIEW, view, name + ".texels");
  return {};
}

VkDeviceSize BufferAllocator::block_bytes() const {
  VkDeviceSize sum = 0;
  for (const auto& block : blocks_) sum += block->size_bytes;
  return sum;
}

Result<Buffer> BufferAllocator::from_host(const VkBufferCreateInfo& info, BufferUse use) {
  Allocation allocation;
  const VkResult result = host_.allocate(host_.user_data, info, use, &allocation);
  if (result != VK_SUCCESS) return vulkan_error("the host's allocator", result);
  Buffer buffer(*this, allocation, {}, info.size);
  if (allocation.buffer == VK_NULL_HANDLE || (use != BufferUse::kDevice && allocation.mapped == nullptr)) {
    return Error{ErrorCode::kInvalidArgument, "the host's allocator gave no buffer, or one that is not mapped"};
  }
  if (use != BufferUse::kDevice && !is_aligned(allocation.mapped)) {
    return Error{ErrorCode::kInvalidArgument,
                 "the host's allocator mapped the buffer at an address that is no multiple of " +
                     std::to_string(kMappedAlignment) + " bytes"};
  }
  return buffer;
}

Result<Buffer> BufferAllocator::from_blocks(const VkBufferCreateInfo& info, BufferUse use) {
  VkBuffer created = VK_NULL_HANDLE;
  VkResult result = table_.CreateBuffer(table_.device, &info, table_.allocation_callbacks(), &created);
  if (result != VK_SUCCESS) return vulkan_error("vkCreateBuffer", result);
  Owned<VkBuffer> owned(table_, created, table_.DestroyBuffer);

  VkMemoryRequirements needs;
  table_.GetBufferMemoryRequirements(table_.device, created, &needs);
  if (use != BufferUse::kDevice) needs.alignment = std::max<VkDeviceSize>(needs.alignment, kMappedAlignment);
  Result<Suballocation> suballocation = find_suballocation(use, needs);
  if (!suballocation) return suballocation.error();
  const MemoryBlock& block = *suballocation->block;
  void* const mapped = block.mapped == nullptr ? nullptr : block.mapped + suballocation->offset;
  const VkMemoryPropertyFlags properties = table_.memory.memoryTypes[block.type].propertyFlags;
  Buffer buffer(*this, {owned.release(), mapped, nullptr, properties}, *suballocation, info.size);
  result = table_.BindBufferMemory(table_.device, created, block.memory.get(), suballocation->offset);
  if (result != VK_SUCCESS) return vulkan_error("vkBindBufferMemory", result);
  suballocation->block->served = true;
  return buffer;
}

Result<Suballocation> BufferAllocator::find_suballocation(BufferUse use, const VkMemoryRequirements& needs) {
  Error last{ErrorCode::kUnsupported, "no memory type of the device will do"};
  for (const MemoryPreference& preference : memory_preferences(use)) {
    for (uint32_t type = 0; type < table_.memory.memoryTypeCount; ++type) {
      const bool allowed = (needs.memoryTypeBits >> type & 1) != 0;
      if (!allowed || !satisfies(table_.memory.memoryTypes[type].propertyFlags, preference)) continue;
      Result<Suballocation> suballocation = suballocate(type, use, needs);
      if (suballocation || suballocation.error().code != ErrorCode::kOutOfMemory) return suballocation;
      last = suballocation.error();
    }
  }
  return last;
}

Result<Suballocation> BufferAllocator::suballocate(uint32_t type, BufferUse use, const VkMemoryRequirements& needs) {
  for (const auto& block : blocks_) {
    if (block->type != type || block->use != use) continue;
    if (const auto offset = block->take(needs)) return Suballocation{block.get(), *offset};
  }
  const VkDeviceSize preferred_bytes = std::max(needs.size, spare_block_bytes(use));
  Result<MemoryBlock*> block = make_block(type, use, preferred_bytes);
  const bool is_full = !block && block.error().code == ErrorCode::kOutOfMemory;
  if (is_full && preferred_bytes > needs.size) block = make_block(type, use, needs.size);
  if (!block) return block.error();
  return Suballocation{*block, *block.value()->take(needs)};
}

/// The size of a new block: a quarter of the use's blocks, within limits. The number of blocks then grows as the
/// logarithm of their bytes, until the upper limit is reached.
VkDeviceSize BufferAllocator::spare_block_bytes(BufferUse use) const {
  VkDeviceSize allocated = 0;
  for (const auto& block : blocks_) allocated += block->use == use ? block->size_bytes : 0;
  return std::min(std::clamp(allocated / 4, kMinBlockBytes, kMaxSpareBytes), table_.max_buffer_bytes);
}

Result<MemoryBlock*> BufferAllocator::make_block(uint32_t type, BufferUse use, VkDeviceSize size_bytes) {
  auto block = std::make_unique<MemoryBlock>();
  block->size_bytes = size_bytes;
  block->type = type;
  block->use = use;
  blocks_.reserve(blocks_.size() + 1);
  block->used.reserve(1);

  const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                           .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .pNext = device_address_ && use == BufferUse::kDevice ? &flags : nullptr,
                                     .allocationSize = size_bytes,
                                     .memoryTypeIndex = type};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkResult result = table_.AllocateMemory(table_.device, &info, table_.allocation_callbacks(), &memory);
  if (result != VK_SUCCESS) return vulkan_error("vkAllocateMemory", result);
  block->memory = Owned<VkDeviceMemory>(table_, memory, table_.FreeMemory);
  table_.name_object(VK_OBJECT_TYPE_DEVICE_MEMORY, memory, indexed("sinew.memory", blocks_.size()));
  if (use != BufferUse::kDevice) {
    void* mapped = nullptr;
    result = table_.MapMemory(table_.device, memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    if (result != VK_SUCCESS) return vulkan_error("vkMapMemory", result);
    if (!is_aligned(mapped)) {  // Vulkan guarantees a minMemoryMapAlignment of at least 64
      return Error{ErrorCode::kDeviceFailure, "vkMapMemory: an address that is no multiple of 64 bytes"};
    }
    block->mapped = static_cast<std::byte*>(mapped);
  }
  blocks_.push_back(std::move(block));
  return blocks_.back().get();
}

/// The last staging block stays if it is small: its memory is there already for the next mesh that is added.
void BufferAllocator::free_suballocation(const Suballocation& suballocation) {
  const MemoryBlock* const freed = suballocation.block;
  suballocation.block->give_back(suballocation.offset);
  if (!freed->used.empty()) return;
  const auto stages_too = [&](const auto& block) { return block.get() != freed && block->use == BufferUse::kStaging; };
  const bool stages = freed->served && freed->use == BufferUse::kStaging && freed->size_bytes == kMinBlockBytes;
  if (stages && std::ranges::none_of(blocks_, stages_too)) return;
  std::erase_if(blocks_, [&](const auto& block) { return block.get() == freed; });
}

void BufferAllocator::free(const Allocation& allocation, const Suballocation& suballocation) {
  if (suballocation.block == nullptr) {
    host_.free(host_.user_data, allocation);
    return;
  }
  table_.DestroyBuffer(table_.device, allocation.buffer, table_.allocation_callbacks());
  free_suballocation(suballocation);
}

}  // namespace sinew::vulkan::internal
