"""Jacket, trousers, boots and hands: the shells that bend."""

import math

import numpy as np

from . import rig
from .shell import Shell, along_chain, mix, smoothstep

COLUMNS = 12  # torso columns: 0 is the left side, 3 the back, 6 the right side, 9 the front


def torso_weights(p):
    """Weights of anything worn on the trunk, as a function of its rest position."""
    x, _, z = p
    table = along_chain(z, ["pelvis", "spine_1", "spine_2", "spine_3", "neck"],
                        [(1.00, 0.05), (1.12, 0.06), (1.24, 0.06), (1.465, 0.035)])
    # The skirt follows the thighs as the trousers under it do, or knees would come through.
    pull = float(smoothstep(0.935, 0.775, z))
    if pull > 0.0:
        left = float(smoothstep(-0.07, 0.07, x))
        table = {b: w * (1.0 - pull) for b, w in table.items()}
        table["thigh_l"] = pull * left
        table["thigh_r"] = pull * (1.0 - left)
    # The top of the shoulder rides on the clavicle.
    lift = 0.75 * float(smoothstep(0.05, 0.15, abs(x)) * smoothstep(1.25, 1.38, z))
    if lift > 0.0:
        table = {b: w * (1.0 - lift) for b, w in table.items()}
        table["clavicle_l" if x > 0 else "clavicle_r"] = lift
    return table


def arm_weights(s):
    """Weights at distance `s` from the shoulder along the left arm."""
    u, f = rig.UPPER_ARM, rig.FOREARM
    return along_chain(s, ["clavicle_l", "upper_arm_l", "upper_arm_twist_l", "forearm_l",
                           "forearm_twist_l", "hand_l"],
                       [(0.015, 0.055), (u * 0.5, 0.07), (u, 0.042), (u + f * 0.55, 0.07),
                        (u + f, 0.03)])


def right_side(table):
    return {(b[:-2] + "_r" if b.endswith("_l") else b): w for b, w in table.items()}


def torso_point(k, z, half_width, front, back, square=2.35, columns=COLUMNS):
    """A point of a torso ring: a superellipse with its own depth to front and back."""
    angle = 2.0 * math.pi * k / columns
    c, s = math.cos(angle), math.sin(angle)
    # Subdivision pulls a ring inwards; the cage is made larger by as much.
    grow = 1.0 / (0.75 + 0.25 * math.cos(2.0 * math.pi / columns))
    x = math.copysign(abs(c) ** (2.0 / square), c) * half_width * grow
    y = math.copysign(abs(s) ** (2.0 / square), s) * (back if s > 0 else front) * grow
    return np.array([x, y, z])


# z, half width, depth to the front, depth to the back
TORSO = [
    (0.868, 0.152, 0.104, 0.118),  # lining, up to the trousers
    (0.766, 0.188, 0.147, 0.152),  # hem
    (0.850, 0.179, 0.136, 0.147),
    (0.930, 0.163, 0.120, 0.132),
    (1.010, 0.141, 0.105, 0.105),  # waist
    (1.125, 0.152, 0.119, 0.110),
    (1.252, 0.163, 0.128, 0.122),  # below the armpit
    (1.340, 0.172, 0.116, 0.118),
    (1.408, 0.160, 0.088, 0.100),  # top of the shoulder
    (1.446, 0.104, 0.074, 0.084),
    (1.474, 0.074, 0.068, 0.070),
    (1.500, 0.068, 0.066, 0.064),  # collar
    (1.470, 0.054, 0.052, 0.052),
]
HEM, ARMPIT, SHOULDER_TOP, COLLAR = 1, 6, 8, 11


def torso(look):
    """TORSO with the hem of this look; the row above stays half way between its neighbors."""
    rows, lower = list(TORSO), TORSO[HEM][0] - look.hem
    if lower != 0.0:
        wide = 1.0 + 0.5 * max(lower, 0.0)
        z, half, front, back = rows[HEM]
        rows[HEM] = (look.hem, half * wide, front * wide, back * wide)
        # It stays where the thighs begin, or those of a long skirt would come through.
        rows[HEM + 1] = (max(rows[HEM + 1][0] - 0.5 * lower, 0.800), *rows[HEM + 1][1:])
    return rows


