"""What one look of the character is made of. All looks share the skeleton and the clips."""

import dataclasses
import math

import numpy as np

from .regions import KEEP, TOP, TROUSERS
from .shell import mix, smoothstep


@dataclasses.dataclass(frozen=True)
class Look:
    name: str
    belly: float = 0.0         # how much the trunk grows around the waist, as a share
    bust: float = 0.0          # how far the chest comes forward, in meters
    limbs: float = 1.0         # thickness of arms and legs
    hem: float = 0.766         # height of the jacket's lower edge, in meters
    hair: str = "tousled"      # or "fringe", below a hat, or "long"
    hat: str = ""              # "straw", "beret" or "helmet"
    has_beard: bool = False
    has_pack: bool = True      # and its straps
    has_scarf: bool = True
    has_gloves: bool = True    # without fingers
    has_sword: bool = False    # in the right hand
    is_athlete: bool = False   # short sleeves and trousers, socks and shoes; no belt
    cloth: str = "buttoned"    # or "checked", "robe", "mail", "dress", "jersey": how the jacket is painted
    skin_tone: tuple = (1.0, 1.0, 1.0)  # the painted skin is multiplied by it
    texture_shrink: int = 1    # texels painted for one that is written, along each axis
    colors: dict = dataclasses.field(default_factory=dict)  # over paint.COLOR
    regions: dict = dataclasses.field(default_factory=dict)  # over paint.REGION

    def shape(self, p):
        """Where a point of the clothes goes: the trunk swells around the waist, most of all in front, and the chest."""
        x, y, z = p
        if self.bust > 0.0 and abs(x) < 0.18 and z < 1.40:
            aside = math.exp(-((abs(x) - 0.066) / 0.052) ** 2)
            y -= self.bust * aside * math.exp(-((z - 1.262) / 0.062) ** 2) * float(smoothstep(0.0, -0.07, y))
        if self.belly == 0.0:
            return np.array([x, y, z])
        at = math.exp(-((z - 1.01) / 0.16) ** 2) * (1.0 - float(smoothstep(0.21, 0.25, abs(x))))
        ahead = float(smoothstep(0.07, -0.07, y))
        return np.array([x * (1.0 + 0.28 * self.belly * at), y * (1.0 + self.belly * at * mix(0.25, 1.0, ahead)), z])

    def shaped(self, shells):
        for shell in shells:
            shell.points = [self.shape(p) for p in shell.points]
        return shells


CHARACTER = Look("character")


def athlete(name, **more):
    """Jersey, socks and the edges of both have the colors of a team."""
    return Look(name, hem=0.795, has_pack=False, has_scarf=False, has_gloves=False, is_athlete=True, cloth="jersey",
                texture_shrink=2, regions={"collar": KEEP, "sock": TOP},
                colors={"jacket": (206, 206, 206), "sleeve": (206, 206, 206), "lining": (170, 170, 170),
                        "collar": (244, 244, 240), "trim": (244, 244, 240), "trousers": (206, 206, 206),
                        "worn": (206, 206, 206), "sock": (206, 206, 206), "boot": (64, 66, 74), "sole": (232, 230, 224),
                        **more.pop("colors")}, **more)


