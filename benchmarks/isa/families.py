#!/usr/bin/env python3
"""Runs sinew_isa for each family of GPUs that the installed Mesa compiles for without a GPU, and prints a table.

The exit code is 1 where --compare finds that a kernel became worse, and 77 where nothing could be compiled or there are
no older counts of this compiler.
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

# AMD's. Names differ between versions of Mesa: those that it does not know are left out.
FAMILIES = ["tahiti", "hawaii", "polaris10", "vega10", "vega20", "renoir", "navi10", "navi21", "navi22", "rembrandt",
            "gfx1100", "navi31", "gfx1151", "gfx1201"]
# NVIDIA's, as the number that Mesa's drm-shim takes: Turing and Ampere. Debian 13 has the shim (mesa-drm-shim) and NVK.
CHIPS = {"tu102": "162", "tu117": "167", "ga100": "170", "ga102": "172"}
SKIPPED = 77
MORE_INSTRUCTIONS = 2  # of a vertex and instance: so many more fail


def environments():
    """For each family, what makes Mesa compile for it without a GPU."""
    amd, nvidia = (glob.glob(f"/usr/share/vulkan/icd.d/{name}_icd*.json") for name in ("radeon", "nouveau"))
    shims = glob.glob("/usr/lib/*/libnouveau_noop_drm_shim.so")
    for family in FAMILIES if amd else []:
        yield family, {"RADV_FORCE_FAMILY": family, "VK_DRIVER_FILES": amd[0], "VK_ICD_FILENAMES": amd[0]}
    for family, chip in CHIPS.items() if nvidia and shims else []:
        yield family, {"NOUVEAU_CHIPSET": chip, "NVK_I_WANT_A_BROKEN_VULKAN_DRIVER": "1", "LD_PRELOAD": shims[0],
                       "VK_DRIVER_FILES": nvidia[0], "VK_ICD_FILENAMES": nvidia[0]}


def compile_for(program, family, environment, folder):
    """The rows of one family; None where Mesa does not know it."""
    path = os.path.join(folder, family + ".json")
    done = subprocess.run([program, "--json", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, **environment, "MESA_SHADER_CACHE_DISABLE": "true"}, check=False)
    if done.returncode != 0 or not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    for row in report["rows"]:
        row["family"] = family
    return report


def compile_all(program):
    """One report of all families."""
    every = {"driver": None, "rows": []}
    with tempfile.TemporaryDirectory() as folder:
        for family, environment in environments():
            report = compile_for(program, family, environment, folder)
            if report:
                every["driver"] = every["driver"] or report["driver"]
                every["rows"] += report["rows"]
    return every


def number(value):
    return "-" if value is None else f"{value:.4g}"


def print_table(report):
    """One line for each family and kernel: the cost by the number of influences, and the worst of the rest."""
    print(f"{report['driver']}: instructions of one more vertex and instance, with so many influences")
    print(f"{'family':<10} {'kernel':<22} {'1':>6} {'2':>6} {'3':>6} {'4':>6} {'8':>6} {'VGPRs':>6} {'subgroups':>9} "
          f"{'spills':>6} {'scratch':>7}")
    def key(row):
        return row["family"], row["kernel"] + (", rigid" if row["rigid"] else "")

    for family, kernel in dict.fromkeys(key(row) for row in report["rows"]):
        rows = [row for row in report["rows"] if key(row) == (family, kernel)]
        cost = {row["influences"]: row["marginal_instructions"] for row in rows}
        columns = " ".join(f"{number(cost.get(count)):>6}" for count in (1, 2, 3, 4, 8))
        print(f"{family:<10} {kernel:<22} {columns} {max(row['vgprs'] for row in rows):>6} "
              f"{min(row['subgroups_per_simd'] for row in rows):>9} {max(row['spills'] for row in rows):>6} "
              f"{max(row['scratch_bytes'] for row in rows):>7}")


def name_of(row):
    return row["family"], row["kernel"], row["influences"], row["rigid"]


def faults(older, newer):
    """A line for each kernel that became worse."""
    before = {name_of(row): row for row in older["rows"]}
    for row in newer["rows"]:
        old = before.get(name_of(row))
        if old is None:
            continue
        kernel = row["kernel"] + (", rigid" if row["rigid"] else "")
        title = f"{row['family']}, {kernel}, {row['influences'] or 'any'} influences: "
        for field in ("spills", "scratch_bytes"):
            if row[field] > old[field]:
                yield title + f"{field} were {old[field]}, are {row[field]}"
        if row["subgroups_per_simd"] < old["subgroups_per_simd"]:
            yield title + f"subgroups per SIMD were {old['subgroups_per_simd']}, are {row['subgroups_per_simd']}"
        field = "marginal_instructions" if row["marginal_instructions"] is not None else "instructions"
        if old[field] is not None and row[field] >= old[field] + MORE_INSTRUCTIONS:
            yield title + f"{field} were {number(old[field])}, are {number(row[field])}"


def report_of(path, driver):
    """The report of this driver in a file, or in a folder of files; None where there is none."""
    for name in glob.glob(os.path.join(path, "*.json")) if os.path.isdir(path) else [path]:
        with open(name, encoding="utf-8") as file:
            report = json.load(file)
        if report["driver"] == driver:
            return report
    return None


def text_of(report):
    """JSON with one row a line."""
    rows = ",\n".join(json.dumps(row) for row in report["rows"])
    return f'{{"driver": {json.dumps(report["driver"])}, "rows": [\n{rows}\n]}}\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--json", help="write all rows here")
    parser.add_argument("--compare", help="an older file of the same compiler, or a folder of such files")
    arguments = parser.parse_args()
    report = compile_all(arguments.program)
    if not report["rows"]:
        print("SKIPPED: the installed Mesa compiles for none of AMD's GPUs without one (Debian: mesa-vulkan-drivers)")
        return SKIPPED
    print_table(report)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            file.write(text_of(report))
    if not arguments.compare:
        return 0
    older = report_of(arguments.compare, report["driver"])
    if older is None:
        print(f"SKIPPED: {arguments.compare} has no counts of {report['driver']}")
        return SKIPPED
    found = list(faults(older, report))
    for fault in found:
        print("WORSE: " + fault)
    print(f"{len(report['rows'])} kernels compared, {len(found)} worse")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
