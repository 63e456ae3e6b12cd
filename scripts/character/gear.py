"""Belt, pouch, scarf, backpack and bedroll: worn over the clothes."""

import math

import numpy as np

from . import sword
from .clothes import TORSO, torso_point, torso_weights
from .shell import Shell, mix, smoothstep

PACK = {"backpack": 1.0}


def trunk_outline(angle, z, away):
    """A point `away` outside the jacket at an angle (degrees, 0 left, 90 back)."""
    rows = TORSO[2:]
    for low, high in zip(rows, rows[1:]):
        if low[0] <= z <= high[0]:
            t = (z - low[0]) / (high[0] - low[0])
            a, f, b = (mix(low[i], high[i], t) for i in (1, 2, 3))
            return torso_point(angle / 30.0, z, a + away, f + away, b + away) * (0.975, 0.975, 1.0)
    raise ValueError(z)


def build_belt():
    shell = Shell("belt", "belt", subdivide=False)
    n = 24
    rings = []
    for z, away in ((0.985, -0.004), (0.986, 0.008), (1.029, 0.008), (1.030, -0.004)):
        points = [trunk_outline(360.0 * i / n, z, away) for i in range(n)]
        # The belt keeps the waist's section, whatever it is buckled over.
        rings.append(shell.ring(points, torso_weights))
    shell.loft(rings, seam=6)
    return shell


def _box(shell, part, center, half, weights, corner=0.82, bulge=1.0, axes=None):
    """A bevelled block: its rim is drawn in at front and back."""
    ex, ey, ez = axes if axes is not None else np.eye(3)
    rings = []
    for y, size in ((1.0, corner), (0.55, 1.0), (-0.45 * bulge, 1.0), (-1.0, corner)):
        points = []
        for x, z in ((1, 1), (0, 1.04), (-1, 1), (-1.04, 0), (-1, -1), (0, -1.04), (1, -1), (1.04, 0)):
            points.append(center + ex * half[0] * x * size + ey * half[1] * y + ez * half[2] * z * size)
        rings.append(shell.ring(points, weights))
    shell.loft(rings, part, seam=5)
    for ring, y in ((rings[0], 1.0), (rings[-1], -1.0)):
        shell.fan(ring, center + ey * half[1] * y * 1.04, weights, part)
    # The back lies against its wearer and is its own island.
    shell.mark(shell.seams, rings[0], closed=True)


def build_fittings():
    shell = Shell("fittings", "belt", subdivide=False)
    front = trunk_outline(270.0, 1.007, 0.010)
    _box(shell, "buckle", front, (0.024, 0.007, 0.021), torso_weights(front))
    for angle, part, size in ((322.0, "pouch", (0.030, 0.019, 0.037)), (200.0, "pouch", (0.036, 0.020, 0.042))):
        at = trunk_outline(angle, 0.990, 0.016)
        at[2] = 0.968
        a = math.radians(angle)
        out = np.array([math.cos(a) * 0.7, math.sin(a), 0.0])
        out /= np.linalg.norm(out)
        axes = (np.array([-out[1], out[0], 0.0]), -out, np.array([0, 0, 1.0]))
        _box(shell, part, at, size, {"pelvis": 0.85, "spine_1": 0.15}, axes=axes)
    return shell


