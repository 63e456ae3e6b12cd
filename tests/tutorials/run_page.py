#!/usr/bin/env python3
"""usage: run_page.py PAGE --build FOLDER [--shared FOLDER]

Runs every command of a page of docs/tutorials, and checks the files that it writes, the page's code and its links.

Each line of a block that begins with ```sh is a command. It runs in a temporary folder that looks like the root of the
repository: `assets`, `docs`, `examples` and `build/release` are links, and `out` is empty. A command fails if its exit
code is not 0, or if a file that it names with --output, --screenshot, --record or --headless is missing, invalid or a
picture of one color. A line that ends with `# window` opens a window; here it does so for some frames, on a virtual
display. A block that begins with ```cpp or ```glsl is in a file of `examples`, verbatim. Pictures of the page are small,
and those in WebP move.

Exit code 1 if something failed; 77 if nothing failed but a line was skipped, because a model or a Vulkan device is
absent.
"""
import argparse
import glob
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
MODELS = {"Knight.glb": "models/kaykit/Knight.glb"}  # of the shared folder
OUTPUTS = ("--output", "--screenshot", "--record", "--headless")
DRAWS = re.compile(r"^sinew (view|crowd|devices)\b|^sinew_example_step|^sinew pose\b(?!.*--skinning cpu)")
MIN_BYTE_VALUES = 32  # in the rows of a picture; one of a single color has up to about 8, whatever its filters are
MAX_PICTURE_BYTES = {".jpg": 60000, ".webp": 150000}
TIMEOUT_SECONDS = 240


class Page:
    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8") as file:
            self.text = file.read()

    def blocks(self, *languages):
        for language, body in re.findall(r"^```(\w*)\n(.*?)^```$", self.text, re.MULTILINE | re.DOTALL):
            if language in languages:
                yield body

    def commands(self):
        for block in self.blocks("sh"):
            for line in block.replace("\\\n", " ").splitlines():
                if line.strip() and not line.startswith("#"):
                    yield " ".join(line.split())


# --- files that commands write ---

def png_chunks(data):
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("is not a PNG")
    at = 8
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        if struct.unpack_from(">I", data, at + 8 + size)[0] != zlib.crc32(kind + body):
            raise ValueError(f"has a damaged chunk {kind.decode()}")
        yield kind, body
        at += 12 + size


def check_png(data):
    chunks = list(png_chunks(data))
    if chunks[-1][0] != b"IEND":
        raise ValueError("has no end")
    rows = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    if len(set(rows)) < MIN_BYTE_VALUES:
        raise ValueError("has only one color")


def is_animated_webp(path):
    """Whether a WebP has more than one frame: chunks ANMF. Source: RFC 9649, section 2.7."""
    with open(path, "rb") as file:
        data = file.read()
    kinds, at = [], 12
    while at + 8 <= len(data):
        kind, size = struct.unpack_from("<4sI", data, at)
        kinds.append(kind)
        at += 8 + size + size % 2
    return data[:4] == b"RIFF" and data[8:12] == b"WEBP" and kinds.count(b"ANMF") > 1


def check_ply(data):
    header, end, body = data.partition(b"end_header\n")
    count = re.search(rb"^element vertex (\d+)$", header, re.MULTILINE)
    if not data.startswith(b"ply\n") or not end or not count:
        raise ValueError("is not a PLY")
    if int(count[1]) == 0 or len(body) < 24 * int(count[1]):
        raise ValueError("has no vertices")


def check_file(path):
    if path.endswith("/"):
        pictures = sorted(glob.glob(path + "*.png"))
        if len(pictures) < 2:
            raise ValueError("has no series of pictures")
        return [check_file(picture) for picture in pictures]
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith(".png"):
        return check_png(data)
    if path.endswith(".webp"):
        if not is_animated_webp(path):
            raise ValueError("is not an animated picture")
        return None
    if path.endswith(".ply"):
        return check_ply(data)
    if path.endswith(".sinew"):
        return subprocess.run(["sinew", "info", path], check=True, capture_output=True)
    raise ValueError("has an unknown extension")


def outputs_of(command):
    words = shlex.split(command, comments=True)
    return [(word, words[i + 1]) for i, word in enumerate(words[:-1]) if word in OUTPUTS]


# --- commands ---

