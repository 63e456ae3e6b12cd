#!/usr/bin/env python3
"""Turns what witnesses saw into small golden files: a few hundred vertices of a few clips.

    choose.py MODEL WITNESS_OUTPUT GOLDEN.json

MODEL is the name that tests know the file by. Of each clip all vertices are kept that start within a dozen balls spread
over the model (or all there are, where they are few), so that a test can match both ways: every kept point has one of
ours, and every one of ours that starts well within a ball has a kept point.
"""

import array
import json
import math
import sys

POINTS = 160  # about so many a clip and time
BALLS = 12
CLIPS = 3  # the first, one in the middle, the last


def read_blocks(header, path):
    values = array.array("f")
    with open(path, "rb") as file:
        values.frombytes(file.read())
    block_count = sum(len(clip["times_seconds"]) for clip in header["clips"])
    size = len(values) // block_count
    return [[tuple(values[first + 3 * v:first + 3 * v + 3]) for v in header["used_vertices"]]
            for first in range(0, len(values), size)]


def spread(points):
    """Centers, each the farthest from those before."""
    centers, nearest = [points[0]], [math.inf] * len(points)
    while len(centers) < BALLS:
        nearest = [min(old, math.dist(point, centers[-1])) for old, point in zip(nearest, points)]
        centers.append(points[max(range(len(points)), key=nearest.__getitem__)])
    return centers


def choose(points):
    """Balls [x, y, z, radius] and the vertices within; no balls where all are taken."""
    if len(points) <= POINTS:
        return [], list(range(len(points)))
    centers = spread(points)
    distances = [min(math.dist(point, center) for center in centers) for point in points]
    radius = sorted(distances)[POINTS] * 1.0001
    return [[*center, radius] for center in centers], [v for v, d in enumerate(distances) if d <= radius]


def bounds(points):
    return [min(p[axis] for p in points) for axis in range(3)] + [max(p[axis] for p in points) for axis in range(3)]


def rounded(numbers):
    """Eight digits: floats have seven. None of them is -0."""
    return [float(f"{number:.8g}") + 0.0 for number in numbers]


def golden_clip(clip, blocks, header):
    balls, kept = choose(blocks[0])
    golden = {"name": clip["name"]}
    if "index" in clip:
        golden["index"] = clip["index"]
    golden["times_seconds"] = clip["times_seconds"]
    golden["balls"] = [rounded(ball) for ball in balls]
    if header["file_order"]:
        golden["vertices"] = [header["used_vertices"][v] for v in kept]
    golden["bounds"] = [rounded(bounds(block)) for block in blocks]
    golden["positions"] = [rounded(number for v in kept for number in block[v]) for block in blocks]
    return golden


def chosen_clips(count):
    return sorted({0, count // 2, count - 1}) if count > CLIPS else list(range(count))


def to_text(golden):
    """JSON with one list of numbers a line."""
    def compact(value):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)

    def lists(values):
        return "[\n" + ",\n".join(compact(value) for value in values) + "]"

    def clip(values):
        return "{" + ",\n".join(f"{compact(key)}:" + (lists(value) if key in ("bounds", "positions") else compact(value))
                                for key, value in values.items()) + "}"

    head = ",\n".join(f"{compact(key)}:{compact(value)}" for key, value in golden.items() if key != "clips")
    return "{" + head + ',\n"clips":[\n' + ",\n".join(clip(values) for values in golden["clips"]) + "]}\n"


def main():
    model, seen, output = sys.argv[1:]
    with open(seen + ".json", encoding="utf-8") as file:
        header = json.load(file)
    blocks = read_blocks(header, seen + ".f32")
    golden = {"model": model, "witness": header["witness"]}
    if header.get("blend", "linear") != "linear":
        golden["blend"] = header["blend"]
    golden["clips"] = []
    firsts = [0]
    for clip in header["clips"]:
        firsts.append(firsts[-1] + len(clip["times_seconds"]))
    for i in chosen_clips(len(header["clips"])):
        golden["clips"].append(golden_clip(header["clips"][i], blocks[firsts[i]:firsts[i + 1]], header))
    with open(output, "w", encoding="utf-8") as file:
        file.write(to_text(golden))


main()
