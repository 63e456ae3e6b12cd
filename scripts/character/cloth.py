"""How the jackets, hats and the sword are painted. Distances are in meters of the rest pose."""

import numpy as np

from . import rig
from .regions import KEEP, TOP, TROUSERS
from .shell import smoothstep



def line(distance, half, soft=0.0012):
    """1 on a line of the given half width, with a soft edge."""
    return 1.0 - smoothstep(half - soft, half + soft, np.abs(distance))


def dashes(along, period):
    return smoothstep(-0.3, 0.1, np.sin(along * 2.0 * np.pi / period))


def buttoned(c, color, blend, shade):
    x, y, z = c.p[..., 0], c.p[..., 1], c.p[..., 2]
    ax = np.abs(x)
    jacket = c.mask("jacket")
    front = jacket & (y < 0)
    blend(jacket * (1.0 - smoothstep(0.76, 1.0, z)), color["hem"], 0.5)
    # A lighter band along the hem with stitches above it, and the front opening.
    blend(jacket * (1.0 - smoothstep(0.793, 0.796, z)), color["trim"], to=KEEP)
    blend(jacket * line(z - 0.8035, 0.0016) * dashes(np.arctan2(y, x) * 0.17, 0.012), (226, 220, 200), 0.8)
    shade(front, 1.0 - 0.30 * line(x - 0.022, 0.0016))
    blend(front * line(x - 0.0165, 0.0013) * dashes(z, 0.012), (226, 222, 204), 0.7)
    for z0 in (0.865, 0.93, 1.075, 1.14, 1.205, 1.27, 1.335):
        d = np.hypot(x - 0.004, z - z0)
        shade(front, 1.0 - 0.35 * (1.0 - smoothstep(0.0075, 0.0115, np.hypot(x - 0.004, z - z0 + 0.002))))
        blend(front * (1.0 - smoothstep(0.0068, 0.0088, d)), (238, 214, 160), to=KEEP)
        blend(front * (1.0 - smoothstep(0.0018, 0.0030, d)), (150, 118, 76), to=KEEP)
    # Chest pocket on the right and yoke seams front and back.
    px, pz = x + 0.066, z - 1.205
    edge = np.maximum(np.abs(px) - 0.030, np.abs(pz) - 0.030)
    shade(front, 1.0 - 0.28 * line(edge, 0.0016))
    shade(front & (np.abs(px) < 0.030), 1.0 - 0.28 * line(pz - 0.014, 0.0014) + 0.05 * (pz > 0.014) * (pz < 0.030))
    yoke = z - (1.315 + 0.10 * np.clip(ax - 0.05, 0, 1))
    shade(jacket & (ax < 0.17) & (z > 1.2), 1.0 - 0.20 * line(yoke, 0.0016))
    blend(jacket & (ax < 0.17), (226, 222, 204), 0.6 * line(yoke + 0.006, 0.0012) * dashes(x, 0.012))


def _arm_coordinates(c):
    """Along a sleeve from the shoulder, and around it."""
    side = np.stack([np.abs(c.p[..., 0]), c.p[..., 1], c.p[..., 2]], axis=-1) - rig.SHOULDER
    return side @ rig.ARM, np.arctan2(side @ rig.PALMWARD, side @ rig.THUMBWARD)


def _placket(c, shade, blend, buttons):
    """The front opening, with buttons at these heights."""
    x, y, z = c.p[..., 0], c.p[..., 1], c.p[..., 2]
    front = c.mask("jacket") & (y < 0)
    shade(front, 1.0 - 0.28 * line(x - 0.020, 0.0020))
    for z0 in buttons:
        blend(front * (1.0 - smoothstep(0.0070, 0.0095, np.hypot(x - 0.002, z - z0))), (246, 232, 206), to=KEEP)


def checked(c, color, blend, shade):
    """A shirt of checked linen, and suspenders."""
    x, y, z = c.p[..., 0], c.p[..., 1], c.p[..., 2]
    jacket, sleeve = c.mask("jacket"), c.mask("sleeve")
    along, around = _arm_coordinates(c)
    for u, v, cloth in ((x, z, jacket & (np.abs(c.n[..., 1]) > 0.55)),
                        (y, z, jacket & (np.abs(c.n[..., 1]) <= 0.55)), (around * 0.047, along, sleeve)):
        for w in (u, v):
            blend(cloth * smoothstep(-0.25, 0.25, np.sin(w * 2.0 * np.pi / 0.046) - 0.35), color["check"], 0.45)
    _placket(c, shade, blend, (0.90, 1.08, 1.17, 1.26, 1.35))
    band = jacket & (z > 1.0) & (np.abs(c.n[..., 1]) > 0.3) | jacket & (z > 1.38)
    aside = np.abs(x) - 0.088
    blend(band * line(aside, 0.0150), color["belt"], to=KEEP)
    shade(band, 1.0 - 0.30 * line(np.abs(aside) - 0.0165, 0.0018))


def robe(c, color, blend, shade):
    """A long coat with broad borders and a woven pattern."""
    x, y, z = c.p[..., 0], c.p[..., 1], c.p[..., 2]
    jacket, sleeve = c.mask("jacket"), c.mask("sleeve")
    along, around = _arm_coordinates(c)
    for u, v, cloth in ((np.arctan2(x, -y) * 0.16, z, jacket), (around * 0.05, along, sleeve)):
        leaf = np.cos(u * 2.0 * np.pi / 0.056) + np.cos(v * 2.0 * np.pi / 0.078)
        blend(cloth * smoothstep(1.25, 1.45, np.abs(leaf)), color["trim"], 0.38)
    blend(jacket * (1.0 - smoothstep(0.737, 0.740, z)), color["trim"], to=KEEP)
    shade(jacket, 1.0 - 0.25 * line(z - 0.742, 0.0020))
    border = jacket & (y < 0)
    blend(border * (1.0 - smoothstep(0.026, 0.028, np.abs(x))), color["trim"], to=KEEP)
    shade(border, 1.0 - 0.30 * line(np.abs(x) - 0.029, 0.0018))
    shade(border, 1.0 - 0.35 * line(x, 0.0016))


