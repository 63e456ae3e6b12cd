"""Regions of a texture. A crowd gives each of its people other colors there; what is kept stays as it is painted."""

KEEP, SKIN, HAIR, TOP, TROUSERS = range(5)

MATERIAL = "character_regions"  # the name says that the alpha of the base color is 255 less the region
