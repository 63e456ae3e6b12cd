#!/usr/bin/env python3
"""Runs sinew_isa for each family of GPUs that the installed Mesa compiles for without a GPU, and prints tables:
the skinning kernel, and all other shaders of the program.

The exit code is 1 where --compare finds that a shader became worse, and 77 where nothing could be compiled or there are
no older counts of this compiler.
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

# AMD's, one of each instruction set: the kernels of vega20 and renoir are those of vega10, and the kernels of navi22 and
# rembrandt those of navi21. Names differ between versions of Mesa: those that it does not know are left out.
FAMILIES = ["tahiti", "hawaii", "polaris10", "vega10", "navi10", "navi21", "gfx1100", "navi31", "gfx1151", "gfx1201"]
# NVIDIA's, as the number that Mesa's drm-shim takes: Turing and Ampere. Debian 13 has the shim (mesa-drm-shim) and NVK.
CHIPS = {"tu102": "162", "ga102": "172"}
SKIPPED = 77
MORE_INSTRUCTIONS = 2  # of a kernel's vertex and instance, or of another shader: so many more fail


def environments():
    """For each family, what makes Mesa compile for it without a GPU."""
    amd, nvidia = (glob.glob(f"/usr/share/vulkan/icd.d/{name}_icd*.json") for name in ("radeon", "nouveau"))
    shims = glob.glob("/usr/lib/*/libnouveau_noop_drm_shim.so")
    for family in FAMILIES if amd else []:
        yield family, {"RADV_FORCE_FAMILY": family, "VK_DRIVER_FILES": amd[0], "VK_ICD_FILENAMES": amd[0]}
    for family, chip in CHIPS.items() if nvidia and shims else []:
        yield family, {"NOUVEAU_CHIPSET": chip, "NVK_I_WANT_A_BROKEN_VULKAN_DRIVER": "1", "LD_PRELOAD": shims[0],
                       "VK_DRIVER_FILES": nvidia[0], "VK_ICD_FILENAMES": nvidia[0]}


def compile_for(program, family, environment, kind):
    """The report of one family, of the kernels ("rows") or of the other shaders ("shaders"); None where Mesa does not
    know the family or stops: for those that its device without hardware has incomplete, it divides by zero where
    pipelines draw."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        command = [program, "--json", path] + (["--drawing"] if kind == "shaders" else [])
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env={**os.environ, **environment, "MESA_SHADER_CACHE_DISABLE": "true"}, check=False)
        if done.returncode != 0 or not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    for row in report[kind]:
        row["family"] = family
    return report


def compile_all(program):
    """One report of all families. Two processes for each: where drawing stops the driver, the kernels are counted."""
    every = {"driver": None, "rows": [], "shaders": []}
    for family, environment in environments():
        report = compile_for(program, family, environment, "rows")
        if report is None:
            continue
        every["driver"] = every["driver"] or report["driver"]
        every["rows"] += report["rows"]
        report = compile_for(program, family, environment, "shaders")
        every["shaders"] += report["shaders"] if report else []
    return every


def families_of(rows):
    return list(dict.fromkeys(row["family"] for row in rows))


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


def print_shaders(report):
    """One line for each shader: its instructions by family, and the worst of the rest."""
    families = families_of(report["shaders"])
    shaders = {}
    for row in report["shaders"]:
        shaders.setdefault((row["pipeline"], row["stage"]), {})[row["family"]] = row
    without = [family for family in families_of(report["rows"]) if family not in families]
    print(f"{report['driver']}: instructions of other shaders" +
          (f"; the driver compiles none for {', '.join(without)}" if without else ""))
    print(f"{'shader':<62} " + " ".join(f"{family[:9]:>9}" for family in families) +
          f" {'VGPRs':>5} {'subgroups':>9} {'spills':>6} {'scratch':>7}")
    for (pipeline, stage), by_family in shaders.items():
        columns = " ".join(f"{by_family[family]['instructions'] if family in by_family else '-':>9}"
                           for family in families)
        rows = by_family.values()
        print(f"{pipeline + ', ' + stage:<62} {columns} {max(row['vgprs'] for row in rows):>5} "
              f"{min(row['subgroups_per_simd'] for row in rows):>9} {max(row['spills'] for row in rows):>6} "
              f"{max(row['scratch_bytes'] for row in rows):>7}")


