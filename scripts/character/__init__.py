"""Sinew's built-in character, authored in code and built with Blender 3.4."""
