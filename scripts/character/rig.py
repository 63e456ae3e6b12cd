"""The skeleton: joint positions in meters, in Blender axes.

Z is up, the character faces -Y and its left side is +X. The rest pose is an
A-pose with the arms 45 degrees below the horizontal: halfway between hanging
and raised, so neither extreme has to stretch the shoulder far.
"""

import bpy
import numpy as np

# Arm frame of the left side: along the arm, towards the thumb, out of the palm.
ARM = np.array([0.70710678, 0.0, -0.70710678])
THUMBWARD = np.array([0.0, -1.0, 0.0])
PALMWARD = np.array([-0.70710678, 0.0, -0.70710678])

SHOULDER = np.array([0.172, 0.012, 1.372])
UPPER_ARM = 0.265
FOREARM = 0.240
ELBOW = SHOULDER + ARM * UPPER_ARM
WRIST = ELBOW + ARM * FOREARM

HIP = np.array([0.092, 0.005, 0.885])
KNEE = np.array([0.098, -0.008, 0.475])
ANKLE = np.array([0.103, 0.022, 0.095])
BALL = np.array([0.103, -0.100, 0.028])
TOE_TIP_Y = -0.190
HEEL_Y = 0.090

HAND_SCALE = 1.1
# finger: (along the arm, towards the thumb), direction (along, thumbward, palmward), lengths
FINGERS = {
    "index": ((0.088, 0.0315), (1.0, 0.06, 0.10), (0.035, 0.024, 0.019)),
    "middle": ((0.092, 0.0105), (1.0, 0.01, 0.10), (0.039, 0.026, 0.020)),
    "ring": ((0.089, -0.0105), (1.0, -0.05, 0.10), (0.036, 0.024, 0.019)),
    "pinky": ((0.080, -0.0315), (1.0, -0.12, 0.10), (0.028, 0.019, 0.016)),
}
THUMB = ((0.034, 0.036, 0.010), (0.70, 0.62, 0.34), (0.040, 0.031, 0.024))


def hand_point(along, thumbward, palmward):
    """A point of the left hand, given in the hand's own frame from the wrist."""
    return WRIST + HAND_SCALE * (ARM * along + THUMBWARD * thumbward + PALMWARD * palmward)


def hand_direction(along, thumbward, palmward):
    d = ARM * along + THUMBWARD * thumbward + PALMWARD * palmward
    return d / np.linalg.norm(d)


def _left_side():
    rows = [
        ("clavicle_l", "spine_3", (0.022, 0.0, 1.385), SHOULDER),
        ("upper_arm_l", "clavicle_l", SHOULDER, SHOULDER + ARM * UPPER_ARM * 0.5),
        ("upper_arm_twist_l", "upper_arm_l", SHOULDER + ARM * UPPER_ARM * 0.5, ELBOW),
        ("forearm_l", "upper_arm_twist_l", ELBOW, ELBOW + ARM * FOREARM * 0.5),
        ("forearm_twist_l", "forearm_l", ELBOW + ARM * FOREARM * 0.5, WRIST),
        ("hand_l", "forearm_twist_l", WRIST, hand_point(0.08, 0, 0)),
    ]
    chains = {"thumb": (hand_point(*THUMB[0]), THUMB[1], THUMB[2])}
    for name, (base, direction, lengths) in FINGERS.items():
        chains[name] = (hand_point(base[0], base[1], 0.0), direction, lengths)
    for name, (base, direction, lengths) in chains.items():
        d, at, parent = hand_direction(*direction), np.array(base), "hand_l"
        for i, length in enumerate(lengths, 1):
            end = at + d * length * HAND_SCALE
            rows.append((f"{name}_{i}_l", parent, at, end))
            at, parent = end, f"{name}_{i}_l"
    rows += [
        ("thigh_l", "pelvis", HIP, KNEE),
        ("shin_l", "thigh_l", KNEE, ANKLE),
        ("foot_l", "shin_l", ANKLE, BALL),
        ("toe_l", "foot_l", BALL, (BALL[0], TOE_TIP_Y, 0.028)),
    ]
    return rows


def _mirrored(name):
    return name[:-2] + "_r" if name.endswith("_l") else name


def joint_table():
    """Rows (name, parent, head, tail); every parent stands before its children."""
    rows = [
        ("root", None, (0, 0, 0), (0, -0.2, 0)),
        ("pelvis", "root", (0, 0.005, 0.93), (0, 0.005, 1.01)),
        ("spine_1", "pelvis", (0, 0.005, 1.01), (0, 0.008, 1.12)),
        ("spine_2", "spine_1", (0, 0.008, 1.12), (0, 0.010, 1.24)),
        ("spine_3", "spine_2", (0, 0.010, 1.24), (0, 0.010, 1.425)),
        ("neck", "spine_3", (0, 0.010, 1.425), (0, 0.000, 1.500)),
        ("head", "neck", (0, 0.000, 1.500), (0, 0.000, 1.740)),
        ("backpack", "spine_3", (0, 0.12, 1.36), (0, 0.16, 1.12)),
        ("scarf_1", "spine_3", (0.048, -0.098, 1.435), (0.058, -0.140, 1.335)),
        ("scarf_2", "scarf_1", (0.058, -0.140, 1.335), (0.064, -0.146, 1.225)),
    ]
    left = _left_side()
    rows += left
    for name, parent, head, tail in left:
        flip = np.array([-1.0, 1.0, 1.0])
        rows.append((_mirrored(name), _mirrored(parent), flip * head, flip * tail))
    return [(n, p, np.array(h, float), np.array(t, float)) for n, p, h, t in rows]


def build_armature():
    data = bpy.data.armatures.new("skeleton")
    armature = bpy.data.objects.new("skeleton", data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for name, parent, head, tail in joint_table():
        bone = data.edit_bones.new(name)
        bone.head, bone.tail = head, tail
        if parent:
            bone.parent = data.edit_bones[parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in armature.pose.bones:
        bone.rotation_mode = "QUATERNION"
    return armature
