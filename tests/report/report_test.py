"""usage: report_test.py schema|browser PROGRAM SOURCE_DIR

schema: reports of several kinds fit benchmarks/results/report.schema.json, so do the results that are kept, and every
figure of the printed table is in the JSON. browser: the HTML report is shown without faults.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
SMALL = ["--size", "96x64", "--warmup", "1"]
TWO_FRAMES = ["--frames", "2"]


def crowd(program, *arguments):
    frames = [] if "--frames" in arguments else TWO_FRAMES
    ended = subprocess.run([program, "crowd", *SMALL, *frames, *arguments], capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        sys.exit(f"{program} crowd {' '.join(arguments)}: {ended.stderr}")
    return ended.stdout


def has_device(program):
    return subprocess.run([program, "crowd", "--characters", "1", *SMALL, *TWO_FRAMES], capture_output=True, check=False).returncode == 0


def numbers_in(json_value):
    """All numbers of a report, as the table rounds them."""
    if isinstance(json_value, dict):
        json_value = list(json_value.values())
    if isinstance(json_value, list):
        return [number for value in json_value for number in numbers_in(value)]
    return [float(json_value)] if isinstance(json_value, (int, float)) and not isinstance(json_value, bool) else []


def is_in(figure, decimals, share, numbers):
    """Whether some number is this figure, where the table rounds by this share, and scales shares and sizes."""
    scales = (1, 100, 1e-6, 1e6 / 2**20 / 1e6)
    wanted = max(0.6 * 10.0**-decimals, abs(figure) * share)
    return any(abs(number * scale - figure) <= wanted for number in numbers for scale in scales)


def check_table(table, report):
    """Every figure of the rows of times is in the JSON."""
    numbers = numbers_in(report)
    rows = [line for line in table.splitlines() if re.match(r"  (frame|cpu \w+|gpu [\w ]*\w|submission)  ", line)]
    passes = [len(run["gpu_ms"]["passes"]) for run in report["runs"]]
    submissions = sum(run["submit_ms"] is not None for run in report["runs"])  # only where modes alternate
    assert len(rows) == submissions + sum(7 + (count if count > 1 else 0) for count in passes), table
    for row in (re.sub(r"shadow map \d", "shadow map", line) for line in rows):
        spread = re.search(r"\+- *([\d.,]+) %", row)
        share = 0.051 if spread and float(spread[1].replace(",", "")) > 4.9 else 0.006  # two digits, or three
        for word in re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?", row):
            decimals = len(word.partition(".")[2])
            figure = float(word.replace(",", ""))
            assert is_in(figure, decimals, share, numbers), f"{word} of '{row}' is not in the JSON"
    for run in report["runs"]:
        assert run["sentence"] in table, run["sentence"]


def check_schema(program, source):
    try:
        import jsonschema
    except ImportError:
        print("NO JSONSCHEMA (python3-jsonschema): reports were not checked against their schema")
        return SKIPPED
    with open(os.path.join(source, "benchmarks/results/report.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    validator = jsonschema.Draft202012Validator(schema)
    results = os.path.join(source, "benchmarks/results/*")
    for kept in glob.glob(f"{results}/crowd.json") + glob.glob(f"{results}/passes.json"):
        with open(kept, encoding="utf-8") as file:
            validator.validate(json.load(file))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        for options in ([["--characters", "3", "--skinning", "compute,vertex,cpu", "--shadow-maps", "0,1",
                          "--depth-pass", "on", "--repeat", "2"],
                         ["--characters", "4", "--evaluator", "exact", "--memory-budget", "100", "--validate"],
                         ["--characters", "4", "--unique-poses", "2", "--cull", "off", "--rasterize", "off"]]):
            table = crowd(program, *options, "--json", path)
            with open(path, encoding="utf-8") as file:
                report = json.load(file)
            validator.validate(report)
            check_table(table, report)
    del report["runs"][0]["frame_ms"]  # the schema must not let everything pass
    assert not validator.is_valid(report)
    print("good")
    return 0


def check_browser(program, source):
    with tempfile.TemporaryDirectory() as folder:
        page, old = os.path.join(folder, "report.html"), os.path.join(folder, "old.json")
        crowd(program, "--characters", "3", "--repeat", "7", "--json", old)
        for name, *options in (("several runs", "--characters", "3,20", "--skinning", "compute,vertex", "--shadow-maps", "0,1",
                                "--repeat", "2"),
                               ("comparison", "--characters", "3", "--compare", old),
                               ("one frame", "--characters", "3", "--frames", "1")):
            print(name, flush=True)
            crowd(program, *options, "--html", page)
            code = subprocess.run([os.path.join(source, "scripts/check_report"), page], check=False).returncode
            if code != 0:
                return code
            with open(page, encoding="utf-8") as file:
                entry = json.loads(re.search(r'id="reports">(.*?)</script>', file.read(), re.S).group(1))[0]
            assert ("comparison" in entry) == (name == "comparison"), name
            assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", entry["report"]["date"]), entry["report"]["date"]
    return 0


if __name__ == "__main__":
    what, sinew, folder_of_sources = sys.argv[1:]
    if not has_device(sinew):
        print("NO VULKAN DEVICE: the report was not tested")
        sys.exit(SKIPPED)
    sys.exit({"schema": check_schema, "browser": check_browser}[what](sinew, folder_of_sources))
