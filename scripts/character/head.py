"""Head, ears and hair; the features are in face.py.

The head is sculpted as a smooth union of simple solids (a signed field) and
read out along rays from its middle, so a regular grid of rays becomes a face.
"""

import math

import numpy as np

from . import face
from .shell import Shell, along_chain, mix, smoothstep

CENTER = np.array([0.0, -0.004, 1.610])
HEAD = {"head": 1.0}


def _ellipsoid(p, c, r):
    return (np.linalg.norm((p - c) / r) - 1.0) * min(r)


def _capsule(p, a, b, ra, rb):
    a, b = np.asarray(a), np.asarray(b)
    t = float(np.clip(np.dot(p - a, b - a) / np.dot(b - a, b - a), 0.0, 1.0))
    return np.linalg.norm(p - mix(a, b, t)) - mix(ra, rb, t)


def _union(a, b, k):
    h = max(k - abs(a - b), 0.0) / k
    return min(a, b) - h * h * k * 0.25


def _cut(a, b, k):
    return -_union(-a, b, k)


def head_field(p):
    p = np.array([abs(p[0]), p[1], p[2]])
    d = _ellipsoid(p, np.array([0, 0.014, 1.642]), np.array([0.087, 0.102, 0.098]))
    d = _union(d, _ellipsoid(p, np.array([0, -0.026, 1.572]), np.array([0.071, 0.070, 0.084])), 0.05)
    d = _union(d, _ellipsoid(p, np.array([0, -0.066, 1.502]), np.array([0.030, 0.024, 0.022])), 0.04)
    d = _union(d, _ellipsoid(p, np.array([0.041, -0.060, 1.560]), np.array([0.027, 0.028, 0.028])), 0.03)
    d = _cut(d, _ellipsoid(p, np.array([0.037, -0.113, 1.597]), np.array([0.024, 0.020, 0.017])), 0.018)
    d = _union(d, _capsule(p, (0.018, -0.090, 1.622), (0.048, -0.078, 1.624), 0.007, 0.006), 0.02)
    d = _union(d, _capsule(p, (0, -0.092, 1.600), (0, -0.112, 1.562), 0.0075, 0.0125), 0.016)
    d = _union(d, _ellipsoid(p, np.array([0.011, -0.100, 1.557]), np.array([0.009, 0.010, 0.008])), 0.010)
    d = _union(d, _capsule(p, (0, -0.0925, 1.530), (0.013, -0.088, 1.530), 0.006, 0.004), 0.012)
    return d


def surface(direction, field=head_field, far=0.22):
    """Distance from the head's middle to the surface along `direction`."""
    low, high = 0.02, far
    t = far
    while t > 0.02 and field(CENTER + direction * t) > 0.0:
        high, t = t, t - 0.006
    low = t
    for _ in range(18):
        t = 0.5 * (low + high)
        if field(CENTER + direction * t) > 0.0:
            high = t
        else:
            low = t
    return t


def direction(lon, lat):
    """lon 0 looks forward (-Y) and grows to the character's left, lat up, in degrees."""
    lon, lat = math.radians(lon), math.radians(lat)
    return np.array([math.sin(lon) * math.cos(lat), -math.cos(lon) * math.cos(lat), math.sin(lat)])


def _mirrored_angles(half):
    """Full circle of longitudes from those between 0 (front) and 180 (back)."""
    return half + [360.0 - a for a in reversed(half[1:-1])]


def front(x, z):
    """y of the face at a place seen from the front."""
    near, y = -0.2, -0.2
    while head_field(np.array([x, y, z])) > 0.0:
        near, y = y, y + 0.002
    for _ in range(24):
        middle = 0.5 * (near + y)
        if head_field(np.array([x, middle, z])) > 0.0:
            near = middle
        else:
            y = middle
    return y


