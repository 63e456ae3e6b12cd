#!/usr/bin/env python3
"""Prints the table of docs/gpu.md: what bounds skinning on some GPUs, by public figures and by the counts of
benchmarks/results/isa.

  bytes         16 written for a vertex, and each palette read once, at the bandwidth of the memory
  instructions  those of the kernels for rigid palettes, one for each lane and clock
  gathers       three rows of 16 bytes for an influence, at what the first cache returns to a multiprocessor in a clock
"""
import argparse
import json
import os

# Of the built-in character, as `sinew info` prints them: shares of vertices with 1, 2, 3 and 4 influences.
INFLUENCES = {1: 0.426, 2: 0.359, 3: 0.134, 4: 0.081}
VERTICES, MATRICES = 5935, 59
WRITTEN = 16

# Name, family of the counts, multiprocessors, GHz, lanes and bytes from the first cache in a clock of one, GB/s. Public
# figures of the vendors: boost clocks; 128 lanes and bytes a clock of NVIDIA's, 64 of AMD's.
GPUS = [
    ("GeForce RTX 3060", "ga102", 28, 1.78, 128, 128, 360),
    ("GeForce RTX 4090", "ga102", 128, 2.52, 128, 128, 1008),
    ("H100 SXM", "ga102", 132, 1.98, 128, 128, 3350),
    ("H200 SXM", "ga102", 132, 1.98, 128, 128, 4800),
    ("Radeon RX 6800", "navi21", 60, 2.11, 64, 64, 512),
    ("Radeon RX 7900 XTX", "navi31", 96, 2.50, 64, 64, 960),
    ("Steam Deck", "rembrandt", 8, 1.60, 64, 64, 88),
]


def instructions(rows, family):
    """Of a vertex of the built-in character, on average."""
    cost = {row["influences"]: row["marginal_instructions"] for row in rows
            if row["family"] == family and row["kernel"] == "linear" and row["rigid"]}
    return sum(share * cost[count] for count, share in INFLUENCES.items())


def bounds(gpu, rows):
    """Billion vertices a second, by bytes, by instructions, by gathers."""
    _, family, processors, gigahertz, lanes, cache_bytes, bandwidth = gpu
    by_bytes = bandwidth / (WRITTEN + 48 * MATRICES / VERTICES)
    clocks = processors * gigahertz
    gathered = 48 * sum(share * count for count, share in INFLUENCES.items())
    return by_bytes, clocks * lanes / instructions(rows, family), clocks * cache_bytes / gathered


def table(rows):
    """The table as text."""
    lines = ["| GPU | counts of | bytes | instructions | gathers | bound by |", "|---|---|---:|---:|---:|---|"]
    for gpu in GPUS:
        by = dict(zip(("bytes", "instructions", "gathers"), bounds(gpu, rows)))
        figures = " | ".join(f"{value:.0f}" for value in by.values())
        lines.append(f"| {gpu[0]} | {gpu[1]} | {figures} | {min(by, key=by.get)} |")
    return "\n".join(lines)


def main():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counts", default=os.path.join(folder, "results", "isa", "radv-25.0.7.json"))
    parser.add_argument("--page", help="fail unless this file has the table")
    arguments = parser.parse_args()
    with open(arguments.counts, encoding="utf-8") as file:
        text = table(json.load(file)["rows"])
    print(text)
    if not arguments.page:
        return 0
    with open(arguments.page, encoding="utf-8") as file:
        if text in file.read():
            return 0
    print(f"{arguments.page} has another table")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
