"""Calls of the C interface with valid arguments, to be spoiled. Memory ends where a struct does, so that no byte is
read or written behind it; and a program whose last call is known if it crashes."""
import ctypes
import mmap
import os
import re
import sys
import tempfile
import traceback
from ctypes import c_uint32, c_void_p

import sinew
from valid_input import MAKERS, Valid

UNWRITTEN = 0xee
# What the library made goes back to it, and no host changes a field.
OF_THE_LIBRARY = {"Range", "Part", "Draw"}


class Memory:
    """Copies that end where a page ends; the next one cannot be accessed."""
    libc = ctypes.CDLL(None, use_errno=True)

    def __init__(self):
        self.pages = []

    def place(self, data):
        readable = -(-max(len(data), 1) // mmap.PAGESIZE) * mmap.PAGESIZE
        pages = mmap.mmap(-1, readable + mmap.PAGESIZE)
        begin = ctypes.addressof(ctypes.c_char.from_buffer(pages))
        if Memory.libc.mprotect(c_void_p(begin + readable), mmap.PAGESIZE, 0) != 0:
            raise OSError(ctypes.get_errno(), "mprotect")
        self.pages.append(pages)
        pages[readable - len(data):readable] = data
        return begin + readable - len(data)


def points(kind):
    return is_pointer(kind) or issubclass(kind, (c_void_p, ctypes.c_char_p))


def is_pointer(kind):
    return hasattr(kind, "contents")


def is_handle(kind):
    return issubclass(kind, c_void_p) and kind is not c_void_p


def pointee(kind):
    """The struct that a pointer or an array of structs is of; or None."""
    element = getattr(kind, "_type_", None)
    return element if isinstance(element, type) and issubclass(element, ctypes.Structure) else None


class Call:
    """A call with valid arguments, to be spoiled."""
    def __init__(self, valid, function):
        self.function, self.memory, self.outputs, self.kept = function, Memory(), {}, []
        self.parameters = [parameter for parameter in function.parameters if parameter.name != "error"]
        self.kinds = dict(zip((parameter.name for parameter in self.parameters), sinew.FUNCTIONS[function.name]))
        changes = not self.parameters[0].is_const
        self.values = {parameter.name: self._valid(valid, parameter, changes) for parameter in self.parameters}

    def _valid(self, valid, parameter, changes):
        kind = self.kinds[parameter.name]
        keys = [f"{self.function.name}.{parameter.name}", parameter.name]
        if not parameter.is_output or not is_pointer(kind):
            keys.append((kind._type_ if is_pointer(kind) else kind).__name__)
        for key in keys:
            if key in MAKERS:
                value = MAKERS[key](valid, changes)
                if not (is_pointer(kind) and isinstance(value, int)):
                    return value
        if not is_pointer(kind):
            return 0
        out = kind._type_()
        ctypes.memset(ctypes.byref(out), UNWRITTEN, ctypes.sizeof(out))
        if isinstance(out, sinew.Versioned):
            out.size = ctypes.sizeof(out)
        return out

    def owner(self, path):
        """What holds the last of a path of fields: the dictionary of arguments, or a struct."""
        value = self.values
        for name in path[:-1]:
            value = value[name] if isinstance(value, dict) else getattr(value, name)
            if is_pointer(type(value)) or isinstance(value, ctypes.Array):
                value = value[0]
        return value

    def get(self, path):
        owner = self.owner(path)
        return owner[path[-1]] if isinstance(owner, dict) else getattr(owner, path[-1])

    def set(self, path, value):
        owner = self.owner(path)
        self.kept.append(dict(owner if isinstance(owner, dict) else owner._objects or {}))  # what it points to lives on
        if isinstance(owner, dict):
            owner[path[-1]] = value
        elif isinstance(getattr(owner, path[-1]), ctypes.Array):
            getattr(owner, path[-1])[0] = value
        else:
            setattr(owner, path[-1], value)

    def resize(self, path, size, last=0):
        """In place of a struct its bytes, cut or with bytes behind, of which one is `last`."""
        value = self.get(path)
        value = value[0] if is_pointer(type(value)) or isinstance(value, ctypes.Array) else value
        data = bytearray(bytes(value)[:size].ljust(min(size, 4100), b"\0"))
        data[:4] = bytes(c_uint32(size))
        data[-1] = last or data[-1]
        owner = self.owner(path)
        kind = self.kinds[path[0]] if isinstance(owner, dict) else type(self.get(path))
        self.set(path, self._place(path[-1], bytes(data), kind))

    def _place(self, name, data, kind):
        address = self.memory.place(data)
        self.outputs[name] = address, len(data)
        return ctypes.cast(address, kind)

    def structs(self):
        """Paths to all structs, with their types, and whether the call writes them."""
        for parameter in self.parameters:
            kind, value = self.kinds[parameter.name], self.values[parameter.name]
            if pointee(kind) and parameter.is_output:
                yield [parameter.name], pointee(kind), True
            elif pointee(kind) and value is not None:
                yield from structs_below([parameter.name], value)

    def arguments(self):
        for parameter in self.parameters:
            name, kind = parameter.name, self.kinds[parameter.name]
            value = self.values[name]
            if is_pointer(kind) and value is not None and not isinstance(value, kind):
                self.kept.append(value)
                value = self._place(name, bytes(value), kind)
            yield value
        names = [parameter.name for parameter in self.parameters if parameter.is_output]
        self.outputs = {name: place for name, place in self.outputs.items() if name in names}

    def written(self):
        """The bytes of each output; under "" those of all that arguments point to."""
        written = {name: ctypes.string_at(address, size) for name, (address, size) in self.outputs.items()}
        return {"": arrays_of(self.kept), **written}

    def wrote(self, before):
        """What a call that failed has written: a handle becomes null, a number may become 0, all else stays."""
        wrong = []
        for name, data in self.written().items():
            kind = self.kinds[name]._type_ if name else None
            if kind and is_handle(kind):
                wrong += [name] * any(data)
            elif data != before[name] and (kind is not c_uint32 or any(data)):
                wrong.append(name or "to arrays")
        return ", ".join(wrong)

    def find(self, path):
        """An argument, what it points to, or a part of that, such as "out[1].layers.weight"."""
        root, *steps = re.findall(r"\w+", path)
        value = self.values[root]
        if root in self.outputs:
            (address, size), kind = self.outputs[root], self.kinds[root]._type_
            value = (kind * (size // ctypes.sizeof(kind))).from_address(address)
            if is_pointer(kind) or not steps or not steps[0].isdigit():
                value = value[0]
        for step in steps:
            if step.isdigit():
                value = value[int(step)]
            else:
                value = getattr(value[0] if is_pointer(type(value)) or isinstance(value, ctypes.Array) else value, step)
        return value


def structs_below(path, value):
    value = value[0] if is_pointer(type(value)) or isinstance(value, ctypes.Array) else value
    if type(value).__name__ in OF_THE_LIBRARY:
        return
    yield path, type(value), False
    for field, kind, *_ in value._fields_:
        if issubclass(kind, ctypes.Structure) or pointee(kind) and getattr(value, field):
            yield from structs_below([*path, field], getattr(value, field))


def arrays_of(value):
    """The bytes of all that arguments point to, as far as ctypes keeps it."""
    if isinstance(value, (dict, list)):
        return [part for item in (value if isinstance(value, list) else value.values()) for part in arrays_of(item)]
    if isinstance(value, (ctypes.Array, ctypes.Structure)):
        return [bytes(value), *arrays_of(value._objects or {})]
    return arrays_of(value._objects or {}) if is_pointer(type(value)) else []


def run(check_all, sources, library):
    """Calls check_all(valid, progress) in a process of its own, which returns complaints. Returns an exit code."""
    last = mmap.mmap(-1, mmap.PAGESIZE)

    def progress(what):
        last[:200] = what.encode().ljust(200)[:200]
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with tempfile.TemporaryDirectory() as folder:
                valid = Valid(sinew.Library(library), sources, folder)
                complaints = check_all(valid, progress)
                valid.destroy()
            print(*complaints, sep="\n")
            code = 1 if complaints else 0
        except SystemExit as end:
            code = end.code
        except Exception:
            traceback.print_exc(file=sys.stdout)
            print(f"in sinew_{last[:200].decode().strip()}")
        finally:
            sys.stdout.flush()
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code < 0:
        print(f"signal {-code} in sinew_{last[:200].decode().strip()}")
    return code if code >= 0 else 1