def build_head():
    shell = Shell("head", "skin", subdivide=False)
    # Closer together over the face, where the features are.
    lons = _mirrored_angles([0, 7, 15, 24, 34, 46, 60, 78, 100, 126, 154, 180])
    lats = [-66, -56, -48, -37, -30, -23.5, -17, -10, -3, 4, 12, 24, 42, 64]
    rings = []
    for lat in lats:
        points = []
        for lon in lons:
            u = direction(lon, lat)
            points.append(CENTER + u * surface(u))
        rings.append(shell.ring(points, HEAD))
    back = lons.index(180.0)
    # What the hair or the neck hides for good is left out.
    hidden = [hair_cover(p - 0.022 * (p[1] > -0.02) * np.array([0, 0, 1.0])) > 0.98 for p in shell.points]
    openings = _openings(lons, lats)
    for row, (a, b) in enumerate(zip(rings, rings[1:])):
        for j in range(len(lons)):
            quad = (a[j], a[(j + 1) % len(lons)], b[(j + 1) % len(lons)], b[j])
            in_opening = any(row in rows and j in columns for rows, columns in openings)
            if not in_opening and not all(hidden[i] for i in quad):
                shell.face(*quad)
        if any({a[back], b[back]} <= set(f) for f in shell.faces):
            shell.mark(shell.seams, [a[back], b[back]])
    _add_face(shell, rings, openings)
    _drop_unused(shell)
    return shell


def _openings(lons, lats):
    """Rows and columns of the grid's faces that make room for the eyes and the mouth."""
    n = len(lons)
    eye_rows = range(lats.index(-23.5), lats.index(12))
    left, right = range(lons.index(0), lons.index(46)), range(n - lons.index(46), n)
    side = lons.index(24)
    mouth = list(range(n - side, n)) + list(range(side))
    return [(eye_rows, left), (eye_rows, right), (range(lats.index(-48), lats.index(-37)), mouth)]


def _border(rings, rows, columns):
    """The grid's vertices around an opening, counterclockwise as seen from the front."""
    across = [*columns, (columns[-1] + 1) % len(rings[0])]
    bottom, top = rows[0], rows[-1] + 1
    return ([rings[bottom][c] for c in across] + [rings[r][across[-1]] for r in range(bottom + 1, top)]
            + [rings[top][c] for c in reversed(across)] + [rings[r][across[0]] for r in range(top - 1, bottom, -1)])


