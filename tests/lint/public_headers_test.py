"""usage: public_headers_test.py [--together] SOURCE_FOLDER COMPILER...

Compiles every public header alone with each compiler, and with warnings that hosts turn on and Sinew's own code does
not: those of C as C11 and C++11, the others as C++20. --together: all headers of a language in one source, a minute
faster. Prints what a compiler says; the exit code is 1 if it says anything, and 77 if a compiler is missing.
"""
import concurrent.futures
import glob
import os
import shutil
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wdouble-promotion", "-Werror"]
CPP_WARNINGS = [*WARNINGS, "-Wsign-conversion", "-Wold-style-cast", "-Wnon-virtual-dtor", "-Woverloaded-virtual"]
C_COMPILERS = {"g++": "gcc", "clang++": "clang"}


def commands(root, of_c, compiler):
    """Name of the language, and the command that reads the source from its input."""
    common = ["-fsyntax-only", f"-I{os.path.join(root, 'include')}"]
    if not of_c:
        return [("C++20", [compiler, *common, *CPP_WARNINGS, "-std=c++20", "-x", "c++", "-"])]
    return [("C++11", [compiler, *common, *CPP_WARNINGS, "-Wno-old-style-cast", "-std=c++11", "-x", "c++", "-"]),
            ("C11", [C_COMPILERS[compiler], *common, *WARNINGS, "-Wstrict-prototypes", "-std=c11", "-x", "c", "-"])]


def is_of_c(header):
    return header.startswith("sinew/c/")


def complaints(root, headers, compiler):
    """What the compiler says of a source that includes these headers, all of C or all of C++."""
    found = []
    source = "".join(f'#include "{header}"\n' for header in headers)
    for language, command in commands(root, is_of_c(headers[0]), compiler):
        done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
        if done.returncode != 0 or done.stderr:
            what = headers[0] if len(headers) == 1 else f"{len(headers)} headers"
            found.append(f"{what} as {language}, {command[0]}:\n{done.stderr[:2000]}")
    return found


def sources(headers, together):
    """The headers of each source."""
    if not together:
        return [[header] for header in headers]
    return [[header for header in headers if is_of_c(header) == of_c] for of_c in (False, True)]


def main():
    together = sys.argv[1] == "--together"
    root, *compilers = sys.argv[2 if together else 1:]
    for compiler in compilers:
        if not shutil.which(compiler):
            print(f"SKIPPED: {compiler} is not installed")
            return 77
    include = os.path.join(root, "include")
    headers = [os.path.relpath(path, include) for path in glob.glob(os.path.join(include, "sinew", "**", "*.h"), recursive=True)]
    jobs = [(root, source, compiler) for source in sources(sorted(headers), together) for compiler in compilers]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failed = [text for texts in pool.map(lambda job: complaints(*job), jobs) for text in texts]
    print(*failed, f"{len(headers)} headers, {len(failed)} complaints", sep="\n")
    return 1 if failed or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
