"""A sword in the right hand, rigid with the hand's joint. motion.grip closes the fingers around it."""

import math

from . import rig
from .shell import Shell

HAND = {"hand_l": 1.0}  # built on the left, like the hands, and mirrored
TILT = math.radians(28.0)  # of the blade from across the palm toward the fingers, as a relaxed grip holds it
MIDDLE = rig.hand_point(0.078, 0.0, 0.0265)  # of the grip
BLADE = rig.THUMBWARD * math.cos(TILT) + rig.ARM * math.sin(TILT)
EDGE = rig.ARM * math.cos(TILT) - rig.THUMBWARD * math.sin(TILT)
FLAT = rig.PALMWARD


def _tube(shell, part, stations, sides, turn=0.0):
    """Rings along the sword: (distance from the middle of the grip, half size along the edge, across it)."""
    rings = []
    for s, edge, flat in stations:
        angles = (turn + 2.0 * math.pi * i / sides for i in range(sides))
        rings.append(shell.ring([MIDDLE + BLADE * s + EDGE * edge * math.cos(a) + FLAT * flat * math.sin(a)
                                 for a in angles], HAND))
    shell.loft(rings, part, seam=0)
    for ring, (s, _, _) in ((rings[0], stations[0]), (rings[-1], stations[-1])):
        shell.fan(ring, MIDDLE + BLADE * s, HAND, part)
    return rings


def build():
    shell = Shell("sword", "grip", subdivide=False)
    _tube(shell, "grip", [(-0.062, 0.0125, 0.0105), (0.0, 0.0135, 0.0115), (0.056, 0.0125, 0.0105)], 8)
    _tube(shell, "guard", [(-0.096, 0.008, 0.008), (-0.090, 0.018, 0.016), (-0.074, 0.019, 0.017),
                           (-0.062, 0.010, 0.009)], 8)
    bar = _tube(shell, "guard", [(0.054, 0.100, 0.014), (0.072, 0.105, 0.015)], 4, math.pi / 4)
    edges = _tube(shell, "blade", [(0.071, 0.027, 0.0065), (0.45, 0.023, 0.0055), (0.66, 0.018, 0.0045),
                                   (0.74, 0.002, 0.001)], 4)
    for ring in bar:
        shell.mark(shell.sharp, ring, closed=True)
    for i in range(4):  # a blade is flat between its edges and its ridges
        shell.mark(shell.sharp, [ring[i] for ring in edges])
    return [shell.mirrored("sword")]