def _add_face(shell, rings, openings):
    grid = range(len(shell.points))
    outlines = [face.Eye(shell, front, side).crease for side in (1.0, -1.0)] + [face.Mouth(shell, front).lips]
    for (rows, columns), outline in zip(openings, outlines):
        border = _border(rings, rows, columns)
        is_clockwise = shell.points[outline[0]][0] < shell.points[outline[len(outline) // 2]][0]
        shell.stitch(border, outline[::-1] if is_clockwise else outline)
    face.move_skin(shell, grid)
    face.smile(shell)


def build_neck():
    """A tube of its own; the scarf and the jaw hide both its ends."""
    shell = Shell("neck", "neck", subdivide=False)
    neck = []
    for z, y, r in ((1.430, 0.010, 0.056), (1.475, 0.006, 0.052), (1.540, 0.006, 0.050)):
        points = [(r * math.sin(a), y - r * 0.98 * math.cos(a), z)
                  for a in (2 * math.pi * i / 12 for i in range(12))]
        table = along_chain(z, ["spine_3", "neck", "head"], [(1.430, 0.03), (1.505, 0.035)])
        neck.append(shell.ring(points, table))
    shell.loft(neck, seam=6)
    return shell


def build_ear():
    shell = Shell("ear_l", "skin", subdivide=False)
    rings, n = [], 9
    # Rings outwards from the skull: foot, flare, rim, then the bowl sunk into it.
    for out, size, shift in ((-0.012, 0.62, 0.0), (0.004, 0.80, 0.003), (0.016, 1.0, 0.008),
                             (0.0185, 0.84, 0.009), (0.010, 0.50, 0.006)):
        points = []
        for i in range(n):
            a = 2 * math.pi * i / n
            y, z = 0.0195 * math.cos(a) * size, 0.033 * math.sin(a) * size
            y *= 1.0 + 0.28 * math.sin(a)  # wider above, a lobe below
            points.append((0.083 + out - 0.10 * z * 0.5 + 0.25 * max(y, 0), 0.008 + shift + y + 0.18 * z,
                           1.588 + z))
        rings.append(shell.ring(points, HEAD))
    shell.loft(rings, seam=0)
    shell.fan(rings[-1], np.mean([shell.points[i] for i in rings[-1]], axis=0) - (0.002, 0, 0), HEAD)
    return shell


def hair_cover(p):
    """1 where hair covers the skull, falling to 0 across the hairline."""
    x, y, z = abs(p[0]), p[1], p[2]
    # The hairline climbs over the brow and drops behind the ears to the nape.
    if y < -0.02:
        line = mix(1.628, 1.668, float(smoothstep(-0.03, -0.07, y) if y < -0.03 else 0.0))
    elif y < 0.03:
        line = mix(1.612, 1.628, float(smoothstep(0.02, -0.02, y) if y < 0.02 else 0.0))
    else:
        line = mix(1.612, 1.520, float(smoothstep(0.03, 0.055, y)))
    return float(smoothstep(line - 0.010, line + 0.012, z))


def build_hair():
    shell = Shell("hair", "hair", subdivide=False)
    lons = [15.0 * i for i in range(24)]
    lats = [-50, -38, -26, -14, -4, 6, 16, 25, 37, 52, 70]
    rings, shown = [], []
    for lat in lats:
        points, covers = [], []
        for lon in lons:
            u = direction(lon, lat)
            r = surface(u)
            cover = hair_cover(CENTER + u * r)
            # Broad waves instead of a helmet; they run with the locks, front to back.
            wave = 0.0035 * math.sin(math.radians(lon) * 5 + 0.05 * lat) * math.cos(math.radians(lat))
            crown = 0.010 * float(smoothstep(10, 60, lat))
            thick = 0.017 + wave + crown + (0.006 if 120 < lon < 240 else 0.0)
            points.append(CENTER + u * (r + mix(-0.010, thick, cover)))
            covers.append(cover)
        rings.append(shell.ring(points, HEAD))
        shown.append(covers)
    n = len(lons)
    for i, (a, b) in enumerate(zip(rings, rings[1:])):
        for j in range(n):
            k = (j + 1) % n
            # Faces that lie wholly under the skin are left out.
            if max(shown[i][j], shown[i][k], shown[i + 1][j], shown[i + 1][k]) > 0.02:
                shell.face(a[j], a[k], b[k], b[j])
        if max(shown[i][12], shown[i + 1][12], shown[i][11], shown[i][13]) > 0.02:
            shell.mark(shell.seams, [a[12], b[12]])
    u = direction(0, 90)
    top = shell.fan(rings[-1], CENTER + u * (surface(u) + 0.027), HEAD)
    shell.mark(shell.seams, [rings[-1][12], top])
    _drop_unused(shell)
    return shell


def _drop_unused(shell):
    used = sorted({i for f in shell.faces for i in f})
    new = {old: i for i, old in enumerate(used)}
    shell.points = [shell.points[i] for i in used]
    shell.weights = [shell.weights[i] for i in used]
    shell.faces = [tuple(new[i] for i in f) for f in shell.faces]
    for name in ("seams", "sharp", "creases"):
        edges = {tuple(sorted((new[a], new[b]))) for a, b in getattr(shell, name) if a in new and b in new}
        setattr(shell, name, edges)
    shell.shapes = {name: {new[i]: d for i, d in moved.items() if i in new} for name, moved in shell.shapes.items()}


# Locks: (lon, lat) of root, middle and tip with the height above the skull, width, thickness.
LOCKS = [
    # fringe, swept to the character's left
    [(-30, 52, 0.020), (-16, 36, 0.034), (8, 24, 0.030), (26, 15.5, 0.016), 0.034, 0.016],
    [(-36, 46, 0.018), (-30, 32, 0.031), (-16, 21, 0.024), (-4, 16, 0.014), 0.030, 0.015],
    [(-46, 42, 0.016), (-46, 28, 0.027), (-40, 16, 0.019), (-33, 8.5, 0.010), 0.026, 0.014],
    [(-4, 54, 0.022), (18, 40, 0.036), (38, 26, 0.030), (50, 13, 0.016), 0.034, 0.016],
    [(30, 52, 0.020), (48, 38, 0.032), (60, 22, 0.024), (66, 4, 0.012), 0.032, 0.015],
    [(-62, 44, 0.018), (-66, 28, 0.026), (-68, 12, 0.018), (-67, -3, 0.009), 0.030, 0.014],
    # crown, tousled
    [(165, 78, 0.012), (-178, 72, 0.040), (-160, 60, 0.050), (-150, 46, 0.040), 0.046, 0.018],
    [(30, 80, 0.012), (66, 76, 0.038), (92, 62, 0.044), (104, 46, 0.034), 0.046, 0.018],
    [(-50, 78, 0.012), (-84, 70, 0.038), (-100, 56, 0.042), (-110, 41, 0.032), 0.044, 0.018],
    [(150, 62, 0.010), (150, 50, 0.034), (154, 38, 0.040), (160, 25, 0.034), 0.046, 0.018],
    # nape: rooted inside the hair, so that only the flicked ends come out of it
    [(150, 14, 0.004), (150, -6, 0.026), (150, -22, 0.032), (146, -37, 0.027), 0.042, 0.018],
    [(181, 10, 0.004), (180, -12, 0.028), (180, -28, 0.034), (176, -42, 0.028), 0.046, 0.018],
    [(-150, 14, 0.004), (-150, -6, 0.026), (-150, -22, 0.032), (-147, -37, 0.027), 0.042, 0.018],
    [(116, 16, 0.004), (118, 0, 0.022), (121, -14, 0.026), (124, -28, 0.020), 0.034, 0.016],
    [(-116, 16, 0.004), (-118, 0, 0.022), (-121, -14, 0.026), (-124, -28, 0.020), 0.034, 0.016],
]


# Down to the shoulders, around the back from ear to ear.
LONG = [[(lon, 36, 0.004), (lon, 6, 0.036), (lon * 0.985, -26, 0.056), (lon * 0.95, tip, height), 0.078, 0.026]
        for lon, tip, height in ((80, -48, 0.050), (98, -52, 0.062), (116, -55, 0.070), (134, -57, 0.074),
                                 (152, -58, 0.078), (170, -58, 0.080), (-172, -58, 0.080), (-154, -58, 0.078),
                                 (-136, -57, 0.074), (-118, -55, 0.070), (-99, -52, 0.062), (-80, -48, 0.050))]

# Which of them a look wears; a hat leaves no room for the crown's.
HAIR = {"tousled": LOCKS, "fringe": LOCKS[:6] + LOCKS[10:], "long": LOCKS[:6] + LONG}


def build_locks(look):
    shell = Shell("locks", "hair", subdivide=False)
    for *path, width, thick in HAIR[look.hair]:
        control = []
        for lon, lat, height in path:
            u = direction(lon, lat)
            control.append(CENTER + u * (surface(u) + height))
        rings = []
        for t, size in ((0.0, 0.55), (0.22, 1.0), (0.48, 0.98), (0.74, 0.62)):
            p, tangent = _bezier(control, t)
            out = p - CENTER
            out -= tangent * np.dot(out, tangent)
            out /= np.linalg.norm(out)
            side = np.cross(tangent, out)
            w, h = width * size * 0.5, thick * size * 0.6
            points = [p + side * w, p + side * w * 0.45 + out * h, p - side * w * 0.45 + out * h,
                      p - side * w, p - out * h * 0.7]
            rings.append(shell.ring(points, HEAD))
        shell.loft(rings, seam=4)
        shell.fan(rings[-1], control[-1], HEAD)
    return shell


def _bezier(c, t):
    """Point and unit tangent of the cubic through the first and last control."""
    s = 1.0 - t
    p = s**3 * c[0] + 3 * s * s * t * c[1] + 3 * s * t * t * c[2] + t**3 * c[3]
    d = s * s * (c[1] - c[0]) + 2 * s * t * (c[2] - c[1]) + t * t * (c[3] - c[2])
    return p, d / np.linalg.norm(d)


# The sculpture has natural proportions; the character wears it a little larger.
SCALE, PIVOT = 1.13, np.array([0.0, 0.004, 1.478])


def scaled(p):
    return PIVOT + (p - PIVOT) * SCALE


def unscaled(p):
    return PIVOT + (p - PIVOT) / SCALE


def build(look, headwear):
    ear = build_ear()
    shells = [build_head(), face.build_teeth(front), ear, ear.mirrored("ear_r"), build_hair(), build_locks(look), *headwear]
    for shell in shells:
        shell.points = [scaled(p) for p in shell.points]
        for moved in shell.shapes.values():
            moved.update({i: distance * SCALE for i, distance in moved.items()})
    return shells + [build_neck()]
