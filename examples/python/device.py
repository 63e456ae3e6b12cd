"""A headless Vulkan device through ctypes: one queue, command buffers, and memory to read results from. About Vulkan
only; hosts have this part already."""
import ctypes
import sys
from ctypes import POINTER, byref, c_char_p, c_float, c_int32, c_uint32, c_uint64, c_void_p, cast, pointer

API_VERSION_1_2 = 1 << 22 | 2 << 12
TRANSFER_STAGE, HOST_STAGE = 0x1000, 0x4000
TRANSFER_READ, TRANSFER_WRITE, HOST_READ = 0x800, 0x1000, 0x2000
TRANSFER_DESTINATION = 2  # usage of a buffer
MAPPED = 2 | 4            # memory: host-visible and coherent
SKIPPED = 77              # exit code


def struct(name, kind, fields):
    """A struct of Vulkan. With a kind, its VkStructureType, it begins with sType and pNext."""
    first = [("sType", c_uint32), ("pNext", c_void_p)] if kind is not None else []

    def initialize(self, **values):
        ctypes.Structure.__init__(self, **({"sType": kind} if kind is not None else {}), **values)
    return type(name, (ctypes.Structure,), {"_fields_": first + fields, "__init__": initialize})


ApplicationInfo = struct("ApplicationInfo", 0, [
    ("pApplicationName", c_char_p), ("applicationVersion", c_uint32), ("pEngineName", c_char_p),
    ("engineVersion", c_uint32), ("apiVersion", c_uint32)])
InstanceCreateInfo = struct("InstanceCreateInfo", 1, [
    ("flags", c_uint32), ("pApplicationInfo", POINTER(ApplicationInfo)), ("enabledLayerCount", c_uint32),
    ("ppEnabledLayerNames", c_void_p), ("enabledExtensionCount", c_uint32), ("ppEnabledExtensionNames", c_void_p)])
QueueCreateInfo = struct("QueueCreateInfo", 2, [
    ("flags", c_uint32), ("queueFamilyIndex", c_uint32), ("queueCount", c_uint32), ("pQueuePriorities", POINTER(c_float))])
DeviceCreateInfo = struct("DeviceCreateInfo", 3, [
    ("flags", c_uint32), ("queueCreateInfoCount", c_uint32), ("pQueueCreateInfos", POINTER(QueueCreateInfo)),
    ("enabledLayerCount", c_uint32), ("ppEnabledLayerNames", c_void_p), ("enabledExtensionCount", c_uint32),
    ("ppEnabledExtensionNames", c_void_p), ("pEnabledFeatures", c_void_p)])
SubmitInfo = struct("SubmitInfo", 4, [
    ("waitSemaphoreCount", c_uint32), ("pWaitSemaphores", c_void_p), ("pWaitDstStageMask", c_void_p),
    ("commandBufferCount", c_uint32), ("pCommandBuffers", POINTER(c_void_p)), ("signalSemaphoreCount", c_uint32),
    ("pSignalSemaphores", c_void_p)])
MemoryAllocateInfo = struct("MemoryAllocateInfo", 5, [("allocationSize", c_uint64), ("memoryTypeIndex", c_uint32)])
BufferCreateInfo = struct("BufferCreateInfo", 12, [
    ("flags", c_uint32), ("size", c_uint64), ("usage", c_uint32), ("sharingMode", c_uint32),
    ("queueFamilyIndexCount", c_uint32), ("pQueueFamilyIndices", c_void_p)])
CommandPoolCreateInfo = struct("CommandPoolCreateInfo", 39, [("flags", c_uint32), ("queueFamilyIndex", c_uint32)])
CommandBufferAllocateInfo = struct("CommandBufferAllocateInfo", 40, [
    ("commandPool", c_uint64), ("level", c_uint32), ("commandBufferCount", c_uint32)])
