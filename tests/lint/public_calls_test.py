#!/usr/bin/env python3
"""usage: public_calls_test.py SOURCES [--list]

Each public call of runtime, crowd and vulkan has two of these consumers: the program, an example, a test of hosts, the
interface of C. A call of their C twins has one: an example or a test of hosts. So what only tests of the library call is
an error. --list prints who calls what; benchmarks and the library above are shown, and do not count.

How calls are found, without a compiler:
- A free function by its name and a parenthesis, without a receiver. Of two with one name by the namespace, or where the
  file includes headers of one folder only.
- A static function by its class, as in View::from_camera(.
- A method by its receiver: the last name before the dot, such as `crowd_` in crowd_.record( or `planner` in
  crowd.planner().plan(. The name must be declared with the class, in the file or in headers of the same consumer that
  the file includes, or made with auto from a call that returns the class. A call through a name that is declared
  elsewhere is not seen: the list may show a consumer too few. It shows one too many where a name has two types.
- A function of C by its name, called or not; in Python by the name without sinew_, behind a dot or a quote.
A function of the same name that a consumer declares itself does not count: then only calls with the namespace do.
"""
import argparse
import os
import re
import sys
import unittest

HEADERS = ["include/sinew/runtime", "include/sinew/crowd", "include/sinew/vulkan"]
C_HEADERS = [f"include/sinew/c/{name}.h" for name in
             ("runtime", "crowd", "vulkan", "pick", "attachments", "occlusion", "acceleration")]
# What is one consumer: folders, or files. What only proves that errors are refused is none.
CONSUMERS = {
    "program": ["src/app", "src/host"],
    "examples": ["examples"],
    "hosts": ["tests/embedding", "tests/examples", "tests/runtime", "tests/c"],
    "c": ["src/c"],
    "benchmarks": ["benchmarks"],
    "library": ["src/runtime", "include/sinew/vulkan/evaluate.h"],
}
# The consumers that count.
COUNTED = {"program", "examples", "hosts", "c"}
NO_CALLER = re.compile(r"examples/python/sinew\.py$|tests/c/(\w+\.cpp|(calls|session|valid_input)\.py)$|_test\.py$")

# Calls with fewer consumers, and why. One that has enough is an error: take it out.
LAYER = "SkinnedCrowd calls it, so program and examples run it; a host of the layers beneath is "
EXCEPTIONS = {
    # One consumer is right.
    "Planner::set_chain_margin": LAYER + "tests/crowd alone",
    "Skinner::prepare_mesh": LAYER + "that of C",
    "Skinner::remove_mesh": LAYER + "that of C",
    "Skinner::discard_frame": LAYER + "that of C",
    "Planner::set_limits": "for hosts that give quality for time, as the program may for its frame time; none does",
    "Planner::limits": "what a report shows, and the program is what reports",
    "Planner::shared_radians": "what a report shows, and the program is what reports",
    "Planner::max_needed_bytes": "what a report shows, and the program is what reports",
    "crowd::lowest_point": "for SunShadows, and only the program has a sun with shadow maps",
    "View::for_culling": "for shadow maps that are not of a sun, and no host of ours has any",
    "vulkan::first_state": "examples/ray_tracing is the host with structures",
    "vulkan::build_info": "examples/ray_tracing is the host with structures",
    "vulkan::discard_step": "for a frame that is not submitted, and no host with structures discards one",
    "vulkan::instance_offset": "for streams that all instances share; of our hosts none has one",
    "Skinner::reserve": "for hosts with descriptor sets of buffers that grow: tests/c/pages.py by C",
    "Skinner::buffer_changes": "for hosts with descriptor sets of buffers that grow: tests/c/pages.py by C",
    "Skinner::page_requirements": "for hosts with output pages of their own: benchmarks, and tests/c/pages.py by C",
    "Skinner::check_palettes": "for hosts that look for missing palettes: tests/c/pages.py by C",
    "DepthPyramid::is_hidden": "for hosts that cull other things than people: tests/crowd/occlusion_test.cpp",
    "crowd::angle_between": "what shared_radians() bounds: sinew crowd --validate, tests/crowd/host_test.cpp",
}

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
SCOPE = re.compile(r"(?:(namespace|class|struct|enum class|enum|union)\s+(?:SINEW_API\s+)?([\w:]*)[^;{}()]*)?$")
FUNCTION = re.compile(r"((?:[\w:<>,&*\[\]]|\s)*?[\s&*>])(\w+)\s*\(")
PROTOTYPE = re.compile(r"^SINEW_C_API\s+\w+\s+(sinew_\w+)\(", re.MULTILINE)
NAME_OF_PYTHON = re.compile(r'[."](\w+)\b')
WORD = re.compile(r"\bsinew_\w+")
FREE_CALL = re.compile(r"(\w*[\w>&*]|)(?<![.>:])\s*(?<![\w.>:])((?:\w+::)*)(\w+)\s*\(")
METHOD_CALL = re.compile(r"\b(\w+)\s*(?:\(\s*\)|\[[^\[\]\n]*\])*\s*\)?\s*(?:\.|->)(?=\s*(\w+)\s*\()")
AUTO = re.compile(r"\bauto\b[&*\s]+(\w+)\s*[=:]([^;{]*)")
LAST_CALL = re.compile(r"(\w+)\s*\([^()]*\)\s*\)?\s*$")


