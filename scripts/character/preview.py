"""Pictures for looking at the character while working on it."""

import os

import bpy
from mathutils import Vector

from . import face


def _camera(scene):
    data = bpy.data.cameras.new("preview")
    camera = bpy.data.objects.new("preview", data)
    scene.collection.objects.link(camera)
    data.type = "ORTHO"
    scene.camera = camera
    return camera


def _look(camera, target, direction, width):
    camera.data.ortho_scale = width
    camera.location = Vector(target) + Vector(direction).normalized() * 6.0
    camera.rotation_euler = (-Vector(direction)).to_track_quat("-Z", "Y").to_euler()


def _faces(armature, camera, shot):
    for shape in face.SHAPES:
        for weight in (0.5, 1.0):
            armature[shape] = weight
            armature.update_tag()
            for view in ("front", "side", "threequarter"):
                _look(camera, (0, -0.05, 1.59), VIEWS[view], 0.30)
                shot(f"{shape}_{round(100 * weight)}_{view}")
        armature[shape] = 0.0
    armature.update_tag()


VIEWS = {"front": (0, -1, 0.05), "side": (1, 0, 0.05), "back": (0, 1, 0.05), "threequarter": (0.8, -1, 0.35),
         "back34": (-0.8, 1, 0.3), "left34": (-0.8, -1, 0.2)}


def render(folder, armature, clips, views=("front", "side", "back", "threequarter"),
           close_ups=True, frames=6, clip_views=("threequarter", "side"), size=480):
    os.makedirs(folder, exist_ok=True)
    scene = bpy.context.scene
    scene.render.engine = "BLENDER_WORKBENCH"
    shading = scene.display.shading
    shading.light, shading.color_type = "STUDIO", "TEXTURE"
    shading.show_cavity = False
    shading.show_shadows = False
    shading.show_backface_culling = True  # as the renderer does, so that holes show
    scene.display.render_aa = "8"
    scene.view_settings.view_transform = "Standard"
    scene.view_settings.exposure = 0.9
    scene.world = scene.world or bpy.data.worlds.new("world")
    shading.background_type = "VIEWPORT"
    shading.background_color = (0.32, 0.36, 0.40)
    scene.render.film_transparent = False
    camera = _camera(scene)
    # Kept beside the pictures, to turn the character around by hand.
    bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(os.path.join(folder, "character.blend")), copy=True)

    def shot(name, w=size, h=size):
        scene.render.resolution_x, scene.render.resolution_y = w, h
        scene.render.filepath = os.path.join(folder, name + ".png")
        bpy.ops.render.render(write_still=True)

    armature.animation_data.action = None
    armature.data.pose_position = "REST"
    for view in views:
        _look(camera, (0, 0, 0.88), VIEWS[view], 1.9)
        shot(f"rest_{view}", int(size * 1.2), int(size * 1.5))
    if close_ups:
        for view in ("front", "side", "threequarter", "back34"):
            _look(camera, (0, 0, 1.56), VIEWS[view], 0.52)
            shot(f"head_{view}")
        for i, d in enumerate(((0.3, -1, 0.6), (-0.7, -0.5, -0.6), (1, 0.2, 0.6))):
            _look(camera, (0.60, -0.01, 0.95), d, 0.34)
            shot(f"hand_{i}", size * 3 // 4, size * 3 // 4)
        _faces(armature, camera, shot)
    armature.data.pose_position = "POSE"
    for name, clip in clips.items():
        armature.animation_data.action = clip["action"]
        for view in clip_views:
            for i in range(frames):
                scene.frame_set(round(clip["frames"] * i / frames))
                _look(camera, (0, 0, 0.95), VIEWS[view], 2.3)
                shot(f"{name}_{view}_{i}", size * 2 // 3, size * 2 // 3)
    armature.animation_data.action = None