class Runner:
    """Runs commands in a folder that looks like the root of the repository."""

    def __init__(self, folder, build, shared):
        self.folder, self.environment = folder, dict(os.environ)
        self.environment["PATH"] = os.path.abspath(build) + os.pathsep + os.environ["PATH"]
        os.environ["PATH"] = self.environment["PATH"]
        for name in ("assets", "docs", "examples"):
            os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
        for name in ("build", "out"):
            os.mkdir(os.path.join(folder, name))
        os.symlink(os.path.abspath(build), os.path.join(folder, "build", "release"))
        for name, path in MODELS.items():
            if os.path.exists(os.path.join(shared, path)):
                os.symlink(os.path.abspath(os.path.join(shared, path)), os.path.join(folder, name))
        self.has_device = self.run("sinew devices").returncode == 0

    def run(self, command):
        return subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=TIMEOUT_SECONDS, check=False)

    def reason_to_skip(self, command):
        for word in shlex.split(command, comments=True):
            absent = not os.path.exists(os.path.join(self.folder, word))
            if absent and (word in MODELS or word.startswith("/usr/share/assimp/")):
                return "NO MODEL " + word
        if DRAWS.match(command) and not self.has_device:
            return "NO VULKAN DEVICE"
        return None

    def open_display(self):
        """A virtual display and the options that open a window there for some frames; nothing without Xvfb."""
        if not shutil.which("Xvfb"):
            print("NO XVFB: a picture is drawn in place of a window")
            return None, ""
        display = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.environment["DISPLAY"] = ":" + display.stdout.readline().strip()
        self.environment.pop("WAYLAND_DISPLAY", None)
        return display, " --window --frames 3"

    def fault(self, command):
        """What is wrong with a command, or nothing."""
        display = None
        if command.endswith("# window"):
            display, shown = self.open_display()
            command = command.removesuffix("# window") + "--size 320x240 --screenshot window.png" + shown
        result = self.run(command)
        if display:
            display.terminate()
            display.wait()
        if result.returncode != 0:
            return f"exit code {result.returncode}: {result.stderr.strip() or result.stdout.strip()}"
        for option, path in outputs_of(command):
            try:
                check_file(os.path.join(self.folder, path))
            except (OSError, ValueError, zlib.error, subprocess.CalledProcessError) as error:
                return f"{path}: {error}"
        return None


# --- code and links ---

def sources():
    for path in glob.glob(os.path.join(ROOT, "examples", "*", "*")):
        if not path.endswith((".cpp", ".h", ".vert", ".frag", ".glsl", ".py")):
            continue
        with open(path, encoding="utf-8") as file:
            yield file.read()


def is_verbatim(block, texts):
    """Whether a source has these lines, all with the same indentation in front."""
    def indented(spaces):
        return "".join(" " * spaces + line if line.strip() else line for line in block.splitlines(True))
    return any("\n" + indented(spaces) in text for text in texts for spaces in (0, 2, 4, 6))


def faults_of_text(page):
    texts = list(sources())
    for block in page.blocks("cpp", "glsl"):
        if not is_verbatim(block, texts):
            yield "this code is not in examples:\n" + block
    prose = re.sub(r"^```.*?^```$", "", page.text, flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
        target = os.path.join(os.path.dirname(page.path), link)
        if not os.path.exists(target):
            yield "broken link: " + link
            continue
        extension = os.path.splitext(link)[1]
        limit = MAX_PICTURE_BYTES.get(extension)
        if limit and os.path.getsize(target) > limit:
            yield f"picture of more than {limit // 1000} KB: {link}"
        if extension == ".webp" and not is_animated_webp(target):
            yield "not an animated picture: " + link


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--build", required=True)
    parser.add_argument("--shared", default="")
    arguments = parser.parse_args()
    page = Page(arguments.page)
    faults, skipped = list(faults_of_text(page)), 0
    commands = list(page.commands())
    if not commands:
        faults.append("the page has no command")
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(folder, arguments.build, arguments.shared)
        for command in commands:
            reason = runner.reason_to_skip(command)
            if reason:
                skipped += 1
                print(f"SKIPPED, {reason}: {command}")
                continue
            fault = runner.fault(command)
            print(f"{'FAILED' if fault else 'ok'}: {command}")
            if fault:
                faults.append(f"{command}\n  {fault}")
    for fault in faults:
        print(f"{arguments.page}: {fault}")
    print(f"{len(commands)} commands, {skipped} skipped, {len(faults)} faults")
    return 1 if faults else 77 if skipped else 0


if __name__ == "__main__":
    sys.exit(main())
