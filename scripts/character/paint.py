"""The base-color texture, painted in three dimensions.

Every texel that a triangle covers knows its rest position, normal, part and
ambient occlusion; colors are functions of those. So features are placed in
meters on the body, and the layout of the texture does not matter.

Every texel also has a region: what a crowd colors alike, such as the hair. The
alpha of a .glb's texture is 255 less the number of the region.
"""

import math
import struct
import zlib

import bpy
import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from . import cloth, face as features, head, rig
from .cloth import dashes, line
from .regions import HAIR, KEEP, SKIN, TOP, TROUSERS
from .shell import smoothstep

SIZE = 1024
BLEED = 8

# sRGB, 0..255. Cloth stays light because a crowd multiplies a tint over it.
COLOR = {
    "jacket": (154, 190, 184), "sleeve": (154, 190, 184), "collar": (232, 218, 190), "cuff": (232, 218, 190),
    "lining": (134, 112, 96), "trousers": (190, 170, 140), "boot": (148, 104, 72),
    "boot_cuff": (182, 138, 98), "sole": (92, 74, 62), "skin": (240, 196, 164), "neck": (236, 190, 158),
    "hand": (240, 196, 164), "arm": (240, 196, 164), "leg": (240, 196, 164), "sock": (206, 206, 206), "lid": (240, 196, 164), "eye": (250, 246, 240), "mouth": (112, 40, 40),
    "teeth": (250, 246, 238), "hair": (134, 84, 52), "belt": (134, 92, 62), "buckle": (226, 190, 110),
    "pouch": (164, 116, 78), "scarf": (224, 122, 92), "pack": (196, 164, 116), "flap": (178, 142, 96),
    "pocket": (188, 154, 106), "roll": (158, 172, 198), "roll_end": (132, 146, 176),
    "blade": (206, 212, 222), "guard": (206, 170, 92), "grip": (92, 60, 44), "hat": (228, 198, 126),
    "beard": (134, 84, 52),
    # details
    "trim": (232, 218, 190), "hem": (162, 180, 188), "worn": (212, 196, 168), "gloss": (206, 144, 96),
    "brow": (104, 64, 42), "iris": (74, 120, 124), "iris_light": (132, 186, 176), "glove": (150, 106, 74),
    "scarf_end": (246, 226, 190), "hatband": (150, 66, 54), "check": (186, 84, 66), "tabard": (176, 62, 54),
}

# The regions of parts. All other parts are kept.
REGION = {
    "skin": SKIN, "neck": SKIN, "hand": SKIN, "arm": SKIN, "leg": SKIN, "lid": SKIN, "hair": HAIR, "beard": HAIR,
    "jacket": TOP, "sleeve": TOP, "lining": TOP, "trousers": TROUSERS, "scarf": TROUSERS, "roll": TROUSERS,
    "roll_end": TROUSERS,
}


def _fibonacci(count):
    """Evenly spread directions over the sphere, always the same ones."""
    i = np.arange(count) + 0.5
    z = 1.0 - 2.0 * i / count
    a = math.pi * (1.0 + 5.0 ** 0.5) * i
    r = np.sqrt(1.0 - z * z)
    return np.stack([r * np.cos(a), r * np.sin(a), z], axis=1)


def vertex_normals(mesh):
    """Blender sums its own over several threads, which leaves their last digits to chance."""
    co = np.array([v.co[:] for v in mesh.vertices], dtype=float)
    corners = np.array([p.vertices[:] for p in mesh.polygons])
    a, b, c = (co[corners[:, i]] for i in range(3))
    facing = np.cross(b - a, c - a)
    normals = np.zeros_like(co)
    for i in range(3):
        np.add.at(normals, corners[:, i], facing)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return np.round(normals, 6)


def vertex_occlusion(mesh, normals, rays=160, reach=0.30):
    """Share of open sky over each vertex; blockers count less the further they are."""
    tree = BVHTree.FromPolygons([v.co for v in mesh.vertices], [p.vertices for p in mesh.polygons])
    directions = _fibonacci(rays)
    open_sky = np.zeros(len(mesh.vertices))
    for v in mesh.vertices:
        n = normals[v.index]
        facing = directions @ n
        chosen = np.nonzero(facing > 0.08)[0]
        origin = v.co + Vector(n) * 0.0025
        blocked = 0.0
        for i in chosen:
            distance = tree.ray_cast(origin, Vector(directions[i]), reach)[3]
            if distance is not None:
                blocked += facing[i] * (1.0 - (distance / reach)) ** 0.7
        open_sky[v.index] = 1.0 - blocked / facing[chosen].sum()
    return open_sky


