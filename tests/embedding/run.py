#!/usr/bin/env python3
"""usage: run.py --build FOLDER --source FOLDER --compiler CXX --version VERSION install LIBRARY...
       run.py --build FOLDER --source FOLDER --compiler CXX --version VERSION CONSUMER LIBRARY...

Programs of hosts, built and run as a host would. `install` installs the libraries of the build, and the programs, into
a prefix. After that each consumer, a folder beside this file, is configured against the prefix, built and run. The exit
code is 77 if a package or a device is missing.
"""
import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77
# Those that compile Sinew's sources instead of finding it in the prefix.
USES_SOURCES = {"subdirectory", "no_exceptions", "stb"}
# They are sources of one project.
LINKED = {"linked": "main.cpp", "shared": "main.cpp", "two_devices": "two_devices.cpp", "two_families": "two_families.cpp"}
# They have no program.
CONFIGURED_ONLY = {"components", "stb"}
# What a consumer prints that has compared something.
PROOF = {"import": "vertices, the same in both ways"}
QUICK = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O0"]
CPP_NAMES, C_NAMES = r"_Z(NK?|T[ISV]N)5sinew", r"sinew_\w+$"
MESSAGES = re.compile(r"Validation (Error|Warning)|VUID-")


def run(command, **options):
    """Runs a command; shows its output and ends if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode != 0:
        print(shlex.join(command), done.stdout, sep="\n")
        sys.exit(f"exit code {done.returncode}")
    return done.stdout


def install(arguments, prefix):
    shutil.rmtree(prefix, ignore_errors=True)
    components = [f"{library}-dev" for library in arguments.libraries]
    if "import" in arguments.libraries:
        components.append("tools")
    if "c" in arguments.libraries:
        components.append("c")  # the shared library
    for component in components:
        run(["cmake", "--install", arguments.build, "--prefix", prefix, "--component", component])
    for at, _, names in os.walk(prefix if arguments.optimized else ""):  # else debuggers need the paths
        for name in names:
            with open(os.path.join(at, name), "rb") as file:
                if arguments.source.encode() in file.read():
                    sys.exit(f"{os.path.join(at, name)} contains {arguments.source}, which other machines have not")


def cmake(arguments, source, folder, options=()):
    """Configures and builds. Ends with SKIPPED if the project says so."""
    cache = os.path.join(folder, "CMakeCache.txt")
    if os.path.exists(cache):
        os.remove(cache)  # it would keep the defaults of earlier runs
    said = run(["cmake", "-S", source, "-B", folder, *QUICK, f"-DCMAKE_CXX_COMPILER={arguments.compiler}", *options])
    skipped = re.search("SKIPPED:.*", said)
    if skipped:
        print(skipped[0])
        sys.exit(SKIPPED)
    run(["cmake", "--build", folder, "--parallel", "2"])


def install_of_its_own(arguments, folder, options):
    """Builds the libraries alone, with these options, and installs them."""
    prefix = os.path.join(folder, "prefix")
    off = [f"-DSINEW_BUILD_{part}=OFF" for part in ("PROGRAM", "TESTS", "EXAMPLES", "BENCHMARKS")]
    have_import = "import" in arguments.libraries
    off.append(f"-DSINEW_BUILD_C={'ON' if 'c' in arguments.libraries else 'OFF'}")
    cmake(arguments, arguments.source, os.path.join(folder, "libraries"),
          [*off, f"-DSINEW_BUILD_IMPORT={'ON' if have_import else 'OFF'}", "-DSINEW_WERROR=ON", *options])
    shutil.rmtree(prefix, ignore_errors=True)
    run(["cmake", "--install", os.path.join(folder, "libraries"), "--prefix", prefix])
    return prefix


def install_unity(arguments, folder):
    """Each library is one source: whatever two files call the same would not compile."""
    prefix = install_of_its_own(arguments, folder, ["-DSINEW_UNITY=OFF", "-DCMAKE_UNITY_BUILD=ON",
                                                    "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0",
                                                    "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON", "-DBUILD_SHARED_LIBS=OFF"])
    if "libsinew-c.a" not in flags_of(prefix, "sinew-c"):
        sys.exit("sinew-c.pc of a static build does not link the static library")
    return prefix


def install_shared(arguments, folder):
    """Builds the libraries as shared ones, installs them, and checks what they export."""
    prefix = install_of_its_own(arguments, folder, ["-DBUILD_SHARED_LIBS=ON"])
    libraries = [os.path.join(at, name) for at, _, names in os.walk(prefix) for name in names
                 if re.fullmatch(r"libsinew-\w+\.so\.[\d.]+", name)]
    libraries = [library for library in libraries if not os.path.islink(library)]
    if len(libraries) != len(arguments.libraries):
        sys.exit(f"shared libraries: {libraries}")
    for library in libraries:
        check_exports(library, C_NAMES if "libsinew-c." in library else CPP_NAMES)
    return prefix


def install_port(arguments, folder):
    """Installs by the overlay port of vcpkg, with this system's packages in place of vcpkg's."""
    prefix = os.path.join(folder, "prefix")
    shutil.rmtree(prefix, ignore_errors=True)
    features = [name for name in ("c", "import") if name in arguments.libraries]
    run(["cmake", f"-DFEATURES={','.join(features)}", f"-DBUILD={os.path.join(folder, 'libraries')}",
         f"-DCURRENT_PACKAGES_DIR={prefix}",
         f"-DPORT_FOLDER={os.path.join(arguments.source, 'src', 'package', 'vcpkg', 'ports', 'sinew')}",
         "-P", os.path.join(HERE, "packages", "run_port.cmake")])
    for path in "share/sinew/usage", "share/sinew/LICENSE", *(f"lib/libsinew-{name}.a" for name in arguments.libraries):
        if not os.path.exists(os.path.join(prefix, path)):
            sys.exit(f"the port installs no {path}")
    return prefix


def try_debian_packages(arguments, folder):
    """Builds the packages, unpacks them, and runs what they hold: a program that is linked with them, and `sinew`."""
    missing = [tool for tool in ("dpkg-buildpackage", "dh") if not shutil.which(tool)]
    if missing:
        print(f"SKIPPED: {' and '.join(missing)} not installed (dpkg-dev, debhelper): no Debian packages were built")
        sys.exit(SKIPPED)
    root = os.path.join(folder, "root")
    shutil.rmtree(root, ignore_errors=True)
    print(run([os.path.join(arguments.source, "scripts", "package"), "--folder", folder, "shared"],
              env={**os.environ, "DEB_BUILD_OPTIONS": "nocheck"}))
    packages = os.path.join(folder, "shared")
    for name in os.listdir(packages):
        if name.endswith(".deb"):
            run(["dpkg-deb", "--extract", os.path.join(packages, name), root])
    libraries = os.path.dirname(shared_library_of_c(root))
    os.environ["LD_LIBRARY_PATH"] = libraries
    for path in "share/man/man1/sinew.1.gz", "share/bash-completion/completions/sinew", "share/sinew/character.glb":
        if not os.path.exists(os.path.join(root, "usr", path)):
            sys.exit(f"no package has /usr/{path}")
    print(run([os.path.join(root, "usr", "bin", "sinew"), "--version"]))
    cmake(arguments, os.path.join(HERE, "packages"), os.path.join(folder, "consumer"),
          [f"-DCMAKE_PREFIX_PATH={os.path.join(root, 'usr')}"])
    return run_program([os.path.join(folder, "consumer", "test_package")], f"sinew {arguments.version}: ")


def check_exports(library, pattern):
    names = [line.split()[-1] for line in run(["nm", "-D", "--defined-only", library]).splitlines()]
    foreign = [name for name in names if not re.match(pattern, name)]
    if not names or foreign:
        sys.exit(f"{library} exports {len(names)} names, of them not sinew's: {foreign}")


def flags_of(prefix, *words):
    """What pkg-config answers."""
    if not shutil.which("pkg-config"):
        print("SKIPPED: pkg-config is not installed")
        sys.exit(SKIPPED)
    folders = [at for at, _, names in os.walk(prefix) if "sinew-asset.pc" in names]
    return run(["pkg-config", "--cflags", "--libs", *words], env={**os.environ, "PKG_CONFIG_PATH": ":".join(folders)})


def build_by_pkg_config(arguments, prefix, program):
    """Compiles and links one file without CMake, with the flags of pkg-config."""
    for name in arguments.libraries:
        flags_of(prefix, "--exact-version", arguments.version, f"sinew-{name}")
    flags = flags_of(prefix, "--static", "sinew-animation", "sinew-vulkan", "vulkan")
    os.makedirs(os.path.dirname(program), exist_ok=True)
    run([arguments.compiler, "-std=c++20", "-O0", f"-I{HERE}", os.path.join(HERE, "linked", "main.cpp"),
         "-o", program, *shlex.split(flags)])


def build_c_by_pkg_config(prefix, program, package):
    """The host in C, with the flags of pkg-config and a C compiler."""
    flags = flags_of(prefix, "--static", package, "vulkan")
    os.makedirs(os.path.dirname(program), exist_ok=True)
    sources = [os.path.join(HERE, "c", name) for name in ("main.c", "callbacks.c", "device.c", "tube.c")]
    run(["cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *sources, "-o", program, *shlex.split(flags), "-lm",
         f"-Wl,-rpath,{os.path.dirname(shared_library_of_c(prefix))}"])
    needed = re.findall(r"NEEDED.*\[(libsinew.*)\]", run(["readelf", "--dynamic", program]))
    if len(needed) != (0 if package == "sinew-c-static" else 1):
        sys.exit(f"linked with {package}, the program loads {needed}")


def build_by_meson(arguments, folder):
    """A project of Meson wants its subprojects below itself: it is copied."""
    if not shutil.which("meson"):
        print("SKIPPED: meson is not installed")
        sys.exit(SKIPPED)
    source = os.path.join(folder, "source")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(os.path.join(HERE, "meson"), source)
    shutil.copytree(os.path.join(HERE, "common"), os.path.join(source, "common"))
    os.mkdir(os.path.join(source, "subprojects"))
    os.symlink(arguments.source, os.path.join(source, "subprojects", "sinew"))
    build = os.path.join(folder, "build")
    run(["meson", "setup", "--buildtype=plain", build, source])
    run(["ninja", "-C", build, "consumer"])
    return os.path.join(build, "consumer")


def shared_library_of_c(prefix):
    return next(os.path.join(at, name) for at, _, names in os.walk(prefix) for name in names
                if re.fullmatch(r"libsinew-c\.so\.\d+(\.\d+)?", name))


def run_program(program, proof):
    """Runs the consumer with the validation layer, where it is installed; any message fails."""
    environment = {**os.environ, "VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation", "VK_LAYER_VALIDATE_SYNC": "1",
                   "VK_LAYER_ENABLES": "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT"}
    done = subprocess.run(program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env=environment)
    print(done.stdout, end="")
    if done.returncode == 0 and MESSAGES.search(done.stdout):
        sys.exit("messages of the validation layer")
    if done.returncode == 0 and proof not in done.stdout:
        sys.exit("the consumer compared nothing")
    return done.returncode


# They build libraries of their own kind, instead of those of this build.
BUILDS_LIBRARIES = {"shared": install_shared, "unity": install_unity}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("build", "source", "compiler", "version"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--optimized", action="store_true", help="the build has nothing for debuggers")
    parser.add_argument("consumer")
    parser.add_argument("libraries", nargs="+")
    arguments = parser.parse_args()
    if shutil.which("ccache"):
        os.environ.setdefault("CMAKE_CXX_COMPILER_LAUNCHER", "ccache")

    base = os.path.join(arguments.build, "embedding")
    prefix = os.path.join(base, "prefix")
    if arguments.consumer == "install":
        install(arguments, prefix)
        return 0
    folder = os.path.join(base, arguments.consumer)
    program = os.path.join(folder, "consumer")
    proof = PROOF.get(arguments.consumer, "frame 4: largest error")
    if arguments.consumer == "pkg_config":
        build_by_pkg_config(arguments, prefix, program)
        return run_program([program], proof)
    if arguments.consumer == "c_pkg_config":
        build_c_by_pkg_config(prefix, program, "sinew-c")
        return run_program([program], proof)
    if arguments.consumer == "c_static_pkg_config":
        build_c_by_pkg_config(prefix, program, "sinew-c-static")
        return run_program([program], proof)
    if arguments.consumer == "meson":
        return run_program([build_by_meson(arguments, folder)], proof)
    if arguments.consumer == "packages":  # the program is that of the recipe of Conan, which no machine of ours can run
        cmake(arguments, os.path.join(HERE, "packages"), os.path.join(folder, "consumer"),
              [f"-DCMAKE_PREFIX_PATH={install_port(arguments, folder)}"])
        return run_program([os.path.join(folder, "consumer", "test_package")], f"sinew {arguments.version}: ")
    if arguments.consumer == "debian":
        return try_debian_packages(arguments, folder)
    if arguments.consumer == "python":
        host = [sys.executable, os.path.join(arguments.source, "examples", "python", "crowd.py"), "--count", "20"]
        return run_program([*host, "--library", shared_library_of_c(prefix), "--size", "160x90",
                            "--output", os.path.join(base, "python.png")], "frame 4: ")
    options, project = [f"-DSINEW_SOURCE_DIR={arguments.source}"], arguments.consumer
    if arguments.consumer in LINKED:
        options.append(f"-DSINEW_MAIN={LINKED[arguments.consumer]}")
        project = "linked"
    if arguments.consumer in BUILDS_LIBRARIES:
        options.append(f"-DCMAKE_PREFIX_PATH={BUILDS_LIBRARIES[arguments.consumer](arguments, folder)}")
        folder = os.path.join(folder, "consumer")
        program = os.path.join(folder, "consumer")
    elif arguments.consumer not in USES_SOURCES:
        options.append(f"-DCMAKE_PREFIX_PATH={prefix}")
    cmake(arguments, os.path.join(HERE, project), folder, options)
    return run_program([program], proof) if arguments.consumer not in CONFIGURED_ONLY else 0


if __name__ == "__main__":
    sys.exit(main())
