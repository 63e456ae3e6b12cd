#!/usr/bin/env python3
"""usage: bad_input_test.py SOURCES LIBRARY [FUNCTION]

Bad input to every call of the C interface, derived from the headers: what must not be null, is; sizes of structs are
those of other versions or of no version; numbers are of no enum, no index, not finite. Each gets its result and a line
that names the thing, nothing crashes, and a call that fails writes nothing. It fails where a header promises less or
more than the library does: see "What comments say" in base.h. Memory ends where the struct does, so that no byte is
read or written behind it.
"""
import ctypes
import math
import os
import re
import sys
from ctypes import POINTER, c_double, c_float, c_uint32

SOURCES, LIBRARY = sys.argv[1:3]
sys.path.insert(0, os.path.join(SOURCES, "examples", "python"))
import sinew  # noqa: E402
from c_headers import Headers  # noqa: E402
from calls import UNWRITTEN, Call, is_handle, points, run  # noqa: E402
from valid_input import INVALID, INVALID_DATA, OK, UNSUPPORTED  # noqa: E402

HEADERS = Headers(SOURCES)
LARGEST = 2**32 - 1
DESTROY = {kinds[0]: name for name, kinds in sinew.PLAIN_FUNCTIONS.items() if name.endswith("_destroy")}
# Calls that cannot succeed here, and why. Only null arguments are tried.
NEVER_OK = {"draw_record": "it needs a render pass", "draw_record_with_previous": "likewise",
            "character_warning": "the character has none"}
# Arguments that do something else than their headers say of the same elsewhere, and why.
OTHERWISE = {"skinned_crowd_create: info.skinner.update_groups": "the crowd derives it",
             "depth_pyramid_build: image.view.clip_from_world": "one that is not finite hides nothing",
             "depth_pyramid_build: image.view.pixels_per_radian": "it is not read"}
# Counts of arrays, because other ones would be lies about the memory behind; numbers of frames and versions.
COUNTS = re.compile(r"(^|_)(count|room|size|bytes|completed|number|frame|header)$")