# distance from the shoulder, radius, across the depth of the arm, part up to there
SLEEVE = [
    (0.062, 0.064, 0.066, "sleeve"),
    (0.120, 0.056, 0.059, "sleeve"),
    (0.220, 0.050, 0.051, "sleeve"),
    (0.265, 0.047, 0.048, "sleeve"),
    (0.310, 0.048, 0.049, "sleeve"),
    (0.380, 0.045, 0.047, "sleeve"),
    (0.438, 0.045, 0.046, "sleeve"),  # turned-up cuff
    (0.492, 0.047, 0.048, "cuff"),  # edge
    (0.482, 0.021, 0.021, "cuff"),  # turned in, down to the wrist
]
SHORT_SLEEVE = [
    (0.062, 0.064, 0.066, "sleeve"),
    (0.110, 0.058, 0.061, "sleeve"),
    (0.165, 0.057, 0.060, "sleeve"),
    (0.205, 0.059, 0.062, "sleeve"),  # edge
    (0.196, 0.046, 0.047, "sleeve"),  # turned in
    (0.228, 0.044, 0.045, "arm"),
    (0.265, 0.042, 0.043, "arm"),
    (0.310, 0.044, 0.044, "arm"),
    (0.380, 0.039, 0.041, "arm"),
    (0.455, 0.028, 0.032, "arm"),
    (0.505, 0.018, 0.026, "arm"),  # into the hand
]


def edge_of(rows):
    """The row from which a sleeve or a leg of the shorts is turned in: what comes next is narrower by a quarter."""
    return next((i for i, (row, after) in enumerate(zip(rows, rows[1:])) if after[-3] < 0.78 * row[-3]), None)


def sleeve_ring(s, radius, depth):
    center = rig.SHOULDER + rig.ARM * s
    up = -rig.PALMWARD
    grow = 1.0 / (0.75 + 0.25 * math.cos(math.pi / 4))
    points = []
    for i in range(8):
        a = i * math.pi / 4
        points.append(center + grow * (up * radius * math.cos(a) - rig.THUMBWARD * depth * math.sin(a)))
    return points