LOOKS = (
    Look("farmer", belly=-0.06, limbs=0.95, hem=0.800, hair="fringe", hat="straw", has_pack=False, has_scarf=False,
         has_gloves=False, cloth="checked", texture_shrink=2, skin_tone=(0.93, 0.85, 0.78),
         regions={"collar": TOP, "cuff": TOP, "hatband": TROUSERS},
         colors={"jacket": (226, 214, 190), "sleeve": (226, 214, 190), "collar": (236, 228, 210),
                 "cuff": (236, 228, 210), "check": (186, 84, 66), "trousers": (96, 116, 150), "worn": (128, 148, 178),
                 "trim": (236, 228, 210), "hair": (196, 158, 96), "gloss": (232, 202, 140), "brow": (150, 112, 64),
                 "hat": (228, 198, 126), "hatband": (150, 66, 54), "belt": (112, 76, 50), "iris": (86, 110, 70),
                 "boot": (110, 82, 62), "boot_cuff": (134, 104, 80)}),
    Look("merchant", belly=0.80, limbs=1.06, hem=0.700, hair="fringe", hat="beret", has_beard=True,
         has_pack=False, has_gloves=False, cloth="robe", texture_shrink=2, skin_tone=(0.76, 0.66, 0.58),
         regions={"hat": TROUSERS, "scarf": KEEP},
         colors={"jacket": (142, 84, 128), "sleeve": (142, 84, 128), "collar": (222, 182, 98), "cuff": (222, 182, 98),
                 "lining": (110, 70, 92), "trousers": (88, 78, 92), "worn": (98, 88, 102), "trim": (222, 182, 98),
                 "hair": (62, 52, 48), "beard": (104, 92, 84), "gloss": (112, 98, 90), "brow": (48, 38, 34), "hat": (60, 92, 112),
                 "hatband": (222, 182, 98), "scarf": (226, 196, 120), "scarf_end": (150, 74, 92), "iris": (84, 56, 36), "iris_light": (140, 96, 60),
                 "boot": (84, 62, 56), "boot_cuff": (116, 86, 66), "belt": (96, 60, 44)}),
    Look("swordsman", belly=0.04, limbs=1.10, hem=0.740, hair="fringe", hat="helmet",
         has_pack=False, has_scarf=False, has_sword=True, cloth="mail", texture_shrink=2, skin_tone=(0.97, 0.93, 0.90),
         regions={"jacket": KEEP, "sleeve": KEEP, "lining": KEEP},
         colors={"jacket": (150, 154, 162), "sleeve": (150, 154, 162), "collar": (164, 168, 176),
                 "cuff": (120, 84, 60), "lining": (96, 84, 76), "trousers": (104, 98, 92), "worn": (118, 110, 102),
                 "trim": (226, 206, 150), "tabard": (176, 62, 54), "hair": (92, 60, 40), "gloss": (146, 100, 68),
                 "brow": (74, 46, 32), "hat": (176, 182, 192), "hatband": (120, 126, 138), "blade": (206, 212, 222),
                 "guard": (206, 170, 92), "grip": (92, 60, 44), "belt": (106, 70, 48), "boot": (96, 72, 58),
                 "boot_cuff": (124, 96, 74), "iris": (74, 96, 130)}),
    Look("weaver", belly=-0.20, bust=0.030, limbs=0.86, hem=0.410, hair="long", has_pack=False, has_scarf=False,
         has_gloves=False, cloth="dress", texture_shrink=2, skin_tone=(0.98, 0.94, 0.91),
         regions={"collar": KEEP, "lining": TROUSERS, "trousers": KEEP},
         colors={"jacket": (196, 176, 150), "sleeve": (196, 176, 150), "collar": (238, 230, 214), "cuff": (238, 230, 214),
                 "lining": (150, 132, 120), "skirt": (150, 132, 120), "trousers": (74, 66, 64), "worn": (80, 72, 70),
                 "trim": (238, 230, 214), "hair": (126, 78, 48), "gloss": (186, 128, 84), "brow": (106, 68, 46),
                 "belt": (110, 74, 50), "boot": (104, 74, 56), "boot_cuff": (126, 94, 72), "iris": (80, 104, 84)}),
    athlete("player", belly=-0.10, limbs=1.02, skin_tone=(0.96, 0.90, 0.85),
            colors={"hair": (84, 60, 44), "gloss": (132, 98, 70), "brow": (70, 48, 36), "iris": (92, 78, 56)}),
    athlete("runner", belly=-0.18, bust=0.026, limbs=0.88, hair="long", skin_tone=(0.98, 0.92, 0.88),
            colors={"hair": (150, 98, 60), "gloss": (206, 152, 100), "brow": (116, 76, 50), "iris": (84, 110, 124)}),
)