class Canvas:
    """Per-texel position, normal, part, occlusion and a coverage mask."""

    def __init__(self, obj):
        mesh = obj.data
        self.parts = [m.name for m in mesh.materials]
        self.p = np.zeros((SIZE, SIZE, 3))
        self.n = np.zeros((SIZE, SIZE, 3))
        self.ao = np.ones((SIZE, SIZE))
        self.part = np.full((SIZE, SIZE), -1)
        co = np.array([v.co[:] for v in mesh.vertices])
        no = vertex_normals(mesh)
        occlusion = vertex_occlusion(mesh, no)
        uv = np.array([u.uv[:] for u in mesh.uv_layers["uv"].data])
        for polygon in mesh.polygons:
            self._fill(uv[list(polygon.loop_indices)] * SIZE - 0.5, list(polygon.vertices),
                       polygon.material_index, co, no, occlusion)

    def _fill(self, t, vertices, part, co, no, occlusion):
        low = np.maximum(np.floor(t.min(axis=0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(t.max(axis=0)).astype(int) + 2, SIZE)
        x, y = np.meshgrid(np.arange(low[0], high[0]), np.arange(low[1], high[1]))
        (ax, ay), (bx, by), (cx, cy) = t
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if abs(area) < 1e-9:
            return
        u = ((bx - x) * (cy - y) - (cx - x) * (by - y)) / area
        v = ((cx - x) * (ay - y) - (ax - x) * (cy - y)) / area
        w = 1.0 - u - v
        # Half a texel over the edge, so that no gap is left along shared edges.
        slack = -0.75 / max(math.sqrt(abs(area)), 1.0)
        inside = (u >= slack) & (v >= slack) & (w >= slack)
        inside &= ((u >= 0) & (v >= 0) & (w >= 0)) | (self.part[y, x] < 0)
        b = np.stack([u, v, w], axis=-1)[inside]
        yy, xx = y[inside], x[inside]
        self.p[yy, xx] = b @ co[vertices]
        self.n[yy, xx] = b @ no[vertices]
        self.ao[yy, xx] = np.clip(b, 0, 1) @ occlusion[vertices]
        self.part[yy, xx] = part

    def mask(self, *names):
        wanted = [i for i, n in enumerate(self.parts) if n in names]
        return np.isin(self.part, wanted)


def paint(obj, look):
    """The texture's colors, 0 to 1, and the region of each texel."""
    color = {**COLOR, **look.colors}
    region_of = {**REGION, **look.regions}
    c = Canvas(obj)
    x, y, z = c.p[..., 0], c.p[..., 1], c.p[..., 2]
    ax = np.abs(x)
    rgb, region = np.zeros((SIZE, SIZE, 3)), np.zeros((SIZE, SIZE), dtype=np.uint8)
    for i, name in enumerate(c.parts):
        rgb[c.part == i] = np.array(color[name]) / 255.0
        region[c.part == i] = region_of.get(name, KEEP)

    def blend(where, color, amount=1.0, to=None):
        """`to`: the region of what is painted; none: that of what is below."""
        a = (np.asarray(where) * amount)[..., None]
        rgb[:] = rgb * (1.0 - a) + (np.array(color) / 255.0) * a
        if to is not None:
            region[a[..., 0] > 0.5] = to

    def shade(where, factor):
        rgb[:] = rgb * (1.0 + (np.asarray(factor)[..., None] - 1.0) * np.asarray(where, float)[..., None])

    jacket = c.mask("jacket")
    # Cloth: lighter towards the shoulders, a little cooler towards the hem.
    shade(jacket, 0.90 + 0.14 * smoothstep(0.78, 1.38, z))
    cloth.PATTERNS[look.cloth](c, color, blend, shade)
    shade(c.mask("lining"), 0.72 * np.ones_like(x))

    # Sleeves: distance along the arm; elbow patches on the back.
    side = np.stack([ax, y, z], axis=-1)
    along = (side - rig.SHOULDER) @ rig.ARM
    sleeve = c.mask("sleeve")
    blend(sleeve, color["cuff"], smoothstep(0.4425, 0.4440, along), to=region_of.get("cuff", KEEP))
    shade(sleeve & (along < 0.446), 1.0 - 0.18 * line(along - 0.4405, 0.0018))
    shade(sleeve, 1.02 - 0.10 * smoothstep(0.05, 0.45, along))
    shade(sleeve, 1.0 - 0.22 * line(along - 0.055, 0.0018))
    across = (side - rig.SHOULDER) @ rig.PALMWARD
    patch = np.hypot((along - 0.265) / 0.062, across / 0.040)
    back = sleeve & (y > rig.SHOULDER[1] + 0.012)
    if look.cloth == "buttoned":
        blend(back * (1.0 - smoothstep(0.97, 1.03, patch)), (176, 138, 100), to=KEEP)
        stitches = line(patch - 0.88, 0.030, 0.02) * dashes(np.arctan2(along - 0.265, across), 0.28)
        blend(back * stitches, (228, 204, 164), 0.8)
    cuff = c.mask("cuff")
    shade(cuff, 1.0 - 0.16 * line(along - 0.481, 0.0014))
    shade(c.mask("collar"), 0.86 + 0.14 * smoothstep(1.44, 1.49, z))

    # Trousers: seams outside, darker inside, knees rubbed lighter.
    trousers = c.mask("trousers")
    outer = trousers & (ax > 0.10)
    shade(outer, 1.0 - 0.22 * line(y - 0.0, 0.0016))
    blend(outer, (228, 214, 188), 0.7 * line(y - 0.006, 0.0012) * dashes(z, 0.013))
    knee = np.hypot((ax - 0.099) / 0.050, (z - 0.478) / 0.075)
    blend(trousers * (y < 0) * (1.0 - smoothstep(0.3, 1.0, knee)), color["worn"], 0.8)
    shade(trousers, 0.92 + 0.10 * smoothstep(0.25, 0.75, z))
    for z0, slant in ((0.425, 0.3), (0.405, -0.2), (0.535, -0.25), (0.36, 0.15), (0.70, 0.5)):
        fold = z - z0 - slant * (ax - 0.10) - 0.006 * np.sin(y * 55.0)
        shade(trousers, 1.0 - 0.07 * np.exp(-(fold / 0.006) ** 2) + 0.05 * np.exp(-((fold - 0.012) / 0.007) ** 2))

    # Boots: worn toes, a welt over the sole, laces. Shoes likewise, with clean toes.
    boot = c.mask("boot")
    shade(boot, 0.88 + 0.20 * smoothstep(0.03, 0.30, z))
    if not look.is_athlete:
        blend(boot * smoothstep(0.125, 0.165, -y), (176, 130, 92), 0.6)
    shade(boot, 1.0 - 0.35 * (1.0 - smoothstep(0.027, 0.034, z)))
    blend(boot * line(z - 0.0375, 0.0012) * dashes(np.arctan2(y + 0.04, ax - 0.103) * 0.10, 0.012),
          (218, 182, 136), 0.8)
    bx = ax - 0.101
    tongue = boot & (y < -0.02) & (np.abs(bx) < 0.024) & (z > 0.085)
    shade(tongue, 0.86 * np.ones_like(x))
    step = np.mod(z - 0.09, 0.030) - 0.015
    for s in (1, -1):
        blend(tongue & (z < 0.285), (236, 220, 186),
              line(step - s * bx * 0.5, 0.0028, 0.001) * (np.abs(bx) < 0.020))
    shade(boot & (y < 0.0), 1.0 - 0.28 * line(np.abs(bx) - 0.025, 0.0018) * (z > 0.09))
    shade(boot, 1.0 - 0.18 * line(y - 0.045 - 0.25 * (z - 0.1), 0.0018) * (z < 0.14))
    shade(c.mask("boot_cuff"), 1.0 - 0.18 * line(z - 0.312, 0.0016))
    shade(c.mask("sole"), 1.0 - 0.12 * (np.mod(y, 0.018) < 0.005) * (z > 0.002))

    _paint_face(c, color, blend, shade)
    if look.has_beard:
        _paint_moustache(c, color, blend)
    _paint_hands(c, look, color, blend, shade)
    _paint_hair(c, color, shade, blend)
    _paint_gear(c, color, blend, shade)
    rgb[c.mask("skin", "neck", "hand", "arm", "leg", "lid")] *= np.array(look.skin_tone)
    cloth.paint_hat_and_sword(c, look, shade)

    # Occlusion shades towards a warm dark, not towards black.
    ao = np.clip(c.ao, 0.0, 1.0) ** 1.1
    ao[c.mask("eye", "mouth", "teeth")] = 1.0  # painted as they look when they show
    dark = np.array([0.66, 0.55, 0.53])
    rgb *= (dark + (1.0 - dark) * smoothstep(0.05, 0.95, ao)[..., None])
    # Light from above is a little part of every surface.
    rgb *= (0.955 + 0.045 * c.n[..., 2])[..., None]
    _bleed(rgb, region, c.part >= 0)
    n = look.texture_shrink
    rgb = np.clip(rgb, 0.0, 1.0)
    return rgb.reshape(SIZE // n, n, SIZE // n, n, 3).mean(axis=(1, 3)), _shrunk(region, n)


def _paint_face(c, color, blend, shade):
    # Painted in the head's own coordinates, before it is scaled up.
    p = head.unscaled(c.p)
    x, y, z = p[..., 0], p[..., 1], p[..., 2]
    ax = np.abs(x)
    skin = c.mask("skin")
    face = skin & (y < -0.03)
    blush = np.exp(-((ax - 0.046) / 0.020) ** 2 - ((z - 1.560) / 0.017) ** 2)
    blend(face * blush, (236, 138, 118), 0.42)
    blend(face * np.exp(-(x / 0.014) ** 2 - ((z - 1.560) / 0.013) ** 2) * (y < -0.09), (238, 150, 126), 0.35)
    blend(skin * smoothstep(0.078, 0.090, ax) * (y > -0.03), (232, 150, 124), 0.40)  # ears
    shade(face, 1.0 - 0.10 * (1.0 - smoothstep(1.485, 1.525, z)))
    shade(face, 1.0 - 0.10 * np.exp(-((z - 1.549) / 0.004) ** 2 - (x / 0.016) ** 2))
    # Lids: shadow around the eye, lashes, crease; then brows.
    ex, ez = ax - features.EYE_X, z - features.EYE_Z
    socket = np.exp(-(ex / 0.024) ** 2 - ((ez - 0.004) / 0.016) ** 2)
    blend(face * socket, (206, 138, 112), 0.38)
    tilt = ez - features.eye_tilt(ex)
    top, bottom = features.eye_top(ex), features.eye_bottom(ex)
    blend(face * line(tilt - top - 0.0008, 0.0016, 0.0006) * (np.abs(ex) < 0.0208) * (tilt > -0.0006), (62, 38, 30))
    blend(face * line(tilt - bottom + 0.0004, 0.0008, 0.0008) * (np.abs(ex) < 0.0175), (150, 92, 74), 0.7)
    blend(face * line(tilt - top - features.CREASE - 0.0006, 0.0008, 0.0008) * (np.abs(ex) < 0.0175), (188, 122, 98), 0.7)
    lid = c.mask("lid")
    blend(lid & (tilt > 0.0), (62, 38, 30))
    blend(lid & (tilt <= 0.0), (214, 142, 126))
    _paint_eye(c.mask("eye"), ex, ez, x, color, blend)
    bx = ax - 0.0350
    brow = z - (1.6240 + 0.004 - 10.0 * (bx - 0.001) ** 2 - 0.07 * bx)
    width = 0.0042 - 0.070 * np.clip(bx, -0.012, 0.025)
    blend(face * (1.0 - smoothstep(width - 0.0010, width + 0.0010, np.abs(brow))) * (np.abs(bx) < 0.0225),
          color["brow"], to=HAIR)
    # Mouth: a friendly line, fuller in the middle, with a soft lower lip.
    curve = z - features.mouth_line(x)
    blend(face * np.exp(-((curve + 0.0062) / 0.0045) ** 2) * smoothstep(0.020, 0.008, ax), (222, 128, 112),
          0.60)
    blend(face * np.exp(-((curve - 0.0040) / 0.0030) ** 2) * smoothstep(0.018, 0.006, ax), (214, 126, 108),
          0.42)
    blend(face * line(curve, 0.0014, 0.0010) * smoothstep(0.0265, 0.0235, ax), (128, 62, 54), 0.95)
    shade(face, 1.0 - 0.09 * np.exp(-((curve + 0.0140) / 0.0035) ** 2 - (x / 0.014) ** 2))
    mouth = c.mask("mouth")
    blend(mouth & (y > -0.093), (62, 18, 22))
    # A few freckles.
    for fx, fz in ((0.024, 1.571), (0.031, 1.567), (0.038, 1.573), (0.017, 1.566), (0.044, 1.567),
                   (0.035, 1.577)):
        blend(face * (1.0 - smoothstep(0.0006, 0.0019, np.hypot(ax - fx, z - fz))), (196, 126, 92), 0.55)


def _paint_eye(eye, ex, ez, x, color, blend):
    """White with the upper lid's shadow, iris, pupil, a light."""
    tilt = ez - features.eye_tilt(ex)
    blend(eye * smoothstep(0.003, 0.013, tilt), (176, 168, 176), 0.45)
    iris = np.hypot(ex + 0.0005, ez - 0.0012)
    blend(eye * (1.0 - smoothstep(0.0098, 0.0110, iris)), (58, 44, 34))
    blend(eye * (1.0 - smoothstep(0.0085, 0.0097, iris)), color["iris"])
    blend(eye * (1.0 - smoothstep(0.002, 0.010, np.hypot(ex, ez + 0.006))), color["iris_light"], 0.8)
    blend(eye * (1.0 - smoothstep(0.0044, 0.0056, iris)), (28, 22, 24))
    # On the same side in both eyes.
    light = np.hypot(x - np.sign(x) * features.EYE_X + 0.0042, ez - 0.0050)
    blend(eye * (1.0 - smoothstep(0.0022, 0.0034, light)), (255, 255, 255))


def _paint_hands(c, look, color, blend, shade):
    hand = c.mask("hand")
    local = (np.stack([np.abs(c.p[..., 0]), c.p[..., 1], c.p[..., 2]], axis=-1) - rig.WRIST) / rig.HAND_SCALE
    along, thumb, palm = local @ rig.ARM, local @ rig.THUMBWARD, local @ rig.PALMWARD
    if look.has_gloves:
        _paint_gloves(hand, along, thumb, palm, local, color, blend, shade)
    # Nails and a warmer tone at the finger tips.
    blend(hand * smoothstep(0.125, 0.175, along), (236, 150, 122), 0.35)


def _paint_gloves(hand, along, thumb, palm, local, color, blend, shade):
    # Fingerless gloves: to the middle of the first phalanges, the thumb likewise.
    end = 0.103 - 5.0 * (thumb - 0.004) ** 2
    t = (local - (rig.ARM * rig.THUMB[0][0] + rig.THUMBWARD * rig.THUMB[0][1])) @ rig.hand_direction(*rig.THUMB[1])
    thumb_side = (thumb > 0.042) & (along < 0.085)
    glove = np.where(thumb_side, 1.0 - smoothstep(0.021, 0.0225, t),
                     1.0 - smoothstep(end - 0.0006, end + 0.0006, along))
    blend(hand * glove, color["glove"], to=KEEP)
    rim = np.where(thumb_side, t - 0.019, along - end + 0.0025)
    blend(hand * line(rim, 0.0024, 0.0008), (116, 78, 54))
    back = hand & (palm < 0.0)
    for f in (0.0315, 0.0105, -0.0105, -0.0315):  # knuckle studs read as worn leather
        d = np.hypot(along - 0.086 + 4.0 * (f - 0.004) ** 2, thumb - f)
        blend(back * (1.0 - smoothstep(0.0050, 0.0080, d)), (178, 132, 94), 0.8)
    for f in (0.021, 0.0, -0.021):
        shade(back, 1.0 - 0.18 * line(thumb - f, 0.0012) * (along > 0.03) * (along < 0.085))
    shade(hand, 1.0 - 0.25 * line(along - 0.010, 0.0014))


def _paint_moustache(c, color, blend):
    p = head.unscaled(c.p)
    x, y, z = p[..., 0], p[..., 1], p[..., 2]
    curve = z - features.mouth_line(x) - 0.0085 + 0.22 * np.abs(x)
    where = (1.0 - smoothstep(0.0035, 0.0060, np.abs(curve))) * (1.0 - smoothstep(0.029, 0.034, np.abs(x)))
    blend(c.mask("skin") * (y < -0.05) * where, color["beard"], 0.95, to=HAIR)


def _paint_hair(c, color, shade, blend):
    hair = c.mask("hair", "beard")
    p = c.p - head.scaled(head.CENTER)
    lon = np.arctan2(p[..., 0], -p[..., 1])
    r = np.linalg.norm(p, axis=-1) + 1e-9
    lat = np.arcsin(np.clip(p[..., 2] / r, -1, 1))
    strand = np.sin(lon * 34.0 + np.sin(lat * 5.0) * 2.2) * 0.5 + np.sin(lon * 79.0 + lat * 7.0) * 0.3
    shade(hair, 1.0 + 0.085 * strand * np.cos(lat))
    gloss = np.exp(-((lat - 0.72 - 0.05 * np.sin(lon * 17.0)) / 0.16) ** 2)
    blend(hair * gloss, color["gloss"], 0.38)
    shade(hair, 0.84 + 0.20 * smoothstep(-0.7, 0.7, lat))
    shade(hair, 0.74 + 0.26 * smoothstep(0.118, 0.140, r))


def _paint_gear(c, color, blend, shade):
    x, y, z = c.p[..., 0], c.p[..., 1], c.p[..., 2]
    belt = c.mask("belt")
    waist = belt & (z > 0.98) & (z < 1.035) & (y < 0.12)
    shade(waist, 1.0 - 0.25 * (line(z - 0.9915, 0.0014) + line(z - 1.0235, 0.0014)))
    strap = belt & (z > 1.05) & (y < 0.125)
    shade(strap, 0.96 + 0.1 * smoothstep(1.1, 1.4, z))
    buckle = c.mask("buckle")
    hole = np.maximum(np.abs(x) - 0.0125, np.abs(z - 1.007) - 0.0105)
    blend(buckle * (1.0 - smoothstep(-0.001, 0.001, hole)), (120, 82, 56))
    blend(buckle * line(z - 1.007, 0.0022) * (x > -0.004) * (x < 0.016), (236, 204, 130))
    shade(buckle, 0.88 + 0.2 * smoothstep(0.98, 1.03, z))
    pouch = c.mask("pouch")
    shade(pouch, 1.0 - 0.30 * line(z - 0.980, 0.0016) + 0.06 * (z > 0.980))
    blend(pouch * line(z - 0.9845, 0.0010) * dashes(x + y, 0.009), (222, 186, 138), 0.7)
    # Scarf: stripes near the ends, soft folds along its length.
    scarf = c.mask("scarf")
    angle = np.arctan2(y, x)
    shade(scarf & (z > 1.43), 1.0 + 0.06 * np.sin(angle * 9.0 + z * 160.0))
    tail = scarf & (z < 1.42)
    for end, x_low in ((1.212, 0.036), (1.300, -1.0)):
        mine = tail & ((x >= 0.036) if x_low > 0 else (x < 0.036))
        for k in (0.016, 0.030):
            blend(mine * line(z - end - k, 0.0036), color["scarf_end"], to=KEEP)
        blend(mine * (1.0 - smoothstep(end + 0.006, end + 0.008, z)), color["scarf_end"], to=KEEP)
    # Pack: stitched edges and a lighter face.
    pack = c.mask("pack", "pocket", "flap")
    shade(pack, 0.92 + 0.10 * smoothstep(1.07, 1.38, z))
    flap = c.mask("flap")
    blend(flap * line(z - 1.250, 0.0013) * dashes(x, 0.012), (236, 212, 168), 0.8)
    blend(flap * line(np.abs(x) - 0.099, 0.0013) * dashes(z, 0.012), (236, 212, 168), 0.8)
    for s in (-1, 1):  # two straps buckle the flap down, two more hold the bedroll
        near = x - s * 0.056
        blend((flap | c.mask("pack")) & (y > 0.17) & (z > 1.10) & (z < 1.40), (134, 92, 62),
              line(near, 0.0105))
        shade(flap & (y > 0.17), 1.0 - 0.25 * line(np.abs(near) - 0.0115, 0.0016))
        plate = np.maximum(np.abs(near) - 0.0120, np.abs(z - 1.268) - 0.0100)
        blend(flap * (1.0 - smoothstep(-0.001, 0.001, plate)), (226, 190, 110))
        blend(flap * (1.0 - smoothstep(-0.001, 0.001, plate + 0.0045)), (120, 82, 56))
    pocket = c.mask("pocket")
    shade(pocket, 1.0 - 0.28 * line(z - 1.172, 0.0016))
    rim = np.maximum(np.abs(x) - 0.050, np.abs(z - 1.150) - 0.040)
    blend(pocket * line(rim, 0.0012) * dashes(x + z, 0.010), (236, 212, 168), 0.8)
    roll = c.mask("roll")
    for s in (-1, 1):
        blend(roll * line(x - s * 0.140, 0.006), (226, 226, 232), 0.9, to=KEEP)
        blend(roll * line(x - s * 0.122, 0.003), (226, 226, 232), 0.9, to=KEEP)
        blend(roll, (134, 92, 62), line(x - s * 0.072, 0.0125), to=KEEP)
        shade(roll, 1.0 - 0.25 * line(np.abs(x - s * 0.072) - 0.0135, 0.0016))
    ends = c.mask("roll_end")
    d = np.hypot(y - 0.164, z - 1.448)
    turn = np.arctan2(z - 1.448, y - 0.164) / (2 * np.pi)
    shade(ends, 1.0 - 0.30 * smoothstep(0.35, 0.5, np.abs(np.mod(d / 0.012 + turn, 1.0) - 0.5)))


def _shrunk(region, n):
    """The region that most of n * n texels have."""
    texels = region.reshape(SIZE // n, n, SIZE // n, n)
    counts = np.stack([(texels == i).sum(axis=(1, 3)) for i in range(TROUSERS + 1)])
    return counts.argmax(axis=0).astype(np.uint8)


def _bleed(rgb, region, covered):
    """Spreads colors and regions past the islands' edges, against seams under filtering."""
    covered = covered.copy()
    for _ in range(BLEED):
        total, count = np.zeros_like(rgb), np.zeros(covered.shape)
        for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            near = np.roll(covered, (dy, dx), (0, 1))
            total += np.roll(rgb, (dy, dx), (0, 1)) * near[..., None]
            count += near
            reached = near & ~covered
            region[reached] = np.roll(region, (dy, dx), (0, 1))[reached]
        new = (count > 0) & ~covered
        rgb[new] = total[new] / count[new][:, None]
        covered |= new
    rgb[~covered] = rgb[covered].mean(axis=0)


def png(rgb, region=None):
    """8-bit sRGB, top row first; with regions in alpha. Written here so that the bytes never change."""
    pixels = np.round(rgb[::-1] * 255.0).astype(np.int16)
    if region is not None:
        pixels = np.concatenate([pixels, 255 - region[::-1, :, None].astype(np.int16)], axis=2)
    left = np.zeros_like(pixels)
    left[:, 1:] = pixels[:, :-1]
    above = np.zeros_like(pixels)
    above[1:] = pixels[:-1]
    corner = np.zeros_like(pixels)
    corner[1:, 1:] = pixels[:-1, :-1]
    # The Paeth filter suits smooth painting: it about halves the file.
    estimate = left + above - corner
    a, b, d = (np.abs(estimate - q) for q in (left, above, corner))
    guess = np.where((a <= b) & (a <= d), left, np.where(b <= d, above, corner))
    rows = ((pixels - guess) % 256).astype(np.uint8).reshape(len(pixels), -1)
    raw = b"".join(b"\x04" + row.tobytes() for row in rows)

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    color_type = 2 if region is None else 6
    header = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], 8, color_type, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"sRGB", b"\x00")
            + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def dress(obj, path):
    """Replaces the parts' stand-in materials by the one that carries the texture."""
    image = bpy.data.images.load(path)
    material = bpy.data.materials.new("character")
    material.use_nodes = True
    nodes = material.node_tree.nodes
    shader = nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = 0.85
    shader.inputs["Metallic"].default_value = 0.0
    shader.inputs["Specular"].default_value = 0.5
    texture = nodes.new("ShaderNodeTexImage")
    texture.image = image
    material.node_tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    material.use_backface_culling = True
    obj.data.materials.clear()
    obj.data.materials.append(material)
    obj.data.polygons.foreach_set("material_index", [0] * len(obj.data.polygons))
    for part in list(bpy.data.materials):
        if part.users == 0:
            bpy.data.materials.remove(part)
