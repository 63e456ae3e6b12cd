#!/usr/bin/python3
"""usage: window_test.py BUILD

R in a window captures a frame under RenderDoc and says where the file is; else it says how to start under RenderDoc. On
a virtual display. Exit code 77 without RenderDoc, a device, Xvfb or xdotool.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
try:
    from captures import replay
except ImportError as error:
    print(f"SKIPPED: NO RENDERDOC: the key of the windows was not tested: {error}")
    sys.exit(77)

SECONDS = 60
CHARACTER = os.path.join(ROOT, "assets", "character.glb")
CROWD = ["crowd", "--window", "--characters", "5", "--size", "400x300"]
VIEW = ["view", CHARACTER, "--size", "400x300"]


def wait_for(path, words, process):
    """The output once it has these words."""
    end = time.time() + SECONDS
    while time.time() < end:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if words in text:
            return text
        assert process.poll() is None, f"the program has ended: {text}"
        time.sleep(0.1)
    raise AssertionError(f"no {words!r} in {text}")


def press(display, key, name):
    """Waits for the window first."""
    environment = os.environ | {"DISPLAY": display}
    subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--name", name], env=environment, timeout=SECONDS,
                   stdout=subprocess.DEVNULL, check=True)
    time.sleep(1)
    subprocess.run(["xdotool", "key", key], env=environment, timeout=SECONDS, check=True)


def use_window(display, command, words):
    """Presses R, waits for the words, closes the window. Returns what the program printed."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "output")
        with open(output, "w", encoding="utf-8") as file:
            process = subprocess.Popen(command, env=os.environ | {"DISPLAY": display}, stdout=file,
                                       stderr=subprocess.STDOUT)
        try:
            name = "sinew crowd" if "crowd" in command else " - Sinew"  # of the window's title
            press(display, "r", name)
            text = wait_for(output, words, process)
            press(display, "ctrl+q", name)
            assert process.wait(SECONDS) == 0, text
            return text
        finally:
            process.kill()


def check_capture(display, sinew, arguments, label):
    with tempfile.TemporaryDirectory() as folder:
        command = ["renderdoccmd", "capture", "-w", "-c", os.path.join(folder, "window"), sinew, *arguments]
        text = use_window(display, command, "\ncaptured ")
        path = text.split("\ncaptured ")[1].split("\n")[0]
        assert [path] == glob.glob(os.path.join(folder, "*.rdc")), text
        with replay.Replay(path) as capture:
            labels = [action.customName for action, _ in capture.actions() if replay.is_label(action)]
            for wanted in ("frame ", "sinew skin ", label, "overlay: ", "present"):
                assert any(name.startswith(wanted) for name in labels), (wanted, labels)
            assert f"command: {sinew} {arguments[0]}" in capture.comments(), capture.comments()
            nameless = "CommandBuffer", "Device"
            unnamed = [item for item in capture.resources() if item["unnamed"] and item["kind"] not in nameless]
            assert not unnamed, unnamed


def main():
    sinew = os.path.join(os.path.abspath(sys.argv[1]), "sinew")
    missing = [tool for tool in ("Xvfb", "xdotool", "renderdoccmd") if not shutil.which(tool)]
    if missing or subprocess.run([sinew, "devices"], stdout=subprocess.DEVNULL, check=False).returncode != 0:
        print(f"SKIPPED: {missing or 'NO VULKAN DEVICE'}: the key of the windows was not tested")
        return 77
    screen = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        display = ":" + screen.stdout.readline().strip()
        for arguments, label in ((CROWD, "crowd: 5 draws"), (VIEW, "crowd: ")):
            check_capture(display, sinew, arguments, label)
            told = use_window(display, [sinew, *arguments], "RenderDoc is not loaded; ")
            assert "run: renderdoccmd capture -w -d . -c sinew" in told or "librenderdoc-dev" in told, told
    finally:
        screen.terminate()
    print("R captures in both windows")
    return 0


if __name__ == "__main__":
    with replay.session():
        sys.exit(main())
