"""Runs tables of calls of the C interface.

A row: the call; what differs from valid arguments, "$name" for what a row has kept, a name for what Valid has, or
"Struct.field" for a version before that field; the result; words of the message, or what the call writes. There "keep"
is the name of an output that is kept, "out" under a name of its own. Rows of one table are one history: an argument
with the name of what was kept is that.
"""
import ctypes
from ctypes import c_uint32

import sinew
from c_headers import Headers
from calls import Call, is_handle, is_pointer
from valid_input import OK


def rows_and_checks(tables, *checks):
    """For run(): all tables, which have names in capitals, and then functions of a session."""
    tables = {name.lower(): rows for name, rows in tables.items() if isinstance(rows, list) and name.isupper()}

    def check_all(valid, progress):
        session = Session(valid, progress)
        for name, rows in tables.items():
            session.run(name, rows)
        for check in checks:
            progress(check.__name__)
            check(session)
        print(f"{sum(map(len, tables.values()))} rows")
        return session.complaints
    return check_all


class Session:
    """Runs the rows of a table."""
    def __init__(self, valid, progress):
        self.valid, self.lib, self.progress, self.complaints, self.objects = valid, valid.lib, progress, [], {}
        self.headers = Headers(valid.sources)

    def run(self, name, rows):
        for at, (call, changes, result, wanted) in enumerate(rows):
            self.what = f"{call} (row {at} of {name})"
            self.progress(self.what)
            if call.endswith("_destroy"):
                self.destroy(next(iter(changes.values())))
            else:
                self.call(self.headers.functions[call], changes, result, wanted)
        for key in reversed(list(self.objects)):
            self.destroy("$" + key)

    def destroy(self, name):
        handle = self.objects.pop(name[1:], None)
        if is_handle(type(handle)):
            destroy = next(name for name, kinds in sinew.PLAIN_FUNCTIONS.items() if kinds == [type(handle)])
            getattr(self.lib, destroy)(handle)

    def complain(self, text):
        self.complaints.append(f"{self.what}: {text}")

    def call(self, function, changes, expected, wanted):
        call = Call(self.valid, function)
        for name, kind in call.kinds.items():
            kind = int if kind is c_uint32 else kind._type_ if is_pointer(kind) else kind
            if isinstance(self.objects.get(name), kind):
                call.values[name] = self.objects[name]
        for path, value in changes.items():
            self.change(call, path.split("."), value)
        arguments, error = list(call.arguments()), sinew.Error()
        before = call.written()
        result = getattr(self.lib.library, f"sinew_{function.name}")(*arguments, ctypes.byref(error))
        message = error.message.decode()
        if result != expected or isinstance(wanted, str) and wanted not in message or "\n" in message:
            self.complain(f"result {result}, not {expected} with '{wanted}': '{message}'")
        if result == OK and isinstance(wanted, dict):
            self.compare(call, wanted)
        elif result != OK and call.wrote(before):
            self.complain(f"it failed, and has written {call.wrote(before)}")
        self.valid.release()

    def change(self, call, path, value):
        """Sets what a row has kept, what Valid has, a struct of a version before a field, or the value itself."""
        if isinstance(value, str) and "." in value:
            struct, field = value.split(".")
            size, alignment = getattr(getattr(sinew, struct), field).offset, ctypes.alignment(getattr(sinew, struct))
            call.resize(path, size // alignment * alignment)
        elif isinstance(value, str):
            call.set(path, self.objects.get(value[1:]) if value[0] == "$" else getattr(self.valid, value))
        else:
            call.set(path, value)

    def compare(self, call, wanted):
        for path, value in wanted.items():
            if path == "keep":
                self.objects[value] = kept(call.find(value if value in call.outputs else "out"))
                continue
            found, value = numbers_of(call.find(path)), numbers_of(call.find(value)) if isinstance(value,
                    str) else value
            if not same(found, value):
                self.complain(f"{path} is {found}, not {value}")

    def check(self, condition, what):
        if not condition:
            self.complaints.append(what)


def kept(value):
    """A copy that lives on."""
    if isinstance(value, ctypes.Structure):
        return type(value).from_buffer_copy(value)
    return type(value)(value.value) if is_handle(type(value)) else value


def same(found, value):
    if isinstance(found, list) and isinstance(value, list):
        return len(found) == len(value) and all(map(same, found, value))
    return abs(found - value) <= 1e-5 if isinstance(found, float) else found == value


def numbers_of(value):
    if isinstance(value, ctypes.Array) and not isinstance(value, bytes):
        parts = [numbers_of(part) for part in value]
        return [number for part in parts for number in (part if isinstance(part, list) else [part])]
    return bytes(value) if isinstance(value, ctypes.Structure) else value