def build_jacket(look):
    shell = Shell("jacket", "jacket")
    rings = [shell.ring([torso_point(k, *row) for k in range(COLUMNS)], torso_weights)
             for row in torso(look)]
    # The neck opening leans forwards, as a collar does.
    for row in range(SHOULDER_TOP + 1, len(TORSO)):
        for i in rings[row]:
            p = shell.points[i]
            p[2] += 0.16 * p[1]
            p[1] += 0.006
    for row in range(len(TORSO) - 1):
        holes = ()
        if ARMPIT <= row < SHOULDER_TOP:
            holes = (0, COLUMNS - 1, COLUMNS // 2, COLUMNS // 2 - 1)
        part = "collar" if row >= COLLAR - 2 else ("lining" if row < HEM else "jacket")
        shell.bridge(rings[row], rings[row + 1], part, skip=holes)
        # Side seams join the front and back panels.
        if not ARMPIT <= row < SHOULDER_TOP:
            for k in (0, COLUMNS // 2):
                shell.mark(shell.seams, [rings[row][k], rings[row + 1][k]])
    shell.mark(shell.seams, rings[HEM], closed=True)
    shell.mark(shell.creases, rings[HEM], closed=True)
    shell.mark(shell.sharp, rings[HEM], closed=True)
    shell.mark(shell.seams, rings[COLLAR - 2], closed=True)

    for side in (1, -1):
        k = [0, 1, 1, 1, 0, -1, -1, -1]
        rows = [SHOULDER_TOP, SHOULDER_TOP, ARMPIT + 1, ARMPIT, ARMPIT, ARMPIT, ARMPIT + 1,
                SHOULDER_TOP]
        column = (lambda c: c % COLUMNS) if side > 0 else (lambda c: (COLUMNS // 2 - c) % COLUMNS)
        hole = [rings[r][column(c)] for r, c in zip(rows, k)]
        arm, clavicle = ("upper_arm_l", "clavicle_l") if side > 0 else ("upper_arm_r", "clavicle_r")
        below = {"spine_3": 0.82, arm: 0.06, clavicle: 0.12}
        level = {"spine_3": 0.38, arm: 0.20, clavicle: 0.42}
        above = {"spine_3": 0.12, arm: 0.26, clavicle: 0.62}
        for i, table in zip(hole, [above, above, level, below, below, below, level, above]):
            shell.weights[i] = table
        previous = hole
        rows = SHORT_SLEEVE if look.is_athlete else SLEEVE
        for n, (s, radius, depth, part) in enumerate(rows):
            if n < len(rows) - 1:
                radius, depth = radius * look.limbs, depth * look.limbs
            points, table = sleeve_ring(s, radius, depth), arm_weights(s)
            if side < 0:
                points = [p * np.array([-1, 1, 1]) for p in points]
                table = right_side(table)
            ring = shell.ring(points, table)
            if n == 0:
                # The armpit stays with the trunk when the arm goes up; the shoulder's top does not.
                for i, share in enumerate((0.0, 0.05, 0.16, 0.34, 0.42, 0.34, 0.16, 0.05)):
                    keep = {b: w * (1.0 - share) for b, w in table.items()}
                    shell.weights[ring[i]] = {**keep, "spine_3": share}
            shell.bridge(previous, ring, part)
            shell.mark(shell.seams, [previous[4], ring[4]])
            if n == edge_of(rows):
                shell.mark(shell.creases, ring, closed=True)
                shell.mark(shell.sharp, ring, closed=True)
            previous = ring
        shell.mark(shell.seams, hole, closed=True)
    return shell


# z, center x, center y, half width, half depth, part up to there
LEG = [
    (0.800, 0.096, 0.004, 0.086, 0.094, "trousers"),
    (0.650, 0.100, -0.005, 0.080, 0.084, "trousers"),
    (0.520, 0.100, -0.010, 0.068, 0.071, "trousers"),
    (0.472, 0.100, -0.009, 0.065, 0.068, "trousers"),
    (0.424, 0.100, -0.003, 0.065, 0.068, "trousers"),
    (0.365, 0.101, 0.006, 0.066, 0.070, "trousers"),
    (0.300, 0.102, 0.014, 0.052, 0.056, "trousers"),
]
SHORT_LEG = [
    (0.800, 0.096, 0.004, 0.086, 0.094, "trousers"),
    (0.680, 0.100, -0.004, 0.086, 0.090, "trousers"),
    (0.580, 0.101, -0.008, 0.088, 0.092, "trousers"),  # edge
    (0.592, 0.100, -0.008, 0.067, 0.071, "trousers"),  # turned in
    (0.540, 0.100, -0.010, 0.064, 0.068, "leg"),
    (0.472, 0.100, -0.009, 0.056, 0.060, "leg"),
    (0.424, 0.100, 0.000, 0.051, 0.055, "leg"),
    (0.385, 0.101, 0.010, 0.047, 0.050, "leg"),
    (0.350, 0.102, 0.016, 0.038, 0.040, "leg"),  # into the sock
]


def leg_weights(z):
    return along_chain(-z, ["pelvis", "thigh_l", "shin_l"], [(-0.855, 0.080), (-0.472, 0.058)])


def build_trousers(look):
    shell = Shell("trousers", "trousers")
    # The waist stays under the skirt; nothing above it would ever be seen.
    top = shell.ring([torso_point(k, 0.945, 0.140, 0.100, 0.108) for k in range(COLUMNS)],
                     {"pelvis": 1.0})
    hips = []
    for k in range(COLUMNS):
        p = torso_point(k, 0.868, 0.158, 0.108, 0.124)
        if k in (3, 9):
            p[2] = 0.835
        side = "thigh_l" if p[0] > 0 else "thigh_r"
        pull = 0.42 * min(1.0, abs(p[0]) / 0.06)
        hips.append(shell.vertex(p, {"pelvis": 1.0 - pull, side: pull} if pull > 0.01 else {"pelvis": 1.0}))
    shell.bridge(top, hips)
    crotch = shell.vertex((0.0, 0.008, 0.800), {"pelvis": 0.6, "thigh_l": 0.2, "thigh_r": 0.2})
    for k in (3, 9):
        shell.mark(shell.seams, [top[k], hips[k], ])
        shell.weights[hips[k]] = {"pelvis": 0.7, "thigh_l": 0.15, "thigh_r": 0.15}
    for side in (1, -1):
        if side > 0:
            opening = [hips[k] for k in (9, 10, 11, 0, 1, 2, 3)] + [crotch]
        else:
            opening = [hips[k] for k in (9, 8, 7, 6, 5, 4, 3)] + [crotch]
        previous = opening
        grow = 1.0 / (0.75 + 0.25 * math.cos(math.pi / 4))
        rows = SHORT_LEG if look.is_athlete else LEG
        for n, (z, cx, cy, rx, ry, part) in enumerate(rows):
            # Below a long skirt thighs are thin, or they would come through when they are lifted.
            thick = look.limbs * (0.80 if look.hem < 0.6 and z > 0.5 else 1.0)
            rx, ry = rx * thick, ry * thick
            table = leg_weights(z) if side > 0 else right_side(leg_weights(z))
            ring = []
            for i in range(8):
                a = math.radians(-135.0 + 45.0 * i)
                x = cx + grow * rx * math.cos(a)
                if n == 0:  # the thighs touch between the legs but must not cross
                    x = max(x, 0.010)
                ring.append(shell.vertex((side * max(x, 0.006), cy + grow * ry * math.sin(a), z), table))
            shell.bridge(previous, ring, part)
            shell.mark(shell.seams, [previous[7], ring[7]])
            if n == edge_of(rows):
                shell.mark(shell.creases, ring, closed=True)
                shell.mark(shell.sharp, ring, closed=True)
            previous = ring
    shell.mark(shell.seams, [hips[9], crotch, hips[3]])
    return shell


# The sole's outline: (y, half width) from the toe tip backwards, inner and outer edge alike.
SOLE = [(-0.190, 0.0), (-0.180, 0.026), (-0.152, 0.045), (-0.108, 0.056), (-0.050, 0.050),
        (0.010, 0.043), (0.058, 0.040), (0.083, 0.026), (0.090, 0.0)]
# z, foremost y, hindmost y, width, how round (0 sole outline, 1 ellipse of the shaft), part up to there
BOOT = [
    (0.000, -0.190, 0.090, 1.00, 0.0, "sole"),
    (0.024, -0.193, 0.092, 1.02, 0.0, "sole"),
    (0.025, -0.184, 0.084, 0.93, 0.0, "sole"),
    (0.052, -0.186, 0.086, 0.97, 0.0, "boot"),
    (0.074, -0.172, 0.086, 0.92, 0.05, "boot"),
    (0.092, -0.132, 0.084, 0.86, 0.20, "boot"),
    (0.112, -0.084, 0.082, 0.86, 0.5, "boot"),
    (0.142, -0.052, 0.079, 0.94, 0.9, "boot"),
    (0.190, -0.042, 0.078, 1.00, 1.0, "boot"),
    (0.250, -0.049, 0.086, 1.14, 1.0, "boot"),
    (0.298, -0.058, 0.094, 1.30, 1.0, "boot"),
    (0.300, -0.069, 0.103, 1.52, 1.0, "boot_cuff"),  # turned-down top
    (0.322, -0.074, 0.107, 1.62, 1.0, "boot_cuff"),
    (0.342, -0.073, 0.106, 1.60, 1.0, "boot_cuff"),
    (0.346, -0.064, 0.097, 1.40, 1.0, "boot_cuff"),
    (0.300, -0.050, 0.084, 1.12, 1.0, "boot_cuff"),
]
SHOE = BOOT[:6] + [
    (0.110, -0.088, 0.082, 0.86, 0.5, "boot"),
    (0.112, -0.070, 0.072, 0.78, 0.7, "boot"),
    (0.150, -0.042, 0.070, 0.86, 1.0, "sock"),
    (0.205, -0.034, 0.072, 0.92, 1.0, "sock"),
    (0.280, -0.044, 0.084, 1.14, 1.0, "sock"),
    (0.345, -0.052, 0.086, 1.24, 1.0, "sock"),
    (0.372, -0.053, 0.082, 1.22, 1.0, "sock"),
    (0.374, -0.058, 0.088, 1.32, 1.0, "sock"),  # a rim
    (0.396, -0.061, 0.085, 1.30, 1.0, "sock"),
    (0.398, -0.053, 0.076, 1.14, 1.0, "sock"),
    (0.370, -0.044, 0.068, 1.00, 1.0, "sock"),
]


def boot_weights(p):
    table = along_chain(p[2], ["foot_l", "shin_l"], [(0.125, 0.045)])
    bend = float(smoothstep(0.080, 0.122, -p[1]))
    foot = table.pop("foot_l", 0.0)
    table["foot_l"], table["toe_l"] = foot * (1.0 - bend), foot * bend
    return {b: w for b, w in table.items() if w > 1e-4}


def build_boot(rows):
    shell = Shell("boot_l", "boot", subdivide=False)
    x0 = rig.ANKLE[0] + 0.002
    outline = SOLE + [(y, -w) for y, w in SOLE[-2:0:-1]]
    n, heel = len(outline), len(SOLE) - 1
    rings = []
    for z, front, back, width, round_, _ in rows:
        points = []
        for i, (y, w) in enumerate(outline):
            if y < 0.03:
                sy = 0.03 + (y - 0.03) * (front - 0.03) / (rig.TOE_TIP_Y - 0.03)
            else:
                sy = 0.03 + (y - 0.03) * (back - 0.03) / (rig.HEEL_Y - 0.03)
            a = 2.0 * math.pi * i / n
            ey = (front + back) / 2 - (back - front) / 2 * math.cos(a)
            ex = 0.047 * math.sin(a)
            # A foot is not symmetric: its inner edge runs straighter.
            lean = 0.010 * float(smoothstep(0.05, 0.18, -sy))
            points.append((x0 + mix(w, ex, round_) * width - lean * (1 - round_), mix(sy, ey, round_), z))
        rings.append(shell.ring(points, boot_weights))
    for ring in (rings[0], rings[1]):
        shell.mark(shell.sharp, ring, closed=True)
    shell.mark(shell.seams, rings[0], closed=True)
    for k, (a, b) in enumerate(zip(rings, rings[1:])):
        shell.bridge(a, b, rows[k + 1][-1])
        shell.mark(shell.seams, [a[heel], b[heel]])
    r = rings[0]
    shell.face(r[0], r[1], r[n - 1], part="sole")
    for i in range(1, heel - 1):
        shell.face(r[i], r[i + 1], r[n - 1 - i], r[n - i], part="sole")
    shell.face(r[heel - 1], r[heel], r[heel + 1], part="sole")
    return shell


def build_hand():
    """Left hand: a palm of ten columns whose knuckle ring opens into four fingers."""
    shell = Shell("hand_l", "hand")
    # along, half width, palm thickness, back thickness, shift towards the thumb
    palm = [(-0.030, 0.025, 0.021, 0.021, 0.0), (0.020, 0.031, 0.020, 0.017, 0.001),
            (0.056, 0.041, 0.018, 0.016, 0.0),
            (0.084, 0.043, 0.013, 0.014, 0.0)]
    rings = []
    for n, (along, half, thick, back, shift) in enumerate(palm):
        points = []
        for j in range(5):
            f = half * (1 - j / 2.0)
            arch = 1.0 - 0.25 * (abs(j - 2) / 2.0) ** 2
            # The knuckles lie on an arc: the small finger's starts further back.
            a = along - (0.0 if n < 3 else 0.0022 * (j - 1.2) ** 2)
            points.append(rig.hand_point(a, f + shift, -back * arch))
        for j in range(4, -1, -1):
            f = half * (1 - j / 2.0)
            a = along - (0.0 if n < 3 else 0.0022 * (j - 1.2) ** 2)
            points.append(rig.hand_point(a, f + shift, thick * (0.8 if j in (0, 4) else 1.0)))
        if along < 0.02:
            s = rig.UPPER_ARM + rig.FOREARM + along * rig.HAND_SCALE
            table = arm_weights(s)
        else:
            table = {"hand_l": 1.0}
        rings.append(shell.ring(points, table))
    for n, (a, b) in enumerate(zip(rings, rings[1:])):
        # Column 9 is the thumb's side: its base grows out of that face.
        shell.bridge(a, b, skip=(9,) if n == 1 else ())
        shell.mark(shell.seams, [a[0], b[0]])
        shell.mark(shell.seams, [a[4], b[4]])

    def finger(name, base, origin, direction, lengths, size, sideways, palmwards):
        """Rings at the knuckle, half way, at both joints and at the tip."""
        d = rig.hand_direction(*direction)
        b1, b2, b3 = (f"{name}_{i}_l" for i in (1, 2, 3))
        l1, l2, l3 = (v * rig.HAND_SCALE for v in lengths)
        stations = [(l1 * 0.42, 1.04, {b1: 1.0}), (l1, 1.02, {b1: 0.5, b2: 0.5}),
                    (l1 + l2, 0.94, {b2: 0.5, b3: 0.5}),
                    (l1 + l2 + l3 * 0.82, 0.80, {b3: 1.0})]
        previous = base
        for s, scale, table in stations:
            h = size * scale * rig.HAND_SCALE
            corners = [(1, -1), (-1, -1), (-1, 1), (1, 1)]
            ring = [shell.vertex(origin + d * s + sideways * h * x + palmwards * h * y, table)
                    for x, y in corners]
            shell.bridge(previous, ring)
            for c in (0, 1):
                shell.mark(shell.seams, [previous[c], ring[c]])
            previous = ring
        shell.face(*previous)
        shell.mark(shell.seams, [previous[0], previous[1]])

    knuckles = rings[-1]
    sizes = {"index": 0.0098, "middle": 0.0102, "ring": 0.0098, "pinky": 0.0086}
    for j, (name, (base, direction, lengths)) in enumerate(rig.FINGERS.items()):
        corner = [knuckles[j], knuckles[j + 1], knuckles[8 - j], knuckles[9 - j]]
        for i in corner:
            old = shell.weights[i]
            shell.weights[i] = {"hand_l": 0.6, **{b: w for b, w in old.items() if b != "hand_l"}}
            shell.weights[i][f"{name}_1_l"] = 0.4
        d = rig.hand_direction(*direction)
        side = rig.THUMBWARD - d * np.dot(rig.THUMBWARD, d)
        side /= np.linalg.norm(side)
        finger(name, corner, rig.hand_point(base[0], base[1], 0.0), direction, lengths,
               sizes[name], side, np.cross(side, d) * np.sign(np.dot(np.cross(side, d), rig.PALMWARD)))

    a, b = rings[1], rings[2]
    # Corners seen from the thumb's tip: back/near the fingers first, as for the others.
    base = [b[0], a[0], a[9], b[9]]
    for i in base:
        shell.weights[i] = {"hand_l": 0.75, "thumb_1_l": 0.25}
    origin, direction, lengths = THUMB_BASE
    d = rig.hand_direction(*direction)
    side = rig.ARM - d * np.dot(rig.ARM, d)
    side /= np.linalg.norm(side)
    palmwards = rig.PALMWARD - d * np.dot(rig.PALMWARD, d) - side * np.dot(rig.PALMWARD, side)
    palmwards /= np.linalg.norm(palmwards)
    finger("thumb", base, rig.hand_point(*origin), direction, lengths, 0.0112, side, palmwards)
    for i, table in enumerate(shell.weights):
        total = sum(table.values())
        shell.weights[i] = {k: w / total for k, w in table.items()}
    return shell


THUMB_BASE = rig.THUMB


def build(look):
    boot, hand = build_boot(SHOE if look.is_athlete else BOOT), build_hand()
    return look.shaped([build_jacket(look), build_trousers(look)]) + [boot, boot.mirrored("boot_r"), hand,
                                                                      hand.mirrored("hand_r")]
