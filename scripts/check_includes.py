#!/usr/bin/env python3
"""usage: check_includes.py [FOLDER]

Checks that includes go in one direction. asset includes no other layer. animation and vulkan include asset, but not each
other. import and crowd include asset and animation. import_worker includes the public headers of asset, animation and
import. c includes the public headers of all layers; the headers that it offers itself, include/sinew/c/, include none of
C++. host knows no character: it includes HOST_MAY_INCLUDE and itself. app includes the headers of all layers and of
host, and its own folders include each other in one order. The programs in examples/ include public headers, host, their
own folder and what lies in examples/ itself.
Also checks that headers of third-party libraries are included only where LIBRARIES allows it. Prints a line for each
include that breaks a rule; the exit code is 1 if there is one.
"""
import os
import re
import sys

from files import found

SOURCES = (".h", ".hpp", ".cpp", ".c", ".cc", ".inl")
FOLDERS = ("include", "src", "shaders/shared", "examples")
# The layers that each layer may include: public headers of other layers, and all headers of its own. The layer of a
# file is its folder below include/sinew/ or src/.
STANDS_ON = {
    "asset": {"asset"},
    "animation": {"asset", "animation"},
    "crowd": {"asset", "animation", "crowd"},
    "vulkan": {"asset", "vulkan", "shaders"},
    "runtime": {"asset", "animation", "crowd", "vulkan", "runtime"},
    "import": {"asset", "animation", "import"},
    "import_worker": {"asset", "animation", "import", "import_worker"},
    "c_headers": {"c_headers"},  # include/sinew/c/: nothing of C++
    "c": {"asset", "animation", "crowd", "vulkan", "runtime", "import", "c_headers", "c"},
    "host": {"asset", "vulkan", "host"},
    "app": {"asset", "animation", "crowd", "vulkan", "runtime", "import", "sinew", "host", "app", "shaders"},
    "examples": {"asset", "animation", "crowd", "vulkan", "runtime", "import", "sinew", "host", "examples"},
    "shaders": {"shaders"},
    "sinew": {"asset", "animation", "crowd", "vulkan", "runtime", "import", "sinew"},  # include/sinew/ itself
}
# The program and its shaders include this header; the library does not.
LAYER_OF = {
    "include/sinew/api.h": "asset",
    "include/sinew/version.h": "asset",
    "include/sinew/profile.h": "asset",
    "shaders/shared/crowd.h": "app",
    "include/sinew/experimental/gather_lines.h": "asset",
    "include/sinew/experimental/kernel.h": "vulkan",
    "include/sinew/experimental/crowd_parts.h": "runtime",
    "include/sinew/vulkan/evaluate.h": "runtime",  # of hosts that have both layers
}

# What the host may include of the library.
HOST_MAY_INCLUDE = {"include/sinew/asset/math.h", "include/sinew/asset/parallel.h", "include/sinew/asset/result.h",
                    "include/sinew/vulkan/vulkan_error.h", "src/asset/read_number.h"}

# Folders of the program: a folder may include itself and the folders before it.
PROGRAM = ["system", "gpu", "scene", "skinning", "render", "window", "options", "tools", "viewer", "crowd"]

# Private headers that other layers may include, because reading and writing files, texts for Windows, texts on one
# line, loops on the host's threads, what happens where memory runs out, numbers and nouns in messages, numbers in
# files, nodes that pair by name, the largest of several errors, errors that are handed on, and the layout of pages are
# implemented only once, and because the library writes the command line that the import worker reads.
LENT = {
    "src/asset/error.h": {"animation", "import", "vulkan", "runtime"},
    "src/asset/file.h": {"import", "app"},
    "src/asset/node_pairs.h": {"animation", "import"},
    "src/asset/plain_text.h": {"animation", "crowd", "import", "vulkan", "runtime", "app"},
    "src/asset/read_number.h": {"import", "app", "host"},
    "src/asset/one_line.h": {"import", "import_worker", "app"},
    "src/asset/call_scope.h": {"vulkan", "runtime"},
    "src/asset/exceptions.h": {"animation", "crowd", "vulkan", "runtime"},
    "src/asset/for_each.h": {"animation", "crowd", "vulkan"},
    "src/asset/largest_scale.h": {"crowd", "runtime"},
    "src/asset/windows_process.h": {"import", "app"},
    "src/asset/windows_text.h": {"import", "import_worker", "app"},
    "src/asset/larger_error.h": {"animation", "import", "app"},
    "src/asset/kernel_entries.h": {"vulkan"},
    "src/asset/mesh_checks.h": {"vulkan"},
    "src/asset/morph.h": {"import"},
    "src/import/file_type.h": {"app"},
    "src/asset/dual_quaternion.h": {"app"},
    "src/asset/polar.h": {"animation", "import"},
    "src/import/isolated/worker_command.h": {"import_worker"},
    "src/vulkan/frame_layout.h": {"app"},
}

