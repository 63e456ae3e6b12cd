#!/usr/bin/env python3
"""Prints the tables of docs/gpu.md: what bounds skinning on some GPUs, by public figures and by the counts of
benchmarks/results/isa. The first has the bounds for vertices of 16 bytes, the second the lowest for each size.

  bytes         those written for a vertex, and each palette read once, at the bandwidth of the memory
  instructions  those of the kernels, one for each lane and clock; in the first table for rigid palettes
  gathers       three rows of 16 bytes for an influence, at what the first cache returns to a multiprocessor in a clock
"""
import argparse
import json
import os

import families

# Of the built-in character, as `sinew info` prints them: shares of vertices with 1, 2, 3 and 4 influences.
INFLUENCES = {1: 0.426, 2: 0.359, 3: 0.134, 4: 0.081}
VERTICES, MATRICES = 5935, 59
KERNELS = {12: "12 bytes", 16: "linear", 20: "tangents", 24: "24 bytes", 28: "28 bytes"}  # by the size of a vertex

# Name, family of the counts, multiprocessors, GHz, lanes and bytes from the first cache in a clock of one, GB/s. Public
# figures of the vendors: boost clocks; 128 lanes and bytes a clock of NVIDIA's, 64 of AMD's.
GPUS = [
    ("GeForce RTX 3060", "ga102", 28, 1.78, 128, 128, 360),
    ("GeForce RTX 4090", "ga102", 128, 2.52, 128, 128, 1008),
    ("H100 SXM", "ga102", 132, 1.98, 128, 128, 3350),
    ("H200 SXM", "ga102", 132, 1.98, 128, 128, 4800),
    ("Radeon RX 6800", "navi21", 60, 2.11, 64, 64, 512),
    ("Radeon RX 7900 XTX", "navi31", 96, 2.50, 64, 64, 960),
    ("Steam Deck", "navi21", 8, 1.60, 64, 64, 88),
]


def instructions(rows, family, kernel, rigid):
    """Of a vertex of the built-in character, on average."""
    cost = {row["influences"]: row["marginal_instructions"] for row in rows
            if row["family"] == family and row["kernel"] == kernel and row["rigid"] == rigid}
    return sum(share * cost[count] for count, share in INFLUENCES.items())


def kernel_for(family, size):
    """As the library chooses it: AMD's GPUs store directly."""
    return KERNELS[size] + ("" if size == 16 or family in families.FAMILIES else ", staged")


def bounds(gpu, rows, size, rigid):
    """Billion vertices of so many bytes a second, by each bound."""
    _, family, processors, gigahertz, lanes, cache_bytes, bandwidth = gpu
    clocks = processors * gigahertz
    gathered = 48 * sum(share * count for count, share in INFLUENCES.items())
    return {"bytes": bandwidth / (size + 48 * MATRICES / VERTICES),
            "instructions": clocks * lanes / instructions(rows, family, kernel_for(family, size), rigid),
            "gathers": clocks * cache_bytes / gathered}


def table(rows):
    """All bounds of vertices of 16 bytes, as text."""
    lines = ["| GPU | counts of | bytes | instructions | gathers | bound by |", "|---|---|---:|---:|---:|---|"]
    for gpu in GPUS:
        by = bounds(gpu, rows, 16, True)
        figures = " | ".join(f"{value:.0f}" for value in by.values())
        lines.append(f"| {gpu[0]} | {gpu[1]} | {figures} | {min(by, key=by.get)} |")
    return "\n".join(lines)


def table_of_sizes(rows):
    """The lowest bound for each size of a vertex, as text."""
    lines = ["| GPU | " + " | ".join(f"{size} bytes" for size in KERNELS) + " |", "|---|" + "---:|" * len(KERNELS)]
    for gpu in GPUS:
        lowest = [min((value, name) for name, value in bounds(gpu, rows, size, False).items()) for size in KERNELS]
        lines.append(f"| {gpu[0]} | " + " | ".join(f"{value:.0f} {name}" for value, name in lowest) + " |")
    return "\n".join(lines)


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counts", default=os.path.join(folder, "results", "isa", "radv-25.0.7.json"))
    parser.add_argument("--page", help="fail unless this file has the tables")
    arguments = parser.parse_args()
    rows = read(arguments.counts)["rows"]
    texts = table(rows), table_of_sizes(rows)
    print("\n\n".join(texts))
    if not arguments.page:
        return 0
    with open(arguments.page, encoding="utf-8") as file:
        page = file.read()
    if all(text in page for text in texts):
        return 0
    print(f"{arguments.page} has another table")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