def mail(c, color, blend, shade):
    """Rings of mail below a tabard."""
    x, y, z = c.p[..., 0], c.p[..., 1], c.p[..., 2]
    jacket, sleeve = c.mask("jacket", "collar"), c.mask("sleeve")
    along, around = _arm_coordinates(c)
    for u, v, cloth in ((np.arctan2(x, -y) * 0.16, z, jacket), (around * 0.05, along, sleeve & (along < 0.44))):
        rings = np.sin(u * 2.0 * np.pi / 0.012) * np.sin(v * 2.0 * np.pi / 0.012)
        shade(cloth, 0.86 + 0.26 * rings)
    half = 0.106 + 0.016 * smoothstep(1.0, 0.80, z)
    tabard = c.mask("jacket") & (np.abs(x) < half)
    blend(tabard, color["tabard"], to=TOP)
    blend(tabard * smoothstep(-0.0145, -0.0125, np.abs(x) - half), color["trim"], to=KEEP)
    blend(tabard * (1.0 - smoothstep(0.762, 0.765, z)), color["trim"], to=KEEP)
    # A ring of gold on the chest.
    chest = tabard & (y < 0)
    blend(chest * line(np.hypot(x, z - 1.215) - 0.052, 0.0085), color["trim"], to=KEEP)
    blend(chest * (1.0 - smoothstep(0.017, 0.019, np.hypot(x, z - 1.215))), color["trim"], to=KEEP)


def dress(c, color, blend, shade):
    """A blouse, and a skirt from the belt down, with an embroidered border."""
    x, y, z = c.p[..., 0], c.p[..., 1], c.p[..., 2]
    jacket = c.mask("jacket")
    around = np.arctan2(x, -y)
    skirt = jacket & (z < 1.005)
    blend(skirt, color["skirt"], to=TROUSERS)
    # Folds that deepen towards the hem.
    deep = smoothstep(0.98, 0.60, z)
    shade(skirt, 1.0 - 0.20 * deep * np.sin(around * 13.0 + 0.8 * np.sin(z * 9.0)) ** 2)
    up = z - z[skirt].min()
    for height, half in ((0.050, 0.0060), (0.075, 0.0026), (0.025, 0.0026)):
        blend(skirt * line(up - height, half), color["trim"], 0.9, to=KEEP)
    blend(skirt * line(np.hypot(np.mod(around * 0.2, 0.05) - 0.025, up - 0.102) - 0.008, 0.0028), color["trim"], 0.8)
    # The blouse is laced in front.
    front = jacket & (y < 0) & (z > 1.04)
    shade(front, 1.0 - 0.35 * line(x, 0.0030) * (z < 1.40))
    step = np.mod(z - 1.05, 0.034) - 0.017
    for s in (1, -1):
        blend(front & (z < 1.39), color["trim"], line(step - s * x * 0.8, 0.0028, 0.001) * (np.abs(x) < 0.022), to=KEEP)
    shade(front, 1.0 - 0.22 * line(np.abs(x) - 0.027, 0.0018) * (z < 1.40))


def jersey(c, color, blend, shade):
    """A shirt for sports: a stripe down each side and along the edge of the sleeves."""
    x, y, z = c.p[..., 0], c.p[..., 1], c.p[..., 2]
    jacket, sleeve = c.mask("jacket"), c.mask("sleeve")
    along, _ = _arm_coordinates(c)
    blend(jacket * line(y - 0.005, 0.016) * (z < 1.27), color["trim"], to=KEEP)
    blend(sleeve * line(along - 0.186, 0.008), color["trim"], to=KEEP)
    shade(jacket, 1.0 - 0.20 * line(z - 0.815, 0.0018))
    for z0, slant in ((0.93, 0.4), (1.04, -0.3), (1.12, 0.35)):
        fold = z - z0 - slant * x
        shade(jacket, 1.0 - 0.07 * np.exp(-(fold / 0.008) ** 2) + 0.05 * np.exp(-((fold - 0.016) / 0.010) ** 2))


PATTERNS = {"buttoned": buttoned, "checked": checked, "robe": robe, "mail": mail, "dress": dress, "jersey": jersey}


def paint_hat_and_sword(c, look, shade):
    x, y, z = c.p[..., 0], c.p[..., 1], c.p[..., 2]
    hat = c.mask("hat")
    around, out = np.arctan2(x, -y), np.hypot(x, y)
    if look.hat == "straw":
        shade(hat, 0.92 + 0.10 * np.sin((out + 0.6 * z) * 2.0 * np.pi / 0.011) + 0.05 * np.sin(around * 70.0))
    elif look.hat == "beret":
        shade(hat, 0.95 + 0.05 * np.sin(around * 9.0))
    elif look.hat == "helmet":
        shade(hat, 0.90 + 0.14 * smoothstep(1.66, 1.80, z))
        shade(hat, 1.0 - 0.30 * line(np.abs(x) - 0.012, 0.0016) * (z > 1.70))
    shade(c.mask("grip"), 0.86 + 0.16 * np.sin((x + z - y) * 2.0 * np.pi / 0.012))
