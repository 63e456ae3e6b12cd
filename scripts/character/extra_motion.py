"""More clips, for a file without a mesh: seated people, applause and a march. And what a hand with a sword does."""

import math

import numpy as np

from . import rig
from .motion import CLIPS, FPS, MIRROR, SIDES, TAU, Pose, curve, dance, roll, rotation, stride, wave, wave_of
from .shell import smoothstep

FLIP = np.array([-1.0, 1.0, 1.0])
PALM = rig.hand_point(0.06, 0.0, 0.0) - rig.WRIST  # from the wrist to the middle of the palm
SOLVED = ("up", "forward", "twist", "elbow", "turn", "flex", "deviate")
STEPS, DAMPING, DEGREE = 10, 1e-4, 0.25


def _hand(pose, side):
    """Middle of the hand, and where its palm and its fingers point."""
    flip = np.ones(3) if side == "l" else FLIP
    turn, wrist = pose.world(f"hand_{side}")
    return wrist + turn @ (PALM * flip), turn @ (rig.PALMWARD * flip), turn @ (rig.ARM * flip)


def reach(pose, side, middle, palm, fingers, start, **fixed):
    """Solves the arm for a place of the hand, near the angles `start`. Directions are unit vectors. Returns the
    angles."""
    first = np.array([start[name] for name in SOLVED], float)

    def error(angles):
        pose.arm(side, **dict(zip(SOLVED, angles)), **fixed)
        at, p, f = _hand(pose, side)
        # A joint that turns by 60 degrees costs as much as 6 mm.
        return np.concatenate([(at - middle) * 20.0, (p - palm) * 0.5, (f - fingers) * 0.5, (angles - first) / 500.0])

    angles = first.copy()
    for _ in range(STEPS):
        now = error(angles)
        slopes = np.stack([(error(angles + DEGREE * unit) - now) / DEGREE for unit in np.eye(len(SOLVED))], axis=1)
        angles -= np.clip(np.linalg.solve(slopes.T @ slopes + DAMPING * np.eye(len(SOLVED)), slopes.T @ now), -25.0, 25.0)
    angles = dict(zip(SOLVED, np.round(angles, 5)))
    pose.arm(side, **angles, **fixed)
    return angles


def unit(*v):
    return np.array(v) / np.linalg.norm(v)


THIGH_LENGTH = float(np.linalg.norm(rig.KNEE - rig.HIP))
SEATED = dict(y=0.190, z=rig.KNEE[2] - rig.HIP[2] + 0.004)  # of the pelvis: hips as high as knees
RELAXED = dict(up=14.0, forward=38.0, twist=0.0, elbow=20.0, turn=-50.0, flex=30.0, deviate=0.0)
ON_THIGH = dict(curl=5.0, thumb=4.0, spread=3.0)
ABOVE_THIGH = 0.108  # meters from the thigh's axis to the middle of the hand that lies on it


def _seat(pose, bow=0.0, lean=0.0, turn=0.0):
    """Legs, and the trunk upright on the seat."""
    pose.pelvis(**SEATED, lean=0.0)
    pose.spine(bow=bow, lean=lean, turn=turn)
    for side, sign in SIDES:
        pose.plant(side, sign * 0.145, SEATED["y"] - THIGH_LENGTH + 0.015, turn=sign * 9.0)


def _hand_on_thigh(pose, side, sign):
    _, hip = pose.world(f"thigh_{side}")
    _, knee = pose.world(f"shin_{side}")
    along = (knee - hip) / np.linalg.norm(knee - hip)
    middle = hip + along * 0.76 * THIGH_LENGTH + np.array([0.006 * sign, 0.0, ABOVE_THIGH])
    fingers = unit(-0.16 * sign, -1.0, -0.10)
    down = np.array([0.0, 0.0, -1.0])
    palm = down - fingers * np.dot(down, fingers)
    return reach(pose, side, middle, palm / np.linalg.norm(palm), fingers, RELAXED, **ON_THIGH)


def sit(phase):
    """Breathes and looks around; the hands lie on the thighs."""
    p = Pose()
    breath = 0.5 - 0.5 * math.cos(TAU * phase)
    glance = wave_of(phase)
    _seat(p, bow=1.5 - 2.0 * breath, lean=0.8 * glance, turn=2.5 * glance)
    p.look(bow=2.0 + 1.0 * breath, lean=-1.0 * glance, turn=14.0 * glance)
    for side, sign in SIDES:
        _hand_on_thigh(p, side, sign)
    p.scarf(lift=1.0 * breath, sway=1.0 * wave_of(phase, -0.2))
    return p