# Third-party headers and the only places that may include them: files, or folders, which end in a slash.
LIBRARIES = {
    "vulkan/": ["include/sinew/vulkan/", "include/sinew/runtime/", "include/sinew/experimental/kernel.h",
                "include/sinew/c/", "src/vulkan/", "src/c/", "src/app/", "src/host/"],
    "glm/": ["include/sinew/glm.h", "src/app/", "src/host/", "shaders/shared/crowd.h"],
    "hwy/": ["src/animation/", "src/crowd/sphere_test.cpp"],
    "ozz/": ["examples/ozz/"],
    "assimp/": ["src/import/assimp/"],
    "pugixml.hpp": ["src/import/collada/"],
    "tiny_gltf.h": ["src/import/gltf/tinygltf.h"],
    "draco/": ["src/import/gltf/gltf_compression.cpp"],
    "meshoptimizer.h": ["src/import/"],
    "webp/": ["src/app/record/movie.cpp", "src/import/image.cpp", "tests/app/report/movie_test.cpp"],
    "stb_image.h": ["src/import/image.cpp"],
    "stb_truetype.h": ["src/app/window/letters.cpp"],
    "stb_image_write.h": ["src/app/", "src/host/"],
    "zlib.h": ["src/import/fbx/fbx_record.cpp"],
    "linux/": ["src/import_worker/"],
    "volk.h": ["src/app/", "src/host/", "examples/ray_tracing/"],
    "volk.c": ["src/host/"],
    "GLFW/": ["src/host/"],
    "shaderc/": ["src/app/gpu/"],
    "CLI/": ["src/app/commands.h", "src/app/crowd/command.cpp", "src/app/main.cpp", "src/app/options/help.cpp",
             "src/app/options/help.h", "src/app/options/parser.h",
             "src/app/tools/", "src/app/viewer/command.cpp", "src/app/commands.h"],
    "nlohmann/": ["src/app/crowd/", "src/app/options/", "src/app/tools/", "src/import/gltf/"],
    "imgui": ["src/app/crowd/", "src/app/viewer/", "src/app/window/", "src/host/"],
    "backends/": ["src/host/"],
    "renderdoc_app.h": ["src/app/window/renderdoc.cpp"],
    "fontconfig/": ["src/app/window/letters.cpp"],
}
STANDARD = re.compile(r"^[a-z_0-9]+$|^sys/[a-z]+\.h$")  # headers of C++ and of the system
SYSTEM = {f"{name}.h" for name in
          "crt_externs dlfcn errno fcntl io locale mach-o/dyld mach/mach poll powrprof pthread sched shellapi signal spawn "
          "stddef stdint unistd windows xlocale".split()}
GENERATED = re.compile(r"commit\.h$|report_page\.inc$|builtin_shaders\.inc$|.+\.(vert|frag|comp)\.inc$")  # written by the build
# Where quoted includes are searched after the file's own folder and the root of its layer.
SEARCHED = ["include", "src", "src/app", "shaders", "examples"]
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)"|(\S+))')


def layer_of(path):
    """The layer that a file of the project belongs to, or None."""
    folders = path.split("/")[:-1]
    if path in LAYER_OF:
        return LAYER_OF[path]
    if folders[0] in ("shaders", "examples"):
        return folders[0]
    if folders[:3] == ["include", "sinew", "c"]:
        return "c_headers"
    if folders[:2] == ["include", "sinew"]:
        return folders[2] if len(folders) > 2 else "sinew"
    return folders[1] if folders[0] == "src" and len(folders) > 1 else None