CommandBufferBeginInfo = struct("CommandBufferBeginInfo", 42, [("flags", c_uint32), ("pInheritanceInfo", c_void_p)])
MemoryBarrier = struct("MemoryBarrier", 46, [("srcAccessMask", c_uint32), ("dstAccessMask", c_uint32)])
MemoryRequirements = struct("MemoryRequirements", None, [
    ("size", c_uint64), ("alignment", c_uint64), ("memoryTypeBits", c_uint32)])
MemoryType = struct("MemoryType", None, [("propertyFlags", c_uint32), ("heapIndex", c_uint32)])
MemoryHeap = struct("MemoryHeap", None, [("size", c_uint64), ("flags", c_uint32)])
MemoryProperties = struct("MemoryProperties", None, [
    ("memoryTypeCount", c_uint32), ("memoryTypes", MemoryType * 32), ("memoryHeapCount", c_uint32),
    ("memoryHeaps", MemoryHeap * 16)])
BufferCopy = struct("BufferCopy", None, [("srcOffset", c_uint64), ("dstOffset", c_uint64), ("size", c_uint64)])

U32, U64, PTR = c_uint32, c_uint64, c_void_p  # a handle is a pointer if commands go to it, else 64 bits
# Functions that return a VkResult, and those that return nothing.
CHECKED = {
    "vkCreateInstance": [PTR, PTR, PTR], "vkCreateDevice": [PTR, PTR, PTR, PTR], "vkCreateCommandPool": [PTR, PTR, PTR, PTR],
    "vkAllocateCommandBuffers": [PTR, PTR, PTR], "vkBeginCommandBuffer": [PTR, PTR], "vkEndCommandBuffer": [PTR],
    "vkQueueSubmit": [PTR, U32, PTR, U64], "vkQueueWaitIdle": [PTR], "vkCreateBuffer": [PTR, PTR, PTR, PTR],
    "vkAllocateMemory": [PTR, PTR, PTR, PTR], "vkBindBufferMemory": [PTR, U64, U64, U64],
    "vkMapMemory": [PTR, U64, U64, U64, U32, PTR]}
PLAIN = {
    "vkDestroyInstance": [PTR, PTR], "vkDestroyDevice": [PTR, PTR], "vkDestroyCommandPool": [PTR, U64, PTR],
    "vkFreeCommandBuffers": [PTR, U64, U32, PTR], "vkGetDeviceQueue": [PTR, U32, U32, PTR],
    "vkDestroyBuffer": [PTR, U64, PTR], "vkFreeMemory": [PTR, U64, PTR],
    "vkGetBufferMemoryRequirements": [PTR, U64, PTR], "vkGetPhysicalDeviceMemoryProperties": [PTR, PTR],
    "vkCmdCopyBuffer": [PTR, U64, U64, U32, PTR],
    "vkCmdPipelineBarrier": [PTR, U32, U32, U32, U32, PTR, U32, PTR, U32, PTR]}


def load_vulkan():
    try:
        vk = ctypes.CDLL("libvulkan.so.1")
    except OSError:
        sys.exit(skip("libvulkan.so.1 was not found"))
    for name, parameters in [*CHECKED.items(), *PLAIN.items()]:
        function = getattr(vk, name)
        function.argtypes, function.restype = parameters, c_int32 if name in CHECKED else None
        if name in CHECKED:
            function.errcheck = check
    return vk


def check(result, function, _):
    if result != 0:
        raise RuntimeError(f"{function.__name__}: VkResult {result}")
    return result


def skip(why):
    print(f"SKIPPED: {why}")
    return SKIPPED


