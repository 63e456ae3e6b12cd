#!/usr/bin/python3
"""usage: read_capture.py CAPTURE.rdc FOLDER

Replays a RenderDoc capture and writes its contents to FOLDER. contents.json has all actions in order, each with the
debug labels around it; the names of all resources; and for each dispatch of the skinning kernel its jobs, each with its
chunk, and the names of two files, which hold the palettes that it read and the vertices that it wrote. Exit code 77 and
a line if this machine cannot replay the capture.
"""
import json
import os
import struct
import sys

try:
    import renderdoc as rd
except ImportError as error:
    print(f"no renderdoc module: {error}")
    sys.exit(77)

# Bindings and struct members of shaders/shared/skinning.h.
BINDING_MESHES, BINDING_PALETTES, BINDING_SKINNED, BINDING_JOBS = range(4)
JOB = "chunk_element first_row first_word instance_count".split()
CHUNK = "first_element chunk_vertices mesh_vertices influence_quads first_vertex palette_stride".split()


def open_capture(path):
    capture = rd.OpenCaptureFile()
    result = capture.OpenFile(path, "", None)
    if result != rd.ResultCode.Succeeded:
        sys.exit(f"{path}: cannot be opened: {result}")
    if not capture.LocalReplaySupport():
        print(f"{path}: cannot be replayed on this machine")
        sys.exit(77)
    result, controller = capture.OpenCapture(rd.ReplayOptions(), None)
    if result != rd.ResultCode.Succeeded:
        sys.exit(f"{path}: cannot be replayed: {result}")
    return capture, controller


def kind_of(action):
    for flag, kind in ((rd.ActionFlags.Dispatch, "dispatch"), (rd.ActionFlags.Drawcall, "draw"),
                       (rd.ActionFlags.PushMarker, "label"), (rd.ActionFlags.Copy, "copy")):
        if action.flags & flag:
            return kind
    return "other"


def walk(actions, labels=()):
    """Yields every action, depth first, with the labels around it, the outermost first."""
    for action in actions:
        yield action, labels
        inner = labels + (action.customName,) if kind_of(action) == "label" else labels
        yield from walk(action.children, inner)


def bound_buffer(controller, state, binding):
    """The bytes of the storage buffer at a binding of the compute descriptor set."""
    bind = state.compute.descriptorSets[0].bindings[binding].binds[0]
    return controller.GetBufferData(bind.resourceResourceId, bind.byteOffset, bind.byteSize)


def read_struct(names, data, element):
    """The first members of a struct, all uint; an element has 16 bytes."""
    return dict(zip(names, struct.unpack_from(f"<{len(names)}I", data, element * 16)))


def read_jobs(controller, state, count):
    """The jobs of a dispatch, each with the members of its chunk."""
    meshes = bytes(bound_buffer(controller, state, BINDING_MESHES))
    jobs = bytes(bound_buffer(controller, state, BINDING_JOBS))
    first_job, = struct.unpack_from("<I", bytes(state.pushconsts))
    result = []
    for index in range(first_job, first_job + count):
        job = read_struct(JOB, jobs, index)
        result.append(job | read_struct(CHUNK, meshes, job["chunk_element"]))
    return result


def read_dispatch(controller, action, labels, folder):
    controller.SetFrameEvent(action.eventId, True)
    state = controller.GetVulkanPipelineState()
    dispatch = {"labels": labels, "jobs": read_jobs(controller, state, action.dispatchDimension[1])}
    for name, binding in (("palettes", BINDING_PALETTES), ("skinned", BINDING_SKINNED)):
        file_name = f"{name}-{action.eventId}.bin"
        with open(os.path.join(folder, file_name), "wb") as file:
            file.write(bound_buffer(controller, state, binding))
        dispatch[name] = file_name
    return dispatch


def main():
    path, folder = sys.argv[1:3]
    rd.InitialiseReplay(rd.GlobalEnvironment(), [])
    capture, controller = open_capture(path)
    actions, dispatches = [], []
    for action, labels in walk(controller.GetRootActions()):
        kind = kind_of(action)
        actions.append({"kind": kind, "name": action.customName, "labels": labels})
        if kind == "dispatch":
            dispatches.append(read_dispatch(controller, action, labels, folder))
    contents = {
        "actions": actions,
        "resources": [resource.name for resource in controller.GetResources()],
        "skinning": dispatches,
    }
    with open(os.path.join(folder, "contents.json"), "w", encoding="utf-8") as file:
        json.dump(contents, file, indent=1)
    controller.Shutdown()
    capture.Shutdown()
    rd.ShutdownReplay()


main()
