"""usage: windows_test.py SOURCE_FOLDER

Compiles what only Windows has, and the asset library, with Debian's mingw-w64: without headers of POSIX, and with all
warnings as errors. Exits with 77 without the compiler. scripts/cross builds and runs more.
"""
import concurrent.futures
import glob
import os
import shutil
import subprocess
import sys
import tempfile

COMPILER = "x86_64-w64-mingw32-g++-posix"
OPTIONS = ["-std=c++20", "-Wall", "-Wextra", "-Wshadow", "-Wpedantic", "-Werror", "-fsyntax-only",
           "-DVK_NO_PROTOTYPES", "-Wno-missing-field-initializers"]
FOR_ALL_SYSTEMS = ("vulkan", "vk_video", "volk.h")  # of this system's headers


def main():
    with tempfile.TemporaryDirectory() as headers:
        for name in FOR_ALL_SYSTEMS:
            os.symlink(os.path.join("/usr/include", name), os.path.join(headers, name))
        return compile_all(sys.argv[1], headers)


def compile_all(root, headers):
    if shutil.which(COMPILER) is None:
        print(f"SKIPPED: NO {COMPILER} (package g++-mingw-w64-x86-64-posix): nothing was compiled for Windows")
        return 77
    windows = glob.glob(os.path.join(root, "src", "**", "*_windows.cpp"), recursive=True)
    asset = [path for path in glob.glob(os.path.join(root, "src", "asset", "*.cpp")) if "_posix" not in path]
    if len(windows) < 6:
        print(f"only {len(windows)} files of Windows found")
        return 1
    includes = [f"-I{os.path.join(root, folder)}"
                for folder in ("include", "src", "src/asset", "src/import", "src/import_worker", "src/app")]
    includes += ["-isystem", headers]

    def compile_one(path):
        done = subprocess.run([COMPILER, *OPTIONS, *includes, path], capture_output=True, text=True, check=False)
        return path, done.returncode, done.stderr

    files, failed = sorted(set(windows + asset)), 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, code, errors in pool.map(compile_one, files):
            if code != 0:
                failed += 1
                print(f"{os.path.relpath(path, root)}:\n{errors[:2000]}")
    print(f"{len(files)} files compiled for Windows, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