def name_of(row):
    """What a kernel or another shader is compared by."""
    if "kernel" in row:
        return row["family"], row["kernel"], row["influences"], row["rigid"]
    return row["family"], row["pipeline"], row["stage"]


def title_of(row):
    if "kernel" not in row:
        return f"{row['family']}, {row['pipeline']}, {row['stage']}: "
    kernel = row["kernel"] + (", rigid" if row["rigid"] else "")
    return f"{row['family']}, {kernel}, {row['influences'] or 'any'} influences: "


def faults_of_rows(older, newer):
    """A line for each way in which a row became worse than the row of the same name."""
    before = {name_of(row): row for row in older}
    for row in newer:
        old = before.get(name_of(row))
        if old is None:
            continue
        title = title_of(row)
        for field in ("spills", "scratch_bytes"):
            if row[field] > old[field]:
                yield title + f"{field} were {old[field]}, are {row[field]}"
        if row["subgroups_per_simd"] < old["subgroups_per_simd"]:
            yield title + f"subgroups per SIMD were {old['subgroups_per_simd']}, are {row['subgroups_per_simd']}"
        field = "marginal_instructions" if row.get("marginal_instructions") is not None else "instructions"
        if old[field] is not None and row[field] >= old[field] + MORE_INSTRUCTIONS:
            yield title + f"{field} were {number(old[field])}, are {number(row[field])}"


def faults(older, newer):
    """A line for each kernel and other shader that became worse. Files from before the other shaders have none."""
    yield from faults_of_rows(older["rows"], newer["rows"])
    kept, listed = older.get("shaders", []), newer["shaders"]
    yield from faults_of_rows(kept, listed)
    for family in families_of(kept):
        if family in families_of(newer["rows"]) and family not in families_of(listed):
            yield f"{family}: the file has other shaders, and none is listed now"


def summary(older, newer):
    """A line for the kernels and one for the other shaders: how many are compared, and how many cannot be."""
    yield f"{len(newer['rows'])} kernels compared"
    absent = [family for family in families_of(older["rows"]) if family not in families_of(newer["rows"])]
    if absent:
        yield f"Families only in the file: {', '.join(absent)}"
    if not older.get("shaders"):
        yield f"The file of {older['driver']} has no counts of other shaders: they are not compared"
        return
    kept, listed = ({name_of(row) for row in report["shaders"]} for report in (older, newer))
    yield (f"{len(kept & listed)} other shaders compared, {len(listed - kept)} not in the file, "
           f"{len(kept - listed)} only there")


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
    rows, shaders = (",\n".join(json.dumps(row) for row in report[key]) for key in ("rows", "shaders"))
    return f'{{"driver": {json.dumps(report["driver"])}, "rows": [\n{rows}\n], "shaders": [\n{shaders}\n]}}\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--json", help="write all rows here")
    parser.add_argument("--compare", help="an older file of the same compiler, or a folder of such files")
    parser.add_argument("--drawing", action="store_true", help="print only the shaders other than the skinning kernel")
    arguments = parser.parse_args()
    report = compile_all(arguments.program)
    if not report["rows"]:
        print("SKIPPED: the installed Mesa compiles for none of AMD's GPUs without one (Debian: mesa-vulkan-drivers)")
        return SKIPPED
    if not arguments.drawing:
        print_table(report)
        print()
    print_shaders(report)
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
    for line in summary(older, report):
        print(line)
    print(f"{len(found)} worse")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