RAISED = dict(up=24.0, forward=158.0, twist=10.0, elbow=26.0, turn=0.0, flex=0.0, deviate=0.0)


def sit_cheer(phase):
    """Throws both arms up in front of the face, pumps the fists twice, and puts the hands back."""
    p = Pose()
    up = curve(phase, [(0.0, 0.0), (0.08, 0.0), (0.28, 1.0), (0.74, 1.0), (0.94, 0.0)])
    pump = curve(phase, [(0.0, 0.0), (0.30, 0.0), (0.39, 1.0), (0.48, 0.0), (0.57, 1.0), (0.68, 0.0)])
    sway = up * wave_of(2.0 * phase)
    _seat(p, bow=1.5 - 8.0 * up + 4.0 * pump, lean=2.0 * sway, turn=2.0 * sway)
    p.look(bow=2.0 - 12.0 * up - 3.0 * pump, lean=-2.0 * sway)
    for side, sign in SIDES:
        rest = _hand_on_thigh(p, side, sign)
        raised = {**RAISED, "elbow": RAISED["elbow"] + 52.0 * pump, "forward": RAISED["forward"] - 26.0 * pump}
        # The elbows bend on the way, so that nobody in front is hit.
        on_way = math.sin(math.pi * float(np.clip(up, 0.0, 1.0)))
        angles = {name: rest[name] + (raised[name] - rest[name]) * up for name in SOLVED}
        angles["elbow"] += 62.0 * on_way
        fist = float(smoothstep(0.25, 0.8, up))
        p.arm(side, **angles, curl=5.0 + 61.0 * fist, thumb=4.0 + 30.0 * fist, spread=3.0 * (1.0 - fist),
              shrug=16.0 * up)
    p.scarf(lift=3.0 * up + 6.0 * pump, sway=2.0 * sway)
    p.pack(bow=-2.0 * up + 2.0 * pump)
    return p


CLAPS = 4
APART, TOGETHER = 0.110, 0.0285  # meters of each palm's middle from the plane between the hands
CLAPPING = dict(up=16.0, forward=28.0, twist=-30.0, elbow=78.0, turn=0.0, flex=0.0, deviate=0.0)


def clap(phase):
    """Stands and claps in front of the chest."""
    p = Pose()
    s = wave_of(phase)
    beat = math.cos(TAU * CLAPS * phase)  # -1: the hands meet
    p.pelvis(x=0.014 * s, y=0.004, z=-0.010 - 0.003 * beat, lean=-1.5 * s, bow=-1.0)
    p.spine(bow=1.5 + 0.8 * beat, lean=2.4 * s, turn=2.5 * s)
    p.look(bow=-2.0 + 1.2 * beat, lean=-1.0 * s, turn=-2.0 * s + 5.0 * wave_of(phase, -0.2))
    trunk, at = p.world("spine_3")
    apart = TOGETHER + (APART - TOGETHER) * float(np.clip(0.5 + 0.56 * beat, 0.0, 1.0))
    for side, sign in SIDES:
        fingers = unit(0.085 * sign, -0.72, 0.62)
        inward = np.array([-float(sign), 0.0, 0.0])
        palm = inward - fingers * np.dot(inward, fingers)
        middle = at + trunk @ np.array([sign * apart, -0.335, -0.085])
        reach(p, side, middle, trunk @ (palm / np.linalg.norm(palm)), trunk @ fingers, CLAPPING, curl=7.5, thumb=-25.0,
              spread=2.0)
        p.plant(side, sign * 0.118, 0.022 - 0.020 * sign, turn=sign * 11.0)
    p.scarf(lift=2.0 + 1.5 * beat, sway=1.5 * wave_of(phase, -0.25))
    return p


MARCH = {
    "length": 1.22, "stance": 0.58, "touch": -0.335,
    "tip": [(0.0, 12.0), (0.08, 0.0), (0.36, 0.0), (0.48, -17.0), (0.60, -50.0), (0.72, -30.0), (0.85, 2.0),
            (0.94, 12.0)],
    "toe": [(0.0, 5.0), (0.09, 0.0), (0.36, 0.0), (0.48, 16.0), (0.58, 33.0), (0.68, 12.0), (0.80, 3.0), (0.93, 7.0)],
    "lift": [(0.0, 0.0), (0.30, 0.105), (0.56, 0.105), (0.84, 0.030)],
}
MARCH_FRAMES = 30


