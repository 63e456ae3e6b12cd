"""usage: public_headers_test.py SOURCE_FOLDER COMPILER...

Compiles every public header alone with each compiler, and with warnings that hosts turn on and Sinew's own code does
not: those of C as C11 and C++11, the others as C++20. Prints what a compiler says; the exit code is 1 if it says
anything, and 77 if a compiler is missing.
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


def commands(root, header, compiler):
    """Name of the language, and the command that reads the source from its input."""
    common = ["-fsyntax-only", f"-I{os.path.join(root, 'include')}"]
    if not header.startswith("sinew/c/"):
        return [("C++20", [compiler, *common, *CPP_WARNINGS, "-std=c++20", "-x", "c++", "-"])]
    return [("C++11", [compiler, *common, *CPP_WARNINGS, "-Wno-old-style-cast", "-std=c++11", "-x", "c++", "-"]),
            ("C11", [C_COMPILERS[compiler], *common, *WARNINGS, "-Wstrict-prototypes", "-std=c11", "-x", "c", "-"])]


def complaints(root, header, compiler):
    found = []
    for language, command in commands(root, header, compiler):
        done = subprocess.run(command, input=f'#include "{header}"\n', capture_output=True, text=True, check=False)
        if done.returncode != 0 or done.stderr:
            found.append(f"{header} as {language}, {command[0]}:\n{done.stderr[:2000]}")
    return found


def main():
    root, compilers = sys.argv[1], sys.argv[2:]
    for compiler in compilers:
        if not shutil.which(compiler):
            print(f"SKIPPED: {compiler} is not installed")
            return 77
    include = os.path.join(root, "include")
    headers = [os.path.relpath(path, include) for path in glob.glob(os.path.join(include, "sinew", "**", "*.h"), recursive=True)]
    jobs = [(root, header, compiler) for header in sorted(headers) for compiler in compilers]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failed = [text for texts in pool.map(lambda job: complaints(*job), jobs) for text in texts]
    print(*failed, f"{len(headers)} headers, {len(failed)} complaints", sep="\n")
    return 1 if failed or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