def build_scarf():
    shell = Shell("scarf", "scarf", subdivide=False)
    n, m = 18, 7
    loops = []
    for i in range(n):
        a = 2 * math.pi * i / n
        c, s = math.cos(a), math.sin(a)
        # Lower in front, higher at the nape, with the cloth bunching unevenly.
        bunch = 1.0 + 0.10 * math.sin(3 * a + 0.6) + 0.05 * math.sin(7 * a)
        center = np.array([0.078 * c, 0.006 + 0.076 * s, 1.474 + 0.020 * s])
        out = np.array([c, s, -0.25])
        out /= np.linalg.norm(out)
        up = np.array([0.25 * c, 0.25 * s, 1.0])
        up /= np.linalg.norm(up)
        ring = []
        for j in range(m):
            b = 2 * math.pi * j / m + 0.5
            fold = 1.0 + (0.12 if j in (1, 4) else -0.05)
            ring.append(center + out * 0.024 * bunch * fold * math.cos(b) + up * 0.032 * bunch * fold * math.sin(b))
        loops.append(shell.ring(ring, lambda p: _scarf_weights(p)))
    for i in range(n):
        a, b = loops[i], loops[(i + 1) % n]
        shell.bridge(a, b)
        shell.mark(shell.seams, [a[3], b[3]])
    shell.mark(shell.seams, loops[5], closed=True)

    # The knot and two loose ends over the chest; the longer swings on its own joints.
    knot = np.array([0.042, -0.102, 1.446])
    rings = []
    for y, r in ((0.020, 0.014), (0.006, 0.026), (-0.012, 0.026), (-0.024, 0.013)):
        rings.append(shell.ring([knot + (r * 1.05 * math.cos(t), y, r * math.sin(t))
                                 for t in (2 * math.pi * i / 8 for i in range(8))],
                                {"spine_3": 0.75, "scarf_1": 0.25}))
    shell.loft(rings, seam=0)
    shell.fan(rings[-1], knot + (0, -0.026, 0), {"spine_3": 0.75, "scarf_1": 0.25})
    _tail(shell, [(0.044, -0.116, 1.438), (0.054, -0.142, 1.385), (0.061, -0.150, 1.325),
                  (0.067, -0.151, 1.270), (0.072, -0.150, 1.212)],
          [0.015, 0.025, 0.030, 0.033, 0.036], 0.007)
    _tail(shell, [(0.038, -0.114, 1.436), (0.022, -0.139, 1.392), (0.013, -0.147, 1.345),
                  (0.008, -0.150, 1.300)], [0.014, 0.023, 0.027, 0.031], 0.007)
    return shell


def _scarf_weights(p):
    lift = float(smoothstep(1.44, 1.52, p[2]))
    return {"spine_3": 1.0 - 0.6 * lift, "neck": 0.6 * lift}


def _tail(shell, path, half_widths, thick):
    rings = []
    for i, (p, w) in enumerate(zip(path, half_widths)):
        p = np.array(p)
        t = np.array(path[min(i + 1, len(path) - 1)]) - np.array(path[max(i - 1, 0)])
        t /= np.linalg.norm(t)
        side = np.array([1.0, 0.0, 0.0]) - t * t[0]
        side /= np.linalg.norm(side)
        out = np.cross(side, t)
        out *= -np.sign(out[1])
        a = float(smoothstep(1.425, 1.36, p[2]) if p[2] < 1.425 else 0.0)
        b = float(smoothstep(1.375, 1.29, p[2]) if p[2] < 1.375 else 0.0)
        table = {"spine_3": 1.0 - a, "scarf_1": a * (1.0 - b), "scarf_2": a * b}
        table = {k: v for k, v in table.items() if v > 1e-4}
        rings.append(shell.ring([p + side * w, p + side * w * 0.3 + out * thick,
                                 p - side * w * 0.45 + out * thick * 0.4, p - side * w,
                                 p - out * thick * 0.7], table))
    shell.loft(rings, seam=4)
    shell.face(*rings[-1])
    shell.mark(shell.seams, [rings[-1][3], rings[-1][4], rings[-1][0]])