class Device:
    def __init__(self):
        self.vk = load_vulkan()
        self.instance, self.physical_device, self.device, self.queue = (c_void_p() for _ in range(4))
        self.pool = c_uint64()
        application = ApplicationInfo(apiVersion=API_VERSION_1_2)
        self.vk.vkCreateInstance(byref(InstanceCreateInfo(pApplicationInfo=pointer(application))), None, byref(self.instance))
        count = c_uint32(1)
        self.vk.vkEnumeratePhysicalDevices(self.instance, byref(count), byref(self.physical_device))
        if count.value == 0:
            sys.exit(skip("there is no Vulkan device"))
        queue = QueueCreateInfo(queueCount=1, pQueuePriorities=pointer(c_float(1)))
        info = DeviceCreateInfo(queueCreateInfoCount=1, pQueueCreateInfos=pointer(queue))
        self.vk.vkCreateDevice(self.physical_device, byref(info), None, byref(self.device))
        self.vk.vkGetDeviceQueue(self.device, 0, 0, byref(self.queue))
        self.vk.vkCreateCommandPool(self.device, byref(CommandPoolCreateInfo()), None, byref(self.pool))
        self.get_instance_proc_addr = cast(self.vk.vkGetInstanceProcAddr, c_void_p)

    def destroy(self):
        self.vk.vkDestroyCommandPool(self.device, self.pool, None)
        self.vk.vkDestroyDevice(self.device, None)
        self.vk.vkDestroyInstance(self.instance, None)

    def run(self, record):
        """Calls record(cmd), submits the commands, and waits."""
        cmd = c_void_p()
        allocate = CommandBufferAllocateInfo(commandPool=self.pool, commandBufferCount=1)
        self.vk.vkAllocateCommandBuffers(self.device, byref(allocate), byref(cmd))
        self.vk.vkBeginCommandBuffer(cmd, byref(CommandBufferBeginInfo()))
        record(cmd)
        self.vk.vkEndCommandBuffer(cmd)
        self.vk.vkQueueSubmit(self.queue, 1, byref(SubmitInfo(commandBufferCount=1, pCommandBuffers=pointer(cmd))), 0)
        self.vk.vkQueueWaitIdle(self.queue)
        self.vk.vkFreeCommandBuffers(self.device, self.pool, 1, byref(cmd))

    def read(self, slices, record=None):
        """Calls record(cmd), if given; then the bytes of slices (buffer, offset, size) of buffers on the device."""
        total = max(sum(size for _, _, size in slices), 1)
        buffer, memory, mapped = c_uint64(), c_uint64(), c_void_p()
        info = BufferCreateInfo(size=total, usage=TRANSFER_DESTINATION)
        self.vk.vkCreateBuffer(self.device, byref(info), None, byref(buffer))
        needs = MemoryRequirements()
        self.vk.vkGetBufferMemoryRequirements(self.device, buffer, byref(needs))
        allocate = MemoryAllocateInfo(allocationSize=needs.size, memoryTypeIndex=self._mapped_type(needs.memoryTypeBits))
        self.vk.vkAllocateMemory(self.device, byref(allocate), None, byref(memory))
        self.vk.vkBindBufferMemory(self.device, buffer, memory, 0)
        self.vk.vkMapMemory(self.device, memory, 0, total, 0, byref(mapped))

        def copy(cmd):
            if record:
                record(cmd)
            at = 0
            for source, offset, size in slices:
                self.vk.vkCmdCopyBuffer(cmd, source, buffer, 1, byref(BufferCopy(srcOffset=offset, dstOffset=at, size=size)))
                at += size
            barrier = MemoryBarrier(srcAccessMask=TRANSFER_WRITE, dstAccessMask=HOST_READ)
            self.vk.vkCmdPipelineBarrier(cmd, TRANSFER_STAGE, HOST_STAGE, 0, 1, byref(barrier), 0, None, 0, None)
        self.run(copy)
        data = ctypes.string_at(mapped, total)
        self.vk.vkDestroyBuffer(self.device, buffer, None)
        self.vk.vkFreeMemory(self.device, memory, None)
        return data

    def _mapped_type(self, allowed):
        memory = MemoryProperties()
        self.vk.vkGetPhysicalDeviceMemoryProperties(self.physical_device, byref(memory))
        for i in range(memory.memoryTypeCount):
            if allowed >> i & 1 and memory.memoryTypes[i].propertyFlags & MAPPED == MAPPED:
                return i
        raise RuntimeError("the device has no mapped memory")
