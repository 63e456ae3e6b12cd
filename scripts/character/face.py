"""Eyes with lids, a mouth that opens, and the shapes that move them.

Both are rings of vertices around an opening, stitched into the head's grid.
Everything is in the head's own coordinates, before it is scaled up. What a
shape moves is written down beside the vertices, in `Shell.shapes`.
"""

import math

import numpy as np

from .shell import Shell, mix, smoothstep

SHAPES = ("blink", "smile", "open_mouth")
HEAD = {"head": 1.0}
COUNT = 16  # vertices of a ring: two corners and seven on either side

EYE_X, EYE_Z, EYE_WIDTH = 0.0345, 1.5965, 0.0205
EYE_Y, EYE_RADIUS, EYE_SLANT = -0.0900, 0.060, 0.40  # a shallow dome that follows the face's curve
LID = 0.0014     # the lids' distance from the eye: a straight path over the dome takes 0.0009 of it
LASHES = 0.0034  # width of the band along the edge that keeps its shape
CREASE = 0.0070  # from the edge of the open lid up to where its skin folds

MOUTH_Z, MOUTH_WIDTH, MOUTH_BEND = 1.5280, 0.0262, 9.0
JAW = np.array([0.0, 0.0, 1.570])  # the mouth opens around this point
OPENING = 0.150                    # by so many radians


def eye_top(ex):
    """Height of the upper lid over the middle of the eye; `ex` is measured outwards from there."""
    return 0.0118 * np.sqrt(np.clip(1.0 - (ex / EYE_WIDTH) ** 2, 0, 1)) * (1.0 + 5.0 * ex)


def eye_bottom(ex):
    return -0.0105 * np.sqrt(np.clip(1.0 - (ex / EYE_WIDTH) ** 2, 0, 1))


def eye_tilt(ex):
    """The eye's axis climbs outwards."""
    return 0.10 * ex


def mouth_line(x):
    return MOUTH_Z + MOUTH_BEND * x**2


def eye_surface(ex, ez):
    return EYE_Y + EYE_SLANT * ex + (ex**2 + ez**2) / (2.0 * EYE_RADIUS)


def _circle(count=COUNT):
    """Cosines and sines from the outer corner over the top to the inner one and back below."""
    angles = [2.0 * math.pi * i / count for i in range(count)]
    return [(round(math.cos(a), 12), round(math.sin(a), 12)) for a in angles]


def _eye_point(side, ex, ez, y):
    return np.array([side * (EYE_X + ex), y, EYE_Z + ez])