class Call:
    """A public function. `owner`: its class, or the namespace of a free function."""

    def __init__(self, header, owner, name, result, is_method, is_static):
        self.header, self.owner, self.name, self.result = header, owner, name, result
        self.is_method, self.is_static = is_method, is_static
        self.callers = {}  # consumer: files

    def is_c(self):
        return self.header.startswith("include/sinew/c/")

    def __str__(self):
        return self.name if self.is_c() else f"{self.owner}::{self.name}"


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def files_of(root, places, endings):
    for place in places:
        if os.path.isfile(os.path.join(root, place)):
            yield place
        for folder, _, names in os.walk(os.path.join(root, place)):
            for name in sorted(names):
                if name.endswith(endings):
                    yield os.path.relpath(os.path.join(folder, name), root)


def without_comments(text):
    return COMMENT.sub(lambda match: '""' if match[0][0] == '"' else " ", text)


def statements(text):
    """The declarations of a header with the scopes around each: (kind, name, is_public)."""
    text = re.sub(r"^\s*#[^\n]*(?:\\\n[^\n]*)*", "", without_comments(text), flags=re.MULTILINE)
    scopes, begin, i = [], 0, 0
    while i < len(text):
        char = text[i]
        if char == "{":
            head = text[begin:i].strip()
            match = SCOPE.search(head)
            kind = match[1] if match and match[1] and "(" not in head else None
            if kind in ("namespace", "class", "struct"):
                scopes.append([kind, match[2], kind != "class"])
                begin = i + 1
            else:  # a body, an initializer, an enum
                depth, end = 1, i + 1
                while depth:
                    depth += {"{": 1, "}": -1}.get(text[end], 0)
                    end += 1
                yield list(map(tuple, scopes)), head, "body" if "(" in head else "value"
                i = end - 1
                if "(" in head and text[end:end + 1] != ";":
                    begin = end
        elif char == "}":
            scopes.pop()
            begin = i + 1
        elif char == ";":
            yield list(map(tuple, scopes)), text[begin:i].strip(), "declaration"
            begin = i + 1
        elif match := re.match(r"(public|private|protected):", text[i:]):
            scopes[-1][2] = match[1] == "public"
            i += len(match[0]) - 1
            begin = i + 1
        i += 1


def public_calls_of(root, path):
    """Left out by rule: constructors, destructors, operators, friends, what is inline in a struct, what is internal or
    experimental."""
    for scopes, statement, kind in statements(read(root, path)):
        names = [name for _, name, _ in scopes]
        statement = re.sub(r"^template\s*<[^<>]*>", "", statement).strip()
        if not all(public for _, _, public in scopes) or any("internal" in n or n == "experimental" for n in names):
            continue
        if kind == "value" or "(" not in statement or re.match(r"friend|using|typedef|struct|class|enum", statement):
            continue
        match = FUNCTION.match(" " + statement)
        if not match or "operator" in statement or "=" in match[1]:
            continue
        result, name = match[1].strip(), match[2]
        scope, owner, _ = scopes[-1]
        is_method = scope != "namespace"
        if not result.replace("explicit", "").replace("SINEW_API", "").strip() or name == owner:
            continue  # a constructor, a destructor
        if scope == "struct" and kind == "body":
            continue  # a tiny accessor
        yield Call(path, owner.split("::")[-1], name, result, is_method, "static" in result.split())


def public_calls(root):
    calls, seen = [], set()
    for path in files_of(root, HEADERS, ".h"):
        for call in public_calls_of(root, path):
            if str(call) not in seen:  # an overload counts with its sibling
                seen.add(str(call))
                calls.append(call)
    for path in C_HEADERS:
        for name in PROTOTYPE.findall(without_comments(read(root, path))):
            if not name.endswith("_destroy"):
                calls.append(Call(path, "", name, "", False, False))
    return calls


class Source:
    """A file of a consumer: what it calls, and what its names are declared as."""

    def __init__(self, root, path, names):
        text = read(root, path)
        self.path = path
        self.free, self.methods, self.own = {}, {}, set()  # by name: scopes, receivers; what it declares
        self.includes = re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.MULTILINE)
        if path.endswith(".py"):
            self.text, self.names = "", set(NAME_OF_PYTHON.findall(text))
            return
        self.text = without_comments(text)
        self.names = set(WORD.findall(self.text))
        for before, scopes, name in FREE_CALL.findall(self.text):
            if name not in names:
                continue
            if not before or before in ("return", "else"):
                self.free.setdefault(name, set()).add(scopes)
            else:
                self.own.add(name)  # a type before the name: a declaration
        for receiver, name in METHOD_CALL.findall(self.text):
            if name in names:
                self.methods.setdefault(name, set()).add(receiver)


