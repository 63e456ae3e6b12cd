#!/usr/bin/python3
"""usage: read_capture.py CAPTURE.rdc FOLDER

Replays a RenderDoc capture and writes its contents to FOLDER. contents.json has all actions in order, each with the
debug labels around it; the names of all resources; the comments; the device that the program asked for; and for each
dispatch of the skinning kernel its jobs, each with its chunk, and the names of two files, which hold the palettes that
it read and the vertices that it wrote. Exit code 77 and a line if this machine cannot replay the capture.

usage: read_capture.py --run FOLDER triggered|own COMMAND...

Runs a command under RenderDoc and captures one frame into FOLDER: the first one, or the one that the command captures.
Writes its title to FOLDER/title.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
try:
    from captures import replay, run
except ImportError as error:
    print(f"no renderdoc module: {error}")
    sys.exit(77)


def read_dispatch(capture, action, labels, folder):
    dispatch = {"labels": labels, "jobs": capture.jobs(action)}
    for name, binding in (("palettes", replay.BINDING_PALETTES), ("skinned", replay.BINDING_SKINNED)):
        dispatch[name] = f"{name}-{action.eventId}.bin"
        with open(os.path.join(folder, dispatch[name]), "wb") as file:
            file.write(capture.bound(binding)[0])
    return dispatch


def is_skinning(labels):
    return any(label.startswith("sinew skin") for label in labels)


def read(path, folder):
    with replay.Replay(path) as capture:
        actions, dispatches = [], []
        for action, labels in capture.actions():
            kind = replay.kind_of(action)
            if kind == "label" and not replay.is_label(action):
                kind = "other"
            color = [round(value, 2) for value in (action.markerColor.x, action.markerColor.y, action.markerColor.z)]
            actions.append({"kind": kind, "name": action.customName, "labels": labels, "color": color})
            if kind == "dispatch" and is_skinning(labels):
                dispatches.append(read_dispatch(capture, action, labels, folder))
        contents = {"actions": actions, "resources": capture.resources(), "comments": capture.comments(),
                    "device": capture.device(), "skinning": dispatches}
    with open(os.path.join(folder, "contents.json"), "w", encoding="utf-8") as file:
        json.dump(contents, file, indent=1)


def main():
    if sys.argv[1] == "--run":
        found = run.capture(sys.argv[4:], os.path.join(sys.argv[2], "frame"), sys.argv[3] == "triggered")
        if not found:
            sys.exit("RenderDoc captured nothing")
        with open(os.path.join(sys.argv[2], "title"), "w", encoding="utf-8") as file:
            file.write(found[1])
    else:
        read(*sys.argv[1:3])


if __name__ == "__main__":
    with replay.session():
        main()