class Eye:
    """Lids, and between them a dome; `side` is 1 for the left."""

    def __init__(self, shell, front, side):
        self.shell, self.front, self.side = shell, front, side
        self.crease = [self._crease(*at) for at in _circle()]
        self.fold = [self._lid(*at, LASHES, -LID) for at in _circle()]
        self.edge = [self._lid(*at, 0.0, -LID) for at in _circle()]
        self.inner = [self._lid(*at, 0.0, 0.0010) for at in _circle()]
        # The eye is one surface with the skin: then coarser levels of detail cannot draw the skin over it, and its place
        # in the texture is where a lid that is gone would show it.
        ball = [self._on_eye(*at, 0.55) for at in _circle()]
        shell.loft([self.crease, self.fold, self.edge])
        shell.bridge(self.edge, self.inner, part="lid")
        shell.bridge(self.inner, ball, part="eye")
        shell.fan(ball, _eye_point(side, 0.0, 0.0, EYE_Y), HEAD, part="eye")
        for rim in (self.edge, self.inner):
            shell.mark(shell.sharp, rim, closed=True)
        for corner in (0, COUNT // 2):
            shell.mark(shell.sharp, [self.edge[corner], self.inner[corner]])

    def _crease(self, out, up):
        ex = EYE_WIDTH * 1.17 * out
        edge = eye_top(ex / 1.17) + CREASE * up if up >= 0.0 else eye_bottom(ex / 1.17) + 0.0045 * up
        ez = float(edge) + eye_tilt(ex)
        x = EYE_X + ex
        # The corners lie deeper than the skin around them.
        y = mix(self.front(x, EYE_Z + ez), eye_surface(ex, ez) - LID, 0.45 * out**4)
        i = self.shell.vertex(_eye_point(self.side, ex, ez, y), HEAD)
        if up < -0.1:
            self.shell.move("smile", i, (0.0, -0.0004, 0.0014 * -up))
        return i

    def _lid(self, out, up, wider, behind):
        """A vertex `wider` outside the edge of the lid and `behind` the surface of the eye."""
        ex = EYE_WIDTH * out
        height = float(eye_top(ex) if up >= 0.0 else eye_bottom(ex))
        # Closed lids meet in a curve that leaves the corners gently.
        closed = 0.62 * float(eye_bottom(ex)) * up**2 - (0.0005 if up > 0.0 else 0.0)
        grown = ex + 0.75 * wider * out
        ez = height + wider * up + eye_tilt(ex)
        y = eye_surface(grown, ez) + behind
        i = self.shell.vertex(_eye_point(self.side, grown, ez, y), HEAD)
        # The rim of the eye stays: the inside of the lid stretches, and no normal turns around.
        if up != 0.0 and behind < 0.0:
            end = ez + closed - height
            # The upper lid closes in front of the lower one.
            over = 0.0003 if up > 0.0 else 0.0
            self.shell.move("blink", i, (0.0, eye_surface(grown, end) + behind - over - y, end - ez))
            if up < 0.0:
                lift = 0.0026 * -up
                self.shell.move("smile", i, (0.0, eye_surface(grown, ez + lift) + behind - y, lift))
        return i

    def _on_eye(self, out, up, size):
        ex = EYE_WIDTH * out
        ez = size * (float(eye_top(ex) if up >= 0.0 else eye_bottom(ex)) + eye_tilt(ex))
        return self.shell.vertex(_eye_point(self.side, size * ex, ez, eye_surface(size * ex, ez)), HEAD)


class Mouth:
    """Lips around a slit that is closed at rest, and the dark behind them."""

    def __init__(self, shell, front):
        self.shell = shell
        self.lips = self._ring(front, 1.16, 0.0055, -0.0090, 0.0)
        edge = self._ring(front, 1.0, 0.0, 0.0, 0.0008)
        inside = self._ring(front, 0.98, 0.0045, -0.0045, 0.0060)
        shell.bridge(self.lips, edge)
        shell.bridge(edge, inside, part="mouth")
        for marked in (shell.seams, shell.sharp):
            shell.mark(marked, edge, closed=True)
        back = shell.fan(inside, (0.0, -0.078, MOUTH_Z), HEAD, part="mouth")
        shell.move("open_mouth", back, 0.5 * jaw_turn(shell.points[back]))

    def _ring(self, front, wide, up, down, deep):
        ring = []
        for out, over in _circle():
            x = MOUTH_WIDTH * wide * out
            z = float(mouth_line(x)) + (up if over >= 0.0 else -down) * over
            i = self.shell.vertex((x, front(x, z) + deep, z), HEAD)
            ring.append(i)
            if over > 0.0:
                part = over**0.7
                self.shell.move("open_mouth", i, (-0.08 * x, 0.0, 0.0022 * part))
            else:
                part = 0.22 + 0.78 * (-over) ** 0.7
                self.shell.move("open_mouth", i, part * jaw_turn(self.shell.points[i]) + (-0.08 * x, 0.0, 0.0))
        return ring


def build_teeth(front):
    """The upper row, curved like the lips that hide it."""
    shell = Shell("teeth", "teeth", subdivide=False)
    rows = []
    for low in (0.0038, -0.0022):
        points = []
        for i in range(7):
            x = 0.0195 * (i - 3) / 3.0
            y = front(0.0, MOUTH_Z) + 0.0075 + 18.0 * x**2
            points.append((x, y, mouth_line(x) + low * (1.0 - 0.3 * abs(i - 3) / 3.0)))
        rows.append(shell.ring(points, HEAD))
    shell.bridge(rows[0], rows[1], closed=False)
    return shell


def jaw_turn(p):
    """Where a point of the jaw goes when the mouth opens, along a straight line."""
    r = np.asarray(p) - JAW
    return OPENING * np.array([0.0, -r[2], r[1]])


def move_skin(shell, points):
    """The skin around the mouth gives way: chin and cheeks."""
    for i in points:
        x, y, z = shell.points[i]
        if y > -0.03:
            continue
        chin = float(smoothstep(1.535, 1.505, z) * smoothstep(0.085, 0.030, abs(x)))
        if chin > 0.0:
            shell.move("open_mouth", i, 0.55 * chin * jaw_turn((x, y, z)))


def smile(shell):
    """Corners of the mouth out and up, cheeks up and forward."""
    for i, p in enumerate(shell.points):
        ax, side = abs(p[0]), math.copysign(1.0, p[0])
        if p[1] > -0.03:
            continue
        corner = math.exp(-((ax - 0.0280) / 0.0135) ** 2 - ((p[2] - 1.5325) / 0.0150) ** 2)
        cheek = math.exp(-((ax - 0.0450) / 0.0170) ** 2 - ((p[2] - 1.5600) / 0.0150) ** 2)
        if max(corner, cheek) > 0.02:
            shell.move("smile", i, (side * (0.0046 * corner + 0.001 * cheek), 0.0026 * corner - 0.0022 * cheek,
                                    0.0062 * corner + 0.0026 * cheek))
