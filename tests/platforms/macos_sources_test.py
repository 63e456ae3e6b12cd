"""usage: macos_sources_test.py COMPILER SOURCE_FOLDER

Compiles the sources of the libraries, the import worker and the program that have parts for macOS, on Linux: with that
system's macro, and with the folder macos/ for the headers that Linux lacks. It finds what does not compile in those
parts; it does not replace a compiler of macOS.
"""
import concurrent.futures
import glob
import os
import subprocess
import sys

FOLDERS = ("asset", "animation", "crowd", "vulkan", "runtime", "import", "import_worker", "c", "host", "app")
HEADERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "macos")
# Values of that system's headers.
MACROS = ["-D__APPLE__", "-DF_FULLFSYNC=51", "-DPOSIX_SPAWN_CLOEXEC_DEFAULT=0x4000"]
OPTIONS = ["-std=c++20", "-Wall", "-Wextra", "-Wshadow", "-Wpedantic", "-Werror", "-fsyntax-only"]


def is_for_macos(path):
    with open(path, encoding="utf-8") as file:
        return path.endswith("_macos.cpp") or "__APPLE__" in file.read()


def main():
    compiler, root = sys.argv[1:]
    includes = [f"-I{HEADERS}"] + [f"-I{os.path.join(root, folder)}" for folder in
                                   ("include", "src", "src/asset", "src/import", "src/import_worker", "src/app")]
    sources = [path for folder in FOLDERS
               for path in glob.glob(os.path.join(root, "src", folder, "**", "*.cpp"), recursive=True)]
    sources = sorted(path for path in sources if is_for_macos(path))
    if len(sources) < 4:
        print(f"only {len(sources)} files with parts for macOS found")
        return 1

    def errors_of(path):
        done = subprocess.run([compiler, *OPTIONS, *MACROS, *includes, path], capture_output=True, text=True, check=False)
        return f"{os.path.relpath(path, root)}:\n{done.stderr[:2000]}" if done.returncode != 0 else ""

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failed = [errors for errors in pool.map(errors_of, sources) if errors]
    print("\n".join(failed + [f"{len(sources)} files compiled with their parts for macOS, {len(failed)} failed"]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
