#!/usr/bin/env python3
"""Builds Sinew's own character and exports it as .glb, .fbx and .dae.

    blender -b --factory-startup --python-exit-code 3 \\
        --python scripts/build_character.py -- [--output DIR] [--preview DIR]

Written for Blender 3.4. Everything is made here from numbers: mesh, skeleton,
weights, texture and clips. The parts are in scripts/character/.
"""

import argparse
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import bpy  # noqa: E402

from character import checks, export, mesh, motion, paint, preview, rig  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", default=os.path.join(HERE, "..", "assets"))
    parser.add_argument("--preview", help="also render pictures into this folder")
    arguments = parser.parse_args(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else [])

    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature = rig.build_armature()
    body = mesh.build_mesh()
    mesh.finish_weights(body)
    os.makedirs(arguments.output, exist_ok=True)
    texture = os.path.join(arguments.output, "character_base_color.png")
    paint.write_png(texture, paint.paint(body))
    paint.dress(body, texture)
    mesh.bind(body, armature)
    clips = motion.bake(armature)
    checks.structure(body, armature)
    checks.clips(body, armature, clips)
    export.write_all(arguments.output, armature, body, clips)
    checks.glb(os.path.join(arguments.output, "character.glb"))
    checks.sizes(arguments.output)
    if arguments.preview:
        preview.render(arguments.preview, armature, clips)


main()
