#!/usr/bin/env python3
"""A crowd in Python: a character file becomes a picture, through libsinew-c alone.

The plan of each frame says what to play, to skin and to draw. The device skins; every vertex is read back and compared
with the CPU skinner, and a small rasterizer draws the last frame.
"""
import argparse
import ctypes
import math
import operator
import os
import sys
import time
from ctypes import POINTER, byref, c_float, c_uint32, pointer

import sinew
from device import TRANSFER_READ, TRANSFER_STAGE, Device
from picture import TO_SUN, Camera, Picture, light_tables, shade_of

SLOTS, VERTEX_FLOATS = 2, 6  # frame slots; floats of a vertex of FORMAT_FLOAT: position, normal
MAX_ERROR = 1e-5             # of the diagonal of a character
SPACING = 1.25               # meters


class Crowd:
    """A character, where its instances are and what they play."""
    def __init__(self, lib, path, count):
        self.lib, self.count = lib, count
        name = os.fsencode(path)
        if path.endswith(".sinew"):
            self.character = lib.get("character_load", sinew.Character, name)
        else:
            self.character = lib.get("character_import", sinew.Character, name, None)
        lib.character_to_meters(self.character)
        lib.character_bake(self.character, None)
        try:
            lib.character_make_levels(self.character, None, 0)
        except sinew.Failure as failure:  # a library without import draws the full mesh everywhere
            print(failure)
        self.info = lib.get("character_info", sinew.CharacterInfo, self.character)
        self.meshes = [lib.get("character_mesh", sinew.Mesh, self.character, i) for i in range(self.info.level_count)]
        self.evaluator = lib.get("evaluator_create", sinew.Evaluator, self.character)
        described = sinew.PlannerModel(character=self.character)
        planner = sinew.PlannerInfo(model_count=1, models=pointer(described))
        self.planner = lib.get("planner_create", sinew.Planner, byref(planner))
        self.world_from_model = (sinew.Matrix3x4 * count)(*map(self.place, range(count)))
        self.characters = (c_uint32 * count)()
        self.player, self.seconds = lib.get("player_create", sinew.Player, self.character, count, 0), 0
        self.playbacks = lib.get("player_playbacks", POINTER(sinew.Playback), self.player)
        self.play()

    def destroy(self):
        self.lib.player_destroy(self.player)
        self.lib.planner_destroy(self.planner)
        self.lib.evaluator_destroy(self.evaluator)
        self.lib.character_destroy(self.character)

    def place(self, i):
        """Instance i stands in a row, a little turned."""
        columns = math.ceil(math.sqrt(self.count * 1.6))
        row, column = divmod(i, columns)
        x = (column - (columns - 1) / 2 + 0.35 * math.sin(i * 5.3) + 0.5 * (row % 2)) * SPACING
        z = -(row + 0.25 * math.sin(i * 3.1)) * SPACING * 1.15
        c, s = math.cos(0.7 * math.sin(i * 2.4)), math.sin(0.7 * math.sin(i * 2.4))
        rows = (c, 0, s, x), (0, 1, 0, 0), (-s, 0, c, z)
        return sinew.Matrix3x4(tuple((c_float * 4)(*values) for values in rows))

    def play(self):
        """Each instance plays one of the clips, from a time of its own."""
        for i in range(self.count if self.info.clip_count else 0):
            options = sinew.PlayOptions(start_seconds=i * 0.618 % 1 * 4)
            self.lib.player_play(self.player, i, (i * 5 + i // 7) % self.info.clip_count, byref(options))

    def plan(self, camera, seconds):
        self.lib.player_advance(self.player, seconds - self.seconds)
        self.seconds = seconds
        instances = sinew.Instances(
            count=self.count, models=self.characters, world_from_model=self.world_from_model, playbacks=self.playbacks)
        view = sinew.View((c_float * 16)(*camera.clip_from_world()), (c_float * 3)(*camera.eye), camera.focal)
        frame = sinew.CrowdFrame(seconds=seconds, view_count=1, views=pointer(view))
        self.lib.planner_plan(self.planner, byref(instances), byref(frame), None)
        return self.lib.get("planner_last", sinew.Plan, self.planner)


class Skinner:
    """Skins what a plan updates."""
    def __init__(self, lib, device, crowd):
        self.lib, self.device, self.crowd, self.number = lib, device, crowd, 0
        info = sinew.SkinnerInfo(
            instance=device.instance, physical_device=device.physical_device, device=device.device,
            get_instance_proc_addr=device.get_instance_proc_addr, format=sinew.FORMAT_FLOAT, frames_in_flight=SLOTS,
            update_groups=sinew.UPDATE_GROUPS, consumer_stages=TRANSFER_STAGE, consumer_accesses=TRANSFER_READ)
        self.skinner = lib.get("skinner_create", sinew.Skinner, byref(info))
        self.meshes = []  # of each level of detail
        for mesh in crowd.meshes:
            add = sinew.AddMesh(mesh=pointer(mesh), palette_size=crowd.info.palette_size, name=crowd.info.name)
            self.meshes.append(lib.get("skinner_add_mesh", c_uint32, self.skinner, byref(add)).value)

    def destroy(self):
        self.lib.skinner_destroy(self.skinner)

    def skin(self, plan):
        """Skins the groups that are updated in this frame, and returns their posed meshes as read() does."""
        self.number += 1
        frame = sinew.SkinnerFrame(number=self.number)  # run() waits
        self.lib.skinner_begin_frame(self.skinner, byref(frame))
        for g in range(plan.group_count):
            if plan.groups[g].updated:
                batches = (sinew.SkinnerBatch * plan.groups[g].batch_count)(
                    *((self.meshes[batch.level], batch.mesh_count) for batch in batches_of(plan, g)))
                prepare = sinew.PrepareInfo(group=g, batches=batches, batch_count=len(batches))
                self.lib.skinner_prepare(self.skinner, byref(prepare))
                for _, first, part in self.ranges(plan, g):
                    self.evaluate(plan, first, part.instance_count, part.palettes, part.palette_stride)
        updated = [g for g in range(plan.group_count) if plan.groups[g].updated]
        return self.read(plan, updated, lambda cmd: self.lib.skinner_record(self.skinner, cmd, None))

    def evaluate(self, plan, first, count, palettes, stride):
        info = sinew.EvaluateInfo(instance_count=count, playbacks=pointer(plan.playbacks[first]), palettes=palettes,
                                  palette_count=count * stride, palette_stride=stride)
        self.lib.evaluator_evaluate(self.crowd.evaluator, byref(info))

    def ranges(self, plan, group):
        """Batch, first posed mesh and range, of each range of an update group."""
        for i in range(self.lib.get("skinner_range_count", c_uint32, self.skinner, group).value):
            part = self.lib.get("skinner_range", sinew.Range, self.skinner, group, i)
            batch = plan.batches[plan.groups[group].first_batch + part.batch]
            yield batch, batch.first_mesh + part.first_instance, part

    def read(self, plan, groups, record=None):
        """Batch, number and vertices, as floats, of each posed mesh of these update groups."""
        found = [entry for g in groups if plan.groups[g].batch_count for entry in self.ranges(plan, g)]
        sizes = [part.instance_count * part.vertex_count * part.vertex_bytes for _, _, part in found]
        data = memoryview(self.device.read(
            [(part.vertices, part.vertices_offset, size) for (_, _, part), size in zip(found, sizes)], record))
        at = 0
        for batch, first, part in found:
            size = part.vertex_count * part.vertex_bytes
            for i in range(part.instance_count):
                yield batch, first + i, data[at:at + size].cast("f").tolist()
                at += size


def batches_of(plan, group):
    of = plan.groups[group]
    return [plan.batches[i] for i in range(of.first_batch, of.first_batch + of.batch_count)]


def largest_error(crowd, skinner, plan, posed_meshes):
    """The largest distance of a skinned vertex from the CPU skinner's, as a share of the diagonal; and their number."""
    bounds = crowd.lib.get("character_bounds", sinew.Bounds, crowd.character).rest
    diagonal, largest, vertices = math.dist(bounds.low, bounds.high), 0.0, 0
    palette = (sinew.Matrix3x4 * crowd.info.palette_size)()
    for batch, posed_mesh, skinned in posed_meshes:
        mesh = crowd.meshes[batch.level]
        expected = (c_float * (3 * mesh.vertex_count))()
        skinner.evaluate(plan, posed_mesh, 1, palette, len(palette))
        crowd.lib.skin_on_cpu(byref(mesh), palette, len(palette), None, expected, None)
        differences = (map(operator.sub, skinned[i::VERTEX_FLOATS], expected[i::3]) for i in range(3))
        distances = list(map(math.hypot, *differences))
        vertices += len(distances)
        largest = max(largest, max(distances)) if not math.isnan(sum(distances)) else math.inf
    return largest / diagonal, vertices


def textures_of(crowd):
    """For each part of the mesh its material as the picture draws it: width, height, texels, light."""
    textures = []
    for index in range(crowd.info.part_count):
        part = crowd.lib.get("character_part", sinew.Part, crowd.character, 0, index)
        material = crowd.lib.get("character_material", sinew.Material, crowd.character, part.material)
        width, height, texels = 1, 1, bytes(4 * [255])
        if material.base_color_texture.image >= 0:
            image = crowd.lib.get("character_image", sinew.Image, crowd.character, material.base_color_texture.image)
            width, height, texels = image.width, image.height, ctypes.string_at(image.rgba, 4 * image.width * image.height)
        textures.append((width, height, texels, light_tables(material.base_color)))
    return textures


def draw(crowd, plan, posed_meshes, camera):
    picture, textures = Picture(camera), textures_of(crowd)
    for batch, number, vertices in posed_meshes:
        mesh, posed = crowd.meshes[batch.level], plan.posed_meshes[number]
        positions = [v for i in range(0, len(vertices), VERTEX_FLOATS) for v in vertices[i:i + 3]]
        normals = list(zip(vertices[3::VERTEX_FLOATS], vertices[4::VERTEX_FLOATS], vertices[5::VERTEX_FLOATS]))
        for at in range(posed.first_instance, posed.first_instance + posed.instance_count):
            world = crowd.world_from_model[plan.instances[at]].m
            # The sun in model space, and the ground below each vertex along its light.
            sun = [sum(world[row][column] * TO_SUN[row] for row in range(3)) for column in range(3)]
            flat = [[world[row][i] - TO_SUN[row] / TO_SUN[1] * world[1][i] for i in range(4)] for row in range(3)]
            indices = mesh.indices[:mesh.index_count]
            picture.add_shadow(picture.project(positions, flat), indices)
            points, shades = picture.project(positions, world), [shade_of(normal, sun) for normal in normals]
            for index, texture in enumerate(textures):
                part = crowd.lib.get("character_part", sinew.Part, crowd.character, batch.level, index)
                uvs = [uv * size for i in range(mesh.vertex_count)
                       for uv, size in zip(mesh.uvs[2 * i:2 * i + 2], texture[:2])]
                picture.draw(points, shades, uvs, indices[part.first_index:part.first_index + part.index_count], texture)
    picture.add_ground()
    return picture


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", default=os.path.join(here, "..", "..", "assets", "character.glb"),
                        help="a character file; by default the built-in character")
    parser.add_argument("--library", default="libsinew-c.so.0.1", help="the shared library of the C interface")
    parser.add_argument("--count", type=int, default=150, help="instances")
    parser.add_argument("--frames", type=int, default=4, help="30 a second; the last one is drawn")
    parser.add_argument("--start", type=float, default=0, help="time of the first frame, in seconds")
    parser.add_argument("--size", default="960x540", help="of the picture; WIDTHxHEIGHT")
    parser.add_argument("--turn", type=float, default=-14, help="of the camera around the crowd, in degrees")
    parser.add_argument("--output", default="crowd.png")
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    turn, target = math.radians(options.turn), (0.2, 0.6, -3.0)
    eye = target[0] + 8.3 * math.sin(turn), 2.6, target[2] + 8.3 * math.cos(turn)
    camera = Camera(eye, target, field_of_view=0.62, width=width, height=height)

    lib, device = sinew.Library(options.library), Device()
    crowd = Crowd(lib, options.file, options.count)
    skinner = Skinner(lib, device, crowd)
    for frame in range(1, options.frames + 1):
        plan = crowd.plan(camera, options.start + frame / 30)
        error, vertices = largest_error(crowd, skinner, plan, skinner.skin(plan))
        print(f"frame {frame}: {plan.visible} of {crowd.count} instances visible, {plan.updated_meshes} skinned, "
              f"{vertices} vertices, largest error {error:.2g} of the diagonal")
        if not error <= MAX_ERROR:
            sys.exit(f"{sys.argv[0]}: the device's vertices are not the CPU skinner's")
    started = time.monotonic()
    draw(crowd, plan, skinner.read(plan, range(plan.group_count)), camera).write(options.output)
    print(f"{options.output}: {width} x {height}, drawn in {time.monotonic() - started:.1f} s")
    skinner.destroy()
    crowd.destroy()
    device.destroy()


if __name__ == "__main__":
    try:
        main()
    except (sinew.Failure, OSError) as failure:  # OSError: no library, no file to write
        sys.exit(f"{sys.argv[0]}: {failure}")
