"""Hats and beards. They are rigid with the head, in the head's own size; head.py scales them."""

import math

from . import face
from .head import CENTER, HEAD, direction, surface
from .shell import Shell, mix, smoothstep

COLUMNS = 24
FRONT, BACK = 31.0, 9.0  # latitude of a hat's lower edge

# (from the edge 0 to the crown 1, height above the skull, further out, further down, part of the face below)
HATS = {
    "straw": [(-0.06, 0.012, 0.0, 0.0, "hat"), (0.0, 0.034, 0.0, 0.0, "hat"), (0.0, 0.034, 0.070, 0.010, "hat"),
              (0.0, 0.036, 0.076, 0.006, "hat"), (0.03, 0.042, 0.068, 0.001, "hat"), (0.05, 0.044, 0.004, 0.0, "hat"),
              (0.20, 0.046, 0.0, 0.0, "hatband"), (0.45, 0.050, 0.0, 0.0, "hat"), (0.62, 0.052, 0.0, 0.0, "hat"),
              (0.82, 0.042, 0.0, 0.0, "hat")],
    "beret": [(-0.06, 0.010, 0.0, 0.0, "hatband"), (-0.02, 0.030, 0.0, 0.0, "hatband"),
              (0.10, 0.040, 0.0, 0.0, "hatband"), (0.12, 0.050, 0.024, 0.0, "hat"), (0.22, 0.058, 0.036, 0.0, "hat"),
              (0.36, 0.062, 0.026, 0.0, "hat"), (0.58, 0.058, 0.0, 0.0, "hat"), (0.80, 0.050, 0.0, 0.0, "hat")],
    "helmet": [(-0.06, 0.010, 0.0, 0.0, "hatband"), (0.0, 0.034, 0.0, 0.0, "hatband"),
               (0.0, 0.038, 0.026, 0.008, "hatband"), (0.02, 0.042, 0.028, 0.003, "hatband"),
               (0.05, 0.040, 0.004, 0.0, "hatband"), (0.20, 0.042, 0.0, 0.0, "hatband"),
               (0.42, 0.046, 0.0, 0.0, "hat"), (0.66, 0.054, 0.0, 0.0, "hat"), (0.86, 0.066, 0.0, 0.0, "hat")],
}
TOP = {"straw": 0.038, "beret": 0.046, "helmet": 0.080}


def build_hat(kind):
    shell = Shell("hat", "hat", subdivide=False)
    rings = []
    for share, away, out, down, _ in HATS[kind]:
        points = []
        for i in range(COLUMNS):
            lon = 360.0 * i / COLUMNS
            edge = 0.5 * (FRONT + BACK) + 0.5 * (FRONT - BACK) * math.cos(math.radians(lon))
            u = direction(lon, edge + share * (90.0 - edge))
            level = direction(lon, 0.0)
            points.append(CENTER + u * (surface(u) + away) + level * out - (0.0, 0.0, down))
        rings.append(shell.ring(points, HEAD))
    back = COLUMNS // 2
    for (a, b), row in zip(zip(rings, rings[1:]), HATS[kind][1:]):
        shell.bridge(a, b, row[4])
        shell.mark(shell.seams, [a[back], b[back]])
    up = direction(0.0, 90.0)
    shell.fan(rings[-1], CENTER + up * (surface(up) + TOP[kind]), HEAD, part="hat")
    for ring in rings[2:6:2]:
        shell.mark(shell.seams, ring, closed=True)
    return shell


def build_beard():
    """From the ears along the jaw, below the lip; it follows the chin when the mouth opens."""
    shell = Shell("beard", "beard", subdivide=False)
    lons = [-90, -74, -57, -41, -26, -13, 0, 13, 26, 41, 57, 74, 90]
    rows = [(0.0, -0.004), (0.10, 0.007), (0.40, 0.016), (0.75, 0.019), (1.0, 0.010), (1.04, -0.012)]
    lines = []
    for share, away in rows:
        points = []
        for lon in lons:
            side = float(smoothstep(22, 76, abs(lon)))
            top, bottom = mix(-50.0, 8.0, side), mix(-76.0, -46.0, side)
            u = direction(lon, mix(top, bottom, share))
            thick = away * (mix(1.0, 0.55, side) if away > 0.0 else 1.0)
            points.append(CENTER + u * (surface(u) + thick))
        lines.append(shell.ring(points, HEAD))
    shell.loft(lines, closed=False)
    face.move_skin(shell, range(len(shell.points)))
    return shell


def build(look):
    return ([build_hat(look.hat)] if look.hat else []) + ([build_beard()] if look.has_beard else [])