def build_backpack():
    shell = Shell("backpack", "pack", subdivide=False)
    # Cross-sections from the bottom up: z, half width, inner y, outer y.
    rows = [(1.062, 0.075, 0.128, 0.206), (1.074, 0.108, 0.112, 0.234), (1.120, 0.124, 0.106, 0.254),
            (1.200, 0.127, 0.104, 0.260), (1.290, 0.120, 0.106, 0.246), (1.360, 0.106, 0.108, 0.216),
            (1.392, 0.086, 0.114, 0.188)]
    rings, n = [], 14
    for z, half, inner, outer in rows:
        points = []
        for i in range(n):
            a = 2 * math.pi * i / n
            c, s = math.cos(a), math.sin(a)
            c, s = math.copysign(abs(c) ** 0.7, c), math.copysign(abs(s) ** 0.7, s)
            points.append((half * s, (inner + outer) / 2 + (outer - inner) / 2 * c, z))
        rings.append(shell.ring(points, PACK))
    shell.loft(rings, seam=n // 2)
    for ring in (rings[0], rings[-1]):
        shell.fan(ring, np.mean([shell.points[i] for i in ring], axis=0), PACK)
    for ring in (rings[1], rings[-1]):
        shell.mark(shell.seams, ring, closed=True)
    return shell


def build_pack_details():
    shell = Shell("pack_details", "flap", subdivide=False)
    rows = [(1.402, 0.094, 0.124), (1.406, 0.104, 0.170), (1.385, 0.113, 0.210), (1.340, 0.120, 0.237),
            (1.285, 0.123, 0.257), (1.236, 0.116, 0.266)]
    lines = []
    for z, half, y in rows:
        lines.append(shell.ring([(x * half, y + 0.006 * (1 - x * x) - 0.022 * x**4, z - 0.010 * x * x)
                                 for x in (-1.0, -0.55, 0.0, 0.55, 1.0)], PACK))
    shell.loft(lines, closed=False)
    # A rim gives the flap its thickness.
    rim = [line[0] for line in lines] + lines[-1][1:-1] + [line[-1] for line in reversed(lines)]
    inner = shell.ring([shell.points[i] * (0.97, 1, 1) + (0, -0.016, 0.004) for i in rim], PACK)
    shell.bridge(rim, inner, closed=False)
    shell.mark(shell.sharp, rim)
    shell.mark(shell.seams, rim)
    _box(shell, "pocket", np.array([0.0, 0.260, 1.145]), (0.062, 0.026, 0.050), PACK,
         axes=(np.array([-1.0, 0, 0]), np.array([0, -1.0, 0]), np.array([0, 0, 1.0])))
    # Bedroll across the top.
    rings, n = [], 12
    for x, r in ((-0.174, 0.040), (-0.176, 0.048), (-0.168, 0.054), (-0.072, 0.051),
                 (0.072, 0.051), (0.168, 0.054), (0.176, 0.048), (0.174, 0.040)):
        rings.append(shell.ring([(x, 0.164 + r * math.cos(t), 1.448 + r * math.sin(t))
                                 for t in (2 * math.pi * i / n - 1.6 for i in range(n))], PACK))
    shell.loft(rings, part="roll", seam=0)
    for ring, x in ((rings[0], -0.166), (rings[-1], 0.166)):
        shell.fan(ring, (x, 0.164, 1.448), PACK, part="roll_end")
        shell.mark(shell.seams, ring, closed=True)
    return shell


STRAP = [(0.070, 0.125, 1.375), (0.086, 0.085, 1.445), (0.094, 0.025, 1.470), (0.097, -0.040, 1.445),
         (0.099, -0.095, 1.385), (0.100, -0.130, 1.310), (0.104, -0.140, 1.240), (0.116, -0.132, 1.178),
         (0.138, -0.104, 1.132), (0.158, -0.050, 1.108), (0.164, 0.015, 1.098), (0.145, 0.075, 1.096),
         (0.070, 0.122, 1.098)]


def build_strap(cloth):
    """A shoulder strap lying on the jacket: over the shoulder and back below the arm.

    `cloth(p)` gives the jacket's nearest point, its normal and its weights. The
    strap takes the weights of the cloth right under it, so it never sinks in.
    """
    shell = Shell("strap_l", "belt", subdivide=False)
    control = [np.array(p) for p in STRAP]
    path = []
    for i, p in enumerate(control):
        path.append(p)
        if i + 1 < len(control):
            before = control[max(i - 1, 0)]
            after = control[min(i + 2, len(control) - 1)]
            if 1 <= i <= 8:
                path.append((9.0 * (p + control[i + 1]) - before - after) / 16.0)
    ground = [cloth(p) for p in path]
    rings = []
    for i, (p, out, table) in enumerate(ground):
        t = ground[min(i + 1, len(ground) - 1)][0] - ground[max(i - 1, 0)][0]
        t /= np.linalg.norm(t)
        out = out - t * np.dot(out, t)
        out /= np.linalg.norm(out)
        side = np.cross(t, out)
        w, h = mix(0.019, 0.012, float(smoothstep(9, 13, i))), 0.008
        p = p + out * 0.002
        rings.append(shell.ring([p + side * w - out * 0.006, p + side * w * 0.88 + out * h,
                                 p - side * w * 0.88 + out * h, p - side * w - out * 0.006], table))
    shell.loft(rings, closed=False)  # its underside is never seen
    return shell


def build(look, cloth):
    shells = look.shaped(([] if look.is_athlete else [build_belt(), build_fittings()])
                         + ([build_scarf()] if look.has_scarf else []))
    if look.has_pack:
        strap = build_strap(cloth)
        shells += [build_backpack(), build_pack_details(), strap, strap.mirrored("strap_r")]
    if look.has_sword:
        shells += sword.build()
    return shells