class Checker:
    def __init__(self, valid, progress):
        self.lib, self.valid, self.progress = valid.lib, valid, progress
        self.complaints, self.tries, self.what = [], 0, ""

    def complain(self, text):
        self.complaints.append(f"sinew_{self.what}: {text}")

    def try_call(self, what, change, expected, word="", with_error=True):
        """`expected`: the results that may come; `word`: what the message names. Returns what is written."""
        self.what, self.tries = what, self.tries + 1
        self.progress(what)
        call = Call(self.valid, HEADERS.functions[what.split(":")[0]])
        change(call)
        arguments, before = list(call.arguments()), call.written()
        error = ctypes.cast(call.memory.place(bytes(sinew.Error(vk_result=7))),
                            POINTER(sinew.Error)) if with_error else None
        result = getattr(self.lib.library, f"sinew_{call.function.name}")(*arguments, error)
        after = call.written()
        if result not in expected:
            self.complain(f"result {result}, not {list(expected)}: {error[0].message.decode() if error else ''}")
        if error:
            self._check_error(result, error[0], word if result != OK else "")
        if result == OK:
            self._destroy_outputs(call, after)
        elif call.wrote(before):
            self.complain(f"it failed, and has written {call.wrote(before)}")
        self.valid.release()
        return after

    def _check_error(self, result, error, word):
        message = error.message.decode("utf-8")
        if error.result != result or (message == "") != (result == OK) or "\n" in message:
            self.complain(f"result {result}, but the error has {error.result}: '{message}'")
        if not re.search(rf"(?<!\w){re.escape(word)}" if word else "", message):
            self.complain(f"no '{word}' in: {message}")

    def _destroy_outputs(self, call, after):
        for name, data in after.items():
            kind = call.kinds[name]._type_ if name else None
            if kind and is_handle(kind):
                getattr(self.lib, DESTROY[kind])(kind(int.from_bytes(data, sys.byteorder)))

    # --- what is tried ---

    def check(self, function):
        call = Call(self.valid, function)
        structs = list(call.structs())
        self.valid.release()
        if function.name not in NEVER_OK:
            self.try_call(function.name, lambda call: None, [OK])
        for parameter in function.parameters:
            if parameter.name != "error":
                self._try_value(function.name, [parameter.name], call.kinds[parameter.name], parameter)
        for path, kind, is_output in structs if function.name not in NEVER_OK else []:
            if issubclass(kind, sinew.Versioned):
                self._try_sizes(function.name, path, kind, is_output)
            for field in HEADERS.structs[kind.__name__] if not is_output else []:
                if field.name != "size":
                    self._try_field(function, [*path, field.name], dict(kind._fields_)[field.name], field)

    def _try_field(self, function, path, kind, field):
        call = Call(self.valid, function)
        is_there, count = call.get(path), getattr(call.owner(path), field.count or "", None)
        self.valid.release()
        kind = kind._type_ if issubclass(kind, ctypes.Array) else kind
        if is_there or not points(kind):
            self._try_value(function.name, path, kind, field)
        elif not (field.may_be_null or field.is_callback or field.is_user_data or count == 0):
            self.complain(f"no valid {'.'.join(path)}, and the header does not say that it may be null")

    def _try_value(self, name, path, kind, declared):
        what = f"{name}: {'.'.join(path)}"
        if what in OTHERWISE:
            return
        if points(kind):
            for with_error in (True,) if declared.may_be_null else (True, False):
                self.try_call(f"{what} null", lambda call: call.set(path, None),
                              [OK] if declared.may_be_null else [INVALID],
                              path[-1], with_error)
        elif name not in NEVER_OK:
            for number, is_wrong in wrong_numbers(kind, path, declared):
                results = range(INVALID, INVALID_DATA + 1) if is_wrong else [OK]
                self.try_call(f"{what} {number}", lambda call, number=number: call.set(path, number), results,
                              path[-1] if declared.constants else "")

    def _try_sizes(self, name, path, kind, is_output):
        size, alignment = ctypes.sizeof(kind), ctypes.alignment(kind)
        for wrong in (0, 1, alignment - 1, size - 1, size + 1, 4096 + alignment, LARGEST):
            self._try_size(name, path, wrong, 0, [INVALID], f"{path[-1]}: its size is {wrong};")
        for older in sorted({alignment, size // 2 // alignment * alignment, size - alignment}):
            self._try_size(name, path, older, 0, [OK] if is_output else range(OK, UNSUPPORTED))
        written = self._try_size(name, path, size + 32, UNWRITTEN * is_output, [OK])
        if is_output and any(written[path[-1]][size:]):
            self.complain("what later versions have is not 0")
        if not is_output:
            self._try_size(name, path, size + 32, 1, [UNSUPPORTED], path[-1])

    def _try_size(self, name, path, size, last, results, word=""):
        return self.try_call(f"{name}: {'.'.join(path)} of {size} bytes, the last {last}",
                             lambda call: call.resize(path, size, last), results, word)


def wrong_numbers(kind, path, declared):
    """Numbers to try, and whether the header says that they are refused."""
    if kind in (c_float, c_double):
        finite, positive = "finite" in declared.demands, re.search("above 0|not (be )?negative", declared.demands)
        return [(math.nan, finite or positive), (math.inf, finite),
                (-math.inf, finite or positive)] + [(-2.5, True)] * bool(positive)
    if declared.constants:
        return [(HEADERS.first_wrong(declared.constants), True), (LARGEST, True)]
    if declared.largest and kind is c_uint32:
        return [(declared.largest + 1, True)]
    if kind is c_uint32 and len(path) == 1 and not COUNTS.search(path[0]):
        return [(LARGEST, declared.says_no_such)]
    return []


def check_all(valid, progress):
    checker = Checker(valid, progress)
    for name, function in HEADERS.functions.items():
        if name in DESTROY.values():
            getattr(valid.lib, name)(None)
        elif function.result == "SinewResult" and name in (sys.argv[3:] or HEADERS.functions):
            checker.check(function)
    print(f"{checker.tries} tries")
    return checker.complaints


if __name__ == "__main__":
    sys.exit(run(check_all, SOURCES, LIBRARY))
