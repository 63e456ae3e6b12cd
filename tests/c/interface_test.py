#!/usr/bin/env python3
"""usage: interface_test.py SOURCES LIBRARY COMPILER [unittest options]

examples/python/sinew.py declares what the headers in include/sinew/c do: the C compiler compares size and offset of each
field, a reader of the prototypes each parameter. src/c compares each field of the structs that it does not copy with
those of C++.
"""
import ctypes
import os
import re
import subprocess
import sys
import tempfile
import unittest

SOURCES, LIBRARY, COMPILER = (sys.argv.pop(1) for _ in range(3))
sys.path.insert(0, os.path.join(SOURCES, "examples", "python"))
import sinew  # noqa: E402
from c_headers import Headers  # noqa: E402

HEADERS = Headers(SOURCES)
NUMBERS = {"uint32_t": ctypes.c_uint32, "float": ctypes.c_float, "double": ctypes.c_double, "size_t": ctypes.c_size_t,
           "VkCommandBuffer": ctypes.c_void_p, "VkDrawIndexedIndirectCommand": sinew.DrawCommand,
           "uint64_t": ctypes.c_uint64, "VkDeviceAddress": ctypes.c_uint64, "void*": ctypes.c_void_p,
           "char*": ctypes.c_char_p}
NO_COPY = re.compile(r"SINEW_SAME_LAYOUT\(Sinew(\w+), [\w:]+,([^)]*)\);")
CAST = re.compile(r"reinterpret_cast<(?:const )?Sinew\w+")


def structs_of_python():
    return {name: kind for name, kind in vars(sinew).items()
            if isinstance(kind, type) and issubclass(kind, ctypes.Structure) and name != "Versioned"}


def kind_of(field):
    """What a field is made of: a number with a point, a whole number, a pointer or a struct."""
    while issubclass(field, ctypes.Array) and field._type_ is not ctypes.c_char:
        field = field._type_
    if issubclass(field, ctypes.Structure) or issubclass(field, ctypes.Array):
        return None
    if field in (ctypes.c_float, ctypes.c_double):
        return "POINT"
    return "POINTER" if not issubclass(field, ctypes._SimpleCData) or field in (ctypes.c_void_p, ctypes.c_char_p) or \
        issubclass(field, ctypes.c_void_p) else "WHOLE"


def assertions():
    """C source that compiles if each struct of Python is that of the headers."""
    yield '#include "sinew/c/sinew.h"'
    yield "#define POINT(x) _Generic((x), float: 1, double: 1, default: 0)"
    yield "#define POINTER(x) (POINT(x) ? 0 : !WHOLE(x))"
    yield ("#define WHOLE(x) _Generic((x), uint8_t: 1, uint16_t: 1, int32_t: 1, uint32_t: 1, uint32_t*: 0, uint64_t: 1, "
           "default: 0)")
    for name, struct in structs_of_python().items():
        yield f'_Static_assert(sizeof(Sinew{name}) == {ctypes.sizeof(struct)}, "size of {name}");'
        for field, kind, *_ in struct._fields_:
            of_c, of_python = f"Sinew{name}, {field}", getattr(struct, field)
            yield f'_Static_assert(offsetof({of_c}) == {of_python.offset}, "offset of {name}.{field}");'
            yield f'_Static_assert(sizeof(((Sinew{name}*)0)->{field}) == {of_python.size}, "size of {name}.{field}");'
            is_array, handle = issubclass(kind, ctypes.Array), kind is ctypes.c_uint64
            if kind_of(kind) and not is_array and not handle:
                yield f'_Static_assert({kind_of(kind)}(((Sinew{name}*)0)->{field}), "kind of {name}.{field}");'


def type_of(parameter):
    """The type in Python of a parameter of a prototype."""
    base, stars = re.fullmatch(r"(\w+)\s*(\**)\s*", parameter.type.replace("const ", "") + "*" * parameter.is_array).groups()
    if base + stars[:1] in NUMBERS and base in ("void", "char"):
        kind, stars = NUMBERS[base + "*"], stars[1:]
    elif base.startswith("Sinew"):
        kind = getattr(sinew, base.removeprefix("Sinew"))
        stars = stars[issubclass(kind, ctypes.c_void_p):]
    else:
        kind = NUMBERS[base]
    for _ in stars:
        kind = ctypes.POINTER(kind)
    return kind


class Interface(unittest.TestCase):
    def test_structs_have_the_layout_of_the_headers(self):
        self.assertEqual(set(structs_of_python()), set(HEADERS.structs))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "layout.c")
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(assertions()) + "\n")
            done = subprocess.run(
                [COMPILER, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only",
                 f"-I{os.path.join(SOURCES, 'include')}", path], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_structs_have_the_fields_of_the_headers_in_their_order(self):
        for name, fields in HEADERS.structs.items():
            declared = [field[0] for field in structs_of_python()[name]._fields_]
            self.assertEqual(declared, [field.name for field in fields], name)

    def test_structs_that_are_not_copied_are_compared_field_by_field(self):
        folder, text = os.path.join(SOURCES, "src", "c"), ""
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text += file.read()
        for name, compared in NO_COPY.findall(text):
            declared = {field for field, *_ in structs_of_python()[name]._fields_}
            self.assertEqual(set(re.findall(r"\w+", compared)), declared, name)
        self.assertEqual(CAST.findall(text), [], "layout.h has seen_as(), which asks for a comparison")

    def test_functions_have_the_parameters_of_the_headers(self):
        for function in HEADERS.functions.values():
            types = [type_of(parameter) for parameter in function.parameters]
            if function.result == "SinewResult":
                self.assertIs(types.pop(), ctypes.POINTER(sinew.Error), function.name)
            if function.name != "version":
                self.assertEqual({**sinew.FUNCTIONS, **sinew.PLAIN_FUNCTIONS}[function.name], types, function.name)
        self.assertEqual({*HEADERS.functions, "version"}, {*sinew.FUNCTIONS, *sinew.PLAIN_FUNCTIONS, "version"})

    def test_every_function_is_exported(self):
        library = ctypes.CDLL(LIBRARY)
        for name in HEADERS.functions:
            self.assertTrue(hasattr(library, f"sinew_{name}"), name)

    def test_header_and_library_have_the_same_version(self):
        self.assertEqual(ctypes.CDLL(LIBRARY).sinew_version(), sinew.VERSION)


if __name__ == "__main__":
    unittest.main()