def march(phase):
    """Upright, with straight arms and a higher step than a walk."""
    p = Pose()
    s, c = wave_of(phase), math.cos(TAU * phase)
    bounce = math.cos(2 * TAU * (phase - 0.04))
    p.pelvis(x=0.014 * wave_of(phase, -0.03), z=-0.033 - 0.013 * bounce, bow=0.5, lean=-2.5 * s, turn=-5.0 * c)
    p.spine(bow=-2.0 + 0.8 * bounce, lean=2.8 * s, turn=9.0 * c)
    p.look(bow=0.0, turn=-4.0 * c)
    for side, sign in SIDES:
        swing = -sign * math.cos(TAU * (phase - 0.03))
        late = -sign * math.cos(TAU * (phase - 0.08))
        p.arm(side, up=10.0, forward=9.0 + 33.0 * swing, elbow=15.0 + 7.0 * late, twist=-6.0, turn=-4.0,
              shrug_forward=3.0 * swing, curl=68.0, thumb=36.0)
        y, tip, toe, lift = stride(phase + (0.0 if side == "l" else 0.5), MARCH)
        p.plant(side, sign * 0.082, y, turn=sign * 5.0, tip=tip, toe=toe, clearance=lift)
    p.scarf(lift=4.0 + 4.0 * math.cos(2 * TAU * (phase - 0.16)), sway=3.0 * wave_of(phase, -0.12))
    p.pack(bow=1.2 * math.cos(2 * TAU * (phase - 0.12)), lean=1.0 * wave_of(phase, -0.1))
    return p


# As motion.CLIPS. Scenes take the height of a seat from the first clip that sits.
EXTRA_CLIPS = {
    "sit": (sit, 90, 0.0),
    "sit_cheer": (sit_cheer, 60, 0.0),
    "clap": (clap, 48, 0.0),
    "march": (march, MARCH_FRAMES, MARCH["length"] * FPS / MARCH_FRAMES),
}

GRIP = dict(curl=70.0, thumb=30.0)


def _close_hand(pose, outward=5.0, thumb_outward=16.0):
    """The right hand holds a sword: its fingers are closed, and the blade points past the legs."""
    fingers = Pose()
    fingers.arm("r", **GRIP)
    for name in fingers.turn:
        if name.endswith("_r") and name[:-4] in ("thumb", "index", "middle", "ring", "pinky"):
            pose.turn[name] = fingers.turn[name]
    pose.turn["upper_arm_r"] = roll(outward) @ pose.turn["upper_arm_r"]
    half = MIRROR @ rotation(rig.ARM, -0.5 * thumb_outward) @ MIRROR
    lowered = MIRROR @ rotation(rig.PALMWARD, -12.0) @ MIRROR
    pose.turn["forearm_twist_r"] = pose.turn["forearm_twist_r"] @ half
    pose.turn["hand_r"] = half @ pose.turn["hand_r"] @ lowered
    return pose


def _mirrored(pose):
    other = Pose()
    sides = {"l": "r", "r": "l"}
    for name, turn in pose.turn.items():
        name = name[:-1] + sides[name[-1]] if name[-2:] in ("_l", "_r") else name
        other.turn[name] = MIRROR @ turn @ MIRROR
    other.shift, other.strain, other.face = pose.shift * FLIP, pose.strain, pose.face
    other.contacts = "".join(sides[side] for side in pose.contacts)
    return other


def _march_with_sword(phase):
    """Carries the sword upright before the shoulder."""
    p = march(phase)
    bounce = math.cos(2 * TAU * (phase - 0.10))
    p.arm("r", up=13.0, forward=-6.0, elbow=104.0 + 1.5 * bounce, twist=-12.0, turn=6.0, deviate=16.0, **GRIP)
    return p


def _dance_with_sword(phase):
    """The sword stays out of the way of the other hand."""
    p = dance(phase)
    late = wave_of(2.0 * phase, -0.05)
    p.arm("r", up=34.0 + 6.0 * late, forward=14.0 + 8.0 * late, elbow=46.0 + 8.0 * late, twist=-8.0, shrug=4.0)
    return p


def armed_clips():
    """The clips of a look with a sword. It waves with its free hand, and has a march of its own."""
    def holding(pose_at):
        return lambda phase: _close_hand(pose_at(phase))

    changed = {"wave": lambda phase: _mirrored(wave(phase)), "dance": _dance_with_sword}
    clips = {name: (holding(changed.get(name, pose_at)), *rest) for name, (pose_at, *rest) in CLIPS.items()}
    return {**clips, "march": (_march_with_sword, *EXTRA_CLIPS["march"][1:])}
