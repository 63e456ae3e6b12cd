#!/usr/bin/env python3
"""usage: pages.py SOURCES LIBRARY

A host of the skinner alone through the C interface, on a device. In pages of the host vertices lie where it wants them,
and nothing beside them is written. In those of the library they stay while meshes come and go, frames are discarded and
batches grow. Batches that borrow palettes show them in their order. Palettes are translations by whole numbers, so that
each vertex is known to the bit.
"""
import ctypes
import os
import struct
import sys
from ctypes import byref, c_uint32, c_uint64, c_void_p, pointer

SOURCES, LIBRARY = sys.argv[1:3]
sys.path.insert(0, os.path.join(SOURCES, "examples", "python"))
import device  # noqa: E402
import sinew  # noqa: E402
from calls import run  # noqa: E402
from session import rows_and_checks  # noqa: E402
from valid_input import array, identity  # noqa: E402

VERTEX_BYTES, GROUPS, FRAMES, CHECKS_ON, UNTOUCHED, TRANSFER_SOURCE = 24, 2, 5, 1, 0x5a, 1
CORNERS = ((0, 0, 0), (1, 0, 0), (0, 1, 0))


def moved(translations):
    """The vertices of SINEW_FORMAT_FLOAT of instances that are moved."""
    return b"".join(struct.pack("6f", *(a + b for a, b in zip(corner, move)), 0, 0,
                                1) for move in translations for corner in CORNERS)


