"""usage: unguarded_test.py SOURCE_FOLDER FOLDER...

Finds what only g++ and clang know in the sources and headers of each FOLDER: attributes, builtins and pragmas that no
#if of a compiler or of a system surrounds, where MSVC would read them. Files that other systems alone compile are left
out: *_posix.cpp, *_linux.cpp and *_macos.cpp. Prints a line for each, and exits with 1 if there is one.
"""
import glob
import os
import re
import sys

UNKNOWN_TO_MSVC = re.compile(
    r"__attribute__|\[\[gnu::|\[\[clang::|__builtin_|__int128|__typeof|\btypeof\b|__extension__|__restrict__|__PRETTY_FUNCTION__"
    r"|#\s*pragma\s+(GCC|clang)|\b_Pragma\b|\bssize_t\b|\bM_PI\w*|\bstrerror_r\b|\balloca\b|\b__asm__\b"
    r"|#\s*include\s+<(unistd|dlfcn|pthread|sys/\w+|poll|spawn)\.h>")
GUARDS = re.compile(r"__GNUC__|__clang__|_MSC_VER|_WIN32|__linux__|__APPLE__")
OF_OTHER_SYSTEMS = re.compile(r"_(posix|linux|macos)\.(cpp|h)$")
COMMENT = re.compile(r"//.*|/\*.*?\*/")


def faults_in(text):
    """The numbers of lines with something that MSVC does not know and reads."""
    guards = []  # whether each open #if asks for a compiler or a system
    for number, line in enumerate(text.splitlines(), 1):
        line = COMMENT.sub("", line)
        directive = re.match(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b", line)
        if directive and directive[1].startswith("if"):
            guards.append(bool(GUARDS.search(line)))
        elif directive and directive[1] == "elif":
            guards[-1] = guards[-1] or bool(GUARDS.search(line))
        elif directive and directive[1] == "endif":
            guards.pop()
        elif UNKNOWN_TO_MSVC.search(line) and not any(guards):
            yield number


def main():
    root, *folders = sys.argv[1:]
    planted = "#ifdef __GNUC__\n#pragma GCC unroll 4\n#else\n#endif\nint f() { return __builtin_popcount(3); }\n"
    assert list(faults_in(planted)) == [5]
    files = [path for folder in folders for pattern in ("*.h", "*.cpp")
             for path in glob.glob(os.path.join(root, folder, "**", pattern), recursive=True)]
    files = sorted(path for path in files if not OF_OTHER_SYSTEMS.search(path))
    found = []
    for path in files:
        with open(path, encoding="utf-8") as file:
            found += [f"{os.path.relpath(path, root)}:{number}: MSVC does not know this" for number in faults_in(file.read())]
    print("\n".join(found + [f"{len(files)} files, {len(found)} lines that MSVC does not know"]))
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
