"""Runs a program under RenderDoc and captures a frame of it."""
import os
import shlex
import time

import renderdoc as rd

SECONDS = 60


def capture(command, prefix, triggered):
    """Path and title of the first capture of `command`, a list of words; nothing if it made none. `prefix` begins the
    name of the file. triggered: RenderDoc captures the first frame; else the program captures one itself."""
    started = rd.ExecuteAndInject(command[0], os.getcwd(), shlex.join(command[1:]), [], prefix,
                                  rd.GetDefaultCaptureOptions(), False)
    if started.result != rd.ResultCode.Succeeded:
        return None
    # By number: RenderDoc's own default is the name localhost, which a minimal system without /etc/hosts cannot resolve.
    target = rd.CreateTargetControl("127.0.0.1", started.ident, "sinew", True)
    if target is None:
        return None
    if triggered:
        target.TriggerCapture(1)
    found = None
    deadline = time.time() + SECONDS
    while target.Connected() and time.time() < deadline:  # until the program ends
        message = target.ReceiveMessage(None)
        if message.type == rd.TargetControlMessageType.NewCapture and found is None:
            found = message.newCapture.path, message.newCapture.title
    target.Shutdown()
    return found
