"""The clips: poses as functions of a phase, solved and baked to keys.

Joint rotations are written in the character's own axes (X to its left, Y to
its back, Z up) as they stand in the rest pose; bones' private axes come in
only when keys are made. Feet are placed first and legs are solved to reach
them, so a foot that stands really stands.
"""

import math

import bpy
import numpy as np
from mathutils import Matrix

from . import face, rig
from .shell import smoothstep

FPS = 30
SIDES = (("l", 1.0), ("r", -1.0))
MIRROR = np.diag([-1.0, 1.0, 1.0])
TAU = 2.0 * math.pi


def rotation(axis, degrees):
    axis = np.asarray(axis, float)
    x, y, z = axis / np.linalg.norm(axis)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    k = 1.0 - c
    return np.array([[c + x * x * k, x * y * k - z * s, x * z * k + y * s],
                     [y * x * k + z * s, c + y * y * k, y * z * k - x * s],
                     [z * x * k - y * s, z * y * k + x * s, c + z * z * k]])


def pitch(d):
    """Positive bows forward."""
    return rotation((1, 0, 0), d)


def roll(d):
    """Positive leans to the character's left."""
    return rotation((0, 1, 0), d)


def yaw(d):
    """Positive turns to the character's left."""
    return rotation((0, 0, 1), d)


