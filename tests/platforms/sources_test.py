"""usage: sources_test.py windows|macos COMPILER SOURCE_FOLDER

Compiles what another system alone has, with all warnings as errors. For Windows with Debian's mingw-w64: its files, and
the asset library, without headers of POSIX; scripts/cross builds and runs more. For macOS with the compiler of Linux:
the sources that have parts for it, with that system's macro, and with the folder macos/ for the headers that Linux
lacks; that does not replace a compiler of macOS. Exits with 77 without the compiler.
"""
import concurrent.futures
import glob
import os
import shutil
import subprocess
import sys
import tempfile

OPTIONS = ["-std=c++20", "-Wall", "-Wextra", "-Wshadow", "-Wpedantic", "-Werror", "-fsyntax-only"]
FOLDERS = ("include", "src", "src/asset", "src/import", "src/import_worker", "src/app")
FOR_ALL_SYSTEMS = ("vulkan", "vk_video", "volk.h")  # of this system's headers
MACOS_HEADERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "macos")
# What a system is compiled with, of macOS values of its headers too, and how many files have parts for it at least.
SYSTEMS = {"windows": (["-DVK_NO_PROTOTYPES", "-Wno-missing-field-initializers"], 6),
           "macos": (["-D__APPLE__", "-DF_FULLFSYNC=51", "-DPOSIX_SPAWN_CLOEXEC_DEFAULT=0x4000", f"-I{MACOS_HEADERS}"], 4)}


def is_for(system, path):
    with open(path, encoding="utf-8") as file:
        return path.endswith(f"_{system}.cpp") or (system == "macos" and "__APPLE__" in file.read())


def compile_all(system, compiler, root, headers):
    options, fewest = SYSTEMS[system]
    options = [*OPTIONS, *options, *(f"-I{os.path.join(root, folder)}" for folder in FOLDERS)]
    files = [path for path in glob.glob(os.path.join(root, "src", "**", "*.cpp"), recursive=True) if is_for(system, path)]
    if len(files) < fewest:
        print(f"only {len(files)} files with parts for {system} found")
        return 1
    if system == "windows":
        options += ["-isystem", headers]
        files += [path for path in glob.glob(os.path.join(root, "src", "asset", "*.cpp")) if "_posix" not in path]

    def errors_of(path):
        done = subprocess.run([compiler, *options, path], capture_output=True, text=True, check=False)
        return f"{os.path.relpath(path, root)}:\n{done.stderr[:2000]}" if done.returncode != 0 else ""

    files = sorted(set(files))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failed = [errors for errors in pool.map(errors_of, files) if errors]
    print("\n".join(failed + [f"{len(files)} files compiled for {system}, {len(failed)} failed"]))
    return 1 if failed else 0


def main():
    system, compiler, root = sys.argv[1:]
    if shutil.which(compiler) is None:
        print(f"SKIPPED: NO {compiler} (package g++-mingw-w64-x86-64-posix): nothing was compiled for {system}")
        return 77
    with tempfile.TemporaryDirectory() as headers:
        for name in FOR_ALL_SYSTEMS:
            os.symlink(os.path.join("/usr/include", name), os.path.join(headers, name))
        return compile_all(system, compiler, root, headers)


if __name__ == "__main__":
    sys.exit(main())