class Host:
    """A skinner, and pages of the host for each of its update groups: one buffer, with room around each page."""
    def __init__(self, valid, counts=(3, 7)):
        self.valid, self.lib, self.device, self.frame, self.counts = valid, valid.lib, valid.device, 0, list(counts)
        info = valid.skinner_info()
        info.format, info.debug_checks = sinew.FORMAT_FLOAT, CHECKS_ON
        info.frames_in_flight, info.update_groups = 2, GROUPS
        info.consumer_stages, info.consumer_accesses = device.TRANSFER_STAGE, device.TRANSFER_READ
        self.skinner = self.lib.get("skinner_create", sinew.Skinner, byref(info))
        self.add = valid.add_mesh()
        self.add.mesh[0].target_count = 0
        self.mesh = self.lib.get("skinner_add_mesh", c_uint32, self.skinner, byref(self.add)).value
        prepared = self.lib.get("skinner_prepare_mesh", sinew.PreparedMesh, self.skinner, byref(self.add))
        self.spare = self.lib.get("skinner_add_prepared_mesh", c_uint32, self.skinner, prepared).value  # of no frame
        self.lib.prepared_mesh_destroy(prepared)
        self.pages = None

    def batches(self, group):
        return array(sinew.SkinnerBatch, [(self.mesh, self.counts[group])])

    def make_pages(self):
        """In mapped memory, each at a multiple of its alignment."""
        self.needs, self.pages, self.size, usage = [], [], 0, TRANSFER_SOURCE
        for group in range(GROUPS):
            needs, count = sinew.PageRequirements(), c_uint32(1)
            self.lib.skinner_page_requirements(self.skinner, self.batches(group), 1, byref(needs), byref(count))
            self.pages.append(sinew.Page(0, (self.size // needs.alignment + 1) * needs.alignment))
            self.size, usage = self.pages[-1].offset + needs.size_bytes + 1024, usage | needs.usage
            self.needs.append(needs)
        vk, of, memory, mapped = self.device.vk, self.device.device, c_uint64(), c_void_p()
        self.buffer, needs = c_uint64(), device.MemoryRequirements()
        vk.vkCreateBuffer(of, byref(device.BufferCreateInfo(size=self.size, usage=usage)), None, byref(self.buffer))
        vk.vkGetBufferMemoryRequirements(of, self.buffer, byref(needs))
        kind = self.device._mapped_type(needs.memoryTypeBits)
        vk.vkAllocateMemory(of, byref(device.MemoryAllocateInfo(allocationSize=needs.size, memoryTypeIndex=kind)),
                            None, byref(memory))
        vk.vkBindBufferMemory(of, self.buffer, memory, 0)
        vk.vkMapMemory(of, memory, 0, self.size, 0, byref(mapped))
        ctypes.memset(mapped, UNTOUCHED, self.size)
        self.memory, self.mapped = memory, mapped
        for page in self.pages:
            page.buffer = self.buffer.value

    def begin(self):
        self.frame += 1
        frame = sinew.SkinnerFrame(number=self.frame)
        if self.pages:
            frame.explicit_slot, frame.slot, frame.last_completed = 1, self.frame % 2, self.frame - 1
        self.lib.skinner_begin_frame(self.skinner, byref(frame))

    def prepare(self, group, pages=None):
        batches = self.batches(group)
        info = sinew.PrepareInfo(group=group, batches=batches, batch_count=len(batches))
        if pages:
            info.pages, info.page_count = pages, 1
        self.lib.skinner_prepare(self.skinner, byref(info))

    def range(self, group, index=0):
        return self.lib.get("skinner_range", sinew.Range, self.skinner, group, index)

    def write(self, group, pose):
        part = self.range(group)
        for i in range(part.instance_count):
            for row in range(3):
                part.palettes[i * part.palette_stride].m[row][:] = identity().m[row][:3] + [(pose, group, i)[row]]

    def update(self, pose, groups):
        self.begin()
        for group in groups:
            self.prepare(group, self.pages and pointer(self.pages[group]))
            self.write(group, pose)
        self.lib.skinner_check_palettes(self.skinner)

    def discard(self, pose, groups):
        """A frame that is not submitted: its uploads, and the groups that it skins, are due in the next one."""
        self.update(pose, groups)
        self.lib.skinner_record(self.skinner, self.valid.commands(), None)
        self.lib.skinner_discard_frame(self.skinner)
        self.valid.release()

    def skin(self, pose, groups):
        """The vertices of all groups."""
        self.update(pose, groups)
        return self.read()

    def read(self, ranges=((0, 0), (1, 0))):
        parts = [self.range(*of) for of in ranges]
        sizes = [part.instance_count * len(CORNERS) * VERTEX_BYTES for part in parts]
        data = self.device.read([(part.vertices, part.vertices_offset, size) for part, size in zip(parts, sizes)],
                                lambda cmd: self.lib.skinner_record(self.skinner, cmd, None))
        return [data[sum(sizes[:i]):sum(sizes[:i + 1])] for i in range(len(parts))]

    def memory_usage(self):
        return self.lib.get("skinner_memory_usage", sinew.MemoryUsage, self.skinner)

    def destroy(self):
        self.lib.skinner_destroy(self.skinner)
        if self.pages:
            self.device.vk.vkDestroyBuffer(self.device.device, self.buffer, None)
            self.device.vk.vkFreeMemory(self.device.device, self.memory, None)


def expected(host, group, pose):
    return moved((pose, group, i) for i in range(host.counts[group]))


def check_pages(session):
    """In even frames only the first group is updated: the vertices of the second stay. Before each frame the skinner
    with the library's pages discards another one."""
    own, theirs, poses = Host(session.valid), Host(session.valid), [0, 0]
    theirs.make_pages()
    for frame in range(1, FRAMES + 1):
        groups = (0,) if frame % 2 == 0 else (0, 1)
        for group in groups:
            poses[group] = frame
        own.discard(frame + 1, groups)
        for host in own, theirs:
            for group, found in enumerate(host.skin(frame, groups)):
                session.check(found == expected(host, group, poses[group]),
                              f"frame {frame}: other vertices in group {group}")
                at = host.range(group)
                is_theirs = (at.vertices, at.vertices_offset) == (theirs.buffer.value, theirs.pages[group].offset)
                session.check(is_theirs == (host is theirs), "vertices in the pages of another")
        data, at = ctypes.string_at(theirs.mapped, theirs.size), 0
        for page, needs in zip(theirs.pages, theirs.needs):
            session.check(set(data[at:page.offset]) == {UNTOUCHED}, "bytes before a page are written")
            at = page.offset + needs.size_bytes
        session.check(set(data[at:]) == {UNTOUCHED}, "bytes after the pages are written")
        if frame == 1:
            usage = own.memory_usage()
            own.lib.skinner_remove_mesh(own.skinner, own.spare)
    session.check(own.memory_usage().mesh_bytes == usage.mesh_bytes / 2 and usage.mesh_bytes > 0,
                  "memory of a removed mesh")
    session.check(usage.skinned_bytes > 0 and theirs.memory_usage().skinned_bytes == 0, "memory of pages")
    own.destroy(), theirs.destroy()


def check_mesh_buffers(session):
    """The static data of a mesh on the device begins with a position and a normal in 16 bytes for each vertex."""
    host = Host(session.valid)
    host.skin(1, (0, 1))
    for mesh in host.mesh, host.spare:
        at = host.lib.get("skinner_mesh_buffer", sinew.MeshBuffer, host.skinner, mesh)
        data = host.device.read([(at.buffer, at.offset, at.size_bytes)])
        found = [struct.unpack_from("3f", data, 16 * vertex) for vertex in range(at.vertex_count)]
        session.check(found == list(CORNERS) and at.influence_quads == 1, f"a mesh of {found}")
        session.check(at.morph_blocks == 0 and at.weights_row == 0, "a mesh with targets")
    host.destroy()


def check_growth(session):
    """Batches that grow from frame to frame. Where room is reserved the vertex buffers are made once."""
    for reserves in False, True:
        host = Host(session.valid, (1, 1))
        for group in range(GROUPS if reserves else 0):
            host.lib.skinner_reserve(host.skinner, group, array(sinew.SkinnerBatch, [(host.mesh, 7)]), 1)
        for count in (1, 3, 5, 7):
            host.counts = [count] * GROUPS
            found = host.skin(count, (0, 1))
            session.check(found == [expected(host, group, count) for group in range(GROUPS)], f"vertices of {count}")
            changes = host.lib.get("skinner_buffer_changes", c_uint64, host.skinner).value
            session.check(changes == GROUPS if reserves else changes >= GROUPS, f"{changes} buffers")
        session.check((changes == GROUPS) == reserves, f"{changes} buffers in the end")
        host.destroy()


def check_borrowing(session):
    """A second batch shows the palettes of the first in another order."""
    host, worn = Host(session.valid, (5, 0)), (4, 0, 2)
    second = sinew.SkinnerBatch(host.spare, len(worn), 1, 1, array(c_uint32, worn))
    batches = array(sinew.SkinnerBatch, [(host.mesh, 5), second])
    host.batches = lambda group: batches
    host.begin()
    try:
        host.prepare(0)
        session.check(False, "a batch borrows its own palettes")
    except sinew.Failure as failure:
        session.check("batch 1, palettes of batch 1: that batch is not before" in str(failure), str(failure))
    batches[1].palettes_of = 0
    host.prepare(0)
    host.write(0, 2)
    hats = host.range(0, 1)
    session.check(not hats.palettes and hats.palette_stride == 0 and hats.instance_count == 3, "palettes of its own")
    found = host.read(((0, 0), (0, 1)))
    session.check(found == [moved((2, 0, i) for i in range(5)), moved((2, 0, i) for i in worn)], "other palettes")
    counters = host.lib.get("skinner_counters", sinew.SkinnerCounters, host.skinner)
    session.check(counters.skinned_vertices == 8 * len(CORNERS), f"{counters.skinned_vertices} vertices are skinned")
    host.destroy()


if __name__ == "__main__":
    checks = check_pages, check_mesh_buffers, check_growth, check_borrowing
    sys.exit(run(rows_and_checks({}, *checks), SOURCES, LIBRARY))