def curve(phase, keys):
    """Periodic monotone cubic through (phase, value) keys: no overshoot between them."""
    n = len(keys)
    key = lambda i: (keys[i % n][0] + i // n, keys[i % n][1])
    phase %= 1.0
    i = max((j for j in range(-1, n) if key(j)[0] <= phase))

    def slope(j):
        (xa, va), (x, v), (xb, vb) = key(j - 1), key(j), key(j + 1)
        d0, d1 = (v - va) / (x - xa), (vb - v) / (xb - x)
        return 0.0 if d0 * d1 <= 0.0 else 2.0 * d0 * d1 / (d0 + d1)

    (x0, v0), (x1, v1) = key(i), key(i + 1)
    h = x1 - x0
    t = (phase - x0) / h
    return ((2 * t**3 - 3 * t**2 + 1) * v0 + (t**3 - 2 * t**2 + t) * slope(i) * h
            + (-2 * t**3 + 3 * t**2) * v1 + (t**3 - t**2) * slope(i + 1) * h)


class Pose:
    table = rig.joint_table()
    rest = {name: head for name, _, head, _ in table}
    parent = {name: parent for name, parent, _, _ in table}

    def __init__(self):
        self.turn = {name: np.eye(3) for name in self.rest}
        self.shift = np.zeros(3)
        self.strain = 0.0   # how far the legs are stretched, 1 being straight
        self.contacts = ""  # sides whose sole stands on the ground
        self.face = {}       # weights of the face's shapes; those not named are 0

    def world(self, name):
        """Rotation and position of a joint in the character's space."""
        parent = self.parent[name]
        if parent is None:
            return self.turn[name], self.rest[name]
        r, p = self.world(parent)
        at = p + r @ (self.rest[name] - self.rest[parent])
        if name == "pelvis":
            at = at + self.shift
        return r @ self.turn[name], at

    def pelvis(self, x=0.0, y=0.0, z=0.0, bow=0.0, lean=0.0, turn=0.0):
        self.shift = np.array([x, y, z])
        self.turn["pelvis"] = yaw(turn) @ roll(lean) @ pitch(bow)

    def spine(self, bow=0.0, lean=0.0, turn=0.0):
        for bone, share in (("spine_1", 0.30), ("spine_2", 0.35), ("spine_3", 0.35)):
            self.turn[bone] = yaw(turn * share) @ roll(lean * share) @ pitch(bow * share)

    def look(self, bow=0.0, lean=0.0, turn=0.0):
        for bone, share in (("neck", 0.4), ("head", 0.6)):
            self.turn[bone] = yaw(turn * share) @ roll(lean * share) @ pitch(bow * share)

    def scarf(self, lift=0.0, sway=0.0):
        self.turn["scarf_1"] = pitch(-lift) @ roll(-sway)
        self.turn["scarf_2"] = pitch(-lift * 1.2) @ roll(-sway * 1.3)

    def pack(self, bow=0.0, lean=0.0):
        self.turn["backpack"] = roll(lean) @ pitch(bow)

    def arm(self, side, up=10.0, forward=0.0, twist=0.0, elbow=15.0, turn=0.0, flex=0.0, deviate=0.0,
            shrug=0.0, shrug_forward=0.0, curl=22.0, spread=0.0, thumb=12.0):
        """`up`: 0 hanging, 90 sideways, 180 overhead; `twist`: the upper arm outwards;
        `turn`: the hand's own turn, thumb outwards."""
        arm, palm, front = rig.ARM, rig.PALMWARD, rig.THUMBWARD
        swing = pitch(-forward) @ roll(-(up - 45.0))
        turns = {
            "clavicle": yaw(-shrug_forward) @ roll(-shrug),
            # The clavicle already carries part of the way up.
            "upper_arm": roll(shrug) @ swing @ rotation(arm, -0.4 * twist),
            "upper_arm_twist": rotation(arm, -0.6 * twist),
            "forearm": rotation(palm, elbow),
            "forearm_twist": rotation(arm, -0.5 * turn),
            "hand": rotation(arm, -0.5 * turn) @ rotation(np.cross(arm, palm), flex) @ rotation(palm, deviate),
        }
        for n, finger in enumerate(("index", "middle", "ring", "pinky")):
            base = rig.hand_direction(*rig.FINGERS[finger][1])
            axis = np.cross(base, palm)
            more = 1.0 + 0.10 * n
            apart = rotation(palm, spread * (1.0, 0.2, -0.5, -1.2)[n])
            turns[f"{finger}_1"] = apart @ rotation(axis, curl * 0.85 * more)
            turns[f"{finger}_2"] = rotation(axis, curl * 1.1 * more)
            turns[f"{finger}_3"] = rotation(axis, curl * 0.7 * more)
        direction = rig.hand_direction(*rig.THUMB[1])
        axis = np.cross(direction, palm - 0.7 * front + 0.2 * arm)
        for i, share in ((1, 0.6), (2, 1.0), (3, 1.1)):
            turns[f"thumb_{i}"] = rotation(axis, thumb * share)
        for name, r in turns.items():
            self.turn[f"{name}_{side}"] = r if side == "l" else MIRROR @ r @ MIRROR

    def plant(self, side, x, y, turn=0.0, tip=0.0, toe=0.0, clearance=0.0, knee_out=0.0):
        """Puts a foot down and solves the leg for it.

        `x`, `y`: where its sole's point below the ankle would be if it stood
        flat; `tip`: toes up (+, turns over the heel) or heel up (-, over the
        toes); `toe`: the toes' own bend upwards; `clearance`: height of the
        lowest point of the sole over the ground. The height of the ankle
        follows, so that a clearance of zero is a contact whatever the pose.
        """
        if clearance < 1e-9:
            self.contacts += side
        s = 1.0 if side == "l" else -1.0
        ankle, ball = rig.ANKLE * (s, 1, 1), rig.BALL * (s, 1, 1)
        foot = yaw(turn) @ pitch(-tip)
        toes = pitch(-toe)
        heel = np.array([ankle[0], rig.HEEL_Y, 0.0]) - ankle
        under_ball = np.array([ankle[0], ball[1], 0.0]) - ankle
        points = [foot @ heel, foot @ under_ball]
        for tip_y in (rig.TOE_TIP_Y, 0.5 * (rig.TOE_TIP_Y + ball[1])):
            points.append(foot @ (ball - ankle + toes @ (np.array([ball[0], tip_y, 0.0]) - ball)))
        if tip > 0.0:
            slide = yaw(turn) @ heel - foot @ heel
        else:
            # The toes stand, not the ball's point of the foot: that point moves when the joint above it bends.
            bend = min(toe, -tip)  # toes that bend more are off the ground
            standing = np.array([ball[0], ball[1] if bend == -tip else rig.TOE_TIP_Y, 0.0])
            slide = yaw(turn) @ (standing - ankle) - foot @ (ball - ankle + pitch(-bend) @ (standing - ball))
        target = np.array([x + slide[0], y + slide[1], clearance - min(p[2] for p in points)])
        self._reach(side, target, foot, 0.55 * turn + knee_out)
        self.turn[f"toe_{side}"] = toes

    def _reach(self, side, target, foot, knee_turn):
        s = 1.0 if side == "l" else -1.0
        flip = np.array([s, 1.0, 1.0])
        hip0, knee0, ankle0 = rig.HIP * flip, rig.KNEE * flip, rig.ANKLE * flip
        pelvis_turn, _ = self.world("pelvis")
        _, hip = self.world(f"thigh_{side}")
        upper, lower = np.linalg.norm(knee0 - hip0), np.linalg.norm(ankle0 - knee0)
        d = target - hip
        length = np.linalg.norm(d)
        self.strain = max(self.strain, length / (upper + lower))
        length = min(length, 0.9985 * (upper + lower))
        d /= np.linalg.norm(d)
        forward = yaw(knee_turn) @ np.array([0.0, -1.0, 0.0])
        ahead = forward - d * np.dot(forward, d)
        ahead /= np.linalg.norm(ahead)
        cos_hip = (upper**2 + length**2 - lower**2) / (2 * upper * length)
        angle = math.acos(max(-1.0, min(1.0, cos_hip)))
        thigh = d * math.cos(angle) + ahead * math.sin(angle)
        shin = d * length - thigh * upper
        shin /= np.linalg.norm(shin)
        hinge = np.cross(ahead, d)

        def basis(along, across):
            across = across - along * np.dot(across, along)
            across /= np.linalg.norm(across)
            return np.stack([along, across, np.cross(along, across)], axis=1)

        left = np.array([1.0, 0.0, 0.0])
        thigh_turn = basis(thigh, hinge) @ basis((knee0 - hip0) / upper, left).T
        shin_turn = basis(shin, hinge) @ basis((ankle0 - knee0) / lower, left).T
        self.turn[f"thigh_{side}"] = pelvis_turn.T @ thigh_turn
        self.turn[f"shin_{side}"] = thigh_turn.T @ shin_turn
        self.turn[f"foot_{side}"] = shin_turn.T @ foot


def stride(phase, gait):
    """One foot of a gait: (y, tip, toe, clearance) with the ground running backwards."""
    phase %= 1.0
    tip, toe = curve(phase, gait["tip"]), curve(phase, gait["toe"])
    stance, length = gait["stance"], gait["length"]
    touch, leave = gait["touch"], gait["touch"] + gait["length"] * gait["stance"]
    if phase <= stance:
        return touch + length * phase, tip, toe, 0.0
    # Swing: leaves and lands with the ground's own speed, so nothing jerks.
    t, h = (phase - stance) / (1.0 - stance), 1.0 - stance
    speed0, speed1 = length * h, length * h * gait.get("retract", 1.0)
    y = ((2 * t**3 - 3 * t**2 + 1) * leave + (t**3 - 2 * t**2 + t) * speed0
         + (-2 * t**3 + 3 * t**2) * touch + (t**3 - t**2) * speed1)
    return y, tip, toe, curve(t, gait["lift"])


WALK = {
    "length": 1.12, "stance": 0.60, "touch": -0.315,
    "tip": [(0.0, 17.0), (0.09, 0.0), (0.36, 0.0), (0.50, -18.0), (0.62, -52.0), (0.74, -32.0), (0.86, 6.0),
            (0.95, 18.0)],
    "toe": [(0.0, 8.0), (0.10, 0.0), (0.36, 0.0), (0.50, 17.0), (0.60, 34.0), (0.68, 14.0), (0.80, 4.0),
            (0.92, 10.0)],
    "lift": [(0.0, 0.0), (0.30, 0.045), (0.60, 0.030), (0.85, 0.020)],
}

RUN = {
    "length": 1.95, "stance": 0.34, "touch": -0.275,
    "tip": [(0.0, 7.0), (0.06, 0.0), (0.15, 0.0), (0.25, -20.0), (0.36, -58.0), (0.50, -84.0),
            (0.64, -52.0), (0.80, -6.0), (0.93, 10.0)],
    "toe": [(0.0, 6.0), (0.07, 0.0), (0.15, 0.0), (0.25, 19.0), (0.34, 34.0), (0.46, 8.0), (0.70, 2.0),
            (0.90, 8.0)],
    "lift": [(0.0, 0.0), (0.16, 0.12), (0.36, 0.27), (0.56, 0.24), (0.80, 0.10)],
}


def wave_of(phase, shift=0.0):
    return math.sin(TAU * (phase + shift))


def walk(phase):
    p = Pose()
    s, c = wave_of(phase), math.cos(TAU * phase)
    bounce = math.cos(2 * TAU * (phase - 0.04))
    p.pelvis(x=0.020 * wave_of(phase, -0.03), z=-0.026 - 0.015 * bounce, bow=2.0,
             lean=-3.5 * wave_of(phase, 0.0), turn=-7.0 * c)
    p.spine(bow=3.0 + 1.0 * bounce, lean=4.0 * s, turn=15.0 * c)
    p.look(bow=-3.0 - 1.0 * bounce, lean=-0.8 * s, turn=-8.0 * c)
    for side, sign in SIDES:
        swing = -sign * math.cos(TAU * (phase - 0.03))  # opposite to the leg
        late = -sign * math.cos(TAU * (phase - 0.09))
        p.arm(side, up=11.0 - 1.5 * swing, forward=3.0 + 26.0 * swing, elbow=24.0 + 14.0 * late, twist=-8.0,
              turn=-14.0, flex=4.0 - 6.0 * late, shrug_forward=4.0 * swing, curl=26.0 + 3.0 * late)
        y, tip, toe, lift = stride(phase + (0.0 if side == "l" else 0.5), WALK)
        p.plant(side, sign * 0.085, y, turn=sign * 5.0, tip=tip, toe=toe, clearance=lift)
    p.scarf(lift=5.0 + 4.0 * math.cos(2 * TAU * (phase - 0.16)), sway=5.0 * wave_of(phase, -0.12))
    p.pack(bow=1.2 * math.cos(2 * TAU * (phase - 0.12)), lean=1.5 * wave_of(phase, -0.1))
    return p


def run(phase):
    p = Pose()
    s, c = wave_of(phase), math.cos(TAU * (phase - 0.02))
    bounce = math.cos(2 * TAU * (phase - 0.16))  # lowest in the middle of each stance
    p.pelvis(x=0.012 * s, z=-0.050 - 0.036 * bounce, bow=9.0, lean=-3.0 * wave_of(phase, -0.06), turn=-9.0 * c)
    p.spine(bow=7.0 + 2.5 * bounce, lean=3.5 * s, turn=22.0 * c)
    p.look(bow=-11.0 - 2.0 * bounce, turn=-13.0 * c)
    for side, sign in SIDES:
        swing = -sign * math.cos(TAU * (phase - 0.05))
        p.arm(side, up=17.0 - 3.0 * swing, forward=8.0 + 42.0 * swing, elbow=88.0 + 14.0 * swing,
              twist=-16.0 - 8.0 * swing, turn=6.0, shrug_forward=9.0 * swing, shrug=3.0, curl=58.0, thumb=26.0)
        y, tip, toe, lift = stride(phase + (0.0 if side == "l" else 0.5), RUN)
        p.plant(side, sign * 0.062, y, turn=sign * 3.0, tip=tip, toe=toe, clearance=lift)
    p.scarf(lift=16.0 + 11.0 * math.cos(2 * TAU * (phase - 0.27)), sway=7.0 * wave_of(phase, -0.12))
    p.pack(bow=3.0 * math.cos(2 * TAU * (phase - 0.24)), lean=2.0 * wave_of(phase, -0.1))
    return p


def blink(phase, moments, frames):
    """Closes in two frames, stays closed for one, opens in four."""
    lid = [(-3.0, 0.0), (-1.0, 1.0), (0.0, 1.0), (2.0, 0.30), (4.0, 0.0)]
    since = [((phase - moment + 0.5) % 1.0 - 0.5) * frames for moment in moments]
    return max(float(np.interp(s, *zip(*lid))) for s in since)


def idle(phase):
    p = Pose()
    # Looks, blinks, smiles at somebody, and blinks again when that is over.
    p.face = {"blink": blink(phase, (0.20, 0.86), 90),
              "smile": 0.9 * float(smoothstep(0.30, 0.46, phase) * (1.0 - smoothstep(0.66, 0.82, phase)))}
    breath = 0.5 - 0.5 * math.cos(TAU * phase)
    s = wave_of(phase, -0.08)
    p.pelvis(x=0.022 * s, y=0.004, z=-0.006 - 0.003 * s * s, lean=-1.8 * s, turn=2.0 * s, bow=-1.0)
    p.spine(bow=2.0 - 3.0 * breath, lean=2.6 * s, turn=-3.0 * s)
    p.look(bow=1.0 + 1.5 * breath, lean=-1.5 * s, turn=7.0 * wave_of(phase, -0.2))
    for side, sign in SIDES:
        p.arm(side, up=12.5 + 1.6 * breath, forward=1.0 + 2.0 * wave_of(phase, -0.15) * sign,
              elbow=19.0 + 3.0 * breath, twist=-10.0, turn=-12.0, flex=3.0 * breath, shrug=2.2 * breath,
              curl=24.0 + 4.0 * wave_of(phase, 0.1 * sign))
        p.plant(side, sign * 0.118, 0.022 - 0.020 * sign, turn=sign * 11.0)
    p.scarf(lift=1.5 * breath, sway=1.5 * wave_of(phase, -0.25))
    return p


def wave(phase):
    p = Pose()
    s = wave_of(phase)
    beat = wave_of(3.0 * phase)
    late = wave_of(3.0 * phase, -0.10)
    p.pelvis(x=0.034 + 0.008 * s, y=0.004, z=-0.012 - 0.003 * wave_of(2 * phase), lean=-3.4 - 0.8 * s,
             turn=-3.0)
    p.spine(bow=-1.0 + 1.0 * wave_of(2 * phase), lean=6.0 + 1.2 * s - 0.8 * beat, turn=-2.0 + 1.5 * s)
    p.look(bow=1.5 * wave_of(2 * phase, 0.1), lean=-7.0 - 2.0 * s, turn=-4.0 + 2.0 * s)
    p.arm("l", up=20.0 + s, forward=-2.0 + 2.0 * s, elbow=22.0, twist=-10.0, turn=-12.0, curl=26.0)
    p.arm("r", up=104.0 + 3.0 * beat, forward=12.0, twist=86.0, elbow=74.0 - 24.0 * beat, turn=0.0,
          deviate=-14.0 * late, shrug=16.0, flex=-6.0, curl=5.0, spread=6.0, thumb=-6.0)
    p.plant("l", 0.112, 0.022, turn=9.0)
    p.plant("r", -0.150, -0.012, turn=-22.0)
    p.scarf(lift=2.0, sway=-3.0 + 2.0 * late)
    p.pack(lean=1.0 * late)
    return p


def cheer(phase):
    """A bounce with pumping fists, then a jump with both arms thrown up."""
    p = Pose()
    # Shouts with the pump and again in the air, smiles all along, blinks as the feet land.
    p.face = {"blink": blink(phase, (0.905,), 48), "smile": 0.7,
              "open_mouth": curve(phase, [(0.0, 0.15), (0.16, 0.85), (0.27, 0.80), (0.42, 0.10), (0.50, 0.10),
                                          (0.62, 1.0), (0.80, 1.0), (0.93, 0.30)])}
    # 0 down, pump at 0.22, crouch at 0.50, in the air from 0.60 to 0.84, landing at 0.90
    z = curve(phase, [(0.0, -0.070), (0.12, -0.028), (0.24, -0.020), (0.36, -0.050), (0.49, -0.150),
                      (0.585, -0.012), (0.72, 0.190), (0.855, -0.012), (0.925, -0.130)])
    air_from, air_to = 0.585, 0.855
    lift = 0.0
    if air_from < phase < air_to:
        t = (phase - air_from) / (air_to - air_from)
        z = -0.012 + 4.0 * 0.200 * t * (1.0 - t)  # a ballistic arc
        lift = max(0.0, 4.0 * 0.165 * t * (1.0 - t))
    crouch = float(np.clip((-z - 0.02) / 0.13, 0.0, 1.0))
    up = curve(phase, [(0.0, 0.35), (0.18, 0.86), (0.30, 0.80), (0.49, 0.0), (0.61, 1.0), (0.82, 1.0),
                       (0.93, 0.50)])
    pump = curve(phase, [(0.0, 1.0), (0.18, 0.15), (0.27, 0.35), (0.36, 0.9), (0.49, 1.0), (0.63, 0.0),
                         (0.82, 0.05), (0.93, 0.75)])
    side_lean = 3.0 * math.sin(TAU * phase)
    p.pelvis(y=0.004 + 0.035 * crouch, z=z, bow=-2.0 + 17.0 * crouch, lean=0.4 * side_lean)
    p.spine(bow=-9.0 * up + 13.0 * crouch, lean=-side_lean, turn=4.0 * math.sin(TAU * phase))
    p.look(bow=-12.0 * up - 12.0 * crouch + 4.0, lean=1.2 * side_lean)
    for side, sign in SIDES:
        # Elbows low and bent at the bottom, arms all but straight overhead at the top.
        p.arm(side, up=28.0 + 130.0 * up, forward=26.0 * (1.0 - up) - 5.0 * up, twist=20.0 + 62.0 * up,
              elbow=22.0 + 84.0 * pump, shrug=4.0 + 24.0 * up, turn=-10.0, curl=66.0, thumb=34.0, flex=-6.0)
        tip = 0.0
        toe = 0.0
        if lift > 0.0:
            t = (phase - air_from) / (air_to - air_from)
            point = math.sin(math.pi * t) ** 0.8
            tip, toe = -34.0 * point, 6.0 * point
        p.plant(side, sign * 0.125, 0.022, turn=sign * 10.0, tip=tip, toe=toe, clearance=lift)
    p.scarf(lift=4.0 + 24.0 * curve(phase, [(0.0, 0.1), (0.2, 0.0), (0.5, 0.05), (0.66, 0.0), (0.82, 1.0),
                                            (0.93, 0.4)]))
    p.pack(bow=5.0 * curve(phase, [(0.0, 0.3), (0.2, -0.1), (0.5, 0.3), (0.66, -0.4), (0.86, 0.8),
                                   (0.95, 0.6)]))
    return p


def dance(phase):
    """Side steps on four beats: arms low and swinging, then overhead and swaying."""
    p = Pose()
    sway = wave_of(2.0 * phase)          # left and right, twice through
    late = wave_of(2.0 * phase, -0.05)
    bounce = math.cos(TAU * 8.0 * phase)
    high = float(smoothstep(0.42, 0.56, phase) * (1.0 - smoothstep(0.88, 1.0, phase)))
    p.pelvis(x=0.070 * sway, y=0.006, z=-0.052 - 0.018 * bounce, lean=-6.0 * sway, turn=13.0 * late, bow=4.0)
    p.spine(bow=2.0 - 5.0 * high + 2.5 * bounce, lean=10.0 * late, turn=-22.0 * late)
    p.look(bow=-3.0 + 3.0 * bounce - 4.0 * high, lean=-7.0 * late, turn=10.0 * late)
    for side, sign in SIDES:
        mine = sign * late
        low = dict(up=32.0 + 10.0 * mine, forward=22.0 + 26.0 * mine, twist=-8.0, elbow=84.0 + 18.0 * mine,
                   turn=0.0, shrug=4.0, shrug_forward=6.0 * mine, curl=46.0, thumb=22.0, flex=0.0)
        over = dict(up=150.0 + 13.0 * mine, forward=-4.0, twist=84.0, elbow=44.0 - 20.0 * mine, turn=-8.0,
                    shrug=26.0, shrug_forward=0.0, curl=12.0, thumb=4.0, flex=-14.0)
        p.arm(side, **{k: low[k] + (over[k] - low[k]) * high for k in low}, spread=5.0 * high)
        # The unweighted foot lifts its heel, then steps in and out again.
        free = max(0.0, -sign * sway)
        step = float(smoothstep(0.25, 0.95, free))
        p.plant(side, sign * (0.165 - 0.055 * step), 0.022 + 0.020 * step, turn=sign * (12.0 - 6.0 * step),
                tip=-38.0 * float(smoothstep(0.0, 0.8, free)),
                toe=38.0 * float(smoothstep(0.0, 0.8, free)) * (1.0 - 0.75 * step),
                clearance=0.045 * float(smoothstep(0.25, 0.9, free)), knee_out=sign * 2.0)
    p.scarf(lift=7.0 + 5.0 * math.cos(TAU * (8.0 * phase - 0.25)), sway=14.0 * wave_of(2.0 * phase, -0.14))
    p.pack(bow=1.5 * math.cos(TAU * (8.0 * phase - 0.2)), lean=4.0 * wave_of(2.0 * phase, -0.12))
    return p


# name: (pose over the phase, frames at 30 a second, ground speed in m/s)
CLIPS = {
    "idle": (idle, 90, 0.0),
    "walk": (walk, 32, WALK["length"] * FPS / 32),
    "run": (run, 21, RUN["length"] * FPS / 21),
    "wave": (wave, 60, 0.0),
    "cheer": (cheer, 48, 0.0),
    "dance": (dance, 72, 0.0),
}


def bake(armature, table=CLIPS):
    """One action per clip, a key on every frame, the last equal to the first."""
    if armature.animation_data is None:
        armature.animation_data_create()
    bpy.context.scene.render.fps = FPS
    bones = armature.data.bones
    axes = {b.name: np.array(b.matrix_local.to_3x3()) for b in bones}
    clips = {}
    for name, (pose_at, frames, speed) in table.items():
        action = bpy.data.actions.new(name)
        action.use_fake_user = True
        poses = [pose_at(f / frames) for f in range(frames)]
        poses.append(poses[0])
        strain = max(p.strain for p in poses)
        for bone in bones:
            b = axes[bone.name]
            quaternions = []
            for p in poses:
                q = Matrix((b.T @ p.turn[bone.name] @ b).tolist()).to_quaternion()
                if quaternions and q.dot(quaternions[-1]) < 0.0:
                    q.negate()
                quaternions.append(q)
            path = f'pose.bones["{bone.name}"].rotation_quaternion'
            for i in range(4):
                _keys(action, path, i, bone.name, [q[i] for q in quaternions])
            if bone.name == "pelvis":
                path = 'pose.bones["pelvis"].location'
                for i in range(3):
                    _keys(action, path, i, bone.name, [(b.T @ p.shift)[i] for p in poses])
        for shape in face.SHAPES:
            # Zeros too: what an action does not set, keeps the value that the last one left.
            _keys(action, f'["{shape}"]', 0, "face", [p.face.get(shape, 0.0) for p in poses])
        clips[name] = {"action": action, "frames": frames, "speed": speed, "strain": strain,
                       "contacts": [p.contacts for p in poses]}
    return clips


def _keys(action, path, index, group, values):
    line = action.fcurves.new(path, index=index, action_group=group)
    line.keyframe_points.add(len(values))
    flat = [c for f, v in enumerate(values) for c in (float(f), v)]
    line.keyframe_points.foreach_set("co", flat)
    for key in line.keyframe_points:
        key.interpolation = "LINEAR"
    line.update()