def resolve(root, includer, name):
    """The path of the project's file that an include refers to, or None."""
    for folder in [os.path.dirname(includer), "/".join(includer.split("/")[:2])] + SEARCHED:
        path = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(os.path.join(root, path)):
            return path
    return None


def fault_of_program(includer, included):
    """The rule that an include between two files of the program breaks, or None."""
    above, below = (path.split("/")[2] if path.count("/") > 2 else None for path in (includer, included))
    if above not in PROGRAM or below not in PROGRAM:
        return None
    return None if PROGRAM.index(below) <= PROGRAM.index(above) else f"the program's {above} may not include its {below}"


def fault_of_own(includer, included):
    """The rule that an include between two files of the project breaks, or None."""
    above, below = layer_of(includer), layer_of(included)
    if below not in STANDS_ON:
        return "belongs to no layer"
    if below not in STANDS_ON[above]:
        return f"{above} may not include {below}"
    if above == below == "app":
        return fault_of_program(includer, included)
    if above == "host" != below and included not in HOST_MAY_INCLUDE:
        return "host knows no character"
    if above == below == "examples" and included.count("/") > 1 and included.split("/")[1] != includer.split("/")[1]:
        return "an example may not include another one"
    if included.startswith("src/") and below != "host" and above != below and above not in LENT.get(included, ()):
        return f"{above} may include only the public headers of {below}"
    if included.startswith("src/") and includer.startswith("include/"):
        return "a public header may not include a private one"
    return None


def fault_of_library(includer, name):
    """The rule that an include of a third-party header breaks, or None."""
    for prefix, places in LIBRARIES.items():
        if name == prefix or (not prefix.endswith((".h", ".c")) and name.startswith(prefix)):
            allowed = any(includer == place or (place.endswith("/") and includer.startswith(place)) for place in places)
            narrow = includer.startswith("include/") and prefix == "vulkan/" and name != "vulkan/vulkan_core.h"
            return None if allowed and not narrow else "belongs in " + " or ".join(places)
    return None if STANDARD.match(name) or name in SYSTEM else "a library that scripts/check_includes.py does not know"


def faults_of(root, path):
    if layer_of(path) not in STANDS_ON:
        yield 1, path, "belongs to no layer"
        return
    with open(os.path.join(root, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            angled, quoted, other = match.groups()
            name = angled or quoted or other
            included = resolve(root, path, name) if not other else None
            if other == "SINEW_PROFILE_HEADER":  # of a host: include/sinew/profile.h
                continue
            if other:
                fault = "an include must name its file"
            elif included:
                fault = fault_of_own(path, included)
            elif quoted and GENERATED.match(name):
                fault = None
            else:
                fault = fault_of_library(path, name)
            if fault:
                yield number, name, fault


def missing_from_sinew_h(root, files):
    """Public headers that neither sinew.h nor, those of C, c/sinew.h includes. They leave out glm.h, which only hosts
    with glm need, and what another header includes for them."""
    included = {"sinew/sinew.h", "sinew/c/sinew.h", "sinew/c/vulkan_info.h", "sinew/glm.h"}
    for name in "sinew.h", "c/sinew.h":
        with open(os.path.join(root, "include/sinew", name), encoding="utf-8") as file:
            included |= {match[2] for match in map(INCLUDE.match, file) if match}
    headers = {path.removeprefix("include/") for path in files if path.startswith("include/")}
    return sorted(h for h in headers - included if not h.startswith("sinew/experimental/"))


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    files = list(found(root, SOURCES, FOLDERS))
    broken = 0
    for path in files:
        for number, name, fault in faults_of(root, path):
            print(f"{path}:{number}: {name}: {fault}")
            broken += 1
    for header in missing_from_sinew_h(root, files):
        print(f"include/{header}: not in sinew.h")
        broken += 1
    if not files:
        sys.exit(f"check_includes.py: no sources under {root}")
    print(f"{len(files)} files, {broken} includes that break a rule")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
