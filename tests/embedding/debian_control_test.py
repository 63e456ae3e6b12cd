"""usage: debian_control_test.py SOURCE_FOLDER

src/package/debian says what the tree says: the version, the version of shared libraries, and the packages that a build needs.
"""
import os
import re
import subprocess
import sys

# The build of a package runs no program of ours on a device, and every build of Debian has g++.
NOT_FOR_THE_BUILD = {"g++", "libvulkan1", "mesa-vulkan-drivers", "vulkan-validationlayers"}


def main(top):
    def text(*path):
        with open(os.path.join(top, *path), encoding="utf-8") as file:
            return file.read()

    faults = []
    version = re.search(r'SINEW_VERSION_STRING "([\d.]+)"', text("include", "sinew", "version.h"))[1]
    if not text("src", "package", "debian", "changelog").startswith(f"sinew ({version}-"):
        faults.append(f"debian/changelog does not begin with version {version}")
    major, minor, _ = version.split(".")
    library = f"libsinew{'0.' + minor if major == '0' else major}"
    control = text("src", "package", "debian", "control")
    if f"\nPackage: {library}\n" not in control or f"{library} (=" not in text("src", "package", "debian", "rules"):
        faults.append(f"debian/control and debian/rules have no {library}")
    for ending in "install", "lintian-overrides":
        if not os.path.exists(os.path.join(top, "src", "package", "debian", f"{library}.{ending}")):
            faults.append(f"there is no debian/{library}.{ending}")

    needed = set(subprocess.run(["bash", "-c", '. scripts/packages.sh; printf "%s\\n" "${program_packages[@]}"'], cwd=top,
                                capture_output=True, text=True, check=True).stdout.split()) - NOT_FOR_THE_BUILD
    build = re.search(r"^Build-Depends:\n((?: .*\n)+)", control, re.M)[1]
    named = {line.split()[0].rstrip(",") for line in build.splitlines() if "<!nocheck>" not in line}
    named.discard("debhelper-compat")
    faults += [f"scripts/packages.sh has {name}, Build-Depends has not" for name in sorted(needed - named)]
    faults += [f"Build-Depends has {name}, scripts/packages.sh has not" for name in sorted(named - needed)]
    print("\n".join(faults + [f"{len(named)} packages, {len(faults)} faults"]))
    return 1 if faults or not named else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