class Consumer:
    def __init__(self, root, name, places, calls):
        self.name, self.calls = name, calls
        self.classes = {call.owner for call in calls if call.is_method}
        wanted = "|".join(sorted(self.classes, key=len, reverse=True))
        self.declared = re.compile(rf"\b({wanted})\b(?:\s+const)?(?:\s*>)*\s*[&* ]\s*(?:const\s+)?(\w+)\s*[,;={{()\[:]")
        self.made = re.compile(rf"\b({wanted})::create\b")
        self.returned = {call.name: cls for call in calls for cls in self.classes
                         if re.search(rf"\b{cls}\b", call.result)}  # what a public call returns
        names = {call.name for call in calls}
        self.sources = {path: Source(root, path, names) for path in files_of(root, places, (".cpp", ".h", ".c", ".py"))
                        if not NO_CALLER.search(path)}
        self.typed = {path: self.types_in(source.text) for path, source in self.sources.items()}

    def types_in(self, text):
        """{name: classes}: of variables, members, parameters and functions."""
        typed = {}
        for cls, name in self.declared.findall(text):
            typed.setdefault(name, set()).add(cls)
        for name, value in AUTO.findall(text):
            made, called = self.made.search(value), LAST_CALL.search(value)
            if made:
                typed.setdefault(name, set()).add(made[1])
            elif called and called[1] in self.returned:
                typed.setdefault(name, set()).add(self.returned[called[1]])
            elif "create_crowd(" in value:
                typed.setdefault(name, set()).add("SkinnedCrowd")
        return typed

    def included(self, path, seen):
        """Adds a file and what it includes of the same consumer."""
        if path in seen:
            return
        seen.add(path)
        for name in self.sources[path].includes:
            end = "/" + name.split("../")[-1]
            for other in self.sources:
                if other.endswith(end):
                    self.included(other, seen)

    def find(self):
        for path, source in self.sources.items():
            seen = set()
            self.included(path, seen)
            typed, own, headers = {}, set(), set()
            for other in seen:
                own |= self.sources[other].own
                headers |= {os.path.dirname("include/" + name) for name in self.sources[other].includes}
                for name, classes in self.typed[other].items():
                    typed.setdefault(name, set()).update(classes)
            for call in self.calls:
                if self.calls_it(source, typed, own, headers, call):
                    call.callers.setdefault(self.name, []).append(path)

    def calls_it(self, source, typed, own, headers, call):
        if call.is_c():
            name = call.name.removeprefix("sinew_") if source.path.endswith(".py") else call.name
            return self.name != "c" and name in source.names
        scopes = source.free.get(call.name, ())
        if call.is_static:
            return any(scope.endswith(call.owner + "::") for scope in scopes)
        if call.is_method:
            return any(call.owner in typed.get(name, ()) or self.returned.get(name) == call.owner
                       for name in source.methods.get(call.name, ()))
        if any(scope.endswith(call.owner + "::") for scope in scopes):
            return True
        twins = {os.path.dirname(other.header) for other in self.calls
                 if other.name == call.name and other.owner != call.owner and not other.is_method}
        ours = os.path.dirname(call.header) in headers and not twins & headers
        return bool(scopes) and call.name not in own and (ours or not twins)


def find_callers(root):
    calls = public_calls(root)
    for name, places in CONSUMERS.items():
        Consumer(root, name, places, calls).find()
    return calls


def enough(call):
    callers = COUNTED & set(call.callers)
    return len(callers) >= (1 if call.is_c() else 2)


def line_of(call):
    callers = ", ".join(f"{name} ({len(files)})" for name, files in call.callers.items())
    return f"{str(call):44} {callers or '-'}"


class Calls(unittest.TestCase):
    """Both lists guard the finder too: where it sees fewer calls the first has lines, where it sees more the second."""
    sources = "."

    def test_each_has_two_consumers(self):
        calls = find_callers(self.sources)
        self.assertGreater(len(calls), 100)
        missing = [line_of(call) for call in calls if not enough(call) and str(call) not in EXCEPTIONS]
        self.assertEqual(missing, [], "too few consumers: call it where a host would, or let it go")
        needed = {str(call) for call in calls if not enough(call)}
        self.assertEqual(sorted(EXCEPTIONS.keys() - needed), [], "exceptions that are not needed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sources")
    parser.add_argument("--list", action="store_true", help="print each call and who calls it")
    arguments, others = parser.parse_known_args()
    if arguments.list:
        for call in find_callers(arguments.sources):
            print("  " if enough(call) else "! ", line_of(call), sep="")
        return
    Calls.sources = arguments.sources
    unittest.main(argv=[sys.argv[0], *others])


if __name__ == "__main__":
    main()
