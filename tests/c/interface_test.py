#!/usr/bin/env python3
"""usage: interface_test.py SOURCES LIBRARY COMPILER [unittest options]

examples/python/sinew.py declares what the headers in include/sinew/c do: the C compiler compares size and offset of each
field, a reader of the prototypes each parameter. And every call refuses nulls with a line that names it. src/c compares
each field of the structs that it does not copy with those of C++.
"""
import ctypes
import os
import re
import subprocess
import sys
import tempfile
import unittest

SOURCES, LIBRARY, COMPILER = (sys.argv.pop(1) for _ in range(3))
HEADERS = os.path.join(SOURCES, "include", "sinew", "c")
sys.path.insert(0, os.path.join(SOURCES, "examples", "python"))
import sinew  # noqa: E402

STRUCT = re.compile(r"typedef struct Sinew(\w+) \{(.*?)^\} Sinew\1;", re.MULTILINE | re.DOTALL)
PROTOTYPE = re.compile(r"^SINEW_C_API\s+(\w+)\s+sinew_(\w+)\((.*?)\);", re.MULTILINE | re.DOTALL)
NUMBERS = {"uint32_t": ctypes.c_uint32, "float": ctypes.c_float, "double": ctypes.c_double, "size_t": ctypes.c_size_t,
           "VkCommandBuffer": ctypes.c_void_p, "VkDrawIndexedIndirectCommand": sinew.DrawCommand,
           "uint64_t": ctypes.c_uint64, "VkDeviceAddress": ctypes.c_uint64, "void*": ctypes.c_void_p,
           "char*": ctypes.c_char_p}
NO_COPY = re.compile(r"SINEW_SAME_LAYOUT\(Sinew(\w+),")
COMPARED = re.compile(r"SINEW_SAME_FIELD\(Sinew(\w+), (\w+),")
CAST = re.compile(r"reinterpret_cast<(?:const )?Sinew\w+")
HANDLES = {"Character", "Evaluator", "RootTrack", "Player", "Planner", "Attachments", "Skinner", "Model", "SkinnedCrowd",
           "DepthPyramid", "PreparedMesh", "PreparedModel", "MeasuredModel"}


def headers():
    text = ""
    for name in sorted(os.listdir(HEADERS)):
        with open(os.path.join(HEADERS, name), encoding="utf-8") as file:
            text += file.read()
    return re.sub(r"//[^\n]*", "", text)


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
    words = parameter.replace("const ", "").strip()
    if words.endswith("]"):
        words = re.sub(r"\s+(\w+)\[\d+\]$", r"* \1", words)
    base, stars = re.fullmatch(r"(\w+)\s*(\**)\s*\w+", words).groups()
    if base + stars[:1] in NUMBERS and base in ("void", "char"):
        kind, stars = NUMBERS[base + "*"], stars[1:]
    elif base.startswith("Sinew"):
        kind = getattr(sinew, base.removeprefix("Sinew"))
        if base.removeprefix("Sinew") in HANDLES:
            stars = stars[1:]
    else:
        kind = NUMBERS[base]
    for _ in stars:
        kind = ctypes.POINTER(kind)
    return kind


class Interface(unittest.TestCase):
    def test_structs_have_the_layout_of_the_headers(self):
        self.assertEqual(set(structs_of_python()), {name for name, _ in STRUCT.findall(headers())})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "layout.c")
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(assertions()) + "\n")
            done = subprocess.run(
                [COMPILER, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only",
                 f"-I{os.path.join(SOURCES, 'include')}", path], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_structs_have_the_fields_of_the_headers_in_their_order(self):
        for name, body in STRUCT.findall(headers()):
            declared = re.findall(r"(?:(\w+)(?:\[\d+\])*|\(\*(\w+)\)\([^)]*\))\s*(?=[,;])", re.sub(r"\s+", " ", body))
            fields = [plain or function for plain, function in declared]
            self.assertEqual([field[0] for field in structs_of_python()[name]._fields_], fields, name)

    def test_structs_that_are_not_copied_are_compared_field_by_field(self):
        folder, text = os.path.join(SOURCES, "src", "c"), ""
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text += file.read()
        declared = {(name, field) for name in NO_COPY.findall(text) for field, *_ in structs_of_python()[name]._fields_}
        self.assertEqual(declared - set(COMPARED.findall(text)), set())
        self.assertEqual(CAST.findall(text), [], "layout.h has seen_as(), which asks for a comparison")

    def test_functions_have_the_parameters_of_the_headers(self):
        seen = set()
        for result, name, parameters in PROTOTYPE.findall(headers()):
            if name == "version":
                continue
            seen.add(name)
            types = [type_of(parameter) for parameter in parameters.split(",")]
            if result == "SinewResult":
                self.assertIs(types.pop(), ctypes.POINTER(sinew.Error), name)
            table = sinew.FUNCTIONS if result == "SinewResult" else sinew.PLAIN_FUNCTIONS
            self.assertEqual(table[name], types, name)
        self.assertEqual(seen, {*sinew.FUNCTIONS, *sinew.PLAIN_FUNCTIONS})

    def test_every_function_is_exported(self):
        library = ctypes.CDLL(LIBRARY)
        for _, name, _ in PROTOTYPE.findall(headers()):
            self.assertTrue(hasattr(library, f"sinew_{name}"), name)

    def test_every_call_refuses_nulls_with_a_line_that_names_it(self):
        lib = sinew.Library(LIBRARY)
        refused = 0
        for name, parameters in sinew.FUNCTIONS.items():
            if name in ("check_version",):
                continue
            for room in range(2):  # all nulls; and with a struct or number to write to
                arguments = [kind(0) if kind in (ctypes.c_uint32, ctypes.c_float, ctypes.c_double, ctypes.c_size_t) else None
                             for kind in parameters]
                if room and hasattr(parameters[-1], "contents"):
                    arguments[-1] = ctypes.byref(parameters[-1]._type_())
                if name in ("vertex_input", "depth_pyramid_create") and room:
                    continue
                with self.assertRaises(sinew.Failure, msg=name) as caught:
                    getattr(lib, name)(*arguments)
                if name == "character_load_memory" and room:  # no bytes are no file
                    continue
                self.assertEqual(caught.exception.result, 1, name)
                self.assertRegex(str(caught.exception), rf"^sinew_{name}: [a-z>_-]+ is null$")
                refused += 1
        self.assertGreater(refused, 100)

    def test_header_and_library_have_the_same_version(self):
        self.assertEqual(ctypes.CDLL(LIBRARY).sinew_version(), sinew.VERSION)


if __name__ == "__main__":
    unittest.main()
