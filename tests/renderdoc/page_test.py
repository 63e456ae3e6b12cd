#!/usr/bin/python3
"""usage: page_test.py BUILD

docs/renderdoc.md is right about a capture that its own command makes: each event and object that it names is there, and
buffers read by its formats skin to the vertices that the device wrote. Exit code 77 without RenderDoc or a device.
"""
import os
import re
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "scripts"))
try:
    from captures import formats, replay, run
    from load_script import load_script
except ImportError as error:
    print(f"SKIPPED: NO RENDERDOC: the page was not tested: {error}")
    sys.exit(77)

EVENT = re.compile(r"(?:frame \d+|sinew|sinew (?:upload|skin|draw)\b.*|(?:shadow map|ground|depth|crowd)\b.*\d.*)$")
OBJECT = re.compile(r"sinew\.[a-z]\S*$")
MAX_ERROR = 1e-5  # of the diagonal


def quoted_names(page):
    """What the page quotes as the name of an event, and as the name of an object."""
    text = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    quotes = {" ".join(quote.split()) for quote in re.findall(r"`([^`]+)`", text)}
    return ({quote for quote in quotes if EVENT.match(quote)} - {"sinew crowd --window"},
            {quote for quote in quotes if OBJECT.match(quote)})


def check_names(page, capture):
    events, objects = quoted_names(page)
    labels = {action.customName for action, _ in capture.actions() if replay.is_label(action)}
    assert len(events) >= 8 and len(objects) >= 6, (events, objects)
    assert events <= labels, f"the capture has no event {sorted(events - labels)}; it has {sorted(labels)}"
    names = set(capture.names.values())
    assert objects <= names, f"the capture has no object {sorted(objects - names)}"


def transform(entry, point):
    rows = entry["row0"], entry["row1"], entry["row2"]
    return [sum(row[i] * value for i, value in enumerate((*point, 1))) for row in rows]


def blend(influences, palette, point):
    """Linear blend skinning of a point."""
    result = [0.0] * 3
    for i in range(4):
        weight, = influences[f"weight{i}"]
        if weight > 0:
            moved = transform(palette[influences[f"entry{i}"][0]], point)
            result = [value + weight * added for value, added in zip(result, moved)]
    return result


class Buffers:
    """The buffers of skinning, read by the formats of the page."""

    def __init__(self, page, capture):
        self.formats = formats.of_page(page)
        self.mesh, self.jobs = capture.bytes_of("sinew.mesh[0]"), capture.bytes_of("sinew.jobs[0]")
        self.palettes, self.vertices = capture.bytes_of("sinew.palette[0]"), capture.bytes_of("sinew.vertices[0]")

    def read(self, title, data, offset, count):
        layout = self.formats[title]
        size = formats.size_of(layout) * count
        return list(formats.decode(layout, data[offset:offset + size]))

    def instances(self):
        """For each chunk and instance: bound vertices, influences, palette, skinned vertices."""
        for job in formats.decode(self.formats["Jobs"], self.jobs):
            if job["instance_count"][0] == 0:
                return
            chunk = self.read("Chunks of a mesh", self.mesh, 16 * job["chunk_element"][0], 1)[0]
            count, total = chunk["chunk_vertices"][0], chunk["mesh_vertices"][0]
            first = 16 * chunk["first_element"][0]
            bound = self.read("Vertices of a mesh", self.mesh, first, count)
            influences = self.read("Influences of a mesh", self.mesh, first + 16 * total, count)
            for i in range(job["instance_count"][0]):
                row = job["first_row"][0] + i * chunk["palette_stride"][0]
                palette = self.read("Palettes", self.palettes, 16 * row, chunk["palette_stride"][0] // 3)
                word = job["first_word"][0] + 4 * (i * total + chunk["first_vertex"][0])
                skinned = self.read("Skinned vertices, 16 bytes", self.vertices, 4 * word, count)
                yield bound, influences, palette, skinned


def check_skinning(page, capture):
    """The vertices of the first chunks of all instances."""
    worst = compared = 0
    low, high = [1e9] * 3, [-1e9] * 3
    for bound, influences, palette, skinned in Buffers(page, capture).instances():
        for vertex, bones, result in list(zip(bound, influences, skinned))[::7]:
            expected = blend(bones, palette, vertex["position"])
            worst = max(worst, max(abs(a - b) for a, b in zip(expected, result["position"])))
            low, high = [min(a, b) for a, b in zip(low, expected)], [max(a, b) for a, b in zip(high, expected)]
            assert sum(abs(value) for value in result["normal"]) <= 2.001, result
            compared += 1
    diagonal = sum((a - b) ** 2 for a, b in zip(low, high)) ** 0.5
    assert compared > 3000, compared
    assert worst <= MAX_ERROR * diagonal, f"{worst / diagonal} of the diagonal"
    print(f"{compared} vertices, at most {worst / diagonal:.1e} of the diagonal from skinning by the page's formats")


def check_draws(page, capture):
    """The last question: a draw's offset names the posed mesh that its instance has."""
    draw = capture.find("draw", "crowd:")
    capture.go_to(draw)
    instances = list(formats.decode(formats.of_page(page)["Instances"], capture.bytes_of("sinew.instances")))
    instance = instances[draw.instanceOffset]
    assert instance["first_element"][0] == draw.baseVertex, (instance, draw.baseVertex)
    turn = instance["turn"]
    assert abs(sum(value * value for value in turn) ** 0.5 - 1) < 0.5 and "5935" in page, turn


def check_other_formats(page):
    """Bytes made by hand, as sinew/asset/skinned_vertex.h describes them."""
    layouts = formats.of_page(page)
    packed = struct.pack("<4H2h", 0, 65535, 13107, 0, 32767, -32767)
    vertex, = formats.decode(layouts["Skinned vertices, 12 bytes"], packed)
    assert vertex == {"position": [0, 1, 0.2, 0], "normal": [1, -1]}, vertex
    vertex, = formats.decode(layouts["Skinned vertices, 24 bytes"], struct.pack("<6f", 1, 2, 3, 0, 1, 0))
    assert vertex == {"position": [1, 2, 3], "normal": [0, 1, 0]}, vertex
    for size in (12, 16, 24):
        assert formats.size_of(layouts[f"Skinned vertices, {size} bytes"]) == size, size


def main():
    build = os.path.abspath(sys.argv[1])
    devices = [os.path.join(build, "sinew"), "devices"]
    if subprocess.run(devices, stdout=subprocess.DEVNULL, check=False).returncode != 0:
        print("SKIPPED: NO VULKAN DEVICE: the page was not tested")
        return 77
    script = load_script("renderdoc_pictures")
    page = script.page()
    check_other_formats(page)
    for name in re.findall(r"\]\((renderdoc_\S+)\)", page):
        assert os.path.getsize(os.path.join(ROOT, "docs", name)) > 1000, name
    with tempfile.TemporaryDirectory() as folder:
        found = run.capture(script.command(build), os.path.join(folder, "frame"), False)
        assert found, "RenderDoc captured nothing"
        with replay.Replay(found[0]) as capture:
            check_names(page, capture)
            capture.go_to(capture.find("draw", "crowd:"))
            check_skinning(page, capture)
            check_draws(page, capture)
    return 0


if __name__ == "__main__":
    with replay.session():
        sys.exit(main())
